"""Records that nobody changes, made as fast as Python makes anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def frozen(cls: type[T], /) -> type[T]: ...
@overload
def frozen(*, kw_only: bool) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True)
def frozen(cls: type[T] | None = None, /, *, kw_only: bool = False) -> type[T] | Callable[[type[T]], type[T]]:
    """A frozen record with slots and a hash.

    The type checker refuses every assignment. At run time nothing is in the way of one, for a frozen dataclass pays for
    that with six times the work on every field it is made with, and a table makes a dozen records a roll.
    """
    made = dataclass(slots=True, unsafe_hash=True, kw_only=kw_only)
    return made if cls is None else made(cls)
