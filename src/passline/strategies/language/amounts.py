"""How much a strategy wants up: amounts as frozen records that write themselves back as text."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class Pricing(Protocol):
    """What an amount is worked out from: one spot at one moment, all money in grains."""

    @property
    def unit(self) -> Fraction | int:
        """One unit."""

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


@dataclass(frozen=True, slots=True)
class Units:
    """A fixed number of units."""

    units: Fraction

    def grains(self, pricing: Pricing) -> Fraction:
        """Units as money."""
        return self.units * pricing.unit

    def __str__(self) -> str:
        return str(self.units)


@dataclass(frozen=True, slots=True)
class Times:
    """So many times the flat bet that odds stand behind."""

    times: Fraction

    def grains(self, pricing: Pricing) -> Fraction:
        """A multiple of the flat bet."""
        return self.times * pricing.flat()

    def __str__(self) -> str:
        return (
            f"{self.times}x" if self.times.denominator == 1 else f"{self.times.numerator}x / {self.times.denominator}"
        )


@dataclass(frozen=True, slots=True)
class Max:
    """The most the house allows: its odds, or the table's maximum."""

    def grains(self, pricing: Pricing) -> Fraction:
        """The limit."""
        return Fraction(pricing.most())

    def __str__(self) -> str:
        return "max"


@dataclass(frozen=True, slots=True)
class ThreeFourFive:
    """Odds of three times the flat bet on 4 and 10, four on 5 and 9, five on 6 and 8; laid: what wins that."""

    def grains(self, pricing: Pricing) -> Fraction:
        """By the point."""
        return Fraction(pricing.three_four_five())

    def __str__(self) -> str:
        return "3-4-5"


@dataclass(frozen=True, slots=True)
class Step:
    """Where a progression of this strategy stands."""

    progression: str

    def grains(self, pricing: Pricing) -> Fraction:
        """The progression's step as money."""
        return pricing.step(self.progression) * pricing.unit

    def __str__(self) -> str:
        return self.progression


@dataclass(frozen=True, slots=True)
class ToWin:
    """The stake that wins an amount at this wager's price."""

    wins: Amount

    def grains(self, pricing: Pricing) -> Fraction:
        """Turn the win round into a stake."""
        return pricing.to_win(self.wins.grains(pricing))

    def __str__(self) -> str:
        return f"to_win({self.wins})"


@dataclass(frozen=True, slots=True)
class Least:
    """The smallest of several."""

    parts: tuple[Amount, ...]

    def grains(self, pricing: Pricing) -> Fraction:
        """The smallest."""
        return min(part.grains(pricing) for part in self.parts)

    def __str__(self) -> str:
        return f"least({', '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Greatest:
    """The largest of several."""

    parts: tuple[Amount, ...]

    def grains(self, pricing: Pricing) -> Fraction:
        """The largest."""
        return max(part.grains(pricing) for part in self.parts)

    def __str__(self) -> str:
        return f"greatest({', '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Sum:
    """Several together; what is taken away stands there times minus one."""

    parts: tuple[Amount, ...]

    def grains(self, pricing: Pricing) -> Fraction:
        """All together."""
        return sum((part.grains(pricing) for part in self.parts), Fraction(0))

    def __str__(self) -> str:
        text = str(self.parts[0])
        for part in self.parts[1:]:
            minus = isinstance(part, Scaled) and part.by == -1
            text += f" - {_grouped(part.part)}" if minus and isinstance(part, Scaled) else f" + {part}"
        return text


@dataclass(frozen=True, slots=True)
class Scaled:
    """So many times another amount."""

    part: Amount
    by: Fraction

    def grains(self, pricing: Pricing) -> Fraction:
        """The multiple."""
        return self.part.grains(pricing) * self.by

    def __str__(self) -> str:
        return f"{_grouped(self.part)} * {self.by}"


Amount = Units | Times | Max | ThreeFourFive | Step | ToWin | Least | Greatest | Sum | Scaled
"""Every way to say how much."""


def _grouped(part: Amount) -> str:
    return f"({part})" if isinstance(part, Sum) else str(part)


def parts_of(amount: Amount) -> Iterator[Amount]:
    """The amount and everything it is made of."""
    yield amount
    match amount:
        case ToWin(wins=inner) | Scaled(part=inner):
            yield from parts_of(inner)
        case Least(parts=parts) | Greatest(parts=parts) | Sum(parts=parts):
            for part in parts:
                yield from parts_of(part)
        case _:
            pass


def denominator(amount: Amount) -> int:
    """What clears every fraction that an amount itself brings in, prices and flat bets apart."""
    match amount:
        case Units(units=fixed) | Times(times=fixed):
            return fixed.denominator
        case Scaled(part=part, by=by):
            return denominator(part) * by.denominator
        case ToWin(wins=inner):
            return denominator(inner)
        case Least(parts=parts) | Greatest(parts=parts) | Sum(parts=parts):
            return lcm(*map(denominator, parts))
        case _:
            return 1
