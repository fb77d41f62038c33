"""Clocks that jump, and an evening that lasts for months: order is by sequence alone, and no table is ever stuck.

Tried with planted mistakes, each of which was noticed: a bet that an early clock lets in, a
leap second taken for nonsense, an epoch that is over and commits the house to none, heads only at counts.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from passline.engine import commands as c
from passline.errors import ArgumentError
from passline.journal.contract import read_entry
from passline.journal.memory import MemoryJournal
from passline.live.dice import ROLLS_MAX
from passline.pit.table import LiveTable
from tests.faults.simulation import Crash
from tests.faults.tally import Tally
from tests.faults.test_races import balanced
from tests.pit.play import KEYS, NOW, by, kinds, new_table, read
from tests.pit.seeds import commit_seed, old_table, reveal_seed, rotate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from passline.journal.contract import Write

JUMPS = ("1970-01-01T00:00:00Z", "2038-01-19T03:14:08Z", "2026-12-31T23:59:60Z", "9999-12-31T23:59:59Z")
"""Where clocks have gone wrong before."""

SHIFTS = tuple(timedelta(hours=hours) for hours in (-24, -1, 1, 24))
BEGUN = datetime(2026, 11, 15, 20, tzinfo=UTC)


def written(time: datetime) -> str:
    """A time as entries write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def clocks(acts: int, seed: int) -> Tally:
    """Every act by another clock: forwards, backwards, and where clocks go wrong."""
    tally, rng = Tally("clocks that jump", seed), random.Random(seed)
    journal = MemoryJournal()
    table = new_table(journal)
    before = NOW
    for number in range(acts):
        time = rng.choice(JUMPS) if rng.random() < 0.3 else written(BEGUN + rng.choice(SHIFTS) * rng.randint(0, 3))
        answers = [table.do(c.Bet(1, "pass", 1000), by(time=time))]
        if number % 7 == 3:
            table.close_bets(by("stick", role="stick", time=time))
            late = table.do(c.Bet(1, "field", 1000), by(time=written(BEGUN - timedelta(days=9))))
            assert read(late)["kind"] == "refused", "a bet came late, by a clock that says it did not"
            tally["late"] += 1
        for answer in (*answers, table.roll(by(time=time))):
            assert read(answer)["time"] == time
            tally["acts"] += 1
        tally["backwards"] += time < before
        before = time
        if number % 50 == 0:
            table = LiveTable.open(journal, "t1", time=time, keys=KEYS, owner=f"at {number}")
    sequences = [read_entry(line).sequence for line in journal.lines("t1")]
    assert sequences == list(range(1, len(sequences) + 1))
    tally["rolls"] = kinds(journal).count("rolled")
    balanced(journal, tally)
    return tally


def test_no_clock_decides_anything(exercised: Callable[[Tally], None]) -> None:
    """An hour, a day, 1970, 2038, a leap second, backwards between any two acts."""
    tally = clocks(150, 8)
    exercised(tally)
    tally.least(acts=300, rolls=150, backwards=40, late=20)


@pytest.mark.parametrize(
    "time", ["2026-02-31T00:00:00Z", "2026-11-15T24:00:00Z", "2026-11-15T20:00:61Z", "0000-01-01T00:00:00Z"]
)
def test_a_time_that_there_is_not_is_an_error_of_the_callers(time: str) -> None:
    """Or a table would be held up by it later."""
    with pytest.raises(ArgumentError, match="RFC 3339"):
        new_table(MemoryJournal()).roll(by(time=time))


def test_a_head_is_signed_in_every_minute_in_which_something_is_written() -> None:
    """And not more often: what was written a minute ago can be cut off by nobody."""
    journal = MemoryJournal()
    table = new_table(journal)
    for second in range(0, 300, 10):
        table.do(c.BuyIn(1, 1000), by(time=written(BEGUN + timedelta(seconds=second))))
    heads = journal.heads("t1")
    assert [head.time[11:16] for head in heads] == ["20:00", "20:01", "20:02", "20:03", "20:04"]
    lines = list(journal.lines("t1"))
    assert all(read_entry(lines[head.sequence - 1]).hash == head.hash for head in heads)


class Failing(MemoryJournal):
    """A store under which the process goes down now and then, before or after it has written."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self.rng = rng

    def append(self, *writes: Write) -> None:
        """Write, or stop."""
        fate = self.rng.random()
        if fate < 0.01:
            raise Crash
        super().append(*writes)
        if fate > 0.99:
            raise Crash


def soak(epochs: int, seed: int, rolls_a_day: int = 4) -> Tally:
    """A table dealt for so many epochs of virtual time, whoever goes down, gives seeds, or owes them."""
    tally, rng = Tally("soak", seed), random.Random(seed)
    journal = Failing(rng)
    table = old_table(MemoryJournal())
    journal._streams = table.journal._streams  # type: ignore[attr-defined]
    journal._houses = table.journal._houses  # type: ignore[attr-defined]
    table = LiveTable.open(journal, "t1", time=NOW, keys=KEYS)
    now, number, asked = BEGUN, 0, ""
    while len(revealed := kinds_of_epochs(table)) and table.live.epoch <= epochs:
        number += 1
        now += timedelta(days=1) / rolls_a_day
        try:
            if number % rolls_a_day == 0:
                if any(seat.felt for seat in table.live.table.seats.values()):
                    table.do(c.ReturnAll("the day is over"), by("bea", role="box", time=written(now)))
                rotate(table, written(now))
            table.do(c.BuyIn(1, 100_000), by(key=f"more-{number}", time=written(now)))
            gave(table, rng, written(now), number)
            table.do(c.Bet(1, "pass", 1000), by(key=f"bet-{number}", time=written(now)))
            asked = f"roll-{number}"
            table.roll(by(key=asked, time=written(now)))
        except Crash:
            tally["crashes"] += 1
            table = opened_again(journal, written(now))
        tally.most("epochs_ahead", len(revealed))
    entries = [read_entry(line) for line in journal.lines("t1")]
    tally["epochs"] = sum(entry.kind == "seed_revealed" for entry in entries)
    tally["rolls"] = sum(entry.kind == "rolled" for entry in entries)
    tally["without_a_roll"] = sum(bool(entry.body["owing"]) for entry in entries if entry.kind == "seed_revealed")
    tally["player_seeds"] = sum(entry.kind == "player_seed_revealed" for entry in entries)
    table = opened_again(journal, written(now))
    balanced(journal, tally)
    return tally


def kinds_of_epochs(table: LiveTable) -> Sequence[int]:
    """The epochs that the house is committed to and has not shown."""
    return sorted(table.live.epochs)


def opened_again(journal: Failing, time: str) -> LiveTable:
    """By the next process, which may go down too."""
    while True:
        try:
            return LiveTable.open(journal, "t1", time=time, keys=KEYS, owner="next")
        except Crash:
            continue


def gave(table: LiveTable, rng: random.Random, time: str, number: int) -> None:
    """Now and then somebody promises a seed to the next epoch, and mostly shows it when that has come."""
    player, epoch = f"p{number // 40}", table.live.epochs.get(table.live.epoch)
    if epoch is not None and not epoch.mix:
        for each in epoch.missing:
            if rng.random() < 0.8:
                reveal_seed(table, epoch.number, seed_of(each), by(each, f"show-{number}-{each}", time=time))
    later = table.live.epochs[table.live.epoch + 1]
    if player not in later.commitments and player not in later.barred and rng.random() < 0.2:
        commit_seed(table, later.number, seed_of(player), by(player, f"promise-{number}", time=time))


def seed_of(player: str) -> bytes:
    """A seed that everybody can guess, for a test."""
    return player.encode().ljust(32, b".")


@pytest.mark.slow
def test_a_table_goes_on_through_a_hundred_epochs(exercised: Callable[[Tally], None]) -> None:
    """Months of it, with processes that go down and players who owe a seed; each epoch is shown and checked."""
    tally = soak(110, 8)
    exercised(tally)
    tally.least(epochs=100, rolls=300, crashes=5, without_a_roll=2, player_seeds=5)
    assert tally.measured["epochs_ahead"] <= 2
    assert ROLLS_MAX == 1_000
