"""The score sheet: what was asked and answered in each house, drill and level, and when to ask it again.

The times between are Leitner's, whose boxes are rungs here, for a box watches a table. Exercises are made anew from a
seed, so what is remembered together, a subject, is a house, a drill and a level; exercises that were missed wait there
and are asked again. SM-2 would want the learner's own word on how hard each was to remember; here an answer is right to
the chip or it is not, which is all that Leitner asks for, and a student is told the rule in a sentence: right moves a
subject that is due one rung up, wrong puts it back on the first.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from passline.codec.shapes import Misfit, shape_of
from passline.errors import ArgumentError, SheetError, short_repr
from passline.files.reading import decoded, read_bytes
from passline.files.whole import write_whole
from passline.house import House
from passline.school.exercise import Exercise, Grade
from passline.school.syllabus import DRILLS, SEED_MAX, levels_of

VERSION = 1
DAY_S = 86_400
RUNGS_S = (60, DAY_S, 3 * DAY_S, 7 * DAY_S, 21 * DAY_S)  # how long a subject rests on each rung
MISSED_MAX = 10
SUBJECTS_MAX = 2_000  # more subjects than all houses, drills and levels; a longer sheet is something else
WHOLE_MAX = 10**12
NAME_MAX = 200
SHEET_BYTES_MAX = 2_000_000  # no sheet is longer; a longer file is something else


class Subject(NamedTuple):
    house: str
    drill: str
    level: int


@dataclass(frozen=True, slots=True)
class Score:
    """How one subject stands, as its row of a stored sheet has it; times are whole seconds since 1970."""

    house: str
    drill: str
    level: int
    asked: int = 0
    right: int = 0
    parts: int = 0
    parts_right: int = 0
    timed: int = 0  # how many of them were answered by the clock
    seconds: int = 0
    best_seconds: int | None = None  # the quickest right answer
    rung: int = 0
    due: int = 0
    missed: tuple[int, ...] = ()  # Seeds of the exercises to ask again


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    scores: Mapping[Subject, Score] = field(default_factory=dict)

    def after(self, exercise: Exercise, graded: Grade, seconds: int | None, now: int) -> "ScoreSheet":
        """The sheet after an answer; `seconds` is None where no one was timing."""
        subject = Subject(exercise.house.id, exercise.drill, exercise.level)
        was, right = self.scores.get(subject, Score(*subject)), graded.is_right
        took, clocked = max(0, seconds or 0), seconds is not None
        best = took if was.best_seconds is None else min(was.best_seconds, took)
        is_due = was.due <= now  # what is answered again before it is due has not been remembered any longer
        rung = min(was.rung + is_due, len(RUNGS_S) - 1) if right else 0
        missed = tuple(seed for seed in was.missed if seed != exercise.seed)
        score = replace(
            was,
            asked=was.asked + 1,
            right=was.right + right,
            parts=was.parts + len(graded.parts),
            parts_right=was.parts_right + graded.score,
            timed=was.timed + clocked,
            seconds=was.seconds + took,
            best_seconds=best if right and clocked else was.best_seconds,
            rung=rung,
            due=now + RUNGS_S[rung] if is_due or not right else was.due,
            missed=missed if right else (*missed, exercise.seed)[-MISSED_MAX:],
        )
        return replace(self, scores={**self.scores, subject: score})

    def to_json(self) -> dict[str, Any]:
        rows = [shape_of(Score).write(score) for _, score in sorted(self.scores.items())]
        return {"passline_school": VERSION, "scores": rows}


def next_subject(sheet: ScoreSheet, subjects: Iterable[Subject], now: int) -> Subject:
    """What to ask now: the subject that has been due longest, else the first new one, else the one due soonest."""
    every = list(subjects)
    known = sorted((sheet.scores[subject].due, at) for at, subject in enumerate(every) if subject in sheet.scores)
    new = [subject for subject in every if subject not in sheet.scores]
    return every[known[0][1]] if known and (known[0][0] <= now or not new) else new[0]


def next_seed(sheet: ScoreSheet, subject: Subject, luck: Random) -> int:
    missed = sheet.scores[subject].missed if subject in sheet.scores else ()
    return missed[0] if missed and luck.randrange(2) else luck.randrange(SEED_MAX)


def subjects_of(house: House, drill: str | None = None, level: int | None = None) -> list[Subject]:
    every = [
        Subject(house.id, each.name, there)
        for each in DRILLS.values()
        for there in levels_of(house, each)
        if drill in (None, each.name) and level in (None, there)
    ]
    return sorted(every, key=lambda subject: subject.level)


def sheet_of(data: object) -> ScoreSheet:
    """Reads a stored sheet, or raises with what is wrong and where."""
    if not isinstance(data, dict) or data.get("passline_school") != VERSION:
        wanted = f'a score sheet of this school: {{"passline_school": {VERSION}, "scores": […]}}'
        raise ArgumentError("sheet", short_repr(data), wanted)
    rows = data.get("scores")
    if not isinstance(rows, list) or len(rows) > SUBJECTS_MAX:
        raise ArgumentError("sheet.scores", short_repr(rows), f"a list of at most {SUBJECTS_MAX} scores")
    scores = [_score(f"sheet.scores.{at}", row) for at, row in enumerate(rows)]
    return ScoreSheet({Subject(score.house, score.drill, score.level): score for score in scores})


def _score(where: str, row: object) -> Score:
    try:
        score: Score = shape_of(Score).read(row)
    except Misfit as misfit:
        raise ArgumentError(".".join((where, *reversed(misfit.path))), misfit.actual, misfit.expected) from None
    for name, value in asdict(score).items():
        most = {"rung": len(RUNGS_S) - 1, "missed": SEED_MAX}.get(name, WHOLE_MAX)
        if isinstance(value, str):
            fits, wanted = value.isprintable() and len(value) <= NAME_MAX, "a name"
        else:
            numbers, wanted = value if name == "missed" else [value or 0], f"whole numbers from 0 to {most}"
            fits = len(numbers) <= MISSED_MAX and all(0 <= number <= most for number in numbers)
        if not fits:
            raise ArgumentError(f"{where}.{name}", short_repr(value), wanted)
    return score


def read_sheet(path: Path) -> ScoreSheet:
    """The sheet of a file; an empty one where there is no file yet."""
    if not path.exists():
        return ScoreSheet()
    try:
        return sheet_of(json.loads(decoded(read_bytes(path, SHEET_BYTES_MAX))))
    except OSError as error:
        raise SheetError(f"{path} cannot be read: {error.strerror or error}; --sheet names another file") from None
    except (ArgumentError, ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, ArgumentError) else "it is no JSON"
        raise SheetError(f"{path} is no score sheet, and is left as it is: {why}; --sheet names another file") from None


def write_sheet(path: Path, sheet: ScoreSheet) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(sheet.to_json(), indent=1) + "\n")
    except OSError as error:
        raise SheetError(f"{path} cannot be written: {error.strerror or error}; --sheet names another file") from None
