"""Amounts as a dealer would suggest them: which are booked, what they would win, and which are paid to the last chip.

Every answer is the engine's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from passline.engine import commission, limits
from passline.engine.commands import Bet, Take
from passline.engine.decide import decide
from passline.engine.events import WagerWon
from passline.engine.layout import Layout
from passline.engine.postings import brought, postings
from passline.engine.refusals import Refusal
from passline.engine.settle import settle
from passline.engine.table import Seat, TableState, Wager
from passline.engine.values import CENTS, ROLLS
from passline.engine.verdicts import Wins

TOO_LITTLE = frozenset(
    {
        "amount.not_chips",
        "bet.indivisible",
        "bet.not_a_multiple",
        "bet.not_a_unit",
        "bet.under_minimum",
        "take.leaves_wrong",
    }
)
# Refusals of an amount, not of the wager: another amount may do.
TOO_MUCH = frozenset({"bet.over_maximum", "bet.over_odds", "bet.short_rail"})

BUYIN_MAX = 10_000_000 * CENTS
STEPS_MAX = 2_000
WHOLE_STEPS_MAX = 12  # how many chips a stake may be moved so that it is paid whole


def on_felt(seat: Seat) -> int:
    return sum(wager.stake + wager.held for wager in seat.felt.values())


def not_sold(layout: Layout, table: TableState, amount: int, least: int = 0) -> str | None:
    """What the cage would sell instead of so many chips, or None where it sells them."""
    chip = table.notice.chip
    if amount % chip or amount < max(least, chip) or amount > BUYIN_MAX:
        return (
            f"whole chips of {layout.money(chip)}, from {layout.money(max(least, chip))} to {layout.money(BUYIN_MAX)}"
        )
    return None


def is_open(layout: Layout, table: TableState, seat: int, key: str) -> Refusal | None:
    """Why a wager cannot be made or raised now whatever the amount, or None when it can."""
    spot, chip = layout.spots[key], table.notice.chip
    lot = spot.units * chip
    least = -(-max(limits.minimum(table.notice, spot), chip) // lot) * lot
    up = table.seats[seat].felt.get(key)
    answer = decide(layout, table, Bet(seat, key, lot if up else least))
    if isinstance(answer, Refusal) and answer.code not in TOO_LITTLE | (TOO_MUCH - {"bet.short_rail"}):
        return answer
    return None


def nearest_booked(layout: Layout, table: TableState, seat: int, key: str, about: int) -> int | Refusal:
    """The amount nearest `about` that would be booked, looking up before looking down; or the refusal."""
    first = decide(layout, table, Bet(seat, key, about))
    if not isinstance(first, Refusal):
        return about
    chip = table.notice.chip
    if first.code in TOO_LITTLE:
        spot, up = layout.spots[key], table.seats[seat].felt.get(key)
        least = limits.minimum(table.notice, spot) - (up.stake if up else 0)
        start = -(-max(about, least) // chip) * chip
        above = _first_booked(layout, table, seat, key, range(start, start + STEPS_MAX * chip, chip))
        return above or _first_booked(layout, table, seat, key, _down(about, chip)) or first
    if first.code in TOO_MUCH:
        return _first_booked(layout, table, seat, key, _down(about, chip)) or first
    return first


def _down(about: int, chip: int) -> range:
    top = (about - 1) // chip * chip
    return range(top, max(0, top - STEPS_MAX * chip), -chip)


def _first_booked(layout: Layout, table: TableState, seat: int, key: str, amounts: Iterable[int]) -> int | None:
    for amount in amounts:
        answer = decide(layout, table, Bet(seat, key, amount))
        if not isinstance(answer, Refusal):
            return amount
        if answer.code not in TOO_LITTLE | TOO_MUCH:
            return None
    return None


def full_odds(layout: Layout, table: TableState, seat: int, key: str) -> int | Refusal:
    """The most that may be added to odds, as far as the rail goes."""
    spot, there = layout.spots[key], table.seats[seat]
    flat, up = there.felt.get(spot.flat), there.felt.get(key)
    point = spot.number or table.puck
    most = limits.odds_cap(table.notice, spot, point, flat.stake) if flat and point else None
    if most is None:
        most = limits.maximum(table.notice, spot) or there.rail
    room = min(most - (up.stake if up else 0), there.rail)
    chip = table.notice.chip
    wanted = room // chip * chip
    return nearest_booked(layout, table, seat, key, wanted if wanted > 0 else chip)


def to_leave(layout: Layout, table: TableState, seat: int, key: str, less: int) -> int | Refusal:
    """What would be left after taking about `less` off a wager: the nearest lawful amount, or nothing."""
    up = table.seats[seat].felt.get(key)
    chip = table.notice.chip
    start = (up.stake - less) // chip * chip if up else 0
    # Nothing below the minimum can be left, and the dealers do not try amounts all night.
    least = max(limits.minimum(table.notice, layout.spots[key]) if up else 0, start - STEPS_MAX * chip, 1)
    answer: object = None
    for left in range(start, least - 1, -chip):
        answer = decide(layout, table, Take(seat, key, left))
        if not isinstance(answer, Refusal):
            return left
        if answer.code not in TOO_LITTLE:
            return answer
    answer = decide(layout, table, Take(seat, key))
    return answer if isinstance(answer, Refusal) else 0


# --- What a stake would win -----------------------------------------------------------------------------------------


def to_bet(layout: Layout, table: TableState, seat: int, key: str, about: int) -> int | Refusal:
    """The amount nearest `about` that is booked; where the house pays short of its price, the nearest paid whole."""
    amount = nearest_booked(layout, table, seat, key, about)
    if isinstance(amount, Refusal):
        return amount
    up = table.seats[seat].felt.get(key)
    there = up.stake if up else 0
    if not pays_short(layout, table, key, there + amount):
        return amount
    chip = table.notice.chip
    for step in range(1, WHOLE_STEPS_MAX + 1):
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
    return any(event.won < event.exact for event in _wins(layout, table, key, stake))


def pays_whole(layout: Layout, table: TableState, key: str, stake: int) -> bool:
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
    seen = list[Wins]()
    for roll, verdict in zip(ROLLS, spot.row(0, puck, works=True), strict=True):
        if isinstance(verdict, Wins) and verdict not in seen:
            seen.append(verdict)
            yield from (event for event in settle(layout, alone, roll) if isinstance(event, WagerWon))
