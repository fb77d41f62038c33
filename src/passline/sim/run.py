"""Roll many sessions: choose a backend, share the sessions out, add up what comes back in whatever order."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from passline.answers import Z_95
from passline.errors import ArgumentError, DeviceError, SessionError, short_repr
from passline.files.amounts import whole_number
from passline.files.arguments import instance
from passline.files.needed import needed
from passline.machine.machine import Machine
from passline.machine.terms import Terms
from passline.sim.backends import DASK, Backend, Halt, Part, Played, Watched, in_its_place, made_ready
from passline.sim.checkpoint import Checkpoint
from passline.sim.game import Ending, Game, Interpreted, game_of
from passline.sim.sample import Amounts, Fan, Histogram, Sample

WATCHED_MAX: Final = 4096  # the most sessions that are watched roll by roll unless the caller asks for more
WATCHED_ROLLS: Final = 10_000_000  # About how many rolls are watched: some tenths of a second
IN_FLIGHT: Final = 2  # Pieces per place that are handed out ahead, so that none waits and little is lost on Ctrl-C
PATIENCE_S: Final = 0.2  # how long to wait for a piece before looking for Ctrl-C again
PIECE_S: Final = 1.0  # a piece that comes back sooner from elsewhere is followed by one of twice the size
ROWS_AT_ONCE: Final = 1 << 18  # the most sessions of a piece whose rows come back
WATCHED_MIN: Final = 16  # the fewest, if there are as many, however long they are
PARTS_MAX: Final = 64  # Parts to hold before they are made one


@dataclass(frozen=True, slots=True)
class Progress:
    sessions_done: int
    sessions: int
    rolls_done: int
    rolls_per_second: float
    mean: float  # of the nets so far, as money
    low: float  # where the 95 % confidence interval of the mean begins
    high: float  # where it ends


class Tally:
    """What has come back so far; every arrival is one append, so that an interruption can never tear it."""

    def __init__(self, game: Game, planned: int, progress: Callable[[Progress], None] | None) -> None:
        self.game, self.planned, self._progress = game, planned, progress
        self._parts: list[Part] = []
        self._looks: list[tuple[int, Watched]] = []  # each from a table number on
        self._clock, self._timed_s = time.perf_counter(), 0.0
        self._before = self._rolls = self._begun = self._sessions = 0
        self._sum = self._squares = 0.0
        self._judged = False

    @property
    def sessions(self) -> int:
        return sum(part.sessions for part in self._all())

    def start(self) -> None:
        """Start the clock that the speed is measured by; watching and playing each have their own."""
        self._clock, self._before, self._begun = time.perf_counter(), self._rolls, self._sessions

    def add(self, part: Part) -> None:
        if len(self._parts) >= PARTS_MAX:
            self._parts = [Part.sum(self._parts)]
        self._parts.append(part)
        self._report(part)

    def look(self, first: int, watched: Watched) -> None:
        self._looks.append((first, watched))
        self._report(Part.of(watched.played))

    def _all(self) -> list[Part]:
        return [*self._parts, *(Part.of(watched.played) for _, watched in self._looks)]

    def _report(self, part: Part) -> None:
        """Keep the running figures, which only progress and patience read, and pass them on."""
        self._timed_s = time.perf_counter() - self._clock
        self._rolls += part.rolls
        self._sessions += part.sessions
        self._sum += float(part.net.moment(1))
        self._squares += float(part.net.moment(2))
        if self._progress is None:
            return
        minor_unit, mean = float(self.game.source.minor_unit), self._sum / self._sessions
        spread = max(0.0, self._squares / self._sessions - mean * mean)
        half = Z_95 * math.sqrt(spread / self._sessions)
        nets = (mean * minor_unit, (mean - half) * minor_unit, (mean + half) * minor_unit)
        self._progress(Progress(self._sessions, self.planned, self._rolls, self._rate(), *nets))

    def check_patience(self) -> None:
        """Refuse, once the run has been looked at for a while, what nobody waits for."""
        if not self._judged and self._timed_s >= LOOK_S:
            self._judged = True
            sessions = self.planned - self._begun
            more = "would do, or a checkpoint to go on from, or other computers"
            each_s = self._timed_s / (self._sessions - self._begun)
            _check_patience(f"{sessions:,} sessions", sessions, each_s, more)

    def _rate(self) -> float:
        return (self._rolls - self._before) / self._timed_s if self._timed_s > 0 else 0.0

    def result(  # noqa: PLR0913 - how it was rolled
        self, backend: str, threads: int, terms: dict[str, Any], *, complete: bool, seconds: float, note: str
    ) -> Sample:
        whole, source = Part.sum(self._all()), self.game.source
        seen = [watched for _, watched in sorted(self._looks, key=lambda look: look[0])]
        drawdown, winning_run, losing_run = (
            Histogram.sum(Histogram.of(getattr(watched, name)) for watched in seen)
            for name in ("drawdown", "winning_run", "losing_run")
        )
        return Sample(
            about=source.about,
            machine=source.digest(),
            terms=terms,
            seed=self.game.seed,
            backend=backend,
            threads=threads,
            complete=complete,
            **{name: getattr(whole, name) for name in ("sessions", "rolls", "hands", "run_out", "ruin")},
            decided=whole.action * source.minor_unit,
            net=Amounts(whole.net, source.minor_unit),
            endings={ending.name.lower(): whole.endings[ending] for ending in Ending},
            watched=sum(len(watched.played.net) for watched in seen),
            drawdown=Amounts(drawdown, source.minor_unit),
            winning_run=winning_run,
            losing_run=losing_run,
            fan=Fan.of(self.game.checkpoints, np.concatenate([watched.path for watched in seen]), source.minor_unit),
            rolls_per_second=self._rate(),
            seconds=seconds,
            note=note,
        )


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
    receive: Callable[[int, Played], None] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Sample:
    """Play so many sessions on some terms and say how they came out.

    Session `i` is table number `i` of the dice, so the same question has the same answer on every backend, with any
    number of threads. `watch` says how many of the first sessions to look at roll by roll (fan, drawdown, runs). With
    an `executor` the sessions are rolled there, `threads` pieces at once; backend `dask` rolls them on the workers of a
    `scheduler`, or of this computer. What is done is kept in the folder `checkpoint`, and the same question goes on
    from there. `receive` is handed the sessions themselves, in their order. Ctrl-C ends the run early and keeps what is
    done; then `complete` is False. What would take more than half a day of this computer is refused, unless there is a
    checkpoint.
    """
    began = time.perf_counter()
    sessions = whole_number("sessions", sessions)
    game = game_of(source, terms, seed)
    # How many of the first sessions to watch: the same for every backend, so that results are equal.
    usual = min(WATCHED_MAX, max(WATCHED_MIN, WATCHED_ROLLS // game.limits.rolls))
    seen = min(sessions, whole_number("watch", usual if watch is None else watch))
    workers = cores() if threads is None else whole_number("threads", threads)
    if scheduler is not None and (backend != DASK or not isinstance(scheduler, str)):
        raise ArgumentError("scheduler", short_repr(scheduler), f"an address, and backend {DASK!r} with it")
    saved = None if checkpoint is None else Checkpoint.opened(checkpoint, game, seen)
    if saved is not None and receive is not None:
        saved.with_rows()
    elsewhere = None if executor is None else instance("executor", executor, Executor, "an executor")

    def rolled(roller: Backend) -> tuple[Tally, str, int, bool]:
        many = workers if roller.parallel else 1
        tally, name = Tally(game, sessions, progress), roller.name
        with ExitStack() as stack:
            pool = stack.enter_context(ThreadPoolExecutor(many, thread_name_prefix="passline-sim"))
            here = places = Places.threads(pool, roller, game, many)
            if elsewhere is not None:
                places = Places.elsewhere(elsewhere, game, many, backend)
            elif backend == DASK:
                places = stack.enter_context(cluster(game, scheduler, threads))
                name, many = DASK, places.count
            return tally, name, many, _roll(here, places, tally, seen, saved, receive)

    roller, note = made_ready("auto" if backend == DASK else backend, game, sessions if backend == "auto" else None)
    check_length(roller, game)
    try:
        tally, name, workers, complete = rolled(roller)
    except DeviceError as error:
        if receive is not None:  # rows that were handed on cannot be taken back
            raise
        roller, note = in_its_place(error, game)
        tally, name, workers, complete = rolled(roller)
    if not tally.sessions:
        raise KeyboardInterrupt
    spent, asked = time.perf_counter() - began, {"sessions": sessions, **terms.to_json()}
    return tally.result(name, workers, asked, complete=complete, seconds=spent, note=note)


def _roll(  # noqa: C901, PLR0913, PLR0917 - everything that a run is made of meets here
    here: Places,
    places: Places,
    tally: Tally,
    watched: int,
    saved: Checkpoint | None,
    receive: Callable[[int, Played], None] | None,
) -> bool:
    """Watch the first sessions, then play the rest; False when interrupted."""
    # A few pieces of watched sessions for each thread, so that all have something to do.
    small = max(1, min(here.batch, -(-watched // (IN_FLIGHT * here.count))))
    left = [(watched, tally.planned)] if saved is None else saved.left(watched, tally.planned)
    impatient = places is here and saved is None  # what goes on elsewhere may be long
    tell = in_order(receive)

    def look(first: int, seen: Watched) -> None:
        tally.look(first, seen)
        tell(first, seen.played)

    def take(first: int, back: Part | Played) -> None:
        part = Part.of(back) if isinstance(back, Played) else back
        tally.add(part)
        if isinstance(back, Played):
            (tell if saved is None else saved.keep)(first, back)
        if saved is not None:
            saved.add(first, part)
        if impatient:
            tally.check_patience()

    try:
        tally.start()
        _share_out(here, "watch", [(0, watched)], small, look)
        for part in [] if saved is None else saved.parts:
            tally.add(part)
        if watched < tally.planned:  # the speed is that of the unwatched rolling, where there is any
            tally.start()
        if receive is None:
            _share_out(places, "play", left, places.batch, take)
        else:
            _share_out(replace(places, grows=False), "rows", left, min(places.batch, ROWS_AT_ONCE), take)
    except KeyboardInterrupt:
        complete = False
    else:
        complete = True
    finally:
        if saved is not None:
            saved.write()
    if saved is not None and receive is not None:
        for first, played in saved.rows(watched):
            tell(first, played)
    return complete


def in_order(receive: Callable[[int, Played], None] | None) -> Callable[[int, Played], None]:
    """What hands sessions on in their order, however they come back."""
    waiting, following = dict[int, Played](), 0

    def tell(first: int, played: Played) -> None:
        nonlocal following
        if receive is not None:
            waiting[first] = played
            while (ready := waiting.pop(following, None)) is not None:
                receive(following, ready)
                following += len(ready.net)

    return tell


def _share_out(
    places: Places, mode: Mode, left: list[tuple[int, int]], size: int, take: Callable[[int, Any], None]
) -> None:
    """Have ranges of sessions rolled, from a first to before an end, in pieces of a size; any cut gives the same sums.

    What comes back is taken in whatever order, and anything that goes wrong stops it all.
    """
    running: dict[Future[Any], tuple[int, int, float]] = {}
    left = [each for each in left if each[0] < each[1]]
    try:
        while True:
            while len(running) < IN_FLIGHT * places.count and left:
                first, end = left.pop(0)
                count = min(size, end - first)
                running[places.submit(mode, first, count)] = first, count, time.perf_counter()
                left[:0] = [(first + count, end)] if first + count < end else []
            if not running:
                return
            for future in wait(running, timeout=PATIENCE_S, return_when=FIRST_COMPLETED).done:
                first, count, began = running.pop(future)
                take(first, future.result())
                if places.grows and count == size and time.perf_counter() - began < PIECE_S:
                    size *= 2
    except BaseException:
        places.halt[0] = 1
        for future in running:
            future.cancel()
        raise


Mode = Literal["play", "rows", "watch"]  # Sums of the sessions, each of them, or each of them roll by roll
# Rolls of the first pieces that are sent away; how long they take decides about the next.
ROLLS_AT_FIRST: Final = 1 << 26
HELD: Final = 4  # Games that a worker keeps ready


@dataclass(frozen=True, slots=True)
class Places:
    """Where pieces are rolled: an executor, and what it is asked with; a piece is sessions `first … first + count - 1`.

    Its threads, processes or computers take as many pieces at once as there are of them.
    """

    executor: Executor
    rolled: Callable[..., Any]
    fixed: tuple[Any, ...]  # what `rolled` takes before what is asked and the piece
    count: int
    batch: int  # how many sessions to put into a piece at first
    halt: Halt  # what stops the threads of this process; elsewhere whoever waits cancels what has not begun
    grows: bool  # whether pieces that come back soon are followed by larger ones

    @classmethod
    def threads(cls, pool: Executor, roller: Backend, game: Game, count: int) -> Places:
        """Threads of this process, which share one backend."""
        halt = np.zeros(1, dtype=np.uint8)

        def rolled(mode: Mode, first: int, size: int) -> Any:  # noqa: ANN401 - by what is asked
            return getattr(roller, mode)(game, first, size, halt)

        return cls(pool, rolled, (), count, roller.batch(game), halt, grows=False)

    @classmethod
    def elsewhere(cls, executor: Executor, game: Game, count: int, backend: str, sent: object = None) -> Places:
        """Another process or computer, which finds its own backend; `sent` stands for a game that is there already."""
        batch = max(1, ROLLS_AT_FIRST // game.limits.rolls)
        fixed = (game if sent is None else sent, backend)
        return cls(executor, roll_piece, fixed, count, batch, np.zeros(1, dtype=np.uint8), grows=True)

    def submit(self, mode: Mode, first: int, count: int) -> Future[Any]:
        return self.executor.submit(self.rolled, *self.fixed, mode, first, count)


def roll_piece(game: Game, backend: str, mode: Mode, first: int, count: int) -> Any:  # noqa: ANN401
    """One piece, rolled in whatever process this is; everything that decides it comes with the call."""
    held, halt = _held(game.digest(), backend), np.zeros(1, dtype=np.uint8)
    if not held:
        held.append(made_ready(backend, game)[0])
    try:
        return getattr(held[0], mode)(game, first, count, halt)
    except DeviceError as error:  # a card whose memory somebody else took meanwhile
        held[0], _ = in_its_place(error, game)
        return getattr(held[0], mode)(game, first, count, halt)


@lru_cache(maxsize=HELD)
def _held(digest: str, backend: str) -> list[Backend]:  # noqa: ARG001 - what it is kept under
    """Room for the backend that this process has warmed for a game, by its digest: a machine may arrive many times."""
    return []


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


LOOK_S: Final = 2.0  # how long a run is looked at before it is judged
# A run that would take longer on this computer is refused; elsewhere, or with a checkpoint, it may.
LONGEST_S: Final = 12 * 3600.0
TRIED: Final = 1 << 14  # Rolls by which one very long session is judged before it is begun
TRIED_S: Final = 0.02  # a trial that is over sooner is followed by one of twice the rolls
SPANS: Final = (("years", 365 * 86400), ("days", 86400), ("hours", 3600), ("minutes", 60))


def check_length(roller: Backend, game: Game) -> None:
    """Refuse sessions of so many rolls that not even one would come back; tried on the first rolls of the first."""
    rolls, tried, seconds = game.limits.rolls, TRIED, 0.0
    while rolls > 100 * tried and seconds < TRIED_S:
        short = replace(game, limits=replace(game.limits, rolls=tried, run_out=False))
        began = time.perf_counter()
        session = roller.watch(short, 0, 1, np.zeros(1, dtype=np.uint8))
        seconds = time.perf_counter() - began
        if session.played.ending[0] != Ending.ROLLS:
            return
        tried *= 2
    _check_patience(f"one session of {rolls:,} rolls", rolls, seconds / (tried / 2), "rolls would do")


def _check_patience(what: str, many: int, each_s: float, more: str) -> None:
    whole = many * each_s
    if whole > LONGEST_S:
        fit = 10 ** (len(str(int(many * LONGEST_S / whole))) - 1)
        nobody = f"nobody waits longer than {_span(LONGEST_S)}; {fit:,} {more}"
        raise SessionError(f"{what} would take about {_span(whole)} here, and {nobody}")


def _span(seconds: float) -> str:
    word, size = next((each for each in SPANS if seconds >= 2 * each[1]), ("seconds", 1))
    return f"{seconds / size:,.0f} {word}"


FIND_S: Final = 15  # how long to look for a scheduler
# The backend that every worker looks for by itself: without a GPU it takes its processor, for the same sums.
ON_WORKERS: Final = "gpu"


@contextmanager
def cluster(game: Game, address: str | None, workers: int | None) -> Generator[Places]:
    """The workers of a scheduler, or of a cluster on this computer while it is wanted."""
    if not isinstance(game.source, Machine):
        raise SessionError("backend 'dask' sends machines out; this strategy has none: backend 'engine' plays it here")
    distributed: Any = needed("distributed", "backend 'dask'")
    local: Any = None
    try:
        if address is None:
            options = {"threads_per_worker": 1, "processes": True, "dashboard_address": None}
            local = distributed.LocalCluster(n_workers=workers, **options)
        client = distributed.Client(local or address, timeout=FIND_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        way_out = "Start one with `dask scheduler`, or leave the address out for workers on this computer."
        raise SessionError(f"there is no scheduler at {address}: {error}. {way_out}") from error
    try:
        threads = client.nthreads()
        if not threads:
            raise SessionError(f"the scheduler at {client.scheduler.address} has no workers; start some and ask again")
        (sent,) = client.scatter([game], broadcast=True, hash=False)
        executor = client.get_executor(pure=False)
        yield Places.elsewhere(executor, game, sum(threads.values()), ON_WORKERS, sent)
    finally:
        client.close()
        if local is not None:
            local.close()
