"""Which store a name stands for: a file for SQLite, an address for PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from passline.errors import JournalError

if TYPE_CHECKING:
    from passline.journal.postgres import PostgresJournal
    from passline.journal.sqlite import SqliteJournal

ADDRESSES = ("postgresql://", "postgres://")


def open_journal(name: str | Path, *, read_only: bool = False) -> SqliteJournal | PostgresJournal:
    """Open a journal by the path of its file or by its address: `evening.db`, `postgresql://host/name`."""
    if isinstance(name, str) and name.startswith(ADDRESSES):
        try:
            from passline.journal.postgres import PostgresJournal
        except ImportError:
            raise JournalError("a journal in PostgreSQL needs psycopg: pip install passline[postgres]") from None
        return PostgresJournal(name)
    from passline.journal.sqlite import SqliteJournal

    return SqliteJournal(name, read_only=read_only)
