"""The notice against a stake: before the throw, and for chips found after it."""

from __future__ import annotations

from passline.engine.asking import Asking
from passline.engine.layout import Layout, Spot
from passline.engine.refusals import Refusal
from passline.engine.table import Notice, Wager
from passline.engine.values import ClauseId
from passline.engine.verdicts import Wins


def minimum(notice: Notice, spot: Spot) -> int:
    """The least that may stand on this spot."""
    match spot.rule.limits.value:
        case "props" if notice.props_minimum is not None:
            return notice.props_minimum
        case "side" if notice.side is not None:
            return notice.side[0]
        case _:
            return notice.minimum


def maximum(notice: Notice, spot: Spot) -> int | None:
    """The most that may stand on this spot; None where something else limits it, or nothing does."""
    if spot.is_odds and notice.odds is not None:
        return None
    if spot.rule.limits.value == "side" and notice.side is not None:
        return notice.side[1]
    return notice.maximum


def odds_cap(notice: Notice, spot: Spot, point: int, flat: int) -> int | None:
    """The most whole chips that may stand behind a flat bet: a multiple of it, or (laid) what wins that multiple."""
    if notice.odds is None:
        return None
    most = notice.odds[point] * flat
    if spot.side == "dont":
        rate = spot.rate_at(point)
        most = most * rate.denominator // rate.numerator
    return most - most % notice.chip


def off_step(asked: Asking, stake: int) -> Refusal | None:
    """Why a stake does not keep to the notice's steps or to the parts of a split, if it does not."""
    layout, notice, spot = asked.layout, asked.table.notice, asked.spot
    money, sign = layout.money, layout.book.notice
    if notice.multiples and not spot.is_odds and stake % notice.minimum:
        no = f"The notice wants multiples of {money(notice.minimum)}; {money(stake)} is none."
        return asked.refuse("bet.not_a_multiple", no, sign.multiples)
    if notice.unit is not None and not spot.is_odds and (stake - notice.minimum) % notice.unit:
        no = f"The notice wants steps of {money(notice.unit)} from {money(notice.minimum)}; {money(stake)} is off them."
        return asked.refuse("bet.not_a_unit", no, sign.steps.clause)
    divide, lot = layout.book.money.indivisible_stake, spot.units * notice.chip
    if stake % lot and divide.value == "refuse":
        below, above = stake - stake % lot, stake - stake % lot + lot
        near = f"{money(below)} or {money(above)}" if below else money(above)
        no = f"{spot.name} divides by {spot.units}: {money(stake)} does not; {near} would."
        return asked.refuse("bet.indivisible", no, divide.clause)
    return None


# --- Chips found after the throw ------------------------------------------------------------------------------------


def excess(notice: Notice, spot: Spot, stake: int) -> int:
    """How much of a stake is over its maximum."""
    most = maximum(notice, spot)
    return 0 if most is None else max(0, stake - most)


def capped(layout: Layout, notice: Notice, spot: Spot, stake: int) -> int:
    """How much of a stake neither wins nor loses, where the house settles up to the maximum."""
    return excess(notice, spot, stake) if layout.book.money.over_max.value == "cap" else 0


def is_no_bet(layout: Layout, notice: Notice, spot: Spot, wager: Wager) -> bool:
    """Whether chips found on the layout go back whatever the dice show."""
    if not wager.unchecked:
        return False
    money = layout.book.money
    if wager.stake < minimum(notice, spot):
        return money.under_min.value == "refuse" or (money.under_min.value == "settle then warn" and wager.warned)
    return bool(excess(notice, spot, wager.stake)) and money.over_max.value == "refuse"


def deserves_warning(layout: Layout, notice: Notice, spot: Spot, wager: Wager) -> bool:
    """Whether the owner of a stake that was settled under the minimum is to be told."""
    warns = layout.book.money.under_min.value == "settle then warn"
    return warns and wager.unchecked and wager.stake < minimum(notice, spot)


def stake_to_pay(
    layout: Layout, notice: Notice, spot: Spot, wager: Wager, verdict: Wins
) -> tuple[int, ClauseId | None]:
    """The stake a found winner is paid on, and the clause if it is not the whole stake."""
    money = layout.book.money
    over = capped(layout, notice, spot, wager.stake)
    if over:
        return wager.stake - over, money.over_max.clause
    improper = notice.multiples and not spot.is_odds and wager.stake % notice.minimum
    payable = wager.stake * verdict.rate.numerator % (verdict.rate.denominator * notice.chip) == 0
    if not improper or payable or money.improper_multiple.value == "none":
        return wager.stake, None
    floor_stake = money.improper_multiple.value == "floor stake"
    return wager.stake - improper if floor_stake else wager.stake, money.improper_multiple.clause
