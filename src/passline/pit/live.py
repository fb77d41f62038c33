"""What a live table knows, and how each entry changes it: the same whether it happens or is read again."""

from __future__ import annotations

from collections.abc import (
    Iterable,
    Mapping,
)
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, cast, get_args

from passline.chance import Epoch, bar, commit_player, end, freeze, reveal_player, spend
from passline.codec import from_data
from passline.engine.events import Event, SeatCleared
from passline.engine.evolve import evolve
from passline.engine.table import Notice, TableState, open_table
from passline.errors import JournalError
from passline.floor.acts import FloorEvent
from passline.floor.gate import watch
from passline.floor.names import folded
from passline.floor.register import evolve as floor_after
from passline.floor.state import QUIET, Floor
from passline.journal.entries import Entry

DiceMode = Literal["fair", "real", "given", "none"]
"""Drawn by the house so that all can check; thrown, and read by two people; said by whoever asks; nobody plays."""

DICE_MODES: tuple[str, ...] = get_args(DiceMode)[:-1]
"""Those that somebody plays with."""


HOUSE_FLOOR = "floor"
"""The stream of the house's own floor, at which nobody plays: what it decides about people holds at every table."""


class Asked(NamedTuple):
    """Who asked for a roll that is announced and not settled yet, and under which key."""

    actor: str
    key: str
    role: str


class Reading(NamedTuple):
    """That somebody has read the dice, and not what."""

    actor: str
    commitment: str


@dataclass(frozen=True, slots=True)
class Announced:
    """A roll whose number is spent and whose dice nobody has seen: no bet is taken until it is settled."""

    epoch: int
    roll: int
    asked: Asked | None
    reading: Reading | None = None


NOTHING: Mapping[int, Any] = MappingProxyType({})


class Live(NamedTuple):
    """A live table between two entries."""

    table: TableState
    stream: str
    """The name under which the dice know the table."""
    dice: DiceMode
    epochs: Mapping[int, Epoch] = NOTHING
    """The epoch that is dealt or comes next, and those after it that the house is committed to."""
    epoch: int = 0
    """The number of the first of them; 0 where dice are not drawn."""
    frozen: str | None = None
    """When the mix of that epoch was frozen."""
    rolls: int = 0
    """How many roll numbers are spent, where dice are not drawn."""
    announced: Announced | None = None
    last_roll: int = 0
    """The entry of the last roll, which alone can be struck out."""
    sat: Mapping[int, int] = NOTHING
    """By seat: the entry with which its player sat down."""
    reversed: frozenset[int] = frozenset()
    """Entries that were corrected."""
    wallets: Mapping[int, str] = NOTHING
    """By seat: whose wallet its chips came out of, and go back to."""
    paid: bool = False
    """Whether the last roll paid the wallet of somebody who had left, and so cannot be struck out."""
    fence: int = 0
    over: Literal["stopped", "closed"] | None = None
    floor: Floor = QUIET
    """What the people around the table have decided."""
    heard: int = 0
    """The last entry of the floor of the house that holds here too."""
    money: bool = False
    """Whether it was opened for the house's money: who plays here then does no work here."""

    @property
    def players(self) -> frozenset[str]:
        """By name as it is folded: whoever has a seat that a wallet paid for."""
        return frozenset(folded(player) for seat, player in self.wallets.items() if seat in self.table.seats)


def settled_order(notice: Notice) -> Notice:
    """A notice with its odds in the order of the points, so that a table is written in one way only."""
    return notice if notice.odds is None else notice._replace(odds=dict(sorted(notice.odds.items())))


def opened(entry: Entry) -> Live:
    """The table that the first entry of a journal opens."""
    if entry.kind != "table_opened":
        raise JournalError(f"{entry.table} is no table: its journal begins with {entry.kind}")
    body = entry.body
    notice = settled_order(cast("Notice", from_data(body["notice"])))
    table = open_table(notice, body["dice_set"])
    return Live(table, body["stream"], body["dice"], money=body.get("wallets", False))


def events_of(entry: Entry) -> tuple[Event, ...]:
    """What happened by an entry, read."""
    return tuple(cast("Event", from_data(data)) for data in entry.body.get("events", ()))


def floor_events_of(entry: Entry) -> tuple[FloorEvent, ...]:
    """What happened on the floor by an entry, read."""
    return tuple(cast("FloorEvent", from_data(data)) for data in entry.body.get("floor", ()))


def after(live: Live, entry: Entry, events: Iterable[Event] | None = None, table: TableState | None = None) -> Live:
    """The live table after an entry; its events, and what they make of the table, are read unless they are at hand."""
    kind, body = entry.kind, entry.body
    match kind:
        case "acted" | "corrected" | "rolled" | "roll_voided" | "floor_acted":
            events = events_of(entry) if events is None else events
            live = _acted(live, entry, evolved(live.table, events) if table is None else table, events)
            floor = _watched(live, entry, events)
            return live if floor is live.floor else live._replace(floor=floor)
        case "refused" | "table_counted" | "signer_named":
            return live
        case "floor_heard":
            heard = body["sequence"] if body["stream"] == HOUSE_FLOOR else live.heard
            return live._replace(floor=floor_after(live.floor, floor_events_of(entry)), heard=heard)
        case "bets_closed":
            return _announced(live, body)
        case "dice_entered":
            assert live.announced is not None, "dice are entered for a roll that is announced"
            reading = Reading(entry.actor, body["commitment"])
            return live._replace(announced=replace(live.announced, reading=reading))
        case "dice_disagreed":
            assert live.announced is not None, "readings are compared for a roll that is announced"
            return live._replace(announced=replace(live.announced, reading=None))
        case "table_taken":
            return live._replace(fence=body["fence"])
        case "table_stopped" | "table_closed":
            return live._replace(over="stopped" if kind == "table_stopped" else "closed")
        case _:
            return _seeds(live, entry)


def _watched(live: Live, entry: Entry, events: Iterable[Event]) -> Floor:
    """The floor after an entry: what it saw of the game, and what it did itself."""
    floor = watch(live.floor, live.table, events)
    if entry.kind != "floor_acted":
        return floor
    return floor_after(floor, floor_events_of(entry))


def _acted(live: Live, entry: Entry, table: TableState, events: Iterable[Event]) -> Live:
    """Chips have moved, and what else an entry of this kind changes."""
    body = entry.body
    match entry.kind:
        case "rolled":
            rolls = live.rolls + (live.dice == "given")
            paid = any(isinstance(each, SeatCleared) and each.held and each.seat in live.wallets for each in events)
            return live._replace(table=table, announced=None, rolls=rolls, last_roll=entry.sequence, paid=paid)
        case "roll_voided":
            return live._replace(table=table, announced=None)
        case "corrected":
            return live._replace(table=table, reversed=live.reversed | {body["reverses"]})
        case "floor_acted":
            return live._replace(table=table)
        case _ if body["command"]["kind"] == "command.sit":
            seat = body["command"]["seat"]
            wallets = {other: player for other, player in live.wallets.items() if other != seat}
            live = live._replace(table=table, sat={**live.sat, seat: entry.sequence}, wallets=wallets)
            return _with_wallet(live, body)
        case _:
            return _with_wallet(live._replace(table=table), body)


def _with_wallet(live: Live, body: dict[str, Any]) -> Live:
    """Whose wallet the chips of a seat are of, where an act says so."""
    if "wallet" not in body:
        return live
    return live._replace(wallets={**live.wallets, body["command"]["seat"]: body["wallet"]})


def evolved(table: TableState, events: Iterable[Event]) -> TableState:
    """The next table, its notice as a journal writes it."""
    then = evolve(table, events)
    return then if then.notice is table.notice else then._replace(notice=settled_order(then.notice))


def _announced(live: Live, body: dict[str, Any]) -> Live:
    asked = body["asked"] and Asked(**body["asked"])
    announced = Announced(body["epoch"], body["roll"], asked)
    if live.dice != "fair":
        return live._replace(announced=announced, rolls=body["roll"])
    epoch = spend(live.epochs[body["epoch"]])
    return live._replace(announced=announced, epochs={**live.epochs, epoch.number: epoch})


def _seeds(live: Live, entry: Entry) -> Live:
    """What the house and the players say about seeds."""
    body, number = entry.body, entry.body.get("epoch", 0)
    match entry.kind:
        case "seed_committed":
            last = live.epochs.get(max(live.epochs, default=0))
            barred = last.barred if last else frozenset()
            epoch = Epoch(live.stream, number, bytes.fromhex(body["commitment"]), barred=barred)
            live = live._replace(epoch=live.epoch or number)
        case "player_seed_committed":
            epoch = commit_player(live.epochs[number], body["player"], bytes.fromhex(body["commitment"]))
        case "player_seed_revealed":
            epoch = reveal_player(live.epochs[number], body["player"], bytes.fromhex(body["seed"]))
        case "mix_frozen":
            epoch = freeze(live.epochs[number])
            live = live._replace(frozen=entry.time)
        case "seed_revealed":
            return _revealed(live, number, bytes.fromhex(body["seed"]))
        case _:
            raise JournalError(f"{entry.table}, entry {entry.sequence}: no table has an entry {entry.kind}")
    return live._replace(epochs={**live.epochs, number: epoch})


def _revealed(live: Live, number: int, seed: bytes) -> Live:
    """An epoch is over; who owed a seed in it gives none any more."""
    if live.over is not None:  # nor does anybody else
        return live._replace(epochs={each: epoch for each, epoch in live.epochs.items() if each != number})
    owing = end(live.epochs[number], seed).missing if not live.epochs[number].mix else ()
    later = {each: epoch for each, epoch in live.epochs.items() if each > number}
    if owing:
        later = {each: bar(epoch, owing) for each, epoch in later.items()}
    return live._replace(epochs=later, epoch=number + 1, frozen=None)
