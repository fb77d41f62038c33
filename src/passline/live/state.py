"""What a live table knows, and how each entry changes it: the same whether it happens or is read again.

`after(live, entry)` is the only way on; `State` is all that `answer` looks at when somebody asks for something.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple, cast, get_args

from passline import __version__
from passline.codec import from_data, to_data
from passline.engine.events import Event, OutcomeStruckOut, SeatCleared
from passline.engine.evolve import evolve
from passline.engine.layout import Layout, lay_out
from passline.engine.table import Notice, TableState, open_table
from passline.engine.values import CENTS
from passline.errors import ArgumentError, HouseFileError, JournalError
from passline.files.toml import tree
from passline.floor.acts import FloorEvent
from passline.floor.gate import watch
from passline.floor.names import folded
from passline.floor.register import evolve as floor_after
from passline.floor.state import NOTHING, QUIET, Floor
from passline.live.dice import LINKS, Chain, Epoch, Hand, bar, commit_player, end, freeze, reveal_player, spend
from passline.live.entries import Entry, SignedHead
from passline.live.people import Roster
from passline.record.notice import checked_notice, default_chips, default_notice
from passline.rulebooks.read import book_of

# Drawn by the house so that all can check; thrown, and read by two people; said by whoever asks; nobody plays.
DiceMode = Literal["fair", "real", "given", "none"]

DICE_MODES: tuple[str, ...] = get_args(DiceMode)[:-1]  # those that somebody plays with


PROTOCOL, REVISION = 2, 2  # by which page of docs/dice.md new tables draw their dice, and by which of its revisions
VOIDS_MAX, VOIDS_IN = 2, 100  # so many rolls may come to nothing in any so many closings

# The stream of the house's own floor, at which nobody plays: what it decides about people holds at every table.
HOUSE_FLOOR = "floor"


class Roller(NamedTuple):
    """Who asked for a roll that is announced and not settled yet, and under which key."""

    actor: str
    key: str
    role: str


class Reading(NamedTuple):
    """That somebody has read the dice, and not what."""

    actor: str
    commitment: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A hand in a closing, and which of its values is due."""

    person: str
    hand: int
    index: int

    def data(self) -> dict[str, Any]:
        return {"person": self.person, "hand": self.hand, "index": self.index}


@dataclass(frozen=True, slots=True)
class Announced:
    """A roll whose number is spent and whose dice nobody has seen: no bet is taken until it is settled."""

    epoch: int
    roll: int
    asker: Roller | None
    reading: Reading | None = None
    hands: tuple[Listed, ...] = ()  # whose values make the dice, besides the house's link
    received: frozenset[str] = frozenset()  # whose values are in
    closing: str = ""  # the hash of the entry that closed the bets
    sequence: int = 0
    time: str = ""  # when that was

    @property
    def missing(self) -> tuple[Listed, ...]:
        return tuple(each for each in self.hands if each.person not in self.received)


@dataclass(frozen=True, slots=True)
class Cap:
    """How often the bets were closed, at a table or for a person, and which of the last closings came to nothing."""

    closings: int = 0
    voids: tuple[int, ...] = ()

    @property
    def is_reached(self) -> bool:
        return sum(each > self.closings - VOIDS_IN for each in self.voids) >= VOIDS_MAX

    def closed(self) -> "Cap":
        return Cap(self.closings + 1, self.voids)

    def void(self) -> "Cap":
        return Cap(self.closings, (*self.voids, self.closings)[-VOIDS_MAX:])


class Live(NamedTuple):
    """A live table between two entries."""

    table: TableState
    stream: str  # the name under which the dice know the table
    dice: DiceMode
    # The epoch that is dealt or comes next, and those after it that the house is committed to.
    epochs: Mapping[int, Epoch] = NOTHING
    epoch: int = 0  # the number of the first of them; 0 where dice are not drawn
    frozen: str | None = None  # when the mix of that epoch was frozen
    rolls: int = 0  # how many roll numbers are spent, where dice are not drawn
    announced: Announced | None = None
    last_roll: int = 0  # the entry of the last roll, which alone can be struck out
    sat: Mapping[int, int] = NOTHING  # by seat: the entry with which its player sat down
    reversed: frozenset[int] = frozenset()  # entries that were corrected
    wallets: Mapping[int, str] = NOTHING  # by seat: whose wallet its chips came out of, and go back to
    paid: bool = False  # whether the last roll paid the wallet of somebody who had left, and so cannot be struck out
    fence: int = 0
    over: Literal["stopped", "closed"] | None = None
    floor: Floor = QUIET  # what the people around the table have decided
    floor_sequence: int = 0  # the last entry of the floor of the house that holds here too
    money: bool = False  # whether it was opened for the house's money: who plays here then does no work here
    owners: Mapping[int, str] = NOTHING  # by seat: who sat down there; no other player does anything at it
    rulers: frozenset[str] = frozenset()  # by name as it is folded: who made the last ruling since the last roll
    ruled: Mapping[int, frozenset[str]] = NOTHING  # by dispute: whose ruling it is about
    # The last epoch that was open when a backup was made which was restored: its dice may have been seen.
    restored: int = 0
    protocol: int = 1  # by which page of docs/dice.md its dice are drawn
    # Protocol 2: of the epoch that is dealt, `epoch`, and of those after it that the house is committed to.
    chains: Mapping[int, Chain] = NOTHING
    hands: Mapping[str, Hand] = NOTHING  # by person: the last hand that they gave
    cap: Cap = Cap()  # the closings of the table
    caps: Mapping[str, Cap] = NOTHING  # by person: the closings in which they had a wager up
    up: frozenset[str] = frozenset()  # who had a wager up at the last closing
    rolled_up: frozenset[str] = frozenset()  # and at that of the last roll that has dice, which alone is struck out

    @property
    def players(self) -> frozenset[str]:
        """By name as it is folded: whoever has a seat that a wallet paid for."""
        return frozenset(folded(player) for seat, player in self.wallets.items() if seat in self.table.seats)

    def owner(self, seat: int | None) -> str | None:
        """Whose seat it is; None where nobody sits, or no seat is spoken of."""
        return self.owners.get(seat) if seat is not None and seat in self.table.seats else None

    def seat_of(self, person: str) -> int | None:
        """Where somebody sits; the seat they play from, before one they left with wagers up."""
        first, seats = None, self.table.seats
        for number in sorted(self.owners):
            if self.owners[number] == person and number in seats:
                if not seats[number].away:
                    return number
                first = first or number
        return first


class News(NamedTuple):
    """What an entry of the house's floor says that holds everywhere."""

    sequence: int
    table: str  # where it was decided
    events: tuple[FloorEvent, ...]


class House(NamedTuple):
    """What a table knows of the house around it."""

    roster: Roster
    news: tuple[News, ...] = ()


class Moment(NamedTuple):
    entry: Entry
    before: Live
    events: tuple[Event, ...]
    after: Live
    head: SignedHead | None = None  # the house's signature, where it signed this very entry as it wrote it


class State(NamedTuple):
    """Everything that an answer depends on besides the request."""

    name: str
    layout: Layout
    live: Live
    house: House | None = None  # none where a table is nobody's but its own: at home, and in a library
    wallets: Mapping[str, int] = NOTHING  # by account at the cage: what lies in it
    # By person with a limit of loss: chips bought on this gaming day at all tables, less those brought back.
    bought: Mapping[str, int] = NOTHING

    @property
    def scope(self) -> str | None:
        """Where roles count: at this table; the floor of the house is the whole of it."""
        return None if self.name == HOUSE_FLOOR else self.name


def settled_order(notice: Notice) -> Notice:
    """A notice with its odds in the order of the points, so that a table is written in one way only."""
    return notice if notice.odds is None else notice._replace(odds=dict(sorted(notice.odds.items())))


@lru_cache(maxsize=32)
def layout_of(text: str) -> Layout:
    """The felt of a house file as it was written in a journal, whatever its house's file says today."""
    return lay_out(book_of(tree(text, "the house file of the journal", "a house file", HouseFileError), "house file"))


def check_dice(dice: DiceMode, *, wallets: bool) -> None:
    """Nobody says what dice show for which the house pays."""
    if wallets and dice == "given":
        raise ArgumentError("dice", "'given'", "dice that are drawn, or read by two, where chips are the house's money")


def opening(  # noqa: PLR0913 - what a table opens with
    text: str,
    dice: DiceMode,
    notice: Notice | None = None,
    chips: tuple[int, ...] | None = None,
    signer: str | None = None,
    *,
    stream: str,
    wallets: bool = False,
) -> dict[str, Any]:
    """The body of a table's first entry; `signer` is the public key of the house, where it has one.

    With `wallets` chips are the house's money, whose dice nobody says.
    """
    check_dice(dice, wallets=wallets)
    drawn = {"protocol": PROTOCOL, "revision": REVISION} if dice == "fair" else {}
    book = layout_of(text).book
    chips = chips or default_chips(book)
    if notice is not None:
        checked_notice(notice, book, chips)
    return {
        "stream": stream,
        "notice": to_data(settled_order(notice or default_notice(book, chips))),
        "chips": list(chips),
        "dice_set": book.dice.dice_set.value,
        "grain": CENTS,
        "dice": dice,
        "program": __version__,
        **drawn,
        **({} if signer is None else {"signer": signer}),
        **({"wallets": True} if wallets else {}),
    }


def opened(entry: Entry) -> Live:
    if entry.kind != "table_opened":
        raise JournalError(f"{entry.table} is no table: its journal begins with {entry.kind}")
    body = entry.body
    notice = settled_order(cast("Notice", from_data(body["notice"])))
    table = open_table(notice, body["dice_set"])
    return Live(table, body["stream"], body["dice"], money=body.get("wallets", False), protocol=body.get("protocol", 1))


def events_of(entry: Entry) -> tuple[Event, ...]:
    return tuple(cast("Event", from_data(data)) for data in entry.body.get("events", ()))


def floor_events_of(entry: Entry) -> tuple[FloorEvent, ...]:
    return tuple(cast("FloorEvent", from_data(data)) for data in entry.body.get("floor", ()))


def after(  # noqa: C901 - one case a kind
    live: Live,
    entry: Entry,
    events: Iterable[Event] | None = None,
    table: TableState | None = None,
    on_floor: Iterable[FloorEvent] | None = None,
) -> Live:
    """The live table after an entry; its events, and what they make of the table, are read unless they are at hand."""
    kind, body = entry.kind, entry.body
    match kind:
        case "table_restored" if live.protocol == 1:
            return live._replace(restored=max(live.restored, body["epoch"]))
        case "acted" | "corrected" | "rolled" | "roll_voided" | "floor_acted" | "chips_returned" | "table_restored":
            events = events_of(entry) if events is None else events
            live = _acted(live, entry, evolved(live.table, events) if table is None else table, events)
            floor = watch(live.floor, live.table, events)
            if kind == "floor_acted":
                floor = floor_after(floor, floor_events_of(entry) if on_floor is None else on_floor)
            return _ruled(live if floor is live.floor else live._replace(floor=floor), entry)
        case "refused" | "table_counted" | "signer_named" | "process_started" | "process_stopped" | "clock_jumped":
            return live
        case "floor_heard":
            sequence = body["sequence"] if body["stream"] == HOUSE_FLOOR else live.floor_sequence
            return live._replace(floor=floor_after(live.floor, floor_events_of(entry)), floor_sequence=sequence)
        case "bets_closed":
            return _announced(live, entry)
        case "dice_entered":
            assert live.announced is not None, "dice are entered for a roll that is announced"
            reading = Reading(entry.actor, body["commitment"])
            return live._replace(announced=replace(live.announced, reading=reading))
        case "dice_disagreed":
            assert live.announced is not None, "readings are compared for a roll that is announced"
            return live._replace(announced=replace(live.announced, reading=None))
        case "table_taken":
            return live._replace(fence=body["fence"])
        case "table_stopped" if live.dice == "none":
            return live  # an older program stopped the floor of the house when one act failed: it goes on
        case "table_stopped" | "table_closed":
            return live._replace(over="stopped" if kind == "table_stopped" else "closed")
        case _ if live.protocol > 1:
            return _chains(live, entry)
        case _:
            return _seeds(live, entry)


def _acted(  # noqa: C901 - one case a kind
    live: Live, entry: Entry, table: TableState, events: Iterable[Event]
) -> Live:
    """Chips have moved, and what else an entry of this kind changes."""
    body = entry.body
    match entry.kind:
        case "rolled" | "roll_voided":
            if live.chains and live.announced is not None:
                live = _values_received(live, live.announced, body)
            live = live._replace(table=table, announced=None)
            if entry.kind == "roll_voided":
                return live
            rolls, paid = live.rolls + (live.dice == "given"), _pays_gone(live, events)
            return live._replace(rolls=rolls, paid=paid, last_roll=entry.sequence, rolled_up=live.up)
        case "chips_returned":
            return live._replace(table=table)
        case "table_restored":
            return _restored(live, body)._replace(table=table)
        case "corrected":
            if body["command"] is not None:
                live = _came_to_nothing(live, live.rolled_up)
            return live._replace(table=table, reversed=live.reversed | {body["reverses"]})
        case "floor_acted":
            if any(isinstance(each, OutcomeStruckOut) for each in events):
                live = _came_to_nothing(live, live.rolled_up)
            return live._replace(table=table)
        case _ if body["command"]["kind"] == "command.sit":
            seat = body["command"]["seat"]
            wallets = {other: player for other, player in live.wallets.items() if other != seat}
            sat, owners = {**live.sat, seat: entry.sequence}, {**live.owners, seat: entry.actor}
            return _with_wallet(live._replace(table=table, sat=sat, owners=owners, wallets=wallets), body)
        case _:
            return _with_wallet(live._replace(table=table), body)


def _pays_gone(live: Live, events: Iterable[Event]) -> bool:
    return any(isinstance(each, SeatCleared) and each.held and each.seat in live.wallets for each in events)


def _with_wallet(live: Live, body: dict[str, Any]) -> Live:
    if "wallet" not in body:
        return live
    return live._replace(wallets={**live.wallets, body["command"]["seat"]: body["wallet"]})


# Commands by which somebody rules on a roll.
RULINGS = ("command.rule_face", "command.call_no_roll", "floor.invalidate")
DISPUTE_RAISED = "floor_event.dispute_raised"


def _ruled(live: Live, entry: Entry) -> Live:
    """Whose ruling a dispute is about: the last void, correction or face ruled on since the roll before it."""
    body = entry.body
    command = body.get("command") or {}
    if entry.kind in ("roll_voided", "corrected") or command.get("kind") in RULINGS:
        people = body.get("people") or (entry.actor, command.get("second") or "")
        live = live._replace(rulers=frozenset(filter(None, map(folded, people))))
    elif entry.kind == "rolled" and live.rulers:
        live = live._replace(rulers=frozenset())
    if not live.rulers:
        return live
    raised = {each["dispute"]: live.rulers for each in body.get("floor", ()) if each["kind"] == DISPUTE_RAISED}
    return live._replace(ruled={**live.ruled, **raised}) if raised else live


def evolved(table: TableState, events: Iterable[Event]) -> TableState:
    then = evolve(table, events)
    return then if then.notice is table.notice else then._replace(notice=settled_order(then.notice))


def _announced(live: Live, entry: Entry) -> Live:
    body, number = entry.body, entry.body["epoch"]
    asker = body["asked"] and Roller(**body["asked"])
    hands = tuple(Listed(**each) for each in body.get("hands", ()))
    announced = Announced(
        number, body["roll"], asker, hands=hands, closing=entry.hash, sequence=entry.sequence, time=entry.time
    )
    if live.chains:
        chain = replace(live.chains[number], rolls=body["roll"])
        used = {each.person: replace(live.hands[each.person], index=each.index) for each in hands}
        seats = live.table.seats.items()
        up = frozenset(live.owners[number] for number, seat in seats if seat.felt and number in live.owners)
        return live._replace(
            announced=announced,
            cap=live.cap.closed(),
            caps={**live.caps, **{person: live.caps.get(person, Cap()).closed() for person in sorted(up)}},
            up=up,
            chains={**live.chains, number: chain},
            hands={**live.hands, **used},
        )
    if live.dice != "fair":
        return live._replace(announced=announced, rolls=body["roll"])
    epoch = spend(live.epochs[body["epoch"]])
    return live._replace(announced=announced, epochs={**live.epochs, epoch.number: epoch})


# --- Protocol 2 -------------------------------------------------------------------------------------------------------


def _came_to_nothing(live: Live, people: Iterable[str]) -> Live:
    """The last closing did: for the table, and for these people."""
    caps = {person: live.caps[person].void() for person in people}
    return live._replace(cap=live.cap.void(), caps={**live.caps, **caps})


def _values_received(live: Live, announced: Announced, body: dict[str, Any]) -> Live:
    """An announced roll is over: its link and the values that came are known, and who was silent is."""
    number, chains = announced.epoch, dict(live.chains)
    link = body.get("link")
    chains[number] = replace(chains[number], last=bytes.fromhex(link) if link else chains[number].last)
    epoch = live.epoch
    if chains[number].rolls >= LINKS:
        del chains[number]
        epoch = number + 1
    hands = dict(live.hands)
    for each in body.get("hands", ()):
        person = each["person"]
        spent = each["index"] >= LINKS
        hands[person] = replace(hands[person], last=bytes.fromhex(each["value"]), is_on=not spent)
    for each in body.get("silent", ()):
        hands[each["person"]] = replace(hands[each["person"]], is_on=False, owed_since=live.cap.closings)
    live = live if "dice" in body else _came_to_nothing(live, live.up)
    return live._replace(chains=chains, epoch=epoch, hands=hands)


def _restored(live: Live, body: dict[str, Any]) -> Live:
    """A backup was put back: nobody's hand is on, and it counts as a roll that came to nothing, for everybody."""
    hands = {person: replace(hand, is_on=False, owed_since=0) for person, hand in live.hands.items()}
    live = _came_to_nothing(live, live.caps)
    return live._replace(announced=None, hands=hands, restored=body["epoch"])


def _chains(live: Live, entry: Entry) -> Live:
    body = entry.body
    match entry.kind:
        case "chain_committed":
            chain = Chain(body["epoch"], bytes.fromhex(body["anchor"]))
            return live._replace(chains={**live.chains, chain.number: chain}, epoch=live.epoch or chain.number)
        case "chain_shown":
            chains = {number: chain for number, chain in live.chains.items() if number != body["epoch"]}
            return live._replace(chains=chains, epoch=body["epoch"] + 1 if live.over is None else live.epoch)
        case "hand_on":
            anchor, off = bytes.fromhex(body["anchor"]), bytes.fromhex(body["off"])
            hand = Hand(body["hand"], anchor, off, anchor)
        case "hand_off":
            hand = replace(live.hands[body["person"]], is_on=False)
        case "value_shown":
            hand = replace(live.hands[body["person"]], last=bytes.fromhex(body["value"]), owed_since=0)
        case "value_received":
            assert live.announced is not None, "values are for a roll that is announced"
            received = live.announced.received | {body["person"]}
            return live._replace(announced=replace(live.announced, received=received))
        case _:
            raise JournalError(f"{entry.table}, entry {entry.sequence}: no table has an entry {entry.kind}")
    return live._replace(hands={**live.hands, body["person"]: hand})


# --- Protocol 1 -------------------------------------------------------------------------------------------------------


def _seeds(live: Live, entry: Entry) -> Live:
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
