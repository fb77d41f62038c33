"""The words that a house knows for what somebody is asked, by the field they are said in."""

from __future__ import annotations

from passline.engine.layout import Layout
from passline.floor.conduct import BY_ANY_HOUSE
from passline.floor.promotions.state import Offer, Prize
from passline.floor.voiding import FRAUD


def choices(layout: Layout) -> dict[str, list[str]]:
    """By field, what the house's book has for it; a field that is not here takes any words."""
    book, rules = layout.book, layout.book.floor
    found = {
        "wager": list(layout.spots),
        "title": list(rules.titles),
        "breach": list(rules.conduct),
        "measure": list(rules.sanctions) or list(BY_ANY_HOUSE),
    }
    if rules.voiding is not None:
        found["cause"] = [*rules.voiding.causes.value, FRAUD]
    if rules.handed_to is not None:
        found["to"] = list(rules.handed_to.value)
    if book.promotions is not None:
        found |= {"way": list(book.promotions.told_by), "remedy": list(book.promotions.remedies.value)}
        found["paid"] = list(book.promotions.choice.value)
    return found


def blank_offer(layout: Layout) -> Offer | None:
    """A promotion to be filled in: every term that the house's book wants said; None where it has no promotions."""
    rules = layout.book.promotions
    if rules is None:
        return None
    return Offer(rules.given_by.value[0], (Prize("cash", "money", 0),), dict.fromkeys(rules.terms, ""), "", (), "", "")
