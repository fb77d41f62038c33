"""What the dice must not see: clocks, other generators, bets, money, people at the table."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import passline.chance
from passline.chance import commitment, mix, roll

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = sorted(Path(passline.chance.__file__).parent.glob("*.py"))

ALLOWED = {
    "__future__",
    "collections.abc",
    "cryptography.exceptions",
    "cryptography.hazmat.primitives.ciphers.aead",
    "dataclasses",
    "hashlib",
    "hmac",
    "itertools",
    "passline.engine.values",
    "passline.errors",
    "secrets",
    "typing",
}
"""All that the dice are made of; `secrets` makes seeds and nonces, and nothing here knows the time."""

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
                "passline.chance"
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
    assert len(SOURCES) >= 6
    assert [f"{path.name}: {found}" for path in SOURCES for found in strangers(path.read_text("utf-8"))] == []


def test_only_seeds_nonces_and_keys_come_from_the_operating_system() -> None:
    """The rest is a function of its arguments."""
    users = [path.name for path in SOURCES if "secrets" in path.read_text("utf-8")]
    assert users == ["sealing.py"]


def test_no_signature_has_room_for_a_bet() -> None:
    """Neither money nor time could be handed to any function of the dice."""
    looked = 0
    for found in pkgutil.iter_modules(passline.chance.__path__, "passline.chance."):
        module = importlib.import_module(found.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__:
                looked += 1
                words = " ".join(inspect.signature(function).parameters)
                assert not [word for word in BLIND_TO if word in words], f"{found.name}.{name}({words})"
    assert looked >= 14


def test_a_roll_takes_seed_table_epoch_number_and_mix() -> None:
    """And nothing else; nor do the values it stands on."""
    assert list(inspect.signature(roll).parameters) == ["seed", "table", "epoch", "number", "mixed"]
    assert list(inspect.signature(mix).parameters) == ["table", "epoch", "house", "seeds"]
    assert list(inspect.signature(commitment).parameters) == ["table", "epoch", "seed"]
