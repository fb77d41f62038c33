"""The people of the house: who was named what, and by two people where one is not enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.verify.people import is_said, same_name

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from passline.verify.entry import Entry
    from passline.verify.report import Complaint

STREAM = "people"
ACTS = frozenset(
    (
        "person_added",
        "password_set",
        "token_issued",
        "token_revoked",
        "role_granted",
        "role_revoked",
        "table_hosted",
    )
)


class Roster:
    """The stream of the people."""

    def __init__(self, counts: Counter[str]) -> None:
        """Nobody has come."""
        self._counts = counts
        self._known: set[str] = set()
        self._opening: set[str] = set()
        """Tables that their host has just opened: who is what there is said with it."""

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """One act about a person."""
        if entry.kind != "people_acted":
            return
        act, person, about = (entry.body[name] for name in ("act", "person", "about"))
        self._counts["people_acts"] += 1
        if act not in ACTS:
            yield "body.act", f"{act} is nothing that is done about people"
        if act == "person_added":
            if person in self._known:
                yield "body.person", f"there is a {person} already"
            self._known.add(person)
        elif person not in self._known:
            yield "body.person", f"nobody has added {person}"
        if act == "role_granted":
            yield from self._granted(entry, about)
        self._opening = (self._opening if act == "role_granted" else set()) | (
            {about["table"]} if act == "table_hosted" else set()
        )

    def _granted(self, entry: Entry, about: dict[str, object]) -> Iterator[Complaint]:
        """The house names its first people and its guests, a host the crew; everything else takes two."""
        if not is_said(about["reason"]):
            yield "body.about.reason", "nobody says why"
        if entry.data["role"] == "house" or about["table"] in self._opening:
            return
        second = about["second"]
        if not isinstance(second, str) or not is_said(second) or same_name(second, entry.data["actor"]):
            yield "body.about.second", f"{entry.data['actor']} and {second} are not two people"
