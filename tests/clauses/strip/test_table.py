"""The sign, the layout, the shooter, the dice and the floor."""

from __future__ import annotations

import pytest

from passline.engine.commands import ChooseDice
from passline.engine.events import (
    ChipsBought,
    DiceChosen,
    DiceGivenUp,
    DiceOffered,
    DiceTaken,
    DiceThrown,
    DieMoved,
    FaceDoubted,
    FaceRead,
    NewSetBrought,
    NewSetDue,
    NoRollCalled,
    NoticePosted,
    OutcomeStruckOut,
    SevenOut,
    TableClosing,
    TokensGiven,
    WagerPushed,
    WagerReturned,
    WagerUp,
    WagerWon,
)
from passline.engine.refusals import Refusal
from passline.errors import RecordError
from passline.house import House
from passline.table import Table
from passline.telling.card import card_json
from tests.clauses.strip.felt import STRIP, at, cited, dealt, net
from tests.clauses.table_helpers import BUY_IN, altered, case, every, gain, only, play, refused, up

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
        with pytest.raises(RecordError, match="a notice word of this house"):
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
    """If the sign gives one; otherwise the table's holds."""
    assert up(at(f"bet {key} 20", notice="min=40 props=20")) == {key: 20}
    no = refused(at(notice="min=40 props=30"), f"bet {key} 20")
    assert (no.code, no.clause) == ("bet.under_minimum", "strip:sign.props")
    assert refused(at(notice="min=40"), f"bet {key} 20").code == "bet.under_minimum"


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


# --- The shooter ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("strip:shooter.first")
def test_the_first_dice_go_to_the_stickmans_left_and_round() -> None:
    """The lowest seat, then clockwise until somebody takes them."""
    table = at(seats=(3, 2, 5))
    assert only(play(table, "2 decline"), DiceOffered) == DiceOffered(3, STRIP.book.shooter.first_refused)
    assert STRIP.book.shooter.first_refused == "strip:shooter.first"
    assert only(play(table, "3 decline"), DiceOffered).seat == 5
    thrown = at("3 bet pass 15", "2 bet pass 15", seats=(3, 2, 5))
    taken = only(play(thrown, "roll 5-4"), DiceTaken)
    assert (taken.seat, taken.clause) == (2, "strip:shooter.first")


@pytest.mark.clause("strip:shooter.next")
def test_after_a_hand_the_dice_go_clockwise_to_whoever_wants_them() -> None:
    """The next seat is asked, line bet or not, and the one after it if it says no."""
    table = at("2 shoot", "2 bet pass 15", "4 bet pass 15", "roll 5-4", SEVEN, "4 bet pass 15", seats=(2, 3, 4))
    asked = only(play(table, "3 decline"), DiceOffered)
    assert (asked.seat, asked.clause) == (4, "strip:shooter.next")
    table = at("2 shoot", "2 bet pass 15", "4 bet pass 15", "roll 6-5", "4 bet pass 15", seats=(2, 3, 4))
    asked = only(play(table, "2 pass-dice"), DiceOffered)
    assert (asked.seat, asked.clause) == (3, "strip:shooter.next")
    assert only(play(table, "roll 5-4"), DiceTaken).seat == 4


@pytest.mark.clause("strip:shooter.line")
@pytest.mark.parametrize("wager", ["pass", "dont_pass"])
def test_a_shooter_needs_a_line_bet(wager: str) -> None:
    """Either will do; any other bet will not."""
    assert only(play(at(f"bet {wager} 15"), "roll 5-4"), DiceThrown).thrower == 1
    no = refused(at("bet field 15", "bet place_6 30"), "roll 5-4")
    assert (no.code, no.clause) == ("dice.no_shooter", "strip:shooter.line")
    table = at("2 bet pass 15", "3 bet pass 15", "roll 5-4", "2 pass-dice", seats=3)
    assert refused(table, "shoot").clause == "strip:shooter.line"


@pytest.mark.clause("strip:shooter.hand")
def test_a_shooter_keeps_the_dice_until_a_seven_out() -> None:
    """Through craps, naturals and points made, and without the line bet too."""
    table = at("bet dont_pass 15", "2 bet pass 15", seats=2)
    for throw in ("roll 6-6", "roll 5-4", "roll 6-5"):
        play(table, throw)
        assert table.shooter == 1
    play(table, "take dont_pass")
    assert table.shooter == 1
    play(table, "roll 6-3", "2 bet pass 15", "1 bet pass 15", "roll 1-1")
    assert table.shooter == 1
    play(table, "2 bet pass 15", "1 bet pass 15", "roll 5-4")
    out = only(play(table, SEVEN), SevenOut)
    assert (out.shooter, out.clause) == (1, "strip:shooter.hand")
    assert not table.shooter


@pytest.mark.clause("strip:shooter.choice")
@pytest.mark.parametrize("throw", ["roll 6-5", "roll 5-4"])
def test_a_shooter_may_pass_the_dice_after_any_roll(throw: str) -> None:
    """On a come-out, or with a point on."""
    table = at("bet pass 15", "2 bet pass 15", throw, seats=2)
    given = only(play(table, "pass-dice"), DiceGivenUp)
    assert (given.seat, given.why, given.clause) == (1, "by choice", "strip:shooter.choice")


@pytest.mark.clause("strip:shooter.order")
@pytest.mark.parametrize("reason", ["delay", "invalid rolls", "breach"])
def test_the_boxman_may_pass_the_dice_on(reason: str) -> None:
    """For these three reasons and no other; nobody else may."""
    table = at("bet pass 15", "2 bet pass 15", "roll 5-4", seats=2)
    for role in (role for role in ROLES if role != "box"):
        no = refused(table, f"order-pass {reason} by {role}")
        assert (no.code, no.clause) == ("order.by", "strip:shooter.order")
    no = refused(table, "order-pass luck by box")
    assert (no.code, no.clause) == ("order.reason", "strip:shooter.order")
    given = only(play(table, f"order-pass {reason} by box"), DiceGivenUp)
    assert (given.seat, given.why, given.clause) == (1, "by order", "strip:shooter.order")


@pytest.mark.clause("strip:shooter.nobody")
def test_when_nobody_wants_the_dice_the_game_waits() -> None:
    """Neither the stickman nor the last shooter throws for those who will not, nor for come bets alone."""
    table = at("bet pass 15", "bet place_6 60", "decline")
    assert refused(table, "roll 5-4").code == "dice.no_shooter"
    habits = STRIP.book.shooter
    assert (habits.no_shooter.value, habits.no_shooter.clause) == ("wait", "strip:shooter.nobody")
    come = at("bet pass 15", "roll 5-4", "bet come 15", "roll 5-1", "roll 6-3")
    assert up(come) == {"come_6": 15}
    assert refused(come, "roll 5-1").code == "dice.no_shooter"


# --- The dice -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("strip:dice.set")
def test_five_to_eight_dice_of_which_the_shooter_picks_two() -> None:
    """No fewer, no more; and two different ones."""
    for dice in (5, 6, 7, 8):
        assert Table(STRIP, dice=dice).state.dice.in_set == dice
    for dice in (4, 9):
        with pytest.raises(ValueError, match="dice"):
            Table(STRIP, dice=dice)
    table = at("bet pass 15", "shoot")
    for wrong in ((1,), (1, 2, 3), (1, 1)):
        assert isinstance(table.do(ChooseDice(1, wrong)), Refusal)
    chosen = only(play(table, "choose 1 5"), DiceChosen)
    assert (chosen.dice, chosen.clause) == ((1, 5), "strip:dice.set")
    assert refused(at("bet pass 15", "shoot"), "choose 1 6").clause == "strip:dice.set"


def astray() -> Table:
    """A table whose shooter threw die 1 off the layout."""
    return at("bet pass 15", "shoot", "choose 1 2", "roll 5-4", "die-off 1")


@pytest.mark.clause("strip:dice.lost")
def test_a_lost_die_brings_out_a_new_set() -> None:
    """One is enough; five fresh dice come when the dice are given up."""
    table = astray()
    assert only(play(table, "die-lost 1"), NewSetDue).clause == "strip:dice.lost"
    brought = only(play(table, "pass-dice"), NewSetBrought)
    assert (brought.dice, brought.clause, table.state.dice.bowl) == (5, "strip:dice.lost", (1, 2, 3, 4, 5))


@pytest.mark.clause("strip:dice.found")
def test_the_boxman_looks_a_found_die_over() -> None:
    """Until then it is not thrown, and nobody else's look will do."""
    table = astray()
    assert table.events[-1] == DieMoved(1, "off", STRIP.book.dice.off_table)
    assert STRIP.book.dice.off_table == "strip:dice.found"
    play(table, "die-found 1")
    assert refused(table, "choose 1 3").code == "dice.not_checked"
    for role in (role for role in ROLES if role != "box"):
        no = refused(table, f"die-checked 1 by {role}")
        assert (no.code, no.clause) == ("dice.not_checked", "strip:dice.found")
    play(table, "die-checked 1 by box", "choose 1 3")
    assert set(table.state.dice.out) == {1, 3}


@pytest.mark.clause("strip:dice.faces")
def test_a_die_has_six_faces_and_opposite_ones_make_seven() -> None:
    """No 0 and no 7; leaning on any face it counts the one opposite."""
    assert cited("equipment", "die_faces") == ((1, 2, 3, 4, 5, 6), "strip:dice.faces")
    for leaning in range(1, 7):
        assert only(play(at("bet pass 15"), f"cocked 4 {leaning}"), FaceRead).face == 7 - leaning
    assert STRIP.book.dice.faces == STRIP.book.dice.opposite_sum == "strip:dice.faces"


@pytest.mark.clause("strip:dice.cocked")
def test_a_leaning_die_counts_the_face_opposite_or_the_boxman_rules() -> None:
    """Leaning on one side it is read; leaning on more it waits for a ruling."""
    read = only(play(at("bet pass 15"), "cocked 4 2"), FaceRead)
    assert (read.face, read.clause) == (5, "strip:dice.cocked")
    table = at("bet pass 15")
    assert only(play(table, "cocked 4 2,3"), FaceDoubted).clause == "strip:dice.cocked"
    assert refused(table, "roll 5-4").code == "phase.disputed"
    play(table, "rule 5 by box")
    assert table.puck == 9


@pytest.mark.clause("strip:dice.ruling")
def test_the_boxman_names_a_doubted_face_or_calls_no_roll() -> None:
    """And nobody else does."""
    table = at("bet pass 15")
    assert only(play(table, "dispute 4"), FaceDoubted).clause == "strip:dice.ruling"
    for role in (role for role in ROLES if role != "box"):
        no = refused(table, f"rule 5 by {role}")
        assert (no.code, no.clause) == ("rule.by", "strip:dice.ruling")
    read = only(play(table, "rule 5 by box"), FaceRead)
    assert (read.face, read.clause, table.puck) == (5, "strip:dice.ruling", 9)
    void = at("bet pass 15", "dispute 4")
    called = only(play(void, "rule void"), NoRollCalled)
    assert (called.by, called.clause, up(void)) == ("box", "strip:dice.ruling", {"pass": 15})


# --- No roll --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("strip:no-roll.callers")
@pytest.mark.parametrize("role", ROLES)
def test_the_stickman_or_the_boxman_calls_no_roll(role: str) -> None:
    """Nobody else does; and what has been paid stays paid."""
    table = at("bet pass 15", "dice-out")
    if role in ("stick", "box"):
        assert only(play(table, f"no-roll-by {role} improper"), NoRollCalled).by == role
        assert up(table) == {"pass": 15}
    else:
        no = refused(table, f"no-roll-by {role} improper")
        assert (no.code, no.clause) == ("no_roll.caller", "strip:no-roll.callers")
    settled = at("bet pass 15", "roll 6-5", "no-roll-by stick improper")
    assert gain(settled) == 15


@pytest.mark.parametrize(
    ("clause", "cause"),
    [
        *(case("strip:no-roll.off", cause) for cause in ("off-table", "left-and-returned")),
        *(case("strip:no-roll.rest", cause) for cause in ("stacked", "on-bank", "in-cup", "on-rail")),
    ],
)
def test_what_makes_no_roll_by_itself(clause: str, cause: str) -> None:
    """Nobody has to call it, and nothing is decided."""
    table = at("bet pass 15")
    called = only(play(table, f"throw 6-5 {cause}"), NoRollCalled)
    assert (called.reason, called.by, called.clause) == (cause, None, clause)
    assert (up(table), gain(table)) == ({"pass": 15}, 0)


@pytest.mark.clause("strip:no-roll.off")
def test_a_die_that_leaves_the_table_makes_no_roll() -> None:
    """While the dice are out."""
    table = at("bet pass 15", "shoot", "choose 1 2", "dice-out")
    assert only(play(table, "die-off 1"), NoRollCalled).clause == "strip:no-roll.off"


@pytest.mark.clause("strip:no-roll.cheating")
@pytest.mark.parametrize("cause", ["cheating", "unapproved-dice", "wrong-thrower"])
def test_what_must_be_called_no_roll(cause: str) -> None:
    """The stickman calls it, whoever else may be asleep."""
    table = at("bet pass 15")
    called = only(play(table, f"throw 6-5 {cause}"), NoRollCalled)
    assert (called.reason, called.by, called.clause) == (cause, "stick", "strip:no-roll.cheating")
    assert (up(table), gain(table)) == ({"pass": 15}, 0)


@pytest.mark.clause("strip:no-roll.throw")
@pytest.mark.parametrize("cause", ["not-together", "no-end-struck", "out-of-view", "improper"])
def test_what_may_be_called_no_roll(cause: str) -> None:
    """Called, it is none; uncalled, it counts."""
    assert net("bet pass 15", f"throw 6-5 {cause}") == 15
    table = at("bet pass 15", "dice-out")
    assert only(play(table, f"no-roll-by box {cause}"), NoRollCalled).clause == "strip:no-roll.throw"
    assert (up(table), gain(table)) == ({"pass": 15}, 0)


@pytest.mark.clause("strip:no-roll.chips")
def test_dice_that_hit_chips_are_good() -> None:
    """The throw counts, and nobody may call it for that."""
    assert net("bet pass 15", "throw 6-5 touched-chips") == 15
    no = refused(at("bet pass 15", "dice-out"), "no-roll-by box touched-chips")
    assert (no.code, no.clause) == ("no_roll.flaw", "strip:no-roll.chips")


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
