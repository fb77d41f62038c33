"""What the floor sees of the game: who plays on, and whose things go with whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from passline.engine.events import DiceThrown, Event, PlayerLeft, PlayerSat, PuckTurned, SeatCleared, WagerUp
from passline.engine.table import TableState
from passline.floor.state import Floor

K = TypeVar("K")
V = TypeVar("V")


def watch(floor: Floor, table: TableState, events: Iterable[Event]) -> Floor:
    """The floor after these things happened in the game, which has come to this table by them.

    A round is from a come-out to the decision of the line; who has anything up in it plays.
    """
    thrown: DiceThrown | None = None
    turned: int | None = None
    for event in events:
        if isinstance(event, WagerUp):
            if event.seat not in floor.active:
                floor = floor._replace(active=(*floor.active, event.seat), idle=without(floor.idle, event.seat))
        elif isinstance(event, DiceThrown):
            thrown = event
        elif isinstance(event, PuckTurned):
            turned = event.to
        elif isinstance(event, PlayerSat | PlayerLeft | SeatCleared):
            floor = _seat_changed(floor, event.seat)
    if thrown is None or thrown.come_only or not _line_decided(thrown, turned):
        return floor
    idle = {
        number: floor.idle.get(number, 0) + 1
        for number, seat in table.seats.items()
        if number not in floor.active and not seat.felt
    }
    return floor._replace(idle=idle, active=tuple(number for number, seat in table.seats.items() if seat.felt))


def _line_decided(thrown: DiceThrown, turned: int | None) -> bool:
    """Whether a roll ended the round: on a come-out, by setting no point; else by turning the puck off."""
    return turned == 0 if thrown.puck else turned is None


def _seat_changed(floor: Floor, seat: int) -> Floor:
    """What was a player's goes with the player."""
    return floor._replace(
        player_limits=without(floor.player_limits, seat),
        refused=without(floor.refused, seat),
        idle=without(floor.idle, seat),
        active=tuple(number for number in floor.active if number != seat),
        partners=apart(floor.partners, seat),
    )


def apart(groups: tuple[tuple[int, ...], ...], seat: int) -> tuple[tuple[int, ...], ...]:
    """Partners without one of them; nobody is a partner alone."""
    left = (tuple(number for number in group if number != seat) for group in groups)
    return tuple(group for group in left if len(group) > 1)


def without(mapping: Mapping[K, V], key: K) -> Mapping[K, V]:
    """A mapping that has this no more."""
    return {each: value for each, value in mapping.items() if each != key} if key in mapping else mapping
