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
)
from passline.engine.refusals import Refusal
from passline.table import Table
from tests.clauses.nevada.rooms import ROLES, SEVEN, Room, both, cases
from tests.clauses.table_helpers import gain, only, play, refused, up

# --- The shooter ----------------------------------------------------------------------------------------------------


@both("shooter.first")
def test_the_first_dice_go_to_the_stickmans_left_and_round(room: Room) -> None:
    """The lowest seat, then clockwise until somebody takes them."""
    table = room.at(seats=(3, 2, 5))
    assert only(play(table, "2 decline"), DiceOffered) == DiceOffered(3, room.house.book.shooter.first_refused)
    assert room.house.book.shooter.first_refused == room.clause("shooter.first")
    assert only(play(table, "3 decline"), DiceOffered).seat == 5
    thrown = room.at("3 bet pass 15", "2 bet pass 15", seats=(3, 2, 5))
    taken = only(play(thrown, "roll 5-4"), DiceTaken)
    assert (taken.seat, taken.clause) == (2, room.clause("shooter.first"))


@both("shooter.next")
def test_after_a_hand_the_dice_go_clockwise_to_whoever_wants_them(room: Room) -> None:
    """The next seat is asked, line bet or not, and the one after it if it says no."""
    table = room.at("2 shoot", "2 bet pass 15", "4 bet pass 15", "roll 5-4", SEVEN, "4 bet pass 15", seats=(2, 3, 4))
    asked = only(play(table, "3 decline"), DiceOffered)
    assert (asked.seat, asked.clause) == (4, room.clause("shooter.next"))
    natural = f"roll {room.facts.natural}"
    table = room.at("2 shoot", "2 bet pass 15", "4 bet pass 15", natural, "4 bet pass 15", seats=(2, 3, 4))
    asked = only(play(table, "2 pass-dice"), DiceOffered)
    assert (asked.seat, asked.clause) == (3, room.clause("shooter.next"))
    assert only(play(table, "roll 5-4"), DiceTaken).seat == 4


@both("shooter.line")
def test_a_shooter_needs_a_line_bet(room: Room) -> None:
    """Any that the house has will do; no other bet will."""
    assert room.house.layout.line == room.facts.line
    for wager in room.facts.line:
        assert only(play(room.at(f"bet {wager} 15"), "roll 5-4"), DiceThrown).thrower == 1
    no = refused(room.at("bet field 15", "bet place_6 30"), "roll 5-4")
    assert (no.code, no.clause) == ("dice.no_shooter", room.clause("shooter.line"))
    table = room.at("2 bet pass 15", "3 bet pass 15", "roll 5-4", "2 pass-dice", seats=3)
    assert refused(table, "shoot").clause == room.clause("shooter.line")


@both("shooter.choice", throw=lambda room: (room.facts.natural, "5-4"))
def test_a_shooter_may_pass_the_dice_after_any_roll(room: Room, throw: str) -> None:
    """On a come-out, or with a point on."""
    table = room.at("bet pass 15", "2 bet pass 15", f"roll {throw}", seats=2)
    given = only(play(table, "pass-dice"), DiceGivenUp)
    assert (given.seat, given.why, given.clause) == (1, "by choice", room.clause("shooter.choice"))


@both("shooter.order")
@pytest.mark.parametrize("reason", ["delay", "invalid rolls", "breach"])
def test_the_boxman_may_pass_the_dice_on(room: Room, reason: str) -> None:
    """For these three reasons and no other; nobody else may."""
    table = room.at("bet pass 15", "2 bet pass 15", "roll 5-4", seats=2)
    for role in (role for role in ROLES if role != "box"):
        no = refused(table, f"order-pass {reason} by {role}")
        assert (no.code, no.clause) == ("order.by", room.clause("shooter.order"))
    no = refused(table, "order-pass luck by box")
    assert (no.code, no.clause) == ("order.reason", room.clause("shooter.order"))
    given = only(play(table, f"order-pass {reason} by box"), DiceGivenUp)
    assert (given.seat, given.why, given.clause) == (1, "by order", room.clause("shooter.order"))


@both("shooter.nobody")
def test_when_nobody_wants_the_dice_the_game_waits(room: Room) -> None:
    """Neither the stickman nor the last shooter throws for those who will not, nor for come bets alone."""
    table = room.at("bet pass 15", "bet place_6 60", "decline")
    assert refused(table, "roll 5-4").code == "dice.no_shooter"
    habits = room.house.book.shooter
    assert (habits.no_shooter.value, habits.no_shooter.clause) == ("wait", room.clause("shooter.nobody"))
    come = room.at("bet pass 15", "roll 5-4", "bet come 15", "roll 5-1", "roll 6-3", "take pass")
    assert up(come) == {"come_6": 15}
    assert refused(come, "roll 5-1").code == "dice.no_shooter"


# --- The dice -------------------------------------------------------------------------------------------------------


@both("dice.set")
def test_five_to_eight_dice_of_which_the_shooter_picks_two(room: Room) -> None:
    """No fewer, no more; and two different ones."""
    for dice in (5, 6, 7, 8):
        assert Table(room.house, dice=dice).state.dice.in_set == dice
    for dice in (4, 9):
        with pytest.raises(ValueError, match="dice"):
            Table(room.house, dice=dice)
    table = room.at("bet pass 15", "shoot")
    for wrong in ((1,), (1, 2, 3), (1, 1)):
        assert isinstance(table.do(ChooseDice(1, wrong)), Refusal)
    chosen = only(play(table, "choose 1 5"), DiceChosen)
    assert (chosen.dice, chosen.clause) == ((1, 5), room.clause("dice.set"))
    assert refused(room.at("bet pass 15", "shoot"), "choose 1 6").clause == room.clause("dice.set")


def astray(room: Room) -> Table:
    """A table whose shooter threw die 1 off the layout."""
    return room.at("bet pass 15", "shoot", "choose 1 2", "roll 5-4", "die-off 1")


@both("dice.lost")
def test_a_lost_die_brings_out_a_new_set(room: Room) -> None:
    """One is enough; five fresh dice come when the dice are given up."""
    table = astray(room)
    assert only(play(table, "die-lost 1"), NewSetDue).clause == room.clause("dice.lost")
    brought = only(play(table, "pass-dice"), NewSetBrought)
    assert (brought.dice, brought.clause, table.state.dice.bowl) == (5, room.clause("dice.lost"), (1, 2, 3, 4, 5))


@both("dice.found")
def test_the_boxman_looks_a_found_die_over(room: Room) -> None:
    """Until then it is not thrown, and nobody else's look will do."""
    table = astray(room)
    assert table.events[-1] == DieMoved(1, "off", room.house.book.dice.off_table)
    assert room.house.book.dice.off_table == room.clause("dice.found")
    play(table, "die-found 1")
    assert refused(table, "choose 1 3").code == "dice.not_checked"
    for role in (role for role in ROLES if role != "box"):
        no = refused(table, f"die-checked 1 by {role}")
        assert (no.code, no.clause) == ("dice.not_checked", room.clause("dice.found"))
    play(table, "die-checked 1 by box", "choose 1 3")
    assert set(table.state.dice.out) == {1, 3}


@both("dice.faces")
def test_a_die_has_six_faces_and_opposite_ones_make_seven(room: Room) -> None:
    """No 0 and no 7; leaning on any face it counts the one opposite."""
    assert room.cited("equipment", "die_faces") == ((1, 2, 3, 4, 5, 6), room.clause("dice.faces"))
    for leaning in range(1, 7):
        assert only(play(room.at("bet pass 15"), f"cocked 4 {leaning}"), FaceRead).face == 7 - leaning
    assert room.house.book.dice.faces == room.house.book.dice.opposite_sum == room.clause("dice.faces")


@both("dice.cocked")
def test_a_leaning_die_counts_the_face_opposite_or_the_boxman_rules(room: Room) -> None:
    """Leaning on one side it is read; leaning on more it waits for a ruling."""
    read = only(play(room.at("bet pass 15"), "cocked 4 2"), FaceRead)
    assert (read.face, read.clause) == (5, room.clause("dice.cocked"))
    table = room.at("bet pass 15")
    assert only(play(table, "cocked 4 2,3"), FaceDoubted).clause == room.clause("dice.cocked")
    assert refused(table, "roll 5-4").code == "phase.disputed"
    play(table, "rule 5 by box")
    assert table.puck == 9


@both("dice.ruling")
def test_the_boxman_names_a_doubted_face_or_calls_no_roll(room: Room) -> None:
    """And nobody else does."""
    table = room.at("bet pass 15")
    assert only(play(table, "dispute 4"), FaceDoubted).clause == room.clause("dice.ruling")
    for role in (role for role in ROLES if role != "box"):
        no = refused(table, f"rule 5 by {role}")
        assert (no.code, no.clause) == ("rule.by", room.clause("dice.ruling"))
    read = only(play(table, "rule 5 by box"), FaceRead)
    assert (read.face, read.clause, table.puck) == (5, room.clause("dice.ruling"), 9)
    void = room.at("bet pass 15", "dispute 4")
    called = only(play(void, "rule void"), NoRollCalled)
    assert (called.by, called.clause, up(void)) == ("box", room.clause("dice.ruling"), {"pass": 15})


# --- No roll --------------------------------------------------------------------------------------------------------


@both("no-roll.callers")
@pytest.mark.parametrize("role", ROLES)
def test_the_stickman_or_the_boxman_calls_no_roll(room: Room, role: str) -> None:
    """Nobody else does; and what has been paid stays paid."""
    table = room.at("bet pass 15", "dice-out")
    if role in ("stick", "box"):
        assert only(play(table, f"no-roll-by {role} improper"), NoRollCalled).by == role
        assert up(table) == {"pass": 15}
    else:
        no = refused(table, f"no-roll-by {role} improper")
        assert (no.code, no.clause) == ("no_roll.caller", room.clause("no-roll.callers"))
    settled = room.at("bet pass 15", f"roll {room.facts.natural}", "no-roll-by stick improper")
    assert gain(settled) == 15


@pytest.mark.parametrize(
    ("room", "clause", "cause"),
    [
        *(each for cause in ("off-table", "left-and-returned") for each in cases("no-roll.off", cause)),
        *(each for cause in ("stacked", "on-bank", "in-cup", "on-rail") for each in cases("no-roll.rest", cause)),
    ],
)
def test_what_makes_no_roll_by_itself(room: Room, clause: str, cause: str) -> None:
    """Nobody has to call it, and nothing is decided."""
    table = room.at("bet pass 15")
    called = only(play(table, f"throw {room.facts.natural} {cause}"), NoRollCalled)
    assert (called.reason, called.by, called.clause) == (cause, None, clause)
    assert (up(table), gain(table)) == ({"pass": 15}, 0)


@both("no-roll.off")
def test_a_die_that_leaves_the_table_makes_no_roll(room: Room) -> None:
    """While the dice are out."""
    table = room.at("bet pass 15", "shoot", "choose 1 2", "dice-out")
    assert only(play(table, "die-off 1"), NoRollCalled).clause == room.clause("no-roll.off")


@both("no-roll.cheating")
@pytest.mark.parametrize("cause", ["cheating", "unapproved-dice", "wrong-thrower"])
def test_what_must_be_called_no_roll(room: Room, cause: str) -> None:
    """The stickman calls it, whoever else may be asleep."""
    table = room.at("bet pass 15")
    called = only(play(table, f"throw {room.facts.natural} {cause}"), NoRollCalled)
    assert (called.reason, called.by, called.clause) == (cause, "stick", room.clause("no-roll.cheating"))
    assert (up(table), gain(table)) == ({"pass": 15}, 0)


@both("no-roll.throw")
@pytest.mark.parametrize("cause", ["not-together", "no-end-struck", "out-of-view", "improper"])
def test_what_may_be_called_no_roll(room: Room, cause: str) -> None:
    """Called, it is none; uncalled, it counts."""
    assert room.net("bet pass 15", f"throw {room.facts.natural} {cause}") == 15
    table = room.at("bet pass 15", "dice-out")
    assert only(play(table, f"no-roll-by box {cause}"), NoRollCalled).clause == room.clause("no-roll.throw")
    assert (up(table), gain(table)) == ({"pass": 15}, 0)


@both("no-roll.chips")
def test_dice_that_hit_chips_are_good(room: Room) -> None:
    """The throw counts, and nobody may call it for that."""
    assert room.net("bet pass 15", f"throw {room.facts.natural} touched-chips") == 15
    no = refused(room.at("bet pass 15", "dice-out"), "no-roll-by box touched-chips")
    assert (no.code, no.clause) == ("no_roll.flaw", room.clause("no-roll.chips"))
