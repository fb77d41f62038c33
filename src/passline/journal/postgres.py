"""A journal in PostgreSQL, through psycopg: for tables that several processes serve.

A connection that is lost in mid-commit leaves the writer in doubt; whoever asked looks under the key what is there.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from math import inf
from typing import Any

import psycopg
from psycopg import Connection, errors

from passline.errors import (
    AwayError,
    BehindError,
    FullError,
    InDoubtError,
    JournalError,
    KeyTakenError,
    NewerError,
    OverdrawnError,
)
from passline.journal.sql import SqlJournal, Step, check_revision, migration

CHANNEL = "passline"  # where who waits hears of new entries
MIGRATING = 7_011_470  # the advisory lock of whoever brings the tables up to date
BACK_WITHIN_S = 30.0  # how long a server that is gone is waited for
TRY_AGAIN_S = 0.05
SILENCE_S = 1.0  # a server that took longer to answer was away: what others could not write meanwhile is awaited
AWAY_S = 0.5  # how long a server that did not come back is not tried again: whoever asks then does not wait for it

LOST = (psycopg.OperationalError, psycopg.InterfaceError)

# How long a process that fell asleep while it wrote keeps others from a table; then the server takes it all back.
HELD_S = 10
ENDS_THEM = 170_000  # the first PostgreSQL that can


class PostgresJournal(SqlJournal):
    """Any number of tables in one database, for any number of processes."""

    shared = True

    def __init__(self, address: str, *, back_within_s: float = BACK_WITHIN_S) -> None:
        super().__init__("postgresql")
        self._sent = {name: statement.text.encode() for name, statement in self._sql.items()}
        self._sent["ends_so"] = MUST_BE.format(self._sql["ends_so"].text).encode()
        self._sent["one_entry"] = ONE_ENTRY.format(self._sql["ends_so"].text).encode()
        self.address = address
        self._back_within_s = back_within_s
        self.asked_at = 0.0  # since when the server owes an answer; 0 where it owes none
        self.away_at = -inf  # when it was last seen to be away
        self._away_until = 0.0  # Until when nobody tries to reach a server that was waited for in vain
        self._connection: Connection[tuple[Any, ...]] | None = None
        self._listening: Connection[tuple[Any, ...]] | None = None
        self._notified: dict[str, int] = {}  # where each table ends, as whoever waits was told
        self._check_due = 0.0  # when the revision of the tables is looked at again
        try:
            self._prepare(self._connected())
        except psycopg.Error as error:
            self.close()
            raise JournalError(f"{_public(address)}: {error}") from error
        except BaseException:
            self.close()
            raise

    def _prepare(self, connection: Connection[tuple[Any, ...]]) -> None:
        """Bring the tables up to date, one process at a time."""
        connection.execute("SELECT pg_advisory_lock(%s)", (MIGRATING,))
        try:
            check_revision(revision := self._revision(connection), _public(self.address))
            if statements := migration("postgresql", revision):
                with connection.transaction():
                    if connection.info.server_version >= ENDS_THEM:
                        connection.execute("SET LOCAL transaction_timeout = 0")  # a large store takes its time
                    for statement in statements:
                        connection.execute(statement.encode())
        finally:
            connection.execute("SELECT pg_advisory_unlock(%s)", (MIGRATING,))

    def _connect(self) -> Connection[tuple[Any, ...]]:
        connection = psycopg.connect(self.address, autocommit=True, prepare_threshold=2)
        try:
            connection.execute("SET synchronous_commit = on")
            if connection.info.server_version >= ENDS_THEM:
                connection.execute(f"SET transaction_timeout = '{HELD_S}s'".encode())
            self._check_durable(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_durable(self, connection: Connection[tuple[Any, ...]]) -> None:
        """Refuse a server that says it has written what it has not."""
        (fsync,) = connection.execute("SHOW fsync").fetchone() or ("off",)
        if fsync != "on":
            raise JournalError(f"{_public(self.address)} does not wait for its disk (fsync is off); a journal must")

    def _connected(self) -> Connection[tuple[Any, ...]]:
        """The connection, made anew when it is lost; a server that is gone is waited for, so long and no longer."""
        self._check_writable()
        until = time.monotonic() + self._back_within_s
        while self._connection is None or self._connection.closed:
            if time.monotonic() < self._away_until:  # it was waited for a moment ago
                raise AwayError(f"{_public(self.address)} cannot be reached")
            try:
                self._connection = self._connect()
            except LOST as error:
                self.away_at = time.monotonic()
                if self.away_at >= until:
                    self._away_until = time.monotonic() + AWAY_S
                    raise AwayError(f"{_public(self.address)} cannot be reached: {error}") from error
                time.sleep(TRY_AGAIN_S)
        return self._connection

    def _revision(self, connection: Connection[tuple[Any, ...]]) -> int | None:
        """The revision of the tables, None where there are none; Alembic kept it until the third."""
        for query in (b"SELECT revision FROM store", b"SELECT version_num FROM alembic_version"):
            with suppress(errors.UndefinedTable):
                (revision,) = connection.execute(query).fetchone() or (None,)
                return None if revision is None else int(revision)
        return None

    # --- Writing and reading ------------------------------------------------------------------------------------------

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Measures how long the server takes, so that one that hangs is noticed while it does."""
        self.asked_at = began = time.monotonic()
        try:
            yield
        finally:
            self.asked_at = 0.0
            if time.monotonic() - began > SILENCE_S:
                self.away_at = time.monotonic()

    def _write(self, steps: list[Step]) -> bool:
        with self._asking():
            return self._send(steps)

    def _send(self, steps: list[Step]) -> bool:
        connection = self._connected()
        try:
            return self._do(connection, steps)
        except LOST as error:
            self._lose()
            if isinstance(error, errors.DiskFull):
                raise FullError(str(error)) from error
            if isinstance(error, errors.TransactionRollback):
                raise BehindError(str(error)) from error
            raise InDoubtError(f"{_public(self.address)}: the connection was lost while writing: {error}") from error
        except psycopg.Error as error:
            self._lose()
            raise _error(error) from error
        except BaseException:
            self._lose()
            raise

    def _do(self, connection: Connection[tuple[Any, ...]], steps: list[Step]) -> bool:
        """Send all of it at once, ends of chains first; an end that is elsewhere fails the whole on the server."""
        try:
            if (values := _one_entry(steps)) is not None:
                return connection.execute(self._sent["one_entry"], values).rowcount == 1
            # One statement after another on one cursor: `executemany` would wait for the server in between.
            with connection.pipeline(), connection.cursor() as cursor:
                cursor.execute("BEGIN")
                for name, rows in steps:
                    for row in rows:
                        cursor.execute(self._sent[name], row)
                    if name == "entry":
                        table, last, *_ = rows[-1]
                        cursor.execute(TELL, (CHANNEL, f"{table} {last}"))
                cursor.execute("COMMIT")
        except (errors.DivisionByZero, errors.UniqueViolation) as error:
            if error.diag.constraint_name not in (None, FIRST_WRITES):
                raise
            self._lose()
            return False
        return True

    def _lose(self) -> None:
        """Let go of a connection after a failure, and of what was written or prepared on it by halves."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _fetched(self, text: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._lock, self._asking():
            until = time.monotonic() + self._back_within_s
            while True:
                try:
                    return self._connected().execute(text.encode(), values).fetchall()
                except LOST as error:  # reading again changes nothing
                    self._lose()
                    if time.monotonic() >= until:
                        raise AwayError(f"{_public(self.address)} cannot be reached: {error}") from error

    def wait(self, known: Mapping[str, int], timeout_s: float) -> dict[str, int]:
        """Sleep until there is more; the database tells of what. One thread of a process waits."""
        until = time.monotonic() + timeout_s
        while True:
            try:
                if self._listening is None or self._listening.closed:
                    self._listening = self._connect()
                    self._listening.execute(f"LISTEN {CHANNEL}")
                    self._notified = self.ends()
                self._listen(self._listening, 0)
                if self._notified == known:
                    self._listen(self._listening, until - time.monotonic())
                self._check_revision(self._listening)
                if self._notified == known and time.monotonic() >= until:
                    self._notified = self.ends()  # nothing was told, or nothing is told any more
                    return dict(self._notified)
                if self._notified != known:
                    return dict(self._notified)
            except LOST as error:
                time.sleep(TRY_AGAIN_S)
                if time.monotonic() >= until:
                    raise AwayError(f"{_public(self.address)} cannot be reached: {error}") from error

    def _check_revision(self, listening: Connection[tuple[Any, ...]]) -> None:
        """Once a second: nothing can be written any more to what a newer program has brought up to its own revision."""
        if time.monotonic() >= self._check_due:
            self._check_due = time.monotonic() + 1
            try:
                check_revision(self._revision(listening), _public(self.address))
            except NewerError as error:
                self.broken = str(error)

    def _listen(self, listening: Connection[tuple[Any, ...]], timeout_s: float) -> None:
        """What the database tells of within this time: which tables end where now."""
        for notice in listening.notifies(timeout=max(0, timeout_s), stop_after=1):
            table, _, last = notice.payload.rpartition(" ")
            self._notified[table] = max(int(last), self._notified.get(table, 0))

    def close(self) -> None:
        with self._lock:
            self._lose()
            self.broken = self.broken or "it was closed"
            if self._listening is not None:
                self._listening.close()


TELL = b"SELECT pg_notify(%s, %s)"  # Heard by others only when the transaction is committed

# What nearly every act writes, as one statement and so as one transaction: what the client does for each statement
# costs more than deciding an act. Where the chain ends elsewhere nothing is written, and nobody is told.
ONE_ENTRY = """
WITH here AS ({}), moved AS (
    UPDATE accounts SET balance = balance + move.more FROM unnest(%s::bigint[], %s::text[]) AS move (more, account)
    WHERE accounts.stream = %s AND accounts.account = move.account AND EXISTS (SELECT FROM here)
)
INSERT INTO entries (stream, sequence, key, line) SELECT %s::text, %s::bigint, %s::text, %s::bytea FROM here
RETURNING pg_notify(%s, %s)"""


def _one_entry(steps: list[Step]) -> tuple[object, ...] | None:
    """The values of `ONE_ENTRY`, where there is one entry to be written, and nothing beside it but its moves."""
    names, rows = zip(*steps, strict=True)
    if names not in (("ends_so", "entry"), ("ends_so", "entry", "move")) or len(rows[1]) > 1:
        return None
    (entry,), moves = rows[1], rows[2] if len(rows) > 2 else ()
    amounts, accounts = [more for more, _, _ in moves], [account for _, _, account in moves]
    return *rows[0][0], amounts, accounts, entry[0], *entry, CHANNEL, f"{entry[0]} {entry[1]}"


# A question that must find its row, for the answer is looked at when everything has been sent.
MUST_BE = "SELECT 1 / count(*) FROM ({}) AS matching"

# Of two who write the same sequence the database lets one in; who was too late learns why as if it had been seen.
FIRST_WRITES = "pk_entries"

BY_CONSTRAINT: dict[str, tuple[type[JournalError], str]] = {
    "uq_entries_stream_key": (KeyTakenError, "there is an entry under this key"),
    "ck_accounts_balance": (OverdrawnError, "a player's account would be below zero"),
    "ck_accounts_range": (JournalError, "an account would hold more than is ever kept in one"),
}


def _error(error: psycopg.Error) -> JournalError:
    kind, sentence = BY_CONSTRAINT.get(error.diag.constraint_name or "", (JournalError, str(error)))
    return kind(sentence)


def _public(address: str) -> str:
    """An address without what is secret in it."""
    return address.partition("?")[0].rpartition("@")[2] or "PostgreSQL"
