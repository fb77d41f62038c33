"""A house file under an editor's hand: which of its values can be changed, to what, and the text with one changed."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin

from passline.errors import Finding, HouseFileError
from passline.files.findings import shown
from passline.files.places import places
from passline.rulebooks.fields import PRICE, RATE
from passline.rulebooks.model import WAGERS, House, Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from passline.files.places import Path

Kind = Literal["price", "share", "count", "truth", "choice", "numbers"]
"""What can stand in the place of a value: 7:6, 5%, 12, true, one of a few words, or several numbers."""

Value = str | int | bool | list[int]

PAIR = 2
"""A value and its clause."""


class Rule(NamedTuple):
    """One value of a house file with the clause it cites."""

    path: tuple[str, ...]
    """The keys on the way to it."""
    kind: Kind
    value: Value
    clause: str
    about: str
    """What it is for, in the words of the schema."""
    choices: tuple[str, ...] = ()


def rules_of(text: str) -> list[Rule]:
    """Every value of a house file that an editor can change by itself, in the order of the file."""
    return list(_rules(tomllib.loads(text), (), House))


def _rules(
    table: dict[str, Any],
    path: tuple[str, ...],
    model: Any,  # noqa: ANN401 - a type
    about: str = "",
) -> Iterator[Rule]:
    """The rules of a table; `model` reads it, and `about` is what is said of the key that holds it."""
    for key, value in table.items():
        here = (*path, key)
        inner, said = _reads(model, here, value)
        if isinstance(value, dict):
            yield from _rules(value, here, inner, said or about)
        elif isinstance(value, list) and len(value) == PAIR and isinstance(value[1], str):
            yield from _said(here, value[0], value[1], said or about, _words(inner))


def _said(path: tuple[str, ...], value: object, clause: str, about: str, choices: tuple[str, ...]) -> Iterator[Rule]:
    """The rule that a pair is, or those of a table inside it."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _said((*path, key), each, clause, about, choices)
        return
    kind = _kind(value, choices)
    if kind is not None:
        assert isinstance(value, str | int | list)
        yield Rule(path, kind, value, clause, about, choices if kind == "choice" else ())


def _kind(value: object, choices: tuple[str, ...]) -> Kind | None:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int):
        return "count"
    if isinstance(value, list) and value and all(type(each) is int for each in value):
        return "numbers"
    if not isinstance(value, str):
        return None
    if PRICE.fullmatch(value):
        return "price"
    return "share" if RATE.fullmatch(value) else "choice" if value in choices else None


def _reads(model: Any, path: tuple[str, ...], value: object) -> tuple[Any, str]:  # noqa: ANN401 - types
    """The type that reads the value of a key, and what the schema says of it."""
    if path[0] == "wager" and len(path) == len(("wager", "key")) and isinstance(value, dict):
        return WAGERS.get(str(value.get("kind"))), ""
    field = model.model_fields.get(path[-1]) if isinstance(model, type) and issubclass(model, Part) else None
    if field is None:
        return model, ""
    part = next((each for each in _types(field.annotation) if isinstance(each, type) and issubclass(each, Part)), None)
    return part or field.annotation, field.description or ""


def _types(annotation: Any) -> Iterator[Any]:  # noqa: ANN401 - whatever a field is annotated with
    yield annotation
    for each in get_args(annotation):
        yield from _types(each)


def _words(annotation: Any) -> tuple[str, ...]:  # noqa: ANN401 - as above
    """The words that a value can be, where they are few."""
    return next((get_args(each) for each in _types(annotation) if get_origin(each) is Literal), ())


def changed(text: str, path: Sequence[str], value: Value, file: str = "house file") -> str:
    """The text with one value in place of another; its clause, its comments and all else stay as they stand."""
    rule = next((each for each in rules_of(text) if each.path == tuple(path)), None)
    where = ".".join(path)
    if rule is None:
        raise HouseFileError([Finding(file, where, "no such value", "the place of a value that can be changed")])
    if type(value) is not type(rule.value):
        raise HouseFileError([Finding(file, where, shown(value), f"a {rule.kind} such as {shown(rule.value)}")])
    found = places(text)
    # A table inside a pair has the pair's place between its keys and the pair's.
    ways: Iterator[Path] = ((*path[:cut], 0, *path[cut:]) for cut in range(len(path), 0, -1))
    place = next(found[way] for way in ways if way in found)
    return text[: place.start] + json.dumps(value, ensure_ascii=False) + text[place.end :]
