"""A roll interrupted anywhere comes to the same dice; no chip is left behind.

Tried with planted mistakes, each of which was noticed: a roll not resumed, a table that other keys take over.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from passline.engine import commands as c
from passline.engine.values import Roll
from passline.errors import InDoubtError, OtherKeysError
from passline.journal.sqlite import PythonDriver, SqliteJournal
from passline.live.books import on_the_table
from passline.pit.history import state_line
from passline.pit.table import LiveTable
from tests.faults.simulation import Crash, dealt_by
from tests.faults.tally import Tally
from tests.pit.play import KEYS, NOW, by, kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from passline.journal.contract import Write
    from passline.live.state import DiceMode

OTHER_KEYS = KEYS._replace(seal=bytes(32))


class Stopping(SqliteJournal):
    """A journal whose process stops at one point: before, in the middle of, or after its n-th transaction."""

    at: tuple[int, str] | None = None
    raises: type[BaseException] = Crash

    def __init__(self, path: Path) -> None:
        self.kinds: list[str] = []
        """What was written by each transaction so far: the last of its entries."""
        super().__init__(path, driver=self._stopping)

    def _stopping(self, path: Path) -> PythonDriver:
        journal = self

        class Driver(PythonDriver):
            def do(self, sql: str, values: Sequence[object] = ()) -> int:
                changed = super().do(sql, values)
                if sql.startswith("INSERT INTO entries") and journal._is("in"):
                    self.connection.close()  # nobody is there to take anything back
                    raise journal.raises
                return changed

        return Driver(path)

    def _is(self, moment: str) -> bool:
        return self.at == (len(self.kinds), moment)

    def append(self, *writes: Write) -> None:
        """Write, or stop."""
        self.kinds.append(writes[0].entries[-1].kind)
        if self._is("before"):
            raise self.raises
        super().append(*writes)
        if self._is("after"):
            raise self.raises


def fair(table: LiveTable) -> None:
    """Two rolls that are drawn, one of them closed first; a void one; the seed is shown."""
    table.do(c.Bet(1, "pass", 1000), by("ann", "bet-1"))
    table.do(c.Bet(2, "place_6", 1200), by("bob", "bet-2"))
    table.roll(by("ann", "roll-1"))
    table.do(c.Bet(2, "field", 1000), by("bob", "bet-3"))
    table.do(c.Bet(1, "come", 1000), by("ann", "bet-4"))
    table.do(c.Bet(1, "pass", 1000), by("ann", "bet-5"))
    table.close_bets(by("stick", "close-2", role="stick"))
    table.void("the lights went out", "sue", by("joe", "void-2", role="box"))
    table.close_bets(by("stick", "close-3", role="stick"))
    table.roll(by("stick", "roll-3", role="stick"))


def real(table: LiveTable) -> None:
    """Real dice: read alike, read differently, and called void."""
    table.do(c.Bet(1, "pass", 1000), by("ann", "bet-1"))
    table.do(c.Bet(2, "field", 1000), by("bob", "bet-2"))
    table.close_bets(by("stick", "close-1", role="stick"))
    table.read_dice(Roll(4, 2), by("stick", "read-1", role="stick"))
    table.read_dice(Roll(4, 2), by("box", "read-2", role="box"))
    table.do(c.Bet(2, "field", 1000), by("bob", "bet-3"))
    table.close_bets(by("stick", "close-2", role="stick"))
    table.read_dice(Roll(3, 3), by("stick", "read-3", role="stick"))
    table.read_dice(Roll(3, 2), by("box", "read-4", role="box"))
    table.read_dice(Roll(3, 2), by("stick", "read-5", role="stick"))
    table.read_dice(Roll(3, 2), by("box", "read-6", role="box"))
    table.close_bets(by("stick", "close-3", role="stick"))
    table.void("a die is lost", "sue", by("joe", "void-3", role="box"), returned=True)


SCRIPTS: dict[DiceMode, Callable[[LiveTable], None]] = {"fair": fair, "real": real}


def seated(journal: SqliteJournal, dice: DiceMode) -> LiveTable:
    """A table with two players."""
    table = LiveTable.create(journal, "t1", time=NOW, dice=dice, keys=KEYS)
    table.do(c.Sit(1, "Ann", 100_000), by("ann", "sit-1"))
    table.do(c.Sit(2, "Bob", 50_000), by("bob", "sit-2"))
    return table


def ended(journal: SqliteJournal, table: LiveTable) -> tuple[str, list[str]]:
    """How it ended: the table, and what was written, but for who held the table."""
    accounts = journal.balances("t1")
    assert accounts == on_the_table(table.live.table, accounts.get("breakage", 0)), "chips were left behind"
    return state_line(table.live.table), [kind for kind in kinds(journal) if kind != "table_taken"]


def interrupted(home: Path, dice: DiceMode, at: tuple[int, str], way: str, whole: tuple[str, list[str]]) -> str | None:
    """Stop at one point, come back in one way, ask everything again; the kind of entry it stopped at."""
    home.mkdir(parents=True)
    with dealt_by(1):
        journal = Stopping(home / "journal.db")
        table = seated(journal, dice)
        journal.kinds.clear()
        journal.at, journal.raises = at, InDoubtError if way == "disconnected" else Crash
        try:
            SCRIPTS[dice](table)
        except Crash:
            pass
        else:
            if way != "disconnected" or len(journal.kinds) < at[0]:
                journal.close()
                return None
        stopped_at = journal.kinds[at[0] - 1]
        if way == "disconnected":  # the table itself found out what was written, and went on
            assert ended(journal, table) == whole
            journal.close()
            return stopped_at
        journal.close()
        again = SqliteJournal(home / "journal.db")
        if way == "another key":
            _refused(again, is_fair=dice == "fair")
        owner = "b" if way == "taken over" else ""
        table = LiveTable.open(again, "t1", time=NOW, keys=KEYS, owner=owner)
        assert table.live.announced is None or table.live.announced.asker is None, "an announced roll was left"
        SCRIPTS[dice](table)
        assert ended(again, table) == whole
        again.close()
    return stopped_at


def _refused(journal: SqliteJournal, *, is_fair: bool) -> None:
    """Who comes with another key to the seeds writes nothing, and spoils nothing for who has the right one."""
    before = list(journal.lines("t1"))
    with suppress(OtherKeysError):
        LiveTable.open(journal, "t1", time=NOW, keys=OTHER_KEYS, owner="thief" if is_fair else "")
    assert list(journal.lines("t1")) == before


WAYS = ("opened again", "taken over", "disconnected", "another key")


def interruptions(folder: Path, stride: int = 1) -> Tally:
    """Every point of both scripts (or every `stride`-th), and every way to come back."""
    tally = Tally("interrupted rolls", 1)
    points: set[str] = set()
    for dice, script in SCRIPTS.items():
        with dealt_by(1):
            (folder / dice).mkdir()
            journal = SqliteJournal(folder / dice / "whole.db")
            table = seated(journal, dice)
            script(table)
            whole = ended(journal, table)
            journal.close()
        for number, way in enumerate(WAYS):
            moments = ("before", "after") if way == "disconnected" else ("before", "in", "after")
            for offset, moment in enumerate(moments):
                nth = 1 + (number + offset) % stride
                while True:
                    home = folder / dice / f"{way}-{nth}-{moment}"
                    kind = interrupted(home, dice, (nth, moment), way, whole)
                    if kind is None:
                        break
                    points.add(f"{dice}: {moment} {kind}")
                    tally["interruptions"] += 1
                    nth += stride
    tally["points"] = len(points)
    return tally


@pytest.mark.slow
def test_an_interrupted_roll_comes_to_the_same_end(folder: Path, exercised: Callable[[Tally], None]) -> None:
    """Before, in and after each transaction of bets, closes, rolls, readings and voids; four ways to come back."""
    tally = interruptions(folder, stride=3)
    exercised(tally)
    tally.least(points=20, interruptions=80)
