"""Stakes as a dealer would suggest them: what a stake would win, and the nearest that is paid to the last chip."""

from __future__ import annotations

from collections.abc import Iterator

from passline.engine import commission
from passline.engine.commands import Bet
from passline.engine.decide import decide
from passline.engine.events import WagerWon
from passline.engine.layout import Layout
from passline.engine.postings import brought, postings
from passline.engine.refusals import Refusal
from passline.engine.settle import settle
from passline.engine.table import Seat, TableState, Wager
from passline.engine.values import ROLLS
from passline.engine.verdicts import Wins
from passline.sitting import amounts

STEPS_MAX = 12
"""How many chips a stake may be moved so that it is paid whole."""


def to_bet(layout: Layout, table: TableState, seat: int, key: str, about: int) -> int | Refusal:
    """The amount nearest `about` that is booked; where the house pays short of its price, the nearest paid whole."""
    amount = amounts.to_bet(layout, table, seat, key, about)
    if isinstance(amount, Refusal):
        return amount
    up = table.seats[seat].felt.get(key)
    there = up.stake if up else 0
    if not pays_short(layout, table, key, there + amount):
        return amount
    chip = table.notice.chip
    for step in range(1, STEPS_MAX + 1):
        for near in (amount + step * chip, amount - step * chip):
            if near > 0 and not pays_short(layout, table, key, there + near):
                answer = decide(layout, table, Bet(seat, key, near))
                if not isinstance(answer, Refusal):
                    return near
    return amount


def winnings(layout: Layout, table: TableState, key: str, stake: int) -> list[int]:
    """What a stake would bring if it won, after commission: each amount once, the least first."""
    return sorted({brought(postings(event), 1) for event in _wins(layout, table, key, stake)})


def charges(layout: Layout, table: TableState, key: str, stake: int) -> list[int]:
    """The commission that would be taken out of what a stake wins: each amount once, the least first."""
    return sorted({event.commission for event in _wins(layout, table, key, stake)})


def pays_short(layout: Layout, table: TableState, key: str, stake: int) -> bool:
    """Whether a win would be rounded down."""
    return any(event.won < event.exact for event in _wins(layout, table, key, stake))


def pays_whole(layout: Layout, table: TableState, key: str, stake: int) -> bool:
    """Whether a win would be paid to the last chip, with nothing rounded."""
    return all(event.won == event.exact for event in _wins(layout, table, key, stake))


def _wins(layout: Layout, table: TableState, key: str, stake: int) -> Iterator[WagerWon]:
    """Every way a stake could win on its next decision, settled by the dealers at a table where it is alone."""
    spot = layout.spots[key]
    puck = table.puck or (0 if spot.is_line else layout.book.points.value[0])
    if spot.is_odds and not (spot.number or table.puck):
        return
    held = commission.up_front(layout, spot, stake, table.notice.chip)
    wager = Wager(stake=stake, held=held, call="on" if spot.rule.callable.value else None)
    alone = table._replace(puck=puck, seats={1: Seat(name="", rail=0, felt={key: wager})})
    seen = set()
    for roll, verdict in zip(ROLLS, spot.row(0, puck, works=True), strict=True):
        if isinstance(verdict, Wins) and verdict not in seen:
            seen.add(verdict)
            yield from (event for event in settle(layout, alone, roll) if isinstance(event, WagerWon))
