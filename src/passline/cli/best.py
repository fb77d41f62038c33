"""`passline best`: the exact optimum over everything that a player may do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.cli import options
from passline.cli.errors import fail

if TYPE_CHECKING:
    from passline.answers import Answer

BEST = """The best play there is. The exact optimum over every bet that the dealers would take, and how to play it.

Examples: `passline best --house strip --wagers pass,pass_odds --bankroll 10 --goal 20 --unit 1` ·
`passline best --house strip --wagers dont_pass --bankroll 5 --goal 10 --rule wager.dont_pass.bar=3
--rule wager.dont_pass.wins=2,12` says what it is worth that a 12 is barred and not a 3
"""
PATHS = """The way of an evening, worked out exactly. Its peak, falls and bad runs, the time to ruin and to a goal.

Examples: `passline paths pass_flat --house strip --unit 5 --rolls 100 --bankroll 100 --stop-win 50` ·
`passline paths pass_flat --rolls 200 --ruin 0.05` also says which bankroll has that chance of ruin
"""
SEARCH = """The best odds, unit, stops or steps for a strategy. Every setting's exact law, and the frontier.

Example: `passline search pass_flat --over stop_win=50..200..50 --over bankroll=200,300 --maximise "p_at_least(50)"
--subject-to "p_ruin <= 0.05" --unit 5`
"""
REPORT = """Questions of a file answered on one page that prints. Charts, definitions, seeds, hashes, CSV and Parquet.

Example: `passline report questions.toml --out report`, where questions.toml has house = "strip" and for each
[[question]] a kind (exact, simulate, paths, sweep, search, best, coupon, odds, par) and what that is asked with
"""
COUPON = """What a coupon is worth, on every wager. Match play, a free bet, a promo chip or the house's own token.

Examples: `passline coupon match 25 --house strip` · `passline coupon match 5 --goal 40 --bankroll 20 --unit 1`
"""


ROWS = (
    options.Row(
        "sensitivity",
        """What an evening's mean changes by with the weight of each throw. Exact derivatives, nothing is rolled.

Example: `passline sensitivity pass_max_odds --house strip --unit 5 --rolls 60`
""",
        "analysis.estimates:sensitivity",
        {},
        ends=("rolls",),
    ),
    options.Row(
        "dice-verdict",
        """One verdict on dice, that may be asked for after every roll. Sequential, and Bayesian.

Example: `passline dice-verdict evening.craps --level 0.05`
""",
        "analysis.estimates:dice_verdict",
        {"rolls": ..., "dice": None, "level": 0.05},
        kinds={
            "rolls": Annotated[str, typer.Argument(metavar="FILE")],
            "level": Annotated[float, typer.Option("--level", help="How often good dice may be taken for bad ones.")],
        },
    ),
)


def add_to(app: typer.Typer) -> None:
    app.command("best", help=BEST)(best)
    app.command("paths", help=PATHS)(paths)
    app.command("search", help=SEARCH)(search)
    app.command("coupon", help=COUPON)(coupon)
    app.command("report", help=REPORT)(report)
    for row in ROWS:
        options.add_row(app, row)


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
        typer.Option(
            "--maximise",
            metavar="chance|rolls|growth|utility",
            help="The chance of the goal, the time at the table, or the growth or utility of what is left.",
        ),
    ] = "chance",
    aversion: Annotated[
        str, typer.Option("--aversion", help="Relative risk aversion of a utility: 0 is the money itself, 1 growth.")
    ] = "1",
    put: Annotated[
        bool, typer.Option("--put/--no-put", help="Line bets once their point is set, where booked.")
    ] = True,
    dice: options.DiceText = None,
    exactly: Annotated[
        bool | None, typer.Option("--fractions/--double", help="Insist on fractions, or do without.")
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", metavar="PATH=VALUE", help="Also with this rule instead, and what it is worth."),
    ] = None,
    simulate: Annotated[int | None, options.count("--simulate", "Also play so many evenings by it.")] = None,
    seed: options.Seed = None,
    chart: Annotated[
        str | None, typer.Option("--chart", metavar="FILE", help="Draw the policy (.png or .svg).")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Work it out and print it."""
    from passline.analysis.best import best_play
    from passline.answers import cell, decimal, percent
    from passline.cli.printing import show, show_json, waiting
    from passline.house import House

    terms: dict[str, Any] = {"bankroll": bankroll, "goal": goal, "unit": unit, "odds": odds, "rolls": rolls}
    how: dict[str, Any] = {"put": put, "dice": dice, "maximise": maximise, "aversion": aversion, "exact": exactly}
    changes = dict(_change(each) for each in rule or ())
    with waiting("positions") as progress:
        answer = best_play(house, wagers, **terms, **how, progress=progress)
        other = changes and best_play(House(house, changes), wagers, **terms, **how, progress=progress)
    share = answer.simulate(simulate, seed or 0) if simulate else None
    if chart is not None:
        answer.chart(chart)
    if as_json:
        with_rule = {"with_rule": decimal(other.value)} if other else {}
        show_json({**answer.to_json(), **with_rule, "simulated": share})
        return
    show(answer)
    if other:
        changed, worth = " and ".join(rule or ()), float(other.value) - float(answer.value)
        show(["", f"With {changed}: {cell(answer.kind, other.value)}, so it is worth {worth:+.6f} to the player."])
    if share is not None:
        show(["", f"Played {simulate:,} times: {percent(share)}."])


def _change(text: str) -> tuple[str, Any]:
    """A rule as `House` takes it: the path in the house file, and the number, word or list that stands there."""
    path, equals, value = text.partition("=")
    if not equals or not path or not value:
        fail(f"--rule: found {text!r}; expected a place in the house file and its value: wager.field.pays.12=2:1")
    parts = [int(each) if each.isdigit() else each for each in value.split(",")]
    return path, parts if len(parts) > 1 else parts[0]


@options.asks()
def paths(
    name: options.StrategyName,
    *,
    asked: dict[str, Any],
    ruin: Annotated[str | None, typer.Option("--ruin", help="Also the bankroll for this chance of ruin.")] = None,
    exactly: Annotated[bool, typer.Option("--fractions/--double", help="In fractions, if it is short.")] = False,
    as_json: options.AsJson = False,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write every level and its chance.")] = None,
) -> None:
    from passline.analysis.question import ask
    from passline.answers import money
    from passline.cli.printing import show, show_json
    from passline.files.amounts import exactly as exact_number

    question = ask(name, **asked)
    bankroll = None if ruin is None else question.bankroll_for(exact_number("--ruin", ruin))
    answer = question.paths(fractions=exactly)
    if csv is not None:
        answer.write_csv(csv)
    if as_json:
        show_json({**answer.to_json(), "ruin": ruin, "bankroll_for_ruin": bankroll and str(bankroll)})
        return
    show(answer)
    if bankroll is not None:
        show([f"A bankroll of {money(bankroll)} is ruined with at most {ruin}."])


@options.asks()
def search(
    name: options.StrategyName,
    *,
    asked: dict[str, Any],
    over: Annotated[list[str], typer.Option("--over", metavar="NAME=VALUES", help="As `sweep` takes it.")],
    maximise: Annotated[str, typer.Option("--maximise", help='A figure of the law, such as "p_at_least(200)".')],
    subject_to: Annotated[
        list[str] | None, typer.Option("--subject-to", help='A condition, such as "p_ruin <= 0.05".')
    ] = None,
    against: Annotated[str, typer.Option("--against", help="The figure that the frontier keeps low.")] = "p_ruin",
    chart: Annotated[str | None, typer.Option("--chart", metavar="FILE", help="Draw the frontier.")] = None,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write every setting.")] = None,
    as_json: options.AsJson = False,
) -> None:
    from passline.analysis.search import best as best_setting
    from passline.cli.printing import show, waiting

    with waiting("settings") as progress:
        answer = best_setting(
            name,
            over=options.over_of(over),
            maximise=maximise,
            subject_to=subject_to or (),
            against=against,
            progress=progress,
            **asked,
        )
    if chart is not None:
        answer.chart(chart)
    if csv is not None:
        answer.write_csv(csv)
    show(answer, as_json=as_json)


def coupon(  # noqa: PLR0917 - Typer passes by name
    kind: Annotated[str, typer.Argument(metavar="match|free|promo|token")],
    value: Annotated[str, typer.Argument(metavar="MONEY")],
    house: options.House_ = "adelaide",
    bankroll: Annotated[int | None, options.count("--bankroll", "With --goal: units at hand.")] = None,
    goal: Annotated[int | None, options.count("--goal", "How best to use it on the way to so many units.")] = None,
    wagers: Annotated[str, typer.Option("--wagers", help="With --goal: what else may be bet.")] = "pass",
    unit: Annotated[str, typer.Option("--unit", metavar="MONEY", help="With --goal: the smallest stake.")] = "1",
    as_json: options.AsJson = False,
) -> None:
    from passline.analysis import coupons
    from passline.analysis.best import best_play
    from passline.cli.printing import show
    from passline.errors import ArgumentError
    from passline.files.amounts import positive

    answer: Answer = coupons.coupon(kind, value, house=house)  # type: ignore[arg-type]
    if goal is not None:
        units = positive("value", value) / positive("unit", unit)
        if units.denominator != 1 or bankroll is None:
            raise ArgumentError("--goal", str(goal), "a --bankroll beside it, and a coupon of whole units")
        play = best_play(house, wagers, bankroll=bankroll, goal=goal, unit=unit)
        answer = coupons.best_use(play, kind, int(units))  # type: ignore[arg-type]
    show(answer, as_json=as_json)


def report(
    questions: Annotated[str, typer.Argument(metavar="QUESTIONS.toml")],
    out: Annotated[str, typer.Option("--out", metavar="FOLDER", help="Where the page and its tables go.")] = "report",
) -> None:
    from passline.analysis.report import report as answered
    from passline.cli.printing import note, waiting

    with waiting("questions") as progress:
        found = answered(questions, progress=progress)
    note(f"{found.write(out)}: {len(found.sections)} answers, each with its .csv and .parquet.")
