"""Three-point molly of `yardsticks/product_table.py` as a machine, for tests and benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from passline.machine.machine import Machine

if TYPE_CHECKING:
    from collections.abc import Callable

TOTALS = np.array([first + second for first in range(6) for second in range(6)], dtype=np.uint8)
"""The column of each throw in a machine that only looks at totals: total less two."""

POINTS = {4: 40, 10: 40, 5: 30, 9: 30, 6: 24, 8: 24}
"""What double odds of twenty pay."""

State = tuple[int, frozenset[int]]
"""The puck, and the come points that are up."""

S = TypeVar("S")


def molly_step(point: int, come: frozenset[int], total: int) -> tuple[State, int]:
    """One roll of three-point molly with ten-dollar units and double odds, as `yardsticks/product_table.py` has it."""
    net, fresh = 0, point != 0 and len(come) < 2
    coming_out = point == 0
    odds = POINTS.get(total, 0)
    if total == 7:
        net -= len(come) * (10 if coming_out else 30)
        come = frozenset()
    elif total in come:
        net += 10 + (0 if coming_out else odds)
        come -= {total}
    if fresh or coming_out:
        if total in (7, 11):
            net += 10
        elif total in (2, 3, 12):
            net -= 10
        elif fresh:
            come |= {total}
        else:
            return (total, come), net
    if not coming_out and total == point:
        return (0, come), net + 10 + odds
    if not coming_out and total == 7:
        return (0, come), net - 30
    return (point, come), net


def explored(start: S, step: Callable[[S, int], tuple[S, int, bool]], need: Callable[[S], int], name: str) -> Machine:
    """The machine of a step function over totals: next state, net in dollars, and whether it was a seven-out."""
    ids, order = {start: 0}, [start]
    rows = []
    for state in order:
        row = [step(state, total) for total in range(2, 13)]
        for after, _, _ in row:
            if after not in ids:
                ids[after] = len(ids)
                order.append(after)
        rows.append(row)
    return Machine(
        column=TOTALS,
        next=np.array([[ids[after] for after, _, _ in row] for row in rows], dtype=np.int32),
        net=np.array([[net for _, net, _ in row] for row in rows], dtype=np.int64),
        need=np.array([need(state) for state in order], dtype=np.int64),
        action=np.zeros((len(order), 11), dtype=np.int64),
        hand_ends=np.array([[ends for _, _, ends in row] for row in rows], dtype=np.bool_),
        about={"house": "yardstick", "strategy": name},
    )


def molly() -> Machine:
    """The yardstick's molly: 118 states, eleven totals, dollars."""

    def step(state: State, total: int) -> tuple[State, int, bool]:
        after, net = molly_step(*state, total)
        return after, net, state[0] != 0 and total == 7

    def need(state: State) -> int:
        point, come = state
        return 30 * len(come) + (30 if point else 10) + (10 if point and len(come) < 2 else 0)

    empty: State = (0, frozenset())
    return explored(empty, step, need, "three_point_molly")
