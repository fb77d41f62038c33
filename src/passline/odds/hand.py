"""The shooter's hand, exactly: how long it lasts, how many points it makes, how many different ones."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

from passline.answers import Answer, Part, Table, exactly, picked
from passline.engine.commands import Throw
from passline.engine.decide import decide
from passline.engine.events import PuckTurned, SevenOut, ShooterLost
from passline.engine.kinds import Line
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import Dice, Notice, Seat, TableState, Wager
from passline.engine.values import ROLLS, Roll
from passline.errors import ArgumentError, short_repr
from passline.files.amounts import Money, positive, whole_number
from passline.files.arguments import chance as a_chance
from passline.house import House, open_house
from passline.machine.dice import FAIR, Given, LoadedDice, dice_of
from passline.odds.linear import remembered, visits

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)  # the shares of hands whose lengths are told
# Lengths that are told; the longest hand on record had 154 rolls (Patricia Demauro, Atlantic City, 2009).
LENGTHS = (2, 5, 10, 20, 30, 50, 75, 100, 154)
POINTS = range(9)
ROLLS_SHOWN = (1, 2, 5, 10, 20, 50, 100)  # the lengths of a hand that are told by name
LENGTH_MAX = 10_000  # the longest hand that is asked about: its chance has tens of thousands of digits
QUANTILE_NEAR = 500  # the lengths among which a quantile is looked for in fractions
RAREST = Fraction(1, 10**12)  # the rarest hand that is looked for
POINTS_SHOWN = 10  # how many numbers of points made are told before the rest is one figure
ROLLS_TOP = 1 << 62  # no hand in double precision is longer
OFF = 0  # the puck before a come-out roll

Tally = tuple[frozenset[int], int]  # the points made so far, and where the puck is


@dataclass(frozen=True, slots=True, eq=False)
class Hand(Answer):
    """A shooter's hand from the first come-out roll to the roll that ends it."""

    mean_rolls: Fraction
    variance_rolls: Fraction
    p_point_made: Fraction  #: The chance, on a come-out, that the hand will make another point.
    mean_points: Fraction
    distinct_points: tuple[Fraction, ...]  #: The chance of making exactly 0, 1, 2 ... different points.
    mean_distinct: Fraction
    puck: "Puck" = field(repr=False)
    dice: LoadedDice = FAIR
    house: str = ""
    rolls_per_hour: Fraction = Fraction(100)

    def page(self) -> Iterator[Part]:
        tail, pace = list(islice(self.tail(), LENGTHS[-1] + 1)), exactly(self.rolls_per_hour)
        yield f"The shooter's hand at {self.house}{'' if self.dice.fair else f', {self.dice.in_words}'}"
        yield ""
        deviation = f"standard deviation {float(self.variance_rolls) ** 0.5:.2f}"
        yield f"{float(self.mean_rolls):.4f} rolls on average ({self.mean_rolls}), {deviation}."
        yield f"{float(self.mean_points):.4f} points made on average; the chance of one more is {self.p_point_made}."
        yield f"{float(self.per_hour(self.rolls_per_hour)):.3f} seven-outs in an hour of {pace} rolls."
        for what, label, chances in (
            ("rolls", "or more", {rolls: tail[rolls - 1] for rolls in LENGTHS}),
            ("points made", "or more", {made: self.points_at_least(made) for made in POINTS}),
            ("different points", "made", dict(enumerate(self.distinct_points))),
        ):
            yield ""
            yield Table({what: "text", **dict.fromkeys(map(str, chances), "share")}, [(label, *chances.values())])

    def table(self) -> Table:
        """For each length the chance of it and of a longer hand."""
        tail = list(islice(self.tail(), LENGTHS[-1] + 1))
        rows = [(rolls, tail[rolls - 1] - tail[rolls], tail[rolls]) for rolls in range(1, LENGTHS[-1] + 1)]
        return Table({"rolls": "count", "chance": "share", "longer": "share"}, rows)

    def tail(self) -> Iterator[Fraction]:
        """The chance of more than 0 rolls, more than 1, more than 2, for ever.

        A hand has at least two rolls, for a seven on the come-out ends nothing.

        >>> [str(chance) for chance in islice(hand_of("adelaide").tail(), 3)]
        ['1', '1', '8/9']
        """
        here, of, steps = Counter({OFF: 1}), 1, self.puck.steps(self.dice)
        while True:
            yield Fraction(here.total(), of)
            after: Counter[int] = Counter()
            for place, often in here.items():
                for to, weight in steps[place].items():
                    after[to] += often * weight
            here, of = after, of * self.dice.whole

    def rolls_more_than(self, rolls: int) -> Fraction:
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
            raise ArgumentError("chance", short_repr(chance), f"a chance up to 1 - {float(RAREST):.0e}")
        near = enumerate(islice(self.tail(), QUANTILE_NEAR))
        quantile = next((rolls for rolls, left in near if left <= beyond), None)
        return self._far_quantile(float(beyond)) if quantile is None else quantile

    def _far_quantile(self, beyond: float) -> int:
        """The same in double precision: dice that hardly ever make a seven have hands of millions."""
        import numpy as np  # the price of a wager does without

        steps = self.puck.steps(self.dice)
        step = np.array([[steps[place][to] / self.dice.whole for to in steps] for place in steps])

        def reached(rolls: int) -> bool:
            return bool(np.linalg.matrix_power(step, rolls)[list(steps).index(OFF)].sum() <= beyond)

        return bisect_left(range(ROLLS_TOP), True, key=reached)  # noqa: FBT003 - what is looked for

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

    def data(self) -> dict[str, Any]:
        tail = list(islice(self.tail(), ROLLS_SHOWN[-1] + 1))
        points: dict[object, Fraction] = {made: self.points(made) for made in range(POINTS_SHOWN)}
        return {
            **picked(self, "mean_rolls", "variance_rolls", "p_point_made", "mean_points", "rolls_per_hour"),
            "quantiles": {q: self.quantile(q) for q in QUANTILES},
            "rolls_more_than": {rolls: tail[rolls] for rolls in ROLLS_SHOWN},
            "points": {**points, f"{POINTS_SHOWN}+": self.points_at_least(POINTS_SHOWN)},
            "mean_distinct_points": self.mean_distinct,
            "distinct_points": dict(enumerate(self.distinct_points)),
            "hands_per_hour": self.per_hour(self.rolls_per_hour),
            "length": {rolls: chance for rolls, chance, _ in self.table().rows},
        }


def hand_of(house: House | str | Path, *, dice: Given = None, rolls_per_hour: Money = 100) -> Hand:
    """The hand of a shooter in this house, opened or by its name; with fair dice unless others are given.

    >>> hand_of("sydney").mean_rolls
    Fraction(1671, 196)
    """
    hand = _hand(open_house(house).layout, dice_of(dice))
    pace = positive("rolls_per_hour", rolls_per_hour)
    return hand if pace == hand.rolls_per_hour else replace(hand, rolls_per_hour=pace)


@remembered
def _hand(layout: Layout, dice: LoadedDice) -> Hand:
    puck = puck_of(layout)
    steps, on = puck.steps(dice), puck.steps(dice, stop_at_point=True)
    often = visits({OFF: 1}, steps, dice.whole)
    mean = sum(often.values(), Fraction(0))
    # The sum over the visits of what is still to come from there is the mean of 1 + 2 + ... + length.
    triangular = sum(visits(often, steps, dice.whole).values(), Fraction(0))
    made = Fraction(0)
    for place, seen in visits({OFF: 1}, on, dice.whole).items():
        made += seen * Fraction(steps[place].total() - on[place].total(), dice.whole)  # by a point that is made there
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
        house=layout.book.name,
    )


def _distinct(puck: "Puck", dice: LoadedDice) -> tuple[Fraction, ...]:
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
    chances = [Fraction(0)] * len(puck.turns)
    for (made, place), often in visits({start: 1}, steps, dice.whole).items():
        chances[len(made)] += often * (1 - Fraction(steps[made, place].total(), dice.whole))
    return tuple(chances)


@dataclass(frozen=True, slots=True)
class Turn:
    """What one throw does to the puck and to the hand."""

    to: int
    point_made: bool
    hand_over: bool


@dataclass(frozen=True, slots=True, eq=False)
class Puck:
    """Every place of the puck, with what each of the 36 throws does there."""

    turns: dict[int, tuple[Turn, ...]]

    def steps(self, dice: LoadedDice, *, stop_at_point: bool = False) -> dict[int, Counter[int]]:
        """The weight of the throws that leave the hand going, by where they lead."""
        steps = {place: Counter[int]() for place in self.turns}
        for place, turns in self.turns.items():
            for turn, weight in zip(turns, dice.weights, strict=True):
                if not (turn.hand_over or (stop_at_point and turn.point_made)):
                    steps[place][turn.to] += weight
        return steps

    def just_set(self, dice: LoadedDice) -> dict[int, Fraction]:
        """Where the puck is just after a point is set: 3:4:5:5:4:3 on two fair dice."""
        set_by = self.steps(dice)[OFF]
        del set_by[OFF]
        return {point: Fraction(set_by[point], set_by.total()) for point in sorted(set_by)}


@remembered
def puck_of(layout: Layout) -> Puck:
    """The puck of this house: a table with somebody on the line, thrown at from every point."""
    line, turns = layout.line[0], {}
    terms = layout.spots[line].rule.terms
    assert isinstance(terms, Line)
    wager = Wager(stake=terms.pays.value.rate.denominator)  # any price pays it in whole minor units
    for place in (OFF, *layout.book.points.value):
        table = TableState(
            notice=Notice(minimum=0, maximum=None, odds=None, chip=1),
            dice=Dice(in_set=layout.book.dice.dice_set.value),
            seats={1: Seat(name="", rail=0, felt={line: wager})},
            puck=place,
            shooter=1,
            fresh_hand=not place,
        )
        turns[place] = tuple(_turn(layout, table, roll) for roll in ROLLS)
    return Puck(turns)


def _turn(layout: Layout, table: TableState, roll: Roll) -> Turn:
    answer = decide(layout, table, Throw(roll))
    assert not isinstance(answer, Refusal), f"a shooter with a line bet may throw: {answer}"
    to = next((event.to for event in answer if isinstance(event, PuckTurned)), table.puck)
    out = any(isinstance(event, SevenOut) for event in answer)
    return Turn(
        to=to,
        point_made=bool(table.puck) and to == OFF and not out,
        hand_over=out or any(isinstance(event, ShooterLost) for event in answer),
    )
