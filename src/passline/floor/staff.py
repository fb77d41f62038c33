"""Who is on duty, and as what."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from passline.engine.book import Book
from passline.engine.floor_rules import Title
from passline.engine.refusals import Refusal
from passline.floor.asking import Acted, Ask, FloorAnswer, unsaid
from passline.floor.commands import ComeOnDuty, GoOffDuty
from passline.floor.events import CameOnDuty, WentOffDuty
from passline.floor.names import folded
from passline.floor.refusals import no

SCOPES = ("table", "pit", "gaming floor")
"""How far people of the house watch, the widest last; the state's people are in no such order."""

FOR_ONESELF = frozenset(
    f"floor.{name}"
    for name in (
        "raise_dispute",
        "ask_review",
        "say_dissatisfied",
        "ask_for_rules",
        "enter_promotion",
        "exclude_oneself",
        "go_off_duty",
    )
)
"""What somebody of the house asks as anybody would: no work."""


def plays_and_works(actor: str, role: str, data: Mapping[str, Any], players: Collection[str]) -> Refusal | None:
    """Why somebody does no work at a table for the house's money: whoever asks, agrees, or comes on duty plays there.

    `data` is what is asked for, `players` are the folded names of those who have a seat. No book says so.
    """
    if role in ("player", "house") or data.get("kind") in FOR_ONESELF:
        return None
    people = (actor, data.get("second") or "", data["person"] if data.get("kind") == "floor.come_on_duty" else "")
    who = next((each for each in people if folded(each) in players), None)
    if who is None:
        return None
    return no("floor.on_duty", f"{who} has a seat at this table for the house's money, and does no work at it.")


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
