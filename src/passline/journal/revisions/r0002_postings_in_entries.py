"""Postings are read out of the entries they stand in: kept once they cannot differ, and a commit writes a page less."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let the table go, its triggers with it; every entry has its own postings, under its hash."""
    op.drop_table("postings")
