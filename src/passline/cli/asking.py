"""`passline exact`, `simulate`, `versus`, `sweep`, `stages`, `theo`, `population`, `devices`: what strategies do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import passline
from passline.answers import Answer, Several, Table
from passline.cli.command import (
    Fractions,
    Printed,
    Progress,
    Seed,
    Session,
    Sessions,
    Strategies,
    StrategyName,
    command,
    over_of,
)
from passline.cli.errors import fail
from passline.cli.printing import note, path_for, waiting
from passline.errors import UnboundedStrategyError
from passline.files.amounts import exactly as exactly_money
from passline.files.amounts import whole_number
from passline.files.arguments import one_of

if TYPE_CHECKING:
    from passline.analysis.checked import Checked
    from passline.analysis.question import Question

# About a second's worth for each backend.
SESSIONS = {"engine": 20, "numpy": 20_000, "numba": 400_000, "gpu": 400_000_000}


@command("exact")
def exact(
    name: StrategyName,
    *,
    session: Session,
    rolls_per_hour: str = "100",
    exactly: Fractions = None,
    result: Annotated[str | None, "How surprising a net is: the chance of it or less, and of it or more."] = None,
    for_ever: Annotated[bool, "Also the chance of ruin if only --stop-win ends play, and the Kelly share."] = False,
    progress: Progress = None,
) -> Answer:
    """The exact distribution of a session. Every chance is a fraction, and nothing is sampled.

    Examples: `passline exact three_point_molly --house strip --unit 10 --rolls 200 --bankroll 1000` ·
    `passline exact martingale_pass --max 500 --rolls 1000 --double` ·
    `passline exact pass_flat --unit 10 --rolls 300 --result -240` says how surprising a loss of 240 is
    """
    from passline.analysis.checked import ExactSession
    from passline.analysis.question import command as again

    if result is not None:
        exactly_money("result", result)
    question = passline.ask(name, **session)
    distribution = question.exact(fractions=exactly, rolls_per_hour=rolls_per_hour, progress=progress)
    more: dict[str, object] = {} if rolls_per_hour == "100" else {"rolls_per_hour": rolls_per_hour}
    more |= {} if exactly is None else {"fractions" if exactly else "double": True}
    line = again("exact", [name], [question], **more, result=result, for_ever=for_ever)
    return ExactSession(question, distribution, question.long_run_beside(), line, result, for_ever)


@command("simulate")
def simulate(
    names: Strategies,
    *,
    session: Session,
    sessions: Annotated[int, "How many sessions."] = 100_000,
    seed: Seed = None,
    backend: Annotated[str, "One of auto, dask, engine, gpu, numba, numpy; see `passline devices`."] = "auto",
    threads: Annotated[int | None, "Default: one per core."] = None,
    scheduler: Annotated[str | None, "Of a Dask cluster, for --backend dask.", "ADDRESS"] = None,
    checkpoint: Annotated[str | None, "Save progress there, and resume from it.", "DIR"] = None,
    rows: Annotated[str | None, "Write a row for each session as Parquet while it runs.", "FILE"] = None,
    exact: Annotated[bool, "Also work out the exact answer, where that is quick."] = True,
    progress: Progress = None,
) -> Answer:
    """Play many sessions of strategies on identical dice.

    Examples: `passline simulate three_point_molly --sessions 1000000 --rolls 200 --bankroll 500 --seed 7` ·
    `passline simulate pass_flat field iron_cross --house strip --unit 10 --bankroll 300 --chart three.png`
    """
    from passline.analysis.checked import Simulated
    from passline.analysis.question import ask, draw_seed
    from passline.sim.backends import check_backend
    from passline.sim.checkpoint import kept_seed
    from passline.sim.game import check_seed

    saved = None if checkpoint is None else kept_seed(checkpoint)
    dealt = seed if seed is not None else draw_seed() if saved is None else saved
    # What cannot be asked is refused before anything is read or rolled.
    whole_number("sessions", sessions)
    if threads is not None:
        whole_number("threads", threads)
    check_seed(dealt)
    check_backend(backend)
    path_for("--rows", rows, (".parquet",), needs="polars")
    if rows is not None and len(names) > 1:
        fail("--rows: expected one strategy: the rows of several have no file of their own")
    questions = [ask(name, **session) for name in names]
    looks_up = exact or backend != "engine"
    # Every strategy is made ready before the first is rolled, so that the last one's slip costs nobody an hour.
    for question in questions:
        _make_ready(question, backend, sessions, progress, looks_up=looks_up)
    how = {"sessions": sessions, "seed": dealt, "backend": backend, "threads": threads, "scheduler": scheduler}
    how |= {"checkpoint": checkpoint, "rows": rows, "look_up": looks_up, "progress": progress}
    runs = _roll_all(questions, exact, how)
    # The engine's own name belongs to the question only where it was asked for by name.
    more = {"sessions": sessions, "seed": dealt, "backend": "engine" if backend == "engine" else None}
    more["no_exact"] = None if looks_up else True
    return Simulated(runs, names, questions, more)


def _make_ready(question: Question, backend: str, sessions: int, progress: Progress, *, looks_up: bool) -> None:
    """Build the machine, or say that there is none and what that means; nobody waits for one that nobody asks."""
    from passline.machine.build import STATES_MAX

    if not looks_up:
        question.game(backend, look_up=False)
        return
    try:
        most = question.states_worth(sessions) if backend == "auto" else STATES_MAX
        question.machine(progress, states_max=most)
    except UnboundedStrategyError as error:
        if backend not in {"auto", "engine"}:
            raise
        note(f"{error.why} Played roll by roll on the interpreted engine, which is slow.")
    question.game(backend, sessions=sessions)


def _roll_all(questions: list[Question], exact: bool, how: dict[str, Any]) -> list[Checked]:
    """Roll every question, each with its exact answer beside it; Ctrl-C ends it, and what is rolled is answered."""
    from passline.analysis.checked import INTERRUPTED, Checked, check

    runs: list[Checked] = []
    try:
        for question in questions:
            sample = question.simulate(**how)
            if sample.note:
                note(sample.note + ".")
            runs.append(Checked(question, sample, None, INTERRUPTED))
            if not sample.complete:
                break
            if exact:
                runs[-1] = check(question, sample, how["progress"])
            else:
                beside = None if sample.backend == "engine" else question.long_run_beside()
                runs[-1] = Checked(question, sample, None, "it was not asked for", beside)
    except KeyboardInterrupt:
        if not runs:
            raise
    return runs


@command("versus")
def versus(
    names: Strategies,
    *,
    session: Session,
    sessions: Annotated[int, "How many sessions."] = 20_000,
    seed: Seed = None,
    backend: Annotated[str, "One of auto, dask, engine, gpu, numba, numpy; see `passline devices`."] = "auto",
    progress: Progress = None,
) -> Answer:
    """Compare strategies roll for roll on the same dice. The paired difference, sampled and worked out.

    Example: `passline versus pass_flat three_point_molly field --house strip --unit 10 --rolls 100 --seed 7`
    """
    from passline.analysis.question import ask, draw_seed

    if len(names) < 2:
        fail("versus needs two strategies or more, such as pass_flat and field.")
    first, *others = (ask(name, **session) for name in names)
    dealt = draw_seed() if seed is None else seed
    how: dict[str, Any] = {"sessions": sessions, "seed": dealt, "backend": backend, "progress": progress}
    return Several([passline.versus(first, other, **how) for other in others])


@command("sweep")
def sweep(
    name: StrategyName,
    *,
    over: Annotated[list[str], "What to change: 5,10,25 or 100..500..100. May be repeated.", "NAME=VALUES"],
    session: Session,
    sessions: Sessions = None,
    seed: Seed = None,
    figure: Annotated[str, "What the chart shows: mean, p_ahead, edge …"] = "p_ahead",
    progress: Progress = None,
) -> Answer:
    """A session worked out for a range of settings. Unit, bankroll, stops, odds, or any number in the strategy file.

    Examples: `passline sweep pass_max_odds --over bankroll=100..500..100 --over odds=1,2,5 --unit 5 --house strip` ·
    `passline sweep iron_cross --over want.1.up.place_6=6,12 --chart iron.png --figure mean`
    """
    from passline.analysis.sweep import FIGURES

    one_of("figure", figure, FIGURES)
    swept = passline.sweep(name, over_of(over), sessions=sessions, seed=seed, progress=progress, **session)
    return replace(swept, figure=figure)


@command("theo")
def theo(
    name: StrategyName,
    *,
    session: Annotated[Session, "bankroll"],
    hours: Annotated[str, "How long the player plays."] = "1",
    rolls_per_hour: str = "100",
    comp: Annotated[str, "The share of the theoretical loss given back: 0.3."] = "0",
    progress: Progress = None,
) -> Answer:
    """What a player is worth to the house. Handle, theoretical loss, comps, each wager's share of loss and risk.

    Example: `passline theo three_point_molly --house strip --unit 10 --hours 4 --comp 0.3 --bankroll 500`
    """
    how: dict[str, Any] = {"hours": hours, "rolls_per_hour": rolls_per_hour, "comp": comp}
    return passline.theo_of(passline.ask(name, **session), **how, progress=progress)


@command("stages")
def stages(
    name: StrategyName,
    *,
    session: Annotated[Session, "rolls", "bankroll", "stop_win", "stop_loss", "at_end"],
    by: Annotated[str | None, "The progression or count; else the stages, or the only one there is.", "NAME"] = None,
    progress: Progress = None,
) -> Answer:
    """How often each step of a progression is reached.

    The chance to reach each step, the rolls and the money spent in it.

    Example: `passline stages martingale_pass --house strip --unit 5 --max 640 --rolls 200`
    """
    return passline.stages_of(passline.ask(name, **session), by, progress=progress)


@command("population")
def population(
    players: Annotated[str, "A population file (.toml).", "FILE"],
    *,
    risk: Annotated[float, "The chance that the reserve may fall short."] = 0.01,
    fractions: Annotated[bool, "Force exact fractions."] = False,
    sessions: Sessions = None,
    seed: Seed = None,
) -> Answer:
    """What a table or a pit wins from its players, and the bank it needs.

    Shared dice, exact quantiles, covariances, a reserve. With --sessions, and for strategies in Python or players with
    a bankroll, a sample of sessions. A file with arrivals is a day of a pit: its sessions are days.

    Example: `passline population floor.toml --risk 0.01`, where floor.toml says house = "strip", hours = 8,
    rolls_per_hour = 100, and for each kind of player [[players]] with strategy = "pass_flat", unit = 10, count = 4;
    for a day also arrivals = 12 (an hour at each table), tables = 4, seats = 8
    """
    return passline.population(players, risk=risk, fractions=fractions, sessions=sessions, seed=seed)


@command("devices")
def devices(
    *,
    strategy: Annotated[str, "The strategy to time."] = "three_point_molly",
    house: Annotated[str, "The house it plays at."] = "strip",
) -> Printed:
    """How many rolls a second each backend does on this computer.

    Examples: `passline devices` · `passline devices --json`
    """
    from passline.sim.backends import REGISTER

    question = passline.ask(strategy, house=house)
    backends: dict[str, dict[str, Any]] = {}
    for name, entry in REGISTER.items():
        row: dict[str, Any] = {"about": entry.about, "rolls_per_second": None, "why_not": None}
        backends[name] = row
        try:
            with waiting(name):
                sample = question.simulate(sessions=1, seed=7, backend=name, watch=1)  # is it here? ready, too
                if not sample.note:
                    sample = question.simulate(sessions=SESSIONS[name], seed=7, backend=name, watch=1)
        except passline.PasslineError as error:
            row["why_not"] = str(error)
            continue
        if sample.note:
            row["why_not"] = sample.note
        else:
            row |= {"rolls_per_second": round(sample.rolls_per_second), "threads": sample.threads}
    data = {"strategy": question.name, "house": question.seating.house.id, "backends": backends}
    rows = [(name, row["rolls_per_second"], row["why_not"] or row["about"]) for name, row in backends.items()]
    title = f"{question.name} at {question.seating.house.id}, sessions of {question.terms.rolls} rolls"
    return Printed(data, [title, Table({"backend": "text", "rolls a second": "count", "": "text"}, rows)])
