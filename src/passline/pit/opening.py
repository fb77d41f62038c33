"""How a live table begins: its house file kept with its first entry, so that it can be played without anything else."""

from __future__ import annotations

import re
import secrets
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from passline import __version__
from passline.codec import to_data
from passline.engine.layout import Layout, lay_out
from passline.engine.table import Notice
from passline.engine.values import CENTS
from passline.errors import ArgumentError, HouseFileError
from passline.files.toml import tree
from passline.pit.live import HOUSE_FLOOR, settled_order
from passline.record.notice import default_chips, default_notice
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import book_of

if TYPE_CHECKING:
    from passline.pit.live import DiceMode

TABLE_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")
"""What a live table can be called."""

OTHERS = ("cage", "people", HOUSE_FLOOR)
"""The streams of a journal that are no tables to play at."""

STREAM_BYTES = 16


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


@lru_cache(maxsize=32)
def layout_of(text: str) -> Layout:
    """The felt of a house file as it was written in a journal, whatever its house's file says today."""
    return lay_out(book_of(tree(text, "the house file of the journal", "a house file", HouseFileError), "house file"))


def opening(  # noqa: PLR0913 - what a table opens with
    text: str,
    dice: DiceMode,
    notice: Notice | None = None,
    chips: tuple[int, ...] | None = None,
    signer: str | None = None,
    *,
    wallets: bool = False,
) -> dict[str, Any]:
    """The body of a table's first entry; `signer` is the public key of the house, where it has one.

    With `wallets` chips are the house's money.
    """
    book = layout_of(text).book
    chips = chips or default_chips(book)
    return {
        "stream": secrets.token_hex(STREAM_BYTES),
        "notice": to_data(settled_order(notice or default_notice(book, chips))),
        "chips": list(chips),
        "dice_set": book.dice.dice_set.value,
        "grain": CENTS,
        "dice": dice,
        "program": __version__,
        **({} if signer is None else {"signer": signer}),
        **({"wallets": True} if wallets else {}),
    }
