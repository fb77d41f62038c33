"""`passline exact`: the whole distribution of a session, not a sample of it."""

from __future__ import annotations

import json
import shlex
import sys
from typing import Annotated

import typer

from passline.cli import options
from passline.cli.errors import INTERRUPTED, fail

EXACT = """The exact distribution of an evening. Every chance is a fraction, and nothing is sampled.

Examples: `passline exact three_point_molly --house strip --unit 10 --rolls 200 --bankroll 1000` ·
`passline exact martingale_pass --max 500 --rolls 1000 --double`
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("exact", help=EXACT)(exact)


def exact(
    name: Annotated[str, typer.Argument(metavar="STRATEGY", help="One of `passline strategies`, or a .toml file.")],
    *,
    house: options.House_ = "adelaide",
    unit: options.Unit = None,
    rolls: Annotated[int | None, options.count("--rolls", "Rolls of the evening (default 200).")] = None,
    bankroll: options.Bankroll = None,
    stop_win: options.StopWin = None,
    stop_loss: options.StopLoss = None,
    at_end: options.AtEnd = "run-out",
    most: options.Most = None,
    notice: options.NoticeText = None,
    float_: options.Float = None,
    dice_text: options.DiceText = None,
    rolls_per_hour: Annotated[str, typer.Option("--rolls-per-hour", help="How fast the table is.")] = "100",
    exactly: Annotated[
        bool | None,
        typer.Option(
            "--fractions/--double", help="Insist on fractions, or on double precision; else whichever is quick."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Exact fractions as one JSON object.")] = False,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write every net and its chance.")] = None,
) -> None:
    """Work out a session."""
    from passline.analysis.export import write_law_csv
    from passline.cli.figures import note_refusals, waiting
    from passline.cli.files import path_for, why_not

    file = path_for("--csv", csv)
    asked = options.Asked(
        house, unit, most, notice, float_, rolls, None, bankroll, stop_win, stop_loss, at_end, dice_text
    )
    question = asked.of(name)
    try:
        with waiting("states") as progress:
            machine = question.machine(progress)
        beside = question.long_run_beside()
        with waiting("rolls") as progress:
            found = question.exact(fractions=exactly, rolls_per_hour=rolls_per_hour, progress=progress)
    except KeyboardInterrupt:
        fail("Stopped; an evening half worked out is no answer, so there is none.", INTERRUPTED)
    failed = ""
    if file is not None:  # first, for whoever reads what is printed may stop reading
        try:
            write_law_csv(file, found)
        except OSError as error:
            failed = f"--csv: {why_not(error)}"
    told = (
        *asked._replace(rolls=question.rolls).ends,
        *(() if rolls_per_hour == "100" else options.words(("--rolls-per-hour", rolls_per_hour))),
        *(() if exactly is None else ("--fractions" if exactly else "--double",)),
    )
    command = " ".join(("passline exact", shlex.quote(name), *asked.table, *told))
    if as_json:
        told_json = {**found.to_json(distribution=True), "long_run": beside and beside.to_json(), "command": command}
        sys.stdout.write(json.dumps(told_json) + "\n")
    else:
        from passline.cli.cards import show_law

        note_refusals(question.name, machine.about)
        show_law(question, found, beside, command)
    if failed:
        fail(failed)
