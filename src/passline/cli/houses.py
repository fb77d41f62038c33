"""`passline houses`, `house`, `clause`, `strategies`, `strategy`: what comes with the program, and own files."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import passline
from passline.answers import Table, columns, picked
from passline.cli.command import Printed, command, group
from passline.cli.printing import REFUSED, fail, show
from passline.files.reading import is_file
from passline.files.whole import write_whole

if TYPE_CHECKING:
    from passline.house import House
    from passline.strategies.language.strategy import Strategy


@command("houses")
def houses() -> Printed:
    """List the houses.

    Example: `passline houses`
    """
    from passline.telling.card import bars, multiples

    every = passline.House.all()
    rows = [{"id": each.id, "name": each.name, "wagers": len(each.wagers)} for each in every]
    listed = [
        (
            each.id,
            each.name,
            len(each.wagers),
            multiples(each.book.notice.odds.value) or "no limit posted",
            each.book.money.rounding.value,
            " ".join(map(str, bars(each.layout))),
        )
        for each in every
    ]
    kinds = columns("House text, Name text, Wagers count, Odds text, Rounds text, Don't bars text")
    yields = "Wagers are those that can be asked for; passline odds prices odds behind the line point by point."
    more = "passline house ID shows a rule card; passline play --house ID deals."
    return Printed(rows, [Table(kinds, listed), "", yields, more])


@command("house")
def house(
    what: Annotated[str, "A house id or file; or `new` or `check`.", "ID|new|check"],
    name: Annotated[str | None, typer.Argument(help="The new house's name, or the file to check.")] = None,
    *,
    like: Annotated[str, "With new: the house to begin from."] = "strip",
    out: Annotated[Path | None, "With new: where to write it (default: NAME.toml here)."] = None,
    rules: Annotated[bool, "Every clause of its rules, in whole sentences."] = False,
    as_json: bool = False,
) -> None:
    """Show a house's rule card, or write or check a house file.

    Examples: `passline house sydney` · `passline house new "My Casino"` · `passline house check my-casino.toml`

    `new` also puts house.schema.json beside the file, from which editors complete it.
    """
    if what == "new":
        _new(name or fail('passline house new wants a name, such as: passline house new "My Casino"'), like, out)
    elif what == "check":
        _check(name or fail("passline house check wants a file, such as: passline house check my-casino.toml"))
    elif name is not None:
        fail(f"{name}: one house at a time; passline house {what} shows its card")
    elif rules:
        _rules(passline.House(what), as_json)
    elif as_json:
        from passline.telling.card import card_json

        typer.echo(json.dumps(card_json(passline.House(what).layout), indent=1, ensure_ascii=False))
    else:
        _show(passline.House(what))


def _rules(house: House, as_json: bool) -> None:
    from passline.rulebooks.catalogue import clauses_of

    clauses = {each.id: each.sentence for each in clauses_of(house.id)} | dict(house.book.clauses)
    lines = "\n".join(f"{name}: {sentence}" for name, sentence in clauses.items())
    typer.echo(json.dumps(clauses, indent=1, ensure_ascii=False) if as_json else lines)


def _new(name: str, like: str, out: Path | None) -> None:
    import tomllib

    from passline.rulebooks.editing import new_house

    if {"/", "\\"} & {*name} or name.endswith(".toml"):
        why = 'a name is what stands over the door, such as "My Casino"; --out FILE says where it is written'
        fail(f"house new, name: found the path {name!r}; {why}")
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
    house = passline.House(Path(file) if is_file(Path(file)) else file)
    wagers = len(house.wagers)
    typer.echo(f"{file}: {house.name} is ready to deal: {wagers} bets, every value has its clause.")


def _show(house: House) -> None:
    from passline.telling.card import habits, spots

    book, layout = house.book, house.layout
    wagers = [(f"{x.name}\n{_in_lines(x.keys)}", f"{x.pays}\n{x.made}", _in_lines(x.clause)) for x in spots(layout)]
    card = Table(columns("Wager and key text, Pays text, Clause text"), wagers)
    ways = Table(columns("Habit text, Is text, Clause text"), list(habits(book)))
    more = f"passline clause {book.id}:… prints what a clause says."
    show([f"{book.name}  ({book.id})", "", card, "", ways, "", more])


@command("clause")
def clause(wanted: Annotated[str, "Such as sydney:6.5.2, X-16 or P-47.", "ID"]) -> Printed:
    """Print a clause in our own words. A rule book's clause, a reading of what one leaves open, or a decision.

    Examples: `passline clause sydney:6.5.2` · `passline clause X-16` · `passline clause P-47`
    """
    from passline.rulebooks.catalogue import clause

    entry = clause(wanted)
    every = (entry, *map(clause, entry.readings))
    return Printed(asdict(entry), [f"{each.id}: {each.sentence}" for each in every])


def _in_lines(keys: str, width: int = 26) -> str:
    """Keys that share a line of the card, broken only between two of them."""
    lines = [""]
    for key in re.split(r"(?<=/)|(?<=, )", keys):
        if lines[-1] and len(lines[-1]) + len(key) > width:
            lines.append("")
        lines[-1] += key
    return "\n".join(lines)


# --- Strategies -----------------------------------------------------------------------------------------------------

STRATEGY = group(
    "strategy",
    """Look at one strategy: `show` it, `check` a file.

Examples: `passline strategy show three_point_molly` · `passline strategy check mine.toml`
""",
)


@command("strategies")
def strategies() -> Printed:
    """List the strategies that come with the program.

    Example: `passline strategies`
    """
    from passline.strategies.language.read import library

    known = list(library())
    width = max(len(strategy.id) for strategy in known)
    lines = [f"{strategy.id:<{width}}  {strategy.description}" for strategy in known]
    return Printed({"strategies": [_json(strategy) for strategy in known]}, lines)


@command("show", STRATEGY)
def show_strategy(name: Annotated[str, "A strategy of the library, or the path of a strategy file."]) -> Printed:
    """Explain a strategy in plain words.

    Example: `passline strategy show three_point_molly`
    """
    from passline.strategies.language.read import load
    from passline.strategies.language.words import in_words
    from passline.strategies.player.plan import houses_for

    strategy = load(name)
    houses = houses_for(strategy)
    lines = [f"{strategy.name} ({strategy.id})", strategy.description, ""]
    lines += [f"- {line}" for line in in_words(strategy)]
    lines += ["", f"One unit is usually {strategy.unit}.", f"Source: {strategy.source}"]
    lines += [f"Houses that book all of it: {', '.join(houses) or 'none'}."]
    return Printed({**_json(strategy), "houses": houses}, lines)


@command("check", STRATEGY)
def check_strategy(file: Annotated[str, "A strategy file (.toml)."], *, as_json: bool = False) -> None:
    """Check a strategy file. Say what is wrong with it, or where it can be played.

    Example: `passline strategy check mine.toml`
    """
    from passline.strategies.language.read import read_strategy
    from passline.strategies.player.plan import booked_anywhere, houses_for, why_not
    from passline.strategies.player.python import is_python

    if is_python(file):
        fail(f"{file}: a strategy in Python is checked as it plays: passline simulate {file}", REFUSED)
    try:
        strategy = read_strategy(Path(file), wagers=booked_anywhere())
    except passline.StrategyFileError as error:
        if not as_json:
            raise
        findings = [picked(one, "path", "actual", "expected", "nearest") for one in error.findings]
        typer.echo(json.dumps({"file": file, "ok": False, "findings": findings}, ensure_ascii=False, indent=1))
        raise typer.Exit(2) from None
    houses = houses_for(strategy)
    if as_json:
        typer.echo(json.dumps({"file": file, "ok": True, "houses": houses}, ensure_ascii=False, indent=1))
        return
    if not houses:
        from passline.house import House

        why = why_not(strategy, House.all()[0])
        fail(f"{file}: {strategy.name} can be played at no house that comes with the program: {why}", REFUSED)
    typer.echo(f"{file}: {strategy.name} can be played at {', '.join(houses)}.")


def _json(strategy: Strategy) -> dict[str, Any]:
    from passline.strategies.language.words import in_words

    ends = strategy.ends
    stops = {"stop_win": ends.stop_win, "stop_loss": ends.stop_loss, "when": ends.when}
    texts = {name: None if value is None else str(value) for name, value in stops.items()}
    return {
        **picked(strategy, "id", "name", "description", "source"),
        "unit": str(strategy.unit),
        "wagers": list(strategy.wagers),
        "in_words": in_words(strategy),
        "ends": {"rolls": ends.rolls, "hands": ends.hands, **texts},
        "hash": strategy.digest,
    }
