"""The shooter's hand, exactly: how long it lasts, how many points it makes, how many different ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from pathlib import Path

from passline.engine.layout import Layout
from passline.errors import ArgumentError, shown
from passline.files.amounts import Money, positive, whole_number
from passline.files.arguments import chance as a_chance
from passline.house import House, open_house
from passline.machine.dice import FAIR, Given, LoadedDice, dice_of
from passline.odds.absorbing import visits
from passline.odds.memo import remembered
from passline.odds.puck import OFF, Puck, puck_of

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""The shares of hands whose lengths are told."""

ROLLS_SHOWN = (1, 2, 5, 10, 20, 50, 100)
"""The lengths of a hand that are told by name."""

LENGTH_MAX = 10_000
"""The longest hand that is asked about: its chance has tens of thousands of digits."""

RAREST = Fraction(1, 10**12)
"""The rarest hand that is looked for."""

POINTS_SHOWN = 10
"""How many numbers of points made are told before the rest is one figure."""

Tally = tuple[frozenset[int], int]
"""The points made so far, and where the puck is."""


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """A shooter's hand from the first come-out roll to the roll that ends it."""

    mean_rolls: Fraction
    variance_rolls: Fraction
    p_point_made: Fraction
    """The chance, on a come-out, that the hand will make another point."""
    mean_points: Fraction
    distinct_points: tuple[Fraction, ...]
    """The chance of making exactly 0, 1, 2 ... different points."""
    mean_distinct: Fraction
    puck: Puck = field(repr=False)
    dice: LoadedDice = FAIR

    def tail(self) -> Iterator[Fraction]:
        """The chance of more than 0 rolls, more than 1, more than 2, for ever.

        A hand has at least two rolls, for a seven on the come-out ends nothing.

        >>> [str(chance) for chance in islice(hand_of("adelaide").tail(), 3)]
        ['1', '1', '8/9']
        """
        here, of, weights = Counter({OFF: 1}), 1, self.dice.weights
        while True:
            yield Fraction(here.total(), of)
            after: Counter[int] = Counter()
            for place, throws in here.items():
                for turn, weight in zip(self.puck.turns[place], weights, strict=True):
                    if not turn.hand_over:
                        after[turn.to] += throws * weight
            here, of = after, of * self.dice.whole

    def rolls_more_than(self, rolls: int) -> Fraction:
        """The chance of a hand of more than this many rolls."""
        rolls = whole_number("rolls", rolls, least=0, most=LENGTH_MAX)
        return next(chance for made, chance in enumerate(self.tail()) if made >= rolls)

    def length(self, rolls: int) -> Fraction:
        """The chance of a hand of exactly so many rolls."""
        rolls = whole_number("rolls", rolls, most=LENGTH_MAX)
        before, after = islice(self.tail(), rolls - 1, rolls + 1)
        return before - after

    def quantile(self, chance: float | Fraction) -> int:
        """The least length with at least `chance` of a hand that is no longer; 1/2 gives the median."""
        beyond = 1 - a_chance("chance", chance)
        if beyond < RAREST:
            raise ArgumentError("chance", shown(chance), f"a chance up to 1 - {float(RAREST):.0e}")
        return next(rolls for rolls, left in enumerate(self.tail()) if left <= beyond)

    def per_hour(self, rolls_per_hour: Money = 100) -> Fraction:
        """Hands, and so seven-outs, in an hour of so many rolls, one hand after the other."""
        return positive("rolls_per_hour", rolls_per_hour) / self.mean_rolls

    def points(self, made: int) -> Fraction:
        """The chance of making exactly so many points."""
        return self.points_at_least(made) * (1 - self.p_point_made)

    def points_at_least(self, made: int) -> Fraction:
        """The chance of making so many points or more."""
        return self.p_point_made ** whole_number("made", made, least=0, most=LENGTH_MAX)

    def distinct_at_least(self, made: int) -> Fraction:
        """The chance of making so many different points or more."""
        return sum(self.distinct_points[whole_number("made", made, least=0) :], Fraction(0))

    def to_json(self) -> dict[str, object]:
        """JSON values: every fraction a string, nothing rounded."""
        tail = list(islice(self.tail(), ROLLS_SHOWN[-1] + 1))
        return {
            "mean_rolls": str(self.mean_rolls),
            "variance_rolls": str(self.variance_rolls),
            "quantiles": {str(q): self.quantile(q) for q in QUANTILES},
            "rolls_more_than": {str(rolls): str(tail[rolls]) for rolls in ROLLS_SHOWN},
            "p_point_made": str(self.p_point_made),
            "mean_points": str(self.mean_points),
            "points": {str(made): str(self.points(made)) for made in range(POINTS_SHOWN)}
            | {f"{POINTS_SHOWN}+": str(self.points_at_least(POINTS_SHOWN))},
            "mean_distinct_points": str(self.mean_distinct),
            "distinct_points": {str(made): str(chance) for made, chance in enumerate(self.distinct_points)},
        }


def hand_of(house: House | str | Path, *, dice: Given = None) -> Hand:
    """The hand of a shooter in this house, opened or by its name; with fair dice unless others are given.

    >>> hand_of("sydney").mean_rolls
    Fraction(1671, 196)
    """
    return _hand(open_house(house).layout, dice_of(dice))


@remembered
def _hand(layout: Layout, dice: LoadedDice) -> Hand:
    puck = puck_of(layout)
    often = visits({OFF: 1}, _steps(puck, dice), dice.whole)
    mean = sum(often.values(), Fraction(0))
    # The sum over the visits of what is still to come from there is the mean of 1 + 2 + ... + length.
    triangular = sum(visits(often, _steps(puck, dice), dice.whole).values(), Fraction(0))
    until_a_point = visits({OFF: 1}, _steps(puck, dice, stop_at_point=True), dice.whole)
    made = sum((seen * _throws_made(puck, place, dice) for place, seen in until_a_point.items()), Fraction(0))
    distinct = _distinct(puck, dice)
    return Hand(
        mean_rolls=mean,
        variance_rolls=2 * triangular - mean - mean**2,
        p_point_made=made,
        mean_points=made / (1 - made),
        distinct_points=distinct,
        mean_distinct=sum((count * chance for count, chance in enumerate(distinct)), Fraction(0)),
        puck=puck,
        dice=dice,
    )


def _throws_made(puck: Puck, place: int, dice: LoadedDice) -> Fraction:
    turns = zip(puck.turns[place], dice.weights, strict=True)
    return Fraction(sum(weight for turn, weight in turns if turn.point_made), dice.whole)


def _steps(puck: Puck, dice: LoadedDice, *, stop_at_point: bool = False) -> dict[int, Counter[int]]:
    """The throws that leave the hand going, by where they lead."""
    steps: dict[int, Counter[int]] = {}
    for place, turns in puck.turns.items():
        steps[place] = Counter()
        for turn, weight in zip(turns, dice.weights, strict=True):
            if not (turn.hand_over or (stop_at_point and turn.point_made)):
                steps[place][turn.to] += weight
    return steps


def _distinct(puck: Puck, dice: LoadedDice) -> tuple[Fraction, ...]:
    """How many different points a hand makes."""
    start: Tally = (frozenset(), OFF)
    steps: dict[Tally, Counter[Tally]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state in steps:
            continue
        made, place = state
        steps[state] = Counter()
        for turn, weight in zip(puck.turns[place], dice.weights, strict=True):
            if not turn.hand_over:
                steps[state][made | {place} if turn.point_made else made, turn.to] += weight
        waiting += steps[state]
    chances = [Fraction(0)] * len(puck.places)
    for (made, place), often in visits({start: 1}, steps, dice.whole).items():
        turns = zip(puck.turns[place], dice.weights, strict=True)
        over = sum(weight for turn, weight in turns if turn.hand_over)
        chances[len(made)] += often * Fraction(over, dice.whole)
    return tuple(chances)
