"""Real rolls held against dice: every chance against SciPy or a count of all cases."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from passline import ask, dice_test, rolls_to_see
from passline.analysis.dice_test import as_far_binomial, binomial_tail, chi_square_tail, runs_as_far, share_interval
from passline.errors import ArgumentError, PasslineError, RecordError
from tests.cli.running import refused, run, told

EXAMPLE = Path("examples/evening-at-sydney.craps")


def test_tails_are_scipys() -> None:
    """Chi-square with odd and even degrees; binomial on both sides; Clopper and Pearson, nothing and everything too."""
    for value in (0.1, 5.0, 40.0, 900.0):
        for freedom in (5, 10, 20, 35):
            assert chi_square_tail(value, freedom) == pytest.approx(stats.chi2.sf(value, freedom), rel=1e-9, abs=1e-290)
    for count in (0, 3, 60, 200):
        for chance in (1 / 6, 0.9):
            lower, upper = (binomial_tail(count, 200, chance, upper=side) for side in (False, True))
            assert lower == pytest.approx(stats.binom.cdf(count, 200, chance), rel=1e-9)
            assert upper == pytest.approx(stats.binom.sf(count - 1, 200, chance), rel=1e-9)
        theirs = stats.binomtest(count, 200).proportion_ci(0.95, "exact")
        assert share_interval(count, 200) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_as_far_or_farther_is_what_binomtest_says() -> None:
    """On both sides of the middle, at it, and at both ends; 97 sevens in 500 rolls are the finding's."""
    for count, of, chance in ((97, 500, 1 / 6), (60, 500, 1 / 6), (83, 500, 1 / 6), (0, 30, 1 / 6), (30, 30, 0.9)):
        theirs = stats.binomtest(count, of, chance).pvalue
        assert as_far_binomial(count, of, chance) == pytest.approx(theirs, rel=1e-7)


def test_runs_counted_over_all_orders() -> None:
    """Every way to put four sevens among ten rolls."""
    orders = [[place in places for place in range(10)] for places in combinations(range(10), 4)]
    runs = [sum(1 for _ in groupby(order)) for order in orders]
    for count in range(2, 10):
        as_rare = {each for each in runs if runs.count(each) <= runs.count(count)}
        assert runs_as_far(count, 4, 6) == pytest.approx(sum(each in as_rare for each in runs) / len(runs))


def test_a_file_of_dice(tmp_path: Path) -> None:
    """Chi-squares as SciPy works them out; the ratio of sevens and its interval."""
    rng = np.random.default_rng(4)
    faces = rng.choice(6, size=(400, 2), p=[0.1, 0.15, 0.15, 0.2, 0.2, 0.2]) + 1
    file = tmp_path / "rolls.csv"
    file.write_text("first,second\n# at noon\n" + "\n".join(f"{a},{b}" for a, b in faces), encoding="utf-8")
    found = dice_test(file)
    by = {fit.name: fit for fit in found.fits}
    seen = [int((faces[:, 0] == face).sum()) for face in range(1, 7)]
    theirs = stats.chisquare(seen)
    assert by["faces of the first die"].statistic == pytest.approx(theirs.statistic)
    assert by["faces of the first die"].p_value == pytest.approx(theirs.pvalue)
    totals = faces.sum(axis=1)
    expected = [400 * (6 - abs(total - 7)) / 36 for total in range(2, 13)]
    theirs = stats.chisquare([int((totals == total).sum()) for total in range(2, 13)], expected)
    assert by["totals"].p_value == pytest.approx(theirs.pvalue)
    assert by["pairs"].freedom == 20
    sevens = int((totals == 7).sum())
    assert (found.sevens, found.srr) == (sevens, Fraction(400, sevens))
    interval = stats.binomtest(sevens, 400, 1 / 6).proportion_ci(0.95, "exact")
    assert found.srr_interval == pytest.approx((1 / interval.high, 1 / interval.low))
    assert dice_test(totals.tolist()).fits == (by["totals"], by["sevens"], by["runs of sevens"])
    own = dice_test(file, dice=["0.1", "0.15", "0.15", "0.2", "0.2", "0.2"])
    assert own.fits[0].p_value > 100 * by["faces of the first die"].p_value


def test_a_record_and_no_seven() -> None:
    """The rolls of a record are those that were called; where no seven fell the ratio has no upper end."""
    (found,) = told("dice-test", EXAMPLE)
    assert found["rolls"] == EXAMPLE.read_text(encoding="utf-8").count("\nroll ")
    none = dice_test([6] * 20)
    assert none.srr is None
    assert none.srr_interval[0] == pytest.approx(1 / (1 - 0.025 ** (1 / 20)))
    assert none.to_json()["srr_interval"][1] is None
    assert "any number" in run("dice-test", "examples/cocked-die.craps").stdout


@pytest.mark.parametrize("dice", ["srr=6.5", "srr=5", "1,1,1,1,1,2"])
def test_how_many_rolls_it_takes(dice: str) -> None:
    """The fence and the power are the binomial's own."""
    found = rolls_to_see(dice, level=0.05, power=0.8)
    fair, other = (
        stats.binom(found.rolls, 1 / 6),
        stats.binom(found.rolls, float(dice_test([7], dice=dice).dice.sevens)),
    )
    assert fair.cdf(found.fewest - 1) <= 0.025 < fair.cdf(found.fewest)
    assert fair.sf(found.most) <= 0.025 < fair.sf(found.most - 1)
    assert found.power == pytest.approx(other.cdf(found.fewest - 1) + other.sf(found.most))
    assert 0.8 <= found.power < 0.83


def test_how_surprising_a_result_is() -> None:
    """One roll of the field: 16 ways to win, of them one double and one triple."""
    law = ask("field", house="strip", unit=1, rolls=1).exact()
    assert (law.p_at_most(-1), law.p_at_most("0.5"), law.p_at_most(-2)) == (Fraction(20, 36), Fraction(20, 36), 0)
    assert (law.p_at_least(2), law.p_at_least("1.5"), law.p_at_least(4)) == (Fraction(2, 36), Fraction(2, 36), 0)
    (found,) = told("exact", "field", "--house", "strip", "--unit", 1, "--rolls", 1, "--result", 2)
    assert found["result"]["p_at_least"] == "1/18"
    assert "--result: found 'lots'" in refused("exact", "field", "--unit", 1, "--rolls", 1, "--result", "lots", code=2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("3,4\n7,1\n", ":2:1: found '7,1'; expected two dice"),
        ("3,4\n5\n", ":2:1: found '5'; expected two dice, as on the lines before"),
        ("7\n13\n", ":2:1: found '13'"),
        ("3,4,5\n", ":1:1: found '3,4,5'"),
        ("three,four\n", ":1:1: found 'three,four'"),
        ("3,4\n3,\n", ":2:1: found '3,'"),
        ("", "no rolls"),
        ("first,second\n", "no rolls"),
        ("3333333333333,4\n", ":1:1"),
    ],
)
def test_files_that_are_no_rolls(tmp_path: Path, text: str, says: str) -> None:
    """Where, what was found and what was expected."""
    file = tmp_path / "rolls.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError) as error:
        dice_test(file)
    assert says in str(error.value)
    assert "rolls.csv" in refused("dice-test", file, code=2)


def test_what_else_is_no_roll() -> None:
    """From Python and from the command line."""
    bad: list[Any] = [3, [3.5], [(1, 7)], [7, (3, 4)], ["7"], [None]]
    for each in bad:
        with pytest.raises(PasslineError):
            dice_test(each)
    with pytest.raises(ArgumentError, match="no roll tells"):
        rolls_to_see("1,1,1,1,1,1")
    with pytest.raises(ArgumentError, match="power"):
        rolls_to_see("srr=7", power=1)
    refused("dice-test", "nowhere.csv", code=2)
    refused("dice-test", code=2)
