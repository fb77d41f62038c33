"""The simulated dice in plain integers: the definition that every backend must agree with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.sim.dice import alias_table

if TYPE_CHECKING:
    from passline.machine.dice import LoadedDice

THROWS, ROLLS_PER_HALF, ROLLS_PER_BLOCK = 36, 6, 12
ROUNDS, WORD, FULL = 10, 0xFFFFFFFF, 1 << 64
MULTIPLIERS, WEYL = (0xD2511F53, 0xCD9E8D57), (0x9E3779B9, 0xBB67AE85)


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Encrypt one counter of four 32-bit words: Philox 4x32-10 as Salmon and others published it (2011)."""
    x0, x1, x2, x3 = counter
    k0, k1 = key
    for _ in range(ROUNDS):
        p0, p1 = MULTIPLIERS[0] * x0, MULTIPLIERS[1] * x2
        x0, x1, x2, x3 = (p1 >> 32) ^ x1 ^ k0, p1 & WORD, (p0 >> 32) ^ x3 ^ k1, p0 & WORD
        k0, k1 = (k0 + WEYL[0]) & WORD, (k1 + WEYL[1]) & WORD
    return x0, x1, x2, x3


def throw(seed: int, table: int, roll: int) -> int:
    """The throw, 0 to 35, of one roll of fair dice."""
    block, place = divmod(roll, ROLLS_PER_BLOCK)
    words = philox((block & WORD, block >> 32, table & WORD, table >> 32), (seed & WORD, seed >> 32))
    half, digit = divmod(place, ROLLS_PER_HALF)
    fraction = words[2 * half] | words[2 * half + 1] << 32
    scale: int = THROWS ** (digit + 1)
    return (fraction * scale >> 64) % THROWS


def loaded_throw(dice: LoadedDice, seed: int, table: int, roll: int) -> int:
    """The throw of one roll of loaded dice."""
    block, half = divmod(roll, 2)
    words = philox((block & WORD, block >> 32, table & WORD, table >> 32), (seed & WORD, seed >> 32))
    box, rest = divmod((words[2 * half] | words[2 * half + 1] << 32) * THROWS, FULL)
    aliases = alias_table(dice)
    return box if rest < int(aliases.threshold[box]) else int(aliases.other[box])
