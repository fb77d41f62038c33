"""Rule 4: the wagers, when they are made, what wins them and what loses them."""

from __future__ import annotations

import pytest

from passline.engine.events import WagerPushed, WagerTravelled, WagerWon
from passline.house import House
from tests.clauses.felt import MADE, POINTS, another
from tests.clauses.table_helpers import (
    THROWS,
    case,
    dealt,
    every,
    gain,
    game,
    net,
    only,
    play,
    refused,
    ruling,
    total,
    up,
)

LISTED = {
    *("pass", "dont_pass", "come", "dont_come", "field", "any_seven", "any_craps"),
    *("craps_2", "craps_3", "craps_12", "eleven", "horn", "craps_eleven", "world", "big_6", "big_8"),
    *(f"place_{number}" for number in (4, 5, 6, 8, 9, 10)),
    *(f"place_lose_{number}" for number in (4, 5, 6, 8, 9, 10)),
    *(f"hard_{number}" for number in (4, 6, 8, 10)),
}
"""Every wager of rule 4."""

BY_OTHER_RULES = {
    *("pass_odds", "dont_pass_odds"),
    *(f"{kind}_{number}" for kind in ("come_odds", "dont_come_odds", "buy", "lay") for number in (4, 5, 6, 8, 9, 10)),
}
"""What rules 7 and 8 let a player do with the wagers of rule 4."""

POINT_8 = "roll 4-4"
"""A come-out that puts the puck on 8."""


# --- The list -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:4")
def test_every_listed_wager_is_booked_when_its_moment_comes() -> None:
    """Each wager of rule 4 can be made by a player, and nothing else can but odds and buy bets."""
    assert {spot.key for spot in House("adelaide").wagers} == LISTED | BY_OTHER_RULES
    for wager in sorted(LISTED):
        first = "" if "come" not in wager else POINT_8
        table, _ = dealt("adelaide", *filter(None, [first]))
        play(table, f"bet {wager} 20")
        assert up(table) == {wager: 20}


@pytest.mark.clause("adelaide:4.only")
@pytest.mark.parametrize("wager", ["hop_hard_6", "horn_high_12", "fire", "all_small", "place_7", "hard_5", "big_9"])
def test_a_wager_that_is_not_listed_is_refused(wager: str) -> None:
    """Hops, a high horn, a Fire Bet and odd numbers are not booked here."""
    table, _ = dealt("adelaide", POINT_8)
    answer = refused(table, f"bet {wager} 20")
    assert (answer.code, answer.clause) == ("wager.not_offered", "adelaide:4.only")
    assert gain(table) == 0


# --- When a wager is made -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("clause", "wager"), [case("adelaide:4(a)", "pass"), case("adelaide:4(b)", "dont_pass")])
def test_a_line_bet_is_made_directly_before_a_come_out(clause: str, wager: str) -> None:
    """With the puck off a line bet is booked; with a point on it is refused, and so is a raise."""
    table, _ = dealt("adelaide", f"bet {wager} 10", "2 bet pass 5", POINT_8)
    for seat in (1, 2):
        answer = refused(table, f"{seat} bet {wager} 10")
        assert (answer.code, answer.clause) == ("bet.window", clause)
    assert up(table) == {wager: 10}
    assert net("adelaide", POINT_8, "roll 4-4", f"bet {wager} 10") == 0


@pytest.mark.parametrize(("clause", "wager"), [case("adelaide:4(d)", "come"), case("adelaide:4(e)", "dont_come")])
def test_a_come_bet_is_made_after_the_come_out(clause: str, wager: str) -> None:
    """With a point on a come bet is booked; on a come-out, the first or a later one, it is refused."""
    for lines in ((), ("roll 6-1",), (POINT_8, "roll 5-3")):
        table, _ = dealt("adelaide", *lines)
        answer = refused(table, f"bet {wager} 10")
        assert (answer.code, answer.clause) == ("bet.window", clause)
    table, _ = dealt("adelaide", "roll 3-2", f"bet {wager} 10")
    assert up(table) == {wager: 10}


@pytest.mark.parametrize(("clause", "kind"), [case("adelaide:4(g).1", "place"), case("adelaide:4(h).1", "place_lose")])
@pytest.mark.parametrize("number", [4, 5, 6, 8, 9, 10])
def test_a_place_bet_is_made_at_any_time_on_any_box_number(clause: str, kind: str, number: int) -> None:
    """Place bets are booked with the puck off and with a point on, on the six numbers and on no other."""
    wager = f"{kind}_{number}"
    for lines in ((), (POINT_8,)):
        table, _ = dealt("adelaide", *lines)
        (event,) = play(table, f"bet {wager} 12")
        assert getattr(event, "clause", None) == clause
        assert up(table) == {wager: 12}
        for other in (2, 3, 7, 11, 12):
            assert refused(table, f"bet {kind}_{other} 12").code == "wager.not_offered"


# --- The line -------------------------------------------------------------------------------------------------------


def on_first_roll(wins: tuple[int, ...], loses: tuple[int, ...], throw: str) -> int:
    """What $10 on a flat bet gains on its first roll."""
    return 10 if total(throw) in wins else -10 if total(throw) in loses else 0


@pytest.mark.parametrize(
    ("clause", "lines", "change"),
    [
        case("adelaide:4(a).win(i)", ("roll 5-2",), 10),
        case("adelaide:4(a).win(i)", ("roll 6-5",), 10),
        case("adelaide:4(a).win(ii)", ("roll 2-2", "roll 6-6", "roll 3-1"), 10),
        case("adelaide:4(a).lose(i)", ("roll 1-1",), -10),
        case("adelaide:4(a).lose(i)", ("roll 1-2",), -10),
        case("adelaide:4(a).lose(i)", ("roll 6-6",), -10),
        case("adelaide:4(a).lose(ii)", ("roll 5-5", "roll 4-3"), -10),
    ],
)
def test_pass(clause: str, lines: tuple[str, ...], change: int) -> None:
    """Pass is decided by the come-out, or by its point against a seven out."""
    table, events = dealt("adelaide", "bet pass 10", *lines)
    assert (gain(table), ruling(events, "pass")) == (change, clause)
    assert up(table) == {}


@pytest.mark.parametrize(
    ("clause", "lines", "change"),
    [
        case("adelaide:4(b).win(i)", ("roll 1-1",), 10),
        case("adelaide:4(b).win(i)", ("roll 2-1",), 10),
        case("adelaide:4(b).win(ii)", ("roll 4-5", "roll 6-1"), 10),
        case("adelaide:4(b).lose(i)", ("roll 3-4",), -10),
        case("adelaide:4(b).lose(i)", ("roll 5-6",), -10),
        case("adelaide:4(b).lose(ii)", ("roll 3-3", "roll 5-1"), -10),
    ],
)
def test_dont_pass(clause: str, lines: tuple[str, ...], change: int) -> None:
    """Don't Pass is Pass the other way round, but for the 12."""
    table, events = dealt("adelaide", "bet dont_pass 10", *lines)
    assert (gain(table), ruling(events, "dont_pass")) == (change, clause)
    assert up(table) == {}


@pytest.mark.clause("adelaide:4(a).win(i)", "adelaide:4(a).lose(i)", "adelaide:4(b).win(i)", "adelaide:4(b).lose(i)")
@pytest.mark.parametrize("throw", THROWS)
def test_the_come_out_decides_the_line_by_its_total_alone(throw: str) -> None:
    """Of the 36 throws only 7, 11, 2, 3 and 12 decide a line bet at once."""
    assert net("adelaide", "bet pass 10", f"roll {throw}") == on_first_roll((7, 11), (2, 3, 12), throw)
    assert net("adelaide", "bet dont_pass 10", f"roll {throw}") == on_first_roll((2, 3), (7, 11), throw)


@pytest.mark.clause("adelaide:4(c)")
def test_twelve_on_the_come_out_is_a_stand_off_for_dont_pass() -> None:
    """On 12 Don't Pass neither wins nor loses while Pass loses; on 2 it wins."""
    table = game("adelaide", seats=2)
    events = play(table, "bet dont_pass 10", "2 bet pass 10", "roll 6-6")
    assert (gain(table, 1), gain(table, 2)) == (0, -10)
    assert ruling(events, "dont_pass") == "adelaide:4(c)"
    assert up(table) == {"dont_pass": 10}
    assert net("adelaide", "bet dont_pass 10", "roll 6-6", "roll 6-5") == -10


# --- Come bets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "lines", "wager", "change"),
    [
        case("adelaide:4(d).win(i)", ("roll 6-1",), "come", 10),
        case("adelaide:4(d).win(i)", ("roll 6-5",), "come", 10),
        case("adelaide:4(d).win(ii)", ("roll 2-3", "roll 6-3", "roll 4-1"), "come_5", 10),
        case("adelaide:4(d).win(ii)", ("roll 2-3", "roll 4-4", "roll 4-1"), "come_5", 10),
        case("adelaide:4(d).lose(i)", ("roll 1-1",), "come", -10),
        case("adelaide:4(d).lose(i)", ("roll 1-2",), "come", -10),
        case("adelaide:4(d).lose(i)", ("roll 6-6",), "come", -10),
        case("adelaide:4(d).lose(ii)", ("roll 3-2", "roll 5-2"), "come_5", -10),
        case("adelaide:4(d).lose(ii)", ("roll 3-2", "roll 4-4", "roll 5-2"), "come_5", -10),
    ],
)
def test_come(clause: str, lines: tuple[str, ...], wager: str, change: int) -> None:
    """A Come Bet is decided by the roll after it, or by its come point against any 7, a come-out's too."""
    table, events = dealt("adelaide", POINT_8, "bet come 10", *lines)
    assert (gain(table), ruling(events, wager)) == (change, clause)
    assert up(table) == {}


@pytest.mark.clause("adelaide:4(d).win(i)", "adelaide:4(d).lose(i)")
def test_a_fresh_come_bet_wins_on_the_seven_that_beats_pass() -> None:
    """Point 8: a 7 pays the Come Bet just made while Pass loses; a 12 takes the Come Bet and leaves Pass alone."""
    assert net("adelaide", "bet pass 30", POINT_8, "bet come 10", "roll 6-1") == 10 - 30
    table, _ = dealt("adelaide", "bet pass 30", POINT_8, "bet come 10", "roll 6-6")
    assert (gain(table), up(table)) == (-10, {"pass": 30})


@pytest.mark.parametrize(
    ("clause", "lines", "wager", "change"),
    [
        case("adelaide:4(e).win(i)", ("roll 1-1",), "dont_come", 10),
        case("adelaide:4(e).win(i)", ("roll 1-2",), "dont_come", 10),
        case("adelaide:4(e).win(ii)", ("roll 5-5", "roll 3-4"), "dont_come_10", 10),
        case("adelaide:4(e).win(ii)", ("roll 5-5", "roll 5-1", "roll 3-4"), "dont_come_10", 10),
        case("adelaide:4(e).lose(i)", ("roll 4-3",), "dont_come", -10),
        case("adelaide:4(e).lose(i)", ("roll 6-5",), "dont_come", -10),
        case("adelaide:4(e).lose(ii)", ("roll 6-4", "roll 5-5"), "dont_come_10", -10),
        case("adelaide:4(e).lose(ii)", ("roll 6-4", "roll 5-1", "roll 5-5"), "dont_come_10", -10),
    ],
)
def test_dont_come(clause: str, lines: tuple[str, ...], wager: str, change: int) -> None:
    """A Don't Come Bet is a Come Bet the other way round, but for the 12."""
    table, events = dealt("adelaide", "roll 3-3", "bet dont_come 10", *lines)
    assert (gain(table), ruling(events, wager)) == (change, clause)
    assert up(table) == {}


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(
    ("clause", "wager", "end", "change"),
    [
        case("adelaide:4(a).win(ii)", "pass", "point", 10),
        case("adelaide:4(a).lose(ii)", "pass", "seven", -10),
        case("adelaide:4(b).win(ii)", "dont_pass", "seven", 10),
        case("adelaide:4(b).lose(ii)", "dont_pass", "point", -10),
        case("adelaide:4(d).win(ii)", "come", "point", 10),
        case("adelaide:4(d).lose(ii)", "come", "seven", -10),
        case("adelaide:4(e).win(ii)", "dont_come", "seven", 10),
        case("adelaide:4(e).lose(ii)", "dont_come", "point", -10),
    ],
)
def test_every_point_against_a_seven(clause: str, wager: str, end: str, change: int, point: int) -> None:
    """On each of the six points, with other totals in between."""
    first, key = ((another(point),), f"{wager}_{point}") if wager.endswith("come") else ((), wager)
    lines = (*first, f"bet {wager} 10", f"roll {MADE[point]}", "roll 6-6", "roll 2-1", "roll 6-5")
    table, events = dealt("adelaide", *lines, f"roll {MADE[point if end == 'point' else 7]}")
    assert (gain(table), ruling(events, key), up(table)) == (change, clause, {})


@pytest.mark.clause("adelaide:4(d).win(i)", "adelaide:4(d).lose(i)", "adelaide:4(e).win(i)", "adelaide:4(e).lose(i)")
@pytest.mark.parametrize("throw", THROWS)
def test_the_roll_after_a_come_bet_decides_it_by_its_total_alone(throw: str) -> None:
    """Of the 36 throws only 7, 11, 2, 3 and 12 decide a come bet on its first roll; the rest send it to its number."""
    come, events = dealt("adelaide", POINT_8, "bet come 10", f"roll {throw}")
    assert gain(come) == on_first_roll((7, 11), (2, 3, 12), throw)
    dont, _ = dealt("adelaide", POINT_8, "bet dont_come 10", f"roll {throw}")
    assert gain(dont) == on_first_roll((2, 3), (7, 11), throw)
    if total(throw) in (4, 5, 6, 8, 9, 10):
        assert (up(come), up(dont)) == ({f"come_{total(throw)}": 10}, {f"dont_come_{total(throw)}": 10})
    else:
        assert every(events, WagerTravelled) == []


@pytest.mark.clause("adelaide:4(f)")
def test_twelve_is_a_stand_off_for_a_fresh_dont_come() -> None:
    """On 12 a Don't Come in its box neither wins nor loses; the next roll is its first."""
    table, events = dealt("adelaide", "roll 3-3", "bet dont_come 10", "roll 6-6")
    assert gain(table) == 0
    assert only(events, WagerPushed, wager="dont_come").clause == "adelaide:4(f)"
    assert net("adelaide", "roll 3-3", "bet dont_come 10", "roll 6-6", "roll 6-5") == -10
    assert net("adelaide", "roll 3-3", "bet dont_come 10", "roll 5-4", "roll 6-6", "roll 6-1") == 10


# --- Place bets -----------------------------------------------------------------------------------------------------

PLACED = {4: (5, 9), 5: (5, 7), 6: (6, 7), 8: (6, 7), 9: (5, 7), 10: (5, 9)}
"""Stake and win of a Place Bet to Win, by number."""

LAID = {4: (11, 5), 5: (8, 5), 6: (5, 4), 8: (5, 4), 9: (8, 5), 10: (11, 5)}
"""Stake and win of a Place Bet to Lose, by number."""


@pytest.mark.parametrize(("clause", "came"), [case("adelaide:4(g).2", "number"), case("adelaide:4(g).3", "seven")])
@pytest.mark.parametrize("number", PLACED)
def test_place_to_win_is_a_number_against_a_seven(clause: str, number: int, came: str) -> None:
    """With a point on, a Place Bet to Win wins on its number, however made, loses on 7, and rests on the others."""
    stake, win = PLACED[number]
    for throw in THROWS:
        table, events = dealt("adelaide", another(number), f"bet place_{number} {stake}", f"roll {throw}")
        if total(throw) == (number if came == "number" else 7):
            change = win if came == "number" else -stake
            assert (gain(table), ruling(events, f"place_{number}")) == (change, clause)
        elif total(throw) not in (number, 7):
            assert (gain(table), up(table)) == (0, {f"place_{number}": stake})


@pytest.mark.parametrize(("clause", "came"), [case("adelaide:4(h).2", "seven"), case("adelaide:4(h).3", "number")])
@pytest.mark.parametrize("number", LAID)
@pytest.mark.parametrize("puck", ["on", "off"])
def test_place_to_lose_is_a_seven_against_a_number(clause: str, number: int, came: str, puck: str) -> None:
    """On a come-out and with a point on, a Place Bet to Lose wins on 7 and loses on its number."""
    stake, win = LAID[number]
    first = [another(number)] if puck == "on" else []
    for throw in THROWS:
        table, events = dealt("adelaide", *first, f"bet place_lose_{number} {stake}", f"roll {throw}")
        if total(throw) == (number if came == "number" else 7):
            change = -stake if came == "number" else win
            assert (gain(table), ruling(events, f"place_lose_{number}")) == (change, clause)
        elif total(throw) not in (number, 7):
            assert (gain(table), up(table)) == (0, {f"place_lose_{number}": stake})


@pytest.mark.clause("adelaide:4(g).4")
@pytest.mark.parametrize("number", PLACED)
def test_place_to_win_sleeps_on_a_come_out(number: int) -> None:
    """Uncalled, a Place Bet to Win is neither paid nor taken on a come-out, and wakes by itself when a point is on."""
    stake, win = PLACED[number]
    bet = f"bet place_{number} {stake}"
    for throw in THROWS:
        table, _ = dealt("adelaide", bet, f"roll {throw}")
        assert (gain(table), up(table)) == (0, {f"place_{number}": stake})
    hit = f"roll {number // 2}-{number - number // 2}"
    assert net("adelaide", bet, another(number), hit) == win
    assert net("adelaide", bet, f"on place_{number}", hit) == win
    assert net("adelaide", bet, f"on place_{number}", "roll 6-1") == -stake
    rule = House("adelaide").spots[f"place_{number}"].rule
    assert rule.off_on_comeout.clause == "adelaide:4(g).4"


@pytest.mark.clause("adelaide:4(g).5")
def test_a_place_bet_called_on_works_once_the_button_is_down() -> None:
    """The call counts when the dealer (or the boxman, rule 5(e)) puts the button down; nobody else's word does."""
    assert net("adelaide", "bet place_6 12", "on place_6 by dealer", "roll 4-2") == 14
    assert net("adelaide", "bet place_6 12", "on place_6 by boxman", "roll 4-2") == 14
    for who in ("nobody", "stick", "player"):
        table, _ = dealt("adelaide", "bet place_6 12", "2 bet pass 5")
        assert refused(table, f"on place_6 by {who}").code == "call.not_confirmed"
        play(table, "roll 4-2")
        assert (gain(table), up(table)) == (0, {"place_6": 12})


# --- Hardways and big numbers ---------------------------------------------------------------------------------------

HARD = [
    case("adelaide:4(i)", 4, 35),
    case("adelaide:4(j)", 6, 45),
    case("adelaide:4(k)", 8, 45),
    case("adelaide:4(l)", 10, 35),
]
"""Clause, number and what $5 wins."""


@pytest.mark.parametrize(("clause", "number", "win"), HARD)
def test_a_hardway_is_its_pair_before_any_easy_way_and_before_a_seven(clause: str, number: int, win: int) -> None:
    """With a point on, all 36 throws: the pair wins, the same total otherwise and a 7 lose, the rest leaves it."""
    wager, pair = f"hard_{number}", f"{number // 2}-{number // 2}"
    for throw in THROWS:
        table, events = dealt("adelaide", "roll 5-4", f"bet {wager} 5", f"roll {throw}")
        if total(throw) not in (number, 7):
            assert (gain(table), up(table)) == (0, {wager: 5})
        else:
            assert (gain(table), ruling(events, wager)) == (win if throw == pair else -5, clause)


@pytest.mark.parametrize(("clause", "number", "win"), HARD)
def test_a_hardway_is_made_at_any_time(clause: str, number: int, win: int) -> None:
    """A hardway may go up on a come-out, where it sleeps, and with a point on."""
    bet, pair = f"bet hard_{number} 5", f"roll {number // 2}-{number // 2}"
    for lines in ((bet, "roll 5-4", pair), ("roll 5-4", bet, pair)):
        table, events = dealt("adelaide", *lines)
        assert (gain(table), ruling(events, f"hard_{number}")) == (win, clause)


@pytest.mark.clause("adelaide:4.note.1")
@pytest.mark.parametrize("number", [4, 6, 8, 10])
def test_hardways_sleep_on_a_come_out(number: int) -> None:
    """Uncalled, a hardway is neither paid nor taken by any throw of a come-out."""
    for throw in THROWS:
        table, _ = dealt("adelaide", f"bet hard_{number} 5", f"roll {throw}")
        assert (gain(table), up(table)) == (0, {f"hard_{number}": 5})
    rule = House("adelaide").spots[f"hard_{number}"].rule
    assert rule.off_on_comeout.clause == "adelaide:4.note.1"


@pytest.mark.clause("adelaide:4.note.2")
def test_a_hardway_called_on_works_once_the_button_is_on_it() -> None:
    """With the dealer's button 3-3 pays on the come-out and 4-2 takes; without it the call is no call."""
    assert net("adelaide", "bet hard_6 5", "on hard_6 by dealer", "roll 3-3") == 45
    assert net("adelaide", "bet hard_6 5", "on hard_6 by dealer", "roll 4-2") == -5
    table, _ = dealt("adelaide", "bet hard_6 5", "2 bet pass 5")
    assert refused(table, "on hard_6 by nobody").code == "call.not_confirmed"
    play(table, "roll 3-3")
    assert gain(table) == 0
    assert House("adelaide").book.equipment["on_button_place"].clause == "adelaide:4.note.2"


@pytest.mark.parametrize(("clause", "number"), [case("adelaide:4(m)", 6), case("adelaide:4(n)", 8)])
@pytest.mark.parametrize("first", ["", "roll 5-4"])
def test_a_big_number_is_itself_before_a_seven(clause: str, number: int, first: str) -> None:
    """Big 6 and Big 8 win on any 6 or 8 and lose on 7, on a come-out too; other totals leave them."""
    wager = f"big_{number}"
    for throw in THROWS:
        table, events = dealt("adelaide", *filter(None, [first]), f"bet {wager} 5", f"roll {throw}")
        if total(throw) not in (number, 7):
            assert (gain(table), up(table)) == (0, {wager: 5})
        else:
            assert (gain(table), ruling(events, wager)) == (5 if total(throw) == number else -5, clause)


# --- One roll -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "wager", "stake", "wins"),
    [
        case("adelaide:4(o).win", "field", 10, {2: 20, 3: 10, 4: 10, 9: 10, 10: 10, 11: 10, 12: 20}),
        case("adelaide:4(o).lose", "field", 10, {2: 20, 3: 10, 4: 10, 9: 10, 10: 10, 11: 10, 12: 20}),
        case("adelaide:4(p)", "any_seven", 5, {7: 20}),
        case("adelaide:4(q)", "any_craps", 5, {2: 35, 3: 35, 12: 35}),
        case("adelaide:4(r)", "craps_2", 1, {2: 32}),
        case("adelaide:4(s)", "craps_3", 1, {3: 15}),
        case("adelaide:4(t)", "craps_12", 1, {12: 32}),
        case("adelaide:4(u)", "eleven", 1, {11: 15}),
        case("adelaide:4(v)", "horn", 4, {2: 29, 3: 12, 11: 12, 12: 29}),
        case("adelaide:4(w)", "craps_eleven", 2, {2: 6, 3: 6, 11: 14, 12: 6}),
        case("adelaide:4(x)", "world", 5, {2: 28, 3: 11, 7: 0, 11: 11, 12: 28}),
    ],
)
@pytest.mark.parametrize("first", ["", "roll 5-4"])
def test_a_one_roll_wager(clause: str, wager: str, stake: int, wins: dict[int, int], first: str) -> None:
    """At any time, all 36 throws: the named totals win, every other total loses, and nothing stays up."""
    family = clause.removesuffix(".win").removesuffix(".lose")
    for throw in THROWS:
        table, events = dealt("adelaide", *filter(None, [first]), f"bet {wager} {stake}", f"roll {throw}")
        assert (gain(table), up(table)) == (wins.get(total(throw), -stake), {})
        won = bool(every(events, WagerWon, wager=wager))
        assert won == (total(throw) in wins)
        says = clause if family == clause else f"{family}.win" if won else f"{family}.lose"
        assert ruling(events, wager) == says


# --- Whose chips ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:4(y)")
def test_a_wager_is_settled_where_it_lies() -> None:
    """Chips that lie on the field at the throw are a field bet, whatever the player meant; they cannot be moved now."""
    table, _ = dealt("adelaide", POINT_8, "bet field 10", "dice-out")
    assert refused(table, "take field").code == "phase.dice_out"
    assert refused(table, "late come 10 by dealer,box").code == "bet.late"
    events = play(table, "roll 5-4")
    assert only(events, WagerWon, seat=1).wager == "field"
    assert (gain(table), up(table)) == (10, {})
