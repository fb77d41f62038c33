"""A table in words, as it stands: puck, dice, rails and what is up."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from passline.engine.layout import Layout
from passline.engine.table import TableState, Wager
from passline.floor.acts import FloorEvent, Listener
from passline.telling.card import sign
from passline.telling.figures import listed
from passline.telling.names import came, tally


def puck_line(state: TableState) -> str:
    puck = f"ON {state.puck}" if state.puck else "OFF"
    shooter = "No shooter" if state.shooter is None else f"Shooter: {state.seats[state.shooter].name}"
    return f"Puck {puck}. {shooter}."


def seat_lines(layout: Layout, state: TableState, *, keys: bool = False) -> Iterator[str]:
    """A line for each seat: its rail, and its wagers by the house's names or by their keys."""
    for number, seat in state.seats.items():
        up = ", ".join(_wager(layout, key, wager, keys=keys) for key, wager in seat.felt.items())
        name = f"{seat.name} (away)" if seat.away else seat.name
        yield f"  {number} {name}: {layout.money(seat.rail)} on the rail; {up or 'no bets'}"


def _wager(layout: Layout, key: str, wager: Wager, *, keys: bool) -> str:
    """A wager with what the dealers see beside its chips: a button, commission held, the numbers that have come."""
    stake = layout.money(wager.stake)
    if keys:
        return f"{key} {stake}" + f" {wager.call or ''}".rstrip()
    spot = layout.spots[key]
    beside: list[str] = [wager.call] if wager.call else []
    beside += [f"commission {layout.money(wager.held)}"] if wager.held else []
    counted = tally(spot, wager.mark)
    beside += [f"has {listed(came(counted[0]))}"] if counted and counted[0] else []
    return f"{stake} on {spot.name}" + (f" ({', '.join(beside)})" if beside else "")


def listener(layout: Layout, table: TableState, seat: int | None = None) -> Listener:
    return Listener(layout, table, seat, partial(sign, layout))


def say_floor(layout: Layout, table: TableState, event: FloorEvent, to: int | None = None) -> str:
    """One event of the floor as a sentence, said to the player at seat `to`."""
    sentence = event.say(listener(layout, table, to))
    return sentence[:1].upper() + sentence[1:]


def readings_differ(readings: Iterable[Mapping[str, Any]]) -> str:
    read = " and ".join(f"{each['actor']} read {'-'.join(map(str, each['dice']))}" for each in readings)
    return f"{read}. The roll is held: look at the dice again, and both read them anew."
