"""What the crew of a table sees besides its felt: signs with their times, readings, disputes, reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from passline.pit.reports.books import Book, book
from passline.pit.reports.sheets import window
from passline.web import models as m
from passline.web.tables import said_json, service_of
from passline.web.views import signs

if TYPE_CHECKING:
    from passline.pit.pit import Pit
    from passline.pit.reports.sheets import Sheet
    from passline.pit.table import LiveTable

router = APIRouter(tags=["box"])


class CauseView(m.Told):
    """What spoils a throw here, and what is done about it."""

    reason: str
    handling: str
    clause: str


class DisputeView(m.Told):
    """Something that somebody does not accept."""

    dispute: int
    person: str
    stands: str
    decided_by: str
    promotion: str


class FloorView(m.Told):
    """What the crew of a table knows."""

    now: str
    roll: int | None
    """The number of a roll that is announced."""
    read_by: str | None
    """Who has read its dice already; not what."""
    last_roll: int
    """The entry of the last roll, which can be struck out."""
    no_roll: list[CauseView]
    duty: dict[str, str]
    limits_sign: m.LimitsSignView | None
    closing_sign: m.ClosingSignView | None
    inspector_told: str
    disputes: list[DisputeView]
    barred: list[str]


class ReportView(m.Told):
    """Rows of a report; amounts are text."""

    report: str
    columns: list[str]
    rows: list[list[str | int | None]]
    notes: list[str]


@router.get("/tables/{table}/floor", responses={200: {"model": FloorView}})
async def look_at_floor(request: Request, table: str) -> Response:
    """What the crew of a table knows: signs, who is on duty, a reading that waits, disputes."""
    service = service_of(request)
    return said_json(await service.run(lambda: _floor_view(service.pit, service.pit.seen(table))))


def _floor_view(pit: Pit, table: LiveTable) -> dict[str, Any]:
    live, floor, announced = table.live, table.live.floor, table.live.announced
    causes = table.layout.book.no_roll.causes
    return {
        "now": pit.now(),
        "roll": announced and announced.roll,
        "read_by": announced.reading.actor if announced and announced.reading else None,
        "last_roll": live.last_roll,
        "no_roll": [{"reason": flaw, "handling": how.value, "clause": how.clause} for flaw, how in causes.items()],
        "duty": dict(floor.duty),
        **signs(table.layout, floor),
        "inspector_told": floor.inspector_told,
        "disputes": [
            {"dispute": number, **{name: getattr(each, name) for name in DISPUTED}}
            for number, each in floor.disputes.items()
        ],
        "barred": list(floor.barred),
    }


DISPUTED = ("person", "stands", "decided_by", "promotion")
"""What is told of a dispute."""


Time = Annotated[str, Query(max_length=40, examples=["2026-11-15T20:00:00Z"])]


@router.get("/tables/{table}/reports/{report}", responses={200: {"model": ReportView}})
async def read_report(  # noqa: PLR0913, PLR0917 - what a query says
    request: Request,
    table: str,
    report: Book,
    since: Time = "",
    until: Time = "",
    as_csv: bool = False,  # noqa: FBT001, FBT002 - as above
) -> Response:
    """A book of the table: its shift, drop, hold by wager or by hour, voids, significant events."""
    service = service_of(request)
    sheet = await service.run(book, service.pit.journal, report, [table], window(since, until))
    return _told(sheet, f"{table}-{report}.csv", as_csv=as_csv)


@router.get("/reports/{report}", responses={200: {"model": ReportView}})
async def read_house_report(
    request: Request,
    report: Book,
    since: Time = "",
    until: Time = "",
    as_csv: bool = False,  # noqa: FBT001, FBT002 - as above
) -> Response:
    """A book of the whole house: all its tables, its floor, and who was named what."""
    service = service_of(request)
    sheet = await service.run(book, service.pit.journal, report, (), window(since, until))
    return _told(sheet, f"{report}.csv", as_csv=as_csv)


def _told(sheet: Sheet, name: str, *, as_csv: bool) -> Response:
    if as_csv:
        named = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(sheet.to_csv(), media_type="text/csv; charset=utf-8", headers=named)
    return said_json({**sheet.to_json(), "columns": sheet.columns, "rows": sheet.rows})
