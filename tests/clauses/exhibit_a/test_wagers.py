"""Permissible wagers (i) to (xvii): when each is made, what wins it and what loses it."""

from __future__ import annotations

import pytest

from passline.engine.events import WagerPushed, WagerUp, WagerWon
from passline.engine.kinds import Split
from tests.clauses.exhibit_a.felt import EXHIBIT_A, MADE, POINTS, another, at, booked_with_a_point, dealt, net
from tests.clauses.table_helpers import THROWS, case, every, gain, only, play, refused, ruling, total, up
from tests.tables import cases

POINT_9 = "roll 5-4"

# --- When a flat bet is made ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "wager"), [case("exhibit-a:wagers(i)", "pass"), case("exhibit-a:wagers(ii)", "dont_pass")]
)
def test_a_line_bet_is_made_directly_before_a_come_out(clause: str, wager: str) -> None:
    """With the puck off it is booked and raised; with a point on it is neither."""
    table = at(f"bet {wager} 10", "2 bet pass 5", seats=2)
    assert only(play(table, f"bet {wager} 10"), WagerUp).clause == clause
    play(table, POINT_9)
    for seat in (1, 2):
        no = refused(table, f"{seat} bet {wager} 10")
        assert (no.code, no.clause) == ("bet.window", clause)
    play(table, "roll 6-6")
    assert refused(table, f"bet {wager} 10").code == "bet.window"
    assert up(table) == {wager: 20}
    play(table, "roll 6-3", f"bet {wager} 10")
    assert up(table) == {wager: 10}


@pytest.mark.parametrize(
    ("clause", "wager"), [case("exhibit-a:wagers(iii)", "come"), case("exhibit-a:wagers(iv)", "dont_come")]
)
def test_a_come_bet_is_made_after_the_come_out(clause: str, wager: str) -> None:
    """While a point is on it is booked at any time; on a come-out, the first or a later one, it is refused."""
    booked_with_a_point(wager, clause)


# --- The line -------------------------------------------------------------------------------------------------------


def on_first_roll(wins: tuple[int, ...], loses: tuple[int, ...], throw: str) -> int:
    """What $10 on a flat bet gains on its first roll."""
    return 10 if total(throw) in wins else -10 if total(throw) in loses else 0


@pytest.mark.parametrize(
    ("clause", "lines", "change"),
    [
        case("exhibit-a:wagers(i)(A)(1)", ("roll 5-2",), 10),
        case("exhibit-a:wagers(i)(A)(1)", ("roll 6-5",), 10),
        case("exhibit-a:wagers(i)(A)(2)", (POINT_9, "roll 6-3"), 10),
        case("exhibit-a:wagers(i)(A)(2)", (POINT_9, "roll 6-5", "roll 6-6", "roll 6-3"), 10),
        case("exhibit-a:wagers(i)(B)(1)", ("roll 1-1",), -10),
        case("exhibit-a:wagers(i)(B)(1)", ("roll 2-1",), -10),
        case("exhibit-a:wagers(i)(B)(1)", ("roll 6-6",), -10),
        case("exhibit-a:wagers(i)(B)(2)", (POINT_9, "roll 6-1"), -10),
        case("exhibit-a:wagers(i)(B)(2)", (POINT_9, "roll 2-1", "roll 6-1"), -10),
    ],
)
def test_pass(clause: str, lines: tuple[str, ...], change: int) -> None:
    """Pass is decided by the come-out, or by its point against a 7."""
    table, events = dealt("bet pass 10", *lines)
    assert (gain(table), ruling(events, "pass"), up(table)) == (change, clause, {})


@pytest.mark.parametrize(
    ("clause", "lines", "change"),
    [
        case("exhibit-a:wagers(ii)(A)(1)", ("roll 1-1",), 10),
        case("exhibit-a:wagers(ii)(A)(1)", ("roll 1-2",), 10),
        case("exhibit-a:wagers(ii)(A)(2)", (POINT_9, "roll 4-3"), 10),
        case("exhibit-a:wagers(ii)(A)(2)", (POINT_9, "roll 6-5", "roll 4-3"), 10),
        case("exhibit-a:wagers(ii)(B)(1)", ("roll 4-3",), -10),
        case("exhibit-a:wagers(ii)(B)(1)", ("roll 6-5",), -10),
        case("exhibit-a:wagers(ii)(B)(2)", (POINT_9, "roll 6-3"), -10),
        case("exhibit-a:wagers(ii)(B)(2)", (POINT_9, "roll 1-1", "roll 6-3"), -10),
    ],
)
def test_dont_pass(clause: str, lines: tuple[str, ...], change: int) -> None:
    """Don't Pass is Pass the other way round, but for the 12."""
    table, events = dealt("bet dont_pass 10", *lines)
    assert (gain(table), ruling(events, "dont_pass"), up(table)) == (change, clause, {})


@pytest.mark.clause(
    "exhibit-a:wagers(i)(A)(1)",
    "exhibit-a:wagers(i)(B)(1)",
    "exhibit-a:wagers(ii)(A)(1)",
    "exhibit-a:wagers(ii)(B)(1)",
)
@pytest.mark.parametrize("throw", THROWS)
def test_the_come_out_decides_the_line_by_its_total_alone(throw: str) -> None:
    """Of the 36 throws only 7, 11, 2, 3 and 12 decide a line bet at once."""
    assert net("bet pass 10", f"roll {throw}") == on_first_roll((7, 11), (2, 3, 12), throw)
    assert net("bet dont_pass 10", f"roll {throw}") == on_first_roll((2, 3), (7, 11), throw)


@pytest.mark.clause("exhibit-a:wagers(ii)(C)")
def test_twelve_on_the_come_out_is_void_for_dont_pass() -> None:
    """On 12 Don't Pass neither wins nor loses while Pass loses; the next come-out decides it, or its taking down."""
    table = at("bet dont_pass 10", "2 bet pass 10", seats=2)
    events = play(table, "roll 6-6")
    assert ruling(events, "dont_pass") == "exhibit-a:wagers(ii)(C)"
    assert (gain(table, 1), gain(table, 2), up(table)) == (0, -10, {"dont_pass": 10})
    assert net("bet dont_pass 10", "roll 6-6", "take dont_pass") == 0
    assert net("bet dont_pass 10", "roll 6-6", "roll 6-5") == -10
    assert net("bet dont_pass 10", POINT_9, "roll 6-6", "roll 6-1") == 10


# --- Come bets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "lines", "wager", "change"),
    [
        case("exhibit-a:wagers(iii)(A)(1)", ("roll 4-3",), "come", 10),
        case("exhibit-a:wagers(iii)(A)(1)", ("roll 6-5",), "come", 10),
        case("exhibit-a:wagers(iii)(A)(2)", ("roll 3-3", "roll 5-1"), "come_6", 10),
        case("exhibit-a:wagers(iii)(A)(2)", ("roll 3-3", "roll 6-3", "roll 5-1"), "come_6", 10),
        case("exhibit-a:wagers(iii)(B)(1)", ("roll 1-1",), "come", -10),
        case("exhibit-a:wagers(iii)(B)(1)", ("roll 1-2",), "come", -10),
        case("exhibit-a:wagers(iii)(B)(1)", ("roll 6-6",), "come", -10),
        case("exhibit-a:wagers(iii)(B)(2)", ("roll 3-3", "roll 5-2"), "come_6", -10),
        case("exhibit-a:wagers(iii)(B)(2)", ("roll 3-3", "roll 6-3", "roll 5-2"), "come_6", -10),
    ],
)
def test_come(clause: str, lines: tuple[str, ...], wager: str, change: int) -> None:
    """A Come is decided by the roll after it, or by its come point against any 7, a come-out's too."""
    table, events = dealt(POINT_9, "bet come 10", *lines)
    assert (gain(table), ruling(events, wager), up(table)) == (change, clause, {})


@pytest.mark.parametrize(
    ("clause", "lines", "wager", "change"),
    [
        case("exhibit-a:wagers(iv)(A)(1)", ("roll 1-1",), "dont_come", 10),
        case("exhibit-a:wagers(iv)(A)(1)", ("roll 1-2",), "dont_come", 10),
        case("exhibit-a:wagers(iv)(A)(2)", ("roll 2-2", "roll 6-1"), "dont_come_4", 10),
        case("exhibit-a:wagers(iv)(A)(2)", ("roll 2-2", "roll 6-3", "roll 6-1"), "dont_come_4", 10),
        case("exhibit-a:wagers(iv)(B)(1)", ("roll 6-1",), "dont_come", -10),
        case("exhibit-a:wagers(iv)(B)(1)", ("roll 6-5",), "dont_come", -10),
        case("exhibit-a:wagers(iv)(B)(2)", ("roll 2-2", "roll 3-1"), "dont_come_4", -10),
        case("exhibit-a:wagers(iv)(B)(2)", ("roll 2-2", "roll 6-3", "roll 3-1"), "dont_come_4", -10),
    ],
)
def test_dont_come(clause: str, lines: tuple[str, ...], wager: str, change: int) -> None:
    """A Don't Come is a Come the other way round, but for the 12."""
    table, events = dealt(POINT_9, "bet dont_come 10", *lines)
    assert (gain(table), ruling(events, wager), up(table)) == (change, clause, {})


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(
    ("clause", "wager", "end", "change"),
    [
        case("exhibit-a:wagers(i)(A)(2)", "pass", "point", 10),
        case("exhibit-a:wagers(i)(B)(2)", "pass", "seven", -10),
        case("exhibit-a:wagers(ii)(A)(2)", "dont_pass", "seven", 10),
        case("exhibit-a:wagers(ii)(B)(2)", "dont_pass", "point", -10),
        case("exhibit-a:wagers(iii)(A)(2)", "come", "point", 10),
        case("exhibit-a:wagers(iii)(B)(2)", "come", "seven", -10),
        case("exhibit-a:wagers(iv)(A)(2)", "dont_come", "seven", 10),
        case("exhibit-a:wagers(iv)(B)(2)", "dont_come", "point", -10),
    ],
)
def test_every_point_against_a_seven(clause: str, wager: str, end: str, change: int, point: int) -> None:
    """On each of the six points, with other totals in between."""
    first, key = ((another(point),), f"{wager}_{point}") if wager.endswith("come") else ((), wager)
    lines = (*first, f"bet {wager} 10", f"roll {MADE[point]}", "roll 6-6", "roll 2-1", "roll 6-5")
    table, events = dealt(*lines, f"roll {MADE[point if end == 'point' else 7]}")
    assert (gain(table), ruling(events, key), up(table)) == (change, clause, {})


@pytest.mark.clause(
    "exhibit-a:wagers(iii)(A)(1)",
    "exhibit-a:wagers(iii)(B)(1)",
    "exhibit-a:wagers(iv)(A)(1)",
    "exhibit-a:wagers(iv)(B)(1)",
)
@pytest.mark.parametrize("throw", THROWS)
def test_the_roll_after_a_come_bet_decides_it_by_its_total_alone(throw: str) -> None:
    """Only 7, 11, 2, 3 and 12 decide a come bet on its first roll, whatever the table's point."""
    assert net(POINT_9, "bet come 10", f"roll {throw}") == on_first_roll((7, 11), (2, 3, 12), throw)
    assert net(POINT_9, "bet dont_come 10", f"roll {throw}") == on_first_roll((2, 3), (7, 11), throw)


@pytest.mark.clause("exhibit-a:wagers(iv)(C)")
def test_twelve_is_void_for_a_fresh_dont_come() -> None:
    """On 12 a Don't Come in its area neither wins nor loses, and the next roll is its first."""
    table, events = dealt(POINT_9, "bet dont_come 10", "roll 6-6")
    assert (gain(table), up(table)) == (0, {"dont_come": 10})
    assert only(events, WagerPushed, wager="dont_come").clause == "exhibit-a:wagers(iv)(C)"
    assert net(POINT_9, "bet dont_come 10", "roll 6-6", "roll 6-5") == -10
    assert net(POINT_9, "bet dont_come 10", "roll 2-2", "roll 6-6", "roll 6-1") == 10


# --- Place bets -----------------------------------------------------------------------------------------------------

PLACED = {4: (4, 7), 5: (4, 5), 6: (6, 6), 8: (6, 6), 9: (4, 5), 10: (4, 7)}
"""Stake and win of a Place Bet to Win, by number."""


@pytest.mark.clause("exhibit-a:wagers(v).1")
@pytest.mark.parametrize("number", POINTS)
def test_a_place_bet_is_made_at_any_time_on_a_box_number(number: int) -> None:
    """Booked with the puck off and on, its own point included; on no other number."""
    for lines in ((), (another(number),), (f"roll {MADE[number]}",)):
        table, _ = dealt(*lines)
        assert only(play(table, f"bet place_{number} 4"), WagerUp).clause == "exhibit-a:wagers(v).1"
        assert up(table) == {f"place_{number}": 4}
        for other in (2, 3, 7, 11, 12):
            assert refused(table, f"bet place_{other} 4").code == "wager.not_offered"


@pytest.mark.parametrize(
    ("clause", "came"), [case("exhibit-a:wagers(v).2", "number"), case("exhibit-a:wagers(v).3", "seven")]
)
@pytest.mark.parametrize("number", POINTS)
def test_a_place_bet_is_its_number_against_a_seven(clause: str, number: int, came: str) -> None:
    """With a point on it wins on its number, however made, and stays up; it loses on 7 and rests on the others."""
    stake, win = PLACED[number]
    wager = f"place_{number}"
    for throw in THROWS:
        table, events = dealt(another(number), f"bet {wager} {stake}", f"roll {throw}")
        if total(throw) == (number if came == "number" else 7):
            after = (win, {wager: stake}) if came == "number" else (-stake, {})
            assert (gain(table), up(table)) == after
            assert ruling(events, wager) == clause
        elif total(throw) not in (number, 7):
            assert (gain(table), up(table)) == (0, {wager: stake})


@pytest.mark.clause("exhibit-a:wagers(v).4")
@pytest.mark.parametrize("number", POINTS)
def test_a_place_bet_is_inactive_on_a_come_out(number: int) -> None:
    """Uncalled it is neither paid nor taken on a come-out, and works again by itself once a point is on."""
    stake, win = PLACED[number]
    bet, wager = f"bet place_{number} {stake}", f"place_{number}"
    for throw in THROWS:
        table, _ = dealt(bet, f"roll {throw}")
        assert (gain(table), up(table)) == (0, {wager: stake})
    assert net(bet, another(number), f"roll {MADE[number]}") == win
    assert net(bet, f"on {wager}", f"roll {MADE[number]}") == win
    assert net(bet, f"on {wager}", "roll 6-1") == -stake
    assert EXHIBIT_A.spots[wager].rule.off_on_comeout.clause == "exhibit-a:wagers(v).4"


@pytest.mark.clause("exhibit-a:wagers(v).5")
def test_a_place_bet_called_on_needs_the_dealers_button() -> None:
    """Place 4 for $4, On with the dealer's button: a come-out 4 wins $7. Without the button it sleeps."""
    assert net("bet place_4 4", "on place_4 by dealer", "roll 3-1") == 7
    for who in ("nobody", "boxperson", "stickperson", "player", "supervisor"):
        table, _ = dealt("bet place_4 4", "2 bet pass 5")
        no = refused(table, f"on place_4 by {who}")
        assert (no.code, no.clause) == ("call.not_confirmed", "exhibit-a:making(5).2")
        play(table, "roll 3-1")
        assert (gain(table), up(table)) == (0, {"place_4": 4})


# --- Hard ways ------------------------------------------------------------------------------------------------------

HARD = [
    case("exhibit-a:wagers(vi)", 4, 35),
    case("exhibit-a:wagers(vii)", 6, 45),
    case("exhibit-a:wagers(viii)", 8, 45),
    case("exhibit-a:wagers(ix)", 10, 35),
]
"""Clause, number and what $5 wins."""


@pytest.mark.parametrize(("clause", "number", "win"), HARD)
def test_a_hard_way_is_its_pair_before_any_other_way_and_before_a_seven(clause: str, number: int, win: int) -> None:
    """With a point on, all 36 throws: the pair wins, the same total otherwise and a 7 lose, the rest leaves it."""
    wager, pair = f"hard_{number}", f"{number // 2}-{number // 2}"
    for throw in THROWS:
        table, events = dealt(POINT_9, f"bet {wager} 5", f"roll {throw}")
        if total(throw) not in (number, 7):
            assert (gain(table), up(table)) == (0, {wager: 5})
        else:
            assert (gain(table), ruling(events, wager)) == (win if throw == pair else -5, clause)


@pytest.mark.parametrize(("clause", "number", "win"), HARD)
def test_a_hard_way_is_made_at_any_time(clause: str, number: int, win: int) -> None:
    """It goes up on a come-out, where it sleeps, or with a point on, and stays up when it wins."""
    bet, pair, wager = f"bet hard_{number} 5", f"roll {number // 2}-{number // 2}", f"hard_{number}"
    for lines in ((bet, POINT_9, pair), (POINT_9, bet, pair)):
        table, events = dealt(*lines)
        assert (gain(table), ruling(events, wager), up(table)) == (win, clause, {wager: 5})


# --- One roll -------------------------------------------------------------------------------------------------------

FIELD = {2: 20, 3: 10, 4: 10, 9: 10, 10: 10, 11: 10, 12: 20}


@pytest.mark.parametrize(
    ("clause", "wager", "stake", "wins"),
    [
        case("exhibit-a:wagers(x).1", "field", 10, FIELD),
        case("exhibit-a:wagers(x).2", "field", 10, FIELD),
        case("exhibit-a:wagers(xi)", "any_seven", 5, {7: 20}),
        case("exhibit-a:wagers(xii)", "any_craps", 5, {2: 35, 3: 35, 12: 35}),
        case("exhibit-a:wagers(xiii)", "eleven", 1, {11: 15}),
        case("exhibit-a:wagers(xiv)", "craps_eleven", 2, {2: 6, 3: 6, 11: 14, 12: 6}),
        case("exhibit-a:wagers(xv)", "horn", 4, {2: 27, 3: 12, 11: 12, 12: 27}),
        case("exhibit-a:wagers(xvi).1", "horn_high_2", 5, {2: 57, 3: 11, 11: 11, 12: 26}),
        case("exhibit-a:wagers(xvi).1", "horn_high_3", 5, {2: 26, 3: 27, 11: 11, 12: 26}),
        case("exhibit-a:wagers(xvi).1", "horn_high_11", 5, {2: 26, 3: 11, 11: 27, 12: 26}),
        case("exhibit-a:wagers(xvi).1", "horn_high_12", 5, {2: 26, 3: 11, 11: 11, 12: 57}),
        case("exhibit-a:wagers(xvii).1", "world", 5, {2: 26, 3: 11, 7: 0, 11: 11, 12: 26}),
    ],
)
@pytest.mark.parametrize("first", [(), (POINT_9,)], ids=["come-out", "point on"])
def test_a_one_roll_wager(clause: str, wager: str, stake: int, wins: dict[int, int], first: tuple[str, ...]) -> None:
    """At any time, all 36 throws: the named totals win, every other total loses, and nothing stays up."""
    winning = {"exhibit-a:wagers(x).2": "exhibit-a:wagers(x).1"}.get(clause, clause)
    losing = {"exhibit-a:wagers(x).1": "exhibit-a:wagers(x).2", "exhibit-a:wagers(xvii).1": "E-09"}.get(clause, clause)
    for throw in THROWS:
        table, events = dealt(*first, f"bet {wager} {stake}", f"roll {throw}")
        assert (gain(table), up(table)) == (wins.get(total(throw), -stake), {})
        won = bool(every(events, WagerWon, wager=wager))
        assert won == (total(throw) in wins)
        assert ruling(events, wager) == (winning if won else losing)


@pytest.mark.parametrize(
    ("clause", "wager"),
    [
        *(case("exhibit-a:wagers(xvi).2", f"horn_high_{number}") for number in (2, 3, 11, 12)),
        case("exhibit-a:wagers(xvii).2", "world"),
    ],
)
def test_horn_high_and_world_are_bet_in_fives(clause: str, wager: str) -> None:
    """Five, ten and fifteen divide into five units; what does not is refused, as a bet and as what is left of one."""
    table = at()
    for wrong in (1, 2, 3, 4, 6, 7, 8, 9, 12):
        assert refused(table, f"bet {wager} {wrong}").code == "bet.indivisible"
    play(table, f"bet {wager} 15")
    assert refused(table, f"take {wager} 7").code == "bet.indivisible"
    play(table, f"take {wager} 10", f"take {wager} 5")
    assert up(table) == {wager: 5}
    terms = EXHIBIT_A.spots[wager].rule.terms
    assert isinstance(terms, Split)
    assert terms.parts.clause == clause


SINGLE = {2: "craps_2", 3: "craps_3", 11: "eleven", 12: "craps_12", 7: "any_seven"}
"""The wager that each unit is."""


@pytest.mark.clause("exhibit-a:wagers(xvi).2")
@cases("high", [2, 3, 11, 12])
@cases("throw", THROWS)
def test_horn_high_is_a_horn_and_one_unit_more_on_one_number(high: int, throw: str) -> None:
    """$10 high 12 gains and loses what $2 each on 2, 3 and 11 and $4 on 12 do, on all 36 throws."""
    apart = [f"bet {SINGLE[number]} {4 if number == high else 2}" for number in (2, 3, 11, 12)]
    assert net(f"bet horn_high_{high} 10", f"roll {throw}") == net(*apart, f"roll {throw}")


@pytest.mark.clause("exhibit-a:wagers(xvii).1", "exhibit-a:wagers(xvii).2")
@pytest.mark.parametrize("throw", THROWS)
def test_world_is_a_horn_and_an_any_seven(throw: str) -> None:
    """$10 gains and loses what $8 on the Horn with $2 on Any Seven do, and what $2 on each of the five do."""
    world = net("bet world 10", f"roll {throw}")
    assert world == net("bet horn 8", "bet any_seven 2", f"roll {throw}")
    assert world == net(*(f"bet {wager} 2" for wager in SINGLE.values()), f"roll {throw}")
