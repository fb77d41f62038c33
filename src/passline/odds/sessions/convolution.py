"""Convolution: every state and every net a session can be at, roll by roll, with the weight of each."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.odds.sessions.chain import ULP, Chain, Ints

FAR = 1 << 61  # Farther than any session goes: the bounds of a state that has not been reached
CLIP_EVERY = 32  # Rolls between two looks at the tails: a look costs a good part of a roll
TILE = 2048  # Nets worked on at once: those of every state stay in a near cache while each is added to its targets
SPARE = 1e-4  # Bits for each roll beyond the logarithm of the weight of all throws, which is rounded


@dataclass(frozen=True, slots=True, eq=False)
class Barriers:
    """Where a session ends before its time, in steps of money."""

    win: int | None = None  # a net of this or more ends it
    loss: int | None = None  # a net of this or less ends it
    floor: Ints | None = None  # in each state, a net below this is ruin

    @property
    def none(self) -> bool:
        return self.win is None and self.loss is None and self.floor is None


@dataclass(slots=True)
class Ended:
    """What a walk found: weights of final nets, and sums over the rolls played."""

    # For each run-out of the chain, the weight of each net, in steps of money, with which it begins.
    finals: list[dict[int, Any]]
    ruined: list[Any]  # the weight of ruin before each roll
    behind: Any  # the weight of the sessions that a stop-loss ends
    visits: list[Any]  # for each state, the weight of all rolls thrown in it: divided by the whole, their mean number
    stopped: list[Any]  # for each run-out, the weight of the sessions that end with it
    clipped: float = 0.0  # Mass that was cut off the tails and is missing from `finals`


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


class Held(NamedTuple):
    """The weights of all states side by side: for each state its first column, and its least and greatest net."""

    cells: NDArray[Any]
    at: Ints
    low: Ints
    high: Ints

    def of(self, state: int) -> NDArray[Any]:
        begin = int(self.at[state])
        return self.cells[:, begin : begin + max(int(self.high[state] - self.low[state]) + 1, 0)]


class Steps(NamedTuple):
    """The steps of a chain; those into state `i` are from `first[i]` on and before `first[i + 1]`."""

    first: Ints
    source: Ints
    net: Ints
    weight: NDArray[Any]


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
    for row in range(len(held.cells)):
        for begin in range(bottom, top + 1, TILE):
            for target in range(len(out.at)):
                onto = out.at[target] - out.low[target]
                for edge in range(steps.first[target], steps.first[target + 1]):
                    state, paid = steps.source[edge], steps.net[edge]
                    left = max(begin, held.low[state] + paid)
                    width = min(begin + TILE - 1, held.high[state] + paid) - left + 1
                    if width > 0:
                        origin = held.at[state] - held.low[state] - paid
                        # Slices, because a compiler that sees two plain arrays adds eight numbers at a time.
                        sums = out.cells[row, onto + left : onto + left + width]
                        moved = held.cells[row, origin + left : origin + left + width]
                        for place in range(width):
                            sums[place] += steps.weight[edge] * moved[place]


class Convolution:
    """One session under way: for every state, the nets it may be at and their weights."""

    def __init__(
        self, chain: Chain, barriers: Barriers, sums: Sums, *, clip: float = 0.0, compiled: bool = False
    ) -> None:
        """Stand in the start state with nothing won or lost.

        `clip` is the mass that may be cut off each end of each state at one look; whole numbers are never cut.
        `compiled` asks for the compiled roll, which takes seconds to make ready; without Numba it is not there.
        """
        self.chain, self.barriers, self.clip = chain, barriers, clip
        self.sums: Any = sums
        low, high = np.full(chain.states, FAR), np.full(chain.states, -FAR)
        low[chain.start] = high[chain.start] = 0
        self.held = Held(np.ones((1, 1), dtype=sums.dtype), np.zeros(chain.states, dtype=np.int64), low, high)
        self.zero: Any = sums.one - sums.one
        self.mass: list[Any] = [sums.one if state == chain.start else self.zero for state in range(chain.states)]
        self.ended: Ended = Ended(
            [{} for _ in chain.run_outs], [], self.zero, [self.zero] * chain.states, [self.zero] * len(chain.run_outs)
        )
        self._kernel = compiled_roll() if compiled else None
        first = np.searchsorted(chain.target, np.arange(chain.states + 1))
        self._steps = Steps(first, chain.source, chain.net, chain.weight.astype(sums.dtype))
        # Two buffers: what is held lies in the second, and the next roll goes to the first.
        self._room: list[NDArray[Any]] = [np.zeros(0, dtype=sums.dtype)] * 2

    def play(self, rolls: int, progress: Callable[[int, int], None] | None = None) -> Ended:
        for roll in range(rolls):
            floor = self.barriers.floor
            self.ended.ruined.append(self.zero if floor is None else self._end_below(roll, floor))
            if (self.held.low > self.held.high).all():
                break
            scale = self.sums.scale(roll)  # one roll more in each state, for the sessions that are still going on
            self.ended.visits = [often + scale * mass for often, mass in zip(self.ended.visits, self.mass, strict=True)]
            self._roll(roll + 1)
            if self.barriers.win is not None:
                self._end_from(roll + 1, self.barriers.win)
            if self.barriers.loss is not None:
                self.ended.behind += self._end_below(roll + 1, self.barriers.loss + 1)
            if self.clip and roll % CLIP_EVERY == 0:
                self._clip()
            if progress is not None:
                progress(roll + 1, rolls)
        self._end_below(rolls, FAR)
        self.ended.ruined += [self.zero] * (rolls - len(self.ended.ruined))
        return self.ended

    def _roll(self, roll: int) -> None:
        """Throw the dice once in every state: weights move along the steps, shifted by what each step pays."""
        held, (low, high) = self.held, next_bounds(self.chain, self.held.low, self.held.high)
        out = self.held = self._cleared(low, high, self.sums.rows(roll))
        if self._kernel is None:
            self._add(held, out)
        else:
            live = low <= high
            self._kernel(self._steps, held, out, int(low[live].min()), int(high[live].max()))
        self.sums.settle(out.cells)
        self.mass = self.sums.masses(self.chain, self.mass)

    def _add(self, held: Held, out: Held) -> None:
        """As the compiled `roll`."""
        _, source, net, weights = self._steps
        begin, wide = held.at[source], np.maximum(held.high - held.low + 1, 0)[source]
        onto = out.at[self.chain.target] + held.low[source] + net - out.low[self.chain.target]
        rows = len(held.cells)
        for at, width, to, weight in zip(begin.tolist(), wide.tolist(), onto.tolist(), weights, strict=True):
            if width:
                part = out.cells[:rows, to : to + width]
                part += held.cells[:, at : at + width] * weight

    def _cleared(self, low: Ints, high: Ints, rows: int) -> Held:
        """Room for the next weights, in the buffer that the last ones do not lie in."""
        widths = np.maximum(high - low + 1, 0)
        ends = np.cumsum(widths)
        size = rows * int(ends[-1])
        if len(self._room[0]) < size:
            self._room[0] = np.zeros(size + size // 2, dtype=self.sums.dtype)
        self._room.reverse()
        cells = self._room[1][:size].reshape(rows, -1)
        cells[:] = 0
        return Held(cells, ends - widths, low, high)

    def _end_below(self, roll: int, limit: Ints | int) -> Any:  # noqa: ANN401 - whole or not
        """End the sessions whose net is below the limit of their state; their weight."""
        low, high = self.held.low, self.held.high
        cut = np.clip(limit - low, 0, np.maximum(high - low + 1, 0)).tolist()
        taken = []
        for state, count in enumerate(cut):
            if count:
                cells = self.held.of(state)
                taken.append((state, int(low[state]), cells[:, :count]))
                self._keep(state, count, cells.shape[1])
        return self._end(roll, taken)

    def _end_from(self, roll: int, limit: int) -> None:
        """End the sessions whose net is at the limit or above it."""
        low, high = self.held.low, self.held.high
        taken = []
        for state in np.flatnonzero((high >= limit) & (low <= high)).tolist():
            left = max(limit - int(low[state]), 0)
            taken.append((state, int(low[state]) + left, self.held.of(state)[:, left:]))
            self._keep(state, 0, left)
        self._end(roll, taken)

    def _keep(self, state: int, left: int, right: int) -> None:
        """Leave a state only its cells from `left` to before `right`."""
        _, at, low, high = self.held
        at[state] += left
        begin = int(low[state])
        low[state], high[state] = (begin + left, begin + right - 1) if left < right else (FAR, -FAR)

    def _end(self, roll: int, taken: list[tuple[int, int, NDArray[Any]]]) -> Any:  # noqa: ANN401 - whole or not
        """Add what was taken from the states, each with its least net, to what run-outs begin with; its weight."""
        scale, weight = self.sums.scale(roll), self.zero
        last = [int(self.chain.last[state]) for state, _, _ in taken]
        for number in dict.fromkeys(last):
            alike = [each for each, other in zip(taken, last, strict=True) if other == number]
            bottom = min(low for _, low, _ in alike)
            top = max(low + cells.shape[1] for _, low, cells in alike)
            pooled, gone = np.zeros((self.sums.rows(roll), top - bottom), dtype=self.sums.dtype), self.zero
            for state, low, cells in alike:
                pooled[: len(cells), low - bottom : low - bottom + cells.shape[1]] += cells
                total = self.sums.total(cells)
                self.mass[state] -= total
                gone += total
            finals = self.ended.finals[number]
            for net, value in enumerate(self.sums.values(pooled), start=bottom):
                if value:
                    finals[net] = finals.get(net, self.zero) + scale * value
            self.ended.stopped[number] += scale * gone
            weight += gone
        return scale * weight

    def _clip(self) -> None:
        """Cut off the ends of each state that weigh next to nothing, and note what they weighed."""
        for state in np.flatnonzero(self.held.low <= self.held.high).tolist():
            cells = self.held.of(state)
            up, down = np.cumsum(cells[0]), np.cumsum(cells[0, ::-1])
            left = int(np.searchsorted(up, self.clip, side="right"))
            right = int(np.searchsorted(down, self.clip, side="right"))
            gone = [float(up[left - 1])] * (left > 0) + [float(down[right - 1])] * (right > 0)
            self.ended.clipped += sum(gone)
            self._keep(state, left, max(cells.shape[1] - right, left))


def next_bounds(chain: Chain, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """The least and the greatest net of each state after one more roll."""
    least = np.full(chain.states, FAR)
    most = np.full(chain.states, -FAR)
    first = np.flatnonzero(np.r_[True, chain.target[1:] != chain.target[:-1]])
    least[chain.target[first]] = np.minimum.reduceat(low[chain.source] + chain.net, first)
    most[chain.target[first]] = np.maximum.reduceat(high[chain.source] + chain.net, first)
    empty = least > most
    least[empty], most[empty] = FAR, -FAR
    return least, most
