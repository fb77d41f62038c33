"""A table's entries on their way to whoever watches: id = sequence, resumed without a gap, let go when nobody reads."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from passline.codec import from_data
from passline.engine.commands import Command
from passline.engine.events import DiceThrown, Event, OutcomeStruckOut, PlayerSat
from passline.engine.layout import Layout
from passline.engine.postings import brought, postings
from passline.engine.shooting import who_throws
from passline.engine.table import TableState
from passline.floor.acts import FloorEvent
from passline.floor.conduct import analysis_forbidden
from passline.floor.disputes import DisputeDecided, DisputeReviewed
from passline.floor.names import folded
from passline.journal.contract import Entry, Journal, Kind, SignedHead
from passline.live.rules import SEATS_MAX
from passline.live.state import Live, Moment
from passline.pit.history import History, by_the_crew, came_to_nothing
from passline.sitting.log import QUIET, Settled, Settlement, at_worth, result_of, settlements, struck_out
from passline.telling.stick import call
from passline.web.network import is_from_network
from passline.web.schemas import EntryView, SignedHeadView, record
from passline.web.views import Places, StateView, house_of, sentence, state_json, state_patch, with_names

if TYPE_CHECKING:
    from passline.web.auth import Actor
    from passline.web.connections import Connection
    from passline.web.rail import PageView
    from passline.web.service import Service

HEARTBEAT_S = 5.0  # how often an idle stream sends a heartbeat, so that a page notices when its connection is lost
CHECK_EVERY_S = 1.0  # how often streams are supervised, and whether their listeners are still allowed
BATCH_MAX = 256  # how many entries are sent together
HEADERS = [(b"content-type", b"text/event-stream"), (b"x-accel-buffering", b"no")]
CONNECTION = "passline.connection"  # the ASGI extension by which a stream finds its connection
RECENT = 400  # how many entries are read back when a table is loaded
RING_BYTES_MAX = 1_000_000  # how many bytes of entries are in memory for the streams of one table

# The entries that change the table's public view.
MOVES = frozenset(
    ("acted", "floor_acted", "rolled", "roll_voided", "corrected", "bets_closed", "table_closed", "table_stopped")
)


@record
class ResultView:
    line: str
    net: int


@record
class EntryEvent:
    """What a stream of events says: an entry, the table after it where it changed, and what the dealers say of it."""

    entry: EntryView
    head: SignedHeadView | None = None  # the house's signature, where it signed this entry at once
    state: StateView | None = None
    call: str | None = None  # what the stick calls, where dice were thrown
    you: ResultView | None = None  # what a roll did to whoever listens, if they sit there
    sentences: list[str]


RESULT = TypeAdapter(ResultView)

ABOUT = ("seat", "thrower", "shooter")  # the fields of events that name a seat


@dataclass(eq=False)
class Message:
    """One entry on its way to streams; whatever several readers are sent is worked out once, when the first is."""

    entry: Entry
    layout: Layout
    live_before: Live
    events: tuple[Event, ...]
    live: Live  # the table after it
    places: Places  # the seats as they were last shown to those who are sent whole tables
    head: SignedHead | None = None
    called: Callable[[str], str] = str  # by id: the name of whoever did something
    sequence: int = field(init=False)
    kind: Kind = field(init=False)
    before: TableState = field(init=False)

    thrown: DiceThrown | None = field(init=False, default=None)  # the dice of a roll, whoever says or draws them
    struck: OutcomeStruckOut | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.sequence, self.kind, self.before = self.entry.sequence, self.entry.kind, self.live_before.table
        for event in self.events:
            if isinstance(event, DiceThrown):
                self.thrown = self.thrown or event
            elif isinstance(event, OutcomeStruckOut):
                self.struck = self.struck or event

    @cached_property
    def command(self) -> Command | None:
        data = self.entry.body.get("command") if self.kind in ("acted", "rolled") else None
        return cast("Command", from_data(data)) if data else None

    @property
    def is_public(self) -> bool:
        """Who may not play, and why, is not for everybody who watches some table."""
        return self.kind != "floor_heard"

    @cached_property
    def on_floor(self) -> tuple[FloorEvent, ...]:
        decided = self.entry.body["floor"] if self.kind == "floor_acted" else ()
        return tuple(cast("FloorEvent", from_data(with_names(each, self.called))) for each in decided)

    @cached_property
    def seats(self) -> frozenset[int]:
        """Whom the events are about: the dealers speak to them as *you*."""
        named = (getattr(event, name, 0) or 0 for event in (*self.events, *self.on_floor) for name in ABOUT)
        return frozenset((*named, self.decided[0]))

    @cached_property
    def decided(self) -> tuple[int, str]:
        """The seat of whoever disputed something, and what was decided of it; seat 0 where nothing was."""
        for event in self.on_floor:
            if isinstance(event, DisputeDecided | DisputeReviewed):
                seat = self.live.seat_of(folded(self.live.floor.disputes[event.dispute].person))
                return seat or 0, sentence(self.layout, self.before, event, None)
        return 0, ""

    @cached_property
    def about(self) -> Collection[int]:
        """The seats to which it is said otherwise than to everybody else."""
        return range(SEATS_MAX + 1) if self.kind == "rolled" or self.struck is not None else self.seats

    @cached_property
    def sat_down(self) -> frozenset[int]:
        return frozenset(event.seat for event in self.events if isinstance(event, PlayerSat))

    @cached_property
    def settled(self) -> dict[int, tuple[Settled, ...]]:
        """By seat: what was settled there."""
        seats = dict[int, tuple[Settled, ...]]()
        for event in self.events:
            if isinstance(event, Settled):
                seats[event.seat] = (*seats.get(event.seat, ()), event)
        return seats

    def touches(self, seat: int) -> bool:
        """Whether it changes what somebody there can do, beyond what lies on the felt."""
        before, after = self.live_before, self.live
        one, other = before.table, after.table
        return (
            one.seats.get(seat) is not other.seats.get(seat)
            or (one.puck, one.phase, one.closing, one.shooter)
            != (other.puck, other.phase, other.closing, other.shooter)
            or (before.announced is None, before.over) != (after.announced is None, after.over)
            or one.notice is not other.notice
            or one.declined != other.declined
            or one.seats.keys() != other.seats.keys()  # whom the dice could go to
            or self._is_others_throw
            or (self.thrown is not None and seat in one.seats)
        )

    @cached_property
    def _is_others_throw(self) -> bool:
        """Whether the next throw is another's than before, or nobody's any more: with somebody's line bet it may be."""
        return who_throws(self.layout, self.before) != who_throws(self.layout, self.live.table)

    # --- As bytes -----------------------------------------------------------------------------------------------------

    @cached_property
    def _call(self) -> str:
        if self.struck is not None:
            return f',"call":{json.dumps(sentence(self.layout, self.before, self.struck, None))}'
        if self._void[0]:
            return f',"call":{json.dumps(self._void[0])}'
        return "" if self.thrown is None else f',"call":{json.dumps(call(self.layout, self.thrown))}'

    @cached_property
    def _void(self) -> tuple[str, str]:
        return came_to_nothing(self.entry, self.live_before, self.live)

    @cached_property
    def _whole(self) -> bytes:
        """The beginning of its JSON object: the entry as it is stored, and the table after it."""
        if not self.is_public:
            return self._hidden
        state = f',"state":{state_json(self.layout, self.live, self.places)}' if self.kind in MOVES else ""
        head = f',"head":{_json(self.head._asdict())}' if self.head else ""
        return b"".join((b'{"entry":', self.entry.line, f"{head}{state}{self._call}".encode()))

    @property
    def _hidden(self) -> bytes:
        """The beginning of an entry of which only its place in the chain is told."""
        place = {name: getattr(self.entry, name) for name in ("kind", "sequence", "hash", "previous")}
        return f'{{"entry":{_json(place)}'.encode()

    @cached_property
    def _brief(self) -> bytes:
        """The same for a page: what happened, and what of the table is another now."""
        events = [  # without what goes without saying
            {name: value for name, value in each.items() if value not in (None, False, 0, "") and name != "v"}
            for each in (self.entry.body.get("events", ()) if self.is_public and self.kind != "refused" else ())
        ]
        text = f'{{"sequence":{self.sequence},"kind":"{self.kind}","events":{_json(events)}'
        if self.kind in MOVES:
            text += f',"state":{_json(state_patch(self.layout, self.live_before, self.live))}'
        return f"{text}{self._call}".encode()

    @cached_property
    def _spoken(self) -> list[tuple[Event | FloorEvent, Collection[int], str]]:
        """What is spoken of, whom it may speak to as *you*, and the words to everybody else."""
        events = (event for event in (*self.on_floor, *self.events) if not isinstance(event, QUIET))
        return [(event, _about(event), json.dumps(sentence(self.layout, self.before, event, None))) for event in events]

    def _words_to(self, seat: int | None) -> str:
        """What is said to somebody who sits there, or to anybody: what is about them is said otherwise."""
        booked = by_the_crew(self.entry) or self._void[1]
        words = [
            json.dumps(sentence(self.layout, self.before, event, seat)) if seat in about else other
            for event, about, other in self._spoken
        ]
        return ",".join([json.dumps(booked), *words] if booked else words)

    @cached_property
    def to_others(self) -> bytes:
        return self._event(self._whole, self._words_to(None))

    @cached_property
    def chunk_to_others(self) -> bytes:
        """The same as it goes over a connection, where it is copied for nobody."""
        return chunk_of(self.to_others)

    def _event(self, shared: bytes, words: str, more: str = "") -> bytes:
        rest = f'{more},"sentences":[{words}]}}\n\n'.encode()
        return b"".join((b"id: %d\nevent: entry\ndata: " % self.sequence, shared, rest))

    def is_told_apart(self, seat: int | None) -> bool:
        """Whether whoever sits there is sent something else than everybody else."""
        return self.kind == "refused" or seat in self.about

    def text(self, person: str, seat: int | None) -> bytes:
        """The entry as one person is told it; why somebody else was refused is nobody's business."""
        if self.kind == "refused":
            return self._event(self._whole if self.entry.actor == person else self._hidden, "")
        if seat is None or seat not in self.about:
            return self.to_others
        return self._event(self._whole, self._words_to(seat), self._you(seat))

    def brief(self, seat: int | None, more: str = "") -> bytes:
        """The same in brief, with `more` of what is only theirs."""
        if self.kind == "refused":
            return self._event(self._brief, "")
        if seat is None or seat not in self.about:
            return self._event(self._brief, self._words_to(None), more)
        return self._event(self._brief, self._words_to(seat), self._you(seat) + more)

    def _you(self, seat: int) -> str:
        """What a roll did to whoever sits there, to go on with the JSON object."""
        result = None if self.kind == "acted" and self.struck is None else result_view(self, seat)
        return f',"you":{RESULT.dump_json(result).decode()}' if result else ""

    @cached_property
    def settlement(self) -> Settlement | None:
        """What a roll did to everybody."""
        return next(settlements(self.before, self.events, 0), None)


def chunk_of(part: bytes) -> bytes:
    """A part of a response that is sent in chunks."""
    return b"".join((b"%x\r\n" % len(part), part, b"\r\n"))


def _about(event: Event | FloorEvent) -> Collection[int]:
    """Whom an event may speak to as *you*."""
    every = range(SEATS_MAX + 1)
    return every if isinstance(event, FloorEvent) else [getattr(event, name, 0) or 0 for name in ABOUT]


def _json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))


def result_view(message: Message, seat: int) -> ResultView | None:
    """What a roll did to whoever sits there, or that it does not count: a line, and what they won or lost."""
    settled, seats = message.settlement, (message.before.seats.get(seat), message.live.table.seats.get(seat))
    if message.struck is not None and seats[0] is not None and seats[1] is not None:
        return ResultView(line=struck_out(message.layout, seats[0], seats[1]), net=0)  # what comes back is not won
    if message.decided[0] == seat:
        return ResultView(line=message.decided[1], net=0)
    mine = message.settled.get(seat, ())
    if message.kind == "roll_voided" and mine:
        net = sum(brought(postings(event), seat) for event in mine)
        return ResultView(line=at_worth(message.layout, net), net=net)
    if settled is None or seat not in message.before.seats:
        return None
    if not message.before.seats[seat].felt:  # with nothing up there is nothing to say
        return None
    net = settled.everybody[seat]
    return ResultView(line=result_of(message.layout, seat, settled._replace(mine=mine, brought=net)), net=net)


class Broadcast:
    """The latest entries of one table, and the streams that follow it."""

    def __init__(self, journal: Journal, table: str, entries_max: int, called: Callable[[str], str] = str) -> None:
        """Reads the last `RECENT` entries, from which the recent hands are told."""
        end = journal.head(table)
        self._history = History(journal, table, max(0, end.sequence - RECENT) if end else 0)
        self.house = house_of(self._history.house_file)
        self.layout = self.house.layout
        self.sequence = self._history.sequence  # the last entry that is known here
        self._ring: deque[Message] = deque(maxlen=entries_max)
        self._ring_bytes = 0
        self._cache: dict[str, tuple[int, str]] = {}
        self._places: Places = {}
        self._called = called
        self._seats: tuple[Live | None, dict[str, int]] = None, {}
        self._batch: tuple[int, int, list[Message]] = 0, 0, []  # what `since` returned last, and for which arguments
        self._pull_lock, self._ring_lock = Lock(), Lock()
        self.streams: set[EventStream] = set()
        self._written: deque[Moment] = deque()  # written by this process and not yet pulled
        self._written_after = 0  # the entry after which this process wrote all, so that their signed heads are known
        self.pull()

    @property
    def analysis_forbidden(self) -> bool:
        """Whether the book forbids this table to analyse its outcomes for players."""
        return analysis_forbidden(self.layout, money=self._history.live.money) is not None

    def on_written(self, moment: Moment) -> None:
        """Called by the table for each entry that this process writes, which then need not be read back."""
        self._written.append(moment)

    def pull(self) -> bool:
        """Takes up the entries written since; whether there were any. In a thread: it may read the store."""
        with self._pull_lock:
            fresh = [self.message_of(moment) for moment in self._moments()]
            with self._ring_lock:  # the event loop takes this lock too, so the store is not read under it
                for message in fresh:
                    self._add(message)
                self.sequence = self._history.sequence
            return bool(fresh)

    def message_of(self, moment: Moment) -> Message:
        entry, before, events, after, head = moment
        return Message(entry, self.layout, before, events, after, self._places, head, self._called)

    def _add(self, message: Message) -> None:
        """Adds to the ring, which is bounded by number and, because rolls of full tables are long, by bytes."""
        if len(self._ring) == self._ring.maxlen:
            self._ring_bytes -= len(self._ring.popleft().entry.line)
        self._ring.append(message)
        self._ring_bytes += len(message.entry.line)
        while self._ring_bytes > RING_BYTES_MAX and len(self._ring) > 1:
            self._ring_bytes -= len(self._ring.popleft().entry.line)

    def _moments(self) -> Iterator[Moment]:
        """What this process wrote, as far as it continues what is known; anything else is read from the journal."""
        complete = bool(self._written)
        while self._written:
            moment = self._written.popleft()
            if moment.entry.sequence == self._history.sequence + 1:
                yield self._history.skip(moment)
            elif moment.entry.sequence > self._history.sequence:
                complete = False  # another process wrote in between
        if not complete:
            for moment in self._history.more():
                yield moment
                self._written_after = moment.entry.sequence

    def cached(self, name: str, sequence: int, make: Callable[[], str]) -> str:
        """Text that is the same for every listener as of one entry; made when the first of them needs it."""
        made = self._cache.get(name)
        if made is None or made[0] != sequence:
            made = self._cache[name] = (sequence, make())
        return made[1]

    def seats_in(self, live: Live) -> dict[str, int]:
        """`live.seat_of` of everybody who sits there, for the many listeners who ask it of the same table."""
        of, seats = self._seats
        if of is not live:
            seats = {}
            for number in sorted(live.owners.keys() & live.table.seats.keys(), reverse=True):
                owner = live.owners[number]
                if owner not in seats or not live.table.seats[number].away or live.table.seats[seats[owner]].away:
                    seats[owner] = number
            self._seats = live, seats
        return seats

    def notify(self) -> None:
        """Sends every stream what is new; in the event loop."""
        now = time.monotonic()
        for stream in self.streams:
            stream.notify(now)

    def recent(self, count: int | None = None) -> list[Message]:
        with self._ring_lock:
            return list(self._ring)[-count if count else 0 :]

    def written_since(self, sequence: int) -> list[Message] | None:
        """The next entries after one; None where some were written elsewhere, and only the journal has their heads."""
        return self.since(sequence) if self._written_after <= sequence <= self.sequence else None

    def since(self, sequence: int) -> list[Message] | None:
        """The next entries after one; None where they are no longer in memory."""
        last = self.sequence
        if sequence >= last:
            return []
        if self._batch[:2] == (sequence, last):
            return self._batch[2]
        with self._ring_lock:
            if not self._ring or self._ring[0].sequence > sequence + 1:
                return None
            skip = sequence + 1 - self._ring[0].sequence
            messages = [self._ring[at] for at in range(skip, min(skip + BATCH_MAX, len(self._ring)))]
        self._batch = sequence, last, messages
        return messages


class EventStream(Response):
    """Server-Sent Events of one table to one listener.

    Every entry passes here once for each listener, so whatever is the same for several of them is made by `Message` or
    `Broadcast`. `supervise` sends heartbeats and ends streams that nobody reads.
    """

    media_type = "text/event-stream"

    def __init__(  # noqa: PLR0913, PLR0917 - who reads what, from where on
        self, service: Service, broadcast: Broadcast, actor: Actor, table: str, after: int, page: PageView | None = None
    ) -> None:
        """Starts after entry `after`; with a `page`, entries are sent in brief."""
        super().__init__()
        self._page = page
        self._seat: int | None = None
        self._service, self._broadcast, self._actor, self.person = service, broadcast, actor, actor.id
        self._table, self._after = table, after
        self._backlog: History | None = None  # where the listener is behind what the broadcast still has in memory
        self._wakeup = asyncio.Event()
        self._task: asyncio.Task[Any] | None = None
        self._connection: Connection | None = None  # where it is one of this server's, which is written to directly
        self._idle = False  # whether the stream waits, and may be written to at once
        self._sent_at, self._sending, self._stuck, self._revoked = time.monotonic(), False, False, False
        self._looks = False  # whether the listener is to look at the table again, for the house decided about them
        self._checked = -1, 0.0  # as of which entry about people, and when, the listener was last known to be allowed
        self._remote = False  # whether the listener came by an address for other machines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI
        """Leaves sending to the middleware: otherwise every entry would pass all layers of the framework."""
        self._remote = is_from_network(HTTPConnection(scope))
        self._connection = scope.get("extensions", {}).get(CONNECTION, {}).get("")
        scope["state"]["stream"] = self

    async def run(self, receive: Receive, send: Send) -> None:
        """Sends until the listener leaves or is no longer allowed; the response has been started."""
        disconnected = asyncio.create_task(_disconnected(receive))
        disconnected.add_done_callback(lambda _: self._wakeup.set())
        self._broadcast.streams.add(self)
        self._task = asyncio.create_task(self._feed(send, disconnected))
        try:
            with self._service.streaming(self):
                await self._task
        except asyncio.CancelledError:
            if not self._stuck:
                raise
            self._service.metrics.streams_stuck.inc()
            raise TimeoutError from None
        finally:
            self._broadcast.streams.discard(self)
            disconnected.cancel()

    async def _feed(self, send: Send, disconnected: asyncio.Task[None]) -> None:
        chunk = f"retry: 1000\n: {self._table} after {self._after}\n\n".encode()
        while chunk:
            self._sent_at, self._sending = time.monotonic(), True
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
            self._sending = False
            chunk = b"" if self._revoked else await self._next(disconnected)
        if not disconnected.done():
            self._sent_at, self._sending = time.monotonic(), True
            await send({"type": "http.response.body", "body": b""})

    def look_again(self) -> None:
        """Have the listener look at the table again: what the house decided about them is nobody else's to hear."""
        self._looks = True
        self._wakeup.set()

    def check(self, now: float, stuck_s: float) -> None:
        """Ends the stream if nothing could be sent for `stuck_s`, and wakes it if a heartbeat is due."""
        if self._sending and now - self._sent_at > stuck_s and self._task is not None:
            self._stuck = True
            self._task.cancel()
        elif not self._sending and now - self._sent_at > HEARTBEAT_S:
            self._wakeup.set()

    async def _next(self, disconnected: asyncio.Task[None]) -> bytes:
        """Waits for the next chunk to send; empty when the listener has left or the service stops."""
        while not disconnected.done() and not self._service.stopping.is_set():
            self._wakeup.clear()
            if not self._is_allowed(time.monotonic()):
                self._revoked = True
                return b"event: revoked\ndata: {}\n\n"
            if self._looks:
                self._looks = False
                return b"event: floor\ndata: {}\n\n"
            messages = self._broadcast.since(self._after)
            if messages is None:
                messages = await self._service.run(self._from_journal)
            if messages:
                return await self._service.run_at_table(self._table, self._encode, messages)
            self._backlog = None
            if (
                time.monotonic() - self._sent_at > HEARTBEAT_S and self._service.note_store()
            ):  # else the line is as good as cut
                return b"event: beat\ndata: {}\n\n"
            self._idle = True
            await self._wakeup.wait()
            self._idle = False
        return b""

    def notify(self, now: float) -> None:
        """Writes what is new at once where nothing need be waited for; otherwise wakes the task, which costs more."""
        connection, new, service = self._connection, self._broadcast.since(self._after), self._service
        waits = self._idle and not service.stopping.is_set()
        at_hand = self._page is None or service.pit.is_open(self._table)
        free = connection is not None and connection.is_writable
        if connection is None or not (new and waits and at_hand and free and self._is_allowed(now)):
            self._wakeup.set()
            return
        self._sent_at = now
        last = new[-1]
        if self._page is None and len(new) == 1:
            seat = self._broadcast.seats_in(last.live).get(self.person)
            if not last.is_told_apart(seat):
                self._after = last.sequence
                connection.transport.write(last.chunk_to_others)
                return
        connection.transport.write(chunk_of(self._encode(new)))

    def _is_allowed(self, now: float) -> bool:
        """Whether the listener may still watch: roles and tokens change by entries about people, and tokens end."""
        network, pit = self._service.network, self._service.pit
        if self._remote and network is not None and self._table not in network.tables:
            return False
        last, (checked, at) = pit.people.head.sequence, self._checked
        if checked == last and now - at <= CHECK_EVERY_S:
            return True
        token = self._actor.token
        if token is None or not pit.people.counts(token, pit.now()):
            return False
        if checked != last and not self._service.sees(self.person, self._table):
            return False
        self._checked = last, now
        return True

    def _encode(self, messages: Sequence[Message]) -> bytes:
        last, broadcast = messages[-1], self._broadcast
        self._after = last.sequence
        if self._page is None:
            seat = broadcast.seats_in(last.live).get(self.person)
            return b"".join([each.text(self.person, seat) for each in messages])
        seat = broadcast.seats_in(self._service.pit.table(self._table).live).get(self.person)
        extras, self._seat = self._page.extras(messages, seat, self._seat), seat
        return b"".join([*(each.brief(seat) for each in messages[:-1]), last.brief(seat, extras)])

    def _from_journal(self) -> list[Message]:
        """Entries that the broadcast no longer has in memory."""
        if self._backlog is None or self._backlog.sequence != self._after:
            self._backlog = History(self._service.pit.journal, self._table, self._after)
        return [self._broadcast.message_of(moment) for moment in self._backlog.more(self._after + BATCH_MAX)]


async def supervise(service: Service) -> None:
    """Checks every stream each second until the service stops: cheaper than a timer for each of them."""
    while not service.stopping.is_set():
        await asyncio.sleep(CHECK_EVERY_S)
        for stream in service.open_streams():
            stream.check(time.monotonic(), service.limits.stream_stuck_s)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
