"""What can be done now, in a sentence that is always there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from passline.engine import shooting
from passline.engine.refusals import Refusal
from passline.terminal import chips
from passline.terminal.naming import name_of

if TYPE_CHECKING:
    from passline.engine.layout import Spot
    from passline.terminal.evening import Evening


@dataclass(frozen=True, slots=True)
class Asks:
    """How acts are asked for: by key on the felt, by word in plain mode."""

    roll: str
    odds: str
    accept: str
    decline: str
    rebuy: str
    leave: str
    bet: str
    faces: str
    rule: str


KEYS = Asks(
    roll="press Space",
    odds="press o",
    accept="press a",
    decline="p",
    rebuy="press b",
    leave="l",
    bet="go to {name} and press Enter",
    faces="type the faces, such as 4-2",
    rule="press : and type rule 4 (the face) or rule void",
)
WORDS = Asks(
    roll="say roll",
    odds="say odds",
    accept="say shoot",
    decline="decline",
    rebuy="say buyin 100",
    leave="leave",
    bet="say bet {key} {amount}",
    faces="say roll and the faces, such as roll 4-2",
    rule="say rule 4 (the face) or rule void",
)


def what_now(evening: Evening, asks: Asks = KEYS) -> str:  # noqa: PLR0911 - one return for each way things can stand
    """What the person can do now."""
    state, layout, seat = evening.state, evening.layout, evening.seat
    if seat is None or evening.left:
        return "You have left the table."
    if state.phase == "disputed":
        return f"A die is in doubt: {asks.rule}."
    if state.phase == "dice out":
        return f"The dice are out: {asks.faces}." if evening.typed else f"The dice are in the air; {asks.roll}."
    broke = evening.rail < max(state.notice.minimum, state.notice.chip)
    if broke and not seat.felt:
        return f"Your rail is too thin for a bet: {asks.rebuy} to buy chips, or {asks.leave} to leave."
    line, mine = _line(evening), shooting.has_line_bet(layout, state, evening.me)
    if evening.offered:
        bet = "" if mine or line is None else f" (a shooter bets the line: {_bet(evening, line, asks)})"
        return f"The dice are offered to you: {asks.accept} to take them, {asks.decline} to decline{bet}."
    throws = _throws(evening)
    if not state.puck:
        if not mine and line is not None:
            bet = _bet(evening, line, asks)
            return f"The puck is off: {bet}, then {asks.roll}. {throws}".rstrip()
        return f"The puck is off, your line bet is up: {asks.roll}. {throws}".rstrip()
    if _odds_wait(evening):
        return f"The point is {state.puck}: {asks.odds} to put odds behind your bet, then {asks.roll}. {throws}".rstrip()
    return f"The point is {state.puck}: bet a number or the come, or {asks.roll}. {throws}".rstrip()


def _line(evening: Evening) -> Spot | None:
    keys = evening.layout.line
    return evening.layout.spots[keys[0]] if keys else None


def _bet(evening: Evening, spot: Spot, asks: Asks) -> str:
    amount = evening.layout.money(max(evening.state.notice.minimum, evening.state.notice.chip))
    return asks.bet.format(name=name_of(spot), key=spot.key, amount=amount)


def _throws(evening: Evening) -> str:
    thrower = evening.thrower
    if isinstance(thrower, Refusal):
        return "" if thrower.code == "dice.no_shooter" else thrower.message
    if thrower is None:
        return "The stick throws."
    return "You throw." if thrower == evening.me else f"{evening.state.seats[thrower].name} throws."


def _odds_wait(evening: Evening) -> bool:
    """Whether a flat bet on its point has no odds behind it that could have."""
    felt = evening.seat.felt if evening.seat else {}
    for key in felt:
        odds = evening.layout.spots[key].odds
        if odds and odds not in felt and chips.is_open(evening.layout, evening.state, evening.me, odds) is None:
            return True
    return False
