"""An exercise: a position of a real game, what is asked about it, and what the engine answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from passline.engine.values import Roll
from passline.house import House
from passline.telling.card import sign
from passline.telling.tables import puck_told, seats_told

if TYPE_CHECKING:
    from passline.table import Table

Form = Literal["amount", "count", "choice", "several", "order", "chips"]
"""How a part is answered: money, a number, one option, some of them, all of them in order, chips of the float."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""What the options are called."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is asked, and its right answer."""

    asks: str
    form: Form
    right: tuple[int, ...]
    """Grains; a number; places among the options; or how many of each chip, the largest first."""
    options: tuple[str, ...] = ()
    chips: tuple[int, ...] = ()
    """The chips of the float in grains, the largest first, where it is paid in them."""
    near: Mapping[int, str] = field(default_factory=dict)
    """What a wrong amount would have been right for, where the engine can tell."""


class Asked(NamedTuple):
    """What a drill asks at a table."""

    table: Table
    asks: str
    parts: tuple[Part, ...]
    why: tuple[str, ...]
    """How the answer comes about, chip by chip."""
    clauses: tuple[str, ...]
    roll: Roll | None = None
    """The dice that it is about, as they have just come to rest; nothing has been paid yet."""
    kind: str = ""
    """Which shape of question it is, where a drill mixes several."""


@dataclass(frozen=True, slots=True, eq=False)
class Exercise:
    """One exercise of a drill, made again from its id to the same chips."""

    house: House
    drill: str
    level: int
    seed: int
    asked: Asked

    @property
    def id(self) -> str:
        """House, drill, level and seed: all that it is made from."""
        return f"{self.house.source}/{self.drill}/{self.level}/{self.seed}"

    @property
    def parts(self) -> tuple[Part, ...]:
        """What is asked, one after the other."""
        return self.asked.parts

    def told(self) -> list[str]:
        """The position in words: the sign, the float, puck and dice, and every seat's chips."""
        table, layout = self.asked.table, self.house.layout
        chips = " ".join(layout.money(chip) for chip in sorted(table.chips))
        head = f"{self.house.name}: {sign(layout, table.notice)}. Float {chips}."
        return [head, puck_told(table.state), *seats_told(layout, table.state)]

    def to_json(self, *, answers: bool = True) -> dict[str, Any]:
        """The exercise for programs; without its answers for whoever is to find them."""
        roll = self.asked.roll
        told = {
            "exercise": self.id,
            "house": self.house.id,
            "drill": self.drill,
            "level": self.level,
            "seed": self.seed,
            "position": self.asked.table.position,
            "told": self.told(),
            "dice": None if roll is None else [roll.first, roll.second],
            "asks": self.asked.asks,
            "parts": [self._part(part, answers=answers) for part in self.parts],
        }
        return {**told, **self.answer_json()} if answers else told

    def answer_json(self) -> dict[str, Any]:
        """How the answer comes about, and what it rests on."""
        clauses = [{"id": each, "sentence": self.house.clause(each).sentence} for each in self.asked.clauses]
        return {"why": list(self.asked.why), "clauses": clauses}

    def _part(self, part: Part, *, answers: bool) -> dict[str, Any]:
        told = {"asks": part.asks, "form": part.form, "options": list(part.options), "chips": list(part.chips)}
        return {**told, "right": self.written(part)} if answers else told

    def written(self, part: Part) -> str:
        """The right answer of a part, as it is typed."""
        return written(part, part.right, self.house)


def written(part: Part, given: tuple[int, ...], house: House) -> str:
    """An answer as it is typed: `14`, `b`, `a c`, `2x25 1x5`."""
    match part.form:
        case "amount":
            return house.layout.money(given[0])
        case "count":
            return str(given[0])
        case "chips":
            pairs = zip(given, part.chips, strict=True)
            return " ".join(f"{count}x{house.layout.money(chip)}" for count, chip in pairs if count) or "none"
        case _:
            return " ".join(LETTERS[each] for each in given) or "none"
