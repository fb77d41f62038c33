"""What a wager's endings are worth: asked of the dealers, exactly or in the chips of a float."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from passline.engine import commission
from passline.engine.events import Decision, WagerWon
from passline.engine.layout import Layout
from passline.engine.postings import brought, postings
from passline.engine.settle import settle
from passline.engine.table import Dice, Notice, Seat, TableState, Wager
from passline.engine.verdicts import Wins

if TYPE_CHECKING:
    from passline.odds.wagers.walk import Ending, Walk

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
    on_a_win: Fraction
    """The most commission that a win is charged, where it is not paid with the bet."""


def exactly(layout: Layout, walk: Walk) -> Bank:
    """A bank that pays to the last fraction: one unit, in grains that clear every price and commission."""
    wins = [ending.verdict for ending in walk.endings if isinstance(ending.verdict, Wins)]
    unit = lcm(*(win.rate.denominator for win in wins), *(win.share.denominator for win in wins))
    if charge := walk.spot.rule.commission:
        unit *= charge.rate.value.denominator
    return Bank(replace(layout, exact=True, rounding="exact", grain=unit), stake=unit, chip=1)


def pay(bank: Bank, walk: Walk) -> Pay:
    """Settle every ending once, each by a throw that brings it."""
    layout, stake, chip = bank
    charge = commission.up_front(layout, walk.spot, stake, chip)
    settled = {ending: _decided(bank, walk, ending, charge) for ending in walk.endings}
    nets = {ending: Fraction(brought(postings(event), SEAT), stake) for ending, event in settled.items()}
    taken = 0
    if not commission.is_up_front(walk.spot):
        taken = max((event.commission for event in settled.values() if isinstance(event, WagerWon)), default=0)
    return Pay(nets, Fraction(charge, stake), Fraction(taken, stake))


def _decided(bank: Bank, walk: Walk, ending: Ending, charge: int) -> Decision:
    """How an ending is settled; a winner that stays up pays for its next decision elsewhere."""
    state, roll = walk.examples[ending]
    wager = Wager(stake=bank.stake, held=charge, mark=state.mark, call=walk.call)
    table = TableState(
        notice=Notice(minimum=0, maximum=None, odds=None, chip=bank.chip),
        dice=Dice(in_set=bank.layout.book.dice.dice_set.value),
        seats={SEAT: Seat(name="", rail=0, felt={state.spot: wager})},
        puck=state.puck,
    )
    (event,) = settle(bank.layout, table, roll)
    assert isinstance(event, Decision), f"{event} decides nothing"
    return event
