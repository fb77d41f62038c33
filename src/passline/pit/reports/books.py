"""The books of the house by their names: of some tables, or of the whole house."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from passline.journal.contract import Journal
from passline.pit.reports import shift, significant, takings, voids
from passline.pit.reports.sheets import Sheet, Window, played_at, tables_of

Book = Literal["shift", "drop", "hold", "hours", "voids", "events"]
BOOKS: tuple[str, ...] = get_args(Book)


def book(journal: Journal, name: str, wanted: Sequence[str], within: Window, large: int = significant.LARGE) -> Sheet:
    """One of the books, of the tables that are wanted; of none in particular, the whole house's."""
    tables = tables_of(journal, wanted)
    games = played_at(tables)
    match name:
        case "shift":
            return shift.shift(journal, tables, within)
        case "drop":
            return takings.drop(journal, games, within)
        case "hold":
            return takings.hold(journal, games, within)
        case "hours":
            return takings.hold(journal, games, within, "hour")
        case "voids":
            return voids.voids(journal, games, within)
        case _:
            return significant.significant(journal, tables, within, large, house=not wanted)
