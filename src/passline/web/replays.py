"""What was played, step by step, so that it can be drawn again: a record, a table's past, and its chain as proof."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from fastapi import APIRouter, Body, Query, Request
from pydantic import Field
from starlette.responses import Response

from passline.codec import from_data
from passline.engine.events import DiceThrown, Event, OutcomeStruckOut, SevenOut, ShooterLost
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import Notice
from passline.errors import NoRecordError, RecordError
from passline.files.reading import unmarked
from passline.floor.events import FloorEvent
from passline.house import House
from passline.journal.contract import Journal
from passline.journal.entries import Entry, read_entry
from passline.journal.records import built_in_id, commands_of, record_of
from passline.pit.fairness import fairness
from passline.pit.history import History, Moment
from passline.pit.live import Live
from passline.record.acts import write_act
from passline.record.line import Words
from passline.record.record import read_text
from passline.rulebooks.read import built_in
from passline.table import Table
from passline.telling.card import sign
from passline.telling.sentences import no, throwers
from passline.telling.stick import call
from passline.web import models as m
from passline.web.exchange import said_json, service_of
from passline.web.problems import Problem, no_table, too_many
from passline.web.streams import MOVES
from passline.web.views import house_of, said, state_view
from passline.web.who import Asker, asker_of

if TYPE_CHECKING:
    from passline.web.service import Service

router = APIRouter(tags=["replays"])

ACTS_MAX = 4_000
"""An evening of two hundred rolls with company has half as many."""

STEPS_MAX = 100
"""Steps that are told at once."""

LINKS_MAX = 500
"""Entries of a chain that are told at once."""

HANDS_MAX = 50
"""The last so many hands are listed."""

SEES_ALL = ("supervisor", "inspector")
"""As what somebody sees also what others were refused."""


class Played(m.Asked):
    """A record, and from which of its acts on it is told."""

    record: Annotated[str, Field(max_length=60_000, examples=["passline 1\nhouse adelaide\nsit 1 Ann 100\n"])]
    first: Annotated[int, Field(ge=1, le=ACTS_MAX)] = 1


class Step(m.Told):
    """One act and the table after it."""

    at: int
    """The act of a record, or the sequence of an entry."""
    kind: str
    line: str | None
    """The act as a record says it."""
    time: str | None
    actor: str | None
    dice: list[int] | None
    call: str | None
    """What the stick calls over the dice."""
    said: list[str]
    state: m.StateView


class Steps(m.Told):
    """Some steps of a game."""

    house: str
    house_name: str
    grain: int
    chips: list[int]
    sign: str
    first: int
    """Where the whole begins, and with `last` where it ends."""
    last: int
    steps: list[Step]


class Hand(m.Told):
    """One shooter's hand, or what there is of it yet."""

    first: int
    last: int
    """The entries it begins and ends with."""
    began: str
    shooter: str | None
    rolls: int
    over: bool


class HandRecord(m.Told):
    """A table up to the end of a hand, to be carried in a link: whoever has that plays it again without this table."""

    record: str | None
    """Nothing where no record can say what happened, or the house is not one of ours."""
    before: int
    """How many of its acts came before the hand."""


class Link(m.Told):
    """One entry of a chain; the line of what somebody else was refused is not told, but its place in the chain is."""

    sequence: int
    hash: str
    previous: str
    line: str | None


class PlayerSeedView(m.Told):
    """What a player promised, and showed."""

    commitment: str
    seed: str | None


class EpochView(m.Told):
    """One epoch of the dice: what was promised before it, and shown after."""

    epoch: int
    commitment: str
    mix: str | None
    seed: str | None
    players: dict[str, PlayerSeedView]


class SpentView(m.Told):
    """One roll of an epoch, with its dice unless it was void."""

    epoch: int
    roll: int
    sequence: int
    dice: list[int] | None
    void: str | None


class FairnessView(m.Told):
    """What shows whether the dice were fair: docs/dice.md."""

    table: str
    dice: Literal["fair", "real", "given"]
    stream: str
    epochs: list[EpochView]
    rolls: list[SpentView]


class SignedHeadView(m.Told):
    """The house's word that an entry had this hash: docs/journal.md."""

    table: str
    sequence: int
    hash: str
    time: str
    key: str
    """The public key it is signed with, Ed25519, in hexadecimal."""
    signature: str


class Chain(m.Told):
    """Some entries of a table, as they are kept, and what the house signed of them."""

    table: str
    last: int
    links: list[Link]
    heads: list[SignedHeadView]


# --- Records --------------------------------------------------------------------------------------------------------


@router.post("/replays", responses={200: {"model": Steps}})
async def play_again(
    request: Request,
    asked: Annotated[
        Played,
        Body(openapi_examples={"a come-out": {"value": {"record": "passline 1\nhouse sydney\nsit 1 Ann 100\n"}}}),
    ],
) -> Response:
    """Play a record again, step by step; nothing of it is kept."""
    service, asker = service_of(request), asker_of(request)
    if wait := service.replays.take(asker.counted, max(len(asked.record) / 10_000, 1)):
        raise too_many("records", wait)
    return said_json(await service.run(_steps_of_record, asked.record, asked.first))


def _steps_of_record(text: str, first: int) -> dict[str, Any]:
    table = _played(text)
    told = table.history[first - 1 : first - 1 + STEPS_MAX]
    after = [moment.before for moment in table.history[first : first + len(told)]]
    states = [*after, table.state][: len(told)]
    layout, steps = table.house.layout, []
    for at, (moment, state) in enumerate(zip(told, states, strict=True), first):
        line = write_act(moment.command, table.house.book, table.notice)
        words = (
            [no(moment.before, moment.answer)]
            if isinstance(moment.answer, Refusal)
            else said(layout, moment.before, moment.answer, None)
        )
        kind = "refused" if isinstance(moment.answer, Refusal) else "rolled" if _thrown(moment.events) else "acted"
        step = {"at": at, "kind": kind, "line": line, "time": None, "actor": None, "said": words}
        steps.append({**step, **_dice(layout, moment.events), "state": state_view(layout, Live(state, "", "given"))})
    return _told(table.house, list(table.chips), table.notice, len(table.history), steps)


def _told(house: House, chips: list[int], notice: Notice, last: int, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """Some steps of a game that has `last` of them, under the sign of its table."""
    return {
        "house": house.id,
        "house_name": house.name,
        "grain": house.layout.grain,
        "chips": chips,
        "sign": sign(house.layout, notice),
        "first": 1,
        "last": last,
        "steps": steps,
    }


@lru_cache(maxsize=16)
def _played(text: str) -> Table:
    """The table of a record, played to its end; of somebody from afar, so that it names no file of ours."""
    try:
        lines = [Words.of(number, line) for number, line in enumerate(unmarked(text).split("\n"), 1)]
        house = next(iter([words for words in lines if words.more][1:]), None)
        if house is not None and house.take("house") and house.peek not in built_in():
            said = f"The houses here are {', '.join(built_in())}; the record names another."
            raise Problem(422, "house.unknown", said)
        record = read_text(text)
    except RecordError as error:
        raise Problem(422, "record.unreadable", str(error), line=error.line, column=error.column) from None
    if len(record.acts) > ACTS_MAX:
        raise Problem(422, "record.too_long", f"{len(record.acts)} acts; {ACTS_MAX} are played here at most.")
    table = Table.opened(record)
    for act in record.acts:
        table.do(act.command)
    return table


def _thrown(events: Iterable[Event]) -> DiceThrown | None:
    return next((event for event in events if isinstance(event, DiceThrown)), None)


def _dice(layout: Layout, events: Iterable[Event]) -> dict[str, Any]:
    thrown = _thrown(events)
    if thrown is None:
        return {"dice": None, "call": None}
    return {"dice": [thrown.first, thrown.second], "call": call(layout, thrown)}


# --- A table's past ---------------------------------------------------------------------------------------------------

After = Annotated[int, Query(ge=0, le=2**53, description="Begin after this entry.")]


@router.get("/tables/{table}/steps", responses={200: {"model": Steps}})
async def look_back(request: Request, table: str, after: After = 0) -> Response:
    """What happened at a table, step by step: what was said, the dice, and the table after it."""
    service, asker = service_of(request), asker_of(request)
    return said_json(await service.run(_steps_of_table, service, table, asker, after))


def _steps_of_table(service: Service, table: str, asker: Asker, after: int) -> dict[str, Any]:
    live = service.pit.seen(table)
    last = live.head.sequence
    history = History(live.journal, table, min(after, last))
    house, seat = house_of(history.opening.body["house"]), service.pit.seat_of(live, asker.id)
    steps: list[dict[str, Any]] = []
    for moment in history.more():
        if (moment.entry.kind in MOVES or moment.entry.kind == "refused") and _sees(moment.entry, asker):
            steps.append(_step(house.layout, moment, seat))
        if len(steps) == STEPS_MAX:
            break
    return _told(house, history.opening.body["chips"], history.live.table.notice, last, steps)


def _step(layout: Layout, moment: Moment, seat: int | None) -> dict[str, Any]:
    entry = moment.entry
    on_floor = tuple(cast("FloorEvent", from_data(each)) for each in entry.body.get("floor", ()))
    words = said(layout, moment.before.table, moment.events, seat, on_floor)
    if entry.kind == "refused":
        words = [entry.body["refusal"]["message"]]
    step = {"at": entry.sequence, "kind": entry.kind, "line": None, "time": entry.time, "actor": entry.actor}
    return {**step, "said": words, **_dice(layout, moment.events), "state": state_view(layout, moment.after)}


def _sees(entry: Entry, asker: Asker) -> bool:
    """Whether somebody is told of an entry: why another was refused is nobody's business but the inspectors'."""
    return entry.kind != "refused" or entry.actor == asker.id or asker.role in SEES_ALL


@router.get("/tables/{table}/record", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def record(request: Request, table: str) -> Response:
    """The table as a record that `passline replay` plays again."""
    service, asker = service_of(request), asker_of(request)
    text = await service.run(
        lambda: record_of(service.pit.journal, table, f"{table}.toml", tells=lambda entry: _sees(entry, asker))
    )
    return Response(text, media_type="text/plain; charset=utf-8")


@router.get("/tables/{table}/hands", responses={200: {"model": list[Hand]}})
async def list_hands(request: Request, table: str) -> Response:
    """The last hands at a table, the newest first: from which entry to which."""
    service = service_of(request)
    return said_json(await service.run(_hands, service.pit.journal, table))


def _hands(journal: Journal, table: str) -> list[dict[str, Any]]:
    history = History(journal, table)
    layout = house_of(history.opening.body["house"]).layout
    found: deque[_Thrown] = deque(maxlen=HANDS_MAX + 1)
    hand = _Thrown()
    for moment in history.more():
        if moment.entry.kind not in MOVES:
            continue
        if any(isinstance(event, OutcomeStruckOut) for event in moment.events):
            if found and not hand.by:
                found[-1].entries += hand.entries
                hand = found.pop()
            del hand.by[-1:]
        thrown = _thrown(moment.events)
        if thrown is not None and hand.by and not moment.before.table.puck and thrown.thrower != hand.by[-1]:
            found.append(hand)  # the dice went on to somebody else without a seven
            hand = hand.rest()
        hand.see(moment, thrown, layout)
        if any(isinstance(event, SevenOut | ShooterLost) for event in moment.events):
            found.append(hand)
            hand = _Thrown()
    told = [each.view(over=True) for each in found]
    if hand.by:
        told.append(hand.view(over=False))
    return told[: -HANDS_MAX - 1 : -1]


AnEntry = Annotated[int, Query(ge=1, le=2**53)]


@router.get("/tables/{table}/hand", responses={200: {"model": HandRecord}})
async def carry_hand(request: Request, table: str, first: AnEntry = 1, last: AnEntry = 2**53) -> Response:
    """What was played at a table up to the end of a hand, as a record for whom its players show it to."""
    service = service_of(request)
    return said_json(await service.run(_hand_record, service.pit.journal, table, first, last))


def _hand_record(journal: Journal, table: str, first: int, last: int) -> dict[str, Any]:
    nothing: dict[str, Any] = {"record": None, "before": 0}
    if built_in_id(History(journal, table).opening.body["house"]) is None:
        return nothing
    earlier = map(read_entry, journal.lines(table, 0, first - 1))
    try:
        before = sum(1 for entry in earlier if entry.kind != "refused" for _ in commands_of(entry))
        played = record_of(journal, table, upto=last, tells=lambda _entry: False)
    except NoRecordError:
        return nothing
    return {"record": played, "before": before}


class _Thrown:
    """A hand as it is read: its entries, and who threw."""

    def __init__(self) -> None:
        self.by: list[int | None] = []
        """Who threw each roll."""
        self.shooter = ""
        self.entries: list[tuple[int, str]] = []
        """The number and time of each."""
        self.rolled = 0
        """How many of them there are up to the last roll."""

    def see(self, moment: Moment, thrown: DiceThrown | None, layout: Layout) -> None:
        self.entries.append((moment.entry.sequence, moment.entry.time))
        if thrown is not None:
            self.by.append(thrown.thrower)
            self.shooter, self.rolled = throwers(layout, moment.before.table, self.by), len(self.entries)

    def rest(self) -> _Thrown:
        """What came after the last roll, which is of the next hand."""
        after = _Thrown()
        after.entries, self.entries = self.entries[self.rolled :], self.entries[: self.rolled]
        return after

    def view(self, *, over: bool) -> dict[str, Any]:
        (first, began), (last, _) = self.entries[0], self.entries[-1]
        told = {"first": first, "last": last, "began": began, "shooter": self.shooter}
        return {**told, "rolls": len(self.by), "over": over}


@router.get("/tables/{table}/fairness", responses={200: {"model": FairnessView}})
async def proof(request: Request, table: str) -> Response:
    """What shows whether the dice were fair: commitments, seeds that were shown, every roll."""
    service = service_of(request)
    return said_json(await service.run(fairness, service.pit.journal, table))


@router.get("/tables/{table}/chain", responses={200: {"model": Chain}})
async def show_chain(request: Request, table: str, after: After = 0) -> Response:
    """The entries of a table as they are kept, each with its hash and that of the one before, to be checked."""
    service, asker = service_of(request), asker_of(request)
    return said_json(await service.run(_chain, service.pit.journal, table, asker, after))


def _chain(journal: Journal, table: str, asker: Asker, after: int) -> dict[str, Any]:
    head = journal.head(table)
    if head is None:
        raise no_table()
    links = []
    for entry in map(read_entry, journal.lines(table, after, after + LINKS_MAX)):
        line = entry.line.decode() if _sees(entry, asker) else None
        links.append({"sequence": entry.sequence, "hash": entry.hash, "previous": entry.previous, "line": line})
    told = range(after + 1, after + len(links) + 1)
    heads = [each._asdict() for each in journal.heads(table) if each.sequence in told]
    return {"table": table, "last": head.sequence, "links": links, "heads": heads}
