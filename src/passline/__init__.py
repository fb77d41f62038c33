"""Craps, played exactly by the book."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passline.engine.refusals import Refusal
    from passline.engine.values import Price, Roll
    from passline.errors import HouseFileError, RecordError
    from passline.house import House
    from passline.table import Table, replay

__version__ = "0.1.0"

__all__ = [
    "House",
    "HouseFileError",
    "Price",
    "RecordError",
    "Refusal",
    "Roll",
    "Table",
    "__version__",
    "replay",
]

_WHERE = {
    "House": "house",
    "HouseFileError": "errors",
    "Price": "engine.values",
    "RecordError": "errors",
    "Refusal": "engine.refusals",
    "Roll": "engine.values",
    "Table": "table",
    "replay": "table",
}
"""Where each public name lives: nothing is imported before it is used, so `import passline` stays quick."""


def __getattr__(name: str) -> object:
    """Import a public name the first time it is asked for."""
    if name not in _WHERE:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
