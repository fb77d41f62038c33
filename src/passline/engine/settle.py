"""The dealers: one roll against every wager on the felt, each read off the layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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
from passline.engine.memory import ANSWERS_MAX
from passline.engine.values import in_chips
from passline.engine.verdicts import Loses, Pushes, Returns, Tallies, Travels, Verdict, Wins

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from passline.engine.events import Event, RoundedTo
    from passline.engine.layout import Layout, Row, Spot
    from passline.engine.table import TableState, Wager
    from passline.engine.values import ClauseId, Roll


class Pile(NamedTuple):
    """One player's chips on one spot."""

    layout: Layout
    table: TableState
    seat: int
    spot: Spot
    wager: Wager


def works(spot: Spot, wager: Wager, puck: int) -> bool:
    """Whether a wager can win or lose now: as its button says, else by the house's habit."""
    if wager.call is not None:
        return wager.call == "on"
    return bool(puck) or not spot.rule.off_on_comeout.value


def settle(layout: Layout, table: TableState, roll: Roll) -> list[Event]:
    """Decide every wager by the puck as it lies; what travels moves after everything else is paid."""
    events: list[Event] = []
    travelled: list[Event] = []
    rows, known = layout.memory.rows, layout.memory.decided
    puck, chip, throw = table.puck, table.notice.chip, roll.throw
    for number, seat in table.seats.items():
        for key, wager in seat.felt.items():
            if wager.unchecked:
                events += _found(Pile(layout, table, number, layout.spots[key], wager), throw)
                continue
            verdict = (rows.get((key, wager.mark, wager.call, puck)) or _row(layout, key, wager, puck))[throw]
            if verdict is None or (isinstance(verdict, Tallies) and verdict.mark == wager.mark):
                continue
            event = known.get((id(verdict), number, key, wager, chip))
            if event is None:
                event = _made(Pile(layout, table, number, layout.spots[key], wager), verdict)
            (travelled if verdict.__class__ is Travels else events).append(event)
    return events + travelled if travelled else events


def _row(layout: Layout, key: str, wager: Wager, puck: int) -> Row:
    """The verdicts on a wager, kept by what its button says."""
    spot = layout.spots[key]
    row = layout.memory.rows[key, wager.mark, wager.call, puck] = spot.row(
        wager.mark, puck, works=works(spot, wager, puck)
    )
    return row


def _made(pile: Pile, verdict: Verdict) -> Event:
    """The event of a verdict on a wager, made once and kept."""
    known = pile.layout.memory.decided
    if len(known) >= ANSWERS_MAX:
        known.clear()
    event = _event(pile, verdict)
    known[id(verdict), pile.seat, pile.spot.key, pile.wager, pile.table.notice.chip] = event
    return event


def _found(pile: Pile, throw: int) -> Iterator[Event]:
    """Settle chips that nobody checked: here the notice speaks first."""
    layout, table, number, spot, wager = pile
    seat = table.seats[number]
    if limits.is_no_bet(layout, table.notice, spot, seat, wager):
        yield _no_bet(pile)
        return
    verdict = spot.row(wager.mark, table.puck, works=works(spot, wager, table.puck))[throw]
    if verdict is not None and not (isinstance(verdict, Tallies) and verdict.mark == wager.mark):
        yield _event(pile, verdict)
    if limits.deserves_warning(layout, table.notice, spot, seat, wager):
        yield PlayerWarned(number, spot.key, layout.book.money.warning)


def _event(pile: Pile, verdict: Verdict) -> Event:
    """Say what a verdict does to this pile."""
    seat, key, wager = pile.seat, pile.spot.key, pile.wager
    match verdict:
        case Wins():
            return won(pile, verdict)
        case Loses():
            return lost(pile, verdict.clause)
        case Tallies():
            return WagerTallied(seat, key, verdict.mark)
        case Travels():
            return WagerTravelled(
                seat=seat, wager=key, to=verdict.to, stake=wager.stake, clause=verdict.clause, tokens=wager.tokens
            )
        case Pushes():
            stays = pile.layout.book.betting.push.value == "stay"
            return WagerPushed(
                seat=seat, wager=key, stake=wager.stake, stays=stays, clause=verdict.clause, tokens=wager.tokens
            )
        case Returns():
            return returned(pile, verdict.clause)


def lost(pile: Pile, clause: ClauseId) -> WagerLost:
    """Collect a stake; what was over the maximum goes back where the house caps both sides."""
    layout, table, seat, spot, wager = pile
    over = limits.excess(table.notice, spot, wager) if wager.unchecked else 0
    note = layout.book.money.over_max.clause if over else None
    return WagerLost(
        seat=seat,
        wager=spot.key,
        stake=wager.stake - over,
        clause=clause,
        returned=over,
        tokens=wager.tokens,
        note=note,
        kept=wager.held,
    )


def won(pile: Pile, verdict: Wins) -> WagerWon:
    """Pay a winner: price, rounding, commission, and where its stake goes."""
    layout, table, seat, spot, wager = pile
    chip, stake, note = table.notice.chip, wager.stake, None
    if wager.unchecked:
        stake, note = limits.stake_to_pay(layout, table.notice, spot, wager, verdict)
    exact = stake * verdict.rate
    paid, rounding = _paid(layout, exact, chip, note)
    if rounding:
        note = note or layout.book.money.rounding.clause
    stays = spot.rule.stays.value
    charge = commission.on_a_win(layout, spot, wager.stake, paid, chip) if spot.rule.commission else 0
    lost_part = 0 if verdict.share.denominator == 1 else _lost_part(pile, verdict)
    tokens, collected = (0, 0) if stays or not wager.tokens else _tokens(layout, wager, lost_part)
    return WagerWon(
        seat=seat,
        wager=spot.key,
        stake=stake,
        price=verdict.price,
        won=paid,
        commission=charge,
        held=charge if stays and commission.is_up_front(spot) else 0,
        returned=0 if stays else wager.stake - lost_part - max(0, wager.tokens - lost_part),
        lost=lost_part,
        stays=stays,
        exact=exact,
        rounding=rounding,
        clause=verdict.clause,
        rule=verdict.rule,
        tokens=tokens,
        collected=collected,
        note=note,
        kept=wager.held,
    )


def _lost_part(pile: Pile, verdict: Wins) -> int:
    """The parts of a split that did not win."""
    at_risk = pile.wager.stake
    if pile.wager.unchecked:
        at_risk -= limits.excess(pile.table.notice, pile.spot, pile.wager)
    return at_risk - in_chips(at_risk * verdict.share, pile.table.notice.chip, pile.layout.rounding)


def _tokens(layout: Layout, wager: Wager, lost_part: int) -> tuple[int, int]:
    """Tokens of a winner that comes down: the part that lost is kept, the rest goes back or is kept as well."""
    back = max(0, wager.tokens - lost_part) if layout.book.betting.token_after_win.value == "return" else 0
    return back, wager.tokens - back


def _paid(layout: Layout, win: Fraction, chip: int, note: ClauseId | None) -> tuple[int, RoundedTo | None]:
    """What an exact win comes to in chips, and which way it was rounded, if it was."""
    improper = layout.book.money.improper_multiple
    lower = note == improper.clause and improper.value == "floor win"
    rounding = "down" if lower else layout.rounding
    paid = in_chips(win, chip, rounding)
    if paid == win:
        return paid, None
    assert not layout.exact, "an exact layout needs a grain that clears every fraction in play"
    return paid, "down" if rounding == "exact" else rounding


def _no_bet(pile: Pile) -> WagerReturned:
    """Give back chips that should not have been there, whatever the dice show."""
    money = pile.layout.book.money
    clause = money.over_max.clause if limits.excess(pile.table.notice, pile.spot, pile.wager) else money.warning
    return returned(pile, clause)


def returned(pile: Pile, clause: ClauseId) -> WagerReturned:
    """Give a stake back unpaid, with the commission held for it."""
    wager = pile.wager
    return WagerReturned(
        seat=pile.seat,
        wager=pile.spot.key,
        stake=wager.stake,
        refund=wager.held,
        clause=clause,
        tokens=wager.tokens,
    )
