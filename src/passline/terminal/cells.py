"""What is drawn on one spot, and which spot lies next to it: pure, so that both can be tried without a screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from rich.text import Text

from passline.sitting.spots import Look

if TYPE_CHECKING:
    from textual.geometry import Region

    from passline.terminal.drawing import Cell


Direction = Literal["up", "down", "left", "right"]

STAKE = "bold #101010 on #f2d16b"
# Chips that do not work on the next roll: a ring for a disc, and the word off where there is room.
RESTING = "bold #101010 on #b9a56a"
OPEN, CLOSED, QUIET, PRICE = "#f3f6ee", "#86a596", "#a9c4b4", "#ffe9a8"
HERE = "bold #06201a on #a8e0c8"
UNDER = "on #1d6b4f"


GAP = "  "
CUT = "…"
EDGE_WIDTH = 24  # a narrower spot of one line has no room for its edge, so that neighbours look alike


def draw(place: Cell, seen: Look, *, here: bool = False, under: bool = False) -> list[Text]:
    """A spot's lines: what is printed, then chips or price; a closed spot's price stands in brackets."""
    width, height = place.area.width, place.area.height
    ink = OPEN if seen.open or seen.stake else CLOSED
    lines = _named(place, seen, ink) if place.names else [_value(seen, width - 1)]
    ground = HERE if here else UNDER if under else ""
    drawn = []
    for at in range(height):
        text = lines[at - (height - len(lines)) // 2] if 0 <= at - (height - len(lines)) // 2 < len(lines) else Text()
        before = max(1, (width - text.cell_len) // 2) if place.centred and width - text.cell_len > 1 else 1
        line = Text(" " * before, ground).append_text(text) if width > text.cell_len else text.copy()
        line.truncate(width, pad=True)
        if ground:
            line.stylize(ground)
        drawn.append(line)
    if here and drawn:
        middle = (height - 1) // 2
        drawn[middle] = Text("▸", ground) + drawn[middle][1:]
    return drawn


def _named(place: Cell, seen: Look, ink: str) -> list[Text]:
    """Name and value on a line, or one above the other where there are two; the first way that fits."""
    width, stacked = place.area.width - 1, place.area.height > 1
    name_style = f"bold {ink}"
    plain = next((name for name in _whole(place.names[1:] or place.names) if len(name) <= width), place.names[-1])
    if stacked and place.marks[0] and len(plain) + len(GAP) + len(place.marks[0]) > width:
        printed = Text(f"{place.marks[0]} ", ink)
        return [Text(plain, name_style), printed + _value(seen, width - printed.cell_len)]
    name, mark, more, value = place.names[-1], "", "", Text()
    for name, mark, more, company in _ways(place, seen):
        head = GAP.join(filter(None, (name, mark)))
        value = _value(seen, width, company=company)
        width_of_value = value.cell_len + len(more)
        if max(len(head), width_of_value) <= width if stacked else len(head) + len(GAP) + width_of_value <= width:
            break
    first = Text(name, name_style)
    if mark:
        first.append(f"{GAP}{mark}", ink)
    if (seen.come and stacked) or (seen.come and len(name) + 3 + value.cell_len + len(seen.come) <= width):
        more = f" {seen.come}"
    tail = Text.assemble(value, (more, OPEN if seen.come else QUIET))
    gap = GAP if first.cell_len + len(GAP) + tail.cell_len <= width else " "
    return [first, tail] if stacked else [Text(gap).join((first, tail))]


def _ways(place: Cell, seen: Look) -> Iterator[tuple[str, str, str, bool]]:
    """Name, mark, edge and company, from the widest to the narrowest; a name is cut only when all else is gone."""
    wide = place.area.height > 1 or place.area.width >= EDGE_WIDTH
    edge = f" {seen.edge}" if seen.edge and not seen.stake and wide else ""
    whole = _whole(place.names)
    yield from ((name, place.marks[0], edge, True) for name in whole[:2])
    yield from ((name, mark, "", company) for name in whole for company in (True, False) for mark in place.marks)
    yield from ((name, mark, "", False) for name in place.names if name not in whole for mark in place.marks)


def _whole(names: tuple[str, ...]) -> list[str]:
    """The forms of a name that are not cut, the widest first."""
    return [name for name in names if not name.endswith(CUT)] or list(names)


def _value(seen: Look, room: int, *, company: bool = True) -> Text:
    others = f" +{seen.others}" if seen.others and company else ""
    if seen.stake:
        chips = f"{'○' if seen.mark == 'off' else '●'}{seen.stake}"
        label = f"{chips} {seen.mark}" if seen.mark and len(chips) + 1 + len(seen.mark) <= room else chips
        text = Text(label, RESTING if seen.mark == "off" else STAKE)
    elif seen.travelled and not seen.open:
        text, others = Text(), others.strip()
    else:
        text = Text(seen.price if seen.open else f"({seen.price})", style=PRICE if seen.open else CLOSED)
        if text.cell_len > room and not seen.open:
            text = Text(seen.price, CLOSED)
    return Text.assemble(text, (others, QUIET)) if text.cell_len + len(others) <= room else text


def nearest(here: Region, others: Iterable[tuple[str, Region]], direction: Direction) -> str | None:
    """The spot that lies next in a direction: along the line of sight first, then the least to the side."""
    best: tuple[int, int] | None = None
    key_there = None
    for key, there in others:
        ahead, aside = _away(here, there, direction)
        if ahead <= 0:
            continue
        distance = (ahead, aside) if direction in ("up", "down") else (aside, ahead)
        if direction in ("left", "right") and aside:
            continue
        if best is None or distance < best:
            best, key_there = distance, key
    return key_there


def _away(here: Region, there: Region, direction: Direction) -> tuple[int, int]:
    middle, other = here.x + here.width // 2, there.x + there.width // 2
    across = 0 if there.x <= middle < there.right else abs(other - middle)
    match direction:
        case "up":
            return here.y - there.y, across
        case "down":
            return there.y - here.y, across
        case "left":
            return here.x - there.x, abs(here.y - there.y)
        case "right":
            return there.x - here.x, abs(here.y - there.y)
