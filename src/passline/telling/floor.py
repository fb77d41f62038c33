"""What is said on the floor: every event of it as a sentence, said to somebody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from passline.engine.layout import Layout
from passline.engine.table import TableState
from passline.floor.acts import FloorEvent, Listener
from passline.telling.card import sign


def listener(layout: Layout, table: TableState, seat: int | None = None) -> Listener:
    """Somebody at a seat of this table, or nobody in particular."""
    return Listener(layout, table, seat, partial(sign, layout))


def say_floor(layout: Layout, table: TableState, event: FloorEvent, to: int | None = None) -> str:
    """One event of the floor as a sentence, said to the player at seat `to`."""
    sentence = event.say(listener(layout, table, to))
    return sentence[:1].upper() + sentence[1:]


def readings_differ(readings: Iterable[Mapping[str, Any]]) -> str:
    """What two people read of one roll, and that it counts as neither."""
    read = " and ".join(f"{each['actor']} read {'-'.join(map(str, each['dice']))}" for each in readings)
    return f"{read}. The roll is held: look at the dice again, and both read them anew."
