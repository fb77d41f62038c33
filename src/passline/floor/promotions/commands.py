"""What people ask about promotions, in the imperative; a prize goes by its number, from 1."""

from __future__ import annotations

from typing import Literal

from passline.engine.frozen import frozen
from passline.floor.promotions.state import Offer

Chooser = Literal["winner", "house"]
"""Who says how a prize is paid."""


@frozen
class RegisterPromotion:
    """Put a promotion on the register."""

    promotion: str
    offer: Offer


@frozen
class FileTerms:
    """Give the full terms to the Authority."""

    promotion: str
    authority: str
    """Who received them there."""


@frozen
class OpenPromotion:
    """Have a promotion start."""

    promotion: str


@frozen
class AmendPromotion:
    """Change what a promotion offers."""

    promotion: str
    offer: Offer
    approval: str = ""
    """By which letter the Authority approved it."""


@frozen
class EnterPromotion:
    """Take part."""

    promotion: str
    person: str


@frozen
class DrawPrize:
    """Say who has won a prize."""

    promotion: str
    prize: int
    winner: str
    scrutineer: str = ""
    """Who watched the draw for the house."""


@frozen
class NotifyWinner:
    """Try to tell a winner."""

    promotion: str
    prize: int
    way: str


@frozen
class AwardPrize:
    """Give a prize to its winner."""

    promotion: str
    prize: int
    paid: tuple[tuple[str, int], ...] = ()
    """How money is paid, and how much in each way."""
    chosen_by: Chooser = "house"
    instead: bool = False
    """Whether the winner takes the money in the place of the thing."""


@frozen
class RefuseClaim:
    """Refuse a prize to somebody who claims it."""

    promotion: str
    claimant: str
    value: int
    reason: str
    told: bool
    """Whether the claimant has been told the reason."""
    address: str = ""


@frozen
class DoubtPromotion:
    """Find that a promotion or its draw cannot be trusted."""

    promotion: str
    remedy: str
    reason: str
    inspectorate: str
    """Who was told at the inspectorate."""


@frozen
class TrustPromotion:
    """Find that a promotion which was postponed can be trusted again."""

    promotion: str
    reason: str


PromotionCommand = (
    RegisterPromotion
    | FileTerms
    | OpenPromotion
    | AmendPromotion
    | EnterPromotion
    | DrawPrize
    | NotifyWinner
    | AwardPrize
    | RefuseClaim
    | DoubtPromotion
    | TrustPromotion
)
"""Everything that can be asked about promotions."""
