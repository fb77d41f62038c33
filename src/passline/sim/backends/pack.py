"""A machine packed into one table of 64-bit words: what the quick backends look up, made with NumPy alone.

**One addition a look-up.** A session is one 64-bit number, `net | action | hands | row`, where `row` is where the
state's row begins in the table. An entry holds what to add: the net and action of the throw, whether it was a
seven-out, and the *difference* of the two rows. So a throw is `session += table[(session & mask) + column]`: one load,
one addition, and net, action, hands and state have all moved. The widths are chosen so that no field can overflow.

**Several rolls a look-up.** The dice are base-36 digits of a fraction, so two rolls are one digit of base 1296 and
three one of base 46,656 of the same fraction. A row therefore holds a word for every pair (or triple) of columns, the
machine composed with itself, and behind them a word for every single column, for the rolls that are left over.

**Rules.** Where rules may end a session, a table of the same size follows that holds, for every entry, the least
session that no floor stops on these rolls and, where there is a stop at a win, one more with the least that it does.
So one comparison says of a whole look-up that nothing ended on it; where something did, the rolls are taken one by one.
Far from every bound not even that is asked. A strategy that is over stays where it is.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from passline.machine.machine import THROWS, Machine, felts_of
from passline.sim.backends import Played
from passline.sim.dice import ROLLS_PER_BLOCK, ROLLS_PER_HALF
from passline.sim.game import Ending, Game, net_max

# How many rolls free sessions may run before their fields are emptied; the longest that cannot overflow is used.
STRETCHES: Final = tuple(ROLLS_PER_BLOCK * n for n in (1 << 14, 1 << 10, 1 << 6, 1 << 3, 1))
WORD_BITS: Final = 64
NO_LIMIT: Final = np.uint64(1 << 62)  # more hands than any field counts
CACHE_BYTES: Final = 1 << 20  # the cache of a core where the system does not say
PLACES_MAX: Final = 1 << 16  # the most words of a row: a place in it is a 16-bit number
# Rolls that one look-up may take, the most first: whole numbers of them make the six rolls of 64 random bits.
TOGETHER: Final = (3, 2, 1)
FELTS_MAX: Final = 1 << 14  # felts that are packed; what leaves more standing is run out bet by bet
# Rolls of a run-out that are counted: bets that one throw in 36 decides last longer once in 10^12000 times.
RUN_OUT_ROLLS_MAX: Final = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """A machine as words to be added, and where the fields of a session are."""

    table: NDArray[np.uint64]
    together: int  # Rolls a look-up
    column: NDArray[np.uint16]  # for each digit of base 36 to the `together`, its place in a row
    single: NDArray[np.uint16]  # for each throw, the place in a row of the word that rolls it alone
    row_bits: int
    hand_bits: int
    action_bits: int
    coarse: int  # Minor units that one of the action field stands for
    width: int  # words in a row
    size: int  # words of all rows: so far behind an entry stands its floor, and twice as far the win that ends it

    @property
    def shift(self) -> int:
        return self.row_bits + self.hand_bits + self.action_bits

    @property
    def row_mask(self) -> np.uint64:
        """The bits that say where the state's row begins."""
        return np.uint64((1 << self.row_bits) - 1)

    @property
    def hand_mask(self) -> np.uint64:
        """The bits that count seven-outs."""
        return np.uint64(((1 << self.hand_bits) - 1) << self.row_bits)

    def words(self, rolls: Rolls) -> NDArray[np.int64]:
        """What some rolls add to a session, and where the row begins that they lead to."""
        words: NDArray[np.int64] = (rolls.net << self.shift) + (rolls.hands << self.row_bits) + rolls.after * self.width
        return words + (rolls.action // self.coarse << (self.row_bits + self.hand_bits))

    def nets(self, sessions: NDArray[np.uint64]) -> NDArray[np.int64]:
        return sessions.view(np.int64) >> np.int64(self.shift)

    def hands(self, sessions: NDArray[np.uint64]) -> NDArray[np.int64]:
        return ((sessions & self.hand_mask) >> np.uint64(self.row_bits)).astype(np.int64)

    def actions(self, sessions: NDArray[np.uint64]) -> NDArray[np.int64]:
        field = (sessions >> np.uint64(self.row_bits + self.hand_bits)) & np.uint64((1 << self.action_bits) - 1)
        return field.astype(np.int64) * self.coarse

    def states(self, sessions: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.rows(sessions).astype(np.int64) // self.width

    def rows(self, sessions: NDArray[np.uint64]) -> NDArray[np.uint64]:
        return sessions & self.row_mask


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """What the fields of a session must be able to hold."""

    hands: int
    action: int  # in minor units
    net: int  # above nothing or below it

    @classmethod
    def of(cls, machine: Machine, rolls: int) -> Room:
        return cls(rolls, rolls * int(machine.action.max()), rolls * net_max(machine))


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """The nets between which a session goes on, by the state it has come to."""

    floor: NDArray[np.int64]  # Shape (states,): below this it is over
    win: int | None  # from this on it is over
    beyond: int  # more than any session can win or lose


def pack(machine: Machine, room: Room, together: int, bounds: Bounds | None = None) -> Packed | None:
    """Pack a machine for sessions that stay within some room, or None where the fields do not fit in 64 bits."""
    columns, states = machine.columns, machine.states
    width = columns**together + (columns if together > 1 else 0)
    coarse = int(np.gcd.reduce(machine.action, axis=None)) or 1
    packed = Packed(
        table=np.zeros(0, dtype=np.uint64),
        together=together,
        column=digits(machine.column, columns, together).astype(np.uint16),
        single=(machine.column.astype(np.int64) + width - columns).astype(np.uint16),
        row_bits=max(1, (states * width - 1).bit_length()),
        hand_bits=room.hands.bit_length(),
        action_bits=(room.action // coarse).bit_length(),
        coarse=coarse,
        width=width,
        size=states * width,
    )
    # One bit for the sign, and one to spare, so that thresholds just outside what can be reached still fit.
    if packed.shift + room.net.bit_length() + 2 > WORD_BITS or width > PLACES_MAX:
        return None
    rolls = composed(machine, together, bounds)
    table = [packed.words(rolls) - (np.arange(states) * width)[:, None]]
    if bounds is not None:
        limits = [rolls.low] if bounds.win is None else [rolls.low, rolls.high]
        table += [np.clip(least, -bounds.beyond, bounds.beyond) << packed.shift for least in limits]
    return replace(packed, table=np.stack(table).view(np.uint64).ravel())


def composed(machine: Machine, together: int, bounds: Bounds | None = None) -> Rolls:
    """What each place of a row does: so many rolls together, then one alone."""
    once = Rolls.once(machine, bounds)
    rolls = once
    for _ in range(together - 1):
        rolls = rolls.then(once)
    if together == 1:
        return once
    both = {each.name: (getattr(rolls, each.name), getattr(once, each.name)) for each in fields(Rolls)}
    return Rolls(**{name: np.concatenate(places, axis=1) for name, places in both.items()})


@dataclass(frozen=True, slots=True, eq=False)
class Rolls:
    """What some rolls in a row do in each state, for every column, pair or triple of columns."""

    net: NDArray[np.int64]
    action: NDArray[np.int64]
    hands: NDArray[np.int64]
    after: NDArray[np.int64]
    low: NDArray[np.int64]  # the least net with which no floor ends a session on them
    high: NDArray[np.int64]  # the least net with which a win does

    @classmethod
    def once(cls, machine: Machine, bounds: Bounds | None) -> Rolls:
        net, action, hands = machine.net, machine.action, machine.hand_ends.astype(np.int64)
        after = machine.next.astype(np.int64)
        if bounds is None:
            none = np.zeros((1, 1), dtype=np.int64)
            return cls(net, action, hands, after, none, none)
        low = np.where(machine.ended[after], bounds.beyond, bounds.floor[after] - net)
        high = (bounds.beyond if bounds.win is None else bounds.win) - net
        on = ~machine.ended[:, None]
        stays = np.where(on, after, np.arange(machine.states)[:, None])
        return cls(net * on, action * on, hands * on, stays, low, high)

    def then(self, once: Rolls) -> Rolls:
        states, bounded = len(self.net), self.low.size > 1

        sums = {
            name: (getattr(self, name)[:, :, None] + getattr(once, name)[self.after]).reshape(states, -1)
            for name in ("net", "action", "hands")
        }
        low, high = self.low, self.high
        if bounded:
            later = self.net[:, :, None]
            low = np.maximum(low[:, :, None], once.low[self.after] - later).reshape(states, -1)
            high = np.minimum(high[:, :, None], once.high[self.after] - later).reshape(states, -1)
        return Rolls(**sums, after=once.after[self.after].reshape(states, -1), low=low, high=high)


def digits(column: NDArray[np.uint8], columns: int, together: int) -> NDArray[np.int64]:
    """The place of every digit: its throws, the first one first, are the digits of base 36 that it is made of."""
    places = count = column.astype(np.int64)
    for _ in range(together - 1):
        count = (count[:, None] * columns + places).ravel()
    return count


def in_one_look(machine: Machine, each: int = 1) -> int:
    """How many rolls a look-up takes, with so many words for each: as many as leave table and map in a core's cache."""
    room = cache_bytes()
    for together in TOGETHER[:-1]:
        mapped = 2 * THROWS**together
        # Triples pay while both stay well inside; pairs halve the work, which is worth some misses.
        if 8 * each * machine.states * machine.columns**together + mapped <= (room // 2 if together == 3 else 4 * room):
            return together
    return 1


def cache_bytes() -> int:
    try:
        return max(0, os.sysconf("SC_LEVEL2_CACHE_SIZE")) or CACHE_BYTES
    except (AttributeError, OSError, ValueError):  # not Linux
        return CACHE_BYTES


@dataclass(frozen=True, slots=True, eq=False)
class Packing:
    packed: Packed
    start: np.uint64
    # Rolls after which the fields are emptied; a multiple of a Philox block. A session that rules end has one.
    stretch: int
    hand_limit: np.uint64 = NO_LIMIT  # in the field of hands; above it: none
    # Means of the nets before and after half a block that are far from every bound, whatever it brings: from the first
    # on no floor can have ended the session on it, and up to the second no win. They stand where nets do in a session.
    # None where nothing but the rolls ends a session.
    safe: NDArray[np.int64] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Out:
    """What stands at the end, as a machine of felts: what the dice still do when no new bets are made."""

    packed: Packed
    # For each state of the game's machine the row of the felt that it leaves; 0: nothing stands.
    enter: NDArray[np.uint64]
    back: NDArray[np.int64]


def ready(game: Game, together: int | None = None) -> Packing | None:
    """The game packed as its rules ask for, or None where it cannot be; `together` unless told by the cache."""
    count = in_one_look(game.machine, 1 if game.free else 2) if together is None else together
    count = count if game.dice.fair else 1
    return _free(game, count) if game.free else _ruled(game, count)


def _free(game: Game, together: int) -> Packing | None:
    for stretch in STRETCHES:
        packed = pack(game.machine, Room.of(game.machine, stretch), together)
        if packed is not None:
            return Packing(packed, np.uint64(game.machine.start * packed.width), stretch)
    return None


def _ruled(game: Game, together: int) -> Packing | None:
    machine, limits = game.machine, game.limits
    beyond = limits.rolls * net_max(machine) + 1
    floor = np.full(machine.states, -beyond, dtype=np.int64)
    if limits.bank is not None:
        floor = np.maximum(floor, machine.need - min(limits.bank, int(machine.need.max()) + beyond))
    if limits.loss is not None:
        floor = np.maximum(floor, 1 - limits.loss if limits.loss < beyond else -beyond)
    bounds = Bounds(np.minimum(floor, beyond), None if limits.win is None else min(limits.win, beyond), beyond)
    room = Room.of(machine, limits.rolls)
    # Shorter rows leave more bits to a long session.
    tries = (pack(machine, room, each, bounds) for each in range(together, 0, -1))
    packed = next((each for each in tries if each is not None), None)
    if packed is None:
        return None
    # More hands than rolls can never be played; one more than the field holds can never be counted.
    limit = int(NO_LIMIT) if limits.hands is None else min(limits.hands, limits.rolls) << packed.row_bits
    enough, much = _far(machine, bounds, ROLLS_PER_HALF if game.dice.fair else 1)
    most = 1 << WORD_BITS - 2
    low, high = enough << packed.shift - 1, (much << packed.shift - 1) - 1
    safe = np.array([max(-most, min(each, most)) for each in (low, high)], dtype=np.int64)
    return Packing(packed, np.uint64(machine.start * packed.width), limits.rolls, np.uint64(limit), safe)


def _far(machine: Machine, bounds: Bounds, rolls: int) -> tuple[int, int]:
    """The nets of `Packing.safe`.

    After some of the rolls a session has what it had before and what they brought, or what it has in the end less what
    the others brought. So no floor was crossed there if it had enough before, or has enough in the end; one of both is
    so where the two together are enough.
    """
    once = Rolls.once(machine, bounds)
    floor = np.where(machine.ended, bounds.beyond, bounds.floor)
    low, high = [once.low.max(axis=1)], [once.high.min(axis=1)]
    gain, loss = [np.zeros_like(floor)], [np.zeros_like(floor)]
    for _ in range(rolls - 1):
        low.append((low[-1][once.after] - once.net).max(axis=1))
        high.append((high[-1][once.after] - once.net).min(axis=1))
        gain.append((gain[-1][once.after] + once.net).max(axis=1))
        loss.append((loss[-1][once.after] - once.net).max(axis=1))
    win = bounds.beyond if bounds.win is None else bounds.win
    enough = [int(before.max()) + int((floor + after).max()) for before, after in zip(low, gain[::-1], strict=True)]
    little = [int(before.min()) + win - int(after.max()) for before, after in zip(high, loss[::-1], strict=True)]
    return max(enough), min(little)


def ready_out(game: Game, together: int | None = None) -> Out | None:
    """What stands at the end, packed; None where nothing ever does, or where it is too much to be packed."""
    stands = game.machine.standing
    if stands is None or not game.limits.run_out:
        return None
    felts = felts_of(stands, FELTS_MAX)
    if felts is None:
        return None
    bets = int(np.diff(stands.first).max())
    room = Room(RUN_OUT_ROLLS_MAX, 64 * bets * int(stands.action.max()), 64 * bets * int(np.abs(stands.net).max()))
    packed = pack(felts.machine, room, (together or in_one_look(felts.machine)) if game.dice.fair else 1)
    if packed is None:
        return None
    return Out(packed, (felts.enter * packed.width).astype(np.uint64), stands.back)


def ended(packing: Packing, game: Game, sessions: NDArray[np.uint64], played: Played) -> NDArray[np.int64]:
    """Write down how packed sessions came out, and why; their last states."""
    packed, limits, machine = packing.packed, game.limits, game.machine
    played.net[:], played.hands[:] = packed.nets(sessions), packed.hands(sessions)
    played.action[:] = packed.actions(sessions)
    # In the reverse of the order in which the rules are looked at, so that the first to hold has the last word.
    played.ending[:] = np.where(played.rolls == limits.rolls, Ending.ROLLS, Ending.RUIN)
    states = packed.states(sessions)
    if machine.over is not None:
        played.ending[machine.over[states]] = Ending.WHEN
    if limits.hands is not None:
        played.ending[played.hands >= limits.hands] = Ending.HANDS
    if limits.loss is not None:
        played.ending[played.net <= -limits.loss] = Ending.STOP_LOSS
    if limits.win is not None:
        played.ending[played.net >= limits.win] = Ending.STOP_WIN
    return states
