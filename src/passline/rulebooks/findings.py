"""The nearest name to one that is not known."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(name: str, valid: Iterable[str]) -> str | None:
    """Give the valid name that looks most like this one, if any does.

    >>> nearest("plase", ["pass", "place", "place_lose"])
    'place'
    """
    close = get_close_matches(name, list(valid), n=1, cutoff=0.5)
    return close[0] if close else None
