"""The interpreted backend: a player, the same dice, and the rules of a session as plainly as they can be written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from passline.errors import Halted
from passline.machine.terms import Limits
from passline.sim.backends import Backend, Halt, Played, Watched
from passline.sim.dice import throws
from passline.sim.game import Ending, Game, Interpreted, Player

BATCH = 32  # Sessions at once: their dice are dealt together, which costs little more than dealing them for one
DEALT_AT_ONCE = 120  # Rolls dealt ahead at first; a multiple of a Philox block
DEALT_MAX = 1200  # And at most: a long session seldom lasts so long


class EngineBackend(Backend):
    name = "engine"
    parallel = False

    def batch(self, game: Game) -> int:  # noqa: ARG002
        return BATCH

    def rows(self, game: Game, first: int, count: int, halt: Halt) -> Played:
        return self.watch(game, first, count, halt).played

    def watch(self, game: Game, first: int, count: int, halt: Halt) -> Watched:
        if not isinstance(game.source, Interpreted):
            raise TypeError("backend 'engine' needs an `Interpreted` player")
        played = Played.nothing(count)
        tracks = []
        # So many rolls of each session are dealt before the first: what it may last, and a run-out.
        blocks = -(-min(game.limits.rolls, DEALT_MAX) // DEALT_AT_ONCE) + game.limits.run_out
        dealt = _deal(game, np.arange(first, first + count, dtype=np.uint64), blocks * DEALT_AT_ONCE)
        for i in range(count):
            seat = _Seat(game.source.sit(), game.limits)
            dice = _Dealt(game, first + i, halt, dealt[i].tolist())
            rolls, rolls_out, most = 0, 0, game.limits.rolls
            while rolls < most and seat.ending is None and seat.bets():
                seat.roll(dice.at(rolls))
                rolls += 1
            if seat.ending is None:
                seat.stop(Ending.ROLLS)
            while seat.stands:
                seat.roll_out(dice.at(rolls + rolls_out))
                rolls_out += 1
            tracks.append(seat.track)
            played.rolls[i], played.hands[i], played.ending[i] = rolls, seat.hands, seat.ending or Ending.ROLLS
            played.net[i], played.action[i], played.run_out[i] = seat.net, seat.decided, rolls_out
        drawdown, winning, losing = np.array([_look(track) for track in tracks], dtype=np.int64).reshape(-1, 3).T
        checkpoints = game.checkpoints.tolist()
        path = [[track[min(k, len(track) - 1)] for k in checkpoints] for track in tracks]
        return Watched(played, drawdown, winning, losing, np.array(path, dtype=np.int64))


def _deal(game: Game, tables: NDArray[np.uint64], rolls: int) -> NDArray[np.uint8]:
    if game.aliases is None:
        return throws(game.seed, tables, rolls)
    dealt = game.aliases.throws_at(game.seed, np.repeat(tables, rolls), np.tile(np.arange(rolls), len(tables)))
    return dealt.astype(np.uint8).reshape(len(tables), rolls)


class _Dealt:
    """The throws of one table, as many as are asked for."""

    def __init__(self, game: Game, table: int, halt: Halt, dealt: list[int]) -> None:
        self._game, self._table, self._halt = game, np.array([table], dtype=np.uint64), halt
        self._throws = dealt

    def at(self, roll: int) -> int:
        if roll % DEALT_AT_ONCE == 0 and self._halt[0]:
            raise Halted
        if roll >= len(self._throws):
            # Dealt again from the start each time it doubles: the dice cost nothing beside the player.
            self._throws = _deal(self._game, self._table, 2 * roll)[0].tolist()
        return self._throws[roll]


@dataclass(slots=True)
class _Seat:
    """One session: first to its end, then without new bets."""

    player: Player
    limits: Limits
    net: int = 0
    hands: int = 0
    action: int = 0  # of the bets that the last roll decided
    decided: int = 0  # of the bets that all rolls did
    ending: Ending | None = None
    track: list[int] = field(default_factory=lambda: [0])  # the net after 0, 1, 2 … rolls, what stands at face value

    def bets(self) -> bool:
        """Whether there are bets for the next roll; if not, the session has ended."""
        bank = self.limits.bank
        if self.player.leaves:
            self.stop(Ending.WHEN)
        elif bank is not None and bank + self.net < self.player.need:
            self.stop(Ending.RUIN)
        return self.ending is None

    def roll(self, throw: int) -> None:
        player, limits = self.player, self.limits
        self._count(player.roll(throw))
        self.track.append(self.net)
        self.hands += player.hand_ended
        if limits.win is not None and self.net >= limits.win:
            self.stop(Ending.STOP_WIN)
        elif limits.loss is not None and self.net <= -limits.loss:
            self.stop(Ending.STOP_LOSS)
        elif limits.hands is not None and self.hands >= limits.hands:
            self.stop(Ending.HANDS)
        elif player.over:
            self.stop(Ending.WHEN)

    def stop(self, ending: Ending) -> None:
        self.ending = ending
        if self.limits.run_out:
            self.net += self.player.stop()

    @property
    def stands(self) -> bool:
        return self.limits.run_out and self.player.stands

    def roll_out(self, throw: int) -> None:
        self.action = 0
        if self.stands:
            self._count(self.player.roll_out(throw))

    def _count(self, net: int) -> None:
        self.net += net
        self.action = self.player.action
        self.decided += self.action


class Everybody:
    """Players of several kinds on the same dice, as one player whose net is what the table wins from all of them."""

    need = 0
    hand_ended = over = leaves = False

    def __init__(self, members: Iterable[tuple[Player, Limits]], counts: Sequence[int]) -> None:
        """One player of each kind; a minor unit of theirs counts so often, as many as there are among them."""
        self._seats, self._counts = [_Seat(player, limits) for player, limits in members], counts
        self.rolls = self.action = self._win = 0
        self.lowest = 0  # the least that the table had won after any roll

    @property
    def nets(self) -> list[int]:
        return [seat.net for seat in self._seats]

    @property
    def actions(self) -> list[int]:
        return [seat.decided for seat in self._seats]

    @property
    def stands(self) -> bool:
        return any(seat.stands for seat in self._seats)

    def roll(self, throw: int) -> int:
        for seat in self._seats:
            if seat.ending is None and seat.bets():
                seat.roll(throw)
            else:
                seat.roll_out(throw)
        self.rolls += 1
        won = self._won()
        self.lowest = min(self.lowest, self._win)
        return won

    def stop(self) -> int:
        for seat in self._seats:
            if seat.ending is None:
                seat.stop(Ending.ROLLS)
        return self._won()

    def roll_out(self, throw: int) -> int:
        for seat in self._seats:
            seat.roll_out(throw)
        return self._won()

    def _won(self) -> int:
        before = self._win
        seats = list(zip(self._seats, self._counts, strict=True))
        self._win = -sum(count * seat.net for seat, count in seats)
        self.action = sum(count * seat.action for seat, count in seats)
        return self._win - before


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
