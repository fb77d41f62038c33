"""The interpreted backend: a player, the same dice, and the rules of a session as plainly as they can be written."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from passline.errors import Halted
from passline.sim.backends.contract import Played, Watched
from passline.sim.dice import throws
from passline.sim.game import Ending, Interpreted, Limits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from passline.sim.game import Game, Player

BATCH = 1
"""Sessions at once: an interpreted session is long enough to be its own piece of work."""
DEALT_AT_ONCE = 1200
"""Rolls dealt ahead; a multiple of a Philox block."""


class EngineBackend:
    """Plays every session through a `Player`."""

    name = "engine"
    parallel = False

    def batch(self, game: Game) -> int:  # noqa: ARG002
        """One session at a time."""
        return BATCH

    def warm(self, game: Game) -> None:
        """Nothing to make ready."""

    def play(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Played:
        """Roll these sessions; looking costs nothing beside playing."""
        return self.watch(game, first, count, halt).played

    def watch(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Watched:
        """Roll these sessions and look at every roll."""
        if not isinstance(game.source, Interpreted):
            raise TypeError("backend 'engine' needs an `Interpreted` player")
        nets = [_session(game.source.sit(), game, first + i, halt) for i in range(count)]
        checkpoints = game.checkpoints
        looks = [_look(track) for track, _, _ in nets]
        return Watched(
            played=Played(
                net=np.array([track[-1] for track, _, _ in nets], dtype=np.int64),
                rolls=np.array([len(track) - 1 for track, _, _ in nets], dtype=np.int64),
                hands=np.array([hands for _, hands, _ in nets], dtype=np.int64),
                ending=np.array([ending for _, _, ending in nets], dtype=np.uint8),
            ),
            drawdown=np.array([drawdown for drawdown, _, _ in looks], dtype=np.int64),
            winning_run=np.array([winning for _, winning, _ in looks], dtype=np.int64),
            losing_run=np.array([losing for _, _, losing in looks], dtype=np.int64),
            path=np.array(
                [[track[min(k, len(track) - 1)] for k in checkpoints] for track, _, _ in nets], dtype=np.int64
            ),
        )


def _session(player: Player, game: Game, table: int, halt: NDArray[np.uint8]) -> tuple[list[int], int, Ending]:
    """One session: the net after 0, 1, 2 … rolls, the seven-outs, and why it ended."""
    limits = game.limits
    track, hands = [0], 0
    dealt: NDArray[np.uint8] = np.empty(0, dtype=np.uint8)
    for roll in range(limits.rolls):
        if limits.bank is not None and limits.bank + track[-1] < player.need:
            return track, hands, Ending.RUIN
        if roll == len(dealt):
            if halt[0]:
                raise Halted
            # Dealt again from the start each time it doubles: the dice cost nothing beside the player.
            ahead = min(limits.rolls, max(DEALT_AT_ONCE, 2 * roll))
            dealt = throws(game.seed, np.array([table], dtype=np.uint64), ahead)[0]
        track.append(track[-1] + player.roll(int(dealt[roll])))
        hands += player.hand_ended
        ending = _stopped(limits, track[-1], hands)
        if ending is not None:
            return track, hands, ending
    return track, hands, Ending.ROLLS


def _stopped(limits: Limits, net: int, hands: int) -> Ending | None:
    """Why the session ends after this roll, if it does."""
    if limits.win is not None and net >= limits.win:
        return Ending.STOP_WIN
    if limits.loss is not None and net <= -limits.loss:
        return Ending.STOP_LOSS
    if limits.hands is not None and hands >= limits.hands:
        return Ending.HANDS
    return None


def _look(track: list[int]) -> tuple[int, int, int]:
    """The deepest fall from a peak, and the most winning and losing rolls in a row."""
    best = drawdown = winning = losing = longest_winning = longest_losing = 0
    for before, after in pairwise(track):
        best = max(best, after)
        drawdown = max(drawdown, best - after)
        if after > before:
            winning, losing = winning + 1, 0
            longest_winning = max(longest_winning, winning)
        elif after < before:
            winning, losing = 0, losing + 1
            longest_losing = max(longest_losing, losing)
    return drawdown, longest_winning, longest_losing
