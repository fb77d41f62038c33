"""The two clients: what `calls` says step by step is done by one that waits, and by one that is awaited."""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx

from passline.client import calls
from passline.client.calls import Awaits, Events, ServerCalls, Steps, StreamedEntry, TableCalls, Waits
from passline.client.hands import Hand
from passline.errors import ServiceError
from passline.files.arguments import instance

T = TypeVar("T")
TIMEOUT_S = 30.0


def _check_open(http: httpx.Client | httpx.AsyncClient) -> None:
    if http.is_closed:
        raise ServiceError(0, "client.closed", "This client was closed: make another")


def _read(got: httpx.Response) -> calls.Response:
    return calls.response(got.status_code, got.content, got.headers.get("Retry-After", "0"))


class Client(ServerCalls["ClientTable"], Waits):
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
        self._folder = None if folder is None else instance("folder", folder, Path, "the Path of a folder")

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
            if isinstance(step, calls.Call):
                request = step.request(self)
                _check_open(self._http)
                self._http.cookies.clear()
                try:
                    got = _read(self._http.request(**request))
                except httpx.TransportError as error:
                    got = calls.Response(0, calls.Data(detail=str(error)))
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

    def table(self, name: str) -> "ClientTable":
        return ClientTable(self, name)


class ClientTable(TableCalls, Waits):
    def __init__(self, client: Client, name: str) -> None:
        super().__init__(name)
        self.client: Client = client
        self.run = client.run

    def events(
        self, after: int | None = None, *, idle_s: float = math.inf, line: Callable[[bool], object] = lambda _open: None
    ) -> Iterator[StreamedEntry]:
        """Every entry after one (else from now on), each once, also over a cut line or a restart of the server.

        It ends where nothing was written for `idle_s`; `line` hears when the line is open, and when it is cut.
        """
        idle = calls.seconds("idle_s", idle_s)
        events, since = Events(self, self.look().sequence if after is None else after, line), time.monotonic()
        while True:
            _check_open(self.client._http)  # noqa: SLF001 - its own client's
            with suppress(httpx.TransportError), self.client._http.stream(**events.request()) as got:  # noqa: SLF001
                if events.is_open(got.status_code):
                    for text in got.iter_lines():
                        if (event := events.line(text)) is not None:
                            yield event
                            since = time.monotonic()
                        elif time.monotonic() - since > idle:
                            return
                elif got.status_code not in calls.AGAIN:
                    got.read()
                    raise calls.problem(*_read(got)[:2])
            time.sleep(events.wait_s())


class AsyncClient(ServerCalls[Coroutine[Any, Any, "AsyncTable"]], Awaits):
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
            if isinstance(step, calls.Call):
                request = step.request(self)
                _check_open(self._http)
                self._http.cookies.clear()
                try:
                    got = _read(await self._http.request(**request))
                except httpx.TransportError as error:
                    got = calls.Response(0, calls.Data(detail=str(error)))
            elif isinstance(step, float):
                await asyncio.sleep(step)
            else:
                await asyncio.to_thread(step)

    def hand(self, table: str) -> Hand | None:
        self._blocking.token = self.token
        return self._blocking.hand(table)

    def table(self, name: str) -> "AsyncTable":
        return AsyncTable(self, name)


class AsyncTable(TableCalls, Awaits):
    def __init__(self, client: AsyncClient, name: str) -> None:
        super().__init__(name)
        self.client: AsyncClient = client
        self.run = client.run

    async def events(self, after: int | None = None) -> AsyncIterator[StreamedEntry]:
        """As a `ClientTable` has them."""
        events = Events(self, (await self.look()).sequence if after is None else after)
        while True:
            _check_open(self.client._http)  # noqa: SLF001 - its own client's
            with suppress(httpx.TransportError):
                async with self.client._http.stream(**events.request()) as got:  # noqa: SLF001 - its own client's
                    if events.is_open(got.status_code):
                        async for line in got.aiter_lines():
                            if (event := events.line(line)) is not None:
                                yield event
                    elif got.status_code not in calls.AGAIN:
                        await got.aread()
                        raise calls.problem(*_read(got)[:2])
            await asyncio.sleep(events.wait_s())
