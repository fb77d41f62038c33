"""Backups taken while a table is played: each is a whole journal, and goes on elsewhere where it was taken."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from passline.engine import commands as c
from passline.journal.sqlite import SqliteJournal
from passline.pit.table import LiveTable
from tests.faults.tally import Tally
from tests.faults.verified import verified
from tests.pit.play import KEYS, NOW, by, kinds, new_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def backups(folder: Path, cycles: int, seed: int) -> Tally:
    """Back a journal up so often while two hands play, and play on from each backup."""
    tally = Tally("backups", seed)
    store = SqliteJournal(folder / "journal.db")
    table = new_table(store)
    over = threading.Event()

    def play(seat: int, actor: str) -> None:
        number = 0
        while not over.is_set():
            number += 1
            table.do(c.Bet(seat, "pass", 1000), by(actor, f"{actor}-{number}"))
            table.roll(by(actor, f"{actor}-roll-{number}"))

    hands = [threading.Thread(target=play, args=each) for each in ((1, "ann"), (2, "bob"))]
    for hand in hands:
        hand.start()
    try:
        for cycle in range(cycles):
            before = table.head.sequence
            while table.head.sequence < before + 20:
                over.wait(0.001)
            begun = (store.head("t1") or table.head).sequence
            store.backup(folder / f"{cycle}.db")
            (elsewhere := folder / f"restored-{cycle}").mkdir()
            restored = SqliteJournal((folder / f"{cycle}.db").rename(elsewhere / "journal.db"))
            head = restored.head("t1")
            assert head is not None
            assert head.sequence >= begun, "a backup of before it was asked for"
            assert list(restored.lines("t1")) == list(store.lines("t1", upto=head.sequence))
            again = LiveTable.open(restored, "t1", time=NOW, keys=KEYS, owner="elsewhere")
            verified(restored, tally)
            again.do(c.Bet(1, "pass", 1000), by("ann", "afterwards"))
            again.roll(by("ann", "afterwards-roll"))
            assert kinds(restored).count("bets_closed") == kinds(restored).count("rolled")
            restored.close()
            tally["backups"] += 1
    finally:
        over.set()
        for hand in hands:
            hand.join()
    verified(store, tally)
    store.close()
    return tally


@pytest.mark.slow
def test_a_backup_under_load_is_a_whole_journal(folder: Path, exercised: Callable[[Tally], None]) -> None:
    """Restored elsewhere, verified, and played on, with the dice that were to come."""
    tally = backups(folder, 3, 8)
    exercised(tally)
    tally.least(backups=3, entries_verified=200)


def test_a_file_that_is_copied_as_it_lies_there_is_no_backup(folder: Path) -> None:
    """The control: what was acknowledged is in the log, and a copy of the file has none of it."""
    store = SqliteJournal(folder / "journal.db")
    table = new_table(store)
    (elsewhere := folder / "copy").mkdir()
    (elsewhere / "journal.db").write_bytes((folder / "journal.db").read_bytes())
    copy = SqliteJournal(elsewhere / "journal.db")
    assert copy.head("t1") is None, "the copy is whole, and this gate would not see one that is not"
    store.backup(folder / "backup.db")
    backup = SqliteJournal(folder / "backup.db")
    assert backup.head("t1") == store.head("t1") == table.head
    for each in (store, copy, backup):
        each.close()
