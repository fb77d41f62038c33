"""What the floor knows of a table between two acts: who is on duty, what signs are up, who may not do what."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - a named tuple looks for it
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from passline.engine.table import Notice

NOTHING: Mapping[Any, Any] = MappingProxyType({})


class LimitsSign(NamedTuple):
    """A sign that says what the limits will be, and from when."""

    notice: Notice
    at: str
    since: str
    """When it was put up."""


class PlayerLimits(NamedTuple):
    """A sign with the limits of one player alone, in grains."""

    minimum: int
    maximum: int


class Floor(NamedTuple):
    """Everything the floor knows of one table."""

    duty: Mapping[str, str] = NOTHING
    """By name as it is folded: the title of everybody on duty."""
    limits_sign: LimitsSign | None = None
    player_limits: Mapping[int, PlayerLimits] = NOTHING
    """By seat: the limits of players who have their own."""


QUIET = Floor()
"""A floor on which nothing has happened."""
