"""Why the floor says no: the engine's own kind of refusal, with codes of the floor's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from passline.engine.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from passline.engine.values import ClauseId

Code = Literal[
    "floor.role",
    "floor.title",
    "floor.unsaid",
    "floor.time",
    "floor.amount",
    "floor.seat",
    "floor.not_due",
    "floor.no_rule",
]
"""Every code a refusal of the floor can carry."""

CODES: Mapping[Code, str] = {
    "floor.role": "That person may not do this here.",
    "floor.title": "This house has no such title, or it is another's to give.",
    "floor.unsaid": "A name, a reason or a word that must be said is missing.",
    "floor.time": "That is no time, or one that cannot be meant.",
    "floor.amount": "That is no amount that can be meant.",
    "floor.seat": "Nobody sits there.",
    "floor.not_due": "The sign names a later time.",
    "floor.no_rule": "This house's book gives nobody that power.",
}
"""What each code means."""


def no(code: Code, message: str, clause: ClauseId | None = None, seat: int | None = None) -> Refusal:
    """Say no: nothing has changed."""
    return Refusal(cast("Any", code), message, clause, seat)
