"""Two dice by the weights of their 36 throws: fair ones, or ones that favour a face, a total or a throw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from numbers import Rational, Real
from typing import TYPE_CHECKING, Final

from passline.engine.values import ROLLS, SEVEN
from passline.errors import ArgumentError, ArgumentTypeError, short_repr
from passline.files.amounts import Money, money

if TYPE_CHECKING:  # prices do without NumPy
    import numpy as np
    from numpy.typing import NDArray

    from passline.machine.machine import Machine

FACES: Final = 6
# What the weights may come to in whole numbers: the exact methods multiply them in machine words.
WHOLE_MAX: Final = 10**9
EXPECTED: Final = (
    "36 weights above 0 in the order 1-1, 1-2 … 6-6, 6 for the faces of both dice, 12 for those of each, "
    "or srr=R with R above 1, the rolls for each seven"
)


@dataclass(frozen=True)
class LoadedDice:
    """Two dice by how often each of their 36 throws comes; those of fair dice are all equal."""

    # Whole numbers in lowest terms, throw `6 * (first - 1) + (second - 1)`. Each is above nothing, so that every bet is
    # decided some time.
    weights: tuple[int, ...]

    @cached_property
    def whole(self) -> int:
        return sum(self.weights)

    @property
    def fair(self) -> bool:
        return self == FAIR

    @property
    def sevens(self) -> Fraction:
        return sum((self.chance(roll.throw) for roll in ROLLS if roll.total == SEVEN), Fraction(0))

    @property
    def srr(self) -> Fraction:
        """The seven-to-rolls ratio: rolls for each seven, 6 for fair dice."""
        return 1 / self.sevens

    def chance(self, throw: int) -> Fraction:
        return Fraction(self.weights[throw], self.whole)

    def columns(self, machine: Machine) -> NDArray[np.int64]:
        """The weight of the throws that read each column of a machine."""
        import numpy as np

        weight = np.zeros(machine.columns, dtype=np.int64)
        np.add.at(weight, machine.column, np.array(self.weights, dtype=np.int64))
        return weight

    @property
    def in_words(self) -> str:
        return "fair dice" if self.fair else f"loaded dice, a seven in {float(self.srr):.4g} rolls"

    def __str__(self) -> str:
        """As `--dice` takes them again."""
        ratio = f"{float(self.srr):g}"
        short = f"srr={ratio if Fraction(ratio) == self.srr else self.srr}"
        return short if dice_of(short) == self else ",".join(map(str, self.weights))


FAIR: Final = LoadedDice((1,) * len(ROLLS))  # Dice that favour nothing
Given = str | Iterable[Money] | Mapping[str, Money] | LoadedDice | None  # what a caller may hand in for dice


def dice_of(given: Given, name: str = "dice") -> LoadedDice:
    """The dice that were meant: None for fair ones.

    Text is `srr=6.5`, which leaves all sevens alike and all other throws alike, or weights with commas between them.

    >>> dice_of("srr=6.5").srr, dice_of([1, 1, 1, 1, 1, 2]).sevens
    (Fraction(13, 2), Fraction(8, 49))
    """
    if given is None or isinstance(given, LoadedDice):
        return given or FAIR
    if isinstance(given, Mapping):
        if set(given) != {"srr"}:
            raise ArgumentError(name, short_repr(given), EXPECTED)
        return _by_sevens(name, given["srr"])
    if isinstance(given, str):
        word, is_ratio, ratio = given.partition("=")
        if is_ratio and word.strip() != "srr":
            raise ArgumentError(name, short_repr(given), EXPECTED)
        if is_ratio:
            return _by_sevens(name, ratio.strip())
        given = given.replace(",", " ").split()
    if not isinstance(given, Iterable):
        raise ArgumentTypeError(name, short_repr(given), EXPECTED)
    return _by_weights(name, [_number(name, each) for each in given])


def _number(name: str, given: object) -> Fraction:
    try:
        # A float is meant as it is written, for a weight is no money.
        is_float = isinstance(given, Real) and not isinstance(given, Rational)
        return money(str(given) if is_float else given)  # type: ignore[arg-type]
    except (ValueError, TypeError):
        raise ArgumentError(name, short_repr(given), EXPECTED) from None


def _by_sevens(name: str, given: object) -> LoadedDice:
    ratio = _number(name, given)
    if ratio <= 1:
        raise ArgumentError(name, f"srr={given}", "a seven-to-rolls ratio above 1; that of fair dice is 6")
    sevens = sum(roll.total == SEVEN for roll in ROLLS)
    chances = [(1 / ratio / sevens, (1 - 1 / ratio) / (len(ROLLS) - sevens))[roll.total != SEVEN] for roll in ROLLS]
    return _by_weights(name, chances)


def _by_weights(name: str, given: list[Fraction]) -> LoadedDice:
    if len(given) in {FACES, 2 * FACES}:
        given = [given[roll.first - 1] * given[roll.second - 1 + len(given) - FACES] for roll in ROLLS]
    if len(given) != len(ROLLS):
        raise ArgumentError(name, f"{len(given)} weights", EXPECTED)
    if min(given) <= 0:
        raise ArgumentError(name, f"a weight of {min(given)}", EXPECTED)
    over = lcm(*(each.denominator for each in given))
    whole = [int(each * over) for each in given]
    common = gcd(*whole)
    if sum(whole) // common > WHOLE_MAX:
        raise ArgumentError(name, "weights of too many digits", f"weights that are whole numbers of up to {WHOLE_MAX}")
    return LoadedDice(tuple(each // common for each in whole))
