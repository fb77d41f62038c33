"""`passline theo`, `stages`: what a player is worth, and how far a progression goes."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from passline.cli import options
from passline.cli.errors import INTERRUPTED, fail

THEO = """What a player is worth to the house. Handle, theoretical loss, comps, and each wager's share of loss and risk.

Example: `passline theo three_point_molly --house strip --unit 10 --hours 4 --comp 0.3 --bankroll 500`
"""
STAGES = """How far a strategy's progression goes. The chance to reach each step, the rolls and the money spent in it.

Example: `passline stages martingale_pass --house strip --unit 5 --max 640 --rolls 200`
"""
STOPPED = "Stopped; nothing was kept."


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("theo", help=THEO)(theo)
    app.command("stages", help=STAGES)(stages)


def theo(
    name: Annotated[str, typer.Argument(metavar="STRATEGY", help="One of `passline strategies`, or a .toml file.")],
    *,
    house: options.House_ = "adelaide",
    unit: options.Unit = None,
    hours: Annotated[str, typer.Option("--hours", help="How long the player plays.")] = "1",
    rolls_per_hour: Annotated[str, typer.Option("--rolls-per-hour", help="How fast the table is.")] = "100",
    comp: Annotated[str, typer.Option("--comp", help="The share of the theoretical loss given back: 0.3.")] = "0",
    bankroll: options.Bankroll = None,
    most: options.Most = None,
    notice: options.NoticeText = None,
    float_: options.Float = None,
    dice_text: options.DiceText = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Rate a player."""
    from passline.analysis.theo import theo_of
    from passline.cli.cards import said_hours, title
    from passline.cli.figures import grid, money, percent, show, waiting
    from passline.files.amounts import positive

    rolls = int(positive("hours", hours) * positive("rolls_per_hour", rolls_per_hour)) or 1
    asked = options.Asked(house, unit, most, notice, float_, rolls, None, bankroll, None, None, "run-out", dice_text)
    question = asked.of(name)
    try:
        with waiting("states") as progress:
            found = theo_of(question, rolls_per_hour=rolls_per_hour, hours=hours, comp=comp, progress=progress)
    except KeyboardInterrupt:
        fail(STOPPED, INTERRUPTED)
    if as_json:
        sys.stdout.write(json.dumps(found.to_json()) + "\n")
        return
    pace = f"{said_hours(found.hours)} of {rolls_per_hour} rolls"
    show(f"{title(question)} at {question.house.name}, {pace}, in the long run", "")
    edge = "" if found.edge is None else f", {float(found.edge):.3%} of it"
    show(f"Handle (bets decided) {money(found.handle)}; theoretical loss {money(found.loss)}{edge}.")
    show(f"Give or take {money(found.deviation)}. Comps at {comp} of the theoretical loss: {money(found.comps)}.")
    if found.hold is not None:
        show(f"Hold: {percent(found.hold)} of the {bankroll} brought, in a session of so many rolls with ruin counted.")
    table = grid("wager", "handle", "loss", "edge", "of the loss", "of the risk")
    times = found.rolls_per_hour * found.hours
    for each in found.wagers:
        share = float(each.loss) * float(times) / float(found.loss) if found.loss else 0.0
        table.add_row(
            each.wager,
            money(float(each.handle) * float(times)),
            money(float(each.loss) * float(times)),
            "" if each.edge is None else f"{float(each.edge):.3%}",
            f"{share:.1%}",
            f"{each.risk:.1%}",
        )
    show("", table, "")
    show("Risk: the share of the variance that a wager has, by itself and together with the others.")


def stages(
    name: Annotated[str, typer.Argument(metavar="STRATEGY", help="One of `passline strategies`, or a .toml file.")],
    *,
    by: Annotated[str | None, typer.Option("--by", help="The progression or count; else the only one.")] = None,
    house: options.House_ = "adelaide",
    unit: options.Unit = None,
    rolls: options.EveningRolls = None,
    most: options.Most = None,
    notice: options.NoticeText = None,
    float_: options.Float = None,
    dice_text: options.DiceText = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Tell the stages."""
    from passline.analysis.theo import stages_of
    from passline.cli.cards import title
    from passline.cli.figures import grid, percent, show, signed, waiting

    asked = options.Asked(house, unit, most, notice, float_, rolls, None, None, None, None, "run-out", dice_text)
    question = asked.of(name)
    try:
        with waiting("states") as progress:
            found = stages_of(question, by, progress=progress)
    except KeyboardInterrupt:
        fail(STOPPED, INTERRUPTED)
    if as_json:
        told = {
            str(at): {"p_reached": each.p_reached, "rolls": each.rolls, "net": each.net} for at, each in found.items()
        }
        sys.stdout.write(json.dumps({"strategy": question.name, "rolls": question.rolls, "stages": told}) + "\n")
        return
    show(f"{title(question)} at {question.house.name}, {question.rolls:,} rolls that nothing else ends", "")
    table = grid("stage", "reached", "rolls in it", "net in it")
    for at, each in found.items():
        table.add_row(str(at), percent(each.p_reached), f"{each.rolls:,.2f}", signed(each.net))
    show(table)
