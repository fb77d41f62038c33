"""Rolls a second on a GPU: medians of five after a warm-up. That it rolls the same sessions is shown by `backends.py`.

GPU machines often have nothing but NumPy and CuPy, so machines are built where Passline is whole and rolled elsewhere:

    bench/backends.py --build DIR   # builds every library strategy in every house and saves the machines (and copies)
    bench/gpu.py DIR                # measures; results go to bench/results/gpu.json, or to --out FILE
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
from passline.machine.machine import Machine
from passline.machine.terms import Terms
from passline.sim import simulate

RESULTS = Path(__file__).parent / "results" / "gpu.json"
MEASURED = ("pass_flat", "three_point_molly")
LARGE = "labouchere_dont_pass"
AIM = 1.8e12
WHOLE_S = 5.0
ROLLS = 1200
RUNS = 5


def speed(machine: Machine, sessions: int, **asked: Any) -> dict[str, Any]:
    """The median of five runs after one that warms up."""
    how: dict[str, Any] = {"sessions": sessions, "seed": 7, "backend": "gpu", "watch": 16}
    runs = [simulate(machine, Terms(**asked), **how) for _ in range(RUNS + 1)]
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
        "from pathlib import Path\nfrom passline.machine.machine import Machine\n"
        "from passline.machine.terms import Terms\nfrom passline.sim import simulate\n"
        f"machine = Machine.load(Path({str(path)!r}))\n"
        "sample = simulate(machine, Terms(200), sessions=5_000_000_000, seed=7, backend='gpu')\n"
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
        bank = 20 * int(machine.need.max()) * machine.minor_unit
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
    quick = all(account["speed"][name]["free"]["rolls_per_second"] >= AIM for name in MEASURED)
    return 0 if quick and account["whole_command_s"]["median"] < WHOLE_S else 1


def main() -> int:
    """Roll machines that were built elsewhere."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    return roll(asked.folder, asked.out)


if __name__ == "__main__":
    raise SystemExit(main())
