"""A lab's statistics against what is known exactly."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from passline import ask
from passline.analysis.estimates import bootstrap, controlled, dice_verdict, rare_ruin, sensitivity
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


@pytest.mark.slow
def test_a_ruin_in_ten_thousand_is_seen_on_worse_dice() -> None:
    question = ask("pass_flat", house="strip", unit=5, rolls=60, bankroll=95)
    exact = float(question.exact(fractions=False).p_ruin)
    assert exact < 2e-4
    weights = [2 if a + b in {2, 3, 12} else 1 for a in range(1, 7) for b in range(1, 7)]
    found = rare_ruin(question, weights, sessions=40_000, seed=5)
    assert abs(found.value - exact) < 3.5 * found.standard_error
    assert found.saves > 5
    same = rare_ruin(ask("pass_flat", house="strip", unit=5, rolls=60, bankroll=20), None, sessions=20_000, seed=5)
    law = ask("pass_flat", house="strip", unit=5, rolls=60, bankroll=20).exact(fractions=False)
    assert abs(same.value - float(law.p_ruin)) < 3.5 * same.standard_error
    with pytest.raises(ArgumentError, match="bankroll"):
        rare_ruin(ask("pass_flat", house="strip"), None)
    with pytest.raises(SessionError, match="no session of 10 was ruined"):
        rare_ruin(question, None, sessions=10)


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
