"""A session of play, answered exactly: the whole distribution of what a strategy wins or loses in N rolls.

`Distribution` is what is known about a session once it has been worked out, and how it shows itself.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor, lcm
from operator import mul
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
from passline.errors import SessionError
from passline.files.amounts import Money, exactly
from passline.files.arguments import chance as a_chance
from passline.machine.machine import Machine, check_depth
from passline.machine.terms import Terms
from passline.odds.sessions.chain import ULP, Chain, RunOut, chain_of
from passline.odds.sessions.convolution import CLIP_EVERY, FAR, Barriers, Convolution, Double, Ended, Whole, next_bounds
from passline.odds.sessions.fourier import STATES_MAX, transformed
from passline.odds.sessions.long_run import moments

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


Progress = Callable[[int, int], None] | None
Bounds = tuple[NDArray[np.int64], NDArray[np.int64]]

ROLLS_EXACT = 200  # Rolls up to which a session is worked out exactly unless told otherwise
ROLLS_MAX = 1_000_000  # no session is longer
WORK_QUICK = 3e10  # Additions, about as many as half a minute has, up to which exact is chosen without being asked for
WORK_COMPILED = 8e9  # Additions from which compiling the roll is worth its few seconds
# Steps times rolls from which it is worth them too: each is a call of a microsecond or two otherwise.
CALLS_COMPILED = 1_000_000
FOURIER_FROM = 1000  # Rolls from which a session without stops is transformed rather than walked
CLIP = 1e-14  # Mass that a walk in doubles may cut off its tails in all; what it did cut is in the error bound


def distribution_of(
    machine: Machine, terms: Terms, *, exact: bool | None = None, progress: Progress | None = None
) -> Distribution:
    """The distribution of a session on these terms, by the quickest of three methods that may answer.

    `exact` chooses whole numbers or double precision; without it, up to 200 rolls are exact if that takes no more than
    about half a minute. The terms' `hands` are only told: a machine made by `until_hands` ends by them. `progress` is
    called with the rolls done and the rolls in all.
    """
    rolls = terms.rolls
    if rolls > ROLLS_MAX:
        raise SessionError(f"a session worked out has up to {ROLLS_MAX:,} rolls, not {rolls:,}")
    first = int(machine.need[machine.start]) * machine.minor_unit
    if terms.bankroll is not None and terms.bankroll < first:
        raise SessionError(f"a bankroll of {terms.bankroll} does not cover the first roll, which needs {first}")
    check_depth(machine, rolls)
    chain = chain_of(machine, with_need=terms.bankroll is not None, run_out=terms.run_out, dice=terms.dice)
    win, loss, floor = terms.in_steps(chain.step, chain.need)
    barriers = Barriers(win, loss, None if floor is None else np.array(floor, dtype=np.int64))
    common: dict[str, Any] = {"terms": terms, "about": machine.about}
    common |= {"machine": machine.digest(), "states": machine.states}
    if exact or (exact is None and rolls <= ROLLS_EXACT):
        sums = Whole(chain, rolls)
        work, cells = walk_work(chain, barriers, rolls, sums.rows)
        if exact or (work <= WORK_QUICK and cells <= CELLS_MAX):
            _refuse_absurd(work, cells, f"{rolls} rolls in whole numbers", "ask for double precision or fewer rolls")
            walk = Convolution(chain, barriers, sums, compiled=_compiled(chain, rolls, work))
            return Distribution(**common, **in_whole_numbers(chain, walk.play(rolls, progress), rolls))
    if barriers.none and rolls >= FOURIER_FROM and chain.states <= STATES_MAX:
        return Distribution(**common, **by_fourier(chain, rolls, progress))
    work, cells = clipped_work(chain, barriers, rolls)
    _refuse_absurd(work, cells, f"{rolls} rolls in double precision", "give stops on both sides or fewer rolls")
    looks = 2 * chain.states * (rolls // CLIP_EVERY + 1)
    walk = Convolution(chain, barriers, Double(chain), clip=CLIP / looks, compiled=_compiled(chain, rolls, work))
    return Distribution(**common, **in_doubles(chain, barriers, walk.play(rolls, progress), rolls))


def _compiled(chain: Chain, rolls: int, work: float) -> bool:
    return work > WORK_COMPILED or rolls * len(chain.net) > CALLS_COMPILED


def _refuse_absurd(work: float, cells: int, what: str, instead: str) -> None:
    if work > WORK_MAX or cells > CELLS_MAX:
        raise SessionError(f"{what} would take over {work:.0e} additions and {8 * cells / 2**30:.1f} GiB; {instead}")


def in_whole_numbers(chain: Chain, ended: Ended, rolls: int) -> dict[str, Any]:
    """The session as throws out of 36**rolls, or the weight of all throws in place of 36."""
    whole = chain.whole**rolls
    low, weights, times = _final_ways(ended.finals, chain.run_outs)
    assert sum(weights) == whole * times, "every session ends somewhere"
    mean, square = (
        Fraction(sum(net**power * weight for net, weight in enumerate(weights, start=low)), whole * times)
        for power in (1, 2)
    )
    return {
        **_nets(chain, low, weights, mean, square - mean * mean),
        **_played(chain, ended, lambda often, each: sum(map(mul, often, each), Fraction(0)) / whole),
        "exact": True,
        "whole": whole * times,
        "ruin_by_roll": [Fraction(weight, whole) for weight in ended.ruined],
        "p_stop_loss": Fraction(ended.behind, whole),
    }


def in_doubles(chain: Chain, barriers: Barriers, ended: Ended, rolls: int) -> dict[str, Any]:
    """The session as chances, rolled in double precision.

    All weights are sums of products of positive numbers, so each is off by a known share of itself and no more: a
    few roundings for every roll. What was cut off the tails is off in full.
    """
    low, weights = _final_chances(ended.finals, chain.run_outs)
    high = low + len(weights) - 1
    terms_added = sum(len(end.nets) for end in chain.run_outs)
    share = math.expm1(rolls * (Double(chain).per_roll + ULP) + (64 + terms_added) * ULP)
    nets, chances = np.arange(low, high + 1, dtype=np.float64), np.asarray(weights)
    mean = math.fsum(nets * chances)
    spread = math.fsum((nets - mean) ** 2 * chances)  # about the mean, so that nothing cancels
    least, most = extremes(chain, barriers, rolls)
    reach = rolls * chain.net_max + int(max(np.abs(chain.out_least).max(), np.abs(chain.out_most).max()))
    return {
        **_nets(chain, low, weights, mean, spread),
        **_played(chain, ended, lambda often, each: math.fsum(map(mul, often, map(float, each)))),
        "error_bound": share + ended.clipped,
        "mean_error_bound": (share * (abs(mean) + math.sqrt(spread)) + ended.clipped * reach) * float(chain.step),
        "ruin_by_roll": ended.ruined,
        "p_stop_loss": ended.behind,
        # A session that was stopped on one side may still end beyond all others on the other: its run-out decides.
        "best": max(high, high if most is None else most) * chain.step,
        "worst": min(low, low if least is None else least) * chain.step,
    }


def by_fourier(chain: Chain, rolls: int, progress: Progress) -> dict[str, Any]:
    """A long session without stops, by its transform; the moments come by themselves and are nearer still."""
    result, known = transformed(chain, rolls, progress), moments(chain, rolls)
    least, most = extremes(chain, Barriers(), rolls)
    assert least is not None, "nothing cuts a session without stops"
    assert most is not None, "nothing cuts a session without stops"
    off = 4 * rolls * (chain.states + 8) * ULP
    error = off * (abs(known.mean) + math.sqrt(known.variance) + chain.net_max) * float(chain.step)
    return {
        **_nets(chain, result.low, result.chances.tolist(), known.mean, known.variance),
        "error_bound": result.bound,
        "mean_error_bound": error,
        "ruin_by_roll": [0.0] * rolls,
        "p_stop_loss": 0.0,
        "action": known.action,
        "rolls_played": known.rolls,
        "run_out_rolls": known.run_out_rolls,
        "hands": known.hands,
        "best": most * chain.step,
        "worst": least * chain.step,
    }


def _final_ways(finals: Sequence[Mapping[int, int]], ends: Sequence[RunOut]) -> tuple[int, list[int], int]:
    """Final weights from those with which each run-out begins: the least net, its weights on, and their factor.

    The weights of all nets lie side by side in one long number, so that all are weighed by one multiplication.
    """
    begun = [(weights, min(weights), end) for weights, end in zip(finals, ends, strict=True) if weights]
    times = lcm(*(end.whole for _, _, end in begun))
    low = min(least + end.nets[0] for _, least, end in begun)
    high = max(max(weights) + end.nets[-1] for weights, _, end in begun)
    size = (sum(sum(weights.values()) for weights, _, _ in begun) * times).bit_length() // 8 + 1
    total = 0
    for weights, least, end in begun:
        cells = b"".join(weights.get(net, 0).to_bytes(size, "little") for net in range(least, max(weights) + 1))
        side_by_side = int.from_bytes(cells, "little")
        for net, ways in zip(end.nets, end.ways, strict=True):
            total += side_by_side * (ways * (times // end.whole)) << 8 * size * (least + net - low)
    count = high - low + 1
    summed = total.to_bytes(size * count, "little")
    return low, [int.from_bytes(summed[size * at : size * (at + 1)], "little") for at in range(count)], times


def _final_chances(finals: Sequence[Mapping[int, float]], ends: Sequence[RunOut]) -> tuple[int, list[float]]:
    begun = [(weights, min(weights), end) for weights, end in zip(finals, ends, strict=True) if weights]
    low = min(least + end.nets[0] for _, least, end in begun)
    high = max(max(weights) + end.nets[-1] for weights, _, end in begun)
    total = np.zeros(high - low + 1)
    for weights, least, end in begun:
        dense = np.array([weights.get(net, 0.0) for net in range(least, max(weights) + 1)])
        at = least + end.nets[0] - low
        ended = np.convolve(dense, end.chances())
        total[at : at + len(ended)] += ended
    return low, total.tolist()


def _nets(chain: Chain, low: int, weights: list[Any], mean: Any, variance: Any) -> dict[str, Any]:  # noqa: ANN401 - whole or not
    """The nets, and their moments as money."""
    step = chain.step if isinstance(mean, Fraction) else float(chain.step)
    return {
        "step": chain.step,
        "low": low,
        "weights": weights,
        "mean": mean * step,
        "variance": variance * step**2,
        "best": (low + len(weights) - 1) * chain.step,
        "worst": low * chain.step,
    }


def _played(chain: Chain, ended: Ended, mean: Callable[[Iterable[Any], Iterable[Any]], Any]) -> dict[str, Any]:
    """What was played until the session ended, and in its run-out."""
    return {
        "action": mean(ended.visits, chain.action) + mean(ended.stopped, (end.action for end in chain.run_outs)),
        "rolls_played": mean(ended.visits, chain.playing.tolist()),
        "run_out_rolls": mean(ended.stopped, (end.rolls for end in chain.run_outs)),
        "hands": mean(ended.visits, chain.hand_ends.tolist()) / chain.whole,
    }


WORK_MAX = 2e12  # Additions beyond which a session is refused: the better part of an hour
CELLS_MAX = 1 << 29  # Weights of 8 bytes that may be held at once: 4 GiB, and as much again for the next roll
FINAL_CELLS = 25  # Weights for whose room one final net is kept, as Python keeps it, in a dictionary and in a list
DOUBLING_STATES_MAX = 256  # Beyond this many states it is quicker to roll than to double

# Standard deviations that the nets kept by a walk in doubles span: beyond ten on either side lies less than 1e-20.
SIGMAS = 20


def bounds(chain: Chain, barriers: Barriers, rolls: int) -> Iterator[tuple[Bounds, bool, bool]]:
    """Before each roll and at the end: least and greatest net of each state, and whether a limit has cut either.

    A net is the less likely to be stopped for a loss the higher it is, so a bound that was not cut is really reached.
    """
    low, high = np.full(chain.states, FAR), np.full(chain.states, -FAR)
    low[chain.start] = high[chain.start] = 0
    for roll in range(rolls + 1):
        floor = np.full(chain.states, -FAR)
        if roll < rolls and barriers.floor is not None:
            floor = np.maximum(floor, barriers.floor)
        if roll and barriers.loss is not None:
            floor = np.maximum(floor, barriers.loss + 1)
        top = FAR if barriers.win is None or roll == 0 else barriers.win - 1
        live = low <= high
        cut_low, cut_high = bool((low[live] < floor[live]).any()), bool((high[live] > top).any())
        low, high = np.maximum(low, floor), np.minimum(high, top)
        dead = low > high
        low[dead], high[dead] = FAR, -FAR
        yield (low, high), cut_low, cut_high
        low, high = next_bounds(chain, low, high)


def extremes(chain: Chain, barriers: Barriers, rolls: int) -> tuple[int | None, int | None]:
    """The least and the greatest final net, or nothing on a side where a limit cuts the session short."""
    least: int | None
    most: int | None
    if barriers.none and chain.states <= DOUBLING_STATES_MAX:
        least = -farthest(chain, -chain.net, rolls, -chain.out_least)
        return least, farthest(chain, chain.net, rolls, chain.out_most)
    least, most = FAR, -FAR
    for (low, high), cut_low, cut_high in bounds(chain, barriers, rolls):
        least = None if cut_low or least is None else int((low + chain.out_least).min())
        most = None if cut_high or most is None else int((high + chain.out_most).max())
        if least is most is None:
            break
    return least, most


def farthest(chain: Chain, net: NDArray[np.int64], rolls: int, out: NDArray[np.int64]) -> int:
    """The most that `rolls` rolls and the run-out can add up to, by doubling the number of rolls."""
    best = np.full((chain.states, chain.states), -FAR)
    np.maximum.at(best, (chain.source, chain.target), net)
    row = np.full(chain.states, -FAR)
    row[chain.start] = 0
    while rolls:
        if rolls & 1:
            row = np.maximum((row[:, None] + best).max(axis=0), -FAR)
        best = np.maximum(np.stack([(line[:, None] + best).max(axis=0) for line in best]), -FAR)
        rolls >>= 1
    return int((row + out).max())


def walk_work(chain: Chain, barriers: Barriers, rolls: int, rows: Callable[[int], int]) -> tuple[float, int]:
    """Additions that a walk of all reachable nets takes, and the most weights it holds, counted until too many."""
    steps = np.bincount(chain.source, minlength=chain.states)
    work, cells = 0.0, 0
    for roll, ((low, high), _, _) in enumerate(bounds(chain, barriers, rolls)):
        wide = np.maximum(high - low + 1, 0) * rows(roll)
        work += float((wide * steps).sum())
        reach = max(int(high.max()) - int(low.min()) + 1, 0)
        cells = max(cells, int(wide.sum()) + FINAL_CELLS * reach)
        if work > WORK_MAX:
            break
    return work, cells


def clipped_work(chain: Chain, barriers: Barriers, rolls: int) -> tuple[float, int]:
    """The same for a walk in doubles: its nets span some standard deviations, or less where they reach less far.

    The reach is only looked at when the deviations alone are too much, because looking takes time as well.
    """
    square = np.bincount(chain.source, weights=chain.net.astype(np.float64) ** 2 * chain.weight)
    spread = SIGMAS * float(np.sqrt(square.max() / chain.whole * rolls)) + 1
    rough, room = rolls * len(chain.net) * spread, int(chain.states * spread)
    # Until the tails are looked at for the second time nothing has been cut off them.
    uncut, held = walk_work(chain, barriers, min(rolls, CLIP_EVERY), lambda _: 1)
    if rough > WORK_MAX or room > CELLS_MAX:
        work, cells = walk_work(chain, barriers, rolls, lambda _: 1)
        rough, room = min(work, rough), min(cells, room)
    return max(uncut, rough), max(held, room)
