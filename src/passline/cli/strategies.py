"""`passline strategies`, `strategy show`, `strategy check`: what can be played, in plain words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import passline
from passline.answers import picked
from passline.cli.command import Printed, command, group
from passline.cli.errors import REFUSED, fail

if TYPE_CHECKING:
    from passline.strategies.language.strategy import Strategy

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
def show(name: Annotated[str, "A strategy of the library, or the path of a strategy file."]) -> Printed:
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
    return Printed(
        {**_json(strategy), "houses": houses}, [*lines, f"Houses that book all of it: {', '.join(houses) or 'none'}."]
    )


@command("check", STRATEGY)
def check(file: Annotated[str, "A strategy file (.toml)."], *, as_json: bool = False) -> None:
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
