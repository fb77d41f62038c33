"""What comes of everything that stands when a session ends: its distribution in fractions, for each state of a machine.

While nothing is decided no money moves, so the felts between two decisions make one small set of equations, and
what follows a decision is known before it is needed: the groups are solved from the last decision backwards.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import gcd, lcm
from operator import mul
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.errors import SessionError
from passline.machine.dice import FAIR, LoadedDice
from passline.machine.machine import Machine, felts_of
from passline.odds.linear import in_order, solve

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


def in_whole_numbers(finals: Sequence[Mapping[int, int]], ends: Sequence[RunOut]) -> tuple[int, list[int], int]:
    """Final weights from those with which each run-out begins: the least net, its weights on, and their factor.

    The weights of all nets lie side by side in one long number, so that all are weighed by one multiplication.
    """
    begun = [(weights, min(weights), end) for weights, end in zip(finals, ends, strict=True) if weights]
    times = lcm(*(end.whole for _, _, end in begun))
    low = min(least + end.nets[0] for _, least, end in begun)
    high = max(max(weights) + end.nets[-1] for weights, _, end in begun)
    size = (sum(sum(weights.values()) for weights, _, _ in begun) * times).bit_length() // 8 + 1
    total = 0
    for weights, least, end in begun:
        cells = b"".join(weights.get(net, 0).to_bytes(size, "little") for net in range(least, max(weights) + 1))
        side_by_side = int.from_bytes(cells, "little")
        for net, ways in zip(end.nets, end.ways, strict=True):
            total += side_by_side * (ways * (times // end.whole)) << 8 * size * (least + net - low)
    count = high - low + 1
    summed = total.to_bytes(size * count, "little")
    return low, [int.from_bytes(summed[size * at : size * (at + 1)], "little") for at in range(count)], times


def in_doubles(finals: Sequence[Mapping[int, float]], ends: Sequence[RunOut]) -> tuple[int, list[float]]:
    begun = [(weights, min(weights), end) for weights, end in zip(finals, ends, strict=True) if weights]
    low = min(least + end.nets[0] for _, least, end in begun)
    high = max(max(weights) + end.nets[-1] for weights, _, end in begun)
    total = np.zeros(high - low + 1)
    for weights, least, end in begun:
        dense = np.array([weights.get(net, 0.0) for net in range(least, max(weights) + 1)])
        at = least + end.nets[0] - low
        ended = np.convolve(dense, end.chances())
        total[at : at + len(ended)] += ended
    return low, total.tolist()


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
