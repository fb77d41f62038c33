"""A game as flat arrays, which is all that the sweeps of value iteration look at."""

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
