"""What somebody opens a table with: a name, and a house of the program's or a file of their own."""

import re
from pathlib import Path
from typing import NamedTuple

from passline.errors import ArgumentError
from passline.live.state import HOUSE_FLOOR
from passline.rulebooks.catalogue import house_files

TABLE_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")  # what a live table can be called
OTHERS = ("cage", "people", HOUSE_FLOOR)  # the streams of a journal that are no tables to play at


class HouseFile(NamedTuple):
    """The text of a house file that somebody brings, which no path leads to."""

    text: str


def check_name(name: object) -> None:
    """A name that a live table can have; the others' are not for tables."""
    if not (isinstance(name, str) and TABLE_NAME.fullmatch(name)) or name in OTHERS:
        expected = f"up to 64 letters a-z, digits, _ . and -, and not {' or '.join(OTHERS)}"
        raise ArgumentError("name", repr(name), expected)


def house_text(house: str | Path | HouseFile) -> str:
    """The text of a house file: of a house that comes with the program, by its id, or of any other by its path."""
    if isinstance(house, HouseFile):
        return house.text
    path = house_files().get(house) if isinstance(house, str) else None
    try:
        return (path or Path(house)).read_bytes().decode()
    except (OSError, ValueError, TypeError) as error:
        expected = "a house that comes with the program, or the path of a house file"
        raise ArgumentError("house", repr(house), f"{expected} ({error})") from None
