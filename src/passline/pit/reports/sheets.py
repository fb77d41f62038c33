"""Reports as rows under columns, for people, as JSON and as CSV; what they are asked about and what they read."""

import tomllib
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from passline.answers import csv_of
from passline.engine.floor_rules import CageHabits
from passline.engine.layout import Layout
from passline.errors import ArgumentError
from passline.floor.acts import FloorEvent
from passline.floor.clock import day_begins, day_of, instant, is_time
from passline.floor.promotions import is_overdue
from passline.floor.state import Drawn
from passline.journal.contract import Entry, Journal, house_file, opening_of, read_entry
from passline.live.books import CAGE
from passline.live.state import HOUSE_FLOOR, Live, Moment, floor_events_of, layout_of
from passline.pit.history import History

LARGE = 100_000  # from how many minor units on a bet, a win or a buy-in is large, where nobody says otherwise

Row = tuple[Any, ...]
Made = Iterator[Row | str]  # what a report is made of: its rows, and notes that stand beneath them


class Report(NamedTuple):
    """A report that can be asked for, as `reports.toml` describes it."""

    title: str
    about: str
    of: tuple[str, ...]  # `tables`, `house`, or both
    columns: dict[str, str]  # each with its words
    notes: tuple[str, ...] = ()


REPORTS = {
    name: Report(**row | {"of": tuple(row["of"]), "notes": tuple(row.get("notes", ()))})
    for name, row in tomllib.loads(Path(__file__).with_name("reports.toml").read_text("utf-8")).items()
}


class Sheet(NamedTuple):
    """Rows of one report; amounts are text in the table's unit, shares exact ratios."""

    report: str
    rows: list[Row]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, report: str, made: Made) -> "Sheet":
        parts = list(made)
        notes = (each for each in parts if isinstance(each, str))
        return cls(report, [each for each in parts if not isinstance(each, str)], (*REPORTS[report].notes, *notes))

    @property
    def columns(self) -> list[str]:
        return list(REPORTS[self.report].columns)

    @property
    def headings(self) -> list[str]:
        return list(REPORTS[self.report].columns.values())

    def to_json(self) -> dict[str, Any]:
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"report": self.report, "rows": rows, "notes": list(self.notes)}

    def to_csv(self) -> str:
        return csv_of(self.columns, self.rows)


class Window(NamedTuple):
    """From when to when, both as entries write times; empty: without end."""

    since: str = ""
    until: str = ""

    def has(self, time: str) -> bool:
        """Whether a time is in it: its beginning is, its end is not."""
        return self.ends_after(time) and (not self.since or instant(self.since) <= instant(time))

    def ends_after(self, time: str) -> bool:
        return not self.until or instant(time) < instant(self.until)


def window(since: str = "", until: str = "") -> Window:
    for name, time in (("from", since), ("to", until)):
        if time and not is_time(time):
            raise ArgumentError(name, repr(time), "RFC 3339 in UTC, such as 2026-11-15T20:00:00Z")
    return Window(since, until)


def gaming_day(journal: Journal, day: str) -> Window:
    """The house's own day that begins on a date, by the book of its floor."""
    cage = layout_at(journal, HOUSE_FLOOR).book.floor.cage if journal.head(HOUSE_FLOOR) else CageHabits()
    try:
        first = day_of(date.fromisoformat(day))
        return Window(day_begins(first, cage), day_begins(first + 1, cage))
    except (ValueError, OverflowError):
        raise ArgumentError("day", repr(day), "a date such as 2026-11-15") from None


class Scope(NamedTuple):
    journal: Journal
    streams: Sequence[str]  # the tables, and the floor of the house where that is asked about too
    within: Window = Window()
    large: int = LARGE
    player: str = ""
    whole_house: bool = True
    now: str = ""  # by when something is overdue where the window has no end; empty: when the last entry was written

    @property
    def games(self) -> list[str]:
        """Those at which somebody can play: the floor of the house has no takings."""
        return [name for name in self.streams if name != HOUSE_FLOOR]

    def moments(self, table: str) -> Iterator[Moment]:
        return (moment for moment in self.history(table) if self.within.has(moment.entry.time))

    def history(self, table: str) -> Iterator[Moment]:
        """What happened at a table up to the end of the window."""
        return takewhile(lambda moment: self.within.ends_after(moment.entry.time), History(self.journal, table).more())

    def layout(self, table: str = HOUSE_FLOOR) -> Layout:
        return layout_at(self.journal, table)

    @property
    def has_floor(self) -> bool:
        return self.journal.head(HOUSE_FLOOR) is not None

    def live(self, table: str = HOUSE_FLOOR) -> Live:
        """A table as it stood at the end of the window, or stands."""
        live = History(self.journal, table).live
        for moment in self.history(table):
            live = moment.after
        return live

    def entries(self, stream: str) -> Iterator[Entry]:
        """A stream up to the end of the window: what is before its beginning says how things stood then."""
        for entry in map(read_entry, self.journal.lines(stream) if self.journal.head(stream) is not None else ()):
            if self.within.ends_after(entry.time):
                yield entry

    def floor_events(self, stream: str = HOUSE_FLOOR) -> Iterator[tuple[Entry, FloorEvent]]:
        for entry in self.entries(stream):
            if entry.kind == "floor_acted":
                for event in floor_events_of(entry):
                    yield entry, event

    def overdue(self) -> Iterator[tuple[Entry, str, str, int, Drawn]]:
        """Winners whom nobody told in time: by which entry of the floor, as of when, of what promotion, which prize."""
        for last in deque(self.history(HOUSE_FLOOR) if self.has_floor else (), maxlen=1):
            rules, now = self.layout().book.promotions, self.within.until or self.now or last.entry.time
            for name, promotion in last.after.floor.promotions.items():
                for number, drawn in promotion.drawn.items():
                    if rules is not None and is_overdue(rules, promotion, drawn, now):
                        yield last.entry, now, name, number, drawn

    def cage_acts(self) -> Iterator[Entry]:
        return (entry for entry in self.entries(CAGE) if entry.kind == "cage_acted")


def scope(journal: Journal, wanted: Sequence[str] = (), within: Window | None = None, **rest: Any) -> Scope:  # noqa: ANN401 - as `Scope` has it
    """The tables that are wanted; of none in particular, the whole house."""
    known = [name for name in journal.tables() if _is_table(journal, name)]
    for name in wanted:
        if name not in known:
            raise ArgumentError("table", repr(name), f"one of {', '.join(known) or 'none: there is no table'}")
    return Scope(journal, list(wanted) or known, within or Window(), whole_house=not wanted, **rest)


def _is_table(journal: Journal, name: str) -> bool:
    first = next(iter(journal.lines(name, 0, 1)), None)
    return first is not None and read_entry(first).kind == "table_opened"


def layout_at(journal: Journal, table: str) -> Layout:
    return layout_of(house_file(journal, opening_of(journal, table)))


def share(part: Fraction | int, whole: int) -> str | None:
    """A share in percent with two decimals; none of nothing."""
    if not whole:
        return None
    hundredths = round(Fraction(part * 10_000) / whole)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02} %"


def looks(*reasons: str) -> str:
    return f"look: {'; '.join(named)}" if (named := [each for each in reasons if each]) else ""
