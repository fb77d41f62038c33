"""A journal in one file: SQLite in WAL mode, every commit on the disk when it returns, one connection that writes.

SQLite from 3.7.0 to 3.51.2 can damage a file in WAL mode when two connections write or checkpoint at the same moment,
and many systems bring such a version. So one connection does all of both, and a lock keeps other writers out.
"""

import os
import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any

from passline.errors import BehindError, BrokenError, BusyError, FullError, JournalError, KeyTakenError, OverdrawnError
from passline.journal.sql import SqlJournal, Step, check_revision, migration

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FULL, BUSY, CONSTRAINT = 13, 5, 19  # SQLite's codes for these; an extended code has them in its low byte

# What is said of a constraint that SQLite names, the first that fits.
BY_CONSTRAINT: dict[str, tuple[type[JournalError], str]] = {
    "entries.key": (KeyTakenError, "there is an entry under this key"),
    "entries": (BehindError, "there is an entry with this sequence"),
    "ck_accounts_balance": (OverdrawnError, "a player's account would be below zero"),
    "ck_accounts_": (JournalError, "an account would hold more than is ever kept in one"),
}

PAGE_BYTES = 2048  # how large the pages of a new file are: an entry fits into one, and a commit writes whole pages

# How many pages the log has before they go over into the file: every table waits while they do, so it is seldom.
CHECKPOINT_PAGES = 8192
LOG_BYTES_AT_ONCE = 1 << 20
LOOK_EVERY_S = 0.1  # how often somebody who waits looks for what another process wrote

# Statements whose rows are executed together: every call of SQLite lets other threads run Python and then waits for
# its turn again, which costs more than the statement does.
TOGETHER = ("entry", "move")
ROWS_AT_ONCE = 64

# In the header of a file: that it is a journal. `user_version` there is the revision of its tables.
APPLICATION = int.from_bytes(b"PASS", "big")


# --- One writer -----------------------------------------------------------------------------------------------------

File = tuple[int, int]  # a file itself, whatever its names: its device and its inode


class _Handles:
    """Our own handles of files that SQLite has open: by POSIX, closing any of them ends all of SQLite's locks there.

    So they are closed when no journal of this process has the file open any more.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._users: dict[File, int] = defaultdict(int)
        self._idle: dict[File, list[int]] = defaultdict(list)

    def use(self, path: Path) -> File:
        about = path.stat()
        with self._lock:
            self._users[about.st_dev, about.st_ino] += 1
        return about.st_dev, about.st_ino

    def done(self, file: File, handles: Sequence[int] = ()) -> None:
        with self._lock:
            self._users[file] -= 1
            self._idle[file] += handles
            if not self._users[file]:
                del self._users[file]
                for handle in self._idle.pop(file):
                    os.close(handle)


HANDLES = _Handles()


class WriterLock:
    """Held on a file's name, by which SQLite finds its log, and on the file itself, by whatever name it is reached.

    It goes with the process that holds it, however that ends. Only Linux keeps such a lock on a file apart from
    SQLite's own: elsewhere it is on the name alone.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._beside = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError:
            raise JournalError(f"{path}: there is no folder {path.parent}; make it, or name another") from None
        except OSError as error:
            why = error.strerror or error
            raise JournalError(f"{path} cannot be written to, for nothing can beside it: {why}") from None
        try:
            _lock(self._beside, path)
            # Made so that nobody else on this computer reads it; what SQLite makes beside it follows it.
            self._within = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            os.close(self._beside)
            raise JournalError(f"{path} cannot be opened: {error.strerror or error}") from None
        except BaseException:
            os.close(self._beside)
            raise
        self._file = HANDLES.use(path)
        try:
            _check_names(self._within, path)
            if sys.platform == "linux":
                _lock(self._within, path)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Let another process in, the connection to the file having been closed."""
        if sys.platform == "linux":
            fcntl.flock(self._within, fcntl.LOCK_UN)
        HANDLES.done(self._file, [self._within])
        os.close(self._beside)


def _lock(handle: int, path: Path) -> None:
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise BusyError(
            f"{path} is open for writing elsewhere, and one process writes to a journal in SQLite. "
            "Close that one, or keep the journal in PostgreSQL."
        ) from None


def _check_names(handle: int, path: Path) -> None:
    """Refuse a file with hard links: SQLite would keep a log for each of its names."""
    if (names := os.fstat(handle).st_nlink) > 1:
        raise JournalError(
            f"{path} is one of {names} names of one file, and a journal has one: "
            "delete the others, or give this one a copy of its own"
        )


# --- SQLite ---------------------------------------------------------------------------------------------------------


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(f"{path.name}-{ending}")


def _how(path: Path) -> str:
    """How a file is only read: where nothing can be written beside it and no log waits there, as what never changes."""
    if os.access(path.parent, os.W_OK):
        return "?mode=ro"
    log, index = _beside(path, "wal"), _beside(path, "shm")
    if not (log.exists() and log.stat().st_size > 0):
        return "?mode=ro&immutable=1"
    if not index.exists():
        raise JournalError(
            f"{path} was not closed: part of it is in {log.name}, and nothing can be written here to read the two "
            "together. Copy both into a folder of your own, and read it there"
        )
    return "?mode=ro"


def _tidy(path: Path) -> None:
    """Take away what a reader leaves beside a journal that nobody has open: an empty log and its index.

    SQLite does that for whoever could write and is the last to go, and for nobody who only reads.
    """
    log = _beside(path, "wal")
    with suppress(OSError, sqlite3.Error):
        if log.stat().st_size == 0 and os.access(path, os.W_OK):
            connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=0)
            try:
                connection.execute("SELECT name FROM sqlite_master LIMIT 1").fetchall()
            finally:
                connection.close()


class PythonDriver:
    """The SQLite that comes with Python; whatever stands in for it has the same methods."""

    errors: type[Exception] = sqlite3.Error

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        uri = f"{path.absolute().as_uri()}{_how(path) if read_only else ''}"
        self.connection = sqlite3.connect(
            uri, uri=True, isolation_level=None, check_same_thread=False, cached_statements=256, timeout=5
        )
        self._cursor = self.connection.cursor()

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self.connection.execute(sql, values).fetchall()

    def do(self, sql: str, values: Sequence[object] = ()) -> int:
        """Do one statement, always by the same cursor: there is a handful of them to every commit."""
        return self._cursor.execute(sql, values).rowcount

    def code(self, error: Exception) -> int:
        return getattr(error, "sqlite_errorcode", 1)

    def close(self) -> None:
        self.connection.close()


def _write_log_again(path: Path) -> None:
    """Write the log that somebody left as it is read, and sync it: after a failed sync a system may call it clean.

    What is read may then be in its memory and on no disk, and a sync that finds nothing to do would not say so.
    """
    log = _beside(path, "wal")
    try:
        with log.open("r+b", buffering=0) as file:
            at = 0
            while block := file.read(LOG_BYTES_AT_ONCE):
                file.seek(at)
                at += file.write(block)
            os.fsync(file.fileno())
    except FileNotFoundError:
        return
    except OSError as error:
        raise BrokenError(f"{log} cannot be written again: {error}") from error


@cache
def _of_rows(statement: str, count: int) -> str:
    """A statement whose `VALUES` have one row, with so many."""
    row = statement[statement.rindex("(?") : statement.rindex("?)") + 2]
    return statement.replace(row, ", ".join([row] * count))


class SqliteJournal(SqlJournal):
    """Any number of tables in one file."""

    def __init__(
        self, path: Path | str, *, read_only: bool = False, driver: Callable[[Path], PythonDriver] | None = None
    ) -> None:
        super().__init__("sqlite")
        self.path = Path(path)
        self._at = self.path.resolve()  # where the file is, behind links: its log is beside it there
        self._reads = read_only
        self._lock_file: WriterLock | None = None
        self._used: File | None = None
        if read_only and not self.path.exists():
            raise JournalError(f"there is no journal {self.path}")
        if self.path.is_dir():
            raise JournalError(f"{self.path} is a folder; give the file of a journal, such as evening.db")
        if not read_only:
            self._lock_file = WriterLock(self._at)
        try:
            if not read_only:
                _write_log_again(self._at)
            self._used = HANDLES.use(self._at)
            self._open(driver)
        except BaseException:
            self._release()
            raise

    def _open(self, driver: Callable[[Path], PythonDriver] | None) -> None:
        try:
            self._driver = driver(self._at) if driver else PythonDriver(self._at, read_only=self._reads)
        except JournalError:
            raise
        except Exception as error:  # a driver's errors are known only when it is there
            raise JournalError(f"{self.path} cannot be opened: {error}") from error
        try:
            if self._reads:
                self._ask("PRAGMA query_only = ON")
                check_revision(self._revision(), self.path, today=True)
            else:
                self._prepare()
        except self._driver.errors as error:
            self._driver.close()
            raise self._error(error) from error
        except BaseException:
            self._driver.close()
            raise

    def _prepare(self) -> None:
        """Make sure that a commit is on the disk when it returns, and that the tables are those of today."""
        self._ask(f"PRAGMA page_size = {PAGE_BYTES}")
        if self._ask("PRAGMA journal_mode = WAL") != "wal":
            raise JournalError(f"{self.path} cannot be kept in WAL mode: is it on a network disk?")
        self._ask("PRAGMA synchronous = FULL")
        self._ask(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        self._ask("PRAGMA fullfsync = ON")
        self._ask("PRAGMA checkpoint_fullfsync = ON")
        self._ask("PRAGMA trusted_schema = OFF")
        if self._ask("PRAGMA synchronous") != 2:
            raise JournalError(f"{self.path}: this SQLite does not wait for the disk, and a journal must")
        # What an earlier process could not sync is in the system's memory only: bring it over before building on it.
        self._ask("PRAGMA wal_checkpoint(TRUNCATE)")
        self._migrate()

    def _migrate(self) -> None:
        """Bring the tables up to date, all in one transaction: it is done or it is not."""
        check_revision(revision := self._revision(), self.path)
        if not (statements := migration("sqlite", revision)):
            return
        self._ask("BEGIN IMMEDIATE")
        try:
            for statement in statements:
                self._ask(statement)
            self._ask("COMMIT")
        except BaseException:
            with suppress(self._driver.errors):  # SQLite may have rolled it back itself; the first error is raised
                self._ask("ROLLBACK")
            raise

    def _ask(self, pragma: str) -> object:
        rows = self._driver.rows(pragma)
        return rows[0][0] if rows else None

    def _revision(self) -> int | None:
        """The revision of the tables, None in an empty file; Alembic kept it until the third."""
        if self._ask("PRAGMA application_id") == APPLICATION:
            return int(str(self._ask("PRAGMA user_version")))
        names = [name for (name,) in self._driver.rows("SELECT name FROM sqlite_master")]
        if "alembic_version" in names:
            return int(str(self._ask("SELECT version_num FROM alembic_version")))
        if names:
            raise JournalError(f"{self.path} is another program's database, and no journal")
        return None

    # --- Writing and reading ------------------------------------------------------------------------------------------

    def _write(self, steps: list[Step]) -> bool:
        driver, do, sql = self._driver, self._driver.do, self._sql
        try:
            do("BEGIN IMMEDIATE")
            together: dict[str, list[tuple[Any, ...]]] = {name: [] for name in TOGETHER}
            for name, rows in steps:
                text = sql[name].text
                if name in together:
                    together[name] += rows
                elif name == "ends_so":
                    if not driver.rows(text, rows[0]):
                        do("ROLLBACK")
                        return False
                else:
                    for row in rows:
                        do(text, row)
            for name, rows in together.items():
                for at in range(0, len(rows), ROWS_AT_ONCE):
                    some = rows[at : at + ROWS_AT_ONCE]
                    do(_of_rows(sql[name].text, len(some)), [*chain.from_iterable(some)])
            do("COMMIT")
        except driver.errors as error:
            raise self._undone(error) from error
        except BaseException as error:
            self._undone(error)
            raise
        return True

    def _undone(self, error: BaseException) -> JournalError:
        """Take a transaction back that failed; whatever is not known to be harmless stops the journal for good."""
        failure = self._error(error)
        try:
            self._driver.do("ROLLBACK")
        except self._driver.errors as again:
            if "no transaction is active" not in str(again):  # SQLite may have taken it back itself
                failure = BrokenError(f"{self.path}: {error}; then {again}")
        if isinstance(failure, BrokenError):
            self.broken = str(failure)
        return failure

    def _error(self, error: BaseException) -> JournalError:
        code, text = (self._driver.code(error) if isinstance(error, Exception) else 1) & 0xFF, str(error)
        if code == CONSTRAINT:
            for part, (kind, sentence) in BY_CONSTRAINT.items():
                if part in text:
                    return kind(f"{self.path}: {sentence}")
        return {FULL: FullError, BUSY: BusyError}.get(code, BrokenError)(f"{self.path}: {text}")

    def _fetched(self, text: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._driver.rows(text, values)
            except self._driver.errors as error:
                raise self._error(error) from error

    def wait(self, known: Mapping[str, int], timeout_s: float) -> dict[str, int]:
        """Sleep until there is more, looking now and then: into the file only where others write to it."""
        until = time.monotonic() + timeout_s
        while (ends := self._all_ends()) == known and time.monotonic() < until:
            time.sleep(LOOK_EVERY_S)
        return dict(ends)

    def _all_ends(self) -> dict[str, int]:
        """Where each table ends; who alone writes to the file knows it after the first look."""
        if self._reads:
            return self.ends()
        with self._lock:
            self._ends = self._ends or self.ends()
            return self._ends

    def backup(self, path: Path | str) -> None:
        """Write the whole journal, as it is at one moment, to a new file."""
        target = Path(path)
        if target.exists():
            raise JournalError(f"{target} is there already")
        self._fetched("VACUUM INTO ?", (str(target),))

    def close(self) -> None:
        with self._lock:
            self.broken = self.broken or "it was closed"
            try:
                self._driver.close()
            finally:
                self._release()
            if self._reads:
                _tidy(self._at)

    def _release(self) -> None:
        if self._used is not None:
            HANDLES.done(self._used)
            self._used = None
        if self._lock_file is not None:
            self._lock_file.release()
            self._lock_file = None
