"""Convolution: every state and every net a session can be at, roll by roll, with the weight of each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from passline.odds.sessions.chain import Chain, Held, Ints, Steps, Sums, compiled_roll

FAR = 1 << 61  # Farther than any session goes: the bounds of a state that has not been reached
CLIP_EVERY = 32  # Rolls between two looks at the tails: a look costs a good part of a roll


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
        self.low = np.full(chain.states, FAR)
        self.high = np.full(chain.states, -FAR)
        self.low[chain.start] = self.high[chain.start] = 0
        self.cells: list[NDArray[Any]] = [np.zeros((1, 0), dtype=sums.dtype)] * chain.states
        self.cells[chain.start] = np.ones((1, 1), dtype=sums.dtype)
        self.zero: Any = sums.one - sums.one
        self.mass: list[Any] = [sums.one if state == chain.start else self.zero for state in range(chain.states)]
        self.ended: Ended = Ended(
            [{} for _ in chain.run_outs], [], self.zero, [self.zero] * chain.states, [self.zero] * len(chain.run_outs)
        )
        self._kernel = compiled_roll() if compiled else None
        first = np.searchsorted(chain.target, np.arange(chain.states + 1))
        self._steps = Steps(first, chain.source, chain.net, chain.weight.astype(sums.dtype))
        self._at, self._stride = np.zeros((2, chain.states), dtype=np.int64)
        self._room = [np.zeros(0, dtype=sums.dtype), self.cells[chain.start][0]]

    def play(self, rolls: int, progress: Callable[[int, int], None] | None = None) -> Ended:
        for roll in range(rolls):
            floor = self.barriers.floor
            self.ended.ruined.append(self.zero if floor is None else self._end_below(roll, floor))
            if (self.low > self.high).all():
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
        low, high = bounds_after(self.chain, self.low, self.high)
        before = self._held()
        out = self._clear(low, high, self.sums.rows(roll))
        if self._kernel is None:
            self._add(out, (self.low[self.chain.source] + self.chain.net - low[self.chain.target]).tolist())
        self.low, self.high, self.cells = low, high, out
        if self._kernel is not None:
            live = low <= high
            self._kernel(self._steps, before, self._held(), int(low[live].min()), int(high[live].max()))
        for cells in out:
            if cells.size:
                self.sums.settle(cells)
        self.mass = self.sums.masses(self.chain, self.mass)

    def _add(self, out: list[NDArray[Any]], shift: list[int]) -> None:
        """Add every step to its target."""
        _, source, _, weights = self._steps
        for start, target, at, weight in zip(source.tolist(), self.chain.target.tolist(), shift, weights, strict=True):
            cell = self.cells[start]
            if cell.size:
                part = out[target][: len(cell), at : at + cell.shape[1]]
                part += cell * weight

    def _held(self) -> Held:
        return Held(self._room[1], self._at, self.low, self.high, self._stride, len(self.cells[0]))

    def _clear(self, low: Ints, high: Ints, rows: int) -> list[NDArray[Any]]:
        """Zeroed arrays for the next weights, cut out of the buffer that the last ones do not lie in."""
        widths = np.maximum(high - low + 1, 0)
        ends = np.cumsum(widths * rows)
        size = int(ends[-1])
        if len(self._room[0]) < size:
            self._room[0] = np.zeros(size + size // 2, dtype=self.sums.dtype)
        buffer = self._room[0]
        self._room.reverse()
        buffer[:size] = 0
        self._at, self._stride = ends - widths * rows, widths
        parts = zip(self._at.tolist(), ends.tolist(), widths.tolist(), strict=True)
        return [buffer[start:end].reshape(rows, width) for start, end, width in parts]

    def _end_below(self, roll: int, limit: Ints | int) -> Any:  # noqa: ANN401 - whole or not
        """End the sessions whose net is below the limit of their state; their weight."""
        cut = np.clip(limit - self.low, 0, np.maximum(self.high - self.low + 1, 0)).tolist()
        taken = []
        for state, count in enumerate(cut):
            if count:
                taken.append((state, int(self.low[state]), self.cells[state][:, :count]))
                self._keep(state, count, self.cells[state].shape[1])
        return self._end(roll, taken)

    def _end_from(self, roll: int, limit: int) -> None:
        """End the sessions whose net is at the limit or above it."""
        taken = []
        for state in np.flatnonzero((self.high >= limit) & (self.low <= self.high)).tolist():
            left = max(limit - int(self.low[state]), 0)
            taken.append((state, int(self.low[state]) + left, self.cells[state][:, left:]))
            self._keep(state, 0, left)
        self._end(roll, taken)

    def _keep(self, state: int, left: int, right: int) -> None:
        """Leave a state only its cells from `left` to before `right`."""
        self.cells[state] = self.cells[state][:, left:right]
        self._at[state] += left
        begin = int(self.low[state])
        self.low[state], self.high[state] = (begin + left, begin + right - 1) if left < right else (FAR, -FAR)

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
        for state, cells in enumerate(self.cells):
            if not cells.size:
                continue
            up, down = np.cumsum(cells[0]), np.cumsum(cells[0, ::-1])
            left = int(np.searchsorted(up, self.clip, side="right"))
            right = int(np.searchsorted(down, self.clip, side="right"))
            gone = [float(up[left - 1])] * (left > 0) + [float(down[right - 1])] * (right > 0)
            self.ended.clipped += sum(gone)
            self._keep(state, left, max(cells.shape[1] - right, left))


def bounds_after(chain: Chain, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """The least and the greatest net of each state after one more roll."""
    least = np.full(chain.states, FAR)
    most = np.full(chain.states, -FAR)
    first = np.flatnonzero(np.r_[True, chain.target[1:] != chain.target[:-1]])
    least[chain.target[first]] = np.minimum.reduceat(low[chain.source] + chain.net, first)
    most[chain.target[first]] = np.maximum.reduceat(high[chain.source] + chain.net, first)
    empty = least > most
    least[empty], most[empty] = FAR, -FAR
    return least, most
