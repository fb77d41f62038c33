"""The house's two keys, kept where no journal and no backup of one is."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from passline.errors import ChanceError, JournalError
from passline.live.dice import SEED_BYTES, commitment, message, whole
from passline.live.drafts import Planned, Secret


class Keys(NamedTuple):
    """What seals seeds, and what signs heads: 32 bytes each."""

    seal: bytes
    sign: bytes

    def __repr__(self) -> str:
        """Say nothing of them, wherever they are printed."""
        return "Keys(...)"


def new_keys() -> Keys:
    return Keys(new_key(), new_key())


def read_keys(path: Path) -> Keys:
    """The keys of a file that is there."""
    if not path.exists():
        raise JournalError(f"there is no file of keys {path}; give the one that the house's tables are played with")
    try:
        data = json.loads(path.read_bytes())
        keys = Keys(*(bytes.fromhex(data[name]) for name in Keys._fields))
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        keys = None
    if keys is None or any(len(key) != 32 for key in keys):
        raise JournalError(f"{path} is no file of keys: seal and sign, 64 hexadecimal digits each, in a JSON object")
    return keys


def are_open(path: Path) -> bool:
    """Whether a file of keys can be read by others than its owner; where a system does not say so, it is not."""
    return os.name == "posix" and path.exists() and bool(path.stat().st_mode & 0o077)


def keys_at(path: Path) -> Keys:
    """The keys of a file, made the first time; only its owner may read it."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):  # another process was first
            keep_keys(path, new_keys())
    return read_keys(path)


def keep_keys(path: Path, keys: Keys) -> None:
    """Write keys into a new file, which only its owner may read."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(json.dumps({name: key.hex() for name, key in keys._asdict().items()}) + "\n")
        file.flush()
        os.fsync(file.fileno())


# --- The house's seeds while they are secret: under a key that no database holds --------------------------------------

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


def seal_all(keys: Keys | None, planned: Sequence[Planned]) -> dict[str, bytes] | None:
    """All that is kept beside the journal with these entries, under the house's key."""
    return {name: _sealed(keys, each) for one in planned for name, each in (one.secrets or {}).items()} or None


def _sealed(keys: Keys | None, secret: Secret) -> bytes:
    if keys is None:
        raise JournalError("what is secret is kept under the keys of the house, and there are none")
    stream, number, value, bound = secret
    before = commitment(stream, number, value) if bound else b""
    return before + seal(keys.seal, stream, number, value)
