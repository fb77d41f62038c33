"""A lab's statistics against what is known exactly."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from passline import ask, hand_of
from passline.analysis.estimates import bootstrap, controlled, dice_verdict, rare, sensitivity
from passline.engine.values import ROLLS
from passline.errors import ArgumentError, SessionError

WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}


def test_a_control_steadies_a_mean() -> None:
    """Pass with odds beside flat pass, whose mean is known: the interval narrows and still holds the exact mean."""
    question = ask("pass_max_odds", house="strip", unit=5, rolls=60)
    found = controlled(question, ask("pass_flat", house="strip", unit=5, rolls=60), sessions=8_000, seed=3)
    exact = float(question.exact(fractions=False).mean)
    assert found.saves > 1.5
    assert abs(found.value - exact) < 3.5 * found.standard_error


def test_a_control_that_no_session_differs_from_gives_no_interval() -> None:
    """A ruin that none of them met: an interval of no width would be a lie about it."""
    free = ask("pass_flat", house="strip", unit=5, rolls=20)
    found = controlled(ask("pass_flat", house="strip", unit=5, rolls=20, bankroll=95), free, sessions=2_000, seed=3)
    assert found.saves == math.inf
    assert "do not tell how far off" in str(found)
    assert "interval" not in str(found)


@pytest.mark.parametrize(
    ("strategy", "rolls", "bankroll", "below"), [("pass_flat", 60, 120, 1e-8), ("three_point_molly", 30, 500, 1e-6)]
)
def test_a_rare_ruin_is_weighed_back_to_its_exact_chance(
    strategy: str, rolls: int, bankroll: int, below: float
) -> None:
    question = ask(strategy, house="strip", unit=5, rolls=rolls, bankroll=bankroll)
    exact = float(question.exact(fractions=False).p_ruin)
    assert 0 < exact < below
    estimate = rare(question, sessions=8_000, seed=5)
    assert abs(estimate.value - exact) < 3.5 * estimate.standard_error
    assert estimate.standard_error < exact / 20
    assert estimate.saves > 1e3


def test_a_ruin_that_is_not_rare_is_its_exact_chance_too() -> None:
    """With a stop on either side, on loaded dice, and by a strategy that ends its own session."""
    stops = {"rolls": 60, "stop_loss": 20, "stop_win": 20, "dice": "srr=5"}
    for terms in ({"rolls": 60, "bankroll": 20}, stops, {"rolls": 40, "hands": 3, "bankroll": 15}):
        question = ask("pass_flat", house="strip", unit=5, **terms)
        estimate, law = rare(question, sessions=20_000, seed=5), question.exact(fractions=False)
        exact = float(law.p_stop_loss if "stop_loss" in terms else law.p_ruin)
        assert abs(estimate.value - exact) < 3.5 * estimate.standard_error


def test_a_hand_of_154_rolls_is_met_as_often_as_is_published() -> None:
    hand = ask("pass_flat", house="strip", hands=1)
    estimate = rare(hand, lasts=154, sessions=2_000, seed=1)
    assert estimate.value == pytest.approx(float(hand_of("strip").rolls_more_than(153)), rel=0.02)
    short = rare(hand, lasts=2, sessions=2_000)
    assert abs(short.value - float(hand_of("strip").rolls_more_than(1))) < 4 * short.standard_error + 1e-12


def test_what_cannot_be_rare_is_refused() -> None:
    with pytest.raises(ArgumentError, match="bankroll"):
        rare(ask("pass_flat", house="strip"))
    with pytest.raises(ArgumentError, match="lasts"):
        rare(ask("pass_flat", house="strip", rolls=20), lasts=21)
    with pytest.raises(SessionError, match="none of 10 sessions"):
        rare(ask("pass_flat", house="strip", unit=5, rolls=4, bankroll=500), sessions=10)


def test_a_bootstrap_holds_the_exact_quantile() -> None:
    question = ask("pass_flat", house="strip", unit=5, rolls=60)
    low, high = bootstrap(question.simulate(sessions=5_000, seed=1), 0.25, seed=2)
    assert low <= question.exact(fractions=False).quantile(0.25) <= high
    with pytest.raises(ArgumentError, match="figure"):
        bootstrap(question.simulate(sessions=100, seed=1), figure="losing_run")


def test_derivatives_of_a_single_bet_are_those_of_its_formula() -> None:
    """Any seven, once: with weights w of 36 it wins 4 by w/36 and loses 1, and one weight more makes it a 37th."""
    question = ask({"name": "seven once", "want": [{"up": {"any_seven": 1}}]}, house="strip", unit=1, rolls=1)
    by_throw = sensitivity(question).by_throw
    sevens = [each for roll, each in zip(ROLLS, by_throw, strict=True) if roll.total == 7]
    others = [each for roll, each in zip(ROLLS, by_throw, strict=True) if roll.total != 7]
    assert sevens == pytest.approx([5 * 30 / 36**2] * 6, abs=1e-9)
    assert others == pytest.approx([-5 * 6 / 36**2] * 30, abs=1e-9)


def test_derivatives_of_any_figure_come_to_nothing_together() -> None:
    """Dice whose weights all grow alike are the same dice; and along loaded ones the figure moves as they say."""
    question = ask("pass_flat", house="strip", unit=5, rolls=12, bankroll=20)
    ruin = sensitivity(question, "p_ruin")
    assert sum(ruin.by_throw) == pytest.approx(0, abs=1e-9)
    weights = [1000 + (roll.total == 7) for roll in ROLLS]
    moved = float(ask("pass_flat", house="strip", unit=5, rolls=12, bankroll=20, dice=weights).exact().p_ruin or 0)
    by_sevens = sum(each for roll, each in zip(ROLLS, ruin.by_throw, strict=True) if roll.total == 7)
    assert moved - ruin.value == pytest.approx(by_sevens / 1000, rel=1e-2)
    with pytest.raises(ArgumentError, match="figure"):
        sensitivity(question, "p_ruined")


def test_on_good_dice_the_verdict_is_a_fair_game() -> None:
    """Over all sequences of three totals the Bayes factor is one on average, so nobody gains by looking often."""
    mean = sum(
        math.prod(WAYS[total] for total in rolls) * dice_verdict(list(rolls)).bayes_factor
        for rolls in product(WAYS, repeat=3)
    )
    assert mean / 36**3 == pytest.approx(1)


def test_on_loaded_dice_that_are_so_as_said_the_verdict_is_a_fair_game() -> None:
    """Over all pairs of two rolls, each as often as loaded dice bring it."""
    weights = [1 + 3 * (roll.total == 7) + roll.first for roll in ROLLS]
    rolls = list(zip(ROLLS, weights, strict=True))
    mean = sum(
        one * other * dice_verdict([first[:2], second[:2]], dice=weights).bayes_factor
        for (first, one), (second, other) in product(rolls, repeat=2)
    )
    assert mean / sum(weights) ** 2 == pytest.approx(1)


def test_one_face_that_falls_too_seldom_is_noticed() -> None:
    random = np.random.default_rng(8)
    seldom = random.choice(6, 2000, p=[0.1, 0.18, 0.18, 0.18, 0.18, 0.18]) + 1
    other = random.integers(1, 7, 2000)
    for rolls in (zip(seldom, other, strict=True), zip(other, seldom, strict=True)):
        verdict = dice_verdict([(int(one), int(two)) for one, two in rolls])
        assert verdict.suspect
        assert verdict.factors["faces"] > 1e3


def test_loaded_dice_are_found_out_and_fair_ones_are_not() -> None:
    random = np.random.default_rng(11)
    fair = [tuple(pair) for pair in random.integers(1, 7, (1500, 2)).tolist()]
    loaded = random.choice([1, 2, 3, 4, 5, 6, 6], (1500, 2)).tolist()
    assert not dice_verdict(fair).suspect
    verdict = dice_verdict([tuple(pair) for pair in loaded])
    assert verdict.suspect
    assert verdict.probability(0.01) > 0.99
    assert dice_verdict(fair).probability() < 0.5
    assert Fraction(verdict.rolls) == 1500
