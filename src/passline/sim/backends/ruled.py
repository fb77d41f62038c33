"""The compiled kernel of sessions that rules may end: quick far from every bound, careful near one."""

# A kernel takes arrays, not objects, and is one loop: many arguments and branches are its nature.
# ruff: noqa: C901, FBT001, PLR0913, PLR0915, PLR0917
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from passline.sim.backends.kernels import entry, half_block
from passline.sim.backends.lanes import LANES, ahead, compiled, deal_ahead, highest, inlined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from passline.sim.backends.kernels import Counts, Places, Words

_ROLLS_PER_HALF = 6
_THROWS, _PAIRS, _TRIPLES = np.uint64(36), np.uint64(36**2), np.uint64(36**3)
_ZERO, _ONE, _TOP_BIT = np.uint64(0), np.uint64(1), np.uint64(63)
_CROWDED = 16
"""Blocks for which every session is watched after most of them had to be."""


@inlined
def stops(table: Words, at: np.uint64, size: np.uint64, wins: bool | None, session: np.uint64) -> Any:  # noqa: ANN401
    """A word whose top bit says that a rule ends the session on the rolls of this entry.

    It takes no branch, so it never mispredicts one. Net stands above everything else in a session, so packed sessions
    compare as their nets do.
    """
    word = session - table[at + size]
    if wins is not None:
        word |= table[at + size + size] - _ONE - session
    return word


@inlined
def marked(words: Words) -> Any:  # noqa: ANN401
    """A bit for every word whose top bit is set."""
    found = _ZERO
    for each in range(LANES):
        found |= (words[each] >> _TOP_BIT) << np.uint64(each)
    return found


@inlined
def mark_near(
    safe: Counts, shift: np.int64, wins: bool | None, first: Words, middle: Words, last: Words, flags: Words
) -> Any:  # noqa: ANN401
    """Mark the sessions that a rule may have ended on a block, by what they were before, amid and after it.

    `safe` says from which net before and after half a block together no roll of it can, and up to which. A number below
    nothing where any is marked.
    """
    word = np.int64(0)
    for each in range(LANES):
        amid = np.int64(middle[each]) >> shift
        before, after = np.int64(first[each]) >> shift, np.int64(last[each]) >> shift
        found = (before + amid - safe[0]) | (amid + after - safe[0])
        if wins is not None:
            found |= (safe[1] - before - amid) | (safe[1] - amid - after)
        flags[each] = np.uint64(found)
        word |= found
    return word


@inlined
def watched_step(
    table: Words,
    column: Places,
    mask: np.uint64,
    cut: Words | None,
    other: Words | None,
    size: np.uint64,
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
        at, z0 = entry(column, mask, cut, other, a0, z0, base)
        f0 |= stops(table, at, size, wins, a0)
        a0 += table[at]
        at, z1 = entry(column, mask, cut, other, a1, z1, base)
        f1 |= stops(table, at, size, wins, a1)
        a1 += table[at]
        at, z2 = entry(column, mask, cut, other, a2, z2, base)
        f2 |= stops(table, at, size, wins, a2)
        a2 += table[at]
        at, z3 = entry(column, mask, cut, other, a3, z3, base)
        f3 |= stops(table, at, size, wins, a3)
        a3 += table[at]
    sessions[lane], sessions[lane + 1], sessions[lane + 2], sessions[lane + 3] = a0, a1, a2, a3
    flags[lane], flags[lane + 1], flags[lane + 2], flags[lane + 3] = f0, f1, f2, f3


@inlined
def watched_half(
    table: Words,
    column: Places,
    together: int,
    mask: np.uint64,
    cut: Words | None,
    other: Words | None,
    size: np.uint64,
    wins: bool | None,
    half: Words,
    lanes: int,
    sessions: Words,
    flags: Words,
) -> None:
    """As `half_block`, asking of every look-up whether a rule speaks up."""
    if cut is not None:
        for lane in range(0, lanes, 4):
            watched_step(table, column, mask, cut, other, size, wins, half, lane, 1, _THROWS, sessions, flags)
    elif together == 3:
        for lane in range(0, lanes, 4):
            watched_step(table, column, mask, None, None, size, wins, half, lane, 2, _TRIPLES, sessions, flags)
    elif together == 2:
        for lane in range(0, lanes, 4):
            watched_step(table, column, mask, None, None, size, wins, half, lane, 3, _PAIRS, sessions, flags)
    else:
        for lane in range(0, lanes, 4):
            watched_step(table, column, mask, None, None, size, wins, half, lane, 6, _THROWS, sessions, flags)


@compiled
def finish(
    table: Words,
    single: Places,
    mask: np.uint64,
    cut: Words | None,
    other: Words | None,
    size: np.uint64,
    wins: bool | None,
    hand_mask: np.uint64,
    hand_limit: np.uint64,
    rolls: int,
    last: Words,
    count: int,
    sessions: Words,
    taken: Counts,
) -> None:
    """Roll the last block of some sessions once more, one roll a look-up, and write down where each of them ended.

    Nobody can foresee the roll on which it does, so no branch asks: from there on it adds nothing.
    """
    per_half = _ROLLS_PER_HALF if cut is None else 1
    for roll in range(2 * per_half):
        dice = 1 if roll < per_half else 2
        for place in range(count):
            session, goes = last[0, place], last[5, place]
            at, last[dice, place] = entry(single, mask, cut, other, session, last[dice, place], _THROWS)
            word = stops(table, at, size, wins, session)
            session += table[at] & goes
            left = last[3, place] + goes
            word |= (hand_limit - _ONE - (session & hand_mask)) | (left - _ONE)
            last[0, place], last[3, place], last[5, place] = session, left, goes & ((word >> _TOP_BIT) - _ONE)
    for place in range(count):
        seat = np.int64(last[4, place])
        sessions[seat], taken[seat] = last[0, place], rolls - np.int64(last[3, place])


@compiled
def roll_ruled(
    table: Words,
    column: Places,
    single: Places,
    together: int,
    mask: np.uint64,
    cut: Words | None,
    other: Words | None,
    size: np.uint64,
    safe: Counts,
    shift: np.int64,
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

    Lanes are rolled a block ahead in step. Far from every bound nothing can have ended a session, so that at first only
    those are noted that came near one; they are rolled again, asking of every look-up; and where a rule did speak up,
    once more, with many others, to see where. Where most are near, all are asked for a while.
    """
    per_block = np.uint64(2 * _ROLLS_PER_HALF if cut is None else 2)
    blocks = (np.uint64(rolls) + per_block - _ONE) // per_block
    whole = blocks * per_block == np.uint64(rolls)
    low, upper = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    born, number, ends = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64), np.full(LANES, blocks)
    second, fourth = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    seat, places = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    now, before, between = np.full(LANES, start), np.full(LANES, start), np.full(LANES, start)
    flags, asked = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    again, again_low, again_upper = np.full(LANES, start), np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    last, count = np.empty((6, 2 * LANES), np.uint64), 0
    waiting = min(LANES, len(sessions))
    active, crowded = waiting, 0
    for lane in range(active):
        seat[lane], number[lane] = lane, np.uint64(first_table + lane)
        second[lane], fourth[lane] = ahead(number[lane], seed)
    tick, next_end = _ZERO, blocks
    while active > 0:
        if halt[0]:
            return False
        deal_ahead(tick, born, number, second, fourth, seed, low, upper)
        tick += _ONE
        for lane in range(LANES):
            before[lane] = now[lane]
        # Lanes of the last four that have no session roll a dead one; nobody looks at it.
        live = ~_ZERO >> np.uint64(64 - active)
        over = _ZERO
        if crowded > 0:
            crowded -= 1
            for lane in range(LANES):
                flags[lane] = _ZERO
            watched_half(table, column, together, mask, cut, other, size, wins, low, active, now, flags)
            watched_half(table, column, together, mask, cut, other, size, wins, upper, active, now, flags)
            over = marked(flags) & live
        else:
            half_block(table, column, together, mask, cut, other, low, LANES, now)
            for lane in range(LANES):
                between[lane] = now[lane]
            half_block(table, column, together, mask, cut, other, upper, LANES, now)
            if mark_near(safe, shift, wins, before, between, now, flags) < 0:
                near = marked(flags) & live
                close = 0
                while near:
                    lane = highest(near)
                    near ^= _ONE << np.uint64(lane)
                    places[close], again[close], asked[close] = lane, before[lane], _ZERO
                    again_low[close], again_upper[close] = low[lane], upper[lane]
                    close += 1
                watched_half(table, column, together, mask, cut, other, size, wins, again_low, close, again, asked)
                watched_half(table, column, together, mask, cut, other, size, wins, again_upper, close, again, asked)
                for place in range(close):
                    over |= (asked[place] >> _TOP_BIT) << np.uint64(places[place])
                crowded = _CROWDED if 2 * close > active else 0
        if hand_limit <= hand_mask:
            for lane in range(LANES):
                # Hands only grow, so that one look at the end is enough.
                flags[lane] = hand_limit - _ONE - (now[lane] & hand_mask)
            over |= marked(flags) & live
        stopped = over
        if tick >= next_end:
            next_end = tick + blocks
            for lane in range(active):
                over |= np.uint64(ends[lane] <= tick) << np.uint64(lane)
                next_end = min(next_end, ends[lane] if ends[lane] > tick else next_end)
        while over:
            # The last one first, so that the lane moved into a gap is none of them.
            lane = highest(over)
            over ^= _ONE << np.uint64(lane)
            if whole and not (stopped >> np.uint64(lane)) & _ONE:
                sessions[seat[lane]], taken[seat[lane]] = now[lane], rolls
            else:
                last[0, count], last[1, count], last[2, count] = before[lane], low[lane], upper[lane]
                last[3, count] = np.uint64(rolls) - (tick - _ONE - born[lane]) * per_block
                last[4, count], last[5, count] = np.uint64(seat[lane]), ~_ZERO
                count += 1
            if waiting < len(sessions):
                seat[lane], number[lane], born[lane], now[lane] = waiting, np.uint64(first_table + waiting), tick, start
                second[lane], fourth[lane] = ahead(number[lane], seed)
                ends[lane] = tick + blocks
                waiting += 1
            else:
                active -= 1
                seat[lane], number[lane], born[lane] = seat[active], number[active], born[active]
                second[lane], fourth[lane] = second[active], fourth[active]
                now[lane], ends[lane], now[active] = now[active], ends[active], start
        if count > LANES or active == 0:
            finish(
                table,
                single,
                mask,
                cut,
                other,
                size,
                wins,
                hand_mask,
                hand_limit,
                rolls,
                last,
                count,
                sessions,
                taken,
            )
            count = 0
    return True
