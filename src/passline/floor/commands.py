"""What people ask of the floor, in the imperative; amounts are grains, times as entries write them.

A command with a `second` is an act of two people: at a table with a crew nobody does it alone.
"""

from __future__ import annotations

from typing import Literal

from passline.engine.floor_rules import Excuse, Standing
from passline.engine.frozen import frozen
from passline.engine.table import Notice
from passline.floor.promotions.commands import PromotionCommand

Officials = Literal["inspector", "police"]
"""Who can take over somebody who is detained."""


# --- Staff and limits -------------------------------------------------------------------------------------------------


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
    second: str = ""


@frozen
class LiftPlayerLimits:
    """Take the sign of one player's limits away."""

    seat: int


@frozen
class LinkPartners:
    """Treat players who bet together as one, so that they have one maximum between them."""

    seats: tuple[int, ...]
    reason: str


@frozen
class UnlinkPartners:
    """Treat a player as nobody's partner any more."""

    seat: int


# --- Wagers and outcomes ----------------------------------------------------------------------------------------------


@frozen
class RefuseWager:
    """Refuse a wager of a player's, or every wager, from now on."""

    seat: int
    wager: str | None
    """None: every wager."""
    reason: str
    remove: bool = False
    """Whether what is up and may come down does."""
    breach: str | None = None
    """What they were reported for, where that is the reason."""


@frozen
class AllowWager:
    """Take a player's wagers again."""

    seat: int
    wager: str | None
    """None: every wager."""


@frozen
class Invalidate:
    """Have the last outcome not count."""

    cause: str
    """What disrupted the game, or `fraud`."""
    person: str = ""
    """Whose fraud it was."""
    standing: Standing | None = None
    """What that person is to the game."""
    opinion: str = ""
    """Why whoever decides it holds that the fraud changed the outcome."""
    forfeits: tuple[int, ...] = ()
    """Seats in the fraud whose wagers on that outcome are lost."""
    second: str = ""


# --- Closing and seats ------------------------------------------------------------------------------------------------


@frozen
class SignClosing:
    """Put up a sign with the time at which the table will close."""

    at: str


@frozen
class TellInspector:
    """Tell an inspector that the table is about to close."""

    inspector: str


@frozen
class Close:
    """Close the table: the last hand is announced."""

    reason: str


@frozen
class CountPlaces:
    """Say how many places the table has."""

    places: int


@frozen
class VacateSeat:
    """Have a player who does not bet give up the place."""

    seat: int
    reason: str


# --- Disputes ---------------------------------------------------------------------------------------------------------


@frozen
class RaiseDispute:
    """Not accept something, and say what."""

    person: str
    about: str
    covered: bool = True
    """Whether the rules cover it."""
    promotion: str = ""
    """The promotion whose terms it is about, where it is about one."""


@frozen
class DecideDispute:
    """Decide a dispute for the first time."""

    dispute: int
    decision: str


@frozen
class AskReview:
    """Ask for a decision to be looked at again."""

    dispute: int


@frozen
class ReviewDispute:
    """Look at a decision again, and let it stand or not."""

    dispute: int
    decision: str


@frozen
class SayDissatisfied:
    """Say that somebody is still not satisfied."""

    dispute: int


# --- Conduct ----------------------------------------------------------------------------------------------------------


@frozen
class ReportConduct:
    """Report what somebody did and may not do."""

    person: str
    standing: Standing
    breach: str
    details: str
    excuse: Excuse | None = None
    """Why it was lawful after all, where somebody says so."""


@frozen
class Sanction:
    """Do something about a report."""

    report: int
    measure: str
    reason: str
    """Why whoever decides it is satisfied that the rule was broken."""
    second: str = ""


@frozen
class HandOver:
    """Hand somebody who is detained over to an official."""

    report: int
    to: Officials
    official: str
    """The official's name."""


@frozen
class Exclude:
    """Have somebody play at no table of the house, under this name."""

    person: str
    reason: str
    second: str = ""


@frozen
class ExcludeOneself:
    """Have oneself play at no table of the house, under this name."""

    person: str
    reason: str


@frozen
class Readmit:
    """Have somebody play again who was excluded or barred."""

    person: str
    reason: str
    second: str = ""


# --- Vouchers, rules, dice --------------------------------------------------------------------------------------------


@frozen
class IssueVoucher:
    """Issue a promotional voucher of a stated value."""

    voucher: str
    value: int
    conditions: str = ""


@frozen
class ChangeVoucher:
    """Change a voucher into tokens for a player."""

    voucher: str
    seat: int
    flaw: str | None = None
    """Why its printed conditions do not allow it, if they do not."""


@frozen
class AskForRules:
    """Ask to see the rules."""

    person: str


@frozen
class InspectDice:
    """Measure the faces of the dice, each in tenths of a millimetre."""

    faces: tuple[int, ...]


HouseCommand = Exclude | ExcludeOneself | Readmit | PromotionCommand
"""What is for the whole house: in a pit it is asked of the house's own floor."""

FloorCommand = (
    ComeOnDuty
    | GoOffDuty
    | SignLimits
    | ChangeLimits
    | SignPlayerLimits
    | LiftPlayerLimits
    | LinkPartners
    | UnlinkPartners
    | RefuseWager
    | AllowWager
    | Invalidate
    | SignClosing
    | TellInspector
    | Close
    | CountPlaces
    | VacateSeat
    | RaiseDispute
    | DecideDispute
    | AskReview
    | ReviewDispute
    | SayDissatisfied
    | ReportConduct
    | Sanction
    | HandOver
    | IssueVoucher
    | ChangeVoucher
    | AskForRules
    | InspectDice
    | HouseCommand
)
"""Everything that can be asked of the floor."""
