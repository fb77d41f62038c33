"""The sign, the layout, the floor and the kit: `about`, `sign`, `layout`, `pay`, `floor` and `kit`."""

from __future__ import annotations

from itertools import product
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
from tests.clauses.felt import MADE, another
from tests.clauses.nevada.rooms import CRAPLESS, SEVEN, STRIP, Room, both
from tests.clauses.table_helpers import BUY_IN, altered, every, gain, game, only, play, refused, up

if TYPE_CHECKING:
    from pathlib import Path

# --- About and the sign ---------------------------------------------------------------------------------------------


@both("about.game")
def test_the_game_is_called_what_it_is(room: Room) -> None:
    """And the card says so."""
    clause = room.clause("about.game")
    assert room.cited("about", "game") == (room.facts.game, clause)
    assert room.cited("about", "blurb")[1] == clause
    assert card_json(room.house.layout)["habits"]["about.game"] == {"value": room.facts.game, "clause": clause}


@both("about.prices")
def test_prices_are_posted_as_so_much_to_so_much(room: Room) -> None:
    """Every price on the card, and nobody may pay more or less than it."""
    assert room.cited("about", "odds_word") == ("to", room.clause("about.prices"))
    shown = [
        price["price"] for wager in card_json(room.house.layout)["wagers"].values() for price in wager["pays"].values()
    ]
    assert shown
    assert all(" to " in price for price in shown)
    habits = room.house.book.money
    assert (habits.price_overrides.value, habits.price_overrides.clause) == ("none", room.clause("about.prices"))
    assert habits.list_binds == room.clause("about.prices")


@both("about.prices")
def test_a_copy_that_pays_more_or_less_is_not_this_house(room: Room, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A file of this id with another price is refused by that clause."""
    for other in ("5:1", "3:1"):
        path = altered(
            room.name, tmp_path_factory.mktemp("other"), '["4:1", "center.seven"]', f'["{other}", "center.seven"]'
        )
        with pytest.raises(ValueError, match=r"any_seven.*about\.prices"):
            House(path)


@both("about.prices")
def test_a_price_may_be_written_either_way(room: Room, tmp_path: Path) -> None:
    """Five for one is four to one, and a file that says so is the same house."""
    house = House(altered(room.name, tmp_path, '["4:1", "center.seven"]', '["5:1 for", "center.seven"]'))
    table = game(house)
    play(table, "bet pass 15", "bet any_seven 10", SEVEN)
    assert gain(table) == 15 + 40


@both("sign.limits")
def test_the_sign_says_fifteen_to_five_thousand(room: Room) -> None:
    """Unless it says otherwise; a chip less or more is refused."""
    table = room.at("bet pass 15", "bet field 5000", notice="")
    for line, code in (("bet buy_4 14", "bet.under_minimum"), ("bet field 1", "bet.over_maximum")):
        no = refused(table, line)
        assert (no.code, no.clause) == (code, room.clause("sign.limits"))
    other = room.at("bet pass 10", "bet field 100", notice="min=10 max=100")
    assert refused(other, "bet buy_4 9").code == "bet.under_minimum"
    assert refused(other, "bet field 1").code == "bet.over_maximum"


@both("sign.steps")
@pytest.mark.parametrize("stake", [15, 16, 17, 23, 4999])
def test_any_whole_amount_will_do(room: Room, stake: int) -> None:
    """Nothing is asked but the minimum and the maximum, and the sign has no word for steps."""
    assert up(room.at(f"bet pass {stake}", notice="")) == {"pass": stake}
    for word in ("multiples", "unit=5"):
        with pytest.raises(ArgumentError, match="a notice word of this house"):
            room.at(notice=f"min=5 {word}")
    assert room.house.book.notice.multiples == room.clause("sign.steps")


@both("sign.props", key=lambda room: room.facts.centre)
def test_the_centre_may_have_a_lower_minimum(room: Room, key: str) -> None:
    """One, unless the sign gives another; the table's is for other bets."""
    assert up(room.at(f"bet {key} 20", notice="min=40 props=20")) == {key: 20}
    no = refused(room.at(notice="min=40 props=30"), f"bet {key} 20")
    assert (no.code, no.clause) == ("bet.under_minimum", room.clause("sign.props"))
    least = room.house.spots[key].units
    assert up(room.at(f"bet {key} {least}", notice="min=40")) == {key: least}


@both("sign.props")
def test_the_centre_starts_at_one(room: Room) -> None:
    """Nothing less, where the bank has smaller chips."""
    table = Table(room.house, chips=["0.50", 1])
    table.sit(1, "Ann", 100)
    assert refused(table, "bet any_seven 0.50").code == "bet.under_minimum"
    assert room.house.book.notice.props.value == 1


@both("sign.chips")
def test_the_chips_of_the_bank(room: Room) -> None:
    """1, 5, 25, 100, 500 and 1000; the smallest is what payments come down to, and what bets are made of."""
    notice = room.house.book.notice.chips
    assert (notice.value, notice.clause) == ((1, 5, 25, 100, 500, 1000), room.clause("sign.chips"))
    assert Table(room.house).chips == (100, 500, 2500, 10_000, 50_000, 100_000)
    assert refused(room.at(), "bet pass 10.50").code == "amount.not_chips"


@both("sign.enforced")
@pytest.mark.parametrize(("stake", "why"), [(5, "under"), (200, "over")])
def test_chips_off_the_limits_are_no_bet(room: Room, stake: int, why: str) -> None:
    """Found under the minimum or over the maximum they go back, win or lose, and nobody is warned."""
    for throw in (room.facts.natural, "1-1"):
        table = room.at("2 bet pass 15", f"found pass {stake}", seats=2, notice="min=15 max=100")
        back = only(play(table, f"roll {throw}"), WagerReturned, seat=1)
        assert (back.stake, back.clause) == (stake * 100, room.clause("sign.enforced")), why
        assert (gain(table), up(table), table.state.seats[1].warned) == (0, {}, False)
    assert room.house.book.money.warning == room.clause("sign.enforced")


# --- The layout -----------------------------------------------------------------------------------------------------


@both("layout.only", key=lambda room: room.facts.unprinted)
def test_only_what_is_printed_can_be_bet(room: Room, key: str) -> None:
    """Anything else is not booked; everything that is printed is."""
    no = refused(room.at(), f"bet {key} 60")
    assert (no.code, no.clause) == ("wager.not_offered", room.clause("layout.only"))
    assert {spot.rule.offered.value for spot in room.house.spots.values()} == {True}


@both("layout.any-time", "layout.down", key=lambda room: (*room.facts.numbers, "field", *room.facts.centre))
@pytest.mark.parametrize("rolls", [(), ("natural",), ("5-4",), ("5-4", "6-3"), ("5-4", "6-1")], ids=str)
def test_other_bets_are_made_and_come_down_whenever_the_dice_are_in_the_middle(
    room: Room, key: str, rolls: tuple[str, ...]
) -> None:
    """At any moment between rolls: made, raised, lowered and taken down."""
    lines = (f"roll {room.facts.natural if roll == 'natural' else roll}" for roll in rolls)
    table, events = room.dealt(*lines, f"bet {key} 60")
    assert only(events, WagerUp).clause == room.clause("layout.any-time")
    play(table, f"bet {key} 60", f"take {key} 60")
    assert up(table) == {key: 60}
    play(table, f"take {key}")
    assert (up(table), gain(table)) == ({}, 0)


@both("layout.down")
def test_nothing_comes_down_while_the_dice_are_out(room: Room) -> None:
    """Hands off until the roll is settled."""
    table = room.at("bet pass 15", "bet place_6 60", "dice-out")
    no = refused(table, "take place_6")
    assert (no.code, no.clause) == ("phase.dice_out", room.clause("layout.down"))


@both("layout.chips")
def test_bets_are_made_with_chips(room: Room) -> None:
    """Half a chip is none."""
    no = refused(room.at(), "bet pass 10.50")
    assert (no.code, no.clause) == ("amount.not_chips", room.clause("layout.chips"))


@both("layout.cash")
@pytest.mark.parametrize("key", ["pass", "field", "hard_6", "place_6"])
def test_cash_plays_on_every_bet(room: Room, key: str) -> None:
    """A dealer takes it for chips, on any bet, and within the limits of the table."""
    table = room.at(notice="min=15 max=100")
    bought = only(play(table, f"bet {key} 60 cash by dealer"), ChipsBought)
    assert (bought.amount, bought.clause) == (6000, room.clause("layout.cash"))
    assert up(table) == {key: 60}
    assert table.rail(1) == BUY_IN
    assert refused(table, f"bet {key} 60 cash by dealer").code == "bet.over_maximum"
    assert refused(table, f"bet {key} 15 cash by stick").code == "bet.not_confirmed"


@both("layout.match-play")
def test_a_promotional_chip_is_paid_like_a_chip_and_collected(room: Room) -> None:
    """A dealer changes it; it wins what chips win, and is gone whether it wins or loses."""
    table = room.at()
    given = only(play(table, "tokens 20 by dealer"), TokensGiven)
    assert (given.amount, given.clause) == (2000, room.clause("layout.match-play"))
    for role in ("box", "stick", "supervisor", "inspector"):
        no = refused(table, f"tokens 20 by {role}")
        assert (no.code, no.clause) == ("tokens.by", room.clause("layout.match-play"))
    play(table, "bet pass 20 tokens=10")
    won = only(play(table, f"roll {room.facts.natural}"), WagerWon)
    assert (won.won, won.tokens, won.collected) == (2000, 0, 1000)
    assert table.rail(1) == BUY_IN + 10
    assert up(table) == {"pass": 10}
    assert table.state.seats[1].tokens == 1000
    play(table, "take pass", "bet pass 10 tokens=10", "roll 5-4", SEVEN)
    assert table.rail(1) == BUY_IN + 20
    assert table.state.seats[1].tokens == 0


@both("layout.before", "layout.late")
def test_bets_are_down_before_the_dice_leave_the_stick(room: Room) -> None:
    """Once they are out an ordinary bet is refused; one called late counts when a dealer or the boxman booked it."""
    table = room.at("bet pass 15", "dice-out")
    no = refused(table, "bet field 15")
    assert (no.code, no.clause) == ("phase.dice_out", room.clause("layout.before"))
    for roles in ("stick", "supervisor", "inspector", "nobody", "stick,supervisor"):
        no = refused(table, f"late field 15 by {roles}")
        assert (no.code, no.clause) == ("bet.not_confirmed", room.clause("layout.late"))
    for roles, stake in (("dealer", 15), ("box", 30), ("dealer,box", 45)):
        late = only(play(table, f"late field 15 by {roles}"), WagerUp)
        assert (late.late, late.clause, late.stake) == (True, room.clause("layout.late"), stake * 100)
    play(table, "roll 5-4")
    assert gain(table) == 45


@both("layout.yours")
def test_players_look_after_their_own_bets(room: Room) -> None:
    """Chips that lie on the wrong bet are that bet: nobody moves them, and their player may before the roll."""
    assert room.house.book.betting.responsibility == room.clause("layout.yours")
    table = room.at("bet pass 15", "bet place_6 30", "take place_6", "bet place_8 30", "roll 5-4", "roll 5-3")
    assert gain(table) == 35
    wrong = room.at("bet pass 15", "bet place_6 30", "roll 5-4", "roll 5-3")
    assert gain(wrong) == 0


# --- The floor ------------------------------------------------------------------------------------------------------


@both("floor.limits")
def test_the_floor_may_change_the_limits_at_any_time(room: Room) -> None:
    """A higher minimum needs no notice ahead."""
    table = room.at("bet pass 15", notice="min=15")
    assert only(play(table, "post min=25"), NoticePosted).clause == room.clause("floor.limits")
    assert refused(table, "bet field 24").code == "bet.under_minimum"
    play(table, "bet field 25")


@both("floor.closing")
def test_a_table_that_closes_finishes_the_hand(room: Room) -> None:
    """Without notice ahead; what is up is played out, and only odds are taken."""
    table = room.at("bet pass 15", "roll 5-4", "bet place_6 30")
    assert only(play(table, "close"), TableClosing).clause == room.clause("floor.closing")
    assert up(table) == {"pass": 15, "place_6": 30}
    no = refused(table, "bet field 15")
    assert (no.code, no.clause) == ("bet.closing", room.clause("floor.closing"))
    play(table, "bet pass_odds 15", "roll 6-3")
    assert gain(table) == 15 + 22


@both("floor.void")
def test_bets_on_a_void_result_go_back(room: Room) -> None:
    """What the roll decided is undone: nobody has won and nobody has lost."""
    other = room.facts.line[-1]
    bets = ("bet pass 15", "bet field 15", f"2 bet {other} 15", "2 bet field 15")
    table = room.at(*bets, f"roll {room.facts.natural}", seats=2)
    assert only(play(table, "invalidate quarrel"), OutcomeStruckOut).clause == room.clause("floor.void")
    assert (gain(table, 1), gain(table, 2)) == (0, 0)


# --- The kit --------------------------------------------------------------------------------------------------------


@both("kit.kit")
def test_the_crew_has_a_stick_a_bowl_a_puck_and_a_drop_box(room: Room) -> None:
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
        assert room.cited("equipment", fact) == (value, room.clause("kit.kit"))


@both("kit.buttons")
def test_the_buttons(room: Room) -> None:
    """On and Off, and one for every kind of bet that shares a box, which marks it there."""
    marking = room.facts.buttons
    assert room.cited("equipment", "buttons") == (("On", "Off", *marking.values()), room.clause("kit.buttons"))
    for kind, number in product(marking, room.facts.points):
        button = room.house.spots[f"{kind}_{number}"].rule.button
        assert button is not None
        assert (button.value, button.clause) == (marking[kind], room.clause("kit.buttons"))


# --- What winners get -------------------------------------------------------------------------------------------------


BROKEN = {
    STRIP: (("place_6", 5, 6, 5, 6), ("place_4", 2, 4, 3, 5), ("lay_6", 5, 7, 4, 6), ("place_8", 23, 8, 26, 24)),
    CRAPLESS: (("place_6", 5, 6, 5, 6), ("place_4", 2, 4, 3, 5), ("place_2", 1, 2, 5, 2), ("place_11", 6, 11, 16, 8)),
}
"""A bet, a stake that breaks on a total, what it wins there, and a stake that does not break."""


@both("pay.breakage", broken=BROKEN.__getitem__)
def test_breakage_is_the_houses(room: Room, broken: tuple[str, int, int, int, int]) -> None:
    """What the smallest chip cannot make is paid down to the chip below; what it can is paid in full."""
    key, stake, end, won, whole = broken
    puck = another(int(key.split("_")[1]))
    _, events = room.dealt(puck, f"bet {key} {stake}", f"roll {MADE[end]}")
    pay = only(events, WagerWon, wager=key)
    assert (pay.won, pay.rounding) == (won * 100, "down")
    _, events = room.dealt(puck, f"bet {key} {whole}", f"roll {MADE[end]}")
    assert only(events, WagerWon, wager=key).rounding is None


@both("numbers.vig")
@pytest.mark.parametrize(("chips", "charge"), [((1, 5), 2), ((5, 25), 5), ((25, 100), 25)])
def test_the_charge_is_whole_chips(room: Room, chips: tuple[int, ...], charge: int) -> None:
    """Fifty bought costs two in single chips, and one chip where the smallest is five or twenty-five."""
    table, events = room.dealt("roll 5-3", "bet buy_4 50", "roll 3-1", chips=chips, notice="min=25")
    assert only(events, WagerWon, wager="buy_4").commission == charge * 100
    assert gain(table) == 100 - charge


@both("layout.stays", key=lambda room: (*room.facts.numbers, "hard_6"))
def test_a_number_or_a_hardway_that_wins_stays_up(room: Room, key: str) -> None:
    """It is paid and stands as it stood, until its player takes it down (pinned 57)."""
    kind, number = key.split("_")
    wins = {"hard": "3-3", "lay": MADE[7]}.get(kind, MADE[int(number)])
    table, events = room.dealt("roll 5-4", f"bet {key} 60", f"roll {wins}")
    assert only(events, WagerWon, wager=key).stays
    assert up(table) == {key: 60}
    play(table, f"take {key}")
    assert up(table) == {}


STAYS = {STRIP: (("hop_1_1", 10, "roll 1-1"), ("world", 10, "roll 1-1"), ("dont_pass", 10, "roll 1-1")), CRAPLESS: ()}


@both(
    "layout.stays",
    bet=lambda room: (
        ("pass", 10, f"roll {room.facts.natural}"),
        ("field", 10, "roll 1-1"),
        ("any_seven", 10, SEVEN),
        ("horn", 8, "roll 1-1"),
        ("craps_eleven", 10, "roll 6-5"),
        *STAYS[room],
    ),
)
def test_a_line_or_one_roll_bet_that_wins_stays_up(room: Room, bet: tuple[str, int, str]) -> None:
    """Whole, for the next roll; a split is paid net of the parts that lost (pinned 111)."""
    key, stake, roll = bet
    table, events = room.dealt(f"bet {key} {stake}", roll)
    won = only(events, WagerWon, wager=key)
    assert (won.stays, won.returned, up(table)) == (True, 0, {key: stake})
    gained = (won.won - won.lost) // 100
    assert table.rail(1) == BUY_IN - stake + gained
    play(table, f"take {key}")
    assert table.rail(1) == BUY_IN + gained
    assert up(table) == {}


WINNERS = {
    STRIP: (("bet all_small 10", *(f"roll {MADE[number]}" for number in (2, 3, 4, 5, 6))),),
    CRAPLESS: (),
}


@both(
    "layout.winners",
    lines=lambda room: (
        ("roll 5-4", "bet come 10", f"roll {room.facts.natural}"),
        ("roll 5-4", "bet come 10", "roll 5-1", "bet come_odds_6 10", "roll 5-1"),
        *WINNERS[room],
    ),
)
def test_every_other_winner_comes_down(room: Room, lines: tuple[str, ...]) -> None:
    """Come bets, odds and side bets are paid, and their stake goes back with the winnings."""
    table, events = room.dealt(*lines)
    won = every(events, WagerWon, seat=1)
    assert won
    assert not any(event.stays for event in won)
    assert up(table) == {}
