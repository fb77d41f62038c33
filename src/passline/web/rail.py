"""The routes of somebody at the rail: their seat, a spot whole, a wish, why chips moved, the rolls so far."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request
from starlette.responses import Response

from passline.engine.commands import Bet
from passline.engine.events import DiceThrown, OutcomeStruckOut, SevenOut
from passline.engine.postings import brought, postings
from passline.engine.refusals import Refusal
from passline.engine.values import ROLLS
from passline.house import House
from passline.pit.plans import guarded
from passline.pit.table import LiveTable
from passline.sitting import amounts, spots
from passline.sitting.log import Settled
from passline.sitting.sitting import Sitting
from passline.telling.figures import percent
from passline.telling.names import price_of
from passline.telling.sentences import clauses_of, say, the_sum
from passline.telling.stick import call
from passline.telling.ways import how
from passline.web import shown
from passline.web.exchange import Key, said_json, service_of
from passline.web.problems import Problem
from passline.web.streams import Broadcast, Told, result_view
from passline.web.views import seat_view, sitting_at
from passline.web.who import asker_of
from passline.web.wishes import Wish, Wishing, moves, no, offers, planned, steps_of

router = APIRouter(tags=["tables"])

HISTORY = 200
"""How many entries a person's wishes look back."""

STRIP = 60
"""How many rolls are told."""

NO_MEMORY = "The dice have no memory: none of this changes the next roll."


# --- The seat -------------------------------------------------------------------------------------------------------


@router.get("/tables/{table}/seat", responses={200: {"model": shown.SeatView}})
async def own_view(request: Request, table: str) -> Response:
    """Your seat: rail, felt, what you could wish for, and every spot with its price and whether it can be bet now."""
    service, asker = service_of(request), asker_of(request)
    broadcast = (await service.desk(table)).broadcast

    def work() -> dict[str, Any]:
        live = service.pit.seen(table)
        seat = service.pit.seat_of(live, asker.id)
        assert seat is not None, "the guard has seen them sit"
        recent = broadcast.recent(HISTORY)
        throws = service.pit.throws(live, asker.id)
        rolls = throws or service.pit.people.roles(asker.id, table) - {"player"}
        shut = _shut(live, seat)
        view = seat_view(_sitting(broadcast.house, live, seat, recent), rolls=bool(rolls), shut=shut)
        copies: Iterator[Sitting] = iter(lambda: _sitting(broadcast.house, live, seat, recent), None)
        view["offers"] = {} if shut else offers(copies, steps_of(recent, asker.id))
        view["throws"] = throws
        view["holds"] = live.live.table.shooter == seat
        return view

    return said_json(await service.run(work))


def _shut(table: LiveTable, seat: int) -> Refusal | None:
    """What the live table has against any bet now: bets are closed for a roll that is announced."""
    return guarded(table.live, Bet(seat, next(iter(table.layout.spots)), 1), {})


def _sitting(house: House, table: LiveTable, seat: int, recent: list[Told]) -> Sitting:
    """One person at a live table, with what happened there lately; whatever they do on it is done on a copy."""
    history = [(told.command, told.events, told.before) for told in recent if told.command is not None]
    return sitting_at(house, table.live.table, seat, history, typed=table.live.dice != "fair")


@router.post("/tables/{table}/wishes", responses={200: {"model": shown.WishView}})
async def wish(
    request: Request,
    table: str,
    key: Key,
    asked: Annotated[Wish, Body(openapi_examples={"odds": {"value": {"wish": "odds"}}})],
) -> Response:
    """Say what you wish for: planned as a dealer would, done as acts; asked again under its key, done once."""
    service, asker = service_of(request), asker_of(request)
    broadcast = (await service.desk(table)).broadcast

    def work(live: LiveTable) -> list[dict[str, Any]]:
        wishing = Wishing(service.pit, asker, asked, key)
        entries = wishing.earlier(live)
        if not entries:
            seat = service.pit.seat_of(live, asker.id)
            if seat is None:
                raise Problem(409, "seat.none", "You do not sit at this table.")
            if asked.wager is not None and asked.wager not in broadcast.layout.spots:
                raise Problem(404, "wager.not_offered", "This house has no such wager.")
            broadcast.pull()
            recent = broadcast.recent(HISTORY)
            found = planned(_sitting(broadcast.house, live, seat, recent), steps_of(recent, asker.id), asked)
            if isinstance(found, Refusal) or not found:
                raise no(asked, found)
            entries = wishing(live, found)
        return [json.loads(entry.line) for entry in entries]

    return said_json({"entries": await service.ask(table, work)})


# --- A spot ---------------------------------------------------------------------------------------------------------


@router.get("/tables/{table}/spots/{wager}", responses={200: {"model": shown.TruthView}})
async def spot(request: Request, table: str, wager: str, chip: Annotated[int, Query(ge=1, le=10**9)] = 500) -> Response:
    """All about one wager as it stands or would be made now: how it wins, price, chances, edges, what may be done."""
    service, asker = service_of(request), asker_of(request)
    house = (await service.desk(table)).broadcast.house

    def work() -> dict[str, Any]:
        live = service.pit.seen(table)
        if wager not in house.layout.spots:
            raise Problem(404, "wager.not_offered", "This house has no such wager.")
        return truth(house, live, service.pit.seat_of(live, asker.id), wager, chip)

    return said_json(await service.run(work))


def truth(house: House, table: LiveTable, seat: int | None, key: str, chip: int) -> dict[str, Any]:
    """A wager as it stands or would be made now, whole."""
    state, layout, here = table.live.table, house.layout, house.layout.spots[key]
    copies: Iterator[Sitting] = iter(lambda: sitting_at(house, state, seat or 0), None)
    sitting = next(copies)
    found, puck, stands = spots.as_it_is(sitting, key)
    shut = _shut(table, seat) if seat else None
    adds, refused = spots.verdict(sitting, key, chip, "Adds") if seat else ("", None)
    if shut:
        adds, refused = f"Not now: {shut.message}", shut
    most = amounts.full_odds(layout, state, seat, key) if seat and here.is_odds and refused is None else None
    edges = () if found is None else _edges(found)
    chances = {} if found is None else {"win": found.p_win, "lose": found.p_lose, "push": found.p_push}
    named = found.clauses if found is not None else ()
    return {
        "wager": key,
        "name": here.name,
        "how": how(here, puck, layout.book.points.value),
        "price": price_of(here, puck),
        **{name: percent(chances[name]) if chances else "" for name in ("win", "lose", "push")},
        "exact": {name: str(chance) for name, chance in chances.items()},
        "edges": [{"per": per, "share": percent(edge), "exact": str(edge)} for per, edge in edges],
        "as_paid": spots.as_paid(sitting, key, chip) if seat and refused is None else "",
        "rolls": f"{float(found.rolls_working):.2f}" if found is not None else "",
        "bounds": spots.bounds(sitting, here),
        "stands": stands,
        "standing": spots.standing(sitting, key),
        "from_here": spots.from_here(sitting, key),
        "moves": list(moves(copies, key)) if sitting.seat and key in sitting.seat.felt and not shut else [],
        "adds": adds,
        "refused": None if refused is None or not refused.clause else _clause(house, refused.clause),
        "most": most if isinstance(most, int) else None,
        "clauses": [_clause(house, clause) for clause in dict.fromkeys(named)],
    }


def _edges(found: Any) -> tuple[tuple[str, Fraction], ...]:  # noqa: ANN401 - WagerOdds, which only the analysts know
    made, decided = found.edge_per_bet_made, found.edge_per_bet_resolved
    return ("bet", made), ("decision", decided), ("roll", found.edge_per_roll_working)


def _clause(house: House, clause: str) -> dict[str, str]:
    return {"clause": clause, "sentence": house.clause(clause).sentence}


# --- What happened --------------------------------------------------------------------------------------------------


@router.get("/tables/{table}/why/{sequence}", responses={200: {"model": list[shown.WhyView]}})
async def why(request: Request, table: str, sequence: int) -> Response:
    """Why chips moved in one entry: each settlement with its sentence, its sum and its clauses."""
    service, asker = service_of(request), asker_of(request)
    broadcast = (await service.desk(table)).broadcast

    def work() -> list[dict[str, Any]]:
        told = next((each for each in broadcast.recent() if each.sequence == sequence), None)
        if told is None:
            raise Problem(404, "entry.unknown", "That is too long ago to be asked here; the record has it.")
        return list(_why(broadcast.house, told, service.seat_of(table, asker.id)))

    return said_json(await service.run(work))


def _why(house: House, told: Told, me: int | None) -> Iterator[dict[str, Any]]:
    for event in told.events:
        if isinstance(event, Settled):
            yield {
                "seat": event.seat,
                "wager": event.wager,
                "to": getattr(event, "to", None),
                "kind": type(event).__name__,
                "net": brought(postings(event), event.seat),
                "said": say(told.layout, told.before, event, me),
                "sum": the_sum(told.layout, event),
                "clauses": [_clause(house, clause) for clause in clauses_of(event)],
            }


@router.get("/tables/{table}/strip", responses={200: {"model": shown.RollsView}})
async def strip(request: Request, table: str) -> Response:
    """The last rolls, the hand so far beside what was to be expected, and what the last roll did to you."""
    service, asker = service_of(request), asker_of(request)
    broadcast = (await service.desk(table)).broadcast
    return said_json(await service.run(lambda: _strip(broadcast, service.seat_of(table, asker.id))))


def _strip(broadcast: Broadcast, me: int | None) -> dict[str, Any]:
    rolls: list[dict[str, Any]] = []
    entries: list[Told] = []
    for told in broadcast.recent():
        if any(isinstance(event, OutcomeStruckOut) for event in told.events):
            del rolls[-1:], entries[-1:]
        for thrown in (event for event in told.events if isinstance(event, DiceThrown)):
            out = any(isinstance(event, SevenOut) for event in told.events)
            made = bool(thrown.puck) and thrown.total == thrown.puck
            ends = "seven out" if out else "point made" if made else ""
            dice = (thrown.first, thrown.second)
            said = call(broadcast.layout, thrown)
            rolls.append({"sequence": told.sequence, "dice": dice, "puck": thrown.puck, "ends": ends, "call": said})
            entries.append(told)
    outs = [number for number, roll in enumerate(rolls) if roll["ends"] == "seven out"]
    hand = rolls[outs[-1] + 1 :] if outs else rolls
    return {
        "rolls": rolls[-STRIP:],
        "hand": len(hand),
        "points": sum(roll["ends"] == "point made" for roll in hand),
        "counts": [_count(total, hand, rolls) for total in sorted({roll.total for roll in ROLLS})],
        "memory": NO_MEMORY,
        "you": result_view(entries[-1], me) if entries and me is not None else None,
    }


def _count(total: int, hand: list[dict[str, Any]], all_: list[dict[str, Any]]) -> dict[str, Any]:
    chance = Fraction(sum(roll.total == total for roll in ROLLS), len(ROLLS))

    def came(rolls: list[dict[str, Any]]) -> int:
        return sum(sum(roll["dice"]) == total for roll in rolls)

    def expected(rolls: list[dict[str, Any]]) -> str:
        return f"{float(chance * len(rolls)):.1f}"

    return {
        "total": total,
        "hand": came(hand),
        "hand_expected": expected(hand),
        "table": came(all_),
        "table_expected": expected(all_),
    }
