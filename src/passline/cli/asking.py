"""`passline exact`, `simulate`, `versus`, `sweep`, `stages`, `theo`, `population`, `devices`: what strategies do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from passline.answers import AGAIN
from passline.cli import options
from passline.cli.errors import INTERRUPTED, fail
from passline.cli.printing import (
    apart,
    note,
    note_refusals,
    path_for,
    show,
    show_json,
    waiting,
    write_all,
)

if TYPE_CHECKING:
    from passline.analysis.checked import Checked
    from passline.analysis.question import Question

EXACT = """The exact distribution of an evening. Every chance is a fraction, and nothing is sampled.

Examples: `passline exact three_point_molly --house strip --unit 10 --rolls 200 --bankroll 1000` ·
`passline exact martingale_pass --max 500 --rolls 1000 --double` ·
`passline exact pass_flat --unit 10 --rolls 300 --result -240` says how surprising a loss of 240 is
"""
SIMULATE = """Play many sessions of strategies on identical dice.

Examples: `passline simulate three_point_molly --sessions 1000000 --rolls 200 --bankroll 500 --seed 7` ·
`passline simulate pass_flat field iron_cross --house strip --unit 10 --bankroll 300 --chart three.png`
"""
VERSUS = """Compare strategies roll for roll on the same dice. The paired difference, with its interval and exact law.

Example: `passline versus pass_flat three_point_molly field --house strip --unit 10 --rolls 100 --seed 7`
"""
SWEEP = """One evening worked out with other numbers. Unit, bankroll, stops, odds, or any number in the strategy's file.

Examples: `passline sweep pass_max_odds --over bankroll=100..500..100 --over odds=1,2,5 --unit 5 --house strip` ·
`passline sweep iron_cross --over want.1.up.place_6=6,12 --chart iron.png --figure mean`
"""
DEVICES = """What each backend rolls a second on this computer.

Examples: `passline devices` · `passline devices --json`
"""
ROWS = (
    options.Row(
        "theo",
        """What a player is worth to the house. Handle, theoretical loss, comps, each wager's share of loss and risk.

Example: `passline theo three_point_molly --house strip --unit 10 --hours 4 --comp 0.3 --bankroll 500`
""",
        "analysis.theo:theo_of",
        {"hours": "1", "rolls_per_hour": "100", "comp": "0"},
        ends=("bankroll",),
    ),
    options.Row(
        "stages",
        """How often each step of a progression is reached.

The chance to reach each step, the rolls and the money spent in it.

Example: `passline stages martingale_pass --house strip --unit 5 --max 640 --rolls 200`
""",
        "analysis.theo:stages_of",
        {"by": None},
        ends=("rolls", *options.STOPS),
    ),
    options.Row(
        "population",
        """What a table wins from a mix of players, and the bank it needs.

Shared dice, exact quantiles, covariances, a reserve. With --sessions, and for strategies in Python or players with
a bankroll, a sample of evenings.

Example: `passline population floor.toml --risk 0.01`, where floor.toml says house = "strip", hours = 8,
rolls_per_hour = 100, and for each kind of player [[players]] with strategy = "pass_flat", unit = 10, count = 4
""",
        "analysis.population:population",
        {"players": ..., "risk": 0.01, "fractions": False, "sessions": None, "seed": None},
    ),
)
NOTHING_KEPT = "Stopped before any session was finished; nothing was kept."
SESSIONS = {"engine": 20, "numpy": 20_000, "numba": 400_000, "gpu": 400_000_000}
"""About a second's worth for each backend."""
Strategies = Annotated[
    list[str], typer.Argument(metavar="STRATEGY...", help="Of `passline strategies`, .toml files, or molly.py:Molly.")
]
Sessions = Annotated[int, options.count("--sessions", "How many sessions.")]
Backend = Annotated[
    str, typer.Option("--backend", help="One of auto, dask, engine, gpu, numba, numpy; see `passline devices`.")
]


def add_to(app: typer.Typer) -> None:
    app.command("exact", help=EXACT)(exact)
    app.command("simulate", help=SIMULATE)(simulate)
    app.command("versus", help=VERSUS)(versus)
    app.command("sweep", help=SWEEP)(sweep)
    app.command("devices", help=DEVICES)(devices)
    for row in ROWS:
        options.add_row(app, row)


@options.asks()
def exact(
    name: options.StrategyName,
    *,
    asked: dict[str, Any],
    rolls_per_hour: options.RollsPerHour = "100",
    exactly: Annotated[
        bool | None,
        typer.Option(
            "--fractions/--double", help="Insist on fractions, or on double precision; else whichever is quick."
        ),
    ] = None,
    result: Annotated[
        str | None, typer.Option("--result", help="How surprising is this net? The chance of it, or of a farther one.")
    ] = None,
    for_ever: Annotated[
        bool,
        typer.Option("--for-ever", help="Also the chance of ruin if only --stop-win ends play, and Kelly's share."),
    ] = False,
    as_json: options.AsJson = False,
    csv: options.Csv = None,
    chart: options.Chart = None,
) -> None:
    from passline.analysis import charts
    from passline.analysis.checked import Evening
    from passline.analysis.question import ask, command
    from passline.files.amounts import exactly as exactly_money

    table, picture = path_for("--csv", csv), path_for("--chart", chart, charts.SUFFIXES, needs="matplotlib")
    apart(table, picture)
    if result is not None:
        exactly_money("result", result)
    question = ask(name, **asked)
    with waiting("states") as progress:
        machine = question.machine(progress)
    with waiting("rolls") as progress:
        law = question.exact(fractions=exactly, rolls_per_hour=rolls_per_hour, progress=progress)
        more: dict[str, object] = {} if rolls_per_hour == "100" else {"rolls_per_hour": rolls_per_hour}
        more |= {} if exactly is None else {"fractions" if exactly else "double": True}
        again = command("exact", [name], [question], **more, result=result, for_ever=for_ever)
        evening = Evening(question, law, question.long_run_beside(), again, result, for_ever)
        # Files first, for whoever reads what is printed may stop reading.
        drawn = ("--chart", picture, lambda path: charts.save_distribution(path, law))
        failed = write_all(("--csv", table, law.write_csv), drawn)
        if not as_json:
            note_refusals(question.name, machine.about)
        show(evening, as_json=as_json)
    if failed:
        fail("\n".join(failed))


# --- Samples --------------------------------------------------------------------------------------------------------


class How(NamedTuple):
    """How the sessions are rolled."""

    sessions: int
    seed: int
    backend: str
    threads: int | None
    exact: bool
    """Whether the exact answer is wanted beside."""
    scheduler: str | None = None
    checkpoint: str | None = None
    rows: str | None = None

    @property
    def looks_up(self) -> bool:
        """Whether anybody needs a machine."""
        return self.exact or self.backend != "engine"


@options.asks()
def simulate(  # noqa: C901 - a sample for people, programs and files, or a part of it
    names: Strategies,
    *,
    asked: dict[str, Any],
    sessions: Sessions = 100_000,
    seed: options.Seed = None,
    backend: Backend = "auto",
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
    csv: options.Csv = None,
    parquet: Annotated[str | None, typer.Option("--parquet", metavar="FILE", help="Write the rows as Parquet.")] = None,
    chart: options.Chart = None,
    dark: Annotated[bool, typer.Option("--dark", help="Draw it in dark colours.")] = False,
) -> None:
    from passline.analysis import charts
    from passline.analysis.checked import side_by_side
    from passline.analysis.question import ask, command, draw_seed
    from passline.answers import csv_of
    from passline.files.needed import needed
    from passline.files.whole import whole_file, write_whole
    from passline.sim.checkpoint import kept_seed

    kept = None if checkpoint is None else kept_seed(checkpoint)
    drawn = draw_seed() if kept is None else kept
    how = How(sessions, drawn if seed is None else seed, backend, threads, beside, scheduler, checkpoint, rows)
    _check(how)
    files = path_for("--csv", csv), path_for("--parquet", parquet, needs="polars")
    picture = path_for("--chart", chart, charts.SUFFIXES, needs="matplotlib")
    apart(*files, picture)
    path_for("--rows", rows, (".parquet",), needs="polars")
    if rows is not None and len(names) > 1:
        fail("--rows: expected one strategy: the rows of several have no file of their own")
    questions = [ask(name, **asked) for name in names]
    try:
        # Every strategy is made ready before the first is rolled, so that the last one's slip costs nobody an hour.
        for question in questions:
            _make_ready(question, how)
    except KeyboardInterrupt:
        fail(NOTHING_KEPT, INTERRUPTED)
    runs = _roll_all(questions, how)
    if not runs:
        fail(NOTHING_KEPT, INTERRUPTED)
    samples, laws = [run.sample for run in runs], [run.law for run in runs]

    def write_parquet(path: object) -> None:
        frame = needed("polars", "a Parquet file").concat([sample.frame() for sample in samples])
        with whole_file(str(path)) as part:
            frame.write_parquet(part)

    failed = write_all(  # first, for whoever reads what is printed may stop reading
        ("--csv", files[0], lambda path: write_whole(path, csv_of(samples))),
        ("--parquet", files[1], write_parquet),
        ("--chart", picture, lambda path: charts.save(path, samples, exact=laws, style="dark" if dark else "light")),
    )
    # The engine's own name belongs to the question only where it was asked for by name.
    more = {"sessions": sessions, "seed": how.seed, "backend": "engine" if backend == "engine" else None}
    more["no_exact"] = None if how.looks_up else True
    for name, run in zip(names, runs, strict=False):
        if as_json:
            show_json({**run.to_json(), "command": command("simulate", [name], [run.question], **more)})
        else:
            show([*run.page(), ""])
    if not as_json:
        if len(runs) > 1:
            show([side_by_side(list(zip(names, samples, strict=False))), ""])
        show([f"{AGAIN}{command('simulate', names, questions, **more)}"])
    if failed:
        fail("\n".join(failed))
    if len(runs) < len(names) or not samples[-1].complete:
        last, left = samples[-1], names[len(runs) :]
        done = f"Stopped: {last.title} has {last.sessions:,} of {last.asked['sessions']:,} sessions, which are kept"
        fail(f"{done}; not played: {', '.join(left)}." if left else f"{done}.", INTERRUPTED)


def _check(how: How) -> None:
    """Refuse what cannot be asked, before anything is read or rolled."""
    from passline.files.amounts import whole_number
    from passline.sim.backends import check_backend
    from passline.sim.game import check_seed

    whole_number("sessions", how.sessions)
    if how.threads is not None:
        whole_number("threads", how.threads)
    check_seed(how.seed)
    check_backend(how.backend)


def _make_ready(question: Question, how: How) -> None:
    """Build the machine, or say that there is none and what that means; nobody waits for one that nobody asks."""
    from passline.errors import UnboundedStrategyError
    from passline.machine.build import STATES_MAX

    if not how.looks_up:
        question.check(how.backend, look_up=False)
        return
    try:
        with waiting(f"{question.name}: states") as progress:
            most = question.states_worth(how.sessions) if how.backend == "auto" else STATES_MAX
            note_refusals(question.name, question.machine(progress, states_max=most).about)
    except UnboundedStrategyError as error:
        if how.backend not in {"auto", "engine"}:
            raise
        note(f"{error.why} Played roll by roll on the interpreted engine, which is slow.")
    question.check(how.backend, sessions=how.sessions)


def _roll_all(questions: list[Question], how: How) -> list[Checked]:
    """Roll every question, each with its exact answer beside it; Ctrl-C ends it and keeps what there is."""
    from passline.analysis.checked import INTERRUPTED as CUT_SHORT
    from passline.analysis.checked import Checked, check
    from passline.cli.printing import _bar

    runs: list[Checked] = []
    given = {name: getattr(how, name) for name in ("sessions", "seed", "backend", "threads", "scheduler", "checkpoint")}
    try:
        for question in questions:
            with _bar(f"{question.name} at {question.seating.house.id}") as progress:
                sample = question.simulate(**given, rows=how.rows, progress=progress, look_up=how.looks_up)
            if sample.note:
                note(sample.note + ".")
            runs.append(Checked(question, sample, None, CUT_SHORT))
            if not sample.complete:
                break
            with _bar("the exact answer") as progress:
                asked = check if how.exact else _unchecked
                runs[-1] = asked(question, sample, progress)
    except KeyboardInterrupt:
        pass
    return runs


def _unchecked(question: Question, sample: Any, _progress: object) -> Checked:  # noqa: ANN401 - a Sample
    from passline.analysis.checked import Checked

    beside = None if sample.backend == "engine" else question.long_run_beside()
    return Checked(question, sample, None, "it was not asked for", beside)


@options.asks()
def versus(
    names: Strategies,
    *,
    asked: dict[str, Any],
    sessions: Sessions = 20_000,
    seed: options.Seed = None,
    backend: Backend = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, one for each pair.")] = False,
) -> None:
    from passline.analysis.question import ask, draw_seed
    from passline.analysis.versus import versus as of

    if len(names) < 2:
        fail("versus needs two strategies or more, such as pass_flat and field.")
    first, *others = (ask(name, **asked) for name in names)
    dealt = draw_seed() if seed is None else seed
    found = []
    for other in others:
        with waiting(f"{first.name} and {other.name}") as progress:
            found.append(of(first, other, sessions=sessions, seed=dealt, backend=backend, progress=progress))
        note_refusals(other.name, other.source().about)
    for each in found:
        show(each, as_json=as_json)


@options.asks()
def sweep(
    name: options.StrategyName,
    *,
    over: Annotated[
        list[str],
        typer.Option(
            "--over", metavar="NAME=VALUES", help="What to change: 5,10,25 or 100..500..100. May be repeated."
        ),
    ],
    asked: dict[str, Any],
    sessions: options.Sampled = None,
    seed: options.Seed = None,
    csv: options.Csv = None,
    chart: options.Chart = None,
    figure: Annotated[str, typer.Option("--figure", help="What the chart shows: mean, p_ahead, edge …")] = "p_ahead",
    as_json: options.AsJson = False,
) -> None:
    from passline.analysis.charts import SUFFIXES
    from passline.analysis.sweep import FIGURES
    from passline.analysis.sweep import sweep as of
    from passline.files.arguments import one_of

    table, picture = path_for("--csv", csv), path_for("--chart", chart, SUFFIXES, needs="matplotlib")
    one_of("figure", figure, FIGURES)
    with waiting("evenings") as progress:
        found = of(name, options.over_of(over), sessions=sessions, seed=seed, progress=progress, **asked)
        failed = write_all(("--csv", table, found.write_csv), ("--chart", picture, lambda p: found.chart(p, figure)))
    show(found, as_json=as_json)
    if failed:
        fail("\n".join(failed))


def devices(
    strategy: Annotated[str, typer.Option("--strategy", help="What is rolled.")] = "three_point_molly",
    house: Annotated[str, typer.Option("--house", help="Where.")] = "strip",
    as_json: options.AsJson = False,
) -> None:
    from passline.analysis.question import ask
    from passline.answers import Table
    from passline.errors import PasslineError
    from passline.sim.backends import REGISTER

    question = ask(strategy, house=house)
    found: dict[str, dict[str, Any]] = {}
    for name, entry in REGISTER.items():
        row: dict[str, Any] = {"about": entry.about, "rolls_per_second": None, "why_not": None}
        found[name] = row
        try:
            with waiting(name):
                sample = question.simulate(sessions=SESSIONS[name], seed=7, backend=name, watch=1)
        except PasslineError as error:
            row["why_not"] = str(error)
            continue
        row |= {"why_not": sample.note} if sample.note else {}
        row |= {} if sample.note else {"rolls_per_second": round(sample.rolls_per_second), "threads": sample.threads}
    if as_json:
        show_json({"strategy": question.name, "house": question.seating.house.id, "backends": found})
        return
    rows = [(name, row["rolls_per_second"], row["why_not"] or row["about"]) for name, row in found.items()]
    title = f"{question.name} at {question.seating.house.id}, sessions of {question.terms.rolls} rolls"
    show([title, Table({"backend": "text", "rolls a second": "count", "": "text"}, rows)])
