"""Between the floor and the game: what the floor says of an act before the engine is asked, and what it sees happen."""

from collections.abc import Iterable

from passline.engine import commands as c
from passline.engine import limits
from passline.engine.commands import Command
from passline.engine.events import DiceThrown, Event, PlayerLeft, PlayerSat, PuckTurned, SeatCleared, WagerUp
from passline.engine.layout import Layout
from passline.engine.refusals import refuse
from passline.engine.table import TableState
from passline.floor.names import folded
from passline.floor.seats import apart
from passline.floor.state import EVERY_WAGER, Floor, without

Betting = c.Bet | c.LateBet | c.FindBet
BETS = (c.Bet, c.LateBet, c.FindBet)
OWN_LIMITS = (*BETS, c.Take)
THROWS = (c.Shoot, c.SendDice, c.Throw, c.WatchThrow, c.CockedDie, c.DisputeFace)


def check(layout: Layout, floor: Floor, table: TableState, command: Command) -> None:
    if isinstance(command, THROWS) and floor.dice_failed:
        rule = layout.book.floor.die_face
        refuse("floor.dice", "The dice failed their inspection.", rule.clause if rule is not None else None)
    if isinstance(command, c.Sit):
        if table.closing:
            no = "The last hand is played: nobody sits down any more."
            refuse("floor.closing", no, layout.book.floor.closing.clause, command.seat)
        _may_play(floor, command.name, command.seat)
    if not isinstance(command, BETS) or command.seat not in table.seats:
        return
    wagers = floor.refused.get(command.seat, ())
    if EVERY_WAGER in wagers or command.wager in wagers:
        no = "The floor takes no such wager at this seat."
        refuse("floor.refused", no, layout.book.floor.refusing, command.seat)
    _may_play(floor, table.seats[command.seat].name, command.seat)
    if floor.partners:
        _as_partners(layout, floor, table, command)


def _may_play(floor: Floor, name: str, seat: int) -> None:
    """Nobody plays who is barred, nor, though no book says so, who works at this table now."""
    if floor.barred and folded(name) in floor.barred:
        refuse("floor.barred", f"{name} may not play here.", floor.barred[folded(name)], seat)
    title = floor.duty.get(folded(name)) if floor.duty else None
    if title is not None:
        refuse("floor.on_duty", f"{name} is on duty here as {title}, and does not play.", None, seat)


def _as_partners(layout: Layout, floor: Floor, table: TableState, command: Betting) -> None:
    spot = layout.spots.get(command.wager)
    partners = {seat for group in floor.partners if command.seat in group for seat in group}
    most = None if spot is None or not partners else limits.maximum(table.notice, spot)
    if most is None:
        return
    felts = (table.seats[seat].felt for seat in partners if seat in table.seats)
    total = command.amount + sum(felt[command.wager].stake for felt in felts if command.wager in felt)
    if total <= most:
        return
    no = f"Partners have one maximum of {layout.money(most)} between them; this would make {layout.money(total)}."
    refuse("floor.partners", no, layout.book.floor.partners, command.seat)


def seen(floor: Floor, table: TableState, command: Command) -> TableState:
    """The table as whoever bets sees it: with their own limits on the sign, where they have some."""
    return seen_from(floor, table, command.seat) if isinstance(command, OWN_LIMITS) else table


def seen_from(floor: Floor, table: TableState, seat: int | None) -> TableState:
    own = floor.player_limits.get(seat) if seat is not None else None
    if own is None:
        return table
    notice = table.notice
    least = min(own.minimum, notice.minimum)
    most = None if notice.maximum is None else max(own.maximum, notice.maximum)
    props = None if notice.props_minimum is None else min(least, notice.props_minimum)
    return table._replace(notice=notice._replace(minimum=least, maximum=most, props_minimum=props))


def watch(floor: Floor, table: TableState, events: Iterable[Event]) -> Floor:
    """The floor after these things happened in the game, which has come to this table by them.

    A round is from a come-out to the decision of the line; who has anything up in it plays.
    """
    thrown: DiceThrown | None = None
    turned: int | None = None
    for event in events:
        if isinstance(event, WagerUp):
            if event.seat not in floor.active:
                floor = floor._replace(active=(*floor.active, event.seat), idle=without(floor.idle, event.seat))
        elif isinstance(event, DiceThrown):
            thrown = event
        elif isinstance(event, PuckTurned):
            turned = event.to
        elif isinstance(event, PlayerSat | PlayerLeft | SeatCleared):
            floor = _seat_changed(floor, event.seat)
    if thrown is None or thrown.come_only:
        return floor
    if turned != 0 if thrown.puck else turned is not None:  # the round goes on: a point was set, or stays on
        return floor
    idles = (number for number, seat in table.seats.items() if number not in floor.active and not seat.felt)
    idle = {number: floor.idle.get(number, 0) + 1 for number in idles}
    return floor._replace(idle=idle, active=tuple(number for number, seat in table.seats.items() if seat.felt))


def _seat_changed(floor: Floor, seat: int) -> Floor:
    """What was a player's goes with the player."""
    return floor._replace(
        player_limits=without(floor.player_limits, seat),
        refused=without(floor.refused, seat),
        idle=without(floor.idle, seat),
        active=tuple(number for number in floor.active if number != seat),
        partners=apart(floor.partners, seat),
    )
