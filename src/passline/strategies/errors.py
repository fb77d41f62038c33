"""Why a strategy cannot be played as it stands."""

from __future__ import annotations


class StrategyError(ValueError):
    """A strategy that this table, or this way of playing it, cannot have."""


class UnboundedStrategyError(StrategyError):
    """A strategy with no end to its states: it has no machine, and can only be played roll by roll."""


class WagerMissingError(StrategyError):
    """A strategy that asks for wagers this house does not book."""

    def __init__(self, message: str, *, wagers: tuple[str, ...], houses: tuple[str, ...]) -> None:
        """Keep which wagers are missing, and which houses have them all."""
        self.wagers, self.houses = wagers, houses
        super().__init__(message)
