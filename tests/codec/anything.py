"""Hypothesis strategies for any value of any kind that has a line, worked out from the types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin

from hypothesis import strategies as st

from passline.codec.shapes import Hint, typed_fields

TEXT = st.text(max_size=12)
"""Any text that UTF-8 can write."""

LEAVES: dict[Hint, st.SearchStrategy[Any]] = {
    int: st.integers(),
    str: TEXT,
    bool: st.booleans(),
    NoneType: st.none(),
    Fraction: st.fractions(),
}


@cache
def anything(kind: Hint) -> st.SearchStrategy[Any]:
    """Any value of a type."""
    if isinstance(kind, NewType):
        return anything(kind.__supertype__)
    if kind in LEAVES:
        return LEAVES[kind]
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        return st.builds(kind, **{name: anything(hint) for name, hint in typed_fields(kind).items()})
    return BUILT[get_origin(kind)](get_args(kind))


def _tuples(kinds: tuple[Hint, ...]) -> st.SearchStrategy[Any]:
    if kinds[-1] is Ellipsis:
        return st.lists(anything(kinds[0]), max_size=3).map(tuple)
    return st.tuples(*map(anything, kinds))


BUILT: dict[Hint, Callable[[tuple[Hint, ...]], st.SearchStrategy[Any]]] = {
    Annotated: lambda kinds: anything(kinds[0]),
    Literal: st.sampled_from,
    Union: lambda kinds: st.one_of([anything(kind) for kind in kinds]),
    UnionType: lambda kinds: st.one_of([anything(kind) for kind in kinds]),
    tuple: _tuples,
    frozenset: lambda kinds: st.frozensets(anything(kinds[0]), max_size=4),
    Mapping: lambda kinds: st.dictionaries(anything(kinds[0]), anything(kinds[1]), max_size=3),
}
