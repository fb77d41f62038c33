"""Tampering with what a live table wrote, of every kind and in many places: all of it is found."""

from __future__ import annotations

import json
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from passline.engine import commands as c
from passline.errors import JournalError, OtherKeysError
from passline.journal.export import exported
from passline.journal.heads import public, signed, signed_for
from passline.journal.memory import MemoryJournal
from passline.pit.table import COUNTED_EVERY, LiveTable
from passline.verify.check import verify
from passline.verify.report import CHECKED
from tests.pit.play import KEYS, NOW, by, new_table
from tests.verify.building import written
from tests.verify.live import fair_table, lines_of, whole_pit
from tests.verify.tampering import TAMPERING, hashed, write_anew

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PLACES = [40, pytest.param(100, marks=pytest.mark.campaign)]
FORGERS = bytes(32)
"""The key that `tampering` signs with."""

JOURNAL = MemoryJournal()
TABLE = fair_table(JOURNAL)
LINES = lines_of(JOURNAL)
KEPT = json.loads(LINES[-1])["heads"][-1:]
PIT = whole_pit()
PIT_HEADS = json.loads(lines_of(PIT)[-1])["heads"]
"""What a player wrote down at the end."""


def test_what_nobody_touched_holds() -> None:
    """With and without heads kept elsewhere."""
    assert verify(LINES).faults == []
    report = verify(LINES, KEPT)
    assert report.holds
    assert report.counts["kept_heads"] == 1


def test_a_table_of_each_kind_holds() -> None:
    """Fair, real and given dice, open and closed: whatever a live table writes, and something of each was checked."""
    report = verify(lines_of(PIT))
    assert report.faults == []
    nothing = {name for name in CHECKED if not report.counts[name]}
    never = {"failed_rolls", "early_ends", "restores", "stops", "taken_refusals", "undone_heads", "undone_rolls"}
    never |= {"undone_closings", "open_closings"}
    assert nothing == {"kept_heads", "receipts", "counts", "waiting_rolls", *never}


OTHER_HOUSE = written({"house": {"digest": sha256(b"x").hexdigest(), "text": "x"}}) + b"\n"
HOUSE_LINES: dict[str, list[bytes]] = {
    "gone": [LINES[0], *LINES[2:]],
    "twice": [*LINES[:2], *LINES[1:]],
    "another": [LINES[0], LINES[1].replace(b"Sky City", b"Sky Town"), *LINES[2:]],
    "after an entry": [LINES[0], LINES[2], LINES[1], *LINES[3:]],
    "of no table": [*LINES[:2], OTHER_HOUSE, *LINES[2:]],
}


@pytest.mark.parametrize("kind", HOUSE_LINES)
def test_a_house_file_that_is_not_the_tables_is_found(kind: str) -> None:
    """It is no entry, and the entries name it by its digest."""
    assert "house" in {fault.field for fault in verify(HOUSE_LINES[kind]).faults}


@pytest.mark.slow
@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("kind", TAMPERING)
def test_tampering_is_found_wherever_it_is_done(
    kind: str, places: int, record_property: Callable[[str, object], None]
) -> None:
    """And the report names the line where there is one."""
    found = 0
    for place in range(places):
        lines, line = TAMPERING[kind](LINES, Random(f"{kind} {place}"))
        if lines == LINES:
            pytest.fail(f"{kind} {place} changed nothing")
        faults = _faults(lines)
        found += bool(faults)
        if line is not None:
            assert line in {fault["line"] for fault in faults}, (kind, place, line, faults[:3])
    record_property("exercised", f"tampering, {kind}: found in {found} of {places} places")
    assert found == places


def _faults(lines: list[bytes]) -> list[dict[str, Any]]:
    """What a report says; a file that is no export any more is said to be none at its first line."""
    try:
        return [fault._asdict() for fault in verify(lines, KEPT).faults]
    except JournalError as error:
        return [{"line": 1, "what": str(error)}]


@pytest.mark.slow
@pytest.mark.parametrize("places", PLACES)
def test_an_older_copy_put_back_is_found_by_a_head_kept_elsewhere(
    places: int, record_property: Callable[[str, object], None]
) -> None:
    """In itself it is in perfect order: only the head shows that there was more."""
    found = 0
    for place in range(places):
        entries = Random(f"older {place}").randrange(1, TABLE.head.sequence)
        lines = lines_of(JOURNAL, upto=entries)
        assert verify(lines).holds
        faults = verify(lines, KEPT).faults
        found += [(fault.table, fault.sequence, fault.field) for fault in faults] == [("fair", entries, "sequence")]
    record_property("exercised", f"tampering, an older copy: found in {found} of {places} places")
    assert found == places


def test_a_journal_written_anew_holds_until_a_kept_head_is_held_against_it() -> None:
    """Whoever forges all of it and signs with a key of their own is found out by the player's head alone."""
    lines, _ = write_anew(LINES, Random(1), public(FORGERS))
    assert verify(lines).holds
    faults = verify(lines, KEPT).faults
    assert [(fault.table, fault.sequence, fault.field) for fault in faults] == [
        ("fair", TABLE.head.sequence, "heads"),
        ("fair", TABLE.head.sequence, "hash"),
    ]


def test_another_key_than_the_table_was_opened_with_signs_nothing() -> None:
    """Neither over a chain written anew from some entry on, nor where nobody had signed yet."""
    lines, _ = write_anew(LINES, Random(1))
    faults = verify(lines).faults
    assert {fault.field for fault in faults} == {"heads"}
    assert all("was opened to be signed with" in fault.what for fault in faults)
    journal = MemoryJournal()
    table = LiveTable.create(journal, "fresh", time=NOW, keys=KEYS)
    assert not journal.heads("fresh")
    with pytest.raises(OtherKeysError, match="was opened to be signed with"):
        signed_for(journal, table.head, NOW, FORGERS)
    with pytest.raises(OtherKeysError):
        LiveTable(journal, "fresh", KEYS._replace(sign=FORGERS))
    unsigned = [*exported(journal, ["fresh"])]
    forged = [*unsigned[:-1], written({"heads": [signed(table.head, NOW, FORGERS)._asdict()]})]
    (fault,) = verify(line + b"\n" for line in forged).faults
    assert (fault.table, fault.field) == ("fresh", "heads")


def test_a_count_that_a_live_table_wrote_is_checked() -> None:
    """Every thousand entries the state and the books are written down, and they come out the same here."""
    journal = MemoryJournal()
    table = new_table(journal, dice="given")
    while table.head.sequence <= COUNTED_EVERY:
        table.do(c.BuyIn(1, 100), by("ann"))
    table.do(c.BuyIn(1, 100), by("ann"))
    report = verify(lines_of(journal))
    assert report.faults == []
    assert report.counts["counts"] == 1
    assert report.counts["heads"] == 3  # of the first act in its minute, of the count, and of the end


STRANGE: list[Any] = [None, True, -1, 10**30, "", "x", "ab" * 32, [], [[]], {}, {"kind": "command.throw"}]


def places_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401 - any JSON
    """The way to every value inside a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inner:
        yield (*path, name)
        yield from places_of(each, (*path, name))


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.campaign) for part in range(1, 6))])
def test_no_strange_value_stops_the_verifier(part: int) -> None:
    """Anything in the place of anything, every hash made again: a report each time, and a kept head never fooled."""
    lines = [json.loads(line) for line in lines_of(PIT)]
    tried = 0
    for place in range(60):
        random = Random(f"strange {part} {place}")
        changed = [json.loads(json.dumps(line)) for line in lines]
        at = random.randrange(1, len(changed))
        path = random.choice([each for each in places_of(changed[at]) if each != ("hash",)])
        inside = changed[at]
        for name in path[:-1]:
            inside = inside[name]
        inside[path[-1]] = random.choice([value for value in STRANGE if value != inside[path[-1]]])
        if "previous" in changed[at]:
            changed[at] = hashed(changed[at])
        assert verify([written(line) + b"\n" for line in changed], PIT_HEADS).faults, (part, place, at, path)
        tried += 1
    assert tried == 60
