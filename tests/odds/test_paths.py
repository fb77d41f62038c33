"""The way of a session against every sequence of rolls there is, and against sessions that were watched."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from passline import ask
from passline.analysis.question import Question
from passline.errors import ArgumentError, SessionError
from passline.odds.paths import Path, Paths, paths_of
from passline.odds.sessions.chain import chain_of
from tests.cli.running import run

ROLLS = 5
WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}


def plain(rolls: tuple[int, ...], bankroll: int, goal: int) -> dict[str, int]:
    """One unit on pass, by hand: what a session went through, and how it ended."""
    net = point = peak = fall = losing = longest = behind = 0
    for at, total in enumerate(rolls):
        if bankroll + net < 1:
            return {"peak": peak, "fall": fall, "run": longest, "behind": behind, "ruin": at}
        if not point:
            won = (total in {7, 11}) - (total in {2, 3, 12})
            point = 0 if won else total
        else:
            won = (total == point) - (total == 7)
            point = 0 if won else point
        net += won
        losing = losing + 1 if won < 0 else 0 if won > 0 else losing
        peak, longest, behind = max(peak, net), max(longest, losing), behind + (net < 0)
        fall = max(fall, peak - net)
        if net >= goal:
            return {"peak": peak, "fall": fall, "run": longest, "behind": behind, "goal": at + 1}
    return {"peak": peak, "fall": fall, "run": longest, "behind": behind}


def test_every_path_there_is() -> None:
    """All sequences of five totals, weighed: each distribution is equal as fractions."""
    question = ask("pass_flat", house="strip", unit=1, rolls=ROLLS, bankroll=2, stop_win=2)
    found = paths_of(question.session_machine(), question.terms, fractions=True)
    seen: dict[str, Counter[int]] = {name: Counter() for name in ("peak", "fall", "run", "behind", "ruin", "goal")}
    for rolls in product(WAYS, repeat=ROLLS):
        weight = math.prod(WAYS[total] for total in rolls)
        for name, value in plain(rolls, 2, 2).items():
            seen[name][value] += weight

    def at_least(name: str, path: Path | None) -> None:
        assert path is not None
        for level, chance in zip(path.levels, path.at_least, strict=True):
            ways = sum(count for value, count in seen[name].items() if value >= level)
            assert chance == Fraction(ways, 36**ROLLS), (name, level)

    at_least("peak", found.peak)
    at_least("fall", found.drawdown)
    at_least("run", found.losing_run)
    at_least("behind", found.under_water)
    assert [*found.ruin_by_roll] == [Fraction(seen["ruin"][at], 36**ROLLS) for at in range(ROLLS)]
    assert [*found.goal_by_roll] == [Fraction(seen["goal"][at + 1], 36**ROLLS) for at in range(ROLLS)]
    assert found.peak.mean == Fraction(sum(value * count for value, count in seen["peak"].items()), 36**ROLLS)


def looped(question: Question) -> dict[str, Counter[int]]:
    """The ways of each figure by a plain loop: every path carries all that it went through, ended ones too."""
    terms, chain = question.terms, chain_of(question.session_machine(), with_need=question.terms.bankroll is not None)
    win, loss, floor = terms.in_steps(chain.step, chain.need)
    steps: dict[int, list[tuple[int, int, int]]] = {}
    for source, *step in zip(
        *(each.tolist() for each in (chain.source, chain.target, chain.net, chain.weight)), strict=True
    ):
        steps.setdefault(source, []).append((step[0], step[1], step[2]))
    # State, net, peak, fall, losing rolls it is into, the most of them, rolls behind; state None: it has ended.
    paths: Counter[tuple[int | None, int, int, int, int, int, int]] = Counter({(chain.start, 0, 0, 0, 0, 0, 0): 1})
    seen: dict[str, Counter[int]] = {name: Counter() for name in ("peak", "fall", "run", "behind", "ruin", "goal")}
    for at in range(terms.rolls):
        after: Counter[tuple[int | None, int, int, int, int, int, int]] = Counter()
        for (state, net, peak, fall, into, longest, behind), ways in paths.items():
            if state is None or (short := floor is not None and net < floor[state]) or not chain.playing[state]:
                after[None, net, peak, fall, into, longest, behind] += ways * chain.whole
                if state is not None and short:
                    seen["ruin"][at] += ways * chain.whole ** (terms.rolls - at)
                continue
            for to, paid, weight in steps[state]:
                now = net + paid
                goal, stopped = win is not None and now >= win, loss is not None and now <= loss
                losing = into + 1 if paid < 0 else 0 if paid > 0 else into
                high = max(peak, now)
                key = (None if goal or stopped else to, now, high, max(fall, high - now), losing, max(longest, losing))
                after[*key, behind + (now < 0)] += ways * weight
                if goal:
                    seen["goal"][at + 1] += ways * weight * chain.whole ** (terms.rolls - at - 1)
        paths = after
    for (_, _, peak, fall, _, longest, behind), ways in paths.items():
        for name, value in (("peak", peak), ("fall", fall), ("run", longest), ("behind", behind)):
            seen[name][value] += ways
    return seen


@pytest.mark.parametrize(
    ("strategy", "rolls", "terms"),
    [
        ("pass_odds", 6, {}),
        ("pass_flat", 9, {"bankroll": 3}),
        ("pass_odds", 6, {"bankroll": 6}),
        ("pass_odds", 6, {"stop_win": 4, "stop_loss": 5}),
        ("three_point_molly", 5, {"bankroll": 7, "stop_win": 3}),
        ("field", 5, {"stop_loss": 3}),
    ],
)
def test_a_plain_loop_says_the_same(strategy: str, rolls: int, terms: dict[str, Any]) -> None:
    """Whatever ends a session: equal as fractions, and to twelve places in double precision."""
    question = ask(strategy, house="strip", unit=1, rolls=rolls, **terms)
    seen, whole, step = looped(question), 36**rolls, chain_of(question.session_machine(), with_need=True).step
    exact, near = question.paths(fractions=True), question.paths()

    def at_least(name: str, level: Fraction | int) -> Fraction:
        return Fraction(sum(ways for value, ways in seen[name].items() if value >= level), whole)

    def chances(found: Paths) -> list[tuple[str, Fraction | int, Fraction | float]]:
        figures = {"peak": found.peak, "fall": found.drawdown, "run": found.losing_run, "behind": found.under_water}
        return [
            (name, level / step if name in {"peak", "fall"} else level, chance)
            for name, path in figures.items()
            if path is not None
            for level, chance in zip(path.levels, path.at_least, strict=True)
        ]

    for name, level, chance in chances(exact):
        assert chance == at_least(name, level), (name, level)
    for name, level, chance in chances(near):
        assert chance == pytest.approx(float(at_least(name, level)), abs=1e-12), (name, level)
    for way, name in ((exact.ruin_by_roll, "ruin"), (exact.goal_by_roll, "goal")):
        assert sum(way) == at_least(name, 0)
        assert all(chance == Fraction(seen[name][at], whole) for at, chance in enumerate(way, name == "goal"))


def test_too_many_paths_for_fractions_are_refused_at_once() -> None:
    with pytest.raises(SessionError, match="double precision"):
        ask("three_point_molly", house="strip", rolls=100, bankroll=300).paths(fractions=True)


def test_in_fractions_the_rarest_path_counts() -> None:
    """Nine twelves in a row have a chance below 10 ** -14, and it is part of what is said to be exact."""
    found = ask("field", house="strip", unit=1, rolls=9).paths(fractions=True)
    assert found.peak.complete
    assert (found.peak.levels[-1], found.peak.at_least[-1]) == (27, Fraction(1, 36**9))


def test_the_rows_have_the_means_that_are_said() -> None:
    """The mean of a count is the sum of the chances of at least one, two, three."""
    found = ask("pass_flat", house="strip", unit=5, rolls=12, bankroll=15, stop_win=10).paths(fractions=True)
    for name, mean in (("rolls to ruin", found.time_to_ruin), ("rolls to the goal", found.time_to_goal)):
        chances = {level: chance for what, level, chance in found.table().rows if what == name}
        assert sum(chance for level, chance in chances.items() if level >= 1) / max(chances.values()) == mean


def test_double_precision_says_the_same() -> None:
    question = ask("pass_flat", house="strip", unit=5, rolls=8, bankroll=15, stop_win=10)
    exact, near = question.paths(fractions=True), question.paths()
    for one, other in ((exact.drawdown, near.drawdown), (exact.peak, near.peak), (exact.losing_run, near.losing_run)):
        assert [float(each) for each in one.at_least] == pytest.approx(other.at_least, abs=1e-12)
        assert one.levels == other.levels
    assert near.error_bound < 1e-12


@pytest.mark.slow
def test_watched_sessions_go_the_same_ways() -> None:
    question = ask("three_point_molly", house="strip", unit=5, rolls=40, bankroll=100, stop_win=60)
    found, sample = question.paths(), question.simulate(sessions=100_000, seed=5, watch=100_000)
    for path, counted in ((found.drawdown, sample.drawdown), (found.losing_run, sample.losing_run)):
        counts = {Fraction(value): count for value, count in counted}
        for level, chance in list(zip(path.levels, path.at_least, strict=True))[1:12]:
            share = sum(count for value, count in counts.items() if value >= Fraction(level)) / sample.sessions
            off = math.sqrt(max(float(chance) * (1 - float(chance)), 1e-9) / sample.sessions)
            assert abs(share - float(chance)) < 4.5 * off + 1e-9, (path.name, level)
    assert float(sum(found.ruin_by_roll)) == pytest.approx(float(question.exact(fractions=False).p_ruin), abs=1e-12)


def test_the_bankroll_for_a_chance_of_ruin_is_the_least() -> None:
    question = ask("pass_flat", house="strip", unit=5, rolls=60)
    least = question.bankroll_for(0.05)

    def ruin(money: Fraction) -> float:
        return float(ask("pass_flat", house="strip", unit=5, rolls=60, bankroll=money).exact().p_ruin)

    assert ruin(least) <= 0.05 < ruin(least - 5)
    with pytest.raises(ArgumentError, match="ruin"):
        question.bankroll_for(7)


def test_the_command_says_it_in_words() -> None:
    shown = run("paths", "pass_flat", "--rolls", 20, "--unit", 5, "--bankroll", 20, "--ruin", "0.1").stdout
    assert "deepest fall" in shown
    assert "A bankroll of" in shown


def test_the_roll_that_ends_a_session_may_go_past_its_stops() -> None:
    """Double odds, ten rolls, stops of 30 and 40: figures of a walk over (point, net, peak) written apart from ours."""
    way = ask("pass_odds@odds=2", house="strip", unit=10, rolls=10, stop_win=30, stop_loss=40).paths()
    assert way.peak.mean == pytest.approx(19.627, abs=5e-4)
    assert (way.peak.quantile(0.9), way.peak.quantile(0.99)) == (50, 60)
    assert way.drawdown.mean == pytest.approx(23.720, abs=5e-4)


def test_progress_is_told_while_paths_are_walked() -> None:
    """A question of many levels has a word on the way: how many are walked, of how many there may be."""
    seen: list[tuple[int, int]] = []
    ask("pass_flat", house="strip", unit=5, rolls=10).paths(progress=lambda *now: seen.append(now))
    assert [done for done, _ in seen] == list(range(1, len(seen) + 1))
    assert {total for _, total in seen} == {seen[0][1]}
    assert len(seen) <= seen[0][1]
