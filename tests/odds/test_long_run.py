"""The long run, in fractions."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from passline.errors import LongRunError, SingularError
from passline.machine.machine import THROWS, Machine
from passline.machine.terms import Terms
from passline.odds.linear import solve
from passline.odds.sessions import long_run as long_runs
from passline.odds.sessions.chain import chain_of
from passline.odds.sessions.distribution import distribution_of
from passline.odds.sessions.long_run import long_run, moments
from tests.odds.machines import coin, machines, molly, pass_line


def test_pass_line_in_the_long_run() -> None:
    """Seven in 495 of every unit of action, and a hand of 1671/196 rolls."""
    found = long_run(pass_line())
    assert found.exact
    assert found.edge == Fraction(7, 495)
    assert found.hands_per_roll == Fraction(196, 1671)
    # A pass line bet takes 557/165 rolls.
    assert found.net_per_roll == -10 * Fraction(7, 495) / Fraction(557, 165)
    assert found.action_per_roll == 10 / Fraction(557, 165)


def test_bets_one_after_the_other_vary_as_one_bet_does() -> None:
    """The variance of a sum of independent bets, counted by the rolls they take: Wald's second identity."""
    found = long_run(coin(2, -1, heads=12))
    assert found.variance_per_roll == Fraction(1, 3) * 4 + Fraction(2, 3)
    assert found.net_per_roll == 0


def test_odds_cost_molly_nothing() -> None:
    """Free odds are free: she too loses 7/495 of her flat bets."""
    assert long_run(molly()).edge == Fraction(7, 495)


def test_the_session_comes_to_the_long_run() -> None:
    """A roll more costs what a roll costs and varies as a roll varies."""
    found, chain = long_run(molly()), chain_of(molly(), with_need=False)
    here, there = moments(chain, 5_000), moments(chain, 6_000)
    step = float(chain.step)
    assert (there.mean - here.mean) * step / 1_000 == pytest.approx(float(found.net_per_roll), rel=1e-9)
    assert (there.variance - here.variance) * step**2 / 1_000 == pytest.approx(float(found.variance_per_roll), rel=1e-7)


@given(machines())
def test_three_ways_to_solve_agree(machine: Machine) -> None:
    """Fractions, a matrix of doubles, and rolling until nothing changes."""
    try:
        chain = long_runs.recurrent(chain_of(machine, with_need=False))
    except LongRunError:
        reject()
    exact = long_run(machine)
    for way in (long_runs._dense, long_runs._patiently):
        found = long_runs._in_doubles(chain, *way(chain))
        for key in ("net_per_roll", "action_per_roll", "hands_per_roll", "variance_per_roll"):
            assert getattr(found, key) == pytest.approx(float(getattr(exact, key)), rel=1e-7, abs=1e-7)


@given(machines(), st.integers(1, 3))
def test_a_stationary_roll_is_the_mean_of_many(machine: Machine, rolls: int) -> None:
    """Where there is one state, a session of n rolls is n times the long run."""
    one = replace(machine, next=np.zeros_like(machine.next), start=0)
    assert distribution_of(one, Terms(rolls)).mean == rolls * long_run(one).net_per_roll


def test_two_habits_have_no_one_long_run() -> None:
    """A strategy that settles for one of two things for good is told so."""
    machine = replace(
        coin(),
        next=np.array([[1, 2], [1, 1], [2, 2]], dtype=np.int32),
        net=np.array([[0, 0], [1, 1], [2, 2]]),
        need=np.ones(3, dtype=np.int64),
        action=np.ones((3, 2), dtype=np.int64),
        hand_ends=np.zeros((3, 2), dtype=np.bool_),
    )
    with pytest.raises(LongRunError, match="several habits"):
        long_run(machine)


def test_json_of_the_long_run() -> None:
    """Fractions with decimals beside them; no edge where nothing is decided."""
    found = long_run(pass_line()).to_json()
    assert json.loads(json.dumps(found)) == found
    assert (found["edge"], found["edge_decimal"]) == ("7/495", "0.0141414141414")
    assert long_run(replace(coin(), action=np.array([[0, 0]]))).to_json()["edge"] is None


@given(st.integers(1, 7), st.integers(0, 2**32))
def test_equations_are_solved_exactly(size: int, seed: int) -> None:
    """The answer, put back, gives the right-hand side."""
    rng = np.random.default_rng(seed)
    matrix, right = rng.integers(-THROWS, THROWS, (size, size)), rng.integers(-1000, 1000, size).tolist()
    assume(abs(np.linalg.det(matrix)) > 0.5)
    tops, bottom = solve(matrix, right)
    for row, wanted in zip(matrix.tolist(), right, strict=True):
        assert sum(a * Fraction(x, bottom) for a, x in zip(row, tops, strict=True)) == wanted


def test_equations_without_a_solution_say_so() -> None:
    """A matrix of ones has no inverse."""
    with pytest.raises(SingularError, match="exactly one solution"):
        solve(np.ones((2, 2), dtype=np.int64), [1, 2])
