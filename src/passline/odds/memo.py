"""Remembers what was worked out about a rule book for as long as anybody may ask again, and does nothing unasked."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from passline.engine.layout import Layout

T = TypeVar("T")
P = ParamSpec("P")

BOOKS_MAX = 32
"""How many books are remembered; the one not asked about for longest is forgotten first."""


class Lazily(Mapping[str, T]):
    """Answers by key, each worked out when it is first asked for.

    A house may have a hundred wagers, some with a thousand states, and who quits the table asks about one.
    """

    def __init__(self, keys: Iterable[str], work: Callable[[str], T]) -> None:
        self._keys, self._work = dict.fromkeys(keys), work
        self._done: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._done:
            if key not in self._keys:
                raise KeyError(key)
            self._done[key] = self._work(key)
        return self._done[key]

    def __contains__(self, key: object) -> bool:
        """Whether there is an answer; nothing is worked out."""
        return key in self._keys

    def __iter__(self) -> Iterator[str]:
        """The keys; nothing is worked out."""
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


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
