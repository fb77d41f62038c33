"""A house's felt as a drawing: the plan that the terminal and the browser draw from, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from passline.house import House
from passline.sitting.plan import Group, Plan, Printed, plan
from passline.telling.names import shorten

CLOTH, LINE, INK, GOLD, RED = "#0f5c3a", "#f3ecd2", "#fffaf0", "#e3c26b", "#ff8f7d"
NAMES, LEFT, GAP, STICK = 150, 900, 16, 384
"""Widths: the names of rows, all of the dealers' side, the space between, the stick's box."""
ROW, STRIP, CELL, TITLE = 30, 46, 38, 24
FEW = 12
"""As many wagers of a kind lie in the stick's box; more of them have room under the line."""
SPELLED = {6: "SIX", 9: "NINE"}
"""As layouts print them, so that nobody reads one for the other from across the table."""


def felt(house: House) -> str:
    """The whole drawing."""
    drawn = plan(house.layout)
    left, left_height = _dealers(drawn)
    few = [group for group in drawn.props if len(group.spots) <= FEW]
    many = [group for group in drawn.props if len(group.spots) > FEW]
    right, right_height = _groups(few, LEFT + GAP, 0, STICK, across=2)
    under, left_height = _groups(many, 0, left_height + GAP, LEFT, across=7)
    width, height = LEFT + GAP + STICK + 2 * GAP, max(left_height, right_height) + 2 * GAP
    body = "".join([*left, *right, *under])
    return (
        f'<svg class="felt" viewBox="0 0 {width} {height}" role="img" aria-label="The felt of {escape(house.name)}" '
        f'xmlns="http://www.w3.org/2000/svg" font-family="Georgia, serif">'
        f'<rect width="{width}" height="{height}" rx="18" fill="{CLOTH}"/>'
        f"<style>svg.felt g rect {{ fill: none; stroke: {LINE}; stroke-width: 1.5 }}</style>"
        f'<g transform="translate({GAP} {GAP})">{body}</g></svg>'
    )


def _dealers(drawn: Plan) -> tuple[list[str], float]:
    """Numbers with a row for each family, and under them the places from the come to the line."""
    wide = (LEFT - NAMES) / len(drawn.points)
    parts = [
        _box(
            NAMES + wide * at,
            0,
            wide,
            STRIP,
            SPELLED.get(number, str(number)),
            "",
            size=26,
            ink=RED if number in SPELLED else INK,
        )
        for at, number in enumerate(drawn.points)
    ]
    top: float = STRIP
    for row in drawn.rows:
        name = shorten(row.name, int(NAMES / 7.2), odds=row.kind == "odds")
        parts.append(_box(0, top, NAMES, ROW, name, "", size=12))
        for at, spot in enumerate(row.spots):
            parts.append(_box(NAMES + wide * at, top, wide, ROW, _price(spot) if spot else "", "", size=14, full=spot))
        top += ROW
    for strip in reversed(drawn.lines):
        width = LEFT / len(strip.spots)
        for at, spot in enumerate(strip.spots):
            bars = f" · bars {spot.bars}" if spot.bars else ""
            parts.append(
                _box(width * at, top, width, STRIP, spot.name.upper(), _price(spot) + bars, size=17, full=spot)
            )
        top += STRIP
    return parts, top


def _groups(groups: Sequence[Group], left: float, top: float, wide: float, *, across: int) -> tuple[list[str], float]:
    """What is decided by one roll, hardways, hops and wagers with a memory, each under its title."""
    parts: list[str] = []
    for group in groups:
        parts.append(_text(left, top + 17, group.title.upper(), 13, GOLD, anchor="start"))
        top += TITLE
        for at, spot in enumerate(group.spots):
            x, y = left + at % across * wide / across, top + at // across * CELL
            parts.append(_box(x, y, wide / across, CELL, spot.name, _price(spot), size=12, full=spot))
        top += -(-len(group.spots) // across) * CELL + GAP / 2
    return parts, top


def _price(spot: Printed) -> str:
    prices = list(dict.fromkeys(price for _, price in spot.pays))
    return prices[0] if len(prices) == 1 else " / ".join(prices[:4]) + (" …" if len(prices) > 4 else "")


def _box(  # noqa: PLR0913, PLR0917 - a rectangle and what is printed in it
    x: float,
    y: float,
    wide: float,
    high: float,
    name: str,
    under: str,
    *,
    size: int,
    ink: str = INK,
    full: Printed | None = None,
) -> str:
    letters = int(wide / (size * 0.6))
    lines = [text for text in (shorten(name, letters) if name else "", under[: int(wide / 6.5)]) if text]
    title = (
        f"<title>{escape(full.name)} ({escape(full.key)}): {escape(', '.join(_paid(full.pays)))}</title>"
        if full
        else ""
    )
    middle = y + high / 2 + size * 0.35
    offset = 8 if len(lines) == 2 else 0
    texts = [_text(x + wide / 2, middle - offset, lines[0], size, ink)] if lines else []
    if len(lines) == 2:
        texts.append(_text(x + wide / 2, middle + offset + 2, lines[1], 11, GOLD))
    rectangle = f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high}"/>'
    return f"<g>{title}{rectangle}{''.join(texts)}</g>"


def _paid(pays: Sequence[tuple[int, str]]) -> Iterator[str]:
    for number, price in pays:
        yield f"{number} pays {price}" if number else price


def _text(x: float, y: float, text: str, size: int, ink: str, *, anchor: str = "middle") -> str:  # noqa: PLR0913
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{ink}" text-anchor="{anchor}">{escape(text)}</text>'
