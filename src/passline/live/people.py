"""Who holds which role, what it lets somebody do, and the one place where that is decided: a matrix in a file."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from passline.errors import PeopleError
from passline.floor.register import ACTS
from passline.floor.state import NOTHING
from passline.live.entries import Entry

Role = Literal["player", "dealer", "stick", "box", "cashier", "supervisor", "inspector", "administrator"]
Reach = Literal["seat", "table", "any"]

ROLES: tuple[str, ...] = get_args(Role)  # from the least to the most

# Who has no token, and what has one of its own: neither is a role that somebody is given.
ANYONE, MACHINE = "anyone", "machine"
FILE = Path(__file__).with_name("permissions.toml")


@dataclass(frozen=True, slots=True)
class Permission:
    """Something that can be done, and how far each role reaches with it."""

    name: str
    says: str
    routes: tuple[str, ...]
    acts: tuple[str, ...]
    people: int
    reach: Mapping[str, Reach]
    # Who, in the whole house, may be the second of two people and does not do it alone or first.
    approvers: frozenset[str] = frozenset()


class Standing(NamedTuple):
    """What somebody is, where they ask: in the whole house, and at the table they speak of (else again the house)."""

    house: frozenset[str]
    table: frozenset[str]
    own: bool  # whether what they speak of is their own: a seat, a wallet, an account


def may(permission: Permission, standing: Standing | None, *, as_most: bool = False) -> str | None:
    """As what somebody may do this; None where they may not. Every route and every act is decided here.

    They act as the least of theirs that may; on the floor, where rank counts, as the most.
    """
    if ANYONE in permission.reach:
        return ANYONE
    if standing is None:
        return None
    for role in reversed(ROLES) if as_most else ROLES:
        reach = permission.reach.get(role)
        if reach == "seat" and role in standing.table and standing.own:
            return role
        if reach == "table" and role in standing.table:
            return role
        if reach == "any" and role in standing.house | standing.table:
            return role
    return None


def may_approve(permission: Permission, standing: Standing) -> bool:
    return may(permission, standing) is not None or bool(permission.approvers & standing.house)


@cache
def permissions() -> Mapping[str, Permission]:
    return {
        name: _permission(name, rows) for name, rows in tomllib.loads(FILE.read_text("utf-8"))["permission"].items()
    }


def _permission(name: str, rows: Mapping[str, Any]) -> Permission:
    reach = {role: rows[role] for role in (ANYONE, MACHINE, *ROLES) if role in rows}
    known = {"says", "routes", "acts", "people", "approvers", *reach}
    wrong = set(rows) - known | {str(each) for each in reach.values() if each not in get_args(Reach)}
    if wrong or not reach:
        raise PeopleError(f"{FILE.name}, permission.{name}: {', '.join(wrong) or 'nobody'} has no meaning here")
    of_floor = (kind for kind, each in ACTS.items() if each.permission == name)
    routes, acts = tuple(rows.get("routes", ())), (*rows.get("acts", ()), *of_floor)
    return Permission(
        name, rows["says"], routes, acts, rows.get("people", 1), reach, frozenset(rows.get("approvers", ()))
    )


@cache
def of_route(route: str) -> Permission:
    """The permission that a route takes: `POST /tables/{table}/acts`."""
    return _one((each for each in permissions().values() if route in each.routes), route)


@cache
def of_act(kind: str) -> Permission:
    """The permission that an act at a table takes, by its wire name."""
    return _one((each for each in permissions().values() if kind in each.acts), kind)


def _one(matching: Iterable[Permission], what: str) -> Permission:
    them = list(matching)
    if len(them) != 1:
        raise PeopleError(f"{FILE.name}: {what} stands under {len(them)} permissions, and must under one")
    return them[0]


NOBODY: frozenset[str] = frozenset()

# What somebody alone at a practice table is: everybody.
ALONE = frozenset(ROLES) - {"administrator", "inspector", "cashier"}


class Hosted(NamedTuple):
    """A table of somebody's: alone in practice, or open to others."""

    table: str
    host: str
    practice: bool
    listed: bool  # whether everybody finds it in the lobby; if not, only those with a link come
    wallets: bool = False  # whether its chips come out of wallets
    company: int = 0  # how many regulars of the house play there
    countdown: int = 0  # after how many seconds the bets are closed; 0: when somebody asks

    def about(self) -> dict[str, Any]:
        """What its entry says, besides whose it is."""
        return {name: value for name, value in self._asdict().items() if name != "host"}


class Roster(NamedTuple):
    sequence: int = 0  # the entry of the people's stream as of which it holds
    # By person and table; the whole house has no table.
    granted: Mapping[tuple[str, str | None], frozenset[str]] = NOTHING
    titles: Mapping[str, frozenset[str]] = NOTHING  # by person: the titles that came with a role, by two people
    hosted: Mapping[str, Hosted] = NOTHING

    def roles(self, person: str, table: str | None = None) -> frozenset[str]:
        """As what somebody may act: in the whole house, and at a table."""
        roles = self.granted.get((person, None), NOBODY)
        hosted = self.hosted.get(table) if table else None
        if table is None or (hosted is not None and hosted.listed):
            roles |= {"player"}
        if table is not None:
            roles |= self.granted.get((person, table), NOBODY)
        if hosted is not None and hosted.practice and hosted.host == person:
            roles |= ALONE
        return roles

    def standing(self, person: str, table: str | None, *, own: bool = False) -> Standing:
        house = self.roles(person)
        return Standing(house, self.roles(person, table) if table else house, own)

    def is_anybody(self, role: str, table: str) -> bool:
        return any(role in roles for (_, where), roles in self.granted.items() if where in (None, table))


def binds_house(roster: Roster, *people: str) -> bool:
    """Whether one of those who decide supervises the whole house; a host decides for the host's own table."""
    return any("supervisor" in roster.roles(each) for each in people)


def after(roster: Roster, entries: Iterable[Entry]) -> Roster:
    """The roster after these entries of the people's stream: one copy, however many they are."""
    sequence = roster.sequence
    granted, titles, hosted = dict(roster.granted), dict(roster.titles), dict(roster.hosted)
    for entry in entries:
        sequence = entry.sequence
        if entry.kind != "people_acted":
            continue
        person, about = entry.body["person"], entry.body["about"]
        match entry.body["act"]:
            case "role_granted":
                where = (person, about["table"])
                granted[where] = granted.get(where, NOBODY) | {about["role"]}
                if about.get("title"):
                    titles[person] = titles.get(person, NOBODY) | {about["title"]}
            case "role_revoked":
                where = (person, about["table"])
                granted[where] = granted.get(where, NOBODY) - {about["role"]}
                titles.pop(person, None)  # a title is of a role: whoever keeps another is given it again
            case "table_hosted":
                hosted[about["table"]] = Hosted(host=person, **about)
            case _:
                pass
    return Roster(sequence, granted, titles, hosted)
