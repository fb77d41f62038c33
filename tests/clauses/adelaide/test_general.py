"""Rules 1 and 14: what the words mean, and what holds for every bet."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from passline.engine.events import (
    DiceSent,
    DiceThrown,
    PlayerWarned,
    PuckTurned,
    SevenOut,
    WagerLost,
    WagerPushed,
    WagerReturned,
    WagerTravelled,
    WagerUp,
    WagerWon,
)
from passline.engine.values import ClauseId
from passline.errors import HouseFileError
from passline.house import House
from tests.clauses.table_helpers import (
    THROWS,
    altered,
    dealt,
    every,
    gain,
    game,
    net,
    only,
    play,
    rail,
    refused,
    total,
    up,
)
from tests.tables import cases

if TYPE_CHECKING:
    from pathlib import Path

BOX_NUMBERS = (4, 5, 6, 8, 9, 10)
POINT_6 = "roll 3-3"


# --- Rule 1: the words ----------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:1")
def test_the_terms_of_rule_1_are_those_the_book_defines() -> None:
    """Eight terms govern the book, and each leads to its meaning in rule 1."""
    terms = House("adelaide").book.about["terms"]
    assert terms.clause == "adelaide:1"
    assert isinstance(terms.value, tuple)
    assert set(terms.value) == {
        *("come-out point", "come-out roll", "come point", "7 out", "total", "roll", "shooter", "void"),
    }
    for term in terms.value:
        name = term.replace(" ", "-") + (".1" if term == "come-out roll" else "")
        assert term.replace("-", " ") in House("adelaide").clause(f"1.{name}").sentence.lower().replace("-", " ")


@pytest.mark.clause("adelaide:1.come-out-point")
@pytest.mark.parametrize("throw", THROWS)
def test_a_come_out_sets_a_point_on_the_box_numbers_only(throw: str) -> None:
    """4, 5, 6, 8, 9 and 10 set the point; on any other total the next roll is a come-out again."""
    table, events = dealt("adelaide", f"roll {throw}")
    point = total(throw) if total(throw) in BOX_NUMBERS else None
    assert table.puck == point
    assert every(events, PuckTurned) == ([PuckTurned(point, ClauseId("adelaide:1.come-out-point"))] if point else [])


@pytest.mark.clause("adelaide:1.come-out-roll.1")
def test_the_first_roll_of_a_game_is_a_come_out() -> None:
    """A new table has no point: its first roll decides Pass by 7 or sets one, and a void throw before it counts not."""
    _, events = dealt("adelaide", "bet pass 10", "roll 6-1")
    assert only(events, DiceThrown).puck == 0
    assert only(events, WagerWon, wager="pass").rule == "adelaide:4(a).win(i)"
    _, events = dealt("adelaide", "bet pass 10", "throw 4-4 stacked", "roll 4-4")
    assert (only(events, DiceThrown).puck, only(events, PuckTurned).to) == (0, 8)


@pytest.mark.clause("adelaide:1.come-out-roll.2")
@pytest.mark.parametrize(
    "lines", [("roll 6-1",), ("roll 6-5",), ("roll 1-1",), ("roll 6-6",), (POINT_6, "roll 4-2"), (POINT_6, "roll 6-1")]
)
def test_the_roll_after_the_line_is_decided_is_a_come_out(lines: tuple[str, ...]) -> None:
    """After a natural, craps, a point made or a seven out the next 7 is a come-out 7 and pays Pass."""
    table, events = dealt("adelaide", "2 bet pass 10", "2 bet dont_pass 10", *lines, "bet pass 10", "roll 5-2")
    assert only(events, DiceThrown).puck == 0
    assert gain(table) == 10


@pytest.mark.clause("adelaide:1.come-out-roll.2")
def test_a_roll_that_does_not_decide_the_line_is_no_new_come_out() -> None:
    """With the point 6 on, an 8 sets no point and an 11 pays no Pass Bet."""
    table, events = dealt("adelaide", "bet pass 10", POINT_6, "roll 4-4")
    assert (table.puck, every(events, PuckTurned)) == (6, [])
    assert net("adelaide", "bet pass 10", POINT_6, "roll 6-5") == 0


@pytest.mark.clause("adelaide:1.come-point")
@pytest.mark.parametrize("kind", ["come", "dont_come"])
@pytest.mark.parametrize("throw", ["2-2", "3-2", "4-2", "4-4", "4-5", "6-4"])
def test_the_come_point_is_the_box_number_rolled_next(kind: str, throw: str) -> None:
    """Point 8; a come bet; the number of the next roll is its come point, the 8 included."""
    table, events = dealt("adelaide", "roll 5-3", f"bet {kind} 10", f"roll {throw}")
    moved = only(events, WagerTravelled)
    assert moved.to == f"{kind}_{total(throw)}"
    assert up(table) == {f"{kind}_{total(throw)}": 10}


@pytest.mark.clause("adelaide:1.7-out")
def test_a_seven_out_is_a_seven_with_a_point_on() -> None:
    """A come-out 7 is none, nor is a 7 after the point was made; 4-4 and then 5-2 is."""
    for lines in (("roll 6-1",), ("roll 4-4", "roll 4-4", "roll 6-1")):
        table, events = dealt("adelaide", "2 bet pass 10", *lines)
        assert (every(events, SevenOut), table.shooter) == ([], 2)
    table, events = dealt("adelaide", "2 bet pass 10", "roll 4-4", "roll 5-2")
    assert (only(events, SevenOut).shooter, table.shooter, table.puck) == (2, None, None)


@pytest.mark.clause("adelaide:1.total")
@pytest.mark.parametrize("throw", THROWS)
def test_the_total_is_the_sum_of_the_upper_faces(throw: str) -> None:
    """6 and 3 are 9."""
    _, events = dealt("adelaide", f"roll {throw}")
    thrown = only(events, DiceThrown)
    assert (f"{thrown.first}-{thrown.second}", thrown.total) == (throw, thrown.first + thrown.second)


@pytest.mark.clause("adelaide:1.roll")
def test_a_roll_is_a_throw_by_the_shooter() -> None:
    """Where no shooter may throw nobody else does it: there is no roll, and the bets wait."""
    table = game("adelaide", seats=2)
    play(table, "bet field 10", "2 bet place_6 12")
    assert refused(table, "roll 6-5").code == "dice.no_shooter"
    events = play(table, "2 bet pass 10", "roll 6-5")
    assert only(events, DiceThrown).thrower == table.shooter == 2


@pytest.mark.clause("adelaide:1.shooter")
def test_exactly_one_player_is_the_shooter_while_the_dice_are_out() -> None:
    """Of three line bettors one throws, and the dice are nobody else's until they rest."""
    table = game("adelaide", seats=3)
    play(table, *(f"{seat} bet pass 10" for seat in (1, 2, 3)), "2 shoot")
    assert only(play(table, "dice-out"), DiceSent).thrower == table.shooter == 2
    for seat in (1, 3):
        assert refused(table, f"{seat} shoot").code in {"phase.dice_out", "dice.held"}
        assert refused(table, f"{seat} pass-dice").code in {"phase.dice_out", "dice.not_held"}
    assert only(play(table, "roll 4-4"), DiceThrown).thrower == 2


@pytest.mark.clause("adelaide:1.void")
@pytest.mark.parametrize("lines", [("bet dont_pass 10",), (POINT_6, "bet dont_come 10")])
def test_a_void_bet_stands_off(lines: tuple[str, ...]) -> None:
    """It neither wins nor loses, and the stake is still the player's to take."""
    table, events = dealt("adelaide", *lines, "roll 6-6")
    pushed = only(events, WagerPushed)
    assert (gain(table), pushed.stake, pushed.stays) == (0, 10_00, True)
    play(table, f"take {pushed.wager}")
    assert rail(table) == 10_000


# --- Rule 14: every bet ---------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:14(b).1")
@pytest.mark.parametrize("line", ["take place_6", "take place_6 6", "bet place_6 6", "off place_6"])
def test_nobody_touches_bets_until_the_roll_is_settled(line: str) -> None:
    """From the throw until every bet is paid, and while a face is in dispute, chips stay where they are."""
    table, _ = dealt("adelaide", "roll 4-4", "bet place_6 12", "dice-out")
    assert refused(table, line).code == "phase.dice_out"
    play(table, "dispute 6")
    assert refused(table, line).code == "phase.disputed"
    play(table, "rule 6")
    play(table, line)


@pytest.mark.clause("adelaide:14(d)")
@cases("wager", [spot.key for spot in House("adelaide").wagers])
def test_no_bet_but_a_buy_bet_costs_more_than_its_stake(wager: str) -> None:
    """Putting a bet up moves the stake and nothing else, unless rule 7 charges for it."""
    flat = wager.partition("_odds")[0]
    number = next((n for n in BOX_NUMBERS if wager.endswith(f"_{n}")), 5)
    point, twin = f"roll {number // 2}-{number - number // 2}", "roll 4-4" if number != 8 else "roll 3-3"
    lines: tuple[str, ...] = ()
    if wager in {"pass_odds", "dont_pass_odds"}:
        lines = (f"bet {flat} 10", point)
    elif "come_odds" in wager:
        lines = (twin, f"bet {flat} 10", point)
    elif "come" in wager:
        lines = (twin,)
    table, events = dealt("adelaide", *lines, f"bet {wager} 20")
    charged = wager.startswith(("buy_", "lay_"))
    assert bool(only(events, WagerUp).commission) == charged
    assert (gain(table) < 0) == charged


@pytest.mark.clause("adelaide:14(d)")
@pytest.mark.parametrize("wager", ["place", "pass_odds", "hard", "place_lose"])
def test_a_house_that_charges_for_another_bet_does_not_open(tmp_path: Path, wager: str) -> None:
    """A fee on a bet that is not bought at true odds is a fault in the house file."""
    fee = {
        "rate": '"5%"',
        "of": '"stake"',
        "when": '"up front"',
        "rounding": '"down"',
        "minimum_chips": "1",
        "unit_chips": "1",
        "refund": "true",
        "recharge": "true",
    }
    charge = "\n".join(f'{name} = [{value}, "7(a).3"]' for name, value in fee.items())
    priced = f"[wager.{wager}.pays]"
    wrong = altered("adelaide", tmp_path, priced, f"[wager.{wager}.commission]\n{charge}\n{priced}")
    with pytest.raises(HouseFileError, match=r"14\(d\)"):
        House(wrong)


@pytest.mark.clause("adelaide:14(e)")
@pytest.mark.parametrize("wager", ["pass", "field", "place_6", "horn"])
def test_cash_is_not_bet(wager: str) -> None:
    """Whatever the bet and whoever would confirm it: buy chips first."""
    table = game("adelaide")
    for line in (f"bet {wager} 20 cash by nobody", f"bet {wager} 20 cash by dealer,boxman"):
        no = refused(table, line)
        assert (no.code, no.clause) == ("bet.cash", "adelaide:14(e)")
        assert "buy in" in no.message
    play(table, "buyin 20", f"bet {wager} 20")
    assert up(table) == {wager: 20}


@pytest.mark.clause("adelaide:14(f).1")
@pytest.mark.parametrize("throw", THROWS)
def test_every_bet_is_against_the_house(throw: str) -> None:
    """What players gain the bank loses, and a player's result is the same whoever bets the other way."""
    mine = ("bet pass 10", "bet field 10", "bet buy_4 20", "bet horn 4")
    alone, _ = dealt("adelaide", *mine, f"roll {throw}")
    against = ("2 bet dont_pass 50", "2 bet any_seven 5", "2 bet lay_4 40")
    table, _ = dealt("adelaide", *mine, *against, f"roll {throw}")
    assert gain(table) == gain(alone)
    held = sum(wager.held for seat in table.state.seats.values() for wager in seat.felt.values())
    assert table.state.bank + held == -100 * (gain(table, 1) + gain(table, 2))
    assert table.state.chips == 2 * 10_000_00


@pytest.mark.clause("adelaide:14(g).1")
@pytest.mark.parametrize(("throw", "change"), [("6-5", 3), ("1-2", -3)])
def test_a_bet_below_the_minimum_is_paid_or_collected(throw: str, change: int) -> None:
    """Minimum $5: asked for, Pass $3 is refused; found after the throw, it wins or loses $3."""
    table = game("adelaide", "min=5")
    no = refused(table, "bet pass 3")
    assert (no.code, no.clause) == ("bet.under_minimum", "adelaide:5(f).1")
    table, _ = dealt("adelaide", "found pass 3", f"roll {throw}", notice="min=5")
    assert (gain(table), up(table)) == (change, {})


@pytest.mark.clause("adelaide:14(g).2")
@pytest.mark.parametrize("throw", ["6-5", "1-2"])
def test_after_a_warning_bets_below_the_minimum_go_back(throw: str) -> None:
    """The first is settled and its owner warned; the second is given back whatever the dice show."""
    table, events = dealt("adelaide", "2 bet pass 5", "found pass 3", "roll 6-5", notice="min=5")
    assert [event.seat for event in events if isinstance(event, PlayerWarned)] == [1]
    before = gain(table)
    play(table, "2 bet pass 5", "found pass 3")
    events = play(table, f"roll {throw}")
    assert only(events, WagerReturned).stake == 3_00
    assert (gain(table), up(table), every(events, PlayerWarned)) == (before, {}, [])


@pytest.mark.clause("adelaide:14(g).2")
def test_a_warning_is_for_its_player_and_for_small_bets_only() -> None:
    """Another player's first small bet is settled, and the warned player's proper bet is too."""
    table, _ = dealt("adelaide", "found pass 3", "roll 6-5", "2 found pass 3", "bet pass 5", "roll 6-5", notice="min=5")
    assert (gain(table, 1), gain(table, 2)) == (3 + 5, 3)


@pytest.mark.clause("adelaide:14(g).3")
def test_a_bet_above_the_maximum_counts_up_to_the_maximum() -> None:
    """Maximum $100, Pass $150: asked for it is refused; found, it wins $100 and $150 back, or loses $100, $50 back."""
    table = game("adelaide", "max=100")
    no = refused(table, "bet pass 150")
    assert (no.code, no.clause) == ("bet.over_maximum", "adelaide:5(f).1")
    table, events = dealt("adelaide", "found pass 150", "roll 6-5", notice="max=100")
    won = only(events, WagerWon)
    assert (won.won, won.returned, won.note) == (100_00, 150_00, "adelaide:14(g).3")
    assert (gain(table), up(table)) == (100, {})
    table, events = dealt("adelaide", "found pass 150", "roll 1-2", notice="max=100")
    lost = only(events, WagerLost)
    assert (lost.stake, lost.returned, lost.note) == (100_00, 50_00, "adelaide:14(g).3")
    assert (gain(table), up(table)) == (-100, {})


@pytest.mark.clause("adelaide:14(g).3")
def test_the_cap_holds_for_every_part_of_a_split_bet() -> None:
    """Maximum $100, Horn $120 found: on 11 a quarter of $100 wins 15 to 1 and three quarters of $100 are lost."""
    assert net("adelaide", "found horn 120", "roll 6-5", notice="min=1 max=100") == 25 * 15 - 75
    assert net("adelaide", "found horn 120", "roll 4-4", notice="min=1 max=100") == -100


@pytest.mark.clause("adelaide:14(h).1")
def test_under_a_multiples_notice_an_odd_winner_is_paid_as_the_lower_multiple() -> None:
    """Multiples of $5, dollar chips: Place 5 for $7 would win $9.80, which cannot be paid, so $5 is paid: $7."""
    _, events = dealt("adelaide", "roll 4-4", "found place_5 7", "roll 3-2", notice="min=5 multiples")
    won = only(events, WagerWon, wager="place_5")
    assert (won.stake, won.won, won.note) == (5_00, 7_00, "adelaide:14(h).1")


@pytest.mark.clause("adelaide:14(h).1")
def test_under_a_multiples_notice_what_can_be_paid_is_paid_in_full() -> None:
    """With 20-cent chips $9.80 is payable; even money on $7 is too; and a proper multiple is never cut."""
    lines = ("roll 4-4", "found place_5 7", "roll 3-2")
    _, events = dealt("adelaide", *lines, notice="min=5 multiples", chips=["0.20", 1])
    assert only(events, WagerWon, wager="place_5").won == 9_80
    assert net("adelaide", "found field 7", "roll 5-4", notice="min=5 multiples") == 7
    assert net("adelaide", "roll 4-4", "found place_6 10", "roll 4-2", notice="min=5 multiples") == 12


@pytest.mark.clause("adelaide:14(h).2")
def test_without_such_a_notice_a_win_goes_up_to_what_can_be_paid() -> None:
    """Place 5 for $7 wins $9.80 and is paid $10."""
    for put in ("bet", "found"):
        _, events = dealt("adelaide", "roll 4-4", f"{put} place_5 7", "roll 3-2", notice="min=5")
        won = only(events, WagerWon, wager="place_5")
        assert (won.won, won.exact, won.rounding, won.note) == (10_00, Fraction(980), "up", "adelaide:6(d)")
