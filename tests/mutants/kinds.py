"""Every kind of mutant, by its word."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tests.mutants import caches, evenings, houses, records, strategies

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

KINDS: Mapping[str, Callable[[Random], str]] = {
    "caches": caches.mutant,
    "evenings": evenings.mutant,
    "houses": houses.mutant,
    "records": records.mutant,
    "strategies": strategies.mutant,
}


def one(kind: str, seed: int, number: int) -> str:
    """The mutant of a seed and a number, and what came of it."""
    return KINDS[kind](Random(f"{kind} {seed} {number}"))
