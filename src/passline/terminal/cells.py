"""What is drawn on one spot, and which spot lies next to it: pure, so that both can be tried without a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.geometry import Region

    from passline.sitting.spots import Look


Direction = Literal["up", "down", "left", "right"]

STAKE = "bold #101010 on #f2d16b"
"""Chips of the person's own."""
RESTING = "bold #101010 on #b9a56a"
"""Chips that do not work on the next roll; the word off stands beside them."""
OPEN = "#f3f6ee"
CLOSED = "#86a596"
QUIET = "#a9c4b4"
PRICE = "#ffe9a8"


def draw(seen: Look, name: str, width: int, *, focused: bool, lines: int = 1) -> Text:
    """A spot: its name where it has one, then chips or price; a closed spot's price stands in brackets."""
    text = Text("▸" if focused else " ", style=OPEN, no_wrap=True, overflow="ellipsis")
    value = _value(seen)
    others = f" +{seen.others}" if seen.others else ""
    room = width - 1 - value.cell_len - len(others)
    if name:
        stacked = lines > 1
        text.append(name, style=OPEN if seen.open or seen.stake else CLOSED)
        text.append("\n " if stacked else " ")
        room -= 0 if stacked else len(name) + 1
    text.append_text(value)
    if seen.edge and not seen.stake and len(seen.edge) + 1 <= room:
        text.append(f" {seen.edge}", style=QUIET if seen.open else CLOSED)
    text.append(others, style=QUIET)
    return text


def room_for_name(seen: Look, width: int) -> int:
    """How many columns a name has beside chips or price."""
    others = len(f" +{seen.others}") if seen.others else 0
    return max(3, width - 2 - _value(seen).cell_len - others)


def _value(seen: Look) -> Text:
    if seen.stake:
        mark = f" {seen.mark}" if seen.mark else ""
        return Text(f"●{seen.stake}{mark}", style=RESTING if seen.mark == "off" else STAKE)
    return Text(seen.price if seen.open else f"({seen.price})", style=PRICE if seen.open else CLOSED)


def nearest(here: Region, others: Iterable[tuple[str, Region]], direction: Direction) -> str | None:
    """The spot that lies next in a direction: along the line of sight first, then the least to the side."""
    best: tuple[int, int] | None = None
    found = None
    for key, there in others:
        ahead, aside = _away(here, there, direction)
        if ahead <= 0:
            continue
        distance = (ahead, aside) if direction in ("up", "down") else (aside, ahead)
        if direction in ("left", "right") and aside:
            continue
        if best is None or distance < best:
            best, found = distance, key
    return found


def _away(here: Region, there: Region, direction: Direction) -> tuple[int, int]:
    """How far ahead and how far aside a spot lies."""
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
