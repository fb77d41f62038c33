"""What a rule book says, as frozen records: every value beside the clause it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from passline.engine.values import ClauseId

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from passline.engine.values import Price, Role, Rounding

T = TypeVar("T")

SILENCE_ON_THE_LIST = ClauseId("X-10")
"""The reading where a book does not say that its list of prices binds."""


@dataclass(frozen=True, slots=True)
class Cited(Generic[T]):
    """A value and the id of the clause that gives it."""

    value: T
    clause: ClauseId


# --- Wagers ---------------------------------------------------------------------------------------------------------

Window = Literal["any time", "come-out", "point on", "after come-out", "first come-out", "after a seven"]
"""When a wager may be made."""

Removable = Literal["any time", "until its point", "until its first roll", "never"]
"""How long a wager may be taken down or lowered."""

Side = Literal["do", "dont"]
"""With the shooter or against."""

Base = Literal["stake", "win"]
"""What a commission is a share of."""

ChargedWhen = Literal["up front", "on a win"]
"""When a commission is taken."""

LimitClass = Literal["table", "props", "side"]
"""Which pair of limits on the notice binds a wager."""


@dataclass(frozen=True, slots=True)
class Line:
    """Decided by its first roll, or by its point against a seven: pass, come and their opposites."""

    side: Side
    travels: bool
    wins: Cited[tuple[int, ...]]
    loses: Cited[tuple[int, ...]]
    bar: Cited[int] | None
    point: ClauseId | None
    """For a bet that travels: the clause that gives it its number."""
    then_wins: ClauseId
    then_loses: ClauseId
    pays: Cited[Price]
    put: Cited[bool]


@dataclass(frozen=True, slots=True)
class Odds:
    """Chips behind one flat bet, priced by its point, living and ending with it."""

    flat: str
    side: Side
    pays: Mapping[int, Cited[Price]]
    wins: ClauseId
    loses: ClauseId
    limit: ClauseId


@dataclass(frozen=True, slots=True)
class Number:
    """A number against a seven: to win (place, buy, big) or to lose (place to lose, lay)."""

    side: Side
    pays: Mapping[int, Cited[Price]]
    wins: Mapping[int, ClauseId]
    loses: Mapping[int, ClauseId]


@dataclass(frozen=True, slots=True)
class Hardway:
    """A pair against the same total made any other way, and against a seven."""

    pays: Mapping[int, Cited[Price]]
    wins: Mapping[int, ClauseId]
    loses: Mapping[int, ClauseId]


@dataclass(frozen=True, slots=True)
class OneRoll:
    """Some totals win on the next roll, every other total loses."""

    pays: Mapping[int, Cited[Price]]
    wins: ClauseId
    loses: ClauseId


@dataclass(frozen=True, slots=True)
class Hop:
    """One exact pair of faces on the next roll."""

    keys: str
    pairs: tuple[tuple[int, int], ...]
    hard: Cited[Price] | None
    easy: Cited[Price] | None
    wins: ClauseId
    loses: ClauseId


@dataclass(frozen=True, slots=True)
class Split:
    """One stake shared out over other wagers in fixed units; `high` names the part that a number doubles."""

    parts: Cited[Mapping[str, int]]
    high: Mapping[int, str]
    wins: ClauseId
    loses: ClauseId
    paid_by: Mapping[int, ClauseId] = field(default_factory=dict)
    """For each winning total, the clause that prices the split itself; where it says nothing its parts' clauses do."""


@dataclass(frozen=True, slots=True)
class Fire:
    """Counts the different points one hand makes and is paid by how many there were."""

    pays: Mapping[int, Cited[Price]]
    on_pass: Cited[Literal["continue", "settle", "refund"]]
    pay_at: Cited[Literal["seven-out"]]
    wins: ClauseId
    loses: ClauseId


@dataclass(frozen=True, slots=True)
class Collect:
    """Every total of a set before any seven."""

    needs: Cited[tuple[int, ...]]
    pays: Cited[Price]
    wins: ClauseId
    loses: ClauseId


Terms = Line | Odds | Number | Hardway | OneRoll | Hop | Split | Fire | Collect
"""The ten kinds of wager (a line that travels is the tenth), each with its own parameters."""


@dataclass(frozen=True, slots=True)
class Commission:
    """The house's charge on a wager paid at true odds."""

    rate: Cited[Fraction]
    of: Cited[Base]
    when: Cited[ChargedWhen]
    rounding: Cited[Rounding]
    minimum_chips: Cited[int]
    refund: Cited[bool]
    recharge: Cited[bool]
    unit_chips: Cited[int] = Cited(1, ClauseId("X-13"))
    """How many of the smallest chips the charge comes in."""


@dataclass(frozen=True, slots=True)
class WagerRule:
    """One wager, or one family of wagers that differ by a number, as this house books it."""

    key: str
    name: str
    terms: Terms
    offered: Cited[bool]
    made: Cited[Window]
    removable: Cited[Removable]
    off_on_comeout: Cited[bool]
    callable: Cited[bool]
    stays: Cited[bool]
    limits: Cited[LimitClass]
    area: str
    commission: Commission | None = None
    booked_with: Cited[tuple[Role, ...]] | None = None
    button: Cited[str] | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    """The house's own name for every key under which chips of this rule can lie (`hard_4`: Four the Hardway)."""


# --- Habits ---------------------------------------------------------------------------------------------------------

Handling = Literal["auto", "must call", "may call"]
"""What a flaw in a throw does: voids it by itself, must be called, may be called."""


@dataclass(frozen=True, slots=True)
class MoneyHabits:
    """How this house pays, rounds, and treats stakes that should not have been there."""

    rounding: Cited[Rounding]
    improper_multiple: Cited[Literal["floor stake", "floor win", "none"]]
    indivisible_stake: Cited[Literal["refuse", "exact"]]
    price_overrides: Cited[Literal["none", "upward"]]
    price_form: Cited[Literal["to", "for", "either"]]
    under_min: Cited[Literal["settle then warn", "valid", "refuse"]]
    warning: ClauseId
    over_max: Cited[Literal["cap", "refuse"]]
    list_binds: ClauseId = SILENCE_ON_THE_LIST
    """The clause by which nobody is paid less than the list, or anything but the list."""


@dataclass(frozen=True, slots=True)
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
    on_confirmers: Cited[tuple[Role, ...]]
    verbal_confirmers: Cited[tuple[Role, ...]]
    late_bets: Cited[Literal["none", "dealer or box", "dealer and box"]]
    cash: Cited[Literal["none", "all but line", "all"]]
    tokens: Cited[bool]
    token_after_win: Cited[Literal["return", "collect"]]
    vouchers: Cited[tuple[Role, ...]]
    responsibility: ClauseId


@dataclass(frozen=True, slots=True)
class ShooterHabits:
    """Who throws, for how long, and who is asked next."""

    needs_line_bet: Cited[bool]
    must_keep_line_bet: Cited[bool]
    offer_requires_line_bet: Cited[bool]
    passes_on: Cited[Literal["seven-out", "any pass loss"]]
    voluntary_pass: Cited[Literal["any roll", "come-out only"]]
    order_pass: Cited[tuple[str, ...]]
    ordered_by: Cited[tuple[Role, ...]]
    no_shooter: Cited[Literal["wait", "stickperson", "previous shooter"]]
    last_shooter_finishes: Cited[bool]
    come_only_rolls: Cited[bool]
    first_offer: ClauseId
    first_refused: ClauseId
    next_offer: ClauseId
    next_refused: ClauseId


@dataclass(frozen=True, slots=True)
class DiceHabits:
    """The dice, what becomes of those that stray, and how a doubtful face is read."""

    dice_set: Cited[int]
    dice_set_max: Cited[int | None]
    chosen: Cited[int]
    faces: ClauseId
    lost_for_new_set: Cited[int]
    off_table: ClauseId
    found_checked_by: Cited[Role]
    cocked: Cited[Literal["opposite face", "ruling"]]
    cocked_on_more: Cited[Literal["no roll", "ruling"]]
    dispute: Cited[Literal["face or void", "face"]]
    ruled_by: Cited[tuple[Role, ...]]
    opposite_sum: ClauseId


@dataclass(frozen=True, slots=True)
class NoRollHabits:
    """What spoils a throw and who may say so."""

    callers: Cited[tuple[Role, ...]]
    deadline: Cited[Literal["before settlement"]]
    off_table: Cited[Literal["leaves", "rests"]]
    causes: Mapping[str, Cited[Handling]]
    no_cause: Mapping[str, ClauseId] = field(default_factory=dict)
    """What the house says is no reason for a no-roll, each with its clause."""


@dataclass(frozen=True, slots=True)
class FloorHabits:
    """What the pit does around the game."""

    min_raise_notice_minutes: Cited[int]
    closing_notice_minutes: Cited[int]
    closing: Cited[Literal["finish hand", "return all"]]
    abstain_rounds: Cited[int]
    on_invalidation: Cited[Literal["refund"]]
    review_requires_other_person: Cited[bool]


@dataclass(frozen=True, slots=True)
class NoticeTerms:
    """The sign at the table: what it says by default and what it may say; amounts in whole units of money."""

    minimum: Cited[int]
    maximum: Cited[int]
    odds: Cited[Mapping[int, int] | None]
    odds_from: Cited[int]
    odds_to: Cited[int | None]
    steps: Cited[bool]
    multiples: ClauseId
    side: Cited[bool]
    chips: Cited[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Book:
    """One house's rule book."""

    id: str
    name: str
    points: Cited[tuple[int, ...]]
    notice: NoticeTerms
    money: MoneyHabits
    betting: BettingHabits
    shooter: ShooterHabits
    dice: DiceHabits
    no_roll: NoRollHabits
    floor: FloorHabits
    staff: Mapping[str, str]
    wagers: tuple[WagerRule, ...]
    about: Mapping[str, Cited[object]] = field(default_factory=dict)
    equipment: Mapping[str, Cited[object]] = field(default_factory=dict)
    clauses: Mapping[str, str] = field(default_factory=dict)
    """The sentences of a house that writes its own clauses, by full id."""
