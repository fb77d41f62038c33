"""How much a strategy wants up: amounts as frozen records that write, tell and work themselves out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from math import lcm, prod
from typing import Literal, NamedTuple, TypeGuard

from passline.strategies.language.conditions import QUANTITIES, Quantity
from passline.telling.figures import listed


class Pricing:
    """What an amount is worked out from: one spot at one moment, all money in minor units."""

    __slots__ = ()

    @property
    def unit(self) -> Fraction:
        raise NotImplementedError

    def flat(self) -> int:
        """The flat bet these odds stand behind."""
        return 0

    def most(self) -> int:
        """The most the notice allows here."""
        return 0

    def three_four_five(self) -> int:
        """Three, four or five times the flat bet by its point, or what wins that."""
        return 0

    def to_win(self, amount: Fraction) -> Fraction:
        """The stake that wins an amount."""
        raise NotImplementedError

    def step(self, progression: str) -> Fraction:
        """Where a progression stands, in units."""
        raise NotImplementedError

    def number(self, number: Quantity) -> Fraction | int:
        """A number of the language: how many, or how much in units."""
        raise NotImplementedError

    def left(self) -> Fraction | int:
        """What is at hand and up nowhere else."""
        return 0


class Amount:
    """A way to say how much; `str` writes it as a file does."""

    __slots__ = ()

    def minor_units(self, pricing: Pricing) -> Fraction:
        raise NotImplementedError

    def in_words(self) -> str:
        """As one player tells another."""
        raise NotImplementedError

    def terms(self) -> Mapping[Quantity | None, Fraction]:
        """Of a sum of multiples, how often each number is in it; None stands for one."""
        raise NotImplementedError

    def inner(self) -> tuple[Amount, ...]:
        """What it is made of: its `part`, or its `parts`."""
        part: Amount | None = getattr(self, "part", None)
        parts: tuple[Amount, ...] = getattr(self, "parts", ())
        return parts if part is None else (part,)

    def clears(self) -> int:
        """What clears every fraction it brings in."""
        own = (getattr(self, each.name) for each in fields(self))  # type: ignore[arg-type] # each is a dataclass
        fractions = (each.denominator for each in own if isinstance(each, Fraction))
        return prod(fractions) * lcm(*(part.clears() for part in self.inner()))


@dataclass(frozen=True, slots=True)
class Units(Amount):
    units: Fraction

    def minor_units(self, pricing: Pricing) -> Fraction:
        return self.units * pricing.unit

    def terms(self) -> Mapping[Quantity | None, Fraction]:
        return {None: self.units}

    def in_words(self) -> str:
        return "1 unit" if self.units == 1 else f"{self.units} units"

    def __str__(self) -> str:
        return str(self.units)


@dataclass(frozen=True, slots=True)
class Times(Amount):
    """So many times the flat bet that odds stand behind."""

    times: Fraction

    def minor_units(self, pricing: Pricing) -> Fraction:
        return self.times * pricing.flat()

    def in_words(self) -> str:
        return "as much as the flat bet" if self.times == 1 else f"{self.times} times the flat bet"

    def __str__(self) -> str:
        over = "" if self.times.denominator == 1 else f" / {self.times.denominator}"
        return f"{self.times.numerator}x{over}"


class Meaning(NamedTuple):
    words: str
    minor_units: str  # which of `Pricing` it is


# Amounts of one word: the most the house allows, be it its odds or the table's maximum; odds of three times the flat
# bet on 4 and 10, four on 5 and 9, five on 6 and 8, or laid what wins that; all that is at hand and not up elsewhere.
SINGLE = {
    "max": Meaning("the most the house allows", "most"),
    "3-4-5": Meaning("3-4-5 times the flat bet", "three_four_five"),
    "left": Meaning("all that is left", "left"),
}


@dataclass(frozen=True, slots=True)
class Single(Amount):
    word: str

    def minor_units(self, pricing: Pricing) -> Fraction:
        return Fraction(getattr(pricing, SINGLE[self.word].minor_units)())

    def in_words(self) -> str:
        return SINGLE[self.word].words

    def __str__(self) -> str:
        return self.word


@dataclass(frozen=True, slots=True)
class Step(Amount):
    progression: str

    def minor_units(self, pricing: Pricing) -> Fraction:
        return pricing.step(self.progression) * pricing.unit

    def in_words(self) -> str:
        return f"the step of `{self.progression}`"

    def __str__(self) -> str:
        return self.progression


@dataclass(frozen=True, slots=True)
class Counted(Amount):
    """A number of the language as so many units: `hits(6)`, `bankroll`."""

    quantity: Quantity

    def minor_units(self, pricing: Pricing) -> Fraction:
        return Fraction(pricing.number(self.quantity)) * pricing.unit

    def terms(self) -> Mapping[Quantity | None, Fraction]:
        return {self.quantity: Fraction(1)}

    def in_words(self) -> str:
        if self.quantity.name not in QUANTITIES:
            return f"`{self.quantity}` units"
        words = QUANTITIES[self.quantity.name].words.format(str(self.quantity.of).replace("_", " "))
        return f"the {words}" if words.startswith("units") else f"as many units as {words}"

    def __str__(self) -> str:
        return str(self.quantity)


@dataclass(frozen=True, slots=True)
class ToWin(Amount):
    """The stake that wins an amount at this wager's price."""

    part: Amount

    def minor_units(self, pricing: Pricing) -> Fraction:
        return pricing.to_win(self.part.minor_units(pricing))

    def in_words(self) -> str:
        return f"enough to win {self.part.in_words()}"

    def __str__(self) -> str:
        return f"to_win({self.part})"


@dataclass(frozen=True, slots=True)
class OneOf(Amount):
    """The least or the greatest of several."""

    word: Literal["least", "greatest"]
    parts: tuple[Amount, ...]

    def minor_units(self, pricing: Pricing) -> Fraction:
        return (min if self.word == "least" else max)(part.minor_units(pricing) for part in self.parts)

    def in_words(self) -> str:
        most = "most" if self.word == "greatest" else self.word
        return f"the {most} of {listed([part.in_words() for part in self.parts])}"

    def __str__(self) -> str:
        return f"{self.word}({', '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Sum(Amount):
    """Several together; what is taken away stands there times minus one."""

    parts: tuple[Amount, ...]

    def minor_units(self, pricing: Pricing) -> Fraction:
        return sum((part.minor_units(pricing) for part in self.parts), Fraction(0))

    def terms(self) -> Mapping[Quantity | None, Fraction]:
        terms: dict[Quantity | None, Fraction] = {}
        for number, by in (each for part in self.parts for each in part.terms().items()):
            terms[number] = terms.get(number, Fraction(0)) + by
        return terms

    def in_words(self) -> str:
        texts = (f"minus {_as_one(x.part.in_words(), x.part)}" if _is_less(x) else x.in_words() for x in self.parts)
        return " plus ".join(texts)

    def __str__(self) -> str:
        first, *others = self.parts
        texts = (f" - {_as_one(str(x.part), x.part)}" if _is_less(x) else f" + {x}" for x in others)
        return "".join((str(first), *texts))


@dataclass(frozen=True, slots=True)
class Scaled(Amount):
    part: Amount
    by: Fraction

    def minor_units(self, pricing: Pricing) -> Fraction:
        return self.part.minor_units(pricing) * self.by

    def terms(self) -> Mapping[Quantity | None, Fraction]:
        return {number: by * self.by for number, by in self.part.terms().items()}

    def in_words(self) -> str:
        return f"{self.by} times {_as_one(self.part.in_words(), self.part)}"

    def __str__(self) -> str:
        text = _as_one(str(self.part), self.part)
        return f"-{text}" if self.by == -1 else f"{text} * {self.by}"


@dataclass(frozen=True, slots=True)
class Rounded(Amount):
    """Another amount, down or up to a multiple of so many units: six on the six."""

    part: Amount
    to: Fraction
    up: bool

    def minor_units(self, pricing: Pricing) -> Fraction:
        step = self.to * pricing.unit
        exact = self.part.minor_units(pricing)
        return (-(-exact // step) if self.up else exact // step) * step

    def in_words(self) -> str:
        part = _as_one(self.part.in_words(), self.part)
        return f"{part}, {'up' if self.up else 'down'} to a multiple of {self.to}"

    def __str__(self) -> str:
        return f"{'ceil' if self.up else 'floor'}({self.part}, {self.to})"


def _as_one(text: str, part: Amount) -> str:
    """A sum in brackets: what is done to it is done to all of it."""
    return f"({text})" if isinstance(part, Sum) else text


def _is_less(part: Amount) -> TypeGuard[Scaled]:
    return isinstance(part, Scaled) and part.by == -1


def worked_out(amount: Amount, pricing: Pricing) -> int:
    """An amount in minor units, never below nothing; what follows the player's money goes down to the whole unit."""
    exact = max(Fraction(0), amount.minor_units(pricing))
    money = (number.name in QUANTITIES and QUANTITIES[number.name].is_money for number in numbers_in(amount))
    if (spends(amount) or any(money)) and not isinstance(amount, Rounded):
        exact = exact // pricing.unit * pricing.unit
    return exact.numerator // exact.denominator


def spends(amount: Amount) -> bool:
    """Whether it hangs on what is left when all else is up."""
    return Single("left") in parts_of(amount)


def numbers_in(amount: Amount) -> Iterator[Quantity]:
    return (part.quantity for part in parts_of(amount) if isinstance(part, Counted))


def parts_of(amount: Amount) -> Iterator[Amount]:
    """The amount and everything it is made of."""
    yield amount
    for part in amount.inner():
        yield from parts_of(part)
