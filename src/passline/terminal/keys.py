"""The keys of the table and what each asks for: `{here}` is the spot looked at, `{chip}` the chip in hand."""

from textual.binding import Binding, BindingType

# What each key asks for, the most wanted first: the line of keys shows as many of these as there is room for.
WANTED: list[Binding] = [
    Binding("space", "roll", "Roll"),
    Binding("p", "line('line')", "Line"),
    Binding("c", "line('come')", "Come"),
    Binding("f", "line('field')", "Field"),
    Binding("n", "number", "Place"),
    Binding("o", "odds(False)", "Odds"),
    Binding("r", "word('repeat')", "Same"),
    Binding("u", "word('undo')", "Undo"),
    Binding("y", "why", "Why"),
    Binding("question_mark", "help", "Help"),
    Binding("l", "leave", "Leave"),
    Binding("x", "press", "Press"),
    Binding("O", "odds(True)", "All odds"),
    Binding("w", "works", "On/off"),
    Binding("colon", "say", "Say"),
]
NAMES = {"space": "Spc", "question_mark": "?", "colon": ":"}
SHOWN = [(NAMES.get(each.key, each.key), each.description, each.action) for each in WANTED]

BINDINGS: list[BindingType] = [
    *WANTED,
    Binding("enter", "word('{chip} on {here}')"),
    Binding("minus", "word('{chip} off {here}')"),
    Binding("U", "word('redo')"),
    Binding("backspace,delete", "word('down on {here}')"),
    Binding("t", "word('take all')"),
    Binding("a", "word('shoot')"),
    Binding("d", "word('pass the dice')"),
    Binding("P", "line('dont line')"),
    Binding("C", "line('dont come')"),
    Binding("escape", "drop"),
    Binding("m", "more"),
    Binding("k", "keep"),
    Binding("h", "log"),
    Binding("b", "rebuy"),
    Binding("s", "word('save')"),
    Binding("q", "app.stop"),
    Binding("pageup,left_square_bracket", "turn(-1)"),
    Binding("pagedown,right_square_bracket", "turn(1)"),
    Binding("tab", "step(1)", priority=True),
    Binding("shift+tab", "step(-1)", priority=True),
    *(Binding(side, f"move('{side}')") for side in ("up", "down", "left", "right")),
    *(Binding(str(digit), f"chip({digit})") for digit in range(1, 10)),
]
