"""What the sydney tests share."""

from __future__ import annotations

from tests.clauses.felt import MADE, POINTS, Felt

__all__ = ["HALVES", "MADE", "POINTS", "SYDNEY", "at", "cited", "dealt", "net"]

_FELT = Felt("sydney")

SYDNEY = _FELT.house

HALVES = ("0.50", 1, 5, 25, 100)
"""A float that can pay seven and a half."""

at = _FELT.at
dealt = _FELT.dealt
net = _FELT.net
cited = _FELT.cited
