"""The simulated dice: Philox 4x32-10 as one function of (seed, table number, roll number).

Roll `k` of table `t` under seed `s` is the same throw on every backend, every machine and in every order of asking:

- the key of the cipher is the 64-bit seed, low word first;
- its counter is `(block, table)`, two 64-bit numbers, low words first, where `block = k // 12`;
- the 128 bits that come out are two 64-bit halves, low words first; each half, read as a fraction of 2^64, gives six
  rolls: multiply by 36, the whole part is the throw, the rest is the fraction for the next.

**Bias.** The six rolls of a half are the base-36 digits of `floor(u * 36^6 / 2^64)` for a uniform 64-bit `u`. Since
2^64 = 36^6 * 8474317238 + 370843648, each of the 36^6 sequences is dealt by 8474317238 or 8474317239 of the 2^64 words
instead of by 8474317238.17. So the chance of any event that six rolls decide is off by at most 9.8e-11 of itself, and
every throw, given all the throws before it, has a chance within 1.2e-10 of 1/36, relatively. A roll looked at alone,
whatever its place, is off by at most 1.6e-15. The design allows 1e-9; seven rolls out of a half would leave 4e-9.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from passline.machine.dice import LoadedDice

THROWS: Final = 36  # Throws of two distinguishable dice, as in `passline.machine.machine`
ROLLS_PER_HALF: Final = 6  # Rolls taken out of 64 random bits
ROLLS_PER_BLOCK: Final = 2 * ROLLS_PER_HALF  # Rolls taken out of one Philox block
SEEDS: Final = 1 << 64  # Seeds are the whole numbers below this

ROUNDS: Final = 10
MULTIPLIERS: Final = (0xD2511F53, 0xCD9E8D57)
WEYL: Final = (0x9E3779B9, 0xBB67AE85)
WORD: Final = 0xFFFFFFFF

Words = NDArray[np.uint64]
_WORD, _HALF, _THROWS = np.uint64(WORD), np.uint64(32), np.uint64(THROWS)


def halves(seed: int, tables: Words, block: int | Words) -> tuple[Words, Words]:
    """The two 64-bit halves of one block, or of a block each, for many tables at once."""
    # The words live in 64-bit lanes and keep what overflows above bit 32: only the multiplications have to drop it.
    x0 = np.full(tables.shape, block & WORD, dtype=np.uint64)
    x1 = np.full(tables.shape, block >> (32 if isinstance(block, int) else _HALF), dtype=np.uint64)
    x2, x3 = tables & _WORD, tables >> _HALF
    k0, k1 = seed & WORD, seed >> 32
    for _ in range(ROUNDS):
        p0 = (x0 & _WORD) * np.uint64(MULTIPLIERS[0])
        p1 = (x2 & _WORD) * np.uint64(MULTIPLIERS[1])
        x0, x1, x2, x3 = (p1 >> _HALF) ^ x1 ^ np.uint64(k0), p1, (p0 >> _HALF) ^ x3 ^ np.uint64(k1), p0
        k0, k1 = (k0 + WEYL[0]) & WORD, (k1 + WEYL[1]) & WORD
    return (x0 & _WORD) | (x1 << _HALF), (x2 & _WORD) | (x3 << _HALF)


def deal(fraction: Words) -> tuple[Words, Words]:
    """Take one throw off each fraction: the throws, and what is left for the next."""
    carry = ((fraction & _WORD) * _THROWS) >> _HALF
    return ((fraction >> _HALF) * _THROWS + carry) >> _HALF, fraction * _THROWS


def throws_at(seed: int, tables: Words, rolls: NDArray[np.int64]) -> Words:
    """One throw of each table: the one with that roll number."""
    place = rolls % ROLLS_PER_BLOCK
    low, upper = halves(seed, tables, (rolls // ROLLS_PER_BLOCK).astype(np.uint64))
    half = np.where(place < ROLLS_PER_HALF, low, upper)
    # Throws taken off before this one leave the fraction times 36 for each, and what overflows is theirs.
    return deal(half * _THROWS ** (place % ROLLS_PER_HALF).astype(np.uint64))[0]


def throws(seed: int, tables: Words, rolls: int) -> NDArray[np.uint8]:
    dealt = np.empty((len(tables), rolls), dtype=np.uint8)
    for block in range(-(-rolls // ROLLS_PER_BLOCK)):
        roll = block * ROLLS_PER_BLOCK
        for half in halves(seed, tables, block):
            fraction = half
            for _ in range(min(ROLLS_PER_HALF, rolls - roll)):
                dealt[:, roll], fraction = deal(fraction)
                roll += 1
    return dealt


@dataclass(frozen=True, slots=True, eq=False)
class AliasTable:
    """Walker's: 36 boxes of equal size, each holding its own throw up to a threshold and another one above it."""

    threshold: Words
    other: Words

    def throws(self, fraction: Words) -> Words:
        box, rest = deal(fraction)
        return np.where(rest < self.threshold[box], box, self.other[box])

    def throws_at(self, seed: int, tables: Words, rolls: NDArray[np.int64]) -> Words:
        """One throw of each table: the one with that roll number."""
        low, upper = halves(seed, tables, (rolls // 2).astype(np.uint64))
        return self.throws(np.where(rolls % 2 == 0, low, upper))


@cache
def alias_table(dice: LoadedDice) -> AliasTable:
    """The boxes of some dice: what a throw lacks to a full box is filled up from one that has too much."""
    weights = [THROWS * weight for weight in dice.weights]
    threshold, other = [dice.whole] * THROWS, list(range(THROWS))
    small = [throw for throw in range(THROWS) if weights[throw] < dice.whole]
    large = [throw for throw in range(THROWS) if weights[throw] > dice.whole]
    while small:
        box, giver = small.pop(), large[-1]
        threshold[box], other[box] = weights[box], giver
        weights[giver] -= dice.whole - weights[box]
        if weights[giver] <= dice.whole:
            large.pop()
            if weights[giver] < dice.whole:
                small.append(giver)
    cuts = [min(-(-(full << 64) // dice.whole), (1 << 64) - 1) for full in threshold]
    return AliasTable(np.array(cuts, dtype=np.uint64), np.array(other, dtype=np.uint64))
