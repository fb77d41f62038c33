"""The books of a table: its shift, drop and hold beside what the odds give, its bank, outcomes that are void."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

from passline.engine import events as e
from passline.engine.events import Event, OutcomeStruckOut
from passline.engine.layout import Layout
from passline.engine.postings import BANK, brought, postings
from passline.engine.values import CENTS, money
from passline.floor import cage
from passline.floor.clock import instant
from passline.house import House
from passline.journal.contract import Entry, opening_of
from passline.live.books import carried
from passline.live.state import HOUSE_FLOOR, Live, Moment, floor_events_of
from passline.odds.wagers import odds_of
from passline.pit.reports.sheets import Made, Row, Scope, looks, share


class Flow(NamedTuple):
    """What an entry moved at a table, in minor units."""

    bought: int
    away: int
    won: int


def flow(moment: Moment) -> Flow:
    """Chips that were reversed were bought below zero: they are taken off the drop."""
    away = sum(each.cashed for each in moment.events if isinstance(each, e.PlayerLeft))
    away += sum(each.held for each in moment.events if isinstance(each, e.SeatCleared))
    bought = sum(each.amount for each in carried(moment.events)) + away
    return Flow(bought, away, moment.after.table.bank - moment.before.table.bank)


CREW = frozenset(("dealer", "stick", "box", "supervisor", "cashier", "inspector", "administrator"))


def shift(scope: Scope) -> Made:
    """One row for each table: figures of the window, and the names of whoever of the crew did anything."""
    for table in scope.streams:
        kinds, events, sums, people = Counter[str](), Counter[type](), Counter[str](), set[str]()
        first = last = ""
        players = 0
        for moment in scope.moments(table):
            entry = moment.entry
            first, last = first or entry.time, entry.time
            kinds[entry.kind] += 1
            people |= {f"{entry.actor} ({entry.role})"} if entry.role in CREW else set()
            events.update(map(type, moment.events))
            sums.update(flow(moment)._asdict())
            players = len(moment.after.table.seats)
        rolled = (events[each] for each in (e.DiceThrown, e.SevenOut))
        counts = (kinds[kind] for kind in ("refused", "roll_voided", "corrected", "floor_acted"))
        amounts = (scope.layout(table).money(sums[name]) for name in Flow._fields)
        yield table, first, last, kinds.total(), *rolled, *counts, *amounts, players, ", ".join(sorted(people))


DECIDED = (e.WagerWon, e.WagerLost, e.WagerPushed)


class Taking(NamedTuple):
    """What decisions came to, in minor units."""

    decisions: int = 0
    action: int = 0  # the stakes that were decided; pushes count
    hold: int = 0  # what the house won of them, commission and all
    theoretical: Fraction = Fraction(0)  # what it wins of such bets on average


class Takings:
    """Counts the decisions of one table under whatever a key says; an outcome struck out is counted out again."""

    def __init__(self, layout: Layout, under: Callable[[Moment, str], str]) -> None:
        self.layout, self.under = layout, under
        self.taken: defaultdict[str, Taking] = defaultdict(Taking)
        self._odds = odds_of(House(layout.book.id, book=layout.book))
        self._last: list[tuple[str, Taking]] = []

    def see(self, moment: Moment) -> None:
        if any(isinstance(event, OutcomeStruckOut) for event in moment.events):
            self._count(self._last, -1)
            self._last = []
        taken = [each for event in moment.events if (each := self._of(moment, event)) is not None]
        if moment.entry.kind == "rolled":
            self._last = taken
        self._count(taken)

    def _count(self, taken: Iterable[tuple[str, Taking]], sign: int = 1) -> None:
        for key, taking in taken:
            has, (decisions, action, hold, due) = self.taken[key], taking
            sums = (has.decisions + sign * decisions, has.action + sign * action, has.hold + sign * hold)
            self.taken[key] = Taking(*sums, has.theoretical + sign * due)

    def _of(self, moment: Moment, event: Event) -> tuple[str, Taking] | None:
        """What one event takes, and under which key; commission kept when a bet comes down is taken too."""
        wager = getattr(event, "wager", None)
        moved = () if isinstance(event, OutcomeStruckOut) else postings(event)
        won = sum((to == BANK) * amount - (source == BANK) * amount for source, to, amount in moved)
        if wager is None or not (won or isinstance(event, DECIDED)):
            return None
        stake = event.stake if isinstance(event, DECIDED) else 0
        spot = self.layout.spots[wager]
        odds = self._odds.get(spot.family if spot.has_travelled else spot.key_at(moment.before.table.puck))
        theoretical = -stake * odds.mean_net if odds else Fraction(0)
        return self.under(moment, wager), Taking(isinstance(event, DECIDED), stake, won, theoretical)


def hold(scope: Scope) -> Made:
    return _hold(scope, lambda _moment, wager: wager)


def hours(scope: Scope) -> Made:
    return _hold(scope, lambda moment, _wager: moment.entry.time[:13] + ":00Z")


def _hold(scope: Scope, under: Callable[[Moment, str], str]) -> Made:
    for table in scope.games:
        counter = Takings(scope.layout(table), under)
        for moment in scope.moments(table):
            counter.see(moment)
        money = counter.layout.money
        for key, each in sorted(counter.taken.items()):
            if each != Taking():
                held = (money(each.action), money(each.hold), share(each.hold, each.action))
                due = (money(round(each.theoretical)), share(each.theoretical, each.action))
                yield table, key, each.decisions, *held, *due


SUSPECT = Fraction(1, 100)  # a chance below this is worth a look

# Why a roll that never fell is not held against chance here.
UNJUDGED = {
    "real": "real dice: cannot be judged",
    "fair": "void before the dice: `passline verify` says what would have fallen, once the seed is shown",
}


class Outcome(NamedTuple):
    """A roll that stood or did not, and what it brought the house, in minor units."""

    house_win: int
    lost: Mapping[str, int]  # by player: what they would have lost by it, below zero for a win
    voided_by: tuple[str, ...] = ()
    reason: str = ""


def voids(scope: Scope) -> Made:
    """A row for everybody who struck outcomes out: how many, how many of them the house would have lost by.

    The chance is that of at least so many losers among so many voids drawn blindly from all outcomes of that table; a
    player whom they spared more often than chance would is named.
    """
    for table in scope.games:
        moments = list(scope.moments(table))
        outcomes, money = list(_outcomes(moments)), scope.layout(table).money
        for person in sorted({name for each in outcomes for name in each.voided_by}):
            yield table, person, *_judged(outcomes, person, money)
        for person, times, why, look in _never_thrown(moments):
            yield table, person, times, *[""] * 6, why, look


def _judged(outcomes: Sequence[Outcome], person: str, money: Callable[[int], str]) -> Row:
    theirs = [each for each in outcomes if person in each.voided_by]
    lost, losers = (sum(each.house_win < 0 for each in some) for some in (theirs, outcomes))
    friend, saved = _spared(theirs)
    spared, losses = (sum(each.lost.get(friend, 0) > 0 for each in some) for some in (theirs, outcomes))
    chance = at_least(lost, len(theirs), losers, len(outcomes))
    favoured = at_least(spared, len(theirs), losses, len(outcomes)) if friend else Fraction(1)
    others = {name for each in theirs for name in each.lost if name != friend}
    alone = friend and others and not any(each.lost.get(name, 0) > 0 for each in theirs for name in others)
    named = f"look: {friend} is spared" if favoured < SUSPECT else f"look: {friend} alone is spared" if alone else ""
    look = "look" if chance < SUSPECT else named
    millionths = (chance * 1_000_000).__ceil__()
    text = f"{millionths // 1_000_000}.{millionths % 1_000_000:06}"
    sums = (money(sum(each.house_win for each in theirs)), f"{friend}: {money(saved)}" if friend else "", text)
    return len(theirs), lost, losers, len(outcomes), *sums, _reasons(each.reason for each in theirs), look


def _never_thrown(moments: Sequence[Moment]) -> list[tuple[str, int, str, str]]:
    """Who declared rolls void before they fell, how often and why; whom they would have paid is not worked out."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for entry, before, *_ in moments:
        if entry.kind == "roll_voided":
            for person in entry.body["people"] or ("house" if entry.body.get("silent") else entry.actor,):
                reasons.setdefault((str(person), before.dice), []).append(entry.body["reason"])
    return [(who, len(why), _reasons(why), UNJUDGED.get(dice, "")) for (who, dice), why in sorted(reasons.items())]


def _reasons(reasons: Iterable[str]) -> str:
    times = Counter(reason for reason in reasons if reason)
    return "; ".join(reason if count == 1 else f"{reason} ({count} times)" for reason, count in times.items())


def _outcomes(moments: Iterable[Moment]) -> Iterator[Outcome]:
    """Every outcome of a table, once it is known whether it stands."""
    last: Outcome | None = None
    for entry, before, events, after, _ in moments:
        if entry.kind == "rolled":
            if last is not None:
                yield last
            last = Outcome(after.table.bank - before.table.bank, _lost(before, events))
        elif last is not None and any(isinstance(event, OutcomeStruckOut) for event in events):
            yield last._replace(voided_by=_people(entry.body, entry.actor), reason=_reason(entry.body))
            last = None
    if last is not None:
        yield last


def _lost(live: Live, events: Iterable[Event]) -> dict[str, int]:
    lost: Counter[str] = Counter()
    for event in events:
        if isinstance(event, DECIDED):
            lost[live.owner(event.seat) or f"seat {event.seat}"] -= brought(postings(event), event.seat)
    return dict(lost)


def _spared(theirs: Iterable[Outcome]) -> tuple[str, int]:
    lost: Counter[str] = Counter()
    for each in theirs:
        lost.update(each.lost)
    name, amount = max(lost.items(), key=lambda item: item[1], default=("", 0))
    return (name, amount) if amount > 0 else ("", 0)


def _reason(body: dict[str, Any]) -> str:
    command = body.get("command") or {}
    reasons = (body.get("reason"), command.get("reason"), command.get("cause"), command.get("opinion"))
    return ": ".join(dict.fromkeys(str(each) for each in reasons if each))  # a correction says it twice


def _people(body: dict[str, Any], actor: str) -> tuple[str, ...]:
    second = (body.get("command") or {}).get("second")
    people = body.get("people") or [actor, *([second] if second else [])]
    return tuple(dict.fromkeys(map(str, people)))


def at_least(hits: int, drawn: int, marked: int, of: int) -> Fraction:
    """The chance of at least so many marked among those drawn blindly: the upper tail of the hypergeometric law."""
    ways = sum(comb(marked, each) * comb(of - marked, drawn - each) for each in range(hits, min(drawn, marked) + 1))
    return Fraction(ways, comb(of, drawn)) if of else Fraction(1)


@dataclass
class Period:
    """A float between two counts, in minor units."""

    since: str
    opening: int | None = None
    moved: Counter[str] = field(default_factory=Counter)  # by fill, credit, and what a flow has
    # What each fill and credit came to, and what it is called.
    slips: list[tuple[int, str]] = field(default_factory=list)
    colour_ups: Counter[str] = field(default_factory=Counter)  # by who changed a player's chips


def bank(scope: Scope) -> Made:
    """A row for each time between two counts of a float, in the window of the second: what moved, win, drop and hold.

    The win by count is closing + credits + drop - returns - opening - fills; what the journal settled stands beside it.
    """
    for table in scope.games:
        yield from _periods(scope, table)


def _periods(scope: Scope, table: str) -> Made:
    money, period, last = scope.layout(table).money, Period(""), ""
    for moment in scope.history(table):
        last = moment.entry.time
        period.since = period.since or last
        period.moved.update(flow(moment)._asdict())
        for each in floor_events_of(moment.entry) if moment.entry.kind == "floor_acted" else ():
            match each:
                case cage.Slip():
                    period.moved[each.significant] += each.total
                    period.slips.append((each.total, f"{each.called} by {each.by} and {each.second}"))
                case cage.ChipsColoured():
                    period.colour_ups[each.by] += 1
                case cage.FloatCounted():
                    if scope.within.has(last) and (period.opening is not None or each.when != "opening"):
                        yield table, period.since, last, *_period(money, period, each)
                    period = Period(last, each.total)
                case _:
                    pass
    if last and scope.within.has(last) and any(period.moved.values()):
        yield table, period.since, last, *_period(money, period, None)


def _period(money: Callable[[int], str], period: Period, count: cage.FloatCounted | None) -> Row:
    fills, credited, drop, returns = moved = [period.moved[name] for name in ("fill", "credit", "bought", "away")]
    won, stays = period.moved["won"], (period.opening or 0) + fills - credited - drop + returns
    opening = None if period.opening is None else money(period.opening)
    if count is None or opening is None:
        look = "no opening count" if opening is None else "not counted yet" if stays + won else ""
        return "not counted", opening, *map(money, moved), None, None, None, money(won), None, None, "", look
    alike = [f"as much as {each}" for amount, each in period.slips if abs(count.variance) == amount]
    # A float that is over was paid by somebody: whoever was given less than they brought does not count it.
    over = period.colour_ups.items() if count.variance > 0 else ()
    alike += [f"chips coloured up by {who}, {times}x" for who, times in over]
    look = looks("counted otherwise than it must be", *alike) if count.variance else ""
    win = count.total - stays
    sums = map(money, (*moved, count.total, count.up, win, won, count.variance))
    return count.when, opening, *sums, share(win, drop), f"{count.by} and {count.second}", look


class BankMove(NamedTuple):
    """Chips that came into the cage's bank or left it, or a count of it, in minor units."""

    where: str
    entry: Entry
    what: str
    event: cage.ChipBankEvent | cage.FloatCounted | cage.Slip
    due: int  # what must lie in the bank afterwards; at a count, what was counted
    variance: int | None = None  # at a count: what is over, or below zero short


def chips(scope: Scope) -> Made:
    """The cage's chip bank with every table's opening, fills and credits; issued = bank + floats + with players."""
    if not scope.has_floor:
        return
    slips: list[tuple[int, str]] = []
    issued = due = 0
    for where, entry, what, event, due, variance in bank_moves(scope):
        if isinstance(event, cage.ChipBankEvent):
            issued += event.way * event.total
        if isinstance(event, cage.Slip):
            slips.append((event.total, f"as much as {what} of {where}, by {event.by} and {event.second}"))
        alike = [called for amount, called in slips if variance and amount == abs(variance)]
        look = looks("counted otherwise than it must be", *alike) if variance else ""
        if issued and due < 0:  # a house that never received any chips keeps no bank
            look = looks("more went out than was there")
        if scope.within.has(entry.time):
            count = sorted(event.count.items(), reverse=True)
            pieces = ", ".join(f"{number} x {money(each, CENTS)}" for each, number in count if number)
            about = (entry.time, where, entry.sequence, what, event.by, event.second, pieces)
            sums = (money(event.total, CENTS), money(due, CENTS), "" if variance is None else money(variance, CENTS))
            yield *about, *sums, look
    lives = [live for live in map(scope.live, scope.games) if live.money]
    players = sum(live.table.bought - live.table.bank for live in lives)
    floats = sum(live.floor.bank.due(live.table) for live in lives if live.floor.bank is not None)
    off = issued - due - floats - players
    parts = "bank {} + floats {} + with players {}".format(*(money(each, CENTS) for each in (due, floats, players)))
    if not issued:
        yield "No chips were received into the bank yet."
    elif off:
        lacks = f"{money(abs(off), CENTS)} {'missing' if off > 0 else 'too many'}"
        yield f"look: issued were {money(issued, CENTS)}; {parts} are {money(issued - off, CENTS)}: {lacks}."
    else:
        yield f"Issued {money(issued, CENTS)} = {parts}."


def bank_moves(scope: Scope) -> Iterator[BankMove]:
    """What went into the chip bank of the cage and out of it, at the cage and at every table, in its order."""
    due, opened = 0, set[str]()
    games = [table for table in scope.games if opening_of(scope.journal, table).body.get("wallets")]
    events = [(where, *each) for where in (HOUSE_FLOOR, *games) for each in scope.floor_events(where)]
    for where, entry, event in sorted(events, key=lambda each: instant(each[1].time)):
        match event:
            case cage.ChipBankCounted():
                variance, due = event.total - due, event.total
                yield BankMove(where, entry, "bank counted", event, due, variance)
            case cage.ChipBankEvent():
                due += event.way * event.total
                yield BankMove(where, entry, f"{event.significant.removeprefix('chips ')}: {event.reason}", event, due)
            case cage.Slip():
                due -= event.way * event.total
                yield BankMove(where, entry, event.called, event, due)
            case cage.FloatCounted() if where not in opened:
                opened.add(where)
                due -= event.total
                yield BankMove(where, entry, "to the table, at its first count", event, due)
            case _:
                pass
