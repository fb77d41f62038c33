"""What a wager costs: its exact figures, worked out once for each house and only when somebody asks."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from passline.terminal.naming import percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from passline.house import House
    from passline.odds.wagers import WagerOdds

PLAIN_ODDS = "no edge"
"""What is said of a price that is exactly fair."""


@cache
def figures(house: House) -> Mapping[str, WagerOdds]:
    """Everything that is known of a house's wagers; the first time takes a second or two in houses with long bets."""
    from passline.odds.wagers import wager_odds

    return wager_odds(house)


def figures_of(house: House, key: str, point: int = 0) -> WagerOdds | None:
    """The figures of one wager; those of line odds hang on the point, those of a come bet on where it started."""
    spot, known = house.spots[key], figures(house)
    if spot.has_travelled:
        return None
    return known.get(key) or known.get(f"{key}_{point}")


def edge_text(house: House, key: str, point: int = 0) -> str:
    """The edge of a wager, per bet made, resolved and roll where they differ; nothing where it is not known."""
    found = figures_of(house, key, point)
    if found is None:
        return ""
    if not found.mean_net:
        return PLAIN_ODDS
    made, resolved, roll = found.edge_per_bet_made, found.edge_per_bet_resolved, found.edge_per_roll_working
    more = [f"{percent(resolved)} resolved"] if resolved != made else []
    more += [f"{percent(roll)} a roll"] if roll != made else []
    return f"edge {percent(made)}" + (f" ({', '.join(more)})" if more else "")
