"""Drills: the store away, a broken journal, a watcher that fails, a clock set back, half-sent requests."""

from __future__ import annotations

import asyncio
import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from passline.errors import JournalError
from passline.journal.memory import MemoryJournal
from passline.pit.pit import Pit
from passline.web import service as services
from passline.web.app import make_app
from passline.web.automation import Countdowns
from passline.web.connections import HEAD_BYTES_MAX, OnceAMinute, protocol
from passline.web.limits import Limits
from passline.web.network import without_password
from passline.web.service import FAILURES_MAX, Service
from tests.pit.play import KEYS
from tests.web.server import free_port


class Store(MemoryJournal):
    """A store that goes away, or gives the watcher what it does not expect."""

    away = gone = False
    strange = looks = 0
    asked_at = 0.0

    def wait(self, known: Mapping[str, int], timeout_s: float) -> dict[str, int]:
        """As the contract has it, where it is there."""
        self.looks += 1
        while self.away:
            time.sleep(0.01)
        if self.gone:
            raise JournalError("the store cannot be reached")
        if self.strange:
            self.strange -= 1
            raise TypeError("an act that nobody knows")
        return super().wait(known, min(timeout_s, 0.05))


def drill(store: Store, work: Callable[[Service, httpx.AsyncClient], Awaitable[None]]) -> None:
    """A service on a store, ready; then what the drill does."""

    async def run() -> None:
        service = Service(Pit(store, KEYS))
        app = make_app(service)
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")
        async with app.router.lifespan_context(app), http:
            try:
                await until(lambda: service.unready() is None)
                await work(service, http)
            finally:
                store.away = False

    asyncio.run(run())


async def until(holds: Callable[[], bool], within_s: float = 120) -> None:
    """Wait for something to hold."""
    end = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


def test_a_store_that_is_away_is_told_at_once_and_nobody_asks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """`/ready` and acts say so with a time to ask again; when it is back, so is the service."""
    monkeypatch.setattr(services, "STORE_TIMEOUT_S", 0.3)
    store = Store()

    async def work(service: Service, http: httpx.AsyncClient) -> None:
        store.away = True
        await until(lambda: service.unready() is not None)
        answer = await http.get("/ready")  # a store that is asked would keep it for as long as it is away
        assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (503, "store.away", "2")
        assert (await http.get("/health")).status_code == 200
        store.away = False
        await until(lambda: service.unready() is None)
        assert not service.failed

    drill(store, work)


@pytest.mark.slow
def test_a_store_that_cannot_be_reached_is_told_of_with_the_first_failure(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only when it has been silent for long; the log says when it went and when it came back, once each."""
    store = Store()

    async def work(service: Service, http: httpx.AsyncClient) -> None:
        monkeypatch.setattr(services, "STORE_TIMEOUT_S", 10_000.0)
        store.gone = True
        await until(lambda: service.unready() is not None)
        assert (await http.get("/ready")).json()["code"] == "store.away"
        await asyncio.sleep(2 * services.POLL_S)
        store.gone = False
        await until(lambda: service.unready() is None)
        await logged(caplog, "the store does not answer", "the store answers again")

    drill(store, work)


async def logged(caplog: pytest.LogCaptureFixture, *lines: str) -> None:
    """These lines about the store, and no others."""

    def found() -> list[str]:
        return [each.getMessage() for each in caplog.records if "store" in each.getMessage()]

    await until(lambda: len(found()) >= len(lines))
    assert found() == [*lines]


def test_a_store_that_hangs_under_an_act_is_told_of(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The watcher may be answered, or wait for the same act: who asks the store says since when."""
    store = Store()

    async def work(service: Service, http: httpx.AsyncClient) -> None:
        monkeypatch.setattr(services, "STORE_TIMEOUT_S", 1.0)
        store.asked_at = time.monotonic()
        assert service.unready() is None
        await logged(caplog, "the store does not answer")
        assert (await http.get("/ready")).json()["code"] == "store.away"
        store.asked_at = 0.0
        await logged(caplog, "the store does not answer", "the store answers again")

    drill(store, work)


def test_a_broken_journal_ends_the_process() -> None:
    """It is not ready from the first moment, and whoever supervises it is given another."""
    store = Store()

    async def work(service: Service, http: httpx.AsyncClient) -> None:
        ended: list[str] = []
        service.on_failure = lambda: ended.append("now")
        store.broken = "the disk said no"
        assert (await http.get("/ready")).json()["code"] == "journal.broken"
        await until(lambda: bool(ended))
        assert "the disk said no" in service.failed
        store.broken = None

    drill(store, work)


SERVING = """
import sys, threading
from pathlib import Path
from passline.web import serving
def broken(pit):
    pit.journal.broken = "the disk said no"
real = serving.Pit
def watched(*args, **more):
    pit = real(*args, **more)
    threading.Timer(1.0, broken, (pit,)).start()
    return pit
serving.Pit = watched
folder = Path(sys.argv[1])
serving.serve(serving.Setup(str(folder / "pit.db"), folder / "keys.json", port=0), lambda *_: None)
"""


@pytest.mark.slow
def test_the_exit_code_says_that_it_failed(tmp_path: Path) -> None:
    """With its reason in the log, after that it was started."""
    done = subprocess.run([sys.executable, "-c", SERVING, str(tmp_path)], capture_output=True, timeout=600, check=False)
    assert done.returncode == 3
    log = done.stderr.decode()
    assert '"message": "started"' in log
    assert "the disk said no" in log


def test_a_watcher_goes_on_after_a_failure_and_is_given_up_after_many() -> None:
    """An entry that a newer program wrote once; and one that it cannot get over."""
    store = Store()

    async def work(service: Service, _http: httpx.AsyncClient) -> None:
        service.on_failure = lambda: None
        store.strange = FAILURES_MAX - 1
        looks = store.looks
        await until(lambda: store.looks > looks + FAILURES_MAX)
        assert not service.failed
        assert service.unready() is None
        store.strange = FAILURES_MAX
        await until(lambda: bool(service.failed))
        assert service.unready() is not None

    drill(store, work)


def test_a_clock_set_back_keeps_no_bets_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The countdown is as long as the table says, whatever the clock on the wall does meanwhile."""
    clock = [100.0]
    monkeypatch.setattr("passline.web.automation.monotonic", lambda: clock[0])
    due, back = "2026-11-16T20:00:20Z", "2026-11-16T19:00:05Z"
    countdowns = Countdowns()
    assert not countdowns.is_over("t", due, 20, "2026-11-16T20:00:01Z")
    clock[0] += 18
    assert not countdowns.is_over("t", due, 20, back)
    clock[0] += 2
    assert countdowns.is_over("t", due, 20, back)
    assert not Countdowns().is_over("t", due, 20, back)


@pytest.fixture
def door() -> Iterator[int]:
    """A server that waits a third of a second for a head, and takes five connections of an address."""

    async def app(_scope: Any, _receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    port = free_port()
    limits = Limits(header_s=0.3, connections_each_max=5)
    http = protocol(limits, behind_proxy=False)
    server = uvicorn.Server(uvicorn.Config(app, port=port, http=http, log_config=None, lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield port
    server.should_exit = True
    thread.join(300)


def test_half_a_head_is_not_waited_for_and_one_address_does_not_take_all(door: int) -> None:
    """On a new connection and after a request; whoever has as many as one may is let go at once."""
    with socket.create_connection(("127.0.0.1", door), timeout=120) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert slow.recv(100).startswith(b"HTTP/1.1 204")
        slow.sendall(b"GET / HTTP/1.1\r\nHo")
        while slow.recv(100):
            pass  # until it is closed
    many = [socket.create_connection(("127.0.0.1", door), timeout=60) for _ in range(7)]
    for each in many[-2:]:
        assert each.recv(1) == b"", "the sixth is let go at once, with nothing said"
    for each in many:
        each.close()


@pytest.mark.parametrize("first", [0, 9_000, HEAD_BYTES_MAX // 2 + 1])
def test_a_head_that_is_too_long_is_refused_however_it_comes(first: int) -> None:
    """In one piece or in several, with a body or without; one that is just short enough is answered."""
    answers = []
    for length, body in (
        (HEAD_BYTES_MAX + 100, b""),
        (HEAD_BYTES_MAX - 100, b""),
        (HEAD_BYTES_MAX - 100, b"b" * 9_000),
    ):
        head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\nX: " % len(body) + b"x" * length + b"\r\n\r\n"
        answers.append(asyncio.run(answer_to(head[:first], head[first:] + body)))
    assert answers == [b"HTTP/1.1 431", b"HTTP/1.1 204", b"HTTP/1.1 204"]


async def answer_to(*pieces: bytes) -> bytes:
    """How the answer to a request begins that is read in these pieces and no others."""

    async def app(_scope: Any, _receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    config, here, there = uvicorn.Config(app, lifespan="off", log_config=None), *socket.socketpair()
    loop, kind = asyncio.get_running_loop(), protocol(Limits(), behind_proxy=False)
    _, connection = await loop.connect_accepted_socket(lambda: kind(config, uvicorn.server.ServerState(), {}), there)
    for piece in filter(None, pieces):
        connection.data_received(piece)
    here.settimeout(60)
    with here:
        return await asyncio.to_thread(here.recv, 12)


def test_the_same_trouble_is_logged_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each kind."""
    clock = [0.0]
    monkeypatch.setattr("passline.web.connections.time.monotonic", lambda: clock[0])
    said = OnceAMinute()

    def passes(text: str) -> bool:
        return said.filter(logging.LogRecord("asyncio", logging.ERROR, "", 0, text, None, None))

    assert [passes(text) for text in ("accept", "accept", "other")] == [True, False, True]
    clock[0] += 61
    assert passes("accept")


def test_no_password_is_printed() -> None:
    """Of a store's address everything else is."""
    assert without_password("postgresql://pass:s3cret@db/pit") == "postgresql://pass@db/pit"
    assert without_password("pit.db") == "pit.db"
