"""The compiled kernels: free functions over integer arrays that know no wager by name.

Importing this module imports Numba, so only `jit.py` does it, and only when asked to roll. `pack.py` says what the
words of a table mean. An argument that may be None is compiled away where it is; each doubles the compiling.
"""

# A kernel takes arrays, not objects, and is one loop: many arguments and branches are its nature.
# ruff: noqa: C901, FBT001, PLR0913, PLR0915, PLR0917
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from passline.sim.backends.lanes import LANES, cipher, compiled, deal, deal_alike, digit, inlined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]
    Counts = NDArray[np.int64]
    Places = NDArray[np.uint16]

_ROLLS_PER_HALF = 6
_ROLLS_PER_BLOCK = 12
_THROWS, _PAIRS, _TRIPLES = np.uint64(36), np.uint64(36**2), np.uint64(36**3)
_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)

ROLLS, RUIN, STOP_WIN, STOP_LOSS, HANDS, WHEN = 0, 1, 2, 3, 4, 5
"""The values of `Ending`, as plain numbers that compile."""


@inlined
def entry(column: Places, mask: np.uint64, session: np.uint64, dice: np.uint64, base: np.uint64) -> Any:  # noqa: ANN401
    """Where the session's next entry is, by the next digit of that base, and the dice left for the one after it."""
    found, rest = digit(dice, base)
    return (session & mask) + np.uint64(column[found]), rest


@inlined
def in_step(
    table: Words, column: Places, mask: np.uint64, half: Words, lane: int, looks: int, base: np.uint64, sessions: Words
) -> None:
    """Roll four sessions in step: each waits for its own loads, so one alone would leave the core idle."""
    z0, z1, z2, z3 = half[lane], half[lane + 1], half[lane + 2], half[lane + 3]
    a0, a1, a2, a3 = sessions[lane], sessions[lane + 1], sessions[lane + 2], sessions[lane + 3]
    for _ in range(looks):
        at, z0 = entry(column, mask, a0, z0, base)
        a0 += table[at]
        at, z1 = entry(column, mask, a1, z1, base)
        a1 += table[at]
        at, z2 = entry(column, mask, a2, z2, base)
        a2 += table[at]
        at, z3 = entry(column, mask, a3, z3, base)
        a3 += table[at]
    sessions[lane], sessions[lane + 1], sessions[lane + 2], sessions[lane + 3] = a0, a1, a2, a3


@inlined
def half_block(
    table: Words, column: Places, together: int, mask: np.uint64, half: Words, lanes: int, sessions: Words
) -> None:
    """Six rolls of every lane; the numbers of look-ups are written out so that the loops over them are unrolled."""
    if together == 3:
        for lane in range(0, lanes, 4):
            in_step(table, column, mask, half, lane, 2, _TRIPLES, sessions)
    elif together == 2:
        for lane in range(0, lanes, 4):
            in_step(table, column, mask, half, lane, 3, _PAIRS, sessions)
    else:
        for lane in range(0, lanes, 4):
            in_step(table, column, mask, half, lane, 6, _THROWS, sessions)


@compiled
def roll_free(
    table: Words,
    column: Places,
    single: Places,
    together: int,
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
                if left >= _ROLLS_PER_HALF:
                    half_block(table, column, together, mask, half, LANES, here)
                else:
                    for _ in range(left):
                        for lane in range(0, LANES, 4):
                            in_step(table, single, mask, half, lane, 1, _THROWS, here)
                        for lane in range(LANES):
                            half[lane] *= _THROWS
                left -= _ROLLS_PER_HALF
        sessions[group : group + LANES] = here
    return True


@inlined
def stops(table: Words, at: np.uint64, wins: bool | None, session: np.uint64) -> Any:  # noqa: ANN401
    """A word whose top bit says that a rule ends the session on the rolls of this entry.

    It takes no branch, so it never mispredicts one. Net stands above everything else in a session, so packed sessions
    compare as their nets do.
    """
    word = session - table[at + _ONE]
    if wins is not None:
        word |= table[at + _TWO] - _ONE - session
    return word


@inlined
def watched_step(
    table: Words,
    column: Places,
    mask: np.uint64,
    wins: bool | None,
    half: Words,
    lane: int,
    looks: int,
    base: np.uint64,
    sessions: Words,
    flags: Words,
) -> None:
    """As `in_step`, noting in `flags` whether a rule spoke up somewhere."""
    z0, z1, z2, z3 = half[lane], half[lane + 1], half[lane + 2], half[lane + 3]
    a0, a1, a2, a3 = sessions[lane], sessions[lane + 1], sessions[lane + 2], sessions[lane + 3]
    f0, f1, f2, f3 = flags[lane], flags[lane + 1], flags[lane + 2], flags[lane + 3]
    for _ in range(looks):
        at, z0 = entry(column, mask, a0, z0, base)
        f0 |= stops(table, at, wins, a0)
        a0 += table[at]
        at, z1 = entry(column, mask, a1, z1, base)
        f1 |= stops(table, at, wins, a1)
        a1 += table[at]
        at, z2 = entry(column, mask, a2, z2, base)
        f2 |= stops(table, at, wins, a2)
        a2 += table[at]
        at, z3 = entry(column, mask, a3, z3, base)
        f3 |= stops(table, at, wins, a3)
        a3 += table[at]
    sessions[lane], sessions[lane + 1], sessions[lane + 2], sessions[lane + 3] = a0, a1, a2, a3
    flags[lane], flags[lane + 1], flags[lane + 2], flags[lane + 3] = f0, f1, f2, f3


@compiled
def spell(
    table: Words,
    column: Places,
    single: Places,
    together: int,
    mask: np.uint64,
    wins: bool | None,
    hand_mask: np.uint64,
    hand_limit: np.uint64,
    session: np.uint64,
    dice: np.uint64,
    rolls: int,
) -> Any:  # noqa: ANN401
    """Up to six rolls of one session: the session, the rolls taken, and whether a rule ended it."""
    base = _TRIPLES if together == 3 else _PAIRS
    done = 0
    while done < rolls:
        if hand_limit > hand_mask and together > 1 and done + together <= rolls:
            at, rest = entry(column, mask, session, dice, base)
            if np.int64(stops(table, at, wins, session)) >= 0:
                session += table[at]
                dice = rest
                done += together
                continue
        at, dice = entry(single, mask, session, dice, _THROWS)
        ends = np.int64(stops(table, at, wins, session)) < 0
        session += table[at]
        done += 1
        if ends or (session & hand_mask) >= hand_limit:
            return session, done, True
    return session, done, False


@compiled
def roll_ruled(
    table: Words,
    column: Places,
    single: Places,
    together: int,
    mask: np.uint64,
    wins: bool | None,
    hand_mask: np.uint64,
    hand_limit: np.uint64,
    seed: np.uint64,
    first_table: int,
    rolls: int,
    start: np.uint64,
    sessions: Words,
    taken: Counts,
    halt: NDArray[np.uint8],
) -> bool:
    """Roll sessions that rules may end; a lane whose session has ended takes the next one, so no lane rolls in vain.

    Lanes are rolled a block ahead in step, only noting that a rule spoke up somewhere; a lane where one did is rolled
    again from where the block began, slowly enough to see where.
    """
    low, upper = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    block, number = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    seat, attend = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    now, before, left = np.full(LANES, start), np.full(LANES, start), np.zeros(LANES, np.int64)
    flags = np.zeros(LANES, np.uint64)
    waiting = min(LANES, len(sessions))
    active = waiting
    for lane in range(active):
        seat[lane], number[lane], left[lane] = lane, np.uint64(first_table + lane), rolls
    while active > 0:
        if halt[0]:
            return False
        deal(block, number, seed, low, upper)
        for lane in range(LANES):
            before[lane], flags[lane] = now[lane], _ZERO
            block[lane] += _ONE
            left[lane] -= _ROLLS_PER_BLOCK
        # Lanes of the last four that have no session roll a dead one; nobody looks at it.
        for half in (low, upper):
            if together == 3:
                for lane in range(0, active, 4):
                    watched_step(table, column, mask, wins, half, lane, 2, _TRIPLES, now, flags)
            elif together == 2:
                for lane in range(0, active, 4):
                    watched_step(table, column, mask, wins, half, lane, 3, _PAIRS, now, flags)
            else:
                for lane in range(0, active, 4):
                    watched_step(table, column, mask, wins, half, lane, 6, _THROWS, now, flags)
        count = np.int64(0)
        for lane in range(active):
            attend[count] = lane
            # Hands only grow, so that one look at the end is enough.
            flags[lane] |= hand_limit - _ONE - (now[lane] & hand_mask)
            count += np.int64((np.int64(flags[lane]) < 0) | (left[lane] <= 0))
        # Backwards, so that the lane moved into a gap has been looked at already.
        for place in range(count - 1, -1, -1):
            lane = attend[place]
            if np.int64(flags[lane]) < 0 or left[lane] < 0:
                session, stopped = before[lane], False
                left[lane] += _ROLLS_PER_BLOCK
                for dice in (low[lane], upper[lane]):
                    if not stopped:
                        few = min(left[lane], _ROLLS_PER_HALF)
                        session, done, stopped = spell(
                            table, column, single, together, mask, wins, hand_mask, hand_limit, session, dice, few
                        )
                        left[lane] -= done
                now[lane] = session
            sessions[seat[lane]], taken[seat[lane]] = now[lane], rolls - left[lane]
            if waiting < len(sessions):
                seat[lane], number[lane], block[lane] = waiting, np.uint64(first_table + waiting), _ZERO
                now[lane], left[lane] = start, rolls
                waiting += 1
            else:
                active -= 1
                seat[lane], number[lane], block[lane] = seat[active], number[active], block[active]
                now[lane], left[lane], now[active] = now[active], left[active], start
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
            place = rolled % _ROLLS_PER_BLOCK
            if place == 0:
                if halt[0]:
                    return False
                dice, upper = cipher(np.uint64(rolled // _ROLLS_PER_BLOCK), table, seed)
            elif place == _ROLLS_PER_HALF:
                dice = upper
            throw, dice = digit(dice, _THROWS)
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
    seed: np.uint64,
    first_table: int,
    rolls: Counts,
    sessions: Words,
    halt: NDArray[np.uint8],
) -> bool:
    """Roll felts on from where each session's play ended, until nothing stands: row 0, which stays where it is.

    First to the end of the block that the play ended in; then those that still stand share the lanes, and a lane whose
    felt is empty takes the next.
    """
    low, upper = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    block, number = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    here, seat = np.zeros(LANES, np.uint64), np.zeros(LANES, np.int64)
    up = np.empty(len(sessions), np.int64)
    standing = np.int64(0)
    for group in range(0, len(sessions), LANES):
        if halt[0]:
            return False
        lanes = min(LANES, len(sessions) - group)
        for lane in range(lanes):
            block[lane] = np.uint64(rolls[group + lane] // _ROLLS_PER_BLOCK)
            number[lane] = np.uint64(first_table + group + lane)
        deal(block, number, seed, low, upper)
        for lane in range(lanes):
            session, place = sessions[group + lane], rolls[group + lane] % _ROLLS_PER_BLOCK
            if place < _ROLLS_PER_HALF:
                dice = low[lane]
                for _ in range(place):
                    dice *= _THROWS
                for _ in range(_ROLLS_PER_HALF - place):
                    at, dice = entry(single, mask, session, dice, _THROWS)
                    session += table[at]
                place = _ROLLS_PER_HALF
            dice = upper[lane]
            for _ in range(place - _ROLLS_PER_HALF):
                dice *= _THROWS
            for _ in range(_ROLLS_PER_BLOCK - place):
                at, dice = entry(single, mask, session, dice, _THROWS)
                session += table[at]
            sessions[group + lane] = session
            up[standing] = group + lane
            standing += np.int64((session & mask) != _ZERO)
    active = min(LANES, int(standing))
    waiting = active
    for lane in range(active):
        seat[lane] = up[lane]
        here[lane], number[lane] = sessions[up[lane]], np.uint64(first_table + up[lane])
        block[lane] = np.uint64(rolls[up[lane]] // _ROLLS_PER_BLOCK + 1)
    while active > 0:
        if halt[0]:
            return False
        deal(block, number, seed, low, upper)
        for half in (low, upper):
            half_block(table, column, together, mask, half, active, here)
        for lane in range(active - 1, -1, -1):
            block[lane] += _ONE
            if (here[lane] & mask) != _ZERO:
                continue
            sessions[seat[lane]] = here[lane]
            if waiting < standing:
                who = up[waiting]
                waiting += 1
                seat[lane], here[lane], number[lane] = who, sessions[who], np.uint64(first_table + who)
                block[lane] = np.uint64(rolls[who] // _ROLLS_PER_BLOCK + 1)
            else:
                active -= 1
                seat[lane], here[lane] = seat[active], here[active]
                number[lane], block[lane] = number[active], block[active]
    return True
