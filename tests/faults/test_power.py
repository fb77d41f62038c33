"""Power loss at any moment: what was acknowledged is there, whole and in order, and the file is sound."""

from __future__ import annotations

import random
import shutil
import sqlite3
from itertools import count
from typing import TYPE_CHECKING

import pytest

from passline.journal.contract import Head, Snapshot, Write, read_entry
from passline.journal.sqlite import SqliteJournal
from tests.faults.disk import Disk, DiskDriver, power_cuts
from tests.faults.tally import Tally
from tests.journal.stores import draft, entries_after

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from passline.journal.contract import Journal

TABLES = ("t1", "t2", "t3")
NUMBERS = count()
ACTS = 240
"""Enough to fill the log once and have it brought over into the file."""


def played(store: Journal, rng: random.Random, acts: int, tried: set[bytes], tell: Callable[[bytes], None]) -> None:
    """Acts at three tables, each told when it is durable; `tried` has every line that was ever handed in."""
    for number in range(acts):
        head = store.head(table := rng.choice(TABLES)) or Head(table)
        seats = rng.sample(range(1, 9), rng.randint(1, 3))
        drafts = [draft(f"{head.sequence}-{seat}", [("cage", f"rail/{seat}", 1 + rng.randrange(9))]) for seat in seats]
        entries = entries_after(head, *drafts)
        tried.update(entry.line for entry in entries)
        snapshot = Snapshot(entries[-1].sequence, rng.randbytes(rng.randrange(9000))) if number % 9 == 0 else None
        store.append(Write(head, entries, snapshot=snapshot, secrets={f"s{head.sequence}": rng.randbytes(60)}))
        for entry in entries:
            tell(entry.line)


def written(folder: Path, rng: random.Random, acts: int, *, lax: bool = False) -> tuple[Disk, set[bytes]]:
    """A journal over a disk that remembers, closed and opened again in the middle."""
    disk = Disk(f"remembering-{next(NUMBERS)}")
    tried: set[bytes] = set()
    for half in (acts // 2, acts - acts // 2):
        store = SqliteJournal(folder / "journal.db", driver=lambda path: DiskDriver(disk, path, lax=lax))
        played(store, rng, half, tried, disk.acknowledged)
        store.close()
    return disk, tried


def lost(folder: Path, told: list[object], tried: set[bytes]) -> int:
    """How many acknowledged entries are not there; whatever is there must be whole and something that was handed in."""
    path = folder / "journal.db"
    if not path.exists():
        return len(told)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    store = SqliteJournal(path)
    there: set[bytes] = set()
    for table in store.tables():
        lines = list(store.lines(table))
        assert tried.issuperset(lines), "an entry that nobody wrote"
        there.update(lines)
        before = Head(table)
        for entry in map(read_entry, lines):
            assert (entry.sequence, entry.previous) == (before.sequence + 1, before.hash)
            before = Head(table, entry.sequence, entry.hash)
        assert store.head(table) in (before, None)
        assert store.balances(table) == store.balances(table, before.sequence)
    store.close()
    return len(set(told) - there)


def power(folder: Path, cuts: int, seed: int, *, lax: bool = False) -> Tally:
    """Cut the power at so many moments, 200 for each journal that is written, a quarter of them during recovery."""
    tally = Tally("power loss at NORMAL" if lax else "power loss", seed)
    rng = random.Random(seed)
    for run in range(max(1, cuts // 200)):
        (home := folder / f"run-{run}").mkdir()
        disk, tried = written(home, rng, ACTS, lax=lax)
        points = sorted(rng.sample(range(len(disk.log)), min(cuts, 200) * 3 // 4))
        tally["disk_acts"] += len(disk.log)
        for number, platter in enumerate(power_cuts(disk.log, points)):
            (left := home / f"cut-{number}").mkdir()
            platter.cut(left, rng)
            again = recovered_and_cut(left, rng) if number % 3 == 0 else None
            gone = lost(again or left, platter.told, tried)
            tally["cuts"] += 1 + (again is not None)
            tally["cuts_while_recovering"] += again is not None
            tally["acknowledged"] += len(platter.told)
            tally["lost"] += gone
            assert lax or not gone, f"seed {seed}, cut {points[number]}: {gone} of {len(platter.told)} lost"
            shutil.rmtree(left)
    return tally


def recovered_and_cut(left: Path, rng: random.Random) -> Path:
    """Open what a cut has left, over a disk that remembers, and cut the power again in the middle of that."""
    disk = Disk(f"recovering-{next(NUMBERS)}")
    for path in left.glob("journal.db*"):
        disk.holds(path.name, path.read_bytes())
    begun = len(disk.log)
    if (left / "journal.db").exists():
        SqliteJournal(left / "journal.db", driver=lambda path: DiskDriver(disk, path)).close()
    (again := left / "again").mkdir()
    for platter in power_cuts(disk.log, [rng.randint(begun, len(disk.log))]):
        platter.cut(again, rng)
    return again


@pytest.mark.slow
def test_a_power_cut_loses_nothing_that_was_acknowledged(folder: Path, exercised: Callable[[Tally], None]) -> None:
    """At 200 moments, a third of them cut again in the middle of recovery."""
    tally = power(folder, 200, 8)
    exercised(tally)
    tally.least(cuts=200, cuts_while_recovering=40, acknowledged=10_000)
    assert tally["lost"] == 0


@pytest.mark.slow
def test_a_power_cut_is_felt_where_nobody_waits_for_the_disk(folder: Path, exercised: Callable[[Tally], None]) -> None:
    """The control: the same cuts, with a driver that claims to wait at each commit and does not, lose what was told."""
    tally = power(folder, 60, 8, lax=True)
    exercised(tally)
    assert tally["lost"] > 0, "the cuts lose nothing that was never synced: this test is void"
