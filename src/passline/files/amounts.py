"""Amounts of money as people write them: exact, never a float."""

import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import overload

from passline.engine.values import CENTS
from passline.errors import ArgumentError, ArgumentTypeError, short_repr

# An amount of money a caller may hand in; floats are refused, for they cannot hold a cent.
Money = int | str | Decimal | Fraction

DIGITS_MAX = 1000  # no sum of money needs more digits; longer ones only cost time
LARGEST = 10**DIGITS_MAX  # where amounts end
COUNT_MAX = 10**18  # no session has so many rolls, hands or anything else that is counted
WRITTEN = re.compile(r"\d+(?:\.\d+)?|\d+/0*[1-9]\d*")  # an amount as text: 5, 2.50 or 4/3

AS_CHIPS = "an amount such as 12 or 2.50"
AS_FLOAT = "chips such as 1, 5 and 25"
AS_MONEY = "an amount of money such as 5, 2.50 or 4/3"
MONEY_TYPES = "an amount of money: an int, a string such as '2.50', a Decimal or a Fraction"


def money(amount: Money, *, digits_max: int = DIGITS_MAX) -> Fraction:
    """An amount exactly, below nothing too; a ValueError says what was expected, a TypeError what it must be.

    >>> money("2.50"), money("-4/3")
    (Fraction(5, 2), Fraction(-4, 3))
    """
    if isinstance(amount, str):
        sign, bare = (-1, amount[1:]) if amount.startswith("-") else (1, amount)
        if not bare.isascii() or len(bare) > digits_max or not WRITTEN.fullmatch(bare):
            raise ValueError(AS_MONEY)
        return sign * Fraction(bare)
    number: object = amount  # whatever it is annotated as
    if isinstance(number, bool) or not isinstance(number, Integral | Decimal | Fraction):
        raise TypeError(MONEY_TYPES)
    if isinstance(number, Decimal) and not (number.is_finite() and abs(number.adjusted()) < DIGITS_MAX):
        raise ValueError(AS_MONEY)
    # NumPy's whole numbers would wrap round.
    exact = Fraction(int(number)) if isinstance(number, Integral) else Fraction(number)
    if max(abs(exact.numerator), exact.denominator) > LARGEST:
        raise ValueError(AS_MONEY)
    return exact


def exactly(name: str, value: Money) -> Fraction:
    """An argument that is money, exactly, or a complaint that says which one it was."""
    try:
        return money(value)
    except ValueError as error:
        raise ArgumentError(name, short_repr(value), str(error)) from None
    except TypeError:
        raise ArgumentTypeError(name, short_repr(value), MONEY_TYPES) from None


@overload
def positive(name: str, value: Money) -> Fraction: ...
@overload
def positive(name: str, value: Money | None) -> Fraction | None: ...
def positive(name: str, value: Money | None) -> Fraction | None:
    """An argument that is money above nothing, exactly, or a complaint that says which one it was."""
    if value is None:
        return None
    exact = exactly(name, value)
    if exact <= 0:
        raise ArgumentError(name, str(value), "an amount above 0")
    return exact


def share_of(name: str, value: Money) -> Fraction:
    """An argument that is a part of something, exactly: nothing, all or between."""
    share = exactly(name, value)
    if not 0 <= share <= 1:
        raise ArgumentError(name, str(value), "a share from 0 to 1")
    return share


def whole_number(name: str, value: int, *, least: int = 1, most: int = COUNT_MAX) -> int:
    """An argument that counts something; NumPy's whole numbers become Python's, which do not wrap round."""
    if type(value) is int and least <= value <= most:  # what is handed in most
        return value
    number: object = value  # whatever it is annotated as
    if isinstance(number, bool) or not isinstance(number, Integral):
        raise ArgumentTypeError(name, short_repr(number), "a whole number")
    whole = int(number)
    if whole < least:
        raise ArgumentError(name, str(max(whole, -COUNT_MAX)), f"a whole number from {least}")
    if whole > most:
        seen = str(whole) if whole <= COUNT_MAX else f"more than {COUNT_MAX}"
        raise ArgumentError(name, seen, "a smaller number" if most == COUNT_MAX else f"a whole number up to {most}")
    return whole


def cents(amount: Money, name: str = "amount") -> int:
    """An argument that is money in whole cents, below nothing too.

    >>> cents("2.50"), cents(-5)
    (250, -500)
    """
    if type(amount) is int and -LARGEST < amount < LARGEST:  # what a table is handed most
        return amount * CENTS
    exact = exactly(name, amount) * CENTS
    if exact.denominator != 1:
        raise ArgumentError(name, short_repr(amount), "an amount in whole cents")
    return exact.numerator


def positive_cents(name: str, value: Money) -> int:
    """An argument that is money above nothing, in whole cents."""
    positive(name, value)
    return cents(value, name)


def float_of(value: object) -> tuple[int, ...]:
    """An argument that names the chips of a float, in cents: some, and each above nothing."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ArgumentTypeError("chips", short_repr(value), "a list of chips such as [1, 5, 25]")
    try:
        chips = tuple(positive_cents("chips", chip) for chip in value)
    except ArgumentError as error:
        raise type(error)("chips", error.actual, f"{AS_FLOAT}, each {error.expected}") from None
    if not chips:
        raise ArgumentError("chips", "none", AS_FLOAT)
    return chips


def chips_of(text: str) -> int:
    """An amount as it is said at a table, in cents: nothing below nothing, no fractions, no third place.

    >>> chips_of("2.5")
    250
    """
    if text.startswith("-") or "/" in text or len(text.partition(".")[2]) > 2:
        raise ValueError(AS_CHIPS)
    try:
        return cents(text)
    except ValueError:
        raise ValueError(AS_CHIPS) from None
