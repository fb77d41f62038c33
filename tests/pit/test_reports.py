"""The books of the house, read from a journal: every figure against one worked out another way."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from passline.cli.app import app
from passline.engine import commands as c
from passline.engine.values import Roll
from passline.errors import ArgumentError
from passline.floor import conduct, disputes, promotions, seats, signs, staff, voids
from passline.floor.clock import instant
from passline.floor.register import EVENTS
from passline.floor.state import Prize
from passline.journal.contract import Draft
from passline.journal.memory import MemoryJournal
from passline.journal.sqlite import SqliteJournal
from passline.live.drafts import by_the_house
from passline.live.state import HOUSE_FLOOR
from passline.pit.housewide import HouseWide
from passline.pit.people.people import Attempts, By, People
from passline.pit.reports import tables as void
from passline.pit.reports.events import ENTRIES, LATE, OVERDUE, PEOPLE, REFUSED
from passline.pit.reports.house import BOOKS, MAKERS, book
from passline.pit.reports.players import funds, last_rolls, recall
from passline.pit.reports.sheets import Sheet, Window, window
from passline.pit.table import LiveTable
from tests.cage.till import Till
from tests.clauses.sydney.test_promotions import offered
from tests.pit.hands import Device, deal
from tests.pit.play import KEYS, NOW, by, new_table, read
from tests.pit.seeds import old_table
from tests.verify.live import promise

if TYPE_CHECKING:
    from pathlib import Path

    from passline.journal.contract import Journal
    from passline.live.requests import Ask


def boss(time: str = "2026-11-15T21:00:00Z") -> Ask:
    """A supervisor asks."""
    return by("sue", role="supervisor", time=time)


def throw(table: LiveTable, dice: str, time: str = "2026-11-15T20:30:00Z") -> int:
    """Dice as they are said, and the number of the entry."""
    first, second = map(int, dice.split("-"))
    sequence: int = read(table.do(c.Throw(Roll(first, second)), by("ann", time=time)))["sequence"]
    return sequence


def evening(journal: Journal) -> LiveTable:
    """Dice that are given: wins, losses, commission, odds, a roll struck out, a forfeit, somebody who leaves."""
    table = new_table(journal, "t1", "given", "sydney")
    for wager, amount in (("pass", 1_000), ("place_6", 1_200), ("buy_4", 2_000), ("field", 500)):
        table.do(c.Bet(1, wager, amount), by("ann"))
    table.do(c.Bet(2, "dont_pass", 1_000), by("bob"))
    throw(table, "6-4")
    table.do(c.Bet(1, "pass_odds", 2_000), by("ann"))
    table.do(c.Bet(1, "come", 1_000), by("ann"))
    throw(table, "4-2")
    throw(table, "2-2", "2026-11-15T21:10:00Z")
    table.do(voids.Invalidate("fire", second="cid"), boss("2026-11-15T21:11:00Z"))
    throw(table, "5-5", "2026-11-15T21:20:00Z")
    table.do(c.Bet(2, "field", 500), by("bob"))
    table.do(c.Bet(2, "dont_pass", 1_000), by("bob"))
    throw(table, "1-1", "2026-11-15T22:00:00Z")
    table.do(voids.Invalidate("fraud", "Bob", "player", "the dice were slid", (2,), "cid"), boss())
    table.do(c.Leave(2), by("bob"))
    return table


def by_column(sheet: Sheet, name: str) -> list[Any]:
    """One column of a report."""
    at = sheet.columns.index(name)
    return [row[at] for row in sheet.rows]


def cents(amounts: list[str]) -> int:
    """A column of amounts, added up."""
    return int(sum(map(Fraction, amounts)) * 100)


@pytest.mark.parametrize("of", ["hold", "hours"])
def test_the_hold_adds_up_to_what_the_bank_has_won(of: str) -> None:
    """Whatever it is counted by, with rolls struck out and wagers forfeited."""
    journal = MemoryJournal()
    table = evening(journal)
    sheet = book(journal, of, ("t1",))
    assert cents(by_column(sheet, "hold")) == table.live.table.bank != 0


def test_the_hold_stands_beside_the_theoretical() -> None:
    """A pass line bet is worth 7 in 495 to the house, whatever it held of this one."""
    journal = MemoryJournal()
    evening(journal)
    rows = {row["wager"]: row for row in book(journal, "hold", ("t1",)).to_json()["rows"]}
    held = {"table": "t1", "wager": "field", "decisions": 2, "action": "10", "hold": "0"}
    assert held.items() <= rows["field"].items()  # won on a ten, forfeited; the one struck out is gone
    held = {"table": "t1", "wager": "pass", "decisions": 1, "action": "10", "hold": "-10", "hold_share": "-100.00 %"}
    assert {**held, "theoretical": "0.14", "theoretical_share": "1.41 %"}.items() <= rows["pass"].items()
    assert rows["place_6"]["theoretical_share"] == "1.52 %"
    assert {"theoretical": "0", "theoretical_share": "0.00 %"}.items() <= rows["pass_odds"].items()


def test_the_drop_is_what_was_bought() -> None:
    """And what was carried away, and what is still there, comes to the same."""
    journal = MemoryJournal()
    table = evening(journal)
    (row,) = book(journal, "shift", ("t1",)).to_json()["rows"]
    bought, away, won = (Fraction(row[name]) for name in ("drop", "carried_away", "house_win"))
    left = sum(Fraction(funds(seat), 100) for seat in table.live.table.seats.values())
    assert (row["table"], row["drop"]) == ("t1", "1500")
    assert bought == away + won + left
    assert won * 100 == table.live.table.bank


def test_a_shift_is_told_by_its_hours() -> None:
    """A window begins with its first second and ends before its last."""
    journal = MemoryJournal()
    evening(journal)
    whole, late = (book(journal, "shift", ("t1",), each) for each in (Window(), window("2026-11-15T21:10:00Z")))
    assert by_column(whole, "rolls") == [5]
    assert by_column(late, "rolls") == [3]
    assert by_column(late, "floor_acts") == [1]
    assert by_column(whole, "crew") == ["sue (supervisor)"]
    early = book(journal, "shift", ("t1",), window(until="2026-11-15T21:10:00Z"))
    assert by_column(early, "rolls") == [2]
    with pytest.raises(ArgumentError):
        window("at nine")
    with pytest.raises(ArgumentError):
        book(journal, "shift", ("t9",))


def test_voids_are_told_by_person_with_the_chance_of_it() -> None:
    """Two voids, one of them of a roll that the house lost by, among five outcomes with so many losers."""
    journal = MemoryJournal()
    evening(journal)
    sheet = book(journal, "voids", ("t1",))
    assert by_column(sheet, "person") == ["cid", "sue"]
    assert by_column(sheet, "voids") == [2, 2]
    assert by_column(sheet, "reasons") == ["fire; fraud: the dice were slid"] * 2
    assert by_column(sheet, "look") == ["", ""]


@pytest.mark.parametrize(("other", "look"), [("field", "look: ann alone is spared"), ("pass", "")])
def test_a_single_void_that_spares_one_of_several_players_is_worth_a_look(other: str, look: str) -> None:
    """Where somebody else lost by the roll as well, one void says nothing."""
    journal = MemoryJournal()
    table = new_table(journal, "t1", "given", "sydney")
    table.do(c.Bet(1, "pass", 1_000), by("ann"))
    table.do(c.Bet(2, other, 500), by("bob"))
    throw(table, "2-1")
    table.do(voids.Invalidate("fire", second="cid"), boss())
    assert by_column(book(journal, "voids", ("t1",)), "look") == [look] * 2


def test_rolls_that_were_void_before_they_fell_are_told() -> None:
    """By whoever declared it; whether that looks like chance is for whoever sees the seed."""
    journal = MemoryJournal()
    table = old_table(journal)
    table.do(c.Bet(1, "pass", 1000), by())
    table.close_bets(by("bea", role="box"))
    table.void("a fire alarm", "cid", by("bea", role="box"))
    rows = book(journal, "voids", ("t1",)).rows
    assert [(*row[1:3], row[-2]) for row in rows] == [("bea", 1, "a fire alarm"), ("cid", 1, "a fire alarm")]
    assert all(str(row[-1]).startswith("void before the dice") for row in rows)


def test_the_chance_of_voids_is_exact() -> None:
    """Nine in ten voids losers where half of all are; and all of none."""
    assert void.at_least(0, 5, 50, 100) == 1
    assert void.at_least(2, 2, 2, 4) == Fraction(1, 6)
    assert void.at_least(1, 2, 2, 4) == Fraction(5, 6)
    assert void.at_least(9, 10, 50, 100) < void.SUSPECT
    assert void.at_least(0, 0, 0, 0) == 1


def test_any_roll_is_recalled_and_a_players_last_fifty() -> None:
    """Bets, dice, each settlement, the funds before and after, and whether it was struck out."""
    journal = MemoryJournal()
    table = new_table(journal, "t1", "given", "sydney")
    table.do(c.Bet(1, "pass", 1_000), by("ann"))
    first = throw(table, "6-5")
    told = recall(journal, "t1", first)
    assert (told["dice"], told["puck"], told["struck_out"]) == ([6, 5], "off", False)
    assert told["seats"][1]["bets"] == {"pass": "10"}
    assert (told["seats"][1]["funds_before"], told["seats"][1]["funds_after"]) == ("1000", "1010")
    assert told["seats"][1]["settled"][-1]["kind"] == "event.wager_won"
    table.do(voids.Invalidate("fire"), boss())
    assert recall(journal, "t1", first)["struck_out"] is True
    for _ in range(52):
        table.do(c.Bet(1, "pass", 1_000), by("ann"))
        throw(table, "6-5")
    rolls = last_rolls(journal, "t1", "ANN")
    assert len(rolls) == 50
    assert (rolls[0]["funds_before"], rolls[-1]["funds_after"]) == ("1020", "1520")
    assert [each["roll"] for each in rolls] == list(range(4, 54))
    assert last_rolls(journal, "t1", "Zoe") == []
    with pytest.raises(ArgumentError):
        recall(journal, "t1", 1)


KINDS = {
    *(*ENTRIES.values(), *PEOPLE.values(), *REFUSED.values(), LATE, OVERDUE),
    *(event.significant for event in EVENTS.values() if event.significant),
    *("outcome struck out", "chips corrected", "limits changed", "large bet", "large win", "large buy-in"),
    *("clock went backwards", "seed not shown", "dice ended early", "large payment", "reader has bets up"),
    *("bet booked by the crew", "chip bank variance"),
}
"""Every kind of significant event that there is."""

AT_THE_HOUSE = {
    *("drawer variance", "float variance", "fill", "credit", "beyond a limit of one's own"),
    *("restored from a backup", "chips of a stopped table returned", "clock was set", "dice ended early"),
    *("crew after the bets closed", "cash moved", "chips received", "chips retired", "chip bank variance"),
}
"""Kinds that are provoked where their acts are tried: `test_cage`, `test_stopped`, `test_housewide`."""


def test_every_kind_of_significant_event_is_told() -> None:
    """Each provoked: with who, as what, when, why, and what was before and after where there is such a thing."""
    journal = MemoryJournal()
    _provoke(journal)
    cage, sue = Till(journal), Draft("cage_acted", {}, "sue", "supervisor", NOW)
    cage.pay_in("ann", 300_000, sue)
    cage.pay_out("ann", 100, sue)
    cage.pay_out("ann", 200_000, sue)
    sheet = book(journal, "events")
    found = set(by_column(sheet, "kind"))
    assert found | AT_THE_HOUSE == KINDS
    assert len(KINDS) >= 18
    for row in sheet.rows:
        assert all(row[:6])
    change = next(row for row in sheet.rows if row[5] == "limits changed")
    assert (change[7][:5], change[8][:5]) == ("min 5", "min 1")
    bet = next(row for row in sheet.rows if row[5] == "large bet")
    assert bet[6:] == ("pass", "0", "2000")
    assert [instant(row[2]) for row in sheet.rows] == sorted(instant(row[2]) for row in sheet.rows), "by time"
    assert any("both read them anew" in row[6] for row in sheet.rows if row[5] == "readings disagree")
    told = {kind: [row[6:] for row in sheet.rows if row[5] == kind] for kind in KINDS}
    assert told["exclusion lifted"] == [("Bob: it was a pacemaker, with cid", "", "")]
    assert told["exclusion"] == [("Bob: he said so", "", "")]
    assert told["staff change"] == [("sue: Gaming Supervisor", "", "")], "who came, whoever put them on duty"
    assert [row[0] for row in told["wagers returned"]] == ["they went home, with cid"]
    ((why_so, before, after),) = told["chips corrected"]
    assert (why_so.split(", ")[0], before, after) == ("seat 1", "11000", "1000")
    assert told["seed not shown"] == [("bob", "", "")]
    assert ("did not arrive: bob", "", "") in told["roll void"]
    assert told["reader has bets up"] == [("seat 1, 10 up: pass", "", "")]
    assert told["voucher issued"] == [("V-1, worth 50: until Sunday", "", "")]
    assert [row[0] for row in told["tokens given"]] == ["V-1, worth 50, seat 1"]
    assert told["tried and not allowed"][0][0].startswith("permission refused, once since 2026")
    struck = next(row[-2] for row in book(journal, "voids", ("real",)).rows if "judged" not in row[-1])
    assert struck == "a cocked die", "said once"
    for kind in ("chips corrected", "outcome struck out", "roll void", "sanction", "limit override"):
        assert any(row[0].endswith(", with cid") for row in told[kind]), (kind, told[kind])
    ((why_so, *stakes),) = told["bet booked by the crew"]
    assert why_so == "field; bea (box) booked this for seat 2: lay there when the dice were out."
    assert stakes == ["0", "5"]
    assert told["large payment"] == [
        ("ann paid in 3000", "0", "3000"),
        ("ann paid out 2000", "2999", "999"),
    ]
    voided = book(journal, "voids", ("real",))
    unjudged = [(*row[1:3], row[-2]) for row in voided.rows if row[-1] == "real dice: cannot be judged"]
    assert unjudged == [("cid", 1, "a dispute"), ("sue", 1, "a dispute")]


def _provoke(journal: Journal) -> None:  # noqa: PLR0915 - one act a kind
    """Whatever is significant, at a table of real dice and at one where they are given."""
    table = new_table(journal, "real", "real", "sydney")
    table.do(staff.ComeOnDuty("sue", "Gaming Supervisor"), boss())
    table.do(signs.SignPlayerLimits(1, 500, 500_000, "cid"), boss())
    table.do(signs.SignPlayerLimits(1, 500, 500_000, ""), boss())
    table.do(signs.ChangeLimits(table.live.table.notice._replace(minimum=100)), boss())
    table.do(signs.ChangeLimits(table.live.table.notice), by("ann"))
    table.do(c.ReturnAll("no"), by("ann"))
    table.do(c.BuyIn(1, 1_000_000), by("ann"))
    table.correct(table.head.sequence, "it was another seat", "cid", boss())
    table.do(c.BuyIn(1, 500_000), by("ann"))
    table.do(c.Bet(1, "pass", 200_000), by("ann"))
    table.do(c.Bet(2, "pass", 99_000), by("bob"))
    for first, second in (("6-5", "5-5"), ("6-5", "6-5")):
        table.close_bets(by("sam", role="stick"))
        for actor, role, dice in (("sam", "stick", first), ("bea", "box", second)):
            table.read_dice(Roll(*map(int, dice.split("-"))), by(actor, role=role))
    _both(table)
    table.correct(table.live.last_roll, "a cocked die", "cid", boss("2026-11-15T19:00:00Z"))
    table.do(c.Bet(1, "pass", 1_000), by("ann"))
    table.close_bets(by("sam", role="stick"))
    table.void("a dispute", "cid", boss())
    table.do(disputes.RaiseDispute("Ann", "the face of a die"), by("ann"))
    table.do(conduct.ReportConduct("Bob", "player", "device", "a counter"), by("dan", role="dealer"))
    table.do(conduct.Sanction(1, "bar", "seen by two", "cid"), boss())
    table.do(c.Bet(2, "field", 500), by("bob"))
    table.do(seats.RefuseWager(1, "field", "too late, again"), boss())
    later = offered(starts="2026-12-01T12:00:00Z", closes="2026-12-03T20:00:00Z")
    table.do(promotions.RegisterPromotion("Spring", later), boss())
    table.do(promotions.DoubtPromotion("Spring", "cancel", "the drum was open", "Ines"), boss())
    table.do(seats.IssueVoucher("V-1", 5_000, "until Sunday"), boss())
    table.do(seats.ChangeVoucher("V-1", 1), by("dan", role="dealer"))
    table.do(seats.GrantComp("Ann", "a meal", 2_000, "she waited"), boss())
    table.do(seats.GrantComp("sue", "a room", 2_000, "a long night"), boss())
    table.do(conduct.Readmit("Bob", "it was a pacemaker", "cid"), boss())
    table.do(conduct.ExcludeOneself("Bob", "he said so"), boss())
    _draw(floor_of(journal))
    people = People(journal, NOW)
    people.guest("Ann", NOW)
    people.grant("ann", "dealer", None, "new crew", By("house", "house", NOW), None)
    people.withdraw("ann", "dealer", "t1", "went home", By("house", "house", NOW))
    attempts = Attempts(people)
    attempts.count("permission refused", "ann", NOW)
    attempts.write(NOW)
    old = old_table(journal, "old")
    promise(old, 1, "bob")  # and never shows it
    old.do(c.Bet(1, "pass", 1_000), by("ann"))
    old.roll(by("ann"))
    fair = new_table(journal, "fair")
    Device(fair, "bob")  # and it falls silent
    fair.do(c.Bet(2, "pass", 1_000), by("bob"))
    deal(fair)
    fair.do(c.Bet(1, "pass", 1_000), by("ann"))
    fair.roll(by("ann"))
    fair._append([by_the_house("table_stopped", {"reason": "chips do not add up"}, "2026-11-15T22:00:00Z")])
    fair.resume("2026-11-15T22:00:00Z")
    gone = new_table(journal, "gone", "given")
    gone.do(c.Bet(1, "pass", 1_000), by("ann"))
    throw(gone, "4-4")
    for seat, who in ((1, "ann"), (2, "bob")):
        gone.do(c.Leave(seat), by(who))
    gone.do(signs.ReturnWagers("they went home", "cid"), boss())
    home = new_table(journal, "home", "given")
    home.do(seats.InspectDice((190, 191)), boss())
    home.do(c.Bet(1, "pass", 1_000), by("ann"))
    throw(home, "6-5")
    home.do(voids.Invalidate("fire"), boss())
    home.do(c.Bet(2, "pass", 90_000_000), by("bob"))
    home.do(staff.GoOffDuty("sue"), boss())
    _over(home)


def floor_of(journal: Journal) -> LiveTable:
    """The floor of a house by the book of Sydney, asked by anybody."""
    HouseWide(journal, People(journal, NOW), KEYS.sign, "sydney").open_floor(NOW)
    return LiveTable.open(journal, HOUSE_FLOOR, time=NOW, keys=KEYS)


def _draw(table: LiveTable) -> None:
    """Three prizes drawn: one given, one told late, one whose winner nobody tells; and a claim that is refused."""
    prizes = [Prize("cash", "money", 1_000)] * 3
    held = offered(*prizes, starts="2026-11-17T12:00:00Z", closes="2026-11-18T12:00:00Z")
    table.do(promotions.RegisterPromotion("Autumn", held), boss())
    table.do(promotions.FileTerms("Autumn", "the Authority"), boss())
    table.do(promotions.OpenPromotion("Autumn"), boss("2026-11-17T12:00:00Z"))
    table.do(promotions.EnterPromotion("Autumn", "Ann"), by("ann", time="2026-11-17T13:00:00Z"))
    for prize in (1, 2, 3):
        table.do(promotions.DrawPrize("Autumn", prize, "Ann", second="cid"), boss("2026-11-18T13:00:00Z"))
    table.do(promotions.NotifyWinner("Autumn", 1, "mail"), boss("2026-11-18T14:00:00Z"))
    table.do(promotions.AwardPrize("Autumn", 1, (("cash", 1_000),), second="cid"), boss("2026-11-18T15:00:00Z"))
    table.do(promotions.NotifyWinner("Autumn", 2, "mail"), boss("2026-11-21T14:00:00Z"))
    table.do(promotions.RefuseClaim("Autumn", "Zoe", 1_000, "not drawn", told=True), boss("2026-11-21T15:00:00Z"))


def test_a_winner_whom_nobody_told_is_overdue_at_the_end_of_the_window() -> None:
    """Not on the second day after the draw; from the third day on, until somebody does."""
    journal = MemoryJournal()
    _draw(floor_of(journal))
    until = {"2026-11-20T23:59:00Z": 0, "2026-11-21T00:01:00Z": 2, "2026-11-22T00:00:00Z": 1}
    for end, overdue in until.items():
        sheet = book(journal, "events", (), window(until=end))
        assert by_column(sheet, "kind").count("winner not told") == overdue


def _both(table: LiveTable) -> None:
    """A player reads dice that decide a bet of the player's; somebody on duty would play."""
    table.do(c.Bet(1, "pass", 1_000), by("ann"))
    table.do(c.FindBet(2, "field", 500), by("bea", role="box"), reason="lay there when the dice were out")
    table.do(c.FindBet(2, "field", 500), by("bob"))
    table.close_bets(by("sam", role="stick"))
    table.read_dice(Roll(6, 5), by("ann", role="dealer"))
    table.read_dice(Roll(6, 5), by("bea", role="box"))
    table.do(c.Sit(5, "sue", 1_000), by("sue"))


def _over(table: LiveTable) -> None:
    """Take a table over, and close it."""
    other = type(table).open(table.journal, table.name, time="2026-11-15T23:00:00Z", owner="another process")
    other.do(c.ReturnAll("closing"), boss())  # refused where nothing is up
    other.close("2026-11-15T23:30:00Z")


def test_a_cell_is_never_a_formula() -> None:
    """What somebody calls themselves is only text in a spreadsheet."""
    sheet = Sheet("balance", [("=1+1", "-5.00", None), ("@x", "-x", "+1")])
    assert list(csv.reader(sheet.to_csv().splitlines()))[1:] == [["'=1+1", "-5.00", ""], ["'@x", "'-x", "'+1"]]


def test_every_report_is_described_and_made() -> None:
    """Its columns with words that tell people what is in them, as many as its rows have cells."""
    assert set(BOOKS) == set(MAKERS)
    journal = MemoryJournal()
    evening(journal)
    for name in BOOKS:
        sheet = book(journal, name, player="ann")
        assert all(each[0].isupper() for each in sheet.headings), name
        assert len(sheet.to_json()["rows"]) == len(sheet.rows)  # zipped strictly
    listed = CliRunner().invoke(app, ["pit", "reports"]).output
    assert [line.split()[0] for line in listed.splitlines()] == [*BOOKS, "recall", "player"]


@pytest.mark.parametrize("kind", ["shift", "hold", "hours", "voids", "events"])
@pytest.mark.parametrize("columns", ["80", "120"])
def test_the_command_prints_every_report(
    kind: str, columns: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For people, as JSON and as CSV, with the same rows; a time is never cut in two, however wide the terminal is."""
    monkeypatch.setenv("COLUMNS", columns)
    path = str(tmp_path / "evening.db")
    journal = SqliteJournal(tmp_path / "evening.db")
    evening(journal)
    journal.close()
    run = CliRunner().invoke
    for_people = run(app, ["pit", "report", kind, path])
    assert for_people.exit_code == 0, for_people.output
    assert not re.search(r"\dT\d\d:", for_people.output), "times are for programs in JSON and CSV, here for people"
    assert kind not in ("shift", "events") or "2026-11-15 20:00:00 UTC" in for_people.output
    rows = json.loads(run(app, ["pit", "report", kind, path, "--json"]).output)["rows"]
    lines = list(csv.reader(run(app, ["pit", "report", kind, path, "--csv"]).output.splitlines()))
    assert len(rows) == len(lines) - 1 > 0
    assert list(rows[0]) == lines[0]


def test_the_command_says_what_it_wants(tmp_path: Path) -> None:
    """A report that there is not, a player's rolls, a roll by its entry."""
    path = str(tmp_path / "evening.db")
    journal = SqliteJournal(tmp_path / "evening.db")
    evening(journal)
    journal.close()
    run = CliRunner().invoke
    assert "expected one of handover" in run(app, ["pit", "report", "gossip", path]).output
    told = json.loads(run(app, ["pit", "report", "player", path, "--player", "Ann", "--json"]).output)
    assert len(told) == 5
    entry = str(told[0]["entry"])
    assert json.loads(run(app, ["pit", "report", "recall", path, "--entry", entry, "--json"]).output)["dice"] == [6, 4]
    words = run(app, ["pit", "report", "recall", path, "--entry", entry]).output
    assert words.splitlines()[0].startswith("Roll 1: 6-4, the puck off"), words
    assert "  Seat 1, Ann: " in words
    assert "{" not in words
    assert words.splitlines()[0] in run(app, ["pit", "report", "player", path, "--player", "Ann"]).output
    assert run(app, ["pit", "report", "player", path, "--csv"]).exit_code
