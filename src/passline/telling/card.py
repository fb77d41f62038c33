"""A house's rule card: its wagers, prices, limits and habits, each with its clause."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

from passline.engine.book import Book, WagerRule
from passline.engine.kinds import Line
from passline.engine.layout import Layout, Spot
from passline.engine.limits import minimum
from passline.engine.table import Notice
from passline.engine.values import Cited, odds_by_name
from passline.engine.verdicts import Paid
from passline.telling.figures import counted
from passline.telling.names import brings, commission_text, counted_in


class CardRow(NamedTuple):
    """One wager, or one family of them at one price."""

    name: str
    keys: str
    made: str
    pays: str
    clause: str


class Habit(NamedTuple):
    path: str
    value: str
    clause: str


def prices(spot: Spot) -> dict[str, Paid]:
    """What a spot pays, by what comes; a spot with one price has the empty name for it."""
    if spot.parts:
        parts = ((f"{part} x{units}", spot.parts_spots[part].prices) for part, units in spot.parts.items())
        return {what: paid for what, prices in parts for paid in prices}
    unit = counted_in(spot)
    return {"" if paid.number in (0, spot.number) else f"{brings(paid)}{unit}": paid for paid in spot.prices}


def price_text(spot: Spot) -> str:
    """What a spot pays, on one line: `2,12 2:1; 3,4,9,10,11 1:1`."""
    by_price: dict[str, list[str]] = {}
    for what, paid in prices(spot).items():
        by_price.setdefault(str(paid.price), []).append(what)
    return "; ".join(f"{','.join(what)} {price}".strip() for price, what in by_price.items())


def spots(layout: Layout) -> Iterator[CardRow]:
    """The card's wagers, in the order of the house file; a family shares a line for each of its prices."""
    for (_, pays), family in groupby_price(layout):
        first = family[0].rule
        names = first.name.replace("{n}", "/".join(spot.member for spot in family))
        names = names.replace("{pair}", "/".join(spot.member for spot in family))
        cited = dict.fromkeys(_short(layout, paid.clause) for spot in family for paid in prices(spot).values())
        fee = f"; {commission_text(first.commission)}" if first.commission else ""
        yield CardRow(names, _keys(family), first.made.value, pays + fee, ", ".join(cited))


def groupby_price(layout: Layout) -> list[tuple[tuple[str, str], list[Spot]]]:
    """The spots on offer, those of one family and price together."""
    groups: dict[tuple[str, str], list[Spot]] = {}
    for spot in layout.offered():
        groups.setdefault((spot.family, price_text(spot)), []).append(spot)
    return list(groups.items())


def _keys(family: list[Spot]) -> str:
    """The keys of a family, its own name said once: `place_4/10`."""
    key, members = family[0].family, [spot.member for spot in family]
    if [spot.key for spot in family] == [f"{key}_{member}" for member in members]:
        return f"{key}_{'/'.join(members)}"
    return ", ".join(spot.key for spot in family)


def _short(layout: Layout, clause: str) -> str:
    return clause.removeprefix(f"{layout.book.id}:")


# --- In a few words -------------------------------------------------------------------------------------------------


def in_a_line(layout: Layout) -> str:
    """One line about a house: its minimum and odds, what it bars, how many wagers and which are unusual."""
    terms, offered = layout.book.notice, list(layout.offered())
    odds = multiples(terms.odds.value) or "to the max"
    words = [f"min {terms.minimum.value}", f"odds {odds}", *(f"bars {bar}" for bar in bars(layout))]
    hops = ["hops"] * any(any(spot.pair) for spot in offered)
    extras = [spot.rule.name for spot in offered if spot.counts][:1] + hops
    wagers = counted(len(offered), "wager")
    return ", ".join([*words, f"{wagers}, with {' and '.join(extras)}" if extras else wagers])


def sign(layout: Layout, notice: Notice) -> str:
    """What the notice says: `min 5, max 1000, odds 10x`."""
    money = layout.money
    words = [f"min {money(notice.minimum)}"]
    if notice.maximum is not None:
        words.append(f"max {money(notice.maximum)}")
    if notice.odds is not None:
        words.append(f"odds {multiples(notice.odds)}")
    if notice.props_minimum is not None:
        words.append(f"props {money(notice.props_minimum)}")
    sides = [spot for spot in layout.offered() if spot.rule.limits.value == "side"]
    if sides and (notice.side is not None or notice.props_minimum is not None):  # else they are as everything is
        most = "" if notice.side is None else f" to {money(notice.side[1])}"
        words.append(f"side bets {money(minimum(notice, sides[0]))}{most}")
    if notice.multiples:
        words.append("in multiples")
    return ", ".join(words)


def multiples(odds: Mapping[int, int] | None) -> str:
    """How many times the flat bet odds may be: `10x`, `3-4-5x`; nothing where nothing is posted."""
    return "" if odds is None else odds_by_name(odds) + "x"


def bars(layout: Layout) -> list[int]:
    """The totals that stand off somewhere on this felt."""
    lines = [spot.rule.terms for spot in layout.spots.values() if isinstance(spot.rule.terms, Line)]
    return sorted({line.bar.value for line in lines if line.bar is not None})


# --- Habits ---------------------------------------------------------------------------------------------------------


def habits(book: Book) -> Iterator[Habit]:
    yield Habit("points", _text(book.points.value), book.points.clause)
    for name in ("notice", "money", "betting", "shooter", "dice", "no_roll", "floor", "promotions"):
        yield from _walk(name, getattr(book, name))
    for name in ("about", "equipment"):
        for key, cited in getattr(book, name).items():
            yield Habit(f"{name}.{key}", _text(cited.value), cited.clause)


def _walk(path: str, value: object) -> Iterator[Habit]:
    if isinstance(value, Cited):
        yield Habit(path, _text(value.value), value.clause)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _walk(f"{path}.{field.name}", getattr(value, field.name))
    elif hasattr(value, "items"):
        for key, each in value.items():
            yield from _walk(f"{path}.{key}", each)
    elif value is not None:
        yield Habit(path, "as the clause says", str(value))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if is_dataclass(value):
        return ", ".join(_text(getattr(value, each.name)) for each in fields(value))
    if isinstance(value, tuple | list):
        return ", ".join(map(_text, value))
    if hasattr(value, "items"):
        return ", ".join(f"{key}: {_text(each)}" for key, each in value.items())
    return str(value)


def card_json(layout: Layout) -> dict[str, Any]:
    book = layout.book
    return {
        "id": book.id,
        "name": book.name,
        "wagers": {spot.key: _spot_json(spot) for spot in layout.offered()},
        "habits": {habit.path: {"value": habit.value, "clause": habit.clause} for habit in habits(book)},
    }


def _spot_json(spot: Spot) -> dict[str, Any]:
    rule: WagerRule = spot.rule
    return {
        "name": spot.name,
        "pays": {what: {"price": str(paid.price), "clause": paid.clause} for what, paid in prices(spot).items()},
        "made": {"value": rule.made.value, "clause": rule.made.clause},
        "removable": {"value": rule.removable.value, "clause": rule.removable.clause},
        "off_on_comeout": {"value": rule.off_on_comeout.value, "clause": rule.off_on_comeout.clause},
        "commission": None if rule.commission is None else commission_text(rule.commission),
        "limits": rule.limits.value,
        "area": rule.area,
    }
