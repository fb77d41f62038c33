"""Parts 3 and 4: who gets the dice, which dice, for how long, and what is called when they rest."""

from __future__ import annotations

import pytest

from passline.engine.commands import ChooseDice
from passline.engine.events import (
    DiceChosen,
    DiceGivenUp,
    DiceOffered,
    DiceTaken,
    DiceThrown,
    DieMoved,
    FaceDoubted,
    FaceRead,
    NewSetBrought,
    NewSetDue,
    NoRollCalled,
    PuckTurned,
    SevenOut,
    WagerLost,
    WagerTravelled,
    WagerWon,
)
from passline.engine.refusals import Refusal
from passline.engine.values import ClauseId
from tests.clauses.sydney.felt import at, cited
from tests.clauses.table_helpers import every, gain, only, play, refused, up

# --- The offer ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:3.2.1")
def test_the_first_offer_goes_to_the_boxpersons_left() -> None:
    """At the start the dice are offered to the lowest seat, whoever sat down first or bet first."""
    table = at("3 bet pass 10", "2 bet pass 10", seats=(3, 2, 1))
    assert only(play(table, "3 decline"), DiceOffered) == DiceOffered(1, ClauseId("sydney:3.2.2"))
    assert cited("equipment", "first_seat") == ("immediately left of the boxperson", "sydney:3.2.1")


@pytest.mark.clause("sydney:3.2.1")
def test_the_first_throw_is_the_first_seats() -> None:
    """If nobody says otherwise the first dice go to the first seat, by the rule of the first offer."""
    table = at("3 bet pass 10", "1 bet dont_pass 10", "2 bet pass 10", seats=(3, 2, 1))
    assert only(play(table, "roll 6-5"), DiceTaken) == DiceTaken(1, ClauseId("sydney:3.2.1"))


@pytest.mark.clause("sydney:3.2.2")
def test_a_refused_offer_moves_clockwise_until_somebody_accepts() -> None:
    """Seats 1 to 3 refuse one after the other and seat 4 accepts: the shooter is seat 4."""
    table = at(seats=5)
    asked = [only(play(table, f"{seat} decline"), DiceOffered).seat for seat in (1, 2, 3)]
    assert asked == [2, 3, 4]
    assert only(play(table, "4 shoot"), DiceTaken).seat == 4
    assert table.shooter == 4


# --- Choosing, losing and finding dice ------------------------------------------------------------------------------


@pytest.mark.clause("sydney:3.3.1")
def test_the_shooter_picks_two_dice() -> None:
    """Whoever accepts becomes the shooter and picks two of the five; one, three or the same one twice will not do."""
    table = at("bet pass 10", "2 bet pass 10", "2 shoot", seats=2)
    for wrong in ((1,), (1, 2, 3), (4, 4)):  # a record cannot say this: P-103
        refusal = table.do(ChooseDice(2, wrong))
        assert isinstance(refusal, Refusal)
        assert (refusal.code, refusal.clause) == ("dice.wrong_number", "sydney:3.3.1")
    assert refused(table, "2 choose 1 6").code == "dice.not_in_bowl"
    assert refused(table, "1 choose 1 2").code == "dice.not_held"
    assert only(play(table, "2 choose 2 5"), DiceChosen) == DiceChosen(2, (2, 5), ClauseId("sydney:3.3.1"))


@pytest.mark.clause("sydney:3.3.2")
def test_the_unpicked_dice_go_to_the_bowl_in_front_of_the_stickperson() -> None:
    """Three dice are left in the bowl, and the bowl is the stickperson's."""
    table = at("bet pass 10", "shoot", "choose 1 4")
    assert table.state.dice.out == (1, 4)
    assert table.state.dice.bowl == (2, 3, 5)
    assert cited("equipment", "unchosen_dice") == ("dice bowl", "sydney:3.3.2")
    assert cited("equipment", "dice_holder_place") == ("in front of the stickperson", "sydney:3.3.2")


@pytest.mark.clause("sydney:3.4.1")
def test_a_die_off_the_table_is_looked_for_and_the_throw_is_void() -> None:
    """A die that leaves the table in the throw is out of play until it is found, and it is a no roll."""
    table = at("bet pass 10", "shoot", "choose 1 2", "dice-out")
    events = play(table, "die-off 2")
    assert only(events, DieMoved).what == "off"
    assert only(events, NoRollCalled).clause == "sydney:5.3.1"
    assert table.state.dice.off == (2,)
    assert 2 not in table.state.dice.bowl
    assert up(table) == {"pass": 10}
    assert refused(table, "choose 1 2").code == "dice.not_in_bowl"


@pytest.mark.clause("sydney:3.4.2")
def test_the_shooter_may_go_on_with_other_dice() -> None:
    """With a die away the rest are offered: the shooter chooses among them and throws on."""
    table = at("bet pass 10", "shoot", "choose 1 2", "dice-out", "die-off 2", "choose 1 3")
    assert table.state.dice.out == (1, 3)
    assert only(play(table, "roll 6-5"), DiceThrown).thrower == 1


@pytest.mark.clause("sydney:3.4.2")
def test_the_shooter_may_ask_for_the_original_dice() -> None:
    """Or the shooter waits: found and checked, the original die is there to be chosen again."""
    table = at("bet pass 10", "shoot", "choose 1 2", "dice-out", "die-off 2", "die-found 2", "die-checked 2 by box")
    play(table, "choose 1 2")
    assert table.state.dice.out == (1, 2)


@pytest.mark.clause("sydney:3.5")
@pytest.mark.parametrize("wrong", ["dealer", "stick", "inspector", "player"])
def test_found_dice_are_checked_by_the_boxperson(wrong: str) -> None:
    """A found die is checked by the boxperson and by nobody else."""
    table = at("bet pass 10", "shoot", "choose 1 2", "die-off 2", "die-found 2")
    refusal = refused(table, f"die-checked 2 by {wrong}")
    assert (refusal.code, refusal.clause) == ("dice.not_checked", "sydney:3.5")
    assert only(play(table, "die-checked 2 by box"), DieMoved) == DieMoved(2, "checked", ClauseId("sydney:3.5"))


@pytest.mark.clause("sydney:3.5.1")
def test_a_checked_die_goes_back_on_request_and_not_before() -> None:
    """The shooter who asks for a found die gets it once it is checked."""
    table = at("bet pass 10", "shoot", "choose 1 2", "die-off 2", "die-found 2")
    refusal = refused(table, "choose 1 2")
    assert (refusal.code, refusal.clause) == ("dice.not_checked", "sydney:3.5")
    play(table, "die-checked 2 by box", "choose 1 2")
    assert table.state.dice.out == (1, 2)


@pytest.mark.clause("sydney:3.5.2")
def test_a_checked_die_nobody_asks_for_goes_to_the_bowl() -> None:
    """Found and checked, a die lies in the bowl again unless the shooter asks for it."""
    table = at("bet pass 10", "shoot", "choose 1 2", "die-off 2", "choose 1 3", "die-found 2")
    assert set(table.state.dice.bowl) == {4, 5}
    play(table, "die-checked 2 by box")
    assert set(table.state.dice.bowl) == {2, 4, 5}
    assert cited("equipment", "found_dice") == ("dice bowl", "sydney:3.5.2")


@pytest.mark.clause("sydney:3.6.1")
def test_two_lost_dice_bring_a_new_set() -> None:
    """When two dice are lost five new ones come in and the three left of the old set go."""
    table = at("bet pass 10", "roll 4-2", "die-off 1", "die-lost 1", "die-off 2")
    assert only(play(table, "die-lost 2"), NewSetDue).clause == "sydney:3.6.1"
    play(table, "choose 3 4")
    brought = only(play(table, "roll 4-3"), NewSetBrought)
    assert (brought.dice, brought.clause) == (5, "sydney:3.6.1")
    assert table.state.dice.bowl == (1, 2, 3, 4, 5)
    assert table.state.dice.lost == ()


@pytest.mark.clause("sydney:3.6.1")
def test_one_lost_die_brings_no_new_set_before_the_shooter_changes() -> None:
    """With one die lost play goes on with the other four; nobody holding the dice, two are needed for a new set."""
    table = at("bet pass 10", "shoot", "choose 1 2", "roll 4-2", "die-off 1")
    due = only(play(table, "die-lost 1"), NewSetDue)
    assert due.clause == "P-101"
    assert set(table.state.dice.bowl) == {3, 4, 5}
    play(table, "choose 2 3", "roll 5-4")
    assert only(play(table, "roll 4-3"), NewSetBrought).dice == 5
    assert table.state.dice.bowl == (1, 2, 3, 4, 5)
    assert not every(play(table, "die-off 1", "die-lost 1"), NewSetBrought)
    assert every(play(table, "die-off 2", "die-lost 2"), NewSetBrought)


@pytest.mark.clause("sydney:3.6.2")
@pytest.mark.parametrize("until", ["roll 4-3", "pass-dice"], ids=["7 out", "passed"])
def test_the_shooter_goes_on_with_what_is_left_of_the_old_set(until: str) -> None:
    """The shooter keeps the point and throws two of the three old dice until the dice are given up."""
    table = at("bet pass 10", "shoot", "choose 1 2", "roll 4-2", "die-off 1", "die-lost 1", "die-off 2", "die-lost 2")
    assert (table.shooter, table.puck) == (1, 6)
    assert table.state.dice.bowl == (3, 4, 5)
    play(table, "choose 3 4")
    events = play(table, "roll 5-4")
    assert only(events, DiceThrown).thrower == 1
    assert not every(events, NewSetBrought)
    assert only(play(table, until), NewSetBrought).dice == 5


# --- Passing the dice -----------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:3.7")
def test_the_shooter_may_pass_the_dice_after_any_roll() -> None:
    """With the point of 9 on the shooter passes the dice: point and bets stay for the next shooter."""
    table = at("bet pass 10", "2 bet pass 10", "bet place_6 12", "roll 5-4", "roll 6-5", seats=2)
    given = only(play(table, "pass-dice"), DiceGivenUp)
    assert (given.seat, given.why, given.clause) == (1, "by choice", "sydney:3.7")
    assert table.puck == 9
    assert up(table) == {"pass": 10, "place_6": 12}
    assert only(play(table, "roll 6-3"), DiceThrown).thrower == 2
    assert gain(table) == 10


@pytest.mark.clause("sydney:3.7")
def test_the_shooter_may_stay() -> None:
    """A shooter who says nothing throws again, also after making the point."""
    table = at("bet pass 10", "2 bet pass 10", "roll 5-4", "roll 6-3", "bet pass 10", "2 bet pass 10", seats=2)
    assert only(play(table, "roll 6-5"), DiceThrown).thrower == 1


@pytest.mark.clause("sydney:3.7")
def test_only_the_shooter_can_pass_the_dice() -> None:
    """Nobody gives up dice that somebody else holds."""
    table = at("bet pass 10", "2 bet pass 10", "roll 5-4", seats=2)
    assert refused(table, "2 pass-dice").code == "dice.not_held"


@pytest.mark.clause("sydney:3.7.1")
def test_the_dice_must_be_passed_on_a_7_out() -> None:
    """Point 9, then 6-1: the dice leave the shooter and the next line bettor throws."""
    table = at("bet pass 10", "2 bet pass 10", "roll 5-4", seats=2)
    assert only(play(table, "roll 6-1"), SevenOut) == SevenOut(1, ClauseId("sydney:3.7.1"))
    assert table.shooter is None
    play(table, "bet pass 10", "2 bet pass 10")
    assert only(play(table, "roll 5-4"), DiceThrown).thrower == 2


@pytest.mark.clause("sydney:3.7.1")
@pytest.mark.parametrize("line", ["roll 1-1", "roll 4-3", "roll 6-6"])
def test_nothing_but_a_7_out_takes_the_dice_away(line: str) -> None:
    """Craps and 7 on the come out leave the dice with the shooter."""
    table = at("bet pass 10", line)
    assert table.shooter == 1


@pytest.mark.clause("sydney:3.7.2")
@pytest.mark.parametrize("reason", ["delay", "invalid rolls", "breach"])
def test_the_boxperson_may_order_the_dice_passed(reason: str) -> None:
    """Unreasonable delay, repeated invalid rolls and a breach of the rules each cost the shooter the dice."""
    table = at("bet pass 10", "2 bet pass 10", "roll 5-4", seats=2)
    given = only(play(table, f"order-pass {reason}"), DiceGivenUp)
    assert (given.seat, given.why, given.clause) == (1, "by order", "sydney:3.7.2")
    assert table.puck == 9
    assert only(play(table, "roll 6-5"), DiceThrown).thrower == 2


@pytest.mark.clause("sydney:3.7.2")
def test_nobody_but_the_boxperson_may_order_it() -> None:
    """A dealer, the stickperson, a supervisor or an inspector is refused, and the shooter keeps the dice."""
    table = at("bet pass 10", "2 bet pass 10", "roll 5-4", seats=2)
    for role in ("dealer", "stick", "supervisor", "inspector"):
        refusal = refused(table, f"order-pass delay by {role}")
        assert (refusal.code, refusal.clause, table.shooter) == ("order.by", "sydney:3.7.2", 1)
    assert only(play(table, "order-pass delay by box"), DiceGivenUp).seat == 1


@pytest.mark.clause("sydney:3.7.2")
def test_no_other_reason_takes_the_dice_away() -> None:
    """A shooter who is merely lucky keeps the dice."""
    table = at("bet pass 10", "roll 5-4")
    refusal = refused(table, "order-pass luck")
    assert (refusal.code, refusal.clause) == ("order.reason", "sydney:3.7.2")
    assert table.shooter == 1


@pytest.mark.clause("sydney:3.8.1")
def test_passed_dice_go_to_the_next_player_with_a_line_wager() -> None:
    """Seat 4 gives the dice up: seat 5 has no line wager, so seat 6 with a Don't Win is asked."""
    table = at("4 shoot", "4 bet pass 10", "5 bet field 10", "6 bet dont_pass 10", "7 bet pass 10", seats=(4, 5, 6, 7))
    play(table, "roll 5-4")
    assert only(play(table, "4 pass-dice"), DiceOffered) == DiceOffered(6, ClauseId("sydney:3.8.1"))
    assert refused(table, "5 shoot").code == "dice.needs_line_bet"
    assert only(play(table, "6 shoot"), DiceTaken) == DiceTaken(6, ClauseId("sydney:3.8.1"))


@pytest.mark.clause("sydney:3.8.1")
def test_between_hands_too_the_dice_go_to_a_line_wager() -> None:
    """On a come out, once line wagers are up, a player without one is passed over."""
    table = at("4 shoot", "4 bet pass 10", "6 bet pass 10", "roll 6-5", seats=(4, 5, 6))
    play(table, "4 bet pass 10", "5 bet field 10", "6 bet dont_pass 10")
    assert only(play(table, "4 pass-dice"), DiceOffered) == DiceOffered(6, ClauseId("sydney:3.8.1"))


@pytest.mark.clause("sydney:3.8.2")
def test_refused_again_the_dice_go_on_clockwise() -> None:
    """Seat 6 gives the dice up, 7 refuses, 8 has no such wager, 9 refuses: round the table to seat 2."""
    table = at("6 shoot", "6 bet pass 10", "7 bet pass 10", "8 bet field 10", seats=(2, 6, 7, 8, 9))
    play(table, "9 bet dont_pass 10", "2 bet pass 10", "roll 5-4")
    asked = [only(play(table, line), DiceOffered).seat for line in ("6 pass-dice", "7 decline", "9 decline")]
    assert asked == [7, 9, 2]
    assert only(play(table, "roll 6-5"), DiceThrown).thrower == 2


# --- The stickperson throws -----------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:3.9")
def test_the_stickperson_throws_while_wagers_are_undecided() -> None:
    """Nobody may shoot and a Come stands on 5: the stickperson throws 8 and 5, the Come wins, and that is that.

    The point of 9 is still on with nothing up, so a player finishes the hand (P-93).
    """
    table = at("bet dont_pass 10", "roll 5-4", "bet come 10", "roll 3-2", "take dont_pass")
    assert table.shooter is None
    first = play(table, "roll 6-2")
    assert only(first, DiceThrown).thrower is None
    assert not every(first, NoRollCalled)
    won = only(play(table, "roll 4-1"), WagerWon, wager="come_5")
    assert won.won == 1000
    assert gain(table) == 10
    assert only(play(table, "roll 6-2"), DiceThrown).thrower == 1


@pytest.mark.clause("sydney:3.9")
def test_the_stickperson_throws_when_every_player_refuses() -> None:
    """Line bettors who all decline leave the throw to the stickperson, and a 7 out ends it."""
    table = at("bet pass 10", "2 bet pass 10", "roll 5-4", seats=2)
    play(table, "1 decline", "2 decline")
    assert only(play(table, "roll 4-2"), DiceThrown).thrower is None
    play(table, "1 decline", "2 decline")
    events = play(table, "roll 4-3")
    assert only(events, SevenOut).shooter is None
    assert up(table) == {}


@pytest.mark.clause("sydney:3.9")
def test_a_player_who_will_throw_comes_before_the_stickperson() -> None:
    """As long as a line bettor is willing the stickperson does not throw."""
    table = at("bet pass 10", "2 bet pass 10", "roll 5-4", "1 decline", seats=2)
    assert only(play(table, "roll 4-2"), DiceThrown).thrower == 2


# --- Who may throw --------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:4.1")
def test_only_a_player_with_a_line_wager_may_throw() -> None:
    """A player without a Win Line or Don't Win gets no dice with a point on, and no throw on a come out."""
    table = at("bet pass 10", "2 bet field 10", "roll 5-4", "pass-dice", seats=2)
    refusal = refused(table, "2 shoot")
    assert (refusal.code, refusal.clause) == ("dice.needs_line_bet", "sydney:4.1")
    opening = at("2 shoot", "2 bet field 10", "1 bet dont_pass 10", seats=2)
    assert only(play(opening, "roll 5-4"), DiceThrown).thrower == 1


@pytest.mark.clause("sydney:4.1")
def test_nobody_throws_without_a_wager() -> None:
    """Without any line wager, and nothing else to decide, there is no throw."""
    refusal = refused(at("shoot"), "roll 6-5")
    assert (refusal.code, refusal.clause) == ("dice.no_shooter", "sydney:4.1")


@pytest.mark.clause("sydney:4.1")
@pytest.mark.parametrize("wager", ["pass", "dont_pass"])
def test_either_line_wager_will_do(wager: str) -> None:
    """Win Line or Don't Win: both let their player throw."""
    assert only(play(at(f"bet {wager} 10"), "roll 5-4"), DiceThrown).thrower == 1


@pytest.mark.clause("sydney:4.2.1")
def test_dice_released_apart_may_be_called_a_no_roll() -> None:
    """Dice that do not leave the hand together break the manner of the throw; the call then voids it."""
    table = at("bet pass 10", "dice-out")
    assert only(play(table, "no-roll-by stick not-together"), NoRollCalled).clause == "sydney:5.2.1"
    assert up(table) == {"pass": 10}
    assert not every(play(table, "throw 6-5 not-together"), NoRollCalled)


@pytest.mark.clause("sydney:4.2.2")
def test_a_throw_short_of_the_far_end_may_be_called_a_no_roll() -> None:
    """A throw that is not meant for the far end may be called; uncalled, it counts."""
    table = at("bet pass 10", "dice-out")
    assert only(play(table, "no-roll-by box no-end-struck"), NoRollCalled).clause == "sydney:5.2.2"
    assert up(table) == {"pass": 10}
    assert not every(play(table, "throw 6-5 no-end-struck"), NoRollCalled)


@pytest.mark.clause("sydney:4.3")
def test_a_shooter_without_a_line_wager_loses_the_dice() -> None:
    """With the point of 4 on the shooter removes the only Don't Win, and the dice with it."""
    table = at("bet dont_pass 10", "2 bet pass 10", "roll 3-1", seats=2)
    given = only(play(table, "take dont_pass"), DiceGivenUp)
    assert (given.seat, given.why, given.clause) == (1, "no line bet", "sydney:4.3")
    assert table.puck == 4
    assert only(play(table, "roll 5-4"), DiceThrown).thrower == 2


@pytest.mark.clause("sydney:4.3")
@pytest.mark.parametrize("line", ["take dont_pass 5", "take dont_pass"], ids=["reduced", "a Win Line stays"])
def test_a_shooter_with_a_line_wager_left_goes_on(line: str) -> None:
    """Lowering the wager, or taking it down beside another line wager, leaves the dice where they are."""
    other = [] if line.endswith("5") else ["bet pass 10"]
    table = at(*other, "bet dont_pass 10", "2 bet pass 10", "roll 3-1", seats=2)
    assert not every(play(table, line), DiceGivenUp)
    assert table.shooter == 1


# --- The call -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:4.4.1")
def test_the_stickperson_calls_the_total_at_once() -> None:
    """5-4 is called nine before anything is settled."""
    table = at("bet pass 10", "bet field 10")
    events = play(table, "roll 5-4")
    called = only(events, DiceThrown)
    assert called.total == 9
    assert "nine" in table.say(called).lower()
    assert events.index(called) < events.index(only(events, WagerWon, wager="field"))
    assert cited("equipment", "total_called_by") == ("stick", "sydney:4.4.1")


@pytest.mark.clause("sydney:4.4.2")
@pytest.mark.parametrize(("leaning", "face"), [(1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (6, 1)])
def test_a_leaning_die_is_read_opposite_the_obstruction(leaning: int, face: int) -> None:
    """A die whose 2 leans against chips counts as 5, and the throw is settled so."""
    table = at("bet pass 10", "bet field 10")
    events = play(table, f"cocked 4 {leaning}")
    assert only(events, FaceRead) == FaceRead(face, ClauseId("sydney:4.4.2"))
    assert only(events, DiceThrown).total == 4 + face
    assert not every(events, NoRollCalled)


@pytest.mark.clause("sydney:4.4.3")
def test_the_boxpersons_ruling_on_a_face_is_final() -> None:
    """A disputed die is ruled a 5: 4 and 5 are settled as 9, there is no throwing again and no second ruling."""
    table = at("bet pass 10", "bet field 10")
    assert only(play(table, "dispute 4"), FaceDoubted).clause == "sydney:4.4.3"
    again = refused(table, "rule void")
    assert (again.code, again.clause) == ("rule.no_void", "sydney:4.4.3")
    events = play(table, "rule 5")
    assert only(events, FaceRead) == FaceRead(5, ClauseId("sydney:4.4.3"))
    assert only(events, DiceThrown).total == 9
    assert gain(table) == 10
    assert refused(table, "rule 6").code == "phase.not_disputed"


@pytest.mark.clause("sydney:4.4.3")
def test_nobody_but_the_boxperson_rules_on_a_face() -> None:
    """Whoever else of the crew names it is refused, and it stays in doubt."""
    table = at("bet pass 10", "dispute 4")
    for role in ("dealer", "stick", "supervisor", "inspector"):
        refusal = refused(table, f"rule 5 by {role}")
        assert (refusal.code, refusal.clause) == ("rule.by", "sydney:4.4.3")
    assert only(play(table, "rule 5 by box"), FaceRead).face == 5


@pytest.mark.clause("sydney:4.5.1")
def test_the_dice_come_to_the_centre_after_the_call() -> None:
    """After the call, and before anything is settled, the dice lie at the centre with the stickperson."""
    assert cited("equipment", "dice_after_call") == ("centre", "sydney:4.5.1")
    table = at("bet pass 10", "dice-out")
    events = play(table, "roll 6-5")
    assert isinstance(events[0], DiceThrown)
    assert table.state.phase == "betting"


@pytest.mark.clause("sydney:4.5.2")
def test_everything_is_settled_before_the_dice_go_on() -> None:
    """Wagers that the throw decided are paid and collected first; then bets travel, then puck and dice move."""
    table = at("bet pass 10", "roll 5-4", "bet come 10", "roll 4-2", "bet come 10", "bet field 10", "bet place_8 12")
    events = play(table, "roll 4-3")
    kinds = [type(event) for event in events]
    assert kinds[0] is DiceThrown
    settled = max(at for at, kind in enumerate(kinds) if kind in (WagerWon, WagerLost))
    assert settled < kinds.index(PuckTurned) < kinds.index(SevenOut)
    assert up(table) == {}


@pytest.mark.clause("sydney:4.5.2")
def test_a_bet_travels_after_everything_is_paid() -> None:
    """An old Come on 6 is paid before the new one moves there."""
    table = at("bet pass 10", "roll 5-4", "bet come 10", "roll 4-2", "bet come 20")
    events = play(table, "roll 5-1")
    paid, moved = only(events, WagerWon, wager="come_6"), only(events, WagerTravelled)
    assert events.index(paid) < events.index(moved)
    assert up(table) == {"pass": 10, "come_6": 20}


@pytest.mark.clause("sydney:4.5.2")
def test_no_dice_while_a_throw_is_unsettled() -> None:
    """While a face is in doubt nothing is thrown, and dice already out are not sent again."""
    table = at("bet pass 10", "dispute 4")
    assert refused(table, "roll 3-3").code == "phase.disputed"
    assert isinstance(table.dice_out(), Refusal)
    play(table, "rule 2", "dice-out")
    assert refused(table, "dice-out").code == "phase.dice_out"
