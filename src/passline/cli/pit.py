"""`passline pit report`: the books of the house, from a journal."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.answers import Table
from passline.cli.command import JournalName, TableNames, command, group
from passline.cli.errors import fail, printable
from passline.cli.journal import opened
from passline.cli.printing import show
from passline.engine.values import CENTS
from passline.journal.contract import now

if TYPE_CHECKING:
    from passline.answers import Kind
    from passline.pit.reports.sheets import Sheet

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
    """One roll, or a player's: in sentences, or whole for programs."""
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
