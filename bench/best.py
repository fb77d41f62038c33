"""Best play measured: `python bench/best.py double|rolls|paths|envs [SIZE]`, recorded in bench/results or in --out DIR.

`double`: the best chance to double SIZE units in each house by wager set, beside the best strategy of the library.
`rolls`: policies of three houses rolled SIZE times. `paths`: SIZE sessions of a plain loop in C beside the exact
distributions. `envs`: steps a second of the environments. The solver's speed is in `best_gpu.py`.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
import os
import platform
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.best_gpu import compiled
from passline import ask, best_play
from passline.analysis.question import Question
from passline.errors import PasslineError
from passline.house import House
from passline.strategies.language.read import built_in

SETS = (
    ("pass",),
    ("pass", "pass_odds"),
    ("dont_pass",),
    ("dont_pass", "dont_pass_odds"),
    ("place_6",),
    ("field",),
    ("hard_6",),
    ("any_seven",),
    ("craps_12",),
)
SESSIONS = 20_000
NEAR = 0.015  # of strategies that rolled so near the best one the exact chances decide
STATES = 5_000
RESULTS = Path(__file__).parent / "results"


def double(units: int, out: Path) -> None:
    """Every house and wager set, and the whole library in every house; the rows go to double.json as they are known."""
    houses, rows, played = [house.id for house in House.all()], [], 0
    order = {wagers: place for place, wagers in enumerate(map(",".join, SETS))}

    def add(row: dict[str, Any]) -> None:
        rows.append(row)
        rows.sort(key=lambda row: (row["house"], order.get(row.get("wagers", ""), len(order))))
        account = {"units": units, "strategies": len(built_in()), "played": played, "rows": rows}
        (out / "double.json").write_text(json.dumps(account, indent=1) + "\n", encoding="utf-8")
        print(json.dumps(row), flush=True)

    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for each in as_completed([pool.submit(optimum, house, set_, units) for set_ in SETS for house in houses]):
            add(each.result())
        for house in houses:
            answers = pool.map(library, repeat(house), built_in(), repeat(units))
            known = [row for row in answers if row]
            played += len(known)
            most = max((row["chance"] for row in known), default=0)
            near = [row for row in known if row["chance"] >= most - NEAR]
            if near:
                add(max(pool.map(exactly, near, repeat(units)), key=lambda row: row["chance"]))


def optimum(house: str, wagers: tuple[str, ...], units: int) -> dict[str, Any]:
    row: dict[str, Any] = {"house": house, "wagers": ",".join(wagers)}
    began = time.process_time()
    try:
        answer = best_play(house, wagers, bankroll=units, goal=2 * units, exact=False)
    except PasslineError as error:
        return {**row, "refused": str(error)}
    spent = round(time.process_time() - began, 1)
    game = answer.optimum.game
    return {
        **row, "chance": float(answer.value), "bound": answer.optimum.error_bound, "positions": len(game.positions),
        "states": game.states, "seconds": spent,
    }  # fmt: skip


def units_of(units: int) -> tuple[int, ...]:
    return max(1, units // 20), units // 10, units // 4, units


def doubling(house: str, name: str, unit: int, units: int) -> Question:
    terms: dict[str, Any] = {"rolls": 2000, "at_end": "face", "bankroll": units, "stop_win": units}
    return ask(name, house=house, unit=unit, max_bet=2 * units, **terms)


def library(house: str, name: str, units: int) -> dict[str, Any] | None:
    """A strategy of the library with the unit, of a few, that doubles most often on the same dice."""
    rows: list[dict[str, Any]] = []
    for unit in units_of(units):
        try:
            question = doubling(house, name, unit, units)
            question.machine(states_max=STATES)  # those without one would take hours
            sample = question.simulate(sessions=SESSIONS, seed=24, backend="numba", watch=1, threads=1)
        except PasslineError:
            continue
        share = sum(n for net, n in sample.net if net >= units) / SESSIONS
        rows.append({"house": house, "strategy": name, "unit": unit, "chance": share, "sessions": SESSIONS})
    return max(rows, key=lambda row: row["chance"], default=None)


def exactly(row: dict[str, Any], units: int) -> dict[str, Any]:
    """The exact chance of a row that was rolled, where it can be had."""
    try:
        law = doubling(row["house"], row["strategy"], row["unit"], units).exact(fractions=False)
    except PasslineError:
        return row
    return {**row, "chance": float(law.p_at_least(units)), "sessions": None}


def rolls(size: int, out: Path) -> None:
    rows: list[dict[str, Any]] = []
    for house, wagers in (("strip", "pass,pass_odds"), ("sydney", "dont_pass,field"), ("adelaide", "place_6,place_8")):
        answer = best_play(house, wagers, bankroll=10, goal=20)
        each = answer.sample(10_000, seed=1).rolls / 10_000
        sample = answer.sample(int(size / each) + 1, seed=20261118)
        share, value = sum(n for net, n in sample.net if net >= 10) / sample.sessions, float(answer.value)
        rows.append({
            "house": house, "wagers": wagers, "value": value, "share": share, "sessions": sample.sessions,
            "rolls": sample.rolls, "backend": sample.backend,
            "standard_errors": round((share - value) / math.sqrt(value * (1 - value) / sample.sessions), 2),
        })  # fmt: skip
        print(json.dumps(rows[-1]), flush=True)
    record(out, "rolls", rows)


def paths(size: int, out: Path) -> None:
    """Pass with one unit, 100 rolls, bankroll 15, goal 15: sessions of a plain loop in C, beside the distributions."""
    import numpy as np

    exact = ask("pass_flat", house="strip", unit=1, rolls=100, bankroll=15, stop_win=15).paths()
    tallies = np.zeros((4, 128), dtype=np.int64)
    ends = np.zeros((2, 128), dtype=np.int64)
    began = time.process_time()
    compiled().sessions(
        ctypes.c_int64(size), ctypes.c_uint64(20261118), ctypes.c_int64(100), ctypes.c_int64(15), ctypes.c_int64(15),
        ctypes.c_void_p(tallies.ctypes.data), ctypes.c_void_p(ends.ctypes.data),
    )  # fmt: skip
    spent = time.process_time() - began
    counted: list[tuple[str, int, float]] = []
    named = {"peak": exact.peak, "drawdown": exact.drawdown, "losing run": exact.losing_run}
    for place, (name, path) in enumerate({**named, "under water": exact.under_water}.items()):
        assert path is not None
        for level, chance in list(zip(path.levels, path.at_least, strict=True))[1:]:
            counted.append((name, int(tallies[place, int(level) :].sum()), float(chance)))
    for place, (name, law) in enumerate({"ruin": exact.ruin_by_roll, "goal": exact.goal_by_roll}.items()):
        counted += [(name, int(ends[place, at + place]), float(chance)) for at, chance in enumerate(law)]
    rows: dict[str, dict[str, float]] = {}
    for name, count, chance in counted:
        if chance * size > 25:
            off = abs(count - chance * size) / math.sqrt(chance * size * (1 - chance))
            row = rows.setdefault(name, {"chances": 0, "farthest_standard_errors": 0.0})
            row["chances"] += 1
            row["farthest_standard_errors"] = round(max(row["farthest_standard_errors"], off), 2)
    record(out, "paths", {"sessions": size, "seconds_in_c": round(spent), "laws": rows})


def envs(size: int, out: Path) -> None:
    """Steps a second: SIZE players by lookup, and eight by Gymnasium's own vector environments of the engine's."""
    import numpy as np
    from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv, VectorEnv

    from passline.envs import CrapsEnv, CrapsVectorEnv

    def steps(env: VectorEnv[Any, Any, Any], seconds: float = 5.0) -> float:
        random, done = np.random.default_rng(1), 0
        _, info = env.reset(seed=1)
        began = time.perf_counter()
        while time.perf_counter() - began < seconds:
            mask = np.stack(list(info["action_mask"]))
            _, _, _, _, info = env.step((mask * random.random(mask.shape)).argmax(axis=1))
            done += env.num_envs
        env.close()
        return done / (time.perf_counter() - began)

    rates = {
        f"by lookup, {size} players": steps(CrapsVectorEnv(size)),
        "SyncVectorEnv of 8 CrapsEnv": steps(SyncVectorEnv([CrapsEnv] * 8)),
        "AsyncVectorEnv of 8 CrapsEnv": steps(AsyncVectorEnv([CrapsEnv] * 8)),
    }
    record(out, "envs", {name: round(rate) for name, rate in rates.items()})


def record(out: Path, name: str, measured: object) -> None:
    """Put what was measured into best.json, beside what other runs did."""
    path = out / "best.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    account = {**before, name: {"python": platform.python_version(), "cores": os.cpu_count(), "measured": measured}}
    path.write_text(json.dumps(account, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(measured), flush=True)


RUN: dict[str, tuple[Callable[[int, Path], None], int]] = {
    "double": (double, 100),
    "rolls": (rolls, 10**9),
    "paths": (paths, 10**8),
    "envs": (envs, 1024),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=RUN)
    parser.add_argument("size", type=int, nargs="?")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    run, usual = RUN[arguments.what]
    run(arguments.size or usual, arguments.out)


if __name__ == "__main__":
    main()
