"""A bet that a sign finds too small is told before anything is worked out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline import ask
from passline.analysis.question import too_small


@pytest.mark.parametrize(
    ("strategy", "house", "unit", "fits"),
    [("pass_flat", "strip", 10, 15), ("place_6_8", "strip", 2, 15), ("iron_cross", "adelaide", "0.50", 5)],
)
def test_a_unit_under_the_minimum_is_told_with_the_least_that_would_do(
    strategy: str, house: str, unit: int | str, fits: int
) -> None:
    """On the come-out, or once there is a point; with the clause of the sign, and only where there is a sign."""
    found = too_small(ask(strategy, house=house, unit=unit, notice=""))
    assert found is not None
    assert (found.refusal.code, found.unit) == ("bet.under_minimum", Fraction(fits))
    assert (found.refusal.clause or "").startswith(f"{house}:")
    assert too_small(ask(strategy, house=house, unit=fits, notice="")) is None
    assert too_small(ask(strategy, house=house, unit=unit)) is None
