"""Part 2, and what other parts say of the equipment: dice, bowl, stick, puck, tray, buttons."""

from __future__ import annotations

import pytest

from passline.engine.events import DiceThrown, FaceRead, PuckTurned, WagerCalled, WagerUp, WagerWon
from passline.engine.refusals import Refusal
from passline.table import Table
from tests.clauses.sydney.felt import SYDNEY, at, cited, dealt
from tests.clauses.table_helpers import every, only, play

# --- Dice -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:2.3.1")
@pytest.mark.parametrize("dice", [2, 4, 6])
def test_play_starts_with_five_dice_and_no_other_number(dice: int) -> None:
    """A table cannot open with four dice, nor with six."""
    with pytest.raises(ValueError, match=r"5 dice.*sydney:2\.3\.1"):
        Table(SYDNEY, dice=dice)


@pytest.mark.clause("sydney:2.3.1")
def test_five_dice_are_there() -> None:
    """The table opens with dice 1 to 5 in the bowl."""
    assert Table(SYDNEY).state.dice.bowl == (1, 2, 3, 4, 5)


@pytest.mark.clause("sydney:2.3.2")
def test_a_die_shows_one_to_six() -> None:
    """Every face from one to six can be called and no other, each marked by dots."""
    assert cited("equipment", "die_faces") == ((1, 2, 3, 4, 5, 6), "sydney:2.3.2")
    assert cited("equipment", "die_marks") == ("dots", "sydney:2.3.2")
    for face in range(1, 7):
        assert only(play(at("bet pass 10"), f"roll {face}-1"), DiceThrown).first == face
    for face in (0, 7, -1):
        for answer in (at("bet pass 10").roll(face, 1), at("bet pass 10").roll(1, face)):
            assert isinstance(answer, Refusal)
            assert answer.code == "dice.impossible"


@pytest.mark.clause("sydney:2.3.3")
@pytest.mark.parametrize(("leaning", "opposite"), [(1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (6, 1)])
def test_opposite_sides_sum_to_seven(leaning: int, opposite: int) -> None:
    """The side across from a leaning one is found by sevens: 1 and 6, 2 and 5, 3 and 4."""
    table = at("bet pass 10")
    events = play(table, f"cocked 1 {leaning}")
    assert only(events, FaceRead).face == opposite
    assert only(events, DiceThrown).total == 1 + opposite


# --- Bowl, stick, puck, tray ----------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:2.4.1")
def test_the_bowl_keeps_the_dice_not_in_play() -> None:
    """While the shooter holds two dice the other three lie in the dice bowl."""
    table = at("bet pass 10", "shoot", "choose 2 5")
    assert table.state.dice.bowl == (1, 3, 4)
    assert cited("equipment", "dice_holder") == ("dice bowl", "sydney:2.4.1")


@pytest.mark.clause("sydney:2.4.2")
def test_there_is_a_stick() -> None:
    """The stickperson has a stick, part of the kit."""
    assert cited("equipment", "stick") == (True, "sydney:2.4.2")
    kit, _ = cited("equipment", "kit")
    assert isinstance(kit, tuple)
    assert "stick" in kit


@pytest.mark.clause("sydney:2.4.3")
def test_the_puck_marks_the_point_and_turns_off_when_it_is_decided() -> None:
    """A plastic puck with an On and an Off side goes to 6 on a come out 6 and off again after the decision."""
    assert cited("equipment", "puck") == (("On", "Off"), "sydney:2.4.3")
    assert cited("equipment", "puck_made_of") == ("plastic", "sydney:2.4.3")
    table = at("bet pass 10")
    assert only(play(table, "roll 3-3"), PuckTurned).to == 6
    assert table.to_json()["puck"] == 6
    assert not every(play(table, "roll 5-4"), PuckTurned)
    assert only(play(table, "roll 4-2"), PuckTurned).to == 0
    assert table.to_json()["puck"] == "off"


@pytest.mark.clause("sydney:2.4.4")
def test_there_is_a_float_tray_with_chips_in_it() -> None:
    """A table has a float tray, and cannot open on an empty float."""
    assert cited("equipment", "float_tray") == (True, "sydney:2.4.4")
    assert Table(SYDNEY).chips
    with pytest.raises(ValueError, match="chips: found none; expected chips"):
        Table(SYDNEY, chips=[])


@pytest.mark.clause("sydney:1.1.float-tray")
def test_winners_are_paid_out_of_the_float_alone() -> None:
    """With the chips that are in it, and it is short of what a winner gains; a loser's stake goes into it."""
    what, clause = cited("equipment", "float_tray_is")
    assert (what, clause) == ("a lockable chip holder fixed to the table", "sydney:1.1.float-tray")
    for smallest, stake, won in ((1, 30, 42), (5, 30, 45), (25, 25, 50)):
        lines = ("roll 5-3", f"bet place_5 {stake}", "roll 4-1")
        table, events = dealt(*lines, chips=(smallest, 100), notice="min=25")
        assert (only(events, WagerWon, wager="place_5").won, table.state.bank) == (won * 100, -won * 100)
    table = at("bet pass 10", "2 bet dont_pass 30", seats=2)
    play(table, "roll 6-5")
    assert table.rail(1) == 10_010
    assert table.state.bank == 3000 - 1000
    assert table.state.chips == table.state.bought


@pytest.mark.clause("sydney:2.5")
def test_the_table_has_a_drop_box() -> None:
    """A drop box is attached."""
    assert cited("equipment", "drop_box") == (True, "sydney:2.5")


# --- Buttons --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:2.4.5.1")
def test_a_wager_called_off_gets_an_off_button() -> None:
    """There are Off buttons, and one goes on the wager that is called off and on no other."""
    assert cited("equipment", "off_button") == ("Off", "sydney:2.4.5.1")
    table = at("bet pass 10", "roll 5-3", "bet place_6 12", "bet place_5 10")
    assert only(play(table, "off place_6"), WagerCalled).call == "off"
    buttons = {key: wager.call for key, wager in table.state.seats[1].felt.items()}
    assert buttons == {"pass": None, "place_6": "off", "place_5": None}


@pytest.mark.clause("sydney:2.4.5.2")
def test_a_wager_called_on_gets_an_on_button() -> None:
    """There are On buttons, and one goes on a wager called on for a come out."""
    assert cited("equipment", "on_button") == ("On", "sydney:2.4.5.2")
    table = at("bet pass 10", "bet hard_6 2")
    assert only(play(table, "on hard_6 by dealer"), WagerCalled, wager="hard_6").call == "on"
    assert table.state.seats[1].felt["hard_6"].call == "on"


@pytest.mark.parametrize(
    ("family", "words"),
    [
        pytest.param("lay", "Lay", marks=pytest.mark.clause("sydney:2.4.5.3")),
        pytest.param("buy", "Buy", marks=pytest.mark.clause("sydney:2.4.5.4")),
        pytest.param("place_lose", "Don't place", marks=pytest.mark.clause("sydney:2.4.5.5")),
    ],
)
def test_wagers_that_share_a_box_carry_a_button(family: str, words: str, request: pytest.FixtureRequest) -> None:
    """Every Lay, Buy and Place to Lose wears its own button, and no other wager wears it."""
    clause = next(mark.args[0] for mark in request.node.iter_markers("clause"))
    wearing = {spot.key for spot in SYDNEY.wagers if spot.rule.button and spot.rule.button.value == words}
    assert wearing == {f"{family}_{number}" for number in (4, 5, 6, 8, 9, 10)}
    button = SYDNEY.spots[f"{family}_4"].rule.button
    assert button is not None
    assert button.clause == clause
    _, events = dealt(f"bet {family}_4 20")
    assert only(events, WagerUp).wager == f"{family}_4"
    buttons, _ = cited("equipment", "buttons")
    assert isinstance(buttons, tuple)
    assert words in buttons


# --- People ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:1.1.stickperson")
def test_the_stickperson_issues_and_collects_the_dice_and_calls() -> None:
    """Offering, collecting and announcing are the stickperson's."""
    does, clause = cited("equipment", "stick_does")
    assert does == ("issues the dice", "collects the dice", "announces the total")
    assert clause == "sydney:1.1.stickperson"
    assert SYDNEY.book.staff.stick == "stickperson"


@pytest.mark.clause("sydney:3.1")
def test_the_stickperson_faces_the_boxperson_and_controls_the_dice() -> None:
    """The stickperson stands at mid-table, facing the boxperson, and keeps the dice."""
    assert cited("equipment", "stick_place") == ("mid-table, facing the boxperson", "sydney:3.1")
    assert cited("equipment", "dice_kept_by") == ("stick", "sydney:3.1")
