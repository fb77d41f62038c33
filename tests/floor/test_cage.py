"""Drawers and payments, decided by the floor alone."""

from __future__ import annotations

import pytest

from passline.engine.floor_rules import CageHabits
from passline.engine.refusals import Refusal
from passline.floor.acts import Acted, FloorCommand, Officer
from passline.floor.cage import (
    CloseDrawer,
    HandDrawerOver,
    LimitOneself,
    MoneyForm,
    MoveCash,
    OpenDrawer,
    PayIn,
    PayOut,
    current,
    has_stopped,
)
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
    assert floor.own_limits["ann"][3:6] == (None, None, ""), "a stricter limit holds at once, and none waits"
    floor = asked(floor, PayIn("Ann", 600, "chips"))
    assert isinstance(floor, Floor)
    assert asked(floor, PayIn("Ann", 500, "chips")) == "floor.own_limit"
    assert isinstance(asked(floor, PayIn("Ann", 400, "chips")), Floor)
    assert isinstance(asked(floor, PayIn("Ann", 1_000, "chips"), at=NEXT), Floor)
    floor = asked(floor, PayIn("Bob", 100, "chips"), at=NEXT)
    assert isinstance(floor, Floor)
    assert isinstance(asked(floor, PayIn("Ann", 1_000, "chips"), at=NEXT), Floor), "whoever paid first that day"


def test_what_is_left_of_a_limit_is_never_below_nothing() -> None:
    """Who has paid 6.00 in and then wants no more than 5.00 taken in a day is told that nothing is left of it."""
    floor = asked(opened(), PayIn("Ann", 600, "chips"))
    assert isinstance(floor, Floor)
    floor = asked(floor, LimitOneself("Ann", 500), "Ann", "player")
    assert isinstance(floor, Floor)
    answer = decide(LAYOUT, floor, TABLE, PayIn("Ann", 100, "chips"), Officer("Cas", "cashier", NIGHT))
    assert isinstance(answer, Refusal)
    assert answer.message == "Ann wants no more taken today than 0 from here on."


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


# --- Both sides of every limit ----------------------------------------------------------------------------------------

CARD: tuple[MoneyForm, str] = ("card", "slip 9")


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (CloseDrawer({0: 1}, "Cob"), "floor.count"),
        (CloseDrawer({100: 1_000_001}, "Cob"), "floor.count"),
        (OpenDrawer({100: 1}, "Cob"), "floor.drawer"),  # one is open
        (CloseDrawer({100: 1_000_000, 1: 0}, "Cob"), ""),
        (HandDrawerOver({100: 1}, "Cas"), "floor.drawer"),
        (HandDrawerOver({100: 1}, "Cob"), ""),
        (PayIn("Ann", 0, "chips"), "floor.amount"),
        (PayIn("Ann", 1, "chips"), ""),
        (PayIn("", 1, "chips"), "floor.unsaid"),
        (PayIn("Ann", 1, ""), "floor.unsaid"),
        (PayIn("CAS", 1, "chips"), "floor.role"),
        (PayIn("Ann", 1, "chips", "card"), "floor.unsaid"),
        (PayIn("Ann", 1, "chips", *CARD), ""),
        (PayOut("Ann", 50_000, "home"), ""),  # all that is there
        (PayOut("Ann", 50_001, "home"), "floor.drawer"),
        (PayOut("Ann", 50_001, "home", *CARD), ""),
        (MoveCash("in", 0, "the safe", "S-1"), "floor.amount"),
        (MoveCash("in", 1, "the safe", "S-1"), ""),
        (MoveCash("in", 50_001, "the safe", "S-1"), ""),
        (MoveCash("out", 50_000, "a prize", "P-1"), ""),
        (MoveCash("out", 50_001, "a prize", "P-1"), "floor.drawer"),
    ],
)
def test_at_the_cage(act: FloorCommand, code: str) -> None:
    """With a drawer of 500.00 open; as anything but a cashier, or without a drawer, none of it is done."""
    floor = asked(opened(), act)
    assert (floor if isinstance(floor, str) else "") == code
    assert asked(Floor(), act, role="box") in ("floor.role", "floor.drawer")
    if not isinstance(act, OpenDrawer):
        assert asked(Floor(), act) in ("floor.drawer", code or "floor.drawer")


def test_money_of_the_cage_lies_where_it_was_put() -> None:
    """Cash in the drawer and nothing else; what is handed over is the other's."""
    for act, book in ((PayIn("Ann", 700, "chips"), 50_700), (PayOut("Ann", 700, "home"), 49_300)):
        floor = asked(opened(), act)
        assert isinstance(floor, Floor)
        assert floor.drawers["cas"].book == book
    for other in (PayIn("Ann", 700, "chips", *CARD), PayOut("Ann", 700, "home", *CARD)):
        floor = asked(opened(), other)
        assert isinstance(floor, Floor)
        assert floor.drawers["cas"].book == 50_000
    floor = asked(opened(), HandDrawerOver({10_000: 4}, "Cob"))
    assert isinstance(floor, Floor)
    assert {who: (each.opening, each.book) for who, each in floor.drawers.items()} == {"cob": (40_000, 40_000)}


def test_what_everybody_paid_in_on_a_day_is_kept() -> None:
    """One player's payment takes nothing off another's; on the next day all begin anew."""
    floor = opened()
    for who, at in (("Ann", NIGHT), ("Bob", NIGHT)):
        paid = asked(floor, PayIn(who, 700, "chips"), at=at)
        assert isinstance(paid, Floor)
        floor = paid
    assert floor.deposits == {"ann": 700, "bob": 700}
    later = asked(floor, PayIn("Ann", 1, "chips"), at=NEXT)
    assert isinstance(later, Floor)
    assert later.deposits == {"ann": 1}


def test_a_payment_takes_two_above_what_the_house_says() -> None:
    """At the sum itself one is enough."""
    most = LAYOUT.book.floor.cage.second_above * LAYOUT.minor_per_unit
    assert [PayIn("Ann", most + more, "chips").takes_two(LAYOUT) for more in (0, 1)] == [False, True]


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (LimitOneself("Bob", 1), "floor.role"),
        (LimitOneself("", 1), "floor.unsaid"),
        (LimitOneself("Ann", -1), "floor.amount"),
        (LimitOneself("Ann", None, -1), "floor.amount"),
        (LimitOneself("Ann", stop_at="tonight"), "floor.amount"),
        (LimitOneself("Ann", stop_at="2027-11-16T20:00:00Z"), ""),  # 366 days away
        (LimitOneself("Ann", stop_at="2027-11-16T20:00:01Z"), "floor.amount"),
    ],
)
def test_limits_are_ones_own_a_sum_and_a_time(limits: LimitOneself, code: str) -> None:
    """Nobody else's, nothing below nothing, and no time further away than a year."""
    floor = asked(Floor(), limits, "Ann", "player")
    assert (floor if isinstance(floor, str) else "") == code


def test_a_time_to_stop_is_moved_forward_alone_until_it_is_over() -> None:
    """From that very second on, until the next gaming day begins."""
    floor = asked(Floor(), LimitOneself("Ann", stop_at="2026-11-15T22:00:00Z"), "Ann", "player")
    assert isinstance(floor, Floor)
    resumes = floor.own_limits["ann"].resumes
    times = ("2026-11-15T21:59:59Z", "2026-11-15T22:00:00Z", resumes)
    assert [has_stopped(floor, "ann", at) for at in times] == [False, True, False]
    for stop_at, code in (("", "floor.own_limit"), ("2026-11-15T22:00:01Z", "floor.own_limit"), (times[0], "")):
        answer = asked(floor, LimitOneself("Ann", stop_at=stop_at), "Ann", "player")
        assert (answer if isinstance(answer, str) else "") == code
    assert isinstance(asked(floor, LimitOneself("Ann"), "Ann", "player", resumes), Floor)


def test_a_limit_of_nothing_is_the_strictest_of_all() -> None:
    """Nothing more is taken of whoever wants nothing taken: it is not to be without a limit."""
    floor = asked(opened(), LimitOneself("Ann", 0), "Ann", "player")
    assert isinstance(floor, Floor)
    assert asked(floor, PayIn("Ann", 1, "chips")) == "floor.own_limit"
    assert current(floor, "ann", NIGHT)[:2] == (0, None)
    looser = asked(floor, LimitOneself("Ann", 1_000), "Ann", "player")
    assert isinstance(looser, Floor)
    assert current(looser, "ann", NIGHT).deposit == 0


def test_a_stricter_limit_holds_at_once_and_a_looser_one_after_a_day() -> None:
    """Of either sum; none at all is the loosest."""
    floor = asked(Floor(), LimitOneself("Ann", 1_000, 500), "Ann", "player")
    assert isinstance(floor, Floor)
    stricter = asked(floor, LimitOneself("Ann", 900, 400), "Ann", "player")
    assert isinstance(stricter, Floor)
    assert current(stricter, "ann", NIGHT)[:2] == (900, 400)
    for deposit, loss in ((2_000, 500), (1_000, 600), (None, None)):
        looser = asked(floor, LimitOneself("Ann", deposit, loss), "Ann", "player")
        assert isinstance(looser, Floor)
        assert current(looser, "ann", "2026-11-16T19:59:59Z")[:2] == (1_000, 500)
        assert current(looser, "ann", "2026-11-16T20:00:00Z")[:2] == (deposit, loss)
