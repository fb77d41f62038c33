"""Part 5: throws that do not count, who says so, and (9.5) outcomes that are struck out."""

from __future__ import annotations

import pytest

from passline.engine.events import DiceThrown, DieMoved, FaceRead, NoRollCalled, OutcomeStruckOut
from tests.clauses.sydney.felt import at, dealt
from tests.clauses.table_helpers import BUY_IN, case, every, gain, only, play, refused, up

# --- Who calls ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:5.1")
@pytest.mark.parametrize("caller", ["stick", "supervisor", "box"])
def test_the_stickperson_or_a_casino_supervisor_calls_no_roll(caller: str) -> None:
    """Their call voids the throw: nothing is decided and the point stays; a boxperson is a casino supervisor."""
    table = at("bet pass 10", "roll 5-4", "bet field 10", "dice-out")
    called = only(play(table, f"no-roll-by {caller} dice hit a hand"), NoRollCalled)
    assert (called.by, called.clause) == (caller, "sydney:5.1")
    assert table.puck == 9
    assert up(table) == {"pass": 10, "field": 10}


@pytest.mark.clause("sydney:5.1")
@pytest.mark.parametrize("caller", ["dealer", "inspector", "player"])
def test_nobody_else_calls_no_roll(caller: str) -> None:
    """A dealer's call has no effect, and the throw that follows counts."""
    table = at("bet pass 10", "dice-out")
    refusal = refused(table, f"no-roll-by {caller} not-together")
    assert (refusal.code, refusal.clause) == ("no_roll.caller", "sydney:5.1")
    play(table, "roll 6-5")
    assert gain(table) == 10


# --- May be called --------------------------------------------------------------------------------------------------

MAY = [
    case("sydney:5.2.1", "not-together", (), "6-5", 10),
    case("sydney:5.2.2", "no-end-struck", ("roll 5-3",), "4-3", -10),
    case("sydney:5.2.3", "irregular", (), "6-5", 10),
    case("sydney:5.2.4", "improper", ("roll 5-3",), "5-3", 10),
]


@pytest.mark.parametrize(("clause", "flaw", "before", "throw", "uncalled"), MAY)
def test_what_may_be_called_counts_until_it_is_called(
    clause: str, flaw: str, before: tuple[str, ...], throw: str, uncalled: int
) -> None:
    """A Win Line of 10 is decided by the flawed throw when nobody calls, and untouched when somebody does."""
    table = at("bet pass 10", *before)
    play(table, f"throw {throw} {flaw}")
    assert gain(table) == uncalled
    assert up(table) == {}
    for caller in ("stick", "supervisor"):
        called = at("bet pass 10", *before, "dice-out")
        puck = called.puck
        void = only(play(called, f"no-roll-by {caller} {flaw}"), NoRollCalled)
        assert (void.reason, void.clause) == (flaw, clause)
        assert (up(called), called.puck, gain(called)) == ({"pass": 10}, puck, 0)
    assert refused(at("bet pass 10", *before, "dice-out"), f"no-roll-by dealer {flaw}").code == "no_roll.caller"


# --- Must be called -------------------------------------------------------------------------------------------------

MUST = [
    case("sydney:5.3.1", "off-table", ("bet pass 10",), "6-5", {"pass": 10}),
    case("sydney:5.3.2", "stacked", ("bet pass 10", "bet field 10"), "6-3", {"pass": 10, "field": 10}),
    case("sydney:5.3.3", "on-bank", ("bet pass 10", "bet eleven 1"), "5-6", {"pass": 10, "eleven": 1}),
    case("sydney:5.3.4", "on-rail", ("bet pass 10", "roll 4-2"), "4-3", {"pass": 10}),
    case("sydney:5.3.4", "in-cup", ("bet pass 10", "roll 4-2"), "5-1", {"pass": 10}),
    case("sydney:5.3.5", "cocked", ("bet pass 10", "roll 4-2"), "4-3", {"pass": 10}),
    case("sydney:5.3.6", "wrong-thrower", ("bet pass 10", "2 bet pass 10", "2 shoot"), "6-5", {"pass": 10}),
    case("sydney:5.3.7", "cheating", ("bet dont_pass 10", "roll 4-2"), "4-3", {"dont_pass": 10}),
    case("sydney:5.3.8", "unapproved-dice", ("bet pass 10", "bet field 10"), "6-6", {"pass": 10, "field": 10}),
]


@pytest.mark.parametrize(("clause", "flaw", "lines", "throw", "still_up"), MUST)
def test_what_must_be_called_never_counts(
    clause: str, flaw: str, lines: tuple[str, ...], throw: str, still_up: dict[str, int]
) -> None:
    """The throw is called void without anybody asking: no bet, no point and no dice move; thrown right, it counts."""
    table = at(*lines, seats=2)
    before = table.state
    events = play(table, f"throw {throw} {flaw}")
    void = only(events, NoRollCalled)
    assert (void.reason, void.by, void.clause) == (flaw, "stick", clause)
    assert not every(events, DiceThrown)
    assert table.state == before
    assert up(table) == still_up
    play(table, f"roll {throw}")
    assert gain(table) != 0


@pytest.mark.clause("sydney:5.3.1")
def test_a_die_off_the_table_voids_the_throw_that_is_out() -> None:
    """With the dice out a die that comes to rest off the table forces the call."""
    table = at("bet pass 10", "shoot", "choose 1 2", "dice-out")
    events = play(table, "die-off 1")
    assert only(events, DieMoved).die == 1
    assert only(events, NoRollCalled).clause == "sydney:5.3.1"
    assert up(table) == {"pass": 10}


@pytest.mark.clause("sydney:5.3.1")
def test_a_die_that_bounces_out_and_back_in_counts() -> None:
    """Where the die comes to rest matters: one that left and came back is no forced no roll."""
    table = at("bet pass 10")
    assert not every(play(table, "throw 6-5 left-and-returned"), NoRollCalled)
    assert gain(table) == 10


@pytest.mark.clause("sydney:5.3.5")
def test_a_die_cocked_between_two_faces_is_a_no_roll() -> None:
    """A die that could fall either way is not read; one that plainly leans is."""
    table = at("bet pass 10", "bet field 10")
    void = only(play(table, "cocked 4 2,3"), NoRollCalled)
    assert (void.reason, void.clause) == ("cocked", "sydney:5.3.5")
    assert up(table) == {"pass": 10, "field": 10}
    assert only(play(table, "cocked 4 2"), FaceRead).face == 5


@pytest.mark.clause("sydney:5.3.6")
def test_the_stickpersons_throw_for_want_of_a_shooter_counts() -> None:
    """The stickperson who throws under 3.9 is the designated thrower: no no roll."""
    table = at("bet field 10")
    events = play(table, "roll 5-4")
    assert only(events, DiceThrown).thrower is None
    assert not every(events, NoRollCalled)
    assert gain(table) == 10


# --- Struck out afterwards ------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:9.5.1")
def test_wagers_on_an_invalidated_outcome_are_given_back() -> None:
    """A Field and a Win Line lost to a 7 are on the rail again; the point, the puck and the shooter are as before."""
    table = at("bet pass 10", "roll 5-3", "bet field 10", "roll 4-3")
    assert (gain(table), table.puck, table.shooter) == (-20, None, None)
    assert only(play(table, "invalidate fire alarm"), OutcomeStruckOut).clause == "sydney:9.5.1"
    assert (gain(table), table.puck, table.shooter) == (0, 8, 1)
    assert table.rail(1) == BUY_IN
    assert not up(table)


@pytest.mark.clause("sydney:9.5.1")
def test_winnings_of_an_invalidated_outcome_go_back_to_the_house() -> None:
    """What was paid on a struck out result is unpaid again."""
    table, _ = dealt("bet field 10", "roll 6-6", "invalidate power cut")
    assert (gain(table), up(table)) == (0, {})
    assert table.state.chips == table.state.bought


@pytest.mark.clause("sydney:9.5.1")
def test_only_the_last_outcome_is_struck_out() -> None:
    """There is nothing to strike out before a roll, nor once chips have moved since, nor twice."""
    assert refused(at("bet pass 10"), "invalidate fire").clause == "sydney:9.5.1"
    moved = at("bet pass 10", "roll 6-5", "bet pass 10")
    assert refused(moved, "invalidate fire").code == "strike.nothing"
    twice = at("bet pass 10", "roll 5-3", "roll 6-5", "invalidate fire")
    assert refused(twice, "invalidate fire").code == "strike.nothing"
