"""The chain of a table: every entry whole, in its place, and bound to the one before it by its hash."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256

from passline.verify.bodies import BODIES, check_body
from passline.verify.entry import Entry, entry_hash
from passline.verify.report import Complaint

GENESIS = "0" * 64
DIGEST = re.compile(r"[0-9a-f]{64}")
TABLE = re.compile(r"[a-z0-9_.-]{1,64}")
ROLES = frozenset(("player", "dealer", "stick", "box", "supervisor", "inspector", "administrator", "house"))
HOUSE = "house"
NAME_CHARACTERS_MAX = 200
FIELDS = frozenset(
    ["table", "sequence", "previous", "hash", "kind", "v", "house", "actor", "role", "key", "time", "body"]
)
LAST = {"table_stopped": ("seed_revealed", "chips_returned", "refused"), "table_closed": ()}
"""What ends a table, and the little that may follow it."""


class Chain:
    """Looks at entries one after the other, and remembers their hashes for the heads."""

    def __init__(self, counts: Counter[str], houses: Mapping[str, str]) -> None:
        self._counts, self._houses = counts, houses
        self.hashes: dict[int, str] = {}
        """Of every entry by its sequence, as they stand there."""
        self.last = 0
        """The sequence of the last entry."""
        self._before = GENESIS
        self._house = ""
        self._fence = 0
        self._over = ""

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """Everything about an entry but its body."""
        data = entry.data
        if data.keys() != FIELDS:
            yield "entry", f"its fields are not {', '.join(sorted(FIELDS))}"
        first = not self.hashes
        yield from self._place(entry)
        given = data.get("hash")
        own = entry_hash(data)
        if given != own:
            yield "hash", f"it is {given}, and the entry hashes to {own}: the entry or its hash was changed"
        self._before = self.hashes[self.last] = given if isinstance(given, str) else own
        yield from _form(entry)
        yield from self._life(entry, first=first)
        yield from check_body(entry)
        self._counts["entries"] += 1

    def _place(self, entry: Entry) -> Iterator[Complaint]:
        due, sequence = self.last + 1, entry.sequence
        self.last = sequence if type(sequence) is int else due
        if self.last != due or type(sequence) is not int:
            yield "sequence", f"it is {sequence} where {due} is due: entries are missing, added or out of order"
        if entry.data.get("previous") != self._before:
            yield "previous", f"it is {entry.data.get('previous')}, and the entry before has the hash {self._before}"

    def _life(self, entry: Entry, *, first: bool) -> Iterator[Complaint]:
        """A table opens first, is taken with rising fences, and does nothing after its end."""
        kind = entry.kind
        if first != (kind in ("table_opened", "cage_opened", "people_opened")):
            yield "kind", f"{kind} is {'not what a table begins with' if first else 'only ever the first entry'}"
        if first:
            text = entry.body.get("house", self._houses.get(str(entry.data.get("house"))))
            self._house = sha256(text.encode()).hexdigest() if isinstance(text, str) else GENESIS
        if entry.data.get("house") != self._house:
            yield "house", f"it is {entry.data.get('house')}, and the house file of this table is {self._house}"
        if self._over and kind not in LAST[self._over]:
            yield "kind", f"{kind} follows {self._over}"
        if kind in LAST:
            self._over = kind
        if kind == "table_taken":
            if entry.data.get("role") != "house":
                yield "role", "the program takes a table, and nobody else"
            self._fence += 1
            if entry.body.get("fence") != self._fence:
                yield "body.fence", f"it is {entry.body.get('fence')} where {self._fence} is due"


def _form(entry: Entry) -> Iterator[Complaint]:
    """Fields that say what they may say."""
    data = entry.data
    if type(data.get("v")) is not int or data["v"] != 1:
        yield "v", f"version {data.get('v')}; this Passline knows version 1"
    if entry.kind not in BODIES:
        yield "kind", f"{entry.kind} is no kind of entry"
    if not TABLE.fullmatch(str(data.get("table"))):
        yield "table", f"{data.get('table')} is no name of a table"
    if not isinstance(data.get("actor"), str) or not data["actor"].strip():
        yield "actor", "nobody is named"
    elif not data["actor"].isprintable() or len(data["actor"]) > NAME_CHARACTERS_MAX:
        yield "actor", f"{data['actor']!r:.80} is no name: up to {NAME_CHARACTERS_MAX} printable characters"
    if data.get("role") not in ROLES:
        yield "role", f"{data.get('role')} is no role"
    elif data["role"] == HOUSE != data.get("actor"):  # the other way round it may be: the house's regulars play
        yield "actor", f"{data.get('actor')!r:.80} acts as the house, and nobody else does"
    if not _is_time(data.get("time")):
        yield "time", f"{data.get('time')} is no time in UTC"
    if not isinstance(data.get("previous"), str) or not DIGEST.fullmatch(data["previous"]):
        yield "previous", "no SHA-256 in hexadecimal"


TIME = re.compile(r"(\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d:)(\d\d)(\.\d{1,6})?Z", re.ASCII)
LEAPS = ("06-30T23:59:60", "12-31T23:59:60")
"""The only seconds that may be the 61st of their minute."""


def _is_time(text: object) -> bool:
    """Whether a calendar and a clock can show this, in UTC and as RFC 3339 writes it."""
    found = TIME.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return False
    second = "59" if found[0][5:19] in LEAPS else found[3]
    try:
        datetime.fromisoformat(f"{found[1]}{second}+00:00")
    except ValueError:
        return False
    return True
