"""What versions up to 0.2.0.dev1 took at tables of protocol 1, written as they wrote it: old journals hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.engine import commands as c
from passline.journal.contract import Head, Write, house_digest, in_a_chain
from passline.journal.heads import public
from passline.live import rolls
from passline.live.dice import player_commitment
from passline.live.drafts import by_the_house, statement
from passline.live.rolls import _ended
from passline.live.state import opening
from passline.pit.keys import new_seed, seal_all
from passline.pit.opening import house_text
from passline.pit.table import LiveTable
from tests.pit.play import KEYS, NOW, by

if TYPE_CHECKING:
    from passline.journal.contract import Journal
    from passline.live.requests import Ask


def old_table(journal: Journal, name: str = "t1", house: str = "adelaide") -> LiveTable:
    """A table as versions up to 0.2.0.dev1 opened it, with Ann and Bob at it."""
    text, stream = house_text(house), "0f" * 16
    body = opening(text, "fair", signer=public(KEYS.sign), stream=stream)
    del body["protocol"], body["revision"]
    planned = [by_the_house("table_opened", body, NOW)]
    planned += [rolls.committed(stream, epoch, new_seed(), NOW) for epoch in (1, 2)]
    entries = in_a_chain(Head(name), house_digest(text), (each.draft for each in planned))
    journal.append(Write(Head(name), entries, secrets=seal_all(KEYS, planned), houses=[text]))
    table = LiveTable(journal, name, KEYS)
    table.do(c.Sit(1, "Ann", 100_000), by("ann"))
    table.do(c.Sit(2, "Bob", 50_000), by("bob"))
    return table


def commit_seed(table: LiveTable, epoch: int, seed: bytes, ask: Ask) -> None:
    """A player promises a seed."""
    house = table.live.epochs[epoch].house
    promised = player_commitment(table.live.stream, epoch, ask.actor, house, seed)
    body = {"epoch": epoch, "player": ask.actor, "commitment": promised.hex()}
    table._append([statement("player_seed_committed", body, ask)])


def reveal_seed(table: LiveTable, epoch: int, seed: bytes, ask: Ask) -> None:
    """A player shows it."""
    body = {"epoch": epoch, "player": ask.actor, "seed": seed.hex()}
    table._append([statement("player_seed_revealed", body, ask)])


def rotate(table: LiveTable, time: str) -> None:
    """The house ends the epoch that is dealt."""
    live = table.live
    if live.announced is None and live.epochs[live.epoch].mix:
        table._append(_ended(live, table._opened_seeds()[0][live.epoch], new_seed(), time))
