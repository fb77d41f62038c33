"""What a body says: the fields of its kind, and of what type each is. One table, and nobody looks anywhere else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from passline.verify.entry import Entry
from passline.verify.report import Complaint

if TYPE_CHECKING:
    Test = Callable[[Any], bool]

GRAIN = 100
ASKED = {"actor", "key", "role"}

BODIES: dict[str, dict[str, str]] = {
    kind: dict(field.split(":") for field in fields.split())
    for kind, fields in {
        "table_opened": "stream:stream house:text notice:object chips:chips dice_set:count grain:grain dice:text "
        "program:version signer:digest wallets:flag",
        "acted": "command:object events:objects postings:postings wallet:text reason:text roster:number",
        "floor_acted": "command:object floor:objects events:objects postings:postings roster:count",
        "floor_heard": "stream:text sequence:count floor:objects",
        "refused": "command:object? asked:asked? refusal:object roster:number",
        "seed_committed": "epoch:count commitment:digest",
        "player_seed_committed": "epoch:count player:text commitment:digest",
        "player_seed_revealed": "epoch:count player:text seed:digest",
        "mix_frozen": "epoch:count mix:digest seeds:objects",
        "bets_closed": "epoch:number roll:count asked:asker?",
        "dice_entered": "roll:count commitment:digest",
        "dice_disagreed": "roll:count readings:objects",
        "rolled": "epoch:number roll:count dice:dice command:object events:objects postings:postings readings:objects?",
        "roll_voided": "epoch:number roll:count reason:text people:names returned:flag commands:objects "
        "events:objects postings:postings roster:count",
        "seed_revealed": "epoch:count seed:digest rolls:number owing:names",
        "corrected": "reverses:count reason:text people:names command:object? events:objects postings:postings "
        "roster:count",
        "table_counted": "state:digest accounts:digest snapshot:digest floor:digest",
        "table_taken": "fence:count owner:text",
        "table_stopped": "reason:text",
        "table_closed": "",
        "table_restored": "epoch:count",
        "chips_returned": "reason:text people:names commands:objects events:objects postings:postings roster:count",
        "process_started": "program:version process:text",
        "process_stopped": "process:text",
        "clock_jumped": "seconds:integer",
        "cage_opened": "stream:stream program:version",
        "cage_acted": "act:text player:text amount:count postings:postings table:text? sequence:count?",
        "people_opened": "stream:stream program:version",
        "people_acted": "act:text person:text about:object",
        "signer_named": "signer:digest assent:signature ends:ends",
    }.items()
}
"""What a body says, by kind: each field and its type; null is one more value of a type with a question mark."""

OPTIONAL = {
    "acted": {"wallet", "reason", "roster"},
    "refused": {"roster"},
    "table_opened": {"house", "signer", "wallets"},
    "table_counted": {"floor"},
    "signer_named": {"assent", "ends"},
    **{kind: {"roster"} for kind in ("chips_returned", "corrected", "floor_acted", "roll_voided")},
}
"""What a body may leave out."""


AS_ASKED = frozenset(("table_opened", "table_stopped", "refused"))
"""What holds text as it came: a house file, what went wrong, a wager that nobody has."""


def is_whole(value: object, least: int = 0) -> bool:
    """Whether this is a whole number, and not a truth, of at least so much."""
    return type(value) is int and value >= least


def _is_list(value: object, each: Test) -> bool:
    return isinstance(value, list) and all(map(each, value))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_hex(value: object, digits: int) -> bool:
    return isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", value) is not None


def is_end(value: object) -> bool:
    """Whether this is the last entry of a table and its hash."""
    return isinstance(value, list) and len(value) == 2 and is_whole(value[0], 1) and _is_hex(value[1], 64)


def _is_posting(value: object) -> bool:
    return isinstance(value, list) and [type(part) for part in value] == [str, str, int]


TYPES: dict[str, tuple[str, Test]] = {
    "text": ("text", _is_text),
    "version": ("version of a program", lambda value: _is_text(value) and bool(value.strip())),
    "number": ("whole number", is_whole),
    "integer": ("whole number, below zero too", lambda value: type(value) is int),
    "count": ("whole number from 1", lambda value: is_whole(value, 1)),
    "flag": ("true or false", lambda value: type(value) is bool),
    "grain": (f"grain: a unit has {GRAIN}", lambda value: type(value) is int and value == GRAIN),
    "digest": ("32 bytes in hexadecimal", lambda value: _is_hex(value, 64)),
    "signature": ("64 bytes in hexadecimal", lambda value: _is_hex(value, 128)),
    "ends": ("last entry and hash by table", lambda value: _is_object(value) and all(map(is_end, value.values()))),
    "stream": ("16 bytes in hexadecimal", lambda value: _is_hex(value, 32)),
    "object": ("object", _is_object),
    "objects": ("list of objects", lambda value: _is_list(value, _is_object)),
    "names": ("list of names", lambda value: _is_list(value, _is_text)),
    "chips": ("list of chips, each of grains", lambda value: value != [] and _is_list(value, lambda x: is_whole(x, 1))),
    "dice": ("pair of faces", lambda value: _is_list(value, lambda face: is_whole(face, 1)) and len(value) == 2),
    "postings": ("list of [from, to, amount]", lambda value: _is_list(value, _is_posting)),
    "asked": ("word or object", lambda value: isinstance(value, str | dict)),
    "asker": (
        "actor, key and role",
        lambda value: _is_object(value) and value.keys() == ASKED and all(map(_is_text, value.values())),
    ),
}
"""Of each type what it is called, and whether something is of it."""


def _unprintable(value: object) -> str | None:
    """The first text in it that cannot be shown."""
    if isinstance(value, str):
        return None if value.isprintable() else value
    parts = [*value.keys(), *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((found for part in parts if (found := _unprintable(part)) is not None), None)


def check_body(entry: Entry) -> Iterator[Complaint]:
    """All is said that an entry of its kind says, of its type, and nothing else."""
    body, kind = entry.body, entry.kind
    types = BODIES.get(kind)
    if types is None:
        return
    if extra := sorted(body.keys() - types.keys()):
        yield "body", f"{', '.join(extra)} is nothing that {kind} says"
    if missing := sorted(types.keys() - body.keys() - OPTIONAL.get(kind, set())):
        yield "body", f"{', '.join(missing)} is missing, which {kind} says"
    if kind not in AS_ASKED and (hidden := _unprintable(body)) is not None:
        yield "body", f"{hidden!r:.80} is not printable"
    if kind == "table_opened" and body.get("wallets") is True and body.get("dice") == "given":
        yield "body.dice", "whoever asks says what the dice show, and the house pays for it"
    for name in types.keys() & body.keys():
        value, wanted = body[name], types[name]
        if value is None and wanted.endswith("?"):
            continue
        words, holds = TYPES[wanted.removesuffix("?")]
        if not holds(value):
            yield f"body.{name}", f"{value!r:.80} is no {words}"
