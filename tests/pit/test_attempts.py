"""What was tried and not allowed is written down: counted, without secrets, and never so that a disk fills."""

from __future__ import annotations

import json
from typing import Any

from passline.journal.export import exported
from passline.journal.memory import MemoryJournal
from passline.pit.people.people import ROWS_MAX, Attempts, People
from passline.verify.check import verify
from tests.pit.play import NOW


def counted() -> tuple[MemoryJournal, Attempts]:
    """A house that knows Ann, and has counted nothing."""
    journal = MemoryJournal()
    people = People(journal, NOW)
    people.guest("Ann", NOW)
    return journal, Attempts(people)


def written(journal: MemoryJournal) -> list[dict[str, Any]]:
    """What the stream says of attempts."""
    bodies = [json.loads(line)["body"] for line in journal.lines("people")]
    return [body["about"] for body in bodies if body.get("act") == "attempts_counted"]


def test_an_attack_is_one_entry_in_a_quarter_of_an_hour() -> None:
    """The first is written at once; the rest waits, counted, and nothing of it is lost."""
    journal, attempts = counted()
    for second in range(1_000):
        time = f"2026-11-15T20:{second // 60:02}:{second % 60:02}Z"
        attempts.count("sign-in beyond the limit", "ann", time)
        attempts.write(time)
    assert [each["rows"][0]["times"] for each in written(journal)] == [1, 900]
    attempts.write("2026-11-15T20:20:00Z", at_once=True)
    assert sum(each["rows"][0]["times"] for each in written(journal)) == 1_000
    attempts.write("2026-11-15T20:59:00Z")
    assert len(written(journal)) == 3, "where nothing was tried nothing is written"
    assert (written(journal)[1]["since"], written(journal)[1]["until"]) == (
        "2026-11-15T20:00:01Z",
        "2026-11-15T20:15:00Z",
    )


def test_a_clock_that_went_backwards_keeps_nobody_waiting() -> None:
    """What is to be told is told."""
    journal, attempts = counted()
    for time in ("2026-11-15T20:00:00Z", "2026-11-14T20:00:00Z"):
        attempts.count("permission refused", "ann", time)
        attempts.write(time)
    assert len(written(journal)) == 2


def test_names_that_are_nobodys_are_not_kept() -> None:
    """Somebody may have typed a password there; and no entry is longer than so many rows."""
    journal, attempts = counted()
    people = People(journal, NOW)
    for number in range(ROWS_MAX + 9):
        people.guest(f"Guest{number}", NOW)
        attempts.count("permission refused", f"guest{number}", NOW)
    attempts.count("sign-in beyond the limit", "correct horse battery", NOW)
    attempts._people.catch_up()
    attempts.count("sign-in beyond the limit", None, NOW)
    attempts.write(NOW)
    (told,) = written(journal)
    assert "horse" not in json.dumps(told)
    assert sum(row["times"] for row in told["rows"]) + told["others"] == ROWS_MAX + 11
    assert len(told["rows"]) <= ROWS_MAX


def test_the_count_is_checked_with_everything_else() -> None:
    """It is the program's own, and nobody signs it for somebody else."""
    journal, attempts = counted()
    attempts.count("permission refused", "ann", NOW)
    attempts.write(NOW)
    lines = [line + b"\n" for line in exported(journal, ["people"])]
    assert not verify(lines).faults
    forged = [line.replace(b'"role":"house"', b'"role":"box"') if b"attempts" in line else line for line in lines]
    assert "role" in {fault.field for fault in verify(forged).faults}
