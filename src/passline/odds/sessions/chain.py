"""A machine with the dice forgotten: weighted steps between classes of states that no gambler could tell apart."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import gcd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.machine.dice import FAIR, LoadedDice
from passline.machine.machine import Machine
from passline.machine.minimise import coarsest, reachable
from passline.odds.sessions.run_out import NOTHING, RunOut, run_outs

Ints = NDArray[np.int64]
Weights = NDArray[np.generic]


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


ULP = 2.0**-53  # the most by which rounding to the nearest double is off, relatively
SPARE = 1e-4  # Bits for each roll beyond the logarithm of the weight of all throws, which is rounded


class Whole:
    """Weights as whole numbers, over that of all throws to the number of rolls: a few bytes of each in every row."""

    one = 1
    dtype = np.uint64

    def __init__(self, chain: Chain, rolls: int) -> None:
        most = max(int(np.bincount(chain.target, weights=chain.weight).max()), chain.states, chain.whole)
        self.bytes = (64 - most.bit_length()) // 8
        self.bits = np.uint64(8 * self.bytes)
        self.mask = np.uint64((1 << 8 * self.bytes) - 1)
        self.rolls, self.whole = rolls, chain.whole
        self.bits_each = math.log2(chain.whole) + SPARE
        self.edges = list(zip(chain.source.tolist(), chain.target.tolist(), chain.weight.tolist(), strict=True))

    def rows(self, roll: int) -> int:
        return -(-(int(roll * self.bits_each) + 1) // (8 * self.bytes))

    def settle(self, cells: NDArray[Any]) -> None:
        for row in range(1, len(cells)):
            cells[row] += cells[row - 1] >> self.bits
            cells[row - 1] &= self.mask

    def values(self, cells: NDArray[Any]) -> list[int]:
        whole = np.vstack([cells, np.zeros_like(cells[:1])])
        self.settle(whole)
        octets = np.ascontiguousarray(whole.T).astype("<u8").view(np.uint8).reshape(cells.shape[1], -1, 8)
        packed = np.ascontiguousarray(octets[:, :, : self.bytes]).reshape(cells.shape[1], -1)
        return [int.from_bytes(number.tobytes(), "little") for number in packed]

    def total(self, cells: NDArray[Any]) -> int:
        low: list[int] = (cells & np.uint64(0xFFFFFFFF)).sum(axis=1).tolist()
        high: list[int] = (cells >> np.uint64(32)).sum(axis=1).tolist()
        shift = 8 * self.bytes
        return sum((a + (b << 32)) << shift * row for row, (a, b) in enumerate(zip(low, high, strict=True)))

    def scale(self, roll: int) -> int:
        return int(self.whole ** (self.rolls - roll))

    def masses(self, chain: Chain, mass: list[int]) -> list[int]:
        after = [0] * chain.states
        for source, target, weight in self.edges:
            after[target] += weight * mass[source]
        return after


class Double:
    """Weights as probabilities in double precision."""

    one = 1.0
    dtype = np.float64

    def __init__(self, chain: Chain) -> None:
        most = int(np.bincount(chain.target).max())
        self.share = 1 / chain.whole
        # How far one roll puts a weight off, relatively: a product and the additions, the share, the product with it.
        self.per_roll = (most + 4) * ULP

    def rows(self, roll: int) -> int:  # noqa: ARG002 - a double is always one row
        return 1

    def settle(self, cells: NDArray[Any]) -> None:
        cells *= self.share

    def values(self, cells: NDArray[Any]) -> list[float]:
        return [float(value) for value in cells[0]]

    def total(self, cells: NDArray[Any]) -> float:
        return float(cells.sum())

    def scale(self, roll: int) -> float:  # noqa: ARG002 - a chance is a chance whenever it falls
        return 1.0

    def masses(self, chain: Chain, mass: list[float]) -> list[float]:
        flow = np.asarray(mass)[chain.source] * chain.weight
        return [float(value) for value in np.bincount(chain.target, weights=flow, minlength=chain.states) / chain.whole]


# How weights are held: `rows` of an array after so many rolls, brought back to their form by `settle`; `scale` makes a
# weight after some rolls one at the end of the session.
Sums = Whole | Double

TILE = 2048  # Nets worked on at once: those of every state stay in a near cache while each is added to its targets


class Held(NamedTuple):
    """The weights of all states in one buffer: those of a state lie row after row, `stride` apart."""

    buffer: Weights
    at: Ints
    low: Ints
    high: Ints
    stride: Ints
    rows: int


class Steps(NamedTuple):
    """The steps of a chain; those into state `i` are from `first[i]` on and before `first[i + 1]`."""

    first: Ints
    source: Ints
    net: Ints
    weight: Weights


@cache
def compiled_roll() -> Callable[[Steps, Held, Held, int, int], None] | None:
    """The compiled roll, or nothing without Numba; it takes seconds to compile, so short walks do not ask for it."""
    try:
        import numba
    except ImportError:
        return None
    compiled: Any = numba.njit(nogil=True)(roll)
    return compiled  # type: ignore[no-any-return]


def roll(steps: Steps, held: Held, out: Held, bottom: int, top: int) -> None:
    """Add every step, moved by what it pays and weighed, to its target, for all nets from `bottom` to `top`."""
    for row in range(held.rows):
        for begin in range(bottom, top + 1, TILE):
            for target in range(len(out.at)):
                onto = out.at[target] + row * out.stride[target] - out.low[target]
                for edge in range(steps.first[target], steps.first[target + 1]):
                    state, paid = steps.source[edge], steps.net[edge]
                    left = max(begin, held.low[state] + paid)
                    width = min(begin + TILE - 1, held.high[state] + paid) - left + 1
                    if width > 0:
                        origin = held.at[state] + row * held.stride[state] - held.low[state] - paid
                        # Slices, because a compiler that sees two plain arrays adds eight numbers at a time.
                        sums = out.buffer[onto + left : onto + left + width]
                        moved = held.buffer[origin + left : origin + left + width]
                        for place in range(width):
                            sums[place] += steps.weight[edge] * moved[place]
