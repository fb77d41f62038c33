"""What can be done now, in a sentence that is always there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from passline.engine import shooting
from passline.engine.refusals import Refusal
from passline.telling.names import name_of
from passline.terminal import chips

if TYPE_CHECKING:
    from passline.engine.layout import Spot
    from passline.terminal.evening import Evening


@dataclass(frozen=True, slots=True)
class Asks:
    """How acts are asked for: by key on the felt, by word in plain mode."""

    roll: str
    odds: str
    offer: str
    thin: str
    bet: str
    faces: str
    rule: str


KEYS = Asks(
    roll="Space rolls",
    odds="o puts odds behind your bet",
    offer="a takes, p declines",
    thin="b buys chips, l leaves",
    bet="bet {name} (Enter)",
    faces="Space, then type the faces",
    rule=": and rule 4 (the face) or rule void",
)
WORDS = Asks(
    roll="say roll",
    odds="say odds to back your bet",
    offer="say shoot or decline",
    thin="say buyin 100 or leave",
    bet="say bet {key} {amount}",
    faces="say roll and the faces, such as roll 4-2",
    rule="say rule 4 (the face) or rule void",
)


def what_now(evening: Evening, asks: Asks = KEYS) -> str:
    """What the person can do now, in at most a line of eighty columns."""
    state, layout, seat = evening.state, evening.layout, evening.seat
    if seat is None or evening.left:
        return "You have left the table."
    if state.phase == "disputed":
        return f"A die is in doubt: {asks.rule}."
    if state.phase == "dice out":
        return f"The dice are out: {asks.faces}." if evening.typed else f"The dice are in the air: {asks.roll}."
    if evening.rail < max(state.notice.minimum, state.notice.chip) and not seat.felt:
        return f"Your rail is too thin for a bet: {asks.thin}."
    line, mine = _line(evening), shooting.has_line_bet(layout, state, evening.me)
    if evening.offered:
        bet = "" if mine or line is None else f"; to shoot {_bet(evening, line, asks)}"
        return f"Dice offered to you: {asks.offer}{bet}."
    throws = _throws(evening)
    if not state.puck:
        if not mine and line is not None and state.shooter == evening.me:
            bet = _bet(evening, line, asks)
            return f"You hold the dice: {bet} to keep them; if not, {throws or 'nobody throws.'}"
        if not mine and line is not None:
            return f"The puck is off: {_bet(evening, line, asks)}, then {asks.roll}. {throws}".rstrip()
        return f"The puck is off and your line bet is up: {asks.roll}. {throws}".rstrip()
    if _odds_wait(evening):
        return f"The point is {state.puck}: {asks.odds}, {asks.roll}. {throws}".rstrip()
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
