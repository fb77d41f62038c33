"""Wagers that are not taken, and partners who may not bet as two."""

from __future__ import annotations

from passline.engine import commands as c
from passline.engine.decide import decide
from passline.engine.events import Event
from passline.engine.evolve import evolve
from passline.engine.refusals import Refusal
from passline.floor.asking import Acted, Ask, FloorAnswer, unsaid
from passline.floor.commands import AllowWager, LinkPartners, RefuseWager, UnlinkPartners
from passline.floor.events import PartnersLinked, PartnersUnlinked, WagerAllowed, WagerRefused
from passline.floor.names import folded
from passline.floor.refusals import no
from passline.floor.state import EVERY_WAGER


def refuse_wager(ask: Ask, command: RefuseWager) -> FloorAnswer:
    """A supervisor refuses a wager on grounds that are said; what may come down can be taken off the layout."""
    clause, seat = ask.rules.refusing, ask.seat(command.seat)
    if isinstance(seat, Refusal):
        return seat
    refused = ask.supervisors_only(clause) or unsaid("on what grounds", command.reason, clause)
    if refused or (command.breach is not None and (refused := _too_seldom(ask, seat.name, command.breach))):
        return refused
    if command.breach == "touching" and ask.rules.refused_after is not None:
        clause = ask.rules.refused_after.clause
    if command.wager is not None and command.wager not in ask.layout.spots:
        return no("floor.no_rule", f"{ask.book.name} has no wager of that name.", clause, command.seat)
    game, runs_on = _removed(ask, command) if command.remove else ((), ())
    if isinstance(game, Refusal):
        return game
    removing = ask.rules.removing if game else None
    said = WagerRefused(command.seat, command.wager, command.reason, ask.by.name, clause, runs_on, removing)
    return Acted((said,), game)


def _too_seldom(ask: Ask, name: str, breach: str) -> Refusal | None:
    """Why what somebody was reported for is no reason yet, if it is none."""
    times = sum(folded(each.person) == folded(name) and each.breach == breach for each in ask.floor.reports.values())
    needed = ask.rules.refused_after
    least = needed.value if needed is not None and breach == "touching" else 1
    if times >= least:
        return None
    clause = needed.clause if needed is not None else None
    return no("floor.not_repeated", f"{name} was reported for it {times} times, and it takes {least}.", clause)


def _removed(ask: Ask, command: RefuseWager) -> tuple[tuple[Event, ...] | Refusal, tuple[str, ...]]:
    """What comes down, as far as it may: what must stay until it is decided runs on."""
    table = ask.table
    events: list[Event] = []
    runs_on: list[str] = []
    felt = ask.table.seats[command.seat].felt
    for key in [key for key in felt if command.wager in (None, key)]:
        if key not in table.seats[command.seat].felt:
            continue  # it came down with the bet it stood behind
        answer = decide(ask.layout, table, c.Take(command.seat, key))
        if isinstance(answer, Refusal):
            if answer.code != "take.locked":
                return answer, ()
            runs_on.append(key)
            continue
        events += answer
        table = evolve(table, answer)
    return tuple(events), tuple(runs_on)


def allow_wager(ask: Ask, command: AllowWager) -> FloorAnswer:
    """What was refused is taken again."""
    if (command.wager or EVERY_WAGER) not in ask.floor.refused.get(command.seat, ()):
        return no("floor.not_refused", f"Nothing like that is refused at seat {command.seat}.", None, command.seat)
    refused = ask.supervisors_only(ask.rules.refusing)
    return refused or Acted((WagerAllowed(command.seat, command.wager, ask.by.name),))


def link_partners(ask: Ask, command: LinkPartners) -> FloorAnswer:
    """A supervisor says who bets together; from then on one maximum holds for all of them."""
    clause = ask.rules.partners
    refused = ask.supervisors_only(clause) or unsaid("what shows that they bet together", command.reason, clause)
    if refused:
        return refused
    for number in command.seats:
        seat = ask.seat(number)
        if isinstance(seat, Refusal):
            return seat
    if len(set(command.seats)) < 2:
        return no("floor.partners", "Partners are two at least.", clause)
    return Acted((PartnersLinked(command.seats, command.reason, ask.by.name, clause),))


def unlink_partners(ask: Ask, command: UnlinkPartners) -> FloorAnswer:
    """A player is nobody's partner any more."""
    if not any(command.seat in group for group in ask.floor.partners):
        return no("floor.partners", f"Seat {command.seat} has no partner.", ask.rules.partners, command.seat)
    refused = ask.supervisors_only(ask.rules.partners)
    return refused or Acted((PartnersUnlinked(command.seat, ask.by.name),))
