"""Taking wagers down, and calling them on and off."""

from __future__ import annotations

from collections.abc import Iterator

from passline.engine import commission, guards, limits, shooting
from passline.engine.commands import CallOff, CallOn, Take
from passline.engine.events import DontBetsBarred, Event, WagerCalled, WagerDown, WhyDown
from passline.engine.guards import Asking, ask_where_up
from passline.engine.kinds import Odds
from passline.engine.layout import Layout
from passline.engine.refusals import Answer, Refusal
from passline.engine.table import Call, TableState
from passline.engine.values import ClauseId, WagerKey


def take(layout: Layout, table: TableState, command: Take) -> Answer:
    """Take a wager down; what stood behind it follows."""
    asked = ask_where_up(layout, table, command.seat, command.wager)
    if isinstance(asked, Refusal):
        return asked
    left, hands_off = command.leave, layout.book.betting.hands_off
    if refused := asked.unsettled(hands_off) or _locked(asked) or (_unlawful(asked, left) if left else None):
        return refused
    removable = asked.spot.rule.removable.clause
    return (
        down(asked, left, "asked", removable),
        *_odds_follow(asked, left),
        *_barred(asked),
        *shooting.after_take(layout, table, command.seat, asked.spot, left),
    )


def down(asked: Asking, left: int, why: WhyDown, clause: ClauseId) -> WagerDown:
    """The event of chips coming down to `left`, commission and tokens shared out."""
    spot, up = asked.spot, asked.seat.felt[asked.spot.key]
    removed = up.stake - left
    back = commission.refund(spot, up, removed, asked.table.notice.chip) if up.held else 0
    held = up.held - back if left else 0
    kept, tokens = up.held - back - held, min(up.tokens, removed)
    unchecked = up.unchecked and bool(left) and (why != "asked" or limits.excess(asked.table.notice, spot, left) > 0)
    known, amounts = asked.layout.memory.downs, (removed, left, back, held, tokens, kept)
    asked_for = (asked.number, asked.seat.name, spot.key, amounts, why, clause, unchecked)
    found = known.get(asked_for)
    if found is not None:
        return found
    found = known[asked_for] = WagerDown(
        seat=asked.number,
        wager=spot.key,
        removed=removed,
        left=left,
        refund=back,
        held=held,
        why=why,
        clause=clause,
        tokens=tokens,
        kept=kept,
        unchecked=unchecked,
    )
    return found


def all_down(layout: Layout, table: TableState, why: WhyDown, clause: ClauseId) -> Iterator[WagerDown]:
    for number, seat in table.seats.items():
        for key in seat.felt:
            yield down(Asking(layout, table, number, seat, layout.spots[key]), 0, why, clause)


def _odds_follow(asked: Asking, flat: int) -> Iterator[Event]:
    """Odds end with their flat bet, and are cut to its new size."""
    behind = asked.seat.felt.get(asked.spot.odds)
    if behind is None:
        return
    spot = asked.layout.spots[asked.spot.odds]
    assert isinstance(spot.rule.terms, Odds)
    odds, limit = asked._replace(spot=spot), spot.rule.terms.limit
    if not flat:
        yield down(odds, 0, "its flat bet came down", limit)
        return
    most = limits.odds_cap(asked.table.notice, spot, spot.number or asked.table.puck, flat)
    if most is not None and behind.stake > most:
        yield down(odds, most, "over the odds limit", limit)


def _barred(asked: Asking) -> Iterator[Event]:
    """Lowering a don't bet that has its point may bar the player from all don't bets for a while."""
    habit = asked.layout.book.betting.dont_ban
    if habit.value == "all until come-out" and asked.spot.is_dont and asked.on_its_point:
        yield DontBetsBarred(asked.number, habit.clause)


def _locked(asked: Asking) -> Refusal | None:
    """Contract bets stay until they are decided."""
    removable = asked.spot.rule.removable
    locked = {
        "any time": False,
        "until its point": asked.on_its_point,
        "until its first roll": bool(asked.seat.felt[asked.spot.key].mark),
        "never": True,
    }[removable.value]
    if not locked:
        return None
    return asked.refuse("take.locked", f"{asked.spot.name} stays up until it is decided.", removable.clause)


def _unlawful(asked: Asking, left: int) -> Refusal | None:
    """What a reduction leaves must be a lawful wager by itself."""
    money, spot, up = asked.layout.money, asked.spot, asked.seat.felt[asked.spot.key]
    if left < 0 or left >= up.stake:
        no = f"{money(up.stake)} is up on {spot.name}; a reduction leaves less, not {money(left)}."
        return asked.refuse("take.leaves_more", no)
    if refused := guards.no_chips(asked.layout, asked.table, left, asked.number, asked.layout.book.betting.made_with):
        return refused
    least = limits.minimum(asked.table.notice, spot)
    if left < least:
        no = f"{money(left)} on {spot.name} is under the minimum of {money(least)}; take it all or leave more."
        return asked.refuse("take.leaves_wrong", no, asked.spot.rule.limits.clause)
    return limits.off_step(asked, left)


def call_on(layout: Layout, table: TableState, command: CallOn) -> Answer:
    """Call a wager, and by the house's habit its kind, on."""
    asked = _callable(layout, table, command.seat, command.wager)
    if isinstance(asked, Refusal):
        return asked
    habits = layout.book.betting
    confirmers = habits.on_confirmers
    if command.by is not None and not set(command.by) & set(confirmers.value):
        no = f"On counts when the {layout.crew(confirmers.value)} puts the button down."
        return asked.refuse("call.not_confirmed", no, confirmers.clause)
    call: Call | None = "on" if not table.puck or habits.on_lasts.value == "until cancelled" else None
    return tuple(WagerCalled(command.seat, key, call, habits.on_scope.clause) for key in _kin(asked))


def call_off(layout: Layout, table: TableState, command: CallOff) -> Answer:
    asked = _callable(layout, table, command.seat, command.wager)
    if isinstance(asked, Refusal):
        return asked
    return (WagerCalled(command.seat, asked.spot.key, "off", asked.spot.rule.callable.clause),)


def call_of_new(asked: Asking) -> Call | None:
    """A new bet on a come-out joins its kind: one button speaks for all of them."""
    if asked.table.puck or not asked.spot.rule.callable.value:
        return None
    return "on" if any(asked.seat.felt[key].call == "on" for key in _kin(asked)) else None


def _kin(asked: Asking) -> Iterator[WagerKey]:
    """The player's wagers that one button on this spot speaks for."""
    scope, spots, spot = asked.layout.book.betting.on_scope.value, asked.layout.spots, asked.spot
    for key in asked.seat.felt:
        other = spots[key]
        same_kind = scope == "kind" and other.family == spot.family
        if key == spot.key or same_kind or (scope == "player" and other.rule.callable.value):
            yield other.key


def _callable(layout: Layout, table: TableState, number: int, key: str) -> Asking | Refusal:
    """A player names a wager that has a button."""
    asked = ask_where_up(layout, table, number, key)
    if isinstance(asked, Refusal):
        return asked
    if not asked.spot.rule.callable.value:
        no = f"{asked.spot.name} cannot be called on or off."
        return asked.refuse("call.not_callable", no, asked.spot.rule.callable.clause)
    return asked.unsettled(layout.book.betting.hands_off) or asked
