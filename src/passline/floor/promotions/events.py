"""What happened to promotions, in the past tense; `by` is who did it, by name."""

from __future__ import annotations

from passline.engine.events import Chips
from passline.engine.frozen import frozen
from passline.engine.promotion_rules import Remedy
from passline.engine.values import ClauseId
from passline.floor.promotions.commands import Chooser
from passline.floor.promotions.state import Offer


@frozen
class PromotionRegistered:
    """A promotion is on the register, its prizes and terms checked."""

    promotion: str
    offer: Offer
    by: str
    clause: ClauseId


@frozen
class TermsFiled:
    """The Authority has the full terms."""

    promotion: str
    authority: str
    at: str
    by: str
    clause: ClauseId


@frozen
class PromotionOpened:
    """A promotion has started."""

    promotion: str
    by: str
    clause: ClauseId


@frozen
class PromotionAmended:
    """A promotion offers something else."""

    promotion: str
    offer: Offer
    approval: str
    by: str
    clause: ClauseId


@frozen
class PromotionEntered:
    """Somebody takes part."""

    promotion: str
    person: str


@frozen
class PrizeDrawn:
    """A prize has its winner."""

    promotion: str
    prize: int
    winner: str
    scrutineer: str
    at: str
    by: str
    clause: ClauseId


@frozen
class WinnerNotified:
    """Somebody tried to tell a winner."""

    promotion: str
    prize: int
    winner: str
    way: str
    late: bool
    """Whether it was too late, which is a breach."""
    by: str
    clause: ClauseId
    within: ClauseId
    """The clause on how soon."""


@frozen
class PrizeAwarded:
    """A winner has the prize."""

    promotion: str
    prize: int
    winner: str
    paid: tuple[tuple[str, int], ...]
    chosen_by: Chooser
    instead: bool
    by: str
    clause: ClauseId


@frozen
class ClaimRefused:
    """Somebody was refused a prize and told why."""

    promotion: str
    claimant: str
    address: str
    value: Chips
    reason: str
    kept: bool
    """Whether the details have to be kept."""
    by: str
    clause: ClauseId


@frozen
class PromotionDoubted:
    """A promotion or its draw cannot be trusted, and the inspectorate knows."""

    promotion: str
    remedy: Remedy
    reason: str
    inspectorate: str
    by: str
    clause: ClauseId
    told: ClauseId
    """The clause by which the inspectorate was told."""


@frozen
class PromotionTrusted:
    """A promotion that was postponed goes on."""

    promotion: str
    reason: str
    by: str
    clause: ClauseId


PromotionEvent = (
    PromotionRegistered
    | TermsFiled
    | PromotionOpened
    | PromotionAmended
    | PromotionEntered
    | PrizeDrawn
    | WinnerNotified
    | PrizeAwarded
    | ClaimRefused
    | PromotionDoubted
    | PromotionTrusted
)
"""Everything that can have happened to promotions."""
