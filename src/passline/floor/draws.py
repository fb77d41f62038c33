"""Entries, draws, notice to winners, prizes given and claims refused."""

from typing import Literal

from passline.engine.floor_rules import Promotions
from passline.engine.layout import Layout
from passline.engine.refusals import refuse
from passline.engine.values import Chips, ClauseId, frozen
from passline.floor.acts import Acted, Context, FloorCommand, FloorEvent, Listener, act, event, need
from passline.floor.clock import DAY, instant
from passline.floor.names import folded
from passline.floor.promotions import changed, rules_of, standing
from passline.floor.state import Claim, Drawn, Floor, Prize, Promotion

Chooser = Literal["winner", "house"]  # who says how a prize is paid


@act("speak_up", house_wide=True, for_oneself=True)
class EnterPromotion(FloorCommand):
    """Take part."""

    promotion: str
    person: str

    def decide(self, ctx: Context) -> Acted:
        """Anybody who may play takes part until the entries close, once."""
        rules = rules_of(ctx)
        promotion = standing(ctx, self.promotion, "open")
        need("who takes part", self.person)
        if folded(self.person) in ctx.floor.barred:
            no = f"{self.person} may not play here, and so takes no part."
            refuse("floor.barred", no, ctx.floor.barred[folded(self.person)])
        if instant(ctx.now) > instant(promotion.offer.closes) or folded(self.person) in promotion.entrants:
            refuse("floor.entry", "The entries have closed, or this person has entered.", rules.terms_by)
        return Acted((PromotionEntered(self.promotion, self.person),))


@event("{person} takes part in {promotion}.")
class PromotionEntered(FloorEvent):
    promotion: str
    person: str

    def after(self, floor: Floor) -> Floor:
        entrants = (*floor.promotions[self.promotion].entrants, folded(self.person))
        return changed(floor, self.promotion, entrants=entrants)


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
        rules = rules_of(ctx)
        promotion = standing(ctx, self.promotion, "open")
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
        rules = rules_of(ctx)
        days, drawn = rules.told_within_days, _drawn(ctx, rules, self.promotion, self.prize)
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
        rules = rules_of(ctx)
        drawn = _drawn(ctx, rules, self.promotion, self.prize)
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
            no = "No money was offered in the place of that prize."
            refuse("floor.payment", no, rules.cash_alternative)
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
        rules = rules_of(ctx)
        standing(ctx, self.promotion, "open", "postponed", "cancelled")
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


def _drawn(ctx: Context, rules: Promotions, name: str, prize: int) -> Drawn:
    """A prize that has its winner, of a promotion that can be trusted."""
    promotion = ctx.floor.promotions.get(name)
    drawn = promotion.drawn.get(prize) if promotion is not None else None
    if promotion is None or drawn is None:
        refuse("floor.prize", f"No prize {prize} of that name has been drawn.")
    if promotion.stands != "open":
        refuse("floor.promotion", f"{name} is {promotion.stands}.", rules.remedies.clause)
    return drawn


def _won(floor: Floor, name: str, prize: int, **changes: bool) -> Floor:
    drawn = floor.promotions[name].drawn
    return changed(floor, name, drawn={**drawn, prize: drawn[prize]._replace(**changes)})  # type: ignore[arg-type]


def is_overdue(rules: Promotions, promotion: Promotion, drawn: Drawn, now: str) -> bool:
    """Whether a winner who did not have to attend should have been told by now, and has not been."""
    waits = not promotion.offer.must_attend and not drawn.notified
    return waits and instant(now) // DAY - instant(drawn.at) // DAY > rules.told_within_days.value
