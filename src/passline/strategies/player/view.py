"""What a player sees: the table from one seat, what the last roll did, and what the plan remembers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from passline.engine.commands import Bet
from passline.engine.decide import decide
from passline.engine.events import DiceThrown, Event, PuckTurned, SevenOut, ShooterLost, WagerLost, WagerUp, WagerWon
from passline.engine.postings import brought, postings
from passline.engine.refusals import Refusal
from passline.engine.table import TableState, Wager
from passline.strategies.language.conditions import QUANTITIES, How, Quantity, What
from passline.strategies.player.memory import PROFIT, Memory

if TYPE_CHECKING:
    from passline.strategies.player.plan import Plan
    from passline.strategies.player.python import PythonPlan

# The refusals that say: not at this moment.
CLOSED = frozenset({"bet.window", "bet.locked", "bet.no_flat", "bet.dont_banned", "bet.closing", "wager.not_offered"})


@dataclass(slots=True)
class Outcome:
    """What one roll did to one seat."""

    rolled: int
    net: int
    made: frozenset[str]  # Wagers that went up for the roll
    results: dict[str, int]  # what each decided wager won less what it lost
    families: Mapping[str, tuple[str, ...]]
    happened: set[What] = field(default_factory=set)

    def result(self, wager: str) -> int:
        """What a wager, or a family, won less what it lost."""
        if not self.results:
            return 0
        return sum(self.results.get(key, 0) for key in self.families.get(wager) or (wager,))


def outcome(plan: Plan, acts: Iterable[Event], events: Iterable[Event], net: int) -> Outcome:
    """Read what a roll did to the plan's seat out of what happened."""
    seat = plan.seat
    made = frozenset(event.wager for event in acts if event.__class__ is WagerUp)
    seen = Outcome(0, net, made, {}, plan.families)
    puck = 0
    for event in events:
        match event:
            case WagerWon() | WagerLost() if event.seat == seat:
                seen.results[event.wager] = brought(postings(event), seat)
            case DiceThrown():
                seen.rolled, puck = event.total, event.puck
            case PuckTurned():
                if event.to:
                    seen.happened.add("point set")
                elif seen.rolled == puck:
                    seen.happened.add("point made")
            case SevenOut():
                seen.happened |= {"seven out", "hand over"}
            case ShooterLost():
                seen.happened.add("hand over")
            case _:
                pass
    return seen


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
        return self.outcome.rolled if self.outcome else 0

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
        return plan.bankroll * plan.layout.grain / plan.unit + self.number(PROFIT)

    def has_happened(self, what: What) -> bool:
        return self.outcome is not None and what in self.outcome.happened

    def was(self, how: How, wager: str) -> bool:
        if how == "up":
            return any(key in self.felt for key in self.plan.spots_of(wager))
        if how == "open":
            return is_open(self.plan, self.table, self.plan.notice.chip, wager)
        if self.outcome is None:
            return False
        if how == "made":
            return any(key in self.outcome.made for key in self.plan.members(wager))
        result = self.outcome.result(wager)
        return result > 0 if how == "won" else result < 0
