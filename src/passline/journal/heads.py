"""Heads under the house's signature: what shows that a chain was cut off, written anew, or put back."""

import secrets
from contextlib import suppress
from itertools import chain, count
from typing import Any

from passline import __version__
from passline.errors import BehindError, JournalError, KeyTakenError, OtherKeysError
from passline.journal import contract, crypto
from passline.journal.contract import Draft, Head, Journal, Kind, SignedHead, Write, canonical, chained, read_entry

# What is signed before a head, and before the name of the key that takes one's place.
TAG, ASSENT = b"passline/head/1\n", b"passline/signer/1\n"

NO_HOUSE = contract.GENESIS  # what stands for a house file where none decides

# The part of a time that names its minute: in each in which something is written a head is signed.
MINUTE = len("2026-11-15T20:00")

# The key of the entry in which a stream of the house's own says who signs it; `signer/2` of the next, and so on.
NAMED = "signer"


def signed(head: Head, time: str, key: bytes) -> SignedHead:
    text = TAG + canonical({"hash": head.hash, "sequence": head.sequence, "table": head.table, "time": time})
    return SignedHead(head.table, head.sequence, head.hash, time, public(key), crypto.sign(key, text).hex())


def public(key: bytes) -> str:
    """The key by which everybody knows whoever signs with this one, in hexadecimal."""
    return crypto.public_key(key).hex()


def _namings(journal: Journal, stream: str) -> tuple[str | None, str]:
    """The key that a stream says it is signed with, as last named, and under which key the next naming goes."""
    first = next(iter(journal.lines(stream, 0, 1)), None)
    signer = None if first is None else read_entry(first).body.get("signer")
    for name in chain((NAMED,), (f"{NAMED}/{number}" for number in count(2))):
        line = journal.under_key(stream, name)
        if line is None:
            return signer, name
        entry = read_entry(line)
        if entry.kind == "signer_named":  # and not what somebody asked for under a key of this name
            signer = entry.body["signer"]
    raise AssertionError


def signer_of(journal: Journal, stream: str) -> str | None:
    """The key that a stream says it is signed with; where it says nothing, whoever has it could have written it."""
    return _namings(journal, stream)[0]


def check_signer(journal: Journal, stream: str, key: bytes) -> None:
    """Refuse keys that are not those which the stream says it is signed with: its journal is its house's to sign."""
    signer = signer_of(journal, stream)
    if signer is not None and signer != public(key):
        raise OtherKeysError(
            f"{stream} was opened to be signed with {signer}, and these keys would sign with {public(key)}; "
            "give the keys that its table is played with (--keys, or the variable PASSLINE_KEYS); "
            "where `passline journal rekey` was cut off, ask for it again"
        )


def check_last_head(journal: Journal, stream: str) -> None:
    """Refuse to go on with a chain that does not go through its last signed head: it was changed where it lies."""
    for head in journal.heads(stream)[-1:]:
        line = next(iter(journal.lines(stream, head.sequence - 1, head.sequence)), None)
        if line is None or contract.hash_in(line) != head.hash:
            raise JournalError(
                f"{stream}: entry {head.sequence} is not the one that was signed at {head.time}: the journal was "
                "changed where it lies. Nothing more is signed for it; put a backup back (`passline journal restore`)"
            )


def signed_for(journal: Journal, head: Head, time: str, key: bytes) -> SignedHead:
    """A head of a journal's table, unless it is others' to sign, or only others have signed for it so far.

    What was signed to its end before the house changed its keys is signed: that head is it.
    """
    heads = journal.heads(head.table)
    by_others = bool(heads) and heads[-1][:3] == head[:3] and heads[-1].key != public(key)
    if by_others and public(key) in (signer_of(journal, name) for name in journal.tables()):  # a house's key, and here
        return heads[-1]
    check_signer(journal, head.table, key)
    made = signed(head, time, key)
    before = {each.key for each in heads}
    if before and made.key not in before:
        raise OtherKeysError(
            f"{head.table} was signed with {', '.join(sorted(before))}, and these keys would sign with {made.key}; "
            "give the keys that its table is played with (--keys)"
        )
    return made


class Signing:
    """Signs where streams end, once in each minute in which something is written, by the clock of whoever asks."""

    def __init__(self, journal: Journal, key: bytes) -> None:
        self._journal, self._key = journal, key
        self._minutes: dict[str, str] = {}
        self.last: dict[str, SignedHead] = {}  # by stream: the last head that was signed here

    def sign(self, head: Head, time: str, *, anyway: bool = False) -> SignedHead | None:
        """Sign where a stream ends now, if it is time, or anyway."""
        if not anyway and self._minutes.get(head.table) == time[:MINUTE]:
            return None
        self._minutes[head.table] = time[:MINUTE]
        self.last[head.table] = signed(head, time, self._key)
        self._journal.sign([self.last[head.table]])
        return self.last[head.table]


def begin(journal: Journal, stream: str, kind: Kind, time: str) -> None:
    """Open a stream of the house's own, unless it is there."""
    if journal.head(stream) is None:
        body = {"stream": secrets.token_hex(16), "program": __version__}
        first = chained(Draft(kind, body, "house", "house", time), stream, 1, NO_HOUSE, NO_HOUSE)
        with suppress(BehindError):  # another process was first
            journal.append(Write(Head(stream), [first]))


def name_signer(journal: Journal, stream: str, key: bytes, time: str) -> None:
    """Let a stream of the house's own say who signs it, if it does not yet; other keys than it says are refused."""
    while (named := _namings(journal, stream))[0] is None:
        _write(journal, journal.head(stream) or Head(stream), {"signer": public(key)}, named[1], time)
    check_signer(journal, stream, key)


def rename_signer(journal: Journal, stream: str, keys: tuple[bytes, bytes], time: str, *, last: bool = False) -> None:
    """Let a stream say that the second key signs it from here on, by the assent of the first, which did until now.

    The last to say so says where all others end by then: what the old key signs beyond that is not the house's.
    """
    old, new = keys
    while (named := _namings(journal, stream))[0] != public(new):
        check_signer(journal, stream, old)
        head = journal.head(stream) or Head(stream)
        message = canonical({"previous": head.hash, "signer": public(new), "table": stream})
        assent = crypto.sign(old, ASSENT + message)
        others = [each for name in journal.tables() if name != stream and (each := journal.head(name))]
        ends = {"ends": {each.table: [each.sequence, each.hash] for each in others}} if last else {}
        journal.sign([signed(head, time, old)])
        _write(journal, head, {"signer": public(new), "assent": assent.hex(), **ends}, named[1], time)
    journal.sign([signed(journal.head(stream) or Head(stream), time, new)])


def _write(journal: Journal, head: Head, body: dict[str, Any], key: str, time: str) -> None:
    """Write who signs a stream where it ends; if another was first, nothing."""
    house = next((read_entry(line).house for line in journal.lines(head.table, 0, 1)), NO_HOUSE)
    draft = Draft("signer_named", body, "house", "house", time, key)
    with suppress(BehindError, KeyTakenError):  # another process writes there too
        journal.append(Write(head, [chained(draft, head.table, head.sequence + 1, head.hash, house)]))
