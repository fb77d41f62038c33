"""House files changed in their trees: what the checker lets through is dealt, told, resumed and analysed."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from functools import cache
from typing import TYPE_CHECKING, Any

from passline.machine.terms import Seating
from passline.errors import HouseFileError, PasslineError
from passline.house import House
from passline.machine.build import build
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import book_of
from passline.strategies.language.read import load
from passline.telling.card import habits, spots
from tests.mutants.evenings import an_evening

if TYPE_CHECKING:
    from random import Random

NUMBERS = (0, 1, 2, 3, 5, 7, 11, 12, 13, 100, 999_999_999, 10**9, 10**30, -1)
STRANGE: tuple[Any, ...] = (
    "",
    "none",
    "7:6",
    "1:1",
    "0:1",
    "any time",
    True,
    False,
    [],
    {},
    None,
    "[/b]",
    "{n}",
    "2.5%",
)
STRATEGIES = ("pass_345_odds", "dont_pass_lay", "place_6_8", "come_only")


def mutant(rng: Random) -> str:
    """Read one changed house, and use it if it may be used."""
    values = tomllib.loads(_text(rng.choice(list(house_files()))))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        _change(values, rng)
    try:
        book = book_of(values, "mutant.toml")
    except HouseFileError as error:
        assert str(error).replace("\n", "").isprintable()
        return "refused"
    house = House("mutant", book=book)
    assert list(spots(house.layout))
    assert list(habits(book))
    an_evening(house, rng, lines=12)
    try:
        build(load(rng.choice(STRATEGIES)), Seating(House("x", book=book)), states_max=60)
    except PasslineError as error:
        assert str(error)
    return "played"


@cache
def _text(house: str) -> str:
    return house_files()[house].read_text(encoding="utf-8")


def _change(values: dict[str, Any], rng: Random) -> None:
    """Change one place of the tree."""
    places = [(parent, key) for parent, key in _places(values) if key not in ("clauses", "about", "equipment")]
    parent, key = rng.choice(places)
    match rng.randrange(6):
        case 0:
            del parent[key]
        case 1:
            other, there = rng.choice(places)
            parent[key] = deepcopy(other[there])
        case 2:
            parent[key] = rng.choice(STRANGE)
        case _:
            parent[key] = _other(parent[key], rng, places)


def _other(value: object, rng: Random, places: list[tuple[Any, Any]]) -> object:
    """Another value of the same type, so that more than the shape is tried."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((*NUMBERS, value + 1, value - 1))
    like = [parent[key] for parent, key in places if type(parent[key]) is type(value)]
    if isinstance(value, list) and value and rng.random() < 0.5:
        return rng.choice((value[1:], value[::-1], [*value, value[0]], [*value, 11]))
    return deepcopy(rng.choice(like))


def _places(part: Any, depth: int = 0) -> list[tuple[Any, Any]]:  # noqa: ANN401 - any part of a file
    """Every place of a tree, as what holds it and where."""
    keys = list(part) if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ()
    return [(part, key) for key in keys] + [place for key in keys for place in _places(part[key], depth + 1)]
