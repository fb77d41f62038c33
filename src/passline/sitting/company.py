"""The others at a table: when they come and go, who takes the dice, and what they bet before a roll."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING

from passline.engine import commands as c
from passline.engine import shooting
from passline.engine.commands import Command
from passline.engine.refusals import Refusal
from passline.sitting import regulars
from passline.strategies.player.follower import Guest

if TYPE_CHECKING:
    from passline.table import Moment, Table

COMPANY_MAX = len(regulars.ROSTER)

OFFERS_MAX = 4 * (COMPANY_MAX + 1)
"""How often the stick asks round the table before giving up."""

GUEST_BUYS_IN = 100

NEWCOMER = 0.08
"""How likely an empty place is taken before a come-out."""


class Company:
    """Guests, who follow strategies, and regulars at one person's table; nobody does what the dealers would refuse."""

    def __init__(  # noqa: PLR0913, PLR0917 - a table, a person, and who is there with them
        self,
        table: Table,
        me: int,
        size: int,
        seed: str,
        guests: Sequence[Guest] = (),
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`note` is told, once each, what the dealers say no to of what a guest asks for."""
        self.table, self.guests, self._note = table, guests, note
        self._heard: tuple[int, Moment | None] = 0, None
        self._noted: set[tuple[str, str, str]] = set()
        self.me = me
        self.size = size
        self.seed = seed
        """Where their moods come from: the same at the same moment of the same evening."""

    def arrive(self) -> None:
        for _ in range(self.size):
            self._seat_one()

    def welcome(self) -> None:
        self._listen()
        for guest in self.guests:
            if not guest.sat:
                self._seat(guest.name, GUEST_BUYS_IN)

    def turn(self) -> None:
        """Before a roll they come, go, take or refuse the dice, and bet; nothing moves while dice are out."""
        table, rng = self.table, self._luck("turn")
        if table.state.phase != "betting":
            return
        here = sum(1 for number, seat in table.state.seats.items() if number != self.me and not seat.away)
        if not table.state.puck and here < self.size and rng.random() < NEWCOMER:
            self._seat_one()
        shooter = table.shooter
        if shooter not in (None, self.me) and regulars.gives_up_dice(table.state, shooter, rng):
            self._ask(c.PassDice(shooter))
        self.offer_round()
        self._listen()
        theirs = {self.me, *(guest.seat for guest in self.guests)}
        for guest in self.guests:
            self._have_bet(guest)
        for number in sorted(table.state.seats):
            if number not in theirs and number in table.state.seats:
                luck = self._luck(f"seat {number}")
                for command in regulars.acts(table.house.layout, table.state, number, luck):
                    self._ask(command)

    def _have_bet(self, guest: Guest) -> None:
        for command in guest.asks(self.table.state):
            self._ask(command)
        for no in guest.refused:
            if (about := (guest.name, no.wager, no.refusal.code)) not in self._noted:
                self._noted.add(about)
                self._note(f"{guest.name} is refused {no.wager}: {no.refusal.message}")

    def offer_round(self) -> None:
        """The dice are offered round until somebody takes them or it is for the person to say."""
        rng = self._luck("offer")
        for _ in range(OFFERS_MAX):
            seat = self.table.offered
            if seat is None or seat == self.me:
                return
            self._ask(self._answer_to_offer(seat, rng))

    def _answer_to_offer(self, seat: int, rng: Random) -> Command:
        if any(guest.seat == seat for guest in self.guests):
            willing = shooting.has_line_bet(self.table.house.layout, self.table.state, seat)
            return c.Shoot(seat) if willing else c.Decline(seat)
        return regulars.answer_to_offer(self.table.state, seat, rng)

    def find_shooter(self) -> None:
        """Have somebody hold the dice: the person if they bet the line, else the first of the others who may."""
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
        guest = next((guest for guest in self.guests if not guest.sat), None)
        if guest is not None:
            self._seat(guest.name, GUEST_BUYS_IN)
            return
        here = {seat.name for seat in self.table.state.seats.values()}
        regular = next((regular for regular in regulars.ROSTER if regular.name not in here), None)
        if regular is not None:
            self._seat(regular.name, regular.buys_in)

    def _seat(self, name: str, bets: int) -> None:
        seats, notice = self.table.state.seats, self.table.state.notice
        seat = next(number for number in range(1, len(seats) + 2) if number not in seats)
        self._ask(c.Sit(seat, name, bets * max(notice.minimum, notice.chip)))
        self._listen()

    def _listen(self) -> None:
        """Have the guests hear what has happened since; where something was taken back, all of it again."""
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
