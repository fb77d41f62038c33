"""A shift on one page: who worked, what was rolled and taken, what was refused and decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from passline.engine.events import DiceThrown, SevenOut
from passline.journal.contract import Journal
from passline.pit.reports.sheets import Sheet, Window, moments
from passline.pit.reports.takings import carried, layout_at

CREW = frozenset(("dealer", "stick", "box", "supervisor", "inspector", "administrator"))


def shift(journal: Journal, tables: Sequence[str], within: Window) -> Sheet:
    """One row for each table: figures of the window, and the names of whoever of the crew did anything."""
    rows = [_row(journal, table, within) for table in tables]
    columns = (
        *("table", "first_entry", "last_entry", "entries", "rolls", "seven_outs", "refusals", "voids", "corrections"),
        *("floor_acts", "drop", "carried_away", "house_win", "players_left", "crew"),
    )
    return Sheet("shift", columns, rows)


def _row(journal: Journal, table: str, within: Window) -> tuple[object, ...]:
    money = layout_at(journal, table).money
    kinds: Counter[str] = Counter()
    people: Counter[str] = Counter()
    first = last = ""
    rolls = sevens = bought = away = won = players = 0
    for entry, before, events, after in moments(journal, table, within):
        first, last = first or entry.time, entry.time
        kinds[entry.kind] += 1
        people[f"{entry.actor} ({entry.role})"] += entry.role in CREW
        rolls += sum(isinstance(event, DiceThrown) for event in events)
        sevens += sum(isinstance(event, SevenOut) for event in events)
        more, less = carried(events)
        bought, away, won = bought + more, away + less, won + after.table.bank - before.table.bank
        players = len(after.table.seats)
    counts = (kinds[kind] for kind in ("refused", "roll_voided", "corrected", "floor_acted"))
    crew = ", ".join(sorted(name for name, acts in people.items() if acts))
    return (table, first, last, kinds.total(), rolls, sevens, *counts, *map(money, (bought, away, won)), players, crew)
