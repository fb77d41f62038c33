"""Reads a strategy file into frozen records, or says everything that is wrong with it."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from passline.errors import Finding, LanguageError, StrategyFileError
from passline.files.amounts import money
from passline.files.findings import nearest, shown
from passline.files.reading import is_file
from passline.files.toml import tree
from passline.strategies.language import grammar
from passline.strategies.language.complaints import findings_from
from passline.strategies.language.quantities import QUANTITIES
from passline.strategies.language.schema import ProgressionTable, StrategyFile, WantTable
from passline.strategies.language.strategy import Cancellation, Count, Ends, Ladder, Progression, Strategy, Want

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.resources.abc import Traversable
    from typing import TypeVar

    from passline.strategies.language.conditions import Condition

    Read = TypeVar("Read")

DIGITS_MAX = 25
"""No number of units needs more."""

RESERVED = frozenset(
    {
        *grammar.JOINS,
        *grammar.AMOUNTS,
        *QUANTITIES,
        *grammar.ASKS,
        *grammar.DECIDED,
        *(word for what in grammar.HAPPENED for word in what.split()),
    }
)
"""Words that mean something already."""


def read_strategy(source: str | bytes | Path, file: str | None = None) -> Strategy:
    """Read a strategy file, given as its text, its bytes or its path; `file` is what complaints call it."""
    file = file or (source.name if isinstance(source, Path) else "strategy")
    return make(tree(source, file, "a strategy file", StrategyFileError), file=file)


def make(values: dict[str, Any], *, file: str = "strategy") -> Strategy:
    """Make a strategy of the same tables that a file has.

    >>> make({"name": "Field", "description": "Every roll.", "want": [{"up": {"field": 1}}]}).wagers
    ('field',)
    """
    try:
        said = StrategyFile.model_validate_json(json.dumps(values))
    except ValidationError as error:
        raise StrategyFileError(findings_from(error, file)) from None
    return _Reader(said, file).strategy()


def load(strategy: str | Path) -> Strategy:
    """Give a strategy of the library by its id, or any other by the path of its file."""
    if isinstance(strategy, str) and strategy in _files():
        return _load_built_in(strategy)
    path = Path(strategy)
    if isinstance(strategy, str) and path.suffix != ".toml" and not is_file(path):
        known = _files()
        listed = f"one of the {len(known)} that `passline strategies` lists, or the path of a .toml file"
        raise StrategyFileError([Finding(strategy, "", "no such strategy", listed, nearest(strategy, known))])
    return read_strategy(path)


def built_in() -> tuple[str, ...]:
    """The ids of the strategies that come with the program, in the order of the alphabet."""
    return tuple(_files())


@cache
def _files() -> dict[str, Traversable]:
    folder = files("passline.strategies") / "library"
    found = {path.name.removesuffix(".toml"): path for path in folder.iterdir() if path.name.endswith(".toml")}
    return dict(sorted(found.items()))


@cache
def _load_built_in(name: str) -> Strategy:
    path = _files()[name]
    return read_strategy(path.read_bytes(), path.name)


class _Reader:
    """Turns a checked file into records, collecting what its texts say wrong."""

    def __init__(self, said: StrategyFile, file: str) -> None:
        self.said = said
        self.file = file
        self.findings: list[Finding] = []

    def strategy(self) -> Strategy:
        """Everything, or every complaint."""
        said = self.said
        for kind, names in (("count", said.count), ("progression", said.progression)):
            for name in names:
                if name in RESERVED or (kind == "progression" and name in said.count):
                    self._complain(f"{kind}.{name}", "a word that means something already", "another name")
        wants = tuple(self._want(number, want) for number, want in enumerate(said.want, start=1))
        counts = tuple(
            Count(name, self._condition(f"count.{name}.when", count.when), self._reset(f"count.{name}", count.reset))
            for name, count in said.count.items()
        )
        progressions = tuple(self._progression(name, part) for name, part in said.progression.items())
        unit = self._exact("unit", said.unit)
        if not unit:
            self._complain("unit", "0", "more than nothing")
        ends = said.ends
        limits = Ends(
            ends.rolls,
            ends.hands,
            self._money("ends.stop_win", ends.stop_win),
            self._money("ends.stop_loss", ends.stop_loss),
        )
        if self.findings:
            raise StrategyFileError(self.findings)
        return Strategy(
            id=said.id or Path(self.file).name.removesuffix(".toml"),
            name=said.name,
            description=said.description,
            source=said.source,
            unit=unit,
            wants=wants,
            counts=counts,
            progressions=tuple(part for part in progressions if part is not None),
            ends=limits,
        )

    def _want(self, number: int, want: WantTable) -> Want:
        path = f"want[{number}]"
        if not (want.up or want.down or want.on or want.off):
            self._complain(path, "nothing wanted", "at least one of up, down, on, off")
        amounts = []
        for wager, amount in want.up.items():
            read = self._said(f"{path}.up.{wager}", partial(grammar.amount, amount, progressions=self.said.progression))
            if read is not None:
                amounts.append((wager, read))
        when = self._said(f"{path}.when", lambda: grammar.condition(want.when, counts=self.said.count))
        return Want(
            when if when is not None else grammar.condition("always"),
            tuple(amounts),
            want.down,
            want.on,
            want.off,
            want.skip == "point",
        )

    def _progression(self, name: str, part: ProgressionTable) -> Progression | None:
        path = f"progression.{name}"
        reset = self._reset(path, part.reset)
        if (part.steps is None) == (part.line is None):
            both = "steps and line" if part.steps is not None else "neither steps nor line"
            self._complain(path, both, "one of them")
            return None
        if part.line is not None:
            if part.model_fields_set & {"won", "lost"}:
                self._complain(path, "won or lost beside line", "a line alone, which says what wins and losses do")
            return Cancellation(name, part.of, part.line, part.end, reset)
        if isinstance(part.steps, str):
            return Ladder(name, part.of, part.steps, part.won, part.lost, part.end, reset)
        assert part.steps is not None
        steps = tuple(self._exact(f"{path}.steps[{place}]", step) for place, step in enumerate(part.steps, start=1))
        return Ladder(name, part.of, steps, part.won, part.lost, part.end, reset)

    def _reset(self, path: str, text: str | None) -> Condition | None:
        return None if text is None else self._condition(f"{path}.reset", text)

    def _condition(self, path: str, text: str) -> Condition:
        """A condition looked at after a roll."""
        read = self._said(path, lambda: grammar.condition(text, counts=self.said.count, after_roll=True))
        return read if read is not None else grammar.condition("always")

    def _money(self, path: str, said: int | str | None) -> Fraction | None:
        return None if said is None else self._exact(path, said)

    def _exact(self, path: str, said: int | str) -> Fraction:
        try:
            exact = money(said, digits_max=DIGITS_MAX)
        except ValueError:
            exact = Fraction(-1)
        if exact < 0:
            self._complain(path, shown(said), 'a number such as 5, "2.50" or "3/2"')
        return exact

    def _said(self, path: str, read: Callable[[], Read]) -> Read | None:
        try:
            return read()
        except LanguageError as error:
            self.findings.append(Finding(self.file, path, error.found, error.expected, error.nearest))
            return None

    def _complain(self, path: str, found: str, expected: str) -> None:
        self.findings.append(Finding(self.file, path, found, expected))


def library() -> Iterable[Strategy]:
    """Every strategy that comes with the program."""
    return (load(name) for name in built_in())
