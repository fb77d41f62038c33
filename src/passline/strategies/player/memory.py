"""What a strategy remembers between rolls: a short row of whole numbers, each no larger than anybody looks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Protocol

from passline.strategies.language.conditions import QUANTITIES, Condition, Kept, Quantity, Sight, looks
from passline.strategies.language.strategy import Cancellation, End, Growth, Ladder, Move, StageRule, Strategy

Value = int | tuple[int, ...]
"""One thing remembered."""

Memory = tuple[Value, ...]
"""Everything remembered, in the order of the plan's slots."""

Fits = Callable[[Fraction], bool]
"""Whether the table takes every bet that a step of so many units leads to."""

LAST = Quantity("last")
"""The total of the last roll."""

PROFIT = Quantity("profit")
"""What the evening has brought so far."""

PEAK = Quantity("peak")
"""The most it had brought at any time."""

STAGE = Quantity("stage")
"""Which stage the evening is at."""

BELOW_PEAK = Quantity("below_peak")
"""How much of that is gone again."""

HAND_PROFIT = Quantity("hand_profit")
"""What this shooter's hand has brought so far."""

OVER = Quantity("over")
"""Whether the strategy has ended its evening; no condition can ask, for nothing is wanted any more."""


class RollResult(Protocol):
    """What a roll did, as far as memory cares."""

    @property
    def rolled(self) -> int:
        """The total."""

    @property
    def net(self) -> int:
        """Grains won less grains lost, commission included."""

    def result(self, wager: str) -> int:
        """What a wager, or a family, won less what it lost."""


class Slot(Protocol):
    """One place in memory."""

    @property
    def start(self) -> Value:
        """What is there before the first roll."""

    def after(self, value: Value, sight: Sight, roll: RollResult) -> Value:
        """What is there after a roll."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A number that goes up by one, and stops where no condition could tell it from a larger one."""

    when: Condition
    reset: Condition | None
    cap: int | None
    start: int = 0
    down: Condition | None = None

    def after(self, value: Value, sight: Sight, _roll: RollResult) -> Value:
        """Start it again, add one, take one away, or leave it."""
        assert isinstance(value, int)
        if self.reset is not None and self.reset.holds(sight):
            return self.start
        value += self.when.holds(sight) - (self.down is not None and self.down.holds(sight))
        return max(0, value if self.cap is None else min(value, self.cap))


@dataclass(frozen=True, slots=True)
class StageOf:
    """Which stage the evening is at, from one on; it is looked at when all else is known after a roll."""

    rules: tuple[StageRule, ...]
    start: int = 1

    def after(self, value: Value, sight: Sight, _roll: RollResult) -> Value:
        """Back by one, on by one, or as it was."""
        assert isinstance(value, int)
        rule = self.rules[value - 1]
        if value > 1 and rule.back is not None and rule.back.holds(sight):
            return value - 1
        return value + 1 if value < len(self.rules) and rule.on is not None and rule.on.holds(sight) else value


@dataclass(frozen=True, slots=True)
class LastTotal:
    """The total of the last roll; 0 before the first."""

    start: int = 0

    def after(self, _value: Value, _sight: Sight, roll: RollResult) -> Value:
        return roll.rolled


@dataclass(frozen=True, slots=True)
class Profit:
    """The evening's net, held where the evening ends anyway."""

    low: int | None
    high: int | None
    start: int = 0

    def after(self, value: Value, _sight: Sight, roll: RollResult) -> Value:
        assert isinstance(value, int)
        profit = value + roll.net
        if self.high is not None and profit > self.high:
            return self.high
        return profit if self.low is None else max(profit, self.low)


@dataclass(frozen=True, slots=True)
class BelowPeak:
    """How far the evening has come down from its best."""

    most: int | None
    start: int = 0

    def after(self, value: Value, _sight: Sight, roll: RollResult) -> Value:
        """A win brings it nearer, a loss takes it further away."""
        assert isinstance(value, int)
        below = max(0, value - roll.net)
        return below if self.most is None else min(below, self.most)


@dataclass(frozen=True, slots=True)
class Peak:
    """The best of the evening, and how far below it we are."""

    below: BelowPeak
    start: Value = (0, 0)

    def after(self, value: Value, sight: Sight, roll: RollResult) -> Value:
        """Higher by what a win leaves over."""
        assert isinstance(value, tuple)
        peak, below = value
        peak += max(0, roll.net - below)
        gone = self.below.after(below, sight, roll)
        assert isinstance(gone, int)
        return (peak if self.below.most is None else min(peak, self.below.most), gone)


@dataclass(frozen=True, slots=True)
class HandProfit:
    """What this hand has brought."""

    most: int | None
    start: int = 0

    def after(self, value: Value, sight: Sight, roll: RollResult) -> Value:
        """Add the roll's net; a new hand starts from nothing."""
        assert isinstance(value, int)
        if sight.has_happened("hand over"):
            return 0
        profit = value + roll.net
        return profit if self.most is None else max(-self.most, min(profit, self.most))


@dataclass(frozen=True, slots=True)
class JustWon:
    """What a wager, or a family, won with the last roll; nothing if it did not."""

    wager: str
    start: int = 0

    def after(self, _value: Value, _sight: Sight, roll: RollResult) -> Value:
        """The win, less what went with it."""
        return max(0, roll.result(self.wager))


@dataclass(frozen=True, slots=True)
class Over:
    """Whether the evening has ended; it never begins again."""

    when: Condition
    start: int = 0

    def after(self, value: Value, sight: Sight, _roll: RollResult) -> Value:
        return 1 if value or self.when.holds(sight) else 0


@dataclass(frozen=True, slots=True)
class Climb:
    """Where a ladder stands."""

    ladder: Ladder
    fits: Fits
    start: int = 0

    def units(self, value: Value) -> Fraction:
        """The stake of the step, in units."""
        assert isinstance(value, int)
        return step_units(self.ladder, value) or Fraction(0)

    def after(self, value: Value, sight: Sight, roll: RollResult) -> Value:
        """Climb or fall by what the wager did."""
        assert isinstance(value, int)
        ladder = self.ladder
        if ladder.reset is not None and ladder.reset.holds(sight):
            return 0
        result = roll.result(ladder.of)
        return self._moved(value, ladder.won if result > 0 else ladder.lost) if result else value

    def _moved(self, value: int, move: Move) -> int:
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
                return _past_the_end(self.ladder.end, value, 0)


@dataclass(frozen=True, slots=True)
class Series:
    """Where a ladder with a goal stands, and what its series has brought: Oscar's grind is one.

    The goal may hold a bet below its step. The ladder then goes on from what was bet: after a loss the same again,
    after a win one step above it.
    """

    climb: Climb
    unit: Fraction
    """Grains in one unit."""
    most: int | None
    """No series that goes on has lost more: past the stops the evening is over."""
    start: Value = (0, 0)

    def units(self, value: Value) -> Fraction:
        """The stake of the step, or what the goal still takes if that is less."""
        assert isinstance(value, tuple)
        step, brought = value
        return min(self.climb.units(step), self._goal - brought / self.unit)

    @property
    def _goal(self) -> Fraction:
        assert self.climb.ladder.goal is not None
        return self.climb.ladder.goal

    def after(self, value: Value, sight: Sight, roll: RollResult) -> Value:
        """Climb or fall, and start over when the goal is reached."""
        assert isinstance(value, tuple)
        step, brought = value
        bet = self.units(value)
        while step and self.climb.units(step) > bet:
            step -= 1
        brought += roll.result(self.climb.ladder.of)
        after = self.climb.after(step, sight, roll)
        assert isinstance(after, int)
        reset = self.climb.ladder.reset
        if brought >= self._goal * self.unit or (reset is not None and reset.holds(sight)):
            return self.start
        return (after, brought if self.most is None else max(brought, -self.most))


@dataclass(frozen=True, slots=True)
class CrossedLine:
    """What is left of a Labouchère line."""

    line: Cancellation
    fits: Fits

    @property
    def start(self) -> Value:
        return self.line.line

    def units(self, value: Value) -> Fraction:
        """Both ends together, in units."""
        assert isinstance(value, tuple)
        return Fraction(value[0] + value[-1] if len(value) > 1 else value[0])

    def after(self, value: Value, sight: Sight, roll: RollResult) -> Value:
        """Cross the ends off, or write the loss behind."""
        assert isinstance(value, tuple)
        line = self.line
        if line.reset is not None and line.reset.holds(sight):
            return line.line
        result = roll.result(line.of)
        if result > 0:
            return value[1:-1] or line.line
        if result < 0:
            longer = (*value, self.units(value).numerator)
            return longer if self.fits(self.units(longer)) else _past_the_end(line.end, value, line.line)
        return value


def _past_the_end(end: End, here: Value, start: Value) -> int:
    """Where a progression goes that can go no further."""
    return here if end == "hold" else start  # type: ignore[return-value]


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
        elif (kept := kept_for(number)) is not None:
            yield number, Counter(*kept, None if value is None else value + 1)


def kept_for(number: Quantity) -> Kept | None:
    """What adds to a count and what empties it, if it is one that has to be remembered."""
    meaning = QUANTITIES.get(number.name)
    return meaning.kept(number.of) if meaning and meaning.kept else None
