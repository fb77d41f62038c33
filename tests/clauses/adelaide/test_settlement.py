"""Rule 12: the total is called, doubts about a face are decided, and decided bets are settled before the next throw."""

from __future__ import annotations

import pytest

from passline.engine.events import DiceThrown, FaceDoubted, FaceRead, NoRollCalled, PuckTurned, WagerLost, WagerWon
from passline.engine.values import ClauseId
from passline.house import House
from passline.telling.card import card_json
from tests.clauses.table_helpers import THROWS, dealt, every, gain, game, only, play, refused, total, up

CALLED = {
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    9: "nine",
    10: "ten",
    11: "leven",
    12: "twelve",
}
"""The word that must be heard for each total."""


@pytest.mark.clause("adelaide:12(a).1")
@pytest.mark.parametrize("throw", THROWS)
def test_the_stickman_calls_the_total_at_once(throw: str) -> None:
    """The call comes first, before any bet is touched, and it says the total of the upper faces."""
    table, events = dealt("adelaide", "bet field 10", "dice-out", f"roll {throw}")
    first = events[0]
    assert isinstance(first, DiceThrown)
    assert first.total == total(throw)
    assert CALLED[total(throw)] in table.say(first).lower()
    said_by = House("adelaide").book.equipment["total_called_by"]
    assert (said_by.value, said_by.clause) == ("stick", "adelaide:12(a).1")


@pytest.mark.clause("adelaide:12(a).2")
@pytest.mark.parametrize("leaning", ["2", "2,3", "1,2,3"])
def test_a_cocked_die_has_one_upper_face_or_the_roll_is_void(leaning: str) -> None:
    """Nothing is settled while a die leans; it is read as one face, or the throw is void."""
    table = game("adelaide")
    events = play(table, "bet pass 10", "dice-out", f"cocked 6 {leaning}")
    assert [type(event) for event in events] == [FaceDoubted]
    assert (gain(table), up(table), table.state.phase) == (0, {"pass": 10}, "disputed")
    for line in ("roll 6-5", "dice-out", "bet field 5", "take pass"):
        refused(table, line)
    events = play(table, "rule 5")
    assert (only(events, FaceRead).face, only(events, DiceThrown).total) == (5, 11)
    assert gain(table) == 10
    events = play(table, "bet pass 10", "dice-out", f"cocked 6 {leaning}", "rule void")
    assert [type(event) for event in events] == [NoRollCalled]
    assert up(table) == {"pass": 10}


@pytest.mark.clause("adelaide:12(a).3")
@pytest.mark.parametrize(("face", "change"), [(4, 0), (5, 10), (6, -10), (1, 10)])
def test_the_boxman_decides_a_disputed_face(face: int, change: int) -> None:
    """One die shows 6, the other is disputed: the boxman names a face, and that total stands."""
    table = game("adelaide")
    events = play(table, "bet pass 10", "dispute 6")
    assert only(events, FaceDoubted).clause == "adelaide:12(a).3"
    no = refused(table, "roll 6-5")
    assert (no.code, no.clause) == ("phase.disputed", "adelaide:12(a).3")
    events = play(table, f"rule {face}")
    assert only(events, FaceRead) == FaceRead(face, ClauseId("adelaide:12(a).3"))
    assert only(events, DiceThrown).total == 6 + face
    assert gain(table) == change


@pytest.mark.clause("adelaide:12(a).3")
@pytest.mark.parametrize("ruling", ["rule 5", "rule void"])
def test_nobody_but_the_boxman_decides_a_face(ruling: str) -> None:
    """Whoever else of the crew names it, or has it thrown again, is refused, and it stays in doubt."""
    table = game("adelaide")
    play(table, "bet pass 10", "dispute 6")
    for role in ("dealer", "stick", "supervisor", "inspector"):
        no = refused(table, f"{ruling} by {role}")
        assert (no.code, no.clause) == ("rule.by", "adelaide:12(a).3")
    play(table, f"{ruling} by box")
    assert table.state.doubt is None


@pytest.mark.clause("adelaide:12(a).3")
def test_the_boxman_may_have_the_throw_repeated() -> None:
    """Ruled void, the bets stand and the dice are thrown again; without a dispute there is nothing to rule on."""
    table = game("adelaide")
    assert refused(table, "bet pass 10", "rule 5").code == "phase.not_disputed"
    called = only(play(table, "dispute 6", "rule void"), NoRollCalled)
    assert (called.by, called.clause) == ("box", "adelaide:12(a).3")
    assert (gain(table), up(table), table.puck) == (0, {"pass": 10}, None)
    play(table, "roll 6-5")
    assert gain(table) == 10


@pytest.mark.clause("adelaide:12(b).1")
def test_the_dice_come_to_the_centre_before_anything_is_settled() -> None:
    """The dice are called and collected first; bets, then the puck, follow. They lie between stickman and boxman."""
    _, events = dealt("adelaide", "bet pass 10", "bet dont_pass 10", "roll 4-4", "bet come 5", "roll 5-3")
    kinds = [type(event) for event in events]
    assert kinds[0] is DiceThrown
    assert kinds.index(PuckTurned) > max(kinds.index(WagerWon), kinds.index(WagerLost))
    centre = House("adelaide").book.equipment["dice_after_call"]
    assert (centre.value, centre.clause) == ("centre, between stickman and boxman", "adelaide:12(b).1")


@pytest.mark.clause("adelaide:12(b).2")
def test_every_decided_bet_is_settled_before_the_dice_go_back() -> None:
    """A throw that waits for a ruling holds the dice; once ruled, every bet of every seat is settled in that act."""
    table = game("adelaide", seats=2)
    play(table, "bet pass 10", "bet field 10", "2 bet dont_pass 10", "2 bet eleven 5", "dice-out", "dispute 6")
    for line in ("dice-out", "roll 6-5", "throw 6-5 improper"):
        refused(table, line)
    events = play(table, "rule 5")
    assert {event.wager for event in every(events, WagerWon)} == {"pass", "field", "eleven"}
    assert {event.wager for event in every(events, WagerLost)} == {"dont_pass"}
    assert (up(table), up(table, 2)) == ({}, {})
    assert (gain(table, 1), gain(table, 2)) == (20, 75 - 10)
    play(table, "bet pass 10", "dice-out")


@pytest.mark.clause("adelaide:12(b).2")
def test_dice_that_are_out_are_not_sent_again() -> None:
    """The next throw begins when this one is settled."""
    table = game("adelaide")
    no = refused(table, "bet pass 10", "dice-out", "dice-out")
    assert no.code == "phase.dice_out"


@pytest.mark.clause("adelaide:12(b).3")
def test_the_stickman_has_a_stick() -> None:
    """The card shows whoever asks that the crew's kit has a stick, and the crew that it is the stickman's."""
    card = card_json(House("adelaide").layout)["habits"]
    assert card["equipment.stick"] == {"value": "yes", "clause": "adelaide:12(b).3"}
    assert card["equipment.kit"] == {"value": "stick, dice cup", "clause": "adelaide:12(b).3"}
    assert House("adelaide").book.staff.stick == "stickman"
    table = game("adelaide")
    play(table, "bet pass 10", "roll 6-5")
    assert table.state.dice.out == ()  # gathered; the next shooter is passed them
