"""The page on security names tests that exist, and has every row of the standard once."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| ((?:\d+\.\d+\.\d+(?:, )?)+) \| ([^|]+) \| (met|not applicable|open) \| ([^|]+) \|$", re.MULTILINE
)


def test_every_row_of_the_standard_is_there_once() -> None:
    """253 requirements of levels 1 and 2, each in one of three states, as many as the page says."""
    rows = [(number, found[3]) for found in ROW.finditer(PAGE) for number in found[1].split(", ")]
    assert len({number for number, _ in rows}) == len(rows) == 253
    states = [state for _, state in rows]
    said = re.search(r"(\d+) met, (\d+) not applicable, (\d+) open", PAGE)
    assert said is not None
    assert [states.count(each) for each in ("met", "not applicable", "open")] == [int(each) for each in said.groups()]


def test_every_row_that_is_met_names_a_test() -> None:
    """By its name, or by a folder or file under `tests`; a place in the code shows nothing."""
    met = [found[0] for found in ROW.finditer(PAGE) if found[3] == "met"]
    assert [
        row for row in met if not re.search(r"`(test_\w+)…?`|`tests/[\w/]+(\.py)?`|`[\w/]+/test_\w+\.py`", row)
    ] == []


def test_every_test_that_is_named_exists() -> None:
    """By its name, or the beginning of it; a file by its path under `tests`."""
    known = [
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))
    ]
    for named in re.findall(r"`(test_\w+)…?`", PAGE):
        assert any(name.startswith(named) for name in known), named
    for path in re.findall(r"`([\w/]+/test_\w+\.py|tests/[\w/]+)`", PAGE):
        assert (ROOT / "tests" / path.removeprefix("tests/")).exists(), path
