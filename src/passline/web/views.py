"""What a table looks like over the wire: records made from the live table, the layout and what the dealers say."""

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import cache, lru_cache
from threading import Thread
from typing import Any, Literal
from zlib import crc32

from pydantic import TypeAdapter

from passline.codec import to_data
from passline.engine import commands as c
from passline.engine import settle, shooting
from passline.engine.decide import decide
from passline.engine.events import Event
from passline.engine.layout import Layout
from passline.engine.limits import minimum
from passline.engine.refusals import Refusal
from passline.engine.table import Notice, Seat, TableState, Wager
from passline.errors import HouseFileError
from passline.files.toml import tree
from passline.floor.acts import FloorEvent
from passline.floor.conduct import analysis_forbidden
from passline.floor.gate import seen_from
from passline.floor.state import Floor
from passline.house import House
from passline.journal.contract import house_file, opening_of
from passline.journal.records import built_in_id
from passline.live.state import DiceMode, Live
from passline.pit.table import LiveTable
from passline.rulebooks.read import book_of, built_in
from passline.sitting import amounts, spots
from passline.sitting.log import QUIET
from passline.sitting.plan import plan
from passline.sitting.sitting import Settings, Sitting
from passline.table import Moment, Table
from passline.telling.card import sign
from passline.telling.figures import percent
from passline.telling.names import tally
from passline.telling.sentences import say, say_floor
from passline.web.problems import no_house
from passline.web.schemas import Refused, record, view


@lru_cache(maxsize=64)
def house_of(text: str) -> House:
    """A house by its file, as journals hold it."""
    known = built_in_id(text)
    if known is not None:
        return House(known)
    return House("house file", book=book_of(tree(text, "the house file", "a house file", HouseFileError), "house file"))


@cache  # one of each, so that what is worked out once stays known
def known_house(house: str) -> House:
    if house not in built_in():
        raise no_house()
    return House(house)


HOUSES: dict[str, House] = {}  # by the digest of its file


def house_here(table: LiveTable) -> House:
    """The house of a table in memory: its file is read once, and a table is looked at while the store is away."""
    if table.house not in HOUSES:
        HOUSES[table.house] = house_of(house_file(table.journal, opening_of(table.journal, table.name)))
    return HOUSES[table.house]


@lru_cache(maxsize=64)
def spots_on(layout: Layout) -> tuple[str, ...]:
    return tuple(plan(layout).keys)


HEADS_MAX = 1_024  # of tables without their seats, written as JSON, and of notices

# --- Tables ---------------------------------------------------------------------------------------------------------


@record
class WagerView:
    stake: int
    commission: int
    tokens: int
    call: Literal["on", "off"] | None
    works: bool
    has: list[int] | None


@record
class PlaceView:
    name: str
    rail: int
    tokens: int
    away: bool
    up: dict[str, WagerView]


@record
class StateView:
    """A table as everybody sees it; amounts are minor units."""

    puck: int
    phase: str
    shooter: int | None
    offered: int | None
    bets_closed: bool
    closing: bool
    over: Literal["stopped", "closed"] | None
    felt: str  # what can be bet depends on this, and on one's own chips: `GET /tables/{table}/felt` has the spots
    seats: dict[str, PlaceView]


@record
class SignView:
    """A sign that says what will hold, or that the table closes, from when; and since when it stands."""

    says: str
    at: str
    since: str
    notice: dict[str, Any] | None  # what will hold; null for a closing


@record
class TableView:
    table: str
    sequence: int
    house: str
    house_name: str
    dice: DiceMode
    grain: int
    chips: list[int]
    sign: str
    notice: dict[str, Any]
    buyin: int  # what somebody usually sits down with, in minor units; no more than is in their wallet
    wallet: int | None  # what is in the wallet from which whoever asks buys chips here; null: chips cost nothing
    # Up to how many minor units chips are bought here; null where they come out of a wallet, which has what it has.
    buyin_max: int | None
    position: str
    state: StateView
    seat: int | None  # where whoever asks sits
    roles: list[str]  # as what whoever asks may act here
    company: int  # how many regulars of the house play here
    countdown: int  # after how many seconds the bets are closed; 0: when somebody asks
    closes_at: str | None  # when the bets are closed, if nothing more happens
    now: str  # the time by the house's clock
    limits_sign: SignView | None
    closing_sign: SignView | None
    player_limits: dict[str, str]  # by seat: what the sign of a player's own limits says
    excluded: bool  # whether whoever asks may not play in this house: they leave, and their chips come to the wallet
    # The clause by which this table shows players no chances, edges, counts of past rolls or hints; null: it does.
    analysis_forbidden: str | None


def state_view(layout: Layout, live: Live, seats: Collection[int] | None = None) -> StateView:
    """The table as everybody sees it, or with these seats alone."""
    every = [each for each in live.table.seats if seats is None or each in seats]
    return StateView(**_head(layout, live), seats={str(each): _seat(layout, live.table, each) for each in every})


def _head(layout: Layout, live: Live) -> dict[str, Any]:
    """A table as everybody sees it, but for its seats."""
    table = live.table
    return {
        "puck": table.puck,
        "phase": table.phase,
        "shooter": table.shooter,
        "offered": shooting.offer(layout, table) if table.phase == "betting" else None,
        "bets_closed": live.announced is not None,
        "closing": table.closing,
        "over": live.over,
        "felt": felt_name(layout, live),
    }


@lru_cache(maxsize=HEADS_MAX)
def _head_json(head: tuple[tuple[str, Any], ...]) -> str:
    return STATE.dump_json(StateView(**dict(head), seats={})).decode().removesuffix("{}}")


def state_patch(layout: Layout, before: Live, after: Live) -> dict[str, Any]:
    """What of a table's view is another after an entry; of seats and of chips, null for those that are gone."""
    old, new = before.table, after.table
    every = {**old.seats, **new.seats}
    touched = {each for each in every if old.puck != new.puck or old.seats.get(each) is not new.seats.get(each)}
    return _changes(asdict(state_view(layout, before, touched)), asdict(state_view(layout, after, touched)))


def _changes(was: dict[str, Any], now: dict[str, Any], depth: int = 3) -> dict[str, Any]:
    """What is another now, by name: of the table, its seats and each seat; a wager is told whole."""
    changed: dict[str, Any] = dict.fromkeys(was.keys() - now.keys())
    for name, each in now.items():
        if (before := was.get(name, ...)) != each:
            inner = depth and isinstance(each, dict) and isinstance(before, dict)
            changed[name] = _changes(before, each, depth - 1) if inner else each
    return changed


def _seat(layout: Layout, table: TableState, number: int) -> PlaceView:
    seat = table.seats[number]
    up = {key: _wager(layout, table, key, wager) for key, wager in seat.felt.items()}
    return PlaceView(name=seat.name, rail=seat.rail, tokens=seat.tokens, away=seat.away, up=up)


# By number: a seat, the puck with which it was shown, and how it was written.
Places = dict[int, tuple[Seat, int, str]]
STATE, PLACE = TypeAdapter(StateView), TypeAdapter(PlaceView)


def state_json(layout: Layout, live: Live, places: Places) -> str:
    """`state_view` as JSON; `places` remembers the seats, of which most are as they were an entry before."""
    table, texts = live.table, list[str]()
    for number, seat in table.seats.items():
        before = places.get(number)
        if before is None or before[0] is not seat or before[1] != table.puck:
            text = f'"{number}":{PLACE.dump_json(_seat(layout, table, number)).decode()}'
            before = places[number] = seat, table.puck, text
        texts.append(before[2])
    return f"{_head_json(tuple(_head(layout, live).items()))}{{{','.join(texts)}}}}}"


def _wager(layout: Layout, table: TableState, key: str, wager: Wager) -> WagerView:
    spot = layout.spots[key]
    counted = tally(spot, wager.mark)
    works, has = settle.works(spot, wager, table.puck), counted and list(counted[0])
    chips = {"stake": wager.stake, "commission": wager.held, "tokens": wager.tokens}
    return WagerView(**chips, call=wager.call, works=works, has=has)


def limits_sign(layout: Layout, live: Live) -> SignView | None:
    """The sign of limits to come, with the time from which the book lets them hold."""
    limits, now = live.floor.limits_sign, live.table.notice
    if limits is None:
        return None
    at = limits.at
    if any(minimum(limits.notice, spot) > minimum(now, spot) for spot in layout.spots.values()):
        ahead = timedelta(minutes=layout.book.floor.min_raise_notice_minutes.value)
        at = max(at, (datetime.fromisoformat(limits.since) + ahead).isoformat(), key=datetime.fromisoformat)
    return view(SignView, limits, at=at, says=sign(layout, limits.notice), notice=to_data(limits.notice))


def player_limits(layout: Layout, floor: Floor, table: TableState) -> dict[str, str]:
    return {str(seat): sign(layout, seen_from(floor, table, seat).notice) for seat in floor.player_limits}


def closing_sign(floor: Floor) -> SignView | None:
    return floor.closing_sign and view(SignView, floor.closing_sign, says="The table closes.", notice=None)


def dealt(
    layout: Layout, before: TableState, events: Iterable[Event], to: int | None, on_floor: Iterable[FloorEvent] = ()
) -> list[str]:
    """What the floor and the dealers say of events, to whoever sits there."""
    return [sentence(layout, before, event, to) for event in (*on_floor, *events) if not isinstance(event, QUIET)]


def with_names(data: dict[str, Any], called: Callable[[str], str]) -> dict[str, Any]:
    """An event of the floor as it is told: by the names of those who did it, not by their ids."""
    return {name: called(value) if name in ("by", "second") else value for name, value in data.items()}


def sentence(layout: Layout, before: TableState, event: Event | FloorEvent, to: int | None) -> str:
    if isinstance(event, FloorEvent):
        return say_floor(layout, before, event, to)
    return say(layout, before, event, to)


# --- One seat's own -------------------------------------------------------------------------------------------------


DiceAct = Literal["command.shoot", "command.decline", "command.pass_dice"]  # what somebody may say about the dice


@record
class SpotView:
    name: str  # what a bet made there now is called
    put: bool  # whether a bet made there now would be put on its point; the dealers ask before they book it
    price: str
    edge: str  # Per bet made; empty until it has been worked out
    mark: str
    others: int
    bounds: str
    adds: int | None
    most: int | None
    refused: Refused | None


def sitting_at(
    house: House, state: TableState, seat: int, history: Iterable[tuple[Any, Any, Any]] = (), *, typed: bool = False
) -> Sitting:
    """One person at a live table, as the words and hints of a table want them."""
    table = Table(house, notice=state.notice)
    table.state = state
    table.history = [Moment(*each) for each in history]
    return Sitting(table, Settings(seat, 0, "live", practice=False, typed=typed))


WORKED_OUT = ""  # the key under which edges say that there will be no more of them


def dice_acts(sitting: Sitting) -> list[DiceAct]:
    """What may be said about the dice: taken where nobody else is left to take them, given away only to somebody."""
    layout, state, me = sitting.layout, sitting.state, sitting.me
    offered = shooting.offer(layout, state)
    acts: list[tuple[DiceAct, c.Command]] = []
    if state.shooter is None and (sitting.undecided or offered is None):
        acts.append(("command.shoot", c.Shoot(me)))
    if not sitting.alone and offered == me:
        acts.append(("command.decline", c.Decline(me)))
    if not sitting.alone and state.shooter == me:
        acts.append(("command.pass_dice", c.PassDice(me)))
    return [kind for kind, command in acts if not isinstance(decide(layout, state, command), Refusal)]


SLICE_S = 0.005
_SLICED: set[asyncio.Task[None]] = set()


@lru_cache(maxsize=256)
def edges_of(house: House, puck: int) -> dict[str, str]:
    """The edges of a felt, worked out beside the game: long bets take seconds, and nobody at a table waits for them."""
    edges: dict[str, str] = {}
    work = _work_out(house, puck, edges)
    if sys.platform == "emscripten":  # a browser's worker has no second thread: between what is asked, bet by bet
        _SLICED.add(task := asyncio.ensure_future(_in_slices(work)))
        task.add_done_callback(_SLICED.discard)
    else:
        Thread(target=deque, args=(work, 0), daemon=True).start()
    return edges


async def _in_slices(work: Iterator[None]) -> None:
    for _ in work:
        await asyncio.sleep(SLICE_S)


def _work_out(house: House, puck: int, into: dict[str, str]) -> Iterator[None]:
    for key in spots_on(house.layout):
        figures = spots.figures_of(house, key, puck)
        if figures is not None:
            into[key] = percent(figures.edge_per_bet_made, 1) if figures.mean_net else "0%"
        yield
    into[WORKED_OUT] = ""


def spot_view(sitting: Sitting, key: str, edge: str, shut: Refusal | None) -> SpotView:
    """A spot as one player sees it; `shut` is what the live table itself has against any bet."""
    seen = spots.look(sitting, key, {})
    state, layout, spot = sitting.state, sitting.layout, sitting.layout.spots[key]
    chip = state.notice.least
    refused = shut if shut is not None else amounts.is_open(layout, state, sitting.me, key)
    least = None if refused is not None else amounts.to_bet(layout, state, sitting.me, key, chip)
    most = amounts.full_odds(layout, state, sitting.me, key) if spot.is_odds and refused is None else None
    no = refused if refused is not None else least if isinstance(least, Refusal) else None
    put, up = no is None and spot.is_put(state.puck), sitting.seat is not None and key in sitting.seat.felt
    return view(
        SpotView,
        seen,
        name=name_now(sitting, key),
        put=put,
        edge="" if put and up else edge,  # that of a put is not the edge of what lies there
        bounds=spots.bounds(sitting, spot),
        adds=None if isinstance(least, Refusal) else least,
        most=None if isinstance(most, Refusal) else most,
        refused=None if no is None else view(Refused, no),
    )


@record
class FeltView:
    """Every spot of a table, as somebody with nothing up and chips enough finds it; the same for everybody there."""

    felt: str  # what it depends on: while a table's state names the same, nothing of this is another
    whole: bool  # whether every edge is worked out that can be; a first look may come before that
    spots: dict[str, SpotView]


PLENTY = 10**12  # Minor units of somebody who can afford anything


def felt_name(layout: Layout, live: Live) -> str:
    """What the spots of a table depend on, but for a player's own chips."""
    table = live.table
    shut = "closed" if live.announced is not None or live.over is not None else ""
    return f"{table.puck}.{table.phase}.{shut}.{_digest(layout, table.notice)}"


# By house and identity: a notice, which a table has from one act to the next, and its digest.
DIGESTS: dict[tuple[str, int], tuple[Notice, str]] = {}


def _digest(layout: Layout, notice: Notice) -> str:
    known = DIGESTS.get((layout.book.id, id(notice)))
    if known is None:
        if len(DIGESTS) >= HEADS_MAX:
            DIGESTS.clear()
        known = notice, f"{crc32(repr((layout.book.id, notice)).encode()):08x}"
        DIGESTS[layout.book.id, id(notice)] = known
    return known[1]


FELTS: dict[tuple[House, str, Any], FeltView] = {}
FELTS_MAX = 64


def felt_view(house: House, live: Live, shut: Refusal | None) -> FeltView:
    """The felt of a table, worked out once for everybody at the same position."""
    table = live.table
    name = felt_name(house.layout, live)
    forbidden = analysis_forbidden(house.layout, money=live.money)
    key = (house, name, (shut, forbidden))
    view = FELTS.get(key)
    edges = {WORKED_OUT: ""} if forbidden else edges_of(house, table.puck)
    whole = WORKED_OUT in edges
    if view is None or view.whole != whole:
        alone = Seat("", PLENTY, {})
        sitting = sitting_at(house, table._replace(seats={1: alone}, shooter=None), 1)
        spots_ = {each: spot_view(sitting, each, edges.get(each, ""), shut) for each in spots_on(house.layout)}
        view = FELTS[key] = FeltView(felt=name, whole=whole, spots=spots_)
        while len(FELTS) > FELTS_MAX:
            del FELTS[next(iter(FELTS))]
    return view


def own_spots(sitting: Sitting, shut: Refusal | None, *, analysed: bool, all_: bool) -> Iterator[tuple[str, SpotView]]:
    """The spots that are other for this player than for somebody with nothing up and chips enough, or all of them."""
    edges = edges_of(sitting.table.house, sitting.state.puck) if analysed else {}
    layout, short = sitting.layout, sitting.rail < 20 * sitting.state.notice.least
    own = {key for up in sitting.felt for key in (up, layout.spots[up].odds)}
    for key in spots_on(layout):
        if all_ or short or key in own:
            yield key, spot_view(sitting, key, edges.get(key, ""), shut)


def name_now(sitting: Sitting, key: str) -> str:
    """What a bet made now is called: `Put 6`, where it is one; what lies there has its own name."""
    spot, puck = sitting.layout.spots[key], sitting.state.puck
    up = sitting.seat is not None and key in sitting.seat.felt
    return f"Put {spot.number or puck}" if spot.is_put(puck) and not up else spot.name
