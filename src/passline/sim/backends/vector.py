"""Machines looked up by arrays: all sessions of a batch side by side with NumPy, or packed, by the compiled kernels."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from passline.errors import Halted
from passline.machine.machine import DECIDED
from passline.sim.backends import Backend, Halt, Played, Watched
from passline.sim.backends.pack import Out, Packing, ended, ready, ready_out
from passline.sim.dice import ROLLS_PER_BLOCK, ROLLS_PER_HALF, deal, halves, throws_at
from passline.sim.game import Ending, Game

TABLE_WORD: Final = 32  # Bits of a table's number below those that the lanes of a batch have in common
# About how many rolls to do between two words with the caller: some hundredths of a second.
ROLLS_PER_BATCH: Final = 1 << 24
# The most sessions in a batch: larger arrays would come fresh from the system each time, a page fault at a time.
BATCH_MAX: Final = 1 << 14
BATCH = 1 << 14  # Sessions at once: their arrays stay in a core's cache


class NumpyBackend(Backend):
    name = "numpy"

    def batch(self, game: Game) -> int:  # noqa: ARG002
        return BATCH

    def rows(self, game: Game, first: int, count: int, halt: Halt) -> Played:
        return _Batch(game, first, count).roll(halt, None)

    def watch(self, game: Game, first: int, count: int, halt: Halt) -> Watched:
        look = _Look(count, game.checkpoints)
        played = _Batch(game, first, count).roll(halt, look)
        return Watched(played, look.drawdown, look.winning_run, look.losing_run, look.path)


class _Batch:
    """Sessions in play; those that ended are written down and leave the arrays."""

    def __init__(self, game: Game, first: int, count: int) -> None:
        self.game, self.played, self.seat = game, Played.nothing(count), np.arange(count)
        self.table = np.arange(first, first + count, dtype=np.uint64)
        # What is left of the half block that throws are being taken from, and the half block after that.
        self.fraction, self.spare = np.zeros((2, count), dtype=np.uint64)
        self.state = np.full(count, game.machine.start, dtype=np.int64)
        # For each session its last state, whether it is still in play or not.
        self.net, self.hands, self.action, self.last = np.zeros((4, count), dtype=np.int64)

    def roll(self, halt: Halt, look: "_Look | None") -> Played:
        first = self.table
        machine, limits = self.game.machine, self.game.limits
        column = machine.column.astype(np.int64)
        following, net, hand = machine.next.ravel(), machine.net.ravel(), machine.hand_ends.ravel()
        action = machine.action.ravel()
        for roll in range(limits.rolls):
            if limits.bank is not None:
                self._leave(limits.bank + self.net < machine.need[self.state], roll, Ending.RUIN)
            if not len(self.seat):
                break
            at = self.state * machine.columns + column[self._throws(roll, halt)]
            self.state = following[at].astype(np.int64)
            moved = net[at]
            self.net += moved
            self.hands += hand[at]
            self.action += action[at]
            if look is not None:
                look.at(roll + 1, self.seat, self.net, moved)
            self._stop(roll + 1)
        self._leave(np.ones(len(self.seat), dtype=np.bool_), limits.rolls, Ending.ROLLS)
        if limits.run_out and machine.standing is not None:
            run_out(self.game, first, self.last, self.played, halt)
        return self.played

    def _throws(self, roll: int, halt: Halt) -> NDArray[np.uint64]:
        aliases = self.game.aliases
        per_half = ROLLS_PER_HALF if aliases is None else 1
        block, place = divmod(roll, 2 * per_half)
        if place == 0:
            if halt[0]:
                raise Halted
            self.fraction, self.spare = halves(self.game.seed, self.table, block)
        elif place == per_half:
            self.fraction = self.spare
        if aliases is not None:
            return aliases.throws(self.fraction)
        dealt, self.fraction = deal(self.fraction)
        return dealt

    def _stop(self, rolls: int) -> None:
        limits = self.game.limits
        if limits.win is not None:
            self._leave(self.net >= limits.win, rolls, Ending.STOP_WIN)
        if limits.loss is not None:
            self._leave(self.net <= -limits.loss, rolls, Ending.STOP_LOSS)
        if limits.hands is not None:
            self._leave(self.hands >= limits.hands, rolls, Ending.HANDS)
        over = self.game.machine.over
        if over is not None:
            self._leave(over[self.state], rolls, Ending.WHEN)

    def _leave(self, going: NDArray[np.bool_], rolls: int, ending: Ending) -> None:
        if not going.any():
            return
        seat = self.seat[going]
        self.played.net[seat] = self.net[going]
        self.played.rolls[seat] = rolls
        self.played.hands[seat] = self.hands[going]
        self.played.action[seat] = self.action[going]
        self.last[seat] = self.state[going]
        self.played.ending[seat] = ending
        stay = ~going
        for name in ("seat", "table", "fraction", "spare", "state", "net", "hands", "action"):
            setattr(self, name, getattr(self, name)[stay])


def run_out(game: Game, table: NDArray[np.uint64], state: NDArray[np.int64], played: Played, halt: Halt) -> None:
    """Roll on for every bet that stands, all of them side by side, until the last has been decided."""
    standing = game.machine.standing
    assert standing is not None, "something stands in some state"
    played.net[:] += standing.back[state]
    count = np.diff(standing.first)[state]
    seat = np.repeat(np.arange(len(state)), count)
    begins = np.cumsum(count) - count
    bet = standing.bets[np.arange(len(seat)) + np.repeat(standing.first[state] - begins, count)].astype(np.int64)
    at = throws_at if game.aliases is None else game.aliases.throws_at
    done = 0
    while len(seat):
        if halt[0]:
            raise Halted
        throw = at(game.seed, table[seat], played.rolls[seat] + done)
        np.add.at(played.net, seat, standing.net[bet, throw])
        np.add.at(played.action, seat, standing.action[bet, throw])
        done += 1
        played.run_out[seat] = done
        bet = standing.next[bet, throw].astype(np.int64)
        up = bet != DECIDED
        seat, bet = seat[up], bet[up]


class _Look:
    """What is seen on the way, one entry for every session."""

    def __init__(self, count: int, checkpoints: NDArray[np.int64]) -> None:
        self.checkpoints, self.path = checkpoints, np.zeros((count, len(checkpoints)), dtype=np.int64)
        self.peak, self.drawdown, self.winning, self.losing = np.zeros((4, count), dtype=np.int64)
        self.winning_run, self.losing_run = np.zeros((2, count), dtype=np.int64)

    def at(self, rolls: int, seat: NDArray[np.intp], net: NDArray[np.int64], moved: NDArray[np.int64]) -> None:
        self.peak[seat] = np.maximum(self.peak[seat], net)
        self.drawdown[seat] = np.maximum(self.drawdown[seat], self.peak[seat] - net)
        won, lost = moved > 0, moved < 0
        self.winning[seat] = np.where(lost, 0, self.winning[seat] + won)
        self.losing[seat] = np.where(won, 0, self.losing[seat] + lost)
        self.winning_run[seat] = np.maximum(self.winning_run[seat], self.winning[seat])
        self.losing_run[seat] = np.maximum(self.losing_run[seat], self.losing[seat])
        # Written to every checkpoint from here on, so that a session that ends now stays where it ended.
        self.path[seat, np.searchsorted(self.checkpoints, rolls) :] = net[:, None]


class NumbaBackend(NumpyBackend):
    """Rolls packed machines at about the speed of the processor's cache; the few that are watched NumPy rolls."""

    name = "numba"

    def __init__(self, together: int | None = None) -> None:
        """Hold nothing yet. `together` rolls go into a look-up, or as many as the cache likes."""
        self._together = together
        # A game and what it and its run-out are rolled by; None where that cannot be packed.
        self._ready: tuple[Game, Packing | None, Out | None] | None = None

    def batch(self, game: Game) -> int:
        from passline.sim.backends.kernels import LANES  # which imports Numba: only who rolls by it waits for that

        groups = ROLLS_PER_BATCH // (game.limits.rolls * LANES)
        return min(BATCH_MAX, max(1, groups) * LANES)

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
    from passline.sim.backends import kernels

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
    from passline.sim.backends import kernels

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
