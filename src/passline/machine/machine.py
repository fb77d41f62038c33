"""The finite machine itself: integer arrays that need NumPy and nothing else.

A *state* is the table just after a roll was settled, before the player acts. The player's acts are a function of
the state, so everything that happens between two looks at it is known: what is wanted on the layout for the next roll,
what is newly staked, and, for each of the 36 throws, the state that follows and the money that moved.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

FORMAT = 1
"""The version of the saved form; it changes when the meaning of an array does."""

THROWS = 36
"""Throws of two distinguishable dice: throw `6 * (first - 1) + (second - 1)`."""


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """One strategy in one house, as states that 36 equally likely throws lead through."""

    column: NDArray[np.uint8]
    """Shape (36,): which column of the tables each throw reads; throws that never matter differently share one."""
    next: NDArray[np.int32]
    """Shape (states, columns): the state that follows."""
    net: NDArray[np.int64]
    """Shape (states, columns): grains won less grains lost by that roll, commission paid for it included."""
    need: NDArray[np.int64]
    """Shape (states,): grains that must be at hand for the roll: all wagers wanted up, plus commission due."""
    staked: NDArray[np.int64]
    """Shape (states,): grains newly put up for the roll, commission included: the action."""
    hand_ends: NDArray[np.bool_]
    """Shape (states, columns): whether that roll is a seven-out."""
    start: int = 0
    """The state of an empty table before its first come-out roll."""
    grain: Fraction = Fraction(1)
    """What one grain is worth, in the money the strategy was built with."""
    about: dict[str, Any] = field(default_factory=dict)
    """Where it came from: house, strategy, their hashes, unit, notice; JSON values only."""

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.need)

    @property
    def columns(self) -> int:
        """How many throws differ."""
        return int(self.next.shape[1])

    @property
    def weight(self) -> NDArray[np.int64]:
        """Shape (columns,): how many of the 36 throws read each column."""
        return np.bincount(self.column, minlength=self.columns).astype(np.int64)

    def digest(self) -> str:
        """A hash of everything that decides a result."""
        sha = hashlib.sha256()
        for array in (self.column, self.next, self.net, self.need, self.staked, self.hand_ends):
            sha.update(repr(array.shape).encode())
            sha.update(np.ascontiguousarray(array).tobytes())
        sha.update(f"{FORMAT} {self.start} {self.grain}".encode())
        return sha.hexdigest()

    def save(self, path: Path) -> None:
        """Write the machine to one file that `load` reads anywhere NumPy runs."""
        head = {"format": FORMAT, "start": self.start, "grain": str(self.grain), "about": self.about}
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                head=np.frombuffer(json.dumps(head, sort_keys=True).encode(), dtype=np.uint8),
                column=self.column,
                next=self.next,
                net=self.net,
                need=self.need,
                staked=self.staked,
                hand_ends=self.hand_ends,
            )

    @classmethod
    def load(cls, path: Path) -> Machine:
        """Read a machine written by `save`."""
        with np.load(path, allow_pickle=False) as file:
            head = json.loads(bytes(file["head"]))
            if head["format"] != FORMAT:
                message = f"{path}: machine format {head['format']}, this version reads {FORMAT}; build it again"
                raise ValueError(message)
            return cls(
                column=file["column"],
                next=file["next"],
                net=file["net"],
                need=file["need"],
                staked=file["staked"],
                hand_ends=file["hand_ends"],
                start=head["start"],
                grain=Fraction(head["grain"]),
                about=head["about"],
            )
