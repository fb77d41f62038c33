"""What strategies do, as an analyst asks: `exact`, `simulate`, `versus`, `sweep`, `best`, `search`, `coupon`, more."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import passline
from passline.answers import Answer, Extended, Several, Table, cell, decimal, money, percent
from passline.cli.command import Asked, Printed, Progress, Session, Strategies, StrategyName, command, count, over_of
from passline.cli.printing import fail, note, path_for, waiting
from passline.errors import ArgumentError, UnboundedStrategyError
from passline.files.amounts import exactly as exactly_money
from passline.files.amounts import positive, whole_number
from passline.files.arguments import one_of
from passline.files.needed import needed

if TYPE_CHECKING:
    from passline.analysis.checked import Checked
    from passline.analysis.question import Question

# About a second's worth for each backend.
SESSIONS = {"engine": 20, "numpy": 20_000, "numba": 400_000, "gpu": 400_000_000}


Backend = Annotated[str, "One of auto, dask, engine, gpu, numba, numpy; see `passline devices`."]
Played = Annotated[int, "How many sessions."]


@command("exact")
def exact(
    name: StrategyName,
    *,
    session: Session,
    rolls_per_hour: str = "100",
    exactly: bool | None = None,
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
    sessions: Played = 100_000,
    seed: int | None = None,
    backend: Backend = "auto",
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
    sessions: Played = 20_000,
    seed: int | None = None,
    backend: Backend = "auto",
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
    sessions: int | None = None,
    seed: int | None = None,
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
    question: Annotated[Asked, "bankroll"],
    *,
    hours: Annotated[str, "How long the player plays."] = "1",
    rolls_per_hour: str = "100",
    comp: Annotated[str, "The share of the theoretical loss given back: 0.3."] = "0",
    progress: Progress = None,
) -> Answer:
    """What a player is worth to the house. Handle, theoretical loss, comps, each wager's share of loss and risk.

    Example: `passline theo three_point_molly --house strip --unit 10 --hours 4 --comp 0.3 --bankroll 500`
    """
    how: dict[str, Any] = {"hours": hours, "rolls_per_hour": rolls_per_hour, "comp": comp}
    return passline.theo_of(question, **how, progress=progress)


@command("stages")
def stages(
    question: Annotated[Asked, "rolls", "bankroll", "stop_win", "stop_loss", "at_end"],
    *,
    by: Annotated[str | None, "The progression or count; else the stages, or the only one there is.", "NAME"] = None,
    progress: Progress = None,
) -> Answer:
    """How often each step of a progression is reached.

    The chance to reach each step, the rolls and the money spent in it.

    Example: `passline stages martingale_pass --house strip --unit 5 --max 640 --rolls 200`
    """
    return passline.stages_of(question, by, progress=progress)


@command("population")
def population(
    players: Annotated[str, "A population file (.toml).", "FILE"],
    *,
    risk: Annotated[float, "The chance that the reserve may fall short."] = 0.01,
    fractions: Annotated[bool, "Force exact fractions."] = False,
    sessions: int | None = None,
    seed: int | None = None,
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


@command("dice-verdict")
def dice_verdict(
    file: Annotated[str, "The rolls, as `dice-test` takes them."],
    *,
    dice: str | None = None,
    level: Annotated[float, "How often fair dice may be taken for loaded ones."] = 0.05,
) -> Answer:
    """Test dice after every roll, without being misled by looking often. Sequential, and Bayesian.

    Example: `passline dice-verdict evening.craps --level 0.05`
    """
    return passline.dice_verdict(file, dice=dice, level=level)


@command("best")
def best(
    *,
    house: str = "adelaide",
    wagers: Annotated[str, "What may be bet, such as pass,pass_odds.", "KEY,…"] = "pass,pass_odds",
    bankroll: Annotated[int, "Units you start with."] = 10,
    goal: Annotated[int, count("--goal", "Units to reach.", least=2)] = 20,
    unit: Annotated[str, "The smallest stake, chip and payment.", "MONEY"] = "1",
    odds: Annotated[int | None, "Odds up to this many times the flat bet."] = None,
    rolls: Annotated[int | None, "Reach it within this many rolls."] = None,
    maximise: Annotated[
        str,
        "The chance of the goal, the time at the table, or the growth or utility of what is left.",
        "chance|rolls|growth|utility",
    ] = "chance",
    aversion: Annotated[str, "Relative risk aversion of a utility: 0 is the money itself, 1 growth."] = "1",
    put: Annotated[bool, "Line bets once their point is set, where booked."] = True,
    dice: str | None = None,
    exactly: bool | None = None,
    rule: Annotated[list[str] | None, "Also with this rule instead, and what it is worth.", "PATH=VALUE"] = None,
    simulate: Annotated[int | None, "Also play this many sessions by it."] = None,
    seed: int | None = None,
    progress: Progress = None,
) -> Answer:
    """The best possible play, computed exactly. The optimum over every bet the dealers would take, and how to play it.

    Examples: `passline best --house strip --wagers pass,pass_odds --bankroll 10 --goal 20 --unit 1` ·
    `passline best --house strip --wagers dont_pass --bankroll 5 --goal 10 --rule wager.dont_pass.bar=3
    --rule wager.dont_pass.wins=2,12` says what it is worth that a 12 is barred and not a 3
    """
    from passline.analysis.question import draw_seed
    from passline.sim.game import check_seed

    terms: dict[str, Any] = {"bankroll": bankroll, "goal": goal, "unit": unit, "odds": odds, "rolls": rolls}
    how: dict[str, Any] = {"put": put, "dice": dice, "maximise": maximise, "aversion": aversion, "exact": exactly}
    dealt = draw_seed() if seed is None else check_seed(seed)
    if simulate is not None:
        whole_number("simulate", simulate)
    changes = dict(_change(each) for each in rule or ())
    answer = passline.best_play(house, wagers, **terms, **how, progress=progress)
    other = changes and passline.best_play(passline.House(house, changes), wagers, **terms, **how, progress=progress)
    share = None if simulate is None else answer.simulate(simulate, dealt)
    sentences: list[str] = []
    values: dict[str, Any] = {"simulated": share, "seed": None if share is None else dealt}
    if other:
        changed, worth = " and ".join(rule or ()), float(other.value) - float(answer.value)
        sentences += [f"With {changed}: {cell(answer.kind, other.value)}, so it is worth {worth:+.6f} to the player."]
        values["with_rule"] = decimal(other.value)
    if share is not None:
        sentences += [f"Played {simulate:,} times, seed {dealt}: {percent(share)}."]
    return Extended(answer, sentences, values)


def _change(text: str) -> tuple[str, Any]:
    """A rule as `House` takes it: the path in the house file, and the number, word or list that stands there."""
    path, equals, value = text.partition("=")
    if not equals or not path or not value:
        fail(f"--rule: found {text!r}; expected a place in the house file and its value: wager.field.pays.12=2:1")
    parts = [int(each) if each.isdigit() else each for each in value.split(",")]
    return path, parts if len(parts) > 1 else parts[0]


@command("paths")
def paths(
    question: Asked,
    *,
    ruin: Annotated[str | None, "Also the bankroll for this chance of ruin."] = None,
    exactly: bool | None = None,
    progress: Progress = None,
) -> Answer:
    """What a session goes through, worked out. Highest net, drawdown, losing runs, time to ruin or to a goal.

    Examples: `passline paths pass_flat --house strip --unit 5 --rolls 100 --bankroll 100 --stop-win 50` ·
    `passline paths pass_flat --rolls 200 --ruin 0.05` also says which bankroll has that chance of ruin
    """
    bankroll = None if ruin is None else question.bankroll_for(exactly_money("ruin", ruin))
    answer = question.paths(fractions=bool(exactly), progress=progress)
    least = [] if bankroll is None else [f"A bankroll of {money(bankroll)} has a chance of ruin of at most {ruin}."]
    return Extended(answer, least, {"ruin": ruin, "bankroll_for_ruin": bankroll and str(bankroll)})


@command("search")
def search(
    name: StrategyName,
    *,
    session: Session,
    over: Annotated[list[str], "What to try, as in `sweep`: 5,10,25 or 100..500..100. May be repeated.", "NAME=VALUES"],
    maximise: Annotated[str, 'A figure of the distribution, such as "p_at_least(200)".'],
    subject_to: Annotated[list[str] | None, 'A condition, such as "p_ruin <= 0.05".'] = None,
    against: Annotated[str, "The figure to keep low along the frontier."] = "p_ruin",
    progress: Progress = None,
) -> Answer:
    """The best odds, unit, stops or steps for a strategy. Every setting's exact distribution, and the frontier.

    Example: `passline search pass_flat --over stop_win=50..200..50 --over bankroll=200,300 --maximise "p_at_least(50)"
    --subject-to "p_ruin <= 0.05" --unit 5`
    """
    how: dict[str, Any] = {"maximise": maximise, "subject_to": subject_to or (), "against": against}
    return passline.best(name, over=over_of(over), **how, progress=progress, **session)


@command("sensitivity")
def sensitivity(
    question: Asked,
    *,
    figure: Annotated[str, "A figure of the distribution, such as p_ruin, as `search` takes it."] = "mean",
    progress: Progress = None,
) -> Answer:
    """How a figure of a session changes with the weight of each throw. Derivatives of the exact distribution.

    Examples: `passline sensitivity pass_max_odds --house strip --unit 5 --rolls 60` ·
    `passline sensitivity pass_flat --unit 5 --bankroll 50 --figure "p_at_least(50)"`
    """
    return passline.sensitivity(question, figure, progress=progress)


@command("rare")
def rare(
    question: Asked,
    *,
    lasts: Annotated[int | None, "The chance that a session lasts so many rolls, and not that of ruin."] = None,
    sessions: Annotated[int, "How many are played."] = 100_000,
    seed: int | None = None,
) -> Answer:
    """The chance of a rare ruin, or of a long hand. By importance sampling.

    Examples: `passline rare pass_flat --house strip --unit 5 --rolls 100 --bankroll 150` ·
    `passline rare pass_flat --hands 1 --lasts 154` is the hand of 154 rolls
    """
    return passline.rare(question, lasts=lasts, sessions=sessions, seed=seed or 0)


@command("rebate")
def rebate(
    question: Asked,
    *,
    rebate: Annotated[str, "The share of a loss that is given back."] = "0.1",
    most: Annotated[str | None, "The most that is given back.", "MONEY"] = None,
    comps: Annotated[str, "The share of the theoretical loss that is given as comps."] = "0",
    rated_edge: Annotated[str, "The edge that comps are reckoned with, as a share of the action."] = "0.015",
) -> Answer:
    """A session with part of its loss given back, and comps. What a rebate on losses is worth, exactly.

    Example: `passline rebate pass_flat --house strip --unit 25 --rolls 300 --bankroll 2000 --rebate 0.1 --comps 0.3`
    """
    return passline.money_back(question, rebate=rebate, most=most, comps=comps, rated_edge=rated_edge)


@command("coupon")
def coupon(
    kind: Annotated[str, "match, free, promo or token.", "KIND"],
    value: Annotated[str, "Its face value, in money.", "AMOUNT"],
    *,
    house: str = "adelaide",
    bankroll: Annotated[int | None, "With --goal: units at hand."] = None,
    goal: Annotated[int | None, "How best to use it on the way to this many units."] = None,
    wagers: Annotated[str, "With --goal: what else may be bet."] = "pass",
    unit: Annotated[str, "With --goal: the smallest stake.", "MONEY"] = "1",
) -> Answer:
    """What a coupon is worth, on every wager. Match play, a free bet, a promo chip or the house's own token.

    Examples: `passline coupon match 25 --house strip` · `passline coupon match 5 --goal 40 --bankroll 20 --unit 1`
    """
    from passline.analysis import coupons

    if goal is None:
        return coupons.coupon(kind, value, house=house)  # type: ignore[arg-type]
    units = positive("value", value) / positive("unit", unit)
    if bankroll is None:
        raise ArgumentError("bankroll", "none", "the units at hand, which --goal starts from")
    if units.denominator != 1:
        raise ArgumentError("value", value, f"a coupon of whole units of {unit}: --goal counts in units")
    play = passline.best_play(house, wagers, bankroll=bankroll, goal=goal, unit=unit)
    return coupons.best_use(play, kind, int(units))  # type: ignore[arg-type]


@command("report")
def report(
    questions: Annotated[str, "The questions (.toml).", "FILE"],
    *,
    out: Annotated[str, "Where the page and its tables go.", "FOLDER"] = "report",
) -> None:
    """Answer a file of questions on one page that prints. Charts, definitions, seeds, hashes, CSV and Parquet.

    Example: `passline report questions.toml --out report`, where questions.toml has house = "strip" and for each
    [[question]] a kind (exact, simulate, rare, paths, sweep, search, best, coupon, odds, par) and what that is asked
    with
    """
    for package in ("polars", "matplotlib"):  # said before anything is worked out
        needed(package, "passline report")
    with waiting("questions") as progress:
        page = passline.report(questions, progress=progress)
    count = len(page.sections)
    note(f"{page.write(out)}: {count} answer{'s' * (count != 1)}, each with its .csv and .parquet.")
