"""How many durable acts a live table does, beside bare inserts into the same store in the same run.

A bare insert is one row in a transaction of its own, into two tables in turn: a plain one with one unique index, which
is what a store can do at all, and one with the indexes and triggers of a journal's own entries, which is what keeping
them costs before anybody decides anything. All three files are opened alike, with pages and logs of the same size, and
the process looks for rubbish as `passline serve` does. `--json FILE` writes the figures down; `--store postgresql`
measures in a PostgreSQL of its own.
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
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from passline.engine import commands as c  # noqa: E402 - the tests are found through the line above
from passline.journal.sqlite import CHECKPOINT_PAGES, PAGE_BYTES, SqliteJournal  # noqa: E402
from passline.live.requests import Ask  # noqa: E402
from passline.pit.keys import new_keys  # noqa: E402
from passline.pit.table import LiveTable  # noqa: E402
from passline.web.service import defer_collection  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

    import psycopg

    from passline.journal.contract import Journal

RESULTS = ROOT / "bench" / "results" / "journal.json"
NOW = "2026-11-15T20:00:00Z"
KEYS = new_keys()
ROUNDS = 9
TOGETHER = 12
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
    def p10_us(self) -> float:
        """What one call in ten takes less than: one that nobody was in the way of, on a machine that others use too."""
        return quantiles(self.took, n=10)[0] * 1e6

    @property
    def p99_ms(self) -> float:
        """What one call in a hundred takes longer than."""
        return quantiles(self.took, n=100)[-1] * 1000


class Store(Protocol):
    """Somewhere to write, by ourselves and barely."""

    journal: Journal

    def bare(self, line: bytes) -> None:
        """Insert one row into a plain table, durably."""

    def entry(self, line: bytes) -> None:
        """Insert one row into a table of entries as a journal has it, durably."""


class Sqlite:
    """A file, and two beside it for bare inserts, opened alike."""

    def __init__(self, folder: Path) -> None:
        self.journal: Journal = SqliteJournal(folder / "journal.db")
        SqliteJournal(folder / "entries.db").close()
        self.plain, self.kept = (self._opened(folder / name) for name in ("bare.db", "entries.db"))
        self.plain.execute("CREATE TABLE entries (stream TEXT, sequence INTEGER, key TEXT, line BLOB)")
        self.plain.execute("CREATE UNIQUE INDEX one ON entries (stream, sequence)")
        self.kept.execute("INSERT INTO streams VALUES ('t', 0)")
        self.numbers = {self.plain: count(1), self.kept: count(1)}

    @staticmethod
    def _opened(path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(path, isolation_level=None)
        alike = (f"page_size = {PAGE_BYTES}", f"wal_autocheckpoint = {CHECKPOINT_PAGES}")
        for pragma in (*alike, "journal_mode = WAL", "synchronous = FULL", "fullfsync = ON"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        return connection

    def bare(self, line: bytes) -> None:
        """Insert one row into a plain table, durably."""
        self._insert(self.plain, line)

    def entry(self, line: bytes) -> None:
        """Insert one row into a table of entries as a journal has it, durably."""
        self._insert(self.kept, line)

    def _insert(self, connection: sqlite3.Connection, line: bytes) -> None:
        connection.execute("BEGIN IMMEDIATE")
        number = next(self.numbers[connection])
        connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", ("t", number, f"k{number}", line))
        connection.execute("COMMIT")


class Postgres:
    """A schema of its own, and two beside it for bare inserts."""

    def __init__(self) -> None:
        import psycopg

        from passline.journal.postgres import PostgresJournal
        from tests import postgres

        address, kept = postgres.fresh(), postgres.fresh()
        self.journal: Journal = PostgresJournal(address)
        PostgresJournal(kept).close()
        self.plain, self.kept = (
            psycopg.connect(each, autocommit=True, prepare_threshold=2) for each in (postgres.fresh(), kept)
        )
        self.plain.execute("CREATE TABLE entries (stream text, sequence bigint, key text, line bytea)")
        self.plain.execute("CREATE UNIQUE INDEX one ON entries (stream, sequence)")
        self.kept.execute("INSERT INTO streams VALUES ('t', 0)")
        self.numbers = {self.plain: count(1), self.kept: count(1)}

    def bare(self, line: bytes) -> None:
        """Insert one row into a plain table, durably."""
        self._insert(self.plain, line)

    def entry(self, line: bytes) -> None:
        """Insert one row into a table of entries as a journal has it, durably."""
        self._insert(self.kept, line)

    def _insert(self, connection: psycopg.Connection[Any], line: bytes) -> None:
        number = next(self.numbers[connection])
        connection.execute("BEGIN")
        connection.execute("INSERT INTO entries VALUES (%s, %s, %s, %s)", ("t", number, f"k{number}", line))
        connection.execute("COMMIT")


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
    """Bets at one table and both bare inserts of as many bytes, in turns; `ratio` is the median of the rounds."""
    players = Players(store.journal, 1, 8)
    players.bet()
    line = next(iter(store.journal.lines(players.tables[0].name, players.tables[0].head.sequence - 1)))
    does = {"bare": lambda: store.bare(line), "entry": lambda: store.entry(line), "live": players.bet}
    rounds = [{name: Timed(calls, call) for name, call in does.items()} for _ in range(ROUNDS)]
    best = {name: max((each[name] for each in rounds), key=lambda timed: timed.a_second) for name in does}
    worked = {name: median(each[name].processor_us for each in rounds) for name in does}
    alone = {name: min(each[name].p10_us for each in rounds) for name in does}
    rolled = Timed(calls // 4, players.roll)
    return {
        "commands_a_second": round(best["live"].a_second),
        "p99_ms": round(best["live"].p99_ms, 3),
        "bare_inserts_a_second": round(best["bare"].a_second),
        "bare_p99_ms": round(best["bare"].p99_ms, 3),
        "bare_entries_a_second": round(best["entry"].a_second),
        "ratio": round(median(each["live"].a_second / each["bare"].a_second for each in rounds), 3),
        "ratio_of_best": round(best["live"].a_second / best["bare"].a_second, 3),
        "ratio_to_entries": round(median(each["live"].a_second / each["entry"].a_second for each in rounds), 3),
        "p10_us": round(alone["live"]),
        "bare_p10_us": round(alone["bare"]),
        "entries_p10_us": round(alone["entry"]),
        "ratio_of_p10": round(alone["bare"] / alone["live"], 3),
        "processor_us": round(worked["live"]),
        "bare_processor_us": round(worked["bare"]),
        "entries_processor_us": round(worked["entry"]),
        "processor_ratio": round(worked["bare"] / worked["live"], 3),
        "bytes_an_entry": len(line),
        "rolls_a_second": round(rolled.a_second),
    }


MEANING = {
    "bare": "one row into a plain table with one unique index: what the store can do at all; `ratio` is to this one",
    "entries": "one row into a table with the indexes and triggers of a journal's entries: what keeping them costs",
    "ratio": "commands a second to bare inserts a second, the median of the rounds; `ratio_of_best` of the best rounds",
    "p10": "what one call in ten takes less than, in the best round: nearly what it takes on a machine of its own",
    "processor": "what one takes of the processor in the median; the rest is the disk, and whoever else runs",
}
"""What the figures mean, beside them."""


def together(store: Store, calls: int) -> dict[str, Any]:
    """Twelve tables at once, each in a thread of its own as the service has them, and bare inserts, in turns."""
    players = [Players(store.journal, 1, 4) for _ in range(TOGETHER)]
    line = next(iter(store.journal.lines(players[0].tables[0].name)))

    def play(each: Players) -> None:
        for _ in range(calls // TOGETHER):
            each.bet()

    def at_once() -> float:
        threads = [Thread(target=play, args=(each,)) for each in players]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return calls // TOGETHER * TOGETHER / (time.perf_counter() - began)

    rounds = [(at_once(), Timed(calls, lambda: store.bare(line)).a_second) for _ in range(ROUNDS)]
    return {"twelve_tables_ratio": round(median(ours / bare for ours, bare in rounds), 3)}


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
    defer_collection()
    found: dict[str, Any] = {
        "what": "durable commands of a live table beside bare durable inserts of as many bytes, in turns",
        "meaning": MEANING,
        "python": platform.python_version(),
        "sqlite_version": sqlite3.sqlite_version,
        "load": [round(each, 1) for each in os.getloadavg()],
    }
    with tempfile.TemporaryDirectory(prefix="passline-bench-") as folder:
        for name in options.store or ("sqlite", "postgresql"):
            store: Store = Sqlite(Path(folder)) if name == "sqlite" else Postgres()
            found[name] = one_table(store, options.calls) | together(store, options.calls)
            found[name] |= growth(store, options.calls)
            store.journal.close()
            print(name, json.dumps(found[name], indent=1))
    options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
