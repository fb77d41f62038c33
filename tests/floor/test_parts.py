"""The clock of entries against Python's own, and what the floor sees of the game."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from passline.codec import from_data
from passline.engine.events import DiceThrown, PlayerLeft
from passline.floor import seats, staff
from passline.floor.acts import FloorCommand
from passline.floor.clock import elapsed, instant, is_time
from passline.floor.gate import watch
from passline.floor.promotions import PromotionRegistered
from passline.floor.seats import apart
from passline.floor.state import QUIET, OwnLimits, PlayerLimits
from tests.clauses.floor_helpers import Pit

BEGIN = datetime(1999, 12, 28, 23, 59, 58, tzinfo=UTC)


def test_days_are_counted_as_the_calendar_counts_them() -> None:
    """Over leap years and centuries, to the microsecond."""
    for days in (*range(800), 36_523, 36_584, 36_585, 146_097):
        then = BEGIN + timedelta(days=days, microseconds=days)
        text = then.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        assert elapsed("1999-12-28T23:59:58Z", text) == (then - BEGIN) // timedelta(microseconds=1)
    assert instant("2026-11-15T20:00:00.5Z") - instant("2026-11-15T20:00:00Z") == 500_000
    assert elapsed("2026-11-15T20:00:00Z", "2026-11-15T19:00:00Z") == 0  # a clock that went backwards


def test_a_time_is_utc_and_nothing_else() -> None:
    """As entries write it."""
    assert is_time("2026-11-15T20:00:00Z")
    for wrong in ("2026-11-15", "2026-11-15T20:00:00+01:00", "2026-11-15T20:00Z", "soon", ""):
        assert not is_time(wrong)


def test_a_time_to_stop_of_an_older_journal_holds_for_a_day() -> None:
    """Newer entries say when the next gaming day begins."""
    stops = OwnLimits(stop_at="2026-11-15T20:00:00Z")
    assert stops.plays_again == instant("2026-11-16T20:00:00Z")
    assert stops._replace(resumes="2026-11-16T06:00:00Z").plays_again == instant("2026-11-16T06:00:00Z")


def test_what_was_a_players_goes_with_the_player_and_nobody_elses() -> None:
    """Limits, refused wagers, partners, idle rounds."""
    pit = Pit("sydney", seats=3)
    floor = QUIET._replace(
        player_limits={1: PlayerLimits(1, 2), 2: PlayerLimits(1, 2)},
        refused={1: ("pass",), 2: ("field",)},
        partners=((1, 2), (1, 2, 3)),
        idle={1: 2, 2: 1},
        active=(1, 3),
    )
    then = watch(floor, pit.state, (PlayerLeft(1, 0, leaves_wagers=False),))
    assert (set(then.player_limits), set(then.refused), dict(then.idle)) == ({2}, {2}, {2: 1})
    assert (then.active, then.partners) == ((3,), ((2, 3),))
    assert apart(((1, 2), (3, 4, 5)), 4) == ((1, 2), (3, 5))


@pytest.mark.parametrize(("come_only", "rounds"), [("", 1), ("come only", 0)])
def test_a_roll_for_come_bets_alone_ends_no_round(come_only: str, rounds: int) -> None:
    """It decides no line bet, whatever it shows."""
    pit = Pit("sydney")
    thrown = DiceThrown(first=6, second=5, total=11, thrower=1, puck=0, come_only=bool(come_only))
    assert watch(QUIET, pit.state, (thrown,)).idle.get(1, 0) == rounds


def test_chips_that_went_up_unseen_are_no_idleness() -> None:
    """Whoever has anything on the felt plays, whether or not somebody saw it go up."""
    pit = Pit("sydney")
    pit.plays("bet place_6 12")
    thrown = DiceThrown(first=6, second=5, total=11, thrower=1, puck=0)
    assert dict(watch(QUIET, pit.state, (thrown,)).idle) == {2: 1}


def test_a_title_counts_while_its_work_is_done() -> None:
    """A Gaming Manager who asks as a dealer is a dealer, and puts nobody on duty."""
    pit = Pit("sydney")
    pit.does(staff.ComeOnDuty("Gus", "Gaming Manager"), "supervisor", "Gus")
    assert pit.refuses(staff.ComeOnDuty("Amy", "boxperson"), "dealer", "Gus").code == "floor.role"
    assert pit.refuses(staff.ComeOnDuty("Amy", "Gaming Supervisor"), "box", "Gus").code == "floor.title"


def test_the_floor_holds_back_no_more_than_it_must() -> None:
    """Bad dice stop throws and no bets; what cannot be bet at all is the dealers' to say."""
    pit = Pit("adelaide")
    pit.does(seats.InspectDice((100,)), "box")
    assert pit.plays("bet field 5")
    assert pit.no("1 shoot").code == "floor.dice"
    pit.does(seats.LinkPartners((1, 2), "they share one rack"))
    pit.does(seats.RefuseWager(1, None, "grounds"))
    assert pit.no("2 bet place_7 5").code == "wager.not_offered"
    assert pit.no("9 bet pass 5").code == "seat.empty"


def test_the_promotion_of_the_page_is_one_that_the_house_takes() -> None:
    """As it stands in docs/floor.md, but for the version that the service adds."""
    page = (Path(__file__).parents[2] / "docs" / "floor.md").read_text(encoding="utf-8")
    asked = json.loads(page.partition("```json\n")[2].partition("```")[0])
    command = cast("FloorCommand", from_data({**asked, "v": 1}))
    (event,) = Pit("sydney").does(command, now="05-30 12:00").events
    assert isinstance(event, PromotionRegistered)
