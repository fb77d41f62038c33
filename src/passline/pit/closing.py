"""Closing a table for good: who still has chips there, and what the house's book wants first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.engine import commands as c
from passline.engine.decide import decide
from passline.engine.refusals import Refusal
from passline.errors import LiveTableError
from passline.pit.plans import by_the_house, said

if TYPE_CHECKING:
    from passline.engine.layout import Layout
    from passline.pit.live import Live
    from passline.pit.plans import Ask, Planned


def check_done(name: str, live: Live, layout: Layout, *, hosted: bool) -> None:
    """Nothing is up; at a table for others nobody has chips either, and the floor has closed it by the book."""
    if live.announced is not None or any(seat.felt for seat in live.table.seats.values()):
        raise LiveTableError(f"{name} cannot be closed with wagers up; have them decided or returned")
    if not hosted:
        return
    seats = [f"{seat.name} at seat {number}" for number, seat in sorted(live.table.seats.items()) if seat.rail]
    if seats:
        raise LiveTableError(f"{name} cannot be closed while people have chips: first {', '.join(seats)} must leave")
    first = None if live.table.closing else decide(layout, live.table, c.CloseTable())
    if isinstance(first, Refusal):
        by = f" ({first.clause})" if first.clause else ""
        raise LiveTableError(f"{name} is closed by the floor first, with floor.close. {first.message}{by}")


def closed(ask: Ask | None, time: str) -> Planned:
    """The last entry, by whoever closes the table; by the house where nobody asked."""
    return by_the_house("table_closed", {}, time) if ask is None else said("table_closed", {}, ask)
