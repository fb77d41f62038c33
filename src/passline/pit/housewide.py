"""What holds at every table: what the floor of the house has decided, and who holds which role at this moment.

Both are streams of the same journal. A table hears of the one before somebody sits down, and asks the other before two
people decide anything; that neither has gone on meanwhile is part of the transaction in which it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple

from passline.codec import to_data
from passline.engine import commands as c
from passline.engine.commands import Command
from passline.errors import BehindError, RoleError
from passline.floor.acts import FloorCommand, FloorEvent
from passline.floor.conduct import everywhere
from passline.floor.names import folded
from passline.journal.contract import Head, Journal, Write, house_digest, opening_of
from passline.journal.entries import Entry, in_a_chain, read_entry
from passline.journal.heads import public, signed
from passline.pit.live import HOUSE_FLOOR, floor_events_of
from passline.pit.opening import house_text, opening
from passline.pit.people.powers import Standing, may, of_act
from passline.pit.plans import Planned, by_the_house

if TYPE_CHECKING:
    from passline.pit.live import Live
    from passline.pit.people.people import People
    from passline.pit.plans import Ask

SEATED = "command.sit"
SUPERVISOR = "supervisor"


class News(NamedTuple):
    """What an entry of the house's floor says that holds everywhere."""

    sequence: int
    table: str
    """Where it was decided."""
    events: tuple[FloorEvent, ...]


class Two(NamedTuple):
    """An act that may be one of two people: where, by its wire name, who asks, and who agrees."""

    table: str
    kind: str
    ask: Ask
    second: str | None


class Alone:
    """A table that is nobody's but its own: at home, and in a library."""

    def unheard(self, _table: str, _live: Live, _command: object, _time: str) -> list[Planned]:
        return []

    def by_two(self, _two: Two, plan: Callable[[], list[Planned]]) -> list[Planned]:
        """Two names are two people."""
        return plan()

    def beside(self, _table: str, _entries: Sequence[Entry]) -> list[Write]:
        return []


ALONE = Alone()


class HouseWide:
    """The people and the floor of a house, as one process knows them; any number of threads may ask."""

    def __init__(self, journal: Journal, people: People, sign: bytes, house: str = "adelaide") -> None:
        """Know what there is; the floor goes by the book of `house`, and is opened when there is something to say."""
        self.journal, self.people, self._sign, self.house = journal, people, sign, house
        self._head = Head(HOUSE_FLOOR)
        self._news: list[News] = []
        self._lock = RLock()
        self.catch_up()

    def catch_up(self) -> None:
        """Read what the floor of the house has decided since."""
        with self._lock:
            now = self.journal.head(HOUSE_FLOOR) or self._head
            for line in self.journal.lines(HOUSE_FLOOR, self._head.sequence, now.sequence):
                entry = read_entry(line)
                if found := everywhere(floor_events_of(entry)):
                    self._news.append(News(entry.sequence, entry.body.get("stream", HOUSE_FLOOR), found))
            self._head = now

    @property
    def is_open(self) -> bool:
        """Whether the floor of the house has said anything yet."""
        self.catch_up()
        return self._head.sequence > 0

    def hear(self, entry: Entry) -> None:
        """A table has written something: what of it the floor of the house was told is known here, and signed."""
        if entry.table == HOUSE_FLOOR:
            self.catch_up()
        elif self._binds(entry) and everywhere(floor_events_of(entry)):
            self.catch_up()
            self.journal.sign([signed(self._head, entry.time, self._sign)])

    def open_floor(self, time: str) -> None:
        """Begin the stream of the floor, unless it has begun."""
        self.catch_up()
        if not self._head.sequence:
            self.journal.append(self._write([], time))
            self.catch_up()

    def _write(self, planned: Sequence[Planned], time: str) -> Write:
        """More of the floor's stream, from its first entry on where there is none."""
        if self._head.sequence:
            house = opening_of(self.journal, HOUSE_FLOOR).house
            return Write(self._head, in_a_chain(self._head, house, (each.draft for each in planned)))
        text = house_text(self.house)
        first = by_the_house("table_opened", opening(text, "none", signer=public(self._sign)), time)
        entries = in_a_chain(self._head, house_digest(text), (each.draft for each in (first, *planned)))
        return Write(self._head, entries, houses=[text])

    # --- Before a table decides ---------------------------------------------------------------------------------------

    def unheard(self, table: str, live: Live, command: Command | FloorCommand, time: str) -> list[Planned]:
        """What a table has not heard of yet; who sits down, or decides, waits for the newest."""
        if table == HOUSE_FLOOR:
            return []
        if isinstance(command, FloorCommand | c.Sit):
            self.catch_up()
        return [
            heard(HOUSE_FLOOR, each.sequence, each.events, time)
            for each in self._news
            if each.sequence > live.heard and each.table != table
        ]

    def by_two(self, two: Two, plan: Callable[[], list[Planned]]) -> list[Planned]:
        """A plan of two people, with the entry as of which they hold their roles; one alone the table refuses."""
        if two.second is None or folded(two.second) in ("", folded(two.ask.actor)):
            return plan()
        roster, planned = self._held(two, folded(two.second)), plan()
        for each in planned:
            if each.draft.kind != "refused":
                each.draft.body["roster"] = roster
        return planned

    def _held(self, two: Two, second: str) -> int:
        """The entry of the people's stream as of which both hold roles that may do this; an error if they do not."""
        table, actor, role = two.table, two.ask.actor, two.ask.role
        with self.people.lock:
            self.people.catch_up()
            for person in (actor, second):
                here = self.people.roles(person, None if table == HOUSE_FLOOR else table)
                standing = Standing(self.people.roles(person), here, own=False)
                is_what_they_say = person == second or role in standing.house | standing.table
                if not is_what_they_say or may(of_act(two.kind), standing) is None:
                    raise RoleError(f"{person} does not hold a role that may decide this: {two.kind}")
            return self.people.head.sequence

    # --- While it writes ----------------------------------------------------------------------------------------------

    def beside(self, table: str, entries: Sequence[Entry]) -> list[Write]:
        """What is written, or must not have changed, in the same transaction as a table's entries."""
        with self._lock:
            return [*self._floor(table, entries), *self._people(entries)]

    def _floor(self, table: str, entries: Sequence[Entry]) -> list[Write]:
        if table == HOUSE_FLOOR:
            return []
        told = [
            heard(table, entry.sequence, found, entry.time)
            for entry in entries
            if self._binds(entry) and (found := everywhere(floor_events_of(entry)))
        ]
        if told:
            return [self._write(told, entries[-1].time)]
        sits = any((entry.body.get("command") or {}).get("kind") == SEATED for entry in entries)
        return [Write(self._head, ())] if sits and self._head.sequence else []

    def _binds(self, entry: Entry) -> bool:
        """Whether somebody decides who supervises the whole house; a host decides for the host's own table."""
        return entry.kind == "floor_acted" and SUPERVISOR in self.people.roles(entry.actor)

    def _people(self, entries: Sequence[Entry]) -> list[Write]:
        roster = next((entry.body["roster"] for entry in entries if "roster" in entry.body), None)
        if roster is None:
            return []
        head = self.people.head
        if head.sequence != roster:
            raise BehindError(f"{head.table} has {head.sequence} entries, not {roster}")
        return [Write(head, ())]


def heard(stream: str, sequence: int, events: Sequence[FloorEvent], time: str) -> Planned:
    """What was decided elsewhere and holds here too."""
    said = {"stream": stream, "sequence": sequence, "floor": [to_data(event) for event in events]}
    return by_the_house("floor_heard", said, time)
