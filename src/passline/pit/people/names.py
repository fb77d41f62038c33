"""Names of people: one word that a record can keep."""

from __future__ import annotations

from passline.errors import ArgumentError
from passline.floor.names import folded

NAME_CHARACTERS_MAX = 40
RESERVED = frozenset(("anyone", "house"))
"""What the program calls itself and those it does not know."""


def check_name(name: str) -> str:
    """A name that a person can have at a table; what they are called in journals."""
    fits = 0 < len(name) <= NAME_CHARACTERS_MAX and name.isprintable() and name.split() == [name]
    person = folded(name)
    if not fits or set(name) & set("#/|\"'\\") or not person or person in RESERVED:
        expected = f"one word of at most {NAME_CHARACTERS_MAX} characters, such as Ann"
        raise ArgumentError("name", repr(name), expected)
    return person
