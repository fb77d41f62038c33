"""What a rule book says of promotional prizes, as frozen records: amounts in whole units of money."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from passline.engine.values import Cited, ClauseId, Natural, Positive

Given = Literal["draw", "chance", "skill"]
"""How a prize finds its winner."""

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
"""What a prize is: one of these, `goods` where it is none of the others; an old journal may say any text."""

Payment = Literal["cash", "crossed cheque", "electronic transfer"]
"""How a prize of money is paid."""

Way = Annotated[str, Literal["face to face", "mail", "telephone", "email"]]
"""How a winner is told: any text for whoever tells, one of these in a house file."""

Remedy = Literal["postpone", "cancel"]
"""What becomes of a draw that cannot be trusted."""


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
