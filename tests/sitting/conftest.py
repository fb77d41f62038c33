"""What the tests of a sitting share, with those of the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.house import House
from passline.sitting.sitting import Sitting, read_faces
from tests.journal.closed import closed_journals

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Sit = Callable[..., Sitting]

__all__ = ["closed_journals", "sit"]


@pytest.fixture
def sit(tmp_path: Path) -> Sit:
    """Sit down alone at a table whose dice are known; the record is kept in the test's own folder."""

    def sit(house: str = "adelaide", dice: str = "", *, others: int = 0, typed: bool = False) -> Sitting:
        waiting = map(read_faces, dice.split())
        known = (lambda _throw: next(waiting)) if dice else None
        path = tmp_path / "evening.craps"
        return Sitting.open(House(house), others=others, seed="7", dice=known, typed=typed, path=path)

    return sit
