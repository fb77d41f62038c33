"""Identical sums, bit for bit, from every backend: every library strategy in every house, one seed.

Run with `scripts/campaign backends`; results go to bench/results/backends.json: how many games each backend rolled, and
which did not come to the sums of NumPy, which the tests hold to a loop plain enough to believe. It fails where one
differs, and where a backend that is here rolled fewer games than its floor. What is not here (a GPU, Dask) is said. A
GPU's machine often has nothing but NumPy, Numba and CuPy, so machines can be built where Passline is whole:

    bench/backends.py --build DIR      # builds and saves the machines
    bench/backends.py --machines DIR --parts machines   # rolls them there, where no house can be opened

A run records the backends that it rolled, beside those that another run did.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import fields
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise, repeat
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
from passline.errors import DeviceError, PasslineError
from passline.machine.dice import dice_of
from passline.machine.machine import Machine
from passline.machine.terms import Seating, Terms
from passline.sim import game_of
from passline.sim.backends import Part, choose
from passline.sim.backends.pack import TOGETHER
from passline.sim.backends.vector import NumpyBackend
from passline.sim.run import cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passline.sim.backends import Backend
    from passline.sim.game import Game

RESULTS = Path(__file__).parent / "results" / "backends.json"
STATES_MAX = 20_000
SEED, FIRST = 7, 5
SESSIONS_ENGINE = 4
HALT = np.zeros(1, dtype=np.uint8)
FLOORS = {"engine": 250, "gpu": 1000, "dask": 300, **{f"numba {together}": 1000 for together in TOGETHER}}
"""The fewest games that a backend must have rolled, where it is here and every machine is."""


def build(folder: Path) -> None:
    """Save the machine of every library strategy in every house that has one of a moderate size."""
    from passline.rulebooks.read import built_in as houses
    from passline.strategies.language.read import built_in

    folder.mkdir(parents=True, exist_ok=True)
    wanted = [(house, name) for house in houses() for name in built_in()]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        refusals = [each for each in pool.map(build_one, *zip(*wanted, strict=True), repeat(folder)) if each]
    print("\n".join([*refusals, f"{len(wanted) - len(refusals)} machines"]), flush=True)


def build_one(house: str, name: str, folder: Path) -> str | None:
    """Save one machine, or say why there is none."""
    from passline.house import House
    from passline.machine.store import machine_for
    from passline.strategies.language.read import load

    try:
        machine = machine_for(load(name), Seating(House(house), 10, max_bet=250), states_max=STATES_MAX)
    except PasslineError as error:
        return f"{house} {name}: {error}"
    machine.save(folder / f"{house}.{name}.npz")
    return None


def rules(machine: Machine) -> dict[str, dict[str, Any]]:
    """What may end a session, and the dice, as arguments."""
    bank = 10 * int(machine.need.max()) * machine.minor_unit or 1
    return {
        "free": {"rolls": 203},
        "face": {"rolls": 96, "at_end": "face"},
        "bankroll": {"rolls": 203, "bankroll": bank},
        "all": {"rolls": 203, "bankroll": bank, "stop_win": bank / 4, "stop_loss": bank / 2, "hands": 7},
        "loaded": {"rolls": 61, "dice": dice_of("srr=6.5")},
        "loaded, bankroll": {"rolls": 61, "bankroll": bank, "dice": dice_of("2,1,1,1,1,3")},
    }


@cache
def rollers() -> tuple[dict[str, Backend], dict[str, str]]:
    """The backends of this process that look machines up, and why others are not here."""
    found: dict[str, Backend] = {}
    absent: dict[str, str] = {}
    try:
        from passline.sim.backends.vector import NumbaBackend
    except ImportError as error:
        absent["numba"] = str(error)
    else:
        found |= {f"numba {together}": NumbaBackend(together) for together in TOGETHER}
    try:
        found["gpu"] = choose("gpu", game_of(_tiny(), Terms(1)))
    except DeviceError as error:
        absent["gpu"] = str(error)
    return found, absent


def _tiny() -> Machine:
    """A machine on which nothing happens."""
    none = np.zeros((1, 1), dtype=np.int64)
    return Machine(
        column=np.zeros(36, dtype=np.uint8),
        next=none.astype(np.int32),
        net=none,
        need=none[0],
        action=none,
        hand_ends=none.astype(np.bool_),
    )


def games(path: Path) -> Iterator[tuple[str, Game]]:
    """Every game that can be asked of a machine."""
    machine = Machine.load(path)
    for rule, asked in rules(machine).items():
        with suppress(PasslineError):
            yield rule, game_of(machine, Terms(**asked), SEED)


def compare(path: Path, count: int) -> tuple[dict[str, Counter[str]], list[str]]:
    """Roll the same sessions of a machine on every backend of this process."""
    found, _ = rollers()
    tally: dict[str, Counter[str]] = {name: Counter() for name in found}
    differ = []
    for rule, game in games(path):
        expected = NumpyBackend().play(game, FIRST, count, HALT)
        for name, backend in found.items():
            try:
                backend.warm(game)
                wrong = unlike(backend.play(game, FIRST, count, HALT), expected)
                wrong += unlike(Part.of(backend.rows(game, FIRST, count, HALT)), expected)
            except DeviceError:
                tally[name]["refused"] += 1
                continue
            tally[name].update(games=1, sessions=count, rolls=expected.rolls)
            if wrong:
                differ.append(f"{name}, {path.stem}, {rule}: {', '.join(wrong)}")
    return tally, differ


def on_a_cluster(named: dict[str, Path], count: int) -> tuple[Counter[str], list[str]]:
    """One game of each machine on two workers of Dask's, in three pieces, each wherever there is room."""
    distributed: Any = import_module("distributed")
    tally, differ = Counter[str](), []
    with distributed.LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=None) as local:
        for turn, (name, path) in enumerate(named.items()):
            every = list(games(path))
            rule, game = every[turn % len(every)]
            cuts = [FIRST, FIRST + count // 3, FIRST + count // 2, FIRST + count]
            with cluster(game, local.scheduler_address, None) as places:
                pieces = [places.submit("play", at, end - at) for at, end in pairwise(cuts)]
                whole = Part.sum([piece.result() for piece in pieces])
            expected = NumpyBackend().play(game, FIRST, count, HALT)
            tally.update(games=1, sessions=count, rolls=expected.rolls)
            if wrong := unlike(whole, expected):
                differ.append(f"dask, {name}, {rule}: {', '.join(wrong)}")
    return tally, differ


def unlike(one: Part, other: Part) -> list[str]:
    """The sums and histograms that are not the same."""
    return [each.name for each in fields(Part) if getattr(one, each.name) != getattr(other, each.name)]


def by_the_engine(name: str, sessions: int) -> tuple[Counter[str], list[str]]:
    """The rules themselves, roll by roll, on fewer and shorter sessions, against NumPy and Numba."""
    from passline import ask

    tally, differ = Counter[str](), []
    house, strategy = name.split(".")
    for asked in ({"rolls": 40}, {"rolls": 40, "bankroll": 5000, "stop_win": 200, "dice": "srr=6.5"}):
        try:
            question = ask(strategy, house=house, unit=10, max_bet=250, **asked)
            played = question.simulate(sessions=sessions, seed=SEED, backend="engine")
        except PasslineError as error:
            tally["refused"] += 1
            print(f"{name}: {error}", flush=True)
            continue
        tally.update(games=1, sessions=sessions, rolls=played.rolls)
        others = {each: question.simulate(sessions=sessions, seed=SEED, backend=each) for each in ("numpy", "numba")}
        unlike_it = [each for each, found in others.items() if found.fingerprint() != played.fingerprint()]
        differ += [f"engine and {each}, {name}, {asked}" for each in unlike_it]
    return tally, differ


class Account:
    """What was rolled, and what differed."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.tally: dict[str, Counter[str]] = {}
        self.differ: list[str] = []
        self._began = time.perf_counter()

    def take(self, name: str, counts: Counter[str], wrong: list[str]) -> None:
        """Take what a backend did."""
        self.tally.setdefault(name, Counter()).update(counts)
        self.differ += wrong
        for each in wrong:
            print("DIFFERS", each, flush=True)

    def told(self, **more: Any) -> dict[str, dict[str, Any]]:
        """What each backend did, as JSON values."""
        where = {"python": platform.python_version(), "seed": SEED, "against": "numpy", **more}
        return {
            name: {
                **counts,
                "differ": [each for each in self.differ if each.startswith(name)],
                "floor": FLOORS[name],
                "seconds_of_the_run": round(time.perf_counter() - self._began),
                **where,
            }
            for name, counts in self.tally.items()
        }


def rolled(named: dict[str, Path], asked: argparse.Namespace) -> Account:
    """Every machine on every backend that is asked for."""
    account = Account()
    with ProcessPoolExecutor(asked.processes, mp_context=get_context("spawn")) as pool:
        for counted, wrong in pool.map(
            compare, named.values() if "machines" in asked.parts else (), repeat(asked.count)
        ):
            for name, counts in counted.items():
                account.take(name, counts, [each for each in wrong if each.startswith(f"{name},")])
        for counts, wrong in pool.map(by_the_engine, named if "engine" in asked.parts else (), repeat(SESSIONS_ENGINE)):
            account.take("engine", counts, wrong)
    if "dask" in asked.parts and find_spec("distributed") is not None:
        account.take("dask", *on_a_cluster(named, asked.count))
    return account


def main() -> int:
    """Build, roll, compare, record; exit 1 where anything differs or too little was rolled."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, metavar="DIR", help="save the machines there, and roll nothing")
    parser.add_argument("--machines", type=Path, metavar="DIR", help="roll the machines saved there")
    parser.add_argument("--parts", default="machines,engine,dask", help="numba and gpu are machines")
    parser.add_argument("--only", default="", help="machines whose name has this in it; nothing is recorded")
    parser.add_argument("--count", type=int, default=400, help="sessions of a game")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    if asked.build:
        build(asked.build)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        if asked.machines is None:
            build(Path(folder))
        kept = sorted((asked.machines or Path(folder)).glob("*.npz"))
        named = {path.stem: path for path in kept if asked.only in path.stem}
        told = rolled(named, asked).told(machines=len(named))
    for name, why in rollers()[1].items():
        print(f"{name} is not here: {why}")
    for name, found in told.items():
        print(name, json.dumps(found), flush=True)
    short = [name for name, found in told.items() if found.get("games", 0) < found["floor"]]
    if not asked.only:
        before = json.loads(asked.out.read_text(encoding="utf-8")) if asked.out.exists() else {}
        asked.out.write_text(json.dumps({**before, **told}, indent=1) + "\n", encoding="utf-8")
        print("\n".join(f"{name} rolled fewer games than its floor" for name in short))
    return 1 if any(found["differ"] for found in told.values()) or (short and not asked.only) else 0


if __name__ == "__main__":
    raise SystemExit(main())
