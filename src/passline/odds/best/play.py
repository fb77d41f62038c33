"""Best play as an answer: asked in money, told state by state, tried on dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from passline.engine.values import ROLLS
from passline.errors import ArgumentError
from passline.files.amounts import Money, positive, whole_number
from passline.files.arguments import function, instance, one_of
from passline.house import House, open_house
from passline.odds.best.game import Position, Rules, game_of
from passline.odds.best.solve import Objective, Optimum, State, solve

THROWS = len(ROLLS)
GOAL_MAX = 2_000
"""Units that a goal may be: a finer grid is a larger unit's game with more digits."""
ODDS_MAX = 1_000
ROLLS_MAX = 100_000


@dataclass(frozen=True)
class Advice:
    """What the best player does in one state; amounts are units."""

    puck: int
    wealth: int
    """Rail and felt together."""
    up: Mapping[str, int]
    """What must stay up, at the least that the state can hold."""
    then: Mapping[str, int]
    """What is up when the dice go out."""
    value: float

    def say(self) -> str:
        """The advice as a sentence."""
        where = f"the point on {self.puck}" if self.puck else "the puck off"
        held = f" and {_listed(self.up)} up" if self.up else ""
        more = {key: stake - self.up.get(key, 0) for key, stake in self.then.items() if stake > self.up.get(key, 0)}
        return f"With {self.wealth} and {where}{held}: {_listed(more) or 'nothing more'}."


def _listed(stakes: Mapping[str, int]) -> str:
    parts = [f"{stake} on {key}" for key, stake in stakes.items()]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


@dataclass(frozen=True)
class BestPlay:
    """The exact optimum of one question, and the policy that reaches it."""

    house: House
    rules: Rules
    bankroll: int
    goal: int
    rolls: int | None
    objective: Objective
    optimum: Optimum

    @property
    def value(self) -> Fraction | float:
        """The chance of the goal (or the mean number of rolls): a fraction where the policy was proved in fractions."""
        return self.optimum.value if self.optimum.exact is None else self.optimum.exact

    @property
    def start(self) -> State:
        return State(self.optimum.game.start, self.bankroll)

    def at(self, state: State, roll: int = 0) -> Advice:
        """What to do in one state."""
        game = self.optimum.game
        least = min(game.choices[state.group], key=lambda each: int(game.stakes[each]))
        chosen = game.positions[self.optimum.choice(state, roll)]
        return Advice(
            puck=chosen.puck,
            wealth=state.wealth,
            up=self._units(game.positions[least]),
            then=self._units(chosen),
            value=float(self.optimum.values[state]),
        )

    def advice(self) -> list[Advice]:
        """Every state that somebody who plays so can meet, the first roll's policy throughout."""
        game, seen, waiting, found = self.optimum.game, {self.start}, [self.start], []
        while waiting:
            state = waiting.pop()
            found.append(self.at(state))
            for _, gain, group in game.outcomes[self.optimum.choice(state)]:
                after = State(group, state.wealth + gain)
                if after.wealth > 0 and not self.optimum.reached(after) and after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return sorted(found, key=lambda each: (each.puck, each.wealth, sorted(each.up.items())))

    def _units(self, position: Position) -> dict[str, int]:
        cents = int(self.rules.unit * 100)
        return {key: stake // cents for key, stake in position.up.items()}

    @cached_property
    def _sampler(self) -> tuple[np.ndarray[Any, np.dtype[np.int64]], ...]:
        """For each position and throw: the gain in units, and the group after it."""
        game = self.optimum.game
        gain = np.zeros((len(game.positions), THROWS), dtype=np.int64)
        group = np.zeros_like(gain)
        for number, outcomes in enumerate(game.outcomes):
            at = 0
            for weight, won, to in outcomes:
                gain[number, at : at + weight], group[number, at : at + weight] = won, to
                at += weight
        return gain, group

    def simulate(self, sessions: int, seed: int) -> float:
        """The share of so many evenings in which the policy reached the goal, on dice of a seed."""
        if self.objective != "chance":
            raise ArgumentError("objective", self.objective, "chance: only a chance is a share of evenings")
        gain, after = self._sampler
        game, random = self.optimum.game, np.random.default_rng(seed)
        group = np.full(sessions, game.start)
        wealth = np.full(sessions, self.bankroll)
        reached, roll = 0, 0
        while len(wealth) and (self.rolls is None or roll < self.rolls):
            policy = self.optimum.policy[min(roll, len(self.optimum.policy) - 1)]
            position = policy[group, wealth]
            throw = random.integers(0, THROWS, len(wealth))
            wealth = wealth + gain[position, throw]
            group = after[position, throw]
            done = wealth >= game.goal + game.locked[group]
            reached += int(done.sum())
            goes_on = ~done & (wealth > 0)
            group, wealth, roll = group[goes_on], wealth[goes_on], roll + 1
        return reached / sessions

    def to_json(self) -> dict[str, Any]:
        """Everything that was asked and found; amounts are units."""
        from passline.odds.sessions.distribution import decimal, written

        game = self.optimum.game
        return {
            "house": self.house.id,
            "wagers": list(self.rules.wagers),
            "unit": str(self.rules.unit),
            "bankroll": self.bankroll,
            "goal": self.goal,
            "rolls": self.rolls,
            "maximise": self.objective,
            "value": written(self.value),
            "value_decimal": decimal(self.value),
            "exact": self.optimum.exact is not None,
            "positions": len(game.positions),
            "states": game.states,
            "sweeps": self.optimum.sweeps,
            "policy": [
                {"puck": each.puck, "wealth": each.wealth, "up": each.up, "then": each.then, "value": each.value}
                for each in self.advice()
            ],
        }


def best_play(  # noqa: PLR0913 - one question, all of it by name
    house: House | str,
    wagers: str | Sequence[str],
    *,
    bankroll: int,
    goal: int,
    unit: Money = 1,
    rolls: int | None = None,
    odds: int | None = None,
    put: bool = True,
    maximise: Objective = "chance",
    exact: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> BestPlay:
    """The best way to turn `bankroll` units into `goal`, over every bet that these wagers and the dealers allow.

    A unit is the smallest stake, and the house pays in whole units as it rounds. Waiting is free; more than the goal is
    the goal. With `rolls` the goal must be reached within so many. `maximise="rolls"` asks instead how to play longest:
    a bet must then be up for every roll.

    >>> best_play("strip", ["pass"], bankroll=1, goal=2).value
    Fraction(244, 495)
    """
    room = open_house(house)
    names = wagers.split(",") if isinstance(wagers, str) else instance("wagers", wagers, Sequence, "names of wagers")
    goal = whole_number("goal", goal, least=2, most=GOAL_MAX)
    bankroll = whole_number("bankroll", bankroll, most=goal - 1)
    rules = Rules(
        room,
        tuple(instance("wagers", each, str, "names of wagers") for each in names),
        positive("unit", unit),
        None if odds is None else whole_number("odds", odds, most=ODDS_MAX),
        instance("put", put, bool, "true or false"),
    )
    one_of("maximise", maximise, ("chance", "rolls"))
    rolls = None if rolls is None else whole_number("rolls", rolls, most=ROLLS_MAX)
    if progress is not None:
        function("progress", progress)
    optimum = solve(game_of(rules, goal, progress), bankroll, objective=maximise, rolls=rolls, exact=exact)
    return BestPlay(room, rules, bankroll, goal, rolls, maximise, optimum)
