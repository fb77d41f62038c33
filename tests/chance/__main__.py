"""The dice for a night: `scripts/campaign dice`, 50 million rolls and 100 million raw bits, of new seeds each time.

And ten million rolls beside the JavaScript verifier's. What looks odd is looked at again with ten times as much of
fresh seeds; odd twice is a fault. A run that was cut off goes on under its `--seed`: what is recorded is not done
again.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from pathlib import Path
from typing import Any

from scipy import stats

from tests.chance import battery, nist, vectors
from tests.chance.node import verifier
from tests.chance.test_battery import throws_of

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
        values.append(battery.p_values(throws_of(min(CHUNK, count), f"{word} {at}")))
        print(f"\r{(at + 1) * min(CHUNK, count):,} rolls", end="", file=sys.stderr, flush=True)  # noqa: T201
    return together(values)


def bits(at: int, size: int, word: str) -> dict[str, float]:
    """One sequence of raw bits through NIST's tests."""
    print(f"\r{at + 1} sequences", end="", file=sys.stderr, flush=True)  # noqa: T201
    return nist.p_values(nist.bits_of(nist.raw(size // 8, f"{word} {at}")))


def differing(epochs: int) -> int:
    """How many rolls of so many epochs are not the same in Python and in JavaScript."""
    ran = verifier("throws", str(epochs), timeout_s=3600)
    ours = vectors.many_dealt(epochs)
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
    kept = recorded(asked)
    if kept.get("rolls_compared") != 1_000 * asked.epochs:
        kept = keep(asked, differ=differing(asked.epochs), rolls_compared=1_000 * asked.epochs)
    if kept.get("rolls") != asked.rolls:
        kept = keep(asked, p=rounded(rolls(asked.rolls, asked.seed)), rolls=asked.rolls)
    for at in range(len(kept.get("sequences", [])), asked.sequences):
        done = [*kept.get("sequences", []), rounded(bits(at, asked.bits, asked.seed))]
        kept = keep(asked, sequences=done, p_of_bits=rounded(together(done)))
    found: dict[str, float] = kept["p"] | kept.get("p_of_bits", {})
    odd = {name: p for name, p in found.items() if p < ODD}
    if odd:
        again = f"{asked.seed} again"
        more = rolls(10 * asked.rolls, again)
        more |= together([bits(at, asked.bits, again) for at in range(10 * asked.sequences)])
        odd = {name: more[name] for name in odd if more[name] < ODD}
    keep(asked, odd=odd)
    print(f"\nsmallest p {min(found.values()):.3g} of {len(found)}")  # noqa: T201
    print(f"odd twice: {odd or 'none'}; not the same in JavaScript: {kept['differ']}")  # noqa: T201
    return 1 if odd or kept["differ"] else 0


def rounded(found: dict[str, float]) -> dict[str, float]:
    """P-values for a reader."""
    return {name: float(f"{p:.4g}") for name, p in found.items()}


def recorded(asked: argparse.Namespace) -> dict[str, Any]:
    """What is known of this seed."""
    kept: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    return kept if kept.get("asked", {}).get("seed") == asked.seed else {}


def keep(asked: argparse.Namespace, **told: object) -> dict[str, Any]:
    """Write down what is known so far, so that a night that is cut short was not for nothing."""
    known: dict[str, Any] = {**recorded(asked), "protocol": 2, "asked": vars(asked), **told}
    known["a_night_asks"] = A_NIGHT_ASKS
    ran = {"rolls": known.get("rolls", 0), "sequences": len(known.get("sequences", []))}
    known["ran"] = {**ran, "epochs": known.get("rolls_compared", 0) // 1_000}
    RESULTS.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    return known


if __name__ == "__main__":
    sys.exit(main())
