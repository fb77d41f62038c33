"""Screens over the table: the menu of houses, help, why, a line to type, a question, the reckoning."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from passline.engine.layout import Layout
from passline.sitting.log import why
from passline.sitting.sitting import Sitting
from passline.telling.names import how

_FILE: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("keys.toml").read_text("utf-8"))
KEYS, HELP = _FILE["help"], str(_FILE["page"]["text"])
NAMES = {"space": "Spc", "question_mark": "?", "colon": ":"}
SHOWN = [(NAMES.get(key, key), word, action) for key, (action, word) in _FILE["wanted"].items()]
BINDINGS: list[BindingType] = [
    *(Binding(key, action, word) for key, (action, word) in _FILE["wanted"].items()),
    *(Binding(key, action) for key, action in _FILE["others"].items()),
    *(Binding(key, action, priority=True) for key, action in _FILE["first"].items()),
    *(Binding(side, f"move('{side}')") for side in ("up", "down", "left", "right")),
    *(Binding(str(digit), f"chip({digit})") for digit in range(1, 10)),
]
KEY_WIDTH, HALF_WIDTH = 15, 39  # of a key, and of a key with what it does

T = TypeVar("T")


class Page(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space,question_mark,y", "dismiss(None)", "Close"),
    ]
    FOOT = "Esc closes, arrows scroll"

    def __init__(self, title: str, lines: str) -> None:
        super().__init__()
        self.heading, self.lines = title, lines

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page") as box:
            box.border_title, box.border_subtitle = self.heading, self.FOOT
            yield Static(Text(self.lines), id="page-text")

    def on_mount(self) -> None:
        self.query_one("#page").focus()


class Help(Page):
    def __init__(self, layout: Layout, width: int) -> None:
        keys = [f" {key:<{KEY_WIDTH}}{what}" for key, what in KEYS.items()]
        if width >= 2 * HALF_WIDTH:
            half = (len(keys) + 1) // 2
            beside = zip_longest(keys[:half], keys[half:], fillvalue=" ")
            keys = [f"{left:<{HALF_WIDTH}}{right[1:]}" for left, right in beside]
        lines = [layout.spots[key] for key in layout.line]
        ways = [f"{line.name} {how(line, 0, layout.book.points.value)}." for line in lines]
        against = "; against the line it is the other way round" * any(line.is_dont for line in lines)
        with_point = f"With a point the puck goes ON, and that number must come before a 7{against}."
        hand = f"A hand: bet the line while the puck is OFF. {' '.join(ways)} {with_point}"
        super().__init__("How to play", HELP.format(keys="\n".join(keys), hand=hand))


class Why(Page):
    """The settlements of a roll with their sums and clauses; left and right turn to other rolls."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(1)", "Earlier"),
        Binding("right", "turn(-1)", "Later"),
    ]

    FOOT = "left, right: other rolls; Esc closes"

    def __init__(self, sitting: Sitting) -> None:
        """Begin with the newest roll that decided anything of the person's."""
        self.sitting = sitting
        settled = enumerate(reversed(sitting.settlements))
        self.back = next((back for back, settlement in settled if settlement.mine), 0)
        super().__init__("Why", "\n".join(why(sitting, self.back)))

    def action_turn(self, by: int) -> None:
        self.back = min(max(0, self.back + by), max(0, len(self.sitting.settlements) - 1))
        self.query_one("#page-text", Static).update(Text("\n".join(why(self.sitting, self.back))))


class AskLine(ModalScreen[str | None]):
    """One line to type; what cannot be read keeps it open and says why."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Close")]

    def __init__(
        self, prompt: str, example: str, check: Callable[[str], str | None] | None = None, value: str = ""
    ) -> None:
        super().__init__()
        self.prompt, self.example, self.check, self.value = prompt, example, check, value

    def compose(self) -> ComposeResult:
        with Vertical(id="ask"):
            yield Static(self.prompt, id="ask-prompt", markup=False)
            yield Input(self.value, placeholder=self.example, id="ask-line", max_length=200)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        line = event.value.strip()
        if complaint := self.check(line) if self.check and line else None:
            self.query_one("#ask-prompt", Static).update(Text(complaint, "bold #ffd166"))
            self.query_one(Input).value = ""
        else:
            self.dismiss(line or None)


class Pick(ModalScreen[T | None]):
    """A question that one key answers; Escape answers nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Close")]

    def __init__(self, question: str, answers: Mapping[str, T], keys: str = "one key; Esc: none") -> None:
        super().__init__()
        self.question, self.answers, self.keys = question, answers, keys

    def compose(self) -> ComposeResult:
        with Vertical(id="ask"):
            yield Static(self.question, markup=False)
            yield Static(self.keys, classes="quiet")

    def on_key(self, event: Key) -> None:
        if event.key in self.answers:
            event.stop()
            self.dismiss(self.answers[event.key])


class Confirm(Pick[bool]):
    """Only y is a yes, for Enter may have been meant for the felt."""

    def __init__(self, question: str) -> None:
        super().__init__(question, {"y": True, "n": False}, "y: yes    n or Esc: no")


class Menu(ModalScreen[str]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape", "app.stop", "Quit"),
        *(Binding(str(digit), f"pick({digit})", show=False) for digit in range(1, 10)),
    ]

    def __init__(self, houses: list[tuple[str, str, str]]) -> None:
        super().__init__()
        self.houses = houses

    def compose(self) -> ComposeResult:
        with Vertical(id="menu"):
            yield Static(Text("P A S S L I N E", "bold #f2d16b"), id="menu-title")
            yield Static("Craps, played exactly by the book. Which house?", id="menu-line")
            lines = (Option(self._line(at), id=house) for at, (house, _, _) in enumerate(self.houses))
            yield OptionList(*lines, id="houses")
            yield Static("Enter or a number takes a seat, q quits", classes="quiet")

    def _line(self, at: int, *, here: bool = False) -> Text:
        house, name, line = self.houses[at]
        text = Text(f"{'▸' if here else ' '}{at + 1}  ")
        return text.append(name, "bold").append(f"  ({house})\n", "dim").append(f"    {line}")

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Mark the line under the cursor, for colour alone would not tell."""
        for at in range(len(self.houses)):
            event.option_list.replace_option_prompt_at_index(at, self._line(at, here=at == event.option_index))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id or self.houses[0][0])

    def action_pick(self, digit: int) -> None:
        if digit <= len(self.houses):
            self.dismiss(self.houses[digit - 1][0])
