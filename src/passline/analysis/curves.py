"""What charts draw: the net over time, where it ends, and ruin, for pictures and for the lab alike."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from passline.answers import Chart, Curve
from passline.odds.sessions.distribution import Distribution
from passline.sim.sample import Sample

TAILS: Final = (Fraction(1, 1000), Fraction(999, 1000))  # Bars are drawn between these quantiles
TAIL: Final = 0.0005  # a share of the sessions beyond the edges of a histogram that is worth a word
BINS: Final = 60  # Bars of a histogram, unless the nets are fewer
PATHS: Final = 5  # Sessions drawn as they went


def net_over_time(sample: Sample, paths: int = PATHS) -> Chart:
    """Median, the middle half, the middle nine tenths, and a few sessions as they went."""
    low5, low25, middle, high75, high95 = (
        [float(net) for net in sample.fan.quantiles[cut]] for cut in (0.05, 0.25, 0.5, 0.75, 0.95)
    )
    went = [[float(net) for net in path] for path in sample.fan.paths[:paths]]
    curves = [Curve("5 % to 95 %", high95, "band", low5), Curve("25 % to 75 %", high75, "band", low25)]
    curves += [Curve("" if at else "single sessions", path, "path") for at, path in enumerate(went)]
    words = f"net over time, {sample.watched:,} sessions watched"
    return Chart(sample.title, words, "rolls", "net", sample.fan.rolls.tolist(), [*curves, Curve("median", middle)])


def final_net(result: Sample | Distribution, exact: Distribution | None = None) -> Chart:
    """The share of each bar between the far ends; beside a sample what it must be exactly."""
    if isinstance(result, Distribution):
        nets, weights = result.arrays()
        first, last = (int(result.quantile(cut) / result.step) for cut in TAILS)
        edges = float(result.step) * _edges(result.low + np.flatnonzero(weights), first, last)
        what, along = (
            f"{result.rolls:,} rolls, {'exactly' if result.exact else f'within {result.error_bound:.0e}'}",
            "chance",
        )
    else:
        minor_units = result.net.minor_units
        nets, weights = result.net.floats(), result.net.counts / result.sessions
        first, last = (minor_units.quantile(cut) for cut in TAILS)
        edges = float(result.net.minor_unit) * _edges(minor_units.values, first, last)
        what, along = f"{result.sessions:,} sessions", "sessions"
    share = _binned(nets, weights, edges)
    words = f"{what}, {float(result.p_ahead):.1%} ahead, {float(result.p_ruin):.1%} no next bet"
    if (beyond := 1 - float(share.sum())) > TAIL:
        words += f"; {beyond:.1%} beyond the edges"
    curves = [Curve(along, share.tolist(), "bars")]
    curves += [] if exact is None else [Curve("exact", _binned(*exact.arrays(), edges).tolist(), "steps")]
    middles, wide = ((edges[:-1] + edges[1:]) / 2).tolist(), float(edges[1] - edges[0])
    return Chart(result.title, words, "final net", along, middles, curves, shares=True, wide=wide)


def ruin_by_roll(names: Sequence[str], results: Sequence[Sample | Distribution]) -> Chart | None:
    """The chance that the next bet could not be made by then; nothing where it always could."""
    steps: list[dict[int, float]] = []
    for result in results:
        curve = zip(*result.ruin_curve(), strict=True) if isinstance(result, Sample) else result.ruin_curve()
        steps.append({int(roll): float(share) for roll, share in curve})
    rolls = sorted({roll for each in steps for roll in each})
    if len(rolls) < 2 or not any(result.p_ruin for result in results):
        return None
    curves = []
    for name, each in zip(names, steps, strict=True):
        values = [0.0]
        for roll in rolls:
            values.append(each.get(roll, values[-1]))
        curves.append(Curve(name, values[1:]))
    return Chart("Broke by then", "the next bet could not be made", "rolls", "chance", rolls, curves, shares=True)


def _edges(values: NDArray[np.int64], first: int, last: int) -> NDArray[np.float64]:
    """Bars from the first to the last of the nets drawn, in whole minor units, each as many steps wide as the next.

    Nets are often all even, or all multiples of five: bars that held unequally many possible nets would show a comb.
    """
    step = int(np.gcd.reduce(np.diff(values))) if len(values) > 1 else 1
    wide = step * max(1, -(-(last - first) // (step * BINS)))
    # Zero gets a bar's middle, so that losses and wins part in the middle of one.
    start = (first // wide) * wide - wide / 2 + (step / 2 if wide // step % 2 == 0 else 0)
    bars = int((last - start) // wide) + 1
    return np.asarray(start + wide * np.arange(bars + 1), dtype=np.float64)


def _binned(
    values: NDArray[np.float64], weights: NDArray[np.float64], edges: NDArray[np.float64]
) -> NDArray[np.float64]:
    return np.histogram(values, bins=edges, weights=weights)[0]
