"""What a wager costs: the exact edges, where the odds are worked out."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from passline.house import House


@cache
def _worked_out(house: House) -> Mapping[str, Any]:
    if find_spec("passline.odds.wagers") is None:
        return {}
    figures: Mapping[str, Any] = import_module("passline.odds.wagers").wager_odds(house)
    return figures


def edge(house: House, key: str) -> Fraction | None:
    """The house's share of each unit bet on a wager; None where nobody has worked it out."""
    figures = _worked_out(house).get(key)
    return None if figures is None else figures.edge_per_bet_made
