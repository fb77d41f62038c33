"""The Numba backend: hands packed machines to the compiled kernels."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from passline.errors import Halted
from passline.sim.backends import Halt, Played, kernels
from passline.sim.backends.pack import Out, Packing, ended, ready, ready_out
from passline.sim.backends.vector import NumpyBackend, run_out
from passline.sim.dice import ROLLS_PER_BLOCK
from passline.sim.game import Ending, Game

TABLE_WORD: Final = 32  # Bits of a table's number below those that the lanes of a batch have in common
# About how many rolls to do between two words with the caller: some hundredths of a second.
ROLLS_PER_BATCH: Final = 1 << 24
# The most sessions in a batch: larger arrays would come fresh from the system each time, a page fault at a time.
BATCH_MAX: Final = 1 << 14


class NumbaBackend(NumpyBackend):
    """Rolls packed machines at about the speed of the processor's cache; the few that are watched NumPy rolls."""

    name = "numba"

    def __init__(self, together: int | None = None) -> None:
        """Hold nothing yet. `together` rolls go into a look-up, or as many as the cache likes."""
        self._together = together
        # A game and what it and its run-out are rolled by; None where that cannot be packed.
        self._ready: tuple[Game, Packing | None, Out | None] | None = None

    def batch(self, game: Game) -> int:
        groups = ROLLS_PER_BATCH // (game.limits.rolls * kernels.LANES)
        return min(BATCH_MAX, max(1, groups) * kernels.LANES)

    def warm(self, game: Game) -> None:
        """Pack the game and compile its kernels (or fetch them from disk) by rolling no sessions at all."""
        self.rows(game, 0, 0, np.zeros(1, dtype=np.uint8))

    def rows(self, game: Game, first: int, count: int, halt: Halt) -> Played:
        if self._ready is None or self._ready[0] is not game:
            self._ready = game, ready(game, self._together), ready_out(game)
        _, play, out = self._ready
        apart = first >> TABLE_WORD != (first + max(count, 1) - 1) >> TABLE_WORD  # once in 2^32 sessions
        if play is None or apart:  # its amounts are too large; NumPy is as quick as one look-up a roll would be
            return super().rows(game, first, count, halt)
        played, state = _play(play, game, first, count, halt)
        if game.machine.standing is not None and game.limits.run_out:
            _run_out(game, out, first, state, played, halt)
        return played


def _play(packing: Packing, game: Game, first: int, count: int, halt: Halt) -> tuple[Played, NDArray[np.int64]]:
    """Roll in stretches, and empty the fields of the sessions between them; how they came out, and their states."""
    packed, limits = packing.packed, game.limits
    played = Played.nothing(count)
    if limits.bank is not None and limits.bank < int(game.machine.need[game.machine.start]):
        played.ending[:] = Ending.RUIN
        return played, np.full(count, game.machine.start, dtype=np.int64)
    sessions = np.full(count, packing.start, dtype=np.uint64)
    for done in range(0, limits.rolls if count else 1, packing.stretch):  # nobody is rolled when it is only warmed
        finished = kernels.roll(
            packed.table, packed.column, packed.single, packed.together, packed.row_mask, *_aliases(game),
            np.uint64(packed.size), packing.safe, np.int64(-1 << packed.shift),
            None if packing.safe is None or limits.win is None else True, packed.hand_mask, packing.hand_limit,
            np.uint64(game.seed), first, done // (ROLLS_PER_BLOCK if game.dice.fair else 2),
            min(packing.stretch, limits.rolls - done), sessions, played.rolls, halt,
        )  # fmt: skip
        if not finished:
            raise Halted
        if packing.stretch >= limits.rolls:
            return played, ended(packing, game, sessions, played)
        played.net[:] += packed.nets(sessions)
        played.hands[:] += packed.hands(sessions)
        played.action[:] += packed.actions(sessions)
        sessions = packed.rows(sessions)
    played.rolls[:] = limits.rolls
    return played, packed.states(sessions)


def _run_out(  # noqa: PLR0913, PLR0917
    game: Game, out: Out | None, first: int, state: NDArray[np.int64], played: Played, halt: Halt
) -> None:
    """Roll on, from the state that each session ended in, for what stands there."""
    if out is None:  # too many felts, or amounts too large
        run_out(game, np.arange(first, first + len(state), dtype=np.uint64), state, played, halt)
        return
    packed, sessions = out.packed, out.enter[state]
    finished = kernels.run_out(
        packed.table, packed.column, packed.single, packed.together, packed.row_mask, *_aliases(game),
        np.uint64(game.seed), first, played.rolls, sessions, halt,
    )  # fmt: skip
    if not finished:
        raise Halted
    played.net[:] += packed.nets(sessions) + out.back[state]
    played.action[:] += packed.actions(sessions)
    played.run_out[:] = packed.hands(sessions)


def _aliases(game: Game) -> tuple[NDArray[np.uint64] | None, NDArray[np.uint64] | None]:
    aliases = game.aliases
    return (None, None) if aliases is None else (aliases.threshold, aliases.other)
