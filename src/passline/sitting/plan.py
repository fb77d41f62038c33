"""The plan of a felt: which spots lie beside each other and what is printed on them, read off any house's layout.

It is data for any drawing, the rows of a terminal or the boxes of a browser.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, assert_never, get_args

from passline.engine import kinds as k
from passline.engine.layout import Layout, Spot
from passline.engine.values import ROLLS, WagerKey
from passline.engine.verdicts import Pair, Side
from passline.telling.names import family_name, quote

BOX_NUMBERS_MIN = 3  # a family on fewer numbers than this (Big 6 and Big 8) has no row of its own
FIELD_TOTALS_MIN = 5  # a one-roll wager on this many totals is the field, and lies beside the come
# What wagers with a memory are called together: a few in the stick's box, or a sheet of their own.
BONUS, SIDE_BETS = "Bonus", "Side bets"
BONUS_MAX = 4
PROPS = ("One roll", "Hardways", "Splits", "Hops", BONUS)
# What lies in a number's box: a come bet that has travelled, the odds behind it, or a bet on the number itself.
Kind = Literal["flat", "odds", "number"]
Where = Literal["line", "dont line", "big", "field", "come", "dont come"]
# From the back of the numbers to the players: the don'ts at the back, the come bets at the front.
DEPTHS: list[tuple[Side, Kind]] = [("dont", kind) for kind in get_args(Kind)]
DEPTHS += [("do", "number"), ("do", "flat"), ("do", "odds")]


@dataclass(frozen=True, slots=True)
class Printed:
    key: WagerKey
    name: str
    bars: int  # the total that stands off on its first roll; 0 where none does
    pays: tuple[tuple[int, str], ...]  # every price, each with the number that brings it; 0 where nothing else is paid
    dice: Pair | None
    counts: tuple[int, ...]  # the numbers that a wager with memory waits for, where each of them counts once


@dataclass(frozen=True, slots=True)
class Row:
    """One family of wagers across the box numbers."""

    name: str
    side: Side  # Against the shooter lies behind the numbers, with the shooter before them
    kind: Kind
    # Whether only those who know it ask for it: bets against the numbers, and bets that cost a commission.
    on_request: bool
    spots: tuple[Printed | None, ...]  # one for each box number; None where the house books nothing


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    spots: tuple[Printed, ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """One place in front of the numbers: a flat bet with its odds, the field, or Big 6 and 8."""

    where: Where
    spots: tuple[Printed, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Where everything lies: the dealers' side with the numbers and lines, and the stick's side."""

    points: tuple[int, ...]
    rows: tuple[Row, ...]  # from the back of the numbers to their front
    lines: tuple[Strip, ...]  # from the players towards the numbers; what the house does not offer is not there
    props: tuple[Group, ...]

    @property
    def keys(self) -> Iterator[WagerKey]:
        places: tuple[Row | Strip | Group, ...] = (*self.rows, *self.lines, *self.props)
        yield from (spot.key for place in places for spot in place.spots if spot is not None)


def plan(layout: Layout) -> Plan:
    points = layout.book.points.value
    families: dict[str, list[Spot]] = {}
    for spot in layout.spots.values():
        if spot.rule.offered.value:
            families.setdefault(spot.family, []).append(spot)
    boxed = (_row(spots, points) for spots in families.values() if _has_row(spots, points))
    rows = tuple(sorted(boxed, key=lambda row: DEPTHS.index((row.side, row.kind))))
    placed = {spot.key for row in rows for spot in row.spots if spot is not None}
    rest = [spot for spots in families.values() for spot in spots if spot.key not in placed]
    props = [Group(title, tuple(_print(spot) for spot in rest if _title(spot) == title)) for title in PROPS]
    if len(props[-1].spots) > BONUS_MAX:
        props[-1] = replace(props[-1], title=SIDE_BETS)
    lines = (Strip(where, tuple(map(_print, spots))) for where, spots in _lines(rest).items() if spots)
    return Plan(points, rows, tuple(lines), tuple(group for group in props if group.spots))


def _has_row(spots: list[Spot], points: tuple[int, ...]) -> bool:
    numbers = {spot.number for spot in spots if spot.number}
    on_points = len(numbers) >= BOX_NUMBERS_MIN and numbers <= set(points)
    return on_points and spots[0].side is not None


def _row(spots: list[Spot], points: tuple[int, ...]) -> Row:
    by_number = {spot.number: spot for spot in spots}
    side = spots[-1].side
    assert side is not None, "a row takes a side"
    printed = tuple(_print(by_number[point]) if point in by_number else None for point in points)
    kind: Kind = "flat" if spots[-1].is_flat else "odds" if spots[-1].is_odds else "number"
    on_request = kind == "number" and (side == "dont" or spots[-1].rule.commission is not None)
    return Row(family_name(spots[0].rule), side, kind, on_request, printed)


def _lines(rest: list[Spot]) -> dict[Where, list[Spot]]:
    """The spots in front of the players, each flat bet with its odds."""
    odds = {spot.flat: spot for spot in rest if spot.is_odds}

    def flat(*, line: bool, dont: bool) -> list[Spot]:
        bets = [spot for spot in rest if spot.is_flat and spot.is_line == line and spot.is_dont == dont]
        return [each for bet in bets for each in (bet, odds.get(bet.key)) if each is not None]

    return {
        "line": flat(line=True, dont=False),
        "dont line": flat(line=True, dont=True),
        "big": [spot for spot in rest if isinstance(spot.rule.terms, k.Number)],
        "field": [spot for spot in rest if _is_field(spot)],
        "come": flat(line=False, dont=False),
        "dont come": flat(line=False, dont=True),
    }


def _title(spot: Spot) -> str | None:
    """What the stick's part of the felt calls this kind of spot, in our own words; None in front of the players."""
    terms = spot.rule.terms
    match terms:
        case k.Line() | k.Odds() | k.Number():
            return None
        case k.Hardway():
            return "Hardways"
        case k.OneRoll():
            return None if _is_field(spot) else "One roll"
        case k.Split():
            return "Splits"
        case k.Hop():
            return "Hops"
        case k.Fire() | k.Collect() | k.Repeat() | k.Replay() | k.Streak():
            return BONUS
        case _:
            assert_never(terms)


def _is_field(spot: Spot) -> bool:
    return isinstance(spot.rule.terms, k.OneRoll) and len(spot.prices) >= FIELD_TOTALS_MIN


def _print(spot: Spot) -> Printed:
    terms = spot.rule.terms
    bar = terms.bar.value if isinstance(terms, k.Line) and terms.bar and not spot.number else 0
    pays = tuple((paid.number, quote(paid.price)) for paid in spot.prices)
    return Printed(spot.key, spot.name, bar, pays, _dice(spot), () if spot.counts_again else spot.counts)


def _dice(spot: Spot) -> Pair | None:
    """The dice that decide a spot, where only one pair does."""
    terms = spot.rule.terms
    if isinstance(terms, k.Hop):
        return spot.pair
    if isinstance(terms, k.Hardway):
        return spot.number // 2, spot.number // 2
    totals = {paid.number for paid in spot.prices}
    pairs = {(max(roll), min(roll)) for roll in ROLLS if roll.total in totals}
    return pairs.pop() if isinstance(terms, k.OneRoll) and len(pairs) == 1 else None
