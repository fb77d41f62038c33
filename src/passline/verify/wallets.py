"""Between the cage and the tables: what leaves a wallet comes to a rail, and comes back to the same wallet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from passline.engine.events import ChipsBought, PlayerLeft, PlayerSat, SeatCleared
from passline.verify.report import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from passline.engine.events import Event
    from passline.verify.entry import Entry
    from passline.verify.game import Game
    from passline.verify.report import Complaint


class Carried(NamedTuple):
    """Chips that came to a seat from the cage, or, below zero, went back."""

    sequence: int
    seat: int
    amount: int
    sat: bool = False
    """Whether somebody new sat down with them."""


class Link(NamedTuple):
    """An act of the cage that says it is the other side of a table's entry."""

    own: int
    """The cage's entry."""
    player: str
    amount: int
    """To the table, or, below zero, from it."""


class Carrying:
    """Remembers what goes between the rails of one table and the cage."""

    def __init__(self, game: Game) -> None:
        """Nothing yet."""
        self._game = game
        self.moves: list[Carried] = []

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """Nothing is wrong with it before the cage was heard too."""
        if type(entry.sequence) is int:  # the chain complains of any other
            self.moves += carried(entry.sequence, self._game.events)
        yield from ()


def carried(sequence: int, events: Iterable[Event]) -> Iterator[Carried]:
    """What an entry of a table moved between its rails and the cage."""
    for event in events:
        match event:
            case PlayerSat():
                yield Carried(sequence, event.seat, event.buyin, sat=True)
            case ChipsBought():
                yield Carried(sequence, event.seat, event.amount)
            case PlayerLeft():
                yield Carried(sequence, event.seat, -event.cashed)
            case SeatCleared():
                yield Carried(sequence, event.seat, -event.held)
            case _:
                pass


def compare(table: str, moves: Iterable[Carried], links: dict[int, list[Link]]) -> Iterator[Fault]:
    """A table's moves beside the acts that name its entries, by sequence: who bought from a wallet is paid there."""
    owners: dict[int, str] = {}
    for sequence, seat, amount, sat in moves:
        if sat:
            owners.pop(seat, None)
        waiting = links.get(sequence, [])
        link = next((each for each in waiting if each.amount == amount), None)
        if link is not None:
            waiting.remove(link)
            owners.setdefault(seat, link.player)
            if owners[seat] != link.player:
                no = f"{link.player}'s wallet is the other side, and the chips are {owners[seat]}'s"
                yield Fault(table, sequence, "body.events", no)
        elif amount < 0 and seat in owners:
            yield Fault(table, sequence, "body.events", f"{-amount} of {owners[seat]}'s went back to no wallet")
    for sequence, waiting in links.items():
        for link in waiting:
            no = f"{link.amount} to the table is not what entry {sequence} of {table} says"
            yield Fault("cage", link.own, "body", no)
