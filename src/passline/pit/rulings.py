"""Whose ruling a dispute is about: the last void, correction or face ruled on since the roll before it was raised."""

from __future__ import annotations

from passline.floor.names import folded
from passline.journal.contract import Journal
from passline.journal.entries import Entry, read_entry

RULINGS = ("command.rule_face", "command.call_no_roll", "floor.invalidate")
"""Commands by which somebody rules on a roll."""


def ruled_by(journal: Journal, table: str, dispute: int) -> frozenset[str]:
    """Who made the last ruling before a dispute was raised, as names are folded; a roll ends what was ruled."""
    people: frozenset[str] = frozenset()
    for entry in map(read_entry, journal.lines(table)):
        if any(each.get("dispute") == dispute for each in entry.body.get("floor", ())):
            return people
        people = _rulers(entry) or (people if entry.kind != "rolled" else frozenset())
    return frozenset()


def _rulers(entry: Entry) -> frozenset[str]:
    """Who rules by this entry, alone or together."""
    command = entry.body.get("command")
    said = command if isinstance(command, dict) else {}
    if entry.kind == "refused" or not (entry.kind in ("roll_voided", "corrected") or said.get("kind") in RULINGS):
        return frozenset()
    named = entry.body.get("people") or (entry.actor, said.get("second") or "")
    return frozenset(filter(None, map(folded, named)))
