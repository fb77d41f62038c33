"""Rules 6 and 7: what every wager pays, how a win is rounded, and what a Buy Bet costs."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from passline.engine.events import WagerDown, WagerUp, WagerWon
from passline.errors import ArgumentError, HouseFileError
from passline.house import House
from passline.table import Table
from tests.clauses.table_helpers import altered, case, dealt, gain, net, only, play, rail, up

if TYPE_CHECKING:
    from pathlib import Path

PASS, DONT = ("bet pass 10",), ("bet dont_pass 10",)
POINTS = {4: "roll 3-1", 5: "roll 4-1", 6: "roll 5-1", 8: "roll 5-3", 9: "roll 5-4", 10: "roll 6-4"}


def paid(clause: str, wager: str, price: str, *lines: str, stake: int, won: int) -> None:
    """The last line pays the wager this much at this price, by this clause."""
    table, events = dealt("adelaide", *lines)
    event = only(events, WagerWon, wager=wager, seat=1)
    assert (str(event.price), event.clause) == (price, clause)
    assert (event.stake, event.won) == (stake * 100, won * 100)
    assert event.rounding is None
    assert table.state.chips == table.state.bought


# --- Line and odds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "wager", "lines"),
    [
        case("adelaide:6(c).pass", "pass", (*PASS, "roll 6-5")),
        case("adelaide:6(c).pass", "pass", (*PASS, "roll 2-2", "roll 3-1")),
        case("adelaide:6(c).dont-pass", "dont_pass", (*DONT, "roll 1-2")),
        case("adelaide:6(c).dont-pass", "dont_pass", (*DONT, "roll 2-2", "roll 6-1")),
        case("adelaide:6(c).come", "come", ("roll 4-4", "bet come 10", "roll 6-5")),
        case("adelaide:6(c).come", "come_4", ("roll 4-4", "bet come 10", "roll 2-2", "roll 3-1")),
        case("adelaide:6(c).dont-come", "dont_come", ("roll 4-4", "bet dont_come 10", "roll 1-1")),
        case("adelaide:6(c).dont-come", "dont_come_4", ("roll 4-4", "bet dont_come 10", "roll 2-2", "roll 6-1")),
    ],
)
def test_flat_bets_pay_even_money(clause: str, wager: str, lines: tuple[str, ...]) -> None:
    """Pass, Don't Pass, Come and Don't Come pay 1 to 1, on the first roll and on their point."""
    paid(clause, wager, "1 to 1", *lines, stake=10, won=10)


TAKEN = {4: (20, 40, "2 to 1"), 5: (20, 30, "3 to 2"), 6: (25, 30, "6 to 5")}
LAID = {4: (20, 10, "1 to 2"), 5: (30, 20, "2 to 3"), 6: (24, 20, "5 to 6")}
"""Stake, win and price of odds, by the point or its twin across the seven."""

PAIRS = {"4-10": (4, 10), "5-9": (5, 9), "6-8": (6, 8)}


@pytest.mark.parametrize(
    ("clause", "number"), [case(f"adelaide:6(c).pass-odds-{pair}", n) for pair, both in PAIRS.items() for n in both]
)
def test_odds_behind_pass(clause: str, number: int) -> None:
    """Taken odds pay 2 to 1 on 4 and 10, 3 to 2 on 5 and 9, 6 to 5 on 6 and 8."""
    stake, won, price = TAKEN[min(number, 14 - number)]
    lines = (*PASS, POINTS[number], f"bet pass_odds {stake}", POINTS[number])
    paid(clause, "pass_odds", price, *lines, stake=stake, won=won)


@pytest.mark.parametrize(
    ("clause", "number"),
    [case(f"adelaide:6(c).dont-pass-odds-{pair}", n) for pair, both in PAIRS.items() for n in both],
)
def test_odds_behind_dont_pass(clause: str, number: int) -> None:
    """Laid odds pay 1 to 2 on 4 and 10, 2 to 3 on 5 and 9, 5 to 6 on 6 and 8."""
    stake, won, price = LAID[min(number, 14 - number)]
    lines = (*DONT, POINTS[number], f"bet dont_pass_odds {stake}", "roll 5-2")
    paid(clause, "dont_pass_odds", price, *lines, stake=stake, won=won)


def another(number: int) -> str:
    """A come-out that puts the puck on another number."""
    return "roll 4-4" if number != 8 else "roll 3-3"


@pytest.mark.parametrize(
    ("clause", "number"), [case(f"adelaide:6(c).come-odds-{pair}", n) for pair, both in PAIRS.items() for n in both]
)
def test_come_odds(clause: str, number: int) -> None:
    """Come odds that work pay as odds behind Pass do."""
    stake, won, price = TAKEN[min(number, 14 - number)]
    lines = (another(number), "bet come 10", POINTS[number], f"bet come_odds_{number} {stake}", POINTS[number])
    paid(clause, f"come_odds_{number}", price, *lines, stake=stake, won=won)


@pytest.mark.parametrize(
    ("clause", "number"),
    [case(f"adelaide:6(c).dont-come-odds-{pair}", n) for pair, both in PAIRS.items() for n in both],
)
def test_odds_behind_dont_come(clause: str, number: int) -> None:
    """Odds laid behind Don't Come pay as odds laid behind Don't Pass do."""
    stake, won, price = LAID[min(number, 14 - number)]
    lines = (another(number), "bet dont_come 10", POINTS[number], f"bet dont_come_odds_{number} {stake}", "roll 6-1")
    paid(clause, f"dont_come_odds_{number}", price, *lines, stake=stake, won=won)


# --- Numbers, hardways, one roll ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "number", "stake", "won", "price"),
    [
        case("adelaide:6(c).place-4", 4, 5, 9, "9 to 5"),
        case("adelaide:6(c).place-5", 5, 5, 7, "7 to 5"),
        case("adelaide:6(c).place-6", 6, 6, 7, "7 to 6"),
        case("adelaide:6(c).place-8", 8, 6, 7, "7 to 6"),
        case("adelaide:6(c).place-9", 9, 5, 7, "7 to 5"),
        case("adelaide:6(c).place-10", 10, 5, 9, "9 to 5"),
    ],
)
def test_place_to_win(clause: str, number: int, stake: int, won: int, price: str) -> None:
    """With the puck on another number."""
    lines = (another(number), f"bet place_{number} {stake}", POINTS[number])
    paid(clause, f"place_{number}", price, *lines, stake=stake, won=won)


@pytest.mark.parametrize(
    ("clause", "number", "stake", "won", "price"),
    [
        case("adelaide:6(c).place-lose-4", 4, 11, 5, "5 to 11"),
        case("adelaide:6(c).place-lose-5", 5, 8, 5, "5 to 8"),
        case("adelaide:6(c).place-lose-6", 6, 5, 4, "4 to 5"),
        case("adelaide:6(c).place-lose-8", 8, 5, 4, "4 to 5"),
        case("adelaide:6(c).place-lose-9", 9, 8, 5, "5 to 8"),
        case("adelaide:6(c).place-lose-10", 10, 11, 5, "5 to 11"),
    ],
)
def test_place_to_lose(clause: str, number: int, stake: int, won: int, price: str) -> None:
    """A 7 pays it."""
    paid(clause, f"place_lose_{number}", price, f"bet place_lose_{number} {stake}", "roll 6-1", stake=stake, won=won)


@pytest.mark.parametrize(
    ("clause", "number", "won", "price"),
    [
        case("adelaide:6(c).hard-4", 4, 35, "7 to 1"),
        case("adelaide:6(c).hard-6", 6, 45, "9 to 1"),
        case("adelaide:6(c).hard-8", 8, 45, "9 to 1"),
        case("adelaide:6(c).hard-10", 10, 35, "7 to 1"),
    ],
)
def test_hardways(clause: str, number: int, won: int, price: str) -> None:
    """The pair pays a hardway that works."""
    lines = ("roll 5-4", f"bet hard_{number} 5", f"roll {number // 2}-{number // 2}")
    paid(clause, f"hard_{number}", price, *lines, stake=5, won=won)


@pytest.mark.parametrize(
    ("clause", "wager", "stake", "won", "price", "throws"),
    [
        case("adelaide:6(c).field-single", "field", 10, 10, "1 to 1", ("1-2", "3-1", "5-4", "6-4", "6-5")),
        case("adelaide:6(c).field-double", "field", 10, 20, "2 to 1", ("1-1", "6-6")),
        case("adelaide:6(c).any-seven", "any_seven", 5, 20, "4 to 1", ("5-2", "6-1", "4-3")),
        case("adelaide:6(c).any-craps", "any_craps", 5, 35, "7 to 1", ("1-1", "1-2", "6-6")),
        case("adelaide:6(c).craps-2", "craps_2", 1, 32, "32 to 1", ("1-1",)),
        case("adelaide:6(c).craps-3", "craps_3", 1, 15, "15 to 1", ("2-1", "1-2")),
        case("adelaide:6(c).craps-12", "craps_12", 1, 32, "32 to 1", ("6-6",)),
        case("adelaide:6(c).eleven", "eleven", 1, 15, "15 to 1", ("6-5", "5-6")),
        case("adelaide:6(c).big-6", "big_6", 5, 5, "1 to 1", ("5-1", "3-3")),
        case("adelaide:6(c).big-8", "big_8", 5, 5, "1 to 1", ("4-4", "6-2")),
    ],
)
def test_one_roll_wagers_and_big_numbers(
    *, clause: str, wager: str, stake: int, won: int, price: str, throws: tuple[str, ...]
) -> None:
    """Each throw that wins pays the listed price."""
    for throw in throws:
        paid(clause, wager, price, f"bet {wager} {stake}", f"roll {throw}", stake=stake, won=won)


# --- Split wagers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "wager", "stake", "price", "throws", "change"),
    [
        case("adelaide:6(c).horn-2-12", "horn", 4, "32 to 1", ("1-1", "6-6"), 32 - 3),
        case("adelaide:6(c).horn-3-11", "horn", 4, "15 to 1", ("1-2", "6-5"), 15 - 3),
        case("adelaide:6(c).world-2-12", "world", 5, "32 to 1", ("1-1", "6-6"), 32 - 4),
        case("adelaide:6(c).world-3-11", "world", 5, "15 to 1", ("1-2", "6-5"), 15 - 4),
        case("adelaide:6(c).world-7", "world", 5, "4 to 1", ("4-3",), 4 - 4),
        case("adelaide:6(c).craps-eleven-craps", "craps_eleven", 2, "7 to 1", ("1-1", "1-2", "6-6"), 7 - 1),
        case("adelaide:6(c).craps-eleven-11", "craps_eleven", 2, "15 to 1", ("6-5",), 15 - 1),
    ],
)
def test_a_split_wager_is_paid_on_the_part_that_won(
    *, clause: str, wager: str, stake: int, price: str, throws: tuple[str, ...], change: int
) -> None:
    """The winning part is paid at its price; the other parts are lost."""
    for throw in throws:
        table, events = dealt("adelaide", f"bet {wager} {stake}", f"roll {throw}")
        event = only(events, WagerWon, wager=wager)
        assert (str(event.price), event.clause) == (price, clause)
        assert (gain(table), up(table)) == (change, {})


@pytest.mark.parametrize(
    ("clause", "wager", "stake", "throw", "won", "lost"),
    [
        case("adelaide:6(c).horn-quarter", "horn", 20, "6-5", 75, 15),
        case("adelaide:6(c).world-fifth", "world", 25, "6-6", 160, 20),
        case("adelaide:6(c).craps-eleven-half", "craps_eleven", 10, "6-5", 75, 5),
    ],
)
def test_the_price_is_for_one_equal_part_of_the_stake(
    *, clause: str, wager: str, stake: int, throw: str, won: int, lost: int
) -> None:
    """A quarter of a Horn, a fifth of a World and half of a Craps Eleven are paid; the rest of the stake is lost."""
    table, events = dealt("adelaide", f"bet {wager} {stake}", f"roll {throw}")
    event = only(events, WagerWon, wager=wager)
    assert (event.won, event.lost, event.returned) == (won * 100, lost * 100, (stake - lost) * 100)
    assert gain(table) == won - lost
    parts = getattr(House("adelaide").spots[wager].rule.terms, "parts", None)
    assert parts is not None
    assert parts.clause == clause


# --- Below, above, and what chips cannot pay ------------------------------------------------------------------------


@pytest.mark.clause("adelaide:6(b).1")
@pytest.mark.parametrize(
    ("listed", "lower"),
    [
        ('6 = ["7:6", "6(c).place-6"]', '6 = ["1:1", "6(c).place-6"]'),
        ('pays = { 2 = ["32:1", "6(c).craps-2"] }', 'pays = { 2 = ["30:1", "6(c).craps-2"] }'),
    ],
)
def test_no_winner_is_paid_below_the_listed_odds(tmp_path: Path, listed: str, lower: str) -> None:
    """An adelaide whose file pays less than the book lists does not open."""
    with pytest.raises(HouseFileError, match=r"6\(b\)\.1"):
        House(altered("adelaide", tmp_path, listed, lower))


@pytest.mark.clause("adelaide:6(b).2")
def test_the_house_may_pay_better_at_all_its_tables(tmp_path: Path) -> None:
    """Craps Two at 33 to 1 is the house's to give, to every table; a table's own sign cannot change a price."""
    better = altered("adelaide", tmp_path, '["32:1", "6(c).craps-2"]', '["33:1", "6(b).2"]')
    for notice in ("min=1", "min=1 odds=3"):
        assert net(better, "bet craps_2 1", "roll 1-1", notice=notice) == 33
    for notice in ("craps_2=33:1", "pays=33", "prices"):
        with pytest.raises(ArgumentError):
            Table("adelaide", notice=notice)
    overrides = House("adelaide").book.money.price_overrides
    assert (overrides.value, overrides.clause) == ("upward", "adelaide:6(b).2")


@pytest.mark.clause("adelaide:6(d)")
@pytest.mark.parametrize(
    ("bet", "roll", "exact", "chips", "won"),
    [
        ("place_6 10", "roll 4-2", "3500/3", [1], 12),
        ("place_6 10", "roll 4-2", "3500/3", [5], 15),
        ("place_5 7", "roll 3-2", "980", [1], 10),
        ("place_lose_4 1", "roll 6-1", "500/11", [1], 1),
    ],
)
def test_a_win_that_chips_cannot_make_goes_up(bet: str, roll: str, exact: str, chips: list[int], won: int) -> None:
    """The float cannot pay $11.67: with dollar chips the player gets $12, with $5 chips $15."""
    lines = ("roll 4-4", f"bet {bet}", roll)
    _, events = dealt("adelaide", *lines, chips=chips, notice=f"min={min(chips)}")
    event = only(events, WagerWon, seat=1)
    assert (event.won, event.rounding, event.exact) == (won * 100, "up", Fraction(exact))
    assert event.note == "adelaide:6(d)"


@pytest.mark.clause("adelaide:6(d)")
def test_a_win_that_chips_can_make_is_paid_exactly() -> None:
    """$9.80 is paid to the cent where the float has 20-cent chips."""
    _, events = dealt("adelaide", "roll 4-4", "bet place_5 7", "roll 3-2", chips=["0.20", 1])
    event = only(events, WagerWon, seat=1)
    assert (event.won, event.rounding) == (9_80, None)


# --- Buy bets -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:7(a).1")
def test_a_buy_bet_takes_true_odds_in_place_of_the_place_price() -> None:
    """On the 4, $20 wins $40 bought and $36 placed; against it, $44 wins $22 bought and $20 placed."""
    for wager, bet, roll, won in (
        ("buy_4", "bet buy_4 20", "roll 3-1", 40),
        ("place_4", "bet place_4 20", "roll 3-1", 36),
        ("lay_4", "bet lay_4 44", "roll 6-1", 22),
        ("place_lose_4", "bet place_lose_4 44", "roll 6-1", 20),
    ):
        _, events = dealt("adelaide", "roll 4-4", bet, roll)
        assert only(events, WagerWon, wager=wager).won == won * 100
    _, events = dealt("adelaide", "bet buy_4 20")
    assert only(events, WagerUp).clause == "adelaide:7(a).1"


@pytest.mark.clause("adelaide:7(a).2")
def test_the_charge_is_paid_with_the_bet() -> None:
    """Buy 4 for $20 takes $21 off the rail at once, Buy 4 to Lose for $40 takes $41; no rail, no bet."""
    table, events = dealt("adelaide", "bet buy_4 20")
    assert (rail(table), only(events, WagerUp).commission) == (10_000 - 21, 1_00)
    table, _ = dealt("adelaide", "bet lay_4 40")
    assert rail(table) == 10_000 - 41
    charge = House("adelaide").spots["buy_4"].rule.commission
    assert charge is not None
    assert charge.when.clause == "adelaide:7(a).2"


@pytest.mark.clause("adelaide:7(a).3")
@pytest.mark.parametrize(("stake", "charge"), [(20, 1), (40, 2), (100, 5), (59, 2), (1, 1), (1000, 50)])
def test_buy_to_win_costs_five_percent_of_the_stake(stake: int, charge: int) -> None:
    """One charge for one decision: $40 on the 10 nets +$78 if it wins and -$42 if it loses (whole chips, X-13)."""
    bet = ("roll 4-4", f"bet buy_10 {stake}")
    assert net("adelaide", *bet) == -charge
    assert net("adelaide", *bet, "roll 6-4", "take buy_10") == 2 * stake - charge
    assert net("adelaide", *bet, "roll 6-1") == -stake - charge
    terms = House("adelaide").spots["buy_10"].rule.commission
    assert terms is not None
    assert (terms.rate.clause, terms.of.clause) == ("adelaide:7(a).3", "adelaide:7(a).3")


@pytest.mark.clause("adelaide:7(a).4")
@pytest.mark.parametrize(
    ("number", "stake", "win", "charge"), [(4, 40, 20, 1), (4, 200, 100, 5), (9, 60, 40, 2), (6, 240, 200, 10)]
)
def test_buy_to_lose_costs_five_percent_of_what_it_can_win(number: int, stake: int, win: int, charge: int) -> None:
    """Against the 4, $40 can win $20 and costs $1: net +$19 on the 7, -$41 on the 4."""
    bet = f"bet lay_{number} {stake}"
    assert net("adelaide", bet) == -charge
    assert net("adelaide", bet, "roll 6-1", f"take lay_{number}") == win - charge
    assert net("adelaide", bet, POINTS[number]) == -stake - charge
    terms = House("adelaide").spots[f"lay_{number}"].rule.commission
    assert terms is not None
    assert (terms.rate.clause, terms.of.clause) == ("adelaide:7(a).4", "adelaide:7(a).4")


@pytest.mark.clause("adelaide:7(b)")
@pytest.mark.parametrize("number", POINTS)
def test_buy_bets_pay_the_odds_prices(number: int) -> None:
    """To Win as odds behind Pass: 2 to 1, 3 to 2, 6 to 5; to Lose as laid odds: 1 to 2, 2 to 3, 5 to 6."""
    stake, won, price = TAKEN[min(number, 14 - number)]
    lines = (another(number), f"bet buy_{number} {stake}", POINTS[number])
    paid("adelaide:7(b)", f"buy_{number}", price, *lines, stake=stake, won=won)
    stake, won, price = LAID[min(number, 14 - number)]
    lines = (another(number), f"bet lay_{number} {stake}", "roll 6-1")
    paid("adelaide:7(b)", f"lay_{number}", price, *lines, stake=stake, won=won)


@pytest.mark.clause("adelaide:7(c)")
@pytest.mark.parametrize(("wager", "stake"), [("buy_4", 20), ("lay_4", 40)])
def test_the_charge_goes_back_when_a_buy_bet_comes_down(wager: str, stake: int) -> None:
    """Both kinds: stake and charge come back before a decision; half the bet brings half the charge."""
    table, events = dealt("adelaide", f"bet {wager} {stake}", f"take {wager}")
    assert (only(events, WagerDown).refund, rail(table)) == (1_00, 10_000)
    table, events = dealt("adelaide", f"bet {wager} {stake * 4}", f"take {wager} {stake * 2}")
    assert (only(events, WagerDown).refund, rail(table)) == (2_00, 10_000 - stake * 2 - 2)
    play(table, f"take {wager}")
    assert rail(table) == 10_000
    terms = House("adelaide").spots[wager].rule.commission
    assert terms is not None
    assert terms.refund.clause == "adelaide:7(c)"
