"""A command about promotions becomes events, or a refusal; a house without such rules has no promotions."""

from __future__ import annotations

from typing import assert_never

from passline.floor.asking import Ask, FloorAnswer
from passline.floor.promotions import commands as p
from passline.floor.promotions import drawing, running
from passline.floor.promotions.commands import PromotionCommand
from passline.floor.refusals import no


def decide(ask: Ask, command: PromotionCommand) -> FloorAnswer:  # noqa: C901 - one case a command
    """What happens when this officer asks this."""
    rules = ask.book.promotions
    if rules is None:
        return no("floor.no_rule", f"The book of {ask.book.name} says nothing of promotions.")
    match command:
        case p.RegisterPromotion():
            return running.register(ask, rules, command)
        case p.FileTerms():
            return running.file_terms(ask, rules, command)
        case p.OpenPromotion():
            return running.open_promotion(ask, rules, command)
        case p.AmendPromotion():
            return running.amend(ask, rules, command)
        case p.EnterPromotion():
            return drawing.enter(ask, rules, command)
        case p.DrawPrize():
            return drawing.draw(ask, rules, command)
        case p.NotifyWinner():
            return drawing.notify(ask, rules, command)
        case p.AwardPrize():
            return drawing.award(ask, rules, command)
        case p.RefuseClaim():
            return drawing.refuse_claim(ask, rules, command)
        case p.DoubtPromotion():
            return running.doubt(ask, rules, command)
        case p.TrustPromotion():
            return running.trust(ask, rules, command)
        case _:
            assert_never(command)
