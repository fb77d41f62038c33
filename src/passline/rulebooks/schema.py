"""The whole house file as strict models; editors get them as a JSON Schema."""

import json
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, JsonValue

from passline.engine.book import Handling
from passline.engine.values import Rounding
from passline.rulebooks.fields import Clause, Count, EndText, Key, Label, OddsText, Role, Roles, Said, Total
from passline.rulebooks.wagers import AnyWager, EveryWager, Part

Cause = Literal[
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
]
"""What can be wrong with a throw."""

NoCause = Literal["touched-chips"]
"""What a house may say is nothing wrong with a throw."""

PassReason = Literal["delay", "invalid rolls", "breach"]
"""Why the dice can be taken from a shooter."""

Positive = Annotated[int, Field(ge=1, le=1_000_000_000)]
"""A number of things, at least one."""

HouseId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=40)]
"""A short name, for the command line and in front of clauses."""

Facts = dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], Said[JsonValue]]
"""Whatever a house says about itself, each with its clause."""


class Notice(Part):
    """The sign at the table: what it says by default and what it may say."""

    min: Said[Count] = Field(description="The smallest wager.")
    max: Said[Count] = Field(description="The largest wager.")
    odds: Said[OddsText] = Field(description='The odds multiple: one, a table by point, or "none".')
    odds_from: Said[Positive] = Field(description="The smallest multiple a sign may name.")
    odds_to: Said[EndText] = Field(description='The largest multiple a sign may name, or "none".')
    steps: Said[bool] = Field(description="Whether the sign may ask for multiples or a unit.")
    multiples: Clause = Field(description="The clause on stakes that must be multiples of the minimum.")
    side: Said[bool] = Field(description="Whether the sign may give side bets limits of their own.")
    chips: Said[tuple[Positive, ...]] = Field(description="The chips of the float, smallest first.")


class Money(Part):
    """How the house pays, rounds, and treats stakes that should not have been there."""

    rounding: Said[Rounding] = Field(description="Which way winnings that chips cannot make go.")
    improper_multiple: Said[Literal["floor stake", "floor win", "none"]] = Field(
        description="How a winner off the posted multiples is paid."
    )
    indivisible_stake: Said[Literal["refuse", "exact"]] = Field(
        description="What becomes of a split stake that does not divide."
    )
    price_form: Said[Literal["to", "for", "either"]] = Field(description="Which word prices are written with.")
    list_binds: Clause = Field(description="The clause by which a winner is paid no less than the list.")
    price_overrides: Said[Literal["none", "upward"]] = Field(description="Whether the house may pay more than listed.")
    under_min: Said[Literal["settle then warn", "valid", "refuse"]] = Field(
        description="What becomes of a wager found under the minimum."
    )
    warning: Clause = Field(description="The clause on warning a player who bets under the minimum.")
    over_max: Said[Literal["cap", "refuse"]] = Field(description="What becomes of a wager found over the maximum.")


class Betting(Part):
    """How wagers are made, changed, and called on and off."""

    only_listed: Clause = Field(description="The clause that closes the list of wagers.")
    made_with: Clause = Field(description="The clause on what wagers are made with.")
    before_the_throw: Clause = Field(description="The clause that closes betting with the throw.")
    hands_off: Clause = Field(description="The clause that keeps hands off wagers while a roll is decided.")
    responsibility: Clause = Field(description="The clause that makes players answer for where their chips lie.")
    dont_ban: Said[Literal["same bet", "all until come-out"]] = Field(
        description="What may not be remade after a don't bet with a point came down."
    )
    push: Said[Literal["stay", "return"]] = Field(description="What becomes of a barred don't bet.")
    on_scope: Said[Literal["kind", "wager", "player"]] = Field(description="What one On button speaks for.")
    on_lasts: Said[Literal["until point", "one roll", "until cancelled"]] = Field(
        description="How long a call of On lasts."
    )
    on_confirmers: Said[Roles] = Field(description="Who confirms a call of On.")
    verbal_confirmers: Said[Roles] = Field(description="Who confirms a spoken wager.")
    late_bets: Said[Literal["none", "dealer or box", "dealer and box"]] = Field(
        description="Who must confirm a wager made while the dice are in the air."
    )
    cash: Said[Literal["none", "all but line", "all"]] = Field(description="Which wagers may be spoken with cash.")
    tokens: Said[bool] = Field(description="Whether promotional tokens may be bet.")
    token_after_win: Said[Literal["return", "collect"]] = Field(description="What becomes of a token that won.")
    vouchers: Said[Roles] = Field(description="Who changes a voucher into tokens.")


class Shooter(Part):
    """Who throws, for how long, and who is asked next."""

    needs_line_bet: Said[bool] = Field(description="Whether a shooter must have a line bet to begin.")
    must_keep_line_bet: Said[bool] = Field(description="Whether a shooter must keep a line bet to go on.")
    offer_requires_line_bet: Said[bool] = Field(description="Whether the dice are offered to line bettors only.")
    passes_on: Said[Literal["seven-out", "any pass loss"]] = Field(description="What takes the dice from the shooter.")
    voluntary_pass: Said[Literal["any roll", "come-out only"]] = Field(
        description="When a shooter may pass the dice by choice."
    )
    order_pass: Said[Annotated[tuple[PassReason, ...], Field(min_length=1)]] = Field(
        description="Why the dice can be ordered on."
    )
    ordered_by: Said[Roles] = Field(description="Who may order them on.")
    no_shooter: Said[Literal["wait", "stickperson", "previous shooter"]] = Field(
        description="Who throws when nobody will."
    )
    last_shooter_finishes: Said[bool] = Field(
        description="Whether, with a point on and no line bet left, the last shooter throws on."
    )
    come_only_rolls: Said[bool] = Field(description="Whether rolls may be thrown for come bets alone.")
    first_offer: Clause = Field(description="The clause on who is offered the dice at the opening.")
    first_refused: Clause = Field(description="The clause on where a first offer goes when it is refused.")
    next_offer: Clause = Field(description="The clause on who is offered them next.")
    next_refused: Clause = Field(description="The clause on where a later offer goes when it is refused.")


class Dice(Part):
    """The dice, what becomes of those that stray, and how a doubtful face is read."""

    dice_set: Said[Positive] = Field(description="How many dice a set has, at least.")
    dice_set_max: Said[EndText] = Field(description='How many dice a set has, at most, or "none".')
    chosen: Said[Positive] = Field(description="How many the shooter picks.")
    faces: Clause = Field(description="The clause on the faces of a die.")
    lost_for_new_set: Said[Positive] = Field(description="How many lost dice call for a new set.")
    off_table: Clause = Field(description="The clause on a die that leaves the table.")
    found_checked_by: Said[Role] = Field(description="Who checks a die that was found.")
    cocked: Said[Literal["opposite face", "ruling"]] = Field(description="How a leaning die is read.")
    cocked_on_more: Said[Literal["no roll", "ruling"]] = Field(
        description="What becomes of a die that leans on more than one thing."
    )
    dispute: Said[Literal["face or void", "face"]] = Field(description="What a ruling on a doubtful face may say.")
    ruled_by: Said[Roles] = Field(description="Who rules on a doubtful face.")
    opposite_sum: Clause = Field(description="The clause that opposite faces make seven.")


class NoRoll(Part):
    """What spoils a throw and who may say so."""

    callers: Said[Roles] = Field(description="Who may call no roll.")
    deadline: Said[Literal["before settlement"]] = Field(description="How late it may be called.")
    off_table: Said[Literal["leaves", "rests"]] = Field(
        description="Whether a die is off the table when it leaves it, or when it comes to rest off it."
    )
    causes: dict[Cause, Said[Handling]] = Field(description="What each flaw in a throw does.")
    no_cause: dict[NoCause, Clause] = Field(default={}, description="What the house says is no cause.")


class Floor(Part):
    """What the pit does around the game."""

    min_raise_notice_minutes: Said[Count] = Field(description="How long a higher minimum is signed ahead; 0 for none.")
    closing_notice_minutes: Said[Count] = Field(description="How long a closing is signed ahead; 0 for none.")
    closing: Said[Literal["finish hand", "return all"]] = Field(description="What becomes of wagers at a closing.")
    abstain_rounds: Said[Count] = Field(description="Idle rounds that can cost a seat at a full table; 0 for none.")
    on_invalidation: Said[Literal["refund"]] = Field(description="What becomes of wagers when an outcome is cancelled.")
    review_requires_other_person: Said[bool] = Field(description="Whether a ruling is reviewed by somebody else.")


class Staff(Part):
    """The house's own words for the crew."""

    dealer: Label = Field(description="Who books and pays.")
    box: Label = Field(description="Who sits over the bank and rules on the dice.")
    stick: Label = Field(description="Who handles and calls the dice.")
    supervisor: Label = Field(description="Who decides what the box does not.")
    inspector: Label = Field(description="Who watches the house.")


class House(Part):
    """One house's rule book."""

    model_config = ConfigDict(title="Passline house file")

    id: HouseId = Field(description="The house's short name.")
    name: Label = Field(description="The house's full name.")
    points: Said[tuple[Total, ...]] = Field(description="The totals that set a point on a come-out.")
    about: Facts = Field(default={}, description="What the rule book says of itself.")
    notice: Notice = Field(description="The sign at the table.")
    every_wager: EveryWager = Field(description="What holds for every wager that does not say otherwise.")
    wager: dict[Key, AnyWager] = Field(description="The wagers, in the order of the rule card.")
    money: Money = Field(description="How the house pays.")
    betting: Betting = Field(description="How wagers are made and changed.")
    shooter: Shooter = Field(description="Who throws.")
    dice: Dice = Field(description="The dice.")
    no_roll: NoRoll = Field(description="What spoils a throw.")
    floor: Floor = Field(description="What the pit does.")
    staff: Staff = Field(description="The house's own words for the crew.")
    equipment: Facts = Field(default={}, description="What stands on and around the table.")
    clauses: dict[str, Label] = Field(default={}, description="Clauses of the house's own: id and sentence.")


def json_schema() -> dict[str, Any]:
    """Describe a house file for editors."""
    described = {name: _untitled(part) for name, part in House.model_json_schema().items()}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **described}


def _untitled(part: Any) -> Any:  # noqa: ANN401 - any part of a JSON document
    """Leave out the titles that only repeat a key, and write defaults as the pairs they are."""
    if isinstance(part, list):
        return [_untitled(inner) for inner in part]
    if isinstance(part, dict):
        if part.keys() == {"value", "clause"}:
            return [part["value"], part["clause"]]
        kept = {name: inner for name, inner in part.items() if name != "title" or not isinstance(inner, str)}
        return {name: _untitled(inner) for name, inner in kept.items()}
    return part


def json_schema_text() -> str:
    """Write the schema as it is kept in `house.schema.json`."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
