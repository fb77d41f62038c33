"""One contract: every backend gives the same sessions, number for number, as a loop plain enough to believe."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from passline.errors import Halted
from passline.machine.dice import FAIR, LoadedDice, dice_of
from passline.machine.machine import Machine
from passline.machine.terms import UNITS_MAX, Limits
from passline.sim.backends import Backend, Played, Watched, choose, pack
from passline.sim.backends.engine import EngineBackend
from passline.sim.backends.vector import NumpyBackend
from passline.sim.game import Ending, Game
from tests.sim import plain_dice
from tests.sim.machines import interpreted, limits, machines
from tests.sim.yardstick import molly

RUNNING = np.zeros(1, dtype=np.uint8)
HALTED = np.ones(1, dtype=np.uint8)
COUNT = 37
"""Sessions at once: no multiple of anything, and more than the lanes of a kernel."""


def numba_backend(together: int | None = None) -> Backend:
    """The compiled backend, where Numba is."""
    pytest.importorskip("numba")
    from passline.sim.backends.vector import NumbaBackend

    return NumbaBackend(together)


LOADED = (FAIR, dice_of("srr=6.5"), dice_of("2,1,1,1,1,3"), dice_of([*range(1, 37)]))


def plain_session(machine: Machine, rules: Limits, seed: int, table: int, thrown: LoadedDice = FAIR) -> tuple[int, ...]:
    """Net, rolls, hands, ending, action and rolls of the run-out of one session, straight from the rules."""
    deal = plain_dice.throw if thrown.fair else partial(plain_dice.loaded_throw, thrown)
    state, net, hands, rolls, action, ending = machine.start, 0, 0, 0, 0, Ending.ROLLS
    while rolls < rules.rolls:
        if rules.bank is not None and rules.bank + net < machine.need[state]:
            ending = Ending.RUIN
            break
        column = machine.column[deal(seed, table, rolls)]
        net += int(machine.net[state, column])
        action += int(machine.action[state, column])
        hands += int(machine.hand_ends[state, column])
        state, rolls = int(machine.next[state, column]), rolls + 1
        if rules.win is not None and net >= rules.win:
            ending = Ending.STOP_WIN
            break
        if rules.loss is not None and net <= -rules.loss:
            ending = Ending.STOP_LOSS
            break
        if rules.hands is not None and hands >= rules.hands:
            ending = Ending.HANDS
            break
        if machine.over is not None and machine.over[state]:
            ending = Ending.WHEN
            break
    stands, out = machine.standing, 0
    if rules.run_out and stands is not None:
        net += int(stands.back[state])
        bets = list(stands.of_state(state))
        while any(bets):
            throw = deal(seed, table, rolls + out)
            net += sum(int(stands.net[bet, throw]) for bet in bets)
            action += sum(int(stands.action[bet, throw]) for bet in bets)
            bets, out = [int(stands.next[bet, throw]) for bet in bets], out + 1
    return net, rolls, hands, ending, action, out


COUNTED = ("net", "rolls", "hands", "ending", "action", "run_out")


def same_played(one: Played, other: Played) -> None:
    """Equal, number for number."""
    for name in COUNTED:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def same_watched(one: Watched, other: Watched) -> None:
    """Equal, number for number."""
    same_played(one.played, other.played)
    for name in ("drawdown", "winning_run", "losing_run", "path"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.slow
def test_where_pairs_leave_no_room_single_rolls_do() -> None:
    """Large money: rows of one roll a look-up are shorter, so that the session still fits, and comes to the same."""
    small = molly()
    games = (
        Game(replace(small, net=small.net << by, need=small.need << by), Limits(50, bank=100 << by), 7, FAIR)
        for by in range(40)
    )
    game = next(game for game in games if (made := pack.ready(game, 2)) is None or made.packed.together == 1)
    assert pack.ready(game, 2) is not None
    same_played(numba_backend(2).rows(game, 0, COUNT, RUNNING), NumpyBackend().rows(game, 0, COUNT, RUNNING))


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    machines(), limits(), st.integers(0, 2**64 - 1), st.sampled_from([0, 5, 2**32 - 3, 2**40]), st.sampled_from(LOADED)
)
@example(molly(), Limits(50, bank=100), 0, 0, FAIR)
@example(molly(), Limits(50, bank=100), 0, 0, LOADED[1])
@example(molly(), Limits(12, win=UNITS_MAX, loss=UNITS_MAX, hands=10**9, bank=UNITS_MAX), 0, 0, FAIR)
def test_every_backend_plays_the_sessions_of_the_plain_loop(
    machine: Machine, rules: Limits, seed: int, first: int, thrown: LoadedDice
) -> None:
    """NumPy, Numba (of one to three rolls a look-up) and an interpreted player agree with the rules and one another."""
    game, by_hand = Game(machine, rules, seed, thrown), Game(interpreted(machine), rules, seed, thrown)
    plain = [plain_session(machine, rules, seed, first + i, thrown) for i in range(COUNT)]
    expected = EngineBackend().watch(by_hand, first, COUNT, RUNNING)
    found = zip(*(getattr(expected.played, name).tolist() for name in COUNTED), strict=True)
    assert list(found) == plain
    for backend in (NumpyBackend(), numba_backend()):
        same_watched(backend.watch(game, first, COUNT, RUNNING), expected)
    for backend in (NumpyBackend(), *map(numba_backend, (None, *pack.TOGETHER))):
        same_played(backend.rows(game, first, COUNT, RUNNING), expected.played)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(machines(net_most=2**40), limits())
def test_amounts_too_large_to_pack_come_out_the_same(machine: Machine, rules: Limits) -> None:
    """A machine that leaves no room in 64 bits is rolled by the kernel that packs nothing."""
    game = Game(machine, rules, 3)
    same_played(numba_backend().rows(game, 0, COUNT, RUNNING), NumpyBackend().rows(game, 0, COUNT, RUNNING))


@pytest.mark.slow
@settings(max_examples=3, deadline=None)
@given(machines(), limits())
def test_tables_too_large_for_a_column_a_throw_come_out_the_same(machine: Machine, rules: Limits) -> None:
    """A machine with very many states keeps its own columns; unreachable ones change nothing else."""
    more = 4000
    wide = replace(
        machine,
        next=np.concatenate([machine.next, np.zeros((more, machine.columns), dtype=np.int32)]),
        net=np.concatenate([machine.net, np.ones((more, machine.columns), dtype=np.int64)]),
        hand_ends=np.concatenate([machine.hand_ends, np.ones((more, machine.columns), dtype=np.bool_)]),
        need=np.concatenate([machine.need, np.zeros(more, dtype=np.int64)]),
        action=np.concatenate([machine.action, np.ones((more, machine.columns), dtype=np.int64)]),
        standing=None,
        over=None,
    )
    machine = replace(machine, standing=None, over=None)
    for some in (rules, Limits(rules.rolls)):
        played = numba_backend().rows(Game(wide, some, 3), 0, COUNT, RUNNING)
        same_played(played, NumpyBackend().rows(Game(machine, some, 3), 0, COUNT, RUNNING))


@pytest.mark.slow
@pytest.mark.parametrize("rolls", [1, 5, 6, 7, 11, 12, 13, 100, 12 * 64 + 5])
def test_sessions_of_any_length_agree(rolls: int) -> None:
    """Whole blocks, half blocks and remainders."""
    game = Game(molly(), Limits(rolls), 11)
    same_played(numba_backend().rows(game, 0, COUNT, RUNNING), NumpyBackend().rows(game, 0, COUNT, RUNNING))


@pytest.mark.slow
def test_long_sessions_of_large_amounts_are_emptied_on_the_way() -> None:
    """Fields that would overflow in one go are emptied between stretches."""
    pytest.importorskip("numba")
    machine = molly()
    machine = replace(machine, net=machine.net * 10**9)
    game = Game(machine, Limits(5000), 1)
    ready = pack.ready(game)
    assert ready is not None
    assert ready.stretch < game.limits.rolls
    same_played(numba_backend().rows(game, 0, COUNT, RUNNING), NumpyBackend().rows(game, 0, COUNT, RUNNING))


def test_drawdown_and_runs_are_what_they_say() -> None:
    """A machine that wins 5 on doubles and loses 3 otherwise, followed by hand."""
    doubles = np.array([first == second for first in range(6) for second in range(6)], dtype=np.uint8)
    machine = Machine(
        column=doubles,
        next=np.zeros((1, 2), dtype=np.int32),
        net=np.array([[-3, 5]], dtype=np.int64),
        need=np.zeros(1, dtype=np.int64),
        action=np.zeros((1, 2), dtype=np.int64),
        hand_ends=np.zeros((1, 2), dtype=np.bool_),
    )
    game = Game(machine, Limits(200), 4)
    watched = NumpyBackend().watch(game, 9, 1, RUNNING)
    track = np.concatenate(
        [[0], np.cumsum([5 if doubles[plain_dice.throw(4, 9, roll)] else -3 for roll in range(200)])]
    )
    assert watched.drawdown.tolist() == [max(max(track[: i + 1]) - track[i] for i in range(201))]
    runs = "".join("w" if step > 0 else "l" for step in np.diff(track))
    assert watched.winning_run.tolist() == [max(map(len, runs.split("l")))]
    assert watched.losing_run.tolist() == [max(map(len, runs.split("w")))]
    assert watched.path[0].tolist() == track[game.checkpoints].tolist()


@pytest.mark.slow
def test_a_raised_flag_stops_every_backend() -> None:
    """What was not finished is not given back."""
    for rules in (Limits(1000), Limits(1000, bank=500)):
        for backend in (NumpyBackend(), numba_backend()):
            for roll in (backend.play, backend.watch):
                with pytest.raises(Halted):
                    roll(Game(molly(), rules, 0), 0, 8, HALTED)
        with pytest.raises(Halted):
            EngineBackend().play(Game(interpreted(molly()), rules, 0), 0, 8, HALTED)


def test_the_backend_is_chosen_by_what_there_is_to_play() -> None:
    """A machine is rolled, a player is played, and anything else is refused in words."""
    machine, player = Game(molly(), Limits(1), 0), Game(interpreted(molly()), Limits(1), 0)
    assert choose("numpy", machine).name == "numpy"
    assert choose("auto", player).name == "engine"
    assert choose("auto", machine, sessions=10_000).name == "numpy"  # a small question waits for no compiler
    assert choose("auto", machine, sessions=10**9).name == "numba"
    for name, game in (("cuda", machine), ("engine", machine), ("numba", player)):
        with pytest.raises(ValueError, match="backend"):
            choose(name, game)


def test_the_yardstick_is_the_yardstick() -> None:
    """118 states, and the mean a roll that the C sketch prints: about -0.101."""
    machine = molly()
    assert machine.states == 118
    assert machine.minor_unit == Fraction(1)
    chances = np.zeros((118, 118))
    for column, weight in enumerate(machine.weight):
        np.add.at(chances, (np.arange(118), machine.next[:, column]), weight / 36)
    stationary = np.linalg.matrix_power(chances, 4096)[0]
    assert stationary @ (machine.net @ machine.weight / 36) == pytest.approx(-0.101, abs=0.0005)
