"""What `replay --json` prints: events, refusals and the table for people's programs, amounts as decimal strings.

This form is for looking: money is in the table's unit, the puck is `"off"` or a number, the table shows what a player
sees. What a program must read back to the same value is the other form, `passline.codec.encode`.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, get_args

from passline.codec import KINDS, WIRE_NAMES
from passline.codec.shapes import typed_fields
from passline.engine.events import BOOKS, Event, Puck
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import Notice, TableState
from passline.engine.values import Chips, Price, exact_text

Printer = Callable[["Layout", Any], Any]


def event_json(layout: Layout, event: Event) -> dict[str, Any]:
    """One event, complete: nobody has to work a sum out again."""
    wire_name = WIRE_NAMES[type(event)]
    printed: dict[str, Any] = {"event": wire_name.removeprefix("event.")}
    for name, printer in _printers(wire_name):
        printed[name] = printer(layout, getattr(event, name))
    return printed


@cache
def _printers(wire_name: str) -> tuple[tuple[str, Printer], ...]:
    """How each field of an event is printed: by its type; what only the books need is not printed."""
    typed = typed_fields(KINDS[wire_name]).items()
    own = [(name, kind) for name, kind in typed if BOOKS not in get_args(kind)[1:]]
    return tuple((name, PRINTERS.get(kind, lambda _layout, value: value)) for name, kind in own)


def refusal_json(refusal: Refusal, line: int) -> dict[str, Any]:
    """A refusal, with the line of the record that asked for it."""
    about = {"seat": refusal.seat, "code": refusal.code, "message": refusal.message, "clause": refusal.clause}
    return {"event": "refused", **about, "line": line}


def notice_json(layout: Layout, notice: Notice) -> dict[str, Any]:
    def amount(value: int | None) -> str | None:
        return None if value is None else layout.money(value)

    return {
        "min": amount(notice.minimum),
        "max": amount(notice.maximum),
        "odds": None if notice.odds is None else {str(point): times for point, times in notice.odds.items()},
        "chip": amount(notice.chip),
        "props": amount(notice.props_minimum),
        "side": None if notice.side is None else [amount(value) for value in notice.side],
        "multiples": notice.multiples,
        "unit": amount(notice.unit),
        "no_roll": notice.no_roll,
    }


def table_json(layout: Layout, table: TableState) -> dict[str, Any]:
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


# The types that are printed otherwise than they are kept.
PRINTERS: dict[Any, Printer] = {
    Chips: lambda layout, amount: layout.money(amount),
    Fraction: lambda layout, amount: exact_text(amount / layout.minor_per_unit),
    Notice: notice_json,
    Price: lambda _layout, price: str(price),
    Puck: lambda _layout, puck: puck or "off",
}
