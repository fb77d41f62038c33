"""What every backend promises: sessions `first … first + count - 1` of a game, as whole numbers that add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from passline.sim.game import Ending
from passline.sim.sample import Histogram

if TYPE_CHECKING:
    from passline.sim.game import Game

AMOUNT_MAX: Final = 1 << 40
"""Up to this, the amounts of any batch add up in 64 bits."""


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


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some sessions, counted: parts of a run add up to the whole, in any order and however they were cut."""

    sessions: int
    rolls: int
    hands: int
    action: int
    run_out: int
    endings: tuple[int, ...]
    """Sessions by `Ending`."""
    net: Histogram
    ruin: Histogram

    @classmethod
    def of(cls, played: Played) -> Part:
        """Count sessions that were told one by one."""
        return cls(
            sessions=len(played.net),
            rolls=int(played.rolls.sum()),
            hands=int(played.hands.sum()),
            action=_sum(played.action),
            run_out=int(played.run_out.sum()),
            endings=tuple(np.bincount(played.ending, minlength=len(Ending)).tolist()),
            net=Histogram.of(played.net),
            ruin=Histogram.of(played.rolls[played.ending == Ending.RUIN]),
        )

    @classmethod
    def sum(cls, parts: Sequence[Part]) -> Part:
        return cls(
            sessions=sum(part.sessions for part in parts),
            rolls=sum(part.rolls for part in parts),
            hands=sum(part.hands for part in parts),
            action=sum(part.action for part in parts),
            run_out=sum(part.run_out for part in parts),
            endings=tuple(sum(part.endings[ending] for part in parts) for ending in Ending),
            net=Histogram.sum(part.net for part in parts),
            ruin=Histogram.sum(part.ruin for part in parts),
        )


def _sum(amounts: NDArray[np.int64]) -> int:
    """The sum of amounts, none of them below nothing, however large."""
    return sum(amounts.tolist()) if len(amounts) and int(amounts.max()) > AMOUNT_MAX else int(amounts.sum())


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

    def play(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Part:
        """Roll these sessions as fast as can be."""

    def rows(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Played:
        """Roll the same sessions, and tell each."""

    def watch(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Watched:
        """Roll these sessions and look at every roll."""
