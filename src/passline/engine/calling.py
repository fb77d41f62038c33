"""Calling wagers on and off."""

from __future__ import annotations

from collections.abc import Iterator

from passline.engine.asking import Asking, ask_where_up
from passline.engine.commands import CallOff, CallOn
from passline.engine.events import WagerCalled
from passline.engine.layout import Layout
from passline.engine.refusals import Answer, Refusal
from passline.engine.table import Call, TableState
from passline.engine.values import WagerKey


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
