"""Houses with other prices, for tests that know the answer by another way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from passline import House

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.engine.book import Book, WagerRule


def house_with(base: str, key: str, change: Callable[[WagerRule], WagerRule]) -> House:
    """A house in which one rule is another."""
    house = House(base)
    assert any(rule.key == key for rule in house.book.wagers)
    wagers = tuple(change(rule) if rule.key == key else rule for rule in house.book.wagers)
    return house_of(replace(house.book, wagers=wagers))


def house_of(book: Book) -> House:
    """A house by its book alone."""
    house = House("adelaide")
    house.book = book
    return house
