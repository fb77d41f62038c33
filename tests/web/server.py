"""A real server in a process of its own, as its users have it: asked over HTTP, killed and started again."""

from __future__ import annotations

import asyncio
import atexit
import json
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from http.cookiejar import CookieJar, DefaultCookiePolicy
from itertools import count
from typing import TYPE_CHECKING, Any

import httpx
import uvicorn

from passline.journal.sqlite import SqliteJournal
from passline.pit.keys import keys_at
from passline.pit.people.people import TIME
from passline.pit.pit import Pit
from passline.web.app import make_app
from passline.web.connections import protocol
from passline.web.limits import Limits
from passline.web.service import Service

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


KEYS = count(1)
PORTS = range(12_000, 32_000)
"""Below those that most systems give to connections out of a machine: one of those may be gone before it is taken."""

RUNNING: set[Server] = set()
"""Every server that was started here and has not ended; whoever fails leaves none behind."""


@atexit.register
def end_all(but: Iterable[Server] = ()) -> None:
    """Kill what is still running."""
    for server in RUNNING - set(but):
        server.kill()


def free_port() -> int:
    """A port that nobody has, and that nobody is given before a process that was told of it takes it."""
    for port in random.SystemRandom().sample(PORTS, 100):
        with socket.socket() as trial, suppress(OSError):
            trial.bind(("127.0.0.1", port))
            return port
    raise AssertionError("a hundred ports are taken")


class Server:
    """`passline serve` on a port of its own."""

    def __init__(self, folder: Path, journal: str | None = None, *options: str) -> None:
        """Start it."""
        self.folder, self.journal, self.options = folder, journal or str(folder / "pit.db"), options
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        no_cookies = CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))
        self.http = httpx.Client(base_url=self.address, timeout=120, cookies=no_cookies)
        self.log = folder / f"log-{self.port}.txt"
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            self.process = process = subprocess.Popen(self.command(), stderr=log, stdout=log)
        RUNNING.add(self)
        until = time.monotonic() + 300
        while time.monotonic() < until:
            try:
                if self.http.get("/ready").status_code == 200:
                    return process
            except httpx.TransportError:
                pass
            assert process.poll() is None, self.log.read_text()
            time.sleep(0.05)
        raise AssertionError(self.log.read_text())

    def command(self) -> list[str]:
        """What is run."""
        command = [sys.executable, "-m", "passline", "serve", "--journal", self.journal, "--port", str(self.port)]
        return [*command, "--keys", str(self.folder / "keys.json"), *self.options]

    def kill(self) -> None:
        """No goodbye."""
        self.process.kill()
        self.process.wait()
        RUNNING.discard(self)

    def restart(self) -> None:
        """Again, on the same port and journal."""
        self.process = self._start()

    def stop(self) -> int:
        """Ask it to stop, as a service manager does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.http.close()
        code = self.process.wait(timeout=300)
        RUNNING.discard(self)
        return code

    @contextmanager
    def closing(self) -> Iterator[None]:
        """For the tests of a module: it ends when asked, and nothing broke in it; killed where a test is to blame."""
        try:
            yield
            assert self.stop() == 0
            assert "traceback" not in self.log.read_text(), self.log.read_text()[-3000:]
        finally:
            if self in RUNNING:
                self.kill()

    def practice(self, **asked: Any) -> Player:  # noqa: ANN401 - a body
        """A practice table of a newcomer's."""
        answer = self.http.post("/practice", json=asked)
        assert answer.status_code == 201, answer.text
        told = answer.json()
        return Player(self, told["token"], told["table"]["table"], told["person"])

    def account(self, name: str, password: str = "twelve red chips") -> Player:
        """Somebody with an account."""
        answer = self.http.post("/people", json={"name": name, "password": password})
        assert answer.status_code == 201, answer.text
        return Player(self, answer.json()["token"], "", answer.json()["person"])


class Clock:
    """A clock that stands still until a test moves it."""

    def __init__(self, time: str = "2026-11-15T20:00:00Z") -> None:
        """Show a time."""
        self._time = datetime.fromisoformat(time)

    def __call__(self, **later: float) -> str:
        """The time, or that of so much later, as entries write it."""
        return (self._time + timedelta(**later)).strftime(TIME)

    def goes_on(self, **by: float) -> None:
        """Move it."""
        self._time += timedelta(**by)


class Handed(Server):
    """The same service in a thread of ours, by a clock that is handed in."""

    def __init__(self, folder: Path, clock: Clock, house: str) -> None:
        """Start it."""
        self.clock, self._house = clock, house
        super().__init__(folder)

    def _start(self) -> subprocess.Popen[bytes]:
        pit = Pit(self.pit_journal(), keys_at(self.folder / "keys.json"), house=self._house, clock=self.clock)
        self.service = Service(pit)
        self.app = make_app(self.service)
        self.connections = protocol(Limits(), behind_proxy=True, at_once=self.app.entrance.act_at_once)
        config = uvicorn.Config(
            self.app, port=self.port, http=self.connections, log_config=None, timeout_graceful_shutdown=3
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        until = time.monotonic() + 300
        while time.monotonic() < until:
            with suppress(httpx.TransportError):
                if self.http.get("/ready").status_code == 200:
                    return None  # type: ignore[return-value]  # it is no process of its own
            time.sleep(0.05)
        raise AssertionError("it does not start")

    def settle(self) -> None:
        """Come back when the service has nothing more to do for what it has answered."""
        loop = self._server.servers[0].get_loop()
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(60)
        until = time.monotonic() + 60
        while self.working:
            assert time.monotonic() < until, "it never ends"
            time.sleep(0.001)

    @property
    def working(self) -> bool:
        """Whether the app has something to do."""
        return bool(self._server.server_state.tasks)

    def pit_journal(self) -> SqliteJournal:
        """Its journal."""
        return SqliteJournal(self.journal)

    def stop(self) -> int:
        """Ask it to stop."""
        self.http.close()
        self._server.should_exit = True
        self._thread.join(timeout=300)
        return int(self._thread.is_alive())


class Player:
    """Somebody with a token, at a table or not."""

    def __init__(self, server: Server, token: str, table: str, person: str) -> None:
        self.server, self.token, self.table, self.person = server, token, table, person
        self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401 - as httpx
        """Look."""
        return self.server.http.get(path, headers=self.headers, **more)

    def post(self, path: str, body: Any = None, key: str | None = None, **headers: str) -> httpx.Response:  # noqa: ANN401 - a body
        """Ask."""
        given = {"Idempotency-Key": key or f"k{next(KEYS)}"} | headers
        return self.server.http.post(path, json=body, headers=self.headers | given)

    def act(self, kind: str, *, key: str | None = None, **fields: Any) -> httpx.Response:  # noqa: ANN401 - a body
        """Ask the table."""
        return self.post(f"/tables/{self.table}/acts", {"kind": kind, **fields}, key)

    def events(self, after: int, count: int, timeout_s: float = 120) -> list[dict[str, Any]]:
        """The next so many entries, from a stream of our own."""
        found = []
        for event in self.stream(after, timeout_s):
            found.append(event)
            if len(found) == count:
                break
        return found

    def stream(self, after: int, timeout_s: float = 120) -> Iterator[dict[str, Any]]:
        """Entries as they come, each with its id."""
        headers = self.headers | {"Last-Event-ID": str(after)}
        path = f"/tables/{self.table}/events"
        with (
            httpx.Client(base_url=self.server.address, timeout=timeout_s) as http,
            http.stream("GET", path, headers=headers) as answer,
        ):
            assert answer.status_code == 200, answer.read()
            event: dict[str, Any] = {}
            for line in answer.iter_lines():
                name, _, value = line.partition(": ")
                if name == "data":
                    event |= json.loads(value)
                elif name in ("id", "event"):
                    event[name] = value
                elif not line and event:
                    if event.get("event") != "beat":
                        yield event
                    event = {}
