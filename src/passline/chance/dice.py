"""Two dice out of a seed: a function of seed, table, epoch, number and mix, and of nothing else."""

from __future__ import annotations

import hmac
from itertools import count

from passline.chance.message import message, whole
from passline.engine.values import ROLLS, Roll

ROLL_TAG = "passline/dice/1/roll"

FAIR_BYTES = 256 // len(ROLLS) * len(ROLLS)
"""252: bytes below this are seven for each of the 36 throws. The other four are passed over."""


def roll(seed: bytes, table: str, epoch: int, number: int, mixed: bytes) -> Roll:
    """The roll of this number: the first fair byte of its blocks."""
    whole("the seed", seed)
    whole("the mix", mixed)
    blocks = (hmac.digest(seed, message(ROLL_TAG, table, epoch, number, block, mixed), "sha256") for block in count())
    return next(filter(None, map(picked, blocks)))


def picked(block: bytes) -> Roll | None:
    """What the first fair byte of a block makes; None, and the next block decides, when it has none."""
    byte = next((byte for byte in block if byte < FAIR_BYTES), None)
    return None if byte is None else ROLLS[byte % len(ROLLS)]
