"""The compiled kernel of sessions that rules may end: quick far from every bound, careful near one."""

# A kernel takes arrays, not objects, and is one loop: many arguments and branches are its nature.
# ruff: noqa: C901, FBT001, PLR0913, PLR0915, PLR0917
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from passline.sim.backends.kernels import Counts, Places, Words, entry, half_block
from passline.sim.backends.lanes import LANES, ahead, compiled, deal_ahead, highest, inlined, marked

_ROLLS_PER_HALF = 6
_THROWS, _PAIRS, _TRIPLES = np.uint64(36), np.uint64(36**2), np.uint64(36**3)
_ZERO, _ONE, _TOP_BIT, _HALVED = np.uint64(0), np.uint64(1), np.uint64(63), np.int64(1)
_SPAN = 5
"""The most blocks that are rolled before anybody is asked how they came out."""
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
def mark_near(safe: Counts, net_mask: np.int64, wins: bool | None, first: Words, last: Words, flags: Words) -> Any:  # noqa: ANN401
    """Mark the sessions that a rule may have ended on half a block, by what they were before and after it.

    `safe` says from which mean of both nets no roll of it can, and up to which. A number below nothing where any is
    marked.
    """
    word = np.int64(0)
    for each in range(LANES):
        mean = (np.int64(first[each]) >> _HALVED) + ((np.int64(last[each]) & net_mask) >> _HALVED)
        found = mean - safe[0]
        if wins is not None:
            found |= safe[1] - mean
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


@inlined
def note_stops(flags: Words, halves: int, live: np.uint64, stop: Counts) -> Any:  # noqa: ANN401
    """Write down the first marked half of every session that has one; a bit for each of them."""
    over = _ZERO
    for half in range(halves):
        found = marked(flags[half]) & live
        over |= found
        while found:
            lane = highest(found)
            found ^= _ONE << np.uint64(lane)
            stop[lane] = min(stop[lane], half)
    return over


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
    """Roll the last half block of some sessions once more, one roll a look-up, and write down where each of them ended.

    Nobody can foresee the roll on which it does, so no branch asks: from there on it adds nothing.
    """
    for _ in range(_ROLLS_PER_HALF if cut is None else 1):
        for place in range(count):
            session, goes = last[0, place], last[4, place]
            at, last[1, place] = entry(single, mask, cut, other, session, last[1, place], _THROWS)
            word = stops(table, at, size, wins, session)
            session += table[at] & goes
            left = last[2, place] + goes
            word |= (hand_limit - _ONE - (session & hand_mask)) | (left - _ONE)
            last[0, place], last[2, place], last[4, place] = session, left, goes & ((word >> _TOP_BIT) - _ONE)
    for place in range(count):
        seat = np.int64(last[3, place])
        sessions[seat], taken[seat] = last[0, place], rolls - np.int64(last[2, place])


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
    net_mask: np.int64,
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
    """Roll sessions that rules may end; a lane whose session has ended takes the next one, so few lanes roll in vain.

    Lanes are rolled a few blocks ahead in step, half a block at a time. Far from every bound nothing can have ended a
    session, so that at first only those halves are noted that came near one; they are rolled again together, asking of
    every look-up; and where a rule did speak up, once more, with many others, to see where. What a session rolled after
    its end is forgotten. Where most are near, all are asked for a while, block by block.
    """
    per_half = np.uint64(_ROLLS_PER_HALF if cut is None else 1)
    halves = (np.uint64(rolls) + per_half - _ONE) // per_half
    blocks, whole = (halves + _ONE) // np.uint64(2), halves * per_half == np.uint64(rolls)
    dice, flags = np.zeros((2 * _SPAN, LANES), np.uint64), np.zeros((2 * _SPAN, LANES), np.uint64)
    track = np.full((2 * _SPAN + 1, LANES), start)
    all_track, all_dice = track.reshape(-1), dice.reshape(-1)
    born, number, ends = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64), np.full(LANES, blocks)
    second, fourth = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    seat, stop = np.zeros(LANES, np.int64), np.full(LANES, 2 * _SPAN)
    places, asked = np.zeros(2 * _SPAN * LANES, np.int64), np.zeros(2 * _SPAN * LANES, np.uint64)
    again, again_dice = np.full(2 * _SPAN * LANES, start), np.zeros(2 * _SPAN * LANES, np.uint64)
    last, count = np.empty((5, 2 * LANES), np.uint64), 0
    waiting = min(LANES, len(sessions))
    active, crowded, tick = waiting, 0, _ZERO
    # Equal parts of a session, so that the last one rolls little in vain.
    parts = (int(blocks) + _SPAN - 1) // _SPAN
    most, span = (int(blocks) + parts - 1) // parts, 1
    for lane in range(active):
        seat[lane], number[lane] = lane, np.uint64(first_table + lane)
        second[lane], fourth[lane] = ahead(number[lane], seed)
    while active > 0:
        if halt[0]:
            return False
        # Lanes that have no session roll a dead one; nobody looks at it.
        live, over = ~_ZERO >> np.uint64(64 - active), _ZERO
        careful = crowded > 0
        if careful:
            crowded -= 1
            deal_ahead(tick, born, number, second, fourth, seed, dice[0], dice[1])
            for half in range(2):
                for lane in range(LANES):
                    track[half + 1, lane], flags[half, lane] = track[half, lane], _ZERO
                to, said = track[half + 1], flags[half]
                watched_half(table, column, together, mask, cut, other, size, wins, dice[half], active, to, said)
            over = note_stops(flags, 2, live, stop)
        else:
            word = np.int64(0)
            for block in range(span):
                first, then = 2 * block, 2 * block + 1
                deal_ahead(tick + np.uint64(block), born, number, second, fourth, seed, dice[first], dice[then])
                half_block(table, column, together, mask, cut, other, dice[first], LANES, track[first], track[then])
                half_block(table, column, together, mask, cut, other, dice[then], LANES, track[then], track[then + 1])
            for half in range(2 * span):
                word |= mark_near(safe, net_mask, wins, track[half], track[half + 1], flags[half])
            if word < 0:
                close = 0
                for half in range(0, 2 * span, 2):
                    near = (marked(flags[half + 1]) & live) << np.uint64(LANES) | marked(flags[half]) & live
                    while near:
                        bit = highest(near)
                        near ^= _ONE << np.uint64(bit)
                        place = half * LANES + bit
                        places[close], asked[close] = place, _ZERO
                        again[close], again_dice[close] = all_track[place], all_dice[place]
                        close += 1
                watched_half(table, column, together, mask, cut, other, size, wins, again_dice, close, again, asked)
                for place in range(close):
                    if asked[place] >> _TOP_BIT:
                        lane = places[place] % LANES
                        over |= _ONE << np.uint64(lane)
                        stop[lane] = min(stop[lane], places[place] // LANES)
                crowded = _CROWDED if close > active * span else 0
        if hand_limit <= hand_mask:
            for half in range(2 * span):
                for lane in range(LANES):
                    # Hands only grow, so that one look at the end of it is enough.
                    flags[half, lane] = hand_limit - _ONE - (track[half + 1, lane] & hand_mask)
            over |= note_stops(flags, 2 * span, live, stop)
        later = tick + np.uint64(span)
        for lane in range(LANES):
            flags[0, lane] = ends[lane] - later - _ONE
        over |= marked(flags[0]) & live
        final = 2 * span
        while over:
            # The last one first, so that the lane moved into a gap is none of them.
            lane = highest(over)
            over ^= _ONE << np.uint64(lane)
            done = np.uint64(2) * (tick - born[lane])
            half = min(stop[lane], np.int64(halves - done) - 1)
            if whole and half < stop[lane]:
                sessions[seat[lane]], taken[seat[lane]] = track[half + 1, lane], rolls
            else:
                last[0, count], last[1, count] = track[half, lane], dice[half, lane]
                last[2, count] = np.uint64(rolls) - (done + np.uint64(half)) * per_half
                last[3, count], last[4, count] = np.uint64(seat[lane]), ~_ZERO
                count += 1
            stop[lane] = 2 * _SPAN
            if waiting < len(sessions):
                seat[lane], number[lane], born[lane] = waiting, np.uint64(first_table + waiting), later
                second[lane], fourth[lane] = ahead(number[lane], seed)
                ends[lane], track[final, lane] = later + blocks, start
                waiting += 1
            else:
                active -= 1
                seat[lane], number[lane], born[lane] = seat[active], number[active], born[active]
                second[lane], fourth[lane] = second[active], fourth[active]
                ends[lane], track[final, lane], track[final, active] = ends[active], track[final, active], start
        tick, span = later, 1 if careful or crowded > 0 else most
        for lane in range(LANES):
            track[0, lane] = track[final, lane]
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
