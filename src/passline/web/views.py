"""What a table looks like over the wire: records made from the live table, the layout and what the dealers say."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from threading import Thread
from typing import Any, Literal

from passline.engine import settle, shooting
from passline.engine.events import Event
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import Seat, TableState, Wager
from passline.errors import HouseFileError
from passline.files.toml import tree
from passline.floor.acts import FloorEvent
from passline.floor.state import Floor
from passline.house import House
from passline.journal.contract import Journal, house_file, opening_of
from passline.journal.records import built_in_id
from passline.live.state import DiceMode, Live
from passline.rulebooks.read import book_of
from passline.sitting import amounts, spots, units
from passline.sitting.log import QUIET
from passline.sitting.plan import plan
from passline.sitting.saving import Settings
from passline.sitting.sitting import Sitting
from passline.table import Moment, Table
from passline.telling.card import sign
from passline.telling.figures import percent
from passline.telling.floor import say_floor
from passline.telling.names import tally
from passline.telling.sentences import say
from passline.web.schemas import Refused, record


@lru_cache(maxsize=64)
def house_of(text: str) -> House:
    """A house by its file, as journals hold it."""
    known = built_in_id(text)
    if known is not None:
        return House(known)
    return House("house file", book_of(tree(text, "the house file", "a house file", HouseFileError), "house file"))


def house_at(journal: Journal, table: str) -> House:
    """The house that a table is played by."""
    return house_of(house_file(journal, opening_of(journal, table)))


# --- Tables ---------------------------------------------------------------------------------------------------------


@record
class WagerView:
    """Chips on one spot."""

    stake: int
    commission: int
    tokens: int
    call: Literal["on", "off"] | None
    works: bool
    has: list[int] | None


@record
class PlaceView:
    """One player's place."""

    name: str
    rail: int
    tokens: int
    away: bool
    up: dict[str, WagerView]


@record
class StateView:
    """A table as everybody sees it; amounts are grains."""

    puck: int
    phase: str
    shooter: int | None
    offered: int | None
    bets_closed: bool
    closing: bool
    over: Literal["stopped", "closed"] | None
    seats: dict[str, PlaceView]


@record
class LimitsSignView:
    """A sign with limits that will hold."""

    says: str
    at: str
    since: str


@record
class ClosingSignView:
    """A sign that says when the table closes."""

    at: str
    since: str


@record
class TableView:
    """A table whole."""

    table: str
    sequence: int
    house: str
    house_name: str
    dice: DiceMode
    grain: int
    chips: list[int]
    sign: str
    notice: dict[str, Any]
    buyin: int
    """What somebody usually sits down with, in grains."""
    buyin_max: int | None
    """Up to how many grains chips are bought here; null where they come out of a wallet, which has what it has."""
    position: str
    state: StateView
    seat: int | None
    """Where whoever asks sits."""
    roles: list[str]
    """As what whoever asks may act here."""
    company: int
    """How many regulars of the house play here."""
    countdown: int
    """After how many seconds the bets are closed; 0: when somebody asks."""
    closes_at: str | None
    """When the bets are closed, if nothing more happens."""
    now: str
    """The time by the house's clock."""
    limits_sign: LimitsSignView | None
    closing_sign: ClosingSignView | None


def state_view(layout: Layout, live: Live) -> StateView:
    """The table as everybody sees it."""
    table = live.table
    return StateView(
        puck=table.puck,
        phase=table.phase,
        shooter=table.shooter,
        offered=shooting.offer(layout, table) if table.phase == "betting" else None,
        bets_closed=live.announced is not None,
        closing=table.closing,
        over=live.over,
        seats={str(number): _seat(layout, table, seat) for number, seat in table.seats.items()},
    )


def _seat(layout: Layout, table: TableState, seat: Seat) -> PlaceView:
    up = {key: _wager(layout, table, key, wager) for key, wager in seat.felt.items()}
    return PlaceView(name=seat.name, rail=seat.rail, tokens=seat.tokens, away=seat.away, up=up)


def _wager(layout: Layout, table: TableState, key: str, wager: Wager) -> WagerView:
    spot = layout.spots[key]
    counted = tally(spot, wager.mark)
    return WagerView(
        stake=wager.stake,
        commission=wager.held,
        tokens=wager.tokens,
        call=wager.call,
        works=settle.works(spot, wager, table.puck),
        has=None if counted is None else list(counted[0]),
    )


def limits_sign(layout: Layout, floor: Floor) -> LimitsSignView | None:
    """The sign with limits that will hold, where one stands."""
    found = floor.limits_sign
    return found and LimitsSignView(says=sign(layout, found.notice), at=found.at, since=found.since)


def closing_sign(floor: Floor) -> ClosingSignView | None:
    """The sign that says when the table closes, where one stands."""
    found = floor.closing_sign
    return found and ClosingSignView(at=found.at, since=found.since)


def dealt(
    layout: Layout, before: TableState, events: Iterable[Event], to: int | None, on_floor: Iterable[FloorEvent] = ()
) -> list[str]:
    """What the floor and the dealers say of events, to whoever sits there."""
    decided = [say_floor(layout, before, event, to) for event in on_floor]
    return decided + [say(layout, before, event, to) for event in events if not isinstance(event, QUIET)]


# --- One seat's own -------------------------------------------------------------------------------------------------


@record
class SpotView:
    """One spot, as one player sees it."""

    name: str
    price: str
    edge: str
    """Per bet made; empty until it has been worked out."""
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


def refused_view(refusal: Refusal | None) -> Refused | None:
    """A refusal, as it is answered beside something that was allowed."""
    if refusal is None:
        return None
    return Refused(code=refusal.code, message=refusal.message, clause=refusal.clause)


@lru_cache(maxsize=256)
def edges_of(house: House, puck: int) -> dict[str, str]:
    """The edges of a felt, worked out beside the game: long bets take seconds, and nobody at a table waits for them."""
    edges: dict[str, str] = {}
    Thread(target=_work_out, args=(house, puck, edges), daemon=True).start()
    return edges


def _work_out(house: House, puck: int, into: dict[str, str]) -> None:
    for key in plan(house.layout).keys:
        figures = spots.figures_of(house, key, puck)
        if figures is not None:
            into[key] = percent(figures.edge_per_bet_made, 1) if figures.mean_net else "0%"


def spot_view(sitting: Sitting, key: str, edge: str, shut: Refusal | None) -> SpotView:
    """A spot as one player sees it; `shut` is what the live table itself has against any bet."""
    seen = spots.look(sitting, key, {})
    state, layout, spot = sitting.state, sitting.layout, sitting.layout.spots[key]
    chip = max(state.notice.minimum, state.notice.chip)
    refused = shut or amounts.is_open(layout, state, sitting.me, key)
    least = None if refused else units.to_bet(layout, state, sitting.me, key, chip)
    most = amounts.full_odds(layout, state, sitting.me, key) if spot.is_odds and refused is None else None
    no = refused if refused is not None else least if isinstance(least, Refusal) else None
    return SpotView(
        name=spot.name,
        price=seen.price,
        edge=edge,
        mark=seen.mark,
        others=seen.others,
        bounds=spots.bounds(sitting, spot),
        adds=None if isinstance(least, Refusal) else least,
        most=None if isinstance(most, Refusal) else most,
        refused=refused_view(no),
    )
