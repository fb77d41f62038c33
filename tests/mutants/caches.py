"""Kept machines with bytes changed, cut off or put in: made again without a word, and never believed."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from passline.machine.terms import Seating
from passline.house import House
from passline.machine.build import build
from passline.machine.machine import Machine
from passline.strategies.language.read import load

if TYPE_CHECKING:
    from random import Random


def mutant(rng: Random) -> str:
    """Spoil one file: it is refused, or what it says is what was written."""
    digest, kept = _kept()
    spoiled = bytearray(kept)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(spoiled))
        match rng.randrange(4):
            case 0:
                del spoiled[at : at + rng.choice((1, 40, 10_000))]
            case 1:
                spoiled[at:at] = rng.randbytes(rng.choice((1, 40)))
            case _:
                spoiled[at] = rng.randrange(256)
        if not spoiled:
            break
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        path = Path(folder) / "spoiled.npz"
        path.write_bytes(spoiled)
        try:
            machine = Machine.load(path)
        except ValueError:
            return "refused"
    assert machine.digest() == digest
    return "read"


@cache
def _kept() -> tuple[str, bytes]:
    machine = build(load("pass_345_odds"), Seating("strip"))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kept.npz"
        machine.save(path)
        return machine.digest(), path.read_bytes()
