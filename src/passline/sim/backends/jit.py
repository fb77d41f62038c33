"""The Numba backend: hands packed machines to the compiled kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from passline.errors import Halted
from passline.sim.backends import kernels, ruled
from passline.sim.backends.contract import Part, Played, Watched
from passline.sim.backends.lanes import LANES
from passline.sim.backends.pack import Free, Out, Ruled, ended, ready, ready_out
from passline.sim.backends.vector import run_out
from passline.sim.dice import ROLLS_PER_BLOCK
from passline.sim.game import Ending, Game

ROLLS_PER_BATCH: Final = 1 << 24
"""About how many rolls to do between two words with the caller: some hundredths of a second."""
BATCH_MAX: Final = 1 << 14
"""The most sessions in a batch: larger arrays would come fresh from the system each time, a page fault at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class _Ready:
    """A game and what it is rolled by; None where it cannot be packed."""

    game: Game
    play: Free | Ruled | None
    out: Out | None


class NumbaBackend:
    """Rolls packed machines at about the speed of the processor's cache."""

    name = "numba"
    parallel = True

    def __init__(self, together: int | None = None) -> None:
        """Hold nothing yet. `together` rolls go into a look-up, or as many as the cache likes."""
        self._together = together
        self._ready: _Ready | None = None

    def batch(self, game: Game) -> int:
        """As many sessions as take some hundredths of a second, in whole groups of lanes."""
        groups = ROLLS_PER_BATCH // (game.limits.rolls * LANES)
        return min(BATCH_MAX, max(1, groups) * LANES)

    def warm(self, game: Game) -> None:
        """Pack the game and compile its kernels (or fetch them from disk) by rolling no sessions at all."""
        halt = np.zeros(1, dtype=np.uint8)
        self.rows(game, 0, 0, halt)
        self.watch(game, 0, 0, halt)

    def play(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Part:
        """Roll these sessions as fast as can be."""
        return Part.of(self.rows(game, first, count, halt))

    def rows(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Played:
        """Roll these sessions as fast as can be, and tell each."""
        made = self._made(game)
        if made.play is None:
            return self.watch(game, first, count, halt).played
        if isinstance(made.play, Free):
            played, state = _play_free(made.play, game, first, count, halt)
        else:
            played, state = _play_ruled(made.play, game, first, count, halt)
        _run_out(made, first, state, played, halt)
        return played

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
            np.zeros(machine.states, dtype=np.bool_) if machine.over is None else machine.over,
            machine.start,
            _number(limits.bank),
            _number(limits.win),
            _number(limits.loss),
            _number(limits.hands),
            *_aliases(game),
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
        _run_out(self._made(game), first, state, played, halt)
        return Watched(played, drawdown, winning, losing, path)

    def _made(self, game: Game) -> _Ready:
        made = self._ready
        if made is None or made.game is not game:
            made = self._ready = _Ready(game, ready(game, self._together), ready_out(game))
        return made


def _play_free(
    free: Free, game: Game, first: int, count: int, halt: NDArray[np.uint8]
) -> tuple[Played, NDArray[np.int64]]:
    """Roll in stretches, and empty the fields of the sessions between them; how they came out, and their states."""
    packed, rolls = free.packed, game.limits.rolls
    whole = -(-count // LANES) * LANES
    sessions = np.full(whole, free.start, dtype=np.uint64)
    played = Played.nothing(count)
    for done in range(0, rolls if count else 1, free.stretch):  # nobody is rolled when it is only warmed
        finished = kernels.roll_free(
            packed.table,
            packed.column,
            packed.single,
            packed.together,
            packed.row_mask,
            *_aliases(game),
            np.uint64(game.seed),
            first,
            done // (ROLLS_PER_BLOCK if game.dice.fair else 2),
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
    return played, packed.states(sessions)[:count]


def _play_ruled(
    rules: Ruled, game: Game, first: int, count: int, halt: NDArray[np.uint8]
) -> tuple[Played, NDArray[np.int64]]:
    """Roll, and tell afterwards from each session's last state why it ended; how they came out, and their states."""
    packed, limits, machine = rules.packed, game.limits, game.machine
    played = Played.nothing(count)
    if limits.bank is not None and limits.bank < int(machine.need[machine.start]):
        played.ending[:] = Ending.RUIN
        return played, np.full(count, machine.start, dtype=np.int64)
    sessions = np.empty(count, dtype=np.uint64)
    finished = ruled.roll_ruled(
        packed.table,
        packed.column,
        packed.single,
        packed.together,
        packed.row_mask,
        *_aliases(game),
        np.uint64(packed.size),
        rules.safe,
        np.int64(-1 << packed.shift),
        None if limits.win is None else True,
        packed.hand_mask,
        rules.hand_limit,
        np.uint64(game.seed),
        first,
        limits.rolls,
        rules.start,
        sessions,
        played.rolls,
        halt,
    )
    if not finished:
        raise Halted
    return played, ended(rules, game, sessions, played)


def _run_out(made: _Ready, first: int, state: NDArray[np.int64], played: Played, halt: NDArray[np.uint8]) -> None:
    """Roll on, from the state that each session ended in, for what stands there."""
    game, out, stands = made.game, made.out, made.game.machine.standing
    if stands is None or not game.limits.run_out:
        return
    if out is None:  # too many felts, or amounts too large
        run_out(stands, game, np.arange(first, first + len(state), dtype=np.uint64), state, played, halt)
        return
    packed, sessions = out.packed, out.enter[state]
    finished = kernels.run_out(
        packed.table,
        packed.column,
        packed.single,
        packed.together,
        packed.row_mask,
        *_aliases(game),
        np.uint64(game.seed),
        first,
        played.rolls,
        sessions,
        halt,
    )
    if not finished:
        raise Halted
    played.net[:] += packed.nets(sessions) + out.back[state]
    played.action[:] += packed.actions(sessions)
    played.run_out[:] = packed.hands(sessions)


def _aliases(game: Game) -> tuple[NDArray[np.uint64] | None, NDArray[np.uint64] | None]:
    """What deals dice that are not fair; nothing where they are."""
    aliases = game.aliases
    return (None, None) if aliases is None else (aliases.threshold, aliases.other)


def _number(limit: int | None) -> int:
    """A limit as the kernel takes it."""
    return -1 if limit is None else limit
