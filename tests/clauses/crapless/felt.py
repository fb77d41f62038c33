"""What the crapless tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.engine.events import WagerWon
from tests.clauses.felt import MADE, Felt, another
from tests.clauses.table_helpers import only

if TYPE_CHECKING:
    from passline.table import Table

__all__ = ["CRAPLESS", "MADE", "POINTS", "ROLES", "SEVEN", "another", "at", "cited", "dealt", "net", "paid"]

_FELT = Felt("crapless")

CRAPLESS = _FELT.house

at = _FELT.at
dealt = _FELT.dealt
net = _FELT.net
cited = _FELT.cited

POINTS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
ROLES = ("dealer", "box", "stick", "supervisor", "inspector")
SEVEN = "roll 6-1"


def paid(clause: str, wager: str, price: str, *lines: str) -> tuple[Table, WagerWon]:
    """Play lines of which the last wins: by this clause, at this very price, and nothing of it rounded."""
    table, events = dealt(*lines)
    won = only(events, WagerWon, wager=wager, seat=1)
    assert (won.clause, str(won.price), won.rounding) == (f"crapless:{clause}", price, None)
    return table, won
