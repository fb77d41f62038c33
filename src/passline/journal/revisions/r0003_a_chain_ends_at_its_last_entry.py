"""Where a chain ends is read from its last entry: kept once it cannot differ, and a commit writes a page less."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

Whole = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Let both columns go, and guard what is left as before."""
    if op.get_context().dialect.name == "postgresql":
        _postgresql()
    else:
        _sqlite()


def _sqlite() -> None:
    """Make the table anew: SQLite drops a column only from 3.35 on."""
    op.create_table(
        "streams_left",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("fence", Whole, nullable=False),
        sa.PrimaryKeyConstraint("stream", name="pk_streams"),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO streams_left SELECT stream, fence FROM streams")
    op.drop_table("streams")  # and its triggers with it
    op.rename_table("streams_left", "streams")
    op.execute(
        "CREATE TRIGGER no_delete_of_streams BEFORE DELETE ON streams "
        "BEGIN SELECT RAISE(ABORT, 'streams are for ever'); END"
    )
    op.execute(
        "CREATE TRIGGER streams_go_forward BEFORE UPDATE ON streams "
        "WHEN NEW.fence < OLD.fence OR NEW.stream <> OLD.stream "
        "BEGIN SELECT RAISE(ABORT, 'streams only go forward'); END"
    )


def _postgresql() -> None:
    op.drop_column("streams", "sequence")
    op.drop_column("streams", "hash")
    op.execute(
        "CREATE OR REPLACE FUNCTION passline_forward() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF NEW.fence < OLD.fence OR NEW.stream <> OLD.stream THEN "
        "RAISE EXCEPTION 'streams only go forward'; END IF; RETURN NEW; END $$"
    )
