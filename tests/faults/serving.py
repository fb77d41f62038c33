"""A process that serves one table on a socket until somebody kills it: `python -m tests.faults.serving SOCKET JOURNAL`.

A client sends a line and gets a line. Beside what is asked of the table it can tell the process to take the table over,
and to stop dead, or be stopped, the moment the n-th *bets closed* from now is durable and before there are dice.
Without words it is a nursery: it has imported all that such a process needs, and makes one for each line on its input.
"""

from __future__ import annotations

import json
import os
import signal
import socketserver
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from passline.codec import from_data
from passline.errors import PasslineError
from passline.journal.sql import open_journal
from passline.live.state import Moment
from passline.pit.table import LiveTable
from tests.pit.play import KEYS, NOW, by

if TYPE_CHECKING:
    from passline.engine.commands import Command


class Serving:
    """The table, as this process has it."""

    def __init__(self, journal: str) -> None:
        self.journal = open_journal(journal)
        self.table = self._opened()
        self.aimed = 0
        self.signal = signal.SIGKILL

    def _opened(self) -> LiveTable:
        table = LiveTable.open(self.journal, "t1", time=NOW, keys=KEYS, owner=str(os.getpid()))
        table.listeners.append(self.heard)
        return table

    def heard(self, moment: Moment) -> None:
        """Somebody is told of an entry, which is durable by then."""
        if moment.entry.kind == "bets_closed" and self.aimed:
            self.aimed -= 1
            if not self.aimed:
                os.kill(os.getpid(), self.signal)

    def answer(self, asked: dict[str, Any]) -> bytes:
        """Do what a client asks."""
        if "spent" in asked:
            return str(time.process_time()).encode()
        if "take_over" in asked:
            self.table = self._opened()
            return b"taken"
        if "aim" in asked:
            self.aimed, self.signal = asked["aim"], signal.Signals(asked["signal"])
            return b"aimed"
        ask = by(asked["actor"], asked["key"])
        if asked["command"] is None:
            return self.table.roll(ask)
        return self.table.do(cast("Command", from_data(asked["command"])), ask)


class Handler(socketserver.StreamRequestHandler):
    """One client: a line in, a line out."""

    def handle(self) -> None:
        """Answer until the client goes."""
        serving = cast("Server", self.server).serving
        for line in self.rfile:
            try:
                answer = serving.answer(json.loads(line))
            except PasslineError as error:
                answer = f"! {type(error).__name__}: {error}".encode()
            self.wfile.write(answer + b"\n")


class Server(socketserver.ThreadingUnixStreamServer):
    """The table's socket."""

    daemon_threads = True
    request_queue_size = 64
    serving: Serving


def served(socket: str, journal: str) -> None:
    """Open the table, finishing what was left, and serve it."""
    serving = Serving(journal)
    Path(socket).unlink(missing_ok=True)
    with Server(socket, Handler) as server:
        server.serving = serving
        server.serve_forever(0.05)


def nursery() -> None:
    """Make a process for each `SOCKET JOURNAL`, and say which; wait for one that is named; both in a line."""
    for line in sys.stdin:
        words = line.split()
        if words[0] == "wait":
            _, status = os.waitpid(int(words[1]), os.WUNTRACED)
            print("asleep" if os.WIFSTOPPED(status) else "gone", flush=True)  # noqa: T201
            continue
        child = os.fork()
        if not child:
            try:
                served(*words)
            finally:
                os._exit(1)
        print(child, flush=True)  # noqa: T201


if __name__ == "__main__":
    if sys.argv[1:]:
        served(*sys.argv[1:])
    else:
        nursery()
