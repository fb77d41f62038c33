"""What the crew of a table sees besides its felt: signs with their times, readings, disputes, reports."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, cast

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from passline.codec import from_data
from passline.floor.events import FloorEvent
from passline.journal.entries import read_entry
from passline.pit.pit import Pit
from passline.pit.reports.books import Book, book
from passline.pit.reports.sheets import window
from passline.pit.table import LiveTable
from passline.rulebooks.catalogue import clause
from passline.telling.floor import readings_differ, say_floor
from passline.web import models as m
from passline.web.exchange import said_json, service_of
from passline.web.views import signs

router = APIRouter(tags=["box"])


class CauseView(m.Told):
    """What spoils a throw here, and what is done about it."""

    reason: str
    handling: str
    clause: str
    says: str
    """What the clause says."""


class DisputeView(m.Told):
    """Something that somebody does not accept."""

    dispute: int
    person: str
    stands: str
    decided_by: str
    promotion: str
    said: list[str]
    """What it is about, and what was decided."""


class FloorView(m.Told):
    """What the crew of a table knows."""

    now: str
    roll: int | None
    """The number of a roll that is announced."""
    read_by: str | None
    """Who has read its dice already; not what."""
    held: str | None
    """Why a roll that two people have read is held."""
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
    rules = table.layout.book
    causes, said = rules.no_roll.causes, _said_of(table) if floor.disputes else {}
    return {
        "now": pit.now(),
        "roll": announced and announced.roll,
        "read_by": announced.reading.actor if announced and announced.reading else None,
        "held": _held(table),
        "last_roll": live.last_roll,
        "no_roll": [
            {
                "reason": flaw,
                "handling": how.value,
                "clause": how.clause,
                "says": clause(how.clause, rules.clauses).sentence,
            }
            for flaw, how in causes.items()
        ],
        "duty": dict(floor.duty),
        **signs(table.layout, floor),
        "inspector_told": floor.inspector_told,
        "disputes": [
            {"dispute": number, **{name: getattr(each, name) for name in DISPUTED}, "said": said.get(number, [])}
            for number, each in floor.disputes.items()
        ],
        "barred": list(floor.barred),
    }


DISPUTED = ("person", "stands", "decided_by", "promotion")
"""What is told of a dispute."""


READINGS_MAX = 20
"""Entries back to which the readings of a roll are looked for: while it is announced little else happens."""


def _held(table: LiveTable) -> str | None:
    """What two people read of the roll that is announced, where they differ and nobody has read it again."""
    announced, end = table.live.announced, table.head.sequence
    if announced is None or announced.reading is not None:
        return None
    last = [read_entry(line) for line in table.journal.lines(table.name, max(end - READINGS_MAX, 0), end)]
    for entry in reversed(last):
        if entry.kind == "dice_disagreed" and entry.body["roll"] == announced.roll:
            return readings_differ(entry.body["readings"])
    return None


def _said_of(table: LiveTable) -> dict[int, list[str]]:
    """What was said of each dispute at a table, in order."""
    said: dict[int, list[str]] = {}
    for line in table.journal.lines(table.name):
        if b'"dispute":' in line:
            for data in read_entry(line).body.get("floor", ()):
                if "dispute" in data:
                    told = say_floor(table.layout, table.live.table, cast("FloorEvent", from_data(data)), None)
                    said.setdefault(data["dispute"], []).append(told)
    return said


Time = Annotated[str, Query(max_length=40, examples=["2026-11-15T20:00:00Z"])]


class Wanted(NamedTuple):
    """Which part of a book somebody wants, and how."""

    since: str
    until: str
    as_csv: bool


def wanted(since: Time = "", until: Time = "", as_csv: bool = False) -> Wanted:  # noqa: FBT001, FBT002 - what a query says
    return Wanted(since, until, as_csv)


Asked = Annotated[Wanted, Depends(wanted)]


SHEET: dict[int | str, dict[str, Any]] = {
    200: {"model": ReportView, "content": {"text/csv": {"schema": {"type": "string"}}}}
}
"""A report in the two ways it can be asked for."""


@router.get("/tables/{table}/reports/{report}", responses=SHEET)
async def read_report(request: Request, table: str, report: Book, asked: Asked) -> Response:
    """A book of the table: its shift, drop, hold by wager or by hour, voids, significant events."""
    return await _report(request, report, asked, table)


@router.get("/reports/{report}", responses=SHEET)
async def read_house_report(request: Request, report: Book, asked: Asked) -> Response:
    """A book of the whole house: all its tables, its floor, and who was named what."""
    return await _report(request, report, asked)


async def _report(request: Request, report: Book, asked: Wanted, *tables: str) -> Response:
    service = service_of(request)
    sheet = await service.run(book, service.pit.journal, report, tables, window(asked.since, asked.until))
    if asked.as_csv:
        named = {"Content-Disposition": f'attachment; filename="{"-".join((*tables, report))}.csv"'}
        return Response(sheet.to_csv(), media_type="text/csv; charset=utf-8", headers=named)
    return said_json({**sheet.to_json(), "columns": sheet.columns, "rows": sheet.rows})
