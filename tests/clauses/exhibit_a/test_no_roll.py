"""Invalid roll: what spoils a throw by itself, what the boxperson may call, and what is no reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.engine.events import DiceThrown, DieMoved, NoRollCalled
from passline.errors import RecordError
from tests.clauses.exhibit_a.felt import at, equipment
from tests.clauses.table_helpers import case, command, every, gain, only, play, refused, up

if TYPE_CHECKING:
    from passline.table import Table

SIDE = ("bet any_seven 5", "bet field 10", "bet place_6 6")
STANDS = {"pass": 10, "any_seven": 5, "field": 10, "place_6": 6}
"""Bets of which every throw would decide some."""

PUCKS = {
    "off": ("shoot", "choose 1 2", "bet pass 10", *SIDE),
    "on": ("shoot", "choose 1 2", "bet pass 10", "roll 5-3", *SIDE),
}
UNCALLED = 10 + 10 - 5
"""What 6-5 brings on a come-out: Pass and Field win, Any Seven loses."""


def with_dice_out(puck: str = "off") -> Table:
    """A table with bets up and the dice in the air."""
    return at(*PUCKS[puck], "dice-out")


def stands(table: Table, puck: str = "off") -> bool:
    """Whether nothing at all was decided, and betting is open."""
    same_puck = table.puck == (8 if puck == "on" else None)
    return (gain(table), up(table), table.shooter, table.state.phase) == (0, STANDS, 1, "betting") and same_puck


# --- (1) By itself --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "flaw"), [case("exhibit-a:invalid(1).1", "off-table"), case("exhibit-a:invalid(1).2", "stacked")]
)
@pytest.mark.parametrize("throw", ["6-5", "4-3", "4-2", "6-6"])
@pytest.mark.parametrize("puck", PUCKS)
def test_some_throws_are_invalid_without_any_call(clause: str, flaw: str, throw: str, puck: str) -> None:
    """Nobody has to say so: no result, every bet stands for the next throw, and the throw is made again."""
    table = with_dice_out(puck)
    events = play(table, f"throw {throw} {flaw}")
    called = only(events, NoRollCalled)
    assert (called.reason, called.by, called.clause) == (flaw, None, clause)
    assert every(events, DiceThrown) == []
    assert stands(table, puck)
    play(table, "roll 4-3")
    assert "any_seven" not in up(table)


@pytest.mark.clause("exhibit-a:invalid(1).1")
def test_a_die_that_goes_off_the_table_voids_the_throw() -> None:
    """One die gone: no result, all bets stand; and a die that came back had gone off all the same."""
    table = with_dice_out()
    events = play(table, "die-off 2")
    assert only(events, DieMoved).die == 2
    assert only(events, NoRollCalled).clause == "exhibit-a:invalid(1).1"
    assert stands(table)
    table = with_dice_out()
    assert len(every(play(table, "throw 6-5 left-and-returned"), NoRollCalled)) == 1
    assert stands(table)


# --- (2) By the boxperson's call ------------------------------------------------------------------------------------

MAY_CALL = [
    case("exhibit-a:invalid(2)(i)", "not-together"),
    case("exhibit-a:invalid(2)(ii)", "no-end-struck"),
    case("exhibit-a:invalid(2)(iii)", "on-bank"),
    case("exhibit-a:invalid(2)(iv)", "in-cup"),
    case("exhibit-a:invalid(2)(iv)", "on-rail"),
    case("exhibit-a:invalid(2)(v)", "cheating"),
    case("exhibit-a:invalid(2)(vi)", "improper"),
]
"""What the boxperson may call, and need not."""


@pytest.mark.parametrize(("clause", "flaw"), MAY_CALL)
@pytest.mark.parametrize("puck", PUCKS)
def test_the_boxpersons_call_voids_a_flawed_throw(clause: str, flaw: str, puck: str) -> None:
    """The boxperson calls No Roll for it: the throw has no result and every bet stands; the record says why."""
    table = with_dice_out(puck)
    called = only(play(table, f"no-roll-by boxperson {flaw}"), NoRollCalled)
    assert (called.reason, called.by, called.clause) == (flaw, "box", clause)
    assert stands(table, puck)


@pytest.mark.parametrize(("clause", "flaw"), MAY_CALL)
def test_an_uncalled_flaw_leaves_the_throw_valid(clause: str, flaw: str) -> None:
    """The call is the boxperson's to make or not: nobody spoke, so 6-5 pays Pass and Field, and a 7 on 8 is a 7 out."""
    table = with_dice_out()
    assert every(play(table, f"throw 6-5 {flaw}"), NoRollCalled) == []
    assert gain(table) == UNCALLED
    table = at("bet pass 10", "roll 5-3", "dice-out")
    play(table, f"throw 4-3 {flaw}")
    assert (gain(table), up(table), table.shooter) == (-10, {}, None)
    assert table.house.book.no_roll.causes[flaw].clause == clause


@pytest.mark.clause("exhibit-a:invalid(2)")
@pytest.mark.parametrize("who", ["stickperson", "dealer", "supervisor", "inspector", "player"])
def test_nobody_but_the_boxperson_calls_no_roll(who: str) -> None:
    """The stickperson's call has no effect, nor anybody else's, and the throw counts."""
    table = with_dice_out()
    no = refused(table, f"no-roll-by {who} improper")
    assert (no.code, no.clause) == ("no_roll.caller", "exhibit-a:invalid(2)")
    play(table, "roll 6-5")
    assert gain(table) == UNCALLED
    assert only(play(with_dice_out(), "no-roll-by boxperson improper"), NoRollCalled).by == "box"
    assert equipment("no_roll_called_by") == ("box", "exhibit-a:invalid(2)")


@pytest.mark.clause("exhibit-a:invalid(2)(iii)")
def test_the_bank_lies_in_front_of_the_boxperson() -> None:
    """A die that rests there gives the boxperson a reason; where the bank lies is in the book."""
    assert equipment("bank_place") == ("in front of the boxperson", "exhibit-a:invalid(2)(iii)")


@pytest.mark.clause("exhibit-a:invalid(2)(vi)")
def test_any_other_reason_is_in_the_boxpersons_own_words() -> None:
    """What the boxperson thinks improper is written down; a call without words is none."""
    table = with_dice_out()
    called = only(play(table, "no-roll-by boxperson a hand was in the way"), NoRollCalled)
    assert (called.by, called.reason) == ("box", "a hand was in the way")
    assert stands(table)
    with pytest.raises(RecordError):
        command(table, "no-roll-by boxperson")


# --- (3) No reason --------------------------------------------------------------------------------------------------


@pytest.mark.clause("exhibit-a:invalid(3)")
def test_dice_that_touch_chips_are_valid() -> None:
    """Off a player's stack and onto the felt: the throw counts, and not even the boxperson can call it for that."""
    table = with_dice_out()
    no = refused(table, "no-roll-by boxperson touched-chips")
    assert (no.code, no.clause) == ("no_roll.flaw", "exhibit-a:invalid(3)")
    events = play(table, "throw 6-5 touched-chips")
    assert only(events, DiceThrown).total == 11
    assert gain(table) == UNCALLED


@pytest.mark.clause("exhibit-a:invalid(3)")
def test_the_bank_is_another_matter() -> None:
    """Dice on the bank in front of the boxperson may be called."""
    table = with_dice_out()
    play(table, "no-roll-by boxperson on-bank")
    assert stands(table)
