"""Two processes on one PostgreSQL: any serves any table, either may be killed, and a right ends in both."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from passline.client import Answer, Client
from passline.client.calls import Call
from passline.engine.refusals import Refusal
from passline.errors import ServiceError
from passline.journal.contract import now
from passline.journal.export import exported
from passline.journal.memory import MemoryJournal
from passline.journal.postgres import PostgresJournal
from passline.pit.keys import new_keys, read_keys
from passline.pit.pit import Pit
from passline.verify.check import verify
from passline.web.app import make_app
from passline.web.service import Service
from tests.postgres import fresh
from tests.web.server import KEYS, Server

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow
SIGN_OUT = Call("DELETE", "/sessions")


def test_two_processes_share_their_tables_and_one_is_killed(tmp_path: Path) -> None:
    """Ann acts at the first, Bob at the second; the first dies in the middle, and the game goes on."""
    address = fresh()
    servers = [Server(tmp_path, address, "--quiet") for _ in "12"]
    ann = Client(servers[0].address)
    table = ann.practice(name="Ann", buyin=10_000)
    bob = Client(servers[1].address, ann.token)
    seen: list[int] = []
    reader = threading.Thread(
        target=lambda: seen.extend(each.sequence for each in islice(bob.table(table.name).events(after=0), 40))
    )
    reader.start()
    heard = bob.table(table.name)
    for roll in range(30):
        where = (table, heard)[roll % 2] if roll < 10 else heard
        answer = where.roll()
        if isinstance(answer, Refusal):  # a look at one process may be older than the last roll of the other: ask
            assert answer.code == "dice.no_shooter"
            assert isinstance(heard.bet("pass", 10), Answer)
            answer = where.roll()
        assert isinstance(answer, Answer)
        if roll == 10:
            servers[0].kill()
            servers[0].http.close()
    reader.join(timeout=300)
    assert seen == list(range(1, 41))
    servers[0].http = httpx.Client(base_url=servers[0].address, timeout=300)
    servers[0].restart()
    ended, watching = threading.Event(), threading.Event()
    watched = (servers[0].address, ann.token, table.name, watching, ended)
    threading.Thread(target=_watch_until_revoked, args=watched).start()
    assert watching.wait(300)
    assert bob.send(SIGN_OUT)[0] == 204
    assert ended.wait(300), "the stream at the other process goes on"
    assert [each.stop() for each in servers] == [0, 0]
    journal = PostgresJournal(address)
    sign = read_keys(tmp_path / "keys.json").sign
    report = verify(line + b"\n" for line in exported(journal, journal.tables(), sign=sign, time=now()))
    journal.close()
    assert report.faults == []
    assert report.counts["people_acts"]
    ann.close()
    bob.close()


def _watch_until_revoked(
    address: str, token: str, table: str, watching: threading.Event, ended: threading.Event
) -> None:
    """Follow a table; a stream ends when its right is taken back."""
    with Client(address, token) as client, suppress(ServiceError):
        for _ in client.table(table).events(after=0):
            watching.set()
    ended.set()


def test_nobody_is_refused_for_what_is_old() -> None:
    """Each request goes to another process, as a proxy sends them: that one is behind, and looks before it says no."""
    asyncio.run(_in_turns())


async def _in_turns() -> None:
    journal, keys = MemoryJournal(), new_keys()
    journal.shared = True
    services = [Service(Pit(journal, keys)) for _ in "12"]  # nobody started their watchers
    ways = [httpx.ASGITransport(make_app(each)) for each in services]
    clients = [httpx.AsyncClient(transport=way, base_url="http://localhost") for way in ways]
    processes = cycle(clients)

    async def asks(token: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"k{next(KEYS)}"}
        process = next(processes)
        process.cookies.clear()
        answer = await process.request("POST" if body else "GET", path, json=body, headers=headers)
        assert answer.status_code < 300, answer.text
        told: dict[str, Any] = answer.json()
        return told

    acts = "/tables/friday/acts"
    ann = (await asks("", "/people", {"name": "Ann", "password": "twelve red chips"}))["token"]
    await asks(ann, "/tables", {"table": "friday", "listed": True})
    assert (await asks(ann, "/tables/friday"))["sequence"]
    await asks(ann, acts, {"kind": "command.sit", "buyin": 50_000})
    told = await asks(ann, acts, {"kind": "command.bet", "wager": "pass", "amount": 1_000})
    assert (await asks(ann, "/tables/friday"))["sequence"] == told["sequence"]
    told = await asks(ann, acts, {"kind": "command.buy_in", "amount": 1_000})
    assert (await asks(ann, "/tables/friday/seat"))["rail"] == 50_000
    for client, service in zip(clients, services, strict=True):
        await client.aclose()
        service.close()
