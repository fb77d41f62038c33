"""What a wager costs: its exact figures, worked out once for each house and only when somebody asks."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from passline.telling.names import percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from passline.house import House
    from passline.odds.wagers import WagerOdds


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
    return known.get(spot.key_at(point))


def edge_text(found: WagerOdds) -> str:
    """The edge three ways: per bet made, per bet resolved (pushes left out) and per roll."""
    if not found.mean_net:
        return "no edge"
    made, resolved, roll = found.edge_per_bet_made, found.edge_per_bet_resolved, found.edge_per_roll_working
    same = made == resolved
    bets = f"{percent(made)} made or resolved" if same else f"{percent(made)} made, {percent(resolved)} resolved"
    return f"edge {bets}, {percent(roll)} a roll"
