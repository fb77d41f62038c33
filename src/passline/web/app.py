"""The service put together: routes, who may use them, what is answered when something is wrong."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.routing import APIRoute
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passline import __version__
from passline.pit.people.powers import of_route
from passline.web import (
    beside,
    box,
    countdown,
    evening,
    floor,
    house,
    lab,
    models,
    pages,
    persons,
    problems,
    questions,
    rail,
    replays,
    roles,
    school,
    streams,
    tables,
)
from passline.web.problems import Problem
from passline.web.who import guard

if TYPE_CHECKING:
    from passline.web.service import Service

LOG = logging.getLogger("passline.web")

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

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Problem, "description": said, "content": {"application/problem+json": {}}}
    for status, said in (
        (400, "No JSON."),
        (401, "No token, or one that does not count."),
        (403, "Not with this role."),
        (404, "Nothing there, or nothing that is yours to see."),
        (409, "Refused, with code, sentence and clause."),
        (408, "The body did not come in time."),
        (413, "Too long."),
        (421, "By a name that this server does not have."),
        (422, "Not what was expected, each fault with its place."),
        (429, "Too often."),
        (503, "Ask again."),
    )
}

meta = APIRouter(tags=["house"])


@meta.get("/openapi.json", include_in_schema=False)
async def description(request: Request) -> Response:
    """The description of all this."""
    return JSONResponse(request.app.openapi())


ROUTERS = (
    tables.router,
    pages.router,
    house.router,
    beside.router,
    rail.router,
    evening.router,
    replays.router,
    box.router,
    floor.router,
    persons.router,
    roles.router,
    questions.router,
    lab.router,
    school.router,
    meta,
)
"""What is asked most comes first: a route is looked for in this order."""


def routes() -> list[str]:
    """Every route: `POST /tables/{table}/acts`."""
    found = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    return sorted(f"{method} {route.path}" for route in found for method in route.methods or ())


def make_app(service: Service) -> FastAPI:
    """The whole service; a route that is in no matrix of powers stops it here."""

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        watching = asyncio.create_task(service.watch())
        clock = asyncio.create_task(countdown.run(service))
        looking = asyncio.create_task(streams.look_after(service))
        warming = asyncio.create_task(service.run(_warm))
        tasks = (watching, clock, looking, warming)
        for task in tasks:
            task.add_done_callback(_ended)
        yield
        service.stop()
        await asyncio.wait(tasks, timeout=3)
        for task in tasks:
            task.cancel()
        service.close()

    app = FastAPI(
        title="Passline",
        version=__version__,
        description="Craps, played exactly by the book. Amounts are grains: 1000 is ten dollars.",
        lifespan=life,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        dependencies=[Depends(guard)],
        responses=PROBLEMS,
        separate_input_output_schemas=False,
    )
    app.state.service = service
    for route in routes():
        of_route(route)
    for router in ROUTERS:
        app.include_router(router)
    problems.add_to(app)
    app.add_middleware(Door, service=service)
    return app


def _warm() -> None:
    """Read what everybody's first look asks for: the page and the houses."""
    pages.built()
    house.house_lines()


def _ended(task: asyncio.Task[None]) -> None:
    """A watcher that died would leave streams silent, a clock bets open: say so loudly."""
    if not task.cancelled() and task.exception() is not None:
        LOG.critical("a watcher died", exc_info=task.exception())


class Door:
    """What every request passes: how long it may be, what is said to browsers, what is counted and written down."""

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

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                given = [*message.get("headers", ())]
                said = {name.lower() for name, _ in given}
                more = [*HEADERS, ONLY_TLS] if scope["scheme"] == "https" else HEADERS
                message["headers"] = given + [each for each in more if each[0] not in said]
            await send(message)

        try:
            await self.app(scope, counted, told)
        except Problem as problem:
            if status:
                raise
            await problem.answer(scope["path"])(scope, receive, told)
        finally:
            self._write_down(scope, status, time.perf_counter() - began)

    def _write_down(self, scope: Scope, status: int, took: float) -> None:
        """Count and log what was answered, and how long that took."""
        route = scope.get("route")
        name = f"{scope['method']} {route.path}" if isinstance(route, APIRoute) else "unknown"
        self.service.metrics.requests.labels(name, str(status)).inc()
        self.service.metrics.seconds.labels(name).observe(took)
        asker = scope.get("state", {}).get("asker")
        about = {"route": name, "status": status, "ms": round(took * 1000, 1), "person": asker.id if asker else None}
        LOG.info("answered", extra=about)


class JsonLines(logging.Formatter):
    """A log for programs: one JSON object a line, never a body, a header or a token."""

    FIELDS = ("route", "status", "ms", "person", "path", "error")

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat()
        told = {"time": time, "level": record.levelname.lower(), "said": record.getMessage()}
        told |= {name: getattr(record, name) for name in self.FIELDS if hasattr(record, name)}
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return json.dumps(told, default=str)
