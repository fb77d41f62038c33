"""The school told line by line: exercises asked, answers heard, graded, and kept on the score sheet."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TextIO

from passline.errors import ArgumentError
from passline.school.audition import CRITICAL, PASS_MARK, QUESTIONS, SECONDS
from passline.school.exercise import LETTERS, Exercise, Grade, Part, PartGrade, expected, grade, read_answer
from passline.school.scene import LEVELS
from passline.telling.figures import counted, listed
from passline.terminal.plain import asked_lines, say_lines

if TYPE_CHECKING:
    from passline.school.sheet import Score, ScoreSheet

End = Literal["done", "left", "interrupted"]

HELP = "Answer as it says in brackets; skip shows the answer, ? asks again, quit ends the lesson."

Heard = tuple["Exercise", "Grade", int]  # an exercise, how it was answered, and how many seconds that took


def teach(
    exercises: Iterator[Exercise],
    count: int,
    keep: Callable[[Exercise, Grade, int], None],
    out: TextIO | None = None,
    *,
    seconds: int | None = None,
) -> tuple[End, list[Heard]]:
    """Ask so many exercises and hand every grade to `keep`; how it ended, and what was answered.

    With `seconds` an answer that takes longer is not right.
    """
    out = out or sys.stdout
    lines = iter(asked_lines(out, prompt=sys.stdin.isatty()))
    answered: list[Heard] = []
    say_lines(out, [HELP])
    if seconds is not None and sys.stdin.isatty():
        say_lines(out, [f"The clock starts with the first question: {seconds} seconds each. Enter when you are ready."])
        next(lines, "")
    try:
        for number in range(1, count + 1):
            exercise = next(exercises)
            say_lines(out, ["", *_opening(exercise, number, count)])
            began = time.monotonic()
            answers = _answers(exercise, lines, out)
            if answers is None:
                return "left", answered
            elapsed = time.monotonic() - began
            took = int(elapsed)
            graded = grade(exercise, answers) if answers else _skipped(exercise)
            if seconds is not None and elapsed > seconds:
                graded = Grade(
                    tuple(replace(part, is_right=False, says=f"over {seconds} seconds") for part in graded.parts)
                )
            say_lines(out, _verdict(exercise, graded, took))
            answered.append((exercise, graded, took))
            keep(exercise, graded, took)
    except KeyboardInterrupt:
        return "interrupted", answered
    return "done", answered


def _opening(exercise: Exercise, number: int, count: int) -> list[str]:
    if exercise.drill == "audition":  # against the clock nobody reads a table: the question says all of it
        return [f"{number} of {count}", exercise.question.asks]
    lesson = f"{exercise.drill}, level {exercise.level} ({LEVELS[exercise.level]})"
    return [f"{number} of {count}: {lesson} [{exercise.id}]", *exercise.position_lines(), exercise.question.asks]


def _answers(exercise: Exercise, lines: Iterator[str], out: TextIO) -> list[str] | None:
    """An answer for each part; none at all where it was skipped, None where the lesson is over."""
    answers = []
    for part in exercise.parts:
        say_lines(out, _asks(part))
        for line in lines:
            word = line.strip()
            if word.lower() in ("quit", "q"):
                return None
            if word.lower() == "skip":
                return []
            if not word:  # Enter shows the question again
                say_lines(out, [exercise.question.asks, *_asks(part)])
                continue
            if word in ("?", "help"):
                say_lines(out, [HELP, *exercise.position_lines(), exercise.question.asks, *_asks(part)])
                continue
            try:
                read_answer(part, word)
            except ArgumentError as error:
                say_lines(out, [f"{error}. (? for help, skip, quit)"])
                continue
            answers.append(word)
            break
        else:
            return None
    return answers


def _asks(part: Part) -> list[str]:
    options = [f"  {letter}) {option}" for letter, option in zip(LETTERS, part.options, strict=False)]
    return [*options, f"{part.asks} ({expected(part)}):"]


def _skipped(exercise: Exercise) -> Grade:
    parts = ((part.asks, exercise.written(part)) for part in exercise.parts)
    return Grade(tuple(PartGrade(asks, "", right, is_right=False, says="skipped") for asks, right in parts))


def _verdict(exercise: Exercise, graded: Grade, took: int) -> list[str]:
    several = len(graded.parts) > 1
    lines = [f"{_part(part)}{f' ({part.asks})' if several else ''}" for part in graded.parts]
    if several:
        lines.append(f"{graded.score} of {len(graded.parts)} right.")
    reasons = exercise.question.why
    cited = [
        f"{each}: {exercise.house.clause(each).sentence}"
        for each in exercise.question.clauses
        if not any(line.startswith(f"{each}: ") for line in reasons)
    ]
    return [*lines, *(f"  {line}" for line in (*reasons, *cited)), f"({counted(took, 'second')})"]


def _part(part: PartGrade) -> str:
    if part.is_right:
        return f"Right: {part.right}."
    near = f" {part.says[:1].upper()}{part.says[1:]}." if part.says else ""
    if part.answer == part.right:
        return f"Too late: {part.right} is right.{near}"
    return f"No: {part.right}{f', not {part.answer}' if part.answer else ''}.{near}"


def reckoning(lesson: Iterable[Heard]) -> list[str]:
    every = list(lesson)
    if not every:
        return ["Nothing was answered."]
    right = sum(graded.is_right for _, graded, _ in every)
    parts = sum(len(graded.parts) for _, graded, _ in every)
    fine = sum(graded.score for _, graded, _ in every)
    took = sum(seconds for _, _, seconds in every)
    lines = [f"{right} of {len(every)} right, {fine} of {counted(parts, 'part')}, in {counted(took, 'second')}."]
    missed = [exercise for exercise, graded, _ in every if not graded.is_right]
    if missed:
        again = missed[0]
        where = f"--house {again.house.source} --level {again.level} --seed {again.seed}"
        lines.append(f"Missed: {listed([exercise.id for exercise in missed])}.")
        lines.append(f"Again: passline drill {again.drill} {where} --count 1")
    return lines


def audition_result(answered: list[Heard], count: int) -> tuple[bool, list[str]]:
    right = sum(graded.is_right for _, graded, _ in answered)
    needed = count - (QUESTIONS - PASS_MARK)
    fatal = [
        exercise.question.kind
        for exercise, graded, _ in answered
        if not graded.is_right and exercise.question.kind in CRITICAL
    ]
    missed = list(dict.fromkeys(exercise.question.kind for exercise, graded, _ in answered if not graded.is_right))
    names = [f"Missed: {listed(missed)}."] if missed else []
    score = f"{right} of {count} right; {needed} are needed, {SECONDS} seconds each."
    if len(answered) < count:
        return False, [score, *names, "Not passed: it was not finished."]
    if fatal:
        return False, [score, *names, f"Not passed: {listed(list(dict.fromkeys(fatal)))} must not be wrong."]
    verdict = "Passed. You're hired." if right >= needed else "Not passed. Come back next week."
    return right >= needed, [score, *names, verdict]


def sheet_rows(sheet: ScoreSheet, now: int) -> list[tuple[str, ...]]:
    return [
        (subject.house, subject.drill, str(subject.level), *_score(score, now))
        for subject, score in sorted(sheet.scores.items())
    ]


def _score(score: Score, now: int) -> tuple[str, ...]:
    best = "" if score.best_seconds is None else f"{score.best_seconds} s"
    rests = score.due - now
    due = "now" if rests <= 0 else f"{rests} s" if rests < 3600 else f"{-(-rests // 3600)} h"
    due = due if rests < 2 * 86_400 else f"{-(-rests // 86_400)} days"
    mean = f"{score.seconds // score.timed} s" if score.timed else ""
    return (
        f"{score.right} of {score.asked}",
        f"{score.parts_right} of {score.parts}",
        mean,
        best,
        str(score.rung + 1),
        due,
    )
