"""The other players: what they bet, and whether they want the dice, from what lies on the table and a little luck."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from passline.engine import commands as c
from passline.engine import limits
from passline.engine.commands import Command
from passline.engine.kinds import Hardway, Line, Number, OneRoll, Split
from passline.engine.layout import Layout, Spot
from passline.engine.refusals import Refusal
from passline.engine.table import Seat, TableState
from passline.engine.tallies import Fire
from passline.engine.values import Price
from passline.sitting.amounts import nearest_booked


@dataclass(frozen=True, slots=True)
class View:
    layout: Layout
    table: TableState
    seat: int

    @property
    def own(self) -> Seat:
        return self.table.seats[self.seat]

    @property
    def unit(self) -> int:
        return max(self.table.notice.minimum, self.table.notice.chip)

    def line(self, side: str) -> Spot | None:
        spots = (self.layout.spots[key] for key in self.layout.line)
        return next(
            (spot for spot in spots if isinstance(spot.rule.terms, Line) and spot.rule.terms.side == side), None
        )

    def of_kind(self, *kinds: type) -> list[Spot]:
        return [spot for spot in self.layout.offered() if isinstance(spot.rule.terms, kinds)]

    def bet(self, spot: Spot | None, about: int) -> Iterator[Command]:
        """A bet of about so much, unless the dealers would say no or the rail is too thin for it."""
        if spot is None or about > self.own.rail:
            return
        amount = nearest_booked(self.layout, self.table, self.seat, spot.key, about)
        if not isinstance(amount, Refusal) and amount <= 2 * about:
            yield c.Bet(self.seat, spot.key, amount)

    def least(self, spot: Spot) -> Iterator[Command]:
        """A bet of about the least that the sign allows there: nobody puts fifteen on a hardway that takes one."""
        yield from self.bet(spot, max(limits.minimum(self.table.notice, spot), self.table.notice.chip))


@dataclass(frozen=True, slots=True)
class Regular:
    name: str
    character: str
    bets: Callable[[View, Random], Iterator[Command]]
    takes_dice: int
    """How often, in a hundred offers, they want to shoot."""
    passes_dice: int
    """How often, in a hundred come-outs of their own, they give the dice up."""
    buys_in: int


# --- Characters -----------------------------------------------------------------------------------------------------


def _line_and_odds(view: View, rng: Random) -> Iterator[Command]:
    """The cautious one: the line, single or double odds behind it, and now and then one come bet."""
    line = view.line("do")
    if line is None:
        return
    if line.key not in view.own.felt:
        yield from view.bet(line, view.unit)
    elif line.odds and line.odds not in view.own.felt:
        yield from view.bet(view.layout.spots[line.odds], view.own.felt[line.key].stake * rng.choice((1, 2)))
    elif rng.random() < 0.3:
        come = [spot for spot in view.of_kind(Line) if not spot.is_line and not spot.is_dont]
        travelled = any(view.layout.spots[key].has_travelled for key in view.own.felt)
        if come and not travelled and come[0].key not in view.own.felt:
            yield from view.bet(come[0], view.unit)


def _against(view: View, rng: Random) -> Iterator[Command]:
    """The one who bets that the dice miss, and sometimes lays odds; where nobody can, with the shooter."""
    line = view.line("dont")
    if line is None:
        yield from _line_and_odds(view, rng)
        return
    if line.key not in view.own.felt:
        yield from view.bet(line, view.unit * rng.choice((1, 1, 2)))
    elif line.odds and line.odds not in view.own.felt and rng.random() < 0.5:
        yield from view.bet(view.layout.spots[line.odds], view.own.felt[line.key].stake * 2)


def _hard_ways(view: View, rng: Random) -> Iterator[Command]:
    """The one with a hunch: the line to be allowed to shoot, then the middle of the table."""
    if not any(key in view.own.felt for key in view.layout.line):
        yield from view.bet(view.line("do"), view.unit)
    hards = [spot for spot in view.of_kind(Hardway) if spot.key not in view.own.felt]
    if view.table.puck and hards and rng.random() < 0.6:
        yield from view.least(rng.choice(hards))
    fancies = [spot for spot in view.of_kind(OneRoll, Split, Fire) if spot.key not in view.own.felt]
    if fancies and rng.random() < 0.25:
        yield from view.least(rng.choice(fancies))


def _place_and_press(view: View, rng: Random) -> Iterator[Command]:
    """The one who covers numbers in the middle and presses while it lasts."""
    own, table = view.own, view.table
    if table.shooter == view.seat and not any(key in own.felt for key in view.layout.line):
        yield from view.bet(view.line("do"), view.unit)
    if not table.puck:
        return
    for spot, price in _middle_numbers(view):
        if spot.number == table.puck:
            continue
        unit = -(-view.unit // (price.per * table.notice.chip)) * price.per * table.notice.chip
        if spot.key not in own.felt or (own.felt[spot.key].stake < 8 * unit and rng.random() < 0.25):
            yield from view.bet(spot, unit)


def _middle_numbers(view: View) -> list[tuple[Spot, Price]]:
    """The two numbers nearest seven, each at its best price without commission."""
    best: dict[int, tuple[Spot, Price]] = {}
    for spot in view.of_kind(Number):
        terms = spot.rule.terms
        if not isinstance(terms, Number) or terms.side != "do" or spot.rule.commission:
            continue
        price = terms.pays[spot.number].value
        if spot.number not in best or price.rate > best[spot.number][1].rate:
            best[spot.number] = (spot, price)
    return [best[number] for number in sorted(best, key=lambda number: (abs(number - 7), number))[:2]]


ROSTER = (
    Regular("Rosa", "plays the line with odds", _line_and_odds, takes_dice=80, passes_dice=8, buys_in=60),
    Regular("Mick", "loves a hardway", _hard_ways, takes_dice=95, passes_dice=2, buys_in=50),
    Regular("Dov", "bets against the dice", _against, takes_dice=30, passes_dice=15, buys_in=80),
    Regular("Pearl", "places numbers and presses", _place_and_press, takes_dice=65, passes_dice=5, buys_in=70),
    Regular("Otis", "plays the line with odds", _line_and_odds, takes_dice=70, passes_dice=5, buys_in=40),
    Regular("Vera", "places numbers and presses", _place_and_press, takes_dice=50, passes_dice=5, buys_in=90),
    Regular("Lou", "loves a hardway", _hard_ways, takes_dice=90, passes_dice=3, buys_in=30),
    Regular("Nell", "bets against the dice", _against, takes_dice=40, passes_dice=10, buys_in=60),
)

BY_NAME = {regular.name: regular for regular in ROSTER}


# --- What they do ---------------------------------------------------------------------------------------------------


def acts(layout: Layout, table: TableState, seat: int, rng: Random) -> tuple[Command, ...]:
    """What a regular asks of the table before the next throw; nothing where the seat is no regular's."""
    regular = BY_NAME.get(table.seats[seat].name)
    if regular is None or table.seats[seat].away:
        return ()
    view = View(layout, table, seat)
    if not view.own.felt and view.own.rail < view.unit:
        return (c.Leave(seat),)
    return tuple(regular.bets(view, rng))


def answer_to_offer(table: TableState, seat: int, rng: Random) -> Command:
    regular = BY_NAME.get(table.seats[seat].name)
    wants = regular is not None and rng.randrange(100) < regular.takes_dice
    return c.Shoot(seat) if wants else c.Decline(seat)


def gives_up_dice(table: TableState, seat: int, rng: Random) -> bool:
    """Whether a regular who holds the dice on a come-out has had enough of them."""
    regular = BY_NAME.get(table.seats[seat].name)
    return regular is not None and not table.puck and rng.randrange(100) < regular.passes_dice
