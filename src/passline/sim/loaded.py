"""Simulated dice that are not fair: the same Philox words, one half of a block for each roll, by Walker's alias table.

Roll `k` of table `t` under seed `s` is decided by half `k % 2` of block `k // 2`, a fraction of 2^64. Times 36, its
whole part names one of 36 boxes of equal size and its rest a place in that box: below the box's threshold lies the
box's own throw, from there on another's. Every backend that rolls loaded dice deals these.

**Bias.** A threshold is a whole number of 2^-64 and the rest moves in steps of 36 of them, so that the chance of a
throw is off by less than 4e-18 for each box, 1.4e-16 in all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from passline.machine.dice import LoadedDice
from passline.sim.dice import THROWS, WORD, deal, halves, philox

FULL: Final = 1 << 64


@dataclass(frozen=True, slots=True, eq=False)
class AliasTable:
    """Walker's: 36 boxes of equal size, each holding its own throw up to a threshold and another one above it."""

    threshold: NDArray[np.uint64]
    other: NDArray[np.uint64]

    def throws(self, fraction: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The throw that each fraction names."""
        box, rest = deal(fraction)
        return np.where(rest < self.threshold[box], box, self.other[box])

    def throws_at(self, seed: int, tables: NDArray[np.uint64], rolls: NDArray[np.int64]) -> NDArray[np.uint64]:
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
    cuts = [min(-(-full * FULL // dice.whole), FULL - 1) for full in threshold]
    return AliasTable(np.array(cuts, dtype=np.uint64), np.array(other, dtype=np.uint64))


def throw(dice: LoadedDice, seed: int, table: int, roll: int) -> int:
    """The throw of one roll: the definition, in plain integers, that every backend must agree with."""
    block, half = divmod(roll, 2)
    words = philox((block & WORD, block >> 32, table & WORD, table >> 32), (seed & WORD, seed >> 32))
    box, rest = divmod((words[2 * half] | words[2 * half + 1] << 32) * THROWS, FULL)
    aliases = alias_table(dice)
    return box if rest < int(aliases.threshold[box]) else int(aliases.other[box])
