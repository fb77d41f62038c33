"""A player's device: it makes hands, and shows their values roll by roll; and an hour-hand for silence."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from passline.live.dice import HAND_TAG, chain, off_of
from passline.live.requests import ShowValue
from tests.pit.play import by, read

if TYPE_CHECKING:
    from passline.pit.table import LiveTable

LATER = "2026-11-15T20:00:30Z"
"""When nobody waits any longer for a value of a roll that was closed at `NOW`."""


class Device:
    """What Ann's phone does, at a table in this process."""

    def __init__(self, table: LiveTable, person: str) -> None:
        """Give the first hand."""
        self.table, self.person, self.number = table, person, 0
        self.give()

    def give(self) -> dict[str, Any]:
        """Give the next hand."""
        known = self.table.live.hands.get(self.person)
        self.number = (known.number if known else 0) + 1
        stream, owner = self.table.live.stream, (self.table.live.stream, self.person, self.number)
        self.values = chain(HAND_TAG, owner, sha256(repr(("end", owner)).encode()).digest())
        self.off = sha256(repr(("off", owner)).encode()).digest()
        off = off_of(stream, self.person, self.number, self.off)
        return read(self.table.hand_on(self.number, self.values[0], off, by(self.person)))

    def take_off(self) -> dict[str, Any]:
        """Take it off."""
        return read(self.table.hand_off(self.number, self.off, by(self.person)))

    def show(self, closing: str | None = None, index: int | None = None) -> dict[str, Any]:
        """Show the value that is due, unless another is asked for."""
        announced = self.table.live.announced
        due = self.table.live.hands[self.person].index if index is None else index
        closes = announced.closing if closing is None and announced is not None else closing or ""
        act = ShowValue(self.number, due, self.values[due], "", closes)
        return read(self.table.show_value(act, by(self.person)))

    def show_owed(self) -> dict[str, Any]:
        """Show the value that did not arrive in time."""
        due = self.table.live.hands[self.person].index
        return read(self.table.show_value(ShowValue(self.number, due, self.values[due]), by(self.person)))


def deal(table: LiveTable, *devices: Device | None, shooter: str = "ann") -> dict[str, Any]:
    """Close the bets, have these devices show, and roll; who is listed and shows nothing is waited for, and in vain."""
    ask = by(shooter)
    table.roll(ask)
    for device in devices:
        if device is not None and table.live.announced is not None:
            listed = [each.person for each in table.live.announced.missing]
            if device.person in listed:
                device.show()
    table.settle(LATER)
    return read(table.roll(ask))
