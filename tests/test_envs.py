"""The environments: their makers' checkers, the dealers' masks, the same game by engine and by lookup, and an agent."""

from __future__ import annotations

import runpy
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test  # noqa: E402

from passline.analysis.best import best_play  # noqa: E402
from passline.envs import ROLL, CrapsEnv, CrapsTable, CrapsVectorEnv  # noqa: E402
from passline.errors import ArgumentError  # noqa: E402

EXAMPLE = Path(__file__).parents[1] / "examples" / "learn_best_play.py"


@pytest.mark.parametrize("wagers", ["pass,pass_odds", "dont_pass,field", "place_6,hard_8"])
def test_gymnasium_has_nothing_to_say(wagers: str) -> None:
    check_env(CrapsEnv("strip", wagers, bankroll=5, goal=9), skip_render_check=True)


def test_gymnasium_makes_it_by_name() -> None:
    env = gymnasium.make("passline/Craps-v0", house="sydney", wagers="dont_pass", bankroll=5, goal=9)
    check_env(env.unwrapped)
    assert isinstance(env.unwrapped, CrapsEnv)
    assert env.unwrapped.felt.keys == ("dont_pass",)


@pytest.mark.filterwarnings("ignore")  # PettingZoo's test warns of what it merely recommends
def test_pettingzoo_has_nothing_to_say() -> None:
    api_test(CrapsTable("sydney", "pass,field", players=3, bankroll=4, goal=8), num_cycles=300)


def test_the_mask_is_what_the_dealers_would_take() -> None:
    """Every action with a one changes the felt, every other is refused and changes nothing."""
    env = CrapsEnv("strip", "pass,pass_odds,field", bankroll=3, goal=9, rolls=40)
    random = np.random.default_rng(3)
    seen, info = env.reset(seed=3)
    for _ in range(60):
        table = env.table
        for action in range(1, env.felt.actions):
            env.table, env.acts = table, 0
            after, _, over, _, answered = env.step(action)
            assert not over
            assert ("refusal" in answered) is not bool(info["action_mask"][action])
            assert np.array_equal(after, seen) is not bool(info["action_mask"][action])
        env.table, env.acts = table, 0
        choice = random.choice(np.flatnonzero(info["action_mask"]))
        seen, _, over, cut, info = env.step(choice)
        if over or cut:
            seen, info = env.reset()


def test_bold_play_by_hand() -> None:
    """All on pass: the episode pays what the wealth gained, and ends broke or at the goal."""
    env = CrapsEnv("strip", "pass", bankroll=2, goal=4)
    won = 0
    for episode in range(400):
        env.reset(seed=episode)
        total, over = 0.0, False
        env.step(1)
        env.step(1)
        while not over:
            _, reward, over, cut, _ = env.step(ROLL)
            assert not cut
            total += reward
        assert total in {-2.0, 2.0}
        won += total > 0
    assert abs(won / 400 - 244 / 495) < 3 * 0.025


def test_an_action_that_is_none_is_said() -> None:
    env = CrapsEnv("strip", "pass")
    env.reset(seed=1)
    with pytest.raises(ArgumentError, match="action"):
        env.step(99)


def test_the_players_of_one_table_share_its_dice() -> None:
    env = CrapsTable("strip", "pass", bankroll=3, goal=9)
    env.reset(seed=5)
    nets: dict[str, float] = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(max_iter=400):
        observation, reward, over, cut, _ = env.last()
        nets[agent] += float(reward)
        mask = observation["action_mask"]
        env.step(None if over or cut else 1 if mask[1] and not observation["observation"][2] else ROLL)
    assert nets["player_1"] == nets["player_2"] != 0


def test_by_lookup_best_play_reaches_what_it_promises() -> None:
    """The optimal policy in the vectorised environment wins as often as its exact value says."""
    env = CrapsVectorEnv(4096, "strip", "pass,pass_odds", bankroll=3, goal=6, reward="goal")
    answer = best_play("strip", "pass,pass_odds", bankroll=3, goal=6)
    assert env.optimum() == answer.value
    policy = answer.optimum.policy[0]
    place = np.zeros(policy.shape, dtype=np.int64)
    for group in range(policy.shape[0]):
        for wealth in range(policy.shape[1]):
            place[group, wealth] = np.flatnonzero(env.options[group] == policy[group, wealth])[0]
    seen, _ = env.reset(seed=7)
    games = won = 0.0
    for _ in range(300):
        seen, reward, over, _, info = env.step(place[seen[:, 2], seen[:, 1]])
        games, won = games + over.sum(), won + reward.sum()
        assert info["action_mask"].any(axis=1).all()
    value = float(answer.value)
    assert abs(won / games - value) < 3 * (value * (1 - value) / games) ** 0.5
    table = {(group, wealth): int(place[group, wealth]) for group, wealth in np.ndindex(place.shape)}
    assert env.score(table) == 0
    assert env.score({}) == answer.value, "who never bets never arrives"


@pytest.mark.slow
def test_the_example_agent_reaches_the_optimum() -> None:
    learnt = runpy.run_path(str(EXAMPLE))["learn"](steps=1500, seed=2)
    assert isinstance(learnt.gap, Fraction)
    assert 0 <= learnt.gap < Fraction(1, 10_000)
