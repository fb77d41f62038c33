"""What the floor knows of a table between two acts: who is on duty, signs, who may not do what, promotions."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from passline.engine.floor_rules import Given
from passline.engine.table import Notice, TableState
from passline.engine.values import Chips, ClauseId
from passline.floor.clock import DAY, Time, instant

NOTHING: Mapping[Any, Any] = MappingProxyType({})

EVERY_WAGER = "every wager"  # Stands for all of a player's wagers where some of them may be refused


class LimitsSign(NamedTuple):
    """A sign that says what the limits will be, and from when."""

    notice: Notice
    at: str
    since: str  # when it was put up


class ClosingSign(NamedTuple):
    """A sign that says when the table will close."""

    at: str
    since: str


class PlayerLimits(NamedTuple):
    """A sign with the limits of one player alone, in minor units."""

    minimum: int
    maximum: int


class Dispute(NamedTuple):
    person: str
    covered: bool  # whether the rules cover it
    promotion: str = ""  # the promotion whose terms it is about, where it is about one
    stands: Literal["raised", "decided", "review asked for", "reviewed"] = "raised"
    decided_by: str = ""  # who decided it, as the name is folded
    rank: tuple[int, int] = (0, 0)  # how high they stand
    told: bool = False  # whether the person was told of the right to complain


class Report(NamedTuple):
    """Something that somebody did and may not do."""

    person: str
    breach: str
    held: bool = False  # whether they are detained for it


class Voucher(NamedTuple):
    """A promotional voucher of the house's, in minor units."""

    value: int
    conditions: str
    by: str  # who issued it
    changed: bool = False


class Prize(NamedTuple):
    """One prize, in minor units."""

    kind: str
    item: str
    value: Chips
    details: Mapping[str, str] = NOTHING  # what is said of it besides: its make, who may travel
    cash_alternative: Chips = 0  # what the winner may have instead; 0: nothing
    liquor_ml: int = 0  # how much liquor it holds, in millilitres


class Offer(NamedTuple):
    given_by: Given
    prizes: tuple[Prize, ...]
    terms: Mapping[str, str]
    marketing: str  # what the marketing says of the terms
    channels: tuple[str, ...]  # where the terms can be had
    starts: Time
    closes: Time  # when the last entry is taken
    with_gaming: bool = True
    compulsory_wager: Chips = 0  # the wager that must be made to be eligible, in minor units; 0: none
    must_attend: bool = False  # whether an entrant has to be at the draw


class Drawn(NamedTuple):
    winner: str
    at: str
    notified: bool = False
    awarded: bool = False


class Claim(NamedTuple):
    """A claim that was refused, as it is kept, in minor units."""

    claimant: str
    address: str
    value: int
    reason: str


class Promotion(NamedTuple):
    offer: Offer
    stands: Literal["registered", "open", "postponed", "cancelled"] = "registered"
    filed: str = ""  # when the terms were given to the Authority
    entrants: tuple[str, ...] = ()  # by name as it is folded
    drawn: Mapping[int, Drawn] = NOTHING  # by number of the prize, from 1
    refused: tuple[Claim, ...] = ()  # the claims whose details are kept


class Drawer(NamedTuple):
    """A cashier's drawer of cash, in minor units."""

    since: str
    opening: int
    book: int  # what must lie in it by what was paid in and out


class TableBank(NamedTuple):
    """The chips of a table's float, in minor units."""

    book: int  # what lay there at the last count, with the fills and credits since
    outside: int  # what the players had of it at the last count: bought, less what the bank had won
    slips: int = 0  # how many fills and credits were numbered

    def due(self, table: TableState) -> int:
        """What must lie there now: what players hold more than at the last count has left the float."""
        return self.book + self.outside - (table.bought - table.bank)


class OwnLimits(NamedTuple):
    deposit: int | None = None  # the most that is taken of theirs at the cage in a gaming day; none: no limit
    loss: int | None = None  # the most chips that they buy in a gaming day, at all tables, beyond those they bring back
    stop_at: str = ""  # from when on they do not play until the next gaming day; empty: no limit
    next_deposit: int | None = None  # Looser limits that wait
    next_loss: int | None = None
    next_at: str = ""  # when they were asked for; empty: none waits
    resumes: str = ""  # when the gaming day after `stop_at` begins; empty in entries of before it was written

    @property
    def plays_again(self) -> int:
        """The instant at which a time to stop is over."""
        if not self.stop_at:
            return 0
        return instant(self.resumes) if self.resumes else instant(self.stop_at) + DAY


class Floor(NamedTuple):
    """Everything the floor knows of one table."""

    duty: Mapping[str, str] = NOTHING  # by name as it is folded: the title of everybody on duty
    limits_sign: LimitsSign | None = None
    closing_sign: ClosingSign | None = None
    inspector_told: str = ""  # which inspector has been told that the table closes
    player_limits: Mapping[int, PlayerLimits] = NOTHING  # by seat: the limits of players who have their own
    partners: tuple[tuple[int, ...], ...] = ()  # Seats that bet together
    refused: Mapping[int, tuple[str, ...]] = NOTHING  # by seat: the wagers that are refused, or `EVERY_WAGER`
    # By name as it is folded: who may not play, and the clause of the book that says so.
    barred: Mapping[str, ClauseId | None] = NOTHING
    reports: Mapping[int, Report] = NOTHING
    disputes: Mapping[int, Dispute] = NOTHING
    vouchers: Mapping[str, Voucher] = NOTHING
    places: int = 0  # how many places the table has; 0 where nobody has counted them
    idle: Mapping[int, int] = NOTHING  # by seat: for how many rounds running nothing of theirs was up
    active: tuple[int, ...] = ()  # Seats with anything up in this round
    promotions: Mapping[str, Promotion] = NOTHING  # the register of promotions, by name
    dice_failed: bool = False  # whether the dice were inspected and are not fit to be thrown
    drawers: Mapping[str, Drawer] = NOTHING  # by cashier, as the name is folded: the drawers that are open
    bank: TableBank | None = None  # the float, once it was counted
    own_limits: Mapping[str, OwnLimits] = NOTHING  # by name as it is folded
    deposits: Mapping[str, int] = NOTHING  # by name as it is folded: what was paid in on the gaming day below
    gaming_day: int = 0  # the last gaming day on which somebody paid in, counted as the clock counts days


QUIET = Floor()  # a floor on which nothing has happened


def without(mapping: Mapping[Any, Any], key: object) -> Mapping[Any, Any]:
    return {each: value for each, value in mapping.items() if each != key} if key in mapping else mapping
