"""The compiled kernel: free functions over integer arrays that know no wager by name.

Importing this module imports Numba, so only `vector.py` does it, and only when asked to roll. `pack.py` says what the
words of a table mean. An argument that may be None is compiled away where it is, so that sessions that nothing ends
early, fair dice and a player without a goal cost what they would in a kernel of their own; each doubles the compiling.

Dice are dealt to many sessions at once, a lane each. Everything is `uint64`: mixing signed and unsigned 64-bit integers
makes Numba compute in floating point, `uint32` widens by itself, and unsigned indices need no test for being negative.
"""

# A kernel takes arrays, not objects, and is one loop: many arguments and branches are its nature.
# ruff: noqa: ANN401, C901, FBT001, PLR0913, PLR0915, PLR0917
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

F = TypeVar("F", bound="Callable[..., Any]")

Words = NDArray[np.uint64]
Counts = NDArray[np.int64]
Places = NDArray[np.uint16]

_ROLLS_PER_HALF = 6
_THROWS, _PAIRS, _TRIPLES = np.uint64(36), np.uint64(36**2), np.uint64(36**3)
_ZERO, _ONE, _TOP_BIT, _HALVED = np.uint64(0), np.uint64(1), np.uint64(63), np.int64(1)
_SPAN = 5  # the most blocks that are rolled before anybody is asked how they came out
_CROWDED = 16  # Blocks for which every session is watched after most of them had to be

LANES = 32  # Sessions whose dice are dealt together: long enough to fill vector registers, short enough to stay in L1

_WORD = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)


def compiled(function: F) -> F:
    """Compile without the interpreter's lock, and keep the machine code on disk."""
    return cast("F", njit(nogil=True, cache=True)(function))


def inlined(function: F) -> F:
    """Compile as part of its callers, before LLVM sees it: loops over a call are not turned into vector code."""
    return cast("F", njit(nogil=True, cache=True, inline="always")(function))


def _digit(typing_context: Any, fraction: Any, base: Any) -> Any:  # noqa: ARG001 - Numba's own types
    """Take one digit of a base off a fraction of 2^64: the digit, and the fraction left for the next.

    The high word of a product has no name in NumPy and is one instruction on every processor; the low word is better
    multiplied again, by a constant, than waited for.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        upper = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word)
        return context.make_tuple(builder, signature.return_type, (upper, builder.mul(*args)))

    two: Any = types.UniTuple
    return two(types.uint64, 2)(types.uint64, types.uint64), generate


digit: Callable[[np.uint64, np.uint64], tuple[np.uint64, np.uint64]] = cast("Any", intrinsic(_digit))


def _highest(typing_context: Any, word: Any) -> Any:  # noqa: ARG001 - Numba's own types
    """The number of the highest bit that is set; some must be."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        above = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), above)

    return types.int64(types.uint64), generate


highest: Callable[[np.uint64], int] = cast("Any", intrinsic(_highest))


def _marked(typing_context: Any, words: Any) -> Any:  # noqa: ARG001 - Numba's own types
    """A bit for every lane whose word has its top bit set: processors gather those at once, if told so."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        lanes, data = ir.VectorType(ir.IntType(64), LANES), context.make_array(signature.args[0])
        place = builder.bitcast(data(context, builder, args[0]).data, lanes.as_pointer())
        below = builder.icmp_signed("<", builder.load(place, align=8), ir.Constant(lanes, [0] * LANES))
        return builder.zext(builder.bitcast(below, ir.IntType(LANES)), ir.IntType(64))

    return types.uint64(words), generate


marked: Callable[[NDArray[np.uint64]], np.uint64] = cast("Any", intrinsic(_marked))


@inlined
def ahead(table: np.uint64, seed: np.uint64) -> Any:
    """What the first two rounds make of a table's number: it does not ask for the block."""
    p1 = (table & _WORD) * _M1
    return p1, (((p1 >> _HALF) ^ seed) & _WORD) * _M0


@inlined
def deal_ahead(
    tick: np.uint64, born: Words, table: Words, second: Words, fourth: Words, seed: np.uint64, low: Words,
    upper: Words,
) -> None:  # fmt: skip
    """Deal to each lane the Philox block it has come to since it was born; blocks fit in 32 bits.

    `ahead` has seen the tables' numbers. There are no branches, so that the loop becomes vector code.
    """
    k0, k1 = seed & _WORD, seed >> _HALF
    l0, l1 = (k0 + _W0) & _WORD, (k1 + _W1) & _WORD
    for lane in range(LANES):
        p0 = (tick - born[lane]) * _M0
        p1 = (((p0 >> _HALF) ^ (table[lane] >> _HALF) ^ k1) & _WORD) * _M1
        x0, x1 = (p1 >> _HALF) ^ second[lane] ^ l0, p1
        x2, x3 = (fourth[lane] >> _HALF) ^ p0 ^ l1, fourth[lane]
        low[lane], upper[lane] = last_rounds(x0, x1, x2, x3, l0, l1)


@inlined
def last_rounds(x0: np.uint64, x1: np.uint64, x2: np.uint64, x3: np.uint64, k0: np.uint64, k1: np.uint64) -> Any:
    """The eight rounds after two, and the two halves that come of them."""
    for _ in range(8):
        # What overflows above bit 32 may stay: only the multiplications must drop it, and theirs do so for free.
        k0, k1 = (k0 + _W0) & _WORD, (k1 + _W1) & _WORD
        p0, p1 = (x0 & _WORD) * _M0, (x2 & _WORD) * _M1
        x0, x1, x2, x3 = (p1 >> _HALF) ^ x1 ^ k0, p1, (p0 >> _HALF) ^ x3 ^ k1, p0
    return (x0 & _WORD) | (x1 << _HALF), (x2 & _WORD) | (x3 << _HALF)


@inlined
def deal_alike(
    block: np.uint64, table: np.uint64, second: Words, fourth: Words, seed: np.uint64, low: Words, upper: Words
) -> None:
    """As `deal_ahead`, the same block to all lanes, whose numbers have the high word of this table's.

    What the first two rounds make of the block is the same for every lane, so they cost next to nothing.
    """
    k0, k1 = seed & _WORD, seed >> _HALF
    p0 = block * _M0
    p1 = (((p0 >> _HALF) ^ (table >> _HALF) ^ k1) & _WORD) * _M1
    k0, k1 = (k0 + _W0) & _WORD, (k1 + _W1) & _WORD
    all0, all2 = (p1 >> _HALF) ^ k0, p0 ^ k1
    for lane in range(LANES):
        x0, x2 = all0 ^ second[lane], all2 ^ (fourth[lane] >> _HALF)
        low[lane], upper[lane] = last_rounds(x0, p1, x2, fourth[lane], k0, k1)


@inlined
def entry(
    column: Places, mask: np.uint64, cut: Words | None, other: Words | None, session: np.uint64, dice: np.uint64,
    base: np.uint64,
) -> Any:  # fmt: skip
    """Where the session's next entry is, by the next digit of that base, and the dice left for the one after it.

    Of dice that are not fair the digit is a box, and the rest a place in it: below its cut lies its own throw.
    """
    box, rest = digit(dice, base)
    place = np.uint64(column[box])
    if cut is not None and other is not None:
        spare = np.uint64(column[other[box]])  # fetched anyway: which one it is cannot be foreseen
        place = spare if rest >= cut[box] else place
    return (session & mask) + place, rest


@inlined
def stops(table: Words, at: np.uint64, size: np.uint64, wins: bool | None, session: np.uint64) -> Any:
    """A word whose top bit says that a rule ends the session on the rolls of this entry.

    It takes no branch, so it never mispredicts one. Net stands above everything else in a session, so packed sessions
    compare as their nets do.
    """
    word = session - table[at + size]
    if wins is not None:
        word |= table[at + size + size] - _ONE - session
    return word


@inlined
def mark_near(safe: Counts, net_mask: np.int64, wins: bool | None, first: Words, last: Words, flags: Words) -> Any:
    """Mark the sessions that a rule may have ended on half a block, by what they were before and after it.

    `safe` says from which mean of both nets no roll of it can, and up to which. A number below nothing where any is
    marked.
    """
    word = np.int64(0)
    for each in range(LANES):
        mean = (np.int64(first[each]) >> _HALVED) + ((np.int64(last[each]) & net_mask) >> _HALVED)
        near = mean - safe[0]
        if wins is not None:
            near |= safe[1] - mean
        flags[each] = np.uint64(near)
        word |= near
    return word


@inlined
def in_step(
    table: Words, column: Places, mask: np.uint64, cut: Words | None, other: Words | None, size: np.uint64,
    wins: bool | None, half: Words, lane: int, looks: int, base: np.uint64, before: Words, after: Words,
    flags: Words | None,
) -> None:  # fmt: skip
    """Roll four sessions in step: each waits for its own loads, so one alone would leave the core idle.

    With `flags` it is noted there whether a rule spoke up on any of the rolls.
    """
    z0, z1, z2, z3 = half[lane], half[lane + 1], half[lane + 2], half[lane + 3]
    a0, a1, a2, a3 = before[lane], before[lane + 1], before[lane + 2], before[lane + 3]
    f0 = f1 = f2 = f3 = _ZERO
    for _ in range(looks):
        at, z0 = entry(column, mask, cut, other, a0, z0, base)
        if flags is not None:
            f0 |= stops(table, at, size, wins, a0)
        a0 += table[at]
        at, z1 = entry(column, mask, cut, other, a1, z1, base)
        if flags is not None:
            f1 |= stops(table, at, size, wins, a1)
        a1 += table[at]
        at, z2 = entry(column, mask, cut, other, a2, z2, base)
        if flags is not None:
            f2 |= stops(table, at, size, wins, a2)
        a2 += table[at]
        at, z3 = entry(column, mask, cut, other, a3, z3, base)
        if flags is not None:
            f3 |= stops(table, at, size, wins, a3)
        a3 += table[at]
    after[lane], after[lane + 1], after[lane + 2], after[lane + 3] = a0, a1, a2, a3
    if flags is not None:
        flags[lane], flags[lane + 1], flags[lane + 2], flags[lane + 3] = f0, f1, f2, f3


@compiled
def half_block(
    table: Words, column: Places, together: int, mask: np.uint64, cut: Words | None, other: Words | None,
    size: np.uint64, wins: bool | None, half: Words, lanes: int, before: Words, after: Words, flags: Words | None,
) -> None:  # fmt: skip
    """The rolls of half a block for every lane, from where it was to where it comes.

    Look-ups are numbered outright so that loops over them are unrolled. It is called, not inlined: in each of its four
    places it took twice as long to compile, and rolled no sooner.
    """
    if cut is not None:
        for lane in range(0, lanes, 4):
            in_step(table, column, mask, cut, other, size, wins, half, lane, 1, _THROWS, before, after, flags)
    elif together == 3:
        for lane in range(0, lanes, 4):
            in_step(table, column, mask, None, None, size, wins, half, lane, 2, _TRIPLES, before, after, flags)
    elif together == 2:
        for lane in range(0, lanes, 4):
            in_step(table, column, mask, None, None, size, wins, half, lane, 3, _PAIRS, before, after, flags)
    else:
        for lane in range(0, lanes, 4):
            in_step(table, column, mask, None, None, size, wins, half, lane, 6, _THROWS, before, after, flags)


@inlined
def note_stops(flags: Words, halves: int, live: np.uint64, stop: Counts) -> Any:
    """Write down the first marked half of every session that has one; a bit for each of them."""
    over = _ZERO
    for half in range(halves):
        left = marked(flags[half]) & live
        over |= left
        while left:
            lane = highest(left)
            left ^= _ONE << np.uint64(lane)
            stop[lane] = min(stop[lane], half)
    return over


@compiled
def finish(
    table: Words, single: Places, mask: np.uint64, cut: Words | None, other: Words | None, size: np.uint64,
    safe: Counts | None, wins: bool | None, hand_mask: np.uint64, hand_limit: np.uint64, rolls: int, last: Words,
    count: int, sessions: Words, taken: Counts,
) -> None:  # fmt: skip
    """Roll the last half block of some sessions once more, one roll a look-up, and write down where each of them ended.

    Nobody can foresee the roll on which it does, so no branch asks: from there on it adds nothing.
    """
    most = _ROLLS_PER_HALF if cut is None else 1
    if safe is None and count > 0:
        most = min(most, int(np.int64(last[2, 0])))  # all have the same number of rolls left
    for _ in range(most):
        for place in range(count):
            session, goes = last[0, place], last[4, place]
            at, last[1, place] = entry(single, mask, cut, other, session, last[1, place], _THROWS)
            word = _ZERO
            if safe is not None:
                word = stops(table, at, size, wins, session)
            session += table[at] & goes
            left = last[2, place] + goes
            word |= (hand_limit - _ONE - (session & hand_mask)) | (left - _ONE)
            last[0, place], last[2, place], last[4, place] = session, left, goes & ((word >> _TOP_BIT) - _ONE)
    for place in range(count):
        seat = np.int64(last[3, place])
        sessions[seat], taken[seat] = last[0, place], rolls - np.int64(last[2, place])


@compiled
def roll(
    table: Words, column: Places, single: Places, together: int, mask: np.uint64, cut: Words | None,
    other: Words | None, size: np.uint64, safe: Counts | None, net_mask: np.int64, wins: bool | None,
    hand_mask: np.uint64, hand_limit: np.uint64, seed: np.uint64, first_table: int, first_block: int, rolls: int,
    sessions: Words, taken: Counts, halt: NDArray[np.uint8],
) -> bool:  # fmt: skip
    """Roll sessions, `rolls` times at most from a block on; a lane whose session has ended takes the next one.

    Without `safe` nothing but the rolls ends a session: then all lanes are in step, and their tables' numbers have one
    high word. No hands end one where the limit is above the field that counts them.
    Lanes are rolled a few blocks ahead in step, half a block at a time. Far from every bound nothing can have ended a
    session, so that at first only those halves are noted that came near one; they are rolled again together, asking of
    every look-up; and where a rule did speak up, once more, with many others, to see where. What a session rolled after
    its end is forgotten. Where most are near, all are asked for a while, block by block.
    """
    per_half = np.uint64(_ROLLS_PER_HALF if cut is None else 1)
    halves = (np.uint64(rolls) + per_half - _ONE) // per_half
    blocks, whole = (halves + _ONE) // np.uint64(2), halves * per_half == np.uint64(rolls)
    dice, flags = np.zeros((2 * _SPAN, LANES), np.uint64), np.zeros((2 * _SPAN, LANES), np.uint64)
    track = np.zeros((2 * _SPAN + 1, LANES), np.uint64)
    all_track, all_dice = track.reshape(-1), dice.reshape(-1)
    born, number, ends = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64), np.full(LANES, blocks)
    before = np.uint64(first_block)
    second, fourth = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    seat, stop = np.zeros(LANES, np.int64), np.full(LANES, 2 * _SPAN)
    places, spoke_up = np.zeros(2 * _SPAN * LANES, np.int64), np.zeros(2 * _SPAN * LANES, np.uint64)
    again, again_dice = np.zeros(2 * _SPAN * LANES, np.uint64), np.zeros(2 * _SPAN * LANES, np.uint64)
    last, count = np.empty((5, 2 * LANES), np.uint64), 0
    waiting = min(LANES, len(sessions))
    active, crowded, tick = waiting, 0, _ZERO
    # Equal parts of a session, so that the last one rolls little in vain.
    parts = (int(blocks) + _SPAN - 1) // _SPAN
    most, span = (int(blocks) + parts - 1) // parts, min(_SPAN, int(np.int64(blocks))) if safe is None else 1
    for lane in range(active):
        seat[lane], number[lane], born[lane] = lane, np.uint64(first_table + lane), _ZERO - before
        track[0, lane] = sessions[lane]
        second[lane], fourth[lane] = ahead(number[lane], seed)
    while active > 0:
        if halt[0]:
            return False
        # Lanes that have no session roll a dead one; nobody looks at it.
        live, over = ~_ZERO >> np.uint64(64 - active), _ZERO
        careful = crowded > 0
        if safe is not None and careful:
            crowded -= 1
            deal_ahead(tick, born, number, second, fourth, seed, dice[0], dice[1])
            for half in range(2):
                to, spoke = track[half + 1], flags[half]
                half_block(
                    table, column, together, mask, cut, other, size, wins, dice[half], LANES, track[half], to, spoke
                )
            over = note_stops(flags, 2, live, stop)
        else:
            for block in range(span):
                now, low, upper = tick + np.uint64(block), dice[2 * block], dice[2 * block + 1]
                if safe is None:
                    deal_alike(now - born[0], number[0], second, fourth, seed, low, upper)
                else:
                    deal_ahead(now, born, number, second, fourth, seed, low, upper)
            for half in range(2 * span):
                was, to = track[half], track[half + 1]
                half_block(table, column, together, mask, cut, other, size, wins, dice[half], LANES, was, to, None)
        if safe is not None and not careful:
            word = np.int64(0)
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
                        places[close] = place
                        again[close], again_dice[close] = all_track[place], all_dice[place]
                        close += 1
                half_block(
                    table, column, together, mask, cut, other, size, wins, again_dice, close, again, again, spoke_up
                )
                for place in range(close):
                    if spoke_up[place] >> _TOP_BIT:
                        lane = places[place] % LANES
                        over |= _ONE << np.uint64(lane)
                        stop[lane] = min(stop[lane], places[place] // LANES)
                crowded = _CROWDED if close > active * span else 0
        if safe is not None and hand_limit <= hand_mask:
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
            done = np.uint64(2) * (tick - born[lane] - before)
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
                seat[lane], number[lane], born[lane] = waiting, np.uint64(first_table + waiting), later - before
                second[lane], fourth[lane] = ahead(number[lane], seed)
                ends[lane], track[final, lane] = later + blocks, sessions[waiting]
                waiting += 1
            else:
                active -= 1
                seat[lane], number[lane], born[lane] = seat[active], number[active], born[active]
                second[lane], fourth[lane] = second[active], fourth[active]
                ends[lane], track[final, lane], track[final, active] = ends[active], track[final, active], _ZERO
        tick, span = later, 1 if careful or crowded > 0 else most
        if safe is None:  # none rolls in vain
            span = min(_SPAN, int(np.int64(ends[0] - tick)))
        for lane in range(LANES):
            track[0, lane] = track[final, lane]
        if count > LANES or active == 0:
            finish(
                table, single, mask, cut, other, size, safe, wins, hand_mask, hand_limit, rolls, last, count,
                sessions, taken,
            )  # fmt: skip
            count = 0
    return True


@compiled
def run_out(
    table: Words, column: Places, single: Places, together: int, mask: np.uint64, cut: Words | None,
    other: Words | None, seed: np.uint64, first_table: int, rolls: Counts, sessions: Words, halt: NDArray[np.uint8],
) -> bool:  # fmt: skip
    """Roll felts on from where each session's play ended, until nothing stands: row 0, which stays where it is.

    Those that stand go first to the end of the block that the play ended in; then those that still do share the lanes,
    and a lane whose felt is empty takes the next.
    """
    per_half = _ROLLS_PER_HALF if cut is None else 1
    low, upper = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    born, number = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    second, fourth = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
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
            second[lane], fourth[lane] = ahead(number[lane], seed)
        deal_ahead(_ZERO, born, number, second, fourth, seed, low, upper)
        for lane in range(lanes):
            who = up[group + lane]
            session, place = sessions[who], rolls[who] % (2 * per_half)
            for later in range(place // per_half, 2):
                dice, dealt = upper[lane] if later else low[lane], max(0, place - later * per_half)
                for _ in range(dealt):
                    dice *= _THROWS
                for _ in range(per_half - dealt):
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
        second[lane], fourth[lane] = ahead(number[lane], seed)
        born[lane] = _ZERO - np.uint64(rolls[up[lane]] // (2 * per_half) + 1)
    while active > 0:
        if halt[0]:
            return False
        deal_ahead(tick, born, number, second, fourth, seed, low, upper)
        tick += _ONE
        for half in (low, upper):
            half_block(table, column, together, mask, cut, other, _ZERO, None, half, active, here, here, None)
        for lane in range(active - 1, -1, -1):
            if (here[lane] & mask) != _ZERO:
                continue
            sessions[seat[lane]] = here[lane]
            if waiting < standing:
                who = up[waiting]
                waiting += 1
                seat[lane], here[lane], number[lane] = who, sessions[who], np.uint64(first_table + who)
                second[lane], fourth[lane] = ahead(number[lane], seed)
                born[lane] = tick - np.uint64(rolls[who] // (2 * per_half) + 1)
            else:
                active -= 1
                seat[lane], here[lane] = seat[active], here[active]
                number[lane], born[lane] = number[active], born[active]
                second[lane], fourth[lane] = second[active], fourth[active]
    return True
