"""Three-point molly of `yardsticks/product_table.py` as a machine, for tests and benchmarks."""

from __future__ import annotations

import numpy as np

from passline.machine.record import Machine

TOTALS = np.array([first + second for first in range(6) for second in range(6)], dtype=np.uint8)
"""The column of each throw in a machine that only looks at totals: total less two."""

POINTS = {4: 40, 10: 40, 5: 30, 9: 30, 6: 24, 8: 24}
"""What double odds of twenty pay."""

State = tuple[int, frozenset[int]]


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


def molly() -> Machine:
    """The yardstick's molly: 118 states, eleven totals, dollars."""
    ids: dict[State, int] = {(0, frozenset()): 0}
    order = [(0, frozenset[int]())]
    following, nets, ends = [], [], []
    for point, come in order:
        rows = [molly_step(point, come, total) for total in range(2, 13)]
        for state, _ in rows:
            if state not in ids:
                ids[state] = len(ids)
                order.append(state)
        following.append([ids[state] for state, _ in rows])
        nets.append([net for _, net in rows])
        ends.append([point != 0 and total == 7 for total in range(2, 13)])
    up = [30 * len(come) + (30 if point else 10) + (10 if point and len(come) < 2 else 0) for point, come in order]
    return Machine(
        column=TOTALS,
        next=np.array(following, dtype=np.int32),
        net=np.array(nets, dtype=np.int64),
        need=np.array(up, dtype=np.int64),
        staked=np.zeros(len(order), dtype=np.int64),
        hand_ends=np.array(ends, dtype=np.bool_),
        about={"house": "yardstick", "strategy": "three_point_molly"},
    )
