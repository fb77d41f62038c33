"""The service in this process, asked as fast as it answers: an evening of so many rolls, and what stays in memory."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from passline.engine.evolve import _steps
from passline.journal.contract import now
from passline.journal.sqlite import SqliteJournal
from passline.pit.keys import keys_at
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.web.app import make_app
from passline.web.limits import Limits
from passline.web.service import Service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from starlette.types import ASGIApp, Message

SAMPLES = 16
BLOCKS_SHORT_MAX = 20.0
"""Objects that a roll may leave behind, by the fitted slope: 10 while caches fill, 37 where entries are kept."""
BLOCKS_EACH_MAX, BYTES_EACH_MAX = 0.5, 100.0
"""Objects, and bytes of the whole process, over an evening that is long enough to see them."""


class Sample(NamedTuple):
    """What was in memory after so many rolls."""

    rolls: int
    blocks: int
    rss_bytes: int


class Evening:
    """One player who bets and rolls at one table, and one who watches."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        """Ready to sit down."""
        self.app, self.token, self.number, self.heard, self.table = app, token, 0, 0, "t"

    def scope(self, method: str, path: str) -> dict[str, Any]:
        """A request as a server hands it on."""
        self.number += 1
        headers = [(b"host", b"t"), (b"authorization", f"Bearer {self.token}".encode())]
        headers += [(b"content-type", b"application/json"), (b"idempotency-key", str(self.number).encode())]
        about = {"type": "http", "http_version": "1.1", "scheme": "http", "query_string": b"", "client": ("t", 1)}
        return {**about, "method": method, "path": path, "headers": headers, "server": ("t", 80)}

    async def act(self, **body: object) -> tuple[int, dict[str, Any]]:
        """Ask the table."""
        return await self.ask("POST", f"/tables/{self.table}/acts", body)

    async def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Ask for anything."""
        parts: list[Any] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": json.dumps(body).encode()}

        async def send(message: Message) -> None:
            parts.append(message.get("status") or message["body"])

        await self.app(self.scope(method, path), receive, send)
        return parts[0], json.loads(b"".join(parts[1:]) or b"null")

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """While somebody reads the stream."""
        over, asked = asyncio.Event(), iter([{"type": "http.request", "body": b""}])

        async def receive() -> Message:
            if request := next(asked, None):
                return request
            await over.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            self.heard += message.get("body", b"").count(b"\nevent: ")

        watching = asyncio.ensure_future(self.app(self.scope("GET", "/tables/t/events"), receive, send))
        await asyncio.sleep(0.05)
        yield
        over.set()
        await watching

    async def play(self, rolls: int) -> list[Sample]:
        """Roll so often, the line bet up at each come-out, and look at the memory again and again."""
        found: list[Sample] = []
        every = max(1, rolls // SAMPLES)
        for roll in range(1, rolls + 1):
            status, told = await self.act(kind="table.roll")
            while status == 409 and told["code"] in ("dice.no_shooter", "dice.no_line_bet"):
                bet = await self.act(kind="command.bet", wager="pass", amount=500)
                assert bet[0] == 200, bet
                status, told = await self.act(kind="table.roll")
            assert status == 200, told
            if roll % every == 0:
                found.append(sample(roll))
        return found


def sample(roll: int) -> Sample:
    """Now, without what only waits to be collected and what the engine remembers up to a limit of its own."""
    _steps.clear()
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return Sample(roll, sys.getallocatedblocks(), pages * os.sysconf("SC_PAGESIZE"))


def slope(samples: list[Sample], of: str) -> float:
    """How much of something each roll leaves behind, fitted over the second half of the evening."""
    late = samples[len(samples) // 2 :]
    return float(np.polyfit([each.rolls for each in late], [getattr(each, of) for each in late], 1)[0])


async def evening(folder: Path, rolls: int, kept: int = 1_024) -> dict[str, Any]:
    """So many rolls at one table; `kept` entries are at hand for streams."""
    pit = Pit(SqliteJournal(folder / "pit.db"), keys_at(folder / "keys.json"))
    host, token = pit.people.guest("Ann", now())
    pit.open(host, Opening(), By(host.id, "player", now()), "t")
    service = Service(pit, Limits(requests_per_s=1e9, requests_burst=10**9, stream_behind_max=kept))
    player = Evening(make_app(service), token)
    status, told = await player.act(kind="command.sit", buyin=10**8)
    assert status == 200, told
    async with player.watched():
        samples = await player.play(rolls)
        last = (await player.act(kind="command.bet", wager="field", amount=500))[1]["sequence"]
        for _ in range(100):
            if player.heard >= last - told["sequence"]:
                break
            await asyncio.sleep(0.05)
    service.close()
    return {
        "rolls": rolls,
        "entries": last,
        "heard": player.heard,
        "missed": last - told["sequence"] - player.heard,
        "blocks_a_roll": round(slope(samples, "blocks"), 4),
        "bytes_a_roll": round(slope(samples, "rss_bytes"), 2),
        "rss_mib": [round(each.rss_bytes / 2**20, 1) for each in samples[:: max(1, len(samples) // 8)]],
    }


VISITS_MIB_MAX = 47.0
"""What ten thousand visitors may leave behind in memory: 50 MB."""

VISITS_OF_ONE = 10


async def visits(folder: Path, count: int) -> dict[str, Any]:
    """So many practice tables opened, played at and closed, ten by each guest; what they leave behind."""
    pit = Pit(SqliteJournal(folder / "pit.db"), keys_at(folder / "keys.json"))
    wide = Limits(requests_per_s=1e9, requests_burst=10**9, newcomers_address_max=10**9)
    service, samples = Service(pit, wide), list[Sample]()
    app = make_app(service)
    every = max(1, count // SAMPLES)
    guest = Evening(app, "")
    for number in range(1, count + 1):
        if number % VISITS_OF_ONE == 1:
            guest = Evening(app, pit.people.guest(f"V{number}", now())[1])
        status, opened = await guest.ask("POST", "/practice", {"name": "Ann"})
        assert status == 201, opened
        table = opened["table"]["table"]
        for body in ({"kind": "command.bet", "wager": "pass", "amount": 1_000}, {"kind": "table.roll"}):
            status, entry = await guest.ask("POST", f"/tables/{table}/acts", body)
            assert status == 200, entry
        status, _ = await guest.ask("DELETE", f"/practice/{table}")
        assert status == 204
        if number % every == 0:
            for channel in service._channels.values():
                channel.used -= 60
            service._evict_due = 0
            service.evict()
            samples.append(sample(number))
    in_memory = len(service._channels) + sum(map(pit.is_open, pit.people.hosted))
    service.close()
    return {
        "visits": count,
        "in_memory": in_memory,
        "blocks_a_visit": round(slope(samples, "blocks"), 1),
        "bytes_a_visit": round(slope(samples, "rss_bytes")),
        "grown_mib": round((samples[-1].rss_bytes - samples[0].rss_bytes) / 2**20, 1),
        "rss_mib": [round(each.rss_bytes / 2**20, 1) for each in samples[::2]],
    }


async def held(folder: Path, tables: int, rolls: int) -> float:
    """How many bytes a table has in memory that is open, after so many rolls."""
    pit = Pit(SqliteJournal(folder / "pit.db"), keys_at(folder / "keys.json"))
    wide = Limits(requests_per_s=1e9, requests_burst=10**9, newcomers_address_max=10**9)
    service, samples = Service(pit, wide), list[Sample]()
    app = make_app(service)
    for number in range(1, tables + 1):
        guest = Evening(app, pit.people.guest(f"V{number}", now())[1])
        status, opened = await guest.ask("POST", "/practice", {"name": "Ann", "buyin": 1_000_000})
        assert status == 201, opened
        guest.table = opened["table"]["table"]
        await guest.play(rolls)
        samples.append(sample(number))
    service.close()
    return slope(samples, "rss_bytes")


def run_alone(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:  # noqa: ANN401 - what it gives
    """What a process of its own is asked to measure."""
    return asyncio.run(work())
