"""The law of a session as a card that fits a terminal."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from passline.cli.figures import AGAIN, grid, money, percent, shape, show, signed
from passline.cli.figures import amount as exactly
from passline.machine.dice import LoadedDice
from passline.machine.terms import AtEnd
from passline.odds.sessions.distribution import Law
from passline.odds.sessions.long_run import LongRun

if TYPE_CHECKING:
    from passline.analysis.question import Question

SHAPE_WIDTH = 60
CUTS = ("1 %", "5 %", "25 %", "median", "75 %", "95 %", "99 %")
"""The quantiles by name."""


def show_law(question: Question, found: Law, beside: LongRun | None, command: str) -> None:
    """Print a session as an evening, which is what people have."""
    how = "exactly" if found.exact else f"in double precision; no chance is off by more than {found.error_bound:.0e}"
    terms = ", ".join((f"{rolls_of(found.rolls)}, unit {exactly(question.seating.unit)}", *said_ends(question)))
    show(
        f"{title(question)} at {question.seating.house.name}",
        f"{terms}; {found.states:,} states, worked out {how}.",
        "",
    )
    show(*_sentences(found), said_long_run(beside, question.terms.at_end), "")
    cuts = grid("", *CUTS)
    cuts.add_row("net at most", *(signed(net) for net in found.quantiles.values()))
    show(cuts, "", _drawn(found), "")
    sums = grid("", "evening", f"per hour of {money(found.terms.rolls_per_hour)} rolls")
    sums.add_row("loss", money(-found.mean), money(found.loss_per_hour))
    sums.add_row("action (bets decided)", money(found.action), money(found.action_per_hour))
    hours = float(found.rolls_played / found.terms.rolls_per_hour) or 1
    sums.add_row("rolls", money(found.rolls_played), money(found.terms.rolls_per_hour))
    if found.run_out_rolls:
        sums.add_row("rolls of the run-out", money(found.run_out_rolls), "")
    sums.add_row("hands (seven-outs)", f"{float(found.hands):,.2f}", f"{float(found.hands) / hours:,.2f}")
    show(sums)
    show(f"At best {signed(found.best)}, at worst {signed(found.worst)}.", "", f"{AGAIN}{command}")


def title(question: Question) -> str:
    """The strategy's name, for people."""
    return str(getattr(question.strategy, "name", question.name))


def rolls_of(evening: int) -> str:
    """So many rolls, in words."""
    return "1 roll" if evening == 1 else f"{evening:,} rolls"


def said_hours(hours: Fraction) -> str:
    """So many hours, in words."""
    return f"{exactly(hours)} hour" + "s" * (hours != 1)


def said_ends(question: Question) -> list[str]:
    """The money that ends a session, in words."""
    ends = question.terms
    given = {"bankroll": ends.bankroll, "stop-win": ends.stop_win, "stop-loss": ends.stop_loss}
    told = [] if ends.hands is None else [f"{ends.hands:,} hands"]
    told += [f"{word} {exactly(amount)}" for word, amount in given.items() if amount is not None]
    return told if ends.dice.fair else [*told, said_dice(ends.dice)]


def said_dice(dice: LoadedDice) -> str:
    """Dice that are not fair, in words."""
    return f"loaded dice, a seven in {float(dice.srr):.4g} rolls"


def said_long_run(beside: LongRun | None, at_end: AtEnd) -> str:
    """What becomes of what stands at the end of an evening, and what the strategy keeps losing beside it."""
    ends = {"run-out": "has one decision more, without new bets", "face": "counts at face value, which bends its share"}
    end = f"What stands at the end {ends[at_end]}."
    if beside is None or beside.edge is None:
        return f"{end} The long-run edge is not known here."
    verb = "loses" if beside.edge >= 0 else "wins"
    return f"{end} In the long run it {verb} {abs(float(beside.edge)):.3%} of the action."


def _sentences(found: Law) -> list[str]:
    deviation = math.sqrt(found.variance)
    mean = found.mean
    verb = "loses" if mean < 0 else "wins" if mean > 0 else "comes out even"
    amount = f" {money(mean if mean > 0 else -mean)}" if mean else ""
    kept = f" That is {float(found.edge):.3%} of the action." if found.edge is not None and mean < 0 else ""
    told = [
        f"The mean evening {verb}{amount}, give or take {money(deviation)}.{kept}",
        f"Ahead {percent(found.p_ahead)}, even {percent(found.p_even)}, behind {percent(found.p_behind)}.",
    ]
    if found.terms.bankroll is not None:
        told.append(f"Could not make the next bet {percent(found.p_ruin)}{_when(found)}.")
    return told


def _when(found: Law) -> str:
    """By which roll, in quarters of the evening."""
    if not found.p_ruin:
        return ""
    quarters = sorted({max(1, found.rolls * part // 4) for part in (1, 2, 3, 4)})
    sums = np.cumsum([float(chance) for chance in found.ruin_by_roll])
    return ": " + ", ".join(f"{percent(float(sums[roll - 1]))} by roll {roll:,}" for roll in quarters)


def _drawn(found: Law) -> str:
    """The shape between the outer quantiles."""
    nets, chances = found.distribution()
    low, high = (float(found.quantiles[q]) for q in (0.01, 0.99))
    within = (nets >= low) & (nets <= high)
    line = shape(chances[within].tolist(), SHAPE_WIDTH)
    return f"{signed(found.quantiles[0.01])} {line} {signed(found.quantiles[0.99])}"
