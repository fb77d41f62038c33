"""What becomes of a bankroll if nobody ever leaves, and the share of it that makes it grow fastest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from passline.analysis.question import Question
from passline.errors import ArgumentError, SessionError
from passline.files.amounts import positive
from passline.files.arguments import instance
from passline.odds.sessions.chain import chain_of
from passline.odds.sessions.distribution import Law

if TYPE_CHECKING:
    from passline.files.amounts import Money

CELLS_MAX = 6000
"""States times nets up to which the equations are solved."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The unit that makes a bankroll grow fastest, if every session is played for the same share of what there is."""

    share: float
    """One unit as a share of the bankroll; nothing where the session is not in the player's favour."""
    rate: float
    """The mean growth of the logarithm of the bankroll, for each session."""


def ruin_for_ever(question: Question) -> float:
    """The chance that the bankroll, some time, does not cover the next bet, if only `stop_win` ends play before.

    Without a stop-win it is 1 for every game that is not in the player's favour; one that is must be given a stop.

    >>> from passline import ask
    >>> ruin_for_ever(ask("pass_flat", house="strip", unit=1, bankroll=5))
    1.0
    """
    asked = instance("question", question, Question, "a Question, such as `ask('pass_flat', bankroll=100)`")
    if asked.bankroll is None:
        raise ArgumentError("bankroll", "none", "the money at hand: without it nobody is ruined")
    if asked.stop_win is None:
        if asked.long_run().net_per_roll > 0:
            raise ArgumentError("stop_win", "none", "a stop-win, for this game favours the player")
        return 1.0
    chain = chain_of(asked.machine(), with_need=True, dice=asked.dice)
    top = math.ceil(asked.stop_win / chain.step)
    floor = [math.ceil((need - asked.bankroll) / chain.step) for need in chain.need]
    bottom = min(*floor, 0)
    wide = top - bottom
    if chain.states * wide > CELLS_MAX:
        raise SessionError(
            f"{chain.states * wide:,} equations are too many; ask for a smaller bankroll or a larger unit"
        )
    matrix, right = np.eye(chain.states * wide), np.zeros(chain.states * wide)
    steps = list(zip(*(each.tolist() for each in (chain.source, chain.target, chain.net, chain.weight)), strict=True))
    for source, target, net, weight in steps:
        for place in range(wide):
            now, after = bottom + place, bottom + place + net
            if now < floor[source] or after >= top:
                continue
            row = source * wide + place
            if after < bottom or after < floor[target]:
                right[row] += weight / chain.whole
            else:
                matrix[row, target * wide + after - bottom] -= weight / chain.whole
    return float(np.linalg.solve(matrix, right)[chain.start * wide - bottom])


def growth_of(law: Law, unit: Money = 1) -> Growth:
    """The share of a bankroll that one unit should be for the fastest growth, from the law of one session (Kelly).

    >>> from passline import ask
    >>> growth_of(ask("field", house="strip", unit=1, rolls=1).exact()).share
    0.0
    """
    worth = float(positive("unit", unit))
    nets, chances = instance("law", law, Law, "a Law, such as `question.exact()`").distribution()
    nets, chances = nets[chances > 0] / worth, chances[chances > 0]
    if float(nets @ chances) <= 0 or float(nets.min()) >= 0:
        return Growth(0.0, 0.0)
    low, high = 0.0, -1 / float(nets.min())
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if float((chances * nets / (1 + middle * nets)).sum()) > 0 else (low, middle)
    return Growth(low, float((chances * np.log1p(low * nets)).sum()))
