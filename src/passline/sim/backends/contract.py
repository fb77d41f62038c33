"""What every backend promises: sessions `first … first + count - 1` of a game, each as a few whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from passline.sim.game import Game


@dataclass(frozen=True, slots=True)
class Played:
    """How some sessions came out, one entry each."""

    net: NDArray[np.int64]
    """In grains, the run-out included."""
    rolls: NDArray[np.int64]
    """Before the session ended."""
    hands: NDArray[np.int64]
    """Seven-outs on those rolls."""
    ending: NDArray[np.uint8]
    action: NDArray[np.int64]
    """Grains of all bets decided, the run-out's included."""
    run_out: NDArray[np.int64]
    """Rolls after the end, until everything that stood was decided."""

    @classmethod
    def nothing(cls, count: int) -> Played:
        """Sessions that have not rolled yet."""
        return cls(
            net=np.zeros(count, dtype=np.int64),
            rolls=np.zeros(count, dtype=np.int64),
            hands=np.zeros(count, dtype=np.int64),
            ending=np.zeros(count, dtype=np.uint8),
            action=np.zeros(count, dtype=np.int64),
            run_out=np.zeros(count, dtype=np.int64),
        )


@dataclass(frozen=True, slots=True)
class Watched:
    """How some sessions came out and what they looked like on the way: before their run-outs, at face value."""

    played: Played
    drawdown: NDArray[np.int64]
    """The furthest that the net ever was below its best so far."""
    winning_run: NDArray[np.int64]
    """The most rolls in a row that won; rolls on which no money moved neither count nor break a run."""
    losing_run: NDArray[np.int64]
    path: NDArray[np.int64]
    """Shape (sessions, checkpoints): the net after so many rolls; a session that ended stays where it ended."""


class Backend(Protocol):
    """A way to roll a game."""

    @property
    def name(self) -> str:
        """What a caller asks for it by."""

    @property
    def parallel(self) -> bool:
        """Whether several threads roll faster than one."""

    def batch(self, game: Game) -> int:
        """How many sessions to ask for at once."""

    def warm(self, game: Game) -> None:
        """Compile and pack whatever must be ready before the clock starts."""

    def play(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Played:
        """Roll these sessions as fast as can be."""

    def watch(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Watched:
        """Roll these sessions and look at every roll."""
