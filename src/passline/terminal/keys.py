"""The keys of the table and what each asks for: `{here}` is the spot looked at, `{chip}` the chip in hand."""

from __future__ import annotations

from textual.binding import Binding, BindingType

BINDINGS: list[BindingType] = [
    Binding("space", "roll", "Roll"),
    Binding("enter", "word('{chip} on {here}')", "Bet"),
    Binding("minus", "word('{chip} off {here}')", "Less"),
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
    Binding("backspace,delete", "word('down on {here}')", "Take down"),
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


# The line of keys, the most wanted first: as many as there is room for.
SHOWN = (
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
