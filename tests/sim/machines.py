"""Any machine at all, any rules of a session, and a machine played by hand."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from passline.machine.machine import DECIDED, THROWS, Machine, Standing
from passline.machine.terms import Limits, Terms
from passline.sim import Sample, simulate
from passline.sim.game import Interpreted


@st.composite
def machines(draw: st.DrawFn, *, net_most: int = 50) -> Machine:
    """Any small machine."""
    states, columns = draw(st.integers(1, 12)), draw(st.integers(1, THROWS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    column = np.concatenate([np.arange(columns), rng.integers(0, columns, THROWS - columns)]).astype(np.uint8)
    rng.shuffle(column)
    shape, start = (states, columns), draw(st.integers(0, states - 1))
    over = draw(st.sampled_from([None, rng.random(states) < 0.2]))
    if over is not None:
        over[start] = False  # `game_of` refuses a machine that is over before its first roll
    return Machine(
        column=column,
        next=rng.integers(0, states, shape, dtype=np.int32),
        net=rng.integers(-net_most, net_most + 1, shape) * (rng.random(shape) < draw(st.sampled_from([0.2, 1.0]))),
        need=rng.integers(0, 3 * net_most, states),
        action=rng.integers(0, 9, shape),
        hand_ends=rng.random(shape) < 0.1,
        start=start,
        minor_unit=draw(st.sampled_from([Fraction(1), Fraction(1, 3), Fraction(5, 2)])),
        standing=None if draw(st.booleans()) else _standing(rng, states, net_most),
        over=over,
    )


def _standing(rng: np.random.Generator, states: int, net_most: int) -> Standing:
    """Up to three bets in each state, of up to nine that lead from one to the next and each to a decision."""
    rows = int(rng.integers(2, 10))
    shape = rows, THROWS
    following = rng.integers(0, rows, shape)
    following[:, rng.integers(0, THROWS, 5)] = DECIDED
    paid = (rng.random(shape) < 0.5)[:, :] & (np.arange(rows) != DECIDED)[:, None]
    each = np.stack(
        [following * (np.arange(rows) != DECIDED)[:, None], rng.integers(-net_most, net_most, shape) * paid]
    )
    each = np.concatenate([each, (rng.integers(0, 9, shape) * paid)[None]])
    bets = [rng.integers(1, rows, rng.integers(0, 4)).tolist() for _ in range(states)]
    return Standing.of(bets, rng.integers(-3, 4, states).tolist(), list(each.transpose(1, 0, 2)))


@st.composite
def limits(draw: st.DrawFn, *, rolls_most: int = 60) -> Limits:
    """Any rules of a session, none of them included."""
    amounts = st.none() | st.integers(1, 400)
    return Limits(
        rolls=draw(st.integers(1, rolls_most)),
        bank=draw(amounts),
        win=draw(amounts),
        loss=draw(amounts),
        hands=draw(st.none() | st.integers(1, 5)),
        run_out=draw(st.booleans()),
    )


TERMS = frozenset(inspect.signature(Terms).parameters)


def rolled(source: Machine | Interpreted, **asked: Any) -> Sample:  # noqa: ANN401 - of `Terms` and of `simulate`
    """Simulate with what was asked in one mapping: the terms and how they are rolled."""
    terms = Terms(**{name: asked.pop(name) for name in TERMS & asked.keys()})
    return simulate(source, terms, **asked)


@dataclass(slots=True)
class MachinePlayer:
    """A machine looked up one roll at a time, for tests and for whoever wants to follow one by hand."""

    machine: Machine
    state: int
    hand_ended: bool = False
    over: bool = False
    leaves: bool = False
    action: int = 0
    bets: tuple[int, ...] = ()

    @property
    def need(self) -> int:
        """Minor units that must be at hand for the next roll."""
        return int(self.machine.need[self.state])

    def roll(self, throw: int) -> int:
        """Play one throw and give the minor units won less the minor units lost."""
        at = self.state, self.machine.column[throw]
        self.hand_ended = bool(self.machine.hand_ends[at])
        self.action = int(self.machine.action[at])
        self.state = int(self.machine.next[at])
        self.over = self.machine.over is not None and bool(self.machine.over[self.state])
        return int(self.machine.net[at])

    @property
    def stands(self) -> bool:
        """Whether a bet is not decided yet."""
        return bool(self.bets)

    def stop(self) -> int:
        """Make no more bets."""
        standing = self.machine.standing
        if standing is None:
            return 0
        self.bets = standing.of_state(self.state)
        return int(standing.back[self.state])

    def roll_out(self, throw: int) -> int:
        """Play one throw for the bets that stand."""
        standing = self.machine.standing
        assert standing is not None
        self.action = sum(int(standing.action[bet, throw]) for bet in self.bets)
        net = sum(int(standing.net[bet, throw]) for bet in self.bets)
        self.bets = tuple(row for bet in self.bets if (row := int(standing.next[bet, throw])))
        return net


def interpreted(machine: Machine) -> Interpreted:
    """A machine as a player: slow, and it must come out the same."""
    return Interpreted(
        sit=lambda: MachinePlayer(machine, machine.start),
        minor_unit=machine.minor_unit,
        about=machine.about,
        fingerprint=machine.digest(),
    )
