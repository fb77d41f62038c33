"""What a house file is written in: clauses, pairs of value and clause, prices, rates, and tables by total."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, TypeGuard, TypeVar, get_args

from pydantic import Field, GetCoreSchemaHandler, PlainValidator, TypeAdapter, ValidationInfo, WithJsonSchema
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from passline.engine.values import Cited, ClauseId, Price

T = TypeVar("T")

COUNT_MAX = 1_000_000_000  # no amount, multiple or delay on a sign is larger
PRICE = re.compile(r"(\d{1,9}):(\d{1,9})(?: (to|for))?")  # `7:6`, `7:6 to` or `8:1 for`
RATE = re.compile(r"(\d{1,3})(?:\.(\d{1,4}))?%")  # `5%` or `2.5%`
TOTALS = re.compile(r"\d{1,2}(?:,\d{1,2})*")  # one total, or several with commas and no spaces: `2,12`
PAIR = re.compile(r"([1-6])-([1-6])")  # two faces, the higher first: `4-2`

HUNDRED_PERCENT = 100
LOWEST, HIGHEST = 2, 12


def _clause(text: object, info: ValidationInfo) -> ClauseId:
    """Resolve a clause to its full id, by the catalogue that the reader brings along."""
    if not isinstance(text, str) or not text:
        raise PydanticCustomError("clause_missing", "a clause of this house, a reading (X-16) or a decision (P-47)")
    resolve: Callable[[str], str] | None = (info.context or {}).get("resolve")
    return ClauseId(resolve(text) if resolve else text)


# The id of the clause that says so.
Clause = Annotated[
    ClauseId,
    PlainValidator(_clause),
    WithJsonSchema({"type": "string", "description": "The clause, reading (X-16) or decision (P-47) that says so."}),
]
# The same as a schema that is made once: nearly every value of a house file has one beside it.
CLAUSE: CoreSchema = TypeAdapter(Clause).core_schema


class AsPair:
    """Reads `[value, "clause"]` into a `Cited`."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        (value,) = get_args(source)
        pair = core_schema.tuple_schema([handler.generate_schema(value), CLAUSE])
        return core_schema.no_info_after_validator_function(lambda pair_of: Cited(*pair_of), pair)


WithClause = Annotated[Cited[T], AsPair()]  # a value and its clause, written `[value, "clause"]`


def totals(text: str, lowest: int = LOWEST) -> tuple[int, ...]:
    """Read the totals that an entry of a table is for.

    >>> totals("2,12")
    (2, 12)
    """
    numbers = tuple(map(int, text.split(","))) if TOTALS.fullmatch(text) else ()
    if not numbers or not all(lowest <= number <= HIGHEST for number in numbers):
        context = {"actual": f"`{text}`"}
        raise PydanticCustomError("total", "keys that are totals of two dice, such as `6` or `2,12`", context)
    return numbers


def _spread(table: Mapping[str, T], lowest: int = LOWEST) -> dict[int, T]:
    """Give every total of a table its own entry, lowest first."""
    spread: dict[int, T] = {}
    for key, value in table.items():
        for number in totals(key, lowest):
            if number in spread:
                raise PydanticCustomError("total_twice", "one entry for each total", {"actual": f"two for {number}"})
            spread[number] = value
    return dict(sorted(spread.items()))


@dataclass(frozen=True, slots=True)
class ByTotal:
    """Reads a table whose keys are totals, one or several to an entry."""

    lowest: int = LOWEST

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        values = handler.generate_schema(get_args(source)[1])
        table = core_schema.dict_schema(core_schema.str_schema(strict=True), values, min_length=1)
        return core_schema.no_info_after_validator_function(lambda entries: _spread(entries, self.lowest), table)


class OneOrByTotal:
    """Reads one clause for all numbers, or a table of clauses by total."""

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        return core_schema.tagged_union_schema(
            {
                "one": handler.generate_schema(Clause),
                "each": handler.generate_schema(Annotated[Mapping[int, Clause], ByTotal()]),
            },
            discriminator=lambda value: "each" if isinstance(value, dict) else "one",
        )


Clauses = Annotated[str | Mapping[int, str], OneOrByTotal()]  # one clause for every number of a wager, or one for each


def _price(text: object) -> Price:
    match = PRICE.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise PydanticCustomError("price", 'a price such as "7:6" or "8:1 for"')
    pays, per, form = int(match[1]), int(match[2]), match[3]
    price = Price(pays, per, "for" if form == "for" else "to")
    if not pays or not per or price.rate <= 0:
        raise PydanticCustomError("price_of_nothing", "a price that pays something")
    return price


# A price in the house's own form.
PriceText = Annotated[
    Price,
    PlainValidator(_price),
    WithJsonSchema({"type": "string", "pattern": rf"^{PRICE.pattern}$", "examples": ["7:6", "8:1 for"]}),
]


def _rate(text: object) -> Fraction:
    match = RATE.fullmatch(text) if isinstance(text, str) else None
    rate = Fraction(f"{match[1]}.{match[2] or 0}") if match else Fraction(0)
    if not 0 < rate < HUNDRED_PERCENT:
        raise PydanticCustomError("rate", 'a percentage above 0 and below 100, such as "5%"')
    return rate / HUNDRED_PERCENT


# A share of a hundred.
RateText = Annotated[
    Fraction,
    PlainValidator(_rate),
    WithJsonSchema({"type": "string", "pattern": rf"^{RATE.pattern}$", "examples": ["5%"]}),
]


def _faces(text: object) -> tuple[int, int]:
    match = PAIR.fullmatch(text) if isinstance(text, str) else None
    if match is None or match[1] < match[2]:
        raise PydanticCustomError("pair", 'two faces, the higher first, such as "4-2"')
    return int(match[1]), int(match[2])


# The two faces a hop names.
Faces = Annotated[
    tuple[int, int],
    PlainValidator(_faces),
    WithJsonSchema({"type": "string", "pattern": f"^{PAIR.pattern}$", "examples": ["4-2", "3-3"]}),
]

Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]  # a wager's key
Label = Annotated[str, Field(min_length=1, max_length=400)]  # words for people

# A short name, for the command line and in front of clauses.
HouseId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=40)]


@dataclass(frozen=True, slots=True)
class Odds:
    """What a sign says about odds: one multiple for all points, one for each, or none at all."""

    all: int | None = None
    each: Mapping[int, int] | None = None

    def by_point(self, points: tuple[int, ...]) -> dict[int, int] | None:
        """The multiple of each point, or None where the sign sets none."""
        return dict(self.each) if self.each else None if self.all is None else dict.fromkeys(points, self.all)


def _odds(value: object) -> Odds:
    """Read `10`, `"none"` or a table by point."""
    if value == "none":
        return Odds()
    if isinstance(value, dict) and value and all(_is_multiple(multiple) for multiple in value.values()):
        return Odds(each=_spread(value))
    if _is_multiple(value):
        return Odds(all=value)
    raise PydanticCustomError("multiple", 'a multiple from 1, a table of them by point, or "none"')


def _is_multiple(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= COUNT_MAX


def _end(value: object) -> int | None:
    """Read the largest multiple a sign may name, or `"none"`."""
    if value == "none":
        return None
    if not _is_multiple(value):
        raise PydanticCustomError("multiple", 'a multiple from 1, or "none" where there is no upper end')
    return value


MULTIPLE_SCHEMA: dict[str, Any] = {"type": "integer", "minimum": 1}
NONE_SCHEMA: dict[str, Any] = {"const": "none"}

# The odds multiple of a sign.
OddsText = Annotated[
    Odds,
    PlainValidator(_odds),
    WithJsonSchema(
        {"anyOf": [MULTIPLE_SCHEMA, NONE_SCHEMA, {"type": "object", "additionalProperties": MULTIPLE_SCHEMA}]}
    ),
]

# An upper end, or none.
EndText = Annotated[int | None, PlainValidator(_end), WithJsonSchema({"anyOf": [MULTIPLE_SCHEMA, NONE_SCHEMA]})]
