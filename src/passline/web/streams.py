"""A table's entries on their way to whoever watches: id = sequence, resumed without a gap, let go when nobody reads."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from passline.codec import from_data
from passline.engine.commands import Command
from passline.engine.events import DiceThrown, Event
from passline.engine.layout import Layout
from passline.engine.table import TableState
from passline.floor.acts import FloorEvent
from passline.floor.conduct import analysis_forbidden
from passline.journal.contract import Entry, Journal
from passline.live.rules import SEATS_MAX
from passline.live.state import Live, Moment
from passline.pit.history import History, by_the_crew
from passline.sitting.log import QUIET, Settled, Settlement, settlements
from passline.sitting.tell import result_of
from passline.telling.stick import call
from passline.web.schemas import EntryView, record
from passline.web.views import Places, StateView, house_of, sentence, state_patch, state_view

if TYPE_CHECKING:
    from passline.web.rail import PageView
    from passline.web.service import Service
    from passline.web.who import Asker

BEAT_S = 5.0  # how often a stream that has nothing to say beats, so that a page knows whether the line holds
LOOK_S = 1.0  # how often streams are looked at, and whether their readers still may
AT_ONCE = 256  # how many entries are sent together
HEADERS = [(b"content-type", b"text/event-stream"), (b"x-accel-buffering", b"no")]
RECENT = 400  # how many entries are read back when a table is first looked at
RING_BYTES_MAX = 1_000_000  # how many bytes of entries are in memory for the streams of one table

# The entries after which a table looks different.
MOVES = frozenset(
    ("acted", "floor_acted", "rolled", "roll_voided", "corrected", "bets_closed", "table_closed", "table_stopped")
)


@record
class ResultView:
    line: str
    net: int


@record
class Heard:
    """What a stream of events says: an entry, the table after it where it changed, and what the dealers say of it."""

    entry: EntryView
    state: StateView | None = None
    call: str | None = None  # what the stick calls, where dice were thrown
    you: ResultView | None = None  # what a roll did to whoever listens, if they sit there
    said: list[str]


RESULT, STATE = TypeAdapter(ResultView), TypeAdapter(StateView)

ABOUT = ("seat", "thrower", "shooter")  # the fields of events that name a seat


@dataclass(frozen=True, eq=False)
class Message:
    """One entry on its way to streams; whatever several readers are sent is worked out once, when the first is."""

    entry: Entry
    layout: Layout
    live_before: Live
    events: tuple[Event, ...]
    live: Live  # the table after it
    places: Places  # the seats as they were last shown to those who are sent whole tables

    @property
    def sequence(self) -> int:
        return self.entry.sequence

    @property
    def kind(self) -> str:
        return self.entry.kind

    @property
    def before(self) -> TableState:
        return self.live_before.table

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
        return tuple(cast("FloorEvent", from_data(each)) for each in decided)

    @cached_property
    def seats(self) -> frozenset[int]:
        """Whom the events are about: the dealers speak to them as *you*."""
        return frozenset(getattr(event, name, 0) or 0 for event in (*self.events, *self.on_floor) for name in ABOUT)

    @cached_property
    def thrown(self) -> DiceThrown | None:
        """The dice, where it is a roll, whoever says or draws them."""
        return next((event for event in self.events if isinstance(event, DiceThrown)), None)

    @cached_property
    def settled_seats(self) -> frozenset[int]:
        """Whose bets it decided."""
        return frozenset(event.seat for event in self.events if isinstance(event, Settled))

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
            or (self.thrown is not None and seat in one.seats)
        )

    # --- As bytes -----------------------------------------------------------------------------------------------------

    @cached_property
    def _call(self) -> str:
        return "" if self.thrown is None else f',"call":{json.dumps(call(self.layout, self.thrown))}'

    @cached_property
    def _whole(self) -> str:
        """The beginning of its JSON object: the entry as it is stored, and the table after it."""
        if not self.is_public:
            return self._hidden
        moved = self.kind in MOVES
        state = STATE.dump_json(state_view(self.layout, self.live, places=self.places)).decode() if moved else ""
        return f'{{"entry":{self.entry.line.decode()}' + (f',"state":{state}' if state else "") + self._call

    @property
    def _hidden(self) -> str:
        """The beginning of an entry of which only is told that there is one."""
        return f'{{"entry":{{"kind":"{self.kind}","sequence":{self.sequence}}}'

    @cached_property
    def _brief(self) -> str:
        """The same for a page: what happened, and what of the table is another now."""
        events = [  # without what goes without saying
            {name: value for name, value in each.items() if value not in (None, False, 0, "") and name != "v"}
            for each in (self.entry.body.get("events", ()) if self.is_public else ())
        ]
        text = f'{{"sequence":{self.sequence},"kind":"{self.kind}","events":{_json(events)}'
        if self.kind in MOVES:
            text += f',"state":{_json(state_patch(self.layout, self.live_before, self.live))}'
        return text + self._call

    @cached_property
    def _sentences(self) -> list[tuple[Event | FloorEvent, Collection[int], str]]:
        """Each event, whom it is about, and what is said of it to anybody else."""
        return [
            (event, _about(event), sentence(self.layout, self.before, event, None))
            for event in (*self.on_floor, *self.events)
            if not isinstance(event, QUIET)
        ]

    @cached_property
    def _booked(self) -> list[str]:
        return [words] if (words := by_the_crew(self.entry)) else []

    @cached_property
    def _words(self) -> list[str]:
        return self._booked + [words for _, _, words in self._sentences]

    def _words_to(self, seat: int) -> list[str]:
        """The same to somebody who sits there: only what is about them is said otherwise."""
        return self._booked + [
            sentence(self.layout, self.before, event, seat) if seat in about else words
            for event, about, words in self._sentences
        ]

    @cached_property
    def _to_others(self) -> bytes:
        return self._event(self._whole, self._words)

    @cached_property
    def _brief_to_others(self) -> bytes:
        return self._event(self._brief, self._words)

    def _event(self, shared: str, words: list[str]) -> bytes:
        return f'id: {self.sequence}\nevent: entry\ndata: {shared},"said":{json.dumps(words)}}}\n\n'.encode()

    def text(self, person: str, seat: int | None) -> bytes:
        """The entry as one person is told it; why somebody else was refused is nobody's business."""
        if self.kind == "refused":
            return self._event(self._whole if self.entry.actor == person else self._hidden, [])
        if seat is None or (seat not in self.seats and self.kind != "rolled"):
            return self._to_others
        return self._event(self._whole + self._you(seat), self._words_to(seat))

    def brief(self, seat: int | None, more: str = "") -> bytes:
        """The same in brief, with `more` of what is only theirs."""
        if self.kind == "refused":
            return self._event(f'{{"sequence":{self.sequence},"kind":"refused","events":[]', [])
        about = seat is not None and (seat in self.seats or self.kind == "rolled")
        if not about and not more:
            return self._brief_to_others
        if not about or seat is None:
            return self._event(self._brief + more, self._words)
        return self._event(self._brief + self._you(seat) + more, self._words_to(seat))

    def _you(self, seat: int) -> str:
        """What a roll did to whoever sits there, to go on with the JSON object."""
        result = result_view(self, seat)
        return f',"you":{RESULT.dump_json(result).decode()}' if result else ""

    @cached_property
    def settlement(self) -> Settlement | None:
        """What a roll did to everybody."""
        return next(settlements(self.before, self.events, 0), None)


def _about(event: Event | FloorEvent) -> Collection[int]:
    """Whom an event may speak to as *you*."""
    every = range(SEATS_MAX + 1)
    return every if isinstance(event, FloorEvent) else [getattr(event, name, 0) or 0 for name in ABOUT]


def _json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))


def result_view(message: Message, seat: int) -> ResultView | None:
    """What the roll of an entry did to whoever sits there: a line, and what they won or lost."""
    settled = message.settlement
    if settled is None or seat not in message.before.seats:
        return None
    mine = tuple(event for event in message.events if isinstance(event, Settled) and event.seat == seat)
    net = settled.everybody[seat]
    return ResultView(line=result_of(message.layout, seat, settled._replace(mine=mine, brought=net)), net=net)


class Broadcast:
    """The last entries of one table, and a bell that rings when there are more."""

    def __init__(self, journal: Journal, table: str, entries_max: int) -> None:
        """Begin a little before the end, for what is told of the last hands."""
        end = journal.head(table)
        self._history = History(journal, table, max(0, end.sequence - RECENT) if end else 0)
        self.house = house_of(self._history.house_file)
        self.layout = self.house.layout
        self.sequence = self._history.sequence  # the last entry that is known here
        self._ring: deque[Message] = deque(maxlen=entries_max)
        self._ring_bytes = 0
        self._memo: dict[str, tuple[int, str]] = {}
        self._places: Places = {}
        self._reading, self._lock = Lock(), Lock()
        self.streams: set[EventStream] = set()  # of whoever listens
        self._written: deque[Moment] = deque()  # what was written in this process, and is not told yet
        self.pull()

    @property
    def analysis_forbidden(self) -> bool:
        """Whether the book forbids this table to analyse its outcomes for players."""
        return analysis_forbidden(self.layout, money=self._history.live.money) is not None

    def hear(self, moment: Moment) -> None:
        """This process has written an entry: neither it nor the table after it need be read."""
        self._written.append(moment)

    def pull(self) -> bool:
        """Learn what has been written since; whether there was any. In a thread: the journal may be slow."""
        with self._reading:
            fresh = [self.message_of(moment) for moment in self._moments()]
            with self._lock:  # the event loop waits for this one, so nothing is read under it
                for message in fresh:
                    self._keep(message)
                self.sequence = self._history.sequence
            return bool(fresh)

    def message_of(self, moment: Moment) -> Message:
        return Message(moment.entry, self.layout, moment.before, moment.events, moment.after, self._places)

    def _keep(self, message: Message) -> None:
        """Add to the ring, which is bounded by bytes as well as by number: long entries are rolls of full tables."""
        if len(self._ring) == self._ring.maxlen:
            self._ring_bytes -= len(self._ring.popleft().entry.line)
        self._ring.append(message)
        self._ring_bytes += len(message.entry.line)
        while self._ring_bytes > RING_BYTES_MAX and len(self._ring) > 1:
            self._ring_bytes -= len(self._ring.popleft().entry.line)

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

    def memo(self, what: str, at: int, work: Callable[[], str]) -> str:
        """Something that is the same for every reader after one entry, until there is another of its kind."""
        made = self._memo.get(what)
        if made is None or made[0] != at:
            made = self._memo[what] = (at, work())
        return made[1]

    def ring(self) -> None:
        """Wake everybody who waits; in the event loop."""
        for stream in self.streams:
            stream.wake()

    def recent(self, most: int | None = None) -> list[Message]:
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


class _Begun:
    """Something that was begun, and has to wait: whoever awaits it goes on with it."""

    def __init__(self, first: object, steps: Generator[Any, Any, Any]) -> None:
        self._first, self._steps = first, steps

    def __await__(self) -> Generator[Any, Any, None]:
        yield self._first
        yield from self._steps


class EventStream(Response):
    """Server-Sent Events of one table to one reader.

    Every entry goes through here once for each reader, so nothing is worked out here that is the same for the next one;
    `look_after` sees to whoever does not read, and to pings.
    """

    media_type = "text/event-stream"

    def __init__(  # noqa: PLR0913, PLR0917 - who reads what, from where on
        self, service: Service, broadcast: Broadcast, asker: Asker, table: str, after: int, page: PageView | None = None
    ) -> None:
        """Begin after an entry; for a page, in brief."""
        super().__init__()
        self._page = page
        self._seat: int | None = None
        self._service, self._broadcast, self._asker = service, broadcast, asker
        self._table, self._at = table, after
        self._far: History | None = None
        self._bell = asyncio.Event()
        self._task: asyncio.Task[Any] | None = None
        self._send: Send | None = None  # how to send, while nothing is being sent
        self._begun: _Begun | asyncio.Future[None] | None = None  # what was begun to be sent outside of the task
        self._sent, self._sending, self._stuck, self._revoked = time.monotonic(), False, False, False
        self._watched = (-1, 0.0)  # up to which entry about people, and when, the reader was known to be allowed
        self._connection: HTTPConnection | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI
        """Leave it to the middleware: here every entry would pass all the layers of the framework on its way."""
        self._connection = HTTPConnection(scope)
        scope["state"]["stream"] = self

    async def run(self, receive: Receive, send: Send) -> None:
        """Send for as long as somebody reads and may; the head of the answer was sent."""
        gone = asyncio.create_task(_gone(receive))
        gone.add_done_callback(lambda _: self._bell.set())
        self._broadcast.streams.add(self)
        self._task = asyncio.create_task(self._feed(send, gone))  # a task is woken faster than all who wait for it
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
            gone.cancel()

    async def _feed(self, send: Send, gone: asyncio.Task[None]) -> None:
        chunk = f"retry: 1000\n: {self._table} after {self._at}\n\n".encode()
        while chunk:
            self._sent, self._sending = time.monotonic(), True
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
            self._sending = False
            chunk = b"" if self._revoked else await self._next(send, gone)
        if not gone.done():
            self._sent, self._sending = time.monotonic(), True
            await send({"type": "http.response.body", "body": b""})

    @property
    def person(self) -> str:
        return self._asker.id

    def look(self, now: float, stuck_s: float) -> None:
        """Let go of whoever does not read; say something to whoever has heard nothing for long."""
        if self._sending and now - self._sent > stuck_s and self._task is not None:
            self._stuck = True
            self._task.cancel()
        elif not self._sending and now - self._sent > BEAT_S:
            self._bell.set()

    async def _next(self, send: Send, gone: asyncio.Task[None]) -> bytes:
        """What is sent next, when there is something; nothing where nobody reads any more, or nobody is served."""
        while not gone.done() and not self._service.stopping.is_set():
            self._bell.clear()
            if not self._may():
                self._revoked = True
                return b"event: revoked\ndata: {}\n\n"
            fresh = self._broadcast.since(self._at)
            if fresh is None:
                fresh = await self._service.run(self._from_journal)
            if fresh:
                return await self._service.soon(self._table, self._texts, fresh)
            self._far = None
            if time.monotonic() - self._sent > BEAT_S:
                return b"event: beat\ndata: {}\n\n"
            self._send = send
            await self._bell.wait()
            self._send = None
            if self._begun is not None:
                await self._begun
                self._begun, self._sending = None, False
        return b""

    def wake(self) -> None:
        """There may be more: send it at once where nothing has to be waited for, else have the stream's task do it."""
        if self._send is None or not (chunk := self._at_hand()):
            self._bell.set()
            return
        self._sent, self._sending = time.monotonic(), True
        steps = self._send({"type": "http.response.body", "body": chunk, "more_body": True}).__await__()
        try:
            self._begun = _Begun(next(steps), steps)
        except StopIteration:
            self._sending = False
        except Exception as error:  # noqa: BLE001 - it is raised again in the task
            self._begun = asyncio.get_running_loop().create_future()
            self._begun.set_exception(error)
        if self._begun is not None:
            self._send = None
            self._bell.set()

    def _at_hand(self) -> bytes:
        """What is new, where it can be told without waiting for anything."""
        if self._service.stopping.is_set() or not self._service.pit.is_open(self._table) or not self._may():
            return b""
        fresh = self._broadcast.since(self._at)
        return self._texts(fresh) if fresh else b""

    def _may(self) -> bool:
        """Whether the reader still may: looked at again when something was written about people, and every second."""
        network = self._service.network
        if network is not None and self._connection and not network.is_open(self._connection, self._table):
            return False
        known, now = self._service.pit.people.head.sequence, time.monotonic()
        if self._watched[0] != known or now - self._watched[1] > LOOK_S:
            token, pit = self._asker.token, self._service.pit
            counts = token is not None and pit.people.counts(token, pit.now())
            if not counts or not self._service.sees(self._asker.id, self._table):
                return False
            self._watched = (known, now)
        return True

    def _texts(self, fresh: Sequence[Message]) -> bytes:
        self._at, person = fresh[-1].sequence, self._asker.id
        if self._page is None:
            seat = fresh[-1].live.seat_of(person)
            return b"".join([each.text(person, seat) for each in fresh])
        seat = self._service.seat_of(self._table, person)
        more, self._seat = self._page.extras(fresh, seat, self._seat), seat
        return b"".join([*(each.brief(seat) for each in fresh[:-1]), fresh[-1].brief(seat, more)])

    def _from_journal(self) -> list[Message]:
        """What the broadcast has forgotten, read again from the journal."""
        if self._far is None or self._far.sequence != self._at:
            self._far = History(self._service.pit.journal, self._table, self._at)
        upto = self._at + AT_ONCE
        return [self._broadcast.message_of(moment) for moment in self._far.more(upto)]


async def look_after(service: Service) -> None:
    """Look at every stream each second, until the service stops: cheaper than a clock of its own for each entry."""
    while not service.stopping.is_set():
        await asyncio.sleep(LOOK_S)
        for stream in service.open_streams():
            stream.look(time.monotonic(), service.limits.stream_stuck_s)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
