"""A table that was stopped shows its seeds: what it dealt can be checked like any other's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.engine import commands as c
from passline.errors import InvariantError, StoppedError
from passline.journal.memory import MemoryJournal
from passline.pit import plans
from passline.pit.table import LiveTable
from passline.verify.check import verify
from tests.chance.node import verifier
from tests.pit.play import KEYS, NOW, by, kinds, new_table, read, why
from tests.verify.live import bets, lines_of, promise

if TYPE_CHECKING:
    from passline.journal.contract import Journal


def broken(_table: object) -> None:
    """Whatever is asked, it does not add up."""
    raise InvariantError("chips do not add up")


def stopped(journal: Journal, monkeypatch: pytest.MonkeyPatch, *, announced: bool) -> LiveTable:
    """Three rolls, and then something that cannot be: at a bet, or at a roll for which the bets are closed."""
    table = new_table(journal)
    for _ in range(3):
        bets(table)
        table.roll(by("ann"))
    bets(table)
    if announced:
        table.close_bets(by("sam", role="stick"))
    monkeypatch.setattr(plans, "check", broken)
    with pytest.raises(StoppedError):
        table.roll(by("ann")) if announced else table.do(c.Bet(1, "field", 1_000), by("ann"))
    monkeypatch.undo()
    return table


@pytest.mark.parametrize("announced", [False, True])
def test_a_stopped_table_shows_its_seeds(monkeypatch: pytest.MonkeyPatch, *, announced: bool) -> None:
    """Both that it was committed to, and every roll is worked out again; one that was announced is told as void."""
    journal = MemoryJournal()
    table = stopped(journal, monkeypatch, announced=announced)
    assert kinds(journal)[-3:] == ["table_stopped", "seed_revealed", "seed_revealed"]
    report = verify(lines_of(journal))
    assert report.faults == []
    assert (report.counts["rolls"], report.counts["waiting_rolls"], len(report.voids)) == (3, 0, int(announced))
    assert LiveTable(journal, "t1", KEYS).live == table.live
    entries = kinds(journal)
    with pytest.raises(StoppedError):
        LiveTable.open(journal, "t1", time=NOW, keys=KEYS).roll(by())
    assert kinds(journal) == entries
    again = verifier("export", "-", given=b"".join(lines_of(journal)))
    assert again.returncode == 0, again.stdout


def test_seeds_that_could_not_be_opened_are_shown_where_they_can() -> None:
    """They were not there; whoever opens the table where they are, with the right key, shows them, once."""
    journal = MemoryJournal()
    table = new_table(journal)
    bets(table)
    table.roll(by("ann"))
    bets(table)
    secret = journal.secret
    journal.secret = lambda *_: None  # type: ignore[method-assign]
    with pytest.raises(StoppedError, match="every stake went back"):
        table.roll(by("ann"))
    journal.secret = secret  # type: ignore[method-assign]
    assert kinds(journal)[-2:] == ["roll_voided", "table_stopped"]
    assert verify(lines_of(journal)).open[0] == "t1: it stopped, and the seeds of epochs [1] were not shown"
    entries = kinds(journal)
    LiveTable.open(journal, "t1", time=NOW, keys=KEYS._replace(seal=b"x" * 32))
    assert kinds(journal) == entries
    for _ in range(2):
        LiveTable.open(journal, "t1", time=NOW, keys=KEYS)
    assert kinds(journal)[-3:] == ["table_stopped", "seed_revealed", "seed_revealed"]
    report = verify(lines_of(journal))
    assert (report.faults, len(report.open), report.counts["rolls"], len(report.voids)) == ([], 1, 1, 1)


def test_a_seed_that_is_shown_too_early_is_refused_and_stops_nobody() -> None:
    """Bob owes his to the epoch before, which ends without a roll, and so does hers, unshown."""
    journal = MemoryJournal()
    table = new_table(journal)
    seed = promise(table, 2, "ann")
    promise(table, 1, "bob")
    assert why(table.reveal_seed(2, seed, by("ann"))) == "table.epoch"
    bets(table)
    assert read(table.roll(by("ann")))["kind"] == "rolled"
    assert verify(lines_of(journal)).faults == []


def test_who_owes_a_seed_at_the_end_owes_it_once() -> None:
    """Promised to both epochs and shown to none: struck from the second with the first."""
    journal = MemoryJournal()
    table = new_table(journal)
    for epoch in (1, 2):
        promise(table, epoch, "ann")
    promise(table, 2, "bob")
    table.close(NOW)
    shown = [read(line)["body"]["owing"] for line in journal.lines("t1") if read(line)["kind"] == "seed_revealed"]
    assert shown == [["ann"], ["bob"]]
    assert verify(lines_of(journal)).faults == []
