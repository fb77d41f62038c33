"""A run: equal questions have equal answers, and slips are refused in words."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from passline.errors import SessionError
from passline.machine.terms import Terms
from passline.sim import Progress, Sample, game_of, simulate
from passline.sim.backends.vector import NumpyBackend
from tests.sim.machines import interpreted, rolled
from tests.sim.yardstick import molly

if TYPE_CHECKING:
    from passline.machine.machine import Machine

RULES: list[dict[str, Any]] = [
    {},
    {"bankroll": 300},
    {"bankroll": "300.50", "stop_win": Fraction(401, 2), "stop_loss": Decimal("250.25")},
    {"hands": 3},
    {"bankroll": 10**40, "stop_win": 10**40, "stop_loss": 10**40, "hands": 10**9},
]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let even a short run come in several batches."""
    monkeypatch.setattr("passline.sim.backends.vector.BATCH", 96)
    pytest.importorskip("numba")
    monkeypatch.setattr("passline.sim.backends.vector.ROLLS_PER_BATCH", 64 * 150)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_backends_threads_and_batches_do_not_matter(rules: dict[str, Any]) -> None:
    """The same question has the same answer, to the last count."""
    ask: dict[str, Any] = {"sessions": 220, "rolls": 150, "seed": 5, "watch": 90, **rules}
    runs = [
        rolled(molly(), backend="numba", threads=1, **ask),
        rolled(molly(), backend="numba", threads=3, **ask),
        rolled(molly(), backend="numpy", threads=2, **ask),
        rolled(interpreted(molly()), **ask),
    ]
    assert {run.backend for run in runs} == {"numba", "numpy", "engine"}
    assert len({run.fingerprint() for run in runs}) == 1
    first = runs[0]
    assert all(run.net == first.net and run.ruin == first.ruin for run in runs)
    assert first.net.total == first.sessions == sum(first.endings.values()) == 220
    assert first.watched == first.drawdown.total == 90


@pytest.mark.slow
def test_an_executor_that_is_handed_in_gives_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes, which share no memory and no flag; pieces of one session grow as they come back soon."""
    monkeypatch.setattr("passline.sim.run.ROLLS_AT_FIRST", 1)
    ask: dict[str, Any] = {"sessions": 400, "rolls": 50, "seed": 5, "bankroll": 300, "watch": 9, "backend": "numpy"}
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        away = rolled(molly(), executor=pool, threads=2, **ask)
    assert away.fingerprint() == rolled(molly(), **ask).fingerprint()


def test_watching_more_changes_only_what_is_watched() -> None:
    """The watched sessions are the first of the same sessions, not others."""
    few, all_of_them = (simulate(molly(), Terms(60, bankroll=200), sessions=300, watch=watch) for watch in (10, 300))
    assert few.net == all_of_them.net
    assert few.ruin == all_of_them.ruin
    assert (few.rolls, few.hands, few.endings) == (all_of_them.rolls, all_of_them.hands, all_of_them.endings)
    assert few.fan.paths == all_of_them.fan.paths[:10]


def test_another_seed_gives_other_dice() -> None:
    """Seeds matter, all 64 bits of them."""
    runs = [simulate(molly(), Terms(50), sessions=50, seed=seed) for seed in (0, 1, 1 << 32, 2**64 - 1)]
    assert len({tuple(run.net) for run in runs}) == len(runs)


@pytest.mark.slow
def test_mean_agrees_with_the_exact_one() -> None:
    """Within four standard errors of what the matrix says, mean and variance propagated exactly enough."""
    machine, rolls = molly(), 200
    mean, variance = propagated(machine, rolls)
    result = simulate(machine, Terms(rolls), sessions=200_000, seed=2)
    assert abs(result.z_score(mean, variance)) < 4
    assert float(result.variance) == pytest.approx(variance, rel=0.02)
    low, high = result.interval
    assert low < float(result.mean) < high


def propagated(machine: Machine, rolls: int) -> tuple[float, float]:
    """Mean and variance of the net after so many rolls: moments pushed through the states, roll by roll."""
    weight = machine.weight / 36
    mass, first, second = (np.zeros(machine.states) for _ in range(3))
    mass[machine.start] = 1
    for _ in range(rolls):
        after = [np.zeros(machine.states) for _ in range(3)]
        for column, chance in enumerate(weight):
            to, net = machine.next[:, column], machine.net[:, column]
            np.add.at(after[0], to, chance * mass)
            np.add.at(after[1], to, chance * (first + mass * net))
            np.add.at(after[2], to, chance * (second + 2 * first * net + mass * net**2))
        mass, first, second = after
    return float(first.sum()), float(second.sum() - first.sum() ** 2)


def test_limits_between_two_minor_units_are_rounded_so_that_nothing_changes() -> None:
    """With a minor unit of 1/3, 10 is 30 minor units exactly and 10.10 lies between 30 and 31."""
    minor_unit = Fraction(1, 3)
    machine = replace(molly(), minor_unit=minor_unit)
    exact = game_of(machine, Terms(1, bankroll=10, stop_win=10, stop_loss=10)).limits
    assert (exact.bank, exact.win, exact.loss) == (30, 30, 30)
    between = game_of(machine, Terms(1, bankroll="10.10", stop_win="10.10", stop_loss="10.10")).limits
    assert (between.bank, between.win, between.loss) == (30, 31, 31)


def test_a_session_is_ruined_when_it_cannot_cover_what_is_wanted() -> None:
    """With exactly the first bet in hand, a lost come-out is the end; the ruin curve says when."""
    result = simulate(molly(), Terms(50, bankroll=10), sessions=2000)
    # Nobody gets past the first roll: a point asks for odds too, and a lost or won ten for the come-out alone.
    assert result.ruin.values[0] == 1
    rolls, share = result.ruin_curve()
    assert rolls[0] == 1
    assert share[-1] == pytest.approx(float(result.p_ruin))
    assert result.endings["ruin"] == result.ruin.total


def test_progress_ends_with_everything_done() -> None:
    """The last word of progress is the result."""
    seen: list[Progress] = []
    result = simulate(molly(), Terms(100), sessions=500, watch=50, progress=seen.append)
    assert len(seen) > 3
    assert [step.sessions_done for step in seen] == sorted(step.sessions_done for step in seen)
    assert seen[-1].sessions_done == 500
    assert seen[-1].rolls_done == result.rolls
    assert seen[-1].mean == pytest.approx(float(result.mean))
    assert seen[-1].low < seen[-1].mean < seen[-1].high
    assert result.rolls_per_second > 0


@pytest.mark.parametrize("backend", ["numba", "numpy"])
def test_control_c_keeps_what_is_done(backend: str) -> None:
    """An interrupted run is a smaller run, and says so."""
    seen: list[Progress] = []

    def interrupt(step: Progress) -> None:
        seen.append(step)
        if len(seen) == 6:
            raise KeyboardInterrupt

    result = simulate(molly(), Terms(100), sessions=10**6, watch=50, backend=backend, threads=2, progress=interrupt)
    assert not result.complete
    assert result.sessions == seen[-1].sessions_done < 10**6
    assert result.net.total == result.sessions
    assert result.terms["sessions"] == 10**6
    assert "of 1,000,000" in repr(result)


def test_control_c_before_anything_is_done_is_control_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no result of no sessions."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(NumpyBackend, "watch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        simulate(molly(), Terms(10), sessions=10, backend="numpy")


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        ({"sessions": 0}, "sessions: found 0; expected a whole number from 1"),
        ({"rolls": 0}, "rolls: found 0"),
        ({"hands": 0}, "hands: found 0"),
        ({"bankroll": 9}, "does not cover the first bet, which needs 10"),
        ({"bankroll": "ten"}, "bankroll: found 'ten'; expected an amount of money"),
        ({"stop_win": 0}, "stop_win: found 0; expected an amount above 0"),
        ({"stop_loss": -5}, "stop_loss: found -5; expected an amount above 0"),
        ({"bankroll": 100, "stop_loss": 101}, "at most the bankroll of 100: more can never be reached"),
        ({"seed": -1}, "seed: found -1"),
        ({"seed": 1 << 64}, "from 0 to 2"),
        ({"threads": 0}, "threads: found 0"),
        ({"watch": 0}, "watch: found 0"),
        ({"backend": "abacus"}, "backend: found 'abacus'; expected one of auto"),
        ({"rolls": 1 << 58}, "ask for fewer rolls"),
    ],
)
def test_slips_are_refused_in_words(ask: dict[str, Any], words: str) -> None:
    """Nothing is rolled, and the complaint names what was wrong."""
    with pytest.raises(ValueError, match=words):
        rolled(molly(), **{"sessions": 10, "rolls": 10, **ask})


@pytest.mark.parametrize("ask", [{"bankroll": 0.1}, {"sessions": 1.5}, {"seed": "x"}, {"rolls": True}])
def test_wrong_kinds_are_refused(ask: dict[str, Any]) -> None:
    """A float is not money, and half a session is none."""
    with pytest.raises(TypeError):
        rolled(molly(), **{"sessions": 10, "rolls": 10, **ask})


def test_a_broken_machine_is_refused() -> None:
    """A machine that points outside itself never reaches the kernels."""
    machine = molly()
    for broken in (
        replace(machine, next=machine.next + 1),
        replace(machine, start=118),
        replace(machine, column=machine.column + np.uint8(1)),
    ):
        with pytest.raises(ValueError, match="broken"):
            simulate(broken, Terms(1), sessions=1)


def test_quantiles_are_the_least_that_enough_do_not_exceed() -> None:
    """By definition, against the sorted nets themselves."""
    result: Sample = simulate(molly(), Terms(30), sessions=997)
    nets = [net for net, count in result.net for _ in range(count)]
    for q, amount in result.quantiles.items():
        enough = [x for x in result.net.values if Fraction(sum(net <= x for net in nets), 997) >= Fraction(str(q))]
        assert amount == enough[0]


def test_one_session_without_an_end_is_refused() -> None:
    """Before it is begun, with how long it would take and how many rolls would do; one that is ruined soon is not."""
    with pytest.raises(
        SessionError, match=r"one session of 1,000,000,000,000,000 rolls would take about .*rolls would do"
    ):
        simulate(molly(), Terms(10**15), sessions=1)
    assert simulate(molly(), Terms(10**15, bankroll=100), sessions=1, seed=1).endings["ruin"] == 1
