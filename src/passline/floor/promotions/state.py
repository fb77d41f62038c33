"""A promotion between two acts, and what it offers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from passline.engine.promotion_rules import Given

NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Prize(NamedTuple):
    """One prize, in grains."""

    kind: str
    item: str
    value: int
    details: Mapping[str, str] = NOTHING
    """What is said of it besides: its make, who may travel."""
    cash_alternative: int = 0
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
    starts: str
    closes: str
    """When the last entry is taken."""
    with_gaming: bool = True
    """Whether it goes with gaming."""
    compulsory_wager: int = 0
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
