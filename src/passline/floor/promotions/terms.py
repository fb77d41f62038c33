"""What a promotion must be and say before it is on the register: its prizes, its terms, where they can be had."""

from __future__ import annotations

from passline.engine.promotion_rules import Promotions
from passline.engine.refusals import Refusal
from passline.floor.clock import instant, is_time
from passline.floor.names import is_said
from passline.floor.promotions.state import Offer, Prize
from passline.floor.refusals import no

ML_IN_A_LITRE = 1_000
ALTERNATIVE, WAGER = "cash alternative", "compulsory wager"
"""What the terms call a choice of money, and a wager that has to be made."""


def wrong_with(rules: Promotions, offer: Offer) -> Refusal | None:
    """Why something cannot be offered like this, if it cannot: the first thing that is wrong."""
    if not offer.with_gaming:
        return no("floor.offer", "A promotional prize goes with gaming.", rules.offered)
    if offer.given_by not in rules.given_by.value:
        how = " or ".join(rules.given_by.value)
        return no("floor.offer", f"A promotional prize is given by {how}.", rules.given_by.clause)
    if not offer.prizes:
        return no("floor.offer", "A promotion has a prize.", rules.offered)
    if not (is_time(offer.starts) and is_time(offer.closes)) or instant(offer.closes) < instant(offer.starts):
        return no("floor.time", "A promotion starts, and closes for entries afterwards.", rules.offered)
    for prize in offer.prizes:
        refused = _banned(rules, prize) or _alternative(rules, offer, prize)
        if refused:
            return refused
    return _unsaid(rules, offer)


def _banned(rules: Promotions, prize: Prize) -> Refusal | None:
    """Whether a prize is among what no prize may be."""
    if prize.value <= 0 or not is_said(prize.item):
        return no("floor.prize", "A prize is something, and is worth something.", rules.banned_by)
    if prize.kind in rules.banned:
        return no("floor.prize", f"No prize may be this: {prize.kind}.", rules.banned[prize.kind])
    if prize.item in rules.prescribed.value:
        return no("floor.prize", f"The regulations forbid it as a prize: {prize.item}.", rules.prescribed.clause)
    if prize.liquor_ml > rules.liquor_litres.value * ML_IN_A_LITRE:
        most = rules.liquor_litres
        return no("floor.prize", f"No prize holds more than {most.value} litres of liquor.", most.clause)
    return None


def _alternative(rules: Promotions, offer: Offer, prize: Prize) -> Refusal | None:
    """Whether money in the place of a thing is offered as it may be."""
    if not prize.cash_alternative:
        return None
    without = rules.no_cash_alternative
    if prize.kind == "cash" or prize.cash_alternative < 0:
        return no("floor.prize", "Money is offered in the place of a thing.", rules.cash_alternative)
    if prize.kind in without.value:
        return no("floor.prize", f"There is no money in the place of {prize.kind}.", without.clause)
    if not is_said(offer.terms.get(ALTERNATIVE, "")):
        return _missing(ALTERNATIVE, rules.alternative_in_terms)
    return None


def _unsaid(rules: Promotions, offer: Offer) -> Refusal | None:
    """What the terms do not say, or nobody could read."""
    for item, clause in rules.terms.items():
        if not is_said(offer.terms.get(item, "")):
            return _missing(item, clause)
    if offer.compulsory_wager and not is_said(offer.terms.get(WAGER, "")):
        return _missing(WAGER, rules.compulsory_wager)
    for prize in offer.prizes:
        for item, clause in rules.details.get(prize.kind, {}).items():
            if not is_said(prize.details.get(item, "")):
                return _missing(f"{item} of {prize.item}", clause)
    if not is_said(offer.marketing):
        return no("floor.terms", "The marketing says where the terms are.", rules.marketing)
    if not any(map(is_said, offer.channels)):
        return no("floor.terms", "Say where the terms can be had.", rules.channels)
    return None


def _missing(item: str, clause: object) -> Refusal:
    return no("floor.terms", f"The terms do not say this: {item}.", clause)  # type: ignore[arg-type]
