"""A strategy at a live table: it sees, asks the server for the difference, and waits for the dice."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from passline.client.calls import CONTRADICTED, Answer, View
from passline.client.clients import ClientTable
from passline.codec import to_data
from passline.engine.refusals import Refusal
from passline.engine.table import TableState
from passline.errors import ServiceError, StrategyError
from passline.files.amounts import whole_number
from passline.house import House
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.acting import Acts, Refused
from passline.strategies.player.follower import Follower
from passline.strategies.player.python import PythonStrategy, name_of
from passline.table import Table

# After how long without a word a bot stops waiting for somebody else to throw, and how often it waits at all.
IDLE_S, WAITS_MAX = 60.0, 10
NOBODY = Refusal("dice.nobody_throws", "Whoever has the dice does not throw them, and nobody else may.")


@dataclass(slots=True)
class Evening:
    """What came of it, in minor units."""

    table: str
    house: str
    began: int
    rail: int = 0
    rolls: int = 0
    refused: dict[str, Refusal] = field(default_factory=dict)  # what the server said no to, by wager

    @property
    def net(self) -> int:
        """Won less lost, wagers still up at face value."""
        return self.rail - self.began


class Bot:
    """One seat that follows a strategy."""

    def __init__(self, table: ClientTable, strategy: Strategy | PythonStrategy, unit: Fraction | None = None) -> None:
        """Look at the table and lay the strategy out on its felt; sit down first where nobody sits."""
        self.table = table
        view = table.look()
        if view.seat is None:
            raise StrategyError(f"{name_of(strategy)} has no seat at {view.table}: sit down first")
        self._seat = view.seat
        self._is_stick = "stick" in view.roles  # who practises has the dice thrown, whoever holds them
        self._follower = Follower(strategy, House(view.house).layout, _state(view), view.seat, unit)
        self._seen = view.sequence  # the last roll that the strategy knows of, or where it began
        self.evening = Evening(view.table, view.house, self._follower.worth, self._follower.worth)

    def play(self, rolls: int, tell: Callable[[Answer, int], None]) -> Evening:
        """Follow the strategy for so many rolls, or until it ends its evening; `tell` hears of each."""
        view = self.table.look()
        while self.evening.rolls < whole_number("rolls", rolls):
            acts = self._follower.act(_state(view))
            refused = self._ask(acts)
            if any(each.refusal is CONTRADICTED for each in refused):
                break
            rolled = None if acts.leaves else self._roll()
            if rolled is None:
                break
            view = self.table.look()
            self._follower.after(acts, refused, tuple(rolled.events), _state(view))
            self.evening.rail = self._follower.worth
            self.evening.rolls += 1
            tell(rolled, self._follower.worth)
        return self.evening

    def _ask(self, acts: Acts) -> list[Refused]:
        """Ask the server for what the strategy wants; what it refuses is kept, and play goes on."""
        refused = []
        for command in acts.commands:
            data = to_data(command)
            fields = {name: value for name, value in data.items() if name not in ("kind", "v")}
            answer = self.table.act(data["kind"], **fields)
            if isinstance(answer, Refusal):
                self.evening.refused[command.wager] = answer
                refused.append(Refused(command.wager, answer))
        return refused

    def _roll(self) -> Answer | None:
        """The roll after the last one seen: made meanwhile, ours to ask for, or another's; None where nobody throws."""
        for _ in range(WAITS_MAX):
            view = self.table.look()
            is_shared = len(view.state["seats"]) > 1 and not self._is_stick
            if is_shared and (rolled := self._next_roll(view.sequence)) is not None:
                return rolled
            if not is_shared or (view.state["shooter"] or view.state["offered"]) in (None, view.seat):
                try:
                    answer = self.table.roll()
                except ServiceError as error:
                    if error.code != "permission.missing" or not is_shared:
                        raise
                    continue  # somebody else has the dice since that look
                if isinstance(answer, Refusal):
                    self.evening.refused["roll"] = answer
                    return None
                self._seen = answer.sequence
                return answer
            if (rolled := self._next_roll()) is not None:
                return rolled
            self.table.act("command.shoot")  # who has the dice is away: whoever may takes them
        self.evening.refused["roll"] = NOBODY
        return None

    def _next_roll(self, upto: int | None = None) -> Answer | None:
        """The next roll of anybody, up to an entry that is there; else as long as something happens at the table."""
        if upto is not None and upto <= self._seen:
            return None
        for event in self.table.events(self._seen, idle_s=IDLE_S):
            if event.kind == "rolled":
                self._seen = event.sequence
                return event.answer
            if event.sequence == upto:
                break
        return None


def _state(view: View) -> TableState:
    return Table.at(view.position).state
