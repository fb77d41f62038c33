"""The house of our own findings: it has its keys and its program, and chooses every roll after the bets are down.

`first` is the script of the finding as it was run against protocol 1: with the bets up it shows the seed of an epoch,
commits to the one after the next with a seed that it tried out, shows the one between without a roll, and deals.
`second` does the same to a table of today with chains. `spared` is a box with the keys that ends an epoch whenever the
next one suits it better, which was all that the product's own call took.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from passline.engine import commands as c
from passline.journal.export import exported
from passline.journal.memory import MemoryJournal
from passline.live import hands, rolls
from passline.live.dice import LINK_TAG, chain, commitment, dealt, mix, roll
from passline.live.drafts import by_the_house
from passline.live.requests import Material
from passline.pit.table import LiveTable
from tests.pit.play import KEYS, NOW, by, read
from tests.pit.seeds import old_table, rotate

WANTED = (6, 7)
"""A point, and out: what every hand is to be."""


def _tried(found: Callable[[bytes], int], total: int) -> bytes:
    """A secret whose first roll is what the house wants: about seven tries."""
    while True:
        secret = secrets.token_bytes(32)
        if found(secret) == total:
            return secret


def first(table: LiveTable, total: int) -> None:
    live, stream = table.live, table.live.stream
    number = max(live.epochs) + 1

    def fallen(seed: bytes) -> int:
        mixed = mix(stream, number, commitment(stream, number, seed), {})
        return sum(roll(seed, stream, number, 1, mixed))

    shown = rolls.revealed(live, Material(table._opened_seeds()[0]), [live.epoch], NOW)
    table._append([*shown, rolls.committed(stream, number, _tried(fallen, total), NOW)])
    live = table.live
    shown = rolls.revealed(live, Material(table._opened_seeds()[0]), [live.epoch], NOW)
    table._append([*shown, rolls.committed(stream, number + 1, secrets.token_bytes(32), NOW)])


def second(table: LiveTable, total: int) -> None:
    live, stream = table.live, table.live.stream
    number = max(live.chains) + 1

    def fallen(last: bytes) -> int:
        return sum(dealt(chain(LINK_TAG, (stream, number), last)[1], stream, number, 1, {}))

    ends = {epoch: table._opened_seeds()[0][epoch] for epoch in sorted(live.chains)}
    for epoch, last in ends.items():
        table._append([by_the_house("chain_shown", {"epoch": epoch, "link": last.hex()}, NOW)])
    table._append([hands.committed(stream, number, _tried(fallen, total), NOW)])
    table._append([hands.committed(stream, number + 1, secrets.token_bytes(32), NOW)])
    table._links = 0, []


def hands_played(table: LiveTable, steer: Callable[[LiveTable, int], None], number: int) -> list[int]:
    """Hands of one pass bet each, every roll of them steered; the totals that fell."""
    totals = []
    for _ in range(number):
        table.do(c.Bet(1, "pass", 10_000), by("ann"))
        for total in WANTED:
            steer(table, total)
            if table.live.table.shooter is None:
                table.do(c.Shoot(1), by("ann"))
            totals.append(sum(read(table.roll(by("ann")))["body"]["dice"]))
    return totals


def steered(steer: Callable[[LiveTable, int], None], number: int = 3) -> tuple[LiveTable, list[int]]:
    """A table that was steered, and what fell."""
    journal = MemoryJournal()
    table = old_table(journal) if steer is first else LiveTable.create(journal, "t1", time=NOW, keys=KEYS)
    if steer is second:
        table.do(c.Sit(1, "Ann", 500_000), by("ann"))
    return table, hands_played(table, steer, number)


def spared(number: int = 40) -> tuple[LiveTable, int, int]:
    """Hands won and lost where the house ends an epoch whenever the next begins with what is worse for the player."""
    table, won, lost = old_table(MemoryJournal()), 0, 0
    for _ in range(number):
        before = table.live.table.seats[1].rail
        table.do(c.Bet(1, "pass", 1_000), by("ann"))
        if table.live.table.shooter is None:
            table.do(c.Shoot(1), by("ann"))
        while "pass" in table.live.table.seats[1].felt:
            live, seeds = table.live, table._opened_seeds()[0]
            point = live.table.puck
            if live.epochs[live.epoch].mix:
                now, later = (_total(live, seeds, each) for each in (live.epoch, live.epoch + 1))
                if _good(later, point) < _good(now, point):
                    rotate(table, NOW)
            table.roll(by("ann"))
        rail = table.live.table.seats[1].rail
        won, lost = (won + 1, lost) if rail > before else (won, lost + 1)
    return table, won, lost


def _total(live: object, seeds: dict[int, bytes], epoch: int) -> int:
    assert hasattr(live, "epochs")
    assert hasattr(live, "stream")
    known = live.epochs[epoch]
    mixed = known.mix or mix(live.stream, epoch, known.house, {})
    return sum(roll(seeds[epoch], live.stream, epoch, known.rolls + 1, mixed))


def _good(total: int, point: int) -> int:
    """What a roll is for a pass bet: won, nothing, lost."""
    if point:
        return (total == point) - (total == 7)
    return (total in (7, 11)) - (total in (2, 3, 12))


def export_of(table: LiveTable) -> list[bytes]:
    return [line + b"\n" for line in exported(table.journal, ["t1"], sign=KEYS.sign, time=NOW)]
