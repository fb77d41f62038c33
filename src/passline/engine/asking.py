"""A player asks for something on a spot: who, where, and whether this is a moment for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from passline.engine.refusals import Refusal

if TYPE_CHECKING:
    from passline.engine.layout import Layout, Spot
    from passline.engine.refusals import Code
    from passline.engine.table import Seat, TableState
    from passline.engine.values import ClauseId


class Ask(NamedTuple):
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

    @property
    def on_its_point(self) -> bool:
        """Whether a flat bet here stands on a point."""
        return bool(self.spot.number or (self.spot.is_line and self.table.puck))


def ask(layout: Layout, table: TableState, number: int, key: str) -> Ask | Refusal:
    """A sitting player names a spot that this house has."""
    seat = table.seats.get(number)
    if seat is None:
        return Refusal("seat.empty", f"Nobody sits at seat {number}.", None, number)
    if seat.away:
        return Refusal("seat.away", f"{seat.name} has left; the wagers at seat {number} run on.", None, number)
    spot = layout.spots.get(key)
    if spot is None or not spot.rule.offered.value:
        only = layout.book.betting.only_listed if spot is None else spot.rule.offered.clause
        return Refusal("wager.not_offered", f"{layout.book.name} does not book {key}.", only, number)
    return Ask(layout, table, number, seat, spot)


def ask_where_up(layout: Layout, table: TableState, number: int, key: str) -> Ask | Refusal:
    """A sitting player names a spot with chips of their own on it."""
    asked = ask(layout, table, number, key)
    if isinstance(asked, Refusal):
        return asked
    if key not in asked.seat.felt:
        return asked.refuse("wager.not_up", f"Seat {number} has nothing up on {asked.spot.name}.")
    return asked


def closed(asked: Ask, clause: ClauseId) -> Refusal | None:
    """Chips move only while betting is open, as `clause` says."""
    phase = asked.table.phase
    if phase == "betting":
        return None
    if phase == "dice out":
        return asked.refuse("phase.dice_out", "The dice are out: nothing moves until the roll is settled.", clause)
    return asked.refuse("phase.disputed", "A face is in doubt: nothing moves until the roll is settled.", clause)
