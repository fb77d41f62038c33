"""`passline houses`, `house`, `clause`: the rule books."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.command import command
from passline.cli.errors import REFUSED, fail

if TYPE_CHECKING:
    from rich.table import Column
    from rich.table import Table as RichTable

    from passline.house import House

WORD_MAX = 12
GAP = 3
"""What stands between two columns."""


@command("houses")
def houses(*, as_json: bool = False) -> None:
    """List the houses.

    Example: `passline houses`
    """
    from passline.house import House
    from passline.telling.card import bars, multiples

    every = House.all()
    if as_json:
        rows = [{"id": each.id, "name": each.name, "wagers": len(each.wagers)} for each in every]
        typer.echo(json.dumps(rows, indent=1))
        return
    table = _table("House", "Name", "Wagers", "Odds", "Rounds", "Don't bars")
    for each in every:
        book, wagers = each.book, len(each.wagers)
        odds = multiples(book.notice.odds.value) or "no limit posted"
        barred = " ".join(map(str, bars(each.layout)))
        table.add_row(each.id, each.name, str(wagers), odds, book.money.rounding.value, barred)
    _print(table)
    typer.echo("Wagers are those that can be asked for; passline odds prices odds behind the line point by point.")
    typer.echo("passline house ID shows a rule card; passline play --house ID deals.")


@command("house")
def house(
    what: str,
    name: Annotated[str | None, typer.Argument()] = None,
    *,
    like: str = "strip",
    out: Path | None = None,
    rules: bool = False,
    as_json: bool = False,
) -> None:
    """Show a house's rule card, or write or check a house file.

    Examples: `passline house sydney` · `passline house new "My Casino"` · `passline house check my-casino.toml`

    `new` also puts house.schema.json beside the file, from which editors complete it.

    Options:
    what ID|new|check: A house id or file; or `new` or `check`.
    name: The new house's name, or the file to check.
    like: With new: the house to begin from.
    out: With new: where to write it (default: NAME.toml here).
    rules: Every clause of its rules, in whole sentences.
    """
    from passline.house import House

    if what == "new":
        _new(name or fail('passline house new wants a name, such as: passline house new "My Casino"'), like, out)
    elif what == "check":
        _check(name or fail("passline house check wants a file, such as: passline house check my-casino.toml"))
    elif name is not None:
        fail(f"{name}: one house at a time; passline house {what} shows its card")
    elif rules:
        _rules(House(what), as_json)
    elif as_json:
        from passline.telling.card import card_json

        typer.echo(json.dumps(card_json(House(what).layout), indent=1, ensure_ascii=False))
    else:
        _show(House(what))


def _rules(house: House, as_json: bool) -> None:
    """Every clause of a house, as somebody is shown who asks for its rules."""
    from passline.rulebooks.catalogue import clauses_of

    clauses = {each.id: each.sentence for each in clauses_of(house.id)} | dict(house.book.clauses)
    lines = "\n".join(f"{name}: {sentence}" for name, sentence in clauses.items())
    typer.echo(json.dumps(clauses, indent=1, ensure_ascii=False) if as_json else lines)


def _new(name: str, like: str, out: Path | None) -> None:
    """Write a commented house file, never over another file."""
    import tomllib

    from passline.files.whole import write_whole
    from passline.rulebooks.catalogue import new_house

    if {"/", "\\"} & {*name} or name.endswith(".toml"):
        why = 'a name is what stands over the door, such as "My Casino"; --out FILE says where it is written'
        fail(f"house new, NAME: found the path {name!r}; {why}")
    text = new_house(name, like)
    path = out or Path(f"{tomllib.loads(text)['id']}.toml")
    try:
        write_whole(path, text, new=True)
    except FileExistsError:
        fail(f"{path}: there is a file already; name another with --out", REFUSED)
    except OSError as error:
        fail(f"{path}: {error.strerror or error}; name another place with --out")
    schema = _schema_beside(path)
    typer.echo(f"{path}: written, like {like}. Next: passline house check {path}, then passline play --house {path}")
    if schema is not None:
        typer.echo(
            f"{schema}: written too; with it an editor completes and checks the file. You don't need it to play."
        )


def _schema_beside(path: Path) -> Path | None:
    """Put the schema that the file's first line names beside it, for editors; None: there was one."""
    from importlib.resources import files

    from passline.files.whole import write_whole

    schema = path.parent / "house.schema.json"
    if schema.exists():
        return None
    try:
        text = (files("passline.rulebooks") / "houses" / "house.schema.json").read_text(encoding="utf-8")
        write_whole(schema, text, new=True)
    except OSError as error:
        typer.echo(
            f"{schema}: {error.strerror or error}; the house works without it, editors cannot complete it", err=True
        )
        return None
    return schema


def _check(file: str) -> None:
    """Say that a house file is sound, or everything that is wrong with it."""
    from passline.files.reading import is_file
    from passline.house import House

    house = House(Path(file) if is_file(Path(file)) else file)
    wagers = len(house.wagers)
    typer.echo(f"{file}: {house.name} is ready to deal: {wagers} bets, every value has its clause.")


def _show(house: House) -> None:
    from passline.telling.card import habits, spots

    book, layout = house.book, house.layout
    typer.echo(f"{book.name}  ({book.id})")
    table = _table("Wager and key", "Pays", "Clause", whole=("Clause",))
    for row in spots(layout):
        table.add_row(f"{row.name}\n{_in_lines(row.keys, 26)}", f"{row.pays}\n{row.made}", _in_lines(row.clause, 26))
    _print(table)
    table = _table("Habit", "Is", "Clause", whole=("Habit", "Clause"))
    for habit in habits(book):
        table.add_row(habit.path, habit.value, habit.clause)
    _print(table)
    typer.echo(f"passline clause {book.id}:… prints what a clause says.")


@command("clause")
def clause(wanted: str, *, as_json: bool = False) -> None:
    """Print a clause in our own words. It is a rule book's, a reading of what one leaves open, or a decision.

    Examples: `passline clause sydney:6.5.2` · `passline clause X-16` · `passline clause P-47`

    Options:
    wanted ID: Such as sydney:6.5.2, X-16 or P-47.
    """
    from dataclasses import asdict

    from passline.cli.printing import show
    from passline.rulebooks.catalogue import clause

    entry = clause(wanted)
    if as_json:
        typer.echo(json.dumps(asdict(entry), indent=1, ensure_ascii=False))
        return
    show(f"{each.id}: {each.sentence}" for each in (entry, *map(clause, entry.readings)))


def _table(*headings: str, whole: tuple[str, ...] = ()) -> RichTable:
    """A table for any screen; what people type again (`whole`) is never broken."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold", no_wrap=heading in whole)
    return table


def _in_lines(keys: str, width: int = 17) -> str:
    """Keys that share a line of the card, broken only between two of them."""
    lines = [""]
    for key in re.split(r"(?<=/)|(?<=, )", keys):
        if lines[-1] and len(lines[-1]) + len(key) > width:
            lines.append("")
        lines[-1] += key
    return "\n".join(lines)


def _longest(column: Column) -> int:
    """How wide its longest line is, or its longest word where lines may be broken; only lists of numbers are longer."""
    cells = "\n".join(map(str, (column.header, *column.cells)))
    if column.no_wrap:
        return max(map(len, cells.splitlines()))
    return min(WORD_MAX, max(map(len, cells.split())))


def _print(table: RichTable) -> None:
    """Print a table with no word broken; where it is too wide for that, each row as sentences of its own."""
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    for column in table.columns:
        column.min_width = _longest(column)
    if sum(column.min_width or 0 for column in table.columns) + GAP * (len(table.columns) - 1) <= console.width:
        console.print(table)
        return
    for row in zip(*(column.cells for column in table.columns), strict=True):
        named = zip((column.header for column in table.columns), row, strict=True)
        console.print("; ".join(f"{name}: {' '.join(str(cell).split())}" for name, cell in named if cell))
