"""The sign, the layout, the floor and the kit: `about`, `sign`, `layout`, `pay`, `floor` and `kit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.engine.events import (
    ChipsBought,
    NoticePosted,
    OutcomeStruckOut,
    TableClosing,
    TokensGiven,
    WagerReturned,
    WagerUp,
    WagerWon,
)
from passline.errors import ArgumentError
from passline.house import House
from passline.table import Table
from passline.telling.card import card_json
from tests.clauses.crapless.felt import CRAPLESS, MADE, POINTS, SEVEN, another, at, cited, dealt
from tests.clauses.table_helpers import (
    BUY_IN,
    THROWS,
    altered,
    every,
    gain,
    game,
    only,
    play,
    refused,
    ruling,
    total,
    up,
)

if TYPE_CHECKING:
    from pathlib import Path

# --- About and the sign ---------------------------------------------------------------------------------------------


@pytest.mark.clause("crapless:about.game")
def test_the_game_is_crapless_craps() -> None:
    """And the card says so."""
    assert cited("about", "game") == ("Crapless Craps", "crapless:about.game")
    assert cited("about", "blurb")[1] == "crapless:about.game"
    assert card_json(CRAPLESS.layout)["habits"]["about.game"] == {
        "value": "Crapless Craps",
        "clause": "crapless:about.game",
    }


@pytest.mark.clause("crapless:about.prices")
def test_prices_are_posted_as_so_much_to_so_much() -> None:
    """Every price on the card, and nobody may pay more or less than it."""
    assert cited("about", "odds_word") == ("to", "crapless:about.prices")
    shown = [
        price["price"] for wager in card_json(CRAPLESS.layout)["wagers"].values() for price in wager["pays"].values()
    ]
    assert shown
    assert all(" to " in price for price in shown)
    habits = CRAPLESS.book.money
    assert (habits.price_overrides.value, habits.price_overrides.clause) == ("none", "crapless:about.prices")
    assert habits.list_binds == "crapless:about.prices"


@pytest.mark.clause("crapless:about.prices")
def test_a_copy_that_pays_more_or_less_is_not_this_house(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A file of this id with another price is refused by that clause."""
    for other in ("5:1", "3:1"):
        path = altered(
            "crapless", tmp_path_factory.mktemp("other"), '["4:1", "center.seven"]', f'["{other}", "center.seven"]'
        )
        with pytest.raises(ValueError, match=r"any_seven.*about\.prices"):
            House(path)


@pytest.mark.clause("crapless:about.prices")
def test_a_price_may_be_written_either_way(tmp_path: Path) -> None:
    """Five for one is four to one, and a file that says so is the same house."""
    house = House(altered("crapless", tmp_path, '["4:1", "center.seven"]', '["5:1 for", "center.seven"]'))
    table = game(house)
    play(table, "bet pass 15", "bet any_seven 10", SEVEN)
    assert gain(table) == 15 + 40


@pytest.mark.clause("crapless:sign.limits")
def test_the_sign_says_fifteen_to_five_thousand() -> None:
    """Unless it says otherwise; a chip less or more is refused."""
    table = at("bet pass 15", "bet field 5000", notice="")
    for line, code in (("bet buy_4 14", "bet.under_minimum"), ("bet field 1", "bet.over_maximum")):
        no = refused(table, line)
        assert (no.code, no.clause) == (code, "crapless:sign.limits")
    other = at("bet pass 10", "bet field 100", notice="min=10 max=100")
    assert refused(other, "bet buy_4 9").code == "bet.under_minimum"
    assert refused(other, "bet field 1").code == "bet.over_maximum"


@pytest.mark.clause("crapless:sign.steps")
@pytest.mark.parametrize("stake", [15, 16, 17, 23, 4999])
def test_any_whole_amount_will_do(stake: int) -> None:
    """Nothing is asked but the minimum and the maximum, and the sign has no word for steps."""
    assert up(at(f"bet pass {stake}", notice="")) == {"pass": stake}
    for word in ("multiples", "unit=5"):
        with pytest.raises(ArgumentError, match="a notice word of this house"):
            at(notice=f"min=5 {word}")
    assert CRAPLESS.book.notice.multiples == "crapless:sign.steps"


CENTRE = (
    "hard_6", "any_seven", "any_craps", "craps_2", "craps_3", "craps_12", "eleven", "horn", "craps_eleven",
)  # fmt: skip


@pytest.mark.clause("crapless:sign.props")
@pytest.mark.parametrize("key", CENTRE)
def test_the_centre_may_have_a_lower_minimum(key: str) -> None:
    """One, unless the sign gives another; the table's is for other bets."""
    assert up(at(f"bet {key} 20", notice="min=40 props=20")) == {key: 20}
    no = refused(at(notice="min=40 props=30"), f"bet {key} 20")
    assert (no.code, no.clause) == ("bet.under_minimum", "crapless:sign.props")
    least = CRAPLESS.spots[key].units
    assert up(at(f"bet {key} {least}", notice="min=40")) == {key: least}


@pytest.mark.clause("crapless:sign.props")
@pytest.mark.parametrize("key", ["pass", "place_2", "buy_6", "field"])
def test_every_other_bet_has_the_limits_of_the_table(key: str) -> None:
    """Whatever the sign says of the centre."""
    assert refused(at(notice="min=40 max=50 props=20"), f"bet {key} 39").code == "bet.under_minimum"
    assert refused(at(notice="min=40 max=50 props=20"), f"bet {key} 51").code == "bet.over_maximum"


@pytest.mark.clause("crapless:sign.chips")
def test_the_chips_of_the_bank() -> None:
    """1, 5, 25, 100, 500 and 1000; the smallest is what payments come down to, and what bets are made of."""
    notice = CRAPLESS.book.notice.chips
    assert (notice.value, notice.clause) == ((1, 5, 25, 100, 500, 1000), "crapless:sign.chips")
    assert Table(CRAPLESS).chips == (100, 500, 2500, 10_000, 50_000, 100_000)
    assert refused(at(), "bet pass 10.50").code == "amount.not_chips"


@pytest.mark.clause("crapless:sign.enforced")
@pytest.mark.parametrize(("stake", "why"), [(5, "under"), (200, "over")])
def test_chips_off_the_limits_are_no_bet(stake: int, why: str) -> None:
    """Found under the minimum or over the maximum they go back, win or lose, and nobody is warned."""
    for throw in (SEVEN, "roll 1-1"):
        table = at("2 bet pass 15", f"found pass {stake}", seats=2, notice="min=15 max=100")
        back = only(play(table, throw), WagerReturned, seat=1)
        assert (back.stake, back.clause) == (stake * 100, "crapless:sign.enforced"), why
        assert (gain(table), up(table), table.state.seats[1].warned) == (0, {}, False)
    assert CRAPLESS.book.money.warning == "crapless:sign.enforced"


# --- The layout -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("crapless:layout.only")
@pytest.mark.parametrize(
    "key", ["dont_pass", "dont_come", "lay_4", "world", "hop_3_3", "fire", "big_6", "place_7", "all_small"]
)
def test_only_what_is_printed_can_be_bet(key: str) -> None:
    """Anything else is not booked; everything that is printed is."""
    no = refused(at(), f"bet {key} 60")
    assert (no.code, no.clause) == ("wager.not_offered", "crapless:layout.only")
    assert {spot.rule.offered.value for spot in CRAPLESS.spots.values()} == {True}


@pytest.mark.clause("crapless:layout.any-time", "crapless:layout.down")
@pytest.mark.parametrize("key", ["place_2", "place_6", "buy_6", "buy_12", "field", *CENTRE])
@pytest.mark.parametrize("lines", [(), (SEVEN,), ("roll 5-4",), ("roll 5-4", "roll 6-3"), ("roll 5-4", SEVEN)])
def test_other_bets_are_made_and_come_down_whenever_the_dice_are_in_the_middle(
    key: str, lines: tuple[str, ...]
) -> None:
    """At any moment between rolls: made, raised, lowered and taken down."""
    table, events = dealt(*lines, f"bet {key} 60")
    assert only(events, WagerUp).clause == "crapless:layout.any-time"
    play(table, f"bet {key} 60", f"take {key} 60")
    assert up(table) == {key: 60}
    play(table, f"take {key}")
    assert (up(table), gain(table)) == ({}, 0)


@pytest.mark.clause("crapless:layout.down")
def test_nothing_comes_down_while_the_dice_are_out() -> None:
    """Hands off until the roll is settled."""
    table = at("bet pass 15", "bet place_6 60", "dice-out")
    no = refused(table, "take place_6")
    assert (no.code, no.clause) == ("phase.dice_out", "crapless:layout.down")


@pytest.mark.clause("crapless:layout.chips")
def test_bets_are_made_with_chips() -> None:
    """Half a chip is none."""
    no = refused(at(), "bet pass 10.50")
    assert (no.code, no.clause) == ("amount.not_chips", "crapless:layout.chips")


@pytest.mark.clause("crapless:layout.cash")
@pytest.mark.parametrize("key", ["pass", "field", "hard_6", "place_6"])
def test_cash_plays_on_every_bet(key: str) -> None:
    """A dealer takes it for chips, on any bet, and within the limits of the table."""
    table = at(notice="min=15 max=100")
    bought = only(play(table, f"bet {key} 60 cash by dealer"), ChipsBought)
    assert (bought.amount, bought.clause) == (6000, "crapless:layout.cash")
    assert up(table) == {key: 60}
    assert table.rail(1) == BUY_IN
    assert refused(table, f"bet {key} 60 cash by dealer").code == "bet.over_maximum"
    assert refused(table, f"bet {key} 15 cash by stick").code == "bet.not_confirmed"


@pytest.mark.clause("crapless:layout.match-play")
def test_a_promotional_chip_is_paid_like_a_chip_and_collected() -> None:
    """A dealer changes it; it wins what chips win, and is gone whether it wins or loses."""
    table = at()
    given = only(play(table, "tokens 20 by dealer"), TokensGiven)
    assert (given.amount, given.clause) == (2000, "crapless:layout.match-play")
    for role in ("box", "stick", "supervisor", "inspector"):
        no = refused(table, f"tokens 20 by {role}")
        assert (no.code, no.clause) == ("tokens.by", "crapless:layout.match-play")
    play(table, "bet pass 20 tokens=10")
    won = only(play(table, SEVEN), WagerWon)
    assert (won.won, won.tokens, won.collected) == (2000, 0, 1000)
    assert table.rail(1) == BUY_IN + 20
    assert table.state.seats[1].tokens == 1000
    play(table, "bet field 10 tokens=10", "bet pass 10", SEVEN)
    assert table.rail(1) == BUY_IN + 30
    assert table.state.seats[1].tokens == 0


@pytest.mark.clause("crapless:layout.before", "crapless:layout.late")
def test_bets_are_down_before_the_dice_leave_the_stick() -> None:
    """Once they are out an ordinary bet is refused; one called late counts when a dealer or the boxman booked it."""
    table = at("bet pass 15", "dice-out")
    no = refused(table, "bet field 15")
    assert (no.code, no.clause) == ("phase.dice_out", "crapless:layout.before")
    for roles in ("stick", "supervisor", "inspector", "nobody", "stick,supervisor"):
        no = refused(table, f"late field 15 by {roles}")
        assert (no.code, no.clause) == ("bet.not_confirmed", "crapless:layout.late")
    for roles, stake in (("dealer", 15), ("box", 30), ("dealer,box", 45)):
        late = only(play(table, f"late field 15 by {roles}"), WagerUp)
        assert (late.late, late.clause, late.stake) == (True, "crapless:layout.late", stake * 100)
    play(table, "roll 5-4")
    assert gain(table) == 45


@pytest.mark.clause("crapless:layout.yours")
def test_players_look_after_their_own_bets() -> None:
    """Chips that lie on the wrong bet are that bet: nobody moves them, and their player may before the roll."""
    assert CRAPLESS.book.betting.responsibility == "crapless:layout.yours"
    table = at("bet pass 15", "bet place_6 30", "take place_6", "bet place_8 30", "roll 5-4", "roll 5-3")
    assert gain(table) == 35
    wrong = at("bet pass 15", "bet place_6 30", "roll 5-4", "roll 5-3")
    assert gain(wrong) == 0


# --- The floor ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("crapless:floor.limits")
def test_the_floor_may_change_the_limits_at_any_time() -> None:
    """A higher minimum needs no notice ahead."""
    table = at("bet pass 15", notice="min=15")
    assert only(play(table, "post min=25"), NoticePosted).clause == "crapless:floor.limits"
    assert refused(table, "bet field 24").code == "bet.under_minimum"
    play(table, "bet field 25")


@pytest.mark.clause("crapless:floor.closing")
def test_a_table_that_closes_finishes_the_hand() -> None:
    """Without notice ahead; what is up is played out, and only odds are taken."""
    table = at("bet pass 15", "roll 5-4", "bet place_6 30")
    assert only(play(table, "close"), TableClosing).clause == "crapless:floor.closing"
    assert up(table) == {"pass": 15, "place_6": 30}
    no = refused(table, "bet field 15")
    assert (no.code, no.clause) == ("bet.closing", "crapless:floor.closing")
    play(table, "bet pass_odds 15", "roll 6-3")
    assert gain(table) == 15 + 22


@pytest.mark.clause("crapless:floor.void")
def test_bets_on_a_void_result_go_back() -> None:
    """What the roll decided is undone: nobody has won and nobody has lost."""
    table = at("bet pass 15", "bet field 15", "2 bet field 15", SEVEN, seats=2)
    assert only(play(table, "invalidate quarrel"), OutcomeStruckOut).clause == "crapless:floor.void"
    assert (gain(table, 1), gain(table, 2)) == (0, 0)


# --- The kit --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("crapless:kit.kit")
def test_the_crew_has_a_stick_a_bowl_a_puck_and_a_drop_box() -> None:
    """And the stickman calls the roll."""
    says = {
        "dice_holder": "dice bowl",
        "stick": True,
        "puck": ("On", "Off"),
        "drop_box": True,
        "kit": ("stick", "dice bowl", "puck", "drop box", "buttons"),
        "total_called_by": "stick",
    }
    for fact, value in says.items():
        assert cited("equipment", fact) == (value, "crapless:kit.kit")


@pytest.mark.clause("crapless:kit.buttons")
def test_the_buttons() -> None:
    """On, Off and Buy; the last marks a bet in the box it shares with place bets."""
    assert cited("equipment", "buttons") == (("On", "Off", "Buy"), "crapless:kit.buttons")
    for number in POINTS:
        button = CRAPLESS.spots[f"buy_{number}"].rule.button
        assert button is not None
        assert (button.value, button.clause) == ("Buy", "crapless:kit.buttons")


# --- What winners get -------------------------------------------------------------------------------------------------


@pytest.mark.clause("crapless:pay.breakage")
@pytest.mark.parametrize(
    ("key", "stake", "end", "won", "whole"),
    [("place_6", 5, 6, 5, 6), ("place_4", 2, 4, 3, 5), ("place_2", 1, 2, 5, 2), ("place_11", 6, 11, 16, 8)],
)
def test_breakage_is_the_houses(key: str, stake: int, end: int, won: int, whole: int) -> None:
    """What the smallest chip cannot make is paid down to the chip below; what it can is paid in full."""
    _, events = dealt("roll 5-3", f"bet {key} {stake}", f"roll {MADE[end]}")
    pay = only(events, WagerWon, wager=key)
    assert (pay.won, pay.rounding) == (won * 100, "down")
    _, events = dealt("roll 5-3", f"bet {key} {whole}", f"roll {MADE[end]}")
    assert only(events, WagerWon, wager=key).rounding is None


@pytest.mark.clause("crapless:numbers.vig")
@pytest.mark.parametrize(("chips", "charge"), [((1, 5), 2), ((5, 25), 5), ((25, 100), 25)])
def test_the_charge_is_whole_chips(chips: tuple[int, ...], charge: int) -> None:
    """Fifty bought costs two in single chips, and one chip where the smallest is five or twenty-five."""
    table, events = dealt("roll 5-3", "bet buy_4 50", "roll 3-1", chips=chips, notice="min=25")
    assert only(events, WagerWon, wager="buy_4").commission == charge * 100
    assert gain(table) == 100 - charge


@pytest.mark.clause("crapless:layout.stays")
@pytest.mark.parametrize("key", ["place_6", "buy_6", "hard_6"])
def test_a_number_or_a_hardway_that_wins_stays_up(key: str) -> None:
    """It is paid and stands as it stood, until its player takes it down."""
    table, events = dealt("roll 5-4", f"bet {key} 60", "roll 3-3")
    assert only(events, WagerWon, wager=key).stays
    assert up(table) == {key: 60}
    play(table, f"take {key}")
    assert up(table) == {}


@pytest.mark.clause("crapless:layout.winners")
@pytest.mark.parametrize(
    "lines",
    [
        ("bet pass 10", SEVEN),
        ("roll 5-4", "bet come 10", SEVEN),
        ("bet pass 10", "roll 5-1", "bet pass_odds 10", "roll 5-1"),
        ("bet field 10", "roll 1-1"),
        ("bet any_seven 10", SEVEN),
        ("bet horn 8", "roll 1-1"),
    ],
)
def test_every_other_winner_comes_down(lines: tuple[str, ...]) -> None:
    """Flat bets, odds and one-roll bets are paid, and their stake goes back with the winnings."""
    table, events = dealt(*lines)
    won = every(events, WagerWon, seat=1)
    assert won
    assert not any(event.stays for event in won)
    assert up(table) == {}


@pytest.mark.clause("crapless:numbers.wins", "crapless:numbers.loses")
@pytest.mark.parametrize("kind", ["place", "buy"])
@pytest.mark.parametrize("number", POINTS)
def test_a_number_by_every_throw(kind: str, number: int) -> None:
    """Its number wins, a seven loses, and everything else leaves it."""
    key = f"{kind}_{number}"
    for throw in THROWS:
        table, events = dealt(another(number), f"bet {key} 60", f"roll {throw}")
        if total(throw) == number:
            assert (ruling(events, key), gain(table) > 0) == ("crapless:numbers.wins", True)
        elif total(throw) == 7:
            assert (ruling(events, key), gain(table)) == ("crapless:numbers.loses", -60)
        else:
            assert (up(table), gain(table)) == ({key: 60}, 0)


# --- Line bets and odds -----------------------------------------------------------------------------------------------


@pytest.mark.clause("crapless:line.put")
@pytest.mark.parametrize("point", POINTS)
def test_a_bet_may_be_put_on_its_point(point: int) -> None:
    """A pass bet behind the puck, a come bet on its number, and both may be raised there."""
    for key, before in (("pass", f"roll {MADE[point]}"), (f"come_{point}", another(point))):
        table, events = dealt(before, f"bet {key} 10")
        assert only(events, WagerUp).clause == "crapless:line.put"
        play(table, f"bet {key} 5", f"roll {MADE[point]}")
        assert gain(table) == 15


@pytest.mark.clause("crapless:line.contract")
@pytest.mark.parametrize(("wager", "key"), [("pass", "pass"), ("come", "come_6")])
def test_a_flat_bet_with_a_point_is_a_contract(wager: str, key: str) -> None:
    """Before its point it comes down; with one it does not, in whole or in part."""
    before = () if wager == "pass" else ("roll 5-4",)
    assert up(dealt(*before, f"bet {wager} 10", f"take {wager} 5")[0]) == {wager: 5}
    table, _ = dealt(*before, f"bet {wager} 10", "roll 5-1")
    for line in (f"take {key}", f"take {key} 5"):
        no = refused(table, line)
        assert (no.code, no.clause) == ("take.locked", "crapless:line.contract")


@pytest.mark.clause("crapless:odds.sign")
@pytest.mark.parametrize("multiple", [1, 3, 100])
def test_a_table_may_post_another_multiple(multiple: int) -> None:
    """From single odds to a hundred times, the same on every point."""
    for point in POINTS:
        table, _ = dealt("bet pass 10", f"roll {MADE[point]}", notice=f"min=1 odds={multiple}")
        play(table, f"bet pass_odds {10 * multiple}")
        assert refused(table, "bet pass_odds 1").code == "bet.over_odds"
    for other in (0, 101):
        with pytest.raises(ArgumentError, match="odds"):
            at(notice=f"odds={other}")
    assert CRAPLESS.book.notice.odds_from.clause == CRAPLESS.book.notice.odds_to.clause == "crapless:odds.sign"
