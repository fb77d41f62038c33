"""Exact absorbing chains: how often each state is visited before the chain ends, in fractions."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import TypeVar

import numpy as np

from passline.engine.values import ROLLS
from passline.odds.linear import solve

S = TypeVar("S", bound="Hashable")

THROWS = len(ROLLS)
"""With fair dice every weight of a chain counts throws of two dice told apart."""


def visits(
    start: Mapping[S, Fraction | int], steps: Mapping[S, Mapping[S, int]], whole: int = THROWS
) -> dict[S, Fraction]:
    """The mean number of visits to each state; `steps` weighs the throws that stay inside the chain, out of `whole`.

    States that can come back to one another are solved together, and such groups one after the other, so a wager with
    a long memory costs as much as its groups and not as its states.

    >>> visits({"up": 1}, {"up": {"up": 25}})
    {'up': Fraction(36, 11)}
    """
    reached = {state: Fraction(0) for state in steps}
    for state, weight in start.items():
        reached[state] += weight
    mean: dict[S, Fraction] = {}
    for group in in_order(steps):
        for state, often in zip(group, _solve(group, reached, steps, whole), strict=True):
            mean[state] = often
            for target, throws in steps[state].items():
                reached[target] += often * Fraction(throws, whole)
    return mean


def _solve(
    group: list[S], reached: Mapping[S, Fraction], steps: Mapping[S, Mapping[S, int]], whole: int
) -> list[Fraction]:
    """Visits inside one group, from what flows in."""
    if len(group) == 1:
        (state,) = group
        return [reached[state] * Fraction(whole, whole - steps[state].get(state, 0))]
    matrix = [[(one == other) * whole - steps[other].get(one, 0) for other in group] for one in group]
    over = lcm(*(reached[one].denominator for one in group))
    inflow = [int(reached[one] * over) * whole for one in group]
    tops, bottom = solve(np.array(matrix, dtype=np.int64), inflow)
    return [Fraction(top, bottom * over) for top in tops]


def in_order(steps: Mapping[S, Mapping[S, int]]) -> list[list[S]]:
    """The states in groups that can return to one another, each group after all that lead to it (Tarjan)."""
    order: dict[S, int] = {}
    low: dict[S, int] = {}
    open_: list[S] = []
    closed: set[S] = set()
    groups: list[list[S]] = []
    for root in steps:
        if root in order:
            continue
        trail: list[tuple[S, Iterator[S]]] = [(root, iter(steps[root]))]
        order[root] = low[root] = len(order)
        open_.append(root)
        while trail:
            state, ahead = trail[-1]
            step = next(ahead, None)
            if step is None:
                trail.pop()
                if trail:
                    before = trail[-1][0]
                    low[before] = min(low[before], low[state])
                if low[state] == order[state]:
                    group = [open_.pop()]
                    while group[-1] != state:
                        group.append(open_.pop())
                    groups.append(group)
                    closed.update(group)
            elif step not in order:
                order[step] = low[step] = len(order)
                open_.append(step)
                trail.append((step, iter(steps[step])))
            elif step not in closed:
                low[state] = min(low[state], order[step])
    return groups[::-1]
