"""What SQLite and PostgreSQL have in common: one page of SQL, the same rows, the same order of writing."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from passline.errors import BehindError, BrokenError, FencedError, JournalError, NewerError, OlderError
from passline.files.needed import missing
from passline.journal.contract import SEQUENCE_MAX, Head, Snapshot, Write, hash_in, house_digest, moved, read_entry
from passline.journal.contract import balances as in_order
from passline.live.entries import SignedHead

if TYPE_CHECKING:  # each imports this module
    from passline.journal.postgres import PostgresJournal
    from passline.journal.sqlite import SqliteJournal

Database = Literal["sqlite", "postgresql"]
PLACEHOLDERS: dict[Database, str] = {"sqlite": "?", "postgresql": "%s"}
ADDRESSES = ("postgresql://", "postgres://")
WORDS = re.compile(r"(dbname|host|hostaddr|port|service|user) *=")  # how an address in words begins, which is no file's

FOLDER = Path(__file__).parent
# The revision of the tables that this program writes; `revisions/N.sql` leads to revision N from the one before.
REVISION = 5
LINES_AT_ONCE = 1_000  # how many entries are fetched together
ONLY = re.compile(r"\s*--(sqlite|postgresql)$")
NONE: frozenset[str] = frozenset()


def open_journal(
    name: str | Path, *, read_only: bool = False, back_within_s: float | None = None
) -> SqliteJournal | PostgresJournal:
    """Open a journal by the path of its file or by its address: `evening.db`, `postgresql://host/name`.

    `back_within_s` is how long a server that is gone is waited for.
    """
    if isinstance(name, str) and name.startswith(ADDRESSES):
        try:
            from passline.journal.postgres import PostgresJournal
        except ImportError as error:
            raise missing(error, "a journal in PostgreSQL") from None
        return PostgresJournal(name) if back_within_s is None else PostgresJournal(name, back_within_s=back_within_s)
    if isinstance(name, str) and WORDS.match(name):
        raise JournalError(f"{name.partition('=')[0]}=… is no file: write the address as postgresql://user@host/name")
    from passline.journal.sqlite import SqliteJournal

    return SqliteJournal(name, read_only=read_only)


# --- The page of SQL ------------------------------------------------------------------------------------------------


class Statement(NamedTuple):
    text: str
    names: tuple[str, ...]  # its parameters, in the order in which they are bound


def _parts(database: Database, text: str) -> list[str]:
    """The statements of a piece of the page that are for one database."""
    lines = [
        ONLY.sub("", line)
        for line in text.splitlines()
        if not line.startswith("--") and ((mark := ONLY.search(line)) is None or mark[1] == database)
    ]
    return [part.strip() for part in "\n".join(lines).split("\n\n") if part.strip()]


@cache
def _page() -> dict[str, str]:
    """The sections of the page, by name."""
    _, *rest = re.split(r"^-- name: (\w+)$", (FOLDER / "store.sql").read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(rest[::2], rest[1::2], strict=True))


@cache
def statements(database: Database) -> dict[str, Statement]:
    """Each statement as this database's driver wants it, by name."""
    made: dict[str, Statement] = {}
    for name, section in _page().items():
        if name != "schema":
            (text,) = _parts(database, section)
            names = tuple(re.findall(r":(\w+)", text))
            made[name] = Statement(re.sub(r":\w+", PLACEHOLDERS[database], text), names)
    return made


@cache
def migration(database: Database, revision: int | None) -> tuple[str, ...]:
    """The statements that lead from a revision (None: an empty database) to today's."""
    if revision is None:
        return tuple(_parts(database, _page()["schema"]))
    files = (FOLDER / "revisions" / f"{number}.sql" for number in range(revision + 1, REVISION + 1))
    return tuple(part for file in files for part in _parts(database, file.read_text("utf-8")))


def check_revision(revision: int | None, name: object, *, today: bool = False) -> None:
    """Refuse what a newer Passline wrote; with `today`, also what is not there or must be migrated first."""
    if revision is not None and not 1 <= revision <= REVISION:
        raise NewerError(
            f"{name} was made by a newer Passline: revision {revision}, and this one knows up to {REVISION}. "
            "Use that newer one."
        )
    if today and revision is None:
        raise JournalError(f"{name} has no journal in it")
    if today and revision != REVISION:
        raise OlderError(
            f"{name} is of an older revision, {revision}. What serves it brings it up to date; "
            "`passline journal restore` makes an up-to-date copy of a backup"
        )


# --- The journal ----------------------------------------------------------------------------------------------------

# A statement by its name, and its parameters, once for each time that it is executed.
Step = tuple[str, list[tuple[Any, ...]]]


class _Waiting:
    __slots__ = ("done", "error", "writes")

    def __init__(self, writes: Sequence[Write]) -> None:
        self.writes, self.done = writes, False
        self.error: JournalError | None = None


class SqlJournal:
    """A journal in a database; how to talk to it is for each database to say."""

    shared = False

    def __init__(self, database: Database) -> None:
        self.broken: str | None = None
        self._sql = statements(database)
        self._lock = RLock()
        # Told of every commit: how long it took, and how many entries it wrote.
        self.on_commit: Callable[[float, int], None] = lambda _seconds, _entries: None
        self.signed_at = 0.0  # when heads were last signed, in seconds since 1970
        self._waiting: deque[_Waiting] = deque()  # what is to be written when whoever writes now is done
        self._known: dict[str, set[str]] = {}  # the accounts of each table that are known to be there
        self._ends: dict[str, int] = {}  # where each table ends, for whoever waits, once somebody has
        # Where each table ends that was written to here; nobody need look again where nobody else writes.
        self._written: dict[str, Head] = {}

    def _write(self, steps: list[Step]) -> bool:
        """Do all of this in one durable transaction, or nothing; False when the chain does not end as believed."""
        raise NotImplementedError

    def _fetched(self, text: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    def _rows(self, query: str, /, **values: object) -> list[tuple[Any, ...]]:
        text, names = self._sql[query]
        return self._fetched(text, tuple([values[name] for name in names]))

    # --- Writing ------------------------------------------------------------------------------------------------------

    def append(self, *writes: Write) -> None:
        """Whoever comes while another commits waits, and is then written together with all who came meanwhile."""
        mine = _Waiting(writes)
        self._waiting.append(mine)
        with self._lock:
            while not mine.done:
                self._commit()
        if mine.error is not None:
            raise mine.error

    def _commit(self) -> None:
        """Write what waits in one transaction; where it must not be written so, each by itself."""
        group, streams = list[_Waiting](), set[str]()
        for each in tuple(self._waiting):
            names = {write.head.table for write in each.writes}
            if names.isdisjoint(streams):  # who writes to the same stream comes after
                group.append(each)
                self._waiting.remove(each)
            streams |= names
        try:
            if len(group) > 1:
                with suppress(JournalError):
                    self._append([write for each in group for write in each.writes])
                    for each in group:
                        each.done = True
            for each in group:
                if not each.done:
                    try:
                        self._append(each.writes)
                    except JournalError as error:
                        each.error = error
                    each.done = True
        except BaseException:  # interrupted: the others are asked again, and look what is there
            self._waiting.extendleft(each for each in reversed(group) if not each.done)
            raise

    def _append(self, writes: Sequence[Write]) -> None:
        self._check_writable()
        # In the order of their names, so that two writers never wait for each other.
        ordered = writes if len(writes) == 1 else sorted(writes, key=lambda write: write.head.table)
        fresh: dict[str, set[str]] = {}
        steps: list[Step] = []
        for write in ordered:
            self._claim(write, steps)
        for write in ordered:
            self._put(write, steps, fresh)
        began = time.monotonic()
        if not self._write(steps):
            raise self._why(ordered)
        self.on_commit(time.monotonic() - began, sum(map(len, [write.entries for write in writes])))
        for table, accounts in fresh.items():
            self._known.setdefault(table, set()).update(accounts)
        for write in writes:
            end = write.end
            if not self.shared:
                self._written[end.table] = end
            if self._ends:
                self._ends[end.table] = end.sequence

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
            steps.append(("keep_snapshot", [(table, *write.snapshot)]))
        if write.secrets:
            steps.append(("keep_secret", [(table, name, sealed) for name, sealed in write.secrets.items()]))
        if write.houses:
            steps.append(("keep_house", [(house_digest(text), text.encode()) for text in write.houses]))

    def _why(self, writes: Sequence[Write]) -> JournalError:
        """Why the chain does not end where a writer believed."""
        for write in writes:
            held, now = write.head, self.head(write.head.table) or Head(write.head.table)
            if now.fence != held.fence:
                return FencedError(f"{held.table} was taken over: fence {held.fence} is held, {now.fence} is due")
            if now != held:
                return BehindError(f"{held.table} has {now.sequence} entries, not {held.sequence}")
        return BehindError("another writer was in between; read and decide again")

    def _check_writable(self) -> None:
        """Nothing is written once something is broken: what was lost once can be lost again."""
        if self.broken is not None:
            raise BrokenError(f"the journal was stopped: {self.broken}. Open it anew and look what is there.")

    def sign(self, heads: Sequence[SignedHead]) -> None:
        with self._lock:
            self._check_writable()
            rows = [(each.table, each.sequence, each.time, each.key, each.hash, each.signature) for each in heads]
            self._write([("keep_head", rows)])
            self.signed_at = time.time()

    # --- Reading ------------------------------------------------------------------------------------------------------

    def head(self, table: str) -> Head | None:
        rows = self._rows("head", stream=table)
        return Head(table, rows[0][0], hash_in(bytes(rows[0][1])), rows[0][2]) if rows else None

    def tables(self) -> list[str]:
        return [name for (name,) in self._rows("tables")]

    def ends(self) -> dict[str, int]:
        return {name: int(sequence) for name, sequence in self._rows("ends")}

    def lines(self, table: str, after: int = 0, upto: int | None = None) -> Iterator[bytes]:
        head = self.head(table) or Head(table)
        end = head.sequence if upto is None else min(head.sequence, upto)
        while after < end:
            until = min(after + LINES_AT_ONCE, end)
            for (line,) in self._rows("lines", stream=table, after=after, upto=until):
                yield bytes(line)
            after = until

    def _first(self, query: str, /, **values: object) -> bytes | None:
        rows = self._rows(query, **values)
        return bytes(rows[0][0]) if rows else None

    def under_key(self, table: str, key: str) -> bytes | None:
        return self._first("under_key", stream=table, key=key)

    def snapshot(self, table: str, upto: int = SEQUENCE_MAX) -> Snapshot | None:
        rows = self._rows("snapshot", stream=table, upto=upto)
        return Snapshot(rows[0][0], bytes(rows[0][1])) if rows else None

    def secret(self, table: str, name: str) -> bytes | None:
        return self._first("secret", stream=table, name=name)

    def secrets(self, table: str) -> dict[str, bytes]:
        return {name: bytes(sealed) for name, sealed in self._rows("secrets", stream=table)}

    def house(self, digest: str) -> str | None:
        text = self._first("house", digest=digest)
        return None if text is None else text.decode()

    def balances(self, table: str, at: int | None = None) -> dict[str, int]:
        if at is not None:
            return in_order(moved(map(read_entry, self.lines(table, 0, at))))
        return in_order(dict(self._rows("balances", stream=table)))

    def heads(self, table: str) -> list[SignedHead]:
        return [SignedHead(*row) for row in self._rows("heads", stream=table)]
