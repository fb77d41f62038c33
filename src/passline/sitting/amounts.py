"""Amounts as a dealer would suggest them: which are booked, what they would win, and which are paid to the last chip.

Every answer is the engine's own.
"""

from functools import lru_cache
from itertools import chain

from passline.engine import commission, limits
from passline.engine.commands import Bet, Take
from passline.engine.decide import decide
from passline.engine.events import WagerWon
from passline.engine.layout import Layout
from passline.engine.postings import brought, postings
from passline.engine.refusals import Refusal
from passline.engine.settle import settle
from passline.engine.table import Dice, Notice, Seat, TableState, Wager
from passline.engine.values import CENTS, ROLLS
from passline.engine.verdicts import Wins
from passline.telling.sentences import no

# Refusals of an amount, not of the wager: another amount may do.
TOO_LITTLE = {"amount.not_chips", "bet.indivisible", "bet.not_a_multiple", "bet.not_a_unit", "bet.under_minimum"}
TOO_MUCH = {"bet.over_maximum", "bet.over_odds", "bet.short_rail"}
AT_MOST = TOO_MUCH - {"bet.short_rail"}
BUYIN_MAX = 10_000_000 * CENTS
STEPS_MAX = 2_000
WHOLE_STEPS_MAX = 12  # how many chips a stake may be moved so that it is paid whole


def up(table: TableState, seat: int, key: str) -> int:
    there = table.seats.get(seat)
    return there.felt[key].stake if there and key in there.felt else 0


def on_felt(seat: Seat) -> int:
    return sum(wager.stake + wager.held for wager in seat.felt.values())


def not_sold(layout: Layout, table: TableState, amount: int, least: int = 0) -> str | None:
    """What the cage would sell instead of so many chips, or None where it sells them."""
    chip, money = table.notice.chip, layout.money
    if not amount % chip and max(least, chip) <= amount <= BUYIN_MAX:
        return None
    return f"whole chips of {money(chip)}, from {money(max(least, chip))} to {money(BUYIN_MAX)}"


def least_of(layout: Layout, table: TableState, key: str) -> int:
    """The least that is bet on a wager, in chips that can be split as it is."""
    spot, chip = layout.spots[key], table.notice.chip
    lot = spot.units * chip
    return -(-max(limits.minimum(table.notice, spot), chip) // lot) * lot


def is_open(layout: Layout, table: TableState, seat: int, key: str) -> Refusal | None:
    """Why a wager cannot be made or raised now whatever the amount, or None when it can."""
    lot = layout.spots[key].units * table.notice.chip
    answer = decide(layout, table, Bet(seat, key, lot if up(table, seat, key) else least_of(layout, table, key)))
    return answer if isinstance(answer, Refusal) and answer.code not in TOO_LITTLE | AT_MOST else None


def nearest_booked(layout: Layout, table: TableState, seat: int, key: str, about: int) -> int | Refusal:
    """The amount nearest `about` that would be booked, looking up before looking down; or the refusal."""
    first = decide(layout, table, Bet(seat, key, about))
    if not isinstance(first, Refusal):
        return about
    chip = table.notice.chip
    top = (about - 1) // chip * chip
    steps = [range(top, max(0, top - STEPS_MAX * chip), -chip)]
    if first.code in TOO_LITTLE:
        least = limits.minimum(table.notice, layout.spots[key]) - up(table, seat, key)
        start = -(-max(about, least) // chip) * chip
        steps.insert(0, range(start, start + STEPS_MAX * chip, chip))
    elif first.code not in TOO_MUCH:
        return first
    for amounts in steps:
        for amount in amounts:
            answer = decide(layout, table, Bet(seat, key, amount))
            if not isinstance(answer, Refusal):
                return amount
            if answer.code not in TOO_LITTLE | TOO_MUCH:
                break
    return first


def full_odds(layout: Layout, table: TableState, seat: int, key: str) -> int | Refusal:
    """The most that may be added to odds, as far as the rail goes."""
    spot, there = layout.spots[key], table.seats[seat]
    flat = there.felt.get(spot.flat)
    point = spot.number or table.puck
    most = limits.odds_cap(table.notice, spot, point, flat.stake) if flat and point else None
    if most is None:
        most = limits.maximum(table.notice, spot) or there.rail
    chip = table.notice.chip
    room = min(most - up(table, seat, key), there.rail) // chip * chip
    return nearest_booked(layout, table, seat, key, max(room, chip))


def to_leave(layout: Layout, table: TableState, seat: int, key: str, less: int) -> int | Refusal:
    """What would be left after taking about `less` off a wager: the nearest lawful amount, or nothing."""
    stake, chip = up(table, seat, key), table.notice.chip
    start = max(0, stake - less) // chip * chip
    # Nothing below the minimum can be left, and the dealers do not try amounts all night.
    least = max(limits.minimum(table.notice, layout.spots[key]) if stake else 0, start - STEPS_MAX * chip, 1)
    for left in range(start, least - 1, -chip):
        answer = decide(layout, table, Take(seat, key, left))
        if not isinstance(answer, Refusal):
            return left
        if answer.code not in TOO_LITTLE | {"take.leaves_wrong"}:
            return answer
    answer = decide(layout, table, Take(seat, key))
    return answer if isinstance(answer, Refusal) else 0


def booked(layout: Layout, table: TableState, seat: int, key: str, about: int) -> tuple[int, str] | Refusal:
    """What is booked of about so much, and why where it is another amount: `the minimum`, `14 would be paid short`."""
    amount = to_bet(layout, table, seat, key, about)
    if isinstance(amount, Refusal):
        return amount
    if amount == about:
        return amount, ""
    answer, spot = decide(layout, table, Bet(seat, key, about)), layout.spots[key]
    there, least = up(table, seat, key), limits.minimum(table.notice, spot)
    wished = layout.money(about + there)
    if not isinstance(answer, Refusal):
        return amount, f"{wished} would be paid short"
    says = {
        "bet.under_minimum": "the minimum"
        if amount + there == least
        else f"at least {layout.money(least)}, paid whole",
        "bet.indivisible": f"{wished} cannot be split in {spot.units}",
        "bet.short_rail": "all your rail covers",
        **dict.fromkeys(AT_MOST, "the most here"),
    }
    return amount, says.get(answer.code) or no(table, answer, seat).rstrip(".")


def to_bet(layout: Layout, table: TableState, seat: int, key: str, about: int) -> int | Refusal:
    """The amount nearest `about` that is booked; where the house pays short of its price, the nearest paid whole."""
    amount = nearest_booked(layout, table, seat, key, about)
    if isinstance(amount, Refusal):
        return amount
    there, chip = up(table, seat, key), table.notice.chip
    if not pays_short(layout, table, key, there + amount):
        return amount
    nearby = (amount + sign * step * chip for step in range(1, WHOLE_STEPS_MAX + 1) for sign in (1, -1))
    whole = (near for near in nearby if near > 0 and not pays_short(layout, table, key, there + near))
    return next(
        (near for near in whole if not isinstance(decide(layout, table, Bet(seat, key, near)), Refusal)), amount
    )


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


def _wins(layout: Layout, table: TableState, key: str, stake: int) -> tuple[WagerWon, ...]:
    """Every way a stake could win on its next decision, settled by the dealers at a table where it is alone."""
    spot = layout.spots[key]
    if spot.is_odds and not (spot.number or table.puck):
        return ()
    puck = table.puck or (0 if spot.is_line else layout.book.points.value[0])
    return _won(layout, key, stake, puck, table.notice.chip)


@lru_cache(maxsize=4096)  # asked of the same few stakes for every player, after every entry
def _won(layout: Layout, key: str, stake: int, puck: int, chip: int) -> tuple[WagerWon, ...]:
    spot = layout.spots[key]
    held = commission.up_front(layout, spot, stake, chip)
    wager = Wager(stake=stake, held=held, call="on" if spot.rule.callable.value else None)
    alone = TableState(Notice(chip, None, None, chip), Dice(2), {1: Seat("", 0, {key: wager})}, puck)
    ways: dict[Wins, list[WagerWon]] = {}
    for roll, verdict in zip(ROLLS, spot.row(0, puck, works=True), strict=True):
        if isinstance(verdict, Wins) and verdict not in ways:
            ways[verdict] = [event for event in settle(layout, alone, roll) if isinstance(event, WagerWon)]
    return tuple(chain.from_iterable(ways.values()))
