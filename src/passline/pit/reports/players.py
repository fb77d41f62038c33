"""What a journal says of players: any roll again, their own last rolls, their ratings, their statement."""

import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from passline.codec import to_data
from passline.engine import events as e
from passline.engine.events import DiceThrown, OutcomeStruckOut
from passline.engine.floor_rules import CageHabits
from passline.engine.layout import Layout
from passline.engine.table import Seat, TableState
from passline.engine.values import CENTS, money
from passline.errors import ArgumentError
from passline.floor.clock import MINUTE, elapsed
from passline.floor.names import folded
from passline.journal.contract import Journal
from passline.live.books import CAGE, carried
from passline.live.state import HOUSE_FLOOR, Moment
from passline.odds.wagers.walk import Bank, pay, standing
from passline.pit.history import BOOKED, History
from passline.pit.reports.sheets import Made, Row, Scope, layout_at, looks
from passline.telling.sentences import say

LAST = 50  # how many rolls of a player are told
ROLLS = ("rolled", "roll_voided")


def recall(journal: Journal, table: str, sequence: int) -> dict[str, Any]:
    """One roll whole, by the number of its entry: every seat's bets and funds, and whether it was struck out."""
    layout = layout_at(journal, table)
    for moment, struck in _rolls(journal, table):
        if moment.entry.sequence == sequence:
            seats = {number: _seat(layout, moment, number) for number in moment.before.table.seats}
            return {**_roll(layout, moment, struck), "seats": seats}
    raise ArgumentError("entry", str(sequence), f"the number of an entry of {table} that is a roll")


def last_rolls(journal: Journal, table: str, player: str) -> list[dict[str, Any]]:
    layout = layout_at(journal, table)
    rolls: deque[dict[str, Any]] = deque(maxlen=LAST)
    for moment, struck in _rolls(journal, table):
        for number, seat in moment.before.table.seats.items():
            if folded(seat.name) == folded(player):
                rolls.append({**_roll(layout, moment, struck), "seat": number, **_seat(layout, moment, number)})
    return list(rolls)


def _rolls(journal: Journal, table: str) -> Iterator[tuple[Moment, bool]]:
    """Every roll of a table, once it is known whether it was struck out."""
    waiting: Moment | None = None
    for moment in History(journal, table).more():
        struck = any(isinstance(event, OutcomeStruckOut) for event in moment.events)
        if waiting is not None and (struck or moment.entry.kind in ROLLS):
            yield waiting, struck
            waiting = None
        if moment.entry.kind in ROLLS:
            waiting = moment
    if waiting is not None:
        yield waiting, False


def _roll(layout: Layout, moment: Moment, struck: bool) -> dict[str, Any]:  # noqa: FBT001 - a fact of the roll
    entry, body, before = moment.entry, moment.entry.body, moment.before.table
    return {
        "table": entry.table,
        "entry": entry.sequence,
        "time": entry.time,
        "by": f"{entry.actor} ({entry.role})",
        "roll": body["roll"],
        "dice": body.get("dice"),
        "puck": before.puck or "off",
        "void": entry.kind == "roll_voided",
        "struck_out": struck,
        "sentences": [say(layout, before, event) for event in moment.events],
    }


def in_words(rolls: list[dict[str, Any]]) -> list[str]:
    lines: list[str] = []
    for roll in rolls:
        dice = "void" if roll["void"] else "-".join(map(str, roll["dice"]))
        puck = "off" if roll["puck"] == "off" else f"on {roll['puck']}"
        struck = ", struck out later" if roll["struck_out"] else ""
        at = f"{roll['table']}, entry {roll['entry']}, {roll['time']}, by {roll['by']}"
        lines += [f"Roll {roll['roll']}: {dice}, the puck {puck}{struck} ({at})."]
        lines += [f"  {sentence}" for sentence in roll["sentences"]]
        seats = roll["seats"].items() if "seats" in roll else [(roll["seat"], roll)]
        for number, seat in seats:
            up = ", ".join(f"{amount} on {wager}" for wager, amount in seat["bets"].items()) or "no bets"
            after = "gone" if seat["funds_after"] is None else f"{seat['funds_after']} after"
            lines += [f"  Seat {number}, {seat['name']}: {up}; {seat['funds_before']} before, {after}."]
    return lines


def _seat(layout: Layout, moment: Moment, number: int) -> dict[str, Any]:
    before, after = moment.before.table.seats[number], moment.after.table.seats.get(number)
    return {
        "name": before.name,
        "bets": {key: layout.money(wager.stake) for key, wager in before.felt.items()},
        "funds_before": layout.money(funds(before)),
        "funds_after": None if after is None else layout.money(funds(after)),
        "settled": [to_data(event) for event in moment.events if getattr(event, "seat", None) == number],
    }


def funds(seat: Seat | None) -> int:
    """All that is somebody's at a table: rail, felt, commission held; tokens are not money."""
    if seat is None:
        return 0
    return seat.rail + sum(wager.stake - wager.tokens + wager.held for wager in seat.felt.values())


ROLLS_WITHIN = 5_000  # entries in which somebody's last rolls are looked for first


def own_last_rolls(journal: Journal, table: str, person: str) -> list[dict[str, Any]]:
    """The last rolls while somebody sat there: dice, what was up, what each wager came to, money before and after."""
    head = journal.head(table)
    rolls: list[dict[str, Any]] = []
    for since in sorted({0, max(0, head.sequence - ROLLS_WITHIN) if head else 0}, reverse=True):
        rolls = [
            _own_roll(moment, seat)
            for moment in History(journal, table, since).more()
            if moment.entry.kind in (*ROLLS, "corrected")
            for seat in moment.before.table.seats
            if moment.before.owner(seat) == person
        ]
        if len(rolls) >= LAST:
            break
    return rolls[-LAST:]


def _own_roll(moment: Moment, seat: int) -> dict[str, Any]:
    entry = moment.entry
    before, after = (each.table.seats.get(seat) for each in (moment.before, moment.after))
    thrown = next((event for event in moment.events if isinstance(event, DiceThrown)), None)
    assert before is not None, "they sat there"
    mine = [event for event in entry.body.get("events", ()) if event.get("seat") == seat]
    cashed = sum(event.get("held", 0) for event in mine if event["kind"] == "event.seat_cleared")
    return {
        "sequence": entry.sequence,
        "time": entry.time,
        "kind": entry.kind,
        "reason": entry.body.get("reason"),
        "roll": entry.body.get("roll"),
        "dice": [thrown.first, thrown.second] if thrown else None,
        "puck": moment.before.table.puck,
        "seat": seat,
        "up": {key: wager.stake for key, wager in before.felt.items()},
        "events": mine,
        "funds_before": funds(before),
        "funds_after": funds(after) + (cashed if after is None else 0),
    }


@lru_cache(maxsize=50_000)
def _future(bank: Bank, key: str, mark: int, puck: int) -> tuple[Fraction, Fraction]:
    """What a wager that stands there brings its player on average until it is decided, as paid, and its variance."""
    walk, stake = standing(bank.layout, bank.layout.spots[key], puck, mark), bank.stake
    nets = pay(bank, walk).nets
    mean, square = (sum(chance * nets[end] ** power for end, chance in walk.endings.items()) for power in (1, 2))
    return Fraction(mean * stake), Fraction((square - mean**2) * stake**2)


def _futures(layout: Layout, table: TableState, seat: int, keys: Iterable[str] | None = None) -> list[Fraction]:
    """The same of all that somebody has up, tokens left out: mean and variance."""
    mean = variance = Fraction(0)
    felt = table.seats[seat].felt if seat in table.seats else {}
    for key in felt if keys is None else keys:
        wager = felt.get(key)
        if wager is not None and wager.stake > wager.tokens:
            bank = Bank(layout, wager.stake - wager.tokens, table.notice.chip)
            here = _future(bank, key, wager.mark, table.puck)
            mean, variance = mean + here[0], variance + here[1]
    return [mean, variance]


@dataclass
class Rating:
    """What a player's bets were worth to the house at one table, in minor units."""

    since: str = ""
    minutes: int = 0
    decisions: int = 0
    handle: int = 0
    rolls: int = 0  # at how many of the rolls they had something up
    up: int = 0  # all that was up at them: by the roll, what somebody who rates on paper sees
    theoretical: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    won: int = 0  # what the house won of them

    def deviations(self) -> str:
        if self.variance <= 0:
            return ""
        return f"{float(self.won - self.theoretical) / math.sqrt(self.variance):.1f}"


class Ratings:
    """Rates the players of one table, entry by entry.

    Whatever somebody does to their bets costs them what their bets are worth less afterwards: a bet made costs its
    edge, one taken down gives back what was not played. A roll costs nothing by itself; a winner left up is a new bet.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.players: dict[str, Rating] = {}
        # What the last roll was booked with: taken back where it is struck out.
        self._last: list[tuple[str, Fraction]] = []
        self._before: TableState | None = None

    def see(self, moment: Moment) -> None:
        before, after = moment.before.table, moment.after.table
        bought: Counter[int] = Counter()
        for each in carried(moment.events):
            bought[each.seat] += each.amount
        struck = any(isinstance(each, OutcomeStruckOut) for each in moment.events)
        if struck:
            for name, booked in self._last:
                self.players[name].theoretical -= booked
        rolled = moment.entry.kind == "rolled"
        if struck or rolled:
            self._last = []
        for seat in before.seats.keys() | after.seats.keys():
            was, now = before.seats.get(seat), after.seats.get(seat)
            if was is now and not rolled:
                continue
            name = moment.after.owners.get(seat) or moment.before.owners.get(seat) or f"seat {seat}"
            rating = self.players.setdefault(name, Rating())
            self._time(rating, moment, was, now)
            rating.won -= funds(now) - funds(was) - bought[seat]
            if rolled and was is not None and (up := sum(each.stake - each.tokens for each in was.felt.values())):
                rating.rolls, rating.up = rating.rolls + 1, rating.up + up
            self._decided(rating, moment, seat, struck=struck)
            self._book(name, rating, moment, seat, struck=struck)
        if rolled:
            self._before = before

    def _time(self, rating: Rating, moment: Moment, was: Seat | None, now: Seat | None) -> None:
        sits = now is not None and not now.away
        if sits and not rating.since:
            rating.since = moment.entry.time
        elif rating.since and not sits and was is not None:
            rating.minutes += round(elapsed(rating.since, moment.entry.time) / MINUTE)
            rating.since = ""

    def _decided(self, rating: Rating, moment: Moment, seat: int, *, struck: bool) -> None:
        for event in moment.events:
            if isinstance(event, e.WagerWon | e.WagerLost | e.WagerPushed) and event.seat == seat:
                rating.decisions += 1
                rating.handle += event.stake
        if struck and self._before is not None:
            decided = self._before.seats.get(seat)
            felt = moment.before.table.before.decided if moment.before.table.before is not None else ()
            for number, key in felt:
                if number == seat and decided is not None and key in decided.felt:
                    rating.decisions -= 1
                    rating.handle -= decided.felt[key].stake

    def _book(self, name: str, rating: Rating, moment: Moment, seat: int, *, struck: bool) -> None:
        before, after = moment.before.table, moment.after.table
        if moment.entry.kind == "rolled":
            won = (each for each in moment.events if isinstance(each, e.WagerWon | e.WagerPushed))
            mean, variance = _futures(self.layout, after, seat, {each.wager for each in won if each.seat == seat})
            self._last.append((name, -mean))
            booked, more = -mean, variance
        else:
            then = self._before if struck and self._before is not None else before
            (was, had), (now, has) = _futures(self.layout, then, seat), _futures(self.layout, after, seat)
            mine = [each for each in moment.events if getattr(each, "seat", None) == seat]
            kept = sum(each.kept for each in mine if isinstance(each, e.WagerDown))
            # What no dice decided was settled at its worth: nothing of it was not played.
            worth = sum(each.net for each in mine if isinstance(each, e.WagerWon | e.WagerLost))
            booked, more = was - now + kept - worth, max(Fraction(0), has - had)
        rating.theoretical += booked
        rating.variance += more


def _rated_at(scope: Scope, table: str) -> tuple[Ratings, str]:
    """Who played at a table, and when it was last heard of."""
    rater, last = Ratings(scope.layout(table)), ""
    for moment in scope.moments(table):
        rater.see(moment)
        last = moment.entry.time
    return rater, last


def ratings(scope: Scope) -> Made:
    """Everybody who played: time, average bet, theoretical win exactly and on paper, comps by the house's rule."""
    for table in scope.games:
        rater, last = _rated_at(scope, table)
        for name, each in sorted(rater.players.items()):
            yield table, name, *_rated(rater.layout, each, last)


def earned(scope: Scope) -> dict[str, Fraction]:
    """By player: what the house's rule gives them for what they played at all tables, in minor units."""
    comps: defaultdict[str, Fraction] = defaultdict(Fraction)
    for rater, _ in (_rated_at(scope, table) for table in scope.games):
        for name, each in rater.players.items():
            comps[folded(name)] += _comp(rater.layout, each)
    return comps


def _comp(layout: Layout, rating: Rating) -> Fraction:
    return max(Fraction(0), rating.theoretical) * Fraction(layout.book.floor.cage.comp_percent, 100)


def _rated(layout: Layout, rating: Rating, last: str) -> Row:
    rules, money = layout.book.floor.cage, layout.money
    minutes = rating.minutes + (round(elapsed(rating.since, last) / MINUTE) if rating.since else 0)
    average, seen = Fraction(rating.handle, rating.decisions or 1), Fraction(rating.up, rating.rolls or 1)
    paper = on_paper(rules, seen, minutes)
    sums = (money(round(each)) for each in (average, Fraction(rating.won), rating.theoretical))
    ends = (money(round(each)) for each in (seen, paper, paper - rating.theoretical, _comp(layout, rating)))
    return minutes, rating.decisions, money(rating.handle), *sums, rating.deviations(), *ends


def on_paper(rules: CageHabits, seen: Fraction, minutes: int) -> Fraction:
    """What a player is worth to whoever looks at the felt now and then, and multiplies."""
    edge = Fraction(rules.paper_edge_hundredths, 10_000)
    return seen * rules.paper_decisions_an_hour * Fraction(minutes, 60) * edge


@dataclass
class Pair:
    """What one of the crew booked for one player at a table, in minor units."""

    bets: int = 0
    staked: int = 0
    wins: int = 0
    net: int = 0
    late: int = 0  # how many of them were asked for with the dice out, and booked afterwards

    def look(self, by: str) -> str:
        won = "most of them won" if self.bets > 1 and 2 * self.wins > self.bets else "it won" if self.net > 0 else ""
        return looks(f"{by} had asked for it with the dice out" if self.late else "", won)


def booked(scope: Scope) -> Made:
    """Bets that the crew put up for players, by who did it for whom, and what became of them."""
    for table in scope.games:
        money = scope.layout(table).money
        for (by, player), each in sorted(_pairs(scope.moments(table)).items()):
            yield table, by, player, each.bets, money(each.staked), each.wins, money(each.net), each.look(by)


def _pairs(moments: Iterable[Moment]) -> dict[tuple[str, str], Pair]:
    pairs: dict[tuple[str, str], Pair] = {}
    open_bets: dict[tuple[int, str], Pair] = {}
    # Who was refused what with the dice out: the same bet booked afterwards is a past-posted one.
    late: set[tuple[str, object, object]] = set()
    for moment in moments:
        body, actor = moment.entry.body, moment.entry.actor
        command = body.get("command") or {}
        crew = moment.entry.role != "player" and command.get("kind") in BOOKED
        if crew and body.get("refusal", {}).get("code") == "table.bets_closed":
            late.add((actor, command.get("seat"), command.get("wager")))
        for event in moment.events:
            if isinstance(event, e.WagerUp) and crew:
                pair = pairs.setdefault((actor, moment.after.owner(event.seat) or ""), Pair())
                open_bets[event.seat, event.wager] = pair
                pair.bets, pair.staked = pair.bets + 1, pair.staked + event.added
                pair.late += (actor, event.seat, event.wager) in late
            elif isinstance(event, e.WagerWon | e.WagerLost) and (event.seat, event.wager) in open_bets:
                pair = open_bets.pop((event.seat, event.wager))
                pair.wins, pair.net = pair.wins + isinstance(event, e.WagerWon), pair.net + event.net
    return pairs


WORDS = {"pay_in": "paid in", "pay_out": "paid out", "buy_in": "bought chips", "colour_up": "returned chips"}


def statement(scope: Scope) -> Made:
    """All that moved in a player's wallet, over all tables, with what is left in it after each."""
    who = folded(scope.player)
    if not who:
        raise ArgumentError("player", repr(scope.player), "whose statement it is")
    left = 0
    for entry in scope.cage_acts():
        body = entry.body
        if body["player"] != who:
            continue
        amount = body["amount"] if body["act"] in ("pay_in", "colour_up") else -body["amount"]
        left += amount
        if scope.within.has(entry.time):
            where = CAGE if body["table"] in (None, HOUSE_FLOOR) else body["table"]
            sums = (money(amount, CENTS), money(left, CENTS))
            yield entry.time, where, body["sequence"] or entry.sequence, WORDS[body["act"]], *sums, entry.actor
    yield f"The wallet of {scope.player} over all tables."
