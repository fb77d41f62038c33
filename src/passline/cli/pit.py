"""`passline permissions`, `people` and `pit report`: who may do what, who is who, and the books of the house."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.answers import Table
from passline.cli.command import JournalName, Printed, TableNames, command, group
from passline.cli.journal import opened
from passline.cli.play import need_serve
from passline.cli.printing import fail, printable, show
from passline.engine.values import CENTS
from passline.floor.names import folded
from passline.journal.contract import now

if TYPE_CHECKING:
    from passline.answers import Kind
    from passline.pit.people.people import By, People
    from passline.pit.reports.sheets import Sheet

PEOPLE = group(
    "people",
    """Staff and player accounts and their roles.

Stop the server first (except for `list`); with PostgreSQL any time.

Example: `passline people add Ann --role administrator --journal pit.db`
""",
)
JournalFile = Annotated[str, "The journal: a file, or postgresql://…"]
Account = Annotated[str, "The account."]
Role = Annotated[str, "The role, such as dealer."]
AtTable = Annotated[str | None, "Only at this table."]
Reason = Annotated[str, "The reason, which the journal keeps."]
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
def password(name: Account, *, journal: JournalFile = "pit.db") -> None:
    """Reset a forgotten password. The new one is asked for, or read from standard input.

    They are signed out everywhere.

    Example: `passline people password Ann --journal pit.db`
    """
    with _people(journal) as people:
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
        if revoke:
            people.revoke(revoke, _by_house())
        else:
            typer.echo(people.issue(folded(name), _by_house(), "machine", lasts=timedelta(days=days)))


@command("grant", PEOPLE)
def grant(
    name: Account, role: Role, *, table: AtTable = None, reason: Reason = OPERATOR, journal: JournalFile = "pit.db"
) -> None:
    """Grant a role. In the whole house, or at one table.

    Example: `passline people grant Bob dealer --table friday --reason "new crew"`
    """
    with _people(journal) as people:
        people.grant(folded(name), role, table, reason, _by_house(), None)
        _tell_roles(people, name, table)


@command("withdraw", PEOPLE)
def withdraw(
    name: Account, role: Role, *, table: AtTable = None, reason: Reason = OPERATOR, journal: JournalFile = "pit.db"
) -> None:
    """Withdraw a role. It takes effect at once, even for people who are signed in.

    Example: `passline people withdraw Bob dealer --reason "went home"`
    """
    with _people(journal) as people:
        people.withdraw(folded(name), role, table, reason, _by_house())
        _tell_roles(people, name, table)


def _tell_roles(people: People, name: str, table: str | None) -> None:
    where = f" at {table}" if table else ""
    roles = ", ".join(sorted(people.roles(folded(name), table)))
    typer.echo(f"{name} is {roles}{where}." if roles else f"{name} has no role{where}.")


@command("list", PEOPLE)
def list_(*, journal: JournalFile = "pit.db") -> Printed:
    """List all accounts with their roles.

    Example: `passline people list --json`
    """
    with _people(journal, read_only=True) as people:
        known = [(each, sorted(people.roles(each.id))) for each in people.persons.values()]
    rows = [{"person": each.id, "name": each.name, "guest": each.guest, "roles": roles} for each, roles in known]
    return Printed(rows, [f"{each.name}{' (guest)' * bool(each.guest)}: {', '.join(roles)}" for each, roles in known])


# --- Reports --------------------------------------------------------------------------------------------------------

PIT = group(
    "pit",
    """Reports for the pit: drop, hold, voids, significant events.

Example: `passline pit report shift evening.db`
""",
)
OF_ROLLS = {
    "recall": "one roll whole, by the number of its entry (--entry)",
    "player": "the last 50 rolls of a player at a table (--player)",
}

# As entries write it; to the second is enough for people.
TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z")
FIGURE = re.compile(r"[-+]?[\d.,]*(?: %)?$")
WIDE = 10  # more columns than this are told line by line


@command("report", PIT)
def report(
    kind: Annotated[str, "Which report.", "KIND"],
    journal: JournalName,
    *,
    table: TableNames = None,
    since: Annotated[str, "Only from this time on: 2026-11-15T20:00:00Z."] = "",
    until: Annotated[str, typer.Option("--to", help="Only before this time.")] = "",
    day: Annotated[str, "The gaming day that begins on this date: 2026-11-15."] = "",
    entry: Annotated[int, typer.Option(help="With recall: the number of the roll's entry.")] = 0,
    player: Annotated[str, "With player and statement: the player's name."] = "",
    large: Annotated[int, typer.Option(help="With events: from how much money is large, in whole units.")] = 1_000,
    csv: Annotated[bool, typer.Option("--csv", help="Print rows as CSV.")] = False,
    as_json: Annotated[bool, "Print rows as JSON."] = False,
) -> None:
    """A report on a journal. Nothing is written.

    `passline pit reports` lists every KIND with what it shows.

    Example: `passline pit report hold evening.db`, or `passline pit report recall evening.db --entry 42`
    """
    from passline.pit.reports import house, players, sheets

    kinds = (*sheets.REPORTS, *OF_ROLLS)
    if kind not in kinds:
        fail(f"KIND: found {kind}; expected one of {', '.join(kinds)}")
    with opened(journal, read_only=True) as store:
        if kind in OF_ROLLS:
            tables = sheets.scope(store, table or ()).games
            if len(tables) != 1:
                fail(f"--table: this is of one table; the journal has {', '.join(tables) or 'none'}")
            (name,) = tables
            rolls = players.recall(store, name, entry) if kind == "recall" else players.last_rolls(store, name, player)
            return _print_rolls(rolls, csv, as_json)
        within = sheets.gaming_day(store, day) if day else sheets.window(since, until)
        made = house.book(store, kind, tuple(table or ()), within, large=large * CENTS, player=player, now=now())
        return _print(made, csv, as_json)


@command("reports", PIT)
def list_reports() -> None:
    """List the reports, each with what it shows.

    Example: `passline pit reports`
    """
    from passline.pit.reports.sheets import REPORTS

    for name, about in ({name: each.about for name, each in REPORTS.items()} | OF_ROLLS).items():
        typer.echo(f"{name:<12}{about}")


def _print_rolls(recalled: dict[str, Any] | list[dict[str, Any]], as_csv: bool, as_json: bool) -> None:
    from passline.pit.reports.players import in_words

    if as_csv:
        fail("--csv: rolls are told in sentences, or whole with --json")
    if as_json:
        return typer.echo(json.dumps(recalled, indent=1, ensure_ascii=False))
    lines = in_words(recalled if isinstance(recalled, list) else [recalled])
    return typer.echo(printable("\n".join(lines) or "No such rolls."))


def _print(sheet: Sheet, as_csv: bool, as_json: bool) -> None:
    if as_json:
        return typer.echo(json.dumps(sheet.to_json(), indent=1, ensure_ascii=False))
    if as_csv:
        return typer.echo(sheet.to_csv(), nl=False)
    if len(sheet.columns) > WIDE:
        pairs = (zip(sheet.headings, row, strict=True) for row in sheet.rows)
        return show([*(f"{name}: {_text(each)}" for pair in pairs for name, each in pair), *sheet.notes])
    cells = [list(map(_text, row)) for row in sheet.rows]
    kinds: list[Kind] = ["number" if all(map(FIGURE.match, column)) else "text" for column in zip(*cells, strict=True)]
    columns: dict[str, Kind] = (
        dict(zip(sheet.headings, kinds, strict=True)) if kinds else dict.fromkeys(sheet.headings, "text")
    )
    return show([Table(columns, cells), *sheet.notes])


def _text(value: object) -> str:
    """A cell for people: times in it as a clock shows them."""
    return "" if value is None else TIME.sub(r"\1 \2 UTC", str(value))
