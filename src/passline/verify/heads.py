"""Signed heads: what the house said its chain was, on paper that the house no longer holds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from passline.verify.chain import Chain
from passline.verify.entry import canonical, entry_hash
from passline.verify.report import Fault

TAG, ASSENT = b"passline/head/1\n", b"passline/signer/1\n"
FIELDS = frozenset(("hash", "key", "sequence", "signature", "table", "time"))
SAID = ("hash", "sequence", "table", "time")
"""What is signed."""


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
        no = f"the house signed {head['hash']} for this entry: it, or one before it, was written anew"
        yield Fault(table, sequence, "hash", no)


def is_receipt(kept: Mapping[str, Any]) -> bool:
    """Whether somebody kept an answer of a table's: the entry itself, which names the one before it."""
    return "previous" in kept


def check_receipt(kept: Mapping[str, Any], chains: Mapping[str, Chain]) -> Iterator[Fault]:
    """Whether an answer that somebody got is one, and stands in the chain as it was given."""
    table, sequence, digest = str(kept.get("table", "")), kept.get("sequence"), kept.get("hash")
    chain, at = chains.get(table), sequence if type(sequence) is int else None
    if entry_hash(kept) != digest:
        yield Fault(table, at, "receipt", "what was kept is no answer of a table's: it does not hash to what it says")
    elif chain is None or at is None or at not in chain.hashes:
        yield Fault(table, at, "receipt", "somebody was given this entry, and it is not here")
    elif chain.hashes[at] != digest:
        yield Fault(table, at, "receipt", f"somebody was given {digest} as this entry: it was written anew")


def is_signed(head: Mapping[str, Any]) -> bool:
    """Whether the signature is right."""
    said = canonical({name: head[name] for name in SAID})
    # Hexadecimal can be written in more than one way, and only one is ours.
    return _signed(TAG + said, head["key"], head["signature"]) and all(
        head[name] == head[name].lower() for name in ("key", "signature")
    )


def has_assent(entry: Mapping[str, Any], before: str) -> bool:
    """Whether the key that signed a stream before says, in an entry that names another, that it may."""
    body = entry.get("body")
    named, assent = (body.get("signer"), body.get("assent")) if isinstance(body, dict) else (None, None)
    said = canonical({"previous": entry.get("previous"), "signer": named, "table": entry.get("table")})
    return _signed(ASSENT + said, before, assent)


def _signed(said: bytes, key: Any, signature: Any) -> bool:  # noqa: ANN401 - whatever stands there
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), said)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True
