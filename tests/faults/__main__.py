"""The fault gates at the size of a night: `scripts/campaign faults`, or `--gate NAME` for one of them.

What each exercised goes to `bench/results/faults.json`; a gate that fails, or tries too little, ends the run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from passline.journal.memory import MemoryJournal
from tests.faults import (
    test_backup,
    test_books,
    test_clocks,
    test_hands,
    test_interrupted,
    test_io_errors,
    test_kills,
    test_postgres,
    test_power,
    test_races,
    test_replay,
    test_simulation,
)
from tests.faults.conftest import in_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.faults.tally import Tally

RESULTS = Path(__file__).parents[2] / "bench" / "results" / "faults.json"

Gate = tuple["Callable[[Path, int, int], Tally]", int, dict[str, int]]
"""The gate by folder, size and seed; its size for a night; and the least that it must have tried, by that size."""

GATES: dict[str, Gate] = {
    "power": (test_power.power, 5_000, {"cuts": 1}),
    "io-errors": (lambda at, size, seed: test_io_errors.io_errors(at, seed, acts=size), 8, {"faults": 80}),
    "kills": (test_kills.kills, 500, {"kills": 1}),
    "retries": (lambda _, size, seed: test_races.retries(MemoryJournal(), size, seed), 250_000, {"commands": 1}),
    "double-spends": (
        lambda _, size, seed: test_races.double_spends(MemoryJournal(), size, seed),
        50_000,
        {"rounds": 1},
    ),
    "shots": (
        lambda _, size, seed: test_races.shots_at_the_close(MemoryJournal(), size, seed),
        1_000_000,
        {"shots": 1},
    ),
    "books": (lambda _, size, seed: test_books.books(MemoryJournal(), size, seed), 500_000, {"commands": 1}),
    "simulation": (lambda _, size, seed: test_simulation.simulation(seed, size), 20_000, {"seeds": 1}),
    "interrupted": (lambda at, _, __: test_interrupted.interruptions(at), 1, {"points": 20}),
    "connections": (lambda _, size, seed: test_postgres.cuts(size, seed), 2_000, {"cuts": 1}),
    "two-processes": (test_postgres.two_processes, 600, {"rolls": 1}),
    "replay": (test_replay.replay, 1_000_000, {"events": 1}),
    "opening": (test_replay.opening, 1_000_000, {"events": 1}),
    "asleep": (lambda _, size, seed: test_postgres.asleep(float(size), seed), 10, {}),
    "clocks": (lambda _, size, seed: test_clocks.clocks(size, seed), 20_000, {"acts": 2}),
    "soak": (
        lambda _, size, seed: test_clocks.soak(size, seed, rolls_a_day=1_000),
        1_000,
        {"epochs": 1},
    ),
    "hands-sqlite": (lambda at, _, seed: test_hands.kills(at, 0, seed, "sqlite"), 1, {"kills": 15}),
    "hands-postgres": (lambda at, _, seed: test_hands.kills(at, 0, seed, "postgres"), 1, {"kills": 15}),
    "hands-two-processes": (
        lambda at, _, seed: test_hands.kills(at, 0, seed, "postgres", beside=True),
        1,
        {"points": 40, "kills": 8},
    ),
    "hands-post": (lambda at, size, seed: test_hands.post(at, size, seed, "postgres"), 2_000, {}),
    "backups": (test_backup.backups, 100, {"backups": 1}),
}


def main() -> int:
    """Run the gates one after the other, telling what each did."""
    parser = argparse.ArgumentParser(prog="scripts/campaign faults", description=__doc__)
    parser.add_argument("--gate", action="append", choices=GATES, help="only this one, or these; all unless told")
    parser.add_argument("--size", type=int, metavar="N", help="instead of the size of a night")
    parser.add_argument("--seed", type=int, help="a number; a new one unless told")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if options.seed is None else options.seed
    fell_short = False
    for name in options.gate or GATES:
        gate, night, floors = GATES[name]
        size = options.size or night
        print(f"{name}: size {size:,}, seed {seed}", flush=True)  # noqa: T201
        with tempfile.TemporaryDirectory(prefix="passline-", dir=in_memory()) as folder:
            begun = time.monotonic()
            tally = gate(Path(folder), size, seed)
            took = time.monotonic() - begun
        print(f"  {tally}; {took:,.0f} s", flush=True)  # noqa: T201
        tally.least(**{what: each * size for what, each in floors.items()})
        keep(name, tally, took, size, night)
        for difference in tally.found:
            print(difference, flush=True)  # noqa: T201
        fell_short |= bool(tally.found)
    return int(fell_short)


def keep(name: str, tally: Tally, took: float, size: int, night: int) -> None:
    """Write down what a gate did; one that failed never comes here."""
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    measured = {what: round(value, 4) for what, value in tally.measured.items()}
    sizes = {"seed": tally.seed, "asked": size, "a_night_asks": night}
    kept[name] = {**sizes, **tally.counts, **measured, "seconds": round(took), "load": round(os.getloadavg()[1], 1)}
    RESULTS.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
