"""Ruin for ever and growth, against the gambler's ruin and Kelly's formula."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from passline import ask, growth_of, ruin_for_ever
from passline.errors import ArgumentError, SessionError
from tests.cli.running import run, told

SEVEN = {"name": "Seven", "description": "Any seven.", "want": [{"up": {"any_seven": 1}}]}


@pytest.mark.parametrize("dice", [None, "srr=9"])
def test_the_gamblers_ruin(dice: str | None) -> None:
    """Even money with chance p a decision: six units, four to win; fair dice and dice that favour the player."""
    p = float(ask("pass_flat", house="strip", unit=1, rolls=1, dice=dice).exact().p_ahead)
    ratio = (1 - p) / p
    wins = (1 - ratio**6) / (1 - ratio**10)
    found = ruin_for_ever(ask("pass_flat", house="strip", unit=1, bankroll=6, stop_win=4, dice=dice))
    assert found == pytest.approx(1 - wins)


@pytest.mark.parametrize(("dice", "bankroll"), [("srr=9", 6), ("srr=9", 100), ("srr=6.5", 20)])
def test_the_gamblers_ruin_without_a_stop(dice: str, bankroll: int) -> None:
    """Even money that favours the player: each unit at hand makes ruin less likely by the same factor."""
    p = float(ask("pass_flat", house="strip", unit=1, rolls=1, dice=dice).exact().p_ahead)
    found = ruin_for_ever(ask("pass_flat", house="strip", unit=1, bankroll=bankroll, dice=dice))
    assert found == pytest.approx(((1 - p) / p) ** bankroll, rel=1e-8)


def test_ruin_by_losses_of_one_and_wins_of_four() -> None:
    """From one unit ruin comes with r = 3/4 + r^5 / 4, from ten with its tenth power; a stop makes it less."""
    r = 0.5
    for _ in range(200):
        r = 0.75 + 0.25 * r**5
    near, far, found = (
        ruin_for_ever(ask(SEVEN, house="strip", unit=1, bankroll=10, dice="srr=4", stop_win=stop))
        for stop in (20, 40, None)
    )
    assert found == pytest.approx(r**10)
    assert near < far < found


def test_without_a_stop_every_losing_game_ends_in_ruin() -> None:
    """And without a bankroll none does."""
    assert ruin_for_ever(ask("field", house="strip", unit=1, bankroll=50)) == 1
    with pytest.raises(ArgumentError, match="bankroll"):
        ruin_for_ever(ask("pass_flat"))
    with pytest.raises(SessionError, match="too many"):
        ruin_for_ever(ask("pass_flat", house="strip", unit=1, bankroll=9000, stop_win=9000))


def test_kellys_share() -> None:
    """A bet at four to one that wins with p: the edge over the odds, and its growth."""
    law = ask(SEVEN, house="strip", unit=1, rolls=1, dice="srr=4").exact()
    p, pays = Fraction(1, 4), 4
    share = float(p - (1 - p) / pays)
    found = growth_of(law)
    assert found.share == pytest.approx(share)
    assert found.rate == pytest.approx(0.25 * math.log(1 + 4 * share) + 0.75 * math.log(1 - share))
    assert growth_of(ask(SEVEN, house="strip", unit=1, rolls=1).exact()).share == 0


def test_the_command() -> None:
    """Beside the evening, in JSON and in words."""
    words = (
        "exact",
        "pass_flat",
        "--house",
        "strip",
        "--unit",
        1,
        "--rolls",
        3,
        "--bankroll",
        6,
        "--stop-win",
        4,
        "--for-ever",
    )
    (found,) = told(*words)
    asked = ask("pass_flat", house="strip", unit=1, bankroll=6, stop_win=4)
    assert found["for_ever"] == {"p_ruin": ruin_for_ever(asked), "growth_share": 0.0, "growth_rate": 0.0}
    assert "(Kelly)" in run(*words).stdout
