"""What is known about a session once it has been worked out, and how it shows itself."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from passline.files.amounts import Money, exactly
from passline.files.arguments import chance as a_chance
from passline.files.arguments import instance
from passline.files.needed import needed
from passline.machine.terms import Terms

if TYPE_CHECKING:
    import polars as pl

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""The chances whose nets are given; each is read as the decimal it is written as."""

WHENCE = ("strategy", "house", "unit", "house_hash", "strategy_hash", "notice", "refused")
"""What is told of a machine beside its law."""

COLUMNS = ("strategy", "house", "net", "net_decimal", "chance")
"""The columns of a frame or a file of a law."""

CURVE_POINTS_MAX = 200
"""Points of the ruin curve that are written out."""

_DIGITS = Context(prec=12)


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """The law of one session: money won or lost when it ends, and what was played until then.

    Figures are fractions when the session was worked out exactly and floats when it was not.
    """

    terms: Terms
    """What was asked for."""
    exact: bool
    """Whether every figure is exact."""
    error_bound: float
    """No chance here, and no sum of chances, is off by more than this; zero when exact."""
    mean_error_bound: float
    """The mean is not off by more than this; zero when exact."""
    step: Fraction
    """Every net is a whole number of these."""
    low: int
    """The first net in `weights`, in steps."""
    weights: Sequence[int] | Sequence[float]
    """For each net from `low` on, its ways out of `whole` when exact, its chance when not."""
    whole: int
    """All ways there are, when exact; else one."""
    mean: Fraction | float
    """The mean of the net."""
    variance: Fraction | float
    """The variance of the net."""
    ruin_by_roll: Sequence[Fraction] | Sequence[float]
    """The chance that the session ends in ruin just before each of the rolls 1 to `rolls`."""
    action: Fraction | float
    """The mean of the money of the bets decided: each stake and the commission paid for that decision, pushes counted.

    A winner that stays up is a new bet.
    """
    rolls_played: Fraction | float
    """The mean number of rolls; those of the run-out are not among them."""
    run_out_rolls: Fraction | float
    """The mean number of rolls after them, on which no new bets are made."""
    hands: Fraction | float
    """The mean number of seven-outs in the rolls played."""
    best: Fraction
    """The most that can be won."""
    worst: Fraction
    """The least that can be left: a loss is negative."""
    about: dict[str, Any] = field(default_factory=dict, repr=False)
    """Where the machine came from: house, strategy, their hashes, unit, notice, what the dealers refused."""
    machine: str = ""
    """The digest of the machine."""
    states: int = 0
    """How many states the machine has."""

    def __repr__(self) -> str:
        """Tell it in a line; the weights are for programs."""
        how = "exact" if self.exact else f"within {self.error_bound:.2g}"
        return f"<Law of {self.rolls} rolls: mean {_short(self.mean)}, variance {_short(self.variance)}, {how}>"

    @property
    def title(self) -> str:
        """The strategy and the house, as far as they are known."""
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
        return _total(self.ruin_by_roll) if self.terms.bankroll is not None else Fraction(0)

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
        asked = a_chance("chance", chance)
        enough = asked * self.whole if self.exact else float(asked)
        last = max(place for place, weight in enumerate(self.weights) if weight)
        reached = (place for place, sum_ in enumerate(accumulate(self.weights)) if sum_ >= enough)
        return (self.low + next(reached, last)) * self.step

    def p_at_most(self, net: Money) -> Fraction | float:
        """The chance of this net or a worse one: how surprising a loss is."""
        return self._chance(self.weights[: max(0, floor(exactly("net", net) / self.step) - self.low + 1)])

    def p_at_least(self, net: Money) -> Fraction | float:
        """The chance of this net or a better one: how surprising a win is."""
        return self._chance(self.weights[max(0, ceil(exactly("net", net) / self.step) - self.low) :])

    def distribution(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Every net in money and its chance, as arrays to draw or to sum."""
        nets = np.arange(self.low, self.low + len(self.weights), dtype=np.float64) * float(self.step)
        if self.exact:
            return nets, np.array([weight / self.whole for weight in self.weights], dtype=np.float64)
        return nets, np.asarray(self.weights, dtype=np.float64)

    def to_json(self, *, distribution: bool = False) -> dict[str, Any]:
        """JSON values: fractions as strings with a decimal beside each; all chances only when asked for."""
        instance("distribution", distribution, bool, "True or False")
        found: dict[str, Any] = {key: self.about[key] for key in WHENCE if key in self.about}
        found |= {"rolls": self.rolls, "rolls_per_hour": written(self.terms.rolls_per_hour), "exact": self.exact}
        found |= {"at_end": self.terms.at_end, "until_hands": self.terms.hands}
        found["dice"] = None if self.terms.dice.fair else str(self.terms.dice)
        found |= {"error_bound": repr(self.error_bound), "mean_error_bound": repr(self.mean_error_bound)}
        for key in ("bankroll", "stop_win", "stop_loss"):
            amount = getattr(self.terms, key)
            found[key] = None if amount is None else written(amount)
        for key in _FIGURES:
            figure = getattr(self, key)
            found |= {key: None, f"{key}_decimal": None}
            if figure is not None:
                found |= {key: written(figure), f"{key}_decimal": decimal(figure)}
        at = self.quantiles
        found["quantiles"] = {str(q): written(net) for q, net in at.items()}
        found["quantiles_decimal"] = {str(q): decimal(net) for q, net in at.items()}
        found["ruin_curve"] = [[roll, decimal(chance)] for roll, chance in self.ruin_curve()]
        if distribution:
            found["distribution"] = [[written(net), written(chance)] for net, chance in self.chances().items()]
        return found | {"machine": self.machine, "states": self.states}

    def chances(self) -> dict[Fraction, Fraction | float]:
        """Every net that can come out, exactly, and its chance: a fraction where the law is exact."""
        return {
            (self.low + place) * self.step: Fraction(int(weight), self.whole) if self.exact else float(weight)
            for place, weight in enumerate(self.weights)
            if weight
        }

    def rows(self) -> Iterator[tuple[str, str, str, float, float]]:
        """For each net: strategy, house, the net exactly and as a decimal, and its chance."""
        strategy, house = (str(self.about.get(key, "")) for key in ("strategy", "house"))
        for place, weight in enumerate(self.weights):
            if weight:
                net = (self.low + place) * self.step
                yield strategy, house, str(net), float(net), weight / self.whole

    def frame(self) -> pl.DataFrame:
        """The law as a Polars frame: strategy, house, each net exactly and as a decimal, and its chance."""
        frame: pl.DataFrame = needed("polars", "a frame").DataFrame(
            list(self.rows()), schema=list(COLUMNS), orient="row"
        )
        return frame

    def ruin_curve(self, points: int = CURVE_POINTS_MAX) -> list[tuple[int, Fraction | float]]:
        """The chance of ruin up to some of the rolls, evenly spread and with the last; nothing without a bankroll."""
        if self.terms.bankroll is None:
            return []
        sums: list[Fraction | float] = list(accumulate(self.ruin_by_roll))
        every = max(math.ceil(self.rolls / points), 1)
        return [(roll, sums[roll - 1]) for roll in range(1, self.rolls + 1) if (self.rolls - roll) % every == 0]

    def _repr_html_(self) -> str:
        """A small table for a notebook."""
        rows = [
            (label, _short(figure)) for key, label in _FIGURES.items() if (figure := getattr(self, key)) is not None
        ]
        rows += [(f"{q:.0%} of sessions end at or below", _short(net)) for q, net in self.quantiles.items()]
        kind = "exact" if self.exact else f"double precision, chances within {self.error_bound:.1e}"
        body = "".join(f"<tr><th style='text-align:left'>{label}</th><td>{value}</td></tr>" for label, value in rows)
        return f"<table><caption>A session of {self.rolls} rolls ({kind})</caption>{body}</table>"

    def _chance(self, weights: Sequence[int] | Sequence[float]) -> Fraction | float:
        if self.exact:
            return Fraction(sum(int(weight) for weight in weights), self.whole)
        return math.fsum(weights)

    def _per_hour(self, amount: Fraction | float) -> Fraction | float:
        hour = self.terms.rolls_per_hour
        return amount * (hour if self.exact else float(hour)) / (self.rolls_played + self.run_out_rolls)


_FIGURES = {
    "mean": "mean",
    "variance": "variance",
    "p_ahead": "ahead",
    "p_even": "even",
    "p_behind": "behind",
    "p_ruin": "ruin",
    "action": "action (bets decided)",
    "edge": "loss of the action",
    "rolls_played": "rolls played",
    "run_out_rolls": "rolls of the run-out",
    "hands": "seven-outs",
    "loss_per_hour": "loss per hour",
    "action_per_hour": "action per hour",
    "best": "best possible",
    "worst": "worst possible",
}


def _total(chances: Sequence[Fraction] | Sequence[float]) -> Fraction | float:
    """The sum, exact for fractions and rounded once for floats."""
    if chances and isinstance(chances[0], float):
        return math.fsum(chances)
    return sum(chances, Fraction(0))


def written(figure: Fraction | float) -> str:
    """A fraction in full, of any length, or a float with all its digits."""
    if isinstance(figure, float):
        return repr(figure)
    # Python refuses to write whole numbers beyond 4300 digits; decimals have no such limit.
    over = "" if figure.denominator == 1 else f"/{Decimal(figure.denominator):f}"
    return f"{Decimal(figure.numerator):f}{over}"


def decimal(figure: Fraction | float) -> str:
    if isinstance(figure, float):
        value = _DIGITS.create_decimal(figure)
    else:
        value = _DIGITS.divide(Decimal(figure.numerator), Decimal(figure.denominator))
    plain = f"{value.normalize(_DIGITS):f}"
    return plain if len(plain) <= 40 else f"{value:.11e}"


def _short(figure: Fraction | float) -> str:
    """Six significant digits, for people."""
    return f"{float(figure):,.6g}"
