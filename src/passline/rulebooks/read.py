"""Reads a house file into the engine's own records, or says everything that is wrong with it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from passline.engine.book import Book, EveryWager, WagerRule
from passline.engine.kinds import KINDS
from passline.engine.values import Cited
from passline.errors import Finding, HouseFileError, short
from passline.files.findings import explained, keys_at, nearest, quoted, table_at
from passline.files.reading import is_file
from passline.files.toml import tree
from passline.rulebooks.catalogue import catalogue, house_files
from passline.rulebooks.check import check, check_prices
from passline.rulebooks.editing import Value, head_of, like_house
from passline.rulebooks.model import IN_FILE, WAGERS, House, Part


def read_book(source: str | bytes | Path, file: str | None = None) -> Book:
    """Read a house file, given as its text, its bytes or its path; `file` is what complaints call it."""
    file = file or (str(source) if isinstance(source, Path) else "house file")
    book = _read(source, file)
    if book.id in house_files() and (findings := check_prices(book, _load_built_in(book.id), file)):
        raise HouseFileError(findings)
    return book


def load(house: str | Path) -> Book:
    """Give the book of a built-in house by its id, or of any other by the path of its file."""
    if isinstance(house, str) and house in house_files():
        return _load_built_in(house)
    path = Path(house)
    if isinstance(house, str) and path.suffix != ".toml" and not is_file(path):
        known = f"{', '.join(house_files())}, or the path of a house file"
        name, problem = (short(house), "no such house") if house.strip() else ("house", f"{house!r}")
        raise HouseFileError([Finding(name, "", short(problem), known, nearest(house, house_files()))])
    return read_book(path)


def built_in() -> tuple[str, ...]:
    """The ids of the houses that come with the program, adelaide first."""
    return tuple(house_files())


@cache
def _load_built_in(house: str) -> Book:
    path = house_files()[house]
    return _read(path.read_bytes(), path.name)


def _read(source: str | bytes | Path, file: str) -> Book:
    values = tree(source, file, "a house file", HouseFileError)
    return read_like(*head_of(values, file), file)[0] if "like" in values else book_of(values, file)


def in_full(text: str, file: str) -> str:
    """A house file as one that needs no other: what it says by `like` is written out."""
    values = tree(text, file, "a house file", HouseFileError)
    return read_like(*head_of(values, file), file)[1] if "like" in values else text


def read_like(like: str, name: str, changes: Mapping[tuple[str, ...], Value], file: str) -> tuple[Book, str]:
    """Read a house that is another but for some values, each by its place: its book, and its file in full."""
    text, findings = like_house(like, name, changes, file)
    try:
        book = book_of(tree(text, file, "a house file", HouseFileError), file)
    except HouseFileError as error:
        raise HouseFileError([*findings, *error.findings]) from None
    if findings:
        raise HouseFileError(findings)
    return book, text


def book_of(values: Mapping[str, Any], file: str) -> Book:
    """Check a file's values: shape, types and clauses first; then that every wager can be settled."""
    try:
        house = House.model_validate_json(json.dumps(values), context={"resolve": _resolver(values)})
    except ValidationError as error:
        raise HouseFileError(findings_from(error, file)) from None
    book = _book(house)
    if findings := check(book, file):
        raise HouseFileError(findings)
    return book


def _resolver(values: Mapping[str, Any]) -> Callable[[str], str]:
    """What a file means by a clause: its own, its house's in the catalogue, a reading or a decision."""
    house, own = values.get("id"), values.get("clauses")
    own = own if isinstance(own, dict) else {}

    def resolve(text: str) -> str:
        full = f"{house}:{text}"
        if text in own or full in catalogue():
            return full
        if text in catalogue():
            return text
        known = (each.removeprefix(f"{house}:") for each in catalogue())
        near = {"nearest": nearest(text, [*own, *known]) or ""}
        raise PydanticCustomError("clause_unknown", "a clause of this house, a reading or a decision", near)

    return resolve


def _book(house: Any) -> Book:  # noqa: ANN401 - its keys are the records' own, which mypy cannot see
    odds, points = house.notice.odds, house.points.value
    parts = {name: _recorded(value) for name, value in house if name not in ("every_wager", "wager", "notice")}
    multiples = dict.fromkeys(points, odds.value) if isinstance(odds.value, int) else odds.value
    notice = _recorded(house.notice, odds=Cited(multiples, odds.clause))
    wagers = tuple(_rule(key, wager, house) for key, wager in house.wager.items())
    clauses = {f"{house.id}:{name}": sentence for name, sentence in house.clauses.items()}
    return Book(**{**parts, "notice": notice, "wagers": wagers, "clauses": clauses})


def _rule(key: str, wager: Any, house: Any) -> WagerRule:  # noqa: ANN401
    """Lay one wager over what holds for every wager."""
    values = {name: _recorded(value) for name, value in wager if name != "kind"}
    every = {each.name: values[each.name] or getattr(house.every_wager, each.name) for each in fields(EveryWager)}
    kind = KINDS[wager.kind]
    terms = kind(**{each.name: values.pop(each.name) for each in fields(kind)})
    return WagerRule(**{**values, **every, "key": key, "terms": terms})


def _recorded(value: object, **more: object) -> Any:  # noqa: ANN401
    """Turn tables into their records and lists into tuples, all the way down; other tables stay dictionaries."""
    if isinstance(value, Part):
        names = {IN_FILE.get(each.name, each.name): each.name for each in fields(value.record)}
        return value.record(**{**{names[key]: _recorded(inner) for key, inner in value}, **more})
    if isinstance(value, Cited):
        return Cited(_recorded(value.value), value.clause)
    if isinstance(value, dict):
        return {key: _recorded(inner) for key, inner in value.items()}
    return tuple(map(_recorded, value)) if isinstance(value, list | tuple) else value


def book_digest(book: Book) -> str:
    return sha256(repr(book).encode()).hexdigest()


KEY = "[key]"  # how the models mark a complaint about a key rather than its value
PAIR_EXPECTED = 'a pair [value, "clause"]'  # what nearly every value of a house file is


def findings_from(error: ValidationError, file: str) -> list[Finding]:
    """Turns the models' complaints into the words of a house file."""
    details = error.errors(include_url=False)
    if any(detail["loc"] == ("id",) for detail in details):  # without its house no clause can be looked up
        details = [detail for detail in details if detail["type"] != "clause_unknown"]
    unknown = [_finding(detail, file) for detail in details if detail["type"] == "extra_forbidden"]
    others = [_finding(detail, file) for detail in details if detail["type"] != "extra_forbidden"]
    meant = {(finding.path.rpartition(".")[0], finding.nearest) for finding in unknown}
    return unknown + [
        finding for finding in others if finding.actual != "nothing" or finding.path.rpartition(".")[::2] not in meant
    ]


def _finding(detail: ErrorDetails, file: str) -> Finding:
    loc, path = detail["loc"], _path(detail["loc"])
    if detail["type"].startswith("union_tag"):  # a wager whose kind is missing or unknown
        wanted = detail["input"].get("kind") if isinstance(detail["input"], dict) else None
        near = nearest(str(wanted), WAGERS) if wanted else None
        return Finding(file, f"{path}.kind", quoted(wanted), "one of " + ", ".join(WAGERS), near)
    own = {"missing": _missing(loc), "too_long": PAIR_EXPECTED}  # in other words, since values are pairs
    if not isinstance(loc[-1], int):
        own["tuple_type"] = PAIR_EXPECTED
    value, expected, near = explained(detail, lambda at: keys_at(*_place(at)), own)
    return Finding(file, path, f"the key {value}" if KEY in loc else value, expected, near or None)


def _path(loc: tuple[int | str, ...]) -> str:
    """A path as the author of the file would write it: without a wager's kind and the halves of a pair."""
    own = loc
    if loc[:1] == ("wager",):  # without what the models put in: its kind, or which form its clauses have
        tags = {2: tuple(WAGERS), 4: ("one", "each")}
        own = tuple(part for at, part in enumerate(loc) if part not in tags.get(at, ()))
    return ".".join(part for part in own if isinstance(part, str) and part != KEY)


def _missing(loc: tuple[int | str, ...]) -> str:
    if isinstance(loc[-1], int):
        return f"{PAIR_EXPECTED}: the clause is missing" if loc[-1] else PAIR_EXPECTED
    model = table_at(*_place(loc[:-1]))
    described = model.model_fields[str(loc[-1])].description if model and str(loc[-1]) in model.model_fields else None
    return f"this key: {described[0].lower()}{described[1:].removesuffix('.')}" if described else "this key"


def _place(loc: tuple[int | str, ...]) -> tuple[type[BaseModel] | None, tuple[int | str, ...]]:
    """The table that a place counts from: a wager's name and its kind lead into its own."""
    return (WAGERS.get(str(loc[2])), loc[3:]) if loc[:1] == ("wager",) and len(loc) > 2 else (House, loc)
