"""How far a session can go and what it costs to work out, both found from bounds alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from passline.odds.sessions.chain import Chain
from passline.odds.sessions.convolution import CLIP_EVERY, FAR, Barriers, bounds_after

if TYPE_CHECKING:
    Bounds = tuple[NDArray[np.int64], NDArray[np.int64]]

WORK_MAX = 2e12
"""Additions beyond which a session is refused: the better part of an hour."""

CELLS_MAX = 1 << 29
"""Weights of 8 bytes that may be held at once: 4 GiB, and as much again for the next roll."""

FINAL_CELLS = 25
"""Weights for whose room one final net is kept, as Python keeps it, in a dictionary and in a list."""

DOUBLING_STATES_MAX = 256
"""Beyond this many states it is quicker to roll than to double."""

SIGMAS = 20
"""Standard deviations that the nets kept by a walk in doubles span: beyond ten on either side lies less than 1e-20."""


def bounds(chain: Chain, barriers: Barriers, rolls: int) -> Iterator[tuple[Bounds, bool, bool]]:
    """Before each roll and at the end: least and greatest net of each state, and whether a limit has cut either.

    A net is the less likely to be stopped for a loss the higher it is, so a bound that was not cut is really reached.
    """
    low, high = np.full(chain.states, FAR), np.full(chain.states, -FAR)
    low[chain.start] = high[chain.start] = 0
    for roll in range(rolls + 1):
        floor = _floor(chain, barriers, ruin=roll < rolls, loss=roll > 0)
        top = FAR if barriers.win is None or roll == 0 else barriers.win - 1
        live = low <= high
        cut_low, cut_high = bool((low[live] < floor[live]).any()), bool((high[live] > top).any())
        low, high = np.maximum(low, floor), np.minimum(high, top)
        dead = low > high
        low[dead], high[dead] = FAR, -FAR
        yield (low, high), cut_low, cut_high
        low, high = bounds_after(chain, low, high)


def _floor(chain: Chain, barriers: Barriers, *, ruin: bool, loss: bool) -> NDArray[np.int64]:
    """In each state, the least net with which the session goes on."""
    floor = np.full(chain.states, -FAR)
    if ruin and barriers.floor is not None:
        floor = np.maximum(floor, barriers.floor)
    if loss and barriers.loss is not None:
        floor = np.maximum(floor, barriers.loss + 1)
    return floor


def extremes(chain: Chain, barriers: Barriers, rolls: int) -> tuple[int | None, int | None]:
    """The least and the greatest final net, or nothing on a side where a limit cuts the session short."""
    if barriers.none:
        least_out, most_out = chain.out_least, chain.out_most
        return -farthest(chain, -chain.net, rolls, -least_out), farthest(chain, chain.net, rolls, most_out)
    least: int | None = FAR
    most: int | None = -FAR
    for (low, high), cut_low, cut_high in bounds(chain, barriers, rolls):
        least = None if cut_low or least is None else int((low + chain.out_least).min())
        most = None if cut_high or most is None else int((high + chain.out_most).max())
        if least is most is None:
            break
    return least, most


def farthest(chain: Chain, net: NDArray[np.int64], rolls: int, out: NDArray[np.int64]) -> int:
    """The most that `rolls` rolls and the run-out can add up to, by doubling the number of rolls."""
    if chain.states > DOUBLING_STATES_MAX:
        return _farthest_by_rolling(chain, net, rolls, out)
    best = np.full((chain.states, chain.states), -FAR)
    np.maximum.at(best, (chain.source, chain.target), net)
    row = np.full(chain.states, -FAR)
    row[chain.start] = 0
    while rolls:
        if rolls & 1:
            row = np.maximum((row[:, None] + best).max(axis=0), -FAR)
        best = np.maximum(np.stack([(line[:, None] + best).max(axis=0) for line in best]), -FAR)
        rolls >>= 1
    return int((row + out).max())


def _farthest_by_rolling(chain: Chain, net: NDArray[np.int64], rolls: int, out: NDArray[np.int64]) -> int:
    """The same, one roll after the other."""
    row = np.full(chain.states, -FAR)
    row[chain.start] = 0
    for _ in range(rolls):
        after = np.full(chain.states, -FAR)
        np.maximum.at(after, chain.target, np.maximum(row[chain.source] + net, -FAR))
        row = after
    return int((row + out).max())


def walk_work(chain: Chain, barriers: Barriers, rolls: int, rows: Callable[[int], int]) -> tuple[float, int]:
    """Additions that a walk of all reachable nets takes, and the most weights it holds, counted until too many."""
    steps = np.bincount(chain.source, minlength=chain.states)
    work, cells = 0.0, 0
    for roll, ((low, high), _, _) in enumerate(bounds(chain, barriers, rolls)):
        wide = np.maximum(high - low + 1, 0) * rows(roll)
        work += float((wide * steps).sum())
        reach = max(int(high.max()) - int(low.min()) + 1, 0)
        cells = max(cells, int(wide.sum()) + FINAL_CELLS * reach)
        if work > WORK_MAX:
            break
    return work, cells


def clipped_work(chain: Chain, barriers: Barriers, rolls: int) -> tuple[float, int]:
    """The same for a walk in doubles: its nets span some standard deviations, or less where they reach less far.

    The reach is only looked at when the deviations alone are too much, because looking takes time as well.
    """
    square = np.bincount(chain.source, weights=chain.net.astype(np.float64) ** 2 * chain.weight)
    spread = SIGMAS * float(np.sqrt(square.max() / chain.whole * rolls)) + 1
    rough, room = rolls * len(chain.net) * spread, int(chain.states * spread)
    # Until the tails are looked at for the second time nothing has been cut off them.
    uncut, held = walk_work(chain, barriers, min(rolls, CLIP_EVERY), lambda _: 1)
    if rough > WORK_MAX or room > CELLS_MAX:
        work, cells = walk_work(chain, barriers, rolls, lambda _: 1)
        rough, room = min(work, rough), min(cells, room)
    return max(uncut, rough), max(held, room)
