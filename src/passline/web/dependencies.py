"""What routes take and answer alike: who asks, at which table, under which key; entries as they stand, cookies."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from fastapi import Depends, Header, Request
from starlette.background import BackgroundTask
from starlette.responses import Response

from passline.journal.contract import kind_in, read_entry
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.web.problems import refused
from passline.web.streams import Broadcast
from passline.web.who import SECURE_COOKIE, Asker, asker_of, cookie_of

if TYPE_CHECKING:
    from passline.web.service import Service

T = TypeVar("T")

Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=120,
        pattern=r"^[!-~]+$",
        description="Your name for this act: sent again under it, it is done once and answered the same.",
        examples=["6c1e2a0c-1"],
    ),
]
Approval = Annotated[
    str | None, Header(alias="Second-Person", max_length=200, description="The approval of a second person.")
]


class Caller:
    """Who asks the service, and the service that is asked."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.service: Service = request.app.state.service
        self.asker: Asker = asker_of(request)

    @property
    def pit(self) -> Pit:
        return self.service.pit

    async def run(self, work: Callable[..., T], *args: Any) -> T:  # noqa: ANN401 - whatever it takes
        """Do something that may wait for a disk, in a thread; it counts for as much as it takes."""
        return await self.service.run_for(self.asker.counted, work, *args)

    async def look_back(self, work: Callable[..., T], *args: object) -> T:
        """What `work` makes of the journal: worked out where nobody deals, at a price."""
        return await self.service.look_back(self.asker.counted, work, *args)


class AtTable(Caller):
    """Who asks about one table."""

    def __init__(self, request: Request, table: str) -> None:
        super().__init__(request)
        self.table = table

    def live(self) -> LiveTable:
        """The table as it is to be seen now; in a thread."""
        return self.pit.seen(self.table)

    def seat(self) -> int | None:
        """Where whoever asks sits; in a thread."""
        return self.service.seat_of(self.table, self.asker.id)

    async def broadcast(self) -> Broadcast:
        """The table's last entries."""
        return (await self.service.desk(self.table)).broadcast


async def _caller(request: Request) -> Caller:  # a coroutine, for the framework gives anything else to a thread
    return Caller(request)


async def _at_table(request: Request, table: str) -> AtTable:
    return AtTable(request, table)


Calling = Annotated[Caller, Depends(_caller)]
At = Annotated[AtTable, Depends(_at_table)]


def entry_response(service: Service, kind: str, line: bytes, after: BackgroundTask | None = None) -> Response:
    """The entry that answers an act, byte for byte as it is stored; a refusal is raised as the problem that it is."""
    done = kind_in(line)
    service.metrics.acts.labels(kind, done).inc()
    if done == "refused":
        raise refused(read_entry(line))
    if done == "rolled":
        service.metrics.rolls.inc()
    waits = kind == "table.roll" and done == "bets_closed"  # for the values of hands: asked again, there is a roll
    return Response(line, 202 if waits else 200, media_type="application/json", background=after)


def set_cookie(request: Request, response: Response, token: str) -> None:
    """The token as a cookie too, for browsers, whose event streams carry no header."""
    if token:
        name = cookie_of(request)
        secure = name == SECURE_COOKIE
        response.set_cookie(name, token, max_age=7 * 86_400, httponly=True, samesite="lax", secure=secure)
