"""Houses with other prices, for tests that know the answer by another way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from passline import House

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.engine.book import Book, WagerRule


def house_with(base: str, key: str, change: Callable[[WagerRule], WagerRule]) -> House:
    """A house with a pass line and one other wager, changed."""
    book = House(base).book
    rules = {rule.key: rule for rule in book.wagers}
    return house_of(replace(book, wagers=(rules["pass"], change(rules[key]))))


def house_of(book: Book) -> House:
    """A house by its book alone."""
    house = House("adelaide")
    house.book = book
    return house
