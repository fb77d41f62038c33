"""Rules 3, 9, 10 and 13: the dice, who is offered them, who may throw, and who must give them up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.engine import commands as c
from passline.engine.commands import ChooseDice
from passline.engine.events import (
    DiceChosen,
    DiceDeclined,
    DiceGivenUp,
    DiceOffered,
    DiceSent,
    DiceTaken,
    DiceThrown,
    DieMoved,
    FaceRead,
    NewSetBrought,
    NewSetDue,
    NoRollCalled,
    SevenOut,
)
from passline.engine.refusals import Refusal
from passline.engine.shooting import offer
from passline.engine.values import ClauseId, Roll
from passline.house import House
from passline.table import Table
from tests.clauses.table_helpers import altered, every, gain, game, only, play, refused, up

if TYPE_CHECKING:
    from pathlib import Path


def shooting(*lines: str, seats: int = 2) -> Table:
    """A table where seat 1 has dice 1 and 2 and a Pass Bet, after these lines."""
    table = game("adelaide", seats=seats)
    play(table, "shoot", "choose 1 2", "bet pass 10", *lines)
    return table


def equipment(name: str) -> tuple[object, str]:
    """What the book says of a piece of equipment, and its clause."""
    cited = House("adelaide").book.equipment[name]
    return cited.value, cited.clause


# --- The dice themselves --------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:3.1")
@pytest.mark.parametrize("dice", [0, 1, 2, 3, 4, 6, 7])
def test_a_table_opens_with_five_dice_and_no_other_number(dice: int) -> None:
    """Five precision-made dice make a set."""
    with pytest.raises(ValueError, match="5 dice"):
        Table("adelaide", dice=dice)
    assert len(Table("adelaide", dice=5).state.dice.bowl) == 5
    assert House("adelaide").book.dice.dice_set_max.clause == "adelaide:3.1"
    assert equipment("dice") == ("precision made", "adelaide:3.1")


@pytest.mark.clause("adelaide:3.3")
def test_a_die_shows_one_to_six() -> None:
    """All 36 pairs of faces can be thrown; a 0 or a 7 on a die cannot."""
    for first in range(8):
        for second in range(8):
            table = game("adelaide")
            play(table, "bet pass 10")
            answer = table.do(c.Throw(Roll(first, second)))
            possible = first in {1, 2, 3, 4, 5, 6} and second in {1, 2, 3, 4, 5, 6}
            assert isinstance(answer, Refusal) is not possible
            if isinstance(answer, Refusal):
                assert answer.code == "dice.impossible"
                assert gain(table) == 0
    assert equipment("die_faces") == ((1, 2, 3, 4, 5, 6), "adelaide:3.3")


@pytest.mark.clause("adelaide:3.4")
@pytest.mark.parametrize(("down", "shows"), [(1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (6, 1)])
def test_opposite_faces_make_seven(tmp_path: Path, down: int, shows: int) -> None:
    """Where a leaning die is read by the face it rests on, the face up is the one that makes seven with it."""
    table = game(altered("adelaide", tmp_path, 'cocked = ["ruling", "12(a).3"]', 'cocked = ["opposite face", "3.4"]'))
    events = play(table, "bet pass 10", f"cocked 6 {down}")
    assert only(events, FaceRead) == FaceRead(shows, ClauseId("adelaide:3.4"))
    assert only(events, DiceThrown).total == 6 + shows


@pytest.mark.clause("adelaide:3.3")
def test_a_die_leans_only_on_faces_it_has() -> None:
    """A die with another face is none of ours, by the clause that tells how the faces lie."""
    table = game("adelaide")
    play(table, "bet pass 10")
    for sure, leaning in ((4, (7,)), (0, (3,)), (4, ())):
        answer = table.do(c.CockedDie(sure, leaning))
        assert isinstance(answer, Refusal)
        assert (answer.code, answer.clause) == ("dice.impossible", "adelaide:3.3")


# --- The stickman's dice --------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:9(a).1")
def test_five_dice_are_at_the_table_throughout() -> None:
    """Through choosing, throwing, passing and sevening out, dice in play and dice in the cup are five."""
    table = game("adelaide", seats=2)
    lines = ("shoot", "choose 2 4", "bet pass 10", "2 bet pass 10", "dice-out", "roll 4-4", "pass-dice", "2 shoot")
    for line in (*lines, "2 choose 1 3", "roll 6-1"):
        play(table, line)
        dice = table.state.dice
        assert sorted((*dice.out, *dice.bowl)) == [1, 2, 3, 4, 5]
    assert House("adelaide").book.dice.dice_set.clause == "adelaide:9(a).1"


@pytest.mark.clause("adelaide:9(a).2")
def test_the_stickman_keeps_the_dice_that_are_not_in_play() -> None:
    """Two dice with the shooter, three in the cup directly in front of the stickman; all five between hands."""
    table = shooting()
    assert (table.state.dice.out, table.state.dice.bowl) == ((1, 2), (3, 4, 5))
    play(table, "roll 4-4", "roll 6-1")
    assert (table.state.dice.out, table.state.dice.bowl) == ((), (1, 2, 3, 4, 5))
    assert equipment("dice_kept_by") == ("stick", "adelaide:9(a).2")
    assert equipment("dice_holder") == ("dice cup", "adelaide:9(a).2")
    assert equipment("dice_holder_place") == ("in front of the stickman", "adelaide:9(a).2")


@pytest.mark.clause("adelaide:9(b).1")
@pytest.mark.parametrize("line", ["1 bet field 5", "3 bet pass 5", "2 bet dont_pass 5"])
def test_the_first_offer_goes_to_the_left_of_the_boxman(line: str) -> None:
    """Whoever sat down first and whoever has bet the line: at the start seat 1 is asked before the others."""
    table = game("adelaide", seats=(3, 1, 2))
    play(table, line)
    assert offer(table.house.layout, table.state) == 1
    assert only(play(table, "shoot"), DiceTaken) == DiceTaken(1, ClauseId("adelaide:9(b).1"))
    assert equipment("first_seat") == ("immediately left of the boxman", "adelaide:9(b).1")


@pytest.mark.clause("adelaide:9(b).2")
def test_a_refusal_moves_the_offer_clockwise() -> None:
    """Seats 1 and 2 decline, seat 3 accepts and is the shooter."""
    table = game("adelaide", seats=(4, 2, 3, 1))
    for seat in (1, 2):
        events = play(table, f"{seat} decline")
        assert events == (DiceDeclined(seat), DiceOffered(seat + 1, ClauseId("adelaide:9(b).2")))
        assert table.shooter is None
    assert only(play(table, "3 shoot"), DiceTaken).seat == 3
    assert table.shooter == 3
    assert refused(table, "4 shoot").code == "dice.held"


@pytest.mark.clause("adelaide:9(b).2")
def test_whoever_declined_does_not_throw() -> None:
    """With a line bet up but the dice declined, the next line bettor clockwise throws."""
    table = game("adelaide", seats=3)
    events = play(table, "1 bet pass 5", "3 bet pass 5", "1 decline", "2 decline", "roll 4-4")
    assert only(events, DiceThrown).thrower == 3


@pytest.mark.clause("adelaide:9(c).1")
def test_the_shooter_picks_two_of_the_five() -> None:
    """Two different dice from the cup, picked by the one who accepted; not one, not three, not a sixth."""
    table = game("adelaide", seats=2)
    play(table, "shoot")
    for wrong in ((1,), (1, 2, 3), (2, 2)):  # a record cannot say this: P-103
        answer = table.do(ChooseDice(1, wrong))
        assert isinstance(answer, Refusal)
        assert (answer.code, answer.clause) == ("dice.wrong_number", "adelaide:9(c).1")
    no = refused(table, "choose 1 6")
    assert (no.code, no.clause) == ("dice.not_in_bowl", "adelaide:9(c).1")
    assert refused(table, "2 choose 1 2").code == "dice.not_held"
    assert only(play(table, "choose 5 2"), DiceChosen) == DiceChosen(1, (5, 2), ClauseId("adelaide:9(c).1"))


@pytest.mark.clause("adelaide:9(c).2")
def test_the_dice_not_chosen_go_back_to_the_cup() -> None:
    """Three stay in the cup; a shooter who chooses again puts the first two back."""
    table = game("adelaide")
    play(table, "shoot", "choose 5 2")
    assert table.state.dice.bowl == (1, 3, 4)
    play(table, "choose 1 3")
    assert (table.state.dice.out, table.state.dice.bowl) == ((1, 3), (2, 4, 5))
    assert equipment("unchosen_dice") == ("dice cup", "adelaide:9(c).2")


# --- Dice that stray ------------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:9(d)(i)")
def test_a_die_off_the_table_is_looked_for_and_the_throw_is_no_roll() -> None:
    """The die is missing until somebody finds it; nothing on the layout moves."""
    table = shooting("bet field 5", "dice-out")
    events = play(table, "die-off 1")
    assert only(events, DieMoved).what == "off"
    assert only(events, NoRollCalled).clause == "adelaide:11(a)(i)"
    assert every(events, DiceThrown) == []
    assert (table.state.dice.off, table.state.phase) == ((1,), "betting")
    assert up(table) == {"pass": 10, "field": 5}


@pytest.mark.clause("adelaide:9(d)(ii).1")
def test_the_shooter_replaces_a_strayed_die_from_the_cup() -> None:
    """One die off: three in the cup to pick from, and the strayed one is not among them."""
    table = shooting("dice-out", "die-off 1")
    assert (table.state.dice.out, table.state.dice.bowl) == ((2,), (3, 4, 5))
    assert refused(table, "choose 1 2").code == "dice.not_in_bowl"
    play(table, "choose 2 5", "roll 6-5")
    assert gain(table) == 10


@pytest.mark.clause("adelaide:9(d)(ii).2")
def test_the_shooter_has_the_old_die_back_once_the_boxman_checked_it() -> None:
    """Found but unchecked it is refused; checked by the boxman it is the shooter's again."""
    table = shooting("dice-out", "die-off 1", "die-found 1")
    assert refused(table, "choose 1 2").code == "dice.not_checked"
    play(table, "die-checked 1 by boxman", "choose 1 2")
    assert table.state.dice.out == (1, 2)


@pytest.mark.clause("adelaide:9(d)(iii)")
@pytest.mark.parametrize("who", ["dealer", "stick", "player", "supervisor"])
def test_a_found_die_is_checked_by_the_boxman(who: str) -> None:
    """Nobody else's look counts: until the boxman's it goes neither into play nor into the cup."""
    table = shooting("dice-out", "die-off 1", "die-found 1")
    no = refused(table, f"die-checked 1 by {who}")
    assert (no.code, no.clause) == ("dice.not_checked", "adelaide:9(d)(iii)")
    assert 1 not in table.state.dice.bowl
    no = refused(table, "choose 1 3")
    assert (no.code, no.clause) == ("dice.not_checked", "adelaide:9(d)(iii)")
    assert only(play(table, "die-checked 1 by boxman"), DieMoved).clause == "adelaide:9(d)(iii)"
    assert 1 in table.state.dice.bowl


@pytest.mark.clause("adelaide:9(d)(iv).1")
def test_one_lost_die_calls_for_a_fresh_set() -> None:
    """With nobody shooting, five new dice come in at once and the four old ones leave."""
    table = game("adelaide")
    events = play(table, "die-off 3", "die-lost 3")
    assert only(events, NewSetDue).clause == "adelaide:9(d)(iv).1"
    assert only(events, NewSetBrought) == NewSetBrought(5, ClauseId("adelaide:9(d)(iv).1"))
    dice = table.state.dice
    assert (dice.bowl, dice.lost, dice.off) == ((1, 2, 3, 4, 5), (), ())


@pytest.mark.clause("adelaide:9(d)(iv).1", "adelaide:13(b).1")
@pytest.mark.parametrize("line", ["pass-dice", "order-pass delay", "leave"])
def test_a_fresh_set_comes_in_whenever_the_dice_are_given_up(line: str) -> None:
    """By choice, by order or by leaving: the next shooter is offered five dice."""
    table = shooting("2 bet pass 10", "roll 4-4", "dice-out", "die-off 1", "die-lost 1")
    assert only(play(table, line), NewSetBrought).dice == 5
    assert table.state.dice.bowl == (1, 2, 3, 4, 5)


@pytest.mark.clause("adelaide:9(d)(iv).2")
def test_the_shooter_may_go_on_with_the_rest_of_the_old_set_until_a_seven_out() -> None:
    """Lost on point 6: no change while this shooter throws, not on a point made; at the 7 out it is mandatory."""
    table = shooting("roll 3-3", "dice-out", "die-off 1")
    events = play(table, "die-lost 1")
    assert len(every(events, NewSetDue)) == 1
    assert every(events, NewSetBrought) == []
    play(table, "choose 2 3")
    assert table.state.dice.bowl == (4, 5)
    for line in ("roll 4-4", "roll 3-3"):
        assert every(play(table, line), NewSetBrought) == []
    events = play(table, "bet pass 10", "roll 4-4") + play(table, "roll 6-1")
    assert [type(event) for event in events[-2:]] == [SevenOut, NewSetBrought]
    assert len(table.state.dice.bowl) == 5


# --- Throwing -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:10.1")
@pytest.mark.parametrize("line", ["bet pass 10", "bet dont_pass 10"])
def test_the_shooter_bets_the_line_before_throwing(line: str) -> None:
    """No Pass or Don't Pass, no throw, whatever else is up; with either the dice may go."""
    table = game("adelaide")
    play(table, "shoot", "choose 1 2", "bet field 10", "bet place_6 12")
    for throw in ("dice-out", "roll 4-4", "throw 4-4 improper"):
        no = refused(table, throw)
        assert (no.code, no.clause) == ("dice.no_shooter", "adelaide:10.1")
    assert only(play(table, line, "roll 4-4"), DiceThrown).thrower == 1


@pytest.mark.clause("adelaide:10.1")
def test_a_shooter_without_a_line_bet_yields_to_one_who_has_it() -> None:
    """Seat 1 took the dice and bet nothing; seat 2 has a Pass Bet and throws."""
    table = game("adelaide", seats=2)
    assert only(play(table, "shoot", "2 bet pass 10", "roll 4-4"), DiceThrown).thrower == 2


@pytest.mark.parametrize(
    ("flaw", "by"),
    [
        pytest.param("not-together", "adelaide:11(b)(i)", marks=pytest.mark.clause("adelaide:10.2")),
        pytest.param("no-end-struck", "adelaide:11(b)(ii)", marks=pytest.mark.clause("adelaide:10.3")),
    ],
)
def test_both_dice_leave_together_and_strike_the_far_end(flaw: str, by: str) -> None:
    """A throw that breaks this may be called no roll, and then nothing on the layout moves."""
    table = shooting("dice-out")
    called = only(play(table, f"no-roll-by boxman {flaw}"), NoRollCalled)
    assert (called.reason, called.clause) == (flaw, by)
    assert (gain(table), up(table), table.puck) == (0, {"pass": 10}, None)
    play(table, f"throw 6-5 {flaw}")
    assert gain(table) == 10


@pytest.mark.clause("adelaide:10.4")
def test_the_shooter_keeps_a_line_bet_up_to_keep_the_dice() -> None:
    """Point 9: the only line bet, a Don't Pass, is taken down and the dice are lost to the next line bettor."""
    table = game("adelaide", seats=2)
    events = play(table, "bet dont_pass 10", "2 bet pass 10", "roll 5-4", "take dont_pass")
    assert only(events, DiceGivenUp) == DiceGivenUp(1, "no line bet", ClauseId("adelaide:10.4"))
    assert table.puck == 9
    assert refused(table, "shoot").code == "dice.needs_line_bet"
    assert only(play(table, "roll 6-6"), DiceThrown).thrower == 2


@pytest.mark.clause("adelaide:10.4")
@pytest.mark.parametrize("lines", [("take dont_pass 5",), ("2 take dont_pass",)])
def test_a_line_bet_that_stays_keeps_the_dice(lines: tuple[str, ...]) -> None:
    """A line bet reduced is still one, and another player's is another player's business."""
    table = game("adelaide", seats=3)
    play(table, "bet dont_pass 10", "2 bet dont_pass 10", "3 bet pass 10", "roll 5-4", *lines)
    assert table.shooter == 1
    table = game("adelaide", seats=2)
    play(table, "bet dont_pass 10", "bet pass 10", "2 bet pass 10", "roll 5-4", "take dont_pass")
    assert table.shooter == 1


# --- Giving the dice up ---------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:13(a)")
def test_the_shooter_may_pass_the_dice_after_any_roll() -> None:
    """With a point on or on a come-out; the point and every bet stay for the next shooter."""
    table = game("adelaide", seats=2)
    play(table, "bet pass 10", "2 bet pass 10", "bet place_8 12", "roll 3-3")
    assert only(play(table, "pass-dice"), DiceGivenUp) == DiceGivenUp(1, "by choice", ClauseId("adelaide:13(a)"))
    assert (table.puck, up(table), up(table, 2)) == (6, {"pass": 10, "place_8": 12}, {"pass": 10})
    events = play(table, "roll 4-2")
    assert only(events, DiceThrown).thrower == 2
    assert gain(table) == 10
    play(table, "2 pass-dice")
    assert table.shooter is None
    assert refused(table, "2 pass-dice").code == "dice.not_held"


@pytest.mark.clause("adelaide:13(a)")
def test_a_shooter_who_does_not_pass_keeps_the_dice() -> None:
    """Points made, craps and come-out sevens leave the dice where they are."""
    table = shooting("2 bet pass 50", "roll 4-4", "roll 4-4", "bet pass 10", "roll 6-6", "bet pass 10", "roll 6-1")
    assert table.shooter == 1
    assert only(play(table, "bet pass 10", "dice-out"), DiceSent).thrower == 1


@pytest.mark.clause("adelaide:13(a)(i)")
def test_a_seven_out_takes_the_dice() -> None:
    """Come-out 8, then 7: the dice pass. A come-out 7 does not take them."""
    table = shooting("2 bet dont_pass 10", "roll 4-4")
    assert only(play(table, "roll 5-2"), SevenOut) == SevenOut(1, ClauseId("adelaide:13(a)(i)"))
    assert (table.shooter, table.state.dice.out) == (None, ())
    play(table, "bet pass 10", "2 bet pass 10")
    assert only(play(table, "roll 6-1"), DiceThrown).thrower == 2
    assert table.shooter == 2


@pytest.mark.clause("adelaide:13(a)(ii)")
@pytest.mark.parametrize("reason", ["delay", "invalid rolls", "breach"])
def test_the_boxman_may_make_the_shooter_pass(reason: str) -> None:
    """For delay, for repeated invalid rolls or for a breach of the rules; the point and the bets stay."""
    table = shooting("2 bet pass 10", "roll 4-4")
    events = play(table, f"order-pass {reason}")
    assert only(events, DiceGivenUp) == DiceGivenUp(1, "by order", ClauseId("adelaide:13(a)(ii)"))
    assert only(events, DiceOffered).seat == 2
    assert (table.puck, up(table)) == (8, {"pass": 10})
    assert only(play(table, "roll 6-6"), DiceThrown).thrower == 2


@pytest.mark.clause("adelaide:13(a)(ii)")
def test_nobody_but_the_boxman_may() -> None:
    """A dealer, the stickman, a supervisor or an inspector who orders it is refused, and the dice stay."""
    table = shooting("2 bet pass 10", "roll 4-4")
    for role in ("dealer", "stick", "supervisor", "inspector"):
        no = refused(table, f"order-pass delay by {role}")
        assert (no.code, no.clause, table.shooter) == ("order.by", "adelaide:13(a)(ii)", 1)
    assert only(play(table, "order-pass delay by box"), DiceGivenUp).seat == 1


@pytest.mark.clause("adelaide:13(a)(ii)")
def test_the_boxman_needs_a_reason_of_the_book() -> None:
    """Winning too much is none."""
    table = shooting("roll 4-4")
    no = refused(table, "order-pass winning")
    assert (no.code, no.clause) == ("order.reason", "adelaide:13(a)(ii)")
    assert table.shooter == 1


@pytest.mark.clause("adelaide:13(b).1")
@pytest.mark.parametrize("give_up", ["4 pass-dice", "order-pass breach"])
@pytest.mark.parametrize("puck", ["on", "off"])
def test_the_dice_go_left_to_the_next_player_with_a_line_bet(give_up: str, puck: str) -> None:
    """Seat 4 gives up; seat 5 has no line bet, seat 6 has: all five dice are offered to seat 6."""
    table = game("adelaide", seats=(2, 4, 5, 6))
    play(table, "4 shoot", "4 choose 1 2", "4 bet pass 10", "roll 6-1", "4 bet pass 10", "6 bet pass 10")
    play(table, "5 bet place_6 12", "2 bet dont_pass 10", *(("roll 4-4",) if puck == "on" else ()))
    assert only(play(table, give_up), DiceOffered) == DiceOffered(6, ClauseId("adelaide:13(b).1"))
    assert table.state.dice.bowl == (1, 2, 3, 4, 5)
    if puck == "on":
        assert refused(table, "5 shoot").code == "dice.needs_line_bet"
    assert only(play(table, "6 shoot"), DiceTaken) == DiceTaken(6, ClauseId("adelaide:13(b).1"))


@pytest.mark.clause("adelaide:13(b).2")
def test_a_refused_offer_goes_on_clockwise_among_line_bettors() -> None:
    """Seat 6 declines; seat 7 has no line bet, seat 8 has, and after seat 8 it is seat 2's turn."""
    table = game("adelaide", seats=(2, 4, 6, 7, 8))
    for seat in (2, 4, 6, 8):
        play(table, f"{seat} bet pass 10")
    play(table, "7 bet field 10", "2 decline", "4 shoot", "roll 5-4", "4 pass-dice")
    assert only(play(table, "6 decline"), DiceOffered) == DiceOffered(8, ClauseId("adelaide:13(b).2"))
    assert only(play(table, "8 decline"), DiceOffered).seat == 2


@pytest.mark.clause("adelaide:13(c).1", "adelaide:13(c).2")
def test_the_first_to_accept_is_the_new_shooter_and_chooses_two_dice() -> None:
    """Seat 2 takes them and picks two of five; the old shooter picks no more; three go back to the cup."""
    table = shooting("2 bet pass 10", "roll 4-4", "pass-dice")
    assert refused(table, "2 choose 1 2").code == "dice.not_held"
    play(table, "2 shoot")
    assert table.shooter == 2
    assert refused(table, "choose 1 2").code == "dice.not_held"
    assert only(play(table, "2 choose 3 5"), DiceChosen).dice == (3, 5)
    assert table.state.dice.bowl == (1, 2, 4)
    assert equipment("returned_dice") == ("dice cup", "adelaide:13(c).2")
    assert only(play(table, "roll 6-6"), DiceThrown).thrower == 2
