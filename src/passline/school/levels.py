"""The levels of the school, in the order in which dice schools teach: each has the wagers of one lesson."""

from __future__ import annotations

from passline.engine.kinds import Hardway, Hop, Line, Number, Odds, OneRoll, Split
from passline.engine.layout import Layout, Spot

LEVELS = {
    1: "the line",
    2: "odds on the line",
    3: "come bets and their odds",
    4: "numbers",
    5: "the stick's box",
    6: "side bets",
}
"""What each level is about."""


def level_of(spot: Spot) -> int:
    """The lesson in which a wager is taught."""
    match spot.rule.terms:
        case Line():
            return 1 if spot.is_line else 3
        case Odds():
            return 3 if spot.number else 2
        case Number():
            return 4
        case OneRoll() | Hardway() | Hop() | Split():
            return 5
        case _:  # whatever remembers rolls
            return 6


def levels(layout: Layout) -> tuple[int, ...]:
    """The lessons that a house has wagers for."""
    return tuple(sorted({level_of(spot) for spot in layout.offered()}))


def lesson(layout: Layout, level: int) -> list[Spot]:
    """The spots of one lesson: those that can be asked for, and those where come bets travel to."""
    return [spot for spot in layout.spots.values() if spot.rule.offered.value and level_of(spot) == level]


def so_far(layout: Layout, level: int) -> list[Spot]:
    """The wagers a player can ask for, of this lesson and all before it."""
    return [spot for spot in layout.offered() if level_of(spot) <= level]
