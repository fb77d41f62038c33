"""No field of a house file without a rule that reads it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from passline.engine.commands import CallNoRoll
from passline.house import House
from tests.clauses.table_helpers import game
from tests.rulebooks.reads import EVERY, RECORDS, REPORT, Watch

ROOT = Path(__file__).parents[2]

PLAYED = (
    "tests/test_options.py",
    "tests/test_refusals.py",
    "tests/test_playthroughs.py",
    "tests/clauses/adelaide/test_floor.py",
    "tests/clauses/adelaide/test_odds.py",
    "tests/clauses/sydney",
    "tests/clauses/fire_bonus/test_propositions.py",
    "tests/rulebooks/test_side_bets.py",
    "tests/floor/test_cage.py",  # the cage and the gaming day
)
"""Tests that play by every option and meet every refusal."""
SHORT = ("-p", "no:cacheprovider", "--sample", "2")
"""A rule reads its field in the first case of a table as in the last."""

SHOWN = {
    "Book.clauses",  # the sentences behind the ids: `passline clause` and "why?" look them up
    "Book.equipment",
    "BettingHabits.responsibility",  # chips are settled where they lie: so they are, whatever the clause
    "DiceHabits.opposite_sum",
    "WagerRule.button",
}
"""What a display shows and no rule asks for."""

REPORTED = {
    f"CageHabits.{name}"
    for name in ("comp_percent", "daily_report_above", "paper_decisions_an_hour", "paper_edge_hundredths")
}
"""What reports over the journal reckon by; nothing is decided by it."""

BINDS_THE_FILE = {"MoneyHabits.list_binds", "MoneyHabits.price_form", "MoneyHabits.price_overrides"}
"""What `rulebooks.check` holds a house file to before anything is dealt."""


@pytest.mark.slow
def test_every_field_of_a_book_is_read_by_a_rule(tmp_path: Path) -> None:
    """A field that nothing reads is a promise that nobody keeps: give it its rule, or take it out of the format."""
    report = tmp_path / "reads.json"
    played = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.rulebooks.reads", *SHORT, *PLAYED],
        cwd=ROOT,
        env={**os.environ, REPORT: str(report), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stdout[-2000:]
    unread = EVERY - set(json.loads(report.read_text(encoding="utf-8")))
    assert unread == SHOWN | BINDS_THE_FILE | REPORTED


def test_a_value_counts_when_it_is_looked_at_and_not_when_it_is_cited() -> None:
    """The watch itself: who may call a no-roll is read when somebody calls one, and nothing else is."""
    with Watch() as watch:
        table = game("sydney")
        watch.know(table.house.book)
        watch.read.clear()
        assert table.house.book.no_roll.callers.value  # a test is no rule
        assert watch.read == set()
        table.do(CallNoRoll(by="stick", reason="irregular"))
    assert {"Book.no_roll", "NoRollHabits.callers", "NoRollHabits.causes"} <= watch.read
    assert "DiceHabits.cocked" not in watch.read
    assert House("sydney").book.no_roll.callers.value == ("stick", "supervisor", "box")
    assert "__getattribute__" not in vars(type(House("sydney").book.no_roll))


def words(kind: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 - any annotation
    """Every choice of words inside a type."""
    inside = [] if get_origin(kind) is Literal else [found for each in get_args(kind) for found in words(each)]
    return [get_args(kind), *inside] if get_origin(kind) is Literal else inside


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_a_choice_has_two_words_at_least(record: type) -> None:
    """A policy with one word is none: the engine keeps to it anyway, and the field should be its clause."""
    for name, kind in get_type_hints(record).items():
        assert all(len(choice) > 1 for choice in words(kind)), name
