"""What the tests of the terminal share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.sitting.door import Setup
from passline.terminal.app import Craps
from tests.sitting.conftest import sit

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.sitting.sitting import Sitting

    Open = Callable[..., Craps]

__all__ = ["felt", "sit"]


@pytest.fixture
def felt() -> Open:
    """A program around an evening, in which no time is spent on dice in the air."""

    def felt(sitting: Sitting | None = None, pause_s: float = 0, setup: Setup | None = None) -> Craps:
        return Craps(setup or Setup(), sitting, pause_s=pause_s)

    return felt
