"""The register of promotions: what is offered, filed with the Authority, opened, amended, doubted and trusted again."""

from __future__ import annotations

from typing import get_args

from passline.engine.floor_rules import PrizeKind, Promotions, Remedy
from passline.engine.refusals import Refusal
from passline.engine.values import ClauseId
from passline.floor.acts import Acted, Context, FloorAnswer, FloorCommand, FloorEvent, Listener, act, event
from passline.floor.clock import HOUR, elapsed, instant, is_time
from passline.floor.names import is_said
from passline.floor.refusals import Refused, missing, refuse
from passline.floor.state import Floor, Offer, Prize, Promotion

ML_IN_A_LITRE = 1_000
# What a prize can be; a house file and a promotion know the same.
KINDS: tuple[str, ...] = get_args(get_args(PrizeKind)[1])

LIQUOR = "liquor"
# What the terms call a choice of money, and a wager that has to be made.
ALTERNATIVE, WAGER = "cash alternative", "compulsory wager"


def rules_of(ctx: Context) -> Promotions:
    """What the book says of promotions; a house without such rules has none."""
    if ctx.book.promotions is None:
        raise Refused(refuse("floor.no_rule", f"The book of {ctx.book.name} says nothing of promotions."))
    return ctx.book.promotions


def standing(ctx: Context, name: str, *stands: str) -> Promotion:
    promotion = ctx.floor.promotions.get(name)
    if promotion is None or promotion.stands not in stands:
        no = f"There is no promotion of that name that is {' or '.join(stands)}."
        raise Refused(refuse("floor.promotion", no))
    return promotion


def changed(floor: Floor, name: str, **changes: object) -> Floor:
    promotion = floor.promotions[name]._replace(**changes)  # type: ignore[arg-type]
    return floor._replace(promotions={**floor.promotions, name: promotion})


@act("work_the_floor", house_wide=True)
class RegisterPromotion(FloorCommand):
    """Put a promotion on the register."""

    promotion: str
    offer: Offer

    def decide(self, ctx: Context) -> FloorAnswer:
        """Nothing comes on the register whose prizes or terms are not in order."""
        rules = rules_of(ctx)
        refused = ctx.supervisors_only(rules.offered) or missing("what it is called", self.promotion, rules.offered)
        if refused:
            return refused
        if self.promotion in ctx.floor.promotions:
            return refuse("floor.promotion", f"{self.promotion} is on the register.", rules.offered)
        refused = wrong_with(rules, self.offer) or _ended(ctx, rules, self.offer)
        return refused or Acted((PromotionRegistered(self.promotion, self.offer, ctx.by.name, rules.terms_by),))


@event()
class PromotionRegistered(FloorEvent):
    """A promotion is on the register, its prizes and terms checked."""

    promotion: str
    offer: Offer
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return floor._replace(promotions={**floor.promotions, self.promotion: Promotion(self.offer)})

    def say(self, _to: Listener) -> str:
        prizes = len(self.offer.prizes)
        return f"{self.promotion} is on the register with {prizes} {'prize' if prizes == 1 else 'prizes'}."


@act("work_the_floor", house_wide=True)
class FileTerms(FloorCommand):
    """Give the full terms to the Authority."""

    promotion: str
    authority: str  # who received them there

    def decide(self, ctx: Context) -> FloorAnswer:
        rules = rules_of(ctx)
        clause = rules.filed_hours.clause
        standing(ctx, self.promotion, "registered")
        refused = ctx.supervisors_only(clause) or missing("who received them", self.authority, clause)
        return refused or Acted((TermsFiled(self.promotion, self.authority, ctx.now, ctx.by.name, clause),))


@event()
class TermsFiled(FloorEvent):
    """The Authority has the full terms."""

    promotion: str
    authority: str
    at: str
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return changed(floor, self.promotion, filed=self.at)

    def say(self, _to: Listener) -> str:
        return f"the terms of {self.promotion} are with {self.authority}."


@act("work_the_floor", house_wide=True)
class OpenPromotion(FloorCommand):
    """Have a promotion start."""

    promotion: str

    def decide(self, ctx: Context) -> FloorAnswer:
        """It starts when it says, and when the Authority has had the terms for long enough."""
        rules = rules_of(ctx)
        hours, promotion = rules.filed_hours, standing(ctx, self.promotion, "registered")
        if refused := ctx.supervisors_only(rules.offered):
            return refused
        if not promotion.filed or elapsed(promotion.filed, ctx.now) < hours.value * HOUR:
            no = f"The Authority has the terms {hours.value} hours before a promotion starts."
            return refuse("floor.filing", no, hours.clause)
        if instant(ctx.now) < instant(promotion.offer.starts):
            return refuse("floor.not_due", f"By its terms it starts at {promotion.offer.starts}.", rules.terms_by)
        refused = _ended(ctx, rules, promotion.offer)
        return refused or Acted((PromotionOpened(self.promotion, ctx.by.name, rules.offered),))


@event()
class PromotionOpened(FloorEvent):
    """A promotion has started."""

    promotion: str
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return changed(floor, self.promotion, stands="open")

    def say(self, _to: Listener) -> str:
        return f"{self.promotion} has started."


@act("work_the_floor", house_wide=True)
class AmendPromotion(FloorCommand):
    """Change what a promotion offers."""

    promotion: str
    offer: Offer
    approval: str = ""  # by which letter the Authority approved it

    def decide(self, ctx: Context) -> FloorAnswer:
        """Before the start the terms change and are filed again; after it, only with the Authority's approval."""
        rules = rules_of(ctx)
        promotion = standing(ctx, self.promotion, "registered", "open", "postponed")
        refused = ctx.supervisors_only(rules.approval)
        if not refused and promotion.stands != "registered":
            refused = missing("by which letter the Authority approved it", self.approval, rules.approval)
        refused = refused or wrong_with(rules, self.offer) or self._takes_away(rules, promotion)
        if not refused and self.offer.closes != promotion.offer.closes:
            refused = _ended(ctx, rules, self.offer)
        return refused or Acted(
            (PromotionAmended(self.promotion, self.offer, self.approval, ctx.by.name, rules.approval),)
        )

    def _takes_away(self, rules: Promotions, promotion: Promotion) -> Refusal | None:
        for prize in promotion.drawn:
            if self.offer.prizes[prize - 1 : prize] != promotion.offer.prizes[prize - 1 : prize]:
                return refuse("floor.prize", f"Prize {prize} was drawn, and stays as it was drawn.", rules.approval)
        return None


@event()
class PromotionAmended(FloorEvent):
    """A promotion offers something else."""

    promotion: str
    offer: Offer
    approval: str
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return changed(floor, self.promotion, offer=self.offer, filed="")  # what was filed were the terms before

    def say(self, _to: Listener) -> str:
        return f"{self.promotion} has new terms{f', as approved ({self.approval})' if self.approval else ''}."


@act("work_the_floor", house_wide=True)
class DoubtPromotion(FloorCommand):
    """Find that a promotion or its draw cannot be trusted."""

    promotion: str
    remedy: str
    reason: str
    inspectorate: str  # who was told at the inspectorate

    def decide(self, ctx: Context) -> FloorAnswer:
        """What cannot be trusted is postponed or cancelled, and the inspectorate hears of it in the same act."""
        rules = rules_of(ctx)
        remedies = rules.remedies
        standing(ctx, self.promotion, "registered", "open", "postponed")
        refused = (
            ctx.supervisors_only(remedies.clause)
            or missing("what cannot be trusted", self.reason, remedies.clause)
            or missing("who was told at the inspectorate", self.inspectorate, rules.inspectorate)
        )
        if refused:
            return refused
        remedy = next((each for each in remedies.value if each == self.remedy), None)
        if remedy is None:
            return refuse("floor.measure", f"The house may {' or '.join(remedies.value)} it.", remedies.clause)
        who = (self.promotion, remedy, self.reason, self.inspectorate, ctx.by.name)
        return Acted((PromotionDoubted(*who, remedies.clause, rules.inspectorate),))


@event(significant="promotion doubted")
class PromotionDoubted(FloorEvent):
    """A promotion or its draw cannot be trusted, and the inspectorate knows."""

    promotion: str
    remedy: Remedy
    reason: str
    inspectorate: str
    by: str
    clause: ClauseId
    told: ClauseId  # the clause by which the inspectorate was told

    def after(self, floor: Floor) -> Floor:
        return changed(floor, self.promotion, stands="postponed" if self.remedy == "postpone" else "cancelled")

    def say(self, _to: Listener) -> str:
        becomes = "is postponed" if self.remedy == "postpone" else "is cancelled"
        return f"{self.promotion} {becomes}: {self.reason}; {self.inspectorate} has been told."


@act("work_the_floor", house_wide=True)
class TrustPromotion(FloorCommand):
    """Find that a promotion which was postponed can be trusted again."""

    promotion: str
    reason: str

    def decide(self, ctx: Context) -> FloorAnswer:
        rules = rules_of(ctx)
        clause = rules.remedies.clause
        standing(ctx, self.promotion, "postponed")
        refused = ctx.supervisors_only(clause) or missing("what shows it", self.reason, clause)
        return refused or Acted((PromotionTrusted(self.promotion, self.reason, ctx.by.name, clause),))


@event()
class PromotionTrusted(FloorEvent):
    """A promotion that was postponed goes on."""

    promotion: str
    reason: str
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return changed(floor, self.promotion, stands="open")

    def say(self, _to: Listener) -> str:
        return f"{self.promotion} goes on: {self.reason}."


# --- What a promotion must be and say ---------------------------------------------------------------------------------


def _ended(ctx: Context, rules: Promotions, offer: Offer) -> Refusal | None:
    """Refuse what nobody could enter any more."""
    if instant(ctx.now) <= instant(offer.closes):
        return None
    no = f"By its terms entries closed at {offer.closes}: nobody could enter it."
    return refuse("floor.time", no, rules.terms_by)


def wrong_with(rules: Promotions, offer: Offer) -> Refusal | None:
    """Why something cannot be offered like this, if it cannot: the first thing that is wrong."""
    if not offer.with_gaming:
        return refuse("floor.offer", "A promotional prize goes with gaming.", rules.offered)
    if offer.given_by not in rules.given_by.value:
        how = " or ".join(rules.given_by.value)
        return refuse("floor.offer", f"A promotional prize is given by {how}.", rules.given_by.clause)
    if not offer.prizes:
        return refuse("floor.offer", "A promotion has a prize.", rules.offered)
    if not (is_time(offer.starts) and is_time(offer.closes)) or instant(offer.closes) < instant(offer.starts):
        return refuse("floor.time", "A promotion starts, and closes for entries afterwards.", rules.offered)
    for prize in offer.prizes:
        if refused := _banned(rules, prize) or _alternative(rules, offer, prize):
            return refused
    return _unwritten(rules, offer)


def _banned(rules: Promotions, prize: Prize) -> Refusal | None:
    if prize.value <= 0 or not is_said(prize.item):
        return refuse("floor.prize", "A prize is something, and is worth something.", rules.banned_by)
    if prize.kind not in KINDS:
        no = "A prize is of a kind that the house knows, and of kind goods otherwise."
        return refuse("floor.prize", no, rules.banned_by)
    if prize.kind in rules.banned:
        return refuse("floor.prize", f"No prize may be this: {prize.kind}.", rules.banned[prize.kind])
    if prize.item in rules.prescribed.value:
        return refuse("floor.prize", f"The regulations forbid it as a prize: {prize.item}.", rules.prescribed.clause)
    most = rules.liquor_litres
    if prize.kind == LIQUOR and prize.liquor_ml <= 0:
        return refuse("floor.prize", "A prize of liquor says how much it is.", most.clause)
    if prize.liquor_ml > most.value * ML_IN_A_LITRE:
        return refuse("floor.prize", f"No prize holds more than {most.value} litres of liquor.", most.clause)
    return None


def _alternative(rules: Promotions, offer: Offer, prize: Prize) -> Refusal | None:
    """Whether money in the place of a thing is offered as it may be."""
    if not prize.cash_alternative:
        return None
    without = rules.no_cash_alternative
    if prize.kind == "cash" or prize.cash_alternative < 0:
        return refuse("floor.prize", "Money is offered in the place of a thing.", rules.cash_alternative)
    if prize.kind in without.value:
        return refuse("floor.prize", f"There is no money in the place of {prize.kind}.", without.clause)
    if not is_said(offer.terms.get(ALTERNATIVE, "")):
        return _lacks(ALTERNATIVE, rules.alternative_in_terms)
    return None


def _unwritten(rules: Promotions, offer: Offer) -> Refusal | None:
    """What the terms do not say, or nobody could read."""
    for item, clause in rules.terms.items():
        if not is_said(offer.terms.get(item, "")):
            return _lacks(item, clause)
    if offer.compulsory_wager and not is_said(offer.terms.get(WAGER, "")):
        return _lacks(WAGER, rules.compulsory_wager)
    for prize in offer.prizes:
        for item, clause in rules.details.get(prize.kind, {}).items():
            if not is_said(prize.details.get(item, "")):
                return _lacks(f"{item} of {prize.item}", clause)
    if not is_said(offer.marketing):
        return refuse("floor.terms", "The marketing says where the terms are.", rules.marketing)
    if not any(map(is_said, offer.channels)):
        return refuse("floor.terms", "Say where the terms can be had.", rules.channels)
    return None


def _lacks(item: str, clause: ClauseId) -> Refusal:
    return refuse("floor.terms", f"The terms do not say this: {item}.", clause)
