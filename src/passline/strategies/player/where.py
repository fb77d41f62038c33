"""Where a strategy can be played as it is written."""

from __future__ import annotations

from functools import cache

from passline.errors import StrategyError
from passline.house import House
from passline.record.notice import default_notice
from passline.strategies.language.strategy import Strategy
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
