"""The first store: entries, their postings, the accounts, and triggers so that nothing written is changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

Whole = sa.BigInteger().with_variant(sa.Integer, "sqlite")
HOUSE = "'bank', 'breakage', 'cage', 'cash', 'promotions', 'tables'"
FOR_EVER = ("entries", "postings", "heads")


def upgrade() -> None:
    """Make the tables, then forbid what must never happen to them."""
    op.create_table(
        "streams",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("sequence", Whole, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("fence", Whole, nullable=False),
        sa.PrimaryKeyConstraint("stream", name="pk_streams"),
    )
    op.create_table(
        "entries",
        _stream(),
        sa.Column("sequence", Whole, nullable=False),
        sa.Column("key", sa.Text),
        sa.Column("line", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("stream", "sequence", name="pk_entries"),
        sa.UniqueConstraint("stream", "key", name="uq_entries_stream_key"),
    )
    op.create_table(
        "postings",
        _stream(),
        sa.Column("sequence", Whole, nullable=False),
        sa.Column("number", Whole, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("amount", Whole, nullable=False),
        sa.PrimaryKeyConstraint("stream", "sequence", "number", name="pk_postings"),
        sa.CheckConstraint("amount > 0", name="ck_postings_amount"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "accounts",
        _stream(),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("balance", Whole, nullable=False),
        sa.PrimaryKeyConstraint("stream", "account", name="pk_accounts"),
        sa.CheckConstraint(f"balance >= 0 OR account IN ({HOUSE})", name="ck_accounts_balance"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "snapshots",
        _stream(),
        sa.Column("sequence", Whole, nullable=False),
        sa.Column("line", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("stream", name="pk_snapshots"),
    )
    op.create_table(
        "secrets",
        _stream(),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("stream", "name", name="pk_secrets"),
    )
    op.create_table(
        "heads",
        _stream(),
        sa.Column("sequence", Whole, nullable=False),
        sa.Column("time", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("signature", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("stream", "sequence", "time", "key", name="pk_heads"),
    )
    if op.get_context().dialect.name == "postgresql":
        _postgresql_triggers()
    else:
        _sqlite_triggers()


def _stream() -> sa.Column[str]:
    return sa.Column("stream", sa.Text, sa.ForeignKey("streams.stream"), nullable=False)


def _sqlite_triggers() -> None:
    for table in FOR_EVER:
        for what in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER no_{what.lower()}_of_{table} BEFORE {what} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} are written once and for ever'); END"
            )
    # REPLACE would delete without a trigger, so what is there already is refused before.
    op.execute(
        "CREATE TRIGGER entries_in_order BEFORE INSERT ON entries "
        "WHEN EXISTS (SELECT 1 FROM entries WHERE stream = NEW.stream AND sequence = NEW.sequence) "
        "OR (NEW.sequence <> 1 AND NOT EXISTS "
        "(SELECT 1 FROM entries WHERE stream = NEW.stream AND sequence = NEW.sequence - 1)) "
        "BEGIN SELECT RAISE(ABORT, 'entries follow one another'); END"
    )
    op.execute(
        "CREATE TRIGGER postings_once BEFORE INSERT ON postings WHEN EXISTS (SELECT 1 FROM postings "
        "WHERE stream = NEW.stream AND sequence = NEW.sequence AND number = NEW.number) "
        "BEGIN SELECT RAISE(ABORT, 'postings are written once and for ever'); END"
    )
    op.execute(
        "CREATE TRIGGER no_delete_of_streams BEFORE DELETE ON streams "
        "BEGIN SELECT RAISE(ABORT, 'streams are for ever'); END"
    )
    op.execute(
        "CREATE TRIGGER streams_go_forward BEFORE UPDATE ON streams "
        "WHEN NEW.sequence < OLD.sequence OR NEW.fence < OLD.fence OR NEW.stream <> OLD.stream "
        "BEGIN SELECT RAISE(ABORT, 'streams only go forward'); END"
    )


def _postgresql_triggers() -> None:
    op.execute(
        "CREATE FUNCTION passline_for_ever() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'what is written is for ever'; END $$"
    )
    op.execute(
        "CREATE FUNCTION passline_forward() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF NEW.sequence < OLD.sequence OR NEW.fence < OLD.fence OR NEW.stream <> OLD.stream THEN "
        "RAISE EXCEPTION 'streams only go forward'; END IF; RETURN NEW; END $$"
    )
    op.execute(
        "CREATE FUNCTION passline_in_order() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF NEW.sequence <> 1 AND NOT EXISTS (SELECT 1 FROM entries WHERE stream = NEW.stream "
        "AND sequence = NEW.sequence - 1) THEN RAISE EXCEPTION 'entries follow one another'; END IF; RETURN NEW; END $$"
    )
    op.execute(
        "CREATE TRIGGER entries_in_order BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION passline_in_order()"
    )
    for table in FOR_EVER:
        op.execute(
            f"CREATE TRIGGER {table}_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION passline_for_ever()"
        )
    op.execute(
        "CREATE TRIGGER streams_for_ever BEFORE DELETE OR TRUNCATE ON streams "
        "FOR EACH STATEMENT EXECUTE FUNCTION passline_for_ever()"
    )
    op.execute(
        "CREATE TRIGGER streams_forward BEFORE UPDATE ON streams FOR EACH ROW EXECUTE FUNCTION passline_forward()"
    )
