"""A house and a set of wagers as a Markov decision process, by asking the engine about every position and every act.

A *position* is the puck, the flags that windows of betting look at, and our felt. Before each roll the player may move
chips between rail and felt, a unit at a time, as far as the dealers let them; positions that can be reached from one
another so are one *group*: whoever is in one may choose any. Moving chips leaves the player's *wealth* (rail, stakes
and refundable commission) as it is, and no answer of the engine depends on how deep a rail is, so a state of the
process is a group and a wealth, and a choice is a position that the wealth can pay for.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.engine.commands import Bet, Take, Throw
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import Notice, TableState, Wager
from passline.engine.values import CENTS, ROLLS
from passline.errors import ArgumentError
from passline.house import House
from passline.machine.build import WINDOWS
from passline.machine.play import DEEP, OURS, Setting
from passline.machine.terms import Seating
from passline.machine.throws import PAIRS, throws
from passline.odds.absorbing import in_order
from passline.strategies.language.strategy import Strategy

POSITIONS_MAX = 400_000
"""How many positions are looked at before a game is called too large."""

PROGRESS_EVERY = 1_000
"""Positions between two words to whoever waits."""


class Position(NamedTuple):
    """What is on the table between two rolls, but for the rails."""

    puck: int
    flags: tuple[bool, ...]
    felt: tuple[tuple[str, Wager], ...]

    @property
    def up(self) -> dict[str, int]:
        return {key: wager.stake for key, wager in self.felt}


class Outcome(NamedTuple):
    """What one throw does to a position: how many of the 36 throws do so, the gain in wealth, the group after it."""

    weight: int
    gain: int
    group: int


class Game(NamedTuple):
    """The decision process, in units of the smallest stake."""

    positions: list[Position]
    stakes: NDArray[np.int64]
    """What a position holds of the player's wealth: stakes and refundable commission."""
    group_of: NDArray[np.int64]
    choices: list[list[int]]
    """For each group the positions in it."""
    onward: list[list[int]]
    """For each group the groups that more chips lead to and none lead back from: contract bets and puts."""
    locked: NDArray[np.int64]
    """For each group the least that must stay on the felt."""
    outcomes: list[list[Outcome]]
    start: int
    goal: int
    wealth_max: int
    """From this wealth on the goal is reached in every group."""

    @property
    def states(self) -> int:
        return len(self.choices) * self.goal


class Rules(NamedTuple):
    """Where a game is played: the house, what may be bet, the unit (the smallest stake, chip and payment), in money."""

    house: House
    wagers: tuple[str, ...]
    unit: Fraction = Fraction(1)
    odds: int | None = None
    """How many times the flat bet odds may be; None: as the house posts."""
    put: bool = True
    """Whether a line bet may be made or raised once its point is set, where the house books it."""


class Search:
    """Every position that play can reach from an empty table with less than the goal."""

    def __init__(self, rules: Rules, goal: int, progress: Callable[[int, int], None] | None = None) -> None:
        self.rules, self.goal, self.progress = rules, goal, progress
        cents = rules.unit * CENTS
        if cents.denominator != 1:
            raise ArgumentError("unit", str(rules.unit), "a whole number of cents")
        self.unit = int(cents)
        posted = rules.house.book.notice.odds.value
        multiples = posted if rules.odds is None else dict.fromkeys(rules.house.book.points.value, rules.odds)
        notice = Notice(minimum=self.unit, maximum=None, odds=multiples, chip=self.unit, props_minimum=self.unit)
        player = Strategy(id="best", name="best play", wants=())
        self.setting = Setting(player, Seating(rules.house, rules.unit, notice=notice))
        self.layout: Layout = self.setting.layout
        self.keys = self._allowed()
        windows = {self.layout.spots[key].rule.made.value for key in self.keys}
        self.watched = tuple(flag for window, flag in WINDOWS.items() if window in windows)
        self.numbers: dict[Position, int] = {}
        self.queue: list[Position] = []
        self.tables: dict[tuple[int, tuple[bool, ...]], TableState] = {}

    def _allowed(self) -> tuple[str, ...]:
        spots = self.layout.spots
        unknown = [
            name for name in self.rules.wagers if not any(name in {key, spot.family} for key, spot in spots.items())
        ]
        if unknown:
            raise ArgumentError(
                "wagers", ", ".join(unknown), f"wagers of {self.rules.house.book.id}, such as pass, pass_odds"
            )
        return tuple(key for key, spot in spots.items() if {key, spot.family} & set(self.rules.wagers))

    def run(self) -> Game:
        """The whole process."""
        self._number(self.setting.opening())
        moves: dict[int, dict[int, int]] = {}
        rolls: list[list[tuple[int, int, int]]] = []
        for at, position in enumerate(self.queue):
            table = self._laid_out(position)
            moves[at] = dict.fromkeys(self._moves(position, table), 1)
            rolls.append(self._rolls(position, table))
            if self.progress and at % PROGRESS_EVERY == 0:
                self.progress(at, len(self.queue))
        return self._game(moves, rolls)

    def _laid_out(self, position: Position) -> TableState:
        table = self.tables[position.puck, position.flags]
        seat = table.seats[OURS]._replace(rail=DEEP, felt=dict(position.felt), dont_banned=position.flags[0])
        return table._replace(seats={**table.seats, OURS: seat})

    def _number(self, table: TableState) -> int:
        felt = table.seats[OURS].felt
        flags = (table.seats[OURS].dont_banned, *(getattr(table, flag) for flag in self.watched))
        position = Position(table.puck, flags, tuple(sorted(felt.items())))
        number = self.numbers.get(position)
        if number is None:
            number = self.numbers[position] = len(self.queue)
            self.queue.append(position)
            if number >= POSITIONS_MAX:
                raise ArgumentError(
                    "wagers",
                    ", ".join(self.rules.wagers),
                    f"a game of at most {POSITIONS_MAX:,} positions: fewer wagers, a nearer goal or a larger unit",
                )
            if (table.puck, flags) not in self.tables:
                self.tables[table.puck, flags] = self.setting.ready(table)._replace(before=None)
        return number

    def _moves(self, position: Position, table: TableState) -> list[int]:
        """The positions one act away: a unit more or a unit less on one spot."""
        held = self._held(position)
        reached = []
        for key in self.keys:
            up = position.up.get(key, 0)
            acts: list[Bet | Take] = [Take(OURS, key, up - self.unit)] if up else []
            if held < self.goal and (self.rules.put or not self._is_put(key, position)):
                acts.append(Bet(OURS, key, self.unit))
            for act in acts:
                answer = decide(self.layout, table, act)
                if isinstance(answer, Refusal):
                    continue
                after = evolve(table, answer)
                if _worth(after) == _worth(table) and self._held_at(after) < self.goal:
                    reached.append(self._number(after))
        return reached

    def _is_put(self, key: str, position: Position) -> bool:
        return key in self.layout.line and bool(position.puck)

    def _rolls(self, position: Position, table: TableState) -> list[tuple[int, int, int]]:
        """What each throw that differs leads to: its weight, the gain in units, the next position."""
        before = _worth(table)
        merged: dict[tuple[int, int], int] = {}
        for throw, columns in throws(self.layout, table):
            answer = decide(self.layout, table, Throw(ROLLS[throw]))
            assert not isinstance(answer, Refusal), answer
            after = evolve(table, answer)
            gain = _worth(after) - before
            if gain % self.unit:
                raise ArgumentError("unit", str(self.rules.unit), "one in whole numbers of which the house pays")
            if gain // self.unit + self._held(position) >= 0:
                # What is held at the goal or above cannot be met by somebody who has less.
                weight = sum(1 if PAIRS[column].first == PAIRS[column].second else 2 for column in columns)
                way = (gain // self.unit, self._number(after))
                merged[way] = merged.get(way, 0) + weight
        return [(weight, gain, number) for (gain, number), weight in merged.items()]

    def _held(self, position: Position) -> int:
        return sum(wager.stake + wager.held for _, wager in position.felt) // self.unit

    def _held_at(self, table: TableState) -> int:
        return sum(wager.stake + wager.held for wager in table.seats[OURS].felt.values()) // self.unit

    def _game(self, moves: dict[int, dict[int, int]], rolls: list[list[tuple[int, int, int]]]) -> Game:
        groups = in_order(moves)  # a group stands before every group that it leads to
        group_of = np.zeros(len(self.queue), dtype=np.int64)
        for number, members in enumerate(groups):
            group_of[members] = number
        stakes = np.array([self._held(position) for position in self.queue], dtype=np.int64)
        onward = [
            sorted({int(group_of[to]) for one in members for to in moves[one]} - {number})
            for number, members in enumerate(groups)
        ]
        locked = np.zeros(len(groups), dtype=np.int64)
        for number in reversed(range(len(groups))):
            least = [int(stakes[groups[number]].min()), *(int(locked[to]) for to in onward[number])]
            locked[number] = min(least)
        outcomes = [[Outcome(weight, gain, int(group_of[to])) for weight, gain, to in row] for row in rolls]
        return Game(
            positions=self.queue,
            stakes=stakes,
            group_of=group_of,
            choices=[sorted(members, key=lambda one: int(stakes[one])) for members in groups],
            onward=onward,
            locked=locked,
            outcomes=outcomes,
            start=int(group_of[0]),
            goal=self.goal,
            wealth_max=self.goal + int(locked.max()),
        )


def _worth(table: TableState) -> int:
    """Wealth in grains: the rail, what is up, and commission that comes back with it."""
    seat = table.seats[OURS]
    return seat.rail + sum(wager.stake + wager.held for wager in seat.felt.values())


def game_of(rules: Rules, goal: int, progress: Callable[[int, int], None] | None = None) -> Game:
    """The decision process of reaching `goal` units."""
    return Search(rules, goal, progress).run()
