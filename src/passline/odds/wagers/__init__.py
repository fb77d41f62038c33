"""One wager at a time: walked to its end, paid by the dealers, priced in fractions."""

from passline.odds.wagers.prices import (
    AsPaid,
    Edges,
    Favours,
    WagerOdds,
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
    "is_put",
    "mean_in_chips",
    "odds_now",
    "odds_of",
    "odds_standing",
]
