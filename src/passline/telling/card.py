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
    groups: dict[tuple[str, str], list[Spot]] = {}
    for spot in layout.offered():
        groups.setdefault((spot.family, price_text(spot)), []).append(spot)
    for (key, pays), family in groups.items():
        rule, members = family[0].rule, [spot.member for spot in family]
        name = rule.name.replace("{n}", "/".join(members)).replace("{pair}", "/".join(members))
        own = [f"{key}_{member}" for member in members] == [spot.key for spot in family]
        keys = f"{key}_{'/'.join(members)}" if own else ", ".join(spot.key for spot in family)
        clauses = dict.fromkeys(paid.clause for spot in family for paid in prices(spot).values())
        cited = ", ".join(clause.removeprefix(f"{layout.book.id}:") for clause in clauses)
        fee = f"; {commission_text(rule.commission)}" if rule.commission else ""
        yield CardRow(name, keys, rule.made.value, pays + fee, cited)


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
    words += [] if notice.maximum is None else [f"max {money(notice.maximum)}"]
    words += [] if notice.odds is None else [f"odds {multiples(notice.odds)}"]
    words += [] if notice.props_minimum is None else [f"props {money(notice.props_minimum)}"]
    sides = [spot for spot in layout.offered() if spot.rule.limits.value == "side"]
    if sides and (notice.side is not None or notice.props_minimum is not None):  # else they are as everything is
        most = "" if notice.side is None else f" to {money(notice.side[1])}"
        words.append(f"side bets {money(minimum(notice, sides[0]))}{most}")
    return ", ".join([*words, *["in multiples"] * notice.multiples])


def multiples(odds: Mapping[int, int] | None) -> str:
    """How many times the flat bet odds may be: `10x`, `3-4-5x`; nothing where nothing is posted."""
    return "" if odds is None else odds_by_name(odds) + "x"


def bars(layout: Layout) -> list[int]:
    """The totals that stand off somewhere on this felt."""
    lines = [spot.rule.terms for spot in layout.spots.values() if isinstance(spot.rule.terms, Line)]
    return sorted({line.bar.value for line in lines if line.bar is not None})


def habits(book: Book) -> Iterator[Habit]:
    for name in ("points", "notice", "money", "betting", "shooter", "dice", "no_roll", "floor", "promotions"):
        yield from _walk(name, getattr(book, name))
    yield from _walk("about", book.about)
    yield from _walk("equipment", book.equipment)


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
    cited = {"made": rule.made, "removable": rule.removable, "off_on_comeout": rule.off_on_comeout}
    return {
        "name": spot.name,
        "pays": {what: {"price": str(paid.price), "clause": paid.clause} for what, paid in prices(spot).items()},
        **{name: {"value": each.value, "clause": each.clause} for name, each in cited.items()},
        "commission": None if rule.commission is None else commission_text(rule.commission),
        "limits": rule.limits.value,
        "area": rule.area,
    }
