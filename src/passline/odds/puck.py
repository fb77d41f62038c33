"""How the puck moves in a house, learned by asking the engine what each throw does."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from passline.engine.commands import Throw
from passline.engine.decide import decide
from passline.engine.events import PuckTurned, SevenOut, ShooterLost
from passline.engine.kinds import Line
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import Dice, Notice, Seat, TableState, Wager
from passline.engine.values import ROLLS, Roll
from passline.machine.dice import FAIR, LoadedDice
from passline.odds.memo import remembered

OFF = 0
"""The puck before a come-out roll."""


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

    @property
    def places(self) -> tuple[int, ...]:
        return tuple(self.turns)

    def just_set(self, dice: LoadedDice = FAIR) -> dict[int, Fraction]:
        """Where the puck is just after a point is set: 3:4:5:5:4:3 on two fair dice."""
        set_by: Counter[int] = Counter()
        for turn, weight in zip(self.turns[OFF], dice.weights, strict=True):
            set_by[turn.to] += weight
        del set_by[OFF]
        return {point: Fraction(set_by[point], set_by.total()) for point in sorted(set_by)}


@remembered
def puck_of(layout: Layout) -> Puck:
    """The puck of this house: a table with somebody on the line, thrown at from every point."""
    places = (OFF, *layout.book.points.value)
    return Puck({place: tuple(_turn(layout, place, roll) for roll in ROLLS) for place in places})


def _turn(layout: Layout, place: int, roll: Roll) -> Turn:
    answer = decide(layout, _table(layout, place), Throw(roll))
    assert not isinstance(answer, Refusal), f"a shooter with a line bet may throw: {answer}"
    to = next((event.to for event in answer if isinstance(event, PuckTurned)), place)
    out = any(isinstance(event, SevenOut) for event in answer)
    return Turn(
        to=to,
        point_made=bool(place) and to == OFF and not out,
        hand_over=out or any(isinstance(event, ShooterLost) for event in answer),
    )


def _table(layout: Layout, place: int) -> TableState:
    """A shooter on the line, the puck where we want it; a stake that any price pays in whole grains."""
    line = layout.line[0]
    terms = layout.spots[line].rule.terms
    assert isinstance(terms, Line)
    wager = Wager(stake=terms.pays.value.rate.denominator)
    return TableState(
        notice=Notice(minimum=0, maximum=None, odds=None, chip=1),
        dice=Dice(in_set=layout.book.dice.dice_set.value),
        seats={1: Seat(name="", rail=0, felt={line: wager})},
        puck=place,
        shooter=1,
        fresh_hand=not place,
    )
