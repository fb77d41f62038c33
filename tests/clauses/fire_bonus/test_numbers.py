"""Place bets, buy and lay bets with their commission, Big 6 and Big 8."""

from __future__ import annotations

import pytest

from passline.engine.events import WagerDown, WagerUp, WagerWon
from tests.clauses.fire_bonus.felt import FIRE_BONUS, MADE, POINTS, another, at, dealt, equipment, net
from tests.clauses.table_helpers import THROWS, case, gain, only, play, rail, refused, ruling, total, up

# --- Place bets -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("fire-bonus:PLACE.1")
@pytest.mark.parametrize("number", POINTS)
def test_a_place_bet_may_be_made_on_each_box_number(number: int) -> None:
    """Six numbers and no other, with the puck off and on (F-19)."""
    for lines in ((), (another(number),)):
        table, _ = dealt(*lines)
        play(table, f"bet place_{number} 30")
        assert up(table) == {f"place_{number}": 30}
        for other in (2, 3, 7, 11, 12):
            assert refused(table, f"bet place_{other} 30").code == "wager.not_offered"
    assert FIRE_BONUS.spots[f"place_{number}"].rule.offered.clause == "fire-bonus:PLACE.1"


@pytest.mark.clause("fire-bonus:PLACE.1")
@pytest.mark.parametrize("number", POINTS)
def test_a_place_bet_sleeps_on_a_come_out(number: int) -> None:
    """No throw of a come-out pays or takes it; called On, a 7 does (F-15)."""
    bet, wager = f"bet place_{number} 30", f"place_{number}"
    for throw in THROWS:
        table, _ = dealt(bet, f"roll {throw}")
        assert (gain(table), up(table)) == (0, {wager: 30})
    assert net(bet, f"on {wager}", "roll 4-3") == -30


@pytest.mark.parametrize(
    ("clause", "number", "stake", "win", "price"),
    [
        case("fire-bonus:PLACE.2", 6, 6, 7, "7 to 6"),
        case("fire-bonus:PLACE.2", 8, 6, 7, "7 to 6"),
        case("fire-bonus:PLACE.3", 5, 5, 7, "7 to 5"),
        case("fire-bonus:PLACE.3", 9, 5, 7, "7 to 5"),
        case("fire-bonus:PLACE.4", 4, 5, 9, "9 to 5"),
        case("fire-bonus:PLACE.4", 10, 5, 9, "9 to 5"),
    ],
)
def test_a_place_bet_is_its_number_before_a_seven(clause: str, number: int, stake: int, win: int, price: str) -> None:
    """With a point on: 7 to 6, 7 to 5 or 9 to 5 on its number, and it stays up; lost on 7; all 36 throws."""
    wager = f"place_{number}"
    for throw in THROWS:
        table, events = dealt(another(number), f"bet {wager} {stake}", f"roll {throw}")
        if total(throw) == number:
            paid = only(events, WagerWon, wager=wager)
            assert (paid.won, paid.clause, up(table)) == (win * 100, clause, {wager: stake})
            assert (str(paid.price), paid.rounding) == (price, None)
        assert gain(table) == {number: win, 7: -stake}.get(total(throw), 0)


# --- Buy and lay bets -----------------------------------------------------------------------------------------------

BOUGHT = {4: (20, 40), 5: (20, 30), 6: (20, 24), 8: (20, 24), 9: (20, 30), 10: (20, 40)}
LAID = {4: (40, 20), 5: (30, 20), 6: (24, 20), 8: (24, 20), 9: (30, 20), 10: (40, 20)}
"""Stake and win of a Buy and of a Buy Lay, by number."""


@pytest.mark.clause("fire-bonus:BUY-LAY.1")
@pytest.mark.parametrize("kind", ["buy", "lay"])
@pytest.mark.parametrize("number", POINTS)
def test_buy_and_lay_need_no_flat_bet_and_no_roll(kind: str, number: int) -> None:
    """They go straight on any box number, whenever the player likes: at the opening, on a come-out, on a point."""
    wager = f"{kind}_{number}"
    for lines in ((), ("roll 6-1",), (another(number),), (f"roll {MADE[number]}",)):
        table, _ = dealt(*lines)
        assert only(play(table, f"bet {wager} 40"), WagerUp).clause == "fire-bonus:BUY-LAY.1"
        assert up(table) == {wager: 40}
        for other in (2, 3, 7, 11, 12):
            assert refused(table, f"bet {kind}_{other} 40").code == "wager.not_offered"


@pytest.mark.clause("fire-bonus:BUY-LAY.2")
@pytest.mark.parametrize(("stake", "charge"), [(20, 1), (40, 2), (100, 5), (59, 2), (1, 1), (1000, 50)])
def test_a_buy_costs_five_percent_of_the_amount_placed(stake: int, charge: int) -> None:
    """Paid with the bet: $20 on 4 costs $1 more; a 4 nets +$39 and a 7 -$21 for one decision."""
    bet = ("roll 4-4", f"bet buy_4 {stake}")
    table, events = dealt(*bet)
    assert (only(events, WagerUp).commission, rail(table)) == (charge * 100, 10_000 - stake - charge)
    assert net(*bet, "roll 3-1", "take buy_4") == 2 * stake - charge
    assert net(*bet, "roll 4-3") == -stake - charge
    terms = FIRE_BONUS.spots["buy_4"].rule.commission
    assert terms is not None
    assert (terms.rate.clause, terms.of.clause) == ("fire-bonus:BUY-LAY.2", "fire-bonus:BUY-LAY.2")


@pytest.mark.clause("fire-bonus:BUY-LAY.2")
def test_a_buy_that_stays_up_is_charged_for_its_next_decision() -> None:
    """After a win the next 5% come out of the winnings, and go back if the bet comes down first."""
    table, events = dealt("roll 4-4", "bet buy_4 20", "roll 3-1")
    paid = only(events, WagerWon, wager="buy_4")
    assert (paid.won, paid.commission, gain(table)) == (40_00, 1_00, 38)
    assert only(play(table, "take buy_4"), WagerDown).refund == 1_00


@pytest.mark.clause("fire-bonus:BUY-LAY.3")
@pytest.mark.parametrize(
    ("number", "stake", "win", "charge"),
    [(4, 40, 20, 1), (4, 78, 39, 1), (4, 200, 100, 5), (9, 60, 40, 2), (6, 240, 200, 10), (5, 9, 6, 1)],
)
def test_a_lay_costs_five_percent_of_what_it_wins(number: int, stake: int, win: int, charge: int) -> None:
    """Nothing in front and nothing on a loss: $40 against 4 wins $20 less $1 on 7, and loses $40 on 4."""
    bet = f"bet lay_{number} {stake}"
    table, events = dealt(bet)
    assert (only(events, WagerUp).commission, rail(table)) == (0, 10_000 - stake)
    paid = only(play(table, "2 bet pass 5", "roll 4-3"), WagerWon, wager=f"lay_{number}")
    assert (paid.won, paid.commission) == (win * 100, charge * 100)
    assert gain(table) == win - charge
    assert net(bet, f"roll {MADE[number]}") == -stake
    assert net(bet, f"take lay_{number}") == 0
    terms = FIRE_BONUS.spots[f"lay_{number}"].rule.commission
    assert terms is not None
    assert (terms.rate.clause, terms.of.clause) == ("fire-bonus:BUY-LAY.3", "fire-bonus:BUY-LAY.3")


@pytest.mark.clause("fire-bonus:BUY-LAY.4")
@pytest.mark.parametrize("number", POINTS)
def test_a_buy_is_its_number_before_a_seven(number: int) -> None:
    """With a point on, all 36 throws: its number wins and it stays up, a 7 takes it, the rest leaves it."""
    (stake, win), wager = BOUGHT[number], f"buy_{number}"
    for throw in THROWS:
        table, events = dealt(another(number), f"bet {wager} {stake}", f"roll {throw}")
        if total(throw) in (number, 7):
            assert ruling(events, wager) == "fire-bonus:BUY-LAY.4"
        if total(throw) == number:
            assert (only(events, WagerWon, wager=wager).won, up(table)) == (win * 100, {wager: stake})
        else:
            assert gain(table) == (-stake - 1 if total(throw) == 7 else -1)


@pytest.mark.clause("fire-bonus:BUY-LAY.5")
@pytest.mark.parametrize("number", POINTS)
@pytest.mark.parametrize("puck", ["on", "off"])
def test_a_lay_is_a_seven_before_its_number(number: int, puck: str) -> None:
    """On a come-out and on a point, all 36 throws: a 7 wins and it stays up, its number takes it."""
    (stake, win), wager = LAID[number], f"lay_{number}"
    first = [another(number)] if puck == "on" else []
    for throw in THROWS:
        table, events = dealt(*first, f"bet {wager} {stake}", f"roll {throw}")
        if total(throw) in (number, 7):
            assert ruling(events, wager) == "fire-bonus:BUY-LAY.5"
        assert gain(table) == {7: win - 1, number: -stake}.get(total(throw), 0)
        assert up(table) == ({} if total(throw) == number else {wager: stake})


@pytest.mark.clause("fire-bonus:BUY-LAY.6")
@pytest.mark.parametrize("number", POINTS)
def test_buy_and_lay_pay_the_odds_prices(number: int) -> None:
    """Buy 2 to 1, 3 to 2, 6 to 5; lay 1 to 2, 2 to 3, 5 to 6: as the odds behind a flat bet."""
    buy, lay = ((f"bet {kind}_{number} {pair[number][0]}",) for kind, pair in (("buy", BOUGHT), ("lay", LAID)))
    _, events = dealt(another(number), *buy, f"roll {MADE[number]}")
    bought = only(events, WagerWon, wager=f"buy_{number}")
    _, events = dealt(another(number), *lay, "roll 4-3")
    laid = only(events, WagerWon, wager=f"lay_{number}")
    assert (bought.won, laid.won) == (BOUGHT[number][1] * 100, LAID[number][1] * 100)
    assert (bought.clause, laid.clause) == ("fire-bonus:BUY-LAY.6", "fire-bonus:BUY-LAY.6")
    flat = ("bet pass 10", f"roll {MADE[number]}", f"bet pass_odds {BOUGHT[number][0]}", f"roll {MADE[number]}")
    _, events = dealt(*flat)
    assert only(events, WagerWon, wager="pass_odds").price == bought.price
    flat = ("bet dont_pass 10", f"roll {MADE[number]}", f"bet dont_pass_odds {LAID[number][0]}", "roll 4-3")
    _, events = dealt(*flat)
    assert only(events, WagerWon, wager="dont_pass_odds").price == laid.price


# --- Big 6 and Big 8 ------------------------------------------------------------------------------------------------


@pytest.mark.clause("fire-bonus:BIG.1")
@pytest.mark.parametrize("number", [6, 8])
@pytest.mark.parametrize("first", [(), ("roll 5-4",)], ids=["come-out", "point on"])
def test_a_big_number_is_itself_before_a_seven(number: int, first: tuple[str, ...]) -> None:
    """Two bets, each its own number against a 7, on a come-out too; the other one's number is no decision."""
    wager = f"big_{number}"
    for throw in THROWS:
        table, events = dealt(*first, f"bet {wager} 5", f"roll {throw}")
        if total(throw) in (number, 7):
            assert ruling(events, wager) == "fire-bonus:BIG.1"
        assert gain(table) == {number: 5, 7: -5}.get(total(throw), 0)
        assert up(table) == ({} if total(throw) == 7 else {wager: 5})


@pytest.mark.clause("fire-bonus:BIG.2")
@pytest.mark.parametrize(("number", "throw"), [(6, "5-1"), (6, "3-3"), (8, "6-2"), (8, "4-4")])
def test_a_big_number_pays_even_money(number: int, throw: str) -> None:
    """Hard or easy, $5 wins $5."""
    _, events = dealt("roll 5-4", f"bet big_{number} 5", f"roll {throw}")
    paid = only(events, WagerWon, wager=f"big_{number}")
    assert (paid.won, str(paid.price), paid.clause) == (5_00, "1 to 1", "fire-bonus:BIG.2")


@pytest.mark.clause("fire-bonus:BIG.3")
@pytest.mark.parametrize("wager", ["big_6", "big_8"])
@pytest.mark.parametrize("first", [(), ("roll 6-1",), ("roll 5-4",), ("roll 4-2",)])
def test_a_big_number_goes_up_and_comes_down_at_any_time(wager: str, first: tuple[str, ...]) -> None:
    """On a come-out and on a point, whole or in part, before a decision and after a win."""
    table, events = dealt(*first, f"bet {wager} 10")
    assert only(events, WagerUp).clause == "fire-bonus:BIG.3"
    assert only(play(table, f"take {wager} 5"), WagerDown).clause == "fire-bonus:BIG.3"
    play(table, f"take {wager}")
    assert (rail(table), up(table)) == (10_000, {})


@pytest.mark.clause("fire-bonus:BIG.4")
@pytest.mark.parametrize("wager", ["big_6", "big_8"])
def test_the_player_sets_the_chips_of_a_big_number(wager: str) -> None:
    """No dealer books it: chips set down by the player are a bet and are decided like one."""
    table = at("bet pass 10", "roll 5-4")
    play(table, f"bet {wager} 5 self")
    assert up(table) == {"pass": 10, wager: 5}
    play(table, f"roll {MADE[int(wager[-1])]}")
    assert gain(table) == 5
    assert equipment("big_set_by") == ("player", "fire-bonus:BIG.4")
