"""What people may not do at a table, what is no breach after all, and what is done about the rest."""

from __future__ import annotations

from passline.engine import shooting, taking, throwing
from passline.engine.asking import Asking
from passline.engine.events import Event
from passline.engine.refusals import Refusal
from passline.engine.values import ClauseId
from passline.floor.asking import Acted, Ask, FloorAnswer, about_oneself, unsaid
from passline.floor.commands import HandOver, ReportConduct, Sanction
from passline.floor.events import ConductReported, HandedOver, SanctionImposed
from passline.floor.names import folded
from passline.floor.refusals import no
from passline.floor.state import Report

BY_ANY_HOUSE = ("void wagers", "bar")
"""What a supervisor may do where the book is silent; the rest hangs on a law that it would have to name."""

BY_LAW = ("exclude",)
"""What is done under a law."""


def report_conduct(ask: Ask, command: ReportConduct) -> FloorAnswer:
    """Anybody may report anybody; what the book does not forbid, or excuses, is no breach."""
    rule = ask.rules.conduct.get(command.breach)
    if rule is None:
        known = ", ".join(ask.rules.conduct) or "nothing of the sort"
        return no("floor.no_breach", f"The book of {ask.book.name} forbids {known}.")
    refused = unsaid("who it was", command.person, rule.clause) or unsaid("what they did", command.details, rule.clause)
    if refused:
        return refused
    if command.standing not in rule.value:
        return no("floor.no_breach", f"That binds no {command.standing}.", rule.clause)
    excuse = ask.rules.excuses.get(command.breach)
    if excuse is not None and _excused(ask, command, excuse.value):
        return no("floor.no_breach", f"It is no breach: it was {_words(excuse.value)}.", excuse.clause)
    said = (command.person, command.breach, command.details, ask.by.name, rule.clause)
    return Acted((ConductReported(len(ask.floor.reports) + 1, *said),))


def _excused(ask: Ask, command: ReportConduct, excuse: str) -> bool:
    """Whether what somebody did is lawful after all; who is on duty, the floor knows by itself."""
    if excuse == "on duty":
        return command.standing not in ("player", "spectator") and folded(command.person) in ask.floor.duty
    return command.excuse == excuse


def _words(excuse: str) -> str:
    return {"on duty": "in the course of duty", "to keep the rules": "said to keep the rules"}.get(excuse, excuse)


def sanction(ask: Ask, command: Sanction) -> FloorAnswer:
    """A supervisor who is satisfied that a rule was broken does what the book allows about it."""
    rules, report = ask.rules, ask.floor.reports.get(command.report)
    if report is None:
        return no("floor.report", f"There is no report {command.report}.")
    heading = rules.sanctioned.clause if rules.sanctioned is not None else None
    refused = ask.supervisors_only(heading) or unsaid("what satisfies you of it", command.reason, heading)
    refused = refused or _no_measure(ask, report, command.measure) or about_oneself(command.second, report.person)
    if refused:
        return refused
    clause = rules.sanctions.get(command.measure)
    under = rules.exclusion.value if rules.exclusion is not None and command.measure in BY_LAW else ""
    game = _voided(ask, report, clause) if command.measure == "void wagers" else ()
    if isinstance(game, Refusal):
        return game
    said = (report.person, command.measure, command.reason, under, ask.by.name, command.second, clause)
    return Acted((SanctionImposed(command.report, *said),), game)


def _no_measure(ask: Ask, report: Report, measure: str) -> Refusal | None:
    """Why this cannot be done about that, if it cannot."""
    rules = ask.rules
    if rules.sanctioned is None:
        if measure in BY_ANY_HOUSE:
            return None
        return no("floor.measure", f"The book of {ask.book.name} gives nobody the power to {measure}.")
    if report.breach not in rules.sanctioned.value:
        return no("floor.measure", f"There is no sanction for this: {report.breach}.", rules.sanctioned.clause)
    if measure in rules.sanctions:
        return None
    return no("floor.measure", f"The sanctions are {', '.join(rules.sanctions)}.", rules.sanctioned.clause)


def _voided(ask: Ask, report: Report, clause: ClauseId | None) -> tuple[Event, ...] | Refusal:
    """Everything that somebody has up goes back without a result."""
    clause, table = clause or ClauseId("S-12"), ask.table
    for number, seat in table.seats.items():
        if folded(seat.name) != folded(report.person):
            continue
        if table.phase != "betting":
            return no("floor.phase", "The dice are out: wagers are void once the roll is settled.", clause, number)
        asked = [Asking(ask.layout, table, number, seat, ask.layout.spots[key]) for key in seat.felt]
        down = tuple(taking.down(each, 0, "returned by the supervisor", clause) for each in asked)
        dice = [event for each in asked for event in _dice_lost(each)]
        return (*down, *dice, *throwing.afterwards(ask.layout, table, down, hand_over=False))
    return ()


def _dice_lost(asked: Asking) -> list[Event]:
    """A shooter whose last line bet is void has no dice any more."""
    others = [key for key in asked.layout.line if key in asked.seat.felt]
    if not others or asked.spot.key != others[0]:
        return []
    alone = asked.seat._replace(felt={asked.spot.key: asked.seat.felt[asked.spot.key]})
    table = asked.table._replace(seats={**asked.table.seats, asked.number: alone})
    return shooting.after_take(asked.layout, table, asked.number, asked.spot, 0)


def hand_over(ask: Ask, command: HandOver) -> FloorAnswer:
    """An official takes over somebody who is detained."""
    report, to = ask.floor.reports.get(command.report), ask.rules.handed_to
    if report is None or not report.held or to is None:
        return no("floor.report", f"Nobody is detained by report {command.report}.")
    refused = ask.supervisors_only(to.clause) or unsaid("who takes over", command.official, to.clause)
    if refused:
        return refused
    if command.to not in to.value:
        return no("floor.measure", f"Somebody detained is handed over to {' or '.join(to.value)}.", to.clause)
    return Acted((HandedOver(command.report, command.to, command.official, ask.by.name, to.clause),))
