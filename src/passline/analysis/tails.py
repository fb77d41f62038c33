"""Chances of being as far out: chi-square, binomial and runs, each by its finite sum."""

from __future__ import annotations

import math
from collections.abc import Callable


def chi_square_tail(value: float, freedom: int) -> float:
    """The chance that a chi-square of so many degrees of freedom is at least `value`."""
    half = value / 2
    if freedom % 2:
        term, total = 2 * math.sqrt(half / math.pi) * math.exp(-half), math.erfc(math.sqrt(half))
        steps = range(3, freedom + 1, 2)
    else:
        term, total = math.exp(-half), 0.0
        steps = range(2, freedom + 1, 2)
    for degrees in steps:
        total += term
        term *= half / (degrees / 2)
    return min(1.0, total)


def binomial_tail(successes: int, of: int, chance: float, *, upper: bool) -> float:
    """The chance of so many successes or more (`upper`), or of so many or fewer."""
    if upper:
        return binomial_tail(of - successes, of, 1 - chance, upper=False)
    if successes < 0 or chance >= 1:
        return float(successes >= of and chance >= 1)
    if successes >= of or chance <= 0:
        return 1.0
    if successes > of * chance:  # beyond the middle the other tail is the shorter sum
        return 1 - binomial_tail(of - successes - 1, of, 1 - chance, upper=False)
    log = math.lgamma(of + 1) - math.lgamma(successes + 1) - math.lgamma(of - successes + 1)
    term = math.exp(log + successes * math.log(chance) + (of - successes) * math.log1p(-chance))
    total, odds = 0.0, (1 - chance) / chance
    while term > total * 1e-17 and successes >= 0:
        total += term
        term *= successes / (of - successes + 1) * odds
        successes -= 1
    return min(1.0, total)


def both_sides(lower: float, upper: float) -> float:
    """The chance of being as far out on either side."""
    return min(1.0, 2 * min(lower, upper))


def share_interval(successes: int, of: int, level: float = 0.95) -> tuple[float, float]:
    """The interval of a share by Clopper and Pearson, which holds its level for every count, nothing included."""
    tail = (1 - level) / 2
    low = 0.0 if not successes else _where(lambda p: binomial_tail(successes, of, p, upper=True) - tail)
    high = 1.0 if successes == of else _where(lambda p: tail - binomial_tail(successes, of, p, upper=False))
    return low, high


def _where(rises: Callable[[float], float]) -> float:
    """Where a function that rises from 0 to 1 is nothing."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if rises(middle) > 0 else (middle, high)
    return (low + high) / 2


def runs_tails(runs: int, ones: int, others: int) -> tuple[float, float]:
    """The chances of so many runs or fewer, and of so many or more, in any order of so many ones and others."""
    whole = _log_ways(ones + others, ones)
    below = above = 0.0
    for count in range(2, 2 * min(ones, others) + 2):
        half, odd = divmod(count, 2)
        ways = [(half, half - 1), (half - 1, half)] if odd else [(half - 1, half - 1)] * 2
        chance = math.fsum(
            math.exp(_log_ways(ones - 1, a) + _log_ways(others - 1, b) - whole)
            for a, b in ways
            if a < ones and b < others
        )
        below += chance * (count <= runs)
        above += chance * (count >= runs)
    return min(1.0, below), min(1.0, above)


def _log_ways(of: int, chosen: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(chosen + 1) - math.lgamma(of - chosen + 1)
