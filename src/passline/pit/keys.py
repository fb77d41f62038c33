"""The keys of the house: made, read, used to seal and sign, and replaced by others."""

import json
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from passline.errors import ChanceError, JournalError
from passline.journal import crypto
from passline.journal.contract import Journal
from passline.journal.heads import public, rename_signer, signed_for, signer_of
from passline.live.dice import SEED_BYTES, commitment, message, whole
from passline.live.drafts import Planned
from passline.pit.opening import OTHERS
from passline.pit.people.people import STREAM as PEOPLE


class Keys(NamedTuple):
    """What seals seeds, and what signs heads: 32 bytes each."""

    seal: bytes
    sign: bytes

    def __repr__(self) -> str:
        """Say nothing of them, wherever they are printed."""
        return "Keys(...)"


def new_keys() -> Keys:
    return Keys(new_seed(), new_seed())


def read_keys(path: Path) -> Keys:
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
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(json.dumps({name: key.hex() for name, key in keys._asdict().items()}) + "\n")
        file.flush()
        os.fsync(file.fileno())


SEALED_TAG = "passline/dice/1/sealed"
NONCE_BYTES = 12


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def seal(key: bytes, table: str, epoch: int, seed: bytes) -> bytes:
    """The seed under AES-256-GCM, good for this table and this epoch only."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    named = message(SEALED_TAG, table, epoch, commitment(table, epoch, seed))
    return nonce + crypto.encrypt(whole("the key", key), nonce, seed, named)


def unseal(key: bytes, table: str, epoch: int, house: bytes, sealed: bytes) -> bytes:
    """The seed that was sealed; the house's commitment must be the one it was sealed with."""
    named = message(SEALED_TAG, table, epoch, whole("the house's commitment", house))
    seed = crypto.decrypt(whole("the key", key), sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], named)
    if seed is None:
        no = f"the seed of epoch {epoch} at {table} does not open: sealed with another key, or elsewhere, or changed"
        raise ChanceError(no)
    return seed


def seal_all(keys: Keys | None, planned: Sequence[Planned]) -> dict[str, bytes] | None:
    """All that is kept beside the journal with these entries, under the house's key."""
    sealed: dict[str, bytes] = {}
    for one in planned:
        for name, (stream, number, value, bound) in (one.secrets or {}).items():
            if keys is None:
                raise JournalError("what is secret is kept under the keys of the house, and there are none")
            before = commitment(stream, number, value) if bound else b""
            sealed[name] = before + seal(keys.seal, stream, number, value)
    return sealed or None


class Rekeyed(NamedTuple):
    """Which key signs now, in whose place, and which streams say so."""

    before: str
    key: str
    previous: Path  # where the file of the old keys is now
    streams: list[str]
    resealed: bool  # whether seeds to come are sealed with another key, too


def rekey(journal: Journal, path: Path, time: str) -> Rekeyed:
    """Let a new key sign whatever is still written; begun again after it was cut off, it goes on where it was.

    Seeds of tables that go on stay sealed as they are, and so do those to come; where no table does, the seal is new.
    """
    from passline.pit.table import LiveTable  # a table seals with these keys

    old, coming = read_keys(path), path.with_name(f"{path.name}.new")
    begun = public(read_keys(coming).sign) if coming.exists() else None
    ours = [name for name in journal.tables() if signer_of(journal, name) in (public(old.sign), begun)]
    if not ours:
        raise JournalError(f"nothing in this journal is signed with the key of {path}: is it another's, or a copy?")
    going_on = (name for name in ours if name in OTHERS or LiveTable(journal, name, None).live.over is None)
    streams = sorted(going_on, key=lambda name: name == PEOPLE)  # what is over stays signed as it is
    if begun is None:
        keep_keys(coming, new_keys() if set(streams) <= set(OTHERS) else Keys(old.seal, new_keys().sign))
    new, previous = read_keys(coming), path.with_name(f"{path.name}.{public(old.sign)[:16]}")
    for name in streams:
        rename_signer(journal, name, (old.sign, new.sign), time, last=name == PEOPLE)
    ends = [journal.head(name) for name in ours if name not in streams]
    journal.sign([signed_for(journal, end, time, old.sign) for end in ends if end is not None])
    with suppress(FileExistsError):
        keep_keys(previous, old)
    coming.replace(path)
    return Rekeyed(public(old.sign), public(new.sign), previous, streams, new.seal != old.seal)
