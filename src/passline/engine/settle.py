"""The dealers: one roll against every wager on the felt, each read off the layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from passline.engine import commission, limits
from passline.engine.events import (
    PlayerWarned,
    WagerLost,
    WagerPushed,
    WagerReturned,
    WagerTallied,
    WagerTravelled,
    WagerWon,
)
from passline.engine.values import in_chips
from passline.engine.verdicts import Loses, Pushes, Returns, Tallies, Travels, Verdict, Wins

if TYPE_CHECKING:
    from fractions import Fraction

    from passline.engine.events import Event
    from passline.engine.layout import Layout, Spot
    from passline.engine.table import Seat, TableState, Wager
    from passline.engine.values import Roll


def works(spot: Spot, wager: Wager, puck: int) -> bool:
    """Whether a wager can win or lose now: as its button says, else by the house's habit."""
    if wager.call is not None:
        return wager.call == "on"
    return bool(puck) or not spot.rule.off_on_comeout.value


def settle(layout: Layout, table: TableState, roll: Roll) -> list[Event]:
    """Decide every wager by the puck as it lies; what travels moves after everything else is paid."""
    events: list[Event] = []
    travelled: list[Event] = []
    spots, puck, throw = layout.spots, table.puck, roll.throw
    for number, seat in table.seats.items():
        for key, wager in seat.felt.items():
            spot = spots[key]
            if wager.unchecked and limits.is_no_bet(layout, table.notice, spot, seat, wager):
                events.append(_no_bet(layout, table, number, spot, wager))
                continue
            verdict = spot.row(wager.mark, puck, works=works(spot, wager, puck))[throw]
            if verdict is not None:
                kind = verdict.__class__
                if kind is Tallies and verdict.mark == wager.mark:  # type: ignore[union-attr]
                    continue
                (travelled if kind is Travels else events).append(_event(layout, table, number, spot, wager, verdict))
            if wager.unchecked and limits.deserves_warning(layout, table.notice, spot, seat, wager):
                events.append(PlayerWarned(number, key, layout.book.money.under_min.clause))
    return events + travelled if travelled else events


def _event(layout: Layout, table: TableState, seat: int, spot: Spot, wager: Wager, verdict: Verdict) -> Event:
    """Say what a verdict does to this wager, in chips."""
    match verdict:
        case Wins():
            return won(layout, table, seat, spot, wager, verdict)
        case Loses():
            return lost(layout, table, seat, spot, wager, verdict.clause)
        case Tallies():
            return WagerTallied(seat, spot.key, verdict.mark)
        case Travels():
            return WagerTravelled(seat, spot.key, verdict.to, wager.stake, verdict.clause)
        case Pushes():
            stays = layout.book.betting.push.value == "stay"
            return WagerPushed(seat, spot.key, wager.stake, stays, verdict.clause, wager.tokens)
        case Returns():
            return WagerReturned(seat, spot.key, wager.stake, wager.held, verdict.clause, wager.tokens)


def lost(layout: Layout, table: TableState, seat: int, spot: Spot, wager: Wager, clause: str) -> WagerLost:
    """Collect a stake; what was over the maximum goes back where the house caps both sides."""
    over = limits.excess(table.notice, spot, wager) if wager.unchecked else 0
    if not over:
        return WagerLost(seat, spot.key, wager.stake, clause, 0, wager.tokens)
    return WagerLost(
        seat, spot.key, wager.stake - over, clause, returned=over, note=layout.book.money.over_max.clause
    )


def won(layout: Layout, table: TableState, seat: int, spot: Spot, wager: Wager, verdict: Wins) -> WagerWon:
    """Pay a winner: price, rounding, commission, and where its stake goes."""
    chip = table.notice.chip
    stake, note = wager.stake, None
    if wager.unchecked:
        stake, note = limits.stake_to_pay(layout, table.notice, spot, wager, verdict)
    rate = verdict.rate
    whole, rest = divmod(stake * rate.numerator, rate.denominator * chip)
    rounding: Literal["up", "down", "nearest"] | None = None
    if rest:
        whole, rounding = _round(layout, whole, rest, rate.denominator * chip, note)
        note = note or layout.book.money.rounding.clause
    paid = whole * chip
    stays = spot.rule.stays.value
    charge = commission.on_a_win(layout, spot, wager.stake, paid, chip, stays=stays) if spot.rule.commission else 0
    lost_part = 0
    if verdict.share.denominator != 1:
        at_risk = wager.stake - limits.excess(table.notice, spot, wager) if wager.unchecked else wager.stake
        lost_part = at_risk - in_chips(at_risk * verdict.share, chip, layout.rounding)
    tokens, collected = (0, 0) if stays or not wager.tokens else _tokens(layout, wager)
    return WagerWon(
        seat,
        spot.key,
        stake,
        str(verdict.price),
        paid,
        charge,
        charge if stays and commission.is_up_front(spot) else 0,
        0 if stays else wager.stake - lost_part - wager.tokens,
        lost_part,
        stays,
        _exact(stake, rate),
        rounding,
        verdict.clause,
        verdict.rule,
        tokens,
        collected,
        note,
    )


def _exact(stake: int, rate: Fraction) -> str:
    amount, rest = divmod(stake * rate.numerator, rate.denominator)
    return str(amount) if not rest else str(stake * rate)


def _tokens(layout: Layout, wager: Wager) -> tuple[int, int]:
    """Tokens of a winner that comes down: back to the player, or kept."""
    return (wager.tokens, 0) if layout.book.betting.token_after_win.value == "return" else (0, wager.tokens)


def _round(
    layout: Layout, whole: int, rest: int, per: int, note: str | None
) -> tuple[int, Literal["up", "down", "nearest"]]:
    """Whole chips for a win that chips cannot make, as this house rounds."""
    money = layout.book.money
    if note == money.improper_multiple.clause and money.improper_multiple.value == "floor win":
        return whole, "down"
    match layout.rounding:
        case "up":
            return whole + 1, "up"
        case "nearest":
            return whole + (2 * rest >= per), "nearest"
        case "down":
            return whole, "down"
        case "exact":
            message = "an exact layout needs a grain that clears every fraction in play"
            raise AssertionError(message)


def _no_bet(layout: Layout, table: TableState, seat: int, spot: Spot, wager: Wager) -> WagerReturned:
    """Give back chips that should not have been there, whatever the dice show."""
    money = layout.book.money
    over = limits.excess(table.notice, spot, wager)
    clause = money.over_max.clause if over else money.under_min.clause
    return WagerReturned(seat, spot.key, wager.stake, wager.held, clause, wager.tokens)
