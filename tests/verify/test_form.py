"""The form of an export: entries in their places, lines of the kinds there are, each once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from passline.engine import commands as c
from passline.journal.memory import MemoryJournal
from passline.verify.check import verify
from passline.verify.report import Report, Void, minutes
from tests.pit.play import by, new_table
from tests.verify.building import Journal, evening, export, head, written
from tests.verify.live import lines_of
from tests.verify.tampering import hashed

if TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[[list[dict[str, Any]]], object]

LINES = export(evening(rolls=2))


def told(change: Change) -> list[str]:
    """The faults of an export whose lines were changed as data."""
    lines = [json.loads(line) for line in LINES]
    change(lines)
    return [str(fault) for fault in verify([written(line) + b"\n" for line in lines]).faults]


def renumbered(lines: list[dict[str, Any]]) -> None:
    """An entry says another number, with a right hash, and the next is chained to it."""
    lines[5] = hashed({**lines[5], "sequence": 50})
    lines[6] = hashed({**lines[6], "previous": lines[5]["hash"]})


def unchained(lines: list[dict[str, Any]]) -> None:
    """An entry has no place after the one before."""
    lines[5] = hashed({**lines[5], "previous": "ab" * 32})


def no_digest(lines: list[dict[str, Any]]) -> None:
    """What should be a hash is none."""
    lines[1] = hashed({**lines[1], "previous": "0"})


FORMS: dict[str, tuple[Change, str]] = {
    "another number": (renumbered, "entry 50, sequence: it is 50 where 5 is due"),
    "no number": (lambda lines: lines[5].update(sequence="5"), "sequence: it is 5 where 5 is due"),
    "another one before": (unchained, "entry 5, previous: it is abab"),
    "no hash before": (no_digest, "previous: no SHA-256 in hexadecimal"),
    "a table opened twice": (lambda lines: lines[5].update(kind="table_opened"), "only ever the first entry"),
    "a table never opened": (lambda lines: lines.pop(1), "not what a table begins with"),
    "no name of a table": (lambda lines: lines[5].update(table="T 1"), "T 1 is no name of a table"),
    "among another's entries": (
        lambda lines: lines.insert(9, {**lines[1], "table": "t0"}),
        "t1, table: its entry stands among those of t0",
    ),
    "a line of no kind": (lambda lines: lines.insert(3, {"note": 1}), "no entry, house file, balances or heads"),
    "heads that are none": (lambda lines: lines[-1].update(heads=[1]), "they are no list of heads"),
    "a head with a field more": (lambda lines: lines[-1]["heads"][0].update(note=1), "a head is hash, key, sequence"),
    "a head of another table": (
        lambda lines: lines[-1]["heads"].append(head({**lines[1], "table": "t9"})),
        "t9, heads: there is a head of entry 1, and no entry",
    ),
    "a signature in capitals": (
        lambda lines: lines[-1]["heads"][0].update(signature=lines[-1]["heads"][0]["signature"].upper()),
        "the signature is not that of the key",
    ),
    "balances twice": (lambda lines: lines.insert(-1, lines[-2]), "or the second of it"),
    "no balances": (lambda lines: lines.pop(-2), "balances: there are none"),
    "no heads": (lambda lines: lines.pop(), "the last line is missing"),
    "something after the heads": (lambda lines: lines.append(lines[5]), "nothing follows the heads"),
    "a list for a table": (lambda lines: lines[5].update(table=["t1"]), "no entry, house file, balances or heads"),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_that_is_not_ours_is_found(name: str) -> None:
    """Each said in its own words."""
    change, what = FORMS[name]
    faults = told(change)
    assert any(what in fault for fault in faults), faults


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b'{"a":1.5}\n', "1.5 is no whole number"),
        (b'{"a":NaN}\n', "NaN is no whole number"),
        (b'{"a": 1}\n', "not written as canonical JSON"),
        (b'{"b":1,"a":2}\n', "not written as canonical JSON"),
        (b'{"a":1,"a":1}\n', "not written as canonical JSON"),
        (b'{"a":"\\u00e9"}\n', "not written as canonical JSON"),
        (b'{"a":"\\ud800"}\n', "no JSON"),
        (b"[1]\n", "no JSON object"),
        (b"\xff\n", "no JSON: byte 1 is no UTF-8 text"),
        (b'{"a":' + b"1" * 5_000 + b"}\n", "a number in it is too long"),
        (b"{\n", "no JSON"),
        (b'{"a":1}', "the line has no end"),
        (b"[" * 50_000 + b"\n", "no JSON"),
    ],
)
def test_a_line_is_written_in_one_way_only(line: bytes, what: str) -> None:
    """A second way to write the same would be a second hash for it."""
    faults = verify([LINES[0], line, *LINES[1:]]).faults
    assert any(what in fault.what and fault.line == 2 for fault in faults)


def test_fences_rise_one_by_one() -> None:
    """Whoever takes a table over holds one more than the one before."""
    journal = Journal(dice="given")
    journal.add("table_taken", {"fence": 1, "owner": "a"})
    journal.add("table_taken", {"fence": 2, "owner": "b"})
    assert verify(export(journal)).holds
    journal.add("table_taken", {"fence": 2, "owner": "a"})
    assert [str(fault).partition(", ")[2] for fault in verify(export(journal)).faults] == [
        "entry 4, body.fence: it is 2 where 3 is due"
    ]


def test_nothing_but_its_end_follows_a_stop() -> None:
    """Not even the house; and nothing at all follows the end."""
    journal = Journal(dice="given")
    journal.add("table_stopped", {"reason": "chips do not add up"})
    assert verify(export(journal)).holds
    journal.add("table_taken", {"fence": 1, "owner": "a"})
    assert any("table_taken follows table_stopped" in fault.what for fault in verify(export(journal)).faults)
    del journal.entries[-1]
    journal.add("table_closed", {})
    assert any("table_closed follows table_stopped" in fault.what for fault in verify(export(journal)).faults)
    journal = Journal(dice="given")
    journal.add("table_closed", {})
    assert verify(export(journal)).holds
    journal.add("table_stopped", {"reason": "chips do not add up"})
    assert any("table_stopped follows table_closed" in fault.what for fault in verify(export(journal)).faults)


def test_a_table_that_stopped_without_showing_its_seeds_says_so() -> None:
    """Its dice can never be checked."""
    journal = evening(rolls=2, epochs=1)
    journal.freeze(2)
    journal.act(c.Bet(1, "pass", 10_00))
    journal.void()
    journal.add("table_stopped", {"reason": "the key is lost"})
    report = verify(export(journal))
    assert report.open == [
        "t1: it stopped, and the seeds of epochs [2] were not shown",
        "t1: it stopped, and nobody was paid for 200000 that lie on its rails",
    ]


@pytest.mark.parametrize(
    ("sevens", "others", "p"),
    [(1, 5, 1.0), (10, 50, 1.0), (1, 0, 1 / 6), (0, 30, 0.006245), (20, 10, 1e-6), (300, 1200, 0.000532)],
)
def test_void_rolls_that_spare_somebody_stand_out(sevens: int, others: int, p: float) -> None:
    """Whether what was void would have been a seven, beside one in six: by the exact binomial, for many chi-square."""
    report = Report()
    report.voids += [Void("t1", 1, [3, 4])] * sevens + [Void("t1", 2, [6, 6])] * others
    assert report.void_p == pytest.approx(p, rel=0.01) if p > 1e-5 else (report.void_p or 0) < p
    assert f"{sevens} of {sevens + others} would have been sevens" in "\n".join(report.lines())
    assert report.to_json()["void_sevens"] == sevens
    assert Report().void_p is None


def test_a_minute_that_nobody_signed_is_told() -> None:
    """Heads in the middle are gone and later ones are there: all that is there holds, and the gap is said aloud."""
    store = MemoryJournal()
    table = new_table(store)
    for minute in range(1, 5):
        for wager in ("field", "place_6"):
            table.do(c.Bet(1, wager, 600), by("ann", time=f"2026-11-15T20:0{minute}:00Z"))
    lines = [json.loads(line) for line in lines_of(store)]
    assert verify([written(line) + b"\n" for line in lines]).gaps == {}
    lines[-1]["heads"] = [each for each in lines[-1]["heads"] if each["time"][15] not in "23"]
    report = verify([written(line) + b"\n" for line in lines])
    assert report.holds
    first = next(line["sequence"] for line in lines if line.get("time", "").startswith("2026-11-15T20:02"))
    assert report.gaps == {"t1": {"2026-11-15T20:02": first, "2026-11-15T20:03": first + 2}} == report.to_json()["gaps"]
    assert any(f"nobody signed, the first 2026-11-15T20:02, entry {first}" in each for each in report.open)
    assert report.lines()[-1].endswith("; no head is of 2 minutes of t1.")
    assert minutes(1) == "1 minute"
