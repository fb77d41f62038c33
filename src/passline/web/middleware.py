"""What every request passes before a route is looked for, and the log: one JSON object a line."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from datetime import UTC, datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from fastapi.routing import APIRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passline.web.problems import Problem

if TYPE_CHECKING:
    from passline.web.service import Service

LOG = logging.getLogger("passline.web")

KEY_MAX = 120
"""How much of a key is logged; it stands in the entry too, after the person's name: so a line leads to its entry."""

HEADERS = [
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]
"""What every answer says to a browser, unless it says so itself."""

TWO_ENDS = {b"content-length", b"transfer-encoding"}
"""A body that says both ends in two places: one of those who read it on the way would take the rest for a request."""

ONLY_TLS = (b"strict-transport-security", b"max-age=31536000")
"""What it says over TLS: come no other way for a year."""


class Middleware:
    """How long a request may be and take, what is said to browsers, what is counted and logged."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app, self.service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif {name for name, _ in scope["headers"]} >= TWO_ENDS:
            no = Problem(400, "body.two_ends", "A body says once where it ends.", closes=True)
            await no.answer(scope["path"])(scope, receive, send)
        else:
            await self._let_through(scope, receive, send)

    async def _let_through(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count, limit and log a request, and say to browsers what they may do with the answer."""
        began, status = time.perf_counter(), 0
        request = scope.setdefault("state", {})["request"] = token_hex(8)
        most, read, whole = self.service.limits.body_bytes_max, 0, False

        async def counted() -> Message:
            nonlocal read, whole
            if whole:  # what comes now is that somebody leaves
                return await receive()
            left = self.service.limits.body_s - (time.perf_counter() - began)
            try:
                message = await asyncio.wait_for(receive(), left)
            except TimeoutError:
                most_s = self.service.limits.body_s
                raise Problem(408, "body.slow", f"A body comes within {most_s:g} s.", closes=True) from None
            whole = not message.get("more_body", False)
            read += len(message.get("body", b""))
            if read > most:
                raise Problem(413, "body.too_long", f"A body has at most {most} bytes.")
            return message

        async def responded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ())]
                names = {name.lower() for name, _ in headers}
                more = [*HEADERS, ONLY_TLS] if scope["scheme"] == "https" else HEADERS
                headers.append((b"x-request-id", request.encode()))
                message["headers"] = headers + [each for each in more if each[0] not in names]
            await send(message)

        try:
            await self.app(scope, counted, responded)
        except Problem as problem:
            if status:
                raise
            await problem.answer(scope["path"])(scope, receive, responded)
        finally:
            self._write_down(scope, status, time.perf_counter() - began)

    def _write_down(self, scope: Scope, status: int, took: float) -> None:
        """Count and log what was answered, and how long that took; a stream lasts as long as somebody reads."""
        route, state = scope.get("route"), scope.get("state", {})
        name = f"{scope['method']} {route.path}" if isinstance(route, APIRoute) else "unknown"
        self.service.metrics.requests.labels(name, str(status)).inc()
        if not name.endswith("/events"):
            self.service.metrics.seconds.labels(name).observe(took)
        if code := state.get("code"):
            self.service.metrics.refusals.labels(code).inc()
        asker, headers = state.get("asker"), dict(scope["headers"])
        about = {
            "request": state.get("request"),
            "route": name,
            "status": status,
            "ms": round(took * 1000, 1),
            "person": asker.id if asker else None,
            "address": scope["client"][0] if scope.get("client") else None,
            "table": scope.get("path_params", {}).get("table"),
            "key": headers.get(b"idempotency-key", b"").decode("latin-1")[:KEY_MAX] or None,
            "code": code,
        }
        LOG.info("answered", extra={name: value for name, value in about.items() if value is not None})


class JsonLines(logging.Formatter):
    """A log for programs: one JSON object a line, never a body, a header or a token."""

    FIELDS = (
        *("request", "route", "status", "ms", "person", "address", "table", "key", "code"),
        *("path", "error", "version", "journal", "at"),
    )

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat()
        line = {"time": time, "level": record.levelname.lower(), "said": record.getMessage()}
        line |= {name: getattr(record, name) for name in self.FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)
