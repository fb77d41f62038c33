"""What is planned and what was written, held against each other: secrets, reasons, and what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from passline.journal.entries import Entry

if TYPE_CHECKING:
    from passline.pit.plans import Planned


def secrets_of(planned: Sequence[Planned]) -> dict[str, bytes] | None:
    """All that is kept beside the journal with these entries."""
    return {name: value for each in planned if each.secrets for name, value in each.secrets.items()} or None


def command_of(entry: Entry) -> object:
    """What was asked of the engine by an entry."""
    if entry.kind == "roll_voided":
        return next(iter(entry.body["commands"]), None)
    return entry.body.get("command")


def because(planned: Planned, reason: str) -> Planned:
    """An act with the reason that was given for it."""
    if reason and planned.draft.kind == "acted":
        planned.draft.body["reason"] = reason
    return planned


def is_because(entry: Entry, reason: str) -> bool:
    """Whether an act was done for this reason; of what was refused nobody keeps it."""
    return entry.kind != "acted" or entry.body.get("reason", "") == reason


def seed_asked(entry: Entry, kind: str, epoch: int, **given: str) -> bool:
    """Whether an entry is about this seed of this epoch."""
    asked = (entry.body.get("asked") or {}).get(kind) if entry.kind == "refused" else entry.body
    wanted = {"epoch": epoch, **given}
    return isinstance(asked, dict) and all(asked.get(name) in (value, None) for name, value in wanted.items())
