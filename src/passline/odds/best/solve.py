"""The optimum of a game: value iteration in double precision to find the policy, fractions to prove it.

Values are iterated upwards from nothing, so that they converge to the least solution of Bellman's equations, which is
the true one: a player who waits for ever reaches no goal. A choice is taken over only when it is strictly better than
what was known, and so the policy never waits where waiting cannot help. The chain of that policy is then solved in
fractions and every choice of every state is held against it; one that is better, however little, is taken, and the
chain is solved again (Howard's policy iteration), until none is. A game too large for that has an error bound instead.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import takewhile
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.odds.best.game import Game
from passline.odds.best.gpu import Tables, reachable
from passline.odds.best.kernels import CLOSE, SWEEPS_MAX, evaluate, improve, iterate, raises, worths
from passline.odds.linear import visits

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
                if near and position != policy[state] and _worth(game, position, state.wealth, chances) > chance:
                    policy[state] = position
        if np.array_equal(policy, before):
            return chances[start], policy


def _worth(game: Game, position: int, wealth: int, chances: dict[State, Fraction]) -> Fraction:
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
