"""Whose seat is whose: the seat is of whoever asked for it, and no other player does anything there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from passline.journal.contract import Journal
from passline.journal.entries import Entry, read_entry

if TYPE_CHECKING:
    from passline.pit.live import Live


BOOKED = {
    "command.find_bet": "found on the layout",
    "command.late_bet": "said with the dice in the air",
    "command.take_tokens": "for a voucher",
}
"""What the crew books at somebody's seat, and what it says of it where no reason was given."""


def by_the_crew(entry: Entry) -> str:
    """Who of the crew put somebody's chips up, and why; nothing where the player did."""
    command = entry.body.get("command") or {}
    if entry.kind != "acted" or command.get("kind") not in BOOKED or entry.role == "player":
        return ""
    why = entry.body.get("reason") or BOOKED[command["kind"]]
    return f"{entry.actor} ({entry.role}) booked this for seat {command['seat']}: {why.rstrip('.')}."


class Seated:
    """The players of one table, by the entries with which they sat down."""

    def __init__(self, journal: Journal, table: str) -> None:
        """Nobody was looked for yet."""
        self._journal, self._table = journal, table
        self._actors: dict[int, str] = {}

    def heard(self, asked: Mapping[str, Any], answer: bytes) -> bytes:
        """What was answered here: who sat down by it need not be looked up."""
        if answer and asked["kind"] == "command.sit":
            entry = read_entry(answer)
            self._actors[entry.sequence] = entry.actor
        return answer

    def owner(self, live: Live, seat: int | None) -> str | None:
        """Whose seat it is; None where nobody sits, or no seat is spoken of."""
        sequence = live.sat.get(seat) if seat is not None and seat in live.table.seats else None
        if sequence is None:
            return None
        actor = self._actors.get(sequence)
        if actor is None:
            line = next(iter(self._journal.lines(self._table, sequence - 1, sequence)))
            actor = self._actors[sequence] = read_entry(line).actor
        return actor
