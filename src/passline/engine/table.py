"""A table between two acts: seats with their rails and felt, the puck, the dice, the notice."""

from bisect import bisect
from collections.abc import Mapping
from typing import Literal, NamedTuple

from passline.engine.values import Role

Phase = Literal["betting", "dice out", "disputed"]  # Chips may move; the dice are in the air; a face is in doubt
Call = Literal["on", "off"]  # what the button on a wager says, against the house's habit

# What became of a die: it left the table, was found, was checked, is lost for good.
DieMove = Literal["off", "found", "checked", "lost"]

SEATS_MAX = 1000  # a bound for programs; people stop at about sixteen, and every act copies the seats


class Notice(NamedTuple):
    """The sign at the table and the smallest chip in the float; amounts are minor units."""

    minimum: int
    maximum: int | None
    # How many times the flat bet odds may be (taken) or win (laid), by point; None where nothing is posted.
    odds: Mapping[int, int] | None
    chip: int
    props_minimum: int | None = None
    side: tuple[int, int] | None = None
    multiples: bool = False
    unit: int | None = None
    no_roll: Role | None = None  # who calls no roll, where the sign designates somebody

    @property
    def least(self) -> int:
        """The smallest bet that the sign and the chips allow."""
        return max(self.minimum, self.chip)


class Wager(NamedTuple):
    stake: int
    held: int = 0  # Commission paid for it and still the player's if the bet comes down
    mark: int = 0  # what a wager with memory has seen
    call: Call | None = None
    tokens: int = 0  # how much of the stake is promotional tokens
    unchecked: bool = False  # whether it reached the layout unseen and is not what the sign allows
    warned: bool = False  # whether its owner had been told before it did


class Seat(NamedTuple):
    name: str
    rail: int
    felt: Mapping[str, Wager]
    tokens: int = 0
    warned: bool = False  # whether this player was told that stakes under the minimum will be given back
    away: bool = False  # Gone, with wagers still up
    dont_banned: bool = False  # a don't bet was lowered, in a house where that bars all don't bets until a new come-out


class Dice(NamedTuple):
    """The set of dice, by number: the rest lies in the bowl."""

    in_set: int
    out: tuple[int, ...] = ()  # with the shooter
    off: tuple[int, ...] = ()  # Left the table and not found yet
    found: tuple[int, ...] = ()  # Found, waiting to be checked
    lost: tuple[int, ...] = ()
    new_set_due: bool = False  # a fresh set comes in when these dice are given up
    followed: bool = False  # whether it matters where each die is: since somebody chose dice, or one left the table
    unthrown: bool = False  # whether the shooter has not thrown since taking the dice
    strayed: bool = False  # whether a die has left the table since the last choice, or the set is new

    @property
    def bowl(self) -> tuple[int, ...]:
        away = {*self.out, *self.off, *self.found, *self.lost}
        return tuple(die for die in range(1, self.in_set + 1) if die not in away)


class Thrower(NamedTuple):
    seat: int | None  # none: the stick
    come_only: bool = False  # only to decide come bets: such a throw sets no point and ends no hand


class Doubt(NamedTuple):
    """A throw whose second die nobody has read yet."""

    sure: int  # the face of the die that lies flat
    why: str


class Before(NamedTuple):
    """What a roll can change, as it was before the roll."""

    seats: Mapping[int, Seat]
    dice: Dice
    puck: int
    shooter: int | None
    last_shooter: int | None
    last_left: bool
    declined: frozenset[int]
    fresh_hand: bool
    after_seven: bool
    rolled: bool
    bank: int
    bought: int
    decided: tuple[tuple[int, str], ...] = ()  # Seat and wager of what the roll decided
    touched: bool = False  # whether anybody has touched the dice since


class TableState(NamedTuple):
    """Everything there is to know about a table; a roll and this decide every chip."""

    notice: Notice
    dice: Dice
    seats: Mapping[int, Seat]  # by seat number, which is clockwise order from the box's left
    puck: int = 0  # the point, or 0 when the puck is off
    shooter: int | None = None
    last_shooter: int | None = None
    last_left: bool = False  # whether the last shooter has left the table; somebody else may sit there by now
    phase: Phase = "betting"
    thrower: Thrower | None = None  # whose throw is under way, from the moment the dice go out until it is settled
    declined: frozenset[int] = frozenset()  # Seats that said no to the dice since the last valid roll
    fresh_hand: bool = True  # no valid roll since the table opened or last sevened out
    after_seven: bool = True  # no valid roll since the table opened or a seven came
    rolled: bool = False  # whether any valid roll was made
    bank: int = 0  # what the house has won less what it has paid, commission kept included
    bought: int = 0  # Chips bought less chips carried away: what rails, felt and bank must add up to
    doubt: Doubt | None = None
    closing: bool = False
    before: Before | None = None  # the table as it was before the last roll, while that roll can still be struck out

    @property
    def chips(self) -> int:
        """Rails, felt, commission held, and the bank: the same before and after every act but a buy-in or a leave."""
        total = self.bank
        for seat in self.seats.values():
            total += seat.rail + sum(wager.stake - wager.tokens + wager.held for wager in seat.felt.values())
        return total


def open_table(notice: Notice, dice: int) -> TableState:
    return TableState(notice=notice, dice=Dice(in_set=dice), seats={})


def clockwise_after(table: TableState, seat: int | None) -> list[int]:
    """Seats in the order the dice are offered: round from `seat`, which comes last."""
    seats = sorted(table.seats)
    if len(seats) == 1:
        return seats
    first = 0 if seat is None else bisect(seats, seat)
    return seats[first:] + seats[:first]
