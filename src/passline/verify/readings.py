"""Real dice: two people read them, neither seeing what the other read, and only a reading they share counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from passline.verify.entry import Entry
from passline.verify.report import Complaint

TAG = b"passline/reading/1\n"
SALT_BYTES = 30
THROWN = ("command.throw", "command.watch_throw")
"""What two people have to have read."""


def same_name(first: object, second: object) -> bool:
    """Whether two names are of one person, as far as letters tell; what else is folded the machine knows."""
    return str(first).strip().casefold() == str(second).strip().casefold()


class Readings:
    """The readings of one table."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self._real = False
        self.entered: dict[str, str] = {}
        """By reader: the commitment to what was read."""

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """Whatever people say about real dice."""
        kind, body = entry.kind, entry.body
        if kind == "table_opened":
            self._real = body["dice"] == "real"
        elif kind == "dice_entered":
            actor = str(entry.data["actor"])
            if not self._real:
                yield "kind", "dice are entered at a table that draws them"
            if self.has_read(actor):
                yield "actor", f"{actor} reads the same dice twice"
            self.entered[actor] = body["commitment"]
        elif kind == "dice_disagreed":
            yield from self._as_entered(entry, agree=None)
            self.entered = {}
        elif kind in ("rolled", "roll_voided"):
            if kind == "rolled" and self._real and body["command"]["kind"] in THROWN:
                yield from self._as_entered(entry, agree=body["dice"])
                self._counts["read_rolls"] += 1
            self.entered = {}

    def has_read(self, actor: str) -> bool:
        """Whether somebody has read the dice that lie there."""
        return any(same_name(actor, other) for other in self.entered)

    def _as_entered(self, entry: Entry, agree: list[int] | None) -> Iterator[Complaint]:
        """Two people's readings: the first as it was committed to before the second was in, by whoever asks now."""
        readings = entry.body["readings"]
        if len(readings or ()) != 2 or same_name(*(reading["actor"] for reading in readings)):
            yield "body.readings", "the dice are not read by two people"
            return
        if readings[1]["actor"] != entry.data["actor"]:
            yield "body.readings[1]", f"{readings[1]['actor']} read them, and {entry.data['actor']} says so"
        for at, reading in enumerate(readings):
            actor, dice = reading["actor"], reading["dice"]
            salt = bytes.fromhex(reading["salt"])
            own = sha256(TAG + salt + bytes(dice)).hexdigest()
            if len(salt) != SALT_BYTES:
                yield f"body.readings[{at}]", f"its salt has {len(salt)} bytes, not {SALT_BYTES}"
            if self.entered.get(actor, own if at else "") != own:
                yield f"body.readings[{at}]", f"{actor} had entered something else, or nothing"
            if agree is not None and (sorted(dice) != sorted(agree) if at else dice != agree):
                yield f"body.readings[{at}]", f"{actor} read {dice}, and the roll is {agree}"
        if agree is None and sorted(readings[0]["dice"]) == sorted(readings[1]["dice"]):
            yield "body.readings", "they agree"
