"""What an attacker found who had only docs/dice.md, each played against the machine and against every checker."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from passline.engine import commands as c
from passline.errors import StoppedError
from passline.floor import seats
from passline.journal.contract import Head, SignedHead
from passline.journal.export import restored
from passline.journal.heads import signed
from passline.journal.memory import MemoryJournal
from passline.journal.sqlite import SqliteJournal
from passline.live import hands
from passline.live.drafts import by_the_house, happened
from passline.live.requests import CloseForGood
from passline.live.state import Cap
from passline.odds.wagers.walk import worth
from passline.pit.table import LiveTable
from passline.verify.check import verify
from passline.verify.heads import is_signed
from tests.chance.node import verifier
from tests.chance.test_hands import STOPS, checked, exported_lines, line_up, rows, seated
from tests.pit.hands import LATER, Device, deal
from tests.pit.play import KEYS, NOW, by, kinds, new_table, read, why

if TYPE_CHECKING:
    from pathlib import Path


def in_javascript(table: LiveTable) -> str:
    return verifier("export", "-", given=b"".join(exported_lines(table))).stdout.decode()


def put_back(table: LiveTable, *devices: Device) -> LiveTable:
    """A backup is put back, and whoever played gives a new hand."""
    restored(table.journal)
    table = LiveTable.open(table.journal, "t1", time=NOW, keys=KEYS)
    for device in devices if table.live.over is None else ():
        device.table = table
        device.give()
    return table


# --- Undone rolls are counted -----------------------------------------------------------------------------------------


def test_every_backup_counts_and_a_third_stops_the_table() -> None:
    """Also one from before a closing: nothing is announced in it, and the house has seen dice that it dislikes."""
    table, ann, bob = seated()
    for times in (1, 2, 3):
        line_up(table)
        deal(table, ann, bob)
        table = put_back(table, ann, bob)
        assert (table.live.over == "stopped") == (times == 3)
    assert kinds(table.journal)[-4:] == ["table_restored", "table_stopped", "chain_shown", "chain_shown"]
    report = verify(exported_lines(table))
    assert (report.faults, report.counts["restores"], report.counts["undone_closings"]) == ([], 3, 0)
    assert '"faults":[]' in in_javascript(table)


def test_a_house_that_puts_older_backups_back_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on after the third; every checker says so."""
    table, ann, bob = seated()
    monkeypatch.setattr(hands, "may_void", lambda *_: True)
    for _ in range(3):
        line_up(table)
        deal(table, ann, bob)
        table = put_back(table, ann, bob)
    monkeypatch.undo()
    assert "void_cap" in rows(table)
    assert "void_cap" in in_javascript(table)


def test_rolls_that_were_signed_and_undone_are_counted_by_whoever_kept_them(tmp_path: Path) -> None:
    """The journal shows one backup; the closings that a client kept show how many rolls went with it."""
    table, ann, bob = seated(SqliteJournal(tmp_path / "journal.db"))
    names = tmp_path / "journal.db", tmp_path / "backup.db"
    with closing(sqlite3.connect(names[0])) as source, closing(sqlite3.connect(names[1])) as target:
        source.backup(target)
    backup = SqliteJournal(tmp_path / "backup.db")
    kept: list[dict[str, Any]] = []
    for _ in range(3):
        line_up(table)
        deal(table, ann, bob)
        entries = map(read, table.journal.lines("t1"))
        announced = [entry for entry in entries if entry["kind"] == "bets_closed"][-1]
        head = table.signed_head(announced["sequence"], NOW)
        assert isinstance(head, SignedHead)
        assert is_signed(head._asdict())
        kept += [announced, head._asdict()]
    table = put_back(LiveTable(backup, "t1", KEYS))
    assert verify(exported_lines(table)).faults == [], "whoever kept nothing sees a backup, and no more"
    for each in (ann, bob):
        each.table = table
        each.give()
    line_up(table)
    for _ in range(3):
        deal(table, ann, bob)
        line_up(table)
    report = verify(exported_lines(table), kept)
    assert {fault.what.partition(":")[0] for fault in report.faults} == {"undone", "void_cap"}
    assert (report.counts["undone_heads"], report.counts["undone_rolls"]) == (3, 3)
    again = verify(exported_lines(table), kept * 2)
    assert (again.counts, len(again.faults)) == (report.counts, len(report.faults)), "what two kept counts once"
    unsigned = [each for each in kept if "kind" in each]
    faults = {fault.what.partition(":")[0] for fault in verify(exported_lines(table), unsigned).faults}
    assert "void_cap" not in faults, "what nobody signed anybody could have written"


def forked(folder: Path) -> tuple[LiveTable, list[dict[str, Any]], list[dict[str, Any]]]:
    """A backup was put back early; later the house deals a roll twice. The table, a closing and the hands in it."""
    table, ann, bob = seated(SqliteJournal(folder / "journal.db"))
    table = put_back(table, ann, bob)
    line_up(table)
    deal(table, ann, bob)
    line_up(table)
    with closing(sqlite3.connect(folder / "journal.db")) as source, closing(sqlite3.connect(folder / "b.db")) as target:
        source.backup(target)
    table.do(c.Bet(1, "field", 500), by("ann"))
    deal(table, ann, bob)
    entries = [read(line) for line in table.journal.lines("t1")]
    other = LiveTable(SqliteJournal(folder / "b.db"), "t1", KEYS)
    announced = [entry for entry in entries if entry["kind"] == "bets_closed"][-1]
    head = table.signed_head(announced["sequence"], NOW)
    assert isinstance(head, SignedHead)
    late = signed(Head(*head[:3]), LATER, KEYS.sign)
    for device in (ann, bob):
        device.table = other
    for _ in range(3):
        line_up(other)
        other.roll(by("ann"))
        for device in (ann, bob):
            device.show()
    given = [entry for entry in entries if entry["kind"] == "hand_on"]
    return other, [head._asdict(), announced], [late._asdict(), *given]


def test_an_early_backup_launders_no_fork_that_came_after_it(tmp_path: Path) -> None:
    """What was signed after the last restore, or lists a hand that was given since, the restore did not undo."""
    table, kept, more = forked(tmp_path)

    def named(*papers: dict[str, Any]) -> set[str]:
        report = verify(exported_lines(table), papers)
        return {fault.what.partition(":")[0] for fault in report.faults}

    assert named() == set()
    assert named(*kept) == {"undone"}, "by a time of before the restore, and nothing else, it may be older"
    assert named(more[0]) == {"two_journals"}, "by its time it is not"
    assert "two_journals" in named(*kept, *more[1:]), "nor by the hands that it lists, whatever time the house stamps"


def test_rolls_undone_are_added_to_the_two_in_a_hundred(tmp_path: Path) -> None:
    """A roll that came to nothing, and a backup that undid two: three for whoever kept their closings."""
    table, ann, bob = seated(SqliteJournal(tmp_path / "journal.db"))
    line_up(table)
    deal(table, ann)
    bob.show_owed()
    bob.give()
    names = tmp_path / "journal.db", tmp_path / "backup.db"
    with closing(sqlite3.connect(names[0])) as source, closing(sqlite3.connect(names[1])) as target:
        source.backup(target)
    kept: list[dict[str, Any]] = []
    for _ in range(2):
        line_up(table)
        deal(table, ann, bob)
        announced = [each for each in map(read, table.journal.lines("t1")) if each["kind"] == "bets_closed"][-1]
        head = table.signed_head(announced["sequence"], NOW)
        assert isinstance(head, SignedHead)
        kept += [announced, head._asdict()]
    table = put_back(LiveTable(SqliteJournal(names[1]), "t1", KEYS), ann, bob)
    for _ in range(3):
        line_up(table)
        deal(table, ann, bob)
    for papers, due in ((kept[:2], {"undone"}), (kept, {"undone", "void_cap"})):
        report = verify(exported_lines(table), papers)
        assert {fault.what.partition(":")[0] for fault in report.faults} == due


def test_a_roll_struck_out_counts_for_whoever_had_chips_up_in_it() -> None:
    """And not for those of a later closing that came to nothing."""
    table, ann, bob = seated()
    line_up(table)
    deal(table, ann, bob)
    assert sorted(table.live.rolled_up) == ["ann", "bob"]
    later = table.live._replace(up=frozenset())
    struck = replace(later.caps["ann"], voids=(1, 1))
    assert not hands.may_void(later._replace(caps={**later.caps, "ann": struck}), later.rolled_up)


def test_the_cap_is_each_persons_own() -> None:
    """Rolls without Bob's chips pad the table's hundred and not his."""
    table, ann, bob = seated()
    for _ in range(2):
        line_up(table)
        assert deal(table, ann)["kind"] == "roll_voided"
        bob.show_owed()
        bob.give()
    later = table.live._replace(cap=Cap(table.live.cap.closings + 500, table.live.cap.voids))
    table.at = later, table.head
    assert hands.may_void(later, ()), "the table's own hundred is past"
    assert not hands.may_void(later, ("bob",))
    line_up(table)
    table.roll(by("ann"))
    ann.show()
    table.settle(LATER)
    assert table.live.announced is not None, "a third of his own is waited for"
    with pytest.raises(StoppedError):
        table.settle(STOPS)


# --- After the end, and somebody else's seat --------------------------------------------------------------------------


def test_a_table_that_goes_on_after_it_stopped() -> None:
    table, ann, bob = seated()
    table._append([by_the_house("table_stopped", {"reason": "fire"}, NOW)])
    table.at = table.live._replace(over=None), table.head
    deal(table, ann, bob)
    assert "after_end" in rows(table)
    assert "after_end" in in_javascript(table)


def test_a_seat_with_chips_up_is_nobody_elses() -> None:
    """Ann leaves with a bet up: the machine gives her seat to nobody, and a house that does is found."""
    table, ann, bob = seated()
    while not table.live.table.puck:
        deal(table, ann, bob)
        line_up(table)
    table.do(c.Leave(1), by("ann"))
    assert table.live.table.seats[1].felt
    assert why(table.do(c.Sit(1, "Eve", 1_000), by("eve"))) == "seat.taken"
    taken = {"command": {"kind": "command.sit", "v": 1, "seat": 1, "name": "Eve", "buyin": 0}}
    table._append([happened("acted", taken, (), by("eve"))])
    assert "seat_given" in rows(table)
    assert "seat_given" in in_javascript(table)


# --- At what it is worth ----------------------------------------------------------------------------------------------


def with_a_token_and_a_point(wager: str) -> LiveTable:
    """Ann has a token of 50 up; tables are opened until one has a point of 4 or 10."""
    while True:
        table = new_table(MemoryJournal(), house="sydney")
        table.do(seats.IssueVoucher("V-1", 5_000, "until Sunday"), by("sue", role="supervisor"))
        table.do(seats.ChangeVoucher("V-1", 1), by("dee", role="dealer"))
        ann = Device(table, "ann")
        table.do(c.Bet(2, "pass", 1_000), by("bob"))
        assert read(table.do(c.Bet(1, wager, 5_000, tokens=5_000), by("ann")))["kind"] == "acted"
        table.do(c.Shoot(2), by("bob"))
        deal(table, ann, shooter="bob")
        if table.live.table.puck in (4, 10):
            return table


@pytest.mark.parametrize(("wager", "wins"), [("pass", Fraction(1, 3)), ("dont_pass", Fraction(2, 3))])
def test_tokens_of_the_silent_come_to_what_they_bring_on_average(wager: str, wins: Fraction) -> None:
    """In chips what they win, in tokens what goes back: silence brings what play does, whatever a token is worth."""
    table = with_a_token_and_a_point(wager)
    back = wins if table.layout.book.betting.token_after_win.value == "return" else 0
    rail = table.live.table.seats[1].rail
    assert deal(table, shooter="bob")["kind"] == "roll_voided"
    seat = table.live.table.seats[1]
    assert (seat.felt, seat.tokens, seat.rail - rail) == ({}, int(5_000 * back), int(5_000 * wins))
    assert checked(table) == []


def test_a_stop_between_rolls_gives_back_what_bets_are_worth() -> None:
    """A house that stops when it likes buys nothing for its stake; one that gives stakes back is found."""
    table, ann, bob = seated()
    while not table.live.table.puck:
        deal(table, ann, bob)
        line_up(table)
    due = {seat: table.live.table.seats[seat].rail for seat in (1, 2)}
    for (seat, _), (chips, *_) in worth(table.layout, table.live.table).items():
        due[seat] += chips
    stakes = {
        n: seat.rail + sum(each.stake for each in seat.felt.values()) for n, seat in table.live.table.seats.items()
    }
    assert due != stakes
    table._append([by_the_house("table_stopped", {"reason": "fire"}, NOW)])
    table._append([*hands.chains_revealed(table.live, table._material(table.live, CloseForGood(), NOW), NOW)])
    back = read(table.return_chips("it was stopped", "cid", by("bea", role="box")))
    left = {event["seat"]: event["cashed"] for event in back["body"]["events"] if event["kind"] == "event.player_left"}
    assert left == due
    assert checked(table) == []
    lie = [line.replace(b'"kind":"event.wager_lost"', b'"kind":"event.wager_down"') for line in exported_lines(table)]
    assert verify(lie).faults


# --- What is signed ---------------------------------------------------------------------------------------------------


def test_what_the_crew_gives_back_between_rolls_is_counted_and_priced() -> None:
    """It is under no cap: a pass line with a point is worth less than its stake, a don't pass more."""
    table, ann, bob = seated()
    line_up(table)
    while not table.live.table.puck:
        deal(table, ann, bob)
        line_up(table)
    ways = 6 - abs(7 - table.live.table.puck)
    assert [list(seat.felt) for seat in table.live.table.seats.values()] == [["pass"], ["pass"]]
    back = read(table.do(c.ReturnAll("fire"), by("bea", role="supervisor")))
    report = verify(exported_lines(table))
    assert (report.faults, report.counts["returns"]) == ([], 1)
    assert report.returns == [("t1", back["sequence"], 2 * (2_000 * ways // (ways + 6) - 1_000))]
    assert '"returns":1' in in_javascript(table)


def test_that_a_value_did_not_arrive_is_signed_at_once() -> None:
    """So that nobody shows it to a journal that only they were shown."""
    table, ann, _ = seated()
    assert deal(table, ann)["kind"] == "roll_voided"
    void = [entry["sequence"] for entry in map(read, table.journal.lines("t1")) if entry["kind"] == "roll_voided"]
    assert max(head.sequence for head in table.journal.heads("t1")) >= void[-1]
    assert checked(table) == []
