"""A table that was stopped shows its seeds: what it dealt can be checked like any other's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.engine import commands as c
from passline.errors import StoppedError
from passline.journal.memory import MemoryJournal
from passline.pit.table import LiveTable
from passline.verify.check import verify
from tests.pit.play import KEYS, NOW, by, kinds, new_table, read, why
from tests.pit.seeds import old_table
from tests.verify.live import bets, lines_of, promise

if TYPE_CHECKING:
    from passline.journal.contract import Journal


def stopped(journal: Journal) -> LiveTable:
    """A table whose first seed is lost: the roll that was announced is void, and nothing more is dealt."""
    table = new_table(journal)
    bets(table)
    table._seeds.clear()
    secret = journal.secret
    journal.secret = lambda table, name: None if name == "chain/1" else secret(table, name)  # type: ignore[method-assign]
    with pytest.raises(StoppedError, match="was stopped"):
        table.roll(by("ann"))
    journal.secret = secret  # type: ignore[method-assign]
    return table


def test_two_people_send_the_chips_of_a_stopped_table_home() -> None:
    """Everybody's, once, and nobody else does anything there."""
    journal = MemoryJournal()
    table = stopped(journal)
    with pytest.raises(StoppedError):
        table.do(c.Leave(1), by("ann"))
    assert why(table.return_chips("it was stopped", "", by("bea", role="box"))) == "table.two_people"
    back = read(table.return_chips("it was stopped", "cid", by("bea", "home", role="box")))
    assert back["kind"] == "chips_returned"
    assert not table.live.table.seats
    assert not any(account.startswith(("rail", "felt")) for account in journal.balances("t1"))
    assert read(table.return_chips("it was stopped", "cid", by("bea", "home", role="box"))) == back
    assert why(table.return_chips("again", "cid", by("bea", role="box"))) == "table.stopped"
    assert LiveTable(journal, "t1", KEYS).live == table.live
    lines = lines_of(journal)
    assert verify(lines).faults == []
    for honest, forged in ((b'"people":["bea","cid"]', b'"people":["bea"]'), (b'"seat":2', b'"seat":1')):
        lie = [line.replace(honest, forged) if b"chips_returned" in line else line for line in lines]
        assert {fault.field for fault in verify(lie).faults} - {"hash", "previous"}


def test_no_table_that_goes_on_sends_its_chips_home() -> None:
    """People leave it as ever."""
    table = new_table(MemoryJournal())
    assert why(table.return_chips("why not", "cid", by("bea", role="box"))) == "table.stopped"


def test_seeds_that_could_not_be_opened_are_shown_where_they_can() -> None:
    """They were not there; whoever opens the table where they are, with the right key, shows them, once."""
    journal = MemoryJournal()
    table = new_table(journal)
    bets(table)
    table.roll(by("ann"))
    bets(table)
    secret = journal.secret
    table._seeds.clear()
    journal.secret = lambda *_: None  # type: ignore[method-assign]
    with pytest.raises(StoppedError, match="was stopped"):
        table.roll(by("ann"))
    journal.secret = secret  # type: ignore[method-assign]
    assert kinds(journal)[-2:] == ["roll_voided", "table_stopped"]
    assert verify(lines_of(journal)).open[0] == "t1: it stopped, and the chains of epochs [1, 2] were not shown"
    entries = kinds(journal)
    LiveTable.open(journal, "t1", time=NOW, keys=KEYS._replace(seal=b"x" * 32))
    assert kinds(journal) == entries
    for _ in range(2):
        LiveTable.open(journal, "t1", time=NOW, keys=KEYS)
    assert kinds(journal)[-3:] == ["table_stopped", "chain_shown", "chain_shown"]
    report = verify(lines_of(journal))
    assert (report.faults, len(report.open), report.counts["rolls"], len(report.voids)) == ([], 1, 1, 1)


def test_who_owes_a_seed_at_the_end_owes_it_once() -> None:
    """Promised to both epochs and shown to none: struck from the second with the first."""
    journal = MemoryJournal()
    table = old_table(journal)
    for epoch in (1, 2):
        promise(table, epoch, "ann")
    promise(table, 2, "bob")
    table.close(NOW)
    shown = [read(line)["body"]["owing"] for line in journal.lines("t1") if read(line)["kind"] == "seed_revealed"]
    assert shown == [["ann"], ["bob"]]
    assert verify(lines_of(journal)).faults == []
