"""What stands around the felt, and what opens over it.

Around it dice, puck, money, rolls, other seats, the log, the chip tray and the spot looked at; over it the menu of
houses, help, why, a line to type, a question, the reckoning.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
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
from passline.engine.values import CENTS
from passline.sitting.amounts import on_felt
from passline.sitting.log import LogLine, result, why
from passline.sitting.sitting import Sitting
from passline.sitting.spots import as_put, bounds, figures_of, standing, verdict
from passline.telling.figures import percent, signed
from passline.telling.names import as_spoken, how, price_of
from passline.telling.sentences import cited_after
from passline.terminal.felt import OFF, ON

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

LOOKS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("looks.toml").read_text("utf-8"))
PIPS: dict[str, list[str]] = LOOKS["pips"]
TONES: dict[str, str] = LOOKS["tones"]
SIGNS: dict[str, str] = LOOKS["signs"]
COLOURS: dict[int, str] = {int(value) * CENTS: colours for value, colours in LOOKS["chips"].items()}
FACES = " ⚀⚁⚂⚃⚄⚅"
DIE = "bold #b01020 on #f7f3e8"
STRIP_MAX = 24


def dice_text(sitting: Sitting) -> Text:
    flying = sitting.state.phase == "dice out" or not sitting.rolls
    faces = ("air", "air") if flying else (sitting.rolls[-1].first, sitting.rolls[-1].second)
    lines = zip(*(PIPS[str(face)] for face in faces), strict=True)
    return Text("\n", no_wrap=True).join(Text.assemble((one, DIE), " ", (other, DIE)) for one, other in lines)


def status_text(sitting: Sitting, *, tall: bool = False) -> Text:
    """Puck and call, then money and the last rolls: in two lines with the dice among them, or in three beside them.

    Of the rolls the newest is first; `*` made the point, `x` sevened out.
    """
    money, state, rolls = sitting.money, sitting.state, sitting.rolls[: -STRIP_MAX - 1 : -1]
    shooter = "No shooter"
    if state.shooter is not None:
        shooter = f"Shooter: {'you' if state.shooter == sitting.me else state.seats[state.shooter].name}"
    text = Text(no_wrap=True, overflow="ellipsis")
    if not tall and rolls and state.phase != "dice out":
        text.append(f"{FACES[rolls[0].first]} {FACES[rolls[0].second]} ", "bold #ff9d8a")
    text.append(*((f" PUCK ON {state.puck} ", ON) if state.puck else (" PUCK OFF ", OFF)))
    text.append(f"  {sitting.stick}\n", "bold").append(f"Rail {money(sitting.rail)}", "bold #f2d16b")
    text.append(f"  On table {money(sitting.on_table)}  {shooter}").append("\nRolls " if tall else "  Rolls ")
    for roll in rolls:
        ended = {roll.puck: "*", 7: "x"}.get(roll.total, "") if roll.puck else ""
        text.append(f"{roll.total}{ended} ", "bold" if roll is rolls[0] else "")
    return text if rolls else text.append("none yet", "dim")


def seats_text(sitting: Sitting) -> Text:
    money, text = sitting.layout.money, Text(no_wrap=True, overflow="ellipsis")
    last = sitting.settlements[-1].everybody if sitting.settlements else {}
    for number, seat in sorted(sitting.state.seats.items()):
        dice = "►" if sitting.state.shooter == number else " "
        name = seat.name + (" (away)" if seat.away else "")
        brought = signed(sitting.layout, last[number]) if last.get(number) else ""
        line = f"{dice}{number} {name:<12.12} rail {money(seat.rail):>7}  up {money(on_felt(seat)):>6} {brought:>7}\n"
        text.append(line, "bold" if number == sitting.me else "")
    return text


def result_text(sitting: Sitting) -> Text:
    net = sitting.settlements[-1].brought if sitting.settlements else 0
    tone = "win" if net > 0 else "lose" if net else "mine"
    return Text(f"{SIGNS.get(tone, '  ')}{result(sitting)}" if sitting.rolls else "", f"{TONES[tone]} bold")


def entry_text(entry: LogLine) -> Text:
    """A line of the log: coloured, and signed for those who see no colour."""
    return Text(SIGNS.get(entry.tone, "  ") + entry.text, TONES[entry.tone], overflow="fold")


def log_text(sitting: Sitting, width: int, height: int) -> Text:
    """As much of the log's end as fits: the calls and the person's own lines; company is folded into the seats."""
    lines: list[Text] = []
    for text in (entry_text(entry) for entry in reversed(sitting.log) if entry.tone not in ("other", "table")):
        height -= -(-text.cell_len // max(1, width))
        if height < 0:
            break
        lines.append(text)
    return Text("\n").join(reversed(lines))


def tray_text(sitting: Sitting, chosen: int, width: int) -> Text:
    """The chips of the float, the chosen one between arrows; a click does what its digit does."""
    text = Text(" Chip ", no_wrap=True, overflow="ellipsis")
    for number, chip in enumerate(sitting.table.chips, 1):
        start, face, colour = text.cell_len, sitting.layout.money(chip), COLOURS.get(chip, "#101010 on #f2d16b")
        text.append(f"{number}:", "dim")
        text.append(f"▸{face}◂" if chip == chosen else f" {face} ", f"bold {colour}" if chip == chosen else colour)
        text.apply_meta({"@click": f"screen.chip({number})"}, start, text.cell_len)
        text.append(" ")
    legends = (" Enter bets it, - takes it back", " Enter bets it", "")
    return text.append(next(each for each in legends if text.cell_len + len(each) <= width or not each), "dim")


def keys_text(width: int) -> Text:
    """The keys that are wanted most; a click does what the key does."""
    text = Text(no_wrap=True)
    for key, what, action in SHOWN:
        start = text.cell_len + bool(text)
        if start + len(f"{key} {what}") > width:
            break
        text.append(" " * bool(text)).append(key, "bold #f2d16b").append(f" {what}")
        text.apply_meta({"@click": f"screen.{action}"}, start, text.cell_len)
    return text


def spot_text(sitting: Sitting, key: str, chip: int, *, edges: bool, room: tuple[int, int]) -> Text:
    """The focused spot: name, price, edge, limits, what is up, and whether it can be bet or why not.

    `room` is columns and lines; a clause that would not fit whole is named, or left out.
    """
    spot, house = sitting.layout.spots[key], sitting.table.house
    verdict_text, refused = verdict(sitting, key, chip)
    if sitting.state.phase == "dice out" and not sitting.typed:
        verdict_text, refused = "Keys wait until the dice have landed.", None
    cited = cited_after(refused) if refused is not None else ""
    title, name, up = as_spoken(sitting.layout, spot.name), f" ({key})", standing(sitting, key)
    abouts = [f"\n{bounds(sitting, spot)}; {up}. ", f"\n{up.capitalize()}. "]
    heads = _heads(sitting, key, edges=edges)
    fitting = [(head, about) for head in heads for about in abouts]
    if refused is None:  # The limits matter to whoever can bet: they go last.
        fitting.sort(key=lambda way: abouts.index(way[1]))
    head, about = next(
        (way for way in fitting if _fits(f"{title}{name} {way[0]}{way[1]}{verdict_text}{cited}", *room)),
        ("", f"{up}.\n"),  # on two lines beside a long refusal: what is up, and why not now
    )
    text = Text(overflow="fold")
    text.append(title, "bold #f2d16b").append(name, "dim").append(f" {head}")
    text.append(about)
    text.append(verdict_text, "" if refused is None else "#ffd166")
    if refused is not None and refused.clause and cited:
        quoted = f"{cited} {house.clause(refused.clause).sentence}"
        text.append(next((each for each in (quoted, cited) if _fits(f"{text.plain}{each}", *room)), ""), "dim")
    return text


def _heads(sitting: Sitting, key: str, *, edges: bool) -> list[str]:
    """How a spot wins, what it pays and its edge; then less of it, where there is less room."""
    spot, puck = sitting.layout.spots[key], sitting.state.puck
    odds = figures_of(sitting.table.house, key, puck) if edges else None
    edge = "" if edges else "its edge is being worked out"
    if odds is not None:
        roll = f" ({percent(odds.edge_per_roll_working)} a roll)"
        edge = f"edge {percent(odds.edge_per_bet_made)}{roll}" if odds.mean_net else "no edge"
        edge += as_put(sitting, key)
    way, price = how(spot, puck, sitting.layout.book.points.value), price_of(spot, puck)
    return [
        "; ".join(filter(None, parts)) for parts in ((way, price, edge), (way, price), (price, edge), (price,), (way,))
    ]


def _fits(text: str, columns: int, lines: int) -> bool:
    return sum(len(wrap(line, columns)) for line in text.splitlines()) <= lines


# --- Screens over the table -------------------------------------------------------------------------------------------


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
