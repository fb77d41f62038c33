"""Rule 5: how wagers are made, changed, taken down and called on; what the notice may ask."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.engine.events import WagerCalled, WagerDown, WagerReturned, WagerUp, WagerWon
from passline.house import House
from tests.clauses.table_helpers import case, dealt, every, gain, game, net, only, play, rail, refused, ruling, up
from tests.tables import cases

POINT_4 = "roll 2-2"
POINT_6 = "roll 3-3"
POINT_8 = "roll 4-4"


# --- Making ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:5(a).1")
def test_bets_are_made_before_the_dice_are_thrown() -> None:
    """Once the dice are out no bet is taken, whoever confirms it; when the roll is settled betting is open again."""
    table, _ = dealt("adelaide", "bet field 10", "dice-out")
    no = refused(table, "bet field 10")
    assert (no.code, no.clause) == ("phase.dice_out", "adelaide:5(a).1")
    for who in ("nobody", "dealer", "boxman", "dealer,boxman"):
        assert refused(table, f"late field 10 by {who}").code == "bet.late"
    play(table, "roll 5-4", "bet field 10")
    assert up(table) == {"field": 10}


@pytest.mark.clause("adelaide:5(a).2")
def test_a_spoken_bet_needs_chips_and_the_word_of_dealer_or_boxman() -> None:
    """Words with chips, confirmed aloud, are a bet; unconfirmed, or without chips, they are none."""
    for who in ("dealer", "boxman"):
        table = game("adelaide")
        play(table, f"bet field 10 spoken by {who}")
        assert up(table) == {"field": 10}
    table = game("adelaide")
    for who in ("nobody", "stick", "player"):
        no = refused(table, f"bet field 10 spoken by {who}")
        assert (no.code, no.clause) == ("bet.not_confirmed", "adelaide:5(a).2")
    play(table, "sit 2 Penniless 0")
    assert refused(table, "2 bet field 10 spoken by dealer").code == "bet.short_rail"


@pytest.mark.clause("adelaide:5(b)")
def test_bets_are_made_with_gaming_chips() -> None:
    """Chips set down on the layout are a bet; cash, tokens and amounts that are no chips are not."""
    table = game("adelaide")
    play(table, "bet field 10 self")
    assert (up(table), rail(table)) == ({"field": 10}, 9_990)
    assert refused(table, "bet field 10 cash by dealer").code == "bet.cash"
    for line in ("tokens 10", "bet field 10 tokens=10"):
        no = refused(table, line)
        assert (no.code, no.clause) == ("bet.tokens_not_taken", "adelaide:5(b)")
    no = refused(table, "bet field 10.50")
    assert (no.code, no.clause) == ("amount.not_chips", "adelaide:5(b)")
    table = game("adelaide", chips=["0.50", 1])
    play(table, "bet field 10.50")
    assert up(table) == {"field": Fraction("10.50")}


# --- Taking down ----------------------------------------------------------------------------------------------------

REMOVABLE = [
    *("field", "any_seven", "any_craps", "craps_2", "craps_3", "craps_12", "eleven", "big_6", "big_8"),
    *("horn", "craps_eleven", "world", "hard_4", "place_6", "place_lose_6", "buy_6", "lay_6"),
]


@pytest.mark.clause("adelaide:5(c).1")
@pytest.mark.parametrize("wager", REMOVABLE)
@pytest.mark.parametrize("first", [(), (POINT_8,)])
def test_a_bet_comes_down_whole_or_in_part_up_to_its_roll(wager: str, first: tuple[str, ...]) -> None:
    """Before the roll that decides it a bet is reduced or removed and its chips go back; after that it is too late."""
    table, events = dealt("adelaide", *first, f"bet {wager} 40", f"take {wager} 20")
    down = only(events, WagerDown)
    assert (down.removed, down.left, down.clause) == (20_00, 20_00, "adelaide:5(c).1")
    assert up(table) == {wager: 20}
    play(table, f"take {wager}")
    assert (rail(table), up(table)) == (10_000, {})
    table, _ = dealt("adelaide", *first, f"bet {wager} 40", "dice-out")
    assert refused(table, f"take {wager}").code == "phase.dice_out"


@pytest.mark.clause("adelaide:5(c).1")
def test_a_place_bet_and_a_field_bet_come_down() -> None:
    """Place 6 for $12 taken down gives $12 back; Field $10 reduced to $5 gives $5 back."""
    table, _ = dealt("adelaide", POINT_8, "bet place_6 12", "take place_6", "roll 4-2")
    assert (gain(table), up(table)) == (0, {})
    assert net("adelaide", "bet field 10", "take field 5", "roll 5-4") == 5


@pytest.mark.clause("adelaide:5(c).2")
def test_pass_stays_once_its_point_is_set() -> None:
    """Before the come-out a Pass Bet comes down; with its point on it can be neither removed nor reduced."""
    table, _ = dealt("adelaide", "bet pass 10", "take pass 6", "take pass")
    assert (gain(table), up(table)) == (0, {})
    table, _ = dealt("adelaide", "bet pass 10", POINT_6)
    for line in ("take pass", "take pass 5"):
        no = refused(table, line)
        assert (no.code, no.clause) == ("take.locked", "adelaide:5(c).2")
    play(table, "roll 6-6")
    assert refused(table, "take pass").code == "take.locked"
    assert up(table) == {"pass": 10}


@pytest.mark.clause("adelaide:5(c).3")
def test_come_stays_once_its_point_is_set() -> None:
    """In its box a Come Bet comes down; on its number it can be neither removed nor reduced, on a come-out either."""
    table, _ = dealt("adelaide", POINT_8, "bet come 10", "take come 6", "take come")
    assert (gain(table), up(table)) == (0, {})
    table, _ = dealt("adelaide", POINT_8, "bet come 10", "roll 3-2")
    for line in ("take come_5", "take come_5 5"):
        no = refused(table, line)
        assert (no.code, no.clause) == ("take.locked", "adelaide:5(c).3")
    play(table, POINT_8)
    assert refused(table, "take come_5").code == "take.locked"


@pytest.mark.clause("adelaide:5(d).1")
@pytest.mark.parametrize(
    ("wager", "lines"),
    [
        ("dont_pass", ("bet dont_pass 10",)),
        ("dont_pass", ("bet dont_pass 10", POINT_4)),
        ("dont_come", (POINT_4, "bet dont_come 10")),
        ("dont_come_9", (POINT_4, "bet dont_come 10", "roll 5-4")),
        ("dont_come_9", (POINT_4, "bet dont_come 10", "roll 5-4", "roll 3-1")),
    ],
)
def test_dont_bets_come_down_at_any_time(wager: str, lines: tuple[str, ...]) -> None:
    """Don't Pass and Don't Come are reduced and removed before and after their point, and on a come-out."""
    table, events = dealt("adelaide", *lines, f"take {wager} 6")
    assert only(events, WagerDown).clause == "adelaide:5(d).1"
    assert up(table) == {wager: 6}
    play(table, f"take {wager}")
    assert (gain(table), up(table)) == (0, {})


@pytest.mark.clause("adelaide:5(d).2")
@pytest.mark.parametrize("leave", [5, 0])
def test_a_lowered_dont_pass_is_not_put_back_before_a_new_come_out(leave: int) -> None:
    """With the point on, a reduced Don't Pass is not raised and a removed one not remade; on a new come-out it is."""
    table, _ = dealt("adelaide", "2 bet pass 5", "bet dont_pass 10", POINT_4, f"take dont_pass {leave}")
    assert refused(table, "bet dont_pass 5").code == "bet.window"
    play(table, "roll 5-5")
    assert refused(table, "bet dont_pass 5").code == "bet.window"
    play(table, "roll 3-1", "bet dont_pass 5")
    assert up(table) == {"dont_pass": 5}


@pytest.mark.clause("adelaide:5(d).2")
@pytest.mark.parametrize("leave", [5, 0])
def test_a_lowered_dont_come_is_not_put_back_behind_its_number(leave: int) -> None:
    """Chips do not go back behind the number, not even on a new come-out (X-06 d); a fresh Don't Come is a new bet."""
    table, _ = dealt("adelaide", POINT_4, "bet dont_come 10", "roll 5-4", f"take dont_come_9 {leave}")
    assert refused(table, "bet dont_come_9 5").code == "wager.not_offered"
    play(table, "roll 3-1")
    assert refused(table, "bet dont_come_9 5").code == "wager.not_offered"
    table, _ = dealt("adelaide", POINT_4, "bet dont_come 10", "roll 5-4", "take dont_come_9", "bet dont_come 5")
    assert up(table) == {"dont_come": 5}


# --- On and off -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:5(e).1")
@pytest.mark.parametrize("wager", ["buy_4", "place_4", "hard_4"])
@pytest.mark.parametrize("throw", ["6-1", "2-2", "3-1"])
def test_buy_place_and_hardways_sleep_on_a_come_out(wager: str, throw: str) -> None:
    """On a come-out they neither win nor lose, by their number nor by a 7; called On they do."""
    table, _ = dealt("adelaide", f"bet {wager} 20", f"roll {throw}")
    assert up(table) == {wager: 20}
    assert gain(table) == (-1 if wager == "buy_4" else 0)
    table, events = dealt("adelaide", f"bet {wager} 20", f"on {wager}", f"roll {throw}")
    assert ruling(events, wager)


@pytest.mark.clause("adelaide:5(e).1")
@pytest.mark.parametrize(("throw", "flat"), [("5-2", -10), ("4-2", 10)])
def test_come_odds_sleep_on_a_come_out_and_go_back_with_their_bet(throw: str, flat: int) -> None:
    """The flat Come Bet is decided on a come-out, its odds go back unpaid; called On they win and lose with it."""
    to_the_come_out = (POINT_8, "bet come 10", "roll 5-1", "bet come_odds_6 10", POINT_8)
    table, events = dealt("adelaide", *to_the_come_out, f"roll {throw}")
    assert (gain(table), up(table)) == (flat, {})
    back = only(events, WagerReturned, wager="come_odds_6")
    assert (back.stake, back.clause) == (10_00, "adelaide:5(e).1")
    with_odds = -20 if flat < 0 else 22
    assert net("adelaide", *to_the_come_out, "on come_odds_6", f"roll {throw}") == with_odds


@pytest.mark.clause("adelaide:5(e).1")
@pytest.mark.parametrize(
    ("wager", "stake", "win"),
    [("place_lose_4", 11, 5), ("lay_4", 20, 9), ("dont_pass", 10, -10), ("any_seven", 5, 20), ("big_6", 5, -5)],
)
def test_every_other_bet_works_on_a_come_out(wager: str, stake: int, win: int) -> None:
    """Only four kinds sleep: a come-out 7 decides all the others (a lay is charged again as it stays up)."""
    assert net("adelaide", "2 bet pass 5", f"bet {wager} {stake}", "roll 6-1") == win - (wager == "lay_4")


@pytest.mark.clause("adelaide:5(e).2")
def test_on_counts_when_dealer_or_boxman_puts_the_button_down() -> None:
    """Buy 4 for $20, called On and buttoned: a come-out 4 wins $40. Without the button it does not work."""
    for who in ("dealer", "boxman"):
        _, events = dealt("adelaide", "bet buy_4 20", f"on buy_4 by {who}", "roll 3-1")
        assert only(events, WagerWon, wager="buy_4").won == 40_00
    assert net("adelaide", "bet buy_4 20", "on buy_4 by dealer", "roll 3-1", "take buy_4") == 40 - 1
    for who in ("nobody", "stick", "player"):
        table, _ = dealt("adelaide", "bet buy_4 20", "2 bet pass 5")
        no = refused(table, f"on buy_4 by {who}")
        assert (no.code, no.clause) == ("call.not_confirmed", "adelaide:5(e).2")
        play(table, "roll 3-1")
        assert (gain(table), up(table)) == (-1, {"buy_4": 20})


@pytest.mark.clause("adelaide:5(e).3")
def test_one_button_speaks_for_all_similar_bets_of_a_player() -> None:
    """A button on Place 6 switches Place 8 on too, not a hardway and not a neighbour's bet."""
    bets = ("bet place_6 12", "bet place_8 12", "bet hard_8 5", "2 bet place_8 12")
    table, events = dealt("adelaide", *bets, "on place_6")
    called = [(event.seat, event.wager, event.clause) for event in every(events, WagerCalled)]
    assert called == [(1, "place_6", "adelaide:5(e).3"), (1, "place_8", "adelaide:5(e).3")]
    play(table, "2 bet pass 5", "roll 4-4")
    assert (gain(table), up(table)) == (14, {"place_6": 12, "place_8": 12, "hard_8": 5})
    assert gain(table, 2) == 0


@pytest.mark.clause("adelaide:5(e).3")
def test_the_player_may_say_otherwise_than_the_button() -> None:
    """A bet called Off after its neighbour was called On stays off; a bet made later joins its kind."""
    assert net("adelaide", "bet place_6 12", "bet place_8 12", "on place_6", "off place_8", "roll 5-3") == 0
    assert net("adelaide", "bet place_6 12", "on place_6", "bet place_8 12", "roll 5-3") == 14


# --- The notice -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:5(f).1")
@cases("wager", [spot.key for spot in House("adelaide").wagers if not spot.is_odds])
def test_the_notice_states_minimum_and_maximum(wager: str) -> None:
    """Every kind of bet is held to the notice: not a chip under the minimum, not a chip over the maximum."""
    first = (POINT_8,) if "come" in wager else ()
    table, _ = dealt("adelaide", *first, notice="min=20 max=100")
    assert (table.notice.minimum, table.notice.maximum) == (20_00, 100_00)
    for amount, code in ((19, "bet.under_minimum"), (101, "bet.over_maximum")):
        no = refused(table, f"bet {wager} {amount}")
        assert (no.code, no.clause) == (code, table.house.spots[wager].rule.limits.clause)
    play(table, f"bet {wager} 20", f"bet {wager} 80")
    assert up(table) == {wager: 100}
    assert refused(table, f"bet {wager} 1").code == "bet.over_maximum"


@pytest.mark.clause("adelaide:5(f).1")
def test_the_notice_is_for_each_player() -> None:
    """The maximum binds a player, not the table; propositions may have a minimum of their own."""
    table = game("adelaide", "min=20 max=100 props=1", seats=2)
    play(table, "bet pass 100", "2 bet pass 100", "bet eleven 1", "bet hard_4 1")
    assert refused(table, "bet field 1").code == "bet.under_minimum"
    assert House("adelaide").spots["pass"].rule.limits.clause == "adelaide:5(f).1"


@pytest.mark.clause("adelaide:5(f).3")
def test_bets_need_not_be_multiples_unless_the_notice_says_so() -> None:
    """Minimum $5: $7 is a bet; under a multiples notice it is not, and $10 is."""
    table = game("adelaide", "min=5")
    play(table, "bet field 7")
    assert up(table) == {"field": 7}
    table = game("adelaide", "min=5 multiples")
    no = refused(table, "bet field 7")
    assert (no.code, no.clause) == ("bet.not_a_multiple", "adelaide:5(f).3")
    play(table, "bet field 10")
    assert refused(table, "take field 7").code == "bet.not_a_multiple"
    assert up(table) == {"field": 10}


# --- Who answers for the chips --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "how"), [case("adelaide:5(g).1", "self"), case("adelaide:5(g).2", "spoken by dealer")]
)
def test_chips_are_settled_where_they_lie_whoever_put_them_there(clause: str, how: str) -> None:
    """Place 6 was meant and place 8 booked: unchallenged before the roll it is a bet on 8, on 6 it wins nothing."""
    table, events = dealt("adelaide", "roll 5-4", f"bet place_8 12 {how}")
    assert only(events, WagerUp).wager == "place_8"
    play(table, "dice-out")
    assert refused(table, "take place_8").code == "phase.dice_out"
    play(table, "roll 4-2")
    assert (gain(table), up(table)) == (0, {"place_8": 12})
    play(table, "roll 5-3")
    assert gain(table) == 14
    assert clause.rpartition(".")[0] == House("adelaide").book.betting.responsibility.rpartition(".")[0]


@pytest.mark.clause("adelaide:5(g).2")
def test_a_wrong_booking_is_put_right_before_the_roll() -> None:
    """A player who looks has the bet moved: the chips come back and go where they were meant to."""
    lines = ("roll 5-4", "bet place_8 12 spoken by dealer", "take place_8", "bet place_6 12 spoken by dealer")
    assert net("adelaide", *lines, "roll 4-2") == 14
