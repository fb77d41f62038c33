"""A house file under an editor's hand: a new one, which of its values can be changed, and the text with one changed."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args, get_origin
from unicodedata import normalize

from passline.errors import Finding, HouseFileError
from passline.files.findings import nearest, quoted, table_in
from passline.files.toml import Steps, places
from passline.rulebooks.catalogue import catalogue, house_files
from passline.rulebooks.model import PRICE, RATE, WAGERS, House, Part

# What can stand in the place of a value: 7:6, 5%, 12, true, one of a few words, or several numbers.
Kind = Literal["price", "share", "count", "truth", "choice", "numbers"]

Value = str | int | bool | list[int]

BLANK = re.compile(r"\{\w+\}")  # where a wager's name has its number: `Place {n}`
PAIR = 2  # a value and its clause
DEPARTS = " This house departs from it: "  # between a clause as it was copied and what holds here instead


@dataclass(frozen=True, slots=True)
class Rule:
    """One value of a house file with the clause it cites."""

    path: tuple[str, ...]  # the keys on the way to it
    kind: Kind
    value: Value
    clause: str
    clause_says: str  # the sentence of that clause
    about: str  # what it is for, in the words of the schema
    group: str  # the wager it is of, by its name in this house, or what the schema says of its part of the file
    choices: tuple[str, ...]


def rules_of(text: str) -> list[Rule]:
    """Every value of a house file that an editor can change by itself, in the order of the file."""
    file: dict[str, Any] = tomllib.loads(text)
    wagers, clauses = file.get("wager", {}), file.get("clauses", {})

    def named(key: str) -> str:
        """A wager by its name, any other key as it stands."""
        wager = wagers.get(key)
        return BLANK.sub("", str(wager.get("name", key))).strip() if isinstance(wager, dict) else key.replace("_", " ")

    def sentence(clause: str) -> str:
        """What a clause says, where it is known: a file may be half written."""
        known = catalogue().get(f"{file.get('id')}:{clause}") or catalogue().get(clause)
        return str(clauses.get(clause, known.sentence if known else ""))

    def rules(
        value: object, path: tuple[str, ...], model: object, about: str, clause: str | None = None
    ) -> Iterator[Rule]:
        """The rules inside a value, and its clause where it is in a pair; `model` reads it, `about` is said of it."""
        if isinstance(value, dict):
            for key, each in value.items():
                inner, says = _reads(model, (*path, key), each) if clause is None else (model, "")
                of_table = f"{about.removesuffix('.')}: {named(key)}" if about else ""
                yield from rules(each, (*path, key), inner, says or of_table, clause)
        elif clause is None:
            if isinstance(value, list) and len(value) == PAIR and isinstance(value[1], str):
                yield from rules(value[0], path, model, about, value[1])
        elif (kind := _kind(value, choices := _words(model))) is not None:
            assert isinstance(value, str | int | list)
            group = named(path[1]) if path[0] == "wager" else House.model_fields[path[0]].description or path[0]
            words = choices if kind == "choice" else ()
            yield Rule(path, kind, value, clause, sentence(clause), about, group.removesuffix("."), words)

    return list(rules(file, (), House, ""))


def _kind(value: object, choices: tuple[str, ...]) -> Kind | None:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int):
        return "count"
    if isinstance(value, list) and value and all(type(each) is int for each in value):
        return "numbers"
    if not isinstance(value, str):
        return None
    if PRICE.fullmatch(value):
        return "price"
    return "share" if RATE.fullmatch(value) else "choice" if value in choices else None


def _reads(model: Any, path: tuple[str, ...], value: object) -> tuple[Any, str]:  # noqa: ANN401 - types
    """The type that reads the value of a key, and what the schema says of it."""
    if path[0] == "wager" and len(path) == len(("wager", "key")) and isinstance(value, dict):
        return WAGERS.get(str(value.get("kind"))), ""
    field = model.model_fields.get(path[-1]) if isinstance(model, type) and issubclass(model, Part) else None
    if field is None:
        return model, ""
    return table_in(field.annotation) or field.annotation, field.description or ""


def _words(annotation: Any) -> tuple[str, ...]:  # noqa: ANN401 - whatever a field is annotated with
    """The words that a value can be, where they are few."""
    inside = get_args(annotation)
    return inside if get_origin(annotation) is Literal else next(filter(None, map(_words, inside)), ())


def changed(text: str, values: Mapping[tuple[str, ...], Value], file: str = "house file") -> str:
    """The text with values in place of others; their clauses, its comments and all else stay as they stand."""
    text, findings = _edited(text, values, file)
    if findings:
        raise HouseFileError(findings)
    return text


def _edited(text: str, values: Mapping[tuple[str, ...], Value], file: str) -> tuple[str, list[Finding]]:
    """The text with those values that fit in the place of others, and what is wrong with the rest."""
    rules, by_path = {rule.path: rule for rule in rules_of(text)}, places(text)
    by_name = {".".join(path[:cut]): ".".join(path) for cut in (-1, None) for path in rules}  # a table's by its last
    findings, edits = [], []
    wanted: dict[tuple[str, ...], Value] = {}
    for path, value in values.items():  # one value for a table by point or by total is that of each
        each = [entry for entry in rules if entry[:-1] == path and (*path, 0, entry[-1]) in by_path]
        wanted |= dict.fromkeys(each or [path], value)
    for path, value in wanted.items():
        where, rule = ".".join(path), rules.get(path)
        if rule is None:
            near = by_name.get(nearest(where, by_name) or "")
            findings.append(Finding(file, where, "no such value", "the place of a value that can be changed", near))
        elif type(value) is not type(rule.value) or (isinstance(value, list) and {*map(type, value)} - {int}):
            findings.append(Finding(file, where, quoted(value), f"a {rule.kind} such as {quoted(rule.value)}"))
        else:
            # A table inside a pair has the pair's place between its keys and the pair's.
            ways: Iterator[Steps] = ((*path[:cut], 0, *path[cut:]) for cut in range(len(path), 0, -1))
            edits.append((by_path[next(way for way in ways if way in by_path)], value))
    for place, value in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
        text = text[: place.start] + json.dumps(value, ensure_ascii=False) + text[place.end :]
    return text, findings


def departing(text: str, like: str) -> str:
    """The text with its clauses true: where a value is not the copied house's, its clause says what holds instead."""
    copied = {rule.path: rule for rule in rules_of(new_house("A copy", like))}
    sentences = {rule.clause: rule.clause_says for rule in copied.values()}
    values = tomllib.loads(text).get("clauses", {})
    here: dict[str, dict[str, None]] = {clause: {} for clause in sentences if clause in values}
    for rule in rules_of(text):
        was = copied.get(rule.path)
        if was and was.clause == rule.clause in here and was.value != rule.value:
            here[rule.clause][f"{rule.group}, {_written(rule.value)} instead of {_written(was.value)}"] = None
    for clause, instead in here.items():
        # Words of the writer's own are left alone.
        if values[clause].partition(DEPARTS)[0] == sentences[clause]:
            now = sentences[clause] + (f"{DEPARTS}{'; '.join(instead)}." if instead else "")
            if now != values[clause]:
                place = places(text)["clauses", clause]
                text = text[: place.start] + json.dumps(now, ensure_ascii=False) + text[place.end :]
    return text


def _written(value: Value) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else json.dumps(value).strip('"')


def like_house(like: str, name: str, changes: Mapping[tuple[str, ...], Value], file: str) -> tuple[str, list[Finding]]:
    """The text of a house that is another but for some values, each by its place, and what is wrong with them."""
    findings: list[Finding] = []
    try:
        text = new_house(name, like, file)
    except HouseFileError as error:
        if like not in house_files():
            raise
        text, findings = new_house("A copy", like), [*error.findings]
    text, others = _edited(text, changes, file)
    return departing(text, like), findings + others


def head_of(values: Mapping[str, Any], file: str) -> tuple[str, str, dict[tuple[str, ...], Value]]:
    """What a house file says that begins with `like = "strip"`: that house, its own name, and what differs."""
    expected = {"like": "the id of a built-in house", "name": "the name of this house"}
    wrong = [key for key in expected if not isinstance(values.get(key), str)]
    if wrong:
        raise HouseFileError(Finding(file, key, quoted(values.get(key)), expected[key]) for key in wrong)
    return values["like"], values["name"], dict(_flat({key: values[key] for key in values if key not in expected}))


def _flat(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Value]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, (*path, key))
        else:
            yield (*path, key), value


_in_toml = partial(json.dumps, ensure_ascii=False)  # TOML has text as JSON has it

HOUSE_ID = re.compile(r"[a-z][a-z0-9-]{0,39}")  # what a house can be called on the command line
NAME_MAX = 100  # how long a house's name can be
HEADER = re.compile(r"^\[(?P<section>[a-z_]+)(?:\.(?P<rest>[a-z0-9_.]+))?\]")  # the line that opens a section

OPENING = """\
#:schema ./house.schema.json
# {name}: a house of your own, begun as a copy of {like}.
#
# Every value is a pair: what holds, and the clause that says so. A clause is one of your own (see [clauses] at the
# end), a reading of what rule books leave open ("X-16") or a decision about records ("P-47"); `passline clause X-16`
# prints what it says. Change a value and its clause together, then try `passline house check` on this file.
#
# A price is "7:6" (to) or "8:1 for"; a table by total may share an entry: "4,10" = ["9:5", "..."]. A wager that is in
# the file but not on offer says offered = [false, "..."]. Its kind is one of
#   {kinds}.
# 0 minutes are no such rule. [about] and [equipment] take any key; [promotions] can be left out.
"""


def new_house(name: str, like: str = "strip", file: str = "house new") -> str:
    """Give the text of a commented house file for `name`, begun as a copy of a built-in house; errors name `file`.

    >>> [line for line in new_house("Lucky's Back Room").splitlines() if line.startswith("id ")]
    ['id     = "lucky-s-back-room"']
    """
    house = _slug(name)
    name = " ".join("".join(char if char.isprintable() else " " for char in name).split())
    findings = []
    if not HOUSE_ID.fullmatch(house) or house in _taken() or len(name) > NAME_MAX:
        expected = f"a name that begins with a letter and is not a built-in house's, of at most {NAME_MAX} letters"
        findings.append(Finding(file, "name", quoted(name), expected))
    if like not in house_files():
        known = ", ".join(house_files())
        findings.append(Finding(file, "like", quoted(like), known, nearest(like, house_files())))
    if findings:
        raise HouseFileError(findings)
    text = house_files()[like].read_text(encoding="utf-8")
    old_name = tomllib.loads(text)["name"]
    body = text[text.index("\nid ") + 1 :]
    body = body.replace(f'"{like}"', f'"{house}"', 1).replace(_in_toml(old_name), _in_toml(name), 1)
    lines = [*_explained(body), *_taken_over(text, like)]
    kinds = ", ".join(WAGERS)
    return OPENING.format(name=name, like=like, kinds=kinds) + "\n" + "\n".join(lines) + "\n"


def _slug(name: str) -> str:
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode()  # é as e
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def _taken() -> set[str]:
    names = (tomllib.loads(path.read_text(encoding="utf-8"))["name"] for path in house_files().values())
    return {*house_files(), *map(_slug, names)}


def _explained(body: str) -> Iterator[str]:
    """Put what a section is for in front of it, the first time it is met."""
    met: set[str] = set()
    for line in body.splitlines():
        section = header["section"] if (header := HEADER.match(line)) else ""
        if section in House.model_fields and section not in met:
            met.add(section)
            yield f"# {_is_for(section)}"
        yield line


def _is_for(section: str) -> str:
    """What a section of a house file is for: of a record what it says of itself, else what the book says of it."""
    field = House.model_fields[section]
    record = None if section == "wager" else table_in(field.annotation)
    says = field.description if record is None else record.__doc__
    return str(says).replace("\n", " ")


def _taken_over(text: str, like: str) -> Iterator[str]:
    """Write out the clauses that a house of the catalogue is cited for, so that the new house has its own."""
    if "clauses" in tomllib.loads(text):
        return
    yield from ("", f"# {_is_for('clauses')}", "[clauses]")
    for short in dict.fromkeys(re.findall(r'"((?:[^"\\]|\\.)*)"', text)):
        if known := catalogue().get(f"{like}:{short}"):
            yield f"{_in_toml(short)} = {_in_toml(known.sentence)}"
