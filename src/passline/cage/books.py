"""From what happened to what is booked: the engine's postings under the names of accounts, and breakage beside them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from passline.engine.events import Event, WagerWon
from passline.engine.postings import SEATS_KEPT, balances, postings
from passline.engine.table import TableState
from passline.engine.values import Place

Posting = list[str | int]
"""From, to, and how many grains, more than none; a list, for that is how it stands in an entry."""

BREAKAGE = "breakage"
"""What rounding has left the house: part of what the bank has won, set apart."""


@lru_cache(maxsize=SEATS_KEPT)
def account(place: Place) -> str:
    """The account of a place at the table: `rail/3`, `felt/3/place_6`."""
    name = place.name.replace(" ", "_")
    if place.seat is None:
        return name
    return f"{name}/{place.seat}" if place.wager is None else f"{name}/{place.seat}/{place.wager}"


def booked(events: Iterable[Event]) -> list[Posting]:
    """The postings of what happened, in its order."""
    found: list[Posting] = []
    for event in events:
        found += [[account(source), account(to), amount] for source, to, amount in postings(event)]
        if type(event) is WagerWon and event.rounding is not None:
            found += _breakage(event)
    return found


def _breakage(event: WagerWon) -> list[Posting]:
    """What a win lost to rounding, in whole grains; rounding up costs the house."""
    left = int(event.exact - event.won)
    if not left:
        return []
    return [["bank", BREAKAGE, left] if left > 0 else [BREAKAGE, "bank", -left]]


def on_the_table(table: TableState, breakage: int = 0) -> dict[str, int]:
    """What every account must hold by what lies on the table, empty ones left out."""
    found = {account(place): amount for place, amount in balances(table).items()}
    found["bank"] = found.get("bank", 0) - breakage
    found[BREAKAGE] = breakage
    return {name: amount for name, amount in sorted(found.items()) if amount}
