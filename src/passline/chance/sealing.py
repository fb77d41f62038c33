"""The house's seeds while they are secret: made by the operating system, kept under a key that no database holds."""

from __future__ import annotations

import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from passline.chance.commitment import commitment
from passline.chance.message import SEED_BYTES, message, whole
from passline.errors import ChanceError

SEALED_TAG = "passline/dice/1/sealed"
NONCE_BYTES = 12


def new_seed() -> bytes:
    """A seed nobody can guess."""
    return secrets.token_bytes(SEED_BYTES)


def new_key() -> bytes:
    """A key to seal seeds with; keep it where the journal and its backups are not."""
    return secrets.token_bytes(SEED_BYTES)


def seal(key: bytes, table: str, epoch: int, seed: bytes) -> bytes:
    """The seed under AES-256-GCM, good for this table and this epoch only."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    named = message(SEALED_TAG, table, epoch, commitment(table, epoch, seed))
    return nonce + AESGCM(whole("the key", key)).encrypt(nonce, seed, named)


def unseal(key: bytes, table: str, epoch: int, house: bytes, sealed: bytes) -> bytes:
    """The seed that was sealed; the house's commitment must be the one it was sealed with."""
    named = message(SEALED_TAG, table, epoch, whole("the house's commitment", house))
    cipher = AESGCM(whole("the key", key))
    try:
        return cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], named)
    except (InvalidTag, ValueError):
        no = f"the seed of epoch {epoch} at {table} does not open: sealed with another key, or elsewhere, or changed"
        raise ChanceError(no) from None
