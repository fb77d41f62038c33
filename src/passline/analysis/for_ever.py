"""What becomes of a bankroll if nobody ever leaves, and the share of it that makes it grow fastest."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from passline.analysis.question import Question
from passline.answers import Answer, Part, Table, percent
from passline.errors import ArgumentError, SessionError
from passline.files.arguments import instance
from passline.odds.sessions.chain import Chain, chain_of
from passline.odds.sessions.long_run import per_roll

CELLS_MAX = 6000  # States times nets up to which the equations are solved
SETTLED = 1e-10  # what twice as many equations may change
LOSES_NEVER = -500.0  # a power beyond which a game has no loss that could be seen


@dataclass(frozen=True, slots=True, eq=False)
class Growth(Answer):
    """How fast a bankroll grows if one unit is always the same share of it, in the long run.

    The share is set anew with every decision. Bets that stand while others are decided are counted as if they followed
    the bankroll too.
    """

    FIELDS = "share per_roll=rate per_roll_at_half=rate_at_half"

    nets: NDArray[np.float64]  # what a roll can bring, in units
    chances: NDArray[np.float64]  # how often it does, in the long run

    @property
    def share(self) -> float:
        """The share that makes it grow fastest (Kelly); nothing where the game is not in the player's favour."""
        if float(self.nets @ self.chances) <= 0 or float(self.nets.min()) >= 0:
            return 0.0
        low, high = 0.0, -1 / float(self.nets.min())
        for _ in range(200):
            middle = (low + high) / 2
            slope = float((self.chances * self.nets / (1 + middle * self.nets)).sum())
            low, high = (middle, high) if slope > 0 else (low, middle)
        return low

    @property
    def rate(self) -> float:
        """The growth for each roll at that share."""
        return self.at(self.share)

    @property
    def rate_at_half(self) -> float:
        return self.at(self.share / 2)

    def at(self, share: float) -> float:
        """The mean growth of the bankroll's logarithm for each roll, at any share."""
        with np.errstate(divide="ignore", invalid="ignore"):
            grown = np.log1p(share * self.nets)
        return float(self.chances @ grown) if np.isfinite(grown).all() else -math.inf

    def page(self) -> Iterator[Part]:
        if not self.share:
            yield "No share of a bankroll makes it grow: the game is not in the player's favour."
            return
        yield f"A bankroll grows fastest with a unit of {percent(self.share)} of it (Kelly)."
        slower = f"with half that unit by {100 * self.rate_at_half:.4f}"
        yield f"In a hundred rolls its logarithm then grows by {100 * self.rate:.4f} on average, {slower}."

    def table(self) -> Table:
        """The growth for each roll at some shares of the fastest one."""
        rows = [(part * self.share, self.at(part * self.share)) for part in (0.25, 0.5, 0.75, 1.0, 1.25, 1.5)]
        return Table({"share": "share", "per_roll": "number"}, rows if self.share else [])


def ruin_for_ever(question: Question) -> float:
    """The chance that the bankroll, some time, does not cover the next bet, if only `stop_win` ends play before.

    Without a stop-win it is 1 for every game that is not in the player's favour.

    >>> from passline import ask
    >>> ruin_for_ever(ask("pass_flat", house="strip", unit=1, bankroll=5))
    1.0
    >>> round(ruin_for_ever(ask("pass_flat", house="strip", unit=1, bankroll=5, dice="srr=6.5")), 4)
    0.9868
    """
    checked = instance("question", question, Question, "a Question, such as `ask('pass_flat', bankroll=100)`")
    terms = replace(checked.terms, stop_loss=None, hands=None)
    if terms.bankroll is None:
        raise ArgumentError("bankroll", "none", "what you bring: without it you never go broke")
    if terms.stop_win is None and checked.long_run().net_per_roll <= 0:
        return 1.0
    chain = chain_of(replace(checked, terms=terms).machine(), with_need=True, dice=terms.dice)
    win, _, floor = terms.in_steps(chain.step, chain.need)
    assert floor is not None, "there is a bankroll"
    if win is not None:
        return _ruin(chain, floor, win, 0.0)
    falls, top = _falls(chain), int(np.abs(chain.net).max())
    chance = _ruin(chain, floor, top, falls)
    while True:
        top, before = 2 * top, chance
        chance = _ruin(chain, floor, top, falls)
        if abs(chance - before) <= SETTLED:
            return chance


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
            row, chance = source * wide + place, weight / chain.whole
            if now < floor[source]:
                right[row] = 1.0
                continue
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
        matrix = np.zeros((chain.states, chain.states))
        np.add.at(matrix, (chain.source, chain.target), chain.weight / chain.whole * np.exp(power * chain.net))
        return bool(np.abs(np.linalg.eigvals(matrix)).max() > 1)

    low, high = -1 / float(np.abs(chain.net).max()), 0.0
    while not grows(low):  # the root stands between; below it a loss counts for more than all wins
        low, high = 2 * low, low
        if low < LOSES_NEVER:
            return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if grows(middle) else (low, middle)
    return math.exp(high)


def growth_of(question: Question) -> Growth:
    """How a bankroll grows by the share of it that one unit is, from what a roll brings in the long run.

    It is of no session: rolls, bankroll and stops of the question do not matter.

    >>> from passline import ask
    >>> round(growth_of(ask("pass_flat", house="strip", dice="srr=8")).share, 4)
    0.0502
    """
    checked = instance("question", question, Question, "a Question, such as `ask('pass_flat', dice='srr=8')`")
    nets, chances = per_roll(checked.machine(), checked.terms.dice)
    return Growth(nets / float(checked.seating.unit), chances)
