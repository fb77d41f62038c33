"""Stores that earlier versions wrote: opened, brought up to date, replayed to the very same tables, and played on."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from passline.engine import commands as c
from passline.journal.export import checked, exported
from passline.journal.sqlite import SqliteJournal
from passline.pit.history import digest, state_line
from passline.pit.table import LiveTable
from passline.verify.check import verify
from tests.journal.freeze import FROZEN, lives, told
from tests.pit.play import KEYS, NOW, by

if TYPE_CHECKING:
    from pathlib import Path

VERSIONS = sorted(path.name.removesuffix(".db.gz") for path in FROZEN.glob("*.db.gz"))


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    """One release after another."""
    name: str = request.param
    return name


def copied(version: str, folder: Path) -> Path:
    path = folder / f"{version}.db"
    path.write_bytes(gzip.decompress((FROZEN / f"{version}.db.gz").read_bytes()))
    return path


@pytest.fixture
def file(version: str, tmp_path: Path) -> Path:
    """A copy of a frozen store."""
    return copied(version, tmp_path)


def test_there_is_a_frozen_store() -> None:
    """At least that of the first version that had journals."""
    assert VERSIONS


def test_it_is_what_it_was(version: str, file: Path) -> None:
    """Every chain, every balance, every table, with its snapshot and without."""
    wanted = json.loads((FROZEN / f"{version}.json").read_text())
    store = SqliteJournal(file)
    assert told(store) == wanted
    for table in store.tables():
        assert len(list(checked(store, table))) == wanted[table]["sequence"]
    by_snapshot = lives(store)
    store._driver.rows("DELETE FROM snapshots")
    assert told(store) == wanted
    assert lives(store) == by_snapshot
    store.close()


def test_it_still_verifies(file: Path) -> None:
    """Also by words: the sentence of a refusal is compared only where the program that said it is this one."""
    store = SqliteJournal(file)
    report = verify(line + b"\n" for line in exported(store, store.tables()))
    assert report.holds, report.faults
    assert report.counts["refusals"]
    store.close()


def test_it_is_played_on(file: Path) -> None:
    """A roll that was announced then is rolled now, with the dice it had then; and all of it verifies."""
    store = SqliteJournal(file)
    fair = LiveTable.open(store, "fair", time=NOW, keys=KEYS, owner="today")
    answer = json.loads(fair.roll(by("stick", "today-roll", role="stick")))
    assert (answer["kind"], answer["body"]["roll"]) == ("rolled", 1)
    for name in ("real", "given"):
        table = LiveTable.open(store, name, time=NOW, keys=KEYS)
        assert json.loads(table.do(c.BuyIn(1, 1000), by(key="today-bet")))["kind"] == "acted"
    report = verify(line + b"\n" for line in exported(store, store.tables()))
    assert report.holds, report.faults
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_a_fresh_process_replays_it_bit_for_bit(tmp_path: Path, seed: str) -> None:
    """Whatever order Python's hashes have."""
    code = """
import json, sys
from passline.journal.sqlite import SqliteJournal
from tests.journal.freeze import told
for file in sys.argv[1:]:
    store = SqliteJournal(file)
    store._driver.rows("DELETE FROM snapshots")
    print(json.dumps(told(store), sort_keys=True))
"""
    files = [copied(version, tmp_path) for version in VERSIONS]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", code, *files], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    replayed = [json.loads(line) for line in done.stdout.splitlines()]
    assert replayed == [json.loads((FROZEN / f"{version}.json").read_text()) for version in VERSIONS]


def test_a_state_is_told_by_its_line(file: Path) -> None:
    """The digests tell one table from another."""
    store = SqliteJournal(file)
    tables = [LiveTable(store, name, KEYS).live.table for name in ("fair", "real", "given")]
    assert len({digest(state_line(table)) for table in tables}) == 3
    assert len(set(lives(store).values())) == 3
    store.close()
