"""The dice for a night: `scripts/campaign dice`, 50 million rolls and 100 million raw bits, of new seeds each time.

And ten million rolls beside the JavaScript verifier's. What looks odd is looked at again with ten times as much of
fresh seeds; odd twice is a fault.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from pathlib import Path

import numpy as np
from scipy import stats

from tests.chance import battery, nist, vectors
from tests.chance.node import verifier
from tests.chance.test_battery import dealt

RESULTS = Path(__file__).parents[2] / "bench" / "results" / "dice.json"
A_NIGHT_ASKS = {"rolls": 50_000_000, "sequences": 100, "bits": 1_000_000, "epochs": 10_000}
"""What the reliability report wants of a night; each figure stands beside it in the results."""

CHUNK = 2_000_000
ODD = 1e-3


def together(values: list[dict[str, float]]) -> dict[str, float]:
    """The p-values of many samples as one for each statistic, by Fisher's method."""
    return {
        name: float(stats.combine_pvalues([max(sample[name], 1e-300) for sample in values]).pvalue)
        for name in values[0]
    }


def rolls(count: int, word: str) -> dict[str, float]:
    """So many rolls through the statistics, two million at a time."""
    values = []
    for at in range(max(1, count // CHUNK)):
        values.append(battery.p_values(dealt(min(CHUNK, count), f"{word} {at}")))
        print(f"\r{(at + 1) * min(CHUNK, count):,} rolls", end="", file=sys.stderr, flush=True)  # noqa: T201
    return together(values)


def bits(sequences: int, size: int, word: str) -> dict[str, float]:
    """So many sequences of raw bits through NIST's tests."""
    values = []
    for at in range(sequences):
        values.append(nist.p_values(nist.bits_of(nist.raw(size // 8, f"{word} {at}"))))
        print(f"\r{at + 1} sequences", end="", file=sys.stderr, flush=True)  # noqa: T201
    return together(values)


def differing(epochs: int) -> int:
    """How many rolls of so many epochs are not the same in Python and in JavaScript."""
    ran = verifier("throws", str(epochs), timeout_s=3600)
    ours = vectors.many_throws(epochs)
    return sum(one != other for one, other in zip(ours, ran.stdout, strict=True))


def main() -> int:
    """Run both, again where it looks odd, and write down what came out."""
    parser = argparse.ArgumentParser(prog="scripts/campaign dice", description=__doc__)
    parser.add_argument("--rolls", type=int, default=A_NIGHT_ASKS["rolls"])
    parser.add_argument("--sequences", type=int, default=A_NIGHT_ASKS["sequences"])
    parser.add_argument("--bits", type=int, default=A_NIGHT_ASKS["bits"])
    parser.add_argument("--seed", default=secrets.token_hex(8), help="a word; the same word deals the same dice")
    parser.add_argument(
        "--epochs",
        type=int,
        default=A_NIGHT_ASKS["epochs"],
        help="of 1,000 rolls, compared with the JavaScript verifier",
    )
    asked = parser.parse_args()
    print(f"seed {asked.seed}")  # noqa: T201
    differ = differing(asked.epochs)
    keep(asked, differ=differ, rolls_compared=1_000 * asked.epochs)
    found = rolls(asked.rolls, asked.seed)
    keep(asked, p=rounded(found))
    found |= bits(asked.sequences, asked.bits, asked.seed)
    odd = {name: p for name, p in found.items() if p < ODD}
    if odd:
        again = f"{asked.seed} again"
        more = rolls(10 * asked.rolls, again) | bits(10 * asked.sequences, asked.bits, again)
        odd = {name: more[name] for name in odd if more[name] < ODD}
    keep(asked, p=rounded(found), odd=odd)
    print(f"\nsmallest p {min(found.values()):.3g} of {len(found)}")  # noqa: T201
    print(f"odd twice: {odd or 'none'}; not the same in JavaScript: {differ}")  # noqa: T201
    return 1 if odd or differ else 0


def rounded(found: dict[str, float]) -> dict[str, float]:
    """P-values for a reader."""
    return {name: float(np.format_float_positional(p, 4)) for name, p in found.items()}


def keep(asked: argparse.Namespace, **told: object) -> None:
    """Write down what is known so far, so that a night that is cut short was not for nothing."""
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    kept = kept if kept.get("asked", {}).get("seed") == asked.seed else {}
    RESULTS.write_text(
        json.dumps({**kept, "asked": vars(asked), "a_night_asks": A_NIGHT_ASKS, **told}, indent=1) + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    sys.exit(main())
