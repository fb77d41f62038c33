"""What a player sees, and remembers: the table from one seat, what a roll did, and a short row of whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from passline.engine.commands import Bet
from passline.engine.decide import decide
from passline.engine.events import DiceThrown, Event, PuckTurned, SevenOut, ShooterLost, WagerLost, WagerWon
from passline.engine.postings import brought, postings
from passline.engine.refusals import Refusal
from passline.engine.table import TableState, Wager
from passline.engine.values import ROLLS
from passline.strategies.language.conditions import QUANTITIES, Condition, Quantity, looks
from passline.strategies.language.strategy import Cancellation, Growth, Ladder, Move, StageRule, Strategy

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

    def __init__(self, plan: Plan | PythonPlan, events: Sequence[Event], net: int, made: Collection[str] = ()) -> None:
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

    def is_so(self, what: str, wager: str | None = None) -> bool:
        """Whether a fact holds, of a wager or of any of its family; what a roll does is never so before one."""
        key, outcome = wager or "", self.outcome
        match what:
            case "always":
                return True
            case "puck on" | "puck off":
                return bool(self.puck) == (what == "puck on")
            case "up":
                return any(each in self.felt for each in self.plan.spots_of(key))
            case "open":
                return is_open(self.plan, self.table, self.plan.notice.chip, key)
            case _ if outcome is None:
                return False
            case "made":
                return any(each in outcome.made for each in self.plan.members(key))
            case "won" | "lost":
                return outcome.won(key) if what == "won" else outcome.lost(key)
            case _:
                return bool(getattr(outcome, what.replace(" ", "_")))


# --- What it remembers, each no larger than anybody looks -----------------------------------------------------------


Value = Any  # one thing remembered: a whole number, or a tuple of them
Memory = tuple[Value, ...]  # everything remembered, in the order of the plan's slots
Fits = Callable[[Fraction], bool]  # whether the table takes every bet that a step of so many units leads to
LAST = Quantity("last")  # the total of the last roll
PROFIT = Quantity("profit")  # what the session has brought so far
PEAK = Quantity("peak")  # the most it had brought at any time
STAGE = Quantity("stage")  # which stage the session is at
BELOW_PEAK = Quantity("below_peak")  # how much of that is gone again
HAND_PROFIT = Quantity("hand_profit")  # what this shooter's hand has brought so far
OVER = Quantity("over")  # whether the strategy has ended its session: no condition can ask, nothing is wanted any more


@dataclass(frozen=True, slots=True)
class Counter:
    """A number that goes up by one, and stops where no condition could tell it from a larger one."""

    when: Condition
    reset: Condition | None
    cap: int | None
    start: int = 0
    down: Condition | None = None

    def after(self, value: Value, sight: View, _roll: Outcome) -> Value:
        if self.reset is not None and self.reset.holds(sight):
            return self.start
        value += self.when.holds(sight) - (self.down is not None and self.down.holds(sight))
        return max(0, value if self.cap is None else min(value, self.cap))


@dataclass(frozen=True, slots=True)
class StageOf:
    """Which stage the session is at, from one on; it is looked at when all else is known after a roll."""

    rules: tuple[StageRule, ...]
    start: int = 1

    def after(self, value: Value, sight: View, _roll: Outcome) -> Value:
        rule = self.rules[value - 1]
        if value > 1 and rule.back is not None and rule.back.holds(sight):
            return value - 1
        return value + 1 if value < len(self.rules) and rule.on is not None and rule.on.holds(sight) else value


@dataclass(frozen=True, slots=True)
class Filled:
    """A place that is filled anew after every roll."""

    after: Callable[[Value, View, Outcome], Value]
    start: Value = 0
    has_no_end: bool = False  # whether it can come to any amount


LAST_TOTAL = Filled(lambda _value, _sight, roll: roll.total)


def profit(low: int | None, high: int | None) -> Filled:
    """The session's net, held where the session ends anyway."""
    no_end = low is None or high is None
    return Filled(lambda value, _sight, roll: held(value + roll.net_minor_units, low, high), has_no_end=no_end)


def below_peak(most: int | None) -> Filled:
    """How far the session has come down from its best: a win brings it nearer, a loss takes it further away."""
    return Filled(lambda value, _sight, roll: held(value - roll.net_minor_units, 0, most), has_no_end=most is None)


def peak(most: int | None) -> Filled:
    """The best of the session, and how far below it we are."""

    def after(value: Value, _sight: View, roll: Outcome) -> Value:
        best, below = value
        return held(best + max(0, roll.net_minor_units - below), 0, most), held(below - roll.net_minor_units, 0, most)

    return Filled(after, (0, 0), most is None)


def hand_profit(most: int | None) -> Filled:
    """What this hand has brought; a new one starts from nothing."""

    def after(value: Value, sight: View, roll: Outcome) -> Value:
        low = None if most is None else -most
        return 0 if sight.is_so("hand over") else held(value + roll.net_minor_units, low, most)

    return Filled(after, has_no_end=most is None)


def just_won(wager: str) -> Filled:
    """What a wager, or a family, won with the last roll; nothing if it did not."""
    return Filled(lambda _value, _sight, roll: max(0, roll.result(wager)))


def over(when: Condition) -> Filled:
    """Whether the session has ended; it never begins again."""
    return Filled(lambda value, sight, _roll: int(value or when.holds(sight)))


def held(value: int, low: int | None, high: int | None) -> int:
    value = value if high is None else min(value, high)
    return value if low is None else max(value, low)


@dataclass(frozen=True, slots=True)
class Climb:
    ladder: Ladder
    fits: Fits
    start: int = 0

    def units(self, value: Value) -> Fraction:
        return step_units(self.ladder, value) or Fraction(0)

    def after(self, value: Value, sight: View, roll: Outcome) -> Value:
        ladder = self.ladder
        if ladder.reset is not None and ladder.reset.holds(sight):
            return 0
        result = roll.result(ladder.of)
        return self._moved(value, ladder.won if result > 0 else ladder.lost) if result else value

    def _moved(self, value: int, move: Move) -> Value:
        match move:
            case "start over":
                return 0
            case "hold":
                return value
            case "back":
                return max(0, value - 1)
            case "back 2":
                return max(0, value - 2)
            case "next":
                units = step_units(self.ladder, value + 1)
                if units is not None and self.fits(units):
                    return value + 1
                return value if self.ladder.end == "hold" else 0


@dataclass(frozen=True, slots=True)
class Series:
    """Where a ladder with a goal stands, and what its series has brought: Oscar's grind is one.

    The goal may hold a bet below its step. The ladder then goes on from what was bet: after a loss the same again,
    after a win one step above it.
    """

    climb: Climb
    unit: Fraction  # Minor units in one unit
    most: int | None  # no series that goes on has lost more: past the stops the session is over
    start: Value = (0, 0)

    def units(self, value: Value) -> Fraction:
        step, brought = value
        return min(self.climb.units(step), self._goal - Fraction(brought) / self.unit)

    @property
    def _goal(self) -> Fraction:
        assert self.climb.ladder.goal is not None
        return self.climb.ladder.goal

    def after(self, value: Value, sight: View, roll: Outcome) -> Value:
        step, brought = value
        bet = self.units(value)
        while step and self.climb.units(step) > bet:
            step -= 1
        brought += roll.result(self.climb.ladder.of)
        after = self.climb.after(step, sight, roll)
        reset = self.climb.ladder.reset
        if brought >= self._goal * self.unit or (reset is not None and reset.holds(sight)):
            return self.start
        return (after, brought if self.most is None else max(brought, -self.most))


@dataclass(frozen=True, slots=True)
class CrossedLine:
    line: Cancellation
    fits: Fits

    @property
    def start(self) -> Value:
        return self.line.line

    def units(self, value: Value) -> Fraction:
        return Fraction(value[0] + value[-1] if len(value) > 1 else value[0])

    def after(self, value: Value, sight: View, roll: Outcome) -> Value:
        line = self.line
        if line.reset is not None and line.reset.holds(sight):
            return line.line
        result = roll.result(line.of)
        if result > 0:
            return value[1:-1] or line.line
        if result < 0:
            longer = (*value, self.units(value).numerator)
            return longer if self.fits(self.units(longer)) else value if line.end == "hold" else line.line
        return value


Slot = Counter | StageOf | Filled | Climb | Series | CrossedLine  # one place in memory


def step_units(ladder: Ladder, step: int) -> Fraction | None:
    """The stake of a step, in units; None past the end of a list."""
    if isinstance(ladder.steps, str):
        return _grown(ladder.steps, step)
    return ladder.steps[step] if step < len(ladder.steps) else None


@lru_cache(maxsize=4096)
def _grown(growth: Growth, step: int) -> Fraction:
    match growth:
        case "double":
            return Fraction(1 << step)
        case "add one":
            return Fraction(step + 1)
        case "add half":
            return Fraction(step + 2, 2)
        case "fibonacci":
            before, now = 0, 1
            for _ in range(step):
                before, now = now, before + now
            return Fraction(now)


def counters(strategy: Strategy, priced: Iterable[tuple[Quantity, int | None]]) -> Iterator[tuple[Quantity, Counter]]:
    """The counts that a strategy looks at, each as far as any condition, or any amount (`priced`), looks."""
    far: dict[Quantity, int | None] = {}
    for number, value in chain(priced, *(looks(condition) for condition in strategy.conditions)):
        before = far.get(number, 0)
        far[number] = None if before is None or value is None else max(before, value)
    own = {count.name: count for count in strategy.counts}
    for number, value in far.items():  # None: an amount that has no top tells every count from the next
        if number.of is None and number.name in own:
            count = own[number.name]
            # What goes down again is told from every larger value on the way.
            far_enough = None if value is None or count.down is not None else max(value + 1, count.start)
            tops = [top for top in (far_enough, count.most) if top is not None]
            yield number, Counter(count.when, count.reset, min(tops, default=None), count.start, count.down)
        elif (meaning := QUANTITIES.get(number.name)) and meaning.counting:
            yield number, Counter(*meaning.counting(number.of), None if value is None else value + 1)
