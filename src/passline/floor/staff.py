"""Who is on duty, and as what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.floor.asking import Acted, unsaid
from passline.floor.events import CameOnDuty, WentOffDuty
from passline.floor.names import folded
from passline.floor.refusals import no

if TYPE_CHECKING:
    from passline.engine.book import Book
    from passline.engine.floor_rules import Title
    from passline.floor.asking import Ask, FloorAnswer
    from passline.floor.commands import ComeOnDuty, GoOffDuty

SCOPES = ("table", "pit", "gaming floor")
"""How far people of the house watch, the widest last; the state's people are in no such order."""


def come_on_duty(ask: Ask, command: ComeOnDuty) -> FloorAnswer:
    """Everybody comes on duty as what they work as; a supervisor puts others on duty, up to their own rank."""
    title = ask.rules.titles.get(command.title)
    if title is None:
        known = ", ".join(ask.rules.titles) or "none"
        return no("floor.title", f"{ask.book.name} has no title {command.title}; it has {known}.")
    refused = unsaid("who comes on duty", command.person, title.clause)
    if refused:
        return refused
    own = folded(command.person) == folded(ask.by.name) and title.value.role == ask.by.role
    if not own:
        refused = ask.supervisors_only(title.clause)
        if refused:
            return refused
        if rank(ask.book, title.value, title.value.role) > own_rank(ask):
            return no("floor.title", f"Nobody is made {command.title} by somebody of lower rank.", title.clause)
    return Acted((CameOnDuty(command.person, command.title, title.value.role, title.clause),))


def go_off_duty(ask: Ask, command: GoOffDuty) -> FloorAnswer:
    """A supervisor sends anybody off duty, and everybody themselves."""
    title = ask.floor.duty.get(folded(command.person))
    if title is None:
        return no("floor.title", f"{command.person} is not on duty here.")
    own = folded(command.person) == folded(ask.by.name)
    refused = None if own else ask.supervisors_only(ask.rules.supervisors.clause)
    return refused or Acted((WentOffDuty(command.person, title),))


def own_rank(ask: Ask) -> tuple[int, int]:
    """How high whoever asks stands in the house."""
    title = ask.rules.titles.get(ask.title)
    return rank(ask.book, title.value if title else None, ask.by.role)


def rank(book: Book, title: Title | None, role: str) -> tuple[int, int]:
    """How high somebody stands in the house, to be compared: what they work as first, then how far they watch."""
    step = 0 if role not in book.floor.supervisors.value else 1 + book.floor.supervisors.value.index(role)
    wide = SCOPES.index(title.scope) if title is not None and title.scope in SCOPES else 0
    return step, wide
