"""Point throw: the call, faces in doubt, and everything settled before the dice go back."""

from __future__ import annotations

import pytest

from passline.engine.events import (
    DiceThrown,
    FaceDoubted,
    FaceRead,
    NoRollCalled,
    PuckTurned,
    SevenOut,
    WagerLost,
    WagerTravelled,
    WagerWon,
)
from passline.engine.values import ClauseId
from tests.clauses.exhibit_a.felt import at, dealt, equipment
from tests.clauses.table_helpers import THROWS, every, gain, only, play, refused, total, up

WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "leven", "twelve")
CALLED = dict(zip(range(2, 13), WORDS, strict=True))
"""The word that must be heard for each total."""


@pytest.mark.clause("exhibit-a:point(1).1")
@pytest.mark.parametrize("throw", THROWS)
def test_the_stickperson_calls_the_total_at_once(throw: str) -> None:
    """The call comes first, before any bet is touched, and says the total of the upper faces."""
    table, events = dealt("bet field 10", "dice-out", f"roll {throw}")
    first = events[0]
    assert isinstance(first, DiceThrown)
    assert first.total == total(throw)
    assert CALLED[total(throw)] in table.say(first).lower()
    assert equipment("total_called_by") == ("stick", "exhibit-a:point(1).1")


@pytest.mark.clause("exhibit-a:point(1).2")
@pytest.mark.parametrize("throw", THROWS)
def test_each_die_has_one_upper_face(throw: str) -> None:
    """A throw is one face from 1 to 6 of each die; nothing is settled while a die has none."""
    _, events = dealt("bet field 10", f"roll {throw}")
    thrown = only(events, DiceThrown)
    assert (thrown.first, thrown.second) == tuple(map(int, throw.split("-")))
    assert thrown.total == thrown.first + thrown.second


@pytest.mark.clause("exhibit-a:point(1).2")
@pytest.mark.parametrize("lean", ["dispute 6", "cocked 6 2", "cocked 6 2,3"])
def test_a_doubtful_die_has_one_face_in_the_end_or_the_throw_is_void(lean: str) -> None:
    """Read, ruled or void: never two faces, and never a total without one."""
    table = at("bet pass 10", "dice-out")
    events = play(table, lean)
    if table.state.phase == "disputed":
        assert (gain(table), up(table)) == (0, {"pass": 10})
        events = play(table, "rule 5")
    faces, voids = every(events, FaceRead), every(events, NoRollCalled)
    assert len(faces) + len(voids) == 1
    assert len(every(events, DiceThrown)) == len(faces)
    assert refused(table, "rule 6").code == "phase.not_disputed"


@pytest.mark.clause("exhibit-a:point(1)(i).1")
@pytest.mark.parametrize(("side", "face"), [(1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (6, 1)])
def test_a_cocked_die_shows_the_face_opposite_the_side_that_rests(side: int, face: int) -> None:
    """A die whose 2 rests on a stack counts as 5, and the throw is settled so."""
    table = at("bet pass 10", "bet field 10", "dice-out")
    events = play(table, f"cocked 6 {side}")
    assert only(events, FaceRead) == FaceRead(face, ClauseId("exhibit-a:point(1)(i).1"))
    assert only(events, DiceThrown).total == 6 + face
    assert every(events, NoRollCalled) == []
    other = at("bet pass 10", "bet field 10", "dice-out", f"roll 6-{face}")
    assert (gain(table), up(table), table.puck) == (gain(other), up(other), other.puck)


@pytest.mark.clause("exhibit-a:point(1)(i).2")
@pytest.mark.parametrize("sides", ["2,3", "1,2", "1,2,3"])
@pytest.mark.parametrize("first", [(), ("roll 5-3",)], ids=["come-out", "point on"])
def test_a_die_wedged_on_more_than_one_side_voids_the_throw(sides: str, first: tuple[str, ...]) -> None:
    """Void and repeated: no face is read, the bets and the point stand, and the next throw decides them."""
    table = at("bet pass 10", *first, "bet field 10", "dice-out")
    puck = table.puck
    events = play(table, f"cocked 6 {sides}")
    called = only(events, NoRollCalled)
    assert (called.reason, called.clause) == ("cocked", "exhibit-a:point(1)(i).2")
    assert (every(events, DiceThrown), every(events, FaceRead)) == ([], [])
    assert (gain(table), up(table), table.puck, table.shooter) == (0, {"pass": 10, "field": 10}, puck, 1)
    play(table, "roll 6-5")
    assert "field" not in up(table)


@pytest.mark.clause("exhibit-a:point(1)(ii)")
@pytest.mark.parametrize(("face", "change"), [(5, 10), (6, -10), (1, 10), (3, 0)])
def test_the_boxperson_decides_a_disputed_face(face: int, change: int) -> None:
    """One die shows 6, the other is disputed: the boxperson names a face, and that total stands."""
    table = at("bet pass 10", "dice-out")
    assert only(play(table, "dispute 6"), FaceDoubted).clause == "exhibit-a:point(1)(ii)"
    no = refused(table, "roll 6-5")
    assert (no.code, no.clause) == ("phase.disputed", "exhibit-a:point(1)(ii)")
    for who in ("stickperson", "dealer", "supervisor", "player"):
        no = refused(table, f"rule {face} by {who}")
        assert (no.code, no.clause) == ("rule.by", "exhibit-a:point(1)(ii)")
    events = play(table, f"rule {face} by boxperson")
    assert only(events, FaceRead) == FaceRead(face, ClauseId("exhibit-a:point(1)(ii)"))
    assert (only(events, DiceThrown).total, gain(table)) == (6 + face, change)


@pytest.mark.clause("exhibit-a:point(1)(ii)")
def test_the_boxperson_may_have_the_throw_repeated() -> None:
    """Ruled void, the bets stand and the dice are thrown again; without a dispute there is nothing to rule on."""
    table = at("bet pass 10")
    for line in ("rule 5", "rule void"):
        assert refused(table, line).code == "phase.not_disputed"
    called = only(play(table, "dispute 6", "rule void"), NoRollCalled)
    assert (called.by, called.clause) == ("box", "exhibit-a:point(1)(ii)")
    assert (gain(table), up(table), table.puck) == (0, {"pass": 10}, None)
    play(table, "roll 6-5")
    assert gain(table) == 10


@pytest.mark.clause("exhibit-a:point(2).1")
def test_the_dice_come_to_the_centre_before_anything_is_settled() -> None:
    """Called and collected first; they lie between stickperson and boxperson while bets, then the puck, are seen to."""
    _, events = dealt("bet pass 10", "bet dont_pass 10", "roll 5-3", "bet come 5", "roll 4-4")
    kinds = [type(event) for event in events]
    assert kinds[0] is DiceThrown
    assert max(kinds.index(WagerWon), kinds.index(WagerLost)) < kinds.index(WagerTravelled) < kinds.index(PuckTurned)
    centre = ("centre, between stickperson and boxperson", "exhibit-a:point(2).1")
    assert equipment("dice_after_call") == centre


@pytest.mark.clause("exhibit-a:point(2).2")
def test_no_dice_go_back_while_a_throw_is_unsettled() -> None:
    """A throw that waits for a ruling holds the dice; ruled, every decided bet of every seat is settled in that act."""
    table = at("bet pass 10", "bet field 10", "2 bet dont_pass 10", "2 bet eleven 5", "dice-out", "dispute 6", seats=2)
    for line in ("dice-out", "roll 6-5", "throw 6-5 improper", "cocked 6 2"):
        refused(table, line)
    events = play(table, "rule 5")
    assert {event.wager for event in every(events, WagerWon)} == {"pass", "field", "eleven"}
    assert {event.wager for event in every(events, WagerLost)} == {"dont_pass"}
    assert (up(table), up(table, 2)) == ({}, {})
    play(table, "bet pass 10", "dice-out")
    assert refused(table, "dice-out").code == "phase.dice_out"


@pytest.mark.clause("exhibit-a:point(2).2")
def test_wagers_are_settled_before_the_dice_pass() -> None:
    """On a 7 out everything is paid and collected, then the puck turns, and only then the dice leave the shooter."""
    table = at("bet pass 10", "roll 5-3", "bet come 10", "bet field 10", "bet place_6 6", "dice-out")
    events = play(table, "roll 4-3")
    kinds = [type(event) for event in events]
    settled = max(at for at, kind in enumerate(kinds) if kind in (WagerWon, WagerLost))
    assert settled < kinds.index(PuckTurned) < kinds.index(SevenOut)
    assert (gain(table), up(table)) == (10 - 26, {})


@pytest.mark.clause("exhibit-a:point(2).3")
def test_the_stickperson_has_a_stick() -> None:
    """The dice are collected and passed with a stick made for it, which is part of the kit."""
    assert equipment("stick") == (True, "exhibit-a:point(2).3")
    assert equipment("kit") == (("stick", "dice cup", "On/Off marker"), "exhibit-a:point(2).3")
