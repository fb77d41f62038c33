"""The houses: their rule books as files, and the reader that turns one into a `Book` or a readable complaint.

Nothing is read and nothing heavy imported until it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passline.rulebooks.catalogue import Clause, clause
    from passline.rulebooks.new import new_house
    from passline.rulebooks.read import built_in, load, read_book
    from passline.rulebooks.source import digest

__all__ = [
    "Clause",
    "built_in",
    "clause",
    "digest",
    "load",
    "new_house",
    "read_book",
]

_WHERE = {
    "Clause": "catalogue",
    "built_in": "read",
    "clause": "catalogue",
    "digest": "source",
    "load": "read",
    "new_house": "new",
    "read_book": "read",
}


def __getattr__(name: str) -> object:
    """Import a public name from its module the first time it is used."""
    if name not in _WHERE:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
