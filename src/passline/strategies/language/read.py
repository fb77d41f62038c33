"""Reads a strategy file into frozen records, or says everything that is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from passline.errors import Finding, LanguageError, StrategyFileError, short, short_repr
from passline.files.amounts import money
from passline.files.findings import explained, keys_at, nearest, quoted
from passline.files.reading import is_file
from passline.files.toml import tree
from passline.strategies.language import grammar
from passline.strategies.language.blocks import CONDITIONS, CountTable, ProgressionTable, StrategyFile, WantTable
from passline.strategies.language.conditions import ASKS, DECIDED, OF_ROLL, QUANTITIES, Condition
from passline.strategies.language.strategy import Cancellation, Count, Ends, Ladder, StageRule, Strategy, Want

if TYPE_CHECKING:
    Read = TypeVar("Read")

Wagers = Collection[str] | None  # names that there are; None: whatever a file names
NO_FILE = "strategy"  # what complaints call a strategy that is in no file
NAME_MAX = 60  # the longest short name
DIGITS_MAX = 25  # no number of units needs more
MONEY = frozenset({"stop_win", "stop_loss", "goal"})  # keys whose value is money, in units

RESERVED = frozenset(
    {
        *grammar.JOINS,
        *grammar.AMOUNTS,
        *QUANTITIES,
        *ASKS,
        *DECIDED,
        *(word for what in OF_ROLL for word in what.split()),
    }
)


def read_strategy(source: str | bytes | Path, file: str | None = None, wagers: Wagers = None) -> Strategy:
    """Read a strategy file, given as its text, its bytes or its path; `file` is what complaints call it.

    Where `wagers` are given, a name that is none of them is wrong too.
    """
    file = file or (str(source) if isinstance(source, Path) else NO_FILE)
    return make(tree(source, file, "a strategy file", StrategyFileError), file=file, wagers=wagers)


def make(
    values: dict[str, Any],
    *,
    file: str = NO_FILE,
    wagers: Wagers = None,
    parameters: Mapping[str, str] = MappingProxyType({}),
) -> Strategy:
    """Make a strategy of the same tables that a file has, with these of its parameters instead of its own.

    >>> make({"name": "Field", "description": "Every roll.", "want": [{"up": {"field": 1}}]}).wagers
    ('field',)
    """
    if "want" not in values and ("like" in values or "wager" in values):
        raise StrategyFileError([Finding(file, "", "a house file", "a strategy file")])
    try:
        text = json.dumps(values)
    except (TypeError, ValueError, RecursionError):
        expected = "tables, lists, text and numbers, as a file has them"
        raise StrategyFileError([Finding(file, "", short_repr(values), expected)]) from None
    try:
        checked = StrategyFile.model_validate_json(text)
    except ValidationError as error:
        raise StrategyFileError([*findings_from(error, file), *_besides(values, error, file, wagers)]) from None
    return _Reader(checked, file, wagers, parameters).strategy()


# What a table with a wrong key is taken for while the rest of the file is read.
STANDS_IN: dict[str, Any] = {
    "name": "x",
    "want": {"down": ["pass"]},
    "count": {"when": "always"},
    "progression": {"of": "pass", "steps": [1]},
}


def _besides(values: dict[str, Any], error: ValidationError, file: str, wagers: Wagers) -> list[Finding]:
    """What else is wrong: the texts of all the tables that the models have nothing against."""
    rest = json.loads(json.dumps(values))
    for key, *inside in (detail["loc"] for detail in error.errors(include_url=False)):
        if inside and key in ("want", "count", "progression") and isinstance(rest.get(key), list | dict):
            rest[key][inside[0]] = STANDS_IN[str(key)]
        else:
            rest.pop(key, None)
    rest = {"name": "x", "want": [STANDS_IN["want"]], **rest}
    try:
        _Reader(StrategyFile.model_validate_json(json.dumps(rest)), file, wagers).strategy()
    except StrategyFileError as also:
        return list(also.findings)
    except (ValidationError, LookupError, TypeError):
        pass  # it is wrong in too many places to be read around
    return []


def id_of(file: str) -> str:
    """The short name that a file's own name comes to, for tables that are read without their file.

    >>> id_of("my-way.toml")
    'my_way'
    """
    name = re.sub(r"[^a-z0-9_]", "_", Path(file).name.removesuffix(".toml").lower())
    return name[:NAME_MAX] if name[:1].isalpha() else f"s_{name}"[:NAME_MAX]


def with_parameters(strategy: str) -> tuple[str, dict[str, str]]:
    """The name or path before an `@`, and the parameters after it.

    >>> with_parameters("pass_odds@odds=5,unit=2")
    ('pass_odds', {'odds': '5', 'unit': '2'})
    """
    name, _, values = strategy.partition("@")
    parts = (each.partition("=") for each in values.split(",") if each)
    return name, {key.strip(): value.strip() for key, _, value in parts}


def load(strategy: str | Path) -> Strategy:
    """Give a strategy of the library by its id, or any other by the path of its file; `NAME@odds=5` sets parameters."""
    if isinstance(strategy, str) and "@" in strategy:
        name, parameters = with_parameters(strategy)
        built = name in _files()
        source = _files()[name].read_bytes() if built else Path(name)
        file = f"{name}.toml" if built else name
        return make(tree(source, file, "a strategy file", StrategyFileError), file=file, parameters=parameters)
    if isinstance(strategy, str) and strategy in _files():
        return _load_built_in(strategy)
    path = Path(strategy)
    if isinstance(strategy, str) and path.suffix != ".toml" and not is_file(path):
        known = _files()
        listed = f"one of the {len(known)} that `passline strategies` lists, or the path of a .toml file"
        raise StrategyFileError([Finding(short(strategy), "", "no such strategy", listed, nearest(strategy, known))])
    return read_strategy(path)


def built_in() -> tuple[str, ...]:
    return tuple(_files())


@cache
def _files() -> dict[str, Traversable]:
    folder = files("passline.strategies") / "library"
    named = {path.name.removesuffix(".toml"): path for path in folder.iterdir() if path.name.endswith(".toml")}
    return dict(sorted(named.items()))


@cache
def _load_built_in(name: str) -> Strategy:
    path = _files()[name]
    return read_strategy(path.read_bytes(), path.name)


class _Reader:
    """Turns a checked file into records, collecting what its texts say wrong."""

    def __init__(
        self, data: StrategyFile, file: str, wagers: Wagers = None, parameters: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.data = data
        self.file = file
        self.wagers = wagers
        self.findings: list[Finding] = []
        self.set = dict(parameters)
        for name in self.set:
            if name not in data.parameters:
                known = f"one of {', '.join(data.parameters)}" if data.parameters else "none: it has no parameters"
                self.findings.append(Finding(file, f"@{name}", f"`{name}`", known, nearest(name, data.parameters)))
        self.values = {
            name: self._exact(f"parameters.{name}", self.set.get(name, value))
            for name, value in data.parameters.items()
        }
        for place, stage in enumerate(data.stage, start=1):
            self.values[stage.name] = Fraction(place)
        # The strategies this one is added to.
        self.included = [part for name in data.include if (part := self._included(name))]
        self.counts = {*data.count, *(count.name for part in self.included for count in part.counts)}
        self.progressions = {*data.progression, *(each.name for part in self.included for each in part.progressions)}

    def strategy(self) -> Strategy:
        file = self.data
        kinds: dict[str, Collection[str]] = {
            "parameters": file.parameters,
            "stage": [stage.name for stage in file.stage],
            "count": file.count,
            "progression": file.progression,
        }
        taken = set(RESERVED)
        for kind, name in ((kind, name) for kind, names in kinds.items() for name in names):
            if name in taken:
                self._complain(f"{kind}.{name}", "a word that means something already", "another name")
            taken.add(name)
        if not (file.want or file.include):
            self._complain("want", "nothing wanted", "at least one [[want]], or strategies to include")
        wants = tuple(self._want(number, want) for number, want in enumerate(file.want, start=1))
        counts = tuple(self._count(name, count) for name, count in file.count.items())
        stages = tuple(StageRule(**self._read(f"stage[{place}]", stage)) for place, stage in enumerate(file.stage, 1))
        progressions = tuple(self._progression(name, part) for name, part in file.progression.items())
        unit = self._exact("unit", file.unit)
        if not unit:
            self._complain("unit", "0", "more than nothing")
        ends = Ends(**self._read("ends", file.ends, after_roll=False))
        self._clashes()
        own_id = file.id or (id_of(file.name) if self.file == NO_FILE else Path(self.file).name.removesuffix(".toml"))
        all_counts = [*(each for part in self.included for each in part.counts), *counts]
        moving = [each for part in self.included for each in part.progressions]
        moving += filter(None, progressions)
        strategy = Strategy(
            id="@".join(filter(None, (own_id, ",".join(f"{name}={value}" for name, value in self.set.items())))),
            name=file.name,
            description=file.description,
            source=file.source,
            unit=unit,
            parameters=tuple(file.parameters),
            wants=(*(want for part in self.included for want in part.wants), *wants),
            counts=tuple(dict.fromkeys(all_counts)),
            progressions=tuple(dict.fromkeys(moving)),
            stages=stages or next((part.stages for part in self.included if part.stages), ()),
            ends=ends,
        )
        if not strategy.stages and any(number.name == "stage" for number in strategy.numbers):
            self._complain("stage", "nothing", "[[stage]] tables, for a condition asks for the stage")
        self._check_names(replace(strategy, wants=wants))
        if self.findings:
            raise StrategyFileError(self.findings)
        return strategy

    def _check_names(self, strategy: Strategy) -> None:
        """Find the names that are no wager of any house, also those whose amount could not be read."""
        known = self.wagers
        if known is None:
            return
        wanted = ((f"want[{at}].up.{key}", key) for at, want in enumerate(self.data.want, start=1) for key in want.up)
        for path, name in dict.fromkeys((*wanted, *strategy.names_at)):
            if name not in known:
                near = nearest(name, known)
                self.findings.append(Finding(self.file, path, f"`{name}`", "a wager that some house books", near))

    def _included(self, name: str) -> Strategy | None:
        if name in _files():
            return _load_built_in(name)
        near = nearest(name, _files())
        self.findings.append(Finding(self.file, "include", f"`{name}`", "a strategy of the library", near))
        return None

    def _clashes(self) -> None:
        """Two strategies that are added together may share a count or a progression, but not only its name."""
        own = {"count": set(self.data.count), "progression": set(self.data.progression)}
        known: dict[str, object] = {}
        for part in self.included:
            for each in (*part.counts, *part.progressions):
                kind = "count" if isinstance(each, Count) else "progression"
                if each.name in own[kind] or known.setdefault(each.name, each) != each:
                    self._complain(f"include.{part.id}", f"a {kind} `{each.name}` of its own", "another name for one")

    def _want(self, number: int, want: WantTable) -> Want:
        path = f"want[{number}]"
        if not (want.up or want.down or want.on or want.off):
            self._complain(path, "nothing wanted", "at least one of up, down, on, off")
        amounts = []
        names: dict[str, Any] = {"progressions": self.progressions, "counts": self.counts, "values": self.values}
        for wager, amount in want.up.items():
            read = self._parsed(f"{path}.up.{wager}", partial(grammar.amount, amount, **names))
            if read is not None:
                amounts.append((wager, read))
        when = self._condition(f"{path}.when", want.when, after_roll=False)
        return Want(when, tuple(amounts), want.down, want.on, want.off, want.skip == "point")

    def _count(self, name: str, count: CountTable) -> Count:
        path = f"count.{name}"
        if count.most is not None and count.start > count.most:
            self._complain(f"{path}.start", str(count.start), f"at most {count.most}, the most it may be")
        return Count(name=name, **self._read(path, count))

    def _progression(self, name: str, part: ProgressionTable) -> Ladder | Cancellation | None:
        path = f"progression.{name}"
        values = self._read(path, part)
        steps, line, goal = values.pop("steps"), values.pop("line"), values["goal"]
        if (steps is None) == (line is None):
            both = "steps and line" if steps is not None else "neither steps nor line"
            self._complain(path, both, "one of them")
            return None
        if line is not None:
            if part.model_fields_set & {"won", "lost", "goal", "each"}:
                alone = "a line alone, which says what wins and losses do"
                self._complain(path, "won, lost, goal or each beside line", alone)
            return Cancellation(name, part.of, line, part.end, values["reset"])
        if goal == 0 or (goal is not None and part.each):
            self._complain(path, "a goal of nothing, or one for each", "one series, with a goal above 0")
        if not isinstance(steps, str):
            steps = tuple(self._exact(f"{path}.steps[{place}]", step) for place, step in enumerate(steps, start=1))
        return Ladder(name=name, steps=steps, **values)

    def _read(self, path: str, table: BaseModel, *, after_roll: bool = True) -> dict[str, Any]:
        """What a table says, its conditions and its sums of money as values."""
        values = dict(table)
        for key, value in values.items():
            place = f"{path}.{key}"
            if key in CONDITIONS and isinstance(value, str):
                values[key] = self._condition(place, value, after_roll=after_roll)
            elif key in MONEY and value is not None:
                values[key] = self._exact(place, value)
        return values

    def _condition(self, path: str, text: str, *, after_roll: bool = True) -> Condition:
        how: dict[str, Any] = {"counts": self.counts, "values": self.values, "after_roll": after_roll}
        return self._parsed(path, lambda: grammar.condition(text, **how)) or grammar.condition("always")

    def _exact(self, path: str, value: int | str) -> Fraction:
        if isinstance(value, str) and value in getattr(self, "values", {}):
            return self.values[value]
        try:
            exact = money(value, digits_max=DIGITS_MAX)
        except ValueError:
            exact = Fraction(-1)
        if exact < 0:
            self._complain(path, quoted(value), 'a number such as 5, "2.50" or "3/2"')
        return exact

    def _parsed(self, path: str, read: Callable[[], Read]) -> Read | None:
        try:
            return read()
        except LanguageError as error:
            self.findings.append(Finding(self.file, path, error.actual, error.expected, error.nearest))
            return None

    def _complain(self, path: str, actual: str, expected: str) -> None:
        self.findings.append(Finding(self.file, path, actual, expected))


def library() -> Iterable[Strategy]:
    return (load(name) for name in built_in())


LISTS = (("want",), ("stage",))  # the tables that there can be several of

# Words of a place that the models put in, not the author.
BRANCHES = re.compile(r"^((constrained-)?(int|str)|literal\[.*|tuple\[.*|function.*|\[key\]|nullable.*)$")


def findings_from(error: ValidationError, file: str) -> list[Finding]:
    """Say every complaint of the models in the words of a strategy file, once for each place."""
    findings: dict[str, Finding] = {}
    for detail in error.errors(include_url=False):
        if detail["type"] == "too_short" and detail["input"]:
            continue  # a list is short of the entries that have complaints of their own
        lists = {"tuple_type": f"[[{detail['loc'][0]}]], in double brackets"} if detail["loc"] in LISTS else {}
        own = {"missing": "this key", **lists}
        actual, expected, near = explained(detail, partial(keys_at, StrategyFile), own)
        finding = Finding(file, where(detail["loc"]), actual, expected, near)
        earlier = findings.get(finding.path)
        if earlier is None:
            findings[finding.path] = finding
        elif finding.expected not in earlier.expected:
            either = f"{earlier.expected}, or {finding.expected}"
            near = earlier.nearest or finding.nearest
            findings[finding.path] = Finding(file, finding.path, earlier.actual, either, near)
    return list(findings.values())


def where(place: Iterable[int | str]) -> str:
    """Write a place as the author of the file would: `want[2].up.place_6`, counted from one."""
    text = ""
    for part in place:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        elif not BRANCHES.match(part):
            text += f".{part}" if text else part
    return text
