"""Simulated rolls a second, beside crapssim 0.4.1 and beside C, in the same run.

Run with `scripts/bench sim`. Contenders take turns, and the figures that count are ratios of each one's best round, for
timings on a shared machine are noise. The C loops are compiled here when there is a compiler:

- *C, same dice* deals our Philox dice over the same table and must come to the same total; it is tried with 4, 8 and 16
  interleaved sessions, looking entries up as the yardstick does and adding differences as our kernel does, and the best
  of the six is the bar.
- *C, bare* is the yardstick itself: the lookup loop on splitmix64, the limit to approach.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from passline.machine.machine import Machine
from passline.sim import simulate

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.sim.yardstick import molly  # after the path is set

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).parent / "results" / "sim.json"
ROLLS = 1200
"""Rolls of a session: whole Philox blocks, so that the C loops need no remainder."""
SESSIONS = 1 << 18
SESSIONS_NUMPY = 1 << 14
ROLLS_CRAPSSIM = 5_000
SEED = 2024
COMPARED = (
    "Times crapssim: rolls a second of one core rolling a machine that was built and compiled beforehand, over rolls a "
    "second of crapssim 0.4.1 running its own strategy of that name, each dealing its own dice and keeping a player's "
    "money; the machine keeps nothing else and makes no events (for an engine that does, see bench/engine.py). "
    "`build_seconds` is what building the machine took, and `crapssim_meanwhile` the rolls crapssim plays in that time."
)
HALF_OF_C = 0.5
TIMES_CRAPSSIM = 15_000

C_SOURCE = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef NARROW   /* as in the yardstick: the row of the next state above, the net below */
typedef int32_t entry;
#define NET(e) ((int16_t)(e))
#define ROW(e) ((uint32_t)(e) >> 16)
#else
typedef int64_t entry;
#define NET(e) ((int32_t)(e))
#define ROW(e) ((uint64_t)(e) >> 32)
#endif
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
static inline void philox(uint64_t block, uint64_t table, uint64_t seed, uint64_t *low, uint64_t *high) {
  uint32_t c0 = block, c1 = block >> 32, c2 = table, c3 = table >> 32, k0 = seed, k1 = seed >> 32;
  for (int i = 0; i < 10; i++) {
    uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
    c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0; c1 = p1; c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1; c3 = p0;
    k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
  }
  *low = c0 | (uint64_t)c1 << 32; *high = c2 | (uint64_t)c3 << 32;
}
int main(int argc, char **argv) {
  long states = atol(argv[2]), sessions = atol(argv[3]), rolls = atol(argv[4]);
  uint64_t seed = strtoull(argv[5], 0, 10), start = strtoull(argv[6], 0, 10) * 36;
  entry *tab = malloc(states * 36 * sizeof(entry));
  FILE *file = fopen(argv[1], "rb");
  if (!tab || !file || fread(tab, sizeof(entry), states * 36, file) != (size_t)(states * 36)) return 2;
#ifdef ADD
  int64_t *add = malloc(states * 36 * 8);
  for (long i = 0; i < states * 36; i++)
    add[i] = ((int64_t)NET(tab[i]) << 32) + (int64_t)ROW(tab[i]) - i / 36 * 36;
#endif
  int64_t total = 0;
  double begin = now();
  for (long s = 0; s < sessions; s += L) {
    int64_t net[L] = {0}; uint64_t st[L];
    for (int l = 0; l < L; l++) st[l] = start;
#ifdef BARE
    uint64_t x[L];
    for (int l = 0; l < L; l++) x[l] = (s + l) * 0xD1342543DE82EF95ULL + seed;
#endif
    for (long b = 0; b < rolls / 12; b++) {
      uint64_t z[2][L];
      for (int l = 0; l < L; l++) {
#ifdef BARE
        for (int h = 0; h < 2; h++) {
          uint64_t y = x[l] += 0x9E3779B97F4A7C15ULL;
          y = (y ^ (y >> 30)) * 0xBF58476D1CE4E5B9ULL; y = (y ^ (y >> 27)) * 0x94D049BB133111EBULL;
          z[h][l] = y ^ (y >> 31);
        }
#else
        philox(b, s + l, seed, &z[0][l], &z[1][l]);
#endif
      }
      for (int h = 0; h < 2; h++)
        for (int j = 0; j < 6; j++)
          for (int l = 0; l < L; l++) {
            __uint128_t m = (__uint128_t)z[h][l] * 36;
            z[h][l] = (uint64_t)m;
#ifdef ADD
            st[l] += add[(uint32_t)st[l] + (uint64_t)(m >> 64)];
#else
            entry e = tab[st[l] + (uint64_t)(m >> 64)];
            net[l] += NET(e); st[l] = ROW(e);
#endif
          }
    }
    for (int l = 0; l < L; l++)
#ifdef ADD
      total += (int64_t)st[l] >> 32;
#else
      total += net[l];
#endif
  }
  printf("%.9f %lld\n", now() - begin, (long long)total);
}
"""


# --- What is rolled -------------------------------------------------------------------------------------------------


def machines() -> dict[str, tuple[Machine, float]]:
    """The machines to roll and the seconds to build each: three that everybody knows, one with over 10,000 states."""
    from passline.house import House
    from passline.machine.build import build
    from passline.strategies.language.read import load

    book = House("sydney").book
    built = {}
    for name in ("pass_flat", "three_point_molly", "place_6_8", "labouchere_dont_pass"):
        begin = time.process_time()
        machine = build(book, load(name), unit=10, max_bet=250 if name == "labouchere_dont_pass" else None)
        built[name] = machine, time.process_time() - begin
    return built


def counted(machine: Machine, hours: int) -> Machine:
    """The machine with a clock of so many rolls in its state: as many times the states, all of them visited."""
    states, hour = machine.states, np.arange(hours)
    following = machine.next[None] + states * ((hour + 1) % hours)[:, None, None]
    return Machine(
        column=machine.column,
        next=following.reshape(-1, machine.columns).astype(np.int32),
        net=np.tile(machine.net, (hours, 1)),
        need=np.tile(machine.need, hours),
        action=np.tile(machine.action, (hours, 1)),
        hand_ends=np.tile(machine.hand_ends, (hours, 1)),
        start=machine.start,
        grain=machine.grain,
        about=machine.about,
    )


# --- Who rolls it ---------------------------------------------------------------------------------------------------


@dataclass
class Contender:
    """One way to roll a machine: `once` gives seconds, rolls and, where it is comparable, the total net."""

    once: Callable[[], tuple[float, int, int | None]]
    best: float = 0.0
    total: int | None = None

    def take_turn(self) -> None:
        """Roll once more and keep the best speed."""
        seconds, rolls, self.total = self.once()
        self.best = max(self.best, rolls / seconds)


def ours(machine: Machine, backend: str, sessions: int, threads: int) -> Contender:
    """Our simulator, at the speed that it states."""

    def once() -> tuple[float, int, int | None]:
        result = simulate(machine, sessions=sessions, rolls=ROLLS, seed=SEED, backend=backend, threads=threads, watch=1)
        return result.rolls / result.rolls_per_second, result.rolls, result.net.grains.moment(1)

    return Contender(once)


def with_bankroll(machine: Machine, threads: int) -> Contender:
    """Our simulator when it also has to look out for ruin at every roll."""
    bankroll = str(20 * int(machine.need.max()) * machine.grain)

    def once() -> tuple[float, int, int | None]:
        result = simulate(
            machine, sessions=SESSIONS // 4, rolls=ROLLS, seed=SEED, bankroll=bankroll, threads=threads, watch=1
        )
        return result.rolls / result.rolls_per_second, result.rolls, None

    return Contender(once)


def crapssim(name: str) -> Contender | None:
    """The best known craps simulator, where it has the strategy and is installed."""
    if find_spec("crapssim") is None:
        return None
    strategy, examples = import_module("crapssim.strategy"), import_module("crapssim.strategy.examples")
    systems = {
        "pass_flat": lambda: strategy.BetPassLine(10),
        "three_point_molly": lambda: examples.ThreePointMolly(10, 2),
        "place_6_8": lambda: strategy.BetPassLine(10) + strategy.BetPlace({6: 60, 8: 60}),
    }
    if name not in systems:
        return None

    def once() -> tuple[float, int, int | None]:
        table = import_module("crapssim.table").Table(seed=7)
        table.add_player(bankroll=10**9, strategy=systems[name]())
        begin = time.perf_counter()
        table.run(max_rolls=ROLLS_CRAPSSIM, max_shooter=10**9, verbose=False)
        return time.perf_counter() - begin, ROLLS_CRAPSSIM, None

    return Contender(once)


@dataclass
class Compiler:
    """The C compiler, and what it has made so far."""

    folder: Path
    command: str | None = field(
        default_factory=lambda: shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    )

    def loop(self, machine: Machine, *flags: str) -> Contender | None:
        """A C loop over the table of this machine."""
        if self.command is None:
            return None
        rows, nets = machine.next[:, machine.column].astype(np.int64) * 36, machine.net[:, machine.column]
        narrow = int(rows.max()) < 1 << 16 and int(np.abs(nets).max()) < 1 << 15
        entries = (rows << 16 | nets & 0xFFFF).astype(np.uint32) if narrow else rows << 32 | nets & 0xFFFFFFFF
        table = self.folder / f"{machine.digest()}.bin"
        table.write_bytes(entries.tobytes())
        program = self._program(*flags, *(["-DNARROW"] if narrow else []))
        words = [program, table, machine.states, SESSIONS, ROLLS, SEED, machine.start]

        def once() -> tuple[float, int, int | None]:
            done = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True)
            seconds, total = done.stdout.split()
            return float(seconds), SESSIONS * ROLLS, None if "-DBARE" in flags else int(total)

        return Contender(once)

    def _program(self, *flags: str) -> Path:
        program = self.folder / ("loop" + "".join(flags))
        if not program.exists():
            source = self.folder / "loop.c"
            source.write_text(C_SOURCE, encoding="ascii")
            words = [str(self.command), "-O3", "-march=native", *flags, str(source), "-o", str(program)]
            subprocess.run(words, check=True)
        return program


# --- The account ----------------------------------------------------------------------------------------------------


def measure(
    name: str, machine: Machine, build_seconds: float, compiler: Compiler, rounds: int
) -> dict[str, float | int | str | None]:
    """All contenders on one machine, taking turns."""
    cores = os.cpu_count() or 1
    contenders: dict[str, Contender | None] = {
        "crapssim": crapssim(name),
        "numpy": ours(machine, "numpy", SESSIONS_NUMPY, 1),
        "numba": ours(machine, "numba", SESSIONS, 1),
        "numba all cores": ours(machine, "numba", SESSIONS, cores),
        "numba bankroll": with_bankroll(machine, 1),
    }
    for lanes in (4, 8, 16):
        contenders[f"C philox look-up {lanes}"] = compiler.loop(machine, f"-DL={lanes}")
        contenders[f"C philox add {lanes}"] = compiler.loop(machine, f"-DL={lanes}", "-DADD")
    contenders["C bare"] = compiler.loop(machine, "-DL=4", "-DBARE")
    present = {key: contender for key, contender in contenders.items() if contender is not None}
    for _ in range(rounds):
        for contender in present.values():
            contender.take_turn()
    same_dice = {key: one for key, one in present.items() if key.startswith("C philox")}
    totals = {one.total for one in same_dice.values()}
    if same_dice and totals != {present["numba"].total}:
        raise SystemExit(f"{name}: C came to {totals}, Numba to {present['numba'].total}: not the same dice")
    c_best = max(same_dice, key=lambda key: same_dice[key].best, default=None)
    speed = {key: round(one.best) for key, one in present.items()}
    numba = present["numba"].best
    return {
        "strategy": name,
        "states": machine.states,
        "rolls_per_second": speed,  # type: ignore[dict-item]
        "c_same_dice": c_best,
        "of_c_same_dice": round(numba / same_dice[c_best].best, 3) if c_best else None,
        "of_c_bare": round(numba / present["C bare"].best, 3) if "C bare" in present else None,
        "times_crapssim": round(numba / present["crapssim"].best) if "crapssim" in present else None,
        "build_seconds": round(build_seconds, 2),
        "crapssim_meanwhile": round(build_seconds * present["crapssim"].best) if "crapssim" in present else None,
        "cores": cores,
    }


def growth(rounds: int) -> dict[str, dict[str, float]]:
    """Nanoseconds a roll on one core as states, sessions and rolls grow."""

    def nanoseconds(machine: Machine, sessions: int, rolls: int) -> float:
        speed = max(
            simulate(machine, sessions=sessions, rolls=rolls, seed=SEED, threads=1, watch=1).rolls_per_second
            for _ in range(rounds)
        )
        return round(1e9 / speed, 2)

    base = molly()
    return {
        "states": {f"{118 * by}": nanoseconds(counted(base, by), 1 << 14, ROLLS) for by in (1, 9, 105, 1009)},
        "sessions": {f"{n}": nanoseconds(base, n, ROLLS) for n in (100, 1_000, 10_000, 100_000)},
        "rolls": {f"{n}": nanoseconds(base, max(100, 20_000_000 // n), n) for n in (12, 100, 1_000, 10_000, 100_000)},
    }


def main() -> int:
    """Measure, print, record; exit 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(Path(folder))
        for name, (machine, build_seconds) in machines().items():
            row = measure(name, machine, build_seconds, compiler, asked.rounds)
            rows.append(row)
            print(f"\n{name}, {row['states']:,} states")
            for key, speed in row["rolls_per_second"].items():  # type: ignore[union-attr]
                print(f"  {key:22} {speed / 1e6:10,.3f} M rolls/s")
            print(f"  numba on one core: {row['of_c_same_dice']} of C on the same dice ({row['c_same_dice']}),")
            print(f"  {row['of_c_bare']} of the bare C loop, {row['times_crapssim'] or '?'} times crapssim;")
            print(f"  built in {build_seconds:.2f} s", flush=True)
    print(f"\n{COMPARED}")
    costs = growth(asked.rounds)
    print("\nNanoseconds a roll on one core")
    for what, grown in costs.items():
        print(f"  {what:9}", "   ".join(f"{int(n):,}: {cost}" for n, cost in grown.items()))
    RESULTS.parent.mkdir(exist_ok=True)
    account = {
        "python": platform.python_version(),
        "processor": platform.machine(),
        "compared": COMPARED,
        "rolls_a_session": ROLLS,
        "strategies": rows,
        "nanoseconds_a_roll": costs,
    }
    RESULTS.write_text(json.dumps(account, indent=1) + "\n", encoding="utf-8")
    return 0 if all(met(row) for row in rows) else 1


def met(row: dict[str, float | int | str | None]) -> bool:
    """Whether the targets hold that can be judged here."""
    of_c, times = row["of_c_same_dice"], row["times_crapssim"]
    slow = isinstance(of_c, float) and of_c < HALF_OF_C
    near = row["strategy"] == "three_point_molly" and isinstance(times, int) and times < TIMES_CRAPSSIM
    return not slow and not near


if __name__ == "__main__":
    raise SystemExit(main())
