"""`passline play`: sit down at a table."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, TextIO

import typer

from passline.cli.errors import fail
from passline.cli.journal import keys_path

EXAMPLE = """Sit down at a craps table. It is on felt in this terminal, or line by line with --plain.

Example: `passline play --house sydney`, or `passline play --resume evening.craps`
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play", help=EXAMPLE)(play)


def play(  # noqa: PLR0917 - Typer passes options by name
    house: Annotated[str | None, typer.Option(help="A house's id, or the path of a house file.")] = None,
    buyin: Annotated[str | None, typer.Option(help="Chips to buy; a hundred minimum bets if you do not say.")] = None,
    notice: Annotated[str, typer.Option(help='What the table\'s sign says, such as "min=5 odds=2".')] = "",
    players: Annotated[int, typer.Option(help="How many others play.")] = 2,
    name: Annotated[str, typer.Option(help="Your name at the table, one word.")] = "You",
    dice: Annotated[bool, typer.Option("--dice", help="Type the faces of real dice.")] = False,
    seed: Annotated[str | None, typer.Option(help="Practice: the same dice every time for the same seed.")] = None,
    save: Annotated[str | None, typer.Option(help="Where the record is kept [default: evening.craps].")] = None,
    resume: Annotated[str | None, typer.Option(help="Go on where a record ends.")] = None,
    journal: Annotated[
        str | None,
        typer.Option(help="Where the journal is kept, from which all can check the dice [beside the record]."),
    ] = None,
    no_journal: Annotated[bool, typer.Option("--no-journal", help="Keep no journal.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Words instead of felt; also without a terminal.")] = False,
) -> None:
    """Sit down at a table."""
    from passline.sitting.door import Setup
    from passline.terminal.run import run

    can_draw = _is_terminal(sys.stdin) and _is_terminal(sys.stdout) and os.environ.get("TERM", "") not in {"", "dumb"}
    setup = Setup(
        house=house,
        buyin=buyin,
        notice=notice,
        players=players,
        name=name,
        typed=dice,
        seed=seed,
        save=Path(save) if save else None,
        resume=Path(resume) if resume else None,
        journal=Path(journal) if journal else None,
        beside=True,
        keys=None if no_journal else keys_path(None),
    )
    outcome = run(setup, plain=plain or not can_draw)
    if outcome.message:
        fail(outcome.message, outcome.code)
    raise typer.Exit(outcome.code)


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody sits before it; a stream that was closed before we came is None."""
    return stream is not None and stream.isatty()
