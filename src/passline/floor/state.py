"""What the floor knows of a table between two acts: who is on duty, signs, who may not do what, promotions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from passline.engine.events import Chips
from passline.engine.floor_rules import Given
from passline.engine.table import Notice, TableState
from passline.engine.values import ClauseId
from passline.floor.clock import Time

NOTHING: Mapping[Any, Any] = MappingProxyType({})

EVERY_WAGER = "every wager"
"""Stands for all of a player's wagers where some of them may be refused."""


class LimitsSign(NamedTuple):
    """A sign that says what the limits will be, and from when."""

    notice: Notice
    at: str
    since: str
    """When it was put up."""


class ClosingSign(NamedTuple):
    """A sign that says when the table will close."""

    at: str
    since: str


class PlayerLimits(NamedTuple):
    """A sign with the limits of one player alone, in grains."""

    minimum: int
    maximum: int


class Dispute(NamedTuple):
    """Something that somebody does not accept."""

    person: str
    covered: bool
    """Whether the rules cover it."""
    promotion: str = ""
    """The promotion whose terms it is about, where it is about one."""
    stands: Literal["raised", "decided", "review asked for", "reviewed"] = "raised"
    decided_by: str = ""
    """Who decided it, as the name is folded."""
    rank: tuple[int, int] = (0, 0)
    """How high they stand."""
    told: bool = False
    """Whether the person was told of the right to complain."""


class Report(NamedTuple):
    """Something that somebody did and may not do."""

    person: str
    breach: str
    held: bool = False
    """Whether they are detained for it."""


class Voucher(NamedTuple):
    """A promotional voucher of the house's, in grains."""

    value: int
    conditions: str
    by: str
    """Who issued it."""
    changed: bool = False


class Prize(NamedTuple):
    """One prize, in grains."""

    kind: str
    item: str
    value: Chips
    details: Mapping[str, str] = NOTHING
    """What is said of it besides: its make, who may travel."""
    cash_alternative: Chips = 0
    """What the winner may have instead; 0: nothing."""
    liquor_ml: int = 0
    """How much liquor it holds, in millilitres."""


class Offer(NamedTuple):
    """What a promotion offers, on what terms and when."""

    given_by: Given
    prizes: tuple[Prize, ...]
    terms: Mapping[str, str]
    marketing: str
    """What the marketing says of the terms."""
    channels: tuple[str, ...]
    """Where the terms can be had."""
    starts: Time
    closes: Time
    """When the last entry is taken."""
    with_gaming: bool = True
    """Whether it goes with gaming."""
    compulsory_wager: Chips = 0
    """The wager that must be made to be eligible, in grains; 0: none."""
    must_attend: bool = False
    """Whether an entrant has to be at the draw."""


class Drawn(NamedTuple):
    """A prize that has its winner."""

    winner: str
    at: str
    notified: bool = False
    awarded: bool = False


class Claim(NamedTuple):
    """A claim that was refused, as it is kept, in grains."""

    claimant: str
    address: str
    value: int
    reason: str


class Promotion(NamedTuple):
    """A promotion of the register."""

    offer: Offer
    stands: Literal["registered", "open", "postponed", "cancelled"] = "registered"
    filed: str = ""
    """When the terms were given to the Authority."""
    entrants: tuple[str, ...] = ()
    """By name as it is folded."""
    drawn: Mapping[int, Drawn] = NOTHING
    """By number of the prize, from 1."""
    refused: tuple[Claim, ...] = ()
    """The claims whose details are kept."""


class Drawer(NamedTuple):
    """A cashier's drawer of cash, in minor units."""

    since: str
    opening: int
    book: int
    """What must lie in it by what was paid in and out."""


class TableBank(NamedTuple):
    """The chips of a table's float, in minor units."""

    book: int
    """What lay there at the last count, with the fills and credits since."""
    outside: int
    """What the players had of it at the last count: bought, less what the bank had won."""
    slips: int = 0
    """How many fills and credits were numbered."""

    def due(self, table: TableState) -> int:
        """What must lie there now: what players hold more than at the last count has left the float."""
        return self.book + self.outside - (table.bought - table.bank)


class OwnLimits(NamedTuple):
    """What a player wants to be held to."""

    deposit: int = 0
    """The most that is taken of theirs at the cage in a gaming day, in minor units; 0: no limit."""
    loss: int = 0
    """The most chips that they buy in a gaming day, at all tables, beyond those they bring back; 0: no limit."""
    stop_at: str = ""
    """From when on they do not play until the next gaming day; empty: no limit."""
    next_deposit: int = 0
    """Looser limits that wait."""
    next_loss: int = 0
    next_at: str = ""
    """When they were asked for; empty: none waits."""


class Floor(NamedTuple):
    """Everything the floor knows of one table."""

    duty: Mapping[str, str] = NOTHING
    """By name as it is folded: the title of everybody on duty."""
    limits_sign: LimitsSign | None = None
    closing_sign: ClosingSign | None = None
    inspector_told: str = ""
    """Which inspector has been told that the table closes."""
    player_limits: Mapping[int, PlayerLimits] = NOTHING
    """By seat: the limits of players who have their own."""
    partners: tuple[tuple[int, ...], ...] = ()
    """Seats that bet together."""
    refused: Mapping[int, tuple[str, ...]] = NOTHING
    """By seat: the wagers that are refused, or `EVERY_WAGER`."""
    barred: Mapping[str, ClauseId | None] = NOTHING
    """By name as it is folded: who may not play, and the clause of the book that says so."""
    reports: Mapping[int, Report] = NOTHING
    disputes: Mapping[int, Dispute] = NOTHING
    vouchers: Mapping[str, Voucher] = NOTHING
    places: int = 0
    """How many places the table has; 0 where nobody has counted them."""
    idle: Mapping[int, int] = NOTHING
    """By seat: for how many rounds running nothing of theirs was up."""
    active: tuple[int, ...] = ()
    """Seats with anything up in this round."""
    promotions: Mapping[str, Promotion] = NOTHING
    """The register of promotions, by name."""
    dice_failed: bool = False
    """Whether the dice were inspected and are not fit to be thrown."""
    drawers: Mapping[str, Drawer] = NOTHING
    """By cashier, as the name is folded: the drawers that are open."""
    bank: TableBank | None = None
    """The float, once it was counted."""
    own_limits: Mapping[str, OwnLimits] = NOTHING
    """By name as it is folded."""
    deposits: Mapping[str, int] = NOTHING
    """By name as it is folded: what was paid in on the gaming day below."""
    gaming_day: int = 0
    """The last gaming day on which somebody paid in, counted as the clock counts days."""


QUIET = Floor()
"""A floor on which nothing has happened."""


def without(mapping: Mapping[Any, Any], key: object) -> Mapping[Any, Any]:
    return {each: value for each, value in mapping.items() if each != key} if key in mapping else mapping
