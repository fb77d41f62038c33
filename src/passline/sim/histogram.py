"""Whole numbers, and money, with how often each was seen: what results are made of, because it adds up exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

DENSE_SPAN_MAX = 1 << 20
"""Values that lie this close together are counted by index instead of sorted."""


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Values in rising order, each with its count, none of them zero."""

    values: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, seen: NDArray[np.int64]) -> Histogram:
        if not len(seen):
            return cls(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
        least, most = int(seen.min()), int(seen.max())
        if most - least < DENSE_SPAN_MAX:
            counts = np.bincount(seen - least)
            found = np.flatnonzero(counts)
            return cls(found.astype(np.int64) + least, counts[found].astype(np.int64))
        values, counts = np.unique(seen, return_counts=True)
        return cls(values.astype(np.int64), counts.astype(np.int64))

    @classmethod
    def sum(cls, parts: Iterable[Histogram]) -> Histogram:
        """All of them together; the order of the parts cannot matter."""
        held = [part for part in parts if len(part.values)]
        if not held:
            return cls.of(np.empty(0, dtype=np.int64))
        values, at = np.unique(np.concatenate([part.values for part in held]), return_inverse=True)
        counts = np.zeros(len(values), dtype=np.int64)
        np.add.at(counts, at, np.concatenate([part.counts for part in held]))
        return cls(values, counts)

    def __eq__(self, other: object) -> bool:
        """Whether the same values were seen as often."""
        if not isinstance(other, Histogram):
            return NotImplemented
        return np.array_equal(self.values, other.values) and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Each value with its count."""
        return zip(self.values.tolist(), self.counts.tolist(), strict=True)

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    def moment(self, power: int) -> int:
        """The sum of all values to a power, in whole numbers of any size."""
        if not len(self.values):
            return 0
        largest = max(int(self.values[-1]), -int(self.values[0]), 1)
        if largest**power * self.total < 1 << 63:
            return int((self.values**power * self.counts).sum())
        return sum(value**power * count for value, count in self)

    @property
    def mean(self) -> Fraction:
        return Fraction(self.moment(1), self.total)

    @property
    def variance(self) -> Fraction:
        """The unbiased estimate of the variance, exactly; zero for a single value."""
        total = self.total
        if total == 1:
            return Fraction(0)
        return Fraction(total * self.moment(2) - self.moment(1) ** 2, total * (total - 1))

    def quantile(self, q: Fraction) -> int:
        """The least value that at least the share `q` of all does not exceed."""
        rank = max(1, math.ceil(q * self.total))
        return int(self.values[np.searchsorted(np.cumsum(self.counts), rank)])

    def share(self, held: NDArray[np.bool_]) -> Fraction:
        """The share of those values that are marked."""
        return Fraction(int(self.counts[held].sum()), self.total)


@dataclass(frozen=True, slots=True, eq=False)
class Amounts:
    """Money in rising order, each amount with its count."""

    grains: Histogram
    """What was counted, in whole grains: sums of these are exact and quick."""
    grain: Fraction
    """What one grain is worth."""

    def __eq__(self, other: object) -> bool:
        """Whether the same money was seen as often, in whatever grain it was counted."""
        return tuple(self) == tuple(other) if isinstance(other, Amounts) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[tuple[Fraction, int]]:
        """Each amount with its count."""
        return ((grains * self.grain, count) for grains, count in self.grains)

    @property
    def values(self) -> tuple[Fraction, ...]:
        return tuple(amount for amount, _ in self)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each was seen."""
        return self.grains.counts

    @property
    def total(self) -> int:
        return self.grains.total

    @property
    def mean(self) -> Fraction:
        return self.grains.mean * self.grain

    @property
    def variance(self) -> Fraction:
        """The unbiased estimate of the variance, as money squared; zero for a single amount."""
        return self.grains.variance * self.grain**2

    @property
    def least(self) -> Fraction:
        return int(self.grains.values[0]) * self.grain

    @property
    def most(self) -> Fraction:
        return int(self.grains.values[-1]) * self.grain

    def quantile(self, q: Fraction) -> Fraction:
        """The least amount that at least the share `q` of all does not exceed."""
        return self.grains.quantile(q) * self.grain

    def floats(self) -> NDArray[np.float64]:
        """The amounts as numbers to draw; one division, so that the same money rounds alike in any grain."""
        return self.grains.values.astype(np.float64) * float(self.grain.numerator) / float(self.grain.denominator)
