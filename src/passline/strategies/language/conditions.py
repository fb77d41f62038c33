"""When a strategy wants something: conditions as frozen records that write themselves back as text."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from passline.strategies.language.amounts import Amount
    from passline.strategies.player.view import View

Sign = Literal["<", "<=", "=", "!=", ">=", ">"]  # how two numbers compare

SIGNS: dict[Sign, Callable[[Fraction | int, Fraction | int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}

OF_ROLL = ("seven out", "hand over", "point made", "point set")  # what a roll can have done to the hand
ASKS = ("up", "open")  # what can be so of a wager: chips are up, or the house would take it
DECIDED = ("won", "lost", "made")  # what the last roll can have done to one; made: it was put up for that roll


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that can be counted: `come_points`, or `hits(6)`."""

    name: str
    of: str | int | None = None  # the wager or the number it is about

    def __str__(self) -> str:
        return self.name if self.of is None else f"{self.name}({self.of})"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is so or not: `puck on`, `point made`, or of a wager, or any of its family, `up(place)`."""

    what: str
    wager: str | None = None

    def holds(self, sight: View) -> bool:
        return sight.is_so(self.what, self.wager)

    def __str__(self) -> str:
        return self.what if self.wager is None else f"{self.what}({self.wager})"


@dataclass(frozen=True, slots=True)
class Compare:
    number: Quantity
    sign: Sign
    value: Fraction

    def holds(self, sight: View) -> bool:
        return SIGNS[self.sign](sight.number(self.number), self.value)

    def __str__(self) -> str:
        return f"{self.number} {self.sign} {self.value}"


@dataclass(frozen=True, slots=True)
class CompareSums:
    """A sum of numbers against another: `ups > downs`, `hits(6) + hits(8) >= 2`."""

    left: Amount
    sign: Sign
    right: Amount

    @property
    def difference(self) -> dict[Quantity | None, Fraction]:
        """How often each number is on the left more than on the right; None stands for one."""
        terms = dict(self.left.terms())
        for number, by in self.right.terms().items():
            terms[number] = terms.get(number, Fraction(0)) - by
        return terms

    def holds(self, sight: View) -> bool:
        worth = (by * (1 if number is None else sight.number(number)) for number, by in self.difference.items())
        return SIGNS[self.sign](sum(worth, Fraction(0)), 0)

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


@dataclass(frozen=True, slots=True)
class OneOf:
    number: Quantity
    values: tuple[int, ...]

    def holds(self, sight: View) -> bool:
        return sight.number(self.number) in self.values

    def __str__(self) -> str:
        return f"{self.number} in ({', '.join(map(str, self.values))})"


@dataclass(frozen=True, slots=True)
class Not:
    part: Condition

    def holds(self, sight: View) -> bool:
        return not self.part.holds(sight)

    def __str__(self) -> str:
        return f"not ({self.part})" if isinstance(self.part, Joined) else f"not {self.part}"


@dataclass(frozen=True, slots=True)
class Joined:
    """All of several conditions hold, or any of them; `and` binds closer than `or`."""

    word: Literal["and", "or"]
    parts: tuple[Condition, ...]

    def holds(self, sight: View) -> bool:
        return (all if self.word == "and" else any)(part.holds(sight) for part in self.parts)

    def __str__(self) -> str:
        loose = ("or",) if self.word == "or" else ("and", "or")  # what needs brackets to be read as one part
        texts = (f"({each})" if isinstance(each, Joined) and each.word in loose else str(each) for each in self.parts)
        return f" {self.word} ".join(texts)


# Everything that can be asked before a wager is wanted.
Condition = Fact | Compare | CompareSums | OneOf | Not | Joined


def _leaves(condition: Condition) -> Iterator[Condition]:
    match condition:
        case Not(part=part):
            yield from _leaves(part)
        case Joined(parts=parts):
            yield from (leaf for part in parts for leaf in _leaves(part))
        case _:
            yield condition


def looks(condition: Condition) -> Iterator[tuple[Quantity, int | None]]:
    """Each number a condition looks at, and how far: the largest value it can tell from larger ones; None: any."""
    for leaf in _leaves(condition):
        if isinstance(leaf, CompareSums):
            yield from _reaches(leaf)
        elif isinstance(leaf, Compare):
            yield leaf.number, max(0, leaf.value.__floor__())
        elif isinstance(leaf, OneOf):
            yield leaf.number, max(0, *leaf.values)


def _reaches(leaf: CompareSums) -> Iterator[tuple[Quantity, int | None]]:
    """How far each number of a sum matters.

    No count is below nothing. Where all stand on one side, the sum is past what it is compared with as soon as one is.
    """
    terms = leaf.difference
    limit = -terms.pop(None, Fraction(0))
    alike = len({by > 0 for by in terms.values()}) == 1 and all(terms.values())
    for number, by in terms.items():
        if number is not None:
            yield number, max(0, (limit / by).__floor__()) if alike else None


def wagers_in(condition: Condition) -> Iterator[str]:
    for leaf in _leaves(condition):
        if isinstance(leaf, Fact) and leaf.wager is not None:
            yield leaf.wager
        elif isinstance(leaf, Compare | OneOf) and isinstance(leaf.number.of, str):
            yield leaf.number.of
        elif isinstance(leaf, CompareSums):
            yield from (number.of for number in leaf.difference if number and isinstance(number.of, str))


Of = str | int | None  # the wager or the total that a number is about, where it is about one
Counting = tuple[Condition, Condition | None]  # what adds one to a count after a roll, and what empties it
HAND_OVER = Fact("hand over")  # what empties the counts of a hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What one word for a number means; it is seen on the table, or kept from roll to roll."""

    words: str  # how it is told; `{}` is the wager or the total it is about
    about: Literal["wager", "total"] | None = None
    seen: Callable[[View, Of], Fraction | int] | None = None
    counting: Callable[[Of], Counting] | None = None
    is_money: bool = False  # whether it is money, in units, and so may be a fraction
    is_total: bool = False  # whether it is a total of the dice
    after_roll: bool = False  # whether only what is counted after a roll can ask for it


def _of_wager(what: str) -> Callable[[Of], Counting]:
    return lambda wager: (Fact(what, str(wager)), HAND_OVER)


# `last`, and money but `bankroll` and `stake`, have no count of their own: the player's memory keeps them whole.
QUANTITIES: dict[str, Meaning] = {
    "point": Meaning(words="the point is", seen=lambda sight, _: sight.puck, is_total=True),
    "come_points": Meaning(words="come bets on numbers", seen=lambda sight, _: sight.travelled("come")),
    "dont_come_points": Meaning(words="don't come bets on numbers", seen=lambda sight, _: sight.travelled("dont_come")),
    "hand_rolls": Meaning(words="rolls in this hand", counting=lambda _: (Fact("always"), HAND_OVER)),
    "hand_points": Meaning(words="points made in this hand", counting=lambda _: (Fact("point made"), HAND_OVER)),
    "rolls": Meaning(words="rolls this session", counting=lambda _: (Fact("always"), None)),
    "hands": Meaning(words="hands this session", counting=lambda _: (HAND_OVER, None)),
    "stage": Meaning(words="the stage is", is_total=True),
    "last": Meaning(words="the last roll was", is_total=True),
    "profit": Meaning(words="units of profit", is_money=True),
    "peak": Meaning(words="units of profit at the best of the session", is_money=True),
    "below_peak": Meaning(words="units below the best of the session", is_money=True),
    "hand_profit": Meaning(words="units of profit in this hand", is_money=True),
    "just_won": Meaning(words="units that {} won with the last roll", about="wager", is_money=True),
    "bankroll": Meaning(words="units at hand", seen=lambda sight, _: sight.at_hand(), is_money=True),
    "rolled": Meaning(words="the roll is", seen=lambda sight, _: sight.total(), is_total=True, after_roll=True),
    "stake": Meaning(
        words="units up on {}", about="wager", seen=lambda sight, wager: sight.staked_on(str(wager)), is_money=True
    ),
    "count_up": Meaning(words="bets up on {}", about="wager", seen=lambda sight, wager: sight.bets_on(str(wager))),
    "wins": Meaning(words="wins of {} in this hand", about="wager", counting=_of_wager("won")),
    "losses": Meaning(words="losses of {} in this hand", about="wager", counting=_of_wager("lost")),
    "bets": Meaning(words="bets made on {} in this hand", about="wager", counting=_of_wager("made")),
    "hits": Meaning(
        words="rolls of {} in this hand",
        about="total",
        counting=lambda total: (OneOf(Quantity("rolled"), (int(total or 0),)), HAND_OVER),
    ),
}

# Numbers that need nothing more said, those about a wager, about a total of the dice, and those that only what is
# counted after a roll can ask for.
PLAIN = tuple(name for name, meaning in QUANTITIES.items() if not (meaning.about or meaning.after_roll))
OF_WAGER = tuple(name for name, meaning in QUANTITIES.items() if meaning.about == "wager")
OF_TOTAL = tuple(name for name, meaning in QUANTITIES.items() if meaning.about == "total")
AFTER_ROLL = tuple(name for name, meaning in QUANTITIES.items() if meaning.after_roll)
# Money that goes on from roll to roll; what ends the session bounds it.
OF_EVENING = tuple(name for name, meaning in QUANTITIES.items() if meaning.is_money and meaning.about is None)
