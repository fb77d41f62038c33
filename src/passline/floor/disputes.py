"""Disputes: decided by the box or a supervisor, looked at again by somebody else, and nobody left untold."""

from __future__ import annotations

from passline.engine.floor_rules import Disputes
from passline.engine.refusals import Refusal
from passline.engine.values import Cited, ClauseId
from passline.floor.asking import Acted, Ask, FloorAnswer, unsaid
from passline.floor.commands import AskReview, DecideDispute, RaiseDispute, ReviewDispute, SayDissatisfied
from passline.floor.events import (
    ComplainantTold,
    DisputeDecided,
    DisputeRaised,
    DisputeReviewed,
    FloorEvent,
    ReviewAsked,
)
from passline.floor.names import folded
from passline.floor.refusals import no
from passline.floor.staff import own_rank
from passline.floor.state import Dispute


def raise_dispute(ask: Ask, command: RaiseDispute) -> FloorAnswer:
    """Anybody may dispute anything, and says what."""
    refused = unsaid("who does not accept it", command.person) or unsaid("what is not accepted", command.about)
    number = len(ask.floor.disputes) + 1
    if not refused and command.promotion and command.promotion not in ask.floor.promotions:
        refused = no("floor.promotion", "There is no promotion of that name on the register.")
    said = (number, command.person, command.about, command.covered, command.promotion)
    return refused or Acted((DisputeRaised(*said),))


def decide_dispute(ask: Ask, command: DecideDispute) -> FloorAnswer:
    """Somebody whom the house names decides it first; where the book is silent, a supervisor."""
    dispute = _in(ask, command.dispute, "raised")
    if isinstance(dispute, Refusal):
        return dispute
    rules = _rules(ask, dispute)
    clause = _final(ask, dispute)
    refused = ask.supervisors_only(None) if rules is None else ask.only(rules.first.value, rules.first.clause)
    refused = refused or _own(ask, dispute) or unsaid("what is decided", command.decision, clause)
    said = (command.dispute, command.decision, ask.by.name, own_rank(ask), clause)
    return refused or Acted((DisputeDecided(*said),))


def ask_review(ask: Ask, command: AskReview) -> FloorAnswer:
    """A decision is to be looked at again, where the house has it looked at again."""
    dispute = _in(ask, command.dispute, "decided")
    if isinstance(dispute, Refusal):
        return dispute
    rules = _rules(ask, dispute)
    if rules is not None and rules.review.value == "nobody":
        return no("floor.final", "That decision is final, and nobody looks at it again.", rules.review.clause)
    if refused := _not_theirs(ask, dispute):
        return refused
    asked = ReviewAsked(command.dispute, rules.review.clause if rules is not None else None)
    return Acted((asked, *told(ask, command.dispute, dispute)))


def review_dispute(ask: Ask, command: ReviewDispute) -> FloorAnswer:
    """Somebody else looks at it again, for the last time."""
    dispute = _in(ask, command.dispute, "review asked for")
    if isinstance(dispute, Refusal):
        return dispute
    rules = _rules(ask, dispute)
    clause = rules.review.clause if rules is not None else None
    if rules is not None and rules.review.value == "inspector":
        refused = ask.only(("inspector",), clause) or _not_another(ask, dispute, clause)
    else:
        refused = ask.supervisors_only(clause) or _not_higher(ask, dispute, clause) or _own(ask, dispute)
    refused = refused or unsaid("what is decided", command.decision, clause)
    said = (command.dispute, command.decision, ask.by.name, _final(ask, dispute))
    return refused or Acted((DisputeReviewed(*said),))


def _not_higher(ask: Ask, dispute: Dispute, clause: ClauseId | None) -> Refusal | None:
    """Why somebody cannot look again at what they, or somebody above them, decided."""
    if folded(ask.by.name) != dispute.decided_by and own_rank(ask) > dispute.rank:
        return None
    return no("floor.rank", "Another person of higher rank looks at it again.", clause)


def _not_another(ask: Ask, dispute: Dispute, clause: ClauseId | None) -> Refusal | None:
    """Why an inspector cannot look again at what they decided in another role."""
    if folded(ask.by.name) != dispute.decided_by:
        return _own(ask, dispute)
    return no("floor.role", "Another person than who decided it looks at it again.", clause)


def _own(ask: Ask, dispute: Dispute) -> Refusal | None:
    """Why whoever raised a dispute does not decide it."""
    if folded(ask.by.name) != folded(dispute.person):
        return None
    return no("floor.role", "Nobody decides a dispute of their own: another person does.")


def say_dissatisfied(ask: Ask, command: SayDissatisfied) -> FloorAnswer:
    """Whoever is not satisfied with a decision is told what they can do."""
    dispute = ask.floor.disputes.get(command.dispute)
    if dispute is None or dispute.stands == "raised":
        return _no_such(command.dispute, dispute)
    said = told(ask, command.dispute, dispute)
    if not said and dispute.stands == "review asked for":
        return no(
            "floor.final", f"Dispute {command.dispute} {STANDS[dispute.stands]}; {dispute.person} was told the rest."
        )
    if not said:
        return no("floor.final", "The decision is final, and there is no more to be told.")
    return _not_theirs(ask, dispute) or Acted(said)


def _not_theirs(ask: Ask, dispute: Dispute) -> Refusal | None:
    """Why somebody does not carry on a dispute: it is another's."""
    if folded(ask.by.name) == folded(dispute.person):
        return None
    return no("floor.role", f"This is for {dispute.person} to say, who raised the dispute.")


def told(ask: Ask, number: int, dispute: Dispute) -> tuple[FloorEvent, ...]:
    """What somebody who is not satisfied is told, once, where the book has something to tell."""
    rules = _rules(ask, dispute)
    if rules is None or rules.told is None or dispute.told:
        return ()
    return (ComplainantTold(number, dispute.person, rules.told.value, rules.told.clause),)


def _rules(ask: Ask, dispute: Dispute) -> Disputes | None:
    """By what a dispute is decided: one about a promotion's terms by the house, once and for all."""
    promotions = ask.book.promotions
    if not dispute.promotion or promotions is None:
        return ask.rules.disputes
    return Disputes(
        first=ask.rules.supervisors,
        covered=promotions.final,
        uncovered=promotions.final,
        review=Cited("nobody", promotions.final),
        told=promotions.told,
    )


def _final(ask: Ask, dispute: Dispute) -> ClauseId | None:
    """The clause by which a decision is final."""
    rules = _rules(ask, dispute)
    if rules is None:
        return None
    return rules.covered if dispute.covered else rules.uncovered


def _in(ask: Ask, number: int, stands: str) -> Dispute | Refusal:
    """A dispute that stands where it must."""
    dispute = ask.floor.disputes.get(number)
    return dispute if dispute is not None and dispute.stands == stands else _no_such(number, dispute)


STANDS = {
    "raised": "waits for a first decision",
    "decided": "has been decided once, and nobody has asked for it to be looked at again",
    "review asked for": "waits to be looked at again, and nothing about it is final before that",
    "reviewed": "was looked at again, and ends there",
}
"""How a dispute stands, in words."""


def _no_such(number: int, dispute: Dispute | None) -> Refusal:
    if dispute is None:
        return no("floor.dispute", f"There is no dispute {number}.")
    return no("floor.dispute", f"Dispute {number} {STANDS[dispute.stands]}.")
