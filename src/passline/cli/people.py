"""`passline permissions` and `passline people`: who may do what, and who is who."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.cli.errors import fail
from passline.cli.serve import need_serve

if TYPE_CHECKING:
    from passline.pit.people.people import By, People

PERMISSIONS = """Permissions: which role may do what.

Example: `passline permissions`, or `passline permissions --json`
"""
HELP = """Staff and player accounts and their roles.

Stop the server first (except for `list`); with PostgreSQL any time.

Example: `passline people add Ann --role administrator --journal pit.db`
"""
ADD = """Add an account. Its password is asked for, or read from standard input.

Example: `passline people add Ann --role administrator --journal pit.db`
"""
GRANT = """Give somebody a role. In the whole house, or at one table.

Example: `passline people grant Bob dealer --table friday --reason "new crew"`
"""
WITHDRAW = """Take a role back. At once, also for who is signed in.

Example: `passline people withdraw Bob dealer --reason "went home"`
"""
PASSWORD = """Set somebody's password, if they forgot it. It is asked for, or read from standard input.

Wherever they are signed in, they are so no more.

Example: `passline people password Ann --journal pit.db`
"""
TOKEN = """A token for a machine of somebody's, such as Prometheus. It reads `/metrics`, and nothing else.

Example: `passline people token Ann --days 365 > prometheus.token`
"""
LIST = """Everybody the pit knows. With their roles.

Example: `passline people list --json`
"""

JournalName = Annotated[str, typer.Option("--journal", help="The file of the pit, or postgresql://…")]
Table = Annotated[str | None, typer.Option("--table", help="Only at this table.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; the journal keeps it.")]


def add_to(app: typer.Typer) -> None:
    app.command("permissions", help=PERMISSIONS)(permissions)
    group = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)
    group.command("add", help=ADD)(add)
    group.command("grant", help=GRANT)(grant)
    group.command("withdraw", help=WITHDRAW)(withdraw)
    group.command("password", help=PASSWORD)(password)
    group.command("token", help=TOKEN)(token)
    group.command("list", help=LIST)(list_)
    app.add_typer(group, name="people")


def permissions(
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    as_page: Annotated[bool, typer.Option("--markdown", help="The page of the docs.")] = False,
) -> None:
    from dataclasses import asdict

    from passline.live.people import permissions as matrix
    from passline.pit.people import page

    if as_json:
        typer.echo(json.dumps({name: asdict(permission) for name, permission in matrix().items()}, indent=1))
    elif as_page:
        sys.stdout.write(page.markdown())
    else:
        from rich.console import Console
        from rich.table import Table as Printed

        printed = Printed(box=None, header_style="bold")
        for column in ("permission", *page.COLUMNS, "people"):
            printed.add_column(column)
        for row in page.rows():
            printed.add_row(*row)
        Console().print(printed)


@contextmanager
def _people(journal: str, *, read_only: bool = False) -> Iterator[People]:
    """The people of a journal; who only looks is let in while a server has it."""
    need_serve("people")
    from passline.journal.contract import now
    from passline.journal.sql import open_journal
    from passline.pit.people.people import STREAM, People

    store = open_journal(journal, read_only=read_only)
    try:
        if read_only and store.head(STREAM) is None:
            fail(f"There are no accounts in {journal} yet.", 1)
        yield People(store, now())
    finally:
        store.close()


def _by_house() -> By:
    """The house itself, now: whoever has its journal at hand names its people."""
    from passline.journal.contract import now
    from passline.pit.people.people import By

    return By("house", "house", now())


def add(
    name: Annotated[str, typer.Argument(help="One word.")],
    role: Annotated[list[str] | None, typer.Option(help="A role in the whole house; repeatable.")] = None,
    journal: JournalName = "pit.db",
) -> None:
    with _people(journal) as people:
        person = people.add(name, _asked_password(), _by_house())
        for each in role or ():
            people.grant(person.id, each, None, "the operator says so", _by_house(), None)
        typer.echo(f"{person.name} is {', '.join(sorted(people.roles(person.id)))} in {journal}.")


def _asked_password() -> str:
    return typer.prompt("Password", hide_input=True) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


def password(name: Annotated[str, typer.Argument(help="Whose.")], journal: JournalName = "pit.db") -> None:
    with _people(journal) as people:
        from passline.floor.names import folded

        people.set_password(folded(name), _asked_password(), _by_house())
        typer.echo(f"{people.persons[folded(name)].name} has another password, and signs in again.")


def token(
    name: Annotated[str, typer.Argument(help="Who answers for the machine.")],
    days: Annotated[int, typer.Option(min=1, max=3_650, help="How long it counts.")] = 365,
    revoke: Annotated[str, typer.Option(help="End one instead: what stands before its dot.")] = "",
    journal: JournalName = "pit.db",
) -> None:
    with _people(journal) as people:
        from datetime import timedelta

        from passline.floor.names import folded

        if revoke:
            people.revoke(revoke, _by_house())
        else:
            typer.echo(people.issue(folded(name), _by_house(), "machine", lasts=timedelta(days=days)))


def grant(
    name: str, role: str, table: Table = None, reason: Reason = "the operator says so", journal: JournalName = "pit.db"
) -> None:
    _role("grant", (name, role, table, reason), journal)


def withdraw(
    name: str, role: str, table: Table = None, reason: Reason = "the operator says so", journal: JournalName = "pit.db"
) -> None:
    _role("withdraw", (name, role, table, reason), journal)


def _role(act: str, arguments: tuple[str, str, str | None, str], journal: str) -> None:
    with _people(journal) as people:
        from passline.floor.names import folded

        name, role, table, reason = arguments
        person, by = folded(name), _by_house()
        if act == "grant":
            people.grant(person, role, table, reason, by, None)
        else:
            people.withdraw(person, role, table, reason, by)
        where = f" at {table}" if table else ""
        typer.echo(f"{name} is {', '.join(sorted(people.roles(person, table))) or 'nobody'}{where}.")


def list_(
    journal: JournalName = "pit.db", as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False
) -> None:
    with _people(journal, read_only=True) as people:
        known: list[dict[str, Any]] = [
            {"person": each.id, "name": each.name, "guest": each.guest, "roles": sorted(people.roles(each.id))}
            for each in people.persons.values()
        ]
    if as_json:
        typer.echo(json.dumps(known))
    elif not known:
        fail(f"There are no accounts in {journal} yet.", 1)
    else:
        for each in known:
            typer.echo(f"{each['name']}{' (guest)' * bool(each['guest'])}: {', '.join(each['roles'])}")
