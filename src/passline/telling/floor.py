"""What is said on the floor: every event of it as a sentence, said to somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from passline.floor import events as e
from passline.telling.card import sign

if TYPE_CHECKING:
    from passline.engine.layout import Layout
    from passline.engine.table import TableState
    from passline.floor.events import FloorEvent


def say_floor(layout: Layout, table: TableState, event: FloorEvent, to: int | None = None) -> str:
    """One event of the floor as a sentence, said to the player at seat `to`."""
    told = _sentence(Listener(layout, table, to), event)
    return told[:1].upper() + told[1:]


class Listener:
    """Who hears it, and the words of the house for who and how much."""

    def __init__(self, layout: Layout, table: TableState, to: int | None) -> None:
        """Somebody at a seat of this table, or nobody in particular."""
        self.layout, self.table, self.to = layout, table, to

    def who(self, seat: int) -> str:
        """A player: you, their name, or the seat's number."""
        if seat == self.to:
            return "you"
        return self.table.seats[seat].name if seat in self.table.seats else f"seat {seat}"

    def whose(self, seat: int) -> str:
        """What belongs to a player."""
        return "your" if seat == self.to else f"{self.who(seat)}'s"

    def money(self, amount: int) -> str:
        """An amount for people."""
        return self.layout.money(amount)


def clock(time: str) -> str:
    """A time as a sign at a table shows it: hours and minutes, with the day for who is not there today."""
    return f"{time[11:16]} on {time[:10]} (UTC)"


def _sentence(by: Listener, event: FloorEvent) -> str:
    """How each event is told; the first letter is still small."""
    match event:
        case e.CameOnDuty():
            return f"{event.person} is on duty as {event.title}."
        case e.WentOffDuty():
            return f"{event.person} is off duty."
        case e.LimitsSigned():
            return f"a sign is up: {sign(by.layout, event.notice)} from {clock(event.at)}."
        case e.LimitsChanged():
            return f"{event.by} changes the limits; wagers that are up stand."
        case e.PlayerLimitsSigned():
            limits = f"from {by.money(event.minimum)} to {by.money(event.maximum)}"
            return f"{by.who(event.seat)} may bet {limits} by a sign of {by.whose(event.seat)} own."
        case e.PlayerLimitsLifted():
            return f"the table's limits hold for {by.who(event.seat)} again."
        case _:
            assert_never(event)
