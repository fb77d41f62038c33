"""Why the dealers say no: a value, so that nobody can fail to look at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from passline.engine.events import Event
from passline.engine.values import ClauseId

CODES: Mapping[str, str] = {
    "seat.unknown": "There is no such seat at a craps table.",
    "seat.taken": "The seat is taken.",
    "seat.empty": "The seat is empty.",
    "seat.away": "The player has left and only waits for wagers to be decided.",
    "amount.not_positive": "The amount is nothing, or less.",
    "amount.not_chips": "The amount is not whole chips of the float.",
    "wager.not_offered": "This house does not book that wager.",
    "wager.not_up": "Nothing of the player's is up there.",
    "bet.short_rail": "The rail does not cover stake and commission.",
    "bet.short_tokens": "The player has fewer tokens than that.",
    "bet.tokens_not_taken": "This house plays without promotional tokens.",
    "bet.under_minimum": "The wager would stand below its minimum.",
    "bet.over_maximum": "The wager would stand above its maximum.",
    "bet.not_a_multiple": "The notice wants multiples of the minimum.",
    "bet.not_a_unit": "The notice wants steps of its unit above the minimum.",
    "bet.indivisible": "A split stake must divide into its parts.",
    "bet.window": "The wager cannot be made at this moment.",
    "bet.locked": "The wager can no longer be raised.",
    "bet.no_flat": "Odds need their flat bet up, on its point.",
    "bet.over_odds": "The odds would be above the multiple posted.",
    "bet.dont_banned": "A don't bet was lowered: none may be made until a new come-out.",
    "bet.not_confirmed": "Nobody whose word counts confirmed the bet.",
    "bet.not_booked": "The wager is booked with the crew, not set down by the player.",
    "bet.cash": "This house does not take that wager in cash.",
    "bet.late": "The dice are in the air.",
    "bet.not_late": "The dice are not in the air.",
    "bet.closing": "The table is closing.",
    "take.locked": "The wager must stay up until it is decided.",
    "take.leaves_more": "A reduction leaves less than what is up.",
    "take.leaves_wrong": "What would be left is not a lawful wager.",
    "tokens.by": "That person may not change a voucher here.",
    "tokens.voucher": "The voucher's own conditions do not allow it.",
    "call.not_callable": "Wagers of this kind cannot be called on or off.",
    "call.not_confirmed": "The button was not put down by somebody who may.",
    "phase.dice_out": "Nothing moves while the dice are out.",
    "phase.disputed": "A face is in doubt: the box must rule first.",
    "phase.not_disputed": "No face is in doubt.",
    "dice.impossible": "Two dice cannot show that.",
    "dice.held": "Another player holds the dice.",
    "dice.not_held": "This player does not hold the dice.",
    "dice.needs_line_bet": "Only a player with a line bet may take the dice now.",
    "dice.no_shooter": "Nobody may throw.",
    "dice.not_in_bowl": "That die is not there to be chosen or moved.",
    "dice.not_checked": "A found die must be checked first.",
    "dice.wrong_number": "The shooter picks as many dice as the house plays with.",
    "dice.keep": "The dice may be passed only on a come-out.",
    "dice.kept": "The two dice chosen are kept for now.",
    "dice.too_few": "There are not two dice to throw.",
    "order.by": "That person may not take the dice away here.",
    "order.reason": "That is no reason to take the dice away.",
    "no_roll.caller": "That person may not call a no-roll here.",
    "no_roll.flaw": "This house's rules do not list that fault in a throw.",
    "rule.by": "That person may not rule on a face here.",
    "rule.no_void": "This house's box must name a face.",
    "strike.nothing": "There is no outcome to strike out any more.",
    "return.nothing": "Nothing is up.",
    "notice.too_soon": "The sign must stand longer before that change.",
    "notice.wrong": "The sign cannot say that in this house.",
    "close.too_soon": "The closing must be announced longer ahead.",
    "close.untold": "Somebody must be told before the table closes.",
}
"""Every code that a refusal can carry, and what it means."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """No: nothing has changed and nothing is lost."""

    code: str
    message: str
    clause: ClauseId | None = None
    seat: int | None = None


Answer = tuple["Event", ...] | Refusal
"""What happened, or why nothing did."""
