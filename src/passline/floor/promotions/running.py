"""The register: what is offered, filed with the Authority, opened, changed, doubted and trusted again."""

from __future__ import annotations

from passline.engine.promotion_rules import Promotions
from passline.engine.refusals import Refusal
from passline.floor.asking import Acted, Ask, FloorAnswer, unsaid
from passline.floor.clock import HOUR, elapsed, instant
from passline.floor.promotions import commands as p
from passline.floor.promotions import events as e
from passline.floor.promotions.state import Offer, Promotion
from passline.floor.promotions.terms import wrong_with
from passline.floor.refusals import no


def register(ask: Ask, rules: Promotions, command: p.RegisterPromotion) -> FloorAnswer:
    """Nothing comes on the register whose prizes or terms are not in order."""
    refused = ask.supervisors_only(rules.offered) or unsaid("what it is called", command.promotion, rules.offered)
    if refused:
        return refused
    if command.promotion in ask.floor.promotions:
        return no("floor.promotion", f"{command.promotion} is on the register.", rules.offered)
    refused = wrong_with(rules, command.offer) or _ended(ask, rules, command.offer)
    said = (command.promotion, command.offer, ask.by.name, rules.terms_by)
    return refused or Acted((e.PromotionRegistered(*said),))


def file_terms(ask: Ask, rules: Promotions, command: p.FileTerms) -> FloorAnswer:
    """The Authority is given the full terms."""
    clause, promotion = rules.filed_hours.clause, standing(ask, command.promotion, "registered")
    if isinstance(promotion, Refusal):
        return promotion
    refused = ask.supervisors_only(clause) or unsaid("who received them", command.authority, clause)
    said = (command.promotion, command.authority, ask.now, ask.by.name, clause)
    return refused or Acted((e.TermsFiled(*said),))


def open_promotion(ask: Ask, rules: Promotions, command: p.OpenPromotion) -> FloorAnswer:
    """It starts when it says, and when the Authority has had the terms for long enough."""
    hours, promotion = rules.filed_hours, standing(ask, command.promotion, "registered")
    if isinstance(promotion, Refusal):
        return promotion
    refused = ask.supervisors_only(rules.offered)
    if refused:
        return refused
    if not promotion.filed or elapsed(promotion.filed, ask.now) < hours.value * HOUR:
        said = f"The Authority has the terms {hours.value} hours before a promotion starts."
        return no("floor.filing", said, hours.clause)
    if instant(ask.now) < instant(promotion.offer.starts):
        return no("floor.not_due", f"By its terms it starts at {promotion.offer.starts}.", rules.terms_by)
    if refused := _ended(ask, rules, promotion.offer):
        return refused
    return Acted((e.PromotionOpened(command.promotion, ask.by.name, rules.offered),))


def amend(ask: Ask, rules: Promotions, command: p.AmendPromotion) -> FloorAnswer:
    """Before the start the terms change and are filed again; after it, only with the Authority's approval."""
    promotion = standing(ask, command.promotion, "registered", "open", "postponed")
    if isinstance(promotion, Refusal):
        return promotion
    refused = ask.supervisors_only(rules.approval)
    if not refused and promotion.stands != "registered":
        refused = unsaid("by which letter the Authority approved it", command.approval, rules.approval)
    refused = refused or wrong_with(rules, command.offer)
    if not refused and command.offer.closes != promotion.offer.closes:
        refused = _ended(ask, rules, command.offer)
    said = (command.promotion, command.offer, command.approval, ask.by.name, rules.approval)
    return refused or Acted((e.PromotionAmended(*said),))


def doubt(ask: Ask, rules: Promotions, command: p.DoubtPromotion) -> FloorAnswer:
    """What cannot be trusted is postponed or cancelled, and the inspectorate hears of it in the same act."""
    remedies, promotion = rules.remedies, standing(ask, command.promotion, "registered", "open", "postponed")
    if isinstance(promotion, Refusal):
        return promotion
    refused = (
        ask.supervisors_only(remedies.clause)
        or unsaid("what cannot be trusted", command.reason, remedies.clause)
        or unsaid("who was told at the inspectorate", command.inspectorate, rules.inspectorate)
    )
    if refused:
        return refused
    remedy = next((each for each in remedies.value if each == command.remedy), None)
    if remedy is None:
        return no("floor.measure", f"The house may {' or '.join(remedies.value)} it.", remedies.clause)
    said = (command.promotion, remedy, command.reason, command.inspectorate, ask.by.name)
    return Acted((e.PromotionDoubted(*said, remedies.clause, rules.inspectorate),))


def trust(ask: Ask, rules: Promotions, command: p.TrustPromotion) -> FloorAnswer:
    """A postponed promotion goes on once somebody says what shows that it can be trusted."""
    clause, promotion = rules.remedies.clause, standing(ask, command.promotion, "postponed")
    if isinstance(promotion, Refusal):
        return promotion
    refused = ask.supervisors_only(clause) or unsaid("what shows it", command.reason, clause)
    return refused or Acted((e.PromotionTrusted(command.promotion, command.reason, ask.by.name, clause),))


def _ended(ask: Ask, rules: Promotions, offer: Offer) -> Refusal | None:
    """Say no to what nobody could enter any more."""
    if instant(ask.now) <= instant(offer.closes):
        return None
    return no("floor.time", f"By its terms entries closed at {offer.closes}: nobody could enter it.", rules.terms_by)


def standing(ask: Ask, name: str, *stands: str) -> Promotion | Refusal:
    """A promotion that stands where it must."""
    promotion = ask.floor.promotions.get(name)
    if promotion is None or promotion.stands not in stands:
        return no("floor.promotion", f"There is no promotion of that name that is {' or '.join(stands)}.")
    return promotion
