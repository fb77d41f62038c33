"""The keys of the table: what each asks for, and the line that shows those wanted most."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import Static

BINDINGS: list[BindingType] = [
    Binding("space", "roll", "Roll"),
    Binding("enter", "bet", "Bet"),
    Binding("minus", "lower", "Less"),
    Binding("o", "odds(False)", "Odds"),
    Binding("w", "works", "On/off"),
    Binding("r", "word('repeat')", "Repeat"),
    Binding("u", "word('undo')", "Undo"),
    Binding("y", "why", "Why"),
    Binding("colon", "say", "Say"),
    Binding("l", "leave", "Leave"),
    Binding("question_mark", "help", "Help"),
    Binding("O", "odds(True)", "All odds"),
    Binding("U", "word('redo')", "Redo"),
    Binding("backspace,delete", "take", "Take down"),
    Binding("t", "word('take all')", "Take all"),
    Binding("a", "word('shoot')", "Take the dice"),
    Binding("d", "pass_dice", "Pass the dice"),
    Binding("p", "line('line')", "Bet the line"),
    Binding("P", "line('dont line')", "Bet against the line"),
    Binding("c", "line('come')", "Come"),
    Binding("C", "line('dont come')", "Don't come"),
    Binding("f", "line('field')", "Field"),
    Binding("n", "number", "Place a number"),
    Binding("x", "press", "Press"),
    Binding("m", "more", "More rows"),
    Binding("k", "keep", "Keep the line bet up"),
    Binding("h", "heard", "Everything that was said"),
    Binding("b", "rebuy", "Buy chips"),
    Binding("s", "word('save')", "Save"),
    Binding("q", "app.stop", "Quit"),
    Binding("pageup,left_square_bracket", "turn(-1)"),
    Binding("pagedown,right_square_bracket", "turn(1)"),
    Binding("tab", "step(1)", priority=True),
    Binding("shift+tab", "step(-1)", priority=True),
    *(Binding(side, f"move('{side}')") for side in ("up", "down", "left", "right")),
    *(Binding(str(digit), f"chip({digit})") for digit in range(1, 10)),
]


class Keys(Static):
    """The keys that are wanted most; a click does what the key does."""

    SHOWN: ClassVar = (
        ("Spc", "Roll", "roll"),
        ("p", "Line", "line('line')"),
        ("c", "Come", "line('come')"),
        ("f", "Field", "line('field')"),
        ("n", "Place", "number"),
        ("o", "Odds", "odds(False)"),
        ("r", "Same", "word('repeat')"),
        ("u", "Undo", "word('undo')"),
        ("y", "Why", "why"),
        ("?", "Help", "help"),
        ("l", "Leave", "leave"),
        ("x", "Press", "press"),
        ("O", "All odds", "odds(True)"),
        ("w", "On/off", "works"),
        (":", "Say", "say"),
    )

    def __init__(self) -> None:
        super().__init__(id="keys")
        self.places: list[tuple[int, int, str]] = []

    def on_resize(self, event: events.Resize) -> None:
        text = Text(no_wrap=True)
        self.places = []
        for key, what, action in self.SHOWN:
            start = text.cell_len + bool(self.places)
            if start + len(f"{key} {what}") > event.size.width:
                break
            text.append(" " * bool(self.places)).append(key, "bold #f2d16b").append(f" {what}")
            self.places.append((start, text.cell_len, action))
        self.update(text, layout=False)

    async def on_click(self, event: events.Click) -> None:
        for start, end, action in self.places:
            if start <= event.x < end:
                await self.screen.run_action(action)
