"""Two ways to hold the weights of a session: whole numbers of any size, or doubles.

Both live in arrays of shape (rows, nets). A roll only ever adds rows to rows and doubles them, so the walk is written
once; what differs is how many rows a number takes and what is done with it after a roll.
"""

from __future__ import annotations

import math
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from passline.odds.sessions.chain import Chain

Number = TypeVar("Number", int, float)

ULP = 2.0**-53
"""The most by which rounding to the nearest double is off, relatively."""


SPARE = 1e-4
"""Bits for each roll beyond the logarithm of the weight of all throws, which is rounded."""


class Sums(Protocol[Number]):
    """How weights are held, added up and read back."""

    @property
    def one(self) -> Number:
        """The weight of a certainty before the first roll."""

    @property
    def dtype(self) -> DTypeLike:
        """What an array of weights is made of."""

    def rows(self, roll: int) -> int:
        """How many rows a weight takes after `roll` rolls."""

    def settle(self, cells: NDArray[Any]) -> None:
        """Bring cells that were just rolled back to their proper form."""

    def values(self, cells: NDArray[Any]) -> list[Number]:
        """The weight of each net."""

    def total(self, cells: NDArray[Any]) -> Number:
        """The weight of all nets together."""

    def scale(self, roll: int) -> Number:
        """What a weight after `roll` rolls is multiplied by to be a weight at the end of the session."""

    def masses(self, chain: Chain, mass: list[Number]) -> list[Number]:
        """The weight of each state after one more roll."""


class Whole:
    """Weights as whole numbers, over that of all throws to the number of rolls: a few bytes of each in every row."""

    one = 1
    dtype = np.uint64

    def __init__(self, chain: Chain, rolls: int) -> None:
        """Choose how many bytes a row holds, so that one roll's sums cannot overflow its 64 bits."""
        most = max(int(np.bincount(chain.target, weights=chain.weight).max()), chain.states, chain.whole)
        self.bytes = (64 - most.bit_length()) // 8
        self.bits = np.uint64(8 * self.bytes)
        self.mask = np.uint64((1 << 8 * self.bytes) - 1)
        self.rolls, self.whole = rolls, chain.whole
        self.bits_each = math.log2(chain.whole) + SPARE
        self.edges = list(zip(chain.source.tolist(), chain.target.tolist(), chain.weight.tolist(), strict=True))

    def rows(self, roll: int) -> int:
        """Enough for the weight of all throws to that power."""
        return -(-(int(roll * self.bits_each) + 1) // (8 * self.bytes))

    def settle(self, cells: NDArray[Any]) -> None:
        """Carry what a row cannot hold into the row above it."""
        for row in range(1, len(cells)):
            cells[row] += cells[row - 1] >> self.bits
            cells[row - 1] &= self.mask

    def values(self, cells: NDArray[Any]) -> list[int]:
        """Each column, settled, with the bytes its rows hold read as one little-endian number."""
        whole = np.vstack([cells, np.zeros_like(cells[:1])])
        self.settle(whole)
        octets = np.ascontiguousarray(whole.T).astype("<u8").view(np.uint8).reshape(cells.shape[1], -1, 8)
        packed = np.ascontiguousarray(octets[:, :, : self.bytes]).reshape(cells.shape[1], -1)
        return [int.from_bytes(number.tobytes(), "little") for number in packed]

    def total(self, cells: NDArray[Any]) -> int:
        """Each row summed by halves, so that no sum overflows."""
        low: list[int] = (cells & np.uint64(0xFFFFFFFF)).sum(axis=1).tolist()
        high: list[int] = (cells >> np.uint64(32)).sum(axis=1).tolist()
        shift = 8 * self.bytes
        return sum((a + (b << 32)) << shift * row for row, (a, b) in enumerate(zip(low, high, strict=True)))

    def scale(self, roll: int) -> int:
        """The weight of all throws for each roll still to come."""
        return int(self.whole ** (self.rolls - roll))

    def masses(self, chain: Chain, mass: list[int]) -> list[int]:
        """Whole numbers, step by step."""
        after = [0] * chain.states
        for source, target, weight in self.edges:
            after[target] += weight * mass[source]
        return after


class Double:
    """Weights as probabilities in double precision."""

    one = 1.0
    dtype = np.float64

    def __init__(self, chain: Chain) -> None:
        """Note the longest sum, which decides how far one roll can be off."""
        adds = np.bitwise_count(chain.weight).astype(np.int64)
        most = int(np.bincount(chain.target, weights=adds).max())
        self.share = 1 / chain.whole
        self.per_roll = (most + 3) * ULP
        """How far one roll puts a weight off, relatively: the additions, the share rounded, and the product with it."""

    def rows(self, roll: int) -> int:  # noqa: ARG002 - a double is always one row
        return 1

    def settle(self, cells: NDArray[Any]) -> None:
        """Turn counts of throws into chances."""
        cells *= self.share

    def values(self, cells: NDArray[Any]) -> list[float]:
        """The one row there is."""
        return [float(value) for value in cells[0]]

    def total(self, cells: NDArray[Any]) -> float:
        """The sum of the one row there is."""
        return float(cells.sum())

    def scale(self, roll: int) -> float:  # noqa: ARG002 - a chance is a chance whenever it falls
        return 1.0

    def masses(self, chain: Chain, mass: list[float]) -> list[float]:
        """One step of the chain of states."""
        flow = np.asarray(mass)[chain.source] * chain.weight
        return [float(value) for value in np.bincount(chain.target, weights=flow, minlength=chain.states) / chain.whole]
