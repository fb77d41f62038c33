"""Part 10: promotional prizes, from the register to the last claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from passline.floor import conduct, disputes, promotions
from passline.floor.disputes import ComplainantTold, DisputeDecided
from passline.floor.promotions import (
    ClaimRefused,
    PrizeAwarded,
    PrizeDrawn,
    PromotionAmended,
    PromotionDoubted,
    PromotionOpened,
    PromotionRegistered,
    TermsFiled,
    WinnerNotified,
)
from passline.floor.state import Offer, Prize
from passline.house import House
from tests.clauses.floor_helpers import Pit, the
from tests.clauses.table_helpers import altered, case

if TYPE_CHECKING:
    from pathlib import Path

NAME = "Spring draw"
CASH = Prize("cash", "money", 500_000)
TERMS = {
    "how it is awarded": "by draw from all entries",
    "when and where it is awarded": "at table 4 on 3 June at nine",
    "who is eligible": "everybody of age who is not staff",
    "what the prize is": "money",
    "when entries close": "3 June at eight",
    "when and where it takes place": "in the casino, 1 to 3 June",
    "how to claim": "in person or by letter",
    "how the winner is told": "by telephone",
    "how results are published": "on the notice board",
    "prizes, values and conditions": "one prize of 5000, paid within a week",
}
"""What the terms of a promotion say."""

DETAILS = {
    "appliance": ("make", "model", "accessories"),
    "vehicle": ("make", "model", "accessories", "on-road costs"),
    "travel": ("persons", "inclusions", "when it is taken", "spending money"),
    "real estate": ("dwelling", "plans", "contract", "easements", "address", "inclusions"),
}
"""What they say besides of some prizes."""


def offered(*prizes: Prize, **otherwise: Any) -> Offer:  # noqa: ANN401 - any field of an offer
    """A promotion in order, but for what is said otherwise."""
    start, end = "2026-06-01T12:00:00Z", "2026-06-03T20:00:00Z"
    channels = ("a page of the casino", "a brochure")
    offer = Offer("draw", prizes or (CASH,), TERMS, "the terms are at the desk", channels, start, end)
    return offer._replace(**otherwise)


def without(item: str) -> dict[str, str]:
    """Terms that do not say one thing."""
    return {name: said for name, said in TERMS.items() if name != item}


def registers(offer: Offer) -> PromotionRegistered:
    """What comes of putting it on the register."""
    return the(Pit("sydney").does(promotions.RegisterPromotion(NAME, offer), now="05-30 12:00"), PromotionRegistered)


def no(offer: Offer) -> tuple[str, str | None]:
    """Why it does not come on the register."""
    return Pit("sydney").refuses(promotions.RegisterPromotion(NAME, offer))


def running(*prizes: Prize, **otherwise: Any) -> Pit:  # noqa: ANN401 - any field of an offer
    """A promotion that has started, with two entrants."""
    pit = Pit("sydney")
    pit.does(promotions.RegisterPromotion(NAME, offered(*prizes, **otherwise)), now="05-30 12:00")
    pit.does(promotions.FileTerms(NAME, "Avery of the Authority"), now="05-31 12:00")
    pit.does(promotions.OpenPromotion(NAME), now="06-01 12:00")
    for person in ("Ann", "Bob"):
        pit.does(promotions.EnterPromotion(NAME, person), "player", person, now="06-02 12:00")
    return pit


def drawn(*prizes: Prize, **otherwise: Any) -> Pit:  # noqa: ANN401 - any field of an offer
    """The same, with its first prize drawn for Ann at nine on 3 June."""
    pit = running(*prizes, **otherwise)
    pit.does(promotions.DrawPrize(NAME, 1, "Ann", second="Vic"), now="06-03 21:00")
    return pit


# --- What is offered --------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:10.1")
def test_prizes_are_offered_alongside_gaming() -> None:
    """By the house, under a name of its own, and never without gaming."""
    pit = Pit("sydney")
    register = promotions.RegisterPromotion(NAME, offered())
    for role in ("dealer", "player"):
        assert pit.refuses(register, role).clause == "sydney:10.1"
    assert pit.refuses(promotions.RegisterPromotion("", offered())).clause == "sydney:10.1"
    pit.does(register, "box")
    assert pit.refuses(register).code == "floor.promotion"
    assert no(offered(with_gaming=False)) == ("floor.offer", "sydney:10.1")
    assert no(offered(prizes=())) == ("floor.offer", "sydney:10.1")


@pytest.mark.clause("sydney:1.1.promotional-prize")
def test_a_promotional_prize_is_given_by_draw_or_chance() -> None:
    """Whoever is the most skilful wins something else."""
    for given_by in ("draw", "chance"):
        registers(offered(given_by=given_by))
    assert no(offered(given_by="skill")) == ("floor.offer", "sydney:1.1.promotional-prize")


@pytest.mark.clause("sydney:10.3.1", "sydney:10.3.3")
def test_money_in_the_place_of_a_thing_is_offered_in_the_terms() -> None:
    """A watch, or 800 instead: the terms say so, and the winner takes the one or the other."""
    watch = Prize("goods", "a watch", 100_000, cash_alternative=80_000)
    assert no(offered(watch)) == ("floor.terms", "sydney:10.3.3")
    terms = {**TERMS, "cash alternative": "800 in the place of the watch"}
    registers(offered(watch, terms=terms))
    pit = drawn(watch, terms=terms)
    for wrong in (promotions.AwardPrize(NAME, 1, (("cash", 100_000),)), promotions.AwardPrize(NAME, 1, instead=True)):
        assert pit.refuses(wrong).code == "floor.payment"
    paid = the(pit.does(promotions.AwardPrize(NAME, 1, (("cash", 80_000),), instead=True)), PrizeAwarded)
    assert paid.clause == "sydney:10.3.1"
    thing = drawn(Prize("goods", "a watch", 100_000))
    wrong = promotions.AwardPrize(NAME, 1, (("cash", 80_000),), instead=True)
    assert thing.refuses(wrong).clause == "sydney:10.3.1"
    assert thing.does(promotions.AwardPrize(NAME, 1))
    for wrong_prize in (CASH._replace(cash_alternative=1), watch._replace(cash_alternative=-1)):
        assert no(offered(wrong_prize, terms=terms)) == ("floor.prize", "sydney:10.3.1")


@pytest.mark.clause("sydney:10.3.2")
@pytest.mark.parametrize("kind", ["slots dollars", "casino dollars"])
def test_there_is_no_money_in_the_place_of_play_dollars(kind: str) -> None:
    """They can be won, and not be changed."""
    terms = {**TERMS, "cash alternative": "the same in money"}
    dollars = Prize(kind, "500 to play with", 50_000)
    assert no(offered(dollars._replace(cash_alternative=50_000), terms=terms)) == ("floor.prize", "sydney:10.3.2")
    registers(offered(dollars))
    registers(offered(Prize("goods", "a watch", 50_000, cash_alternative=50_000), terms=terms))


@pytest.mark.clause("sydney:10.3.1", "sydney:10.3.2")
@pytest.mark.parametrize("kind", ["goods", "appliance", "vehicle", "travel", "real estate", "liquor"])
def test_there_may_be_money_in_the_place_of_any_other_thing(kind: str) -> None:
    """Only play dollars are excepted."""
    terms = {**TERMS, "cash alternative": "half its value in money"}
    details = dict.fromkeys(DETAILS.get(kind, ()), "as in the brochure")
    first = Prize(kind, "the first prize", 50_000, details, 25_000, 1_000 if kind == "liquor" else 0)
    registers(offered(first, terms=terms))


@pytest.mark.clause("sydney:10.5")
@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        case("sydney:10.5.1", "tobacco"),
        case("sydney:10.5.2", "firearm"),
        case("sydney:10.5.2", "ammunition"),
        case("sydney:10.5.2", "imitation firearm"),
        case("sydney:10.5.3", "prohibited weapon"),
    ],
)
def test_some_things_are_no_prize(clause: str, kind: str) -> None:
    """Alone, or among others."""
    wrong = Prize(kind, "something for the mantelpiece", 10_000)
    assert no(offered(wrong)) == ("floor.prize", clause)
    assert no(offered(CASH, wrong)) == ("floor.prize", clause)


@pytest.mark.clause("sydney:10.5")
def test_a_prize_is_something_and_worth_something() -> None:
    """The list is of prizes, and a prize has a name and a value."""
    for wrong in (Prize("cash", "money", 0), Prize("goods", " ", 100)):
        assert no(offered(wrong)) == ("floor.prize", "sydney:10.5")


@pytest.mark.clause("sydney:10.5.4")
def test_a_prize_holds_twenty_litres_of_liquor_at_most() -> None:
    """Twenty litres are one; a decilitre more is none."""
    registers(offered(Prize("liquor", "a barrel", 40_000, liquor_ml=20_000)))
    assert no(offered(Prize("liquor", "a barrel", 40_000, liquor_ml=20_100))) == ("floor.prize", "sydney:10.5.4")


@pytest.mark.clause("sydney:10.5.5")
def test_what_the_regulations_prescribe_is_no_prize(tmp_path: Path) -> None:
    """The house keeps their list in its file: empty today, and whatever stands on it tomorrow is refused."""
    registers(offered(Prize("goods", "fireworks", 10_000)))
    path = altered("sydney", tmp_path, 'prescribed = [[], "10.5.5"]', 'prescribed = [["fireworks"], "10.5.5"]')
    pit = Pit("sydney")
    pit.layout = House(path).layout
    refusal = pit.refuses(promotions.RegisterPromotion(NAME, offered(Prize("goods", "fireworks", 10_000))))
    assert refusal == ("floor.prize", "sydney:10.5.5")


# --- The terms --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:10.6.1")
def test_the_marketing_speaks_of_the_terms() -> None:
    """Marketing that says nothing of them is none."""
    assert no(offered(marketing=" ")) == ("floor.terms", "sydney:10.6.1")


@pytest.mark.clause("sydney:10.6.2")
def test_the_terms_can_be_had_somewhere() -> None:
    """In the casino or by other means: one will do."""
    assert no(offered(channels=())) == ("floor.terms", "sydney:10.6.2")
    assert no(offered(channels=("",))) == ("floor.terms", "sydney:10.6.2")
    registers(offered(channels=("a letter",)))


@pytest.mark.clause("sydney:10.7")
@pytest.mark.parametrize(
    ("clause", "item"),
    [
        case("sydney:10.7.1", "how it is awarded"),
        case("sydney:10.7.2", "when and where it is awarded"),
        case("sydney:10.7.3", "who is eligible"),
        case("sydney:10.7.5", "what the prize is"),
        case("sydney:10.7.6", "when entries close"),
        case("sydney:10.7.7", "when and where it takes place"),
        case("sydney:10.7.8", "how to claim"),
        case("sydney:10.7.9", "how the winner is told"),
        case("sydney:10.7.10", "how results are published"),
        case("sydney:10.7.11", "prizes, values and conditions"),
    ],
)
def test_the_terms_say_all_of_this(clause: str, item: str) -> None:
    """Terms without one of them are refused by its clause; with all of them, the promotion is on the register."""
    assert no(offered(terms=without(item))) == ("floor.terms", clause)
    assert no(offered(terms={**TERMS, item: "  "})) == ("floor.terms", clause)
    assert registers(offered()).clause == "sydney:10.7"


@pytest.mark.clause("sydney:10.7.4")
def test_a_wager_that_must_be_made_stands_in_the_terms() -> None:
    """Where there is one; where there is none, nothing is missing."""
    assert no(offered(compulsory_wager=2_500)) == ("floor.terms", "sydney:10.7.4")
    registers(offered(compulsory_wager=2_500, terms={**TERMS, "compulsory wager": "25 on the Win Line"}))
    registers(offered())


@pytest.mark.parametrize(
    ("clause", "kind", "items"),
    [
        case("sydney:10.7.11.1", "appliance", DETAILS["appliance"]),
        case("sydney:10.7.11.2", "vehicle", DETAILS["vehicle"]),
        case("sydney:10.7.11.3.1", "travel", ("persons",)),
        case("sydney:10.7.11.3.2", "travel", ("inclusions",)),
        case("sydney:10.7.11.3.3", "travel", ("when it is taken",)),
        case("sydney:10.7.11.3.4", "travel", ("spending money",)),
        case("sydney:10.7.11.4", "real estate", DETAILS["real estate"]),
    ],
)
def test_of_some_prizes_the_terms_say_more(clause: str, kind: str, items: tuple[str, ...]) -> None:
    """Whichever of them is missing is named by its clause."""
    details = dict.fromkeys(DETAILS[kind], "as in the brochure")
    registers(offered(Prize(kind, "the first prize", 900_000, details)))
    for item in items:
        short = {name: said for name, said in details.items() if name != item}
        assert no(offered(Prize(kind, "the first prize", 900_000, short))) == ("floor.terms", clause)


# --- The Authority ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:10.9")
def test_the_authority_has_the_terms_for_a_day_before_the_start() -> None:
    """Filed 23 hours before, it does not start; 24 hours before, it does."""
    pit = Pit("sydney")
    pit.does(promotions.RegisterPromotion(NAME, offered()), now="05-30 12:00")
    assert pit.refuses(promotions.OpenPromotion(NAME), now="06-01 12:00") == ("floor.filing", "sydney:10.9")
    assert pit.refuses(promotions.FileTerms(NAME, "")).clause == "sydney:10.9"
    assert pit.refuses(promotions.FileTerms(NAME, "Avery"), "dealer").clause == "sydney:10.9"
    filed = the(pit.does(promotions.FileTerms(NAME, "Avery"), now="05-31 13:00"), TermsFiled)
    assert filed.clause == "sydney:10.9"
    assert pit.refuses(promotions.OpenPromotion(NAME), now="06-01 12:00") == ("floor.filing", "sydney:10.9")
    assert pit.refuses(promotions.OpenPromotion(NAME), "dealer", now="06-01 13:00").code == "floor.role"
    the(pit.does(promotions.OpenPromotion(NAME), now="06-01 13:00"), PromotionOpened)


@pytest.mark.clause("sydney:10.9")
@pytest.mark.parametrize(
    ("filed", "now", "says"),
    [
        pytest.param("", "05-30 12:00", "Filed now, it can open at 12:00 on 2026-06-01", id="in time"),
        pytest.param("", "06-01 10:00", "Filed now, it can open at 10:00 on 2026-06-02", id="after its start"),
        pytest.param("", "06-02 20:00", "Filed now, it can open at 20:00 on 2026-06-03", id="at the last moment"),
        pytest.param("", "06-03 19:00", "at 19:00 on 2026-06-04 (UTC), after its entries have closed", id="too late"),
        pytest.param("05-30 12:00", "05-31 12:00", "It can open at 12:00 on 2026-06-01 (UTC).", id="filed"),
        pytest.param(
            "05-30 12:00", "06-03 20:00", "It can open at 12:00 on 2026-06-01 (UTC).", id="filed, to the last"
        ),
        pytest.param("05-30 12:00", "06-03 21:00", "It was never opened, and its entries closed at 20:00", id="over"),
    ],
)
def test_a_promotion_says_when_it_can_open(filed: str, now: str, says: str) -> None:
    """By its own terms and by the book; one whose time has passed does not look like one to come."""
    pit = Pit("sydney")
    pit.does(promotions.RegisterPromotion(NAME, offered()), now="05-30 11:00")
    if filed:
        pit.does(promotions.FileTerms(NAME, "Avery"), now=filed)
    promotion = pit.floor.promotions[NAME]
    assert says in promotions.awaits(pit.layout.book, promotion, pit.at(now))
    assert promotions.awaits(pit.layout.book, promotion._replace(stands="open"), pit.at(now)) == ""


@pytest.mark.clause("sydney:10.9")
def test_nothing_starts_before_its_own_terms_say() -> None:
    """However early it was filed."""
    pit = Pit("sydney")
    pit.does(promotions.RegisterPromotion(NAME, offered()), now="05-01 12:00")
    pit.does(promotions.FileTerms(NAME, "Avery"), now="05-01 12:00")
    assert pit.refuses(promotions.OpenPromotion(NAME), now="06-01 11:59").code == "floor.not_due"
    assert pit.does(promotions.OpenPromotion(NAME), now="06-01 12:00")
    assert pit.refuses(promotions.OpenPromotion(NAME), now="06-01 12:00").code == "floor.promotion"
    for wrong in ({"starts": "2026-06-04T12:00:00Z"}, {"closes": "soon"}, {"starts": "soon"}):
        assert no(offered(**wrong)) == ("floor.time", "sydney:10.1")
    registers(offered(closes="2026-06-01T12:00:00Z"))  # it may close as it starts


@pytest.mark.clause("sydney:10.9.1")
def test_after_the_start_terms_change_with_the_authoritys_approval() -> None:
    """Before it they change freely and are filed again, a day before the start."""
    pit = Pit("sydney")
    other = offered(terms={**TERMS, "how to claim": "in person"})
    pit.does(promotions.RegisterPromotion(NAME, offered()), now="05-30 12:00")
    pit.does(promotions.FileTerms(NAME, "Avery"), now="05-30 12:00")
    pit.does(promotions.AmendPromotion(NAME, other), now="05-30 13:00")
    assert pit.refuses(promotions.OpenPromotion(NAME), now="06-01 12:00").clause == "sydney:10.9"
    assert running().refuses(promotions.AmendPromotion(NAME, other), now="06-02 12:00").clause == "sydney:10.9.1"
    open_ = running()
    approved = promotions.AmendPromotion(NAME, other, "letter 12")
    assert open_.refuses(approved, "dealer", now="06-02 12:00").clause == "sydney:10.9.1"
    amended = the(open_.does(approved, now="06-02 12:00"), PromotionAmended)
    assert (amended.approval, amended.clause) == ("letter 12", "sydney:10.9.1")
    worse = promotions.AmendPromotion(NAME, offered(terms=without("how to claim")), "letter 13")
    assert open_.refuses(worse).clause == "sydney:10.7.8"


# --- Draws and winners ------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:10.2")
def test_a_scrutineer_watches_draws_with_a_prize_over_ten_thousand() -> None:
    """At 10,000 none is needed; at 10,001 one is, who is somebody else, for every prize of that promotion."""
    assert running(Prize("cash", "money", 10_000_00)).does(promotions.DrawPrize(NAME, 1, "Ann"), now="06-03 21:00")
    pit = running(CASH, Prize("cash", "money", 10_001_00))
    for scrutineer, second in (
        ("", ""),
        ("sue", ""),
        ("", "Sue"),
        ("", "Ann"),
        ("Vic", ""),
        ("Ann", "Vic"),
        ("sue", "Vic"),
    ):
        wrong = pit.refuses(promotions.DrawPrize(NAME, 1, "Ann", scrutineer, "a solicitor", second), now="06-03 21:00")
        assert wrong == ("floor.scrutineer", "sydney:10.2")
    outsider = promotions.DrawPrize(NAME, 2, "Ann", "Otto", "", "Vic")
    assert pit.refuses(outsider, now="06-03 21:00") == ("floor.unsaid", "sydney:10.2")
    vouched = promotions.DrawPrize(NAME, 2, "Ann", "Otto", "a solicitor", "Vic")
    assert the(pit.does(vouched, now="06-03 21:00"), PrizeDrawn).standing == "a solicitor"
    own = promotions.DrawPrize(NAME, 1, "Bob", second="Vic")
    assert pit.refuses(own, "supervisor", "Bob", now="06-03 21:00").code == "floor.role"
    drawing = promotions.DrawPrize(NAME, 1, "Ann", second="Vic")
    assert pit.refuses(drawing, "dealer", now="06-03 21:00").clause == "sydney:10.2"
    found = the(pit.does(promotions.DrawPrize(NAME, 1, "Ann", second="Vic"), now="06-03 21:00"), PrizeDrawn)
    assert (found.scrutineer, found.clause) == ("Vic", "sydney:10.2")


def test_a_draw_is_among_those_who_entered_in_time() -> None:
    """After the entries have closed, each prize once."""
    pit = running()
    assert pit.refuses(promotions.DrawPrize(NAME, 1, "Ann"), now="06-03 19:59").code == "floor.not_due"
    late = promotions.EnterPromotion(NAME, "Cy")
    assert pit.refuses(promotions.EnterPromotion(NAME, "ANN"), "player", now="06-03 19:59").code == "floor.entry"
    assert pit.refuses(promotions.EnterPromotion(NAME, ""), "player", now="06-03 19:59").code == "floor.unsaid"
    assert pit.refuses(late, "player", now="06-03 20:01").code == "floor.entry"
    for wrong, code in (
        (promotions.DrawPrize(NAME, 1, "Cy"), "floor.entry"),
        (promotions.DrawPrize(NAME, 2, "Ann"), "floor.prize"),
    ):
        assert pit.refuses(wrong, now="06-03 21:00").code == code
    pit.does(promotions.DrawPrize(NAME, 1, "Ann"), now="06-03 21:00")
    assert pit.refuses(promotions.DrawPrize(NAME, 1, "Bob"), now="06-03 21:00").code == "floor.prize"
    assert pit.refuses(promotions.NotifyWinner(NAME, 2, "mail")).code == "floor.prize"
    assert pit.refuses(promotions.EnterPromotion("Summer", "Ann"), "player").code == "floor.promotion"


@pytest.mark.clause("sydney:10.4")
def test_the_winner_of_more_than_ten_thousand_chooses_how_it_is_paid() -> None:
    """Cash, a crossed cheque, a transfer or a mix of them; of 10,000 and less the house may say how."""
    ways = ("cash", "crossed cheque", "electronic transfer")
    dear = Prize("cash", "money", 12_000_00)
    for paid in [*(((way, 12_000_00),) for way in ways), ((ways[0], 2_000_00), (ways[2], 10_000_00))]:
        choice = promotions.AwardPrize(NAME, 1, paid, "winner")
        assert the(drawn(dear).does(choice), PrizeAwarded).clause == "sydney:10.4"
    pit = drawn(dear)
    for wrong in (
        promotions.AwardPrize(NAME, 1, (("cash", 12_000_00),), "house"),
        promotions.AwardPrize(NAME, 1, (("cash", 11_999_00),), "winner"),
        promotions.AwardPrize(NAME, 1, (("chips", 12_000_00),), "winner"),
        promotions.AwardPrize(NAME, 1, (("cash", 13_000_00), ("crossed cheque", -1_000_00)), "winner"),
    ):
        assert pit.refuses(wrong) == ("floor.payment", "sydney:10.4")
    for over in (10_000_01, 10_001_00):
        assert drawn(Prize("cash", "money", over)).does(promotions.AwardPrize(NAME, 1, (("cash", over),), "winner"))
    small = drawn(Prize("cash", "money", 10_000_00))
    paid = (("cash", 10_000_00),)
    assert small.refuses(promotions.AwardPrize(NAME, 1, paid), "dealer").clause == "sydney:10.4"
    by_the_winner = promotions.AwardPrize(NAME, 1, paid, "winner")  # if the house lets
    assert drawn(Prize("cash", "money", 10_000_00)).does(by_the_winner)
    assert small.does(promotions.AwardPrize(NAME, 1, paid))
    assert small.refuses(promotions.AwardPrize(NAME, 1, paid)).code == "floor.prize"


@pytest.mark.clause("sydney:10.8")
@pytest.mark.parametrize(("day", "late"), [("06-03 22:00", ""), ("06-05 23:59", ""), ("06-06 00:01", "late")])
def test_a_winner_who_need_not_attend_is_told_within_two_days(day: str, late: str) -> None:
    """Drawn on the 3rd, told by the 5th; on the 6th it is written down as a breach."""
    pit = drawn()
    assert pit.refuses(promotions.NotifyWinner(NAME, 1, "mail"), "dealer", now=day).clause == "sydney:10.8"
    told = the(pit.does(promotions.NotifyWinner(NAME, 1, "mail"), now=day), WinnerNotified)
    assert (told.late, told.within) == (bool(late), "sydney:10.8")
    again = the(pit.does(promotions.NotifyWinner(NAME, 1, "email"), now="06-20 12:00"), WinnerNotified)
    assert again.late is False  # the first try is what counts


@pytest.mark.clause("sydney:10.8")
def test_a_winner_who_had_to_attend_was_there() -> None:
    """Nobody waits for a letter."""
    told = the(
        drawn(must_attend=True).does(promotions.NotifyWinner(NAME, 1, "mail"), now="06-20 12:00"), WinnerNotified
    )
    assert told.late is False


@pytest.mark.parametrize(
    ("clause", "way"),
    [
        case("sydney:10.8.1", "face to face"),
        case("sydney:10.8.2", "mail"),
        case("sydney:10.8.3", "telephone"),
        case("sydney:10.8.4", "email"),
    ],
)
def test_a_winner_is_told_in_a_listed_way(clause: str, way: str) -> None:
    """And in no other."""
    pit = drawn()
    assert pit.refuses(promotions.NotifyWinner(NAME, 1, "text message"), now="06-03 22:00") == (
        "floor.notice",
        "sydney:10.8",
    )
    assert the(pit.does(promotions.NotifyWinner(NAME, 1, way), now="06-03 22:00"), WinnerNotified).clause == clause


# --- Claims, disputes, doubts -----------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:10.10")
def test_whoever_is_refused_a_prize_is_told_why() -> None:
    """A claim is refused with its reason, and once the claimant has heard it."""
    pit = running()
    claim = promotions.RefuseClaim(NAME, "Cy", 50_00, "did not enter", told=False)
    assert pit.refuses(claim) == ("floor.claim", "sydney:10.10")
    assert pit.refuses(promotions.RefuseClaim(NAME, "Cy", 50_00, "", told=True)).clause == "sydney:10.10"
    assert pit.refuses(promotions.RefuseClaim(NAME, "", 50_00, "did not enter", told=True)).clause == "sydney:10.10"
    told = promotions.RefuseClaim(NAME, "Cy", 50_00, "did not enter", told=True)
    assert pit.refuses(told, "dealer").clause == "sydney:10.10"
    refused = the(pit.does(told), ClaimRefused)
    assert (refused.kept, refused.clause) == (False, "sydney:10.10")


@pytest.mark.clause("sydney:10.10.1")
def test_the_details_of_a_refused_claim_over_a_hundred_are_kept() -> None:
    """Name, address and reason, from 100.01 up; at 100 there is no such duty."""
    pit = running()
    pit.does(promotions.RefuseClaim(NAME, "Cy", 100_00, "did not enter", told=True))
    assert pit.floor.promotions[NAME].refused == ()
    over = promotions.RefuseClaim(NAME, "Cy", 101_00, "did not enter", told=True)
    assert pit.refuses(over) == ("floor.unsaid", "sydney:10.10.1")
    kept = promotions.RefuseClaim(NAME, "Cy", 101_00, "did not enter", told=True, address="3 Pier Street")
    assert the(pit.does(kept), ClaimRefused).clause == "sydney:10.10.1"
    (claim,) = pit.floor.promotions[NAME].refused
    assert claim == ("Cy", "3 Pier Street", 101_00, "did not enter")


@pytest.mark.clause("sydney:10.11.1", "sydney:10.11.2")
def test_the_house_decides_on_the_terms_and_says_who_hears_complaints() -> None:
    """Its decision is final, without a review; who is not satisfied is told of the inspector."""
    pit = running()
    raised = disputes.RaiseDispute("Cy", "the closing time", promotion=NAME)
    assert pit.refuses(disputes.RaiseDispute("Cy", "it", promotion="Summer"), "player").code == "floor.promotion"
    pit.does(raised, "player", "Cy")
    assert pit.refuses(disputes.DecideDispute(1, "entries were closed"), "dealer").code == "floor.role"
    decided = the(pit.does(disputes.DecideDispute(1, "entries were closed"), "box"), DisputeDecided)
    assert decided.clause == "sydney:10.11.1"
    assert pit.refuses(disputes.AskReview(1), "player", "Cy") == ("floor.final", "sydney:10.11.1")
    told = the(pit.does(disputes.SayDissatisfied(1), "player", "Cy"), ComplainantTold)
    assert told.clause == "sydney:10.11.2"
    assert told.told == (
        "a complaint can be made to an inspector (section 33, Gaming and Liquor Administration Act 2007)"
    )


@pytest.mark.clause("sydney:10.12.1")
@pytest.mark.parametrize(("remedy", "stands"), [("postpone", "postponed"), ("cancel", "cancelled")])
def test_what_cannot_be_trusted_is_postponed_or_cancelled(remedy: str, stands: str) -> None:
    """Nothing is drawn then; what was postponed goes on once it can be trusted."""
    pit = running()
    doubt = promotions.DoubtPromotion(NAME, remedy, "the drum was open", "Ines")
    assert pit.refuses(doubt, "dealer").clause == "sydney:10.12.1"
    assert (
        pit.refuses(promotions.DoubtPromotion(NAME, "forget", "the drum was open", "Ines")).clause == "sydney:10.12.1"
    )
    assert pit.refuses(promotions.DoubtPromotion(NAME, remedy, "", "Ines")).clause == "sydney:10.12.1"
    assert the(pit.does(doubt), PromotionDoubted).clause == "sydney:10.12.1"
    assert pit.floor.promotions[NAME].stands == stands
    assert pit.refuses(promotions.DrawPrize(NAME, 1, "Ann"), now="06-03 21:00").code == "floor.promotion"
    trust = promotions.TrustPromotion(NAME, "the drum was sealed again before two")
    if remedy == "cancel":
        assert pit.refuses(trust).code == "floor.promotion"
        return
    assert pit.refuses(promotions.TrustPromotion(NAME, "")).clause == "sydney:10.12.1"
    pit.does(trust)
    assert pit.does(promotions.DrawPrize(NAME, 1, "Ann"), now="06-03 21:00")


@pytest.mark.clause("sydney:10.12.1")
@pytest.mark.parametrize("remedy", ["postpone", "cancel"])
def test_of_a_promotion_that_is_not_trusted_nobody_is_told_or_paid(remedy: str) -> None:
    """Whoever was drawn before waits until it is trusted again (pinned 108)."""
    pit = drawn()
    tell, pay = promotions.NotifyWinner(NAME, 1, "mail"), promotions.AwardPrize(NAME, 1, (("cash", 500_000),))
    pit.does(promotions.DoubtPromotion(NAME, remedy, "the drum was open", "Ines"), now="06-03 22:00")
    for act in (tell, pay):
        assert pit.refuses(act, now="06-04 12:00") == ("floor.promotion", "sydney:10.12.1")
    if remedy == "postpone":
        pit.does(promotions.TrustPromotion(NAME, "it was sealed again before two"), now="06-04 13:00")
        assert pit.does(tell, now="06-04 14:00")
        assert pit.does(pay, now="06-04 15:00")


@pytest.mark.clause("sydney:10.9.1")
def test_a_prize_that_was_drawn_stays_as_it_was_drawn() -> None:
    """Neither taken away nor changed, whoever approved it; the others may be (pinned 108)."""
    second = CASH._replace(value=100_000)
    pit = running(CASH, second)
    pit.does(promotions.DrawPrize(NAME, 2, "Ann"), now="06-03 21:00")
    less = CASH._replace(value=400_000)
    for prizes in ((CASH,), (CASH, second._replace(value=1)), (second, CASH)):
        amended = promotions.AmendPromotion(NAME, offered(*prizes), "letter 5")
        assert pit.refuses(amended, now="06-03 19:00") == ("floor.prize", "sydney:10.9.1")
    pit.does(promotions.AmendPromotion(NAME, offered(less, second, CASH), "letter 5"), now="06-03 19:00")
    assert pit.does(promotions.AwardPrize(NAME, 2, (("cash", 100_000),)), now="06-04 12:00")
    assert pit.refuses(promotions.AwardPrize(NAME, 3, ()), now="06-04 12:00").code == "floor.prize"


def test_who_may_not_play_enters_no_draw() -> None:
    """Neither excluded by two people nor by their own wish."""
    pit = running()
    pit.does(conduct.ExcludeOneself("Cleo", "for a year"), "player", "Cleo")
    enter = promotions.EnterPromotion(NAME, "Cleo")
    assert pit.refuses(enter, "player", "Cleo", now="06-02 13:00").code == "floor.barred"
    pit.does(conduct.Readmit("Cleo", "the year is over", "Cid"))
    assert pit.does(enter, "player", "Cleo", now="06-02 13:00")


@pytest.mark.clause("sydney:10.12.2")
def test_the_inspectorate_hears_of_it_at_once() -> None:
    """In the same act, or it is not done."""
    pit = running()
    doubt = promotions.DoubtPromotion(NAME, "postpone", "the drum was open", " ")
    assert pit.refuses(doubt) == ("floor.unsaid", "sydney:10.12.2")
    told = the(pit.does(promotions.DoubtPromotion(NAME, "postpone", "the drum was open", "Ines")), PromotionDoubted)
    assert (told.inspectorate, told.told) == ("Ines", "sydney:10.12.2")


def test_a_house_without_such_rules_has_no_promotions() -> None:
    """Adelaide's book says nothing of them."""
    assert Pit("adelaide").refuses(promotions.RegisterPromotion(NAME, offered())).code == "floor.no_rule"


@pytest.mark.clause("sydney:10.5", "sydney:10.5.1")
@pytest.mark.parametrize("kind", ["Tobacco", "cigars", "gun", "car", "", "CASH"])
def test_a_prize_is_of_a_kind_that_the_house_knows(kind: str) -> None:
    """What is none of the list is goods, and says so; no other spelling passes by what is banned."""
    assert no(offered(Prize(kind, "a thing", 5_000))) == ("floor.prize", "sydney:10.5")
    registers(offered(Prize("goods", "a thing", 5_000)))


@pytest.mark.clause("sydney:10.5.4")
def test_a_prize_of_liquor_says_how_much() -> None:
    """Twenty litres and no more; none at all is no amount."""
    assert no(offered(Prize("liquor", "wine", 5_000))) == ("floor.prize", "sydney:10.5.4")
    for amount in (1, 20_000):
        registers(offered(Prize("liquor", "wine", 5_000, liquor_ml=amount)))
    assert no(offered(Prize("liquor", "wine", 5_000, liquor_ml=20_001))) == ("floor.prize", "sydney:10.5.4")
