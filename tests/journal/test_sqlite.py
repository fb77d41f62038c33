"""The journal in one file: what it forbids, what it survives, and whom it lets in."""

from __future__ import annotations

import gzip
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from passline.errors import BrokenError, BusyError, FullError, JournalError, NewerError
from passline.journal.contract import Head, read_entry
from passline.journal.sql import FOLDER, REVISION, migration, open_journal
from passline.journal.sqlite import PythonDriver, SqliteJournal
from tests.journal.freeze import FROZEN, told
from tests.journal.stores import draft, write

FROZEN_AT = {1: "0.2-dev", 2: "0.2-dev2", 3: "0.2.0.dev1"}
"""The frozen store of each revision that was."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A journal with two entries."""
    path = tmp_path / "journal.db"
    store = SqliteJournal(path)
    write(store, "t1", draft("a", [("cage", "rail/1", 100)]), draft("b"))
    store.close()
    return path


def test_a_journal_is_there_when_it_is_opened_again(file: Path) -> None:
    """Entries, balances, and the end of the chain."""
    store = SqliteJournal(file)
    assert [line is not None for line in store.lines("t1")] == [True, True]
    assert store.balances("t1") == {"cage": -100, "rail/1": 100}
    write(store, "t1", draft("c"))
    store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET line = x'00'",
        "DELETE FROM entries",
        "INSERT OR REPLACE INTO entries VALUES ('t1', 1, 'z', x'00')",
        "INSERT INTO entries VALUES ('t1', 9, 'z', x'00')",
        "INSERT INTO entries VALUES ('t1', 3, 'a', x'00')",
        "UPDATE accounts SET balance = -1 WHERE account = 'rail/1'",
        "UPDATE accounts SET balance = 1.5 WHERE account = 'rail/1'",
        "UPDATE accounts SET balance = 9.4e+18 WHERE account = 'rail/1'",
        "UPDATE accounts SET balance = 'much' WHERE account = 'rail/1'",
        "UPDATE accounts SET balance = 1000000000000000001 WHERE account = 'rail/1'",
        "DELETE FROM streams",
        "UPDATE streams SET stream = 'z'",
        "UPDATE streams SET fence = -1",
    ],
)
def test_the_database_itself_forbids_it(file: Path, statement: str) -> None:
    """Whoever holds the file and a shell can still not change what is written by accident."""
    connection = sqlite3.connect(file)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)
    connection.close()


def test_only_one_process_writes(file: Path) -> None:
    """A second one is refused, whatever the version; who only reads is let in."""
    store = SqliteJournal(file)
    code = f"""
from passline.errors import BusyError
from passline.journal.sqlite import SqliteJournal
reader = SqliteJournal({str(file)!r}, read_only=True)
print(len(list(reader.lines("t1"))))
try:
    SqliteJournal({str(file)!r})
except BusyError as error:
    print("busy")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["2", "busy"], done.stderr
    write(store, "t1", draft("c"))
    store.close()
    SqliteJournal(file).close()


@pytest.mark.parametrize("link", ["symbolic", "folder", "renamed"])
def test_the_lock_is_on_the_file_and_not_on_its_name(file: Path, tmp_path: Path, link: str) -> None:
    """Whatever the way to a file that is open: a link, a folder that is one, a name it was given since."""
    store = SqliteJournal(file)
    other = tmp_path / "other.db"
    if link == "symbolic":
        other.symlink_to(file)
    elif link == "folder":
        (tmp_path / "folder").symlink_to(tmp_path)
        other = tmp_path / "folder" / file.name
    else:
        file.rename(other)
    with pytest.raises(BusyError):
        SqliteJournal(other)
    store.close()
    SqliteJournal(other).close()


def test_a_file_with_two_names_is_not_written_to(file: Path, tmp_path: Path) -> None:
    """SQLite would keep a log for each of them."""
    (tmp_path / "other.db").hardlink_to(file)
    for name in (file, tmp_path / "other.db"):
        with pytest.raises(JournalError, match="names of one file"):
            SqliteJournal(name)
    (tmp_path / "other.db").unlink()
    SqliteJournal(file).close()


def test_a_writer_that_closes_leaves_the_locks_of_a_reader(file: Path) -> None:
    """By POSIX all locks of a process on a file end with any handle of it: ours are closed when the last is."""
    store, reader = SqliteJournal(file), SqliteJournal(file, read_only=True)
    assert len(list(reader.lines("t1"))) == 2
    handles = len(list(Path("/proc/self/fd").iterdir())) if sys.platform == "linux" else 0
    store.close()
    inode = file.stat().st_ino
    if sys.platform == "linux":
        held = Path("/proc/locks").read_text()
        assert any(f":{inode} " in line and "POSIX" in line for line in held.splitlines()), held
    reader.close()
    if sys.platform == "linux":
        assert len(list(Path("/proc/self/fd").iterdir())) < handles
    SqliteJournal(file).close()


def test_a_balance_beyond_all_reason_is_refused_and_breaks_nothing(file: Path) -> None:
    """It would become a float in SQLite, in which small amounts vanish."""
    store = SqliteJournal(file)
    for number in range(9):
        write(store, "t1", draft(f"m{number}", [("cash", "wallet/ann", 10**17)]))
    with pytest.raises(JournalError, match="more than is ever kept"):
        write(store, "t1", draft("too much", [("cash", "wallet/ann", 2 * 10**17)]))
    assert store.broken is None
    assert store.balances("t1")["wallet/ann"] == 9 * 10**17
    write(store, "t1", draft("next"))
    store.close()


def test_who_waits_looks_into_the_file_only_where_others_write(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes alone knows where everything ends; a reader is told of it by the file."""
    store, reader = SqliteJournal(file), SqliteJournal(file, read_only=True)
    assert store.wait({}, 10) == reader.wait({}, 10) == {"t1": 2}
    with monkeypatch.context() as patched:
        patched.setattr(store, "ends", lambda: pytest.fail("it looked"))
        write(store, "t1", draft("c"))
        write(store, "t2", draft("a"))
        assert store.wait({"t1": 2}, 10) == {"t1": 3, "t2": 1}
    assert reader.wait({"t1": 2}, 10) == store.ends() == {"t1": 3, "t2": 1}
    reader.close()
    store.close()


def test_a_reader_writes_nothing(file: Path) -> None:
    """Not even by mistake; and it reads only what is there."""
    reader = SqliteJournal(file, read_only=True)
    with pytest.raises(JournalError):
        write(reader, "t1", draft("c"))
    reader.close()
    with pytest.raises(JournalError, match="there is no journal"):
        SqliteJournal(file.with_name("other.db"), read_only=True)


class Failing(PythonDriver):
    """A driver whose statements fail when they are told to."""

    fails: str = ""
    code_of: int = 10
    once: bool = True

    def do(self, sql: str, values: Sequence[object] = ()) -> int:
        """Fail, or do it."""
        if self.fails and sql.startswith(self.fails):
            if self.once:
                self.fails = ""
            error = sqlite3.OperationalError("it failed")
            error.sqlite_errorcode = self.code_of
            raise error
        return super().do(sql, values)


def test_after_a_failed_sync_nothing_is_written_any_more(file: Path) -> None:
    """The disk may have lost what it said it had: stop, and look at what is there with fresh eyes."""
    driver: list[Failing] = []

    def connect(path: Path) -> Failing:
        driver.append(Failing(path))
        return driver[0]

    store = SqliteJournal(file, driver=connect)
    driver[0].fails = "COMMIT"
    with pytest.raises(BrokenError):
        write(store, "t1", draft("c"))
    assert store.broken is not None
    with pytest.raises(BrokenError, match="Open it anew"):
        write(store, "t1", draft("c"))
    store.close()
    again = SqliteJournal(file)
    assert (again.head("t1") or Head("t1")).sequence == 2
    again.close()


def test_a_full_disk_refuses_and_recovers(file: Path) -> None:
    """No act is taken while there is no room, reading goes on, and so does writing when there is room again."""
    store = SqliteJournal(file)
    driver = store._driver
    pages = driver.rows("PRAGMA page_count")[0][0]
    driver.rows(f"PRAGMA max_page_count = {pages}")
    written = 2

    def fill() -> None:
        nonlocal written
        for number in range(1000):
            write(store, "t1", draft(f"full-{number}", [("cage", "rail/1", 1)]))
            written += 1

    with pytest.raises(FullError):
        fill()
    assert (store.head("t1") or Head("t1")).sequence == written == len(list(store.lines("t1")))
    assert store.balances("t1") == store.balances("t1", written)
    driver.rows(f"PRAGMA max_page_count = {pages + 100}")
    write(store, "t1", draft("again"))
    store.close()


def test_a_store_of_a_newer_passline_is_refused(file: Path) -> None:
    """By readers and writers: this program would not understand it."""
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA user_version = 9999")
    connection.commit()
    connection.close()
    for read_only in (True, False):
        with pytest.raises(NewerError, match="newer Passline"):
            SqliteJournal(file, read_only=read_only)


def test_what_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    """A database of somebody else's, or a file that is none."""
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (x)")
    connection.commit()
    connection.close()
    with pytest.raises(JournalError, match="another program"):
        SqliteJournal(path)
    path.write_text("no database at all, but long enough to be looked at as if it were one" * 10)
    with pytest.raises(JournalError):
        SqliteJournal(path)


def tables_of(path: Path) -> dict[str, object]:
    """Every table with its columns and indices, every trigger as it is written, spaces and words for types apart."""
    connection = sqlite3.connect(path)
    found: dict[str, object] = {"revision": connection.execute("PRAGMA user_version").fetchone()}
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall():
        if kind == "table":
            columns = connection.execute(f"PRAGMA table_info({name})").fetchall()
            found[name] = [(column, kind.replace("BIGINT", "INTEGER"), *rest) for _, column, kind, *rest in columns]
            found[f"{name} refers to"] = connection.execute(f"PRAGMA foreign_key_list({name})").fetchall()
            found[f"{name} checks"] = sorted(re.findall(r"CONSTRAINT (\w+)", sql))
        elif kind == "trigger":
            found[name] = " ".join(sql.split())
    connection.close()
    return found


def test_the_revisions_lead_to_the_tables_of_today(older: tuple[Path, int | None], tmp_path: Path) -> None:
    """A store that was brought up to date is one that was made today."""
    assert sorted(int(file.stem) for file in (FOLDER / "revisions").iterdir()) == list(range(2, REVISION + 1))
    SqliteJournal(older[0]).close()
    SqliteJournal(tmp_path / "new.db").close()
    assert tables_of(older[0]) == tables_of(tmp_path / "new.db")
    assert tables_of(older[0])["revision"] == (REVISION,)


MIGRATES = ("ALTER", "CREATE", "DROP", "INSERT", "UPDATE", "PRAGMA application_id =", "PRAGMA user_version =")


@pytest.fixture(params=[None, *FROZEN_AT])
def older(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, int | None]:
    """No file yet, or a store as each earlier revision left one, and which."""
    version: int | None = request.param
    path = tmp_path / "journal.db"
    if version is not None:
        path.write_bytes(gzip.decompress((FROZEN / f"{FROZEN_AT[version]}.db.gz").read_bytes()))
        store = SqliteJournal.__new__(SqliteJournal)
        store.path, store._driver = path, PythonDriver(path, read_only=True)
        assert store._revision() == version
        store._driver.close()
    return path, version


def opens(path: Path, version: int | None) -> None:
    """A store that a migration was tried on opens with all that was in it, and is written to."""
    store = SqliteJournal(path)
    if version is not None:
        assert told(store) == json.loads((FROZEN / f"{FROZEN_AT[version]}.json").read_text())
    write(store, "new", draft("a"))
    store.close()
    connection = sqlite3.connect(path)
    kept = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
    connection.close()
    assert kept >= {"no_update_of_entries", "no_delete_of_entries", "entries_in_order"}
    assert kept >= {"streams_go_forward", "no_delete_of_streams", "no_update_of_houses", "no_delete_of_houses"}


def test_a_migration_that_fails_leaves_nothing_behind(older: tuple[Path, int | None]) -> None:
    """At whatever statement it fails, the file is as it was, and the next try finishes it."""
    path, version = older
    wanted = len(migration("sqlite", version))

    def tables() -> list[tuple[object, ...]]:
        connection = sqlite3.connect(path)
        found = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
        connection.close()
        return found

    before = tables()
    for number in range(wanted):
        count = iter(range(wanted))

        class Stopping(PythonDriver):
            def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
                if sql.startswith(MIGRATES) and next(count) == number:  # noqa: B023 - used up in this turn
                    error = sqlite3.OperationalError("disk I/O error")
                    error.sqlite_errorcode = 10
                    raise error
                return super().rows(sql, values)

        with pytest.raises(BrokenError):
            SqliteJournal(path, driver=Stopping)
        assert tables() == before
    opens(path, version)


def test_a_migration_that_is_killed_is_done_or_not_begun(older: tuple[Path, int | None], tmp_path: Path) -> None:
    """The files as they lie there between any two statements, and before the commit: what a kill leaves is opened."""
    path, version = older
    left: list[Path] = []

    class Watched(PythonDriver):
        def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
            if sql.startswith((*MIGRATES, "COMMIT", "BEGIN")):
                (folder := tmp_path / str(len(left))).mkdir()
                for each in tmp_path.glob("journal.db*"):
                    if not each.name.endswith(("lock", "shm")):
                        (folder / each.name).write_bytes(each.read_bytes())
                left.append(folder / "journal.db")
            return super().rows(sql, values)

    SqliteJournal(path, driver=Watched).close()
    assert len(left) == len(migration("sqlite", version)) + 2
    for each in left:
        opens(each, version)


def test_a_backup_is_a_journal(file: Path, tmp_path: Path) -> None:
    """Whole, as it was at one moment, and never over something else."""
    store = SqliteJournal(file)
    store.backup(tmp_path / "backup.db")
    write(store, "t1", draft("c"))
    with pytest.raises(JournalError, match="there already"):
        store.backup(tmp_path / "backup.db")
    copy = SqliteJournal(tmp_path / "backup.db")
    assert list(copy.lines("t1")) == list(store.lines("t1", upto=2))
    copy.close()
    store.close()


def test_a_log_that_was_left_is_written_out_again(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte for byte and synced, before anything is built on it: a failed sync may have left it in memory only."""
    store = SqliteJournal(file)
    write(store, "t1", draft("in the log"))
    left = tmp_path / "left.db"
    for end in ("", "-wal"):
        left.with_name(f"left.db{end}").write_bytes(file.with_name(f"{file.name}{end}").read_bytes())
    store.close()
    wal = left.with_name("left.db-wal")
    lines, before = wal.read_bytes(), wal.stat().st_mtime_ns
    synced: list[tuple[bytes, bool]] = []
    sync = os.fsync

    def noted(handle: int) -> None:
        sync(handle)
        synced.append((wal.read_bytes(), wal.stat().st_mtime_ns > before))

    monkeypatch.setattr(os, "fsync", noted)
    reader = SqliteJournal(left, read_only=True)
    assert not synced, "a reader writes nothing"
    reader.close()
    again = SqliteJournal(left)
    assert synced == [(lines, True)]
    assert [read_entry(line).key for line in again.lines("t1")][-1] == "in the log"
    again.close()


def test_a_journal_is_its_owners_alone(tmp_path: Path) -> None:
    """The file and what SQLite keeps beside it."""
    journal = SqliteJournal(tmp_path / "pit.db")
    try:
        modes = {each.name: each.stat().st_mode & 0o077 for each in tmp_path.iterdir() if "lock" not in each.name}
        assert {"pit.db", "pit.db-wal"} <= modes.keys()
        assert not any(modes.values()), modes
    finally:
        journal.close()


@pytest.mark.parametrize("address", ["user=postgres dbname=pit", "host=db port=5432", "dbname = pit"])
def test_an_address_in_words_is_no_file(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As PostgreSQL's own tools take it; no file of that name is made."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(JournalError, match="postgresql://user@host/name"):
        open_journal(address)
    assert not list(tmp_path.iterdir())
