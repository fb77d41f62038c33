"""Every option of the readings is a real field: a house that says otherwise plays otherwise."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import pytest

from passline.engine.commands import CloseTable, PostNotice
from passline.engine.events import (
    DiceTaken,
    DiceThrown,
    NewSetBrought,
    NoRollCalled,
    OutcomeStruckOut,
    TableClosing,
    WagerDown,
    WagerPushed,
    WagerReturned,
    WagerWon,
)
from passline.engine.refusals import Refusal
from passline.engine.values import Cited, ClauseId
from passline.errors import HouseFileError
from passline.house import House
from tests.clauses.table_helpers import every, gain, game, only, play, refused, up

if TYPE_CHECKING:
    from passline.engine.book import Book
    from passline.table import Table


def saying(house: str, **changes: object) -> House:
    """A house whose book says otherwise: `betting__push="return"`, `wager__place__stays=True`."""
    changed = House(house)
    for path, value in changes.items():
        changed.book = _with(changed.book, path.split("__"), value)
    return changed


def _with(book: Book, path: list[str], value: object) -> Book:
    if path[0] == "wager":
        key, *rest = path[1:]
        assert any(rule.key == key for rule in book.wagers), key
        return replace(book, wagers=tuple(_set(r, rest, value) if r.key == key else r for r in book.wagers))
    changed: Book = _set(book, path, value)
    return changed


def _set(record: Any, path: list[str], value: object) -> Any:  # noqa: ANN401 - any record of a book
    name, *rest = path
    now = getattr(record, name)
    if rest:
        return replace(record, **{name: _set(now, rest, value)})
    return replace(record, **{name: Cited(value, now.clause) if isinstance(now, Cited) else value})


def table_of(house: str, notice: str = "min=1", seats: int = 2, **changes: object) -> Table:
    """A table in a house that says otherwise, with players who have plenty."""
    return game(saying(house, **changes), notice, seats=seats)


def test_dont_bar() -> None:
    """The barred number is whatever the house bars."""
    from passline.engine.kinds import Line

    for barred in (2, 12):
        house = House("adelaide")
        rule = next(rule for rule in house.book.wagers if rule.key == "dont_pass")
        assert isinstance(rule.terms, Line)
        wins = tuple(total for total in (2, 3, 12) if total != barred)
        terms = replace(rule.terms, bar=Cited(barred, ClauseId("X-08")), wins=Cited(wins, ClauseId("X-08")))
        house.book = replace(
            house.book, wagers=tuple(replace(r, terms=terms) if r.key == "dont_pass" else r for r in house.book.wagers)
        )
        table = game(house)
        events = play(table, "bet dont_pass 10", f"roll {barred // 2}-{barred // 2}")
        assert only(events, WagerPushed).wager == "dont_pass"


@pytest.mark.parametrize(("made", "taken"), [("point on", False), ("after come-out", True)])
def test_come_requires_point(made: str, taken: bool) -> None:  # noqa: FBT001
    """Where no point is wanted a come bet may be made after any come-out roll."""
    table = table_of("adelaide", wager__come__made=made)
    play(table, "bet pass 10", "roll 6-5")
    assert isinstance(table.bet(1, "come", 10), Refusal) != taken


@pytest.mark.parametrize(("off", "result"), [(True, -10), (False, -30)])
def test_come_odds_on_comeout_and_off_on_comeout(off: bool, result: int) -> None:  # noqa: FBT001
    """Come odds that work on a come-out are lost with their bet; off, they go back."""
    table = table_of("adelaide", wager__come_odds__off_on_comeout=off)
    play(table, "2 bet pass 10", "roll 2-2", "bet come 10", "roll 3-3", "bet come_odds_6 20", "roll 3-1")
    play(table, "2 bet pass 10", "roll 5-2")
    assert gain(table) == result


def test_callable_off() -> None:
    """A wager that cannot be called has no button."""
    table = table_of("adelaide", wager__place__callable=False)
    play(table, "bet place_6 12")
    assert refused(table, "off place_6").code == "call.not_callable"


@pytest.mark.parametrize(("who", "counts"), [(("dealer",), False), (("dealer", "box"), True)])
def test_on_confirmers(who: tuple[str, ...], counts: bool) -> None:  # noqa: FBT001
    """Only those the house names can put the button down."""
    table = table_of("adelaide", betting__on_confirmers=who)
    play(table, "bet place_6 12")
    assert isinstance(table.do(_line(table, "1 on place_6 by box")), Refusal) != counts


@pytest.mark.parametrize(
    ("scope", "on"),
    [("wager", {"place_6"}), ("kind", {"place_6", "place_8"}), ("player", {"place_6", "place_8", "hard_6"})],
)
def test_on_button_scope(scope: str, on: set[str]) -> None:
    """One button speaks for a wager, for its kind, or for everything of the player's that has one."""
    table = table_of("adelaide", betting__on_scope=scope)
    play(table, "bet place_6 12", "bet place_8 12", "bet hard_6 5", "on place_6")
    assert {key for key, wager in table.state.seats[1].felt.items() if wager.call == "on"} == on


@pytest.mark.parametrize(
    ("lasts", "rolls", "on"),
    [
        ("until point", ("6-5",), True),
        ("until point", ("4-4",), False),
        ("one roll", ("6-5",), False),
        ("until cancelled", ("4-4", "4-4"), True),
    ],
)
def test_on_call_lasts(lasts: str, rolls: tuple[str, ...], on: bool) -> None:  # noqa: FBT001
    """An On call runs out when the house says it does."""
    table = table_of("adelaide", betting__on_lasts=lasts)
    play(table, "bet place_5 10", "on place_5")
    for roll in rolls:
        if not table.puck:
            play(table, "2 bet pass 5")
        play(table, f"roll {roll}")
    assert (table.state.seats[1].felt["place_5"].call == "on") == on


@pytest.mark.parametrize(("ban", "refusal"), [("same bet", False), ("all until come-out", True)])
def test_dont_ban(ban: str, refusal: bool) -> None:  # noqa: FBT001
    """Lowering one don't bet bars all others until a new come-out, or only itself."""
    table = table_of("adelaide", betting__dont_ban=ban)
    play(table, "2 bet pass 10", "bet dont_pass 10", "roll 2-2", "take dont_pass 5")
    assert isinstance(table.bet(1, "dont_come", 10), Refusal) == refusal
    play(table, "roll 3-1", "2 bet pass 10")
    assert not isinstance(table.bet(1, "dont_pass", 10), Refusal)


def test_put_bets() -> None:
    """A put bet joins at the point, and a come bet on its number."""
    table = table_of("strip", "min=1")
    play(table, "2 bet pass 10", "roll 2-2", "bet pass 10", "bet come_6 10")
    assert up(table) == {"pass": 10, "come_6": 10}
    play(table, "roll 3-3", "roll 3-1")
    assert gain(table) == 20
    table = table_of("strip", "min=1", wager__pass__terms__put=False, wager__come__terms__put=False)
    play(table, "2 bet pass 10", "roll 2-2")
    assert refused(table, "bet pass 10").code == "bet.window"
    assert refused(table, "bet come_6 10").code == "wager.not_offered"


@pytest.mark.parametrize(("push", "left"), [("stay", {"dont_pass": 10}), ("return", {})])
def test_push_disposition(push: str, left: dict[str, int]) -> None:
    """A pushed don't bet stays where it is, or goes back."""
    table = table_of("adelaide", betting__push=push)
    play(table, "bet dont_pass 10", "roll 6-6")
    assert (up(table), gain(table)) == (left, 0)


@pytest.mark.parametrize(
    ("late", "by", "taken"),
    [
        ("none", "dealer,box", False),
        ("dealer or box", "box", True),
        ("dealer or box", "nobody", False),
        ("dealer and box", "dealer", False),
        ("dealer and box", "dealer,box", True),
    ],
)
def test_late_bets(late: str, by: str, taken: bool) -> None:  # noqa: FBT001
    """A bet in the air counts when those whom the house names confirm it."""
    table = table_of("adelaide", betting__late_bets=late)
    play(table, "bet pass 10", "dice-out")
    assert isinstance(table.do(_line(table, f"1 late field 5 by {by}")), Refusal) != taken


@pytest.mark.parametrize(("cash", "taken"), [("none", set()), ("all but line", {"field"}), ("all", {"field", "pass"})])
def test_cash_verbal(cash: str, taken: set[str]) -> None:
    """Cash plays on the wagers the house takes it for."""
    table = table_of("adelaide", betting__cash=cash)
    answers = {key: table.do(_line(table, f"1 bet {key} 10 cash by dealer")) for key in ("field", "pass")}
    assert {key for key, answer in answers.items() if not isinstance(answer, Refusal)} == taken


@pytest.mark.parametrize(("after", "tokens"), [("return", 50), ("collect", 40)])
def test_promotional_tokens_and_token_after_win(after: str, tokens: int) -> None:
    """Tokens play where the house has them, and come back from a win if it says so."""
    assert refused(table_of("adelaide"), "tokens 50").code == "bet.tokens_not_taken"
    table = table_of("sydney", betting__token_after_win=after)
    play(table, "tokens 50", "bet pass 10 tokens=10", "roll 6-5")
    assert table.state.seats[1].tokens == tokens * 100
    assert table.rail(1) == 10_010


@pytest.mark.parametrize(("rounding", "won"), [("up", 6), ("down", 5), ("nearest", 6), ("exact", Fraction(583, 100))])
def test_payout_rounding(rounding: str, won: int | Fraction) -> None:
    """Five on the six pays 35/6, and the house says what that comes to."""
    table = table_of("adelaide", money__rounding=rounding)
    play(table, "2 bet pass 10", "roll 4-4", "bet place_6 5", "roll 4-2")
    assert gain(table) == won


@pytest.mark.parametrize(("improper", "won"), [("floor stake", 7), ("floor win", 9), ("none", 10)])
def test_improper_multiple(improper: str, won: int) -> None:
    """A found stake off the multiples is paid to the lower multiple, or rounded down, or as any other."""
    table = table_of("adelaide", "min=5 multiples", money__improper_multiple=improper)
    play(table, "2 bet pass 10", "roll 4-4", "found place_5 7", "roll 4-1")
    assert gain(table) == won


def test_commission_rate_base_and_when() -> None:
    """A lay charged on its win pays nothing in front."""
    for when, before, after in (("up front", -1, 18), ("on a win", 0, 19)):
        table = table_of("adelaide", wager__lay__commission__when=when)
        play(table, "2 bet pass 10", "bet lay_4 40")
        assert gain(table) == before
        play(table, "roll 5-2")
        assert gain(table) == after  # up front: paid again for the next decision
    table = table_of("adelaide", wager__lay__commission__of="stake")
    play(table, "bet lay_4 40")
    assert gain(table) == -2
    table = table_of("adelaide", wager__buy__commission__rate=Fraction(1, 10))
    play(table, "bet buy_4 20")
    assert gain(table) == -2


@pytest.mark.parametrize(("refund", "result"), [(True, 0), (False, -1)])
def test_commission_refund_on_removal(refund: bool, result: int) -> None:  # noqa: FBT001
    """The charge goes back with the bet where the house says so."""
    table = table_of("adelaide", wager__buy__commission__refund=refund)
    play(table, "bet buy_4 20", "take buy_4")
    assert gain(table) == result


@pytest.mark.parametrize(("recharge", "result"), [(True, 38), (False, 39)])
def test_commission_recharge_on_stay(recharge: bool, result: int) -> None:  # noqa: FBT001
    """A winner that stays up is charged again, or not."""
    table = table_of("adelaide", wager__buy__commission__recharge=recharge)
    play(table, "2 bet pass 10", "roll 4-4", "bet buy_4 20", "roll 2-2")
    assert gain(table) == result


@pytest.mark.parametrize(
    ("rounding", "minimum", "unit", "charge"),
    [
        ("down", 1, 1, 1),
        ("up", 1, 1, 2),
        ("nearest", 1, 1, 2),
        ("down", 3, 1, 3),
        ("up", 1, 5, 5),
        ("exact", 0, 1, Fraction(3, 2)),
    ],
)
def test_commission_rounding_minimum_and_unit(rounding: str, minimum: int, unit: int, charge: int | Fraction) -> None:
    """Five per cent of thirty is one and a half; the house says how many chips that is."""
    table = table_of(
        "adelaide",
        wager__buy__commission__rounding=rounding,
        wager__buy__commission__minimum_chips=minimum,
        wager__buy__commission__unit_chips=unit,
    )
    play(table, "bet buy_4 30")
    assert gain(table) == -charge


@pytest.mark.parametrize(("under", "first", "second"), [("settle then warn", 3, 0), ("valid", 3, 3), ("refuse", 0, 0)])
def test_under_min(under: str, first: int, second: int) -> None:
    """Chips found under the minimum: settled once, always, or never."""
    table = table_of("adelaide", "min=5", money__under_min=under)
    play(table, "2 bet pass 5", "found pass 3", "roll 6-5")
    assert gain(table) == first
    play(table, "2 bet pass 5", "found pass 3", "roll 6-5")
    assert gain(table) == first + second


@pytest.mark.parametrize(("over", "result"), [("cap", 100), ("refuse", 0)])
def test_over_max(over: str, result: int) -> None:
    """Chips found over the maximum play for the maximum, or not at all."""
    table = table_of("adelaide", "min=5 max=100", money__over_max=over)
    play(table, "2 bet pass 5", "found pass 150", "roll 6-5")
    assert gain(table) == result


@pytest.mark.parametrize(("minutes", "taken"), [(0, True), (20, False)])
def test_min_raise_and_closing_notice_minutes(minutes: int, taken: bool) -> None:  # noqa: FBT001
    """A higher minimum, and closing, wait for their notice."""
    table = table_of("adelaide", floor__min_raise_notice_minutes=minutes, floor__closing_notice_minutes=minutes)
    assert isinstance(table.do(_line(table, "post min=10")), Refusal) != taken
    assert not isinstance(table.do(_line(table, "post ahead=20 min=15")), Refusal)
    assert isinstance(table.do(_line(table, "close told=inspector")), Refusal) != taken


@pytest.mark.parametrize("tells", ["nobody", "inspector", "box"])
def test_closing_tells(tells: str) -> None:
    """A table closes once the right person was told, where somebody must be."""
    for told in (None, "inspector", "box"):
        table = table_of("adelaide", floor__closing_tells=tells)
        answer = table.do(CloseTable(told=told))
        assert isinstance(answer, Refusal) == (tells not in ("nobody", told))


def test_the_sign_designates_who_calls_no_roll() -> None:
    """Where the sign may name one, only that one calls; it names nobody whom the book does not."""
    for may in (True, False):
        table = table_of("adelaide", notice__no_roll=may)
        answer = table.do(PostNotice(table.state.notice._replace(no_roll="box")))
        assert isinstance(answer, Refusal) != may
        assert isinstance(table.no_roll("improper", "stick"), Refusal) == may
        assert not isinstance(table.no_roll("improper", "box"), Refusal)
        assert isinstance(table.do(PostNotice(table.state.notice._replace(no_roll="dealer"))), Refusal)


@pytest.mark.parametrize(("closing", "left"), [("finish hand", {"hard_6": 5}), ("return all", {})])
def test_closing(closing: str, left: dict[str, int]) -> None:
    """A closing table plays its hand out, or gives everything back."""
    table = table_of("adelaide", floor__closing=closing)
    play(table, "bet hard_6 5")
    assert every(play(table, "close told=inspector"), TableClosing)
    assert up(table) == left
    assert refused(table, "bet field 5").code == "bet.closing"


def test_dice_set_min() -> None:
    """A table opens with the dice the house wants."""
    from passline.table import Table

    with pytest.raises(ValueError, match="5 dice"):
        Table("adelaide", dice=4)
    house = saying("adelaide", dice__dice_set=6, dice__dice_set_max=8)
    assert Table(house, dice=7).state.dice.in_set == 7


@pytest.mark.parametrize(("lost", "at_once"), [(1, True), (2, False)])
def test_lost_dice_for_new_set(lost: int, at_once: bool) -> None:  # noqa: FBT001
    """With nobody holding the dice a fresh set comes at so many lost dice; else when somebody takes them."""
    table = table_of("adelaide", dice__lost_for_new_set=lost)
    play(table, "bet pass 5", "die-off 1")
    assert bool(every(play(table, "die-lost 1"), NewSetBrought)) == at_once
    assert bool(every(play(table, "shoot"), NewSetBrought)) != at_once


def test_no_roll_callers_and_invalid_causes() -> None:
    """Who may call, and what a flaw does by itself, are the house's."""
    table = table_of("adelaide", no_roll__callers=("dealer",))
    assert not isinstance(table.no_roll("improper", "dealer"), Refusal)
    assert isinstance(table.no_roll("improper", "box"), Refusal)
    for handling, voids in (("auto", True), ("must call", True), ("may call", False)):
        causes = {**House("adelaide").book.no_roll.causes, "stacked": Cited(handling, ClauseId("X-26"))}
        table = table_of("adelaide", no_roll__causes=causes)
        play(table, "bet pass 5")
        assert bool(every(play(table, "throw 6-5 stacked"), NoRollCalled)) == voids


@pytest.mark.parametrize(("passes_on", "keeps"), [("seven-out", True), ("any pass loss", False)])
def test_shooter_passes_on(passes_on: str, keeps: bool) -> None:  # noqa: FBT001
    """Craps on the come-out ends the hand where any loss does."""
    table = table_of("exhibit-a", shooter__passes_on=passes_on)
    play(table, "bet pass 5", "roll 1-1")
    assert (table.shooter == 1) == keeps


@pytest.mark.parametrize(("needs", "thrown"), [(True, False), (False, True)])
def test_shooter_needs_line_bet(needs: bool, thrown: bool) -> None:  # noqa: FBT001
    """Without the rule anybody may throw."""
    table = table_of("fire-bonus", shooter__needs_line_bet=needs)
    assert isinstance(table.roll(6, 5), Refusal) != thrown


@pytest.mark.parametrize(("must", "holds"), [(True, False), (False, True)])
def test_shooter_must_keep_line_bet(must: bool, holds: bool) -> None:  # noqa: FBT001
    """A shooter who takes the last line bet down loses the dice, or finishes the hand."""
    table = table_of("sydney", shooter__must_keep_line_bet=must)
    play(table, "bet dont_pass 5", "2 bet pass 5", "shoot", "roll 2-2", "take dont_pass")
    assert (table.shooter == 1) == holds


@pytest.mark.parametrize(("requires", "offered"), [(True, 3), (False, 2)])
def test_offer_requires_line_bet(requires: bool, offered: int) -> None:  # noqa: FBT001
    """On a come-out the dice go to the next player, or to the next with a line bet."""
    from passline.engine.events import DiceOffered

    table = table_of("adelaide", seats=3, shooter__offer_requires_line_bet=requires)
    play(table, "bet pass 5", "3 bet pass 5", "shoot", "roll 6-5", "3 bet pass 5")
    assert only(play(table, "pass-dice"), DiceOffered).seat == offered


@pytest.mark.parametrize(
    ("no_shooter", "come_only", "thrower"),
    [
        ("wait", False, "refused"),
        ("stickperson", False, None),
        ("previous shooter", True, 1),
        ("previous shooter", False, "refused"),
    ],
)
def test_no_shooter_and_come_only_rolls(no_shooter: str, come_only: bool, thrower: object) -> None:  # noqa: FBT001
    """Who throws when nobody has a line bet."""
    table = table_of("fire-bonus", shooter__no_shooter=no_shooter, shooter__come_only_rolls=come_only)
    play(table, "bet pass 5", "roll 4-4", "bet come 5", "roll 3-3", "roll 6-2")
    answer = table.roll(2, 2)
    if isinstance(answer, Refusal):
        assert thrower == "refused"
    else:
        assert only(answer, DiceThrown).thrower == thrower
        assert (table.puck is None) == come_only


def test_offered_wagers() -> None:
    """A wager that is switched off is refused, and one that is switched on is booked."""
    assert refused(table_of("exhibit-a"), "bet buy_4 20").code == "wager.not_offered"
    play(table_of("exhibit-a", wager__buy__offered=True), "bet buy_4 20")
    assert refused(table_of("adelaide", wager__big__offered=False), "bet big_6 5").code == "wager.not_offered"
    assert refused(table_of("exhibit-a", wager__craps_2__offered=False), "bet craps_2 5").code == "wager.not_offered"
    table = table_of("fire-bonus", wager__any_craps__offered=True)
    play(table, "2 bet pass 5", "bet any_craps 5", "roll 1-2")
    assert gain(table) == 35


@pytest.mark.parametrize(("made", "taken"), [("first come-out", False), ("come-out", True)])
def test_fire_window(made: str, taken: bool) -> None:  # noqa: FBT001
    """The Fire Bet opens with the hand, or at any come-out."""
    table = table_of("fire-bonus", wager__fire__made=made)
    play(table, "2 bet pass 5", "roll 6-5", "2 bet pass 5")
    assert isinstance(table.bet(1, "fire", 5), Refusal) != taken


@pytest.mark.parametrize(("on_pass", "result"), [("continue", 0), ("settle", -5), ("refund", 0)])
def test_fire_on_pass(on_pass: str, result: int) -> None:
    """A Fire Bet whose shooter passes the dice runs on, is settled, or goes back."""
    table = table_of("fire-bonus", wager__fire__terms__on_pass=on_pass)
    play(table, "bet fire 5", "2 bet pass 5", "roll 4-4", "2 pass-dice")
    assert gain(table) == result
    assert bool(up(table)) == (on_pass == "continue")
    points = ("4-4 6-2", "3-3 4-2", "2-2 3-1")
    table = table_of("fire-bonus", wager__fire__terms__on_pass=on_pass)
    play(table, "bet fire 5")
    for point in points:
        play(table, "2 bet pass 5", *(f"roll {roll}" for roll in point.split()))
    events = play(table, "2 pass-dice")
    assert bool(every(events, WagerWon, won=3000)) == (on_pass == "settle")
    assert bool(every(events, WagerReturned)) == (on_pass == "refund")


@pytest.mark.parametrize(("made", "taken"), [("come-out", True), ("after a seven", False)])
def test_bonus_window(made: str, taken: bool) -> None:  # noqa: FBT001
    """Bonus bets open at any come-out, or only after a seven."""
    table = table_of("fire-bonus", wager__all_small__made=made)
    play(table, "2 bet pass 5", "roll 6-5")
    assert isinstance(table.bet(1, "all_small", 5), Refusal) != taken
    play(table, "2 bet pass 5", "roll 4-3")
    assert not isinstance(table.bet(1, "all_small", 5), Refusal)


@pytest.mark.parametrize(("stays", "left"), [(True, {"place_6": 12}), (False, {})])
def test_winning_bet_stays(stays: bool, left: dict[str, int]) -> None:  # noqa: FBT001
    """A winner stays up, or comes down with its winnings."""
    table = table_of("adelaide", wager__place__stays=stays)
    play(table, "2 bet pass 5", "roll 4-4", "bet place_6 12", "roll 4-2")
    assert (up(table), gain(table)) == (left, 14)


WINNERS = [
    ("pass", ("roll 4-2", "roll 5-1"), 10, 10),
    ("dont_pass", ("roll 4-2", "roll 4-3"), 10, 10),
    ("field", ("roll 6-6",), 10, 30),
    ("eleven", ("roll 6-5",), 10, 150),
    ("horn", ("roll 6-5",), 20, 60),
    ("craps_eleven", ("roll 1-1",), 10, 30),
]
"""A wager, the rolls that win it, its stake and what it wins: a split's net of its losing parts."""


@pytest.mark.parametrize("stays", [True, False])
@pytest.mark.parametrize(("wager", "rolls", "stake", "won"), WINNERS)
def test_a_line_or_a_one_roll_winner_stays(
    wager: str, rolls: tuple[str, ...], stake: int, won: int, *, stays: bool
) -> None:
    """Pinned 111: where the house deals so it is paid and stays up, a split whole; taken down, it is the same money."""
    table = game(saying("strip", **{f"wager__{wager}__stays": stays}), seats=2)
    play(table, "2 bet pass 5" if wager != "pass" else "2 bet field 5", f"bet {wager} {stake}", *rolls)
    assert (up(table), gain(table)) == ({wager: stake} if stays else {}, won)
    if stays:
        play(table, f"take {wager}")
        assert (up(table), gain(table)) == ({}, won)


def test_a_line_winner_that_stays_is_the_next_come_outs() -> None:
    """It takes the next point, and is lost by the seven after it; one that travels has left its box, and cannot."""
    table = table_of("strip", wager__pass__stays=True)
    play(table, "bet pass 10", "roll 4-2", "roll 5-1", "roll 4-5", "roll 3-4")
    assert (up(table), gain(table)) == ({}, 0)
    with pytest.raises(HouseFileError, match=r"wager\.come\.stays"):
        House("strip", {"wager.come.stays": True})


@pytest.mark.parametrize(("divide", "taken"), [("refuse", False), ("exact", True)])
def test_indivisible_stake(divide: str, taken: bool) -> None:  # noqa: FBT001
    """A horn of five is refused with the nearest that divides, or played in fractions."""
    table = table_of("adelaide", money__indivisible_stake=divide, money__rounding="exact")
    answer = table.bet(1, "horn", 5)
    assert isinstance(answer, Refusal) != taken
    if isinstance(answer, Refusal):
        assert "4 or 8" in answer.message
    else:
        play(table, "2 bet pass 5", "roll 6-5")
        assert gain(table) == Fraction(75, 4) + Fraction(5, 4) - 5


@pytest.mark.parametrize(("removable", "taken"), [("any time", True), ("until its point", False), ("never", False)])
def test_removable(removable: str, taken: bool) -> None:  # noqa: FBT001
    """A pass bet on its point is locked only where the house locks it."""
    table = table_of("adelaide", wager__pass__removable=removable)
    play(table, "bet pass 5", "roll 4-4")
    assert isinstance(table.take(1, "pass"), Refusal) != taken


@pytest.mark.parametrize(("voluntary", "taken"), [("any roll", True), ("come-out only", False)])
def test_voluntary_pass(voluntary: str, taken: bool) -> None:  # noqa: FBT001
    """Dice may be passed with a point on, or not."""
    table = table_of("adelaide", shooter__voluntary_pass=voluntary)
    play(table, "bet pass 5", "roll 4-4")
    assert isinstance(table.do(_line(table, "1 pass-dice")), Refusal) != taken


@pytest.mark.parametrize(("handling", "voids"), [("auto", True), ("must call", True), ("may call", False)])
def test_off_table(handling: Literal["auto", "must call", "may call"], voids: bool) -> None:  # noqa: FBT001
    """A die that left and came back voids the throw where leaving is enough; elsewhere only somebody's call does."""
    causes = House("adelaide").book.no_roll.causes
    returned = Cited(handling, causes["left-and-returned"].clause)
    table = table_of("adelaide", no_roll__causes={**causes, "left-and-returned": returned})
    play(table, "bet pass 5")
    assert bool(every(play(table, "throw 6-5 left-and-returned"), NoRollCalled)) == voids
    assert gain(table) == (0 if voids else 5)


@pytest.mark.parametrize(("booked", "taken"), [(("stick",), False), (("dealer", "stick"), True)])
def test_booked_with(booked: tuple[str, ...], taken: bool) -> None:  # noqa: FBT001
    """A proposition spoken to a dealer counts where dealers book propositions."""
    table = table_of("fire-bonus", wager__any_seven__booked_with=booked)
    answer = table.do(_line(table, "1 bet any_seven 5 spoken by dealer"))
    assert isinstance(answer, Refusal) != taken
    if isinstance(answer, Refusal):
        assert (answer.code, answer.clause) == ("bet.not_confirmed", "fire-bonus:PROP.3")


@pytest.mark.parametrize(("made", "taken"), [("any time", True), ("point on", False)])
def test_odds_are_made_in_their_window(made: str, taken: bool) -> None:  # noqa: FBT001
    """Odds on a come bet that stands through a come-out: at any time, or once a point is on again."""
    table = table_of("adelaide", wager__come_odds__made=made)
    play(table, "bet pass 5", "roll 4-4", "bet come 5", "roll 3-3", "roll 5-3")
    assert table.puck is None
    answer = table.bet(1, "come_odds_6", 5)
    assert isinstance(answer, Refusal) != taken
    if isinstance(answer, Refusal):
        assert (answer.code, answer.clause) == ("bet.window", "adelaide:8(c).1")


def test_last_shooter_finishes() -> None:
    """With nobody on the line and a point on, the last shooter throws, or whoever comes next (P-93)."""
    for finishes, seat in ((True, 1), (False, 2)):
        table = table_of("adelaide", shooter__last_shooter_finishes=finishes)
        play(table, "bet dont_pass 5", "2 bet dont_pass 5", "roll 4-4", "take dont_pass", "2 take dont_pass")
        answer = table.roll(3, 3)
        assert not isinstance(answer, Refusal)
        assert only(answer, DiceTaken).seat == seat


@pytest.mark.parametrize(("policy", "lies"), [("refund", {"pass": 10}), ("as it lay", {"pass": 10, "field": 5})])
def test_on_invalidation(policy: str, lies: dict[str, int]) -> None:
    """What a struck-out roll decided goes back to the rail, or lies as before; everything else is as it was."""
    table = table_of("sydney", floor__on_invalidation=policy)
    play(table, "bet pass 10", "bet field 5", "roll 3-3")
    assert every(play(table, "invalidate fire in the pit"), OutcomeStruckOut)
    assert (up(table), gain(table), table.puck) == (lies, 0, None)
    assert refused(table, "invalidate again").code == "strike.nothing"


def test_limits_by_class() -> None:
    """Props and side bets keep to limits of their own where the notice gives them."""
    table = game("fire-bonus", "min=10 props=1 side=2-20")
    play(table, "bet any_seven 1", "bet fire 2")
    assert refused(table, "bet field 5").code == "bet.under_minimum"
    assert refused(table, "bet fire 30").code == "bet.over_maximum"


def test_return_all_gives_commission_back() -> None:
    """The supervisor's hand gives back what is up and what was charged for it."""
    table = game("adelaide")
    play(table, "bet buy_4 20", "bet place_6 12")
    assert len(every(play(table, "return-all power cut"), WagerDown)) == 2
    assert gain(table) == 0


def _line(table: Table, line: str) -> Any:  # noqa: ANN401 - any command
    from tests.clauses.table_helpers import command

    return command(table, line)


@pytest.mark.parametrize("roll", ["2-2", "4-3"])
def test_odds_that_can_be_called_off_end_with_their_flat_bet(roll: str) -> None:
    """Called off, laid odds are given back when their bet is decided, either way; nothing is left for a come-out."""
    table = table_of("strip", wager__dont_pass_odds__callable=True)
    play(table, "bet dont_pass 10", "2 bet pass 10", "roll 2-2", "bet dont_pass_odds 20", "off dont_pass_odds")
    back = only(play(table, f"roll {roll}"), WagerReturned)
    assert (back.wager, back.stake) == ("dont_pass_odds", 2000)
    assert "dont_pass_odds" not in up(table)
    assert refused(table, "on dont_pass_odds").code == "wager.not_up"
