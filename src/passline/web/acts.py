"""Everything that can be asked of a table: read from JSON by the codec, filled in, approved by a second person.

The forms are the commands' own fields, as the codec knows them, so that a new command needs nothing here.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from difflib import get_close_matches
from hashlib import sha256
from typing import Any, NamedTuple

from starlette.requests import Request

from passline.codec import KINDS, WIRE_NAMES
from passline.codec.shapes import Misfit, Shape, excerpt, shape_of, typed_fields
from passline.engine.commands import Command
from passline.errors import RoleError
from passline.floor.acts import FloorCommand
from passline.floor.names import folded
from passline.floor.register import ACTS
from passline.journal.contract import canonical, read_entry
from passline.live import requests
from passline.live.people import may_approve, of_act
from passline.live.refusals import AMOUNT_MAX
from passline.live.requests import Act as LiveAct
from passline.live.requests import Ask, CloseForGood, request
from passline.live.rules import SEATS_MAX, role_of
from passline.pit.people.people import By
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.web import schemas as m
from passline.web.auth import Actor, by_actor, read_json
from passline.web.problems import Problem, no_approval, no_permission

FIND_BET = "command.find_bet"  # what puts a player's chips up without the player: whoever does it says why
OWN = ("seat", "name")  # what a player need not say: their own seat (or the first that is free), their own name

# What no body says: who agrees comes with an approval, whom the table is for is known.
FROM_THE_SERVICE = ("second", "hosted")

# How large a field of a body may be, by its JSON type; inside a record the table looks.
LIMITS: Mapping[str, Mapping[str, int]] = {
    "integer": {"minimum": -AMOUNT_MAX, "maximum": AMOUNT_MAX},
    "string": {"maxLength": 200},
    "array": {"maxItems": 16},
}

FAULTS_MAX = 10

COMMANDS: dict[str, type] = {kind: each for kind, each in KINDS.items() if kind.startswith(("command.", "floor."))}
# Every act by its wire name: the live table's own, the game's and the floor's.
TYPES: dict[str, type] = {**requests.TABLE_ACTS, **COMMANDS}

# What no table is asked for: the floor of the house decides it.
FOR_THE_HOUSE = frozenset(kind for kind, each in ACTS.items() if each.house_wide)


# --- Forms ------------------------------------------------------------------------------------------------------------


class Field(NamedTuple):
    shape: Shape
    schema: dict[str, Any]
    default: object  # `MISSING` where it must be there

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


# By wire name: what a body says.
FORMS: dict[str, dict[str, Field]] = {kind: _fields(kind, make) for kind, make in TYPES.items()}


def schema_of(kind: str) -> dict[str, Any]:
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
    def of(cls, command: Command) -> "Act":
        return cls(WIRE_NAMES[type(command)], {name: getattr(command, name) for name in typed_fields(type(command))})

    def canonical(self) -> bytes:
        """As one line: the same act is the same line, whatever went without saying."""
        form = FORMS[self.kind]
        return canonical({"kind": self.kind, **{name: form[name].write(self.arguments[name]) for name in form}})


async def act_of(request: Request, family: str = "") -> Act:
    return act_in(request.headers.get("content-type", ""), await request.body(), family)


def act_in(content_type: str, body: bytes, family: str = "") -> Act:
    if content_type.partition(";")[0].strip() != "application/json":
        raise _unreadable([("body", "JSON, sent as `Content-Type: application/json`")])
    return read_act(read_json(body), family)


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
            faults.append((where, f"{misfit.expected}; found {misfit.actual}"))
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


# --- Approving ------------------------------------------------------------------------------------------------------


def check_kind(what: str) -> None:
    """Refuse to agree to what nobody can ask for, and say what there is."""
    if what not in FORMS:
        two = ", ".join(kind for kind in sorted(FORMS) if of_act(kind).people > 1)
        raise Problem(422, "act.unknown", f"There is no such act; two people do {two}.")


def _bound(act: Act) -> str:
    """The words of an approval of one act and no other: its kind, and the digest of its body."""
    return f"{act.kind} sha256:{sha256(act.canonical()).hexdigest()}"


def give_approval(pit: Pit, actor: Actor, approval: m.Approval, table: str) -> str:
    """A second person's word to one act of another at a table, or on the floor of the house."""
    check_kind(approval.what)
    if not may_approve(of_act(approval.what), pit.standing(actor.id, table)):
        raise Problem(403, "permission.missing", "You hold no role that may agree to this.")
    if approval.act is None:
        raise Problem(422, "approval.whole", "Send the whole act that you agree to, as `act`.")
    try:
        act = read_act(approval.act)
    except Problem as problem:
        detail = f"`act` is not an act as it is sent to be done. {problem.detail}"
        raise Problem(422, "body.unreadable", detail, **problem.more) from None
    if act.kind != approval.what:
        raise Problem(422, "body.unreadable", "`act` is of another kind than `what`.")
    return pit.people.issue(actor.id, by_actor(pit, actor), "approval", table=table, what=_bound(act))


# --- Asking ---------------------------------------------------------------------------------------------------------


SOLD = {"command.sit": "buyin", "command.buy_in": "amount"}  # where an act says how many chips are bought


class ActRequest:
    """One act of one person at one table; whether they may, and what comes of it, the table says."""

    def __init__(self, pit: Pit, actor: Actor, act: Act, key: str, approval: str | None) -> None:
        self.pit, self.act, self.approval = pit, act, approval
        self.kind = act.kind
        self.person = actor.required()
        self.key = f"{self.person.id}/{key}"

    @property
    def is_value(self) -> bool:
        """Whether it is a value of somebody's hand: those of a roll come all at once, and are written together."""
        return self.kind == "table.show_value"

    def __call__(self, table: LiveTable) -> bytes:
        """Ask; the answer is the entry, as it is kept."""
        try:
            return self._asked(table)
        except RoleError as error:
            if self.pit.journal.shared and error.code == "permission.missing":
                self.pit.people.catch_up()  # what another process wrote a moment ago
                table.catch_up()
                try:
                    return self._asked(table)
                except RoleError as again:
                    error = again
            if error.code != "permission.missing":
                self.pit.attempts.count("second person refused", self.person.id, self.pit.now())
                raise
            self.pit.attempts.count("permission refused", self.person.id, self.pit.now())
            raise no_permission(of_act(self.kind)) from None

    def _asked(self, table: LiveTable) -> bytes:
        ask = Ask(self.person.id, "", self.key, self.pit.now())
        act, reason = self.filled(table, ask)
        if isinstance(act, CloseForGood) and table.live.over is not None:  # done already: the last entry says so
            return next(iter(table.journal.lines(table.name, table.head.sequence - 1)))
        return table.ask(request(ask, act, wallet=table.live.money, reason=reason))

    def filled(self, table: LiveTable, ask: Ask) -> tuple[LiveAct, str]:
        """The act with what went without saying, and why it is done for another."""
        arguments, seat = dict(self.act.arguments), table.live.seat_of(self.person.id)
        if "seat" in arguments and arguments["seat"] is None:
            arguments["seat"] = _free(table) if self.kind == "command.sit" and seat is None else seat
            if arguments["seat"] is None:
                self._check_may(table)
                raise Problem(409, "seat.none", "You do not sit at this table.")
        if self.kind == "command.sit":
            called = self.pit.called_at(table, self.person)
            arguments["name"] = arguments["name"] or called
            if arguments["name"] not in (called, self.person.name):
                raise Problem(403, "seat.name", f"You are known as {called} here.")
        chips, least = arguments.get(SOLD.get(self.kind, ""), 0), table.live.table.notice.chip
        if table.live.money and chips % least:
            self._check_may(table)
            raise Problem(409, "amount.not_chips", f"The cage sells whole chips of {table.layout.money(least)}.")
        if "player" in arguments and folded(arguments["player"]) not in self.pit.people.persons:
            self._check_may(table)
            raise Problem(404, "people.unknown", "Nobody here is called that.")
        make = TYPES[self.kind]
        if hasattr(make, "second"):  # nobody says for another that they agree
            arguments["second"] = self._second(table, ask)
        if make is CloseForGood:
            hosted = self.pit.people.hosted.get(table.name)
            arguments["hosted"] = hosted is not None and not hosted.practice
        reason = arguments.pop("reason") if self.kind == FIND_BET else ""
        return make(**arguments), reason

    def _check_may(self, table: LiveTable) -> None:
        """What is missing in a request is told to whoever may ask for it, and nobody else uses an approval up."""
        if role_of(table.state(), self.person.id, self.kind) is None:
            raise RoleError("", "permission.missing")

    def _second(self, table: LiveTable, ask: Ask) -> str:
        """Who agrees: another person, who may do the same, now."""
        line = table.journal.under_key(table.name, ask.key)
        if line is not None:  # asked again: whoever agreed then
            return _agreed(read_entry(line).body)
        if not self.approval and issubclass(TYPES[self.kind], FloorCommand):
            return ""  # whether it takes two, the floor says
        self._check_may(table)
        if not self.approval:
            raise no_approval()
        return self.pit.people.use(self.approval, By(ask.actor, "player", ask.time), table.name, _bound(self.act))


def _agreed(body: dict[str, Any]) -> str:
    """The second person of an entry: of an act that was done, or of one that was refused."""
    requested = body.get("asked")
    parts = [body.get("command"), *(requested.values() if isinstance(requested, dict) else ())]
    seconds = [each.get("second") for each in parts if isinstance(each, dict)]
    people = body.get("people") or ()
    return next(filter(None, seconds), "") or next(iter(people[1:]), "")


def _free(table: LiveTable) -> int | None:
    seats = table.live.table.seats
    return next((number for number in range(1, SEATS_MAX + 1) if number not in seats), None)
