"""One roll of a walk in doubles, compiled by Numba where it is installed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Doubles = NDArray[np.float64]
    Kernel = Callable[[Ints, Ints, Ints, Doubles, Doubles, Ints, Ints, Doubles, Ints, Ints], None]

TILE = 1024
"""Nets worked on at once: a tile of the result stays in the nearest cache while every step is added to it."""


@cache
def kernel() -> Kernel | None:
    """The compiled roll, or nothing without Numba; compiling takes about a second, so short walks do not ask for it."""
    try:
        import numba  # noqa: PLC0415 - importing it costs more than most evenings
    except ImportError:
        return None
    return numba.njit(nogil=True)(roll)  # type: ignore[no-any-return]


def roll(  # noqa: PLR0913 - a kernel is a free function over arrays
    first: Ints,
    source: Ints,
    shift: Ints,
    chance: Doubles,
    given: Doubles,
    given_at: Ints,
    given_width: Ints,
    out: Doubles,
    out_at: Ints,
    out_width: Ints,
) -> None:
    """Add every step, moved by `shift` and weighed by its chance, to its target, tile by tile."""
    for target in range(len(out_at)):
        for begin in range(0, out_width[target], TILE):
            end = min(begin + TILE, out_width[target])
            for edge in range(first[target], first[target + 1]):
                state = source[edge]
                left = max(begin, shift[edge])
                right = min(end, shift[edge] + given_width[state])
                if left < right:
                    onto = out[out_at[target] + left : out_at[target] + right]
                    origin = given_at[state] - shift[edge]
                    moved = given[origin + left : origin + right]
                    weight = chance[edge]
                    for net in range(right - left):
                        onto[net] += weight * moved[net]
