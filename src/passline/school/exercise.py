"""An exercise: a position of a real game, what is asked about it, and what the engine answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from operator import mul
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from passline.engine.events import Event
from passline.engine.refusals import Refusal
from passline.engine.values import Roll
from passline.errors import ArgumentError, short_repr
from passline.files.amounts import cents
from passline.house import House
from passline.telling.card import sign
from passline.telling.sentences import clauses_of, puck_line, seat_lines

if TYPE_CHECKING:
    from passline.table import Table


# How a part is answered: money, a number, one option, some of them, all of them in order, chips of the float.
Form = Literal["amount", "count", "choice", "several", "order", "chips"]

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Part:
    asks: str
    form: Form
    # Minor units; a number; places among the options; or how many of each chip, the largest first.
    right: tuple[int, ...]
    options: tuple[str, ...] = ()
    chips: tuple[int, ...] = ()  # the chips of the float in minor units, the largest first, where it is paid in them
    # What a wrong amount would have been right for, where the engine can tell.
    near: Mapping[int, str] = field(default_factory=dict)


def amount(asks: str, right: int, near: Mapping[int, str] | None = None) -> Part:
    return Part(asks, "amount", (right,), near=near or {})


def choice(rng: Random, asks: str, right: str, wrong: Sequence[str]) -> Part:
    options = rng.sample([right, *wrong], 1 + len(wrong))
    return Part(asks, "choice", (options.index(right),), tuple(options))


class Question(NamedTuple):
    table: Table
    asks: str
    parts: tuple[Part, ...]
    why: tuple[str, ...]  # how the answer comes about, chip by chip
    clauses: tuple[str, ...]
    roll: Roll | None = None  # the dice that it is about, as they have just come to rest; nothing has been paid yet
    kind: str = ""  # which shape of question it is, where a drill mixes several


def why(table: Table, events: Iterable[Event]) -> tuple[str, ...]:
    return tuple(line for event in events for line in table.explain(event).split("\n"))


def cited(events: Iterable[Event | Refusal]) -> tuple[str, ...]:
    """Every clause that some events rest on, once."""
    return tuple(dict.fromkeys(clause for event in events for clause in clauses_of(event)))


def explained(
    table: Table, asks: str, parts: Sequence[Part], events: Sequence[Event], roll: Roll | None = None
) -> Question:
    """A question whose answer is explained by some events."""
    return Question(table, asks, tuple(parts), why(table, events), cited(events), roll)


@dataclass(frozen=True, slots=True, eq=False)
class Exercise:
    """One exercise of a drill, made again from its id to the same chips."""

    house: House
    drill: str
    level: int
    seed: int
    question: Question

    @property
    def id(self) -> str:
        """House, drill, level and seed: all that it is made from."""
        return f"{self.house.source}/{self.drill}/{self.level}/{self.seed}"

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.question.parts

    def position_lines(self) -> list[str]:
        table, layout = self.question.table, self.house.layout
        chips = " ".join(layout.money(chip) for chip in sorted(table.chips))
        head = f"{self.house.name}: {sign(layout, table.notice)}. Float {chips}."
        return [head, puck_line(table.state), *seat_lines(layout, table.state)]

    def to_json(self, *, answers: bool = True) -> dict[str, Any]:
        roll = self.question.roll
        parts = [
            {"asks": part.asks, "form": part.form, "options": list(part.options), "chips": list(part.chips)}
            | ({"right": self.written(part)} if answers else {})
            for part in self.parts
        ]
        data = {
            "exercise": self.id,
            "house": self.house.id,
            "drill": self.drill,
            "level": self.level,
            "seed": self.seed,
            "position": self.question.table.position,
            "position_lines": self.position_lines(),
            "dice": None if roll is None else [roll.first, roll.second],
            "asks": self.question.asks,
            "parts": parts,
        }
        return {**data, **self.answer_json()} if answers else data

    def answer_json(self) -> dict[str, Any]:
        clauses = [{"id": each, "sentence": self.house.clause(each).sentence} for each in self.question.clauses]
        return {"why": list(self.question.why), "clauses": clauses}

    def written(self, part: Part) -> str:
        return written(part, part.right, self.house)


def written(part: Part, answer: tuple[int, ...], house: House) -> str:
    """An answer as it is typed: `14`, `b`, `a c`, `2x25 1x5`."""
    match part.form:
        case "amount":
            return house.layout.money(answer[0])
        case "count":
            return str(answer[0])
        case "chips":
            pairs = zip(answer, part.chips, strict=True)
            return " ".join(f"{count}x{house.layout.money(chip)}" for count, chip in pairs if count) or "none"
        case _:
            return " ".join(LETTERS[each] for each in answer) or "none"


ANSWER_MAX = 300
COUNT_MAX = 10**6  # nobody pays with more chips
NONE = "none"  # what is typed where none of the options is right
CHIPS = re.compile(r"(?:(\d{1,7})x)?(\d+(?:\.\d+)?)")  # some chips of one size: `2x25`, or one of them: `25`


@dataclass(frozen=True, slots=True)
class PartGrade:
    asks: str
    answer: str
    right: str
    is_right: bool
    says: str  # what a wrong answer was near to, or what is wrong with it; else nothing


class Grade(NamedTuple):
    parts: tuple[PartGrade, ...]

    @property
    def score(self) -> int:
        return sum(part.is_right for part in self.parts)

    @property
    def is_right(self) -> bool:
        return self.score == len(self.parts)

    def to_json(self) -> dict[str, Any]:
        parts = [asdict(part) for part in self.parts]
        return {"is_right": self.is_right, "score": self.score, "of": len(self.parts), "parts": parts}


def grade(exercise: Exercise, answers: Sequence[str]) -> Grade:
    if len(answers) != len(exercise.parts):
        raise ArgumentError("answers", f"{len(answers)}", f"{len(exercise.parts)}, one for each part")
    house, grades = exercise.house, []
    for part, text in zip(exercise.parts, answers, strict=True):
        answer = read_answer(part, text)
        typed, right = (written(part, each, house) for each in (answer, part.right))
        says = "" if answer == part.right else _says(house, part, answer)
        grades.append(PartGrade(part.asks, typed, right, answer == part.right, says))
    return Grade(tuple(grades))


def _says(house: House, part: Part, answer: tuple[int, ...]) -> str:
    match part.form:
        case "amount":
            return part.near.get(answer[0], "")
        case "chips":
            worth, wanted = (sum(map(mul, counts, part.chips)) for counts in (answer, part.right))
            if worth != wanted:
                return f"these come to {house.layout.money(worth)}"
            return f"these come to it, but {sum(part.right)} chips do where you have {sum(answer)}"
        case "several":
            extra, missed = (len(set(one) - set(other)) for one, other in ((answer, part.right), (part.right, answer)))
            return ", ".join(f"{count} {what}" for count, what in ((extra, "too many"), (missed, "missed")) if count)
        case _:
            return ""


EXPECTED: dict[Form, str] = {
    "amount": "an amount such as 14, 7.50 or -10",
    "count": "a whole number",
    "choice": "a letter from a to {}",
    "several": "letters from a to {}, such as a c, or none",
    "order": "the letters from a to {}, each once, in order",
    "chips": "chips of the float, such as 2x25 5 1",
}


def expected(part: Part) -> str:
    return EXPECTED[part.form].format(LETTERS[len(part.options) - 1] if part.options else "")


def read_answer(part: Part, text: str) -> tuple[int, ...]:
    """Reads a typed answer, or raises with what was expected."""
    words = text.strip().lower()
    try:
        if not words or len(text) > ANSWER_MAX:
            raise ValueError  # noqa: TRY301 - all that is wrong is answered in one place
        return _read(part, words)
    except ValueError:
        raise ArgumentError("answer", short_repr(text), expected(part)) from None


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
        case "several":
            return () if words == NONE else tuple(sorted(_letters(part, words)))
        case "choice" | "order":
            named = [at for at, option in enumerate(part.options) if option.lower() == words]
            places = tuple(named[:1]) if part.form == "choice" and named else _letters(part, words)
            if len(places) != (1 if part.form == "choice" else len(part.options)):
                raise ValueError
            return places


def _letters(part: Part, words: str) -> tuple[int, ...]:
    """Letters of the options, each at most once; what stands between them does not matter."""
    letters = [letter for letter in words if letter not in " ,;"]
    places = tuple(LETTERS.find(letter) for letter in letters)
    if not places or len(set(places)) != len(places) or not all(0 <= each < len(part.options) for each in places):
        raise ValueError
    return places


def _chips(part: Part, words: str) -> tuple[int, ...]:
    """So many of each chip, the largest first; only chips that the float has."""
    counts = dict.fromkeys(part.chips, 0)
    for word in () if words == NONE else words.replace(",", " ").replace("+", " ").split():
        match = CHIPS.fullmatch(word)
        chip = cents(match[2]) if match else 0
        if match is None or chip not in counts:
            raise ValueError
        counts[chip] += int(match[1] or 1)
    if max(counts.values()) > COUNT_MAX:
        raise ValueError
    return tuple(counts.values())
