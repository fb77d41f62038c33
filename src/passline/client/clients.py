"""The two clients: what `calls` says step by step is done by one that waits, and by one that is awaited."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

import httpx

from passline.client import calls
from passline.client.calls import AGAIN, Call, Events, Response, Session, Steps, StreamedEntry, TableSession
from passline.client.hands import Hand
from passline.files.amounts import Money

P = ParamSpec("P")
T = TypeVar("T")
TIMEOUT_S = 30.0


class Waits:
    """One that waits for each answer."""


class Awaits:
    """One that is awaited."""


class Method(Generic[P, T]):
    """What `calls` says step by step, as a method of one that waits and of one that is awaited."""

    def __init__(self, steps: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        self._steps, self.__doc__ = steps, steps.__doc__

    @overload
    def __get__(self, instance: Waits, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, instance: Awaits, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, instance: Any, owner: type) -> Any:
        @wraps(self._steps)
        def done(*args: P.args, **kwargs: P.kwargs) -> Any:  # noqa: ANN401 - what was asked for, or what is awaited
            return instance.run(self._steps(instance, *args, **kwargs))

        return done if instance is not None else self


class ServerCalls(Session):
    send = Method(calls.send)
    get = Method(calls.get)
    post = Method(calls.post)
    sign_in = Method(calls.sign_in)
    lobby = Method(calls.lobby)


class TableCalls(TableSession):
    act = Method(calls.act)
    sit = Method(calls.sit)
    bet = Method(calls.bet)
    take = Method(calls.take)
    roll = Method(calls.roll)
    leave = Method(calls.leave)
    look = Method(calls.look)
    seat = Method(calls.seat)


def _read(got: httpx.Response) -> Response:
    return calls.response(got.status_code, got.content, got.headers.get("Retry-After", "0"))


class Client(ServerCalls, Waits):
    """A client that waits for each answer."""

    def __init__(
        self, server: str, token: str = "", *, patience_s: float = 60.0, hand: bool = True, folder: Path | None = None
    ) -> None:
        """Know a server; `patience_s` is how long it may be away.

        With `hand` whoever bets has a hand in the dice, which is kept in a folder, with what the house signed:
        docs/dice.md.
        """
        super().__init__(server, token, patience_s)
        self._http = httpx.Client(base_url=self.server, timeout=TIMEOUT_S)
        self._hands: dict[str, Hand] | None = {} if hand else None
        self._folder = folder

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def run(self, steps: Steps[T]) -> T:
        """Do what is to be done, step by step."""
        got: Any = None
        while True:
            try:
                step = steps.send(got)
            except StopIteration as done:
                result: T = done.value
                return result
            if isinstance(step, Call):
                self._http.cookies.clear()
                try:
                    got = _read(self._http.request(**step.request(self)))
                except httpx.TransportError as error:
                    got = Response(0, {"detail": str(error)})
            elif isinstance(step, float):
                time.sleep(step)
            else:
                step()

    def hand(self, table: str) -> Hand | None:
        if self._hands is None:
            return None
        if table not in self._hands:
            self._hands[table] = Hand(self, table, self._folder)
        return self._hands[table]

    def practice(
        self, house: str = "adelaide", *, name: str = "Guest", notice: str = "", buyin: Money | None = None
    ) -> ClientTable:
        """Open a practice table and sit down at it."""
        return self.table(self.run(calls.practice(self, house, name, notice, buyin)))

    def come(self, name: str, link: str) -> ClientTable:
        """Come to a table as a guest, by its link."""
        return self.table(self.run(calls.come(self, name, link)))

    def table(self, name: str) -> ClientTable:
        return ClientTable(self, name)


class ClientTable(TableCalls, Waits):
    """A live table, from afar. Amounts that are handed in are money; a refusal is a value."""

    def __init__(self, client: Client, name: str) -> None:
        self.client: Client = client
        self.name, self.run = name, client.run

    def events(self, after: int | None = None, *, idle_s: float = math.inf) -> Iterator[StreamedEntry]:
        """Every entry after one (else from now on), each once, also over a cut line or a restart of the server.

        It ends where nothing was written for `idle_s`.
        """
        events, since = Events(self, self.look().sequence if after is None else after), time.monotonic()
        while True:
            with suppress(httpx.TransportError), self.client._http.stream(**events.request()) as got:  # noqa: SLF001 - its own client's
                if events.is_open(got.status_code):
                    for line in got.iter_lines():
                        if (event := events.line(line)) is not None:
                            yield event
                            since = time.monotonic()
                        elif time.monotonic() - since > idle_s:
                            return
                elif got.status_code not in AGAIN:
                    got.read()
                    raise calls.problem(*_read(got)[:2])
            time.sleep(events.wait_s())


class AsyncClient(ServerCalls, Awaits):
    """The same for programs that do other things meanwhile."""

    def __init__(
        self, server: str, token: str = "", *, patience_s: float = 60.0, hand: bool = True, folder: Path | None = None
    ) -> None:
        super().__init__(server, token, patience_s)
        self._http = httpx.AsyncClient(base_url=self.server, timeout=TIMEOUT_S)
        # For hands, which work in threads.
        self._blocking = Client(self.server, token, patience_s=patience_s, hand=hand, folder=folder)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()
        self._blocking.close()

    async def run(self, steps: Steps[T]) -> T:
        """Do what is to be done, step by step; what blocks in a thread."""
        got: Any = None
        while True:
            try:
                step = steps.send(got)
            except StopIteration as done:
                result: T = done.value
                return result
            if isinstance(step, Call):
                self._http.cookies.clear()
                try:
                    got = _read(await self._http.request(**step.request(self)))
                except httpx.TransportError as error:
                    got = Response(0, {"detail": str(error)})
            elif isinstance(step, float):
                await asyncio.sleep(step)
            else:
                await asyncio.to_thread(step)

    def hand(self, table: str) -> Hand | None:
        self._blocking.token = self.token
        return self._blocking.hand(table)

    async def practice(
        self, house: str = "adelaide", *, name: str = "Guest", notice: str = "", buyin: Money | None = None
    ) -> AsyncTable:
        return self.table(await self.run(calls.practice(self, house, name, notice, buyin)))

    async def come(self, name: str, link: str) -> AsyncTable:
        return self.table(await self.run(calls.come(self, name, link)))

    def table(self, name: str) -> AsyncTable:
        return AsyncTable(self, name)


class AsyncTable(TableCalls, Awaits):
    """The same table, awaited."""

    def __init__(self, client: AsyncClient, name: str) -> None:
        self.client: AsyncClient = client
        self.name, self.run = name, client.run

    async def events(self, after: int | None = None) -> AsyncIterator[StreamedEntry]:
        """As a `ClientTable` has them."""
        events = Events(self, (await self.look()).sequence if after is None else after)
        while True:
            with suppress(httpx.TransportError):
                async with self.client._http.stream(**events.request()) as got:  # noqa: SLF001 - its own client's
                    if events.is_open(got.status_code):
                        async for line in got.aiter_lines():
                            if (event := events.line(line)) is not None:
                                yield event
                    elif got.status_code not in AGAIN:
                        await got.aread()
                        raise calls.problem(*_read(got)[:2])
            await asyncio.sleep(events.wait_s())
