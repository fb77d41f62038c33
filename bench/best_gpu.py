"""Value iteration on one core, in a plain loop in C and on a GPU: `python bench/best_gpu.py [GOAL …] [--out FILE]`.

The game is pass and its odds on the Strip, laid out below without the engine, because machines with a GPU seldom have
what reads a house file: NumPy, Numba, CuPy and gcc are enough. Where Passline is whole, the smallest game is also
searched with the engine, and must be the same. All ways must agree to 1e-12. Prints choices a second (every choice of
every state looked at once is a sweep), writes bench/results/best_gpu.json, and exits with 1 where something differs.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
from passline.odds.best import gpu
from passline.odds.best.gpu import Tables
from passline.odds.best.kernels import CLOSE, Device, improve, iterate

RESULTS = Path(__file__).parent / "results" / "best_gpu.json"
PLAIN = Path(__file__).with_name("best_plain.c")
GOALS = (80, 200, 400, 1000, 2000, 3000)
PLAIN_MAX = 400
"""Beyond this goal the loop in C is left out, and beyond `CORE_MAX` one core too: they would take minutes."""
CORE_MAX = 1000
CHOICES = 400_000_000
"""About so many are looked at in one run."""
AGREE = 1e-12
POINTS = {4: (3, 3, 2, 1), 5: (4, 4, 3, 2), 6: (5, 5, 6, 5), 8: (5, 5, 6, 5), 9: (4, 4, 3, 2), 10: (3, 3, 2, 1)}
"""For each point the throws that make it, the odds allowed (times the flat bet), and their pays: so much to so much."""


def plain_tables(goal: int) -> Tables:
    """Pass and odds on the Strip: group 0 is the come-out, each point has a group for every flat bet."""
    flat = np.arange(goal)
    most = {point: np.minimum(times * flat, goal - 1 - flat) + 1 for point, (_, times, _, _) in POINTS.items()}
    first = np.concatenate([[0], np.cumsum(np.concatenate([[goal], *most.values()]))])
    group_of = {point: 1 + place * goal for place, point in enumerate(POINTS)}
    # The come-out: a natural, craps, or a point, which leaves the bet where it is.
    weights, gains = [8, 4, *(ways for ways, *_ in POINTS.values())], np.zeros((goal, 8), np.int64)
    gains[:, 0], gains[:, 1] = flat, -flat
    to = np.zeros((goal, 8), np.int64)
    for column, start in enumerate(group_of.values(), start=2):
        to[:, column] = start + flat
    out_counts, weight = [np.full(goal, 8)], [np.tile(np.array(weights) / 36, goal)]
    gain, group = [gains.ravel()], [to.ravel()]
    stakes = [flat]
    for point, (ways, _, pays, for_) in POINTS.items():
        bets = np.repeat(flat, most[point])
        odds = np.arange(len(bets)) - np.repeat(np.cumsum(most[point]) - most[point], most[point])
        stakes.append(bets + odds)
        out_counts.append(np.full(len(bets), 2))
        weight.append(np.tile(np.array([ways, 6]) / (ways + 6), len(bets)))
        gain.append(np.stack([bets + odds * pays // for_, -bets - odds], axis=1).ravel())
        group.append(np.zeros(2 * len(bets), np.int64))
    every = np.concatenate(stakes)
    groups = 1 + len(POINTS) * goal
    onward = [group for start in group_of.values() for group in range(start + 1, start + goal)]  # a put adds a unit
    has_onward = np.array([0, *([1] * (goal - 1) + [0]) * len(POINTS)])
    return Tables(
        first=first,
        position=np.arange(len(every)),
        stakes=every,
        skipped=np.zeros(len(every), np.bool_),
        reward=np.zeros(len(every)),
        out=np.concatenate([[0], np.cumsum(np.concatenate(out_counts))]),
        weight=np.concatenate(weight),
        gain=np.concatenate(gain),
        group=np.concatenate(group),
        onward_first=np.concatenate([[0], np.cumsum(has_onward)]),
        onward=np.array(onward),
        limit=goal + np.concatenate([[0], np.tile(flat, len(POINTS))])[:groups],
    )


def engine_value(goal: int) -> float | None:
    """The same from the engine's own search, where house files can be read."""
    try:
        from passline.analysis.best import best_play
    except ImportError:
        return None
    return float(best_play("strip", "pass,pass_odds", bankroll=goal // 2, goal=goal, exact=False).value)


def compiled() -> ctypes.CDLL:
    """The plain loops in C, as the compiler makes them quickest."""
    out = Path(tempfile.mkdtemp()) / "plain.so"
    subprocess.run(["gcc", "-O3", "-march=native", "-shared", "-fPIC", str(PLAIN), "-o", str(out), "-lm"], check=True)
    return ctypes.CDLL(str(out))


def opening(tables: Tables) -> Any:
    return np.where(np.arange(tables.limit.max() + 1) >= tables.limit[:, None], 1.0, 0.0)


def choices_of(tables: Tables) -> int:
    """What one sweep looks at."""
    limits = np.repeat(tables.limit, np.diff(tables.first))
    return int(np.maximum(0, limits - np.maximum(1, tables.stakes)).sum())


def plain_sweeps(tables: Tables) -> tuple[Any, Callable[[], object]]:
    values, lib = opening(tables), compiled()
    chosen = np.full(values.shape, -1, dtype=np.int64)
    flat = (tables.first, tables.stakes, tables.out, tables.weight, tables.gain, tables.group)
    arrays = (values, chosen, *flat, tables.onward_first, tables.onward, tables.limit)
    sizes = ctypes.c_int64(len(tables.limit)), ctypes.c_int64(values.shape[1])
    return values, lambda: lib.sweep(*(ctypes.c_void_p(each.ctypes.data) for each in arrays), *sizes)


def core_sweeps(tables: Tables) -> Callable[[], object]:
    values = opening(tables)
    chosen = np.full(values.shape, -1, dtype=np.int64)
    return lambda: improve(values, values, chosen, tables, CLOSE, False)  # noqa: FBT003 - Numba has no keywords


def gpu_sweeps(tables: Tables) -> Callable[[], object]:
    values = opening(tables)
    sweeps = gpu.Sweeps(tables, values.shape[1])
    there, chosen = sweeps.cupy.asarray(values), sweeps.cupy.full(values.shape, -1, dtype=np.int32)
    return lambda: sweeps.improve(there, chosen, CLOSE)


def rate(sweep: Callable[[], object], choices: int, wait: Callable[[], object] = lambda: None) -> float:
    """Choices a second: the best of three runs, after one that warms up."""
    sweep()
    wait()
    times, sweeps = [], max(2, CHOICES // choices)
    for _ in range(3):
        began = time.perf_counter()
        for _ in range(sweeps):
            sweep()
        wait()
        times.append(time.perf_counter() - began)
    return choices * sweeps / min(times)


def measured(goal: int) -> dict[str, Any]:
    tables = plain_tables(goal)
    choices, start = choices_of(tables), opening(tables)
    states = int((tables.limit - 1).sum())
    row: dict[str, Any] = {"goal": goal, "positions": len(tables.stakes), "states": states, "choices": choices}
    answers: dict[Device, Any] = {}
    if goal <= PLAIN_MAX:
        plain, sweep = plain_sweeps(tables)
        row["plain_c"] = round(rate(sweep, choices))
        if goal == GOALS[0]:
            for _ in range(2000):
                sweep()
            row["plain_value"] = plain[0, goal // 2]
    if goal <= CORE_MAX:
        row["core"] = round(rate(core_sweeps(tables), choices))
    if gpu.available():
        import cupy

        row["card"] = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        row["gpu"] = round(rate(gpu_sweeps(tables), choices, cupy.cuda.Device().synchronize))
    devices: dict[Device, bool] = {"cpu": goal <= CORE_MAX, "gpu": "gpu" in row}
    for device in (each for each, wanted in devices.items() if wanted):
        began = time.perf_counter()
        values, chosen, sweeps = iterate(tables, start, device=device)
        answers[device] = values, chosen
        row[f"{device}_s"], row[f"{device}_sweeps"] = round(time.perf_counter() - began, 2), sweeps
        row[f"{device}_value"] = values[0, goal // 2]
    if len(answers) == 2:
        row["values_differ"] = float(np.abs(answers["cpu"][0] - answers["gpu"][0]).max())
        row["choices_differ"] = int((answers["cpu"][1] != answers["gpu"][1]).sum())
    if goal == GOALS[0]:
        row["engine_value"] = engine_value(goal)
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("goals", type=int, nargs="*", default=GOALS)
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    rows = []
    for goal in arguments.goals:
        rows.append(row := measured(goal))
        named = " · ".join(f"{name} {row[name] / 1e6:,.0f}" for name in ("plain_c", "core", "gpu") if name in row)
        print(json.dumps(row), f"million choices a second: {named}", sep="\n", flush=True)
        account = {"python": platform.python_version(), "rows": rows}
        arguments.out.write_text(json.dumps(account, indent=1) + "\n", encoding="utf-8")
    values = [[value for name, value in row.items() if name.endswith("_value") and value] for row in rows]
    differ = [max(max(each) - min(each), row.get("values_differ", 0.0)) for each, row in zip(values, rows, strict=True)]
    return 1 if max(differ) > AGREE else 0


if __name__ == "__main__":
    raise SystemExit(main())
