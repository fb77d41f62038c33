"""What somebody opens a table with: a name, and a house of the program's or a file of their own."""

import re
from pathlib import Path
from typing import NamedTuple

from passline.errors import ArgumentError
from passline.live.state import HOUSE_FLOOR
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import in_full

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
    """A house's file in full, as a journal keeps it: by the id of one of the program's, by a path, or as it is."""
    if isinstance(house, HouseFile):
        return in_full(house.text, "house file")
    path = house_files().get(house) if isinstance(house, str) else None
    try:
        text = (path or Path(house)).read_bytes().decode()
    except (OSError, ValueError, TypeError) as error:
        expected = "a house that comes with the program, or the path of a house file"
        raise ArgumentError("house", repr(house), f"{expected} ({error})") from None
    return text if path else in_full(text, str(house))
