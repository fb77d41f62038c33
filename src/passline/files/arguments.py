"""What callers hand to public names, checked where it comes in; money and counts are in `files.amounts`."""

from collections.abc import Collection
from fractions import Fraction
from inspect import signature
from math import isfinite
from numbers import Rational, Real
from typing import TypeVar

from passline.errors import ArgumentError, ArgumentTypeError, short_repr
from passline.files.findings import nearest

T = TypeVar("T")


def one_of(name: str, value: T, known: Collection[T]) -> T:
    if type(value) is str and value in known:
        return value
    named = [str(each) for each in known]
    if not isinstance(value, str):
        raise ArgumentTypeError(name, short_repr(value), f"one of {', '.join(named)}")
    if value not in named:
        raise ArgumentError(name, short_repr(value), f"one of {', '.join(named)}", nearest(value, named))
    return value


def instance(name: str, value: object, kind: type[T] | tuple[type[T], ...], expected: str) -> T:
    if not isinstance(value, kind):
        raise ArgumentTypeError(name, short_repr(value), expected)
    return value


def function(name: str, value: object, takes: int = 2) -> None:
    """Refuse what cannot be called with so many values, and is not None."""
    if value is None:
        return
    try:
        fits = callable(value) and bool(signature(value).bind(*range(takes)).args)
    except (TypeError, ValueError):  # a class of Python's own has no signature
        fits = False
    if not fits:
        values = "1 value" if takes == 1 else f"{takes} values"
        raise ArgumentTypeError(name, short_repr(value), f"a function of {values}, or None")


def figure(name: str, value: object) -> Fraction:
    """A number of any sort that is one: Python's, NumPy's or a fraction."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ArgumentTypeError(name, short_repr(value), "a number")
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if not isfinite(value):
        raise ArgumentError(name, short_repr(value), "a number that is one")
    return Fraction(str(value))  # a float is meant as it is written: 0.1 is a tenth


def chance(name: str, value: object) -> Fraction:
    number = figure(name, value)
    if not 0 < number <= 1:
        raise ArgumentError(name, short_repr(value), "a chance above 0 and up to 1")
    return number
