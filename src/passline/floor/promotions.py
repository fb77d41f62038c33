"""Promotions: registered, filed, opened, amended, doubted, trusted; entries, draws, prizes given and claims refused."""

from collections.abc import Mapping
from typing import Literal, get_args

from passline.engine.book import Book
from passline.engine.floor_rules import PrizeKind, Promotions, Remedy
from passline.engine.layout import Layout
from passline.engine.refusals import refuse
from passline.engine.values import Chips, ClauseId, frozen
from passline.floor.acts import Acted, Context, FloorCommand, FloorEvent, Listener, act, event, need
from passline.floor.clock import DAY, HOUR, elapsed, instant, is_time, sign_time
from passline.floor.names import folded, is_said
from passline.floor.state import Claim, Drawn, Floor, Offer, Prize, Promotion

KINDS: tuple[str, ...] = get_args(get_args(PrizeKind)[1])  # what a prize can be; a house file knows the same
ALTERNATIVE, WAGER = "cash alternative", "compulsory wager"  # what the terms call these
Chooser = Literal["winner", "house"]  # who says how a prize is paid


def rules_of(ctx: Context) -> Promotions:
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


def standing(ctx: Context, name: str, *stands: str) -> tuple[Promotions, Promotion]:
    rules, promotion = rules_of(ctx), ctx.floor.promotions.get(name)
    if promotion is None or promotion.stands not in stands:
        refuse("floor.promotion", f"There is no promotion of that name that is {' or '.join(stands)}.")
    return rules, promotion


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
        rules, _ = standing(ctx, self.promotion, "registered")
        clause = rules.filed_hours.clause
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
        rules, promotion = standing(ctx, self.promotion, "registered")
        ctx.supervisors_only(rules.offered)
        if not promotion.filed or elapsed(promotion.filed, ctx.now) < rules.filed_hours.value * HOUR:
            refuse("floor.filing", filing(rules), rules.filed_hours.clause)
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
        rules, promotion = standing(ctx, self.promotion, "registered", "open", "postponed")
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
        rules, _ = standing(ctx, self.promotion, "registered", "open", "postponed")
        remedies = rules.remedies
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
        becomes = "postponed" if self.remedy == "postpone" else "cancelled"
        return f"{self.promotion} is {becomes}: {self.reason}; {self.inspectorate} has been told."


@act("work_the_floor", house_wide=True)
class TrustPromotion(FloorCommand):
    """Find that a promotion which was postponed can be trusted again."""

    promotion: str
    reason: str

    def decide(self, ctx: Context) -> Acted:
        rules, _ = standing(ctx, self.promotion, "postponed")
        clause = rules.remedies.clause
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


def _check_closing(ctx: Context, rules: Promotions, offer: Offer) -> None:
    if instant(ctx.now) > instant(offer.closes):
        no = f"By its terms entries closed at {ctx.time(offer.closes)}: nobody could enter it."
        refuse("floor.time", no, rules.terms_by)


def check_offer(rules: Promotions, offer: Offer) -> None:
    """Refuse what cannot be offered like this, for the first thing that is wrong with it."""
    if not offer.with_gaming:
        refuse("floor.offer", "A promotional prize goes with gaming.", rules.offered)
    given = rules.given_by
    if offer.given_by not in given.value:
        refuse("floor.offer", f"A promotional prize is given by {' or '.join(given.value)}.", given.clause)
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
    if prize.kind == "liquor" and prize.liquor_ml <= 0:
        refuse("floor.prize", "A prize of liquor says how much it is.", most.clause)
    if prize.liquor_ml > most.value * 1_000:
        refuse("floor.prize", f"No prize holds more than {most.value} litres of liquor.", most.clause)


def _check_alternative(rules: Promotions, offer: Offer, prize: Prize) -> None:
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


@act("speak_up", house_wide=True, for_oneself=True)
class EnterPromotion(FloorCommand):
    """Take part."""

    promotion: str
    person: str

    def decide(self, ctx: Context) -> Acted:
        """Anybody who may play takes part until the entries close, once."""
        rules, promotion = standing(ctx, self.promotion, "open")
        need("who takes part", self.person)
        who = folded(self.person)
        if who in ctx.floor.barred:
            refuse("floor.barred", f"{self.person} may not play here, and so takes no part.", ctx.floor.barred[who])
        if instant(ctx.now) > instant(promotion.offer.closes) or who in promotion.entrants:
            refuse("floor.entry", "The entries have closed, or this person has entered.", rules.terms_by)
        return Acted((PromotionEntered(self.promotion, self.person),))


@event("{person} takes part in {promotion}.")
class PromotionEntered(FloorEvent):
    promotion: str
    person: str

    def after(self, floor: Floor) -> Floor:
        entered = floor.promotions[self.promotion].entrants
        return changed(floor, self.promotion, entrants=(*entered, folded(self.person)))


@act("work_the_floor", two_people=True, house_wide=True)
class DrawPrize(FloorCommand):
    """Say who has won a prize."""

    promotion: str
    prize: int
    winner: str
    scrutineer: str = ""  # who watched the draw for the house; left out, it is the second of the two people
    standing: str = ""  # what an outsider who watched it is: a solicitor, an officer of the Authority
    second: str = ""

    def decide(self, ctx: Context) -> Acted:
        """A prize goes to one of the entrants, before a scrutineer where a prize is worth enough."""
        rules, promotion = standing(ctx, self.promotion, "open")
        over = rules.scrutineer_over
        ctx.supervisors_only(over.clause)
        self._check_prize(ctx, promotion)
        dear = any(prize.value > over.value * ctx.layout.minor_per_unit for prize in promotion.offer.prizes)
        watched_by = self.scrutineer or self.second
        if dear or watched_by:
            self._check_scrutineer(ctx, watched_by, over.clause)
        who = (self.promotion, self.prize, self.winner, watched_by, ctx.now, ctx.by.name)
        return Acted((PrizeDrawn(*who, over.clause, self.standing, self.second),))

    def _check_scrutineer(self, ctx: Context, watched_by: str, clause: ClauseId) -> None:
        """The second person watches a draw, or an outsider for whom both vouch."""
        drawer, winner, second = folded(ctx.by.name), folded(self.winner), folded(self.second)
        if second in ("", drawer, winner) or folded(watched_by) in (drawer, winner):
            no = "A second person of the house watches a draw, or somebody for whom two vouch: not the winner."
            refuse("floor.scrutineer", no, clause)
        if folded(watched_by) != second:
            need("what the scrutineer is", self.standing, clause)

    def _check_prize(self, ctx: Context, promotion: Promotion) -> None:
        if not 1 <= self.prize <= len(promotion.offer.prizes) or self.prize in promotion.drawn:
            refuse("floor.prize", f"There is no prize {self.prize} that waits for its winner.")
        if instant(ctx.now) < instant(promotion.offer.closes):
            refuse("floor.not_due", f"Entries are taken until {promotion.offer.closes}.")
        if folded(self.winner) not in promotion.entrants:
            refuse("floor.entry", "That person has not entered.")
        if folded(self.winner) == folded(ctx.by.name):
            refuse("floor.role", "Nobody draws a prize for themselves.")


@frozen
class PrizeEvent(FloorEvent):
    """What is written of a prize and whoever has won it."""

    promotion: str
    prize: int
    winner: str

    because = "{promotion}, prize {prize}: {winner}"


@event(significant="prize drawn")
class PrizeDrawn(PrizeEvent):
    """A prize has its winner."""

    scrutineer: str
    at: str
    by: str
    clause: ClauseId
    standing: str  # what an outsider who watched it is
    second: str

    def after(self, floor: Floor) -> Floor:
        drawn = {**floor.promotions[self.promotion].drawn, self.prize: Drawn(self.winner, self.at)}
        return changed(floor, self.promotion, drawn=drawn)

    def say(self, _to: Listener) -> str:
        standing = f" ({self.standing})" if self.standing else ""
        watched = f", watched by {self.scrutineer}{standing}" if self.scrutineer else ""
        return f"prize {self.prize} of {self.promotion} goes to {self.winner}{watched}."


@act("work_the_floor", house_wide=True)
class NotifyWinner(FloorCommand):
    """Try to tell a winner."""

    promotion: str
    prize: int
    way: str

    def decide(self, ctx: Context) -> Acted:
        """In a listed way; who did not have to attend, within so many days, or it is a breach."""
        rules, drawn = _drawn(ctx, self.promotion, self.prize)
        days = rules.told_within_days
        ctx.supervisors_only(days.clause)
        if self.way not in rules.told_by:
            refuse("floor.notice", f"A winner is told by {' or '.join(rules.told_by)}.", days.clause)
        late = is_overdue(rules, ctx.floor.promotions[self.promotion], drawn, ctx.now)
        who = (self.promotion, self.prize, drawn.winner, self.way, late, ctx.by.name)
        return Acted((WinnerNotified(*who, rules.told_by[self.way], days.clause),))


@event(significant="winner told late")
class WinnerNotified(PrizeEvent):
    """Somebody tried to tell a winner."""

    way: str
    late: bool  # whether it was too late, which is a breach
    by: str
    clause: ClauseId
    within: ClauseId  # the clause on how soon

    def after(self, floor: Floor) -> Floor:
        return _won(floor, self.promotion, self.prize, notified=True)

    def say(self, _to: Listener) -> str:
        late = ", too late" if self.late else ""
        return f"{self.by} tells {self.winner} of prize {self.prize} by {self.way}{late}."

    def is_significant(self) -> bool:
        return self.late


@act("work_the_floor", two_people=True, house_wide=True)
class AwardPrize(FloorCommand):
    """Give a prize to its winner; money is given by two people."""

    promotion: str
    prize: int
    paid: tuple[tuple[str, Chips], ...] = ()  # how money is paid, and how much in each way
    chosen_by: Chooser = "house"
    instead: bool = False  # whether the winner takes the money in the place of the thing
    second: str = ""

    def takes_two(self, _layout: Layout) -> bool:
        return bool(self.paid)

    def decide(self, ctx: Context) -> Acted:
        """The thing, the money offered in its place, or the money as it is chosen."""
        rules, drawn = _drawn(ctx, self.promotion, self.prize)
        prize = ctx.floor.promotions[self.promotion].offer.prizes[self.prize - 1]
        ctx.supervisors_only(rules.choice.clause)
        if drawn.awarded:
            refuse("floor.prize", f"{drawn.winner} has that prize.")
        self._check_payment(ctx, rules, prize)
        clause = rules.cash_alternative if self.instead else rules.choice.clause
        how = (self.promotion, self.prize, drawn.winner, self.paid, self.chosen_by, self.instead)
        return Acted((PrizeAwarded(*how, ctx.by.name, clause),))

    def _check_payment(self, ctx: Context, rules: Promotions, prize: Prize) -> None:
        clause, paid = rules.choice.clause, sum(amount for _, amount in self.paid)
        if self.instead and not prize.cash_alternative:
            refuse("floor.payment", "No money was offered in the place of that prize.", rules.cash_alternative)
        due = prize.cash_alternative if self.instead else prize.value if prize.kind == "cash" else 0
        if paid != due or any(amount <= 0 for _, amount in self.paid):
            refuse("floor.payment", f"The winner is due {ctx.layout.money(due)} in money.", clause)
        if any(way not in rules.choice.value for way, _ in self.paid):
            refuse("floor.payment", f"Money is paid by {' or '.join(rules.choice.value)}.", clause)
        dear = prize.kind == "cash" and prize.value > rules.choice_over.value * ctx.layout.minor_per_unit
        if dear and self.chosen_by != "winner":
            refuse("floor.payment", "The winner chooses how this prize is paid.", rules.choice_over.clause)


@event(significant="prize awarded")
class PrizeAwarded(PrizeEvent):
    """A winner has the prize."""

    paid: tuple[tuple[str, int], ...]
    chosen_by: Chooser
    instead: bool
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return _won(floor, self.promotion, self.prize, awarded=True)

    def say(self, to: Listener) -> str:
        paid = " and ".join(f"{to.money(amount)} by {way}" for way, amount in self.paid)
        return f"{self.winner} has prize {self.prize} of {self.promotion}{f': {paid}' if paid else ''}."


@act("work_the_floor", house_wide=True)
class RefuseClaim(FloorCommand):
    """Refuse a prize to somebody who claims it."""

    promotion: str
    claimant: str
    value: Chips
    reason: str
    told: bool  # whether the claimant has been told the reason
    address: str = ""

    def decide(self, ctx: Context) -> Acted:
        """Whoever is refused is told why; above a value, who they are and where they live is kept too."""
        rules, _ = standing(ctx, self.promotion, "open", "postponed", "cancelled")
        ctx.supervisors_only(rules.reasons)
        need("who claims it", self.claimant, rules.reasons)
        need("why the claim is refused", self.reason, rules.reasons)
        if not self.told:
            refuse("floor.claim", "Whoever is refused a prize is told the reason first.", rules.reasons)
        over = self.value > rules.kept_over.value * ctx.layout.minor_per_unit
        if over:
            need("where the claimant lives", self.address, rules.kept_over.clause)
        claim = (self.promotion, self.claimant, self.address, self.value, self.reason, over)
        return Acted((ClaimRefused(*claim, ctx.by.name, rules.kept_over.clause if over else rules.reasons),))


@event(
    "{claimant} is refused a prize of {promotion} and told why: {reason}.",
    significant="claim refused",
    why="{promotion}, {claimant}: {reason}",
)
class ClaimRefused(FloorEvent):
    promotion: str
    claimant: str
    address: str
    value: Chips
    reason: str
    kept: bool  # whether the details have to be kept
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        if not self.kept:
            return floor
        claim = Claim(self.claimant, self.address, self.value, self.reason)
        return changed(floor, self.promotion, refused=(*floor.promotions[self.promotion].refused, claim))


def _drawn(ctx: Context, name: str, prize: int) -> tuple[Promotions, Drawn]:
    """A prize that has its winner, of a promotion that can be trusted."""
    rules, promotion = rules_of(ctx), ctx.floor.promotions.get(name)
    drawn = promotion.drawn.get(prize) if promotion is not None else None
    if promotion is None or drawn is None:
        refuse("floor.prize", f"No prize {prize} of that name has been drawn.")
    if promotion.stands != "open":
        refuse("floor.promotion", f"{name} is {promotion.stands}.", rules.remedies.clause)
    return rules, drawn


def _won(floor: Floor, name: str, prize: int, **changes: bool) -> Floor:
    drawn = floor.promotions[name].drawn
    return changed(floor, name, drawn={**drawn, prize: drawn[prize]._replace(**changes)})  # type: ignore[arg-type]


def is_overdue(rules: Promotions, promotion: Promotion, drawn: Drawn, now: str) -> bool:
    """Whether a winner who did not have to attend should have been told by now, and has not been."""
    waits = not promotion.offer.must_attend and not drawn.notified
    return waits and instant(now) // DAY - instant(drawn.at) // DAY > rules.told_within_days.value
