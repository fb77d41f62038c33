"""Roll many sessions: choose a backend, share the sessions out, add up what comes back."""

from __future__ import annotations

import os
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from passline.files.amounts import whole_number
from passline.machine.dice import FAIR
from passline.sim.backends import choose
from passline.sim.game import game_of
from passline.sim.tally import Look, Part, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from passline.files.amounts import Money
    from passline.machine.dice import LoadedDice
    from passline.machine.machine import Machine
    from passline.machine.standing import AtEnd
    from passline.sim.backends import Backend
    from passline.sim.game import Game, Interpreted
    from passline.sim.sample import Sample
    from passline.sim.tally import Progress

WATCHED_MAX: Final = 4096
"""The most sessions that are watched roll by roll unless the caller asks for more."""
WATCHED_ROLLS: Final = 10_000_000
"""About how many rolls are watched: some tenths of a second."""
IN_FLIGHT: Final = 2
"""Batches per thread that are handed out ahead, so that no thread waits and little is lost on Ctrl-C."""
PATIENCE_S: Final = 0.2
"""How long to wait for a batch before looking for Ctrl-C again."""
WATCHED_MIN: Final = 16
"""The fewest, if there are as many, however long they are."""

Done = TypeVar("Done")


def simulate(  # noqa: PLR0913 - what a run can be asked for
    machine: Machine | Interpreted,
    *,
    sessions: int,
    rolls: int,
    bankroll: Money | None = None,
    stop_win: Money | None = None,
    stop_loss: Money | None = None,
    hands: int | None = None,
    at_end: AtEnd = "run-out",
    seed: int = 0,
    dice: LoadedDice = FAIR,
    backend: str = "auto",
    threads: int | None = None,
    watch: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Sample:
    """Play `sessions` sessions of up to `rolls` rolls and say how they came out.

    Session `i` is table number `i` of the dice, so the same question has the same answer on every backend, with any
    number of threads. Amounts are money. When a session ends, by `at_end`, no new bets are made and its dice go on
    until everything standing has had one decision, or what stands counts at face value. `watch` says how many of the
    first sessions to look at roll by roll (fan, drawdown, runs). Ctrl-C ends the run early and keeps what is done; then
    `complete` is False.
    """
    began = time.perf_counter()
    sessions = whole_number("sessions", sessions)
    game = game_of(
        machine,
        rolls=rolls,
        bankroll=bankroll,
        stop_win=stop_win,
        stop_loss=stop_loss,
        hands=hands,
        at_end=at_end,
        seed=seed,
        dice=dice,
    )
    seen = _watched(sessions, game.limits.rolls, watch)
    workers = _cores() if threads is None else whole_number("threads", threads)
    roller = choose(backend, game)
    workers = workers if roller.parallel else 1
    roller.warm(game)
    tally = Tally(game, sessions, progress)
    complete = _roll(roller, game, tally, seen, workers)
    if not tally.sessions:
        raise KeyboardInterrupt
    ends = {"bankroll": bankroll, "stop_win": stop_win, "stop_loss": stop_loss}
    asked = {
        "sessions": sessions,
        "rolls": rolls,
        **{name: None if given is None else str(given) for name, given in ends.items()},
        "hands": hands,
        "at_end": at_end,
        "dice": None if dice.fair else str(dice),
    }
    return tally.result(roller.name, workers, asked, complete=complete, seconds=time.perf_counter() - began)


def _cores() -> int:
    """The cores there are to use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _watched(sessions: int, rolls: int, watch: int | None) -> int:
    """How many of the first sessions to watch: the same for every backend, so that results are equal."""
    if watch is None:
        watch = min(WATCHED_MAX, max(WATCHED_MIN, WATCHED_ROLLS // rolls))
    return min(sessions, whole_number("watch", watch))


def _roll(roller: Backend, game: Game, tally: Tally, watched: int, threads: int) -> bool:
    """Watch the first sessions, then play the rest; False when interrupted."""
    halt = np.zeros(1, dtype=np.uint8)
    size = roller.batch(game)
    # A few batches of watched sessions for each thread, so that all have something to do.
    small = max(1, min(size, -(-watched // (IN_FLIGHT * threads))))

    def watch(first: int, count: int) -> Look:
        return Look.of(first, roller.watch(game, first, count, halt))

    def play(first: int, count: int) -> Part:
        return Part.of(roller.play(game, first, count, halt))

    with ThreadPoolExecutor(max_workers=threads, thread_name_prefix="passline-sim") as pool:
        try:
            tally.start()
            _share_out(pool, threads, _pieces(0, watched, small), watch, tally.look, halt)
            if watched < tally.asked:  # the speed told is that of the unwatched rolling, where there is any
                tally.start()
            _share_out(pool, threads, _pieces(watched, tally.asked, size), play, tally.add, halt)
        except KeyboardInterrupt:
            return False
    return True


def _pieces(first: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """The sessions from `first` to `end` in batches: where each begins and how many it has."""
    for begin in range(first, end, size):
        yield begin, min(size, end - begin)


def _share_out(  # noqa: PLR0913, PLR0917
    pool: ThreadPoolExecutor,
    threads: int,
    pieces: Iterator[tuple[int, int]],
    work: Callable[[int, int], Done],
    take: Callable[[Done], None],
    halt: NDArray[np.uint8],
) -> None:
    """Have every piece worked on and take what comes back, in whatever order; anything that goes wrong stops it all."""
    running: set[Future[Done]] = set()
    try:
        while True:
            while len(running) < IN_FLIGHT * threads and (piece := next(pieces, None)):
                running.add(pool.submit(work, *piece))
            if not running:
                return
            done, running = wait(running, timeout=PATIENCE_S, return_when=FIRST_COMPLETED)
            for future in done:
                take(future.result())
    except BaseException:
        halt[0] = 1
        for future in running:
            future.cancel()
        raise
