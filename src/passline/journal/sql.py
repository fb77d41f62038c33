"""What SQLite and PostgreSQL have in common: the same rows, the same statements, the same order of writing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import RLock
from typing import Any

from sqlalchemy import Dialect

from passline.errors import BehindError, BrokenError, FencedError, JournalError
from passline.journal.contract import Head, SignedHead, Snapshot, Write, balances, moved
from passline.journal.entries import hash_in, read_entry
from passline.journal.schema import statements

NONE: frozenset[str] = frozenset()

LINES_AT_ONCE = 1_000
"""How many entries are fetched together."""

Step = tuple[str, list[tuple[Any, ...]]]
"""A statement by its name, and what it is done with, once for each, in the order that `Statement.names` has."""


class SqlJournal:
    """A journal in a database; how to talk to it is for each database to say."""

    shared = False

    def __init__(self, dialect: Dialect) -> None:
        self._sql = statements(dialect)
        self._lock = RLock()
        self._known: dict[str, set[str]] = {}
        """The accounts of each table that are known to be there."""
        self._ends: dict[str, int] = {}
        """Where each table ends, for whoever waits, once somebody has."""
        self._written: dict[str, Head] = {}
        """Where each table ends that was written to here; nobody need look again where nobody else writes."""
        self._broken: str | None = None
        """Why nothing is written any more."""

    # --- What each database does its own way --------------------------------------------------------------------------

    def _write(self, steps: list[Step]) -> bool:
        """Do all of this in one durable transaction, or nothing; False when the chain does not end as believed."""
        raise NotImplementedError

    def _fetched(self, text: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        """The rows that answer a question."""
        raise NotImplementedError

    def _rows(self, question: str, /, **values: object) -> list[tuple[Any, ...]]:
        text, names = self._sql[question]
        return self._fetched(text, tuple([values[name] for name in names]))

    # --- Writing ------------------------------------------------------------------------------------------------------

    def append(self, *writes: Write) -> None:
        """Write all of this, durable when the call returns, or none of it."""
        with self._lock:
            self._go_on()
            # In the order of their names, so that two writers never wait for each other.
            ordered = writes if len(writes) == 1 else sorted(writes, key=lambda write: write.head.table)
            fresh: dict[str, set[str]] = {}
            steps: list[Step] = []
            for write in ordered:
                self._claim(write, steps)
            for write in ordered:
                self._put(write, steps, fresh)
            if not self._write(steps):
                raise self._why(ordered)
            for table, accounts in fresh.items():
                self._known.setdefault(table, set()).update(accounts)
            if not self.shared:
                self._written.update((write.head.table, write.end) for write in writes)
            if self._ends:
                self._ends.update((write.head.table, write.end.sequence) for write in writes)

    def _claim(self, write: Write, steps: list[Step]) -> None:
        """Write on where a table's chain ends, if it ends as the writer believes; others wait for that: it comes first.

        Of two who write the same sequence the database lets one in, and the other wait for what comes of it. Who
        writes no entry, and only wants a chain to end there still, keeps everybody else from that table meanwhile.
        """
        (table, last, digest, held), entries = write.head, write.entries
        if entries and not last:
            steps.append(("begin_stream", [(table, 0)]))
        elif self._written.get(table) != write.head:  # else it was we who wrote it, and nobody else writes here
            if not entries:
                steps.append(("lock", [(table,)]))
            steps.append(("ends_so", [(table, held, last, f',"hash":"{digest}"'.encode(), table, last + 1)]))
        if entries:
            steps.append(("entry", [(table, each.sequence, each.key, each.line) for each in entries]))
        if write.fence is not None and write.fence != held:
            steps.append(("take_over", [(write.fence, table)]))

    def _put(self, write: Write, steps: list[Step], fresh: dict[str, set[str]]) -> None:
        """What is written beside the entries of one table."""
        entries, table = write.entries, write.head.table
        if more := moved(entries):
            if not self._known.get(table, NONE).issuperset(more):
                fresh[table] = set(more)
                steps.append(("account", [(table, account, 0) for account in sorted(more)]))
            steps.append(("move", [(more[account], table, account) for account in sorted(more) if more[account]]))
        if write.snapshot is not None:
            steps.append(("forget_snapshot", [(table,)]))
            steps.append(("keep_snapshot", [(table, *write.snapshot)]))
        if write.secrets:
            steps.append(("keep_secret", [(table, name, sealed) for name, sealed in write.secrets.items()]))

    def _why(self, writes: Sequence[Write]) -> JournalError:
        """Why the chain does not end where a writer believed."""
        for write in writes:
            held, now = write.head, self.head(write.head.table) or Head(write.head.table)
            if now.fence != held.fence:
                no = f"{held.table} was taken over: fence {held.fence} is held, {now.fence} is due"
                return FencedError(no)
            if now != held:
                return BehindError(f"{held.table} has {now.sequence} entries, not {held.sequence}")
        return BehindError("another writer was in between; read and decide again")

    def _go_on(self) -> None:
        """Nothing is written once something is broken: what was lost once can be lost again."""
        if self._broken is not None:
            raise BrokenError(f"the journal was stopped: {self._broken}. Open it anew and look what is there.")

    def sign(self, heads: Sequence[SignedHead]) -> None:
        with self._lock:
            self._go_on()
            rows = [(each.table, each.sequence, each.time, each.key, each.hash, each.signature) for each in heads]
            self._write([("keep_head", rows)])

    # --- Reading ------------------------------------------------------------------------------------------------------

    def head(self, table: str) -> Head | None:
        """Where a table's chain ends."""
        rows = self._rows("head", stream=table)
        return Head(table, rows[0][0], hash_in(bytes(rows[0][1])), rows[0][2]) if rows else None

    def tables(self) -> list[str]:
        """The names of all tables."""
        return [name for (name,) in self._rows("tables")]

    def ends(self) -> dict[str, int]:
        return {name: int(sequence) for name, sequence in self._rows("ends")}

    def lines(self, table: str, after: int = 0, upto: int | None = None) -> Iterator[bytes]:
        """The entries as they are kept, in order, unread."""
        head = self.head(table)
        end = min(head.sequence if head else 0, head.sequence if head and upto is None else upto or 0)
        while after < end:
            until = min(after + LINES_AT_ONCE, end)
            for _, line in self._rows("lines", stream=table, after=after, upto=until):
                yield bytes(line)
            after = until

    def under_key(self, table: str, key: str) -> bytes | None:
        """The entry under a key."""
        rows = self._rows("under_key", stream=table, key=key)
        return bytes(rows[0][0]) if rows else None

    def snapshot(self, table: str) -> Snapshot | None:
        rows = self._rows("snapshot", stream=table)
        return Snapshot(rows[0][0], bytes(rows[0][1])) if rows else None

    def secret(self, table: str, name: str) -> bytes | None:
        """What is kept beside the journal."""
        rows = self._rows("secret", stream=table, name=name)
        return bytes(rows[0][0]) if rows else None

    def secrets(self, table: str) -> dict[str, bytes]:
        """All that is kept beside the journal."""
        return {name: bytes(sealed) for name, sealed in self._rows("secrets", stream=table)}

    def balances(self, table: str, at: int | None = None) -> dict[str, int]:
        """What lies in each account."""
        if at is not None:
            return balances(moved(map(read_entry, self.lines(table, 0, at))))
        return balances(dict(self._rows("balances", stream=table)))

    def heads(self, table: str) -> list[SignedHead]:
        """The signed heads of a table."""
        rows = self._rows("heads", stream=table)
        return [SignedHead(name, sequence, digest, time, key, s) for name, sequence, time, key, digest, s in rows]
