"""Drawers and payments, decided by the floor alone."""

from __future__ import annotations

from passline.engine.refusals import Refusal
from passline.floor.acts import Acted, FloorCommand, Officer
from passline.floor.cage import CloseDrawer, LimitOneself, OpenDrawer, PayIn
from passline.floor.register import decide, evolve
from passline.floor.state import Floor
from passline.house import House
from passline.table import Table

TABLE = Table("sydney").state
LAYOUT = House("sydney").layout
NIGHT = "2026-11-15T20:00:00Z"
NEXT = "2026-11-17T20:00:00Z"


def asked(floor: Floor, act: FloorCommand, who: str = "Cas", role: str = "cashier", at: str = NIGHT) -> Floor | str:
    """The floor after an act, or the code of its refusal."""
    answer = decide(LAYOUT, floor, TABLE, act, Officer(who, role, at))
    if isinstance(answer, Refusal):
        return answer.code
    assert isinstance(answer, Acted)
    return evolve(floor, answer.events)


def opened() -> Floor:
    floor = asked(Floor(), OpenDrawer({10_000: 5}, "Cob"))
    assert isinstance(floor, Floor)
    return floor


def test_a_drawer_is_opened_and_closed_by_a_count_and_by_nothing_else() -> None:
    """A denomination below nothing, or fewer pieces than none, is no count."""
    for wrong in ({-100: 1}, {100: -1}):
        assert asked(Floor(), OpenDrawer(wrong, "Cob")) == "floor.count"
        assert asked(opened(), CloseDrawer(wrong, "Cob")) == "floor.count"
    drawer = opened().drawers["cas"]
    assert (drawer.opening, drawer.book) == (50_000, 50_000)
    closed = asked(opened(), CloseDrawer({10_000: 5}, "Cob"))
    assert isinstance(closed, Floor)
    assert closed.drawers == {}


def test_what_somebody_wants_taken_in_a_day_is_counted_by_the_day() -> None:
    """Two payments of one day come to one sum; the next gaming day begins at nothing."""
    floor = asked(opened(), LimitOneself("Ann", 1_000), "Ann", "player")
    assert isinstance(floor, Floor)
    floor = asked(floor, PayIn("Ann", 600, "chips"))
    assert isinstance(floor, Floor)
    assert asked(floor, PayIn("Ann", 500, "chips")) == "floor.own_limit"
    assert isinstance(asked(floor, PayIn("Ann", 400, "chips")), Floor)
    assert isinstance(asked(floor, PayIn("Ann", 1_000, "chips"), at=NEXT), Floor)
