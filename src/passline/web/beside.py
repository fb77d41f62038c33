"""The houses side by side: what they do differently, and what each keeps of which wager; and a first lesson in each."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.house import House
from passline.odds.compare import compare
from passline.rulebooks.model import says
from passline.sitting.lessons import FirstLesson, lessons
from passline.telling.card import habits
from passline.telling.figures import percent
from passline.web import models as m
from passline.web import shown
from passline.web.exchange import said_json, service_of
from passline.web.house import house_lines, known_house

router = APIRouter(tags=["house"])

AT_THE_TABLE = ("points", "notice", "money", "betting", "shooter", "dice", "no_roll")
"""What of a house a player meets."""


class Way(m.Told):
    """What one house does, and the clause that says so."""

    value: str
    clause: str


class Difference(m.Told):
    """Something that not all houses do alike."""

    path: str
    says: str
    houses: dict[str, Way]


class Kept(m.Told):
    """What one house pays on a wager, and keeps of it."""

    name: str
    prices: list[str]
    edge: str
    """For people: `1.41 %`."""
    exact: str
    """The same as a fraction."""


class Priced(m.Told):
    """One wager in every house that offers it."""

    wager: str
    houses: dict[str, Kept]
    best: list[str]
    """Who keeps least of it."""
    worst: list[str]
    """Who keeps most."""
    alike: bool


class Differences(m.Told):
    """The houses side by side."""

    houses: list[shown.HouseLine]
    ways: list[Difference]
    wagers: list[Priced]


@router.get("/differences", responses={200: {"model": Differences}})
async def differences(request: Request) -> Response:
    """What the houses do differently, each with its clause, and every wager's price and edge in each of them."""
    return said_json(await service_of(request).run(_differences))


@router.get("/houses/{house}/lessons", responses={200: {"model": list[FirstLesson]}})
async def first_lessons(request: Request, house: str) -> Response:
    """A first visit: the line, then odds, come and place, as far as the house has them."""
    return said_json(await service_of(request).run(_lessons, known_house(house)))


def _lessons(house: House) -> list[dict[str, Any]]:
    return [asdict(each) for each in lessons(house)]


@cache
def _differences() -> dict[str, Any]:
    return {
        "houses": house_lines(),
        "ways": _ways(),
        "wagers": [_priced(key, each) for key, each in compare().items()],
    }


def _ways() -> list[dict[str, Any]]:
    found: dict[str, dict[str, dict[str, str]]] = {}
    houses = House.all()
    for house in houses:
        for habit in habits(house.book):
            if habit.path.split(".")[0] in AT_THE_TABLE:
                found.setdefault(habit.path, {})[house.id] = {"value": habit.value, "clause": habit.clause}
    return [
        {"path": path, "says": says(path), "houses": ways}
        for path, ways in found.items()
        if len(ways) < len(houses) or len({way["value"] for way in ways.values()}) > 1
    ]


def _priced(key: str, compared: Any) -> dict[str, Any]:  # noqa: ANN401 - a Comparison
    kept = {
        house: {
            "name": odds.name,
            "prices": list(odds.prices),
            "edge": percent(compared.edges[house]),
            "exact": str(compared.edges[house]),
        }
        for house, odds in compared.odds.items()
    }
    return {
        "wager": key,
        "houses": kept,
        "best": list(compared.best),
        "worst": list(compared.worst),
        "alike": compared.is_alike,
    }
