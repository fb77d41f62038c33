"""The routes of somebody at the rail: their seat, what they say, a spot whole, why chips moved, the rolls."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from functools import partial
from itertools import chain, count, groupby, islice, takewhile
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import Field, TypeAdapter

from passline.engine import shooting
from passline.engine.commands import Bet, Command
from passline.engine.events import DiceThrown, Event, SevenOut, WagerDown
from passline.engine.postings import brought, postings
from passline.engine.refusals import Refusal, refusal_of
from passline.engine.values import ROLLS
from passline.floor.conduct import analysis_forbidden
from passline.floor.gate import seen_from
from passline.house import House
from passline.journal.contract import Entry, Kind, read_entry
from passline.live.play import guard
from passline.live.rules import is_thrower
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.sitting import amounts, hints, spots
from passline.sitting.log import Settled
from passline.sitting.orders import Order, Question, Rail
from passline.sitting.sitting import Sitting, in_words
from passline.sitting.talk import talk
from passline.table import UNDOABLE
from passline.telling.figures import percent
from passline.telling.names import as_spoken, how, price_of
from passline.telling.sentences import clauses_of, say, the_sum, to_you
from passline.telling.stick import call
from passline.web.acts import Act, ActRequest
from passline.web.auth import Actor, At, Key, Router
from passline.web.automation import closes_at
from passline.web.problems import Problem, refused
from passline.web.schemas import ClauseView, EntryView, Refused, RequestBody, example, record, view
from passline.web.streams import Broadcast, Message, ResultView, result_view
from passline.web.views import DiceAct, FeltView, SpotView, dice_acts, felt_view, name_now, own_spots, sitting_at

router = Router(tags=["tables"])

HISTORY = 200  # how many entries of a table the dealers remember of somebody

# What the buttons of a page say to the dealers.
BUTTONS = {
    "odds": "max odds",
    "press": "press it",
    "double": "double everything",
    "repeat": "same bet",
    "clear": "take me down",
    "undo": "undo",
    "redo": "redo",
}

# The entries after which nobody takes back what they did before.
RESTED = frozenset(("rolled", "roll_voided", "corrected"))

NAMED_MAX = 3  # so many acts are named in an offer; the rest are counted
STRIP = 60  # how many rolls the strip shows

NO_MEMORY = "The dice have no memory: none of this changes the next roll."

# --- What the dealers remember ----------------------------------------------------------------------------------------


def rail_of(sitting: Sitting, evening: Sequence[Message], person: str) -> Rail:
    """Somebody at the rail of a live table, with the steps that still matter to them."""
    done, undone = steps_of(evening, person)
    return replace(
        sitting.at_the_rail(),
        done=[event for message in done[-1] for event in message.events] if done else (),
        undone=[message.command for message in undone[-1] if message.command is not None] if undone else (),
    )


def evening_of(recent: Sequence[Message], seat: int) -> Sequence[Message]:
    """What happened since somebody sat down there: who leaves takes nothing back afterwards, and repeats nothing."""
    for at in reversed(range(len(recent))):
        if seat in recent[at].sat_down:
            return recent[at + 1 :]
    return recent


def sitting_of(house: House, table: LiveTable, seat: int, evening: Sequence[Message]) -> Sitting:
    """One person at a live table, with the rolls that still matter to them; what they do on it is done on a copy."""
    rolls = (each for each in reversed(evening) if each.thrown is not None and each.command is not None)
    last = list(islice(rolls, 1))
    mine = next((each for each in chain(last, rolls) if seat in each.settled), None)
    if mine is not None and mine is not last[0]:
        last.insert(0, mine)
    later = [each for each in evening if last and each.sequence > last[-1].sequence and each.command is not None]
    last += [
        each for each in later if any(isinstance(event, WagerDown) and not event.left for event in _of(each, seat))
    ]
    history = [(each.command, _of(each, seat), each.before) for each in last]
    state = seen_from(table.live.floor, table.live.table, seat)
    return sitting_at(house, state, seat, history, typed=table.live.dice != "fair")


def _of(message: Message, seat: int) -> tuple[Event, ...]:
    """What happened to a seat, or to the table."""
    return tuple(event for event in message.events if getattr(event, "seat", seat) == seat)


def steps_of(recent: Sequence[Message], person: str) -> tuple[list[list[Message]], list[list[Message]]]:
    """What a person did since the dice last rested, and what they took back; a line is one step."""
    done: list[list[Message]] = []
    undone: list[list[Message]] = []
    since = takewhile(lambda message: message.entry.kind not in RESTED, reversed(recent))
    mine = [message for message in since if message.entry.actor == person]
    for (counts, word, _), group in groupby(reversed(mine), key=_step):
        if counts:
            step = list(group)
            if word == "undo" and done:
                undone.append(done.pop())
            elif word == "redo" and undone:
                done.append(undone.pop())
            else:
                done.append(step)
                undone = []
    return done, undone


def _step(message: Message) -> tuple[bool, str, str]:
    """Whether an entry is part of a step of its actor's, and of which."""
    if message.kind != "acted" or not isinstance(message.command, UNDOABLE) or not message.events:
        return False, "", str(message.sequence)
    base, _, rest = (message.entry.key or "").rpartition("~")
    return True, rest.partition(".")[0], base or str(message.sequence)


# --- What could be said -----------------------------------------------------------------------------------------------


@record
class Offer:
    """What a button would come to now."""

    line: str  # what it says to the dealers
    says: str
    amount: int


def offers(rail: Rail) -> dict[str, Offer]:
    """The buttons that are worth pressing, each with what it would come to; a plain yes is given beforehand."""
    open_: dict[str, Offer] = {}
    for word, phrase in BUTTONS.items():
        line, order = phrase, talk(rail, phrase)
        if order.question and len(order.question.options) == 1:
            line = order.question.options[0].line
            order = talk(rail, line)
        if order.commands or order.question:
            words = [in_words(rail.layout, command) for command in order.commands]
            more = [f"and {len(words) - NAMED_MAX} more"] if len(words) > NAMED_MAX else []
            amount = sum(command.amount for command in order.commands if isinstance(command, Bet))
            asks = order.question.asks if order.question else ""
            open_[word] = Offer(line=line, says=asks or ", ".join([*words[:NAMED_MAX], *more]), amount=amount)
    return open_


Move = Literal["press", "off", "on", "take"]


@record
class MoveView:
    """Something that can be asked of chips that are up, or what is against it."""

    move: Move
    line: str
    refused: Refused | None


def moves(rail: Rail, wager: str, *, works: bool) -> Iterator[MoveView]:
    """What could be said of somebody's chips on a spot, each with the rule against it where there is one."""
    call: Move = "off" if works else "on"
    lines: dict[Move, str] = {"press": f"press {wager}", call: f"{wager} {call}", "take": f"take {wager}"}
    for move, line in lines.items():
        order = talk(rail, line)
        no = order.refused[0] if order.refused and not order.commands else None
        yield MoveView(move=move, line=line, refused=_said_to_them(no) if no else None)


def _said_to_them(no: Refusal) -> Refused:
    return view(Refused, no, message=to_you(no.message, no.seat))


# --- Saying it --------------------------------------------------------------------------------------------------------


def _earlier(table: LiveTable, key: str) -> list[Entry]:
    """What a line came to when it was said before, under the same key."""
    numbers = count()
    lines = iter(lambda: table.journal.under_key(table.name, f"{key}.{next(numbers)}"), None)
    return [read_entry(line) for line in lines]


def _done(pit: Pit, actor: Actor, table: LiveTable, commands: Sequence[Command], key: str) -> Iterator[Entry]:
    """Ask the table for each act in turn, until one is refused."""
    for number, command in enumerate(commands):
        entry = read_entry(ActRequest(pit, actor, Act.of(command), f"{key}.{number}", None)(table))
        if entry.kind == "refused":
            if number:
                return
            raise refused(entry)
        yield entry


class Talk(RequestBody):
    """What somebody says to the dealers; `about` is the `line` of the question that it answers."""

    say: Annotated[str, Field(min_length=1, max_length=200, examples=["32 across"])]
    about: Annotated[str, Field(max_length=500)] = ""


@record
class TalkView:
    """What a line came to: the entries that were written, what the dealers said, refused or ask."""

    entries: list[EntryView]
    says: Sequence[str]
    refused: list[Refused]
    question: Question | None


@router.post("/tables/{table}/talk")
async def talk_to_the_dealers(at: At, key: Key, body: Annotated[Talk, example("across", say="32 across")]) -> TalkView:
    """Talk to the dealers in your own words; a question back books nothing. Asked again under its key, done once."""
    broadcast, word = await at.broadcast(), body.say.strip().lower()
    key = f"{key}~{word if word in ('undo', 'redo') else 'talk'}"

    def work(live: LiveTable) -> TalkView:
        entries, order = _earlier(live, f"{at.actor.id}/{key}"), Order()
        if not entries:
            seat = live.live.seat_of(at.actor.id)
            if seat is None:
                raise Problem(409, "seat.none", "You do not sit at this table.")
            broadcast.pull()
            evening = evening_of(broadcast.recent(HISTORY), seat)
            rail = rail_of(sitting_of(broadcast.house, live, seat, evening), evening, at.actor.id)
            order = talk(rail, body.say, body.about)
            entries = list(_done(at.pit, at.actor, live, order.commands, key))
        no = [_said_to_them(each) for each in order.refused]
        return view(TalkView, order, entries=[view(EntryView, entry) for entry in entries], refused=no)

    return await at.service.ask(at.table, work, at.actor.id)


# --- The seat ---------------------------------------------------------------------------------------------------------


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
        more, broadcast = "", self._broadcast
        if any(message.thrown for message in messages):
            rolls = (message.sequence for message in reversed(broadcast.recent()) if message.thrown)
            more += f',"strip":{broadcast.cached("strip", next(rolls, 0), self._last_roll)}'
        hosted = self._pit.people.hosted.get(self._table)
        if hosted is not None and hosted.countdown:
            left = partial(self._closes_in, hosted.countdown)
            more += f',"closes_in_ms":{broadcast.cached("clock", broadcast.sequence, left)}'
        if seat is not None and any(message.touches(seat) for message in messages):
            view = _seat_view(self._pit, broadcast, self._pit.table(self._table), self._person, seat)
            more += f',"seat":{SEAT.dump_json(view).decode()}'
        elif seat is None and had is not None:
            more += ',"seat":null'
        return more

    def _last_roll(self) -> str:
        whole = _strip(self._broadcast, None)
        return STRIP_JSON.dump_json(replace(whole, rolls=whole.rolls[-1:])).decode()

    def _closes_in(self, seconds: int) -> str:
        """How long bets are still taken, as JSON."""
        recent = [message.entry for message in self._broadcast.recent()]
        due = closes_at(self._pit.table(self._table), seconds, recent)
        if due is None:
            return "null"
        left = datetime.fromisoformat(due) - datetime.fromisoformat(self._pit.now())
        return str(max(0, round(left.total_seconds() * 1000)))


def _shut(table: LiveTable, seat: int) -> Refusal | None:
    """What the live table has against any bet now: bets are closed for a roll that is announced."""
    return refusal_of(guard, table.live, Bet(seat, next(iter(table.layout.spots)), 1), {})


# --- A spot -----------------------------------------------------------------------------------------------------------


Per = Literal["bet", "decision", "roll"]


@record
class EdgeView:
    per: Per
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
    odds, shut = None if forbidden else odds, _shut(table, seat) if seat else None
    adds, refused = spots.verdict(sitting, key, chip, ("Bet", "Make it")) if seat else ("", None)
    if shut is not None:
        adds, refused = f"Not now: {shut.message}", shut
    most = amounts.full_odds(layout, state, seat, key) if seat and here.is_odds and refused is None else None
    chances, edges = dict[str, Fraction](), dict[Per, Fraction]()
    if odds is not None:
        chances = {"win": odds.p_win, "lose": odds.p_lose, "push": odds.p_push}
        edges |= {"bet": odds.edge_per_bet_made, "decision": odds.edge_per_bet_resolved}
        edges["roll"] = odds.edge_per_roll_working
    shares = {name: percent(chances[name]) if chances else "" for name in ("win", "lose", "push")}
    has_chips = sitting.seat is not None and key in sitting.seat.felt and shut is None
    return TruthView(
        wager=key,
        name=as_spoken(layout, name_now(sitting, key) if seat else here.name),
        how=how(here, puck, layout.book.points.value),
        price=price_of(here, puck),
        **shares,
        exact={name: str(chance) for name, chance in chances.items()},
        edges=[EdgeView(per=per, share=percent(edge), exact=str(edge)) for per, edge in edges.items()],
        as_paid=spots.as_paid(sitting, key, chip) if seat and refused is None and not forbidden else "",
        rolls=f"{float(odds.rolls_working):.2f}" if odds is not None else "",
        bounds=spots.bounds(sitting, here),
        stands=stands,
        standing=spots.standing(sitting, key),
        from_here="" if forbidden else spots.from_here(sitting, key),
        moves=list(moves(sitting.at_the_rail(), key, works=sitting.works(key))) if has_chips else [],
        adds=adds,
        refused=_clause(house, refused.clause) if refused is not None and refused.clause else None,
        most=most if isinstance(most, int) else None,
        clauses=[_clause(house, clause) for clause in dict.fromkeys(odds.clauses if odds is not None else ())],
    )


def _clause(house: House, clause: str) -> ClauseView:
    return ClauseView(clause=clause, sentence=house.clause(clause).sentence)


# --- What happened ----------------------------------------------------------------------------------------------------


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
            named = {"to": getattr(event, "to", None), "kind": type(event).__name__}
            words = {"sentence": say(message.layout, message.before, event, me), "sum": the_sum(message.layout, event)}
            clauses = [_clause(house, clause) for clause in clauses_of(event)]
            yield view(WhyView, event, net=brought(postings(event), event.seat), **named, **words, clauses=clauses)


Ends = Literal["", "point made", "seven out"]


@record
class ThrownView:
    sequence: int
    dice: tuple[int, int]
    puck: int  # where the puck was
    ends: Ends
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
    messages: list[Message] = []
    for message in broadcast.recent():
        if message.struck is not None:
            del messages[-1:]
        if message.thrown is not None:
            messages.append(message)
    rolls = [_thrown_view(each, each.thrown) for each in messages if each.thrown is not None]
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


def _thrown_view(message: Message, thrown: DiceThrown) -> ThrownView:
    out = any(isinstance(event, SevenOut) for event in message.events)
    ends: Ends = "seven out" if out else "point made" if thrown.puck and thrown.total == thrown.puck else ""
    words = {"dice": (thrown.first, thrown.second), "call": call(message.layout, thrown)}
    return view(ThrownView, message, puck=thrown.puck, ends=ends, **words)


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
