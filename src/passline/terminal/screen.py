"""The table on the screen: every key and click becomes an act of the evening, and every act is drawn.

Around it the program: the menu, the signals, and no traceback for the player.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.driver import Driver
from textual.events import Click, Event, Key
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from passline.engine.commands import Bet
from passline.engine.refusals import Refusal
from passline.errors import CannotBeSeated
from passline.files.amounts import chips_of
from passline.sitting.door import Setup, menu, sit_down
from passline.sitting.hints import what_now
from passline.sitting.reckoning import tell
from passline.sitting.sitting import Sitting, read_faces
from passline.sitting.spots import figures
from passline.sitting.talk import talk as order_of
from passline.sitting.words import talk
from passline.telling.card import sign
from passline.telling.figures import counted, listed
from passline.terminal import panels
from passline.terminal.felt import Direction, Felt
from passline.terminal.panels import BINDINGS, AskLine, Confirm, Help, Menu, Page, Pick, Why
from passline.terminal.run import SIGNALS, how_we_were_called

if TYPE_CHECKING:
    from passline.odds.wagers import WagerOdds

SPEEDS = {"slow": 1.5, "normal": 0.7, "fast": 0.25, "instant": 0.0}
PAUSE_S = SPEEDS["normal"]
FOLLOW_S = 0.2

SIZE_MIN = (72, 23)
NUMBER_KEYS = {10: "0", 11: "1", 12: "t"}
LOG_MAX = 300
LOW, HIGH = 24, 30  # up to LOW lines nothing is to spare; from HIGH on the dice show their pips
LOG_LINES = 3  # a log of so many lines has the whole of a refusal
INFO_LINES, OTHER_LINES = 3, 5  # Lines for the spot looked at; and for title, result, chips, hint and keys

P = ParamSpec("P")


def when_they_land(act: Callable[Concatenate[TableScreen, P], None]) -> Callable[Concatenate[TableScreen, P], None]:
    """What a key asks for while the dice are in the air waits for them, in order: no key is lost."""

    @wraps(act)
    def played(self: TableScreen, /, *args: P.args, **named: P.kwargs) -> None:
        if self.in_the_air:
            self.waiting.append(lambda: act(self, *args, **named))
            self._share()
        else:
            act(self, *args, **named)

    return played


class Clickable(Static):
    auto_links = False


class TableScreen(Screen[None]):
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (118, "-wide")]  # noqa: RUF012 - as Textual declares it
    VERTICAL_BREAKPOINTS = [(0, "-low"), (HIGH, "-high")]  # noqa: RUF012 - as above
    AUTO_FOCUS = ""

    BINDINGS: ClassVar[list[BindingType]] = BINDINGS

    def __init__(self, sitting: Sitting, pause_s: float = PAUSE_S) -> None:
        super().__init__()
        self.sitting = sitting
        self.felt = Felt(sitting)
        self.pause_s = pause_s
        floor = sitting.state.notice.least
        self.chip = next((chip for chip in sitting.table.chips if chip >= floor), sitting.table.chips[-1])
        self.figures: Mapping[str, WagerOdds] = {}
        self._hovered: str | None = None
        self._over = False
        self._info_lines = INFO_LINES
        self._worded = ""  # what the last key stood for
        self.waiting: list[Callable[[], None]] = []  # what was asked for while the dice are in the air
        self._landing: Timer | None = None
        self._read = len(sitting.log)
        self._fresh = [entry for entry in sitting.log if entry.tone == "no"]

    def compose(self) -> ComposeResult:
        yield Static(id="small", markup=False)
        yield Static(self._title(), id="title", markup=False)
        with Horizontal(id="top"):
            yield Static(id="dice")
            yield Static(id="status")
        yield self.felt
        yield Static(id="info")
        yield Static(id="result")
        with Horizontal(id="said"):
            yield Static(id="log")
            yield Static(id="seats")
        yield Clickable(id="tray")
        yield Static(id="hint", markup=False)
        yield Clickable(id="keys")

    def _title(self) -> str:
        sitting = self.sitting
        practice = f"practice, seed {sitting.settings.seed}" if sitting.practice else ""
        dice = "real dice: you type them" if sitting.typed else practice
        # What is cut on a narrow screen is the end of the sign.
        parts = (sitting.table.house.name, dice, sign(sitting.layout, sitting.state.notice))
        return " · ".join(filter(None, parts))

    def on_mount(self) -> None:
        self.felt.go(self.sitting.layout.line[0] if self.sitting.layout.line else next(iter(self.felt.plan.keys)))
        self.show()
        self.run_worker(self._work_out, thread=True, exit_on_error=False)
        self.set_interval(FOLLOW_S, self._follow)

    def _follow(self) -> None:
        if not self._over and self.sitting.news():
            self.show()

    def _work_out(self) -> None:
        self.figures = figures(self.sitting.table.house)
        self.app.call_from_thread(self.show)

    def on_resize(self) -> None:
        if self.is_mounted:
            self._share()
            self.call_after_refresh(self.show)

    def _share(self) -> None:
        """Give the felt the height it wants; a screen that is too small says so."""
        width, height = self.app.size
        small = width < SIZE_MIN[0] or height < SIZE_MIN[1]
        self.set_class(small, "-small")
        if small:
            need = f"The table needs {SIZE_MIN[0]} columns and {SIZE_MIN[1]} lines, not {width} and {height}."
            words = f"Make it larger, or play in words: {how_we_were_called()} --plain."
            self._write("#small", f"{need} {words} Until then ? helps, and q saves and goes.")
            return
        roomy = height > LOW or (height == LOW and not any(row.on_request for row in self.felt.rows))
        info = INFO_LINES if roomy else INFO_LINES - 1
        around = OTHER_LINES + info + (3 if height >= HIGH else 2)
        felt = self.felt.wanted(width, height - around)
        self.felt.styles.height = felt
        log = height - felt - around
        self.query_one("#said").display = log > 0
        hint = self._hint(alone=log <= 0, with_log=log >= LOG_LINES, roomy=roomy)
        for where, text in (("#result", panels.result_text(self.sitting)), ("#hint", hint)):
            lines = max(1, min(info, len(wrap(text.plain, width - 2))))
            info -= lines - 1
            self.query_one(where).styles.height = lines
            self._write(where, text)
        self._info_lines = info
        self.query_one("#info").styles.height = info

    # --- Drawing ----------------------------------------------------------------------------------------------------

    def show(self) -> None:
        sitting = self.sitting
        if sitting.seat is None:
            return
        self._share()
        self.felt.show(self.figures)
        self._write("#dice", panels.dice_text(sitting))
        self._write("#status", panels.status_text(sitting, tall=self.app.size.height >= HIGH))
        self._write("#seats", panels.seats_text(sitting))
        log = self.query_one("#log", Static)
        log.update(panels.log_text(sitting, *log.size), layout=False)
        self._write("#tray", panels.tray_text(sitting, self.chip, self.app.size.width))
        self._write("#keys", panels.keys_text(self.app.size.width))
        self._show_spot()

    def _hint(self, *, alone: bool, with_log: bool, roomy: bool) -> Text:
        """What can be done now; or why the last act was refused, and what it did, where no log is there to tell."""
        if len(self.sitting.log) > self._read:
            self._fresh = self.sitting.log[self._read :]
            self._read = len(self.sitting.log)
        if self.waiting:
            keys = counted(len(self.waiting), "key")
            return Text(f"In the air: Space lands the dice and plays {keys}; Esc drops what waits.")
        refused = [entry for entry in self._fresh if entry.tone == "asks" or (entry.tone == "no" and not with_log)]
        if refused:
            sign = "?" if refused[-1].tone == "asks" else "!"
            question = self.sitting.question
            same = f"Same key: {question.options[0].says}; " if question and question.line == self._worded else ""
            again = f" {same}: answers." if question else ""
            return Text(f"{sign} {' '.join(entry.text for entry in refused)}{again}", "bold #ffd166")
        now = what_now(self.sitting, about=self.chip)
        rolled = any(entry.tone == "call" for entry in self._fresh)
        done = " ".join(entry.text for entry in self._fresh if entry.tone == "mine" and alone and not rolled)
        last = self.sitting.table.history[-1].command if self.sitting.table.history else None
        seen = isinstance(last, Bet) and last.wager == self.felt.cursor
        fits = len(f"{done} {now}") <= self.app.size.width - 2
        if not done or (seen and not fits):
            return Text(now)
        return Text(f"{done} {now}" if fits or roomy else done)

    def _write(self, where: str, text: Text | str) -> None:
        """Updates a text of fixed size, so that nothing has to be laid out again."""
        self.query_one(where, Static).update(text, layout=False)

    def _show_spot(self) -> None:
        room = max(1, self.query_one("#info").content_size.width), self._info_lines  # the height it is about to have
        key = self._hovered or self.felt.cursor
        self._write("#info", panels.spot_text(self.sitting, key, self.chip, edges=bool(self.figures), room=room))

    # --- What the widgets tell --------------------------------------------------------------------------------------

    def on_felt_seen(self, event: Felt.Seen) -> None:
        self._hovered = event.key if event.key != self.felt.cursor else None
        self._show_spot()

    @when_they_land
    def on_felt_asked(self, event: Felt.Asked) -> None:
        self.action_word(f"{self._chip} {'on' if event.more else 'off'} {event.key}")

    def on_click(self, event: Click) -> None:
        """A click on the dice rolls them; where they have no room for pips, on what stands in their place."""
        if event.widget is not None and event.widget.id in {"dice", "status"}:
            self.action_roll()

    # --- Keys -------------------------------------------------------------------------------------------------------

    @when_they_land
    def action_move(self, direction: Direction) -> None:
        self._hovered = None
        self.felt.move(direction)

    @when_they_land
    def action_step(self, by: int) -> None:
        self._hovered = None
        self.felt.step(by)

    @when_they_land
    def action_turn(self, by: int) -> None:
        self.felt.leaf(by)

    @when_they_land
    def action_chip(self, digit: int) -> None:
        if digit <= len(self.sitting.table.chips):
            self.chip = self.sitting.table.chips[digit - 1]
            self.show()

    @property
    def _chip(self) -> str:
        """The chip in hand as it is said: the dealers make it proper."""
        return f"about {self.sitting.layout.money(self.chip)}"

    @when_they_land
    def action_line(self, where: str) -> None:
        strip = next((strip for strip in self.felt.plan.lines if strip.where == where), None)
        self._bet(strip.spots[0].key) if strip else self.tell("This house has no such bet.")

    @when_they_land
    def _bet(self, key: str) -> None:
        self.felt.go(key)
        self.action_word("{chip} on {here}")

    def action_drop(self) -> None:
        self.waiting.clear()
        self.show()

    def action_number(self) -> None:
        row = next((row for row in self.felt.plan.rows if row.kind == "number" and row.side == "do"), None)
        if row is None:
            self.tell("This house has no bets on numbers.")
            return
        spots = dict(zip(self.felt.plan.points, row.spots, strict=True))
        keys = {NUMBER_KEYS.get(point, str(point)): spot.key for point, spot in spots.items() if spot}
        names = [f"{point} ({NUMBER_KEYS[point]})" if point in NUMBER_KEYS else str(point) for point in spots]
        question = f"{row.name}: which number? {'  '.join(names)}"
        self.app.push_screen(Pick(question, keys), lambda key: self._bet(key) if key else None)

    def action_more(self) -> None:
        self.felt.everything = not self.felt.everything
        if self.felt.cursor not in self.felt.places:
            self.felt.go(self.sitting.layout.line[0])
        self.show()

    def action_log(self) -> None:
        lines = [panels.entry_text(entry).plain for entry in reversed(self.sitting.log)]
        self.app.push_screen(Page("Log, newest first", "\n".join(lines[:LOG_MAX])))

    @when_they_land
    def action_works(self) -> None:
        key = self.felt.cursor
        works = key in self.sitting.felt and self.sitting.works(key)
        self.action_word(f"{key} {'off' if works else 'on'}")

    @when_they_land
    def action_odds(self, everything: bool) -> None:  # noqa: FBT001 - a key's argument
        """Put odds behind the bet looked at, or whichever waits for them."""
        sitting, spots = self.sitting, self.sitting.layout.spots
        looked = spots[self.felt.cursor]
        flat = spots[looked.flat] if looked.is_odds else looked
        named = f" on {flat.key}" if flat.odds and flat.key in sitting.felt else ""
        self.action_word(f"{'max' if everything else self._chip} odds{named}")

    def action_keep(self) -> None:
        self.action_word("keep no line bet" if self.sitting.keeps_line else "keep my line bet")

    def action_press(self) -> None:
        self.action_word(f"press {self.felt.cursor if self.felt.cursor in self.sitting.felt else 'it'}")

    @when_they_land
    def action_word(self, words: str) -> None:
        """Say what a key stands for; the same key again answers a dealer's question, any other lets it drop."""
        words = words.format(here=self.felt.cursor, chip=self._chip)
        question, self.sitting.question = self.sitting.question, None
        if question is not None and question.line == words:
            words = question.options[0].line
        self._worded = words
        if much := self._much(words):
            self.app.push_screen(Confirm(much), lambda sure: self._do(words) if sure else None)
        else:
            self._do(words)

    def _do(self, words: str) -> None:
        reply = talk(self.sitting, words)
        if len(reply.lines) > 2:
            self.app.push_screen(Page(words, "\n".join(reply.lines)))
        elif reply.lines:
            self.sitting.note(" ".join(reply.lines))
        self.show()
        if reply.end == "left":
            self._over = True
            lines = "\n".join(tell(self.sitting.layout, self.sitting.reckoning(), self.sitting.currency))
            self.app.push_screen(Page("The evening", lines), lambda _: self.app.exit())
        elif reply.end == "quit":
            self.app.exit()

    def _much(self, words: str) -> str:
        """What is asked before a key that stakes the whole rail, or most of it and more than the chip in hand."""
        rail, money, spots = self.sitting.rail, self.sitting.layout.money, self.sitting.layout.spots
        order = order_of(self.sitting.at_the_rail(), words)
        bets = {each.wager: each.amount for each in order.commands if isinstance(each, Bet)}
        wanted = sum(bets.values())
        if not bets or (wanted < rail and (wanted <= self.chip or 2 * wanted < rail)):
            return ""
        return f"Put {money(wanted)} of the {money(rail)} on your rail on {listed([spots[key].name for key in bets])}?"

    def action_help(self) -> None:
        self.app.push_screen(Help(self.sitting.layout, self.app.size.width))

    def action_why(self) -> None:
        self.app.push_screen(Why(self.sitting))

    def tell(self, text: str) -> None:
        self.sitting.note(text)
        self.show()

    # --- The dice ---------------------------------------------------------------------------------------------------

    @property
    def in_the_air(self) -> bool:
        """Whether dice are out that will land by themselves."""
        return self.sitting.state.phase == "dice out" and not self.sitting.typed and not self._over

    def action_roll(self) -> None:
        """Send the dice out; they land after a moment, on another Space, or when their faces are typed.

        A Space in the air after other keys lands them, plays those keys and sends the dice again.
        """
        sitting = self.sitting
        if self.in_the_air:
            again = bool(self.waiting)
            self._land()
            if not again or sitting.question is not None or self.app.screen is not self:
                return
        if sitting.state.phase == "disputed":
            self.tell("A die is in doubt: press : and rule on it first.")
            return
        if sitting.undecided:
            self.tell(what_now(sitting, about=self.chip))
            return
        if sitting.state.phase == "betting" and isinstance(sitting.send(), Refusal):
            self.show()
            return
        self.show()
        if sitting.typed:
            ask = AskLine("The dice are out. Which faces do they show?", "4-2", _complaint)
            self.app.push_screen(ask, self._typed)
        elif self.pause_s:
            self._landing = self.set_timer(self.pause_s, self._land)
        else:
            self._land()

    def _typed(self, text: str | None) -> None:
        if text is not None:
            self.sitting.throw(read_faces(text))
            self.sitting.rested()
        self.show()

    def _land(self) -> None:
        if self._landing is not None:
            self._landing.stop()  # or it would cut the next throw short
            self._landing = None
        if self.sitting.state.phase == "dice out":
            self.sitting.throw()
            self.sitting.rested()
        self.show()
        self._play_waiting()

    def on_screen_resume(self) -> None:
        """A question has been answered: what was asked for after it is played now."""
        self._play_waiting()

    def _play_waiting(self) -> None:
        """Play the keys that waited; none of them answers a question that nobody had seen when it was pressed."""
        while self.waiting and not self.in_the_air and self.app.screen is self:
            self.waiting.pop(0)()
            if self.sitting.question:
                self.waiting.clear()

    # --- Typing -----------------------------------------------------------------------------------------------------

    def action_say(self) -> None:
        asks, example = "Talk to the dealers, or an amount for this spot", "32 across, press my six, max odds"
        if question := self.sitting.question:
            asks, example = question.asks, " or ".join(option.says for option in question.options)
        self.app.push_screen(AskLine(asks, example), self._typed_line)

    @when_they_land
    def _typed_line(self, text: str | None) -> None:
        self._worded = ""
        if text is None:
            if self.sitting.question:
                self.sitting.question = None
                self.tell("No bet.")
            return
        if not self.sitting.question and text.replace(".", "", 1).isdigit():
            text = f"bet {self.felt.cursor} {text}"
        word, _, faces = text.partition(" ")
        if word == "roll":
            if self.sitting.typed and faces and _complaint(faces) is None:
                self.sitting.send() if self.sitting.state.phase == "betting" else None
                self._typed(faces)
            else:
                self.action_roll()
            return
        self._do(text)
        if self.sitting.question:
            self.action_say()

    def action_rebuy(self) -> None:
        usual = self.sitting.layout.money(self.sitting.usual_buyin)
        ask = AskLine("Buy chips for how much?", usual, _no_amount, value=usual)
        self.app.push_screen(ask, lambda text: self.action_word(f"buyin {text}") if text else None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A player who has left can do nothing more while the summary is shown, nor who cannot see the table."""
        shut = self._over or (self.has_class("-small") and action != "help")
        return False if shut else super().check_action(action, parameters)

    def action_leave(self) -> None:
        down = " Odds and place bets come down with you; a line bet on its point stays in action."
        question = f"Leave the table with your chips?{down if self.sitting.on_table else ''}"
        self.app.push_screen(Confirm(question), lambda sure: self.action_word("leave") if sure else None)


def _complaint(text: str) -> str | None:
    try:
        read_faces(text)
    except ValueError as error:
        return f"{str(error).capitalize()}."
    return None


def _no_amount(text: str) -> str | None:
    try:
        return None if chips_of(text) else "Bet at least one chip."
    except ValueError as error:
        return f"Expected {error}."


# --- The program around it --------------------------------------------------------------------------------------------

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

    def _handle_exception(self, error: Exception) -> None:
        self.crash = self.crash or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End without drawing a traceback over the player's table."""
        self._close_messages_no_wait()
