"""Craps for learning agents: a Gymnasium environment, a PettingZoo table, and a vectorised one from the machine.

The first two ask `decide` about every act and `evolve` the table, so an action mask is what the dealers would take. The
vectorised one looks the same answers up in the decision process of `odds.best`, whose exact optimum is the yardstick.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from passline.engine.commands import Bet, Sit, Take, Throw
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.refusals import Refusal
from passline.engine.table import TableState
from passline.engine.values import ROLLS
from passline.errors import ArgumentError
from passline.files.amounts import Money, positive, whole_number
from passline.files.arguments import one_of
from passline.files.needed import missing
from passline.house import House, open_house
from passline.machine.play import OTHER, OURS, Setting
from passline.odds.best.game import Game, Rules, Search, State, game_of, policy_value, solve, wagers_of
from passline.odds.best.gpu import reachable
from passline.strategies.language.strategy import Strategy

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from pettingzoo import AECEnv
    from pettingzoo.utils.agent_selector import AgentSelector
except ImportError as error:
    raise missing(error, "an environment for learning agents") from error

# What an agent is paid: what a roll adds to its wealth, in units; or one for reaching the goal.
Reward = Literal["net", "goal"]
PLAYERS_MAX = 8
ACTS_MAX = 64  # Acts between two rolls; then only the dice are left
ROLL = 0  # the action that ends the betting: the dice go out, or at a table of several, the next player's turn begins

Observation = NDArray[np.int32]
Info = dict[str, Any]


class _Felt:
    """What a seat can do and see at a table of some rules: actions and observations as numbers."""

    def __init__(self, rules: Rules, bankroll: int, goal: int) -> None:
        self.rules, self.bankroll, self.goal, self.unit = rules, bankroll, goal, rules.cents
        self.setting = Setting(Strategy(id="agent", name="an agent", wants=()), rules.seating)
        self.layout, self.keys = self.setting.layout, Search(rules, goal).keys
        self.actions = 1 + 2 * len(self.keys)
        high = np.full(2 + 2 * len(self.keys), np.iinfo(np.int32).max, dtype=np.int32)
        self.space = spaces.Box(np.zeros_like(high), high, dtype=np.int32)

    def opening(self, seats: Sequence[int]) -> TableState:
        """An empty table at which these seats have the bankroll, and somebody uncounted throws."""
        table, rail = self.setting.opening(), self.bankroll * self.unit
        for seat in seats:
            if seat not in table.seats:
                answer = decide(self.layout, table, Sit(seat, f"player {seat}", rail))
                assert not isinstance(answer, Refusal), answer
                table = evolve(table, answer)
        mine = {seat: table.seats[seat]._replace(rail=rail) for seat in seats}
        return table._replace(seats={**table.seats, **mine})

    def act(self, seat: int, action: int, table: TableState) -> TableState | Refusal | None:
        """The table after an action; the dealers' refusal; None where it ends the betting, or takes from nothing."""
        place, less = divmod(action - 1, 2)
        key = self.keys[place]
        wager = table.seats[seat].felt.get(key)
        if action == ROLL or (less and wager is None):
            return None
        take = Take(seat, key, wager.stake - self.unit) if less and wager else None
        answer = decide(self.layout, table, take or Bet(seat, key, self.unit))
        return answer if isinstance(answer, Refusal) else evolve(table, answer)

    def mask(self, seat: int, table: TableState, *, acts: int = 0) -> NDArray[np.int8]:
        """Which actions the dealers would take now."""
        mask = np.zeros(self.actions, dtype=np.int8)
        mask[ROLL] = 1
        for action in range(1, self.actions if acts < ACTS_MAX else 1):
            mask[action] = isinstance(self.act(seat, action, table), TableState)
        return mask

    def observe(self, seat: int, table: TableState) -> Observation:
        """The puck, the rail in units, and for each wager its units and what it remembers."""
        mine = table.seats[seat]
        up = [mine.felt.get(key) for key in self.keys]
        parts = [part for each in up for part in ((each.stake // self.unit, each.mark) if each else (0, 0))]
        return np.array([table.puck, mine.rail // self.unit, *parts], dtype=np.int32)

    def words(self, seats: Iterable[int], table: TableState) -> str:
        """The puck, and what these seats have, for people."""
        parts = [f"puck {table.puck or 'off'}"]
        for mine in (table.seats[seat] for seat in seats):
            up = {key: wager.stake // self.unit for key, wager in mine.felt.items()}
            parts.append(f"rail {mine.rail // self.unit}, up {up}")
        return "; ".join(parts)

    def wealth(self, seat: int, table: TableState) -> int:
        mine = table.seats[seat]
        return (mine.rail + sum(wager.stake + wager.held for wager in mine.felt.values())) // self.unit

    def throw(self, table: TableState, throw: int) -> TableState:
        answer = decide(self.layout, table, Throw(ROLLS[throw]))
        assert not isinstance(answer, Refusal), answer
        return self.setting.ready(evolve(table, answer))

    def over(self, seat: int, table: TableState) -> bool:
        """Whether the goal is reached with what can be taken down or is won, or nothing is left."""
        rail = table.seats[seat].rail
        if not self.wealth(seat, table) or rail // self.unit >= self.goal:
            return True
        for key, wager in table.seats[seat].felt.items():
            if not isinstance(decide(self.layout, table, Take(seat, key, 0)), Refusal):
                rail += wager.stake + wager.held
        return rail // self.unit >= self.goal


def _rules(house: House | str, wagers: str | Sequence[str], unit: Money) -> Rules:
    room = open_house(house)
    return Rules(room, wagers_of(room, wagers), positive("unit", unit))


class CrapsEnv(gymnasium.Env[Observation, np.int64]):
    """One player at a table of a house: bet a unit, take a unit, or have the dice rolled.

    An action that the dealers refuse changes nothing, and `info["refusal"]` has their code. `info["action_mask"]` says
    which they would take. The episode ends at the goal or with the last chip, and is truncated after `rolls`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 2}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(  # noqa: PLR0913 - a table, each part by name
        self,
        house: House | str = "strip",
        wagers: str | Sequence[str] = "pass,pass_odds",
        *,
        bankroll: int = 10,
        goal: int = 20,
        unit: Money = 1,
        rolls: int = 1000,
        reward: Reward = "net",
        render_mode: str | None = None,
    ) -> None:
        goal = whole_number("goal", goal, least=2)
        self.felt = _Felt(_rules(house, wagers, unit), whole_number("bankroll", bankroll, most=goal - 1), goal)
        self.rolls_max, self.reward_of = whole_number("rolls", rolls), one_of("reward", reward, ("net", "goal"))
        self.action_space = spaces.Discrete(self.felt.actions)
        self.observation_space = self.felt.space
        self.render_mode = render_mode
        self.table = self.felt.opening([OURS])
        self.rolls = self.acts = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        super().reset(seed=seed, options=options)
        self.table, self.rolls, self.acts = self.felt.opening([OURS]), 0, 0
        return self.felt.observe(OURS, self.table), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, Info]:
        felt, number = self.felt, int(action)
        if not self.action_space.contains(np.int64(number)):
            raise ArgumentError("action", str(action), f"0 to {felt.actions - 1}")
        before, code, net = felt.wealth(OURS, self.table), None, 0
        if number == ROLL:
            self.table = felt.throw(self.table, int(self.np_random.integers(len(ROLLS))))
            self.rolls, self.acts = self.rolls + 1, 0
            net = felt.wealth(OURS, self.table) - before
        else:
            self.acts += 1
            answer = felt.act(OURS, number, self.table) if self.acts <= ACTS_MAX else None
            code = answer.code if isinstance(answer, Refusal) else None if answer else "wager.not_up"
            self.table = answer if isinstance(answer, TableState) else self.table
        over = number == ROLL and felt.over(OURS, self.table)
        won = over and felt.wealth(OURS, self.table) > 0
        reward = float(net if self.reward_of == "net" else won)
        truncated = not over and (self.rolls >= self.rolls_max or self.acts > 2 * ACTS_MAX)
        return felt.observe(OURS, self.table), reward, over, truncated, self._info(code)

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask as maskable agents of the usual libraries ask for it."""
        return self.felt.mask(OURS, self.table, acts=self.acts).astype(np.bool_)

    def render(self) -> str:
        return self.felt.words([OURS], self.table)

    def _info(self, code: str | None = None) -> Info:
        mask = self.felt.mask(OURS, self.table, acts=self.acts)
        return {"action_mask": mask} if code is None else {"action_mask": mask, "refusal": code}


class CrapsTable(AECEnv):  # type: ignore[misc]
    """Several players at one table on the same dice, one after the other; when the last is done the dice roll.

    An agent keeps its turn until it says `ROLL`, which here means that its bets are made. Observations carry the action
    mask, as PettingZoo's agents look for it.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi"],
        "name": "passline_craps",
        "is_parallelizable": False,
    }

    def __init__(  # noqa: PLR0913 - a table, each part by name
        self,
        house: House | str = "strip",
        wagers: str | Sequence[str] = "pass,pass_odds",
        *,
        players: int = 2,
        bankroll: int = 10,
        goal: int = 20,
        unit: Money = 1,
        rolls: int = 200,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.felt = _Felt(_rules(house, wagers, unit), whole_number("bankroll", bankroll, most=goal - 1), goal)
        self.rolls_max = whole_number("rolls", rolls)
        many = whole_number("players", players, most=PLAYERS_MAX)
        self.seats = {f"player_{at}": OTHER + at for at in range(1, many + 1)}
        self.possible_agents = list(self.seats)
        mask = spaces.Box(0, 1, (self.felt.actions,), dtype=np.int8)
        space = spaces.Dict({"observation": self.felt.space, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {name: spaces.Discrete(self.felt.actions) for name in self.possible_agents}
        self.render_mode = render_mode

    def render(self) -> str:
        return self.felt.words(self.seats.values(), self.table)

    def close(self) -> None:
        """There is no window; PettingZoo wants it of whatever can be drawn."""

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        seat = self.seats[agent]
        mask = self.felt.mask(seat, self.table, acts=self.acts if agent == self.agent_selection else 0)
        return {"observation": self.felt.observe(seat, self.table), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - PettingZoo's
        self.random = np.random.default_rng(seed)
        self.table, self.rolls, self.acts = self.felt.opening([*self.seats.values()]), 0, 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {name: {} for name in self.agents}
        self._order = AgentSelector(self.agents)
        self.agent_selection = self._order.next()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        assert action is not None
        self.acts += 1
        if int(action) != ROLL and self.acts <= 2 * ACTS_MAX:
            answer = self.felt.act(self.seats[agent], int(action), self.table) if self.acts <= ACTS_MAX else None
            self.infos[agent] = {"refusal": answer.code} if isinstance(answer, Refusal) else {}
            self.table = answer if isinstance(answer, TableState) else self.table
        else:
            self.acts = 0
            if self._order.is_last():
                self._roll()
            self.agent_selection = self._order.next()
        self._accumulate_rewards()
        self._deads_step_first()

    def _roll(self) -> None:
        before = {name: self.felt.wealth(self.seats[name], self.table) for name in self.agents}
        self.table = self.felt.throw(self.table, int(self.random.integers(len(ROLLS))))
        self.rolls += 1
        for name in self.agents:
            self.rewards[name] = float(self.felt.wealth(self.seats[name], self.table) - before[name])
            self.terminations[name] = self.felt.over(self.seats[name], self.table)
            self.truncations[name] = not self.terminations[name] and self.rolls >= self.rolls_max
        going = [name for name in self.agents if not (self.terminations[name] or self.truncations[name])]
        self._order.reinit(going or self.agents)


class CrapsVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many players at tables of their own, each choosing what is up for the next roll, by lookup.

    An action is one of the positions that the dealers would let the player bring about, by its place among
    `options[group]`; the mask is in `info["action_mask"]`. An observation is the puck, the wealth and the number of the
    group, which is what must stay up. A finished player sits down anew with the next step.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(  # noqa: PLR0913 - a table, each part by name
        self,
        num_envs: int,
        house: House | str = "strip",
        wagers: str | Sequence[str] = "pass,pass_odds",
        *,
        bankroll: int = 10,
        goal: int = 20,
        unit: Money = 1,
        reward: Reward = "net",
    ) -> None:
        self.num_envs = whole_number("num_envs", num_envs)
        self.game: Game = game_of(_rules(house, wagers, unit), whole_number("goal", goal, least=2))
        self.bankroll = whole_number("bankroll", bankroll, most=goal - 1)
        self.goal_pays = one_of("reward", reward, ("net", "goal")) == "goal"
        game, closure = self.game, reachable(self.game.onward)
        stakes = game.stakes.tolist()
        choices = [sorted((x for to in groups for x in game.choices[to]), key=stakes.__getitem__) for groups in closure]
        wide = max(map(len, choices))
        self.options = np.full((len(choices), wide), -1, dtype=np.int64)
        for group, row in enumerate(choices):
            self.options[group, : len(row)] = row
        self.costs = np.where(self.options < 0, np.iinfo(np.int64).max, game.stakes[self.options])
        self.pucks = np.array([game.positions[row[0]].puck for row in choices], dtype=np.int32)
        self.group_after = game.group_of[game.after]
        high = np.array([12, np.iinfo(np.int32).max, max(1, len(choices) - 1)], dtype=np.int32)
        self.single_observation_space = spaces.Box(np.zeros_like(high), high, dtype=np.int32)
        self.single_action_space = spaces.Discrete(wide)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.group = np.full(self.num_envs, game.start)
        self.wealth = np.full(self.num_envs, self.bankroll)
        self.done = np.zeros(self.num_envs, dtype=np.bool_)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        super().reset(seed=seed, options=options)
        self.group[:], self.wealth[:], self.done[:] = self.game.start, self.bankroll, False
        return self._seen(), {"action_mask": self.mask()}

    def mask(self) -> NDArray[np.int8]:
        """For each player which of the options of its group its wealth pays for."""
        pays: NDArray[np.bool_] = self.costs[self.group] <= self.wealth[:, None]
        return pays.astype(np.int8)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        game, fresh = self.game, self.done
        chosen = self.options[self.group, actions]
        # What the wealth does not pay for is no choice: the least that can be up is.
        chosen = np.where(self.costs[self.group, actions] <= self.wealth, chosen, self.options[self.group, 0])
        throws = self.np_random.integers(len(ROLLS), size=self.num_envs)
        gain = game.gains[chosen, throws].astype(np.int64)
        self.group = np.where(fresh, game.start, self.group_after[chosen, throws])
        self.wealth = np.where(fresh, self.bankroll, np.minimum(self.wealth + gain, game.wealth_max))
        reached = self.wealth >= game.goal + game.locked[self.group]
        self.done = ~fresh & (reached | (self.wealth <= 0))
        reward = np.where(fresh, 0.0, reached if self.goal_pays else gain)
        return self._seen(), reward, self.done, np.zeros_like(self.done), {"action_mask": self.mask()}

    def _seen(self) -> Observation:
        return np.stack([self.pucks[self.group], self.wealth, self.group], axis=1).astype(np.int32)

    def optimum(self) -> Fraction:
        exact = solve(self.game, self.bankroll, exact=True).exact
        assert exact is not None
        return exact

    def score(self, policy: Mapping[tuple[int, int], int]) -> Fraction:
        """How far below the optimum a policy is, exactly: for each group and wealth the place among its options."""
        positions = np.tile(self.options[:, :1], (1, self.game.wealth_max + 1))
        for (group, wealth), action in policy.items():
            if self.costs[group, action] <= wealth:
                positions[group, wealth] = self.options[group, action]
        return self.optimum() - policy_value(self.game, positions, State(self.game.start, self.bankroll))


gymnasium.register("passline/Craps-v0", entry_point="passline.envs:CrapsEnv")
