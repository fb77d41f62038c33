"""The plan of a felt: which spots lie beside each other, read off any house's layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from passline.engine.kinds import Collect, Fire, Hardway, Hop, Line, Number, Odds, OneRoll, Split
from passline.telling.names import label, short_price

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from passline.engine.book import WagerRule
    from passline.engine.layout import Layout, Spot
    from passline.engine.values import WagerKey

BOX_NUMBERS_MIN = 3
"""A family on fewer numbers than this (Big 6 and Big 8) has no row of its own."""

FIELD_TOTALS_MIN = 5
"""A one-roll wager on this many totals is the field, and lies beside the come."""


GROUP_WIDTH = 70
"""What eighty columns leave for the spots of a group beside its title."""

NAME_WIDTH = 17
ODDS_NAME_WIDTH = 15
"""A longer name is shortened before it takes the place of other spots."""

CHIPS_WIDTH = len("▸ ●1000 +2")
"""What chips take beside a name."""


@dataclass(frozen=True, slots=True)
class Row:
    """One family of wagers across the box numbers."""

    rule: WagerRule
    keys: tuple[str | None, ...]
    """One for each box number; None where the house books nothing."""


@dataclass(frozen=True, slots=True)
class Group:
    """Spots that lie together."""

    title: str
    keys: tuple[str, ...]
    widths: tuple[int, ...]
    """The columns of text that each needs for its name and price."""

    @property
    def columns(self) -> int:
        """How many stand beside each other where all are as wide as the widest; short rows are evened out."""
        fits = max(1, min(len(self.keys), GROUP_WIDTH // max(self.widths)))
        rows = -(-len(self.keys) // fits)
        return -(-len(self.keys) // rows)


@dataclass(frozen=True, slots=True)
class Plan:
    """Where everything lies: the dealers' side with the numbers and lines, and the stick's side."""

    points: tuple[int, ...]
    rows: tuple[Row, ...]
    lines: tuple[Group, ...]
    props: tuple[Group, ...]

    @property
    def keys(self) -> Iterator[str]:
        """Every spot, in reading order."""
        for row in self.rows:
            yield from (key for key in row.keys if key is not None)
        for group in (*self.lines, *self.props):
            yield from group.keys


def plan(layout: Layout) -> Plan:
    """Lay a house's wagers out as players know them."""
    points = layout.book.points.value
    shown = [spot for spot in layout.spots.values() if spot.rule.offered.value]
    families: dict[str, list[Spot]] = {}
    for spot in shown:
        families.setdefault(spot.family, []).append(spot)
    boxed = {family: spots for family, spots in families.items() if _has_row(spots, points)}
    rows = [
        Row(spots[0].rule, tuple(_on(spots, point) for point in points))
        for _, spots in sorted(boxed.items(), key=lambda item: _depth(item[1]))
    ]
    placed = {key for row in rows for key in row.keys}
    rest = [spot for spot in shown if spot.key not in placed]
    return Plan(points, tuple(rows), tuple(_lines(rest)), tuple(_props(rest)))


def _has_row(spots: list[Spot], points: tuple[int, ...]) -> bool:
    numbers = {spot.number for spot in spots if spot.number}
    on_points = len(numbers) >= BOX_NUMBERS_MIN and numbers <= set(points)
    return on_points and spots[0].side is not None


def _on(spots: list[Spot], point: int) -> str | None:
    return next((spot.key for spot in spots if spot.number == point), None)


def _depth(spots: list[Spot]) -> tuple[int, int]:
    """How far from the players a family lies: the don'ts at the back, the come bets at the front."""
    spot = spots[-1]
    dont = spot.side == "dont"
    kind = 0 if spot.is_flat else 1 if spot.is_odds else 2
    return (0 if dont else 1, kind if dont or kind == 2 else kind + 3)


def _lines(rest: Iterable[Spot]) -> Iterator[Group]:
    """The spots in front of the players."""
    spots = list(rest)
    line: list[WagerKey] = []
    for spot in spots:
        if spot.is_line:
            line += [spot.key, *(odds.key for odds in spots if odds.flat == spot.key)]
    yield from _group("Line", spots, line)
    come = [spot.key for spot in spots if spot.is_flat and not spot.is_line]
    field = [spot.key for spot in spots if _is_field(spot)]
    big = [spot.key for spot in spots if isinstance(spot.rule.terms, Number)]
    stray = [spot.key for spot in spots if spot.is_odds and spot.key not in line]
    yield from _group("Come and field", spots, come + field + big + stray)


def _props(rest: Iterable[Spot]) -> Iterator[Group]:
    """The stick's spots."""
    spots = list(rest)
    for title in ("Hardways", "One roll", "Splits", "Hops", "Bonus"):
        yield from _group(title, spots, [spot.key for spot in spots if _title(spot) == title])


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


def _group(title: str, spots: list[Spot], keys: list[WagerKey]) -> Iterator[Group]:
    if keys:
        by_key = {spot.key: spot for spot in spots}
        yield Group(title, tuple(keys), tuple(_width(by_key[key]) for key in keys))


def _width(spot: Spot) -> int:
    """Marker, name, price in brackets; a hop needs only its pair, for the title says what it is."""
    if isinstance(spot.rule.terms, Hop):
        return len("6-5 ") + len(short_price(spot)) + 1
    name = label(spot, ODDS_NAME_WIDTH if spot.is_odds else NAME_WIDTH)
    return len(name) + max(CHIPS_WIDTH if spot.is_flat else 0, len(short_price(spot)) + 4)


def _is_field(spot: Spot) -> bool:
    return isinstance(spot.rule.terms, OneRoll) and len(spot.rule.terms.pays) >= FIELD_TOTALS_MIN
