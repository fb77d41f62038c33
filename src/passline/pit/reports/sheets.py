"""A report as rows under columns: for people, as JSON, and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any, NamedTuple

from passline.errors import ArgumentError
from passline.floor.clock import instant, is_time
from passline.journal.contract import Journal
from passline.journal.entries import read_entry
from passline.live.state import HOUSE_FLOOR, Moment
from passline.pit.history import History

FORMULAS = ("=", "+", "@", "\t")
"""What a spreadsheet takes for the beginning of something to work out."""


class Sheet(NamedTuple):
    """Rows of one report; amounts are text in the table's unit, shares exact ratios."""

    report: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Each row as an object."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"report": self.report, "rows": rows, "notes": list(self.notes)}

    def to_csv(self) -> str:
        """A line of columns, and one for each row."""
        out = StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([_cell(each) for each in row] for row in self.rows)
        return out.getvalue()


def _cell(value: object) -> object:
    """A cell that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULAS) or (text[:1] == "-" and not text[1:2].isdigit()) else text


class Window(NamedTuple):
    """From when to when, both as entries write times; empty: without end."""

    since: str = ""
    until: str = ""

    def has(self, time: str) -> bool:
        """Whether a time is in it: its beginning is, its end is not."""
        after = not self.since or instant(self.since) <= instant(time)
        return after and (not self.until or instant(time) < instant(self.until))


def window(since: str = "", until: str = "") -> Window:
    """A window between two times, each checked."""
    for name, time in (("from", since), ("to", until)):
        if time and not is_time(time):
            raise ArgumentError(name, repr(time), "RFC 3339 in UTC, such as 2026-11-15T20:00:00Z")
    return Window(since, until)


def tables_of(journal: Journal, wanted: Sequence[str] = ()) -> list[str]:
    """The streams that are tables, or those of them that are wanted."""
    found = [name for name in journal.tables() if _is_table(journal, name)]
    for name in wanted:
        if name not in found:
            raise ArgumentError("table", repr(name), f"one of {', '.join(found) or 'none: there is no table'}")
    return list(wanted) or found


def _is_table(journal: Journal, name: str) -> bool:
    first = next(iter(journal.lines(name, 0, 1)), None)
    return first is not None and read_entry(first).kind == "table_opened"


def played_at(tables: Sequence[str]) -> list[str]:
    """Those at which somebody can play: the floor of the house has no takings."""
    return [name for name in tables if name != HOUSE_FLOOR]


def moments(journal: Journal, table: str, within: Window) -> Iterator[Moment]:
    """What happened at a table in a window, entry by entry."""
    return (moment for moment in History(journal, table).more() if within.has(moment.entry.time))
