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
    scope: Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Voiding:
    """When an outcome may be invalidated, and what an offender loses by it."""

    causes: Cited[tuple[Disruption, ...]]
    fraud_by: Cited[tuple[Standing, ...]]
    opinion: Cited[bool]
    forfeits: Cited[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Disputes:
    """Who decides a dispute, who looks at it again, and what somebody is told who is not satisfied."""

    first: Cited[tuple[Crew, ...]]
    covered: ClauseId
    uncovered: ClauseId
    review: Cited[Literal["nobody", "somebody higher", "inspector"]]
    told: Cited[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CageHabits:
    """How the house keeps its money; no rule book says, and amounts are whole units of money."""

    second_above: Natural = 1_000
    daily_report_above: Natural = 2_500
    gaming_day_begins: Natural = 6
    time_zone: str = "UTC"
    comp_percent: Natural = 20
    paper_edge_hundredths: Natural = 150
    paper_decisions_an_hour: Natural = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorHabits:
    """What the pit does around the game."""

    min_raise_notice_minutes: Cited[Natural]
    closing_notice_minutes: Cited[Natural]
    closing_tells: Cited[Literal[Crew, "nobody"]]
    closing: Cited[Literal["finish hand", "return all"]]
    on_invalidation: Cited[Literal["as it lay", "refund"]]
    supervisors: Cited[tuple[Crew, ...]] = AS_IN_SYDNEY
    titles: Mapping[str, Cited[Title]] = field(default_factory=dict)
    player_limits: ClauseId | None = None
    partners: ClauseId | None = None
    refusing: ClauseId | None = None
    removing: ClauseId | None = None
    refused_after: Cited[Positive] | None = None
    voiding: Voiding | None = None
    idle_rounds: Cited[Positive] | None = None
    disputes: Disputes | None = None
    conduct: Mapping[Breach, Cited[tuple[Standing, ...]]] = field(default_factory=dict)
    excuses: Mapping[Breach, Cited[Excuse]] = field(default_factory=dict)
    sanctioned: Cited[tuple[Breach, ...]] | None = None
    sanctions: Mapping[Measure, ClauseId] = field(default_factory=dict)
    exclusion: Cited[str] | None = None
    handed_to: Cited[tuple[Literal["inspector", "police"], ...]] | None = None
    vouchers: ClauseId | None = None
    rules_on_request: ClauseId | None = None
    die_face: Cited[Positive] | None = None
    cage: CageHabits = CageHabits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """The house's own words for the crew."""

    dealer: str
    box: str
    stick: str
    supervisor: str
    inspector: str


Given = Literal["draw", "chance", "skill"]  # how a prize finds its winner

Ordinary = Literal["cash", "goods", "slots dollars", "casino dollars", "appliance", "vehicle", "travel", "real estate"]
Regulated = Literal["liquor", "tobacco", "firearm", "ammunition", "imitation firearm", "prohibited weapon"]

# What a prize is: one of these, `goods` where it is none of the others; an old journal may say any text
PrizeKind = Annotated[str, Literal[Ordinary, Regulated]]

Payment = Literal["cash", "crossed cheque", "electronic transfer"]  # how a prize of money is paid

# How a winner is told: any text for whoever tells, one of these in a house file
Way = Annotated[str, Literal["face to face", "mail", "telephone", "email"]]

Remedy = Literal["postpone", "cancel"]  # what becomes of a draw that cannot be trusted


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotions:
    """What a promotion must say before it opens, how its prizes are drawn and paid, and what is kept."""

    offered: ClauseId
    given_by: Cited[tuple[Given, ...]]
    scrutineer_over: Cited[Natural]
    cash_alternative: ClauseId
    no_cash_alternative: Cited[tuple[PrizeKind, ...]]
    alternative_in_terms: ClauseId
    choice_over: Cited[Natural]
    choice: Cited[tuple[Payment, ...]]
    banned: Mapping[PrizeKind, ClauseId]
    banned_by: ClauseId
    liquor_litres: Cited[Positive]
    prescribed: Cited[tuple[str, ...]]
    marketing: ClauseId
    channels: ClauseId
    terms_by: ClauseId
    terms: Mapping[str, ClauseId]
    compulsory_wager: ClauseId
    details: Mapping[PrizeKind, Mapping[str, ClauseId]]
    told_within_days: Cited[Positive]
    told_by: Mapping[Way, ClauseId]
    filed_hours: Cited[Positive]
    approval: ClauseId
    reasons: ClauseId
    kept_over: Cited[Natural]
    final: ClauseId
    told: Cited[str]
    remedies: Cited[tuple[Remedy, ...]]
    inspectorate: ClauseId
