"""Protocol 2 of docs/dice.md: hands in the dice, silence, crashes, and every row of its table played by a villain."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

from passline.engine import commands as c
from passline.engine.refusals import Refusal
from passline.engine.values import Roll
from passline.errors import ArgumentError, InvariantError, KeyTakenError, StoppedError
from passline.journal.contract import read_entry
from passline.journal.export import exported, restored
from passline.journal.memory import MemoryJournal
from passline.journal.sqlite import SqliteJournal
from passline.live import hands, rolls
from passline.live import requests as r
from passline.live.answer import answer
from passline.live.dice import LINK_TAG, chain, dealt
from passline.live.drafts import by_the_house, statement
from passline.live.requests import request
from passline.live.state import events_of
from passline.odds.wagers.walk import worth
from passline.pit.history import came_to_nothing
from passline.pit.reports.house import book
from passline.pit.table import LiveTable
from passline.telling.sentences import say
from passline.verify.check import verify
from tests.chance.node import verifier
from tests.pit.hands import LATER, Device, deal
from tests.pit.play import KEYS, NOW, by, kinds, new_table, read, why

if TYPE_CHECKING:
    from pathlib import Path

    from passline.journal.contract import Journal, Write
    from passline.live.state import DiceMode

STOPS = "2026-11-15T20:11:00Z"


def seated(journal: Journal | None = None) -> tuple[LiveTable, Device, Device]:
    """Ann and Bob, each with a hand and a bet on the line."""
    table = new_table(journal if journal is not None else MemoryJournal(), "t1")
    ann, bob = Device(table, "ann"), Device(table, "bob")
    line_up(table)
    return table, ann, bob


def line_up(table: LiveTable) -> None:
    """Whoever has nothing on the line puts something there."""
    for seat, who in ((1, "ann"), (2, "bob")):
        if not table.live.table.seats[seat].felt:
            table.do(c.Bet(seat, "field", 1000), by(who))
            table.do(c.Bet(seat, "pass", 1000), by(who))
    if table.live.table.shooter is None:
        table.do(c.Shoot(1), by("ann"))


def checked(table: LiveTable) -> list[str]:
    """What `verify` finds."""
    return [fault.what for fault in verify(exported_lines(table)).faults]


def exported_lines(table: LiveTable) -> list[bytes]:
    return [line + b"\n" for line in exported(table.journal, ["t1"], sign=KEYS.sign, time=NOW)]


def rows(table: LiveTable) -> set[str]:
    """The rows of the table that `verify` names."""
    return {what.partition(":")[0] for what in checked(table)}


# --- What is dealt ----------------------------------------------------------------------------------------------------


def test_every_hand_with_chips_up_is_in_the_dice() -> None:
    """By the closing's list, each with its next value; link and values are the dice."""
    table, ann, bob = seated()
    for number in range(1, 20):
        line_up(table)
        body = deal(table, ann, bob)["body"]
        assert [(each["person"], each["index"]) for each in body["hands"]] == [("ann", number), ("bob", number)]
        values = {each["person"]: bytes.fromhex(each["value"]) for each in body["hands"]}
        dice = dealt(bytes.fromhex(body["link"]), table.live.stream, 1, number, values)
        assert list(dice) == body["dice"]
    assert checked(table) == []


def test_a_hand_without_chips_is_not_waited_for() -> None:
    """Nor one that its owner took off."""
    table, ann, bob = seated()
    while table.live.table.seats[2].felt:
        line_up(table) if table.live.table.shooter is None else None
        deal(table, ann, bob)
    table.do(c.Bet(1, "pass", 1000), by("ann"))
    table.do(c.Shoot(1), by("ann"))
    assert [each["person"] for each in deal(table, ann)["body"]["hands"]] == ["ann"]
    ann.take_off()
    table.do(c.Bet(1, "pass", 1000), by("ann"))
    if table.live.table.shooter is None:
        table.do(c.Shoot(1), by("ann"))
    assert deal(table)["body"]["hands"] == []
    assert checked(table) == []


def test_no_value_is_seen_before_the_last_is_in() -> None:
    """Not in an entry, and not in the open beside the journal."""
    table, ann, _ = seated()
    table.roll(by("ann"))
    ann.show()
    secret = ann.values[1]
    lines = b"".join(table.journal.lines("t1"))
    assert kinds(table.journal)[-1] == "value_received"
    assert secret.hex().encode() not in lines
    assert all(secret not in sealed for sealed in table.journal.secrets("t1").values())


def test_values_that_come_at_once_are_one_transaction_with_the_roll(tmp_path: Path) -> None:
    """On disk together or not at all: where the store takes nothing, each is asked by itself and told so."""
    journal = SqliteJournal(tmp_path / "pit.db")
    table, ann, bob = seated(journal)
    told: list[str] = []
    table.listeners.append(lambda moment: told.append(moment.entry.kind))

    def asks(*devices: Device) -> list[Any]:
        values = [r.ShowValue(each.number, 1, each.values[1]) for each in devices]
        asked = zip(values, [by(each.person) for each in devices], strict=True)
        return [lambda table, act=act, ask=ask: table.show_value(act, ask) for act, ask in asked]

    ask = by("ann")
    table.roll(ask)
    writes: list[int] = []
    append = journal.append

    def appended(*each: Write) -> None:
        writes.append(len(each[0].entries))
        append(*each)

    journal.append = appended  # type: ignore[method-assign]
    twice = asks(ann)
    before = table.head
    with pytest.raises(KeyTakenError):
        table.ask_together([*twice, *twice])
    assert (table.head, kinds(journal)[-1], told) == (before, "bets_closed", ["bets_closed"])
    writes.clear()
    answers = [read(line)["kind"] for line in table.ask_together(asks(ann, bob))]
    assert answers == ["value_received", "value_received"]
    assert writes == [3]
    assert told == ["bets_closed", *answers, "rolled"]
    assert read(table.roll(ask))["kind"] == "rolled"
    assert checked(table) == []
    journal.close()


def test_what_is_not_due_is_refused() -> None:
    """A value that is not the chain's, twice, early, for another closing; a hand that is not the next."""
    table, ann, bob = seated()
    for number in (1, 2, 3):
        assert why(table.hand_on(number, bytes(32), bytes(32), by("ann"))) == "table.hand"
    assert why(table.hand_off(1, bytes(32), by("ann"))) == "table.hand"
    assert why(table.show_value(r.ShowValue(1, 1, ann.values[1]), by("ann"))) == "table.hand"
    table.roll(by("ann"))
    assert why(table.show_value(r.ShowValue(1, 1, bytes(32)), by("ann"))) == "table.hand"
    assert ann.show(closing="ab" * 32)["kind"] == "refused"
    assert ann.take_off()["body"]["refusal"]["code"] == "table.bets_closed"
    assert ann.show()["kind"] == "value_received"
    assert ann.show()["kind"] == "refused"
    by_ann = r.ShowValue(1, 1, bob.values[1], "bob")
    assert read(table.show_value(by_ann, by("ann")))["kind"] == "value_received", "a neighbour hands it in"
    assert table.live.announced is None
    assert checked(table) == []


# --- Silence ----------------------------------------------------------------------------------------------------------


def test_values_are_awaited_anew_by_who_takes_a_table_up() -> None:
    """While nobody served it none could come in: the twenty seconds begin again."""
    table, ann, bob = seated()
    ask = by("ann")
    table.roll(ask)
    again = ann.table = bob.table = LiveTable.open(table.journal, "t1", time=LATER, keys=KEYS)
    ann.show()
    again.settle(LATER)
    again.roll(ask)
    assert again.live.announced is not None
    bob.show()
    assert read(again.roll(ask))["kind"] == "rolled"
    line_up(again)  # whatever the dice decided
    again.roll(ask := by("ann"))
    last = LiveTable.open(table.journal, "t1", time="2026-11-15T22:00:00Z", keys=KEYS)
    last.settle("2026-11-15T22:00:19Z")
    assert last.live.announced is not None
    last.settle("2026-11-15T22:00:20Z")
    assert read(last.roll(ask))["kind"] == "roll_voided"


def test_values_are_awaited_anew_when_the_store_is_back() -> None:
    """As long as it is away nobody can show one."""
    table, _, _ = seated()
    table.roll(by("ann"))
    table.journal.away_at = monotonic()  # type: ignore[attr-defined]
    table.settle(LATER)
    assert table.live.announced is not None
    table.journal.away_at -= hands.WAITS / 1_000_000  # type: ignore[attr-defined]
    table.settle(LATER)
    assert table.live.announced is None


def test_silence_voids_the_roll_and_settles_the_silent_at_their_worth() -> None:
    """After twenty seconds; others' bets stay; who owes a value bets when it is shown."""
    table, ann, bob = seated()
    before = table.live.table.seats
    ask = by("ann")
    table.roll(ask)
    ann.show()
    table.settle("2026-11-15T20:00:19Z")
    announced = table.live
    assert announced.announced is not None
    table.settle(LATER)
    void = read(table.roll(ask))
    assert (void["kind"], void["body"]["silent"]) == ("roll_voided", [{"hand": 1, "index": 1, "person": "bob"}])
    assert table.live.table.seats[1] == before[1]
    seat = table.live.table.seats[2]
    stake = sum(wager.stake for wager in before[2].felt.values())
    assert not seat.felt
    assert before[2].rail < seat.rail <= before[2].rail + stake
    entry = next(each for each in map(read_entry, table.journal.lines("t1")) if each.kind == "roll_voided")
    call, sentence = came_to_nothing(entry, announced, table.live)
    assert call == "No roll: the part of Bob in the dice did not arrive"
    assert sentence.endswith("and all other bets stay.")
    told = [say(table.layout, announced.table, event) for event in events_of(entry)]
    assert "Bob's 10 on Field Bet is settled at what it is worth: 10 comes back." in told
    (rated,) = (each for each in book(table.journal, "ratings").to_json()["rows"] if each["player"] == "bob")
    assert rated["theoretical"] == rated["house_win"]  # no dice decided anything, and worth was paid for worth
    (voided,) = book(table.journal, "voids").to_json()["rows"]
    assert voided["person"] == "house"  # Ann threw, and nobody decided
    assert why(table.do(c.Bet(2, "pass", 1000), by("bob"))) == "table.hand"
    assert bob.show_owed()["kind"] == "value_shown"
    assert bob.give()["kind"] == "hand_on"
    assert read(table.do(c.Bet(2, "pass", 1000), by("bob")))["kind"] == "acted"
    lines = [line + b"\n" for line in exported(table.journal, ["t1"], sign=KEYS.sign, time=NOW)]
    report = verify(lines)
    assert (report.faults, dict(report.silent), report.counts["silent_rolls"]) == ([], {"bob": 1}, 1)
    assert report.voids[0].dice is not None
    assert report.voids[0].bank is not None


def test_what_came_to_nothing_is_counted_by_person_over_all_tables_of_an_export() -> None:
    """The cap is each table's, so that a house with many tables has many: whoever looks at all of them sees that."""
    journal = MemoryJournal()
    for name in ("t1", "t2"):
        table = new_table(journal, name)
        ann, bob = Device(table, "ann"), Device(table, "bob")
        line_up(table)
        assert deal(table, ann)["kind"] == "roll_voided"
        bob.show_owed()
        bob.give()
        line_up(table)
        assert deal(table, ann, bob)["kind"] == "rolled"
    report = verify(line + b"\n" for line in exported(journal, ["t1", "t2"], sign=KEYS.sign, time=NOW))
    assert report.faults == []
    assert report.to_json()["nothing"] == {"ann": [2, 4], "bob": [2, 4]}
    assert "void: of 4 rolls with chips of bob up 2 came to nothing, at all tables here" in report.lines()


def test_an_owed_value_may_come_while_the_next_roll_is_announced() -> None:
    """Whoever was silent knows no hour: the hand is struck, so nothing of that roll changes, and `verify` holds it."""
    table, ann, bob = seated()
    assert deal(table, ann)["kind"] == "roll_voided"
    ask = by("ann")
    table.roll(ask)
    closing = table.live.announced
    assert closing is not None
    assert bob.show_owed()["kind"] == "value_shown"
    assert table.live.announced == closing
    ann.show()
    assert read(table.roll(ask))["kind"] == "rolled"
    assert kinds(table.journal)[-4:] == ["bets_closed", "value_shown", "value_received", "rolled"]
    assert checked(table) == []


def test_two_in_a_hundred_and_then_the_table_waits_and_stops() -> None:
    """Whoever is named; a third silence is no void, and ends with everybody's wagers at their worth."""
    table, ann, bob = seated()
    for _ in range(2):
        line_up(table)
        assert deal(table, ann)["kind"] == "roll_voided"
        bob.show_owed()
        bob.give()
    line_up(table)
    table.roll(by("ann"))
    ann.show()
    table.settle(LATER)
    assert table.live.announced is not None
    with pytest.raises(StoppedError):
        table.settle(STOPS)
    assert kinds(table.journal)[-4:] == ["roll_voided", "table_stopped", "chain_shown", "chain_shown"]
    assert not any(seat.felt for seat in table.live.table.seats.values())
    assert checked(table) == []


def test_a_roll_that_fails_is_settled_at_worth_and_a_third_stops_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """As silence is, for everybody; stakes are not bought back for what they were."""
    table, ann, bob = seated()
    for times in (1, 2, 3):
        line_up(table)
        while not table.live.table.puck:  # a line bet with a point is not worth its stake
            deal(table, ann, bob)
            line_up(table)
        before = {n: sum(each.stake for each in seat.felt.values()) for n, seat in table.live.table.seats.items()}
        rails = {n: seat.rail for n, seat in table.live.table.seats.items()}
        due = worth(table.layout, table.live.table)
        with monkeypatch.context() as failing:
            failing.setattr(rolls, "_rolled", lambda *_: (_ for _ in ()).throw(InvariantError("chips")))
            if times < 3:
                assert deal(table, ann, bob)["kind"] == "roll_voided"
            else:
                with suppress(StoppedError):
                    deal(table, ann, bob)
        for n, seat in table.live.table.seats.items():
            got = sum(minor_units for (number, _), (minor_units, *_) in due.items() if number == n)
            assert (seat.felt, seat.rail) == ({}, rails[n] + got)
            assert got != before[n]
    assert kinds(table.journal)[-4:] == ["roll_voided", "table_stopped", "chain_shown", "chain_shown"]
    report = verify(exported_lines(table))
    assert (report.faults, report.counts["failed_rolls"], report.counts["stops"]) == ([], 3, 1)
    ran = verifier("export", "-", given=b"".join(exported_lines(table)))
    assert b'"faults":[]' in ran.stdout


def test_where_the_worth_fails_too_the_table_stops_and_bets_are_settled_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """At their worth: a house that says so buys nothing back for its stake."""
    table, ann, bob = seated()
    with monkeypatch.context() as failing:
        failing.setattr(rolls, "_rolled", lambda *_: (_ for _ in ()).throw(InvariantError("chips")))
        failing.setattr("passline.pit.table.worth", lambda *_: (_ for _ in ()).throw(InvariantError("worth")))
        with suppress(StoppedError):
            deal(table, ann, bob)
    assert kinds(table.journal)[-4:] == ["roll_voided", "table_stopped", "chain_shown", "chain_shown"]
    assert any(seat.felt for seat in table.live.table.seats.values())
    assert checked(table) == []
    table.return_chips("it was stopped", "cid", by("bea", role="box"))
    assert not table.live.table.seats
    assert checked(table) == []
    assert b'"faults":[]' in verifier("export", "-", given=b"".join(exported_lines(table))).stdout


def test_backups_put_back_under_an_announced_roll_are_counted_and_a_third_stops_the_table() -> None:
    """Or a house would look at the dice first, and put one back unless they are a seven."""
    table, ann, bob = seated()
    for times in (1, 2, 3):
        line_up(table)
        table.roll(by("ann"))
        ann.show()
        restored(table.journal)
        table = LiveTable.open(table.journal, "t1", time=NOW, keys=KEYS)
        assert (table.live.over == "stopped") == (times == 3)
        for device in (ann, bob) if times < 3 else ():
            device.table = table
            device.give()
    assert kinds(table.journal)[-4:] == ["table_restored", "table_stopped", "chain_shown", "chain_shown"]
    report = verify(exported_lines(table))
    assert (report.faults, report.counts["restores"], report.counts["undone_closings"]) == ([], 3, 3)
    ran = verifier("export", "-", given=b"".join(exported_lines(table)))
    assert b'"undone_closings":3' in ran.stdout


def test_a_house_that_puts_backups_back_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    table, ann, bob = seated()
    monkeypatch.setattr(hands, "may_void", lambda *_: True)
    for _ in range(3):
        line_up(table)
        table.roll(by("ann"))
        restored(table.journal)
        table = LiveTable.open(table.journal, "t1", time=NOW, keys=KEYS)
        for device in (ann, bob):
            device.table = table
            device.give()
    monkeypatch.undo()
    assert "void_cap" in rows(table)


def test_no_crew_voids_and_strikes_out_no_more_than_two() -> None:
    """What two people may do to a roll that is announced or dealt is counted along."""
    table, ann, bob = seated()
    table.roll(by("ann"))
    assert why(table.void("fire", "bea", by("cid", role="box"))) == "table.dice_drawn"
    ann.show()
    bob.show()
    for _ in range(2):
        struck = table.live.last_roll
        assert read(table.correct(struck, "a cocked die", "bea", by("cid", role="box")))["kind"] == "corrected"
        line_up(table)
        deal(table, ann, bob)
    assert why(table.correct(table.live.last_roll, "once more", "bea", by("cid", role="box"))) == "table.dice_drawn"
    assert checked(table) == []


# --- Crashes, processes, the post -------------------------------------------------------------------------------------


class Crash(BaseException):
    """The process is gone."""


@pytest.mark.parametrize("store", ["memory", "sqlite"])
@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize("at", range(4))
def test_a_kill_at_any_statement_comes_to_the_same_dice(tmp_path: Path, store: str, at: int, *, written: bool) -> None:
    """Before or after each write from the closing to the roll, and the next process goes on."""
    journal: Journal = MemoryJournal() if store == "memory" else SqliteJournal(tmp_path / "j.db")
    table, ann, bob = seated(journal)
    append, count, ask = journal.append, iter(range(100)), by("ann", "the-roll")

    def failing(*writes: Write) -> None:
        if next(count) == at:
            if written:
                append(*writes)
            raise Crash
        append(*writes)

    journal.append = failing  # type: ignore[method-assign]
    steps = iter((lambda: table.roll(ask), ann.show, bob.show))
    with pytest.raises(Crash):  # noqa: PT012 - whichever it is
        for step in steps:
            step()
    journal.append = append  # type: ignore[method-assign]
    again = LiveTable.open(journal, "t1", time=NOW, keys=KEYS, owner="next")
    for device in (ann, bob):
        device.table = again
    again.roll(ask)
    for device in (ann, bob):
        if again.live.announced is not None and device.person in {each.person for each in again.live.announced.missing}:
            device.show()
    body = read(again.roll(ask))["body"]
    link = chain(LINK_TAG, (again.live.stream, 1), again._opened_seeds()[0][1])[1]
    assert body["dice"] == list(dealt(link, again.live.stream, 1, 1, {"ann": ann.values[1], "bob": bob.values[1]}))
    assert kinds(journal).count("bets_closed") == kinds(journal).count("rolled") == 1
    assert checked(again) == []


@pytest.mark.slow
def test_two_processes_and_a_bad_line_come_to_the_same_dice_or_a_named_void() -> None:  # noqa: C901 - one way
    """Values that are lost, late, doubled and out of order, at either of two processes: never a third thing."""
    rng = random.Random(19)
    for _ in range(6):
        journal = MemoryJournal()
        table, ann, bob = seated(journal)
        other = LiveTable(journal, "t1", KEYS)
        ends = set()
        for number in range(1, 26):
            for process in (table, other):
                process.catch_up()
            line_up(table)
            other.catch_up()
            ask = by("ann")
            table.roll(ask)
            other.catch_up()
            listed = {each.person: each for each in table.live.announced.hands} if table.live.announced else {}
            post: list[tuple[Device, LiveTable]] = []
            for device in (ann, bob):
                if device.person in listed and rng.random() > 0.04:
                    post += [(device, rng.choice((table, other))) for _ in range(rng.choice((1, 1, 2)))]
            rng.shuffle(post)
            for device, process in post:
                process.catch_up()
                due = listed[device.person].index
                act = r.ShowValue(device.number, due, device.values[due], "", "")
                process.show_value(act, by(device.person))
            table.catch_up()
            rng.choice((table, other)).settle(LATER)
            table.catch_up()
            if table.live.announced is not None:  # a third silence: the roll waits, and the value comes after all
                for device in (ann, bob):
                    if device.person in {each.person for each in table.live.announced.missing}:
                        device.show()
            entry = read(table.roll(ask))
            ends.add(entry["kind"])
            if entry["kind"] == "roll_voided":
                for each in entry["body"]["silent"]:
                    device = {"ann": ann, "bob": bob}[each["person"]]
                    device.show_owed()
                    device.give()
            assert number
        assert ends <= {"rolled", "roll_voided"}
        assert checked(table) == []


def test_a_backup_put_back_deals_none_of_its_dice() -> None:
    """It is an entry: wagers at their worth, hands struck, chains shown, new ones on an empty felt."""
    table, ann, bob = seated()
    deal(table, ann, bob)
    line_up(table)
    restored(table.journal)
    again = LiveTable.open(table.journal, "t1", time=NOW, keys=KEYS)
    assert kinds(again.journal)[-5:] == ["table_restored", *["chain_shown"] * 2, *["chain_committed"] * 2]
    assert not any(seat.felt for seat in again.live.table.seats.values())
    for device in (ann, bob):
        device.table = again
        assert device.give()["kind"] == "hand_on"
    line_up(again)
    body = deal(again, ann, bob)["body"]
    assert (body["epoch"], body["roll"]) == (3, 1)
    assert checked(again) == []
    lines = [line + b"\n" for line in exported(again.journal, ["t1"], sign=KEYS.sign, time=NOW)]
    assert verify(lines).counts["restores"] == 1


def test_an_epoch_ends_by_its_rolls_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the house is committed to the one after the next before it goes on."""
    for module in ("passline.live.state.LINKS", "passline.live.dice.LINKS", "passline.verify.dice.LINKS"):
        monkeypatch.setattr(module, 5)
    table, ann, bob = seated()
    epochs = []
    for _ in range(12):
        line_up(table)
        if not table.live.hands["ann"].is_on:
            ann.give()
            bob.give()
        epochs.append(deal(table, ann, bob)["body"]["epoch"])
    assert epochs == [1] * 5 + [2] * 5 + [3] * 2
    assert checked(table) == []


# --- Villains ---------------------------------------------------------------------------------------------------------


def test_a_house_that_leaves_a_hand_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows the dice without it."""
    table, ann, _ = seated()
    monkeypatch.setattr(hands, "listed", lambda live: [_ann(live)])
    deal(table, ann)
    monkeypatch.undo()
    assert "left_out" in rows(table)


def _ann(live: Any) -> dict[str, Any]:  # noqa: ANN401 - a live table
    return {"person": "ann", "hand": 1, "index": live.hands["ann"].index + 1}


def test_a_house_that_asks_for_another_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or lists a hand that is not on."""
    table, ann, _ = seated()
    ann.take_off()
    monkeypatch.setattr(hands, "listed", lambda live: [_ann(live)])
    table.roll(by("ann"))
    monkeypatch.undo()
    assert {"left_out", "not_on"} <= rows(table)


def test_a_house_that_takes_a_hand_off() -> None:
    """It does not know the value that does it."""
    table, _, _ = seated()
    table._append([statement("hand_off", {"person": "ann", "hand": 1, "value": "ab" * 32}, by("ann"))])
    assert "forged_off" in rows(table)


def test_a_house_that_gives_a_hand_in_ones_name() -> None:
    """While one's own is on."""
    table, _, _ = seated()
    body = {"person": "ann", "hand": 2, "anchor": "ab" * 32, "off": "cd" * 32}
    table._append([statement("hand_on", body, by("ann"))])
    assert "forged_off" in rows(table)


def test_a_house_that_deals_other_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Than link and values make."""
    table, ann, bob = seated()
    right = hands.dice_of
    monkeypatch.setattr(hands, "dice_of", lambda *given: Roll(right(*given).first % 6 + 1, right(*given).second))
    deal(table, ann, bob)
    monkeypatch.undo()
    assert "dice" in rows(table)


def test_a_house_that_shows_another_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that it tried out until the dice were as it wanted."""
    table, ann, bob = seated()
    monkeypatch.setattr(hands, "before", lambda *_: table.live.chains[1].last)
    table._links = 1, [bytes(32)] * 3
    table.roll(by("ann"))
    monkeypatch.undo()
    ann.show()
    monkeypatch.setattr(hands, "before", lambda *_: table.live.chains[1].last)
    table._append([])
    bob_value = r.ShowValue(1, 1, bob.values[1])
    monkeypatch.setattr(
        hands, "before", lambda tag, *_: table.live.chains[1].last if tag == LINK_TAG else bob.values[0]
    )
    table.show_value(bob_value, by("bob"))
    monkeypatch.undo()
    assert "link" in rows(table)


def test_a_house_that_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """It calls her silent at once."""
    table, ann, _ = seated()
    monkeypatch.setattr(hands, "WAITS", 0)
    table.roll(by("ann"))
    ann.show()
    table.settle(NOW)
    monkeypatch.undo()
    assert "void_early" in rows(table)


def test_a_house_that_voids_more_than_two_in_a_hundred(monkeypatch: pytest.MonkeyPatch) -> None:
    """With any number of names."""
    table, ann, bob = seated()
    monkeypatch.setattr(hands, "may_void", lambda *_: True)
    for _ in range(3):
        line_up(table)
        deal(table, ann)
        bob.show_owed()
        bob.give()
    monkeypatch.undo()
    assert "void_cap" in rows(table)


def test_a_crew_that_voids_an_announced_roll() -> None:
    """By two people, as it could before."""
    table, _, _ = seated()
    table.close_bets(by("cid", role="box"))
    planned = rolls._void(table.live, table.layout, ("fire", ("cid", "bea")), by("cid", role="box"), returned=True)
    assert not isinstance(planned, Refusal)
    table._append([planned])
    assert "void_by_crew" in rows(table)


def test_a_house_that_pays_the_silent_less_than_their_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its word for what a wager is worth is held against the odds."""
    table, ann, _ = seated()
    worth = "passline.pit.table.worth"
    monkeypatch.setattr(
        worth, lambda _layout, state: {(n, key): (1, 0, 0) for n, seat in state.seats.items() for key in seat.felt}
    )
    deal(table, ann)
    monkeypatch.undo()
    assert any("by the house file it is" in what for what in checked(table))


def test_a_house_that_puts_a_backup_back_and_keeps_the_stakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a restore settles is held against the odds as silence is."""
    table, _, _ = seated()
    restored(table.journal)
    none = {(number, key): (0, 0, 0) for number, seat in table.live.table.seats.items() for key in seat.felt}
    monkeypatch.setattr("passline.pit.table.worth", lambda *_: none)
    table = LiveTable.open(table.journal, "t1", time=NOW, keys=KEYS)
    monkeypatch.undo()
    assert any("by the house file it is" in what for what in checked(table))


def test_a_house_that_changes_a_chain() -> None:
    """A late anchor, a chain that is shown to its end while it deals."""
    table, ann, bob = seated()
    deal(table, ann, bob)
    table._append([by_the_house("chain_committed", {"epoch": 3, "anchor": "ab" * 32}, NOW)])
    assert "late_anchor" in rows(table)
    table, ann, bob = seated()
    last = table._opened_seeds()[0][1]
    table._append([by_the_house("chain_shown", {"epoch": 1, "link": last.hex()}, NOW)])
    line_up(table)
    deal(table, ann, bob)
    assert {"early_end", "late_anchor"} & rows(table)


def test_a_bet_between_closing_and_roll() -> None:
    """By somebody who has seen the values."""
    table, _, _ = seated()
    table.close_bets(by("cid", role="box"))
    asked = request(by("bob"), c.Bet(2, "any_seven", 1000))
    planned = answer(table.state(table.live._replace(announced=None)), asked)
    assert isinstance(planned, list)
    table._append(planned)
    assert "between" in rows(table)


def test_a_house_that_skips_a_number() -> None:
    """It does not like roll 1, and closes the bets for roll 2."""
    table, _, _ = seated()
    live = table.live
    skipped = {1: replace(live.chains[1], rolls=1), 2: live.chains[2]}
    planned = rolls._announced(live._replace(chains=skipped), None, NOW, r.Material())
    table._append(planned)
    assert "number" in rows(table)


def test_a_house_that_rolls_without_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """It lists both hands, and deals by its link alone."""
    table, _, _ = seated()
    monkeypatch.setattr(hands, "silence", lambda *_: "")
    table.roll(by("ann"))
    monkeypatch.undo()
    assert kinds(table.journal)[-1] == "rolled"
    assert "value" in rows(table)


# --- Real dice for the house's money ----------------------------------------------------------------------------------


def money_table(dice: DiceMode) -> LiveTable:
    """A table whose chips come out of wallets, with Ann at it."""
    table = LiveTable.create(MemoryJournal(), "t1", time=NOW, dice=dice, keys=KEYS, wallets=True)
    table.do(c.Sit(1, "Ann", 100_000), by("ann"))
    table.do(c.Bet(1, "pass", 1_000), by("ann"))
    table.do(c.Shoot(1), by("ann"))
    return table


DOUBTS = (c.CockedDie(6, (5,)), c.DisputeFace(6), c.RuleFace(5))


def test_dice_for_the_houses_money_are_nobodys_word() -> None:
    """Drawn, or read by two: no table is opened otherwise, and over its dice no one person says a face."""
    with pytest.raises(ArgumentError):
        LiveTable.create(MemoryJournal(), "t1", time=NOW, dice="given", keys=KEYS, wallets=True)
    table = money_table("real")
    table.close_bets(by("cid", role="box"))
    for doubt in DOUBTS:
        assert why(table.do(doubt, by("cid", role="box"))) == "table.two_people"
    assert why(table.do(c.Throw(Roll(6, 5)), by("cid", role="box"))) == "table.dice_entered"
    table.read_dice(Roll(6, 5), by("cid", role="box"))
    assert why(table.read_dice(Roll(6, 5), by("CID", role="box"))) == "table.two_people"
    assert read(table.read_dice(Roll(5, 6), by("bea", role="stick")))["kind"] == "rolled"
    assert checked(table) == []


def test_without_the_houses_money_a_crew_still_calls_a_cocked_die() -> None:
    table = new_table(MemoryJournal(), dice="real")
    table.do(c.Bet(1, "pass", 1_000), by("ann"))
    table.do(c.Shoot(1), by("ann"))
    table.close_bets(by("cid", role="box"))
    assert read(table.do(c.DisputeFace(6), by("cid", role="box")))["kind"] == "acted"
    assert read(table.do(c.RuleFace(5), by("cid", role="box")))["kind"] == "rolled"
    assert checked(table) == []


@pytest.mark.parametrize("dice", ["given", "real"])
def test_one_voice_for_the_houses_money_is_found(monkeypatch: pytest.MonkeyPatch, dice: DiceMode) -> None:
    """Of a house that changed its program: it opens such a table, or lets one of the crew say what dice show."""
    monkeypatch.setattr("passline.live.state.check_dice", lambda *_, **__: None)
    monkeypatch.setattr("passline.live.play.READ_BY_ONE", ())
    table = money_table(dice)
    if dice == "given":
        table.do(c.Throw(Roll(6, 5)), by("ann"))
    else:
        table.close_bets(by("cid", role="box"))
        table.do(c.DisputeFace(6), by("cid", role="box"))
        table.do(c.RuleFace(5), by("cid", role="box"))
    monkeypatch.undo()
    assert kinds(table.journal)[-1] == "rolled"
    assert "one_voice" in rows(table)
    ran = verifier("export", "-", given=b"".join(exported_lines(table)))
    assert b"one_voice" in ran.stdout
