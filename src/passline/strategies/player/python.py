"""Strategies written in Python: a class, or a plain function, that sees the table and says what should be up.

```python
class Martingale(Player):
    def start(self) -> None:
        self.stake = 1

    def wants(self, view: View) -> Up:
        return {"field": self.stake}

    def after(self, outcome: Outcome) -> None:
        if outcome.net:
            self.stake = 1 if outcome.net > 0 else 2 * self.stake
```
"""

from __future__ import annotations

import inspect
import runpy
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from os import PathLike
from pathlib import Path
from types import FunctionType, MappingProxyType
from typing import Any, NoReturn, TypeVar

from passline.engine.events import Event
from passline.engine.table import TableState
from passline.engine.values import frozen
from passline.errors import ArgumentTypeError, LanguageError, PasslineError, StrategyError, short_repr
from passline.files.findings import nearest
from passline.strategies.language import grammar
from passline.strategies.language.amounts import Amount, Units, numbers_in, spends
from passline.strategies.language.conditions import QUANTITIES
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.acting import Acts, Refused, leave, reconcile
from passline.strategies.player.plan import BANKROLL, Plan, Wanted, missing_wagers
from passline.strategies.player.view import Outcome, is_open

STRATEGIES = "a name, a path, a mapping, a Strategy, a Player or a function"  # what can be asked about

READ_MAX = 16_384  # amounts that are read once and remembered; then all of them are read again

Up = Mapping[str, int | str | Fraction]
"""What should be up: units for each wager, or an amount as a strategy file says it (`"2x"`, `"max"`); 0 takes it down.

A wager that is not named stays as it is.
"""


@dataclass(frozen=True, slots=True)
class Wants:
    """What should be up, with buttons, or the end of the session."""

    up: Up = field(default_factory=dict)
    on: Collection[str] = ()
    """Wagers that should work, whatever the house's habit."""
    off: Collection[str] = ()
    """Wagers that should not."""
    leave: bool = False
    """Take down what may come down, and go."""


LEAVE = Wants(leave=True)
"""The end of the session."""


class Player:
    """A strategy with state of its own: subclass it, and say in `wants` what should be up.

    A session is played by a copy of the object as it was handed in, so no session leaves anything behind for the next.
    """

    memoryless: bool = False
    """Whether `wants` looks only at the felt and the puck: a machine asks it once for each felt, and `after` never."""

    def start(self) -> None:
        """A session begins."""

    def wants(self, view: View) -> Up | Wants:
        """What should be up for the next roll; asked before every roll."""
        raise NotImplementedError("write wants(self, view), which returns what should be up, such as {'pass': 10}")

    def after(self, outcome: Outcome) -> None:
        """A roll was settled."""


Function = Callable[["View"], Up | Wants]
"""The plainest strategy: from what a player sees to what should be up."""

PythonStrategy = Player | Function

F = TypeVar("F", bound=Function)


def memoryless(function: F) -> F:
    """Say that a function looks only at the felt and the puck: it need not be asked again for the same felt."""
    if not isinstance(function, FunctionType):
        raise ArgumentTypeError("function", short_repr(function), "a function; a class says `memoryless = True`")
    function.memoryless = True  # type: ignore[attr-defined]
    return function


def name_of(strategy: Strategy | PythonStrategy) -> str:
    """What a strategy is called in answers and complaints."""
    if isinstance(strategy, Strategy):
        return strategy.id
    return str(getattr(strategy, "__name__", type(strategy).__name__))


def as_data(strategy: Strategy | PythonStrategy) -> Strategy:
    """A strategy as a plan has it; one in Python is a name that wants nothing by itself."""
    if isinstance(strategy, Strategy):
        return strategy
    return Strategy(id=name_of(strategy), name=name_of(strategy), wants=())


def strategy_of(value: object) -> Strategy | PythonStrategy:
    """The strategy that is meant: by its name, its file (`molly.toml`, `molly.py:Molly`), what a file says, or itself.

    A file of Python is run: whoever passes on what strangers typed compares it with the library first.
    """
    from passline.strategies.language.read import load, make

    if isinstance(value, Strategy | Player):
        return value
    if isinstance(value, str | PathLike):
        name = str(value)
        return from_file(name) if is_python(name) else load(name if isinstance(value, str) else Path(name))
    if isinstance(value, Mapping):
        return make(dict(value))
    if isinstance(value, type):
        expected = f"a player: {value.__name__}(…)" if issubclass(value, Player) else STRATEGIES
        raise ArgumentTypeError("strategy", f"the class {value.__name__}", expected)
    if not callable(value):
        raise ArgumentTypeError("strategy", short_repr(value), STRATEGIES)
    try:
        inspect.signature(value).bind(None)
    except TypeError:
        raise ArgumentTypeError("strategy", name_of(value), "a function of one argument, the view") from None
    except ValueError:  # built in, and says nothing of its arguments
        pass
    return value


def evening_of(strategy: PythonStrategy) -> PythonStrategy:
    """Whoever plays one session: a player's copy, with its session begun; a function is itself."""
    if not isinstance(strategy, Player):
        return strategy
    player = deepcopy(strategy)
    call(player, player.start)
    return player


def is_python(where: str) -> bool:
    """Whether somebody names a Python file, or something in one: `molly.py`, `molly.py:Molly`."""
    return where.endswith(".py") or ".py:" in where


def from_file(where: str) -> PythonStrategy:
    """The strategy of a Python file: `molly.py:Molly`, or `molly.py` where it has only one; the file is run."""
    path, _, name = where.rpartition(".py")
    path, name = f"{path}.py", name.removeprefix(":")
    folder = str(Path(path).resolve().parent)
    if folder not in sys.path:  # as Python has it for a script: what lies beside the file can be imported
        sys.path.insert(0, folder)
    try:
        names: Mapping[str, object] = runpy.run_path(path, run_name=Path(path).stem)
    except PasslineError:
        raise
    except Exception as error:
        raise StrategyError(f"{path} failed: {type(error).__name__}: {error}") from error
    known = {key: value for key, value in names.items() if _is_strategy(value, Path(path).stem)}
    if not name and len(known) == 1:
        (name,) = known
    if name not in known:
        listed = ", ".join(known) or "no Player and no function of a view"
        raise StrategyError(f"{where}: which strategy? {path} has {listed}; say {path}:NAME.")
    strategy: Any = known[name]
    return call(strategy, strategy) if isinstance(strategy, type) else strategy  # type: ignore[return-value]


def _is_strategy(value: object, module: str) -> bool:
    """Whether a file means this as a strategy: a player, its class, or a function that is its own."""
    if isinstance(value, type):
        return issubclass(value, Player) and value is not Player
    return isinstance(value, Player) or (isinstance(value, FunctionType) and value.__module__ == module)


# --- What it sees ---------------------------------------------------------------------------------------------------


@frozen
class Tally:
    """What a session has come to; amounts are minor units."""

    rolls: int = 0
    hands: int = 0
    hand_rolls: int = 0
    hand_points: int = 0
    profit: int = 0
    peak: int = 0
    hand_profit: int = 0

    def after(self, outcome: Outcome, net: int) -> Tally:
        profit = self.profit + net
        peak = max(self.peak, profit)
        if outcome.hand_over:
            return Tally(self.rolls + 1, self.hands + 1, 0, 0, profit, peak, 0)
        points = self.hand_points + outcome.point_made
        return Tally(self.rolls + 1, self.hands, self.hand_rolls + 1, points, profit, peak, self.hand_profit + net)


NOTHING_YET = Tally()


class Position:
    """A table as it lies before one seat; what is worked out of it is worked out once."""

    __slots__ = ("_up", "plan", "table")

    def __init__(self, plan: PythonPlan, table: TableState) -> None:
        self.plan = plan
        self.table = table
        self._up: Mapping[str, Fraction] | None = None

    @property
    def up(self) -> Mapping[str, Fraction]:
        if self._up is None:
            unit, felt = self.plan.unit, self.table.seats[self.plan.seat].felt
            self._up = MappingProxyType({key: wager.stake / unit for key, wager in felt.items()})
        return self._up


class View:
    """What a player sees before a roll; amounts are units of the strategy."""

    __slots__ = ("_funds", "_position", "_tally", "outcome", "refused")

    def __init__(
        self,
        position: Position,
        tally: Tally = NOTHING_YET,
        outcome: Outcome | None = None,
        refused: tuple[Refused, ...] = (),
        funds: int | None = None,
    ) -> None:
        self._position = position
        self._tally = tally
        self._funds = funds
        self.outcome = outcome
        """What the last roll did; None before the first."""
        self.refused = refused
        """What the dealers said no to when this player last asked: each with `wager` and `refusal`."""

    # --- The table --------------------------------------------------------------------------------------------------

    @property
    def table(self) -> TableState:
        """The whole table, in the layout's minor units."""
        return self._position.table

    @property
    def seat(self) -> int:
        return self._position.plan.seat

    @property
    def puck(self) -> int:
        """The point, or 0 while the puck is off."""
        return self._position.table.puck

    @property
    def point(self) -> int:
        """The same, as the strategy language calls it."""
        return self._position.table.puck

    @property
    def up(self) -> Mapping[str, Fraction]:
        """This player's wagers."""
        return self._position.up

    @property
    def last(self) -> int:
        """The total of the last roll; 0 before the first."""
        return 0 if self.outcome is None else self.outcome.roll.total

    @property
    def come_points(self) -> int:
        """Come bets that stand on numbers."""
        return self._travelled("come")

    @property
    def dont_come_points(self) -> int:
        """Don't come bets that stand on numbers."""
        return self._travelled("dont_come")

    def _travelled(self, family: str) -> int:
        up = self._position.up
        return sum(key in up for key in self._position.plan.members(family) if key != family)

    def is_up(self, wager: str) -> bool:
        """Whether chips are up on a wager, or on any of a family such as `place`."""
        up = self._position.up
        return wager in up or any(key in up for key in self._position.plan.spots_of(wager))

    def stake(self, wager: str) -> Fraction:
        """How much is up on a wager, or on a family such as `place`."""
        up = self._position.up
        return sum((up[key] for key in self._position.plan.spots_of(wager) if key in up), Fraction(0))

    def is_open(self, wager: str) -> bool:
        """Whether the dealers would take the wager now, leaving how much aside."""
        return is_open(self._position.plan, self.table, self.table.notice.chip, wager)

    # --- The session ------------------------------------------------------------------------------------------------

    @property
    def rolls(self) -> int:
        """Rolls so far this session."""
        return self._tally.rolls

    @property
    def hands(self) -> int:
        """Hands that are over."""
        return self._tally.hands

    @property
    def hand_rolls(self) -> int:
        """Rolls of this hand."""
        return self._tally.hand_rolls

    @property
    def hand_points(self) -> int:
        """Points made in this hand."""
        return self._tally.hand_points

    @property
    def profit(self) -> Fraction:
        """What the session has brought, wagers up at face value."""
        return self._tally.profit / self._position.plan.unit

    @property
    def peak(self) -> Fraction:
        """The most that `profit` ever was."""
        return self._tally.peak / self._position.plan.unit

    @property
    def below_peak(self) -> Fraction:
        """How much of that is gone again."""
        return (self._tally.peak - self._tally.profit) / self._position.plan.unit

    @property
    def hand_profit(self) -> Fraction:
        """What this hand has brought."""
        return self._tally.hand_profit / self._position.plan.unit

    @property
    def bankroll(self) -> Fraction:
        """The money brought along and the profit, on the rail or up."""
        if self._funds is None:
            raise StrategyError(f"{self._position.plan.name} looks at its bankroll, and none was given.")
        return (self._funds + self._tally.profit) / self._position.plan.unit

    @property
    def rail(self) -> Fraction:
        """The part of the bankroll that is not up."""
        return self.bankroll - sum(self._position.up.values())

    def __getattr__(self, name: str) -> NoReturn:
        near = nearest(name, [each for each in dir(View) if not each.startswith("_")])
        raise AttributeError(f"a view has no {name}" + (f"; the nearest is {near}" if near else ""))

    def __repr__(self) -> str:
        up = {key: str(units) for key, units in self.up.items()}
        return f"<View puck={self.puck or 'off'} up={up} rolls={self.rolls} profit={self.profit}>"


# --- From what it wants to what it asks for -------------------------------------------------------------------------


class PythonPlan:
    """A strategy in Python at one seat: its words become wagers and amounts of this table."""

    def __init__(self, plan: Plan) -> None:
        """Ask by the wagers, the unit and the bankroll of a plan that wants nothing itself."""
        self._plan = plan
        self.name, self.layout, self.seat, self.unit = plan.strategy.id, plan.layout, plan.seat, plan.unit
        self.members, self.spots_of = plan.members, plan.spots_of
        self.funds = None if plan.bankroll is None else (plan.bankroll * plan.layout.minor_per_unit).__floor__()
        """Minor units brought along."""
        self._amounts: dict[tuple[str, int | str | Fraction], tuple[tuple[str, ...], Amount | int]] = {}

    def checked(self, answer: object) -> Up | Wants:
        up = answer.up if isinstance(answer, Wants) else answer
        if isinstance(up, Mapping) and all(isinstance(wager, str) for wager in up):
            return answer  # type: ignore[return-value]
        expected = "what should be up, such as {'pass': 1}, or {} where everything stays as it is"
        raise StrategyError(f"{self.name} said {short_repr(answer)}; expected {expected}")

    def key(self, answer: Up | Wants) -> object:
        wants = self.checked(answer)
        if isinstance(wants, Wants):
            return tuple(wants.up.items()), tuple(wants.on), tuple(wants.off), wants.leave
        return tuple(wants.items())

    def acts(self, table: TableState, answer: Up | Wants) -> Acts:
        """Ask the dealers for the difference between what is wanted and what is up."""
        wants = answer if isinstance(answer, Wants) else Wants(answer)
        if wants.leave:
            return leave(self._plan, table)
        amounts: dict[str, Amount | int] = {}
        for wager, wanted in wants.up.items():
            keys, amount = self._amount(wager, wanted)
            amounts.update(dict.fromkeys(keys, amount))
        calls = {key: on for names, on in ((wants.on, True), (wants.off, False)) for key in self._named(names)}
        return reconcile(self._plan, table, (), Wanted(amounts, calls))

    def _named(self, wagers: Collection[str]) -> Iterable[str]:
        for wager in (wagers,) if isinstance(wagers, str) else wagers:
            keys = self.spots_of(wager)
            if not keys:
                raise missing_wagers(self._plan.strategy, self.layout, (wager,))
            yield from keys

    def _amount(self, wager: str, amount: int | str | Fraction) -> tuple[tuple[str, ...], Amount | int]:
        """The spots and the minor units that are meant, or what works them out; read once."""
        try:
            goal = self._amounts.get((wager, amount))
        except TypeError:  # what cannot be looked up is no amount either
            goal = None
        if goal is None:
            goal = tuple(self._named((wager,))), self._read(wager, amount)
            if len(self._amounts) >= READ_MAX:
                self._amounts.clear()
            self._amounts[wager, amount] = goal
        return goal

    def _read(self, wager: str, text: int | str | Fraction) -> Amount | int:
        """An amount that this table can work out, or a complaint with the strategy and the wager in it."""
        try:
            amount = grammar.amount(text)
        except LanguageError as error:
            raise StrategyError(f"{self.name}, {wager}: {error}") from None
        self._plan.goal(wager, amount)  # whether this table can
        if isinstance(amount, Units):
            minor_units = amount.units * self.unit
            if self.layout.exact and minor_units.denominator != 1:
                raise StrategyError(f"{self.name}, {wager}: {text} units cannot be cut so finely here; round them.")
            return minor_units.__floor__()
        for number in numbers_in(amount):
            if QUANTITIES[number.name].seen is None or number == BANKROLL:
                raise StrategyError(f"{self.name}, {wager}: work {number} out in Python, from what the view shows.")
        if spends(amount):
            raise StrategyError(f"{self.name}, {wager}: work {text} out in Python, from `view.rail`.")
        return amount

    def after(self, strategy: PythonStrategy, outcome: Outcome) -> None:
        if isinstance(strategy, Player):
            call(strategy, strategy.after, outcome)


class PythonSession:
    def __init__(self, strategy: PythonStrategy, plan: PythonPlan) -> None:
        self._strategy, self._plan = evening_of(strategy), plan
        self._tally = NOTHING_YET
        self._outcome: Outcome | None = None
        self._refused: tuple[Refused, ...] = ()

    def act(self, table: TableState) -> Acts:
        plan, player = self._plan, self._strategy
        view = View(Position(plan, table), self._tally, self._outcome, self._refused, plan.funds)
        answer = call(player, player.wants if isinstance(player, Player) else player, view)
        return plan.acts(table, plan.checked(answer))

    def after(self, events: tuple[Event, ...], net: int, refused: tuple[Refused, ...]) -> None:
        self._outcome, self._refused = Outcome(self._plan, events, net), refused
        self._tally = self._tally.after(self._outcome, net)
        self._plan.after(self._strategy, self._outcome)


def call(strategy: PythonStrategy, method: Callable[..., object], *arguments: object) -> object:
    """Ask code that is not ours; whatever it fails with is said of the strategy."""
    try:
        return method(*arguments)
    except PasslineError:
        raise
    except Exception as error:
        raise StrategyError(f"{name_of(strategy)} failed: {type(error).__name__}: {error}") from error
