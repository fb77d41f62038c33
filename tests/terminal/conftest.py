"""What the tests of the terminal share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.terminal.app import Craps
from passline.terminal.session import Wishes
from tests.sitting.conftest import sit

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.sitting.sitting import Sitting

    Open = Callable[..., Craps]

__all__ = ["felt", "sit"]


@pytest.fixture
def felt() -> Open:
    """A program around an evening, in which no time is spent on dice in the air."""

    def felt(sitting: Sitting | None = None, pause_s: float = 0, wishes: Wishes | None = None) -> Craps:
        return Craps(wishes or Wishes(), sitting, pause_s=pause_s)

    return felt
