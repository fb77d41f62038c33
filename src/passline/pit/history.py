"""What happened at a table, entry by entry, with the table before and after each: read from the journal alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from passline.engine.events import Event
from passline.journal.contract import Journal, house_file, opening_of
from passline.journal.entries import Entry, read_entry
from passline.pit import snapshots
from passline.pit.live import Live, after, events_of, opened


class Moment(NamedTuple):
    """One entry, and the live table on either side of it."""

    entry: Entry
    before: Live
    events: tuple[Event, ...]
    after: Live


class History:
    """A table as its journal tells it, from an entry on; more can be asked for as it is written."""

    def __init__(self, journal: Journal, table: str, since: int = 0) -> None:
        """Go to just after the entry `since`, from the last snapshot before it or from the beginning."""
        self.journal, self.table = journal, table
        self.opening = opening_of(journal, table)
        self.house_file = house_file(journal, self.opening)
        self.sequence, self.live = 0, opened(self.opening)
        snapshot = journal.snapshot(table)
        if snapshot is not None and snapshot.sequence <= since:
            vouching = read_entry(next(iter(journal.lines(table, snapshot.sequence - 1, snapshot.sequence))))
            self.live, self.sequence = snapshots.restored(snapshot, vouching), snapshot.sequence
        for _ in self.more(upto=since):
            pass

    def more(self, upto: int | None = None) -> Iterator[Moment]:
        """What has been written since, in order."""
        for line in self.journal.lines(self.table, self.sequence, upto):
            yield self.step(read_entry(line))

    def step(self, entry: Entry) -> Moment:
        """Go on by the next entry."""
        before, events = self.live, events_of(entry)
        # The first entry is the table itself.
        self.live = before if entry.sequence == 1 else after(before, entry, events)
        self.sequence = entry.sequence
        return Moment(entry, before, events, self.live)
