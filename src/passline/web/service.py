"""One process of the service: tables asked in threads, so that the event loop never waits, and streams that are fed."""

import asyncio
import gc
import logging
import shutil
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from passline.errors import AwayError, FencedError, FullError, JournalError
from passline.journal.sql import SqlJournal
from passline.live.people import may, of_route
from passline.live.state import HOUSE_FLOOR
from passline.pit.people.people import STREAM, What
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.web.automation import Companions
from passline.web.lab import Analyst
from passline.web.limits import Limits, RateLimiter
from passline.web.metrics import Metrics
from passline.web.network import Network, own_names
from passline.web.problems import Problem, store_away
from passline.web.streams import Broadcast, EventStream
from passline.web.subprocesses import JournalReader, Pricer

GENERATION_0 = 20_000  # after how many new objects Python's garbage collector looks through them, once

# How often a full collection is run: while the tables are quiet, and while they never are.
COLLECT_QUIET_S, COLLECT_BUSY_S = 60.0, 900.0


def defer_collection() -> None:
    """Turns off collections of what is older, and excludes everything imported so far from collection.

    What a table is told by stays in memory until newer entries take its place: looking through it again finds nothing.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GENERATION_0, 2**30, 2**30)


class Collector:
    """Runs full garbage collections while the tables are quiet: one takes a tenth of a second, and all tables wait.

    Nearly everything here is freed by reference counting alone.
    """

    def __init__(self) -> None:
        self._last = time.monotonic()

    def run_if_due(self, *, quiet: bool) -> bool:
        if time.monotonic() - self._last < (COLLECT_QUIET_S if quiet else COLLECT_BUSY_S):
            return False
        gc.collect()
        self._last = time.monotonic()
        return True


T = TypeVar("T")
LOG = logging.getLogger("passline.web")

WATCH = "GET /tables/{table}/events"
POLL_S = 1.0  # how long the watcher waits for the store to report something
STORE_TIMEOUT_S = 5.0  # after how long without an answer the store counts as away
FAILURES_MAX = 5  # after how many failures in a row, other than the store's, the watcher gives up

# How often free disk space is checked, and below how much of it a warning is logged.
DISK_EVERY_S, DISK_LOW_BYTES = 10.0, 500_000_000

ATTEMPTED_ANYWAY = ("service.starting", "journal.full")  # why a process may be unready and still try to perform acts

EVICT_EVERY_S = 2.0  # how often tables that nobody uses are dropped from memory

# How long the watcher pauses after each wakeup, since every write of this process wakes it: while other processes write
# to tables that are followed here, with a store that they could write to, and with one of its own.
PAUSE_BEHIND_S, PAUSE_SHARED_S, PAUSE_ALONE_S = 0.02, 0.1, 0.4


class Waiting(NamedTuple):
    """A request to a table, and what is called in the event loop with its answer, or with what was raised."""

    work: Callable[[LiveTable], Any]
    finish: Callable[[Any, Exception | None], None]
    loop: asyncio.AbstractEventLoop
    left: Callable[[], bool] = bool  # whether nobody waits for it any more: then it is not begun

    @property
    def is_value(self) -> bool:
        return getattr(self.work, "is_value", False)


class Channel:
    """One table's queue of requests and broadcast of entries."""

    def __init__(self, table: str, broadcast: Broadcast) -> None:
        self.table, self.broadcast = table, broadcast
        self.queue: deque[Waiting] = deque()
        self.used = time.monotonic()
        self.lock, self.draining = Lock(), False  # whether a thread is working through the queue

    @property
    def idle(self) -> bool:
        return not (self.queue or self.draining or self.broadcast.streams)


class Service:
    def __init__(  # noqa: PLR0913 - what a process is started with
        self,
        pit: Pit,
        limits: Limits | None = None,
        origins: tuple[str, ...] = (),
        name: str = "",
        *,
        subprocesses: bool = False,
        threads: Executor | None = None,
    ) -> None:
        """With `subprocesses`, history is read and houses are priced in processes of their own."""
        self.pit, self.limits, self.origins = pit, limits or Limits(), origins
        self.names = own_names(*origins)  # host names that this server answers to, beside its addresses
        self.addresses: tuple[str, ...] = ()  # addresses at which other machines find this server
        self.network: Network | None = None  # where the server listens to this machine alone, and others may be let in
        self.listed: dict[str, tuple[int, Any]] = {}  # by table: an entry, and the lobby's row as of it, if it has one
        self.metrics = Metrics()
        self.metrics.queued.set_function(lambda: sum(self._acts_pending.values()))
        if isinstance(pit.journal, SqlJournal):
            pit.journal.on_commit = self.metrics.committed
        self.company = Companions()  # strategies that play at practice tables with company
        self.backups: Path | None = None  # the folder of backups, whose age is a metric
        self.analyst, self.pricer = Analyst(self.limits, name), Pricer(self.limits)
        self.reader = JournalReader(pit.journal, self.limits.history_s, subprocesses=subprocesses)
        self._reading = threads or ThreadPoolExecutor(1, thread_name_prefix="read")
        self._subprocesses, self._warmed = subprocesses, False
        # By person: how many reads of history, and how many acts, are pending.
        self._reading_history, self._acts_pending = Counter[str](), Counter[str]()
        rate = self.limits
        self.requests = RateLimiter(rate.requests_per_s, rate.requests_burst)
        window = rate.attempts_window_s
        self.sign_in_attempts = RateLimiter(rate.attempts_max / window, rate.attempts_max)
        self.sign_in_attempts_by_name = RateLimiter(rate.attempts_name_max / window, rate.attempts_name_max)
        self.sign_in_attempts_by_address = RateLimiter(rate.attempts_address_max / window, rate.attempts_address_max)
        self.newcomers = RateLimiter(rate.newcomers_address_max / window, rate.newcomers_address_max)
        self.replays = RateLimiter(rate.replays_per_s, rate.replays_burst)
        self.wrong_tokens = RateLimiter(1.0, rate.attempts_address_max)
        self.stopping = asyncio.Event()
        self.failed = ""  # why this process must end; its supervisor then starts another
        self.on_failure: Callable[[], None] = self.stop
        self._disk_due = self._evict_due = 0.0
        self._idle_due = time.monotonic() + self.limits.idle_s
        self.disk_free: int | None = None  # bytes on the disk of the journal, where it is a file
        self._disk_full_until = 0.0
        # Whether the store failed to answer last; whether it ever answered; since when it owes the watcher an answer.
        self._store_away, self._store_seen, self._store_asked_at = False, False, 0.0
        self._away_noted = False  # whether the log says that the store is away
        self._threads = threads or ThreadPoolExecutor(self.limits.threads, thread_name_prefix="pit")
        self._watcher = ThreadPoolExecutor(1, thread_name_prefix="watch")
        self._channels: dict[str, Channel] = {}
        self._opening = asyncio.Lock()
        self._open_streams: dict[str, set[EventStream]] = {}

    async def run(self, work: Callable[..., T], *args: Any) -> T:  # noqa: ANN401 - whatever it takes
        """Runs `work` in a thread, since it may wait for the disk."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    async def read_history(self, who: str, work: Callable[..., T], *args: object) -> T:
        """Runs `work`, which reads the journal at length, in another process; `who` is charged for its time."""
        pending, limits = self._reading_history, self.limits
        if pending[who] >= limits.history_each_max or pending.total() >= limits.history_max:
            self.metrics.refused.labels("looks").inc()
            detail = "Too many requests for history are pending; wait for an answer."
            raise Problem(429, "looks.limit", detail, retry_after_s=2)
        pending[who] += 1
        try:
            loop = asyncio.get_running_loop()
            made, seconds = await loop.run_in_executor(self._reading, self.reader.read, work, *args)
        finally:
            pending[who] -= 1
            if not pending[who]:
                del pending[who]
        self.charge(who, seconds)
        return made

    def warm_lab(self) -> None:
        """Starts the analyst when somebody opens the lab, so that the first simulation waits for no compiler."""
        if self._subprocesses:
            self.analyst.warm()

    def charge(self, who: str, seconds: float) -> None:
        """Charges `who` for processor time beyond what every request includes."""
        if (more := seconds / self.limits.request_s - 1) > 0:
            self.requests.charge(who, more)

    async def run_at_table(self, table: str | None, work: Callable[..., T], *args: Any) -> T:  # noqa: ANN401 - as above
        """Runs `work` at once where the table is in memory, otherwise in a thread."""
        if table is None or self.pit.is_open(table):
            return work(*args)
        return await self.run(work, *args)

    # --- Tables -------------------------------------------------------------------------------------------------------

    async def channel(self, table: str) -> Channel:
        channel = self._channels.get(table)
        if channel is None:
            async with self._opening:
                channel = self._channels.get(table)
                if channel is None:
                    behind_max = self.limits.stream_behind_max
                    called = self.pit.people.name_of
                    channel = Channel(table, await self.run(Broadcast, self.pit.journal, table, behind_max, called))
                    self._channels[table] = channel
                    self.metrics.tables.set(len(self._channels))
        channel.used = time.monotonic()
        return channel

    def evict(self) -> None:
        """Drops tables from memory that are over or have been idle; they are loaded again when somebody asks."""
        now = time.monotonic()
        if now < self._evict_due:
            return
        self._evict_due = now + EVICT_EVERY_S
        for name, channel in tuple(self._channels.items()):
            if channel.idle and now - channel.used > (EVICT_EVERY_S if self.pit.is_over(name) else self.limits.idle_s):
                del self._channels[name]
        self.metrics.tables.set(len(self._channels))
        idle = now >= self._idle_due
        if idle:
            self._idle_due = now + self.limits.idle_s
        self.pit.let_go(self._channels, idle=idle)

    def refusal(self, table: str, person: str) -> Problem | None:
        """Why an act is refused before it is read: too many wait for the table, or too many are the actor's."""
        channel = self._channels.get(table)
        if channel is not None and len(channel.queue) >= self.limits.queue_max:
            return Problem(503, "table.busy", "Too many acts are waiting for this table; try again.", retry_after_s=1)
        if person and self._acts_pending.get(person, 0) >= self.limits.acts_each_max:
            return Problem(
                429, "acts.limit", "Too many of your acts are pending; wait for one of them.", retry_after_s=1
            )
        return None

    async def ask(self, table: str, work: Callable[[LiveTable], T], person: str = "") -> T:
        """Queues `work` for a table and waits for its result; refused where too much is queued already.

        One thread drains a table's queue, so that a table does not wait for the event loop between two acts, nor for
        another table's refusals. `person` is who asks, and may have only so many acts pending.
        """
        if (problem := self.unready()) is not None and problem.code not in ATTEMPTED_ANYWAY:
            raise problem
        channel = await self.channel(table)
        if (problem := self.refusal(table, person)) is not None:
            self.metrics.refused.labels("queue" if problem.code == "table.busy" else "acts").inc()
            raise problem
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def finish(answer: T, error: Exception | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(answer)
            else:
                future.set_exception(error)

        self._acts_pending[person] += 1
        try:
            self._queue(channel, Waiting(work, finish, loop, future.cancelled))
            return await future
        finally:
            self._is_done(person)

    def ask_at_once(
        self, table: str, work: Callable[[LiveTable], T], person: str, finish: Callable[[T, Exception | None], None]
    ) -> bool:
        """The same without a task: `finish` is called in the event loop. False where there is something to wait for."""
        channel = self._channels.get(table)
        if channel is None or self.unready() is not None or self.refusal(table, person) is not None:
            return False
        channel.used = time.monotonic()

        def ended(answer: T, error: Exception | None) -> None:
            self._is_done(person)
            finish(answer, error)

        self._acts_pending[person] += 1
        self._queue(channel, Waiting(work, ended, asyncio.get_running_loop()))
        return True

    def _is_done(self, person: str) -> None:
        self._acts_pending[person] -= 1
        if not self._acts_pending[person]:
            del self._acts_pending[person]

    def _queue(self, channel: Channel, waiting: Waiting) -> None:
        with channel.lock:
            channel.queue.append(waiting)
            starts, channel.draining = not channel.draining, True
        if starts:
            self._threads.submit(self._drain, channel)

    def _drain(self, channel: Channel) -> None:
        """Works through a table's queue, in a thread."""
        while True:
            with channel.lock:
                if not channel.queue:
                    channel.draining = False
                    return
                batch = [channel.queue.popleft()]
                while batch[-1].is_value and channel.queue and channel.queue[0].is_value:
                    batch.append(channel.queue.popleft())
            batch = [each for each in batch if not each.left()]
            if len(batch) > 1 and self._ask_together(channel, batch):
                continue
            for waiting in batch:
                answer, error, fresh = None, None, False
                try:
                    answer, fresh = self._ask(channel, waiting.work)
                    if fresh:
                        self._disk_full_until = 0.0
                except Exception as raised:  # noqa: BLE001 - it is raised again for whoever asked
                    error = raised
                    if isinstance(error, FullError):
                        self._on_disk_full(error)
                    elif isinstance(error, AwayError):
                        self._store_away = True  # until the watcher is answered again
                _reply(channel, waiting, answer, error, fresh=fresh)

    def _ask_together(self, channel: Channel, batch: Sequence[Waiting]) -> bool:
        """Answers several requests in one transaction; returns whether that was possible."""
        try:
            answers = self._followed(channel).ask_together([each.work for each in batch])
        except Exception:  # noqa: BLE001 - nothing was written: each is asked by itself, and told what is wrong
            return False
        fresh = channel.broadcast.pull()
        for waiting, answer in zip(batch, answers, strict=True):
            _reply(channel, waiting, answer, None, fresh=fresh)
            fresh = False
        return True

    def _ask(self, channel: Channel, work: Callable[[LiveTable], T]) -> tuple[T, bool]:
        try:
            answer = work(self._followed(channel))
        except FencedError:  # another process took the table over for a moment: load what it wrote, and go on
            self.pit.again(channel.table)
            answer = work(self._followed(channel))
        return answer, channel.broadcast.pull()

    def _followed(self, channel: Channel) -> LiveTable:
        """The table, with its channel listening to what it writes."""
        table = self.pit.table(channel.table)
        if channel.broadcast.on_written not in table.listeners:
            table.listeners.append(channel.broadcast.on_written)
        return table

    def is_table(self, name: str) -> bool:
        """Whether there is such a table; the floor of the house has routes of its own and does not count."""
        if name == HOUSE_FLOOR:
            return False
        try:
            self.pit.table(name)
        except JournalError:
            return False
        return True

    def clocks(self) -> list[tuple[str, int]]:
        """The loaded tables whose bets are closed by a countdown, each with its seconds."""
        hosted = self.pit.people.hosted
        return [(name, hosted[name].countdown) for name in self._channels if name in hosted and hosted[name].countdown]

    def waiting(self) -> list[str]:
        """The loaded tables whose dice wait for a player's value."""
        live = ((name, self.pit.table(name).live.announced) for name in self._channels if self.pit.is_open(name))
        return [name for name, announced in live if announced is not None and announced.hands]

    # --- People -------------------------------------------------------------------------------------------------------

    def seat_of(self, table: str, person: str) -> int | None:
        return self.pit.table(table).live.seat_of(person)

    def owns(self, person: str, args: dict[str, str]) -> bool:
        """Whether the resource that a route names is the person's own."""
        if "person" in args:
            return args["person"] == person
        return "table" not in args or self.seat_of(args["table"], person) is not None

    def sees(self, person: str, table: str) -> bool:
        return may(of_route(WATCH), self.pit.standing(person, table)) is not None

    @contextmanager
    def streaming(self, stream: EventStream) -> Iterator[None]:
        if not self._warmed:  # the first listener may soon ask for history
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
            raise Problem(429, "streams.limit", "Too many streams are open; close one of them.", retry_after_s=5)

    # --- Watching -----------------------------------------------------------------------------------------------------

    async def watch(self) -> None:
        """Follows what every process writes: entries go to streams, and changed roles count at once.

        A store that is away is waited for. A broken journal, or repeated failure, ends the process, so that its
        supervisor starts another.
        """
        loop, known, collector = asyncio.get_running_loop(), dict[str, int](), Collector()
        failures = 0
        while not self.stopping.is_set():
            try:
                ends = await loop.run_in_executor(self._watcher, self._poll_store, known)
                changed = {name for name, end in ends.items() if known.get(name) != end}
                known = ends
                here = {name: channel.broadcast.sequence for name, channel in self._channels.items()}
                current = {name for name, sequence in here.items() if sequence >= ends.get(name, 0)}
                behind = changed - current
                await self._catch_up(behind)
                self._store_seen, self._store_away, failures = True, False, 0
                self._check_disk()
                self.evict()
                collector.run_if_due(quiet=not changed)
                pause = PAUSE_ALONE_S
                if self.pit.journal.shared:
                    pause = PAUSE_SHARED_S if behind.isdisjoint(self._channels) else PAUSE_BEHIND_S
                await asyncio.sleep(pause)
            except JournalError:
                self._store_away = True
                await asyncio.sleep(POLL_S)
            except Exception as error:
                failures += 1
                LOG.exception("watching failed", extra={"error": str(error)})
                if failures >= FAILURES_MAX:
                    self.fail(f"the watcher failed {failures} times in a row: {error}")
                await asyncio.sleep(PAUSE_BEHIND_S)
            if (why := self.pit.journal.broken) is not None and not self.stopping.is_set():
                self.fail(f"the journal is broken: {why}")

    def _poll_store(self, known: dict[str, int]) -> dict[str, int]:
        """Where every stream of the journal ends; in the watcher's thread.

        The time that the store takes is measured from here, so that a busy machine is not mistaken for a slow store.
        """
        self._store_asked_at = time.monotonic()
        try:
            ends = self.pit.journal.wait(known, POLL_S)
            self.pit.attempts.write(self.pit.now())
            self.pit.check_clock()
            return ends
        finally:
            self._store_asked_at = 0.0

    def fail(self, why: str) -> None:
        """Ends this process, which can no longer work correctly."""
        if not self.failed:
            self.failed = why
            LOG.critical("this process ends", extra={"error": why})
            self.on_failure()

    def unready(self) -> Problem | None:
        """Why no requests should be sent here, as far as is known without asking the store."""
        if self.failed or self.pit.journal.broken is not None:
            return Problem(503, "journal.broken", "This process must be restarted.", retry_after_s=5)
        if not self._store_seen or self.stopping.is_set():
            return Problem(503, "service.starting", "The service is starting or stopping.", retry_after_s=1)
        if self._store_away or self._store_hangs():
            return store_away()
        if time.monotonic() < self._disk_full_until:
            return Problem(503, "journal.full", "The journal's disk is full.", retry_after_s=int(DISK_EVERY_S))
        return None

    def _store_hangs(self) -> bool:
        """Whether an answer to the watcher, or to whoever reads or writes, is overdue."""
        open_since = [at for at in (self._store_asked_at, getattr(self.pit.journal, "asked_at", 0.0)) if at]
        return bool(open_since) and time.monotonic() - min(open_since) > STORE_TIMEOUT_S

    def note_store(self) -> bool:
        """Logs when the store goes away and when it answers again; returns whether it is there."""
        problem = self.unready()
        away = problem is not None and problem.code == "store.away"
        if away != self._away_noted and not self.stopping.is_set():
            LOG.warning("the store does not answer" if away else "the store answers again")
            self._away_noted = away
        return not away

    def _on_disk_full(self, error: FullError) -> None:
        if not self._disk_full_until:
            LOG.error("the disk is full", extra={"error": str(error)})
        self._disk_full_until = time.monotonic() + DISK_EVERY_S

    def _check_disk(self) -> None:
        """Warns before the journal's disk is full, and measures the age of the newest backup."""
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
        """Takes up what other processes wrote; people first, since a revoked role stops counting within a second."""
        if STREAM in changed:
            await self.run(self.pit.people.catch_up)
            self.notify_all()
        for name in changed & self._channels.keys():
            channel = self._channels[name]
            if await self.run(channel.broadcast.pull):
                await self.run(self.pit.catch_up, name)
                channel.broadcast.notify()
        if HOUSE_FLOOR in changed:
            await self.run(self.pit.house_wide.catch_up)

    def notify_all(self) -> None:
        """Has every stream check again whether its listener may still watch."""
        for channel in self._channels.values():
            channel.broadcast.notify()

    def stop(self) -> None:
        """Ends the streams, which would otherwise keep the process from ending."""
        self.stopping.set()
        self.notify_all()

    def count_attempt(self, what: What, person: str | None) -> None:
        """Counts an attempt at something that is not allowed; the counts are written to the journal now and then."""
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


def _reply(channel: Channel, waiting: Waiting, answer: object, error: Exception | None, *, fresh: bool) -> None:
    with suppress(RuntimeError):  # the loop is closed, and nobody waits any more
        waiting.loop.call_soon_threadsafe(_finish, channel, waiting, answer, error, fresh)


def _finish(
    channel: Channel,
    waiting: Waiting,
    answer: object,
    error: Exception | None,
    fresh: bool,  # noqa: FBT001 - the loop passes no names
) -> None:
    """Answers a request, and notifies the streams if anything was written; in the event loop."""
    waiting.finish(answer, error)
    if fresh:
        channel.broadcast.notify()
