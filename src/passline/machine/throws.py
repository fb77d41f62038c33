"""Throws that nothing tells apart: two dice have no order in any rule, and most wagers look at their total alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from passline.engine.layout import Layout, Row
from passline.engine.settle import works
from passline.engine.table import TableState
from passline.engine.values import ROLLS
from passline.machine.play import OURS

PAIRS = tuple(roll for roll in ROLLS if roll.first >= roll.second)
"""The 21 throws of two dice that nobody tells apart."""

COLUMN = tuple(
    PAIRS.index(roll if roll.first >= roll.second else type(roll)(roll.second, roll.first)) for roll in ROLLS
)
"""For each of the 36 throws, its pair."""


def throws(layout: Layout, table: TableState) -> Iterable[tuple[int, Sequence[int]]]:
    """One throw for each set of columns that no wager of ours tells apart."""
    spots, puck = layout.spots, table.puck
    rows = [
        row
        for key, wager in table.seats[OURS].felt.items()
        if _splits_totals(row := spots[key].row(wager.mark, puck, works=works(spots[key], wager, puck)))
    ]
    if not rows:
        return BY_TOTAL
    groups: dict[tuple[int, ...], list[int]] = {}
    for column, roll in enumerate(PAIRS):
        groups.setdefault((roll.total, *(id(row[roll.throw]) for row in rows)), []).append(column)
    return [(PAIRS[columns[0]].throw, columns) for columns in groups.values()]


def _by_total() -> tuple[tuple[int, tuple[int, ...]], ...]:
    groups: dict[int, list[int]] = {}
    for column, roll in enumerate(PAIRS):
        groups.setdefault(roll.total, []).append(column)
    return tuple((PAIRS[columns[0]].throw, tuple(columns)) for columns in groups.values())


BY_TOTAL = _by_total()
"""For each total, one throw that makes it and all its columns."""


def _splits_totals(row: Row) -> bool:
    """Whether a wager's verdict can differ between two throws of one total, as a hardway's does."""
    return any(row[PAIRS[column].throw] is not row[throw] for throw, columns in BY_TOTAL for column in columns[1:])
