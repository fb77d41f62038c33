"""Work in a process of its own, kept warm, that may take only so long: the process that deals does nothing else."""

from __future__ import annotations

import multiprocessing
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

BEGIN_S = 60.0  # how long a process may take to begin, on a busy machine
NICER = 10  # how much those who look back stand behind those who deal


class Apart:
    """A process that answers one question after the other; one that takes too long ends it, the next begins another."""

    def __init__(self, work: Callable[..., None], *args: object, seconds: float) -> None:
        """`work` is given a line and `args`; it says that it has begun, then an answer to each question."""
        self._work, self._args, self._seconds = work, args, seconds
        self._turn, self._over = Lock(), False
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None

    def ask(self, *question: object) -> Any:  # noqa: ANN401 - what the process answers
        """Its answer; None where there is none within the time and the memory there is."""
        with self._turn:
            try:
                line = self._begun()
                line.send(question)
                if line.poll(self._seconds):
                    return line.recv()
            except (EOFError, OSError):
                pass
            self._end()
            return None

    def warm(self) -> None:
        with self._turn:
            try:
                self._begun()
            except (EOFError, OSError):
                self._end()

    def _begun(self) -> Connection:
        """The line to a process that has begun; how long that takes is nobody's fault who asks."""
        if self._over:
            raise EOFError
        if self._line is None or self._process is None or not self._process.is_alive():
            context = multiprocessing.get_context("spawn")
            self._line, theirs = context.Pipe()
            self._process = context.Process(target=self._work, args=(theirs, *self._args), daemon=True)
            self._process.start()
            theirs.close()
            if not self._line.poll(BEGIN_S):
                raise EOFError
            self._line.recv()
        return self._line

    def close(self) -> None:
        """End the process, and begin no other: the service stops."""
        self._over = True
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None


class Reader:
    """Whatever reads a journal at length: in a process that has the journal to read and no keys."""

    def __init__(self, journal: Journal, seconds: float, *, apart: bool) -> None:
        """Where a journal is nowhere but in this process, or `apart` is not asked for, it is read in a thread."""
        where = getattr(journal, "address", None) or getattr(journal, "path", None)
        self._journal = journal
        self.process = Apart(_read, str(where), seconds=seconds) if apart and where else None

    def look(self, work: Callable[..., T], *args: object) -> tuple[T, float]:
        """What `work` makes of the journal and `args`, and the processor time that it took."""
        if self.process is None:
            return _timed(work, self._journal, *args)
        answer = self.process.ask(work, args)
        if answer is None:
            raise Problem(503, "look.too_long", "This takes longer than there is time for.", retry_after_s=5)
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


# Processor time of this thread; a browser has none, and one thread.
thread_seconds: Callable[[], float] = getattr(time, "thread_time", time.perf_counter)


def _timed(work: Callable[..., T], journal: Journal, *args: object) -> tuple[T, float]:
    began = thread_seconds()
    return work(journal, *args), thread_seconds() - began


def _read(line: Connection, where: str) -> None:
    """Answer until nobody asks."""
    from passline.journal.sql import open_journal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal, for whoever asks us
    os.nice(NICER)
    journal = open_journal(where, read_only=True)
    line.send("begun")
    while True:
        try:
            work, args = line.recv()
        except EOFError:
            return
        try:
            line.send((*_timed(work, journal, *args), None))
        except Exception as error:  # noqa: BLE001 - it is raised where it was asked
            if isinstance(error, JournalError):  # what was wrong with the store is not wrong for ever
                journal = open_journal(where, read_only=True)
            no = problem_of(error, "")
            line.send((None, 0.0, (no.status_code, no.code, no.detail, no.more)))
