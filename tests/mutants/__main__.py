"""`python -m tests.mutants houses --count 10000 --seed 7`: so many mutants, and which of them did not hold."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
import traceback

from tests.mutants.kinds import KINDS, one

SHOWN_MAX = 20


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """Run one kind of mutant, and print what came of them."""
    parser = argparse.ArgumentParser(prog="fuzz")
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutant")
    asked = parser.parse_args()
    seed = secrets.randbelow(2**32) if asked.seed is None else asked.seed
    say(f"{asked.kind}: seed {seed}, {asked.count} mutants from number {asked.first}")
    began, came, failed = time.perf_counter(), dict[str, int](), 0
    for number in range(asked.first, asked.first + asked.count):
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
    say(f"{asked.kind}: {came}, {failed} failed, {time.perf_counter() - began:.0f} s")
    return bool(failed)


raise SystemExit(main())
