"""The people of the house: who was named what, and by two people where one is not enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from passline.floor.names import folded
from passline.verify.bodies import is_whole
from passline.verify.entry import Entry
from passline.verify.people import CREW, is_said, same_name
from passline.verify.report import Complaint

STREAM = "people"
NAMES_PEOPLE = frozenset(("supervisor", "administrator"))
"""Who gives roles, with another who may."""

HELD = CREW | {"administrator"}
"""The roles that somebody is given; that somebody plays is not for this stream alone to say."""

ACTS = frozenset(
    (
        "person_added",
        "password_set",
        "token_issued",
        "token_revoked",
        "role_granted",
        "role_revoked",
        "table_hosted",
        "attempts_counted",
    )
)


class Span(NamedTuple):
    """From which entry of the stream to which somebody held a role, and when that was by its clock."""

    since: int
    until: int
    """The first entry as of which it was held no more; one after the last where it is held still."""
    given: str
    taken: str | None


OWN = frozenset(("password_set", "token_issued", "table_hosted"))
"""What is done by whom it is about, or by the house."""


class Used(NamedTuple):
    """An assent that somebody used, once."""

    sequence: int
    person: str
    table: object
    by: object


class Roster:
    """The stream of the people."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self._known: set[str] = set()
        self._opening: set[str] = set()
        """Tables that their host has just opened: who is what there is said with it."""
        self.last = 0
        """The last entry of the stream."""
        self.opened = ""
        """When it began: who was what before that, it does not say."""
        self.hosted: dict[str, dict[str, Any]] = {}
        """By table: whose it is, and whether anybody may come."""
        self._turns: list[tuple[int, str, object, object, bool]] = []
        """Roles given and taken back: with which entry, to whom, at which table, as what, whether given."""
        self._ever: set[tuple[object, object]] = set()
        """Who was ever given which role, anywhere."""
        self._assents: dict[object, tuple[str, object]] = {}
        """Assents that nobody has used, by token: whose, and at which table."""
        self._used: list[Used] = []
        self._times: dict[int, str] = {}
        """When each of these was, and when a table was opened."""

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """One act about a person."""
        self.last = entry.sequence if is_whole(entry.sequence, 1) else self.last + 1  # the chain complains of any other
        self.opened = self.opened or str(entry.data["time"])
        if entry.kind != "people_acted":
            return
        act, person, about = (entry.body[name] for name in ("act", "person", "about"))
        self._counts["people_acts"] += 1
        if act not in ACTS:
            yield "body.act", f"{act} is nothing that is done about people"
        yield from self._named(entry, act, person)
        yield from self._acts_as(entry)
        yield from self._own(entry, act, person, about)
        if act == "role_granted" or (act == "role_revoked" and self._takes_two(entry, person, about)):
            yield from self._granted(entry, about)
        self._agree(entry, act, person, about)
        if act in ("role_granted", "role_revoked"):
            self._turns.append((self.last, person, about["table"], about["role"], act == "role_granted"))
            self._times[self.last] = str(entry.data["time"])
            self._ever |= {(person, about["role"])} if act == "role_granted" else set()
        elif act == "table_hosted":
            self._times[self.last] = str(entry.data["time"])
            self.hosted[about["table"]] = {**about, "host": person, "since": self.last}
        self._opening = (self._opening if act == "role_granted" else set()) | (
            {about["table"]} if act == "table_hosted" else set()
        )

    def _named(self, entry: Entry, act: str, person: str) -> Iterator[Complaint]:
        """Whoever an act is about is known, or is added by it; what was tried is about nobody."""
        if act == "person_added":
            if person in self._known:
                yield "body.person", f"there is a {person} already"
            self._known.add(person)
        elif act == "attempts_counted":
            if entry.data["role"] != "house":
                yield "role", "the program counts what was tried, and nobody else"
        elif person not in self._known:
            yield "body.person", f"nobody has added {person}"

    def _agree(self, entry: Entry, act: str, person: str, about: dict[str, Any]) -> None:
        """Remember who agrees to something, and who makes use of it."""
        if act == "token_issued" and about.get("purpose") == "assent":
            self._assents[about["token"]] = (person, about["table"])
        elif act == "token_revoked" and about.get("token") in self._assents:
            self._used.append(Used(self.last, *self._assents.pop(about["token"]), entry.data["actor"]))

    def agreed(self, second: str, table: str, actor: str, at: int) -> bool:
        """Whether somebody had agreed to what another did there, as of an entry; each assent counts once."""
        for used in self._used:
            if used.sequence <= at and (used.person, used.table, used.by) == (second, table, actor):
                self._used.remove(used)
                return True
        return False

    def _own(self, entry: Entry, act: str, person: str, about: dict[str, Any]) -> Iterator[Complaint]:
        """Nobody but the house signs another in, or says their password; a table has one host, who opens it."""
        actor, role = entry.data["actor"], entry.data["role"]
        if act in OWN and role != "house" and actor != person:
            yield "actor", f"{act} is of {person}, and {actor} does it"
        if act == "table_hosted" and about["table"] in self.hosted:
            yield "body.about.table", f"{about['table']} is {self.hosted[about['table']]['host']}'s already"

    def _acts_as(self, entry: Entry) -> Iterator[Complaint]:
        """Who acts about people holds the role, or did so a moment ago; at a table of one's own one is everybody."""
        actor, role = entry.data["actor"], entry.data["role"]
        if role not in HELD or (actor, role) in self._ever:
            return
        if not any(each["practice"] and each["host"] == actor for each in self.hosted.values()):
            yield "role", f"{actor} was no {role} by then"

    def roles(self, person: str, table: str | None, at: int) -> set[object]:
        """As what somebody could act at a table, or in the whole house, as of an entry."""
        held: set[tuple[object, object]] = set()
        for sequence, who, where, role, given in self._turns:
            if sequence <= at and who == person and where in (None, table):
                (held.add if given else held.discard)((where, role))
        found = {role for _, role in held}
        hosted = self.hosted.get(table or "", {"since": at + 1})
        if table is None or (hosted["since"] <= at and hosted["listed"]):
            found.add("player")
        alone = hosted["since"] <= at and hosted["practice"] and hosted["host"] == person
        return found | ({"player", *CREW} - {"inspector"} if alone else set())

    def spans(self, person: str, table: str | None, role: str) -> list[Span]:
        """When somebody held a role, at a table or in the whole house."""
        turns = sorted({0, *(turn[0] for turn in self._turns if turn[1] == person), *self._opened(table)})
        found: list[Span] = []
        for at in turns:
            holds, time = role in self.roles(person, table, at), self._times.get(at, "")
            if holds and (not found or found[-1].taken is not None):
                found.append(Span(at, self.last + 1, time, None))
            elif not holds and found and found[-1].taken is None:
                found[-1] = found[-1]._replace(until=at, taken=time)
        return found

    def _opened(self, table: str | None) -> tuple[int, ...]:
        return (self.hosted[table]["since"],) if table in self.hosted else ()

    @staticmethod
    def _takes_two(entry: Entry, person: str, about: dict[str, object]) -> bool:
        """Whether somebody takes another's power to name people: as giving it, that takes two."""
        return about.get("role") in NAMES_PEOPLE and person != entry.data["actor"]

    def _granted(self, entry: Entry, about: dict[str, object]) -> Iterator[Complaint]:
        """The house names its first people and its guests, a host the crew; everything else takes two."""
        if not is_said(about["reason"]):
            yield "body.about.reason", "nobody says why"
        if entry.data["role"] == "house" or about["table"] in self._opening:
            return
        second = about["second"]
        if not isinstance(second, str) or not is_said(second) or same_name(second, entry.data["actor"]):
            yield "body.about.second", f"{entry.data['actor']} and {second} are not two people"
            return
        for field, who in (("actor", entry.data["actor"]), ("body.about.second", folded(second))):
            if not self.roles(who, None, self.last - 1) & NAMES_PEOPLE:
                yield field, f"{who} held no role that names people"
