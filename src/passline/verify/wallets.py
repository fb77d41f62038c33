"""Between the cage and the tables: what leaves a wallet comes to a rail, and comes back to the same wallet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from passline.engine.events import ChipsBought, Event, OutcomeStruckOut, PlayerLeft, PlayerSat, SeatCleared
from passline.verify.entry import Entry
from passline.verify.report import Complaint, Fault

if TYPE_CHECKING:
    from passline.verify.game import Game


class Short(NamedTuple):
    """Somebody was told that a wallet has less than this: the cage, which comes in a stream of its own, knows."""

    sequence: int
    player: str
    amount: int


class Carried(NamedTuple):
    """Chips that came to a seat from the cage, or, below zero, went back."""

    sequence: int
    seat: int
    amount: int
    sat: bool = False
    """Whether somebody new sat down with them."""
    wallet: str | None = None
    """Whose wallet the entry names."""
    undone: bool = False
    """Whether a roll is struck out that sent them."""


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
        self._game = game
        self.moves: list[Carried] = []
        self._rolled: list[Carried] = []
        """What the last roll sent."""
        self.closed = 0
        """The entry that closes the table."""
        self._stopped = False

    @property
    def rails(self) -> dict[int, int]:
        """What lies before each seat; an entry that cannot be read may have left no table to look at."""
        state = getattr(self._game, "state", None)
        return {number: seat.rail for number, seat in state.seats.items() if seat.rail} if state else {}

    @property
    def open(self) -> str | None:
        """Chips at a table that stopped: nobody was paid for them."""
        lies = sum(self.rails.values()) if self._stopped else 0
        return f"it stopped, and nobody was paid for {lies} that lie on its rails" if lies else None

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """Whoever pays from a wallet pays from their own; all else is known when the cage was heard too."""
        self._stopped |= entry.kind == "table_stopped"
        if type(entry.sequence) is int:  # the chain complains of any other
            wallet = entry.body.get("wallet")
            if wallet not in (None, actor := entry.data["actor"]):
                yield "body.wallet", f"it is {wallet}'s, and {actor} acts"
            if entry.kind == "table_closed":
                self.closed = entry.sequence
            found = [each._replace(wallet=wallet) for each in carried(entry.sequence, self._game.events)]
            if any(isinstance(event, OutcomeStruckOut) for event in self._game.events):
                back = (each._replace(amount=-each.amount, undone=True) for each in self._rolled)
                self.moves += [each._replace(sequence=entry.sequence) for each in back]
            if entry.kind == "rolled":
                self._rolled = found
            self.moves += found


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


def compare(table: str, carrying: Carrying, links: dict[int, list[Link]], *, hosted: bool) -> Iterator[Fault]:
    """A table's moves beside the acts that name its entries, by sequence: who bought from a wallet is paid there.

    Where a table is `hosted` for wallets, all its chips come out of them.
    """
    owners: dict[int, str] = {}
    for sequence, together in groupby(carrying.moves, key=lambda move: move.sequence):
        waiting = links.get(sequence, [])
        # Whose wallet is known comes first, so that no other move of as much takes what belongs to it.
        for move in sorted(together, key=lambda move: move.seat not in owners):
            yield from _compared(table, move, owners, waiting)
            if hosted and move.amount > 0 and move.seat not in owners:
                no = f"{move.amount} came out of no wallet, and the table is hosted for wallets"
                yield Fault(table, sequence, "body.events", no)
    for sequence, waiting in links.items():
        for link in waiting:
            no = f"{link.amount} to the table is not what entry {sequence} of {table} says"
            yield Fault("cage", link.own, "body", no)
    for seat, rail in carrying.rails.items() if carrying.closed else ():
        if seat in owners:
            no = f"the table closes, and {rail} of {owners[seat]}'s went back to no wallet"
            yield Fault(table, carrying.closed, "kind", no)


def _compared(table: str, move: Carried, owners: dict[int, str], waiting: list[Link]) -> Iterator[Fault]:
    sequence, seat, amount, sat, wallet, undone = move
    if sat:
        owners.pop(seat, None)
    if wallet is not None:
        owners.setdefault(seat, wallet)
    owner = owners.get(seat)
    same = sorted((each for each in waiting if each.amount == amount), key=lambda each: each.player != owner)
    if same:
        waiting.remove(same[0])
        if amount < 0 and owner is None:
            no = f"{-amount} that came out of no wallet went into {same[0].player}'s"
            yield Fault(table, sequence, "body.events", no)
        owners.setdefault(seat, same[0].player)
        if owners[seat] != same[0].player:
            no = f"{same[0].player}'s wallet is the other side, and the chips are {owners[seat]}'s"
            yield Fault(table, sequence, "body.events", no)
    elif amount < 0 and seat in owners:
        yield Fault(table, sequence, "body.events", f"{-amount} of {owners[seat]}'s went back to no wallet")
    elif amount > 0 and undone and seat in owners:
        yield Fault(table, sequence, "body.events", f"{amount} that went to {owners[seat]}'s wallet came out of none")
    elif amount and wallet is not None:
        yield Fault(table, sequence, "body.wallet", f"it is {wallet}'s, and the cage has no act of {amount} for it")
    if wallet is not None and wallet != owners.get(seat, wallet):
        yield Fault(table, sequence, "body.wallet", f"it is {wallet}'s, and the chips are {owners[seat]}'s")


def short(
    table: str,
    told: Iterable[Short],
    held: dict[str, list[tuple[int, int]]],
    links: dict[int, list[Link]],
    counts: Counter[str],
) -> Iterator[Fault]:
    """Who was told that a wallet has too little: between the acts of the cage on either side of it, it had to have."""
    for sequence, player, amount in told:
        since = max((link.own for at, each in links.items() if at < sequence for link in each), default=0)
        until = min((link.own for at, each in links.items() if at > sequence for link in each), default=None)
        steps = [(0, 0), *held.get(player, ())]
        begun = max(at for at, _ in steps if at <= since)
        could = [has for at, has in steps if at >= begun and (until is None or at < until)]
        if held and min(could, default=0) >= amount:
            counts["refusals"] += 1
            no = f"it says table.short_wallet, and {player} had {min(could)} with the house, enough for {amount}"
            yield Fault(table, sequence, "body.refusal", no)
        else:  # the cage keeps its own order: what came first is known only where one names the other
            counts["refusals" if held and max(could, default=amount) < amount else "taken_refusals"] += 1
