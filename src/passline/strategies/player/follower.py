"""One seat of a real table that follows a strategy, data or Python: a table, a bot and company play through this."""

import math
from collections.abc import Iterable
from fractions import Fraction

from passline.engine.commands import Command, Leave
from passline.engine.events import DiceThrown, Event, PlayerLeft, PlayerSat
from passline.engine.layout import Layout
from passline.engine.table import TableState
from passline.strategies.language.amounts import Units
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.acting import Acts, Refused, act, remember
from passline.strategies.player.plan import Plan, Purse
from passline.strategies.player.python import PythonPlan, PythonSession, PythonStrategy, as_data, name_of


class Follower:
    """Asks for what a strategy wants, and tells it what the dice did.

    One unit is the strategy's own unless given, or as much more as its smallest bet needs. Its bankroll is what
    the seat has.
    """

    def __init__(
        self,
        strategy: Strategy | PythonStrategy,
        layout: Layout,
        table: TableState,
        seat: int,
        unit: Fraction | None = None,
    ) -> None:
        self.seat, self.worth = seat, _worth(table, seat)
        played = as_data(strategy)
        funds = Fraction(self.worth, layout.minor_per_unit)
        worth = unit or unit_at(played, Fraction(table.notice.least, layout.minor_per_unit))
        self._plan = Plan(played, layout, table.notice, unit=worth, seat=seat, purse=Purse(funds))
        self._memory = self._plan.start
        self._python = None if isinstance(strategy, Strategy) else PythonSession(strategy, PythonPlan(self._plan))

    def act(self, table: TableState) -> Acts:
        """What to ask for before the next roll, tried on a copy of the table; `leaves` ends the session."""
        return act(self._plan, table, self._memory) if self._python is None else self._python.act(table)

    def after(self, acts: Acts, refused: Iterable[Refused], events: tuple[Event, ...], table: TableState) -> None:
        """A roll was settled: how the seat stood after its acts, what it was refused, and how it stands now."""
        worth = _worth(table, self.seat)
        net, self.worth = worth - self.worth, worth
        if self._python is None:
            self._memory = remember(self._plan, self._memory, acts, events, net)
        else:
            self._python.after(events, net, tuple(refused))


def unit_at(strategy: Strategy, least: Fraction) -> Fraction:
    """What a unit is worth where bets begin at `least`: the strategy's own, if its smallest plain bet is as much."""
    plain = [amount.units for want in strategy.wants for _, amount in want.up if isinstance(amount, Units)]
    smallest = min(filter(None, plain), default=Fraction(1))
    if smallest <= 1:
        return max(strategy.unit, least)
    return strategy.unit * max(1, math.ceil(least / (smallest * strategy.unit)))  # whole, so that proper stakes stay so


class Guest:
    """A strategy that sits at a table where others roll: it hears everything that happens, and says what it asks for.

    What it does follows from what it has heard, so that a table's history makes the same guest again.
    """

    def __init__(self, strategy: Strategy | PythonStrategy, name: str = "") -> None:
        self.strategy = strategy
        self.name = name or name_of(strategy)  # what it is called at the table; a seat under that name is its own
        self.forget()

    def forget(self) -> None:
        self.seat: int | None = None
        self.sat = False  # whether it ever had a seat: a guest that has left does not come again
        self.refused: tuple[Refused, ...] = ()  # what the dealers say no to of what it last asked for
        self._follower: Follower | None = None
        self._acts: Acts | None = None
        self._before: TableState | None = None  # the table since the last roll, on which it was not asked yet

    def hear(self, layout: Layout, events: tuple[Event, ...], table: TableState) -> None:
        for event in events:
            if isinstance(event, PlayerSat) and event.name == self.name:
                self.forget()
                self.seat, self.sat, self._before = event.seat, True, table
                self._follower = Follower(self.strategy, layout, table, event.seat)
            elif isinstance(event, PlayerLeft) and event.seat == self.seat:
                self.seat = self._follower = None
        if self._follower is not None and any(isinstance(event, DiceThrown) for event in events):
            assert self._before is not None, "who sits has seen the table"
            acts = self._acts or self._follower.act(self._before)
            self._follower.after(acts, acts.refused, events, table)
            self._acts, self._before = None, table

    def asks(self, table: TableState) -> list[Command]:
        """What it asks for before the next roll, once; whoever has ended the session, or has no chips left, leaves."""
        if self._follower is None or self.seat is None or self._acts is not None:
            return []
        seat = table.seats[self.seat]
        if not seat.felt and seat.rail < table.notice.least:
            return [Leave(self.seat)]
        self._acts = acts = self._follower.act(table)
        self.refused = tuple(acts.refused)
        return [*acts.commands, *([Leave(self.seat)] if acts.leaves else [])]


def _worth(table: TableState, seat: int) -> int:
    """The rail, and what is up at face value."""
    own = table.seats[seat]
    return own.rail + sum(wager.stake for wager in own.felt.values())
