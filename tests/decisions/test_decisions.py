"""Decisions that were made after the first release, each in the shortest record that shows it.

A record says in its first line which decision it is about and what must come out. A line that ends in `# refused` must
be refused and every other accepted; `# unreadable` is where the record cannot be read; the last line says where the
table ends. The engine and the second model (`tests/reference`) must both come to exactly that.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from passline.engine.refusals import Refusal
from passline.errors import RecordError
from passline.record.record import read
from passline.table import Table
from tests.reference import model

RECORDS = sorted(Path(__file__).parent.glob("*.craps"))
MODELLED = [
    path for path in RECORDS if not re.search(r"^house (strip|crapless)$", path.read_text("utf-8"), re.MULTILINE)
]
"""The model was written from four rule books; the houses of our own making it does not know."""


def words_of(table: dict[str, Any]) -> str:
    """A table in the words of the last line of a record here."""
    seats = (
        " ".join([f"{number}: {seat['rail']}", *(f"{key}={stake}" for key, stake in seat["up"].items())])
        for number, seat in table["seats"].items()
    )
    return "; ".join([f"puck {table['puck']}", f"shooter {table['shooter'] or 'nobody'}", *seats])


def expected(text: str) -> tuple[dict[int, bool], str, int | None]:
    """What must come out: accepted or refused by line, where the table ends, the line that cannot be read."""
    accepted, ends, unreadable = {}, "", None
    for line, raw in enumerate(text.split("\n"), start=1):
        act, _, remark = raw.partition("#")
        if remark.startswith(" ends: "):
            ends = remark.removeprefix(" ends: ")
        if remark.strip() == "unreadable":
            unreadable = line
        if act.strip() and act.split()[0] not in ("passline", "house", "notice", "float"):
            accepted[line] = remark.strip() != "refused"
    return accepted, ends, unreadable


@pytest.mark.parametrize("path", MODELLED, ids=lambda path: path.stem)
def test_the_model_follows_the_decision(path: Path) -> None:
    """The specified outcome, line by line."""
    text = path.read_text(encoding="utf-8")
    accepted, ends, unreadable = expected(text)
    if unreadable is not None:
        with pytest.raises(model.Unreadable) as told:
            model.replay(text)
        assert told.value.line == unreadable
        return
    result = model.replay(text)
    assert dict(result.acts) == accepted
    assert words_of(result.table) == ends


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_engine_follows_the_decision(path: Path) -> None:
    """The same of the engine, with no chip made or lost on the way."""
    text = path.read_text(encoding="utf-8")
    accepted, ends, unreadable = expected(text)
    if unreadable is not None:
        with pytest.raises(RecordError) as found:
            read(text)
        assert found.value.line == unreadable
        return
    record = read(text)
    table = Table.opened(record)
    for act in record.acts:
        assert isinstance(table.do(act.command), Refusal) is not accepted[act.line], act.line
        assert table.state.chips == table.state.bought, act.line
    assert words_of(dict(table.to_json())) == ends
