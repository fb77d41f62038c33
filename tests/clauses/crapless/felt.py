"""What the crapless tests share."""

from __future__ import annotations

from tests.clauses.felt import MADE, Felt, another

__all__ = ["CRAPLESS", "MADE", "POINTS", "SEVEN", "another", "at", "dealt"]

_FELT = Felt("crapless")

CRAPLESS = _FELT.house

at = _FELT.at
dealt = _FELT.dealt

POINTS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
SEVEN = "roll 6-1"
