"""Everything that can be asked of a table, read from JSON by the codec: a body becomes the arguments of one act.

The forms are the commands' own fields, as the codec knows them, so that a new command needs nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from difflib import get_close_matches
from typing import Any, NamedTuple

from starlette.requests import Request

from passline.codec.lines import KINDS, WIRE_NAMES
from passline.codec.shapes import Misfit, Shape, excerpt, shape_of, typed_fields
from passline.engine.commands import Command
from passline.floor.register import ACTS
from passline.journal.contract import canonical
from passline.live import requests
from passline.live.refusals import AMOUNT_MAX
from passline.web.problems import Problem
from passline.web.who import read_json

FIND_BET = "command.find_bet"
"""What puts a player's chips up without the player: whoever does it says why."""

OWN = ("seat", "name")
"""What a player need not say: their own seat (or the first that is free), their own name."""

FROM_THE_SERVICE = ("second", "hosted")
"""What no body says: who agrees comes with an approval, whom the table is for is known."""

LIMITS: Mapping[str, Mapping[str, int]] = {
    "integer": {"minimum": -AMOUNT_MAX, "maximum": AMOUNT_MAX},
    "string": {"maxLength": 200},
    "array": {"maxItems": 16},
}
"""How large a field of a body may be, by its JSON type; inside a record the table looks."""

FAULTS_MAX = 10

COMMANDS: dict[str, type] = {kind: each for kind, each in KINDS.items() if kind.startswith(("command.", "floor."))}
TABLE_ACTS = {kind: each for each, kind in requests.KINDS.items() if each is not requests.SettleRoll}
TYPES: dict[str, type] = {**TABLE_ACTS, **COMMANDS}
"""Every act by its wire name: the live table's own, the game's and the floor's."""

FOR_THE_HOUSE = frozenset(kind for kind, each in ACTS.items() if each.house_wide)
"""What no table is asked for: the floor of the house decides it."""


# --- Forms ------------------------------------------------------------------------------------------------------------


class Field(NamedTuple):
    """One field of a body."""

    shape: Shape
    schema: dict[str, Any]
    default: object
    """`MISSING` where it must be there."""

    def read(self, data: object) -> object:
        """The value it stands for; null where it is left to the service."""
        if data is None and self.default is None:
            return None
        if over := _over(data, self.schema):
            raise Misfit(excerpt(data), over)
        if isinstance(data, dict) and data.get("kind") == "notice":  # as `GET /tables/{table}` shows it
            data = {name: each for name, each in data.items() if name not in ("kind", "v")}
        return self.shape.read(data)

    def write(self, value: object) -> object:
        return None if value is None and self.default is None else self.shape.write(value)


def _fields(kind: str, make: type) -> dict[str, Field]:
    defaults = {each.name: each.default for each in fields(make)}
    form = {
        name: _field(shape_of(hint), None if name in OWN else defaults[name])
        for name, hint in typed_fields(make).items()
        if name not in FROM_THE_SERVICE
    }
    if kind == FIND_BET:
        form["reason"] = _field(shape_of(str), MISSING)
    return form


def _field(shape: Shape, default: object) -> Field:
    schema = _limited(shape.schema)
    if default is None and "anyOf" not in schema:
        schema = {"anyOf": [schema, {"type": "null"}]}
    if default is not MISSING:
        schema["default"] = list(default) if isinstance(default, tuple) else default
    return Field(shape, schema, default)


def _limited(schema: Mapping[str, Any]) -> dict[str, Any]:
    limited = {**LIMITS.get(schema.get("type", ""), {}), **schema}
    if "anyOf" in schema:
        limited["anyOf"] = [_limited(each) for each in schema["anyOf"]]
    if schema.get("items"):
        limited["items"] = _limited(schema["items"])
    return limited


def _over(data: object, schema: Mapping[str, Any]) -> str:
    """What its schema allows, where a value goes over it; nothing where it does not."""
    schema = schema["anyOf"][0] if "anyOf" in schema else schema
    match data:
        case bool():
            return ""
        case int() if not schema.get("minimum", data) <= data <= schema.get("maximum", data):
            return f"a whole number from {schema['minimum']} to {schema['maximum']}"
        case str() if len(data) > schema.get("maxLength", len(data)):
            return f"at most {schema['maxLength']} characters"
        case list() if len(data) > schema.get("maxItems", len(data)):
            return f"at most {schema['maxItems']} of them"
        case list():
            return next(filter(None, (_over(each, schema.get("items") or {}) for each in data)), "")
        case _:
            return ""


FORMS: dict[str, dict[str, Field]] = {kind: _fields(kind, make) for kind, make in TYPES.items()}
"""By wire name: what a body says."""


def schema_of(kind: str) -> dict[str, Any]:
    """An act as JSON Schema."""
    form = FORMS[kind]
    named = {"type": "string", "enum": [kind]}
    return {
        "title": TYPES[kind].__name__,
        "description": TYPES[kind].__doc__,
        "type": "object",
        "properties": {"kind": named, **{name: each.schema for name, each in form.items()}},
        "required": ["kind", *(name for name, each in form.items() if each.default is MISSING)],
        "additionalProperties": False,
    }


def request_body(family: str, examples: Mapping[str, object]) -> dict[str, Any]:
    """The acts of a family as OpenAPI describes the body of a route."""
    content = {
        "schema": {"oneOf": [schema_of(kind) for kind in FORMS if kind.startswith(family)]},
        "examples": {name: {"value": each} for name, each in examples.items()},
    }
    return {"requestBody": {"required": True, "content": {"application/json": content}}}


# --- Reading ----------------------------------------------------------------------------------------------------------


class Act(NamedTuple):
    """What somebody sent: an act and its arguments; what the service adds is not there yet."""

    kind: str
    arguments: dict[str, Any]

    @classmethod
    def of(cls, command: Command) -> Act:
        return cls(WIRE_NAMES[type(command)], {name: getattr(command, name) for name in typed_fields(type(command))})

    def canonical(self) -> bytes:
        """As one line: the same act is the same line, whatever went without saying."""
        form = FORMS[self.kind]
        return canonical({"kind": self.kind, **{name: form[name].write(self.arguments[name]) for name in form}})


async def act_of(request: Request, family: str = "") -> Act:
    """The act in a request's body."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise _unreadable([("body", "JSON, sent as `Content-Type: application/json`")])
    return read_act(read_json(await request.body()), family)


def read_act(data: object, family: str = "") -> Act:
    """One act of a family, or all that is wrong with it at once."""
    kind = data.get("kind") if isinstance(data, dict) else None
    form = FORMS.get(kind) if isinstance(kind, str) and kind.startswith(family) else None
    if not isinstance(data, dict) or not isinstance(kind, str) or form is None:
        near = get_close_matches(str(kind), [each for each in FORMS if each.startswith(family)], 1)
        raise _unreadable(
            [("kind", f"an act such as {near[0] if near else 'floor.ask_for_rules'}; found {excerpt(kind)}")]
        )
    arguments: dict[str, Any] = {}
    faults: list[tuple[str, str]] = []
    for name, field in form.items():
        if name not in data and field.default is MISSING:
            faults.append((name, f"{field.shape.expected}; it is missing"))
            continue
        try:
            arguments[name] = field.read(data[name]) if name in data else field.default
        except Misfit as misfit:
            where = ".".join((name, *reversed(misfit.path)))
            faults.append((where, f"{misfit.expected}; found {misfit.found}"))
    known = ", ".join(form) or "no field"
    faults += [(name[:40], f"{known}; there is no such field") for name in data if name not in form and name != "kind"]
    if faults:
        raise _unreadable(faults)
    return Act(kind, arguments)


def _unreadable(faults: list[tuple[str, str]]) -> Problem:
    wrong = [{"where": where, "expected": expected[:200]} for where, expected in faults[:FAULTS_MAX]]
    more = f" ({len(faults)} faults in all)" if len(faults) > 1 else ""
    first = f"{wrong[0]['where']}: expected {wrong[0]['expected']}{more}"
    return Problem(422, "body.unreadable", first, errors=wrong)


EXAMPLES: dict[str, dict[str, Any]] = {
    "sit": {"kind": "command.sit", "buyin": 50_000},
    "bet": {"kind": "command.bet", "wager": "pass", "amount": 1_000},
    "odds": {"kind": "command.bet", "wager": "pass_odds", "amount": 2_000},
    "take down": {"kind": "command.take", "wager": "place_6"},
    "roll": {"kind": "table.roll"},
    "leave": {"kind": "command.leave"},
    "real dice": {"kind": "table.read_dice", "dice": [4, 2]},
    "void": {"kind": "table.void", "reason": "a die fell off the table", "returned": True},
}
