"""Plants mistakes in the engine, one at a time, and asks whether the tests that play notice.

mutmut does the planting. `--sample N --seed S` tries N of its mutants, the same ones for the same engine and seed, and
keeps the result in `bench/results/mutation.json`; without it every mutant is tried, which takes a night. A run that was
stopped is taken up again with `--resume`, over the engine as it was when the run began.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from importlib.metadata import version
from pathlib import Path

from mutmut.stats import status_by_exit_code

ROOT = Path(__file__).resolve().parents[1]
MUTANTS = ROOT / "mutants"
REPORT = ROOT / "bench" / "results" / "mutation.json"
SCORE_MIN = 90
NOTICED = ("killed", "timeout")
NOT_TRIED = "not checked"


def main(arguments: list[str] | None = None) -> int:
    """Try the sample; 1 when the tests notice too few."""
    parser = argparse.ArgumentParser(prog="scripts/campaign mutation", description=__doc__.partition("\n")[0])
    parser.add_argument("--sample", type=int, metavar="N", help="try N mutants, drawn at random; all without it")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="which sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at once")
    parser.add_argument("--resume", action="store_true", help="leave out what the run before this one has tried")
    options = parser.parse_args(arguments)
    if not options.resume:
        shutil.rmtree(MUTANTS, ignore_errors=True)
        mutmut(options.jobs, "nothing")  # plants every mutant, learns which tests reach it, and has none to try
    names = sorted(outcomes())
    if not names:
        print("mutation: mutmut planted nothing; its own words are above", file=sys.stderr)
        return 2
    tried = names if options.sample is None else random.Random(options.seed).sample(names, options.sample)  # noqa: S311
    came = outcomes()
    waiting = [name for name in tried if came[name] == NOT_TRIED]
    if waiting:
        mutmut(options.jobs, *waiting)
    return account(len(names), options.sample and options.seed, {name: outcomes()[name] for name in tried})


def mutmut(jobs: int, *names: str) -> None:
    """Let mutmut try these mutants."""
    command = [str(ROOT / ".venv" / "bin" / "mutmut"), "run", "--max-children", str(jobs), *names]
    subprocess.run(command, cwd=ROOT, check=False)


def outcomes() -> dict[str, str]:
    """What became of every mutant, by its name, as mutmut wrote it down."""
    statuses: dict[str, str] = {}
    for path in sorted(MUTANTS.rglob("*.meta")):
        codes = json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
        statuses |= {name: status_by_exit_code[code] for name, code in codes.items()}
    return statuses


def account(mutants: int, seed: int | None, tried: dict[str, str]) -> int:
    """Say how many were noticed, and keep it."""
    tally = Counter(tried.values())
    score = round(100 * sum(tally[came] for came in NOTICED) / len(tried), 1)
    report = {
        "tool": f"mutmut {version('mutmut')}",
        "mutated": "src/passline/engine",
        "mutants": mutants,
        "tried": len(tried),
        "seed": seed,
        "came": dict(sorted(tally.items())),
        "score_percent": score,
        "unnoticed": sorted(name for name, came in tried.items() if came not in NOTICED),
    }
    REPORT.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(f"mutation: {dict(tally)} of {len(tried)}: {score} % noticed")
    return int(score < SCORE_MIN)


if __name__ == "__main__":
    sys.exit(main())
