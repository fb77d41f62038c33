"""The sign, the layout, the floor and the kit: `about`, `sign`, `layout`, `floor` and `kit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.engine.events import (
    ChipsBought,
    NoticePosted,
    OutcomeStruckOut,
    TableClosing,
    TokensGiven,
    WagerPushed,
    WagerReturned,
    WagerUp,
    WagerWon,
)
from passline.errors import ArgumentError
from passline.house import House
from passline.table import Table
from passline.telling.card import card_json
from tests.clauses.strip.felt import STRIP, at, cited, dealt
from tests.clauses.table_helpers import BUY_IN, altered, every, gain, game, only, play, refused, up

if TYPE_CHECKING:
    from pathlib import Path

ROLES = ("dealer", "box", "stick", "supervisor", "inspector")
SEVEN = "roll 6-1"

# --- About and the sign ---------------------------------------------------------------------------------------------


@pytest.mark.clause("strip:about.game")
def test_the_game_is_craps() -> None:
    """And the card says so."""
    assert cited("about", "game") == ("Craps", "strip:about.game")
    assert cited("about", "blurb")[1] == "strip:about.game"
    assert card_json(STRIP.layout)["habits"]["about.game"] == {"value": "Craps", "clause": "strip:about.game"}


@pytest.mark.clause("strip:about.prices")
def test_prices_are_posted_as_so_much_to_so_much() -> None:
    """Every price on the card, and nobody may pay more or less than it."""
    assert cited("about", "odds_word") == ("to", "strip:about.prices")
    shown = [price["price"] for wager in card_json(STRIP.layout)["wagers"].values() for price in wager["pays"].values()]
    assert shown
    assert all(" to " in price for price in shown)
    habits = STRIP.book.money
    assert (habits.price_overrides.value, habits.price_overrides.clause) == ("none", "strip:about.prices")
    assert habits.list_binds == "strip:about.prices"


@pytest.mark.clause("strip:about.prices")
def test_a_copy_that_pays_more_or_less_is_no_strip(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A file of this id with another price is refused by that clause."""
    for other in ("5:1", "3:1"):
        path = altered(
            "strip", tmp_path_factory.mktemp("other"), '["4:1", "center.seven"]', f'["{other}", "center.seven"]'
        )
        with pytest.raises(ValueError, match=r"any_seven.*about\.prices"):
            House(path)


@pytest.mark.clause("strip:about.prices")
def test_a_price_may_be_written_either_way(tmp_path: Path) -> None:
    """Five for one is four to one, and a file that says so is the same house."""
    house = House(altered("strip", tmp_path, '["4:1", "center.seven"]', '["5:1 for", "center.seven"]'))
    table = game(house)
    play(table, "bet pass 15", "bet any_seven 10", "roll 6-1")
    assert gain(table) == 15 + 40


@pytest.mark.clause("strip:sign.limits")
def test_the_sign_says_fifteen_to_five_thousand() -> None:
    """Unless it says otherwise; a chip less or more is refused."""
    table = at("bet pass 15", "bet field 5000", notice="")
    for line, code in (("bet lay_4 14", "bet.under_minimum"), ("bet field 1", "bet.over_maximum")):
        no = refused(table, line)
        assert (no.code, no.clause) == (code, "strip:sign.limits")
    other = at("bet pass 10", "bet field 100", notice="min=10 max=100")
    assert refused(other, "bet lay_4 9").code == "bet.under_minimum"
    assert refused(other, "bet field 1").code == "bet.over_maximum"


@pytest.mark.clause("strip:sign.steps")
@pytest.mark.parametrize("stake", [15, 16, 17, 23, 4999])
def test_any_whole_amount_will_do(stake: int) -> None:
    """Nothing is asked but the minimum and the maximum, and the sign has no word for steps."""
    assert up(at(f"bet pass {stake}", notice="")) == {"pass": stake}
    for word in ("multiples", "unit=5"):
        with pytest.raises(ArgumentError, match="a notice word of this house"):
            at(notice=f"min=5 {word}")
    assert STRIP.book.notice.multiples == "strip:sign.steps"


CENTRE = (
    "hard_6", "any_seven", "any_craps", "craps_2", "craps_3", "craps_12", "eleven", "horn", "horn_high_2",
    "craps_eleven", "world", "hop_3_3", "hop_4_2",
)  # fmt: skip
SIDE = ("all_small", "all_tall", "make_em_all")


@pytest.mark.clause("strip:sign.props")
@pytest.mark.parametrize("key", CENTRE)
def test_the_centre_may_have_a_lower_minimum(key: str) -> None:
    """One, unless the sign gives another; the table's is for other bets."""
    assert up(at(f"bet {key} 20", notice="min=40 props=20")) == {key: 20}
    no = refused(at(notice="min=40 props=30"), f"bet {key} 20")
    assert (no.code, no.clause) == ("bet.under_minimum", "strip:sign.props")
    least = STRIP.spots[key].units
    assert up(at(f"bet {key} {least}", notice="min=40")) == {key: least}


@pytest.mark.clause("strip:sign.props")
def test_the_centre_starts_at_one() -> None:
    """Nothing less, where the bank has smaller chips."""
    table = Table(STRIP, chips=["0.50", 1])
    table.sit(1, "Ann", 100)
    assert refused(table, "bet any_seven 0.50").code == "bet.under_minimum"
    assert STRIP.book.notice.props.value == 1


@pytest.mark.clause("strip:sign.side")
@pytest.mark.parametrize("key", SIDE)
def test_side_bets_may_have_limits_of_their_own(key: str) -> None:
    """If the sign gives them; otherwise the table's hold, as they do for every other bet."""
    table = at(f"bet {key} 20", notice="min=40 props=30 side=20-60")
    no = refused(table, f"bet {key} 41")
    assert (no.code, no.clause) == ("bet.over_maximum", "strip:sign.side")
    assert refused(at(notice="min=40 side=20-60"), f"bet {key} 19").code == "bet.under_minimum"
    assert refused(at(notice="min=40"), f"bet {key} 20").code == "bet.under_minimum"


@pytest.mark.clause("strip:sign.side", "strip:sign.props")
@pytest.mark.parametrize("key", ["pass", "dont_pass", "place_6", "buy_6", "lay_6", "field"])
def test_every_other_bet_has_the_limits_of_the_table(key: str) -> None:
    """Whatever the sign says of the centre and of the side bets."""
    assert refused(at(notice="min=40 max=50 props=20 side=30-100"), f"bet {key} 39").code == "bet.under_minimum"
    assert refused(at(notice="min=40 max=50 props=20 side=30-100"), f"bet {key} 51").code == "bet.over_maximum"


@pytest.mark.clause("strip:sign.chips")
def test_the_chips_of_the_bank() -> None:
    """1, 5, 25, 100, 500 and 1000; the smallest is what payments come down to, and what bets are made of."""
    notice = STRIP.book.notice.chips
    assert (notice.value, notice.clause) == ((1, 5, 25, 100, 500, 1000), "strip:sign.chips")
    assert Table(STRIP).chips == (100, 500, 2500, 10_000, 50_000, 100_000)
    assert refused(at(), "bet pass 10.50").code == "amount.not_chips"


@pytest.mark.clause("strip:sign.enforced")
@pytest.mark.parametrize(("stake", "why"), [(5, "under"), (200, "over")])
def test_chips_off_the_limits_are_no_bet(stake: int, why: str) -> None:
    """Found under the minimum or over the maximum they go back, win or lose, and nobody is warned."""
    for throw in ("roll 6-5", "roll 1-1"):
        table = at("2 bet pass 15", f"found pass {stake}", seats=2, notice="min=15 max=100")
        back = only(play(table, throw), WagerReturned, seat=1)
        assert (back.stake, back.clause) == (stake * 100, "strip:sign.enforced"), why
        assert (gain(table), up(table), table.state.seats[1].warned) == (0, {}, False)
    assert STRIP.book.money.warning == "strip:sign.enforced"


# --- The layout -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("strip:layout.only")
@pytest.mark.parametrize("key", ["fire", "big_6", "place_lose_4", "place_7", "hard_5", "odd_even"])
def test_only_what_is_printed_can_be_bet(key: str) -> None:
    """Anything else is not booked; everything that is printed is."""
    no = refused(at(), f"bet {key} 60")
    assert (no.code, no.clause) == ("wager.not_offered", "strip:layout.only")
    assert {spot.rule.offered.value for spot in STRIP.spots.values()} == {True}


@pytest.mark.clause("strip:layout.any-time", "strip:layout.down")
@pytest.mark.parametrize("key", ["place_6", "buy_6", "lay_6", "field", *CENTRE])
@pytest.mark.parametrize("lines", [(), ("roll 6-5",), ("roll 5-4",), ("roll 5-4", "roll 6-3"), ("roll 5-4", SEVEN)])
def test_other_bets_are_made_and_come_down_whenever_the_dice_are_in_the_middle(
    key: str, lines: tuple[str, ...]
) -> None:
    """At any moment between rolls: made, raised, lowered and taken down."""
    table, events = dealt(*lines, f"bet {key} 60")
    assert only(events, WagerUp).clause == "strip:layout.any-time"
    play(table, f"bet {key} 60", f"take {key} 60")
    assert up(table) == {key: 60}
    play(table, f"take {key}")
    assert (up(table), gain(table)) == ({}, 0)


@pytest.mark.clause("strip:layout.down")
def test_nothing_comes_down_while_the_dice_are_out() -> None:
    """Hands off until the roll is settled."""
    table = at("bet pass 15", "bet place_6 60", "dice-out")
    no = refused(table, "take place_6")
    assert (no.code, no.clause) == ("phase.dice_out", "strip:layout.down")


@pytest.mark.clause("strip:layout.chips")
def test_bets_are_made_with_chips() -> None:
    """Half a chip is none."""
    no = refused(at(), "bet pass 10.50")
    assert (no.code, no.clause) == ("amount.not_chips", "strip:layout.chips")


@pytest.mark.clause("strip:layout.cash")
@pytest.mark.parametrize("key", ["pass", "field", "hard_6", "place_6"])
def test_cash_plays_on_every_bet(key: str) -> None:
    """A dealer takes it for chips, on any bet, and within the limits of the table."""
    table = at(notice="min=15 max=100")
    bought = only(play(table, f"bet {key} 60 cash by dealer"), ChipsBought)
    assert (bought.amount, bought.clause) == (6000, "strip:layout.cash")
    assert up(table) == {key: 60}
    assert table.rail(1) == BUY_IN
    assert refused(table, f"bet {key} 60 cash by dealer").code == "bet.over_maximum"
    assert refused(table, f"bet {key} 15 cash by stick").code == "bet.not_confirmed"


@pytest.mark.clause("strip:layout.match-play")
def test_a_promotional_chip_is_paid_like_a_chip_and_collected() -> None:
    """A dealer changes it; it wins what chips win, and is gone whether it wins or loses."""
    table = at()
    given = only(play(table, "tokens 20 by dealer"), TokensGiven)
    assert (given.amount, given.clause) == (2000, "strip:layout.match-play")
    for role in ("box", "stick", "supervisor", "inspector"):
        no = refused(table, f"tokens 20 by {role}")
        assert (no.code, no.clause) == ("tokens.by", "strip:layout.match-play")
    play(table, "bet pass 20 tokens=10")
    won = only(play(table, "roll 6-5"), WagerWon)
    assert (won.won, won.tokens, won.collected) == (2000, 0, 1000)
    assert table.rail(1) == BUY_IN + 20
    assert table.state.seats[1].tokens == 1000
    play(table, "bet pass 10 tokens=10", "roll 1-1")
    assert table.rail(1) == BUY_IN + 20
    assert table.state.seats[1].tokens == 0


@pytest.mark.clause("strip:layout.before", "strip:layout.late")
def test_bets_are_down_before_the_dice_leave_the_stick() -> None:
    """Once they are out an ordinary bet is refused; one called late counts when a dealer or the boxman booked it."""
    table = at("bet pass 15", "dice-out")
    no = refused(table, "bet field 15")
    assert (no.code, no.clause) == ("phase.dice_out", "strip:layout.before")
    for roles in ("stick", "supervisor", "inspector", "nobody", "stick,supervisor"):
        no = refused(table, f"late field 15 by {roles}")
        assert (no.code, no.clause) == ("bet.not_confirmed", "strip:layout.late")
    for roles, stake in (("dealer", 15), ("box", 30), ("dealer,box", 45)):
        late = only(play(table, f"late field 15 by {roles}"), WagerUp)
        assert (late.late, late.clause, late.stake) == (True, "strip:layout.late", stake * 100)
    play(table, "roll 5-4")
    assert gain(table) == 45


@pytest.mark.clause("strip:layout.yours")
def test_players_look_after_their_own_bets() -> None:
    """Chips that lie on the wrong bet are that bet: nobody moves them, and their player may before the roll."""
    assert STRIP.book.betting.responsibility == "strip:layout.yours"
    table = at("bet pass 15", "bet place_6 30", "take place_6", "bet place_8 30", "roll 5-4", "roll 5-3")
    assert gain(table) == 35
    wrong = at("bet pass 15", "bet place_6 30", "roll 5-4", "roll 5-3")
    assert gain(wrong) == 0


# --- The floor ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("strip:floor.limits")
def test_the_floor_may_change_the_limits_at_any_time() -> None:
    """A higher minimum needs no notice ahead."""
    table = at("bet pass 15", notice="min=15")
    assert only(play(table, "post min=25"), NoticePosted).clause == "strip:floor.limits"
    assert refused(table, "bet field 24").code == "bet.under_minimum"
    play(table, "bet field 25")


@pytest.mark.clause("strip:floor.closing")
def test_a_table_that_closes_finishes_the_hand() -> None:
    """Without notice ahead; what is up is played out, and only odds are taken."""
    table = at("bet pass 15", "roll 5-4", "bet place_6 30")
    assert only(play(table, "close"), TableClosing).clause == "strip:floor.closing"
    assert up(table) == {"pass": 15, "place_6": 30}
    no = refused(table, "bet field 15")
    assert (no.code, no.clause) == ("bet.closing", "strip:floor.closing")
    play(table, "bet pass_odds 15", "roll 6-3")
    assert gain(table) == 15 + 22


@pytest.mark.clause("strip:floor.void")
def test_bets_on_a_void_result_go_back() -> None:
    """What the roll decided is undone: nobody has won and nobody has lost."""
    table = at("bet pass 15", "bet field 15", "2 bet dont_pass 15", "roll 6-5", seats=2)
    assert only(play(table, "invalidate quarrel"), OutcomeStruckOut).clause == "strip:floor.void"
    assert (gain(table, 1), gain(table, 2)) == (0, 0)


# --- The kit --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("strip:kit.kit")
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
        assert cited("equipment", fact) == (value, "strip:kit.kit")


@pytest.mark.clause("strip:kit.buttons")
def test_the_buttons() -> None:
    """On, Off, Buy and Lay; the last two mark the bets in one box."""
    assert cited("equipment", "buttons") == (("On", "Off", "Buy", "Lay"), "strip:kit.buttons")
    for number in (4, 5, 6, 8, 9, 10):
        for kind, reads in (("buy", "Buy"), ("lay", "Lay")):
            button = STRIP.spots[f"{kind}_{number}"].rule.button
            assert button is not None
            assert (button.value, button.clause) == (reads, "strip:kit.buttons")


@pytest.mark.clause("strip:line.bar")
def test_a_barred_bet_stays_where_it_is() -> None:
    """It is not pushed back to its player."""
    table, events = dealt("bet dont_pass 15", "roll 6-6")
    assert only(events, WagerPushed).stays
    assert up(table) == {"dont_pass": 15}
    assert not every(events, WagerReturned)
