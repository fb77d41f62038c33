"""The Fire Bet: one hand, the different points it makes, and one payment at its end."""

from __future__ import annotations

from itertools import combinations

import pytest

from passline.engine.events import WagerLost, WagerTallied, WagerWon
from tests.clauses.fire_bonus.felt import FIRE_BONUS, MADE, POINTS, dealt, net
from tests.clauses.table_helpers import case, every, gain, only, play, refused, ruling, up

SEVEN_OUT = ("roll 5-4", "roll 4-3")
"""A point of 9 that is not made."""


def made(*points: int) -> tuple[str, ...]:
    """The rolls that set each of these points and make it."""
    return tuple(f"roll {MADE[point]}" for point in points for _ in range(2))


# --- When it is made, and for how long ------------------------------------------------------------------------------


@pytest.mark.clause("fire-bonus:FIRE.1")
@pytest.mark.parametrize("roll", ["roll 4-3", "roll 6-5", "roll 1-1", "roll 6-6", "roll 5-4"])
def test_a_fire_bet_is_made_before_the_first_roll_of_a_hand(roll: str) -> None:
    """Accepted at the opening; after any valid roll refused, raises too, until the 7 out (F-05)."""
    table, _ = dealt("bet fire 5", "bet fire 5", roll)
    assert up(table) == {"fire": 10}
    for seat in (1, 2):
        no = refused(table, f"{seat} bet fire 5")
        assert no.clause == ("F-16" if seat == 1 else "F-05")
    table, _ = dealt(roll)
    no = refused(table, "bet fire 5")
    assert (no.code, no.clause) == ("bet.window", "F-05")
    assert FIRE_BONUS.spots["fire"].rule.offered.clause == "fire-bonus:FIRE.1"


@pytest.mark.clause("fire-bonus:FIRE.1")
def test_a_new_hand_begins_with_the_7_out() -> None:
    """A no roll closes nothing; a come-out 7 and dice passed on open nothing; a 7 out does."""
    table, _ = dealt("2 bet pass 5", "dice-out", "no-roll stacked", "bet fire 5", "take fire")
    play(table, "roll 4-3", "2 bet pass 5")
    assert refused(table, "bet fire 5").code == "bet.window"
    play(table, "roll 5-4", "2 pass-dice")
    assert refused(table, "bet fire 5").code == "bet.window"
    play(table, "2 shoot", "roll 4-3", "bet fire 5")
    assert up(table) == {"fire": 5}


@pytest.mark.clause("fire-bonus:FIRE.1")
def test_a_fire_bet_is_optional_and_each_players_own() -> None:
    """Seat 1 thinks better of it before the first roll; seat 2 has one, and alone is paid."""
    table, events = dealt("bet fire 5", "take fire", "2 bet fire 5", *made(4, 5, 6), *SEVEN_OUT)
    assert gain(table) == 0
    assert only(events, WagerWon, wager="fire").seat == 2


@pytest.mark.clause("fire-bonus:FIRE.1")
@pytest.mark.parametrize("rolls", [("roll 4-3",), ("roll 6-5",), ("roll 1-1",), ("roll 6-6", "roll 4-3", "roll 1-2")])
def test_nothing_but_the_7_out_ends_a_fire_bet(rolls: tuple[str, ...]) -> None:
    """Naturals and craps on a come-out leave it, and it cannot come down; the 7 out ends it."""
    table, _ = dealt("bet fire 5", *rolls)
    assert (gain(table), up(table)) == (0, {"fire": 5})
    assert refused(table, "take fire").code == "take.locked"
    assert net("bet fire 5", *made(4), *rolls, *made(5), *rolls, *made(6), *SEVEN_OUT) == 30
    table, _ = dealt("bet fire 5", *rolls, *SEVEN_OUT)
    assert (gain(table), up(table)) == (-5, {})


@pytest.mark.clause("fire-bonus:FIRE.1")
def test_passed_dice_carry_the_tally_on() -> None:
    """A shooter who gives the dice up ends no Fire Bet: the points go on counting until the 7 out (F-09)."""
    table, _ = dealt("bet fire 5", "2 bet pass 5", *made(4, 5))
    play(table, "2 pass-dice", "bet pass 5", "1 shoot", *made(6))
    assert up(table) == {"fire": 5}
    play(table, "bet pass 5", *SEVEN_OUT)
    assert gain(table) == 30 + 5 - 5


# --- What counts ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("fire-bonus:FIRE.2")
def test_a_fire_bet_is_paid_by_its_individual_points_at_the_7_out() -> None:
    """4, 6 and 8 made, then a 7 out: $5 gets $35. Until then nothing is paid."""
    table, _ = dealt("bet fire 5", *made(4, 6, 8))
    assert (gain(table), up(table)) == (0, {"fire": 5})
    events = play(table, "2 bet pass 5", *SEVEN_OUT)
    paid = only(events, WagerWon, wager="fire")
    assert (paid.won + paid.returned, str(paid.price), paid.rule) == (35_00, "7 for 1", "fire-bonus:FIRE.2")
    assert (gain(table), up(table)) == (30, {})


@pytest.mark.clause("fire-bonus:FIRE.2")
@pytest.mark.parametrize(
    ("rolls", "change"),
    [
        ((*made(6, 6, 6), *SEVEN_OUT), -5),
        ((*made(4, 6, 8, 4, 6, 8), *SEVEN_OUT), 30),
        ((*made(4, 6), "roll 5-4", "roll 5-3", "roll 6-4", "roll 4-3"), -5),
        ((*made(4, 6), "roll 5-4", "roll 5-3", "roll 6-4", "roll 6-3", *SEVEN_OUT), 30),
    ],
    ids=["one point three times", "three points twice", "numbers that were not the point", "and then the point"],
)
def test_only_different_points_that_are_made_count(rolls: tuple[str, ...], change: int) -> None:
    """Repeats count once; a point set and not made, and other box numbers that come, count nothing (F-06)."""
    assert net("bet fire 5", *rolls) == change


@pytest.mark.clause("fire-bonus:FIRE.2")
def test_the_crew_tells_how_many_points_there_are() -> None:
    """Each new point is said aloud; a repeated one is not news."""
    table, events = dealt("bet fire 5", *made(4, 6))
    assert "2 points" in table.say(only(events, WagerTallied, wager="fire"))
    _, events = dealt("bet fire 5", *made(4, 6, 4))
    assert every(events, WagerTallied, wager="fire") == []


# --- What it pays ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "count", "back"),
    [
        case("fire-bonus:FIRE.3pts", 3, 7),
        case("fire-bonus:FIRE.4pts", 4, 30),
        case("fire-bonus:FIRE.5pts", 5, 150),
    ],
)
def test_three_to_five_points_are_paid_at_the_7_out(clause: str, count: int, back: int) -> None:
    """Whichever points they are: 7, 30 or 150 for 1, the highest level alone and once."""
    for points in combinations(POINTS, count):
        table, events = dealt("bet fire 5", *made(*points), *SEVEN_OUT)
        paid = only(events, WagerWon, wager="fire")
        assert (str(paid.price), paid.clause) == (f"{back} for 1", clause)
        assert (gain(table), up(table)) == (5 * back - 5, {})


@pytest.mark.clause("fire-bonus:FIRE.3pts")
def test_two_points_or_fewer_lose() -> None:
    """None, one or two points, whichever they are: the stake goes at the 7 out."""
    for count in (0, 1, 2):
        for points in combinations(POINTS, count):
            table, events = dealt("bet fire 5", *made(*points), *SEVEN_OUT)
            assert (gain(table), up(table)) == (-5, {})
            assert only(events, WagerLost, wager="fire").clause == "fire-bonus:FIRE.3pts"


@pytest.mark.clause("fire-bonus:FIRE.6pts")
@pytest.mark.parametrize("last", POINTS)
def test_all_six_points_are_paid_at_once(last: int) -> None:
    """300 for 1 on the roll that makes the sixth, whichever is last; the 7 out after it pays nothing more."""
    order = (*(point for point in POINTS if point != last), last)
    table, events = dealt("bet fire 5", *made(*order)[:-1])
    assert up(table) == {"fire": 5}
    events = play(table, f"roll {MADE[last]}")
    paid = only(events, WagerWon, wager="fire")
    assert (str(paid.price), paid.clause) == ("300 for 1", "fire-bonus:FIRE.6pts")
    assert ruling(events, "fire") == "fire-bonus:FIRE.2"
    assert (gain(table), up(table)) == (1495, {})
    play(table, "2 bet pass 5", *SEVEN_OUT)
    assert gain(table) == 1495
