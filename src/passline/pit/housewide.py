"""What holds at every table: what the floor of the house has decided, and who holds which role at this moment.

Both are streams of the same journal, as the cage is. A table hears of the one before somebody sits down, and asks the
other before two people decide anything; that neither has gone on meanwhile is part of the transaction in
which it writes.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any

from passline.engine.commands import Sit
from passline.errors import AwayError, BehindError
from passline.floor.acts import FloorCommand
from passline.floor.cage import current
from passline.floor.clock import gaming_day
from passline.floor.conduct import everywhere
from passline.floor.names import folded
from passline.floor.register import evolve
from passline.floor.state import QUIET
from passline.journal.contract import Head, Journal, Write, house_digest, house_file, in_a_chain, opening_of, read_entry
from passline.journal.heads import NO_HOUSE, begin, name_signer, public, signed
from passline.live.answer import floor_heard, unheard
from passline.live.books import CAGE, CageAct, cage_draft
from passline.live.drafts import Planned, by_the_house
from passline.live.entries import Draft, Entry, Kind
from passline.live.people import binds_house
from passline.live.state import HOUSE_FLOOR, House, Moment, News, State, floor_events_of, layout_of, opening
from passline.pit.opening import house_text

if TYPE_CHECKING:
    from passline.engine.floor_rules import CageHabits
    from passline.pit.people.people import People

STREAM_BYTES = 16


class HouseWide:
    """The people and the floor of a house, as one process knows them; any number of threads may ask."""

    def __init__(self, journal: Journal, people: People, sign: bytes, house: str = "adelaide") -> None:
        """Know what there is; the floor goes by the book of `house`, and is opened when there is something to say."""
        self.journal, self.people, self._sign, self.house = journal, people, sign, house
        self._head = Head(HOUSE_FLOOR)
        self._news: tuple[News, ...] = ()
        self._floor = QUIET  # what holds at every table, and nothing else that the floor of the house knows
        self._lock = RLock()
        self.bought = Bought(journal)
        self.catch_up()

    def catch_up(self) -> None:
        with self._lock:
            now = self.journal.head(HOUSE_FLOOR) or self._head
            for line in self.journal.lines(HOUSE_FLOOR, self._head.sequence, now.sequence):
                entry = read_entry(line)
                if news := everywhere(floor_events_of(entry)):
                    self._floor = evolve(self._floor, news)
                    self._news += (News(entry.sequence, entry.body.get("stream", HOUSE_FLOOR), news),)
            self._head = now

    @property
    def barred(self) -> Mapping[str, str | None]:
        """Who may not play anywhere in this house, each with the clause; as last known where the store is away."""
        with suppress(AwayError):
            self.catch_up()
        return self._floor.barred

    @property
    def is_open(self) -> bool:
        self.catch_up()
        return self._head.sequence > 0

    def hear(self, moment: Moment) -> None:
        """A table has written something: what of it the floor of the house was told is known here, and signed."""
        entry = moment.entry
        if entry.table == HOUSE_FLOOR:
            self.catch_up()
        elif entry.kind == "floor_acted" and self._binds(entry) and everywhere(floor_events_of(entry)):
            self.catch_up()
            self.journal.sign([signed(self._head, entry.time, self._sign)])

    def open_floor(self, time: str) -> None:
        self.catch_up()
        if not self._head.sequence:
            self.journal.append(self._write([], time))
            self.catch_up()

    def note(self, kind: Kind, body: dict[str, Any], time: str) -> None:
        """Say on the floor of the house what befell the program or its clock, for everybody who may see that."""
        while True:
            self.open_floor(time)
            with self._lock, suppress(BehindError):
                self.journal.append(self._write([by_the_house(kind, body, time)], time))
                self.catch_up()
                self.journal.sign([signed(self._head, time, self._sign)])
                return
            self.catch_up()

    def _write(self, planned: Sequence[Planned], time: str) -> Write:
        """More of the floor's stream, from its first entry on where there is none."""
        if self._head.sequence:
            house = opening_of(self.journal, HOUSE_FLOOR).house
            return Write(self._head, in_a_chain(self._head, house, (each.draft for each in planned)))
        text = house_text(self.house)
        body = opening(text, "none", signer=public(self._sign), stream=secrets.token_hex(STREAM_BYTES))
        first = by_the_house("table_opened", body, time)
        entries = in_a_chain(self._head, house_digest(text), (each.draft for each in (first, *planned)))
        return Write(self._head, entries, houses=[text])

    def around(self, act: object) -> House:
        """What a table knows of the house; who sits down, or decides with another, waits for the newest."""
        if isinstance(act, Sit | FloorCommand):
            self.catch_up()
        if isinstance(act, Sit | FloorCommand) or getattr(act, "second", None):
            self.people.catch_up()
        return House(self.people.roster, self._news)

    def beside(self, table: str, entries: Sequence[Entry]) -> list[Write]:
        """What is written, or must not have changed, in the same transaction as a table's entries."""
        with self._lock:
            news, sits, roster = [], False, None
            for entry in entries:
                roster = entry.body.get("roster", roster)
                if table == HOUSE_FLOOR:
                    continue
                if entry.kind == "floor_acted" and self._binds(entry):
                    events = everywhere(floor_events_of(entry))
                    news += [floor_heard(table, News(entry.sequence, table, events), entry.time)] if events else []
                sits = sits or (entry.body.get("command") or {}).get("kind") == "command.sit"
            writes = []
            if news:
                writes.append(self._write(news, entries[-1].time))
            elif sits and self._head.sequence:
                writes.append(Write(self._head, ()))
            if roster is not None:  # the people's stream still ends where it did when the table looked at its roster
                if (head := self.people.head).sequence != roster:
                    raise BehindError(f"{head.table} has {head.sequence} entries, not {roster}")
                writes.append(Write(head, ()))
            return writes

    def _binds(self, entry: Entry) -> bool:
        """Whether one of those who decide supervises the whole house; a host decides for the host's own table."""
        second = folded(entry.body["command"].get("second") or "")
        return binds_house(self.people.roster, entry.actor, second)


def cage_write(
    journal: Journal,
    acts: Sequence[tuple[CageAct, str, int]],
    by: Draft,
    other: Entry | None,
    sign: bytes | None = None,
) -> Write:
    """Acts at the end of the cage's stream, which begins with the first; `other` is the entry that they go with."""
    if journal.head(CAGE) is None:
        begin(journal, CAGE, "cage_opened", by.time)
        if sign is not None:
            name_signer(journal, CAGE, sign, by.time)
    head = journal.head(CAGE) or Head(CAGE)
    drafts = [cage_draft(act, player, amount, by, other) for act, player, amount in acts]
    return Write(head, in_a_chain(head, NO_HOUSE, drafts))


class Bought:
    """The chips that players bought at all tables, less those that went back, by gaming day: the cage is read once."""

    def __init__(self, journal: Journal) -> None:
        self._journal, self._lock = journal, Lock()
        self._habits: CageHabits | None = None  # by which the days were told apart
        self._read, self._net = 0, Counter[tuple[str, int]]()

    def today(self, player: str, time: str, habits: CageHabits) -> int:
        """What somebody has bought on the gaming day of a time."""
        with self._lock:
            if habits != self._habits:
                self._habits, self._read, self._net = habits, 0, Counter()
            for entry in map(read_entry, self._journal.lines(CAGE, self._read)):
                body = entry.body
                if entry.kind == "cage_acted" and body["act"] in ("buy_in", "colour_up"):
                    more = body["amount"] if body["act"] == "buy_in" else -body["amount"]
                    self._net[body["player"], gaming_day(entry.time, habits)] += more
                self._read = entry.sequence
            return self._net[player, gaming_day(time, habits)]

    def limited(self, state: State, person: str, time: str) -> dict[str, int]:
        """The same of somebody who has a limit of loss; nothing of anybody else."""
        floor = evolve(state.live.floor, (event for news in unheard(state) for event in news.events))
        if current(floor, folded(person), time).loss is None:
            return {}
        has_floor = self._journal.head(HOUSE_FLOOR) is not None
        house = (
            layout_of(house_file(self._journal, opening_of(self._journal, HOUSE_FLOOR))) if has_floor else state.layout
        )
        return {person: self.today(person, time, house.book.floor.cage)}
