"""Bring a store's tables up to date: Alembic says with which statements, and the store does them in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path

from passline.errors import JournalError, NewerError, OlderError

REVISIONS = ("0001", "0002", "0003")
"""Every revision of the tables, oldest first."""

FOLDER = Path(__file__).parent / "revisions"


def check(version: str | None, name: object) -> None:
    """Refuse what a newer Passline wrote, and what is not there or must be brought up to date before it is read."""
    if version is None:
        raise JournalError(f"{name} has no journal in it")
    if version not in REVISIONS:
        raise NewerError(
            f"{name} was made by a newer Passline: revision {version}, and this one knows up to {REVISIONS[-1]}. "
            "Use that newer one."
        )
    if version != REVISIONS[-1]:
        raise OlderError(
            f"{name} is of an older revision, {version}. What serves it brings it up to date; "
            "`passline journal restore` makes an up-to-date copy of a backup"
        )


def bring_up_to_date(
    version: str | None,
    name: object,
    transaction: Callable[[], AbstractContextManager[Callable[[str], object]]],
    dialect: str = "sqlite",
) -> None:
    """Do what is between a store's revision and today's, all of it or none."""
    if version == REVISIONS[-1]:
        return
    if version is not None and version not in REVISIONS:
        check(version, name)
    found = statements_after(version, dialect)
    with transaction() as do:
        for statement in found:
            do(statement)


@cache
def statements_after(version: str | None, dialect: str) -> tuple[str, ...]:
    """The statements that lead from a revision (None: nothing) to today's."""
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    gathered = _Gathered()
    script = ScriptDirectory(str(FOLDER), version_locations=[str(FOLDER)])
    context = MigrationContext.configure(
        dialect_name=dialect,
        opts={
            "as_sql": True,
            "output_buffer": gathered,
            "starting_rev": version,
            "fn": lambda revision, _context: script._upgrade_revs("head", revision),  # noqa: SLF001 - as Alembic's own commands do
        },
    )
    with Operations.context(context):
        context.run_migrations()
    return tuple(gathered.statements)


class _Gathered:
    """Where Alembic writes its statements, one at a time."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def write(self, text: str) -> None:
        """Keep a statement; remarks, and the transaction that the store makes itself, are left out."""
        statement = text.strip().removesuffix(";")
        if statement and not statement.startswith("--") and statement not in ("BEGIN", "COMMIT"):
            self.statements.append(statement)

    def flush(self) -> None:
        """Nothing is held back."""
