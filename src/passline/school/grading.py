"""Answers read as people type them, and graded to the chip: each part on its own, with what a wrong one was near to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from passline.errors import ArgumentError, shown
from passline.files.amounts import cents
from passline.house import House
from passline.school.exercise import LETTERS, Exercise, Part, written

ANSWER_MAX = 300
"""No answer is longer."""

COUNT_MAX = 10**6
"""Nobody pays with more chips."""

NONE = "none"
"""What is typed where none of the options is right."""

CHIPS = re.compile(r"(?:(\d{1,7})x)?(\d+(?:\.\d+)?)")
"""Some chips of one size: `2x25`, or one of them: `25`."""


@dataclass(frozen=True, slots=True)
class PartGrade:
    """One part as it was answered."""

    asks: str
    given: str
    right: str
    is_right: bool
    says: str
    """What a wrong answer was near to, or what is wrong with it; else nothing."""


@dataclass(frozen=True, slots=True)
class Grade:
    """An exercise as it was answered."""

    parts: tuple[PartGrade, ...]

    @property
    def score(self) -> int:
        """How many parts are right."""
        return sum(part.is_right for part in self.parts)

    @property
    def is_right(self) -> bool:
        """Whether all of it is."""
        return self.score == len(self.parts)

    def to_json(self) -> dict[str, Any]:
        names = ("asks", "given", "right", "is_right", "says")
        parts = [{name: getattr(part, name) for name in names} for part in self.parts]
        return {"is_right": self.is_right, "score": self.score, "of": len(self.parts), "parts": parts}


def grade(exercise: Exercise, answers: Sequence[str]) -> Grade:
    """Grade the answers of an exercise, one for each part."""
    if len(answers) != len(exercise.parts):
        raise ArgumentError("answers", f"{len(answers)}", f"{len(exercise.parts)}, one for each part")
    read = [read_answer(part, answer) for part, answer in zip(exercise.parts, answers, strict=True)]
    return Grade(tuple(_graded(exercise.house, *each) for each in zip(exercise.parts, read, strict=True)))


def _graded(house: House, part: Part, given: tuple[int, ...]) -> PartGrade:
    is_right = given == part.right
    told = "" if is_right else _says(house, part, given)
    return PartGrade(part.asks, written(part, given, house), written(part, part.right, house), is_right, told)


def _says(house: House, part: Part, given: tuple[int, ...]) -> str:
    if part.form == "amount":
        return part.near.get(given[0], "")
    if part.form == "chips":
        worth, wanted = (_worth(part, each) for each in (given, part.right))
        if worth != wanted:
            return f"these come to {house.layout.money(worth)}"
        return f"these come to it, but {sum(part.right)} chips do where you have {sum(given)}"
    if part.form == "several":
        extra, missed = (len(set(one) - set(other)) for one, other in ((given, part.right), (part.right, given)))
        return ", ".join(f"{count} {what}" for count, what in ((extra, "too many"), (missed, "missed")) if count)
    return ""


def _worth(part: Part, counts: tuple[int, ...]) -> int:
    return sum(count * chip for count, chip in zip(counts, part.chips, strict=True))


# --- Reading --------------------------------------------------------------------------------------------------------


def expected(part: Part) -> str:
    """How a part is answered, in a few words."""
    last = LETTERS[len(part.options) - 1] if part.options else ""
    match part.form:
        case "amount":
            return "an amount such as 14, 7.50 or -10"
        case "count":
            return "a whole number"
        case "choice":
            return f"a letter from a to {last}"
        case "several":
            return f"letters from a to {last}, such as a c, or none"
        case "order":
            return f"the letters from a to {last}, each once, in order"
        case "chips":
            return "chips of the float, such as 2x25 5 1"


def read_answer(part: Part, text: str) -> tuple[int, ...]:
    """An answer as it was typed; what cannot be one is said to be none."""
    words = text.strip().lower()
    try:
        if not words or len(text) > ANSWER_MAX:
            raise ValueError  # noqa: TRY301 - all that is wrong is answered in one place
        return _read(part, words)
    except ValueError:
        raise ArgumentError("answer", shown(text), expected(part)) from None


def _read(part: Part, words: str) -> tuple[int, ...]:
    match part.form:
        case "amount":
            return (cents(words.removeprefix("+").removeprefix("$")),)
        case "count":
            if not (words.isascii() and words.isdigit() and len(words) <= len(str(COUNT_MAX))):
                raise ValueError
            return (int(words),)
        case "chips":
            return _chips(part, words)
        case "choice":
            named = [at for at, option in enumerate(part.options) if option.lower() == words]
            found = tuple(named[:1]) or _letters(part, words)
            if len(found) != 1:
                raise ValueError
            return found
        case "several":
            return () if words == NONE else tuple(sorted(_letters(part, words)))
        case "order":
            order = _letters(part, words)
            if len(order) != len(part.options):
                raise ValueError
            return order


def _letters(part: Part, words: str) -> tuple[int, ...]:
    """Letters of the options, each at most once; what stands between them does not matter."""
    letters = [letter for letter in words if letter not in " ,;"]
    found = tuple(LETTERS.find(letter) for letter in letters)
    if not found or len(set(found)) != len(found) or not all(0 <= each < len(part.options) for each in found):
        raise ValueError
    return found


def _chips(part: Part, words: str) -> tuple[int, ...]:
    """So many of each chip, the largest first; only chips that the float has."""
    counts = dict.fromkeys(part.chips, 0)
    for word in () if words == NONE else words.replace(",", " ").replace("+", " ").split():
        found = CHIPS.fullmatch(word)
        chip = cents(found[2]) if found else 0
        if found is None or chip not in counts:
            raise ValueError
        counts[chip] += int(found[1] or 1)
    if max(counts.values()) > COUNT_MAX:
        raise ValueError
    return tuple(counts.values())
