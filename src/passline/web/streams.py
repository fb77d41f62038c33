"""A table's entries on their way to whoever watches: id = sequence, resumed without a gap, let go when nobody reads."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pydantic import TypeAdapter
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from passline.codec import from_data
from passline.engine.commands import Command
from passline.engine.events import DiceThrown, Event
from passline.engine.layout import Layout
from passline.engine.table import TableState
from passline.floor.acts import FloorEvent
from passline.journal.contract import Journal
from passline.live.state import Moment
from passline.pit.history import History, by_the_crew
from passline.sitting.log import settlements
from passline.sitting.tell import result_of
from passline.telling.stick import call
from passline.web.schemas import EntryView, record
from passline.web.views import StateView, dealt, house_of, state_view

if TYPE_CHECKING:
    from passline.web.service import Service
    from passline.web.who import Asker

PING_S = 15.0
"""How often a stream that has nothing to say says so."""

LOOK_S = 1.0
"""How often streams are looked at, and whether their readers still may."""

AT_ONCE = 256
"""How many entries are sent together."""

RECENT = 400
"""How many entries are read back when a table is first looked at."""

MOVES = frozenset(
    ("acted", "floor_acted", "rolled", "roll_voided", "corrected", "bets_closed", "table_closed", "table_stopped")
)
"""The entries after which a table looks different."""


class Message(NamedTuple):
    """One entry, ready to be sent: what is the same for all, and what is said to each."""

    sequence: int
    kind: str
    actor: str
    shared: str
    """The beginning of its JSON object."""
    key: str | None
    command: Command | None
    layout: Layout
    before: TableState
    events: tuple[Event, ...]
    on_floor: tuple[FloorEvent, ...]
    seats: frozenset[int]
    """Whom the events are about: they are told them as *you*."""
    others: bytes
    """What everybody else is sent."""
    booked: list[str]
    """Who of the crew did it for a player, where somebody did."""

    def text(self, person: str, seat: int | None) -> bytes:
        """The entry as one person is told it; why somebody else was refused is nobody's business."""
        if self.kind == "refused":
            shared = self.shared if self.actor == person else _hidden(self.kind, self.sequence)
            return _event(self.sequence, self.kind, shared, [])
        if seat is None or (seat not in self.seats and self.kind != "rolled"):
            return self.others
        words = self.booked + dealt(self.layout, self.before, self.events, seat, self.on_floor)
        return _event(self.sequence, self.kind, self.shared + self._you(seat), words)

    def _you(self, seat: int) -> str:
        """What a roll did to whoever sits there, to go on with the JSON object."""
        result = result_view(self, seat)
        return f',"you":{RESULT.dump_json(result).decode()}' if result else ""


def _hidden(kind: str, sequence: int) -> str:
    """The beginning of an entry of which only is told that there is one."""
    return f'{{"entry":{{"kind":"{kind}","sequence":{sequence}}}'


def _event(sequence: int, kind: str, shared: str, words: list[str]) -> bytes:
    return f'id: {sequence}\nevent: {kind}\ndata: {shared},"said":{json.dumps(words)}}}\n\n'.encode()


ABOUT = ("seat", "thrower", "shooter")
"""The fields of events that name a seat."""


def message_of(moment: Moment, layout: Layout) -> Message:
    """An entry to be sent."""
    entry = moment.entry
    # Who may not play, and why, is not for everybody who watches some table.
    is_public = entry.kind != "floor_heard"
    shared = f'{{"entry":{entry.line.decode()}' if is_public else _hidden(entry.kind, entry.sequence)
    if entry.kind in MOVES:
        shared += f',"state":{STATE.dump_json(state_view(layout, moment.after)).decode()}'
    thrown = next((event for event in moment.events if isinstance(event, DiceThrown)), None)
    if thrown is not None:
        shared += f',"call":{json.dumps(call(layout, thrown))}'
    data = entry.body.get("command")
    before, events = moment.before.table, moment.events
    decided = entry.body["floor"] if entry.kind == "floor_acted" and is_public else ()
    on_floor = tuple(cast("FloorEvent", from_data(each)) for each in decided)
    seats = frozenset(getattr(event, name, 0) or 0 for event in (*events, *on_floor) for name in ABOUT)
    by_crew = [words] if (words := by_the_crew(entry)) else []
    others = _event(entry.sequence, entry.kind, shared, by_crew + dealt(layout, before, events, None, on_floor))
    command = cast("Command", from_data(data)) if data and entry.kind in ("acted", "rolled") else None
    about = (entry.sequence, entry.kind, entry.actor, shared, entry.key, command)
    return Message(*about, layout, before, events, on_floor, seats, others, by_crew)


@record
class ResultView:
    """What a roll did to one player: in a line, and in grains."""

    line: str
    net: int


@record
class Heard:
    """What a stream of events says: an entry, the table after it where it changed, and what the dealers say of it."""

    entry: EntryView
    state: StateView | None = None
    call: str | None = None
    """What the stick calls, where dice were thrown."""
    you: ResultView | None = None
    """What a roll did to whoever listens, if they sit there."""
    said: list[str]


RESULT, STATE = TypeAdapter(ResultView), TypeAdapter(StateView)


def result_view(message: Message, seat: int) -> ResultView | None:
    """What the roll of an entry did to whoever sits there: a line, and what they won or lost."""
    settled = next(settlements(message.before, message.events, seat), None)
    if settled is None or seat not in message.before.seats:
        return None
    return ResultView(line=result_of(message.layout, seat, settled), net=settled.brought)


class Broadcast:
    """The last entries of one table, and a bell that rings when there are more."""

    def __init__(self, journal: Journal, table: str, kept: int) -> None:
        """Begin a little before the end, for what is told of the last hands."""
        end = journal.head(table)
        self._history = History(journal, table, max(0, end.sequence - RECENT) if end else 0)
        self.house = house_of(self._history.house_file)
        self.layout = self.house.layout
        self.sequence = self._history.sequence
        """The last entry that is known here."""
        self._ring: deque[Message] = deque(maxlen=kept)
        self._reading, self._lock = Lock(), Lock()
        self.bells: set[asyncio.Event] = set()
        """One of each reader's."""
        self._written: deque[Moment] = deque()
        """What was written in this process, and is not told yet."""
        self.pull()

    def hear(self, moment: Moment) -> None:
        """This process has written an entry: neither it nor the table after it need be read."""
        self._written.append(moment)

    def pull(self) -> bool:
        """Learn what has been written since; whether there was any. In a thread: the journal may be slow."""
        with self._reading:
            fresh = [message_of(moment, self.layout) for moment in self._moments()]
            with self._lock:  # the event loop waits for this one, so nothing is read under it
                self._ring.extend(fresh)
                self.sequence = self._history.sequence
            return bool(fresh)

    def _moments(self) -> Iterator[Moment]:
        """What was written here, as far as it goes on from what is known; the rest from the journal."""
        whole = bool(self._written)
        while self._written:
            moment = self._written.popleft()
            if moment.entry.sequence == self._history.sequence + 1:
                yield self._history.skip(moment)
            elif moment.entry.sequence > self._history.sequence:
                whole = False  # another process wrote in between
        if not whole:
            yield from self._history.more()

    def ring(self) -> None:
        """Wake everybody who waits; in the event loop."""
        for bell in self.bells:
            bell.set()

    def recent(self, most: int | None = None) -> list[Message]:
        """The last entries, oldest first."""
        with self._lock:
            return list(self._ring)[-most if most else 0 :]

    def since(self, sequence: int) -> list[Message] | None:
        """The next entries after one; None where they are not at hand any more."""
        with self._lock:
            if sequence >= self.sequence:
                return []
            if not self._ring or self._ring[0].sequence > sequence + 1:
                return None
            skip = sequence + 1 - self._ring[0].sequence
            return [self._ring[at] for at in range(skip, min(skip + AT_ONCE, len(self._ring)))]


class EventStream(Response):
    """Server-Sent Events of one table to one reader.

    Every entry goes through here once for each reader, so nothing is worked out here that is the same for the next one;
    `look_after` sees to whoever does not read, and to pings.
    """

    media_type = "text/event-stream"

    def __init__(self, service: Service, broadcast: Broadcast, asker: Asker, table: str, after: int) -> None:
        """Begin after an entry."""
        super().__init__()
        self._service, self._broadcast, self._asker = service, broadcast, asker
        self._table, self._at = table, after
        self._far: History | None = None
        self._bell = asyncio.Event()
        self._task: asyncio.Task[Any] | None = None
        self._sent, self._sending, self._stuck = time.monotonic(), False, False
        self._watched = (-1, 0.0)
        """Up to which entry about people, and when, the reader was known to be allowed."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI
        """Send for as long as somebody reads and may."""
        headers = [
            (b"content-type", b"text/event-stream"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        bell, gone = self._bell, asyncio.create_task(_gone(receive))
        gone.add_done_callback(lambda _: bell.set())
        self._broadcast.bells.add(bell)
        self._task = asyncio.current_task()
        try:
            with self._service.streaming(self):
                async for chunk in self._chunks(bell, gone):
                    self._sent, self._sending = time.monotonic(), True
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
                    self._sending = False
                if not gone.done():
                    self._sent, self._sending = time.monotonic(), True
                    await send({"type": "http.response.body", "body": b""})
        except asyncio.CancelledError:
            if not self._stuck:
                raise
            self._service.metrics.streams_stuck.inc()
            raise TimeoutError from None
        finally:
            self._broadcast.bells.discard(bell)
            gone.cancel()

    @property
    def person(self) -> str:
        """Who reads."""
        return self._asker.id

    def look(self, now: float, stuck_s: float) -> None:
        """Let go of whoever does not read; say something to whoever has heard nothing for long."""
        if self._sending and now - self._sent > stuck_s and self._task is not None:
            self._stuck = True
            self._task.cancel()
        elif not self._sending and now - self._sent > PING_S:
            self._bell.set()

    async def _chunks(self, bell: asyncio.Event, gone: asyncio.Task[None]) -> AsyncIterator[bytes]:
        yield f"retry: 1000\n: {self._table} after {self._at}\n\n".encode()
        while not gone.done() and not self._service.stopping.is_set():
            bell.clear()
            if not self._may():
                yield b"event: revoked\ndata: {}\n\n"
                return
            fresh = self._broadcast.since(self._at)
            if fresh is None:
                fresh = await self._service.run(self._from_journal)
            if fresh:
                self._at = fresh[-1].sequence
                yield await self._service.soon(self._table, self._texts, fresh)
                continue
            self._far = None
            if time.monotonic() - self._sent > PING_S:
                yield b": still here\n\n"
            await bell.wait()

    def _may(self) -> bool:
        """Whether the reader still may: looked at again when something was written about people, and every second."""
        known, now = self._service.pit.people.head.sequence, time.monotonic()
        if self._watched[0] != known or now - self._watched[1] > LOOK_S:
            if not self._service.still_watches(self._asker, self._table):
                return False
            self._watched = (known, now)
        return True

    def _texts(self, fresh: Iterable[Message]) -> bytes:
        person, seat = self._asker.id, self._service.seat_of(self._table, self._asker.id)
        return b"".join(each.text(person, seat) for each in fresh)

    def _from_journal(self) -> list[Message]:
        """What the broadcast has forgotten, read again from the journal."""
        if self._far is None or self._far.sequence != self._at:
            self._far = History(self._service.pit.journal, self._table, self._at)
        upto = self._at + AT_ONCE
        return [message_of(moment, self._broadcast.layout) for moment in self._far.more(upto)]


async def look_after(service: Service) -> None:
    """Look at every stream each second, until the service stops: cheaper than a clock of its own for each entry."""
    while not service.stopping.is_set():
        await asyncio.sleep(LOOK_S)
        for stream in service.open_streams():
            stream.look(time.monotonic(), service.limits.stream_stuck_s)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
