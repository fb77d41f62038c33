"""Every store there is, empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.journal.memory import MemoryJournal
from passline.journal.postgres import PostgresJournal
from passline.journal.sqlite import SqliteJournal
from tests.postgres import fresh

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from passline.journal.contract import Journal


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    """One store after another: each must do the same."""
    made: Journal
    if request.param == "memory":
        made = MemoryJournal()
    elif request.param == "sqlite":
        made = SqliteJournal(tmp_path / "journal.db")
    else:
        made = PostgresJournal(fresh())
    yield made
    made.close()
