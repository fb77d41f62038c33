"""The one place where it is decided who may do what: a matrix in a file, and one function that reads it.

An act of the floor names its row itself, where it is written (`passline.floor`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from passline.errors import PeopleError
from passline.floor.register import ACTS

Role = Literal["player", "dealer", "stick", "box", "supervisor", "inspector", "administrator"]
Reach = Literal["seat", "table", "any"]

ROLES: tuple[str, ...] = get_args(Role)
"""From the least to the most."""

ANYONE = "anyone"
FILE = Path(__file__).with_name("powers.toml")


@dataclass(frozen=True, slots=True)
class Power:
    """Something that can be done, and how far each role reaches with it."""

    name: str
    says: str
    routes: tuple[str, ...]
    acts: tuple[str, ...]
    people: int
    reach: Mapping[str, Reach]


class Standing(NamedTuple):
    """What somebody is, where they ask: in the whole house, and at the table they speak of (else again the house)."""

    house: frozenset[str]
    table: frozenset[str]
    own: bool
    """Whether what they speak of is their own: a seat, a wallet, an account."""


def may(power: Power, standing: Standing | None, *, as_most: bool = False) -> str | None:
    """As what somebody may do this; None where they may not. Every route and every act is decided here.

    They act as the least of theirs that may; on the floor, where rank counts, as the most.
    """
    if ANYONE in power.reach:
        return ANYONE
    if standing is None:
        return None
    for role in reversed(ROLES) if as_most else ROLES:
        reach = power.reach.get(role)
        if reach == "seat" and role in standing.table and standing.own:
            return role
        if reach == "table" and role in standing.table:
            return role
        if reach == "any" and role in standing.house | standing.table:
            return role
    return None


@cache
def powers() -> Mapping[str, Power]:
    """The matrix."""
    return {name: _power(name, rows) for name, rows in tomllib.loads(FILE.read_text("utf-8"))["power"].items()}


def _power(name: str, rows: Mapping[str, Any]) -> Power:
    reach = {role: rows[role] for role in (ANYONE, *ROLES) if role in rows}
    known = {"says", "routes", "acts", "people", *reach}
    wrong = set(rows) - known | {str(each) for each in reach.values() if each not in get_args(Reach)}
    if wrong or not reach:
        raise PeopleError(f"{FILE.name}, power.{name}: {', '.join(wrong) or 'nobody'} has no meaning here")
    of_floor = (kind for kind, each in ACTS.items() if each.permission == name)
    routes, acts = tuple(rows.get("routes", ())), (*rows.get("acts", ()), *of_floor)
    return Power(name, rows["says"], routes, acts, rows.get("people", 1), reach)


@cache
def of_route(route: str) -> Power:
    """The power that a route takes: `POST /tables/{table}/acts`."""
    return _one((each for each in powers().values() if route in each.routes), route)


def of_act(kind: str) -> Power:
    """The power that an act at a table takes, by its wire name."""
    return _one((each for each in powers().values() if kind in each.acts), kind)


def _one(found: Iterable[Power], what: str) -> Power:
    them = list(found)
    if len(them) != 1:
        raise PeopleError(f"{FILE.name}: {what} stands under {len(them)} powers, and must under one")
    return them[0]
