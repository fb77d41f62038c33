"""`passline best`: the exact optimum over everything that a player may do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from passline.cli import options

BEST = """The best play there is. The exact optimum over every bet that the dealers would take, and how to play it.

Example: `passline best --house strip --wagers pass,pass_odds --bankroll 10 --goal 20 --unit 1`
"""
ROWS = 40
"""States that are printed; `--json` has them all."""


def add_to(app: typer.Typer) -> None:
    app.command("best", help=BEST)(best)


def best(  # noqa: PLR0917 - Typer passes by name
    house: options.House_ = "adelaide",
    wagers: Annotated[
        str, typer.Option("--wagers", metavar="KEY,…", help="What may be bet, such as pass,pass_odds.")
    ] = "pass,pass_odds",
    bankroll: Annotated[int, options.count("--bankroll", "Units at hand.")] = 10,
    goal: Annotated[int, options.count("--goal", "Units to reach.", least=2)] = 20,
    unit: Annotated[str, typer.Option("--unit", metavar="MONEY", help="The smallest stake, chip and payment.")] = "1",
    odds: Annotated[int | None, options.count("--odds", "Odds up to so many times the flat bet.")] = None,
    rolls: Annotated[int | None, options.count("--rolls", "Reach it within so many rolls.")] = None,
    maximise: Annotated[
        str,
        typer.Option("--maximise", metavar="chance|rolls", help="The chance of the goal, or the time at the table."),
    ] = "chance",
    exactly: Annotated[
        bool | None, typer.Option("--fractions/--double", help="Insist on fractions, or do without.")
    ] = None,
    simulate: Annotated[int | None, options.count("--simulate", "Also play so many evenings by it.")] = None,
    seed: options.Seed = None,
    as_json: options.AsFractions = False,
) -> None:
    """Work it out and print it."""
    from passline.cli.figures import grid, percent, show, show_json, waiting
    from passline.odds.best.play import best_play

    with waiting("positions") as progress:
        answer = best_play(
            house,
            wagers.replace(" ", ""),
            bankroll=bankroll,
            goal=goal,
            unit=unit,
            odds=odds,
            rolls=rolls,
            maximise=maximise,  # type: ignore[arg-type]
            exact=exactly,
            progress=progress,
        )
    share = answer.simulate(simulate, seed or 0) if simulate else None
    if as_json:
        show_json({**answer.to_json(), "simulated": share})
        return
    within = f" within {rolls} rolls" if rolls else ""
    if maximise == "chance":
        show(f"{answer.house.name}: from {bankroll} to {goal} with {wagers}{within}: {percent(answer.value)} at best.")
        if answer.optimum.exact is not None and len(str(answer.optimum.exact)) <= 60:
            show(f"Exactly {answer.optimum.exact}.")
    else:
        show(f"{answer.house.name}: {bankroll} units last {float(answer.value):,.1f} rolls at best, up to {goal}.")
    game = answer.optimum.game
    proved = "proved in fractions" if answer.optimum.exact is not None else "in double precision"
    show(f"Over {len(game.positions):,} positions and {game.states:,} states, {proved}.", "")
    table = grid("with", "puck", "up", "then", "worth")
    advice = answer.advice()
    for each in advice[:ROWS]:
        worth = percent(each.value) if maximise == "chance" else f"{each.value:,.1f}"
        table.add_row(str(each.wealth), str(each.puck or "off"), _stakes(each.up), _stakes(each.then), worth)
    show(table)
    if len(advice) > ROWS:
        show(f"… and {len(advice) - ROWS:,} more states: --json has them all.")
    if share is not None:
        show("", f"Played {simulate:,} times: {percent(share)}.")


def _stakes(stakes: Mapping[str, int]) -> str:
    return ", ".join(f"{key} {stake}" for key, stake in stakes.items()) or "–"
