"""Retries, double spends and shots at the close, through two processes' views of one table.

Tried with planted mistakes, each of which was noticed: keys not kept, another body answered under a key, a store that
does not look where the chain ends, a close that nobody looks at.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import pytest

from passline.engine import commands as c
from passline.errors import KeyTakenError
from passline.journal.contract import read_entry
from passline.journal.memory import MemoryJournal
from passline.journal.sqlite import SqliteJournal
from passline.live.books import on_the_table
from passline.pit.table import LiveTable
from tests.faults.tally import Tally
from tests.faults.verified import verified
from tests.pit.play import KEYS, NOW, by, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from passline.journal.contract import Journal
    from passline.live.requests import Ask


@pytest.fixture(autouse=True)
def _impatient() -> Iterator[None]:
    """Have threads take turns as often as Python lets them."""
    was = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(was)


def at_once(jobs: Sequence[Callable[[], None]]) -> None:
    """Do all of these at the same time; what one of them raises is raised."""
    raised: list[BaseException] = []
    ready = threading.Barrier(len(jobs))

    def run(job: Callable[[], None]) -> None:
        ready.wait()
        try:
            job()
        except BaseException as error:  # noqa: BLE001 - raised again below
            raised.append(error)

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def views(journal: Journal, seats: int = 4, buyin: int = 10**9) -> list[LiveTable]:
    """One table as two processes see it."""
    table = LiveTable.create(journal, "t1", time=NOW, keys=KEYS)
    for seat in range(1, seats + 1):
        table.do(c.Sit(seat, f"P{seat}", buyin), by(f"player-{seat}"))
    return [table, LiveTable.open(journal, "t1", time=NOW, keys=KEYS)]


# --- Retries --------------------------------------------------------------------------------------------------------


class Question(NamedTuple):
    """What is asked under a key; None: a roll."""

    key: str
    actor: str
    command: c.Bet | None

    def ask(self, table: LiveTable) -> bytes:
        """Ask for it."""
        ask = by(self.actor, self.key)
        return table.roll(ask) if self.command is None else table.do(self.command, ask)


class Answers:
    """Every answer anybody got, by key."""

    def __init__(self) -> None:
        self.given: dict[str, set[bytes]] = {}
        self._lock = threading.Lock()

    def hand(self, mine: list[tuple[Question, LiveTable]]) -> None:
        """Ask for one thing after the other."""
        for question, table in mine:
            answer = question.ask(table)
            with self._lock:
                self.given.setdefault(question.key, set()).add(answer)


AT_ONCE = 100
"""How many commands are on their way at the same time."""


def retries(journal: Journal, commands: int, seed: int) -> Tally:
    """Each command is sent five times by four hands at once, to two views; some again with something else in it."""
    tally, rng, answers = Tally("retries", seed), random.Random(seed), Answers()
    tables = views(journal)
    for first in range(0, commands, AT_ONCE):
        asked = [question(rng, number) for number in range(first, first + AT_ONCE)]
        hands: list[list[tuple[Question, LiveTable]]] = [[], [], [], []]
        for each in asked:
            for number in range(5):
                hands[number % 4].append((each, rng.choice(tables)))
        for mine in hands:
            rng.shuffle(mine)
        at_once([partial(answers.hand, mine) for mine in hands])
        tally["commands"] += len(asked)
        tally["retries"] += 4 * len(asked)
        for each in rng.sample(asked, 10):
            something_else(each, rng.choice(tables), tally)
    entries = [read_entry(line) for line in journal.lines("t1")]
    under = {entry.key: entry.line for entry in entries if entry.key is not None}
    assert len(under) == sum(entry.key is not None for entry in entries), "one key, two effects"
    for key, given in answers.given.items():
        assert given == {under[key]}, f"{key} was answered in {len(given)} ways"
    assert len(answers.given) == commands
    balanced(journal, tally)
    return tally


def question(rng: random.Random, number: int) -> Question:
    """A bet, one that cannot be, or now and then a roll."""
    seat = rng.randint(1, 4)
    bet = c.Bet(seat, rng.choice(("pass", "field", "place_6", "nothing")), 1000)
    return Question(f"r-{number}", f"player-{seat}", bet if number % 20 else None)


def something_else(asked: Question, table: LiveTable, tally: Tally) -> None:
    """Another amount, another act, or another person under the same key is refused."""
    command = asked.command
    others = [
        asked._replace(actor="somebody else"),
        asked._replace(command=None if command else c.Bet(1, "pass", 1000)),
    ]
    if command is not None:
        others.append(asked._replace(command=c.Bet(command.seat, command.wager, command.amount + 500)))
    for other in others:
        with pytest.raises(KeyTakenError):
            other.ask(table)
        tally["other_bodies_refused"] += 1


def balanced(journal: Journal, tally: Tally) -> None:
    """The books are what lies on the table, and whoever knows nothing of us agrees."""
    table = LiveTable.open(journal, "t1", time=NOW, keys=KEYS)
    accounts = journal.balances("t1")
    assert accounts == on_the_table(table.live.table, accounts.get("breakage", 0))
    assert accounts == journal.balances("t1", table.head.sequence)
    verified(journal, tally)


@pytest.mark.slow
def test_a_retry_has_one_effect(folder: Path, exercised: Callable[[Tally], None]) -> None:
    """Every hand gets the same bytes, and something else under the same key is refused; half of it on a disk."""
    store = SqliteJournal(folder / "journal.db")
    for journal, commands in ((MemoryJournal(), 4_000), (store, 1_000)):
        tally = retries(journal, commands, 8)
        exercised(tally)
        tally.least(retries=4 * commands, other_bodies_refused=commands // 5)
    store.close()


# --- Double spends --------------------------------------------------------------------------------------------------

KINDS = ("bets", "leave and bet", "take and roll")
HANDS = 6


def double_spends(journal: Journal, rounds: int, seed: int) -> Tally:
    """In each round everybody wants the whole of one rail; one gets it."""
    tally, rng = Tally("double spends", seed), random.Random(seed)
    tables = views(journal, seats=1)
    for number in range(rounds):
        kind = KINDS[number % 3]
        actor = f"player-{SEAT}"
        tables[0].catch_up()
        tables[0].do(c.Sit(SEAT, "S", 5000), by(actor))
        found = one_round(tables, kind, actor, rng)
        acted = found.count("acted")
        if kind == "bets":
            assert acted == 1, f"round {number}: {acted} bets with one rail"
        elif kind == "leave and bet":
            assert acted in (1, 2), f"round {number}"  # whoever has bet may leave
        else:
            assert acted <= 1, f"round {number}: taken down twice"
        assert all(balance >= 0 for name, balance in journal.balances("t1").items() if "/" in name)
        emptied(tables[0], actor)
        tally["rounds"] += 1
        tally[kind.replace(" ", "_")] += 1
        tally["hands"] += HANDS
    balanced(journal, tally)
    return tally


SEAT = 2
"""Whose rail it is."""


def one_round(tables: list[LiveTable], kind: str, actor: str, rng: random.Random) -> list[str]:
    """Everybody at once; what was answered."""
    commands: list[c.Command | None] = [c.Bet(SEAT, rng.choice(("field", "any_seven")), 5000) for _ in range(HANDS)]
    if kind == "leave and bet":
        commands[rng.randrange(HANDS)] = c.Leave(SEAT)
    if kind == "take and roll":
        tables[0].do(c.Bet(1, "pass", 1000), by("player-1"))
        tables[0].do(c.Bet(SEAT, "field", 5000), by(actor))
        commands = [c.Take(SEAT, "field"), None] * (HANDS // 2)
    found: list[str] = []

    def one(command: c.Command | None, table: LiveTable, ask: Ask) -> None:
        found.append(read(table.roll(ask) if command is None else table.do(command, ask))["kind"])

    at_once([partial(one, command, tables[at % 2], by(actor)) for at, command in enumerate(commands)])
    return found


def emptied(table: LiveTable, actor: str) -> None:
    """Have the seat empty again, whatever it takes."""
    table.catch_up()
    while SEAT in table.live.table.seats:
        table.do(c.Leave(SEAT), by(actor))
        if SEAT in table.live.table.seats:  # what cannot come down is rolled
            table.do(c.Bet(1, "pass", 1000), by("player-1"))
            table.roll(by("player-1"))


@pytest.mark.slow
def test_a_rail_is_spent_once(folder: Path, exercised: Callable[[Tally], None]) -> None:
    """Several bets with the same chips, a bet and leaving, taking down and rolling: never both."""
    store = SqliteJournal(folder / "journal.db")
    for journal, rounds in ((MemoryJournal(), 800), (store, 200)):
        tally = double_spends(journal, rounds, 8)
        exercised(tally)
        tally.least(rounds=rounds, bets=rounds // 4, leave_and_bet=rounds // 4, take_and_roll=rounds // 4)
    store.close()


# --- Shots at the close ---------------------------------------------------------------------------------------------


CLOCKS = ("1970-01-01T00:00:00Z", NOW, "2038-01-19T03:14:08Z")


def shots_at_the_close(journal: Journal, shots: int, seed: int) -> Tally:
    """Bets, presses and take-downs fired around the close of every roll, by hands whose clocks lie."""
    tally, rng = Tally("shots at the close", seed), random.Random(seed)
    tables = views(journal)
    while tally["shots"] < shots:
        tables[0].do(c.Bet(1, "pass", 1000), by("player-1"))
        jobs: list[Callable[[], None]] = [partial(close_and_roll, rng.choice(tables))]
        for seat in (2, 3, 4):
            mine = [(rng.choice(CLOCKS), shot(rng, seat)) for _ in range(6)]
            jobs.append(partial(shoot, rng.choice(tables), seat, mine))
            tally["shots"] += len(mine)
        at_once(jobs)
        tally["rolls"] += 1
    closed = False
    for entry in map(read_entry, journal.lines("t1")):
        if entry.kind in ("bets_closed", "rolled", "roll_voided"):
            assert closed == (entry.kind != "bets_closed")
            closed = entry.kind == "bets_closed"
        elif entry.kind == "acted":
            assert not closed, f"entry {entry.sequence} moved chips after the close"
            tally["accepted_before_the_close"] += 1
        elif entry.kind == "refused" and closed:
            tally["refused_after_the_close"] += 1
    balanced(journal, tally)
    return tally


def shot(rng: random.Random, seat: int) -> c.Command:
    """What somebody tries at the last moment."""
    wager = rng.choice(("field", "place_6", "any_craps"))
    return rng.choice((c.Bet(seat, wager, 1000), c.Bet(seat, wager, 1000), c.Take(seat, wager)))


def shoot(table: LiveTable, seat: int, mine: list[tuple[str, c.Command]]) -> None:
    """One shot after the other."""
    for clock, command in mine:
        table.do(command, by(f"player-{seat}", time=clock))


def close_and_roll(table: LiveTable) -> None:
    """The stick closes the bets, leaves the others a moment to shoot at them, and rolls."""
    table.close_bets(by("stick", role="stick"))
    time.sleep(0.0005)
    table.roll(by("stick", role="stick"))


@pytest.mark.slow
def test_no_shot_at_the_close_is_accepted_late(folder: Path, exercised: Callable[[Tally], None]) -> None:
    """By the order of the journal and by nobody's clock."""
    store = SqliteJournal(folder / "journal.db")
    for journal, shots in ((MemoryJournal(), 8_000), (store, 2_000)):
        tally = shots_at_the_close(journal, shots, 8)
        exercised(tally)
        tally.least(shots=shots, refused_after_the_close=shots // 100, accepted_before_the_close=shots // 20)
    store.close()
