"""A strategy at one table: its wagers found on the layout, its money in minor units, its memory laid out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from passline.engine import limits
from passline.engine.book import Book
from passline.engine.commands import Bet, CallOff, CallOn, Take
from passline.engine.kinds import Line
from passline.engine.layout import Layout, Spot, lay_out
from passline.engine.table import Notice
from passline.errors import StrategyError, UnboundedStrategyError, WagerMissingError
from passline.files.findings import nearest
from passline.strategies.language import amounts as a
from passline.strategies.language.amounts import Amount, numbers_in, parts_of, spends
from passline.strategies.language.conditions import Condition, Quantity
from passline.strategies.language.strategy import Ladder, Progression, Strategy
from passline.strategies.player import view as m
from passline.strategies.player.view import PROFIT, Climb, Counter, CrossedLine, Filled, Memory, Series, Slot, View
from passline.telling.figures import listed

if TYPE_CHECKING:  # a saved machine is rolled where nothing reads a house file
    from passline.house import House


class Purse(NamedTuple):
    """The money of a session: what is at hand, and the net that ends it either way; None where there is none."""

    bankroll: Fraction | None = None
    stop_win: Fraction | None = None
    stop_loss: Fraction | None = None


NO_PURSE = Purse()  # nothing is known of the session's money
MAXIMUM = "Give the table a maximum (--max, max_bet)"
STOPS = "Give it a stop-win and a stop-loss (--stop-win, --stop-loss)"
FAR = 1000  # a count so large that the amounts people write change no more
BANKROLL = Quantity("bankroll")  # what is at hand: the bankroll and the session's net


@dataclass(frozen=True, slots=True)
class Goal:
    spots: tuple[Spot, ...]
    amount: Amount
    fixed: int | None  # the amount in minor units where nothing can change it


@dataclass(frozen=True, slots=True)
class Aim:
    when: Condition
    goals: tuple[Goal, ...]
    down: tuple[str, ...]
    calls: Mapping[str, bool]  # how wagers are to be called: on, or off
    skip_point: bool


class Wanted(NamedTuple):
    """Everything that should be up, in minor units or still to be worked out, and how it should be called."""

    amounts: dict[str, Amount | int]
    calls: dict[str, bool]


class Endless(NamedTuple):
    """Why the states of a strategy have no end, and what would bound them, where anything does."""

    why: str
    bound: str


Asking = Bet | Take | CallOn | CallOff  # what a player asks for between two rolls


class Plan:
    """One strategy as one seat at one table plays it."""

    def __init__(  # noqa: PLR0913 - a strategy, a table, and the money at it
        self, strategy: Strategy, layout: Layout, notice: Notice, *, unit: Fraction, seat: int, purse: Purse = NO_PURSE
    ) -> None:
        """Find everything; raise a `StrategyError` that says what is not there.

        The purse is where a session's money enters a strategy: all that it sees and remembers of money goes by it.
        """
        self.strategy, self.layout, self.notice, self.seat = strategy, layout, notice, seat
        self.unit = unit * layout.minor_per_unit  # Minor units in one unit
        self.purse, self.bankroll = purse, purse.bankroll
        if unit <= 0:
            raise StrategyError(f"a unit of {unit}: one unit is more than nothing")
        self.families: dict[str, tuple[str, ...]] = {}  # the spots of each family, travelled ones too
        for spot in layout.spots.values():
            self.families[spot.family] = (*self.families.get(spot.family, ()), spot.key)
        self._check_wagers()
        self.aims = tuple(
            Aim(
                want.when,
                tuple(self.goal(wager, amount) for wager, amount in want.up),
                self._all(want.down),
                dict.fromkeys(self._all(want.on), True) | dict.fromkeys(self._all(want.off), False),
                want.skip_point,
            )
            for want in strategy.wants
        )
        # What was asked for before and not refused, by everything that a want can look at.
        self.requests: dict[tuple[object, ...], tuple[Asking, ...]] = {}
        self.slots, self.place = self._memory()

    @property
    def start(self) -> Memory:
        return tuple(slot.start for slot in self.slots)

    def members(self, wager: str) -> tuple[str, ...]:
        """The spots a name stands for: all of a family, or the one spot."""
        return self.families.get(wager) or (wager,)

    def spots_of(self, wager: str) -> tuple[str, ...]:
        """The spots a name stands for on the felt: the one of that name, else all of the family."""
        return (wager,) if wager in self.layout.spots else self.families.get(wager, ())

    def wanted(self, view: View) -> Wanted:
        """What should be up now: the wants that hold, in order; of two that speak of one wager the later one counts."""
        amounts: dict[str, Amount | int] = {}
        calls: dict[str, bool] = {}
        for aim in self.aims:
            if not aim.when.holds(view):
                continue
            for goal in aim.goals:
                for spot in goal.spots:
                    skips = aim.skip_point and view.puck and spot.number == view.puck
                    amounts[spot.key] = 0 if skips else goal.amount if goal.fixed is None else goal.fixed
            amounts |= dict.fromkeys((key for key in aim.down if key in view.felt), 0)
            calls |= aim.calls
        return Wanted(amounts, calls)

    def is_over(self, view: View) -> bool:
        when = self.strategy.ends.when
        return when is not None and (bool(view.memory[self.place[m.OVER]]) or when.holds(view))

    @property
    def over(self) -> Memory:
        return tuple(1 if at == self.place[m.OVER] else slot.start for at, slot in enumerate(self.slots))

    def units(self, progression: str, memory: Memory, spot: Spot) -> Fraction:
        """Where a progression stands; one that each number has for itself, on the number of the spot."""
        at = self.place.get(Quantity(progression))
        if at is None:
            at = self.place[Quantity(progression, spot.number)]
        slot = self.slots[at]
        assert isinstance(slot, Climb | CrossedLine | Series)
        return slot.units(memory[at])

    def endless(self) -> Endless | None:
        """Why the states of this strategy have no end, where that can be known beforehand."""
        for number, at in self.place.items():
            match self.slots[at]:
                case Climb(ladder=ladder) if isinstance(ladder.steps, str) and self._has_no_top(ladder):
                    return Endless(f"`{ladder.name}` climbs without end, and no table maximum stops it", MAXIMUM)
                case CrossedLine(line=line) if self._has_no_top(line):
                    why = f"the line of `{line.name}` grows without end, and no table maximum stops it"
                    return Endless(why, MAXIMUM)
                case Series(climb=climb, most=None):
                    why = f"a series of `{climb.ladder.name}` can lose any amount"
                    if self._swing() is None:
                        return Endless(why, STOPS)
                    return Endless(f"{why} beside the other bets, which no stop bounds", "")
                case Filled(has_no_end=True) if number == PROFIT:
                    return Endless("it looks at profit or bankroll, which can be any amount", STOPS)
                case Filled(has_no_end=True) if self.strategy.ends.when is None:
                    stops = STOPS.replace("--stop-loss)", "--stop-loss), or the file an `[ends] when`")
                    return Endless("it looks at money won or lost, which can be any amount", stops)
                case Counter(cap=None):
                    return Endless("it counts without end", "")
                case _:
                    continue
        return None

    def _check_wagers(self) -> None:
        """Every wager the strategy puts up must be booked here; every other name must mean something here."""
        offered = to_ask_for(self.layout)
        missing = [wager for wager in self.strategy.wagers if wager not in offered]
        known = {*self.layout.spots, *self.families}
        odd = sorted(name for name in self.strategy.named if name not in known and name not in missing)
        if missing or odd:
            raise missing_wagers(self.strategy, self.layout, (*missing, *odd))

    def _all(self, wagers: Sequence[str]) -> tuple[str, ...]:
        return tuple(key for wager in wagers for key in self.spots_of(wager))

    def goal(self, wager: str, amount: Amount) -> Goal:
        spots = tuple(self.layout.spots[key] for key in self.spots_of(wager))
        has_top = spots[0].is_odds or limits.maximum(self.notice, spots[0]) is not None
        for part in parts_of(amount):
            if part == a.Single("max") and not has_top:
                no = f"{self.strategy.id} bets the maximum on {wager}, and this table has none."
                raise UnboundedStrategyError(no, "Give it one (--max, max_bet).")
            if isinstance(part, a.ToWin) and any(map(_has_many_prices, spots)):
                no = f"{self.strategy.id} wants to win a sum on {wager}, which pays more than one price: say the stake."
                raise StrategyError(no)
        return Goal(spots, amount, (amount.units * self.unit).__floor__() if isinstance(amount, a.Units) else None)

    def _memory(self) -> tuple[tuple[Slot, ...], dict[Quantity, int]]:
        strategy = self.strategy
        seen = set(strategy.numbers)
        slots: dict[Quantity, Slot] = dict(m.counters(strategy, self._priced()))
        if m.LAST in seen:
            slots[m.LAST] = m.LAST_TOTAL
        spending = any(spends(amount) for _, amount in strategy.amounts)
        if (spending or BANKROLL in seen) and self.bankroll is None:
            raise StrategyError(f"{strategy.id} looks at its bankroll, and none was given.")
        if spending or seen & {PROFIT, BANKROLL}:
            slots[PROFIT] = m.profit(*self._stops())
        slots |= self._money(seen)
        for part in strategy.progressions:
            slots |= self._progression(part)
        if strategy.stages:
            slots[m.STAGE] = m.StageOf(strategy.stages)
        if strategy.ends.when is not None:
            slots[m.OVER] = m.over(strategy.ends.when)
        return tuple(slots.values()), {number: at for at, number in enumerate(slots)}

    def _money(self, seen: Iterable[Quantity]) -> dict[Quantity, Filled]:
        """What is remembered of money won and lost, but the session's profit."""
        most = self._swing()
        slots = {m.PEAK: m.peak(most), m.BELOW_PEAK: m.below_peak(most), m.HAND_PROFIT: m.hand_profit(most)}
        won = sorted((number for number in seen if number.name == "just_won"), key=str)
        kept = {number: slot for number, slot in slots.items() if number in seen}
        return kept | {number: m.just_won(str(number.of)) for number in won}

    def _swing(self) -> int | None:
        """The most that can lie between two moments of a session with stops."""
        low, high = self._stops()
        return None if low is None or high is None else high - low

    def _progression(self, part: Progression) -> dict[Quantity, Slot]:
        """Where a progression is remembered; one for each number in as many places as there are numbers."""
        fits = self._fits(part)
        if not isinstance(part, Ladder):
            return {Quantity(part.name): CrossedLine(part, fits)}
        if part.goal is not None:
            # What other bets bring is no part of the series, so that no stop bounds it beside them.
            alone = {key for wager in self.strategy.wagers for key in self.spots_of(wager)} <= {*self.members(part.of)}
            return {Quantity(part.name): Series(Climb(part, fits), self.unit, self._swing() if alone else None)}
        if not part.each:
            return {Quantity(part.name): Climb(part, fits)}
        moved = {self.layout.spots[key].number: key for key in self.members(part.of) if self.layout.spots[key].number}
        used = {spot.number for spot, _ in self._using(part)}
        if not used <= moved.keys():
            no = f"{self.strategy.id}: `{part.name}` has a step for each number of {part.of}, and no others."
            raise StrategyError(no)
        return {Quantity(part.name, number): Climb(replace(part, of=moved[number]), fits) for number in sorted(used)}

    def _priced(self) -> Iterator[tuple[Quantity, int | None]]:
        """Each count that an amount is worked out from, and how far: None where every count makes another bet."""
        for wager, amount in self.strategy.amounts:
            for spot in self.goal(wager, amount).spots:
                yield from ((number, self._reach(spot, amount, number)) for number in set(numbers_in(amount)))

    def _reach(self, spot: Spot, amount: Amount, number: Quantity) -> int | None:
        """The last count after which a bet still changes; an amount is made of straight lines, so far out it is one."""
        plain = (a.Units, a.Counted)
        parts = (part for part in parts_of(amount) if not part.inner())
        alone = all(isinstance(part, plain) or part == a.Single("max") for part in parts)
        if not alone or spot.is_odds or set(numbers_in(amount)) != {number}:
            return None
        far = self._bet_at(spot, amount, number, FAR)
        if any(self._bet_at(spot, amount, number, FAR * 10**more) != far for more in range(1, 10)):
            return None
        return next((at for at in range(FAR - 1, -1, -1) if self._bet_at(spot, amount, number, at) != far), 0)

    def _bet_at(self, spot: Spot, amount: Amount, number: Quantity, count: int) -> Fraction:
        return max(Fraction(0), amount.minor_units(_AtStep(self, spot, Fraction(0), number, count)))

    def _stops(self) -> tuple[int | None, int | None]:
        """Where profit is held, in minor units: past the stops the session is over."""
        bankroll, high, low = self.purse
        low = bankroll if low is None else low  # a bankroll is gone before that, for every bet must be covered
        minor_unit = self.layout.minor_per_unit
        least = None if low is None else (-low * minor_unit).__floor__()
        return least, None if high is None else (high * minor_unit).__ceil__()

    def _fits(self, progression: Progression) -> m.Fits:
        using = self._using(progression)
        tops = [(spot, amount, top) for spot, amount in using if (top := limits.maximum(self.notice, spot)) is not None]
        return lambda units: all(amount.minor_units(_AtStep(self, spot, units)) <= top for spot, amount, top in tops)

    def _using(self, progression: Progression) -> list[tuple[Spot, Amount]]:
        """The bets that hang on a progression; of a family with one step for all, its first."""
        each = isinstance(progression, Ladder) and progression.each
        return [
            (spot, amount)
            for wager, amount in self.strategy.amounts
            if any(isinstance(part, a.Step) and part.progression == progression.name for part in parts_of(amount))
            for spot in self.goal(wager, amount).spots[: None if each else 1]
        ]

    def _has_no_top(self, progression: Progression) -> bool:
        """Whether no bet that hangs on a progression has a maximum."""
        return all(limits.maximum(self.notice, spot) is None for spot, _ in self._using(progression))


@dataclass(frozen=True, slots=True)
class _AtStep(a.Pricing):
    """Prices a bet as if its progression stood at a given step; odds are left out, for they hang on their flat bet."""

    plan: Plan
    spot: Spot
    units: Fraction
    counted: Quantity | None = None
    count: int = 0

    @property
    def unit(self) -> Fraction:
        return self.plan.unit

    def most(self) -> int:
        return limits.maximum(self.plan.notice, self.spot) or 0

    def to_win(self, amount: Fraction) -> Fraction:
        """The stake at the wager's only price, where it has one."""
        return amount / self.spot.rate_at(self.spot.number) if self.spot.number else amount

    def step(self, _progression: str) -> Fraction:
        return self.units

    def number(self, number: Quantity) -> Fraction | int:
        return self.count if number == self.counted else 0


def _has_many_prices(spot: Spot) -> bool:
    """Whether no one stake wins a given sum; odds have the price of their point."""
    return bool(spot.parts) or (not spot.is_odds and len({paid.price.rate for paid in spot.prices}) > 1)


def missing_wagers(strategy: Strategy, layout: Layout, missing: tuple[str, ...]) -> WagerMissingError:
    """Say which wagers a house lacks and which houses have them, or which names are no wagers at all."""
    from passline.house import House

    houses = House.all()
    by_house = {
        house.id: {name for name in booked(house.layout) if name not in strategy.wagers} | to_ask_for(house.layout)
        for house in houses
    }
    everywhere = set().union(*by_house.values(), booked(layout))
    sentences = []
    for wager in missing:
        having = [house for house, names in by_house.items() if wager in names and house != layout.book.id]
        if wager not in everywhere:
            near = nearest(wager, everywhere)
            sentences.append(f"{wager} is no wager of any house" + (f"; the nearest name is {near}" if near else ""))
        elif having:
            others = f"{listed(having)} {'does' if len(having) == 1 else 'do'}"
            sentences.append(f"{layout.book.name} does not book {wager}; {others}")
        else:
            sentences.append(f"{layout.book.name} does not book {wager}, and no other house does")
    whole = tuple(house.id for house in houses if can_be_played(strategy, house.layout))
    message = f"{strategy.id} cannot be played at {layout.book.id}: {'. '.join(sentences)}."
    return WagerMissingError(message, missing, whole)


def can_be_played(strategy: Strategy, layout: Layout) -> bool:
    """Whether a house takes every wager that a strategy puts up, and knows every other it names."""
    return set(strategy.wagers) <= to_ask_for(layout) and strategy.named <= booked(layout)


def to_ask_for(layout: Layout) -> set[str]:
    """Every name by which a player can ask for a wager here: spots, families, and what may be put on its number."""
    puts = (spot for spot in layout.spots.values() if isinstance(spot.rule.terms, Line) and spot.rule.terms.put.value)
    return {name for spots in (layout.offered(), puts) for spot in spots for name in (spot.key, spot.family)}


def booked(layout: Layout) -> set[str]:
    """Every name that means a wager in this house: spots and families, travelled ones too."""
    booked = [spot for spot in layout.spots.values() if spot.rule.offered.value]
    return {name for spot in booked for name in (spot.key, spot.family)}


def houses_for(strategy: Strategy) -> list[str]:
    """The houses that come with the program and can have the strategy played as it is written."""
    from passline.house import House

    return [house.id for house in House.all() if why_not(strategy, house) is None]


def why_not(strategy: Strategy, house: "House") -> StrategyError | None:
    """What keeps a strategy from a house at the notice it posts."""
    from passline.record.notice import default_notice

    try:
        Plan(strategy, house.layout, default_notice(house.book), unit=strategy.unit, seat=1, purse=Purse(strategy.unit))
    except StrategyError as error:
        return error
    return None


@cache
def booked_anywhere() -> frozenset[str]:
    """What the houses that come with the program book, any of them."""
    from passline.house import House

    return frozenset().union(*(booked(house.layout) for house in House.all()))


SCHOOL = 60  # for a callable, whose amounts nobody knows beforehand: halves, thirds, quarters and fifths of a unit


def clearing(book: Book, strategy: Strategy | None, unit: Fraction) -> int:
    """Minor units in one unit of money: a multiple of everything a stake, a laid stake, a price or a charge divides by.

    Without a strategy, for a player who may bet anything. Larger than necessary, which costs nothing: a machine is
    reduced to its coarsest minor unit when it is built.
    """
    spots = [*lay_out(book, exact=True, minor_per_unit=1).spots.values()]
    stakes, won = SCHOOL, 1
    if strategy is not None:
        spots = [spot for spot in spots if not {spot.key, spot.family}.isdisjoint(strategy.wagers)]
        stakes = lcm(*(amount.clears() for _, amount in strategy.amounts), *_steps(strategy)) ** 2
        # Any stake divides by its price as often as it is worked out from what it wins.
        wins = lcm(*(rate.numerator for spot in spots for rate in rates(spot) if rate))
        won = wins ** max((_to_wins(amount) for _, amount in strategy.amounts), default=0)
    # Odds divide by the price when they are laid to win something, and a second time when they are multiples of that.
    laid = lcm(*(rate.numerator for spot in spots for rate in rates(spot) if rate and spot.side is not None))
    prices = lcm(*(rate.denominator for spot in spots for rate in rates(spot)))
    shares, charges = lcm(*(spot.units for spot in spots)), lcm(*map(_charge, spots))
    return unit.denominator * stakes * laid * won * shares * prices * charges


def _to_wins(amount: Amount) -> int:
    """How often an amount is turned round into what wins it, one within the other."""
    return isinstance(amount, a.ToWin) + max(map(_to_wins, amount.inner()), default=0)


def _steps(strategy: Strategy) -> Iterator[int]:
    for part in strategy.progressions:
        if isinstance(part, Ladder) and part.goal is not None:
            yield part.goal.denominator
        if isinstance(part, Ladder) and not isinstance(part.steps, str):
            yield from (step.denominator for step in part.steps)
        elif isinstance(part, Ladder) and part.steps == "add half":
            yield 2


def _charge(spot: Spot) -> int:
    terms = spot.rule.commission
    if terms is None:
        return 1
    return terms.rate.value.denominator * lcm(*(rate.denominator for rate in rates(spot)))


def rates(spot: Spot) -> set[Fraction]:
    """Every profit that a stake of one can make on a spot; of a split, on one of its parts."""
    return {paid.price.rate for paid in spot.prices}
