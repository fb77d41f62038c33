"""Strategies as data: what should be up, when, for how much; and the player who asks for it.

Nothing is read and nothing heavy imported until it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passline.strategies.language.read import built_in, library, load, make, read_strategy
    from passline.strategies.language.strategy import Cancellation, Count, Ends, Ladder, Strategy, Want
    from passline.strategies.language.words import in_words

__all__ = [
    "Cancellation",
    "Count",
    "Ends",
    "Ladder",
    "Strategy",
    "Want",
    "built_in",
    "in_words",
    "library",
    "load",
    "make",
    "read_strategy",
]

_WHERE = {
    "Cancellation": "language.strategy",
    "Count": "language.strategy",
    "Ends": "language.strategy",
    "Ladder": "language.strategy",
    "Strategy": "language.strategy",
    "Want": "language.strategy",
    "built_in": "language.read",
    "in_words": "language.words",
    "library": "language.read",
    "load": "language.read",
    "make": "language.read",
    "read_strategy": "language.read",
}


def __getattr__(name: str) -> object:
    """Import a public name from its module the first time it is used."""
    if name not in _WHERE:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
