"""Watches which fields of a book the rules read: a pytest plugin (`-p tests.rulebooks.reads`) and its parts.

A cited value counts as read when its *value* is asked for; to cite the clause of a value nobody looks at is not to keep
a rule. Asking counts only from the packages that play, write and tell a game, and not from the rule card, which shows
everything there is.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from passline.engine import book, floor_rules, kinds
from passline.engine.layout import Layout
from passline.engine.values import Cited

if TYPE_CHECKING:
    from collections.abc import Callable

READERS = ("passline.engine.", "passline.floor.", "passline.record.", "passline.table", "passline.telling.")
SHOWS_EVERYTHING = "passline.telling.card"

SHARED = (book.EveryWager, kinds.OnNumber, kinds.NextRoll, kinds.Tally, kinds.ByCount)
"""What records have in common: no part of a book by itself."""

RECORDS = tuple(
    record
    for module in (floor_rules, book, kinds)
    for record in vars(module).values()
    if isinstance(record, type) and is_dataclass(record) and record.__module__ == module.__name__
    if record not in SHARED
)
"""What a book is made of."""

EVERY = {f"{record.__name__}.{field.name}" for record in RECORDS for field in fields(record)}
"""Every field of a book."""

REPORT = "PASSLINE_READS"
"""The environment variable that names the file the plugin writes."""


class Watch:
    """Notes the fields that are read while it is on."""

    def __init__(self) -> None:
        self.read: set[str] = set()
        self._cited: dict[int, str] = {}
        self._kept: list[object] = []  # so that no other value gets the id of a cited one
        self._before: list[tuple[type, str, Any]] = []

    def __enter__(self) -> Self:
        for record in RECORDS:
            self._put(record, "__getattribute__", self._reading(record))
        self._put(Cited, "__getattribute__", self._valuing)
        laid = Layout.__init__

        def lay(layout: Layout, *args: Any, **named: Any) -> None:  # noqa: ANN401 - whatever a layout is made of
            laid(layout, *args, **named)
            self.know(layout.book)

        self._put(Layout, "__init__", lay)
        return self

    def __exit__(self, *_error: object) -> None:
        for owner, name, before in reversed(self._before):
            if before is None:
                delattr(owner, name)
            else:
                setattr(owner, name, before)

    def _put(self, owner: type, name: str, new: Callable[..., Any]) -> None:
        self._before.append((owner, name, owner.__dict__.get(name)))
        setattr(owner, name, new)

    def know(self, value: object, path: str = "") -> None:
        """Remember which field each cited value of a book stands in."""
        if isinstance(value, Cited):
            self._cited[id(value)] = path
            self._kept.append(value)
        elif type(value) in RECORDS:
            for field in fields(value):  # type: ignore[arg-type]
                name = f"{type(value).__name__}.{field.name}"
                self.know(object.__getattribute__(value, field.name), name)
        elif isinstance(value, Mapping | tuple):
            for inner in value.values() if isinstance(value, Mapping) else value:
                self.know(inner, path)

    def _reading(self, record: type) -> Callable[[object, str], object]:
        names = {field.name: f"{record.__name__}.{field.name}" for field in fields(record)}

        def read(one: object, name: str) -> object:
            value = object.__getattribute__(one, name)
            if (path := names.get(name)) and path not in self.read and not isinstance(value, Cited) and _by_a_rule():
                self.read.add(path)
            return value

        return read

    @property
    def _valuing(self) -> Callable[[object, str], object]:
        def value_of(cited: object, name: str) -> object:
            if name == "value" and (path := self._cited.get(id(cited))) and path not in self.read and _by_a_rule():
                self.read.add(path)
            return object.__getattribute__(cited, name)

        return value_of


def _by_a_rule() -> bool:
    """Whether it is a rule that asks, and not a comparison of two records or somebody further up."""
    asking = sys._getframe(2)
    module = asking.f_globals.get("__name__", "")
    generated = asking.f_code.co_filename == "<string>"
    return module.startswith(READERS) and module != SHOWS_EVERYTHING and not generated


WATCH = Watch()


def pytest_configure() -> None:
    """Begin to watch before any house is laid out."""
    WATCH.__enter__()


def pytest_unconfigure() -> None:
    """Write down what was read."""
    WATCH.__exit__()
    Path(os.environ[REPORT]).write_text(json.dumps(sorted(WATCH.read)), encoding="utf-8")
