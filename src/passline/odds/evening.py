"""An evening of play, answered exactly: the whole distribution of what a strategy wins or loses in N rolls.

The evening starts on a come-out. Before each roll, bankroll plus net must cover everything the strategy wants on the
layout, or the evening ends in ruin; after each roll a net of `stop_win` or more, or of minus `stop_loss` or less, ends
it. Wagers that still stand at the end count at face value.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from passline.machine.record import THROWS
from passline.odds.evening_chain import Chain, chain_of
from passline.odds.evening_long_run import LongRun, LongRunError, long_run
from passline.odds.evening_moments import moments
from passline.odds.evening_reach import extremes, farthest
from passline.odds.evening_result import Evening
from passline.odds.evening_sums import ULP, Double, Whole
from passline.odds.evening_walk import CLIP_EVERY, FAR, Limits, Walk, bounds_after
from passline.odds.evening_waves import STATES_MAX, waves

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.machine.record import Machine
    from passline.odds.evening_walk import Ended

__all__ = ["Evening", "EveningError", "LongRun", "LongRunError", "evening", "long_run"]

Amount = int | Fraction | Decimal | str
"""Money: never a float."""

Progress = "Callable[[int, int], None]"

ROLLS_EXACT = 200
"""Rolls up to which an evening is worked out exactly unless told otherwise."""

WORK_QUICK = 3e10
"""Additions, about as many as half a minute has, up to which exact is chosen without being asked for."""

WORK_MAX = 2e12
"""Additions beyond which an evening is refused: the better part of an hour."""

WORK_COMPILED = 8e9
"""Additions from which compiling the roll is worth its few seconds."""

CELLS_MAX = 1 << 29
"""Weights of 8 bytes that may be held at once: 4 GiB, and as much again for the next roll."""

WAVES_FROM = 1000
"""Rolls from which an evening without stops is transformed rather than walked."""

CLIP = 1e-14
"""Mass that a walk in doubles may cut off its tails in all; what it did cut is in the error bound."""


class EveningError(ValueError):
    """An evening that cannot be played or would take too long to work out; the message says which and why."""


@dataclass(frozen=True, slots=True)
class _Terms:
    """What was asked for, in money."""

    rolls: int
    bankroll: Fraction | None
    stop_win: Fraction | None
    stop_loss: Fraction | None
    rolls_per_hour: Fraction


def evening(  # noqa: PLR0913 - these are the terms of an evening, each by name
    machine: Machine,
    *,
    rolls: int,
    bankroll: Amount | None = None,
    stop_win: Amount | None = None,
    stop_loss: Amount | None = None,
    exact: bool | None = None,
    rolls_per_hour: Amount = 100,
    progress: Callable[[int, int], None] | None = None,
) -> Evening:
    """The law of an evening of `rolls` rolls; amounts are money.

    `exact` chooses whole numbers or double precision; without it, up to 200 rolls are exact if that takes no more than
    about half a minute. `progress` is called with the rolls done and the rolls in all.
    """
    terms = _terms(machine, rolls, bankroll, stop_win, stop_loss, rolls_per_hour)
    chain = chain_of(machine, with_need=bankroll is not None)
    limits = _limits(chain, machine, terms)
    if exact or (exact is None and rolls <= ROLLS_EXACT):
        work, cells = _exact_work(chain, limits, rolls)
        if exact or work <= WORK_QUICK:
            _refuse_absurd(work, cells, f"{rolls} rolls in whole numbers", "ask for double precision or fewer rolls")
            return _exactly(chain, machine, terms, limits, compiled=work > WORK_COMPILED, progress=progress)
    if limits.none and rolls >= WAVES_FROM and chain.states <= STATES_MAX:
        return _by_waves(chain, machine, terms, progress)
    work, cells = _double_work(chain, limits, rolls)
    _refuse_absurd(work, cells, f"{rolls} rolls in double precision", "give stops on both sides or fewer rolls")
    return _in_doubles(chain, machine, terms, limits, compiled=work > WORK_COMPILED, progress=progress)


def _exactly(
    chain: Chain,
    machine: Machine,
    terms: _Terms,
    limits: Limits,
    *,
    compiled: bool,
    progress: Callable[[int, int], None] | None,
) -> Evening:
    """The evening in whole numbers."""
    ended = Walk(chain, limits, Whole(chain, terms.rolls), compiled=compiled).play(terms.rolls, progress)
    whole = THROWS**terms.rolls
    assert sum(ended.finals.values()) == whole, "every evening ends somewhere"
    low, high = min(ended.finals), max(ended.finals)
    mean = Fraction(sum(net * weight for net, weight in ended.finals.items()), whole)
    square = Fraction(sum(net * net * weight for net, weight in ended.finals.items()), whole)
    return Evening(
        **_asked(terms),
        exact=True,
        error_bound=0.0,
        mean_error_bound=0.0,
        step=chain.step,
        low=low,
        weights=[ended.finals.get(net, 0) for net in range(low, high + 1)],
        mean=mean * chain.step,
        variance=(square - mean * mean) * chain.step**2,
        ruin_by_roll=[Fraction(weight, whole) for weight in ended.ruined],
        action=Fraction(ended.staked, whole) * machine.grain,
        rolls_played=Fraction(ended.rolls, whole),
        hands=Fraction(ended.hands, whole * THROWS),
        best=high * chain.step,
        worst=low * chain.step,
    )
