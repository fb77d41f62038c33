"""`passline best`, `paths`, `search`, `coupon`, `rebate`, `report`, `rare`, `sensitivity`, `dice-verdict`."""

from typing import Annotated, Any

import passline
from passline.answers import Answer, Extended, cell, decimal, money, percent
from passline.cli.command import Fractions, Progress, Seed, Session, StrategyName, command, count, over_of
from passline.cli.errors import fail
from passline.cli.printing import note, waiting
from passline.errors import ArgumentError
from passline.files.amounts import exactly as exact_number
from passline.files.amounts import positive, whole_number
from passline.files.needed import needed


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
    exactly: Fractions = None,
    rule: Annotated[list[str] | None, "Also with this rule instead, and what it is worth.", "PATH=VALUE"] = None,
    simulate: Annotated[int | None, "Also play this many sessions by it."] = None,
    seed: Seed = None,
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
    name: StrategyName,
    *,
    session: Session,
    ruin: Annotated[str | None, "Also the bankroll for this chance of ruin."] = None,
    exactly: Fractions = None,
    progress: Progress = None,
) -> Answer:
    """What a session goes through, worked out. Highest net, drawdown, losing runs, time to ruin or to a goal.

    Examples: `passline paths pass_flat --house strip --unit 5 --rolls 100 --bankroll 100 --stop-win 50` ·
    `passline paths pass_flat --rolls 200 --ruin 0.05` also says which bankroll has that chance of ruin
    """
    question = passline.ask(name, **session)
    bankroll = None if ruin is None else question.bankroll_for(exact_number("ruin", ruin))
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
    name: StrategyName,
    *,
    session: Session,
    figure: Annotated[str, "A figure of the distribution, such as p_ruin, as `search` takes it."] = "mean",
    progress: Progress = None,
) -> Answer:
    """How a figure of a session changes with the weight of each throw. Derivatives of the exact distribution.

    Examples: `passline sensitivity pass_max_odds --house strip --unit 5 --rolls 60` ·
    `passline sensitivity pass_flat --unit 5 --bankroll 50 --figure "p_at_least(50)"`
    """
    return passline.sensitivity(passline.ask(name, **session), figure, progress=progress)


@command("rare")
def rare(
    name: StrategyName,
    *,
    session: Session,
    lasts: Annotated[int | None, "The chance that a session lasts so many rolls, and not that of ruin."] = None,
    sessions: Annotated[int, "How many are played."] = 100_000,
    seed: Seed = None,
) -> Answer:
    """The chance of a rare ruin, or of a long hand. By importance sampling.

    Examples: `passline rare pass_flat --house strip --unit 5 --rolls 100 --bankroll 150` ·
    `passline rare pass_flat --hands 1 --lasts 154` is the hand of 154 rolls
    """
    return passline.rare(passline.ask(name, **session), lasts=lasts, sessions=sessions, seed=seed or 0)


@command("rebate")
def rebate(
    name: StrategyName,
    *,
    session: Session,
    rebate: Annotated[str, "The share of a loss that is given back."] = "0.1",
    most: Annotated[str | None, "The most that is given back.", "MONEY"] = None,
    comps: Annotated[str, "The share of the theoretical loss that is given as comps."] = "0",
    rated_edge: Annotated[str, "The edge that comps are reckoned with, as a share of the action."] = "0.015",
) -> Answer:
    """A session with part of its loss given back, and comps. What a rebate on losses is worth, exactly.

    Example: `passline rebate pass_flat --house strip --unit 25 --rolls 300 --bankroll 2000 --rebate 0.1 --comps 0.3`
    """
    return passline.money_back(
        passline.ask(name, **session), rebate=rebate, most=most, comps=comps, rated_edge=rated_edge
    )


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
