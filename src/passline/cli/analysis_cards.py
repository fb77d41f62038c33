"""An evening and a simulation as cards that fit a terminal."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from passline.cli.analysis_show import grid, money, percent, shape, show, signed

if TYPE_CHECKING:
    from passline.cli.analysis_options import Purse
    from passline.house import House
    from passline.machine.machine import Machine
    from passline.odds.sessions.law import Law, Terms
    from passline.strategies.language.strategy import Strategy

SHAPE_WIDTH = 60
CUTS = ("1 %", "5 %", "25 %", "median", "75 %", "95 %", "99 %")
"""The quantiles by name."""


def show_evening(strategy: Strategy, house: House, machine: Machine, found: Law, command: str) -> None:
    """Print an evening."""
    unit = Fraction(machine.about["unit"])
    how = "exactly" if found.exact else f"in double precision; no chance is off by more than {found.error_bound:.0e}"
    show(f"{strategy.name} at {house.name}", f"{_terms(found, unit)}; {machine.states:,} states, worked out {how}.", "")
    show(*_sentences(found), "")
    cuts = grid("", *CUTS)
    cuts.add_row("net at most", *(signed(net) for net in found.quantiles.values()))
    show(cuts, "", _drawn(found), "")
    sums = grid("", "evening", f"per hour of {money(found.terms.rolls_per_hour)} rolls")
    sums.add_row("loss", money(-found.mean), money(found.loss_per_hour))
    sums.add_row("action (money put up)", money(found.action), money(found.action_per_hour))
    hours = float(found.rolls_played / found.terms.rolls_per_hour) or 1
    sums.add_row("rolls", money(found.rolls_played), money(found.terms.rolls_per_hour))
    sums.add_row("hands (seven-outs)", f"{float(found.hands):,.2f}", f"{float(found.hands) / hours:,.2f}")
    show(sums)
    show(f"At best {signed(found.best)}, at worst {signed(found.worst)}.", "", f"Again: {command}")


def _terms(found: Law, unit: Fraction) -> str:
    """What was asked for, in words."""
    terms = found.terms
    parts = [f"{terms.rolls:,} rolls, unit {money(unit)}"]
    parts += said_ends(terms)
    return ", ".join(parts)


def said_ends(ends: Terms | Purse) -> list[str]:
    """The money that ends an evening, in words."""
    given: dict[str, Fraction | None] = {
        "bankroll": ends.bankroll,
        "stop-win": ends.stop_win,
        "stop-loss": ends.stop_loss,
    }
    return [f"{word} {money(amount)}" for word, amount in given.items() if amount is not None]


def _sentences(found: Law) -> list[str]:
    """The plain words."""
    deviation = math.sqrt(found.variance)
    mean = found.mean
    verb = "loses" if mean < 0 else "wins" if mean > 0 else "comes out even"
    amount = f" {money(mean if mean > 0 else -mean)}" if mean else ""
    kept = f" That is {float(-mean / found.action):.3%} of the money put up." if found.action and mean < 0 else ""
    told = [
        f"The mean evening {verb}{amount}, give or take {money(deviation)}.{kept}",
        f"Ahead {percent(found.p_ahead)}, even {percent(found.p_even)}, behind {percent(found.p_behind)}.",
    ]
    if found.terms.bankroll is not None:
        told.append(f"Ruined {percent(found.p_ruin)}{_when(found)}.")
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
