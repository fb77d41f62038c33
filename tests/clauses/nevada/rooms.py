"""The strip and the crapless room, and how one test proves a clause of each.

@both("shooter.first")                                  # strip:shooter.first and crapless:shooter.first
def test_the_first_dice(room: Room) -> None: …

@both("layout.only", key=lambda room: room.unprinted)   # each room with every key of its own

@pytest.mark.parametrize(("room", "clause", "key"), cases("center.seven", "any_seven"))
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import pytest

from tests.clauses.felt import POINTS, Felt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from _pytest.mark import ParameterSet

ROLES = ("dealer", "box", "stick", "supervisor", "inspector")
SEVEN = "roll 6-1"

ONE_ROLL = {
    "any_seven": (7,), "any_craps": (2, 3, 12), "craps_2": (2,), "craps_3": (3,), "craps_12": (12,), "eleven": (11,),
}  # fmt: skip
"""The one-roll bets of both rooms, and the totals on which each wins."""


@dataclass(frozen=True)
class Facts:
    """What a room has otherwise than the other."""

    game: str
    natural: str
    """A throw that wins the line on a come-out, and turns no puck."""
    line: tuple[str, ...]
    points: tuple[int, ...]
    numbers: tuple[str, ...]
    """Bets on numbers of every kind there is."""
    buttons: Mapping[str, str]
    """What marks a bet of a kind in the box it shares."""
    splits: tuple[str, ...]
    hops: tuple[str, ...]
    unprinted: tuple[str, ...]
    """Bets of other houses that this one does not book."""

    @property
    def centre(self) -> tuple[str, ...]:
        """The bets of the centre."""
        return ("hard_6", *ONE_ROLL, *self.splits, *self.hops)


class Room(Felt):
    """Tables in one of the houses, and its facts."""

    def __init__(self, name: str, facts: Facts) -> None:
        super().__init__(name)
        self.name = name
        self.facts = facts

    def clause(self, clause: str) -> str:
        """This house's clause of that name."""
        return f"{self.name}:{clause}"

    def case(self, clause: str, *values: object) -> ParameterSet:
        """One case of a parametrised test that proves a clause of this house; the test gets room and clause first."""
        named = self.clause(clause)
        return pytest.param(self, named, *values, marks=pytest.mark.clause(named), id=f"{named}-{values[0]}")


STRIP = Room(
    "strip",
    Facts(
        game="Craps",
        natural="6-5",
        line=("pass", "dont_pass"),
        points=POINTS,
        numbers=("place_6", "buy_6", "lay_6"),
        buttons={"buy": "Buy", "lay": "Lay"},
        splits=("horn", "horn_high_2", "horn_high_3", "horn_high_11", "horn_high_12", "craps_eleven", "world"),
        hops=("hop_3_3", "hop_4_2"),
        unprinted=("fire", "big_6", "place_lose_4", "place_7", "hard_5", "odd_even"),
    ),
)

CRAPLESS = Room(
    "crapless",
    Facts(
        game="Crapless Craps",
        natural="6-1",
        line=("pass",),
        points=(2, 3, 4, 5, 6, 8, 9, 10, 11, 12),
        numbers=("place_2", "place_6", "buy_6", "buy_12"),
        buttons={"buy": "Buy"},
        splits=("horn", "craps_eleven"),
        hops=(),
        unprinted=(
            "dont_pass", "dont_come", "lay_4", "world", "hop_3_3", "fire", "big_6", "place_7", "all_small",
        ),
    ),
)  # fmt: skip

ROOMS = (STRIP, CRAPLESS)


def both(*clauses: str, **own: Callable[[Room], Iterable[object]]) -> pytest.MarkDecorator:
    """A test of both rooms that proves these clauses of each; what a name is given is each room's own."""
    rows = [(room, values) for room in ROOMS for values in product(*(of(room) for of in own.values()))]
    return pytest.mark.parametrize(
        ("room", *own),
        [
            pytest.param(
                room,
                *values,
                marks=pytest.mark.clause(*map(room.clause, clauses)),
                id="-".join([room.name, *map(str, values)]),
            )
            for room, values in rows
        ],
    )


def cases(clause: str, *values: object) -> list[ParameterSet]:
    """The same case for both rooms, each of which has the clause."""
    return [room.case(clause, *values) for room in ROOMS]
