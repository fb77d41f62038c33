"""The engine against the model that was written apart from it, on random records, on every core."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.reference import generate  # noqa: E402 - the tests are found through the line above
from tests.test_differential import HOUSES, compared  # noqa: E402

RESULTS = ROOT / "bench" / "results" / "fuzz.json"
RECORDS_A_BATCH = 25


def batch(first_seed: int) -> tuple[int, int]:
    """Play a batch of records in every house; records and acts compared."""
    acts = 0
    for seed in range(first_seed, first_seed + RECORDS_A_BATCH):
        for house in HOUSES:
            acts += compared(generate.random_record(random.Random(seed), house))  # noqa: S311 - seeded on purpose
    return RECORDS_A_BATCH * len(HOUSES), acts


def main() -> int:
    """Play until time is up, telling how far it is."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    start, seed, records, acts = time.monotonic(), first, 0, 0
    with ProcessPoolExecutor() as pool:
        while time.monotonic() - start < seconds:
            seeds = range(seed, seed + 4 * (os.cpu_count() or 1) * RECORDS_A_BATCH, RECORDS_A_BATCH)
            for more_records, more_acts in pool.map(batch, seeds):
                records, acts = records + more_records, acts + more_acts
            seed = seeds.stop
            print(f"\r{records:,} records, {acts:,} acts, no difference", end="", flush=True)
    print()
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    found = {"first_seed": first, "records": records, "acts": acts, "differences": 0}
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
