"""Numbers that neither a wager, nor the puck, nor the dice tell apart: of states that differ by them one is enough."""

from __future__ import annotations

from collections.abc import Iterator

from passline.engine.layout import Spot
from passline.engine.marking import FRESH, TALLY
from passline.engine.values import ROLLS
from passline.machine.dice import LoadedDice
from passline.odds.puck import Puck

Numbers = tuple[int, ...]


class Alike:
    """Names states of a wager by the first of all those that its numbers, exchanged, would make of it.

    On fair dice 4 and 10 are such numbers, 5 and 9, 6 and 8: a wager that remembers how often each point was made has
    a sixth of the states to walk.
    """

    def __init__(self, spot: Spot, puck: Puck, dice: LoadedDice) -> None:
        """Find the groups: what the wager says of itself, as far as dice and puck agree."""
        numbers = [group for said in spot.alike for group in _groups(said, puck, dice)]
        self._groups = [[(number, *_field(spot, number)) for number in group] for group in numbers]
        self._known: dict[tuple[int, int], tuple[int, int]] = {}

    def first(self, mark: int, puck: int) -> tuple[int, int]:
        """The mark and the puck that stand for these and all like them."""
        if not self._groups:
            return mark, puck
        known = self._known.get((mark, puck))
        if known is None:
            known = self._known[mark, puck] = self._exchanged(mark, puck)
        return known

    def _exchanged(self, mark: int, puck: int) -> tuple[int, int]:
        """Each group with the least that came for any of its numbers on the first of them, the puck moving along."""
        bits, to = mark - TALLY if mark else 0, puck
        named = bits
        for group in self._groups:
            came = sorted((bits >> low & mask, number == puck) for number, low, mask in group)
            for (number, low, mask), (field, here) in zip(group, came, strict=True):
                named = named & ~(mask << low) | field << low
                to = number if here else to
        return (named + TALLY if mark else FRESH), to


def _field(spot: Spot, number: int) -> tuple[int, int]:
    """Where a tally keeps what came for a number: its lowest bit, and a mask as wide as its bits."""
    width = spot.counts.count(number)
    return (spot.counts.index(number), (1 << width) - 1) if width else (0, 0)


def _groups(said: Numbers, puck: Puck, dice: LoadedDice) -> Iterator[list[int]]:
    """Those of the numbers said to be alike that dice and puck do not tell apart either."""
    groups: list[list[int]] = []
    for number in said:
        group = next((each for each in groups if _same(each[0], number, puck, dice)), None)
        if group is None:
            groups.append([number])
        else:
            group.append(number)
    return (group for group in groups if len(group) > 1)


def _same(one: int, other: int, puck: Puck, dice: LoadedDice) -> bool:
    """Whether two numbers come equally often, hard and easy, and the puck moves by one as by the other."""
    swap = {one: other, other: one}

    def weight(number: int, *, hard: bool) -> int:
        found = zip(ROLLS, dice.weights, strict=True)
        return sum(weight for roll, weight in found if roll.total == number and roll.is_hard == hard)

    def turned(place: int, number: int) -> set[tuple[int, bool, bool]]:
        turns = zip(ROLLS, puck.turns[place], strict=True)
        return {(turn.to, turn.point_made, turn.hand_over) for roll, turn in turns if roll.total == number}

    def moved(place: int, number: int) -> set[tuple[int, bool, bool]]:
        return {(swap.get(to, to), made, over) for to, made, over in turned(place, number)}

    if any(weight(one, hard=hard) != weight(other, hard=hard) for hard in (True, False)):
        return False
    if (one in puck.turns) != (other in puck.turns):
        return False
    return all(
        turned(swap.get(place, place), swap.get(roll.total, roll.total)) == moved(place, roll.total)
        for place in puck.places
        for roll in ROLLS
    )
