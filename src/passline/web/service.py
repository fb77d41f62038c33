"""One process of the service: tables asked in threads, so that the event loop never waits, and streams that are fed."""

from __future__ import annotations

import asyncio
import gc
import logging
import shutil
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from passline.errors import FencedError, FullError, JournalError
from passline.journal.sql import SqlJournal
from passline.live.people import may, of_route
from passline.live.state import HOUSE_FLOOR
from passline.pit.people.people import STREAM, What
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.web.apart import Reader
from passline.web.automation import Companions
from passline.web.limits import Buckets, Limits
from passline.web.metrics import Metrics
from passline.web.network import Network, own_names
from passline.web.problems import Problem
from passline.web.questions import Analyst
from passline.web.streams import Broadcast, EventStream
from passline.web.uploads import Pricer

# How many new objects there are before the newest are looked at, and how often that is done before the older ones.
YOUNG, OLDER = 20_000, 50

# How long there is between two whole looks where nobody is at the tables, and where somebody always is.
REST_S, LONGEST_S = 60.0, 900.0


def collect_by_hand() -> None:
    """Take no whole look by itself; what was imported is never looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, OLDER, 2**30)


class Collector:
    """When Python's garbage collector runs: a whole look takes a tenth of a second, in which every table waits.

    Nearly everything here is let go without it; so a whole look is taken when nobody asks for anything, and seldom.
    """

    def __init__(self) -> None:
        self._last = time.monotonic()

    def run_if_due(self, *, quiet: bool) -> bool:
        """Look at everything, if it is time; whether it was."""
        if time.monotonic() - self._last < (REST_S if quiet else LONGEST_S):
            return False
        gc.collect()
        self._last = time.monotonic()
        return True


T = TypeVar("T")
LOG = logging.getLogger("passline.web")

WATCH = "GET /tables/{table}/events"
LOOK_S = 1.0  # how long the watcher sleeps when nothing happens; whatever happens wakes it
STALE_S = 5.0  # after how long without a word of the store it counts as away
FAILURES_MAX = 5  # so many failures in a row that are none of the store's, and the watcher is given up

# How often the disk is looked at, and how little room on it is told before it is full.
DISK_EVERY_S, DISK_LOW_BYTES = 10.0, 500_000_000

# Why a process may not be ready and acts are tried all the same: before the watcher has begun, and on a full disk.
TRIED = ("service.starting", "journal.full")

TIDY_EVERY_S = 2.0  # how often tables that nobody needs are let go

# How long the watcher rests after it was woken, for a busy process wakes it with everything that it writes itself:
# where other processes write too, and where none does.
PACE_S, ALONE_PACE_S = 0.02, 0.1


class Desk:
    """What stands before one table: who waits, and who listens."""

    def __init__(self, broadcast: Broadcast) -> None:
        self.broadcast = broadcast
        self.queue: deque[tuple[Callable[[LiveTable], Any], asyncio.Future[Any]]] = deque()
        self.used = time.monotonic()  # when somebody last asked for something here
        # Whether a thread works through the queue; it goes when there is nothing left.
        self.lock, self.draining = Lock(), False

    @property
    def idle(self) -> bool:
        """Whether nobody waits here or listens."""
        return not (self.queue or self.draining or self.broadcast.streams)


class Service:
    def __init__(  # noqa: PLR0913 - what a process is started with
        self,
        pit: Pit,
        limits: Limits | None = None,
        origins: tuple[str, ...] = (),
        name: str = "",
        *,
        apart: bool = False,
        threads: Executor | None = None,
    ) -> None:
        """With `apart`, whoever looks back is answered by another process."""
        self.pit, self.limits, self.origins = pit, limits or Limits(), origins
        self.names = own_names(*origins)  # what this server is called, beside its addresses
        self.reach: tuple[str, ...] = ()  # the addresses by which other machines come here
        self.network: Network | None = None  # how others are let in, where only this machine is heard
        self.listed: dict[str, tuple[int, Any]] = {}  # the lobby's row of each table, or none, after which entry
        self.metrics = Metrics()
        self.metrics.queued.set_function(lambda: sum(self._under_way.values()))
        if isinstance(pit.journal, SqlJournal):
            pit.journal.on_commit = self.metrics.committed
        self.company = Companions()  # Strategies that sit at practice tables with company
        self.backups: Path | None = None  # the folder of backups, if somebody said where it is
        self.analyst, self.pricer = Analyst(self.limits, name), Pricer(self.limits)
        self.reader = Reader(pit.journal, self.limits.look_s, apart=apart)
        self._reading = threads or ThreadPoolExecutor(1, thread_name_prefix="read")
        self._apart, self._warmed = apart, False
        # How many looks back, and how many acts, of each person are asked and not answered.
        self._looking, self._under_way = Counter[str](), Counter[str]()
        rate = self.limits
        self.requests = Buckets(rate.requests_per_s, rate.requests_burst)
        self.tries = Buckets(rate.tries_max / rate.tries_window_s, rate.tries_max)
        self.tries_anywhere = Buckets(rate.tries_name_max / rate.tries_window_s, rate.tries_name_max)
        self.sign_ins = Buckets(rate.tries_address_max / rate.tries_window_s, rate.tries_address_max)
        self.comers = Buckets(rate.comers_address_max / rate.tries_window_s, rate.comers_address_max)
        self.replays = Buckets(rate.replays_per_s, rate.replays_burst)
        self.wrong_tokens = Buckets(1.0, rate.tries_address_max)
        self.stopping = asyncio.Event()
        self.failed = ""  # why this process can go on no longer: whoever supervises it starts another
        self.on_failure: Callable[[], None] = self.stop
        self._disk_due = self._tidy_due = 0.0
        self._idle_due = time.monotonic() + self.limits.idle_s
        self.disk_free: int | None = None  # bytes on the disk of the journal, where it is a file
        # Whether the store did not answer when it was last asked; until when its disk counts as full, which is tried
        # all the same.
        self._away, self._full_until = False, 0.0
        # Whether the store was heard of since the start; when the watcher asked it what it has not answered yet.
        self._heard, self._asked_at = False, 0.0
        self._threads = threads or ThreadPoolExecutor(self.limits.threads, thread_name_prefix="pit")
        self._watcher = ThreadPoolExecutor(1, thread_name_prefix="watch")
        self._desks: dict[str, Desk] = {}
        self._opening = asyncio.Lock()
        self._open_streams: dict[str, set[EventStream]] = {}

    async def run(self, work: Callable[..., T], *args: Any) -> T:  # noqa: ANN401 - whatever it takes
        """Do something that may wait for a disk, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    async def look_back(self, who: str, work: Callable[..., T], *args: object) -> T:
        """What `work` makes of the journal, read at length elsewhere; one at a time, and charged for as it took."""
        if self._looking[who] >= self.limits.looks_each_max or self._looking.total() >= self.limits.looks_max:
            self.metrics.refused.labels("looks").inc()
            raise Problem(429, "looks.limit", "Too many look back; wait for an answer.", retry_after_s=2)
        self._looking[who] += 1
        try:
            loop = asyncio.get_running_loop()
            made, seconds = await loop.run_in_executor(self._reading, self.reader.look, work, *args)
        finally:
            self._looking[who] -= 1
            if not self._looking[who]:
                del self._looking[who]
        self.charge(who, seconds)
        return made

    def warm_lab(self) -> None:
        """Somebody looks at the lab: its first simulation is not to wait for a compiler."""
        if self._apart:
            self.analyst.warm()

    def charge(self, who: str, seconds: float) -> None:
        """Count what somebody's request took beyond what any request has."""
        if (more := seconds / self.limits.request_s - 1) > 0:
            self.requests.charge(who, more)

    async def soon(self, table: str | None, work: Callable[..., T], *args: Any) -> T:  # noqa: ANN401 - as above
        """Do something with a table: at once where it is open and in memory, else in a thread."""
        if table is None or self.pit.is_open(table):
            return work(*args)
        return await self.run(work, *args)

    # --- Tables -------------------------------------------------------------------------------------------------------

    async def desk(self, table: str) -> Desk:
        desk = self._desks.get(table)
        if desk is None:
            async with self._opening:
                desk = self._desks.get(table)
                if desk is None:
                    behind_max = self.limits.stream_behind_max
                    desk = Desk(await self.run(Broadcast, self.pit.journal, table, behind_max))
                    self._desks[table] = desk
                    self.metrics.tables.set(len(self._desks))
        desk.used = time.monotonic()
        return desk

    def let_go(self) -> None:
        """Let tables leave memory that are over, or that nobody has asked for long; they come back when asked for."""
        now = time.monotonic()
        if now < self._tidy_due:
            return
        self._tidy_due = now + TIDY_EVERY_S
        for name, desk in tuple(self._desks.items()):
            if desk.idle and now - desk.used > (TIDY_EVERY_S if self.pit.is_over(name) else self.limits.idle_s):
                del self._desks[name]
        self.metrics.tables.set(len(self._desks))
        idle = now >= self._idle_due
        if idle:
            self._idle_due = now + self.limits.idle_s
        self.pit.let_go(self._desks, idle=idle)

    def refusal(self, table: str, person: str) -> Problem | None:
        """Why an act is refused before it is read: too many wait for the table, or too many of the asker's do."""
        desk = self._desks.get(table)
        if desk is not None and len(desk.queue) >= self.limits.queue_max:
            return Problem(503, "table.busy", "Too many wait for this table; ask again.", retry_after_s=1)
        if person and self._under_way.get(person, 0) >= self.limits.acts_each_max:
            return Problem(429, "acts.limit", "Too many of your acts are under way; wait for one.", retry_after_s=1)
        return None

    async def ask(self, table: str, work: Callable[[LiveTable], T], person: str = "") -> T:
        """Ask a table for something, one after the other; whoever comes when too many wait is told so.

        One thread drains the queue of a table, so that a table does not wait for a turn of the event loop between two
        acts, nor one table for the refusals of another. `person` is who asks, and has only so many acts under way.
        """
        if (problem := self.unready()) is not None and problem.code not in TRIED:
            raise problem
        desk = await self.desk(table)
        if (problem := self.refusal(table, person)) is not None:
            self.metrics.refused.labels("queue" if problem.code == "table.busy" else "acts").inc()
            raise problem
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._under_way[person] += 1
        try:
            with desk.lock:
                desk.queue.append((work, future))
                starts, desk.draining = not desk.draining, True
            if starts:
                self._threads.submit(self._drain, table, desk)
            return await future
        finally:
            self._under_way[person] -= 1
            if not self._under_way[person]:
                del self._under_way[person]

    def _drain(self, table: str, desk: Desk) -> None:
        """Work through the queue of a table, in a thread."""
        while True:
            with desk.lock:
                if not desk.queue:
                    desk.draining = False
                    return
                work, future = desk.queue.popleft()
            if future.cancelled():  # whoever asked is gone, and nothing was begun
                continue
            answer, error, fresh = None, None, False
            try:
                answer, fresh = self._ask(table, work, desk)
                if fresh:
                    self._full_until = 0.0
            except Exception as raised:  # noqa: BLE001 - it is raised again where it was asked
                error = raised
                if isinstance(error, FullError):
                    self._disk_is_full(error)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                future.get_loop().call_soon_threadsafe(_answered, desk, future, answer, error, fresh)

    def _ask(self, table: str, work: Callable[[LiveTable], T], desk: Desk) -> tuple[T, bool]:
        try:
            answer = work(self._followed(desk, table))
        except FencedError:  # another process took it over for a moment: take what it wrote, and go on
            self.pit.again(table)
            answer = work(self._followed(desk, table))
        return answer, desk.broadcast.pull()

    def _followed(self, desk: Desk, name: str) -> LiveTable:
        """A table that tells its desk what it writes."""
        table = self.pit.table(name)
        if desk.broadcast.hear not in table.listeners:
            table.listeners.append(desk.broadcast.hear)
        return table

    def is_table(self, name: str) -> bool:
        """Whether there is such a table; the floor of the house is none, and has routes of its own."""
        if name == HOUSE_FLOOR:
            return False
        try:
            self.pit.table(name)
        except JournalError:
            return False
        return True

    def clocks(self) -> list[tuple[str, int]]:
        """The tables at hand here whose bets are closed by the clock, each with its seconds."""
        hosted = self.pit.people.hosted
        return [(name, hosted[name].countdown) for name in self._desks if name in hosted and hosted[name].countdown]

    def waiting(self) -> list[str]:
        """The tables at hand here whose dice wait for a value that is not in."""
        live = ((name, self.pit.table(name).live.announced) for name in self._desks if self.pit.is_open(name))
        return [name for name, announced in live if announced is not None and announced.hands]

    # --- People -------------------------------------------------------------------------------------------------------

    def seat_of(self, table: str, person: str) -> int | None:
        return self.pit.table(table).live.seat_of(person)

    def owns(self, person: str, args: dict[str, str]) -> bool:
        """Whether what a route speaks of is somebody's own."""
        if "person" in args:
            return args["person"] == person
        return "table" not in args or self.seat_of(args["table"], person) is not None

    def sees(self, person: str, table: str) -> bool:
        return may(of_route(WATCH), self.pit.standing(person, table)) is not None

    @contextmanager
    def streaming(self, stream: EventStream) -> Iterator[None]:
        """Keep a stream while it is open."""
        if not self._warmed:  # somebody is here, who may look back
            self._warmed = True
            self._reading.submit(self.reader.warm)
        theirs = self._open_streams.setdefault(stream.person, set())
        theirs.add(stream)
        self.metrics.streams.inc()
        try:
            yield
        finally:
            self.metrics.streams.dec()
            theirs.discard(stream)
            if not theirs:
                self._open_streams.pop(stream.person, None)

    def open_streams(self) -> list[EventStream]:
        return [each for theirs in self._open_streams.values() for each in theirs]

    def check_streams(self, person: str) -> None:
        limits, mine = self.limits, len(self._open_streams.get(person, ()))
        if mine >= limits.streams_each_max or len(self.open_streams()) >= limits.streams_max:
            self.metrics.refused.labels("streams").inc()
            raise Problem(429, "streams.limit", "Too many streams are open; close one.", retry_after_s=5)

    # --- Watching -----------------------------------------------------------------------------------------------------

    async def watch(self) -> None:
        """Hear of what any process writes: new entries go to streams, people and roles count at once.

        A store that is away is waited for. A journal that is broken, or a failure that comes again and again, ends the
        process, so that whoever supervises it starts another.
        """
        loop, known, collector = asyncio.get_running_loop(), dict[str, int](), Collector()
        failures = 0
        while not self.stopping.is_set():
            try:
                ends = await loop.run_in_executor(self._watcher, self._ask_store, known)
                changed = {name for name, end in ends.items() if known.get(name) != end}
                known = ends
                # All of these was written here, or heard of before: their streams know it.
                current = {name for name, desk in self._desks.items() if desk.broadcast.sequence >= ends.get(name, 0)}
                await self._catch_up(changed - current)
                if self._away:
                    LOG.warning("the store answers again")
                self._heard, self._away, failures = True, False, 0
                self._look_at_disk()
                self.let_go()
                collector.run_if_due(quiet=not changed)
                await asyncio.sleep(PACE_S if self.pit.journal.shared else ALONE_PACE_S)
            except JournalError as error:
                if not self._away:
                    LOG.warning("the store does not answer", extra={"error": str(error)})
                self._away = True
                await asyncio.sleep(LOOK_S)
            except Exception as error:
                failures += 1
                LOG.exception("watching failed", extra={"error": str(error)})
                if failures >= FAILURES_MAX:
                    self.fail(f"the watcher failed {failures} times in a row: {error}")
                await asyncio.sleep(PACE_S)
            if (why := self.pit.journal.broken) is not None and not self.stopping.is_set():
                self.fail(f"the journal is broken: {why}")

    def _ask_store(self, known: dict[str, int]) -> dict[str, int]:
        """Where every stream ends, and what of ours waits to be written; in the watcher's thread.

        How long the store takes counts from here: a machine that is too busy to come so far says nothing about it.
        """
        self._asked_at = time.monotonic()
        try:
            ends = self.pit.journal.wait(known, LOOK_S)
            self.pit.attempts.write(self.pit.now())
            self.pit.check_clock()
            return ends
        finally:
            self._asked_at = 0.0

    def fail(self, why: str) -> None:
        """End this process: it can do nothing right any more."""
        if not self.failed:
            self.failed = why
            LOG.critical("this process ends", extra={"error": why})
            self.on_failure()

    def unready(self) -> Problem | None:
        """Why no requests should be sent here, from what is known without asking anybody."""
        if self.failed or self.pit.journal.broken is not None:
            return Problem(503, "journal.broken", "This process has to be started again.", retry_after_s=5)
        if not self._heard or self.stopping.is_set():
            return Problem(503, "service.starting", "Not ready yet, or not any more.", retry_after_s=1)
        if self._away or (self._asked_at and time.monotonic() - self._asked_at > STALE_S):
            return Problem(503, "store.away", "The store does not answer. Ask again.", retry_after_s=2)
        if time.monotonic() < self._full_until:
            return Problem(503, "journal.full", "The journal's disk is full.", retry_after_s=int(DISK_EVERY_S))
        return None

    def _disk_is_full(self, error: FullError) -> None:
        if not self._full_until:
            LOG.error("the disk is full", extra={"error": str(error)})
        self._full_until = time.monotonic() + DISK_EVERY_S

    def _look_at_disk(self) -> None:
        """Tell of a disk before it is full, and how old the newest backup is."""
        path, now = getattr(self.pit.journal, "path", None), time.monotonic()
        if now < self._disk_due:
            return
        self._disk_due = now + DISK_EVERY_S
        if self.backups is not None:
            self.metrics.backup.set(max((each.stat().st_mtime for each in self.backups.glob("*")), default=0.0))
        if path is None:
            return
        self.disk_free = shutil.disk_usage(path.resolve().parent).free
        self.metrics.disk_free.set(self.disk_free)
        if self.disk_free < DISK_LOW_BYTES:
            LOG.warning("the disk is nearly full", extra={"error": f"{self.disk_free} bytes are left for the journal"})

    async def _catch_up(self, changed: set[str]) -> None:
        """What others wrote: what was taken back from somebody first, for that has a second."""
        if STREAM in changed:
            await self.run(self.pit.people.catch_up)
            self.ring_all()
        for name in changed & self._desks.keys():
            desk = self._desks[name]
            if await self.run(desk.broadcast.pull):
                await self.run(self.pit.catch_up, name)
                desk.broadcast.ring()
        if HOUSE_FLOOR in changed:
            await self.run(self.pit.house_wide.catch_up)

    def ring_all(self) -> None:
        """Have every stream look up: somebody's right may have changed."""
        for desk in self._desks.values():
            desk.broadcast.ring()

    def stop(self) -> None:
        """End the streams, so that the process can."""
        self.stopping.set()
        self.ring_all()

    def tried(self, what: What, person: str | None) -> None:
        """Somebody tried what is not allowed: it is counted, and now and then written down."""
        self.pit.attempts.count(what, person, self.pit.now())

    def close(self) -> None:
        self.stop()
        with suppress(JournalError):
            self.pit.attempts.write(self.pit.now(), at_once=True)
            self.pit.stop()
        self.analyst.close()
        self.pricer.close()
        self.reader.close()
        self._reading.shutdown(wait=True, cancel_futures=True)
        self._watcher.shutdown(wait=True, cancel_futures=True)
        self._threads.shutdown(wait=True, cancel_futures=True)
        with suppress(JournalError):
            self.pit.journal.close()


def _answered(
    desk: Desk,
    future: asyncio.Future[Any],
    answer: object,
    error: Exception | None,
    fresh: bool,  # noqa: FBT001 - as above
) -> None:
    """Give an answer to whoever waits for it, and wake the streams; in the event loop."""
    if not future.done():
        if error is None:
            future.set_result(answer)
        else:
            future.set_exception(error)
    if fresh:
        desk.broadcast.ring()
