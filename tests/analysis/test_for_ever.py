"""Ruin for ever and growth, against the gambler's ruin and Kelly's formula."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

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


@pytest.mark.parametrize("more", [{"stop_win": 20}, {"dice": "srr=9"}])
def test_a_bankroll_below_the_first_bet_is_ruined_at_once(more: dict[str, Any]) -> None:
    assert ruin_for_ever(ask("pass_flat", house="strip", unit=5, bankroll=2, **more)) == 1


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
    p, pays = Fraction(1, 4), 4
    share = float(p - (1 - p) / pays)
    found = growth_of(ask(SEVEN, house="strip", unit=1, dice="srr=4"))
    assert found.share == pytest.approx(share)
    assert found.rate == pytest.approx(0.25 * math.log(1 + 4 * share) + 0.75 * math.log(1 - share))
    assert growth_of(ask(SEVEN, house="strip", unit=1)).share == 0


@pytest.mark.parametrize("rolls", [1, 20, 200])
@pytest.mark.parametrize("bankroll", [None, 200])
def test_kellys_share_is_of_a_decision_whatever_the_evening(rolls: int, bankroll: int | None) -> None:
    """Even money: the edge itself. With odds: the root of the growth's slope over one pass bet, worked out apart."""
    terms: dict[str, Any] = {"house": "strip", "unit": 10, "dice": "srr=8", "rolls": rolls, "bankroll": bankroll}
    p = float(ask("pass_flat", house="strip", unit=1, rolls=1, dice="srr=8").exact().p_ahead)
    flat = growth_of(ask("pass_flat", **terms))
    assert flat.share == pytest.approx(2 * p - 1)
    assert flat.share == pytest.approx(0.0502, abs=5e-5)
    odds = growth_of(ask("pass_345_odds", **terms))
    ways = {total: 6 - abs(7 - total) for total in range(2, 13)}
    chance = {total: (1 / 8 if total == 7 else 7 / 8 * many / 30) for total, many in ways.items()}
    decided = [(1.0, chance[7] + chance[11]), (-1.0, chance[2] + chance[3] + chance[12])]
    for point, times, pays in ((4, 3, 2), (5, 4, 1.5), (6, 5, 1.2), (8, 5, 1.2), (9, 4, 1.5), (10, 3, 2)):
        made = chance[point] / (chance[point] + chance[7])
        decided += [(1 + times * pays, chance[point] * made), (-1.0 - times, chance[point] * (1 - made))]

    def grows(share: float) -> float:
        return sum(often * math.log1p(share * net) for net, often in decided)

    best = max((step / 100_000 for step in range(1, 16_000)), key=grows)
    assert odds.share == pytest.approx(best, abs=1.1e-5)
    assert odds.share == pytest.approx(0.0249, abs=5e-5)
    assert odds.at(odds.share / 2) < odds.rate > odds.at(1.5 * odds.share)
    assert odds.at(0.9) == -math.inf


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
    assert found["for_ever"] == {
        "p_ruin": ruin_for_ever(asked),
        "p_ruin_left_out": None,
        "growth_share": 0.0,
        "growth_per_roll": 0.0,
        "growth_per_roll_at_half": 0.0,
    }
    assert "not in the player's favour" in run(*words).stdout
    assert "5.02% of it (Kelly)" in run(*words, "--dice", "srr=8").stdout
