"""What people ask of the floor, in the imperative; amounts are grains, times as entries write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.engine.frozen import frozen

if TYPE_CHECKING:
    from passline.engine.table import Notice


@frozen
class ComeOnDuty:
    """Have somebody on duty under a title of the house's."""

    person: str
    title: str


@frozen
class GoOffDuty:
    """Have somebody go off duty."""

    person: str


@frozen
class SignLimits:
    """Put up a sign with new limits and the time from which they will hold."""

    notice: Notice
    at: str


@frozen
class ChangeLimits:
    """Have new limits hold from now on."""

    notice: Notice


@frozen
class SignPlayerLimits:
    """Put up a sign with limits for one player alone."""

    seat: int
    minimum: int
    maximum: int


@frozen
class LiftPlayerLimits:
    """Take the sign of one player's limits away."""

    seat: int


FloorCommand = ComeOnDuty | GoOffDuty | SignLimits | ChangeLimits | SignPlayerLimits | LiftPlayerLimits
"""Everything that can be asked of the floor."""
