"""The tables of a store in SQLAlchemy Core, and the statements that write them, the same for SQLite and PostgreSQL.

What changes here needs a revision in `revisions`; a test compares the two.
"""

from __future__ import annotations

from typing import NamedTuple, cast

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ColumnElement,
    Dialect,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler

from passline.journal.contract import HOUSE_ACCOUNTS

NAMES = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}
METADATA = MetaData(naming_convention=NAMES)

Whole = BigInteger().with_variant(Integer, "sqlite")
"""A whole number of 64 bits."""


def _stream() -> Column[str]:
    return Column("stream", Text, ForeignKey("streams.stream"), primary_key=True)


STREAMS = Table(
    "streams",
    METADATA,
    Column("stream", Text, primary_key=True),
    Column("fence", Whole, nullable=False),
    sqlite_with_rowid=False,
)
"""Which tables there are, and how often each was taken over; where its chain ends its last entry says."""

ENTRIES = Table(
    "entries",
    METADATA,
    _stream(),
    Column("sequence", Whole, primary_key=True, autoincrement=False),
    Column("key", Text),
    Column("line", LargeBinary, nullable=False),
    UniqueConstraint("stream", "key"),
)

_ALLOWED = ", ".join(f"'{account}'" for account in HOUSE_ACCOUNTS)

ACCOUNTS = Table(
    "accounts",
    METADATA,
    _stream(),
    Column("account", Text, primary_key=True),
    Column("balance", Whole, nullable=False),
    CheckConstraint(f"balance >= 0 OR account IN ({_ALLOWED})", name="balance"),
    sqlite_with_rowid=False,
)

SNAPSHOTS = Table(
    "snapshots",
    METADATA,
    _stream(),
    Column("sequence", Whole, nullable=False),
    Column("line", LargeBinary, nullable=False),
)

SECRETS = Table(
    "secrets",
    METADATA,
    _stream(),
    Column("name", Text, primary_key=True),
    Column("sealed", LargeBinary, nullable=False),
)

HEADS = Table(
    "heads",
    METADATA,
    _stream(),
    Column("sequence", Whole, primary_key=True, autoincrement=False),
    Column("time", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("signature", Text, nullable=False),
)

# --- Statements -----------------------------------------------------------------------------------------------------


def _if_new(dialect: Dialect, table: Table) -> ClauseElement:
    """An insert that leaves what is there alone."""
    maker = postgresql.insert if dialect.name == "postgresql" else sqlite.insert
    return maker(table).on_conflict_do_nothing()


def _has_hash(dialect: Dialect) -> ColumnElement[bool]:
    """Whether an entry is the one of this hash; `,"hash":"…"` stands in its line once, for text there is escaped."""
    said = bindparam("hash", type_=LargeBinary)
    if dialect.name == "postgresql":
        return func.position(said.op("IN")(ENTRIES.c.line)) > literal_column("0")
    return func.instr(ENTRIES.c.line, said) > literal_column("0")


class Statement(NamedTuple):
    """A statement as a database's driver wants it."""

    text: str
    names: tuple[str, ...]
    """What it is done with, in the order in which the driver wants it."""


_WORKED_OUT: dict[str, dict[str, Statement]] = {}


def statements(dialect: Dialect) -> dict[str, Statement]:
    """Each statement as this database's driver wants it, by name; worked out once, for it takes a while."""
    if dialect.name not in _WORKED_OUT:
        _WORKED_OUT[dialect.name] = _statements(dialect)
    return _WORKED_OUT[dialect.name]


def _statements(dialect: Dialect) -> dict[str, Statement]:
    here, other = STREAMS.c.stream == bindparam("stream"), ENTRIES.alias("other")
    last = select(func.max(other.c.sequence)).where(other.c.stream == STREAMS.c.stream).scalar_subquery()
    found: dict[str, ClauseElement] = {
        "begin_stream": _if_new(dialect, STREAMS),
        "lock": select(STREAMS.c.stream).where(here).with_for_update(),
        "ends_so": select(STREAMS.c.stream)
        .join(ENTRIES, ENTRIES.c.stream == STREAMS.c.stream)
        .where(
            here,
            STREAMS.c.fence == bindparam("held"),
            ENTRIES.c.sequence == bindparam("last"),
            _has_hash(dialect),
            ~exists().where(other.c.stream == bindparam("of"), other.c.sequence == bindparam("next")),
        ),
        "take_over": update(STREAMS).where(STREAMS.c.stream == bindparam("of")).values(fence=bindparam("fence")),
        "entry": insert(ENTRIES),
        "account": _if_new(dialect, ACCOUNTS),
        "move": update(ACCOUNTS)
        .where(ACCOUNTS.c.stream == bindparam("of"), ACCOUNTS.c.account == bindparam("name"))
        .values(balance=ACCOUNTS.c.balance + bindparam("more")),
        "forget_snapshot": delete(SNAPSHOTS).where(SNAPSHOTS.c.stream == bindparam("stream")),
        "keep_snapshot": insert(SNAPSHOTS),
        "keep_secret": _if_new(dialect, SECRETS),
        "keep_head": _if_new(dialect, HEADS),
        "head": select(ENTRIES.c.sequence, ENTRIES.c.line, STREAMS.c.fence)
        .join(STREAMS, ENTRIES.c.stream == STREAMS.c.stream)
        .where(here, ENTRIES.c.sequence == last),
        "tables": select(STREAMS.c.stream).order_by(STREAMS.c.stream),
        "ends": select(STREAMS.c.stream, last).order_by(STREAMS.c.stream),
        "lines": select(ENTRIES.c.sequence, ENTRIES.c.line)
        .where(
            ENTRIES.c.stream == bindparam("stream"),
            ENTRIES.c.sequence > bindparam("after"),
            ENTRIES.c.sequence <= bindparam("upto"),
        )
        .order_by(ENTRIES.c.sequence),
        "under_key": select(ENTRIES.c.line).where(
            ENTRIES.c.stream == bindparam("stream"), ENTRIES.c.key == bindparam("key")
        ),
        "snapshot": select(SNAPSHOTS.c.sequence, SNAPSHOTS.c.line).where(SNAPSHOTS.c.stream == bindparam("stream")),
        "secret": select(SECRETS.c.sealed).where(
            SECRETS.c.stream == bindparam("stream"), SECRETS.c.name == bindparam("name")
        ),
        "secrets": select(SECRETS.c.name, SECRETS.c.sealed)
        .where(SECRETS.c.stream == bindparam("stream"))
        .order_by(SECRETS.c.name),
        "balances": select(ACCOUNTS.c.account, ACCOUNTS.c.balance)
        .where(ACCOUNTS.c.stream == bindparam("stream"))
        .order_by(ACCOUNTS.c.account),
        "heads": select(HEADS).where(HEADS.c.stream == bindparam("stream")).order_by(HEADS.c.sequence, HEADS.c.time),
    }
    made = {name: cast("SQLCompiler", statement.compile(dialect=dialect)) for name, statement in found.items()}
    return {name: Statement(str(each), tuple(each.positiontup or ())) for name, each in made.items()}
