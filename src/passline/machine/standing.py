"""What stands in each state of a machine, and how the dice decide it when no new bets are made.

No bet knows of another (odds go with their flat bet), so a felt is a handful of bets that the same dice decide one by
one. A state names its bets; each is a row of one small table. That is a few hundred rows where all felts, and what is
left of them on the way, would be many thousand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DECIDED = 0
"""The row of a bet that has had its decision."""


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """The bets that stand in each state, and for every one what each of the 36 throws does to it."""

    first: NDArray[np.int64]
    """Shape (states + 1,): where the bets of each state begin in `bets`; the next state's beginning ends them."""
    bets: NDArray[np.int32]
    """The rows of all states' bets, those of a state in rising order."""
    back: NDArray[np.int64]
    """Shape (states,): grains of commission given back at once, for wagers called off, which come down."""
    next: NDArray[np.int32]
    """Shape (rows, 36): the row that follows; `DECIDED` ends it."""
    net: NDArray[np.int64]
    """Shape (rows, 36): grains won less grains lost by that throw."""
    action: NDArray[np.int64]
    """Shape (rows, 36): grains of action, which only a decision has."""

    @classmethod
    def of(cls, bets: Sequence[Sequence[int]], back: Sequence[int], rows: Sequence[NDArray[np.int64]]) -> Standing:
        """From the rows of each state's bets; of a row its next rows, nets and action."""
        following, net, action = np.stack(rows, axis=1)
        return cls(
            first=np.cumsum([0, *map(len, bets)]),
            bets=np.array([row for state in bets for row in sorted(state)], dtype=np.int32),
            back=np.array(back, dtype=np.int64),
            next=following.astype(np.int32),
            net=net,
            action=action,
        )

    def of_state(self, state: int) -> tuple[int, ...]:
        """The rows of the bets that stand in a state."""
        return tuple(self.bets[self.first[state] : self.first[state + 1]].tolist())

    def kinds(self) -> NDArray[np.int64]:
        """Shape (states,): equal numbers for states in which the same stands."""
        seen: dict[tuple[int, ...], int] = {}
        return np.array(
            [
                seen.setdefault((back, *self.of_state(state)), len(seen))
                for state, back in enumerate(self.back.tolist())
            ],
            dtype=np.int64,
        )

    def at(self, states: NDArray[np.int64]) -> Standing:
        """The same for some states, in this order."""
        count = np.diff(self.first)[states]
        first = np.concatenate([[0], np.cumsum(count)])
        place = np.arange(first[-1]) - np.repeat(first[:-1] - self.first[states], count)
        return Standing(first, self.bets[place], self.back[states], self.next, self.net, self.action)

    def fits(self, states: int) -> bool:
        """Whether the arrays agree, point inside, and every bet is decided some time: compiled code relies on it."""
        rows = len(self.next)
        return (
            all(getattr(self, name).dtype == kind for name, kind in ARRAYS.items())
            and self.first.shape == (states + 1,)
            and self.back.shape == (states,)
            and self.bets.ndim == 1
            and int(self.first[0]) == 0
            and int(self.first[-1]) == len(self.bets)
            and bool((np.diff(self.first) >= 0).all())
            and rows > 0
            and all(array.shape == (rows, 36) for array in (self.next, self.net, self.action))
            and 0 <= int(self.next.min()) <= int(self.next.max()) < rows
            and (not self.bets.size or 0 < int(self.bets.min()) <= int(self.bets.max()) < rows)
            and not (self.next[DECIDED].any() or self.net[DECIDED].any() or self.action[DECIDED].any())
            and int(self.action.min()) >= 0
            and self._all_end()
        )

    def _all_end(self) -> bool:
        """Whether each row can come to its decision."""
        ends = np.zeros(len(self.next), dtype=np.bool_)
        ends[DECIDED] = True
        count = 0
        while count < (count := int(ends.sum())):
            ends |= ends[self.next].any(axis=1)
        return count == len(ends)


ARRAYS: Mapping[str, type[np.generic]] = {
    "first": np.int64,
    "bets": np.int32,
    "back": np.int64,
    "next": np.int32,
    "net": np.int64,
    "action": np.int64,
}
"""What each array is made of."""
