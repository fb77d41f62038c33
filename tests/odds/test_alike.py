"""States that differ only by numbers nothing tells apart are walked once, and the price is the same fraction."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from passline import House
from passline.machine.dice import FAIR, dice_of
from passline.odds.hand import puck_of
from passline.odds.wagers.walk import Alike, Walks

if TYPE_CHECKING:
    from passline.engine.layout import Layout
    from passline.odds.wagers.walk import Walk

HARD_FOURS = [2 if throw == 7 else 1 for throw in range(36)]
"""2-2 twice as often as any other throw."""
EASY_FOURS = [2 if throw in {2, 12, 28, 33} else 1 for throw in range(36)]
"""1-3 and 3-1 twice as often, and 5-5 and 6-4: 4 and 10 come equally often, but not equally hard."""


def apart(layout: Layout) -> Layout:
    """The same felt, where no wager says that anything is alike."""
    return replace(layout, spots={key: replace(spot, alike=()) for key, spot in layout.spots.items()})


def told(walk: Walk) -> tuple[object, ...]:
    """All that a walk finds out."""
    return dict(walk.endings), walk.rolls_working, walk.rolls_all, set(walk.clauses)


@pytest.mark.parametrize(
    "given", [None, "srr=6.5", HARD_FOURS, EASY_FOURS, "1,1,1,1,1,2"], ids=["fair", "srr", "hard", "easy", "six"]
)
@pytest.mark.parametrize(
    ("house", "wagers"),
    [
        ("strip", ("all_small", "sizzling_six", "different_doubles", "sharp_shooter")),
        ("fire-bonus", ("fire", "all_tall")),
    ],
)
def test_nothing_changes_but_the_work(house: str, wagers: tuple[str, ...], given: str | list[int] | None) -> None:
    """Whatever the dice."""
    layout, dice = House(house).layout, dice_of(given)
    quick, slow = Walks(layout, dice), Walks(apart(layout), dice)
    for wager in wagers:
        assert told(quick[wager]) == told(slow[wager])


@pytest.mark.slow
def test_replay_state_by_state() -> None:
    """Nineteen thousand states, and the four thousand that stand for them."""
    layout = House("strip").layout
    assert told(Walks(layout)["replay"]) == told(Walks(apart(layout))["replay"])


def test_what_stands_for_others() -> None:
    """4 and 10 are exchanged with the puck; 4 and 5 are not, and dice that favour a hard 4 tell it from a 10."""
    layout = House("strip").layout
    spot, puck = layout.spots["replay"], puck_of(layout)
    fair = Alike(spot, puck, FAIR)
    fours = 0b11 + 1
    tens = (0b11 << spot.counts.index(10)) + 1
    fives = (0b11 << spot.counts.index(5)) + 1
    assert fair.first(fours, 10) == fair.first(tens, 4) != fair.first(tens, 10) == fair.first(fours, 4)
    assert fair.first(fours, 6) == fair.first(tens, 8)
    assert fair.first(fours, 0) != fair.first(fives, 0)
    for dice in (HARD_FOURS, EASY_FOURS):
        loaded = Alike(spot, puck, dice_of(dice))
        assert loaded.first(fours, 0) != loaded.first(tens, 0)
        assert loaded.first(fives, 0) == loaded.first((0b11 << spot.counts.index(9)) + 1, 0)
