"""An evening on paper: the record, written whole or not at all, and read back to the same chips."""

import re
from itertools import count
from pathlib import Path
from typing import NamedTuple

from passline.errors import CannotBeSaved
from passline.files.reading import decoded, read_bytes
from passline.files.whole import write_whole
from passline.record.record import RECORD_BYTES_MAX
from passline.table import Table, replay

DEFAULT = "evening.craps"

REMARK = re.compile(r"# passline play: seat (\d{1,9}), (\d{1,9}) others, seed (\S+)( practice)?( real dice)?")


class Settings(NamedTuple):
    """What a record says beside the play, in a comment: who is the person, and where luck comes from."""

    me: int
    others: int
    seed: str
    practice: bool
    typed: bool = False

    def __str__(self) -> str:
        dice = " practice" * self.practice + " real dice" * self.typed
        return f"# passline play: seat {self.me}, {self.others} others, seed {self.seed}{dice}"


def text_of(table: Table, settings: Settings, folder: Path) -> str:
    """The whole record, with the settings in a comment under its first line."""
    head, _, rest = table.record(folder).partition("\n")
    return f"{head}\n{settings}\n{rest}"


def save(text: str, path: Path, *, new: bool = False) -> None:
    """Write a record: a reader finds the old one or the new one, never half; a `new` one never replaces any."""
    try:
        write_whole(path, text, new=new)
    except FileExistsError:
        raise
    except OSError as error:
        raise CannotBeSaved(f"{path} cannot be written: {error.strerror or error}") from error


def save_beside(text: str, wanted: Path) -> Path:
    """Write a new record at the first name that is free: `evening.craps`, `evening-2.craps`; the name is then taken."""
    for number in count(1):
        path = wanted if number == 1 else wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
        try:
            save(text, path, new=True)
        except FileExistsError:
            continue
        return path
    raise AssertionError("numbers do not end")


def load(path: Path) -> tuple[Table, Settings | None]:
    """Play a record again, act by act, at a table that can go on."""
    table = replay(path)
    text = decoded(read_bytes(path, RECORD_BYTES_MAX))
    match = REMARK.search(text)
    if match is None:
        return table, None
    me, others, seed, practice, typed = match.groups()
    return table, Settings(int(me), int(others), seed, bool(practice), bool(typed))
