"""A table of twelve with as many pages open, in this process: what an act costs, and what an idle phone downloads.

The pages are what `browser/src/live.svelte.ts` is: a stream in brief each, and nothing asked for after an entry.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from passline.journal.sqlite import SqliteJournal
from passline.pit.keys import keys_at
from passline.pit.pit import Pit
from passline.web.app import make_app
from passline.web.limits import Limits
from passline.web.service import Service

PLAYERS = 12
WIDE = Limits(requests_per_s=1e6, requests_burst=10**9, newcomers_address_max=10**6)


@dataclass(frozen=True)
class Figures:
    """Processor time of one act in milliseconds, bets and rolls together and apart; bytes of one entry on a phone."""

    alone_ms: float
    watched_ms: float
    bet_ratio: float
    roll_ratio: float
    bet_bytes: float
    """What each page of the others is sent of a bet."""

    @property
    def ratio(self) -> float:
        """How much more an act costs with every page open."""
        return self.watched_ms / self.alone_ms


class Phone:
    """A page that listens: all that it does after an entry is to read it."""

    def __init__(self, sequence: int) -> None:
        """Begin after an entry."""
        self.bytes, self.sequence = 0, sequence
        self._gone = asyncio.Event()

    async def listen(self, app: Any, table: str, token: str) -> None:  # noqa: ANN401 - an ASGI application
        """Follow a table until `leave`."""
        headers = [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {token}".encode())]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": f"/tables/{table}/events",
            "raw_path": b"",
            "query_string": b"view=brief",
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        first = True

        async def receive() -> dict[str, Any]:
            nonlocal first
            if first:
                first = False
                return {"type": "http.request", "body": b"", "more_body": False}
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            chunk = message.get("body", b"")
            self.bytes += len(chunk)
            for line in chunk.splitlines():
                if line.startswith(b"id: "):
                    self.sequence = int(line[4:])

        await app(scope, receive, send)

    def leave(self) -> None:
        """Close the page."""
        self._gone.set()


class Room:
    """One table of a house, and who sits there."""

    def __init__(self, app: Any, http: httpx.AsyncClient) -> None:  # noqa: ANN401 - as above
        self.app, self.http, self.table = app, http, ""
        self.tokens: list[str] = []
        self.sequence = 0
        """The last entry that was answered."""
        self._keys = count()

    async def act(self, who: int, **body: Any) -> None:  # noqa: ANN401 - an act
        """Ask the table for something."""
        headers = {"Authorization": f"Bearer {self.tokens[who]}", "Idempotency-Key": f"k{next(self._keys)}"}
        answer = await self.http.post(f"/tables/{self.table}/acts", json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        self.sequence = answer.json()["sequence"]

    async def seen(self, phones: Sequence[Phone]) -> None:
        """Wait until every page has the last entry."""
        while any(phone.sequence < self.sequence for phone in phones):  # noqa: ASYNC110 - a page has no bell
            await asyncio.sleep(0.02)

    async def open(self, house: str) -> None:
        """A table with dice that the box calls, and everybody seated with a line bet."""
        host = (await self.http.post("/people", json={"name": "Host", "password": "twelve red chips"})).json()["token"]
        asked = {"house": house, "dice": "given"}
        headers = {"Authorization": f"Bearer {host}", "Idempotency-Key": "open"}
        self.table = (await self.http.post("/tables", json=asked, headers=headers)).json()["table"]
        link = await self.http.post(f"/tables/{self.table}/links", json={}, headers=headers)
        self.tokens = [host]
        for number in range(PLAYERS):
            guest = {"name": f"Guest{'abcdefghijkl'[number]}", "link": link.json()["link"]}
            self.http.cookies.clear()
            self.tokens.append((await self.http.post("/guests", json=guest)).json()["token"])
            await self.act(number + 1, kind="command.sit", buyin=10_000_000)
            await self.act(number + 1, kind="command.bet", wager="pass", amount=1_500)
        await self.act(1, kind="command.shoot")
        await self.act(0, kind="command.throw", roll={"first": 2, "second": 2})

    async def warm(self) -> None:
        """Wait until the edges of this felt are worked out, which happens once for everybody."""
        headers = {"Authorization": f"Bearer {self.tokens[0]}"}
        while not (await self.http.get(f"/tables/{self.table}/felt", headers=headers)).json()["whole"]:  # noqa: ASYNC110 - another process would poll too
            await asyncio.sleep(0.2)

    async def bets(self, each: int) -> None:
        """So many bets of everybody."""
        for _ in range(each):
            for who in range(1, PLAYERS + 1):
                await self.act(who, kind="command.bet", wager="place_6", amount=1_800)

    async def rolls(self, times: int) -> None:
        """So many rolls that decide a few bets and end nothing."""
        for _ in range(times):
            await self.act(0, kind="command.throw", roll={"first": 3, "second": 3})
            for who in range(1, PLAYERS + 1, 4):
                await self.act(who, kind="command.bet", wager="field", amount=1_500)

    @asynccontextmanager
    async def watched(self) -> Any:  # noqa: ANN401 - a generator
        """With a page open for every player."""
        phones = [Phone(self.sequence) for _ in range(PLAYERS)]
        tasks = [
            asyncio.create_task(phone.listen(self.app, self.table, token))
            for phone, token in zip(phones, self.tokens[1:], strict=True)
        ]
        while any(not phone.bytes for phone in phones):  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.02)
        try:
            yield phones
        finally:
            for phone in phones:
                phone.leave()
            with suppress(asyncio.CancelledError):
                await asyncio.wait(tasks, timeout=5)


@asynccontextmanager
async def opened(folder: Path, house: str) -> AsyncIterator[Room]:
    """A house in this process, with one table that everybody sits at."""
    pit = Pit(SqliteJournal(str(folder / "pit.db")), keys_at(folder / "keys.json"))
    app = make_app(Service(pit, WIDE))
    http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1", timeout=60)
    async with app.router.lifespan_context(app), http:
        room = Room(app, http)
        await room.open(house)
        await room.warm()
        await room.bets(1)
        yield room


async def measure(folder: Path, house: str = "strip", rounds: int = 5) -> Figures:
    """Both ways in turns, in one process."""
    bet_acts, roll_acts = rounds * PLAYERS, rounds * 4
    async with opened(folder, house) as room:

        async def timed(work: Callable[[int], Awaitable[None]], acts: int, phones: Sequence[Phone] = ()) -> float:
            """Processor milliseconds of an act."""
            began = time.process_time()
            await work(rounds)
            await room.seen(phones)
            return (time.process_time() - began) / acts * 1000

        bet, roll = await timed(room.bets, bet_acts), await timed(room.rolls, roll_acts)
        async with room.watched() as phones:
            await room.bets(1)
            bytes_ = await bet_bytes(room, phones)
            bet_watched = await timed(room.bets, bet_acts, phones)
            roll_watched = await timed(room.rolls, roll_acts, phones)
    acts = bet_acts + roll_acts
    return Figures(
        (bet * bet_acts + roll * roll_acts) / acts,
        (bet_watched * bet_acts + roll_watched * roll_acts) / acts,
        bet_watched / bet,
        roll_watched / roll,
        bytes_,
    )


async def bet_bytes(room: Room, phones: Sequence[Phone]) -> float:
    """What each page of the others is sent of a bet."""
    await room.seen(phones)
    before = [phone.bytes for phone in phones[1:]]
    await room.act(1, kind="command.bet", wager="place_6", amount=1_800)
    await room.seen(phones)
    received = [phone.bytes - had for phone, had in zip(phones[1:], before, strict=True)]
    return sum(received) / len(received)
