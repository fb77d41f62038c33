"""What a sign finds too small in the first rolls of an evening: told before anything is worked out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from passline.engine.refusals import Refusal
from passline.engine.values import CENTS, ROLLS
from passline.machine.play import Player, Setting
from passline.strategies.language.strategy import Strategy

if TYPE_CHECKING:
    from passline.analysis.question import Question

MINIMUMS_MAX = 12
"""How many minimums a unit is tried with: a strategy may want a twelfth of its unit on something."""

FIRST_ROLLS = tuple({roll.total: number for number, roll in enumerate(ROLLS)}.values())
"""A throw of every total."""


class TooSmall(NamedTuple):
    """What the dealers would say, and the least unit with which they would not."""

    refusal: Refusal
    unit: Fraction | None


def too_small(question: Question) -> TooSmall | None:
    """The first bet under the sign's minimum, before the first roll or after it; None where there is no such bet."""
    refusal = _refused(question)
    if refusal is None or question.seating.notice is None:
        return None
    least = Fraction(question.seating.notice.minimum, CENTS)
    seats = (replace(question.seating, unit=least * times) for times in range(1, MINIMUMS_MAX + 1))
    return TooSmall(refusal, next((seat.unit for seat in seats if not _refused(replace(question, seating=seat))), None))


def _refused(question: Question) -> Refusal | None:
    if question.seating.notice is None or not isinstance(question.strategy, Strategy):
        return None
    setting = Setting(question.strategy, question.seating, question.terms.purse)
    for throw in FIRST_ROLLS:
        player = Player(setting)
        if not player.over:
            player.roll(throw)
            player.act()
    return next((no.refusal for no in setting.refused.values() if no.refusal.code == "bet.under_minimum"), None)
