"""Every library strategy in every house that books its wagers, as a machine and as a player."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from passline.engine.kinds import Line
from passline.errors import UnboundedStrategyError
from passline.house import House
from passline.machine.build import build
from passline.machine.play import Setting
from passline.machine.terms import Seating
from passline.strategies.language.read import library, load

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from passline.machine.machine import Machine
    from passline.strategies.language.strategy import Strategy

UNITS_MAX = 12
"""The table's maximum for a progression without end, in units."""

FIXED = ("pass_flat", "pass_max_odds", "three_point_molly", "place_6_8", "dont_pass_lay", "field")
"""The strategies whose meaning the specification fixes."""


@cache
def house(name: str) -> House:
    """A house, opened once."""
    return House(name)


@cache
def booked(name: str) -> frozenset[str]:
    """The wagers and families that a house books, and where they can be put."""
    layout = house(name).layout
    put = {
        spot.key for spot in layout.spots.values() if isinstance(spot.rule.terms, Line) and spot.rule.terms.put.value
    }
    return frozenset({word for spot in layout.offered() for word in (spot.key, spot.family)} | put)


def is_booked(name: str, strategy: Strategy) -> bool:
    """Whether a house books everything a strategy puts up."""
    return booked(name).issuperset(strategy.wagers)


HOUSES = tuple(each.id for each in House.all())
SIX_POINTS = tuple(each.id for each in House.all() if each.book.points.value == (4, 5, 6, 8, 9, 10))
"""The houses that play the game whose figures everybody knows; a crapless one has figures of its own."""
TOO_LARGE = {"double_tap"}
"""Six progressions that move by themselves: more states than a machine has room for."""
_BOOKED = tuple(
    (name, strategy)
    for name in HOUSES
    for strategy in library()
    if is_booked(name, strategy) and strategy.id not in TOO_LARGE
)
PAIRS = tuple((name, strategy.id) for name, strategy in _BOOKED if not strategy.minds_money)
"""Who can be played where, for as long as anybody likes."""
MINDFUL = tuple((name, strategy.id) for name, strategy in _BOOKED if strategy.minds_money)
"""Who minds the money of the evening, and where: their machines are those of one evening."""


def _in_turn(pairs: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    where = {strategy: [name for name, played in pairs if played == strategy] for _, strategy in pairs}
    return tuple((names[turn % len(names)], strategy) for turn, (strategy, names) in enumerate(where.items()))


IN_TURN, MINDFUL_IN_TURN = _in_turn(PAIRS), _in_turn(MINDFUL)
"""Each strategy in one house, the houses in turn."""


@cache
def maximum(name: str, strategy: str) -> Fraction | None:
    """What a strategy needs for a maximum to have an end: mostly nothing."""
    plays = load(strategy)
    try:
        endless = Setting(plays, Seating(house(name), plays.unit)).plan.endless() is not None
    except UnboundedStrategyError:
        endless = True  # it bets the maximum
    return plays.unit * UNITS_MAX if endless else None


@cache
def machine(name: str, strategy: str) -> Machine:
    """The machine of a strategy in a house, at its own unit."""
    plays = load(strategy)
    return build(plays, Seating(house(name), plays.unit, max_bet=maximum(name, strategy)))


def setting(name: str, strategy: str) -> Setting:
    """The table that the interpreted engine plays the same at."""
    plays = load(strategy)
    return Setting(plays, Seating(house(name), plays.unit, max_bet=maximum(name, strategy)))
