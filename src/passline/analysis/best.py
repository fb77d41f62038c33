"""Best play as an answer: asked in money, explained state by state, drawn, and played at a table or on a machine."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from passline.analysis.question import OnProgress, Question
from passline.answers import Answer, Kind, Part, Table, described, percent
from passline.engine.table import Wager
from passline.engine.values import ROLLS, SEVEN
from passline.errors import ArgumentError, SessionError
from passline.files.amounts import Money, exactly, positive, whole_number
from passline.files.arguments import function, instance, one_of
from passline.house import House, open_house
from passline.machine.dice import Given, dice_of
from passline.machine.machine import Machine
from passline.machine.play import Laid
from passline.machine.terms import Terms
from passline.odds.best.game import Objective, Optimum, Rules, State, game_of, solve, wagers_of
from passline.sim import Sample, simulate
from passline.sim.backends import SMALL
from passline.strategies.player.python import LEAVE, Player, Up, View, Wants
from passline.telling.figures import listed

GOAL_MAX = 2_000  # Units that a goal may be: a finer grid is a larger unit's game with more digits
ODDS_MAX = 1_000
ROLLS_MAX = 100_000
ROLLS_PLAYED = 20_000  # Rolls after which a simulated session without a horizon is given up
ROLLS_A_UNIT = 10  # for each unit of the goal, more rolls than most sessions have
NODES_MAX = 2_000_000
ROWS = 40  # States that are shown to people
EXACT_WIDE = 60


@dataclass(frozen=True)
class Advice:
    """What the best player does in one state; amounts are units."""

    puck: int
    wealth: int  # Rail and felt together
    up: Mapping[str, int]  # what is up before the choice: of a state, at the least that it can hold
    then: Mapping[str, int]  # what is up when the dice go out
    value: float

    def say(self) -> str:
        where = f"the point on {self.puck}" if self.puck else "the puck off"
        already = f" and {_more(self.up, {})} up" if self.up else ""
        more, less = _more(self.then, self.up), _more(self.up, self.then)
        acts = [more] * bool(more) + [f"take down {less}"] * bool(less)
        return f"With {self.wealth} and {where}{already}: {' and '.join(acts) or 'nothing more'}."


def _more(stakes: Mapping[str, int], than: Mapping[str, int]) -> str:
    """What stands in one and not in the other, in words."""
    more = {key: stake - than.get(key, 0) for key, stake in stakes.items()}
    parts = [f"{units} on {key}" for key, units in more.items() if units > 0]
    return listed(parts) if parts else ""


def _stakes(stakes: Mapping[str, int]) -> str:
    return ", ".join(f"{key} {stake}" for key, stake in stakes.items()) or "–"


class BestPlayer(Player):
    """The policy as a strategy: it looks up what is up and what is left, and asks for what is best."""

    def __init__(self, answer: "BestPlay") -> None:
        self.answer, self.__name__ = answer, "best_play"
        rules, game = answer.rules, answer.optimum.game
        self.group_of = {
            (each.puck, each.flags, _felt(each.felt, rules.cents)): int(group)
            for each, group in zip(game.positions, game.group_of, strict=True)
        }

    def __deepcopy__(self, memo: object) -> "BestPlayer":
        """It remembers nothing of a session, so all sessions may share it."""
        return self

    def wants(self, view: View) -> Up | Wants:
        game = self.answer.optimum.game
        table, seat = view.table, view.table.seats[view.seat]
        key, units = next(iter(view.up.items()), ("", Fraction(1)))
        unit = Fraction(seat.felt[key].stake) / units if key else Fraction(1)  # one unit in the table's minor units
        flags = (seat.dont_banned, *(getattr(table, flag) for flag in game.watched))
        group = self.group_of.get((table.puck, flags, _felt(seat.felt.items(), unit)))
        if group is None:
            return {}
        state = State(group, int(view.bankroll + Fraction(sum(wager.held for wager in seat.felt.values()), unit)))
        played_out = self.answer.rolls is not None and view.rolls >= self.answer.rolls
        if self.answer.optimum.game.reached(state) or state.wealth <= 0 or played_out:
            return LEAVE
        then = self.answer.units(game.positions[self.answer.optimum.choice(state, view.rolls)])
        return {**dict.fromkeys(view.up, 0), **then}


def _in_order(advice: Iterable[Advice]) -> list[Advice]:
    return sorted(advice, key=lambda each: (each.puck, each.wealth, sorted(each.up.items())))


def _felt(felt: Iterable[tuple[str, Wager]], unit: int | Fraction) -> frozenset[tuple[str, Fraction, int]]:
    return frozenset((key, Fraction(wager.stake) / unit, wager.mark) for key, wager in felt)


class _Node(NamedTuple):
    """A state of the policy's chain: the roll of the horizon (0 without one), and where a choice is made."""

    roll: int
    state: State


@dataclass(frozen=True)
class BestPlay(Answer):
    """The exact optimum of one question, and the policy that reaches it."""

    house: House
    rules: Rules
    bankroll: int
    goal: int
    rolls: int | None
    objective: Objective
    aversion: float
    optimum: Optimum

    @property
    def value(self) -> Fraction | float:
        """The chance of the goal, the mean number of rolls or the mean utility; a fraction where it was proved."""
        return self.optimum.value if self.optimum.exact is None else self.optimum.exact

    @property
    def kind(self) -> Kind:
        return "share" if self.objective == "chance" else "number"

    @property
    def certain(self) -> float:
        """For a utility: the units, for certain, that are as good as the game."""
        if self.objective != "utility":
            raise ArgumentError("maximise", self.objective, "utility or growth: only these have a certain equivalent")
        value, one = float(self.value), 1 - self.aversion
        return float(np.exp(value) if one == 0 else (value * one) ** (1 / one))

    @property
    def start(self) -> State:
        return State(self.optimum.game.start, self.bankroll)

    def at(self, state: State, roll: int = 0, position: int | None = None) -> Advice:
        """What to do in a state, where a roll has left this position, or the one with the least up."""
        game = self.optimum.game
        left = min(game.choices[state.group], key=game.stakes.__getitem__) if position is None else position
        chosen = game.positions[self.optimum.choice(state, roll)]
        up, then = self.units(game.positions[left]), self.units(chosen)
        return Advice(chosen.puck, state.wealth, up, then, float(self.optimum.values[state]))

    def advice(self) -> list[Advice]:
        """Every state that somebody who plays so can meet, the first roll's policy throughout."""
        nodes = {node.state for node in self._nodes(stationary=True)}
        return _in_order(map(self.at, nodes))

    def take_downs(self) -> list[Advice]:
        """Where the best player takes a bet down that a roll left up."""
        game, downs = self.optimum.game, {}
        for node in self._nodes(stationary=True):
            chosen = self.optimum.choice(node.state)
            for position, gain in zip(game.after[chosen].tolist(), game.gains[chosen].tolist(), strict=True):
                state = State(int(game.group_of[position]), node.state.wealth + gain)
                if state.wealth > 0 and not self.optimum.game.reached(state):
                    each = self.at(state, position=position)
                    if any(stake > each.then.get(key, 0) for key, stake in each.up.items()):
                        downs[position, state.wealth] = each
        return _in_order(downs.values())

    def _nodes(self, *, stationary: bool) -> Iterator[_Node]:
        game, first = self.optimum.game, _Node(0, self.start)
        seen, waiting = {first}, [first]
        for node in waiting:
            yield node
            roll = node.roll if stationary or self.rolls is None else node.roll + 1
            if not stationary and self.rolls is not None and roll >= self.rolls:
                continue
            for _, gain, group in game.outcomes[self.optimum.choice(node.state, node.roll)]:
                after = _Node(roll, State(group, node.state.wealth + gain))
                if after.state.wealth > 0 and not self.optimum.game.reached(after.state) and after not in seen:
                    if len(seen) >= NODES_MAX:
                        raise SessionError(f"best play meets more than {NODES_MAX:,} states; a nearer goal less")
                    seen.add(after)
                    waiting.append(after)

    def units(self, position: Laid) -> dict[str, int]:
        return {key: wager.stake // self.rules.cents for key, wager in position.felt}

    def player(self) -> BestPlayer:
        """The policy as a strategy, for `Table.follow` and `ask`."""
        return BestPlayer(self)

    def question(self, rolls: int = 1000) -> Question:
        """A session by the policy at the table it was worked out for, roll by roll through the engine."""
        money = self.rules.unit
        terms = Terms(
            self.rolls or rolls,
            bankroll=self.bankroll * money,
            stop_win=(self.goal - self.bankroll) * money,
            at_end="face",
            dice=self.rules.dice,
        )
        return Question(self.player(), self.rules.seating, terms)

    @cached_property
    def machine(self) -> Machine:
        """The policy as a finite machine, whose states are wealths and what must stay up: what simulators roll."""
        game, nodes = self.optimum.game, list(self._nodes(stationary=False))
        number = {node: place for place, node in enumerate(nodes)}
        over = len(nodes)  # the goal, ruin and the end of the horizon are one state
        following = np.full((over + 1, len(ROLLS)), over, dtype=np.int32)
        net = np.zeros((over + 1, len(ROLLS)), dtype=np.int64)
        need, ends = np.zeros(over + 1, dtype=np.int64), np.zeros((over + 1, len(ROLLS)), dtype=np.bool_)
        sevens = np.array([roll.total == SEVEN for roll in ROLLS])
        for place, (roll, state) in enumerate(nodes):
            chosen = self.optimum.choice(state, roll)
            net[place], need[place] = game.gains[chosen], game.stakes[chosen]
            ends[place] = sevens & bool(game.positions[chosen].puck)
            later = roll if self.rolls is None else roll + 1
            groups = game.group_of[game.after[chosen]].tolist()
            for throw, (group, gain) in enumerate(zip(groups, net[place].tolist(), strict=True)):
                following[place, throw] = number.get(_Node(later, State(group, state.wealth + gain)), over)
        return Machine(
            column=np.arange(len(ROLLS), dtype=np.uint8),
            next=following,
            net=net,
            need=need,
            action=np.zeros_like(net),
            hand_ends=ends,
            minor_unit=self.rules.unit,
            about={"house": self.house.id, "strategy": "best play", "unit": str(self.rules.unit), "refused": []},
            over=np.arange(over + 1) == over,
        )

    def sample(self, sessions: int, seed: int = 0, backend: str = "auto") -> Sample:
        """So many sessions by the policy, on dice of a seed, rolled as any strategy's machine is."""
        terms = Terms(self.rolls or ROLLS_PLAYED, at_end="face", dice=self.rules.dice)
        if backend == "auto" and sessions * min(terms.rolls, ROLLS_A_UNIT * self.goal) <= SMALL:
            backend = "numpy"  # most are over long before the last roll, and nobody waits for a compiler
        return simulate(self.machine, terms, sessions=sessions, seed=seed, backend=backend, watch=1)

    def simulate(self, sessions: int, seed: int = 0) -> float:
        """The share of so many sessions in which the policy reached the goal."""
        if self.objective != "chance":
            raise ArgumentError("maximise", self.objective, "chance: only a chance is a share of sessions")
        wanted = (self.goal - self.bankroll) * self.rules.unit
        sample = self.sample(sessions, seed)
        return sum(count for net, count in sample.net if net >= wanted) / sample.sessions

    def page(self) -> Iterator[Part]:
        wanted = f"from {self.bankroll} to {self.goal} with {', '.join(self.rules.wagers)}"
        within = f" within {self.rolls} rolls" if self.rolls else ""
        if self.objective == "chance":
            yield f"{self.house.name}: {wanted}{within}: {percent(self.value)} at best."
            if self.optimum.exact is not None and len(str(self.optimum.exact)) <= EXACT_WIDE:
                yield f"Exactly {self.optimum.exact}."
        elif self.objective == "rolls":
            yield f"{self.house.name}: {wanted} lasts {float(self.value):,.1f} rolls at best."
        else:
            yield f"{self.house.name}: {wanted}{within} is at best as good as {self.certain:,.6f} for certain."
        game, bound = self.optimum.game, self.optimum.error_bound
        proved = "proved in fractions" if self.optimum.exact is not None else "in double precision"
        proved += f", at most {bound:.1e} below the optimum" if bound is not None else ""
        yield f"Over {len(game.positions):,} positions and {game.states:,} states, {proved}."
        yield ""
        rows = self.table()
        yield rows._replace(rows=rows.rows[:ROWS])
        if len(rows.rows) > ROWS:
            yield f"… and {len(rows.rows) - ROWS:,} more states: --json has them all."
        yield from (each.say() for each in self.take_downs()[:ROWS])

    def table(self) -> Table:
        rows = [(x.wealth, str(x.puck or "off"), _stakes(x.up), _stakes(x.then), x.value) for x in self.advice()]
        return Table({"wealth": "count", "puck": "text", "up": "text", "then": "text", "worth": self.kind}, rows)

    def chart(self, path: Path | str) -> None:
        """Draw the policy: by wealth what is up when the dice go out, with the puck off and on each point."""
        from passline.analysis.charts import panels

        drawn: dict[str, dict[str, list[tuple[float, float]]]] = {}
        for each in self.advice():
            row = drawn.setdefault(f"point {each.puck}" if each.puck else "puck off", {})
            for key, stake in each.then.items():
                row.setdefault(key, []).append((each.wealth, stake))
        words = f"units up when the dice go out, from {self.bankroll} to {self.goal}"
        title = f"Best play at {self.house.name}"
        panels(path, drawn, title=title, words=words, across="wealth, units: rail and felt", up_to=self.goal)

    def data(self) -> dict[str, Any]:
        """Everything that was asked and the answer; amounts are units."""
        optimum, bound = self.optimum, self.optimum.error_bound
        names = "house=house.id wagers=rules.wagers unit=rules.unit dice=rules.dice bankroll goal rolls"
        return {
            **described(self, f"{names} maximise=objective value* states=optimum.game.states sweeps=optimum.sweeps"),
            "exact": optimum.exact is not None,
            "error_bound": None if bound is None else repr(bound),
            "certain": self.certain if self.objective == "utility" else None,
            "positions": len(optimum.game.positions),
            "policy": self.advice(),
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
    dice: Given = None,
    maximise: str = "chance",
    aversion: Money = 1,
    exact: bool | None = None,
    progress: OnProgress = None,
) -> BestPlay:
    """The best way to turn `bankroll` units into `goal`, over every bet that these wagers and the dealers allow.

    A unit is the smallest stake, and the house pays in whole units as it rounds. Waiting is free; more than the goal is
    the goal. With `rolls` the goal must be reached within so many. `maximise="rolls"` asks instead how to play longest:
    a bet must then be up for every roll. `"growth"` maximises the mean logarithm of the wealth left, `"utility"` its
    mean utility with constant relative risk `aversion`; play ends at the goal, and what must stay up at the end is
    played out.

    >>> best_play("strip", ["pass"], bankroll=1, goal=2).value
    Fraction(244, 495)
    """
    room = open_house(house)
    goal = whole_number("goal", goal, least=2, most=GOAL_MAX)
    if whole_number("bankroll", bankroll) >= goal:
        raise ArgumentError("bankroll", str(bankroll), f"less than the goal, {goal}")
    rules = Rules(
        room,
        wagers_of(room, wagers),
        positive("unit", unit),
        None if odds is None else whole_number("odds", odds, most=ODDS_MAX),
        instance("put", put, bool, "true or false"),
        dice_of(dice),
    )
    one_of("maximise", maximise, ("chance", "rolls", "growth", "utility"))
    averse = 1.0 if maximise == "growth" else float(exactly("aversion", aversion))
    if averse < 0:
        raise ArgumentError("aversion", str(aversion), "0 for the wealth itself, 1 for its logarithm, or more")
    objective: Objective = "chance" if maximise == "chance" else "rolls" if maximise == "rolls" else "utility"
    rolls = None if rolls is None else whole_number("rolls", rolls, most=ROLLS_MAX)
    function("progress", progress)
    game = game_of(rules, goal, progress)
    optimum = solve(game, bankroll, objective=objective, aversion=averse, rolls=rolls, exact=exact)
    return BestPlay(room, rules, bankroll, goal, rolls, objective, averse, optimum)
