"""Commands, events, refusals, notices and tables as JSON, both ways: what a journal keeps and a wire carries.

A value's line has its wire name and version first, then every field in the order of its class.

>>> from passline.engine.commands import Shoot
>>> encode(Shoot(1))
'{"kind":"command.shoot","v":1,"seat":1}'
>>> decode('{"kind":"command.shoot","v":1,"seat":1}')
Shoot(seat=1)
"""

import json
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar, cast, get_args

from passline.codec.shapes import Misfit, excerpt, shape_of
from passline.engine.commands import Command
from passline.engine.events import Event
from passline.engine.refusals import Refusal
from passline.engine.table import Notice, TableState
from passline.errors import CodecError
from passline.floor.acts import FloorCommand, FloorEvent, snake
from passline.floor.register import ACTS, EVENTS
from passline.floor.state import Floor

__all__ = ["decode", "encode", "from_data", "to_data"]

# Everything that has a line.
Encodable = Command | Event | FloorCommand | FloorEvent | Refusal | Notice | TableState | Floor

T = TypeVar("T")

# Every kind by its wire name.
KINDS: dict[str, type] = {
    **{f"command.{snake(kind.__name__)}": kind for kind in get_args(Command)},
    **{f"event.{snake(kind.__name__)}": kind for kind in get_args(Event)},
    **ACTS,
    **EVENTS,
    "refusal": Refusal,
    "notice": Notice,
    "table": TableState,
    "floor": Floor,
}

WIRE_NAMES: dict[type, str] = {kind: name for name, kind in KINDS.items()}


def version_of(name: str) -> int:
    return 1 + len(UPCASTS.get(name, ()))


def to_data(value: Encodable) -> dict[str, Any]:
    """A value as JSON data, to stand alone or inside something larger."""
    name = WIRE_NAMES.get(type(value))
    if name is None:
        kinds = "a command, an event, a refusal, a notice or the state of a table (table.state)"
        raise CodecError("", "", excerpt(value), kinds)
    try:
        return {"kind": name, "v": version_of(name), **shape_of(KINDS[name]).write(value)}
    except Misfit as misfit:
        _complain(name, misfit)


def encode(value: Encodable) -> str:
    """A value as one line of ASCII; the same value is always the same line."""
    data = to_data(value)
    try:
        return json.dumps(data, separators=(",", ":"))
    except ValueError as error:
        raise CodecError(data["kind"], "", str(error), "numbers that can be written out") from None


def from_data(data: object) -> Encodable:
    """Read JSON data, of whatever version, as the value it stands for."""
    if not isinstance(data, dict):
        raise CodecError("", "", excerpt(data), "an object with kind and v")
    name, version = data.get("kind"), data.get("v")
    if not isinstance(name, str) or name not in KINDS:
        raise CodecError("", "kind", excerpt(name), "the wire name of something we know, such as event.wager_won")
    if type(version) is not int or version < 1:
        raise CodecError(name, "v", excerpt(version), "a version, 1 or more")
    if version > version_of(name):
        newer = f"version {version_of(name)} or older: a newer Passline wrote this"
        raise CodecError(name, "v", excerpt(version), newer)
    fields = {field: value for field, value in data.items() if field not in ("kind", "v")}
    try:
        for upcast in UPCASTS.get(name, ())[version - 1 :]:
            fields = upcast(fields)
        return cast("Encodable", shape_of(KINDS[name]).read(fields))
    except Misfit as misfit:
        _complain(name, misfit)


def _complain(name: str, misfit: Misfit) -> NoReturn:
    raise CodecError(name, ".".join(reversed(misfit.path)), misfit.actual, misfit.expected) from None


def decode(line: str | bytes) -> Encodable:
    """Read a line: exactly what it says, or an error that says what is wrong with it and where."""
    try:
        data = json.loads(line, object_pairs_hook=_object, parse_constant=_no_constant)
    except CodecError:
        raise
    except json.JSONDecodeError as error:
        expected = f"one JSON object; up to character {error.pos} it could be one"
        raise CodecError("", "", excerpt(line), expected) from None
    except (TypeError, ValueError, RecursionError):
        raise CodecError("", "", excerpt(line), "one JSON object, as text or as bytes of UTF-8") from None
    return from_data(data)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names are each said once."""
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise CodecError("", twice, "the same field twice", "each field once")
    return made


def _no_constant(name: str) -> NoReturn:
    raise CodecError("", "", name, "JSON, which has no such number")


def encode_record(value: object) -> bytes:
    """Any record of plain types as one line: what only its own writer reads again."""
    try:
        return json.dumps(shape_of(cast("Any", type(value))).write(value), separators=(",", ":")).encode()
    except Misfit as misfit:
        _complain(type(value).__name__, misfit)


def decode_record(kind: type[T], line: bytes) -> T:
    try:
        return cast("T", shape_of(cast("Any", kind)).read(json.loads(line)))
    except Misfit as misfit:
        _complain(kind.__name__, misfit)


Upcast = Callable[[dict[str, Any]], dict[str, Any]]  # the fields of one version to the fields of the next


def _adds(**more: object) -> Upcast:
    """A version that says something besides."""
    return lambda fields: {**fields, **more}


# By wire name: from version 1 to 2, from 2 to 3, and so on.
UPCASTS: dict[str, tuple[Upcast, ...]] = {
    "floor": (
        lambda floor: {**floor, "vouchers": {name: {**each, "by": ""} for name, each in floor["vouchers"].items()}},
        _adds(drawers={}, bank=None, own_limits={}, deposits={}, gaming_day=0),
    ),
    "floor.award_prize": (_adds(second=""),),
    "floor.draw_prize": (_adds(standing="", second=""),),
    "floor_event.prize_drawn": (_adds(standing="", second=""),),
    "floor_event.rules_shown": (_adds(book=""),),
    "floor_event.limits_changed": (_adds(sign_stands=False),),
    "floor_event.voucher_changed": (_adds(),),  # a house without a clause for it can issue vouchers now
    "floor_event.voucher_issued": (_adds(),),
}
