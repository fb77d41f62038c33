"""Amounts of money: exact however they are written, and never a float."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import cast

import numpy as np
import pytest

from passline.errors import ArgumentError
from passline.files.amounts import cents, chips_of, money, positive, whole_number


@pytest.mark.parametrize(
    ("said", "exact"),
    [
        (5, Fraction(5)),
        (-5, Fraction(-5)),
        ("2.50", Fraction(5, 2)),
        ("-2.50", Fraction(-5, 2)),
        ("4/3", Fraction(4, 3)),
        (Decimal("0.01"), Fraction(1, 100)),
        (Fraction(7, 6), Fraction(7, 6)),
        (np.uint8(200), Fraction(200)),
        (np.int64(2**62), Fraction(2**62)),
    ],
)
def test_money_is_exact(said: int, exact: Fraction) -> None:
    """Whole numbers of any library, text, decimals and fractions."""
    assert money(said) == exact
    assert type(money(said).numerator) is int


@pytest.mark.parametrize("said", [2.5, True, None, np.float64(1), np.float32(1), 1j, b"5"])
def test_what_cannot_hold_a_cent_is_no_money(said: int) -> None:
    """Floats above all, whoever made them."""
    with pytest.raises(TypeError, match="an amount of money: an int"):
        money(said)
    if said is not None:  # an argument may be left out
        with pytest.raises(TypeError, match=r"bankroll: found .*; expected an amount of money: an int"):
            positive("bankroll", said)


@pytest.mark.parametrize(
    "said",
    ["", "-", "ten", "1e3", "1_000", "5.", ".5", "1/0", "٣", " 5", "9" * 1001, Decimal("NaN"), Decimal("1e9999")],
)
def test_what_is_no_amount_is_told_what_one_is(said: str) -> None:
    """With an example."""
    with pytest.raises(ValueError, match=r"an amount of money such as 5, 2\.50 or 4/3"):
        money(said)
    with pytest.raises(ValueError, match=r"stop_win: found .*; expected an amount of money"):
        positive("stop_win", said)


def test_cents_are_whole() -> None:
    """A third of a cent is nobody's."""
    assert cents("2.50") == cents(Decimal("2.5")) == 250
    assert cents(int(np.uint8(200))) == cents("200") == 20_000
    with pytest.raises(ValueError, match="amount: found '4/3'; expected an amount in whole cents"):
        cents("4/3")


@pytest.mark.parametrize(("said", "minor_units"), [("12", 1200), ("2.5", 250), ("0.05", 5), ("007", 700)])
def test_chips_are_said_plainly(said: str, minor_units: int) -> None:
    """As at a table."""
    assert chips_of(said) == minor_units


@pytest.mark.parametrize("said", ["-1", "1/2", "2.500", "", "x", "+1", "1."])
def test_what_nobody_says_at_a_table(said: str) -> None:
    """No signs, no fractions, no third place."""
    with pytest.raises(ValueError, match=r"an amount such as 12 or 2\.50"):
        chips_of(said)


@pytest.mark.parametrize("said", [0, "0", Fraction(-1, 2), Decimal(-5)])
def test_an_argument_that_is_money_is_above_nothing(said: int) -> None:
    """And the complaint names it."""
    with pytest.raises(ArgumentError, match=r"stop_win: found .*; expected an amount above 0"):
        positive("stop_win", said)
    assert positive("stop_win", None) is None


def test_an_argument_that_counts_is_a_whole_number() -> None:
    """NumPy's too, as Python's, which never wrap round."""
    assert type(whole_number("rolls", cast("int", np.uint8(200)))) is int
    for wrong in (True, 1.0, "5", None):
        with pytest.raises(TypeError, match=r"rolls: found .*; expected a whole number"):
            whole_number("rolls", wrong)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="rolls: found 0; expected a whole number from 1"):
        whole_number("rolls", 0)
