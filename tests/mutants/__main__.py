"""`python -m tests.mutants houses --count 10000 --seed 7`: so many mutants, and which of them did not hold.

With `--keep` what came of them stands in `bench/results/mutants.json`, a line for each kind.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time
import traceback
from pathlib import Path

from tests.mutants.kinds import KINDS, one

SHOWN_MAX = 20
RESULTS = Path(__file__).parents[2] / "bench" / "results" / "mutants.json"


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def keep(kind: str, result: dict[str, int]) -> None:
    """Keep a result beside those of the other kinds."""
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    RESULTS.write_text(json.dumps(kept | {kind: result}, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main() -> int:
    """Run one kind of mutant, and print what came of them."""
    parser = argparse.ArgumentParser(prog="fuzz")
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutant")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop when so much time is up")
    parser.add_argument("--keep", action="store_true", help=f"keep the result in {RESULTS.name}")
    asked = parser.parse_args()
    seed = secrets.randbelow(2**32) if asked.seed is None else asked.seed
    say(f"{asked.kind}: seed {seed}, {asked.count} mutants from number {asked.first}")
    began, came, failed = time.perf_counter(), dict[str, int](), 0
    for number in range(asked.first, asked.first + asked.count):
        if time.perf_counter() - began > asked.seconds:
            break
        try:
            said = one(asked.kind, seed, number)
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            failed += 1
            say(f"-- again: scripts/campaign fuzz-{asked.kind} --seed {seed} --first {number} --count 1")
            say(traceback.format_exc())
            if failed == SHOWN_MAX:
                break
        else:
            came[said] = came.get(said, 0) + 1
    seconds = round(time.perf_counter() - began)
    say(f"{asked.kind}: {came}, {failed} failed, {seconds} s")
    if asked.keep:
        keep(asked.kind, {"seed": seed, "first": asked.first, **came, "failed": failed, "seconds": seconds})
    return bool(failed)


raise SystemExit(main())
