"""What a player is worth to the house: handle, theoretical loss, comps, and each wager's share of loss and risk."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from passline.analysis.question import Question
from passline.errors import LongRunError, StrategyError
from passline.files.amounts import Money, exactly, positive
from passline.files.arguments import function, instance
from passline.machine.parts import Parts, parts_of
from passline.odds.linear import solve
from passline.odds.sessions.distribution import decimal, written
from passline.odds.sessions.long_run import spread
from passline.strategies.language.strategy import Strategy

EXACT_STATES_MAX = 150
"""States up to which the shares are fractions."""
STATES_MAX = 4000
"""States up to which they are told at all: the equations are one matrix."""


@dataclass(frozen=True, slots=True)
class WagerShare:
    """What one wager of a strategy does in the long run, for each roll."""

    wager: str
    handle: Fraction | float
    """Money of its bets decided, for each roll."""
    loss: Fraction | float
    """Money that it loses, for each roll."""
    variance: float
    """Of the money it wins, for each roll of many."""
    risk: float
    """Its share of the strategy's variance: what it varies by itself and together with all others."""

    @property
    def edge(self) -> Fraction | float | None:
        """What it loses of its handle: the price that `passline odds` gives per bet made."""
        return self.loss / self.handle if self.handle else None


@dataclass(frozen=True, slots=True)
class Theo:
    """A strategy as a casino rates it, in the long run at a pace."""

    name: str
    house: str
    unit: Fraction
    rolls_per_hour: Fraction
    hours: Fraction
    comp_rate: Fraction
    """The share of the theoretical loss that is given back."""
    exact: bool
    """Whether handle and loss are fractions."""
    wagers: tuple[WagerShare, ...]
    variance: float
    """Of the strategy's net, for each roll of many."""
    hold: Fraction | float | None
    """The mean loss of a session of these hours, of the bankroll brought to it; None without a bankroll."""

    @property
    def handle(self) -> Fraction | float:
        """Money of the bets decided in these hours; a winner that stays up is a new bet."""
        return self._in_all(sum((each.handle for each in self.wagers), Fraction(0)))

    @property
    def loss(self) -> Fraction | float:
        """The theoretical loss of these hours."""
        return self._in_all(sum((each.loss for each in self.wagers), Fraction(0)))

    @property
    def edge(self) -> Fraction | float | None:
        """The loss for each unit of the handle."""
        return self.loss / self.handle if self.handle else None

    @property
    def comps(self) -> Fraction | float:
        """What is given back of the theoretical loss; nothing where the player has the better of it."""
        return (
            self.comp_rate * max(self.loss, Fraction(0)) if self.exact else float(self.comp_rate) * max(self.loss, 0.0)
        )

    @property
    def deviation(self) -> float:
        """The standard deviation of these hours."""
        return math.sqrt(self.variance * float(self.rolls_per_hour * self.hours))

    def _in_all(self, per_roll: Fraction | float) -> Fraction | float:
        rolls = self.rolls_per_hour * self.hours
        return per_roll * (rolls if isinstance(per_roll, Fraction) else float(rolls))

    def to_json(self) -> dict[str, Any]:
        """JSON values: fractions as strings with a decimal beside each."""
        told: dict[str, Any] = {"strategy": self.name, "house": self.house, "unit": str(self.unit)}
        told |= {"rolls_per_hour": str(self.rolls_per_hour), "hours": str(self.hours), "exact": self.exact}
        told |= {"comp_rate": str(self.comp_rate), "standard_deviation": self.deviation}
        for key in ("handle", "loss", "edge", "comps", "hold"):
            told |= _figure(key, getattr(self, key))
        told["wagers"] = [
            {
                "wager": each.wager,
                **_figure("handle_per_roll", each.handle),
                **_figure("loss_per_roll", each.loss),
                **_figure("edge", each.edge),
                "variance_per_roll": each.variance,
                "share_of_variance": each.risk,
            }
            for each in self.wagers
        ]
        return told


def _figure(key: str, figure: Fraction | float | None) -> dict[str, str | None]:
    known = figure is not None
    return {key: written(figure) if known else None, f"{key}_decimal": decimal(figure) if known else None}  # type: ignore[arg-type]


def theo_of(
    question: Question,
    *,
    rolls_per_hour: Money = 100,
    hours: Money = 1,
    comp: Money = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Theo:
    """What a player is worth: handle, theoretical loss and comps in so many hours, and each wager's share.

    >>> from passline import ask
    >>> theo_of(ask("pass_flat", house="strip", unit=10), comp="0.3").edge
    Fraction(7, 495)
    """
    strategy = _check(question)
    function("progress", progress)
    pace, spent, rate = positive("rolls_per_hour", rolls_per_hour), positive("hours", hours), exactly("comp", comp)
    parts = parts_of(strategy, question.seating, progress=progress)
    shares, variance, exact = _shares(parts, question)
    hold = None
    if question.terms.bankroll is not None:
        hold = -question.exact(fractions=False).mean / float(question.terms.bankroll)
    return Theo(
        name=question.name,
        house=question.seating.house.id,
        unit=question.seating.unit,
        rolls_per_hour=pace,
        hours=spent,
        comp_rate=rate,
        exact=exact,
        wagers=tuple(sorted(shares, key=lambda each: -each.handle)),
        variance=variance,
        hold=hold,
    )


def _shares(parts: Parts, question: Question) -> tuple[list[WagerShare], float, bool]:
    """What each wager takes and loses for each roll, the variance of all of them, and whether that is exact."""
    kept, matrix, whole = _recurrent(parts, question)
    often, exact = _often(matrix)
    weights = parts.weights(question.terms.dice)
    taken = np.array([float(each) for each in often])[:, None] * (weights / whole)
    wins = {wager: net[kept] for wager, net in parts.net.items()}
    following = np.searchsorted(kept, parts.next[kept])
    swings = _swings(matrix, weights, following, {**wins, "": parts.total[kept]})
    variance = float((taken * swings[""] ** 2).sum()) * float(parts.grain) ** 2
    shares = []
    for wager, net in wins.items():
        decided = (parts.action[wager][kept] * weights).sum(axis=1).tolist()
        lost = (-net * weights).sum(axis=1).tolist()
        own = float((taken * swings[wager] ** 2).sum()) * float(parts.grain) ** 2
        both = float((taken * swings[wager] * swings[""]).sum()) * float(parts.grain) ** 2
        per_roll = [
            sum((each * amount for each, amount in zip(often, amounts, strict=True)), Fraction(0)) * parts.grain / whole
            for amounts in (decided, lost)
        ]
        handle, loss = per_roll if exact else map(float, per_roll)
        shares.append(WagerShare(wager, handle, loss, own, both / variance if variance else 0.0))
    return shares, variance, exact


def _check(question: Question) -> Strategy:
    """The strategy of a question, which can be taken apart if it is data."""
    asked = instance("question", question, Question, "a Question, such as `ask('pass_flat')`")
    if not isinstance(asked.strategy, Strategy):
        raise StrategyError(f"{asked.name} is a function, and only a strategy that is data can be taken apart.")
    return asked.strategy


def _recurrent(parts: Parts, question: Question) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """The states that play keeps coming back to, and their equations: whole less the weights from state to state."""
    count, throws = parts.next.shape
    source, target = np.repeat(np.arange(count), throws), parts.next.reshape(-1)
    state = 0
    while True:
        ahead, behind = spread(source, target, state, count), spread(target, source, state, count)
        escaped = np.flatnonzero(ahead & ~behind)
        if not escaped.size:
            break
        state = int(escaped[0])
    if not behind.all():
        raise LongRunError(f"{question.name} settles into one of several habits, so it has no single long run")
    kept = np.flatnonzero(ahead)
    if len(kept) > STATES_MAX:
        raise LongRunError(f"{question.name} comes back to {len(kept):,} states, more than can be taken apart")
    matrix = question.terms.dice.whole * np.eye(len(kept), dtype=np.int64)
    following = np.searchsorted(kept, parts.next[kept])
    rows = np.repeat(np.arange(len(kept)), throws)
    np.subtract.at(matrix, (rows, following.reshape(-1)), np.tile(parts.weights(question.terms.dice), len(kept)))
    matrix[:, 0] = 1
    return kept, matrix, question.terms.dice.whole


def _often(matrix: NDArray[np.int64]) -> tuple[list[Fraction], bool]:
    """How often each state is met, in fractions where that is quick."""
    unit = [1] + [0] * (len(matrix) - 1)
    if len(matrix) <= EXACT_STATES_MAX:
        tops, bottom = solve(matrix.T.copy(), unit)
        return [Fraction(top, bottom) for top in tops], True
    found = np.linalg.solve(matrix.T.astype(np.float64), np.array(unit, dtype=np.float64))
    return [Fraction(float(each)) for each in found], False


def _swings(
    matrix: NDArray[np.int64],
    weights: NDArray[np.int64],
    following: NDArray[np.int64],
    nets: Mapping[str, NDArray[np.int64]],
) -> dict[str, NDArray[np.float64]]:
    """For each sum of nets what one throw changes of what it will come to: without memory, so that squares add up."""
    gains = np.column_stack([(net * weights).sum(axis=1) for net in nets.values()]).astype(np.float64)
    worth = np.linalg.solve(matrix.astype(np.float64), gains)
    means = worth[0] / weights.sum()
    worth[0] = 0
    return {
        name: net - means[place] + worth[following, place] - worth[:, place][:, None]
        for place, (name, net) in enumerate(nets.items())
    }


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a progression, or one value of a count, in a session of so many rolls."""

    at: Fraction
    """The step in units, or the count."""
    p_reached: float
    """The chance that a session ever stands there."""
    rolls: float
    """The mean number of rolls thrown there."""
    net: float
    """The mean of what those rolls bring, in money; what stands at the end counts at face value."""


def stages_of(
    question: Question, by: str | None = None, *, progress: Callable[[int, int], None] | None = None
) -> dict[Fraction, Stage]:
    """The stages of a strategy: for each step of a progression, or value of a count, chance to reach, time and cost in.

    Sessions have the question's rolls, and nothing else ends them.
    """
    strategy = _check(question)
    function("progress", progress)
    parts = parts_of(strategy, question.seating, progress=progress)
    _, values = parts.stage(by)
    chance = parts.weights(question.terms.dice) / question.terms.dice.whole
    steps = np.array([float(each) for each in values])
    levels = sorted(set(values))
    source = np.repeat(np.arange(len(values)), len(chance))
    target, flow = parts.next.reshape(-1), np.tile(chance, len(values))
    gain = (parts.total * chance).sum(axis=1) * float(parts.grain)

    def after(mass: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(target, weights=mass[source] * flow, minlength=len(values)).astype(np.float64)

    start = np.zeros(len(values))
    start[0] = 1.0
    visits, mass = np.zeros(len(values)), start
    for _ in range(question.terms.rolls):
        visits, mass = visits + mass, after(mass)
    found = {}
    for level in levels:
        here = steps == float(level)
        left, reached = start, 0.0
        for _ in range(question.terms.rolls):
            reached += float(left[here].sum())
            left = after(np.where(here, 0.0, left))
        found[level] = Stage(level, reached, float(visits[here].sum()), float((visits * gain)[here].sum()))
    return found
