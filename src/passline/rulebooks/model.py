"""The house file as strict models, made from the engine's own records; editors get them as a JSON Schema.

A record's fields are the keys of its table, their types say how a value is written, and its sentence in
`data/fields.toml` tells the author of a file what it is for. So a field, a word or a kind that the engine gets is one
that a file can say.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from fractions import Fraction
from functools import cache, partial, reduce
from operator import or_
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, TypeGuard, TypeVar, Union, get_args, get_origin, get_type_hints

import pydantic
from pydantic import Field as Key
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from passline.engine import book as records
from passline.engine import kinds, verdicts
from passline.engine.values import Cited, ClauseId, Positive, Price, WagerKey

T = TypeVar("T")

# Types as values: in its own brackets mypy wants a type that stands in the source.
ANNOTATED: Any = Annotated
DICT: Any = dict
TUPLE: Any = tuple

COUNT_MAX = 1_000_000_000  # no amount, multiple or delay on a sign is larger
PRICE = re.compile(r"(\d{1,9}):(\d{1,9})(?: (to|for))?")  # `7:6`, `7:6 to` or `8:1 for`
RATE = re.compile(r"(\d{1,3})(?:\.(\d{1,4}))?%")  # `5%` or `2.5%`
TOTALS = re.compile(r"\d{1,2}(?:,\d{1,2})*")  # one total, or several with commas and no spaces: `2,12`
PAIR = re.compile(r"([1-6])-([1-6])")  # two faces, the higher first: `4-2`

HUNDRED_PERCENT = 100
LOWEST, HIGHEST = 2, 12


# --- Values as a file writes them -----------------------------------------------------------------------------------


def _clause(text: object, info: pydantic.ValidationInfo) -> ClauseId:
    """Resolve a clause to its full id, by the catalogue that the reader brings along."""
    if not isinstance(text, str) or not text:
        raise PydanticCustomError("clause_missing", "a clause of this house, a reading (X-16) or a decision (P-47)")
    resolve: Callable[[str], str] | None = (info.context or {}).get("resolve")
    return ClauseId(resolve(text) if resolve else text)


CLAUSE_SCHEMA = {"type": "string", "description": "The clause, reading (X-16) or decision (P-47) that says so."}
Clause = Annotated[ClauseId, pydantic.PlainValidator(_clause), pydantic.WithJsonSchema(CLAUSE_SCHEMA)]
# The same as a schema that is made once: nearly every value of a house file has one beside it.
CLAUSE: CoreSchema = pydantic.TypeAdapter(Clause).core_schema


class AsPair:
    """Reads `[value, "clause"]` into a `Cited`."""

    def __get_pydantic_core_schema__(self, source: Any, handler: pydantic.GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        (value,) = get_args(source)
        pair = core_schema.tuple_schema([handler.generate_schema(value), CLAUSE])
        return core_schema.no_info_after_validator_function(lambda pair_of: Cited(*pair_of), pair)


WithClause = Annotated[Cited[T], AsPair()]  # a value and its clause, written `[value, "clause"]`
WITH_CLAUSE: Any = WithClause


def _spread(table: Mapping[str, T], lowest: int = LOWEST) -> dict[int, T]:
    """Give every total of a table its own entry, lowest first; a key can be one total, or several: `2,12`."""
    spread: dict[int, T] = {}
    for key, value in table.items():
        numbers = [int(number) for number in key.split(",")] if TOTALS.fullmatch(key) else []
        if not numbers or not all(lowest <= number <= HIGHEST for number in numbers):
            context = {"actual": f"`{key}`"}
            raise PydanticCustomError("total", "keys that are totals of two dice, such as `6` or `2,12`", context)
        for number in numbers:
            if number in spread:
                raise PydanticCustomError("total_twice", "one entry for each total", {"actual": f"two for {number}"})
            spread[number] = value
    return dict(sorted(spread.items()))


def _by_total(values: Any, lowest: int = LOWEST) -> Any:  # noqa: ANN401 - types
    """A table whose keys are totals, one or several to an entry."""
    return ANNOTATED[DICT[str, values], Key(min_length=1), pydantic.AfterValidator(partial(_spread, lowest=lowest))]


def _price(text: object) -> Price:
    match = PRICE.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise PydanticCustomError("price", 'a price such as "7:6" or "8:1 for"')
    pays, per, form = int(match[1]), int(match[2]), match[3]
    price = Price(pays, per, "for" if form == "for" else "to")
    if not pays or not per or price.rate <= 0:
        raise PydanticCustomError("price_of_nothing", "a price that pays something")
    return price


def _rate(text: object) -> Fraction:
    match = RATE.fullmatch(text) if isinstance(text, str) else None
    rate = Fraction(f"{match[1]}.{match[2] or 0}") if match else Fraction(0)
    if not 0 < rate < HUNDRED_PERCENT:
        raise PydanticCustomError("rate", 'a percentage above 0 and below 100, such as "5%"')
    return rate / HUNDRED_PERCENT


def _faces(text: object) -> tuple[int, int]:
    match = PAIR.fullmatch(text) if isinstance(text, str) else None
    if match is None or match[1] < match[2]:
        raise PydanticCustomError("pair", 'two faces, the higher first, such as "4-2"')
    return int(match[1]), int(match[2])


def _odds(value: object) -> int | dict[int, int] | None:
    """Read what a sign says about odds: `10` for all points, a table by point, or `"none"` at all."""
    if value == "none":
        return None
    if _is_multiple(value):
        return value
    if isinstance(value, dict) and value and all(_is_multiple(multiple) for multiple in value.values()):
        return _spread(value)
    raise PydanticCustomError("multiple", 'a multiple from 1, a table of them by point, or "none"')


def _end(value: object) -> int | None:
    """Read the largest multiple a sign may name, or `"none"`."""
    if value == "none":
        return None
    if _is_multiple(value):
        return value
    raise PydanticCustomError("multiple", 'a multiple from 1, or "none" where there is no upper end')


def _is_multiple(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= COUNT_MAX


def _read_by(read: Callable[[object], object], schema: Mapping[str, object]) -> Any:  # noqa: ANN401 - a type
    return ANNOTATED[object, pydantic.PlainValidator(read), pydantic.WithJsonSchema(dict(schema))]


def _text(read: Callable[[object], object], form: re.Pattern[str], *examples: str) -> Any:  # noqa: ANN401 - as above
    return _read_by(read, {"type": "string", "pattern": f"^{form.pattern}$", "examples": [*examples]})


MULTIPLE: Mapping[str, object] = {"type": "integer", "minimum": 1}
BY_POINT = {"type": "object", "additionalProperties": MULTIPLE}

WAGER_KEY = Annotated[str, Key(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]  # a wager's key
LABEL = Annotated[str, Key(min_length=1, max_length=400)]  # words for people
# A short name, for the command line and in front of clauses.
HOUSE_ID = Annotated[str, Key(pattern=r"^[a-z][a-z0-9-]*$", max_length=40)]

# How a value of each type stands in a house file, where that is not plain from the type.
AS_WRITTEN: dict[Any, Any] = {
    ClauseId: Clause,
    verdicts.Clauses: ANNOTATED[  # one clause for every number of a wager, or one for each
        Union[ANNOTATED[Clause, pydantic.Tag("one")], ANNOTATED[_by_total(Clause), pydantic.Tag("each")]],  # noqa: UP007 - of values
        pydantic.Discriminator(lambda value: "each" if isinstance(value, dict) else "one"),
    ],
    verdicts.Pair: _text(_faces, PAIR, "4-2", "3-3"),
    Price: _text(_price, PRICE, "7:6", "8:1 for"),
    Fraction: _text(_rate, RATE, "5%"),
    WagerKey: WAGER_KEY,
    records.Multiples: _read_by(_odds, {"anyOf": [MULTIPLE, {"const": "none"}, BY_POINT]}),
    Positive | None: _read_by(_end, {"anyOf": [MULTIPLE, {"const": "none"}]}),
    records.Facts: dict[Annotated[str, Key(pattern=r"^[a-z][a-z0-9_]*$")], WITH_CLAUSE[pydantic.JsonValue]],
    str: LABEL,
    bool: bool,
}


# --- The models -----------------------------------------------------------------------------------------------------

IN_FILE = {"minimum": "min", "maximum": "max", "wagers": "wager"}  # Keys that a house file has a shorter word for


class Part(pydantic.BaseModel):
    """A table of a house file: exactly these keys, exactly these types."""

    model_config = pydantic.ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)
    record: ClassVar[type]


def _model(record: Any, called: str, keys: Mapping[str, tuple[Any, Any]]) -> type[Part]:  # noqa: ANN401 - any record
    made: type[Part] = pydantic.create_model(called, __base__=Part, __doc__=record.__doc__, **keys)  # type: ignore[call-overload]
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
            return _by_total(_written(inside[1]), get_args(inside[0])[1].start)
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
    own = {key: field for key, field in _keys(records.WagerRule).items() if key not in ("key", "terms")}
    every = _keys(records.EveryWager, optional=True)
    return _model(kind, f"{kind.__name__}Wager", {"kind": (Literal[kind.kind], ...), **own, **every, **_keys(kind)})


# The model of each kind of wager, by the word a house file uses.
WAGERS: Mapping[str, type[Part]] = {word: _wager(kind) for word, kind in kinds.KINDS.items()}


def _house() -> type[Part]:
    """The whole file: a book, with its wagers by key beside what holds for all of them."""
    keys, sentences = _keys(records.Book), _sentences(records.Book)
    any_wager = ANNOTATED[reduce(or_, WAGERS.values()), Key(discriminator="kind")]
    keys["id"] = (HOUSE_ID, Key(description=sentences["id"]))
    keys["wager"] = (DICT[WAGER_KEY, any_wager], Key(description=sentences["wagers"]))
    keys["every_wager"] = (_written(records.EveryWager), Key(description=records.EveryWager.__doc__))
    return _model(records.Book, "House", keys)


House = _house()  # one house's rule book
