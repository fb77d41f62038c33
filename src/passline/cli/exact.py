"""`passline exact`: the whole distribution of an evening, not a sample of it."""

from __future__ import annotations

import json
import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.cli import analysis_options as options
from passline.cli.errors import REFUSED, fail

if TYPE_CHECKING:
    from fractions import Fraction

    from passline.cli.analysis_options import Purse, Seating
    from passline.machine.machine import Machine
    from passline.odds.sessions.law import Law
    from passline.strategies.language.strategy import Strategy

EXACT = """The exact distribution of an evening. Every chance is a fraction, and nothing is sampled.

Examples: `passline exact three_point_molly --house strip --unit 10 --rolls 200 --bankroll 1000` ·
`passline exact martingale_pass --max 500 --rolls 1000 --double`
"""
ROLLS = 200
"""The rolls of an evening when nobody says: two hours at a busy table."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("exact", help=EXACT)(exact)


def exact(
    name: Annotated[str, typer.Argument(metavar="STRATEGY", help="One of `passline strategies`, or a .toml file.")],
    *,
    house: options.House_ = "adelaide",
    unit: options.Unit = None,
    rolls: Annotated[int | None, typer.Option("--rolls", help=f"Rolls of the evening (default {ROLLS}).")] = None,
    bankroll: options.Bankroll = None,
    stop_win: options.StopWin = None,
    stop_loss: options.StopLoss = None,
    most: options.Most = None,
    notice: options.NoticeText = None,
    float_: options.Float = None,
    rolls_per_hour: Annotated[str, typer.Option("--rolls-per-hour", help="How fast the table is.")] = "100",
    exactly: Annotated[
        bool | None,
        typer.Option(
            "--fractions/--double", help="Insist on fractions, or on double precision; else whichever is quick."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Exact fractions as one JSON object.")] = False,
) -> None:
    """Work out an evening."""
    strategy = options.strategy(name)
    seat = options.seating(house, unit, most, notice, float_)
    asked = options.purse(bankroll, stop_win, stop_loss)
    hour = options.money("--rolls-per-hour", rolls_per_hour)
    rolls = strategy.ends.rolls or ROLLS if rolls is None else rolls
    options.at_least_one("--rolls", rolls)
    machine, found = _worked_out(seat, strategy, asked, rolls=rolls, hour=hour, exactly=exactly)
    told = (
        *options.words(("--rolls", rolls), ("--bankroll", bankroll)),
        *options.words(("--stop-win", stop_win), ("--stop-loss", stop_loss)),
        *(() if rolls_per_hour == "100" else options.words(("--rolls-per-hour", rolls_per_hour))),
        *(() if exactly is None else ("--fractions" if exactly else "--double",)),
    )
    command = " ".join(("passline exact", shlex.quote(name), *seat.words, *told))
    if as_json:
        sys.stdout.write(json.dumps(evening_json(machine, found, command)) + "\n")
        return
    from passline.cli.analysis_cards import show_evening
    from passline.cli.analysis_show import note_refusals

    note_refusals(strategy.id, machine.about)
    show_evening(strategy, seat.house, machine, found, command)


def _worked_out(
    seat: Seating,
    strategy: Strategy,
    asked: Purse,
    *,
    rolls: int,
    hour: Fraction | None,
    exactly: bool | None,
) -> tuple[Machine, Law]:
    """The machine and its evening, or a sentence about why there is none."""
    from passline.cli.analysis_show import waiting
    from passline.cli.analysis_source import machine_of, unit_of
    from passline.errors import SessionError, StrategyError, UnboundedStrategyError
    from passline.odds.sessions.law import law_of

    if strategy.ends.hands is not None:
        hands = strategy.ends.hands
        fail(f"{strategy.id} ends after {hands} hands, and an exact evening is counted in rolls: simulate it.", REFUSED)
    ends = options.ends_of(strategy, unit_of(seat, strategy), asked)
    try:
        with waiting("states") as progress:
            machine = machine_of(seat, strategy, ends, progress)
        with waiting("rolls") as progress:
            found = law_of(
                machine,
                rolls=rolls,
                bankroll=ends.bankroll,
                stop_win=ends.stop_win,
                stop_loss=ends.stop_loss,
                exact=exactly,
                rolls_per_hour=hour or 100,
                progress=progress,
            )
    except UnboundedStrategyError as error:
        fail(str(error).replace("play it on the interpreted engine (--backend engine)", "simulate it"), REFUSED)
    except (StrategyError, SessionError) as error:
        options.refuse(error)
    except KeyboardInterrupt:
        fail("Stopped; an evening half worked out is no answer, so there is none.", options.INTERRUPTED)
    return machine, found


def evening_json(machine: Machine, found: Law, command: str) -> dict[str, Any]:
    """An evening for programs: where it comes from, then its figures."""
    about = machine.about
    told = {
        key: about[key] for key in ("strategy", "house", "unit", "house_hash", "strategy_hash", "notice", "refused")
    }
    return told | figures(found) | {"machine": machine.digest(), "states": machine.states, "command": command}


def figures(found: Law) -> dict[str, Any]:
    """An evening's figures; without a bankroll nobody can be ruined, however the rest was worked out."""
    sure = {} if found.terms.bankroll is not None else {"p_ruin": "0", "p_ruin_decimal": "0"}
    return found.to_json() | sure
