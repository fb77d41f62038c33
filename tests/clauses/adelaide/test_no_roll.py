"""Rule 11: what spoils a throw by itself, what may be called, who may call it, and what is no reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.engine.events import DiceThrown, NoRollCalled
from passline.errors import RecordError
from tests.clauses.table_helpers import case, command, every, gain, game, only, play, refused, up

if TYPE_CHECKING:
    from passline.table import Table

BETS = ("bet pass 10", "bet any_seven 5", "bet field 10", "bet place_6 12")
STANDS = {"pass": 10, "any_seven": 5, "field": 10, "place_6": 12}
"""Bets of which every throw would decide some."""

PUCKS = {"off": ("bet pass 10", *BETS[1:]), "on": ("bet pass 10", "roll 4-4", *BETS[1:])}


def with_dice_out(puck: str) -> Table:
    """A table with bets up and the dice in the air."""
    table = game("adelaide")
    play(table, *PUCKS[puck], "dice-out")
    return table


def stands(table: Table, puck: str) -> bool:
    """Whether nothing at all was decided, and betting is open."""
    same_puck = table.puck == (8 if puck == "on" else None)
    return (gain(table), up(table), table.shooter, table.state.phase) == (0, STANDS, 1, "betting") and same_puck


@pytest.mark.parametrize(
    ("clause", "flaw"),
    [
        case("adelaide:11(a)(i)", "off-table"),
        case("adelaide:11(a)(ii)", "stacked"),
        case("adelaide:11(a)(iii)", "on-bank"),
        case("adelaide:11(a)(iv)", "in-cup"),
        case("adelaide:11(a)(iv)", "on-rail"),
        case("adelaide:11(a)(v)", "cheating"),
        case("adelaide:11(a)(vi)", "unapproved-dice"),
    ],
)
@pytest.mark.parametrize("throw", ["6-5", "4-3", "4-2", "6-6"])
@pytest.mark.parametrize("puck", PUCKS)
def test_some_throws_are_invalid_whoever_speaks(clause: str, flaw: str, throw: str, puck: str) -> None:
    """Nobody has to call it: no result, every bet stands for the next throw, and the throw is made again."""
    table = with_dice_out(puck)
    events = play(table, f"throw {throw} {flaw}")
    called = only(events, NoRollCalled)
    assert (called.reason, called.by, called.clause) == (flaw, None, clause)
    assert every(events, DiceThrown) == []
    assert stands(table, puck)
    play(table, "roll 4-3")
    assert "any_seven" not in up(table)


@pytest.mark.clause("adelaide:11(a)(i)")
def test_a_die_that_leaves_the_table_voids_the_throw() -> None:
    """One die off the table, the other shows 4: no result, all bets stand."""
    table = game("adelaide")
    play(table, "shoot", "choose 1 2", *BETS, "dice-out")
    assert only(play(table, "die-off 2"), NoRollCalled).clause == "adelaide:11(a)(i)"
    assert stands(table, "off")


MAY_CALL = [
    case("adelaide:11(b)(i)", "not-together"),
    case("adelaide:11(b)(ii)", "no-end-struck"),
    case("adelaide:11(b)(iii)", "improper"),
    case("adelaide:11(b)(iv)", "out-of-view"),
]
"""What may be called, and need not be."""


@pytest.mark.parametrize(("clause", "flaw"), MAY_CALL)
@pytest.mark.parametrize("who", ["boxman", "stickman"])
@pytest.mark.parametrize("puck", PUCKS)
def test_some_throws_are_invalid_when_called(clause: str, flaw: str, who: str, puck: str) -> None:
    """Boxman or stickman calls no roll for it: the throw is void and every bet stands."""
    table = with_dice_out(puck)
    called = only(play(table, f"no-roll-by {who} {flaw}"), NoRollCalled)
    assert (called.reason, called.by, called.clause) == (flaw, who.removesuffix("man"), clause)
    assert stands(table, puck)


@pytest.mark.parametrize(("clause", "flaw"), MAY_CALL)
def test_an_uncalled_flaw_leaves_the_throw_valid(clause: str, flaw: str) -> None:
    """The call is allowed, not compulsory: nobody spoke, so 6-5 pays Pass and the field and takes Any Seven."""
    table = with_dice_out("off")
    events = play(table, f"throw 6-5 {flaw}")
    assert every(events, NoRollCalled) == []
    assert gain(table) == 10 + 10 - 5
    assert table.house.book.no_roll.causes[flaw].clause == clause


@pytest.mark.clause("adelaide:11(b)(iii)")
def test_any_other_reason_needs_the_callers_own_words() -> None:
    """A throw is improper in the caller's view; the view is written down, and a call without words is none."""
    table = with_dice_out("off")
    assert (
        only(play(table, "no-roll-by stickman a hand was in the way"), NoRollCalled).reason == "a hand was in the way"
    )
    assert stands(table, "off")
    with pytest.raises(RecordError):
        command(table, "no-roll-by stickman")


@pytest.mark.clause("adelaide:11(b)")
@pytest.mark.parametrize("who", ["dealer", "player", "supervisor", "inspector"])
def test_only_boxman_or_stickman_calls_no_roll(who: str) -> None:
    """A dealer's call is ignored and the throw counts."""
    table = with_dice_out("off")
    no = refused(table, f"no-roll-by {who} improper")
    assert (no.code, no.clause) == ("no_roll.caller", "adelaide:11(b)")
    play(table, "roll 6-5")
    assert gain(table) == 10 + 10 - 5
    for allowed in ("boxman", "stickman"):
        play(table, f"no-roll-by {allowed} improper")
    assert table.house.book.no_roll.callers.clause == "adelaide:11(b)"


@pytest.mark.clause("adelaide:11(c)")
def test_no_roll_is_called_before_the_dice_rest_or_with_a_reason_after() -> None:
    """It is called in the air; at rest it still can be, with its reason; after payment it undoes nothing."""
    table = with_dice_out("off")
    assert only(play(table, "no-roll-by boxman improper"), NoRollCalled).reason == "improper"
    play(table, "dice-out", "dispute 6")
    assert only(play(table, "no-roll-by boxman the dice were short"), NoRollCalled).reason == "the dice were short"
    assert stands(table, "off")
    play(table, "dice-out", "roll 6-5", "no-roll-by boxman too late")
    assert (gain(table), up(table)) == (10 + 10 - 5, {"place_6": 12})


@pytest.mark.clause("adelaide:11(d)")
def test_dice_that_touch_chips_are_valid() -> None:
    """Off a stack of place bets and onto the felt: the throw counts, and no roll cannot be called for it."""
    table = with_dice_out("off")
    for who in ("boxman", "stickman"):
        no = refused(table, f"no-roll-by {who} touched-chips")
        assert (no.code, no.clause) == ("no_roll.flaw", "adelaide:11(d)")
    events = play(table, "throw 6-5 touched-chips")
    assert only(events, DiceThrown).total == 11
    assert gain(table) == 10 + 10 - 5
