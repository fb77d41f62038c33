"""Signed heads: what the house said its chain was, on paper that the house no longer holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from passline.verify.entry import canonical
from passline.verify.report import Fault

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from passline.verify.chain import Chain

TAG = b"passline/head/1\n"
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
        no = f"it is signed with {head['key']}, and the table was opened to be signed with {signer}"
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


def is_signed(head: Mapping[str, Any]) -> bool:
    """Whether the signature is right."""
    said = canonical({name: head[name] for name in SAID})
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(head["key"]))
        key.verify(bytes.fromhex(head["signature"]), TAG + said)
    except (InvalidSignature, ValueError, TypeError):
        return False
    # Hexadecimal can be written in more than one way, and only one is ours.
    return all(head[name] == head[name].lower() for name in ("key", "signature"))
