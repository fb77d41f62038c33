"""The routes of the school: nothing of an exercise is kept here, for its id makes it again, and its answer with it."""

from __future__ import annotations

import time
from functools import lru_cache
from random import SystemRandom
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Path, Request
from pydantic import Field
from starlette.responses import Response

from passline.pit.live import Live
from passline.school.exercise import Exercise
from passline.school.grading import ANSWER_MAX, expected, grade
from passline.school.levels import LEVELS, levels
from passline.school.sheet import ScoreSheet, next_seed, next_subject, sheet_of, subjects_of
from passline.school.syllabus import DRILLS, SEED_MAX, exercise, levels_of
from passline.telling.card import sign
from passline.web import models as m
from passline.web.exchange import said_json, service_of
from passline.web.house import known_house
from passline.web.problems import Problem, too_many
from passline.web.views import state_view
from passline.web.who import asker_of

router = APIRouter(tags=["school"])

COST = 4
"""An exercise is as much work as so many other requests, and counts as them."""

KEPT = 256
"""Exercises that are at hand when their answers come."""

Text = Annotated[str, Field(max_length=ANSWER_MAX)]
Level = Annotated[int, Path(ge=1, le=max(LEVELS))]
Seed = Annotated[int, Path(ge=0, le=SEED_MAX)]


class Lesson(m.Asked):
    """What somebody would like to be asked; what is not said, the score sheet says."""

    drill: Annotated[str, Field(max_length=40, examples=["pays"])] | None = None
    level: Annotated[int, Field(ge=1, le=max(LEVELS))] | None = None
    sheet: dict[str, Any] | None = None
    """The score sheet, as the last answer told it."""


class Answered(m.Asked):
    """An answer for each part, and the score sheet that it is written on."""

    answers: Annotated[list[Text], Field(max_length=20, examples=[["14"]])]
    seconds: Annotated[int, Field(ge=0, le=86_400)] | None = None
    """How long it took; not said where nobody looked at the clock."""
    sheet: dict[str, Any] | None = None


class DrillView(m.Told):
    """One drill, and the levels a house has it at."""

    drill: str
    trains: Literal["player", "dealer"]
    says: str
    levels: list[int]


class Syllabus(m.Told):
    """What can be learnt in a house."""

    house: str
    name: str
    levels: dict[str, str]
    drills: list[DrillView]


class PartView(m.Told):
    """One thing that is asked."""

    asks: str
    form: Literal["amount", "count", "choice", "several", "order", "chips"]
    options: list[str]
    chips: list[int]
    """The chips of the float in grains, the largest first, where it is paid in them."""
    expected: str
    """How it is answered."""


class ExerciseView(m.Told):
    """An exercise, without its answer."""

    exercise: str
    house: str
    house_name: str
    drill: str
    level: int
    seed: int
    position: str
    sign: str
    grain: int
    chips: list[int]
    told: list[str]
    """The position in words."""
    state: m.StateView
    dice: list[int] | None
    asks: str
    parts: list[PartView]


class GradeView(m.Told):
    """One part as it was answered."""

    asks: str
    given: str
    right: str
    is_right: bool
    says: str
    """What a wrong answer was near to."""


class CitedView(m.Told):
    """A clause, and what it says."""

    id: str
    sentence: str


class ScoreView(m.Told):
    """How one subject stands; times are seconds."""

    house: str
    drill: str
    level: int
    asked: int
    right: int
    parts: int
    parts_right: int
    timed: int
    seconds: int
    best_seconds: int | None
    rung: int
    due: int
    missed: list[int]


class SheetView(m.Told):
    """A score sheet: yours to keep, and to send with the next answer."""

    passline_school: int
    scores: list[ScoreView]


class Graded(m.Told):
    """What an answer was worth, how the right one comes about, and the score sheet after it."""

    is_right: bool
    score: int
    of: int
    parts: list[GradeView]
    why: list[str]
    clauses: list[CitedView]
    sheet: SheetView
    now: int
    """The time by which the sheet says what is due."""


@router.get("/school/{house}", responses={200: {"model": Syllabus}})
async def syllabus(request: Request, house: str) -> Response:
    """The drills of a house, and the levels it has them at."""
    return said_json(await service_of(request).run(_syllabus, house))


@router.post("/school/{house}", responses={200: {"model": ExerciseView}})
async def ask_me(
    request: Request,
    house: str,
    wanted: Annotated[Lesson, Body(openapi_examples={"pays": {"value": {"drill": "pays", "level": 4}}})],
) -> Response:
    """The next exercise: what was missed before what is new, as the score sheet says."""
    _pay(request)
    return said_json(await service_of(request).run(_next, house, wanted))


@router.get("/school/{house}/{drill}/{level}/{seed}", responses={200: {"model": ExerciseView}})
async def ask_again(request: Request, house: str, drill: str, level: Level, seed: Seed) -> Response:
    """One exercise, the same for everybody: its id is all that it is made from."""
    _pay(request)
    return said_json(await service_of(request).run(lambda: _view(_made(house, drill, level, seed))))


@router.post("/school/{house}/{drill}/{level}/{seed}", responses={200: {"model": Graded}})
async def grade_me(  # noqa: PLR0913, PLR0917 - an exercise has four names
    request: Request,
    house: str,
    drill: str,
    level: Level,
    seed: Seed,
    given: Annotated[Answered, Body(openapi_examples={"one": {"value": {"answers": ["14"], "seconds": 9}}})],
) -> Response:
    """Have an answer graded to the chip, each part on its own, with the clause."""
    _pay(request)
    return said_json(await service_of(request).run(lambda: _graded(_made(house, drill, level, seed), given)))


def _pay(request: Request) -> None:
    """Count an exercise as the work it is."""
    if wait := service_of(request).requests.take(asker_of(request).counted, COST):
        raise too_many("exercises", wait)


def _syllabus(house: str) -> dict[str, Any]:
    opened = known_house(house)
    return {
        "house": opened.id,
        "name": opened.name,
        "levels": {str(each): LEVELS[each] for each in levels(opened.layout)},
        "drills": [
            {"drill": each.name, "trains": each.trains, "says": each.says, "levels": list(levels_of(opened, each))}
            for each in DRILLS.values()
        ],
    }


@lru_cache(maxsize=KEPT)
def _made(house: str, drill: str, level: int, seed: int) -> Exercise:
    return exercise(known_house(house), drill, level, seed)


def _next(house: str, wanted: Lesson) -> dict[str, Any]:
    """The subject that is due, and a seed nobody can know."""
    subjects = subjects_of(known_house(house), wanted.drill, wanted.level)
    if not subjects:
        raise Problem(
            404, "school.nothing", f"{house} has no such drill at that level; GET /school/{house} lists them."
        )
    sheet = _sheet(wanted.sheet)
    subject = next_subject(sheet, subjects, int(time.time()))
    return _view(_made(house, subject.drill, subject.level, next_seed(sheet, subject, SystemRandom())))


def _sheet(told: dict[str, Any] | None) -> ScoreSheet:
    return ScoreSheet() if told is None else sheet_of(told)


def _view(found: Exercise) -> dict[str, Any]:
    told, table = found.to_json(answers=False), found.asked.table
    for part, shown in zip(found.parts, told["parts"], strict=True):
        shown["expected"] = expected(part)
    return {
        **told,
        "house_name": found.house.name,
        "sign": sign(found.house.layout, table.notice),
        "grain": found.house.layout.grain,
        "chips": list(table.chips),
        "state": state_view(found.house.layout, Live(table.state, "", "given")),
    }


def _graded(found: Exercise, given: Answered) -> dict[str, Any]:
    found_grade, now = grade(found, given.answers), int(time.time())
    after = _sheet(given.sheet).after(found, found_grade, given.seconds, now)
    return {**found_grade.to_json(), **found.answer_json(), "sheet": after.to_json(), "now": now}
