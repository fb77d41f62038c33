"""A player asks for something on a spot: who, where, and whether this is a moment for it."""

from __future__ import annotations

from typing import NamedTuple

from passline.engine import guards
from passline.engine.layout import Layout, Spot
from passline.engine.refusals import Code, Refusal
from passline.engine.table import Seat, TableState
from passline.engine.values import ClauseId


class Asking(NamedTuple):
    """What the dealers look at when a player asks."""

    layout: Layout
    table: TableState
    number: int
    """The seat's number."""
    seat: Seat
    spot: Spot

    def refuse(self, code: Code, message: str, clause: ClauseId | None = None) -> Refusal:
        """Say no to this player."""
        return Refusal(code, message, clause, self.number)

    def unsettled(self, clause: ClauseId) -> Refusal | None:
        """Why nothing moves now, if nothing does."""
        return guards.unsettled(self.layout, self.table, self.number, clause)

    @property
    def on_its_point(self) -> bool:
        """Whether a flat bet here stands on a point."""
        return bool(self.spot.number or (self.spot.is_line and self.table.puck))


def ask(layout: Layout, table: TableState, number: int, key: str) -> Asking | Refusal:
    """A sitting player names a spot that this house has."""
    refused = guards.absent(table, number)
    if refused:
        return refused
    spot = layout.spots.get(key)
    if spot is None or not spot.rule.offered.value:
        only = layout.book.betting.only_listed if spot is None else spot.rule.offered.clause
        named = key or "a wager without a name"
        return Refusal("wager.not_offered", f"{layout.book.name} does not book {named}.", only, number)
    return Asking(layout, table, number, table.seats[number], spot)


def ask_where_up(layout: Layout, table: TableState, number: int, key: str) -> Asking | Refusal:
    """A sitting player names a spot with chips of their own on it."""
    asked = ask(layout, table, number, key)
    if isinstance(asked, Refusal):
        return asked
    if key not in asked.seat.felt:
        return asked.refuse("wager.not_up", f"Seat {number} has nothing up on {asked.spot.name}.")
    return asked
