"""`passline permissions` and `passline people`: who may do what, and who is who."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.answers import Table
from passline.cli.command import command, group
from passline.cli.errors import fail
from passline.cli.journal import opened
from passline.cli.printing import show
from passline.cli.serve import need_serve
from passline.journal.contract import now

if TYPE_CHECKING:
    from passline.pit.people.people import By, People

PEOPLE = group(
    "people",
    """Staff and player accounts and their roles.

Stop the server first (except for `list`); with PostgreSQL any time.

Example: `passline people add Ann --role administrator --journal pit.db`
""",
)
JournalFile = Annotated[str, "The journal: a file, or postgresql://…"]
OPERATOR = "set by the operator"


@command("permissions")
def permissions(*, as_json: bool = False, markdown: Annotated[bool, "Print the page for the docs."] = False) -> None:
    """Which role may do what.

    Example: `passline permissions`, or `passline permissions --json`
    """
    from passline.live.people import permissions as matrix
    from passline.pit.people import page

    if as_json:
        every = {name: asdict(permission) for name, permission in matrix().items()}
        typer.echo(json.dumps(every, indent=1, default=sorted))
    elif markdown:
        sys.stdout.write(page.markdown())
    else:
        show([Table(dict.fromkeys(("permission", *page.COLUMNS, "people"), "text"), page.rows())])


@contextmanager
def _people(journal: str, *, read_only: bool = False) -> Iterator[People]:
    """The people of a journal; who only looks is let in while a server has it."""
    need_serve("people")
    from passline.pit.people.people import STREAM, People

    with opened(journal, read_only=read_only) as store:
        if read_only and store.head(STREAM) is None:
            fail(f"There are no accounts in {journal} yet.", 1)
        yield People(store, now())


def _by_house() -> By:
    """The house itself, now: whoever has its journal at hand names its people."""
    from passline.pit.people.people import By

    return By("house", "house", now())


@command("add", PEOPLE)
def add(
    name: Annotated[str, "One word."],
    *,
    role: Annotated[list[str] | None, "A role in the whole house; repeatable."] = None,
    journal: JournalFile = "pit.db",
) -> None:
    """Add an account. Its password is asked for, or read from standard input.

    Example: `passline people add Ann --role administrator --journal pit.db`
    """
    with _people(journal) as people:
        person = people.add(name, _asked_password(), _by_house())
        for each in role or ():
            people.grant(person.id, each, None, OPERATOR, _by_house(), None)
        typer.echo(f"{person.name} is {', '.join(sorted(people.roles(person.id)))} in {journal}.")


def _asked_password() -> str:
    return typer.prompt("Password", hide_input=True) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


@command("password", PEOPLE)
def password(name: Annotated[str, "The account."], *, journal: JournalFile = "pit.db") -> None:
    """Reset a forgotten password. The new one is asked for, or read from standard input.

    They are signed out everywhere.

    Example: `passline people password Ann --journal pit.db`
    """
    with _people(journal) as people:
        from passline.floor.names import folded

        people.set_password(folded(name), _asked_password(), _by_house())
        typer.echo(f"{people.persons[folded(name)].name} has another password, and signs in again.")


@command("token", PEOPLE)
def token(
    name: Annotated[str, "The person responsible for the monitor."],
    *,
    days: Annotated[int, typer.Option(min=1, max=3_650, help="How long it is valid.")] = 365,
    revoke: Annotated[str, "Revoke a token instead: the part before its dot."] = "",
    journal: JournalFile = "pit.db",
) -> None:
    """Make a token for a monitor, such as Prometheus. It can read `/metrics` and nothing else.

    Example: `passline people token Ann --days 365 > prometheus.token`
    """
    with _people(journal) as people:
        from datetime import timedelta

        from passline.floor.names import folded

        if revoke:
            people.revoke(revoke, _by_house())
        else:
            typer.echo(people.issue(folded(name), _by_house(), "machine", lasts=timedelta(days=days)))


@command("grant", PEOPLE)
def grant(
    name: Annotated[str, "The account."],
    role: Annotated[str, "The role, such as dealer."],
    *,
    table: Annotated[str | None, "Only at this table."] = None,
    reason: Annotated[str, "The reason, which the journal keeps."] = OPERATOR,
    journal: JournalFile = "pit.db",
) -> None:
    """Grant a role. In the whole house, or at one table.

    Example: `passline people grant Bob dealer --table friday --reason "new crew"`
    """
    _role("grant", (name, role, table, reason), journal)


@command("withdraw", PEOPLE)
def withdraw(
    name: Annotated[str, "The account."],
    role: Annotated[str, "The role, such as dealer."],
    *,
    table: Annotated[str | None, "Only at this table."] = None,
    reason: Annotated[str, "The reason, which the journal keeps."] = OPERATOR,
    journal: JournalFile = "pit.db",
) -> None:
    """Withdraw a role. It takes effect at once, even for people who are signed in.

    Example: `passline people withdraw Bob dealer --reason "went home"`
    """
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
        roles = ", ".join(sorted(people.roles(person, table)))
        typer.echo(f"{name} is {roles}{where}." if roles else f"{name} has no role{where}.")


@command("list", PEOPLE)
def list_(*, journal: JournalFile = "pit.db", as_json: bool = False) -> None:
    """List all accounts with their roles.

    Example: `passline people list --json`
    """
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
