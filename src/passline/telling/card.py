"""A house's rule card: its wagers, prices, limits and habits, each with its clause."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from passline.engine.book import Cited, Collect, Fire, Hardway, Hop, Line, Number, Odds, OneRoll, Split

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from passline.engine.book import Book, Commission, WagerRule
    from passline.engine.layout import Layout, Spot
    from passline.engine.values import Price


class CardRow(NamedTuple):
    """One wager, or one family of them at one price."""

    name: str
    keys: str
    made: str
    pays: str
    clause: str


class Habit(NamedTuple):
    """One way of the house."""

    path: str
    value: str
    clause: str


def prices(spot: Spot) -> dict[str, Cited[Price]]:
    """What a spot pays, by what comes; a spot with one price has the empty name for it."""
    terms = spot.rule.terms
    match terms:
        case Line() | Collect():
            return {"": terms.pays}
        case Odds() if not spot.number:
            return {str(point): price for point, price in terms.pays.items()}
        case Odds() | Number() | Hardway():
            return {"": terms.pays[spot.number]}
        case OneRoll():
            return {str(total): price for total, price in terms.pays.items()}
        case Fire():
            return {f"{points} points": price for points, price in terms.pays.items()}
        case Hop():
            price = terms.hard if spot.pair[0] == spot.pair[1] else terms.easy
            return {} if price is None else {"": price}
        case Split():
            return {
                f"{part} x{units}": price for part, units in spot.parts.items() for price in _of(spot.parts_spots[part])
            }


def _of(part: Spot) -> list[Cited[Price]]:
    """The different prices of a part of a split."""
    return list(dict.fromkeys(prices(part).values()))


def price_text(spot: Spot) -> str:
    """What a spot pays, on one line: `2,12 2:1; 3,4,9,10,11 1:1`."""
    by_price: dict[str, list[str]] = {}
    for what, price in prices(spot).items():
        by_price.setdefault(_quoted(price.value), []).append(what)
    return "; ".join(f"{','.join(what)} {price}".strip() for price, what in by_price.items())


def _quoted(price: Price) -> str:
    return str(price)


def spots(layout: Layout) -> Iterator[CardRow]:
    """The card's wagers, in the order of the house file; a family shares a line for each of its prices."""
    for (_, pays), family in groupby_price(layout):
        first = family[0].rule
        names = first.name.replace("{n}", "/".join(_member(spot) for spot in family))
        names = names.replace("{pair}", "/".join(_member(spot) for spot in family))
        cited = dict.fromkeys(_short(layout, price.clause) for spot in family for price in prices(spot).values())
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
    key, members = family[0].family, [_member(spot) for spot in family]
    if [spot.key for spot in family] == [f"{key}_{member}" for member in members]:
        return f"{key}_{'/'.join(members)}"
    return ", ".join(spot.key for spot in family)


def _member(spot: Spot) -> str:
    """What tells a spot from the rest of its family."""
    return "-".join(map(str, spot.pair)) if any(spot.pair) else str(spot.number or "")


def commission_text(terms: Commission) -> str:
    """The house's charge in a few words."""
    return f"{terms.rate.value * 100}% of the {terms.of.value}, {terms.when.value}"


def _short(layout: Layout, clause: str) -> str:
    return clause.removeprefix(f"{layout.book.id}:")


def habits(book: Book) -> Iterator[Habit]:
    """Every cited value of a book outside its wagers."""
    yield Habit("points", _text(book.points.value), book.points.clause)
    for name in ("notice", "money", "betting", "shooter", "dice", "no_roll", "floor"):
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
    else:
        yield Habit(path, "as the clause says", str(value))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, tuple | list):
        return ", ".join(map(_text, value))
    if hasattr(value, "items"):
        return ", ".join(f"{key}: {_text(each)}" for key, each in value.items())
    return str(value)


def card_json(layout: Layout) -> dict[str, Any]:
    """The rule card for programs."""
    book = layout.book
    return {
        "id": book.id,
        "name": book.name,
        "wagers": {spot.key: _spot_json(spot) for spot in layout.offered()},
        "habits": {habit.path: {"value": habit.value, "clause": habit.clause} for habit in habits(book)},
    }


def _spot_json(spot: Spot) -> dict[str, Any]:
    rule: WagerRule = spot.rule
    cited: Mapping[str, Cited[Price]] = prices(spot)
    return {
        "name": spot.name,
        "pays": {what: {"price": str(price.value), "clause": price.clause} for what, price in cited.items()},
        "made": {"value": rule.made.value, "clause": rule.made.clause},
        "removable": {"value": rule.removable.value, "clause": rule.removable.clause},
        "off_on_comeout": {"value": rule.off_on_comeout.value, "clause": rule.off_on_comeout.clause},
        "commission": None if rule.commission is None else commission_text(rule.commission),
        "limits": rule.limits.value,
        "area": rule.area,
    }
