"""What a rule book says of people, as frozen records: who works as what, who may decide what, how long, and why.

Nothing here moves a chip by itself: these records are what `passline.floor` decides by. A field that is None is a house
whose book is silent; what it leaves to people is an act of a person, with a name and a reason.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from passline.engine.values import Cited, ClauseId, Crew, Natural

Scope = Literal["table", "pit", "gaming floor", "state"]
"""Over how much somebody watches; an inspector is the state's and stands outside the house."""

AS_IN_SYDNEY: Cited[tuple[Crew, ...]] = Cited(("box", "supervisor"), ClauseId("A-23"))
"""Who counts as a supervisor where the book names the crew and does not say what they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """What a title of the house's means."""

    role: Crew
    """What somebody with this title works as."""
    scope: Scope
    """Over how much they watch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorHabits:
    """What the pit does around the game."""

    min_raise_notice_minutes: Cited[Natural]
    """How long a higher minimum is signed ahead; 0 for none."""
    closing_notice_minutes: Cited[Natural]
    """How long a closing is signed ahead; 0 for none."""
    closing_tells: Cited[Literal[Crew, "nobody"]]
    """Who must be told before a table closes."""
    closing: Cited[Literal["finish hand", "return all"]]
    """What becomes of wagers at a closing."""
    on_invalidation: Cited[Literal["as it lay", "refund"]]
    """What becomes of stakes that a struck-out outcome had decided: they lie as before, or go back to the rail."""
    supervisors: Cited[tuple[Crew, ...]] = AS_IN_SYDNEY
    """Who counts as a supervisor and may do what supervisors do."""
    titles: Mapping[str, Cited[Title]] = field(default_factory=dict)
    """The house's titles: what somebody who has one works as, and over how much."""
    player_limits: ClauseId | None = None
    """The clause by which a player may be given limits of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """The house's own words for the crew."""

    dealer: str
    """Who books and pays."""
    box: str
    """Who sits over the bank and rules on the dice."""
    stick: str
    """Who handles and calls the dice."""
    supervisor: str
    """Who decides what the box does not."""
    inspector: str
    """Who watches the house."""
