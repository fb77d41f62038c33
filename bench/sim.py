"""Simulated rolls a second, beside crapssim 0.4.1 and beside C, in the same run.

Run with `scripts/bench sim`. Contenders take turns, everybody's time is that of the processor, and the figures that
count are ratios of medians: timings on a shared machine are noise. The C loops are compiled here when there is a
compiler; where there is none that is said, and nothing is compared with them.

- *C K x G* deals our Philox dice over the machine composed with itself K times, as our kernel does, with G sessions in
  step; it must come to the same total, and the better of both G counts. It keeps nets and nothing else: no action, no
  hands, no run-out. Ours is measured as it is used, run-out included, and at face value beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from passline.machine.machine import Machine
from passline.machine.terms import Seating, Terms
from passline.sim import game_of
from passline.sim.backends import Part, choose
from passline.sim.backends.pack import composed, digits

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.sim.yardstick import molly  # after the path is set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RESULTS = Path(__file__).parent / "results" / "sim.json"
ROLLS = 1200
"""Rolls of a session: whole Philox blocks, so that the C loops need no remainder."""
GROUPS = 1024
"""Groups of 32 sessions."""
SESSIONS = 32 * GROUPS
SESSIONS_NUMPY = 1 << 12
ROLLS_CRAPSSIM = 5_000
SEED = 2024
COMPARED = (
    "Times crapssim: rolls a second of one core rolling a machine that was built and compiled beforehand, over rolls a "
    "second of crapssim 0.4.1 running its own strategy of that name, each dealing its own dice and keeping a player's "
    "money; the machine keeps nothing else and makes no events (for an engine that does, see bench/engine.py). "
    "`build_seconds` is what building the machine took, and `crapssim_meanwhile` the rolls crapssim plays in that time."
)
OF_C = 0.9
"""What is wanted of the C loop that takes as many rolls a look-up."""
OF_FREE = 0.7
"""What is wanted with a bankroll, of the speed without."""
WANTED = {"pass_flat": 3, "three_point_molly": 2}
"""The rolls a look-up of the C loop that ours is held to."""
BETS = (20, 100)
"""Bankrolls, as so many times what a roll may need."""

C_SOURCE = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define LANES 32
#if K == 1
#define BASE 36
#elif K == 2
#define BASE 1296
#else
#define BASE 46656
#endif
typedef uint64_t u64; typedef unsigned __int128 u128;
static double now(void) {
  struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec;
}
static inline u64 hi(u64 a, u64 b) { return (u64)(((u128)a * b) >> 64); }
static void deal(u64 block, u64 first, u64 seed, u64 *low, u64 *up) {
  for (int l = 0; l < LANES; l++) {
    u64 x0 = block & 0xffffffff, x1 = block >> 32, x2 = (first + l) & 0xffffffff, x3 = (first + l) >> 32;
    u64 k0 = seed & 0xffffffff, k1 = seed >> 32;
    for (int i = 0; i < 10; i++) {
      u64 p0 = (x0 & 0xffffffff) * 0xD2511F53u, p1 = (x2 & 0xffffffff) * 0xCD9E8D57u;
      x0 = (p1 >> 32) ^ x1 ^ k0; x1 = p1; x2 = (p0 >> 32) ^ x3 ^ k1; x3 = p0;
      k0 = (k0 + 0x9E3779B9u) & 0xffffffff; k1 = (k1 + 0xBB67AE85u) & 0xffffffff;
    }
    low[l] = (x0 & 0xffffffff) | (x1 << 32); up[l] = (x2 & 0xffffffff) | (x3 << 32);
  }
}
int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "rb"); u64 head[4];
  if (argc < 5 || !file || fread(head, 8, 4, file) != 4) return 2;
  u64 words = head[0], mask = head[1], shift = head[2], start = head[3];
  u64 *T = malloc(8 * words); uint16_t *M = malloc(2 * BASE);
  if (!T || !M || fread(T, 8, words, file) != words || fread(M, 2, BASE, file) != BASE) return 2;
  int rolls = atoi(argv[2]), groups = atoi(argv[3]); u64 seed = strtoull(argv[4], 0, 10);
  double begin = now(); long long total = 0;
  for (int g = 0; g < groups; g++) {
    u64 s[LANES];
    for (int l = 0; l < LANES; l++) s[l] = start;
    for (int r = 0; r < rolls; r += 12) {
      u64 h[2][LANES];
      deal(r / 12, (u64)g * LANES, seed, h[0], h[1]);
      for (int k = 0; k < 2; k++)
        for (int l = 0; l < LANES; l += G) {
          u64 a[G], z[G];
          for (int j = 0; j < G; j++) { a[j] = s[l + j]; z[j] = h[k][l + j]; }
          for (int i = 0; i < 6 / K; i++)
            for (int j = 0; j < G; j++) { a[j] += T[(a[j] & mask) + M[hi(z[j], BASE)]]; z[j] *= BASE; }
          for (int j = 0; j < G; j++) s[l + j] = a[j];
        }
    }
    for (int l = 0; l < LANES; l++) total += (int64_t)s[l] >> shift;
  }
  printf("%.9f %lld\n", now() - begin, total);
}
"""


# --- What is rolled -------------------------------------------------------------------------------------------------


def machines() -> dict[str, tuple[Machine, float]]:
    """The machines to roll and the seconds to build each: three that everybody knows, one with over 10,000 states."""
    from passline.house import House
    from passline.machine.build import build
    from passline.strategies.language.read import load

    book = House("strip").book
    built = {}
    for name in ("pass_flat", "three_point_molly", "place_6_8", "labouchere_dont_pass"):
        begin = time.process_time()
        machine = build(
            load(name), Seating(House("x", book=book), 10, max_bet=250 if name == "labouchere_dont_pass" else None)
        )
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
        minor_unit=machine.minor_unit,
        about=machine.about,
    )


# --- Who rolls it ---------------------------------------------------------------------------------------------------


@dataclass
class Contender:
    """One way to roll a machine: `once` gives seconds, rolls and, where it is comparable, the total net."""

    once: Callable[[], tuple[float, int, int | None]]
    speeds: list[float] = field(default_factory=list)
    total: int | None = None

    def take_turn(self) -> None:
        """Roll once more."""
        seconds, rolls, self.total = self.once()
        self.speeds.append(rolls / seconds)

    @property
    def speed(self) -> float:
        """Rolls a second, the median."""
        return statistics.median(self.speeds)


def ours(machine: Machine, backend: str, sessions: int = SESSIONS, rolls: int = ROLLS, **asked: Any) -> Contender:
    """A backend of ours on one core, batch after batch as the simulator asks it."""
    game = game_of(machine, Terms(rolls, **asked), SEED)
    roller = choose(backend, game)
    roller.warm(game)
    batch, halt = min(sessions, roller.batch(game)), np.zeros(1, dtype=np.uint8)

    def once() -> tuple[float, int, int | None]:
        begin = time.process_time()
        cuts = range(0, sessions, batch)
        whole = Part.sum([roller.play(game, first, min(batch, sessions - first), halt) for first in cuts])
        return time.process_time() - begin, whole.rolls, whole.net.moment(1)

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
        begin = time.process_time()
        table.run(max_rolls=ROLLS_CRAPSSIM, max_shooter=10**9, verbose=False)
        return time.process_time() - begin, ROLLS_CRAPSSIM, None

    return Contender(once)


@dataclass
class Compiler:
    """The C compiler, and what it has made so far."""

    folder: Path
    command: str | None = field(
        default_factory=lambda: shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    )

    def version(self) -> str | None:
        """What it calls itself."""
        if self.command is None:
            return None
        return subprocess.run(
            [self.command, "--version"], check=True, capture_output=True, text=True
        ).stdout.splitlines()[0]

    def loop(self, machine: Machine, together: int, lanes: int) -> Contender | None:
        """A C loop over the table of this machine, so many rolls a look-up, so many sessions in step."""
        if self.command is None:
            return None
        rolled = composed(machine, together)
        places = machine.columns**together
        net, after = rolled.net[:, :places], rolled.after[:, :places]
        bits = max(1, (machine.states * places - 1).bit_length())
        words = (net << bits) + (after - np.arange(machine.states)[:, None]) * places
        column = digits(machine.column, machine.columns, together)
        if places > 1 << 16:
            return None
        table = self.folder / f"{machine.digest()}-{together}.bin"
        head = np.array([words.size, (1 << bits) - 1, bits, machine.start * places], dtype=np.int64)
        table.write_bytes(head.tobytes() + words.tobytes() + column.astype(np.uint16).tobytes())
        asked = [self._program(f"-DK={together}", f"-DG={lanes}"), table, ROLLS, GROUPS, SEED]

        def once() -> tuple[float, int, int | None]:
            done = subprocess.run([str(word) for word in asked], check=True, capture_output=True, text=True)
            seconds, total = done.stdout.split()
            return float(seconds), SESSIONS * ROLLS, int(total)

        return Contender(once)

    def _program(self, *flags: str) -> Path:
        program = self.folder / ("loop" + "".join(flags))
        if not program.exists():
            source = self.folder / "loop.c"
            source.write_text(C_SOURCE, encoding="ascii")
            words = [
                str(self.command),
                "-O3",
                "-march=native",
                "-funroll-loops",
                *flags,
                str(source),
                "-o",
                str(program),
            ]
            subprocess.run(words, check=True)
        return program


# --- The account ----------------------------------------------------------------------------------------------------


def measure(name: str, machine: Machine, build_seconds: float, compiler: Compiler, rounds: int) -> dict[str, Any]:
    """All contenders on one machine, taking turns."""
    contenders: dict[str, Contender | None] = {
        "crapssim": crapssim(name),
        "numpy": ours(machine, "numpy", SESSIONS_NUMPY),
        "numba": ours(machine, "numba"),
        "numba at face value": ours(machine, "numba", at_end="face"),
    }
    for bets in BETS:
        bankroll = bets * int(machine.need.max()) * machine.minor_unit
        contenders[f"numba, bankroll of {bets} bets"] = ours(machine, "numba", bankroll=bankroll)
    for together in (1, 2, 3):
        for lanes in (4, 8):
            contenders[f"C {together} x {lanes}"] = compiler.loop(machine, together, lanes)
    present = {key: contender for key, contender in contenders.items() if contender is not None}
    for _ in range(rounds):
        for contender in present.values():
            contender.take_turn()
    loops = {key: one for key, one in present.items() if key.startswith("C ")}
    totals = {one.total for one in loops.values()}
    if loops and totals != {present["numba at face value"].total}:
        raise SystemExit(
            f"{name}: C came to {totals}, ours to {present['numba at face value'].total}: not the same dice"
        )
    free = present["numba"].speed
    row: dict[str, Any] = {
        "strategy": name,
        "states": machine.states,
        "rolls_per_second": {key: round(one.speed) for key, one in present.items()},
        "of_free": {
            f"bankroll of {bets} bets": round(present[f"numba, bankroll of {bets} bets"].speed / free, 3)
            for bets in BETS
        },
        "build_seconds": round(build_seconds, 2),
    }
    if loops:
        best = {
            k: max(one.speed for key, one in loops.items() if key.startswith(f"C {k} "))
            for k in (1, 2, 3)
            if f"C {k} x 4" in loops
        }
        row["of_c"] = {str(k): round(free / speed, 3) for k, speed in best.items()}
        row["of_c_at_face_value"] = {
            str(k): round(present["numba at face value"].speed / speed, 3) for k, speed in best.items()
        }
    if "crapssim" in present:
        row["times_crapssim"] = round(free / present["crapssim"].speed)
        row["crapssim_meanwhile"] = round(build_seconds * present["crapssim"].speed)
    return row


def growth(rounds: int) -> dict[str, dict[str, float]]:
    """Nanoseconds a roll on one core as states, sessions and rolls grow."""

    def nanoseconds(machine: Machine, sessions: int, rolls: int) -> float:
        contender = ours(machine, "numba", sessions, rolls=rolls)
        for _ in range(rounds):
            contender.take_turn()
        return round(1e9 / contender.speed, 2)

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
        if compiler.command is None:
            print("No C compiler here (cc, gcc, clang): nothing is compared with C.")
        for name, (machine, build_seconds) in machines().items():
            row = measure(name, machine, build_seconds, compiler, asked.rounds)
            rows.append(row)
            print(f"\n{name}, {row['states']:,} states, built in {build_seconds:.2f} s")
            for key, speed in row["rolls_per_second"].items():
                print(f"  {key:30} {speed / 1e6:10,.3f} M rolls/s")
            for key in ("of_c", "of_c_at_face_value", "of_free", "times_crapssim"):
                print(f"  {key}: {row.get(key, 'not compared')}", flush=True)
    print(f"\n{COMPARED}")
    costs = growth(asked.rounds)
    print("\nNanoseconds a roll on one core")
    for what, grown in costs.items():
        print(f"  {what:9}", "   ".join(f"{int(n):,}: {cost}" for n, cost in grown.items()))
    short = [said for row in rows for said in missed(row)]
    print("\n".join(f"short: {said}" for said in short) or "every aim met")
    RESULTS.parent.mkdir(exist_ok=True)
    account = {
        "python": platform.python_version(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "rounds": asked.rounds,
        "compiler": compiler.version(),
        "compared": COMPARED,
        "rolls_a_session": ROLLS,
        "strategies": rows,
        "nanoseconds_a_roll": costs,
        "short": short,
    }
    RESULTS.write_text(json.dumps(account, indent=1) + "\n", encoding="utf-8")
    return 1 if short else 0


def missed(row: dict[str, Any]) -> Iterator[str]:
    """The aims of a strategy that were not met."""
    name = row["strategy"]
    if name not in WANTED:
        return
    of_c = row.get("of_c", {}).get(str(WANTED[name]))
    if of_c is not None and of_c < OF_C:
        yield f"{name} {of_c} of C with {WANTED[name]} rolls a look-up, wanted {OF_C}"
    for rule, share in row["of_free"].items():
        if share < OF_FREE:
            yield f"{name} with a {rule} {share} of free, wanted {OF_FREE}"


if __name__ == "__main__":
    raise SystemExit(main())
