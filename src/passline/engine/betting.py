"""Putting wagers up: between rolls, in the air, or found on the layout afterwards."""

from __future__ import annotations

from passline.engine import commission, guards, limits
from passline.engine.commands import Bet, FindBet, LateBet
from passline.engine.events import ChipsBought, Event, WagerUp
from passline.engine.guards import Asking, ask
from passline.engine.kinds import Line, Odds
from passline.engine.layout import Layout
from passline.engine.refusals import Answer, Refusal
from passline.engine.table import TableState, Wager
from passline.engine.taking import call_of_new
from passline.engine.values import Cited, ClauseId, Role

COME_PUT = ClauseId("P-82")
"""A come put needs a point on, as a come bet does."""


def bet(layout: Layout, table: TableState, command: Bet) -> Answer:
    """Put a wager up between two rolls."""
    asked = ask(layout, table, command.seat, command.wager)
    if isinstance(asked, Refusal):
        return asked
    if refused := asked.unsettled(layout.book.betting.before_the_throw) or _tender(asked, command):
        return refused
    bought: tuple[Event, ...] = ()
    if command.tender == "cash":
        bought = (ChipsBought(command.seat, command.amount, layout.book.betting.cash.clause),)
        asked = asked._replace(seat=asked.seat._replace(rail=asked.seat.rail + max(0, command.amount)))
    up = _put_up(asked, command.amount, tokens=command.tokens)
    return up if isinstance(up, Refusal) else (*bought, up)


def late_bet(layout: Layout, table: TableState, command: LateBet) -> Answer:
    """Put a wager up while the dice are in the air, where the house has somebody who may confirm it."""
    asked = ask(layout, table, command.seat, command.wager)
    if isinstance(asked, Refusal):
        return asked
    habit, said = layout.book.betting.late_bets, set(command.by)
    if table.phase != "dice out":
        return asked.refuse("bet.not_late", "The dice are not in the air: an ordinary bet will do.", habit.clause)
    if habit.value == "none":
        return asked.refuse("bet.late", "The dice are in the air: no bets until they rest.", habit.clause)
    needed = {"dealer", "box"}
    heard = said >= needed if habit.value == "dealer and box" else bool(said & needed)
    if not heard:
        crew = f" {habit.value.split()[1]} ".join(layout.crew((role,)) for role in ("dealer", "box"))
        return asked.refuse("bet.not_confirmed", f"A late bet counts once the {crew} confirmed it.", habit.clause)
    up = _put_up(asked, command.amount, tokens=command.tokens, late=True)
    return up if isinstance(up, Refusal) else (up,)


def find_bet(layout: Layout, table: TableState, command: FindBet) -> Answer:
    """Book chips that reached the layout without anyone looking at the notice."""
    asked = ask(layout, table, command.seat, command.wager)
    if isinstance(asked, Refusal):
        return asked
    up = _put_up(asked, command.amount, unchecked=True)
    return up if isinstance(up, Refusal) else (up,)


def _put_up(
    asked: Asking, amount: int, *, tokens: int = 0, late: bool = False, unchecked: bool = False
) -> WagerUp | Refusal:
    layout, table, number, seat, spot = asked
    up = seat.felt.get(spot.key)
    stake = amount + (up.stake if up else 0)
    refused = (
        guards.no_amount(amount, number)
        or guards.no_chips(layout, table, amount, number, layout.book.betting.made_with)
        or _window(asked, up)
        or (None if unchecked else _limits(asked, stake))
        or (_odds_limit(asked, stake) if spot.is_odds else None)
        or (_tokens(asked, amount, tokens) if tokens else None)
    )
    if refused:
        return refused
    charge = 0
    if spot.rule.commission:
        over = limits.capped(layout, table.notice, spot, stake) if unchecked else 0
        charge = commission.to_raise(layout, spot, up, stake - over, table.notice.chip)
    if amount - tokens + charge > seat.rail:
        fee = f" and {layout.money(charge)} commission" if charge else ""
        short = f"{layout.money(amount)}{fee} on {spot.name} is more than the {layout.money(seat.rail)} on the rail."
        return asked.refuse("bet.short_rail", short)
    call = up.call if up else call_of_new(asked)
    put = _put(asked)
    made = put.clause if put else spot.rule.made.clause
    unlawful = unchecked and _limits(asked, stake) is not None
    return WagerUp(
        seat=number,
        wager=spot.key,
        added=amount,
        stake=stake,
        commission=charge,
        clause=layout.book.betting.late_bets.clause if late else made,
        tokens=tokens,
        call=call,
        late=late,
        unchecked=unlawful,
        warned=unlawful and seat.warned,
    )


def _tender(asked: Asking, command: Bet) -> Refusal | None:
    habits, spot = asked.layout.book.betting, asked.spot
    match command.tender:
        case "chips":
            return None
        case "self":
            booked = spot.rule.booked_with
            if booked is None:
                return None
            no = f"{spot.name} is booked with the {asked.layout.crew(booked.value)}."
            return asked.refuse("bet.not_booked", no, booked.clause)
        case "spoken":
            booked = spot.rule.booked_with or habits.verbal_confirmers
            return _confirmed(asked, command, booked.value, booked.clause)
        case "cash":
            if habits.cash.value == "none" or (habits.cash.value == "all but line" and spot.is_line):
                clause = habits.cash.clause if habits.cash.value == "none" else habits.made_with
                return asked.refuse("bet.cash", f"{spot.name} is bet in chips: buy in first.", clause)
            return _confirmed(asked, command, ("dealer",), habits.cash.clause)


def _confirmed(asked: Asking, command: Bet, allowed: tuple[Role, ...], clause: ClauseId) -> Refusal | None:
    """A spoken bet is none until somebody who may has confirmed it."""
    if set(command.by or ()) & set(allowed):
        return None
    no = f"A spoken bet counts when the {asked.layout.crew(allowed)} confirms it."
    return asked.refuse("bet.not_confirmed", no, clause)


def _window(asked: Asking, up: Wager | None) -> Refusal | None:
    layout, table, _, seat, spot = asked
    rule, puck = spot.rule, table.puck
    if up is not None and up.mark:
        no = f"{spot.name} has seen a roll and can no longer be raised."
        return asked.refuse("bet.locked", no, rule.removable.clause)
    if spot.is_odds:
        if spot.flat not in seat.felt or not (spot.number or puck):
            no = f"{spot.name} stands behind {layout.spots[spot.flat].name}, which is not up on a point."
            return asked.refuse("bet.no_flat", no, rule.made.clause)
    elif table.closing:
        clause = layout.book.floor.closing.clause
        return asked.refuse("bet.closing", "The table is closing: only odds are taken.", clause)
    if isinstance(rule.terms, Line):
        if _put(asked):
            return None
        if refused := _no_line(asked, rule.terms):
            return refused
    if not _is_open(asked):
        now = f"the point is {puck}" if puck else "the puck is off"
        return asked.refuse("bet.window", f"{spot.name} is made {WHEN[rule.made.value]}; {now}.", rule.made.clause)
    return None


def _no_line(asked: Asking, terms: Line) -> Refusal | None:
    """Why this flat bet cannot be made, whatever its window says."""
    spot, rule = asked.spot, asked.spot.rule
    if terms.side == "dont" and asked.seat.dont_banned:
        no = "A don't bet was lowered: no don't bets until a new come-out."
        return asked.refuse("bet.dont_banned", no, asked.layout.book.betting.dont_ban.clause)
    if not spot.has_travelled:
        return None
    if terms.put.value:
        return asked.refuse("bet.window", f"{spot.name} is put while a point is on; the puck is off.", COME_PUT)
    kind = asked.layout.spots[spot.family].name.removesuffix(" Bet")
    no = f"You can't bet {spot.name} directly: a {kind} bet moves there when a {spot.number} rolls."
    return asked.refuse("wager.not_offered", no, rule.made.clause)


def _put(asked: Asking) -> Cited[bool] | None:
    """What the house says of a flat bet made on a point, where it has such bets; a come put needs a point on too."""
    terms = asked.spot.rule.terms
    if isinstance(terms, Line) and asked.on_its_point and asked.table.puck and terms.put.value:
        return terms.put
    return None


def _is_open(asked: Asking) -> bool:
    table = asked.table
    match asked.spot.rule.made.value:
        case "any time":
            return True
        case "come-out":
            return not table.puck
        case "point on":
            return bool(table.puck)
        case "after come-out":
            return table.rolled
        case "first come-out":
            return table.fresh_hand
        case "after a seven":
            return table.after_seven and not table.puck


WHEN = {
    "any time": "at any time",
    "come-out": "before a come-out roll",
    "point on": "while a point is on",
    "after come-out": "after a come-out roll",
    "first come-out": "before the first roll of a hand",
    "after a seven": "right after a seven",
}
"""How people say each window."""


def _limits(asked: Asking, stake: int) -> Refusal | None:
    """The stake that would stand against the notice."""
    notice, money, spot = asked.table.notice, asked.layout.money, asked.spot
    least, most = limits.minimum(notice, spot), limits.maximum(notice, spot)
    if stake < least:
        no = f"{money(stake)} on {spot.name} is under the minimum of {money(least)}."
        return asked.refuse("bet.under_minimum", no, spot.rule.limits.clause)
    if most is not None and stake > most:
        no = f"{money(stake)} on {spot.name} is over the maximum of {money(most)}{_already(asked)}."
        return asked.refuse("bet.over_maximum", no, spot.rule.limits.clause)
    return limits.off_step(asked, stake)


def _odds_limit(asked: Asking, stake: int) -> Refusal | None:
    """Odds against the multiple posted, for the flat bet as it stands."""
    spot, table, money = asked.spot, asked.table, asked.layout.money
    flat = asked.seat.felt[spot.flat].stake
    most = limits.odds_cap(table.notice, spot, spot.number or table.puck, flat)
    if most is None or stake <= most:
        return None
    assert isinstance(spot.rule.terms, Odds)
    no = f"{money(stake)} on {spot.name} is over the odds posted: at most {money(most)} here{_already(asked)}."
    return asked.refuse("bet.over_odds", no, spot.rule.terms.limit)


def _already(asked: Asking) -> str:
    """Said after a stake that is too high: how much of it stands there already."""
    up = asked.seat.felt.get(asked.spot.key)
    return "" if up is None else f", and {asked.layout.money(up.stake)} is already up"


def _tokens(asked: Asking, amount: int, tokens: int) -> Refusal | None:
    habit, has = asked.layout.book.betting.tokens, asked.seat.tokens
    if not habit.value:
        return asked.refuse("bet.tokens_not_taken", f"{asked.layout.book.name} plays without tokens.", habit.clause)
    if not 0 < tokens <= min(amount, has) or tokens % asked.table.notice.chip:
        return asked.refuse("bet.short_tokens", f"There are {asked.layout.money(has)} in tokens.", habit.clause)
    return None
