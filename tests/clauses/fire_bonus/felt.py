"""What the fire-bonus tests share."""

from __future__ import annotations

from tests.clauses.felt import MADE, POINTS, Felt, another

__all__ = ["FIRE_BONUS", "MADE", "POINTS", "another", "at", "booked_with_a_point", "dealt", "equipment", "net", "paid"]

_FELT = Felt("fire-bonus")

FIRE_BONUS = _FELT.house

at = _FELT.at
dealt = _FELT.dealt
booked_with_a_point = _FELT.booked_with_a_point
net = _FELT.net
equipment = _FELT.equipment
paid = _FELT.paid
