"""How many durable acts a live table does, beside bare inserts into the same store in the same run.

`--json FILE` writes the figures down; `--store postgresql` measures in a PostgreSQL of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sqlite3
import sys
import tempfile
import time
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any, Protocol

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from passline.engine import commands as c  # noqa: E402 - the tests are found through the line above
from passline.journal.sqlite import SqliteJournal  # noqa: E402
from passline.pit.keys import new_keys  # noqa: E402
from passline.pit.plans import Ask  # noqa: E402
from passline.pit.table import LiveTable  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.journal.contract import Journal

RESULTS = ROOT / "bench" / "results" / "journal.json"
NOW = "2026-11-15T20:00:00Z"
KEYS = new_keys()
ROUNDS = 9
NUMBERS = count()


class Timed:
    """How long each of many calls took."""

    def __init__(self, calls: int, call: Callable[[], object]) -> None:
        self.took: list[float] = []
        begun, worked = time.perf_counter(), time.process_time()
        for _ in range(calls):
            before = time.perf_counter()
            call()
            self.took.append(time.perf_counter() - before)
        self.a_second = calls / (time.perf_counter() - begun)
        self.processor_us = (time.process_time() - worked) / calls * 1e6
        """What one call takes of the processor; the rest of it is the disk, and whoever else is there."""

    @property
    def p99_ms(self) -> float:
        """What one call in a hundred takes longer than."""
        return quantiles(self.took, n=100)[-1] * 1000


class Store(Protocol):
    """Somewhere to write, by ourselves and barely."""

    journal: Journal

    def bare(self, line: bytes) -> None:
        """Insert one row, durably."""


class Sqlite:
    """A file, and another one beside it for bare inserts, opened alike."""

    def __init__(self, folder: Path) -> None:
        self.journal: Journal = SqliteJournal(folder / "journal.db")
        self.connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "fullfsync = ON"):
            self.connection.execute(f"PRAGMA {pragma}").fetchall()
        self.connection.execute("CREATE TABLE entries (stream TEXT, sequence INTEGER, key TEXT, line BLOB)")
        self.connection.execute("CREATE UNIQUE INDEX one ON entries (stream, sequence)")

    def bare(self, line: bytes) -> None:
        """Insert one row, durably."""
        self.connection.execute("BEGIN IMMEDIATE")
        number = next(NUMBERS)
        self.connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", ("t", number, f"k{number}", line))
        self.connection.execute("COMMIT")


class Postgres:
    """A schema of its own, and a table in it for bare inserts."""

    def __init__(self) -> None:
        import psycopg

        from passline.journal.postgres import PostgresJournal
        from tests import postgres

        address = postgres.fresh()
        self.journal: Journal = PostgresJournal(address)
        self.connection = psycopg.connect(address, autocommit=True, prepare_threshold=2)
        self.connection.execute("CREATE TABLE bare (stream text, sequence bigint, key text, line bytea)")
        self.connection.execute("CREATE UNIQUE INDEX one ON bare (stream, sequence)")

    def bare(self, line: bytes) -> None:
        """Insert one row, durably."""
        number = next(NUMBERS)
        self.connection.execute("BEGIN")
        self.connection.execute("INSERT INTO bare VALUES (%s, %s, %s, %s)", ("t", number, f"k{number}", line))
        self.connection.execute("COMMIT")


class Players:
    """Tables with people at them who bet, and now and then roll."""

    def __init__(self, journal: Journal, tables: int, seats: int) -> None:
        names = [f"b{next(NUMBERS)}" for _ in range(tables)]
        self.tables = [LiveTable.create(journal, name, time=NOW, keys=KEYS) for name in names]
        self.seats = seats
        self.numbers = count()
        for table in self.tables:
            for seat in range(1, seats + 1):
                table.do(c.Sit(seat, f"P{seat}", 10**12), self.ask())

    def ask(self) -> Ask:
        """Under a key of its own."""
        return Ask("ann", "player", f"k{next(NUMBERS)}", NOW)

    def bet(self) -> None:
        """One durable command: a wager goes up, or comes down again."""
        number = next(self.numbers)
        table = self.tables[number % len(self.tables)]
        up, taken = divmod(number // len(self.tables), 2)
        seat = 1 + up % self.seats
        answer = table.do(c.Take(seat, "place_6") if taken else c.Bet(seat, "place_6", 600), self.ask())
        assert b'"kind":"acted"' in answer, answer

    def roll(self) -> None:
        """Two durable entries, the bets closed and then the dice; before a come-out a line bet."""
        table = self.tables[next(self.numbers) % len(self.tables)]
        state = table.live.table
        if not state.puck:  # whoever has the dice needs a line bet
            table.do(c.Bet(state.shooter or 1, "pass", 600), self.ask())
        answer = table.roll(self.ask())
        assert b'"kind":"rolled"' in answer, answer


def one_table(store: Store, calls: int) -> dict[str, Any]:
    """Bets at one table and bare inserts of as many bytes, in turns; the best round of each counts."""
    players = Players(store.journal, 1, 8)
    players.bet()
    line = next(iter(store.journal.lines(players.tables[0].name, players.tables[0].head.sequence - 1)))
    bare: list[Timed] = []
    live: list[Timed] = []
    for _ in range(ROUNDS):
        bare.append(Timed(calls, lambda: store.bare(line)))
        live.append(Timed(calls, players.bet))
    best_bare = max(bare, key=lambda each: each.a_second)
    best_live = max(live, key=lambda each: each.a_second)
    ratios = sorted(ours.a_second / theirs.a_second for ours, theirs in zip(live, bare, strict=True))
    rolled = Timed(calls // 4, players.roll)
    return {
        "commands_a_second": round(best_live.a_second),
        "p99_ms": round(best_live.p99_ms, 3),
        "bare_inserts_a_second": round(best_bare.a_second),
        "bare_p99_ms": round(best_bare.p99_ms, 3),
        "ratio": round(ratios[len(ratios) // 2], 3),
        "ratio_of_best": round(best_live.a_second / best_bare.a_second, 3),
        "processor_us": round(median(each.processor_us for each in live)),
        "bare_processor_us": round(median(each.processor_us for each in bare)),
        "bytes_an_entry": len(line),
        "rolls_a_second": round(rolled.a_second),
    }


def growth(store: Store, calls: int) -> dict[str, dict[str, int]]:
    """Commands a second by how many tables one process serves, and by how many seats a table has."""
    tables = {n: round(Timed(calls, Players(store.journal, n, 4).bet).a_second) for n in (1, 4, 16, 64)}
    seats = {n: round(Timed(calls, Players(store.journal, 1, n).bet).a_second) for n in (1, 4, 8, 16)}
    return {"by_tables": {str(n): v for n, v in tables.items()}, "by_seats": {str(n): v for n, v in seats.items()}}


def main() -> int:
    """Measure, print, and write down."""
    parser = argparse.ArgumentParser(prog="bench/journal.py", description=__doc__)
    parser.add_argument("--store", choices=("sqlite", "postgresql"), action="append", help="both unless told")
    parser.add_argument("--calls", type=int, default=1_000, metavar="N", help="commands a round; 1,000 unless told")
    parser.add_argument("--json", type=Path, default=RESULTS, metavar="FILE", help="where the figures go")
    options = parser.parse_args()
    found: dict[str, Any] = {
        "what": "durable commands of a live table beside bare durable inserts of as many bytes, in turns",
        "python": platform.python_version(),
        "sqlite_version": sqlite3.sqlite_version,
        "load": [round(each, 1) for each in os.getloadavg()],
    }
    with tempfile.TemporaryDirectory(prefix="passline-bench-") as folder:
        for name in options.store or ("sqlite", "postgresql"):
            store: Store = Sqlite(Path(folder)) if name == "sqlite" else Postgres()
            found[name] = one_table(store, options.calls) | growth(store, options.calls)
            store.journal.close()
            print(name, json.dumps(found[name], indent=1))
    options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
