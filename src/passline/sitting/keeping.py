"""An evening in a journal: what was done is written once it can no longer be taken back, and dice are drawn by it.

The person may think better of an act until the dice go out, so acts wait until then. Dice that are shaken come from the
journal's own committed seeds, announced before they are drawn; dice that follow a seed, or are typed, are given to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from operator import eq
from pathlib import Path
from typing import Literal

from passline.codec import to_data
from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.refusals import Refusal, refusal_of
from passline.engine.values import Roll
from passline.errors import CannotBeSaved, JournalError, PackageMissingError
from passline.journal.contract import now, read_entry
from passline.journal.heads import public
from passline.journal.records import commands_of
from passline.journal.sqlite import SqliteJournal
from passline.live.play import guard
from passline.live.requests import Ask
from passline.live.state import DiceMode
from passline.pit.keys import Keys
from passline.pit.table import LiveTable
from passline.rulebooks.read import built_in
from passline.sitting.sitting import Sitting
from passline.table import UNDOABLE, Table


def from_the_first_roll(sitting: Sitting, begin: Callable[[], Keeping]) -> None:
    """Opens the journal at the first roll, so that starting does not wait for it; play goes on if it fails."""
    shaken = sitting.dice
    sitting.unrolled = True

    def first(throw: int) -> Roll:
        sitting.dice = shaken
        sitting.unrolled = False
        try:
            sitting.keep_in(begin())
        except (JournalError, PackageMissingError, OSError) as error:
            sitting.note(f"This evening has no journal: {error}.")
        return sitting.dice(throw)

    sitting.dice = first


# By the journal's own seeds; by the person, who may have mistyped; by whatever else.
Luck = Literal["drawn", "typed", "other"]


class Keeping:
    """Writes one evening to a journal, always a step behind what can still be undone."""

    def __init__(self, journal: SqliteJournal, live: LiveTable, table: Table, me: int, *, typed: bool) -> None:
        self.journal, self.live, self.name, self.table = journal, live, live.name, table
        self.me, self.typed = me, typed
        self._written = 0  # how many acts of the table's history are in the journal, or count for nothing

    @classmethod
    def begin(cls, path: Path, table: Table, me: int, keys: Keys, dice: Luck) -> Keeping:
        """A new table in a journal, under the first name that is free: `evening-1`."""
        public(keys.sign)  # where nothing can be signed there is to be no file either
        journal = SqliteJournal(path)
        try:
            there = set(journal.tables())
            name = next(name for number in count(1) if (name := f"evening-{number}") not in there)
            source = table.house.source
            house = source if source in built_in() else Path(source)
            mode: DiceMode = "fair" if dice == "drawn" else "given"
            live = LiveTable.create(
                journal, name, house, time=now(), dice=mode, keys=keys, notice=table.notice, chips=table.chips
            )
        except BaseException:
            journal.close()
            raise
        return cls(journal, live, table, me, typed=dice == "typed")

    @classmethod
    def resume(cls, path: Path, table: Table, me: int, keys: Keys, dice: Luck) -> Keeping | None:
        """Go on with the evening of a record, if the journal has it; what the journal has more is played at the table.

        A roll that was announced before everything stopped is rolled now, with the dice it would have had.
        """
        if not path.exists():
            return None
        journal = SqliteJournal(path)
        try:
            for name in sorted(journal.tables(), key=_number, reverse=True):
                # A record and a journal are rarely written at the same moment: one may know more than the other.
                mine = (moment.command for moment in table.history if moment.events)
                if _number(name) and all(map(eq, mine, _commands(journal, name))):
                    live = LiveTable.open(journal, name, time=now(), keys=keys, owner=f"passline play, {now()}")
                    if (dice == "drawn") == (live.live.dice == "fair"):
                        return cls(journal, live, table, me, typed=dice == "typed").caught_up()
        except BaseException:
            journal.close()
            raise
        journal.close()
        return None

    def caught_up(self) -> Keeping:
        """Replays at the table what only the journal has, and counts how much of the history is in it."""
        history, there = self.table.history, _commands(self.journal, self.name)
        mine = [at for at, moment in enumerate(history) if moment.events]
        for command in there[len(mine) :]:
            self.table.do(command)
        self._written = mine[len(there)] if len(there) < len(mine) else len(history)
        return self

    def dice(self, _throw: int) -> Roll:
        """The next roll: bets are written and closed before the dice are drawn."""
        self.follow()
        entry = read_entry(self.live.roll(self._ask(c.SendDice())))
        if entry.kind != "rolled":
            raise JournalError(f"{self.name}: the journal does not roll: {entry.body['refusal']['message']}")
        self._written = len(self.table.history) + 1  # the throw itself, which the table is told of next
        return Roll(*entry.body["dice"])

    def follow(self, *, over: bool = False) -> None:
        """Writes what was done; a roll of typed dice waits for the next one, since it can be undone."""
        history = self.table.history
        for moment in history[self._written : len(history) if over else self._final()]:
            if moment.events:
                entry = read_entry(self.live.do(moment.command, self._ask(moment.command)))
                if entry.kind == "refused":
                    why = entry.body["refusal"]["message"]
                    raise JournalError(f"{self.name}: the journal refuses what the table took: {why}")
            self._written += 1

    def _final(self) -> int:
        """How much of the history nobody can take back any more."""
        history, upto = self.table.history, len(self.table.history)
        if self.typed:
            return max((at for at, moment in enumerate(history) if isinstance(moment.command, c.Throw)), default=0)
        while upto and (not (last := history[upto - 1]).events or self._takes_back(last.command)):
            upto -= 1
        return upto

    def _takes_back(self, command: Command) -> bool:
        return isinstance(command, UNDOABLE) and command.seat == self.me

    def refuses(self, command: Command) -> Refusal | None:
        """Why the journal's table would refuse it: drawn dice cannot be typed in."""
        if self._written > len(self.table.history):
            return None  # the roll that was just drawn
        return refusal_of(guard, self.live.live, command, to_data(command))

    def _ask(self, command: Command) -> Ask:
        """Asks under the number of the next entry as its key: an evening has one writer."""
        seat = command if isinstance(command, c.Sit) else self.live.live.table.seats.get(getattr(command, "seat", 0))
        actor, role = ("crew", "stick") if seat is None else (seat.name, "player")
        return Ask(actor, role, f"{self.name}/{self.live.head.sequence + 1}", now())

    def save(self, *, over: bool = False) -> None:
        try:
            self.follow(over=over)
            if over:
                self.live.signed_head(self.live.head.sequence, now())  # so that whoever checks needs no key
        except JournalError as error:
            raise CannotBeSaved(f"{self.journal.path} cannot be written: {error}") from error
        finally:
            if over:
                self.journal.close()

    def close(self) -> None:
        self.save(over=True)


def _number(name: str) -> int:
    match = re.fullmatch(r"evening-(\d{1,9})", name)
    return int(match[1]) if match else 0


def _commands(journal: SqliteJournal, name: str) -> list[Command]:
    entries = map(read_entry, journal.lines(name))
    return [command for entry in entries if entry.kind != "refused" for command in commands_of(entry)]
