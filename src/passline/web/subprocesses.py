"""Work done in subprocesses, under limits, so that the process that deals does nothing else; files from people."""

from __future__ import annotations

import os
import signal
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from passline.errors import FileError, Finding, HouseFileError, JournalError, PasslineError
from passline.files.toml import line_of
from passline.house import House
from passline.journal.contract import Journal
from passline.odds.wagers import WagerOdds, odds_of
from passline.pit.people.names import letters_of
from passline.record.notice import default_notice
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import book_digest, read_book
from passline.strategies.language.read import read_strategy
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.plan import booked_anywhere
from passline.telling.card import sign
from passline.web.limits import Limits
from passline.web.problems import Problem, problem_of
from passline.web.schemas import File

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

T = TypeVar("T")

START_S = 60.0  # how long a process may take to start, on a busy machine
NICENESS = 10  # reading history yields to dealing


class Note(NamedTuple):
    """What a piece of work tells while it is done."""

    values: tuple[Any, ...]


class WorkerProcess:
    """A process that works for one after another; one that takes too long is killed, and the next starts anew."""

    def __init__(self, prepare: Callable[..., object], *args: object, seconds: float) -> None:
        """What `prepare(tell, *args)` returns there is the first argument of all work, which may `tell` meanwhile."""
        self._prepare, self._seconds = (prepare, args), seconds
        self._lock, self._closed = Lock(), Event()
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def ask(
        self, work: Callable[..., T], *args: object, hear: Callable[..., object] = lambda *_: None
    ) -> tuple[T, float] | None:
        """The result of `work`, and its processor time; None where it came to none within its limits."""
        with self._lock:
            answer: Any = None
            try:
                connection = self._started()
                connection.send((work, args))
                while connection.poll(self._seconds) and isinstance(answer := connection.recv(), Note):
                    hear(*answer.values)
            except (EOFError, OSError):
                answer = None
            if answer is None or isinstance(answer, Note):
                self._end()
                return None
        if isinstance(answer, Exception):
            raise answer
        return cast("tuple[T, float]", answer)

    def warm(self) -> None:
        with self._lock:
            try:
                self._started()
            except (EOFError, OSError):
                self._end()

    def _started(self) -> Connection:
        """The connection to a running process; starting one is not charged to whoever asks."""
        if self._closed.is_set():
            raise EOFError
        if self._connection is None or self._process is None or not self._process.is_alive():
            from multiprocessing import get_context

            context = get_context("spawn")
            self._connection, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, *self._prepare), daemon=True)
            process.start()  # before anybody else sees it: one that does not run cannot be killed
            self._process = process
            theirs.close()
            if self._closed.is_set() or not self._connection.poll(START_S):
                raise EOFError
            self._connection.recv()
        return self._connection

    def close(self) -> None:
        self._closed.set()
        self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()


class JournalReader:
    """Reads the journal at length, in a process that has no keys."""

    def __init__(self, journal: Journal, seconds: float, *, subprocesses: bool) -> None:
        """A journal that is in memory, or asked for without `subprocesses`, is read in a thread instead."""
        where = getattr(journal, "address", None) or getattr(journal, "path", None)
        self._journal = journal
        self.process = WorkerProcess(_open, str(where), seconds=seconds) if subprocesses and where else None

    def read(self, work: Callable[..., T], *args: object) -> tuple[T, float]:
        """The result of `work(journal, *args)`, and the processor time that it took."""
        if self.process is None:
            return _timed(work, self._journal, *args)
        answer = self.process.ask(work, *args)
        if answer is None:
            raise Problem(503, "look.too_long", "This takes longer than the time limit.", retry_after_s=5)
        return answer

    def warm(self) -> None:
        if self.process is not None:
            self.process.warm()

    def close(self) -> None:
        if self.process is not None:
            self.process.close()


# Processor time of this thread; in a browser, which measures none, the time that has passed.
thread_seconds: Callable[[], float] = getattr(time, "thread_time", time.perf_counter)


def _timed(work: Callable[..., T], *args: object) -> tuple[T, float]:
    began = thread_seconds()
    return work(*args), thread_seconds() - began


def _open(_tell: object, where: str) -> Journal:
    from passline.journal.sql import open_journal

    os.nice(NICENESS)
    return open_journal(where, read_only=True)


def _serve(line: Connection, prepare: Callable[..., object], made_of: tuple[object, ...]) -> None:
    """Works until the connection is closed; what a piece of work raises is raised where it was asked for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent process
    ready = partial(prepare, lambda *values: line.send(Note(values)), *made_of)
    first = ready()
    line.send("started")
    while True:
        try:
            work, args = line.recv()
        except EOFError:
            return
        try:
            line.send(_timed(work, first, *args))
        except Exception as error:  # noqa: BLE001 - it is raised where it was asked
            if isinstance(error, JournalError):  # the store may have recovered
                first = ready()
            line.send(error if isinstance(error, FileError) else problem_of(error, ""))


FAULTS_MAX = 50  # Faults of one file that are answered


def read_file(upload: File, **more: Any) -> Strategy:  # noqa: ANN401 - as below
    """A strategy file, or a problem that says where."""
    with faults(upload.text, **more):
        return read_strategy(upload.text, upload.file, booked_anywhere())


def check_own(file: str, source: str) -> None:
    """Refuse a house file under the id or the name of a built-in house, unless it says what that house's file says."""
    text = tomllib.loads(source)
    ours = [tomllib.loads(path.read_text(encoding="utf-8")) for path in house_files().values()]
    if text in ours:
        return
    taken = {letters_of(house[key]) for house in ours for key in ("id", "name")}
    for key, what in (("id", "an id"), ("name", "a name")):
        if letters_of(text[key]) in taken:
            expected = f"{what} of its own: a house of the program is called so, and its book says other things"
            raise HouseFileError([Finding(file, key, repr(text[key]), expected)])


@contextmanager
def faults(source: str, **more: Any) -> Iterator[None]:  # noqa: ANN401 - whatever a page wants to know
    """Answer what is wrong with a file as a problem: where, what stands there, what should."""
    try:
        yield
    except FileError as error:
        names = ("path", "actual", "expected", "nearest")
        findings = [
            {"line": line_of(source, each), **{name: getattr(each, name) for name in names}}
            for each in error.findings[:FAULTS_MAX]
        ]
        what = "house" if isinstance(error, HouseFileError) else "strategy"
        raise Problem(422, f"{what}.unreadable", str(error), findings=findings, **more) from None


MEMORY_BYTES_MAX = 2 * 2**30
# What is told of a wager, beside what it pays.
FIGURES = ("edge_per_bet_made", "edge_per_bet_resolved", "edge_per_roll_working", "p_win")


class Pricer:
    """Asks the process, one house after the other; one that takes too long is refused, and the process ended."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._waiting = limits, 0
        self._process = WorkerProcess(_prepare, seconds=limits.house_s)

    def price(self, file: str, text: str, like: str = "") -> dict[str, Any]:
        """A house file's figures beside those of the house that it is `like`; without one it is only read."""
        if self._waiting >= self._limits.houses_waiting_max:
            raise Problem(503, "house.busy", "Too many house files are looked at; ask again.", retry_after_s=1)
        self._waiting += 1
        try:
            answer = self._process.ask(_looked_at, file, text, like)
        finally:
            self._waiting -= 1
        if answer is None:
            too_much = f"This house cannot be worked out within {self._limits.house_s:.0f} s and the memory there is."
            raise Problem(422, "house.unreadable", too_much)
        return answer[0]

    def close(self) -> None:
        self._process.close()


def _prepare(_tell: object) -> None:
    """In a process that has no keys and no journal."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    read_book(house_files()["adelaide"].read_text(encoding="utf-8"), "adelaide.toml")


def _looked_at(_: None, file: str, text: str, like: str) -> dict[str, Any]:
    try:
        return _priced(file, text, like) if like else {"house": read_book(text, file).id}
    except HouseFileError:
        raise
    except (PasslineError, MemoryError, RecursionError) as error:
        detail = str(error) or "This house takes more memory than there is."
        raise Problem(422, "house.unreadable", detail) from None


def _priced(file: str, text: str, like: str) -> dict[str, Any]:
    house, base = House(file, book=read_book(text, file)), House(like)
    new, old = odds_of(house), odds_of(base)
    wagers = [_wager(key, new.get(key), old.get(key)) for key in dict.fromkeys((*new, *old))]
    fields = {"house": house.id, "name": house.name, "like": base.id, "hash": book_digest(house.book)}
    return {**fields, **posted(house), "wagers": wagers}


def posted(house: House) -> dict[str, str]:
    notice = default_notice(house.book)
    return {"sign": sign(house.layout, notice), "unit": house.layout.money(notice.minimum)}


def _wager(key: str, new: WagerOdds | None, old: WagerOdds | None) -> dict[str, Any]:
    """One wager, as it is and as it was; None where the house does not offer it."""
    one = new or old
    assert one is not None
    now, was = _figures(new), _figures(old)
    less = new.edge_per_bet_made - old.edge_per_bet_made if new and old else None
    exact, decimal = (None, None) if less is None else (str(less), float(less))
    fields = {"wager": key, "name": one.name, "family": one.family, "now": now, "was": was, "changed": now != was}
    return {**fields, "difference": exact, "difference_decimal": decimal}


def _figures(odds: WagerOdds | None) -> dict[str, Any] | None:
    """What one house makes of a wager: fractions as they are, and as decimals."""
    if odds is None:
        return None
    decimals = {f"{name}_decimal": float(getattr(odds, name)) for name in FIGURES}
    return {"prices": list(odds.prices), "edge_per_bet_made": str(odds.edge_per_bet_made), **decimals}
