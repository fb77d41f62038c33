"""The journal in PostgreSQL: several processes, connections that are cut, a database that forbids."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from typing import Any

import psycopg
import pytest
from psycopg import Connection

from passline.engine import commands as c
from passline.errors import BehindError, JournalError, NewerError
from passline.journal import postgres
from passline.journal.contract import Head, Write
from passline.journal.postgres import PostgresJournal
from passline.journal.sql import REVISION, migration
from passline.pit.table import LiveTable
from tests.journal.freeze import FROZEN
from tests.journal.stores import draft, entries_after, write
from tests.pit.play import KEYS, NOW, by, new_table, read
from tests.postgres import fresh


@pytest.fixture
def address() -> str:
    """A schema with a journal of two entries."""
    where = fresh()
    store = PostgresJournal(where)
    write(store, "t1", draft("a", [("cage", "rail/1", 100)]), draft("b"))
    store.close()
    return where


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET line = ''",
        "DELETE FROM entries",
        "TRUNCATE entries",
        "INSERT INTO entries VALUES ('t1', 9, 'z', '')",
        "INSERT INTO entries VALUES ('t1', 1, 'z', '') ON CONFLICT (stream, sequence) DO UPDATE SET line = ''",
        "UPDATE accounts SET balance = -1 WHERE account = 'rail/1'",
        "UPDATE accounts SET balance = 1000000000000000001 WHERE account = 'rail/1'",
        "DELETE FROM streams",
        "UPDATE streams SET stream = 'z'",
        "UPDATE streams SET fence = -1",
    ],
)
def test_the_database_itself_forbids_it(address: str, statement: str) -> None:
    """Whoever holds a connection can still not change what is written."""
    with psycopg.connect(address) as connection, pytest.raises(psycopg.Error):
        connection.execute(statement.encode())


BEFORE = (FROZEN / "0003.postgresql.sql").read_text().strip().split("\n\n")
"""How the store of 0.2.0.dev1 was made, Alembic's table and all; the first revision ends with its first version."""

FIRST = next(number for number, each in enumerate(BEFORE, 1) if each.startswith("INSERT INTO alembic_version"))


def tables_of(address: str) -> dict[str, object]:
    """Every column, constraint, trigger and function of a schema."""
    asked = {
        "columns": "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns "
        "WHERE table_schema = current_schema() ORDER BY table_name, column_name",
        "constraints": "SELECT conrelid::regclass::text, contype, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE connamespace = current_schema()::regnamespace ORDER BY 1, 2, 3",
        "triggers": "SELECT tgname, tgtype, tgrelid::regclass::text, tgfoid::regproc::text FROM pg_trigger "
        "WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM pg_class "
        "WHERE relnamespace = current_schema()::regnamespace) ORDER BY 1",
        "functions": "SELECT proname, regexp_replace(prosrc, '\\s+', ' ', 'g') FROM pg_proc "
        "WHERE pronamespace = current_schema()::regnamespace ORDER BY 1",
        "revision": "SELECT revision FROM store",
    }
    with psycopg.connect(address, autocommit=True) as connection:
        return {name: connection.execute(query.encode()).fetchall() for name, query in asked.items()}


@pytest.mark.parametrize("revision", [1, 3])
def test_a_store_of_before_is_brought_up_to_date(address: str, revision: int) -> None:
    """With every entry and every balance, to the very tables that are made today."""
    where, head = fresh(), Head("t1")
    (entry,) = entries_after(head, draft("a", [("cage", "rail/1", 100)]))
    with psycopg.connect(where, autocommit=True) as connection:
        for statement in BEFORE[:FIRST] if revision == 1 else BEFORE:
            connection.execute(statement.encode())
        if revision == 1:
            connection.execute("INSERT INTO streams VALUES ('t1', 1, %s, 0)", (entry.hash,))
            connection.execute("INSERT INTO postings VALUES ('t1', 1, 1, 'cage', 'rail/1', 100)")
        else:
            connection.execute("INSERT INTO streams VALUES ('t1', 0)")
        connection.execute("INSERT INTO entries VALUES ('t1', 1, 'a', %s)", (entry.line,))
        connection.execute("INSERT INTO accounts VALUES ('t1', 'cage', -100), ('t1', 'rail/1', 100)")
        store = PostgresJournal(where)
        assert list(store.lines("t1")) == [entry.line]
        assert store.balances("t1") == store.balances("t1", 1) == {"cage": -100, "rail/1": 100}
        write(store, "t1", draft("b", [("rail/1", "bank", 5)]))
        store.close()
        assert tables_of(where) == tables_of(address)
        assert tables_of(where)["revision"] == [(REVISION,)]
        with pytest.raises(psycopg.Error, match="for ever"):
            connection.execute("DELETE FROM entries")


def test_a_migration_that_is_cut_off_is_done_or_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """At whatever statement the connection goes, the next who comes finds the old store and finishes it."""
    where = fresh()
    with psycopg.connect(where, autocommit=True) as connection:
        for statement in BEFORE:
            connection.execute(statement.encode())
    steps = migration("postgresql", 3)
    for number in range(len(steps)):
        cut = (*steps[:number], "SELECT pg_terminate_backend(pg_backend_pid())", *steps[number:])
        with monkeypatch.context() as patched:
            patched.setattr(postgres, "migration", lambda *_, cut=cut: cut)
            with pytest.raises(JournalError):
                PostgresJournal(where)
        with psycopg.connect(where, autocommit=True) as connection:
            assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0003",)]
            assert connection.execute("SELECT to_regclass('houses')").fetchone() == (None,)
    store = PostgresJournal(where)
    write(store, "t1", draft("a"))
    store.close()


def test_a_store_of_a_newer_passline_is_refused(address: str) -> None:
    """This program would not understand it."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("UPDATE store SET revision = 9999")
    with pytest.raises(NewerError):
        PostgresJournal(address)


def test_two_who_come_first_make_the_tables_once() -> None:
    """Whoever is second finds them made."""
    where = fresh()
    made: list[PostgresJournal] = []
    openers = [threading.Thread(target=lambda: made.append(PostgresJournal(where))) for _ in range(4)]
    for opener in openers:
        opener.start()
    for opener in openers:
        opener.join()
    assert len(made) == 4
    write(made[0], "t1", draft("a"))
    assert [len(list(store.lines("t1"))) for store in made] == [1, 1, 1, 1]
    for store in made:
        store.close()


def test_a_server_that_is_not_there_is_said_to_be_gone() -> None:
    """Without the password that stood in the address."""
    with pytest.raises(JournalError, match="cannot be reached") as caught:
        PostgresJournal("postgresql://ann:secret@127.0.0.1:1/none", back_within_s=0.1)
    assert "secret" not in str(caught.value)


def test_a_server_that_goes_away_is_told_of_at_once_and_comes_back(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks first waits as long as was said, the next not at all; whoever waits for entries hears of it too."""
    store = PostgresJournal(address, back_within_s=0.2)
    known = store.wait({}, 0.1)
    store.address = "postgresql://127.0.0.1:1/none"
    store._lose()
    assert store._listening is not None
    store._listening.close()
    monkeypatch.setattr(postgres, "AWAY_S", 10_000.0)
    tries: list[str] = []
    connect = psycopg.connect

    def counted(where: str, **more: Any) -> Connection[Any]:  # noqa: ANN401 - as psycopg has them
        tries.append(where)
        return connect(where, **more)

    monkeypatch.setattr(psycopg, "connect", counted)
    with pytest.raises(JournalError, match="cannot be reached"):
        store.ends()
    assert tries
    tries.clear()
    with pytest.raises(JournalError, match="cannot be reached"):
        store.ends()
    assert not tries, "the next waits for nothing"
    with pytest.raises(JournalError, match="cannot be reached"):
        store.wait(known, 0.1)
    store.address, store._away_until = address, 0.0
    assert store.wait({}, 1) == known
    write(store, "t1", draft("c"))
    store.close()


def cut_all(address: str) -> None:
    """Cut every connection to the server but this one."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND query NOT SIMILAR TO '(LISTEN|SELECT revision)%' "
            "AND backend_type = 'client backend'"
        )


@pytest.mark.slow
def test_connections_that_are_cut_lose_and_double_nothing() -> None:
    """Whatever was being written: looked up under its key, written once, answered with the same bytes."""
    where = fresh()
    store = PostgresJournal(where)
    table = new_table(store)
    stop = threading.Event()

    def cut() -> None:
        while not stop.wait(0.02):
            cut_all(where)

    cutter = threading.Thread(target=cut)
    cutter.start()
    try:
        answers = {}
        for number in range(60):
            command = c.Bet(1, "field", 1000) if number % 2 == 0 else c.Take(1, "field")
            answers[f"k{number}"] = (command, table.do(command, by("ann", f"k{number}")))
    finally:
        stop.set()
        cutter.join()
    lines = list(store.lines("t1"))
    assert len(lines) == len({read(line)["key"] for line in lines if read(line)["key"]}) + 3
    for key, (command, answer) in answers.items():
        assert answer in lines
        assert table.do(command, by("ann", key)) == answer
    assert len(list(store.lines("t1"))) == len(lines)
    store.close()


PLAYER = """
import sys
from passline.engine import commands as c
from passline.errors import FencedError
from passline.journal import postgres
from passline.journal.postgres import PostgresJournal
from passline.pit.keys import Keys
from passline.live.requests import Ask
from passline.pit.table import LiveTable
where, name, owner = sys.argv[1:4]
keys = Keys(bytes(range(32)), bytes(range(32, 64)))
table = LiveTable.open(PostgresJournal(where), "t1", time="2026-11-15T20:00:00Z", keys=keys, owner=owner)
print("ready", flush=True)
for number in range(int(sys.argv[4])):
    def ask(what):
        return Ask(name, "player", f"{name}-{what}-{number}", "2026-11-15T20:00:00Z")
    table.do(c.Bet(1 if name == "ann" else 2, "pass", 1000), ask("bet"))
    table.roll(ask("roll"))
print("done", flush=True)
"""


@pytest.mark.slow
def test_two_processes_serve_one_table() -> None:
    """Every bet and every roll is there once, in one chain, and both come to the same table."""
    where = fresh()
    store = PostgresJournal(where)
    new_table(store)
    players = [
        subprocess.Popen([sys.executable, "-c", PLAYER, where, name, "", "15"], stdout=subprocess.PIPE, text=True)
        for name in ("ann", "bob")
    ]
    for player in players:
        out, _ = player.communicate(timeout=600)
        assert out.split() == ["ready", "done"]
    table = LiveTable(store, "t1", KEYS)
    entries = [read(line) for line in store.lines("t1")]
    rolled = [data for data in entries if data["kind"] == "rolled"]
    assert [data["body"]["roll"] for data in rolled] == list(range(1, len(rolled) + 1))
    # A roll is refused where the other's roll has just decided the last line bet.
    assert len({data["key"] for data in entries if "-roll-" in (data["key"] or "")}) == 30
    assert len(rolled) > 20
    assert store.balances("t1") == store.balances("t1", table.head.sequence)
    store.close()


@pytest.mark.slow
def test_whoever_was_taken_over_from_is_refused_by_the_fence() -> None:
    """A process that held the table and was slow comes back to a table that is another's."""
    where = fresh()
    store = PostgresJournal(where)
    new_table(store)
    slow = subprocess.Popen(
        [sys.executable, "-c", PLAYER, where, "ann", "slow", "100000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert slow.stdout is not None
    assert slow.stdout.readline() == "ready\n"
    time.sleep(0.2)
    mine = LiveTable.open(store, "t1", time=NOW, keys=KEYS, owner="mine")
    mine.do(c.Bet(2, "pass", 1000), by("bob"))
    _, error = slow.communicate(timeout=600)
    assert "FencedError" in error
    entries = [read(line) for line in store.lines("t1")]
    taken = next(data["sequence"] for data in reversed(entries) if data["kind"] == "table_taken")
    assert all(data["actor"] != "ann" or data["kind"] == "rolled" for data in entries if data["sequence"] > taken)
    store.close()


def test_who_waits_is_told_by_the_database(address: str) -> None:
    """Another process's entry wakes them, and quickly."""
    reader, writer = PostgresJournal(address), PostgresJournal(address)
    known = reader.ends()

    def wait() -> None:
        woken.append(reader.wait(known, 3_000)["t1"])

    woken: list[int] = []

    waiting = threading.Thread(target=wait)
    waiting.start()
    write(writer, "t1", draft("c"))
    waiting.join(300)
    assert woken == [3]
    reader.close()
    writer.close()


def test_who_waits_asks_for_nothing_that_is_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where each table ends is asked once, and again where nothing is told any more."""
    reader, writer = PostgresJournal(address), PostgresJournal(address)
    known = reader.wait({}, 10)
    asked: list[int] = []

    def ends() -> dict[str, int]:
        asked.append(1)
        return PostgresJournal.ends(reader)

    monkeypatch.setattr(reader, "ends", ends)
    write(writer, "t1", draft("c"), draft("d"))
    write(writer, "t2", draft("a"))
    while known != {"t1": 4, "t2": 1}:
        known = reader.wait(known, 10)
    assert not asked
    assert reader.wait(known, 0.01) == known
    assert asked
    asked.clear()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query SIMILAR TO '(LISTEN|SELECT revision)%'"
        )
    write(writer, "t2", draft("b"))
    while known["t2"] != 2:
        known = reader.wait(known, 10)
    assert asked
    reader.close()
    writer.close()


def test_what_was_written_here_may_not_be_the_end_where_others_write(address: str) -> None:
    """A process looks again even where it wrote last as far as it knows."""
    ours, theirs = PostgresJournal(address), PostgresJournal(address)
    ours.append(Write(Head("t2"), entries_after(Head("t2"), draft("a"))))
    head = ours.head("t2")
    assert head is not None
    theirs.append(Write(head, entries_after(head, draft("b"))))
    with pytest.raises(BehindError):
        ours.append(Write(head, (), secrets={"seed/1": b"a"}))
    assert ours.secrets("t2") == {}
    ours.close()
    theirs.close()


@pytest.mark.parametrize("kept", [True, False])
def test_who_only_wants_a_chain_to_end_there_waits_for_who_is_writing_on(address: str, *, kept: bool) -> None:
    """Until it is known what comes of that: another end, or none."""
    store = PostgresJournal(address)
    head = store.head("t1") or Head("t1")
    other = entries_after(Head("t2"), draft("a"))
    said: list[object] = []

    def wait() -> None:
        try:
            store.append(Write(Head("t2"), other), Write(head, ()))
            said.append("written")
        except BehindError:
            said.append("behind")

    with psycopg.connect(address) as writing:
        writing.execute("INSERT INTO entries VALUES ('t1', 3, 'c', %s)", entries_after(head, draft("c"))[0][-1:])
        waiting = threading.Thread(target=wait)
        waiting.start()
        waiting.join(0.3)
        assert said == []
        writing.commit() if kept else writing.rollback()
        waiting.join(300)
    assert said == ["behind" if kept else "written"]
    assert len(list(store.lines("t2"))) == (0 if kept else 1)
    store.close()


def test_who_writes_to_several_tables_never_waits_in_a_ring(address: str) -> None:
    """Two of three tables at a time, writing on here and only looking there, in any order: a ring would be told."""
    first = PostgresJournal(address)
    for table in ("t2", "t3"):
        write(first, table, draft("a"))

    def play(number: int) -> None:
        store, rng = PostgresJournal(address), random.Random(number)
        for turn in range(20):
            tables = rng.sample(["t1", "t2", "t3"], 2)
            heads = [store.head(table) or Head(table) for table in tables]
            more = [entries_after(heads[0], draft(f"{number}-{turn}")), entries_after(heads[1], draft()) * (turn % 2)]
            try:
                store.append(*map(Write, heads, more))
            except BehindError as error:
                rings.append(str(error)) if "deadlock" in str(error) else None
        store.close()

    rings: list[str] = []
    players = [threading.Thread(target=play, args=(number,)) for number in range(6)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    assert not rings, rings
    assert sum(first.ends().values()) > 20
    first.close()


def test_who_falls_asleep_while_writing_holds_nobody_up_for_ever(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process put to sleep between two statements holds its place; the server ends that, and the next one writes."""
    monkeypatch.setattr("passline.journal.postgres.HELD_S", 1)
    asleep, awake = PostgresJournal(address), PostgresJournal(address)
    held = asleep._connected()
    held.execute("BEGIN")
    held.execute("INSERT INTO entries VALUES ('t1', 3, 'asleep', '')")
    time.sleep(0.6)  # who waits has as long itself
    write(awake, "t1", draft("after sleep"))
    held.close()
    asleep.close()
    awake.close()


def test_a_server_that_hangs_is_noticed_while_it_does_and_known_to_have_been_away(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says since when it waits; who voids a roll for a value that is late looks at when the server was away."""
    monkeypatch.setattr(postgres, "SILENCE_S", 0.0)
    store = PostgresJournal(address)
    assert store.asked_at == 0
    began = store.away_at = time.monotonic()
    with psycopg.connect(address) as other:
        other.execute("LOCK TABLE entries IN ACCESS EXCLUSIVE MODE")
        writing = threading.Thread(target=write, args=(store, "t2", draft("a")))
        writing.start()
        while not store.asked_at:
            time.sleep(0.01)
        assert store.asked_at > began
        other.rollback()
        writing.join()
    assert store.asked_at == 0
    assert store.away_at > began
    store.close()
