"""The kernel for GPUs: its source tried on the processor everywhere, the card itself where there is one."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from passline.errors import DeviceError
from passline.machine.dice import dice_of
from passline.machine.terms import Terms
from passline.sim import game_of, simulate
from passline.sim.backends import Part, Played, choose, gpu
from passline.sim.backends.vector import NumpyBackend
from passline.sim.run import ON_WORKERS, roll_piece
from tests.odds.machines import pass_line
from tests.sim.machines import rolled
from tests.sim.yardstick import molly

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from passline.machine.machine import Machine
    from passline.sim.game import Game

RUNNING = np.zeros(1, dtype=np.uint8)
COUNT = 300
TYPES: dict[str, Any] = {"uint32": ctypes.c_uint32, "uint64": ctypes.c_uint64, "int64": ctypes.c_int64}
LARGE, SMALL = 232_448, 12_000
"""Shared memory of a large card, and so little that a table stays outside."""

ON_THE_PROCESSOR = r"""
/* Enough of CUDA for one thread, so that a C++ compiler can try the kernel where there is no GPU */
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(n)
#define __shared__
#define __syncthreads()
struct three { unsigned x; };
static three threadIdx = {0}, blockIdx = {0}, blockDim = {1}, gridDim = {1};
template <class A, class B> static void atomicAdd(A *at, B by) { *at += by; }
static unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static unsigned long long __shfl_down_sync(unsigned, unsigned long long, int) { return 0; }
unsigned long long shared[1 << 20];
"""
"""Enough of CUDA for one thread, before the kernel."""

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
    ctypes.CDLL(str(made_of))[gpu.KERNEL](*words)
    return Part.of(played) if rows else gpu.part_of(made, COUNT, counted)


def same(one: Part | Played, other: Part) -> None:
    """Equal, number for number."""
    for name in Part.__slots__:
        assert getattr(one, name) == getattr(other, name), name


@pytest.mark.slow
@pytest.mark.parametrize(("machine", "asked", "shared"), [each[1:] for each in GAMES], ids=[each[0] for each in GAMES])
def test_the_kernel_counts_what_numpy_counts(
    machine: Machine, asked: dict[str, Any], shared: int, tmp_path: Path
) -> None:
    """The very source that a GPU compiles, as one thread of this processor."""
    game = game_of(machine, Terms(**asked), 2**63 + 5)
    made = gpu.plan(game, shared)
    assert made is not None
    expected = NumpyBackend().play(game, 3, COUNT, RUNNING)
    for rows in (False, True):
        same(called(game, made, tmp_path, rows=rows), expected)


@pytest.mark.slow
def test_without_a_card_the_processor_rolls_and_says_so() -> None:
    """Nobody who asks for a GPU is left without an answer."""
    try:
        choose("gpu", game_of(molly(), Terms(10)))
    except DeviceError:
        pass
    else:
        pytest.skip("there is a GPU here")
    sample = simulate(molly(), Terms(20), sessions=50, seed=3, backend="gpu")
    assert sample.backend in {"numba", "numpy"}
    assert "Rolled on the processor instead" in sample.note
    assert sample.fingerprint() == simulate(molly(), Terms(20), sessions=50, seed=3).fingerprint()


@pytest.mark.gpu
@pytest.mark.parametrize(("machine", "asked"), [each[1:3] for each in GAMES], ids=[each[0] for each in GAMES])
def test_a_card_counts_what_numpy_counts(machine: Machine, asked: dict[str, Any]) -> None:
    """On the device itself, sums and rows."""
    game = game_of(machine, Terms(**asked), 2**63 + 5)
    try:
        card = choose("gpu", game)
    except DeviceError as error:
        pytest.skip(f"gpu: {error}")
    expected = NumpyBackend().play(game, 3, COUNT, RUNNING)
    same(card.play(game, 3, COUNT, RUNNING), expected)
    same(Part.of(card.rows(game, 3, COUNT, RUNNING)), expected)


@pytest.mark.gpu
def test_a_card_without_memory_leaves_it_to_the_processor() -> None:
    """Its memory may be somebody else's: the answer is the same and says so."""
    try:
        choose("gpu", game_of(molly(), Terms(10)))
    except DeviceError as error:
        pytest.skip(f"gpu: {error}")
    pool: Any = import_module("cupy").get_default_memory_pool()
    pool.free_all_blocks()
    pool.set_limit(size=1)
    try:
        sample = simulate(molly(), Terms(20), sessions=50, seed=3, backend="gpu")
    finally:
        pool.set_limit(size=0)
    assert "too little memory on the card" in sample.note
    assert sample.backend != "gpu"
    assert sample.fingerprint() == simulate(molly(), Terms(20), sessions=50, seed=3, backend="numpy").fingerprint()


class Failing(NumpyBackend):
    """A card that runs out of memory in the middle."""

    name = "gpu"

    def play(self, game: Game, first: int, count: int, halt: NDArray[np.uint8]) -> Part:
        """Some pieces come back."""
        if first > 100:
            raise DeviceError("backend 'gpu' finds too little memory on the card")
        return super().play(game, first, count, halt)


def test_a_card_that_fails_in_the_middle_leaves_it_to_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it had rolled is counted once, here and by a worker."""
    asked: dict[str, Any] = {"sessions": 300, "rolls": 20, "seed": 3, "watch": 10}
    whole = rolled(molly(), backend="numpy", **asked).fingerprint()
    monkeypatch.setattr("passline.sim.backends.vector.BATCH", 64)
    monkeypatch.setattr("passline.sim.run.made_ready", lambda *_: (Failing(), ""))
    sample = rolled(molly(), backend="gpu", **asked)
    assert sample.fingerprint() == whole
    assert "Rolled on the processor instead" in sample.note
    monkeypatch.setattr("passline.sim.run.made_ready", lambda *_: (Failing(), ""))
    game = game_of(molly(), Terms(21), seed=3)
    same(roll_piece(game, "gpu", "play", 200, 50), NumpyBackend().play(game, 200, 50, RUNNING))


@pytest.mark.slow
def test_a_worker_rolls_on_what_it_has() -> None:
    """On its card, or without one on its processor; the sums are the same."""
    game = game_of(molly(), Terms(22, bankroll=100), seed=3)
    same(roll_piece(game, ON_WORKERS, "play", 7, 50), NumpyBackend().play(game, 7, 50, RUNNING))
