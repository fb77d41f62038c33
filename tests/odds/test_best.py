"""Best play: theorems of red and black, a plain loop that knows no engine, every policy of a small game, and dice."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product

import pytest

from passline.errors import ArgumentError
from passline.odds.best.play import best_play
from tests.cli.running import run

PASS = Fraction(244, 495)
TIMES = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
PAYS = {4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)}


def bold(wealth: int, goal: int, depth: int = 40) -> Fraction:
    """The chance of bold play at even money: stake all, or what is missing (Dubins and Savage)."""
    if wealth <= 0 or wealth >= goal:
        return Fraction(wealth >= goal)
    if not depth:
        raise AssertionError("the chain of bold play from this wealth has no end")
    stake = min(wealth, goal - wealth)
    return PASS * bold(wealth + stake, goal, depth - 1) + (1 - PASS) * bold(wealth - stake, goal, depth - 1)


@pytest.mark.parametrize("wealth", [1, 3, 5, 8, 11, 15])
def test_bold_play_is_best_at_even_money(wealth: int) -> None:
    """In a game against the player nobody does better than the bold, and by exactly so much."""
    assert best_play("strip", ["pass"], bankroll=wealth, goal=16).value == bold(wealth, 16)


def plain(bankroll: int, goal: int) -> float:
    """Pass and odds in whole units, iterated by hand: no engine, no put bets, no positions."""
    values = [0.0] * goal + [1.0] * (20 * goal)

    def with_point(wealth: int, flat: int, point: int) -> float:
        ways, (top, bottom) = 6 - abs(7 - point), PAYS[point]
        return max(
            (ways * values[wealth + flat + odds * top // bottom] + 6 * values[wealth - flat - odds]) / (ways + 6)
            for odds in range(min(TIMES[point] * flat, wealth - flat) + 1)
        )

    for _ in range(400):
        for wealth in range(1, goal):
            for flat in range(1, wealth + 1):
                value = 8 * values[wealth + flat] + 4 * values[wealth - flat]
                value += sum((6 - abs(7 - point)) * with_point(wealth, flat, point) for point in TIMES)
                values[wealth] = max(values[wealth], value / 36)
    return values[bankroll]


def test_pass_and_odds_agree_with_a_plain_loop() -> None:
    """The same optimum from a program that shares nothing with the engine."""
    answer = best_play("strip", ["pass", "pass_odds"], bankroll=6, goal=12)
    assert answer.optimum.exact is not None
    assert float(answer.value) == pytest.approx(plain(6, 12), abs=1e-12)


def test_no_policy_of_a_small_game_is_better() -> None:
    """Every stake in every wealth, tried out: the field at Adelaide from 2 to 4."""
    answer = best_play("adelaide", ["field"], bankroll=2, goal=4)
    pays = {2: 2, 12: 2} | dict.fromkeys((3, 4, 9, 10, 11), 1)
    best = 0.0
    for stakes in product((1,), (1, 2), (1, 2, 3)):
        chance = [0.0] * 4 + [1.0] * 8
        for _ in range(600):
            for wealth, stake in enumerate(stakes, 1):
                outcomes = (
                    (6 - abs(7 - total)) * chance[wealth + stake * pays[total] if total in pays else wealth - stake]
                    for total in range(2, 13)
                )
                chance[wealth] = sum(outcomes) / 36
        best = max(best, chance[2])
    assert float(answer.value) == pytest.approx(best, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("house", "wagers"),
    [("strip", ["pass", "pass_odds"]), ("sydney", ["dont_pass"]), ("adelaide", ["place_6", "place_8"])],
)
def test_a_policy_does_on_dice_what_it_promises(house: str, wagers: list[str]) -> None:
    answer = best_play(house, wagers, bankroll=6, goal=14)
    sessions, value = 200_000, float(answer.value)
    deviation = math.sqrt(value * (1 - value) / sessions)
    assert abs(answer.simulate(sessions, seed=20261116) - value) < 3 * deviation


def test_a_horizon_is_worked_out_to_the_last_roll() -> None:
    """One come-out roll wins at once with 8 of 36; two rolls also with what a point then makes."""
    assert best_play("strip", ["pass"], bankroll=1, goal=2, rolls=1).value == Fraction(8, 36)
    made = sum(Fraction(ways, 36) * Fraction(ways, 36) for ways in (3, 4, 5, 5, 4, 3))
    assert best_play("strip", ["pass"], bankroll=1, goal=2, rolls=2).value == max(
        Fraction(8, 36) + made, Fraction(8, 36)
    )


def test_playing_longest_keeps_something_up() -> None:
    answer = best_play("strip", ["pass", "field"], bankroll=3, goal=6, maximise="rolls")
    assert answer.value > best_play("strip", ["field"], bankroll=3, goal=6, maximise="rolls").value > 3
    assert all(each.then for each in answer.advice())


def test_advice_is_a_sentence() -> None:
    answer = best_play("strip", ["pass", "pass_odds"], bankroll=6, goal=11)
    point = next(each for each in answer.advice() if each.puck == 4 and "pass_odds" in each.then)
    assert point.say().startswith(f"With {point.wealth} and the point on 4 and ")


def test_the_command_says_the_fraction() -> None:
    told = json.loads(
        run("best", "--house", "strip", "--wagers", "pass", "--bankroll", 2, "--goal", 4, "--json").stdout
    )
    assert (told["value"], told["exact"]) == ("244/495", True)
    assert told["policy"][1]["then"] == {"pass": 2}


@pytest.mark.parametrize(("bankroll", "goal"), [(5, 5), (0, 5), (1, 9_999)])
def test_what_is_no_goal_is_said(bankroll: int, goal: int) -> None:
    with pytest.raises(ArgumentError, match=r"goal|bankroll"):
        best_play("strip", ["pass"], bankroll=bankroll, goal=goal)


def test_an_unknown_wager_is_said() -> None:
    with pytest.raises(ArgumentError, match="wagers"):
        best_play("strip", ["passs"], bankroll=1, goal=2)
