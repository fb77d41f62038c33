"""Limits on connections: slow or long request heads, and too many connections from one address, where no proxy does."""

import asyncio
import logging
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from functools import partial
from typing import Any, ClassVar, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

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
        self.is_closing, self.close = transport.is_closing, transport.close

    def write(self, data: bytes) -> None:
        if not self._head and not data.startswith(b"HTTP/1.1 100 "):
            self._head = data
        else:
            self._transport.write(self._head + data)
            if self._head:
                self.write = self._transport.write  # type: ignore[method-assign]


class _Exchange:
    """An act that is asked at once, in the place of Uvicorn's cycle of a request and its response."""

    __slots__ = ("disconnected", "keep_alive", "response_complete")

    def __init__(self, *, keep_alive: bool) -> None:
        self.keep_alive, self.disconnected, self.response_complete = keep_alive, False, False

    @property
    def message_event(self) -> "_Exchange":
        return self

    def set(self) -> None:
        """Nobody waits for more of the request."""


AtOnce = Callable[[Any, bytes, Callable[[bytes, bytes, bool], None]], bool]  # `Middleware.act_at_once`
ACT = re.compile(rb"/tables/[a-z0-9_.-]+/acts")


class Connection(HttpToolsProtocol):
    """HTTP/1.1 with limits on the time and length of a request's head, and on the connections of one address."""

    limits = Limits()
    behind_proxy = False
    at_once: AtOnce | None = None
    of_address: ClassVar[Counter[str]] = Counter()

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - as Uvicorn has them
        super().__init__(*args, **options)
        self._head_timer: asyncio.TimerHandle | None = None
        self._in_head, self._head_bytes = True, 0  # whether the next head is awaited or half read, and how long it is
        self._address = ""
        self._whole: list[bytes] | None = None  # the body of an act, as far as it came with its head
        self._running: RequestResponseCycle | None = None  # what the app answers, though more may have been asked since

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
        if self._running is not None and not self._running.response_complete:  # Uvicorn tells the last that was asked
            self._running.disconnected = True
            self._running.message_event.set()
        self.of_address[self._address] -= 1
        if not self.of_address[self._address]:
            del self.of_address[self._address]
        self._stop_timing()

    def data_received(self, data: bytes) -> None:
        for at in range(0, len(data), PART_BYTES):  # so that a long head that comes at once is measured
            part = data[at : at + PART_BYTES]
            super().data_received(part)
            if self._whole is not None:
                self._leave_to_app()
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
        if self._may_be_at_once():
            self._whole = []
        else:
            self._begin()

    def _begin(self) -> None:
        before: RequestResponseCycle | None = self.cycle
        super().on_headers_complete()
        if before is None or before.response_complete:
            self._running = self.cycle
        if self.cycle is not before and self.parser.get_method() != b"HEAD":  # whose answer has no body
            self.cycle.transport = cast("asyncio.Transport", _Joined(self.transport))
        self.scope.setdefault("extensions", {})[CONNECTION] = {"": self}

    def on_response_complete(self) -> None:
        if self.pipeline:
            self._running = self.pipeline[-1][0]
        super().on_response_complete()

    # --- Acts, without ASGI -------------------------------------------------------------------------------------------

    def _may_be_at_once(self) -> bool:
        """Whether this is an act, and nothing else is to be done for its connection or before it."""
        before: RequestResponseCycle | None = self.cycle
        return (
            self.at_once is not None
            and self.parser.get_method() == b"POST"
            and ACT.fullmatch(self.url) is not None
            and (before is None or before.response_complete)
            and self.parser.get_http_version() == "1.1"
            and not (self.expect_100_continue or self.parser.should_upgrade() or self.flow.write_paused)
            and max(len(self.connections), len(self.tasks)) < (self.limit_concurrency or sys.maxsize)
        )

    def on_body(self, body: bytes) -> None:
        if self._whole is None:
            super().on_body(body)
        else:
            self._whole.append(body)

    def on_message_complete(self) -> None:
        if self._whole is not None:
            if self._is_asked_at_once(b"".join(self._whole)):
                self._whole = None
                return
            self._leave_to_app()
        super().on_message_complete()

    def _leave_to_app(self) -> None:
        parts, self._whole = self._whole or (), None
        self._begin()
        for part in parts:
            super().on_body(part)

    def _is_asked_at_once(self, body: bytes) -> bool:
        scope: Any = self.scope
        scope |= {"method": "POST", "path": self.url.decode()}
        if self.behind_proxy:
            _see_through_proxies(self.app, scope)
        exchange = _Exchange(keep_alive=self.parser.should_keep_alive())
        assert self.at_once is not None, "an act is asked at once where somebody takes it"
        if not self.at_once(scope, body, partial(self._send, exchange)):
            return False
        self.cycle = cast("RequestResponseCycle", exchange)
        return True

    def _send(self, exchange: _Exchange, head: bytes, body: bytes, closes: bool) -> None:  # noqa: FBT001 - as it is called
        exchange.response_complete = True
        if exchange.disconnected or self.transport.is_closing():
            return
        closes = closes or not exchange.keep_alive
        more = [b"%b: %b\r\n" % each for each in self.server_state.default_headers]
        end = b"connection: close\r\n\r\n" if closes else b"\r\n"
        self.transport.write(b"".join((head, *more, end, body)))
        if closes:
            self.transport.close()
        self.on_response_complete()

    @property
    def is_writable(self) -> bool:
        return not (self.flow.write_paused or self.transport.is_closing())

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


def _see_through_proxies(app: Any, scope: Any) -> None:  # noqa: ANN401 - ASGI
    """Have Uvicorn's middleware say in the scope who asks, where a proxy that is believed does."""

    async def nobody(*_: object) -> None:
        """Stands for the app."""

    seer = copy(app)
    seer.app = nobody
    with suppress(StopIteration):
        seer(scope, None, None).send(None)


def protocol(limits: Limits, *, behind_proxy: bool, at_once: AtOnce | None = None) -> type[Connection]:
    """`at_once` is who is asked for acts without the layers of ASGI, where somebody is."""
    taken = None if at_once is None else staticmethod(at_once)
    mine = {"limits": limits, "behind_proxy": behind_proxy, "at_once": taken, "of_address": Counter[str]()}
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
