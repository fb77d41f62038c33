"""What one roll does to one wager."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from passline.engine.values import ClauseId, Price, WagerKey

WHOLE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Wins:
    """The wager, or the part of it on this number, is paid."""

    price: Price
    clause: ClauseId
    rule: ClauseId
    rate: Fraction
    """Profit on a stake of one, splits counted on the whole stake."""
    share: Fraction = WHOLE
    """The part of the stake that won; the rest is lost."""


@dataclass(frozen=True, slots=True)
class Loses:
    """The stake goes to the bank."""

    clause: ClauseId


@dataclass(frozen=True, slots=True)
class Pushes:
    """Neither side wins: the first roll was the barred number."""

    clause: ClauseId


@dataclass(frozen=True, slots=True)
class Travels:
    """The wager leaves its box for a number."""

    to: WagerKey
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class Returns:
    """The wager was off when the bet that carries it was decided, so it goes back unpaid."""

    clause: ClauseId


@dataclass(frozen=True, slots=True)
class Tallies:
    """The wager stands and remembers this roll."""

    mark: int


Verdict = Wins | Loses | Pushes | Travels | Returns | Tallies
"""Everything a roll can do to a wager, except nothing: that is None."""
