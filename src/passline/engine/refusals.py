"""Why the dealers say no: a value, so that nobody can fail to look at it."""

from dataclasses import dataclass

from passline.engine.events import Event
from passline.engine.values import ClauseId


@dataclass(frozen=True, slots=True)
class Refusal:
    """No: nothing has changed and nothing is lost."""

    code: str
    message: str
    clause: ClauseId | None = None
    seat: int | None = None


Answer = tuple["Event", ...] | Refusal
"""What happened, or why nothing did."""
