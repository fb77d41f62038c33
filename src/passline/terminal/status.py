"""What stands around the felt: dice, puck, money, rolls, other seats, the log, the chip tray, the focused spot."""

from __future__ import annotations

import tomllib
from pathlib import Path
from textwrap import wrap
from typing import Any

from rich.text import Text

from passline.engine.values import CENTS
from passline.sitting.amounts import on_felt
from passline.sitting.log import LogLine, result
from passline.sitting.sitting import Sitting
from passline.sitting.spots import as_put, bounds, figures_of, standing, verdict
from passline.telling.figures import percent, signed
from passline.telling.names import as_spoken, how, price_of
from passline.telling.sentences import cited_after
from passline.terminal.dialogs import SHOWN
from passline.terminal.felt import OFF, ON

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
