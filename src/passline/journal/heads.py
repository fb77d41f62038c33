"""Heads under the house's signature: what shows that a chain was cut off, written anew, or put back."""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from passline import __version__
from passline.errors import BehindError, KeyTakenError, OtherKeysError
from passline.journal.contract import Head, SignedHead, Write
from passline.journal.entries import GENESIS, Draft, canonical, chained, read_entry

if TYPE_CHECKING:
    from passline.journal.contract import Journal
    from passline.journal.entries import Entry, Kind

TAG = b"passline/head/1\n"
"""What is signed before a head."""

MINUTE = len("2026-11-15T20:00")
"""The part of a time that names its minute: in each in which something is written a head is signed."""

NO_HOUSE = GENESIS
"""What stands for a house file where none decides."""

NAMED = "signer"
"""The key of the entry in which a stream of the house's own says who signs it."""


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
    for line in (*journal.lines(head.table, 0, 1), journal.under_key(head.table, NAMED)):
        if line is not None:
            check_signer(read_entry(line), key)
    made = signed(head, time, key)
    before = {each.key for each in journal.heads(head.table)}
    if before and made.key not in before:
        raise OtherKeysError(
            f"{head.table} was signed with {', '.join(sorted(before))}, and these keys would sign with {made.key}; "
            "give the keys that its table is played with (--keys)"
        )
    return made


class Signing:
    """Signs where streams end, once in each minute in which something is written, by the clock of whoever asks."""

    def __init__(self, journal: Journal, key: bytes) -> None:
        """Nothing was signed yet."""
        self._journal, self._key = journal, key
        self._minutes: dict[str, str] = {}

    def sign(self, head: Head, time: str, *, anyway: bool = False) -> None:
        """Sign where a stream ends now, if it is time, or anyway."""
        if anyway or self._minutes.get(head.table) != time[:MINUTE]:
            self._minutes[head.table] = time[:MINUTE]
            self._journal.sign([signed(head, time, self._key)])


def begin(journal: Journal, stream: str, kind: Kind, time: str) -> None:
    """Open a stream of the house's own, unless it is there."""
    if journal.head(stream) is None:
        body = {"stream": secrets.token_hex(16), "program": __version__}
        first = chained(Draft(kind, body, "house", "house", time), stream, 1, GENESIS, NO_HOUSE)
        with suppress(BehindError):  # another process was first
            journal.append(Write(Head(stream), [first]))


def name_signer(journal: Journal, stream: str, key: bytes, time: str) -> None:
    """Let a stream of the house's own say who signs it, if it does not yet; other keys than it says are refused."""
    while (line := journal.under_key(stream, NAMED)) is None:
        head = journal.head(stream) or Head(stream)
        draft = Draft("signer_named", {"signer": public(key)}, "house", "house", time, NAMED)
        with suppress(BehindError, KeyTakenError):  # another process writes there too
            journal.append(Write(head, [chained(draft, stream, head.sequence + 1, head.hash, NO_HOUSE)]))
    check_signer(read_entry(line), key)


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
