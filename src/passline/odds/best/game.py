"""A house and a set of wagers as a Markov decision process, by asking the engine about every position and every act.

A *position* is the puck, the flags that windows of betting look at, and our felt. Before each roll the player may move
chips between rail and felt, a unit at a time, as far as the dealers let them; positions that can be reached from one
another so are one *group*: whoever is in one may choose any. Moving chips leaves the player's *wealth* (rail, stakes
and refundable commission) as it is, and no answer of the engine depends on how deep a rail is, so a state of the
process is a group and a wealth, and a choice is a position that the wealth can pay for.

Value iteration in double precision finds the best policy, and fractions prove it. Values are iterated upwards from
nothing, so that they converge to the least solution of Bellman's equations, which is the true one: a player who waits
for ever reaches no goal. A choice is taken over only when it is strictly better than what was known, and so the policy
never waits where waiting cannot help. The chain of that policy is then solved in fractions and every choice of every
state is held against it; one that is better, however little, is taken, and the chain is solved again (Howard's policy
iteration), until none is. A game too large for that has an error bound instead.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import takewhile
from typing import Literal, NamedTuple

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
from passline.odds.best.gpu import Tables, reachable
from passline.odds.best.kernels import CLOSE, SWEEPS_MAX, evaluate, improve, iterate, raises, worths
from passline.odds.linear import in_order, visits
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


# The chance of the goal before ruin; the rolls with a bet up before either; the mean utility of the wealth left.
Objective = Literal["chance", "rolls", "utility"]

EXACT_STATES_MAX = 6_000  # up to so many states a policy is proved in fractions unless somebody asks otherwise
LITTLES = tuple(10.0**-power for power in range(13, 5, -1))  # what is added for an error bound, until it is enough
DOUBTFUL = 1e-9  # a choice that is worse by more than this in double precision is worse


class State(NamedTuple):
    """Where a choice is made: a group of positions, and the player's wealth in units."""

    group: int
    wealth: int


class Optimum(NamedTuple):
    game: Game
    objective: Objective
    bankroll: int
    rolls: int | None  # the horizon; None: as long as it takes
    values: NDArray[np.float64]  # Shape (groups, wealths): the value before the choice
    # For each roll of the horizon (one array without it), shape (groups, wealths): the position chosen.
    policy: list[NDArray[np.int64]]
    # The value as a fraction, of a policy that no other beats; None where the game was too large to prove.
    exact: Fraction | None
    sweeps: int
    error_bound: float | None  # how far above `value` the optimum can be; None where that was not worked out

    @property
    def value(self) -> float:
        return float(self.values[self.game.start, self.bankroll])

    def choice(self, state: State, roll: int = 0) -> int:
        """The position that the best player brings about, `roll` rolls into the horizon."""
        return int(self.policy[min(roll, len(self.policy) - 1)][state])


def utility(wealth: NDArray[np.float64], aversion: float) -> NDArray[np.float64]:
    """Utility of constant relative risk aversion: 0 is the wealth itself, 1 its logarithm, which is growth."""
    with np.errstate(divide="ignore"):
        return np.log(wealth) if aversion == 1 else (wealth ** (1 - aversion)) / (1 - aversion)


def solve(  # noqa: PLR0913 - a game and how to solve it
    game: Game,
    bankroll: int,
    *,
    objective: Objective = "chance",
    aversion: float = 1.0,
    rolls: int | None = None,
    exact: bool | None = None,
) -> Optimum:
    """The best policy from an empty table with `bankroll` units; `exact` insists on fractions, or does without."""
    reward = float(objective == "rolls")
    tables = tables_of(game, idle_costs=objective == "rolls", reward=reward, stays=rolls is not None)
    opening = _opening(game, tables, objective, aversion)
    if rolls is not None:
        return _within(game, tables, opening, bankroll, objective, rolls, exact=exact)
    values, chosen, sweeps = iterate(tables, opening)
    policy = np.where(chosen < 0, _idle(game)[:, None], tables.position[chosen])
    value, bound = None, None
    if objective == "chance" and (exact or (exact is None and game.states <= EXACT_STATES_MAX)):
        value, policy = _proved(game, policy, State(game.start, bankroll), tables)
    elif objective == "chance":
        bound = _error_bound(game, tables, values, State(game.start, bankroll))
    return Optimum(game, objective, bankroll, None, values, [policy], value, sweeps, bound)


def tables_of(game: Game, *, idle_costs: bool = False, reward: float = 0.0, stays: bool = False) -> Tables:
    """The game as flat arrays: rows are positions in the order of their groups and, in a group, of their stakes.

    A roll that changes nothing is left out, for whoever waits for a change makes the same choice again, unless the
    rolls are counted (`stays`).
    """
    order = np.array([each for members in game.choices for each in members], dtype=np.int64)
    outcomes = [game.outcomes[each] for each in order]
    flat = np.array([outcome for row in outcomes for outcome in row], dtype=np.int64)
    row_of = np.repeat(np.arange(len(order)), [len(row) for row in outcomes])
    idle = (flat[:, 1] == 0) & (flat[:, 2] == game.group_of[order][row_of]) & (not stays)
    changes = game.dice.whole - np.bincount(row_of[idle], flat[idle, 0], minlength=len(order))
    flat, row_of = flat[~idle], row_of[~idle]
    stakes = game.stakes[order]
    return Tables(
        first=_starts(game.choices),
        position=order,
        stakes=stakes,
        skipped=((stakes == 0) & idle_costs) | (changes == 0),
        reward=np.where(stakes > 0, reward, 0.0) * game.dice.whole / np.maximum(changes, 1),
        out=np.searchsorted(row_of, np.arange(len(order) + 1)),
        weight=flat[:, 0] / changes[row_of],
        gain=flat[:, 1].copy(),
        group=flat[:, 2].copy(),
        onward_first=_starts(game.onward),
        onward=np.array([each for row in game.onward for each in row], dtype=np.int64),
        limit=game.goal + game.locked,
    )


def _starts(rows: list[list[int]]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)


def _opening(game: Game, tables: Tables, objective: Objective, aversion: float) -> NDArray[np.float64]:
    """What each state is worth to whoever makes no more bets; what must stay up is played out."""
    wealth = np.arange(game.wealth_max + 1)
    done = wealth >= tables.limit[:, None]
    if objective != "utility":
        return np.where(done, float(objective == "chance"), 0.0)
    worth = utility(np.minimum(wealth, game.goal).astype(np.float64), aversion)
    lost = np.maximum(wealth - game.locked[:, None], 0)  # all that must stay up
    values: NDArray[np.float64] = np.where(done, worth, worth[lost])
    rows = np.tile(tables.first[:-1, None], (1, len(wealth)))
    for _ in range(SWEEPS_MAX):
        if evaluate(values, rows, tables) <= CLOSE:
            break
    return values


def _idle(game: Game) -> NDArray[np.int64]:
    return np.array([members[0] for members in game.choices], dtype=np.int64)


def _error_bound(game: Game, tables: Tables, values: NDArray[np.float64], start: State) -> float | None:
    """How far above these values the optimum can be: by a function that no choice of any state can raise.

    Any function that is 1 at the goal and that no choice raises on average is above the optimum (Park's induction).
    Ours adds a little of the standard deviation of reaching the goal to the values: as that is a concave function of
    them, every bet at risk lowers its mean, and so makes up for what rounding left. Whoever has nothing up may wait for
    any puck, so all such groups are worth as much as the best of them; rolls that only lead among them raise nothing.
    """
    bare = np.array([game.stakes[members[0]] == 0 for members in game.choices])
    row_of = np.repeat(np.arange(len(tables.stakes)), np.diff(tables.out))
    moved = np.bincount(row_of, (tables.gain != 0) | ~bare[tables.group], minlength=len(tables.stakes))
    waits = (moved == 0) & np.repeat(bare, np.diff(tables.first))
    inside = np.arange(values.shape[1]) < tables.limit[:, None]
    spread = np.sqrt(np.clip(values * (1 - values), 0, None))
    for little in LITTLES:
        above = np.where(inside, values + little * spread, values)
        for _ in range(2):  # a group may lead to a bare one, and a bare one to others
            for group in reversed(range(len(above))):
                above[group] = above[[group, *game.onward[group]]].max(axis=0)
            above[bare] = above[bare].max(axis=0)
        onward_raises = any((above[to] > above[group]).any() for group, ahead in enumerate(game.onward) for to in ahead)
        if not onward_raises and not raises(above, tables, waits):
            return float(above[start] - values[start])
    return None


def _steps(game: Game, position: int, wealth: int) -> Iterator[tuple[int, State]]:
    for weight, gain, group in game.outcomes[position]:
        yield weight, State(group, wealth + gain)


def _states(game: Game) -> Iterator[State]:
    """Where a choice is still to be made: with chips, and not at the goal yet."""
    for group, members in enumerate(game.choices):
        least = int(game.stakes[members].min())
        for wealth in range(max(1, least), game.goal + int(game.locked[group])):
            yield State(group, wealth)


def _chances(game: Game, policy: NDArray[np.int64]) -> dict[State, Fraction]:
    """The chance of the goal under a policy from every state that can be met, as fractions.

    A chance is the prizes ahead, weighed by how often they are come to: the visits of the chain walked backwards.
    """
    back: dict[State, Counter[State]] = {state: Counter() for state in _states(game)}
    prize: Counter[State] = Counter()
    for state in back:
        for weight, after in _steps(game, int(policy[state]), state.wealth):
            if game.reached(after):
                prize[state] += weight
            elif after.wealth > 0:
                back[after][state] += weight
    whole = game.dice.whole
    return visits({state: Fraction(weight, whole) for state, weight in prize.items()}, back, whole)


def _proved(game: Game, policy: NDArray[np.int64], start: State, tables: Tables) -> tuple[Fraction, NDArray[np.int64]]:
    """The value of the best policy, which no choice in any state improves upon.

    Choices that double precision shows to be worse by more than its error are not worked out in fractions.
    """
    policy, closure = policy.copy(), reachable(game.onward)
    place = {int(position): row for row, position in enumerate(tables.position)}
    while True:
        chances = _chances(game, policy)
        values = _opening(game, tables, "chance", 0)
        for state, chance in chances.items():
            values[state] = float(chance)
        worth, before = worths(values, tables), policy.copy()
        for state, chance in chances.items():
            for position in _options(game, closure[state.group], state.wealth):
                near = worth[place[position], state.wealth] > float(chance) - DOUBTFUL
                if near and position != policy[state] and _worth_of(game, position, state.wealth, chances) > chance:
                    policy[state] = position
        if np.array_equal(policy, before):
            return chances[start], policy


def _worth_of(game: Game, position: int, wealth: int, chances: dict[State, Fraction]) -> Fraction:
    """The chance of the goal with a position brought about, and these chances after the roll."""
    after = (
        (weight, Fraction(1) if game.reached(to) else chances.get(to, Fraction(0)))
        for weight, to in _steps(game, position, wealth)
    )
    return sum((weight * chance for weight, chance in after), Fraction(0)) / game.dice.whole


def _options(game: Game, groups: list[int], wealth: int) -> Iterator[int]:
    """Every position that may be brought about: of the group and of all that more chips lead to."""
    for group in groups:
        # They stand in the order of their stakes.
        yield from takewhile(lambda position: game.stakes[position] <= wealth, game.choices[group])


def policy_value(game: Game, policy: NDArray[np.int64], start: State) -> Fraction:
    """The exact chance of the goal under any policy: for each group and wealth the position to bring about."""
    return _chances(game, policy)[start]


def _within(  # noqa: PLR0913, PLR0917 - a game and how to solve it
    game: Game,
    tables: Tables,
    opening: NDArray[np.float64],
    bankroll: int,
    objective: Objective,
    rolls: int,
    *,
    exact: bool | None,
) -> Optimum:
    """The best policy of so many rolls: backward induction, one policy a roll."""
    values, policies = opening, []
    for _ in range(rolls):
        ahead, chosen = values.copy(), np.full(values.shape, -1, dtype=np.int64)
        improve(values, ahead, chosen, tables, 0.0, True)  # noqa: FBT003 - Numba has no keywords
        policies.append(np.where(chosen < 0, _idle(game)[:, None], tables.position[chosen]))
        values = ahead
    policies.reverse()
    value = None
    if objective == "chance" and exact is not False and game.states * rolls <= 20 * EXACT_STATES_MAX:
        value = _within_exactly(game, policies, State(game.start, bankroll))
    return Optimum(game, objective, bankroll, rolls, values, policies, value, rolls, None)


def _within_exactly(game: Game, policies: list[NDArray[np.int64]], start: State) -> Fraction:
    """The chance of the goal under these policies, forwards in whole numbers of throws."""
    at, won, whole = {start: 1}, 0, game.dice.whole
    for policy in policies:
        won *= whole
        ahead: dict[State, int] = {}
        for state, often in at.items():
            for weight, after in _steps(game, int(policy[state]), state.wealth):
                if game.reached(after):
                    won += often * weight
                elif after.wealth > 0:
                    ahead[after] = ahead.get(after, 0) + often * weight
        at = ahead
    return Fraction(won, whole ** len(policies))
