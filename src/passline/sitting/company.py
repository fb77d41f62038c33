"""The others at a table: who they are, when they come and go, who takes the dice, and what they bet before a roll."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from passline.engine import commands as c
from passline.engine import limits, shooting
from passline.engine.commands import Command
from passline.engine.kinds import Fire, Hardway, Number, OneRoll, Split
from passline.engine.layout import Layout, Spot
from passline.engine.refusals import Refusal
from passline.engine.table import Seat, TableState
from passline.sitting.amounts import nearest_booked
from passline.strategies.player.follower import Guest
from passline.telling.stick import come_of, line_of

if TYPE_CHECKING:
    from passline.table import Moment, Table


class View(NamedTuple):
    layout: Layout
    table: TableState
    seat: int
    own: Seat
    unit: int

    def of_kind(self, *kinds: type) -> list[Spot]:
        return [spot for spot in self.layout.offered() if isinstance(spot.rule.terms, kinds)]

    def bet(self, spot: Spot | None, about: int) -> Iterator[Command]:
        """A bet of about so much, unless the dealers would say no or the rail is too thin for it."""
        if spot is None or about > self.own.rail:
            return
        amount = nearest_booked(self.layout, self.table, self.seat, spot.key, about)
        if not isinstance(amount, Refusal) and amount <= 2 * about:
            yield c.Bet(self.seat, spot.key, amount)

    def least(self, spots: list[Spot], rng: Random, chance: float) -> Iterator[Command]:
        """Now and then about the least that the sign allows: nobody puts fifteen on a hardway that takes one."""
        free = [spot for spot in spots if spot.key not in self.own.felt]
        if free and rng.random() < chance:
            spot = rng.choice(free)
            yield from self.bet(spot, max(limits.minimum(self.table.notice, spot), self.table.notice.chip))


class Regular(NamedTuple):
    name: str
    bets: Callable[[View, Random], Iterator[Command]]
    takes_dice: int  # how often, in a hundred offers, they want to shoot
    passes_dice: int  # how often, in a hundred come-outs of their own, they give the dice up
    buys_in: int


def _line_and_odds(view: View, rng: Random) -> Iterator[Command]:
    """The cautious one: the line, single or double odds behind it, and now and then one come bet."""
    line, come, felt, spots = line_of(view.layout, dont=False), come_of(view.layout), view.own.felt, view.layout.spots
    if line is None:
        return
    if line.key not in felt:
        yield from view.bet(line, view.unit)
    elif line.odds and line.odds not in felt:
        yield from view.bet(spots[line.odds], felt[line.key].stake * rng.choice((1, 2)))
    elif rng.random() < 0.3 and come and come.key not in felt and not any(spots[key].has_travelled for key in felt):
        yield from view.bet(come, view.unit)


def _against(view: View, rng: Random) -> Iterator[Command]:
    """The one who bets that the dice miss, and sometimes lays odds; where nobody can, with the shooter."""
    line, felt = line_of(view.layout, dont=True), view.own.felt
    if line is None:
        yield from _line_and_odds(view, rng)
    elif line.key not in felt:
        yield from view.bet(line, view.unit * rng.choice((1, 1, 2)))
    elif line.odds and line.odds not in felt and rng.random() < 0.5:
        yield from view.bet(view.layout.spots[line.odds], felt[line.key].stake * 2)


def _hard_ways(view: View, rng: Random) -> Iterator[Command]:
    """The one with a hunch: the line to be allowed to shoot, then the middle of the table."""
    if not any(key in view.own.felt for key in view.layout.line):
        yield from view.bet(line_of(view.layout, dont=False), view.unit)
    if view.table.puck:
        yield from view.least(view.of_kind(Hardway), rng, 0.6)
    yield from view.least(view.of_kind(OneRoll, Split, Fire), rng, 0.25)


def _place_and_press(view: View, rng: Random) -> Iterator[Command]:
    """The one who covers numbers in the middle and presses while it lasts."""
    own, table = view.own, view.table
    if table.shooter == view.seat and not any(key in own.felt for key in view.layout.line):
        yield from view.bet(line_of(view.layout, dont=False), view.unit)
    if not table.puck:
        return
    for spot in _middle_numbers(view):
        if spot.number == table.puck:
            continue
        lot = spot.prices[0].price.per * table.notice.chip
        unit = -(-view.unit // lot) * lot
        if spot.key not in own.felt or (own.felt[spot.key].stake < 8 * unit and rng.random() < 0.25):
            yield from view.bet(spot, unit)


def _middle_numbers(view: View) -> list[Spot]:
    """The two numbers nearest seven, each at its best price without commission."""
    numbers = (spot for spot in view.of_kind(Number) if spot.side == "do" and not spot.rule.commission)
    best = {spot.number: spot for spot in sorted(numbers, key=lambda spot: spot.prices[0].price.rate)}
    return [best[number] for number in sorted(best, key=lambda number: (abs(number - 7), number))[:2]]


ROSTER = (
    Regular("Rosa", _line_and_odds, takes_dice=80, passes_dice=8, buys_in=60),
    Regular("Mick", _hard_ways, takes_dice=95, passes_dice=2, buys_in=50),
    Regular("Dov", _against, takes_dice=30, passes_dice=15, buys_in=80),
    Regular("Pearl", _place_and_press, takes_dice=65, passes_dice=5, buys_in=70),
    Regular("Otis", _line_and_odds, takes_dice=70, passes_dice=5, buys_in=40),
    Regular("Vera", _place_and_press, takes_dice=50, passes_dice=5, buys_in=90),
    Regular("Lou", _hard_ways, takes_dice=90, passes_dice=3, buys_in=30),
    Regular("Nell", _against, takes_dice=40, passes_dice=10, buys_in=60),
)
BY_NAME = {regular.name: regular for regular in ROSTER}
COMPANY_MAX = len(ROSTER)

OFFERS_MAX = 4 * (COMPANY_MAX + 1)  # how often the stick asks round the table before giving up
GUEST_BUYS_IN = 100
NEWCOMER = 0.08  # how likely an empty place is taken before a come-out


class Company:
    """The others at one person's table: regulars, and guests who follow strategies. None asks for what is refused."""

    def __init__(  # noqa: PLR0913, PLR0917 - a table, a person, and who is there with them
        self,
        table: Table,
        me: int,
        size: int,
        seed: str,
        guests: Sequence[Guest] = (),
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`note` is called once for each kind of refusal that a guest meets.

        Their moods come from `seed`: the same at the same moment of the same evening.
        """
        self.table, self.me, self.size, self.seed, self.guests, self._note = table, me, size, seed, guests, note
        self._heard: tuple[int, Moment | None] = 0, None
        self._noted: set[tuple[str, str, str]] = set()

    def arrive(self) -> None:
        for _ in range(self.size):
            self._seat_one()

    def welcome(self) -> None:
        self._listen()
        for guest in self.guests:
            if not guest.sat:
                self._seat(guest.name, GUEST_BUYS_IN)

    def turn(self) -> None:
        """Before a roll the others come, go, take or decline the dice, and bet."""
        table, rng = self.table, self._luck("turn")
        if table.state.phase != "betting":
            return
        here = sum(1 for number, seat in table.state.seats.items() if number != self.me and not seat.away)
        if not table.state.puck and here < self.size and rng.random() < NEWCOMER:
            self._seat_one()
        if (shooter := table.shooter) is not None and shooter != self.me and not table.state.puck:
            holder = BY_NAME.get(table.state.seats[shooter].name)
            if holder is not None and rng.randrange(100) < holder.passes_dice:
                self._ask(c.PassDice(shooter))
        self.offer_round()
        self._listen()
        theirs = {self.me, *(guest.seat for guest in self.guests)}
        for guest in self.guests:
            self._have_bet(guest)
        for number in sorted(table.state.seats):
            if number not in theirs and number in table.state.seats:
                state = table.state
                self._regular_bets(View(table.house.layout, state, number, state.seats[number], state.notice.least))

    def _regular_bets(self, view: View) -> None:
        regular = BY_NAME.get(view.own.name)
        if regular is None or view.own.away:
            return
        if not view.own.felt and view.own.rail < view.unit:
            self._ask(c.Leave(view.seat))
            return
        for command in tuple(regular.bets(view, self._luck(f"seat {view.seat}"))):
            self._ask(command)

    def _have_bet(self, guest: Guest) -> None:
        for command in guest.asks(self.table.state):
            self._ask(command)
        for no in guest.refused:
            if (about := (guest.name, no.wager, no.refusal.code)) not in self._noted:
                self._noted.add(about)
                self._note(f"{guest.name} is refused {no.wager}: {no.refusal.message}")

    def offer_round(self) -> None:
        """Offers the dice round until someone takes them, or it is the person's turn to answer."""
        rng = self._luck("offer")
        for _ in range(OFFERS_MAX):
            seat = self.table.offered
            if seat is None or seat == self.me:
                return
            regular = BY_NAME.get(self.table.state.seats[seat].name)
            if any(guest.seat == seat for guest in self.guests):
                wants = shooting.has_line_bet(self.table.house.layout, self.table.state, seat)
            else:
                wants = regular is not None and rng.randrange(100) < regular.takes_dice
            self._ask(c.Shoot(seat) if wants else c.Decline(seat))

    def find_shooter(self) -> None:
        """Finds a shooter: the person if they bet the line, else the first other player who may."""
        table, layout = self.table, self.table.house.layout
        seats = sorted(table.state.seats, key=lambda seat: (seat != self.me, seat))
        willing = [seat for seat in seats if shooting.has_line_bet(layout, table.state, seat)]
        if table.offered == self.me and self.me in willing:
            self._ask(c.Shoot(self.me))
        if table.shooter is None and isinstance(shooting.who_throws(layout, table.state), Refusal):
            for seat in willing[:1]:
                self._ask(c.Shoot(seat))

    def _seat_one(self) -> None:
        """The next guest who never was here, or the next of the roster who is not, takes the first free seat."""
        self._listen()
        here = {seat.name for seat in self.table.state.seats.values()}
        newcomers = [(guest.name, GUEST_BUYS_IN) for guest in self.guests if not guest.sat]
        newcomers += [(regular.name, regular.buys_in) for regular in ROSTER if regular.name not in here]
        for name, buys_in in newcomers[:1]:
            self._seat(name, buys_in)

    def _seat(self, name: str, bets: int) -> None:
        seats, notice = self.table.state.seats, self.table.state.notice
        seat = next(number for number in range(1, len(seats) + 2) if number not in seats)
        self._ask(c.Sit(seat, name, bets * notice.least))
        self._listen()

    def _listen(self) -> None:
        """Passes new events on to the guests; after an undo, the whole history."""
        history, (read, last) = self.table.history, self._heard
        if not self.guests or not history:
            return
        if len(history) < read or (read and history[read - 1] is not last):
            read = 0
            for guest in self.guests:
                guest.forget()
        for place in range(read, len(history)):
            after = history[place + 1].before if place + 1 < len(history) else self.table.state
            for guest in self.guests if history[place].events else ():
                guest.hear(self.table.house.layout, history[place].events, after)
        self._heard = len(history), history[-1]

    def _ask(self, command: Command) -> None:
        if not isinstance(self.table.would(command), Refusal):
            self.table.do(command)

    def _luck(self, about: str) -> Random:
        return Random(f"{self.seed} {len(self.table.history)} {about}")  # noqa: S311 - players' moods, not dice
