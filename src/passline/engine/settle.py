"""The dealers: one roll against every wager on the felt, each read off the layout."""

from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import NamedTuple

from passline.engine import commission, limits
from passline.engine import events as e
from passline.engine.layout import Layout, Spot
from passline.engine.table import Seat, TableState, Wager
from passline.engine.values import ClauseId, Roll, in_chips
from passline.engine.verdicts import FRESH, Loses, Pushes, Returns, Tallies, Travels, Verdict, Wins

ODDS_END = ClauseId("P-36")  # Odds end with their bet


class Pile(NamedTuple):
    layout: Layout
    table: TableState
    seat: int
    spot: Spot
    wager: Wager


def works(spot: Spot, wager: Wager, puck: int) -> bool:
    """Whether a wager can win or lose now: by its button, or else by the house's rule."""
    if wager.call is not None:
        return wager.call == "on"
    return bool(puck) or not spot.rule.off_on_comeout.value


def has_buttons(seat: Seat) -> bool:
    for wager in seat.felt.values():  # noqa: SIM110 - asked before most come-outs; `any` costs twice as much
        if wager.call:
            return True
    return False


def settle(layout: Layout, table: TableState, roll: Roll, stands: Collection[str] = ()) -> list[e.Event]:
    """Decide every wager by the puck as it lies; what travels moves after everything else is paid.

    `stands` are spots where a wager is known to stand: nobody looks there.
    """
    events: list[e.Event] = []
    travels = False
    known, puck = layout.memory.settled, table.puck
    for number, seat in table.seats.items():
        first = len(events)
        for key, wager in seat.felt.items():
            if wager.unchecked:
                events[first:] = _with_unchecked(layout, table, number, roll)
                travels = True
                break
            if key in stands:
                continue
            event = None if seat.away else known.get((key, wager, puck, roll, number, seat.name, table.notice.chip))
            if event is None:
                event = _settled(Pile(layout, table, number, layout.spots[key], wager), roll)
            if event is not None:
                events.append(event)
                travels = travels or event.__class__ is e.WagerTravelled
    if travels:
        events.sort(key=lambda event: isinstance(event, e.WagerTravelled))
    return events


def _settled(pile: Pile, roll: Roll) -> e.Event | None:
    """The event of one roll for one wager, made once and remembered; None if the wager stands."""
    layout, table, number, spot, wager = pile
    memory, puck, name, chip = layout.memory, table.puck, table.seats[number].name, table.notice.chip
    if (spot.key, puck) not in memory.looked:
        memory.looked.add((spot.key, puck))
        for throw, decided in enumerate(() if spot.counts else spot.row(FRESH, puck, works=True)):
            if decided is None:
                memory.stands[puck, throw].add(spot.key)
    verdict = _verdict(pile, roll)
    if verdict is None:
        return None
    if table.seats[number].away:
        return _event(pile, verdict)
    made = id(verdict), number, name, spot.key, wager, chip
    event = memory.made.get(made) or _event(pile, verdict)
    memory.made[made] = memory.settled[spot.key, wager, puck, roll, number, name, chip] = event
    return event


def _verdict(pile: Pile, roll: Roll) -> Verdict | None:
    _, table, _, spot, wager = pile
    verdict = spot.verdict(wager.mark, table.puck, roll, works=works(spot, wager, table.puck))
    return None if isinstance(verdict, Tallies) and verdict.mark == wager.mark else verdict


def _with_unchecked(layout: Layout, table: TableState, number: int, roll: Roll) -> Iterator[e.Event]:
    """Settles a seat that has found chips, which must first meet the notice's limits."""
    seat = table.seats[number]
    piles = {key: Pile(layout, table, number, layout.spots[key], wager) for key, wager in seat.felt.items()}
    no_bets = {key for key, pile in piles.items() if limits.is_no_bet(layout, table.notice, pile.spot, pile.wager)}
    warned = seat.warned
    for key, pile in piles.items():
        spot, wager = pile.spot, pile.wager
        verdict = _verdict(pile, roll)
        if key in no_bets:
            over = limits.excess(table.notice, spot, wager.stake)
            yield returned(pile, layout.book.money.over_max.clause if over else layout.book.money.warning)
        elif spot.is_odds and spot.flat in no_bets:
            yield returned(pile, ODDS_END)
        elif verdict is not None:
            yield _event(pile, verdict)
            settled = isinstance(verdict, Wins | Loses)
            warns = wager.unchecked and layout.book.money.under_min.value == "settle then warn"
            if settled and warns and not warned and wager.stake < limits.minimum(table.notice, spot):
                warned = True
                yield e.PlayerWarned(number, spot.key, layout.book.money.warning)


def _event(pile: Pile, verdict: Verdict) -> e.Event:
    seat, key, wager = pile.seat, pile.spot.key, pile.wager
    match verdict:
        case Wins():
            return won(pile, verdict)
        case Loses():
            return lost(pile, verdict.clause)
        case Tallies():
            return e.WagerTallied(seat, key, verdict.mark)
        case Travels():
            return e.WagerTravelled(
                seat=seat, wager=key, to=verdict.to, stake=wager.stake, clause=verdict.clause, tokens=wager.tokens
            )
        case Pushes():
            stays = pile.layout.book.betting.push.value == "stay"
            return e.WagerPushed(
                seat=seat, wager=key, stake=wager.stake, stays=stays, clause=verdict.clause, tokens=wager.tokens
            )
        case Returns():
            return returned(pile, verdict.clause)


def lost(pile: Pile, clause: ClauseId) -> e.WagerLost:
    """Collects a stake; the part over the maximum goes back where the house caps wins and losses."""
    layout, _, seat, spot, wager = pile
    over, refund, tokens = _over(pile) if wager.unchecked else (0, 0, 0)
    return e.WagerLost(
        seat=seat,
        wager=spot.key,
        stake=wager.stake - over,
        clause=clause,
        returned=over,
        tokens=wager.tokens - tokens,
        note=layout.book.money.over_max.clause if over else None,
        kept=wager.held - refund,
        refund=refund,
        tokens_over=tokens,
    )


def _over(pile: Pile) -> tuple[int, int, int]:
    """The part of a found stake over the maximum, the commission held for it, and how much of it is tokens."""
    layout, table, _, spot, wager = pile
    over = limits.capped(layout, table.notice, spot, wager.stake)
    if not over:
        return 0, 0, 0
    held = commission.up_front(layout, spot, wager.stake - over, table.notice.chip)
    return over, max(0, wager.held - held), min(wager.tokens, over)


def won(pile: Pile, verdict: Wins) -> e.WagerWon:
    layout, table, seat, spot, wager = pile
    chip, stake, note = table.notice.chip, wager.stake, None
    over = refund = tokens_over = 0
    if wager.unchecked:
        stake, note = limits.stake_to_pay(layout, table.notice, spot, wager, verdict)
        over, refund, tokens_over = _over(pile)
    exact = stake * verdict.rate
    paid, rounding = _paid(layout, exact, chip, note)
    if rounding:
        note = note or layout.book.money.rounding.clause
    # What is only up for the next roll comes down where its player has left and could not take it down.
    stays = spot.rule.stays.value and (spot.rule.terms.can_rest or not table.seats[seat].away)
    charge = commission.on_a_win(layout, spot, wager.stake - over, paid, chip) if spot.rule.commission else 0
    lost_part = 0
    if verdict.share.denominator != 1:
        decided = wager.stake - over
        lost_part = decided - in_chips(decided * verdict.share, chip, layout.rounding)
    at_risk = wager.tokens - tokens_over
    collects = layout.book.betting.token_after_win.value == "collect"
    tokens, collected = _tokens(layout, at_risk, lost_part) if at_risk and (collects or not stays) else (0, 0)
    stays = stays and collected < wager.stake
    back = over - tokens_over if stays else wager.stake - tokens_over - lost_part - max(0, at_risk - lost_part)
    return e.WagerWon(
        seat=seat,
        wager=spot.key,
        stake=stake,
        price=verdict.price,
        won=paid,
        commission=charge,
        held=charge if stays and commission.is_up_front(spot) else 0,
        returned=back,
        lost=lost_part,
        stays=stays,
        exact=exact,
        rounding=rounding,
        clause=verdict.clause,
        rule=verdict.rule,
        tokens=tokens + tokens_over,
        collected=collected,
        note=note,
        kept=wager.held - refund,
        refund=refund,
        tokens_over=tokens_over,
    )


def _tokens(layout: Layout, at_risk: int, lost_part: int) -> tuple[int, int]:
    """Tokens of a winner that comes down: the part that lost is kept, the rest goes back or is kept as well."""
    back = max(0, at_risk - lost_part) if layout.book.betting.token_after_win.value == "return" else 0
    return back, at_risk - back


def _paid(layout: Layout, win: Fraction, chip: int, note: ClauseId | None) -> tuple[int, e.RoundedTo | None]:
    """An exact win in whole chips, and the direction it was rounded."""
    improper = layout.book.money.improper_multiple
    rounding = "down" if note == improper.clause and improper.value == "floor win" else layout.rounding
    paid = in_chips(win, chip, rounding)
    if paid == win:
        return paid, None
    assert not layout.exact, "an exact layout needs a minor unit that clears every fraction in play"
    return paid, "down" if rounding == "exact" else rounding


def returned(pile: Pile, clause: ClauseId) -> e.WagerReturned:
    wager = pile.wager
    return e.WagerReturned(
        seat=pile.seat, wager=pile.spot.key, stake=wager.stake, refund=wager.held, clause=clause, tokens=wager.tokens
    )
