"""Work done in subprocesses, under a time limit, so that the process that deals does nothing else."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from passline.errors import JournalError
from passline.journal.contract import Journal
from passline.web.problems import Problem, problem_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

T = TypeVar("T")

START_S = 60.0  # how long a process may take to start, on a busy machine
NICENESS = 10  # reading history yields to dealing


class WorkerProcess:
    """A process that answers one request after another; one that takes too long is killed, and the next starts anew."""

    def __init__(self, work: Callable[..., None], *args: object, seconds: float) -> None:
        """`work` takes a connection and `args`; it sends a word when it has started, then an answer to each request."""
        self._work, self._args, self._seconds = work, args, seconds
        self._lock, self._closed = Lock(), False
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def ask(self, *request: object) -> Any:  # noqa: ANN401 - what the process answers
        """The process's answer; None where it gave none within its limits of time and memory."""
        with self._lock:
            try:
                connection = self._started()
                connection.send(request)
                if connection.poll(self._seconds):
                    return connection.recv()
            except (EOFError, OSError):
                pass
            self._end()
            return None

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
            self._process = context.Process(target=self._work, args=(theirs, *self._args), daemon=True)
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
        self.process = WorkerProcess(_read, str(where), seconds=seconds) if subprocesses and where else None

    def read(self, work: Callable[..., T], *args: object) -> tuple[T, float]:
        """The result of `work(journal, *args)`, and the processor time that it took."""
        if self.process is None:
            return _timed(work, self._journal, *args)
        answer = self.process.ask(work, args)
        if answer is None:
            raise Problem(503, "look.too_long", "This takes longer than the time limit.", retry_after_s=5)
        result, seconds, problem = answer
        if problem is not None:
            status, code, detail, more = problem
            raise Problem(status, code, detail, **more)
        return result, seconds

    def warm(self) -> None:
        if self.process is not None:
            self.process.warm()

    def close(self) -> None:
        if self.process is not None:
            self.process.close()


# Processor time of this thread; in a browser, which measures none, the time that has passed.
thread_seconds: Callable[[], float] = getattr(time, "thread_time", time.perf_counter)


def _timed(work: Callable[..., T], journal: Journal, *args: object) -> tuple[T, float]:
    began = thread_seconds()
    return work(journal, *args), thread_seconds() - began


def _read(line: Connection, where: str) -> None:
    """Answers requests until the connection is closed."""
    from passline.journal.sql import open_journal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent process
    os.nice(NICENESS)
    journal = open_journal(where, read_only=True)
    line.send("started")
    while True:
        try:
            work, args = line.recv()
        except EOFError:
            return
        try:
            line.send((*_timed(work, journal, *args), None))
        except Exception as error:  # noqa: BLE001 - it is raised where it was asked
            if isinstance(error, JournalError):  # the store may have recovered
                journal = open_journal(where, read_only=True)
            no = problem_of(error, "")
            line.send((None, 0.0, (no.status_code, no.code, no.detail, no.more)))
