"""What strategies come to in the long run, held against figures worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.machine.build import build
from passline.machine.terms import Seating, Terms
from passline.odds.sessions.distribution import distribution_of
from passline.odds.sessions.long_run import long_run
from passline.odds.wagers import odds_of
from passline.strategies.language.read import load, make
from tests.acceptance.played import SIX_POINTS, house, machine

PASS = Fraction(-7, 495)
"""One unit on the pass line, for each bet made."""
DONT = Fraction(-3, 220)
"""One unit on don't pass with twelve barred, a push counted as a bet made."""
ROLLS_PER_DECISION = Fraction(557, 165)
"""A come-out roll, and with chances 3:4:5 in 36, twice each, the rolls to the point or a seven: 36/9, 36/10, 36/11."""
POINT_ON = 1 - 1 / ROLLS_PER_DECISION
"""The share of rolls that are no come-out: 392/557."""
HANDS_PER_ROLL = Fraction(196, 1671)
"""A hand has 1671/196 rolls."""

MOLLY_FLAT = make(
    {
        "name": "Molly without odds",
        "description": "Her flat bets alone.",
        "want": [
            {"when": "puck off", "up": {"pass": 1}},
            {"when": "puck on and come_points < 2", "up": {"come": 1}},
        ],
    }
)
"""Odds are free where they pay true, so this loses what the whole molly loses, on her flat money alone."""


def a_unit(strategy: str) -> Fraction:
    """What one unit of a strategy is."""
    return load(strategy).unit


@pytest.mark.parametrize("name", SIX_POINTS)
def test_a_pass_bet_costs_seven_in_four_hundred_and_ninety_five(name: str) -> None:
    """Once for each decision, which takes 557/165 rolls."""
    found = long_run(machine(name, "pass_flat"))
    assert found.edge == -PASS
    assert found.net_per_roll == a_unit("pass_flat") * PASS / ROLLS_PER_DECISION
    assert found.hands_per_roll == HANDS_PER_ROLL


@pytest.mark.slow
@pytest.mark.parametrize("name", SIX_POINTS)
def test_true_odds_change_the_spread_and_not_the_mean(name: str) -> None:
    """Maximum odds win and lose the same; a house that pays them short keeps what its own price says."""
    flat, odds = long_run(machine(name, "pass_flat")), long_run(machine(name, "pass_max_odds"))
    lost = sum((_odds_lost(name, "pass_odds", point) for point in (4, 5, 6, 8, 9, 10)), Fraction(0))
    assert lost == 0 or name == "exhibit-a"
    assert odds.net_per_roll == flat.net_per_roll - a_unit("pass_flat") * lost / ROLLS_PER_DECISION
    assert odds.variance_per_roll > flat.variance_per_roll


@pytest.mark.parametrize("name", SIX_POINTS)
def test_laid_odds_change_the_spread_and_not_the_mean(name: str) -> None:
    """Don't pass loses 3/220 a bet; what is laid is free, or what its own price says."""
    found = long_run(machine(name, "dont_pass_lay"))
    lost = sum((_odds_lost(name, "dont_pass_odds", point) for point in (4, 5, 6, 8, 9, 10)), Fraction(0))
    assert lost == 0 or name == "exhibit-a"
    flat = odds_of(house(name))["dont_pass"].mean_net
    assert flat == DONT or name == "sydney"
    assert found.net_per_roll == a_unit("dont_pass_lay") * (flat - lost) / ROLLS_PER_DECISION


def _odds_lost(name: str, wager: str, point: int) -> Fraction:
    """What the maximum odds on a point lose for each come-out, in units of the flat bet."""
    posted = house(name).book.notice.odds.value or {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
    priced = odds_of(house(name))[f"{wager}_{point}"]
    ways = Fraction(6 - abs(7 - point), 36)
    taken = Fraction(posted[point])
    if wager == "dont_pass_odds":
        spot = house(name).spots[f"{wager}"]
        taken /= spot.rate_at(point)
    return -ways * taken * priced.mean_net


@pytest.mark.parametrize("name", SIX_POINTS)
def test_molly_loses_on_her_flat_money_alone(name: str) -> None:
    """Seven in 495 of what is on pass and come, whatever stands behind it, where odds are paid true."""
    flat = long_run(build(MOLLY_FLAT, Seating(house(name), a_unit("three_point_molly"))))
    assert flat.edge == -PASS
    whole = long_run(machine(name, "three_point_molly"))
    assert (whole.net_per_roll == flat.net_per_roll) is (name != "exhibit-a")
    assert whole.hands_per_roll == HANDS_PER_ROLL


@pytest.mark.parametrize("name", SIX_POINTS)
def test_place_six_and_eight_by_its_own_algebra(name: str) -> None:
    """Six units on each while the puck is on: ten ways to win at the house's price, six to lose both."""
    spots = house(name).spots
    wins = sum(Fraction(5, 36) * 6 * spots[key].rate_at(number) for key, number in (("place_6", 6), ("place_8", 8)))
    each_roll = wins - Fraction(6, 36) * 12
    found = long_run(machine(name, "place_6_8"))
    assert found.net_per_roll == a_unit("place_6_8") * POINT_ON * each_roll
    if name != "exhibit-a":
        assert each_roll == Fraction(-1, 18)


@pytest.mark.parametrize("name", SIX_POINTS)
def test_the_field_costs_its_edge_every_roll(name: str) -> None:
    """One in eighteen where two and twelve pay double, one in thirty-six where one of them pays triple."""
    found = long_run(machine(name, "field"))
    assert found.edge == -odds_of(house(name))["field"].mean_net
    assert found.edge == (Fraction(1, 36) if name == "strip" else Fraction(1, 18))
    assert found.action_per_roll == a_unit("field")


ONE_WAGER = {
    "pass_flat": "pass",
    "dont_pass_flat": "dont_pass",
    "place_6_8": "place_6",
    "place_6_8_working": "place_6",
    "buy_4_10": "buy_4",
    "lay_4_10": "lay_4",
    "field": "field",
}
"""Strategies of one price, and the wager that has it."""


@pytest.mark.parametrize("strategy", ONE_WAGER)
@pytest.mark.parametrize("name", SIX_POINTS)
def test_a_strategy_of_one_wager_loses_its_price(name: str, strategy: str) -> None:
    """Action is counted at each decision, so the walk of one bet and the machine of play without end agree."""
    priced = odds_of(house(name)).get(ONE_WAGER[strategy])
    if priced is None:
        pytest.skip(f"{name} does not book {ONE_WAGER[strategy]}")
    assert long_run(machine(name, strategy)).edge == priced.edge_per_bet_made


def test_a_push_is_a_bet_made() -> None:
    """The barred twelve stays up on the strip: with it three in 220, without it twenty-seven in 1925."""
    priced = odds_of(house("strip"))["dont_pass"]
    assert long_run(machine("strip", "dont_pass_flat")).edge == Fraction(3, 220) == priced.edge_per_bet_made
    assert priced.edge_per_bet_resolved == Fraction(27, 1925)


def test_two_rolls_of_the_pass_line_by_hand() -> None:
    """Every way two rolls can go, written out: p_even, say, is a point set and not decided, or a win and a loss."""
    unit = a_unit("pass_flat")
    found = distribution_of(machine("adelaide", "pass_flat"), Terms(2, at_end="face"))
    natural, craps = Fraction(8, 36), Fraction(4, 36)
    points = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
    made = sum(Fraction(ways, 36) ** 2 for ways in points.values())
    missed = Fraction(24, 36) * Fraction(6, 36)
    point = Fraction(24, 36)
    assert found.p_ahead == natural * (natural + point) + made
    assert found.p_behind == craps * (craps + point) + missed
    assert found.p_even == 1 - found.p_ahead - found.p_behind
    assert found.mean == unit * (2 * natural**2 + natural * point + made - 2 * craps**2 - craps * point - missed)
    assert (found.best, found.worst) == (2 * unit, -2 * unit)
    assert found.p_ruin == 0
