"""The routes of the school: nothing of an exercise is kept here, for its id makes it again, and its answer with it."""

import time
from functools import lru_cache
from random import SystemRandom
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import Field, TypeAdapter

from passline.live.state import Live
from passline.school.exercise import ANSWER_MAX, Exercise, PartGrade, expected, grade
from passline.school.scene import LEVELS, levels
from passline.school.sheet import ScoreSheet, next_seed, next_subject, sheet_of, subjects_of
from passline.school.syllabus import DRILLS, SEED_MAX, exercise, levels_of
from passline.telling.card import sign
from passline.web.auth import Caller, Calling, Router
from passline.web.problems import Problem, too_many
from passline.web.schemas import RequestBody, example, record, view
from passline.web.views import StateView, known_house, state_view

router = Router(tags=["school"])

COST = 4  # an exercise is as much work as so many other requests, and counts as them
KEPT = 256  # Exercises that are at hand when their answers come

Text = Annotated[str, Field(max_length=ANSWER_MAX)]
Level = Annotated[int, Path(ge=1, le=max(LEVELS))]
Seed = Annotated[int, Path(ge=0, le=SEED_MAX)]


class Lesson(RequestBody):
    """What somebody would like to be asked; what is not said, the score sheet says."""

    drill: Annotated[str, Field(max_length=40, examples=["pays"])] | None = None
    level: Annotated[int, Field(ge=1, le=max(LEVELS))] | None = None
    sheet: dict[str, Any] | None = None  # the score sheet, as the last answer told it


class Answered(RequestBody):
    """An answer for each part, and the score sheet that it is written on."""

    answers: Annotated[list[Text], Field(max_length=20, examples=[["14"]])]
    # How long it took; not said where nobody looked at the clock.
    seconds: Annotated[int, Field(ge=0, le=86_400)] | None = None
    sheet: dict[str, Any] | None = None


@record
class DrillView:
    drill: str
    trains: Literal["player", "dealer"]
    says: str
    levels: list[int]


@record
class Syllabus:
    house: str
    name: str
    levels: dict[str, str]
    drills: list[DrillView]


@record
class PartView:
    asks: str
    form: Literal["amount", "count", "choice", "several", "order", "chips"]
    options: list[str]
    chips: list[int]  # the chips of the float in minor units, the largest first, where it is paid in them
    expected: str  # how it is answered


@record
class ExerciseView:
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
    position_lines: list[str]
    state: StateView
    dice: list[int] | None
    asks: str
    parts: list[PartView]


@record
class CitedView:
    id: str
    sentence: str


@record
class ScoreView:
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


@record
class SheetView:
    """A score sheet: yours to keep, and to send with the next answer."""

    passline_school: int
    scores: list[ScoreView]


@record
class Graded:
    """What an answer was worth, how the right one comes about, and the score sheet after it."""

    is_right: bool
    score: int
    of: int
    parts: list[PartGrade]
    why: list[str]
    clauses: list[CitedView]
    sheet: SheetView
    now: int  # the time by which the sheet says what is due


Answers = Annotated[Answered, example("one", answers=["14"], seconds=9)]
EXERCISE, GRADED = TypeAdapter(ExerciseView), TypeAdapter(Graded)


@router.get("/school/{house}")
def syllabus(house: str) -> Syllabus:
    """The drills of a house, and the levels it has them at."""
    opened = known_house(house)
    drills = [view(DrillView, each, drill=each.name, levels=list(levels_of(opened, each))) for each in DRILLS.values()]
    by_level = {str(each): LEVELS[each] for each in levels(opened.layout)}
    return Syllabus(house=opened.id, name=opened.name, levels=by_level, drills=drills)


@router.post("/school/{house}")
def ask_me(call: Calling, house: str, body: Annotated[Lesson, example("pays", drill="pays", level=4)]) -> ExerciseView:
    """The next exercise: what was missed before what is new, as the score sheet says."""
    _pay(call)
    subjects = subjects_of(known_house(house), body.drill, body.level)
    if not subjects:
        no = f"{house} has no such drill at that level; GET /school/{house} lists them."
        raise Problem(404, "school.nothing", no)
    sheet = _sheet(body.sheet)
    subject = next_subject(sheet, subjects, int(time.time()))
    return _exercise_view(_made(house, subject.drill, subject.level, next_seed(sheet, subject, SystemRandom())))


@router.get("/school/{house}/{drill}/{level}/{seed}")
def ask_again(call: Calling, house: str, drill: str, level: Level, seed: Seed) -> ExerciseView:
    """One exercise, the same for everybody: its id is all that it is made from."""
    _pay(call)
    return _exercise_view(_made(house, drill, level, seed))


@router.post("/school/{house}/{drill}/{level}/{seed}")
def grade_me(  # noqa: PLR0913, PLR0917 - an exercise has four names
    call: Calling, house: str, drill: str, level: Level, seed: Seed, body: Answers
) -> Graded:
    """Have an answer graded to the chip, each part on its own, with the clause."""
    _pay(call)
    exercise, now = _made(house, drill, level, seed), int(time.time())
    result = grade(exercise, body.answers)
    sheet = _sheet(body.sheet).after(exercise, result, body.seconds, now)
    return GRADED.validate_python({**result.to_json(), **exercise.answer_json(), "sheet": sheet.to_json(), "now": now})


def _pay(call: Caller) -> None:
    if wait := call.service.requests.take(call.actor.rate_key, COST):
        raise too_many("exercises", wait)


@lru_cache(maxsize=KEPT)
def _made(house: str, drill: str, level: int, seed: int) -> Exercise:
    return exercise(known_house(house), drill, level, seed)


def _sheet(data: dict[str, Any] | None) -> ScoreSheet:
    return ScoreSheet() if data is None else sheet_of(data)


def _exercise_view(exercise: Exercise) -> ExerciseView:
    data, table, layout = exercise.to_json(answers=False), exercise.question.table, exercise.house.layout
    for part, fields in zip(exercise.parts, data["parts"], strict=True):
        fields["expected"] = expected(part)
    more = {"house_name": exercise.house.name, "sign": sign(layout, table.notice), "grain": layout.minor_per_unit}
    state = state_view(layout, Live(table.state, "", "given"))
    return EXERCISE.validate_python({**data, **more, "chips": list(table.chips), "state": state})
