"""What a rule book says of people, as frozen records: who works as what, who may decide what, how long, and why.

Nothing here moves a chip by itself: these records are what `passline.floor` decides by. A field that is None is a house
whose book is silent; what it leaves to people is an act of a person, with a name and a reason.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from passline.engine.values import Cited, ClauseId, Crew, Natural, Positive

# Over how much somebody watches; an inspector is the state's and stands outside the house
Scope = Literal["table", "pit", "gaming floor", "state"]

# What somebody is to a game they may have broken the rules of
Standing = Literal["player", "spectator", "dealer", "staff", "inspector"]

# What can disrupt a game so that its outcome does not count
Disruption = Literal["civil commotion", "fire", "riot", "brawl", "robbery", "act of God"]

# What people may not do at a table: any text for whoever reports it, one of these in a house file
Breach = Annotated[str, Literal["touching", "device", "device link", "side bet", "advice", "advice by staff"]]

Excuse = Literal["on duty", "asked for", "to keep the rules"]  # why something is no breach after all

Measure = Annotated[str, Literal["void wagers", "bar", "exclude", "detain"]]  # what can be done about a breach

# Who counts as a supervisor where the book names the crew and does not say what they are
AS_IN_SYDNEY: Cited[tuple[Crew, ...]] = Cited(("box", "supervisor"), ClauseId("A-23"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """What a title of the house's means."""

    role: Crew
    """What somebody with this title works as."""
    scope: Scope
    """Over how much they watch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voiding:
    """When an outcome may be invalidated, and what an offender loses by it."""

    causes: Cited[tuple[Disruption, ...]]
    """What may have disrupted the game."""
    fraud_by: Cited[tuple[Standing, ...]]
    """Whose fraud counts."""
    opinion: Cited[bool]
    """Whether a supervisor must hold that the fraud changed the outcome."""
    forfeits: Cited[bool]
    """Whether the wager of a player in the fraud may be forfeited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disputes:
    """Who decides a dispute, who looks at it again, and what somebody is told who is not satisfied."""

    first: Cited[tuple[Crew, ...]]
    """Who decides it first."""
    covered: ClauseId
    """The clause by which a decision on what the rules cover is final."""
    uncovered: ClauseId
    """The clause by which a decision on what they do not cover is final."""
    review: Cited[Literal["nobody", "somebody higher", "inspector"]]
    """Who looks at it again when asked to."""
    told: Cited[str] | None = None
    """What somebody who is not satisfied is told: a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CageHabits:
    """How the house keeps its money; no rule book says, and amounts are whole units of money."""

    second_above: Natural = 1_000
    """Above what sum a payment at the cage takes a second person."""
    daily_report_above: Natural = 2_500
    """Above what sum of one person's payments in a gaming day they are reported, in and out apart."""
    gaming_day_begins: Natural = 6
    """The hour at which the house's own day begins, by the clock of its time zone."""
    time_zone: str = "UTC"
    """The time zone of the house, by its name in the IANA database: "Australia/Sydney"."""
    comp_percent: Natural = 20
    """How much of a player's theoretical loss is given back in comps."""
    paper_edge_hundredths: Natural = 150
    """The advantage that a rating on paper multiplies with, in hundredths of a percent."""
    paper_decisions_an_hour: Natural = 60
    """The decisions an hour that a rating on paper takes."""


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
    partners: ClauseId | None = None
    """The clause by which players who bet together have one maximum between them."""
    refusing: ClauseId | None = None
    """The clause by which a wager may be refused."""
    removing: ClauseId | None = None
    """The clause by which a refused wager comes down, as far as it may."""
    refused_after: Cited[Positive] | None = None
    """How often somebody must have touched wagers before theirs are refused for it."""
    voiding: Voiding | None = None
    """Why an outcome may be invalidated."""
    idle_rounds: Cited[Positive] | None = None
    """How many rounds without a wager cost a player the place at a full table."""
    disputes: Disputes | None = None
    """Who decides disputes."""
    conduct: Mapping[Breach, Cited[tuple[Standing, ...]]] = field(default_factory=dict)
    """What may not be done at a table, and by whom."""
    excuses: Mapping[Breach, Cited[Excuse]] = field(default_factory=dict)
    """What makes such a thing lawful after all."""
    sanctioned: Cited[tuple[Breach, ...]] | None = None
    """For which of these things there are sanctions."""
    sanctions: Mapping[Measure, ClauseId] = field(default_factory=dict)
    """The sanctions, each with its clause."""
    exclusion: Cited[str] | None = None
    """The law under which somebody is excluded from the casino."""
    handed_to: Cited[tuple[Literal["inspector", "police"], ...]] | None = None
    """Who takes over somebody who is detained."""
    vouchers: ClauseId | None = None
    """The clause by which a voucher of the house's becomes tokens."""
    rules_on_request: ClauseId | None = None
    """The clause by which anybody may see the rules."""
    die_face: Cited[Positive] | None = None
    """How long the edge of a die's face is at least, in tenths of a millimetre."""
    cage: CageHabits = CageHabits()
    """How the house keeps its money."""


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


Given = Literal["draw", "chance", "skill"]  # how a prize finds its winner

# What a prize is: one of these, `goods` where it is none of the others; an old journal may say any text
PrizeKind = Annotated[
    str,
    Literal[
        "cash",
        "goods",
        "slots dollars",
        "casino dollars",
        "appliance",
        "vehicle",
        "travel",
        "real estate",
        "liquor",
        "tobacco",
        "firearm",
        "ammunition",
        "imitation firearm",
        "prohibited weapon",
    ],
]

Payment = Literal["cash", "crossed cheque", "electronic transfer"]  # how a prize of money is paid

# How a winner is told: any text for whoever tells, one of these in a house file
Way = Annotated[str, Literal["face to face", "mail", "telephone", "email"]]

Remedy = Literal["postpone", "cancel"]  # what becomes of a draw that cannot be trusted


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotions:
    """What a promotion must say before it opens, how its prizes are drawn and paid, and what is kept."""

    offered: ClauseId
    """The clause by which prizes may be offered alongside gaming."""
    given_by: Cited[tuple[Given, ...]]
    """How a prize may find its winner."""
    scrutineer_over: Cited[Natural]
    """Above what value of one prize a scrutineer watches the draws."""
    cash_alternative: ClauseId
    """The clause by which a winner may be offered money in the place of a thing."""
    no_cash_alternative: Cited[tuple[PrizeKind, ...]]
    """For which prizes there is no money instead."""
    alternative_in_terms: ClauseId
    """The clause by which the terms say so."""
    choice_over: Cited[Natural]
    """Above what amount of money the winner chooses how it is paid."""
    choice: Cited[tuple[Payment, ...]]
    """Among what."""
    banned: Mapping[PrizeKind, ClauseId]
    """What no prize may be."""
    banned_by: ClauseId
    """The clause that makes the list."""
    liquor_litres: Cited[Positive]
    """How much liquor a prize may be, in litres."""
    prescribed: Cited[tuple[str, ...]]
    """What else the regulations forbid, by name."""
    marketing: ClauseId
    """The clause by which the marketing speaks of the terms."""
    channels: ClauseId
    """The clause on where the terms can be had."""
    terms_by: ClauseId
    """The clause that makes the list of terms."""
    terms: Mapping[str, ClauseId]
    """What the terms must say."""
    compulsory_wager: ClauseId
    """The clause by which they name a wager that must be made."""
    details: Mapping[PrizeKind, Mapping[str, ClauseId]]
    """What they must say of prizes of some kinds besides."""
    told_within_days: Cited[Positive]
    """How soon after a draw a winner is told who did not have to be there."""
    told_by: Mapping[Way, ClauseId]
    """The ways to tell a winner."""
    filed_hours: Cited[Positive]
    """How long before it starts the terms are with the Authority."""
    approval: ClauseId
    """The clause by which terms change after the start only with the Authority's approval."""
    reasons: ClauseId
    """The clause by which somebody who is refused a prize is told why."""
    kept_over: Cited[Natural]
    """Above what value the details of a refused claim are kept."""
    final: ClauseId
    """The clause by which the house's decision on the terms is final."""
    told: Cited[str]
    """What somebody who is not satisfied is told: a sentence."""
    remedies: Cited[tuple[Remedy, ...]]
    """What may become of a promotion that cannot be trusted."""
    inspectorate: ClauseId
    """The clause by which the inspectorate hears of that at once."""
