"""The routes of the house: lobby, rule cards, odds, health, what is counted, the whole journal for inspectors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from passline.house import House
from passline.journal.export import exported
from passline.rulebooks.read import built_in
from passline.sitting.door import menu
from passline.telling.card import sign
from passline.web import models as m
from passline.web import shown
from passline.web.exchange import said_json, service_of
from passline.web.pricing import posted
from passline.web.problems import Problem, no_house
from passline.web.views import house_view, odds_view

if TYPE_CHECKING:
    from passline.web.service import Service

router = APIRouter(tags=["house"])


@router.get("/health", responses={200: {"model": m.Health}})
async def health() -> Response:
    """Whether the process is alive."""
    return said_json({"alive": True})


@router.get("/ready", responses={200: {"model": m.Ready}})
async def ready(request: Request) -> Response:
    """Whether requests should be sent here: the journal answers, and others' entries are heard of."""
    service = service_of(request)
    await service.run(service.pit.journal.ends)
    if not service.watching or service.stopping.is_set():
        raise Problem(503, "service.starting", "Not ready yet, or not any more.", retry_after_s=1)
    return said_json({"ready": True})


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(request: Request) -> Response:
    """What the service counts, for Prometheus."""
    return Response(service_of(request).metrics.text(), media_type="text/plain; version=0.0.4")


@router.get("/houses", responses={200: {"model": list[shown.HouseLine]}})
async def houses(request: Request) -> Response:
    """The houses that can be played in."""
    return said_json(await service_of(request).run(house_lines))


def house_lines() -> list[dict[str, Any]]:
    """Every house in a line, and what it posts."""
    return [{"house": house, "name": name, "line": line, **posted(House(house))} for house, name, line in menu()]


@router.get("/houses/{house}", responses={200: {"model": shown.HouseView}})
async def house_card(request: Request, house: str) -> Response:
    """A house's rule card, every value with its clause, and the plan of its felt."""
    return said_json(await service_of(request).run(lambda: house_view(known_house(house))))


@router.get("/houses/{house}/odds", responses={200: {"model": shown.OddsView}})
async def house_odds(request: Request, house: str) -> Response:
    """Every wager of a house: chances, edge per bet made, decided and rolled, as exact fractions."""
    return said_json(await service_of(request).run(lambda: odds_view(known_house(house))))


def known_house(house: str) -> House:
    """A house by its id, or a problem."""
    if house not in built_in():
        raise no_house()
    return HOUSES.setdefault(house, House(house))


HOUSES: dict[str, House] = {}
"""One of each, so that what is worked out once stays known."""


@router.get("/lobby", responses={200: {"model": list[m.Listed]}})
async def lobby(request: Request) -> Response:
    """The tables that are open to everybody."""
    service = service_of(request)
    return said_json(await service.run(open_tables, service))


def open_tables(service: Service) -> list[dict[str, Any]]:
    """The tables that are listed and not over, each in a few words."""
    found = []
    for hosted in tuple(service.pit.people.hosted.values()):  # others are opened meanwhile
        if not hosted.listed or service.pit.journal.head(hosted.table) is None:
            continue
        table = service.pit.table(hosted.table)
        if table.live.over is None:
            state = table.live.table
            found.append(
                {
                    "table": hosted.table,
                    "house": table.layout.book.id,
                    "house_name": table.layout.book.name,
                    "host": service.pit.people.persons[hosted.host].name,
                    "sign": sign(table.layout, state.notice),
                    "dice": table.live.dice,
                    "seats": len(state.seats),
                    "puck": state.puck,
                }
            )
    return found


@router.get("/journal/{stream}", response_class=Response, responses={200: {"content": {"application/jsonl": {}}}})
async def journal(request: Request, stream: str) -> Response:
    """A journal whole, of a table, the `cage` or the `people`, as `passline verify` checks it."""
    service = service_of(request)
    if await service.run(service.pit.journal.head, stream) is None:
        raise Problem(404, "table.unknown", "There is no such stream.")

    def lines() -> Iterator[bytes]:
        for line in exported(service.pit.journal, [stream], sign=service.pit.keys.sign, time=service.pit.now()):
            yield line + b"\n"

    return StreamingResponse(lines(), media_type="application/jsonl")
