"""The edges of the floor's rules: what a sweep of planted mistakes found that no clause's test would have noticed."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, cast

import pytest

from passline.engine.events import DontBarLifted, SeatCleared, WagerDown
from passline.engine.layout import lay_out
from passline.engine.refusals import Refusal
from passline.engine.values import Cited, ClauseId
from passline.floor import conduct, disputes, gate, promotions, seats, signs, staff, voids
from passline.floor.clock import elapsed, is_time
from passline.floor.disputes import DisputeDecided
from passline.floor.register import ACTS, choices
from passline.floor.seats import SeatVacated
from passline.floor.signs import ClosingOrdered, LimitsChanged
from passline.floor.state import Prize
from passline.house import House
from tests.clauses.floor_helpers import Pit, the
from tests.clauses.sydney.test_promotions import CASH, NAME, drawn, no, offered, registers, running

CLAUSE = ClauseId("sydney:1.1")


def by_other_rules(house: str, seats: int = 2, **rules: Any) -> Pit:  # noqa: ANN401 - any field
    """A table of a house whose floor has other rules."""
    pit = Pit(house, seats=seats)
    book = pit.layout.book
    pit.layout = lay_out(replace(book, floor=replace(book.floor, **rules)))
    return pit


# --- Times ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("year", [1, 1900, 2000, 2023, 2024, 2100])
def test_a_day_is_one_that_the_calendar_has(year: int) -> None:
    """As Python's own calendar has it, leap years and centuries too."""
    for month in range(14):
        for day in range(33):
            text = f"{year:04}-{month:02}-{day:02}T00:00:00Z"
            try:
                datetime.fromisoformat(text)
            except ValueError:
                assert not is_time(text), text
            else:
                assert is_time(text), text


def test_an_hour_is_one_that_a_clock_has() -> None:
    """And the second 60 stands only at the end of June and of December."""
    for most, at in ((24, "T{:02}:00:00Z"), (60, "T00:{:02}:00Z"), (60, "T00:00:{:02}Z")):
        found = [number for number in range(63) if is_time("2026-03-04" + at.format(number))]
        assert found == list(range(most))
    assert is_time("2026-06-30T23:59:60Z")
    assert is_time("2026-12-31T23:59:60Z")
    for wrong in ("2026-03-31T23:59:60Z", "2026-06-30T22:59:60Z", "2026-06-30T23:59:61Z", "0000-01-01T00:00:00Z"):
        assert not is_time(wrong)
    assert not any(map(is_time, (None, 5, b"2026-06-30T23:59:59Z")))
    assert elapsed("2026-11-15T20:00:01Z", "2026-11-15T20:01:03Z") == 62_000_000


# --- Staff, limits, closing -------------------------------------------------------------------------------------------


def test_rank_is_what_one_works_as_then_how_far_one_watches() -> None:
    """A title counts only while its work is done: a Gaming Manager at the box is a box."""
    book = House("sydney").book
    titles = {name: title.value for name, title in book.floor.titles.items()}
    assert [staff.rank(book, None, role) for role in ("dealer", "box", "supervisor")] == [(0, 0), (1, 0), (2, 0)]
    assert staff.rank(book, titles["Gaming Manager"], "supervisor") == (2, 2)
    pit = Pit("sydney")
    pit.does(staff.ComeOnDuty("Gus", "Gaming Manager"), "supervisor", "Gus")
    pit.does(disputes.RaiseDispute("Ann", "the face of a die"), "player", "Ann")
    assert the(pit.does(disputes.DecideDispute(1, "it stands"), "box", "Gus"), DisputeDecided).rank == (1, 0)


def test_a_title_that_nobody_has_is_answered_with_those_there_are() -> None:
    """In sydney six and the inspector's; where a book names none, none."""
    for house, known in (("sydney", "Gaming Manager"), ("strip", "none")):
        answer = Pit(house).asks(staff.ComeOnDuty("Gus", "King"), "supervisor", "Gus", "20:00")
        assert known in cast("Refusal", answer).message
    answer = Pit("sydney").asks(conduct.ReportConduct("Bob", "player", "singing", "loud"), "dealer", "Dee", "20:00")
    assert "side bet" in cast("Refusal", answer).message
    nothing = Pit("strip").asks(conduct.ReportConduct("Bob", "player", "singing", "loud"), "dealer", "Dee", "20:00")
    assert "nothing of the sort" in cast("Refusal", nothing).message


def test_nobody_but_a_supervisor_puts_a_sign_up() -> None:
    """However far ahead, and for whomever."""
    pit = Pit("sydney")
    assert pit.refuses(signs.SignLimits(pit.sign("min=25"), pit.at("20:20")), "dealer").code == "floor.role"
    pit.does(signs.SignPlayerLimits(1, 100, 100_001))  # a minor unit is more than nothing


def test_where_no_sign_was_put_up_not_a_minute_has_passed() -> None:
    """Also in a house that wants one minute only."""
    pit = by_other_rules("sydney", min_raise_notice_minutes=Cited(1, CLAUSE), closing_notice_minutes=Cited(1, CLAUSE))
    assert pit.refuses(signs.ChangeLimits(pit.sign("min=25"))).code == "notice.too_soon"
    assert pit.refuses(signs.Close("the night is over")).code == "close.too_soon"


def test_a_sign_announces_what_side_bets_cost_at_least() -> None:
    """Their maximum may be another; their minimum may not."""
    pit = Pit("fire-bonus")
    sign = pit.state.notice._replace(side=(500, 1_000))
    pit.does(signs.SignLimits(sign, pit.at("20:20")), now="20:00")
    assert pit.refuses(signs.ChangeLimits(sign._replace(side=(500, 2_000))), now="20:10").code == "floor.not_due"


def test_a_sign_comes_down_with_what_it_announced() -> None:
    """Also where it announced only a higher maximum; and where none was up, none stands."""
    pit = Pit("sydney")
    assert not the(pit.does(signs.ChangeLimits(pit.sign("min=5 max=2000"))), LimitsChanged).sign_stands
    higher = pit.sign("min=5 max=9000")
    pit.does(signs.SignLimits(higher, pit.at("20:20")), now="20:00")
    assert not the(pit.does(signs.ChangeLimits(higher), now="20:20"), LimitsChanged).sign_stands
    assert pit.floor.limits_sign is None


def test_a_closing_cites_what_the_house_must_do_before_it() -> None:
    """In adelaide an inspector is told; in sydney a sign is up."""
    other = Cited("inspector", CLAUSE)
    for house, clause in (("adelaide", "closing_tells"), ("sydney", "closing_notice_minutes")):
        pit = by_other_rules(house, 0, **({"closing_tells": other} if house == "adelaide" else {}))
        pit.does(signs.TellInspector("Ivo"), "box")
        cited = getattr(pit.layout.book.floor, clause).clause
        assert the(pit.does(signs.Close("nobody comes")), ClosingOrdered).clause == cited


def test_places_are_counted_from_one() -> None:
    """A table without a place is none."""
    pit = Pit("sydney", seats=1)
    assert pit.refuses(seats.CountPlaces(0)).code == "floor.amount"
    pit.does(seats.CountPlaces(1))


def test_where_the_book_is_silent_a_seat_is_given_up_by_a_reason_alone() -> None:
    """Its idle rounds are told as they were; what the game forbids is not done."""
    pit = Pit("adelaide")
    pit.plays("bet pass 5", "shoot", "dice-out")
    refused = pit.asks(seats.VacateSeat(1, "he sleeps"), "supervisor", "Sue", "20:00")
    pit = Pit("adelaide")
    assert the(pit.does(seats.VacateSeat(2, "he sleeps")), SeatVacated).rounds == 0
    assert isinstance(refused, Refusal)


# --- Conduct and wagers -----------------------------------------------------------------------------------------------


def reported(pit: Pit, person: str) -> None:
    """Somebody was seen with a device."""
    pit.does(conduct.ReportConduct(person, "player", "device", "a phone"), "dealer")


def test_the_wagers_of_whoever_did_it_are_void_and_nobody_elses() -> None:
    """Also where another sits before them; the dice pass once, whatever they had up."""
    pit = Pit("sydney")
    names = [pit.state.seats[seat].name for seat in (1, 2)]
    pit.plays("bet pass 10", "2 bet pass 10", "2 bet dont_pass 10", "2 bet place_5 10", "2 shoot", "roll 4-4")
    reported(pit, names[1])
    done = pit.does(conduct.Sanction(1, "void wagers", "seen"))
    assert {event.seat for event in done.game if isinstance(event, WagerDown)} == {2}
    kinds = [type(event).__name__ for event in done.game]
    assert kinds.count("WagerDown") == 3
    assert len(kinds) > 3, "whoever has no line bet any more gives up the dice"
    assert len(set(kinds)) == len(kinds) - 2, kinds


def test_a_ban_on_the_dark_side_is_lifted_by_no_void() -> None:
    """It ends with the hand, and a void is not the end of one."""
    pit = Pit("sydney")
    name = pit.state.seats[1].name
    pit.plays("bet place_6 12", "2 bet pass 10", "2 shoot", "roll 4-2")
    seats = {**pit.state.seats, 2: pit.state.seats[2]._replace(dont_banned=True)}
    pit.state = pit.state._replace(seats=seats)
    reported(pit, name)
    voided = pit.does(conduct.Sanction(1, "void wagers", "seen"))
    assert not any(isinstance(event, DontBarLifted | SeatCleared) for event in voided.game)
    pit = Pit("sydney")
    pit.plays("bet place_6 12", "2 bet pass 10", "2 shoot", "roll 4-4")
    pit.state = pit.state._replace(seats={**pit.state.seats, 2: pit.state.seats[2]._replace(dont_banned=True)})
    pit.plays("roll 4-2")
    fraud = voids.Invalidate("fraud", name, "player", "he slid them", (1,), "Tom")
    assert not any(isinstance(event, DontBarLifted) for event in pit.does(fraud).game)


def test_somebody_detained_is_handed_over_as_the_book_says() -> None:
    """To whom it names, and once; nobody who is not detained."""
    pit = by_other_rules("sydney", handed_to=Cited(("inspector",), CLAUSE))
    reported(pit, "Bob")
    assert pit.refuses(conduct.HandOver(9, "inspector", "Ivo")).code == "floor.report"
    assert pit.refuses(conduct.HandOver(1, "inspector", "Ivo")).code == "floor.report"
    pit.does(conduct.Sanction(1, "detain", "seen"))
    assert pit.refuses(conduct.HandOver(1, "police", "Constable Q")).code == "floor.measure"
    pit.does(conduct.HandOver(1, "inspector", "Ivo"))


def test_what_is_not_said_is_said_first() -> None:
    """Who does not accept it, before whether there is such a promotion; who may not play, and why."""
    pit = Pit("sydney")
    assert pit.refuses(disputes.RaiseDispute("", "the draw", promotion="none"), "player").code == "floor.unsaid"
    assert pit.refuses(conduct.Exclude("Bob", "he wins"), "dealer").code == "floor.role"
    for unsaid in (conduct.Exclude("", "he wins"), conduct.Exclude("Bob", " "), conduct.ExcludeOneself("", "a year")):
        assert pit.refuses(unsaid).code == "floor.unsaid"
    assert pit.refuses(conduct.ExcludeOneself("Bob", ""), "player", "Bob").code == "floor.unsaid"


def test_who_was_never_reported_is_not_refused_for_it() -> None:
    """Also where no book says how often it takes."""
    pit = Pit("strip")
    assert pit.refuses(seats.RefuseWager(1, None, "late", breach="touching")) == ("floor.not_repeated", None)


def test_odds_come_down_with_the_bet_they_stand_behind() -> None:
    """Whatever is refused at a seat comes down once."""
    pit = Pit("strip")
    pit.plays("2 bet pass 10", "bet dont_pass 10", "2 shoot", "roll 4-2", "bet dont_pass_odds 12")
    done = pit.does(seats.RefuseWager(1, None, "late", remove=True))
    assert pit.up() == {}
    assert len({(event.seat, event.wager) for event in done.game if isinstance(event, WagerDown)}) == 2


def test_a_round_goes_on_while_a_point_is_up() -> None:
    """Setting a point ends no round; who bets twice in it plays once."""
    pit = Pit("sydney")
    pit.plays("bet pass 10", "bet field 10", "shoot")
    assert pit.floor.active == (1,)
    pit.plays("roll 4-2")
    assert dict(pit.floor.idle) == {}
    pit.plays("roll 3-4")
    assert dict(pit.floor.idle) == {2: 1}


# --- Promotions -------------------------------------------------------------------------------------------------------


def test_entries_are_taken_until_the_last_second_and_prizes_drawn_from_it() -> None:
    """On the second itself both."""
    pit = running()
    pit.does(promotions.EnterPromotion(NAME, "Cid"), "player", "Cid", now="06-03 20:00")
    assert pit.refuses(promotions.EnterPromotion(NAME, "Dan"), "player", "Dan", now="06-03 20:01").code == "floor.entry"
    assert pit.refuses(promotions.DrawPrize(NAME, 1, "Cid", second="Vic"), now="06-03 19:59").code == "floor.not_due"
    pit.does(promotions.DrawPrize(NAME, 1, "Cid", second="Vic"), now="06-03 20:00")


def test_each_prize_is_drawn_and_given_by_its_own_number() -> None:
    """The second is not the first, and there is none before it."""
    small, car = Prize("cash", "money", 200), Prize("vehicle", "a car", 3_000_000, cash_alternative=900)
    details = {"make": "Holden", "model": "EK", "accessories": "none", "on-road costs": "paid"}
    terms = {**offered().terms, "cash alternative": "as the winner wants"}
    pit = running(small, car._replace(details=details), terms=terms)
    for wrong in (0, 3):
        assert (
            pit.refuses(promotions.DrawPrize(NAME, wrong, "Ann", second="Vic"), now="06-03 21:00").code == "floor.prize"
        )
    assert pit.refuses(promotions.AwardPrize(NAME, 2), now="06-03 21:00").code == "floor.prize"
    for number in (2, 1):
        pit.does(promotions.DrawPrize(NAME, number, "Ann", second="Vic"), now="06-03 21:00")
    for parts in ((("cash", 900), ("crossed cheque", 0)), (("cash", 901), ("crossed cheque", -1)), (("cash", 899),)):
        wrong_sum = promotions.AwardPrize(NAME, 2, parts, "house", instead=True)
        assert pit.refuses(wrong_sum, now="06-04 12:00").code == "floor.payment"
    # Who chooses is asked for money that was the prize, not for money in the place of a thing, whatever that is worth.
    pit.does(
        promotions.AwardPrize(NAME, 2, (("cash", 899), ("crossed cheque", 1)), "house", instead=True), now="06-04 12:00"
    )
    assert pit.refuses(promotions.AwardPrize(NAME, 2, (("cash", 900),), "house", instead=True)).code == "floor.prize"
    pit.does(promotions.AwardPrize(NAME, 1, (("cash", 200),)), now="06-04 12:00")


def test_nothing_is_done_about_a_promotion_that_is_not_there() -> None:
    """Neither filed, amended, doubted, claimed nor told of."""
    pit = drawn()
    for command in (
        promotions.FileTerms("another", "Avery"),
        promotions.AmendPromotion("another", offered(), "letter 4"),
        promotions.DoubtPromotion("another", "cancel", "the drum was open", "Ines"),
        promotions.RefuseClaim("another", "Bob", 100, "he did not win", told=True),
    ):
        assert pit.refuses(command, now="06-04 12:00").code == "floor.promotion"
    assert pit.refuses(promotions.NotifyWinner("another", 1, "by telephone"), now="06-04 12:00").code == "floor.prize"


def test_what_has_ended_is_neither_registered_nor_opened() -> None:
    """Nobody could enter it: to the second, by the clock that is handed in; nor are entries closed in the past."""
    late = promotions.RegisterPromotion(NAME, offered(starts="2026-06-01T12:00:00Z", closes="2026-06-03T20:00:00Z"))
    assert Pit("sydney").refuses(late, now="06-03 20:01") == ("floor.time", "sydney:10.7")
    assert Pit("sydney").does(late, now="06-03 20:00")
    pit = Pit("sydney")
    pit.does(late, now="05-29 12:00")
    pit.does(promotions.FileTerms(NAME, "the Authority"), now="05-29 12:00")
    assert pit.refuses(promotions.OpenPromotion(NAME), now="06-03 20:01").code == "floor.time"
    pit.does(promotions.OpenPromotion(NAME), now="06-03 20:00")
    sooner = late.offer._replace(closes="2026-06-02T20:00:00Z")
    assert pit.refuses(promotions.AmendPromotion(NAME, sooner, "letter 4"), now="06-03 21:00").code == "floor.time"
    assert pit.does(promotions.AmendPromotion(NAME, late.offer, "letter 4"), now="06-03 21:00"), "only its end is past"


def test_nobody_decides_what_they_dispute_or_reviews_what_they_decided() -> None:
    """In whichever role: an inspector who was the box an hour ago, a supervisor who lost a bet."""
    pit = Pit("adelaide")
    pit.does(disputes.RaiseDispute("Sue", "the payment"), "supervisor", "Sue")
    assert pit.refuses(disputes.DecideDispute(1, "right"), "supervisor", "SUE").code == "floor.role"
    pit.does(disputes.DecideDispute(1, "right"), "box", "Bo")
    pit.does(disputes.AskReview(1), "player", "Sue")
    assert pit.refuses(disputes.ReviewDispute(1, "right"), "inspector", "Bo") == ("floor.role", "adelaide:14(j)")
    assert pit.refuses(disputes.ReviewDispute(1, "right"), "inspector", "Sue").code == "floor.role"
    assert pit.does(disputes.ReviewDispute(1, "right"), "inspector", "Ines")
    higher = Pit("exhibit-a")
    higher.does(disputes.RaiseDispute("Hal", "the payment"), "player", "Hal")
    higher.does(disputes.DecideDispute(1, "right"), "box", "Bo")
    higher.does(disputes.AskReview(1), "player", "Hal")
    assert higher.refuses(disputes.ReviewDispute(1, "it stands"), "supervisor", "Hal").code == "floor.role"


def test_a_dispute_says_how_it_stands() -> None:
    """While it is looked at again nothing is said to be final."""
    pit = Pit("adelaide")
    said = [pit.asks(disputes.SayDissatisfied(1), "player", "Ann", "20:00")]
    pit.does(disputes.RaiseDispute("Ann", "the payment"), "player", "Ann", "20:00")
    said.append(pit.asks(disputes.SayDissatisfied(1), "player", "Ann", "20:00"))
    pit.does(disputes.DecideDispute(1, "right"), "box", "Bo", "20:00")
    said.append(pit.asks(disputes.DecideDispute(1, "wrong"), "box", "Bo", "20:00"))
    pit.does(disputes.AskReview(1), "player", "Ann", "20:00")
    said.append(pit.asks(disputes.AskReview(1), "player", "Ann", "20:00"))
    pit.does(disputes.ReviewDispute(1, "right"), "inspector", "Ines")
    said.append(pit.asks(disputes.AskReview(1), "player", "Ann", "20:00"))
    waits = "Dispute 1 waits to be looked at again, and nothing about it is final before that"
    assert [each.message for each in said if isinstance(each, Refusal)] == [
        "There is no dispute 1.",
        "Dispute 1 waits for a first decision.",
        "Dispute 1 has been decided once, and nobody has asked for it to be looked at again.",
        f"{waits}.",
        "Dispute 1 was looked at again, and ends there.",
    ]


def test_a_minor_unit_is_worth_something_and_nothing_is_not() -> None:
    """As a prize, and as a voucher."""
    registers(offered(CASH._replace(value=1)))
    assert no(offered(CASH._replace(value=0)))[0] == "floor.prize"
    pit = Pit("sydney")
    pit.does(seats.IssueVoucher("V1", 1, ""))
    assert pit.refuses(seats.IssueVoucher("V2", 0, "")).code == "floor.voucher"


# --- What can be said -------------------------------------------------------------------------------------------------


def test_the_words_of_a_house_are_those_its_rules_know() -> None:
    """What is offered as a choice is never refused as a word nobody knows."""

    def words(house: str) -> dict[str, list[str]]:
        """Of all acts, each field's; no two acts of today differ."""
        layout = House(house).layout
        return {name: each for kind in ACTS for name, each in choices(layout, kind).items()}

    sydney, strip = words("sydney"), words("strip")
    assert sydney["cause"][-1] == "fraud"
    assert sydney["measure"] == ["void wagers", "bar", "exclude", "detain"]
    assert strip["measure"] == ["void wagers", "bar"]
    assert sydney["to"] == ["inspector", "police"]
    assert sydney["remedy"]
    assert sydney["way"]
    assert sydney["paid"][0] == "cash"
    assert sydney["breach"] == ["device", "side bet", "advice", "advice by staff"]
    assert set(strip) == {"wager", "title", "breach", "measure"}
    assert "pass" in strip["wager"]


@pytest.mark.parametrize(
    ("house", "clause"),
    [("sydney", "sydney:9.1"), ("adelaide", "adelaide:14(m).1"), ("strip", None), ("exhibit-a", None)],
)
def test_the_houses_own_screen_is_no_device_where_devices_are_forbidden(house: str, clause: str | None) -> None:
    """For money only, and only where the book has such a clause (pinned 112)."""
    layout = House(house).layout
    assert conduct.analysis_forbidden(layout, money=True) == clause
    assert conduct.analysis_forbidden(layout, money=False) is None


@pytest.mark.parametrize("line", ["roll 6-5", "dispute 4", "cocked 4 3", "dice-out", "shoot"])
def test_dice_that_failed_are_thrown_and_read_in_no_way(line: str) -> None:
    """Neither called, nor in doubt, nor leaning."""
    pit = Pit("adelaide")
    pit.plays("bet pass 10")
    assert not isinstance(pit.hears(line), Refusal)
    pit.does(seats.InspectDice((100,)), "box")
    assert pit.no(line).code == "floor.dice"


def test_a_table_is_closed_for_good_with_nothing_up_and_nobody_there() -> None:
    """One of its own closes with chips on its rails; one for others first pays them, and goes by the book."""
    pit = Pit("sydney", seats=1)

    def code(*, rolling: bool = False, hosted: bool = True) -> str:
        refusal = signs.for_good(pit.layout, pit.state, rolling=rolling, hosted=hosted)
        return "" if refusal is None else refusal.code

    assert (code(), code(hosted=False)) == ("floor.still_there", "")
    assert code(rolling=True, hosted=False) == "floor.still_up"
    pit.plays("bet pass 10")
    assert code(hosted=False) == "floor.still_up"
    pit.plays("take pass")
    empty = {number: seat._replace(rail=0) for number, seat in pit.state.seats.items()}
    pit.state = pit.state._replace(seats=empty)
    assert (code(), code(hosted=False)) == ("close.too_soon", ""), "the book wants a sign first"
    pit.state = pit.state._replace(closing=True)
    assert code() == ""


def test_a_players_own_minimum_is_as_little_as_a_chip() -> None:
    """Where a chip is one cent, one cent."""
    pit = Pit("sydney")
    pit.state = pit.state._replace(notice=pit.state.notice._replace(chip=1))
    assert pit.refuses(signs.SignPlayerLimits(1, 0, 500_000, "Cid")).code == "floor.amount"
    assert pit.does(signs.SignPlayerLimits(1, 1, 500_000, "Cid"))


def test_nobody_sits_down_once_the_last_hand_is_announced() -> None:
    """A place that is free is not taken any more; whoever is there plays on."""
    pit = Pit("adelaide", seats=1)
    pit.plays("bet pass 10")
    pit.state = pit.state._replace(closing=True)
    assert pit.no("sit 2 Bob 100").code == "floor.closing"
    pit.plays("roll 4-2")


@pytest.mark.parametrize(
    ("maximum", "props", "seen"),
    [(100_000, 900, (500_000, 500)), (600_000, 200, (600_000, 200)), (None, None, (None, None))],
)
def test_a_players_own_limits_are_never_tighter_than_the_tables(
    maximum: int | None, props: int | None, seen: tuple[int | None, int | None]
) -> None:
    """Whatever the sign has come to say since theirs was put up; where it has no maximum, they have none."""
    pit = Pit("sydney")
    pit.does(signs.SignPlayerLimits(1, 500, 500_000, "Cid"))
    notice = pit.state.notice._replace(maximum=maximum, props_minimum=props)
    table = pit.state._replace(notice=notice)
    own = gate.seen_from(pit.floor, table, 1).notice
    assert (own.maximum, own.props_minimum, own.minimum) == (*seen, 500)
    assert gate.seen_from(pit.floor, table, 2) == gate.seen_from(pit.floor, table, None) == table


def test_nobody_agrees_that_an_outcome_is_void_by_their_own_fraud() -> None:
    """Neither whose fraud it was nor whoever forfeits by it is the second of the two people."""
    pit = Pit("sydney")
    pit.plays("bet pass 10", "bet field 10", "2 bet field 10", "roll 6-4")
    for second in ("Mallory", "player2"):
        act = voids.Invalidate("fraud", "Mallory", "player", "the dice were slid", (2,), second)
        assert pit.refuses(act).code == "floor.role"
    assert pit.does(voids.Invalidate("fraud", "Mallory", "player", "the dice were slid", (2,), "Cid"))


def test_nobody_is_excluded_by_another_as_if_by_themselves() -> None:
    """A player only asks for themselves; the crew takes down what somebody said."""
    pit = Pit("sydney")
    act = conduct.ExcludeOneself("Bob", "for a year")
    assert pit.refuses(act, "player", "Ann").code == "floor.role"
    assert pit.does(act, "dealer", "Dea")
    assert Pit("sydney").does(act, "player", "Bob")


def test_nobody_agrees_to_a_sanction_against_themselves() -> None:
    """Whoever was reported is not the second of the two people."""
    pit = Pit("sydney")
    pit.does(conduct.ReportConduct("Player2", "player", "device", "a counter"))
    assert pit.refuses(conduct.Sanction(1, "bar", "two saw it", "player2")).code == "floor.role"
    assert pit.does(conduct.Sanction(1, "bar", "two saw it", "Cid"))


# --- What nobody may end ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", ["strip", "adelaide", "fire-bonus"])
def test_a_hand_that_nobody_may_throw_for_is_ended_by_two(house: str) -> None:
    """Whoever was alone left with a point on: the stakes go back, the puck goes off, and the place is free."""
    pit = Pit(house, seats=1)
    pit.plays("bet pass 10", "shoot", "roll 4-4")
    ends = signs.ReturnWagers("she went home", "Tom")
    assert pit.refuses(ends).code == "floor.phase", "she may throw"
    pit.plays("leave")
    assert pit.no("roll 4-4").code == "dice.no_shooter"
    answer = pit.does(ends)
    assert the(answer, signs.WagersReturned).by == "Sue"
    assert pit.state.puck == 0
    assert not pit.state.seats
    assert pit.refuses(ends).code == "return.nothing"


def test_who_is_excluded_is_made_to_leave_at_once() -> None:
    """However lately they bet, and whether or not others wait for a place."""
    pit = Pit("sydney")
    pit.plays("bet pass 10", "shoot", "roll 4-4")
    leaves = seats.VacateSeat(1, "excluded tonight")
    assert pit.refuses(leaves).code == "floor.not_idle"
    name = pit.state.seats[1].name
    pit.floor = pit.floor._replace(barred={name.lower(): None})
    pit.does(leaves)
    assert pit.state.seats[1].away
    assert pit.state.shooter is None
