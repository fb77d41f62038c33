"""The dice of docs/dice.md, worked out from that page a second time; a fault begins with its name there.

Nothing here knows the game. Tables of protocol 1 are in `seeds`.
"""

import hmac
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import count
from typing import Any

from pydantic import TypeAdapter

from passline.verify.chain import BODIES, KINDS, LAST, Entry
from passline.verify.report import Complaint, Report

LINKS = 1_000  # the rolls of an epoch, and the values of a hand

Part = str | int | bytes
Listed = tuple[str, int, int]  # whose hand, which, and the index of its value

# Hears of void rolls by their entry, and of the dice they would have had, where those are known.
Voids = Callable[[int, list[int] | None], object]


def fields(*parts: Part) -> bytes:
    """M(a, b, …): each part behind its length."""
    numbered = (part.to_bytes(8, "big") if isinstance(part, int) else part for part in parts)
    texts = (part.encode() if isinstance(part, str) else part for part in numbered)
    return b"".join(len(text).to_bytes(4, "big") + text for text in texts)


def hashed(*parts: Part) -> str:
    return sha256(fields(*parts)).hexdigest()


def dealt(stream: str, roll: "Void", values: dict[str, str]) -> list[int]:
    """The dice of the house's link and everybody's value: the first byte below 252 of as many blocks as it takes."""
    pairs = sorted((person.encode(), bytes.fromhex(value)) for person, value in values.items())
    named = [part for pair in pairs for part in pair]
    for block in count():
        text = fields("passline/dice/2/roll", stream, roll.epoch, roll.roll, block, len(pairs), *named)
        byte = next((each for each in hmac.digest(bytes.fromhex(roll.link), text, "sha256") if each < 252), None)
        if byte is not None:
            return [byte % 36 // 6 + 1, byte % 6 + 1]
    raise AssertionError


AHEAD = 2
VOIDS_MAX, VOIDS_IN = 2, 100
WAITS, WAITS_MAX = timedelta(seconds=20), timedelta(minutes=10)
STRUCK_OUT, LEFT = "event.outcome_struck_out", "event.player_left"
RETURN_ALL = ("command.return_all", "floor.return_wagers")
MOVES = frozenset(kind for kind, fields in BODIES.items() if "postings" in fields)  # in which chips move


def link_before(stream: str, epoch: int, roll: int, link: str) -> str:
    return hashed("passline/dice/2/link", stream, epoch, roll, bytes.fromhex(link))


@dataclass(slots=True)
class Hand:
    number: int
    last: str
    off: str
    index: int = 0
    is_on: bool = True


@dataclass(slots=True)
class Chain:
    last: str  # the last link that was shown, the anchor at first
    shown_roll: int = 0  # the roll of that link
    rolls: int = 0  # how many numbers are spent


@dataclass(slots=True)
class Void:
    """A roll that came to nothing, and the values that are owed to it."""

    sequence: int
    epoch: int
    roll: int
    link: str = ""
    values: dict[str, str] = field(default_factory=dict)
    owed: set[Listed] = field(default_factory=set)


@dataclass(slots=True)
class Closing:
    entry: Entry
    listed: list[Listed]
    received: set[str] = field(default_factory=set)

    @property
    def missing(self) -> list[Listed]:
        return [each for each in self.listed if each[0] not in self.received]


@dataclass(slots=True)
class Cap:
    """The closings of a table, or those in which somebody had a wager up; and which of them came to nothing."""

    closings: int = 0
    voids: list[int] = field(default_factory=list)

    def void(self) -> int:
        """One more did: how many of the last hundred that is."""
        self.voids = [*(each for each in self.voids if each > self.closings - VOIDS_IN), self.closings]
        return len(self.voids)


@dataclass
class State:
    """What the entries of a table come to."""

    _stream: str = ""
    _end: str = ""
    _begun: bool = False
    _ends: bool = False
    _is_read: bool = False  # real dice for the house's money: two people read them
    _base: int = 0  # the last epoch when a backup was put back
    _last: int = 0  # the last epoch that the house is committed to
    _epoch: int = 1
    _chains: dict[int, Chain] = field(default_factory=dict)
    _hands: dict[str, Hand] = field(default_factory=dict)
    _owners: dict[int, str] = field(default_factory=dict)
    _seated: dict[int, str] = field(default_factory=dict)  # by seat: who sat down there and has not left
    _up: Counter[int] = field(default_factory=Counter)  # by seat: what lies on the felt, by the postings
    _closing: Closing | None = None
    _cap: Cap = field(default_factory=Cap)
    _caps: dict[str, Cap] = field(default_factory=dict)  # by person
    _had_up: set[str] = field(default_factory=set)  # who had a wager up at the last closing
    _rolled_up: list[set[str]] = field(default_factory=list)  # the same of every roll that is not struck out
    _owed: list[Void] = field(default_factory=list)
    _lost: list[Void] = field(default_factory=list)  # Rolls whose link was not to be had
    _must_stop: str = ""
    # By person: by which entry, at which of their closings.
    nothing: dict[str, list[tuple[int, int]]] = field(default_factory=dict)


SAVED = TypeAdapter(State)


class Chains(State):
    def __init__(self, report: Report, voids: Voids = lambda *_: None) -> None:
        super().__init__()
        self._report, self._counts, self._voids = report, report.counts, voids

    def saved(self) -> dict[str, Any]:
        """What the entries so far come to, as JSON takes it: a program that is started again goes on from there."""
        state: dict[str, Any] = SAVED.dump_python(self, mode="json")
        return state

    def go_on(self, saved: dict[str, Any]) -> None:
        """From what was saved; whoever saved it has seen to it that nobody else wrote it."""
        vars(self).update(vars(SAVED.validate_python(saved)))

    @property
    def unended(self) -> str:
        """What the last entry is, where a table stops with the entry after it and there is none."""
        return self._must_stop

    @property
    def open(self) -> str | None:
        """What can never be checked: the chains of a table that stopped before it showed them."""
        shut = self._end == "table_stopped" and self._chains
        return f"it stopped, and the chains of epochs {sorted(self._chains)} were not shown" if shut else None

    def finish(self) -> None:
        """Tell of void rolls whose dice nobody knows, of a closing that is open; by person, of closings and voids."""
        self._report.played.update({person: cap.closings for person, cap in self._caps.items()})
        self._report.nothing.update({person: len(each) for person, each in self.nothing.items()})
        self._counts["open_closings"] += self._closing is not None
        for void in (*self._owed, *self._lost):
            self._voids(void.sequence, None)

    def see(self, entry: Entry) -> Iterator[Complaint]:
        kind, body = entry.kind, entry.body
        if kind == "table_opened":
            yield from self._opens(body)
        if kind == "rolled" and self._is_read and not body["readings"]:
            yield "body.readings", "one_voice: chips are the house's money, and two people did not read these dice"
        if not self._stream:
            return
        if self._end and kind not in LAST[self._end]:
            yield "kind", f"after_end: {kind} follows {self._end}"
        if self._must_stop and kind != "table_stopped":
            yield "kind", self._must_stop
        self._must_stop = ""
        if self._ends and kind not in ("chain_shown", "table_closed"):
            yield "kind", "early_end: chains were shown to their ends, and no stop follows"
            self._ends = False
        moves = kind not in KINDS["still"] and not (kind == "floor_acted" and not body["events"])
        if self._closing and moves:
            yield "kind", f"between: {kind} stands between the bets closed and the dice"
        check = getattr(self, f"_{kind}", None) if kind in BODIES else None
        if check is not None:
            yield from check(entry, body)
        yield from self._moved(entry, kind, body)

    def _moved(self, entry: Entry, kind: str, body: dict[str, Any]) -> Iterator[Complaint]:
        """What an entry did to chips, seats and rolls that were dealt."""
        if body.get("postings") and kind not in MOVES:
            yield "body.postings", f"postings: chips move in {kind}, which moves none"
        self._count_chips(body)
        yield from self._stay_up(kind, body)
        for each in body.get("events", ()):
            if each["kind"] == LEFT:
                self._seated.pop(each["seat"], None)
        for _ in range(sum(each["kind"] == STRUCK_OUT for each in body.get("events", ()))):
            yield from self._comes_to_nothing(entry, self._rolled_up.pop() if self._rolled_up else self._had_up)

    def _stay_up(self, kind: str, body: dict[str, Any]) -> Iterator[Complaint]:
        """Wagers that should have been settled: of the silent; of all, where a roll failed or a backup was put back."""
        silent = {each["person"] for each in body.get("silent", ())}
        up = [seat for seat, chips in self._up.items() if chips > 0]
        if kind == "roll_voided" and not silent and up:
            self._must_stop = self._must_stop or "void_early: nobody was silent, wagers stay up, and no stop follows"
        elif kind == "table_restored" and up:
            yield "body.postings", f"void_early: a backup was put back, and wagers stay up at seats {up}"
        elif silent & {self._owners.get(seat, "") for seat in up}:
            yield "body.postings", "void_early: somebody was silent, and their wagers stay up"

    def _opens(self, body: dict[str, Any]) -> Iterator[Complaint]:
        self._is_read = bool(body.get("wallets")) and body["dice"] == "real"
        if body["dice"] == "given" and body.get("wallets"):
            yield "body.dice", "one_voice: chips are the house's money, and whoever plays says what the dice show"
        if body.get("protocol", 2) != 2 or ("protocol" in body and body["dice"] != "fair"):
            yield "body.protocol", f"protocol: there is no protocol {body['protocol']} for these dice"
        elif "protocol" in body:
            self._stream = body["stream"]
        if body.get("revision") != (2 if self._stream else None):
            yield "body.revision", f"protocol: there is no revision {body.get('revision')} for these dice"

    def _count_chips(self, body: dict[str, Any]) -> None:
        for source, to, amount in body.get("postings", ()):
            for place, sign in ((source, -1), (to, 1)):
                name, _, seat = place.partition("/")
                if name in ("felt", "tokens_up"):
                    self._up[int(seat.partition("/")[0])] += sign * amount

    # --- The table ----------------------------------------------------------------------------------------------------

    def _acted(self, entry: Entry, body: dict[str, Any]) -> Iterator[Complaint]:
        if self._last < self._base + AHEAD:
            yield "kind", "late_anchor: somebody acts before the house is committed to two chains"
        self._begun = True
        self._counts["returns"] += body["command"].get("kind") in RETURN_ALL
        seat, actor = body["command"].get("seat"), str(entry.data["actor"])
        is_player = entry.data.get("role") == "player"
        owner = self._owners.get(seat, actor)
        if body["command"].get("kind") == "command.sit":
            if owner != actor and self._up[seat] > 0:
                yield "body.command.seat", f"seat_given: {actor} gets seat {seat}, where {owner} has a wager up"
            elif self._seated.get(seat, actor) != actor:
                yield "body.command.seat", f"seat_given: {actor} gets seat {seat}, where {owner} sits"
            self._owners[seat] = self._seated[seat] = actor
        elif entry.kind == "acted" and is_player and owner != actor:
            yield "body.command.seat", f"seat_given: {actor} acts at seat {seat}, which is that of {owner}"

    _floor_acted = _acted

    def _table_restored(self, entry: Entry, body: dict[str, Any]) -> Iterator[Complaint]:
        self._counts["restores"] += 1
        if body["epoch"] != self._last:
            yield "body.epoch", f"number: it is {body['epoch']}, and the house is committed to {self._last}"
        if body.get("head") != [entry.sequence - 1, entry.data["previous"]]:
            yield "body.head", "number: it is not the entry before this one"
        self._undone()
        yield from self._comes_to_nothing(entry, set(self._caps), stops=True)
        self._base, self._begun = self._last, False
        for hand in self._hands.values():
            hand.is_on = False

    def _table_stopped(self, *_: object) -> Iterator[Complaint]:
        self._counts["stops"] += 1
        if self._closing is not None:
            yield "kind", "void_early: a roll is announced, and was not settled before the table stopped"
        self._undone()
        self._end, self._must_stop = "table_stopped", ""

    def _undone(self) -> None:
        """A roll that was announced never has dice now."""
        self._counts["undone_closings"] += self._closing is not None
        self._closing = None

    def _table_closed(self, *_: object) -> Iterator[Complaint]:
        self._end = "table_closed"
        if self._chains:
            yield "kind", f"early_end: the chains of epochs {sorted(self._chains)} were not shown"

    # --- Chains -------------------------------------------------------------------------------------------------------

    def _chain_committed(self, _entry: Entry, body: dict[str, Any]) -> Iterator[Complaint]:
        epoch, current = body["epoch"], self._chains.get(self._epoch)
        if epoch != self._last + 1:
            yield "body.epoch", f"number: it is {epoch} where {self._last + 1} is due"
        at_first = self._base < epoch <= self._base + AHEAD and not self._begun
        if at_first and all(each > self._base for each in self._chains):
            self._epoch = self._base + 1
        elif not (epoch == self._epoch + 1 and current is not None and not current.rolls):
            yield "kind", f"late_anchor: epoch {epoch} is committed to while epoch {self._epoch} is dealt"
        self._last = epoch
        self._chains[epoch] = Chain(body["anchor"])

    def _chain_shown(self, _entry: Entry, body: dict[str, Any]) -> Iterator[Complaint]:
        epoch, link = body["epoch"], body["link"]
        chain = self._chains.pop(epoch, None)
        if chain is None:
            yield "body.epoch", f"number: epoch {epoch} is not committed to, or is over"
            return
        for roll in range(LINKS, chain.shown_roll, -1):
            for void in [each for each in self._lost if (each.epoch, each.roll) == (epoch, roll)]:
                self._lost.remove(void)
                void.link = link
                self._voids(void.sequence, dealt(self._stream, void, {}))
            link = link_before(self._stream, epoch, roll, link)
        if link != chain.last:
            yield "body.link", f"link: it is not the end of the chain of epoch {epoch}"
        self._ends = not self._end and epoch > self._base

    # --- Hands --------------------------------------------------------------------------------------------------------

    def _hand_on(self, entry: Entry, body: dict[str, Any]) -> Iterator[Complaint]:
        person, known = body["person"], self._hands.get(body["person"])
        if person != entry.data["actor"]:
            yield "body.person", f"not_on: {entry.data['actor']} gives a hand in the name of {person}"
        if body["hand"] != (known.number if known else 0) + 1:
            yield "body.hand", f"number: it is {body['hand']}, and {known.number if known else 'none'} was the last"
        if known is not None and known.is_on:
            yield "kind", f"forged_off: {person} gives a hand, and the one before was not taken off"
        self._hands[person] = Hand(body["hand"], body["anchor"], body["off"])

    def _hand_off(self, _entry: Entry, body: dict[str, Any]) -> Iterator[Complaint]:
        person, hand = body["person"], body["hand"]
        known = self._hands.get(person)
        if known is None or known.number != hand or not known.is_on:
            yield "body.hand", f"number: hand {hand} of {person} is not on"
        elif hashed("passline/dice/2/off", self._stream, person, hand, bytes.fromhex(body["value"])) != known.off:
            yield "body.value", f"forged_off: only {person} could take this hand off, and this is another value"
        if known is not None:
            known.is_on = False

    def _bets_closed(self, entry: Entry, body: dict[str, Any]) -> Iterator[Complaint]:  # noqa: C901 - a row of the page
        epoch, roll = body["epoch"], body["roll"]
        chain, current = self._chains.get(epoch), self._chains.get(self._epoch)
        if self._closing:
            yield "kind", "between: the bets are closed, and the roll before is not over"
        if epoch != self._epoch and current is not None:
            yield "body.epoch", f"early_end: epoch {epoch} deals, and epoch {self._epoch} has dealt {current.rolls}"
        if chain is None or epoch + 1 not in self._chains:
            yield "body.epoch", f"late_anchor: epoch {epoch} deals, and it or the next is not committed to"
        if chain is not None and (roll != chain.rolls + 1 or roll > LINKS):
            yield "body.roll", f"number: it is {roll} where {chain.rolls + 1} is due, of {LINKS}"
        listed = _listed(body["hands"])
        up = {self._owners[seat] for seat, chips in self._up.items() if chips > 0 and seat in self._owners}
        names = sorted((name for name, hand in self._hands.items() if hand.is_on and name in up), key=str.encode)
        due = [(name, self._hands[name].number, self._hands[name].index + 1) for name in names]
        for person, hand, index in (each for each in due if each not in listed):
            yield "body.hands", f"left_out: hand {hand} of {person} is on, with chips up, at index {index}"
        for person, hand, index in (each for each in listed if each not in due):
            yield "body.hands", f"not_on: {person} has no hand {hand} to give, or another index than {index}"
        if listed != due and set(listed) == set(due):
            yield "body.hands", "not_on: they are not in the order of their names, or are there twice"
        for person, _, index in listed:
            if person in self._hands:
                self._hands[person].index = index
        if chain is not None:
            chain.rolls = roll
        self._report.unlisted.update(up - {person for person, _, _ in listed})
        self._cap.closings += 1
        self._had_up = up
        for person in self._had_up:
            self._caps.setdefault(person, Cap()).closings += 1
        self._closing = Closing(entry, listed)

    def _value_received(self, _entry: Entry, body: dict[str, Any]) -> Iterator[Complaint]:
        closing = self._closing
        if closing is None or body["closing"] != closing.entry.data["hash"]:
            yield "body.closing", "value: it is for no closing that is open"
        elif not set(_listed([body])) <= set(closing.missing):
            yield "body.person", "value: it is not awaited, or is in already"
        else:
            closing.received.add(body["person"])

    def _over(self, body: dict[str, Any]) -> tuple[Closing | None, list[Complaint]]:
        """The closing of a roll that is over now, and what is wrong with the link and the values shown for it."""
        closing, self._closing = self._closing, None
        if closing is None or any(body[name] != closing.entry.body[name] for name in ("epoch", "roll")):
            return None, [("body.roll", "between: the bets were not closed for this roll")]
        return closing, list(self._shown(body, closing)) if "link" in body else []

    def _shown(self, body: dict[str, Any], closing: Closing) -> Iterator[Complaint]:
        epoch, roll, link = body["epoch"], body["roll"], body["link"]
        chain = self._chains.get(epoch)
        if chain is not None:
            if link_before(self._stream, epoch, roll, link) != chain.last:
                yield "body.link", f"link: it is not the link of roll {roll} that was committed to"
            chain.last, chain.shown_roll = link, roll
            if roll >= LINKS:
                del self._chains[epoch]
                self._epoch = epoch + 1
        if _listed(body["hands"]) != [each for each in closing.listed if each[0] in closing.received]:
            yield "body.hands", "value: these are not the values that were received"
        for each in body["hands"]:
            yield from self._value(_listed([each])[0], each["value"])

    def _value(self, listed: Listed, value: str) -> Iterator[Complaint]:
        known = self._hands.get(listed[0])
        before = hashed("passline/dice/2/hand", self._stream, *listed, bytes.fromhex(value))
        if known is None or before != known.last:
            yield "body.hands", f"value: it is not the value that {listed[0]} is committed to"
        if known is not None:
            known.last, known.is_on = value, known.is_on and listed[2] < LINKS

    def _rolled(self, entry: Entry, body: dict[str, Any]) -> Iterator[Complaint]:
        closing, wrong = self._over(body)
        yield from wrong
        if closing is None:
            return
        if closing.missing:
            names = ", ".join(each[0] for each in closing.missing)
            yield "kind", f"value: it is rolled without the value of {names}"
        values = {each["person"]: each["value"] for each in body["hands"]}
        own = dealt(self._stream, Void(entry.sequence, body["epoch"], body["roll"], body["link"]), values)
        if own != body["dice"]:
            yield "body.dice", f"dice: they are {body['dice']}, and link and values make {own}"
        self._rolled_up = [*self._rolled_up[1 - VOIDS_IN :], self._had_up]
        self._counts["rolls"] += 1
        self._counts["hand_rolls" if values else "house_alone"] += 1

    def _roll_voided(self, entry: Entry, body: dict[str, Any]) -> Iterator[Complaint]:
        closing, wrong = self._over(body)
        yield from wrong
        if body["people"]:
            yield "body.people", "void_by_crew: nobody declares a roll of drawn dice void"
        if closing is None:
            return
        silent = _listed(body.get("silent", ()))
        if silent and silent != closing.missing:
            yield "body.silent", f"value: it says {silent}, and other values did not arrive"
        if body["returned"]:
            yield "body.returned", "void_early: stakes went back for what is worth something else"
        waited = time_of(entry) - time_of(closing.entry)
        if silent and waited < WAITS:
            yield "body.silent", f"void_early: values were awaited for {waited}, and are for {WAITS}"
        self._counts["silent_rolls" if silent else "failed_rolls"] += 1
        for person, _, _ in silent:
            self._report.silent[person] += 1
            if person in self._hands:
                self._hands[person].is_on = False
        yield from self._comes_to_nothing(entry, self._had_up, stops=not silent or waited >= WAITS_MAX)
        values = {each["person"]: each["value"] for each in body.get("hands", ())}
        void = Void(entry.sequence, body["epoch"], body["roll"], body.get("link", ""), values, set(closing.missing))
        if void.link:
            self._owed.append(void)
            self._know()
        else:
            self._must_stop = "link: a link was not to be had, and no stop follows"
            self._lost += [] if closing.listed else [void]

    def _comes_to_nothing(self, entry: Entry, people: set[str], *, stops: bool = False) -> Iterator[Complaint]:
        """Two in any hundred closings may, of the table and of each of these people; with a third the table stops."""
        reached = {"": self._cap.void()} | {person: self._caps[person].void() for person in sorted(people)}
        for person in people:
            self.nothing.setdefault(person, []).append((entry.sequence, self._caps[person].closings))
        for person, voids in reached.items():
            if voids > VOIDS_MAX:
                theirs = f" in which {person} had a wager up" if person else ""
                no = f"void_cap: {voids} of {VOIDS_IN} rolls{theirs} came to nothing, and no stop follows"
                if stops:
                    self._must_stop = no
                else:
                    yield "kind", no

    def _value_shown(self, _entry: Entry, body: dict[str, Any]) -> Iterator[Complaint]:
        (due,) = _listed([body])
        void = next((each for each in self._owed if due in each.owed), None)
        if void is None:
            yield "body.person", f"value: {due[0]} owes none"
            return
        yield from self._value(due, body["value"])
        void.owed.discard(due)
        void.values[due[0]] = body["value"]
        self._know()

    def _know(self) -> None:
        for void in [each for each in self._owed if not each.owed]:
            self._owed.remove(void)
            self._voids(void.sequence, dealt(self._stream, void, void.values))


def _listed(each: Any) -> list[Listed]:  # noqa: ANN401 - a list of objects, or of one body
    return [(one["person"], one["hand"], one["index"]) for one in each]


def time_of(entry: Entry) -> datetime:
    return moment(str(entry.data["time"]))


def moment(time: str) -> datetime:
    """23:59:60 is taken for the second before it."""
    return datetime.fromisoformat(time.replace(":60", ":59"))
