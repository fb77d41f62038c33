"""Where the pieces of a run are rolled: threads of this process, or an executor that somebody hands in."""

from __future__ import annotations

import os
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

import numpy as np

from passline.errors import DeviceError
from passline.sim.backends import in_its_place, made_ready

if TYPE_CHECKING:
    from passline.sim.backends import Backend, Part, Played
    from passline.sim.game import Game

Asked = Literal["play", "rows"]
"""Sums of the sessions, or each of them."""
ROLLS_AT_FIRST: Final = 1 << 26
"""Rolls of the first pieces that are sent away; how long they take decides about the next."""
HELD: Final = 4
"""Games that a worker keeps ready."""


class Places(Protocol):
    """Where pieces are rolled; a piece is sessions `first … first + count - 1`."""

    @property
    def count(self) -> int:
        """How many pieces are rolled at once."""

    @property
    def batch(self) -> int:
        """How many sessions to put into a piece at first."""

    @property
    def grows(self) -> bool:
        """Whether pieces that come back soon are followed by larger ones."""

    def submit(self, asked: Asked, first: int, count: int) -> Future[Any]:
        """Have a piece rolled."""

    def stop(self) -> None:
        """Let what is being rolled come to nothing."""


class Threads:
    """Threads of this process, which share one backend and one flag that stops them."""

    grows = False

    def __init__(self, backend: Backend, game: Game, count: int) -> None:
        """Start none yet; the pool does when there is work."""
        self._backend, self._game, self._halt = backend, game, np.zeros(1, dtype=np.uint8)
        self._pool = ThreadPoolExecutor(max_workers=count, thread_name_prefix="passline-sim")
        self.count, self.batch = count, backend.batch(game)

    def submit(self, asked: Asked, first: int, count: int) -> Future[Any]:
        return self._pool.submit(getattr(self._backend, asked), self._game, first, count, self._halt)

    def watch(self, first: int, count: int) -> Future[Any]:
        """Have a piece looked at roll by roll."""
        return self._pool.submit(self._backend.watch, self._game, first, count, self._halt)

    def stop(self) -> None:
        self._halt[0] = 1

    def close(self) -> None:
        """Wait until nothing is rolled any more."""
        self._pool.shutdown()


class Elsewhere:
    """An executor that was handed in: another process or another computer, which finds its own backend."""

    grows = True

    def __init__(self, executor: Executor, game: Game, count: int, backend: str = "auto", sent: Any = None) -> None:  # noqa: ANN401
        """`sent` stands for the game where the executor already has it; else it travels with every piece."""
        self._executor, self._sent, self._backend = executor, game if sent is None else sent, backend
        self.count, self.batch = count, max(1, ROLLS_AT_FIRST // game.limits.rolls)

    def submit(self, asked: Asked, first: int, count: int) -> Future[Any]:
        return self._executor.submit(roll_piece, self._sent, self._backend, asked, first, count)

    def stop(self) -> None:
        """Nothing crosses to where it is rolled; whoever waits cancels what has not begun."""


def roll_piece(game: Game, backend: str, asked: Asked, first: int, count: int) -> Part | Played:
    """One piece, rolled in whatever process this is; everything that decides it comes with the call."""
    held, halt = _ready(game, backend), np.zeros(1, dtype=np.uint8)
    try:
        piece: Part | Played = getattr(held[0], asked)(game, first, count, halt)
    except DeviceError as error:  # a card whose memory somebody else took meanwhile
        held[0], _ = in_its_place(error, game)
        piece = getattr(held[0], asked)(game, first, count, halt)
    return piece


@lru_cache(maxsize=HELD)
def _held(digest: str, backend: str) -> list[Backend]:  # noqa: ARG001 - what it is kept under
    return []


def _ready(game: Game, backend: str) -> list[Backend]:
    """The backend that this process has warmed for the game, by the game's digest: a machine may arrive many times."""
    held = _held(game.digest(), backend)
    if not held:
        held.append(made_ready(backend, game)[0])
    return held


def cores() -> int:
    """The cores there are to use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
