"""What is wrong with a house file, said so that its author can mend it."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LISTED_MAX = 20
"""How many findings a message spells out before it only counts the rest."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: where it is, what stands there, what should, and the nearest name that would do."""

    file: str
    path: str
    found: str
    expected: str
    nearest: str | None = None

    def __str__(self) -> str:
        """Say it in one line.

        >>> print(Finding("mine.toml", "notice.mn", "an unknown key", "a key of this section", "min"))
        mine.toml, notice.mn: found an unknown key; expected a key of this section. Nearest: min
        """
        where = f"{self.file}, {self.path}" if self.path else self.file
        hint = f" Nearest: {self.nearest}" if self.nearest else ""
        return f"{where}: found {self.found}; expected {self.expected}.{hint}"


class HouseFileError(ValueError):
    """A house file that cannot be played by, with every fault that was found in it."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        """Keep the findings and spell the first of them out."""
        self.findings = tuple(findings)
        lines = [str(finding) for finding in self.findings[:LISTED_MAX]]
        rest = len(self.findings) - len(lines)
        super().__init__("\n".join([*lines, *([f"... and {rest} more"] if rest else [])]))


def nearest(name: str, valid: Iterable[str]) -> str | None:
    """Give the valid name that looks most like this one, if any does.

    >>> nearest("plase", ["pass", "place", "place_lose"])
    'place'
    """
    close = get_close_matches(name, list(valid), n=1, cutoff=0.5)
    return close[0] if close else None
