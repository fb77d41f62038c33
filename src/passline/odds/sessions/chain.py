"""A machine with the dice forgotten: weighted steps between classes of states that no gambler could tell apart.

What comes of everything that stands when a session ends belongs to each of them: its distribution in fractions. While
nothing is decided no money moves, so the felts between two decisions make one small set of equations, and what follows
a decision is known before it is needed: the groups are solved from the last decision backwards.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import gcd, lcm
from operator import mul
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.errors import SessionError
from passline.machine.dice import FAIR, LoadedDice
from passline.machine.machine import Machine, coarsest, felts_of, reachable
from passline.odds.linear import in_order, solve

Ints = NDArray[np.int64]
ULP = 2.0**-53  # the most by which rounding to the nearest double is off, relatively
EMPTY = 0  # the felt on which nothing stands
FELTS_MAX = 50_000  # Felts that are looked at, those on the way to the last decision included: some seconds' worth


class RunOut(NamedTuple):
    """What everything that stands in a state comes to."""

    nets: tuple[int, ...]  # all that can come of it, rising: in minor units, or in steps of money where a chain has it
    ways: tuple[int, ...]  # how many of `whole` ways lead to each
    whole: int
    action: Fraction  # the mean of the action, in minor units, or in money where a chain has it
    rolls: Fraction  # the mean number of rolls until the last decision

    def plus(self, back: int) -> "RunOut":
        return self._replace(nets=tuple(net + back for net in self.nets)) if back else self

    def in_steps(self, divides: int, minor_unit: Fraction) -> "RunOut":
        """Nets in steps of so many minor units, and the action in money."""
        return self._replace(nets=tuple(net // divides for net in self.nets), action=self.action * minor_unit)

    def moment(self, power: int) -> Fraction:
        """The mean of what comes of it, or of its square."""
        return Fraction(sum(net**power * ways for net, ways in zip(self.nets, self.ways, strict=True)), self.whole)

    def chances(self) -> NDArray[np.float64]:
        """For each net from the least to the greatest, its chance."""
        dense = np.zeros(self.nets[-1] - self.nets[0] + 1)
        for net, ways in zip(self.nets, self.ways, strict=True):
            dense[net - self.nets[0]] = ways / self.whole
        return dense


NOTHING = RunOut((0,), (1,), 1, Fraction(0), Fraction(0))  # nothing stands, or what stands counts at face value


def run_outs(machine: Machine, dice: LoadedDice = FAIR) -> tuple[NDArray[np.int64], list[RunOut]]:
    """For each state the number of its run-out, and the run-outs, in minor units, each of them once."""
    stands = machine.standing
    if stands is None:
        return np.zeros(machine.states, dtype=np.int64), [NOTHING]
    felts = felts_of(stands, FELTS_MAX)
    if felts is None:
        name = machine.about.get("strategy", "this strategy")
        raise SessionError(
            f"What {name} leaves standing is decided by way of more than {FELTS_MAX:,} felts, too many to work out. "
            'Count it at face value (at_end="face", --at-end face), or simulate it.'
        )
    laws = _laws(felts.machine, dice)
    names: dict[RunOut, int] = {}
    number = [
        names.setdefault(laws[felt].plus(back), len(names))
        for felt, back in zip(felts.enter.tolist(), stands.back.tolist(), strict=True)
    ]
    return np.array(number, dtype=np.int64), list(names)


class _Moves(NamedTuple):
    steps: Mapping[int, int]  # the weight of the throws that lead to each felt
    paid: Mapping[tuple[int, int], int]  # the same for each felt and net
    action: int  # Action of all throws together, each times its weight


def _laws(felts: Machine, dice: LoadedDice) -> list[RunOut]:
    """The run-out of each felt; the first is the empty one."""
    weights = dice.columns(felts).tolist()
    moves = [_Moves({}, {}, 0)]
    for after, nets, action in zip(felts.next[1:].tolist(), felts.net[1:].tolist(), felts.action[1:], strict=True):
        steps, paid = Counter[int](), Counter[tuple[int, int]]()
        for there, won, weight in zip(after, nets, weights, strict=True):
            steps[there] += weight
            paid[there, won] += weight
        moves.append(_Moves(steps, paid, int(action @ weights)))
    laws = [NOTHING] * len(moves)
    for group in reversed(in_order({felt: move.steps for felt, move in enumerate(moves)})):
        if group != [EMPTY]:
            for felt, law in _solved(group, moves, laws, dice.whole).items():
                laws[felt] = law
    return laws


def _solved(group: Sequence[int], moves: Sequence[_Moves], laws: Sequence[RunOut], throws: int) -> dict[int, RunOut]:
    """The run-outs of felts that can return to one another, from those that follow."""
    inside = set(group)
    matrix = tuple(tuple((one == other) * throws - moves[one].steps.get(other, 0) for other in group) for one in group)
    inverse, over = _inverse(matrix)
    leaving = [
        [(laws[there], net, weight) for (there, net), weight in moves[felt].paid.items() if there not in inside]
        for felt in group
    ]
    assert all(net == 0 for felt in group for there, net in moves[felt].paid if there in inside), "nobody was paid"
    whole = lcm(*(law.whole for exits in leaving for law, _, _ in exits))
    sums = [_sum(exits, whole) for exits in leaving]
    action = [
        moves[felt].action + sum(w * law.action for law, _, w in out) for felt, out in zip(group, leaving, strict=True)
    ]
    rolls = [throws + sum(w * law.rolls for law, _, w in out) for out in leaving]
    solved = {}
    for felt, row in zip(group, inverse, strict=True):
        ways: Counter[int] = Counter()  # the sums weighed by a row of the inverse
        for factor, each in zip(row, sums, strict=True):
            if factor:
                for net, often in each.items():
                    ways[net] += factor * often
        means = (Fraction(sum(map(mul, row, figure))) / over for figure in (action, rolls))
        solved[felt] = _run_out(ways, over * whole, *means)
    return solved


@cache
def _inverse(matrix: tuple[tuple[int, ...], ...]) -> tuple[list[list[int]], int]:
    size = len(matrix)
    if size == 1:
        return [[1]], matrix[0][0]
    square = np.array(matrix, dtype=np.int64)
    columns = [solve(square, [int(row == column) for row in range(size)]) for column in range(size)]
    over = lcm(*(bottom for _, bottom in columns))
    return [[tops[row] * (over // bottom) for tops, bottom in columns] for row in range(size)], over


def _sum(exits: Sequence[tuple[RunOut, int, int]], whole: int) -> dict[int, int]:
    """Ways out of `whole` times the weight of all throws to each net, by leaving a felt."""
    ways: defaultdict[int, int] = defaultdict(int)
    for law, won, weight in exits:
        scale = weight * (whole // law.whole)
        for net, often in zip(law.nets, law.ways, strict=True):
            ways[net + won] += scale * often
    return ways


def _run_out(ways: Mapping[int, int], whole: int, action: Fraction, rolls: Fraction) -> RunOut:
    common = gcd(whole, *ways.values())
    nets = tuple(sorted(net for net, often in ways.items() if often))
    run_out = RunOut(nets, tuple(ways[net] // common for net in nets), whole // common, action, rolls)
    assert sum(run_out.ways) == run_out.whole, "every bet is decided"
    return run_out


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """States that differ in the chance of what they pay, and the steps between them, sorted by target.

    A point of four and a point of ten are one state here: the dice differ, the distribution of the money does not.
    """

    source: Ints
    target: Ints
    net: Ints  # what each step pays, in whole `step`s of money
    # The weight of the throws that take each step, out of `whole`: their number, with fair dice.
    weight: Ints
    # Money that must be at hand in each state; nothing throughout when no bankroll was given.
    need: tuple[Fraction, ...]
    action: tuple[Fraction, ...]  # the mean money of the bets that a roll decides in each state
    hand_ends: Ints  # the weight of the throws that are a seven-out in each state
    # One for each state that is played on from, none where the strategy has ended its session.
    playing: Ints
    last: Ints  # which of `run_outs` a session comes to that ends in each state
    # What becomes of what stands when a session ends, in whole `step`s; at face value, nothing.
    run_outs: tuple[RunOut, ...]
    start: int
    whole: int  # the weight of all 36 throws together
    step: Fraction  # the money that divides every net; all else is money itself

    @property
    def states(self) -> int:
        return len(self.need)

    @property
    def net_max(self) -> int:
        return int(np.abs(self.net).max())

    @property
    def out_least(self) -> Ints:
        return np.array([each.nets[0] for each in self.run_outs])[self.last]

    @property
    def out_most(self) -> Ints:
        return np.array([each.nets[-1] for each in self.run_outs])[self.last]

    def square(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """A matrix of states by states: the value of each step times its chance."""
        square = np.zeros((self.states, self.states))
        np.add.at(square, (self.source, self.target), values * self.weight / self.whole)
        return square


def chain_of(machine: Machine, *, with_need: bool, run_out: bool = False, dice: LoadedDice = FAIR) -> Chain:
    """The machine lumped as far as the distribution of a session allows, which ends at face value or with a run-out."""
    last, ends = run_outs(machine, dice) if run_out else (np.zeros(machine.states, dtype=np.int64), [NOTHING])
    states = reachable(machine)
    name = np.zeros(machine.states, dtype=np.int64)
    name[states] = np.arange(len(states))
    following, net, weight = name[machine.next[states]], machine.net[states], dice.columns(machine)
    hands = (machine.hand_ends[states] * weight).sum(axis=1)
    need = machine.need[states] if with_need else np.zeros(len(states), dtype=np.int64)
    action = (machine.action[states] * weight).sum(axis=1)
    playing = 1 - machine.ended[states].astype(np.int64)
    seen = np.column_stack([need, action, hands, playing, last[states]])
    classes = _lump(following, seen, net, weight)
    first = np.unique(classes, return_index=True)[1]
    source, target, paid, throws = _steps(classes[following[first]], net[first], weight)
    divides = gcd(int(np.gcd.reduce(np.abs(paid))), *(net for each in ends for net in each.nets)) or 1
    return Chain(
        source=source,
        target=target,
        net=paid // divides,
        weight=throws,
        need=_money(need[first], machine.minor_unit),
        action=_money(action[first], machine.minor_unit / dice.whole),
        hand_ends=hands[first],
        playing=playing[first],
        last=last[states][first],
        run_outs=tuple(each.in_steps(divides, machine.minor_unit) for each in ends),
        start=int(classes[0]),
        whole=dice.whole,
        step=divides * machine.minor_unit,
    )


def _money(minor_units: Ints, minor_unit: Fraction) -> tuple[Fraction, ...]:
    return tuple(amount * minor_unit for amount in minor_units.tolist())


def _lump(following: Ints, seen: Ints, net: Ints, weight: Ints) -> Ints:
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


def _weighed(label: Ints, weight: Ints) -> tuple[Ints, Ints]:
    """For each state its labels in rising order and the weight of all up to each: equal rows, equal distributions."""
    order = np.argsort(label, axis=1, kind="stable")
    label, sums = np.take_along_axis(label, order, axis=1), np.cumsum(weight[order], axis=1)
    again = np.zeros(label.shape, dtype=np.bool_)
    again[:, :-1] = label[:, :-1] == label[:, 1:]
    label[again], sums[again] = np.iinfo(np.int64).max, 0
    order = np.argsort(label, axis=1, kind="stable")
    return np.take_along_axis(label, order, axis=1), np.take_along_axis(sums, order, axis=1)


def _steps(target: Ints, net: Ints, weight: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Source, target, net and weight of every distinct step, sorted by target."""
    source = np.repeat(np.arange(len(target)), target.shape[1])
    rows = np.column_stack([target.reshape(-1), source, net.reshape(-1)])
    throws = np.tile(weight, len(target))
    distinct, place = np.unique(rows[throws > 0], axis=0, return_inverse=True)
    count = np.bincount(place.reshape(-1), weights=throws[throws > 0]).astype(np.int64)
    assert int(count.sum()) == int(weight.sum()) * len(target), "every state has 36 throws"
    return distinct[:, 1], distinct[:, 0], distinct[:, 2], count
