"""The commands, each in its own module; what is slow to import is imported inside the command that needs it."""

from __future__ import annotations

from typing import Annotated

import typer

from passline import __version__
from passline.cli import (
    best,
    bot,
    devices,
    dice_test,
    drill,
    exact,
    houses,
    journal,
    odds,
    par,
    people,
    pit,
    play,
    replay,
    serve,
    simulate,
    strategies,
    sweep,
    theo,
    verify,
    versus,
)
from passline.cli.errors import Commands

app = typer.Typer(
    cls=Commands,
    name="passline",
    help="Craps, played exactly by the book: play, replay and price it in six houses.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"passline {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Craps, played exactly by the book."""


for command in (
    play,
    drill,
    houses,
    replay,
    odds,
    par,
    strategies,
    exact,
    best,
    simulate,
    sweep,
    theo,
    devices,
    versus,
    dice_test,
    journal,
    verify,
    pit,
    serve,
    bot,
    people,
):
    command.add_to(app)
