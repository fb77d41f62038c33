"""`passline play`: sit down at a table."""

from __future__ import annotations

import getpass
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from passline.cli.command import With, command
from passline.cli.errors import fail
from passline.cli.journal import keys_path
from passline.cli.serve import need_serve, reach
from passline.errors import CannotBeSeated, ServiceError
from passline.files.amounts import cents

if TYPE_CHECKING:
    from passline.sitting.door import Setup
    from passline.terminal.run import Outcome

SPEEDS = ("slow", "normal", "fast", "instant")
PRONOUNS = frozenset({"i", "me", "you", "he", "she", "they", "we", "it", "us", "them", "him", "her"})
CURRENCY_MAX = 4
PATIENCE_S = 10.0  # how long a player waits for a server before being told that it cannot be reached


@command("play")
def play(
    *,
    house: Annotated[str | None, "A house's id, or the path of a house file."] = None,
    buyin: Annotated[str | None, "Chips to buy [default: 100 times the minimum bet]."] = None,
    notice: Annotated[str, 'What the table\'s sign says, such as "min=5 odds=2".'] = "",
    players: Annotated[int, typer.Option(help="How many computer players join you.")] = 2,
    guests: With = None,
    name: Annotated[str | None, "Your name at the table, one word [default: your login name]."] = None,
    dice: Annotated[bool, "Roll real dice and type what they show."] = False,
    seed: Annotated[str | None, "Practice: the same dice every time for the same seed."] = None,
    save: Annotated[str | None, "Where to save the evening [default: evening.craps]."] = None,
    resume: Annotated[str | None, "Continue a saved evening."] = None,
    journal: Annotated[
        str | None, "Where to write the journal, from which anyone can check the dice [default: beside the record]."
    ] = None,
    no_journal: Annotated[bool, "Write no journal."] = False,
    server: Annotated[str | None, "Play at the `passline serve` at this address."] = None,
    table: Annotated[str | None, "Which table to sit at [default: a new practice table]."] = None,
    link: Annotated[str | None, "The invitation link to a table."] = None,
    token: str = "",
    speed: Annotated[str, "How long dice are in the air.", "slow|normal|fast|instant"] = "normal",
    currency: Annotated[str, "Written before your money, such as $ or €.", "SIGN"] = "",
    plain: Annotated[bool, "Play in lines of text (automatic when not in a terminal)."] = False,
) -> None:
    """Take a seat at a craps table. In this terminal, or with --server at a table over the network.

    Example: `passline play --house sydney`, `passline play --resume evening.craps`, or `passline play --server
    http://127.0.0.1:8000`
    """
    from passline.sitting.door import Setup
    from passline.terminal.run import run

    if speed not in SPEEDS:
        fail(f"--speed: found {speed!r}; expected one of {', '.join(SPEEDS)}")
    if len(currency) > CURRENCY_MAX or not currency.isprintable() or any(map(str.isdigit, currency)):
        fail(f"--currency: found {currency!r}; expected a sign such as $ or €")
    can_draw = _is_terminal(sys.stdin) and _is_terminal(sys.stdout) and os.environ.get("TERM", "") not in {"", "dumb"}
    setup = Setup(
        house=house,
        buyin=buyin,
        notice=notice,
        players=players,
        guests=tuple(guests or ()),
        name=_name(name),
        typed=dice,
        seed=seed,
        save=Path(save) if save else None,
        resume=Path(resume) if resume else None,
        journal=Path(journal) if journal else None,
        beside=True,
        keys=None if no_journal else keys_path(None),
        speed=speed,
        currency=currency,
    )
    if server is not None:
        outcome = _from_afar(server, token, (table, link), setup, plain=plain or not can_draw)
    else:
        outcome = run(setup, plain=plain or not can_draw)
    if outcome.message:
        fail(outcome.message, outcome.code)
    raise typer.Exit(outcome.code)


def _name(given_name: str | None) -> str:
    """What the others call the player: as said, or as they signed in to this computer; never a pronoun."""
    if given_name is not None and given_name.casefold() in PRONOUNS:
        fail(f"--name: found {given_name!r}; expected a name, which is how the others read it")
    try:
        user = "".join(filter(str.isalnum, getpass.getuser()))
    except (OSError, KeyError, ImportError):
        user = ""
    return given_name or user.capitalize() or "Guest"


def _from_afar(server: str, token: str, where: tuple[str | None, str | None], setup: Setup, *, plain: bool) -> Outcome:
    need_serve("play --server")
    reach(server)
    from passline.client.clients import Client
    from passline.client.sitting import sit_down
    from passline.terminal.run import sit_at

    table, link = where
    with Client(server, token, patience_s=PATIENCE_S) as client:
        try:
            if link is not None:
                table = client.come(setup.name, link).name
            buyin = None if setup.buyin is None else cents(setup.buyin, "buyin")
            sitting = sit_down(client, table, setup.house or "adelaide", setup.name, buyin)
        except (CannotBeSeated, ServiceError) as error:
            fail(f"--server: {str(error).removeprefix('--server: ')}", 1)
        return sit_at(sitting, setup, plain=plain)


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody sits before it; a stream that was closed before we came is None."""
    return stream is not None and stream.isatty()
