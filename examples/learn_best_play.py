"""An agent that learns the best way from 3 units to 6 at the field and on pass, scored against the exact optimum.

It knows nothing of dice or of the house. It plays at random, counts what every choice led to, and plans with those
counts. `python examples/learn_best_play.py` prints how far below the optimum its plan is, as an exact fraction.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from passline.envs import CrapsVectorEnv

PATIENCE = 0.999
"""What a roll later is worth: waiting is free, and an agent that does not mind would wait for ever."""


class Learnt(NamedTuple):
    policy: dict[tuple[int, int], int]
    optimum: Fraction
    gap: Fraction


def learn(steps: int = 2000, seed: int = 1, players: int = 4096) -> Learnt:
    env = CrapsVectorEnv(players, "strip", "pass,field", bankroll=3, goal=6)
    model = explore(env, steps, seed)
    policy = plan(env, model)
    return Learnt(policy, env.optimum(), env.score(policy))


def explore(env: CrapsVectorEnv, steps: int, seed: int) -> dict[tuple[int, int], Counter[tuple[int, int]]]:
    """For each group and choice, what it won and where it led, counted."""
    random, found = np.random.default_rng(seed), Counter[tuple[int, ...]]()
    seen, info = env.reset(seed=seed)
    for _ in range(steps):
        mask, group = info["action_mask"].astype(bool), seen[:, 2]
        choice, chose = np.where(mask, random.random(mask.shape), -1).argmax(axis=1), ~env.done
        seen, reward, _, _, info = env.step(choice)
        rows = np.stack([group, choice, reward.astype(np.int64), seen[:, 2]], axis=1)[chose]
        found.update(dict(zip(*_counted(rows), strict=True)))
    model: dict[tuple[int, int], Counter[tuple[int, int]]] = {}
    for (group, choice, won, after), count in found.items():
        model.setdefault((group, choice), Counter())[won, after] += count
    return model


def _counted(rows: np.ndarray) -> tuple[list[tuple[int, ...]], list[int]]:
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    return [tuple(row) for row in distinct.tolist()], counts.tolist()


def plan(env: CrapsVectorEnv, model: dict[tuple[int, int], Counter[tuple[int, int]]]) -> dict[tuple[int, int], int]:
    """Value iteration over what was counted; the wealth moves as the reward says."""
    goal = env.game.goal + env.game.locked
    value = np.where(np.arange(env.game.wealth_max + 1) >= goal[:, None], 1.0, 0.0)
    policy: dict[tuple[int, int], int] = {}
    for _ in range(200):
        for (group, choice), outcomes in model.items():
            for wealth in range(max(1, int(env.costs[group, choice])), int(goal[group])):
                after = (
                    (value[to, min(max(wealth + won, 0), env.game.wealth_max)], n) for (won, to), n in outcomes.items()
                )
                worth = PATIENCE * sum(each * n for each, n in after) / outcomes.total()
                if worth > value[group, wealth] + 1e-12:
                    value[group, wealth], policy[group, wealth] = worth, choice
    return policy


if __name__ == "__main__":
    learnt = learn()
    print(f"The optimum is {learnt.optimum} = {float(learnt.optimum):.6f}; the plan is {learnt.gap} below it.")
