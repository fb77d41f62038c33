"""Numbers and the field: `numbers`, `field` and `pay`, and when they work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.engine.events import WagerDown, WagerLost, WagerReturned, WagerUp, WagerWon
from tests.clauses.strip.felt import MADE, POINTS, another, at, dealt, net, paid
from tests.clauses.table_helpers import THROWS, case, every, gain, only, play, refused, ruling, total, up

if TYPE_CHECKING:
    from tests.clauses.table_helpers import Events

PLACE = {4: "9 to 5", 5: "7 to 5", 6: "7 to 6", 8: "7 to 6", 9: "7 to 5", 10: "9 to 5"}
BUY = {4: "2 to 1", 5: "3 to 2", 6: "6 to 5", 8: "6 to 5", 9: "3 to 2", 10: "2 to 1"}
LAY = {4: "1 to 2", 5: "2 to 3", 6: "5 to 6", 8: "5 to 6", 9: "2 to 3", 10: "1 to 2"}
SEVEN = "roll 6-1"


@pytest.mark.parametrize("number", POINTS)
@pytest.mark.parametrize(
    ("clause", "kinds", "end", "sign"),
    [
        case("strip:numbers.wins", ("place", "buy"), "number", 1),
        case("strip:numbers.loses", ("place", "buy"), "seven", -1),
        case("strip:numbers.lay-wins", ("lay",), "seven", 1),
        case("strip:numbers.lay-loses", ("lay",), "number", -1),
    ],
)
def test_a_number_against_a_seven(clause: str, kinds: tuple[str, ...], end: str, sign: int, number: int) -> None:
    """Whatever else comes first decides nothing."""
    for kind in kinds:
        key = f"{kind}_{number}"
        table, _ = dealt(another(number), f"bet {key} 60")
        for other in (2, 3, 11, 12, 4 if number != 4 else 10):
            assert not [event for event in play(table, f"roll {MADE[other]}") if getattr(event, "wager", "") == key]
        events = play(table, f"roll {MADE[number if end == 'number' else 7]}")
        assert ruling(events, key) == clause
        assert (gain(table) > 0) == (sign > 0)


@pytest.mark.parametrize("number", POINTS)
@pytest.mark.parametrize(
    ("clause", "kind", "prices"),
    [
        case("strip:numbers.place", "place", PLACE),
        case("strip:numbers.buy", "buy", BUY),
        case("strip:numbers.lay", "lay", LAY),
    ],
)
def test_the_price_of_a_number(clause: str, kind: str, prices: dict[int, str], number: int) -> None:
    """Sixty is paid at this very price, to the chip."""
    pays, per = map(int, prices[number].split(" to "))
    key, end = f"{kind}_{number}", SEVEN if kind == "lay" else f"roll {MADE[number]}"
    _, won = paid(clause, key, prices[number], another(number), f"bet {key} 60", end)
    assert won.won == 6000 * pays // per


# --- The charge -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("strip:numbers.vig", "strip:numbers.buy-vig")
@pytest.mark.parametrize(("stake", "charge"), [(1, 1), (20, 1), (39, 1), (40, 2), (59, 2), (60, 3), (100, 5), (119, 5)])
@pytest.mark.parametrize("number", POINTS)
def test_a_buy_bet_is_charged_on_its_stake_when_it_wins(number: int, stake: int, charge: int) -> None:
    """Five percent of the stake down to whole chips and at least one; nothing in front, and nothing if it loses."""
    table, events = dealt(another(number), f"bet buy_{number} {stake}")
    assert (only(events, WagerUp).commission, gain(table)) == (0, 0)
    assert only(play(table, f"roll {MADE[number]}"), WagerWon, seat=1).commission == charge * 100
    assert net(another(number), f"bet buy_{number} {stake}", SEVEN) == -stake


@pytest.mark.clause("strip:numbers.vig", "strip:numbers.lay-vig")
@pytest.mark.parametrize(("win", "charge"), [(2, 1), (20, 1), (38, 1), (40, 2), (58, 2), (60, 3), (100, 5)])
@pytest.mark.parametrize(("number", "stake_of_two"), [(4, 4), (5, 3), (9, 3), (10, 4)])
def test_a_lay_bet_is_charged_on_its_winnings(number: int, stake_of_two: int, win: int, charge: int) -> None:
    """Five percent of the win down to whole chips and at least one; nothing in front, and nothing if it loses."""
    stake = win * stake_of_two // 2
    table, events = dealt(another(number), f"bet lay_{number} {stake}")
    assert (only(events, WagerUp).commission, gain(table)) == (0, 0)
    won = only(play(table, SEVEN), WagerWon, seat=1)
    assert (won.won, won.commission) == (win * 100, charge * 100)
    assert net(another(number), f"bet lay_{number} {stake}", f"roll {MADE[number]}") == -stake


@pytest.mark.clause("strip:numbers.vig")
@pytest.mark.parametrize(("chips", "charge"), [((1, 5), 2), ((5, 25), 5), ((25, 100), 25)])
def test_the_charge_is_whole_chips(chips: tuple[int, ...], charge: int) -> None:
    """Fifty bought costs two in single chips, and one chip where the smallest is five or twenty-five."""
    table, events = dealt("roll 5-3", "bet buy_4 50", "roll 3-1", chips=chips, notice="min=25")
    assert only(events, WagerWon, wager="buy_4").commission == charge * 100
    assert gain(table) == 100 - charge


@pytest.mark.clause("strip:numbers.vig-on-win")
@pytest.mark.parametrize("key", ["buy_4", "lay_4"])
def test_nothing_is_given_back_and_nothing_falls_due(key: str) -> None:
    """Taken or lowered, a bet brings back its stake alone; paid, it stays up and owes nothing for the next decision."""
    table, _ = dealt("roll 5-3", f"bet {key} 60")
    assert only(play(table, f"take {key} 30"), WagerDown).refund == 0
    assert only(play(table, f"take {key}"), WagerDown).refund == 0
    assert gain(table) == 0
    table, _ = dealt("roll 5-3", f"bet {key} 40")
    won = only(play(table, "roll 3-1" if key == "buy_4" else SEVEN), WagerWon, wager=key)
    assert (won.held, won.stays) == (0, True)
    assert only(play(table, f"take {key}"), WagerDown).refund == 0
    assert gain(table) == (78 if key == "buy_4" else 19)


@pytest.mark.clause("strip:pay.breakage")
@pytest.mark.parametrize(
    ("key", "stake", "end", "won", "whole"),
    [("place_6", 5, 6, 5, 6), ("place_4", 2, 4, 3, 5), ("lay_6", 5, 7, 4, 6), ("place_8", 23, 8, 26, 24)],
)
def test_breakage_is_the_houses(key: str, stake: int, end: int, won: int, whole: int) -> None:
    """What the smallest chip cannot make is paid down to the chip below; what it can is paid in full."""
    _, events = dealt(another(int(key[-1])), f"bet {key} {stake}", f"roll {MADE[end]}")
    pay = only(events, WagerWon, wager=key)
    assert (pay.won, pay.rounding) == (won * 100, "down")
    _, events = dealt(another(int(key[-1])), f"bet {key} {whole}", f"roll {MADE[end]}")
    assert only(events, WagerWon, wager=key).rounding is None


@pytest.mark.clause("strip:pay.breakage")
def test_a_found_stake_is_paid_down_and_no_further() -> None:
    """Chips nobody checked win by the price as any do: seven on the five win nine of 9.80."""
    table = at("2 bet pass 15", "roll 5-3", "found place_5 17", "roll 4-1", seats=2, notice="min=15")
    assert gain(table) == 23


# --- The field ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("strip:field.wins", "strip:field.loses")
@pytest.mark.parametrize("throw", THROWS)
def test_the_field_by_every_throw(throw: str) -> None:
    """It wins on 2, 3, 4, 9, 10, 11 and 12, loses on 5, 6, 7 and 8, and comes down."""
    table, events = dealt("bet field 10", f"roll {throw}")
    loses = total(throw) in (5, 6, 7, 8)
    assert ruling(events, "field") == ("strip:field.loses" if loses else "strip:field.wins")
    assert (gain(table) < 0, up(table)) == (loses, {})


@pytest.mark.parametrize(
    ("clause", "totals", "price"),
    [
        case("strip:field.single", (3, 4, 9, 10, 11), "1 to 1"),
        case("strip:field.two", (2,), "2 to 1"),
        case("strip:field.twelve", (12,), "3 to 1"),
    ],
)
def test_what_the_field_pays(clause: str, totals: tuple[int, ...], price: str) -> None:
    """Even money, double on 2, triple on 12."""
    for number in totals:
        _, won = paid(clause, "field", price, "bet field 10", f"roll {MADE[number]}")
        assert won.won == 1000 * int(price[0])


# --- What stays and what works --------------------------------------------------------------------------------------

STAY = {"place_6": "roll 5-1", "buy_6": "roll 5-1", "hard_6": "roll 3-3", "lay_6": SEVEN}


@pytest.mark.clause("strip:layout.stays")
@pytest.mark.parametrize("key", STAY)
def test_a_number_or_a_hardway_that_wins_stays_up(key: str) -> None:
    """It is paid and stands as it stood, until its player takes it down."""
    table, events = dealt("roll 5-4", f"bet {key} 60", STAY[key])
    assert only(events, WagerWon, wager=key).stays
    assert up(table) == {key: 60}
    play(table, f"take {key}")
    assert up(table) == {}


@pytest.mark.clause("strip:layout.winners")
@pytest.mark.parametrize(
    "lines",
    [
        ("bet pass 10", "roll 6-5"),
        ("roll 5-4", "bet come 10", "roll 6-5"),
        ("bet pass 10", "roll 5-1", "bet pass_odds 10", "roll 5-1"),
        ("bet field 10", "roll 1-1"),
        ("bet any_seven 10", SEVEN),
        ("bet horn 8", "roll 1-1"),
        ("bet hop_1_1 10", "roll 1-1"),
        ("bet all_small 10", *(f"roll {MADE[n]}" for n in (2, 3, 4, 5, 6))),
    ],
)
def test_every_other_winner_comes_down(lines: tuple[str, ...]) -> None:
    """Flat bets, odds, one-roll bets and the side bets are paid, and their stake goes back with the winnings."""
    table, events = dealt(*lines)
    won = every(events, WagerWon, seat=1)
    assert won
    assert not any(event.stays for event in won)
    assert up(table) == {}


CALLED = ("place_6", "buy_6", "hard_6")


@pytest.mark.clause("strip:working.off")
@pytest.mark.parametrize("key", CALLED)
def test_numbers_and_hardways_are_off_on_a_come_out(key: str) -> None:
    """Neither the number nor a seven touches them; called on, both do."""
    winner = "roll 3-3" if key == "hard_6" else "roll 5-1"
    for throw in (winner, SEVEN):
        assert (net(f"bet {key} 60", throw), net(f"bet {key} 60", f"on {key}", throw) == 0) == (0, False)


@pytest.mark.clause("strip:working.off")
def test_come_odds_are_off_on_a_come_out() -> None:
    """A come-out seven takes the Come and gives its odds back; called on, it takes both."""
    up_on_six = ("roll 5-4", "bet come 10", "roll 5-1", "bet come_odds_6 50", "roll 6-3")
    _, events = dealt(*up_on_six, SEVEN)
    assert only(events, WagerReturned, wager="come_odds_6").stake == 5000
    assert net(*up_on_six, SEVEN) == -10
    assert net(*up_on_six, "on come_odds_6", SEVEN) == -60


@pytest.mark.clause("strip:working.call")
@pytest.mark.parametrize("key", CALLED)
def test_a_call_is_confirmed_by_the_dealer_and_speaks_for_a_kind(key: str) -> None:
    """The dealer confirms it, nobody else; it puts every bet of its kind on and leaves the others; off is for one."""
    other = key.replace("6", "8")
    apart = "hard_10" if key != "hard_6" else "place_10"
    table = at(*(f"bet {each} 60" for each in (key, other, apart)))
    for role in ("box", "stick", "supervisor", "inspector", "nobody"):
        no = refused(table, f"on {key} by {role}")
        assert (no.code, no.clause) == ("call.not_confirmed", "strip:working.call")
    play(table, f"on {key} by dealer")
    on = {each for each, wager in table.state.seats[1].felt.items() if wager.call == "on"}
    assert on == {key, other}
    play(table, f"off {key}")
    off = {each for each, wager in table.state.seats[1].felt.items() if wager.call == "off"}
    assert off == {key}


@pytest.mark.clause("strip:working.call")
def test_come_odds_can_be_called_off() -> None:
    """With a point on they work until their player says no."""
    lines = ("roll 5-4", "bet come 10", "roll 5-1", "bet come_odds_6 50")
    assert net(*lines, "off come_odds_6", SEVEN) == -10
    assert net(*lines, SEVEN) == -60


@pytest.mark.clause("strip:working.call")
def test_a_call_lasts_until_a_point_is_set() -> None:
    """A come-out that sets no point leaves the button; one that does lifts it."""
    table = at("bet pass 10", "bet place_6 60", "on place_6", "roll 6-5")
    assert table.state.seats[1].felt["place_6"].call == "on"
    play(table, "bet pass 10", "roll 5-4")
    assert table.state.seats[1].felt["place_6"].call is None


COME_ON_6 = ("roll 5-4", "bet come 10", "roll 5-1", "roll 6-3")
DONT_COME_ON_6 = ("roll 5-4", "bet dont_come 10", "roll 5-1", "bet dont_come_odds_6 60", "roll 6-3")


@pytest.mark.clause("strip:working.always")
@pytest.mark.parametrize(
    ("key", "lines"),
    [
        *((key, (f"bet {key} 60",)) for key in ("pass", "dont_pass", "lay_6", "field", "any_seven", "horn", "hop_3_3")),
        ("all_small", ("bet all_small 60",)),
        ("come_6", COME_ON_6),
        ("dont_come_6", DONT_COME_ON_6),
        ("dont_come_odds_6", DONT_COME_ON_6),
    ],
)
def test_every_other_bet_works_on_a_come_out_and_has_no_button(key: str, lines: tuple[str, ...]) -> None:
    """A come-out seven decides it, and its player can call it neither on nor off."""
    table, _ = dealt(*lines)
    for word in ("on", "off"):
        no = refused(table, f"{word} {key}")
        assert (no.code, no.clause) == ("call.not_callable", "strip:working.always")
    assert type(decided(dealt(*lines, SEVEN)[1], key)) in (WagerWon, WagerLost)


def decided(events: Events, key: str) -> object:
    """What became of a wager of seat 1's."""
    (event,) = (event for event in events if getattr(event, "wager", "") == key and getattr(event, "seat", 0) == 1)
    return event
