"""Remembers what was worked out about a rule book for as long as anybody may ask again."""

from __future__ import annotations

from collections import OrderedDict
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.engine.layout import Layout

T = TypeVar("T")
P = ParamSpec("P")

BOOKS_MAX = 32
"""How many books are remembered; the one not asked about for longest is forgotten first."""


def remembered(work: Callable[Concatenate[Layout, P], T]) -> Callable[Concatenate[Layout, P], T]:
    """Do work on a layout once for each book and dice: houses opened twice share the book, though not the layout."""
    known: OrderedDict[tuple[Any, ...], tuple[Any, T]] = OrderedDict()

    @wraps(work)
    def asked(layout: Layout, *more: P.args, **named: P.kwargs) -> T:
        # The entry keeps the book, so its identity cannot be given to another one meanwhile.
        who = (id(layout.book), *more, *named.values())
        if who not in known:
            known[who] = (layout.book, work(layout, *more, **named))
        known.move_to_end(who)
        if len(known) > BOOKS_MAX:
            known.popitem(last=False)
        return known[who][1]

    return asked  # type: ignore[return-value]
