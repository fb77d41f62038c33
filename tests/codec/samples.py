"""One full and one bare value of every kind that has a line, always the same, worked out from the types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from fractions import Fraction
from itertools import count
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NewType, Union, get_args, get_origin

from passline.codec import KINDS
from passline.codec.shapes import Hint, typed_fields

if TYPE_CHECKING:
    from collections.abc import Iterator


Value = Any
"""A value of whatever type was asked for."""


def samples() -> Iterator[Any]:
    """Every kind full and bare."""
    for kind in KINDS.values():
        yield sample(kind)
        yield sample(kind, full=False)


def sample(kind: Hint, *, full: bool = True) -> Value:
    """A value of one kind."""
    return _Sampler(full=full).of(kind)


class _Sampler:
    """Makes a value in which no two numbers or words are alike, so that none can stand for another."""

    def __init__(self, *, full: bool) -> None:
        self.full = full
        self.numbers = count(2)

    def of(self, kind: Hint, name: str = "key") -> Value:
        """A value of a type, for a field of this name."""
        if isinstance(kind, NewType):
            return self.of(kind.__supertype__, name)
        if kind in (int, str, bool, Fraction, NoneType):
            return self._leaf(kind, name)
        if is_dataclass(kind) or hasattr(kind, "_fields"):
            return kind(**{inner: self.of(hint, inner) for inner, hint in typed_fields(kind).items()})
        return self._built(get_origin(kind), get_args(kind), name)

    def _leaf(self, kind: Hint, name: str) -> Value:
        number = next(self.numbers)
        return {
            int: number if self.full else 0,
            str: f"{name} “{number}”" if self.full else "",
            bool: self.full,
            Fraction: Fraction(-(10**20) - number, 3) if self.full else Fraction(0),
            NoneType: None,
        }[kind]

    def _built(self, origin: Hint, inside: tuple[Hint, ...], name: str) -> Value:
        if origin is Annotated:
            return self.of(inside[0], name)
        if origin is Literal:
            return inside[-1] if self.full else inside[0]
        if origin in (Union, UnionType):
            return self.of(inside[0], name) if self.full else None
        if origin is tuple and inside[-1] is not Ellipsis:
            return tuple(self.of(kind, name) for kind in inside)
        times = range(2 if self.full else 0)
        if origin is Mapping:
            return {self.of(inside[0], f"{name} {time}"): self.of(inside[1], name) for time in times}
        assert origin in (tuple, frozenset), origin
        return origin(self.of(inside[0], name) for _ in times)
