"""Closing a table: the sign, the inspector, the order; and a place given up by somebody who does not bet."""

from __future__ import annotations

from passline.engine import commands as c
from passline.engine.decide import decide
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import TableState
from passline.engine.values import ClauseId, Crew
from passline.floor.asking import Acted, Ask, FloorAnswer, unsaid
from passline.floor.clock import MINUTE, elapsed, instant, is_time
from passline.floor.commands import Close, CountPlaces, SignClosing, TellInspector, VacateSeat
from passline.floor.events import ClosingOrdered, ClosingSigned, InspectorTold, PlacesCounted, SeatVacated
from passline.floor.refusals import no

CREW: tuple[Crew, ...] = ("dealer", "box", "stick", "supervisor")
"""Who works at a table for the house."""


def sign_closing(ask: Ask, command: SignClosing) -> FloorAnswer:
    """A supervisor says ahead when the table closes."""
    clause = ask.rules.closing_notice_minutes.clause
    refused = ask.supervisors_only(clause)
    if refused:
        return refused
    if not is_time(command.at) or instant(command.at) < instant(ask.now):
        return no("floor.time", f"A sign names a time to come, and {command.at} is none.", clause)
    return Acted((ClosingSigned(command.at, ask.now, ask.by.name, clause),))


def tell_inspector(ask: Ask, command: TellInspector) -> FloorAnswer:
    """One of the house tells an inspector that the table is about to close."""
    clause = ask.rules.closing_tells.clause
    refused = ask.only(CREW, clause) or unsaid("which inspector was told", command.inspector, clause)
    return refused or Acted((InspectorTold(command.inspector, ask.by.name, clause),))


def close(ask: Ask, command: Close) -> FloorAnswer:
    """A supervisor closes the table; the engine asks how long that has been up, and whether an inspector was told."""
    sign, ahead = ask.floor.closing_sign, ask.rules.closing_notice_minutes
    refused = ask.supervisors_only(ahead.clause) or unsaid("why the table closes", command.reason, ahead.clause)
    if refused:
        return refused
    present = any(not seat.away for seat in ask.table.seats.values())
    if present and ahead.value and sign is not None and instant(ask.now) < instant(sign.at):
        return no("floor.not_due", f"The sign says that the table closes at {sign.at}.", ahead.clause)
    minutes = 0 if sign is None else elapsed(sign.since, ask.now) // MINUTE
    game = ask.play(c.CloseTable(minutes, "inspector" if ask.floor.inspector_told else None))
    if isinstance(game, Refusal):
        return game
    tells = ask.rules.closing_tells
    clause = ahead.clause if tells.value == "nobody" else tells.clause
    return Acted((ClosingOrdered(command.reason, ask.by.name, clause),), game)


def for_good(layout: Layout, table: TableState, *, rolling: bool, hosted: bool) -> Refusal | None:
    """Why a table is not closed for good: something is up; where it is for others, somebody has chips, or the book."""
    if rolling or any(seat.felt for seat in table.seats.values()):
        return no("floor.still_up", "Wagers are up: have them decided or returned first.")
    who = [f"{seat.name} at seat {number}" for number, seat in sorted(table.seats.items()) if seat.rail]
    if hosted and who:
        return no("floor.still_there", f"People have chips here: first {', '.join(who)} must leave.")
    announced = decide(layout, table, c.CloseTable()) if hosted and not table.closing else ()
    return announced if isinstance(announced, Refusal) else None


# --- Places -----------------------------------------------------------------------------------------------------------


def count_places(ask: Ask, command: CountPlaces) -> FloorAnswer:
    """One of the house says how many places the table has; no book does."""
    refused = ask.only(CREW, None)
    if refused:
        return refused
    if command.places < max(1, len(ask.table.seats)):
        return no("floor.amount", f"{len(ask.table.seats)} people stand at this table.")
    return Acted((PlacesCounted(command.places, ask.by.name),))


def vacate_seat(ask: Ask, command: VacateSeat) -> FloorAnswer:
    """Somebody who has not bet for so many rounds gives up the place, while every other is taken."""
    habit, seat = ask.rules.idle_rounds, ask.seat(command.seat)
    if isinstance(seat, Refusal):
        return seat
    clause = habit.clause if habit is not None else None
    refused = ask.supervisors_only(clause) or unsaid("why", command.reason, clause)
    if refused:
        return refused
    rounds = ask.floor.idle.get(command.seat, 0)
    if habit is not None and (still := _may_stay(ask, rounds, habit.value, clause)):
        return still
    game = ask.play(c.Leave(command.seat))
    if isinstance(game, Refusal):
        return game
    return Acted((SeatVacated(command.seat, rounds, command.reason, ask.by.name, clause),), game)


def _may_stay(ask: Ask, rounds: int, needed: int, clause: ClauseId | None) -> Refusal | None:
    """Why a player keeps the place, if they do."""
    if rounds < needed:
        return no("floor.not_idle", f"That takes {needed} rounds without a wager, and it is {rounds}.", clause)
    if not ask.floor.places:
        return no("floor.places", "Nobody has said how many places the table has.", clause)
    if len(ask.table.seats) < ask.floor.places:
        return no("floor.places", "A place is free: nobody has to give one up.", clause)
    return None
