"""The compiled kernels: free functions over integer arrays that know no wager by name.

Importing this module imports Numba, so only `jit.py` does it, and only when asked to roll.

Everything is `uint64`: mixing signed and unsigned 64-bit integers makes Numba compute in floating point, `uint32`
widens by itself, and unsigned indices need no test for being negative.

**One addition a roll.** A session is one 64-bit number, `net | action | hands | row`, where `row` is where the state's
row begins in the table. An entry of the table holds what to add: the roll's net and action, whether it was a seven-out,
and the *difference* of the two rows. So a roll is `session += table[(session & mask) + throw]`: one load, one addition,
and net, action, hands and state have all moved. `jit.pack` chooses the fields' widths so that none can overflow.
"""

# A kernel takes arrays, not objects, and is one loop: many arguments and branches are its nature.
# ruff: noqa: C901, PLR0913, PLR0915, PLR0917
from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.extending import intrinsic

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Words = NDArray[np.uint64]
    Counts = NDArray[np.int64]

F = TypeVar("F", bound="Callable[..., Any]")

LANES = 32
"""Sessions whose dice are dealt together: long enough to fill vector registers, short enough to stay in L1."""

_ROLLS_PER_HALF = 6
_ROLLS_PER_BLOCK = 12
_WORD = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_THROWS = np.uint64(36)
_ZERO, _ONE = np.uint64(0), np.uint64(1)

ROLLS, RUIN, STOP_WIN, STOP_LOSS, HANDS, WHEN = 0, 1, 2, 3, 4, 5
"""The values of `Ending`, as plain numbers that compile."""


def compiled(function: F) -> F:
    """Compile without the interpreter's lock, and keep the machine code on disk."""
    return cast("F", njit(nogil=True, cache=True)(function))


def inlined(function: F) -> F:
    """Compile as part of its callers, before LLVM sees it: loops over a call are not turned into vector code."""
    return cast("F", njit(nogil=True, cache=True, inline="always")(function))


def _high(typing_context: Any, left: Any, right: Any) -> Any:  # noqa: ANN401, ARG001 - Numba's own types
    """Multiply two 64-bit words and keep the high one: no name in NumPy, one instruction on every processor."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:  # noqa: ANN401
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


high: Callable[[np.uint64, np.uint64], np.uint64] = cast("Any", intrinsic(_high))


@inlined
def cipher(block: np.uint64, table: np.uint64, seed: np.uint64) -> Any:  # noqa: ANN401
    """One Philox block as its two halves; without branches, so a loop over it becomes vector code."""
    x0, x1 = block & _WORD, block >> _HALF
    x2, x3 = table & _WORD, table >> _HALF
    k0, k1 = seed & _WORD, seed >> _HALF
    for _ in range(10):
        # What overflows above bit 32 may stay: only the multiplications must drop it, and theirs do so for free.
        p0, p1 = (x0 & _WORD) * _M0, (x2 & _WORD) * _M1
        x0, x1, x2, x3 = (p1 >> _HALF) ^ x1 ^ k0, p1, (p0 >> _HALF) ^ x3 ^ k1, p0
        k0, k1 = (k0 + _W0) & _WORD, (k1 + _W1) & _WORD
    return (x0 & _WORD) | (x1 << _HALF), (x2 & _WORD) | (x3 << _HALF)


@compiled
def deal(block: Words, table: Words, seed: np.uint64, low: Words, upper: Words) -> None:
    """Deal to each lane the block it has come to."""
    for lane in range(LANES):
        low[lane], upper[lane] = cipher(block[lane], table[lane], seed)


@compiled
def deal_alike(block: np.uint64, first_table: np.uint64, seed: np.uint64, low: Words, upper: Words) -> None:
    """Deal the same block to tables in a row."""
    for lane in range(LANES):
        low[lane], upper[lane] = cipher(block, first_table + np.uint64(lane), seed)


@inlined
def after(table: Words, column: NDArray[np.uint8] | None, mask: np.uint64, session: np.uint64, dice: np.uint64) -> Any:  # noqa: ANN401
    """The session after one roll; without a column map the table has one column for each throw."""
    throw = high(dice, _THROWS)
    if column is None:
        return session + table[(session & mask) + throw]
    return session + table[(session & mask) + np.uint64(column[throw])]


@inlined
def in_step(
    table: Words,
    column: NDArray[np.uint8] | None,
    mask: np.uint64,
    half: Words,
    lane: int,
    rolls: int,
    sessions: Words,
) -> None:
    """Roll four sessions in step: each waits for its own loads, so one alone would leave the core idle."""
    z0, z1, z2, z3 = half[lane], half[lane + 1], half[lane + 2], half[lane + 3]
    a0, a1, a2, a3 = sessions[lane], sessions[lane + 1], sessions[lane + 2], sessions[lane + 3]
    for _ in range(rolls):
        a0 = after(table, column, mask, a0, z0)
        z0 *= _THROWS
        a1 = after(table, column, mask, a1, z1)
        z1 *= _THROWS
        a2 = after(table, column, mask, a2, z2)
        z2 *= _THROWS
        a3 = after(table, column, mask, a3, z3)
        z3 *= _THROWS
    sessions[lane], sessions[lane + 1], sessions[lane + 2], sessions[lane + 3] = a0, a1, a2, a3


@compiled
def roll_free(
    table: Words,
    column: NDArray[np.uint8] | None,
    mask: np.uint64,
    seed: np.uint64,
    first_table: int,
    first_block: int,
    rolls: int,
    sessions: Words,
    halt: NDArray[np.uint8],
) -> bool:
    """Roll sessions that nothing ends early, `rolls` times from a block on; their number is a multiple of `LANES`."""
    low, upper, here = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    for group in range(0, len(sessions), LANES):
        here[:] = sessions[group : group + LANES]
        for done in range(0, rolls, _ROLLS_PER_BLOCK):
            if halt[0]:
                return False
            block = np.uint64(first_block + done // _ROLLS_PER_BLOCK)
            deal_alike(block, np.uint64(first_table + group), seed, low, upper)
            left = rolls - done
            for half in (low, upper):
                # The numbers of rolls are written out so that the loops over them are unrolled.
                if left >= _ROLLS_PER_HALF:
                    for lane in range(0, LANES, 4):
                        in_step(table, column, mask, half, lane, 6, here)
                else:
                    for _ in range(left):
                        for lane in range(0, LANES, 4):
                            in_step(table, column, mask, half, lane, 1, here)
                        for lane in range(LANES):
                            half[lane] *= _THROWS
                left -= _ROLLS_PER_HALF
        sessions[group : group + LANES] = here
    return True


@compiled
def spell(
    table: Words,
    column: NDArray[np.uint8] | None,
    mask: np.uint64,
    floor: np.uint64,
    win: np.int64,
    hand_mask: np.uint64,
    hand_limit: np.uint64 | None,
    session: np.uint64,
    dice: np.uint64,
    rolls: int,
) -> Any:  # noqa: ANN401
    """Up to six rolls of one session: the session, the rolls taken, and whether a rule ended it.

    `floor` is the column in which every row keeps the least session that may roll on, so need and stop-loss are one
    comparison; net stands above everything else in a session, so packed sessions compare as their nets do.
    """
    for roll in range(rolls):
        session = after(table, column, mask, session, dice)
        dice *= _THROWS
        if np.int64(session) < np.int64(table[(session & mask) + floor]) or np.int64(session) >= win:
            return session, roll + 1, True
        if hand_limit is not None and (session & hand_mask) >= hand_limit:
            return session, roll + 1, True
    return session, rolls, False


@inlined
def over(
    table: Words,
    mask: np.uint64,
    floor: np.uint64,
    win: np.int64,
    hand_mask: np.uint64,
    hand_limit: np.uint64 | None,
    session: np.uint64,
) -> Any:  # noqa: ANN401
    """A word whose top bit says that a rule ends the session here; it takes no branch, so it never mispredicts one."""
    word = (session - table[(session & mask) + floor]) | (np.uint64(win) - _ONE - session)
    if hand_limit is not None:
        word |= hand_limit - _ONE - (session & hand_mask)
    return word


@compiled
def roll_ruled(
    table: Words,
    column: NDArray[np.uint8] | None,
    mask: np.uint64,
    floor: np.uint64,
    win: np.int64,
    hand_mask: np.uint64,
    hand_limit: np.uint64 | None,
    seed: np.uint64,
    first_table: int,
    rolls: int,
    start: np.uint64,
    sessions: Words,
    taken: Counts,
    halt: NDArray[np.uint8],
) -> bool:
    """Roll sessions that rules may end; a lane whose session has ended takes the next one, so no lane rolls in vain.

    Four lanes are rolled a block ahead in step, only noting that a rule spoke up somewhere; a lane where one did is
    rolled again from where the block began, slowly enough to see where.
    """
    low, upper = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    block, number = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    seat, again, ended = np.zeros(LANES, np.int64), np.zeros(LANES, np.bool_), np.zeros(LANES, np.bool_)
    now, ahead, left = np.full(LANES, start), np.full(LANES, start), np.zeros(LANES, np.int64)
    waiting = min(LANES, len(sessions))
    active = waiting
    for lane in range(active):
        seat[lane], number[lane], left[lane] = lane, np.uint64(first_table + lane), rolls
    while active > 0:
        if halt[0]:
            return False
        deal(block, number, seed, low, upper)
        for lane in range(0, active, 4):
            # Lanes of the last four that have no session roll a dead one; nobody looks at it.
            a0, a1, a2, a3 = now[lane], now[lane + 1], now[lane + 2], now[lane + 3]
            f0, f1, f2, f3 = _ZERO, _ZERO, _ZERO, _ZERO
            for half in (low, upper):
                z0, z1, z2, z3 = half[lane], half[lane + 1], half[lane + 2], half[lane + 3]
                for _ in range(_ROLLS_PER_HALF):
                    a0 = after(table, column, mask, a0, z0)
                    z0 *= _THROWS
                    f0 |= over(table, mask, floor, win, hand_mask, hand_limit, a0)
                    a1 = after(table, column, mask, a1, z1)
                    z1 *= _THROWS
                    f1 |= over(table, mask, floor, win, hand_mask, hand_limit, a1)
                    a2 = after(table, column, mask, a2, z2)
                    z2 *= _THROWS
                    f2 |= over(table, mask, floor, win, hand_mask, hand_limit, a2)
                    a3 = after(table, column, mask, a3, z3)
                    z3 *= _THROWS
                    f3 |= over(table, mask, floor, win, hand_mask, hand_limit, a3)
            ahead[lane], ahead[lane + 1], ahead[lane + 2], ahead[lane + 3] = a0, a1, a2, a3
            again[lane], again[lane + 1] = np.int64(f0) < 0, np.int64(f1) < 0
            again[lane + 2], again[lane + 3] = np.int64(f2) < 0, np.int64(f3) < 0
        for lane in range(active):
            block[lane] += _ONE
            if not again[lane] and left[lane] >= _ROLLS_PER_BLOCK:
                now[lane] = ahead[lane]
                left[lane] -= _ROLLS_PER_BLOCK
                ended[lane] = left[lane] == 0
                continue
            ended[lane] = True
            session, few = now[lane], min(left[lane], _ROLLS_PER_HALF)
            session, done, stopped = spell(
                table, column, mask, floor, win, hand_mask, hand_limit, session, low[lane], few
            )
            left[lane] -= done
            if not stopped:
                few = min(left[lane], _ROLLS_PER_HALF)
                session, done, stopped = spell(
                    table, column, mask, floor, win, hand_mask, hand_limit, session, upper[lane], few
                )
                left[lane] -= done
            now[lane] = session
        # Backwards, so that the lane moved into a gap has been looked at already.
        for lane in range(active - 1, -1, -1):
            if not ended[lane]:
                continue
            sessions[seat[lane]], taken[seat[lane]] = now[lane], rolls - left[lane]
            if waiting < len(sessions):
                seat[lane], number[lane], block[lane] = waiting, np.uint64(first_table + waiting), _ZERO
                now[lane], left[lane] = start, rolls
                waiting += 1
            else:
                active -= 1
                seat[lane], number[lane], block[lane] = seat[active], number[active], block[active]
                now[lane], left[lane], ended[lane] = now[active], left[active], ended[active]
                now[active] = start
    return True


@compiled
def roll_watched(
    column: NDArray[np.uint8],
    following: NDArray[np.int32],
    nets: Counts,
    actions: Counts,
    hand_ends: NDArray[np.bool_],
    need: Counts,
    over_in: NDArray[np.bool_] | None,
    start: int,
    bank: np.int64 | None,
    win: np.int64 | None,
    loss: np.int64 | None,
    hand_limit: np.int64 | None,
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
    """Roll sessions one by one and look at every roll; amounts of any size, so it also rolls what cannot be packed."""
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
            if bank is not None and bank + net < need[state]:
                ending = RUIN
                break
            place = rolled % _ROLLS_PER_BLOCK
            if place == 0:
                if halt[0]:
                    return False
                dice, upper = cipher(np.uint64(rolled // _ROLLS_PER_BLOCK), table, seed)
            elif place == _ROLLS_PER_HALF:
                dice = upper
            at = column[high(dice, _THROWS)]
            dice *= _THROWS
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
            if win is not None and net >= win:
                ending = STOP_WIN
                break
            if loss is not None and net <= -loss:
                ending = STOP_LOSS
                break
            if hand_limit is not None and hands >= hand_limit:
                ending = HANDS
                break
            if over_in is not None and over_in[state]:
                ending = WHEN
                break
        path_out[i, mark:] = net
        net_out[i], rolls_out[i], hands_out[i], ending_out[i] = net, rolled, hands, ending
        action_out[i], state_out[i] = action, state
        drawdown_out[i], winning_out[i], losing_out[i] = drawdown, longest_winning, longest_losing
    return True


@compiled
def run_out(
    first: Counts,
    bets: NDArray[np.int32],
    back: Counts,
    following: NDArray[np.int32],
    nets: Counts,
    actions: Counts,
    seed: np.uint64,
    first_table: int,
    state: Counts,
    rolls: Counts,
    net_out: Counts,
    action_out: Counts,
    run_out_out: Counts,
    halt: NDArray[np.uint8],
) -> bool:
    """Roll on for the bets that stand in each session's last state; those that are decided leave the others."""
    up = np.empty(max(1, np.max(first[1:] - first[:-1])), np.int64)
    for i in range(len(net_out)):
        if halt[0]:
            return False
        begin, count = first[state[i]], first[state[i] + 1] - first[state[i]]
        net, action, rolled, table = back[state[i]], 0, rolls[i], np.uint64(first_table + i)
        dice, upper = _ZERO, _ZERO
        if count:
            for place in range(count):
                up[place] = bets[begin + place]
            dice, upper = cipher(np.uint64(rolled // _ROLLS_PER_BLOCK), table, seed)
            if rolled % _ROLLS_PER_BLOCK >= _ROLLS_PER_HALF:
                dice = upper
            for _ in range(rolled % _ROLLS_PER_HALF):
                dice *= _THROWS
        while count:
            throw = high(dice, _THROWS)
            left = 0
            for place in range(count):
                row = up[place]
                net += nets[row, throw]
                action += actions[row, throw]
                after_it = following[row, throw]
                if after_it:
                    up[left] = after_it
                    left += 1
            count = left
            rolled += 1
            dice *= _THROWS
            if rolled % _ROLLS_PER_BLOCK == 0:
                dice, upper = cipher(np.uint64(rolled // _ROLLS_PER_BLOCK), table, seed)
            elif rolled % _ROLLS_PER_BLOCK == _ROLLS_PER_HALF:
                dice = upper
        net_out[i] += net
        action_out[i] += action
        run_out_out[i] = rolled - rolls[i]
    return True
