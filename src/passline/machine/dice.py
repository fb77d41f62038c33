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

    def to_json(self) -> str | None:
        """Nothing where they are fair."""
        return None if self.fair else str(self)

    def __str__(self) -> str:
        """As `--dice` takes them again."""
        ratio = f"{float(self.srr):g}"
        short = f"srr={ratio if Fraction(ratio) == self.srr else self.srr}"
        return short if dice_of(short) == self else ",".join(map(str, self.weights))


FAIR: Final = LoadedDice((1,) * len(ROLLS))  # Dice that favour nothing
Given = str | Iterable[Money] | Mapping[str, Money] | LoadedDice | None  # what a caller may hand in for dice


def dice_of(dice: Given, name: str = "dice") -> LoadedDice:
    """The dice that were meant: None for fair ones.

    Text is `srr=6.5`, which leaves all sevens alike and all other throws alike, or weights with commas between them.

    >>> dice_of("srr=6.5").srr, dice_of([1, 1, 1, 1, 1, 2]).sevens
    (Fraction(13, 2), Fraction(8, 49))
    """
    if dice is None or isinstance(dice, LoadedDice):
        return dice or FAIR
    if isinstance(dice, Mapping):
        if set(dice) != {"srr"}:
            raise ArgumentError(name, short_repr(dice), EXPECTED)
        return _by_sevens(name, dice["srr"])
    if isinstance(dice, str):
        word, is_ratio, ratio = dice.partition("=")
        if is_ratio and word.strip() != "srr":
            raise ArgumentError(name, short_repr(dice), EXPECTED)
        if is_ratio:
            return _by_sevens(name, ratio.strip())
        dice = dice.replace(",", " ").split()
    if not isinstance(dice, Iterable):
        raise ArgumentTypeError(name, short_repr(dice), EXPECTED)
    return _by_weights(name, [_number(name, each) for each in dice])


def _number(name: str, value: object) -> Fraction:
    try:
        # A float is meant as it is written, for a weight is no money.
        is_float = isinstance(value, Real) and not isinstance(value, Rational)
        return money(str(value) if is_float else value)  # type: ignore[arg-type]
    except (ValueError, TypeError):
        raise ArgumentError(name, short_repr(value), EXPECTED) from None


def _by_sevens(name: str, value: object) -> LoadedDice:
    ratio = _number(name, value)
    if ratio <= 1:
        raise ArgumentError(name, f"srr={value}", "a seven-to-rolls ratio above 1; that of fair dice is 6")
    sevens = sum(roll.total == SEVEN for roll in ROLLS)
    chances = [(1 / ratio / sevens, (1 - 1 / ratio) / (len(ROLLS) - sevens))[roll.total != SEVEN] for roll in ROLLS]
    return _by_weights(name, chances)


def _by_weights(name: str, weights: list[Fraction]) -> LoadedDice:
    if len(weights) in {FACES, 2 * FACES}:
        weights = [weights[roll.first - 1] * weights[roll.second - 1 + len(weights) - FACES] for roll in ROLLS]
    if len(weights) != len(ROLLS) or min(weights) <= 0:
        odd = f"{len(weights)} weights" if len(weights) != len(ROLLS) else f"a weight of {min(weights)}"
        raise ArgumentError(name, odd, EXPECTED)
    over = lcm(*(each.denominator for each in weights))
    whole = [int(each * over) for each in weights]
    common = gcd(*whole)
    if sum(whole) // common > WHOLE_MAX:
        raise ArgumentError(name, "weights of too many digits", f"weights that are whole numbers of up to {WHOLE_MAX}")
    return LoadedDice(tuple(each // common for each in whole))
