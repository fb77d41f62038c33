"""Part 6.1: every wager that may be made, when, and what decides it."""

from __future__ import annotations

import pytest

from passline.engine.events import WagerLost, WagerPushed, WagerReturned, WagerTravelled, WagerUp, WagerWon
from tests.clauses.sydney.felt import HALVES, MADE, POINTS, SYDNEY, at, dealt, net
from tests.clauses.table_helpers import (
    THROWS,
    Amount,
    case,
    every,
    gain,
    only,
    play,
    refused,
    ruling,
    total,
    up,
)

Totals = tuple[int, ...]

# --- What is offered ------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:6.1")
def test_the_wagers_of_the_list_and_no_others_are_offered() -> None:
    """The twenty-five wagers of rule 6.1, each on its numbers, are all that may be asked for."""
    on_points = ("come_odds", "dont_come_odds", "place", "place_lose", "buy", "lay")
    listed = {"pass", "dont_pass", "come", "dont_come", "pass_odds", "dont_pass_odds"}
    listed |= {f"{family}_{point}" for family in on_points for point in POINTS}
    listed |= {"hard_4", "hard_6", "hard_8", "hard_10", "any_craps", "craps_2", "craps_3", "craps_12", "eleven"}
    listed |= {"field", "any_seven", "big_6", "big_8", "horn", "craps_eleven"}
    listed |= {"horn_high_2", "horn_high_3", "horn_high_11", "horn_high_12"}
    assert {spot.key for spot in SYDNEY.wagers} == listed


@pytest.mark.clause("sydney:6.1")
@pytest.mark.parametrize("wager", ["world", "fire", "bonus_all", "hop_hard_6", "hop_6_5", "place_7", "hard_5", "big_7"])
def test_no_other_wager_is_booked(wager: str) -> None:
    """A World of 5 or a Fire Bet is refused here."""
    refusal = refused(at(), f"bet {wager} 5")
    assert (refusal.code, refusal.clause) == ("wager.not_offered", "sydney:6.1")


# --- Win Line and Don't Win -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("clause", "wager"), [case("sydney:6.1.1", "pass"), case("sydney:6.1.2", "dont_pass")])
def test_line_wagers_are_made_before_the_come_out(clause: str, wager: str) -> None:
    """With the puck off the wager is booked and may be raised; with a point on it is refused, also as a raise."""
    table = at()
    assert only(play(table, f"bet {wager} 10"), WagerUp).clause == clause
    play(table, f"bet {wager} 5", "roll 5-4")
    raised = refused(table, f"bet {wager} 10")
    assert (raised.code, raised.clause) == ("bet.window", clause)
    assert refused(at("bet field 10", "roll 5-4"), f"bet {wager} 10").code == "bet.window"


COME_OUT = [
    case("sydney:6.1.1.1.1", "pass", (7, 11), 10),
    case("sydney:6.1.1.2.1", "pass", (2, 3, 12), -10),
    case("sydney:6.1.2.1.1", "dont_pass", (3, 12), 10),
    case("sydney:6.1.2.2.1", "dont_pass", (7, 11), -10),
]


@pytest.mark.parametrize(("clause", "wager", "totals", "result"), COME_OUT)
def test_the_come_out_decides_the_line(clause: str, wager: str, totals: Totals, result: int) -> None:
    """These totals decide the wager at once, at even money, by this clause; no other total does."""
    for throw in THROWS:
        table = at(f"bet {wager} 10")
        events = play(table, f"roll {throw}")
        if total(throw) in totals:
            assert gain(table) == result
            assert ruling(events, wager) == clause
            assert up(table) == {}
        else:
            assert not every(events, WagerWon, rule=clause)
            assert not every(events, WagerLost, clause=clause)


@pytest.mark.clause("sydney:6.1.2.3")
def test_dont_win_is_void_on_a_come_out_2() -> None:
    """A come out 2 neither wins nor loses; the wager waits for the next roll, on which 12 wins."""
    table = at("bet dont_pass 10")
    assert only(play(table, "roll 1-1"), WagerPushed).clause == "sydney:6.1.2.3"
    assert (gain(table), up(table)) == (0, {"dont_pass": 10})
    play(table, "roll 6-6")
    assert gain(table) == 10


@pytest.mark.clause("sydney:6.1.2.3")
def test_2_is_void_on_the_come_out_alone() -> None:
    """With a point on a 2 is nothing to Don't Win."""
    table = at("bet dont_pass 10", "roll 5-4")
    assert not every(play(table, "roll 1-1"), WagerPushed)


THEN = [
    case("sydney:6.1.1.1.2", "pass", "made", 10),
    case("sydney:6.1.1.2.2", "pass", "seven", -10),
    case("sydney:6.1.2.1.2", "dont_pass", "seven", 10),
    case("sydney:6.1.2.2.2", "dont_pass", "made", -10),
]


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(("clause", "wager", "end", "result"), THEN)
def test_the_point_against_a_seven_decides_the_line(clause: str, wager: str, end: str, result: int, point: int) -> None:
    """Once a point is set only its repeat or a 7 decides the wager, whatever comes between."""
    table = at(f"bet {wager} 10", f"roll {MADE[point]}")
    for other in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        if other != point:
            play(table, f"roll {MADE[other]}")
    assert (gain(table), up(table)) == (0, {wager: 10})
    events = play(table, f"roll {MADE[point if end == 'made' else 7]}")
    assert (gain(table), up(table)) == (result, {})
    assert ruling(events, wager) == clause


# --- Come and Don't Come --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("clause", "wager"), [case("sydney:6.1.3", "come"), case("sydney:6.1.4", "dont_come")])
def test_come_wagers_are_made_while_a_point_is_on(clause: str, wager: str) -> None:
    """With the puck on the wager is booked, any number of times; with the puck off it is refused."""
    table = at("bet pass 10")
    refusal = refused(table, f"bet {wager} 10")
    assert (refusal.code, refusal.clause) == ("bet.window", clause)
    play(table, "roll 5-4")
    assert only(play(table, f"bet {wager} 10"), WagerUp).clause == clause
    play(table, "roll 3-2", f"bet {wager} 10", "roll 4-2", f"bet {wager} 10")
    assert set(up(table)) == {"pass", f"{wager}_5", f"{wager}_6", wager}
    play(table, "roll 6-3")
    assert refused(table, f"bet {wager} 10").code == "bet.window"


NEXT_ROLL = [
    case("sydney:6.1.3.1.1", "come", (7, 11), 10),
    case("sydney:6.1.3.2.1", "come", (2, 3, 12), -10),
    case("sydney:6.1.4.1.1", "dont_come", (3, 12), 10),
    case("sydney:6.1.4.2.1", "dont_come", (7, 11), -10),
]


@pytest.mark.parametrize(("clause", "wager", "totals", "result"), NEXT_ROLL)
def test_the_next_roll_decides_a_come(clause: str, wager: str, totals: Totals, result: int) -> None:
    """These totals on the roll after it was made decide the wager, whatever the point; no other total does."""
    for throw in THROWS:
        table, events = dealt("roll 4-1", f"bet {wager} 10", f"roll {throw}")
        if total(throw) in totals:
            assert gain(table) == result
            assert ruling(events, wager) == clause
            assert up(table) == {}
        elif not every(events, WagerTravelled, wager=wager):
            assert ruling(events, wager) != clause


@pytest.mark.clause("sydney:6.1.4.3")
def test_dont_come_is_void_on_a_2() -> None:
    """A 2 on its first roll leaves a Don't Come in its box, and the next roll is its first again."""
    table, events = dealt("roll 4-1", "bet dont_come 10", "roll 1-1")
    assert only(events, WagerPushed, wager="dont_come").clause == "sydney:6.1.4.3"
    assert (gain(table), up(table)) == (0, {"dont_come": 10})
    play(table, "roll 6-6")
    assert gain(table) == 10


COME_THEN = [
    case("sydney:6.1.3.1.2", "come", "made", 10),
    case("sydney:6.1.3.2.2", "come", "seven", -10),
    case("sydney:6.1.4.1.2", "dont_come", "seven", 10),
    case("sydney:6.1.4.2.2", "dont_come", "made", -10),
]


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(("clause", "wager", "end", "result"), COME_THEN)
def test_its_come_point_against_a_seven_decides_a_come(
    clause: str, wager: str, end: str, result: int, point: int
) -> None:
    """A wager on its come point waits for that number or a 7, whatever else comes."""
    puck = 5 if point != 5 else 9
    table, _ = dealt(f"roll {MADE[puck]}", f"bet {wager} 10", f"roll {MADE[point]}")
    there = f"{wager}_{point}"
    for other in (2, 3, 11, 12, *(number for number in POINTS if number not in (puck, point))):
        play(table, f"roll {MADE[other]}")
    assert (gain(table), up(table)) == (0, {there: 10})
    events = play(table, f"roll {MADE[point if end == 'made' else 7]}")
    assert (gain(table), up(table)) == (result, {})
    assert ruling(events, there) == clause


@pytest.mark.clause("sydney:6.1.3.2.2")
def test_a_come_out_seven_takes_a_come_on_its_point() -> None:
    """Flat Come wagers work on come out rolls too: a 7 there still takes them."""
    assert net("roll 4-1", "bet come 10", "roll 5-4", "roll 3-2", "roll 6-1") == -10


# --- Odds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "flat", "odds", "point"),
    [case("sydney:6.1.5", "pass", "pass_odds", "5-4"), case("sydney:6.1.6", "dont_pass", "dont_pass_odds", "2-2")],
)
def test_odds_behind_the_line_need_the_line_wager_and_a_point(clause: str, flat: str, odds: str, point: str) -> None:
    """Only a player with that line wager may bet behind it, and only once the point is set."""
    table = at(f"bet {flat} 10", "2 bet field 10", seats=2)
    early = refused(table, f"bet {odds} 10")
    assert (early.code, early.clause) == ("bet.no_flat", clause)
    play(table, f"roll {point}")
    assert refused(table, f"2 bet {odds} 10").code == "bet.no_flat"
    assert only(play(table, f"bet {odds} 10"), WagerUp).clause == clause


@pytest.mark.parametrize(
    ("clause", "flat", "odds"),
    [case("sydney:6.1.7", "come", "come_odds"), case("sydney:6.1.8", "dont_come", "dont_come_odds")],
)
def test_odds_behind_a_come_need_the_come_on_its_point(clause: str, flat: str, odds: str) -> None:
    """Only a player whose wager stands on that come point may bet behind it; a come still in its box has none."""
    table, _ = dealt("roll 4-1", f"bet {flat} 10")
    early = refused(table, f"bet {odds}_6 10")
    assert (early.code, early.clause) == ("bet.no_flat", clause)
    play(table, "roll 4-2")
    assert refused(table, f"bet {odds}_8 10").code == "bet.no_flat"
    assert only(play(table, f"bet {odds}_6 10"), WagerUp).clause == clause


MOST = {"take": dict.fromkeys(POINTS, 20), "lay": {4: 40, 5: 30, 6: 24, 8: 24, 9: 30, 10: 40}}
"""The most behind a flat wager of 10: double it, or what wins double it."""


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(
    ("clause", "flat", "odds", "how"),
    [
        case("sydney:6.1.5.1", "pass", "pass_odds", "take"),
        case("sydney:6.1.6.1", "dont_pass", "dont_pass_odds", "lay"),
        case("sydney:6.1.7.1", "come", "come_odds", "take"),
        case("sydney:6.1.8.1", "dont_come", "dont_come_odds", "lay"),
    ],
)
def test_odds_are_double_at_most(clause: str, flat: str, odds: str, how: str, point: int) -> None:
    """Behind 10 go 20, on every point alike; laid, as much as could win 20. One more is refused, also as a raise."""
    most = MOST[how][point]
    if flat in ("pass", "dont_pass"):
        table, key = at(f"bet {flat} 10", f"roll {MADE[point]}"), odds
    else:
        puck = 5 if point != 5 else 9
        table, _ = dealt(f"roll {MADE[puck]}", f"bet {flat} 10", f"roll {MADE[point]}")
        key = f"{odds}_{point}"
    refusal = refused(table, f"bet {key} {most + 1}")
    assert (refusal.code, refusal.clause) == ("bet.over_odds", clause)
    play(table, f"bet {key} {most}")
    assert refused(table, f"bet {key} 1").code == "bet.over_odds"


ODDS_END = [
    case("sydney:6.1.5.2", ("bet pass 10", "roll 5-4", "bet pass_odds 20", "roll 6-3"), "pass_odds", 40),
    case("sydney:6.1.5.3", ("bet pass 10", "roll 5-4", "bet pass_odds 20", "roll 6-1"), "pass_odds", -30),
    case("sydney:6.1.6.2", ("bet dont_pass 10", "roll 3-1", "bet dont_pass_odds 40", "roll 6-1"), "dont_pass_odds", 30),
    case(
        "sydney:6.1.6.3", ("bet dont_pass 10", "roll 3-1", "bet dont_pass_odds 40", "roll 2-2"), "dont_pass_odds", -50
    ),
    case(
        "sydney:6.1.7.2",
        ("roll 5-4", "bet come 10", "roll 5-1", "bet come_odds_6 20", "roll 4-2"),
        "come_odds_6",
        34,
    ),
    case(
        "sydney:6.1.7.3",
        ("roll 5-4", "bet come 10", "roll 5-1", "bet come_odds_6 20", "roll 6-1"),
        "come_odds_6",
        -30,
    ),
    case(
        "sydney:6.1.8.2",
        ("roll 5-4", "bet dont_come 10", "roll 4-1", "bet dont_come_odds_5 30", "roll 6-1"),
        "dont_come_odds_5",
        30,
    ),
    case(
        "sydney:6.1.8.3",
        ("roll 5-4", "bet dont_come 10", "roll 4-1", "bet dont_come_odds_5 30", "roll 3-2"),
        "dont_come_odds_5",
        -40,
    ),
]


@pytest.mark.parametrize(("clause", "lines", "odds", "result"), ODDS_END)
def test_odds_win_and_lose_with_their_wager(clause: str, lines: tuple[str, ...], odds: str, result: int) -> None:
    """What stands behind a wager is decided with it, by the same throw."""
    table, events = dealt(*lines[:-1], "roll 6-5", lines[-1])
    assert (gain(table), up(table)) == (result, {})
    assert ruling(events, odds) == clause


@pytest.mark.clause("sydney:6.1.8.2")
def test_odds_behind_the_dont_come_work_on_a_come_out() -> None:
    """A come out 7 wins the Don't Come and what was laid behind it."""
    lines = ("roll 5-4", "bet dont_come 10", "roll 4-1", "bet dont_come_odds_5 30", "roll 6-3", "roll 6-1")
    assert net(*lines) == 30


@pytest.mark.clause("sydney:6.1.7.3")
def test_odds_behind_the_come_that_are_off_go_back() -> None:
    """On a come out 7 the Come loses alone: what stood behind it was not working and is returned."""
    lines = ("roll 5-4", "bet come 10", "roll 5-1", "bet come_odds_6 20", "roll 6-3", "roll 6-1")
    table, events = dealt(*lines)
    assert only(events, WagerReturned, wager="come_odds_6").stake == 2000
    assert gain(table) == -10


# --- Hardways and numbers -------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:6.1.9")
@pytest.mark.parametrize("number", [4, 6, 8, 10])
def test_a_hardway_wins_as_a_pair_before_the_easy_way_and_before_a_seven(number: int) -> None:
    """Only its own total and a 7 decide it; it wins on the pair alone, is paid and stays up."""
    won = {4: 15, 6: 19, 8: 19, 10: 15}[number]
    puck = 5
    for throw in THROWS:
        table, events = dealt(f"roll {MADE[puck]}", f"bet hard_{number} 2", f"roll {throw}")
        if throw == f"{number // 2}-{number // 2}":
            assert (gain(table), up(table)) == (won, {f"hard_{number}": 2})
            assert ruling(events, f"hard_{number}") == "sydney:6.1.9"
        elif total(throw) in (number, 7):
            assert (gain(table), up(table)) == (-2, {})
            assert ruling(events, f"hard_{number}") == "sydney:6.1.9"
        else:
            assert (gain(table), up(table)) == (0, {f"hard_{number}": 2})


ANY_TIME = [
    case("sydney:6.1.9", "hard", (4, 6, 8, 10), (5, 7, 9)),
    case("sydney:6.1.10", "place", POINTS, (2, 3, 7, 11, 12)),
    case("sydney:6.1.11", "place_lose", POINTS, (2, 3, 7, 11, 12)),
]


@pytest.mark.parametrize(("clause", "family", "numbers", "others"), ANY_TIME)
def test_number_wagers_are_made_at_any_time(clause: str, family: str, numbers: Totals, others: Totals) -> None:
    """With the puck off and with a point on, on these numbers and on no others."""
    for before in ((), ("roll 5-4",)):
        for number in numbers:
            table = at("bet pass 10", *before)
            assert only(play(table, f"bet {family}_{number} 10"), WagerUp).clause == clause
        for number in others:
            assert refused(at("bet pass 10", *before), f"bet {family}_{number} 10").code == "wager.not_offered"


NUMBERS = [
    case("sydney:6.1.10.1", "place_5", 10, 5, 14),
    case("sydney:6.1.10.2", "place_5", 10, 7, -10),
    case("sydney:6.1.11.1", "place_lose_9", 8, 7, 5),
    case("sydney:6.1.11.2", "place_lose_9", 8, 9, -8),
]


@pytest.mark.parametrize(("clause", "key", "stake", "end", "result"), NUMBERS)
def test_a_number_against_a_seven(clause: str, key: str, stake: int, end: int, result: int) -> None:
    """The wager waits for its number or a 7 and for nothing else; a winner stays up, a loser is gone."""
    table, _ = dealt("roll 5-3", f"bet {key} {stake}")
    for other in (2, 3, 4, 6, 10, 11, 12):
        play(table, f"roll {MADE[other]}")
    assert (gain(table), up(table)) == (0, {key: stake})
    events = play(table, f"roll {MADE[end]}")
    assert gain(table) == result
    assert ruling(events, key) == clause
    assert up(table) == ({key: stake} if result > 0 else {})


@pytest.mark.clause("sydney:6.1.11.1")
def test_place_to_lose_works_on_a_come_out() -> None:
    """A come out 7 wins it, for it is none of the wagers that rest on a come out."""
    assert net("bet place_lose_9 8", "roll 6-1") == 5


@pytest.mark.parametrize(("clause", "number"), [case("sydney:6.1.19", 6), case("sydney:6.1.20", 8)])
def test_big_6_and_big_8_race_a_seven(clause: str, number: int) -> None:
    """Made at any time and working at any time: the number wins, a 7 loses, nothing else counts."""
    key = f"big_{number}"
    for before in ((), ("roll 5-4",)):
        for throw in THROWS:
            table, events = dealt(*before, f"bet {key} 5", f"roll {throw}")
            if total(throw) == number:
                assert (gain(table), up(table)) == (5, {key: 5})
                assert ruling(events, key) == clause
            elif total(throw) == 7:
                assert (gain(table), up(table)) == (-5, {})
                assert ruling(events, key) == clause
            else:
                assert (gain(table), up(table)) == (0, {key: 5})


# --- One roll -------------------------------------------------------------------------------------------------------

ONE_ROLL = [
    case("sydney:6.1.12", "any_craps", 2, {2: 15, 3: 15, 12: 15}),
    case("sydney:6.1.13", "craps_2", 1, {2: 33}),
    case("sydney:6.1.14", "craps_3", 1, {3: 16}),
    case("sydney:6.1.15", "craps_12", 1, {12: 33}),
    case("sydney:6.1.16", "eleven", 1, {11: 16}),
    case("sydney:6.1.17", "field", 10, {2: 20, 3: 10, 4: 10, 9: 10, 10: 10, 11: 10, 12: 20}),
    case("sydney:6.1.18", "any_seven", 5, {7: 20}),
    case("sydney:6.1.21", "horn", 4, {2: 30, 3: 13, 11: 13, 12: 30}),
]


@pytest.mark.parametrize("before", [(), ("roll 4-1",)], ids=["come out", "point on"])
@pytest.mark.parametrize(("clause", "wager", "stake", "pays"), ONE_ROLL)
def test_one_roll_wagers(clause: str, wager: str, stake: int, pays: dict[int, int], before: tuple[str, ...]) -> None:
    """Made at any time and decided by the next roll: these totals win so much, every other total loses the stake."""
    for throw in THROWS:
        table, events = dealt(*before, f"bet {wager} {stake}", f"roll {throw}")
        assert (gain(table), up(table)) == (pays.get(total(throw), -stake), {})
        assert ruling(events, wager) == clause


@pytest.mark.clause("sydney:6.1.22")
@pytest.mark.parametrize("before", [(), ("roll 4-1",)], ids=["come out", "point on"])
def test_horn_high_is_made_at_any_time_for_one_roll(before: tuple[str, ...]) -> None:
    """Accepted with the puck off and on, and gone after the next roll, whatever it is."""
    _, made = dealt(*before, "bet horn_high_12 5")
    assert only(made, WagerUp).clause == "sydney:6.1.22"
    for throw in THROWS:
        table, _ = dealt(*before, "bet horn_high_12 5", f"roll {throw}")
        assert up(table) == {}


@pytest.mark.clause("sydney:6.1.22.1")
@pytest.mark.parametrize("high", [2, 3, 11, 12])
def test_horn_high_is_bet_in_fives_with_two_units_on_the_high(high: int) -> None:
    """One unit on each of 2, 3, 11 and 12 and one more on the number named; 4 and 6 do not divide."""
    single = {2: 33, 3: 16, 11: 16, 12: 33}
    for number, pays in single.items():
        units = 2 if number == high else 1
        assert net(f"bet horn_high_{high} 5", f"roll {MADE[number]}") == units * pays - (5 - units)
    for stake in (4, 6):
        assert refused(at("bet pass 10"), f"bet horn_high_{high} {stake}").code == "bet.indivisible"
    assert play(at("bet pass 10"), f"bet horn_high_{high} 10")


@pytest.mark.clause("sydney:6.1.22.1")
@pytest.mark.parametrize("high", [4, 7, 10])
def test_the_high_is_a_2_3_11_or_12(high: int) -> None:
    """No other number can be named."""
    assert refused(at("bet pass 10"), f"bet horn_high_{high} 5").code == "wager.not_offered"


@pytest.mark.clause("sydney:6.1.22.2")
@pytest.mark.parametrize(("number", "result"), [(12, 63), (2, 29), (11, 12), (3, 12)])
def test_horn_high_wins_on_2_3_11_and_12(number: int, result: int) -> None:
    """Five on Horn High Twelve: 12 wins 63, 2 wins 29, 3 and 11 win 12."""
    table, events = dealt("bet horn_high_12 5", f"roll {MADE[number]}")
    assert gain(table) == result
    assert ruling(events, "horn_high_12") == "sydney:6.1.22.2"


@pytest.mark.clause("sydney:6.1.22.3")
@pytest.mark.parametrize("number", [4, 5, 6, 7, 8, 9, 10])
def test_horn_high_loses_on_every_other_total(number: int) -> None:
    """The whole five is lost."""
    table, events = dealt("bet horn_high_12 5", f"roll {MADE[number]}")
    assert gain(table) == -5
    assert ruling(events, "horn_high_12") == "sydney:6.1.22.3"


@pytest.mark.clause("sydney:6.1.23")
@pytest.mark.parametrize("before", [(), ("roll 4-1",)], ids=["come out", "point on"])
def test_crap_eleven_wins_on_craps_and_eleven(before: tuple[str, ...]) -> None:
    """Two dollars for one roll at any time: craps win 6.50, eleven wins 15, everything else loses both dollars."""
    result: dict[int, Amount] = {2: 13, 3: 13, 12: 13, 11: 30}
    for throw in THROWS:
        table, events = dealt(*before, "bet craps_eleven 2", f"roll {throw}", chips=HALVES)
        assert 2 * gain(table) == result.get(total(throw), -4)
        assert ruling(events, "craps_eleven") == "sydney:6.1.23"
        assert up(table) == {}


# --- Buy and lay ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:6.1.24.1")
def test_a_buy_is_a_place_bet_at_true_odds() -> None:
    """Twenty bought on 4 wins 40 where a Place Bet wins 36; a 7 takes it, and it may be made at any time."""
    _, events = dealt("roll 5-4", "bet buy_4 20", "bet place_4 20", "roll 3-1")
    bought = only(events, WagerWon, wager="buy_4")
    assert (bought.won, bought.rule) == (4000, "sydney:6.1.24.1")
    assert only(events, WagerWon, wager="place_4").won == 3600
    _, lost = dealt("bet buy_4 20", "roll 5-4", "roll 6-1")
    assert only(lost, WagerLost, wager="buy_4").stake == 2000


@pytest.mark.clause("sydney:6.1.24.2")
def test_a_buy_costs_five_percent_of_the_stake_at_once() -> None:
    """A buy of 20 takes 21 off the rail; the commission is gone when a 7 comes."""
    table, events = dealt("roll 5-4", "bet buy_4 20")
    assert only(events, WagerUp).commission == 100
    assert table.rail(1) == 10_000 - 21
    play(table, "roll 6-1")
    assert gain(table) == -21


@pytest.mark.clause("sydney:6.1.24.2")
@pytest.mark.parametrize(("number", "stake", "charge"), [(4, 40, 2), (6, 100, 5), (9, 39, 1), (10, 5, 1)])
def test_the_buy_commission_goes_by_the_stake_not_the_win(number: int, stake: int, charge: int) -> None:
    """Five percent of the stake whatever the number pays, in whole chips and at least one."""
    _, events = dealt("roll 5-4", f"bet buy_{number} {stake}")
    assert only(events, WagerUp).commission == charge * 100


@pytest.mark.clause("sydney:6.1.25.1")
def test_a_lay_is_a_place_to_lose_at_true_odds() -> None:
    """Forty laid against 4 win 20 on a 7; the number takes the stake."""
    _, events = dealt("roll 5-4", "bet lay_4 40", "roll 6-1")
    won = only(events, WagerWon, wager="lay_4")
    assert (won.won, won.rule) == (2000, "sydney:6.1.25.1")
    _, lost = dealt("bet lay_4 40", "roll 3-1")
    assert only(lost, WagerLost, wager="lay_4").stake == 4000


@pytest.mark.clause("sydney:6.1.25.2")
def test_a_lay_costs_five_percent_of_what_it_could_win_at_once() -> None:
    """Forty laid against 4 could win 20, so 1 is due at once; a 7 and taking the wager down leave 19 won."""
    table, events = dealt("roll 5-4", "bet lay_4 40")
    assert only(events, WagerUp).commission == 100
    assert table.rail(1) == 10_000 - 41
    play(table, "roll 6-1", "take lay_4")
    assert gain(table) == 19


@pytest.mark.clause("sydney:6.1.25.2")
@pytest.mark.parametrize(("number", "stake", "charge"), [(4, 80, 2), (5, 60, 2), (6, 48, 2), (10, 200, 5)])
def test_the_lay_commission_goes_by_the_win_not_the_stake(number: int, stake: int, charge: int) -> None:
    """Five percent of the possible win on each number."""
    _, events = dealt("roll 5-4", f"bet lay_{number} {stake}")
    assert only(events, WagerUp).commission == charge * 100
