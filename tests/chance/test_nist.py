"""The raw stream through NIST's battery, and streams that must not pass it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.chance.nist import TESTS, bits_of, p_values, raw

if TYPE_CHECKING:
    from collections.abc import Callable

SEQUENCES = 2
BYTES = 5_000
"""40,000 bits, the fewest that each test takes; `scripts/campaign dice` takes a hundred sequences of a million."""


@pytest.mark.slow
def test_the_raw_stream_passes(record_property: Callable[[str, object], None]) -> None:
    """Fixed seeds: always, or never."""
    stream = raw(SEQUENCES * BYTES, "nist")
    smallest = [p_values(bits_of(stream[at * BYTES : (at + 1) * BYTES])) for at in range(SEQUENCES)]
    assert len(smallest) * len(TESTS) == 18
    told = f"dice: {SEQUENCES} sequences of {8 * BYTES:,} raw bits through {len(TESTS)} of NIST's tests"
    record_property("exercised", told)
    assert [(at, name, p) for at, values in enumerate(smallest) for name, p in values.items() if p < 1e-4] == []


def lcg() -> bytes:
    """The old C library's generator, the low byte of each value."""
    state, stream = 1, bytearray()
    while len(stream) < 12_500:  # a second test notices after that many
        state = (1103515245 * state + 12345) & 0x7FFFFFFF
        stream.append(state & 255)
    return bytes(stream)


def modulo_six() -> bytes:
    """Two dice to a byte: what `byte % 6` makes of a good stream."""
    good = np.frombuffer(raw(2 * BYTES, "nist"), dtype=np.uint8)
    return bytes((good[::2] % 6) << 4 | (good[1::2] % 6))


def stuck_bit() -> bytes:
    """A good stream with one wire torn."""
    return bytes(byte | 16 for byte in raw(BYTES, "nist"))


@pytest.mark.slow
@pytest.mark.parametrize("make", [lcg, modulo_six, stuck_bit])
def test_a_bad_stream_fails(make: object) -> None:
    """Without a doubt, and by more than one test."""
    assert callable(make)
    caught = [name for name, p in p_values(bits_of(make())).items() if p < 1e-9]
    assert len(caught) >= 2, caught
