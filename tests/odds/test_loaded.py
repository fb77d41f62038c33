"""Dice that are not fair: exact and rolled, against closed forms and sums over all throws."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from passline import ask, hand_of, odds_of
from passline.errors import ArgumentError
from passline.machine.dice import FAIR, dice_of
from passline.sim.dice import alias_table
from tests.cli.running import refused, told
from tests.sim.plain_dice import loaded_throw

FACES = [1, 2, 3, 4, 5, 6]
THROWS = list(product(FACES, FACES))


def totals(weights: list[Fraction]) -> dict[int, Fraction]:
    """The chance of each total."""
    found = dict.fromkeys(range(2, 13), Fraction(0))
    for (first, second), weight in zip(THROWS, weights, strict=True):
        found[first + second] += weight / sum(weights)
    return found


def pass_edge(p: dict[int, Fraction]) -> Fraction:
    """The pass line by its textbook formula."""
    wins = p[7] + p[11] + sum(p[n] * p[n] / (p[n] + p[7]) for n in (4, 5, 6, 8, 9, 10))
    return 1 - 2 * wins


@pytest.mark.parametrize("given", ["3,1,1,1,1,1 1,1,1,1,1,9", [*range(1, 37)]])
def test_edges_follow_their_formulas(given: Any) -> None:  # noqa: ANN401
    """Pass, place and field, for two unlike dice and for any 36 weights."""
    dice = dice_of(given)
    p = totals([Fraction(weight) for weight in dice.weights])
    odds = odds_of("strip", dice=given)
    assert odds["pass"].edge_per_bet_made == pass_edge(p)
    assert odds["place_6"].edge_per_bet_made == 1 - (1 + Fraction(7, 6)) * p[6] / (p[6] + p[7])
    hard = Fraction(dice.weights[21], dice.whole)
    assert odds["hard_8"].p_win == hard / (p[8] + p[7])
    assert ask("pass_flat", house="strip", dice=given).long_run().edge == pass_edge(p)


def test_a_session_is_the_sum_over_all_throws() -> None:
    """Two rolls of place bets at face value: every one of the 1,296 pairs of throws, by its weight."""
    given = [*range(1, 37)]
    law = ask("place_6_8_working", house="strip", unit=1, rolls=2, at_end="face", dice=given).exact(fractions=True)
    chances: dict[Fraction, Fraction] = {}
    for one, two in product(range(36), repeat=2):
        nets = {6: 7, 8: 7, 7: -12}
        net = sum(nets.get(sum(THROWS[number]), 0) for number in (one, two))
        chance = Fraction(given[one] * given[two], 666**2)
        chances[Fraction(net)] = chances.get(Fraction(net), Fraction(0)) + chance
    # A seven takes both bets and they go up again, so the second roll is as the first.
    assert law.chances() == chances
    assert law.terms.dice == dice_of(given)


def test_doubles_agree_with_fractions_and_with_the_long_run() -> None:
    """The three methods weigh throws alike."""
    question = ask("three_point_molly", house="strip", unit=10, rolls=8, dice="srr=13/2", bankroll=60)
    whole, double = question.exact(fractions=True), question.exact(fractions=False)
    assert float(whole.mean) == pytest.approx(double.mean, abs=double.mean_error_bound + 1e-12)
    assert float(whole.p_ruin) == pytest.approx(double.p_ruin, abs=1e-12)
    long = ask("pass_flat", house="strip", rolls=1000, dice="srr=13/2")
    # A session of whole pass bets loses their price on its action, however long it is: this one is transformed.
    law = long.exact(fractions=False)
    assert law.edge == pytest.approx(float(long.long_run().edge or 0), rel=1e-9)


def test_a_hand_by_its_tail() -> None:
    """The mean length is the sum of the tail, and the chance of a short hand is counted by hand."""
    hand = hand_of("strip", dice="srr=6.5")
    p = totals([Fraction(weight) for weight in dice_of("srr=6.5").weights])
    points = [p[n] for n in (4, 5, 6, 8, 9, 10)]
    assert 1 - hand.rolls_more_than(2) == sum(points) * p[7]
    tail = hand.tail()
    assert float(hand.mean_rolls) == pytest.approx(sum(float(next(tail)) for _ in range(600)), rel=1e-9)
    assert hand.p_point_made == sum(each * each / (each + p[7]) for each in points) / sum(points)


def test_boxes_hold_each_throw_by_its_weight() -> None:
    """The shares of all boxes add up to the dice, to less than 2^-63."""
    dice = dice_of([*range(1, 37)])
    boxes = alias_table(dice)
    share = [Fraction(0)] * 36
    for box in range(36):
        own = Fraction(int(boxes.threshold[box]), 2**64)
        share[box] += own / 36
        share[int(boxes.other[box])] += (1 - own) / 36
    assert all(abs(share[each] - dice.chance(each)) < Fraction(1, 2**63) for each in range(36))


@pytest.mark.slow
def test_every_backend_deals_the_same_loaded_dice() -> None:
    """By definition, one at a time; then every backend that is here, histogram for histogram."""
    dice = dice_of("2,1,1,1,1,3")
    tables, rolls = np.repeat(np.arange(5, dtype=np.uint64), 30), np.tile(np.arange(30), 5)
    dealt = alias_table(dice).throws_at(9, tables, rolls)
    assert [loaded_throw(dice, 9, int(t), int(k)) for t, k in zip(tables, rolls, strict=True)] == dealt.tolist()
    question = ask("pass_flat", house="strip", unit=5, rolls=40, bankroll=50, dice=dice)
    rolled = question.simulate(sessions=60, seed=3)
    for backend in ("engine", "numpy", "numba"):
        assert rolled.fingerprint() == question.simulate(sessions=60, seed=3, backend=backend).fingerprint(), backend
    fair = ask("pass_flat", house="strip", unit=5, rolls=40, bankroll=50)
    assert rolled.fingerprint() != fair.simulate(sessions=60, seed=3, backend="numpy").fingerprint()


def test_a_sample_lies_by_its_law() -> None:
    """Twenty thousand sessions on loaded dice, within four standard errors."""
    question = ask("pass_flat", house="strip", unit=5, rolls=30, dice="srr=7")
    scores = question.simulate(sessions=20_000, seed=1).z_scores(question.exact(fractions=False))
    assert max(map(abs, scores.values())) < 4


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("srr=1", "a seven-to-rolls ratio above 1"),
        ("srr=six", "36 weights above 0"),
        ("weight=3", "36 weights above 0"),
        ([1] * 35, "found 35 weights"),
        ([0] + [1] * 35, "found a weight of 0"),
        ([-1] + [1] * 35, "found a weight of -1"),
        (["x"] * 36, "36 weights above 0"),
        ([float("nan")] * 36, "36 weights above 0"),
        ({"seven": 3}, "36 weights above 0"),
        (3, "36 weights above 0"),
        (["0.0000000000001"] + [1] * 35, "weights of too many digits"),
    ],
)
def test_weights_that_are_no_distribution(given: Any, says: str) -> None:  # noqa: ANN401
    """What is wrong with them is said, whoever asks."""
    with pytest.raises(ArgumentError, match=says):
        dice_of(given)


def test_fair_weights_are_fair_dice() -> None:
    """However they are written."""
    assert dice_of("1,1,1,1,1,1") == dice_of(["0.5"] * 36) == dice_of("srr=6") == dice_of(None) == FAIR


def test_the_commands_take_dice() -> None:
    """Said again in their JSON; with the change of every edge where prices are asked for."""
    (law,) = told("exact", "pass_flat", "--house", "strip", "--unit", 5, "--rolls", 1, "--dice", "srr=6.5")
    p = totals([Fraction(weight) for weight in dice_of("srr=6.5").weights])
    assert law["edge"] == law["long_run"]["edge"] == str(pass_edge(p))
    assert "--dice srr=6.5" in law["command"]
    (odds,) = told("odds", "--house", "strip", "--wager", "pass", "--dice", "srr=6.5")
    assert odds["srr"] == "13/2"
    assert odds["wagers"]["pass"]["fair_edge_per_bet_made"] == "7/495"
    assert odds["wagers"]["pass"]["change"] == str(pass_edge(p) - Fraction(7, 495))
    (sample,) = told("simulate", "pass_flat", "--house", "strip", "--rolls", 5, "--sessions", 50, "--dice", "srr=6.5")
    assert sample["terms"]["dice"] == str(dice_of("srr=6.5"))
    assert "--dice: found a weight of 0" in refused("exact", "pass_flat", "--dice", "0,1,1,1,1,1", code=2)
