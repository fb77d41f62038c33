"""The register of promotions: what is offered, filed with the Authority, opened, amended, doubted and trusted again."""

from collections.abc import Mapping
from typing import get_args

from passline.engine.book import Book
from passline.engine.floor_rules import PrizeKind, Promotions, Remedy
from passline.engine.refusals import refuse
from passline.engine.values import ClauseId
from passline.floor.acts import Acted, Context, FloorCommand, FloorEvent, Listener, act, event, need
from passline.floor.clock import HOUR, elapsed, instant, is_time, sign_time
from passline.floor.names import is_said
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
        refuse("floor.no_rule", f"The book of {ctx.book.name} says nothing of promotions.")
    return ctx.book.promotions


def filing(rules: Promotions) -> str:
    return f"The Authority has the terms {rules.filed_hours.value} hours before a promotion starts."


def awaits(book: Book, promotion: Promotion, now: str) -> str:
    """What a promotion that has not started waits for, or why it can start no more."""
    rules, offer, zone = book.promotions, promotion.offer, book.floor.cage.time_zone
    if rules is None or promotion.stands != "registered":
        return ""
    due = max(instant(offer.starts), instant(promotion.filed or now) + rules.filed_hours.value * HOUR)
    opens = sign_time(due, zone)
    if instant(now) > instant(offer.closes):
        return f"It was never opened, and its entries closed at {sign_time(offer.closes, zone)}."
    if due > instant(offer.closes):
        return f"{filing(rules)} It could open at {opens}, after its entries have closed: amend it, and file it again."
    return f"It can open at {opens}." if promotion.filed else f"{filing(rules)} Filed now, it can open at {opens}."


def standing(ctx: Context, name: str, *stands: str) -> Promotion:
    promotion = ctx.floor.promotions.get(name)
    if promotion is None or promotion.stands not in stands:
        no = f"There is no promotion of that name that is {' or '.join(stands)}."
        refuse("floor.promotion", no)
    return promotion


def changed(floor: Floor, name: str, **changes: object) -> Floor:
    promotion = floor.promotions[name]._replace(**changes)  # type: ignore[arg-type]
    return floor._replace(promotions={**floor.promotions, name: promotion})


@act("work_the_floor", house_wide=True)
class RegisterPromotion(FloorCommand):
    """Put a promotion on the register."""

    promotion: str
    offer: Offer

    def decide(self, ctx: Context) -> Acted:
        """Nothing comes on the register whose prizes or terms are not in order."""
        rules = rules_of(ctx)
        ctx.supervisors_only(rules.offered)
        need("what it is called", self.promotion, rules.offered)
        if self.promotion in ctx.floor.promotions:
            refuse("floor.promotion", f"{self.promotion} is on the register.", rules.offered)
        check_offer(rules, self.offer)
        _check_closing(ctx, rules, self.offer)
        return Acted((PromotionRegistered(self.promotion, self.offer, ctx.by.name, rules.terms_by),))


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

    def decide(self, ctx: Context) -> Acted:
        rules = rules_of(ctx)
        clause = rules.filed_hours.clause
        standing(ctx, self.promotion, "registered")
        ctx.supervisors_only(clause)
        need("who received them", self.authority, clause)
        return Acted((TermsFiled(self.promotion, self.authority, ctx.now, ctx.by.name, clause),))


@event("the terms of {promotion} are with {authority}.")
class TermsFiled(FloorEvent):
    promotion: str
    authority: str
    at: str
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return changed(floor, self.promotion, filed=self.at)


@act("work_the_floor", house_wide=True)
class OpenPromotion(FloorCommand):
    """Have a promotion start."""

    promotion: str

    def decide(self, ctx: Context) -> Acted:
        """It starts when it says, and when the Authority has had the terms for long enough."""
        rules = rules_of(ctx)
        hours, promotion = rules.filed_hours, standing(ctx, self.promotion, "registered")
        ctx.supervisors_only(rules.offered)
        if not promotion.filed or elapsed(promotion.filed, ctx.now) < hours.value * HOUR:
            refuse("floor.filing", filing(rules), hours.clause)
        if instant(ctx.now) < instant(promotion.offer.starts):
            refuse("floor.not_due", f"By its terms it starts at {ctx.time(promotion.offer.starts)}.", rules.terms_by)
        _check_closing(ctx, rules, promotion.offer)
        return Acted((PromotionOpened(self.promotion, ctx.by.name, rules.offered),))


@event("{promotion} has started.")
class PromotionOpened(FloorEvent):
    promotion: str
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return changed(floor, self.promotion, stands="open")


@act("work_the_floor", house_wide=True)
class AmendPromotion(FloorCommand):
    """Change what a promotion offers."""

    promotion: str
    offer: Offer
    approval: str = ""  # by which letter the Authority approved it

    def decide(self, ctx: Context) -> Acted:
        """Before the start the terms change and are filed again; after it, only with the Authority's approval."""
        rules = rules_of(ctx)
        promotion = standing(ctx, self.promotion, "registered", "open", "postponed")
        ctx.supervisors_only(rules.approval)
        if promotion.stands != "registered":
            need("by which letter the Authority approved it", self.approval, rules.approval)
        check_offer(rules, self.offer)
        for prize in promotion.drawn:
            if self.offer.prizes[prize - 1 : prize] != promotion.offer.prizes[prize - 1 : prize]:
                refuse("floor.prize", f"Prize {prize} was drawn, and stays as it was drawn.", rules.approval)
        if self.offer.closes != promotion.offer.closes:
            _check_closing(ctx, rules, self.offer)
        return Acted((PromotionAmended(self.promotion, self.offer, self.approval, ctx.by.name, rules.approval),))


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

    def decide(self, ctx: Context) -> Acted:
        """What cannot be trusted is postponed or cancelled, and the inspectorate hears of it in the same act."""
        rules = rules_of(ctx)
        remedies = rules.remedies
        standing(ctx, self.promotion, "registered", "open", "postponed")
        ctx.supervisors_only(remedies.clause)
        need("what cannot be trusted", self.reason, remedies.clause)
        need("who was told at the inspectorate", self.inspectorate, rules.inspectorate)
        remedy = next((each for each in remedies.value if each == self.remedy), None)
        if remedy is None:
            refuse("floor.measure", f"The house may {' or '.join(remedies.value)} it.", remedies.clause)
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

    def decide(self, ctx: Context) -> Acted:
        rules = rules_of(ctx)
        clause = rules.remedies.clause
        standing(ctx, self.promotion, "postponed")
        ctx.supervisors_only(clause)
        need("what shows it", self.reason, clause)
        return Acted((PromotionTrusted(self.promotion, self.reason, ctx.by.name, clause),))


@event("{promotion} goes on: {reason}.")
class PromotionTrusted(FloorEvent):
    promotion: str
    reason: str
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return changed(floor, self.promotion, stands="open")


# --- What a promotion must be and say ---------------------------------------------------------------------------------


def _check_closing(ctx: Context, rules: Promotions, offer: Offer) -> None:
    """Refuse what nobody could enter any more."""
    if instant(ctx.now) > instant(offer.closes):
        no = f"By its terms entries closed at {ctx.time(offer.closes)}: nobody could enter it."
        refuse("floor.time", no, rules.terms_by)


def check_offer(rules: Promotions, offer: Offer) -> None:
    """Refuse what cannot be offered like this, for the first thing that is wrong with it."""
    if not offer.with_gaming:
        refuse("floor.offer", "A promotional prize goes with gaming.", rules.offered)
    if offer.given_by not in rules.given_by.value:
        how = " or ".join(rules.given_by.value)
        refuse("floor.offer", f"A promotional prize is given by {how}.", rules.given_by.clause)
    if not offer.prizes:
        refuse("floor.offer", "A promotion has a prize.", rules.offered)
    if not (is_time(offer.starts) and is_time(offer.closes)) or instant(offer.closes) < instant(offer.starts):
        refuse("floor.time", "A promotion starts, and closes for entries afterwards.", rules.offered)
    for prize in offer.prizes:
        _check_prize(rules, prize)
        if prize.cash_alternative:
            _check_alternative(rules, offer, prize)
    _check_terms(rules, offer)


def _check_prize(rules: Promotions, prize: Prize) -> None:
    if prize.value <= 0 or not is_said(prize.item):
        refuse("floor.prize", "A prize is something, and is worth something.", rules.banned_by)
    if prize.kind not in KINDS:
        no = "A prize is of a kind that the house knows, and of kind goods otherwise."
        refuse("floor.prize", no, rules.banned_by)
    if prize.kind in rules.banned:
        refuse("floor.prize", f"No prize may be this: {prize.kind}.", rules.banned[prize.kind])
    if prize.item in rules.prescribed.value:
        refuse("floor.prize", f"The regulations forbid it as a prize: {prize.item}.", rules.prescribed.clause)
    most = rules.liquor_litres
    if prize.kind == LIQUOR and prize.liquor_ml <= 0:
        refuse("floor.prize", "A prize of liquor says how much it is.", most.clause)
    if prize.liquor_ml > most.value * ML_IN_A_LITRE:
        refuse("floor.prize", f"No prize holds more than {most.value} litres of liquor.", most.clause)


def _check_alternative(rules: Promotions, offer: Offer, prize: Prize) -> None:
    """Whether money in the place of a thing is offered as it may be."""
    without = rules.no_cash_alternative
    if prize.kind == "cash" or prize.cash_alternative < 0:
        refuse("floor.prize", "Money is offered in the place of a thing.", rules.cash_alternative)
    if prize.kind in without.value:
        refuse("floor.prize", f"There is no money in the place of {prize.kind}.", without.clause)
    _need_term(ALTERNATIVE, offer.terms, rules.alternative_in_terms)


def _check_terms(rules: Promotions, offer: Offer) -> None:
    for item, clause in rules.terms.items():
        _need_term(item, offer.terms, clause)
    if offer.compulsory_wager:
        _need_term(WAGER, offer.terms, rules.compulsory_wager)
    for prize in offer.prizes:
        for item, clause in rules.details.get(prize.kind, {}).items():
            _need_term(item, prize.details, clause, f" of {prize.item}")
    if not is_said(offer.marketing):
        refuse("floor.terms", "The marketing says where the terms are.", rules.marketing)
    if not any(map(is_said, offer.channels)):
        refuse("floor.terms", "Say where the terms can be had.", rules.channels)


def _need_term(item: str, terms: Mapping[str, str], clause: ClauseId, of: str = "") -> None:
    if not is_said(terms.get(item, "")):
        refuse("floor.terms", f"The terms do not say this: {item}{of}.", clause)
