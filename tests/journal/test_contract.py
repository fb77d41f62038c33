"""What every store does, in memory and in each database."""

from __future__ import annotations

import threading
import time
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from passline.errors import BehindError, FencedError, JournalError, KeyTakenError, OverdrawnError
from passline.journal.contract import Head, SignedHead, Snapshot, Write, read_entry
from passline.journal.sql import SqlJournal, Step
from tests.journal.stores import draft, entries_after, write

if TYPE_CHECKING:
    from passline.journal.contract import Journal


def test_what_is_written_is_read_back_byte_for_byte(store: Journal) -> None:
    """Entries come back in order, whole, from any point on."""
    head = Head("t1")
    entries = entries_after(head, draft("a"), draft(None), draft("c"))
    store.append(Write(head, entries))
    assert list(store.lines("t1")) == [entry.line for entry in entries]
    assert list(store.lines("t1", after=1)) == [entry.line for entry in entries[1:]]
    assert list(store.lines("t1", after=1, upto=2)) == [entries[1].line]
    assert store.head("t1") == Head("t1", 3, entries[-1].hash, 0)


def test_a_store_knows_its_tables(store: Journal) -> None:
    """Each by its name, in order; one that is not there has nothing."""
    write(store, "t2", draft())
    write(store, "t1", draft())
    assert store.tables() == ["t1", "t2"]
    assert store.head("t3") is None
    assert list(store.lines("t3")) == []
    assert store.balances("t3") == {}
    assert store.under_key("t3", "a") is None
    assert store.snapshot("t3") is None
    assert store.secret("t3", "a") is None
    assert store.heads("t3") == []


def test_an_entry_is_found_under_its_key(store: Journal) -> None:
    """As it was written, and at its own table only."""
    write(store, "t1", draft("a"), draft("b"))
    line = store.under_key("t1", "b")
    assert line is not None
    assert read_entry(line).sequence == 2
    assert store.under_key("t1", "c") is None
    write(store, "t2", draft("b"))
    assert read_entry(store.under_key("t2", "b") or b"").sequence == 1


def test_a_key_is_used_once(store: Journal) -> None:
    """A second act under it is refused, and nothing of it is kept."""
    head = write(store, "t1", draft("a"))
    with pytest.raises(KeyTakenError):
        write(store, "t1", draft("b", [("cage", "rail/1", 5)]), draft("a"))
    assert store.head("t1") == head
    assert store.balances("t1") == {}


def test_of_two_who_write_at_the_same_place_one_is_first(store: Journal) -> None:
    """The other is told so, and nothing of what it wrote is kept."""
    head = write(store, "t1", draft("a"))
    store.append(Write(head, entries_after(head, draft("b"))))
    with pytest.raises(BehindError):
        store.append(Write(head, entries_after(head, draft("c", [("cage", "rail/1", 5)]))))
    assert len(list(store.lines("t1"))) == 2
    assert store.balances("t1") == {}


def test_a_table_begins_once(store: Journal) -> None:
    """Who opens a table that is there already is behind."""
    write(store, "t1", draft("a"))
    with pytest.raises(BehindError):
        store.append(Write(Head("t1"), entries_after(Head("t1"), draft("b"))))


def test_a_chain_that_ends_otherwise_is_not_written_on(store: Journal) -> None:
    """The right number is not enough: the hash has to be the right one too."""
    head = write(store, "t1", draft("a"))
    wrong = head._replace(hash="f" * 64)
    with pytest.raises(BehindError):
        store.append(Write(wrong, entries_after(wrong, draft("b"))))


def test_who_was_taken_over_from_writes_nothing_more(store: Journal) -> None:
    """Not even where nothing has been written since, but for the taking over."""
    head = write(store, "t1", draft("a"))
    taken = entries_after(head, draft(kind="table_taken"))
    store.append(Write(head, taken, fence=1))
    now = store.head("t1")
    assert now == Head("t1", 2, taken[-1].hash, 1)
    with pytest.raises(FencedError):
        store.append(Write(head, entries_after(head, draft("b"))))
    stale = now._replace(fence=0)
    with pytest.raises(FencedError):
        store.append(Write(stale, entries_after(stale, draft("b"))))
    store.append(Write(now, entries_after(now, draft("b"))))


def test_who_writes_no_entry_still_wants_the_chain_to_end_there(store: Journal) -> None:
    """With the same end and the same fence; else nothing is written, here or elsewhere."""
    head = write(store, "t1", draft("a"))
    store.append(Write(head, (), secrets={"seed/1": b"a"}))
    beside = Write(Head("t2"), entries_after(Head("t2"), draft("a")))
    store.append(Write(head, entries_after(head, draft("b"))))
    with pytest.raises(BehindError):
        store.append(beside, Write(head, (), secrets={"seed/2": b"b"}))
    now = store.head("t1") or head
    for wrong in (now._replace(hash=head.hash), now._replace(sequence=9)):
        with pytest.raises(BehindError):
            store.append(beside, Write(wrong, ()))
    store.append(Write(now, entries_after(now, draft(kind="table_taken")), fence=1))
    with pytest.raises(FencedError):
        store.append(beside, Write(now, ()))
    assert store.tables() == ["t1"]
    assert store.secrets("t1") == {"seed/1": b"a"}


def test_what_entries_move_is_booked_with_them(store: Journal) -> None:
    """Balances are those of the postings, at the end and after each entry."""
    write(store, "t1", draft("a", [("cage", "rail/1", 100)]))
    write(store, "t1", draft("b", [("rail/1", "felt/1/pass", 10)]), draft("c", [("felt/1/pass", "bank", 10)]))
    assert store.balances("t1") == {"bank": 10, "cage": -100, "rail/1": 90}
    assert store.balances("t1", 0) == {}
    assert store.balances("t1", 1) == {"cage": -100, "rail/1": 100}
    assert store.balances("t1", 2) == {"cage": -100, "felt/1/pass": 10, "rail/1": 90}
    assert store.balances("t1", 3) == store.balances("t1")


@pytest.mark.parametrize("amount", [0, -5])
def test_a_posting_moves_something(store: Journal, amount: int) -> None:
    """Nothing, or less, is no move of money; and nothing of the entry is kept."""
    head = write(store, "t1", draft("a", [("cage", "rail/1", 100)]))
    with pytest.raises(JournalError, match="each moves something"):
        write(store, "t1", draft("b", [("bank", "rail/1", amount)]))
    assert store.head("t1") == head
    assert store.balances("t1") == {"cage": -100, "rail/1": 100}


def test_no_account_of_a_player_goes_below_zero(store: Journal) -> None:
    """The store itself refuses it, and keeps nothing of the entry."""
    head = write(store, "t1", draft("a", [("cage", "rail/1", 100)]))
    for postings in ([("rail/1", "bank", 101)], [("rail/2", "bank", 1)], [("felt/1/pass", "rail/1", 1)]):
        with pytest.raises(OverdrawnError):
            write(store, "t1", draft("b", postings))
    assert store.head("t1") == head
    assert store.balances("t1") == {"cage": -100, "rail/1": 100}
    write(store, "t1", draft("b", [("rail/1", "bank", 100)]))


def test_the_house_may_be_below_zero(store: Journal) -> None:
    """It pays before it has won."""
    write(store, "t1", draft("a", [("bank", "rail/1", 7), ("bank", "breakage", 1), ("promotions", "tokens/1", 2)]))
    assert store.balances("t1") == {"bank": -8, "breakage": 1, "promotions": -2, "rail/1": 7, "tokens/1": 2}


def test_two_tables_are_written_together_or_not_at_all(store: Journal) -> None:
    """What the cage gives a table receives; where the one must not be written, neither is."""
    cage = write(store, "cage", draft("a", [("cash", "wallet/ann", 50)]))
    table = write(store, "t1", draft())
    give = Write(cage, entries_after(cage, draft("b", [("wallet/ann", "tables", 60)])))
    take = Write(table, entries_after(table, draft("b", [("cage", "rail/1", 60)])))
    with pytest.raises(OverdrawnError):
        store.append(take, give)
    assert (store.head("cage"), store.head("t1")) == (cage, table)
    give = Write(cage, entries_after(cage, draft("b", [("wallet/ann", "tables", 50)])))
    take = Write(table, entries_after(table, draft("b", [("cage", "rail/1", 50)])))
    store.append(take, give)
    assert store.balances("cage") == {"cash": -50, "tables": 50}
    assert store.balances("t1") == {"cage": -50, "rail/1": 50}


def test_the_last_snapshot_is_kept(store: Journal) -> None:
    """With the entry that vouches for it."""
    head = Head("t1")
    first = entries_after(head, draft("a"))
    store.append(Write(head, first, snapshot=Snapshot(1, b"{}")))
    assert store.snapshot("t1") == Snapshot(1, b"{}")
    head = store.head("t1") or head
    store.append(Write(head, entries_after(head, draft("b")), snapshot=Snapshot(2, b"[]")))
    assert store.snapshot("t1") == Snapshot(2, b"[]")
    assert store.snapshot("t1", 1) == Snapshot(1, b"{}"), "those of before stay, for whoever looks back"
    write(store, "t1", draft("c"))
    assert store.snapshot("t1") == Snapshot(2, b"[]")


def test_secrets_lie_beside_the_journal(store: Journal) -> None:
    """By table and name."""
    head = Head("t1")
    store.append(Write(head, entries_after(head, draft()), secrets={"seed/1": b"\x00\xff", "seed/2": b"b"}))
    assert store.secret("t1", "seed/1") == b"\x00\xff"
    assert store.secret("t2", "seed/1") is None
    assert store.secrets("t1") == {"seed/1": b"\x00\xff", "seed/2": b"b"}
    assert store.secrets("t2") == {}


def test_signed_heads_are_kept_in_order(store: Journal) -> None:
    """As they were given."""
    head = write(store, "t1", draft(), draft())
    later = SignedHead("t1", 2, head.hash, "2026-11-15T20:00:02Z", "ee", "ff")
    sooner = SignedHead("t1", 1, "aa", "2026-11-15T20:00:01Z", "ee", "ff")
    store.sign([later])
    store.sign([sooner])
    assert store.heads("t1") == [sooner, later]


def test_who_waits_is_woken_by_the_next_entry(store: Journal) -> None:
    """And by nothing else."""
    write(store, "t1", draft())
    assert store.wait({}, 0.01) == {"t1": 1}
    assert store.wait({"t1": 1}, 0.05) == {"t1": 1}
    writer = threading.Timer(0.05, lambda: write(store, "t1", draft()))
    writer.start()
    assert store.wait({"t1": 1}, 10) == {"t1": 2}
    writer.join()


def test_many_who_write_at_once_lose_nothing(store: Journal) -> None:
    """Eight of them, each reading again when another was first: every act is there once, in one chain."""

    def play(name: int) -> None:
        for number in range(10):
            while True:
                try:
                    write(store, "t1", draft(f"{name}-{number}", [("cage", "rail/1", 1)]))
                    break
                except BehindError:
                    continue

    players = [threading.Thread(target=play, args=(name,)) for name in range(8)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    entries = [read_entry(line) for line in store.lines("t1")]
    assert [entry.sequence for entry in entries] == list(range(1, 81))
    assert all(after.previous == before.hash for before, after in pairwise(entries))
    assert len({entry.key for entry in entries}) == 80
    assert store.balances("t1") == {"cage": -80, "rail/1": 80}


def test_who_waits_for_a_commit_is_written_together_and_fails_alone(
    store: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five tables, one of them with an end that is not its own: the four are in one transaction, and all durable."""
    if not isinstance(store, SqlJournal):
        pytest.skip("a journal in memory commits nothing")
    heads = {name: write(store, name, draft(name)) for name in ("a", "b", "c", "d")}
    heads["e"] = heads["a"]._replace(table="e", sequence=7)
    committed, failed, real = list[int](), list[str](), store._write

    def counted(steps: list[Step]) -> bool:
        done = real(steps)
        committed.extend([sum(name == "entry" for name, _ in steps)] if done else [])
        return done

    def append(head: Head) -> None:
        try:
            store.append(Write(head, entries_after(head, draft(f"{head.table}{head.sequence + 1}"))))
        except BehindError:
            failed.append(head.table)

    monkeypatch.setattr(store, "_write", counted)
    for asked in (["a", "b", "c", "d"], ["a", "b", "e"]):
        heads |= {name: store.head(name) or heads[name] for name in "abcd"}
        threads = [threading.Thread(target=append, args=(heads[name],)) for name in asked]
        with store._lock:
            for thread in threads:
                thread.start()
            while len(store._waiting) < len(asked):
                time.sleep(0.01)
        for thread in threads:
            thread.join()
    assert failed == ["e"]
    assert committed[0] == 4
    assert sum(committed) == 6
    assert [len(list(store.lines(name))) for name in "abcde"] == [3, 3, 2, 2, 0]
