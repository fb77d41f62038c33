"""One wager at a time: walked to its end, paid by the dealers, priced in fractions."""

from passline.odds.wagers.prices import AsPaid, Edges, Favours, WagerOdds, mean_in_chips, odds_of

__all__ = ["AsPaid", "Edges", "Favours", "WagerOdds", "mean_in_chips", "odds_of"]
