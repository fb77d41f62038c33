"""The kernel for GPUs: its source tried on the processor everywhere, the card itself where there is one."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from passline.errors import DeviceError
from passline.machine.dice import dice_of
from passline.sim import game_of, simulate
from passline.sim.backends import choose, gpu
from passline.sim.backends.contract import Part, Played
from passline.sim.backends.cuda import KERNEL, ON_THE_PROCESSOR
from passline.sim.backends.vector import NumpyBackend
from tests.odds.machines import pass_line
from tests.sim.yardstick import molly

if TYPE_CHECKING:
    from pathlib import Path

    from passline.machine.machine import Machine
    from passline.sim.game import Game

RUNNING = np.zeros(1, dtype=np.uint8)
COUNT = 300
TYPES: dict[str, Any] = {"uint32": ctypes.c_uint32, "uint64": ctypes.c_uint64, "int64": ctypes.c_int64}
LARGE, SMALL = 232_448, 12_000
"""Shared memory of a large card, and so little that a table stays outside."""

GAMES: list[tuple[str, Machine, dict[str, Any], int]] = [
    ("narrow pairs", molly(), {"rolls": 203}, LARGE),
    ("narrow triples and felts", pass_line(), {"rolls": 77}, LARGE),
    ("wide, outside", molly(), {"rolls": 77}, SMALL),
    ("rules", molly(), {"rolls": 203, "bankroll": 150, "stop_loss": 140}, LARGE),
    ("all rules", pass_line(), {"rolls": 203, "bankroll": 90, "stop_win": 50, "hands": 9}, LARGE),
    ("loaded", pass_line(), {"rolls": 77, "dice": dice_of("srr=6.5")}, LARGE),
    (
        "loaded, with rules",
        molly(),
        {"rolls": 203, "bankroll": 150, "stop_win": 90, "dice": dice_of("2,1,1,1,1,3")},
        SMALL,
    ),
]


def called(game: Game, made: gpu.Plan, folder: Path, *, rows: bool) -> Part:
    """What the kernel comes to when a C++ compiler makes one thread of it."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler here")
    source, made_of = folder / f"{rows}.cpp", folder / f"{rows}.so"
    source.write_text(ON_THE_PROCESSOR + made.source(rows=rows), encoding="ascii")
    subprocess.run([compiler, "-O1", "-w", "-shared", "-fPIC", str(source), "-o", str(made_of)], check=True)
    played = Played.nothing(COUNT)
    counted = {name: np.zeros(size, dtype=kind) for name, (size, kind) in gpu.counters(made, game).items()}
    told = {f"r_{name}": getattr(played, name) for name in Played.__slots__}
    arrays = {**gpu.arrays(made, game), **counted, **told}
    words = [
        ctypes.c_void_p(None if word is None else word.ctypes.data)
        if word is None or isinstance(word, np.ndarray)
        else TYPES[word.dtype.name](int(word))
        for word in gpu.arguments(made, game, 3, COUNT, arrays, None)
    ]
    ctypes.CDLL(str(made_of))[KERNEL](*words)
    return Part.of(played) if rows else gpu.part_of(made, COUNT, counted)


def same(one: Part, other: Part) -> None:
    """Equal, number for number."""
    for name in Part.__slots__:
        assert getattr(one, name) == getattr(other, name), name


@pytest.mark.slow
@pytest.mark.parametrize(("machine", "asked", "shared"), [each[1:] for each in GAMES], ids=[each[0] for each in GAMES])
def test_the_kernel_counts_what_numpy_counts(
    machine: Machine, asked: dict[str, Any], shared: int, tmp_path: Path
) -> None:
    """The very source that a GPU compiles, as one thread of this processor."""
    game = game_of(machine, seed=2**63 + 5, **asked)
    made = gpu.plan(game, shared)
    assert made is not None
    expected = NumpyBackend().play(game, 3, COUNT, RUNNING)
    for rows in (False, True):
        same(called(game, made, tmp_path, rows=rows), expected)


def test_without_a_card_the_processor_rolls_and_says_so() -> None:
    """Nobody who asks for a GPU is left without an answer."""
    try:
        choose("gpu", game_of(molly(), rolls=10))
    except DeviceError:
        pass
    else:
        pytest.skip("there is a GPU here")
    sample = simulate(molly(), sessions=50, rolls=20, seed=3, backend="gpu")
    assert sample.backend in {"numba", "numpy"}
    assert "Rolled on the processor instead" in sample.note
    assert sample.fingerprint() == simulate(molly(), sessions=50, rolls=20, seed=3).fingerprint()


@pytest.mark.gpu
@pytest.mark.parametrize(("machine", "asked"), [each[1:3] for each in GAMES], ids=[each[0] for each in GAMES])
def test_a_card_counts_what_numpy_counts(machine: Machine, asked: dict[str, Any]) -> None:
    """On the device itself, sums and rows."""
    game = game_of(machine, seed=2**63 + 5, **asked)
    try:
        card = choose("gpu", game)
    except DeviceError as error:
        pytest.skip(f"gpu: {error}")
    expected = NumpyBackend().play(game, 3, COUNT, RUNNING)
    same(card.play(game, 3, COUNT, RUNNING), expected)
    same(Part.of(card.rows(game, 3, COUNT, RUNNING)), expected)
