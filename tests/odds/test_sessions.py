"""A session worked out is a session played in every way it can go."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline.answers import written
from passline.errors import ArgumentError, QuestionError, SessionError
from passline.machine.machine import THROWS, Machine, minimise
from passline.machine.terms import Terms
from passline.odds.paths import paths_of
from passline.odds.sessions.chain import chain_of
from passline.odds.sessions.convolution import TILE, Barriers, Convolution, Double, Whole
from passline.odds.sessions.distribution import QUANTILES, Distribution, distribution_of
from passline.odds.sessions.fourier import transformed, window
from passline.odds.sessions.long_run import moments
from tests.odds.machines import Played, coin, machines, molly, pass_line, play_all

AMOUNTS = st.none() | st.fractions(Fraction(1, 2), 12, max_denominator=3)
TERMS = [
    {},
    {"bankroll": 40},
    {"bankroll": 90},
    {"stop_win": 20},
    {"stop_loss": 15},
    {"bankroll": 60, "stop_win": 10, "stop_loss": 40},
    {"bankroll": 30, "stop_loss": 30},
]


@pytest.fixture(scope="module")
def long_exact() -> Distribution:
    """Two hundred rolls of molly, exactly."""
    return distribution_of(molly(), Terms(200))


def chances(found: Distribution) -> dict[Fraction, Fraction]:
    """The distribution of an exact session, in money and fractions."""
    whole = THROWS**found.rolls
    return {(found.low + k) * found.step: Fraction(int(w), whole) for k, w in enumerate(found.weights) if w}


def assert_same(found: Distribution, played: Played) -> None:
    """Everything that playing shows, the session says."""
    assert chances(found) == played.finals
    assert list(found.ruin_by_roll) == played.ruin
    assert found.p_ruin == sum(played.ruin)
    assert (found.mean, found.variance) == (played.mean, played.variance)
    assert (found.action, found.rolls_played, found.hands) == (played.action, played.rolls, played.hands)
    assert (found.best, found.worst) == (max(played.finals), min(played.finals))
    assert found.p_ahead == sum(p for net, p in played.finals.items() if net > 0)
    assert found.p_even == played.finals.get(Fraction(0), 0)
    assert found.p_behind == sum(p for net, p in played.finals.items() if net < 0)


def off_by(found: Distribution, exact: Distribution) -> float:
    """The summed difference of all chances of two sessions."""
    nets = {found.low + k: w for k, w in enumerate(found.weights)}
    nets_exact = {exact.low + k: w / THROWS**exact.rolls for k, w in enumerate(exact.weights)}
    return float(sum(abs(nets.get(net, 0) - nets_exact.get(net, 0)) for net in nets | nets_exact))


def assert_close(found: Distribution, exact: Distribution) -> None:
    """A session in doubles keeps its own bounds, beside the exact one."""
    assert exact.exact
    assert not found.exact
    assert 0 < found.error_bound < 1e-10
    assert off_by(found, exact) <= found.error_bound
    for key in ("p_ahead", "p_even", "p_behind", "p_ruin"):
        assert abs(getattr(found, key) - getattr(exact, key)) <= found.error_bound
    assert abs(float(found.mean) - float(exact.mean)) <= found.mean_error_bound
    for key in ("variance", "action", "rolls_played", "hands"):
        assert float(getattr(found, key)) == pytest.approx(float(getattr(exact, key)), rel=1e-9)
    assert (found.best, found.worst, found.quantiles) == (exact.best, exact.worst, exact.quantiles)


# --- against playing it out ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("terms", TERMS)
def test_three_rolls_of_molly_are_all_46656_ways_to_throw_them(terms: dict[str, Any]) -> None:
    """The rules as written, on every sequence of throws, give the same session."""
    assert_same(
        distribution_of(molly(), Terms(3, **terms)), play_all(molly(), 3, **{k: Fraction(v) for k, v in terms.items()})
    )


@pytest.mark.slow
@given(machines(), AMOUNTS, AMOUNTS, AMOUNTS)
@settings(max_examples=60)
def test_any_machine_on_any_terms(
    machine: Machine, bankroll: Fraction | None, stop_win: Fraction | None, stop_loss: Fraction | None
) -> None:
    """Fractions of money, stops between two nets, and needs of every size: two rolls, all ways."""
    first = int(machine.need[machine.start]) * machine.minor_unit
    if bankroll is not None and bankroll < first:
        bankroll = first or None
    if bankroll is not None and stop_loss is not None:
        stop_loss = min(stop_loss, bankroll)
    found = distribution_of(machine, Terms(2, bankroll=bankroll, stop_win=stop_win, stop_loss=stop_loss))
    assert_same(found, play_all(machine, 2, bankroll, stop_win, stop_loss))


@given(machines(), st.integers(1, 30), AMOUNTS, AMOUNTS)
@settings(max_examples=40)
def test_doubles_keep_their_bound_on_any_machine(
    machine: Machine, rolls: int, stop_win: Fraction | None, stop_loss: Fraction | None
) -> None:
    """What double precision says lies within what it says of itself."""
    exact = distribution_of(machine, Terms(rolls, stop_win=stop_win, stop_loss=stop_loss))
    found = distribution_of(machine, Terms(rolls, stop_win=stop_win, stop_loss=stop_loss), exact=False)
    assert off_by(found, exact) <= found.error_bound
    assert abs(float(found.mean) - float(exact.mean)) <= found.mean_error_bound + 1e-300


@pytest.mark.slow
@given(machines())
@settings(max_examples=30)
def test_a_minimised_machine_has_the_same_session(machine: Machine) -> None:
    """How a machine is written does not change what comes of it."""
    terms = Terms(5, bankroll=30, stop_win=7)
    small, large = distribution_of(minimise(machine), terms), distribution_of(machine, terms)
    assert replace(small, machine=large.machine, states=large.states).to_json() == large.to_json()


# --- against what is known ----------------------------------------------------------------------------------------


def moments_by_recurrence(machine: Machine, rolls: int) -> tuple[Fraction, Fraction]:
    """Mean and variance from sums over states alone, with no distribution anywhere."""
    states = range(machine.states)
    mass, first, second = ([Fraction(0)] * machine.states for _ in range(3))
    mass[machine.start] = Fraction(1)
    for _ in range(rolls):
        after = [[Fraction(0)] * machine.states for _ in range(3)]
        for state in states:
            for column, weight in enumerate(machine.weight.tolist()):
                to, net = machine.next[state, column], int(machine.net[state, column])
                share = Fraction(weight, THROWS)
                after[0][to] += share * mass[state]
                after[1][to] += share * (first[state] + net * mass[state])
                after[2][to] += share * (second[state] + 2 * net * first[state] + net * net * mass[state])
        mass, first, second = after
    mean = sum(first) * machine.minor_unit
    return mean, sum(second) * machine.minor_unit**2 - mean**2


def test_mean_and_variance_are_those_of_the_recurrence() -> None:
    """Twenty-five rolls of molly, with and without the distribution."""
    found = distribution_of(molly(), Terms(25))
    assert (found.mean, found.variance) == moments_by_recurrence(minimise(molly()), 25)


def test_pass_line_loses_seven_in_495_of_what_is_put_up() -> None:
    """Come-out rolls decided by the end are paid for; what stands is owed the rest."""
    found = distribution_of(pass_line(), Terms(120))
    standing = found.action * Fraction(7, 495) + found.mean
    # Only the last bet is undecided, and its face is not more than ten above what it is worth.
    assert 0 < standing < 10
    later = distribution_of(pass_line(), Terms(121))
    per_roll = (later.mean - found.mean) / (later.action - found.action)
    assert float(per_roll) == pytest.approx(-7 / 495, rel=1e-9)


# --- two hundred rolls, and more ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_hundred_rolls_of_molly_exactly_within_time(long_exact: Distribution) -> None:
    """Exact means exact: the weights sum to 36**200 and the money adds up."""
    before = time.perf_counter()
    found = distribution_of(molly(), Terms(200))
    assert time.perf_counter() - before < 60
    assert found.exact
    assert sum(found.weights) == THROWS**200
    assert found.best == 9900
    assert found.worst == -4500
    assert found.p_ahead + found.p_even + found.p_behind == 1
    assert chances(found) == chances(long_exact)
    assert float(found.mean) == pytest.approx(2 * moments(chain_of(molly(), with_need=False), 200).mean, rel=1e-12)


@pytest.mark.slow
def test_double_precision_is_quick_and_within_its_bound(long_exact: Distribution) -> None:
    """A fraction of a second for what takes whole numbers a few."""
    distribution_of(molly(), Terms(2), exact=False)
    before = time.perf_counter()
    found = distribution_of(molly(), Terms(200), exact=False)
    assert time.perf_counter() - before < 10
    assert_close(found, long_exact)


@pytest.mark.parametrize("terms", TERMS[1:])
def test_doubles_keep_their_bound_with_stops_and_ruin(terms: dict[str, Any]) -> None:
    """Ends before the end are no less certain."""
    wide = {key: 5 * amount for key, amount in terms.items()}
    assert_close(distribution_of(molly(), Terms(80, **wide), exact=False), distribution_of(molly(), Terms(80, **wide)))


@pytest.mark.slow
def test_the_transform_is_within_its_bound(long_exact: Distribution) -> None:
    """What a hundred thousand rolls are found with, tried where the exact answer is known."""
    found = transformed(chain_of(molly(), with_need=False), 200)
    exact = dict(enumerate((w / THROWS**200 for w in long_exact.weights), start=long_exact.low))
    near = dict(enumerate(found.chances.tolist(), start=found.low))
    assert sum(abs(near.get(net, 0) - exact.get(net, 0)) for net in near | exact) <= found.bound < 1e-10


def test_the_window_holds_all_but_a_stated_mass(long_exact: Distribution) -> None:
    """Chernoff's bound is a bound."""
    low, high = window(chain_of(molly(), with_need=False), 200)
    outside = sum(w for net, w in enumerate(long_exact.weights, start=long_exact.low) if not low <= net <= high)
    assert outside / THROWS**200 < 1e-14


@pytest.mark.slow
@pytest.mark.parametrize("rolls", [20_000, pytest.param(100_000, marks=pytest.mark.campaign)])
def test_many_rolls_agree_with_their_moments(rolls: int) -> None:
    """Mean and variance of the distribution are those that come without it, and nothing is missing."""
    found = distribution_of(molly(), Terms(rolls))
    assert not found.exact
    assert found.error_bound < 1e-7
    nets, share = found.arrays()
    mean = float(nets @ share)
    assert share.sum() == pytest.approx(1, abs=found.error_bound)
    assert mean == pytest.approx(found.mean, rel=1e-9)
    assert float((nets - mean) ** 2 @ share) == pytest.approx(found.variance, rel=1e-9)
    assert found.p_ahead + found.p_even + found.p_behind == pytest.approx(1, abs=found.error_bound)


def test_the_transform_and_the_walk_agree() -> None:
    """Two ways to two thousand rolls, each within its bound of the truth, so within both of each other."""
    chain = chain_of(pass_line(), with_need=False)
    by_wave = transformed(chain, 2_000)
    walked = Convolution(chain, Barriers(), Double(chain)).play(2_000)
    assert walked.clipped == 0
    near = dict(enumerate(by_wave.chances.tolist(), start=by_wave.low))
    (finals,) = walked.finals
    apart = sum(abs(near.get(net, 0) - finals.get(net, 0)) for net in near | finals)
    assert apart <= by_wave.bound + 2_000 * Double(chain).per_roll * 2


@pytest.mark.slow
def test_long_sessions_with_stops_end_as_gamblers_are_ruined() -> None:
    """A fair coin between -30 and 50 is ruined with chance 5/8, and takes 1500 rolls for it."""
    found = distribution_of(coin(), Terms(40_000, bankroll=30, stop_win=50), exact=False)
    assert found.p_ruin == pytest.approx(5 / 8, abs=found.error_bound)
    assert found.rolls_played == pytest.approx(1500, rel=1e-9)
    assert found.mean == pytest.approx(0, abs=found.mean_error_bound)
    assert found.best == 50
    assert found.worst == -30


# --- compiled or not ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("barriers", [Barriers(), Barriers(win=30, loss=-40)])
def test_the_compiled_roll_is_the_plain_roll(barriers: Barriers) -> None:
    """To the last digit in whole numbers, and to the last few bits in doubles."""
    pytest.importorskip("numba")
    chain = chain_of(molly(), with_need=False)
    plain = Convolution(chain, barriers, Whole(chain, 60)).play(60)
    assert Convolution(chain, barriers, Whole(chain, 60), compiled=True).play(60).finals == plain.finals
    double = Convolution(chain, barriers, Double(chain)).play(60)
    quick = Convolution(chain, barriers, Double(chain), compiled=True).play(60)
    assert quick.finals[0] == pytest.approx(double.finals[0], rel=1e-12)


def test_without_numba_the_answer_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled roll is a convenience."""
    monkeypatch.setattr("passline.odds.sessions.convolution.compiled_roll", lambda: None)
    chain = chain_of(coin(), with_need=False)
    assert Convolution(chain, Barriers(), Whole(chain, 9), compiled=True).play(9).finals[0][9] == 18**9
    assert TILE > 0


# --- edges --------------------------------------------------------------------------------------------------------


def test_a_quantile_is_the_least_net_that_reaches_its_chance() -> None:
    """At the very chance of a net the quantile is that net; just above it is the next."""
    found = distribution_of(coin(2, -1, heads=9), Terms(1))
    assert found.quantile(Fraction(3, 4)) == -1
    assert found.quantile(0.75) == -1
    assert found.quantile(Fraction(3, 4) + Fraction(1, 10**30)) == 2
    assert found.quantile(1) == 2
    assert found.quantile(Fraction(1, 10**30)) == -1
    for wrong in (0, -1, 1.5):
        with pytest.raises(ValueError, match="chance above 0"):
            found.quantile(wrong)


@given(machines())
@settings(max_examples=30)
def test_quantiles_never_fall(machine: Machine) -> None:
    """A greater chance takes at least as great a net, and each is reached and not before."""
    found = distribution_of(machine, Terms(4))
    law = chances(found)
    assert all(a <= b for a, b in pairwise(found.quantiles.values()))
    for q, net in found.quantiles.items():
        assert sum(p for x, p in law.items() if x <= net) >= Fraction(str(q))
        assert sum(p for x, p in law.items() if x < net) < Fraction(str(q))


def test_a_sure_loser_is_ruined_on_time() -> None:
    """Three units last three rolls: ruin comes before the fourth."""
    found = distribution_of(coin(-1, -1), Terms(6, bankroll=3))
    assert list(found.ruin_by_roll) == [0, 0, 0, 1, 0, 0]
    assert (found.mean, found.rolls_played, found.action, found.p_ruin) == (-3, 3, 3, 1)
    assert found.ruin_curve() == [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 1)]


def test_a_bankroll_spent_on_the_last_roll_is_no_ruin() -> None:
    """Ruin is looked for before a roll, so there is none after the last."""
    assert distribution_of(coin(-1, -1), Terms(3, bankroll=3)).p_ruin == 0


def test_a_stop_is_looked_at_before_ruin() -> None:
    """Stops come after a roll and ruin before the next."""
    found = distribution_of(coin(-1, -1), Terms(6, bankroll=3, stop_loss=3))
    assert (found.p_ruin, found.rolls_played, found.mean, found.p_stop_loss) == (0, 3, -3, 1)
    assert "Stopped at a loss of 3: 100.00%; before that ran out of money: 0.00%." in found.sentences()
    for exact in (True, False):
        assert distribution_of(coin(1, -1), Terms(3, stop_loss=2), exact=exact).p_stop_loss == Fraction(1, 4)


def test_a_stop_between_two_nets_is_passed_not_met() -> None:
    """Nets move in threes; a stop at four is met at six."""
    found = distribution_of(coin(3, -3), Terms(2, stop_win=4))
    assert found.best == 6
    assert distribution_of(coin(3, -3), Terms(2, stop_win=3)).best == 3


@pytest.mark.slow
def test_money_is_counted_in_minor_units() -> None:
    """A third of a unit is a third of a unit."""
    found = distribution_of(replace(coin(), minor_unit=Fraction(1, 3)), Terms(3, bankroll="2/3", stop_win="0.5"))
    assert (
        chances(found) == play_all(replace(coin(), minor_unit=Fraction(1, 3)), 3, Fraction(2, 3), Fraction(1, 2)).finals
    )


@pytest.mark.parametrize("terms", [{"bankroll": 10**40}, {"stop_win": 10**40}, {"stop_loss": 10**40}])
def test_money_that_no_session_can_reach_ends_none(terms: dict[str, Any]) -> None:
    """Nor is it too long for the numbers that it is counted in."""
    free, held = (Terms(6, **each) for each in ({}, terms))
    for exact in (True, False):
        assert (
            distribution_of(coin(), held, exact=exact).chances() == distribution_of(coin(), free, exact=exact).chances()
        )
    assert paths_of(coin(), held, fractions=True).peak.at_least == paths_of(coin(), free, fractions=True).peak.at_least


def test_nothing_moves_where_nothing_is_bet() -> None:
    """A machine that pays nothing has a session all the same."""
    for exact in (True, False):
        found = distribution_of(coin(0, 0), Terms(5), exact=exact)
        assert found.mean == found.variance == found.best == 0
        assert found.p_even == pytest.approx(1)
    assert distribution_of(coin(0, 0), Terms(5_000)).p_even == pytest.approx(1)


# --- what is said -------------------------------------------------------------------------------------------------


def test_json_has_fractions_with_decimals_beside_them() -> None:
    """The fields that programs read, and a whole that a JSON writer takes."""
    found = distribution_of(coin(2, -1, heads=9), Terms(2, bankroll=5)).to_json()
    assert json.loads(json.dumps(found)) == found
    assert (found["mean"], found["mean_decimal"]) == ("-1/2", "-0.5")
    assert (found["variance"], found["p_ahead"], found["p_even"], found["p_ruin"]) == ("27/8", "7/16", "0", "0")
    assert list(found["quantiles"]) == [str(q) for q in QUANTILES]
    assert found["loss_per_hour"] == "25"
    assert found["action_per_hour"] == "100"
    assert found["bankroll"] == "5"


def test_json_writes_fractions_of_any_length() -> None:
    """Python itself refuses to write whole numbers of more than 4300 digits."""
    assert len(written(Fraction(-1, THROWS**3_000))) == 4_672


def test_doubles_say_how_far_off_they_may_be() -> None:
    """The bound is a number in the result."""
    found = distribution_of(coin(2, -1), Terms(300)).to_json()
    assert not found["exact"]
    assert 0 < float(found["error_bound"]) < 1e-11
    assert float(found["mean"]) == pytest.approx(150)


def test_a_notebook_shows_a_table() -> None:
    """Mean, chances and quantiles at a glance."""
    shown = distribution_of(coin(), Terms(2))._repr_html_()
    assert "2 rolls; 1 states, worked out exactly." in shown
    assert "Ahead 25.00%, even 50.00%, behind 25.00%." in shown


def test_progress_is_told() -> None:
    """Every roll of a walk, and the last in any case."""
    told: list[tuple[int, int]] = []
    distribution_of(coin(), Terms(4), progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    told.clear()
    distribution_of(coin(), Terms(5_000), progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (5_000, 5_000)


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"rolls": 0}, "rolls: found 0; expected a whole number from 1"),
        ({"rolls": 1_000_001}, "up to 1,000,000 rolls, not 1,000,001"),
        ({"rolls": 9, "bankroll": 9}, "a bankroll of 9 does not cover the first roll, which needs 10"),
        ({"rolls": 9, "stop_win": 0}, "stop_win: found 0; expected an amount above 0"),
        ({"rolls": 9, "stop_loss": -5}, "stop_loss: found -5; expected an amount above 0"),
        ({"rolls": 9, "stop_loss": 0.5}, "stop_loss: found 0.5; expected an amount of money"),
        ({"rolls": 9, "stop_win": "lots"}, "stop_win: found 'lots'; expected an amount of money"),
        ({"rolls": 50_000, "exact": True}, "ask for double precision or fewer rolls"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(terms: dict[str, Any], sentence: str) -> None:
    """Before any work is done."""
    with pytest.raises((ArgumentError, QuestionError), match=sentence):
        distribution_of(molly(), Terms(**{k: v for k, v in terms.items() if k != "exact"}), exact=terms.get("exact"))


def test_an_absurd_walk_is_refused() -> None:
    """A million rolls of coarse and fine money with a stop on one side only."""
    machine = replace(coin(10_007, -10_000, 0))
    with pytest.raises(SessionError, match="give stops on both sides or fewer rolls"):
        distribution_of(machine, Terms(1_000_000, stop_win=10**12))


def test_states_with_one_law_are_one_state() -> None:
    """Four and ten differ in the dice only: molly's 118 states are 37 to a session."""
    chain = chain_of(molly(), with_need=False)
    assert chain.states == 37
    assert chain.step == 2 * molly().minor_unit
    assert np.bincount(chain.source, weights=chain.weight).tolist() == [THROWS] * 37
