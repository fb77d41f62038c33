"""What a player sees: the table from one seat, what the last roll did, and what the plan remembers."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from passline.engine.commands import Bet
from passline.engine.decide import decide
from passline.engine.events import DiceThrown, Event, PuckTurned, SevenOut, ShooterLost, WagerLost, WagerWon
from passline.engine.postings import brought, postings
from passline.engine.refusals import Refusal
from passline.engine.table import TableState, Wager
from passline.engine.values import ROLLS
from passline.strategies.language.conditions import QUANTITIES, How, Quantity, What
from passline.strategies.player.memory import PROFIT, Memory

if TYPE_CHECKING:
    from passline.strategies.player.plan import Plan
    from passline.strategies.player.python import PythonPlan

# The refusals that say: not at this moment.
CLOSED = frozenset({"bet.window", "bet.locked", "bet.no_flat", "bet.dont_banned", "bet.closing", "wager.not_offered"})


class Outcome:
    """What one roll did to one seat; amounts are units of the strategy."""

    __slots__ = (
        "_minor_units",
        "_plan",
        "events",
        "hand_over",
        "made",
        "net_minor_units",
        "point_made",
        "point_set",
        "puck",
        "roll",
        "seven_out",
    )

    def __init__(
        self, plan: Plan | PythonPlan, events: tuple[Event, ...], net: int, made: frozenset[str] = frozenset()
    ) -> None:
        self._plan = plan
        self._minor_units: Mapping[str, int] | None = None
        self.net_minor_units, self.made = net, made
        self.events = events
        """Everything that happened at the table, in cents (or the finer minor unit of an exact analysis)."""
        self.roll = ROLLS[0]
        self.puck = 0
        """The point that the dice were thrown on; 0: a come-out roll."""
        self.point_set = self.point_made = False
        self.seven_out = False
        self.hand_over = False
        """Whether the dice pass: after a seven-out, and in some houses after any loss of the line."""
        for event in events:
            if isinstance(event, DiceThrown):
                self.roll, self.puck = ROLLS[6 * event.first + event.second - 7], event.puck
            elif isinstance(event, PuckTurned):
                self.point_set = bool(event.to)
                self.point_made = not event.to and self.roll.total == self.puck
            elif isinstance(event, SevenOut):
                self.seven_out = self.hand_over = True
            elif isinstance(event, ShooterLost):
                self.hand_over = True

    @property
    def net(self) -> Fraction:
        """Won less lost; commission counts when it is the house's for good."""
        return self.net_minor_units / self._plan.unit

    @property
    def results(self) -> Mapping[str, Fraction]:
        """What each wager that was decided won less what it lost."""
        return {wager: result / self._plan.unit for wager, result in self._decided().items()}

    def _decided(self) -> Mapping[str, int]:
        if self._minor_units is None:
            seat = self._plan.seat
            decided = (event for event in self.events if isinstance(event, WagerWon | WagerLost) and event.seat == seat)
            self._minor_units = {event.wager: brought(postings(event), seat) for event in decided}
        return self._minor_units

    @property
    def total(self) -> int:
        """What both dice add up to."""
        return self.roll.total

    def result(self, wager: str) -> int:
        """What a wager, or all of a family such as `place`, won less what it lost, in minor units."""
        decided = self._decided()
        return sum(decided.get(key, 0) for key in self._plan.members(wager)) if decided else 0

    def won(self, wager: str) -> bool:
        """Whether the roll won this wager, or of a family more than it lost."""
        return self.result(wager) > 0

    def lost(self, wager: str) -> bool:
        """Whether the roll lost this wager, or of a family more than it won."""
        return self.result(wager) < 0

    def __repr__(self) -> str:
        return f"<Outcome {self.roll} net={self.net} results={dict(self.results)}>"


def is_open(plan: Plan | PythonPlan, table: TableState, chip: int, wager: str) -> bool:
    """Whether the dealers would take the wager now, leaving how much aside."""
    answers = (decide(plan.layout, table, Bet(plan.seat, key, chip)) for key in plan.spots_of(wager))
    return any(not (isinstance(answer, Refusal) and answer.code in CLOSED) for answer in answers)


class View:
    """A table as one plan sees it; conditions look at this."""

    __slots__ = ("felt", "memory", "outcome", "plan", "puck", "table")

    def __init__(self, plan: Plan, table: TableState, memory: Memory, seen: Outcome | None = None) -> None:
        """Look at a table; after a roll, `seen` is what it did and the table is the one it was thrown on."""
        self.plan = plan
        self.table = table
        self.memory = memory
        self.outcome = seen
        self.felt: Mapping[str, Wager] = table.seats[plan.seat].felt
        self.puck: int = table.puck

    def number(self, number: Quantity) -> Fraction | int:
        plan = self.plan
        meaning = QUANTITIES.get(number.name)
        at = plan.place.get(number)
        if at is not None:
            value = self.memory[at]
            first = value[0] if isinstance(value, tuple) else value  # of the peak, what is below it comes second
            return Fraction(first) / plan.unit if meaning is not None and meaning.is_money else first
        if meaning is None or meaning.seen is None:
            raise LookupError(f"no number {number}")
        return meaning.seen(self, number.of)

    def total(self) -> int:
        return self.outcome.total if self.outcome else 0

    def travelled(self, family: str) -> int:
        return sum(key in self.felt for key in self.plan.members(family) if key != family)

    def bets_on(self, wager: str) -> int:
        return sum(key in self.felt for key in self.plan.members(wager))

    def staked_on(self, wager: str) -> Fraction:
        stakes = (self.felt[key].stake for key in self.plan.spots_of(wager) if key in self.felt)
        return Fraction(sum(stakes)) / self.plan.unit

    def at_hand(self) -> Fraction:
        plan = self.plan
        if plan.bankroll is None:
            raise LookupError("no bankroll was given")
        return plan.bankroll * plan.layout.minor_per_unit / plan.unit + self.number(PROFIT)

    def has_happened(self, what: What) -> bool:
        return self.outcome is not None and bool(getattr(self.outcome, what.replace(" ", "_")))

    def was(self, how: How, wager: str) -> bool:
        if how == "up":
            return any(key in self.felt for key in self.plan.spots_of(wager))
        if how == "open":
            return is_open(self.plan, self.table, self.plan.notice.chip, wager)
        if self.outcome is None:
            return False
        if how == "made":
            return any(key in self.outcome.made for key in self.plan.members(wager))
        return self.outcome.won(wager) if how == "won" else self.outcome.lost(wager)
