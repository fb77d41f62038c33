"""One wager at a time: walked to its end, paid by the dealers, priced in fractions."""

from passline.odds.wagers.prices import (
    AsPaid,
    Edges,
    Favours,
    WagerOdds,
    edge_in_chips,
    mean_in_chips,
    odds_now,
    odds_of,
    odds_standing,
)
from passline.odds.wagers.walk import is_put

__all__ = [
    "AsPaid",
    "Edges",
    "Favours",
    "WagerOdds",
    "edge_in_chips",
    "is_put",
    "mean_in_chips",
    "odds_now",
    "odds_of",
    "odds_standing",
]
