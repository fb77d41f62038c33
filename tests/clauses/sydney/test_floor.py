"""Part 9: devices and sanctions, outcomes that do not count, refusing wagers, idle seats, closing, disputes."""

from __future__ import annotations

import pytest

from passline.engine.events import OutcomeStruckOut, PlayerLeft, TableClosing, TokensGiven, WagerDown, WagerLost
from passline.floor import conduct, disputes, seats, signs, staff, voids
from passline.floor.conduct import ConductReported, HandedOver, SanctionImposed
from passline.floor.disputes import ComplainantTold, DisputeDecided, DisputeReviewed, ReviewAsked
from passline.floor.seats import RulesShown, SeatVacated, VoucherChanged, VoucherIssued, WagerRefused
from passline.floor.signs import ClosingOrdered
from passline.floor.voids import OutcomeInvalidated
from passline.rulebooks.catalogue import clauses_of
from tests.clauses.floor_helpers import No, Pit, the
from tests.clauses.table_helpers import case, every, only

EVERYBODY = ("player", "spectator", "dealer", "staff", "inspector")
OTHERS = (("player", "side bet"), ("player", "advice"), ("dealer", "advice by staff"))
DISRUPTIONS = ("civil commotion", "fire", "riot", "brawl", "robbery", "act of God")


def sydney(seats: int = 2) -> Pit:
    """A table in sydney."""
    return Pit("sydney", seats=seats)


def reported(pit: Pit, person: str = "Player1") -> None:
    """Somebody was seen with a device that counts rolls."""
    pit.does(conduct.ReportConduct(person, "player", "device", "a telephone that counts the rolls"), "dealer", "Dan")


# --- Devices and sanctions --------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:9.1")
@pytest.mark.parametrize("standing", EVERYBODY)
def test_nobody_uses_a_device_at_or_near_a_table(standing: str) -> None:
    """Not only players: spectators too, and everybody of the house who is not on duty."""
    pit = sydney()
    report = conduct.ReportConduct("Kim", standing, "device", "an application that follows the rolls")  # type: ignore[arg-type]
    found = the(pit.does(report, "player", "Ann"), ConductReported)
    assert (found.by, found.clause) == ("Ann", "sydney:9.1")
    assert pit.refuses(conduct.ReportConduct("", "player", "device", "it"), "dealer").code == "floor.unsaid"
    assert pit.refuses(conduct.ReportConduct("Kim", "player", "device", " "), "dealer").code == "floor.unsaid"


@pytest.mark.clause("sydney:9.2", "sydney:1.1.inspector")
@pytest.mark.parametrize(
    ("standing", "title", "role"),
    [
        ("inspector", "inspector", "inspector"),
        ("staff", "Gaming Supervisor", "supervisor"),
        ("dealer", "dealer", "dealer"),
    ],
)
def test_who_is_on_duty_may_have_one(standing: str, title: str, role: str) -> None:
    """An inspector with a recorder on duty breaks no rule; off duty, the same is a breach."""
    pit = sydney()
    report = conduct.ReportConduct("Ines", standing, "device", "a recorder")  # type: ignore[arg-type]
    pit.does(staff.ComeOnDuty("Ines", title), role, "Ines")
    no = pit.refuses(report, "dealer")
    assert (no.code, no.clause) == ("floor.no_breach", "sydney:9.2")
    pit.does(staff.GoOffDuty("Ines"), role, "Ines")
    assert pit.does(report, "dealer")


@pytest.mark.clause("sydney:9.2")
@pytest.mark.parametrize("standing", ["player", "spectator"])
def test_nobody_is_on_duty_while_they_play(standing: str) -> None:
    """Somebody of the house who plays is a player."""
    pit = sydney()
    pit.does(staff.ComeOnDuty("Dan", "dealer"), "dealer", "Dan")
    assert pit.does(conduct.ReportConduct("Dan", standing, "device", "a recorder"), "box")  # type: ignore[arg-type]


@pytest.mark.clause("sydney:9.3")
@pytest.mark.parametrize("role", ["dealer", "stick", "inspector", "player"])
def test_only_a_casino_supervisor_who_is_satisfied_sanctions(role: str) -> None:
    """With a reason, for a device and nothing else."""
    pit = sydney()
    reported(pit)
    assert pit.refuses(conduct.Sanction(1, "bar", "seen"), role).clause == "sydney:9.3"
    assert pit.refuses(conduct.Sanction(1, "bar", "")).code == "floor.unsaid"
    assert pit.refuses(conduct.Sanction(2, "bar", "seen")).code == "floor.report"
    assert pit.refuses(conduct.Sanction(1, "fine", "seen")).code == "floor.measure"
    for number, (standing, other) in enumerate(OTHERS, start=2):
        pit.does(conduct.ReportConduct("Ann", standing, other, "with Bob"), "box")  # type: ignore[arg-type]
        assert pit.refuses(conduct.Sanction(number, "bar", "seen")).clause == "sydney:9.3"
    assert pit.does(conduct.Sanction(1, "bar", "seen"), "box")


@pytest.mark.clause("sydney:9.3.1")
def test_an_offenders_wagers_are_declared_void() -> None:
    """They are removed with no result and go back, commission and all; everybody else's stay."""
    pit = sydney()
    pit.plays("bet pass 10", "2 bet pass 10", "1 shoot", "roll 6-4", "bet place_6 12", "bet buy_4 20")
    rail = pit.rail()
    reported(pit)
    answer = pit.does(conduct.Sanction(1, "void wagers", "the telephone was found", "Cid"))
    imposed = the(answer, SanctionImposed)
    assert (imposed.second, imposed.clause) == ("Cid", "sydney:9.3.1")
    assert {down.clause for down in every(answer.game, WagerDown)} == {"sydney:9.3.1"}
    assert (pit.up(), pit.rail(), pit.up(2)) == ({}, rail + 10 + 12 + 21, {"pass": 10})
    assert pit.state.shooter is None  # the shooter has no line bet any more
    assert pit.does(conduct.Sanction(1, "void wagers", "again"))  # nothing is up: nothing moves
    pit.plays("dice-out")
    reported(pit, "Player2")
    assert pit.refuses(conduct.Sanction(2, "void wagers", "found")).code == "floor.phase"


@pytest.mark.clause("sydney:9.3.2")
def test_an_offender_is_barred_from_the_game() -> None:
    """Later bets are refused by that clause, whatever the name looks like; what is up runs on."""
    pit = sydney()
    pit.plays("bet pass 10")
    reported(pit, "PLAYER1\u200b")
    assert the(pit.does(conduct.Sanction(1, "bar", "seen by two")), SanctionImposed).under == ""
    no = pit.no("bet field 5")
    assert (no.code, no.clause) == ("floor.barred", "sydney:9.3.2")
    assert pit.up() == {"pass": 10}
    pit.plays("roll 6-5", "leave")
    assert pit.no("sit 1 Player1 100").code == "floor.barred"
    assert pit.plays("2 bet field 5")


@pytest.mark.clause("sydney:9.3.3")
def test_an_offender_is_excluded_under_the_act() -> None:
    """The record of it names the section."""
    pit = sydney()
    reported(pit)
    imposed = the(pit.does(conduct.Sanction(1, "exclude", "seen by two")), SanctionImposed)
    assert (imposed.under, imposed.clause) == ("section 79 of the Casino Control Act 1992", "sydney:9.3.3")
    assert pit.no("bet pass 5").clause == "sydney:9.3.3"


@pytest.mark.clause("sydney:9.3.4")
@pytest.mark.parametrize("to", ["inspector", "police"])
def test_somebody_detained_is_handed_over(to: str) -> None:
    """To an inspector or a police officer, who is named; until then they are held."""
    pit = sydney()
    reported(pit)
    hand_over = conduct.HandOver(1, to, "Ines")  # type: ignore[arg-type]
    assert pit.refuses(hand_over).code == "floor.report"
    imposed = the(pit.does(conduct.Sanction(1, "detain", "has the device still")), SanctionImposed)
    assert imposed.clause == "sydney:9.3.4"
    assert pit.floor.reports[1].held
    assert pit.refuses(hand_over, "dealer").code == "floor.role"
    assert pit.refuses(conduct.HandOver(1, to, "")).code == "floor.unsaid"  # type: ignore[arg-type]
    assert the(pit.does(hand_over), HandedOver).clause == "sydney:9.3.4"
    assert not pit.floor.reports[1].held


# --- Outcomes that do not count ---------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:9.4.1")
@pytest.mark.parametrize("cause", DISRUPTIONS)
def test_a_disrupted_outcome_is_invalidated(cause: str) -> None:
    """Robbery too: the outcome is void, and what it decided goes back."""
    pit = sydney()
    pit.plays("bet pass 10", "2 bet dont_pass 10", "roll 6-5")
    answer = pit.does(voids.Invalidate(cause, second="Cid"), "box")
    invalidated = the(answer, OutcomeInvalidated)
    assert (invalidated.second, invalidated.clause) == ("Cid", "sydney:9.4.1")
    only(answer.game, OutcomeStruckOut)
    assert (pit.rail(), pit.rail(2), pit.up(), pit.up(2)) == (10_000, 10_000, {}, {})


@pytest.mark.clause("sydney:9.4.1")
def test_nothing_else_invalidates_an_outcome() -> None:
    """And nobody but a casino supervisor."""
    pit = sydney()
    pit.plays("bet pass 10", "roll 6-5")
    assert pit.refuses(voids.Invalidate("bad luck")).code == "floor.cause"
    assert pit.refuses(voids.Invalidate("fire"), "dealer").clause == "sydney:9.4.1"


@pytest.mark.clause("sydney:9.4.2")
@pytest.mark.parametrize("standing", EVERYBODY)
def test_anybodys_fraud_does_where_a_supervisor_holds_that_it_changed_the_outcome(standing: str) -> None:
    """Whose it was and why it mattered is said."""
    pit = sydney()
    pit.plays("bet pass 10", "roll 6-5")
    for wrong in (voids.Invalidate("fraud", "Mallory", standing), voids.Invalidate("fraud", "", standing, "it did")):  # type: ignore[arg-type]
        no = pit.refuses(wrong)
        assert (no.code, no.clause) == ("floor.unsaid", "sydney:9.4.2")
    fraud = voids.Invalidate("fraud", "Mallory", standing, "the die was turned by hand")  # type: ignore[arg-type]
    assert pit.refuses(fraud, "stick").clause == "sydney:9.4.2"
    assert the(pit.does(fraud), OutcomeInvalidated).clause == "sydney:9.4.2"


@pytest.mark.clause("sydney:9.5.2")
def test_an_offenders_wager_is_forfeited_and_all_others_go_back() -> None:
    """Ten on the field of the player in the fraud is lost; the other player's ten is refunded."""
    pit = sydney()
    pit.plays("bet pass 10", "bet field 10", "2 bet field 10", "roll 6-4")
    assert pit.refuses(voids.Invalidate("fire", forfeits=(2,))).clause == "sydney:9.5.2"
    assert pit.refuses(voids.Invalidate("fire", "Player2", "player", "it burned", (2,))).code == "floor.forfeit"
    fraud = voids.Invalidate("fraud", "Player2", "player", "the dice were slid", (2,), "Cid")
    answer = pit.does(fraud)
    lost = only(answer.game, WagerLost)
    assert (lost.seat, lost.stake, lost.clause) == (2, 1000, "sydney:9.5.2")
    assert (pit.rail(), pit.rail(2), pit.up()) == (9990, 9990, {"pass": 10})


# --- Advice and side bets ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "breach", "standing"),
    [
        case("sydney:9.6", "advice by staff", "dealer"),
        case("sydney:9.6", "advice by staff", "staff"),
        case("sydney:9.7", "advice", "player"),
        case("sydney:9.7", "advice", "spectator"),
        case("sydney:9.10", "side bet", "player"),
        case("sydney:9.10", "side bet", "spectator"),
    ],
)
def test_advice_and_side_bets_are_breaches(clause: str, breach: str, standing: str) -> None:
    """Each by those whom it binds, and by nobody else."""
    pit = sydney()
    report = conduct.ReportConduct("Kim", standing, breach, "told Ann to bet the field")  # type: ignore[arg-type]
    assert the(pit.does(report, "box"), ConductReported).clause == clause
    bound = ("dealer", "staff") if breach == "advice by staff" else ("player", "spectator")
    for other in EVERYBODY:
        if other not in bound:
            no = pit.refuses(conduct.ReportConduct("Kim", other, breach, "the same"), "box")  # type: ignore[arg-type]
            assert no.clause == clause


@pytest.mark.parametrize(
    ("clause", "breach", "standing", "excuse"),
    [
        case("sydney:9.6", "advice by staff", "dealer", "to keep the rules"),
        case("sydney:9.7", "advice", "player", "asked for"),
    ],
)
def test_a_word_that_is_asked_for_or_keeps_the_rules_is_none(
    clause: str, breach: str, standing: str, excuse: str
) -> None:
    """A dealer may say that a bet must be made in units of five, and anybody may answer who is asked."""
    pit = sydney()
    report = conduct.ReportConduct("Kim", standing, breach, "that bet goes up in fives", excuse)  # type: ignore[arg-type]
    no = pit.refuses(report, "box")
    assert (no.code, no.clause) == ("floor.no_breach", clause)
    other = "asked for" if excuse == "to keep the rules" else "to keep the rules"
    assert pit.does(conduct.ReportConduct("Kim", standing, breach, "the same", other), "box")  # type: ignore[arg-type]


# --- Closing and seats ------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:9.8")
def test_a_table_with_players_closes_after_twenty_minutes_of_sign() -> None:
    """A sign at 22:00: closed at 22:20, and not at 22:19."""
    pit = sydney()
    assert pit.refuses(signs.Close("late"), now="22:00").code == "close.too_soon"
    assert pit.refuses(signs.SignClosing(pit.at("22:20")), "dealer", now="22:00").clause == "sydney:9.8"
    assert pit.refuses(signs.SignClosing(pit.at("21:59")), now="22:00").code == "floor.time"
    assert pit.refuses(signs.SignClosing("at midnight"), now="22:00").code == "floor.time"
    pit.does(signs.SignClosing(pit.at("22:00")), "box", now="22:00")  # a sign may say *now*, and stands all the same
    assert pit.refuses(signs.Close("late"), now="22:00").code == "close.too_soon"
    pit.does(signs.SignClosing(pit.at("22:15")), "box", now="22:00")
    assert pit.refuses(signs.Close("late"), now="22:14").code == "floor.not_due"
    assert pit.refuses(signs.Close("late"), now="22:15").code == "close.too_soon"
    assert pit.refuses(signs.Close("late"), now="22:19").clause == "sydney:9.8"
    answer = pit.does(signs.Close("late"), now="22:20")
    assert the(answer, ClosingOrdered).clause == "sydney:9.8"
    only(answer.game, TableClosing)


@pytest.mark.clause("sydney:9.8")
def test_an_empty_table_closes_at_any_time() -> None:
    """By a casino supervisor, who says why."""
    pit = sydney(seats=0)
    assert pit.refuses(signs.Close("nobody came"), "dealer").code == "floor.role"
    assert pit.refuses(signs.Close("")).code == "floor.unsaid"
    pit.does(signs.SignClosing(pit.at("23:00")))  # a sign for later holds nobody where nobody is
    assert pit.does(signs.Close("nobody came"))


@pytest.mark.clause("sydney:9.9")
def test_who_does_not_bet_for_three_rounds_gives_up_the_place_at_a_full_table() -> None:
    """Two rounds are too few, and while a place is free nobody has to move."""
    pit = sydney()
    vacate = seats.VacateSeat(2, "others wait")
    pit.does(seats.CountPlaces(2), "dealer")
    for rounds in range(3):
        assert pit.refuses(vacate).code == "floor.not_idle", rounds
        pit.plays("bet pass 5", "roll 6-4", "roll 6-4")  # a round is two rolls here, not one
    pit.does(seats.CountPlaces(3), "dealer")
    assert pit.refuses(vacate).code == "floor.places"
    pit.does(seats.CountPlaces(2), "dealer")
    assert pit.refuses(vacate, "dealer").clause == "sydney:9.9"
    assert pit.refuses(seats.VacateSeat(2, "")).code == "floor.unsaid"
    answer = pit.does(vacate, "box")
    vacated = the(answer, SeatVacated)
    assert (vacated.rounds, vacated.clause) == (3, "sydney:9.9")
    assert only(answer.game, PlayerLeft).cashed == 10_000_00


@pytest.mark.clause("sydney:9.9")
def test_who_has_anything_up_is_not_idle() -> None:
    """Odds that wait, or one bet in the third round, and the count begins again; a newcomer begins at nothing."""
    pit = sydney()
    pit.does(seats.CountPlaces(2), "dealer")
    pit.plays("2 bet place_6 12")
    for _ in range(3):
        pit.plays("bet pass 5", "roll 6-5")
    assert pit.refuses(seats.VacateSeat(2, "others wait")).code == "floor.not_idle"
    pit.plays("2 take place_6", "bet pass 5", "roll 6-5", "bet pass 5", "roll 6-5", "2 bet field 5")
    pit.plays("bet pass 5", "roll 6-5")
    assert pit.refuses(seats.VacateSeat(2, "others wait")).code == "floor.not_idle"
    assert pit.floor.idle.get(2, 0) == 0
    for _ in range(3):
        pit.plays("bet pass 5", "roll 6-5")
    assert pit.floor.idle[2] == 3
    pit.plays("2 leave", "sit 2 Eve 100")
    assert pit.refuses(seats.VacateSeat(2, "others wait")).code == "floor.not_idle"


@pytest.mark.clause("sydney:9.9")
def test_somebody_counts_the_places() -> None:
    """No book says how many a table has, so nobody is moved before one of the house has."""
    pit = sydney()
    for _ in range(3):
        pit.plays("bet pass 5", "roll 6-5")
    assert pit.refuses(seats.VacateSeat(2, "others wait")).code == "floor.places"
    assert pit.refuses(seats.CountPlaces(1), "dealer").code == "floor.amount"
    assert pit.refuses(seats.CountPlaces(2), "player").code == "floor.role"
    assert pit.refuses(seats.VacateSeat(7, "others wait")).code == "floor.seat"


# --- Refusing wagers --------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:9.11.1")
def test_a_casino_supervisor_refuses_a_wager_on_grounds() -> None:
    """Any wager, with a reason; from then on it is not taken from that player."""
    pit = sydney()
    refuse = seats.RefuseWager(1, "place_6", "late bets three times running")
    assert pit.refuses(refuse, "dealer").clause == "sydney:9.11.1"
    assert pit.refuses(seats.RefuseWager(1, "place_6", " ")).clause == "sydney:9.11.1"
    assert pit.refuses(seats.RefuseWager(9, "place_6", "x")).code == "floor.seat"
    assert pit.refuses(seats.RefuseWager(1, "place_7", "x")).code == "floor.no_rule"
    assert the(pit.does(refuse, "box"), WagerRefused).clause == "sydney:9.11.1"
    no = pit.no("bet place_6 12")
    assert (no.code, no.clause) == ("floor.refused", "sydney:9.11.1")
    assert pit.plays("bet pass 5", "2 bet place_6 12")


@pytest.mark.clause("sydney:9.11.2")
def test_a_refused_wager_comes_down_as_far_as_it_may() -> None:
    """A place bet comes off the layout; a Win Line bet with its point stays until it is decided."""
    pit = sydney()
    pit.plays("bet pass 10", "roll 6-4", "bet pass_odds 20", "bet place_6 12")
    refused = the(pit.does(seats.RefuseWager(1, "place_6", "grounds", remove=True)), WagerRefused)
    assert (refused.removing, refused.runs_on) == ("sydney:9.11.2", ())
    assert pit.up() == {"pass": 10, "pass_odds": 20}
    line = the(pit.does(seats.RefuseWager(1, "pass", "grounds", remove=True)), WagerRefused)
    assert (line.removing, line.runs_on) == (None, ("pass",))
    every_one = the(pit.does(seats.RefuseWager(1, None, "grounds", remove=True)), WagerRefused)
    assert every_one.runs_on == ("pass",)
    assert pit.up() == {"pass": 10}
    pit.plays("dice-out")
    assert pit.refuses(seats.RefuseWager(1, None, "grounds", remove=True)).code == "phase.dice_out"


# --- Disputes ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:9.12", "sydney:1.1.boxperson", "sydney:1.1.gaming-supervisor")
@pytest.mark.parametrize(
    ("role", "title", "higher"),
    [("box", "boxperson", "Gaming Supervisor"), ("supervisor", "Gaming Supervisor", "Assistant Gaming Manager")],
)
def test_a_dispute_is_decided_first_and_reviewed_by_somebody_higher(role: str, title: str, higher: str) -> None:
    """A boxperson or Gaming Supervisor decides; on request another person of higher rank looks again."""
    pit = sydney()
    pit.does(staff.ComeOnDuty("Bo", title), role, "Bo")
    pit.does(staff.ComeOnDuty("Hal", higher), "supervisor", "Hal")
    pit.does(staff.ComeOnDuty("Pat", title), role, "Pat")
    pit.does(disputes.RaiseDispute("Ann", "the payment"), "player", "Ann")
    for other in ("dealer", "stick", "inspector", "player"):
        assert pit.refuses(disputes.DecideDispute(1, "right"), other).clause == "sydney:9.12"
    pit.does(disputes.DecideDispute(1, "right"), role, "Bo")
    assert the(pit.does(disputes.AskReview(1), "player", "Ann"), ReviewAsked).clause == "sydney:9.12"
    for name in ("Bo", "BO", "Pat"):
        no = pit.refuses(disputes.ReviewDispute(1, "it stands"), role, name)
        assert (no.code, no.clause) == ("floor.rank", "sydney:9.12")
    assert pit.refuses(disputes.ReviewDispute(1, "it stands"), "dealer", "Dan").code == "floor.role"
    assert pit.refuses(disputes.ReviewDispute(1, " "), "supervisor", "Hal").code == "floor.unsaid"
    pit.does(staff.ComeOnDuty("Bo", "Gaming Manager"), "supervisor", "Bo")
    assert (
        pit.refuses(disputes.ReviewDispute(1, "it stands"), "supervisor", "Bo").code == "floor.rank"
    )  # whatever else they are
    for nothing in (
        disputes.DecideDispute(9, "right"),
        disputes.AskReview(9),
        disputes.ReviewDispute(9, "right"),
        disputes.SayDissatisfied(9),
    ):
        assert pit.refuses(nothing, "supervisor", "Hal").code == "floor.dispute"
    assert pit.does(disputes.ReviewDispute(1, "it stands"), "supervisor", "Hal")


@pytest.mark.clause("sydney:9.13.1")
@pytest.mark.parametrize("covered", ["covered", ""])
def test_the_operators_decision_is_final(covered: str) -> None:
    """After the review there is nobody left to ask."""
    pit = sydney()
    pit.does(disputes.RaiseDispute("Ann", "the payment", bool(covered)), "player", "Ann")
    assert pit.refuses(disputes.RaiseDispute("Ann", ""), "player").code == "floor.unsaid"
    assert pit.refuses(disputes.RaiseDispute("", "the payment"), "player").code == "floor.unsaid"
    assert the(pit.does(disputes.DecideDispute(1, "right"), "box", "Bo"), DisputeDecided).clause == "sydney:9.13.1"
    pit.does(disputes.AskReview(1), "player", "Ann")
    reviewed = the(pit.does(disputes.ReviewDispute(1, "it stands"), "supervisor", "Hal"), DisputeReviewed)
    assert reviewed.clause == "sydney:9.13.1"
    assert pit.refuses(disputes.AskReview(1), "player", "Ann").code == "floor.dispute"
    assert pit.refuses(disputes.DecideDispute(1, "wrong"), "box", "Bo").code == "floor.dispute"


@pytest.mark.clause("sydney:9.13.2")
def test_whoever_is_not_satisfied_is_told_of_the_right_to_complain() -> None:
    """To an inspector, under a section that is named; at any time after the first decision."""
    pit = sydney()
    pit.does(disputes.RaiseDispute("Ann", "the payment"), "player", "Ann")
    assert pit.refuses(disputes.SayDissatisfied(1), "player", "Ann").code == "floor.dispute"
    pit.does(disputes.DecideDispute(1, "right"), "box", "Bo")
    for another in (disputes.SayDissatisfied(1), disputes.AskReview(1)):  # only who raised it carries it on
        assert pit.refuses(another, "player", "Eve").code == pit.refuses(another, "supervisor").code == "floor.role"
    told = the(pit.does(disputes.SayDissatisfied(1), "player", "Ann"), ComplainantTold)
    assert (told.person, told.clause) == ("Ann", "sydney:9.13.2")
    assert told.told == (
        "a complaint can be made to an inspector (section 33, Gaming and Liquor Administration Act 2007)"
    )


# --- Rules and vouchers -----------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:9.14")
def test_the_rules_are_shown_to_whoever_asks() -> None:
    """Every clause of this house, in our words."""
    pit = sydney()
    rules = the(pit.does(seats.AskForRules("Ann"), "player", "Ann"), RulesShown)
    assert (rules.person, rules.clause, rules.book) == ("Ann", "sydney:9.14", "sydney")
    assert pit.refuses(seats.AskForRules(""), "player").code == "floor.unsaid"
    assert len(clauses_of("sydney")) == 298


@pytest.mark.clause("sydney:1.1.casino-promotional-token.1")
def test_a_voucher_of_the_house_becomes_tokens_of_the_same_value() -> None:
    """Fifty in a voucher are fifty in tokens, once; nobody changes a voucher that the house never issued."""
    pit = sydney()
    clause = "sydney:1.1.casino-promotional-token.1"
    assert pit.refuses(seats.IssueVoucher("V-1", 5000), "dealer").clause == clause
    assert pit.refuses(seats.IssueVoucher("V-1", 0)).code == "floor.voucher"
    assert pit.refuses(seats.IssueVoucher(" ", 5000)).code == "floor.unsaid"
    assert the(pit.does(seats.IssueVoucher("V-1", 5000)), VoucherIssued).clause == clause
    assert pit.refuses(seats.IssueVoucher("V-1", 9900)).code == "floor.voucher"
    assert pit.refuses(seats.ChangeVoucher("V-2", 1), "dealer").code == "floor.voucher"
    assert pit.refuses(seats.ChangeVoucher("V-1", 1), "box", "Bo").code == "tokens.by"
    assert pit.refuses(seats.ChangeVoucher("V-1", 1, "it is for blackjack"), "dealer", "Dee").code == "tokens.voucher"
    assert pit.refuses(seats.ChangeVoucher("V-1", 1), "dealer", "SUE") == No("floor.voucher", clause), "who issued it"
    answer = pit.does(seats.ChangeVoucher("V-1", 1), "dealer", "Dee")
    assert (the(answer, VoucherChanged).value, only(answer.game, TokensGiven).amount) == (5000, 5000)
    assert pit.refuses(seats.ChangeVoucher("V-1", 1), "dealer", "Dee").clause == clause
    assert pit.plays("bet pass 50 tokens=50")


def test_a_house_without_vouchers_issues_none() -> None:
    """It has no tokens, gives no power it does not name, and decides the rest by a name and a reason."""
    pit = Pit("exhibit-a")
    assert pit.refuses(seats.IssueVoucher("V-1", 5000)).code == "floor.no_rule"
    assert the(Pit("strip").does(seats.IssueVoucher("V-1", 5000)), VoucherIssued).clause is None, (
        "match play, and no more"
    )
    assert pit.refuses(seats.InspectDice((190,)), "box").code == "floor.no_rule"
    pit.plays("bet pass 10", "roll 6-5")
    assert pit.refuses(voids.Invalidate("a power cut"), "dealer").code == "floor.role"
    assert pit.refuses(voids.Invalidate("fraud", "Eve", "player", "x", (1,))).code == "floor.forfeit"
    assert the(pit.does(voids.Invalidate("a power cut")), OutcomeInvalidated).clause is None
    pit.does(disputes.RaiseDispute("Ann", "the payment"), "player", "Ann")
    assert the(pit.does(disputes.DecideDispute(1, "right"), "box", "Bo"), DisputeDecided).clause is None
    assert pit.refuses(disputes.SayDissatisfied(1), "player", "Ann").code == "floor.final"
    assert the(pit.does(disputes.AskReview(1), "player", "Ann"), ReviewAsked).clause is None
    assert pit.does(disputes.ReviewDispute(1, "it stands"), "supervisor", "Hal")
    assert the(pit.does(seats.VacateSeat(2, "asleep")), SeatVacated).clause is None
