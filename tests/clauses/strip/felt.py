"""What the strip tests share."""

from __future__ import annotations

from tests.clauses.felt import MADE, POINTS, Felt, another

__all__ = ["MADE", "POINTS", "another", "at", "dealt", "net", "paid"]

_FELT = Felt("strip")

at = _FELT.at
dealt = _FELT.dealt
net = _FELT.net
paid = _FELT.paid
