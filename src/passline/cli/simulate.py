"""`passline simulate`: many sessions on the same dice, and the exact answer beside them."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from passline.analysis.checked import Checked
from passline.cli import options
from passline.cli.errors import INTERRUPTED, fail

if TYPE_CHECKING:
    from passline.analysis.question import Question
    from passline.odds.sessions.long_run import LongRun

SIMULATE = """Play many sessions of strategies on identical dice.

Examples: `passline simulate three_point_molly --sessions 1000000 --rolls 200 --bankroll 500 --seed 7` ·
`passline simulate pass_flat field iron_cross --house strip --unit 10 --bankroll 300 --chart three.png`
"""
NOTHING_KEPT = "Stopped before any session was finished; nothing was kept."


class Run(NamedTuple):
    """What came of one strategy."""

    name: str
    """As it was asked for: an id or a path."""
    question: Question
    checked: Checked
    beside: LongRun | None = None
    """What the strategy comes to if nothing ends it, where that is known."""


class Dice(NamedTuple):
    """How the sessions are rolled."""

    sessions: int
    seed: int
    backend: str
    threads: int | None
    beside: bool
    """Whether the exact answer is wanted beside."""
    scheduler: str | None = None
    checkpoint: str | None = None
    rows: str | None = None

    @property
    def looks_up(self) -> bool:
        """Whether anybody needs a machine."""
        return self.beside or self.backend != "engine"


def add_to(app: typer.Typer) -> None:
    app.command("simulate", help=SIMULATE)(simulate)


@options.asks(options.SESSION)
def simulate(
    names: Annotated[
        list[str], typer.Argument(metavar="STRATEGY...", help="Of `passline strategies`, or .toml files.")
    ],
    *,
    asked: options.Asked,
    sessions: Annotated[int, options.count("--sessions", "How many sessions.")] = 100_000,
    seed: options.Seed = None,
    backend: Annotated[
        str, typer.Option("--backend", help="One of auto, dask, engine, gpu, numba, numpy; see `passline devices`.")
    ] = "auto",
    threads: Annotated[int | None, options.count("--threads", "Default: one per core.")] = None,
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster, for --backend dask.")
    ] = None,
    checkpoint: Annotated[
        str | None, typer.Option("--checkpoint", metavar="DIR", help="Keep what is done there, and go on from it.")
    ] = None,
    rows: Annotated[
        str | None, typer.Option("--rows", metavar="FILE", help="Write one row a session as Parquet, while it rolls.")
    ] = None,
    beside: Annotated[
        bool, typer.Option("--exact/--no-exact", help="Work out the exact answer too, where that is quick.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, one for each strategy.")] = False,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Write each session's result as CSV.")
    ] = None,
    parquet: Annotated[
        str | None, typer.Option("--parquet", metavar="FILE", help="Write each session's result as Parquet.")
    ] = None,
    chart: Annotated[str | None, typer.Option("--chart", metavar="FILE", help="Draw it: a .png or .svg.")] = None,
    dark: Annotated[bool, typer.Option("--dark", help="Draw it in dark colours.")] = False,
) -> None:
    """Roll, count and compare."""
    from passline.analysis.question import draw_seed
    from passline.cli.files import Files, path_for
    from passline.sim.checkpoint import kept_seed

    kept = None if checkpoint is None else kept_seed(checkpoint)
    drawn = draw_seed() if kept is None else kept
    dice = Dice(sessions, drawn if seed is None else seed, backend, threads, beside, scheduler, checkpoint, rows)
    _check(dice)
    files = Files.checked(csv=csv, parquet=parquet, chart=chart, style="dark" if dark else "light")
    path_for("--rows", rows, (".parquet",), needs="polars")
    if rows is not None and len(names) > 1:
        fail("--rows: expected one strategy: the rows of several have no file of their own")
    questions = [asked.of(name) for name in names]
    try:
        # Every strategy is made ready before the first is rolled, so that the last one's slip costs nobody an hour.
        for question in questions:
            _make_ready(question, dice)
    except KeyboardInterrupt:
        fail(NOTHING_KEPT, INTERRUPTED)
    runs = _roll_all(names, questions, dice)
    if not runs:
        fail(NOTHING_KEPT, INTERRUPTED)
    failed = files.write([run.checked for run in runs])  # first, for whoever reads what is printed may stop reading
    _tell(runs, asked, dice, names, as_json=as_json)
    if failed:
        fail("\n".join(failed))
    if len(runs) < len(names) or not runs[-1].checked.sample.complete:
        _tell_interrupted(runs, names)


def _check(dice: Dice) -> None:
    """Refuse what cannot be asked, before anything is read or rolled."""
    from passline.files.amounts import whole_number
    from passline.sim.backends import check_backend
    from passline.sim.game import check_seed

    whole_number("sessions", dice.sessions)
    if dice.threads is not None:
        whole_number("threads", dice.threads)
    check_seed(dice.seed)
    check_backend(dice.backend)


def _make_ready(question: Question, dice: Dice) -> None:
    """Build the machine, or say that there is none and what that means; nobody waits for one that nobody asks."""
    from passline.cli.figures import note, note_refusals, waiting
    from passline.errors import UnboundedStrategyError

    backend = dice.backend
    if not dice.looks_up:
        question.check(backend, look_up=False)
        return
    try:
        with waiting(f"{question.name}: states") as progress:
            note_refusals(question.name, question.machine(progress).about)
    except UnboundedStrategyError as error:
        if backend not in {"auto", "engine"}:
            raise
        note(f"{error.why} Played roll by roll on the interpreted engine, which is slow; --max gives it a machine.")
    question.check(backend)


def _roll_all(names: list[str], questions: list[Question], dice: Dice) -> list[Run]:
    """Roll every question, each with its exact answer beside it; Ctrl-C ends it and keeps what there is."""
    from passline.analysis.checked import INTERRUPTED as CUT_SHORT
    from passline.analysis.checked import Checked, check
    from passline.cli.figures import note, sessions_bar, waiting

    runs: list[Run] = []
    try:
        for name, question in zip(names, questions, strict=True):
            with sessions_bar(f"{question.name} at {question.seating.house.id}") as progress:
                sample = question.simulate(
                    sessions=dice.sessions,
                    seed=dice.seed,
                    backend=dice.backend,
                    threads=dice.threads,
                    scheduler=dice.scheduler,
                    checkpoint=dice.checkpoint,
                    rows=dice.rows,
                    progress=progress,
                    look_up=dice.looks_up,
                )
            if sample.note:
                note(sample.note + ".")
            runs.append(Run(name, question, Checked(sample, None, CUT_SHORT)))
            if not sample.complete:
                break
            with waiting("the exact answer") as shown:
                checked = (
                    check(question, sample, shown) if dice.beside else Checked(sample, None, "it was not asked for")
                )
            runs[-1] = Run(name, question, checked, question.long_run_beside() if dice.looks_up else None)
    except KeyboardInterrupt:
        pass
    return runs


def _command(asked: options.Asked, dice: Dice, names: list[str]) -> str:
    """The line that gives the same counts again, anywhere and on any backend."""
    # The engine's own name belongs to the question only where it was asked for by name.
    engine = "engine" if dice.backend == "engine" else None
    said = (*options.words(("--sessions", dice.sessions)), *asked.ends)
    said += options.words(("--seed", dice.seed), ("--backend", engine))
    said += () if dice.looks_up else ("--no-exact",)
    return asked.command("simulate", names, *said)


def _tell(runs: list[Run], asked: options.Asked, dice: Dice, names: list[str], *, as_json: bool) -> None:
    """Print what came of it."""
    if as_json:
        for run in runs:
            long_run = run.beside and run.beside.to_json()
            told = {**run.checked.to_json(), "long_run": long_run, "command": _command(asked, dice, [run.name])}
            sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
        return
    from passline.cli.run_cards import show_runs

    show_runs(runs, _command(asked, dice, names))


def _tell_interrupted(runs: list[Run], names: list[str]) -> None:
    """Say what is there and what is not, and leave with the code of an interrupted command."""
    last = runs[-1].checked.sample
    left = names[len(runs) :]
    told = f"Stopped: {last.title} has {last.sessions:,} of {last.asked['sessions']:,} sessions, which are kept"
    fail(f"{told}; not played: {', '.join(left)}." if left else f"{told}.", INTERRUPTED)
