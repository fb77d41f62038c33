"""The smallest things on a table: a throw, a price, an amount on its way to chips."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Generic, Literal, NamedTuple, NewType, TypeVar, dataclass_transform

# The name of a spot that this house has: `place_6`. What somebody asks for is only text until the dealers find it.
WagerKey = NewType("WagerKey", str)

ClauseId = NewType("ClauseId", str)  # the id of a clause of a rule book: `sydney:6.5.2`
Chips = Annotated[int, "minor units"]  # an amount in minor units; a field of this type is money

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass_transform(frozen_default=True)
def frozen(cls: type[T], /) -> type[T]:
    """A frozen record with slots and a hash.

    The type checker refuses every assignment. At run time nothing is in the way of one, for a frozen dataclass pays for
    that with six times the work on every field it is made with, and a table makes a dozen records a roll.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


@dataclass(frozen=True, slots=True)
class Cited(Generic[T_co]):
    """A value and the id of the clause that gives it."""

    value: T_co
    clause: ClauseId


# Who works at a table, in our own words; a house's words for them are in its book
Crew = Literal["dealer", "box", "stick", "supervisor", "inspector"]

Role = Literal[Crew, "player"]  # who speaks
CENTS = 100  # the minor unit of a real table: a hundredth of its unit of money
FACES = range(1, 7)  # the faces of a die
OPPOSITE_FACES_SUM = 7  # a die lying on one face shows the one that makes seven with it
SEVEN = 7  # the total that ends hands; every wager is for it or against it
Total = Annotated[int, range(2, 13)]  # what two dice can show
Natural = Annotated[int, range(1_000_000_001)]  # a number of things, perhaps none
Positive = Annotated[int, range(1, 1_000_000_001)]  # a number of things, at least one
Form = Literal["to", "for"]  # how a price is quoted: *to* leaves the stake out, *for* counts it in
Rounding = Literal["up", "down", "nearest", "exact"]  # which way an amount that chips cannot make goes


class Roll(NamedTuple):
    """Two dice at rest, in the order they were called."""

    first: int
    second: int

    @property
    def total(self) -> int:
        return self.first + self.second

    @property
    def is_hard(self) -> bool:
        return self.first == self.second

    @property
    def throw(self) -> int:
        """The place of this roll among the 36 throws of two dice told apart."""
        return 6 * self.first + self.second - 7

    @property
    def is_possible(self) -> bool:
        return self.first in FACES and self.second in FACES

    def __str__(self) -> str:
        """Write it the way a record does: `4-2`."""
        return f"{self.first}-{self.second}"


ROLLS = tuple(Roll(first, second) for first in FACES for second in FACES)  # all 36 throws, in the order of `Roll.throw`


@dataclass(frozen=True, slots=True)
class Price:
    """What a winner is paid: `pays` for every `per` staked, quoted as the house quotes it."""

    pays: int
    per: int
    form: Form = "to"

    @property
    def rate(self) -> Fraction:
        return _rate(self.pays - self.per if self.form == "for" else self.pays, self.per)

    def __str__(self) -> str:
        """Quote it as a layout prints it: `7 to 6`, `8 for 1`."""
        return f"{self.pays} {self.form} {self.per}"


@lru_cache(maxsize=4096)
def _rate(profit: int, per: int) -> Fraction:
    """A house has few prices, and its dealers ask for them all day."""
    return Fraction(profit, per)


def in_chips(amount: Fraction | int, chip: int, rounding: Rounding) -> int:
    """Turn an exact amount of minor units into whole chips, the way this house rounds; *exact* is to the minor unit.

    >>> in_chips(Fraction(29, 2), 1, "up"), in_chips(Fraction(29, 2), 1, "down")
    (15, 14)
    """
    unit = 1 if rounding == "exact" else chip
    whole, rest = divmod(amount.numerator, amount.denominator * unit)
    if rest and rounding == "up":
        whole += 1
    elif rounding == "nearest":
        whole += 2 * rest >= amount.denominator * unit
    return whole * unit


def money(minor_units: int, per_unit: int) -> str:
    """Write an amount the way people do: whole amounts without a point, others with two decimals or as a fraction.

    >>> money(1200, 100), money(250, 100), money(7, 3)
    ('12', '2.50', '7/3')
    """
    whole, rest = divmod(minor_units, per_unit)
    if not rest:
        return str(whole)
    if 100 % per_unit:
        return str(Fraction(minor_units, per_unit))
    sign, whole, cents = "-" * (minor_units < 0), *divmod(abs(minor_units) * (100 // per_unit), 100)
    return f"{sign}{whole}.{cents:02}"


def odds_by_name(odds: Mapping[int, int]) -> str:
    """What people call a sign's odds, from its multiple for every point: each once, as the points come.

    >>> odds_by_name({4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}), odds_by_name({6: 10, 8: 10})
    ('3-4-5', '10')
    """
    return "-".join(str(multiple) for multiple in dict.fromkeys(odds[point] for point in sorted(odds)))


def exact_text(amount: Fraction) -> str:
    """An exact amount as a decimal where one ends, else as a fraction."""
    for digits in range(7):
        if (amount * 10**digits).denominator == 1:
            whole = str(abs((amount * 10**digits).numerator)).zfill(digits + 1)
            text = whole if not digits else f"{whole[:-digits]}.{whole[-digits:]}"
            return f"-{text}" if amount < 0 else text
    return str(amount)


# The house has its cage, its bank and promotions; a seat has its rail and its tokens; a wager has chips on the felt,
# tokens up beside them, and commission held for it
PlaceName = Literal["cage", "bank", "promotions", "rail", "tokens", "felt", "tokens up", "held"]


class Place(NamedTuple):
    name: PlaceName
    seat: int | None = None  # none: the house's own
    wager: str | None = None  # for chips, tokens and commission of a wager


class Move(NamedTuple):
    """Some minor units, more than none, go from one place to another; tokens only ever go where tokens lie."""

    source: Place
    to: Place
    amount: int
