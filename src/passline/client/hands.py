"""A person's hand in the dice of a table, given by their own program: docs/dice.md, *What a program does*.

It shows a value only for a closing that the house has signed, that follows from the last entry it saw, and that asks
for the next value; it works by itself, beside whatever the program does, and lives on in a file.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from threading import Event, RLock, Thread
from time import monotonic
from typing import TYPE_CHECKING

from passline.client import calls
from passline.client.calls import StreamedEntry
from passline.client.witness import Heads, Json, Witness, data_folder
from passline.errors import ServiceError
from passline.live.dice import HAND_TAG, LINKS, chain, off_of

if TYPE_CHECKING:
    from passline.client.clients import Client

STRANGER = (
    "{hand} is a hand in my name that this program did not give: its values are not mine. If no other program of mine "
    "did, the house makes those dice alone, and says that I take part."
)

DENIED = (
    "The house took my value for roll {roll} at {taken} and says that it did not arrive. "
    "Its closing reached me at {closed}, both by my own clock."
)
ABSENT = (
    "My value for roll {roll} did not reach the house in time: that roll is void, and my bets were settled at what "
    "they are worth. I take part again from the next roll on. Its closing reached me at {closed} and the void at "
    "{void}, both by my own clock; the house waits 20 seconds. If there is less between, and my line was good, keep "
    "{path} and show it to whoever licenses the house."
)
OVERDUE = (
    "The bets were closed at {closed} by my own clock, and there is neither a roll nor a void since. The house can "
    "know those dice by now. Ask it why."
)

# From this index on a hand is replaced after a roll without it: with no chips up nobody gains by the moment.
LATE = LINKS * 9 // 10

OVERDUE_S = 660.0  # nothing is awaited for longer than ten minutes
RETIRE_S = 60.0  # how long whoever leaves waits for a roll to be over: values are awaited for 20 seconds


@dataclass
class Secrets:
    """What only this program knows of its hand, and which value it showed last for which closing."""

    person: str
    hand: int
    last: str
    off: str
    index: int = 0
    closing: str = ""
    void: int = 0  # the entry that says that this value did not arrive, until it was shown after all


class Hand:
    """One person's hand at one table of a server."""

    def __init__(self, client: Client, table: str, folder: Path | None = None) -> None:
        self._client, self.table = client, table
        self._folder = folder or data_folder()
        self._witness: Witness | None = None
        self._lock = RLock()
        self._stream = self.person = ""
        self._secrets: Secrets | None = None
        self._values: list[bytes] = []
        self._anchors: set[str] = set()  # of the hands that this program made
        self._asked: set[str] = set()  # the keys under which this program asked for something
        self._answers: dict[int, str] = {}  # by entry: the hash of what it was answered
        self._mine: dict[int, str] = {}  # by entry: the hash of what the chain has as asked for by this person
        self._taken = ""  # the closing whose value the house has taken
        self._closed_at = self._taken_at = _clock()  # by one's own clock, for times of entries are the house's
        self._is_followed = False  # whether the stream tells of every entry
        self._thread: Thread | None = None
        self._is_listed = True  # whether it was in the last roll
        self._since = 0  # the entry from which on it has followed the table
        self.is_on = self._is_wanted = False
        self.rolls = 0  # how many rolls it was in, each checked
        self.checked = 0, ""  # the entry of the last roll that was right, and whose hands are in it, in words
        self.last_roll: Json = {}  # the last roll, or void one, that the stream told of
        self._rolled = Event()

    @property
    def wrong(self) -> list[str]:
        """What the house did that it must not, and what to keep and whom to ask, in words."""
        return self._witness.wrong if self._witness is not None else []

    @property
    def is_broken(self) -> bool:
        """Whether the house contradicts what it showed: nobody bets on its dice."""
        return self._witness is not None and self._witness.is_broken

    def asks(self, key: str) -> None:
        with self._lock:
            self._asked.add(key)
            self._is_due()

    def _is_due(self) -> None:
        """Tell of a roll that is announced for longer than anything is awaited."""
        since = self._closed_at
        if self._witness and self._witness.announced and (_clock() - since).total_seconds() > OVERDUE_S:
            self._witness.complain(OVERDUE.format(closed=_told(since)))

    def answered(self, entry: Json) -> None:
        """It was done, or refused, with this entry: the chain must go through it."""
        if "hash" in entry and self._witness is not None:
            with self._lock:
                self._answers[entry["sequence"]] = entry["hash"]
                self._compare()

    def _compare(self) -> None:
        """One's own acts stand in the chain as they were answered: one's wagers are as one left them."""
        witness = self._follows
        for sequence, digest in self._answers.items():
            if self._since < sequence <= witness.sequence and self._mine.get(sequence) != digest:
                no = f"entry {sequence} is not what the house answered me: my wagers are not as I left them."
                witness.contradicts(no)

    @property
    def _follows(self) -> Witness:
        assert self._witness is not None, "the table is followed once a hand is given"
        return self._witness

    def _look(self) -> None:
        """Ask for the entries since; every roll is checked, and one's own acts are."""
        self._take(self._follows.look())

    def _hear(self, event: StreamedEntry) -> None:
        """The same with the next entry as the stream tells it, which costs no request."""
        is_new = event.sequence > self._follows.sequence
        if not self._follows.hear(event.entry, event.head):
            self._look()
        elif is_new:
            self._take([event.entry] if "body" in event.entry else [])

    def _take(self, entries: Iterable[Json]) -> None:
        witness = self._follows
        for entry in entries:
            sequence, kind = entry["sequence"], entry["kind"]
            if entry["actor"] == self.person:
                self._mine[sequence] = entry["hash"]
                key = str(entry["key"]).removeprefix(f"{self.person}/")
                if kind == "acted" and entry["role"] == "player" and self._since and key not in self._asked:
                    witness.complain(f"Entry {sequence} is an act in my name that this program did not ask for.")
                if kind == "hand_on" and self._since and entry["body"]["anchor"] not in self._anchors:
                    witness.complain(STRANGER.format(hand=f"Entry {sequence}"))
                elif kind == "hand_on" and self._since:
                    witness.heads.keep(entry)  # a kept closing is held against the hands that it lists
            if kind == "bets_closed":
                self._closed_at = _clock()
            elif kind in ("rolled", "roll_voided"):
                self.check(entry)
            elif kind == "table_restored" or (kind == "hand_off" and entry["actor"] == self.person):
                self.is_on = False
            elif kind == "value_shown" and entry["body"]["person"] == self.person and self._secrets is not None:
                self._secrets.void = 0
                self._write()
            witness.save()
        self._compare()
        self._show_owed()

    def _renew(self) -> None:
        """Have a hand on for the next roll too: it was spent, struck or taken off elsewhere, or soon will be spent."""
        own = self._secrets
        if self._is_wanted and self.is_on and own is not None and own.index >= LATE and not self._is_listed:
            self.take_off()
            self._is_wanted = True
        if self._is_wanted and not self.is_on:
            self.give()

    def give(self) -> bool:
        """Have a hand on before chips go up; whether there is one now."""
        with self._lock:
            self._is_wanted = True
            if self.is_broken or (self.is_on and self._is_followed):
                return self.is_on
            try:
                state = self._dice()
            except ServiceError:
                return False  # who may not look at the table is told so when they bet
            if state["protocol"] < 2 and self._witness is not None:
                return False  # it was said why
            self._stream, self.person = state["stream"], state["you"]
            if self._witness is None:
                heads = Heads(self._folder / f"{self._stream}.jsonl", self._folder / "keys.json", self.person)
                self._witness = Witness(self._client, self.table, heads, whole=True)
            if state["protocol"] < 2:
                list(self._witness.look())
                return False
            self._read()
            self._look()
            on = next((each for each in state["hands"] if each["person"] == self.person), None)
            if on is not None and on["anchor"] not in self._anchors:
                self._witness.complain(STRANGER.format(hand=f"Hand {on['hand']}"))
            elif on is not None:
                self.is_on = True
            # Who owes a value gives no other hand; nor whoever's chain the house has broken off, after a restore too.
            elif (self._secrets is None or not self._secrets.void) and not self._witness.is_broken:
                self.is_on = self._new(state["next_hand"])
            if self.is_on and not (self._thread and self._thread.is_alive()):
                self._since, self._is_followed = self._since or self._witness.sequence, True
                self._thread = Thread(target=self._follow, args=(self._witness.sequence,), daemon=True)
                self._thread.start()
                self._show()  # where this program was cut off under a closing
            return self.is_on

    def _new(self, number: int) -> bool:
        """Make a hand, keep it, and only then give it."""
        self._secrets = Secrets(self.person, number, secrets.token_hex(32), secrets.token_hex(32))
        self._make()
        self._write()
        off = off_of(self._stream, self.person, number, bytes.fromhex(self._secrets.off))
        return bool(self._act("hand_on", hand=number, anchor=self._values[0].hex(), off=off.hex()))

    def _make(self) -> None:
        assert self._secrets is not None, "a hand is made of its secrets"
        owner = self._stream, self.person, self._secrets.hand
        self._values = chain(HAND_TAG, owner, bytes.fromhex(self._secrets.last))
        self._anchors.add(self._values[0].hex())

    @property
    def _path(self) -> Path:
        return self._folder / f"{self._stream}.{self.person}.json"

    def _read(self) -> None:
        """The hand that an earlier run of this program gave here."""
        with suppress(OSError, ValueError, TypeError):
            if self._secrets is None:
                self._secrets = Secrets(**json.loads(self._path.read_text("utf-8")))
                self._make()

    def _write(self) -> None:
        """Keep the hand where nobody else reads it; where the disk takes nothing it lives as long as the program."""
        assert self._secrets is not None, "a hand is kept when there is one"
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            fresh = self._path.with_suffix(".new")
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                json.dump(asdict(self._secrets), file)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)

    def take_off(self) -> None:
        """Take it off, for who goes away: chips that stay up ride on without it."""
        with self._lock:
            self._is_wanted = False
            if self.is_on and self._secrets is not None:
                own = {"hand": self._secrets.hand, "value": self._secrets.off}
                status, data = self._client.send(calls.act_call(self.table, "table.hand_off", own))
                # One that is not on, for a backup struck it, comes off no second time; under a closing it may later.
                self.is_on = status != 200 and data.get("code") != "table.hand"

    def retire(self) -> None:
        """Take it off for who leaves the table; where the dice are out, after that roll."""
        self.take_off()
        until = monotonic() + RETIRE_S
        while self.is_on and monotonic() < until:
            self.wait_for_roll(calls.ROLL_WAIT_S)
            self.take_off()
        with self._lock:
            if self._witness is not None:
                self._look()  # the last roll, too, is checked before it goes

    def wait_for_roll(self, seconds: float) -> None:
        """Let the stream tell of a roll; where it does not in time, ask what the table waits for."""
        if not self._rolled.wait(seconds):
            self.show()
        self._rolled.clear()

    def show(self) -> None:
        """Show the value that the table waits for, if that is as it must be."""
        with self._lock:
            if self.is_on:
                self._look()
                self._show()
                self._is_due()

    def _show(self) -> None:
        own, entry = self._secrets, self._follows.announced
        hands = entry["body"]["hands"] if entry else ()
        listed = next((each for each in hands if each["person"] == self.person), None)
        if not self.is_on or own is None or entry is None or listed is None or self._taken == entry["hash"]:
            return
        if (complaint := self._refuses(entry, listed, own)) is not None:
            self._follows.complain(complaint)
            return
        if own.closing != entry["hash"]:
            own.index, own.closing = listed["index"], entry["hash"]
            self._write()
            self._follows.heads.keep(entry)
        value = self._values[own.index].hex()
        got = self._act("show_value", hand=own.hand, index=own.index, value=value, closing=entry["hash"])
        if got not in ("", "value_shown"):  # that is: after the roll was void
            self._taken, self._taken_at = entry["hash"], _clock()

    def _refuses(self, entry: Json, listed: Json, own: Secrets) -> str | None:
        witness = self._follows
        head = witness.heads.of(self.table).get(entry["sequence"])
        # Who wrote it was cut off before it signed.
        if head is None and (closing := self._dice()["closing"]) is not None:
            head = closing["head"] if closing["head"] and witness.head(closing["head"]) else None
        if witness.is_broken:
            return "The house contradicts itself, and is shown no more values."
        signed = entry["sequence"], entry["hash"], witness.signer
        if head is None or (head["sequence"], head["hash"], head["key"]) != signed:
            return "The closing is not signed by the house."
        due = own.index if own.closing == entry["hash"] else own.index + 1
        if (listed["hand"], listed["index"]) != (own.hand, due):
            return f"Value {listed['index']} of hand {listed['hand']} is asked for, and {due} of {own.hand} is due."
        return None

    def check(self, entry: Json) -> None:
        """Look whether one's own hand was in a roll, and is on for the next."""
        body = entry["body"]
        if "link" not in body:
            return
        number = self._secrets.hand if self._secrets is not None else 0
        if entry["kind"] == "rolled" and not self.is_broken:
            self.checked = entry["sequence"], _whose(self.person, body["hands"])
        listed = (*body["hands"], *body.get("silent", ()))
        own = next((each for each in listed if (each["person"], each["hand"]) == (self.person, number)), None)
        self._is_listed = own is not None
        if own is None:
            return
        if "value" not in own:
            self.is_on = False
            self._absent(body["roll"])
            self._owes(entry["sequence"], own["index"])
        self.rolls += "value" in own and self._since > 0
        self.is_on = self.is_on and own["index"] < len(self._values) - 1

    def _absent(self, roll: int) -> None:
        """Tell of one's value that did not arrive, and the times by one's own clock."""
        witness = self._follows
        if self._taken and self._taken == witness.closing:
            witness.complain(DENIED.format(roll=roll, taken=_told(self._taken_at), closed=_told(self._closed_at)))
        else:
            times = {"closed": _told(self._closed_at), "void": _told(_clock())}
            witness.wrong.append(ABSENT.format(roll=roll, path=witness.heads.path, **times))

    def _owes(self, sequence: int, index: int) -> None:
        """The value of this index did not arrive: it is never shown for another closing than that one."""
        own = self._secrets
        assert own is not None, "who was listed has a hand"
        if own.index <= index <= own.index + 1:
            own.index, own.closing, own.void = index, self._follows.closing, sequence
            self._write()
        else:
            self._follows.complain(f"Value {index} of hand {own.hand} is said to be owed, and {own.index + 1} is due.")

    def _show_owed(self) -> None:
        """Show the value that did not arrive, once the house has signed that it did not.

        A house that shows one person a journal of their own would have the value before it closes the bets.
        """
        own, witness = self._secrets, self._follows
        if own is None or not own.void or witness.signed < own.void or witness.is_broken:
            return
        value = self._values[own.index].hex()
        if self._act("show_value", hand=own.hand, index=own.index, value=value):
            own.void = 0
            self._write()

    def _dice(self) -> Json:
        return self._client.get(f"/tables/{self.table}/dice")

    def _act(self, kind: str, **fields: object) -> str:
        """The kind of entry that it made; nothing where it was refused."""
        status, data = self._client.send(calls.act_call(self.table, f"table.{kind}", fields))
        return str(data.get("kind", kind)) if status == 200 else ""

    def _line(self, is_open: bool) -> None:  # noqa: FBT001 - as the stream says it
        """The line was cut, or is open again: what one followed may have been undone behind it."""
        with self._lock:
            was_followed, self._is_followed = self._is_followed, is_open
            if is_open and not was_followed:
                self._look()

    def _follow(self, after: int) -> None:
        """Answer closings and check rolls, for as long as the server lets us."""
        with suppress(ServiceError, RuntimeError):  # it is away for too long, or the program is over
            for event in self._client.table(self.table).events(after, line=self._line):
                with self._lock:
                    self._hear(event)
                    if event.kind == "bets_closed":
                        self._show()
                    elif event.kind in ("rolled", "roll_voided"):
                        self.last_roll = event.entry
                        self._rolled.set()
                        self._renew()
        self._is_followed = False


def _clock() -> datetime:
    return datetime.now().astimezone()


def _told(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds")


def _whose(person: str, hands: Iterable[Json]) -> str:
    """Whose hands are in a roll, one's own by another program too."""
    people = {each["person"] for each in hands}
    others = len(people - {person})
    if not people:
        return "Dice checked, but the house made them alone: no hand of yours."
    if person not in people:
        return f"Dice checked: {others} hand{'s' * (others > 1)} in them, and none of yours."
    return f"Dice checked: your hand is in them{f', with {others} other' if others else ''}{'s' * (others > 1)}."
