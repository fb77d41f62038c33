"""The same client for programs that do other things meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any, Self

import httpx

from passline.client import calls
from passline.client.calls import ACCEPTED, AGAIN, Answer, Call, Events, Json, Patience, StreamedEntry, View
from passline.client.hands import Hand
from passline.client.now import STREAM_S, Client
from passline.engine.refusals import Refusal
from passline.files.amounts import Money, cents


class AsyncClient:
    """One person at one server; asked again by itself, under the same key, while the server is away."""

    def __init__(
        self, server: str, token: str = "", *, patience_s: float = 60.0, hand: bool = True, folder: Path | None = None
    ) -> None:
        """Know a server, as `Client` does."""
        self.server, self.token, self.patience_s = server.rstrip("/"), token, patience_s
        self._http = httpx.AsyncClient(base_url=self.server, timeout=30.0)
        self._blocking = Client(self.server, token, patience_s=patience_s, hand=hand, folder=folder)
        """For hands, which work in threads."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()
        self._blocking.close()

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def send(self, call: Call) -> tuple[int, Json]:
        """Send a request until there is an answer to it."""
        patience = Patience(self.server, self.patience_s)
        while True:
            least = 0.0
            try:
                self._http.cookies.clear()
                got = await self._http.request(
                    call.method, call.path, json=call.body, headers=self.headers() | call.headers
                )
                if got.status_code not in AGAIN or patience.over:
                    return got.status_code, calls.read(got.content)
                least = float(got.headers.get("Retry-After", 0))
            except httpx.TransportError as error:
                patience.check(error)
            await asyncio.sleep(patience.next_s(least))

    def hand(self, table: str) -> Hand | None:
        """This person's hand in the dice of a table, which works in threads; None for who gives none."""
        self._blocking.token = self.token
        return self._blocking.hand(table)

    async def get(self, path: str) -> Json:
        return self._good(*await self.send(Call("GET", path)))

    async def post(self, path: str, body: Json, **headers: str) -> Json:
        return self._good(*await self.send(Call("POST", path, body, headers)))

    def _good(self, status: int, data: Json) -> Json:
        if status >= 300:
            raise calls.problem(status, data)
        return data

    # --- Coming in ----------------------------------------------------------------------------------------------------

    async def practice(
        self, house: str = "adelaide", *, name: str = "Guest", notice: str = "", buyin: Money | None = None
    ) -> AsyncTable:
        """Open a practice table and sit down at it."""
        arrival = self._good(*await self.send(calls.practice(house, name, notice, buyin)))
        self.token = arrival["token"] or self.token
        return AsyncTable(self, arrival["table"]["table"])

    async def sign_in(self, name: str, password: str) -> None:
        """Sign in with an account."""
        self.token = (await self.post("/sessions", {"name": name, "password": password}))["token"]

    async def come(self, name: str, link: str) -> AsyncTable:
        """Come to a table as a guest, by its link."""
        arrival = await self.post("/guests", {"name": name, "link": link})
        self.token = arrival["token"]
        return AsyncTable(self, arrival["table"])

    def table(self, name: str) -> AsyncTable:
        """A table by its name."""
        return AsyncTable(self, name)

    async def lobby(self) -> list[Json]:
        """The tables that are open to everybody."""
        tables: list[Json] = (await self.get("/lobby"))["list"]
        return tables


class AsyncTable:
    """A live table, from afar. Amounts that are handed in are money; a refusal is a value."""

    def __init__(self, client: AsyncClient, name: str) -> None:
        self.client, self.name = client, name

    async def act(
        self,
        kind: str,
        *,
        key: str | None = None,
        approval: str | None = None,
        **fields: Any,  # noqa: ANN401 - whatever the act says
    ) -> Answer | Refusal:
        """Ask for any act: `act("command.bet", wager="pass", amount=1000)`, amounts in grains."""
        call, hand = calls.act(self.name, kind, fields, key, approval), self.client.hand(self.name)
        if hand is not None and kind in ("command.bet", "command.leave"):
            await asyncio.to_thread(hand.give if kind == "command.bet" else hand.take_off)
        if hand is not None:
            await asyncio.to_thread(hand.asks, call.headers["Idempotency-Key"])
        status, data = await self.client.send(call)
        waits = Patience(self.client.server, 0)
        while status == ACCEPTED:  # the dice wait for the values of hands: ours, or others'
            if hand is not None:
                await asyncio.to_thread(hand.show)
            await asyncio.sleep(waits.next_s() / 5)
            status, data = await self.client.send(call)
        if hand is not None:
            await asyncio.to_thread(hand.answered, data)
        return calls.answered(status, data)

    async def sit(self, buyin: Money) -> Answer | Refusal:
        return await self.act("command.sit", buyin=cents(buyin, "buyin"))

    async def bet(self, wager: str, amount: Money) -> Answer | Refusal:
        """Put chips up, or more of them."""
        return await self.act("command.bet", wager=wager, amount=cents(amount))

    async def take(self, wager: str, leave: Money = 0) -> Answer | Refusal:
        """Take a wager down, or down to what is left."""
        return await self.act("command.take", wager=wager, leave=cents(leave, "leave") if leave else 0)

    async def roll(self) -> Answer | Refusal:
        """Roll the dice that the house draws."""
        return await self.act("table.roll")

    async def leave(self) -> Answer | Refusal:
        """Leave with what is on the rail."""
        return await self.act("command.leave")

    async def look(self) -> View:
        """The table as it stands."""
        return calls.viewed(await self.client.get(f"/tables/{self.name}"))

    async def seat(self) -> Json:
        """Your own view: every spot with its price and whether it can be bet now."""
        return await self.client.get(f"/tables/{self.name}/seat")

    async def events(self, after: int | None = None) -> AsyncIterator[StreamedEntry]:
        """Every entry after one (else from now on), each once, also over a cut line or a restart of the server."""
        at = (await self.look()).sequence if after is None else after
        while True:
            async with aclosing(self._stream(at)) as stream:  # whoever stops listening leaves nothing open
                async for event in stream:
                    if event.sequence == at + 1:
                        at = event.sequence
                        yield event

    async def _stream(self, after: int) -> AsyncGenerator[StreamedEntry, None]:
        """One stream until it ends; a server that is away is waited for."""
        patience, connected = Patience(self.client.server, self.client.patience_s), False
        path, headers = f"/tables/{self.name}/events", self.client.headers() | {"Last-Event-ID": str(after)}
        while True:
            try:
                async with self.client._http.stream("GET", path, headers=headers, timeout=STREAM_S) as got:  # noqa: SLF001 - the same package
                    if got.status_code == 200:
                        events, connected = Events(), True
                        async for line in got.aiter_lines():
                            event = events.line(line)
                            if event is not None:
                                yield event
                        return
                    if got.status_code not in AGAIN:
                        raise calls.problem(got.status_code, calls.read(await got.aread()))
            except httpx.TransportError:
                if connected:  # a line that is cut after an evening: a server that is away is waited for anew
                    return
            patience.check()
            await asyncio.sleep(patience.next_s())
