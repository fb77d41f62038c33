"""What the crapless house does as the strip does it: each clause they share, by every value that cites it.

The strip's tests play each of these values out; here they must be the same values, in the same places.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

import pytest

from passline.engine.values import Cited
from passline.rulebooks.read import load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passline.engine.book import Book

CRAPLESS, STRIP = load("crapless"), load("strip")

OWN = {
    "about.game", "line.made", "line.come", "line.point", "line.pass-natural", "line.no-craps",
    "line.no-dont", "odds.made", "odds.12345", "odds.true", "numbers.place", "numbers.buy", "numbers.vig",
    "numbers.vig-on-win", "shooter.line", "kit.buttons", "layout.only",
}  # fmt: skip
"""What it says for itself; `test_game` proves these."""

SHARED = [name for name in (full.partition(":")[2] for full in CRAPLESS.clauses) if name not in OWN]


def values(book: Book) -> dict[str, list[tuple[str, str]]]:
    """For each clause of a house, the places that cite it, each with its value."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path, value, clause in cited(book, ""):
        house, _, rest = clause.partition(":")
        if house == book.id:
            found.setdefault(rest, []).append((path, value))
    return found


def cited(record: object, path: str) -> Iterator[tuple[str, str, str]]:
    """Every citation in a book, however deep: its place, its value, its clause."""
    if isinstance(record, Cited):
        yield path, repr(record.value), record.clause
    elif isinstance(record, str) and ":" in record and " " not in record:
        yield path, "", record
    elif isinstance(record, dict):
        for key, inner in record.items():
            yield from cited(inner, f"{path}.{key}")
    elif isinstance(record, tuple):
        for at, inner in enumerate(record):
            yield from cited(inner, f"{path}.{getattr(inner, 'key', at)}")
    elif is_dataclass(record):
        for each in fields(record):
            if each.name != "clauses":
                yield from cited(getattr(record, each.name), f"{path}.{each.name}")


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.clause(f"crapless:{name}")) for name in SHARED])
def test_a_habit_is_the_strips(name: str) -> None:
    """The same sentence where both have one wager, and at every place that cites it the value the strip has there."""
    here, there = values(CRAPLESS)[name], dict(values(STRIP)[name])
    assert here
    for path, value in here:
        assert there[path] == value, path


def test_every_clause_is_its_own_or_shared() -> None:
    """Nothing is left out of both."""
    assert set(SHARED) <= {full.partition(":")[2] for full in STRIP.clauses}
    assert {f"crapless:{name}" for name in OWN} <= set(CRAPLESS.clauses)
