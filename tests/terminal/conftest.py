"""What the tests of the terminal share."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from passline.sitting.door import Setup
from passline.terminal.screen import Craps, TableScreen
from tests.sitting.conftest import sit

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.pilot import Pilot

    from passline.sitting.sitting import Sitting

    Open = Callable[..., Craps]

__all__ = ["felt", "sit"]


@pytest.fixture(autouse=True)
def _no_idling(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pilot goes on as soon as nothing is left to do; Textual's own waits until the processor has been quiet."""
    for module in ("app", "pilot"):
        monkeypatch.setattr(f"textual.{module}.wait_for_idle", settled)


async def settled(_least_s: float = 0, _most_s: float = 0) -> None:
    """Wait until everything that could be done has been: what is left waits for a clock, a thread or a person."""
    await asyncio.sleep(0)
    while asyncio.get_running_loop()._ready:  # type: ignore[attr-defined]  # noqa: ASYNC110 - nothing tells when
        await asyncio.sleep(0)


async def until(pilot: Pilot[None], seen: Callable[[], bool]) -> None:
    """Wait for what Textual does on its own time, such as laying a screen out again."""
    for _ in range(500):
        await pilot.pause(0.01)
        if seen():
            return
    raise AssertionError("it never came")


async def laid_out(pilot: Pilot[None]) -> None:
    """Wait until the felt has the height that it asked for."""
    board = next(screen for screen in pilot.app.screen_stack if isinstance(screen, TableScreen)).felt
    await until(pilot, lambda: board.styles.height is not None and board.size.height == board.styles.height.value)


@pytest.fixture
def felt() -> Open:
    """A program around an evening, in which no time is spent on dice in the air."""

    def felt(sitting: Sitting | None = None, pause_s: float = 0, setup: Setup | None = None) -> Craps:
        return Craps(setup or Setup(), sitting, pause_s=pause_s)

    return felt
