"""What the crapless tests share."""

from __future__ import annotations

from tests.clauses.felt import MADE, Felt, another

__all__ = ["CRAPLESS", "MADE", "POINTS", "ROLES", "SEVEN", "another", "at", "cited", "dealt", "net", "paid"]

_FELT = Felt("crapless")

CRAPLESS = _FELT.house

at = _FELT.at
dealt = _FELT.dealt
net = _FELT.net
cited = _FELT.cited
paid = _FELT.paid

POINTS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
ROLES = ("dealer", "box", "stick", "supervisor", "inspector")
SEVEN = "roll 6-1"
