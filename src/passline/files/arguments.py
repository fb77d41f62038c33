"""What callers hand to public names, checked where it comes in; money and counts are in `files.amounts`."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from math import isfinite
from numbers import Rational, Real
from typing import TypeVar

from passline.errors import ArgumentError, ArgumentTypeError, shown
from passline.files.findings import nearest

T = TypeVar("T")


def one_of(name: str, given: T, known: Collection[T]) -> T:
    if type(given) is str and given in known:
        return given
    named = [str(each) for each in known]
    if not isinstance(given, str):
        raise ArgumentTypeError(name, shown(given), f"one of {', '.join(named)}")
    if given not in named:
        raise ArgumentError(name, shown(given), f"one of {', '.join(named)}", nearest(given, named))
    return given


def instance(name: str, given: object, kind: type[T] | tuple[type[T], ...], expected: str) -> T:
    if not isinstance(given, kind):
        raise ArgumentTypeError(name, shown(given), expected)
    return given


def function(name: str, given: object) -> None:
    """Refuse what cannot be called and is not None."""
    if given is not None and not callable(given):
        raise ArgumentTypeError(name, shown(given), "a function, or None")


def figure(name: str, given: object) -> Fraction:
    """A number of any sort that is one: Python's, NumPy's or a fraction."""
    if isinstance(given, bool) or not isinstance(given, Real):
        raise ArgumentTypeError(name, shown(given), "a number")
    if isinstance(given, Rational):
        return Fraction(int(given.numerator), int(given.denominator))
    if not isfinite(given):
        raise ArgumentError(name, shown(given), "a number that is one")
    return Fraction(str(given))  # a float is meant as it is written: 0.1 is a tenth


def chance(name: str, given: object) -> Fraction:
    """A chance above 0 and up to 1."""
    found = figure(name, given)
    if not 0 < found <= 1:
        raise ArgumentError(name, shown(given), "a chance above 0 and up to 1")
    return found
