"""What a table looks like over the wire: made from the live table, the layout and what the dealers say."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from threading import Thread
from typing import TYPE_CHECKING, Any

from passline.codec import to_data
from passline.engine import settle, shooting
from passline.engine.events import Event
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import Seat, TableState, Wager
from passline.errors import HouseFileError
from passline.files.toml import tree
from passline.floor.events import FloorEvent
from passline.floor.state import Floor
from passline.house import House
from passline.journal.contract import Journal, opening_of
from passline.journal.records import built_in_id
from passline.record.position import write_position
from passline.rulebooks.read import book_of
from passline.sitting import amounts, hints, spots, units
from passline.sitting.log import QUIET
from passline.sitting.plan import plan
from passline.sitting.saving import Settings
from passline.sitting.sitting import Sitting
from passline.table import Moment, Table
from passline.telling.card import card_json, in_a_line, sign
from passline.telling.figures import percent
from passline.telling.floor import say_floor
from passline.telling.names import tally
from passline.telling.sentences import say

if TYPE_CHECKING:
    from passline.pit.live import Live


@lru_cache(maxsize=64)
def house_of(text: str) -> House:
    """A house by its file, as journals hold it."""
    known = built_in_id(text)
    if known is not None:
        return House(known)
    return House("house file", book_of(tree(text, "the house file", "a house file", HouseFileError), "house file"))


def house_at(journal: Journal, table: str) -> House:
    """The house that a table is played by."""
    return house_of(opening_of(journal, table).body["house"])


def state_view(layout: Layout, live: Live) -> dict[str, Any]:
    """The table as everybody sees it; amounts are grains."""
    table = live.table
    return {
        "puck": table.puck,
        "phase": table.phase,
        "shooter": table.shooter,
        "offered": shooting.offer(layout, table) if table.phase == "betting" else None,
        "bets_closed": live.announced is not None,
        "closing": table.closing,
        "over": live.over,
        "seats": {str(number): _seat(layout, table, seat) for number, seat in table.seats.items()},
    }


def _seat(layout: Layout, table: TableState, seat: Seat) -> dict[str, Any]:
    return {
        "name": seat.name,
        "rail": seat.rail,
        "tokens": seat.tokens,
        "away": seat.away,
        "up": {key: _wager(layout, table, key, wager) for key, wager in seat.felt.items()},
    }


def _wager(layout: Layout, table: TableState, key: str, wager: Wager) -> dict[str, Any]:
    spot = layout.spots[key]
    counted = tally(spot, wager.mark)
    return {
        "stake": wager.stake,
        "commission": wager.held,
        "tokens": wager.tokens,
        "call": wager.call,
        "works": settle.works(spot, wager, table.puck),
        "has": None if counted is None else counted[0],
    }


def table_view(name: str, house: House, live: Live, sequence: int, chips: list[int]) -> dict[str, Any]:
    """A table whole: its house, sign, position and state."""
    layout = house.layout
    return {
        "table": name,
        "sequence": sequence,
        "house": house.id,
        "house_name": house.name,
        "dice": live.dice,
        "grain": layout.grain,
        "chips": chips,
        "sign": sign(layout, live.table.notice),
        "notice": to_data(live.table.notice),
        "buyin": sitting_at(house, live.table, 1).usual_buyin,
        "position": write_position(layout, live.table, house.id, tuple(chips)),
        "state": state_view(layout, live),
    }


def signs(layout: Layout, floor: Floor) -> dict[str, Any]:
    """The signs that stand at a table: limits that will hold, and when it closes."""
    limits, closing = floor.limits_sign, floor.closing_sign
    return {
        "limits_sign": limits and {"says": sign(layout, limits.notice), "at": limits.at, "since": limits.since},
        "closing_sign": closing and {"at": closing.at, "since": closing.since},
    }


def said(
    layout: Layout, before: TableState, events: Iterable[Event], to: int | None, on_floor: Iterable[FloorEvent] = ()
) -> list[str]:
    """What the floor and the dealers say of events, to whoever sits there."""
    decided = [say_floor(layout, before, event, to) for event in on_floor]
    return decided + [say(layout, before, event, to) for event in events if not isinstance(event, QUIET)]


# --- One seat's own -------------------------------------------------------------------------------------------------


def sitting_at(
    house: House, state: TableState, seat: int, history: Iterable[tuple[Any, Any, Any]] = (), *, typed: bool = False
) -> Sitting:
    """One person at a live table, as the words and hints of a table want them."""
    table = Table(house, notice=state.notice)
    table.state = state
    table.history = [Moment(*each) for each in history]
    return Sitting(table, Settings(seat, 0, "live", practice=False, typed=typed))


def seat_view(sitting: Sitting, *, rolls: bool = True, shut: Refusal | None = None) -> dict[str, Any]:
    """What one player sees: what is theirs, and every spot with what it costs and whether it can be bet now.

    `shut` is what the live table itself has against any bet, where bets are closed.
    """
    edges = edges_of(sitting.table.house, sitting.state.puck)
    return {
        "seat": sitting.me,
        "rail": sitting.rail,
        "on_table": sitting.on_table,
        "undecided": sitting.undecided,
        "now": shut.message if shut else hints.what_now(sitting, hints.PAGE if rolls else hints.WAITS),
        "buyin": sitting.usual_buyin,
        "spots": {key: _spot(sitting, key, edges.get(key, ""), shut) for key in plan(sitting.layout).keys},
    }


@lru_cache(maxsize=256)
def edges_of(house: House, puck: int) -> dict[str, str]:
    """The edges of a felt, worked out beside the game: long bets take seconds, and nobody at a table waits for them."""
    found: dict[str, str] = {}
    Thread(target=_work_out, args=(house, puck, found), daemon=True).start()
    return found


def _work_out(house: House, puck: int, into: dict[str, str]) -> None:
    for key in plan(house.layout).keys:
        figures = spots.figures_of(house, key, puck)
        if figures is not None:
            into[key] = percent(figures.edge_per_bet_made, 1) if figures.mean_net else "0%"


def _spot(sitting: Sitting, key: str, edge: str, shut: Refusal | None) -> dict[str, Any]:
    seen = spots.look(sitting, key, {})
    state, layout, spot = sitting.state, sitting.layout, sitting.layout.spots[key]
    chip = max(state.notice.minimum, state.notice.chip)
    refused = shut or amounts.is_open(layout, state, sitting.me, key)
    least = None if refused else units.to_bet(layout, state, sitting.me, key, chip)
    most = amounts.full_odds(layout, state, sitting.me, key) if spot.is_odds and refused is None else None
    no = refused if refused is not None else least if isinstance(least, Refusal) else None
    return {
        "name": spot.name,
        "price": seen.price,
        "edge": edge,
        "mark": seen.mark,
        "others": seen.others,
        "bounds": spots.bounds(sitting, spot),
        "adds": None if isinstance(least, Refusal) else least,
        "most": None if isinstance(most, Refusal) else most,
        "refused": None if no is None else {"code": no.code, "message": no.message, "clause": no.clause},
    }


# --- Houses ---------------------------------------------------------------------------------------------------------


def house_view(house: House) -> dict[str, Any]:
    """A rule card, and where everything lies on the felt."""
    return {"line": in_a_line(house.layout), **card_json(house.layout), "plan": _plain(plan(house.layout))}


def odds_view(house: House) -> dict[str, Any]:
    """Every wager's chances and prices, exactly."""
    return {"house": house.id, "wagers": {key: each.to_json() for key, each in spots.figures(house).items()}}


def _plain(value: Any) -> Any:  # noqa: ANN401 - named tuples all the way down
    if hasattr(value, "_asdict"):
        return {name: _plain(each) for name, each in value._asdict().items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value
