"""The floor asked, and the floor after: every family of acts read, so that the registers are whole."""

from collections.abc import Iterable
from dataclasses import fields

from passline.engine.layout import Layout
from passline.engine.refusals import Refusal, Refused
from passline.engine.table import TableState
from passline.floor import cage, conduct, disputes, promotions, seats, signs, staff, voids
from passline.floor.acts import ACTS, EVENTS, Acted, Context, FloorCommand, FloorEvent, Officer
from passline.floor.state import Floor, Offer, Prize

# Where acts are looked for; a new family is a new name here.
FAMILIES = (staff, signs, seats, voids, disputes, conduct, promotions, cage)

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
    book, habits = layout.book, layout.book.floor
    words = {
        "wager": list(layout.spots),
        "title": list(habits.titles),
        "breach": list(habits.conduct),
        "measure": list(habits.sanctions) or list(conduct.BY_ANY_HOUSE),
    }
    if habits.voiding is not None:
        words["cause"] = [*habits.voiding.causes.value, voids.FRAUD]
    if habits.handed_to is not None:
        words["to"] = list(habits.handed_to.value)
    rules = book.promotions
    if rules is not None:
        words |= {"way": list(rules.told_by), "remedy": list(rules.remedies.value), "paid": list(rules.choice.value)}
    chosen = {name: words[name] for name in words if name in named}
    if rules is not None and "offer" in named:
        chosen["kind"] = [each for each in promotions.KINDS if each not in rules.banned]
        chosen["terms"] = [*rules.terms, promotions.ALTERNATIVE, promotions.WAGER]
        chosen |= {f"details/{kind}": list(details) for kind, details in rules.details.items()}
    return chosen


def blank_offer(layout: Layout) -> Offer | None:
    """A promotion to be filled in: every term that the house's book wants; None where it has no promotions."""
    rules = layout.book.promotions
    if rules is None:
        return None
    return Offer(rules.given_by.value[0], (Prize("cash", "money", 0),), dict.fromkeys(rules.terms, ""), "", (), "", "")
