"""A house and a set of wagers as a Markov decision process, by asking the engine about every position and every act.

A *position* is the puck, the flags that windows of betting look at, and our felt. Before each roll the player may move
chips between rail and felt, a unit at a time, as far as the dealers let them; positions that can be reached from one
another so are one *group*: whoever is in one may choose any. Moving chips leaves the player's *wealth* (rail, stakes
and refundable commission) as it is, and no answer of the engine depends on how deep a rail is, so a state of the
process is a group and a wealth, and a choice is a position that the wealth can pay for.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.engine.commands import Bet, Take
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import Notice, TableState, Wager
from passline.engine.values import CENTS
from passline.errors import ArgumentError
from passline.files.arguments import instance
from passline.house import House
from passline.machine.build import COLUMN, throws
from passline.machine.dice import FAIR, LoadedDice
from passline.machine.play import OURS, Laid, Layouts, Setting, thrown
from passline.machine.terms import Seating
from passline.odds.linear import in_order
from passline.strategies.language.strategy import Strategy

POSITIONS_MAX = 400_000  # how many positions are looked at before a game is called too large
FEW_KEYS = 3  # with more spots than this to bet on, the size of a game is guessed before it is searched
SMALLEST_GOAL = 3
PROBE_POSITIONS = 1_500  # a game of so many positions tells how they grow
PROGRESS_EVERY = 1_000  # Positions between two words to whoever waits

# Refusals that another number of chips may mend.
DIVIDED = ("bet.indivisible", "bet.not_a_unit", "bet.not_a_multiple", "take.leaves_wrong")
UNITS_PER_ACT = 5  # a horn divides by four and a world by five: where one unit is refused, so many are tried


class Outcome(NamedTuple):
    """What a throw does to a position: the weight of the throws that do so, the gain in wealth, the group after it."""

    weight: int
    gain: int
    group: int


class Game(NamedTuple):
    """The decision process, in units of the smallest stake."""

    positions: list[Laid]
    stakes: NDArray[np.int64]  # what a position holds of the player's wealth: stakes and refundable commission
    group_of: NDArray[np.int64]
    choices: list[list[int]]  # for each group the positions in it
    # For each group the groups that more chips lead to and none lead back from: contract bets and puts.
    onward: list[list[int]]
    locked: NDArray[np.int64]  # for each group the least that must stay on the felt
    outcomes: list[list[Outcome]]
    after: NDArray[np.int32]  # Shape (positions, 36): the position that each throw leaves
    gains: NDArray[np.int32]  # Shape (positions, 36): what each throw adds to the wealth
    watched: tuple[str, ...]  # the flags of a table that a position looks at, after its seat's `dont_banned`
    dice: LoadedDice
    start: int
    goal: int
    wealth_max: int  # from this wealth on the goal is reached in every group

    @property
    def states(self) -> int:
        return len(self.choices) * self.goal

    def reached(self, state: tuple[int, int]) -> bool:
        """Whether a group and a wealth are the goal, with all that must stay up lost."""
        return state[1] >= self.goal + int(self.locked[state[0]])


class Rules(NamedTuple):
    """Where a game is played: the house, what may be bet, the unit (the smallest stake, chip and payment), in money."""

    house: House
    wagers: tuple[str, ...]
    unit: Fraction = Fraction(1)
    odds: int | None = None  # how many times the flat bet odds may be; None: as the house posts
    put: bool = True  # whether a line bet may be made or raised once its point is set, where the house books it
    dice: LoadedDice = FAIR

    @property
    def cents(self) -> int:
        cents = self.unit * CENTS
        if cents.denominator != 1:
            raise ArgumentError("unit", str(self.unit), "a whole number of cents")
        return int(cents)

    @property
    def seating(self) -> Seating:
        """The table it is played at: nothing is too large, and a unit is the smallest stake and chip."""
        posted = self.house.book.notice.odds.value
        multiples = posted if self.odds is None else dict.fromkeys(self.house.book.points.value, self.odds)
        notice = Notice(self.cents, maximum=None, odds=multiples, chip=self.cents, props_minimum=self.cents)
        return Seating(self.house, self.unit, notice=notice)


def wagers_of(house: House, wagers: str | Sequence[str]) -> tuple[str, ...]:
    """What may be bet, each wager once: names as a list, or in a text with commas."""
    names = wagers.split(",") if isinstance(wagers, str) else instance("wagers", wagers, Sequence, "names of wagers")
    named = dict.fromkeys(instance("wagers", each, str, "names of wagers").strip() for each in names)
    if not any(named):
        raise ArgumentError("wagers", "none", f"wagers of {house.id}, such as pass, pass_odds")
    return tuple(named)


class Search:
    """Every position that play can reach from an empty table with less than the goal."""

    def __init__(self, rules: Rules, goal: int, progress: Callable[[int, int], None] | None = None) -> None:
        self.rules, self.goal, self.progress = rules, goal, progress
        self.unit = rules.cents
        self.setting = Setting(Strategy(id="best", name="best play", wants=()), rules.seating)
        self.layout: Layout = self.setting.layout
        names = {key: {key, spot.family} for key, spot in self.layout.spots.items()}
        # For each wager the spots that it may be bet on.
        self.spots = {wager: [key for key in names if wager in names[key]] for wager in rules.wagers}
        if unknown := [wager for wager, keys in self.spots.items() if not keys]:
            example = f"wagers of {rules.house.book.id}, such as pass, pass_odds"
            raise ArgumentError("wagers", ", ".join(unknown), example)
        self.keys = tuple(key for key in names if names[key] & set(rules.wagers))
        self.layouts = Layouts(self.setting, {self.layout.spots[key].rule.made.value for key in self.keys})
        self.numbers: dict[Laid, int] = {}
        self.queue: list[Laid] = []
        self.refused: dict[str, str] = {}  # for each wager the first thing that stood against a bet on it

    def run(self) -> Game:
        moves, rolls = self.explore()
        up = {key for position in self.queue for key, _ in position.felt}
        for wager, keys in self.spots.items():
            if not up.intersection(keys):  # an optimum over bets that nobody can make would say nothing of them
                refusal = next(
                    (self.refused[key] for key in sorted(keys) if key in self.refused), "it needs more chips."
                )
                expected = f"wagers that the dealers take with less than the goal: {refusal}"
                raise ArgumentError("wagers", wager, expected)
        return self._game(moves, rolls)

    def explore(self) -> tuple[dict[int, dict[int, int]], list[list[tuple[int, int]]]]:
        """Look at every position: where moving chips leads from it, and what each throw does."""
        self._number(self.setting.opening())
        moves: dict[int, dict[int, int]] = {}
        rolls: list[list[tuple[int, int]]] = []
        for at, position in enumerate(self.queue):
            table = self.layouts.table(position)
            moves[at] = dict.fromkeys(self._moves(position, table), 1)
            rolls.append(self._rolls(table))
            if self.progress and at % PROGRESS_EVERY == 0:
                self.progress(at, len(self.queue))
        return moves, rolls

    def _number(self, table: TableState) -> int:
        position = self.layouts.known_by(table)
        number = self.numbers.setdefault(position, len(self.queue))
        if number == len(self.queue):
            self.queue.append(position)
            if number >= POSITIONS_MAX:
                raise _too_large(self.rules, "")
        return number

    def _moves(self, position: Laid, table: TableState) -> list[int]:
        """The positions one act away: on one spot the least more or less that the dealers take."""
        held, felt = self._held(position.felt), dict(position.felt)
        reached = []
        for key in self.keys:
            up = felt[key].stake if key in felt else 0
            raises = held < self.goal and (self.rules.put or key not in self.layout.line or not position.puck)
            steps = [self.unit * units for units in range(1, UNITS_PER_ACT + 1)]
            more = (Bet(OURS, key, step) for step in steps if raises)
            less = (Take(OURS, key, up - step) for step in steps if step <= up)
            for acts in (less, more):
                after = self._first_taken(table, acts)
                if after is not None and self._held(after.seats[OURS].felt.items()) < self.goal:
                    reached.append(self._number(after))
        return reached

    def _first_taken(self, table: TableState, acts: Iterable[Bet | Take]) -> TableState | None:
        """The table after the first act that the dealers take and that costs nothing."""
        for act in acts:
            answer = decide(self.layout, table, act)
            if isinstance(answer, Refusal):
                self.refused.setdefault(act.wager, answer.message)
                if answer.code not in DIVIDED:
                    return None
                continue
            after = evolve(table, answer)
            if _worth(after) == _worth(table):
                return after
            self.refused.setdefault(act.wager, "its commission is gone with the bet, and best play may take bets down.")
        return None

    def _rolls(self, table: TableState) -> list[tuple[int, int]]:
        """For each of the 36 throws the gain in units and the next position."""
        before = _worth(table)
        results: dict[int, tuple[int, int]] = {}
        for throw, columns in throws(self.layout, table):
            _, after = thrown(self.layout, table, throw)
            gain = _worth(after) - before
            if gain % self.unit:
                raise ArgumentError("unit", str(self.rules.unit), "one in whole numbers of which the house pays")
            results |= dict.fromkeys(columns, (gain // self.unit, self._number(after)))
        return [results[column] for column in COLUMN]

    def _held(self, felt: Iterable[tuple[str, Wager]]) -> int:
        return sum(wager.stake + wager.held for _, wager in felt) // self.unit

    def _game(self, moves: dict[int, dict[int, int]], rolls: list[list[tuple[int, int]]]) -> Game:
        groups = in_order(moves)  # a group stands before every group that it leads to
        group_of = np.zeros(len(self.queue), dtype=np.int64)
        for number, members in enumerate(groups):
            group_of[members] = number
        stakes = np.array([self._held(position.felt) for position in self.queue], dtype=np.int64)
        onward = [
            sorted({int(group_of[to]) for one in members for to in moves[one]} - {number})
            for number, members in enumerate(groups)
        ]
        locked = np.array([stakes[members].min() for members in groups], dtype=np.int64)
        for number in reversed(range(len(groups))):
            locked[number] = locked[[number, *onward[number]]].min()
        outcomes = []
        for row in rolls:
            merged: Counter[tuple[int, int]] = Counter()
            for weight, (gain, to) in zip(self.rules.dice.weights, row, strict=True):
                merged[gain, int(group_of[to])] += weight
            outcomes.append([Outcome(weight, *way) for way, weight in merged.items()])
        return Game(
            positions=self.queue,
            stakes=stakes,
            group_of=group_of,
            choices=[sorted(members, key=lambda one: int(stakes[one])) for members in groups],
            onward=onward,
            locked=locked,
            outcomes=outcomes,
            after=np.array([[to for _, to in row] for row in rolls], dtype=np.int32),
            gains=np.array([[gain for gain, _ in row] for row in rolls], dtype=np.int32),
            watched=self.layouts.watched,
            dice=self.rules.dice,
            start=int(group_of[0]),
            goal=self.goal,
            wealth_max=self.goal + int(locked.max()),
        )


def _worth(table: TableState) -> int:
    seat = table.seats[OURS]
    return seat.rail + sum(wager.stake + wager.held for wager in seat.felt.values())


def game_of(rules: Rules, goal: int, progress: Callable[[int, int], None] | None = None) -> Game:
    search = Search(rules, goal, progress)
    if len(search.keys) > FEW_KEYS:
        _check_size(rules, goal)
    return search.run()


def _check_size(rules: Rules, goal: int) -> None:
    """Refuse in a second what would be searched for minutes and then be too large.

    The positions grow as a power of the goal, and that power grows too, so two small goals bound it from below.
    """
    last, near = 0, SMALLEST_GOAL
    while near < goal:
        search = Search(rules, near)
        search.explore()
        now = len(search.queue)
        if now > PROBE_POSITIONS and last:
            power = math.log(now / last) / math.log(near / (near - 1))
            if now * (goal / near) ** power > POSITIONS_MAX:
                most = int(near * (POSITIONS_MAX / now) ** (1 / power))
                at_least = f"{float(f'{now * (goal / near) ** power:.1g}'):,.0f}"
                raise _too_large(rules, f"; to {goal} units it has {at_least} or more, to {most} it may do")
            return
        last, near = now, near + 1


def _too_large(rules: Rules, size: str) -> ArgumentError:
    way_out = "fewer wagers, a nearer goal or a larger unit"
    return ArgumentError(
        "wagers", ", ".join(rules.wagers), f"a game of at most {POSITIONS_MAX:,} positions{size}: {way_out}"
    )
