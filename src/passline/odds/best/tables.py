"""A game as flat arrays, which is all that the sweeps of value iteration look at."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Tables(NamedTuple):
    """A game in flat arrays. A row is a position; those of group `g` are from `first[g]` on and before `first[g + 1]`.

    The same way `out` leads to the outcomes of a row and `onward_first` to the groups that more chips lead to.
    """

    first: Ints
    position: Ints
    stakes: Ints
    skipped: NDArray[np.bool_]  # Rows that may not be chosen
    reward: Floats  # what a roll of each row brings by itself
    out: Ints
    weight: Floats
    gain: Ints
    group: Ints
    onward_first: Ints
    onward: Ints
    limit: Ints  # for each group the wealth from which the goal is reached


def reachable(onward: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each group itself and every group that more chips lead to, however many."""
    closure: list[list[int]] = [[] for _ in onward]
    for group in reversed(range(len(onward))):  # a group stands before all that it leads to
        closure[group] = sorted({group, *(far for to in onward[group] for far in closure[to])})
    return closure
