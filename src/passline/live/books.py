"""Double entry: the engine's postings under the names of accounts, breakage beside them, and wallets at the cage."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from passline.engine.events import ChipsBought, Event, PlayerLeft, PlayerSat, SeatCleared, WagerWon
from passline.engine.postings import PLACES_CACHED, balances, postings
from passline.engine.table import TableState
from passline.engine.values import Place
from passline.floor.acts import FloorEvent
from passline.floor.cage import payments
from passline.live.entries import Draft, Entry

# From, to, and how many minor units, more than none; a list, for that is how it stands in an entry.
Posting = list[str | int]

BREAKAGE = "breakage"  # what rounding has left the house: part of what the bank has won, set apart


@lru_cache(maxsize=PLACES_CACHED)
def account(place: Place) -> str:
    """The account of a place at the table: `rail/3`, `felt/3/place_6`."""
    name = place.name.replace(" ", "_")
    if place.seat is None:
        return name
    return f"{name}/{place.seat}" if place.wager is None else f"{name}/{place.seat}/{place.wager}"


def booked(events: Iterable[Event]) -> list[Posting]:
    rows: list[Posting] = []
    for event in events:
        rows += [[account(source), account(to), amount] for source, to, amount in postings(event)]
        if type(event) is WagerWon and event.rounding is not None and (left := int(event.exact - event.won)):
            # What a win lost to rounding, in whole minor units; rounding up costs the house.
            rows.append(["bank", BREAKAGE, left] if left > 0 else [BREAKAGE, "bank", -left])
    return rows


def on_the_table(table: TableState, breakage: int = 0) -> dict[str, int]:
    """What every account must hold by what lies on the table, empty ones left out."""
    accounts = {account(place): amount for place, amount in balances(table).items()}
    accounts["bank"] = accounts.get("bank", 0) - breakage
    accounts[BREAKAGE] = breakage
    return {name: amount for name, amount in sorted(accounts.items()) if amount}


CAGE = "cage"  # the stream in which wallets are booked

CageAct = Literal["pay_in", "pay_out", "buy_in", "colour_up"]


def cage_draft(act: CageAct, player: str, amount: int, by: Draft, other: Entry | None) -> Draft:
    inside, outside = wallet(player), "cash" if act in ("pay_in", "pay_out") else "tables"
    body: dict[str, Any] = {
        "act": act,
        "player": player,
        "amount": amount,
        "table": other and other.table,
        "sequence": other and other.sequence,
        "postings": [[outside, inside, amount] if act in ("pay_in", "colour_up") else [inside, outside, amount]],
    }
    # A key is of one table: what goes with a table's entry was asked for under that entry's key.
    return Draft("cage_acted", body, by.actor, by.role, by.time, None if other else by.key)


def wallet(player: str) -> str:
    return f"wallet/{player}"


class Carried(NamedTuple):
    """Chips that came to a seat from the cage, or, below zero, went back to it."""

    seat: int
    amount: int


def carried(events: Iterable[Event]) -> Iterator[Carried]:
    for event in events:
        match event:
            case PlayerSat():
                yield Carried(event.seat, event.buyin)
            case ChipsBought():
                yield Carried(event.seat, event.amount)
            case PlayerLeft():
                yield Carried(event.seat, -event.cashed)
            case SeatCleared():
                yield Carried(event.seat, -event.held)
            case _:
                pass


def cage_acts(
    wallets: Mapping[int, str], events: Iterable[Event], floor: Iterable[FloorEvent] = (), *, bought: bool
) -> list[tuple[CageAct, str, int]]:
    """The other side of an entry at the cage; chips come out of a wallet only where the entry says that they do."""
    chips: list[tuple[CageAct, str, int]] = [
        ("buy_in" if amount > 0 else "colour_up", wallets[seat], abs(amount))
        for seat, amount in carried(events)
        if amount and seat in wallets and (amount < 0 or bought)
    ]
    return [*chips, *payments(floor)]
