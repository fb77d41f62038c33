"""What the dice must not see: clocks, other generators, bets, money, people at the table."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import passline.live.dice
from passline.live.dice import commitment, mix, roll

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = [Path(passline.live.dice.__file__)]

ALLOWED = {
    "__future__",
    "collections.abc",
    "dataclasses",
    "hashlib",
    "hmac",
    "itertools",
    "passline.engine.values",
    "passline.errors",
    "typing",
}
"""All that the dice are made of; nothing here knows the time."""

BANNED_NAMES = {
    "random",
    "time",
    "datetime",
    "uuid",
    "uuid1",
    "numpy",
    "os",
    "getrandbits",
    "perf_counter",
    "monotonic",
}

BLIND_TO = ("bet", "wager", "stake", "chip", "money", "balance", "rail", "amount", "time", "clock", "seat", "now")
"""Words that no argument of ours may contain."""


def strangers(text: str) -> Iterator[str]:
    """Imports that are not on the list, and names that are on the other one, wherever they hide."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names=names):
                yield from (f"import {name.name}" for name in names if name.name not in ALLOWED)
            case ast.ImportFrom(module=module) if module not in ALLOWED and not str(module).startswith(
                "passline.live.dice"
            ):
                yield f"from {module}"
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in BANNED_NAMES | {"__import__", "eval", "exec"}:
                yield name
            case _:
                pass


@pytest.mark.parametrize(
    "planted",
    [
        "import random",
        "from time import time_ns",
        "import numpy.random",
        "from uuid import uuid1",
        "import hashlib, time",
        "def f():\n    import random",
        "seed = __import__('random').getrandbits(8)",
        "from passline.engine.table import TableState",
    ],
)
def test_a_planted_stranger_is_found(planted: str) -> None:
    """The check bites."""
    assert list(strangers(planted))


def test_the_dice_are_made_of_what_the_list_says() -> None:
    """No clock, no other generator, nothing of the table."""
    assert [f"{path.name}: {found}" for path in SOURCES for found in strangers(path.read_text("utf-8"))] == []


def test_nothing_of_the_dice_comes_from_the_operating_system() -> None:
    """They are a function of their arguments; seeds, nonces and keys are made where the keys are."""
    assert "secrets" not in SOURCES[0].read_text("utf-8")


def test_no_signature_has_room_for_a_bet() -> None:
    """Neither money nor time could be handed to any function of the dice."""
    looked = 0
    for name, function in inspect.getmembers(passline.live.dice, inspect.isfunction):
        if function.__module__ == "passline.live.dice":
            looked += 1
            words = " ".join(inspect.signature(function).parameters)
            assert not [word for word in BLIND_TO if word in words], f"{name}({words})"
    assert looked >= 14


def test_a_roll_takes_seed_table_epoch_number_and_mix() -> None:
    """And nothing else; nor do the values it stands on."""
    assert list(inspect.signature(roll).parameters) == ["seed", "table", "epoch", "number", "mixed"]
    assert list(inspect.signature(mix).parameters) == ["table", "epoch", "house", "seeds"]
    assert list(inspect.signature(commitment).parameters) == ["table", "epoch", "seed"]
