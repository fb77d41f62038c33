"""The compiled kernel of sessions that rules may end: quick far from every bound, careful near one."""

# A kernel takes arrays, not objects, and is one loop: many arguments and branches are its nature.
# ruff: noqa: C901, FBT001, PLR0913, PLR0915, PLR0917
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from passline.sim.backends.kernels import entry, half_block
from passline.sim.backends.lanes import LANES, compiled, deal, inlined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from passline.sim.backends.kernels import Counts, Places, Words

_ROLLS_PER_HALF = 6
_THROWS, _PAIRS, _TRIPLES = np.uint64(36), np.uint64(36**2), np.uint64(36**3)
_ZERO, _ONE, _TOP_BIT = np.uint64(0), np.uint64(1), np.uint64(63)
_CROWDED = 16
"""Blocks for which every lane is watched after most of them had to be."""


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
def near(safe: Counts, shift: np.int64, wins: bool | None, first: np.uint64, last: np.uint64) -> Any:  # noqa: ANN401
    """A number below nothing where a rule may have ended the session on half a block, by what it was before and after.

    `safe` says from which net on no roll can, first of the net before and then of both nets together; and up to which.
    """
    net = np.int64(first) >> shift
    both = net + (np.int64(last) >> shift)
    found = (net - safe[0]) & (both - safe[1])
    if wins is not None:
        found |= (safe[2] - net) & (safe[3] - both)
    return found


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


@compiled
def watched_block(
    table: Words,
    column: Places,
    together: int,
    mask: np.uint64,
    cut: Words | None,
    other: Words | None,
    size: np.uint64,
    wins: bool | None,
    low: Words,
    upper: Words,
    lanes: int,
    sessions: Words,
    flags: Words,
) -> None:
    """A block of the first lanes, asking of every look-up whether a rule speaks up."""
    for half in (low, upper):
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
def spell(
    table: Words,
    column: Places,
    single: Places,
    together: int,
    mask: np.uint64,
    cut: Words | None,
    other: Words | None,
    size: np.uint64,
    wins: bool | None,
    hand_mask: np.uint64,
    hand_limit: np.uint64,
    session: np.uint64,
    dice: np.uint64,
    rolls: int,
) -> Any:  # noqa: ANN401
    """Up to half a block of rolls of one session: the session, the rolls taken, and whether a rule ended it."""
    base = _TRIPLES if together == 3 else _PAIRS
    done = 0
    while done < rolls:
        if hand_limit > hand_mask and together > 1 and done + together <= rolls:
            at, rest = entry(column, mask, None, None, session, dice, base)
            if np.int64(stops(table, at, size, wins, session)) >= 0:
                session += table[at]
                dice = rest
                done += together
                continue
        at, dice = entry(single, mask, cut, other, session, dice, _THROWS)
        ends = np.int64(stops(table, at, size, wins, session)) < 0
        session += table[at]
        done += 1
        if ends or (session & hand_mask) >= hand_limit:
            return session, done, True
    return session, done, False


@compiled
def look_again(
    table: Words,
    column: Places,
    together: int,
    mask: np.uint64,
    cut: Words | None,
    other: Words | None,
    size: np.uint64,
    wins: bool | None,
    low: Words,
    upper: Words,
    active: int,
    before: Words,
    flags: Words,
    again: Words,
    places: Counts,
) -> Any:  # noqa: ANN401
    """Ask every look-up of the lanes that came near a bound whether it ended them; how many they were, and a word."""
    again_low, again_upper = again[LANES : 2 * LANES], again[2 * LANES : 3 * LANES]
    again_flags = again[3 * LANES :]
    count = 0
    for group in range(0, active, 4):
        if (flags[group] | flags[group + 1] | flags[group + 2] | flags[group + 3]) >> _TOP_BIT:
            for lane in range(group, min(active, group + 4)):
                places[count] = lane
                count += int(flags[lane] >> _TOP_BIT)
    for place in range(count):
        lane = places[place]
        again[place], again_flags[place] = before[lane], _ZERO
        again_low[place], again_upper[place] = low[lane], upper[lane]
    watched_block(
        table, column, together, mask, cut, other, size, wins, again_low, again_upper, count, again, again_flags
    )
    word = _ZERO
    for place in range(count):
        flags[places[place]] = again_flags[place]
        word |= again_flags[place]
    return count, word


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
    once more, slowly enough to see where. Where most are near, all are asked for a while.
    """
    per_half = _ROLLS_PER_HALF if cut is None else 1
    blocks = np.uint64((rolls + 2 * per_half - 1) // (2 * per_half))
    low, upper = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    born, number, ends = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64), np.full(LANES, blocks)
    seat, places = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    now, before, between = np.full(LANES, start), np.full(LANES, start), np.full(LANES, start)
    flags, again = np.zeros(LANES, np.uint64), np.full(4 * LANES, start)
    waiting = min(LANES, len(sessions))
    active, crowded = waiting, 0
    for lane in range(active):
        seat[lane], number[lane] = lane, np.uint64(first_table + lane)
    tick, next_end = _ZERO, blocks
    while active > 0:
        if halt[0]:
            return False
        deal(tick, born, number, seed, low, upper)
        tick += _ONE
        before[:] = now
        # Lanes of the last four that have no session roll a dead one; nobody looks at it.
        word = _ZERO
        if crowded > 0:
            crowded -= 1
            flags[:] = _ZERO
            watched_block(table, column, together, mask, cut, other, size, wins, low, upper, active, now, flags)
            for lane in range(LANES):
                word |= flags[lane]
        else:
            half_block(table, column, together, mask, cut, other, low, LANES, now)
            between[:] = now
            half_block(table, column, together, mask, cut, other, upper, LANES, now)
            for lane in range(LANES):
                found = near(safe, shift, wins, before[lane], between[lane])
                found |= near(safe, shift, wins, between[lane], now[lane])
                flags[lane] = np.uint64(found)
                word |= flags[lane]
            if word >> _TOP_BIT:
                count, word = look_again(
                    table,
                    column,
                    together,
                    mask,
                    cut,
                    other,
                    size,
                    wins,
                    low,
                    upper,
                    active,
                    before,
                    flags,
                    again,
                    places,
                )
                crowded = _CROWDED if 2 * count > active else 0
        if hand_limit <= hand_mask:
            for lane in range(LANES):
                # Hands only grow, so that one look at the end is enough.
                flags[lane] |= hand_limit - _ONE - (now[lane] & hand_mask)
                word |= flags[lane]
        if not word >> _TOP_BIT and tick < next_end:
            continue
        # Backwards, so that the lane moved into a gap has been looked at already.
        for lane in range(active - 1, -1, -1):
            stops_here = flags[lane] >> _TOP_BIT
            if not stops_here and tick < ends[lane]:
                continue
            left = rolls - int(tick - _ONE - born[lane]) * 2 * per_half
            if stops_here or left < 2 * per_half:
                session, stopped = before[lane], False
                for dice in (low[lane], upper[lane]):
                    if not stopped:
                        few = min(left, per_half)
                        session, done, stopped = spell(
                            table,
                            column,
                            single,
                            together,
                            mask,
                            cut,
                            other,
                            size,
                            wins,
                            hand_mask,
                            hand_limit,
                            session,
                            dice,
                            few,
                        )
                        left -= done
                now[lane] = session
            else:
                left = 0
            sessions[seat[lane]], taken[seat[lane]] = now[lane], rolls - left
            if waiting < len(sessions):
                seat[lane], number[lane], born[lane], now[lane] = waiting, np.uint64(first_table + waiting), tick, start
                ends[lane] = tick + blocks
                waiting += 1
            else:
                active -= 1
                seat[lane], number[lane], born[lane] = seat[active], number[active], born[active]
                now[lane], ends[lane], now[active] = now[active], ends[active], start
        next_end = tick + blocks
        for lane in range(active):
            next_end = min(next_end, ends[lane])
    return True
