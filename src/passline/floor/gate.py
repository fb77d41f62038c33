"""What the floor has to say of an act of the game before the engine is asked."""

from __future__ import annotations

from passline.engine import commands as c
from passline.engine import limits
from passline.engine.commands import Command
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import TableState
from passline.floor.names import folded
from passline.floor.refusals import no
from passline.floor.state import EVERY_WAGER, Floor

Betting = c.Bet | c.LateBet | c.FindBet
BETS = (c.Bet, c.LateBet, c.FindBet)
OWN_LIMITS = (*BETS, c.Take)
THROWS = (c.Shoot, c.SendDice, c.Throw, c.WatchThrow)


def refused(layout: Layout, floor: Floor, table: TableState, command: Command) -> Refusal | None:
    """Why the floor does not let somebody do this, if it does not."""
    if isinstance(command, THROWS) and floor.dice_failed:
        rule = layout.book.floor.die_face
        return no("floor.dice", "The dice failed their inspection.", rule.clause if rule is not None else None)
    if isinstance(command, c.Sit):
        return _barred(floor, command.name, command.seat) or _on_duty(floor, command.name, command.seat)
    if not isinstance(command, BETS) or command.seat not in table.seats:
        return None
    wagers, clause = floor.refused.get(command.seat, ()), layout.book.floor.refusing
    if EVERY_WAGER in wagers or command.wager in wagers:
        return no("floor.refused", "The floor takes no such wager at this seat.", clause, command.seat)
    name = table.seats[command.seat].name
    kept = _barred(floor, name, command.seat) or _on_duty(floor, name, command.seat)
    return kept or _as_partners(layout, floor, table, command)


def _barred(floor: Floor, name: str, seat: int) -> Refusal | None:
    """Whether somebody may play at all."""
    if not floor.barred or folded(name) not in floor.barred:
        return None
    return no("floor.barred", f"{name} may not play here.", floor.barred[folded(name)], seat)


def _on_duty(floor: Floor, name: str, seat: int) -> Refusal | None:
    """Whether somebody works at this table now; no book says so, and no house has its crew bet with itself."""
    title = floor.duty.get(folded(name)) if floor.duty else None
    if title is None:
        return None
    return no("floor.on_duty", f"{name} is on duty here as {title}, and does not play.", None, seat)


def _as_partners(layout: Layout, floor: Floor, table: TableState, command: Betting) -> Refusal | None:
    """Whether partners would have more than one maximum on a spot between them."""
    if not floor.partners:
        return None
    spot = layout.spots.get(command.wager)
    partners = {seat for group in floor.partners if command.seat in group for seat in group}
    most = None if spot is None or not partners else limits.maximum(table.notice, spot)
    if most is None:
        return None
    felts = (table.seats[seat].felt for seat in partners if seat in table.seats)
    total = command.amount + sum(felt[command.wager].stake for felt in felts if command.wager in felt)
    if total <= most:
        return None
    said = f"Partners have one maximum of {layout.money(most)} between them; this would make {layout.money(total)}."
    return no("floor.partners", said, layout.book.floor.partners, command.seat)


def seen(floor: Floor, table: TableState, command: Command) -> TableState:
    """The table as whoever bets sees it: with their own limits on the sign, where they have some."""
    if not floor.player_limits or not isinstance(command, OWN_LIMITS):
        return table
    own = floor.player_limits.get(command.seat)
    if own is None:
        return table
    return table._replace(notice=table.notice._replace(minimum=own.minimum, maximum=own.maximum, props_minimum=None))
