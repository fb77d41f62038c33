"""The middleware around every request: limits, security headers, the direct path of acts, metrics and the log."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache, partial
from http import HTTPStatus
from random import Random
from typing import TYPE_CHECKING

from fastapi.routing import APIRoute
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passline.live.state import HOUSE_FLOOR
from passline.web import streams, tables
from passline.web.acts import ActRequest, act_in
from passline.web.auth import Actor, AtTable, admit, admit_act, at_hand, counted
from passline.web.network import is_from_network
from passline.web.problems import Problem, no_table, problem_of, too_many

if TYPE_CHECKING:
    from passline.web.service import Service

LOG = logging.getLogger("passline.web")

# How much of an idempotency key is logged; the entry has it too, after the person's name, so a line leads to its entry.
KEY_MAX = 120

# Headers of every response that does not set them itself.
HEADERS = [
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]

# Said twice, a proxy and this server could each take another: whom it is for, who asks, under which key.
ONCE = tuple(b"host transfer-encoding authorization idempotency-key content-type origin second-person".split())

HSTS = (b"strict-transport-security", b"max-age=31536000")  # over TLS alone


REQUEST_IDS = Random()  # noqa: S311 - names of requests are no secrets, and the system's own dice cost a call each

DIRECT = re.compile(r"POST /tables/([^/]+)/acts|GET /tables/([^/]+)/events")  # what passes no layer of the framework
SEQUENCE = re.compile(r"[0-9]{1,15}")
KEY = re.compile(r"[!-~]{1,120}")
COOKIE = re.compile(rb"(?:^|[; ])(?:__Host-)?passline=([!-~]+?)(?:;|$)")

REJECT_DELAY_S = 0.25  # how long a rejection is held back, so that whoever floods us is slowed down


def _token(authorization: bytes) -> bytes:
    return authorization[7:].strip() if authorization[:7].lower() == b"bearer " else b""


def _cookie(headers: dict[bytes, bytes]) -> bytes:
    match = COOKIE.search(headers.get(b"cookie", b""))
    return match[1] if match else b""


def _ambiguous(scope: Scope, headers: dict[bytes, bytes]) -> Problem | None:
    """Why a proxy and this server could read a request otherwise, or neither whom it is for."""
    if (coding := headers.get(b"transfer-encoding")) is not None:
        if b"content-length" in headers:
            detail = "Send either Content-Length or Transfer-Encoding, not both."
            return Problem(400, "body.two_ends", detail, closes=True)
        if coding.strip().lower() != b"chunked":
            detail = "A body is read as it is or chunked, in no other coding."
            return Problem(501, "body.coding", detail, closes=True)
    if b"host" not in headers and scope["http_version"] == "1.1":
        return Problem(400, "host.missing", "Say whom you ask: HTTP/1.1 sends a Host.", closes=True)
    if len(headers) == len(scope["headers"]):
        return None
    names = [name for name, _ in scope["headers"]]
    twice = next((name for name in ONCE if names.count(name) > 1), None)
    if twice is None:
        return None
    return Problem(400, "header.twice", f"Send {twice.decode().title()} once.", closes=True)


Respond = Callable[[Request, str], Awaitable[Response | None]]  # at a table; None where the framework does it


class Middleware:
    """Limits, logs and counts requests, and adds headers for browsers.

    An act with an idempotency key, and a stream, are handled here, without the layers of the framework.
    """

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app, self.service = app, service
        self._routes = {route.name: route for route in tables.router.routes if isinstance(route, APIRoute)}
        self._refused: Counter[str] = Counter()  # by code: what was rejected since that was last logged
        self._logged = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        if (no := _ambiguous(scope, headers)) is not None:
            await no.answer(scope["path"])(scope, receive, send)
            return
        direct = DIRECT.fullmatch(f"{scope['method']} {scope['path']}")
        acts, events = direct.groups() if direct is not None else (None, None)
        if (problem := self._rejection(scope, headers, acts)) is not None:
            await self._reject(problem, scope, receive, send)
        elif acts or events:
            await self._handle(partial(self._direct, self._act if acts else self._follow), scope, receive, send)
        else:
            await self._handle(self.app, scope, receive, send)

    # --- Rejections ---------------------------------------------------------------------------------------------------

    def _rejection(self, scope: Scope, headers: dict[bytes, bytes], table: str | None) -> Problem | None:
        """Why a request is rejected before its body is read."""
        service = self.service
        person = self._person(_token(headers.get(b"authorization", b""))) or self._person(_cookie(headers))
        if wait := service.requests.wait(person or (scope["client"] or ("",))[0]):
            return too_many("requests", wait)
        return service.refusal(table, person) if table is not None else None

    def _person(self, token: bytes) -> str:
        """Whose token this would be, if its secret part is right; that is checked later."""
        known = self.service.pit.people.tokens.get(token.partition(b".")[0].decode("latin-1")) if token else None
        return known.person if known else ""

    async def _reject(self, problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
        """Responds after a delay; the log gets one line a second for each code, so that no flood drowns it."""
        metrics = self.service.metrics
        metrics.refused.labels("door").inc()
        metrics.refusals.labels(problem.code).inc()
        self._refused[problem.code] += 1
        if (now := time.monotonic()) - self._logged > 1:
            for code, count in self._refused.items():
                LOG.warning("rejected", extra={"code": code, "count": count, "path": scope["path"]})
            self._refused.clear()
            self._logged = now
        await asyncio.sleep(REJECT_DELAY_S)
        response = problem.answer(scope["path"])
        response.raw_headers.extend(HEADERS)
        await response(scope, receive, send)

    # --- Acts and streams, without the layers of the framework --------------------------------------------------------

    async def _direct(self, respond: Respond, scope: Scope, receive: Receive, send: Send) -> None:
        request, table = Request(scope, receive), scope["path"].split("/")[2]
        try:
            scope["path_params"] = {"table": table}
            response = await respond(request, table)
        except Exception as error:  # noqa: BLE001 - as the framework's handlers
            problem = self._concealed(getattr(request.state, "actor", None), table, problem_of(error, scope["path"]))
            scope["state"]["code"] = problem.code
            response = problem.answer(scope["path"])
        await (self.app if response is None else response)(scope, receive, send)

    async def _act(self, request: Request, table: str) -> Response | None:
        key = request.headers.get("idempotency-key", "")
        if not KEY.fullmatch(key):  # the framework's validation says what is wrong with it
            return None
        request.scope["route"] = self._routes["act"]
        await admit_act(self.service, request, table)
        at = AtTable(request, table)
        act = act_in(request.headers.get("content-type", ""), await _body(request.receive))
        return await tables.perform(at, key, act, request.headers.get("second-person"))

    def act_at_once(self, scope: Scope, body: bytes, send: Callable[[bytes, bytes, bool], None]) -> bool:
        """Has an act done whose request came whole, and sends its answer: no task, and no layer of ASGI in between.

        `send` takes the head of the answer, its body, and whether the connection ends with it. False, and nothing has
        happened, where anything is out of the ordinary: then it is asked of the app.
        """
        service, headers, table = self.service, dict(scope["headers"]), scope["path"].split("/")[2]
        key = headers.get(b"idempotency-key", b"").decode("latin-1")
        odd = len(headers) < len(scope["headers"]) or b"host" not in headers or b"transfer-encoding" in headers
        odd = odd or len(body) > service.limits.body_bytes_max
        away = service.network is not None and is_from_network(HTTPConnection(scope))
        hosted = service.pit.people.hosted.get(table)
        if odd or away or not KEY.fullmatch(key) or not service.pit.is_open(table) or table == HOUSE_FLOOR:
            return False
        if hosted is not None and hosted.company:  # its regulars have their turns around the act
            return False
        actor = at_hand(service, headers, scope["scheme"], (scope["client"] or ("",))[0])
        if actor is None or service.requests.wait(actor.id):
            return False
        try:
            act = act_in(headers.get(b"content-type", b"").decode("latin-1"), body)
        except Exception:  # noqa: BLE001 - the app says what is wrong
            return False
        began, request = time.perf_counter(), b"%016x" % REQUEST_IDS.getrandbits(64)

        def finish(line: bytes, error: Exception | None) -> None:
            status, fields, answer, closes = 200, JSON, line, False
            try:
                status = counted(service, act.kind, line, error)
            except Exception as raised:  # noqa: BLE001 - as above
                problem = self._concealed(actor, table, problem_of(raised, scope["path"]))
                response, scope["state"]["code"] = problem.answer(scope["path"]), problem.code
                status, answer, closes = response.status_code, bytes(response.body), "connection" in response.headers
                fields = tuple(each for each in response.raw_headers if each[0] not in WRITTEN)
            head = _head(status, fields, scope["scheme"])
            send(b"%bx-request-id: %b\r\ncontent-length: %d\r\n" % (head, request, len(answer)), answer, closes)
            self._record(scope, status, time.perf_counter() - began)

        second = headers.get(b"second-person")
        asked = ActRequest(service.pit, actor, act, key, second and second.decode("latin-1"))
        if not service.ask_at_once(table, asked, actor.id, finish):
            return False
        scope["state"] |= {"actor": actor, "act": act.kind, "request": request.decode()}
        scope["route"], scope["path_params"] = self._routes["act"], {"table": table}
        service.requests.take(actor.id)
        return True

    async def _follow(self, request: Request, table: str) -> Response | None:
        query, last = request.query_params, request.headers.get("last-event-id")
        after, view = query.get("after"), query.get("view", "whole")
        numbers = all(each is None or SEQUENCE.fullmatch(each) for each in (after, last))
        if not numbers or view not in ("whole", "brief") or query.keys() - {"after", "view"}:
            return None
        request.scope["route"] = self._routes["follow"]
        await admit(self.service, request)
        at, begin = AtTable(request, table), None if after is None else int(after)
        return await tables.follow(at, begin, "brief" if view == "brief" else "whole", last)

    def _concealed(self, actor: Actor | None, table: str, problem: Problem) -> Problem:
        """The problem; of a table that they may not see, whoever asks learns only that there is none for them."""
        if problem.code == "permission.missing":
            self.service.metrics.refused.labels("permission").inc()
        return problem if actor is None or self.service.sees(actor.id, table) else no_table()

    # --- Every request ------------------------------------------------------------------------------------------------

    async def _handle(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), 0
        request = scope.setdefault("state", {})["request"] = f"{REQUEST_IDS.getrandbits(64):016x}"
        most, read, whole = self.service.limits.body_bytes_max, 0, False

        async def counted() -> Message:
            nonlocal read, whole
            if whole:  # the next message says that the client has left
                return await receive()
            message = await self._receive(receive, began)
            whole = not message.get("more_body", False)
            read += len(message.get("body", b""))
            if read > most:
                raise Problem(413, "body.too_long", f"A body may have at most {most} bytes.")
            return message

        async def responded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ())]
                names = {name.lower() for name, _ in headers}
                headers.append((b"x-request-id", request.encode()))
                message["headers"] = headers + [each for each in _headers(scope) if each[0] not in names]
            await send(message)

        try:
            await app(scope, counted, responded)
            if stream := scope["state"].get("stream"):
                await responded({"type": "http.response.start", "status": 200, "headers": streams.HEADERS})
                await stream.run(receive, send)
        except Problem as problem:
            if status:
                raise
            await problem.answer(scope["path"])(scope, receive, responded)
        finally:
            self._record(scope, status, time.perf_counter() - began)

    async def _receive(self, receive: Receive, began: float) -> Message:
        """The next part of a body, within the time that a body may take; that somebody left is no failure of ours."""
        seconds = self.service.limits.body_s
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds - (time.perf_counter() - began)):
                message = await receive()
                if message["type"] != "http.disconnect":
                    return message
        raise Problem(408, "body.slow", f"A body must arrive within {seconds:g} s.", closes=True)

    def _record(self, scope: Scope, status: int, took: float) -> None:
        """Counts and logs a response; the duration of a stream says nothing, and is left out."""
        route, state = scope.get("route"), scope.get("state", {})
        name = f"{scope['method']} {route.path}" if isinstance(route, APIRoute) else "unknown"
        metrics = self.service.metrics
        metrics.requests_by(name, str(status)).inc()
        if not name.endswith("/events"):
            metrics.seconds_by(name).observe(took)
        if code := state.get("code"):
            metrics.refusals.labels(code).inc()
        if not LOG.isEnabledFor(logging.INFO):
            return
        actor, headers = state.get("actor"), dict(scope["headers"])
        about = {
            "request": state.get("request"),
            "route": name,
            "status": status,
            "ms": round(took * 1000, 1),
            "person": state.get("newcomer") or (actor.id if actor else None),
            "address": scope["client"][0] if scope.get("client") else None,
            "table": scope.get("path_params", {}).get("table"),
            "act": state.get("act"),
            "key": headers.get(b"idempotency-key", b"").decode("latin-1")[:KEY_MAX] or None,
            "code": code,
        }
        LOG.info("answered", extra={name: value for name, value in about.items() if value is not None})


def _headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    return [*HEADERS, HSTS] if scope["scheme"] == "https" else HEADERS


Fields = tuple[tuple[bytes, bytes], ...]
JSON: Fields = ((b"content-type", b"application/json"),)
WRITTEN = (b"content-length", b"connection")  # what is written of each answer by itself


@lru_cache(maxsize=256)
def _head(status: int, fields: Fields, scheme: str) -> bytes:
    """How an answer begins that is written without the layers of ASGI."""
    every = (*fields, *_headers({"scheme": scheme}))
    begin = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n".encode()
    return begin + b"".join(b"%b: %b\r\n" % each for each in every)


async def _body(receive: Receive) -> bytes:
    parts, more = [], True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON; never a body, a header or a token."""

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
