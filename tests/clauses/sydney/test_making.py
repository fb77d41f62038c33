"""Parts 6.2 to 6.8: how wagers are made, taken down, called on and off, rounded, and whose business they are."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.engine.events import WagerCalled, WagerDown, WagerReturned, WagerUp, WagerWon
from tests.clauses.sydney.felt import HALVES, MADE, SYDNEY, at, dealt, net
from tests.clauses.table_helpers import BUY_IN, every, gain, only, play, refused, up

# --- Chips and tokens -----------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:6.2")
def test_a_wager_is_chips_and_tokens_in_any_mixture() -> None:
    """Ten on the Win Line may be five in chips and five in tokens."""
    table = at("tokens 5", "bet pass 10 tokens=5")
    assert table.rail(1) == BUY_IN - 5
    play(table, "roll 6-5")
    assert table.rail(1) == BUY_IN + 10
    assert table.state.seats[1].tokens == 500


@pytest.mark.clause("sydney:6.2")
@pytest.mark.parametrize("wager", ["pass", "field", "place_6", "hard_8"])
def test_cash_is_no_wager(wager: str) -> None:
    """Cash on the layout is refused, whoever confirms it: it must be changed for chips first."""
    for line in (f"bet {wager} 12 cash by nobody", f"bet {wager} 12 cash by dealer", f"bet {wager} 12 cash by box"):
        refusal = refused(at(), line)
        assert (refusal.code, refusal.clause) == ("bet.cash", "sydney:6.2")


@pytest.mark.clause("sydney:6.2")
def test_a_wager_is_whole_chips() -> None:
    """What no chip of the float can make is no wager."""
    refusal = refused(at(), "bet pass 10.50")
    assert (refusal.code, refusal.clause) == ("amount.not_chips", "sydney:6.2")
    assert play(at(chips=HALVES), "bet pass 10.50")


# --- Before and during the throw ------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:6.3.1")
@pytest.mark.parametrize("line", ["bet field 10", "bet pass 10", "take place_6", "take place_6 6", "off place_6"])
def test_betting_is_over_when_the_dice_go_out(line: str) -> None:
    """Once the dice are thrown nothing goes up, comes down or is called until they rest."""
    table = at("bet pass 10", "bet place_6 12", "dice-out")
    refusal = refused(table, line)
    assert (refusal.code, refusal.clause) == ("phase.dice_out", "sydney:6.3.1")
    play(table, "roll 6-5")
    assert play(table, "bet field 10")


@pytest.mark.clause("sydney:6.3.2")
@pytest.mark.parametrize("heard", ["dealer", "box", "dealer,box", "box,stick"])
def test_a_late_wager_stands_when_dealer_or_boxperson_confirms_it(heard: str) -> None:
    """With the dice in the air a Field of 10 that either of them confirms aloud is booked and paid."""
    table = at("bet pass 10", "dice-out")
    late = only(play(table, f"late field 10 by {heard}"), WagerUp)
    assert (late.late, late.clause) == (True, "sydney:6.3.2")
    assert table.rail(1) == BUY_IN - 20
    play(table, "roll 5-4")
    assert gain(table) == 10


@pytest.mark.clause("sydney:6.3.2")
@pytest.mark.parametrize("heard", ["nobody", "stick", "supervisor", "player"])
def test_an_unconfirmed_late_wager_is_no_bet(heard: str) -> None:
    """Without the word of dealer or boxperson there is no bet, and the player keeps the chips."""
    table = at("bet pass 10", "dice-out")
    refusal = refused(table, f"late field 10 by {heard}")
    assert (refusal.code, refusal.clause) == ("bet.not_confirmed", "sydney:6.3.2")
    play(table, "roll 5-4")
    assert gain(table) == 0


@pytest.mark.clause("sydney:6.3.2")
def test_a_late_wager_needs_its_chips() -> None:
    """Words alone do not do: the chips must be there."""
    table = at("bet pass 9995", "dice-out", notice="min=1 max=10000")
    assert refused(table, "late horn 8 by dealer").code == "bet.short_rail"
    assert play(table, "late horn 4 by dealer")


@pytest.mark.clause("sydney:6.3.2")
def test_once_the_dice_rest_it_is_too_late() -> None:
    """After the throw is settled there is no late bet on it, confirmed or not."""
    table = at("bet pass 10", "dice-out", "roll 5-4")
    refusal = refused(table, "late field 10 by dealer,box")
    assert (refusal.code, refusal.clause) == ("bet.not_late", "sydney:6.3.2")


# --- Taking down ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:6.4.1")
@pytest.mark.parametrize(
    "wager", ["hard_8", "place_6", "place_lose_6", "buy_4", "lay_4", "big_6", "field", "horn", "pass", "dont_pass"]
)
def test_a_wager_comes_down_until_the_roll_that_decides_it(wager: str) -> None:
    """Whatever is not a contract can be removed before the roll, and all of it goes back to the rail."""
    table = at(f"bet {wager} 20")
    down = only(play(table, f"take {wager}"), WagerDown)
    assert down.removed == 2000
    assert table.rail(1) == BUY_IN
    assert up(table) == {}


@pytest.mark.clause("sydney:6.4.1")
def test_a_wager_may_be_reduced() -> None:
    """A Hardway of 5 lowered to 2 gives 3 back and goes on for 2; nothing can be lowered upwards."""
    table = at("bet pass 10", "roll 5-4", "bet hard_8 5")
    down = only(play(table, "take hard_8 2"), WagerDown)
    assert (down.removed, down.left, down.clause) == (300, 200, "sydney:6.4.1")
    assert refused(table, "take hard_8 3").code == "take.leaves_more"
    play(table, "roll 4-4")
    assert gain(table) == 19


LOCKED = [
    pytest.param(
        ("bet pass 10",), ("roll 4-2",), "pass", "pass", "sydney:6.4.2", marks=pytest.mark.clause("sydney:6.4.2")
    ),
    pytest.param(
        ("bet pass 10", "roll 4-2", "bet come 10"), ("roll 5-4",), "come", "come_9", "sydney:6.4.3",
        marks=pytest.mark.clause("sydney:6.4.3"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("before", "point", "free", "bound", "clause"), LOCKED)
def test_a_contract_stays_once_its_point_is_set(
    before: tuple[str, ...], point: tuple[str, ...], free: str, bound: str, clause: str
) -> None:
    """Before its point the wager may be lowered and removed; with its point set it can be neither."""
    assert play(at(*before), f"take {free} 5")
    assert play(at(*before), f"take {free}")
    table = at(*before, *point)
    for line in (f"take {bound}", f"take {bound} 5"):
        refusal = refused(table, line)
        assert (refusal.code, refusal.clause) == ("take.locked", clause)
    assert up(table)[bound] == 10


DONTS = [
    (("bet dont_pass 10",), "dont_pass"),
    (("bet dont_pass 10", "roll 4-2"), "dont_pass"),
    (("bet dont_pass 10", "roll 4-2", "bet dont_come 10"), "dont_come"),
    (("bet dont_pass 10", "roll 4-2", "bet dont_come 10", "roll 5-4"), "dont_come_9"),
]


@pytest.mark.clause("sydney:6.5.1")
@pytest.mark.parametrize(("lines", "wager"), DONTS)
def test_dont_wagers_are_never_locked(lines: tuple[str, ...], wager: str) -> None:
    """A Don't Win or Don't Come may be lowered and taken down at any time, with its point or without."""
    table = at(*lines)
    lowered = only(play(table, f"take {wager} 5"), WagerDown, wager=wager)
    assert (lowered.removed, lowered.clause) == (500, "sydney:6.5.1")
    removed = only(play(table, f"take {wager}"), WagerDown, wager=wager)
    assert (removed.removed, removed.clause) == (500, "sydney:6.5.1")
    assert wager not in up(table)
    assert gain(table) == 0


@pytest.mark.clause("sydney:6.5.2")
@pytest.mark.parametrize("take", ["take dont_pass 5", "take dont_pass"], ids=["reduced", "removed"])
def test_a_lowered_dont_win_is_not_put_back(take: str) -> None:
    """With the point of 6 on, a Don't Win once lowered is not raised and once removed is not made again."""
    table = at("bet dont_pass 10", "bet pass 10", "roll 4-2", take)
    assert refused(table, "bet dont_pass 5").code == "bet.window"


@pytest.mark.clause("sydney:6.5.2")
@pytest.mark.parametrize("take", ["take dont_come_9 5", "take dont_come_9"], ids=["reduced", "removed"])
def test_a_lowered_dont_come_is_not_put_back(take: str) -> None:
    """A Don't Come on its point is not raised or made again there; a new Don't Come is a new wager."""
    table = at("bet pass 10", "roll 4-2", "bet dont_come 10", "roll 5-4", take)
    there = up(table).get("dont_come_9", 0)
    assert refused(table, "bet dont_come_9 5").code == "wager.not_offered"
    play(table, "bet dont_come 10")
    assert up(table).get("dont_come_9", 0) == there


# --- On and off -----------------------------------------------------------------------------------------------------

RESTING = [
    ("buy_4", "bet buy_4 20", "3-1"),
    ("place_6", "bet place_6 12", "4-2"),
    ("hard_8", "bet hard_8 2", "4-4"),
]


@pytest.mark.clause("sydney:6.6.1.1")
@pytest.mark.parametrize(("wager", "bet", "throw"), RESTING)
def test_buy_place_and_hardway_rest_on_a_come_out(wager: str, bet: str, throw: str) -> None:
    """On a come out their number pays nothing and a 7 takes nothing; with a point on they work."""
    for come_out in (throw, "6-1", "5-2"):
        table, events = dealt(bet, f"roll {come_out}")
        assert wager in up(table)
        assert not every(events, WagerWon, wager=wager)
    table, events = dealt("roll 5-4", bet, f"roll {throw}")
    assert every(events, WagerWon, wager=wager)
    table, _ = dealt("roll 5-4", bet, "roll 6-1")
    assert up(table) == {}


@pytest.mark.clause("sydney:6.6.1.1")
@pytest.mark.parametrize(("throw", "come"), [("6-1", -10), ("4-2", 10)], ids=["7", "its number"])
def test_odds_behind_a_come_rest_on_a_come_out(throw: str, come: int) -> None:
    """On a come out the Come is decided alone; what stands behind it goes back unpaid and unlost."""
    lines = ("roll 5-4", "bet come 10", "roll 5-1", "bet come_odds_6 20", "roll 6-3")
    table, events = dealt(*lines, f"roll {throw}")
    assert only(events, WagerReturned, wager="come_odds_6").clause == "sydney:6.6.1.1"
    assert gain(table) == come


@pytest.mark.clause("sydney:6.6.1.1")
@pytest.mark.parametrize(
    ("bet", "result"),
    [("bet place_lose_4 11", 5), ("bet lay_4 40", 18), ("bet big_6 5", -5), ("bet any_seven 5", 20)],
)
def test_all_other_wagers_work_on_a_come_out(bet: str, result: int) -> None:
    """Place to Lose, Lay, Big 6 and one-roll wagers are decided by a come out 7."""
    assert net(bet, "roll 6-1") == result


@pytest.mark.clause("sydney:6.6.1.2")
@pytest.mark.parametrize("who", ["dealer", "box"])
def test_called_on_and_confirmed_a_wager_works_on_the_come_out(who: str) -> None:
    """A Hard 6 of 2 with the On button put down by dealer or boxperson wins 19 on a come out 3-3."""
    table, _ = dealt("bet hard_6 2", f"on hard_6 by {who}", "roll 3-3")
    assert gain(table) == 19


@pytest.mark.clause("sydney:6.6.1.2")
@pytest.mark.parametrize("who", ["nobody", "stick", "supervisor", "player"])
def test_an_on_call_that_nobody_confirmed_does_not_count(who: str) -> None:
    """Without a button from dealer or boxperson the wager goes on resting."""
    table, _ = dealt("bet hard_6 2")
    refusal = refused(table, f"on hard_6 by {who}")
    assert (refusal.code, refusal.clause) == ("call.not_confirmed", "sydney:6.6.1.2")
    play(table, "2 bet pass 1", "roll 3-3")
    assert gain(table) == 0


@pytest.mark.clause("sydney:6.6.1.2")
def test_one_button_speaks_for_the_players_wagers_of_that_kind() -> None:
    """On for a Hard 6 is On for that player's Hard 8, not for a Place Bet nor for the neighbour's Hardway."""
    table = at("bet hard_6 2", "bet hard_8 2", "bet place_5 10", "2 bet hard_6 2", "2 bet pass 10", seats=2)
    called = every(play(table, "on hard_6 by dealer"), WagerCalled)
    assert {(event.seat, event.wager) for event in called} == {(1, "hard_6"), (1, "hard_8")}
    play(table, "roll 6-1")
    assert (gain(table), gain(table, 2)) == (-4, 10)


@pytest.mark.clause("sydney:6.6.2")
@pytest.mark.parametrize(
    ("wager", "bet", "throw", "win"),
    [
        ("place_6", "bet place_6 12", "4-2", 14),
        ("hard_4", "bet hard_4 2", "2-2", 15),
        ("buy_10", "bet buy_10 20", "6-4", 38),
    ],
)
def test_a_wager_is_switched_off_and_on_whenever_desired(wager: str, bet: str, throw: str, win: int) -> None:
    """With a point on a wager called Off is touched by nothing, and called On again it works."""
    table, _ = dealt("roll 5-3", bet)
    before = gain(table)
    assert only(play(table, f"off {wager}"), WagerCalled).clause == "sydney:6.6.2"
    play(table, f"roll {throw}")
    assert gain(table) == before
    play(table, f"on {wager}", f"roll {throw}")
    assert gain(table) == win
    play(table, f"off {wager}", "roll 6-1")
    assert gain(table) == win
    assert wager in up(table)


@pytest.mark.clause("sydney:6.6.2")
def test_odds_behind_a_come_may_be_called_off() -> None:
    """Called Off with a point on, they go back when a 7 takes the Come."""
    lines = ("roll 5-4", "bet come 10", "roll 5-1", "bet come_odds_6 20", "off come_odds_6", "roll 6-1")
    assert net(*lines) == -10


@pytest.mark.clause("sydney:6.6.2")
@pytest.mark.parametrize("wager", ["pass", "dont_pass", "place_lose_4", "lay_4", "big_6", "field"])
def test_only_the_named_kinds_can_be_switched(wager: str) -> None:
    """Every other wager is neither called Off nor On."""
    table = at(f"bet {wager} 20")
    assert refused(table, f"off {wager}").code == "call.not_callable"
    assert refused(table, f"on {wager}").code == "call.not_callable"


# --- Rounding -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:6.7")
@pytest.mark.parametrize(
    ("bet", "throw", "exact", "paid"),
    [
        ("bet any_craps 1", "1-2", "750", 8),
        ("bet place_6 5", "4-2", "1750/3", 6),
        ("bet lay_5 20", "6-1", "4000/3", 14),
    ],
)
def test_a_win_chips_cannot_pay_goes_up_to_the_next_amount(bet: str, throw: str, exact: str, paid: int) -> None:
    """With one-dollar chips 7.50 is paid as 8 and 5.83 as 6; the payment says by which clause it was rounded."""
    _, events = dealt("roll 5-4", bet, f"roll {throw}")
    won = only(events, WagerWon, seat=1)
    assert (won.exact, won.won, won.rounding) == (Fraction(exact), paid * 100, "up")
    assert won.note == "sydney:6.7"


@pytest.mark.clause("sydney:6.7")
def test_a_win_that_chips_can_pay_is_not_rounded() -> None:
    """With half dollars 7.50 is paid as 7.50, and 5.83 as 6; whole amounts stay as they are."""
    _, halves = dealt("roll 5-4", "bet any_craps 1", "roll 1-2", chips=HALVES)
    assert only(halves, WagerWon, seat=1).won == 750
    assert only(halves, WagerWon, seat=1).rounding is None
    _, sixth = dealt("roll 5-4", "bet place_6 5", "roll 4-2", chips=HALVES)
    assert only(sixth, WagerWon, seat=1).won == 600
    _, whole = dealt("roll 5-4", "bet place_6 6", "roll 4-2")
    assert (only(whole, WagerWon, seat=1).won, only(whole, WagerWon, seat=1).note) == (700, None)


# --- Whose business it is -------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:6.8.1")
@pytest.mark.parametrize("how", ["", " self", " spoken by dealer", " spoken by box"])
def test_a_wager_is_settled_where_it_lies_whoever_put_it_there(how: str) -> None:
    """A chip on Big 8 is a Big 8 and wins even money, not the 7 to 6 of a Place Bet, with or without help."""
    table, events = dealt("roll 5-4", f"bet big_8 6{how}", "roll 5-3")
    assert only(events, WagerWon, wager="big_8").won == 600
    assert gain(table) == 6
    assert SYDNEY.book.betting.responsibility == "sydney:6.8.1"


@pytest.mark.clause("sydney:6.8.2")
def test_an_unchallenged_mistake_stands_after_the_roll() -> None:
    """A player who lets a Place 8 go down for a Place 6 can have it put right before the roll and not after it."""
    table = at("bet pass 10", "roll 5-4", "bet place_8 12")
    assert table.undo() is not None
    play(table, "bet place_8 12", f"roll {MADE[6]}")
    assert gain(table) == 0
    assert table.undo() is None
    play(table, "roll 6-1")
    assert gain(table) == -22
