"""How what an older Passline wrote becomes what this one reads: one plain function for each step.

A kind whose fields change gets a function here, named for the kind and the two versions, from the fields of the one to
the fields of the next, and its line in `UPCASTS`; that line is what makes its version one higher. Nothing written is
ever rewritten.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""The fields of one version to the fields of the next."""


def limits_changed_1_to_2(fields: dict[str, Any]) -> dict[str, Any]:
    """Whatever was changed, the sign came down."""
    return {**fields, "sign_stands": False}


def voucher_event_1_to_2(fields: dict[str, Any]) -> dict[str, Any]:
    """What had a clause has it still; a house without one can issue vouchers now."""
    return fields


def floor_1_to_2(fields: dict[str, Any]) -> dict[str, Any]:
    """Nobody wrote down who issued a voucher."""
    return {**fields, "vouchers": {name: {**each, "by": ""} for name, each in fields["vouchers"].items()}}


def draw_prize_1_to_2(fields: dict[str, Any]) -> dict[str, Any]:
    """One person drew, and whoever watched was a name."""
    return {**fields, "standing": "", "second": ""}


def rules_shown_1_to_2(fields: dict[str, Any]) -> dict[str, Any]:
    """Nobody wrote down whose rules."""
    return {**fields, "book": ""}


UPCASTS: dict[str, tuple[Upcast, ...]] = {
    "floor": (floor_1_to_2,),
    "floor.draw_prize": (draw_prize_1_to_2,),
    "floor_event.prize_drawn": (draw_prize_1_to_2,),
    "floor_event.rules_shown": (rules_shown_1_to_2,),
    "floor_event.limits_changed": (limits_changed_1_to_2,),
    "floor_event.voucher_changed": (voucher_event_1_to_2,),
    "floor_event.voucher_issued": (voucher_event_1_to_2,),
}
"""By wire name: from version 1 to 2, from 2 to 3, and so on."""
