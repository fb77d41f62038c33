"""What was played: a record or a table's past step by step, its chain as proof, and somebody's evening."""

from collections.abc import Iterable
from functools import lru_cache
from threading import Lock
from typing import Annotated, Any, cast

from fastapi import Query
from pydantic import Field
from starlette.responses import Response

from passline.codec import from_data
from passline.engine.events import DiceThrown, Event, OutcomeStruckOut, SevenOut, ShooterLost
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import Notice
from passline.errors import NoRecordError, RecordError
from passline.files.reading import unmarked
from passline.floor.acts import FloorEvent
from passline.house import House
from passline.journal.contract import Entry, Journal, read_entry
from passline.journal.records import built_in_id, commands_of, record_of
from passline.live.state import Live, Moment
from passline.pit.history import History
from passline.record.acts import write_act
from passline.record.line import Words
from passline.record.record import read_text
from passline.rulebooks.read import built_in
from passline.sitting.reckoning import Account, Evening, Reckoner
from passline.table import Table
from passline.telling.card import sign
from passline.telling.figures import counted, signed
from passline.telling.sentences import no, throwers
from passline.telling.stick import call
from passline.web.auth import Actor, At, Calling, Router
from passline.web.problems import Problem, no_table, too_many
from passline.web.schemas import RequestBody, SignedHeadView, example, record, view
from passline.web.streams import MOVES
from passline.web.views import StateView, dealt, house_of, state_view

router = Router(tags=["replays"])

ACTS_MAX = 4_000  # an evening of two hundred rolls with company has half as many
STEPS_MAX = 100  # Steps that are told at once
LINKS_MAX = 500  # entries of a chain that are told at once
LINKS_AT_ONCE = 100  # whoever sits down at a table of so many waits for no other process
EVENINGS_MAX = 500  # how many evenings stay in memory
HANDS_MAX = 50  # the last so many hands are listed
HANDS_WITHIN = 5_000  # entries in which so many hands are looked for first
SEES_ALL = ("supervisor", "inspector")  # as what somebody sees also what others were refused


class Played(RequestBody):
    """A record, and from which of its acts on it is told."""

    record: Annotated[str, Field(max_length=60_000, examples=["passline 1\nhouse adelaide\nsit 1 Ann 100\n"])]
    first: Annotated[int, Field(ge=1, le=ACTS_MAX)] = 1


@record
class Step:
    at: int  # the act of a record, or the sequence of an entry
    kind: str
    line: str | None  # the act as a record says it
    time: str | None
    actor: str | None
    dice: list[int] | None
    call: str | None  # what the stick calls over the dice
    sentences: list[str]
    state: StateView


@record
class Steps:
    house: str
    house_name: str
    grain: int
    chips: list[int]
    sign: str
    first: int  # where the whole begins, and with `last` where it ends
    last: int
    steps: list[Step]


@record
class Hand:
    """One shooter's hand, or what there is of it yet."""

    first: int
    last: int  # the entries it begins and ends with
    began: str
    shooter: str | None
    rolls: int
    over: bool


@record
class HandRecord:
    """A table up to the end of a hand, to be carried in a link: whoever has that plays it again without this table."""

    record: str | None  # nothing where no record can say what happened, or the house is not one of ours
    before: int  # how many of its acts came before the hand


@record
class Link:
    """One entry of a chain; the line of what somebody else was refused is not told, but its place in the chain is."""

    sequence: int
    hash: str
    previous: str
    line: str | None


@record
class Chain:
    table: str
    last: int
    links: list[Link]
    heads: list[SignedHeadView]


# --- Records --------------------------------------------------------------------------------------------------------


@router.post("/replays")
def play_again(
    call: Calling,
    body: Annotated[Played, example("a come-out", record="passline 1\nhouse sydney\nsit 1 Ann 100\n")],
) -> Steps:
    """Play a record again, step by step; nothing of it is kept."""
    if wait := call.service.replays.take(call.actor.rate_key, max(len(body.record) / 10_000, 1)):
        raise too_many("records", wait)
    return _steps_of_record(body.record, body.first)


def _steps_of_record(text: str, first: int) -> Steps:
    table = _played(text)
    moments = table.history[first - 1 : first - 1 + STEPS_MAX]
    after = [moment.before for moment in table.history[first : first + len(moments)]]
    states = [*after, table.state][: len(moments)]
    layout, steps = table.house.layout, []
    for at, (moment, state) in enumerate(zip(moments, states, strict=True), first):
        kind, words = "rolled" if _thrown(moment.events) else "acted", dealt(layout, moment.before, moment.events, None)
        if isinstance(moment.answer, Refusal):
            kind, words = "refused", [no(moment.before, moment.answer)]
        line, dice = write_act(moment.command, table.house.book, table.notice), _dice(layout, moment.events)
        shown = state_view(layout, Live(state, "", "given"))
        steps.append(Step(at=at, kind=kind, line=line, time=None, actor=None, **dice, sentences=words, state=shown))
    return _steps(table.house, list(table.chips), table.notice, len(table.history), steps)


def _steps(house: House, chips: list[int], notice: Notice, last: int, steps: list[Step]) -> Steps:
    """Some steps of a game that has `last` of them, under the sign of its table."""
    counts, posted = {"grain": house.layout.minor_per_unit, "first": 1, "last": last}, sign(house.layout, notice)
    return Steps(house=house.id, house_name=house.name, sign=posted, chips=chips, steps=steps, **counts)


@lru_cache(maxsize=16)
def _played(text: str) -> Table:
    """The table of a record, played to its end; of somebody from afar, so that it names no file of ours."""
    try:
        lines = [Words.of(number, line) for number, line in enumerate(unmarked(text).split("\n"), 1)]
        house = next(iter([words for words in lines if words.more][1:]), None)
        if house is not None and house.take("house") and house.peek not in built_in():
            detail = f"The houses here are {', '.join(built_in())}; the record names another."
            raise Problem(422, "house.unknown", detail)
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


@router.get("/tables/{table}/steps")
async def read_history(at: At, after: After = 0) -> Steps:
    """What happened at a table, step by step: what was said, the dice, and the table after it."""
    seat = await at.run(at.seat)
    return await at.read_history(_steps_of_table, at.table, at.actor, seat, after)


def _steps_of_table(journal: Journal, table: str, actor: Actor, seat: int | None, after: int) -> Steps:
    head = journal.head(table)
    last = head.sequence if head else 0
    history = History(journal, table, min(after, last))
    house = house_of(history.house_file)
    steps: list[Step] = []
    for moment in history.more():
        if (moment.entry.kind in MOVES or moment.entry.kind == "refused") and _sees(moment.entry, actor):
            steps.append(_step(house.layout, moment, seat))
        if len(steps) == STEPS_MAX:
            break
    return _steps(house, history.opening.body["chips"], history.live.table.notice, last, steps)


def _step(layout: Layout, moment: Moment, seat: int | None) -> Step:
    entry = moment.entry
    on_floor = tuple(cast("FloorEvent", from_data(each)) for each in entry.body.get("floor", ()))
    words = dealt(layout, moment.before.table, moment.events, seat, on_floor)
    if entry.kind == "refused":
        words = [entry.body["refusal"]["message"]]
    more = {"sentences": words, "state": state_view(layout, moment.after)}
    return view(Step, entry, at=entry.sequence, line=None, **_dice(layout, moment.events), **more)


def _sees(entry: Entry, actor: Actor) -> bool:
    """Whether somebody is told of an entry: why another was refused is nobody's business but the inspectors'."""
    return entry.kind != "refused" or entry.actor == actor.id or actor.role in SEES_ALL


@router.get("/tables/{table}/record", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def record_of_table(at: At) -> Response:
    """The table as a record that `passline replay` plays again."""
    return Response(await at.read_history(_record, at.table, at.actor), media_type="text/plain; charset=utf-8")


def _record(journal: Journal, table: str, actor: Actor) -> str:
    return record_of(journal, table, f"{table}.toml", tells=lambda entry: _sees(entry, actor))


@router.get("/tables/{table}/hands")
async def list_hands(at: At) -> list[Hand]:
    """The last hands at a table, the newest first: from which entry to which."""
    return await at.read_history(_hands, at.table)


def _hands(journal: Journal, table: str) -> list[Hand]:
    """Those of the last entries where they are enough, else of all; the first since an entry may have begun before."""
    head = journal.head(table)
    since = max(0, head.sequence - HANDS_WITHIN) if head else 0
    hands = _hands_since(journal, table, since)
    return (hands if not since or len(hands) > HANDS_MAX else _hands_since(journal, table, 0))[:HANDS_MAX]


def _hands_since(journal: Journal, table: str, since: int) -> list[Hand]:
    """The newest first."""
    history = History(journal, table, since)
    layout = house_of(history.house_file).layout
    hands: list[_Thrown] = []
    hand = _Thrown()
    for moment in history.more():
        if moment.entry.kind not in MOVES:
            continue
        if any(isinstance(event, OutcomeStruckOut) for event in moment.events):
            if hands and not hand.by:
                hands[-1].entries += hand.entries
                hand = hands.pop()
            del hand.by[-1:]
        thrown = _thrown(moment.events)
        if thrown is not None and hand.by and not moment.before.table.puck and thrown.thrower != hand.by[-1]:
            hands.append(hand)  # the dice went on to somebody else without a seven
            hand = hand.rest()
        hand.see(moment, thrown, layout)
        if any(isinstance(event, SevenOut | ShooterLost) for event in moment.events):
            hands.append(hand)
            hand = _Thrown()
    views = [each.view(over=True) for each in hands]
    if hand.by:
        views.append(hand.view(over=False))
    return views[::-1]


AnEntry = Annotated[int, Query(ge=1, le=2**53)]


@router.get("/tables/{table}/hand")
async def carry_hand(at: At, first: AnEntry = 1, last: AnEntry = 2**53) -> HandRecord:
    """What was played at a table up to the end of a hand, as a record for whom its players show it to."""
    return await at.read_history(_hand_record, at.table, first, last)


def _hand_record(journal: Journal, table: str, first: int, last: int) -> HandRecord:
    nothing = HandRecord(record=None, before=0)
    if built_in_id(History(journal, table).house_file) is None:
        return nothing
    earlier = map(read_entry, journal.lines(table, 0, first - 1))
    try:
        before = sum(1 for entry in earlier if entry.kind != "refused" for _ in commands_of(entry))
        return HandRecord(record=record_of(journal, table, upto=last, tells=lambda _entry: False), before=before)
    except NoRecordError:
        return nothing


class _Thrown:
    """A hand as it is read: its entries, and who threw."""

    def __init__(self) -> None:
        self.by: list[int | None] = []  # who threw each roll
        self.shooter = ""
        self.entries: list[tuple[int, str]] = []  # the number and time of each
        self.rolled = 0  # how many of them there are up to the last roll

    def see(self, moment: Moment, thrown: DiceThrown | None, layout: Layout) -> None:
        self.entries.append((moment.entry.sequence, moment.entry.time))
        if thrown is not None:
            self.by.append(thrown.thrower)
            self.shooter, self.rolled = throwers(layout, moment.before.table, self.by), len(self.entries)

    def rest(self) -> "_Thrown":
        """What came after the last roll, which is of the next hand."""
        after = _Thrown()
        after.entries, self.entries = self.entries[self.rolled :], self.entries[: self.rolled]
        return after

    def view(self, *, over: bool) -> Hand:
        (first, began), (last, _) = self.entries[0], self.entries[-1]
        return Hand(first=first, last=last, began=began, shooter=self.shooter, rolls=len(self.by), over=over)


@router.get("/tables/{table}/chain")
async def show_chain(at: At, after: After = 0) -> Chain:
    """The entries of a table as they are kept, each with its hash and that of the one before, to be checked."""
    broadcast = await at.broadcast()
    fresh = broadcast.written_since(after)  # nobody who checks a roll as it falls waits for those who look back
    if fresh is None and broadcast.sequence <= LINKS_AT_ONCE:
        return await at.run(_chain, at.pit.journal, at.table, at.actor, after)
    if fresh is None:
        return await at.read_history(_chain, at.table, at.actor, after)
    heads = [view(SignedHeadView, each.head) for each in fresh if each.head]
    links = [_link(each.entry, at.actor) for each in fresh]
    return Chain(table=at.table, last=max(after, broadcast.sequence), links=links, heads=heads)


def _link(entry: Entry, actor: Actor) -> Link:
    return view(Link, entry, line=entry.line.decode() if _sees(entry, actor) else None)


def _chain(journal: Journal, table: str, actor: Actor, after: int) -> Chain:
    head = journal.head(table)
    if head is None:
        raise no_table()
    entries = map(read_entry, journal.lines(table, after, after + LINKS_MAX))
    links = [_link(entry, actor) for entry in entries]
    span = range(after + 1, after + len(links) + 1)
    heads = [view(SignedHeadView, each) for each in journal.heads(table) if each.sequence in span]
    return Chain(table=table, last=head.sequence, links=links, heads=heads)


# --- The evening ----------------------------------------------------------------------------------------------------


@record
class EveningView:
    """An evening roll by roll, in minor units: what it came to, its mean, and the quantiles of what could have been."""

    bought: int
    rolls: int
    net: list[int]
    mean: list[float]
    quantiles: dict[str, list[int]]
    says: list[str]


EVENINGS: dict[tuple[int, str, int], tuple[History, Evening, Reckoner]] = {}  # each is read on from where it was
_LOCK = Lock()


def _evening_of(journal: Journal, table: str, seat: int) -> tuple[Evening, Account]:
    """Somebody's evening at a table, as far as it is, and all the bets of it that were decided."""
    with _LOCK:
        key = id(journal), table, seat
        if key not in EVENINGS:
            if len(EVENINGS) >= EVENINGS_MAX:
                del EVENINGS[next(iter(EVENINGS))]
            history = History(journal, table)
            house = house_of(history.house_file)
            EVENINGS[key] = history, Evening(house.layout, seat), Reckoner(house, seat)
        history, evening, reckoner = EVENINGS[key]
        for moment in history.more():
            evening.hear(moment.before.table, moment.events)
            reckoner.hear(moment.before.table, moment.events)
        return evening, reckoner.reckoning.total


@router.get("/tables/{table}/evening")
async def evening(at: At) -> EveningView:
    """Your evening here: what every roll brought, inside the exact fan of what the same chips could have brought."""
    seat, forbidden = await at.run(at.seat), (await at.broadcast()).analysis_forbidden
    assert seat is not None, "the guard has seen them sit"
    return await at.read_history(_evening, at.table, seat, forbidden)


def _evening(journal: Journal, table: str, seat: int, forbidden: bool) -> EveningView:  # noqa: FBT001 - as `read_history` hands it on
    evening, decided = _evening_of(journal, table, seat)
    fan, layout = evening.fan(), evening.layout
    says = ["No roll has met a chip of yours yet."]
    if fan.net:
        low, high = (signed(layout, fan.quantiles[each][-1]) for each in ("25", "75"))
        came, below = fan.net[-1], f"{fan.below:.0%}"
        ahead = f"{'Up' if came > 0 else 'Down'} {layout.money(abs(came))}" if came else "Even"
        half = f"On other dice the same bets, were there chips for all of them, end between {low} and {high}"
        says = [
            f"{ahead} after {counted(len(fan.net), 'roll')}, not counting bets still on the felt.",
            *_by_price(evening, decided, signed(layout, round(fan.mean[-1]))),
            f"{half} half of the time; {below} of such evenings end lower than yours.",
        ]
    if forbidden:  # where the book lets nobody analyse: what it came to, and no chances
        fan, says = fan._replace(mean=[], quantiles={}), says[:1]
    return view(EveningView, fan, bought=evening.bought, rolls=len(fan.net), says=says)


def _by_price(evening: Evening, decided: Account, afresh: str) -> list[str]:
    """What the decided bets should have brought by their prices, where known: another sum than the mean of the fan."""
    if not decided.bets or decided.expected is None:
        return []
    one = decided.bets == 1
    verb = ("loses" if one else "lose") if decided.expected < 0 else "wins" if one else "win"
    money = evening.layout.money(round(abs(decided.expected)))
    return [
        f"Your {counted(decided.bets, 'decided bet')} {verb} {money} on average, priced when they were made.",
        f"The chart prices each roll by itself, with the chips that lay there: {afresh} on average.",
    ]
