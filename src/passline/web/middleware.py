"""What every request passes before a route is looked for: refusals, limits, the short way of acts, the log."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections import Counter
from datetime import UTC, datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passline.web import streams, tables
from passline.web.acts import act_of
from passline.web.problems import Problem, problem_of, too_many
from passline.web.who import AtTable, admit

if TYPE_CHECKING:
    from passline.web.service import Service

LOG = logging.getLogger("passline.web")

# How much of a key is logged; it stands in the entry too, after the person's name: so a line leads to its entry.
KEY_MAX = 120

# What every answer says to a browser, unless it says so itself.
HEADERS = [
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]

# A body that says both ends in two places: one of those who read it on the way would take the rest for a request.
TWO_ENDS = {b"content-length", b"transfer-encoding"}

ONLY_TLS = (b"strict-transport-security", b"max-age=31536000")  # what it says over TLS: come no other way for a year


ACTS = re.compile(r"/tables/([^/]+)/acts")
KEY = re.compile(r"[!-~]{1,120}")
TOKEN = re.compile(rb"(?:^[Bb]earer |(?:^|[; ])(?:__Host-)?passline=)([!-~]+?)(?:;|$)")

REFUSED_AFTER_S = 0.25  # how long whoever is refused at the door is held: who asks on and on asks as often as that


class Middleware:
    """How long a request may be and take, what is said to browsers, what is counted and logged; acts go the short way.

    An act under a key passes none of the framework.
    """

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app, self.service = app, service
        self._act_route = next(route for route in tables.router.routes if getattr(route, "name", "") == "act")
        self._refused: Counter[str] = Counter()  # what was refused at the door since that was last logged, by its code
        self._logged = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        if headers.keys() >= TWO_ENDS:
            no = Problem(400, "body.two_ends", "A body says once where it ends.", closes=True)
            await no.answer(scope["path"])(scope, receive, send)
            return
        act = ACTS.fullmatch(scope["path"]) if scope["method"] == "POST" else None
        if (problem := self._at_the_door(scope, headers, act and act[1])) is not None:
            await self._refuse(problem, scope, receive, send)
        else:
            await self._let_through(scope, receive, send, act and act[1])

    # --- At the door --------------------------------------------------------------------------------------------------

    def _at_the_door(self, scope: Scope, headers: dict[bytes, bytes], table: str | None) -> Problem | None:
        """Why somebody is refused by what is known without reading anything but the head."""
        service, person = self.service, ""
        for name in (b"cookie", b"authorization"):
            if (value := headers.get(name)) and (token := TOKEN.search(value)):
                known = service.pit.people.tokens.get(token[1].partition(b".")[0].decode("ascii"))
                person = known.person if known else person
        if wait := service.requests.wait(person or (scope["client"] or ("",))[0]):
            return too_many("requests", wait)
        return service.refusal(table, person) if table is not None else None

    async def _refuse(self, problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
        """Count it and answer it, a moment later; the log has the sum, for a flood would drown it."""
        metrics = self.service.metrics
        metrics.refused.labels("door").inc()
        metrics.refusals.labels(problem.code).inc()
        self._refused[problem.code] += 1
        if (now := time.monotonic()) - self._logged > 1:
            for code, count in self._refused.items():
                LOG.warning("refused at the door", extra={"code": code, "count": count, "path": scope["path"]})
            self._refused.clear()
            self._logged = now
        await asyncio.sleep(REFUSED_AFTER_S)
        response = problem.answer(scope["path"])
        response.raw_headers.extend(HEADERS)
        await response(scope, receive, send)

    # --- Acts ---------------------------------------------------------------------------------------------------------

    async def _act(self, table: str, scope: Scope, receive: Receive, send: Send) -> None:
        """An act by the short way."""
        request = Request(scope, receive)
        key = request.headers.get("idempotency-key", "")
        if not KEY.fullmatch(key):  # the framework says what a key is
            await self.app(scope, receive, send)
            return
        scope.update(route=self._act_route, path_params={"table": table})
        try:
            await admit(self.service, request)
            at = AtTable(request, table)
            response = await tables.perform(at, key, await act_of(request), request.headers.get("second-person"))
        except Exception as error:  # noqa: BLE001 - as the framework's handlers
            problem = problem_of(error, scope["path"])
            scope["state"]["code"] = problem.code
            response = problem.answer(scope["path"])
        await response(scope, receive, send)

    # --- Every request ------------------------------------------------------------------------------------------------

    async def _let_through(self, scope: Scope, receive: Receive, send: Send, table: str | None) -> None:
        """Count, limit and log a request, and say to browsers what they may do with the answer.

        An act at `table` goes the short way, everything else by the framework.
        """
        began, status = time.perf_counter(), 0
        request = scope.setdefault("state", {})["request"] = token_hex(8)
        most, read, whole = self.service.limits.body_bytes_max, 0, False

        async def counted() -> Message:
            nonlocal read, whole
            if whole:  # what comes now is that somebody leaves
                return await receive()
            left = self.service.limits.body_s - (time.perf_counter() - began)
            try:
                async with asyncio.timeout(left):
                    message = await receive()
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
            await (self._act(table, scope, counted, responded) if table else self.app(scope, counted, responded))
            if stream := scope["state"].get("stream"):
                await responded({"type": "http.response.start", "status": 200, "headers": streams.HEADERS})
                await stream.run(receive, send)
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
        if not LOG.isEnabledFor(logging.INFO):
            return
        asker, headers = state.get("asker"), dict(scope["headers"])
        about = {
            "request": state.get("request"),
            "route": name,
            "status": status,
            "ms": round(took * 1000, 1),
            "person": state.get("came") or (asker.id if asker else None),
            "address": scope["client"][0] if scope.get("client") else None,
            "table": scope.get("path_params", {}).get("table"),
            "act": state.get("act"),
            "key": headers.get(b"idempotency-key", b"").decode("latin-1")[:KEY_MAX] or None,
            "code": code,
        }
        LOG.info("answered", extra={name: value for name, value in about.items() if value is not None})


class JsonLines(logging.Formatter):
    """A log for programs: one JSON object a line, never a body, a header or a token."""

    FIELDS = (
        *("request", "route", "status", "ms", "person", "address", "table", "act", "key", "code"),
        *("path", "count", "error", "version", "journal", "at"),
    )

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat()
        line = {"time": time, "level": record.levelname.lower(), "message": record.getMessage()}
        line |= {name: getattr(record, name) for name in self.FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)
