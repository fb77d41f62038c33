"""The others at a table: when they come and go, who takes the dice, and what they bet before a roll."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from passline.engine import commands as c
from passline.engine import shooting
from passline.engine.commands import Command
from passline.engine.refusals import Refusal
from passline.sitting import regulars

if TYPE_CHECKING:
    from passline.table import Table

COMPANY_MAX = len(regulars.ROSTER)
"""How many regulars there are."""

OFFERS_MAX = 4 * (COMPANY_MAX + 1)
"""How often the stick asks round the table before giving up."""

NEWCOMER = 0.08
"""How likely an empty place is taken before a come-out."""


class Company:
    """The regulars at one person's table; what the dealers would refuse they do not ask for."""

    def __init__(self, table: Table, me: int, size: int, seed: str) -> None:
        self.table = table
        self.me = me
        """The seat of the person, for whom nobody else decides."""
        self.size = size
        """How many regulars the table should have."""
        self.seed = seed
        """Where their moods come from: the same at the same moment of the same evening."""

    def arrive(self) -> None:
        for _ in range(self.size):
            self._seat_one()

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
        for number in sorted(table.state.seats):
            if number != self.me and number in table.state.seats:
                luck = self._luck(f"seat {number}")
                for command in regulars.acts(table.house.layout, table.state, number, luck):
                    self._ask(command)

    def offer_round(self) -> None:
        """The dice are offered round until somebody takes them or it is for the person to say."""
        rng = self._luck("offer")
        for _ in range(OFFERS_MAX):
            asked = self.table.offered
            if asked is None or asked == self.me:
                return
            self._ask(regulars.answer_to_offer(self.table.state, asked, rng))

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
        """The next of the roster who is not here takes the first free seat."""
        seats, notice = self.table.state.seats, self.table.state.notice
        here = {seat.name for seat in seats.values()}
        regular = next((regular for regular in regulars.ROSTER if regular.name not in here), None)
        if regular is not None:
            seat = next(number for number in range(1, len(seats) + 2) if number not in seats)
            self._ask(c.Sit(seat, regular.name, regular.buys_in * max(notice.minimum, notice.chip)))

    def _ask(self, command: Command) -> None:
        if not isinstance(self.table.would(command), Refusal):
            self.table.do(command)

    def _luck(self, about: str) -> Random:
        return Random(f"{self.seed} {len(self.table.history)} {about}")  # noqa: S311 - players' moods, not dice
