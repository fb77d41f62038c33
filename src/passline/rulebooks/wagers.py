"""The wagers of a house file: one model for each kind."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from passline.engine.book import Base, ChargedWhen, Cited, LimitClass, Removable, Side, Window
from passline.engine.values import ClauseId, Rounding
from passline.rulebooks.fields import (
    ByTotal,
    Clause,
    Clauses,
    Count,
    Faces,
    Key,
    Label,
    PriceText,
    RateText,
    Roles,
    Said,
    Total,
)


class Part(BaseModel):
    """A table of a house file: exactly these keys, exactly these types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Commission(Part):
    """The charge on a wager paid at true odds."""

    rate: Said[RateText] = Field(description="The charge as a percentage.")
    of: Said[Base] = Field(description="What it is a share of: the stake, or the win.")
    when: Said[ChargedWhen] = Field(description="When it is taken: up front, or on a win.")
    rounding: Said[Rounding] = Field(description="Which way a charge that chips cannot make goes.")
    minimum_chips: Said[Count] = Field(description="The least charge, in smallest chips.")
    unit_chips: Said[Annotated[int, Field(ge=1, le=1000)]] = Field(
        default=Cited(1, ClauseId("X-13")), description="How many of the smallest chips the charge comes in."
    )
    refund: Said[bool] = Field(description="Whether it comes back when the wager is taken down.")
    recharge: Said[bool] = Field(description="Whether a winner that stays up is charged again.")


class EveryWager(Part):
    """What holds for every wager that does not say otherwise."""

    offered: Said[bool] = Field(description="Whether a player can have it.")
    made: Said[Window] = Field(description="When it may be made.")
    removable: Said[Removable] = Field(description="How long it may be taken down or lowered.")
    off_on_comeout: Said[bool] = Field(description="Whether it rests on a come-out roll unless called on.")
    callable: Said[bool] = Field(description="Whether the player may call it on and off.")
    stays: Said[bool] = Field(description="Whether a winner is paid and left up.")
    limits: Said[LimitClass] = Field(description="Which limits of the sign bind it.")


class Wager(Part):
    """What every kind of wager can say."""

    name: Label = Field(description="The house's own name for it; {n} is its number, {pair} its faces.")
    names: Mapping[str, Label] = Field(default={}, description="Names of their own for some of its numbers.")
    area: Label = Field(description="Where on the layout its chips lie.")
    offered: Said[bool] | None = Field(default=None, description="Whether a player can have it.")
    made: Said[Window] | None = Field(default=None, description="When it may be made.")
    removable: Said[Removable] | None = Field(default=None, description="How long it may be taken down or lowered.")
    off_on_comeout: Said[bool] | None = Field(default=None, description="Whether it rests on a come-out roll.")
    callable: Said[bool] | None = Field(default=None, description="Whether the player may call it on and off.")
    stays: Said[bool] | None = Field(default=None, description="Whether a winner is paid and left up.")
    limits: Said[LimitClass] | None = Field(default=None, description="Which limits of the sign bind it.")
    commission: Commission | None = Field(default=None, description="The charge on it, if it is paid at true odds.")
    booked_with: Said[Roles] | None = Field(default=None, description="Who must book it, if players may not.")
    button: Said[Label] | None = Field(default=None, description="The marker button that lies on it.")


Prices = Annotated[Mapping[int, Said[PriceText]], ByTotal()]
"""A price for each number."""


class LineWager(Wager):
    """Decided by its first roll, or by its point against a seven."""

    kind: Literal["line"]
    side: Side = Field(description="With the shooter or against.")
    travels: bool = Field(default=False, description="Whether it moves to its number, as a come bet does.")
    wins: Said[tuple[Total, ...]] = Field(description="Totals that win on its first roll.")
    loses: Said[tuple[Total, ...]] = Field(description="Totals that lose on its first roll.")
    bar: Said[Total] | None = Field(default=None, description="The total that pushes on its first roll.")
    point: Clause | None = Field(default=None, description="The clause that gives a travelling bet its number.")
    then_wins: Clause = Field(description="The clause by which its point, or the seven, wins.")
    then_loses: Clause = Field(description="The clause by which the seven, or its point, loses.")
    pays: Said[PriceText] = Field(description="Its price.")
    put: Said[bool] = Field(
        default=Cited(value=False, clause=ClauseId("X-07")),
        description="Whether it may be made or raised with a point on.",
    )


class OddsWager(Wager):
    """Chips behind one flat bet, priced by its point."""

    kind: Literal["odds"]
    of: Key = Field(description="The line wager it stands behind.")
    pays: Prices = Field(description="Its price for each point.")
    wins: Clause = Field(description="The clause by which it wins.")
    loses: Clause = Field(description="The clause by which it loses.")
    limit: Clause = Field(description="The clause that limits it.")


class NumberWager(Wager):
    """A number against a seven: to win (place, buy, big) or to lose (place to lose, lay)."""

    kind: Literal["number"]
    side: Side = Field(description="For the number or against it.")
    pays: Prices = Field(description="Its price for each number.")
    wins: Clauses = Field(description="The clause by which it wins, one or by number.")
    loses: Clauses = Field(description="The clause by which it loses, one or by number.")


class HardwayWager(Wager):
    """A pair against the same total made any other way, and against a seven."""

    kind: Literal["hardway"]
    pays: Prices = Field(description="Its price for each number.")
    wins: Clauses = Field(description="The clause by which it wins, one or by number.")
    loses: Clauses = Field(description="The clause by which it loses, one or by number.")


class OneRollWager(Wager):
    """Some totals win on the next roll, every other total loses."""

    kind: Literal["one-roll"]
    pays: Prices = Field(description="The price of each winning total.")
    wins: Clause = Field(description="The clause by which it wins.")
    loses: Clause = Field(description="The clause by which it loses.")


class HopWager(Wager):
    """One exact pair of faces on the next roll."""

    kind: Literal["hop"]
    keys: Annotated[str, Field(max_length=60)] = Field(description="Each pair's key, from {total}, {high} and {low}.")
    pairs: tuple[Faces, ...] = Field(description="The pairs on offer, the higher face first.")
    hard: Said[PriceText] | None = Field(default=None, description="The price of two equal faces.")
    easy: Said[PriceText] | None = Field(default=None, description="The price of two different faces.")
    wins: Clause = Field(description="The clause by which it wins.")
    loses: Clause = Field(description="The clause by which it loses.")


class SplitWager(Wager):
    """One stake shared out over other wagers in fixed units."""

    kind: Literal["split"]
    parts: Said[dict[Key, Annotated[int, Field(ge=1, le=100)]]] = Field(description="Units on each part.")
    high: Annotated[Mapping[int, Key], ByTotal()] | None = Field(
        default=None, description="For each number a player may name, the part that gets one unit more."
    )
    paid_by: Annotated[Mapping[int, Clause], ByTotal()] | None = Field(
        default=None, description="The clauses that price the split itself, by winning total."
    )
    wins: Clause = Field(description="The clause by which it wins.")
    loses: Clause = Field(description="The clause by which it loses.")


class FireWager(Wager):
    """Counts the different points one hand makes."""

    kind: Literal["fire"]
    pays: Annotated[Mapping[int, Said[PriceText]], ByTotal(lowest=1)] = Field(
        description="The price of each number of points."
    )
    on_pass: Said[Literal["continue", "settle", "refund"]] = Field(
        description="What becomes of it when the shooter passes the dice."
    )
    pay_at: Said[Literal["seven-out"]] = Field(description="When it is paid; the last point always pays at once.")
    wins: Clause = Field(description="The clause by which it wins.")
    loses: Clause = Field(description="The clause by which it loses.")


class CollectWager(Wager):
    """Every total of a set before any seven."""

    kind: Literal["collect"]
    needs: Said[tuple[Total, ...]] = Field(description="The totals that must all come.")
    pays: Said[PriceText] = Field(description="Its price.")
    wins: Clause = Field(description="The clause by which it wins.")
    loses: Clause = Field(description="The clause by which it loses.")


AnyWager = Annotated[
    LineWager
    | OddsWager
    | NumberWager
    | HardwayWager
    | OneRollWager
    | HopWager
    | SplitWager
    | FireWager
    | CollectWager,
    Field(discriminator="kind"),
]
"""A wager of any kind."""

KINDS: Mapping[str, type[Wager]] = {
    "line": LineWager,
    "odds": OddsWager,
    "number": NumberWager,
    "hardway": HardwayWager,
    "one-roll": OneRollWager,
    "hop": HopWager,
    "split": SplitWager,
    "fire": FireWager,
    "collect": CollectWager,
}
"""The kinds by the word a house file uses."""
