"""Dice and Continuation: who is offered the dice, who throws, for how long, and for what."""

from __future__ import annotations

import pytest

from passline.engine.commands import ChooseDice
from passline.engine.events import (
    DiceChosen,
    DiceDeclined,
    DiceGivenUp,
    DiceOffered,
    DiceSent,
    DiceTaken,
    DiceThrown,
    NoRollCalled,
    PuckTurned,
    SevenOut,
)
from passline.engine.refusals import Refusal
from passline.engine.shooting import offer
from passline.engine.values import ClauseId
from passline.table import Table
from tests.clauses.exhibit_a.felt import EXHIBIT_A, POINTS, at, equipment
from tests.clauses.table_helpers import THROWS, every, gain, only, play, refused, ruling, total, up
from tests.tables import cases

# --- Dice (1) and (2): the offer and the choice ---------------------------------------------------------------------


@pytest.mark.clause("exhibit-a:dice(1).1")
@pytest.mark.parametrize("line", ["3 bet pass 5", "2 bet dont_pass 5", "1 bet field 5"])
def test_the_first_offer_goes_to_the_boxpersons_left(line: str) -> None:
    """Whoever sat down first and whoever has bet the line: at the start seat 1 is asked first, by the stickperson."""
    table = at(line, seats=(3, 1, 2))
    assert offer(EXHIBIT_A.layout, table.state) == 1
    assert only(play(table, "shoot"), DiceTaken) == DiceTaken(1, ClauseId("exhibit-a:dice(1).1"))
    assert equipment("first_seat") == ("immediately left of the boxperson", "exhibit-a:dice(1).1")
    assert equipment("dice_offered_by") == ("stick", "exhibit-a:dice(1).1")


@pytest.mark.clause("exhibit-a:dice(1).2")
def test_a_refused_first_offer_goes_clockwise_until_somebody_accepts() -> None:
    """Seats 1 and 2 refuse and seat 3 accepts: the shooter is seat 3."""
    table = at(seats=(4, 2, 3, 1))
    for seat in (1, 2):
        assert play(table, f"{seat} decline") == (
            DiceDeclined(seat),
            DiceOffered(seat + 1, ClauseId("exhibit-a:dice(1).2")),
        )
        assert table.shooter is None
    assert only(play(table, "3 shoot"), DiceTaken).seat == 3
    assert table.shooter == 3
    no = refused(table, "4 shoot")
    assert no.code == "dice.held"


@pytest.mark.clause("exhibit-a:dice(2).1")
def test_whoever_accepts_picks_two_dice() -> None:
    """Two different dice of the set, picked by the shooter; not one, not three, not a sixth, and by nobody else."""
    table = at("shoot", seats=2)
    for wrong in ((1,), (1, 2, 3), (2, 2)):  # a record cannot say this: P-103
        no = table.do(ChooseDice(1, wrong))
        assert isinstance(no, Refusal)
        assert (no.code, no.clause) == ("dice.wrong_number", "exhibit-a:dice(2).1")
    assert refused(table, "choose 1 6").code == "dice.not_in_bowl"
    assert refused(table, "2 choose 1 2").code == "dice.not_held"
    assert only(play(table, "choose 5 2"), DiceChosen) == DiceChosen(1, (5, 2), ClauseId("exhibit-a:dice(2).1"))


@pytest.mark.clause("exhibit-a:dice(2).2")
def test_the_rest_of_the_set_goes_to_the_cup() -> None:
    """Two dice with the shooter, the others in the cup in front of the stickperson, however large the set."""
    table = at("shoot", "choose 5 2")
    assert (table.state.dice.out, table.state.dice.bowl) == ((5, 2), (1, 3, 4))
    table = Table(EXHIBIT_A, dice=7)
    table.sit(1, "Ann", 100)
    play(table, "shoot", "choose 6 7")
    assert table.state.dice.bowl == (1, 2, 3, 4, 5)
    assert equipment("unchosen_dice") == ("dice cup", "exhibit-a:dice(2).2")
    assert equipment("dice_holder_place") == ("in front of the stickperson", "exhibit-a:dice(2).2")


# --- Dice (3): the throw --------------------------------------------------------------------------------------------


@pytest.mark.clause("exhibit-a:dice(3).1")
@pytest.mark.parametrize("line", ["bet pass 10", "bet dont_pass 10"])
def test_the_shooter_bets_the_line_before_throwing(line: str) -> None:
    """No Pass or Don't Pass, no throw, whatever else is up; with either the dice may go."""
    table = at("shoot", "choose 1 2", "bet field 10", "bet place_6 6")
    for throw in ("dice-out", "roll 5-4", "throw 5-4 improper"):
        no = refused(table, throw)
        assert (no.code, no.clause) == ("dice.no_shooter", "exhibit-a:dice(3).1")
    assert only(play(table, line, "roll 5-4"), DiceThrown).thrower == 1


@pytest.mark.clause("exhibit-a:dice(3).1")
def test_a_line_bet_is_needed_for_the_come_out_and_not_kept_for_the_hand() -> None:
    """A shooter who takes the only line bet down with a point on goes on; after the point there must be a new one."""
    table = at("bet dont_pass 10", "2 bet pass 10", "roll 5-4", seats=2)
    assert every(play(table, "take dont_pass"), DiceGivenUp) == []
    assert only(play(table, "roll 6-6"), DiceThrown).thrower == 1
    play(table, "roll 6-3", "2 bet pass 10")
    assert only(play(table, "roll 5-4"), DiceThrown).thrower == 2


@pytest.mark.parametrize(
    ("flaw", "by"),
    [
        pytest.param("not-together", "exhibit-a:invalid(2)(i)", marks=pytest.mark.clause("exhibit-a:dice(3).2")),
        pytest.param("no-end-struck", "exhibit-a:invalid(2)(ii)", marks=pytest.mark.clause("exhibit-a:dice(3).3")),
    ],
)
def test_both_dice_leave_together_for_the_far_end(flaw: str, by: str) -> None:
    """A throw that breaks this may be called by the boxperson, and by nobody else; then nothing moves."""
    table = at("bet pass 10", "dice-out")
    assert refused(table, f"no-roll-by stickperson {flaw}").code == "no_roll.caller"
    called = only(play(table, f"no-roll-by boxperson {flaw}"), NoRollCalled)
    assert (called.reason, called.clause) == (flaw, by)
    assert (gain(table), up(table), table.puck) == (0, {"pass": 10}, None)
    play(table, f"throw 6-5 {flaw}")
    assert gain(table) == 10


# --- Continuation (1): keeping the dice and giving them up ----------------------------------------------------------


@pytest.mark.clause("exhibit-a:continuation(1)")
@pytest.mark.parametrize("before", [("roll 5-4",), ("roll 5-4", "roll 6-6"), ("roll 6-5",), ("roll 1-1",)])
def test_the_shooter_may_pass_the_dice_after_any_roll(before: tuple[str, ...]) -> None:
    """With a point on or on a come-out: the point and every bet stay, and the next player throws."""
    table = at("bet pass 10", "2 bet pass 90", "bet place_6 6", *before, "2 bet field 5", seats=2)
    puck, bets = table.puck, (up(table), up(table, 2))
    assert only(play(table, "pass-dice"), DiceGivenUp) == DiceGivenUp(
        1, "by choice", ClauseId("exhibit-a:continuation(1)")
    )
    assert (table.puck, up(table), up(table, 2)) == (puck, *bets)
    assert table.shooter is None
    if "pass" not in up(table, 2):
        play(table, "2 bet pass 10")
    assert only(play(table, "roll 6-5"), DiceThrown).thrower == 2


@pytest.mark.clause("exhibit-a:continuation(1)")
def test_the_shooter_may_stay() -> None:
    """A shooter who does not pass throws again, after points made, naturals and craps; nobody else gives them up."""
    table = at("bet pass 10", "2 bet pass 10", "roll 5-4", "roll 6-3", seats=2)
    for throw in ("6-6", "6-1", "6-5"):
        play(table, "bet pass 10", "2 bet pass 10", f"roll {throw}")
    assert refused(table, "2 pass-dice").code == "dice.not_held"
    play(table, "bet pass 10", "2 bet pass 10")
    assert only(play(table, "dice-out"), DiceSent).thrower == 1


@pytest.mark.clause("exhibit-a:continuation(1)(i)")
def test_a_7_out_takes_the_dice() -> None:
    """Point 9, then 6-1: the shooter must pass the dice, and the next line bettor throws."""
    table = at("bet pass 10", "2 bet dont_pass 10", "roll 5-4", seats=2)
    assert only(play(table, "roll 6-1"), SevenOut) == SevenOut(1, ClauseId("exhibit-a:continuation(1)(i)"))
    assert (table.shooter, table.state.dice.out) == (None, ())
    play(table, "bet pass 10", "2 bet pass 10")
    assert only(play(table, "roll 5-4"), DiceThrown).thrower == 2


@pytest.mark.clause("exhibit-a:continuation(1)(i)")
@pytest.mark.parametrize("throw", ["1-1", "2-1", "6-6", "4-3", "6-5"])
@pytest.mark.parametrize("line", ["pass", "dont_pass"])
def test_losing_on_a_come_out_is_no_loser_of_that_kind(throw: str, line: str) -> None:
    """Craps, 7 and 11 on a come-out leave the dice where they are, whichever line bet they cost (E-06)."""
    table = at(f"bet {line} 10")
    assert every(play(table, f"roll {throw}"), SevenOut) == []
    assert table.shooter == 1


@pytest.mark.clause("exhibit-a:continuation(1)(ii)")
@pytest.mark.parametrize("reason", ["delay", "invalid rolls", "breach"])
@pytest.mark.parametrize("first", [(), ("roll 5-4",)], ids=["come-out", "point on"])
def test_the_boxperson_may_order_the_dice_passed(reason: str, first: tuple[str, ...]) -> None:
    """Unreasonable delay, repeated invalid rolls and a breach of the rules each cost the shooter the dice."""
    table = at("shoot", "bet pass 10", "2 bet pass 10", *first, seats=2)
    puck = table.puck
    events = play(table, f"order-pass {reason} by boxperson")
    assert only(events, DiceGivenUp) == DiceGivenUp(1, "by order", ClauseId("exhibit-a:continuation(1)(ii)"))
    assert (table.puck, up(table)) == (puck, {"pass": 10})
    assert only(play(table, "roll 6-6"), DiceThrown).thrower == 2


@pytest.mark.clause("exhibit-a:continuation(1)(ii)")
@pytest.mark.parametrize("who", ["stickperson", "dealer", "inspector", "player", "supervisor"])
def test_nobody_but_the_boxperson_orders_it(who: str) -> None:
    """Whatever the shooter did, another person's order is none."""
    table = at("bet pass 10", "roll 5-4")
    no = refused(table, f"order-pass breach by {who}")
    assert (no.code, no.clause) == ("order.by", "exhibit-a:continuation(1)(ii)")
    assert table.shooter == 1


@pytest.mark.clause("exhibit-a:continuation(1)(ii)")
def test_the_boxperson_needs_a_reason_of_the_book() -> None:
    """A shooter who is merely lucky keeps the dice."""
    table = at("bet pass 10", "roll 5-4")
    no = refused(table, "order-pass luck by boxperson")
    assert (no.code, no.clause) == ("order.reason", "exhibit-a:continuation(1)(ii)")
    assert table.shooter == 1


# --- Continuation (2): throwing for Come bets only ------------------------------------------------------------------

COME_ON_5 = ("bet pass 10", "roll 5-3", "bet come 10", "roll 3-2", "roll 4-4")
"""Seat 1 made the point of 8 and holds the dice; a Come for $10 stands on 5; the rail is $10 up."""


@pytest.mark.clause("exhibit-a:continuation(2).1")
@pytest.mark.parametrize("kind", ["come", "dont_come"])
def test_a_shooter_who_declines_the_line_with_come_bets_up_is_followed_by_the_left(kind: str) -> None:
    """Point made, a Come or Don't Come on 5, the shooter declines: seat 2 is asked, bets the line and throws."""
    table = at("bet pass 10", "roll 5-3", f"bet {kind} 10", "roll 3-2", "roll 4-4", seats=3)
    events = play(table, "decline")
    assert only(events, DiceGivenUp).seat == 1
    assert only(events, DiceOffered) == DiceOffered(2, ClauseId("exhibit-a:continuation(3).1"))
    assert only(play(table, "2 decline"), DiceOffered) == DiceOffered(3, ClauseId("exhibit-a:continuation(3).2"))
    play(table, "3 shoot", "3 bet pass 10")
    events = play(table, "roll 6-4")
    assert (only(events, DiceThrown).thrower, only(events, DiceThrown).come_only) == (3, False)
    assert table.puck == 10
    assert up(table) == {f"{kind}_5": 10}


@pytest.mark.clause("exhibit-a:continuation(2).1", "exhibit-a:continuation(2).2")
def test_a_line_bet_by_anybody_brings_the_ordinary_come_out_back() -> None:
    """While somebody will bet the line to shoot there is no throw for Come bets only."""
    table = at(*COME_ON_5, seats=2)
    assert only(play(table, "roll 6-2"), DiceThrown).come_only
    play(table, "2 bet pass 10")
    events = play(table, "roll 6-2")
    assert (only(events, DiceThrown).thrower, only(events, DiceThrown).come_only) == (2, False)
    assert (table.puck, table.shooter) == (8, 2)


@pytest.mark.clause("exhibit-a:continuation(2).2")
def test_the_sole_player_throws_for_a_come_without_a_line_bet() -> None:
    """Come $10 on 5, no line bet: 6-2 sets no point, 4-1 pays the Come, and then the throwing ends."""
    table = at(*COME_ON_5)
    events = play(table, "roll 6-2")
    assert (only(events, DiceThrown).thrower, only(events, DiceThrown).come_only) == (1, True)
    assert every(events, PuckTurned) == []
    assert (table.puck, table.shooter, up(table)) == (None, 1, {"come_5": 10})
    events = play(table, "roll 4-1")
    assert ruling(events, "come_5") == "exhibit-a:wagers(iii)(A)(2)"
    assert gain(table) == 20
    no = refused(table, "roll 6-2")
    assert (no.code, no.clause) == ("dice.no_shooter", "exhibit-a:dice(3).1")


@pytest.mark.clause("exhibit-a:continuation(2).2")
@cases("throw", THROWS)
@cases("kind", ["come", "dont_come"])
def test_such_a_throw_decides_come_bets_and_nothing_else_of_the_hand(kind: str, throw: str) -> None:
    """All 36 throws: 5 and 7 decide the bet, no total sets a point, and a 7 is no 7 out."""
    table = at("bet pass 10", "roll 5-3", f"bet {kind} 10", "roll 3-2", "roll 4-4")
    events = play(table, f"roll {throw}")
    decided = {5: 10, 7: -10}.get(total(throw), 0) * (-1 if kind == "dont_come" else 1)
    assert gain(table) == 10 + decided
    assert (every(events, PuckTurned), every(events, SevenOut)) == ([], [])
    assert (table.puck, table.shooter) == (None, 1)
    assert up(table) == ({} if decided else {f"{kind}_5": 10})


@pytest.mark.clause("exhibit-a:continuation(2).2")
def test_it_takes_a_come_bet_on_its_number() -> None:
    """Place bets, hard ways and one-roll bets alone do not let anybody throw without a line bet."""
    table = at("bet pass 10", "roll 5-3", "bet place_6 6", "bet hard_6 5", "roll 4-4", "bet field 5")
    assert refused(table, "roll 6-2").code == "dice.no_shooter"
    assert refused(table, "dice-out").code == "dice.no_shooter"


@pytest.mark.clause("exhibit-a:continuation(2).2")
def test_a_come_bet_of_any_player_will_do() -> None:
    """The remaining bet is seat 2's; seat 1, who shot last, throws for it."""
    table = at("bet pass 10", "roll 5-3", "2 bet come 10", "roll 3-2", "roll 4-4", seats=2)
    assert only(play(table, "roll 4-1"), DiceThrown).thrower == 1
    assert gain(table, 2) == 10


@pytest.mark.clause("exhibit-a:continuation(2).2")
def test_when_nobody_will_the_previous_shooter_may_throw() -> None:
    """Asked once round the table, all decline: the dice come back to the previous shooter; gone, nobody throws."""
    table = at(*COME_ON_5, "decline", "2 decline", "3 decline", seats=3)
    events = play(table, "roll 6-2")
    assert (only(events, DiceThrown).thrower, only(events, DiceThrown).come_only) == (1, True)
    assert only(events, DiceTaken) == DiceTaken(1, ClauseId("exhibit-a:continuation(2).2"))
    play(table, "leave")
    assert refused(table, "roll 6-2").code == "dice.no_shooter"


@pytest.mark.clause("exhibit-a:continuation(2).2")
def test_what_may_be_bet_and_what_works_is_as_on_a_come_out() -> None:
    """Place bets and come odds sleep and no Come is taken, but one-roll bets are made and decided (E-11)."""
    table = at(*COME_ON_5, "bet come_odds_5 10", "bet place_6 6")
    for wager in ("come", "dont_come"):
        assert refused(table, f"bet {wager} 10").code == "bet.window"
    play(table, "bet field 10", "roll 6-3")
    assert (gain(table), up(table)) == (20, {"come_5": 10, "come_odds_5": 10, "place_6": 6})
    play(table, "roll 6-1")
    assert (gain(table), up(table)) == (10, {"place_6": 6})


@pytest.mark.clause("exhibit-a:continuation(2).3")
@pytest.mark.parametrize("number", POINTS)
def test_the_marker_lies_off_during_such_throws(number: int) -> None:
    """Off on the Don't Pass Line in front of the shooter, through any number of throws of any box number."""
    marker = (equipment("come_only_marker"), equipment("come_only_marker_place"), equipment("puck"))
    by = "exhibit-a:continuation(2).3"
    assert marker == (("Off", by), ("Don't Pass Line, in front of the shooter", by), (("On", "Off"), by))
    table = at(*COME_ON_5)
    play(table, f"roll {number // 2}-{number - number // 2}")
    assert (table.puck, table.to_json()["puck"]) == (None, "off")


# --- Continuation (3) and (4): the next shooter ---------------------------------------------------------------------


@pytest.mark.clause("exhibit-a:continuation(3).1")
@pytest.mark.parametrize("give_up", ["2 pass-dice", "order-pass breach", "roll 6-1"], ids=["choice", "order", "7 out"])
@pytest.mark.parametrize("dice", [5, 8])
def test_the_complete_set_is_offered_to_the_old_shooters_left(give_up: str, dice: int) -> None:
    """By choice or by force: all the dice, five or more, go to the next seat on the left that may take them."""
    table = Table(EXHIBIT_A, dice=dice)
    for seat in (1, 2, 3, 4):
        table.sit(seat, f"Player{seat}", 1000)
    play(table, "2 shoot", "2 choose 1 2", "2 bet pass 10", "3 bet pass 10", "1 bet pass 10", "roll 5-4")
    events = play(table, give_up)
    assert offer(EXHIBIT_A.layout, table.state) == 3
    assert table.state.dice.bowl == tuple(range(1, dice + 1))
    if not give_up.startswith("roll"):
        assert only(events, DiceOffered) == DiceOffered(3, ClauseId("exhibit-a:continuation(3).1"))
    assert only(play(table, "3 shoot"), DiceTaken) == DiceTaken(3, ClauseId("exhibit-a:continuation(3).1"))


@pytest.mark.clause("exhibit-a:continuation(3).1")
def test_before_a_come_out_no_line_bet_is_needed_to_be_offered_the_dice() -> None:
    """Seat 2 gives up on a come-out; seat 3 has no bet at all and is asked before seat 4, who has bet the line."""
    table = at("2 shoot", "2 bet pass 10", "roll 6-5", "4 bet pass 10", seats=4)
    assert only(play(table, "2 pass-dice"), DiceOffered).seat == 3
    play(table, "3 shoot")
    assert table.shooter == 3


@pytest.mark.clause("exhibit-a:continuation(3).1")
@pytest.mark.parametrize("dice", [0, 2, 4])
def test_a_set_has_five_dice_or_more(dice: int) -> None:
    """No table opens with four dice; with five or more it does."""
    with pytest.raises(ValueError, match=r"5 dice.*exhibit-a:continuation\(3\)\.1"):
        Table(EXHIBIT_A, dice=dice)
    assert len(Table(EXHIBIT_A).state.dice.bowl) == 5
    assert len(Table(EXHIBIT_A, dice=12).state.dice.bowl) == 12


@pytest.mark.clause("exhibit-a:continuation(3).2")
def test_a_refused_offer_goes_clockwise_round_the_table() -> None:
    """Seat 3 gives the dice up; 4 refuses, then 1, and seat 2 is asked."""
    table = at("3 shoot", "3 bet pass 10", "roll 6-5", seats=4)
    assert only(play(table, "3 pass-dice"), DiceOffered).seat == 4
    for seat, asked in ((4, 1), (1, 2)):
        assert only(play(table, f"{seat} decline"), DiceOffered) == DiceOffered(
            asked, ClauseId("exhibit-a:continuation(3).2")
        )
    assert only(play(table, "2 shoot"), DiceTaken).seat == 2


@pytest.mark.clause("exhibit-a:continuation(4).1")
def test_the_first_to_accept_is_the_new_shooter_and_picks_two_dice() -> None:
    """Seat 2 accepts and picks two; the old shooter picks no more, and seat 3 comes too late."""
    table = at("shoot", "choose 1 2", "bet pass 10", "2 bet pass 10", "3 bet pass 10", "roll 5-4", seats=3)
    play(table, "pass-dice")
    assert refused(table, "2 choose 1 2").code == "dice.not_held"
    play(table, "2 shoot")
    assert refused(table, "3 shoot").code == "dice.held"
    assert refused(table, "choose 1 2").code == "dice.not_held"
    for wrong in ((3,), (3, 4, 5)):
        no = table.do(ChooseDice(2, wrong))
        assert isinstance(no, Refusal)
        assert no.code == "dice.wrong_number"
    assert only(play(table, "2 choose 3 5"), DiceChosen).dice == (3, 5)
    assert only(play(table, "roll 6-6"), DiceThrown).thrower == 2


@pytest.mark.clause("exhibit-a:continuation(4).2")
def test_the_rest_goes_back_to_the_cup() -> None:
    """The old shooter's dice are in the cup again, less the two that the new shooter picked."""
    table = at("shoot", "choose 1 2", "bet pass 10", "2 bet pass 10", "roll 5-4", "pass-dice", seats=2)
    play(table, "2 shoot", "2 choose 2 5")
    assert (table.state.dice.out, table.state.dice.bowl) == ((2, 5), (1, 3, 4))
    assert equipment("returned_dice") == ("dice cup", "exhibit-a:continuation(4).2")
    assert equipment("dice_holder_place")[0] == "in front of the stickperson"
