"""The school told line by line: exercises asked, answers heard, graded, and kept on the score sheet."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TextIO

from passline.errors import ArgumentError
from passline.school.audition import CRITICAL, PASS_MARK, QUESTIONS, SECONDS
from passline.school.exercise import LETTERS, Exercise, Grade, Part, PartGrade, expected, grade, read_answer
from passline.school.scene import LEVELS
from passline.school.sheet import ScoreSheet
from passline.telling.figures import counted, listed
from passline.terminal.run import asked_lines, say_lines

HELP = "Answer as it says in brackets; skip shows the answer, ? asks again, quit ends the lesson."

Heard = tuple[Exercise, Grade, int]  # an exercise, how it was answered, and how many seconds that took


def teach(
    exercises: Iterator[Exercise],
    count: int,
    keep: Callable[[Exercise, Grade, int], None],
    out: TextIO | None = None,
    *,
    seconds: int | None = None,
) -> tuple[bool, list[Heard]]:
    """Ask so many exercises and hand every grade to `keep`; whether it was interrupted, and what was answered.

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
                break
            elapsed = time.monotonic() - began
            graded = grade(exercise, answers) if answers else _skipped(exercise)
            if seconds is not None and elapsed > seconds:
                late = (replace(part, is_right=False, says=f"over {seconds} seconds") for part in graded.parts)
                graded = Grade(tuple(late))
            answered.append((exercise, graded, int(elapsed)))
            say_lines(out, _verdict(*answered[-1]))
            keep(*answered[-1])
    except KeyboardInterrupt:
        return True, answered
    return False, answered


def _opening(exercise: Exercise, number: int, count: int) -> list[str]:
    if exercise.drill == "audition":  # against the clock nobody reads a table: the question says all of it
        return [f"{number} of {count}", exercise.question.asks]
    lesson = f"{exercise.drill}, level {exercise.level} ({LEVELS[exercise.level]})"
    return [f"{number} of {count}: {lesson} [{exercise.id}]", *exercise.position_lines(), exercise.question.asks]


def _answers(exercise: Exercise, lines: Iterator[str], out: TextIO) -> list[str] | None:
    """An answer for each part; none at all where it was skipped, None where the lesson is over."""
    answers: list[str] = []
    say_lines(out, _asks(exercise.parts[0]))
    for line in lines:
        word, part = line.strip(), exercise.parts[len(answers)]
        if word.lower() in ("quit", "q"):
            return None
        if word.lower() == "skip":
            return []
        if word in ("", "?", "help"):  # Enter shows the question again
            helped = [HELP, *exercise.position_lines()] if word else []
            say_lines(out, [*helped, exercise.question.asks, *_asks(part)])
            continue
        try:
            read_answer(part, word)
        except ArgumentError as error:
            say_lines(out, [f"{error}. (? for help, skip, quit)"])
            continue
        answers.append(word)
        if len(answers) == len(exercise.parts):
            return answers
        say_lines(out, _asks(exercise.parts[len(answers)]))
    return None


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
    reasons = list(exercise.question.why)
    for clause in exercise.question.clauses:
        if not any(line.startswith(f"{clause}: ") for line in reasons):
            reasons.append(f"{clause}: {exercise.house.clause(clause).sentence}")
    return [*lines, *(f"  {line}" for line in reasons), f"({counted(took, 'second')})"]


def _part(part: PartGrade) -> str:
    if part.is_right:
        return f"Right: {part.right}."
    near = f" {part.says[0].upper()}{part.says[1:]}." if part.says else ""
    if part.answer == part.right:
        return f"Too late: {part.right} is right.{near}"
    return f"No: {part.right}{f', not {part.answer}' if part.answer else ''}.{near}"


def reckoning(every: list[Heard]) -> list[str]:
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
    """Whether it was passed, and what is said of it."""
    right = sum(graded.is_right for _, graded, _ in answered)
    needed = count - (QUESTIONS - PASS_MARK)
    missed = list(dict.fromkeys(exercise.question.kind for exercise, graded, _ in answered if not graded.is_right))
    fatal = [kind for kind in missed if kind in CRITICAL]
    passed, verdict = False, "Not passed. Come back next week."
    if len(answered) < count:
        verdict = "Not passed: it was not finished."
    elif fatal:
        verdict = f"Not passed: {listed(fatal)} must not be wrong."
    elif right >= needed:
        passed, verdict = True, "Passed. You're hired."
    names = [f"Missed: {listed(missed)}."] if missed else []
    return passed, [f"{right} of {count} right; {needed} are needed, {SECONDS} seconds each.", *names, verdict]


def sheet_rows(sheet: ScoreSheet, now: int) -> list[tuple[str, ...]]:
    return [
        (
            subject.house,
            subject.drill,
            str(subject.level),
            f"{score.right} of {score.asked}",
            f"{score.parts_right} of {score.parts}",
            f"{score.seconds // score.timed} s" if score.timed else "",
            "" if score.best_seconds is None else f"{score.best_seconds} s",
            str(score.rung + 1),
            _due_in(score.due - now),
        )
        for subject, score in sorted(sheet.scores.items())
    ]


def _due_in(seconds: int) -> str:
    for unit, letters in ((86_400, "days"), (3600, "h"), (1, "s")):
        if seconds >= (2 * unit if letters == "days" else unit):
            return f"{-(-seconds // unit)} {letters}"
    return "now"
