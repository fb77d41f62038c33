"""A fixture for tests that open a journal here and there: Python 3.13 and later complain of one that nobody closed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from passline.journal.sqlite import PythonDriver


@pytest.fixture(autouse=True)
def closed_journals(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever SQLite journal a test opened is closed when it ends."""
    opened: list[PythonDriver] = []
    opening = PythonDriver.__init__

    def remembered(self: PythonDriver, path: Path, *, read_only: bool = False) -> None:
        opening(self, path, read_only=read_only)
        opened.append(self)

    monkeypatch.setattr(PythonDriver, "__init__", remembered)
    yield
    for driver in opened:
        driver.close()
