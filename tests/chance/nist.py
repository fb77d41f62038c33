"""NIST SP 800-22 on the raw stream, by nistrng; with the tests of it that were found to work.

Left out: `random_excursion` and its variant (p-values above 1), the two template tests (p near 1 on anything good), and
those that need more than a million bits. The suite changes the bits it is given, so each test gets a copy.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
from nistrng import SP800_22R1A_BATTERY

from passline.live.dice import DEALT_TAG, LINK_TAG, chain, message

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bits = NDArray[np.int64]

TESTS = (
    "monobit",
    "frequency_within_block",
    "runs",
    "longest_run_ones_in_a_block",
    "binary_matrix_rank",
    "dft",
    "serial",
    "approximate_entropy",
    "cumulative sums",
)


def p_values(bits: Bits) -> dict[str, float]:
    """The smallest p-value of each test."""
    return {name: float(np.min(SP800_22R1A_BATTERY[name].run(bits.copy())[0].score)) for name in TESTS}


def bits_of(raw: bytes) -> Bits:
    """A stream of bytes, bit by bit."""
    return np.unpackbits(np.frombuffer(raw, dtype=np.uint8)).astype(np.int64)


def raw(size: int, word: str) -> bytes:
    """The blocks that rolls are picked from, whole: roll after roll, epoch after epoch."""
    stream, epoch = bytearray(), 0
    while len(stream) < size:
        epoch += 1
        links = chain(LINK_TAG, (word, epoch), sha256(f"{word} {epoch}".encode()).digest())
        for number, link in enumerate(links[1:], start=1):
            stream += hmac.digest(link, message(DEALT_TAG, word, epoch, number, 0, 0), "sha256")
    return bytes(stream[:size])
