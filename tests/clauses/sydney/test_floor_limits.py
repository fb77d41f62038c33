"""Parts 1.1, 7.5 and 7.6: who works as what, and limits that change by sign."""

from __future__ import annotations

import pytest

from passline.engine.commands import PostNotice
from passline.engine.decide import decide
from passline.engine.events import NoticePosted
from passline.engine.floor_rules import Title
from passline.engine.refusals import Refusal
from passline.errors import ArgumentError, RecordError
from passline.floor import gate, seats, signs, staff
from passline.floor.signs import LimitsChanged, PlayerLimitsSigned
from passline.floor.staff import CameOnDuty
from passline.record.record import read_text
from passline.table import Table
from tests.clauses.floor_helpers import Pit, the
from tests.clauses.table_helpers import case


def sydney() -> Pit:
    """A table in sydney."""
    return Pit("sydney")


@pytest.mark.parametrize(
    ("clause", "title", "role", "scope"),
    [
        case("sydney:1.1.dealer", "dealer", "dealer", "table"),
        case("sydney:1.1.boxperson", "boxperson", "box", "table"),
        case("sydney:1.1.gaming-supervisor", "Gaming Supervisor", "supervisor", "table"),
        case("sydney:1.1.assistant-gaming-manager", "Assistant Gaming Manager", "supervisor", "pit"),
        case("sydney:1.1.gaming-manager", "Gaming Manager", "supervisor", "gaming floor"),
        case("sydney:1.1.inspector", "inspector", "inspector", "state"),
        case("sydney:1.1.stickperson", "stickperson", "stick", "table"),
    ],
)
def test_a_title_says_what_somebody_works_as_and_over_how_much(clause: str, title: str, role: str, scope: str) -> None:
    """Everybody comes on duty under a title of the house's, as what that title works as, and as nothing else."""
    pit = sydney()
    came = the(pit.does(staff.ComeOnDuty("Kim", title), role, "Kim"), CameOnDuty)
    assert (came.role, came.clause) == (role, clause)
    assert pit.layout.book.floor.titles[title].value == Title(role=role, scope=scope)  # type: ignore[arg-type]
    other = "dealer" if role != "dealer" else "stick"
    assert pit.refuses(staff.ComeOnDuty("Lou", title), other, "Lou").code == "floor.role"


@pytest.mark.clause("sydney:1.1.assistant-gaming-manager", "sydney:1.1.gaming-manager")
def test_nobody_is_given_a_title_by_somebody_of_lower_rank() -> None:
    """The Gaming Manager, who has the floor, makes an Assistant Gaming Manager, who has a pit; never the other way."""
    pit = sydney()
    pit.does(staff.ComeOnDuty("Gus", "Gaming Manager"), name="Gus")
    assert pit.refuses(staff.ComeOnDuty("Amy", "Assistant Gaming Manager"), name="Sue").code == "floor.title"
    pit.does(staff.ComeOnDuty("Amy", "Assistant Gaming Manager"), name="Gus")
    assert pit.refuses(staff.ComeOnDuty("Ned", "Gaming Manager"), name="Amy").code == "floor.title"
    pit.does(staff.ComeOnDuty("Ned", "Gaming Supervisor"), name="Amy")
    pit.does(staff.GoOffDuty("Amy"), name="Gus")
    assert pit.refuses(staff.GoOffDuty("Amy"), name="Gus").code == "floor.title"
    assert pit.refuses(staff.ComeOnDuty("Amy", "Pit Boss"), name="Gus").code == "floor.title"


@pytest.mark.clause("sydney:1.1.casino-supervisor", "sydney:7.5.1")
@pytest.mark.parametrize("role", ["dealer", "stick", "inspector", "player"])
def test_nobody_but_a_casino_supervisor_changes_the_limits(role: str) -> None:
    """A dealer, a stickperson or an inspector is none."""
    pit = sydney()
    refusal = pit.refuses(signs.ChangeLimits(pit.sign("min=2 max=5000")), role)
    assert (refusal.code, refusal.clause) == ("floor.role", "sydney:7.5.2")


@pytest.mark.clause("sydney:1.1.casino-supervisor", "sydney:7.5.1")
@pytest.mark.parametrize("role", ["box", "supervisor"])
def test_a_casino_supervisor_changes_the_limits_at_any_time(role: str) -> None:
    """A boxperson is one, and so is everybody with a title above."""
    pit = sydney()
    answer = pit.does(signs.ChangeLimits(pit.sign("min=2 max=5000")), role)
    assert the(answer, LimitsChanged).by == "Sue"
    assert [type(event) for event in answer.game] == [NoticePosted]
    assert pit.plays("bet pass 2", "2 bet pass 5000")


@pytest.mark.clause("sydney:7.5.2")
def test_a_higher_minimum_has_been_up_on_a_sign_for_twenty_minutes() -> None:
    """A sign at 19:40 that says 20:00: the minimum is raised at 20:00, and at no time before."""
    pit = sydney()
    higher = pit.sign("min=25 max=1000")
    assert pit.refuses(signs.ChangeLimits(higher), now="19:40").clause == "sydney:7.5.2"
    pit.does(signs.SignLimits(higher, pit.at("20:00")), now="19:40")
    assert pit.refuses(signs.ChangeLimits(higher), now="19:59").code == "floor.not_due"
    assert pit.refuses(signs.ChangeLimits(pit.sign("min=30 max=1000")), now="20:00").code == "notice.too_soon"
    pit.does(signs.ChangeLimits(higher), now="20:00")
    assert pit.no("bet pass 20").code == "bet.under_minimum"
    assert pit.floor.limits_sign is None


@pytest.mark.clause("sydney:7.5.2")
def test_a_sign_that_names_too_early_a_time_has_to_stand_all_the_same() -> None:
    """A sign at 19:40 that says 19:50 is obeyed at 20:00; lower limits and a higher maximum need no sign at all."""
    pit = sydney()
    higher = pit.sign("min=25 max=1000")
    pit.does(signs.SignLimits(higher, pit.at("19:50")), "box", now="19:40")
    assert pit.refuses(signs.ChangeLimits(higher), now="19:59").code == "notice.too_soon"
    pit.does(signs.ChangeLimits(pit.sign("min=4 max=9000")), now="19:59")
    assert pit.refuses(signs.ChangeLimits(higher), now="20:30").code == "notice.too_soon"  # that sign came down


@pytest.mark.clause("sydney:7.5.2")
def test_a_sign_stays_up_while_something_else_is_changed() -> None:
    """A higher maximum at ten past says nothing of the minimum that is announced for twenty past."""
    pit = sydney()
    pit.does(signs.SignLimits(pit.sign("min=25 max=9000"), pit.at("20:20")), now="20:00")
    pit.does(signs.ChangeLimits(pit.state.notice._replace(maximum=900_000)), now="20:10")
    pit.does(signs.ChangeLimits(pit.sign("min=25 max=9000")), now="20:20")


@pytest.mark.clause("sydney:7.5.2")
def test_what_is_up_stands_when_the_minimum_rises() -> None:
    """A wager that was lawful when it was made is decided as it lies."""
    pit = sydney()
    pit.plays("bet pass 5")
    pit.does(signs.SignLimits(pit.sign("min=25"), pit.at("20:20")), now="20:00")
    pit.does(signs.ChangeLimits(pit.sign("min=25")), now="20:20")
    pit.plays("roll 6-5")
    assert pit.rail() == 10_005


@pytest.mark.clause("sydney:7.5.2")
def test_a_sign_names_a_time_to_come() -> None:
    """Nobody announces what has passed, or no time at all."""
    pit = sydney()
    for wrong in (pit.at("19:59"), "soon"):
        assert pit.refuses(signs.SignLimits(pit.sign("min=25"), wrong)).code == "floor.time"


@pytest.mark.clause("sydney:7.6")
def test_one_player_bets_by_a_sign_of_their_own() -> None:
    """With a sign for 5 to 5000 before seat 1, 4000 is taken from seat 1 and from nobody else; the minimum stays."""
    pit = sydney()
    assert pit.no("bet pass 4000").code == "bet.over_maximum"
    sign = signs.SignPlayerLimits(1, 500, 500_000)
    assert pit.refuses(sign, "dealer").clause == "sydney:7.6"
    assert the(pit.does(sign, "box"), PlayerLimitsSigned).clause == "sydney:7.6"
    pit.plays("bet pass 2000")
    assert pit.no("bet field 4").code == "bet.under_minimum"
    pit.plays("bet field 5", "take field")
    assert pit.no("bet place_6 5001").code == "bet.over_maximum"
    assert pit.no("2 bet pass 4000").code == "bet.over_maximum"
    pit.plays("roll 6-4", "bet pass_odds 4000")
    assert pit.no("bet pass_odds 1").code == "bet.over_odds"  # the multiple is the table's
    pit.plays("roll 6-4")
    assert pit.rail() == 10_000 + 2000 + 8000


@pytest.mark.clause("sydney:7.6")
def test_a_players_limits_end_with_the_sign_and_with_the_player() -> None:
    """Lifted, or when somebody else sits there, the table's limits hold again."""
    pit = sydney()
    for end in ("lift", "leave"):
        pit.does(signs.SignPlayerLimits(2, 500, 500_000))
        if end == "lift":
            pit.does(signs.LiftPlayerLimits(2))
        else:
            pit.plays("2 leave", "sit 2 Eve 9000")
        assert pit.no("2 bet pass 4000").code == "bet.over_maximum"
    assert pit.refuses(signs.LiftPlayerLimits(2)).code == "floor.seat"
    for minimum, maximum in ((500, 100), (500, 100_000), (0, 500_000), (550, 500_000)):
        assert pit.refuses(signs.SignPlayerLimits(1, minimum, maximum)) == ("floor.amount", "sydney:7.6")
    assert pit.refuses(signs.SignPlayerLimits(9, 100, 500)).code == "floor.seat"


@pytest.mark.clause("sydney:7.6", "sydney:7.5.2")
def test_own_limits_raise_nobodys_minimum() -> None:
    """They let a player exceed the maximum; a higher minimum takes a sign and its time (pinned 106)."""
    pit = sydney()
    assert pit.refuses(signs.SignPlayerLimits(1, 600, 500_000)) == ("floor.amount", "sydney:7.5.2")
    pit.does(signs.SignPlayerLimits(1, 500, 500_000))
    notice = pit.state.notice
    pit.does(signs.ChangeLimits(notice._replace(maximum=1_000_000)))
    assert gate.seen_from(pit.floor, pit.state, 1).notice.maximum == 1_000_000, "a sign lifts, and lowers nobody"
    assert gate.seen_from(pit.floor, pit.state, 2) == gate.seen_from(pit.floor, pit.state, None) == pit.state


# --- Nobody else ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:1.1.casino-supervisor")
@pytest.mark.parametrize("role", ["dealer", "stick", "inspector", "player"])
def test_what_a_supervisor_did_nobody_else_takes_back(role: str) -> None:
    """Limits of one player, partners, refused wagers, and who is on duty."""
    pit = sydney()
    pit.does(staff.ComeOnDuty("Gus", "Gaming Supervisor"), name="Gus")
    pit.does(signs.SignPlayerLimits(1, 500, 500_000))
    pit.does(seats.LinkPartners((1, 2), "they share one rack"))
    pit.does(seats.RefuseWager(1, "field", "grounds"))
    for undone in (
        staff.GoOffDuty("Gus"),
        signs.LiftPlayerLimits(1),
        seats.UnlinkPartners(2),
        seats.AllowWager(1, "field"),
    ):
        assert pit.refuses(undone, role).code == "floor.role"
        assert pit.does(undone, "box")
    assert pit.refuses(seats.AllowWager(1, "field")).code == "floor.not_refused"


@pytest.mark.clause("sydney:7.5.2", "sydney:7.6")
def test_limits_at_the_very_edge() -> None:
    """A sign may say *now*; one player's maximum is above the table's, be it by a chip."""
    pit = sydney()
    pit.does(signs.SignLimits(pit.sign("min=25"), pit.at("20:00")), now="20:00")
    assert pit.refuses(signs.SignPlayerLimits(1, 100, 100_000)).code == "floor.amount"
    pit.does(signs.SignPlayerLimits(1, 100, 100_100))
    assert pit.plays("bet pass 1001", "bet field 1")
    assert pit.no("bet place_6 1002").code == "bet.over_maximum"
    assert pit.no("2 bet field 4").code == "bet.under_minimum"


@pytest.mark.clause("sydney:1.1.gaming-supervisor")
def test_a_supervisor_makes_others_of_the_same_rank() -> None:
    """Only a higher one is another's to give."""
    pit = sydney()
    pit.does(staff.ComeOnDuty("Gus", "Gaming Supervisor"), name="Gus")
    assert pit.does(staff.ComeOnDuty("Amy", "Gaming Supervisor"), name="Gus")
    assert pit.refuses(staff.ComeOnDuty("", "dealer"), name="Gus").code == "floor.unsaid"
    assert pit.does(staff.GoOffDuty("amy"), "supervisor", "AMY")


# --- What may stand on a sign (pinned 105) ----------------------------------------------------------------------------

WRONG: dict[str, dict[str, object]] = {
    "odds above what the book lets post": {"odds": dict.fromkeys((4, 5, 6, 8, 9, 10), 100)},
    "odds below it": {"odds": dict.fromkeys((4, 5, 6, 8, 9, 10), 1)},
    "a point without odds": {"odds": {4: 2}},
    "odds on a seven": {"odds": dict.fromkeys((4, 5, 6, 7, 8, 9, 10), 2)},
    "no odds at all": {"odds": None},
    "a chip that the float does not have": {"chip": 2500},
    "a minimum below nothing": {"minimum": -500},
    "no minimum": {"minimum": 0},
    "a minimum of half a chip": {"minimum": 250},
    "a minimum above the maximum": {"minimum": 2000, "maximum": 1000},
    "no maximum": {"maximum": None},
    "a centre below nothing": {"props_minimum": -1},
    "a centre above the maximum": {"props_minimum": 100_100},
    "side bets where the book has none": {"side": (100, 200)},
    "a unit of nothing": {"unit": 0},
    "somebody to call no roll": {"no_roll": "box"},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_cannot_be_dealt_stands_on_no_sign(wrong: dict[str, object]) -> None:
    """Neither at once nor announced, nor by the dealers' own act; nothing is changed."""
    pit = Pit("sydney")
    notice = pit.state.notice._replace(**wrong)  # type: ignore[arg-type]
    for act in (signs.ChangeLimits(notice), signs.SignLimits(notice, pit.at("21:00"))):
        assert pit.refuses(act).code == "notice.wrong"
    posted = decide(pit.layout, pit.state, PostNotice(notice, 60))
    assert isinstance(posted, Refusal)
    assert posted.code == "notice.wrong"


def test_odds_on_a_sign_are_within_the_books_own_range() -> None:
    """Sydney's are double (6.1.5.1), adelaide's from one to ten times (8(a)), and the clause is in the answer."""
    for house, multiple, clause in (
        ("sydney", 3, "sydney:6.1.5.1"),
        ("adelaide", 11, "adelaide:8(a).2"),
    ):
        pit = Pit(house)
        odds = dict.fromkeys((4, 5, 6, 8, 9, 10), multiple)
        no = pit.refuses(signs.ChangeLimits(pit.state.notice._replace(odds=odds)))
        assert (no.code, no.clause) == ("notice.wrong", clause)
    pit = Pit("adelaide")
    for multiple in (1, 10):
        odds = dict.fromkeys((4, 5, 6, 8, 9, 10), multiple)
        assert pit.does(signs.ChangeLimits(pit.state.notice._replace(odds=odds)))


@pytest.mark.parametrize("words", ["min=0", "min=10 max=5", "min=2.50 max=100", "props=0", "props=2000"])
def test_a_record_and_an_opening_have_the_same_check(words: str) -> None:
    """A record whose sign cannot be dealt is not read, and such a table is not opened; a later sign is refused."""
    with pytest.raises(ArgumentError, match="a sign that can be dealt"):
        Table("sydney", notice=words)
    with pytest.raises(RecordError, match="a sign that can be dealt"):
        read_text(f"passline 1\nhouse sydney\nnotice {words}\nsit 1 Ann 500\n")
    with pytest.raises(RecordError, match="a sign that can be dealt"):
        read_text("passline 1\nhouse sydney\nnotice min=5\nfloat 25 100\nsit 1 Ann 500\n")
