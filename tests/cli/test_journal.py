"""`passline journal`: export, import, backup, restore, head."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from passline.engine import commands as c
from passline.journal import heads
from passline.journal.contract import now
from passline.journal.sqlite import SqliteJournal
from passline.live.dice import LINK_TAG, chain
from passline.pit.keys import keys_at, read_keys
from passline.pit.people.people import People
from passline.pit.table import LiveTable
from passline.table import replay
from tests.cli.running import refused, run, told
from tests.journal.freeze import FROZEN
from tests.journal.stores import draft, write
from tests.pit.play import KEYS, NOW, by, new_table

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal with a table that was played, and keys that are nobody's own."""
    monkeypatch.setenv("PASSLINE_KEYS", str(tmp_path / "keys.json"))
    (tmp_path / "keys.json").write_text(json.dumps({"seal": KEYS.seal.hex(), "sign": KEYS.sign.hex()}))
    (tmp_path / "keys.json").chmod(0o600)
    path = tmp_path / "evening.db"
    store = SqliteJournal(path)
    table = new_table(store)
    for _ in range(3):
        table.do(c.Bet(1, "pass", 1000), by())
        table.roll(by())
    store.close()
    return path


def lines_of(path: Path) -> list[bytes]:
    """The entries of a journal's one table."""
    store = SqliteJournal(path, read_only=True)
    try:
        return list(store.lines("t1"))
    finally:
        store.close()


def test_a_journal_is_exported_and_imported(file: Path, tmp_path: Path) -> None:
    """To a file or to standard output, and into an empty journal."""
    out = tmp_path / "evening.jsonl"
    assert run("journal", "export", file, "--to", out).stdout == f"{out}: t1\n", "in order with what is printed next"
    shown = run("journal", "export", file)
    assert shown.stdout.encode().splitlines()[1:-1] == out.read_bytes().splitlines()[1:-1]
    result = run("journal", "import", out, tmp_path / "copy.db", "--json")
    assert json.loads(result.stdout)["tables"] == {"t1": len(lines_of(file))}
    assert lines_of(tmp_path / "copy.db") == lines_of(file)
    assert "already" in refused("journal", "import", out, tmp_path / "copy.db", code=1)


def test_a_table_is_exported_as_a_record_and_as_columns(file: Path, tmp_path: Path) -> None:
    """The record replays; the columns have every event."""
    record, columns = tmp_path / "t1.craps", tmp_path / "t1.parquet"
    assert run("journal", "export", file, "--table", "t1", "--to", record).exit_code == 0
    assert [*tmp_path.glob("*.toml")] == []  # its house comes with the program
    store = SqliteJournal(file, read_only=True)
    live = LiveTable(store, "t1", None).live.table
    store.close()
    assert replay(record).state.seats[1].rail == live.seats[1].rail
    assert run("journal", "export", file, "--to", columns).exit_code == 0
    frame = pl.read_parquet(columns)
    assert frame.filter(pl.col("event") == "dice_thrown").height == 3


@pytest.mark.slow
def test_a_backup_has_the_sealed_seeds(file: Path, tmp_path: Path) -> None:
    """So that it is the same journal: as it lies there, its next roll is the one it would have been."""
    assert run("journal", "backup", file, tmp_path / "backup.db").exit_code == 0
    assert "already" in refused("journal", "backup", file, tmp_path / "backup.db", code=2)
    rolled = []
    for path in (file, tmp_path / "backup.db"):
        store = SqliteJournal(path)
        table = LiveTable.open(store, "t1", time=NOW, keys=KEYS)
        table.do(c.Bet(1, "pass", 1000), by())
        rolled.append(json.loads(table.roll(by()))["body"]["dice"])
        store.close()
    assert rolled[0] == rolled[1]


def test_dice_that_a_backup_could_still_deal_are_dealt_no_more(file: Path, tmp_path: Path) -> None:
    """They may have been seen since: a restored table shows those chains to their ends and goes on with new ones."""
    assert run("journal", "backup", file, tmp_path / "backup.db").exit_code == 0
    assert run("journal", "restore", tmp_path / "backup.db", tmp_path / "again.db").exit_code == 0
    dealt: dict[Path, list[dict[str, Any]]] = {}
    for path in (file, tmp_path / "again.db"):
        store = SqliteJournal(path)
        table = LiveTable.open(store, "t1", time=NOW, keys=KEYS)
        dealt[path] = []
        for _ in range(2):
            table.do(c.Bet(1, "pass", 1000), by())  # taken before a come-out, and else refused
            dealt[path].append(json.loads(table.roll(by()))["body"])
        store.close()
    assert [body["epoch"] for body in dealt[file]] == [1, 1]
    assert [(body["epoch"], body["roll"]) for body in dealt[tmp_path / "again.db"]] == [(3, 1), (3, 2)]
    shown = run("journal", "export", tmp_path / "again.db").stdout
    entries = [json.loads(line) for line in shown.splitlines() if '"body"' in line]
    at = next(number for number, entry in enumerate(entries) if entry["kind"] == "table_restored")
    after = [(entry["kind"], entry["body"]["epoch"]) for entry in entries[at + 1 : at + 5]]
    assert after == [("chain_shown", 1), ("chain_shown", 2), ("chain_committed", 3), ("chain_committed", 4)]
    first = dealt[file][0]
    links = chain(LINK_TAG, (entries[0]["body"]["stream"], 1), bytes.fromhex(entries[at + 1]["body"]["link"]))
    assert links[first["roll"]].hex() == first["link"], "what was shown is what the other copy deals"
    (tmp_path / "again.jsonl").write_text(shown)
    (report,) = told("verify", tmp_path / "again.jsonl")
    assert (report["holds"], report["checked"]["restores"]) == (True, 1)


def test_a_head_is_signed(file: Path, tmp_path: Path) -> None:
    """With the keys of the house, which only their owner may read."""
    head = json.loads(run("journal", "head", file).stdout)
    assert head["sequence"] == len(lines_of(file))
    assert (tmp_path / "keys.json").stat().st_mode & 0o077 == 0
    assert keys_at(tmp_path / "keys.json") == keys_at(tmp_path / "keys.json")
    exported = run("journal", "export", file).stdout.splitlines()
    assert json.loads(exported[-1])["heads"][-1]["key"] == head["key"]


def test_what_is_not_there_is_said(file: Path, tmp_path: Path) -> None:
    """No journal, no table, no place to write to, no keys: a sentence each."""
    assert "no journal" in refused("journal", "export", tmp_path / "none.db", code=1)
    assert "no table t9" in refused("journal", "export", file, "--table", "t9", code=1)
    assert "t9" in refused("journal", "head", file, "--table", "t9", code=2)
    assert ".jsonl" in refused("journal", "export", file, "--to", tmp_path / "x.txt", code=2)
    assert "none.jsonl" in refused("journal", "import", tmp_path / "none.jsonl", tmp_path / "y.db", code=2)
    for command in ("head", "export"):
        assert "no file of keys" in refused("journal", command, file, "--keys", tmp_path / "typo.json", code=1)
    assert not (tmp_path / "typo.json").exists()
    (tmp_path / "keys.json").write_text("{}")
    assert "no file of keys: seal and sign, 64" in refused("journal", "head", file, code=1)


@pytest.mark.parametrize("start", ["", '{"export":"passline/journal/1","tables":["t1"]}\n{"actor":'])
def test_an_export_that_is_nested_without_end_is_said_to_be_none(tmp_path: Path, start: str) -> None:
    """In its first line or in an entry."""
    (tmp_path / "deep.jsonl").write_text(start + "[" * 200_000)
    assert "JSON" in refused("journal", "import", tmp_path / "deep.jsonl", tmp_path / "x.db", code=1)


def test_an_import_that_fails_leaves_nothing_behind(file: Path, tmp_path: Path) -> None:
    """No file where there was none, and a journal that is there as it was."""
    out = tmp_path / "evening.jsonl"
    run("journal", "export", file, "--to", out)
    lines = out.read_bytes().splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if b'"kind":"acted"' in line)
    lines[last] = lines[last].replace(b"1000", b"9000", 1)
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(b"".join(lines))
    before = {path.name for path in tmp_path.iterdir()}
    assert "hash" in refused("journal", "import", broken, tmp_path / "new.db", code=1)
    assert {path.name for path in tmp_path.iterdir()} == before
    other = tmp_path / "other.db"
    store = SqliteJournal(other)
    new_table(store, "t2")
    store.close()
    lines = out.read_bytes().splitlines(keepends=True)
    lines[-2] = lines[-2].replace(b'"accounts":{', b'"accounts":{"aaa":1,', 1)
    broken.write_bytes(b"".join(lines))
    assert "balances" in refused("journal", "import", broken, other, code=1)
    store = SqliteJournal(other, read_only=True)
    assert store.tables() == ["t2"], "part of an export that was refused is kept"
    store.close()
    assert run("journal", "import", out, other).exit_code == 0
    assert lines_of(other) == lines_of(file)


def test_a_backup_that_fails_leaves_nothing_behind(file: Path, tmp_path: Path) -> None:
    """What cannot be believed is not kept as if it could."""
    connection = sqlite3.connect(file)
    connection.execute("UPDATE accounts SET balance = balance + 1 WHERE account = 'rail/1'")
    connection.commit()
    connection.close()
    before = {path.name for path in tmp_path.iterdir()}
    assert "balances" in refused("journal", "backup", file, tmp_path / "backup.db", code=1)
    assert {path.name for path in tmp_path.iterdir()} - before <= {"evening.db-wal", "evening.db-shm"}


@pytest.mark.skipif(os.name != "posix", reason="who may read a file is said otherwise there")
def test_keys_that_others_can_read_are_told(file: Path, tmp_path: Path) -> None:
    """On standard error, whatever is done with them."""
    assert "chmod 600" not in run("journal", "head", file).stderr
    (tmp_path / "keys.json").chmod(0o644)
    result = run("journal", "head", file)
    assert result.exit_code == 0
    assert "chmod 600" in result.stderr


def test_another_houses_keys_sign_nothing(file: Path, tmp_path: Path) -> None:
    """What one house has signed, another does not vouch for."""
    keys_at(tmp_path / "others.json")
    for command in ("head", "export"):
        said = refused("journal", command, file, "--keys", tmp_path / "others.json", code=1)
        assert "give the keys that its table is played with" in said
    assert run("journal", "head", file).exit_code == 0


def as_somebody_else(folder: Path, code: str) -> str:
    """What code says that is run by somebody who may read a folder and write nothing in it; FILE is the journal."""
    words = f"""
import os, sys
from pathlib import Path
from passline.errors import PasslineError
from passline.journal.sqlite import SqliteJournal
FILE = Path(sys.argv[1])
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
assert not os.access(FILE.parent, os.W_OK)
try:
{textwrap.indent(code, "    ")}
except PasslineError as error:
    print(error)
"""
    for each in folder.iterdir():
        each.chmod(0o444)
    folder.chmod(0o555)
    try:
        done = subprocess.run(
            [sys.executable, "-c", words, folder / "evening.db"], capture_output=True, text=True, check=False
        )
    finally:
        folder.chmod(0o755)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody may look into; pytest's own are for nobody else."""
    with tempfile.TemporaryDirectory(prefix="passline-") as made:
        Path(made).chmod(0o755)
        yield Path(made)


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such permissions there")
def test_a_journal_is_read_where_nothing_can_be_written(file: Path, public: Path) -> None:
    """Nothing is made beside it, as reading a file in WAL mode otherwise does; and who would write is told why not."""
    (public / "evening.db").write_bytes(file.read_bytes())
    said = as_somebody_else(public, 'print(SqliteJournal(FILE, read_only=True).head("t1").sequence > 0)')
    assert said == "True\n"
    assert [path.name for path in public.iterdir()] == ["evening.db"]
    assert "nothing can beside it: Permission denied" in as_somebody_else(public, "SqliteJournal(FILE)")


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such permissions there")
def test_a_log_that_waits_where_nothing_can_be_written_is_told_of(file: Path, public: Path) -> None:
    """It cannot be read without its log, and is not read as if it had none."""
    store = SqliteJournal(file)
    write(store, "more", draft("a"))
    for end in ("", "-wal"):
        (public / f"evening.db{end}").write_bytes(Path(f"{file}{end}").read_bytes())
    store.close()
    said = as_somebody_else(public, 'print(SqliteJournal(FILE, read_only=True).head("more"))')
    assert "part of it is in evening.db-wal" in said
    assert "Copy both into a folder of your own" in said
    again = SqliteJournal(public / "evening.db", read_only=True)
    assert again.head("more") is not None
    again.close()


def test_a_reader_leaves_nothing_beside_a_journal(file: Path) -> None:
    """Neither an empty log nor its index, unless somebody else still has it open."""
    assert run("journal", "head", file).exit_code == 0
    assert sorted(path.name for path in file.parent.glob(f"{file.name}-*")) == []
    store = SqliteJournal(file)
    assert run("journal", "head", file).exit_code == 0
    write(store, "more", draft("a"))
    store.close()
    again = SqliteJournal(file, read_only=True)
    assert again.head("more") is not None
    again.close()


def test_two_who_restore_the_same_journal_leave_each_others_alone(file: Path, tmp_path: Path) -> None:
    """What one of them has begun is not taken away by the other, who fails."""
    begun = tmp_path / "copy.db.1.part"
    begun.write_bytes(b"begun by another process")
    (tmp_path / "broken.db").write_bytes(b"no journal")
    assert run("journal", "restore", tmp_path / "broken.db", tmp_path / "copy.db").exit_code != 0
    assert begun.read_bytes() == b"begun by another process"
    assert run("journal", "restore", file, tmp_path / "copy.db").exit_code == 0
    assert begun.exists()


def test_a_folder_that_is_not_there_is_told_of(file: Path, tmp_path: Path) -> None:
    """By its name, and not in Python's words."""
    said = refused("journal", "backup", file, tmp_path / "nowhere" / "copy.db", code=1)
    assert f"there is no folder {tmp_path / 'nowhere'}" in said


BEGINS = '{"export":"passline/journal/1","tables":["a"]}\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("xx\n", "line 1: found 'xx'; expected one JSON object"),
        ('{"export":"passline/journal/1","tables":5}\n', "line 1: found no export of a journal"),
        (BEGINS + "{\n", "line 2: found '{'; expected one JSON object"),
        (BEGINS + '{"actor"\n', "line 2: an entry that is no JSON object"),
        (BEGINS + '{"balances":{}}\n', "line 2, or the entries before it: not of the form"),
        (BEGINS + '{"heads":[{"x":1}]}\n', "line 2, or the entries before it: not of the form"),
        (BEGINS + '{"heads":7}\n', "line 2, or the entries before it: not of the form"),
    ],
)
def test_what_is_no_export_is_told_by_its_line(tmp_path: Path, text: str, told: str) -> None:
    """In our words, and nothing is left behind."""
    (tmp_path / "bad.jsonl").write_text(text)
    assert told in refused("journal", "import", tmp_path / "bad.jsonl", tmp_path / "new.db", code=1)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("new")] == []


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    """To read, or to write."""
    for asked in (("export", tmp_path), ("backup", tmp_path, tmp_path / "new.db")):
        assert "is a folder; give the file of a journal" in refused("journal", *asked, code=1)


def test_people_are_listed_while_somebody_writes(tmp_path: Path) -> None:
    """Whoever only looks is let in, and makes nothing."""
    journal = SqliteJournal(tmp_path / "pit.db")
    try:
        People(journal, now()).guest("Ann", now())
        assert run("people", "list", "--journal", tmp_path / "pit.db").stdout == "Ann (guest): player\n"
    finally:
        journal.close()
    assert run("people", "list", "--journal", tmp_path / "none.db").exit_code
    assert not (tmp_path / "none.db").exists()


def test_keys_are_made_once_and_the_public_one_is_told(tmp_path: Path) -> None:
    """The same file tells the same key again, and only its owner reads it."""
    file = tmp_path / "house" / "keys.json"
    first = run("journal", "keys", file)
    told = first.stdout.strip()
    assert "was not there: these are new keys" in first.stderr
    again = run("journal", "keys", file)
    assert not again.stderr
    assert again.stdout.strip() == told == heads.public(read_keys(file).sign)
    assert json.loads(run("journal", "keys", file, "--json").stdout) == {"file": str(file), "key": told, "made": False}
    assert file.stat().st_mode & 0o077 == 0
    assert "folder that you may write to" in refused("journal", "keys", "/proc/nowhere/keys.json", code=1)


def test_a_backup_of_an_earlier_version_is_put_back_and_stays_as_it_was(tmp_path: Path) -> None:
    """It is not brought up to date itself: the version that wrote it may have to read it again."""
    old, new = tmp_path / "backup.db", tmp_path / "again.db"
    frozen = min(FROZEN.glob("*.db.gz"))
    old.write_bytes(gzip.decompress(frozen.read_bytes()))
    before = old.read_bytes()
    assert "older revision" in refused("journal", "backup", old, tmp_path / "second.db", code=1)
    known = json.loads(frozen.with_suffix("").with_suffix(".json").read_text())
    told = json.loads(run("journal", "restore", old, new, "--json").stdout)["tables"]
    assert told == {name: each["sequence"] for name, each in known.items()}
    assert old.read_bytes() == before
    SqliteJournal(new, read_only=True).close()  # it is up to date
