"""Signed heads: what the house said its chain was, and who may sign it, on paper that the house no longer holds."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from passline.errors import JournalError
from passline.verify.chain import CAGE, PEOPLE, Chain, Entry, canonical, entry_hash, is_end
from passline.verify.report import Fault

TAG, ASSENT = b"passline/head/1\n", b"passline/signer/1\n"
FIELDS = frozenset(("hash", "key", "sequence", "signature", "table", "time"))
SIGNED = ("hash", "sequence", "table", "time")

# Keys that prove nothing: by a point of small order, whose y is one of these, one signature fits every text; and a y
# that is not below the prime is a second way to write a point. Libraries differ on both, so they are no keys here.
PRIME = 2**255 - 19
SMALL_ORDER = (
    0,
    1,
    PRIME - 1,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
)


def check_head(
    head: Mapping[str, Any], chains: Mapping[str, Chain], keys: Collection[str] = (), signer: str | None = None
) -> Iterator[Fault]:
    """Whether the house signed it, with a key that is known to be its own, and the chain still goes through it."""
    if head.keys() != FIELDS:
        yield Fault(str(head.get("table", "")), None, "heads", f"a head is {', '.join(sorted(FIELDS))}")
        return
    table, sequence = str(head["table"]), head["sequence"]
    if not is_signed(head):
        yield Fault(table, sequence, "heads", "the signature is not that of the key it names")
    elif keys and head["key"] not in keys:
        no = f"it is signed with {head['key']}, which is no key that was given as the house's"
        yield Fault(table, sequence, "heads", no)
    elif signer is not None and head["key"] != signer:
        no = f"it is signed with {head['key']}, and the table was opened to be signed with {signer}, or says so since"
        yield Fault(table, sequence, "heads", no)
    chain = chains.get(table)
    if chain is None:
        yield Fault(table, None, "heads", f"there is a head of entry {sequence}, and no entry of this table")
    elif type(sequence) is not int or sequence not in chain.hashes:
        no = f"the chain ends here, and it has a head of entry {sequence}: it was cut off"
        yield Fault(table, chain.last, "sequence", no)
    elif chain.hashes[sequence] != head["hash"]:
        no = f"the house signed {head['hash']} for this entry: it, or one before it, was rewritten"
        yield Fault(table, sequence, "hash", no)


def check_receipt(receipt: Mapping[str, Any], chains: Mapping[str, Chain]) -> Iterator[Fault]:
    """Whether an answer that somebody got is one, and stands in the chain as it was given."""
    table, sequence, digest = str(receipt.get("table", "")), receipt.get("sequence"), receipt.get("hash")
    chain, at = chains.get(table), sequence if type(sequence) is int else None
    if entry_hash(receipt) != digest:
        yield Fault(table, at, "receipt", "what was kept is no answer of a table's: it does not hash to what it says")
    elif chain is None or at is None or at not in chain.hashes:
        yield Fault(table, at, "receipt", "somebody was given this entry, and it is not here")
    elif chain.hashes[at] != digest:
        yield Fault(table, at, "receipt", f"somebody was given {digest} as this entry: it was rewritten")


def is_signed(head: Mapping[str, Any]) -> bool:
    message = canonical({name: head[name] for name in SIGNED})
    key, signature = head["key"], head["signature"]
    # Hexadecimal can be written in more than one way, and only one is ours.
    return _signed(TAG + message, key, signature) and key + signature == (key + signature).lower()


def has_assent(entry: Mapping[str, Any], before: str) -> bool:
    """Whether the key that signed a stream before says, in an entry that names another, that it may."""
    body = entry.get("body")
    named, assent = (body.get("signer"), body.get("assent")) if isinstance(body, dict) else (None, None)
    message = canonical({"previous": entry.get("previous"), "signer": named, "table": entry.get("table")})
    return _signed(ASSENT + message, before, assent)


def _signed(message: bytes, key: Any, signature: Any) -> bool:  # noqa: ANN401 - whatever stands there
    # A journal without signatures is checked without the package that checks them.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public = bytes.fromhex(key)
        y = int.from_bytes(public, "little") & ((1 << 255) - 1)
        if y in SMALL_ORDER or y >= PRIME:
            return False
        Ed25519PublicKey.from_public_bytes(public).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


# --- What somebody has on paper ---------------------------------------------------------------------------------------

KEY = re.compile("[0-9a-f]{64}")  # a public key, as a head names it


def read_keys(text: str) -> list[str]:
    """The public keys of a file, 64 hexadecimal digits a line; at least one."""
    keys = text.split()
    wrong = next((key for key in keys if not KEY.fullmatch(key)), None)
    if wrong is not None:
        no = "64 digits 0-9 a-f, as `key` in what `passline journal head` prints"
        raise JournalError(f"{wrong[:80]!r} is no public key: {no}")
    if not keys:
        raise JournalError("there is no public key in it")
    return keys


def read_heads(text: str) -> list[dict[str, Any]]:
    """The heads of a file, and the answers in it; at least one, or there is nothing to hold a journal against."""
    heads: list[dict[str, Any]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise JournalError(f"line {number} is no head: {error}") from None
        listed = data.get("heads") if isinstance(data, dict) and "heads" in data else [data]
        if not isinstance(listed, list) or not all(isinstance(head, dict) and "hash" in head for head in listed):
            no = "which `passline journal head` prints, and no answer of a table's"
            raise JournalError(f"line {number} is no head, {no}")
        heads += listed
    if not heads:
        raise JournalError("there is no head in it")
    return heads


# --- Who signs --------------------------------------------------------------------------------------------------------

NAMES_ITS_OWN = (CAGE, PEOPLE)  # the streams that may be there before there are keys, and say later who signs them


class Signers:
    def __init__(self, notes: list[str]) -> None:
        self._notes = notes
        self.named: dict[str, dict[int, str]] = {}  # by table: from which entry on which key signs it
        self._heirs: dict[str, str] = {}  # by key: the one that signs in its place, by its assent
        # By key that was replaced: the entry of the people's stream that says so, and where every table ended then.
        self._ends: dict[str, tuple[int, dict[str, Any]]] = {}
        # By table: the last entry that a head of a key vouches for which was given as the house's.
        self._vouched: dict[str, int] = {}

    def see(self, entry: Entry, last: int) -> Iterator[Fault]:
        body = entry.data.get("body") if entry.kind in ("table_opened", "signer_named") else None
        signer = body.get("signer") if isinstance(body, dict) else None
        if entry.kind == "signer_named":
            yield from self._renamed(entry, str(signer), last)
        if isinstance(signer, str):
            self.named.setdefault(entry.table, {0: signer})

    def _renamed(self, entry: Entry, signer: str, last: int) -> Iterator[Fault]:
        """Who signs from here on: said first by streams of the house's own, and then by the assent of who did."""
        named = self.named.get(entry.table)
        if not named and entry.table not in NAMES_ITS_OWN:
            yield Fault(entry.table, last, "kind", "a table says who signs it when it is opened", entry.line)
        elif named and not has_assent(entry.data, before := named[max(named)]):
            no = f"{before} signs it, and does not say that {signer} takes its place"
            yield Fault(entry.table, last, "body.assent", no, entry.line)
        elif named:
            named[last] = signer
            if self._heirs.setdefault(before, signer) != signer:
                no = f"{before} let {self._heirs[before]} take its place elsewhere, and a key has one heir"
                yield Fault(entry.table, last, "body.signer", no, entry.line)
            if entry.table == PEOPLE:
                ends = entry.data["body"].get("ends")
                self._ends[before] = (last, ends if isinstance(ends, dict) else {})
            self._notes.append(f"{entry.table}: since entry {last} {signer} signs it, by the assent of {before}")
        if entry.data.get("role") != "house":
            yield Fault(entry.table, last, "role", "the program says who signs, and nobody else", entry.line)

    def of(self, head: Mapping[str, Any]) -> str | None:
        """The key that a head must be signed with, where its table says so."""
        named, at = self.named.get(str(head.get("table")), {}), head.get("sequence")
        since = [each for each in named if type(at) is int and each <= at]
        return named[max(since)] if since else None

    def strangers(self, keys: Collection[str]) -> set[str]:
        """Which of these keys took no other's place."""
        return set(keys) - set(self._heirs.values())

    def vouch(self, heads: Iterable[Mapping[str, Any]], known: Collection[str], chains: Mapping[str, Chain]) -> None:
        """Look how far the keys that were given as the house's vouch for each stream."""
        for head in heads:
            if head.get("key") in known and not list(check_head(head, chains)):
                table = str(head["table"])
                self._vouched[table] = max(self._vouched.get(table, 0), head["sequence"])

    def trusted(self, table: str, known: Collection[str]) -> set[str]:
        """The keys whose heads of a stream count where these are the house's: those, their heirs, and whom they follow.

        A key is followed only where one that is known has signed that it is, or anybody could name it as their heir:
        in the stream itself, or in the people's, where the stream is among those that were there by then.
        """
        keys = set(known)
        for _ in self._heirs if keys else ():
            keys |= {heir for key, heir in self._heirs.items() if key in keys}
        named = self.named.get(table, {})
        for at, heir in sorted(named.items(), reverse=True):
            if heir in keys and at <= self._vouched.get(table, 0):
                keys |= {key for before, key in named.items() if before < at}
        for key, (at, ends) in reversed(self._ends.items()):
            if self._heirs.get(key) in keys and table in ends and at <= self._vouched.get(PEOPLE, 0):
                keys.add(key)
        return keys

    def outlived(self, chains: Mapping[str, Chain]) -> Iterator[Fault]:
        """What is signed with a key that was replaced by then: whoever has the old one could have written it."""
        for table, named in sorted(self.named.items()):
            last = named[max(named)]
            if table == PEOPLE or last not in self._ends:
                continue
            ended: Any = self._ends[last][1].get(table)
            if not is_end(ended):
                no = f"{last} signs it, and was replaced before there was such a table, as the people's stream says"
                yield Fault(table, None, "heads", no)
            elif chains[table].hashes.get(ended[0]) != ended[1] or chains[table].last != ended[0]:
                no = f"it ended with entry {ended[0]}, {ended[1]}, when {last}, which signs it, was replaced"
                yield Fault(table, ended[0], "hash", no)
