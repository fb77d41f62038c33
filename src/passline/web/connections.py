"""Connections at the door: slow heads and too many of one address end there, for a laptop evening has no proxy."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from passline.web.limits import Limits

ONCE_S = 60.0
"""How often the same trouble of the sockets is logged."""


class Connection(H11Protocol):
    """HTTP/1.1 with a time for the head of a request, and so many connections of one address."""

    limits = Limits()
    behind_proxy = False
    of_address: ClassVar[Counter[str]] = Counter()

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - as Uvicorn has them
        super().__init__(*args, **options)
        self._late: asyncio.TimerHandle | None = None
        self._address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody comes."""
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self.of_address[self._address] += 1
        if not self.behind_proxy and self.of_address[self._address] > self.limits.connections_each_max:
            transport.close()
        else:
            self._time_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody goes."""
        super().connection_lost(exc)
        self.of_address[self._address] -= 1
        if not self.of_address[self._address]:
            del self.of_address[self._address]
        self._stop_timing()

    def data_received(self, data: bytes) -> None:
        """Some bytes of a request."""
        super().data_received(data)
        self._time_head()

    def _time_head(self) -> None:
        """Begin to wait for the rest of a head, or stop: it is there."""
        cycle = getattr(self, "cycle", None)
        if self.conn.their_state is not h11.IDLE or (cycle is not None and not cycle.response_complete):
            self._stop_timing()
        elif self._late is None:
            self._late = self.loop.call_later(self.limits.header_s, self.transport.close)

    def _stop_timing(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def protocol(limits: Limits, *, behind_proxy: bool) -> type[Connection]:
    """The protocol of one server."""
    mine = {"limits": limits, "behind_proxy": behind_proxy, "of_address": Counter[str]()}
    return type("Connection", (Connection,), mine)


class OnceAMinute(logging.Filter):
    """Lets the same trouble through once a minute: a full table of descriptors is told a thousand times a second."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is logged."""
        what, now = str(record.msg)[:80], time.monotonic()
        if now - self._last.get(what, -ONCE_S) < ONCE_S:
            return False
        self._last[what] = now
        return True
