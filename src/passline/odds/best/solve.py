"""The optimum of a game: value iteration in double precision to find the policy, fractions to prove it.

Values are iterated upwards from nothing, so that they converge to the least solution of Bellman's equations, which is
the true one: a player who waits for ever reaches no goal. A choice is taken over only when it is strictly better than
what was known, and so the policy never waits where waiting cannot help. The chain of that policy is then solved in
fractions and every choice of every state is held against it; one that is better, however little, is taken, and the
chain is solved again (Howard's policy iteration), until none is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.engine.values import ROLLS
from passline.errors import SessionError
from passline.odds.absorbing import in_order
from passline.odds.best.game import Game
from passline.odds.linear import solve as solve_linear

Objective = Literal["chance", "rolls"]
"""The chance of the goal before ruin; the rolls with a bet up before either."""

THROWS = len(ROLLS)
CLOSE = 1e-15
"""A sweep that changes no value by more than this is the last."""
SWEEPS_MAX = 200_000
EXACT_STATES_MAX = 6_000
"""Up to so many states a policy is proved in fractions unless somebody asks otherwise."""
DOUBTFUL = 1e-9
"""A choice that is worse by more than this in double precision is worse."""
PROGRESS_EVERY = 64


class State(NamedTuple):
    """Where a choice is made: a group of positions, and the player's wealth in units."""

    group: int
    wealth: int


class Optimum(NamedTuple):
    """What the best player can expect, and how."""

    game: Game
    objective: Objective
    bankroll: int
    rolls: int | None
    """The horizon; None: as long as it takes."""
    values: NDArray[np.float64]
    """Shape (groups, wealths): the value before the choice."""
    policy: list[NDArray[np.int64]]
    """For each roll of the horizon (one array without it), shape (groups, wealths): the position chosen."""
    exact: Fraction | None
    """The value as a fraction, of a policy that no other beats; None where the game was too large to prove."""
    sweeps: int

    @property
    def value(self) -> float:
        return float(self.values[self.game.start, self.bankroll])

    def choice(self, state: State, roll: int = 0) -> int:
        """The position that the best player brings about, `roll` rolls into the horizon."""
        return int(self.policy[min(roll, len(self.policy) - 1)][state])

    def reached(self, state: State) -> bool:
        return state.wealth - int(self.game.locked[state.group]) >= self.game.goal


class _Arrays:
    """The game as arrays that a sweep reads: positions in the order of their groups, outcomes padded to one width."""

    def __init__(self, game: Game, objective: Objective) -> None:
        self.game = game
        width = game.wealth_max + 1
        self.order = np.array([each for members in game.choices for each in members], dtype=np.int64)
        self.starts = np.cumsum([0, *(len(members) for members in game.choices[:-1])])
        most = max(map(len, game.outcomes))
        shape = (len(self.order), most)
        self.weight = np.zeros(shape)
        self.group = np.zeros(shape, dtype=np.int64)
        self.gain = np.zeros(shape, dtype=np.int64)
        for row, position in enumerate(self.order):
            for column, outcome in enumerate(game.outcomes[position]):
                self.weight[row, column] = outcome.weight / THROWS
                self.group[row, column] = outcome.group
                self.gain[row, column] = outcome.gain
        wealth = np.arange(width)
        stakes = game.stakes[self.order]
        allowed = wealth >= stakes[:, None]
        if objective == "rolls":
            allowed &= (stakes > 0)[:, None]
        self.allowed = allowed
        self.done = wealth >= (game.goal + game.locked)[:, None]
        self.prize = 1.0 if objective == "chance" else 0.0
        self.reward = 0.0 if objective == "chance" else 1.0
        self.wealth = wealth
        self.linked = [group for group in reversed(range(len(game.onward))) if game.onward[group]]

    def opening(self) -> NDArray[np.float64]:
        return np.where(self.done, self.prize, 0.0)

    def worth(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shape (positions, wealths): what each choice is worth when the values after the roll are these."""
        total = np.full(self.allowed.shape, self.reward)
        last = self.game.wealth_max
        for column in range(self.weight.shape[1]):
            after = np.clip(self.wealth + self.gain[:, column, None], 0, last)
            total += self.weight[:, column, None] * values[self.group[:, column, None], after]
        return np.where(self.allowed, total, -1.0)

    def best(self, worth: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The best of each group, groups that more chips lead to included, and the position that gives it."""
        values = np.maximum.reduceat(worth, self.starts, axis=0)
        chosen = np.empty(values.shape, dtype=np.int64)
        ends = [*self.starts[1:], len(self.order)]
        for group, (start, end) in enumerate(zip(self.starts, ends, strict=True)):
            chosen[group] = self.order[start + worth[start:end].argmax(axis=0)]
        for group in self.linked:
            for onward in self.game.onward[group]:
                better = values[onward] > values[group]
                values[group] = np.where(better, values[onward], values[group])
                chosen[group] = np.where(better, chosen[onward], chosen[group])
        values = np.where(self.done, self.prize, np.maximum(values, 0.0))
        return values, chosen


def solve(  # noqa: PLR0913 - a game and how to solve it
    game: Game,
    bankroll: int,
    *,
    objective: Objective = "chance",
    rolls: int | None = None,
    exact: bool | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> Optimum:
    """The best policy from an empty table with `bankroll` units; `exact` insists on fractions, or does without.

    `progress` is told now and then how many sweeps are done and how much the last one changed.
    """
    arrays = _Arrays(game, objective)
    if rolls is not None:
        return _within(arrays, bankroll, objective, rolls, exact=exact)
    values = arrays.opening()
    policy = np.full(values.shape, -1, dtype=np.int64)
    sweep = 0
    for sweep in range(1, SWEEPS_MAX + 1):
        fresh, chosen = arrays.best(arrays.worth(values))
        change = fresh - values
        better = change > 0
        policy[better] = chosen[better]
        values = np.where(better, fresh, values)
        most = float(change.max())
        if progress and sweep % PROGRESS_EVERY == 0:
            progress(sweep, most)
        if most <= CLOSE * max(1.0, float(values.max())):
            break
    else:
        raise SessionError(f"best play did not settle within {SWEEPS_MAX:,} sweeps; a nearer goal does")
    policy = np.where(policy < 0, _idle(game)[:, None], policy)
    value = None
    if objective == "chance" and (exact or (exact is None and game.states <= EXACT_STATES_MAX)):
        value, policy = _proved(game, policy, State(game.start, bankroll), arrays)
    return Optimum(game, objective, bankroll, None, values, [policy], value, sweep)


def _idle(game: Game) -> NDArray[np.int64]:
    """The position with the least up in each group: what whoever can gain nothing more does."""
    return np.array([members[0] for members in game.choices], dtype=np.int64)


# --- fractions: the chain of a policy, and whether any choice beats it ----------------------------------------------


def _steps(game: Game, position: int, wealth: int) -> Iterator[tuple[int, State]]:
    for weight, gain, group in game.outcomes[position]:
        yield weight, State(group, wealth + gain)


def _reached(game: Game, state: State) -> bool:
    return state.wealth >= game.goal + int(game.locked[state.group])


def _states(game: Game) -> Iterator[State]:
    """Where a choice is still to be made: with chips, and not at the goal yet."""
    for group, members in enumerate(game.choices):
        least = int(game.stakes[members].min())
        for wealth in range(max(1, least), game.goal + int(game.locked[group])):
            yield State(group, wealth)


def _chances(game: Game, policy: NDArray[np.int64]) -> dict[State, Fraction]:
    """The chance of the goal under a policy from every state that can be met, as fractions."""
    steps: dict[State, dict[State, int]] = {}
    prize: dict[State, int] = {}
    for state in _states(game):
        inside: dict[State, int] = {}
        prize[state] = 0
        for weight, after in _steps(game, int(policy[state]), state.wealth):
            if _reached(game, after):
                prize[state] += weight
            elif after.wealth > 0:
                inside[after] = inside.get(after, 0) + weight
        steps[state] = inside
    chances: dict[State, Fraction] = {}
    for members in reversed(in_order(steps)):
        chances |= _group_chances(members, steps, prize, chances)
    return chances


def _group_chances(
    members: list[State],
    steps: dict[State, dict[State, int]],
    prize: dict[State, int],
    known: dict[State, Fraction],
) -> dict[State, Fraction]:
    """States that lead to one another, solved together, from those that are solved already."""
    inside = set(members)
    flow = {
        state: prize[state]
        + sum((weight * known[to] for to, weight in steps[state].items() if to not in inside), Fraction(0))
        for state in members
    }
    if not any(flow.values()):
        return dict.fromkeys(members, Fraction(0))  # for ever among themselves, or to ruin
    if len(members) == 1:
        (state,) = members
        return {state: Fraction(flow[state]) / (THROWS - steps[state].get(state, 0))}
    matrix = [[(one == other) * THROWS - steps[one].get(other, 0) for other in members] for one in members]
    common = np.lcm.reduce([Fraction(flow[one]).denominator for one in members], dtype=object)
    tops, bottom = solve_linear(np.array(matrix, dtype=np.int64), [int(flow[one] * common) for one in members])
    return {state: Fraction(top, bottom * int(common)) for state, top in zip(members, tops, strict=True)}


def _proved(game: Game, policy: NDArray[np.int64], start: State, arrays: _Arrays) -> tuple[Fraction, NDArray[np.int64]]:
    """The value of the best policy, which no choice in any state improves upon.

    Choices that double precision shows to be worse by more than its error are not worked out in fractions.
    """
    policy = policy.copy()
    while True:
        chances = _chances(game, policy)
        values = arrays.opening()
        for state, chance in chances.items():
            values[state] = float(chance)
        worth = arrays.worth(values)

        def exactly(position: int, wealth: int, chances: dict[State, Fraction] = chances) -> Fraction:
            after = _steps(game, position, wealth)
            return sum((weight * _chance(game, to, chances) for weight, to in after), Fraction(0)) / THROWS

        changed = False
        place = {int(position): row for row, position in enumerate(arrays.order)}
        for state, chance in chances.items():
            for position in _options(game, state):
                near = worth[place[position], state.wealth] > float(chance) - DOUBTFUL
                if near and position != policy[state] and exactly(position, state.wealth) > chance:
                    policy[state], changed = position, True
        if not changed:
            return chances[start], policy


def _chance(game: Game, state: State, chances: dict[State, Fraction]) -> Fraction:
    if _reached(game, state):
        return Fraction(1)
    return chances[state] if state.wealth > 0 else Fraction(0)


def _options(game: Game, state: State) -> Iterator[int]:
    """Every position that may be brought about: of the group and of all that more chips lead to."""
    waiting, seen = [state.group], {state.group}
    while waiting:
        group = waiting.pop()
        for position in game.choices[group]:
            if game.stakes[position] > state.wealth:
                break  # they stand in the order of their stakes
            yield position
        fresh = set(game.onward[group]) - seen
        seen |= fresh
        waiting += fresh


# --- a horizon ------------------------------------------------------------------------------------------------------


def _within(arrays: _Arrays, bankroll: int, objective: Objective, rolls: int, *, exact: bool | None) -> Optimum:
    """The best policy of so many rolls: backward induction, one policy a roll."""
    game = arrays.game
    values = arrays.opening()
    policies = []
    for _ in range(rolls):
        values, chosen = arrays.best(arrays.worth(values))
        policies.append(chosen)
    policies.reverse()
    value = None
    if objective == "chance" and exact is not False and game.states * rolls <= 20 * EXACT_STATES_MAX:
        value = _within_exactly(game, policies, State(game.start, bankroll))
    return Optimum(game, objective, bankroll, rolls, values, policies, value, rolls)


def _within_exactly(game: Game, policies: list[NDArray[np.int64]], start: State) -> Fraction:
    """The chance of the goal under these policies, forwards in whole numbers of 36ths."""
    at, won = {start: 1}, 0
    for policy in policies:
        won *= THROWS
        ahead: dict[State, int] = {}
        for state, often in at.items():
            for weight, after in _steps(game, int(policy[state]), state.wealth):
                if _reached(game, after):
                    won += often * weight
                elif after.wealth > 0:
                    ahead[after] = ahead.get(after, 0) + often * weight
        at = ahead
    return Fraction(won, THROWS ** len(policies))
