"""Best play: theorems of red and black, a plain loop that knows no engine, every policy of a small game, and dice."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.best_gpu import plain_tables
from passline import Table, odds_of
from passline.analysis.best import best_play
from passline.errors import ArgumentError
from passline.odds.best.game import Search, State, _error_bound, tables_of
from passline.odds.best.kernels import iterate
from tests.cli.running import refused, run, told

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


@pytest.mark.parametrize(("wealth", "goal"), [(1, 3), (2, 5), (3, 4)])
def test_timid_play_is_best_where_the_dice_favour_the_player(wealth: int, goal: int) -> None:
    """The other theorem: a unit at a time, and the gambler's ruin of Huygens, where seven comes once in seven rolls."""
    wins = odds_of("strip", dice="srr=7")["pass"].p_win
    assert wins > Fraction(1, 2)
    against = (1 - wins) / wins
    value = best_play("strip", ["pass"], bankroll=wealth, goal=goal, dice="srr=7", exact=True).value
    assert value == (1 - against**wealth) / (1 - against**goal)


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_policy_is_a_strategy_at_a_table_and_through_the_engine() -> None:
    """Asked of the dealers bet by bet, the policy ends where its machine does on the same dice."""
    answer = best_play("strip", ["pass", "pass_odds", "place_6"], bankroll=5, goal=9)
    sample = answer.question(400).simulate(sessions=300, seed=11, backend="engine")
    assert [*sample.net] == [*answer.sample(300, seed=11, backend="numpy").net]
    assert sample.endings["rolls"] == 0

    table = Table("strip", notice="min=1 odds=3", chips=[1])
    table.sit(1, "Ann", 5)
    table.sit(2, "Bob", 500)
    table.bet(2, "pass", 5)
    table.follow(1, best_play("strip", ["pass"], bankroll=5, goal=9).player(), 1)
    table.shoot(2)
    table.run(1, [(6, 5)])
    assert table.rail(1) + sum(table.up(1).values()) == 9


def test_growth_bets_what_kelly_would_and_nothing_on_fair_dice() -> None:
    """One bet at even money with an edge of 5 %: the mean logarithm is best with a twentieth of the bankroll."""
    chance = Fraction(104, 198)
    best = max(range(6), key=lambda stake: chance * math.log(40 + stake) + (1 - chance) * math.log(40 - stake))
    answer = best_play("strip", ["pass"], bankroll=40, goal=60, dice="srr=8", maximise="growth", rolls=1)
    assert answer.at(answer.start).then == {"pass": best}
    assert best == 2
    fair = best_play("strip", ["pass"], bankroll=40, goal=60, maximise="growth", rolls=5)
    assert not fair.at(fair.start).then
    assert fair.certain == pytest.approx(40)


def test_money_itself_is_no_reason_to_bet_against_the_house() -> None:
    answer = best_play("strip", ["field"], bankroll=5, goal=9, maximise="utility", aversion=0, rolls=9)
    assert answer.certain == pytest.approx(5)


def test_a_bet_is_taken_down_when_it_has_done_its_work() -> None:
    """Adelaide pays a single unit on 6 as two: one place bet is enough, and the other comes down."""
    answer = best_play("adelaide", ["place_6", "place_8", "pass"], bankroll=5, goal=9)
    assert any(each.say().endswith("take down 1 on place_8.") for each in answer.take_downs())


@pytest.mark.parametrize(
    ("house", "wagers"),
    [("strip", "pass,pass_odds"), ("adelaide", "place_6,place_8"), ("exhibit-a", "dont_pass,dont_pass_odds")],
)
def test_double_precision_knows_how_far_off_it_can_be(house: str, wagers: str) -> None:
    """Also where bets rest on a come-out, and where a bet favours the player."""
    exact = best_play(house, wagers, bankroll=6, goal=12)
    near = best_play(house, wagers, bankroll=6, goal=12, exact=False)
    bound = near.optimum.error_bound
    assert bound is not None
    assert 0 < bound < 1e-10
    assert float(exact.value) - 1e-15 <= float(near.value) + bound
    assert float(near.value) <= float(exact.value) + 1e-15


def test_what_is_below_the_optimum_has_no_bound() -> None:
    """Values that a choice can still raise are not called near."""
    optimum = best_play("strip", "pass", bankroll=6, goal=12, exact=False).optimum
    lower = np.where(optimum.values < 1, optimum.values * 0.999, 1.0)
    start, tables = State(optimum.game.start, 6), tables_of(optimum.game)
    assert _error_bound(optimum.game, tables, lower, start) is None


def test_splits_are_bet_in_the_chips_they_divide_into() -> None:
    """Four units on the horn: 2 and 12 pay 30 for one, 3 and 11 pay 15, and the other three units are lost."""
    answer = best_play("strip", ["horn"], bankroll=4, goal=8)
    assert answer.value == Fraction(6, 36)


def test_the_policy_is_drawn(tmp_path: Path) -> None:
    best_play("strip", ["pass"], bankroll=2, goal=4).chart(tmp_path / "policy.svg")
    assert "point 10" in (tmp_path / "policy.svg").read_text()


def test_a_wager_that_is_never_taken_is_said() -> None:
    with pytest.raises(ArgumentError, match="does not book buy_4"):
        best_play("exhibit-a", ["pass", "buy_4"], bankroll=4, goal=8)


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


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("best", "--wagers", ","), "--wagers: found none"),
        (("best", "--goal", 3000), "--goal: found 3000; expected a whole number up to 2000"),
        (("best", "--bankroll", 1, "--goal", 2, "--simulate", 0), "--simulate: found 0"),
        (
            ("best", "--wagers", "pass", "--bankroll", 1, "--goal", 2, "--maximise", "growth", "--simulate", 5),
            "--maximise: found",
        ),
        (("rare", "pass_flat"), "--bankroll: found none"),
        (("paths", "pass_flat", "--ruin", 2), "--ruin: found 2; expected a chance"),
        (("paths", "pass_flat", "--ruin", "often"), "--ruin: found 'often'"),
        (("rebate", "pass_flat", "--rolls", 1, "--comps", "-1"), "--comps: found -1; expected a share from 0 to 1"),
    ],
)
def test_what_cannot_be_asked_is_said_of_the_option_that_was_typed(words: tuple[object, ...], says: str) -> None:
    assert refused(*words, code=2).startswith(says)


def test_a_wager_named_twice_is_one() -> None:
    assert best_play("strip", "pass, pass", bankroll=1, goal=2).rules.wagers == ("pass",)


def test_who_gives_no_seed_hears_which_it_was() -> None:
    words = ("best", "--house", "strip", "--wagers", "pass", "--bankroll", 2, "--goal", 4, "--simulate", 50)
    (found,) = told(*words)
    (again,) = told(*words, "--seed", found["seed"])
    assert again == found
    assert f"Played 50 times, seed {found['seed']}: " in run(*words, "--seed", found["seed"]).stdout


def test_an_unknown_wager_is_said() -> None:
    with pytest.raises(ArgumentError, match="wagers"):
        best_play("strip", ["passs"], bankroll=1, goal=2)


@pytest.mark.slow
def test_a_game_that_is_too_large_is_refused_before_it_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    goals: list[int] = []

    def explore(self: Search, how: Callable[[Search], Any] = Search.explore) -> object:
        goals.append(self.goal)
        return how(self)

    monkeypatch.setattr(Search, "explore", explore)
    with pytest.raises(ArgumentError, match=r"to 20 units it has 10,000,000 or more, to 11 it may do"):
        best_play("strip", "come,come_odds", bankroll=10, goal=20)
    assert max(goals) <= 5


@pytest.mark.slow
@pytest.mark.parametrize(("wagers", "goal"), [("pass", 100), ("pass,pass_odds", 40)])
def test_a_value_in_double_precision_has_a_bound_that_holds(wagers: str, goal: int) -> None:
    rough = best_play("strip", wagers, bankroll=goal // 2, goal=goal, exact=False)
    bound = rough.optimum.error_bound
    assert bound is not None
    assert bound < 1e-9
    if wagers == "pass":
        assert rough.value - 1e-14 <= PASS <= float(rough.value) + bound


def test_the_game_of_the_bench_laid_out_by_hand_is_the_engines() -> None:
    tables = plain_tables(30)
    opening = np.where(np.arange(tables.limit.max() + 1) >= tables.limit[:, None], 1.0, 0.0)
    values, _, _ = iterate(tables, opening, device="cpu")
    answer = best_play("strip", "pass,pass_odds", bankroll=15, goal=30, exact=False)
    assert len(tables.stakes) == len(answer.optimum.game.positions)
    assert values[0, 1:30] == pytest.approx(answer.optimum.values[answer.optimum.game.start, 1:30], abs=1e-13)


def test_what_a_push_is_worth_is_one_command() -> None:
    """One bet of don't pass: 1/36 of the throws more is a push, and the chance of winning what is decided follows."""
    rules = ("--rule", "wager.dont_pass.bar=3", "--rule", "wager.dont_pass.wins=2,12")
    answer = json.loads(
        run(
            "best", "--house", "strip", "--wagers", "dont_pass", "--bankroll", "1", "--goal", "2", *rules, "--json"
        ).stdout
    )
    # Of 1,980 ways don't pass wins 949 and pushes 55 (barring 12); barring 3, with two ways, 894 and 110.
    assert answer["value"] == str(Fraction(949, 1925))
    assert float(answer["with_rule"]) == pytest.approx(894 / 1870, abs=1e-12)


def test_no_wagers_are_no_question_and_blanks_are_no_names() -> None:
    with pytest.raises(ArgumentError, match="wagers: found none"):
        best_play("strip", [], bankroll=1, goal=2)
    assert (
        best_play("strip", " pass , pass_odds", bankroll=1, goal=3).value
        == best_play("strip", ["pass", "pass_odds"], bankroll=1, goal=3).value
    )
