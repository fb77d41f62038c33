"""Another signing key in the place of the house's: whatever is still written says so, by the assent of the old one."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from passline.errors import JournalError
from passline.journal.contract import Journal
from passline.journal.heads import public, rename_signer, signed_for, signer_of
from passline.pit.keys import Keys, keep_keys, new_keys, read_keys
from passline.pit.opening import OTHERS
from passline.pit.people.people import STREAM as PEOPLE
from passline.pit.table import LiveTable


class Rekeyed(NamedTuple):
    """Which key signs now, in whose place, and which streams say so."""

    before: str
    key: str
    kept: Path
    """Where the file of the old keys is now."""
    streams: list[str]
    resealed: bool
    """Whether seeds to come are sealed with another key, too."""


def rekey(journal: Journal, path: Path, time: str) -> Rekeyed:
    """Let a new key sign whatever is still written; begun again after it was cut off, it goes on where it was.

    Seeds of tables that go on stay sealed as they are, and so do those to come; where no table does, the seal is new.
    """
    old, coming = read_keys(path), path.with_name(f"{path.name}.new")
    begun = public(read_keys(coming).sign) if coming.exists() else None
    ours = [name for name in journal.tables() if signer_of(journal, name) in (public(old.sign), begun)]
    if not ours:
        raise JournalError(f"nothing in this journal is signed with the key of {path}: is it another's, or a copy?")
    streams = sorted((name for name in ours if _goes_on(journal, name)), key=lambda name: name == PEOPLE)
    if begun is None:
        keep_keys(coming, new_keys() if set(streams) <= set(OTHERS) else Keys(old.seal, new_keys().sign))
    new, kept = read_keys(coming), path.with_name(f"{path.name}.{public(old.sign)[:16]}")
    for name in streams:
        rename_signer(journal, name, (old.sign, new.sign), time, last=name == PEOPLE)
    ends = [journal.head(name) for name in ours if name not in streams]
    journal.sign([signed_for(journal, end, time, old.sign) for end in ends if end is not None])
    with suppress(FileExistsError):
        keep_keys(kept, old)
    coming.replace(path)
    return Rekeyed(public(old.sign), public(new.sign), kept, streams, new.seal != old.seal)


def _goes_on(journal: Journal, name: str) -> bool:
    """Whether anything more is written there; what is over stays signed as it is."""
    return name in OTHERS or LiveTable(journal, name, None).live.over is None
