"""Who holds which role: a value, as of an entry of the people's stream, and what it lets somebody do at a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from passline.live.entries import Entry
from passline.live.powers import ROLES, Standing

NOBODY: frozenset[str] = frozenset()
NOTHING: Mapping[Any, Any] = MappingProxyType({})

ALONE = frozenset(ROLES) - {"administrator", "inspector"}
"""What somebody alone at a practice table is: everybody."""


class Hosted(NamedTuple):
    """A table of somebody's: alone in practice, or open to others."""

    table: str
    host: str
    practice: bool
    listed: bool
    """Whether everybody finds it in the lobby; if not, only those with a link come."""
    wallets: bool = False
    """Whether its chips come out of wallets."""
    company: int = 0
    """How many regulars of the house play there."""
    countdown: int = 0
    """After how many seconds the bets are closed; 0: when somebody asks."""

    def about(self) -> dict[str, Any]:
        """What its entry says, besides whose it is."""
        return {name: value for name, value in self._asdict().items() if name != "host"}


class Roster(NamedTuple):
    """Everybody's roles and titles, and whose tables there are."""

    sequence: int = 0
    """The entry of the people's stream as of which it holds."""
    granted: Mapping[tuple[str, str | None], frozenset[str]] = NOTHING
    """By person and table; the whole house has no table."""
    titles: Mapping[str, frozenset[str]] = NOTHING
    """By person: the titles that came with a role, by two people."""
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
        """What somebody is, in the house and at a table."""
        house = self.roles(person)
        return Standing(house, self.roles(person, table) if table else house, own)

    def is_anybody(self, role: str, table: str) -> bool:
        """Whether there is somebody who holds a role at a table."""
        return any(role in roles for (_, where), roles in self.granted.items() if where in (None, table))


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
