"""What is known about a session once it has been worked out, and how it shows itself."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from passline.answers import (
    Answer,
    Kind,
    Part,
    Shape,
    Table,
    cut_name,
    decimal,
    figures,
    money,
    percent,
    picked,
    remarks_of,
    signed,
    written,
)
from passline.files.amounts import Money, exactly
from passline.files.arguments import chance as a_chance
from passline.machine.terms import Terms

# The chances whose nets are given; each is read as the decimal it is written as.
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
# What is told of a machine beside its distribution.
WHENCE = ("strategy", "house", "unit", "house_hash", "strategy_hash", "notice", "refused")
CURVE_POINTS_MAX = 200  # Points of the ruin curve that are written out


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Distribution(Answer):
    """The distribution of one session: money won or lost when it ends, and what was played until then.

    Figures are fractions when the session was worked out exactly and floats when it was not.
    """

    terms: Terms  #: What was asked for.
    exact: bool = False  #: Whether every figure is exact.
    error_bound: float = 0.0  #: No chance here, and no sum of chances, is off by more than this; zero when exact.
    mean_error_bound: float = 0.0  #: The mean is not off by more than this; zero when exact.
    step: Fraction  #: Every net is a whole number of these.
    low: int  #: The first net in `weights`, in steps.
    weights: Sequence[int] | Sequence[float]
    """For each net from `low` on, its ways out of `whole` when exact, its chance when not."""
    whole: int = 1  #: All ways there are, when exact; else one.
    mean: Fraction | float
    variance: Fraction | float
    ruin_by_roll: Sequence[Fraction] | Sequence[float]
    """The chance that the session ends in ruin just before each of the rolls 1 to `rolls`."""
    p_stop_loss: Fraction | float
    """The chance that a stop-loss ends the session; it is looked at first, so whoever is stopped is not ruined."""
    action: Fraction | float
    """The mean of the money of the bets decided: each stake and the commission paid for that decision, pushes counted.

    A winner that stays up is a new bet.
    """
    rolls_played: Fraction | float  #: The mean number of rolls; those of the run-out are not among them.
    run_out_rolls: Fraction | float  #: The mean number of rolls after them, on which no new bets are made.
    hands: Fraction | float  #: The mean number of seven-outs in the rolls played.
    best: Fraction  #: The most that can be won.
    worst: Fraction  #: The least that can be left: a loss is negative.
    about: dict[str, Any] = field(default_factory=dict, repr=False)
    """Where the machine came from: house, strategy, their hashes, unit, notice, what the dealers refused."""
    machine: str = ""  #: The digest of the machine.
    states: int = 0  #: How many states the machine has.

    def __repr__(self) -> str:
        how = "exact" if self.exact else f"within {self.error_bound:.2g}"
        mean, variance = (f"{float(figure):,.6g}" for figure in (self.mean, self.variance))
        return f"<Distribution of {self.rolls} rolls: mean {mean}, variance {variance}, {how}>"

    @property
    def title(self) -> str:
        names = [str(self.about[key]) for key in ("strategy", "house") if self.about.get(key)]
        return " at ".join(names) or f"machine {self.machine[:12]}"

    @property
    def rolls(self) -> int:
        """The most rolls the session has."""
        return self.terms.rolls

    @property
    def p_ahead(self) -> Fraction | float:
        """The chance of a net above zero."""
        return self._chance(self.weights[max(1 - self.low, 0) :])

    @property
    def p_even(self) -> Fraction | float:
        """The chance of a net of nothing."""
        return self._chance(self.weights[-self.low : 1 - self.low] if self.low <= 0 else ())

    @property
    def p_behind(self) -> Fraction | float:
        """The chance of a net below zero."""
        return self._chance(self.weights[: max(-self.low, 0)])

    @property
    def p_ruin(self) -> Fraction | float:
        """The chance that the bankroll does not cover a roll; exactly nothing without a bankroll."""
        if self.terms.bankroll is None:
            return Fraction(0)
        return sum(self.ruin_by_roll, Fraction(0)) if self.exact else math.fsum(self.ruin_by_roll)

    @property
    def quantiles(self) -> dict[float, Fraction]:
        """For each of the usual chances, the least net that is not exceeded with at least that chance."""
        return {q: self.quantile(q) for q in QUANTILES}

    @property
    def edge(self) -> Fraction | float | None:
        """The mean loss of a session for each unit of its `action`; None where nothing is decided.

        At face value what stands at the end of a short session weighs; run out, every bet is counted whole.
        """
        return -self.mean / self.action if self.action else None

    @property
    def loss_per_hour(self) -> Fraction | float:
        """The mean loss for an hour of rolls, those of the run-out among them."""
        return self._per_hour(-self.mean)

    @property
    def action_per_hour(self) -> Fraction | float:
        """The mean of the action for an hour of rolls, those of the run-out among them."""
        return self._per_hour(self.action)

    def quantile(self, chance: float | Fraction) -> Fraction:
        """The least net x with P(net <= x) at least `chance`.

        In double precision it may be the net next to it when P(net <= x) is within the error bound of `chance`.
        """
        wanted = a_chance("chance", chance)
        enough = wanted * self.whole if self.exact else float(wanted)
        last = max(place for place, weight in enumerate(self.weights) if weight)
        reached = (place for place, sum_ in enumerate(accumulate(self.weights)) if sum_ >= enough)
        return (self.low + next(reached, last)) * self.step

    def p_at_most(self, net: Money) -> Fraction | float:
        """The chance of this net or a worse one: how surprising a loss is."""
        return self._chance(self.weights[: max(0, floor(exactly("net", net) / self.step) - self.low + 1)])

    def p_at_least(self, net: Money) -> Fraction | float:
        """The chance of this net or a better one: how surprising a win is."""
        return self._chance(self.weights[max(0, ceil(exactly("net", net) / self.step) - self.low) :])

    def arrays(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Every net in money and its chance, as arrays to draw or to sum."""
        nets = np.arange(self.low, self.low + len(self.weights), dtype=np.float64) * float(self.step)
        if self.exact:
            return nets, np.array([weight / self.whole for weight in self.weights], dtype=np.float64)
        return nets, np.asarray(self.weights, dtype=np.float64)

    def data(self) -> dict[str, Any]:
        curve = self.ruin_curve()
        return {
            **{key: self.about[key] for key in WHENCE if key in self.about},
            **picked(self, "rolls", "exact"),
            **picked(self.terms, "rolls_per_hour", "at_end", "dice", "bankroll", "stop_win", "stop_loss"),
            "until_hands": self.terms.hands,
            "error_bound": repr(self.error_bound),
            "mean_error_bound": repr(self.mean_error_bound),
            **figures(self, *FIGURES),
            "quantiles": self.quantiles,
            "quantiles_decimal": {q: decimal(net) for q, net in self.quantiles.items()},
            "ruin_curve": [(roll, written(chance)) for roll, chance in curve],
            "ruin_curve_decimal": [(roll, decimal(chance)) for roll, chance in curve],
            **picked(self, "machine", "states"),
        }

    def chances(self) -> dict[Fraction, Fraction | float]:
        """Every net that can come out, exactly, and its chance: a fraction where the distribution is exact."""
        return {
            (self.low + place) * self.step: Fraction(int(weight), self.whole) if self.exact else float(weight)
            for place, weight in enumerate(self.weights)
            if weight
        }

    def table(self) -> Table:
        """For each net: strategy, house, the net exactly and as a decimal, and its chance."""
        whence = [str(self.about.get(key, "")) for key in ("strategy", "house")]
        columns: dict[str, Kind] = {"strategy": "text", "house": "text", "net": "exact", "net_decimal": "number"}
        rows = [(*whence, str(net), float(net), float(chance)) for net, chance in self.chances().items()]
        return Table({**columns, "chance": "share"}, rows)

    def page(self) -> Iterator[Part]:
        how = "exactly" if self.exact else f"in double precision; no chance is off by more than {self.error_bound:.0e}"
        unit = f", unit {self.about['unit']}" if "unit" in self.about else ""
        yield f"{self.title}, {self.terms.in_words}{unit}; {self.states:,} states, worked out {how}."
        yield ""
        yield from self.sentences()
        yield from self.pictures()

    def sentences(self) -> Iterator[str]:
        """Mean, spread, chances, ruin and what the dealers refuse, in words."""
        mean = self.mean
        verb = "lose" if mean < 0 else "win" if mean > 0 else "come out even"
        amount = f" {money(mean if mean > 0 else -mean)}" if mean else ""
        share = f" That is {float(self.edge):.3%} of the action." if self.edge is not None and mean < 0 else ""
        yield f"On average you {verb}{amount}; the standard deviation is {money(self.deviation)}.{share}"
        yield f"Ahead {percent(self.p_ahead)}, even {percent(self.p_even)}, behind {percent(self.p_behind)}."
        if self.terms.bankroll is not None:
            quarters = sorted({max(1, self.rolls * part // 4) for part in (1, 2, 3, 4)})
            sums = list(accumulate(map(float, self.ruin_by_roll)))
            when = ", ".join(f"{percent(sums[roll - 1])} by roll {roll:,}" for roll in quarters)
            ruin = f"{percent(self.p_ruin)}{f' ({when})' if self.p_ruin else ''}"
            stop, stopped = self.terms.stop_loss, percent(self.p_stop_loss)
            before = "" if stop is None else f"Stopped at a loss of {money(stop)}: {stopped}; before that "
            yield f"{before}{'ran' if before else 'Ran'} out of money: {ruin}."
        yield from remarks_of(self.about)

    def pictures(self) -> Iterator[Part]:
        """The quantiles, the shape between the outer ones, and the sums of the session and of an hour."""
        columns: dict[str, Kind] = dict.fromkeys(map(cut_name, QUANTILES), "net")
        yield Table({"": "text", **columns}, [("net at most", *self.quantiles.values())])
        yield ""
        nets, chances = self.arrays()
        low, high = (self.quantiles[q] for q in (QUANTILES[0], QUANTILES[-1]))
        yield Shape(low, high, chances[(nets >= float(low)) & (nets <= float(high))].tolist())
        yield ""
        pace = self.terms.rolls_per_hour
        hours = float(self.rolls_played / pace) or 1
        rows: list[tuple[Any, ...]] = [("loss", -self.mean, self.loss_per_hour)]
        rows += [("action (bets decided)", self.action, self.action_per_hour), ("rolls", self.rolls_played, pace)]
        rows += [("rolls of the run-out", self.run_out_rolls, None)] if self.run_out_rolls else []
        rows += [("hands (seven-outs)", float(self.hands), float(self.hands) / hours)]
        yield Table({"": "text", "session": "money", f"per hour of {money(pace)} rolls": "money"}, rows)
        yield f"At best {signed(self.best)}, at worst {signed(self.worst)}."

    @property
    def deviation(self) -> float:
        return math.sqrt(self.variance)

    def ruin_curve(self, points: int = CURVE_POINTS_MAX) -> list[tuple[int, Fraction | float]]:
        """The chance of ruin up to some of the rolls, evenly spread and with the last; nothing without a bankroll."""
        if self.terms.bankroll is None:
            return []
        sums: list[Fraction | float] = list(accumulate(self.ruin_by_roll))
        every = max(math.ceil(self.rolls / points), 1)
        return [(roll, sums[roll - 1]) for roll in range(1, self.rolls + 1) if (self.rolls - roll) % every == 0]

    def _chance(self, weights: Sequence[int] | Sequence[float]) -> Fraction | float:
        if self.exact:
            return Fraction(sum(int(weight) for weight in weights), self.whole)
        return math.fsum(weights)

    def _per_hour(self, amount: Fraction | float) -> Fraction | float:
        return amount * self.terms.rolls_per_hour / (self.rolls_played + self.run_out_rolls)


# What is written out of a distribution, exactly and as decimals.
FIGURES = (
    *("mean", "variance", "p_ahead", "p_even", "p_behind", "p_ruin", "p_stop_loss", "action", "edge", "rolls_played"),
    *("run_out_rolls", "hands", "loss_per_hour", "action_per_hour", "best", "worst"),
)
