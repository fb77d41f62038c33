"""What the fire-bonus tests share: the house, opened once, and two ways to come to a table.

table = at("bet pass 10", "roll 4-2")               # seat 1 alone, everything accepted
table, events = dealt("bet field 10", "roll 6-6")   # seat 2 bets the line and shoots
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.house import House
from tests.clauses import table_helpers
from tests.clauses.table_helpers import game, play

if TYPE_CHECKING:
    from collections.abc import Iterable

    from passline.table import Money, Table
    from tests.clauses.table_helpers import Amount, Events

FIRE_BONUS = House("fire-bonus")
"""One house for all tests: a book is never changed."""

POINTS = (4, 5, 6, 8, 9, 10)

MADE = {2: "1-1", 3: "2-1", 4: "3-1", 5: "3-2", 6: "5-1", 7: "6-1", 8: "5-3", 9: "5-4", 10: "6-4", 11: "6-5", 12: "6-6"}
"""A throw for every total, the easy way where there is one."""


def at(*lines: str, notice: str = "min=1", seats: int | Iterable[int] = 1) -> Table:
    """A table after these lines, every one of them accepted."""
    table = game(FIRE_BONUS, notice, seats=seats)
    play(table, *lines)
    return table


def dealt(*lines: str, notice: str = "min=1", chips: Iterable[Money] | None = None) -> tuple[Table, Events]:
    """Seat 1's lines, and what came of the last; seat 2 plays the Pass Line if nobody does."""
    return table_helpers.dealt(FIRE_BONUS, *lines, notice=notice, chips=chips)


def net(*lines: str, notice: str = "min=1", chips: Iterable[Money] | None = None) -> Amount:
    """What seat 1 is up by after these lines."""
    return table_helpers.net(FIRE_BONUS, *lines, notice=notice, chips=chips)


def another(number: int) -> str:
    """A come-out that puts the puck on another number."""
    return "roll 5-3" if number != 8 else "roll 5-1"


def equipment(name: str) -> tuple[object, str]:
    """What the book says of a piece of equipment, with its clause."""
    fact = FIRE_BONUS.book.equipment[name]
    return fact.value, fact.clause
