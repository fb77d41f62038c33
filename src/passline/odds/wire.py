"""Exact answers as programs read them: every fraction a string, nothing rounded."""

from __future__ import annotations

from dataclasses import fields
from itertools import islice
from typing import TYPE_CHECKING

from passline.odds.wagers import Edges

if TYPE_CHECKING:
    from fractions import Fraction

    from passline.odds.compare import Comparison
    from passline.odds.hand import Hand
    from passline.odds.wagers import AsPaid, WagerOdds

Json = dict[str, object]

EDGES = tuple(field.name for field in fields(Edges))

ROLLS_SHOWN = (1, 2, 5, 10, 20, 50, 100)
"""The lengths of a hand that are told by name."""

POINTS_SHOWN = 10
"""How many numbers of points made are told before the rest is one figure."""


def odds_json(odds: WagerOdds) -> Json:
    """One wager."""
    told: Json = {
        "name": odds.name,
        "p_win": str(odds.p_win),
        "p_lose": str(odds.p_lose),
        "p_push": str(odds.p_push),
        **_edges(odds),
        "rolls_working": str(odds.rolls_working),
        "rolls_all": _or_null(odds.rolls_all),
        "clauses": list(odds.clauses),
    }
    if odds.as_paid:
        told["as_paid"] = as_paid_json(odds.as_paid)
    elif odds.refused:
        told["as_paid"] = {"refused": odds.refused}
    return told


def as_paid_json(paid: AsPaid) -> Json:
    """One wager in chips; `favours` says in a word whom it pays."""
    return {
        "stake": str(paid.stake),
        "chip": str(paid.chip),
        "commission": str(paid.commission),
        **_edges(paid),
        "favours": paid.favours,
    }


def hand_json(hand: Hand) -> Json:
    """The shooter's hand."""
    tail = list(islice(hand.tail(), ROLLS_SHOWN[-1] + 1))
    return {
        "mean_rolls": str(hand.mean_rolls),
        "variance_rolls": str(hand.variance_rolls),
        "rolls_more_than": {str(rolls): str(tail[rolls]) for rolls in ROLLS_SHOWN},
        "p_point_made": str(hand.p_point_made),
        "mean_points": str(hand.mean_points),
        "points": {str(made): str(hand.points(made)) for made in range(POINTS_SHOWN)}
        | {f"{POINTS_SHOWN}+": str(hand.points_at_least(POINTS_SHOWN))},
        "mean_distinct_points": str(hand.mean_distinct),
        "distinct_points": {str(made): str(chance) for made, chance in enumerate(hand.distinct_points)},
    }


def comparison_json(comparison: Comparison) -> Json:
    """One wager in every house that has it."""
    return {
        "houses": {
            house: {"name": odds.name, "prices": list(odds.prices), **_edges(odds)}
            for house, odds in comparison.odds.items()
        },
        "best": list(comparison.best),
        "worst": list(comparison.worst),
    }


def _edges(edges: Edges) -> Json:
    return {name: str(getattr(edges, name)) for name in EDGES}


def _or_null(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
