"""Who may play at no table of the house, and what of one floor holds at every other."""

from __future__ import annotations

from collections.abc import Iterable

from passline.floor.asking import Acted, Ask, FloorAnswer, about_oneself, unsaid
from passline.floor.closing import CREW
from passline.floor.commands import Exclude, ExcludeOneself, Readmit
from passline.floor.events import FloorEvent, PersonExcluded, PersonReadmitted, SanctionImposed
from passline.floor.names import folded
from passline.floor.refusals import no

EXCLUDING = ("bar", "exclude")
"""The sanctions after which somebody plays nowhere in the house."""


def everywhere(events: Iterable[FloorEvent]) -> tuple[PersonExcluded | PersonReadmitted, ...]:
    """What of this holds at every table of the house, as any floor can hear it."""
    found: list[PersonExcluded | PersonReadmitted] = []
    for event in events:
        if isinstance(event, PersonExcluded | PersonReadmitted):
            found.append(event)
        elif isinstance(event, SanctionImposed) and event.measure in EXCLUDING:
            found.append(PersonExcluded(event.person, event.reason, event.by, event.second, event.clause))
    return tuple(found)


def exclude(ask: Ask, command: Exclude) -> FloorAnswer:
    """A supervisor keeps somebody from playing; no book has to say so, and somebody says why."""
    refused = (
        ask.supervisors_only(None)
        or unsaid("who may not play", command.person)
        or unsaid("why they may not play", command.reason)
        or about_oneself(command.second, command.person)
    )
    said = (command.person, command.reason, ask.by.name, command.second, None)
    return refused or Acted((PersonExcluded(*said),))


def exclude_oneself(ask: Ask, command: ExcludeOneself) -> FloorAnswer:
    """Whoever does not want to play any more says so; the crew takes it down for them."""
    refused = unsaid("who will not play", command.person) or unsaid("what they said", command.reason)
    if not refused and folded(command.person) != folded(ask.by.name):
        refused = ask.only(CREW, None)
    said = (command.person, command.reason, ask.by.name, "", None)
    return refused or Acted((PersonExcluded(*said),))


def readmit(ask: Ask, command: Readmit) -> FloorAnswer:
    """A supervisor lets somebody play again, for a reason; nobody lets themselves."""
    refused = ask.supervisors_only(None) or unsaid("why they may play again", command.reason)
    if refused:
        return refused
    who = folded(command.person)
    if who not in ask.floor.barred:
        return no("floor.not_refused", f"{command.person} is not kept from playing.")
    if who in (folded(ask.by.name), folded(command.second)):
        return no("floor.role", "Nobody lets themselves play again.")
    said = (command.person, command.reason, ask.by.name, command.second)
    return Acted((PersonReadmitted(*said),))
