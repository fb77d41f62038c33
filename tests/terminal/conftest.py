"""What the tests of the terminal share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.house import House
from passline.terminal.app import Craps
from passline.terminal.dice import listed
from passline.terminal.evening import Evening
from passline.terminal.session import Wishes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Sit = Callable[..., Evening]
    Open = Callable[..., Craps]


@pytest.fixture
def sit(tmp_path: Path) -> Sit:
    """Sit down alone at a table whose dice are known; the record is kept in the test's own folder."""

    def sit(house: str = "adelaide", dice: str = "", *, others: int = 0, typed: bool = False) -> Evening:
        known = listed(dice.split()) if dice else None
        path = tmp_path / "evening.craps"
        return Evening.open(House(house), others=others, seed="7", dice=known, typed=typed, path=path)

    return sit


@pytest.fixture
def felt() -> Open:
    """A program around an evening, in which no time is spent on dice in the air."""

    def felt(evening: Evening | None = None, pause_s: float = 0, wishes: Wishes | None = None) -> Craps:
        return Craps(wishes or Wishes(), evening, pause_s=pause_s)

    return felt
