"""What happened on the floor, in the past tense; `by` is who did it, by name. Without a clause, the book is silent."""

from __future__ import annotations

from passline.engine.events import Chips
from passline.engine.frozen import frozen
from passline.engine.table import Notice
from passline.engine.values import ClauseId, Crew
from passline.floor.commands import Officials
from passline.floor.promotions.events import PromotionEvent

# --- Staff and limits -------------------------------------------------------------------------------------------------


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
    """New limits hold; the sign that announced them has done its work, one with other limits still stands."""

    by: str
    clause: ClauseId
    sign_stands: bool
    """Whether a sign is up that announces others."""


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


@frozen
class PartnersLinked:
    """Players who bet together have one maximum between them."""

    seats: tuple[int, ...]
    reason: str
    by: str
    clause: ClauseId | None


@frozen
class PartnersUnlinked:
    """A player bets alone again."""

    seat: int
    by: str


# --- Wagers and outcomes ----------------------------------------------------------------------------------------------


@frozen
class WagerRefused:
    """A wager of a player's is not taken any more."""

    seat: int
    wager: str | None
    """None: every wager."""
    reason: str
    by: str
    clause: ClauseId | None
    runs_on: tuple[str, ...] = ()
    """What is up, should come down and may not before it is decided."""
    removing: ClauseId | None = None
    """The clause by which the rest came down."""


@frozen
class WagerAllowed:
    """A player's wager is taken again."""

    seat: int
    wager: str | None
    by: str


@frozen
class OutcomeInvalidated:
    """The last outcome does not count, for a reason of the house's list."""

    cause: str
    person: str
    opinion: str
    forfeits: tuple[int, ...]
    by: str
    second: str
    clause: ClauseId | None


# --- Closing and seats ------------------------------------------------------------------------------------------------


@frozen
class ClosingSigned:
    """A sign with the time of closing is up."""

    at: str
    since: str
    by: str
    clause: ClauseId


@frozen
class InspectorTold:
    """An inspector was told that the table is about to close."""

    inspector: str
    by: str
    clause: ClauseId


@frozen
class ClosingOrdered:
    """The table closes, by somebody's order."""

    reason: str
    by: str
    clause: ClauseId


@frozen
class PlacesCounted:
    """Somebody said how many places the table has."""

    places: int
    by: str


@frozen
class SeatVacated:
    """A player had to give up the place."""

    seat: int
    rounds: int
    """For how many rounds nothing of theirs was up."""
    reason: str
    by: str
    clause: ClauseId | None


# --- Disputes ---------------------------------------------------------------------------------------------------------


@frozen
class DisputeRaised:
    """Somebody does not accept something."""

    dispute: int
    person: str
    about: str
    covered: bool
    promotion: str = ""
    """The promotion whose terms it is about."""


@frozen
class DisputeDecided:
    """A dispute was decided for the first time."""

    dispute: int
    decision: str
    by: str
    rank: tuple[int, int]
    """How high whoever decided it stands."""
    clause: ClauseId | None


@frozen
class ReviewAsked:
    """Somebody asked for a decision to be looked at again."""

    dispute: int
    clause: ClauseId | None


@frozen
class DisputeReviewed:
    """A decision was looked at again, for the last time."""

    dispute: int
    decision: str
    by: str
    clause: ClauseId | None


@frozen
class ComplainantTold:
    """Somebody who is not satisfied was told what they can do."""

    dispute: int
    person: str
    told: str
    clause: ClauseId


# --- Conduct ----------------------------------------------------------------------------------------------------------


@frozen
class ConductReported:
    """Somebody did what they may not do."""

    report: int
    person: str
    breach: str
    details: str
    by: str
    clause: ClauseId


@frozen
class SanctionImposed:
    """Something is done about a report."""

    report: int
    person: str
    measure: str
    reason: str
    under: str
    """The law it rests on, where the book names one."""
    by: str
    second: str
    clause: ClauseId | None


@frozen
class HandedOver:
    """An official took over somebody who was detained."""

    report: int
    to: Officials
    official: str
    by: str
    clause: ClauseId


@frozen
class PersonExcluded:
    """Somebody may play at no table of the house."""

    person: str
    reason: str
    by: str
    second: str
    """Empty where somebody asked for it themselves."""
    clause: ClauseId | None


@frozen
class PersonReadmitted:
    """Somebody may play again."""

    person: str
    reason: str
    by: str
    second: str


# --- Vouchers, rules, dice --------------------------------------------------------------------------------------------


@frozen
class VoucherIssued:
    """A promotional voucher of a stated value was issued."""

    voucher: str
    value: Chips
    conditions: str
    by: str
    clause: ClauseId | None


@frozen
class VoucherChanged:
    """A voucher became tokens of the same value."""

    voucher: str
    seat: int
    value: Chips
    by: str
    clause: ClauseId | None


@frozen
class RulesShown:
    """Somebody was shown the rules."""

    person: str
    clause: ClauseId | None


@frozen
class DiceInspected:
    """The dice were measured, and may be thrown or not."""

    passed: bool
    smallest: int
    """The smallest face, in tenths of a millimetre."""
    by: str
    clause: ClauseId


FloorEvent = (
    CameOnDuty
    | WentOffDuty
    | LimitsSigned
    | LimitsChanged
    | PlayerLimitsSigned
    | PlayerLimitsLifted
    | PartnersLinked
    | PartnersUnlinked
    | WagerRefused
    | WagerAllowed
    | OutcomeInvalidated
    | ClosingSigned
    | InspectorTold
    | ClosingOrdered
    | PlacesCounted
    | SeatVacated
    | DisputeRaised
    | DisputeDecided
    | ReviewAsked
    | DisputeReviewed
    | ComplainantTold
    | ConductReported
    | SanctionImposed
    | HandedOver
    | PersonExcluded
    | PersonReadmitted
    | VoucherIssued
    | VoucherChanged
    | RulesShown
    | DiceInspected
    | PromotionEvent
)
"""Everything that can have happened on the floor."""
