"""A live table: decided, written, then said; asked again, said again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, cast

import pytest

from passline.codec import encode_record
from passline.engine import commands as c
from passline.engine.values import Roll
from passline.errors import (
    ArgumentError,
    CodecError,
    FencedError,
    InvariantError,
    JournalError,
    KeyTakenError,
    LiveTableError,
    OtherKeysError,
    StoppedError,
    TableClosedError,
)
from passline.floor import signs
from passline.journal.contract import canonical, read_entry
from passline.journal.export import exported
from passline.journal.heads import Signing
from passline.journal.memory import MemoryJournal
from passline.journal.sqlite import SqliteJournal
from passline.live import play, rolls
from passline.live.books import on_the_table
from passline.live.dice import LINK_TAG, before, dealt
from passline.live.drafts import check
from passline.live.requests import RollDice, ShowValue, request
from passline.pit import history
from passline.pit import table as live_tables
from passline.pit.table import LiveTable
from passline.verify.check import verify
from passline.verify.heads import is_signed
from tests.pit.hands import Device, deal
from tests.pit.play import KEYS, NOW, by, kinds, new_table, read, why
from tests.pit.seeds import commit_seed, old_table
from tests.verify.live import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from passline.journal.contract import Journal, Write
    from passline.live.state import DiceMode


# --- Asked once, asked again ----------------------------------------------------------------------------------------


def test_an_act_is_answered_with_its_entry(store: Journal) -> None:
    """What was asked, what happened and what moved, as it is kept."""
    table = new_table(store)
    line = table.do(c.Bet(1, "pass", 1000), by("ann", "bet"))
    assert line == list(store.lines("t1"))[-1]
    data = read(line)
    assert (data["kind"], data["actor"], data["key"]) == ("acted", "ann", "bet")
    assert data["body"]["postings"] == [["rail/1", "felt/1/pass", 1000]]
    assert store.balances("t1") == on_the_table(table.live.table)


def test_who_asks_again_gets_the_first_answer_byte_for_byte(store: Journal) -> None:
    """Whatever has happened since, in this process and after another start."""
    table = new_table(store)
    first = table.do(c.Bet(1, "pass", 1000), by("ann", "bet"))
    refused = table.do(c.Bet(1, "place_99", 1000), by("ann", "no"))
    rolled = table.roll(by("ann", "roll"))
    table.do(c.Bet(1, "field", 1000), by())
    entries = len(list(store.lines("t1")))
    again = LiveTable.open(store, "t1", time=NOW, keys=KEYS)
    for each in (table, again):
        assert each.do(c.Bet(1, "pass", 1000), by("ann", "bet")) == first
        assert each.do(c.Bet(1, "place_99", 1000), by("ann", "no")) == refused
        assert each.roll(by("ann", "roll")) == rolled
    assert len(list(store.lines("t1"))) == entries


def test_something_else_under_the_same_key_is_refused(store: Journal) -> None:
    """Another amount, another person, another role, another question: nothing is written."""
    table = new_table(store)
    table.do(c.Bet(1, "pass", 1000), by("ann", "bet"))
    entries = len(list(store.lines("t1")))
    with pytest.raises(KeyTakenError, match="something else"):
        table.do(c.Bet(1, "pass", 2000), by("ann", "bet"))
    with pytest.raises(KeyTakenError):
        table.do(c.Bet(1, "pass", 1000), by("bob", "bet"))
    with pytest.raises(KeyTakenError):
        table.do(c.Bet(1, "pass", 1000), by("ann", "bet", role="dealer"))
    with pytest.raises(KeyTakenError):
        table.roll(by("ann", "bet"))
    with pytest.raises(KeyTakenError):
        table.close_bets(by("ann", "bet"))
    assert len(list(store.lines("t1"))) == entries


def test_a_refusal_is_kept_and_changes_nothing(store: Journal) -> None:
    """It has the engine's code and clause, and is an entry like any other."""
    table = new_table(store)
    before = table.live.table
    assert why(table.do(c.Bet(1, "pass", 1), by())) == "amount.not_chips"
    assert table.live.table == before
    assert kinds(store)[-1] == "refused"


@pytest.mark.parametrize("amount", [10**16, 10**30, -(10**30)])
def test_an_amount_that_no_store_could_hold_is_refused(store: Journal, amount: int) -> None:
    """Before anything is decided."""
    table = new_table(store)
    assert why(table.do(c.Bet(1, "pass", amount), by())) == "table.too_large"
    assert why(table.do(c.Sit(9, "Zoe", amount), by())) == "table.too_large"


def test_what_is_no_command_reaches_no_table(store: Journal) -> None:
    """Floats, text for numbers, and asks without a key are errors of the caller's; nothing is written."""
    table = new_table(store)
    entries = len(list(store.lines("t1")))
    wrong: Any = 10.0
    with pytest.raises(CodecError):
        table.do(c.Bet(1, "pass", wrong), by())
    for ask in (
        by(key="x" * 300),
        by("")._replace(key="k"),
        by(role="king"),
        by(time="yesterday"),
        by()._replace(key=""),
        by()._replace(key=cast("str", None)),
        by()._replace(actor=cast("str", 5)),
        by()._replace(time=cast("str", None)),
    ):
        with pytest.raises(ArgumentError, match="expected"):
            table.do(c.Bet(1, "pass", 1000), ask)
    assert len(list(store.lines("t1"))) == entries


# --- Rolls ----------------------------------------------------------------------------------------------------------


def test_the_bets_are_closed_before_there_are_dice(store: Journal) -> None:
    """Announced, then rolled, the dice those of the chain that was committed to."""
    table = new_table(store)
    table.do(c.Bet(1, "pass", 1000), by())
    body = read(table.roll(by("ann")))["body"]
    assert kinds(store)[-2:] == ["bets_closed", "rolled"]
    assert kinds(store)[:3] == ["table_opened", "chain_committed", "chain_committed"]
    assert (body["epoch"], body["roll"], body["hands"]) == (1, 1, [])
    stream, link = table.live.stream, bytes.fromhex(body["link"])
    promised = next(data["body"] for data in map(read, store.lines("t1")) if data["kind"] == "chain_committed")
    assert before(LINK_TAG, (stream, 1), 1, link).hex() == promised["anchor"]
    assert list(dealt(link, stream, 1, 1, {})) == body["dice"]


def test_nothing_moves_once_the_bets_are_closed(store: Journal) -> None:
    """Bets, raises, take-downs, leaving: refused by the sequence of entries, whatever the clocks say."""
    table = new_table(store)
    table.do(c.Bet(1, "pass", 1000), by())
    table.close_bets(by("stick", role="stick"))
    before = table.live.table
    for command in (c.Bet(1, "pass", 1000), c.Take(1, "pass"), c.Leave(1), c.BuyIn(1, 100), c.SendDice(), c.Shoot(1)):
        assert why(table.do(command, by(time="1999-01-01T00:00:00Z"))) == "table.bets_closed"
    assert why(table.close_bets(by())) == "table.bets_closed"
    assert table.live.table == before
    data = read(table.roll(by("stick", role="stick")))
    assert data["kind"] == "rolled"
    assert table.live.announced is None


def test_nobody_says_what_drawn_dice_show(store: Journal) -> None:
    """Nor calls them void, nor strikes them out alone."""
    table = new_table(store)
    table.do(c.Bet(1, "pass", 1000), by())
    for command in (
        c.Throw(Roll(6, 5)),
        c.WatchThrow(Roll(6, 5), "off-table"),
        c.CallNoRoll("off-table"),
        c.CockedDie(1, (2,)),
        c.DisputeFace(1),
        c.RuleFace(1),
    ):
        assert why(table.do(command, by())) == "table.dice_drawn"
    assert why(table.read_dice(Roll(6, 5), by())) == "table.dice_drawn"
    assert why(table.do(c.StrikeOut("no"), by())) == "table.two_people"


def test_a_roll_that_cannot_be_is_refused_and_spends_no_number(store: Journal) -> None:
    """Nobody has a line bet: nothing is announced."""
    table = new_table(store)
    assert why(table.roll(by("ann", "r"))).startswith("dice.")
    assert "bets_closed" not in kinds(store)
    assert why(table.close_bets(by())).startswith("dice.")
    assert why(table.roll(by("ann", "r"))).startswith("dice.")


class Crash(BaseException):
    """The process is gone: not an error that anything could catch."""


def crashing(journal: Journal, kind: str, *, written: bool) -> None:
    """Have the process die before, or right after, an entry of this kind is durable."""
    append = journal.append

    def failing(*writes: Write) -> None:
        if any(entry.kind == kind for write in writes for entry in write.entries):
            if written:
                append(*writes)
            raise Crash
        append(*writes)

    journal.append = failing  # type: ignore[method-assign]


@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize("kind", ["bets_closed", "rolled"])
def test_a_crash_in_mid_roll_comes_to_the_same_dice(store: Journal, kind: str, *, written: bool) -> None:
    """Before or after the close, before or after the settling: one roll, and the same answer for who asks again."""
    table = new_table(store)
    table.do(c.Bet(1, "pass", 1000), by())
    append = store.append
    crashing(store, kind, written=written)
    with pytest.raises(Crash):
        table.roll(by("ann", "roll"))
    store.append = append  # type: ignore[method-assign]
    again = LiveTable.open(store, "t1", time=NOW, keys=KEYS, owner="b")
    line = read(again.roll(by("ann", "roll")))
    assert line["kind"] == "rolled"
    assert kinds(store).count("rolled") == kinds(store).count("bets_closed") == 1
    assert again.live.announced is None
    assert store.balances("t1") == on_the_table(again.live.table)
    assert list(dealt(bytes.fromhex(line["body"]["link"]), again.live.stream, 1, 1, {})) == line["body"]["dice"]


def test_a_roll_whose_link_is_lost_is_settled_at_worth(store: Journal) -> None:
    """Nobody can roll without it, so nobody has lost, and the table stops."""
    table = new_table(store)
    table.do(c.Bet(1, "pass", 1000), by())
    table.do(c.Bet(2, "dont_pass", 2000), by("bob"))
    append = store.append
    crashing(store, "rolled", written=False)
    with pytest.raises(Crash):
        table.roll(by("ann", "roll"))
    store.append = append  # type: ignore[method-assign]
    store.secret = lambda *_: None  # type: ignore[method-assign]
    with pytest.raises(StoppedError, match="was stopped"):
        LiveTable.open(store, "t1", time=NOW, keys=KEYS)
    assert kinds(store)[-2:] == ["roll_voided", "table_stopped"]
    assert store.balances("t1") == {"cage": -150_000, "rail/1": 100_000, "rail/2": 50_000}


@pytest.mark.parametrize("owner", ["", "b"])
def test_other_keys_open_no_table_and_harm_none(store: Journal, owner: str) -> None:
    """They are told apart from a seed that is lost: nothing is written, and the right keys roll on."""
    table = new_table(store)
    table.do(c.Bet(1, "pass", 1000), by())
    entries = kinds(store)
    for way in ({"time": NOW, "owner": owner}, None):
        other = KEYS._replace(seal=b"x" * 32)
        with pytest.raises(OtherKeysError, match="these are not the keys"):
            LiveTable.open(store, "t1", keys=other, **way) if way else LiveTable(store, "t1", other)
    assert kinds(store) == entries
    assert read(LiveTable.open(store, "t1", time=NOW, keys=KEYS).roll(by()))["kind"] == "rolled"


def test_a_reading_that_was_sealed_with_other_keys_stops_no_table(store: Journal) -> None:
    """Who opens the table with the right ones reads on."""
    table = new_table(store, dice="real")
    table.do(c.Bet(1, "pass", 1000), by())
    table.close_bets(by("bo", role="box"))
    table.read_dice(Roll(3, 4), by("sue", role="stick"))
    entries = kinds(store)
    other = LiveTable.open(store, "t1", time=NOW, keys=KEYS._replace(seal=b"x" * 32))
    with pytest.raises(OtherKeysError):
        other.read_dice(Roll(3, 4), by("bo", role="box"))
    assert kinds(store) == entries
    assert read(table.read_dice(Roll(3, 4), by("bo", role="box")))["kind"] == "rolled"


def test_an_epoch_ends_after_its_rolls_or_its_day(store: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its seed is shown, the next is dealt, and the house commits itself to one more."""
    monkeypatch.setattr("passline.live.rolls.ROLLS_MAX", 3)
    table = old_table(store)
    for _ in range(4):
        table.do(c.Bet(1, "pass", 1000), by())
        table.roll(by())
    rolled = [
        (data["body"]["epoch"], data["body"]["roll"])
        for data in map(read, store.lines("t1"))
        if data["kind"] == "rolled"
    ]
    assert rolled == [(1, 1), (1, 2), (1, 3), (2, 1)]
    table.do(c.Bet(1, "pass", 1000), by())
    table.roll(by(time="2026-11-16T19:59:59Z"))
    table.do(c.Bet(1, "pass", 1000), by())
    line = read(table.roll(by(time="2026-11-17T20:00:00Z")))
    assert (line["body"]["epoch"], line["body"]["roll"]) == (3, 1)
    shown = [data["body"]["epoch"] for data in map(read, store.lines("t1")) if data["kind"] == "seed_revealed"]
    promised = [data["body"]["epoch"] for data in map(read, store.lines("t1")) if data["kind"] == "seed_committed"]
    assert (shown, promised) == ([1, 2], [1, 2, 3, 4])


def test_a_promised_seed_that_is_not_shown_ends_the_epoch_unrolled(store: Journal) -> None:
    """An old table: its seed is shown, and the next epoch is dealt."""
    table = old_table(store)
    commit_seed(table, 1, b"a" * 32, by("ann"))
    table.do(c.Bet(1, "pass", 1000), by())
    line = read(table.roll(by()))
    assert (line["body"]["epoch"], line["body"]["roll"]) == (2, 1)
    body = next(data["body"] for data in map(read, store.lines("t1")) if data["kind"] == "seed_revealed")
    assert (body["epoch"], body["rolls"], body["owing"]) == (1, 0, ["ann"])


# --- Real dice ------------------------------------------------------------------------------------------------------


def test_two_people_read_real_dice(store: Journal) -> None:
    """Neither sees what the other said; when they agree it is the roll."""
    table = new_table(store, dice="real")
    table.do(c.Bet(1, "pass", 1000), by())
    assert why(table.read_dice(Roll(6, 5), by("stick", role="stick"))) == "table.not_closed"
    table.close_bets(by("box", role="box"))
    assert why(table.do(c.Throw(Roll(6, 5)), by("stick", role="stick"))) == "table.dice_entered"
    first = table.read_dice(Roll(6, 5), by("stick", "one", role="stick"))
    assert "dice" not in read(first)["body"]
    assert table.read_dice(Roll(6, 5), by("stick", "one", role="stick")) == first
    with pytest.raises(KeyTakenError):
        table.read_dice(Roll(5, 6), by("stick", "one", role="stick"))
    assert why(table.read_dice(Roll(6, 5), by("stick", role="stick"))) == "table.two_people"
    again = LiveTable.open(store, "t1", time=NOW, keys=KEYS)
    line = again.read_dice(Roll(6, 5), by("box", "two", role="box"))
    data = read(line)
    assert (data["kind"], data["body"]["dice"], data["body"]["roll"]) == ("rolled", [6, 5], 1)
    assert [each["actor"] for each in data["body"]["readings"]] == ["stick", "box"]
    assert again.read_dice(Roll(6, 5), by("box", "two", role="box")) == line
    assert again.live.table.seats[1].rail == 101_000


def test_like_dice_have_no_first(store: Journal) -> None:
    """Two who read the same faces from two ends agree; the roll is as it was read first, and verified."""
    table = new_table(store, dice="real")
    table.do(c.Bet(1, "pass", 1000), by())
    table.close_bets(by("box", role="box"))
    table.read_dice(Roll(4, 2), by("stick", role="stick"))
    data = read(table.read_dice(Roll(2, 4), by("box", role="box")))
    assert (data["kind"], data["body"]["dice"]) == ("rolled", [4, 2])
    assert verify(line + b"\n" for line in exported(store, ["t1"])).faults == []


def test_readings_that_differ_hold_the_roll(store: Journal) -> None:
    """Nothing is settled until two people read the same."""
    table = new_table(store, dice="real")
    table.do(c.Bet(1, "pass", 1000), by())
    table.close_bets(by("box", role="box"))
    table.read_dice(Roll(6, 5), by("stick", role="stick"))
    assert read(table.read_dice(Roll(6, 4), by("box", role="box")))["kind"] == "dice_disagreed"
    assert why(table.do(c.Bet(1, "pass", 1000), by())) == "table.bets_closed"
    table.read_dice(Roll(6, 4), by("stick", role="stick"))
    assert read(table.read_dice(Roll(6, 4), by("box", role="box")))["body"]["dice"] == [6, 4]


def test_the_crew_calls_real_dice_void_and_rules_on_faces(store: Journal) -> None:
    """A no-roll spends its number; a ruling ends a doubt."""
    table = new_table(store, dice="real")
    table.do(c.Bet(1, "pass", 1000), by())
    assert why(table.do(c.CallNoRoll("off-table"), by("stick", role="stick"))) == "table.not_closed"
    table.close_bets(by("box", role="box"))
    data = read(table.do(c.CallNoRoll("off-table"), by("stick", "void", role="stick")))
    assert (data["kind"], data["body"]["people"]) == ("roll_voided", ["stick"])
    assert read(table.do(c.CallNoRoll("off-table"), by("stick", "void", role="stick"))) == data
    table.close_bets(by("box", role="box"))
    assert read(table.do(c.DisputeFace(4), by("stick", role="stick")))["kind"] == "acted"
    data = read(table.do(c.RuleFace(3), by("box", role="box")))
    assert (data["kind"], data["body"]["roll"], data["body"]["dice"]) == ("rolled", 2, [4, 3])


def test_a_roll_that_is_called_off_says_why(store: Journal) -> None:
    """In words of its own, whatever was called."""
    table = new_table(store, dice="real")
    table.do(c.Bet(1, "pass", 1000), by())
    table.do(c.Shoot(1), by())
    table.do(c.ChooseDice(1, (1, 2)), by())
    table.do(c.SendDice(), by("stick", role="stick"))
    table.close_bets(by("box", role="box"))
    lost = read(table.do(c.LoseDie(1, "off"), by("stick", role="stick")))
    assert (lost["kind"], lost["body"]["reason"]) == ("roll_voided", "a die off the table")
    table.do(c.LoseDie(1, "found"), by("stick", role="stick"))
    table.do(c.LoseDie(1, "checked"), by("box", role="box"))
    table.do(c.ChooseDice(1, (1, 2)), by())
    table.close_bets(by("box", role="box"))
    table.do(c.DisputeFace(4), by("stick", role="stick"))
    ruled = read(table.do(c.RuleFace(None), by("box", role="box")))
    assert (ruled["kind"], ruled["body"]["reason"]) == ("roll_voided", "a face that nobody could read")


def test_no_entry_repeats_what_cannot_be_shown(store: Journal) -> None:
    """A wager by a name that moves a cursor, or that is a page long, is not even refused in writing."""
    table = new_table(store)
    before = table.head
    for wager in ("pass\x1b[2J", "a\nb", "\u202epass", "x" * 3000):
        with pytest.raises(ArgumentError):
            table.do(c.Bet(1, wager, 1000), by())
    assert table.head == before
    assert why(table.do(c.Bet(1, "no_such", 1000), by())) == "wager.not_offered"


def test_a_roll_that_another_process_has_finished_meanwhile_is_not_announced_again(
    store: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who waits for somebody else's roll, and meanwhile has their own done elsewhere, gets that; the table goes on."""
    here = new_table(store)
    there = LiveTable.open(store, "t1", time=NOW, keys=KEYS)
    here.do(c.Bet(1, "pass", 1000), by())
    here._announce(request(by("bob", "theirs"), RollDice()))
    there.catch_up()
    append, done = store.append, list[bytes]()

    def meddling(*writes: Write) -> None:
        if not done:
            done.append(b"")
            here.resume(NOW)
            here.do(c.Bet(1, "pass", 1000), by())
            done[0] = here.roll(by("ann", "mine"))
        append(*writes)

    monkeypatch.setattr(store, "append", meddling)
    assert there.roll(by("ann", "mine")) == done[0]
    assert there.live.announced is None
    there.do(c.Bet(1, "pass", 1000), by())
    assert read(there.roll(by("ann", "next")))["kind"] in ("rolled", "refused")
    rolled = [read(line) for line in store.lines("t1")]
    assert [entry["key"] for entry in rolled if entry["kind"] == "rolled"][:2] == ["theirs", "mine"]


# --- Two people -----------------------------------------------------------------------------------------------------


def test_two_people_declare_an_announced_roll_void(store: Journal) -> None:
    """One is not enough, nor is the same one twice; the number is spent. Of old tables: see test_hands for others."""
    table = old_table(store)
    table.do(c.Bet(1, "pass", 1000), by())
    assert why(table.void("fire", "box", by("stick", role="stick"))) == "table.not_closed"
    table.close_bets(by("stick", role="stick"))
    assert why(table.void("fire", "stick", by("stick", role="stick"))) == "table.two_people"
    assert why(table.void("fire", "", by("stick", role="stick"))) == "table.two_people"
    assert why(table.void(" ", "box", by("stick", role="stick"))) == "table.two_people"
    data = read(table.void("fire", "box", by("stick", role="stick"), returned=True))
    assert (data["kind"], data["body"]["people"]) == ("roll_voided", ["stick", "box"])
    assert store.balances("t1") == {"cage": -150_000, "rail/1": 100_000, "rail/2": 50_000}
    table.do(c.Bet(1, "pass", 1000), by())
    assert read(table.roll(by()))["body"]["roll"] == 2


def test_a_wrong_buy_in_is_reversed_by_two_people(store: Journal) -> None:
    """By a new entry; the old one stays as it was."""
    table = new_table(store)
    wrong = read(table.do(c.BuyIn(1, 90_000), by()))["sequence"]
    assert why(table.correct(wrong, "a nought too many", "sue", by("sue", role="supervisor"))) == "table.two_people"
    data = read(table.correct(wrong, "a nought too many", "bob", by("sue", role="supervisor")))
    assert data["body"]["postings"] == [["rail/1", "cage", 90_000]]
    assert table.live.table.seats[1].rail == 100_000
    assert why(table.correct(1, "the opening", "bob", by("sue", role="supervisor"))) == "table.correction"
    assert why(table.correct(999, "nothing", "bob", by("sue", role="supervisor"))) == "table.correction"
    assert store.balances("t1") == on_the_table(table.live.table)


def test_an_entry_is_reversed_once(store: Journal) -> None:
    """Twice would take chips that were never wrong."""
    table = new_table(store)
    wrong = read(table.do(c.BuyIn(1, 9_000), by()))["sequence"]
    table.correct(wrong, "wrong", "bob", by("sue", role="supervisor"))
    assert why(table.correct(wrong, "wrong", "bob", by("sue", role="supervisor"))) == "table.correction"
    wrong = read(table.do(c.BuyIn(1, 9_000), by()))["sequence"]
    table.do(c.Leave(1), by())
    table.do(c.Sit(1, "Cy", 50_000), by("cy"))
    assert why(table.correct(wrong, "not Cy's", "bob", by("sue", role="supervisor"))) == "table.correction"


def test_the_last_roll_is_struck_out_by_two_people(store: Journal) -> None:
    """Chips go back as they lay."""
    table = new_table(store, dice="real")
    table.do(c.Bet(1, "pass", 1000), by())
    before = store.balances("t1")
    table.close_bets(by("box"))
    table.read_dice(Roll(6, 5), by("stick", role="stick"))
    rolled = read(table.read_dice(Roll(6, 5), by("box", role="box")))["sequence"]
    data = read(table.correct(rolled, "the die was loaded", "bob", by("sue", role="supervisor")))
    assert data["kind"] == "corrected"
    assert store.balances("t1") == on_the_table(table.live.table)
    assert sum(store.balances("t1").get(f"{place}", 0) for place in ("rail/1", "felt/1/pass")) == sum(
        before[place] for place in ("rail/1", "felt/1/pass")
    )


# --- Who holds the table --------------------------------------------------------------------------------------------


def test_any_process_may_serve_a_table(store: Journal) -> None:
    """The one who lost a race reads, and decides again."""
    one = new_table(store)
    two = LiveTable.open(store, "t1", time=NOW, keys=KEYS)
    for number in range(5):
        one.do(c.Bet(1, "pass", 1000), by(key=f"one-{number}"))
        two.do(c.Bet(2, "pass", 1000), by("bob", key=f"two-{number}"))
    one.catch_up()
    assert one.live == two.live
    assert one.live.table.seats[1].felt["pass"].stake == 5000
    first = one.roll(by("ann", "r1"))
    assert two.roll(by("ann", "r1")) == first


def test_who_loses_a_race_is_decided_anew(store: Journal) -> None:
    """Both want the whole rail; one gets it, the other hears that there is nothing left."""
    one = new_table(store)
    two = LiveTable.open(store, "t1", time=NOW, keys=KEYS)
    assert read(one.do(c.Bet(1, "pass", 100_000), by()))["kind"] == "acted"
    assert why(two.do(c.Bet(1, "dont_pass", 100_000), by())) == "bet.short_rail"


def test_a_stale_owner_writes_nothing(store: Journal) -> None:
    """Whoever took over is asked from then on; the other must open the table again."""
    one = new_table(store)
    one.do(c.Bet(1, "pass", 1000), by())
    two = LiveTable.open(store, "t1", time=NOW, keys=KEYS, owner="two")
    entries = len(list(store.lines("t1")))
    for _ in range(2):
        with pytest.raises(FencedError):
            one.do(c.Bet(1, "pass", 1000), by())
        with pytest.raises(FencedError):
            one.roll(by())
        with pytest.raises(FencedError):  # as after a connection that was lost: it has read that it was taken over from
            one.catch_up()
    assert len(list(store.lines("t1"))) == entries
    two.do(c.Bet(1, "pass", 1000), by())
    three = LiveTable.open(store, "t1", time=NOW, keys=KEYS, owner="one")
    three.roll(by())
    with pytest.raises(FencedError):
        two.roll(by())


def test_a_chain_that_was_changed_under_its_heads_is_not_gone_on_with(tmp_path: Path) -> None:
    """Whoever writes into the file itself gets no signature of the house's for it."""
    file = tmp_path / "pit.db"
    store = SqliteJournal(file)
    new_table(store).roll(by())
    store.close()
    with closing(sqlite3.connect(file, isolation_level=None)) as under:
        under.execute("DROP TRIGGER no_update_of_heads")
        under.execute("UPDATE heads SET hash = ?", ("0" * 64,))
    store = SqliteJournal(file)
    with pytest.raises(JournalError, match="is not the one that was signed"):
        LiveTable.open(store, "t1", time=NOW, keys=KEYS)
    store.close()


# --- What cannot be -------------------------------------------------------------------------------------------------


def test_what_fails_is_refused_and_the_table_goes_on(
    store: Journal, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing of what failed is written but that it did, with the number under which the log has it."""
    table = new_table(store)
    monkeypatch.setattr(play, "played", lambda *_: (_ for _ in ()).throw(InvariantError("chips")))
    no = table.do(c.Bet(1, "pass", 1000), by(key="fails"))
    assert why(no) == "act.failed"
    assert getattr(caplog.records[-1], "report") in read(no)["body"]["refusal"]["message"]  # noqa: B009 - an extra
    assert caplog.records[-1].exc_info
    monkeypatch.undo()
    assert table.do(c.Bet(1, "pass", 1000), by(key="fails")) == no
    assert read(table.do(c.Bet(1, "pass", 1000), by()))["kind"] == "acted"


def test_a_roll_that_fails_is_void_and_everything_comes_down(store: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or its number would wait for dice for ever."""
    table = new_table(store)
    table.do(c.Bet(1, "pass", 1000), by())
    monkeypatch.setattr(rolls, "_rolled", lambda *_, **__: (_ for _ in ()).throw(KeyError(6)))
    line = table.roll(by(key="fails"))
    monkeypatch.undo()
    assert read(line)["kind"] == "roll_voided"
    assert table.roll(by(key="fails")) == line
    assert not table.live.table.seats[1].felt
    table.do(c.Bet(1, "pass", 1000), by())
    assert read(table.roll(by()))["kind"] == "rolled"
    lines = lines_of(store)
    assert verify(lines).faults == []
    forged = [line.replace(b"It is reported as", b"It was as well as") for line in lines]
    assert "body.people" in {fault.field for fault in verify(forged).faults}, "a void by nobody for another reason"


@pytest.mark.parametrize("change", ["rail", "tokens", "stake", "held", "bank"])
def test_each_invariant_is_looked_at(store: Journal, change: str) -> None:
    """Chips that do not add up, a rail below zero, a wager that cannot be."""
    table = new_table(store)
    table.do(c.Bet(1, "pass", 1000), by())
    state = table.live.table
    seat = state.seats[1]
    wager = seat.felt["pass"]
    wrong = {
        "rail": seat._replace(rail=-1),
        "tokens": seat._replace(tokens=-1),
        "stake": seat._replace(felt={"pass": wager._replace(stake=0)}),
        "held": seat._replace(felt={"pass": wager._replace(held=-1)}),
        "bank": seat,
    }[change]
    state = state._replace(seats={**state.seats, 1: wrong}, bank=state.bank + (change == "bank"))
    with pytest.raises(InvariantError):
        check(state)


def test_a_table_is_closed_for_good(store: Journal) -> None:
    """With nothing up, and every seed shown."""
    table = new_table(store)
    table.do(c.Bet(1, "pass", 1000), by())
    with pytest.raises(LiveTableError, match="Wagers are up"):
        table.close(NOW)
    table.do(c.Take(1, "pass"), by())
    table.close(NOW)
    assert kinds(store)[-3:] == ["chain_shown", "chain_shown", "table_closed"]
    with pytest.raises(TableClosedError):
        table.do(c.Bet(1, "pass", 1000), by())
    with pytest.raises(TableClosedError):
        LiveTable.open(store, "t1", time=NOW, keys=KEYS, owner="x").roll(by())


@pytest.mark.parametrize("house", ["adelaide", "sydney"])
def test_a_table_for_others_is_closed_when_everybody_has_left(house: str) -> None:
    """Nobody's chips are shut in; the floor closes it first where the book wants that; and somebody did it."""
    journal = MemoryJournal()
    table, box = new_table(journal, house=house), by("bo", "bo/close", role="box")
    first = table.close(NOW, by("bo", "bo/early", role="box"), hosted=True)
    assert why(first) == "floor.still_there"
    assert "first Ann at seat 1, Bob at seat 2 must leave" in read(first)["body"]["refusal"]["message"]
    table.do(c.Bet(1, "pass", 1000), by("ann"))
    assert why(table.close(NOW, by("bo", "bo/up", role="box"), hosted=True)) == "floor.still_up"
    table.do(c.Take(1, "pass"), by("ann"))
    table.do(c.Leave(1), by("ann"))
    table.do(c.Leave(2), by("bob"))
    assert table.close(NOW, by("bo", "bo/early", role="box"), hosted=True) == first, "asked again, answered the same"
    if house == "adelaide":
        untold = read(table.close(NOW, by("bo", "bo/untold", role="box"), hosted=True))["body"]["refusal"]
        assert (untold["code"], untold["clause"].partition(":")[0]) == ("close.untold", "adelaide")
        table.do(signs.TellInspector("Ivo"), by("sue", role="supervisor"))
        table.do(signs.Close("the evening is over"), by("sue", role="supervisor"))
    table.close(NOW, box, hosted=True)
    last = read(list(journal.lines("t1"))[-1])
    assert (last["kind"], last["actor"], last["role"], last["key"]) == ("table_closed", "bo", "box", "bo/close")
    assert verify(line + b"\n" for line in exported(journal, ["t1"])).faults == []


# --- Snapshots ------------------------------------------------------------------------------------------------------


def test_a_snapshot_opens_to_the_same_table(store: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """With entries after it, in mid-roll, whatever the table is at."""
    monkeypatch.setattr(live_tables, "COUNTED_EVERY", 5)
    table = new_table(store)
    ann = Device(table, "ann")
    for number in range(12):
        if table.live.announced is None:
            table.do(c.Bet(1, "field", 1000), by())
            table.do(c.Bet(1, "pass", 1000), by())
        table.close_bets(by()) if number % 2 else deal(table, ann)
        again = LiveTable(store, "t1", KEYS)
        assert again.live == table.live
        assert encode_record(again.live) == encode_record(table.live)
    assert "table_counted" in kinds(store)
    snapshot = store.snapshot("t1")
    assert snapshot is not None
    assert snapshot.sequence > 5
    heads = store.heads("t1")
    assert snapshot.sequence in {head.sequence for head in heads}


def test_a_snapshot_is_believed_only_with_the_journal_behind_it(
    store: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was changed is not used: the journal is played from its beginning."""
    monkeypatch.setattr(live_tables, "COUNTED_EVERY", 5)
    table = new_table(store)
    for _ in range(5):
        table.do(c.Bet(1, "field", 1000), by())
    snapshot = store.snapshot("t1")
    assert snapshot is not None
    richer = snapshot._replace(line=snapshot.line.replace(b'"rail":50000', b'"rail":99999'))
    assert richer != snapshot
    monkeypatch.setattr(store, "snapshot", lambda *_: richer)
    assert LiveTable(store, "t1", KEYS).live == table.live
    monkeypatch.setattr(store, "snapshot", lambda *_: snapshot._replace(sequence=3))
    assert LiveTable(store, "t1", KEYS).live == table.live


def test_whoever_looks_back_begins_at_the_snapshot_before(store: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at the last one, which is later, nor at the first entry: a long table is opened as quickly as a short one."""
    monkeypatch.setattr(live_tables, "COUNTED_EVERY", 5)
    table, seen = new_table(store), []
    for _ in range(20):
        table.do(c.Bet(1, "field", 1000), by())
        seen.append((table.head.sequence, table.live))
    since, live = seen[12]
    began: list[int] = []
    lines = store.lines

    def counted(name: str, after: int = 0, upto: int | None = None) -> Iterator[bytes]:
        began.append(after)
        return lines(name, after, upto)

    monkeypatch.setattr(store, "lines", counted)
    assert history.History(store, "t1", since).live.table == live.table
    assert min(after for after in began if after) >= since - 6


def test_what_is_counted_is_what_is_there(store: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """The count names the table and the books as they are after the entry before it."""
    monkeypatch.setattr(live_tables, "COUNTED_EVERY", 5)
    table = new_table(store)
    for _ in range(3):
        table.do(c.Bet(1, "field", 1000), by())
    counts = [entry for entry in map(read_entry, store.lines("t1")) if entry.kind == "table_counted"]
    last = counts[-1]
    books = store.balances("t1", last.sequence)
    assert last.body["accounts"] == history.digest(canonical(books))


def test_tables_have_names_and_journals_know_them(store: Journal) -> None:
    """A table that is not there, or could not be called so."""
    new_table(store)
    with pytest.raises(JournalError, match="there is no table t9"):
        LiveTable.open(store, "t9", time=NOW, keys=KEYS)
    for name in ("", "T1", "a b", "cage", "x" * 65, "../x"):
        with pytest.raises(ArgumentError, match="name: found"):
            LiveTable.create(store, name, time=NOW, keys=KEYS)
    with pytest.raises(ArgumentError, match="keys: found None"):
        LiveTable.create(store, "t4", time=NOW)
    for wrong in ({"time": "x"}, {"dice": "loaded"}, {"house": "/"}, {"house": "nowhere"}, {"house": None}):
        given: Any = {"time": NOW, "keys": KEYS, **wrong}
        with pytest.raises(ArgumentError, match=f"{next(iter(wrong))}: found"):
            LiveTable.create(store, "t4", **given)
    assert store.tables() == ["t1"]


def test_a_key_that_a_roll_was_asked_under_is_taken(store: Journal) -> None:
    """Another process has announced a roll under it: something else under it would leave that roll without its key."""
    table = new_table(store)
    table.do(c.Bet(1, "pass", 1000), by())
    other = LiveTable.open(store, "t1", time=NOW, keys=KEYS)
    append = store.append
    crashing(store, "bets_closed", written=True)
    with pytest.raises(Crash):
        table.roll(by("ann", "mine"))
    store.append = append  # type: ignore[method-assign]
    with pytest.raises(KeyTakenError, match="a roll was asked for"):
        other.do(c.Bet(1, "field", 1000), by("ann", "mine"))
    assert read(other.roll(by("ann", "mine")))["kind"] == "rolled"


def test_a_roll_that_another_process_settles_for_somebody_else_is_asked_for_anew(store: Journal) -> None:
    """Closed for nobody, asked for by two: each gets a roll of their own, whoever was first."""
    table = new_table(store)
    table.do(c.Bet(1, "pass", 1000), by())
    table.do(c.Bet(2, "dont_pass", 1000), by("bob"))
    other = LiveTable.open(store, "t1", time=NOW, keys=KEYS)
    table.close_bets(by("stick", role="stick"))
    other.catch_up()
    theirs = read(table.roll(by("bob", "theirs")))
    ours = read(other.roll(by("ann", "ours")))
    assert (theirs["kind"], theirs["body"]["roll"]) == ("rolled", 1)
    assert ours["kind"] == "refused" or (ours["kind"], ours["body"]["roll"]) == ("rolled", 2)
    assert ours["key"] == "ours"


# --- What the crew does, and what words are ---------------------------------------------------------------------------


@pytest.mark.parametrize("dice", ["fair", "real", "given"])
def test_no_player_plays_at_anothers_seat(dice: DiceMode) -> None:
    """Nor takes what another has up, nor sends another home; the crew does, and the next who sits there is another."""
    store = MemoryJournal()
    table = new_table(store, dice=dice)
    table.do(c.Bet(2, "field", 1000), by("bob"))
    for command in (c.Bet(2, "pass", 1000), c.Take(2, "field"), c.BuyIn(2, 10**16), c.Leave(2)):
        assert why(table.do(command, by("ann"))) == "table.other_seat"
    again = LiveTable(store, "t1", KEYS)  # which has only read who sat down
    assert why(again.do(c.Take(2, "field"), by("ann"))) == "table.other_seat"
    assert why(again.do(c.Bet(3, "pass", 1000), by("ann"))) != "table.other_seat"
    assert read(again.do(c.Take(2, "field"), by("dee", role="dealer")))["kind"] == "acted"
    assert read(again.do(c.Leave(2), by("bob")))["kind"] == "acted"
    assert read(again.do(c.Sit(2, "Ann2", 5000), by("ann")))["kind"] == "acted"
    assert why(again.do(c.Bet(2, "field", 1000), by("bob"))) == "table.other_seat"
    assert read(again.do(c.Bet(2, "field", 1000), by("ann")))["kind"] == "acted"
    report = verify(lines_of(store))
    assert (report.faults, report.counts["own_acts"]) == ([], 3)


@pytest.mark.parametrize("dice", ["fair", "real"])
def test_no_player_does_what_the_crew_does(dice: DiceMode) -> None:
    """What a verifier would find in the journal is refused before it is there."""
    store = MemoryJournal()
    table = new_table(store, dice=dice)
    table.do(c.Bet(1, "pass", 1000), by())
    bought = read(table.do(c.BuyIn(1, 900), by()))["sequence"]
    for command in (c.ReturnAll("mine"), c.CloseTable(), c.OrderPass("slow"), c.PostNotice(table.live.table.notice)):
        assert why(table.do(command, by())) == "table.role"
    assert why(table.correct(bought, "mine", "bea", by())) == "table.role"
    table.close_bets(by("bea", role="box"))
    assert why(table.void("mine", "bea", by())) == "table.role"
    if dice == "real":
        assert why(table.read_dice(Roll(3, 4), by())) == "table.role"
        assert why(table.do(c.CallNoRoll("off-table"), by())) == "table.role"
    assert table.live.table.seats[1].felt
    assert verify(lines_of(store)).faults == []


@pytest.mark.parametrize("name", ["Ann 500\n1 bet pass 100\nroll 3-4\nsit 2 Eve", "Ann Lee", "A#1", "", "a\x1b[2J"])
def test_a_name_that_no_record_can_keep_sits_nowhere(name: str) -> None:
    """Or a name could be lines of the record that is exported."""
    store = MemoryJournal()
    table = new_table(store)
    entries = kinds(store)
    with pytest.raises(ArgumentError, match="name"):
        table.do(c.Sit(3, name, 50_000), by())
    with pytest.raises(ArgumentError, match="reason"):
        table.do(c.ReturnAll("fire\nroll 3-4"), by("bea", role="box"))
    with pytest.raises(ArgumentError, match="reason"):
        table.void("fire #\nroll 3-4", "bea", by("sam", role="stick"))
    with pytest.raises(ArgumentError, match="reason"):
        table.correct(2, "slip\x00", "bea", by("sam", role="stick"))
    assert kinds(store) == entries


# --- Every argument is part of what was asked -----------------------------------------------------------------------


def test_another_void_under_the_same_key_is_refused() -> None:
    """Another reason, another second person, stakes kept or given back: each is something else."""
    store = MemoryJournal()
    table = new_table(store)
    sam = by("sam", "no", "stick")
    no = table.void("fire", "bea", sam)
    assert table.void("fire", "bea", sam) == no
    table.do(c.Bet(1, "pass", 1000), by())
    table.close_bets(by("sam", role="stick"))
    yes = by("sam", "yes", "stick")
    first, entries = table.void("fire", "bea", yes, returned=True), kinds(store)
    assert table.void("fire", "bea", yes, returned=True) == first
    for ask, returned in ((sam, False), (yes, True)):
        for reason, second, other in (
            ("flood", "bea", returned),
            ("fire", "cid", returned),
            ("fire", "bea", not returned),
        ):
            with pytest.raises(KeyTakenError):
                table.void(reason, second, ask, returned=other)
    assert kinds(store) == entries
    table.close_bets(by("sam", role="stick"))
    empty = by("sam", "empty", "stick")  # nothing is up, and it was asked for all the same
    assert table.void("fire", "bea", empty, returned=True) == table.void("fire", "bea", empty, returned=True)
    with pytest.raises(KeyTakenError):
        table.void("fire", "bea", empty)


def test_another_correction_under_the_same_key_is_refused() -> None:
    """Another entry, another reason, another second person."""
    store = MemoryJournal()
    table = new_table(store)
    wrong = read(table.do(c.BuyIn(1, 900), by()))["sequence"]
    no, yes = by("sue", "no", "box"), by("sue", "yes", "box")
    refused = table.correct(1, "a slip", "bea", no)
    assert table.correct(1, "a slip", "bea", no) == refused
    first, entries = table.correct(wrong, "a slip", "bea", yes), kinds(store)
    assert table.correct(wrong, "a slip", "bea", yes) == first
    for ask, reverses in ((no, 1), (yes, wrong)):
        for changed in ((reverses + 1, "a slip", "bea"), (reverses, "a joke", "bea"), (reverses, "a slip", "cid")):
            with pytest.raises(KeyTakenError):
                table.correct(*changed, ask)
    assert kinds(store) == entries


@pytest.mark.parametrize("second", ["joe", "JOE", "jo\u200be", " joe", "\uff4aoe"])
def test_one_person_by_another_spelling_is_not_two(store: Journal, second: str) -> None:
    """As whoever checks the journal reads names: capitals, and what nobody sees, make nobody another."""
    table = new_table(store)
    table.do(c.Bet(1, "pass", 1000), by())
    table.close_bets(by("stick", role="stick"))
    assert why(table.void("a dispute", second, by("joe", role="box"))) == "table.two_people"
    real = new_table(store, "t2", dice="real")
    real.do(c.Bet(1, "pass", 1000), by())
    real.close_bets(by("stick", role="stick"))
    real.read_dice(Roll(1, 2), by("joe", role="stick"))
    if second.isprintable():
        assert why(real.read_dice(Roll(1, 2), by(second, role="box"))) == "table.two_people"


def test_a_name_is_no_page(store: Journal) -> None:
    """Names and reasons are as long as somebody says them, and no longer."""
    table = new_table(store)
    with pytest.raises(ArgumentError, match="1 to 200"):
        table.do(c.Sit(3, "C" * 201, 1000), by("cid"))
    with pytest.raises(ArgumentError, match="at most 2000"):
        table.do(c.ReturnAll("x" * 2001), by("joe", role="box"))
    table.do(c.Bet(1, "pass", 1000), by())
    table.close_bets(by("stick", role="stick"))
    with pytest.raises(ArgumentError, match="at most 2000"):
        table.void("x" * 2001, "sue", by("joe", role="box"))
    with pytest.raises(ArgumentError, match="at most 200"):
        table.void("a dispute", "s" * 201, by("joe", role="box"))


def test_what_no_entry_can_carry_is_an_error_of_the_callers(store: Journal) -> None:
    """A float, a truth, nothing at all, text where bytes belong: before anything is written."""
    real = new_table(store, dice="real")
    real.do(c.Bet(1, "pass", 1000), by())
    real.close_bets(by("stick", role="stick"))
    real.read_dice(Roll(4, 2), by("joe", role="stick"))
    written = real.head.sequence
    rubbish: list[Any] = [
        Roll(cast("Any", 4.0), 2),
        Roll(first=True, second=2),
        Roll(4, cast("Any", None)),
        None,
        (4, 2, 1),
    ]
    for dice in rubbish:
        for reader in ("joe", "sue"):
            with pytest.raises(ArgumentError, match="Roll"):
                real.read_dice(dice, by(reader, role="box"))
    assert store.head("t1") == real.head
    assert real.head.sequence == written
    fair = new_table(store, "t2")
    wrong: list[tuple[Any, Any]] = [(1, "ab" * 32), (1, None), (1.0, bytes(32)), (float("nan"), bytes(32)), (True, b"")]
    for number, value in wrong:
        with pytest.raises(ArgumentError):
            fair.hand_on(number, value, bytes(32), by())
        with pytest.raises(ArgumentError):
            fair.hand_off(number, value, by())
        with pytest.raises(ArgumentError):
            fair.show_value(ShowValue(number, 1, value), by())


def test_a_reason_that_a_record_cannot_keep_is_told_as_a_reason(store: Journal) -> None:
    """It may have many words, and a # is in none."""
    table = new_table(store)
    with pytest.raises(ArgumentError, match="found 'seat #2 spoke'; expected printable words without a #"):
        table.void("seat #2 spoke", "sue", by("joe", role="box"))


def test_another_process_signs_a_closing_that_its_writer_had_no_time_to_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands show nothing for a closing that nobody signed: who asks a moment later, or after a kill, has it signed."""
    journal = MemoryJournal()
    table = new_table(journal, "t1")
    Device(table, "ann")
    table.do(c.Bet(1, "pass", 1000), by("ann"))
    with monkeypatch.context() as killed:
        killed.setattr(Signing, "sign", lambda *_, **__: None)
        table.roll(by("ann"))
    closing = table.live.announced
    assert closing is not None
    assert closing.sequence not in [head.sequence for head in journal.heads("t1")]
    head = LiveTable(journal, "t1", KEYS).signed_head(closing.sequence, closing.time)
    assert head is not None
    assert is_signed(head._asdict())
    assert (head.sequence, head.hash) == (closing.sequence, closing.closing)
    assert journal.heads("t1")[-1] == head
