"""The house's two keys, kept where no journal and no backup of one is."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from passline.chance import new_key
from passline.errors import JournalError


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
