"""The service put together: routes, who may use them, what is answered when something is wrong."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.routing import APIRoute
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from passline import __version__
from passline.live.people import of_route
from passline.web import floor, houses, lab, night, pages, people, rail, replays, school, streams, tables
from passline.web.auth import guard
from passline.web.automation import run_countdowns
from passline.web.middleware import Middleware
from passline.web.problems import add_to
from passline.web.schemas import ProblemDetails
from passline.web.service import Service

SCHEMAS = "#/components/schemas/"
AS_PROBLEM = {"application/json": {"schema": {"$ref": f"{SCHEMAS}ProblemDetails"}}, "application/problem+json": {}}
PROBLEMS: dict[str, dict[str, Any]] = {
    str(status): {"description": text, "content": AS_PROBLEM}
    for status, text in (
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
    """The description of all this; made in a thread, for it takes longer than any act."""
    app: App = request.app
    file = app.packed or await app.state.service.run(app.describe)
    return pages.send(request, file)


# What is asked most comes first: a route is looked for in this order.
ROUTERS = (
    *(each.router for each in (tables, pages, houses, rail, replays, floor, night, people, lab, school)),
    floor.crew,
    meta,
)


def routes() -> list[str]:
    """Every route: `POST /tables/{table}/acts`."""
    every = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    return sorted(f"{method} {route.path}" for route in every for method in route.methods or ())


class App(FastAPI):
    """What every route may answer besides is described once; the framework would keep a model of it for each route."""

    entrance: Middleware
    packed: pages.File | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Every request passes the middleware, which stands before all layers of the framework."""
        scope["app"] = self
        await self.entrance(scope, receive, send)

    def describe(self) -> pages.File:
        self.packed = pages.file(".json", json.dumps(self.openapi(), ensure_ascii=False).encode())
        return self.packed

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is not None:
            return self.openapi_schema
        described = super().openapi()
        schemas = described["components"]["schemas"]
        del schemas["HTTPValidationError"], schemas["ValidationError"]  # ours say more
        problem = ProblemDetails.model_json_schema(ref_template=f"{SCHEMAS}{{model}}")
        schemas |= {**problem.pop("$defs"), "ProblemDetails": problem}
        for field in (*schemas["Fault"]["properties"].values(), *problem["properties"].values()):
            field.pop("default", None)  # what is None is left out
        for path in described["paths"].values():
            for operation in path.values():
                operation["responses"] |= PROBLEMS
        return described


def make_app(service: Service) -> App:
    """The whole service; a route that is in no matrix of permissions stops it here."""

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        work = (service.watch(), run_countdowns(service), streams.supervise(service), service.run(_warm))
        tasks = [asyncio.create_task(each) for each in work]

        def ended(task: asyncio.Task[None]) -> None:
            """Without a watcher streams are silent, without the clock bets stay open."""
            if not task.cancelled() and (error := task.exception()) is not None:
                service.fail(f"a task of the service died: {error!r}")

        for task in tasks:
            task.add_done_callback(ended)
        yield
        service.stop()
        await asyncio.wait(tasks, timeout=3)
        for task in tasks:
            task.cancel()
        service.close()

    app = App(
        title="Passline",
        version=__version__,
        description="Craps, played exactly by the book. Amounts are minor units: 1000 is ten dollars.",
        lifespan=life,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        dependencies=[Depends(guard)],
        separate_input_output_schemas=False,
    )
    app.state.service = service
    for route in routes():
        of_route(route)
    for router in ROUTERS:
        app.include_router(router)
    add_to(app)
    app.add_middleware(GZipMiddleware, minimum_size=1_000, compresslevel=5)
    app.entrance = Middleware(super(App, app).__call__, service)
    return app


def _warm() -> None:
    """Read what everybody's first look asks for: the page and the houses."""
    pages.built()
    houses.houses()
