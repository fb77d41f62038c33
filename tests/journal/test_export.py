"""Journals as text and back, and from one store to another."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from passline.engine import commands as c
from passline.engine.values import Roll
from passline.errors import JournalError
from passline.journal.contract import house_file, read_entry
from passline.journal.export import checked, copied, exported, imported
from passline.journal.memory import MemoryJournal
from passline.journal.postgres import PostgresJournal
from passline.journal.records import record_of, rows_of
from passline.journal.sqlite import SqliteJournal
from passline.pit import table as live_tables
from passline.pit.history import state_line
from passline.pit.table import LiveTable
from passline.rulebooks.catalogue import house_files
from passline.table import replay
from passline.verify.heads import is_signed
from tests.pit.play import KEYS, NOW, by, new_table
from tests.postgres import fresh

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from passline.journal.contract import Journal


def evening(store: Journal, rolls: int = 12) -> LiveTable:
    """A table that was played for a while, with something of everything."""
    table = new_table(store)
    for number in range(rolls):
        table.do(c.Bet(1, "pass", 1000), by())
        table.do(c.Bet(2, "place_6", 1200), by("bob"))
        table.do(c.Bet(2, "nonsense", 1), by("bob"))
        table.roll(by(key=f"roll-{number}"))
    return table


def test_an_export_has_the_form_that_is_specified(store: Journal) -> None:
    """A first line, the entries as they are kept, balances, heads under a signature."""
    table = evening(store)
    lines = list(exported(store, ["t1"], sign=KEYS.sign, time=NOW))
    assert json.loads(lines[0]) == {"export": "passline/journal/2", "tables": ["t1"]}
    text = house_files()["adelaide"].read_text()
    assert json.loads(lines[1]) == {"house": {"digest": table.house, "text": text}}
    assert lines[2:-2] == list(store.lines("t1"))
    balances = json.loads(lines[-2])["balances"]
    assert balances == {"table": "t1", "sequence": table.head.sequence, "accounts": store.balances("t1")}
    *_, head = json.loads(lines[-1])["heads"]  # the first is of the minute it all happened in
    assert (head["sequence"], head["hash"]) == (table.head.sequence, table.head.hash)
    assert is_signed(head)
    assert not is_signed({**head, "sequence": 1})


def test_a_house_file_is_kept_once_and_exported_once(store: Journal) -> None:
    """However many tables are played by it; a table whose file is gone, or is another, is not opened."""
    tables = [new_table(store, name) for name in ("t1", "t2")] + [new_table(store, "t3", house="sydney")]
    first, *_, last = (read_entry(next(iter(store.lines(each.name)))) for each in tables)
    assert "house" not in first.body
    assert store.house(first.house) == house_file(store, first) == house_files()["adelaide"].read_text()
    lines = list(exported(store, ["t1", "t2", "t3"]))
    houses = [json.loads(line)["house"]["digest"] for line in lines if line.startswith(b'{"house"')]
    assert houses == sorted({first.house, last.house})
    with pytest.raises(JournalError, match="no house file"):
        house_file(MemoryJournal(), first)
    changed = [line.replace(b"Sky City", b"Sky Town") for line in lines]
    with pytest.raises(JournalError, match=r"line [23]: a house file that is not the one"):
        imported(MemoryJournal(), changed)
    assert imported(target := MemoryJournal(), lines) == ["t1", "t2", "t3"]
    assert list(exported(target, ["t1", "t2", "t3"])) == lines


def test_no_export_has_a_secret(store: Journal) -> None:
    """No seed that was not shown, sealed or open, and no key."""
    table = evening(store)
    seed = table._opened_seeds()[0][1]
    text = b"".join(exported(store, ["t1"], sign=KEYS.sign, time=NOW))
    sealed = store.secret("t1", "chain/1") or b""
    assert sealed
    for secret in (seed, sealed, KEYS.seal, KEYS.sign):
        assert secret not in text
        assert secret.hex().encode() not in text
    for number in table.live.table.seats:
        table.do(c.Leave(number), by(table.live.owners[number]))
    table.do(c.ReturnAll("over"), by("bea", role="supervisor"))
    table.close(NOW)
    assert seed.hex().encode() in b"".join(exported(store, ["t1"]))


def test_an_import_is_the_same_journal(store: Journal, tmp_path: Path) -> None:
    """Entry by entry, balance by balance; what follows can be compared byte by byte."""
    table = evening(store)
    lines = list(exported(store, ["t1"], sign=KEYS.sign, time=NOW))
    other = SqliteJournal(tmp_path / "other.db")
    assert imported(other, lines) == ["t1"]
    assert list(exported(other, ["t1"])) == lines
    assert LiveTable(other, "t1", None).live == table.live
    with pytest.raises(JournalError, match="already"):
        imported(other, lines)
    other.close()


@pytest.mark.parametrize(
    ("number", "old", "new", "wrong"),
    [
        (0, b"passline/journal/2", b"passline/journal/9", "no export"),
        (6, b'"actor":"', b'"actor":"x', "hash"),
        (6, b'{"actor"', b'{ "actor"', "expected|canonical|JSON|entry"),
        (-2, b'"cage":', b'"cave":', "balances"),
        (-1, b'{"heads"', b'{"hands"', "expected"),
        (-1, b'{"heads"', b'["heads"', "JSON"),
    ],
)
def test_what_was_changed_is_not_imported(number: int, old: bytes, new: bytes, wrong: str) -> None:
    """With the line on which it is."""
    store = MemoryJournal()
    evening(store)
    lines = list(exported(store, ["t1"]))
    assert old in lines[number]
    lines[number] = lines[number].replace(old, new, 1)
    with pytest.raises(JournalError, match=wrong):
        imported(MemoryJournal(), lines)


def test_an_entry_left_out_is_missed() -> None:
    """The next one does not follow."""
    store = MemoryJournal()
    evening(store)
    lines = list(exported(store, ["t1"]))
    del lines[7]
    with pytest.raises(JournalError, match="does not follow"):
        imported(MemoryJournal(), lines)


def test_a_journal_goes_from_sqlite_to_postgresql_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets, snapshots and heads with it: the table is played on where it was left."""
    monkeypatch.setattr(live_tables, "COUNTED_EVERY", 20)
    first, second, third = (
        SqliteJournal(tmp_path / "a.db"),
        PostgresJournal(fresh()),
        SqliteJournal(tmp_path / "b.db"),
    )
    table = evening(first)
    table.do(c.Bet(1, "pass", 1000), by())
    table.close_bets(by("stick"))
    copied(first, second)
    copied(second, third)
    assert list(exported(third, ["t1"])) == list(exported(first, ["t1"]))
    assert third.secrets("t1") == first.secrets("t1")
    assert third.snapshot("t1") == first.snapshot("t1")
    assert third.heads("t1") == first.heads("t1") != []
    assert list(checked(third, "t1"))[-1] == table.head.sequence
    again = LiveTable.open(third, "t1", time=NOW, keys=KEYS)
    assert state_line(again.live.table) == state_line(table.live.table)
    assert again.roll(by("stick", "same"))[-200:] != b""
    here = json.loads(table.roll(by("stick", "same")))
    there = json.loads(third.under_key("t1", "same") or b"")
    assert here["body"]["dice"] == there["body"]["dice"]
    for store in (first, second, third):
        store.close()


def test_a_record_of_a_table_replays_to_the_same_chips(store: Journal) -> None:
    """Drawn dice become dice that are called."""
    table = evening(store)
    played = replay(record_of(store, "t1"))
    live = table.live.table
    assert {number: seat.rail for number, seat in played.state.seats.items()} == {
        number: seat.rail for number, seat in live.seats.items()
    }
    assert (played.state.puck, played.state.bank) == (live.puck, live.bank)


def test_what_no_record_can_say_is_said_so(store: Journal) -> None:
    """Chips that were bought by mistake and taken back."""
    table = new_table(store)
    wrong = json.loads(table.do(c.BuyIn(1, 900), by()))["sequence"]
    table.correct(wrong, "a slip", "bob", by("sue", role="supervisor"))
    with pytest.raises(JournalError, match="no record can say"):
        record_of(store, "t1")
    with pytest.raises(JournalError, match="no table t9"):
        record_of(store, "t9")


def test_events_are_rows(store: Journal) -> None:
    """Each with who asked and what moved."""
    table = new_table(store, dice="given")
    table.do(c.Bet(1, "pass", 1000), by())
    table.do(c.Throw(Roll(6, 5)), by())
    rows = list(rows_of(store, "t1"))
    won = next(row for row in rows if row["event"] == "wager_won")
    assert (won["seat"], won["wager"], won["stake"], won["won"]) == (1, "pass", 1000, 1000)
    thrown = next(row for row in rows if row["event"] == "dice_thrown")
    assert (thrown["first"], thrown["second"], thrown["actor"]) == (6, 5, "ann")
    assert next(row for row in rows if row["event"] == "wager_up")["amount"] == 1000


def test_a_damaged_store_is_found_out() -> None:
    """The books, and the end of the chain."""
    store = MemoryJournal()
    table = evening(store)
    stream = store._streams["t1"]
    stream.accounts["rail/1"] += 1
    with pytest.raises(JournalError, match="balances"):
        list(checked(store, "t1"))
    stream.accounts["rail/1"] -= 1
    stream.lines.pop()
    with pytest.raises(JournalError, match="ends"):
        list(checked(store, "t1"))
    assert table.head.sequence


def test_a_table_is_checked_while_somebody_plays_on() -> None:
    """As a backup does of a journal that is played meanwhile: it is read to where it ended when that began."""

    class Busy(MemoryJournal):
        """Somebody bets whenever the chain has been read."""

        def lines(self, table: str, after: int = 0, upto: int | None = None) -> Iterator[bytes]:
            """The entries, and then one more."""
            yield from super().lines(table, after, upto)
            if self is busy and not after:
                played.do(c.Bet(1, "field", 500), by("ann"))

    busy = Busy()
    played = new_table(busy)
    end = played.head.sequence
    assert list(checked(busy, "t1")) == list(range(1, end + 1))
    assert played.head.sequence == end + 1
