"""What else a house file could say: every change of one value, found beside the schema.

Numbers and prices go up and down, booleans turn, words become every other word the schema knows, lists and tables lose
an entry (and gain one, where the schema knows the others). Names are left alone.
"""

from __future__ import annotations

import json
import re
import tomllib
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

HOUSES = Path(__file__).resolve().parents[1] / "src" / "passline" / "rulebooks" / "houses"

Path_ = tuple[str | int, ...]
Json = Any
NOT_HABITS = {"id", "name", "names", "area", "keys", "staff", "clauses", "kind", "of", "blurb"}
"""Names and keys: what a house calls things, and how its file hangs together."""
FACTS = {"about", "equipment"}
"""Free pages of a house file, which nothing but display reads."""


@dataclass(frozen=True, slots=True)
class Change:
    """One value of one house file, made otherwise."""

    house: str
    path: str
    clause: str
    """What the file cites beside it, written out (`sydney:6.5.2`); empty where nothing is cited."""
    old: Json
    new: Json
    tree: Json
    """The whole file with the change in it."""

    @property
    def key(self) -> str:
        """What notes call it."""
        return f"{self.house} {self.path} {json.dumps(self.new, sort_keys=True)}"


def changes(house: str) -> list[Change]:
    """Every change to a house file, in the order of the file."""
    tree = tomllib.loads((HOUSES / f"{house}.toml").read_text(encoding="utf-8"))
    schema = json.loads((HOUSES / "house.schema.json").read_text(encoding="utf-8"))
    by_key = {}
    for path, clause, old, new in _otherwise(schema, schema, tree, ()):
        changed = deepcopy(tree)
        at: Json = changed
        for step in path[:-1]:
            at = at[step]
        if new is DROPPED:
            del at[path[-1]]
        else:
            at[path[-1]] = new
        where = ".".join(str(step) for step in path if not (step == 0 and clause))
        known = clause if not clause or re.match(r"[A-Z]-\d", clause) or ":" in clause else f"{house}:{clause}"
        change = Change(house, where, known, old, "(dropped)" if new is DROPPED else new, changed)
        by_key[change.key] = change
    return list(by_key.values())


def unchanged(house: str) -> Change:
    """No change at all, against which every test must pass."""
    tree = tomllib.loads((HOUSES / f"{house}.toml").read_text(encoding="utf-8"))
    return Change(house, "", "", None, None, tree)


def glaring(house: str) -> list[Change]:
    """A price and a habit made otherwise, which the tests of any house notice or do not look at the file at all."""
    glare = [change for change in changes(house) if (change.path, change.new) in GLARING]
    assert len(glare) == len(GLARING), f"{house} no longer says {GLARING}"
    return glare


GLARING = [("wager.pass.pays", "2:1"), ("shooter.voluntary_pass", "come-out only")]


DROPPED = object()
"""In the place of a new value: the entry is gone."""


def _otherwise(whole: Json, schema: Json, value: Json, path: Path_) -> Iterator[tuple[Path_, str, Json, Json]]:
    """Walk a file beside its schema: path, clause, old value and new value of each change."""
    node = _node(whole, schema, value)
    if _is_pair(node):
        facts = path[0] in FACTS
        for inside, new in _changed(whole, node["prefixItems"][0], value[0], facts=facts):
            yield (*path, 0, *inside), value[1], _at(value[0], inside), new
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in NOT_HABITS or (name == "name" and not path):
                continue
            is_entry = name not in node.get("properties", {})
            if is_entry and path and path[0] not in FACTS:
                yield (*path, name), _first_clause(inner), inner, DROPPED
            below = _below(node, name)
            if below is not None:
                yield from _otherwise(whole, below, inner, (*path, name))
    elif not isinstance(value, str) or "enum" in node:  # a string by itself is a clause
        for inside, new in _changed(whole, node, value, facts=False):
            yield (*path, *inside), "", _at(value, inside), new


def _first_clause(value: Json) -> str:
    """The clause beside a value, or beside the first in a table that cites one."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[1], str):
        return value[1]
    if isinstance(value, dict):
        return next((clause for inner in value.values() if (clause := _first_clause(inner))), "")
    return ""


def _node(whole: Json, schema: Json, value: Json) -> Json:
    """The part of a schema that speaks of this value."""
    if "$ref" in schema:
        return _node(whole, whole["$defs"][schema["$ref"].rpartition("/")[2]], value)
    if "discriminator" in schema:
        return _node(whole, {"$ref": schema["discriminator"]["mapping"][value["kind"]]}, value)
    for option in schema.get("anyOf", ()):
        node = _node(whole, option, value)
        if node.get("type") == _type(value) or node.get("const") == value:
            return node
    return schema


def _type(value: Json) -> str:
    names = {bool: "boolean", int: "integer", str: "string", list: "array", dict: "object"}
    return names[type(value)]


def _is_pair(node: Json) -> bool:
    """Whether this is a value with its clause."""
    return len(node.get("prefixItems", ())) == 2


def _below(node: Json, name: str) -> Json | None:
    """The schema of one entry; a clause alone has nothing to change."""
    below = node.get("properties", {}).get(name) or node.get("additionalProperties")
    below = below or next(iter(node.get("patternProperties", {}).values()), None)
    is_clause = isinstance(below, dict) and below.get("type") == "string" and "enum" not in below
    return None if is_clause or not isinstance(below, dict) else below


def _changed(whole: Json, schema: Json, value: Json, *, facts: bool) -> Iterator[tuple[Path_, Json]]:
    """What else a value could be: where inside it, and the new value there."""
    node = _node(whole, schema, value)
    options = [each for option in schema.get("anyOf", ()) if (each := option.get("const")) not in (None, value)]
    yield from (((), option) for option in options)
    match value:
        case bool():
            yield (), not value
        case int():
            yield from (((), value + by) for by in (1, -1))
        case str() if "enum" in node:
            yield from (((), word) for word in node["enum"] if word != value)
        case str() if price := re.fullmatch(r"(\d+):(\d+)( \w+)?", value):
            yield from (((), other) for other in _prices(int(price[1]), int(price[2]), price[3] or ""))
        case str() if rate := re.fullmatch(r"(\d+)%", value):
            yield from (((), f"{int(rate[1]) + by}%") for by in (1, -1))
        case str() if facts or "pattern" not in node:
            yield (), f"{value}, or not"
        case list():
            yield from _lists(node.get("items", {}), value)
        case dict():
            for name, inner in value.items():
                yield (name,), DROPPED
                yield from (((name, *at), new) for at, new in _changed(whole, {}, inner, facts=facts))
        case _:
            pass


def _prices(wins: int, stake: int, form: str) -> Iterator[str]:
    """A price a unit up and down, and so little up and down that only a test of the price itself can see it."""
    yield from (f"{wins + by}:{stake}{form}" for by in (1, -1))
    yield from (f"{1000 * wins + by}:{1000 * stake}{form}" for by in (1, -1))


def _lists(items: Json, value: list[Json]) -> Iterator[tuple[Path_, Json]]:
    """One element fewer, one more that the schema knows, and another in the place of the only one."""
    others = [word for word in items.get("enum", ()) if word not in value]
    yield from (((), [*value[:at], *value[at + 1 :]]) for at in range(len(value)))
    yield from (((), [*value, word]) for word in others)
    if len(value) == 1:
        yield from (((), [word]) for word in others)


def _at(value: Json, inside: Path_) -> Json:
    for step in inside:
        value = value[step]
    return value


# --- The file again ---------------------------------------------------------------------------------------------------


def toml(house: str, tree: Json) -> str:
    """A house file as TOML again, under the headings it has, for tests that read or alter the text."""
    text = (HOUSES / f"{house}.toml").read_text(encoding="utf-8")
    return "\n".join(_section("", tree, frozenset(re.findall(r"^\[(.+)\]", text, re.MULTILINE)))) + "\n"


def _section(path: str, table: Json, headings: frozenset[str]) -> Iterator[str]:
    """A heading and its lines, then the sections under it."""
    below = {name: f"{path}.{name}" if path else name for name, value in table.items() if isinstance(value, dict)}
    below = {name: full for name, full in below.items() if any(f"{each}.".startswith(f"{full}.") for each in headings)}
    if path in headings:
        yield f"[{path}]"
    yield from (f"{_key(name)} = {_inline(value)}" for name, value in table.items() if name not in below)
    for name, full in below.items():
        yield from _section(full, table[name], headings)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name) else json.dumps(name)


def _inline(value: Json) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
