"""Sweeps over every state of a game, compiled: what value iteration spends its time in."""

from collections.abc import Callable
from typing import Literal, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from passline.errors import SessionError
from passline.odds.best import gpu
from passline.odds.best.gpu import Floats, Ints, Tables

F = TypeVar("F", bound=Callable[..., object])

# Where the sweeps are made; by itself on a GPU where there is one and the game is large.
Device = Literal["auto", "cpu", "gpu"]

CLOSE = 1e-15  # a sweep that changes no value by more than this is the last
SWEEPS_MAX = 20_000
EVALUATIONS = 40  # Sweeps over the choices made so far between two over every choice: these cost a tenth or less
GPU_ROWS = 5_000_000  # from so many positions times wealths on a GPU is quicker, where there is one
LEAST = -1e300  # below every value but that of certain ruin, which no margin can be worked out from


def compiled(function: F) -> F:
    return cast("F", njit(nogil=True, cache=True)(function))


@compiled
def worth(values: Floats, row: int, wealth: int, tables: Tables) -> float:
    total = float(tables.reward[row])
    last = values.shape[1] - 1
    for edge in range(tables.out[row], tables.out[row + 1]):
        after = min(max(wealth + tables.gain[edge], 0), last)
        total += tables.weight[edge] * values[tables.group[edge], after]
    return total


@compiled
def row_worths(into: Floats, values: Floats, row: int, low: int, tables: Tables) -> None:
    """What a row is worth with each wealth from `low` on, as many as `into` holds: runs of memory that vectorise."""
    high, last = low + len(into), values.shape[1] - 1
    for place in range(len(into)):
        into[place] = tables.reward[row]
    for edge in range(tables.out[row], tables.out[row + 1]):
        gain, weight, after = tables.gain[edge], tables.weight[edge], values[tables.group[edge]]
        bottom = min(max(low, -gain), high)
        top = min(max(bottom, last + 1 - gain), high)
        for place in range(bottom - low):
            into[place] += weight * after[0]
        inside, run = into[bottom - low : top - low], after[bottom + gain : top + gain]
        for place in range(len(inside)):
            inside[place] += weight * run[place]
        for place in range(top - low, high - low):
            into[place] += weight * after[last]


@compiled
def take_better(best: Floats, taken: Ints, total: Floats, row: int, close: float) -> None:
    for place in range(len(best)):
        least = max(best[place], LEAST)
        better = total[place] > least + close * max(1.0, abs(least))
        best[place] = total[place] if better else best[place]
        taken[place] = row if better else taken[place]


@compiled
def improve(  # noqa: PLR0913, PLR0917 - Numba has no keywords
    ahead: Floats,
    values: Floats,
    chosen: Ints,
    tables: Tables,
    close: float,
    afresh: bool,  # noqa: FBT001
) -> float:
    """Take the best row of every state where it is better than its value by more than `close`; the largest change.

    With `afresh` what a state was worth before is no choice. `ahead` and `values` may be one array.
    """
    most, total = 0.0, np.empty(values.shape[1])
    for group in range(len(tables.limit) - 1, -1, -1):
        high = tables.limit[group]
        best = np.full(high, -np.inf) if afresh else values[group, :high].copy()
        before, taken = best.copy(), np.full(high, -1)
        for row in range(tables.first[group], tables.first[group + 1]):
            low = max(1, tables.stakes[row])
            if low >= high:
                break
            if tables.skipped[row]:
                continue
            row_worths(total[: high - low], ahead, row, low, tables)
            take_better(best[low:], taken[low:], total, row, close)
        for place in range(tables.onward_first[group], tables.onward_first[group + 1]):
            to = tables.onward[place]
            for wealth in range(1, high):
                if values[to, wealth] > best[wealth] and chosen[to, wealth] >= 0:
                    best[wealth], taken[wealth] = values[to, wealth], chosen[to, wealth]
        for wealth in range(1, high):
            if taken[wealth] >= 0:
                most = max(most, best[wealth] - before[wealth])
                values[group, wealth], chosen[group, wealth] = best[wealth], taken[wealth]
    return most


@compiled
def evaluate(values: Floats, chosen: Ints, tables: Tables) -> float:
    most = 0.0
    for group in range(len(tables.limit) - 1, -1, -1):
        for wealth in range(1, tables.limit[group]):
            row = chosen[group, wealth]
            if row >= 0 and tables.stakes[row] <= wealth:
                total = worth(values, row, wealth, tables)
                if total > values[group, wealth]:
                    most = max(most, total - values[group, wealth])
                    values[group, wealth] = total
    return most


@compiled
def worths(values: Floats, tables: Tables) -> Floats:
    """Shape (rows, wealths): what every row is worth; -1 where the wealth does not pay for it."""
    result = np.full((len(tables.stakes), values.shape[1]), -1.0)
    for row in range(len(tables.stakes)):
        low = min(max(1, tables.stakes[row]), values.shape[1])
        row_worths(result[row, low:], values, row, low, tables)
    return result


@compiled
def raises(above: Floats, tables: Tables, passed_over: NDArray[np.bool_]) -> bool:
    """Whether any row is worth more than its group is said to be; some are passed over."""
    total = np.empty(above.shape[1])
    for group in range(len(tables.limit)):
        high = tables.limit[group]
        for row in range(tables.first[group], tables.first[group + 1]):
            low = max(1, tables.stakes[row])
            if low >= high:
                break
            if passed_over[row]:
                continue
            totals = total[: high - low]
            row_worths(totals, above, row, low, tables)
            for place in range(len(totals)):
                if totals[place] > above[group, low + place]:
                    return True
    return False


def iterate(
    tables: Tables, opening: Floats, *, close: float = CLOSE, device: Device = "auto"
) -> tuple[Floats, Ints, int]:
    """Modified policy iteration: the values, the row chosen in each state (-1: none is better than to stop), sweeps."""
    large = len(tables.position) * opening.shape[1] >= GPU_ROWS
    if device == "gpu" or (device == "auto" and large and gpu.available()):
        values, chosen, sweeps = gpu.iterate(tables, opening, close, SWEEPS_MAX)
        if sweeps > 0:
            return values, chosen, sweeps
    values, chosen = opening.copy(), np.full(opening.shape, -1, dtype=np.int64)
    for sweep in range(1, SWEEPS_MAX + 1):
        change = improve(values, values, chosen, tables, close, False)  # noqa: FBT003 - Numba has no keywords
        if change <= close * max(1.0, float(np.abs(values[np.isfinite(values)]).max())):
            return values, chosen, sweep
        for _ in range(EVALUATIONS):
            if evaluate(values, chosen, tables) <= close:
                break
    raise SessionError(f"best play did not settle within {SWEEPS_MAX:,} sweeps; a nearer goal does")
