"""What happened on the floor, in the past tense; `by` is who did it, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.engine.frozen import frozen

if TYPE_CHECKING:
    from passline.engine.events import Chips
    from passline.engine.table import Notice
    from passline.engine.values import ClauseId, Crew


@frozen
class CameOnDuty:
    """Somebody is on duty under a title."""

    person: str
    title: str
    role: Crew
    clause: ClauseId


@frozen
class WentOffDuty:
    """Somebody is on duty no more."""

    person: str
    title: str


@frozen
class LimitsSigned:
    """A sign with new limits is up."""

    notice: Notice
    at: str
    since: str
    by: str
    clause: ClauseId


@frozen
class LimitsChanged:
    """New limits hold; the sign that announced them has done its work."""

    by: str
    clause: ClauseId


@frozen
class PlayerLimitsSigned:
    """A sign with one player's own limits stands at the table."""

    seat: int
    minimum: Chips
    maximum: Chips
    by: str
    clause: ClauseId | None


@frozen
class PlayerLimitsLifted:
    """A player's own limits hold no more."""

    seat: int
    by: str
    clause: ClauseId | None


FloorEvent = CameOnDuty | WentOffDuty | LimitsSigned | LimitsChanged | PlayerLimitsSigned | PlayerLimitsLifted
"""Everything that can have happened on the floor."""
