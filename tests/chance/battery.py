"""Statistics on dice: each takes throws 0 to 35 in the order dealt and answers with a p-value, small on both sides.

A p-value here is two-sided: dice that fit too well are no more believed than dice that do not fit.
"""

from __future__ import annotations

from functools import partial
from math import comb, factorial
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Throws = NDArray[np.int64]

LAGS = range(1, 11)
FACES = 6
CELL_MIN = 20
"""Cells that expect fewer than this are added together."""


def p_values(throws: Throws) -> dict[str, float]:
    """Every statistic by name."""
    return {name: statistic(throws) for name, statistic in STATISTICS.items()}


def failed(throws: Throws, family_alpha: float = 1e-6) -> list[str]:
    """The statistics that these throws do not pass, the chance of any at all on fair dice being `family_alpha`."""
    return [name for name, p in p_values(throws).items() if p < family_alpha / len(STATISTICS)]


def _two_sided(p: float) -> float:
    return float(min(1.0, 2 * min(p, 1 - p)))


def _fit(observed: NDArray[np.int64], chances: NDArray[np.float64]) -> float:
    """Chi-square of counts against chances; the rare cells are taken together."""
    expected = chances * observed.sum()
    often = expected >= CELL_MIN
    if not often.all():
        observed = np.append(observed[often], observed[~often].sum())
        expected = np.append(expected[often], expected[~often].sum())
    value = float(((observed - expected) ** 2 / expected).sum())
    return _two_sided(float(stats.chi2.sf(value, len(expected) - 1)))


def _equal(values: Throws, kinds: int) -> float:
    return _fit(np.bincount(values, minlength=kinds), np.full(kinds, 1 / kinds))


def _totals(throws: Throws) -> Throws:
    return throws // FACES + throws % FACES + 2


# --- The statistics ---------------------------------------------------------------------------------------------------


def pairs(throws: Throws) -> float:
    """Two throws running, without overlap: all 1,296 pairs are equally likely."""
    even = throws[: len(throws) // 2 * 2].reshape(-1, 2)
    return _equal(even[:, 0] * 36 + even[:, 1], 36 * 36)


def totals(throws: Throws) -> float:
    """Two to twelve, in one to six ways."""
    ways = np.array([6 - abs(total - 7) for total in range(2, 13)])
    return _fit(np.bincount(_totals(throws) - 2, minlength=11), ways / 36)


def runs(high: NDArray[np.bool_]) -> float:
    """How often high changes to low and back: Wald and Wolfowitz."""
    ups, size = float(high.sum()), float(len(high))
    downs = size - ups
    if not ups or not downs:
        return 0.0
    changes = float(np.count_nonzero(high[1:] != high[:-1])) + 1
    mean = 2 * ups * downs / size + 1
    variance = (mean - 1) * (mean - 2) / (size - 1)
    return _two_sided(float(stats.norm.sf((changes - mean) / variance**0.5)))


def gaps(hit: NDArray[np.bool_]) -> float:
    """How many throws pass between two hits of chance 1/6."""
    between = np.diff(np.flatnonzero(hit)) - 1
    if not len(between):
        return 0.0
    longest = 150
    chances = (1 / 6) * (5 / 6) ** np.arange(longest)
    counts = np.bincount(np.minimum(between, longest), minlength=longest + 1)
    return _fit(counts, np.append(chances, (5 / 6) ** longest))


def coupons(throws: Throws) -> float:
    """How many throws of one die it takes to see all its faces."""
    lengths, seen, length = [], 0, 0
    for face in (throws // FACES).tolist():
        seen |= 1 << face
        length += 1
        if seen == 0b111111:
            lengths.append(length)
            seen, length = 0, 0
    longest = 90
    chances = [factorial(6) * _partitions(n - 1) / 6**n for n in range(6, longest)]
    counts = np.bincount(np.minimum(lengths, longest), minlength=longest + 1)[6:]
    return _fit(counts, np.array([*chances, 1 - sum(chances)]))


def _partitions(size: int) -> int:
    """Ways to part so many things into five kinds, none of them empty."""
    signs = (1, -1, 1, -1, 1, -1)
    ways: int = sum(sign * comb(5, k) * pow(5 - k, size) for k, sign in enumerate(signs)) // factorial(5)
    return ways


def lagged(lag: int, throws: Throws) -> float:
    """Correlation of a total with the one so many throws before."""
    shifted = _totals(throws) - 7
    product = float((shifted[lag:] * shifted[:-lag]).mean())
    variance = 35 / 6
    return _two_sided(float(stats.norm.sf(product / variance * (len(throws) - lag) ** 0.5)))


STATISTICS: dict[str, Callable[[Throws], float]] = {
    "36 throws": lambda throws: _equal(throws, 36),
    "first die": lambda throws: _equal(throws // FACES, FACES),
    "second die": lambda throws: _equal(throws % FACES, FACES),
    "totals": totals,
    "serial pairs": pairs,
    "runs of the first die": lambda throws: runs(throws // FACES >= 3),
    "runs of totals": lambda throws: runs((kept := _totals(throws))[kept != 7] > 7),
    "gaps between aces": lambda throws: gaps(throws // FACES == 0),
    "gaps between sevens": lambda throws: gaps(_totals(throws) == 7),
    "coupons": coupons,
    **{f"lag {lag}": partial(lagged, lag) for lag in LAGS},
}
"""Every statistic by name."""
