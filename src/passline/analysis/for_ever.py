"""What becomes of a bankroll if nobody ever leaves, and the share of it that makes it grow fastest."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from passline.analysis.question import Question
from passline.errors import ArgumentError, SessionError
from passline.files.amounts import Money, positive
from passline.files.arguments import instance
from passline.odds.sessions.chain import Chain, chain_of
from passline.odds.sessions.distribution import Law

CELLS_MAX = 6000
"""States times nets up to which the equations are solved."""
SETTLED = 1e-10
"""What twice as many equations may change."""
LOSES_NEVER = -500.0
"""A power beyond which a game has no loss that could be seen."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The unit that makes a bankroll grow fastest, if every session is played for the same share of what there is."""

    share: float
    """One unit as a share of the bankroll; nothing where the session is not in the player's favour."""
    rate: float
    """The mean growth of the logarithm of the bankroll, for each session."""


def ruin_for_ever(question: Question) -> float:
    """The chance that the bankroll, some time, does not cover the next bet, if only `stop_win` ends play before.

    Without a stop-win it is 1 for every game that is not in the player's favour.

    >>> from passline import ask
    >>> ruin_for_ever(ask("pass_flat", house="strip", unit=1, bankroll=5))
    1.0
    >>> round(ruin_for_ever(ask("pass_flat", house="strip", unit=1, bankroll=5, dice="srr=6.5")), 4)
    0.9868
    """
    asked = instance("question", question, Question, "a Question, such as `ask('pass_flat', bankroll=100)`")
    terms = replace(asked.terms, stop_loss=None, hands=None)
    if terms.bankroll is None:
        raise ArgumentError("bankroll", "none", "the money at hand: without it nobody is ruined")
    if terms.stop_win is None and asked.long_run().net_per_roll <= 0:
        return 1.0
    chain = chain_of(replace(asked, terms=terms).machine(), with_need=True, dice=terms.dice)
    win, _, floor = terms.in_steps(chain.step, chain.need)
    assert floor is not None, "there is a bankroll"
    if win is not None:
        return _ruin(chain, floor, win, 0.0)
    falls, top = _falls(chain), int(np.abs(chain.net).max())
    found = _ruin(chain, floor, top, falls)
    while True:
        top, before = 2 * top, found
        found = _ruin(chain, floor, top, falls)
        if abs(found - before) <= SETTLED:
            return found


def _ruin(chain: Chain, floor: list[int], top: int, falls: float) -> float:
    """The chance of ruin, where each step beyond the top it falls by a factor: at a stop-win, by all there is."""
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
            if now < floor[source]:
                continue
            row, chance = source * wide + place, weight / chain.whole
            if after >= top:
                matrix[row, target * wide + wide - 1] -= chance * falls ** (after - top + 1)
            elif after < bottom or after < floor[target]:
                right[row] += chance
            else:
                matrix[row, target * wide + after - bottom] -= chance
    return float(np.linalg.solve(matrix, right)[chain.start * wide - bottom])


def _falls(chain: Chain) -> float:
    """By which factor the chance of ruin falls for each step of money, far from ruin, where the game is the player's.

    With `x` steps at hand it is then a multiple of `r ** x`, and one roll on average leaves it as it is.
    """

    def grows(power: float) -> bool:
        kept = np.zeros((chain.states, chain.states))
        np.add.at(kept, (chain.source, chain.target), chain.weight / chain.whole * np.exp(power * chain.net))
        return bool(np.abs(np.linalg.eigvals(kept)).max() > 1)

    low, high = -1 / float(np.abs(chain.net).max()), 0.0
    while not grows(low):  # the root stands between; below it a loss counts for more than all wins
        low, high = 2 * low, low
        if low < LOSES_NEVER:
            return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if grows(middle) else (low, middle)
    return math.exp(high)


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
