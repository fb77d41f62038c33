"""Every act of the disk fails in turn, once and for ever: nothing acknowledged is lost, and nothing is tried again.

Tried with planted mistakes, each of which was noticed: a broken store that goes on, a full disk taken for a broken one,
a table that rolls anew what was announced.
"""

from __future__ import annotations

import gzip
import json
import random
import shutil
import tempfile
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from passline.engine import commands as c
from passline.errors import BrokenError, FullError, JournalError
from passline.journal.contract import Head, Write, read_entry
from passline.journal.sql import REVISION
from passline.journal.sqlite import SqliteJournal
from passline.live.books import on_the_table
from passline.pit.table import LiveTable
from tests.faults.conftest import in_memory
from tests.faults.disk import Disk, DiskDriver, Failing
from tests.faults.simulation import dealt_by
from tests.faults.tally import Tally
from tests.faults.test_kills import drawn
from tests.faults.test_power import NUMBERS, lost, played
from tests.journal.freeze import FROZEN
from tests.journal.stores import draft, entries_after, write
from tests.pit.play import KEYS, NOW, by, new_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.faults.disk import Fault

FAULTS: tuple[Fault, ...] = ("EIO", "ENOSPC", "fsync")


def opened(disk: Disk, path: Path) -> SqliteJournal:
    """A journal over this disk."""
    return SqliteJournal(path, driver=lambda there: DiskDriver(disk, there))


class Tried:
    """One operation with one act of the disk failing in it, and what came of that."""

    def __init__(self, home: Path, failing: Failing, acts: int) -> None:
        self.home, self.failing = home, failing
        self.disk = Disk(f"failing-{next(NUMBERS)}")
        self.told: list[object] = []
        self.tried: set[bytes] = set()
        self.error: JournalError | None = None
        self.acts = acts

    def migrate(self) -> None:
        """Make a journal where there is none."""
        self.fail()
        opened(self.disk, self.path).close()

    def upgrade(self) -> None:
        """Bring one up to date that an older version made."""
        self.path.write_bytes(gzip.decompress((FROZEN / "0.2-dev.db.gz").read_bytes()))
        self.fail()
        opened(self.disk, self.path).close()

    def upgraded(self) -> None:
        """Every chain and every balance of the older one is there, and nothing of its tables that were let go."""
        wanted = json.loads((FROZEN / "0.2-dev.json").read_text())
        store = SqliteJournal(self.path)
        for table, was in wanted.items():
            head = store.head(table)
            assert head is not None
            found = {"sequence": head.sequence, "hash": head.hash, "balances": store.balances(table)}
            assert found == {name: was[name] for name in found}, "another journal after the upgrade"
            self.tried.update(store.lines(table))
        assert store._revision() == REVISION
        store.close()

    def open(self) -> None:
        """Open one that was left without being closed."""
        self.fill()
        self.fail()
        opened(self.disk, self.path).close()

    def append(self) -> None:
        """Write to one."""
        self.fill()
        store = opened(self.disk, self.path)
        try:
            self.fail()
            played(store, random.Random(5), self.acts, self.tried, self.told.append)
        except BrokenError:
            self.stopped(store)
            raise
        finally:
            self.disk.failing = None
            store.close()

    @property
    def path(self) -> Path:
        """The journal's file."""
        return self.home / "journal.db"

    def fail(self) -> None:
        """From here on the disk fails as it is told."""
        self.disk.failing = self.failing

    def fill(self) -> None:
        """A journal with entries, some of them in its log only, as a killed process leaves it."""
        (other := self.home / "other").mkdir()
        store = opened(self.disk, other / "journal.db")
        played(store, random.Random(4), 6, self.tried, self.told.append)
        for name in ("journal.db", "journal.db-wal"):
            (self.home / name).write_bytes((other / name).read_bytes())
        store.close()

    def stopped(self, store: SqliteJournal) -> None:
        """Whatever is asked of a broken journal, it writes nothing and syncs nothing."""
        if store.broken is None and self.failing.kind in ("open", "read"):
            return  # a question that was not answered, and nothing else
        before = len(self.failing.after)
        for _ in range(3):
            with pytest.raises(BrokenError, match="Open it anew"):
                store.append(Write(Head("t1"), entries_after(Head("t1"), draft("again"))))
        assert len(self.failing.after) == before, "a journal that was stopped went on writing"

    # --- At a live table ----------------------------------------------------------------------------------------------

    def bet(self) -> None:
        """Place a bet."""
        self.at_a_table(lambda table: table.do(c.Bet(1, "place_6", 1200), by("ann", "asked")))

    def roll(self) -> None:
        """Roll, which closes the bets, deals, and settles what is up."""
        self.at_a_table(lambda table: table.roll(by("ann", "asked")))

    def at_a_table(self, ask: Callable[[LiveTable], bytes]) -> None:
        """Ask a table for something; then open it over a sound disk, and ask again under the same key."""
        for name, data in an_evening().items():
            self.path.with_name(name).write_bytes(data)
        self.ask = ask
        store = opened(self.disk, self.path)
        table = LiveTable.open(store, "t1", time=NOW, keys=KEYS)
        self.tried.update(store.lines("t1"))
        self.told += self.tried
        try:
            self.fail()
            table.listeners.append(lambda moment: self.tried.add(moment.entry.line))
            self.told.append(ask(table))
        finally:
            self.disk.failing = None
            store.close()

    def asked_again(self) -> None:
        """One effect, the answer that was given if there was one, and the dice of the seed."""
        store = SqliteJournal(self.path)
        table = LiveTable.open(store, "t1", time=NOW, keys=KEYS)
        answer = self.ask(table)
        assert read_entry(answer).kind in ("acted", "rolled"), "what was asked was refused, and nothing was tried"
        assert answer == self.ask(table), "two answers under one key"
        assert sum(read_entry(line).key == "asked" for line in store.lines("t1")) == 1, "done twice, or never"
        assert self.error is not None or answer == self.told[-1], "another answer than the first"
        entries = [read_entry(line) for line in store.lines("t1")]
        for entry in entries:
            if entry.kind == "rolled":
                assert entry.body["dice"] == drawn(store, entries, entry.body["epoch"], entry.body["roll"])
        accounts = store.balances("t1")
        assert accounts == on_the_table(table.live.table, accounts.get("breakage", 0))
        store.close()


@cache
def an_evening() -> dict[str, bytes]:
    """The files of a journal with a table at which a roll can be asked for, by name, as a kill leaves them."""
    with dealt_by(8), tempfile.TemporaryDirectory(dir=in_memory()) as made:
        store = SqliteJournal(path := Path(made) / "journal.db")
        table = new_table(store)
        table.do(c.Bet(1, "pass", 1000), by("ann"))
        table.roll(by("ann"))
        table.do(c.Bet(1, "pass", 1000), by("ann"))  # unless the first still is up
        table.do(c.Bet(2, "field", 1000), by("bob"))
        found = {name: (path.with_name(name)).read_bytes() for name in ("journal.db", "journal.db-wal")}
        store.close()
    return found


AT_A_TABLE = ("bet", "roll")
OPERATIONS = ("migrate", "upgrade", "open", "append", *AT_A_TABLE)


def lines_of(home: Path) -> list[bytes]:
    """Every entry of the table."""
    store = SqliteJournal(home / "journal.db", read_only=True)
    found = list(store.lines("t1"))
    store.close()
    return found


def tried(home: Path, operation: str, failing: Failing, acts: int, tally: Tally) -> bool:
    """Let one act of the disk fail; whether it got so far that there was one to fail."""
    home.mkdir(parents=True)
    one = Tried(home, failing, acts)
    where = f"{operation}, {failing.fault} at {failing.nth}, {'for ever' if failing.for_ever else 'once'}"
    try:
        getattr(one, operation)()
    except JournalError as error:
        one.error = error
    finally:
        one.disk.failing = None
    if not failing.failed:
        assert one.error is None, f"{where}: {one.error}"
        return False
    tally["faults"] += 1
    tally[operation] += 1
    tally["said_so"] += one.error is not None
    if failing.fault == "fsync" and operation == "append":
        assert isinstance(one.error, BrokenError), f"{where}: a failed sync went unnoticed"
        assert not any(done.kind == "sync" for done in failing.after), f"{where}: a sync was tried again"
    if failing.fault == "ENOSPC" and failing.for_ever:
        # Making and opening may be done before it is full: the last checkpoint can wait.
        assert isinstance(one.error, FullError) or (one.error is None and operation != "append"), (
            f"{where}: {one.error!r}"
        )
    if operation in AT_A_TABLE:
        one.asked_again()
        one.tried.update(lines_of(home))
    if operation == "upgrade":
        one.upgraded()
    gone = lost(home, one.told, one.tried)  # opens it over the real disk, and looks at every entry
    assert not gone, f"{where}: {gone} of {len(one.told)} lost"
    tally["acknowledged"] += len(one.told)
    return True


def io_errors(folder: Path, seed: int, acts: int, operations: Sequence[str] = OPERATIONS) -> Tally:
    """Every kind of fault at every act of the disk, in each operation."""
    tally = Tally("I/O errors", seed)
    for operation in operations:
        for fault in FAULTS:
            for for_ever in (False, True):
                home = folder / f"{operation}-{fault}-{for_ever}"
                for nth in count(1):
                    there = tried(home / str(nth), operation, Failing(fault, nth, for_ever), acts, tally)
                    shutil.rmtree(home / str(nth))
                    if not there:
                        break
    return tally


LEAST = {"migrate": 200, "upgrade": 100, "open": 100, "append": 60, "bet": 60, "roll": 100}
"""How many acts of the disk there are at least to fail, by what is done."""


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_act_of_the_disk_may_fail(operation: str, folder: Path, exercised: Callable[[Tally], None]) -> None:
    """Making a journal, bringing an older one up to date, opening one as a kill leaves it, writing, bets, rolls."""
    tally = io_errors(folder, 8, acts=1, operations=(operation,))
    exercised(tally)
    tally.least(faults=LEAST[operation])


def until_full(store: SqliteJournal, number: int) -> int:
    """Write until there is no room; how many acts were written."""
    for acts in range(100):
        try:
            write(store, "t1", draft(f"{number}-{acts}", [("cage", "rail/1", 1)]))
        except FullError:
            return acts
    pytest.fail("the disk never got full")


@pytest.mark.slow
def test_a_full_disk_refuses_and_goes_on_when_there_is_room(folder: Path, exercised: Callable[[Tally], None]) -> None:
    """Whenever it fills: what is refused is not there, what is there can be read, and nobody needs to open it anew."""
    tally = Tally("disk full", 0)
    for nth in range(1, 40, 2):
        disk = Disk(f"full-{next(NUMBERS)}")
        store = opened(disk, folder / f"{nth}.db")
        write(store, "t1", draft("a", [("cage", "rail/1", 1)]))
        for number in range(3):
            disk.failing = Failing("ENOSPC", nth, for_ever=True)
            sequence = (store.head("t1") or Head("t1")).sequence
            acts = until_full(store, number)
            head = store.head("t1") or Head("t1")
            assert head.sequence == sequence + acts == len(list(store.lines("t1")))
            assert store.balances("t1") == store.balances("t1", head.sequence)
            disk.failing = None
            write(store, "t1", draft(f"{number}-{acts}", [("cage", "rail/1", 1)]))
            tally["times_full"] += 1
        store.close()
    exercised(tally)
    tally.least(times_full=60)
