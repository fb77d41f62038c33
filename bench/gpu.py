"""Rolls a second on a GPU, and proof that it rolls the same sessions as the processor: medians of five after a warm-up.

GPU machines often have nothing but NumPy and CuPy, so machines are built where Passline is whole and rolled elsewhere:

    bench/gpu.py build DIR     # builds every library strategy in every house and saves the machines (and copies)
    bench/gpu.py roll DIR      # compares and measures; results go to bench/results/gpu.json, or to --out FILE
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
from passline.errors import PasslineError
from passline.machine.machine import Machine
from passline.sim import game_of, simulate
from passline.sim.backends.contract import Part

RESULTS = Path(__file__).parent / "results" / "gpu.json"
MEASURED = ("pass_flat", "three_point_molly")
LARGE = "labouchere_dont_pass"
AIM = 1.8e12
WHOLE_S = 5.0
ROLLS = 1200
SESSIONS_COMPARED = 3000
RUNS = 5
PROCESSES = 8
STATES_MAX = 20_000
HALT = np.zeros(1, dtype=np.uint8)


def build(folder: Path) -> None:
    """Save the machine of every library strategy in every house that has one of a moderate size."""
    from passline.house import House
    from passline.machine.store import machine_for
    from passline.strategies.language.read import built_in, load

    houses = ("strip", "sydney", "adelaide", "exhibit-a", "fire-bonus", "crapless")
    for house in houses:
        book = House(house).book
        for name in built_in():
            begin = time.perf_counter()
            try:
                made = machine_for(book, load(name), unit=10, max_bet=250, states_max=STATES_MAX)
            except PasslineError as error:
                print(f"{house} {name}: {error}")
                continue
            made.save(folder / f"{house}.{name}.npz")
            print(f"{house} {name}: {made.states} states, {time.perf_counter() - begin:.1f} s", flush=True)


def rules(machine: Machine) -> dict[str, dict[str, Any]]:
    """What may end a session, as arguments."""
    bank = 10 * int(machine.need.max()) * machine.grain or 1
    return {
        "free": {"rolls": 203},
        "face": {"rolls": 96, "at_end": "face"},
        "bankroll": {"rolls": 203, "bankroll": bank},
        "all": {"rolls": 203, "bankroll": bank, "stop_win": bank / 4, "stop_loss": bank / 2, "hands": 7},
    }


def compare(path: Path) -> tuple[int, int, list[str]]:
    """Roll the same sessions on both: how many games agree, how many the card refuses, and what differs."""
    from passline.sim.backends.gpu import GpuBackend
    from passline.sim.backends.jit import NumbaBackend

    machine = Machine.load(path)
    same, refused, differ = 0, 0, []
    for name, asked in rules(machine).items():
        try:
            game = game_of(machine, seed=7, **asked)
        except PasslineError:
            continue
        try:
            card = GpuBackend()
            card.warm(game)
        except PasslineError:
            refused += 1
            continue
        want = NumbaBackend().rows(game, 5, SESSIONS_COMPARED, HALT)
        counted, told = (
            card.play(game, 5, SESSIONS_COMPARED, HALT),
            Part.of(card.rows(game, 5, SESSIONS_COMPARED, HALT)),
        )
        expected = Part.of(want)
        fields = ("sessions", "rolls", "hands", "action", "run_out", "endings", "net", "ruin")
        wrong = [
            field for field in fields for found in (counted, told) if getattr(found, field) != getattr(expected, field)
        ]
        same += not wrong
        differ += [f"{name}: {sorted(set(wrong))}"] if wrong else []
    return same, refused, differ


def speed(machine: Machine, sessions: int, **asked: Any) -> dict[str, Any]:
    """The median of five runs after one that warms up."""
    runs = [simulate(machine, sessions=sessions, seed=7, backend="gpu", watch=16, **asked) for _ in range(RUNS + 1)]
    rates = [sample.rolls_per_second for sample in runs[1:]]
    return {
        "rolls_per_second": round(statistics.median(rates)),
        "least": round(min(rates)),
        "most": round(max(rates)),
        "backend": runs[0].backend,
        "rolls": runs[0].rolls,
    }


def whole(path: Path) -> float:
    """Seconds that 10^12 rolls take as a command of their own, from its start to its end."""
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1] / 'src')!r})\n"
        "from pathlib import Path\nfrom passline.machine.machine import Machine\nfrom passline.sim import simulate\n"
        f"machine = Machine.load(Path({str(path)!r}))\n"
        "sample = simulate(machine, sessions=5_000_000_000, rolls=200, seed=7, backend='gpu')\n"
        "assert sample.rolls == 10**12 and sample.backend == 'gpu', sample"
    )
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - begin


def roll(folder: Path, out: Path) -> int:
    """Compare, measure, record."""
    import cupy

    card = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    account: dict[str, Any] = {"card": card, "python": platform.python_version(), "rolls_a_session": ROLLS, "speed": {}}

    def keep() -> None:
        out.write_text(json.dumps(account, indent=1) + "\n", encoding="utf-8")

    named = {path.stem: path for path in sorted(folder.glob("*.npz"))}
    for name in (*MEASURED, LARGE):
        machine = Machine.load(named[f"strip.{name}"])
        bank = 20 * int(machine.need.max()) * machine.grain
        many = 1_000_000_000 if name != LARGE else 50_000_000
        account["speed"][name] = {
            "states": machine.states,
            "free": speed(machine, many, rolls=ROLLS),
            "face": speed(machine, many, rolls=ROLLS, at_end="face"),
            "rolls_200": speed(machine, many, rolls=200),
            "bankroll": speed(machine, many // 10, rolls=ROLLS, bankroll=bank),
        }
        print(name, json.dumps(account["speed"][name]), flush=True)
        keep()
    times = [whole(named[f"strip.{MEASURED[1]}"]) for _ in range(RUNS)]
    account["whole_command_s"] = {"median": round(statistics.median(times), 2), "first": round(times[0], 2)}
    print("10^12 rolls as a whole command", account["whole_command_s"], flush=True)
    keep()
    same, refused, differ, begin = 0, 0, {}, time.perf_counter()
    compare(named[f"strip.{MEASURED[0]}"])  # compiles the processor's kernels once
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        for name, (agreed, no, wrong) in zip(named, pool.map(compare, named.values()), strict=True):
            same, refused = same + agreed, refused + no
            if wrong:
                differ[name] = wrong
                print("DIFFER", name, wrong, flush=True)
    account["compared"] = {
        "machines": len(named),
        "games_alike": same,
        "games_refused": refused,
        "differ": differ,
        "sessions_each": SESSIONS_COMPARED,
        "seconds": round(time.perf_counter() - begin),
    }
    print(account["compared"])
    keep()
    quick = all(account["speed"][name]["free"]["rolls_per_second"] >= AIM for name in MEASURED)
    return 0 if quick and not differ and account["whole_command_s"]["median"] < WHOLE_S else 1


def main() -> int:
    """Build here, or roll there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("build", "roll"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    if asked.what == "build":
        asked.folder.mkdir(parents=True, exist_ok=True)
        build(asked.folder)
        return 0
    return roll(asked.folder, asked.out)


if __name__ == "__main__":
    raise SystemExit(main())
