"""The floor of a live table: one way in, one chain, the same after a restart, and checked from the export alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from passline.codec import encode_record
from passline.engine import commands as c
from passline.engine.values import Roll
from passline.errors import ArgumentError, JournalError, KeyTakenError
from passline.floor import disputes, seats, signs, staff
from passline.journal.contract import Draft, read_entry
from passline.journal.export import exported
from passline.journal.memory import MemoryJournal
from passline.journal.records import record_of
from passline.live.state import after, opened
from passline.pit import history
from passline.pit import table as live_table
from passline.pit.table import LiveTable
from passline.verify.check import verify
from passline.web.problems import of_error
from tests.cage.till import Till
from tests.pit.play import KEYS, NOW, by, kinds, new_table, read, why

if TYPE_CHECKING:
    from passline.journal.contract import Entry, Journal, Snapshot
    from passline.live.requests import Ask
    from passline.live.state import DiceMode


def boss(key: str | None = None, time: str = NOW) -> Ask:
    """A supervisor asks."""
    return by("sue", key, role="supervisor", time=time)


def signed(journal: Journal, name: str = "t1") -> LiveTable:
    """A table in sydney with a player who has limits of their own, and a bet by them."""
    table = new_table(journal, name, house="sydney")
    table.do(signs.SignPlayerLimits(1, 500, 500_000, "cid"), boss())
    table.do(c.BuyIn(1, 1_000_000), by("ann"))
    table.do(c.Bet(1, "pass", 400_000), by("ann"))
    return table


def export(journal: Journal) -> list[bytes]:
    """The journal as anybody can have it."""
    return [line + b"\n" for line in exported(journal, ["t1"])]


def test_an_act_of_the_floor_is_an_entry_of_its_table() -> None:
    """Asked again under its key it is the same entry; something else under the key is refused."""
    journal = MemoryJournal()
    table = signed(journal)
    sign = signs.SignLimits(table.live.table.notice._replace(minimum=2_500), "2026-11-15T20:30:00Z")
    first = table.do(sign, boss("one"))
    assert table.do(sign, boss("one")) == first
    with pytest.raises(KeyTakenError):
        table.do(staff.GoOffDuty("sue"), boss("one"))
    entry = read(first)
    assert (entry["kind"], entry["body"]["floor"][0]["kind"]) == ("floor_acted", "floor_event.limits_signed")
    assert entry["body"]["events"] == entry["body"]["postings"] == []


def test_the_same_floor_after_a_restart_and_from_the_first_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replayed, restored from a snapshot, or still open: one floor."""
    monkeypatch.setattr(live_table, "COUNTED_EVERY", 5)
    journal = MemoryJournal()
    table = signed(journal)
    assert "table_counted" in kinds(journal)
    again = LiveTable(journal, "t1", KEYS)
    entries = [read_entry(line) for line in journal.lines("t1")]
    played = opened(entries[0])
    for entry in entries[1:]:
        played = after(played, entry)
    assert table.live.floor == again.live.floor == played.floor
    assert encode_record(table.live) == encode_record(played)
    assert table.live.floor.player_limits[1].maximum == 500_000


def test_a_clean_export_is_believed_and_a_changed_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything the floor did and refused is decided again by whoever has the export."""
    monkeypatch.setattr(live_table, "COUNTED_EVERY", 6)
    journal = MemoryJournal()
    table = signed(journal)
    assert (
        why(table.do(signs.ChangeLimits(table.live.table.notice._replace(minimum=2_500)), boss())) == "notice.too_soon"
    )
    assert why(table.do(signs.SignPlayerLimits(2, 1, 2, "cid"), by("bob"))) == "floor.role"
    table.roll(by("ann"))
    lines = export(journal)
    report = verify(lines)
    assert not report.faults, report.faults
    assert report.counts["floor_acts"] == 1
    for old, new in (('"maximum":500000', '"maximum":600000'), ('"floor.role"', '"floor.seat"')):
        forged = [line.replace(old.encode(), new.encode()) for line in lines]
        assert forged != lines
        assert {fault.field for fault in verify(forged).faults} - {"hash", "previous"}


def test_nothing_moves_between_the_close_and_the_dice() -> None:
    """What the floor does to the game waits for the roll; what it only says does not."""
    journal = MemoryJournal()
    table = signed(journal)
    table.close_bets(by("sam", role="stick"))
    lower = table.live.table.notice._replace(minimum=100)
    assert why(table.do(signs.ChangeLimits(lower), boss())) == "table.bets_closed"
    assert read(table.do(signs.LiftPlayerLimits(1), boss()))["kind"] == "floor_acted"
    table.roll(by("ann"))
    assert read(table.do(signs.ChangeLimits(lower), boss()))["kind"] == "floor_acted"
    report = verify(export(journal))
    assert not report.faults, report.faults


@pytest.mark.parametrize("dice", ["fair", "real"])
def test_dice_that_failed_their_inspection_are_not_rolled(dice: DiceMode) -> None:
    """However a roll is asked for: nothing is announced; and nobody measures dice that are being thrown."""
    journal = MemoryJournal()
    table = new_table(journal, dice=dice)
    table.do(c.Bet(1, "pass", 1_000), by("ann"))
    small = seats.InspectDice((100,))
    table.do(small, boss())
    assert why(table.close_bets(by("sam", role="stick"))) == "floor.dice"
    if dice == "fair":
        assert why(table.roll(by("ann"))) == "floor.dice"
    table.do(seats.InspectDice((190,)), boss())
    table.close_bets(by("sam", role="stick"))
    assert why(table.do(small, boss())) == "table.bets_closed"
    lines = export(journal)
    assert not verify(lines).faults
    forged = [line.replace(b'"refused"', b'"floor_acted"') if b"bets_closed" in line else line for line in lines]
    assert verify(forged).faults


def test_words_that_an_entry_cannot_carry_are_told() -> None:
    """No line breaks, and no page."""
    table = new_table(MemoryJournal(), house="sydney")
    for words in ("a\nb", "x" * 2_001):
        with pytest.raises(ArgumentError):
            table.do(staff.GoOffDuty(words), boss())
    assert json.loads(table.do(staff.GoOffDuty("nobody"), boss()))["kind"] == "refused"


def test_a_record_is_the_game_alone() -> None:
    """What the floor only says is left out of it; what the game hangs on has no record, and that is told."""
    journal = MemoryJournal()
    table = new_table(journal, house="sydney")
    table.do(staff.ComeOnDuty("sue", "Gaming Supervisor"), boss())
    assert "Ann" in record_of(journal, "t1")
    table.do(signs.SignPlayerLimits(1, 500, 500_000, "cid"), boss())
    with pytest.raises(JournalError, match="no record can say that") as caught:
        record_of(journal, "t1")
    problem = of_error(caught.value)
    assert (problem.status_code, problem.code) == (409, "record.no"), "the journal is in order: nobody is to ask again"
    assert "no record can say that" in problem.detail


def test_what_takes_two_people_is_not_done_by_one() -> None:
    """The other is named, and is another, however the name is written; at home one may be everybody."""
    journal = MemoryJournal()
    table = new_table(journal, house="sydney")
    for second in ("", "sue", "SUE", "\uff53ue"):
        assert why(table.do(signs.SignPlayerLimits(1, 500, 500_000, second), boss())) == "table.two_people"
    table.do(signs.SignPlayerLimits(1, 500, 500_000, "cid"), boss())
    lines = export(journal)
    assert not verify(lines).faults
    forged = [line.replace(b'"second":"cid"', b'"second":"Sue"') for line in lines]
    assert "body.command" in {fault.field for fault in verify(forged).faults}
    home = new_table(journal, "home", "given", "sydney")
    assert read(home.do(signs.SignPlayerLimits(1, 500, 500_000), boss()))["kind"] == "floor_acted"


def test_a_crew_changes_the_sign_and_closes_by_way_of_the_floor_alone() -> None:
    """Nobody says how long ago it was announced: the floor knows. At home, where dice are given, a word is enough."""
    journal = MemoryJournal()
    table = new_table(journal, house="sydney")
    notice = table.live.table.notice._replace(minimum=2_500)
    for command in (c.PostNotice(notice, 60), c.CloseTable(60)):
        assert why(table.do(command, boss())) == "table.by_sign"
    table.do(signs.SignLimits(notice, "2026-11-15T20:20:00Z"), boss())
    assert why(table.do(signs.ChangeLimits(notice), boss(time="2026-11-15T20:19:59Z"))) == "floor.not_due"
    assert read(table.do(signs.ChangeLimits(notice), boss(time="2026-11-15T20:20:00Z")))["kind"] == "floor_acted"
    table.do(signs.SignClosing("2026-11-15T20:50:00Z"), boss(time="2026-11-15T20:25:00Z"))
    assert read(table.do(signs.Close("the night is over"), boss(time="2026-11-15T20:50:00Z")))["kind"] == "floor_acted"
    assert table.live.table.closing
    assert not verify(export(journal)).faults
    home = new_table(journal, "home", "given", "sydney")
    assert read(home.do(c.PostNotice(notice, 60), boss()))["kind"] == "acted"


@pytest.mark.parametrize("role", ["dealer", "box", "supervisor"])
def test_tokens_are_given_for_a_voucher_and_by_two_people(role: str) -> None:
    """One issues it, another changes it, and nobody just says so; at home, where dice are given, a word is enough."""
    journal = MemoryJournal()
    table = new_table(journal, house="sydney")
    for by_whom in (None, "dealer"):
        tokens = table.do(c.TakeTokens(1, 5_000, by_whom), by("sue", role=role))
        assert why(tokens) == "table.by_voucher"
    assert verify(export(journal)).faults == []
    table.do(seats.IssueVoucher("V-1", 5_000, "until Sunday"), boss())
    assert why(table.do(seats.ChangeVoucher("V-1", 1), by("Sue", role="dealer"))) == "floor.voucher"
    assert read(table.do(seats.ChangeVoucher("V-1", 1), by("dee", role="dealer")))["kind"] == "floor_acted"
    assert table.live.table.seats[1].tokens == 5_000
    lines = export(journal)
    assert verify(lines).faults == []
    forged = [line.replace(b'"actor":"dee"', b'"actor":"sue"') for line in lines]
    assert "body.command" in {fault.field for fault in verify(forged).faults}
    home = new_table(journal, "home", "given", "sydney")
    assert read(home.do(c.TakeTokens(1, 5_000), by("ann")))["kind"] == "acted"


def test_who_is_on_duty_does_not_play_and_whoever_goes_off_duty_does() -> None:
    """No book says so, and no house has its crew bet with itself; however the name is written."""
    journal = MemoryJournal()
    table = new_table(journal, house="sydney")
    table.do(staff.ComeOnDuty("ANN", "dealer"), boss())
    table.do(staff.ComeOnDuty("Dee", "stickperson"), boss())
    bet = c.Bet(1, "pass", 1_000)
    assert why(table.do(bet, by("ann"))) == "floor.on_duty"
    assert why(table.do(c.Sit(3, "Dee", 50_000), by("dee"))) == "floor.on_duty"
    assert read(table.do(c.Bet(2, "pass", 1_000), by("bob")))["kind"] == "acted"
    table.do(staff.GoOffDuty("Ann"), boss())
    assert read(table.do(bet, by("ann")))["kind"] == "acted"
    assert verify(export(journal)).faults == []


def for_money(journal: Journal) -> LiveTable:
    """A table for the house's money where Bo, who is its box, has managed to sit down beside Ann and bet."""
    cage = Till(journal)
    table = LiveTable.create(journal, "t1", "sydney", time=NOW, dice="real", keys=KEYS, wallets=True)
    for seat, name in enumerate(("Ann", "Bo"), 1):
        cage.pay_in(name.lower(), 20_000, Draft("cage_acted", {}, "sue", "supervisor", NOW, f"in-{name}"))
        table.do(c.Sit(seat, name, 10_000), by(name.lower()), wallet=True)
        table.do(c.Bet(seat, "pass", 1_000), by(name.lower()))
    return table


def bo() -> Ask:
    """The box asks."""
    return by("bo", role="box")


def dee(role: str = "stick") -> Ask:
    """Somebody asks who has no seat."""
    return by("dee", role=role)


def test_no_one_voice_says_what_dice_show_for_the_houses_money() -> None:
    """Two read them who do not see each other's reading; of a die in doubt nobody rules on the face alone."""
    table = for_money(MemoryJournal())
    table.close_bets(dee("box"))
    for one_voice in (c.CockedDie(4, (2,)), c.DisputeFace(4), c.RuleFace(3)):
        assert why(table.do(one_voice, dee("box"))) == "table.two_people"
    table.read_dice(Roll(6, 5), dee())
    assert why(table.read_dice(Roll(6, 5), dee("box"))) == "table.two_people", "the same person a second time"
    assert table.live.announced is not None
    assert read(table.read_dice(Roll(6, 5), by("bea", role="box")))["body"]["dice"] == [6, 5]


def test_who_plays_for_the_houses_money_does_no_work_there() -> None:
    """Reads no dice, closes nothing, agrees to nothing, books nothing; may still complain, and once gone work again."""
    journal = MemoryJournal()
    table = for_money(journal)
    on_duty = staff.ComeOnDuty("Bo", "boxperson")
    for asked in (c.SendDice(), c.FindBet(1, "field", 500), on_duty):
        assert why(table.do(asked, bo())) == "floor.on_duty"
    assert read(table.do(disputes.RaiseDispute("Bo", "that roll"), bo()))["kind"] == "floor_acted"
    assert why(table.do(on_duty, boss())) == why(table.close_bets(bo())) == "floor.on_duty"
    assert read(table.close_bets(dee()))["kind"] == "bets_closed"
    assert why(table.read_dice(Roll(6, 6), bo())) == "floor.on_duty"
    assert why(table.void("the dice fell", "bo", dee("box"))) == "floor.on_duty"
    table.read_dice(Roll(5, 6), dee())
    assert read(table.read_dice(Roll(5, 6), by("bea", role="box")))["kind"] == "rolled"
    assert why(table.correct(table.live.last_roll, "a cocked die", "Bo", boss())) == "floor.on_duty"
    again = LiveTable.open(journal, "t1", time=NOW, keys=KEYS)
    assert why(again.do(c.SendDice(), bo())) == "floor.on_duty"
    assert history.restored(*_counted(journal, again)).money
    again.do(c.Leave(2), by("bo"), wallet=True)
    assert read(again.do(on_duty, bo()))["kind"] == "floor_acted"
    assert verify(export(journal)).faults == []


def _counted(journal: Journal, table: LiveTable) -> tuple[Snapshot, Entry]:
    entry, snapshot = history.counted(journal, [read_entry(list(journal.lines("t1"))[-1])], table.live, NOW)
    return snapshot, entry


@pytest.mark.parametrize("honest", [b'"actor":"dee"', b'"people":["sue","dee"]'])
def test_the_work_of_who_plays_for_the_houses_money_is_found(honest: bytes) -> None:
    """In the export, by whoever checks; a journal of before, which does not say what the table is for, stays right."""
    journal = MemoryJournal()
    table = for_money(journal)
    table.close_bets(by("dee", role="stick"))
    table.void("a die broke", "dee", boss())
    lines = export(journal)
    assert verify(lines).faults == []
    forged = [line.replace(honest, honest.replace(b"dee", b"bo")) for line in lines]
    found = [fault.what for fault in verify(forged).faults if fault.field == "actor"]
    assert any("floor.on_duty" in each for each in found), found
    older = [line.replace(b',"wallets":true', b"") for line in forged]
    assert not [fault for fault in verify(older).faults if fault.field == "actor"]


def test_whose_ruling_a_dispute_is_about() -> None:
    """Both who voided the roll before it; a roll that was dealt since ends that."""
    journal = MemoryJournal()
    table = new_table(journal, dice="real")
    table.do(c.Bet(1, "pass", 1_000), by("ann"))
    table.close_bets(by("sam", role="stick"))
    table.void("the lights went out", "cid", by("bea", role="box"))
    table.do(disputes.RaiseDispute("Ann", "my bet"), by("ann"))
    table.close_bets(by("sam", role="stick"))
    for reader, role in (("sam", "stick"), ("bea", "box")):
        table.read_dice(Roll(4, 2), by(reader, role=role))
    table.do(disputes.RaiseDispute("Ann", "that roll"), by("ann"))
    assert dict(table.live.ruled) == {1: {"bea", "cid"}}
