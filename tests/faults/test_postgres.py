"""PostgreSQL: connections cut while writing, and two processes of which one dies or sleeps in the middle of a roll."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from passline.codec import to_data
from passline.engine import commands as c
from passline.errors import FencedError
from passline.journal.contract import read_entry
from passline.journal.postgres import PostgresJournal
from passline.pit.table import LiveTable
from tests import postgres
from tests.faults.tally import Tally
from tests.faults.test_kills import OPENS_WITHIN_S, asked, drawn, nursery
from tests.faults.test_races import balanced
from tests.pit.play import KEYS, NOW, by, read

if TYPE_CHECKING:
    from collections.abc import Callable

    from psycopg import Connection

    from passline.journal.sql import Step
    from tests.faults.test_kills import Serving

BACK_WITHIN_S = 60.0
"""So that a busy machine fails nothing; what was seen is in the record."""
TAKEN_OVER_WITHIN_S = 5.0
ASLEEP_ROUNDS = 3
ACTS_A_CUT = 2
"""At most so many acts for a cut: now and then one is planned for a write that is not needed any more."""


# --- Connections cut ------------------------------------------------------------------------------------------------


class Cut(PostgresJournal):
    """A journal whose connection is cut before it writes, somewhere in it, or after the commit and before its news."""

    plan = ""

    def __init__(self, address: str) -> None:
        self.cut: list[int] = []
        """Whom it was cut off from."""
        self._cutters: list[threading.Thread] = []
        super().__init__(address)

    def _do(self, connection: Connection[tuple[Any, ...]], steps: list[Step]) -> bool:
        plan, self.plan = self.plan, ""
        pid = connection.info.backend_pid
        if plan == "before":
            self._cut(pid)
        if plan == "in it":
            self._cutters.append(threading.Thread(target=self._cut, args=(pid,)))
            self._cutters[-1].start()
        done = super()._do(connection, steps)
        if plan == "after":
            self._cut(pid)
            raise psycopg.OperationalError("the connection was lost and the commit was not")
        return done

    def _cut(self, pid: int) -> None:
        with psycopg.connect(postgres.server(), autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", (pid,))
        self.cut.append(pid)

    def cuts(self) -> int:
        """How often it was cut, all of it done."""
        for cutter in self._cutters:
            cutter.join()
        return len(self.cut)


def cuts(count: int, seed: int) -> Tally:
    """Cut the connection so often while somebody plays; what is in doubt is settled by looking under the key."""
    tally, rng = Tally("connections cut", seed), random.Random(seed)
    journal = Cut(postgres.fresh())
    table = LiveTable.create(journal, "t1", time=NOW, keys=KEYS)
    table.do(c.Sit(1, "Ann", 10**9), by("ann", "sit"))
    answers: dict[str, bytes] = {}
    back: list[float] = []
    for number in range(count * ACTS_A_CUT):
        if journal.cuts() >= count:
            break
        where = ("before", "in it", "after")[number % 3]
        for part in ("bet", "roll") if number % 2 else ("bet",):
            key = f"{part}-{number}"
            if part == "roll" or number % 2 == 0:
                journal.plan = where
            begun = time.monotonic()
            answers[key] = (
                table.roll(by("ann", key)) if part == "roll" else table.do(c.Bet(1, "pass", 1000), by("ann", key))
            )
            back.append(time.monotonic() - begun)
            tally[where.replace(" ", "_")] += part == "bet"
        if rng.random() < 0.2:
            assert table.do(c.Bet(1, "pass", 1000), by("ann", f"bet-{number}")) == answers[f"bet-{number}"]
            tally["asked_again"] += 1
    tally["cuts"] = journal.cuts()
    tally.measured["back_within_s"] = median(back)  # a busy machine is not the table's fault
    entries = [read_entry(line) for line in journal.lines("t1")]
    under = {entry.key: entry.line for entry in entries if entry.key is not None}
    assert len(under) == sum(entry.key is not None for entry in entries)
    assert under == {**answers, "sit": under["sit"]}, "an act was lost, or done twice"
    one_result_a_roll(journal, tally)
    balanced(journal, tally)
    journal.close()
    return tally


def one_result_a_roll(journal: PostgresJournal, tally: Tally) -> None:
    """Every announced roll has one result: that of its seed."""
    entries = [read_entry(line) for line in journal.lines("t1")]
    announced = [(e.body["epoch"], e.body["roll"]) for e in entries if e.kind == "bets_closed"]
    settled = [(e.body["epoch"], e.body["roll"]) for e in entries if e.kind == "rolled"]
    assert announced == settled, "a roll without a result, or with two"
    for entry in entries:
        if entry.kind == "rolled":
            assert entry.body["dice"] == drawn(journal, entries, entry.body["epoch"], entry.body["roll"])
    tally["rolls"] += len(settled)


@pytest.mark.slow
def test_a_cut_connection_leaves_nobody_in_doubt(exercised: Callable[[Tally], None]) -> None:
    """100 cuts, before, in and after what was written: each act is there once, with its answer."""
    tally = cuts(100, 8)
    exercised(tally)
    tally.least(cuts=100, before=30, in_it=30, after=30, rolls=40)
    assert tally.measured["back_within_s"] <= BACK_WITHIN_S


def asleep(seconds: float, seed: int) -> Tally:
    """The server's first process is stopped, and whoever was connected is cut off: nobody gets in until it wakes."""
    tally = Tally("a server asleep", seed)
    journal = PostgresJournal(postgres.fresh())
    table = LiveTable.create(journal, "t1", time=NOW, keys=KEYS)
    table.do(c.Sit(1, "Ann", 10**9), by("ann", "sit"))
    said: list[bytes] = []
    for number in range(ASLEEP_ROUNDS):
        backend = journal._connected().info.backend_pid
        postmaster = int(Path(f"/proc/{backend}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
        os.kill(postmaster, signal.SIGSTOP)
        try:
            os.kill(backend, signal.SIGTERM)
            ask = by("ann", f"bet-{number}")
            asking = threading.Thread(target=lambda ask=ask: said.append(table.do(c.BuyIn(1, 1000), ask)))
            asking.start()
            asking.join(seconds)
            assert asking.is_alive(), "an answer from a server that is asleep"
        finally:
            os.kill(postmaster, signal.SIGCONT)
        begun = time.monotonic()
        asking.join(OPENS_WITHIN_S)
        tally.most("back_within_s", time.monotonic() - begun)
        assert table.do(c.BuyIn(1, 1000), by("ann", f"bet-{number}")) == said[number], "another answer afterwards"
        tally["times_asleep"] += 1
    assert [read_entry(line).key for line in journal.lines("t1")].count("bet-0") == 1
    balanced(journal, tally)
    journal.close()
    return tally


@pytest.mark.slow
def test_a_server_that_sleeps_leaves_nobody_in_doubt(exercised: Callable[[Tally], None]) -> None:
    """What was asked meanwhile is done once, when it is back."""
    tally = asleep(0.5, 8)
    exercised(tally)
    tally.least(times_asleep=ASLEEP_ROUNDS)
    assert tally.measured["back_within_s"] <= BACK_WITHIN_S


# --- Two processes --------------------------------------------------------------------------------------------------


def two_processes(folder: Path, rounds: int, seed: int) -> Tally:
    """In each round the owner stops in the middle of a roll, killed or asleep, and the other takes over."""
    tally = Tally("two processes", seed)
    address = postgres.fresh()
    journal = PostgresJournal(address)
    table = LiveTable.create(journal, "t1", time=NOW, keys=KEYS)
    table.do(c.Sit(1, "Ann", 10**9), by("ann", "sit"))
    sockets = [folder / "a", folder / "b"]
    took: list[float] = []
    with nursery() as births, nursery() as others:  # who waits for the one does not hold up the other
        nurseries = [births, others]
        processes = [each.started(at, address)[0] for each, at in zip(nurseries, sockets, strict=True)]
        try:
            for number in range(rounds):
                owner, other = number % 2, 1 - number % 2
                killed = number // 2 % 2 == 0
                took.append(one_round(sockets, processes, (owner, other), number, tally, killed=killed))
                if killed:
                    processes[owner] = nurseries[owner].started(sockets[owner], address)[0]
        finally:
            for process in processes:
                process.kill()
                process.wait()
    tally.measured["taken_over_within_s"] = median(took)
    one_result_a_roll(journal, tally)
    balanced(journal, tally)
    journal.close()
    return tally


def one_round(
    sockets: list[Path],
    processes: list[Serving],
    turn: tuple[int, int],
    number: int,
    tally: Tally,
    *,
    killed: bool,
) -> float:
    """One roll, stopped before its dice; who takes over rolls it, who wakes up writes nothing: how long that took."""
    owner, other = turn
    here, there = sockets[owner], sockets[other]
    bet = {"actor": "ann", "command": to_data(c.Bet(1, "pass", 1000))}
    rolling: dict[str, Any] = {"actor": "ann", "key": f"roll-{number}", "command": None}
    assert asked(here, take_over=True) == b"taken"
    assert read(asked(here, key=f"bet-{number}", **bet))["kind"] in ("acted", "refused")
    asked(here, aim=1, signal=signal.SIGKILL if killed else signal.SIGSTOP)
    said: list[bytes] = []
    client = threading.Thread(target=lambda: said.append(asked(here, **rolling)))
    client.start()
    assert processes[owner].wait() == ("gone" if killed else "asleep")
    if killed:
        client.join()
    begun = time.monotonic()
    assert asked(there, take_over=True) == b"taken"
    first = asked(there, **rolling)
    assert read(first)["kind"] == "rolled"
    took = time.monotonic() - begun
    if killed:
        tally["killed"] += 1
        return took
    processes[owner].kill(signal.SIGCONT)
    client.join()
    # It may find the roll settled under its key; it must not settle it, and can write nothing more.
    assert said[0] in (first, b"") or said[0].startswith(b"! FencedError"), said
    stale = asked(here, key=f"stale-{number}", **bet)
    assert stale.startswith(b"! FencedError"), f"a stale owner wrote: {stale[:200]!r}"
    tally["fenced"] += 1
    tally["asleep"] += 1
    return took


@pytest.mark.slow
def test_a_table_changes_hands_in_mid_roll(folder: Path, exercised: Callable[[Tally], None]) -> None:
    """10 owners killed and 10 put to sleep after *bets closed*: one result a roll, the same for all."""
    tally = two_processes(folder, 20, 8)
    exercised(tally)
    tally.least(killed=10, asleep=10, fenced=10, rolls=20)
    assert tally.measured["taken_over_within_s"] <= TAKEN_OVER_WITHIN_S


@pytest.mark.slow
def test_a_fence_that_is_not_looked_at_would_be_noticed() -> None:
    """The control: what a stale owner writes is refused by the database, not by good manners."""
    journal = PostgresJournal(postgres.fresh())
    table = LiveTable.create(journal, "t1", time=NOW, keys=KEYS)
    LiveTable.open(journal, "t1", time=NOW, keys=KEYS, owner="b")
    with pytest.raises(FencedError):
        table.do(c.Sit(1, "Ann", 1000), by())
    journal.close()
