"""One line of an export read strictly, its body, and the chain: whole, in place, bound by hashes; one effect a key."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from passline.errors import JournalError
from passline.verify.report import Complaint

TAG = b"passline/entry/1\n"


class Entry(NamedTuple):
    """An entry as the export has it; nothing in it is believed yet."""

    data: dict[str, Any]
    line: int  # where in the export it stands, from 1

    @property
    def table(self) -> str:
        return str(self.data["table"])

    @property
    def sequence(self) -> Any:  # noqa: ANN401 - a whole number, if nobody changed it
        return self.data.get("sequence")

    @property
    def kind(self) -> str:
        return str(self.data.get("kind"))

    @property
    def body(self) -> dict[str, Any]:
        body = self.data["body"]
        if not isinstance(body, dict):
            raise TypeError("the body is no object")
        return body


def canonical(data: object) -> bytes:
    """JSON in its one way: names in order, no spaces, UTF-8."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def entry_hash(data: Mapping[str, Any]) -> str:
    """What an entry hashes to, by all it says but the hash itself."""
    return sha256(TAG + canonical({name: value for name, value in data.items() if name != "hash"})).hexdigest()


def read_line(raw: bytes) -> dict[str, Any]:
    """The object of a line; a `JournalError` says what keeps it from being one."""
    if not raw.endswith(b"\n"):
        raise JournalError("the line has no end: the file was cut off")
    try:
        data = json.loads(raw[:-1].decode(), parse_float=_no_float, parse_constant=_no_float)
        written = canonical(data) + b"\n"
    except JournalError:
        raise
    except json.JSONDecodeError as error:
        raise JournalError(f"no JSON: {error}") from None
    except UnicodeError as error:
        raise JournalError(f"no JSON: byte {getattr(error, 'start', 0) + 1} is no UTF-8 text") from None
    except (ValueError, RecursionError):  # Python reads no number of more than 4,300 digits, and nothing endlessly deep
        raise JournalError("no JSON of ours: a number in it is too long, or it is nested too deep") from None
    if not isinstance(data, dict):
        raise JournalError("no JSON object")
    if written != raw:
        raise JournalError("not written as canonical JSON")
    return data


def _no_float(text: str) -> NoReturn:
    raise JournalError(f"{text} is no whole number")


# --- Bodies -----------------------------------------------------------------------------------------------------------

Test = Callable[[Any], bool]
GRAIN = 100
ASKED = {"actor", "key", "role"}

ENTRIES: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("entries.toml").read_text("utf-8"))
KINDS = {name: frozenset(kinds.split()) for name, kinds in ENTRIES["kinds"].items()}
LAST = {kind: frozenset(after.split()) for kind, after in ENTRIES["last"].items()}
BODIES = {kind: dict(field.split(":") for field in fields.split()) for kind, fields in ENTRIES["bodies"].items()}


def is_whole(value: object, least: int = 0) -> bool:
    """Whether this is a whole number, and not a truth, of at least so much."""
    return type(value) is int and value >= least


def _is_list(value: object, each: Test) -> bool:
    return isinstance(value, list) and all(map(each, value))


def _is_hex(value: object, digits: int) -> bool:
    return isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", value) is not None


def is_counted(value: object) -> bool:
    return is_whole(value, 1)


def _is_texts(values: Iterable[object]) -> bool:
    return all(isinstance(each, str) for each in values)


def is_end(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and is_whole(value[0], 1) and _is_hex(value[1], 64)


def _is_posting(value: object) -> bool:
    return isinstance(value, list) and [type(part) for part in value] == [str, str, int]


# Of each type what it is called, and whether something is of it.
TYPES: dict[str, tuple[str, Test]] = {
    "text": ("text", lambda value: isinstance(value, str)),
    "version": ("version of a program", lambda value: isinstance(value, str) and bool(value.strip())),
    "number": ("whole number", is_whole),
    "integer": ("whole number, below zero too", lambda value: type(value) is int),
    "count": ("whole number from 1", is_counted),
    "flag": ("true or false", lambda value: type(value) is bool),
    "grain": (f"minor unit: a unit has {GRAIN}", lambda value: type(value) is int and value == GRAIN),
    "digest": ("32 bytes in hexadecimal", lambda value: _is_hex(value, 64)),
    "signature": ("64 bytes in hexadecimal", lambda value: _is_hex(value, 128)),
    "end": ("last entry and hash", is_end),
    "ends": ("last entry and hash by table", lambda x: isinstance(x, dict) and all(map(is_end, x.values()))),
    "stream": ("16 bytes in hexadecimal", lambda value: _is_hex(value, 32)),
    "object": ("object", lambda value: isinstance(value, dict)),
    "objects": ("list of objects", lambda value: _is_list(value, lambda x: isinstance(x, dict))),
    "names": ("list of names", lambda value: isinstance(value, list) and _is_texts(value)),
    "chips": ("list of chips, each of minor units", lambda value: value != [] and _is_list(value, is_counted)),
    "dice": ("pair of faces", lambda value: _is_list(value, is_counted) and len(value) == 2),
    "postings": ("list of [from, to, amount]", lambda value: _is_list(value, _is_posting)),
    "asked": ("word or object", lambda value: isinstance(value, str | dict)),
    "asker": ("actor, key and role", lambda x: isinstance(x, dict) and x.keys() == ASKED and _is_texts(x.values())),
}


def _unprintable(value: object) -> str | None:
    """The first text in it that cannot be shown."""
    if isinstance(value, str):
        return None if value.isprintable() else value
    parts = [*value.keys(), *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((hidden for part in parts if (hidden := _unprintable(part)) is not None), None)


def check_body(entry: Entry) -> Iterator[Complaint]:
    """All is said that an entry of its kind says, of its type, and nothing else."""
    body, kind = entry.body, entry.kind
    types = BODIES.get(kind)
    if types is None:
        return
    if extra := sorted(body.keys() - types.keys()):
        yield "body", f"{', '.join(extra)} is nothing that {kind} says"
    if missing := sorted(name for name in types.keys() - body.keys() if not types[name].endswith("*")):
        yield "body", f"{', '.join(missing)} is missing, which {kind} says"
    if kind not in KINDS["verbatim"] and (hidden := _unprintable(body)) is not None:
        yield "body", f"{hidden!r:.80} is not printable"
    for name in types.keys() & body.keys():
        value, wanted = body[name], types[name].rstrip("*")
        words, holds = TYPES[wanted.rstrip("?")]
        if not holds(value) and not (value is None and wanted.endswith("?")):
            yield f"body.{name}", f"{value!r:.80} is no {words}"


GENESIS = "0" * 64
DIGEST = re.compile(r"[0-9a-f]{64}")
TABLE = re.compile(r"[a-z0-9_.-]{1,64}")
ROLES = frozenset(("player", "dealer", "stick", "box", "cashier", "supervisor", "inspector", "administrator", "house"))
HOUSE = "house"
HOUSE_FLOOR, CAGE, PEOPLE = "floor", "cage", "people"  # the streams of the house that are no table
NAME_CHARACTERS_MAX = 200
FIELDS = KINDS["fields"]


class Chain:
    """Looks at entries one after the other, and remembers their hashes for the heads."""

    def __init__(self, counts: Counter[str], houses: Mapping[str, str]) -> None:
        self._counts, self._houses = counts, houses
        self.hashes: dict[int, str] = {}  # of every entry by its sequence, as they stand there
        self.last = 0  # the sequence of the last entry
        self._before = GENESIS
        self._house = ""
        self._fence = 0
        self._over = ""
        self._keys: dict[str, object] = {}  # by idempotency key: the entry in which it had its effect

    def see(self, entry: Entry) -> Iterator[Complaint]:
        data = entry.data
        if data.keys() != FIELDS:
            yield "entry", f"its fields are not {', '.join(sorted(FIELDS))}"
        first = not self.hashes
        yield from self._place(entry)
        says, own = data.get("hash"), entry_hash(data)
        if says != own:
            yield "hash", f"it is {says}, and the entry hashes to {own}: the entry or its hash was changed"
        self._before = self.hashes[self.last] = says if isinstance(says, str) else own
        yield from _form(entry)
        yield from self._key(data.get("key"), entry.sequence)
        yield from self._life(entry, first=first)
        yield from check_body(entry)
        yield from _by_whom(entry)
        self._counts["entries"] += 1

    def _place(self, entry: Entry) -> Iterator[Complaint]:
        due, sequence = self.last + 1, entry.sequence
        self.last = sequence if type(sequence) is int else due
        if self.last != due or type(sequence) is not int:
            yield "sequence", f"it is {sequence} where {due} is due: entries are missing, added or out of order"
        if entry.data.get("previous") != self._before:
            yield "previous", f"it is {entry.data.get('previous')}, and the entry before has the hash {self._before}"

    def _key(self, key: object, sequence: object) -> Iterator[Complaint]:
        if key is None:
            return
        if not isinstance(key, str) or not key:
            yield "key", f"{key!r} is no key"
        elif key in self._keys:
            yield "key", f"{key} had its effect in entry {self._keys[key]}"
        else:
            self._keys[key] = sequence
            self._counts["keys"] += 1

    def _life(self, entry: Entry, *, first: bool) -> Iterator[Complaint]:
        """A table opens first, is taken with rising fences, and does nothing after its end."""
        kind = entry.kind
        if first != (kind in ("table_opened", "cage_opened", "people_opened")):
            yield "kind", f"{kind} is {'not what a table begins with' if first else 'only ever the first entry'}"
        if first:
            text = entry.body.get("house", self._houses.get(str(entry.data.get("house"))))
            self._house = sha256(text.encode()).hexdigest() if isinstance(text, str) else GENESIS
        if entry.data.get("house") != self._house:
            yield "house", f"it is {entry.data.get('house')}, and the house file of this table is {self._house}"
        if self._over and kind not in LAST[self._over]:
            yield "kind", f"after_end: {kind} follows {self._over}"
        if kind in LAST and entry.table != HOUSE_FLOOR:  # older programs stopped it when an act failed, and it goes on
            self._over = kind
        if kind == "table_taken":
            self._fence += 1
            if entry.body.get("fence") != self._fence:
                yield "body.fence", f"it is {entry.body.get('fence')} where {self._fence} is due"


def _by_whom(entry: Entry) -> Iterator[Complaint]:
    """What only the program writes is the program's, a player's seed the player's, and some things have a reason."""
    kind, body = entry.kind, entry.body
    if kind in KINDS["by_the_program"] and entry.data.get("role") != HOUSE:
        yield "role", f"the program writes {kind}, and nobody else"
    if kind in KINDS["own_seed"] and body.get("player") != entry.data.get("actor"):
        yield "body.player", f"it is {body.get('player')}'s, and {entry.data.get('actor')} gives it"
    if kind in KINDS["reasoned"] and not str(body.get("reason", "")).strip():
        yield "body.reason", "nobody says why"


def _form(entry: Entry) -> Iterator[Complaint]:
    data = entry.data
    if type(data.get("v")) is not int or data["v"] != 1:
        yield "v", f"version {data.get('v')}; this Passline knows version 1"
    if entry.kind not in BODIES:
        yield "kind", f"{entry.kind} is no kind of entry"
    if not TABLE.fullmatch(str(data.get("table"))):
        yield "table", f"{data.get('table')} is no name of a table"
    if not isinstance(data.get("actor"), str) or not data["actor"].strip():
        yield "actor", "nobody is named"
    elif not data["actor"].isprintable() or len(data["actor"]) > NAME_CHARACTERS_MAX:
        yield "actor", f"{data['actor']!r:.80} is no name: up to {NAME_CHARACTERS_MAX} printable characters"
    if data.get("role") not in ROLES:
        yield "role", f"{data.get('role')} is no role"
    elif data["role"] == HOUSE != data.get("actor"):  # the other way round it may be: the house's regulars play
        yield "actor", f"{data.get('actor')!r:.80} acts as the house, and nobody else does"
    if not _is_time(data.get("time")):
        yield "time", f"{data.get('time')} is no time in UTC"
    if not isinstance(data.get("previous"), str) or not DIGEST.fullmatch(data["previous"]):
        yield "previous", "no SHA-256 in hexadecimal"


TIME = re.compile(r"(\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d:)(\d\d)(\.\d{1,6})?Z", re.ASCII)
LEAPS = ("06-30T23:59:60", "12-31T23:59:60")  # the only seconds that may be the 61st of their minute


def _is_time(text: object) -> bool:
    """Whether a calendar and a clock can show this, in UTC and as RFC 3339 writes it."""
    match = TIME.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return False
    second = "59" if match[0][5:19] in LEAPS else match[3]
    try:
        datetime.fromisoformat(f"{match[1]}{second}+00:00")
    except ValueError:
        return False
    return True
