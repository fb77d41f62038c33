"""What the exhibit-a tests share."""

from __future__ import annotations

from tests.clauses.felt import MADE, POINTS, Felt, another

__all__ = ["EXHIBIT_A", "MADE", "POINTS", "another", "at", "booked_with_a_point", "dealt", "equipment", "net"]

_FELT = Felt("exhibit-a")

EXHIBIT_A = _FELT.house

at = _FELT.at
dealt = _FELT.dealt
booked_with_a_point = _FELT.booked_with_a_point
net = _FELT.net
equipment = _FELT.equipment
