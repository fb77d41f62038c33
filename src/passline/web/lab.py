"""The routes of the lab: strategies and their blocks, house files and what a change does to every edge."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request
from pydantic import Field
from starlette.responses import Response

from passline.rulebooks.editing import changed, departing, rules_of
from passline.rulebooks.new import new_house
from passline.rulebooks.read import built_in
from passline.strategies.language.blocks import blocks_of, described, written
from passline.strategies.language.read import built_in as library
from passline.strategies.language.read import library as strategies_of
from passline.strategies.language.words import in_words
from passline.strategies.player.where import booked_anywhere, houses_for
from passline.web import models as m
from passline.web import shapes as s
from passline.web.brought import faults, read_file
from passline.web.exchange import said_json, service_of
from passline.web.house import known_house
from passline.web.problems import Problem, no_house

router = APIRouter(tags=["lab"])


class Blocks(m.Asked):
    """A strategy in blocks, and what its file is called."""

    file: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,55}\.toml$", examples=["mine.toml"])]
    blocks: dict[str, Any]


class Change(m.Asked):
    """One value of a house file, and what stands in its place."""

    path: Annotated[list[Annotated[str, Field(max_length=60)]], Field(min_length=1, max_length=8)]
    value: bool | Annotated[int, Field(ge=0, le=10**9)] | Annotated[str, Field(max_length=100)] | list[int]


class Edited(m.File):
    """A house file, the house it is held against, and what is changed in it."""

    like: Annotated[str, Field(max_length=40, examples=["strip"])] = "adelaide"
    changes: Annotated[list[Change], Field(max_length=50, default_factory=list)]


# --- Strategies -----------------------------------------------------------------------------------------------------


@router.get("/strategies", responses={200: {"model": list[s.StrategyListed]}})
async def strategies(request: Request) -> Response:
    """The strategies that come with the program."""

    def work() -> list[dict[str, Any]]:
        return [
            {"strategy": each.id, "name": each.name, "description": each.description, "unit": str(each.unit)}
            for each in strategies_of()
        ]

    return said_json(await service_of(request).run(work))


@router.get("/strategies/{strategy}", responses={200: {"model": s.StrategyView}})
async def strategy_file(request: Request, strategy: str) -> Response:
    """A strategy of the library: its file, its blocks, and what it does in words."""
    if strategy not in library():
        raise Problem(404, "strategy.unknown", f"There is no {strategy} in the library.")

    def work() -> dict[str, Any]:
        text = (files("passline.strategies") / "library" / f"{strategy}.toml").read_text(encoding="utf-8")
        return _told(m.File(file=f"{strategy}.toml", text=text))

    return said_json(await service_of(request).run(work))


@router.get("/strategy-files", responses={200: {"model": s.Language}})
async def strategy_language(request: Request) -> Response:
    """What a strategy file may say, from the words it is read by: numbers, questions, amounts, moves, wagers."""
    return said_json(await service_of(request).run(lambda: described(booked_anywhere())))


@router.post("/strategy-files", responses={200: {"model": s.StrategyView}})
async def strategy_read(
    request: Request,
    asked: Annotated[
        m.File | Blocks,
        Body(
            openapi_examples={
                "blocks": {
                    "value": {
                        "file": "mine.toml",
                        "blocks": {
                            "name": "Mine",
                            "description": "The line.",
                            "want": [{"when": {"kind": "puck", "on": False}, "up": {"pass": 1}}],
                        },
                    }
                }
            }
        ),
    ],
) -> Response:
    """Read a strategy file into blocks, or write one from blocks; every fault with its line."""

    def work() -> dict[str, Any]:
        if isinstance(asked, m.File):
            return _told(asked)
        with faults(""):
            text = written(asked.blocks, asked.file)
        return _told(m.File.model_construct(file=asked.file, text=text), text=text)

    return said_json(await service_of(request).run(work))


def _told(given: m.File, **more: str) -> dict[str, Any]:
    """A file as everything a page shows of it."""
    strategy = read_file(given, **more)
    blocks = blocks_of(tomllib.loads(given.text), {count.name for count in strategy.counts})
    told = {"file": given.file, "text": given.text, "blocks": blocks, "name": strategy.name, "hash": strategy.digest}
    return {**told, "in_words": in_words(strategy), "houses": houses_for(strategy)}


# --- Houses ---------------------------------------------------------------------------------------------------------


@router.get("/houses/{house}/file", responses={200: {"model": s.HouseFileView}})
async def house_file(
    request: Request, house: str, name: Annotated[str, Query(min_length=1, max_length=100)] = "My house"
) -> Response:
    """A new house, begun as a copy of this one under a name of yours, every section explained."""
    known_house(house)
    text = await service_of(request).run(new_house, name, house)
    return said_json({"file": f"{tomllib.loads(text)['id']}.toml", "text": text, "like": house})


@router.post("/house-files", responses={200: {"model": s.HousePriced}})
async def house_priced(
    request: Request,
    asked: Annotated[
        Edited, Body(openapi_examples={"mine": {"value": {"file": "mine.toml", "text": "…", "like": "adelaide"}}})
    ],
) -> Response:
    """Every edge of a house file beside the house it is held against, once the changes are made in its text."""
    service = service_of(request)
    if asked.like not in built_in():
        raise no_house(422)

    def work() -> dict[str, Any]:
        text = asked.text
        if asked.changes:
            with faults(text):
                service.pricer.read(asked.file, text)
                for change in asked.changes:
                    text = changed(text, change.path, change.value, asked.file)
        with faults(text):
            told = service.pricer.price(asked.file, text, asked.like)
        text = departing(text, asked.like)
        return {"file": asked.file, "text": text, **told, "rules": [rule._asdict() for rule in rules_of(text)]}

    return said_json(await service.run(work))
