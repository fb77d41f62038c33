"""What a rule book says, as frozen records: every value beside the clause it comes from.

These records are the house file's own schema too: `rulebooks.model` reads a file by their fields and types, and tells
its author what a field is for in the words that stand beneath it.
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


# --- Wagers ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Commission:
    """The house's charge on a wager paid at true odds."""

    rate: Cited[Fraction]
    """The charge, as a percentage."""
    of: Cited[Literal["stake", "win"]]
    """What it is a share of."""
    when: Cited[Literal["up front", "on a win"]]
    """When it is taken."""
    rounding: Cited[Rounding]
    """Which way a charge that chips cannot make goes."""
    minimum_chips: Cited[Natural]
    """The least charge, in smallest chips."""
    unit_chips: Cited[Annotated[int, range(1, 1001)]] = ONE_CHIP
    """How many of the smallest chips the charge comes in."""
    refund: Cited[bool]
    """Whether it comes back when the wager is taken down."""
    recharge: Cited[bool]
    """Whether a winner that stays up is charged again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EveryWager:
    """What holds for every wager that does not say otherwise."""

    offered: Cited[bool]
    """Whether a player can have it."""
    made: Cited[Window]
    """When it may be made."""
    removable: Cited[Literal["any time", "until its point", "until its first roll", "never"]]
    """How long it may be taken down or lowered."""
    off_on_comeout: Cited[bool]
    """Whether it rests on a come-out roll unless called on."""
    callable: Cited[bool]
    """Whether the player may call it on and off."""
    stays: Cited[bool]
    """Whether a winner is paid and left up."""
    limits: Cited[Literal["table", "props", "side"]]
    """Which limits of the sign bind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerRule(EveryWager):
    """One wager, or one family of wagers that differ by a number, as this house books it."""

    key: str
    """What it is called in a record; its members' keys begin with it."""
    terms: Terms
    """Its kind, with the parameters of that kind."""
    name: str
    """The house's own name for it; {n} is its number, {pair} its faces."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of their own for some of its numbers."""
    area: str
    """Where on the layout its chips lie."""
    commission: Commission | None = None
    """The charge on it, if it is paid at true odds."""
    booked_with: Cited[tuple[Crew, ...]] | None = None
    """Who must book it, if players may not."""
    button: Cited[str] | None = None
    """The marker button that lies on it."""

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

# What can be wrong with a throw: any text for whoever asks, one of these in a house file
Flaw = Annotated[
    str,
    Literal[
        "off-table",
        "left-and-returned",
        "stacked",
        "on-bank",
        "in-cup",
        "on-rail",
        "cheating",
        "unapproved-dice",
        "not-together",
        "no-end-struck",
        "improper",
        "out-of-view",
        "cocked",
        "wrong-thrower",
        "irregular",
    ],
]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeTerms:
    """The sign at the table: what it says by default and what it may say; amounts in whole units of money."""

    minimum: Cited[Natural]
    """The smallest wager."""
    maximum: Cited[Natural]
    """The largest wager."""
    props: Cited[Positive | None]
    """The smallest wager in the centre, or "none" where it is the smallest wager."""
    odds: Cited[Multiples]
    """The odds multiple: one, a table by point, or "none"."""
    odds_from: Cited[Positive]
    """The smallest multiple a sign may name."""
    odds_to: Cited[Positive | None]
    """The largest multiple a sign may name, or "none"."""
    steps: Cited[bool]
    """Whether the sign may ask for multiples or a unit."""
    multiples: ClauseId
    """The clause on stakes that must be multiples of the minimum."""
    side: Cited[bool]
    """Whether the sign may give side bets limits of their own."""
    no_roll: Cited[bool]
    """Whether the sign may say which of them calls no roll."""
    chips: Cited[tuple[Positive, ...]]
    """The chips of the float, smallest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyHabits:
    """How the house pays, rounds, and treats stakes that should not have been there."""

    rounding: Cited[Rounding]
    """How uneven winnings are rounded."""
    improper_multiple: Cited[Literal["floor stake", "floor win", "none"]]
    """How a winner off the posted multiples is paid."""
    indivisible_stake: Cited[Literal["refuse", "exact"]]
    """What becomes of a split stake that does not divide."""
    price_overrides: Cited[Literal["none", "upward"]]
    """Whether the house may pay more than listed."""
    price_form: Cited[Literal["to", "for", "either"]]
    """Which word prices are written with."""
    under_min: Cited[Literal["settle then warn", "valid", "refuse"]]
    """What becomes of a wager found under the minimum."""
    warning: ClauseId
    """The clause on warning a player who bets under the minimum."""
    over_max: Cited[Literal["cap", "refuse"]]
    """What becomes of a wager found over the maximum."""
    list_binds: ClauseId
    """The clause by which a winner is paid no less than the list, or nothing but the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingHabits:
    """How wagers are made, changed, and called on and off."""

    only_listed: ClauseId
    """The clause that closes the list of wagers."""
    made_with: ClauseId
    """The clause on what wagers are made with."""
    before_the_throw: ClauseId
    """The clause that closes betting with the throw."""
    hands_off: ClauseId
    """The clause that keeps hands off wagers while a roll is decided."""
    dont_ban: Cited[Literal["same bet", "all until come-out"]]
    """What may not be remade after a don't bet with a point came down."""
    push: Cited[Literal["stay", "return"]]
    """What becomes of a barred don't bet."""
    on_scope: Cited[Literal["kind", "wager", "player"]]
    """What one On button speaks for."""
    on_lasts: Cited[Literal["until point", "one roll", "until cancelled"]]
    """How long a call of On lasts."""
    on_confirmers: Cited[tuple[Crew, ...]]
    """Who confirms a call of On."""
    verbal_confirmers: Cited[tuple[Crew, ...]]
    """Who confirms a spoken wager."""
    late_bets: Cited[Literal["none", "dealer or box", "dealer and box"]]
    """Who must confirm a wager made while the dice are in the air."""
    cash: Cited[Literal["none", "all but line", "all"]]
    """Which wagers may be spoken with cash."""
    tokens: Cited[bool]
    """Whether promotional tokens may be bet."""
    token_after_win: Cited[Literal["return", "collect"]]
    """What becomes of a token that won."""
    vouchers: Cited[tuple[Crew, ...]]
    """Who changes a voucher into tokens."""
    responsibility: ClauseId
    """The clause that makes players answer for where their chips lie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShooterHabits:
    """Who throws, for how long, and who is asked next."""

    needs_line_bet: Cited[bool]
    """Whether a shooter must have a line bet to begin."""
    must_keep_line_bet: Cited[bool]
    """Whether a shooter must keep a line bet to go on."""
    offer_requires_line_bet: Cited[bool]
    """Whether the dice are offered to line bettors only."""
    passes_on: Cited[Literal["seven-out", "any pass loss"]]
    """What takes the dice from the shooter."""
    voluntary_pass: Cited[Literal["any roll", "come-out only"]]
    """When a shooter may pass the dice by choice."""
    order_pass: Cited[tuple[Literal["delay", "invalid rolls", "breach"], ...]]
    """Why the dice can be ordered on."""
    ordered_by: Cited[tuple[Crew, ...]]
    """Who may order them on."""
    no_shooter: Cited[Literal["wait", "stickperson", "previous shooter"]]
    """Who throws when nobody will."""
    last_shooter_finishes: Cited[bool]
    """Whether, with a point on and no line bet left, the last shooter throws on."""
    come_only_rolls: Cited[bool]
    """Whether rolls may be thrown for come bets alone."""
    first_offer: ClauseId
    """The clause on who is offered the dice at the opening."""
    first_refused: ClauseId
    """The clause on where a first offer goes when it is refused."""
    next_offer: ClauseId
    """The clause on who is offered them next."""
    next_refused: ClauseId
    """The clause on where a later offer goes when it is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceHabits:
    """The dice, what becomes of those that stray, and how a doubtful face is read."""

    dice_set: Cited[Positive]
    """How many dice a set has, at least."""
    dice_set_max: Cited[Positive | None]
    """How many dice a set has, at most, or "none"."""
    chosen: Cited[Positive]
    """How many the shooter picks."""
    faces: ClauseId
    """The clause on the faces of a die."""
    lost_for_new_set: Cited[Positive]
    """How many lost dice call for a new set."""
    off_table: ClauseId
    """The clause on a die that leaves the table."""
    found_checked_by: Cited[Crew]
    """Who checks a die that was found."""
    cocked: Cited[Literal["opposite face", "ruling"]]
    """How a leaning die is read."""
    cocked_on_more: Cited[Literal["no roll", "ruling"]]
    """What becomes of a die that leans on more than one thing."""
    dispute: Cited[Literal["face or void", "face"]]
    """What a ruling on a doubtful face may say."""
    ruled_by: Cited[tuple[Crew, ...]]
    """Who rules on a doubtful face."""
    opposite_sum: ClauseId
    """The clause that opposite faces make seven."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoRollHabits:
    """What spoils a throw and who may say so."""

    callers: Cited[tuple[Crew, ...]]
    """Who may call no roll."""
    causes: Mapping[Flaw, Cited[Handling]]
    """What each flaw in a throw does."""
    no_cause: Mapping[Annotated[str, Literal["touched-chips"]], ClauseId] = field(default_factory=dict)
    """What the house says is no cause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """One house's rule book."""

    id: str
    """The house's short name."""
    name: str
    """The house's full name."""
    points: Cited[tuple[Total, ...]]
    """The totals that set a point on a come-out."""
    about: Facts = field(default_factory=dict)
    """What the rule book says of itself."""
    notice: NoticeTerms
    """The sign at the table."""
    wagers: tuple[WagerRule, ...]
    """The wagers, in the order of the rule card."""
    money: MoneyHabits
    """How the house pays."""
    betting: BettingHabits
    """How wagers are made and changed."""
    shooter: ShooterHabits
    """Who throws."""
    dice: DiceHabits
    """The dice."""
    no_roll: NoRollHabits
    """What spoils a throw."""
    floor: FloorHabits
    """What the pit does."""
    staff: Staff
    """The house's own words for the crew."""
    promotions: Promotions | None = None
    """What a promotion must be and say."""
    equipment: Facts = field(default_factory=dict)
    """What stands on and around the table."""
    clauses: Mapping[str, str] = field(default_factory=dict)
    """Clauses of the house's own: id and sentence."""
