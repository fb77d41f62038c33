"""What one roll does to one wager."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passline.engine.values import Price

WHOLE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Wins:
    """The wager, or the part of it on this number, is paid."""

    price: Price
    clause: str
    rule: str
    rate: Fraction
    """Profit on a stake of one, splits counted on the whole stake."""
    share: Fraction = WHOLE
    """The part of the stake that won; the rest is lost."""


@dataclass(frozen=True, slots=True)
class Loses:
    """The stake goes to the bank."""

    clause: str


@dataclass(frozen=True, slots=True)
class Pushes:
    """Neither side wins: the first roll was the barred number."""

    clause: str


@dataclass(frozen=True, slots=True)
class Travels:
    """The wager leaves its box for a number."""

    to: str
    clause: str


@dataclass(frozen=True, slots=True)
class Returns:
    """The wager was off when the bet that carries it was decided, so it goes back unpaid."""

    clause: str


@dataclass(frozen=True, slots=True)
class Tallies:
    """The wager stands and remembers this roll."""

    mark: int


Verdict = Wins | Loses | Pushes | Travels | Returns | Tallies
"""Everything a roll can do to a wager, except nothing: that is None."""
