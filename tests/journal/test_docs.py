"""What the page about journals shows works."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from passline.live.entries import KINDS
from passline.live.refusals import SENTENCES
from passline.pit.table import LiveTable

PAGE = (Path(__file__).parents[2] / "docs" / "journal.md").read_text(encoding="utf-8")


def test_the_example_in_python_rolls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it stands on the page."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(PAGE.split("```python\n")[1].split("```")[0], names)  # noqa: S102 - our own page
    assert json.loads(names["answer"])["kind"] == "rolled"
    names["journal"].close()


def test_every_call_of_the_page_is_one() -> None:
    """A method of a live table, by its name."""
    rows = PAGE.split("| Call | What it asks |")[1].split("\n\n")[0]
    called = re.findall(r"`(?:LiveTable\.)?(\w+)\(", rows)
    assert len(called) == 12
    assert [name for name in called if not hasattr(LiveTable, name)] == []


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_entry_is_specified(kind: str) -> None:
    """With a row of its own."""
    assert f"\n| `{kind}` |" in PAGE


@pytest.mark.parametrize("code", SENTENCES)
def test_every_code_of_a_live_table_is_explained(code: str) -> None:
    """What a refusal can say."""
    assert f"`{code}`" in PAGE
