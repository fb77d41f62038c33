"""Names of people as they look: two that differ only in what nobody sees are one person's."""

from __future__ import annotations

from unicodedata import category, normalize

INVISIBLE = frozenset(("Cf", "Cc", "Cn", "Co", "Cs"))
"""Characters that nobody sees: format, control, and those that are none."""


def folded(name: str) -> str:
    """A name without what nobody sees, and without capitals."""
    shown = "".join(each for each in normalize("NFKC", name) if category(each) not in INVISIBLE)
    return normalize("NFKC", " ".join(shown.split())).casefold()


def is_said(text: str) -> bool:
    """Whether there is anything to read in it."""
    return bool(folded(text))
