"""A table of a thousand rolls with nobody's to eight people's hands, voids and a restart: what verifiers agree on.

`python -m tests.chance.thousand FILE` writes its export, for somebody who wrote a verifier of their own.
"""

from __future__ import annotations

import random
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from passline.engine import commands as c
from passline.journal.export import exported, restored
from passline.journal.memory import MemoryJournal
from passline.live.hands import may_void
from passline.live.requests import Ask, ShowValue
from passline.pit.table import LiveTable
from tests.pit.hands import Device
from tests.pit.play import KEYS, read

PEOPLE = ("ann", "bob", "çem", "Dee", "eve", "fay", "🎲", "Zoë")
HOUR = datetime.fromisoformat("2026-11-17T20:00:00+00:00")
VOID_EVERY = 20
"""How often a value is lost, where one more roll may come to nothing: for the table and for everybody at it."""

QUIET = 250
"""So many rolls before the restart, which counts as a void of everybody's, none is void."""


class Evening:
    """Eight people, each in and out with a hand, and a clock that goes on by itself."""

    def __init__(self, seed: int = 19) -> None:
        """Open the table, and seat everybody."""
        self.rng, self.asked, self.at = random.Random(seed), 0, HOUR
        self.table = LiveTable.create(MemoryJournal(), "t1", time=self.time, keys=KEYS)
        for seat, person in enumerate(PEOPLE, 1):
            self.table.do(c.Sit(seat, person, 90_000_000), self.by(person))
        self.devices: dict[str, Device] = {}
        self.rolls = self.voids = 0

    @property
    def time(self) -> str:
        return f"{self.at:%Y-%m-%dT%H:%M:%SZ}"

    def by(self, person: str) -> Ask:
        self.asked += 1
        return Ask(person, "player", f"e-{self.asked}", self.time)

    def bets(self) -> None:
        """Some hands come and go; everybody has something up, or few do."""
        live, alone = self.table.live, self.rolls % 25 == 0
        for seat, person in enumerate(PEOPLE, 1):
            hand = live.hands.get(person)
            device = self.devices.get(person)
            if hand is not None and hand.is_on and (alone or self.rng.random() < 0.05):
                assert device is not None
                self.table.hand_off(device.number, device.off, self.by(person))
            elif (hand is None or not hand.is_on) and not alone and self.rng.random() < 0.4:
                self.devices[person] = device = device or Device.__new__(Device)
                device.table, device.person = self.table, person
                device.give()
            if not live.table.seats[seat].felt and (seat == 1 or self.rng.random() < 0.7):
                self.table.do(c.Bet(seat, "pass", 1_000), self.by(person))
                self.table.do(c.Bet(seat, "field", 1_000), self.by(person))
        if self.table.live.table.shooter is None:
            line = [seat for seat in range(1, 9) if "pass" in self.table.live.table.seats[seat].felt]
            for seat in (*line, *range(1, 9)):
                if seat not in line:
                    self.table.do(c.Bet(seat, "pass", 1_000), self.by(PEOPLE[seat - 1]))
                if read(self.table.do(c.Shoot(seat), self.by(PEOPLE[seat - 1])))["kind"] == "acted":
                    return

    def roll(self, *, void: bool) -> dict[str, Any]:
        """One roll, with the values of whoever is listed in any order; where it is to be void somebody's is lost."""
        self.at += timedelta(seconds=40)
        ask = self.by("ann")
        answer = read(self.table.roll(ask))
        announced = self.table.live.announced
        missing = list(announced.missing) if announced is not None else []
        self.rng.shuffle(missing)
        for due in missing[: len(missing) - 1 if void else None]:
            value = self.devices[due.person].values[due.index]
            self.table.show_value(ShowValue(due.hand, due.index, value), self.by(due.person))
        if void and missing:
            self.at += timedelta(seconds=21)
            self.table.settle(self.time)
            if self.rng.random() < 0.7:
                due = missing[-1]
                value = self.devices[due.person].values[due.index]
                self.table.show_value(ShowValue(due.hand, due.index, value), self.by(due.person))
        return read(self.table.roll(ask)) if missing else answer

    def play(self, rolls: int, *, voids: bool = True) -> None:
        """So many roll numbers."""
        for _ in range(rolls):
            self.bets()
            live = self.table.live
            void = self.rolls % VOID_EVERY == VOID_EVERY - 1 and voids and may_void(live, live.caps)
            kind = self.roll(void=void)["kind"]
            assert kind in ("rolled", "roll_voided"), kind
            self.rolls += 1
            self.voids += kind == "roll_voided"

    def restart(self) -> None:
        """A backup is put back."""
        restored(self.table.journal)
        self.table = LiveTable.open(self.table.journal, "t1", time=self.time, keys=KEYS, owner="next")
        for device in self.devices.values():
            device.table = self.table

    def export(self) -> list[bytes]:
        return [line + b"\n" for line in exported(self.table.journal, ["t1"], sign=KEYS.sign, time=self.time)]


def evening(rolls: int = 1_000) -> Evening:
    """A table with a restart in its middle."""
    made = Evening()
    made.play(max(0, rolls // 2 - QUIET))
    made.play(min(QUIET, rolls // 2), voids=False)
    made.restart()
    made.play(rolls - made.rolls)
    return made


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(b"".join(evening().export()))
