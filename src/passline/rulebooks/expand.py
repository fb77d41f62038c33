"""From a family of wagers to its members: the keys they lie under and the names they go by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passline.rulebooks.wagers import HardwayWager, HopWager, LineWager, NumberWager, OddsWager, SplitWager, Wager

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passline.engine.book import Cited
    from passline.rulebooks.schema import House


def holds(wager: Wager, house: House, name: str) -> Cited[Any]:
    """What a wager says under this name, or what the house says for every wager."""
    said: Cited[Any] | None = getattr(wager, name)
    return getattr(house.every_wager, name) if said is None else said


def keys(key: str, wager: Wager, house: House) -> Iterator[tuple[str, str]]:
    """Every key under which chips of this wager can lie, each with the number or pair that tells it from the rest."""
    points = [str(point) for point in house.points.value]
    match wager:
        case LineWager(travels=True):
            yield key, ""
            yield from ((f"{key}_{point}", point) for point in points)
        case OddsWager(of=flat) if getattr(house.wager.get(flat), "travels", False):
            yield from ((f"{key}_{point}", point) for point in points)
        case NumberWager(pays=pays) | HardwayWager(pays=pays):
            yield from ((f"{key}_{number}", str(number)) for number in pays)
        case HopWager(keys=template, pairs=pairs):
            for high, low in pairs:
                yield template.format(total=high + low, high=high, low=low), f"{high}-{low}"
        case SplitWager(high=high) if high:
            yield from ((f"{key}_{number}", str(number)) for number in high)
        case _:
            yield key, ""


def names(key: str, wager: Wager, house: House) -> dict[str, str]:
    """Name every member of a family: by its own name, by the template, or by the family's name and its number."""
    return {full: wager.names.get(member) or _named(wager, member) for full, member in keys(key, wager, house)}


def _named(wager: Wager, member: str) -> str:
    said = wager.name.replace("{n}", member).replace("{pair}", member).strip()
    return said if said != wager.name or not member else f"{said} {member}"
