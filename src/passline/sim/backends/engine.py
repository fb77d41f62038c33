"""The interpreted backend: a player, the same dice, and the rules of a session as plainly as they can be written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from passline.errors import Halted
from passline.machine.terms import Limits
from passline.sim.backends.contract import Backend, Played, Watched
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

    def rows(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Played:
        return self.watch(game, first, count, halt).played

    def watch(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Watched:
        if not isinstance(game.source, Interpreted):
            raise TypeError("backend 'engine' needs an `Interpreted` player")
        played = Played.nothing(count)
        tracks = []
        dealt = _deal(game, np.arange(first, first + count, dtype=np.uint64), _rolls_ahead(game))
        for i in range(count):
            session = _Session(game.source.sit(), _Dealt(game, first + i, halt, dealt[i].tolist()))
            played.ending[i] = session.play(game.limits)
            tracks.append(session.track)
            played.rolls[i], played.hands[i] = len(session.track) - 1, session.hands
            if game.limits.run_out:
                session.run_out()
            played.net[i], played.action[i], played.run_out[i] = session.net, session.action, session.rolls_out
        checkpoints = game.checkpoints
        looks = [_look(track) for track in tracks]
        return Watched(
            played=played,
            drawdown=np.array([drawdown for drawdown, _, _ in looks], dtype=np.int64),
            winning_run=np.array([winning for _, winning, _ in looks], dtype=np.int64),
            losing_run=np.array([losing for _, _, losing in looks], dtype=np.int64),
            path=np.array([[track[min(k, len(track) - 1)] for k in checkpoints] for track in tracks], dtype=np.int64),
        )


def _rolls_ahead(game: Game) -> int:
    """How many rolls of each session are dealt before the first: what it may last, and a run-out."""
    blocks = -(-min(game.limits.rolls, DEALT_MAX) // DEALT_AT_ONCE)
    return (blocks + 1) * DEALT_AT_ONCE if game.limits.run_out else blocks * DEALT_AT_ONCE


def _deal(game: Game, tables: NDArray[np.uint64], rolls: int) -> NDArray[np.uint8]:
    if game.aliases is None:
        return throws(game.seed, tables, rolls)
    dealt = game.aliases.throws_at(game.seed, np.repeat(tables, rolls), np.tile(np.arange(rolls), len(tables)))
    return dealt.astype(np.uint8).reshape(len(tables), rolls)


class _Dealt:
    """The throws of one table, as many as are asked for."""

    def __init__(self, game: Game, table: int, halt: NDArray[np.uint8], dealt: list[int]) -> None:
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
class _Session:
    """One session: first to its end, then without new bets."""

    player: Player
    dealt: _Dealt
    track: list[int] = field(default_factory=lambda: [0])  # the net after 0, 1, 2 … rolls, what stands at face value
    net: int = 0
    hands: int = 0
    action: int = 0
    rolls_out: int = 0

    def play(self, limits: Limits) -> Ending:
        player = self.player
        for roll in range(limits.rolls):
            if player.leaves:
                return Ending.WHEN
            if limits.bank is not None and limits.bank + self.net < player.need:
                return Ending.RUIN
            self.net += player.roll(self.dealt.at(roll))
            self.track.append(self.net)
            self.hands += player.hand_ended
            self.action += player.action
            ending = _stopped(limits, self.net, self.hands)
            if ending is not None:
                return ending
            if player.over:
                return Ending.WHEN
        return Ending.ROLLS

    def run_out(self) -> None:
        player, rolls = self.player, len(self.track) - 1
        self.net += player.stop()
        while player.stands:
            self.net += player.roll_out(self.dealt.at(rolls + self.rolls_out))
            self.action += player.action
            self.rolls_out += 1


def _stopped(limits: Limits, net: int, hands: int) -> Ending | None:
    if limits.win is not None and net >= limits.win:
        return Ending.STOP_WIN
    if limits.loss is not None and net <= -limits.loss:
        return Ending.STOP_LOSS
    if limits.hands is not None and hands >= limits.hands:
        return Ending.HANDS
    return None


@dataclass(slots=True)
class _Member:
    """One of several at a table; when their own session is over they make no new bets."""

    player: Player
    limits: Limits
    net: int = 0
    hands: int = 0
    action: int = 0
    decided: int = 0
    left: bool = False

    def roll(self, throw: int) -> None:
        player, limits = self.player, self.limits
        short = not self.left and limits.bank is not None and limits.bank + self.net < player.need
        if not self.left and (short or player.leaves):
            self.leave()
        if self.left:
            self.roll_out(throw)
            return
        self.net += player.roll(throw)
        self.hands += player.hand_ended
        self.action = player.action
        self.decided += self.action
        if player.over or _stopped(limits, self.net, self.hands) is not None:
            self.leave()

    def leave(self) -> None:
        self.left = True
        if self.limits.run_out:
            self.net += self.player.stop()

    def roll_out(self, throw: int) -> None:
        self.action = 0
        if self.stands:
            self.net += self.player.roll_out(throw)
            self.action = self.player.action
            self.decided += self.action

    @property
    def stands(self) -> bool:
        return self.limits.run_out and self.player.stands


class Everybody:
    """Players of several kinds on the same dice, as one player whose net is what the table wins from all of them."""

    need = 0
    hand_ended = over = leaves = False

    def __init__(self, members: Iterable[tuple[Player, Limits]], counts: Sequence[int]) -> None:
        """One player of each kind; a minor unit of theirs counts so often, as many as there are among them."""
        self._members, self._counts = [_Member(player, limits) for player, limits in members], counts
        self.rolls = self.action = self._win = 0
        self.lowest = 0  # the least that the table had won after any roll

    @property
    def nets(self) -> list[int]:
        return [member.net for member in self._members]

    @property
    def actions(self) -> list[int]:
        return [member.decided for member in self._members]

    @property
    def stands(self) -> bool:
        return any(member.stands for member in self._members)

    def roll(self, throw: int) -> int:
        for member in self._members:
            member.roll(throw)
        self.rolls += 1
        won = self._won()
        self.lowest = min(self.lowest, self._win)
        return won

    def stop(self) -> int:
        for member in self._members:
            if not member.left:
                member.leave()
        return self._won()

    def roll_out(self, throw: int) -> int:
        for member in self._members:
            member.roll_out(throw)
        return self._won()

    def _won(self) -> int:
        before = self._win
        self._win = -sum(count * member.net for member, count in zip(self._members, self._counts, strict=True))
        self.action = sum(count * member.action for member, count in zip(self._members, self._counts, strict=True))
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
