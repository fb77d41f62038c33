"""Limits on connections: slow or long request heads, and too many connections from one address, where no proxy does."""

import asyncio
import logging
import time
from collections import Counter
from typing import Any, ClassVar, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from passline.web.limits import Limits
from passline.web.streams import CONNECTION

REPEAT_S = 60.0  # how often the same socket error is logged

HEAD_BYTES_MAX = 32 * 1024
PART_BYTES = HEAD_BYTES_MAX // 2  # how much is parsed before the length of a head is looked at

TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class _Joined:
    """Writes the head of a response with the first part of its body: each write is a packet of its own."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport, self._head = transport, b""

    def write(self, data: bytes) -> None:
        if not self._head:
            if data.startswith(b"HTTP/1.1 100 "):
                self._transport.write(data)
            else:
                self._head = data
            return
        head, self._head = self._head, b""
        self._transport.write(head + data)
        self.write = self._transport.write  # type: ignore[method-assign]

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a transport has
        return getattr(self._transport, name)


class Connection(HttpToolsProtocol):
    """HTTP/1.1 with limits on the time and length of a request's head, and on the connections of one address."""

    limits = Limits()
    behind_proxy = False
    of_address: ClassVar[Counter[str]] = Counter()

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - as Uvicorn has them
        super().__init__(*args, **options)
        self._head_timer: asyncio.TimerHandle | None = None
        self._in_head, self._head_bytes = True, 0  # whether the next head is awaited or half read, and how long it is
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
        for at in range(0, len(data), PART_BYTES):  # so that a long head that comes at once is measured
            part = data[at : at + PART_BYTES]
            super().data_received(part)
            if self._in_head:  # most heads come whole, and need no timer
                self._time_head()
                self._head_bytes += len(part)
                if self._head_bytes >= HEAD_BYTES_MAX and not self.transport.is_closing():
                    self.send_400_response("")
            if self.transport.is_closing():
                return

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True

    def on_headers_complete(self) -> None:
        # The part that ends a head may have a body in it as well, so a head of several parts is measured again.
        if self._head_bytes and len(self.url) + sum(len(n) + len(v) + 4 for n, v in self.headers) >= HEAD_BYTES_MAX:
            self._head_bytes = HEAD_BYTES_MAX
            raise ValueError("the head is too long")  # the parser stops, and `send_400_response` is called
        self._in_head, self._head_bytes = False, 0
        self._stop_timing()
        super().on_headers_complete()
        self.cycle.transport = cast("asyncio.Transport", _Joined(self.transport))
        self.scope.setdefault("extensions", {})[CONNECTION] = {"": self}

    @property
    def is_writable(self) -> bool:
        return not (self.flow.write_paused or self.transport.is_closing())

    def write_part(self, part: bytes) -> None:
        """Writes a part of a response that is sent in chunks, without the layers of ASGI."""
        self.transport.write(b"%x\r\n%b\r\n" % (len(part), part))

    def send_400_response(self, msg: str) -> None:
        if self._head_bytes < HEAD_BYTES_MAX:
            super().send_400_response(msg)
        else:
            self.transport.write(TOO_LONG)
            self.transport.close()

    def _time_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(self.limits.header_s, self.transport.close)

    def _stop_timing(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


def protocol(limits: Limits, *, behind_proxy: bool) -> type[Connection]:
    mine = {"limits": limits, "behind_proxy": behind_proxy, "of_address": Counter[str]()}
    return type("Connection", (Connection,), mine)


class OnceAMinute(logging.Filter):
    """Lets the same message through once a minute: running out of file descriptors logs a thousand lines a second."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        what, now = str(record.msg)[:80], time.monotonic()
        if now - self._last.get(what, -REPEAT_S) < REPEAT_S:
            return False
        self._last[what] = now
        return True
