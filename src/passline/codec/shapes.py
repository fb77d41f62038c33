"""How a value of each type stands in JSON: worked out once from the type, checked on the way out and on the way in."""

import json
import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from passline import errors
from passline.engine import commands, events, floor_rules, refusals, table, values
from passline.floor import state as floor_state

# The modules whose records have a line.
RECORDS = (values, table, refusals, events, commands, floor_rules, floor_state)

# What the annotations of records may name, also where only the type checker imports it.
NAMES: Mapping[str, object] = {
    **{name: value for module in RECORDS for name, value in vars(module).items()},
    "Fraction": Fraction,
    "Mapping": Mapping,
}

WHOLE = re.compile(r"0|-?[1-9][0-9]{0,999}")
RATIO = re.compile(r"(0|-?[1-9][0-9]{0,999})(/[1-9][0-9]{0,999})?")
HEXADECIMAL = re.compile("([0-9a-f]{2})*")
SURROGATE = re.compile("[\ud800-\udfff]")
EXCERPT_MAX = 60  # how much of a value that does not fit a complaint repeats

T = TypeVar("T")
Hint = Any  # a type as an annotation says it: a class, a union, a literal; Python has no one name for them


class Shape(NamedTuple):
    """How values of one type are written and read; both check, for a journal keeps what it is given."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    expected: str  # what has to stand there, in words
    schema: Mapping[str, Any]  # the same as JSON Schema, without references
    # The types whose values stand in JSON as they are, without another look: most are whole numbers, or null.
    plain: tuple[type, ...] = ()


class Misfit(Exception):
    """A value that is not of its type, and the path to it from inside out."""

    def __init__(self, actual: str, expected: str) -> None:
        super().__init__(actual, expected)
        self.actual, self.expected = actual, expected
        self.path: list[str] = []

    def inside(self, step: object) -> "Misfit":
        """The same, seen from one level further out."""
        self.path.append(str(step))
        return self


def excerpt(value: object) -> str:
    """A value that does not fit, short enough for a sentence."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return errors.short_repr(value)
    return text if len(text) <= EXCERPT_MAX else text[: EXCERPT_MAX - 1] + "…"


@cache
def shape_of(kind: Hint) -> Shape:
    if isinstance(kind, NewType):
        return shape_of(kind.__supertype__)
    if kind in LEAVES:
        return LEAVES[kind]
    if isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields")):
        return _record(kind)
    build, inside = BUILDERS.get(get_origin(kind)), get_args(kind)
    if build is None:
        raise TypeError(f"{kind!r} has no shape in JSON; give it one in {__name__}")
    return build(inside)


def typed_fields(kind: type) -> dict[str, Hint]:
    """The fields of a record in their order, each with its type."""
    hints = get_type_hints(kind, localns=dict(NAMES), include_extras=True)
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else kind._fields  # type: ignore[attr-defined]
    return {name: hints[name] for name in names}


def _checked(kind: type, expected: str, schema: Mapping[str, Any], known: Container[object] | None = None) -> Shape:
    """A type that JSON has too, or a few words of it; a bool is no whole number and a float is no money."""

    def check(value: object) -> object:
        if type(value) is not kind or (known is not None and value not in known):
            raise Misfit(excerpt(value), expected)
        return value

    return Shape(check, check, expected, schema, (kind,) if known is None else ())


def _text(value: object) -> str:
    """Text that UTF-8 can write: JSON could not tell two halves of a surrogate pair from the pair."""
    if type(value) is not str:
        raise Misfit(excerpt(value), "text")
    if not value.isascii() and SURROGATE.search(value):
        raise Misfit(excerpt(value), "text without halves of surrogate pairs")
    return value


def _as_text(
    kind: type[T], form: re.Pattern[str], expected: str, text: Callable[[T], str], of: Callable[[str], T]
) -> Shape:
    """A type that stands there as text, in one form alone."""

    def write(value: object) -> str:
        if type(value) is not kind:
            raise Misfit(excerpt(value), expected)
        return text(value)

    def read(data: object) -> T:
        if type(data) is not str or not form.fullmatch(data) or text(of(data)) != data:
            raise Misfit(excerpt(data), expected)
        return of(data)

    return Shape(write, read, expected, {"type": "string", "pattern": f"^{form.pattern}$"})


LOWEST = 'an exact number in lowest terms such as "7" or "29/2"'

LEAVES: dict[type, Shape] = {
    int: _checked(int, "a whole number", {"type": "integer"}),
    str: Shape(_text, _text, "text", {"type": "string"}),
    bool: _checked(bool, "true or false", {"type": "boolean"}),
    NoneType: _checked(NoneType, "null", {"type": "null"}),
    Fraction: _as_text(Fraction, RATIO, LOWEST, str, Fraction),
    bytes: _as_text(bytes, HEXADECIMAL, "bytes in hexadecimal", bytes.hex, bytes.fromhex),
}


def _one_of(options: tuple[Hint, ...]) -> Shape:
    expected = "one of " + ", ".join(map(json.dumps, options))
    return _checked(str, expected, {"type": "string", "enum": list(options)}, frozenset(options))


def _or_null(kinds: tuple[Hint, ...]) -> Shape:
    (shape,) = (shape_of(kind) for kind in kinds if kind is not NoneType)  # several could not be told apart
    expected = f"{shape.expected}, or null"

    def write(value: object) -> object:
        return None if value is None else shape.write(value)

    def read(data: object) -> object:
        try:
            return None if data is None else shape.read(data)
        except Misfit as misfit:
            misfit.expected += "" if misfit.path else ", or null"
            raise

    return Shape(write, read, expected, {"anyOf": [shape.schema, {"type": "null"}]}, (NoneType, *shape.plain))


def _sequence(kinds: tuple[Hint, ...]) -> Shape:
    """A tuple: as many as there are, or exactly as many as the type says."""
    endless = len(kinds) == 2 and kinds[1] is Ellipsis
    shapes = [shape_of(kind) for kind in kinds if kind is not Ellipsis]
    expected = f"a list, each {shapes[0].expected}" if endless else f"a list of {len(shapes)}"

    def each(value: object, ways: list[Callable[[Any], Any]], kind: type) -> list[object]:
        if type(value) is not kind or not (endless or len(value) == len(shapes)):  # type: ignore[arg-type]
            raise Misfit(excerpt(value), expected)
        items: Iterable[object] = value  # type: ignore[assignment]
        return [_at(ways[0 if endless else at], item, at) for at, item in enumerate(items)]

    writers, readers = [shape.write for shape in shapes], [shape.read for shape in shapes]
    schema: dict[str, Any] = {"type": "array", "items": shapes[0].schema if shapes else {}}
    if not endless:
        schema |= {"minItems": len(shapes), "maxItems": len(shapes)}
    if len(set(kinds)) > 1 and not endless:
        schema = {**schema, "prefixItems": [shape.schema for shape in shapes], "items": False}
    return Shape(
        lambda value: each(value, writers, tuple), lambda data: tuple(each(data, readers, list)), expected, schema
    )


def _set(kinds: tuple[Hint, ...]) -> Shape:
    """A set of numbers or words, in their order, so that equal sets are equal text."""
    assert kinds in ((int,), (str,)), f"a set of {kinds} has no order of its own"
    listed = _sequence((kinds[0], Ellipsis))
    expected = f"{listed.expected}, each after the one before"

    def write(value: object) -> list[Any]:
        if type(value) is not frozenset:
            raise Misfit(excerpt(value), expected)
        return sorted(listed.write(tuple(value)))

    def read(data: object) -> frozenset[Any]:
        values = listed.read(data)
        if any(one >= after for one, after in pairwise(values)):
            raise Misfit(excerpt(data), expected)
        return frozenset(values)

    return Shape(write, read, expected, {**listed.schema, "uniqueItems": True})


def _mapping(kinds: tuple[Hint, ...]) -> Shape:
    """A mapping in its own order: the dealers settle a felt in the order it was bet."""
    key_of = _number if shape_of(kinds[0]) is LEAVES[int] else _text
    shape = shape_of(kinds[1])
    expected = f"an object, each {shape.expected}"

    def write(value: object) -> dict[str, object]:
        if not isinstance(value, Mapping):
            raise Misfit(excerpt(value), expected)
        return {_text(str(key)): _at(shape.write, item, key) for key, item in value.items()}

    def read(data: object) -> dict[Any, object]:
        if type(data) is not dict:
            raise Misfit(excerpt(data), expected)
        return {key_of(key): _at(shape.read, item, key) for key, item in data.items()}

    return Shape(write, read, expected, {"type": "object", "additionalProperties": shape.schema})


def _number(key: str) -> int:
    if not WHOLE.fullmatch(key):
        raise Misfit(excerpt(key), "a whole number as the name of a field")
    return int(key)


def _at(way: Callable[[Any], Any], value: object, step: object) -> object:
    """Write or read one value inside another, so that a complaint knows where."""
    try:
        return way(value)
    except Misfit as misfit:
        raise misfit.inside(step) from None


def _record(kind: Hint) -> Shape:  # noqa: C901 - both ways, with every complaint
    """A record: every field, in the order of the class, and no other."""
    shapes = {name: shape_of(hint) for name, hint in typed_fields(kind).items()}
    writers = [(name, shape.write, shape.plain) for name, shape in shapes.items()]
    expected = "an object with " + (", ".join(shapes) or "no fields")

    def write(value: object) -> dict[str, object]:
        if type(value) is not kind:
            raise Misfit(excerpt(value), f"a {kind.__name__}")
        data, name = {}, ""
        try:
            for name, write_it, plain in writers:
                held = getattr(value, name)
                data[name] = held if type(held) in plain else write_it(held)
        except Misfit as misfit:
            raise misfit.inside(name) from None
        return data

    def read(data: object) -> object:
        if type(data) is not dict:
            raise Misfit(excerpt(data), expected)
        made, name = {}, ""
        try:
            for name, shape in shapes.items():
                made[name] = shape.read(data[name])
        except KeyError:
            raise Misfit("nothing", shapes[name].expected).inside(name) from None
        except Misfit as misfit:
            raise misfit.inside(name) from None
        if len(data) != len(made):
            extra = next(name for name in data if name not in shapes)
            raise Misfit("an unknown field", expected).inside(extra)
        return kind(**made)

    properties = {name: shape.schema for name, shape in shapes.items()}
    schema = {"type": "object", "properties": properties, "required": [*shapes], "additionalProperties": False}
    return Shape(write, read, expected, schema)


# By what an annotation says of a value: how a form asks for it.
FORMATS = {"minor units": "money", "time": "date-time", "count": "count"}


def _annotated(kinds: tuple[Hint, ...]) -> Shape:
    shape = shape_of(kinds[0])
    return shape._replace(schema={**shape.schema, "format": FORMATS[kinds[1]]}) if kinds[1] in FORMATS else shape


# How the shape of a type is built from the types inside it.
BUILDERS: dict[Hint, Callable[[tuple[Hint, ...]], Shape]] = {
    Annotated: _annotated,
    Literal: _one_of,
    Union: _or_null,
    UnionType: _or_null,
    tuple: _sequence,
    frozenset: _set,
    Mapping: _mapping,
}
