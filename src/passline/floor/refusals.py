"""Why the floor says no: the engine's own kind of refusal, with codes of the floor's."""

from __future__ import annotations

from collections.abc import Mapping

from passline.engine.refusals import Refusal
from passline.engine.values import ClauseId
from passline.floor.names import folded, is_said

# Every code that a refusal of the floor can carry, and what it means.
CODES: Mapping[str, str] = {
    "floor.role": "That person may not do this here.",
    "floor.title": "This house has no such title, or it is another's to give.",
    "floor.rank": "Somebody of higher rank must do this.",
    "floor.unsaid": "A name, a reason or a word that must be said is missing.",
    "floor.time": "That is no time, or one that cannot be meant.",
    "floor.amount": "That is no amount that can be meant.",
    "floor.seat": "Nobody sits there.",
    "floor.phase": "The dice are out.",
    "floor.not_due": "The sign names a later time.",
    "floor.still_up": "Wagers are up, and the table is not closed for good.",
    "floor.still_there": "People have chips at the table, which is not closed for good.",
    "floor.closing": "Nobody sits down at a table that is closing.",
    "floor.on_duty": "Who works at a table does not play at it, nor the other way round.",
    "floor.no_rule": "This house's book has no such thing.",
    "floor.refused": "The floor takes no such wager at this seat.",
    "floor.not_refused": "That is not refused.",
    "floor.not_repeated": "It was not reported often enough.",
    "floor.barred": "That person may not play here.",
    "floor.partners": "Partners have one maximum between them, and are two at least.",
    "floor.cause": "That is no reason to invalidate an outcome here.",
    "floor.forfeit": "That wager cannot be forfeited.",
    "floor.not_idle": "The player has bet too lately.",
    "floor.places": "A place is free, or nobody has counted them.",
    "floor.dispute": "There is no dispute at that stage.",
    "floor.final": "The decision is final.",
    "floor.no_breach": "That breaks no rule of this house.",
    "floor.report": "There is no such report.",
    "floor.measure": "Nobody has the power to do that about it.",
    "floor.voucher": "The house has issued no such voucher.",
    "floor.dice": "The dice failed their inspection.",
    "floor.promotion": "There is no such promotion at that stage.",
    "floor.offer": "That is no promotional prize.",
    "floor.prize": "That prize cannot be offered, drawn or given.",
    "floor.terms": "The terms do not say what they must.",
    "floor.filing": "The terms have not been filed long enough.",
    "floor.entry": "That person has not entered, or no longer can.",
    "floor.scrutineer": "A scrutineer must watch the draw.",
    "floor.notice": "A winner is not told like that.",
    "floor.payment": "The prize is not paid like that.",
    "floor.claim": "The claimant has not been told why.",
    "floor.drawer": "No drawer is open, or it does not hold that much.",
    "floor.count": "That is no count of chips or notes, or it does not fit what is there.",
    "floor.own_limit": "The person has set a limit of their own, and this is beyond it.",
}


class Refused(Exception):
    """A refusal that ends an act where it is found out; whoever asked is handed it as a value."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


def refuse(code: str, message: str, clause: ClauseId | None = None, seat: int | None = None) -> Refusal:
    return Refusal(code, message, clause, seat)


def about_oneself(second: str, *people: str) -> Refusal | None:
    """Refuse where the second of two people is one of those it is decided about."""
    if folded(second) and folded(second) in map(folded, people):
        return refuse("floor.role", "Nobody agrees to what is decided about themselves.")
    return None


def missing(what: str, text: str, clause: ClauseId | None = None) -> Refusal | None:
    return None if is_said(text) else refuse("floor.unsaid", f"Say {what}.", clause)
