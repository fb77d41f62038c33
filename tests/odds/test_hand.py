"""The shooter's hand, exactly."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction
from itertools import islice, pairwise

import pytest

from passline import House, Table
from passline.engine.events import SevenOut
from passline.engine.values import Cited, ClauseId
from passline.odds.hand import hand_of
from tests.odds.houses import house_of

HOUSES = [house.id for house in House.all()]


@pytest.mark.parametrize("house", [house for house in HOUSES if house != "crapless"])
def test_a_hand_is_the_same_in_every_house(house: str) -> None:
    """They all pass the dice on a seven-out and all but the crapless house have six points."""
    shooter = hand_of(House(house))
    assert shooter.mean_rolls == Fraction(1671, 196)
    assert shooter.mean_points == Fraction(67, 98)
    assert shooter.distinct_at_least(4) == Fraction(230470444882074000130253, 21741374240278642986445695)


def test_a_hand_with_ten_points() -> None:
    """By hand: a point is made in 6557/13860 - 1/6 = 4247/13860 of come-outs, lost in 7303/13860; 6/5 rolls set one."""
    shooter = hand_of(House("crapless"))
    assert shooter.mean_points == Fraction(4247, 7303)
    # Rolls until a point is set, then until it is made or missed: 36 / (6 + ways), weighed by the ways of the points.
    lasts = 2 * sum(Fraction(ways, 30) * Fraction(36, 6 + ways) for ways in range(1, 6))
    assert shooter.mean_rolls == (Fraction(36, 30) + lasts) * (1 + shooter.mean_points)


def test_the_moments_of_the_length_are_those_of_its_tail() -> None:
    """The mean is the sum of the tail; six hundred rolls leave nothing that a float could see."""
    shooter = hand_of(House("adelaide"))
    tail = [float(chance) for chance in islice(shooter.tail(), 600)]
    assert sum(tail) == pytest.approx(float(shooter.mean_rolls), rel=1e-12)
    square = sum((2 * rolls + 1) * chance for rolls, chance in enumerate(tail))
    assert square - sum(tail) ** 2 == pytest.approx(float(shooter.variance_rolls), rel=1e-10)


def test_the_tail_falls_and_a_hand_has_two_rolls_at_least() -> None:
    """A seven on the come-out ends nothing."""
    shooter = hand_of(House("adelaide"))
    tail = list(islice(shooter.tail(), 40))
    assert tail[:3] == [1, 1, 1 - Fraction(24, 36) * Fraction(6, 36)]
    assert all(before > after for before, after in pairwise(tail[1:]))
    assert shooter.rolls_more_than(33) == tail[33]


def test_points_made_and_different_points_are_distributions() -> None:
    """Each adds up to one and to its mean; a hand without a point has no different point either."""
    shooter = hand_of(House("adelaide"))
    assert sum(shooter.distinct_points) == 1
    assert len(shooter.distinct_points) == 7
    assert shooter.points(0) == shooter.distinct_points[0]
    assert sum(shooter.points(made) for made in range(5)) + shooter.points_at_least(5) == 1
    assert shooter.mean_points == shooter.p_point_made / (1 - shooter.p_point_made)
    assert shooter.mean_distinct < shooter.mean_points


def test_where_any_loss_on_the_line_passes_the_dice_hands_are_shorter() -> None:
    """An option of the house file, followed to its answer: a come-out craps ends the hand too."""
    book = House("adelaide").book
    strict = replace(book, shooter=replace(book.shooter, passes_on=Cited("any pass loss", ClauseId("X-28"))))
    shooter = hand_of(house_of(strict))
    assert list(islice(shooter.tail(), 2)) == [1, 1 - Fraction(4, 36)]
    # A hand is then a run of pass bets that won, and one that did not: 557/165 rolls each.
    assert shooter.mean_rolls == Fraction(557, 165) / Fraction(251, 495)


def test_hands_thrown_at_the_table_are_as_long() -> None:
    """Two thousand hands through the public table, within four standard errors."""
    table, dice = Table("adelaide"), random.Random(11)
    table.sit(1, "Ann", 10**7)
    lengths: list[int] = []
    rolls = 0
    while len(lengths) < 2_000:
        table.bet(1, "pass", 5)
        answer = table.roll(dice.randint(1, 6), dice.randint(1, 6))
        assert isinstance(answer, tuple)
        rolls += 1
        if any(isinstance(event, SevenOut) for event in answer):
            lengths.append(rolls)
            rolls = 0
        table.history.clear()
    shooter = hand_of(table.house)
    error = (float(shooter.variance_rolls) / len(lengths)) ** 0.5
    assert abs(sum(lengths) / len(lengths) - float(shooter.mean_rolls)) < 4 * error


def test_a_hand_of_a_million_rolls_has_its_median_at_once() -> None:
    """Where fractions would be walked roll by roll for ever, the length is found by doubling; nearby both agree."""
    far, near = hand_of("strip", dice="srr=1000000"), hand_of("strip", dice="srr=20")
    left = 1 - 1 / float(far.mean_rolls)  # a hand that long forgets how it began
    assert abs(far.quantile(0.5) / (math.log(0.5) / math.log(left)) - 1) < 1e-5
    assert [near._far_quantile(1 - chance) for chance in (0.1, 0.5, 0.99)] == [
        near.quantile(chance) for chance in (0.1, 0.5, 0.99)
    ]
