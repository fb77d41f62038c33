"""A short run of every kind of mutant, the same each time; the long ones are in `scripts/campaign`."""

from __future__ import annotations

import pytest

from tests.mutants.kinds import KINDS, one

SEED = 7
COUNTS = {"caches": 150, "evenings": 12, "houses": 60, "records": 120, "strategies": 60}
"""Mutants of a second or two."""


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_whatever_is_handed_in_is_read_or_refused(kind: str) -> None:
    """Nothing else comes of it, and not all of it is refused."""
    came = [one(kind, SEED, number) for number in range(COUNTS[kind])]
    assert any(not said.startswith("refused") for said in came)
