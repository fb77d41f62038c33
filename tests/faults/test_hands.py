"""Kills between the closing of the bets and the roll, at every statement to the store, with hands in the dice.

A real process asks for the roll and hands the values in, and is killed before its n-th statement; then another goes on,
or one that was at the same table all the time. It comes to the dice that link and values make, once. And the post of
programs that is lost, late, doubled and out of order, by two processes: the same dice or a void that is named.
"""

from __future__ import annotations

import os
import random
import signal
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from passline.engine import commands as c
from passline.errors import JournalError
from passline.journal.contract import Journal
from passline.journal.export import exported
from passline.journal.postgres import PostgresJournal
from passline.journal.sqlite import PythonDriver, SqliteJournal
from passline.live.dice import LINK_TAG, chain, dealt
from passline.live.requests import Ask, ShowValue
from passline.pit.table import LiveTable
from passline.verify.check import verify
from tests import postgres
from tests.faults.tally import Tally
from tests.pit.hands import LATER, Device
from tests.pit.play import KEYS, NOW, kinds, new_table, read

THE_ROLL = Ask("ann", "player", "the-roll", NOW)
SOME = 7
"""How many of the statements are looked at in a run that is not a night's."""

LOST = 0.02
"""The share of values that never arrive."""

Store = Callable[[], Journal]


def stores(folder: Path, number: int) -> dict[str, Store]:
    """Ways to open a fresh journal of either kind, again and again."""
    made: list[str] = []

    def in_postgres() -> Journal:
        made[:] = made or [postgres.fresh()]
        return PostgresJournal(made[0])

    return {"sqlite": lambda: SqliteJournal(folder / f"{number}.db"), "postgres": in_postgres}


def seated(journal: Journal) -> tuple[Device, Device]:
    """Ann and Bob with a hand each, and bets."""
    table = new_table(journal)
    devices = Device(table, "ann"), Device(table, "bob")
    for seat, device in enumerate(devices, 1):
        table.do(c.Bet(seat, "pass", 1_000), Ask(device.person, "player", f"bet-{seat}", NOW))
    table.do(c.Shoot(1), Ask("ann", "player", "shoots", NOW))
    return devices


def finish(table: LiveTable, devices: tuple[Device, Device], who: str) -> None:
    """Ask for the roll, and hand in what is awaited, until there is one."""
    for tried in range(100):
        if read(table.roll(THE_ROLL))["kind"] != "bets_closed":
            return
        announced = table.live.announced
        for due in announced.missing if announced is not None else ():
            value = next(each for each in devices if each.person == due.person).values[due.index]
            table.show_value(
                ShowValue(due.hand, due.index, value), Ask(due.person, "player", f"{who}-{tried}-{due.person}", NOW)
            )
    raise AssertionError("there is no roll")


def armed(at: int) -> None:
    """Have this process killed before its n-th statement, on either store."""
    left = iter(range(at))

    def count() -> None:
        if next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    do, rows, execute = PythonDriver.do, PythonDriver.rows, psycopg.Cursor.execute

    def counted(call: Callable[..., object]) -> Callable[..., object]:
        def before(*arguments: object, **named: object) -> object:
            count()
            return call(*arguments, **named)

        return before

    PythonDriver.do, PythonDriver.rows = counted(do), counted(rows)  # type: ignore[assignment, method-assign]
    psycopg.Cursor.execute = counted(execute)  # type: ignore[assignment, method-assign]


def forked(work: Callable[[], None]) -> int:
    """Do something in a process of its own, which ends with it."""
    child = os.fork()
    if not child:
        try:
            work()
        except BaseException:  # noqa: BLE001 - it is told, and the process ends either way
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return child


def played(store: Store, devices: tuple[Device, Device], at: int | None, who: str) -> int:
    """Start a process that plays the roll, and is killed before a statement."""

    def work() -> None:
        table = LiveTable(store(), "t1", KEYS)
        if at is not None:
            armed(at)
        finish(table, devices, who)

    return forked(work)


def ended(child: int) -> bool:
    """Whether a process came to its end; one that was killed did not."""
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the process failed"
    return not os.WIFSIGNALED(status)


def checked(journal: Journal, devices: tuple[Device, Device]) -> None:
    """One closing, one roll, and the dice that link and values make."""
    table = LiveTable.open(journal, "t1", time=NOW, keys=KEYS)
    finish(table, devices, "last")
    written = kinds(journal)
    assert (written.count("bets_closed"), written.count("rolled"), written.count("roll_voided")) == (1, 1, 0)
    link = chain(LINK_TAG, (table.live.stream, 1), table._opened_seeds()[0][1])[1]
    due = dealt(link, table.live.stream, 1, 1, {each.person: each.values[1] for each in devices})
    assert read(table.roll(THE_ROLL))["body"]["dice"] == list(due)
    lines = [line + b"\n" for line in exported(journal, ["t1"], sign=KEYS.sign, time=NOW)]
    assert [str(fault) for fault in verify(lines).faults] == []


def kills(folder: Path, size: int, seed: int, store: str, *, beside: bool = False) -> Tally:
    """Kill at every statement, or at so many of them; `beside` with a second process at the table all the time."""
    tally = Tally(f"kills with hands, {store}{', two processes' * beside}", seed)
    points = list(range(40 if beside else 400))
    if size:
        points = sorted(random.Random(seed).sample(range(1, 40), size))
    for number, at in enumerate(points):
        where = stores(folder, number)[store]
        with closing(where()) as journal:
            devices = seated(journal)
        second = played(where, devices, None, "second") if beside else None
        survived = ended(played(where, devices, at, "first"))
        if second is not None:
            assert ended(second), "the process beside it goes on"
        with closing(where()) as journal:
            checked(journal, devices)
        tally["points"] += 1
        tally["kills"] += not survived
        if survived and not size and not beside:  # which may have done all before
            break
    return tally


@pytest.mark.parametrize("store", ["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def test_a_kill_at_some_statements_comes_to_the_same_dice(
    folder: Path, store: str, exercised: Callable[[Tally], None]
) -> None:
    """All of them are the campaign's: `scripts/campaign faults --gate hands-sqlite --gate hands-postgres`."""
    tally = kills(folder, SOME, 19, store)
    exercised(tally)
    tally.least(points=SOME, kills=SOME // 2)


@pytest.mark.slow
def test_a_kill_beside_another_process_comes_to_the_same_dice(folder: Path, exercised: Callable[[Tally], None]) -> None:
    """On PostgreSQL, where two may be at one table; both were asked for the same roll."""
    tally = kills(folder, SOME, 20, "postgres", beside=True)
    exercised(tally)
    tally.least(points=SOME)


# --- The post ---------------------------------------------------------------------------------------------------------


def post(folder: Path, rolls: int, seed: int, store: str) -> Tally:
    """Values lost, late, doubled and reordered, by two processes at one table where the store has them."""
    tally, rng = Tally(f"post of hands, {store}", seed), random.Random(seed)
    where = stores(folder, 0)[store]
    with closing(where()) as journal, closing(where() if store == "postgres" else journal) as beside:
        devices = {each.person: each for each in seated(journal)}
        tables = [LiveTable(journal, "t1", KEYS), LiveTable(beside, "t1", KEYS)]
        number = 0

        def by(person: str) -> Ask:
            nonlocal number
            number += 1
            return Ask(person, "player", f"post-{number}", NOW)

        for _ in range(rolls):
            _ready(tables[0], devices, by)
            ask = by("ann")
            rng.choice(tables).roll(ask)
            for table in tables:
                table.catch_up()
            announced = tables[0].live.announced
            sent = [
                (rng.choice(tables), due)
                for due in (announced.missing if announced is not None else ())
                for _ in range(rng.choice((1, 1, 2)) if rng.random() > LOST else 0)
            ]
            rng.shuffle(sent)
            for table, due in sent:
                table.catch_up()
                table.show_value(ShowValue(due.hand, due.index, devices[due.person].values[due.index]), by(due.person))
                tally["values"] += 1
            for table in tables:
                table.catch_up()
            rng.choice(tables).settle(LATER)
            for table in tables:
                table.catch_up()
            announced = tables[0].live.announced
            for due in announced.missing if announced is not None else ():  # a third silence: it comes after all
                value = devices[due.person].values[due.index]
                tables[1].show_value(ShowValue(due.hand, due.index, value), by(due.person))
                tally["late"] += 1
            for table in tables:
                table.catch_up()
            body = (entry := read(tables[0].roll(ask)))["body"]
            assert entry["kind"] in ("rolled", "roll_voided"), "never a third thing"
            assert entry["kind"] == "rolled" or body["silent"], "a void is named"
            tally[entry["kind"]] += 1
            for due in body.get("silent", ()):
                device = devices[due["person"]]
                value = device.values[due["index"]]
                tables[0].show_value(ShowValue(due["hand"], due["index"], value), by(device.person))
        lines = [line + b"\n" for line in exported(journal, ["t1"], sign=KEYS.sign, time=NOW)]
        assert [str(fault) for fault in verify(lines).faults] == []
    return tally


def _ready(table: LiveTable, devices: dict[str, Device], by: Callable[[str], Ask]) -> None:
    """Everybody has a hand on and something up, and there is a shooter."""
    table.catch_up()
    for seat, (person, device) in enumerate(devices.items(), 1):
        if not table.live.hands[person].is_on:
            device.table = table
            device.give()
        if not table.live.table.seats[seat].felt:
            table.do(c.Bet(seat, "pass", 1_000), by(person))
            table.do(c.Bet(seat, "field", 1_000), by(person))
    if table.live.table.shooter is None:
        table.do(c.Shoot(1), by("ann"))


@pytest.mark.parametrize("store", ["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def test_a_bad_line_comes_to_the_same_dice_or_a_named_void(
    folder: Path, store: str, exercised: Callable[[Tally], None]
) -> None:
    tally = post(folder, 120, 19, store)
    exercised(tally)
    tally.least(rolled=80, roll_voided=1)


def test_a_store_that_is_away_is_no_third_thing(folder: Path) -> None:
    """A value that cannot be stored was not received: the program sends it again."""
    with closing(SqliteJournal(folder / "0.db")) as journal:
        devices = seated(journal)
        table = LiveTable(journal, "t1", KEYS)
        table.roll(THE_ROLL)
        append = journal.append

        def away(*_: object) -> None:
            raise JournalError("the disk is away")

        journal.append = away  # type: ignore[method-assign]
        with pytest.raises(JournalError, match="away"):
            finish(table, devices, "first")
        journal.append = append  # type: ignore[method-assign]
        finish(table, devices, "again")
        checked(journal, devices)
