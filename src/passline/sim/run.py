"""Roll many sessions: choose a backend, share the sessions out, add up what comes back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from passline.errors import ArgumentError, DeviceError, shown
from passline.files.amounts import whole_number
from passline.files.arguments import instance
from passline.machine.machine import Machine
from passline.machine.terms import Terms
from passline.sim.backends import DASK, Part, Played, in_its_place, made_ready
from passline.sim.checkpoint import Checkpoint
from passline.sim.cluster import cluster
from passline.sim.game import game_of
from passline.sim.pace import Pace, check_length
from passline.sim.places import Elsewhere, Threads, cores
from passline.sim.tally import Look, Tally

if TYPE_CHECKING:
    from passline.sim.backends import Backend, Watched
    from passline.sim.game import Interpreted
    from passline.sim.places import Asked, Places
    from passline.sim.sample import Sample
    from passline.sim.tally import Progress

    Submit = Callable[[int, int], Future[Any]]
    Take = Callable[[int, Any], None]

WATCHED_MAX: Final = 4096
"""The most sessions that are watched roll by roll unless the caller asks for more."""
WATCHED_ROLLS: Final = 10_000_000
"""About how many rolls are watched: some tenths of a second."""
IN_FLIGHT: Final = 2
"""Pieces per place that are handed out ahead, so that none waits and little is lost on Ctrl-C."""
PATIENCE_S: Final = 0.2
"""How long to wait for a piece before looking for Ctrl-C again."""
PIECE_S: Final = 1.0
"""A piece that comes back sooner from elsewhere is followed by one of twice the size."""
ROWS_AT_ONCE: Final = 1 << 18
"""The most sessions of a piece whose rows come back."""
WATCHED_MIN: Final = 16
"""The fewest, if there are as many, however long they are."""


def simulate(  # noqa: PLR0913 - what a run can be asked for
    source: Machine | Interpreted,
    terms: Terms,
    *,
    sessions: int,
    seed: int = 0,
    backend: str = "auto",
    threads: int | None = None,
    watch: int | None = None,
    executor: Executor | None = None,
    scheduler: str | None = None,
    checkpoint: Path | str | None = None,
    told: Callable[[int, Played], None] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Sample:
    """Play so many sessions on some terms and say how they came out.

    Session `i` is table number `i` of the dice, so the same question has the same answer on every backend, with any
    number of threads. `watch` says how many of the
    first sessions to look at roll by roll (fan, drawdown, runs). With an `executor` the sessions are rolled there,
    `threads` pieces at once; backend `dask` rolls them on the workers of a `scheduler`, or of this computer. What is
    done is kept in the folder `checkpoint`, and the same question goes on from there. `told` is handed the sessions
    themselves, in their order. Ctrl-C ends the run early and keeps what is done; then `complete` is False. What would
    take more than half a day of this computer is refused, unless there is a checkpoint.
    """
    began = time.perf_counter()
    sessions = whole_number("sessions", sessions)
    game = game_of(source, terms, seed)
    seen = _watched(sessions, game.limits.rolls, watch)
    workers = cores() if threads is None else whole_number("threads", threads)
    if scheduler is not None and (backend != DASK or not isinstance(scheduler, str)):
        raise ArgumentError("scheduler", shown(scheduler), f"an address, and backend {DASK!r} with it")
    kept = None if checkpoint is None else Checkpoint.opened(checkpoint, game, seen)
    if kept is not None and told is not None:
        kept.with_rows()
    elsewhere = None if executor is None else instance("executor", executor, Executor, "an executor")

    def rolled(roller: Backend) -> tuple[Tally, str, int, bool]:
        many = workers if roller.parallel else 1
        tally, name = Tally(game, sessions, progress), roller.name
        with ExitStack() as stack:
            here = Threads(roller, game, many)
            stack.callback(here.close)
            places: Places = here
            if elsewhere is not None:
                places = Elsewhere(elsewhere, game, many, backend)
            elif backend == DASK:
                places = stack.enter_context(cluster(game, scheduler, threads))
                name, many = DASK, places.count
            return tally, name, many, _roll(here, places, tally, seen, kept, told)

    roller, note = made_ready("auto" if backend == DASK else backend, game, sessions if backend == "auto" else None)
    check_length(roller, game)
    try:
        tally, name, workers, complete = rolled(roller)
    except DeviceError as error:
        if told is not None:  # rows that were told cannot be told again
            raise
        roller, note = in_its_place(error, game)
        tally, name, workers, complete = rolled(roller)
    if not tally.sessions:
        raise KeyboardInterrupt
    asked = {"sessions": sessions, **terms.to_json()}
    spent = time.perf_counter() - began
    return tally.result(name, workers, asked, complete=complete, seconds=spent, note=note)


def _watched(sessions: int, rolls: int, watch: int | None) -> int:
    """How many of the first sessions to watch: the same for every backend, so that results are equal."""
    if watch is None:
        watch = min(WATCHED_MAX, max(WATCHED_MIN, WATCHED_ROLLS // rolls))
    return min(sessions, whole_number("watch", watch))


def _roll(  # noqa: PLR0913, PLR0917
    here: Threads,
    places: Places,
    tally: Tally,
    watched: int,
    kept: Checkpoint | None,
    told: Callable[[int, Played], None] | None,
) -> bool:
    """Watch the first sessions, then play the rest; False when interrupted."""
    # A few pieces of watched sessions for each thread, so that all have something to do.
    small = max(1, min(here.batch, -(-watched // (IN_FLIGHT * here.count))))
    rows = InOrder(told, kept)
    left = [(watched, tally.asked)] if kept is None else kept.left(watched, tally.asked)

    pace = Pace(tally.asked - watched if places is here and kept is None else 0)  # what goes on elsewhere may be long

    def look(first: int, seen: Watched) -> None:
        tally.look(Look.of(first, seen))
        rows.tell(first, seen.played)

    def take(first: int, back: Part | Played) -> None:
        part = Part.of(back) if isinstance(back, Played) else back
        tally.add(part)
        if isinstance(back, Played):
            rows.take(first, back)
        if kept is not None:
            kept.add(first, part)
        pace.add(part.sessions)

    try:
        tally.start()
        _share_out(here, Pieces([(0, watched)], small), here.watch, look)
        for part in [] if kept is None else kept.parts:
            tally.add(part)
        if watched < tally.asked:  # the speed told is that of the unwatched rolling, where there is any
            tally.start()
            pace.start()
        size = places.batch if told is None else min(places.batch, ROWS_AT_ONCE)
        asked: Asked = "play" if told is None else "rows"
        _share_out(places, Pieces(left, size), lambda *piece: places.submit(asked, *piece), take, grows=told is None)
    except KeyboardInterrupt:
        complete = False
    else:
        complete = True
    finally:
        if kept is not None:
            kept.write()
    rows.end(watched)
    return complete


class InOrder:
    """Hands sessions on in their order, however they come back; with a checkpoint they wait there for the end."""

    def __init__(self, told: Callable[[int, Played], None] | None, kept: Checkpoint | None) -> None:
        """Begin with the first; where nobody wants them told, nothing waits."""
        self._told, self._kept, self._next, self._waiting = told, kept, 0, dict[int, Played]()

    def take(self, first: int, played: Played) -> None:
        """Take sessions that somebody has rolled, before they are counted."""
        (self.tell if self._kept is None else self._kept.keep)(first, played)

    def end(self, first: int) -> None:
        """Hand on what waits in the checkpoint, from a session on."""
        for at, played in () if self._kept is None or self._told is None else self._kept.rows(first):
            self.tell(at, played)

    def tell(self, first: int, played: Played) -> None:
        """Hand on the sessions whose turn has come."""
        if self._told is None:
            return
        self._waiting[first] = played
        while (ready := self._waiting.pop(self._next, None)) is not None:
            self._told(self._next, ready)
            self._next += len(ready.net)


class Pieces:
    """Sessions that are still to be played, handed out from the first on; any cut gives the same sums."""

    def __init__(self, ranges: Iterable[tuple[int, int]], size: int) -> None:
        """Ranges from a first session to before an end, and how many sessions make a piece."""
        self._ranges, self.size = list(ranges), size

    def next(self) -> tuple[int, int] | None:
        """Where the next piece begins and how many sessions it has; None: there is none."""
        while self._ranges:
            first, end = self._ranges[0]
            cut = min(end, first + self.size)
            if cut == end:
                self._ranges.pop(0)
            else:
                self._ranges[0] = cut, end
            if cut > first:
                return first, cut - first
        return None


def _share_out(places: Places, pieces: Pieces, submit: Submit, take: Take, *, grows: bool = True) -> None:
    """Have every piece worked on and take what comes back, in whatever order; anything that goes wrong stops it all."""
    running: dict[Future[Any], tuple[int, int, float]] = {}
    try:
        while True:
            while len(running) < IN_FLIGHT * places.count and (piece := pieces.next()):
                running[submit(*piece)] = *piece, time.perf_counter()
            if not running:
                return
            for future in wait(running, timeout=PATIENCE_S, return_when=FIRST_COMPLETED).done:
                first, count, began = running.pop(future)
                take(first, future.result())
                if grows and places.grows and count == pieces.size and time.perf_counter() - began < PIECE_S:
                    pieces.size *= 2
    except BaseException:
        places.stop()
        for future in running:
            future.cancel()
        raise
