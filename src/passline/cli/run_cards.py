"""Simulations as cards that fit a terminal: the counted figures, and the exact ones beside them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from passline.cli.cards import CUTS, SHAPE_WIDTH, rolls_of, said_ends, said_long_run, title
from passline.cli.figures import AGAIN, amount, grid, money, percent, shape, show, signed, wilson
from passline.cli.simulate import Run

if TYPE_CHECKING:
    from rich.table import Table

    from passline.sim import Sample
    from passline.sim.histogram import Amounts, Histogram

SHARES = {"p_ahead": "ahead", "p_even": "even", "p_behind": "behind", "p_ruin": "could not make the next bet"}
STEPS = 5
"""Moments of a session that are told."""
HALF, MOST = Fraction(1, 2), Fraction(95, 100)


def show_runs(runs: list[Run], command: str) -> None:
    """Print every run, several side by side at the end."""
    for run in runs:
        _show_run(run)
    if len(runs) > 1:
        show(_compared(runs), "")
    show(f"{AGAIN}{command}")


def _show_run(run: Run) -> None:
    result = run.checked.sample
    show(f"{title(run.question)} at {run.question.seating.house.name}", _terms(run), "")
    show(_figures(run), "", _quantiles(run), "", _drawn(result), "", _over_time(result), "")
    show(*_words(run), "")


def _terms(run: Run) -> str:
    """What was played, in words."""
    result, question = run.checked.sample, run.question
    count = f"{result.sessions:,}" + ("" if result.complete else f" of {result.asked['sessions']:,}")
    parts = [f"{count} sessions of up to {rolls_of(question.terms.rolls)}, unit {amount(question.seating.unit)}"]
    parts += said_ends(question)
    return f"{', '.join(parts)}; seed {result.seed}."


def _figures(run: Run) -> Table:
    """Mean, spread and chances, counted and exact."""
    result, exact, z = run.checked.sample, run.checked.law, run.checked.z_scores
    table = grid("", "simulated", "95 % interval", *(("exact", "z") if exact else ()))
    low, high = result.interval
    cells = [signed(result.mean), f"{low:,.3f} to {high:,.3f}"]
    table.add_row("mean net", *cells, *((signed(exact.mean), f"{z['mean']:+.2f}") if exact else ()))
    spread = [money(math.sqrt(result.variance)), ""]
    table.add_row("standard deviation", *spread, *((money(math.sqrt(exact.variance)), "") if exact else ()))
    cells = [money(result.action), ""]
    table.add_row("action (bets decided)", *cells, *((money(exact.action), "") if exact else ()))
    if result.edge is not None:
        cells = [f"{float(result.edge):.3%}", _edge_interval(result)]
        known = "" if exact is None or exact.edge is None else f"{float(exact.edge):.3%}"
        table.add_row("loss of the action", *cells, *((known, "") if exact else ()))
    cells = [money(result.loss_per_hour), ""]
    table.add_row("loss per hour of 100 rolls", *cells, *((money(exact.loss_per_hour), "") if exact else ()))
    for key, word in SHARES.items():
        share = float(getattr(result, key))
        cells = [percent(share), wilson(share, result.sessions)]
        beside = (percent(getattr(exact, key)), f"{z[key]:+.2f}" if key in z else "") if exact else ()
        table.add_row(word, *cells, *beside)
    return table


def _edge_interval(result: Sample) -> str:
    """The interval of the mean, as shares of the action."""
    low, high = (-bound / float(result.action) for bound in reversed(result.interval))
    return f"{low:.3%} to {high:.3%}"


def _quantiles(run: Run) -> Table:
    table = grid("net at most", *CUTS)
    table.add_row("simulated", *(signed(net) for net in run.checked.sample.quantiles.values()))
    if run.checked.law:
        table.add_row("exact", *(signed(net) for net in run.checked.law.quantiles.values()))
    return table


def _drawn(result: Sample) -> str:
    """The shape of the final nets between the outer quantiles."""
    cuts, seen = list(result.quantiles.values()), result.net.grains
    low, high = (int(cut / result.net.grain) for cut in (cuts[0], cuts[-1]))
    within = (seen.values >= low) & (seen.values <= high)
    values, counts = seen.values[within], seen.counts[within]
    # Every bar holds as many possible nets as the next, or nets that are all even would make a comb.
    step = int(np.gcd.reduce(np.diff(values))) if len(values) > 1 else 1
    wide = step * -(-((high - low) // step + 1) // SHAPE_WIDTH)
    bars = np.bincount((values - low) // wide, weights=counts)
    return f"{signed(cuts[0])} {shape(bars.tolist(), SHAPE_WIDTH)} {signed(cuts[-1])}"


def _over_time(result: Sample) -> Table:
    """The fan and the ruin curve at a few moments."""
    fan = result.fan
    last = len(fan.rolls) - 1
    at = sorted({last * step // STEPS for step in range(1, STEPS + 1)} - {0})
    table = grid("after rolls", *(f"{int(fan.rolls[i]):,}" for i in at))
    for cut, word in ((0.95, "95 %"), (0.5, "median"), (0.05, "5 %")):
        table.add_row(word, *(signed(fan.quantiles[cut][i]) for i in at))
    if result.asked["bankroll"] is not None:
        rolls, share = result.ruin_curve()
        ruined = [float(share[k - 1]) if (k := int(np.searchsorted(rolls, fan.rolls[i], "right"))) else 0.0 for i in at]
        table.add_row("no next bet", *map(percent, ruined))
    return table


def _words(run: Run) -> list[str]:
    """What else there is to say."""
    result = run.checked.sample
    hashes = [digest[:12] for digest in (result.about["house_hash"], result.about["strategy_hash"], result.machine)]
    ended = [f"{count:,} by {word.replace('_', '-')}" for word, count in result.endings.items() if count]
    told = [
        f"{result.rolls:,} rolls and {result.hands:,} hands; sessions ended: {', '.join(ended)}.",
        f"Of {result.watched:,} sessions watched: {'; '.join(_watched(result))}.",
        f"{result.rolls_per_second / 1e6:,.2f} million rolls a second ({result.backend}, threads: {result.threads}).",
        ", ".join((f"House {hashes[0]}", f"strategy {hashes[1]}", f"machine {hashes[2]}.")),
    ]
    told.append(said_long_run(run.beside, run.question.terms.at_end))
    if run.checked.law is None:
        told.append(f"No exact answer beside it: {run.checked.why_not}.")
    return told


def _watched(result: Sample) -> tuple[str, ...]:
    """How deep and how long it went."""
    return (
        _spread("drawdown", result.drawdown),
        _spread("longest losing run", result.losing_run),
        _spread("longest winning run", result.winning_run),
    )


def _spread(word: str, seen: Histogram | Amounts) -> str:
    """The middle, the usual most and the most of something that was watched."""
    middle, usual, most = (money(Fraction(seen.quantile(share))) for share in (HALF, MOST, Fraction(1)))
    return f"{word} {middle} (median), {usual} (95 %), {most} (most)"


def _compared(runs: list[Run]) -> Table:
    """The strategies side by side, on the same dice."""
    table = grid("the same dice", "mean", "95 % ±", "ahead", "no next bet", "5 %", "median", "95 %")
    for run in runs:
        result = run.checked.sample
        cuts = list(result.quantiles.values())
        half = (result.interval[1] - result.interval[0]) / 2
        table.add_row(
            run.name,
            signed(result.mean),
            f"{half:,.3f}",
            percent(result.p_ahead),
            percent(result.p_ruin),
            *(signed(cuts[place]) for place in (1, 3, 5)),
        )
    return table
