"""How much a strategy wants up: amounts as frozen records that write, tell and work themselves out."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Protocol

from passline.strategies.language.conditions import QUANTITIES, Quantity
from passline.telling.figures import listed


class Pricing(Protocol):
    """What an amount is worked out from: one spot at one moment, all money in minor units."""

    @property
    def unit(self) -> Fraction | int: ...
    def flat(self) -> int:
        """The flat bet these odds stand behind."""

    def most(self) -> int:
        """The most the notice allows here."""

    def three_four_five(self) -> int:
        """Three, four or five times the flat bet by its point, or what wins that."""

    def to_win(self, amount: Fraction) -> Fraction:
        """The stake that wins an amount."""

    def step(self, progression: str) -> Fraction:
        """Where a progression stands, in units."""

    def number(self, number: Quantity) -> Fraction | int:
        """A number of the language: how many, or how much in units."""

    def left(self) -> Fraction:
        """What is at hand and up nowhere else."""


class Amount:
    """A way to say how much; `str` writes it as a file does."""

    __slots__ = ()

    def minor_units(self, pricing: Pricing) -> Fraction:
        raise NotImplementedError

    def inner(self) -> "tuple[Amount, ...]":
        return ()

    def clears(self) -> int:
        """What clears every fraction it brings in."""
        return lcm(*(part.clears() for part in self.inner()))

    def in_words(self) -> str:
        """As one player tells another."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Units(Amount):
    units: Fraction

    def minor_units(self, pricing: Pricing) -> Fraction:
        return self.units * pricing.unit

    def clears(self) -> int:
        return self.units.denominator

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

    def clears(self) -> int:
        return self.times.denominator

    def in_words(self) -> str:
        return "as much as the flat bet" if self.times == 1 else f"{self.times} times the flat bet"

    def __str__(self) -> str:
        over = "" if self.times.denominator == 1 else f" / {self.times.denominator}"
        return f"{self.times.numerator}x{over}"


@dataclass(frozen=True, slots=True)
class Max(Amount):
    """The most the house allows: its odds, or the table's maximum."""

    def minor_units(self, pricing: Pricing) -> Fraction:
        return Fraction(pricing.most())

    def in_words(self) -> str:
        return "the most the house allows"

    def __str__(self) -> str:
        return "max"


@dataclass(frozen=True, slots=True)
class ThreeFourFive(Amount):
    """Odds of three times the flat bet on 4 and 10, four on 5 and 9, five on 6 and 8; laid: what wins that."""

    def minor_units(self, pricing: Pricing) -> Fraction:
        return Fraction(pricing.three_four_five())

    def in_words(self) -> str:
        return "3-4-5 times the flat bet"

    def __str__(self) -> str:
        return "3-4-5"


@dataclass(frozen=True, slots=True)
class Step(Amount):
    """Where a progression of this strategy stands."""

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

    def in_words(self) -> str:
        if self.quantity.name not in QUANTITIES:
            return f"`{self.quantity}` units"
        words = QUANTITIES[self.quantity.name].words.format(str(self.quantity.of).replace("_", " "))
        return f"the {words}" if words.startswith("units") else f"as many units as {words}"

    def __str__(self) -> str:
        return str(self.quantity)


@dataclass(frozen=True, slots=True)
class Left(Amount):
    """All that is at hand and not up elsewhere."""

    def minor_units(self, pricing: Pricing) -> Fraction:
        return pricing.left()

    def in_words(self) -> str:
        return "all that is left"

    def __str__(self) -> str:
        return "left"


@dataclass(frozen=True, slots=True)
class ToWin(Amount):
    """The stake that wins an amount at this wager's price."""

    wins: Amount

    def minor_units(self, pricing: Pricing) -> Fraction:
        return pricing.to_win(self.wins.minor_units(pricing))

    def inner(self) -> tuple[Amount, ...]:
        return (self.wins,)

    def in_words(self) -> str:
        return f"enough to win {self.wins.in_words()}"

    def __str__(self) -> str:
        return f"to_win({self.wins})"


@dataclass(frozen=True, slots=True)
class Several(Amount):
    parts: tuple[Amount, ...]

    def inner(self) -> tuple[Amount, ...]:
        return self.parts


@dataclass(frozen=True, slots=True)
class Least(Several):
    def minor_units(self, pricing: Pricing) -> Fraction:
        return min(part.minor_units(pricing) for part in self.parts)

    def in_words(self) -> str:
        return f"the least of {listed([part.in_words() for part in self.parts])}"

    def __str__(self) -> str:
        return f"least({', '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Greatest(Several):
    def minor_units(self, pricing: Pricing) -> Fraction:
        return max(part.minor_units(pricing) for part in self.parts)

    def in_words(self) -> str:
        return f"the most of {listed([part.in_words() for part in self.parts])}"

    def __str__(self) -> str:
        return f"greatest({', '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Sum(Several):
    """Several together; what is taken away stands there times minus one."""

    def minor_units(self, pricing: Pricing) -> Fraction:
        return sum((part.minor_units(pricing) for part in self.parts), Fraction(0))

    def in_words(self) -> str:
        return " plus ".join(
            f"minus {_together_in_words(part.part)}" if isinstance(part, Scaled) and part.by == -1 else part.in_words()
            for part in self.parts
        )

    def __str__(self) -> str:
        text = str(self.parts[0])
        for part in self.parts[1:]:
            minus = isinstance(part, Scaled) and part.by == -1
            text += f" - {_grouped(part.part)}" if minus and isinstance(part, Scaled) else f" + {part}"
        return text


@dataclass(frozen=True, slots=True)
class Scaled(Amount):
    part: Amount
    by: Fraction

    def minor_units(self, pricing: Pricing) -> Fraction:
        return self.part.minor_units(pricing) * self.by

    def inner(self) -> tuple[Amount, ...]:
        return (self.part,)

    def clears(self) -> int:
        return self.part.clears() * self.by.denominator

    def in_words(self) -> str:
        return f"{self.by} times {_together_in_words(self.part)}"

    def __str__(self) -> str:
        return f"{_grouped(self.part)} * {self.by}"


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

    def inner(self) -> tuple[Amount, ...]:
        return (self.part,)

    def clears(self) -> int:
        return self.part.clears() * self.to.denominator

    def in_words(self) -> str:
        return f"{_together_in_words(self.part)}, {'up' if self.up else 'down'} to a multiple of {self.to}"

    def __str__(self) -> str:
        return f"{'ceil' if self.up else 'floor'}({self.part}, {self.to})"


def worked_out(amount: Amount, pricing: Pricing) -> int:
    """An amount in minor units, never below nothing; what follows the player's money goes down to the whole unit."""
    exact = max(Fraction(0), amount.minor_units(pricing))
    if looks_at_money(amount) and not isinstance(amount, Rounded):
        exact = exact // pricing.unit * Fraction(pricing.unit)
    return exact.numerator // exact.denominator


def looks_at_money(amount: Amount) -> bool:
    """Whether it hangs on what was won or lost, and not on counts alone."""
    money = (number.name in QUANTITIES and QUANTITIES[number.name].is_money for number in numbers_in(amount))
    return spends(amount) or any(money)


def spends(amount: Amount) -> bool:
    """Whether it hangs on what is left when all else is up."""
    return any(isinstance(part, Left) for part in parts_of(amount))


def numbers_in(amount: Amount) -> Iterator[Quantity]:
    return (part.quantity for part in parts_of(amount) if isinstance(part, Counted))


def _together_in_words(part: Amount) -> str:
    """In words, a sum in brackets: what is done to it is done to all of it."""
    return f"({part.in_words()})" if isinstance(part, Sum) else part.in_words()


def _grouped(part: Amount) -> str:
    return f"({part})" if isinstance(part, Sum) else str(part)


def parts_of(amount: Amount) -> Iterator[Amount]:
    """The amount and everything it is made of."""
    yield amount
    for part in amount.inner():
        yield from parts_of(part)
