"""The Numba backend: packs a machine into one table of 64-bit words and hands it to the compiled kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from passline.errors import Halted
from passline.machine.machine import THROWS, Machine
from passline.sim.backends import kernels
from passline.sim.backends.contract import Played, Watched
from passline.sim.dice import ROLLS_PER_BLOCK
from passline.sim.game import Ending, Game, net_max

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROLLS_PER_BATCH: Final = 1 << 24
"""About how many rolls to do between two words with the caller: some hundredths of a second."""
BATCH_MAX: Final = 1 << 14
"""The most sessions in a batch: larger arrays would come fresh from the system each time, a page fault at a time."""
DIRECT_BYTES_MAX: Final = 1 << 18
"""A table up to this size gets a column for every throw, which saves a load; a larger one keeps the machine's columns,
because there the cache is what counts."""
STRETCHES: Final = tuple(ROLLS_PER_BLOCK * n for n in (1 << 14, 1 << 10, 1 << 6, 1 << 3, 1))
"""How many rolls free sessions may run before their fields are emptied; the longest that cannot overflow is used."""
WORD_BITS: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """A machine as words to be added, and where the fields of a session are."""

    table: NDArray[np.uint64]
    column: NDArray[np.uint8] | None
    """The column of each throw, or None where every throw has its own."""
    row_bits: int
    hand_bits: int
    action_bits: int
    coarse: int
    """Grains that one of the action field stands for."""
    width: int
    """Words in a row; a ruled table has one more than columns, which holds the floor."""

    @property
    def shift(self) -> int:
        """How far up the net stands."""
        return self.row_bits + self.hand_bits + self.action_bits

    @property
    def row_mask(self) -> np.uint64:
        """The bits that say where the state's row begins."""
        return np.uint64((1 << self.row_bits) - 1)

    @property
    def hand_mask(self) -> np.uint64:
        """The bits that count seven-outs."""
        return np.uint64(((1 << self.hand_bits) - 1) << self.row_bits)

    def nets(self, sessions: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The nets of packed sessions."""
        return sessions.view(np.int64) >> np.int64(self.shift)

    def hands(self, sessions: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The seven-outs of packed sessions."""
        return ((sessions & self.hand_mask) >> np.uint64(self.row_bits)).astype(np.int64)

    def actions(self, sessions: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The action of packed sessions, in grains."""
        field = (sessions >> np.uint64(self.row_bits + self.hand_bits)) & np.uint64((1 << self.action_bits) - 1)
        return field.astype(np.int64) * self.coarse

    def states(self, sessions: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The numbers of the states of packed sessions."""
        return self.rows(sessions).astype(np.int64) // self.width

    def rows(self, sessions: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The states of packed sessions, with nothing else."""
        return sessions & self.row_mask


def pack(machine: Machine, rolls: int, *, ruled: bool) -> Packed | None:
    """Pack a machine for sessions of so many rolls, or None where the fields do not fit in 64 bits."""
    direct = machine.states * (THROWS + ruled) * 8 <= DIRECT_BYTES_MAX
    columns = THROWS if direct else machine.columns
    take = machine.column.astype(np.intp) if direct else np.arange(columns)
    width = columns + ruled
    row_bits = max(1, (machine.states * width - 1).bit_length())
    hand_bits = rolls.bit_length()
    coarse = int(np.gcd.reduce(machine.action, axis=None)) or 1
    action_bits = (rolls * (int(machine.action.max()) // coarse)).bit_length()
    shift = row_bits + hand_bits + action_bits
    # One bit for the sign, and one to spare, so that thresholds just outside what can be reached still fit.
    if shift + (rolls * net_max(machine)).bit_length() + 2 > WORD_BITS:
        return None
    rows = np.arange(machine.states, dtype=np.int64)[:, None] * width
    table = np.zeros((machine.states, width), dtype=np.int64)
    table[:, :columns] = (
        (machine.net[:, take] << shift)
        + (machine.action[:, take] // coarse << (row_bits + hand_bits))
        + (machine.hand_ends[:, take].astype(np.int64) << row_bits)
        + (machine.next[:, take].astype(np.int64) * width - rows)
    )
    return Packed(
        table=table.view(np.uint64).ravel(),
        column=None if direct else np.ascontiguousarray(machine.column, dtype=np.uint8),
        row_bits=row_bits,
        hand_bits=hand_bits,
        action_bits=action_bits,
        coarse=coarse,
        width=width,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Free:
    """A game without rules, ready to roll."""

    packed: Packed
    stretch: int
    """Rolls between two emptyings; a multiple of a Philox block."""
    start: np.uint64


@dataclass(frozen=True, slots=True, eq=False)
class Ruled:
    """A game with rules, ready to roll."""

    packed: Packed
    floor: np.uint64
    win: np.int64
    hand_limit: np.uint64 | None
    start: np.uint64


def ready(game: Game) -> Free | Ruled | None:
    """The game packed as its rules ask for, or None where it cannot be."""
    return _free(game) if game.free else _ruled(game)


def _free(game: Game) -> Free | None:
    for stretch in STRETCHES:
        packed = pack(game.machine, stretch, ruled=False)
        if packed is not None:
            return Free(packed, stretch, np.uint64(game.machine.start * packed.width))
    return None


def _ruled(game: Game) -> Ruled | None:
    machine, limits = game.machine, game.limits
    packed = pack(machine, limits.rolls, ruled=True)
    if packed is None:
        return None
    beyond = limits.rolls * net_max(machine) + 1
    floor = np.full(machine.states, -beyond, dtype=np.int64)
    if limits.bank is not None:
        floor = np.maximum(floor, machine.need - min(limits.bank, int(machine.need.max()) + beyond))
    if limits.loss is not None:
        floor = np.maximum(floor, 1 - limits.loss if limits.loss < beyond else -beyond)
    floor = np.minimum(floor, beyond)
    if machine.over is not None:
        floor[machine.over] = beyond  # more than any session can have won, so that it ends there
    words = packed.table.view(np.int64).reshape(machine.states, packed.width)
    words[:, -1] = floor << packed.shift
    win = beyond if limits.win is None else min(limits.win, beyond)
    limit = None
    if limits.hands is not None:
        # More hands than rolls can never be played; one more than the field holds can never be counted.
        limit = np.uint64(min(limits.hands, limits.rolls) << packed.row_bits)
    return Ruled(
        packed=packed,
        floor=np.uint64(packed.width - 1),
        win=np.int64(win << packed.shift),
        hand_limit=limit,
        start=np.uint64(machine.start * packed.width),
    )


class NumbaBackend:
    """Rolls packed machines at about the speed of the processor's cache."""

    name = "numba"
    parallel = True

    def __init__(self) -> None:
        """Hold nothing yet; `warm` packs the game."""
        self._game: Game | None = None
        self._ready: Free | Ruled | None = None

    def batch(self, game: Game) -> int:
        """As many sessions as take some hundredths of a second, in whole groups of lanes."""
        groups = ROLLS_PER_BATCH // (game.limits.rolls * kernels.LANES)
        return min(BATCH_MAX, max(1, groups) * kernels.LANES)

    def warm(self, game: Game) -> None:
        """Pack the game and compile its kernels (or fetch them from disk) by rolling no sessions at all."""
        self._ready, self._game = ready(game), game
        halt = np.zeros(1, dtype=np.uint8)
        self.play(game, 0, 0, halt)
        self.watch(game, 0, 0, halt)

    def play(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Played:
        """Roll these sessions as fast as can be."""
        if game is not self._game:
            self._ready, self._game = ready(game), game
        match self._ready:
            case Free() as free:
                return _play_free(free, game, first, count, halt)
            case Ruled() as ruled:
                return _play_ruled(ruled, game, first, count, halt)
            case None:
                return self.watch(game, first, count, halt).played

    def watch(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Watched:
        """Roll these sessions and look at every roll."""
        machine, limits, checkpoints = game.machine, game.limits, game.checkpoints
        played = Played.nothing(count)
        state, drawdown, winning, losing = np.zeros((4, count), dtype=np.int64)
        path = np.zeros((count, len(checkpoints)), dtype=np.int64)
        finished = kernels.roll_watched(
            np.ascontiguousarray(machine.column, dtype=np.uint8),
            np.ascontiguousarray(machine.next, dtype=np.int32),
            np.ascontiguousarray(machine.net, dtype=np.int64),
            np.ascontiguousarray(machine.action, dtype=np.int64),
            np.ascontiguousarray(machine.hand_ends, dtype=np.bool_),
            np.ascontiguousarray(machine.need, dtype=np.int64),
            machine.over,
            machine.start,
            _number(limits.bank),
            _number(limits.win),
            _number(limits.loss),
            _number(limits.hands),
            np.uint64(game.seed),
            first,
            limits.rolls,
            checkpoints,
            played.net,
            played.rolls,
            played.hands,
            played.ending,
            played.action,
            state,
            drawdown,
            winning,
            losing,
            path,
            halt,
        )
        if not finished:
            raise Halted
        _run_out(game, first, state, played, halt)
        return Watched(played, drawdown, winning, losing, path)


def _play_free(free: Free, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Played:
    """Roll in stretches, and empty the fields of the sessions between them."""
    packed, rolls = free.packed, game.limits.rolls
    whole = -(-count // kernels.LANES) * kernels.LANES
    sessions = np.full(whole, free.start, dtype=np.uint64)
    played = Played.nothing(count)
    for done in range(0, rolls, free.stretch):
        finished = kernels.roll_free(
            packed.table,
            packed.column,
            packed.row_mask,
            np.uint64(game.seed),
            first,
            done // ROLLS_PER_BLOCK,
            min(free.stretch, rolls - done),
            sessions,
            halt,
        )
        if not finished:
            raise Halted
        played.net[:] += packed.nets(sessions)[:count]
        played.hands[:] += packed.hands(sessions)[:count]
        played.action[:] += packed.actions(sessions)[:count]
        sessions = packed.rows(sessions)
    played.rolls[:] = rolls
    _run_out(game, first, packed.states(sessions)[:count], played, halt)
    return played


def _play_ruled(ruled: Ruled, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Played:
    """Roll, and tell afterwards from each session's last state why it ended."""
    packed, limits, machine = ruled.packed, game.limits, game.machine
    played = Played.nothing(count)
    if limits.bank is not None and limits.bank < int(machine.need[machine.start]):
        played.ending[:] = Ending.RUIN
        _run_out(game, first, np.full(count, machine.start, dtype=np.int64), played, halt)
        return played
    sessions = np.empty(count, dtype=np.uint64)
    finished = kernels.roll_ruled(
        packed.table,
        packed.column,
        packed.row_mask,
        ruled.floor,
        ruled.win,
        packed.hand_mask,
        ruled.hand_limit,
        np.uint64(game.seed),
        first,
        limits.rolls,
        ruled.start,
        sessions,
        played.rolls,
        halt,
    )
    if not finished:
        raise Halted
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
    _run_out(game, first, states, played, halt)
    return played


def _run_out(game: Game, first: int, state: NDArray[np.int64], played: Played, halt: NDArray[np.uint8]) -> None:
    """Roll on, from the state that each session ended in, for what stands there."""
    stands = game.machine.standing
    if stands is None or not game.limits.run_out:
        return
    finished = kernels.run_out(
        stands.first,
        stands.bets,
        stands.back,
        stands.next,
        stands.net,
        stands.action,
        np.uint64(game.seed),
        first,
        np.ascontiguousarray(state),
        played.rolls,
        played.net,
        played.action,
        played.run_out,
        halt,
    )
    if not finished:
        raise Halted


def _number(limit: int | None) -> np.int64 | None:
    """A limit as the kernel takes it: absent ones are compiled away."""
    return None if limit is None else np.int64(limit)
