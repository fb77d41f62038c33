"""Heads under the house's signature: what shows that a chain was cut off, written anew, or put back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from passline.errors import OtherKeysError
from passline.journal.contract import SignedHead
from passline.journal.entries import canonical, read_entry

if TYPE_CHECKING:
    from passline.journal.contract import Head, Journal
    from passline.journal.entries import Entry

TAG = b"passline/head/1\n"
"""What is signed before a head."""


def signed(head: Head, time: str, key: bytes) -> SignedHead:
    """A head under the signature of the key."""
    private = Ed25519PrivateKey.from_private_bytes(key)
    public = private.public_key().public_bytes_raw().hex()
    return SignedHead(head.table, head.sequence, head.hash, time, public, private.sign(_said(head, time)).hex())


def public(key: bytes) -> str:
    """The key by which everybody knows whoever signs with this one, in hexadecimal."""
    return Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw().hex()


def check_signer(first: Entry, key: bytes) -> None:
    """Refuse keys that are not those of the house which opened the table: its journal is its own to sign."""
    signer = first.body.get("signer")
    if signer is not None and signer != public(key):
        raise OtherKeysError(
            f"{first.table} was opened to be signed with {signer}, and these keys would sign with {public(key)}; "
            "give the keys that its table is played with (--keys, or the variable PASSLINE_KEYS)"
        )


def signed_for(journal: Journal, head: Head, time: str, key: bytes) -> SignedHead:
    """A head of a journal's table, unless it is others' to sign, or only others have signed for it so far."""
    for line in journal.lines(head.table, 0, 1):
        check_signer(read_entry(line), key)
    made = signed(head, time, key)
    before = {each.key for each in journal.heads(head.table)}
    if before and made.key not in before:
        raise OtherKeysError(
            f"{head.table} was signed with {', '.join(sorted(before))}, and these keys would sign with {made.key}; "
            "give the keys that its table is played with (--keys)"
        )
    return made


def holds(head: SignedHead) -> bool:
    """Whether the signature is that of the key the head names."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(head.key))
        key.verify(bytes.fromhex(head.signature), _said(head, head.time))
    except (InvalidSignature, ValueError):
        return False
    return True


def _said(head: Head | SignedHead, time: str) -> bytes:
    return TAG + canonical({"hash": head.hash, "sequence": head.sequence, "table": head.table, "time": time})
