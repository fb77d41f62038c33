"""Every store there is, empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.journal.memory import MemoryJournal
from passline.journal.sqlite import SqliteJournal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from passline.journal.contract import Journal


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    """One store after another: each must do the same."""
    made: Journal = MemoryJournal() if request.param == "memory" else SqliteJournal(tmp_path / "journal.db")
    yield made
    made.close()
