"""What the dealers hand out twice nobody can change in between."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import get_args

import pytest

from passline import Table
from passline.engine.events import Event, WagerLost
from passline.engine.refusals import Refusal
from passline.engine.values import ROLLS
from passline.house import House


def test_an_event_cannot_be_assigned_to() -> None:
    """The second player to lose ten on the pass line is told what the rules say, whatever was tried with the first."""
    table = Table("strip", notice="min=1")
    table.sit(1, "Ann", 1000)
    lost = []
    for _ in range(2):
        table.bet(1, "pass", 10)
        answer = table.roll(1, 1)
        assert not isinstance(answer, Refusal)
        event = answer[-1]
        assert isinstance(event, WagerLost)
        lost.append(event)
        with pytest.raises(FrozenInstanceError):
            event.stake = 1  # type: ignore[misc]
    assert lost[0] is lost[1], "an event that is made twice proves nothing here"
    assert lost[1].stake == 1000


@pytest.mark.parametrize("kind", [*get_args(Event), Refusal], ids=lambda kind: kind.__name__)
def test_no_kind_of_event_can_be_assigned_to(kind: type[Event | Refusal]) -> None:
    """Nor a refusal."""
    thing: object = object.__new__(kind)
    with pytest.raises(FrozenInstanceError):
        setattr(thing, fields(kind)[0].name, 1)


@pytest.mark.parametrize("house", [house.id for house in House.all()])
def test_what_stands_while_it_works_stands_while_it_is_off(house: str) -> None:
    """The dealers pass over a wager that no roll of this kind decides, without looking at its button."""
    layout = House(house).layout
    for spot in layout.spots.values():
        line_odds = spot.is_odds and not spot.number  # they are never up without a point
        for puck in (*layout.book.points.value, *(() if line_odds else (0,))):
            works, off = (spot.row(0, puck, works=on) for on in (True, False))
            for roll in ROLLS:
                assert works[roll.throw] is not None or off[roll.throw] is None, f"{spot.key}, puck {puck}, {roll}"
