"""`passline dice-test`: real rolls held against dice, and how many rolls it takes to see a difference."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli import options
from passline.cli.errors import fail

if TYPE_CHECKING:
    from passline.analysis.dice_test import DiceTest

DICE_TEST = """Test recorded rolls: could fair dice have thrown them?

Faces, pairs, totals, sevens and runs, each with the chance of it.

FILE is a .craps record, or has two dice (3,4) or a total on each line. Examples: `passline dice-test evening.craps` ·
`passline dice-test --see srr=6.5` says how many rolls it takes to see dice with a seven in 6.5 rolls.
"""


def add_to(app: typer.Typer) -> None:
    app.command("dice-test", help=DICE_TEST)(dice_test)


def dice_test(
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help="The rolls.")] = None,
    *,
    dice: options.DiceText = None,
    see: Annotated[
        str | None, typer.Option("--see", metavar="DICE", help="How many rolls tell such dice from fair ones.")
    ] = None,
    level: Annotated[float, typer.Option("--level", help="With --see: the false-alarm rate.")] = 0.05,
    power: Annotated[float, typer.Option("--power", help="With --see: the power of the test.")] = 0.9,
    as_json: options.AsJson = False,
) -> None:
    """Test, or say how many rolls a test needs."""
    from passline.analysis import dice_test as tests
    from passline.cli.figures import percent, show, show_json

    if (file is None) == (see is None):
        fail("Give a file of rolls, or --see with the dice that should be seen, such as srr=6.5.")
    if see is not None:
        needed = tests.rolls_to_see(see, level=level, power=power)
        if as_json:
            show_json(asdict(needed))
            return
        show(f"{needed.rolls:,} rolls tell these dice from fair ones with {percent(needed.power)}.")
        told = f"Fewer than {needed.fewest:,} sevens in them, or more than {needed.most:,}, come of fair dice"
        show(f"{told} with at most {percent(needed.level)}.")
        return
    found = tests.dice_test(file or "", dice=dice)
    if as_json:
        show_json(found.to_json())
    else:
        _show(found)


def _show(found: DiceTest) -> None:
    from passline.cli.cards import said_dice
    from passline.cli.figures import grid, percent, show

    low, high = found.srr_interval
    against = "fair dice" if found.dice.fair else said_dice(found.dice)
    ratio = "none" if found.srr is None else f"one in {float(found.srr):.3f} rolls"
    upper = f"{high:.3f}" if math.isfinite(high) else "any number"
    show(f"{found.rolls:,} rolls held against {against}.")
    show(f"Sevens: {found.sevens:,}, {ratio}; with 95 % the dice make one in {low:.3f} to {upper}.", "")
    table = grid("", "statistic", "degrees", "chance", "")
    for fit in found.fits:
        degrees = "exact" if fit.freedom is None else str(fit.freedom)
        few = f"rough: {fit.expected_min:.1f} expected" if fit.rough and fit.expected_min is not None else ""
        table.add_row(fit.name, f"{fit.statistic:,.2f}", degrees, percent(fit.p_value), few)
    show(table, "")
    luck = f"one of {len(found.fits)} tests is that low by luck in about {len(found.fits)} of 100 files."
    show("Chance: that these dice fall as far from what is expected, or farther.")
    show(f"Below 1 % is worth a second look, and {luck}")
