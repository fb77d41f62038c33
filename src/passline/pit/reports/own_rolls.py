"""Somebody's own last rolls at a table, for programs: dice, what was up, and their money before and after."""

from __future__ import annotations

from collections import deque
from typing import Any

from passline.engine.events import DiceThrown
from passline.journal.contract import Journal
from passline.live.state import Moment
from passline.pit.history import History
from passline.pit.reports.recall import funds

ROLLS_MAX = 50
"""How many rolls are told again."""


def last_rolls(journal: Journal, table: str, person: str, most: int = ROLLS_MAX) -> list[dict[str, Any]]:
    """The last rolls while somebody sat there: dice, what was up, what each wager came to, money before and after."""
    seats: dict[int, str] = {}
    found: deque[dict[str, Any]] = deque(maxlen=most)
    for moment in History(journal, table).more():
        entry = moment.entry
        command = entry.body.get("command") or {}
        if entry.kind == "acted" and command.get("kind") == "command.sit":
            seats[command["seat"]] = entry.actor
        if entry.kind in ("rolled", "roll_voided", "corrected"):
            for seat in (each for each, who in seats.items() if who == person):
                if seat in moment.before.table.seats:
                    found.append(_roll(moment, seat))
    return list(found)


def _roll(moment: Moment, seat: int) -> dict[str, Any]:
    entry = moment.entry
    before, after = (each.table.seats.get(seat) for each in (moment.before, moment.after))
    thrown = next((event for event in moment.events if isinstance(event, DiceThrown)), None)
    assert before is not None, "they sat there"
    cashed = sum(event.get("held", 0) for event in _mine(entry.body, seat) if event["kind"] == "event.seat_cleared")
    return {
        "sequence": entry.sequence,
        "time": entry.time,
        "kind": entry.kind,
        "reason": entry.body.get("reason"),
        "roll": entry.body.get("roll"),
        "dice": [thrown.first, thrown.second] if thrown else None,
        "puck": moment.before.table.puck,
        "seat": seat,
        "up": {key: wager.stake for key, wager in before.felt.items()},
        "events": _mine(entry.body, seat),
        "funds_before": funds(before),
        "funds_after": funds(after) + (cashed if after is None else 0),
    }


def _mine(body: dict[str, Any], seat: int) -> list[dict[str, Any]]:
    return [event for event in body.get("events", ()) if event.get("seat") == seat]
