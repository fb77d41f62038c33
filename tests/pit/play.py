"""Asking live tables for things, in few words."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any

from passline.engine import commands as c
from passline.live.requests import Ask
from passline.pit.keys import Keys
from passline.pit.table import LiveTable

if TYPE_CHECKING:
    from passline.journal.contract import Journal
    from passline.live.state import DiceMode

KEYS = Keys(bytes(range(32)), bytes(range(32, 64)))
NOW = "2026-11-15T20:00:00Z"
_numbers = count(1)


def by(actor: str = "ann", key: str | None = None, role: str = "player", time: str = NOW) -> Ask:
    """Somebody asks, under a key of its own unless one is given."""
    return Ask(actor, role, key or f"key-{next(_numbers)}", time)


def new_table(journal: Journal, name: str = "t1", dice: DiceMode = "fair", house: str = "adelaide") -> LiveTable:
    """A table with Ann and Bob at it."""
    table = LiveTable.create(journal, name, house, time=NOW, dice=dice, keys=KEYS)
    table.do(c.Sit(1, "Ann", 100_000), by("ann"))
    table.do(c.Sit(2, "Bob", 50_000), by("bob"))
    return table


def read(line: bytes) -> dict[str, Any]:
    """An answer as data."""
    data: dict[str, Any] = json.loads(line)
    return data


def kinds(journal: Journal, name: str = "t1") -> list[str]:
    """What the entries of a table are."""
    return [read(line)["kind"] for line in journal.lines(name)]


def why(line: bytes) -> str:
    """The code of a refusal."""
    data = read(line)
    assert data["kind"] == "refused", data
    code: str = data["body"]["refusal"]["code"]
    return code
