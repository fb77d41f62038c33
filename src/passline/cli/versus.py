"""`passline versus`, `population`: strategies held against each other on the same dice, and a table full of players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli import options
from passline.cli.errors import INTERRUPTED, fail

if TYPE_CHECKING:
    from passline.analysis.population import Population
    from passline.analysis.versus import Versus

VERSUS = """Compare strategies roll for roll on the same dice. The paired difference, with its interval and exact law.

Example: `passline versus pass_flat three_point_molly field --house strip --unit 10 --rolls 100 --seed 7`
"""
POPULATION = """What a table wins from a mix of players, and the bank it needs.

Shared dice, exact quantiles, covariances, a reserve.

Example: `passline population floor.toml --risk 0.01`, where floor.toml says house = "strip", hours = 8,
rolls_per_hour = 100, and for each kind of player [[players]] with strategy = "pass_flat", unit = 10, count = 4
"""


def add_to(app: typer.Typer) -> None:
    app.command("versus", help=VERSUS)(versus)
    app.command("population", help=POPULATION)(population)


@options.asks(options.SESSION)
def versus(
    names: Annotated[
        list[str], typer.Argument(metavar="STRATEGY...", help="Two or more: the first is held against each other one.")
    ],
    *,
    asked: options.Asked,
    sessions: Annotated[int, options.count("--sessions", "How many sessions.")] = 20_000,
    seed: options.Seed = None,
    backend: Annotated[str, typer.Option("--backend", help="As `passline simulate` takes it.")] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, one for each pair.")] = False,
) -> None:
    """Roll both on the same dice."""
    from passline.analysis.question import draw_seed
    from passline.analysis.versus import versus as held
    from passline.cli.figures import note_refusals, show_json, waiting

    if len(names) < 2:
        fail("versus needs two strategies or more, such as pass_flat and field.")
    first, *others = (asked.of(name) for name in names)
    dealt = draw_seed() if seed is None else seed
    found = []
    try:
        for other in others:
            with waiting(f"{first.name} and {other.name}") as progress:
                found.append(held(first, other, sessions=sessions, seed=dealt, backend=backend, progress=progress))
            note_refusals(other.name, other.source().about)
    except KeyboardInterrupt:
        fail("Stopped; nothing was kept.", INTERRUPTED)
    for each in found:
        if as_json:
            show_json(each.to_json())
        else:
            _show(each)


def _show(found: Versus) -> None:
    from passline.cli.figures import money, percent, show, signed, wilson

    low, high = found.interval
    worse = found.sessions - found.better - found.alike
    show(f"{found.one} less {found.other}: {found.sessions:,} sessions on the same dice, seed {found.seed}", "")
    show(f"The mean difference is {signed(found.mean)}, with 95 % from {low:,.3f} to {high:,.3f}.")
    if found.correlation is not None and found.standard_error:
        show(f"Correlation {found.correlation:.3f}: dice of their own would make the interval")
        show(f"{found.apart / found.standard_error:.2f} times as wide.")
    for word, count in (("better", found.better), ("alike", found.alike), ("worse", worse)):
        show(f"{word:>8}: {percent(count / found.sessions)} ({wilson(count / found.sessions, found.sessions)})")
    if found.law is None:
        show(f"No exact law beside: {found.why_not}.", "")
        return
    law = found.law
    show(f"Exactly: mean {signed(law.mean)}, give or take {money(law.variance**0.5)} a session;")
    show(f"better {percent(law.p_ahead)}, alike {percent(law.p_even)}, worse {percent(law.p_behind)}.", "")


def population(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A population file (.toml).")],
    *,
    risk: Annotated[float, typer.Option("--risk", help="The chance that the reserve may fall short.")] = 0.01,
    fractions: Annotated[bool, typer.Option("--fractions", help="Insist on exact fractions.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Work out what the table wins."""
    from passline.analysis.population import population as of
    from passline.cli.figures import show_json, waiting

    try:
        with waiting("rolls") as progress:
            found = of(file)
            found.exact(fractions=fractions, progress=progress)
        if as_json:
            show_json(found.to_json(risk=risk, fractions=fractions))
        else:
            _show_population(found, risk)
    except KeyboardInterrupt:
        fail("Stopped; half a law is no answer, so there is none.", INTERRUPTED)


def _show_population(found: Population, risk: float) -> None:
    from math import sqrt

    from passline.cli.cards import CUTS, rolls_of, said_hours
    from passline.cli.figures import amount, grid, money, percent, show, signed

    law = found.exact()
    seats = sum(count for _, count in found.players)
    house = found.players[0][0].seating.house
    pace = f"{rolls_of(found.terms.rolls)} in {said_hours(found.hours)}"
    show(f"{seats} players at {house.name}, {pace}, on the same dice", "")
    kinds = grid("each of", "players", "unit", "wins", "give or take", "correlation\nwith the first")
    matrix = found.covariances()
    for place, ((question, count), own) in enumerate(zip(found.players, found.laws(), strict=True)):
        spread = float(matrix[0][0]) * float(matrix[place][place])
        alike = f"{float(matrix[0][place]) / sqrt(spread):.3f}" if spread > 0 else ""
        kinds.add_row(
            question.name, str(count), amount(question.seating.unit), signed(own.mean), money(sqrt(own.variance)), alike
        )
    show(kinds, "")
    won = f"{money(law.mean)}, give or take {money(sqrt(law.variance))}"
    show(f"The table wins {won}; {-law.loss_per_hour:,.2f} an hour.")
    show(f"Handle (bets decided) {money(law.action)}, of which it keeps {law.mean / law.action:.3%}.")
    show(f"It is ahead with {percent(law.p_ahead)}.")
    cuts = grid("", *CUTS)
    cuts.add_row("win at most", *(signed(net) for net in law.quantiles.values()))
    show("", cuts, "")
    show(f"A reserve of {money(found.reserve(risk))} is enough at all times with all but {percent(risk)}.")
