"""Three ways to work out a session: whole numbers, a walk in doubles, and the transform for long sessions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING

import numpy as np

from passline.machine.terms import Terms
from passline.odds.sessions import run_out
from passline.odds.sessions.bounds import extremes
from passline.odds.sessions.chain import Chain
from passline.odds.sessions.convolution import CLIP_EVERY, Barriers, Convolution
from passline.odds.sessions.distribution import Law
from passline.odds.sessions.fourier import transformed
from passline.odds.sessions.moments import moments
from passline.odds.sessions.weights import ULP, Double, Whole

if TYPE_CHECKING:
    Progress = Callable[[int, int], None] | None

CLIP = 1e-14
"""Mass that a walk in doubles may cut off its tails in all; what it did cut is in the error bound."""


def in_whole_numbers(  # noqa: PLR0913 - what was worked out before it began is handed on
    chain: Chain, terms: Terms, barriers: Barriers, sums: Whole, *, compiled: bool, progress: Progress
) -> Law:
    """The session as throws out of 36**rolls, or the weight of all throws in place of 36."""
    ended = Convolution(chain, barriers, sums, compiled=compiled).play(terms.rolls, progress)
    whole = chain.whole**terms.rolls
    low, weights, times = run_out.in_whole_numbers(ended.finals, chain.run_outs)
    assert sum(weights) == whole * times, "every session ends somewhere"
    mean = Fraction(sum(net * weight for net, weight in enumerate(weights, start=low)), whole * times)
    square = Fraction(sum(net * net * weight for net, weight in enumerate(weights, start=low)), whole * times)
    after = [Fraction(weight, whole) for weight in ended.stopped]
    return Law(
        terms=terms,
        exact=True,
        error_bound=0.0,
        mean_error_bound=0.0,
        step=chain.step,
        low=low,
        weights=weights,
        whole=whole * times,
        mean=mean * chain.step,
        variance=(square - mean * mean) * chain.step**2,
        ruin_by_roll=[Fraction(weight, whole) for weight in ended.ruined],
        action=sum(map(mul, ended.visits, chain.action), Fraction(0)) / whole
        + sum((often * end.action for often, end in zip(after, chain.run_outs, strict=True)), Fraction(0)),
        rolls_played=Fraction(sum(map(mul, ended.visits, chain.playing.tolist())), whole),
        run_out_rolls=sum((often * end.rolls for often, end in zip(after, chain.run_outs, strict=True)), Fraction(0)),
        hands=Fraction(sum(map(mul, ended.visits, chain.hand_ends.tolist())), whole * chain.whole),
        best=(low + len(weights) - 1) * chain.step,
        worst=low * chain.step,
    )


def in_doubles(chain: Chain, terms: Terms, barriers: Barriers, *, compiled: bool, progress: Progress) -> Law:
    """The session as chances, rolled in double precision.

    All weights are sums of products of positive numbers, so each is off by a known share of itself and no more: a
    few roundings for every roll. What was cut off the tails is off in full.
    """
    sums = Double(chain)
    looks = 2 * chain.states * (terms.rolls // CLIP_EVERY + 1)
    ended = Convolution(chain, barriers, sums, clip=CLIP / looks, compiled=compiled).play(terms.rolls, progress)
    low, weights = run_out.in_doubles(ended.finals, chain.run_outs)
    high = low + len(weights) - 1
    terms_added = sum(len(end.nets) for end in chain.run_outs)
    share = math.expm1(terms.rolls * (sums.per_roll + ULP) + (64 + terms_added) * ULP)
    mean, spread = _mean_and_spread(low, weights)
    least, most = extremes(chain, barriers, terms.rolls)
    out = int(max(np.abs(chain.out_least).max(), np.abs(chain.out_most).max()))
    step, reach = float(chain.step), terms.rolls * chain.net_max + out
    return Law(
        terms=terms,
        exact=False,
        error_bound=share + ended.clipped,
        mean_error_bound=(share * (abs(mean) + math.sqrt(spread)) + ended.clipped * reach) * step,
        step=chain.step,
        low=low,
        weights=weights,
        whole=1,
        mean=mean * step,
        variance=spread * step**2,
        ruin_by_roll=ended.ruined,
        action=math.fsum(map(mul, ended.visits, map(float, chain.action)))
        + math.fsum(often * float(end.action) for often, end in zip(ended.stopped, chain.run_outs, strict=True)),
        rolls_played=math.fsum(map(mul, ended.visits, chain.playing.tolist())),
        run_out_rolls=math.fsum(
            often * float(end.rolls) for often, end in zip(ended.stopped, chain.run_outs, strict=True)
        ),
        hands=math.fsum(map(mul, ended.visits, chain.hand_ends.tolist())) / chain.whole,
        # A session that was stopped on one side may still end beyond all others on the other: its run-out decides.
        best=max(high, high if most is None else most) * chain.step,
        worst=min(low, low if least is None else least) * chain.step,
    )


def by_fourier(chain: Chain, terms: Terms, barriers: Barriers, *, progress: Progress) -> Law:
    """A long session without stops, by its transform; the moments come by themselves and are nearer still."""
    found = transformed(chain, terms.rolls, progress)
    known = moments(chain, terms.rolls)
    least, most = extremes(chain, barriers, terms.rolls)
    assert least is not None, "nothing cuts a session without stops"
    assert most is not None, "nothing cuts a session without stops"
    step = float(chain.step)
    off = 4 * terms.rolls * (chain.states + 8) * ULP
    return Law(
        terms=terms,
        exact=False,
        error_bound=found.bound,
        mean_error_bound=off * (abs(known.mean) + math.sqrt(known.variance) + chain.net_max) * step,
        step=chain.step,
        low=found.low,
        weights=found.chances.tolist(),
        whole=1,
        mean=known.mean * step,
        variance=known.variance * step**2,
        ruin_by_roll=[0.0] * terms.rolls,
        action=known.action,
        rolls_played=known.rolls,
        run_out_rolls=known.run_out_rolls,
        hands=known.hands,
        best=most * chain.step,
        worst=least * chain.step,
    )


def _mean_and_spread(low: int, weights: list[float]) -> tuple[float, float]:
    """Mean and variance in steps, the variance about the mean so that nothing cancels."""
    nets, chances = np.arange(low, low + len(weights), dtype=np.float64), np.asarray(weights)
    mean = math.fsum(nets * chances)
    return mean, math.fsum((nets - mean) ** 2 * chances)
