"""`passline theo`, `stages`: what a player is worth, and how far a progression goes."""

from __future__ import annotations

from typing import Annotated

import typer

from passline.cli import options
from passline.cli.errors import INTERRUPTED, fail

THEO = """What a player is worth to the house. Handle, theoretical loss, comps, and each wager's share of loss and risk.

Example: `passline theo three_point_molly --house strip --unit 10 --hours 4 --comp 0.3 --bankroll 500`
"""
STAGES = """How often each step of a progression is reached.

The chance to reach each step, the rolls and the money spent in it.

Example: `passline stages martingale_pass --house strip --unit 5 --max 640 --rolls 200`
"""
STOPPED = "Stopped; nothing was kept."


def add_to(app: typer.Typer) -> None:
    app.command("theo", help=THEO)(theo)
    app.command("stages", help=STAGES)(stages)


@options.asks({"bankroll": options.Bankroll})
def theo(
    name: options.StrategyName,
    *,
    asked: options.Asked,
    hours: Annotated[str, typer.Option("--hours", help="How long the player plays.")] = "1",
    rolls_per_hour: options.RollsPerHour = "100",
    comp: Annotated[str, typer.Option("--comp", help="The share of the theoretical loss given back: 0.3.")] = "0",
    as_json: options.AsJson = False,
) -> None:
    """Rate a player."""
    from passline.analysis.theo import theo_of
    from passline.cli.cards import said_hours, title
    from passline.cli.figures import grid, money, percent, show, show_json, waiting
    from passline.files.amounts import positive

    rolls = int(positive("hours", hours) * positive("rolls_per_hour", rolls_per_hour)) or 1
    question = asked._replace(rolls=rolls).of(name)
    try:
        with waiting("states") as progress:
            found = theo_of(question, rolls_per_hour=rolls_per_hour, hours=hours, comp=comp, progress=progress)
    except KeyboardInterrupt:
        fail(STOPPED, INTERRUPTED)
    if as_json:
        show_json(found.to_json())
        return
    pace = f"{said_hours(found.hours)} of {rolls_per_hour} rolls"
    show(f"{title(question)} at {question.seating.house.name}, {pace}, in the long run", "")
    edge = "" if found.edge is None else f", {float(found.edge):.3%} of it"
    show(f"Handle (bets decided) {money(found.handle)}; theoretical loss {money(found.loss)}{edge}.")
    show(f"Give or take {money(found.deviation)}. Comps at {comp} of the theoretical loss: {money(found.comps)}.")
    if found.hold is not None:
        brought = f"{percent(found.hold)} of the {asked.bankroll} brought"
        show(f"Hold: {brought}, in a session of so many rolls with ruin counted.")
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


@options.asks({"rolls": options.EveningRolls, **options.STOPS})
def stages(
    name: options.StrategyName,
    *,
    by: Annotated[str | None, typer.Option("--by", help="The progression or count; else the only one.")] = None,
    asked: options.Asked,
    as_json: options.AsJson = False,
) -> None:
    """Tell the stages."""
    from passline.analysis.theo import stages_of
    from passline.cli.cards import rolls_of, said_ends, title
    from passline.cli.figures import grid, percent, show, show_json, signed, waiting

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
        show_json({"strategy": question.name, "rolls": question.terms.rolls, "stages": told})
        return
    ends = ", ".join((rolls_of(question.terms.rolls), *said_ends(question)))
    show(f"{title(question)} at {question.seating.house.name}, {ends}", "")
    table = grid("stage", "reached", "rolls in it", "net in it")
    for at, each in found.items():
        table.add_row(str(at), percent(each.p_reached), f"{each.rolls:,.2f}", signed(each.net))
    show(table)
