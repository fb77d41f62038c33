"""Names of people: one word that a record can keep, and one way to tell whether two of them are the same."""

from __future__ import annotations

from unicodedata import category, normalize

from passline.errors import ArgumentError

NAME_CHARACTERS_MAX = 40
RESERVED = frozenset(("anyone", "house"))
"""What the program calls itself and those it does not know."""


def folded(name: str) -> str:
    """A name as it is compared: neither capitals nor characters that nobody sees make it another one."""
    seen = "".join(each for each in normalize("NFKC", name) if category(each)[0] != "C")
    return normalize("NFKC", seen.casefold())


def check_name(name: str) -> str:
    """A name that a person can have at a table; what they are called in journals."""
    fits = 0 < len(name) <= NAME_CHARACTERS_MAX and name.isprintable() and name.split() == [name]
    person = folded(name)
    if not fits or set(name) & set("#/|\"'\\") or not person or person in RESERVED:
        expected = f"one word of at most {NAME_CHARACTERS_MAX} characters, such as Ann"
        raise ArgumentError("name", repr(name), expected)
    return person
