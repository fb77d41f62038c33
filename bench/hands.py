"""What hands cost: a roll with eight people's beside one with nobody's, in one run, and the check of each.

`scripts/bench hands` writes `bench/results/hands.json`. Processor time, interleaved, medians; only ratios say anything.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from passline.engine import commands as c
from passline.journal.memory import MemoryJournal
from passline.live.dice import HAND_TAG, LINK_TAG, before, chain, dealt
from passline.live.requests import Ask, ShowValue
from passline.pit.keys import Keys
from passline.pit.table import LiveTable

RESULTS = Path(__file__).parent / "results" / "hands.json"
NOW = "2026-11-15T20:00:00Z"
KEYS = Keys(bytes(range(32)), bytes(range(32, 64)))
PEOPLE = [f"p{number}" for number in range(1, 9)]


class Room:
    """A table with eight people, so many of whom have a hand in the dice; everybody always has the same up."""

    def __init__(self, hands: int) -> None:
        """Seat everybody."""
        self.table = LiveTable.create(MemoryJournal(), "t1", time=NOW, keys=KEYS)
        self.asked = 0
        self.values: dict[str, list[bytes]] = {}
        for seat, person in enumerate(PEOPLE, 1):
            self.table.do(c.Sit(seat, person, 90_000_000), self.by(person))
        for person in PEOPLE[:hands]:
            owner = (self.table.live.stream, person, 1)
            self.values[person] = chain(HAND_TAG, owner, person.encode().ljust(32))
            self.table.hand_on(1, self.values[person][0], bytes(32), self.by(person))

    def by(self, person: str) -> Ask:
        self.asked += 1
        return Ask(person, "player", f"k{self.asked}", NOW)

    def ready(self) -> None:
        """Everybody has something up, and there is a shooter."""
        for seat, person in enumerate(PEOPLE, 1):
            if not self.table.live.table.seats[seat].felt:
                self.table.do(c.Bet(seat, "pass", 1_000), self.by(person))
        if self.table.live.table.shooter is None:
            self.table.do(c.Shoot(1), self.by(PEOPLE[0]))

    def roll(self) -> None:
        """From the closing to the dice."""
        self.table.roll(self.by(PEOPLE[0]))
        announced = self.table.live.announced
        for due in announced.missing if announced is not None else ():
            value = self.values[due.person][due.index]
            self.table.show_value(ShowValue(due.hand, due.index, value), self.by(due.person))
        assert self.table.live.announced is None, "it was rolled"


def timed(work: Callable[[], object]) -> float:
    """Processor seconds."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def checks(hands: int) -> Callable[[], None]:
    """What a program does to check a roll: the link, every value, and the dice."""
    links = chain(LINK_TAG, ("t", 1), bytes(32))
    chains = {person: chain(HAND_TAG, ("t", person, 1), bytes(32)) for person in PEOPLE[:hands]}
    values = {person: each[1] for person, each in chains.items()}

    def check() -> None:
        assert before(LINK_TAG, ("t", 1), 1, links[1]) == links[0]
        for person, value in values.items():
            assert before(HAND_TAG, ("t", person, 1), 1, value) == chains[person][0]
        dealt(links[1], "t", 1, 1, values)

    return check


def _checked(hands: int, times: int = 200) -> float:
    """Processor seconds of a check."""
    check = checks(hands)
    return timed(lambda: [check() for _ in range(times)]) / times


def measured(rolls: int) -> dict[str, Any]:
    """Medians of rolls and checks, with eight hands and with none, by turns."""
    rooms = {hands: Room(hands) for hands in (0, 8)}
    seconds: dict[int, list[float]] = {0: [], 8: []}
    for _ in range(rolls):
        for hands, room in rooms.items():
            room.ready()
            seconds[hands].append(timed(room.roll))
    checked = {hands: [_checked(hands) for _ in range(9)] for hands in (0, 8)}
    roll, check = ({hands: median(each) for hands, each in some.items()} for some in (seconds, checked))
    return {
        "rolls": rolls,
        "entries_a_roll": {"0": 2, "8": 10},
        "roll_8_by_0": round(roll[8] / roll[0], 2),
        "check_8_by_0": round(check[8] / check[0], 2),
        "check_by_roll_8": round(check[8] / roll[8], 3),
    }


def main() -> None:
    """Measure, tell and keep."""
    parser = argparse.ArgumentParser(prog="scripts/bench hands", description=__doc__)
    parser.add_argument("--rolls", type=int, default=300)
    result = measured(parser.parse_args().rolls)
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
