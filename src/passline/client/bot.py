"""A strategy at a live table: it sees, asks the server for the difference, and waits for the dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from passline.client.calls import Answer, Told, View
from passline.client.now import ClientTable
from passline.codec import to_data
from passline.engine.refusals import Refusal
from passline.engine.table import TableState
from passline.errors import StrategyError
from passline.house import House
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.acting import Acts, act, remember
from passline.strategies.player.plan import Plan
from passline.strategies.player.view import View as Seen
from passline.table import Table


@dataclass(slots=True)
class Evening:
    """What came of it, in grains."""

    table: str
    house: str
    began: int
    rail: int = 0
    rolls: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    """What the server said no to: the code by wager."""

    @property
    def net(self) -> int:
        """Won less lost, wagers still up at face value."""
        return self.rail - self.began


class Bot:
    """One seat that follows a strategy."""

    def __init__(self, table: ClientTable, strategy: Strategy, unit: Fraction | None = None) -> None:
        """Look at the table and lay the strategy out on its felt; sit down first where nobody sits."""
        self.table = table
        view = table.look()
        if view.seat is None:
            raise StrategyError(f"{strategy.id} has no seat at {view.table}: sit down first")
        state = _state(view)
        self._layout = House(view.house).layout
        least = Fraction(max(state.notice.minimum, state.notice.chip), self._layout.grain)
        # What one unit is worth when nobody says: the strategy's own, or the least this table takes.
        worth = unit or max(strategy.unit, least)
        self._plan = Plan(strategy, self._layout, state.notice, unit=worth, seat=view.seat)
        self._memory = self._plan.start
        self._worth = _worth(state, view.seat)
        self._stream: Iterator[Told] | None = None
        self._seen = view.sequence
        self.evening = Evening(view.table, view.house, self._worth, self._worth)

    def play(self, rolls: int, tell: Callable[[Answer, int], None]) -> Evening:
        """Follow the strategy for so many rolls, or until it ends its evening; `tell` hears of each."""
        view = self.table.look()
        while self.evening.rolls < rolls:
            state = _state(view)
            if self._plan.is_over(Seen(self._plan, state, self._memory)):
                break
            acts = act(self._plan, state, self._memory)
            self._ask(acts)
            rolled = self._roll(view)
            if rolled is None:
                break
            view = self.table.look()
            self._learn(acts, rolled, _worth(_state(view), self._plan.seat))
            tell(rolled, self._worth)
        return self.evening

    def _ask(self, acts: Acts) -> None:
        """Ask the server for what the strategy wants; what it refuses is kept, and play goes on."""
        for command in acts.commands:
            data = to_data(command)
            fields = {name: value for name, value in data.items() if name not in ("kind", "v")}
            answer = self.table.act(data["kind"], **fields)
            if isinstance(answer, Refusal):
                self.evening.refused[command.wager] = answer.code

    def _roll(self, view: View) -> Answer | None:
        """The next roll: ours to ask for, or another's to wait for; None where nobody can throw."""
        view = self.table.look()
        due = view.state["shooter"] or view.state["offered"]
        if due not in (None, view.seat):
            return self._wait(view)
        answer = self.table.roll()
        if isinstance(answer, Refusal):
            self.evening.refused["roll"] = answer.code
            return None
        self._seen = answer.sequence
        return answer

    def _wait(self, view: View) -> Answer:
        for told in self.table.events(max(self._seen, view.sequence)):
            self._seen = told.sequence
            if told.kind == "rolled":
                return told.answer
        raise AssertionError("a stream does not end")

    def _learn(self, acts: Acts, rolled: Answer, worth: int) -> None:
        self._memory = remember(self._plan, self._memory, acts, rolled.events, worth - self._worth)
        self._worth = worth
        self.evening.rail = worth
        self.evening.rolls += 1


def _state(view: View) -> TableState:
    """The table as the engine has it, from its position line."""
    return Table.at(view.position).state


def _worth(state: TableState, seat: int) -> int:
    """The rail, and what is up at face value."""
    own = state.seats[seat]
    return own.rail + sum(wager.stake for wager in own.felt.values())
