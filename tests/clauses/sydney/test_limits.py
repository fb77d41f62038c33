"""Part 7: the sign, and wagers found to be outside it after the throw."""

from __future__ import annotations

import pytest

from passline.engine.events import PlayerWarned, WagerLost, WagerWon
from tests.clauses.sydney.felt import at, dealt
from tests.clauses.table_helpers import BUY_IN, every, gain, only, play, refused, up


@pytest.mark.clause("sydney:7.1.1")
def test_the_sign_shows_minimum_and_maximum() -> None:
    """The sign at the table says from what to what a wager may be."""
    table = at(notice="min=10 max=200")
    assert (table.state.notice.minimum, table.state.notice.maximum) == (1000, 20_000)


@pytest.mark.clause("sydney:7.1.1")
@pytest.mark.parametrize("wager", ["pass", "dont_pass", "field", "place_6", "lay_4", "hard_8", "any_seven", "big_6"])
def test_the_sign_binds_each_players_wager(wager: str) -> None:
    """One dollar under the minimum or over the maximum is refused; both players may have the maximum up."""
    table = at(notice="min=10 max=200", seats=2)
    under, over = refused(table, f"bet {wager} 9"), refused(table, f"bet {wager} 201")
    assert (under.code, over.code) == ("bet.under_minimum", "bet.over_maximum")
    if wager not in ("hard_8", "any_seven"):
        assert under.clause == over.clause == "sydney:7.1.1"
    assert play(table, f"bet {wager} 10")
    assert play(table, f"2 bet {wager} 200")
    assert refused(table, f"bet {wager} 191").code == "bet.over_maximum"


@pytest.mark.clause("sydney:7.1.2")
def test_stakes_need_not_be_multiples_of_the_minimum() -> None:
    """With a minimum of 5 and a plain sign, 7 is a lawful wager."""
    table = at(notice="min=5")
    play(table, "bet pass 7")
    assert up(table) == {"pass": 7}


@pytest.mark.clause("sydney:7.1.2")
def test_the_sign_may_ask_for_multiples() -> None:
    """With a sign that asks for multiples of 5, 7 is refused and 10 is not; odds keep to no multiple."""
    table = at(notice="min=5 multiples")
    assert refused(table, "bet pass 7").code == "bet.not_a_multiple"
    play(table, "bet pass 10", "roll 5-4", "bet pass_odds 8")
    assert refused(table, "bet place_6 12").code == "bet.not_a_multiple"


@pytest.mark.clause("sydney:7.1.3")
def test_the_sign_may_fix_the_unit_above_the_minimum() -> None:
    """With a minimum of 10 and a unit of 4, 10 and 14 are lawful and 12 is not, nor may 14 be lowered to 12."""
    table = at(notice="min=10 unit=4")
    refusal = refused(table, "bet pass 12")
    assert (refusal.code, refusal.clause) == ("bet.not_a_unit", "sydney:7.1.3")
    play(table, "bet pass 14")
    assert refused(table, "take pass 12").code == "bet.not_a_unit"
    assert play(table, "take pass 10")


@pytest.mark.clause("sydney:7.1.3")
def test_without_a_unit_any_chips_above_the_minimum_will_do() -> None:
    """A plain sign fixes no unit."""
    assert play(at(notice="min=10"), "bet pass 12")


# --- Found after the throw ------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:7.2")
@pytest.mark.parametrize(("throw", "result"), [("6-5", 3), ("1-1", -3)])
def test_a_wager_found_under_the_minimum_is_valid(throw: str, result: int) -> None:
    """Three on the Win Line at a table of 5 wins or loses three, and nobody is warned, time after time."""
    table = at(notice="min=5")
    for times in (1, 2):
        events = play(table, "found pass 3", f"roll {throw}")
        assert not every(events, PlayerWarned)
        assert gain(table) == times * result


@pytest.mark.clause("sydney:7.3.1")
def test_a_wager_found_over_the_maximum_is_paid_to_the_maximum() -> None:
    """150 on the Win Line at a table of 100 wins 100, and the whole stake comes back."""
    table = at("found pass 150", notice="min=5 max=100")
    won = only(play(table, "roll 6-5"), WagerWon)
    assert (won.won, won.note) == (10_000, "sydney:7.3.1")
    assert table.rail(1) == BUY_IN + 100
    assert up(table) == {}


@pytest.mark.clause("sydney:7.3.1")
def test_a_wager_found_over_the_maximum_is_collected_to_the_maximum() -> None:
    """150 on the Win Line at a table of 100 loses 100, and 50 come back."""
    table = at("found pass 150", notice="min=5 max=100")
    lost = only(play(table, "roll 1-1"), WagerLost)
    assert (lost.stake, lost.returned, lost.note) == (10_000, 5000, "sydney:7.3.1")
    assert table.rail(1) == BUY_IN - 100


@pytest.mark.clause("sydney:7.3.1")
def test_tokens_over_the_maximum_come_back_as_tokens() -> None:
    """50 in tokens and 100 found beside them, at a table of 100: the chips are lost, the tokens were the excess."""
    table = at("tokens 50", "bet pass 50 tokens=50", "found pass 100", "roll 1-1", notice="min=5 max=100")
    assert table.rail(1) == BUY_IN - 100
    assert table.state.seats[1].tokens == 5000
    assert table.state.chips == table.state.bought


@pytest.mark.clause("sydney:7.3.1")
def test_a_found_horn_is_capped_like_any_wager() -> None:
    """A Horn of 150 at a table of 100 wins as a Horn of 100 and loses no more than that."""
    table, _ = dealt("found horn 152", "roll 1-1", notice="min=1 max=100")
    assert gain(table) == 25 * 33 - 75
    table, _ = dealt("found horn 152", "roll 4-3", notice="min=1 max=100")
    assert gain(table) == -100


@pytest.mark.clause("sydney:7.3.2")
def test_results_of_earlier_rolls_stand_when_a_wager_comes_to_light() -> None:
    """A wager of 150 paid in full on one roll and found over the maximum later is capped from then on only."""
    table = at("bet pass 10", "roll 5-4", "bet big_6 150", "roll 4-2", notice="min=5 max=200")
    assert gain(table) == 150
    play(table, "post max=100", "found big_6 5")
    assert gain(table) == 150
    won = only(play(table, "roll 5-1"), WagerWon, wager="big_6")
    assert (won.won, won.note) == (10_000, "sydney:7.3.1")
    assert gain(table) == 250


@pytest.mark.clause("sydney:7.3.2")
@pytest.mark.parametrize(("throw", "result"), [("roll 4-2", 150), ("roll 6-1", -160)])
def test_what_an_earlier_roll_paid_or_took_stays_so(throw: str, result: int) -> None:
    """Won or lost on 150, the result stands when the sign turns out to say 100: no notice, find or roll corrects it."""
    table = at("bet pass 10", "roll 5-4", "bet big_6 150", throw, notice="min=5 max=200")
    assert gain(table) == result
    play(table, "post max=100")
    assert gain(table) == result
    assert refused(table, "bet field 150").code == "bet.over_maximum"
    play(table, "found big_8 150")
    assert gain(table) == result
    assert refused(table, "invalidate over the maximum").code == "strike.nothing"
    play(table, *(() if table.puck else ("bet pass 10",)), "roll 5-3")
    assert gain(table) == result + 100


@pytest.mark.clause("sydney:7.3.2")
def test_an_earlier_roll_cannot_be_undone_once_a_later_one_is_made() -> None:
    """Two rolls on only the last can be struck out: what the first paid stays paid."""
    table = at("bet pass 10", "roll 5-4", "bet big_6 150", "roll 4-2", "roll 6-5", "invalidate over the maximum")
    assert refused(table, "invalidate over the maximum").code == "strike.nothing"
    assert gain(table) == 150


@pytest.mark.clause("sydney:7.4")
def test_keeping_within_the_sign_is_the_players_business() -> None:
    """Whoever has too much up has no claim to more than the cap, win after win, and is not told; the rest goes back."""
    table = at("bet pass 10", "roll 5-4", "found big_6 150", notice="min=5 max=100")
    for wins in (1, 2):
        events = play(table, "roll 4-2")
        assert not every(events, PlayerWarned)
        assert gain(table) == wins * 100
        assert up(table)["big_6"] == 100
