"""A machine with the dice forgotten: weighted steps between classes of states that no gambler could tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd

import numpy as np
from numpy.typing import NDArray

from passline.machine.dice import FAIR, LoadedDice
from passline.machine.machine import Machine
from passline.machine.minimise import coarsest, reachable
from passline.odds.sessions.run_out import NOTHING, RunOut, run_outs


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """States that differ in the chance of what they pay, and the steps between them, sorted by target.

    A point of four and a point of ten are one state here: the dice differ, the law of the money does not.
    """

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    net: NDArray[np.int64]
    """What each step pays, in whole `step`s of money."""
    weight: NDArray[np.int64]
    """The weight of the throws that take each step, out of `whole`: their number, with fair dice."""
    need: tuple[Fraction, ...]
    """Money that must be at hand in each state; nothing throughout when no bankroll was given."""
    action: tuple[Fraction, ...]
    """The mean money of the bets that a roll decides in each state."""
    hand_ends: NDArray[np.int64]
    """The weight of the throws that are a seven-out in each state."""
    playing: NDArray[np.int64]
    """One for each state that is played on from, none where the strategy has ended its evening."""
    last: NDArray[np.int64]
    """Which of `run_outs` a session comes to that ends in each state."""
    run_outs: tuple[RunOut, ...]
    """What becomes of what stands when a session ends, in whole `step`s; at face value, nothing."""
    start: int
    whole: int
    """The weight of all 36 throws together."""
    step: Fraction
    """The money that divides every net; all else is money itself."""

    @property
    def states(self) -> int:
        """How many states are left."""
        return len(self.need)

    @property
    def net_max(self) -> int:
        """The most steps of money one roll can move, either way."""
        return int(np.abs(self.net).max())

    @property
    def out_least(self) -> NDArray[np.int64]:
        """The least that the run-out of each state brings."""
        return np.array([each.nets[0] for each in self.run_outs])[self.last]

    @property
    def out_most(self) -> NDArray[np.int64]:
        """The most that it brings."""
        return np.array([each.nets[-1] for each in self.run_outs])[self.last]


def chain_of(machine: Machine, *, with_need: bool, run_out: bool = False, dice: LoadedDice = FAIR) -> Chain:
    """The machine lumped as far as the law of a session allows, which ends at face value or with a run-out."""
    last, ends = run_outs(machine, dice) if run_out else (np.zeros(machine.states, dtype=np.int64), [NOTHING])
    kept = reachable(machine)
    name = np.zeros(machine.states, dtype=np.int64)
    name[kept] = np.arange(len(kept))
    following, net, weight = name[machine.next[kept]], machine.net[kept], dice.columns(machine)
    hands = (machine.hand_ends[kept] * weight).sum(axis=1)
    need = machine.need[kept] if with_need else np.zeros(len(kept), dtype=np.int64)
    action = (machine.action[kept] * weight).sum(axis=1)
    playing = np.ones(len(kept), dtype=np.int64) if machine.over is None else 1 - machine.over[kept].astype(np.int64)
    seen = np.column_stack([need, action, hands, playing, last[kept]])
    classes = _lump(following, seen, net, weight)
    first = np.unique(classes, return_index=True)[1]
    source, target, paid, throws = _steps(classes[following[first]], net[first], weight)
    divides = gcd(int(np.gcd.reduce(np.abs(paid))), *(net for each in ends for net in each.nets)) or 1
    return Chain(
        source=source,
        target=target,
        net=paid // divides,
        weight=throws,
        need=_money(need[first], machine.grain),
        action=_money(action[first], machine.grain / dice.whole),
        hand_ends=hands[first],
        playing=playing[first],
        last=last[kept][first],
        run_outs=tuple(each.in_steps(divides, machine.grain) for each in ends),
        start=int(classes[0]),
        whole=dice.whole,
        step=divides * machine.grain,
    )


def _money(grains: NDArray[np.int64], grain: Fraction) -> tuple[Fraction, ...]:
    return tuple(amount * grain for amount in grains.tolist())


def _lump(
    following: NDArray[np.int64], seen: NDArray[np.int64], net: NDArray[np.int64], weight: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Classes of states from which the same money moves to the same classes by throws of the same weight."""
    label = np.unique(net, return_inverse=True)[1].reshape(net.shape).astype(np.int64)
    salt = 0
    while True:
        classes = coarsest(following, seen, label, weight, salt=salt)
        like = np.unique(classes, return_index=True)[1][classes]
        steps = _weighed(label * len(net) + classes[following], weight)
        # The classes were found by hashing; each is compared in full, step for step, before it is believed.
        if np.array_equal(seen, seen[like]) and all(np.array_equal(part, part[like]) for part in steps):
            return classes
        salt += 1


def _weighed(label: NDArray[np.int64], weight: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each state its different labels in rising order, and the weight of all up to each: equal rows, equal laws."""
    order = np.argsort(label, axis=1, kind="stable")
    label, sums = np.take_along_axis(label, order, axis=1), np.cumsum(weight[order], axis=1)
    again = np.zeros(label.shape, dtype=np.bool_)
    again[:, :-1] = label[:, :-1] == label[:, 1:]
    label[again], sums[again] = np.iinfo(np.int64).max, 0
    order = np.argsort(label, axis=1, kind="stable")
    return np.take_along_axis(label, order, axis=1), np.take_along_axis(sums, order, axis=1)


def _steps(
    target: NDArray[np.int64], net: NDArray[np.int64], weight: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Source, target, net and weight of every distinct step, sorted by target."""
    source = np.repeat(np.arange(len(target)), target.shape[1])
    rows = np.column_stack([target.reshape(-1), source, net.reshape(-1)])
    throws = np.tile(weight, len(target))
    distinct, place = np.unique(rows[throws > 0], axis=0, return_inverse=True)
    count = np.bincount(place.reshape(-1), weights=throws[throws > 0]).astype(np.int64)
    assert int(count.sum()) == int(weight.sum()) * len(target), "every state has 36 throws"
    return distinct[:, 1], distinct[:, 0], distinct[:, 2], count
