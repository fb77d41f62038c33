"""The compiled kernels: free functions over integer arrays that know no wager by name.

Importing this module imports Numba, so only `jit.py` does it, and only when asked to roll. `pack.py` says what the
words of a table mean. An argument that may be None is compiled away where it is; each doubles the compiling.
"""

# A kernel takes arrays, not objects, and is one loop: many arguments and branches are its nature.
# ruff: noqa: C901, PLR0913, PLR0915, PLR0917
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from passline.sim.backends.lanes import LANES, cipher, compiled, deal, deal_alike, digit, inlined, prepare

Words = NDArray[np.uint64]
Counts = NDArray[np.int64]
Places = NDArray[np.uint16]

_ROLLS_PER_HALF = 6
_THROWS, _PAIRS, _TRIPLES = np.uint64(36), np.uint64(36**2), np.uint64(36**3)
_ZERO, _ONE, _LAST = np.uint64(0), np.uint64(1), np.uint64(LANES - 1)
_WORD_BITS = np.uint64(32)

ROLLS, RUIN, STOP_WIN, STOP_LOSS, HANDS, WHEN = 0, 1, 2, 3, 4, 5
"""The values of `Ending`, as plain numbers that compile."""


@inlined
def entry(
    column: Places,
    mask: np.uint64,
    cut: Words | None,
    other: Words | None,
    session: np.uint64,
    dice: np.uint64,
    base: np.uint64,
) -> Any:  # noqa: ANN401
    """Where the session's next entry is, by the next digit of that base, and the dice left for the one after it.

    Of dice that are not fair the digit is a box, and the rest a place in it: below its cut lies its own throw.
    """
    found, rest = digit(dice, base)
    place = np.uint64(column[found])
    if cut is not None and other is not None:
        spare = np.uint64(column[other[found]])  # fetched anyway: which one it is cannot be foreseen
        place = spare if rest >= cut[found] else place
    return (session & mask) + place, rest


@inlined
def in_step(
    table: Words,
    column: Places,
    mask: np.uint64,
    cut: Words | None,
    other: Words | None,
    half: Words,
    lane: int,
    looks: int,
    base: np.uint64,
    before: Words,
    after: Words,
) -> None:
    """Roll four sessions in step: each waits for its own loads, so one alone would leave the core idle."""
    z0, z1, z2, z3 = half[lane], half[lane + 1], half[lane + 2], half[lane + 3]
    a0, a1, a2, a3 = before[lane], before[lane + 1], before[lane + 2], before[lane + 3]
    for _ in range(looks):
        at, z0 = entry(column, mask, cut, other, a0, z0, base)
        a0 += table[at]
        at, z1 = entry(column, mask, cut, other, a1, z1, base)
        a1 += table[at]
        at, z2 = entry(column, mask, cut, other, a2, z2, base)
        a2 += table[at]
        at, z3 = entry(column, mask, cut, other, a3, z3, base)
        a3 += table[at]
    after[lane], after[lane + 1], after[lane + 2], after[lane + 3] = a0, a1, a2, a3


@inlined
def half_block(
    table: Words,
    column: Places,
    together: int,
    mask: np.uint64,
    cut: Words | None,
    other: Words | None,
    half: Words,
    lanes: int,
    before: Words,
    after: Words,
) -> None:
    """The rolls of half a block for every lane, from where it was to where it comes.

    Look-ups are numbered outright so that loops over them are unrolled.
    """
    if cut is not None:
        for lane in range(0, lanes, 4):
            in_step(table, column, mask, cut, other, half, lane, 1, _THROWS, before, after)
    elif together == 3:
        for lane in range(0, lanes, 4):
            in_step(table, column, mask, None, None, half, lane, 2, _TRIPLES, before, after)
    elif together == 2:
        for lane in range(0, lanes, 4):
            in_step(table, column, mask, None, None, half, lane, 3, _PAIRS, before, after)
    else:
        for lane in range(0, lanes, 4):
            in_step(table, column, mask, None, None, half, lane, 6, _THROWS, before, after)


@compiled
def leftover(
    table: Words,
    single: Places,
    mask: np.uint64,
    cut: Words | None,
    other: Words | None,
    seed: np.uint64,
    first_table: np.uint64,
    block: np.uint64,
    rolls: int,
    sessions: Words,
) -> None:
    """Up to a block of rolls of tables in a row, one a look-up: what is left at the end, and numbers beyond 32 bits."""
    per_half = _ROLLS_PER_HALF if cut is None else 1
    for lane in range(LANES):
        low, upper = cipher(block, first_table + np.uint64(lane), seed)
        for roll in range(rolls):
            dice = low if roll < per_half else upper
            at, dice = entry(single, mask, cut, other, sessions[lane], dice, _THROWS)
            sessions[lane] += table[at]
            if roll < per_half:
                low = dice
            else:
                upper = dice


@compiled
def roll_free(
    table: Words,
    column: Places,
    single: Places,
    together: int,
    mask: np.uint64,
    cut: Words | None,
    other: Words | None,
    seed: np.uint64,
    first_table: int,
    first_block: int,
    rolls: int,
    sessions: Words,
    halt: NDArray[np.uint8],
) -> bool:
    """Roll sessions that nothing ends early, `rolls` times from a block on; their number is a multiple of `LANES`."""
    per_block = 2 * _ROLLS_PER_HALF if cut is None else 2
    low, upper, here = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    second, third, fourth = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    for group in range(0, len(sessions), LANES):
        here[:] = sessions[group : group + LANES]
        first = np.uint64(first_table + group)
        narrow = first >> _WORD_BITS == (first + _LAST) >> _WORD_BITS and first_block + rolls < 1 << 32
        blocks = rolls // per_block if narrow else 0
        prepare(first, seed, second, third, fourth)
        for block in range(first_block, first_block + blocks):
            if halt[0]:
                return False
            deal_alike(np.uint64(block), first, seed, second, third, fourth, low, upper)
            half_block(table, column, together, mask, cut, other, low, LANES, here, here)
            half_block(table, column, together, mask, cut, other, upper, LANES, here, here)
        for done in range(blocks * per_block, rolls, per_block):
            if halt[0]:
                return False
            block, few = first_block + done // per_block, min(per_block, rolls - done)
            leftover(table, single, mask, cut, other, seed, first, np.uint64(block), few, here)
        sessions[group : group + LANES] = here
    return True


@compiled
def roll_watched(
    column: NDArray[np.uint8],
    following: NDArray[np.int32],
    nets: Counts,
    actions: Counts,
    hand_ends: NDArray[np.bool_],
    need: Counts,
    over_in: NDArray[np.bool_],
    start: int,
    bank: int,
    win: int,
    loss: int,
    hand_limit: int,
    cut: Words | None,
    other: Words | None,
    seed: np.uint64,
    first_table: int,
    rolls: int,
    checkpoints: Counts,
    net_out: Counts,
    rolls_out: Counts,
    hands_out: Counts,
    ending_out: NDArray[np.uint8],
    action_out: Counts,
    state_out: Counts,
    drawdown_out: Counts,
    winning_out: Counts,
    losing_out: Counts,
    path_out: Counts,
    halt: NDArray[np.uint8],
) -> bool:
    """Roll sessions one by one and look at every roll; amounts of any size, so it also rolls what cannot be packed.

    A limit below nothing is none.
    """
    per_half = _ROLLS_PER_HALF if cut is None else 1
    for i in range(len(net_out)):
        table = np.uint64(first_table + i)
        state, net, hands, ending, rolled, mark, action = start, 0, 0, ROLLS, 0, 0, 0
        peak, drawdown, winning, losing, longest_winning, longest_losing = 0, 0, 0, 0, 0, 0
        dice, upper = _ZERO, _ZERO
        while True:
            while mark < len(checkpoints) and checkpoints[mark] == rolled:
                path_out[i, mark] = net
                mark += 1
            if rolled == rolls:
                break
            if bank >= 0 and bank + net < need[state]:
                ending = RUIN
                break
            place = rolled % (2 * per_half)
            if place == 0:
                if halt[0]:
                    return False
                dice, upper = cipher(np.uint64(rolled // (2 * per_half)), table, seed)
            elif place == per_half:
                dice = upper
            throw, dice = digit(dice, _THROWS)
            if cut is not None and other is not None and dice >= cut[throw]:
                throw = other[throw]
            at = column[throw]
            moved = nets[state, at]
            action += actions[state, at]
            hands += hand_ends[state, at]
            state = following[state, at]
            net += moved
            rolled += 1
            peak = max(peak, net)
            drawdown = max(drawdown, peak - net)
            if moved > 0:
                winning += 1
                losing = 0
                longest_winning = max(longest_winning, winning)
            elif moved < 0:
                losing += 1
                winning = 0
                longest_losing = max(longest_losing, losing)
            if win >= 0 and net >= win:
                ending = STOP_WIN
                break
            if loss >= 0 and net <= -loss:
                ending = STOP_LOSS
                break
            if hand_limit >= 0 and hands >= hand_limit:
                ending = HANDS
                break
            if over_in[state]:
                ending = WHEN
                break
        path_out[i, mark:] = net
        net_out[i], rolls_out[i], hands_out[i], ending_out[i] = net, rolled, hands, ending
        action_out[i], state_out[i] = action, state
        drawdown_out[i], winning_out[i], losing_out[i] = drawdown, longest_winning, longest_losing
    return True


@compiled
def run_out(
    table: Words,
    column: Places,
    single: Places,
    together: int,
    mask: np.uint64,
    cut: Words | None,
    other: Words | None,
    seed: np.uint64,
    first_table: int,
    rolls: Counts,
    sessions: Words,
    halt: NDArray[np.uint8],
) -> bool:
    """Roll felts on from where each session's play ended, until nothing stands: row 0, which stays where it is.

    Those that stand go first to the end of the block that the play ended in; then those that still do share the lanes,
    and a lane whose felt is empty takes the next.
    """
    per_half = _ROLLS_PER_HALF if cut is None else 1
    low, upper = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    born, number = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    here, seat = np.zeros(LANES, np.uint64), np.zeros(LANES, np.int64)
    up = np.empty(len(sessions), np.int64)
    first, standing = np.int64(0), np.int64(0)
    for each in range(len(sessions)):
        up[first] = each
        first += np.int64((sessions[each] & mask) != _ZERO)
    for group in range(0, first, LANES):
        if halt[0]:
            return False
        lanes = min(LANES, int(first) - group)
        for lane in range(lanes):
            born[lane] = _ZERO - np.uint64(rolls[up[group + lane]] // (2 * per_half))
            number[lane] = np.uint64(first_table + up[group + lane])
        deal(_ZERO, born, number, seed, low, upper)
        for lane in range(lanes):
            who = up[group + lane]
            session, place = sessions[who], rolls[who] % (2 * per_half)
            if place < per_half:
                dice = low[lane]
                for _ in range(place):
                    dice *= _THROWS
                for _ in range(per_half - place):
                    at, dice = entry(single, mask, cut, other, session, dice, _THROWS)
                    session += table[at]
                place = per_half
            dice = upper[lane]
            for _ in range(place - per_half):
                dice *= _THROWS
            for _ in range((2 * per_half) - place):
                at, dice = entry(single, mask, cut, other, session, dice, _THROWS)
                session += table[at]
            sessions[who] = session
            up[standing] = who
            standing += np.int64((session & mask) != _ZERO)
    active = min(LANES, int(standing))
    waiting, tick = active, _ZERO
    for lane in range(active):
        seat[lane] = up[lane]
        here[lane], number[lane] = sessions[up[lane]], np.uint64(first_table + up[lane])
        born[lane] = _ZERO - np.uint64(rolls[up[lane]] // (2 * per_half) + 1)
    while active > 0:
        if halt[0]:
            return False
        deal(tick, born, number, seed, low, upper)
        tick += _ONE
        for half in (low, upper):
            half_block(table, column, together, mask, cut, other, half, active, here, here)
        for lane in range(active - 1, -1, -1):
            if (here[lane] & mask) != _ZERO:
                continue
            sessions[seat[lane]] = here[lane]
            if waiting < standing:
                who = up[waiting]
                waiting += 1
                seat[lane], here[lane], number[lane] = who, sessions[who], np.uint64(first_table + who)
                born[lane] = tick - np.uint64(rolls[who] // (2 * per_half) + 1)
            else:
                active -= 1
                seat[lane], here[lane] = seat[active], here[active]
                number[lane], born[lane] = number[active], born[active]
    return True
