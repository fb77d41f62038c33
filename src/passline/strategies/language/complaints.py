"""What is wrong with a strategy file, in the words of its author."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, get_args

from pydantic import BaseModel, ValidationError

from passline.errors import Finding
from passline.files.findings import said
from passline.strategies.language.amounts import numbers_in
from passline.strategies.language.conditions import wagers_in
from passline.strategies.language.schema import StrategyFile
from passline.strategies.language.strategy import Count, Strategy

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

BRANCHES = re.compile(
    r"^(int|constrained-int|str|constrained-str|literal\[.*|tuple\[.*|function.*|\[key\]|nullable.*)$"
)
"""Words of a place that the models put in, not the author."""


def findings_from(error: ValidationError, file: str) -> list[Finding]:
    """Say every complaint of the models in the words of a strategy file, once for each place."""
    found: dict[str, Finding] = {}
    for detail in error.errors(include_url=False):
        if detail["type"] == "too_short" and detail["input"]:
            continue  # a list is short of the entries that have complaints of their own
        finding = _finding(detail, file)
        earlier = found.get(finding.path)
        if earlier is None:
            found[finding.path] = finding
        elif finding.expected not in earlier.expected:
            either = f"{earlier.expected}, or {finding.expected}"
            found[finding.path] = Finding(file, finding.path, earlier.found, either, earlier.nearest or finding.nearest)
    return list(found.values())


def _finding(detail: ErrorDetails, file: str) -> Finding:
    found, expected, near = said(detail, _keys_at, {"missing": "this key"})
    return Finding(file, where(detail["loc"]), found, expected, near)


def where(place: Iterable[int | str]) -> str:
    """Write a place as the author of the file would: `want[2].up.place_6`, counted from one."""
    text = ""
    for part in place:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        elif not BRANCHES.match(part):
            text += f".{part}" if text else part
    return text


def names_at(strategy: Strategy) -> Iterator[tuple[str, str]]:  # noqa: C901 - one loop for each table
    """Every wager a strategy names, with the place where it does."""
    for number, want in enumerate(strategy.wants, start=1):
        yield from ((f"want[{number}].up.{wager}", wager) for wager, _ in want.up)
        for wager, amount in want.up:
            named = (counted.of for counted in numbers_in(amount))
            yield from ((f"want[{number}].up.{wager}", name) for name in named if isinstance(name, str))
        for key, names in (("down", want.down), ("on", want.on), ("off", want.off)):
            yield from ((f"want[{number}].{key}", name) for name in names)
        yield from ((f"want[{number}].when", name) for name in wagers_in(want.when))
    for count in strategy.counts:
        yield from ((f"count.{count.name}.when", name) for name in wagers_in(count.when))
        if count.down is not None:
            yield from ((f"count.{count.name}.down", name) for name in wagers_in(count.down))
    for place, stage in enumerate(strategy.stages, start=1):
        for key, condition in (("on", stage.on), ("back", stage.back)):
            if condition is not None:
                yield from ((f"stage[{place}].{key}", name) for name in wagers_in(condition))
    for part in (*strategy.counts, *strategy.progressions):
        kind = "count" if isinstance(part, Count) else "progression"
        if part.reset is not None:
            yield from ((f"{kind}.{part.name}.reset", name) for name in wagers_in(part.reset))
    if strategy.ends.when is not None:
        yield from (("ends.when", name) for name in wagers_in(strategy.ends.when))
    yield from ((f"progression.{part.name}.of", part.of) for part in strategy.progressions)


def _keys_at(place: tuple[int | str, ...]) -> list[str]:
    """The keys that the table at this place can have."""
    model: type[BaseModel] | None = StrategyFile
    for part in place:
        if model is not None and isinstance(part, str) and part in model.model_fields:
            model = _model_in(model.model_fields[part].annotation)
    return list(model.model_fields) if model else []


def _model_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for part in get_args(annotation) if (model := _model_in(part))), None)
