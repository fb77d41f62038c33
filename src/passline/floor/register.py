"""The floor asked, and the floor after: every family of acts read, so that the registers are whole."""

from collections.abc import Iterable
from dataclasses import fields

from passline.engine.layout import Layout
from passline.engine.refusals import Refusal, Refused
from passline.engine.table import TableState
from passline.floor import bank, cage, conduct, disputes, draws, promotions, seats, service, signs, staff, voids
from passline.floor.acts import ACTS, EVENTS, Acted, Context, FloorCommand, FloorEvent, Officer
from passline.floor.state import Floor, Offer, Prize

# Where acts are looked for; a new family is a new name here.
FAMILIES = (staff, signs, seats, voids, disputes, conduct, service, promotions, draws, cage, bank)

__all__ = ["ACTS", "EVENTS", "FAMILIES", "blank_offer", "choices", "decide", "evolve"]


def decide(layout: Layout, floor: Floor, table: TableState, command: FloorCommand, by: Officer) -> Acted | Refusal:
    try:
        return command.decide(Context(layout, floor, table, by))
    except Refused as error:
        return error.refusal


def evolve(floor: Floor, events: Iterable[FloorEvent]) -> Floor:
    for event in events:
        floor = event.after(floor)
    return floor


def choices(layout: Layout, kind: str) -> dict[str, list[str]]:
    """By field of an act: the words that the house's book has for it; a field that is not here takes any words."""
    named = {each.name for each in fields(ACTS[kind])}  # type: ignore[arg-type]
    book, rules = layout.book, layout.book.floor
    words = {
        "wager": list(layout.spots),
        "title": list(rules.titles),
        "breach": list(rules.conduct),
        "measure": list(rules.sanctions) or list(conduct.BY_ANY_HOUSE),
    }
    if rules.voiding is not None:
        words["cause"] = [*rules.voiding.causes.value, voids.FRAUD]
    if rules.handed_to is not None:
        words["to"] = list(rules.handed_to.value)
    if book.promotions is not None:
        words |= {"way": list(book.promotions.told_by), "remedy": list(book.promotions.remedies.value)}
        words["paid"] = list(book.promotions.choice.value)
        prizes = [each for each in promotions.KINDS if each not in book.promotions.banned]
        return {name: words[name] for name in words if name in named} | ({"kind": prizes} if "offer" in named else {})
    return {name: words[name] for name in words if name in named}


def blank_offer(layout: Layout) -> Offer | None:
    """A promotion to be filled in: every term that the house's book wants; None where it has no promotions."""
    rules = layout.book.promotions
    if rules is None:
        return None
    return Offer(rules.given_by.value[0], (Prize("cash", "money", 0),), dict.fromkeys(rules.terms, ""), "", (), "", "")
