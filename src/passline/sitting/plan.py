"""The plan of a felt: which spots lie beside each other and what is printed on them, read off any house's layout.

It is data for any drawing, the rows of a terminal or the boxes of a browser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, assert_never

from passline.engine.kinds import Collect, Fire, Hardway, Hop, Line, Number, Odds, OneRoll, Split
from passline.telling.names import family_name, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from passline.engine.kinds import Side
    from passline.engine.layout import Layout, Spot
    from passline.engine.values import WagerKey

BOX_NUMBERS_MIN = 3
"""A family on fewer numbers than this (Big 6 and Big 8) has no row of its own."""

FIELD_TOTALS_MIN = 5
"""A one-roll wager on this many totals is the field, and lies beside the come."""

PROPS = ("Hardways", "One roll", "Splits", "Hops", "Bonus")
"""The parts of the stick's box, in our own words."""


class Printed(NamedTuple):
    """One spot as the layout prints it."""

    key: WagerKey
    name: str
    """In the house's own words."""
    bars: int
    """The total that stands off on its first roll; 0 where none does."""
    pays: tuple[tuple[int, str], ...]
    """Every price, each with the number that brings it; 0 where nothing else is paid."""


class Row(NamedTuple):
    """One family of wagers across the box numbers."""

    name: str
    side: Side
    """Against the shooter lies behind the numbers, with the shooter before them."""
    spots: tuple[Printed | None, ...]
    """One for each box number; None where the house books nothing."""


class Group(NamedTuple):
    """Spots that lie together."""

    title: str
    spots: tuple[Printed, ...]


class Plan(NamedTuple):
    """Where everything lies: the dealers' side with the numbers and lines, and the stick's side."""

    points: tuple[int, ...]
    rows: tuple[Row, ...]
    """From the back of the numbers to their front."""
    lines: tuple[Group, ...]
    """From the players towards the numbers."""
    props: tuple[Group, ...]

    @property
    def keys(self) -> Iterator[WagerKey]:
        """Every spot, in reading order."""
        for row in self.rows:
            yield from (spot.key for spot in row.spots if spot is not None)
        for group in (*self.lines, *self.props):
            yield from (spot.key for spot in group.spots)


def plan(layout: Layout) -> Plan:
    """Lay a house's wagers out as players know them."""
    points = layout.book.points.value
    families: dict[str, list[Spot]] = {}
    for spot in layout.spots.values():
        if spot.rule.offered.value:
            families.setdefault(spot.family, []).append(spot)
    boxed = sorted((spots for spots in families.values() if _has_row(spots, points)), key=_depth)
    rows = tuple(_row(spots, points) for spots in boxed)
    placed = {spot.key for row in rows for spot in row.spots if spot is not None}
    rest = [spot for spots in families.values() for spot in spots if spot.key not in placed]
    props = (Group(title, _printed(spot for spot in rest if _title(spot) == title)) for title in PROPS)
    return Plan(points, rows, _filled(_lines(rest)), _filled(props))


def _has_row(spots: list[Spot], points: tuple[int, ...]) -> bool:
    numbers = {spot.number for spot in spots if spot.number}
    on_points = len(numbers) >= BOX_NUMBERS_MIN and numbers <= set(points)
    return on_points and spots[0].side is not None


def _depth(spots: list[Spot]) -> tuple[int, int]:
    """How far from the players a family lies: the don'ts at the back, the come bets at the front."""
    spot = spots[-1]
    dont = spot.side == "dont"
    kind = 0 if spot.is_flat else 1 if spot.is_odds else 2
    return (0 if dont else 1, kind if dont or kind == 2 else kind + 3)


def _row(spots: list[Spot], points: tuple[int, ...]) -> Row:
    by_number = {spot.number: spot for spot in spots}
    side = spots[-1].side
    assert side is not None, "a row takes a side"
    printed = tuple(_print(by_number[point]) if point in by_number else None for point in points)
    return Row(family_name(spots[0].rule), side, printed)


def _lines(rest: list[Spot]) -> Iterator[Group]:
    """The spots in front of the players: each line bet with its odds, then what lies between lines and numbers."""
    odds = {spot.flat: spot for spot in rest if spot.is_odds}
    lines = [each for line in rest if line.is_line for each in (line, odds.get(line.key)) if each is not None]
    yield Group("Line", _printed(lines))
    come = [spot for spot in rest if spot.is_flat and not spot.is_line]
    field = [spot for spot in rest if _is_field(spot)]
    big = [spot for spot in rest if isinstance(spot.rule.terms, Number)]
    stray = [spot for spot in rest if spot.is_odds and spot not in lines]
    yield Group("Come and field", _printed(come + field + big + stray))


def _title(spot: Spot) -> str | None:
    """What the stick's part of the felt calls this kind of spot, in our own words; None in front of the players."""
    terms = spot.rule.terms
    match terms:
        case Line() | Odds() | Number():
            return None
        case Hardway():
            return "Hardways"
        case OneRoll():
            return None if _is_field(spot) else "One roll"
        case Split():
            return "Splits"
        case Hop():
            return "Hops"
        case Fire() | Collect():
            return "Bonus"
        case _:
            assert_never(terms)


def _is_field(spot: Spot) -> bool:
    return isinstance(spot.rule.terms, OneRoll) and len(spot.prices) >= FIELD_TOTALS_MIN


def _filled(groups: Iterable[Group]) -> tuple[Group, ...]:
    return tuple(group for group in groups if group.spots)


def _printed(spots: Iterable[Spot]) -> tuple[Printed, ...]:
    return tuple(map(_print, spots))


def _print(spot: Spot) -> Printed:
    terms = spot.rule.terms
    bar = terms.bar.value if isinstance(terms, Line) and terms.bar and not spot.number else 0
    return Printed(spot.key, spot.name, bar, tuple((paid.number, quote(paid.price)) for paid in spot.prices))
