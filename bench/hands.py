"""What hands cost: a roll with eight people's beside one with nobody's, in one run, and the check of each.

`scripts/bench hands` writes `bench/results/hands.json`. Interleaved, medians; only ratios say anything. Processor time
for the house and for the check in Python; time on the wall for eight clients at a server, each in its
own process, and for the check in a page.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import sync_playwright

from passline.client import Client
from passline.engine import commands as c
from passline.journal.memory import MemoryJournal
from passline.live.dice import HAND_TAG, LINK_TAG, before, chain, dealt
from passline.live.requests import Ask, ShowValue
from passline.pit.keys import Keys
from passline.pit.table import LiveTable
from tests.browser.chromium import launched
from tests.web.server import Server

DICE_MJS = Path(__file__).parents[1] / "src" / "passline" / "verify" / "dice.mjs"
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


def _player(address: str, link: str, person: str, folder: str, wire: Any, *, hand: bool) -> None:  # noqa: PLR0913 - what a player needs
    """One player in a process of their own, as real ones are: bets when told to, and shows values by itself."""
    with Client(address, hand=hand, folder=Path(folder) / f"{hand}-{person}") as client:
        table = client.come(person, link)
        table.sit(10_000)
        while wire.recv():
            table.bet("field", 10)
            wire.send("bet")


class Players:
    """Eight people at one table of a server, each with a hand in the dice, or nobody: one here, seven elsewhere."""

    def __init__(self, server: Server, folder: str, *, hand: bool) -> None:
        client = Client(server.address, hand=hand, folder=Path(folder) / f"{hand}-{PEOPLE[0]}")
        self.table = client.practice(name=PEOPLE[0], buyin=10_000)
        self._wires = []
        for person in PEOPLE[1:]:
            link = client.post(f"/tables/{self.table.name}/links", {"role": "player"})["link"]
            wire, far = get_context("spawn").Pipe()
            arguments = (server.address, link, person, folder, far)
            get_context("spawn").Process(target=_player, args=arguments, kwargs={"hand": hand}, daemon=True).start()
            self._wires.append(wire)

    def bet(self) -> None:
        for wire in self._wires:
            wire.send("bet")
        for wire in self._wires:
            wire.recv()
        self.table.bet("field", 10)
        self.table.bet("pass", 10)
        self.table.act("command.shoot")

    def close(self) -> None:
        for wire in self._wires:
            wire.send("")


def by_the_client(server: Server, rolls: int) -> tuple[float, float]:
    """How many milliseconds a roll takes whoever asks for it at a server: with everybody's hand, and with nobody's."""
    seconds: dict[bool, list[float]] = {True: [], False: []}
    with tempfile.TemporaryDirectory() as folder:
        rooms = {hand: Players(server, folder, hand=hand) for hand in seconds}
        for _ in range(rolls):
            for hand, players in rooms.items():
                players.bet()
                begun = time.perf_counter()
                answer = players.table.roll()
                seconds[hand].append(time.perf_counter() - begun)
                listed = len(answer.entry["body"]["hands"])  # type: ignore[union-attr] # an answer
                assert listed == (len(PEOPLE) if hand else 0), f"{listed} hands"
        for players in rooms.values():
            players.close()
    return 1_000 * median(seconds[True]), 1_000 * median(seconds[False])


IN_THE_PAGE = """async (people) => {
  const dice = await import("/dice.mjs");
  const end = new Uint8Array(32);
  const links = await dice.chainOf(end, (at, link) => dice.linkBefore("t", 1, at, link));
  const chains = await Promise.all(
    people.map((person) => dice.chainOf(end, (at, value) => dice.valueBefore("t", person, 1, at, value))));
  const check = async (some) => {
    const begun = performance.now();
    for (let at = 1; at < 200; at += 1) {
      await dice.linkBefore("t", 1, at, links[at]);
      for (const [number, person] of some.entries()) await dice.valueBefore("t", person, 1, at, chains[number][at]);
      await dice.dealt(links[at], "t", 1, at, some.map((person, number) => [person, chains[number][at]]));
    }
    return performance.now() - begun;
  };
  const took = [[], []];
  for (let turn = 0; turn < 9; turn += 1) { took[0].push(await check([])); took[1].push(await check(people)); }
  const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)];
  return median(took[1]) / median(took[0]);
}"""


def in_the_page(server: Server) -> float:
    """How long the check of a roll takes in a Chromium, with eight hands by none."""
    with sync_playwright() as driver:
        page = launched(driver).new_context(base_url=server.address).new_page()
        page.route("**/dice.mjs", lambda route: route.fulfill(path=DICE_MJS, content_type="text/javascript"))
        page.goto("/")
        return float(page.evaluate(IN_THE_PAGE, PEOPLE))


def main() -> None:
    """Measure, tell and keep."""
    parser = argparse.ArgumentParser(prog="scripts/bench hands", description=__doc__)
    parser.add_argument("--rolls", type=int, default=300)
    rolls = parser.parse_args().rolls
    result = measured(rolls)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), None, "--rate", "5000", "--newcomers", "5000")
        with server.closing():
            eight, none = by_the_client(server, rolls // 10)
            result |= {"client_roll_8_by_0": round(eight / none, 2)}
            result |= {"client_roll_8_ms": round(eight, 1), "client_roll_0_ms": round(none, 1)}
            result["page_check_8_by_0"] = round(in_the_page(server), 2)
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
