"""The program around the table: the menu, the signals, and no traceback for the player."""

import asyncio
import sys
from collections import deque
from contextlib import suppress
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.events import Event, Key

from passline.errors import CannotBeSeated
from passline.sitting.door import Setup, menu, sit_down
from passline.sitting.sitting import Sitting
from passline.terminal.dialogs import Menu
from passline.terminal.run import SIGNALS
from passline.terminal.screen import PAUSE_S, TableScreen

PATIENCE_S = 2.0  # how long a key waits for the one before it


class Craps(App[None]):
    CSS_PATH = "table.tcss"
    TITLE = "Passline"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "stop", "Save and quit", show=False, priority=True),
        Binding("q", "stop", "Save and quit", show=False),
    ]

    def __init__(self, setup: Setup, sitting: Sitting | None = None, pause_s: float = PAUSE_S) -> None:
        super().__init__()
        self.setup = setup
        self.sitting = sitting
        self.unseated: CannotBeSeated | None = None  # why the player could not be seated after all
        self.crash: Exception | None = None
        self._pause_s = pause_s
        self._typed: deque[Key] = deque()
        self._typing: asyncio.Task[None] | None = None

    async def on_event(self, event: Event) -> None:
        """Take keys one after the other: one that opens a page has opened it before the next is looked at."""
        if not isinstance(event, Key) or event.is_forwarded:
            await super().on_event(event)
            return
        self._typed.append(event)
        if self._typing is None or self._typing.done():
            self._typing = asyncio.create_task(self._type())

    async def _type(self) -> None:
        while self._typed and self.is_running:
            nodes = (self.focused or self.screen).ancestors_with_self
            await super().on_event(self._typed.popleft())
            for node in (*nodes, self.screen):  # up to the app, and then whatever is up by that
                done = asyncio.Event()
                if node.call_later(done.set):
                    with suppress(TimeoutError):
                        await asyncio.wait_for(done.wait(), PATIENCE_S)

    def get_driver_class(self) -> type[Driver]:
        """Draw on standard output, where a program's output goes; standard error may be sent elsewhere."""
        drawn = super().get_driver_class()

        class OnOutput(drawn):  # type: ignore[misc,valid-type] # the driver that Textual has for this system
            def __init__(self, app: App[None], **how: Any) -> None:  # noqa: ANN401 - the driver's own
                super().__init__(app, **how)
                if hasattr(self, "_file"):
                    self._file = sys.__stdout__

        return OnOutput

    def on_mount(self) -> None:
        with suppress(NotImplementedError, RuntimeError, ValueError):
            for number in SIGNALS:
                asyncio.get_running_loop().add_signal_handler(number, self.action_stop)
        if self.sitting is None:
            self.push_screen(Menu(menu()), self._sit)
        else:
            self.push_screen(TableScreen(self.sitting, self._pause_s))

    def _sit(self, house: str | None) -> None:
        try:
            self.sitting = sit_down(self.setup, house)
        except CannotBeSeated as unseated:
            self.unseated = unseated
            self.exit()
            return
        self.push_screen(TableScreen(self.sitting, self._pause_s))

    def action_stop(self) -> None:
        """Save and go; the record is written again after the screen is given back, where a failure can be told."""
        if self.sitting is not None:
            with suppress(OSError):
                self.sitting.save()
        self.exit()

    # --- When something breaks --------------------------------------------------------------------------------------

    def _handle_exception(self, error: Exception) -> None:
        self.crash = self.crash or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End without drawing a traceback over the player's table."""
        self._close_messages_no_wait()
