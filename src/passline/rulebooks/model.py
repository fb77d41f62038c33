"""The house file as strict models, made from the engine's own records; editors get them as a JSON Schema.

A record's fields are the keys of its table, their types say how a value is written, and its sentence in
`data/fields.toml` tells the author of a file what it is for. So a field, a word or a kind that the engine gets is one
that a file can say.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from fractions import Fraction
from functools import cache, reduce
from operator import or_
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, JsonValue, create_model
from pydantic import Field as Key

from passline.engine import book as records
from passline.engine import kinds, verdicts
from passline.engine.values import Cited, ClauseId, Positive, Price, WagerKey
from passline.rulebooks import fields as text

# How a value of each type stands in a house file, where that is not plain from the type.
AS_WRITTEN: dict[Any, Any] = {
    ClauseId: text.Clause,
    verdicts.Clauses: text.Clauses,
    verdicts.Pair: text.Faces,
    Price: text.PriceText,
    Fraction: text.RateText,
    WagerKey: text.Key,
    records.Multiples: text.OddsText,
    Positive | None: text.EndText,
    records.Facts: dict[Annotated[str, Key(pattern=r"^[a-z][a-z0-9_]*$")], text.WithClause[JsonValue]],
    str: text.Label,
    bool: bool,
}

IN_FILE = {"minimum": "min", "maximum": "max", "wagers": "wager"}  # Keys that a house file has a shorter word for


# Types as values: in its own brackets mypy wants a type that stands in the source.
ANNOTATED: Any = Annotated
DICT: Any = dict
MAPPING: Any = Mapping
WITH_CLAUSE: Any = text.WithClause
TUPLE: Any = tuple


class Part(BaseModel):
    """A table of a house file: exactly these keys, exactly these types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)
    record: ClassVar[type]


def _model(record: Any, called: str, keys: Mapping[str, tuple[Any, Any]]) -> type[Part]:  # noqa: ANN401 - any record
    made: type[Part] = create_model(called, __base__=Part, __doc__=record.__doc__, **keys)  # type: ignore[call-overload]
    made.record = record
    return made


def _keys(record: type, *, optional: bool = False) -> dict[str, tuple[Any, Any]]:
    return {IN_FILE.get(each.name, each.name): _key(record, each, optional=optional) for each in fields(record)}


def _key(record: type, field: Field[Any], *, optional: bool) -> tuple[Any, Any]:
    written = _written(_types(record)[field.name])
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    if optional and default is MISSING:
        written, default = written | None, None
    return written, Key(... if default is MISSING else default, description=_sentences(record)[field.name])


@cache
def _written(kind: Any) -> Any:  # noqa: ANN401 - whatever a field can be annotated with
    if kind in AS_WRITTEN:
        return AS_WRITTEN[kind]
    inside = get_args(kind)
    match get_origin(kind):
        case origin if origin is Cited:
            return WITH_CLAUSE[_written(inside[0])]
        case origin if origin is Annotated:
            base, limits = inside
            return limits if base is str else ANNOTATED[int, Key(ge=limits.start, le=limits[-1])]
        case origin if origin is tuple:
            some = TUPLE[_written(inside[0]), ...]
            return ANNOTATED[some, Key(min_length=1)] if get_origin(inside[0]) is Literal else some
        case origin if origin is Mapping and get_args(inside[0])[:1] == (int,):
            lowest = get_args(inside[0])[1].start
            return ANNOTATED[MAPPING[int, _written(inside[1])], text.ByTotal(lowest)]
        case origin if origin is Mapping:
            return DICT[str if inside[0] is str else _written(inside[0]), _written(inside[1])]
        case origin if origin in (Union, UnionType) and NoneType in inside:
            return _written(inside[0]) | None
    return _model(kind, kind.__name__, _keys(kind)) if isinstance(kind, type) and is_dataclass(kind) else kind


@cache
def _types(record: type) -> dict[str, Any]:
    return get_type_hints(record, include_extras=True)


# What each field of the records is for, by record and field.
FIELDS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("data").joinpath("fields.toml").read_text("utf-8")
)


@cache
def _sentences(record: type) -> dict[str, str]:
    """What the fields of a record are for, those that it inherits too."""
    return {name: text for each in reversed(record.__mro__) for name, text in FIELDS.get(each.__name__, {}).items()}


def says(path: str) -> str:
    """What the field of a house file at a path is for: `shooter.no_shooter`."""
    record: Any = records.Book
    sentence, words = "", path.split(".")
    while words and isinstance(record, type) and words[0] in _sentences(record):
        sentence, record = _sentences(record)[words[0]], _types(record)[words.pop(0)]
    return f"{sentence.removesuffix('.')}: {' '.join(words)}" if words else sentence


def _wager(kind: type[kinds.Terms]) -> type[Part]:
    """A wager of one kind: what it says of itself, what it says in place of every wager, and the terms of its kind."""
    rule = _keys(records.WagerRule)
    own = {key: field for key, field in rule.items() if key not in ("key", "terms")}
    every = _keys(records.EveryWager, optional=True)
    keys = {"kind": (Literal[kind.kind], ...), **own, **every, **_keys(kind)}
    return _model(kind, f"{kind.__name__}Wager", keys)


# The model of each kind of wager, by the word a house file uses.
WAGERS: Mapping[str, type[Part]] = {word: _wager(kind) for word, kind in kinds.KINDS.items()}

AnyWager = ANNOTATED[reduce(or_, WAGERS.values()), Key(discriminator="kind")]  # a wager of any kind


def _house() -> type[Part]:
    """The whole file: a book, with its wagers by key beside what holds for all of them."""
    keys, sentences = _keys(records.Book), _sentences(records.Book)
    keys["id"] = (text.HouseId, Key(description=sentences["id"]))
    keys["wager"] = (DICT[text.Key, AnyWager], Key(description=sentences["wagers"]))
    keys["every_wager"] = (_written(records.EveryWager), Key(description=records.EveryWager.__doc__))
    return _model(records.Book, "House", keys)


House = _house()  # one house's rule book
