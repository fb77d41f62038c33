"""Connections at the door: slow or long heads, too many of one address end there, for a laptop evening has no proxy."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from passline.web.limits import Limits

ONCE_S = 60.0  # how often the same trouble of the sockets is logged

HEAD_BYTES_MAX = 32 * 1024

TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Connection(HttpToolsProtocol):
    """HTTP/1.1 with a time and a length for the head of a request, and so many connections of one address."""

    limits = Limits()
    behind_proxy = False
    of_address: ClassVar[Counter[str]] = Counter()

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - as Uvicorn has them
        super().__init__(*args, **options)
        self._late: asyncio.TimerHandle | None = None
        self._head_bytes = 0  # how long the head that has begun is; none has where nobody is timed
        self._address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self.of_address[self._address] += 1
        if not self.behind_proxy and self.of_address[self._address] > self.limits.connections_each_max:
            transport.close()
        else:
            self._time_head()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.of_address[self._address] -= 1
        if not self.of_address[self._address]:
            del self.of_address[self._address]
        self._stop_timing()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._late is not None:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES_MAX and not self.transport.is_closing():
                self.transport.write(TOO_LONG)
                self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._time_head()

    def on_headers_complete(self) -> None:
        self._stop_timing()
        super().on_headers_complete()

    def _time_head(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(self.limits.header_s, self.transport.close)

    def _stop_timing(self) -> None:
        self._head_bytes = 0
        if self._late is not None:
            self._late.cancel()
            self._late = None


def protocol(limits: Limits, *, behind_proxy: bool) -> type[Connection]:
    mine = {"limits": limits, "behind_proxy": behind_proxy, "of_address": Counter[str]()}
    return type("Connection", (Connection,), mine)


class OnceAMinute(logging.Filter):
    """Lets the same trouble through once a minute: a full table of descriptors is told a thousand times a second."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        what, now = str(record.msg)[:80], time.monotonic()
        if now - self._last.get(what, -ONCE_S) < ONCE_S:
            return False
        self._last[what] = now
        return True
