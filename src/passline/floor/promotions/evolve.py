"""Events about promotions become the next register."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from passline.floor.names import folded
from passline.floor.promotions import events as e
from passline.floor.promotions.events import PromotionEvent
from passline.floor.promotions.state import Claim, Drawn, Promotion


def evolve(register: Mapping[str, Promotion], event: PromotionEvent) -> Mapping[str, Promotion]:
    """The register after this happened."""
    if isinstance(event, e.PromotionRegistered):
        return {**register, event.promotion: Promotion(event.offer)}
    return {**register, event.promotion: _after(register[event.promotion], event)}


def _after(promotion: Promotion, event: PromotionEvent) -> Promotion:  # noqa: C901 - one case an event
    match event:
        case e.PromotionRegistered():
            return promotion
        case e.TermsFiled():
            return promotion._replace(filed=event.at)
        case e.PromotionOpened() | e.PromotionTrusted():
            return promotion._replace(stands="open")
        case e.PromotionAmended():
            return promotion._replace(offer=event.offer, filed="")  # what was filed were the terms before
        case e.PromotionEntered():
            return promotion._replace(entrants=(*promotion.entrants, folded(event.person)))
        case e.PrizeDrawn():
            return promotion._replace(drawn={**promotion.drawn, event.prize: Drawn(event.winner, event.at)})
        case e.WinnerNotified():
            won = promotion.drawn[event.prize]._replace(notified=True)
            return promotion._replace(drawn={**promotion.drawn, event.prize: won})
        case e.PrizeAwarded():
            won = promotion.drawn[event.prize]._replace(awarded=True)
            return promotion._replace(drawn={**promotion.drawn, event.prize: won})
        case e.ClaimRefused():
            claim = Claim(event.claimant, event.address, event.value, event.reason)
            return promotion._replace(refused=(*promotion.refused, claim)) if event.kept else promotion
        case e.PromotionDoubted():
            return promotion._replace(stands="postponed" if event.remedy == "postpone" else "cancelled")
        case _:
            assert_never(event)
