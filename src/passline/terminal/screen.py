"""The table on the screen: every key and click becomes an act of the evening, and every act is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from passline.engine.refusals import Refusal
from passline.files.amounts import chips_of
from passline.sitting.dice import read_faces
from passline.sitting.hints import what_now
from passline.sitting.reckoning import tell
from passline.sitting.spots import figures
from passline.sitting.talk import talk
from passline.telling.card import sign
from passline.terminal.dialogs import Ask, Confirm, Help, Page, Why
from passline.terminal.felt import Cell, Felt
from passline.terminal.status import (
    ChipTray,
    DiceFaces,
    Keys,
    log_text,
    result_text,
    seats_text,
    spot_text,
    status_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from passline.odds.wagers import WagerOdds
    from passline.sitting.sitting import Sitting
    from passline.sitting.talk import Reply
    from passline.terminal.cells import Direction

PAUSE_S = 0.7
"""How long dice are in the air, so that an eye can follow."""


class TableScreen(Screen[None]):
    """A table and everything on it."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (118, "-wide")]  # noqa: RUF012 - as Textual declares it
    VERTICAL_BREAKPOINTS = [(0, "-low"), (36, "-high")]  # noqa: RUF012 - as above
    AUTO_FOCUS = ""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "roll", "Roll"),
        Binding("enter", "bet", "Bet"),
        Binding("minus", "lower", "Less"),
        Binding("o", "odds(False)", "Odds"),
        Binding("w", "works", "On/off"),
        Binding("r", "word('repeat')", "Repeat"),
        Binding("u", "word('undo')", "Undo"),
        Binding("y", "why", "Why"),
        Binding("colon", "say", "Say"),
        Binding("l,escape", "leave", "Leave"),
        Binding("question_mark", "help", "Help"),
        Binding("O", "odds(True)", "All odds"),
        Binding("U", "word('redo')", "Redo"),
        Binding("backspace,delete", "take", "Take down"),
        Binding("t", "word('take all')", "Take all"),
        Binding("a", "word('shoot')", "Take the dice"),
        Binding("p,d", "pass_dice", "Pass the dice"),
        Binding("b", "rebuy", "Buy chips"),
        Binding("s", "word('save')", "Save"),
        Binding("q", "app.stop", "Quit"),
        Binding("pageup,left_square_bracket", "turn('numbers')"),
        Binding("pagedown,right_square_bracket", "turn('props')"),
        Binding("tab", "step(1)", priority=True),
        Binding("shift+tab", "step(-1)", priority=True),
        *(Binding(side, f"move('{side}')") for side in ("up", "down", "left", "right")),
        *(Binding(str(digit), f"chip({digit})") for digit in range(1, 10)),
    ]

    def __init__(self, sitting: Sitting, pause_s: float = PAUSE_S) -> None:
        super().__init__()
        self.sitting = sitting
        self.pause_s = pause_s
        floor = max(sitting.state.notice.minimum, sitting.state.notice.chip)
        self.chip = next((chip for chip in sitting.table.chips if chip >= floor), sitting.table.chips[-1])
        """The chip in hand."""
        self.figures: Mapping[str, WagerOdds] = {}
        """The exact figures, once they are worked out."""
        self._hovered: str | None = None

    def compose(self) -> ComposeResult:
        """Title, felt with its surroundings, the spot looked at, the log, the tray, what to do, the keys."""
        yield Static(self._title(), id="title", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                with Horizontal(id="top"):
                    yield DiceFaces()
                    yield Static(id="status")
                yield Static(id="tabs")
                yield Felt(self.sitting)
            with Vertical(id="side"):
                yield DiceFaces()
                yield Static(id="side-status")
                yield Static(id="seats")
                yield Static(id="side-log")
        yield Static(id="info")
        yield Static(id="result")
        yield Static(id="log")
        yield ChipTray()
        yield Static(id="hint", markup=False)
        yield Keys()

    def _title(self) -> str:
        sitting = self.sitting
        parts = [sitting.table.house.name, sign(sitting.layout, sitting.state.notice)]
        if sitting.typed:
            parts.append("real dice: you type them")
        elif sitting.practice:
            parts.append(f"practice, seed {sitting.settings.seed}")
        return " · ".join(parts)

    def on_mount(self) -> None:
        """Look at the line bet, and have the odds worked out meanwhile."""
        self.felt.go(self.sitting.layout.line[0] if self.sitting.layout.line else next(iter(self.felt.plan.keys)))
        self.felt.turn(self.felt.page)
        self.show()
        self.run_worker(self._work_out, thread=True, exit_on_error=False)

    def _work_out(self) -> None:
        found = figures(self.sitting.table.house)
        self.app.call_from_thread(self._know, found)

    def _know(self, found: Mapping[str, WagerOdds]) -> None:
        self.figures = found
        self.show()

    def on_resize(self) -> None:
        """The log has as many lines as there are."""
        if self.is_mounted:
            self.call_after_refresh(self.show)

    # --- Drawing ----------------------------------------------------------------------------------------------------

    @property
    def felt(self) -> Felt:
        """The felt."""
        return self.query_one(Felt)

    @property
    def looked_at(self) -> str | None:
        """The spot under the cursor."""
        return self.focused.key if isinstance(self.focused, Cell) else None

    def show(self) -> None:
        """Draw everything as it stands."""
        sitting = self.sitting
        self.felt.show(sitting, self.figures)
        for dice in self.query(DiceFaces):
            dice.show(sitting)
        self._write("#status", status_text(sitting))
        self._write("#side-status", status_text(sitting, tall=True))
        self.query_one("#seats", Static).update(seats_text(sitting))
        side = self.query_one("#side-log", Static)
        side.update(log_text(sitting, *side.size, everybody=True), layout=False)
        self._write("#result", result_text(sitting))
        log = self.query_one("#log", Static)
        log.update(log_text(sitting, *log.size, everybody=False), layout=False)
        self.query_one(ChipTray).show(sitting, self.chip)
        self._write("#hint", what_now(sitting, at=self.looked_at))
        self._show_tabs()
        self._show_spot()

    def _write(self, where: str, text: Text | str) -> None:
        """Put a text where the room for it is fixed, so that nothing has to be laid out again."""
        self.query_one(where, Static).update(text, layout=False)

    def _show_tabs(self) -> None:
        up = dict.fromkeys(Felt.PAGES, 0)
        for key, wager in (self.sitting.seat.felt if self.sitting.seat else {}).items():
            up[self.felt.page_of(key)] += wager.stake
        names = {"numbers": "Numbers and lines", "props": "Proposition box"}
        text = Text(no_wrap=True, overflow="ellipsis")
        for page in Felt.PAGES:
            chips = f", {self.sitting.layout.money(up[page])} up" if up[page] else ""
            here = page == self.felt.page
            text.append(
                f"▸{names[page]}{chips}◂ " if here else f" {names[page]}{chips}  ", "bold #f2d16b" if here else "dim"
            )
        text.append(" PgUp, PgDn or a click", "dim")
        self._write("#tabs", text)

    def _show_spot(self) -> None:
        key = self._hovered or self.looked_at
        if key is not None:
            room = self.query_one("#info").content_size
            text = spot_text(
                self.sitting, key, self.chip, edges=bool(self.figures), room=(max(1, room.width), room.height)
            )
            self._write("#info", text)

    # --- What the widgets tell --------------------------------------------------------------------------------------

    def on_cell_seen(self, event: Cell.Seen) -> None:
        """Tell about the spot that is looked at; the mouse comes before the cursor."""
        self._hovered = event.key if event.key != self.looked_at else None
        self._show_spot()
        self._write("#hint", what_now(self.sitting, at=self.looked_at))

    def on_cell_asked(self, event: Cell.Asked) -> None:
        """A click on a spot."""
        if event.more:
            self.sitting.bet(event.key, self.chip)
        else:
            self.sitting.lower(event.key, self.chip)
        self.show()

    def on_chip_tray_chosen(self, event: ChipTray.Chosen) -> None:
        """A click on a chip."""
        self.chip = event.chip
        self.show()

    def on_dice_faces_clicked(self) -> None:
        """A click on the dice."""
        self.action_roll()

    def on_felt_turned(self) -> None:
        """The other side of the felt came up."""
        self._show_tabs()

    def on_click(self, event: object) -> None:
        """A click on the tabs turns the page."""
        widget = getattr(event, "widget", None)
        if widget is not None and widget.id == "tabs":
            self.action_turn("props" if self.felt.page == "numbers" else "numbers")

    # --- Keys -------------------------------------------------------------------------------------------------------

    def action_move(self, direction: Direction) -> None:
        """Go to the next spot that way."""
        self._hovered = None
        self.felt.move(direction)

    def action_step(self, by: int) -> None:
        """Go to the next spot in reading order."""
        self._hovered = None
        self.felt.step(by)

    def action_turn(self, page: str) -> None:
        """Go to the other side of the felt."""
        self.felt.go(next(key for key in self.felt.plan.keys if self.felt.page_of(key) == page))

    def action_chip(self, digit: int) -> None:
        """Take another chip in hand."""
        if digit <= len(self.sitting.table.chips):
            self.chip = self.sitting.table.chips[digit - 1]
            self.show()

    def _on_spot(self, act: Callable[[str], object]) -> None:
        if self.looked_at is not None:
            act(self.looked_at)
            self.show()

    def action_bet(self) -> None:
        """Add the chip in hand."""
        self._on_spot(lambda key: self.sitting.bet(key, self.chip))

    def action_lower(self) -> None:
        """Take a chip's worth off."""
        self._on_spot(lambda key: self.sitting.lower(key, self.chip))

    def action_take(self) -> None:
        """Take the wager down."""
        self._on_spot(self.sitting.take)

    def action_works(self) -> None:
        """Call the wager off or on."""
        self._on_spot(self.sitting.toggle)

    def action_odds(self, everything: bool) -> None:  # noqa: FBT001 - a key's argument
        """Put odds behind a flat bet."""
        self.sitting.odds(self.looked_at, None if everything else self.chip)
        self.show()

    def action_word(self, words: str) -> None:
        """Say what a key stands for."""
        self._answered(talk(self.sitting, words), words)

    def action_pass_dice(self) -> None:
        """Pass the dice on."""
        self.sitting.pass_dice()
        self.show()

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(Help())

    def action_why(self) -> None:
        """Show why the last chips moved."""
        self.app.push_screen(Why(self.sitting))

    def tell(self, text: str) -> None:
        """Say something that is no act at the table."""
        self.sitting.note(text)
        self.show()

    # --- The dice ---------------------------------------------------------------------------------------------------

    def action_roll(self) -> None:
        """Send the dice out; they land after a moment, or when their faces are typed."""
        sitting = self.sitting
        if sitting.state.phase == "disputed":
            self.tell("A die is in doubt: press : and rule on it first.")
            return
        if sitting.state.phase == "betting" and isinstance(sitting.send(), Refusal):
            self.show()
            return
        self.show()
        if sitting.typed:
            ask = Ask("The dice are out. Which faces do they show?", "4-2", _complaint)
            self.app.push_screen(ask, self._typed)
        elif self.pause_s:
            self.set_timer(self.pause_s, self._land)
        else:
            self._land()

    def _typed(self, text: str | None) -> None:
        if text is not None:
            self.sitting.throw(read_faces(text))
            self.sitting.rested()
        self.show()

    def _land(self) -> None:
        """The dice come to rest; a second press of Space in the air has nothing left to land."""
        if self.sitting.state.phase == "dice out":
            self.sitting.throw()
            self.sitting.rested()
        self.show()

    # --- Typing -----------------------------------------------------------------------------------------------------

    def action_say(self) -> None:
        """Type a line to the crew."""
        self.app.push_screen(
            Ask("Say it: a line of a record, or an amount for this spot", "bet place_6 12"), self._said
        )

    def _said(self, text: str | None) -> None:
        if text is None:
            return
        key = self.looked_at
        if key is not None and text.strip().replace(".", "", 1).isdigit():
            text = f"bet {key} {text.strip()}"
        if text.split()[0] == "roll":
            faces = text.split()[1:]
            if self.sitting.typed and faces and _complaint(" ".join(faces)) is None:
                self.sitting.send() if self.sitting.state.phase == "betting" else None
                self._typed(" ".join(faces))
            else:
                self.action_roll()
            return
        self._answered(talk(self.sitting, text), text)

    def _answered(self, reply: Reply, text: str) -> None:
        """Show what was said back: in the log, or on a page where it is long."""
        if len(reply.lines) > 2:
            self.app.push_screen(Page(text, "\n".join(reply.lines)))
        else:
            for line in reply.lines:
                self.sitting.note(line)
        self.show()
        if reply.end == "left":
            self._reckon()
        elif reply.end == "quit":
            self.app.exit()

    def action_rebuy(self) -> None:
        """Buy more chips."""
        usual = self.sitting.layout.money(self.sitting.usual_buyin)
        self.app.push_screen(Ask(f"Buy chips for how much? (such as {usual})", usual, _no_amount), self._bought)

    def _bought(self, text: str | None) -> None:
        if text is not None:
            self.action_word(f"buyin {text}")

    def action_leave(self) -> None:
        """Ask, then leave."""
        stays = self.sitting.on_table
        more = " What cannot come down runs on without you." if stays else ""
        self.app.push_screen(Confirm(f"Leave the table with your chips?{more}"), self._left)

    def _left(self, sure: bool | None) -> None:  # noqa: FBT001 - an answer
        if sure:
            self.action_word("leave")

    def _reckon(self) -> None:
        lines = "\n".join(tell(self.sitting.layout, self.sitting.reckoning()))
        self.app.push_screen(Page("The evening", lines), lambda _: self.app.exit())


def _complaint(text: str) -> str | None:
    """What is wrong with faces as typed."""
    try:
        read_faces(text)
    except ValueError as error:
        return f"{str(error).capitalize()}."
    return None


def _no_amount(text: str) -> str | None:
    """What is wrong with an amount as typed."""
    try:
        return None if chips_of(text.strip()) else "An amount of chips is more than nothing."
    except ValueError as error:
        return f"Expected {error}."
