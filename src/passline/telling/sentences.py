"""What the crew says over the table: the stick's calls, the dealers' sentences, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passline.engine import events as e
from passline.engine.automata import TALLY
from passline.engine.book import Collect
from passline.engine.values import SEVEN, Roll, exact_text
from passline.engine.verdicts import Wins

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.engine.events import Event
    from passline.engine.layout import Layout
    from passline.engine.refusals import Refusal
    from passline.engine.table import TableState
    from passline.engine.values import Role

CALLS = {
    2: "Two, craps, aces",
    3: "Three, craps, ace-deuce",
    4: "Four, easy four",
    5: "Five, no field five",
    6: "Six, easy six",
    7: "Seven",
    8: "Eight, easy eight",
    9: "Nine, centre field",
    10: "Ten, easy ten",
    11: "Yo-leven",
    12: "Twelve, craps, boxcars",
}
HARD_CALLS = {4: "Four, hard four", 6: "Six, hard six", 8: "Eight, hard eight", 10: "Ten, hard ten"}
"""What a stickperson calls over each total."""


def call(layout: Layout, event: e.DiceThrown) -> str:
    """The stick's call of one roll: the dice in the stick's own words, and what they do to the line."""
    hard = event.first == event.second
    words = (HARD_CALLS.get(event.total) if hard else None) or CALLS[event.total]
    if event.come_only:
        return words
    if event.puck:
        if event.total == event.puck:
            return f"{words}; point made, pay the line"
        return f"{words} out, line away" if event.total == SEVEN else words
    if event.total in layout.book.points.value:
        return f"{words}; mark the {event.total}"
    return f"{words}, front line winner" if _line_wins(layout, event) else words


def _line_wins(layout: Layout, event: e.DiceThrown) -> bool:
    """Whether a come-out roll pays those who bet with the shooter."""
    roll = Roll(event.first, event.second)
    lines = (layout.spots[key] for key in layout.line if not layout.spots[key].is_dont)
    return any(isinstance(line.verdict(0, 0, roll, works=True), Wins) for line in lines)


def who(table: TableState, seat: int | None) -> str:
    """A player's name, or the seat's number."""
    if seat is None:
        return "nobody"
    return table.seats[seat].name if seat in table.seats else f"seat {seat}"


def say(layout: Layout, table: TableState, event: Event) -> str:
    """One event as a sentence; `table` is the table it happened at, before or after."""
    told = SENTENCES[event.__class__](_Speaker(layout, table), event)
    return told[:1].upper() + told[1:]


class _Speaker:
    """Who and how much, in this house's words."""

    __slots__ = ("layout", "table")

    def __init__(self, layout: Layout, table: TableState) -> None:
        self.layout, self.table = layout, table

    def who(self, seat: int | None) -> str:
        """A player's name, or the stick's where no player throws."""
        return f"the {self.crew('stick')}" if seat is None else who(self.table, seat)

    def crew(self, role: Role) -> str:
        """This house's own word for one of the crew."""
        return self.layout.book.staff.get(role, role)

    def money(self, amount: int) -> str:
        """An amount for people."""
        return self.layout.money(amount)

    def name(self, wager: str) -> str:
        """The house's name for a wager."""
        return self.layout.spots[wager].name


def _up(to: _Speaker, event: e.WagerUp) -> str:
    total = "" if event.added == event.stake else f", {to.money(event.stake)} up"
    fee = f" and pays {to.money(event.commission)} commission" if event.commission else ""
    late = " with the dice in the air" if event.late else ""
    return f"{to.who(event.seat)} bets {to.money(event.added)} on {to.name(event.wager)}{late}{total}{fee}."


def _down(to: _Speaker, event: e.WagerDown) -> str:
    left = f", leaving {to.money(event.left)}" if event.left else ""
    fee = f" with {to.money(event.refund)} commission" if event.refund else ""
    why = "" if event.why == "asked" else f" ({event.why})"
    return f"{to.money(event.removed)} down from {to.who(event.seat)}'s {to.name(event.wager)}{left}{fee}{why}."


def _won(to: _Speaker, event: e.WagerWon) -> str:
    fee = f", less {to.money(event.commission)} commission" if event.commission else ""
    rounded = f" (rounded {event.rounding})" if event.rounding else ""
    stays = "and stays up" if event.stays else "and comes down"
    part = f"; {to.money(event.lost)} of it lost" if event.lost else ""
    won, price = to.money(event.won), event.price
    return f"{to.name(event.wager)} pays {to.who(event.seat)} {won} at {price}{rounded}{fee} {stays}{part}."


def _lost(to: _Speaker, event: e.WagerLost) -> str:
    back = f"; {to.money(event.returned)} over the maximum goes back" if event.returned else ""
    return f"{to.who(event.seat)} loses {to.money(event.stake)} on {to.name(event.wager)}{back}."


def _called(to: _Speaker, event: e.WagerCalled) -> str:
    state = {"on": "is on", "off": "is off", None: "works as usual"}[event.call]
    return f"{to.who(event.seat)}'s {to.name(event.wager)} {state}."


def _thrown(to: _Speaker, event: e.DiceThrown) -> str:
    thrower = to.who(event.thrower)
    return f"{thrower} throws {event.first}-{event.second}: {call(to.layout, event)}."


def _doubted(to: _Speaker, event: e.FaceDoubted) -> str:
    return f"One die shows {event.sure}, the other is {event.why}: the {to.crew('box')} will rule."


def _no_roll(to: _Speaker, event: e.NoRollCalled) -> str:
    return f"No roll ({event.reason})" + (f", called by the {to.crew(event.by)}." if event.by else ".")


def _tallied(to: _Speaker, event: e.WagerTallied) -> str:
    terms, done = to.layout.spots[event.wager].rule.terms, (event.mark - TALLY).bit_count()
    of = f" of {len(terms.needs.value)}" if isinstance(terms, Collect) else ""
    made = "numbers" if isinstance(terms, Collect) else "points"
    return f"{to.who(event.seat)}'s {to.name(event.wager)} has {done}{of} {made}."


SENTENCES: dict[type, Callable[[_Speaker, Any], str]] = {
    e.PlayerSat: lambda to, ev: f"{ev.name} sits at seat {ev.seat} with {to.money(ev.buyin)}.",
    e.ChipsBought: lambda to, ev: f"{to.who(ev.seat)} buys {to.money(ev.amount)} in chips.",
    e.TokensGiven: lambda to, ev: f"{to.who(ev.seat)} gets {to.money(ev.amount)} in tokens.",
    e.PlayerLeft: lambda to, ev: f"{to.who(ev.seat)} leaves with {to.money(ev.cashed)}.",
    e.SeatCleared: lambda to, ev: f"Seat {ev.seat} is free; {to.money(ev.held)} is held at the cage.",
    e.WagerUp: _up,
    e.WagerDown: _down,
    e.WagerCalled: _called,
    e.ButtonsLifted: lambda _to, _ev: "The On buttons come off.",
    e.DontBetsBarred: lambda to, ev: f"{to.who(ev.seat)} may make no don't bet until a new come-out.",
    e.DontBarLifted: lambda to, ev: f"{to.who(ev.seat)} may bet the don'ts again.",
    e.DiceOffered: lambda to, ev: f"The dice are offered to {to.who(ev.seat)}.",
    e.DiceDeclined: lambda to, ev: f"{to.who(ev.seat)} declines the dice.",
    e.DiceTaken: lambda to, ev: f"{to.who(ev.seat)} takes the dice.",
    e.DiceGivenUp: lambda to, ev: f"{to.who(ev.seat)} gives up the dice ({ev.why}).",
    e.DiceChosen: lambda to, ev: f"{to.who(ev.seat)} picks dice {' and '.join(map(str, ev.dice))}.",
    e.DieMoved: lambda _to, ev: f"Die {ev.die} is {'off the table' if ev.what == 'off' else ev.what}.",
    e.NewSetDue: lambda _to, _ev: "A fresh set of dice is due when these are given up.",
    e.NewSetBrought: lambda _to, ev: f"A fresh set of {ev.dice} dice.",
    e.DiceSent: lambda to, ev: f"Dice out to {to.who(ev.thrower)}; bets are closed.",
    e.DiceThrown: _thrown,
    e.NoRollCalled: _no_roll,
    e.FaceDoubted: _doubted,
    e.FaceRead: lambda _to, ev: f"The die reads {ev.face}.",
    e.WagerWon: _won,
    e.WagerLost: _lost,
    e.WagerPushed: lambda to, ev: f"{to.who(ev.seat)}'s {to.name(ev.wager)} stands off.",
    e.WagerReturned: lambda to, ev: (
        f"{to.money(ev.stake)} goes back to {to.who(ev.seat)} from {to.name(ev.wager)}, unpaid."
    ),
    e.WagerTravelled: lambda to, ev: f"{to.who(ev.seat)}'s {to.money(ev.stake)} travels to {to.name(ev.to)}.",
    e.WagerTallied: _tallied,
    e.PuckTurned: lambda _to, ev: f"The puck is on {ev.to}." if ev.to else "The puck is off.",
    e.SevenOut: lambda to, ev: f"{to.who(ev.shooter)} is out; new shooter coming out.",
    e.ShooterLost: lambda to, ev: f"{to.who(ev.shooter)} lost; the dice pass.",
    e.PlayerWarned: lambda to, ev: f"{to.who(ev.seat)} is warned: {to.name(ev.wager)} is under the minimum.",
    e.OutcomeStruckOut: lambda _to, ev: f"The last roll is struck out ({ev.reason}).",
    e.NoticePosted: lambda _to, _ev: "A new notice is up.",
    e.TableClosing: lambda _to, _ev: "The table is closing after this hand.",
}
"""How each event is told."""


def clauses_of(event: Event | Refusal) -> tuple[str, ...]:
    """Every clause an event or a refusal rests on, the deciding one first."""
    named = (getattr(event, name, None) for name in ("clause", "rule", "note"))
    return tuple(dict.fromkeys(clause for clause in named if clause))


def the_sum(layout: Layout, event: Event) -> str | None:
    """The arithmetic of a payment, as a dealer would say it; None where no money moved by a price."""
    if not isinstance(event, e.WagerWon):
        return None
    exact = exact_text(event.exact / layout.grain)
    text = f"{layout.money(event.stake)} at {event.price} is {exact}"
    if event.lost:
        text = f"a share of {layout.money(event.stake)} at {event.price}; in all {exact}"
    if event.rounding:
        text += f", paid {layout.money(event.won)} (rounded {event.rounding})"
    if event.commission:
        text += f", less {layout.money(event.commission)} commission"
    return text
