"""Machines to try a session on, and the session worked out by playing every sequence of throws."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from passline.machine.machine import THROWS, Machine

if TYPE_CHECKING:
    from collections.abc import Callable

POINTS = {4: 40, 5: 30, 6: 24, 8: 24, 9: 30, 10: 40}
"""What double odds behind ten win on each point."""

Key = tuple[int, int]


Step = tuple[Key, int, int, bool]
"""The state that follows, the net, the flat bets decided, and whether it is a seven-out."""


def build(start: Key, step: Callable[[Key, int], Step], need: Callable[[Key], int]) -> Machine:
    """A machine by running `step` on every total from every state met."""
    names, rows = {start: 0}, []
    for state in (todo := [start]):
        row = []
        for throw in range(THROWS):
            after, net, action, ends = step(state, 2 + throw // 6 + throw % 6)
            if after not in names:
                names[after] = len(names)
                todo.append(after)
            row.append((names[after], net, action, ends))
        rows.append(row)
    table = np.array(rows, dtype=np.int64)
    return Machine(
        column=np.arange(THROWS, dtype=np.uint8),
        next=table[:, :, 0].astype(np.int32),
        net=table[:, :, 1],
        need=np.array([need(state) for state in names], dtype=np.int64),
        action=table[:, :, 2],
        hand_ends=table[:, :, 3].astype(np.bool_),
    )


def pass_line() -> Machine:
    """Ten on the pass line, always."""

    def step(state: Key, total: int) -> Step:
        point = state[0]
        if not point:
            return (
                ((total, 0), 0, 0, False) if total in POINTS else ((0, 0), 10 if total in {7, 11} else -10, 10, False)
            )
        if total == point:
            return (0, 0), 10, 10, False
        return ((0, 0), -10, 10, True) if total == 7 else (state, 0, 0, False)

    return build((0, 0), step, lambda _: 10)


def molly() -> Machine:
    """Three-point molly at ten with double odds: 118 states, as the yardstick of the project has it."""

    def step(state: Key, total: int) -> Step:
        (point, come), net, action = state, 0, 0
        working, up = bool(point), come.bit_count()
        odds = POINTS.get(total, 0)
        if total == 7:
            net, action, come = net - up * (30 if working else 10), 10 * up, 0
        elif come >> total & 1:
            net, action, come = net + 10 + (odds if working else 0), 10, come & ~(1 << total)
        if working and up < 2 and total in POINTS:
            come |= 1 << total
        elif (working and up < 2) or (not working and total not in POINTS):
            net, action = net + (10 if total in {7, 11} else -10), action + 10
        if not working:
            return (total if total in POINTS else 0, come), net, action, False
        if total == point:
            return (0, come), net + 10 + odds, action + 10, False
        return ((0, come), net - 30, action + 10, True) if total == 7 else ((point, come), net, action, False)

    def need(state: Key) -> int:
        point, up = state[0], state[1].bit_count()
        return 10 + 30 * up if not point else 30 + 30 * up + (10 if up < 2 else 0)

    return build((0, 0), step, need)


def coin(up: int = 1, down: int = -1, need: int = 1, *, heads: int = 18) -> Machine:
    """One state that wins `up` on `heads` of the 36 throws and loses `-down` on the others."""
    column = (np.arange(THROWS) >= heads).astype(np.uint8)
    return Machine(
        column=column,
        next=np.zeros((1, 2), dtype=np.int32),
        net=np.array([[up, down]]),
        need=np.array([need]),
        action=np.array([[1, 1]]),
        hand_ends=np.array([[False, True]]),
    )


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    """Any small machine whose states differ in everything a state has."""
    states, columns = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    spread = draw(st.sampled_from([1, 2, 9]))
    column = np.concatenate([np.arange(columns), rng.integers(0, columns, THROWS - columns)])
    return Machine(
        column=column.astype(np.uint8),
        next=rng.integers(0, states, (states, columns), dtype=np.int32),
        net=rng.integers(-spread, spread + 1, (states, columns)) * draw(st.sampled_from([1, 6])),
        need=rng.integers(0, 5, states),
        action=rng.integers(0, 3, (states, columns)),
        hand_ends=rng.random((states, columns)) < 0.2,
        start=draw(st.integers(0, states - 1)),
        minor_unit=draw(st.sampled_from([Fraction(1), Fraction(1, 3), Fraction(5, 2)])),
    )


@dataclass
class Played:
    """What playing every sequence of throws showed; chances are fractions and nets are money."""

    finals: dict[Fraction, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    ruin: list[Fraction] = field(default_factory=list)
    action: Fraction = Fraction(0)
    rolls: Fraction = Fraction(0)
    hands: Fraction = Fraction(0)

    @property
    def mean(self) -> Fraction:
        """The mean of the final net."""
        return sum((net * p for net, p in self.finals.items()), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """The variance of the final net."""
        return sum((net * net * p for net, p in self.finals.items()), Fraction(0)) - self.mean**2


def play_all(
    machine: Machine,
    rolls: int,
    bankroll: Fraction | None = None,
    stop_win: Fraction | None = None,
    stop_loss: Fraction | None = None,
) -> Played:
    """Play every sequence of throws by the rules as they are written, one after the other."""
    played = Played(ruin=[Fraction(0)] * rolls)
    share = Fraction(1, THROWS**rolls)
    for throws in product(range(THROWS), repeat=rolls):
        state, net = machine.start, Fraction(0)
        for number, throw in enumerate(throws):
            if bankroll is not None and bankroll + net < int(machine.need[state]) * machine.minor_unit:
                played.ruin[number] += share
                break
            played.rolls += share
            column = machine.column[throw]
            played.action += share * int(machine.action[state, column]) * machine.minor_unit
            played.hands += share * int(machine.hand_ends[state, column])
            net += int(machine.net[state, column]) * machine.minor_unit
            state = int(machine.next[state, column])
            if (stop_win is not None and net >= stop_win) or (stop_loss is not None and net <= -stop_loss):
                break
        played.finals[net] += share
    return played
