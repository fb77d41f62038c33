"""Plays random records in the engine and in the model that was written apart from it, and compares every act.

A difference stops the run and is printed with its record. One of the two is wrong; the specification says which.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.reference import generate  # noqa: E402 - the tests are found through the line above
from tests.test_differential import HOUSES, compared  # noqa: E402

RESULTS = ROOT / "bench" / "results" / "fuzz.json"
RECORDS_A_BATCH = 25


@dataclass(slots=True)
class Played:
    """What a run has compared so far."""

    records: int = 0
    acts: int = 0
    verbs: Counter[str] = field(default_factory=Counter)


def batch(first_seed: int) -> Played:
    """Play a batch of records in every house."""
    played = Played()
    for seed in range(first_seed, first_seed + RECORDS_A_BATCH):
        for house in HOUSES:
            text = generate.random_record(random.Random(seed), house)  # noqa: S311 - seeded on purpose
            played.acts += compared(text)
            played.records += 1
            played.verbs.update(verb_of(line) for line in text.splitlines())
    return played


def verb_of(line: str) -> str:
    """The verb of a line of a record: its first word, or the one after a seat."""
    words = [word for word in line.split() if not word.isdigit()]
    return words[0] if words else ""


def main(arguments: list[str] | None = None) -> int:
    """Play until time is up, telling how far it is."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=600, metavar="N", help="play so long; 600 unless told")
    parser.add_argument("--seed", type=int, default=1_000_000, metavar="S", help="the first seed; the next follow it")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes at once; all cores unless told")
    options = parser.parse_args(arguments)
    start, seed, all_played = time.monotonic(), options.seed, Played()
    with ProcessPoolExecutor(options.jobs) as pool:
        while time.monotonic() - start < options.seconds:
            seeds = range(seed, seed + 8 * RECORDS_A_BATCH, RECORDS_A_BATCH)
            for played in pool.map(batch, seeds):
                all_played.records += played.records
                all_played.acts += played.acts
                all_played.verbs += played.verbs
            seed = seeds.stop
            print(f"\r{all_played.records:,} records, {all_played.acts:,} acts, no difference", end="", flush=True)
    print()
    keep(options.seed, seed, all_played)
    return 0


def keep(first: int, after: int, played: Played) -> None:
    """Write down what was compared; a run that found a difference never comes here."""
    verbs = dict(sorted(played.verbs.items()))
    report = {
        "what": "random records with every verb, played by the engine and by the second model: no act differs",
        "houses": HOUSES,
        "seeds": [first, after - 1],
        "records": played.records,
        "acts": played.acts,
        "differences": 0,
        "lines_by_verb": verbs,
    }
    RESULTS.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
