"""Reads a house file into the engine's own records, or says everything that is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from passline.engine.book import Book, EveryWager, WagerRule
from passline.engine.kinds import KINDS
from passline.engine.values import Cited
from passline.errors import Finding, HouseFileError, short
from passline.files.findings import explained, nearest, quoted
from passline.files.reading import is_file
from passline.files.toml import tree
from passline.rulebooks.catalogue import ALL_HOUSES, catalogue, house_files
from passline.rulebooks.check import check, check_prices
from passline.rulebooks.editing import in_full
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
    if "like" in values:
        values = tree(in_full(values, file), file, "a house file", HouseFileError)
    return book_of(values, file)


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
        known = (
            each.id if each.house == ALL_HOUSES else each.id.removeprefix(f"{house}:") for each in catalogue().values()
        )
        near = {"nearest": nearest(text, [*own, *known]) or ""}
        raise PydanticCustomError("clause_unknown", "a clause of this house, a reading or a decision", near)

    return resolve


# --- From the models to the records ---------------------------------------------------------------------------------


def _book(house: Any) -> Book:  # noqa: ANN401 - its keys are the records' own, which mypy cannot see
    """Turn the checked file into the engine's records."""
    odds, points = house.notice.odds, house.points.value
    parts = {name: _recorded(value) for name, value in house if name not in ("every_wager", "wager", "notice")}
    notice = _recorded(house.notice, odds=Cited(odds.value.by_point(points), odds.clause))
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
    """A hash of everything a rule book says."""
    return sha256(repr(book).encode()).hexdigest()


KEY = "[key]"  # how the models mark a complaint about a key rather than its value
PAIR_EXPECTED = 'a pair [value, "clause"]'  # what nearly every value of a house file is


def findings_from(error: ValidationError, file: str) -> list[Finding]:
    """Say every complaint of the models in the words of a house file."""
    details = error.errors(include_url=False)
    if any(detail["loc"] == ("id",) for detail in details):  # without its house no clause can be looked up
        details = [detail for detail in details if detail["type"] != "clause_unknown"]
    unknown = [_finding(detail, file) for detail in details if detail["type"] == "extra_forbidden"]
    meant = {(_parent(finding.path), finding.nearest) for finding in unknown}
    others = [_finding(detail, file) for detail in details if detail["type"] != "extra_forbidden"]
    misspelt = [finding for finding in others if (_parent(finding.path), finding.path.split(".")[-1]) in meant]
    return unknown + [finding for finding in others if finding.found != "nothing" or finding not in misspelt]


def _parent(path: str) -> str:
    return path.rpartition(".")[0]


def _finding(detail: ErrorDetails, file: str) -> Finding:
    path, is_key = _path(detail["loc"])
    if detail["type"].startswith("union_tag"):
        return _kind(detail, f"{path}.kind", file)
    value, expected, near = explained(detail, _keys_at, _own(detail["loc"]))
    return Finding(file, path, f"the key {value}" if is_key else value, expected, near or None)


def _own(loc: tuple[int | str, ...]) -> dict[str, str]:
    """What some complaints mean in a file of pairs."""
    lists = {} if isinstance(loc[-1], int) else {"tuple_type": PAIR_EXPECTED}
    return {"missing": _missing(loc), "too_long": PAIR_EXPECTED, **lists}


def _kind(detail: ErrorDetails, path: str, file: str) -> Finding:
    """Say that a wager is of no kind, or of none there is."""
    wanted = detail["input"].get("kind") if isinstance(detail["input"], dict) else None
    near = nearest(str(wanted), WAGERS) if wanted else None
    return Finding(file, path, quoted(wanted), "one of " + ", ".join(WAGERS), near)


def _path(loc: tuple[int | str, ...]) -> tuple[str, bool]:
    """Write a place as the author of the file would: without the kind of a wager and the halves of a pair."""
    own = loc
    if loc[:1] == ("wager",):  # without what the models put in: its kind, or which form its clauses have
        tags = {2: tuple(WAGERS), 4: ("one", "each")}
        own = tuple(part for at, part in enumerate(loc) if part not in tags.get(at, ()))
    return ".".join(str(part) for part in own if isinstance(part, str) and part != KEY), KEY in loc


def _missing(loc: tuple[int | str, ...]) -> str:
    """Say what should have been there, in the words of the schema."""
    if isinstance(loc[-1], int):
        return f"{PAIR_EXPECTED}: the clause is missing" if loc[-1] else PAIR_EXPECTED
    model = _model_at(loc[:-1])
    described = model.model_fields[str(loc[-1])].description if model and str(loc[-1]) in model.model_fields else None
    return f"this key: {described[0].lower()}{described[1:].removesuffix('.')}" if described else "this key"


def _keys_at(loc: tuple[int | str, ...]) -> list[str]:
    model = _model_at(loc)
    return list(model.model_fields) if model else []


def _model_at(loc: tuple[int | str, ...]) -> type[BaseModel] | None:
    """The model that reads the table at this place."""
    model: type[BaseModel] | None = House
    if loc[:1] == ("wager",) and len(loc) > 2:  # a wager's name, its kind, and on into its tables
        model, loc = WAGERS.get(str(loc[2])), loc[3:]
    for key in map(str, loc):
        model = _as_model(model.model_fields[key].annotation) if model and key in model.model_fields else None
    return model


def _as_model(annotation: Any) -> type[BaseModel] | None:  # noqa: ANN401 - whatever a field is annotated with
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None
