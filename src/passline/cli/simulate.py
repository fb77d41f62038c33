"""`passline simulate`: many sessions on the same dice, and the exact answer beside them."""

from __future__ import annotations

import json
import secrets
import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli import analysis_options as options
from passline.cli.analysis_runs import Asked, Entry, Run, roll_all
from passline.cli.errors import REFUSED, fail

if TYPE_CHECKING:
    from passline.cli.analysis_options import Seating
    from passline.machine.machine import Machine
    from passline.strategies.language.strategy import Strategy

SIMULATE = """Play many sessions of strategies on identical dice.

Examples: `passline simulate three_point_molly --sessions 1000000 --rolls 200 --bankroll 500 --seed 7` ·
`passline simulate pass_flat field iron_cross --house strip --unit 10 --bankroll 300 --chart three.png`
"""
ROLLS = 200
"""Rolls of a session when nobody says."""
SEEDS_DRAWN = 1 << 32
"""A seed that nobody chose is short enough to be typed again."""
SPARE_ROLLS, ROLLS_PER_HAND = 200, 20
"""With hands and no rolls: rolls that so many hands all but never need, for a hand has 8.5."""
BACKENDS = ("auto", "engine", "numpy", "numba")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("simulate", help=SIMULATE)(simulate)


def simulate(
    names: Annotated[
        list[str], typer.Argument(metavar="STRATEGY...", help="Of `passline strategies`, or .toml files.")
    ],
    *,
    house: options.House_ = "adelaide",
    unit: options.Unit = None,
    sessions: Annotated[int, typer.Option("--sessions", help="How many sessions.")] = 100_000,
    rolls: Annotated[int | None, typer.Option("--rolls", help=f"Rolls of a session (default {ROLLS}).")] = None,
    hands: Annotated[int | None, typer.Option("--hands", help="End a session after so many seven-outs.")] = None,
    bankroll: options.Bankroll = None,
    stop_win: options.StopWin = None,
    stop_loss: options.StopLoss = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Of the dice; else one is drawn, and told.")] = None,
    most: options.Most = None,
    notice: options.NoticeText = None,
    float_: options.Float = None,
    backend: Annotated[str, typer.Option("--backend", help=f"One of {', '.join(BACKENDS)}.")] = "auto",
    threads: Annotated[int | None, typer.Option("--threads", help="Else as many as there are cores.")] = None,
    beside: Annotated[
        bool, typer.Option("--exact/--no-exact", help="Work out the exact answer too, where that is quick.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, one for each strategy.")] = False,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write the final nets as CSV.")] = None,
    parquet: Annotated[str | None, typer.Option("--parquet", metavar="FILE", help="And as Parquet.")] = None,
    chart: Annotated[str | None, typer.Option("--chart", metavar="FILE", help="Draw it: a .png or .svg.")] = None,
    dark: Annotated[bool, typer.Option("--dark", help="Draw it in dark colours.")] = False,
) -> None:
    """Roll, count and compare."""
    from passline.cli.analysis_files import Files

    asked = Asked(
        sessions=sessions,
        rolls=rolls,
        hands=hands,
        purse=options.purse(bankroll, stop_win, stop_loss),
        seed=secrets.randbelow(SEEDS_DRAWN) if seed is None else seed,
        backend=backend,
        threads=threads,
        beside=beside,
    )
    _check(asked)
    files = Files.checked(csv=csv, parquet=parquet, chart=chart, style="dark" if dark else "light")
    seat = options.seating(house, unit, most, notice, float_)
    entries = _entries(seat, names, asked)
    runs = roll_all(seat, entries, asked, lambda entry: _command(seat, (entry.name,), asked))
    if not runs:
        fail("Stopped before any session was finished; nothing was kept.", options.INTERRUPTED)
    _tell(runs, _command(seat, names, asked), as_json=as_json)
    files.write(runs)
    if len(runs) < len(entries) or not all(run.result.complete for run in runs):
        _tell_interrupted(runs, entries)


def _check(asked: Asked) -> None:
    """Refuse what cannot be asked, before anything is read or rolled."""
    from passline.files.findings import nearest

    options.at_least_one("--sessions", asked.sessions)
    for option, count in (("--rolls", asked.rolls), ("--hands", asked.hands), ("--threads", asked.threads)):
        if count is not None:
            options.at_least_one(option, count)
    if not 0 <= asked.seed < 1 << 64:
        fail(f"--seed {asked.seed}: expected a whole number from 0 to 2^64 - 1")
    if asked.backend not in BACKENDS:
        near = nearest(asked.backend, BACKENDS)
        hint = f" Nearest: {near}" if near else ""
        fail(f"--backend: found {asked.backend!r}; expected one of {', '.join(BACKENDS)}.{hint}")


def _entries(seat: Seating, names: list[str], asked: Asked) -> list[Entry]:
    """Every strategy made ready before the first is rolled, so that the last one's slip costs nobody an hour."""
    strategies = [options.strategy(name) for name in names]
    try:
        return [_entry(seat, name, strategy, asked) for name, strategy in zip(names, strategies, strict=True)]
    except KeyboardInterrupt:
        fail("Stopped before any session was finished; nothing was kept.", options.INTERRUPTED)


def _entry(seat: Seating, name: str, strategy: Strategy, asked: Asked) -> Entry:
    """One strategy made ready: its machine, or, where it has no end, a player."""
    from passline.cli.analysis_show import note, note_refusals, waiting
    from passline.cli.analysis_source import first_bet, machine_of, player_of, unit_of
    from passline.errors import StrategyError, UnboundedStrategyError
    from passline.sim.game import check_machine

    ends = options.ends_of(strategy, unit_of(seat, strategy), asked.purse)
    hands = strategy.ends.hands if asked.hands is None else asked.hands
    machine: Machine | None = None
    try:
        try:
            with waiting(f"{strategy.id}: states") as progress:
                machine = machine_of(seat, strategy, ends, progress)
        except UnboundedStrategyError as error:
            if asked.backend in {"numpy", "numba"}:
                raise
            why = str(error).partition(" Give the table a maximum")[0]
            note(f"{why} Played roll by roll on the interpreted engine, which is slow; --max gives it a machine.")
        source = machine if machine and asked.backend != "engine" else player_of(seat, strategy, ends, machine)
    except StrategyError as error:
        options.refuse(error)
    if machine:
        note_refusals(strategy.id, machine.about)
    need = first_bet(source)
    if ends.bankroll is not None and ends.bankroll < need:
        fail(
            f"a bankroll of {ends.bankroll} does not cover the first bet of {strategy.id}, which needs {need}", REFUSED
        )
    rolls = _rolls(strategy, asked, hands)
    if machine:
        try:
            check_machine(machine, rolls)
        except ValueError as error:
            options.refuse(error)
    return Entry(name, strategy, ends, rolls, hands, machine, source)


def _rolls(strategy: Strategy, asked: Asked, hands: int | None) -> int:
    """The rolls of a session: as asked, as the strategy says, or enough for its hands."""
    if asked.rolls is not None:
        return asked.rolls
    if strategy.ends.rolls is not None:
        return strategy.ends.rolls
    return ROLLS if hands is None else SPARE_ROLLS + ROLLS_PER_HAND * hands


def _command(seat: Seating, names: tuple[str, ...] | list[str], asked: Asked) -> str:
    """The line that gives the same counts again, anywhere and on any backend."""
    purse = asked.purse
    said = options.words(
        ("--sessions", asked.sessions),
        ("--rolls", asked.rolls),
        ("--hands", asked.hands),
        ("--bankroll", purse.bankroll),
        ("--stop-win", purse.stop_win),
        ("--stop-loss", purse.stop_loss),
        ("--seed", asked.seed),
        # The engine's own name belongs to the question only where it was asked for by name.
        ("--backend", "engine" if asked.backend == "engine" else None),
    )
    return " ".join(("passline simulate", *map(shlex.quote, names), *seat.words, *said))


def _tell(runs: list[Run], command: str, *, as_json: bool) -> None:
    """Print what came of it."""
    if as_json:
        for run in runs:
            sys.stdout.write(json.dumps(run.to_json(), ensure_ascii=False) + "\n")
        return
    from passline.cli.analysis_run_cards import show_runs

    show_runs(runs, command)


def _tell_interrupted(runs: list[Run], entries: list[Entry]) -> None:
    """Say what is there and what is not, and leave with the code of an interrupted command."""
    last = runs[-1].result
    left = [entry.name for entry in entries[len(runs) :]]
    told = f"Stopped: {last.title} has {last.sessions:,} of {last.asked['sessions']:,} sessions, which are kept"
    fail(f"{told}; not played: {', '.join(left)}." if left else f"{told}.", options.INTERRUPTED)
