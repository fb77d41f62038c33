"""Reads a house file into the engine's own records, or says everything that is wrong with it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, assert_never

from pydantic import ValidationError

from passline.engine import book as records
from passline.engine.book import Book, Cited, NoticeTerms, WagerRule
from passline.errors import Finding, HouseFileError
from passline.files.findings import nearest
from passline.files.toml import tree
from passline.rulebooks import wagers as models
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.check import check
from passline.rulebooks.complaints import findings_from
from passline.rulebooks.expand import holds, names
from passline.rulebooks.overrides import check_prices
from passline.rulebooks.resolve import Resolver
from passline.rulebooks.schema import House

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel

R = TypeVar("R")


def read_book(source: str | bytes | Path, file: str | None = None) -> Book:
    """Read a house file, given as its text, its bytes or its path; `file` is what complaints call it."""
    file = file or (source.name if isinstance(source, Path) else "house file")
    book = _read(source, file)
    if book.id in house_files() and (found := check_prices(book, _load_built_in(book.id), file)):
        raise HouseFileError(found)
    return book


def load(house: str | Path) -> Book:
    """Give the book of a built-in house by its id, or of any other by the path of its file."""
    if isinstance(house, str) and house in house_files():
        return _load_built_in(house)
    path = Path(house)
    if isinstance(house, str) and path.suffix != ".toml" and not path.is_file():
        known = ", ".join(house_files())
        raise HouseFileError([Finding(house, "", "no such house", known, nearest(house, house_files()))])
    return read_book(path)


def built_in() -> tuple[str, ...]:
    """The ids of the houses that come with the program, adelaide first."""
    return tuple(house_files())


@cache
def _load_built_in(house: str) -> Book:
    path = house_files()[house]
    return _read(path.read_bytes(), path.name)


def _read(source: str | bytes | Path, file: str) -> Book:
    return _book(_house(tree(source, file, "a house file", HouseFileError), file))


def _house(values: dict[str, Any], file: str) -> House:
    """Check shape, types and clauses; then that every wager can be settled."""
    resolver = Resolver.of(values)
    try:
        house = House.model_validate_json(json.dumps(values), context={"resolve": resolver.resolve})
    except ValidationError as error:
        raise HouseFileError(findings_from(error, file)) from None
    if found := check(house, file):
        raise HouseFileError(found)
    return house


def _book(house: House) -> Book:
    """Turn the checked file into the engine's records."""
    notice, points = house.notice, house.points.value
    return Book(
        id=house.id,
        name=house.name,
        points=house.points,
        notice=NoticeTerms(
            minimum=notice.min,
            maximum=notice.max,
            odds=Cited(notice.odds.value.by_point(points), notice.odds.clause),
            odds_from=notice.odds_from,
            odds_to=notice.odds_to,
            steps=notice.steps,
            multiples=notice.multiples,
            side=notice.side,
            chips=notice.chips,
        ),
        money=_same(records.MoneyHabits, house.money),
        betting=_same(records.BettingHabits, house.betting),
        shooter=_same(records.ShooterHabits, house.shooter),
        dice=_same(records.DiceHabits, house.dice),
        no_roll=_same(records.NoRollHabits, house.no_roll),
        floor=_same(records.FloorHabits, house.floor),
        staff=house.staff.model_dump(),
        wagers=tuple(_rule(key, wager, house) for key, wager in house.wager.items()),
        about=_facts(house.about),
        equipment=_facts(house.equipment),
        clauses={f"{house.id}:{name}": sentence for name, sentence in house.clauses.items()},
    )


def _same(record: type[R], part: BaseModel) -> R:
    """Copy a section whose model has the very fields of its record."""
    return record(**{name: _frozen(value) for name, value in part})


def _frozen(value: object) -> object:
    """Turn lists into tuples all the way down; tables stay dictionaries, so that a book can be pickled."""
    if isinstance(value, Cited):
        return Cited(_frozen(value.value), value.clause)
    if isinstance(value, dict):
        return {key: _frozen(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    return value


def _facts(facts: Mapping[str, Cited[Any]]) -> Mapping[str, Cited[object]]:
    return {name: Cited(_frozen(said.value), said.clause) for name, said in facts.items()}


def _rule(key: str, wager: models.AnyWager, house: House) -> WagerRule:
    """Lay one wager over what holds for every wager."""
    booked = wager.booked_with
    common: dict[str, Any] = {name: holds(wager, house, name) for name in type(house.every_wager).model_fields}
    return WagerRule(
        key=key,
        name=wager.name,
        terms=_terms(wager, house),
        area=wager.area,
        commission=_same(records.Commission, wager.commission) if wager.commission else None,
        booked_with=Cited(tuple(booked.value), booked.clause) if booked else None,
        button=wager.button,
        names=names(key, wager, house),
        **common,
    )


def _terms(wager: models.AnyWager, house: House) -> records.Terms:
    """Give a wager the parameters of its kind."""
    match wager:
        case models.LineWager():
            return _picked(records.Line, wager)
        case models.OddsWager(of=flat):
            flat_bet = house.wager[flat]
            assert isinstance(flat_bet, models.LineWager)
            return _picked(records.Odds, wager, flat=flat, side=flat_bet.side)
        case models.NumberWager(pays=pays):
            by = {"wins": _for_each(wager.wins, pays), "loses": _for_each(wager.loses, pays)}
            return _picked(records.Number, wager, **by)
        case models.HardwayWager(pays=pays):
            by = {"wins": _for_each(wager.wins, pays), "loses": _for_each(wager.loses, pays)}
            return _picked(records.Hardway, wager, **by)
        case models.OneRollWager():
            return _picked(records.OneRoll, wager)
        case models.HopWager():
            return _picked(records.Hop, wager)
        case models.SplitWager():
            return _picked(records.Split, wager, high=wager.high or {}, paid_by=wager.paid_by or {})
        case models.FireWager():
            return _picked(records.Fire, wager)
        case models.CollectWager():
            return _picked(records.Collect, wager)
        case _:
            assert_never(wager)


def _picked(record: type[R], wager: models.Wager, **given: object) -> R:
    """Fill a record with the wager's fields of the same names, save those given."""
    fields = {name: getattr(wager, name) for name in record.__dataclass_fields__ if name not in given}  # type: ignore[attr-defined]
    return record(**{name: _frozen(value) for name, value in {**fields, **given}.items()})


def _for_each(clauses: str | Mapping[int, str], numbers: Mapping[int, object]) -> dict[int, str]:
    """Give each number its clause."""
    return {number: clauses if isinstance(clauses, str) else clauses[number] for number in numbers}
