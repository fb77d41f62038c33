"""Drawers and payments, decided by the floor alone."""

from __future__ import annotations

import pytest

from passline.engine.floor_rules import CageHabits
from passline.engine.refusals import Refusal
from passline.floor.acts import Acted, FloorCommand, Officer
from passline.floor.cage import CloseDrawer, LimitOneself, OpenDrawer, PayIn
from passline.floor.clock import date_of, day_begins, gaming_day
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


@pytest.mark.parametrize(
    ("zone", "hour", "last", "first", "date"),
    [
        pytest.param("UTC", 6, "2026-11-15T05:59:59Z", "2026-11-15T06:00:00Z", "2026-11-15", id="by the world's clock"),
        pytest.param(
            *("Australia/Sydney", 6), "2026-10-02T19:59:59Z", "2026-10-02T20:00:00Z", "2026-10-03", id="winter"
        ),
        # Clocks went from 2 to 3 on the fourth of October: the day before had 23 hours.
        pytest.param(
            *("Australia/Sydney", 6), "2026-10-03T18:59:59Z", "2026-10-03T19:00:00Z", "2026-10-04", id="summer"
        ),
        # And from 3 back to 2 on the fifth of April: the day before had 25.
        pytest.param(*("Australia/Sydney", 6), "2026-04-03T18:59:59Z", "2026-04-03T19:00:00Z", "2026-04-04", id="long"),
        pytest.param(*("Australia/Sydney", 6), "2026-04-04T19:59:59Z", "2026-04-04T20:00:00Z", "2026-04-05", id="back"),
        # An hour that the clock skips begins with the next; one that it shows twice, the first time.
        pytest.param("Australia/Sydney", 2, "2026-10-03T15:59:59Z", "2026-10-03T16:00:00Z", "2026-10-04", id="skipped"),
        pytest.param("Australia/Sydney", 2, "2026-04-04T14:59:59Z", "2026-04-04T15:00:00Z", "2026-04-05", id="twice"),
        pytest.param("America/New_York", 4, "2026-11-01T08:59:59Z", "2026-11-01T09:00:00Z", "2026-11-01", id="west"),
        pytest.param("Asia/Kathmandu", 0, "2026-11-15T18:14:59Z", "2026-11-15T18:15:00Z", "2026-11-16", id="quarters"),
    ],
)
def test_a_gaming_day_begins_by_the_clock_of_the_house(zone: str, hour: int, last: str, first: str, date: str) -> None:
    """Both sides of the hour, on both sides of a change of the clock."""
    cage = CageHabits(gaming_day_begins=hour, time_zone=zone)
    day = gaming_day(first, cage)
    assert (date_of(day), day_begins(day, cage)) == (date, first)
    assert gaming_day(last, cage) == day - 1
    assert gaming_day(day_begins(day + 1, cage), cage) == day + 1
