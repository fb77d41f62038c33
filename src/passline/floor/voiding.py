"""An outcome that does not count: for a reason of the house's list, with every stake back but an offender's."""

from __future__ import annotations

from passline.engine import commands as c
from passline.engine import throwing
from passline.engine.events import Event, WagerDown, WagerLost
from passline.engine.evolve import evolve
from passline.engine.floor_rules import Voiding
from passline.engine.refusals import Refusal
from passline.engine.values import Cited, ClauseId, WagerKey
from passline.floor.asking import Acted, Ask, FloorAnswer, about_oneself, unsaid
from passline.floor.commands import Invalidate
from passline.floor.events import OutcomeInvalidated
from passline.floor.refusals import no

FRAUD = "fraud"


def invalidate(ask: Ask, command: Invalidate) -> FloorAnswer:
    """A supervisor invalidates the last outcome; who had a part in a fraud may lose the wager on it."""
    rules = ask.rules.voiding
    refused = unsaid("what happened", command.cause) or (
        _not_listed(ask, rules, command) if rules is not None else ask.supervisors_only(None)
    )
    if refused:
        return refused
    forfeits = _forfeits(ask, rules, command)
    if isinstance(forfeits, Refusal):
        return forfeits
    named = (command.person, *(ask.table.seats[number].name for number in command.forfeits))
    if refused := about_oneself(command.second, *named):
        return refused
    game = ask.play(c.StrikeOut(command.cause))
    if isinstance(game, Refusal):
        return game
    game = _without_refund(ask, game, command.forfeits, forfeits.clause)
    said = (command.cause, command.person, command.opinion, command.forfeits, ask.by.name, command.second)
    return Acted((OutcomeInvalidated(*said, _clause(rules, command)),), game)


def _clause(rules: Voiding | None, command: Invalidate) -> ClauseId | None:
    if rules is None:
        return None
    return rules.fraud_by.clause if command.cause == FRAUD else rules.causes.clause


def _not_listed(ask: Ask, rules: Voiding, command: Invalidate) -> Refusal | None:
    """Why this is no reason in this house, if it is none."""
    clause = _clause(rules, command)
    refused = ask.supervisors_only(clause)
    if refused:
        return refused
    if command.cause != FRAUD:
        if command.cause in rules.causes.value:
            return None
        return no("floor.cause", f"The house knows {', '.join((*rules.causes.value, FRAUD))}.", clause)
    if command.standing not in rules.fraud_by.value:
        return no("floor.cause", f"Only the fraud of a {' or '.join(rules.fraud_by.value)} counts.", clause)
    who = unsaid("whose fraud it was", command.person, clause)
    if who or not rules.opinion.value:
        return who
    return unsaid("why you hold that the fraud changed the outcome", command.opinion, rules.opinion.clause)


def _forfeits(ask: Ask, rules: Voiding | None, command: Invalidate) -> Cited[bool] | Refusal:
    """By which clause stakes are forfeited, or why none are."""
    habit = rules.forfeits if rules is not None else Cited(value=False, clause=ClauseId("S-12"))
    if not command.forfeits:
        return habit
    if not habit.value or command.cause != FRAUD or command.standing != "player":
        return no("floor.forfeit", "Only the wager of a player in the fraud can be forfeited.", habit.clause)
    for number in command.forfeits:
        seat = ask.seat(number)
        if isinstance(seat, Refusal):
            return seat
    return habit


def _without_refund(ask: Ask, game: tuple[Event, ...], seats: tuple[int, ...], clause: ClauseId) -> tuple[Event, ...]:
    """The same outcome struck out, with what an offender had on it lost and not given back."""
    struck, before = game[0], ask.table.before
    assert before is not None, "an outcome was struck out"
    then = evolve(ask.table, (struck,))
    back: list[Event] = [each for each in game if isinstance(each, WagerDown) and each.seat not in seats]
    for number, key in before.decided:
        if number in seats:
            wager = then.seats[number].felt[key]
            back.append(
                WagerLost(
                    seat=number,
                    wager=WagerKey(key),
                    stake=wager.stake,
                    clause=clause,
                    tokens=wager.tokens,
                    kept=wager.held,
                )
            )
    return struck, *back, *throwing.afterwards(ask.layout, then, back, hand_over=False)
