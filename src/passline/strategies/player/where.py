"""Where a strategy can be played as it is written."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import lcm

from passline.engine.book import Book
from passline.engine.layout import Spot, lay_out
from passline.errors import StrategyError
from passline.house import House
from passline.record.notice import default_notice
from passline.strategies.language.amounts import Amount, ToWin
from passline.strategies.language.strategy import Ladder, Strategy
from passline.strategies.player.plan import Plan, Purse, booked


def houses_for(strategy: Strategy) -> list[str]:
    """The houses that come with the program and can have the strategy played as it is written."""
    return [house.id for house in House.all() if why_not(strategy, house) is None]


def why_not(strategy: Strategy, house: House) -> StrategyError | None:
    """What keeps a strategy from a house at the notice it posts."""
    try:
        Plan(strategy, house.layout, default_notice(house.book), unit=strategy.unit, seat=1, purse=Purse(strategy.unit))
    except StrategyError as error:
        return error
    return None


@cache
def booked_anywhere() -> frozenset[str]:
    """What the houses that come with the program book, any of them."""
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
    return isinstance(amount, ToWin) + max(map(_to_wins, amount.inner()), default=0)


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
