"""Entries, draws, notice to winners, prizes given and claims refused."""

from __future__ import annotations

from passline.engine.promotion_rules import Promotions
from passline.engine.refusals import Refusal
from passline.floor.asking import Acted, Ask, FloorAnswer, unsaid
from passline.floor.clock import DAY, instant
from passline.floor.names import folded
from passline.floor.promotions import commands as p
from passline.floor.promotions import events as e
from passline.floor.promotions.running import standing
from passline.floor.promotions.state import Drawn, Prize, Promotion
from passline.floor.refusals import no


def enter(ask: Ask, rules: Promotions, command: p.EnterPromotion) -> FloorAnswer:
    """Anybody takes part until the entries close, once."""
    promotion = standing(ask, command.promotion, "open")
    if isinstance(promotion, Refusal):
        return promotion
    refused = unsaid("who takes part", command.person)
    if refused:
        return refused
    if instant(ask.now) > instant(promotion.offer.closes) or folded(command.person) in promotion.entrants:
        said = "The entries have closed, or this person has entered."
        return no("floor.entry", said, rules.terms_by)
    return Acted((e.PromotionEntered(command.promotion, command.person),))


def draw(ask: Ask, rules: Promotions, command: p.DrawPrize) -> FloorAnswer:
    """A prize goes to one of the entrants, before a scrutineer where a prize is worth enough."""
    promotion = standing(ask, command.promotion, "open")
    if isinstance(promotion, Refusal):
        return promotion
    over = rules.scrutineer_over
    refused = ask.supervisors_only(over.clause) or _undrawable(ask, promotion, command)
    if refused:
        return refused
    dear = any(prize.value > over.value * ask.layout.grain for prize in promotion.offer.prizes)
    if dear and folded(command.scrutineer) in ("", folded(ask.by.name)):
        return no("floor.scrutineer", "A scrutineer named by the house watches this draw.", over.clause)
    said = (command.promotion, command.prize, command.winner, command.scrutineer, ask.now, ask.by.name)
    return Acted((e.PrizeDrawn(*said, over.clause),))


def _undrawable(ask: Ask, promotion: Promotion, command: p.DrawPrize) -> Refusal | None:
    """Why this prize cannot go to that person now, if it cannot."""
    if not 1 <= command.prize <= len(promotion.offer.prizes) or command.prize in promotion.drawn:
        return no("floor.prize", f"There is no prize {command.prize} that waits for its winner.")
    if instant(ask.now) < instant(promotion.offer.closes):
        return no("floor.not_due", f"Entries are taken until {promotion.offer.closes}.")
    if folded(command.winner) not in promotion.entrants:
        return no("floor.entry", "That person has not entered.")
    return None


def notify(ask: Ask, rules: Promotions, command: p.NotifyWinner) -> FloorAnswer:
    """A winner is told in a listed way; who did not have to attend, within so many days, or it is a breach."""
    days, drawn = rules.told_within_days, _drawn(ask, command.promotion, command.prize)
    if isinstance(drawn, Refusal):
        return drawn
    refused = ask.supervisors_only(days.clause)
    if refused:
        return refused
    if command.way not in rules.told_by:
        return no("floor.notice", f"A winner is told by {' or '.join(rules.told_by)}.", days.clause)
    waits = not ask.floor.promotions[command.promotion].offer.must_attend and not drawn.notified
    late = waits and instant(ask.now) // DAY - instant(drawn.at) // DAY > days.value
    said = (command.promotion, command.prize, drawn.winner, command.way, late, ask.by.name)
    return Acted((e.WinnerNotified(*said, rules.told_by[command.way], days.clause),))


def award(ask: Ask, rules: Promotions, command: p.AwardPrize) -> FloorAnswer:
    """A winner gets the prize: the thing, the money offered in its place, or the money as it is chosen."""
    drawn = _drawn(ask, command.promotion, command.prize)
    if isinstance(drawn, Refusal):
        return drawn
    prize = ask.floor.promotions[command.promotion].offer.prizes[command.prize - 1]
    refused = ask.supervisors_only(rules.choice.clause)
    if not refused and drawn.awarded:
        refused = no("floor.prize", f"{drawn.winner} has that prize.")
    refused = refused or _wrongly_paid(ask, rules, prize, command)
    if refused:
        return refused
    clause = rules.cash_alternative if command.instead else rules.choice.clause
    said = (command.promotion, command.prize, drawn.winner, command.paid, command.chosen_by, command.instead)
    return Acted((e.PrizeAwarded(*said, ask.by.name, clause),))


def _wrongly_paid(ask: Ask, rules: Promotions, prize: Prize, command: p.AwardPrize) -> Refusal | None:
    """Why a prize is not paid like that, if it is not."""
    clause, paid = rules.choice.clause, sum(amount for _, amount in command.paid)
    if command.instead and not prize.cash_alternative:
        return no("floor.payment", "No money was offered in the place of that prize.", rules.cash_alternative)
    due = prize.cash_alternative if command.instead else prize.value if prize.kind == "cash" else 0
    if paid != due or any(amount <= 0 for _, amount in command.paid):
        return no("floor.payment", f"The winner is due {ask.layout.money(due)} in money.", clause)
    if any(way not in rules.choice.value for way, _ in command.paid):
        return no("floor.payment", f"Money is paid by {' or '.join(rules.choice.value)}.", clause)
    if prize.kind != "cash":
        return None
    chooses = "winner" if prize.value > rules.choice_over.value * ask.layout.grain else "house"
    if command.chosen_by != chooses:
        return no("floor.payment", f"The {chooses} chooses how this prize is paid.", rules.choice_over.clause)
    return None


def refuse_claim(ask: Ask, rules: Promotions, command: p.RefuseClaim) -> FloorAnswer:
    """Whoever is refused a prize is told why; above a value, who they are and where they live is kept too."""
    promotion = standing(ask, command.promotion, "open", "postponed", "cancelled")
    if isinstance(promotion, Refusal):
        return promotion
    refused = (
        ask.supervisors_only(rules.reasons)
        or unsaid("who claims it", command.claimant, rules.reasons)
        or unsaid("why the claim is refused", command.reason, rules.reasons)
    )
    if refused:
        return refused
    if not command.told:
        return no("floor.claim", "Whoever is refused a prize is told the reason first.", rules.reasons)
    kept = command.value > rules.kept_over.value * ask.layout.grain
    if kept and (refused := unsaid("where the claimant lives", command.address, rules.kept_over.clause)):
        return refused
    said = (command.promotion, command.claimant, command.address, command.value, command.reason, kept)
    return Acted((e.ClaimRefused(*said, ask.by.name, rules.kept_over.clause if kept else rules.reasons),))


def _drawn(ask: Ask, name: str, prize: int) -> Drawn | Refusal:
    """A prize that has its winner."""
    promotion = ask.floor.promotions.get(name)
    found = promotion.drawn.get(prize) if promotion is not None else None
    return found or no("floor.prize", f"No prize {prize} of that name has been drawn.")
