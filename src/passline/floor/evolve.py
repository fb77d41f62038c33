"""Events become the next floor: its own, and those of the game that it watches."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, assert_never

from passline.engine.events import PlayerLeft, PlayerSat, SeatCleared
from passline.floor import events as e
from passline.floor.names import folded
from passline.floor.state import LimitsSign, PlayerLimits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from passline.engine.events import Event
    from passline.floor.events import FloorEvent
    from passline.floor.state import Floor

K = TypeVar("K")
V = TypeVar("V")


def evolve(floor: Floor, events: Iterable[FloorEvent]) -> Floor:
    """The floor after these things happened on it."""
    for event in events:
        floor = _after(floor, event)
    return floor


def _after(floor: Floor, event: FloorEvent) -> Floor:
    match event:
        case e.CameOnDuty():
            return floor._replace(duty={**floor.duty, folded(event.person): event.title})
        case e.WentOffDuty():
            return floor._replace(duty=without(floor.duty, folded(event.person)))
        case e.LimitsSigned():
            return floor._replace(limits_sign=LimitsSign(event.notice, event.at, event.since))
        case e.LimitsChanged():
            return floor._replace(limits_sign=None)
        case e.PlayerLimitsSigned():
            own = {event.seat: PlayerLimits(event.minimum, event.maximum)}
            return floor._replace(player_limits={**floor.player_limits, **own})
        case e.PlayerLimitsLifted():
            return floor._replace(player_limits=without(floor.player_limits, event.seat))
        case _:
            assert_never(event)


def without(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    """A mapping that has this no more."""
    return {each: value for each, value in mapping.items() if each != key}


def watch(floor: Floor, events: Iterable[Event]) -> Floor:
    """The floor after these things happened in the game: what was a player's goes with the player."""
    for event in events:
        if isinstance(event, PlayerSat | PlayerLeft | SeatCleared) and event.seat in floor.player_limits:
            floor = floor._replace(player_limits=without(floor.player_limits, event.seat))
    return floor
