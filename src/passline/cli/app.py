"""The commands, each in its own module; what is slow to import is imported inside the command that needs it."""

from typing import Annotated

import typer

from passline import __version__
from passline.cli import (  # noqa: F401 - importing a module adds its commands
    asking,
    best,
    bot,
    drill,
    houses,
    journal,
    man,
    people,
    pit,
    play,
    prices,
    replay,
    serve,
    strategies,
    verify,
)
from passline.cli.command import app
from passline.cli.group import configure

__all__ = ["app"]

BEGIN = """\
Passline: craps, played exactly by the book.

  passline play                 take a seat in this terminal
  passline serve --open         the table in your browser
  passline drill                practise: payoffs, calls and rulings
  passline odds --house strip   what every bet costs
  passline --help               everything else
"""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"passline {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    ctx: typer.Context,
    config: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A configuration file: house, unit, name, players, speed, currency."),
    ] = None,
    version: Annotated[  # noqa: ARG001 - its callback does it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Craps, played exactly by the book."""
    configure(ctx, config)
    if ctx.invoked_subcommand is None:
        typer.echo(BEGIN, nl=False)
