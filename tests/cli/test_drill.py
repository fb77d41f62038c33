"""`passline drill`, as a newcomer, a program and a clumsy hand use it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from passline.cli.app import app
from passline.school.syllabus import exercise
from tests.cli.running import refused, run, told

if TYPE_CHECKING:
    from pathlib import Path

PAYS = ("drill", "pays", "--level", "4", "--seed", "3")


def lesson(text: str, *words: object) -> str:
    """What a lesson says to somebody who types this."""
    result = CliRunner().invoke(app, [str(word) for word in words], input=text)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_lesson_is_graded_and_kept(tmp_path: Path) -> None:
    """With the clause, what the slip was near to, and how to ask it again."""
    sheet = tmp_path / "mine" / "sheet.json"
    heard = lesson("18\n17\n", *PAYS, "--count", "2", "--sheet", sheet)
    assert "No: 17, not 18. That leaves out the commission of 1." in heard
    assert "adelaide:7(b): A Buy bet to Win pays" in heard
    assert "0 of 2 right" in heard
    assert "Again: passline drill pays --house adelaide --level 4 --seed 3 --count 1" in heard
    assert "Right: 17." in lesson("17\n", *PAYS, "--count", "1", "--sheet", sheet)
    (kept,) = told("drill", "--score", "--sheet", sheet)
    (row,) = kept["scores"]
    assert (row["house"], row["drill"], row["level"], row["asked"], row["right"]) == ("adelaide", "pays", 4, 3, 1)
    assert row["missed"] == [4]
    shown = run("drill", "--score", "--sheet", sheet).stdout
    assert "1 of 3" in shown


def test_rubbish_is_asked_again_and_an_end_is_an_end(tmp_path: Path) -> None:
    """Nothing that is no answer counts as a wrong one; the end of the input leaves."""
    sheet = tmp_path / "sheet.json"
    heard = lesson("\nwhat\n\x1b[2J\n?\n17\n", *PAYS, "--sheet", sheet)
    assert heard.count("expected an amount such as") == 2  # Enter shows the question again
    assert "\x1b" not in heard
    assert "1 of 1 right, 1 of 1 part" in heard
    assert "Nothing was answered." in lesson("quit\n", *PAYS, "--no-sheet")
    assert "No: 17. Skipped." in lesson("skip\n", *PAYS, "--count", "1", "--no-sheet")


def test_parts_have_their_own_credit() -> None:
    """What is right of a layout is said to be right."""
    found = exercise("sydney", "layout", 4, 2)
    right = [found.written(part) for part in found.parts]
    heard = lesson(
        "\n".join(["12345", *right[1:]]) + "\n",
        "drill",
        "layout",
        "--house",
        "sydney",
        "--level",
        4,
        "--seed",
        2,
        "--count",
        1,
        "--no-sheet",
    )
    assert f"{len(right) - 1} of {len(right)} right." in heard


def test_without_a_drill_the_sheet_chooses(tmp_path: Path) -> None:
    """The first lesson first; and what is due before what is new."""
    sheet = tmp_path / "sheet.json"
    heard = lesson("skip\nskip\n", "drill", "--count", 2, "--sheet", sheet)
    assert "1 of 2: ways, level 1" in heard
    assert "2 of 2: pays, level 1" in heard


def test_for_programs() -> None:
    """Exercises with their answers, the same for the same seed; and what there is."""
    first, second = told(*PAYS, "--count", 2)
    assert first == exercise("adelaide", "pays", 4, 3).to_json()
    assert second["seed"] == 4
    (listed,) = told("drill", "--list", "--house", "fire-bonus")
    assert listed["levels"]["6"] == "side bets"
    assert next(each for each in listed["drills"] if each["drill"] == "off-and-on")["levels"] == [3]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("drill", "play"), "drill: found 'play'; expected one of ways, pays"),
        (
            ("drill", "pays", "--level", "6"),
            "--level: found 6; expected one of 1, 2, 3, 4, 5, the levels of pays in adelaide",
        ),
        (("drill", "--level", "x"), "--level: found 'x'; expected a whole number"),
        (("drill", "--count", "0"), "--count: found 0; expected a whole number from 1 to 1000"),
        (("drill", "--seed", "-1", "--json"), "--seed: found -1"),
        (("drill", "--house", "atlantis"), "atlantis"),
    ],
)
def test_what_cannot_be_asked_is_said(words: tuple[str, ...], says: str) -> None:
    """With what can."""
    assert says in refused(*words, code=2)


def test_a_damaged_sheet_stops_before_anything_is_asked(tmp_path: Path) -> None:
    """And is left as it is."""
    sheet = tmp_path / "sheet.json"
    sheet.write_text(json.dumps({"passline_school": 9}))
    assert "is no score sheet, and is left as it is" in refused("drill", "--sheet", sheet, code=1)
    assert json.loads(sheet.read_text()) == {"passline_school": 9}


def test_a_paper_for_programs_is_the_one_that_is_asked() -> None:
    """One seed once made two auditions, and the answers of a worksheet were those of the other."""
    words = ("drill", "audition", "--house", "strip", "--seed", "2")
    asked = [line["asks"] for line in told(*words, "--json")]
    assert len(set(asked)) == len(asked) == 20
    heard = CliRunner().invoke(app, [*words, "--no-sheet"], input="skip\n" * 20).stdout
    at = [heard.index(each) for each in asked]
    assert at == sorted(at)


def test_an_audition_by_its_seed_is_passed_and_failed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Right in time it is passed; the same answers after ten seconds each are not. Both are on the score sheet."""
    from random import Random

    from passline.house import House
    from passline.school.syllabus import exercise, paper

    house = House("strip")
    every = [exercise(house, "audition", 1, seed) for seed in paper(house, Random(7))]
    typed = "".join(f"{one.written(part)}\n" for one in every for part in one.parts)
    sheet = str(tmp_path / "sheet.json")
    words = ["drill", "audition", "--house", "strip", "--seed", "7", "--sheet", sheet]
    passed = CliRunner().invoke(app, words, input=typed)
    assert passed.exit_code == 0, passed.output
    assert "Passed." in passed.stdout
    clock = iter(range(0, 100_000, 11))
    monkeypatch.setattr("passline.terminal.lesson.time.monotonic", lambda: next(clock))
    slow = CliRunner().invoke(app, words, input=typed)
    assert slow.exit_code == 1
    assert "0 of 20 right" in slow.stdout
    assert f"Missed: {every[0].question.kind}, " in slow.stdout
    (kept,) = told("drill", "--score", "--sheet", sheet)
    assert [(row["drill"], row["asked"], row["right"]) for row in kept["scores"]] == [("audition", 40, 20)]
