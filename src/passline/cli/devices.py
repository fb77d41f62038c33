"""`passline devices`: what each backend does on this computer, measured."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from passline.cli import options

DEVICES = """What each backend rolls a second on this computer.

Examples: `passline devices` · `passline devices --json`
"""
SESSIONS = {"engine": 20, "numpy": 20_000, "numba": 400_000, "gpu": 400_000_000}
"""About a second's worth for each."""


def add_to(app: typer.Typer) -> None:
    app.command("devices", help=DEVICES)(devices)


def devices(
    strategy: Annotated[str, typer.Option("--strategy", help="What is rolled.")] = "three_point_molly",
    house: Annotated[str, typer.Option("--house", help="Where.")] = "strip",
    as_json: options.AsJson = False,
) -> None:
    """Roll a little with each and tell."""
    from passline.analysis.question import ask
    from passline.cli.figures import show_json, waiting
    from passline.errors import PasslineError
    from passline.sim.backends import REGISTER

    question = ask(strategy, house=house)
    found: dict[str, dict[str, Any]] = {}
    for name, entry in REGISTER.items():
        told: dict[str, Any] = {"about": entry.about, "rolls_per_second": None, "why_not": None}
        found[name] = told
        try:
            with waiting(name):
                sample = question.simulate(sessions=SESSIONS[name], seed=7, backend=name, watch=1)
        except PasslineError as error:
            told["why_not"] = str(error)
            continue
        if sample.note:
            told["why_not"] = sample.note
        else:
            told |= {"rolls_per_second": round(sample.rolls_per_second), "threads": sample.threads}
    if as_json:
        show_json({"strategy": question.name, "house": question.seating.house.id, "backends": found})
        return
    typer.echo(
        f"{question.name} at {question.seating.house.id}, sessions of {question.terms.rolls} rolls, rolls a second:"
    )
    for name, told in found.items():
        speed = f"{told['rolls_per_second']:>20,}" if told["rolls_per_second"] else f"{'-':>20}"
        typer.echo(f"  {name:8}{speed}  {told['why_not'] or told['about']}")
