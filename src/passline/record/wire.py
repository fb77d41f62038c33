"""Events as JSON: one object a line, amounts as decimal strings."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

from passline.engine import events
from passline.engine.values import exact_text, money

if TYPE_CHECKING:
    from passline.engine.events import Event
    from passline.engine.layout import Layout
    from passline.engine.refusals import Refusal
    from passline.engine.table import Notice, TableState

VERSION = 1
"""The version of these shapes; a later one reads the earlier."""


def event_name(event: object) -> str:
    """The name an event travels under: `WagerWon` is `wager_won`."""
    return _snake(type(event).__name__)


@cache
def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@cache
def _fields(event: str) -> tuple[tuple[str, str], ...]:
    """Names of an event's fields, each with its type as written."""
    return tuple((field.name, str(field.type)) for field in fields(getattr(events, event)))


def event_json(layout: Layout, event: Event) -> dict[str, Any]:
    """One event, complete: nobody has to work a sum out again."""
    shown: dict[str, Any] = {"event": event_name(event)}
    for name, kind in _fields(type(event).__name__):
        value = getattr(event, name)
        if kind == "Chips":
            shown[name] = layout.money(value)
        elif kind == "Fraction":
            shown[name] = exact_text(value / layout.grain)
        elif kind == "Price":
            shown[name] = str(value)
        elif kind == "Notice":
            shown[name] = notice_json(layout, value)
        elif kind == "Puck":
            shown[name] = value or "off"
        else:
            shown[name] = list(value) if isinstance(value, tuple) else value
    return shown


def refusal_json(refusal: Refusal, line: int | None = None) -> dict[str, Any]:
    """A refusal, with the line of the record that asked for it."""
    shown: dict[str, Any] = {
        "event": "refused",
        "seat": refusal.seat,
        "code": refusal.code,
        "message": refusal.message,
        "clause": refusal.clause,
    }
    if line is not None:
        shown["line"] = line
    return shown


def notice_json(layout: Layout, notice: Notice) -> dict[str, Any]:
    """The sign at the table."""

    def amount(value: int | None) -> str | None:
        return None if value is None else money(value, layout.grain)

    return {
        "min": amount(notice.minimum),
        "max": amount(notice.maximum),
        "odds": None if notice.odds is None else {str(point): times for point, times in notice.odds.items()},
        "chip": amount(notice.chip),
        "props": amount(notice.props_minimum),
        "side": None if notice.side is None else [amount(value) for value in notice.side],
        "multiples": notice.multiples,
        "unit": amount(notice.unit),
    }


def table_json(layout: Layout, table: TableState) -> dict[str, Any]:
    """The table as it stands: puck, shooter, rails and what is up."""
    return {
        "event": "table",
        "puck": table.puck or "off",
        "shooter": table.shooter,
        "seats": {
            str(number): {
                "rail": layout.money(seat.rail),
                "up": {key: layout.money(wager.stake) for key, wager in seat.felt.items()},
            }
            for number, seat in table.seats.items()
        },
    }
