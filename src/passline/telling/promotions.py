"""What is said of promotions: every event of theirs as a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from passline.floor.promotions import events as e
from passline.floor.promotions.events import PromotionEvent
from passline.telling.figures import counted


def say_promotion(money: Callable[[int], str], event: PromotionEvent) -> str:  # noqa: C901 - one case an event
    """How each event is told; the first letter is still small."""
    name = event.promotion
    match event:
        case e.PromotionRegistered():
            return f"{name} is on the register with {counted(len(event.offer.prizes), 'prize')}."
        case e.TermsFiled():
            return f"the terms of {name} are with {event.authority}."
        case e.PromotionOpened():
            return f"{name} has started."
        case e.PromotionAmended():
            approved = f", as approved ({event.approval})" if event.approval else ""
            return f"{name} has new terms{approved}."
        case e.PromotionEntered():
            return f"{event.person} takes part in {name}."
        case e.PrizeDrawn():
            watched = f", watched by {event.scrutineer}" if event.scrutineer else ""
            return f"prize {event.prize} of {name} goes to {event.winner}{watched}."
        case e.WinnerNotified():
            late = ", too late" if event.late else ""
            return f"{event.by} tells {event.winner} of prize {event.prize} by {event.way}{late}."
        case e.PrizeAwarded():
            paid = " and ".join(f"{money(amount)} by {way}" for way, amount in event.paid)
            return f"{event.winner} has prize {event.prize} of {name}{f': {paid}' if paid else ''}."
        case e.ClaimRefused():
            return f"{event.claimant} is refused a prize of {name} and told why: {event.reason}."
        case e.PromotionDoubted():
            becomes = "is postponed" if event.remedy == "postpone" else "is cancelled"
            return f"{name} {becomes}: {event.reason}; {event.inspectorate} has been told."
        case e.PromotionTrusted():
            return f"{name} goes on: {event.reason}."
        case _:
            assert_never(event)
