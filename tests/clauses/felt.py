"""One house's felt for its clause tests: the house, opened once, and two ways to come to a table.

table = at("bet pass 10", "roll 4-2")               # seat 1 alone, everything accepted
table, events = dealt("bet field 10", "roll 6-6")   # seat 2 bets the line and shoots
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.engine.events import WagerUp, WagerWon
from passline.house import House
from tests.clauses import table_helpers
from tests.clauses.table_helpers import game, only, play, refused, up

if TYPE_CHECKING:
    from collections.abc import Iterable

    from passline.files.amounts import Money
    from passline.table import Table
    from tests.clauses.table_helpers import Amount, Events

POINTS = (4, 5, 6, 8, 9, 10)

MADE = {2: "1-1", 3: "2-1", 4: "3-1", 5: "3-2", 6: "5-1", 7: "6-1", 8: "5-3", 9: "5-4", 10: "6-4", 11: "6-5", 12: "6-6"}
"""A throw for every total, the easy way where there is one."""


def another(number: int) -> str:
    """A come-out that puts the puck on another number."""
    return "roll 5-3" if number != 8 else "roll 5-1"


def with_flat(kind: str, number: int, flat: int = 10) -> tuple[str, ...]:
    """The lines after which a flat bet stands on a number."""
    lines = (f"bet {kind} {flat}", f"roll {MADE[number]}")
    return (another(number), *lines) if kind.endswith("come") else lines


def odds_key(kind: str, number: int) -> str:
    """The odds behind that flat bet."""
    return f"{kind}_odds_{number}" if kind.endswith("come") else f"{kind}_odds"


class Felt:
    """Tables in one house, whose book is never changed."""

    def __init__(self, house: str) -> None:
        self.house = House(house)

    def at(
        self,
        *lines: str,
        notice: str = "min=1",
        seats: int | Iterable[int] = 1,
        chips: Iterable[Money] | None = None,
    ) -> Table:
        """A table after these lines, every one of them accepted."""
        table = game(self.house, notice, chips=chips, seats=seats)
        play(table, *lines)
        return table

    def dealt(self, *lines: str, notice: str = "min=1", chips: Iterable[Money] | None = None) -> tuple[Table, Events]:
        """Seat 1's lines, and what came of the last; seat 2 plays the line if nobody does."""
        return table_helpers.dealt(self.house, *lines, notice=notice, chips=chips)

    def net(self, *lines: str, notice: str = "min=1", chips: Iterable[Money] | None = None) -> Amount:
        """What seat 1 is up by after these lines."""
        return table_helpers.net(self.house, *lines, notice=notice, chips=chips)

    def paid(self, clause: str, wager: str, price: str, *lines: str) -> tuple[Table, WagerWon]:
        """Play lines of which the last wins: by this clause, at this very price, and nothing of it rounded."""
        table, events = self.dealt(*lines)
        won = only(events, WagerWon, wager=wager, seat=1)
        assert (won.clause, str(won.price), won.rounding) == (clause, price, None)
        return table, won

    def booked_with_a_point(self, wager: str, clause: str) -> None:
        """See that a bet is made at any time while a point is on, and on a come-out, the first or a later, is not."""
        for lines in ((), ("roll 6-1",), ("roll 5-4", "roll 6-3"), ("roll 5-4", "roll 6-1")):
            table, _ = self.dealt(*lines)
            no = refused(table, f"bet {wager} 10")
            assert (no.code, no.clause) == ("bet.window", clause)
        for later in ((), ("roll 6-6", "roll 2-2")):
            table, events = self.dealt("roll 5-4", *later, f"bet {wager} 10")
            assert only(events, WagerUp).clause == clause
            assert up(table) == {wager: 10}

    def cited(self, part: str, name: str) -> tuple[object, str]:
        """A fact of the rule book's `about` or `equipment` pages, with its clause."""
        fact = {"about": self.house.book.about, "equipment": self.house.book.equipment}[part][name]
        return fact.value, fact.clause

    def equipment(self, name: str) -> tuple[object, str]:
        """What the book says of a piece of equipment, with its clause."""
        return self.cited("equipment", name)
