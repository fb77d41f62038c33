"""An evening that a journal keeps too: the same chips, and dice that can be checked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from passline.engine import commands as c
from passline.engine.refusals import Refusal
from passline.engine.values import Roll
from passline.errors import CannotBeSaved, CannotBeSeated, FullError
from passline.journal.contract import read_entry
from passline.journal.records import record_of
from passline.journal.sqlite import SqliteJournal
from passline.sitting.door import Setup, sit_down
from passline.table import replay
from tests.cli.running import run, told

if TYPE_CHECKING:
    from pathlib import Path

    from passline.journal.contract import Write
    from passline.sitting.sitting import Sitting


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    """An evening that is kept in a record and in a journal."""
    return Setup(
        house="adelaide",
        save=tmp_path / "evening.craps",
        journal=tmp_path / "evening.db",
        keys=tmp_path / "keys.json",
    )


def throw(sitting: Sitting, roll: Roll | None = None) -> None:
    """Send the dice out, let them fall, and let the others have their turn."""
    assert not isinstance(sitting.send(), Refusal)
    assert not isinstance(sitting.throw(roll), Refusal)
    sitting.rested()


def kinds(setup: Setup, table: str = "evening-1") -> list[str]:
    """What the journal's entries are."""
    store = SqliteJournal(setup.journal or "", read_only=True)
    try:
        return [read_entry(line).kind for line in store.lines(table)]
    finally:
        store.close()


def dealt(setup: Setup, table: str = "evening-1") -> list[tuple[int, int]]:
    """The epoch and the number of every roll."""
    store = SqliteJournal(setup.journal or "", read_only=True)
    try:
        rolled = [entry.body for entry in map(read_entry, store.lines(table)) if entry.kind == "rolled"]
        return [(body["epoch"], body["roll"]) for body in rolled]
    finally:
        store.close()


def test_the_journal_has_the_evening_and_its_dice_hold(setup: Setup, tmp_path: Path) -> None:
    """What was taken back is not in it; everything else is, and every roll follows from its link."""
    sitting = sit_down(setup)
    for _ in range(6):
        if not sitting.state.puck:
            sitting.say("about 10 on pass")
        sitting.say("about 10 on field")
        sitting.undo()
        throw(sitting)
    assert sitting.keeping is not None
    sitting.save()
    sitting.keeping.close()
    assert kinds(setup).count("rolled") == kinds(setup).count("bets_closed") == 6
    store = SqliteJournal(setup.journal or "", read_only=True)
    played = replay(record_of(store, "evening-1"))
    store.close()
    assert played.state.seats == sitting.state.seats
    assert "field" not in played.state.seats[sitting.me].felt  # company may have one up
    out = tmp_path / "out.jsonl"
    assert run("journal", "export", setup.journal, "--to", out, "--keys", setup.keys).exit_code == 0
    (report,) = told("verify", out)
    assert report["holds"], report["faults"]
    assert report["checked"]["rolls"] == report["checked"]["house_alone"] == 6


def test_a_house_that_is_like_another_is_kept_resumed_and_exported(setup: Setup, tmp_path: Path) -> None:
    """The journal has the whole book, so what it calls for never depends on the other house's file of a later day."""
    file = tmp_path / "riverboat.toml"
    file.write_text('like = "strip"\nname = "Riverboat"\n\n[wager.field.pays]\n12 = "2:1"\n')
    sitting = sit_down(replace(setup, house=str(file)))
    sitting.say("about 15 on pass")
    throw(sitting)
    sitting.save()
    assert sitting.keeping is not None
    sitting.keeping.close()
    again = sit_down(replace(setup, house=None, save=None, resume=setup.save))
    assert again.state.seats == sitting.state.seats
    assert again.keeping is not None
    again.keeping.close()
    out, record = tmp_path / "out.jsonl", tmp_path / "told.craps"
    assert run("journal", "export", setup.journal, "--to", out, "--keys", setup.keys).exit_code == 0
    (report,) = told("verify", out)
    assert report["holds"], report["faults"]
    for _ in range(2):  # the house file beside it is there the second time
        assert run("journal", "export", setup.journal, "--table", "evening-1", "--to", record).exit_code == 0
    file.unlink()
    assert replay(record).state.seats == sitting.state.seats
    assert not list(tmp_path.glob("riverboat*"))


def test_an_act_that_can_be_taken_back_waits(setup: Setup) -> None:
    """A bet is in the journal when the dice go out, not before."""
    sitting = sit_down(setup)
    before = len(kinds(setup))
    sitting.say("about 10 on pass")
    sitting.save()
    assert len(kinds(setup)) == before
    throw(sitting)
    assert "rolled" in kinds(setup)


def test_typed_dice_are_written_when_they_can_no_longer_be_mistyped(setup: Setup) -> None:
    """A roll that was taken back is not in the journal; the one that stood is."""
    sitting = sit_down(replace(setup, typed=True))
    sitting.say("about 10 on pass")
    throw(sitting, Roll(6, 5))
    assert "rolled" not in kinds(setup)
    while sitting.state.phase == "betting":
        assert sitting.undo() is not None
    assert not isinstance(sitting.throw(Roll(4, 4)), Refusal)
    sitting.rested()
    assert sitting.keeping is not None
    sitting.keeping.close()
    store = SqliteJournal(setup.journal or "", read_only=True)
    dice = [entry.body["dice"] for entry in map(read_entry, store.lines("evening-1")) if entry.kind == "rolled"]
    store.close()
    assert dice == [[4, 4]]


def test_dice_that_follow_a_seed_are_the_same_with_a_journal(setup: Setup, tmp_path: Path) -> None:
    """Practice is practice: the journal only writes down."""
    rolls = []
    for number, journal in enumerate((None, setup.journal)):
        sitting = sit_down(replace(setup, seed="x", journal=journal, save=tmp_path / f"{number}.craps"))
        for _ in range(4):
            sitting.say("about 10 on pass")
            throw(sitting)
        rolls.append([(roll.first, roll.second) for roll in sitting.rolls])
        if sitting.keeping is not None:
            sitting.keeping.close()
    assert rolls[0] == rolls[1]
    assert kinds(setup).count("rolled") == 4


def test_no_dice_fall_that_the_journal_cannot_keep(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person hears why; when there is room again, play goes on."""
    sitting = sit_down(setup)
    sitting.say("about 10 on pass")
    sitting.send()
    assert sitting.keeping is not None

    def full(*_writes: Write) -> None:
        raise FullError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(sitting.keeping.journal, "append", full)
        assert isinstance(sitting.throw(), Refusal)
        with pytest.raises(CannotBeSaved, match="full"):
            sitting.save()
    assert not isinstance(sitting.throw(), Refusal)
    sitting.keeping.close()
    assert kinds(setup).count("rolled") == 1


def test_an_evening_goes_on_where_the_journal_ends(setup: Setup) -> None:
    """The record was saved before the last roll, the journal after it: nothing is lost, and nothing is rolled again."""
    sitting = sit_down(setup)
    sitting.say("about 10 on pass")
    throw(sitting)
    sitting.say("about 10 on field")
    assert setup.save is not None
    sitting.save()
    record = setup.save.read_text()
    throw(sitting)
    assert sitting.keeping is not None
    sitting.keeping.journal.close()  # as if the process were gone
    setup.save.write_text(record)
    again = sit_down(replace(setup, house=None, save=None, resume=setup.save))
    assert again.keeping is not None
    assert again.keeping.name == "evening-1"
    assert [(roll.first, roll.second) for roll in again.rolls] == [(roll.first, roll.second) for roll in sitting.rolls]
    assert again.state.seats == sitting.state.seats
    throw(again)
    again.keeping.close()
    assert kinds(setup).count("rolled") == 3


def test_a_record_that_no_journal_has_begins_a_table_of_its_own(setup: Setup, tmp_path: Path) -> None:
    """Its rolls were drawn by nobody's seeds, so they are given."""
    sitting = sit_down(replace(setup, journal=None))
    sitting.say("about 10 on pass")
    throw(sitting)
    other = sit_down(replace(setup, save=tmp_path / "other.craps"))
    assert other.keeping is not None
    other.say("about 20 on pass")
    throw(other)
    other.keeping.close()
    again = sit_down(replace(setup, house=None, save=None, resume=setup.save))
    assert again.keeping is not None
    assert again.keeping.name == "evening-2"
    throw(again)
    again.keeping.close()
    assert kinds(setup, "evening-2").count("rolled") == 2
    assert "bets_closed" not in kinds(setup, "evening-2")


def test_an_evening_has_a_journal_beside_its_record_from_the_first_roll_on(setup: Setup) -> None:
    """Nobody waits for it at the door; it has all that was done before."""
    assert setup.save is not None
    beside = replace(setup, journal=None, beside=True)
    sitting = sit_down(beside)
    sitting.say("about 10 on pass")
    assert not setup.save.with_suffix(".db").exists()
    throw(sitting)
    assert sitting.keeping is not None
    sitting.keeping.close()
    first = kinds(setup)
    assert first[:3] == ["table_opened", "chain_committed", "chain_committed"]
    assert first.index("acted") < first.index("bets_closed") < first.index("rolled")
    again = sit_down(replace(beside, house=None, save=None, resume=setup.save))
    assert again.keeping is not None
    throw(again)
    again.keeping.close()
    assert dealt(setup) == [(1, 1), (1, 2)]
    assert "chain_shown" not in kinds(setup), "whoever goes on goes on with the same chain"


def test_an_evening_that_stopped_before_its_first_roll_has_its_journal_when_it_goes_on(setup: Setup) -> None:
    """Killed with chips up and no dice thrown: its dice are drawn and announced as if it had never stopped."""
    beside = replace(setup, journal=None, beside=True)
    sitting = sit_down(beside)
    sitting.say("about 10 on pass")
    sitting.save()
    again = sit_down(replace(beside, house=None, save=None, resume=setup.save))
    throw(again)
    assert again.keeping is not None
    again.keeping.close()
    assert kinds(setup).count("rolled") == kinds(setup).count("bets_closed") == 1


def test_without_a_place_for_its_journal_an_evening_goes_on(setup: Setup, tmp_path: Path) -> None:
    """The person hears of it."""
    (tmp_path / "evening.db").mkdir()
    sitting = sit_down(replace(setup, journal=None, beside=True))
    sitting.say("about 10 on pass")
    throw(sitting)
    assert len(sitting.rolls) == 1
    assert sitting.keeping is None
    assert any("has no journal" in entry.text for entry in sitting.log)


@pytest.mark.parametrize("change", [{"seed": "x"}, {"typed": True}, {"keys": None}, {"beside": False}])
def test_no_journal_is_kept_unasked_where_dice_are_not_drawn(setup: Setup, change: dict[str, Any]) -> None:
    """Practice, typed dice, or a person who wants none."""
    sitting = sit_down(replace(setup, journal=None, **{"beside": True, **change}))
    sitting.say("about 10 on pass")
    throw(sitting, Roll(6, 5) if sitting.typed else None)
    assert sitting.keeping is None


def test_a_journal_that_cannot_be_opened_seats_nobody(setup: Setup) -> None:
    """Something else lies there."""
    assert setup.journal is not None
    setup.journal.write_text("no database, and long enough to be looked at as one" * 20)
    with pytest.raises(CannotBeSeated, match="--journal"):
        sit_down(setup)


def test_each_act_is_written_under_the_name_of_who_sat_there_then(setup: Setup) -> None:
    """What waits is written when somebody else may have the seat: it was still whose it was."""
    sitting = sit_down(setup)
    free = max(sitting.state.seats) + 1
    for command in (c.Sit(free, "Bob", 9000), c.Bet(free, "field", 1000), c.Take(free, "field"), c.Leave(free)):
        assert not isinstance(sitting.table.do(command), Refusal)
    assert not isinstance(sitting.table.do(c.Sit(free, "Cy", 9000)), Refusal)
    assert not isinstance(sitting.table.do(c.Bet(free, "field", 1000)), Refusal)
    sitting.say("about 10 on pass")
    throw(sitting)
    assert sitting.keeping is not None
    sitting.save()
    entries = [read_entry(line) for line in sitting.keeping.journal.lines("evening-1")]
    sitting.keeping.close()
    acted = [entry for entry in entries if entry.kind == "acted" and entry.body["command"].get("seat") == free]
    assert [entry.actor for entry in acted[:6]] == ["Bob", "Bob", "Bob", "Bob", "Cy", "Cy"]
