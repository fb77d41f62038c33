"""Rules 3 and 14: the people around the table, away from the dice."""

from __future__ import annotations

import pytest

from passline.engine.events import OutcomeStruckOut, TableClosing, WagerLost
from passline.floor import conduct, disputes, seats, signs, voids
from passline.floor.conduct import ConductReported, SanctionImposed
from passline.floor.disputes import ComplainantTold, DisputeDecided, DisputeReviewed, ReviewAsked
from passline.floor.seats import DiceInspected, RulesShown, WagerRefused
from passline.floor.signs import ClosingOrdered, InspectorTold
from passline.floor.voids import OutcomeInvalidated
from passline.rulebooks.catalogue import clauses_of
from tests.clauses.floor_helpers import Pit, the
from tests.clauses.table_helpers import only

DISRUPTIONS = ("civil commotion", "fire", "riot", "brawl", "act of God")


def adelaide() -> Pit:
    """A table in adelaide."""
    return Pit("adelaide")


@pytest.mark.clause("adelaide:3.2")
def test_a_die_with_a_face_under_nineteen_millimetres_fails() -> None:
    """Faces of 1.9 cm pass and may be thrown; one of 1.8 cm, and nobody throws until better dice have passed."""
    pit = adelaide()
    pit.plays("bet pass 10")
    failed = the(pit.does(seats.InspectDice((190, 190, 180)), "box"), DiceInspected)
    assert (failed.passed, failed.smallest, failed.clause) == (False, 180, "adelaide:3.2")
    assert (pit.no("roll 6-5").code, pit.no("roll 6-5").clause) == ("floor.dice", "adelaide:3.2")
    assert the(pit.does(seats.InspectDice((189,)), "stick"), DiceInspected).passed is False
    assert the(pit.does(seats.InspectDice((190, 190, 191)), "inspector"), DiceInspected).passed is True
    assert pit.plays("roll 6-5")
    assert pit.refuses(seats.InspectDice((190,)), "player").code == "floor.role"
    assert pit.refuses(seats.InspectDice(()), "box").code == "floor.unsaid"


# --- Outcomes that do not count ---------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:14(a)(i)")
@pytest.mark.parametrize("cause", DISRUPTIONS)
def test_a_disrupted_outcome_is_invalidated(cause: str) -> None:
    """The table lies as before that roll, whatever it had won or lost."""
    pit = adelaide()
    pit.plays("bet pass 10", "2 bet dont_pass 10", "roll 6-5")
    answer = pit.does(voids.Invalidate(cause), "box", "Bea")
    assert the(answer, OutcomeInvalidated).clause == "adelaide:14(a)(i)"
    assert only(answer.game, OutcomeStruckOut).reason == cause
    assert (pit.up(), pit.rail(), pit.up(2), pit.rail(2)) == ({"pass": 10}, 9990, {"dont_pass": 10}, 9990)


@pytest.mark.clause("adelaide:14(a)(i)")
def test_nothing_else_invalidates_an_outcome() -> None:
    """Robbery is not on this house's list, nor is a player's bad luck; and nobody but a supervisor decides it."""
    pit = adelaide()
    pit.plays("bet pass 10", "roll 6-5")
    for cause in ("robbery", "bad luck"):
        no = pit.refuses(voids.Invalidate(cause))
        assert (no.code, no.clause) == ("floor.cause", "adelaide:14(a)(i)")
    for role in ("dealer", "stick", "inspector", "player"):
        assert pit.refuses(voids.Invalidate("fire"), role).code == "floor.role"
    assert pit.refuses(voids.Invalidate(" ")).code == "floor.unsaid"
    pit.plays("bet field 5")  # chips have moved since
    assert pit.refuses(voids.Invalidate("fire")).code == "strike.nothing"


@pytest.mark.clause("adelaide:14(a)(ii)")
@pytest.mark.parametrize("standing", ["player", "dealer"])
def test_the_fraud_of_a_player_or_dealer_invalidates_an_outcome(standing: str) -> None:
    """It is said whose it was."""
    pit = adelaide()
    pit.plays("bet pass 10", "roll 6-5")
    assert pit.refuses(voids.Invalidate("fraud", standing=standing)).code == "floor.unsaid"  # type: ignore[arg-type]
    fraud = voids.Invalidate("fraud", "Mallory", standing)  # type: ignore[arg-type]
    assert the(pit.does(fraud), OutcomeInvalidated).clause == "adelaide:14(a)(ii)"
    assert pit.up() == {"pass": 10}


@pytest.mark.clause("adelaide:14(a)(ii)")
@pytest.mark.parametrize("standing", ["spectator", "staff", "inspector", None])
def test_the_fraud_of_anybody_else_does_not(standing: str | None) -> None:
    """The book speaks of players and dealers."""
    pit = adelaide()
    pit.plays("bet pass 10", "roll 6-5")
    assert pit.refuses(voids.Invalidate("fraud", "Mallory", standing)).clause == "adelaide:14(a)(ii)"  # type: ignore[arg-type]


@pytest.mark.clause("adelaide:14(a)(ii)")
def test_an_offenders_wager_may_be_forfeited() -> None:
    """All others lie as they lay; what the offender had on that outcome is lost, and nobody else's can be."""
    pit = adelaide()
    pit.plays("bet pass 10", "bet place_6 12", "2 bet field 10", "roll 6-5")
    for wrong in (
        voids.Invalidate("fire", forfeits=(2,)),
        voids.Invalidate("fraud", "Dan", "dealer", forfeits=(2,)),
    ):
        assert pit.refuses(wrong).code == "floor.forfeit"
    assert pit.refuses(voids.Invalidate("fraud", "Eve", "player", forfeits=(9,))).code == "floor.seat"
    answer = pit.does(voids.Invalidate("fraud", "Player2", "player", forfeits=(2,)))
    lost = only(answer.game, WagerLost)
    assert (lost.seat, lost.wager, lost.stake, lost.clause) == (2, "field", 1000, "A-18")
    assert (pit.up(), pit.rail(), pit.up(2), pit.rail(2)) == ({"pass": 10, "place_6": 12}, 9978, {}, 9990)


# --- Players ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:14(b).2")
def test_who_keeps_touching_wagers_has_later_ones_refused() -> None:
    """Once is not repeatedly; after the second report a supervisor may refuse what the player bets from then on."""
    pit = adelaide()
    pit.plays("bet pass 10")
    touched = conduct.ReportConduct("Player1", "player", "touching", "moved chips before the dealer had paid")
    refuse = seats.RefuseWager(1, None, "touches wagers", breach="touching")
    for other in ("spectator", "dealer", "staff", "inspector"):
        wrong = conduct.ReportConduct("Sid", other, "touching", "the same")
        assert pit.refuses(wrong, "box").code == "floor.no_breach"
    pit.does(touched, "dealer")
    no = pit.refuses(refuse)
    assert (no.code, no.clause) == ("floor.not_repeated", "adelaide:14(b).2")
    pit.does(conduct.ReportConduct("Player2", "player", "touching", "the same"), "dealer")
    pit.does(conduct.ReportConduct("Player1", "player", "device", "a counter"), "dealer")
    assert pit.refuses(refuse).code == "floor.not_repeated"  # another's breach, or another breach, is not this one
    once = seats.RefuseWager(1, "field", "has a device", breach="device")
    assert the(pit.does(once), WagerRefused).clause is None  # one report of anything else is reason enough
    assert pit.no("bet field 5").code == "floor.refused"
    pit.does(seats.AllowWager(1, "field"))
    assert pit.refuses(seats.RefuseWager(1, "field", "side bets", breach="side bet")).code == "floor.not_repeated"
    pit.does(touched, "dealer")
    assert pit.refuses(refuse, "dealer").code == "floor.role"
    assert the(pit.does(refuse), WagerRefused).clause == "adelaide:14(b).2"
    assert pit.no("bet field 5").code == "floor.refused"
    assert pit.up() == {"pass": 10}  # what was up is decided as it lies
    assert pit.plays("2 bet field 5")
    pit.does(seats.AllowWager(1, None))
    assert pit.plays("bet field 5")
    assert pit.refuses(seats.AllowWager(1, None)).code == "floor.not_refused"


@pytest.mark.clause("adelaide:14(c)")
def test_partners_have_one_maximum_between_them() -> None:
    """Two players whom a supervisor has linked may have 1000 on a wager together, wherever each of them bets."""
    pit = Pit("adelaide", seats=3)
    link = seats.LinkPartners((1, 2), "they share one rack of chips")
    for wrong, code in (
        (seats.LinkPartners((1, 2), ""), "floor.unsaid"),
        (seats.LinkPartners((1, 1), "x"), "floor.partners"),
    ):
        assert pit.refuses(wrong).code == code
    assert pit.refuses(link, "dealer").clause == "adelaide:14(c)"
    assert pit.refuses(seats.LinkPartners((1, 9), "x")).code == "floor.seat"
    pit.plays("bet pass 600")
    pit.does(link)
    no = pit.no("2 bet pass 401")
    assert (no.code, no.clause) == ("floor.partners", "adelaide:14(c)")
    assert pit.plays("2 bet pass 400", "2 bet field 1000", "3 bet pass 1000")
    assert pit.no("bet pass 5").code == "floor.partners"
    pit.does(seats.UnlinkPartners(2))
    assert pit.plays("bet pass 400")
    assert pit.refuses(seats.UnlinkPartners(2)).code == "floor.partners"


@pytest.mark.clause("adelaide:14(f).2")
@pytest.mark.parametrize("standing", ["player", "spectator"])
def test_a_bet_between_two_people_is_a_breach(standing: str) -> None:
    """All wagers are against the house."""
    pit = adelaide()
    report = conduct.ReportConduct("Ann", standing, "side bet", "bet Bob 50 on the next roll")  # type: ignore[arg-type]
    assert the(pit.does(report, "dealer"), ConductReported).clause == "adelaide:14(f).2"
    for other in ("dealer", "staff", "inspector"):
        wrong = conduct.ReportConduct("Sid", other, "side bet", "the same")
        assert pit.refuses(wrong, "box").code == "floor.no_breach"


@pytest.mark.clause("adelaide:14(m).1", "adelaide:14(m).2")
@pytest.mark.parametrize(("breach", "clause"), [("device", "adelaide:14(m).1"), ("device link", "adelaide:14(m).2")])
def test_a_device_or_a_word_with_somebody_who_has_one_is_a_breach(breach: str, clause: str) -> None:
    """It binds players; the book names no sanction, so a supervisor answers for one by name and reason."""
    pit = adelaide()
    pit.plays("bet pass 10")
    report = conduct.ReportConduct("Player1", "player", breach, "a telephone that counts the rolls")
    reported = the(pit.does(report, "dealer"), ConductReported)
    assert (reported.report, reported.clause) == (1, clause)
    for standing in ("spectator", "dealer", "staff", "inspector"):
        other = conduct.ReportConduct("Sid", standing, breach, "the same")
        assert pit.refuses(other, "dealer").code == "floor.no_breach"
    assert pit.refuses(conduct.Sanction(1, "detain", "seen by two")).code == "floor.measure"
    imposed = the(pit.does(conduct.Sanction(1, "bar", "seen by two")), SanctionImposed)
    assert (imposed.by, imposed.reason, imposed.clause) == ("Sue", "seen by two", None)
    assert pit.no("bet field 5").code == "floor.barred"


def test_what_no_book_forbids_is_no_breach() -> None:
    """Advice is nobody's business in this house."""
    pit = adelaide()
    advice = conduct.ReportConduct("Ann", "player", "advice", "said to bet the field")
    assert pit.refuses(advice, "dealer").code == "floor.no_breach"


# --- Closing ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:14(i)")
def test_a_table_closes_once_an_inspector_has_been_told() -> None:
    """At the house's discretion, and without a sign; but not before the inspector knows."""
    pit = adelaide()
    no = pit.refuses(signs.Close("the night is over"))
    assert (no.code, no.clause) == ("close.untold", "adelaide:14(i)")
    assert pit.refuses(signs.TellInspector("Ines"), "player").code == "floor.role"
    assert pit.refuses(signs.TellInspector(" "), "box").code == "floor.unsaid"
    pit.does(signs.SignClosing(pit.at("23:00")))  # no sign is needed here, and none for later holds anybody back
    assert the(pit.does(signs.TellInspector("Ines"), "box"), InspectorTold).clause == "adelaide:14(i)"
    answer = pit.does(signs.Close("the night is over"))
    assert the(answer, ClosingOrdered).clause == "adelaide:14(i)"
    only(answer.game, TableClosing)
    assert pit.refuses(signs.Close("again")).code == "close.untold"


# --- Disputes ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide:14(j)", "adelaide:14(k)")
@pytest.mark.parametrize(("covered", "clause"), [(False, "adelaide:14(j)"), (True, "adelaide:14(k)")])
def test_the_house_decides_a_dispute_and_the_inspectorate_looks_again(covered: object, clause: str) -> None:
    """Its decision is final, subject to a review on request; both kinds of dispute go the same way."""
    pit = adelaide()
    pit.does(disputes.RaiseDispute("Ann", "the die showed a six", bool(covered)), "player", "Ann")
    for role in ("dealer", "stick", "inspector", "player"):
        assert pit.refuses(disputes.DecideDispute(1, "it was a five"), role).code == "floor.role"
    assert pit.refuses(disputes.AskReview(1), "player").code == "floor.dispute"
    assert the(pit.does(disputes.DecideDispute(1, "it was a five"), "box"), DisputeDecided).clause == clause
    assert pit.refuses(disputes.ReviewDispute(1, "it stands"), "inspector").code == "floor.dispute"
    assert the(pit.does(disputes.AskReview(1), "player", "Ann"), ReviewAsked).clause == "adelaide:14(j)"
    for role in ("supervisor", "box", "dealer"):  # another person than decided it, and no inspector
        no = pit.refuses(disputes.ReviewDispute(1, "it stands"), role, "Cid")
        assert (no.code, no.clause) == ("floor.role", "adelaide:14(j)")
    reviewed = the(pit.does(disputes.ReviewDispute(1, "it stands"), "inspector", "Ines"), DisputeReviewed)
    assert (reviewed.by, reviewed.clause) == ("Ines", clause)
    assert pit.refuses(disputes.AskReview(1), "player").code == "floor.dispute"


@pytest.mark.clause("adelaide:14(k)")
@pytest.mark.parametrize("role", ["box", "supervisor"])
def test_box_and_supervisor_decide_for_the_house(role: str) -> None:
    """And say what."""
    pit = adelaide()
    pit.does(disputes.RaiseDispute("Ann", "the payment"), "player", "Ann")
    assert pit.refuses(disputes.DecideDispute(1, ""), role).code == "floor.unsaid"
    assert pit.does(disputes.DecideDispute(1, "it was right"), role)


@pytest.mark.clause("adelaide:14(l)")
@pytest.mark.parametrize("ask", [disputes.SayDissatisfied(1), disputes.AskReview(1)])
def test_whoever_is_not_satisfied_is_told_of_the_inspector(ask: disputes.SayDissatisfied | disputes.AskReview) -> None:
    """Each time, in words, and by whoever raised the dispute; also after the final decision (pinned 109)."""
    pit = adelaide()
    pit.does(disputes.RaiseDispute("Ann", "the payment"), "player", "Ann")
    assert pit.refuses(disputes.SayDissatisfied(1), "player").code == "floor.dispute"
    pit.does(disputes.DecideDispute(1, "it was right"), "box")
    told = the(pit.does(ask, "player", "Ann"), ComplainantTold)
    assert (told.person, told.clause) == ("Ann", "adelaide:14(l)")
    assert told.told == "a Government Casino Inspector is in the casino and may be asked"
    assert pit.refuses(disputes.SayDissatisfied(1), "player").code == "floor.role"
    assert the(pit.does(disputes.SayDissatisfied(1), "player", "Ann"), ComplainantTold).told == told.told
    if isinstance(ask, disputes.AskReview):
        pit.does(disputes.ReviewDispute(1, "it stands"), "inspector", "Ines")
        assert the(pit.does(disputes.SayDissatisfied(1), "player", "Ann"), ComplainantTold).clause == "adelaide:14(l)"


@pytest.mark.clause("adelaide:14(n)")
def test_the_rules_are_shown_to_whoever_asks() -> None:
    """Every clause of this house, in our words; the entry says to whom, and whose rules, which the service has."""
    pit = adelaide()
    rules = the(pit.does(seats.AskForRules("Ann"), "player", "Ann"), RulesShown)
    assert (rules.person, rules.clause, rules.book) == ("Ann", "adelaide:14(n)", "adelaide")
    shown = clauses_of("adelaide")
    assert len(shown) == 229
    assert all(clause.house == "adelaide" and clause.sentence for clause in shown)
