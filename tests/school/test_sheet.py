"""The score sheet: rungs, what is due, and a file that is never lost."""

from __future__ import annotations

import json
import os
import random
from typing import TYPE_CHECKING

import pytest

from passline.errors import ArgumentError, SheetError
from passline.house import House
from passline.school.exercise import Grade, PartGrade
from passline.school.sheet import (
    RUNGS_S,
    ScoreSheet,
    Subject,
    next_seed,
    next_subject,
    read_sheet,
    sheet_of,
    subjects_of,
    write_sheet,
)
from passline.school.syllabus import exercise

if TYPE_CHECKING:
    from pathlib import Path

PAYS = exercise("adelaide", "pays", 1, 1)
SUBJECT = Subject("adelaide", "pays", 1)


def graded(parts: str) -> Grade:
    """An answer with these parts right (r) and wrong (w)."""
    return Grade(tuple(PartGrade("", "", "", is_right=each == "r", says="") for each in parts))


def test_right_moves_on_and_wrong_moves_back() -> None:
    """Later and later while it is right; soon again once it is not."""
    sheet, now = ScoreSheet(), 1_000
    for rung in (1, 2, 3, 4, 4):
        sheet = sheet.after(PAYS, graded("r"), 5, now)
        assert (sheet.scores[SUBJECT].rung, sheet.scores[SUBJECT].due) == (rung, now + RUNGS_S[rung])
        now += RUNGS_S[rung]
    sheet = sheet.after(PAYS, graded("rw"), 9, now)
    score = sheet.scores[SUBJECT]
    assert (score.rung, score.due, score.missed) == (0, now + RUNGS_S[0], (1,))
    assert (score.asked, score.right, score.parts, score.parts_right) == (6, 5, 7, 6)
    assert (score.seconds, score.best_seconds) == (34, 5)
    unclocked = sheet.after(PAYS, graded("r"), None, now).scores[SUBJECT]
    assert (unclocked.timed, unclocked.seconds, unclocked.best_seconds) == (6, 34, 5)
    assert sheet.after(PAYS, graded("r"), 0, now).scores[SUBJECT].best_seconds == 0
    assert sheet.after(PAYS, graded("r"), 3, now).scores[SUBJECT].missed == ()


def test_a_sitting_is_one_rung() -> None:
    """Twenty right answers in a row are not three weeks of knowing it; nor is an audition with two wrong."""
    sheet = ScoreSheet()
    for second in range(20):
        sheet = sheet.after(PAYS, graded("r"), 1, 1_000 + second)
    assert (sheet.scores[SUBJECT].rung, sheet.scores[SUBJECT].due) == (1, 1_000 + RUNGS_S[1])
    for second, parts in enumerate("wrrrrr"):
        sheet = sheet.after(PAYS, graded(parts), 1, 2_000 + second)
    assert (sheet.scores[SUBJECT].rung, sheet.scores[SUBJECT].due) == (0, 2_000 + RUNGS_S[0])


def test_what_is_due_comes_first_then_what_is_new_then_what_is_due_soonest() -> None:
    """And new subjects come lesson by lesson."""
    subjects = subjects_of(House("adelaide"))
    assert [subject.level for subject in subjects] == sorted(subject.level for subject in subjects)
    sheet = ScoreSheet().after(PAYS, graded("w"), 5, 1_000)
    assert next_subject(sheet, subjects, 1_000 + RUNGS_S[0]) == SUBJECT
    assert next_subject(sheet, subjects, 1_001) == next(subject for subject in subjects if subject != SUBJECT)
    assert next_subject(sheet, [SUBJECT], 1_001) == SUBJECT
    asked = {next_seed(sheet, SUBJECT, random.Random(luck)) for luck in range(20)}
    assert 1 in asked
    assert len(asked) > 2


def test_a_sheet_is_kept_and_read_back(tmp_path: Path) -> None:
    """To the last second; in a folder that is not there yet."""
    path = tmp_path / "new" / "school.json"
    assert read_sheet(path) == ScoreSheet()
    sheet = ScoreSheet().after(PAYS, graded("w"), 5, 1_000)
    write_sheet(path, sheet)
    assert read_sheet(path) == sheet


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "it is no JSON"),
        ("{", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ("[]", "a score sheet of this school"),
        ('{"passline_school": 2, "scores": []}', "a score sheet of this school"),
        ('{"passline_school": 1, "scores": 5}', "sheet.scores: found 5"),
        (
            '{"passline_school": 1, "scores": [5]}',
            "sheet.scores.0: found 5; expected an object with house,",
        ),
        ('{"passline_school": 1, "scores": [{"house": 5}]}', "sheet.scores.0.house: found 5"),
    ],
)
def test_a_damaged_sheet_is_said_to_be_damaged_and_left(tmp_path: Path, text: str, says: str) -> None:
    """Nobody's score is written over because a byte of it is wrong."""
    path = tmp_path / "school.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SheetError) as error:
        read_sheet(path)
    assert says in str(error.value)
    assert "--sheet names another file" in str(error.value)
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("field", ["asked", "rung", "due", "missed", "level", "drill", "best_seconds"])
@pytest.mark.parametrize("value", [-1, 1.5, True, "x\u202ey", [1.5], [-1] * 2, {}, 10**30])
def test_no_field_of_a_sheet_is_believed(field: str, value: object) -> None:
    """What comes over the wire or out of a file may be anything."""
    told = ScoreSheet().after(PAYS, graded("w"), 5, 1_000).to_json()
    told["scores"][0][field] = value
    with pytest.raises(ArgumentError) as error:
        sheet_of(json.loads(json.dumps(told)))
    assert f"sheet.scores.0.{field}" in str(error.value)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_sheet_that_may_not_be_written(tmp_path: Path) -> None:
    """Says so, and names the way out."""
    tmp_path.chmod(0o500)
    with pytest.raises(SheetError, match="cannot be written"):
        write_sheet(tmp_path / "school.json", ScoreSheet())
