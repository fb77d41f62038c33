"""The shooter, the dice and what spoils a throw: `shooter`, `dice` and `no-roll`."""

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
    SevenOut,
)
from passline.engine.refusals import Refusal
from passline.table import Table
from tests.clauses.crapless.felt import CRAPLESS, ROLES, SEVEN, at, cited, net
from tests.clauses.table_helpers import case, gain, only, play, refused, up

# --- The shooter ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("crapless:shooter.first")
def test_the_first_dice_go_to_the_stickmans_left_and_round() -> None:
    """The lowest seat, then clockwise until somebody takes them."""
    table = at(seats=(3, 2, 5))
    assert only(play(table, "2 decline"), DiceOffered) == DiceOffered(3, CRAPLESS.book.shooter.first_refused)
    assert CRAPLESS.book.shooter.first_refused == "crapless:shooter.first"
    assert only(play(table, "3 decline"), DiceOffered).seat == 5
    thrown = at("3 bet pass 15", "2 bet pass 15", seats=(3, 2, 5))
    taken = only(play(thrown, "roll 5-4"), DiceTaken)
    assert (taken.seat, taken.clause) == (2, "crapless:shooter.first")


@pytest.mark.clause("crapless:shooter.next")
def test_after_a_hand_the_dice_go_clockwise_to_whoever_wants_them() -> None:
    """The next seat is asked, line bet or not, and the one after it if it says no."""
    table = at("2 shoot", "2 bet pass 15", "4 bet pass 15", "roll 5-4", SEVEN, "4 bet pass 15", seats=(2, 3, 4))
    asked = only(play(table, "3 decline"), DiceOffered)
    assert (asked.seat, asked.clause) == (4, "crapless:shooter.next")
    table = at("2 shoot", "2 bet pass 15", "4 bet pass 15", SEVEN, "4 bet pass 15", seats=(2, 3, 4))
    asked = only(play(table, "2 pass-dice"), DiceOffered)
    assert (asked.seat, asked.clause) == (3, "crapless:shooter.next")
    assert only(play(table, "roll 5-4"), DiceTaken).seat == 4


@pytest.mark.clause("crapless:shooter.line")
def test_a_shooter_needs_a_pass_line_bet() -> None:
    """There is no other line bet, and no other bet will do."""
    assert CRAPLESS.layout.line == ("pass",)
    assert only(play(at("bet pass 15"), "roll 5-4"), DiceThrown).thrower == 1
    no = refused(at("bet field 15", "bet place_6 30"), "roll 5-4")
    assert (no.code, no.clause) == ("dice.no_shooter", "crapless:shooter.line")
    table = at("2 bet pass 15", "3 bet pass 15", "roll 5-4", "2 pass-dice", seats=3)
    assert refused(table, "shoot").clause == "crapless:shooter.line"


@pytest.mark.clause("crapless:shooter.hand")
def test_a_shooter_keeps_the_dice_until_a_seven_out() -> None:
    """Through come-out sevens and points made."""
    table = at("bet pass 15", "2 bet pass 15", seats=2)
    for throw in (SEVEN, "roll 6-6", "roll 5-4", "roll 6-6", "roll 1-1", "roll 1-1"):
        play(table, *(() if table.puck else ("bet pass 15",)), throw)
        assert table.shooter == 1
    play(table, "bet pass 15", "roll 5-4")
    out = only(play(table, SEVEN), SevenOut)
    assert (out.shooter, out.clause) == (1, "crapless:shooter.hand")
    assert not table.shooter


@pytest.mark.clause("crapless:shooter.choice")
@pytest.mark.parametrize("throw", [SEVEN, "roll 5-4"])
def test_a_shooter_may_pass_the_dice_after_any_roll(throw: str) -> None:
    """On a come-out, or with a point on."""
    table = at("bet pass 15", "2 bet pass 15", throw, seats=2)
    given = only(play(table, "pass-dice"), DiceGivenUp)
    assert (given.seat, given.why, given.clause) == (1, "by choice", "crapless:shooter.choice")


@pytest.mark.clause("crapless:shooter.order")
@pytest.mark.parametrize("reason", ["delay", "invalid rolls", "breach"])
def test_the_boxman_may_pass_the_dice_on(reason: str) -> None:
    """For these three reasons and no other; nobody else may."""
    table = at("bet pass 15", "2 bet pass 15", "roll 5-4", seats=2)
    for role in (role for role in ROLES if role != "box"):
        no = refused(table, f"order-pass {reason} by {role}")
        assert (no.code, no.clause) == ("order.by", "crapless:shooter.order")
    no = refused(table, "order-pass luck by box")
    assert (no.code, no.clause) == ("order.reason", "crapless:shooter.order")
    given = only(play(table, f"order-pass {reason} by box"), DiceGivenUp)
    assert (given.seat, given.why, given.clause) == (1, "by order", "crapless:shooter.order")


@pytest.mark.clause("crapless:shooter.nobody")
def test_when_nobody_wants_the_dice_the_game_waits() -> None:
    """Neither the stickman nor the last shooter throws for those who will not, nor for come bets alone."""
    table = at("bet pass 15", "bet place_6 60", "decline")
    assert refused(table, "roll 5-4").code == "dice.no_shooter"
    habits = CRAPLESS.book.shooter
    assert (habits.no_shooter.value, habits.no_shooter.clause) == ("wait", "crapless:shooter.nobody")
    come = at("bet pass 15", "roll 5-4", "bet come 15", "roll 5-1", "roll 6-3")
    assert up(come) == {"come_6": 15}
    assert refused(come, "roll 5-1").code == "dice.no_shooter"


# --- The dice -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("crapless:dice.set")
def test_five_to_eight_dice_of_which_the_shooter_picks_two() -> None:
    """No fewer, no more; and two different ones."""
    for dice in (5, 6, 7, 8):
        assert Table(CRAPLESS, dice=dice).state.dice.in_set == dice
    for dice in (4, 9):
        with pytest.raises(ValueError, match="dice"):
            Table(CRAPLESS, dice=dice)
    table = at("bet pass 15", "shoot")
    for wrong in ((1,), (1, 2, 3), (1, 1)):
        assert isinstance(table.do(ChooseDice(1, wrong)), Refusal)
    chosen = only(play(table, "choose 1 5"), DiceChosen)
    assert (chosen.dice, chosen.clause) == ((1, 5), "crapless:dice.set")
    assert refused(at("bet pass 15", "shoot"), "choose 1 6").clause == "crapless:dice.set"


def astray() -> Table:
    """A table whose shooter threw die 1 off the layout."""
    return at("bet pass 15", "shoot", "choose 1 2", "roll 5-4", "die-off 1")


@pytest.mark.clause("crapless:dice.lost")
def test_a_lost_die_brings_out_a_new_set() -> None:
    """One is enough; five fresh dice come when the dice are given up."""
    table = astray()
    assert only(play(table, "die-lost 1"), NewSetDue).clause == "crapless:dice.lost"
    brought = only(play(table, "pass-dice"), NewSetBrought)
    assert (brought.dice, brought.clause, table.state.dice.bowl) == (5, "crapless:dice.lost", (1, 2, 3, 4, 5))


@pytest.mark.clause("crapless:dice.found")
def test_the_boxman_looks_a_found_die_over() -> None:
    """Until then it is not thrown, and nobody else's look will do."""
    table = astray()
    assert table.events[-1] == DieMoved(1, "off", CRAPLESS.book.dice.off_table)
    assert CRAPLESS.book.dice.off_table == "crapless:dice.found"
    play(table, "die-found 1")
    assert refused(table, "choose 1 3").code == "dice.not_checked"
    for role in (role for role in ROLES if role != "box"):
        no = refused(table, f"die-checked 1 by {role}")
        assert (no.code, no.clause) == ("dice.not_checked", "crapless:dice.found")
    play(table, "die-checked 1 by box", "choose 1 3")
    assert set(table.state.dice.out) == {1, 3}


@pytest.mark.clause("crapless:dice.faces")
def test_a_die_has_six_faces_and_opposite_ones_make_seven() -> None:
    """No 0 and no 7; leaning on any face it counts the one opposite."""
    assert cited("equipment", "die_faces") == ((1, 2, 3, 4, 5, 6), "crapless:dice.faces")
    for leaning in range(1, 7):
        assert only(play(at("bet pass 15"), f"cocked 4 {leaning}"), FaceRead).face == 7 - leaning
    assert CRAPLESS.book.dice.faces == CRAPLESS.book.dice.opposite_sum == "crapless:dice.faces"


@pytest.mark.clause("crapless:dice.cocked")
def test_a_leaning_die_counts_the_face_opposite_or_the_boxman_rules() -> None:
    """Leaning on one side it is read; leaning on more it waits for a ruling."""
    read = only(play(at("bet pass 15"), "cocked 4 2"), FaceRead)
    assert (read.face, read.clause) == (5, "crapless:dice.cocked")
    table = at("bet pass 15")
    assert only(play(table, "cocked 4 2,3"), FaceDoubted).clause == "crapless:dice.cocked"
    assert refused(table, "roll 5-4").code == "phase.disputed"
    play(table, "rule 5 by box")
    assert table.puck == 9


@pytest.mark.clause("crapless:dice.ruling")
def test_the_boxman_names_a_doubted_face_or_calls_no_roll() -> None:
    """And nobody else does."""
    table = at("bet pass 15")
    assert only(play(table, "dispute 4"), FaceDoubted).clause == "crapless:dice.ruling"
    for role in (role for role in ROLES if role != "box"):
        no = refused(table, f"rule 5 by {role}")
        assert (no.code, no.clause) == ("rule.by", "crapless:dice.ruling")
    read = only(play(table, "rule 5 by box"), FaceRead)
    assert (read.face, read.clause, table.puck) == (5, "crapless:dice.ruling", 9)
    void = at("bet pass 15", "dispute 4")
    called = only(play(void, "rule void"), NoRollCalled)
    assert (called.by, called.clause, up(void)) == ("box", "crapless:dice.ruling", {"pass": 15})


# --- No roll --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("crapless:no-roll.callers")
@pytest.mark.parametrize("role", ROLES)
def test_the_stickman_or_the_boxman_calls_no_roll(role: str) -> None:
    """Nobody else does; and what has been paid stays paid."""
    table = at("bet pass 15", "dice-out")
    if role in ("stick", "box"):
        assert only(play(table, f"no-roll-by {role} improper"), NoRollCalled).by == role
        assert up(table) == {"pass": 15}
    else:
        no = refused(table, f"no-roll-by {role} improper")
        assert (no.code, no.clause) == ("no_roll.caller", "crapless:no-roll.callers")
    settled = at("bet pass 15", SEVEN, "no-roll-by stick improper")
    assert gain(settled) == 15


@pytest.mark.parametrize(
    ("clause", "cause"),
    [
        *(case("crapless:no-roll.off", cause) for cause in ("off-table", "left-and-returned")),
        *(case("crapless:no-roll.rest", cause) for cause in ("stacked", "on-bank", "in-cup", "on-rail")),
    ],
)
def test_what_makes_no_roll_by_itself(clause: str, cause: str) -> None:
    """Nobody has to call it, and nothing is decided."""
    table = at("bet pass 15")
    called = only(play(table, f"throw 6-1 {cause}"), NoRollCalled)
    assert (called.reason, called.by, called.clause) == (cause, None, clause)
    assert (up(table), gain(table)) == ({"pass": 15}, 0)


@pytest.mark.clause("crapless:no-roll.off")
def test_a_die_that_leaves_the_table_makes_no_roll() -> None:
    """While the dice are out."""
    table = at("bet pass 15", "shoot", "choose 1 2", "dice-out")
    assert only(play(table, "die-off 1"), NoRollCalled).clause == "crapless:no-roll.off"


@pytest.mark.clause("crapless:no-roll.cheating")
@pytest.mark.parametrize("cause", ["cheating", "unapproved-dice", "wrong-thrower"])
def test_what_must_be_called_no_roll(cause: str) -> None:
    """The stickman calls it, whoever else may be asleep."""
    table = at("bet pass 15")
    called = only(play(table, f"throw 6-1 {cause}"), NoRollCalled)
    assert (called.reason, called.by, called.clause) == (cause, "stick", "crapless:no-roll.cheating")
    assert (up(table), gain(table)) == ({"pass": 15}, 0)


@pytest.mark.clause("crapless:no-roll.throw")
@pytest.mark.parametrize("cause", ["not-together", "no-end-struck", "out-of-view", "improper"])
def test_what_may_be_called_no_roll(cause: str) -> None:
    """Called, it is none; uncalled, it counts."""
    assert net("bet pass 15", f"throw 6-1 {cause}") == 15
    table = at("bet pass 15", "dice-out")
    assert only(play(table, f"no-roll-by box {cause}"), NoRollCalled).clause == "crapless:no-roll.throw"
    assert (up(table), gain(table)) == ({"pass": 15}, 0)


@pytest.mark.clause("crapless:no-roll.chips")
def test_dice_that_hit_chips_are_good() -> None:
    """The throw counts, and nobody may call it for that."""
    assert net("bet pass 15", "throw 6-1 touched-chips") == 15
    no = refused(at("bet pass 15", "dice-out"), "no-roll-by box touched-chips")
    assert (no.code, no.clause) == ("no_roll.flaw", "crapless:no-roll.chips")
