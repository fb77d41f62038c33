"""The routes of somebody at the rail: their seat, a spot whole, why chips moved, the rolls."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import TypeAdapter

from passline.engine import shooting
from passline.engine.commands import Bet
from passline.engine.events import DiceThrown, OutcomeStruckOut, SevenOut
from passline.engine.postings import brought, postings
from passline.engine.refusals import Refusal, refusal_of
from passline.engine.values import ROLLS
from passline.floor.conduct import analysis_forbidden
from passline.floor.gate import seen_from
from passline.house import House
from passline.journal.contract import Kind
from passline.live.play import guard
from passline.live.rules import is_thrower
from passline.odds.wagers import WagerOdds
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.sitting import amounts, hints, spots
from passline.sitting.log import Settled
from passline.telling.figures import percent
from passline.telling.names import as_spoken, how, price_of
from passline.telling.sentences import clauses_of, say, the_sum
from passline.telling.stick import call
from passline.web.auth import At, Router
from passline.web.automation import closes_at
from passline.web.problems import Problem
from passline.web.schemas import ClauseView, record, view
from passline.web.streams import Broadcast, Message, ResultView, result_view
from passline.web.talk import HISTORY, MoveView, Offer, evening_of, moves, offers, rail_of, sitting_of
from passline.web.views import DiceAct, FeltView, SpotView, dice_acts, felt_view, name_now, own_spots, sitting_at

router = Router(tags=["tables"])

STRIP = 60  # how many rolls the strip shows

NO_MEMORY = "The dice have no memory: none of this changes the next roll."


# --- The seat -------------------------------------------------------------------------------------------------------


@record
class SeatView:
    seat: int
    rail: int
    on_table: int
    away: bool  # whether they have left, with wagers still up
    dice_acts: list[DiceAct]  # what they may say about the dice now
    throws: bool  # whether the next throw is theirs
    ready: bool  # whether the dice can go out now
    holds: bool  # whether they are the shooter
    now: str  # what can be done now, in a line
    buyin: int  # what a player usually buys
    offers: dict[str, Offer]  # the buttons that are worth pressing: `undo`, `repeat`, `odds` …
    spots: dict[str, SpotView]  # those that are other than `GET /tables/{table}/felt` has them, by their own chips


@router.get("/tables/{table}/seat")
async def own_view(at: At) -> SeatView:
    """Your seat: rail, felt, what you could wish for, and the spots that are other for you than for everybody."""
    broadcast = await at.broadcast()

    def work() -> SeatView:
        live = at.live()
        seat = live.live.seat_of(at.actor.id)
        assert seat is not None, "the guard has seen them sit"
        return _seat_view(at.pit, broadcast, live, at.actor.id, seat)

    return await at.run(work)


def _seat_view(pit: Pit, broadcast: Broadcast, live: LiveTable, person: str, seat: int) -> SeatView:
    shut, throws = _shut(live, seat), is_thrower(live.state(), person)
    evening = evening_of(broadcast.recent(HISTORY), seat)
    rolls, limited = throws or pit.people.roles(person, live.name) - {"player"}, seat in live.live.floor.player_limits
    sitting = sitting_of(broadcast.house, live, seat, evening)
    return SeatView(
        seat=seat,
        rail=sitting.rail,
        on_table=sitting.on_table,
        away=sitting.seat is None or sitting.seat.away,
        dice_acts=dice_acts(sitting),
        throws=throws,
        ready=not sitting.undecided and not isinstance(shooting.who_throws(live.layout, live.live.table), Refusal),
        holds=live.live.table.shooter == seat,
        now=shut.message if shut is not None else hints.what_now(sitting, hints.PAGE if rolls else hints.WAITS),
        buyin=sitting.usual_buyin,
        offers={} if shut is not None else offers(rail_of(sitting, evening, person)),
        spots=dict(own_spots(sitting, shut, analysed=not broadcast.analysis_forbidden, all_=limited)),
    )


@router.get("/tables/{table}/felt")
async def felt(at: At) -> FeltView:
    """Every spot of the felt with its price, its edge and whether it can be bet now; the same for everybody here."""
    house = (await at.broadcast()).house

    def work() -> FeltView:
        live = at.live()
        return felt_view(house, live.live, _shut(live, 0))

    return await at.run(work)


class PageView:
    """What a page that listens is sent with an entry: its seat where that is another now, the rolls after a roll."""

    def __init__(self, pit: Pit, broadcast: Broadcast, table: str, person: str) -> None:
        self._pit, self._broadcast, self._table, self._person = pit, broadcast, table, person

    def extras(self, messages: Sequence[Message], seat: int | None, had: int | None) -> str:
        """The JSON members, each after a comma; a seat that somebody has no longer is null."""
        more = ""
        if any(message.thrown for message in messages):
            rolls = (message.sequence for message in reversed(self._broadcast.recent()) if message.thrown)
            last = next(rolls, 0)
            more += f',"strip":{self._broadcast.cached("strip", last, lambda: _last_roll(self._broadcast))}'
        hosted = self._pit.people.hosted.get(self._table)
        if hosted is not None and hosted.countdown:
            left = partial(self._closes_in, hosted.countdown)
            more += f',"closes_in_ms":{self._broadcast.cached("clock", self._broadcast.sequence, left)}'
        if seat is not None and any(message.touches(seat) for message in messages):
            view = _seat_view(self._pit, self._broadcast, self._pit.table(self._table), self._person, seat)
            more += f',"seat":{SEAT.dump_json(view).decode()}'
        elif seat is None and had is not None:
            more += ',"seat":null'
        return more

    def _closes_in(self, seconds: int) -> str:
        """How long bets are still taken, as JSON."""
        recent = [message.entry for message in self._broadcast.recent()]
        due = closes_at(self._pit.table(self._table), seconds, recent)
        if due is None:
            return "null"
        left = datetime.fromisoformat(due) - datetime.fromisoformat(self._pit.now())
        return str(max(0, round(left.total_seconds() * 1000)))


def _last_roll(broadcast: Broadcast) -> str:
    whole = _strip(broadcast, None)
    return STRIP_JSON.dump_json(replace(whole, rolls=whole.rolls[-1:])).decode()


def _shut(table: LiveTable, seat: int) -> Refusal | None:
    """What the live table has against any bet now: bets are closed for a roll that is announced."""
    return refusal_of(guard, table.live, Bet(seat, next(iter(table.layout.spots)), 1), {})


# --- A spot ---------------------------------------------------------------------------------------------------------


@record
class EdgeView:
    per: Literal["bet", "decision", "roll"]
    share: str  # in percent, rounded
    exact: str


@record
class TruthView:
    wager: str
    name: str
    how: str  # how it wins and loses
    price: str
    win: str
    lose: str
    push: str  # the chances, in percent
    exact: dict[str, str]  # the chances as fractions
    edges: list[EdgeView]
    as_paid: str  # the edge of the stake that is shown, where the dealers' chips pay it otherwise than the price says
    rolls: str  # how many rolls it takes to be decided, on average
    bounds: str
    stands: bool  # whether chances and edges are those of what lies there, from here on, and not of a bet made now
    standing: str  # what lies there
    from_here: str  # what would be won by what lies there, and what it is worth as it stands
    moves: list[MoveView]  # what can be asked of what lies there
    adds: str  # what a chip would add and what that would win; or why not
    refused: ClauseView | None
    most: int | None  # the most that may be added, of odds
    clauses: list[ClauseView]


@router.get("/tables/{table}/spots/{wager}")
async def spot(at: At, wager: str, chip: Annotated[int, Query(ge=1, le=10**9)] = 500) -> TruthView:
    """All about one wager as it stands or would be made now: how it wins, price, chances, edges, what may be done."""
    house = (await at.broadcast()).house
    if wager not in house.layout.spots:
        raise Problem(404, "wager.not_offered", "This house has no such wager.")
    return await at.run(lambda: _truth(house, at.live(), at.seat(), wager, chip))


def _truth(house: House, table: LiveTable, seat: int | None, key: str, chip: int) -> TruthView:
    state, layout, here = seen_from(table.live.floor, table.live.table, seat), house.layout, house.layout.spots[key]
    sitting = sitting_at(house, state, seat or 0)
    odds, puck, stands = spots.as_it_is(sitting, key)
    forbidden = analysis_forbidden(layout, money=table.live.money)
    if forbidden:
        odds = None
    shut = _shut(table, seat) if seat else None
    adds, refused = spots.verdict(sitting, key, chip, ("Bet", "Make it")) if seat else ("", None)
    if shut is not None:
        adds, refused = f"Not now: {shut.message}", shut
    most = amounts.full_odds(layout, state, seat, key) if seat and here.is_odds and refused is None else None
    chances = {} if odds is None else {"win": odds.p_win, "lose": odds.p_lose, "push": odds.p_push}
    shares = {name: percent(chances[name]) if chances else "" for name in ("win", "lose", "push")}
    return TruthView(
        wager=key,
        name=as_spoken(layout, name_now(sitting, key) if seat else here.name),
        how=how(here, puck, layout.book.points.value),
        price=price_of(here, puck),
        **shares,
        exact={name: str(chance) for name, chance in chances.items()},
        edges=[] if odds is None else list(_edges(odds)),
        as_paid=spots.as_paid(sitting, key, chip) if seat and refused is None and not forbidden else "",
        rolls=f"{float(odds.rolls_working):.2f}" if odds is not None else "",
        bounds=spots.bounds(sitting, here),
        stands=stands,
        standing=spots.standing(sitting, key),
        from_here="" if forbidden else spots.from_here(sitting, key),
        moves=list(moves(sitting.at_the_rail(), key, works=sitting.works(key)))
        if sitting.seat and key in sitting.seat.felt and shut is None
        else [],
        adds=adds,
        refused=_clause(house, refused.clause) if refused is not None and refused.clause else None,
        most=most if isinstance(most, int) else None,
        clauses=[_clause(house, clause) for clause in dict.fromkeys(odds.clauses if odds is not None else ())],
    )


def _edges(odds: WagerOdds) -> Iterator[EdgeView]:
    yield EdgeView(per="bet", share=percent(odds.edge_per_bet_made), exact=str(odds.edge_per_bet_made))
    yield EdgeView(per="decision", share=percent(odds.edge_per_bet_resolved), exact=str(odds.edge_per_bet_resolved))
    yield EdgeView(per="roll", share=percent(odds.edge_per_roll_working), exact=str(odds.edge_per_roll_working))


def _clause(house: House, clause: str) -> ClauseView:
    return ClauseView(clause=clause, sentence=house.clause(clause).sentence)


# --- What happened --------------------------------------------------------------------------------------------------


@record
class WhyView:
    seat: int
    wager: str
    to: str | None
    kind: str
    net: int
    sentence: str
    sum: str | None
    clauses: list[ClauseView]


@router.get("/tables/{table}/why/{sequence}")
async def why(at: At, sequence: int) -> list[WhyView]:
    """Why chips moved in one entry: each settlement with its sentence, its sum and its clauses."""
    broadcast = await at.broadcast()
    message = next((each for each in broadcast.recent() if each.sequence == sequence), None)
    if message is None:
        raise Problem(404, "entry.unknown", "That is too long ago to be asked here; the record has it.")
    return await at.run(lambda: list(_why(broadcast.house, message, at.seat())))


def _why(house: House, message: Message, me: int | None) -> Iterator[WhyView]:
    for event in message.events:
        if isinstance(event, Settled):
            yield view(
                WhyView,
                event,
                to=getattr(event, "to", None),
                kind=type(event).__name__,
                net=brought(postings(event), event.seat),
                sentence=say(message.layout, message.before, event, me),
                sum=the_sum(message.layout, event),
                clauses=[_clause(house, clause) for clause in clauses_of(event)],
            )


@record
class ThrownView:
    sequence: int
    dice: tuple[int, int]
    puck: int  # where the puck was
    ends: Literal["", "point made", "seven out"]
    call: str


@record
class CountView:
    total: int
    hand: int
    hand_expected: str
    table: int
    table_expected: str


@record
class RollsView:
    """The last rolls of a table, the hand, and what the last one did to whoever asks."""

    rolls: list[ThrownView]
    hand: int  # how many rolls this hand has
    points: int  # how many points it has made
    counts: list[CountView]
    memory: str
    you: ResultView | None


@router.get("/tables/{table}/strip")
async def strip(at: At) -> RollsView:
    """The last rolls, the hand so far beside what was to be expected, and what the last roll did to you."""
    broadcast = await at.broadcast()
    return await at.run(lambda: _strip(broadcast, at.seat()))


def _strip(broadcast: Broadcast, me: int | None) -> RollsView:
    analysed = not broadcast.analysis_forbidden
    rolls: list[ThrownView] = []
    messages: list[Message] = []
    for message in broadcast.recent():
        if any(isinstance(event, OutcomeStruckOut) for event in message.events):
            del rolls[-1:], messages[-1:]
        for thrown in (event for event in message.events if isinstance(event, DiceThrown)):
            out = any(isinstance(event, SevenOut) for event in message.events)
            made = bool(thrown.puck) and thrown.total == thrown.puck
            rolls.append(
                ThrownView(
                    sequence=message.sequence,
                    dice=(thrown.first, thrown.second),
                    puck=thrown.puck,
                    ends="seven out" if out else "point made" if made else "",
                    call=call(broadcast.layout, thrown),
                )
            )
            messages.append(message)
    outs = [number for number, roll in enumerate(rolls) if roll.ends == "seven out"]
    hand = rolls[outs[-1] + 1 :] if outs else rolls
    return RollsView(
        rolls=rolls[-STRIP:],
        hand=len(hand),
        points=sum(roll.ends == "point made" for roll in hand),
        counts=[_count(total, hand, rolls) for total in sorted({roll.total for roll in ROLLS})] if analysed else [],
        memory=NO_MEMORY if analysed else "",
        you=result_view(messages[-1], me) if messages and me is not None else None,
    )


def _count(total: int, hand: list[ThrownView], every: list[ThrownView]) -> CountView:
    chance = Fraction(sum(roll.total == total for roll in ROLLS), len(ROLLS))
    here, there = (sum(sum(roll.dice) == total for roll in rolls) for rolls in (hand, every))
    should = [f"{float(chance * len(rolls)):.1f}" for rolls in (hand, every)]
    return CountView(total=total, hand=here, hand_expected=should[0], table=there, table_expected=should[1])


SEAT, STRIP_JSON = TypeAdapter(SeatView), TypeAdapter(RollsView)


@record
class Brief:
    """What a stream says to a page: what happened, and what of the table, of the rolls and of one's own is another."""

    sequence: int
    kind: Kind
    events: list[dict[str, Any]]  # without what is null, false, nought or empty in them
    state: dict[str, Any] | None = None  # what of `StateView` is another now; a seat or a wager that is gone is null
    call: str | None = None
    you: ResultView | None = None
    seat: SeatView | None = None  # one's own seat, where something of it is another; null when it is given up
    strip: RollsView | None = None  # the rolls, of which only the last
    closes_in_ms: int | None = None  # at a table with a countdown: how long bets are still taken; null where none runs
    sentences: list[str]
