"""Making and removing wagers: by when, in what, how they come down, and which sleep on a come-out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.engine.events import ChipsBought, WagerCalled, WagerDown, WagerReturned, WagerUp, WagerWon
from passline.engine.values import ClauseId
from tests.clauses import table_helpers
from tests.clauses.exhibit_a.felt import EXHIBIT_A, MADE, at, dealt, equipment, net
from tests.clauses.table_helpers import altered, every, gain, only, play, rail, refused, ruling, up
from tests.tables import cases

if TYPE_CHECKING:
    from pathlib import Path

POINT_4, POINT_6, POINT_8, POINT_9 = "roll 3-1", "roll 5-1", "roll 5-3", "roll 5-4"

# --- (1) By when ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("exhibit-a:making(1).1")
def test_betting_is_complete_before_the_throw() -> None:
    """Once the dice are thrown nothing is put up or taken down; when the roll is settled betting is open again."""
    table = at("bet pass 10", "bet field 10", "dice-out")
    for line in ("bet field 10", "take field", "take field 5"):
        no = refused(table, line)
        assert (no.code, no.clause) == ("phase.dice_out", "exhibit-a:making(1).1")
    play(table, POINT_9, "bet field 10")
    assert up(table) == {"pass": 10, "field": 10}


@pytest.mark.clause("exhibit-a:making(1).2")
@pytest.mark.parametrize("who", ["dealer,boxperson", "boxperson,dealer", "dealer,stickperson,boxperson"])
def test_a_late_bet_counts_when_dealer_and_boxperson_confirm_it(who: str) -> None:
    """With the dice in the air both say yes: the Field is booked and the same throw pays it."""
    table = at("bet pass 10", "dice-out")
    booked = only(play(table, f"late field 10 by {who}"), WagerUp)
    assert (booked.late, booked.clause) == (True, "exhibit-a:making(1).2")
    play(table, POINT_9)
    assert gain(table) == 10


@pytest.mark.clause("exhibit-a:making(1).2")
@pytest.mark.parametrize("who", ["dealer", "boxperson", "stickperson", "dealer,stickperson", "supervisor", "nobody"])
def test_a_late_bet_that_lacks_one_of_the_two_is_no_bet(who: str) -> None:
    """One voice is not enough, whoever's it is: no bet, and the throw neither pays nor takes it."""
    table = at("bet pass 10", "dice-out")
    no = refused(table, f"late field 10 by {who}")
    assert (no.code, no.clause) == ("bet.not_confirmed", "exhibit-a:making(1).2")
    play(table, POINT_9)
    assert (gain(table), up(table)) == (0, {"pass": 10})


@pytest.mark.clause("exhibit-a:making(1).2")
def test_a_late_bet_is_made_between_release_and_rest() -> None:
    """Before the dice go out, and once they lie, there is no such thing; a bet's own time still holds."""
    table = at("bet pass 10")
    assert refused(table, "late field 10 by dealer,boxperson").code == "bet.not_late"
    play(table, "dice-out")
    assert refused(table, "late come 10 by dealer,boxperson").code == "bet.window"
    play(table, "dispute 4")
    assert refused(table, "late field 10 by dealer,boxperson").code == "bet.not_late"
    play(table, "rule 5")
    assert refused(table, "late field 10 by dealer,boxperson").code == "bet.not_late"


# --- (2) In what ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("exhibit-a:making(2).1")
@pytest.mark.parametrize("wager", ["pass", "dont_pass"])
def test_the_line_is_bet_in_chips_only(wager: str) -> None:
    """Chips set down are a line bet; cash, confirmed or not, is none until it is changed."""
    table = at()
    play(table, "sit 2 Cash 0", f"bet {wager} 10 self")
    assert (up(table), rail(table)) == ({wager: 10}, 9_990)
    for who in ("dealer", "boxperson", "nobody"):
        no = refused(table, f"2 bet {wager} 10 cash by {who}")
        assert (no.code, no.clause) == ("bet.cash", "exhibit-a:making(2).1")
    play(table, "2 buyin 10", f"2 bet {wager} 10")
    assert (up(table, 2), rail(table, 2)) == ({wager: 10}, 0)


@pytest.mark.clause("exhibit-a:making(2).1")
def test_wagers_are_whole_chips() -> None:
    """Half a chip is no wager, as a stake and as what is left; and the house plays without tokens."""
    table = at("bet field 10")
    for line in ("bet field 10.50", "take field 5.50"):
        no = refused(table, line)
        assert (no.code, no.clause) == ("amount.not_chips", "exhibit-a:making(2).1")
    assert refused(table, "bet field 10 tokens=10").code == "bet.tokens_not_taken"


@pytest.mark.clause("exhibit-a:making(2).2")
@pytest.mark.parametrize("wager", ["any_craps", "field", "place_6", "hard_8"])
def test_a_spoken_bet_in_cash_counts_when_the_dealer_confirms_it(wager: str) -> None:
    """A $5 note and the dealer's word: it becomes $5 in chips at once, and they are the bet."""
    table = at()
    events = play(table, "sit 2 Cash 0", f"2 bet {wager} 5 cash by dealer")
    assert only(events, ChipsBought) == ChipsBought(2, 5_00, ClauseId("exhibit-a:making(2).2"))
    assert [type(event) for event in events] == [ChipsBought, WagerUp]
    assert (up(table, 2), rail(table, 2)) == ({wager: 5}, 0)
    assert table.state.chips == table.state.bought


@pytest.mark.clause("exhibit-a:making(2).2")
@pytest.mark.parametrize("tender", ["cash", "spoken"])
@pytest.mark.parametrize("who", ["boxperson", "stickperson", "player", "nobody"])
def test_nobody_but_the_dealer_confirms_a_spoken_bet(tender: str, who: str) -> None:
    """Unconfirmed, or confirmed by somebody else, words are no bet and the cash stays the player's."""
    table = at()
    no = refused(table, f"bet any_craps 5 {tender} by {who}")
    assert (no.code, no.clause) == ("bet.not_confirmed", "exhibit-a:making(2).2")
    play(table, f"bet any_craps 5 {tender} by dealer")
    assert up(table) == {"any_craps": 5}


# --- (3) and (4) Taking down ----------------------------------------------------------------------------------------

REMOVABLE = [
    *("field", "any_seven", "any_craps", "craps_2", "craps_3", "craps_12", "eleven"),
    *("horn", "horn_high_2", "craps_eleven", "world", "hard_4", "hard_10", "place_4", "place_6"),
]


@pytest.mark.clause("exhibit-a:making(3).1")
@pytest.mark.parametrize("wager", REMOVABLE)
@pytest.mark.parametrize("first", [(), (POINT_9,)], ids=["come-out", "point on"])
def test_a_wager_comes_down_whole_or_in_part_up_to_its_roll(wager: str, first: tuple[str, ...]) -> None:
    """Before the roll that decides it a wager is reduced or removed and its chips go back; then it is too late."""
    table, events = dealt(*first, f"bet {wager} 40", f"take {wager} 20")
    down = only(events, WagerDown)
    assert (down.removed, down.left, down.clause) == (20_00, 20_00, "exhibit-a:making(3).1")
    assert up(table) == {wager: 20}
    play(table, f"take {wager}")
    assert (rail(table), up(table)) == (10_000, {})
    table, _ = dealt(*first, f"bet {wager} 40", "dice-out")
    assert refused(table, f"take {wager}").code == "phase.dice_out"


@pytest.mark.clause("exhibit-a:making(3).1")
def test_a_place_bet_taken_down_wins_nothing() -> None:
    """Place 4 for $4 down before the roll: $4 back, and the 4 that follows pays nothing."""
    table, _ = dealt(POINT_8, "bet place_4 4", "take place_4", "roll 3-1")
    assert (rail(table), up(table)) == (10_000, {})


@pytest.mark.clause("exhibit-a:making(3).1")
@pytest.mark.parametrize(
    ("wager", "lines"),
    [
        ("pass_odds", ("bet pass 20", POINT_8)),
        ("come_odds_6", (POINT_8, "bet come 20", POINT_6)),
        ("come_odds_6", (POINT_8, "bet come 20", POINT_6, POINT_8)),
        ("dont_pass_odds", ("bet dont_pass 20", POINT_8)),
        ("dont_come_odds_6", (POINT_8, "bet dont_come 20", POINT_6)),
    ],
)
def test_supporting_bets_come_down_while_their_flat_bet_stays(wager: str, lines: tuple[str, ...]) -> None:
    """Odds are no exception to the rule: they are reduced and removed at any time, come-outs included."""
    table, events = dealt(*lines, f"bet {wager} 20", f"take {wager} 10")
    assert only(events, WagerDown).clause == "exhibit-a:making(3).1"
    play(table, f"take {wager}")
    assert wager not in up(table)
    assert len(up(table)) == 1


@pytest.mark.clause("exhibit-a:making(3).2")
def test_pass_stays_once_its_point_is_set() -> None:
    """Before the come-out Pass comes down; on its point it can be neither removed nor reduced."""
    table, _ = dealt("bet pass 10", "take pass 6", "take pass")
    assert (gain(table), up(table)) == (0, {})
    table, _ = dealt("bet pass 10", POINT_6)
    for line in ("take pass", "take pass 5"):
        no = refused(table, line)
        assert (no.code, no.clause) == ("take.locked", "exhibit-a:making(3).2")
    play(table, "roll 6-6")
    assert refused(table, "take pass").code == "take.locked"
    assert up(table) == {"pass": 10}


@pytest.mark.clause("exhibit-a:making(3).3")
def test_come_stays_once_its_point_is_set() -> None:
    """In its box Come comes down; on its number it can be neither removed nor reduced, not on a come-out either."""
    table, _ = dealt(POINT_8, "bet come 10", "take come 6", "take come")
    assert (gain(table), up(table)) == (0, {})
    table, _ = dealt(POINT_8, "bet come 10", POINT_6)
    for line in ("take come_6", "take come_6 5"):
        no = refused(table, line)
        assert (no.code, no.clause) == ("take.locked", "exhibit-a:making(3).3")
    play(table, POINT_8)
    assert refused(table, "take come_6").code == "take.locked"
    assert up(table) == {"come_6": 10}


@pytest.mark.clause("exhibit-a:making(4).1")
@pytest.mark.parametrize(
    ("wager", "lines"),
    [
        ("dont_pass", ("bet dont_pass 10",)),
        ("dont_pass", ("bet dont_pass 10", POINT_4)),
        ("dont_come", (POINT_4, "bet dont_come 10")),
        ("dont_come_9", (POINT_4, "bet dont_come 10", POINT_9)),
        ("dont_come_9", (POINT_4, "bet dont_come 10", POINT_9, POINT_4)),
    ],
)
def test_dont_bets_come_down_at_any_time(wager: str, lines: tuple[str, ...]) -> None:
    """Don't Pass and Don't Come are reduced and removed before and after their point, and on a come-out."""
    table, events = dealt(*lines, f"take {wager} 6")
    assert only(events, WagerDown).clause == "exhibit-a:making(4).1"
    assert up(table) == {wager: 6}
    play(table, f"take {wager}")
    assert (rail(table), up(table)) == (10_000, {})


@pytest.mark.clause("exhibit-a:making(4).2")
@pytest.mark.parametrize("leave", [5, 0])
def test_a_lowered_dont_pass_is_not_put_back_on_its_point(leave: int) -> None:
    """Cut to $5, or removed: while the point is on nothing goes back; the next come-out is for new bets (X-06)."""
    table, _ = dealt("2 bet pass 5", "bet dont_pass 10", POINT_4, f"take dont_pass {leave}")
    for line in ("roll 6-6", "roll 5-5"):
        assert refused(table, "bet dont_pass 5").code == "bet.window"
        play(table, line)
    assert up(table) == ({"dont_pass": 5} if leave else {})
    play(table, POINT_4, "bet dont_pass 5")
    assert up(table) == {"dont_pass": 5}


@pytest.mark.clause("exhibit-a:making(4).2")
@pytest.mark.parametrize("leave", [5, 0])
def test_a_lowered_dont_come_is_not_put_back_behind_its_number(leave: int) -> None:
    """Nothing goes back behind the number, on a come-out neither; a fresh Don't Come is a new bet (X-06)."""
    table, _ = dealt(POINT_4, "bet dont_come 10", POINT_9, f"take dont_come_9 {leave}")
    assert refused(table, "bet dont_come_9 5").code == "wager.not_offered"
    play(table, "bet dont_come 5", POINT_4)
    assert refused(table, "bet dont_come_9 5").code == "wager.not_offered"
    assert up(table) == ({"dont_come_9": 5} if leave else {}) | {"dont_come_4": 5}


# --- (5) On and off -------------------------------------------------------------------------------------------------


@pytest.mark.clause("exhibit-a:making(5).1")
@cases("wager", ["hard_4", "hard_6", "hard_8", "hard_10", "place_4", "place_6", "place_10"])
@cases("throw", ["6-1", "2-2", "3-1", "3-3", "5-1", "4-4", "6-2", "5-5", "6-4"])
def test_hard_ways_and_place_bets_sleep_on_a_come_out(wager: str, throw: str) -> None:
    """On a come-out they neither win nor lose and stay; called On, what decides them decides them."""
    table, _ = dealt(f"bet {wager} 4", f"roll {throw}")
    assert (gain(table), up(table)) == (0, {wager: 4})
    number = int(wager.split("_")[1])
    if sum(map(int, throw.split("-"))) in (7, number):
        _, events = dealt(f"bet {wager} 4", f"on {wager}", f"roll {throw}")
        assert ruling(events, wager)


@pytest.mark.clause("exhibit-a:making(5).1")
def test_hard_ways_wake_when_a_point_is_set() -> None:
    """Hard 6 for $5: unpaid on a come-out 3-3, which sets the point; the next 3-3 pays $45."""
    assert net("bet hard_6 5", "roll 3-3", "roll 3-3") == 45
    assert net("bet hard_6 5", "roll 3-3", "roll 4-2") == -5
    assert EXHIBIT_A.spots["hard_6"].rule.off_on_comeout.clause == "exhibit-a:making(5).1"


@pytest.mark.clause("exhibit-a:making(5).1")
@pytest.mark.parametrize(("throw", "flat", "with_odds"), [("5-2", -10, -20), ("5-1", 10, 20)])
def test_come_odds_sleep_on_a_come_out_and_go_back_with_their_bet(throw: str, flat: int, with_odds: int) -> None:
    """The flat Come is decided on a come-out and its odds go back unpaid; called On they win and lose with it."""
    to_the_come_out = (POINT_8, "bet come 10", POINT_6, "bet come_odds_6 10", POINT_8)
    table, events = dealt(*to_the_come_out, f"roll {throw}")
    assert (gain(table), up(table)) == (flat, {})
    back = only(events, WagerReturned, wager="come_odds_6")
    assert (back.stake, back.clause) == (10_00, "exhibit-a:making(5).1")
    assert net(*to_the_come_out, "on come_odds_6", f"roll {throw}") == with_odds


@pytest.mark.clause("exhibit-a:making(5).1")
def test_buy_bets_would_sleep_if_the_house_took_them(tmp_path: Path) -> None:
    """In a house like this one with buy bets switched on (E-01), they too are inactive on a come-out."""
    house = altered("exhibit-a", tmp_path, 'offered = [false, "E-01"]', 'offered = [true, "E-01"]')
    for throw in ("3-1", "6-1"):
        table, _ = table_helpers.dealt(house, "bet buy_4 20", f"roll {throw}")
        assert (gain(table), up(table)) == (-1, {"buy_4": 20})
    assert table_helpers.net(house, "bet buy_4 20", "on buy_4", "roll 6-1") == -21
    assert EXHIBIT_A.spots["buy_4"].rule.off_on_comeout.clause == "exhibit-a:making(5).1"


TRUE = {4: "2 to 1", 5: "3 to 2", 6: "6 to 5", 8: "6 to 5", 9: "3 to 2", 10: "2 to 1"}


@pytest.mark.clause("exhibit-a:making(5).1")
def test_what_buy_bets_would_cost_and_win_if_the_house_took_them(tmp_path: Path) -> None:
    """The true price, for five percent of the stake in front: given back with the bet, and again when it has won."""
    house = altered("exhibit-a", tmp_path, 'offered = [false, "E-01"]', 'offered = [true, "E-01"]')
    for number, price in TRUE.items():
        key, point = f"buy_{number}", POINT_8 if number != 8 else POINT_6
        table, events = table_helpers.dealt(house, point, f"bet {key} 60", f"roll {MADE[number]}")
        won = only(events, WagerWon, wager=key)
        assert (str(won.price), won.commission, won.held, up(table)) == (price, 3_00, 3_00, {key: 60})
    for stake, charge in ((2, 1), (38, 1), (40, 2), (58, 2), (60, 3)):
        table, _ = table_helpers.dealt(house, POINT_8, f"bet buy_4 {stake}")
        assert gain(table) == -charge
        play(table, "take buy_4")
        assert gain(table) == 0


@pytest.mark.clause("exhibit-a:making(5).2")
def test_on_counts_when_the_dealer_puts_the_button_down() -> None:
    """Hard 6 for $5, On and buttoned by the dealer: a come-out 3-3 pays $45. Nobody else's button counts."""
    _, events = dealt("bet hard_6 5", "on hard_6 by dealer", "roll 3-3")
    assert only(events, WagerWon, wager="hard_6").won == 45_00
    for who in ("boxperson", "stickperson", "supervisor", "player", "nobody"):
        table, _ = dealt("bet hard_6 5", "2 bet pass 5")
        no = refused(table, f"on hard_6 by {who}")
        assert (no.code, no.clause) == ("call.not_confirmed", "exhibit-a:making(5).2")
        play(table, "roll 3-3")
        assert (gain(table), up(table)) == (0, {"hard_6": 5})
    assert equipment("buttons") == (("On",), "exhibit-a:making(5).2")


@pytest.mark.clause("exhibit-a:making(5).2")
def test_the_button_speaks_for_the_wager_it_lies_on() -> None:
    """A button on Place 6 leaves Place 8, the hard ways and a neighbour's Place 6 asleep; so does a later bet."""
    bets = ("bet place_6 6", "bet place_8 6", "bet hard_6 5", "2 bet place_6 6", "2 bet pass 5")
    table, events = dealt(*bets, "on place_6 by dealer")
    assert [event.wager for event in every(events, WagerCalled)] == ["place_6"]
    play(table, "bet place_5 4", "roll 6-1")
    assert up(table) == {"place_8": 6, "hard_6": 5, "place_5": 4}
    assert up(table, 2) == {"place_6": 6}


@pytest.mark.clause("exhibit-a:making(5).3")
@pytest.mark.parametrize(
    ("wager", "stake", "throw", "change"),
    [
        ("dont_pass", 10, "6-1", -10),
        ("pass", 10, "6-1", 10),
        ("field", 10, "5-4", 10),
        ("any_seven", 5, "6-1", 20),
        ("any_craps", 5, "1-1", 35),
        ("craps_2", 5, "1-1", 150),
        ("eleven", 5, "6-5", 75),
        ("horn", 4, "6-5", 12),
        ("horn_high_2", 5, "6-1", -5),
        ("craps_eleven", 2, "6-5", 14),
        ("world", 5, "1-1", 26),
    ],
)
def test_every_other_wager_is_on(wager: str, stake: int, throw: str, change: int) -> None:
    """Only hard ways, come odds and place bets sleep: a come-out decides all the others, without a call."""
    table, _ = dealt("2 bet pass 5", f"bet {wager} {stake}")
    assert refused(table, f"off {wager}").code == "call.not_callable"
    play(table, f"roll {throw}")
    assert gain(table) == change
    assert EXHIBIT_A.spots[wager].rule.off_on_comeout.clause == "exhibit-a:making(5).3"


@pytest.mark.clause("exhibit-a:making(5).3")
def test_dont_come_with_its_lay_and_the_flat_come_work_on_a_come_out() -> None:
    """Don't Come $10 on 6 with $12 laid wins $10 + $9 on a come-out 7; a flat Come on 6 loses there, or wins on 6."""
    laid = (POINT_8, "bet dont_come 10", POINT_6, "bet dont_come_odds_6 12", POINT_8)
    assert net(*laid, "roll 4-3") == 19
    assert net(*laid, "roll 4-2") == -22
    come = (POINT_8, "bet come 10", POINT_6, POINT_8)
    assert (net(*come, "roll 4-3"), net(*come, "roll 4-2")) == (-10, 10)
