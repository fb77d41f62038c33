"""What one roll does to one wager."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple, get_args

from passline.engine.values import SEVEN, Cited, ClauseId, Price, Roll, Total, WagerKey

WHOLE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Wins:
    """The wager, or the part of it on this number, is paid."""

    price: Price
    clause: ClauseId
    rule: ClauseId
    rate: Fraction  # Profit on a stake of one, splits counted on the whole stake
    share: Fraction = WHOLE  # the part of the stake that won; the rest is lost


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


# Everything a roll can do to a wager, except nothing: that is None.
Verdict = Wins | Loses | Pushes | Travels | Returns | Tallies


FRESH = 0  # the mark of a wager that has not seen a roll; wagers with memory never come back to it
TALLY = 1  # Added to a tally's bits, so that an empty tally differs from a fresh wager
Side = Literal["do", "dont"]  # with the shooter or against

# When a wager may be made.
Window = Literal["any time", "come-out", "point on", "after come-out", "first come-out", "after a seven"]

AT_ANY_TIME: tuple[Window, ...] = get_args(Window)  # the windows of a wager that means the same whenever it is made

# The windows of a tally: made later, half of it would be for sale.
BEFORE_IT_COUNTS: tuple[Window, ...] = ("first come-out", "come-out", "after a seven")

Prices = Mapping[Total, Cited[Price]]  # a price for each number
Clauses = ClauseId | Mapping[Total, ClauseId]  # one clause for every number of a wager, or one for each
Pair = tuple[int, int]  # two faces, the higher first
NO_PUT = Cited(value=False, clause=ClauseId("X-07"))  # a line bet is made before its point, where the book does not say
Units = Annotated[int, range(1, 101)]  # how much of a split lies on one of its parts
Count = Annotated[int, range(1, 13)]  # how many points a hand has made


@dataclass(frozen=True, slots=True)
class Marking:
    """Somewhere that chips of a wager can lie, and what tells it from the wager's other places."""

    key: WagerKey
    # Its number or pair, as a house file writes it; empty where the wager has only this place, or begins here.
    member: str = ""
    number: int = 0  # the number it is on; 0 where the puck or the next roll gives it one
    pair: Pair = (0, 0)  # the two faces a hop names, the higher first
    parts: Mapping[WagerKey, int] = field(default_factory=dict)  # for a split: units on each part
    flat: str = ""  # for odds: the key of the flat bet they stand behind
    odds: str = ""  # for a flat bet: the key of the odds behind it, where it stands now
    side: Side | None = None  # with the shooter or against, where the wager takes a side
    # For a wager with memory: the numbers it looks for, the first on the lowest bit of its tally.
    counts: tuple[int, ...] = ()
    # For a wager with memory: the numbers it does not tell apart; exchanged, nothing else about it changes.
    alike: tuple[tuple[int, ...], ...] = ()
    # Whether it is decided alike wherever the puck lies, so that its verdicts need be worked out only once.
    blind: bool = False


class Paid(NamedTuple):
    number: int  # the total, point or count of points that brings it; 0 where nothing else is paid
    price: Price
    clause: ClauseId
    times: int = 0  # how often that must come, where more than once


def on(key: str, number: int) -> WagerKey:
    return WagerKey(f"{key}_{number}")


def wins_at(price: Cited[Price], rule: ClauseId) -> Wins:
    return Wins(price=price.value, clause=price.clause, rule=rule, rate=price.value.rate)


def paid_at(number: int, price: Cited[Price]) -> Paid:
    return Paid(number, price.value, price.clause)


def clause_for(clauses: Clauses, number: int) -> ClauseId:
    return clauses[number] if isinstance(clauses, Mapping) else clauses


def race(side: Side | None, number: int, roll: Roll) -> bool | None:
    """Whether this roll wins a number's race against seven, loses it, or leaves it open."""
    if roll.total not in (number, SEVEN):
        return None
    return (roll.total == number) == (side == "do")
