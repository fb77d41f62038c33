"""Work done in subprocesses, under a time limit, so that the process that deals does nothing else."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from passline.errors import FileError, JournalError
from passline.journal.contract import Journal
from passline.web.problems import Problem, problem_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

T = TypeVar("T")

START_S = 60.0  # how long a process may take to start, on a busy machine
NICENESS = 10  # reading history yields to dealing


class WorkerProcess:
    """A process that works for one after another; one that takes too long is killed, and the next starts anew."""

    def __init__(self, prepare: Callable[..., object], *args: object, seconds: float) -> None:
        """What `prepare(*args)` returns there is the first argument of all work."""
        self._prepare, self._seconds = (prepare, args), seconds
        self._lock, self._closed = Lock(), False
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def ask(self, work: Callable[..., T], *args: object) -> tuple[T, float] | None:
        """The result of `work`, and its processor time; None where it came to none within its limits."""
        with self._lock:
            try:
                connection = self._started()
                connection.send((work, args))
                answer = connection.recv() if connection.poll(self._seconds) else None
            except (EOFError, OSError):
                answer = None
            if answer is None:
                self._end()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def warm(self) -> None:
        with self._lock:
            try:
                self._started()
            except (EOFError, OSError):
                self._end()

    def _started(self) -> Connection:
        """The connection to a running process; starting one is not charged to whoever asks."""
        if self._closed:
            raise EOFError
        if self._connection is None or self._process is None or not self._process.is_alive():
            from multiprocessing import get_context

            context = get_context("spawn")
            self._connection, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs, *self._prepare), daemon=True)
            self._process.start()
            theirs.close()
            if not self._connection.poll(START_S):
                raise EOFError
            self._connection.recv()
        return self._connection

    def close(self) -> None:
        self._closed = True
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None


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


def _open(where: str) -> Journal:
    from passline.journal.sql import open_journal

    os.nice(NICENESS)
    return open_journal(where, read_only=True)


def _serve(line: Connection, prepare: Callable[..., object], made_of: tuple[object, ...]) -> None:
    """Works until the connection is closed; what a piece of work raises is raised where it was asked for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent process
    given = prepare(*made_of)
    line.send("started")
    while True:
        try:
            work, args = line.recv()
        except EOFError:
            return
        try:
            line.send(_timed(work, given, *args))
        except Exception as error:  # noqa: BLE001 - it is raised where it was asked
            if isinstance(error, JournalError):  # the store may have recovered
                given = prepare(*made_of)
            line.send(error if isinstance(error, FileError) else problem_of(error, ""))
