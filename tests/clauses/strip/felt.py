"""What the strip tests share."""

from __future__ import annotations

from tests.clauses.felt import MADE, POINTS, Felt, another

__all__ = ["MADE", "POINTS", "STRIP", "another", "at", "cited", "dealt", "net", "paid"]

_FELT = Felt("strip")

STRIP = _FELT.house

at = _FELT.at
dealt = _FELT.dealt
net = _FELT.net
cited = _FELT.cited
paid = _FELT.paid
