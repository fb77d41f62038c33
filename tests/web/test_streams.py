"""What is told to whoever watches a table: from what was written here or by others; who does not read is let go."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from passline.engine import commands as c
from passline.engine.values import Roll
from passline.errors import ArgumentError, KeyTakenError
from passline.floor import disputes
from passline.journal.contract import now
from passline.journal.export import exported
from passline.journal.memory import MemoryJournal
from passline.live.requests import Ask
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.pit.table import LiveTable
from passline.verify.check import verify
from passline.web import service as services
from passline.web import streams
from passline.web.auth import Actor
from passline.web.limits import Limits
from passline.web.service import Service
from passline.web.streams import Broadcast, EventStream, supervise
from passline.web.views import STATE, dealt, state_view
from tests.pit.hands import Device, deal
from tests.pit.play import KEYS, NOW, by, new_table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

BET = c.Bet(1, "field", 1_500)


class Unread(MemoryJournal):
    """A journal whose entries nobody may read any more."""

    closed = False

    def lines(self, *given: Any, **more: Any) -> Any:  # noqa: ANN401 - as it is
        """Read, before it is closed."""
        assert not self.closed, "what was written here is not read again"
        return super().lines(*given, **more)


def test_what_is_written_here_is_told_without_reading_it_again() -> None:
    """The entry as it was written; nothing is told twice."""
    journal = Unread()
    table = new_table(journal)
    broadcast = Broadcast(journal, "t1", 1_024)
    table.listeners.append(broadcast.on_written)
    journal.closed = True
    line = table.do(BET, by())
    assert broadcast.pull()
    assert broadcast.sequence == table.head.sequence
    last = broadcast.recent()[-1]
    assert line in last.text("nobody", None)
    journal.closed = False
    assert not broadcast.pull()


def test_what_others_wrote_meanwhile_is_read_and_comes_first() -> None:
    """This process hears only what it wrote itself; between two of them lies what another one wrote."""
    journal = MemoryJournal()
    table = new_table(journal)
    broadcast = Broadcast(journal, "t1", 1_024)
    table.listeners.append(broadcast.on_written)
    known = broadcast.sequence
    table.do(BET, by())
    LiveTable.open(journal, "t1", time=NOW, keys=KEYS).do(BET, by())  # another process
    table.do(BET, by())
    assert broadcast.pull()
    told = [each.sequence for each in broadcast.recent() if each.sequence > known]
    assert told == [known + 1, known + 2, known + 3]


def test_a_player_is_told_who_of_the_crew_put_the_players_chips_up() -> None:
    """By name, as what and why; what a player does is told as ever."""
    journal = MemoryJournal()
    table = new_table(journal)
    broadcast = Broadcast(journal, "t1", 1_024)
    table.listeners.append(broadcast.on_written)
    table.do(BET, by())
    table.do(c.FindBet(1, "field", 1_500), by("bo", "once", role="box"), reason="it lay there")
    with pytest.raises(KeyTakenError):
        table.do(c.FindBet(1, "field", 1_500), by("bo", "once", role="box"), reason="it did not")
    with pytest.raises(ArgumentError):
        table.do(c.FindBet(1, "field", 1_500), by("bo", role="box"), reason=" ")
    assert broadcast.pull()
    own, booked = (each.text("ann", 1) for each in broadcast.recent()[-2:])
    words = b'"sentences":["bo (box) booked this for seat 1: it lay there."'
    assert words in booked
    assert words in broadcast.recent()[-1].text("nobody", None)
    assert b"booked" not in own
    lines = [line + b"\n" for line in exported(journal, journal.tables())]
    assert verify(lines).faults == []
    unsaid = [line.replace(b"it lay there", b"            ") for line in lines]
    assert "body.command.reason" in {fault.field for fault in verify(unsaid).faults}


def test_a_line_bet_that_readies_the_dice_is_everybodys_and_another_bet_is_not() -> None:
    """Whoever looks on sees at once that the dice can go out: their seat comes with somebody else's line bet."""
    journal = MemoryJournal()
    table = new_table(journal, dice="given", house="strip")
    broadcast = Broadcast(journal, "t1", 1_024)
    table.listeners.append(broadcast.on_written)
    table.do(c.Bet(2, "pass", 1_500), by("bob"))
    table.do(c.Bet(2, "field", 1_500), by("bob"))
    assert broadcast.pull()
    assert [each.touches(1) for each in broadcast.recent()[-2:]] == [True, False]


def test_everybody_hears_what_the_dealers_say_as_it_is_said_to_them() -> None:
    """What several are sent is worked out once: it is what each would be told alone, of every event of an evening."""
    journal = MemoryJournal()
    table = new_table(journal, dice="given", house="strip")
    broadcast = Broadcast(journal, "t1", 1_024)
    table.listeners.append(broadcast.on_written)
    table.do(c.Bet(1, "pass", 1_500), by("ann"))
    table.do(c.Bet(2, "dont_pass", 1_500), by("bob"))
    table.do(c.Shoot(1), by("ann"))
    for number in range(40):
        dice = Roll(number % 6 + 1, number // 6 % 6 + 1)
        table.do(c.Bet(1, "field", 1_500), by("ann"))
        table.do(c.Bet(2, "come", 1_500), by("bob"))
        table.do(c.Throw(dice), by("bo", role="box"))
    assert broadcast.pull()
    rolls = 0
    for message in broadcast.recent():
        for seat, person in ((1, "ann"), (2, "bob"), (None, "nobody")):
            if message.kind in ("acted", "rolled"):
                alone = dealt(message.layout, message.before, message.events, seat)
                assert data_of(message.text(person, seat))["sentences"] == alone
                assert data_of(message.brief(seat))["sentences"] == alone
                rolls += message.thrown is not None and any("You " in each for each in alone)
            whole = data_of(message.text(person, seat))
            if whole.get("state"):
                assert whole["state"] == STATE.dump_python(state_view(message.layout, message.live), mode="json")
    assert rolls


def test_a_player_is_told_what_was_decided_of_what_they_dispute() -> None:
    """In their result, which others are not sent, and what came of bets that no dice decided."""
    journal = MemoryJournal()
    table = new_table(journal)
    ann = Device(table, "ann")
    table.do(c.Bet(1, "pass", 1_500), by("ann"))
    table.do(disputes.RaiseDispute("Ann", "it was a five"), by("ann"))
    table.do(disputes.DecideDispute(1, "it was a six"), by("sue", role="supervisor"))
    broadcast = Broadcast(journal, "t1", 1_024, str.title)
    own, others = (data_of(broadcast.recent()[-1].brief(seat)) for seat in (1, 2))
    assert own["you"] == {"line": "Dispute 1 is decided by Sue: it was a six.", "net": 0}
    assert "you" not in others
    table.do(c.Shoot(1), by("ann"))
    while not table.live.table.puck:
        deal(table, ann)
        table.do(c.Bet(1, "pass", 1_500), by("ann"))
        table.do(c.Shoot(1), by("ann"))
    rail = table.live.table.seats[1].rail
    assert deal(table)["kind"] == "roll_voided"
    assert broadcast.pull()
    net = table.live.table.seats[1].rail - rail - 1_500
    told = data_of(broadcast.recent()[-1].brief(1))["you"]
    line = f"Your bets are settled at what they are worth: you lose {-net / 100:g}."
    assert told == {"line": line, "net": net}


def buys(number: int, table: LiveTable) -> bytes:
    """Ann sits down, or buys more chips."""
    wants = c.BuyIn(1, 1_000) if number else c.Sit(1, "Ann", 100_000)
    return table.do(wants, Ask("ann", "player", f"ann/{number}", now()))


def data_of(event: bytes) -> dict[str, Any]:
    """What an event of a stream says."""
    data: dict[str, Any] = json.loads(event.partition(b"\ndata: ")[2])
    return data


class Line:
    """A connection that is written to directly, where it takes more at once."""

    def __init__(self, take: Callable[[bytes], None], slow: int) -> None:
        self.transport, self._slow, self.asked = self, slow, 0
        self.write = take

    @property
    def is_writable(self) -> bool:
        self.asked += 1
        return not self._slow or self.asked % (self._slow + 1) != 0


@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize("slow", [0, 1, 2, 3])
def test_every_entry_is_sent_once_and_in_order_whoever_has_to_be_waited_for(slow: int, direct: bool) -> None:  # noqa: FBT001 - a case
    """A connection that takes everything at once, every other, or every third entry only after a while."""
    ids: list[int] = []
    written: list[int] = []

    def take(part: bytes) -> list[int]:
        some = [int(line[4:]) for line in part.splitlines() if line.startswith(b"id: ")]
        ids.extend(some)
        return some

    async def send(message: Any) -> None:  # noqa: ANN401 - ASGI
        if slow and len(ids) % slow == 0:
            await asyncio.sleep(0.02)  # longer than an act takes
        take(message.get("body", b""))

    async def meanwhile(service: Service) -> None:
        for number in range(20):
            await service.ask("t", partial(buys, number))
            await asyncio.sleep(0.002 * (number % 2))
        last = service.pit.table("t").head.sequence
        while not ids or ids[-1] < last:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)

    line = Line(lambda part: written.extend(take(part)), slow)
    watched(Limits(), send, meanwhile, line if direct else None)
    assert ids == list(range(1, ids[-1] + 1))
    assert written or not direct or slow


def test_a_connection_that_fails_ends_its_stream_and_no_other() -> None:
    """Whoever wrote what was being sent is answered all the same."""

    async def send(message: Any) -> None:  # noqa: ANN401 - ASGI
        if b"id: " in message.get("body", b"") and b"bought" in message["body"]:
            raise OSError("gone")

    async def meanwhile(service: Service) -> None:
        await service.ask("t", partial(buys, 0))
        assert b"bought" in await service.ask("t", partial(buys, 1))
        while service.open_streams():  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)

    with pytest.raises(OSError, match="gone"):
        watched(Limits(), send, meanwhile)


def watched(
    limits: Limits,
    send: Callable[[Any], Awaitable[None]],
    meanwhile: Callable[[Service], Awaitable[None]],
    line: Line | None = None,
) -> Service:
    """A stream of a practice table, with the one who looks after it."""

    async def go() -> Service:
        service = Service(Pit(MemoryJournal(), KEYS), limits)
        person, text = service.pit.people.guest("Ann", now())
        service.pit.open(person, Opening(), By(person.id, "player", now()), "t")
        token = service.pit.people.bearer(text, now())
        channel = await service.channel("t")
        stream = EventStream(service, channel.broadcast, Actor(person, token, "player", ""), "t", 0)
        stream._connection = line  # type: ignore[assignment]
        tasks = [
            asyncio.create_task(stream.run(asyncio.Event().wait, send)),  # type: ignore[arg-type]
            asyncio.create_task(supervise(service)),
        ]
        async with asyncio.timeout(120):
            await meanwhile(service)
        service.stop()
        await asyncio.wait(tasks, timeout=120)
        assert all(task.done() for task in tasks)
        if error := tasks[0].exception():
            raise error
        return service

    return asyncio.run(go())


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds are short."""
    monkeypatch.setattr(streams, "CHECK_EVERY_S", 0.01)
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.05)


@pytest.mark.usefixtures("hurried")
def test_who_does_not_read_is_let_go() -> None:
    """A connection that takes nothing for so long, and not one that is only silent."""
    services: list[Service] = []

    async def stuck(message: Any) -> None:  # noqa: ANN401 - ASGI
        if message.get("body"):
            await asyncio.sleep(600)

    async def meanwhile(service: Service) -> None:
        services.append(service)
        while not service.metrics.streams_stuck._value.get():  # noqa: ASYNC110 - a counter has no bell
            await asyncio.sleep(0.01)

    with pytest.raises(TimeoutError):
        watched(Limits(stream_stuck_s=0.05), stuck, meanwhile)
    assert services[0].metrics.streams_stuck._value.get() == 1
    assert services[0].open_streams() == []


@pytest.mark.usefixtures("hurried")
def test_who_hears_nothing_is_told_that_somebody_is_still_there() -> None:
    """Now and then, and no more often."""
    heard: list[bytes] = []

    async def send(message: Any) -> None:  # noqa: ANN401 - ASGI
        heard.append(message.get("body", b""))

    async def meanwhile(_service: Service) -> None:
        began.append(time.monotonic())
        while beats() < 3:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)

    def beats() -> int:
        return heard.count(b"event: beat\ndata: {}\n\n")

    began: list[float] = []
    watched(Limits(stream_stuck_s=60), send, meanwhile)
    assert beats() <= 1 + (time.monotonic() - began[0]) / streams.HEARTBEAT_S


def test_a_whole_look_for_rubbish_waits_for_a_quiet_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody asks after a minute, and else only after long."""
    clock, taken = [0.0], list[int]()
    monkeypatch.setattr("passline.web.service.time.monotonic", lambda: clock[0])
    monkeypatch.setattr(gc, "collect", lambda: taken.append(1))
    bin_ = services.Collector()
    clock[0] = services.COLLECT_QUIET_S - 1
    assert not bin_.run_if_due(quiet=True)
    clock[0] = services.COLLECT_QUIET_S + 1
    assert not bin_.run_if_due(quiet=False)
    assert bin_.run_if_due(quiet=True)
    clock[0] += services.COLLECT_BUSY_S + 1
    assert bin_.run_if_due(quiet=False)
    assert len(taken) == 2
