"""What a rule book says, as frozen records: every value beside the clause it comes from.

These records are the house file's own schema too: `rulebooks.model` reads a file by their fields and types, and tells
its author what a field is for in the words of `rulebooks/data/fields.toml`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Annotated, Literal

from passline.engine.floor_rules import FloorHabits, Promotions, Staff
from passline.engine.kinds import Terms
from passline.engine.values import Cited, ClauseId, Crew, Natural, Positive, Price, Rounding, Total
from passline.engine.verdicts import Window

# How many times its flat bet odds may be, by point; None where the sign sets no limit
Multiples = Mapping[Total, Positive] | None

ONE_CHIP = Cited(1, ClauseId("X-13"))  # what a charge is counted in where the book does not say

Facts = Mapping[str, Cited[object]]  # whatever a house says about itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Commission:
    """The house's charge on a wager paid at true odds."""

    rate: Cited[Fraction]
    of: Cited[Literal["stake", "win"]]
    when: Cited[Literal["up front", "on a win"]]
    rounding: Cited[Rounding]
    minimum_chips: Cited[Natural]
    unit_chips: Cited[Annotated[int, range(1, 1001)]] = ONE_CHIP
    refund: Cited[bool]
    recharge: Cited[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class EveryWager:
    """What holds for every wager that does not say otherwise."""

    offered: Cited[bool]
    made: Cited[Window]
    removable: Cited[Literal["any time", "until its point", "until its first roll", "never"]]
    off_on_comeout: Cited[bool]
    callable: Cited[bool]
    stays: Cited[bool]
    limits: Cited[Literal["table", "props", "side"]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerRule(EveryWager):
    """One wager, or one family of wagers that differ by a number, as this house books it."""

    key: str
    terms: Terms
    name: str
    names: Mapping[str, str] = field(default_factory=dict)
    area: str
    commission: Commission | None = None
    booked_with: Cited[tuple[Crew, ...]] | None = None
    button: Cited[str] | None = None

    def name_of(self, member: str) -> str:
        """The name of one of its members: its own, or by the template, or the family's and its number."""
        words = self.name.replace("{n}", member).replace("{pair}", member).strip()
        return self.names.get(member) or (words if words != self.name or not member else f"{words} {member}")

    def quotes(self) -> Iterator[tuple[str, Price]]:
        """Every price that it quotes itself, with the key it stands under in a house file: `pays.6`, `hard`."""
        for name in (each.name for each in fields(self.terms)):
            value = getattr(self.terms, name)
            for key, each in value.items() if isinstance(value, Mapping) else ((None, value),):
                if isinstance(each, Cited) and isinstance(each.value, Price):
                    yield name if key is None else f"{name}.{key}", each.value


# --- Habits ---------------------------------------------------------------------------------------------------------

# What a flaw in a throw does: voids it by itself, must be called, may be called
Handling = Literal["auto", "must call", "may call"]

WhereDiceLie = Literal["off-table", "left-and-returned", "stacked", "on-bank", "in-cup", "on-rail"]
HowDiceFly = Literal["cheating", "unapproved-dice", "not-together", "no-end-struck", "improper", "out-of-view"]

# What can be wrong with a throw: any text for whoever asks, one of these in a house file
Flaw = Annotated[str, Literal[WhereDiceLie, HowDiceFly, "cocked", "wrong-thrower", "irregular"]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeTerms:
    """The sign at the table: what it says by default and what it may say; amounts in whole units of money."""

    minimum: Cited[Natural]
    maximum: Cited[Natural]
    props: Cited[Positive | None]
    odds: Cited[Multiples]
    odds_from: Cited[Positive]
    odds_to: Cited[Positive | None]
    steps: Cited[bool]
    multiples: ClauseId
    side: Cited[bool]
    no_roll: Cited[bool]
    chips: Cited[tuple[Positive, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyHabits:
    """How the house pays, rounds, and treats stakes that should not have been there."""

    rounding: Cited[Rounding]
    improper_multiple: Cited[Literal["floor stake", "floor win", "none"]]
    indivisible_stake: Cited[Literal["refuse", "exact"]]
    price_overrides: Cited[Literal["none", "upward"]]
    price_form: Cited[Literal["to", "for", "either"]]
    under_min: Cited[Literal["settle then warn", "valid", "refuse"]]
    warning: ClauseId
    over_max: Cited[Literal["cap", "refuse"]]
    list_binds: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingHabits:
    """How wagers are made, changed, and called on and off."""

    only_listed: ClauseId
    made_with: ClauseId
    before_the_throw: ClauseId
    hands_off: ClauseId
    dont_ban: Cited[Literal["same bet", "all until come-out"]]
    push: Cited[Literal["stay", "return"]]
    on_scope: Cited[Literal["kind", "wager", "player"]]
    on_lasts: Cited[Literal["until point", "one roll", "until cancelled"]]
    on_confirmers: Cited[tuple[Crew, ...]]
    verbal_confirmers: Cited[tuple[Crew, ...]]
    late_bets: Cited[Literal["none", "dealer or box", "dealer and box"]]
    cash: Cited[Literal["none", "all but line", "all"]]
    tokens: Cited[bool]
    token_after_win: Cited[Literal["return", "collect"]]
    vouchers: Cited[tuple[Crew, ...]]
    responsibility: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class ShooterHabits:
    """Who throws, for how long, and who is asked next."""

    needs_line_bet: Cited[bool]
    must_keep_line_bet: Cited[bool]
    offer_requires_line_bet: Cited[bool]
    passes_on: Cited[Literal["seven-out", "any pass loss"]]
    voluntary_pass: Cited[Literal["any roll", "come-out only"]]
    order_pass: Cited[tuple[Literal["delay", "invalid rolls", "breach"], ...]]
    ordered_by: Cited[tuple[Crew, ...]]
    no_shooter: Cited[Literal["wait", "stickperson", "previous shooter"]]
    last_shooter_finishes: Cited[bool]
    come_only_rolls: Cited[bool]
    first_offer: ClauseId
    first_refused: ClauseId
    next_offer: ClauseId
    next_refused: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceHabits:
    """The dice, what becomes of those that stray, and how a doubtful face is read."""

    dice_set: Cited[Positive]
    dice_set_max: Cited[Positive | None]
    chosen: Cited[Positive]
    faces: ClauseId
    lost_for_new_set: Cited[Positive]
    off_table: ClauseId
    found_checked_by: Cited[Crew]
    cocked: Cited[Literal["opposite face", "ruling"]]
    cocked_on_more: Cited[Literal["no roll", "ruling"]]
    dispute: Cited[Literal["face or void", "face"]]
    ruled_by: Cited[tuple[Crew, ...]]
    opposite_sum: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class NoRollHabits:
    """What spoils a throw and who may say so."""

    callers: Cited[tuple[Crew, ...]]
    causes: Mapping[Flaw, Cited[Handling]]
    no_cause: Mapping[Annotated[str, Literal["touched-chips"]], ClauseId] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """One house's rule book."""

    id: str
    name: str
    points: Cited[tuple[Total, ...]]
    about: Facts = field(default_factory=dict)
    notice: NoticeTerms
    wagers: tuple[WagerRule, ...]
    money: MoneyHabits
    betting: BettingHabits
    shooter: ShooterHabits
    dice: DiceHabits
    no_roll: NoRollHabits
    floor: FloorHabits
    staff: Staff
    promotions: Promotions | None = None
    equipment: Facts = field(default_factory=dict)
    clauses: Mapping[str, str] = field(default_factory=dict)
