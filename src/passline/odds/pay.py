"""What a wager's endings are worth: asked of the dealers, exactly or in the chips of a float."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from passline.engine import commission, settle
from passline.engine.table import Notice, Wager, open_table
from passline.engine.verdicts import Loses, Pushes, Returns, Wins

if TYPE_CHECKING:
    from collections.abc import Mapping

    from passline.engine.layout import Layout
    from passline.odds.walk import Ending, Walk

SEAT = 1
"""Whoever has the bet; the dealers want a seat to pay."""


class Bank(NamedTuple):
    """How a bet is paid: by which layout, on what stake, down to which chip (all in grains)."""

    layout: Layout
    stake: int
    chip: int


@dataclass(frozen=True, slots=True)
class Pay:
    """What one bet brings and costs, for each unit staked."""

    nets: Mapping[Ending, Fraction]
    """The net of each ending."""
    charge: Fraction
    """Commission paid when the bet is made."""


def exactly(layout: Layout, walk: Walk) -> Bank:
    """A bank that pays to the last fraction: one unit, in grains that clear every price and commission."""
    wins = [ending.verdict for ending in walk.endings if isinstance(ending.verdict, Wins)]
    unit = lcm(*(win.rate.denominator for win in wins), *(win.share.denominator for win in wins))
    if charge := walk.spot.rule.commission:
        unit *= charge.rate.value.denominator
    return Bank(replace(layout, exact=True, rounding="exact", grain=unit), stake=unit, chip=1)


def pay(bank: Bank, walk: Walk) -> Pay:
    """Settle every ending once; a winner that stays up is charged for its next decision elsewhere."""
    layout, stake, chip = bank
    charged = commission.up_front(layout, walk.spot, stake, chip)
    table = open_table(Notice(minimum=0, maximum=None, odds=None, chip=chip), layout.book.dice.dice_set.value)
    wager = Wager(stake=stake, held=charged)

    def net(ending: Ending) -> int:
        spot = layout.spots[ending.spot]
        match ending.verdict:
            case Wins() as verdict:
                paid = settle.won(layout, table, SEAT, spot, wager, verdict)
                return paid.won - (paid.commission - paid.held) - paid.lost - charged
            case Loses(clause=clause):
                return -settle.lost(layout, table, SEAT, spot, wager, clause).stake - charged
            case Pushes() | Returns():
                return 0

    return Pay({ending: Fraction(net(ending), stake) for ending in walk.endings}, Fraction(charged, stake))
